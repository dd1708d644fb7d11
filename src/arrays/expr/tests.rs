//! Graphs against step-by-step evaluation and plain loops.

use super::*;
use crate::arrays::op::Flavour;
use crate::arrays::scalar::Operand;

fn floats(values: &[f64], shape: &[usize]) -> Array {
    Array::from_slice(values, shape, &Alloc::HOST).expect("host memory")
}

fn apply(op: Op, inputs: &[Expr]) -> Expr {
    Expr::apply(op, inputs, Flavour::NumPy).expect("operands go together")
}

fn weak(value: f64) -> Expr {
    Expr::scalar(Operand::Weak(Scalar::Float(value)))
}

#[test]
fn a_fused_statement_gives_what_its_steps_give() {
    for n in [1usize, 10, 1024, 5000, 100_000] {
        let a: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let b: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).cos()).collect();
        let (x, y) = (Expr::array(&floats(&a, &[n])), Expr::array(&floats(&b, &[n])));
        let fused = apply(Op::Add, &[apply(Op::Multiply, &[x.clone(), y.clone()]), weak(1.5)]);
        let result = fused.evaluate().expect("computes").to_vec::<f64>().expect("reads");
        let expected: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a * b + 1.5).collect();
        assert_eq!(result, expected);
        let sum = fused.reduce(ReduceOp::Sum, None, false, None, Flavour::NumPy).expect("reduces");
        let stepwise = Expr::array(&fused.evaluate().expect("computes"));
        let stepwise = stepwise.reduce(ReduceOp::Sum, None, false, None, Flavour::NumPy).expect("reduces");
        let value = |expr: &Expr| expr.evaluate().expect("computes").read_scalar(&[]).expect("reads");
        assert_eq!(value(&sum), value(&stepwise), "fused equals unfused bit for bit");
        let plain: f64 = expected.iter().sum();
        assert!((value(&sum).real() - plain).abs() < 1e-9 * n as f64);
    }
}

#[test]
fn reductions_follow_axes_whatever_the_strides() {
    let shape = [7usize, 33, 40];
    let values: Vec<f64> = (0..shape.iter().product()).map(|i: usize| ((i * 7919) % 1013) as f64 - 500.0).collect();
    let array = floats(&values, &shape);
    let at = |i: usize, j: usize, k: usize| values[(i * 33 + j) * 40 + k];
    for axes in [&[0i64][..], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]] {
        let mut expected = std::collections::BTreeMap::<Vec<usize>, f64>::new();
        for i in 0..7 {
            for j in 0..33 {
                for k in 0..40 {
                    let index: Vec<usize> = [i, j, k]
                        .iter()
                        .enumerate()
                        .filter(|(axis, _)| !axes.contains(&(*axis as i64)))
                        .map(|(_, &x)| x)
                        .collect();
                    *expected.entry(index).or_default() += at(i, j, k);
                }
            }
        }
        let expected: Vec<f64> = expected.into_values().collect();
        let copy = floats(&array.to_vec::<f64>().expect("reads"), &shape);
        let reversed =
            Array::for_overwrite_ordered(&shape, DType::Float64, &Alloc::HOST, crate::arrays::layout::Order::F)
                .expect("memory");
        Expr::array(&array).evaluate_into(&reversed, None).expect("copies");
        for source in [&array, &copy, &reversed] {
            let sum =
                Expr::array(source).reduce(ReduceOp::Sum, Some(axes), false, None, Flavour::NumPy).expect("reduces");
            let result = sum.evaluate().expect("computes").to_vec::<f64>().expect("reads");
            assert_eq!(result, expected, "sums of whole numbers over {axes:?}");
        }
    }
}

#[test]
fn variance_and_positions_match_their_definitions() {
    let values: Vec<f64> = (0..5000).map(|i| ((i * 37) % 101) as f64).collect();
    let x = Expr::array(&floats(&values, &[5000]));
    let reduce = |op| {
        x.reduce(op, None, false, None, Flavour::NumPy)
            .expect("reduces")
            .evaluate()
            .expect("computes")
            .read_scalar(&[])
            .expect("reads")
    };
    let mean = values.iter().sum::<f64>() / 5000.0;
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / 4999.0;
    assert!((reduce(ReduceOp::Variance { ddof: 1.0 }).real() - variance).abs() < 1e-9);
    assert!((reduce(ReduceOp::Deviation { ddof: 1.0 }).real() - variance.sqrt()).abs() < 1e-9);
    let top = values.iter().cloned().fold(f64::MIN, f64::max);
    assert_eq!(reduce(ReduceOp::Argmax), Scalar::Int(values.iter().position(|&v| v == top).expect("present") as i128));
    assert_eq!(reduce(ReduceOp::CountNonzero), Scalar::Int(values.iter().filter(|&&v| v != 0.0).count() as i128));
}

