//! Every program of a systematic sweep is reproducible, parses, and passes the validator of the SPIR-V tools.

use super::emit;
use super::*;
use crate::arrays::cpu::fold::Fold;
use crate::arrays::cpu::scan::Scan;
use crate::arrays::dtype::DType;
use crate::arrays::op::{Flavour, Op, resolve};
use crate::arrays::work::ProgramText;
use smallvec::SmallVec;
use std::io::Write;
use std::process::{Command, Stdio};

fn space(groups: &[u8], wide: bool) -> Space {
    Space { groups: groups.into(), wide }
}

/// One operation on operands of these dtypes, read along this lane.
fn single(op: Op, dtypes: [DType; 3], compute: DType, output: DType, lane: Lane) -> Fused {
    let slots: Vec<Slot> = (0..3).map(|i| if i < op.arity() { Slot::Source(i as u8) } else { Slot::Nothing }).collect();
    Fused {
        sources: dtypes[..op.arity()].iter().map(|&dtype| Source { dtype, lane }).collect(),
        constants: SmallVec::new(),
        steps: [Step {
            action: Action::Apply(op, compute),
            operands: [slots[0], slots[1], slots[2]],
            inputs: dtypes,
            output,
        }]
        .into_iter()
        .collect(),
        result: Slot::Step(0),
        dtype: output,
    }
}

fn map(fused: Fused, target: Lane, space: Space, fp64: bool) -> Program {
    Program { kind: Kind::Map { fused, target }, space, fp64 }
}

/// Every operation in every dtype it has a loop of its own for.
fn operations() -> Vec<(Op, DType, Fused)> {
    let mut all = Vec::new();
    for &op in Op::ALL {
        for dtype in DType::ALL {
            let mut dtypes = vec![dtype; op.arity()];
            match op {
                Op::Ldexp => dtypes[1] = DType::Int64,
                Op::Where => dtypes[0] = DType::Bool,
                _ => {}
            }
            let Ok(found) = resolve(op, &dtypes, Flavour::Dpnp) else { continue };
            if found.inputs.iter().zip(&dtypes).all(|(input, dtype)| input == dtype) {
                all.push((op, dtype, single(op, found.inputs, found.compute, found.output, Lane::Unit)));
            }
        }
    }
    all
}

fn casts() -> Vec<Fused> {
    let pairs = DType::ALL.into_iter().flat_map(|from| DType::ALL.into_iter().map(move |to| (from, to)));
    pairs
        .filter(|(from, to)| from != to)
        .map(|(from, to)| Fused {
            steps: [Step {
                action: Action::Cast,
                operands: [Slot::Source(0), Slot::Nothing, Slot::Nothing],
                inputs: [from; 3],
                output: to,
            }]
            .into_iter()
            .collect(),
            result: Slot::Step(0),
            dtype: to,
            ..Fused::identity(from, Lane::Unit)
        })
        .collect()
}

/// Scalars of every dtype written over and over.
fn fills() -> Vec<Fused> {
    DType::ALL
        .into_iter()
        .map(|dtype| Fused {
            sources: SmallVec::new(),
            constants: [dtype].into_iter().collect(),
            steps: SmallVec::new(),
            result: Slot::Constant(0),
            dtype,
        })
        .collect()
}

fn comparisons() -> Vec<Fused> {
    let ops = [Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual];
    let pairs = [(DType::Int64, DType::UInt64), (DType::UInt64, DType::Int64)];
    ops.into_iter()
        .flat_map(|op| pairs.map(|(a, b)| single(op, [a, b, b], DType::Float64, DType::Bool, Lane::Unit)))
        .collect()
}

