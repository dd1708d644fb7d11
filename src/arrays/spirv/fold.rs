//! Reductions: programs that fold many elements into few, always in the same tree.
//!
//! In *rows*, a work item folds consecutive rows one after the other; in *chunks*, a work-group folds a stretch of one row:
//! each item every [`GROUP`]-th element, then the group in a tree; in *lanes*, [`LANES`] items fold a piece of one row, each every
//! `LANES`-th element, and there is no tree: processors have no use for groups that wait for each other. All leave partial
//! results that a further program folds. How long a stretch is depends on the array's shape alone, so a result does not depend
//! on the device's width.

use super::cast::truth;
use super::complex::{greater, multiply};
use super::emit::{Emitter, Module, Parameter, Pointer, Reg, Type};
use super::fused::{Body, Fused, NotLowered, body_parameters};
use super::space::{Space, numbers};
use super::value::{self, Value};
use crate::arrays::cpu::fold::Fold;
use crate::arrays::dtype::DType;
use rspirv::spirv::BuiltIn;

/// Work items in a group that folds a chunk.
pub const GROUP: u32 = 256;
/// Elements in a chunk.
pub const CHUNK: usize = 8192;
/// Work items that fold a piece of one row side by side.
pub const LANES: u32 = 32;

fn fold_real<'e>(fold: Fold, x: Reg<'e>, y: Reg<'e>) -> Option<Reg<'e>> {
    Some(match fold {
        Fold::Sum => x + y,
        Fold::Product => x * y,
        Fold::Maximum => (x.gt(y) | x.is_nan()).select(x, y),
        Fold::Minimum => (x.lt(y) | x.is_nan()).select(x, y),
        Fold::Fmax => (x.gt(y) | y.is_nan()).select(x, y),
        Fold::Fmin => (x.lt(y) | y.is_nan()).select(x, y),
        Fold::And | Fold::Or | Fold::Xor if x.ty.is_float() => return None,
        Fold::And => x & y,
        Fold::Or => x | y,
        Fold::Xor => x ^ y,
    })
}

fn fold_truth<'e>(fold: Fold, x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    match fold {
        Fold::Sum | Fold::Or | Fold::Maximum | Fold::Fmax => x | y,
        Fold::Product | Fold::And | Fold::Minimum | Fold::Fmin => x & y,
        Fold::Xor => x ^ y,
    }
}

fn fold_complex<'e>(fold: Fold, x: Value<'e>, y: Value<'e>) -> Option<Value<'e>> {
    let nan = |z: Value<'e>| z.re.is_nan() | z.im.is_nan();
    let keep = |condition: Reg<'e>| x.or(condition, y, DType::Complex128);
    Some(match fold {
        Fold::Sum => Value::complex(x.re + y.re, x.im + y.im),
        Fold::Product => multiply(x, y),
        Fold::Maximum => keep(greater(x, y) | nan(x)),
        Fold::Minimum => keep(greater(y, x) | nan(x)),
        Fold::Fmax => keep(greater(x, y) | nan(y)),
        Fold::Fmin => keep(greater(y, x) | nan(y)),
        Fold::And | Fold::Or | Fold::Xor => return None,
    })
}

/// What a fold makes of two elements of a dtype; nothing where it has no meaning.
pub(super) fn combine<'e>(fold: Fold, dtype: DType, x: Value<'e>, y: Value<'e>) -> Option<Value<'e>> {
    match dtype {
        DType::Bool => Some(Value::real(fold_truth(fold, x.re, y.re))),
        _ if dtype.is_complex() => fold_complex(fold, x, y),
        _ => fold_real(fold, x.re, y.re).map(Value::real),
    }
}

/// Whether the first comes before the second in the search for the largest (or smallest), NaN first of all.
fn beats<'e>(x: Value<'e>, y: Value<'e>, dtype: DType, largest: bool) -> Reg<'e> {
    let (x, y) = (x, y);
    if dtype.is_bool() {
        let (x, y) = (truth(x, dtype), truth(y, dtype));
        return if largest { x & !y } else { !x & y };
    }
    let ahead = |x: Reg<'e>, y: Reg<'e>| if largest { x.gt(y) } else { x.lt(y) };
    if dtype.is_complex() {
        let nan = |z: Value<'e>| z.re.is_nan() | z.im.is_nan();
        let first = ahead(x.re, y.re) | (x.re.eq(y.re) & ahead(x.im, y.im));
        return first | (nan(x) & !nan(y));
    }
    if !x.re.ty.is_float() {
        return ahead(x.re, y.re);
    }
    ahead(x.re, y.re) | (x.re.is_nan() & !y.re.is_nan())
}

