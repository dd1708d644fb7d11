//! At most 300 device programs that stand for all: every operation, every class of dtype, every class of layout.

use cellhold::arrays::DType;
use cellhold::arrays::cpu::fold::Fold;
use cellhold::arrays::cpu::scan::Scan;
use cellhold::arrays::op::{Flavour, Op, resolve};
use cellhold::arrays::spirv::{Action, Fused, Keep, Kind, Lane, Move, Pass, Program, Slot, Source, Space, Stage, Step};

/// The most programs that a catalogue may have.
pub const MOST: usize = 300;

/// A program and what it stands for.
pub struct Entry {
    /// What kind of program: the word under which it is counted.
    pub family: &'static str,
    /// Which one.
    pub name: String,
    /// The description.
    pub program: Program,
}

/// The programs for a device with or without 64-bit floats; no program of the latter needs them.
pub fn catalogue(fp64: bool) -> Vec<Entry> {
    let mut catalogue = Catalogue { fp64, entries: Vec::new() };
    catalogue.operations();
    catalogue.casts_and_fills();
    catalogue.layouts();
    catalogue.reductions();
    catalogue.scans();
    catalogue.moves();
    catalogue.sorts();
    catalogue.products();
    catalogue.entries
}

struct Catalogue {
    fp64: bool,
    entries: Vec<Entry>,
}

impl Catalogue {
    /// One dtype for each class, those first that most of the work is done in.
    fn classes(&self) -> Vec<DType> {
        let mut classes = if self.fp64 {
            vec![DType::Float64, DType::Int64, DType::Bool, DType::Complex128]
        } else {
            vec![DType::Float32, DType::Int32, DType::Bool, DType::Complex64]
        };
        let rest = [DType::Float16, DType::Float32, DType::UInt8, DType::Int32, DType::UInt64, DType::Complex64];
        classes.extend(rest.iter().filter(|dtype| !self.main().contains(dtype)));
        classes
    }

    /// The float and the complex dtype that most of the work is done in.
    fn main(&self) -> [DType; 2] {
        if self.fp64 { [DType::Float64, DType::Complex128] } else { [DType::Float32, DType::Complex64] }
    }

    fn push(&mut self, family: &'static str, name: String, kind: Kind, groups: &[u8], wide: bool) {
        let program = Program { kind, space: Space { groups: groups.into(), wide }, fp64: self.fp64 };
        self.entries.push(Entry { family, name, program });
    }

    /// Every operation in the first class that it has a loop of its own for, and in complex numbers where it has one; a few
    /// operations in every class.
    fn operations(&mut self) {
        let everywhere = [Op::Add, Op::Less, Op::Where];
        for &op in Op::ALL {
            let loops: Vec<(DType, Fused)> =
                self.classes().into_iter().filter_map(|dtype| Some((dtype, single(op, dtype, Lane::Unit)?))).collect();
            let first = loops.first().map(|(dtype, _)| *dtype);
            for (dtype, fused) in loops {
                let wanted = Some(dtype) == first || dtype == self.main()[1] || everywhere.contains(&op);
                let name = format!("{} of {dtype}", op.name());
                let kind = Kind::Map { fused, target: Lane::Unit };
                let program =
                    Program { kind, space: Space { groups: [1].as_slice().into(), wide: false }, fp64: self.fp64 };
                // What has no lowering runs on the host; the generator's own tests know which that is.
                if wanted && program.generate("acceptance").is_ok() {
                    self.entries.push(Entry { family: "element-wise", name, program });
                }
            }
        }
    }

    /// Casts around the ring of classes, and scalars written over and over.
    fn casts_and_fills(&mut self) {
        let classes = self.classes();
        for (index, &from) in classes.iter().enumerate() {
            let to = classes[(index + 1) % classes.len()];
            let kind = Kind::Map { fused: cast(from, to), target: Lane::Unit };
            self.push("cast", format!("{from} to {to}"), kind, &[1], false);
            let fill = Fused {
                sources: Default::default(),
                constants: [from].into_iter().collect(),
                result: Slot::Constant(0),
                ..Fused::identity(from, Lane::Unit)
            };
            self.push("fill", from.to_string(), Kind::Map { fused: fill, target: Lane::Unit }, &[1], false);
        }
    }

    /// Contiguous, broadcast and strided operands and targets, of few and many axes, with narrow and wide indices.
    fn layouts(&mut self) {
        let dtype = self.main()[0];
        for groups in [&[1_u8][..], &[2, 1, 1], &[4, 1, 1]] {
            for wide in [false, true] {
                for (lane, target) in [(Lane::Unit, Lane::Unit), (Lane::Zero, Lane::Unit), (Lane::Any, Lane::Any)] {
                    let Some(fused) = single(Op::Multiply, dtype, lane) else { continue };
                    let index = if wide { "64-bit" } else { "32-bit" };
                    let name = format!("{lane:?} to {target:?} over {groups:?}, {index} index");
                    self.push("layout", name, Kind::Map { fused, target }, groups, wide);
                }
            }
        }
    }