/// A longer expression with a scalar and a cast: `where(a > c, float(b) * a, c)`.
fn long(lane: Lane) -> Fused {
    let f = DType::Float32;
    let nothing = Slot::Nothing;
    let steps = [
        Step {
            action: Action::Apply(Op::Greater, f),
            operands: [Slot::Source(0), Slot::Constant(0), nothing],
            inputs: [f; 3],
            output: DType::Bool,
        },
        Step {
            action: Action::Cast,
            operands: [Slot::Source(1), nothing, nothing],
            inputs: [DType::Int16; 3],
            output: f,
        },
        Step {
            action: Action::Apply(Op::Multiply, f),
            operands: [Slot::Step(1), Slot::Source(0), nothing],
            inputs: [f; 3],
            output: f,
        },
        Step {
            action: Action::Apply(Op::Where, f),
            operands: [Slot::Step(0), Slot::Step(2), Slot::Constant(0)],
            inputs: [DType::Bool, f, f],
            output: f,
        },
    ];
    Fused {
        sources: [Source { dtype: f, lane }, Source { dtype: DType::Int16, lane: Lane::Zero }].into_iter().collect(),
        constants: [f].into_iter().collect(),
        steps: steps.into_iter().collect(),
        result: Slot::Step(3),
        dtype: f,
    }
}

fn stream(fused: Fused, wide: bool, fp64: bool) -> Program {
    Program { kind: Kind::Stream { fused }, space: space(&[1], wide), fp64 }
}

/// Several elements at once, of all that they can be computed of.
fn streams() -> Vec<Program> {
    let operations = operations().into_iter().filter(|(op, ..)| is_lowered(*op, true)).map(|(.., fused)| fused);
    let all = operations.chain(casts()).chain(fills()).chain(comparisons()).chain([long(Lane::Unit), long(Lane::Zero)]);
    let straight: Vec<Fused> = all.filter(Fused::is_straight).collect();
    straight
        .into_iter()
        .map(|fused| stream(fused, false, true))
        .chain([stream(long(Lane::Unit), true, false)])
        .collect()
}

/// Every kind of space and lane.
fn layouts() -> Vec<Program> {
    let mut all = Vec::new();
    for groups in [&[1u8][..], &[1, 1], &[1, 1, 1], &[2, 1, 1], &[4, 1, 1]] {
        for lane in [Lane::Unit, Lane::Zero, Lane::Any] {
            for wide in [false, true] {
                all.push(map(long(lane), Lane::Unit, space(groups, wide), true));
                all.push(map(long(Lane::Unit), lane, space(groups, wide), true));
            }
        }
    }
    all
}

const FOLDS: [Fold; 9] =
    [Fold::Sum, Fold::Product, Fold::Maximum, Fold::Minimum, Fold::Fmax, Fold::Fmin, Fold::And, Fold::Or, Fold::Xor];

fn reductions() -> Vec<Program> {
    let positions = [true, false].map(|largest| [true, false].map(|carried| Keep::Position { largest, carried }));
    let keeps: Vec<Keep> = FOLDS.map(Keep::Fold).into_iter().chain(positions.into_iter().flatten()).collect();
    let mut all = Vec::new();
    for dtype in DType::ALL {
        for &keep in &keeps {
            let bits = matches!(keep, Keep::Fold(Fold::And | Fold::Or | Fold::Xor));
            // float16 is folded in float32.
            if dtype == DType::Float16 || (bits && dtype.is_inexact()) {
                continue;
            }
            let fused = Fused::identity(dtype, Lane::Unit);
            all.push(Program {
                kind: Kind::Rows { fused: fused.clone(), keep },
                space: space(&[1, 1, 1], false),
                fp64: true,
            });
            all.push(Program { kind: Kind::Chunks { fused, keep }, space: space(&[1, 1], false), fp64: true });
        }
    }
    for groups in [&[0u8, 1, 0][..], &[0, 2, 1], &[2, 1, 0], &[1, 1, 2]] {
        let (fused, keep) = (long(Lane::Unit), Keep::Fold(Fold::Sum));
        all.push(Program { kind: Kind::Rows { fused: fused.clone(), keep }, space: space(groups, true), fp64: true });
        let lanes = Kind::Rows { fused: fused.clone(), keep };
        all.push(Program { kind: lanes, space: space(&groups[..2], false), fp64: true });
        all.push(Program { kind: Kind::Chunks { fused, keep }, space: space(&groups[..2], true), fp64: true });
    }
    all
}

