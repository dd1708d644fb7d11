//! Reductions, running operations and products of matrices.

use super::*;
use crate::arrays::cpu::scan::Scan;
use crate::arrays::expr::{ReduceOp, cumulate, matmul};

const REDUCTIONS: [ReduceOp; 16] = [
    ReduceOp::Sum,
    ReduceOp::Product,
    ReduceOp::Maximum,
    ReduceOp::Minimum,
    ReduceOp::Mean,
    ReduceOp::Variance { ddof: 1.0 },
    ReduceOp::Deviation { ddof: 0.0 },
    ReduceOp::All,
    ReduceOp::Any,
    ReduceOp::Argmax,
    ReduceOp::Argmin,
    ReduceOp::CountNonzero,
    ReduceOp::NanSum,
    ReduceOp::NanMaximum,
    ReduceOp::NanMean,
    ReduceOp::Norm,
];

#[test]
fn reductions_agree() {
    compare("folds::reductions_agree", |device, native| {
        let mut found = Vec::new();
        type Axes = Option<&'static [i64]>;
        let shapes: [(&[usize], &[Axes]); 9] = [
            (&[], &[None]),
            (&[1], &[None]),
            (&[70], &[None]),
            (&[20_001], &[None, Some(&[0])]),
            (&[3, 600], &[None, Some(&[1])]),
            (&[2, 544], &[None, Some(&[1])]),
            (&[1, 33_000], &[Some(&[1])]),
            (&[1500, 7], &[None, Some(&[0]), Some(&[1])]),
            (&[5, 70, 6], &[None, Some(&[0]), Some(&[1]), Some(&[0, 2]), Some(&[])]),
        ];
        for (shape, axes) in shapes {
            for dtype in [DType::Float64, DType::Float32, DType::Int32, DType::Bool, DType::Complex128] {
                let on = |alloc: &Alloc| {
                    let array = counting(shape, dtype, alloc);
                    if dtype.is_float() && array.len_elements() > 60 {
                        // A product that stays finite, and something that is not a number.
                        let near_one = Expr::apply(
                            Op::Multiply,
                            &[Expr::array(&array), Expr::scalar(Operand::Weak(Scalar::Float(1e-4)))],
                            Flavour::Dpnp,
                        );
                        let near_one = Expr::apply(
                            Op::Add,
                            &[near_one.expect("fits"), Expr::scalar(Operand::Weak(Scalar::Float(1.0)))],
                            Flavour::Dpnp,
                        );
                        return near_one.and_then(|value| value.evaluate()).expect("adds");
                    }
                    array
                };
                let (here, there) = (on(device), on(native));
                for op in REDUCTIONS {
                    let huge = op == ReduceOp::Product && dtype.is_complex() && here.len_elements() > 60;
                    if huge || (dtype.is_complex() && matches!(op, ReduceOp::NanMaximum)) {
                        continue;
                    }
                    for &axes in axes {
                        let value = |array: &Array| {
                            Expr::array(array)
                                .reduce(op, axes, false, None, Flavour::Dpnp)
                                .and_then(|value| value.evaluate())
                        };
                        let (answer, wanted) = (value(&here).expect("reduces"), value(&there).expect("reduces"));
                        // Sums are cut into other pieces, and a variance squares what that does.
                        let tolerance = if dtype == DType::Float32 { 1e-3 } else { 1e-9 };
                        found.push(differences(
                            &format!("{op:?} of {dtype} {shape:?} over {axes:?}"),
                            &answer,
                            &wanted,
                            tolerance,
                        ));
                    }
                }
            }
        }
        no_differences(found);
    });
}

#[test]
fn nan_is_the_largest_the_smallest_and_the_first() {
    compare("folds::nan_is_the_largest_the_smallest_and_the_first", |device, native| {
        let mut found = Vec::new();
        let mut values: Vec<Scalar> = (0..9000).map(|i| Scalar::Float(f64::from((i * 31) % 1000))).collect();
        for at in [8999, 4000, 4001] {
            values[at] = Scalar::Float(f64::NAN);
        }
        for shape in [&[9000usize][..], &[90, 100], &[3000, 3]] {
            for op in [
                ReduceOp::Maximum,
                ReduceOp::Minimum,
                ReduceOp::NanMaximum,
                ReduceOp::NanMinimum,
                ReduceOp::Argmax,
                ReduceOp::Argmin,
            ] {
                for axes in [None, Some(&[0i64][..])] {
                    let value = |alloc: &Alloc| {
                        let array = array(&values, shape, DType::Float32, alloc);
                        let value = Expr::array(&array).reduce(op, axes, false, None, Flavour::Dpnp);
                        value.and_then(|value| value.evaluate()).expect("reduces")
                    };
                    found.push(differences(
                        &format!("{op:?} over {axes:?} of {shape:?}"),
                        &value(device),
                        &value(native),
                        0.0,
                    ));
                }
            }
        }
        no_differences(found);
    });
}