#[test]
fn overlapping_targets_read_what_stood_there_before() {
    let array = floats(&[1.0, 2.0, 3.0, 4.0, 5.0], &[5]);
    let slice = |start: i64, stop: i64| {
        array
            .index(&[crate::arrays::layout::BasicIndex::Slice { start: Some(start), stop: Some(stop), step: None }])
            .expect("inside")
    };
    apply(Op::Add, &[Expr::array(&slice(0, 4)), Expr::array(&slice(1, 5))])
        .evaluate_into(&slice(1, 5), None)
        .expect("stores");
    assert_eq!(array.to_vec::<f64>().expect("reads"), [1.0, 3.0, 5.0, 7.0, 9.0]);
    apply(Op::Multiply, &[Expr::array(&array), weak(2.0)]).evaluate_into(&array, None).expect("stores");
    assert_eq!(array.to_vec::<f64>().expect("reads"), [2.0, 6.0, 10.0, 14.0, 18.0]);
}

#[test]
fn errors_carry_the_words_of_each_library() {
    let (x, y) = (Expr::array(&floats(&[1.0; 3], &[3])), Expr::array(&floats(&[1.0; 2], &[2])));
    let text = |flavour| Expr::apply(Op::Add, &[x.clone(), y.clone()], flavour).expect_err("shapes differ").to_string();
    assert_eq!(text(Flavour::NumPy).trim_end(), "operands could not be broadcast together with shapes (3,) (2,)");
    assert_eq!(text(Flavour::Dpnp), "operands could not be broadcast together with shapes (3,) and (2,)");
}

#[test]
fn matrix_products_match_plain_loops_for_every_layout() {
    let (n, k, m) = (37usize, 53, 41);
    let a: Vec<f64> = (0..n * k).map(|i| ((i * 31) % 17) as f64 - 8.0).collect();
    let b: Vec<f64> = (0..k * m).map(|i| ((i * 29) % 13) as f64 - 6.0).collect();
    let mut expected = vec![0.0; n * m];
    for i in 0..n {
        for j in 0..m {
            expected[i * m + j] = (0..k).map(|x| a[i * k + x] * b[x * m + j]).sum();
        }
    }
    let (left, right) = (floats(&a, &[n, k]), floats(&b, &[k, m]));
    let transposed = |values: &[f64], rows: usize, columns: usize| {
        let turned: Vec<f64> = (0..columns * rows).map(|i| values[(i % rows) * columns + i / rows]).collect();
        floats(&turned, &[columns, rows]).transposed()
    };
    let lefts = [left.clone(), transposed(&a, n, k)];
    let rights = [right.clone(), transposed(&b, k, m)];
    for left in &lefts {
        for right in &rights {
            for dtype in [DType::Float64, DType::Float32, DType::Int64, DType::Int32, DType::Complex128, DType::Float16]
            {
                let (x, y) = (
                    Expr::array(left).cast(dtype).evaluate().expect("casts"),
                    Expr::array(right).cast(dtype).evaluate().expect("casts"),
                );
                let product = matmul(&x, &y, None, Flavour::NumPy).expect("multiplies");
                assert_eq!(product.dtype(), dtype);
                let product = Expr::array(&product)
                    .cast(DType::Float64)
                    .evaluate()
                    .expect("casts")
                    .to_vec::<f64>()
                    .expect("reads");
                assert_eq!(product, expected, "whole numbers in {dtype:?}");
            }
        }
    }
    let vector = floats(&a[..k], &[k]);
    let dot = matmul(&vector, &vector, None, Flavour::NumPy).expect("multiplies");
    assert_eq!(dot.read_scalar(&[]).expect("reads"), Scalar::Float(a[..k].iter().map(|x| x * x).sum()));
    let batch = floats(&(0..2 * 3 * 4).map(f64::from).collect::<Vec<_>>(), &[2, 3, 4]);
    let product = matmul(&batch, &floats(&[1.0, 2.0, 3.0, 4.0], &[4]), None, Flavour::NumPy).expect("multiplies");
    assert_eq!(product.shape(), [2, 3]);
    assert_eq!(product.to_vec::<f64>().expect("reads"), [20.0, 60.0, 100.0, 140.0, 180.0, 220.0]);
}

