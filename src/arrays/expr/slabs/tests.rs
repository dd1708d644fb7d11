//! Pieces against the whole, bit for bit, over every fold, odd shapes and orders, on the host and on a simulated device.

use super::*;
use crate::arrays::expr::ReduceOp;
use crate::arrays::functions::io::npy;
use crate::arrays::{DType, Place, Scalar, ledger, registry};

/// Numbers whose sum depends on the order in which they are added.
fn numbers(shape: &[usize], seed: u64) -> Array {
    let len: usize = shape.iter().product();
    let mut state = seed;
    let values: Vec<f64> = (0..len)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
            unit * 10f64.powi((state >> 59) as i32 - 16)
        })
        .collect();
    Array::from_slice(&values, shape, &Alloc::HOST).expect("small")
}

struct Files(tempfile::TempDir);

impl Files {
    fn mapped(&self, name: &str, array: &Array, place: &Place) -> Array {
        let path = self.0.path().join(name);
        npy::save(&path, array).expect("saves");
        npy::map(&path, place).expect("maps").expect("nothing to convert")
    }
}

fn bits(array: &Array) -> Vec<u64> {
    (0..array.len_elements())
        .map(|at| match array.read_flat(at).expect("reads") {
            Scalar::Float(value) => value.to_bits(),
            Scalar::Int(value) => value as u64,
            Scalar::Bool(value) => u64::from(value),
            other => panic!("{other:?}"),
        })
        .collect()
}

fn simulated() -> Place {
    let device = registry::add_simulated("gpu mem=64MiB").expect("a device").remove(0);
    Place::Queue(registry::cached_queue(&device).expect("a queue"))
}

const REDUCTIONS: [ReduceOp; 12] = [
    ReduceOp::Sum,
    ReduceOp::Product,
    ReduceOp::Maximum,
    ReduceOp::NanMinimum,
    ReduceOp::Mean,
    ReduceOp::Variance { ddof: 1.0 },
    ReduceOp::Norm,
    ReduceOp::All,
    ReduceOp::CountNonzero,
    ReduceOp::NanMean,
    ReduceOp::Logsumexp,
    ReduceOp::Argmax,
];

#[test]
fn reductions_in_pieces_have_the_bits_of_the_whole() {
    let files = Files(tempfile::tempdir().expect("a folder"));
    let simulated = simulated();
    chunk::set_mode(Mode::Bytes(16_000));
    for (shape, axes) in [
        (&[30_011][..], &[0][..]),
        (&[131, 107], &[0]),
        (&[131, 107], &[1]),
        (&[131, 107], &[0, 1]),
        (&[5, 53, 41], &[0, 2]),
        (&[5, 53, 41], &[0, 1]),
        (&[5, 53, 41], &[1]),
        (&[3, 1, 12_001], &[2]),
        (&[1, 20_011], &[0]),
    ] {
        let array = numbers(shape, 7);
        let row = numbers(&shape[shape.len() - 1..], 8);
        let axes: Vec<i64> = axes.iter().map(|&axis| axis as i64).collect();
        for (name, array) in [("c", array.clone()), ("f", array.transposed())] {
            let axes: Vec<i64> = match name {
                "c" => axes.clone(),
                _ => axes.iter().map(|axis| shape.len() as i64 - 1 - axis).collect(),
            };
            for place in [Place::Host, simulated.clone()] {
                let mapped = files.mapped("x.npy", &array, &place);
                let row_there =
                    if place == Place::Host { row.clone() } else { row.copy_to(&mapped.alloc()).expect("fits") };
                for op in REDUCTIONS {
                    for with_row in [false, true] {
                        if with_row && name == "f" {
                            continue;
                        }
                        let expression = |array: &Array, row: &Array| {
                            let array = Expr::array(array);
                            let value = match with_row {
                                true => Expr::apply(Op::Subtract, &[array, Expr::array(row)], Flavour::NumPy)?,
                                false => array,
                            };
                            value.reduce(op, Some(&axes), false, None, Flavour::NumPy)?.evaluate()
                        };
                        let whole = expression(&array, &row).expect("computes");
                        let pieces = expression(&mapped, &row_there).expect("computes");
                        assert_eq!(
                            bits(&whole),
                            bits(&pieces),
                            "{op:?} of {shape:?} {name} over {axes:?} on {place:?}, with a row: {with_row}"
                        );
                    }
                }
            }
        }
    }
    chunk::set_mode(Mode::Off);
}