/// What a reduction keeps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Keep {
    /// The fold of the elements.
    Fold(Fold),
    /// The best element and its position among the reduced ones, the earliest of equals.
    Position {
        /// Whether the largest is sought.
        largest: bool,
        /// Whether positions come from an earlier program instead of counting elements.
        carried: bool,
    },
}

/// What is known of a stretch of elements.
#[derive(Clone, Copy)]
pub(super) struct Known<'e> {
    pub(super) value: Value<'e>,
    /// An int64; meaningless for folds.
    pub(super) position: Reg<'e>,
}

/// How two stretches become one.
pub(super) struct Reducer {
    pub(super) keep: Keep,
    pub(super) dtype: DType,
}

impl Reducer {
    /// The earlier stretch with the later one.
    pub(super) fn combine<'e>(&self, earlier: Known<'e>, later: Known<'e>) -> Result<Known<'e>, NotLowered> {
        match self.keep {
            Keep::Fold(fold) => combine(fold, self.dtype, earlier.value, later.value)
                .map(|value| Known { value, ..earlier })
                .ok_or(NotLowered("this reduction")),
            Keep::Position { largest, .. } => {
                let ahead = beats(later.value, earlier.value, self.dtype, largest);
                let behind = beats(earlier.value, later.value, self.dtype, largest);
                let sooner = later.position.lt(earlier.position);
                let take = ahead | (!behind & sooner);
                Ok(Known {
                    value: later.value.or(take, earlier.value, self.dtype),
                    position: take.select(later.position, earlier.position),
                })
            }
        }
    }

    pub(super) fn has_positions(&self) -> bool {
        matches!(self.keep, Keep::Position { .. })
    }

    pub(super) fn carries(&self) -> bool {
        matches!(self.keep, Keep::Position { carried: true, .. })
    }
}

/// What every program that folds begins with: its parameters, in this order.
pub(super) struct Opening<'e, 'f> {
    /// Where results go.
    pub(super) out: Pointer<'e>,
    /// Where their positions go, where positions are asked for.
    pub(super) out_positions: Option<Pointer<'e>>,
    /// The positions of the elements, where an earlier program left them.
    pub(super) in_positions: Option<Pointer<'e>>,
    /// The expression.
    pub(super) body: Body<'e, 'f>,
    /// The length of a stretch, an int64.
    pub(super) stretch: Reg<'e>,
    /// How many stretches there are, an int64.
    pub(super) pieces: Reg<'e>,
}

/// Declares the parameters of a program that folds, and begins it.
pub(super) fn open<'e, 'f>(
    emitter: &'e Emitter,
    fused: &'f Fused,
    space: &Space,
    reducer: &Reducer,
    fp64: bool,
    built_ins: &[BuiltIn],
) -> Opening<'e, 'f> {
    let positions = || Parameter::Pointer(value::memory(DType::Int64));
    let mut parameters = vec![Parameter::Pointer(value::memory(fused.dtype))];
    parameters.extend(reducer.has_positions().then(positions));
    parameters.extend(reducer.carries().then(positions));
    parameters.extend(body_parameters(fused, space));
    parameters.extend(numbers(space, 2));
    let mut ids = emitter.begin(&parameters, built_ins).into_iter();
    let mut pointer = |dtype| emitter.pointer(ids.next().expect("a declared parameter"), value::memory(dtype));
    let out = pointer(fused.dtype);
    let out_positions = reducer.has_positions().then(|| pointer(DType::Int64));
    let in_positions = reducer.carries().then(|| pointer(DType::Int64));
    let body = Body::new(emitter, fused, space, fp64, &mut ids);
    let mut number = || emitter.wrap(ids.next().expect("a declared parameter"), space.index()).convert(Type::I64);
    let (stretch, pieces) = (number(), number());
    Opening { out, out_positions, in_positions, body, stretch, pieces }
}

