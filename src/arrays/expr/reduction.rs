//! Reductions: their dtypes, and how each is made of folds over an element-wise expression.

use super::device::{self, Outcome};
use super::plan::{Plan, Planner};
use super::slabs::FoldInPieces;
use super::{Expr, Kind};
use crate::arrays::account;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::attention;
use crate::arrays::buffer::Buffer;
use crate::arrays::cpu::fold::{Fold, reducer};
use crate::arrays::cpu::{arg, reduce};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::Scalar;
use crate::arrays::trace;
use smallvec::SmallVec;
use std::sync::Arc;

/// A reduction over axes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ReduceOp {
    /// Sum.
    Sum,
    /// Product.
    Product,
    /// Largest element; NaN wins.
    Maximum,
    /// Smallest element; NaN wins.
    Minimum,
    /// Arithmetic mean.
    Mean,
    /// Variance; `ddof` is subtracted from the count.
    Variance {
        /// Delta degrees of freedom.
        ddof: f64,
    },
    /// Standard deviation; `ddof` is subtracted from the count.
    Deviation {
        /// Delta degrees of freedom.
        ddof: f64,
    },
    /// Whether all elements are true.
    All,
    /// Whether any element is true.
    Any,
    /// Position of the first largest element, over the reduced axes in C order.
    Argmax,
    /// Position of the first smallest element.
    Argmin,
    /// How many elements are not zero.
    CountNonzero,
    /// Sum, NaN counting as zero.
    NanSum,
    /// Product, NaN counting as one.
    NanProduct,
    /// Largest element; NaN loses.
    NanMaximum,
    /// Smallest element; NaN loses.
    NanMinimum,
    /// Arithmetic mean of what is not NaN.
    NanMean,
    /// Variance of what is not NaN.
    NanVariance {
        /// Delta degrees of freedom.
        ddof: f64,
    },
    /// Standard deviation of what is not NaN.
    NanDeviation {
        /// Delta degrees of freedom.
        ddof: f64,
    },
    /// Logarithm of the sum of exponentials.
    Logsumexp,
    /// Euclidean length.
    Norm,
    /// Bit-wise and.
    BitwiseAnd,
    /// Bit-wise or.
    BitwiseOr,
    /// Bit-wise exclusive or.
    BitwiseXor,
}

use ReduceOp::*;

impl ReduceOp {
    /// The name in messages and displays.
    pub const fn name(self) -> &'static str {
        match self {
            Sum => "add",
            Product => "multiply",
            Maximum => "maximum",
            Minimum => "minimum",
            Mean => "mean",
            Variance { .. } => "var",
            Deviation { .. } => "std",
            All => "all",
            Any => "any",
            Argmax => "argmax",
            Argmin => "argmin",
            CountNonzero => "count_nonzero",
            NanSum => "nansum",
            NanProduct => "nanprod",
            NanMaximum => "fmax",
            NanMinimum => "fmin",
            NanMean => "nanmean",
            NanVariance { .. } => "nanvar",
            NanDeviation { .. } => "nanstd",
            Logsumexp => "logsumexp",
            Norm => "norm",
            BitwiseAnd => "bitwise_and",
            BitwiseOr => "bitwise_or",
            BitwiseXor => "bitwise_xor",
        }
    }

    /// Whether reducing nothing has an answer.
    pub const fn has_identity(self) -> bool {
        !matches!(self, Maximum | Minimum | NanMaximum | NanMinimum | Argmax | Argmin)
    }

    /// Whether the answer is a position.
    pub const fn is_arg(self) -> bool {
        matches!(self, Argmax | Argmin)
    }

    /// The dtype it computes in and the one it answers, for elements of `dtype` and the argument `dtype=`.
    pub(super) fn dtypes(self, dtype: DType, asked: Option<DType>, fp64: bool) -> (DType, DType) {
        let float = DType::default_float(fp64);
        let inexact = asked.unwrap_or(if dtype.is_inexact() { dtype } else { float });
        match self {
            Sum | Product | NanSum | NanProduct => {
                let compute = asked.unwrap_or(match dtype {
                    DType::Bool => DType::Int64,
                    integer if integer.is_signed() => DType::Int64,
                    integer if integer.is_unsigned() => DType::UInt64,
                    other => other,
                });
                (compute, compute)
            }
            Mean | NanMean | Logsumexp => (inexact, inexact),
            Variance { .. } | Deviation { .. } | NanVariance { .. } | NanDeviation { .. } | Norm => {
                (inexact, inexact.real_part())
            }
            All | Any => (DType::Bool, DType::Bool),
            Argmax | Argmin => (dtype, DType::Int64),
            CountNonzero => (DType::Int64, DType::Int64),
            Maximum | Minimum | NanMaximum | NanMinimum | BitwiseAnd | BitwiseOr | BitwiseXor => {
                (asked.unwrap_or(dtype), asked.unwrap_or(dtype))
            }
        }
    }
}