#[test]
fn element_wise_results_are_those_of_the_whole_and_memory_is_bounded() {
    let files = Files(tempfile::tempdir().expect("a folder"));
    let place = simulated();
    let queue = place.queue().expect("a queue").clone();
    let array = numbers(&[1000, 1000], 3);
    let mapped = files.mapped("x.npy", &array, &place);
    let column = numbers(&[1000, 1], 4);
    let there = column.copy_to(&mapped.alloc()).expect("fits");
    chunk::set_mode(Mode::Bytes(1 << 20));
    ledger::settle();
    let before = ledger::reading(queue.device()).here;
    let expression = |array: &Array, column: &Array| {
        let product = Expr::apply(Op::Multiply, &[Expr::array(array), Expr::array(column)], Flavour::NumPy)?;
        Expr::apply(Op::Add, &[product, Expr::array(array)], Flavour::NumPy)
    };
    let whole = expression(&array, &column).and_then(|it| it.evaluate()).expect("computes");
    let pieces = expression(&mapped, &there).and_then(|it| it.evaluate()).expect("computes");
    queue.finish().expect("ends");
    let after = ledger::reading(queue.device()).here;
    assert_eq!(bits(&whole), bits(&pieces));
    assert_eq!(pieces.usm(), Some(UsmKind::Device));
    let over = after.peak - before.live;
    assert!((8_000_000..8_000_000 + (3 << 20)).contains(&over), "the result and pieces of 1 MiB: {over}");
    let total = expression(&mapped, &there).and_then(|it| it.reduce(ReduceOp::Sum, None, false, None, Flavour::NumPy));
    let sum = total.and_then(|it| it.evaluate()).expect("computes");
    let expected = expression(&array, &column)
        .and_then(|it| it.reduce(ReduceOp::Sum, None, false, None, Flavour::NumPy)?.evaluate())
        .expect("computes");
    assert_eq!(bits(&sum), bits(&expected));
    chunk::set_mode(Mode::Off);
    drop((whole, pieces, sum, expected, there, column, array, mapped));
    queue.finish().expect("ends");
    ledger::assert_empty();
}

#[test]
fn what_does_not_fit_the_device_goes_to_host_memory_when_told_so() {
    let place = simulated();
    let alloc = Alloc { place: place.clone(), usm: UsmKind::Device };
    let big = || Array::for_overwrite(&[10 << 20], DType::Float64, &alloc);
    assert!(big().is_err(), "80 MiB on 64 MiB");
    chunk::set_mode(Mode::Auto);
    assert!(big().is_err(), "making room comes first");
    let told = Rc::new(std::cell::RefCell::new(Vec::new()));
    let heard = told.clone();
    chunk::listen(Rc::new(move |progress| heard.borrow_mut().push(progress.clone())));
    let array = chunk::giving_way(big).expect("in host memory");
    assert_eq!(array.usm(), Some(UsmKind::Host));
    Expr::constant(Scalar::Float(0.5), DType::Float64).evaluate_into(&array, None).expect("fills");
    let sum = Expr::array(&array).reduce(ReduceOp::Sum, None, false, None, Flavour::Dpnp);
    let sum = sum.and_then(|sum| sum.evaluate()).expect("computes");
    assert_eq!(sum.read_flat(0), Ok(Scalar::Float(5.0 * (1 << 20) as f64)));
    let told = told.borrow();
    assert!(matches!(&told[0], chunk::Progress::Spilled { bytes: 83_886_080, .. }), "{told:?}");
    assert!(matches!(told.last(), Some(chunk::Progress::Ended { label: "sum", pieces: 10, .. })), "{told:?}");
    chunk::set_mode(Mode::Off);
}