fn scans() -> Vec<Program> {
    let mut all = Vec::new();
    for dtype in DType::ALL {
        for kind in [Scan::Sum, Scan::Product, Scan::Logsumexp] {
            if kind == Scan::Logsumexp && !dtype.is_float() {
                continue;
            }
            for pass in [Pass::Stretches, Pass::Totals, Pass::Carry] {
                all.push(Program { kind: Kind::Scan { kind, dtype, pass }, space: space(&[1], false), fp64: true });
            }
        }
    }
    all
}

fn moves() -> Vec<Program> {
    let mut all = Vec::new();
    for bytes in [1, 2, 4, 8, 16] {
        for (kind, groups) in [
            (Move::Gather, &[1u8, 1, 1][..]),
            (Move::Scatter, &[0, 1, 2]),
            (Move::ScatterLast, &[1, 2, 1]),
            (Move::Claim, &[1]),
            (Move::Number, &[3]),
            (Move::Find, &[2, 0]),
            (Move::Compress, &[1, 1]),
            (Move::Expand, &[2, 0]),
        ] {
            for wide in [false, true] {
                all.push(Program { kind: Kind::Move { kind, bytes }, space: space(groups, wide), fp64: true });
            }
        }
    }
    all
}

fn sorts() -> Vec<Program> {
    let mut all = Vec::new();
    for dtype in DType::ALL {
        for descending in [false, true] {
            for stage in [Stage::Blocks, Stage::Mirror, Stage::Half, Stage::Within] {
                let kind = Kind::Sort { dtype, descending, stage };
                all.push(Program { kind, space: space(&[1], false), fp64: true });
            }
        }
    }
    all
}

fn searches() -> Vec<Program> {
    let with =
        |dtype, right, wide| Program { kind: Kind::Search { dtype, right }, space: space(&[1], wide), fp64: true };
    DType::ALL.into_iter().flat_map(|dtype| [with(dtype, false, false), with(dtype, true, true)]).collect()
}

fn products() -> Vec<Program> {
    let with =
        |dtype, groups: &[u8], wide| Program { kind: Kind::Product { dtype }, space: space(groups, wide), fp64: true };
    let mut all: Vec<Program> = DType::ALL.into_iter().map(|dtype| with(dtype, &[1], false)).collect();
    for (dtype, wide) in [(DType::Float32, false), (DType::Float64, true)] {
        all.push(Program { kind: Kind::Panels { dtype }, space: space(&[1], wide), fp64: true });
    }
    all.extend([with(DType::Float32, &[0], true), with(DType::Float64, &[3], false)]);
    all
}

/// Operations that iterate to convergence have no lowering; one needs doubles.
fn is_lowered(op: Op, fp64: bool) -> bool {
    match op {
        Op::Erfinv | Op::Erfcinv => false,
        Op::Erfcx => fp64,
        _ => true,
    }
}

fn sweep() -> Vec<Program> {
    let line = || space(&[1], false);
    let mut all: Vec<Program> = operations()
        .into_iter()
        .filter(|(op, ..)| is_lowered(*op, true))
        .map(|(_, _, fused)| map(fused, Lane::Unit, line(), true))
        .collect();
    let plain = casts().into_iter().chain(fills()).chain(comparisons());
    all.extend(plain.map(|fused| map(fused, Lane::Unit, line(), true)));
    all.extend(layouts());
    all.extend(streams());
    all.extend(reductions());
    all.extend(scans());
    all.extend(moves());
    all.extend(sorts());
    all.extend(searches());
    all.extend(products());
    all
}

fn generate(program: &Program) -> ProgramText {
    program.generate("test").unwrap_or_else(|missing| panic!("{} has no lowering in {program:?}", missing.0))
}