fn apply(op: Op, inputs: &[Expr]) -> Result<Expr, ArrayError> {
    Expr::apply(op, inputs, Flavour::NumPy)
}

fn number(value: f64) -> Expr {
    Expr::scalar(crate::arrays::scalar::Operand::Weak(Scalar::Float(value)))
}

/// Computes a reduction of an expression. `compute` and `output` come from [`ReduceOp::dtypes`], `shape` is the
/// result's.
pub(super) fn evaluate(
    op: ReduceOp,
    input: &Expr,
    axes: &[usize],
    compute: DType,
    output: DType,
    shape: &[usize],
) -> Result<Array, ArrayError> {
    let input = input.without_reductions()?;
    let reduction = Reduction { axes, compute, output, shape };
    let result = match op {
        Sum => reduction.fold(Fold::Sum, &input.cast(compute), Finish::Nothing),
        Product => reduction.fold(Fold::Product, &input.cast(compute), Finish::Nothing),
        Maximum => reduction.fold(Fold::Maximum, &input.cast(compute), Finish::Nothing),
        Minimum => reduction.fold(Fold::Minimum, &input.cast(compute), Finish::Nothing),
        NanMaximum => reduction.fold(Fold::Fmax, &input.cast(compute), Finish::Nothing),
        NanMinimum => reduction.fold(Fold::Fmin, &input.cast(compute), Finish::Nothing),
        BitwiseAnd => reduction.fold(Fold::And, &input.cast(compute), Finish::Nothing),
        BitwiseOr => reduction.fold(Fold::Or, &input.cast(compute), Finish::Nothing),
        BitwiseXor => reduction.fold(Fold::Xor, &input.cast(compute), Finish::Nothing),
        All => reduction.fold(Fold::And, &input.cast(DType::Bool), Finish::Nothing),
        Any => reduction.fold(Fold::Or, &input.cast(DType::Bool), Finish::Nothing),
        CountNonzero => reduction.fold(Fold::Sum, &input.cast(DType::Bool).cast(DType::Int64), Finish::Nothing),
        NanSum => reduction.fold(Fold::Sum, &without_nan(&input, 0.0)?.cast(compute), Finish::Nothing),
        NanProduct => reduction.fold(Fold::Product, &without_nan(&input, 1.0)?.cast(compute), Finish::Nothing),
        Mean => reduction.fold(Fold::Sum, &input.cast(compute), Finish::Divide(reduction.count(&input) as f64)),
        Variance { ddof } => reduction.variance(&input, ddof, false),
        Deviation { ddof } => reduction.variance(&input, ddof, true),
        NanMean => reduction.nan_mean(&input)?.evaluate_as(output),
        NanVariance { ddof } => reduction.nan_variance(&input, ddof)?.evaluate_as(output),
        NanDeviation { ddof } => apply(Op::Sqrt, &[reduction.nan_variance(&input, ddof)?])?.evaluate_as(output),
        Logsumexp => reduction.logsumexp(&input),
        Norm => reduction.fold(Fold::Sum, &square_of_modulus(&input.cast(compute))?, Finish::Root(1.0)),
        Argmax => reduction.position(&input, true),
        Argmin => reduction.position(&input, false),
    }?;
    let layout = result.layout().reshaped(shape, crate::arrays::layout::Order::C).expect("results are contiguous");
    Ok(result.view(layout))
}

fn without_nan(input: &Expr, replacement: f64) -> Result<Expr, ArrayError> {
    if !input.dtype().is_inexact() {
        return Ok(input.clone());
    }
    apply(Op::Where, &[apply(Op::Isnan, std::slice::from_ref(input))?, number(replacement), input.clone()])
}

/// `re^2 + im^2`, which for real numbers is the square.
fn square_of_modulus(input: &Expr) -> Result<Expr, ArrayError> {
    if !input.dtype().is_complex() {
        return apply(Op::Square, std::slice::from_ref(input));
    }
    let real = apply(Op::Square, &[apply(Op::Real, std::slice::from_ref(input))?])?;
    let imaginary = apply(Op::Square, &[apply(Op::Imag, std::slice::from_ref(input))?])?;
    apply(Op::Add, &[real, imaginary])
}