/// Folds rows: over `outer * pieces * inner` results, each of `stretch` rows at most. The groups of the space are outer,
/// reduced, inner.
///
/// Parameters: the results, for positions those of the results (and, carried, those of the elements, in the order of the
/// space), the expression's, the length of a stretch, the number of pieces. Launched over inner along x, pieces along y and
/// outer along z; where inner has no axes, over outer along x.
///
/// Where the space has two groups only, outer and reduced, each row is cut into `pieces` pieces of nearly the same length, at least
/// [`LANES`], and there are as many results for each piece. Launched over lanes along x, pieces along y and outer along z.
pub(super) fn rows(fused: &Fused, space: &Space, keep: Keep, fp64: bool) -> Result<Module, NotLowered> {
    let emitter = Emitter::new();
    write_rows(&emitter, fused, space, keep, fp64)?;
    Ok(emitter.finish())
}

fn write_rows<'e>(
    emitter: &'e Emitter,
    fused: &Fused,
    space: &Space,
    keep: Keep,
    fp64: bool,
) -> Result<(), NotLowered> {
    let reducer = Reducer { keep, dtype: fused.dtype };
    let Opening { out, out_positions, in_positions, body, stretch, pieces } =
        open(emitter, fused, space, &reducer, fp64, &[BuiltIn::GlobalInvocationId]);
    let by_lanes = space.groups.len() == 2;
    let count = |group: usize| body.walk.counts[group].convert(Type::I64);
    let (outer, reduced) = (count(0), count(1));
    let global = |axis| emitter.built_in(BuiltIn::GlobalInvocationId, axis).convert(Type::I64);
    let piece = global(1);
    // What lies side by side: inner elements, or lanes.
    let width = if by_lanes { emitter.int(Type::I64, i64::from(LANES)) } else { count(2) };
    let along = by_lanes || space.groups[2] != 0;
    let (o, i) = if along { (global(2), global(0)) } else { (global(0), emitter.int(Type::I64, 0)) };
    let step = if by_lanes { width } else { width.like(1.0) };
    let mut outcome = Ok(());
    let mut note = |result: Result<Known<'e>, NotLowered>| result.map_err(|missing| outcome = Err(missing)).ok();
    emitter.when(o.lt(outer) & piece.lt(pieces) & i.lt(width), || {
        let item = (o * pieces + piece) * width + i;
        let (first, end) = if by_lanes {
            let next = piece + piece.like(1.0);
            (piece * reduced / pieces, next * reduced / pieces)
        } else {
            let first = piece * stretch;
            let end = first + stretch;
            (first, end.lt(reduced).select(end, reduced))
        };
        // The row that begins at `base`, or the element of this lane from there on.
        let known = |base: Reg<'e>| {
            let r = if by_lanes { base + i } else { base };
            let (at, all) =
                if by_lanes { (o * reduced + r, &[o, r][..]) } else { ((o * reduced + r) * width + i, &[o, r, i][..]) };
            let position = in_positions.map_or(r, |positions| positions.load(at)[0]);
            body.at(all).map(|value| Known { value, position })
        };
        let Some(start) = note(known(first)) else { return };
        // How often this turns is the same for all lanes, which compilers for processors need to make one of them.
        let [base, re, im, position] = emitter.repeat(
            [first + step, start.value.re, start.value.im, start.position],
            |&[base, ..]| (base + step).le(end),
            |&[base, re, im, position]| {
                let so_far = Known { value: Value { re, im }, position };
                let next = known(base).and_then(|later| reducer.combine(so_far, later));
                let next = note(next).unwrap_or(so_far);
                [base + step, next.value.re, next.value.im, next.position]
            },
        );
        let [re, im, position] = if by_lanes {
            // What is left over is fewer elements than lanes.
            let rest = || {
                let so_far = Known { value: Value { re, im }, position };
                let next = known(base).and_then(|later| reducer.combine(so_far, later));
                let next = note(next).unwrap_or(so_far);
                [next.value.re, next.value.im, next.position]
            };
            emitter.choose((base + i).lt(end), rest, [re, im, position])
        } else {
            [re, im, position]
        };
        value::store(out, item, Value { re, im }, fused.dtype);
        if let Some(positions) = out_positions {
            positions.store(item, [position; 2]);
        }
    });
    outcome
}

