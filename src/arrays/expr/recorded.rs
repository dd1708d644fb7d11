//! Every operation and dtype against values recorded from NumPy, edge cases included.
//!
//! Lines `@name bytes` of the table are operands; the others hold an operation, the dtype of its operands, their names
//! (or `-`), the dtype and the bytes of the answer.

use super::*;
use crate::arrays::dtype::dispatch;
use crate::arrays::op::Flavour;

const RECORDED: &str = include_str!("recorded_values.txt");

fn by_code(code: &str) -> DType {
    *DType::ALL.iter().find(|dtype| code.starts_with(dtype.char_code())).expect("a dtype code of the table")
}

fn array(dtype: DType, hex: &str) -> Array {
    let bytes: Vec<u8> =
        (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex digits")).collect();
    let array = Array::empty(&[bytes.len() / dtype.bytes()], dtype, &Alloc::HOST).expect("host memory");
    array.buffer().write_bytes(|to| to[..bytes.len()].copy_from_slice(&bytes)).expect("host memory");
    array
}

/// How far an answer may lie from NumPy's, in units of the last place.
fn tolerance(op: Op, dtype: DType) -> f64 {
    use Op::*;
    match op {
        // NumPy computes these in half the steps, or in the element's own precision.
        Logaddexp | Logaddexp2 | I0 | Sinc | Cbrt => 64.0,
        _ if dtype.is_complex() => match op {
            Add | Subtract | Negative | Conjugate | Positive | Real | Imag => 0.0,
            _ => 64.0,
        },
        Power | FloatPower | Exp | Exp2 | Expm1 | Log | Log2 | Log10 | Log1p | Sin | Cos | Tan | Arcsin | Arccos
        | Arctan | Sinh | Cosh | Tanh | Arcsinh | Arccosh | Arctanh | Hypot | Arctan2 | Deg2rad | Rad2deg | Angle
        | Absolute => 4.0,
        _ => 0.0,
    }
}

fn parts(scalar: Scalar) -> [f64; 2] {
    let z = scalar.complex();
    [z.re, z.im]
}

fn close(ours: f64, numpy: f64, unit: f64, ulps: f64) -> bool {
    if numpy.is_nan() || ours.is_nan() {
        return numpy.is_nan() && ours.is_nan();
    }
    if ulps == 0.0 {
        return ours == numpy && ours.is_sign_negative() == numpy.is_sign_negative();
    }
    ours == numpy || (ours - numpy).abs() <= ulps * unit * numpy.abs().max(f64::from(f32::MIN_POSITIVE) * unit)
}

#[test]
fn every_operation_and_dtype_answers_what_numpy_answers() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    let mut operands_by_name = std::collections::HashMap::new();
    for line in RECORDED.lines() {
        if let Some((name, bytes)) = line.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            operands_by_name.insert(name, bytes);
            continue;
        }
        let [name, code, first, second, answer, values] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("malformed line {line}");
        };
        let op = *Op::ALL.iter().find(|op| op.name() == name).expect("a name of the table");
        let dtype = by_code(code);
        let mut inputs = vec![Expr::array(&array(dtype, operands_by_name[first]))];
        if second != "-" {
            inputs.push(Expr::array(&array(
                if op == Op::Ldexp { DType::Int64 } else { dtype },
                operands_by_name[second],
            )));
        }
        let expected = array(by_code(answer), values);
        let result = match Expr::apply(op, &inputs, Flavour::NumPy).and_then(|expr| expr.evaluate()) {
            Ok(result) => result,
            Err(error) => {
                wrong.push(format!("{name} {code}: {error}"));
                continue;
            }
        };
        assert_eq!(result.dtype(), expected.dtype(), "{name} {code}");
        let unit = match result.dtype() {
            DType::Float16 => 9.8e-4,
            DType::Float32 | DType::Complex64 => f64::from(f32::EPSILON),
            _ => f64::EPSILON,
        };
        let ulps = tolerance(op, dtype);
        let (ours, theirs): (Vec<Scalar>, Vec<Scalar>) = dispatch!(result.dtype(), T => {
            let scalars = |array: &Array| {
                array.to_vec::<T>().expect("reads").into_iter().map(crate::arrays::Element::to_scalar).collect()
            };
            (scalars(&result), scalars(&expected))
        });
        let operands: Vec<Vec<Scalar>> = inputs
            .iter()
            .map(|input| {
                let input = input.evaluate().expect("an array");
                (0..input.len_elements()).map(|i| input.read_flat(i).expect("reads")).collect()
            })
            .collect();
        for (index, (our, their)) in ours.iter().zip(&theirs).enumerate() {
            compared += 1;
            let finite = |scalar: &Scalar| parts(*scalar).iter().all(|part| part.is_finite());
            if matches!(op, Op::Power | Op::FloatPower)
                && dtype.is_complex()
                && !operands.iter().all(|values| finite(&values[index]))
            {
                // C libraries disagree about infinite complex powers.
                continue;
            }
            if op == Op::Sinc {
                // NumPy multiplies by pi in the element's own precision; ours is nearer the true value.
                let near = |(&a, b): (&f64, f64)| (a - b).abs() < 4e-3 || a == b || (a.is_nan() && b.is_nan());
                assert!(parts(*our).iter().zip(parts(*their)).all(near), "sinc of {:?}", operands[0][index]);
                continue;
            }
            if our == their && our.real() == 0.0 && dtype == DType::Float16 && ulps == 0.0 {
                // Which of two zeros is larger is nobody's promise.
                continue;
            }
            let unit = if dtype.is_complex() {
                // A part may cancel; what counts is the error against the whole.
                let whole = parts(*their).iter().fold(0.0f64, |most, part| most.max(part.abs()));
                let part = parts(*their).iter().fold(f64::INFINITY, |least, part| least.min(part.abs()));
                if whole.is_finite() && part > 0.0 { unit * whole / part } else { unit }
            } else {
                unit
            };
            let good = our == their
                && parts(*our).iter().zip(parts(*their)).all(|(a, b)| a.is_sign_negative() == b.is_sign_negative())
                || parts(*our).iter().zip(parts(*their)).all(|(&a, b)| close(a, b, unit, ulps));
            if !good && wrong.len() < 4000 {
                let given: Vec<Scalar> = operands.iter().map(|values| values[index]).collect();
                wrong.push(format!("{name} {code} {given:?}: {our:?}, NumPy {their:?}"));
            }
        }
    }
    assert!(compared > 20_000, "the table was read");
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
}