    /// What is kept of rows and of chunks, in classes that take turns; sums in every class.
    fn reductions(&mut self) {
        let folds =
            [Fold::Product, Fold::Maximum, Fold::Minimum, Fold::Fmax, Fold::Fmin, Fold::And, Fold::Or, Fold::Xor];
        let positions = [(true, false), (false, false), (true, true)];
        let keeps = folds.map(Keep::Fold).into_iter();
        let keeps = keeps.chain(positions.map(|(largest, carried)| Keep::Position { largest, carried }));
        let classes: Vec<DType> = self.classes().into_iter().filter(|dtype| *dtype != DType::Float16).collect();
        let bits = [DType::Bool, DType::Int32, DType::Int64];
        let mut wanted: Vec<(Keep, DType)> = classes.iter().map(|dtype| (Keep::Fold(Fold::Sum), *dtype)).collect();
        for (turn, keep) in keeps.enumerate() {
            let among: &[DType] =
                if matches!(keep, Keep::Fold(Fold::And | Fold::Or | Fold::Xor)) { &bits } else { &classes };
            wanted.push((keep, among[turn % among.len()]));
        }
        for (keep, dtype) in wanted {
            let fused = Fused::identity(dtype, Lane::Unit);
            let name = format!("{keep:?} of {dtype}");
            self.push("reduction of rows", name.clone(), Kind::Rows { fused: fused.clone(), keep }, &[1, 1, 1], false);
            self.push("reduction of chunks", name, Kind::Chunks { fused, keep }, &[1, 1], false);
        }
    }

    /// Running operations, each pass.
    fn scans(&mut self) {
        let [float, complex] = self.main();
        let kinds = [(Scan::Sum, complex), (Scan::Product, DType::Int32), (Scan::Logsumexp, float)];
        for (kind, dtype) in kinds {
            for pass in [Pass::Stretches, Pass::Totals, Pass::Carry] {
                self.push(
                    "scan",
                    format!("{kind:?} of {dtype}, {pass:?}"),
                    Kind::Scan { kind, dtype, pass },
                    &[1],
                    false,
                );
            }
        }
    }

    /// Elements moved by positions and by masks, with narrow and wide indices.
    fn moves(&mut self) {
        let kinds = [
            (Move::Gather, &[1_u8, 1, 1][..], &[4, 16][..]),
            (Move::Scatter, &[0, 1, 2], &[1, 8]),
            (Move::ScatterLast, &[1, 2, 1], &[4, 16]),
            (Move::Claim, &[1], &[4]),
            (Move::Find, &[2, 0], &[8]),
            (Move::Number, &[3], &[8]),
            (Move::Compress, &[1, 1], &[2, 4]),
            (Move::Expand, &[2, 0], &[8, 16]),
        ];
        for (kind, groups, sizes) in kinds {
            for (&bytes, wide) in sizes.iter().zip([false, true]) {
                self.push("move", format!("{kind:?} of {bytes} bytes"), Kind::Move { kind, bytes }, groups, wide);
            }
        }
    }

    /// Each stage of a sort, in the main classes.
    fn sorts(&mut self) {
        for stage in [Stage::Blocks, Stage::Mirror, Stage::Half, Stage::Within] {
            for (dtype, descending) in self.main().into_iter().zip([false, true]) {
                let order = if descending { "falling" } else { "rising" };
                let kind = Kind::Sort { dtype, descending, stage };
                self.push("sort", format!("{stage:?} of {dtype}, {order}"), kind, &[1], false);
            }
        }
    }

    /// Matrix products in every class, alone and in batches.
    fn products(&mut self) {
        for dtype in self.classes() {
            self.push("matrix product", dtype.to_string(), Kind::Product { dtype }, &[1], false);
        }
        let float = self.main()[0];
        self.push("matrix product", format!("{float}, 64-bit index"), Kind::Product { dtype: float }, &[0], true);
    }
}

/// One operation in its own loop of this dtype, its operands read along this lane.
fn single(op: Op, dtype: DType, lane: Lane) -> Option<Fused> {
    let mut dtypes = vec![dtype; op.arity()];
    match op {
        Op::Ldexp => dtypes[1] = DType::Int64,
        Op::Where => dtypes[0] = DType::Bool,
        _ => {}
    }
    let found = resolve(op, &dtypes, Flavour::Dpnp).ok()?;
    if !found.inputs.iter().zip(&dtypes).all(|(input, dtype)| input == dtype) {
        return None;
    }
    let operands =
        std::array::from_fn(|index| if index < op.arity() { Slot::Source(index as u8) } else { Slot::Nothing });
    let action = Action::Apply(op, found.compute);
    Some(Fused {
        sources: dtypes.iter().map(|&dtype| Source { dtype, lane }).collect(),
        steps: [Step { action, operands, inputs: found.inputs, output: found.output }].into_iter().collect(),
        result: Slot::Step(0),
        dtype: found.output,
        ..Fused::identity(dtype, lane)
    })
}

fn cast(from: DType, to: DType) -> Fused {
    let operands = [Slot::Source(0), Slot::Nothing, Slot::Nothing];
    Fused {
        steps: [Step { action: Action::Cast, operands, inputs: [from; 3], output: to }].into_iter().collect(),
        result: Slot::Step(0),
        dtype: to,
        ..Fused::identity(from, Lane::Unit)
    }
}