#[test]
fn running_operations_agree() {
    compare("folds::running_operations_agree", |device, native| {
        let mut found = Vec::new();
        for (shape, axis) in [
            (&[1usize][..], None),
            (&[30_011], None),
            (&[4, 600, 3], Some(1)),
            (&[4, 600, 3], Some(0)),
            (&[9, 11], Some(-1)),
        ] {
            for dtype in [DType::Int32, DType::Bool, DType::Float32, DType::Float64, DType::Complex64] {
                for kind in [Scan::Sum, Scan::Product, Scan::Logsumexp] {
                    let defined = match kind {
                        Scan::Product => !dtype.is_inexact() || shape.len() > 1,
                        Scan::Logsumexp => dtype.is_float(),
                        Scan::Sum => true,
                    };
                    if !defined || (kind == Scan::Product && dtype.is_inexact() && shape[1] > 20) {
                        continue;
                    }
                    let value = |alloc: &Alloc| {
                        cumulate(kind, &Expr::array(&counting(shape, dtype, alloc)), axis, None).expect("runs")
                    };
                    let tolerance = if dtype.bytes() < 8 || dtype == DType::Complex64 { 1e-3 } else { 1e-10 };
                    found.push(differences(
                        &format!("{kind:?} of {dtype} {shape:?} along {axis:?}"),
                        &value(device),
                        &value(native),
                        tolerance,
                    ));
                }
            }
        }
        no_differences(found);
    });
}

#[test]
fn products_of_matrices_agree() {
    compare("folds::products_of_matrices_agree", |device, native| {
        let mut found = Vec::new();
        let shapes: [(&[usize], &[usize]); 9] = [
            (&[1, 1], &[1, 1]),
            (&[3], &[3]),
            (&[17], &[17, 5]),
            (&[33, 40], &[40]),
            (&[33, 40], &[40, 19]),
            (&[2, 5, 7], &[2, 7, 3]),
            (&[3, 1, 4, 6], &[2, 6, 5]),
            (&[4, 0], &[0, 3]),
            (&[100, 3], &[3, 90]),
        ];
        for (left, right) in shapes {
            for dtype in [DType::Float64, DType::Float32, DType::Int64, DType::UInt8, DType::Complex128] {
                let value = |alloc: &Alloc| {
                    matmul(&counting(left, dtype, alloc), &counting(right, dtype, alloc), None, Flavour::Dpnp)
                        .expect("multiplies")
                };
                let tolerance = if dtype == DType::Float32 { 1e-3 } else { 1e-10 };
                found.push(differences(
                    &format!("{left:?} by {right:?} of {dtype}"),
                    &value(device),
                    &value(native),
                    tolerance,
                ));
            }
        }
        let turned = |alloc: &Alloc| {
            let (a, b) = (counting(&[20, 30], DType::Float64, alloc), counting(&[25, 30], DType::Float64, alloc));
            let reversed = a.index(&[slice(None, None, -1), slice(None, None, 1)]).expect("inside");
            matmul(&reversed, &b.transposed(), None, Flavour::Dpnp).expect("multiplies")
        };
        found.push(differences("turned and reversed", &turned(device), &turned(native), 1e-12));
        // Large enough for panels: whole ones only; with a strip below and one beside; in two stretches of the depth; in stacks.
        let large: [(&[usize], &[usize]); 5] = [
            (&[128, 128], &[128, 128]),
            (&[130, 140], &[140, 150]),
            (&[64, 1100], &[1100, 40]),
            (&[9, 900], &[900, 300]),
            (&[2, 1, 130, 140], &[3, 140, 150]),
        ];
        for (left, right) in large {
            for dtype in [DType::Float64, DType::Float32] {
                let value = |alloc: &Alloc| {
                    let (left, right) = (counting(left, dtype, alloc), counting(right, dtype, alloc));
                    matmul(&left, &right, None, Flavour::Dpnp).expect("multiplies")
                };
                let name = format!("{left:?} by {right:?} of {dtype}");
                found.push(differences(&name, &value(device), &value(native), 1e-6));
            }
        }
        let turned = |alloc: &Alloc| {
            let (a, b) = (counting(&[300, 131], DType::Float64, alloc), counting(&[151, 150], DType::Float64, alloc));
            let (every, reversed) = (slice(None, None, 2), slice(None, None, -1));
            let left = a.index(&[every, reversed]).expect("inside").transposed();
            matmul(&left, &b.transposed(), None, Flavour::Dpnp).expect("multiplies")
        };
        found.push(differences("turned, reversed and thinned", &turned(device), &turned(native), 1e-12));
        no_differences(found);
    });
}