/// What is done to a sum when it is complete.
#[derive(Clone, Copy)]
enum Finish {
    Nothing,
    /// Divided by the number.
    Divide(f64),
    /// Divided by the number, then its square root.
    Root(f64),
}

struct Reduction<'a> {
    axes: &'a [usize],
    compute: DType,
    output: DType,
    shape: &'a [usize],
}

impl Expr {
    fn evaluate_as(&self, dtype: DType) -> Result<Array, ArrayError> {
        self.cast(dtype).evaluate()
    }
}

impl Reduction<'_> {
    fn count(&self, input: &Expr) -> usize {
        self.axes.iter().map(|&axis| input.shape()[axis]).product()
    }

    /// Axes in the order kept, reduced, kept; and the three products.
    fn arrange(&self, input: &Expr) -> (SmallVec<[usize; 6]>, reduce::Shape) {
        let shape = input.shape();
        let reduced = |axis: usize| self.axes.contains(&axis);
        // Kept axes behind the last reduced one that is longer than one.
        let split = (0..shape.len()).rev().find(|&axis| reduced(axis) && shape[axis] != 1).map_or(0, |axis| axis + 1);
        let inner: SmallVec<[usize; 6]> = (split..shape.len()).filter(|&axis| !reduced(axis)).collect();
        let outer = (0..split).filter(|&axis| !reduced(axis));
        let middle = (0..shape.len()).filter(|&axis| reduced(axis));
        let mut walk: SmallVec<[usize; 6]> = outer.clone().collect();
        walk.extend(middle.clone());
        walk.extend(inner.iter().copied());
        let product = |axes: &mut dyn Iterator<Item = usize>| axes.map(|axis| shape[axis]).product::<usize>();
        let shape = reduce::Shape {
            outer: product(&mut outer.clone()),
            reduced: product(&mut middle.clone()),
            inner: product(&mut inner.iter().copied()),
        };
        (walk, shape)
    }

    /// How many of the axes in `walk` are outer and how many reduced.
    fn arranged<'w>(&self, input: &Expr, walk: &'w [usize], shape: reduce::Shape) -> device::Arranged<'w> {
        debug_assert_eq!(walk.len(), input.rank());
        let outer = walk.iter().position(|axis| self.axes.contains(axis)).unwrap_or(0);
        device::Arranged { walk, outer, reduced: self.axes.len(), shape }
    }

    fn fold(&self, fold: Fold, input: &Expr, finish: Finish) -> Result<Array, ArrayError> {
        let alloc = input.0.alloc.clone().unwrap_or(Alloc::HOST);
        // float16 folds in float32 and is rounded once.
        let dtype = if input.dtype() == DType::Float16 { DType::Float32 } else { input.dtype() };
        let (_, shape) = self.arrange(input);
        let len = shape.outer * shape.inner;
        let sums = Array::for_overwrite(&[len], dtype, &alloc)?;
        if len > 0 && shape.reduced == 0 {
            let identity = match fold {
                Fold::Product | Fold::And => 1,
                Fold::Sum | Fold::Or | Fold::Xor | Fold::Maximum | Fold::Minimum | Fold::Fmax | Fold::Fmin => 0,
            };
            let identity = if fold == Fold::And && dtype.is_integer() { -1 } else { identity };
            let constant = Expr::constant(Scalar::Int(identity).cast(dtype), dtype);
            constant.evaluate_into(&sums, None)?;
        } else if len > 0 {
            let compute = |part: &Expr, axes: &[usize], out: &Array| {
                Reduction { axes, ..*self }.fold_whole(fold, part, dtype, out)
            };
            match input.piece_bytes() {
                Some(piece) => FoldInPieces { fold, piece, compute: &compute }.run(input, self.axes, &sums)?,
                None => compute(input, self.axes, &sums)?,
            }
        }
        self.finished(sums, finish)
    }

    /// Folds what has its operands where they should be into `sums`, an array of as many results as there are.
    fn fold_whole(&self, fold: Fold, input: &Expr, dtype: DType, sums: &Array) -> Result<(), ArrayError> {
        let (walk, shape) = self.arrange(input);
        if device::runs_programs(sums.place()) {
            match device::fold(fold, input, dtype, &self.arranged(input, &walk, shape), sums)? {
                Outcome::Submitted => return Ok(()),
                Outcome::OnHost(operation) => {
                    device::note_on_host(operation, sums);
                    if !input.is_reachable() || !device::is_reachable(sums) {
                        let own = Reduction { output: dtype, ..*self };
                        let there = device::from_host(input, sums, |input| own.fold(fold, input, Finish::Nothing))?;
                        return Expr::array(&there).evaluate_into(sums, None);
                    }
                }
            }
        }
        let Some(reducer) = reducer(fold, dtype) else {
            return Err(ArrayError::type_error(format!("{fold:?} is not defined for {}", dtype.name())));
        };
        let Plan { program, arrays, events } = Planner::new(input.shape(), &walk).finish(input, dtype, None)?;
        account::note_temporaries_avoided(program.steps.len() as u64);
        trace::fusing(events.names().chain([fold.name()]));
        let base = sums.buffer().pointer()?.as_ptr().wrapping_add(sums.layout().offset * dtype.bytes());
        let out = OutAddress(base);
        let attention = attention::handle();
        let held: SmallVec<[Arc<Buffer>; 4]> =
            arrays.iter().chain([sums]).map(|array| array.buffer().clone()).collect();
        let reads: SmallVec<[&Array; 4]> = arrays.iter().collect();
        sums.submit(fold.name(), &reads, &[sums], move || {
            // SAFETY: the planner took addresses and strides from arrays whose layouts fit their buffers; the sums
            // are a new array of `outer * inner` elements; `held` keeps all of them.
            let outcome = unsafe { reduce::reduce(&program, shape, &reducer, out.get(), &attention) };
            drop(held);
            outcome
        })?;
        events.note();
        Ok(())
    }

    /// Completes sums.
    fn finished(&self, sums: Array, finish: Finish) -> Result<Array, ArrayError> {
        let sum = Expr::array(&sums);
        let finished = match finish {
            Finish::Nothing => sum,
            Finish::Divide(count) => apply(Op::Divide, &[sum, number(count)])?,
            Finish::Root(1.0) => apply(Op::Sqrt, &[sum])?,
            Finish::Root(count) => apply(Op::Sqrt, &[apply(Op::Divide, &[sum, number(count)])?])?,
        };
        let finished = finished.cast(self.output);
        if finished.as_array().is_some() {
            return Ok(sums);
        }
        if finished.dtype() == sums.dtype() {
            finished.evaluate_into(&sums, None)?;
            return Ok(sums);
        }
        finished.evaluate()
    }

    /// The same reduction with the reduced axes kept at length one, so that it broadcasts against its input.
    fn kept(&self, op: ReduceOp, input: &Expr, dtype: DType) -> Result<Expr, ArrayError> {
        let shape: SmallVec<[usize; 6]> = input
            .shape()
            .iter()
            .enumerate()
            .map(|(axis, &len)| if self.axes.contains(&axis) { 1 } else { len })
            .collect();
        let (compute, output) = op.dtypes(input.dtype(), Some(dtype), true);
        Ok(Expr::array(&evaluate(op, input, self.axes, compute, output, &shape)?))
    }

    fn variance(&self, input: &Expr, ddof: f64, root: bool) -> Result<Array, ArrayError> {
        // float16 stays in float32 until the end, as NumPy does.
        let compute = if self.compute == DType::Float16 { DType::Float32 } else { self.compute };
        let values = input.cast(compute);
        let mean = self.kept(Mean, &values, compute)?;
        let distance = apply(Op::Subtract, &[values, mean])?;
        let count = (self.count(input) as f64 - ddof).max(0.0);
        let squares = square_of_modulus(&distance)?;
        self.fold(Fold::Sum, &squares, if root { Finish::Root(count) } else { Finish::Divide(count) })
    }

    fn not_nan(&self, input: &Expr) -> Result<Expr, ArrayError> {
        let valid = apply(Op::LogicalNot, &[apply(Op::Isnan, std::slice::from_ref(input))?])?;
        self.kept(Sum, &valid.cast(DType::Int64), DType::Int64)
    }

    fn nan_mean(&self, input: &Expr) -> Result<Expr, ArrayError> {
        let values = input.cast(self.compute);
        let sum = self.kept(NanSum, &values, self.compute)?;
        apply(Op::Divide, &[sum, self.not_nan(&values)?.cast(self.compute.real_part())])
    }

    fn nan_variance(&self, input: &Expr, ddof: f64) -> Result<Expr, ArrayError> {
        let values = input.cast(self.compute);
        let mean = Expr::array(&self.nan_mean(input)?.evaluate()?);
        let distance = apply(Op::Subtract, &[values.clone(), mean])?;
        // What is missing has no distance; infinity from an infinite mean has one, and it is NaN.
        let missing = apply(Op::Isnan, std::slice::from_ref(&values))?;
        let squares = square_of_modulus(&apply(Op::Where, &[missing, number(0.0), distance])?)?;
        let real = self.compute.real_part();
        let sum = self.kept(Sum, &squares, real)?;
        let count = self.not_nan(&values)?.cast(real);
        let free = apply(Op::Subtract, &[count, number(ddof)])?;
        // No freedom left is NaN, not a negative variance.
        let positive = apply(Op::Greater, &[free.clone(), number(0.0)])?;
        let divisor = apply(Op::Where, &[positive, free, number(f64::NAN)])?;
        apply(Op::Divide, &[sum, divisor])
    }

    fn logsumexp(&self, input: &Expr) -> Result<Array, ArrayError> {
        let values = input.cast(self.compute);
        if self.count(input) == 0 {
            return Expr::constant(Scalar::Float(f64::NEG_INFINITY), self.output).broadcast_to(self.shape)?.evaluate();
        }
        let largest = self.kept(Maximum, &values, self.compute)?;
        // An infinite maximum would give infinity minus infinity.
        let finite = apply(Op::Isfinite, std::slice::from_ref(&largest))?;
        let shift = Expr::array(&apply(Op::Where, &[finite, largest, number(0.0)])?.evaluate()?);
        let sum = self.kept(Sum, &apply(Op::Exp, &[apply(Op::Subtract, &[values, shift.clone()])?])?, self.compute)?;
        apply(Op::Add, &[apply(Op::Log, &[sum])?, shift])?.evaluate_as(self.output)
    }

    fn position(&self, input: &Expr, largest: bool) -> Result<Array, ArrayError> {
        let alloc = input.0.alloc.clone().unwrap_or(Alloc::HOST);
        let dtype = if input.dtype() == DType::Float16 { DType::Float32 } else { input.dtype() };
        // Positions of parts do not combine like values; what lies elsewhere is brought as a whole.
        let input = &input.brought_whole()?;
        let (walk, shape) = self.arrange(input);
        let positions = Array::for_overwrite(&[shape.outer * shape.inner], DType::Int64, &alloc)?;
        if positions.len_elements() == 0 {
            return Ok(positions);
        }
        if device::runs_programs(&alloc.place) {
            match device::position(input, dtype, &self.arranged(input, &walk, shape), largest, &positions)? {
                Outcome::Submitted => return Ok(positions),
                Outcome::OnHost(operation) => {
                    device::note_on_host(operation, &positions);
                    if !input.is_reachable() || !device::is_reachable(&positions) {
                        return device::from_host(input, &positions, |input| self.position(input, largest));
                    }
                }
            }
        }
        let Plan { program, arrays, events } = Planner::new(input.shape(), &walk).finish(input, dtype, None)?;
        let out = OutAddress(positions.buffer().pointer()?.as_ptr());
        let attention = attention::handle();
        let held: SmallVec<[Arc<Buffer>; 4]> =
            arrays.iter().chain([&positions]).map(|array| array.buffer().clone()).collect();
        let reads: SmallVec<[&Array; 4]> = arrays.iter().collect();
        let name = if largest { "argmax" } else { "argmin" };
        trace::fusing(events.names().chain([name]));
        positions.submit(name, &reads, &[&positions], move || {
            // SAFETY: as in `fold`; the positions are a new array of `outer * inner` int64.
            let outcome = unsafe { arg::positions(&program, shape, dtype, largest, out.get().cast(), &attention) };
            drop(held);
            outcome
        })?;
        events.note();
        Ok(positions)
    }
}

/// An address that moves into the work of a queue.
struct OutAddress(*mut u8);
// SAFETY: the work that takes it holds the buffer behind it.
unsafe impl Send for OutAddress {}

impl OutAddress {
    fn get(&self) -> *mut u8 {
        self.0
    }
}

/// Whether an expression is a reduction or holds one.
pub(super) fn reduces(kind: &Kind, below: &[Expr]) -> bool {
    matches!(kind, Kind::Reduce { .. }) || below.iter().any(|input| input.0.reduces)
}