#[test]
fn running_sums_go_along_any_axis() {
    let array = floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]);
    let run =
        |axis| cumulate(Scan::Sum, &Expr::array(&array), axis, None).expect("scans").to_vec::<f64>().expect("reads");
    assert_eq!(run(None), [1.0, 3.0, 6.0, 10.0, 15.0, 21.0]);
    assert_eq!(run(Some(0)), [1.0, 2.0, 3.0, 5.0, 7.0, 9.0]);
    assert_eq!(run(Some(-1)), [1.0, 3.0, 6.0, 4.0, 9.0, 15.0]);
}

#[test]
fn numpy_arrays_report_floating_point_events_by_operation() {
    let met = || warnings::take().iter().map(|warning| warning.message()).collect::<Vec<_>>();
    met();
    let (x, zero) = (floats(&[1.0, -1.0, 0.0], &[3]), floats(&[0.0, 0.0, 0.0], &[3]));
    binary(Op::Divide, Ready::Array(&x), Ready::Array(&zero), Flavour::NumPy).expect("divides");
    assert_eq!(met(), ["divide by zero encountered in divide", "invalid value encountered in divide"]);
    let x = Expr::array(&x);
    let sum = apply(Op::Add, &[apply(Op::Sqrt, std::slice::from_ref(&x)), apply(Op::Log, std::slice::from_ref(&x))]);
    sum.evaluate().expect("computes");
    assert_eq!(
        met(),
        ["invalid value encountered in sqrt", "divide by zero encountered in log", "invalid value encountered in log"]
    );
    apply(Op::Exp, &[apply(Op::Multiply, &[x, weak(1000.0)])]).evaluate().expect("computes");
    assert_eq!(met(), ["overflow encountered in exp"]);
}

#[test]
fn int64_and_uint64_compare_exactly() {
    let signed = Array::from_slice(&[-1i64, i64::MAX, i64::MAX - 1], &[3], &Alloc::HOST).expect("host memory");
    let unsigned =
        Array::from_slice(&[u64::MAX, 1 << 63, i64::MAX as u64 - 1], &[3], &Alloc::HOST).expect("host memory");
    let compare = |op, x: &Array, y: &Array| {
        apply(op, &[Expr::array(x), Expr::array(y)]).evaluate().expect("computes").to_vec::<bool>().expect("reads")
    };
    assert_eq!(compare(Op::Equal, &signed, &unsigned), [false, false, true]);
    assert_eq!(compare(Op::Less, &signed, &unsigned), [true, true, false]);
    assert_eq!(compare(Op::Greater, &unsigned, &signed), [true, true, false]);
    assert_eq!(compare(Op::LessEqual, &unsigned, &signed), [false, false, true]);
}

#[test]
fn scalars_follow_the_rules_of_arrays() {
    let typed = |value, dtype| Operand::Typed(value, dtype);
    let run = |op, operands: &[Operand]| scalars(op, operands, Flavour::NumPy);
    assert_eq!(
        run(Op::Add, &[typed(Scalar::Int(200), DType::UInt8), Operand::Weak(Scalar::Int(100))]).expect("adds"),
        (Scalar::Int(44), DType::UInt8)
    );
    assert!(run(Op::Add, &[typed(Scalar::Int(200), DType::UInt8), Operand::Weak(Scalar::Int(300))]).is_err());
    assert_eq!(
        run(Op::Less, &[typed(Scalar::Int(200), DType::UInt8), Operand::Weak(Scalar::Int(300))]).expect("compares"),
        (Scalar::Bool(true), DType::Bool)
    );
    assert_eq!(
        run(Op::Divide, &[typed(Scalar::Int(1), DType::Int64), typed(Scalar::Int(4), DType::Int8)]).expect("divides"),
        (Scalar::Float(0.25), DType::Float64)
    );
    let (value, dtype) = run(Op::Sqrt, &[typed(Scalar::Float(2.0), DType::Float32)]).expect("computes");
    assert_eq!((value, dtype), (Scalar::Float(f64::from(2f32.sqrt())), DType::Float32));
    let half = run(Op::Add, &[typed(Scalar::Float(2048.0), DType::Float16), typed(Scalar::Float(1.0), DType::Float16)]);
    assert_eq!(half.expect("adds"), (Scalar::Float(2048.0), DType::Float16));
    assert!(run(Op::Power, &[typed(Scalar::Int(2), DType::Int64), Operand::Weak(Scalar::Int(-1))]).is_err());
    assert_eq!(warnings::take()[0].message(), "overflow encountered in scalar add");
    run(Op::Divide, &[typed(Scalar::Float(1.0), DType::Float64), typed(Scalar::Float(0.0), DType::Float64)])
        .expect("divides");
    assert_eq!(warnings::take()[0].message(), "divide by zero encountered in scalar divide");
}