#[test]
fn the_same_description_gives_the_same_words_and_they_parse() {
    let programs = sweep();
    assert!(programs.len() > 1000, "the sweep covers {} programs", programs.len());
    let mut keys = std::collections::HashMap::new();
    for program in &programs {
        let text = generate(program);
        assert!(emit::is_well_formed(&text.words), "{program:?}");
        assert_eq!(text, generate(program), "{program:?}");
        let words = keys.entry(text.key).or_insert_with(|| text.words.clone());
        assert_eq!(*words, text.words, "one key for two texts");
    }
}

#[test]
fn a_damaged_module_is_recognised() {
    let text = generate(&map(long(Lane::Unit), Lane::Unit, space(&[1], false), true));
    for cut in [1, 20, text.words.len() - 1] {
        assert!(!emit::is_well_formed(&text.words[..cut]), "cut after {cut} words");
    }
    let mut zeroed = text.words.to_vec();
    zeroed[5] = 0;
    assert!(!emit::is_well_formed(&zeroed), "an instruction of no words");
}

#[test]
fn every_operation_is_lowered_in_every_dtype_but_the_known_few() {
    for fp64 in [true, false] {
        for (op, dtype, fused) in operations() {
            if !fp64 && dtype.needs_fp64() {
                continue;
            }
            let made = map(fused, Lane::Unit, space(&[1], false), fp64).generate("test");
            match (made, is_lowered(op, fp64)) {
                (Ok(text), true) => {
                    assert!(fp64 || !text.needs.fp64, "{} of {dtype} asks for doubles", op.name());
                    assert_eq!(text.needs.fp16, dtype == DType::Float16, "{} of {dtype}", op.name());
                }
                (Err(missing), false) => assert_eq!(missing.0, op.name()),
                (made, _) => panic!("{} of {dtype}: {made:?}", op.name()),
            }
        }
    }
}

#[test]
fn arguments_match_the_parameters_of_a_space() {
    for groups in [&[1u8][..], &[1, 1], &[3, 1, 1], &[0, 2, 1]] {
        let space = space(groups, false);
        let lengths: Vec<usize> = (2..2 + space.rank()).collect();
        let strides: Vec<isize> = lengths.iter().map(|&len| len as isize).collect();
        for lane in [Lane::Unit, Lane::Zero, Lane::Any] {
            let mut numbers = 0;
            space.shape_arguments(&lengths, &mut |_| numbers += 1);
            space.stride_arguments(lane, &strides, &mut |_| numbers += 1);
            assert_eq!(numbers, space.parameters(std::iter::once(lane)), "{groups:?} {lane:?}");
        }
    }
}

/// What the validator says of a module; nothing when it has no objection.
fn objection(text: &ProgramText) -> Option<String> {
    // float16 comes with an extension that the OpenCL environments of the validator do not know.
    let environment = if text.needs.fp16 { "spv1.0" } else { "opencl1.2" };
    let mut validator = Command::new("spirv-val")
        .args(["--target-env", environment, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the validator starts, as it did before");
    let bytes: Vec<u8> = text.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    validator.stdin.take().expect("a pipe").write_all(&bytes).expect("the validator reads");
    let output = validator.wait_with_output().expect("the validator ends");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn every_program_passes_the_validator() {
    if Command::new("spirv-val").arg("--version").output().is_err() {
        return testdriver::harness::skip("there is no spirv-val (Debian: spirv-tools)");
    }
    let texts: Vec<(String, ProgramText)> =
        sweep().iter().map(|program| (format!("{program:?}"), generate(program))).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let worker = || {
            let mut wrong = Vec::new();
            while let Some((name, text)) = texts.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                wrong.extend(objection(text).map(|said| format!("{name}: {said}")));
            }
            wrong
        };
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    assert!(wrong.is_empty(), "{} objections, the first: {}", wrong.len(), wrong[0]);
}