/// Folds chunks: over `outer * pieces` results, each of at most `stretch` elements that lie one after the other in the
/// reduced group. The groups of the space are outer and reduced. Parameters as for [`rows`]; launched with [`GROUP`]
/// items for each piece along x, and outer along y.
pub(super) fn chunks(fused: &Fused, space: &Space, keep: Keep, fp64: bool) -> Result<Module, NotLowered> {
    let emitter = Emitter::new();
    write_chunks(&emitter, fused, space, keep, fp64)?;
    Ok(emitter.finish())
}

fn write_chunks<'e>(
    emitter: &'e Emitter,
    fused: &Fused,
    space: &Space,
    keep: Keep,
    fp64: bool,
) -> Result<(), NotLowered> {
    let reducer = Reducer { keep, dtype: fused.dtype };
    emitter.set_local_size([GROUP, 1, 1]);
    let tile = emitter.local(value::memory(fused.dtype), GROUP);
    let tile_positions = reducer.has_positions().then(|| emitter.local(value::memory(DType::Int64), GROUP));
    let built_ins = [BuiltIn::LocalInvocationId, BuiltIn::WorkgroupId];
    let Opening { out, out_positions, in_positions, body, stretch, pieces } =
        open(emitter, fused, space, &reducer, fp64, &built_ins);
    let reduced = body.walk.counts[1].convert(Type::I64);
    let own = emitter.built_in(BuiltIn::LocalInvocationId, 0).convert(Type::I64);
    let piece = emitter.built_in(BuiltIn::WorkgroupId, 0).convert(Type::I64);
    let o = emitter.built_in(BuiltIn::WorkgroupId, 1).convert(Type::I64);
    let start = piece * stretch;
    let end = start + stretch;
    let end = end.lt(reduced).select(end, reduced);
    let width = own.like(f64::from(GROUP));
    let length = end - start;
    let alive = length.lt(width).select(length, width);
    let mut outcome = Ok(());
    let mut note = |result: Result<Known<'e>, NotLowered>| result.map_err(|missing| outcome = Err(missing)).ok();
    let put = |at: Reg<'e>, known: Known<'e>| {
        value::store(tile, at, known.value, fused.dtype);
        if let Some(positions) = tile_positions {
            positions.store(at, [known.position; 2]);
        }
    };
    let get = |at: Reg<'e>| {
        let value = value::load(tile, at, fused.dtype);
        let position = tile_positions.map_or(value.re, |positions| positions.load(at)[0]);
        Known { value, position }
    };
    emitter.when(own.lt(alive), || {
        let known = |r: Reg<'e>| {
            let position = match in_positions {
                Some(positions) => positions.load(o * reduced + r)[0],
                None => r,
            };
            body.at(&[o, r]).map(|value| Known { value, position })
        };
        let first = start + own;
        let Some(begun) = note(known(first)) else { return };
        let [_, re, im, position] = emitter.repeat(
            [first + width, begun.value.re, begun.value.im, begun.position],
            |[r, ..]| r.lt(end),
            |&[r, re, im, position]| {
                let so_far = Known { value: Value { re, im }, position };
                let next = known(r).and_then(|later| reducer.combine(so_far, later));
                let next = note(next).unwrap_or(so_far);
                [r + width, next.value.re, next.value.im, next.position]
            },
        );
        put(own, Known { value: Value { re, im }, position });
    });
    emitter.barrier();
    let mut half = GROUP / 2;
    while half > 0 {
        let other = own + own.like(f64::from(half));
        emitter.when(own.lt(own.like(f64::from(half))) & other.lt(alive), || {
            if let Some(both) = note(reducer.combine(get(own), get(other))) {
                put(own, both);
            }
        });
        emitter.barrier();
        half /= 2;
    }
    emitter.when(own.eq(own.like(0.0)), || {
        let result = get(own);
        let at = o * pieces + piece;
        value::store(out, at, result.value, fused.dtype);
        if let Some(positions) = out_positions {
            positions.store(at, [result.position; 2]);
        }
    });
    outcome
}
