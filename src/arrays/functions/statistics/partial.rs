//! Means and variances over part of the elements, and about a mean that is already known.

use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};

/// Which elements count, along which axes, and how the result looks.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The elements that count; it broadcasts to the input. Nothing: all of them.
    pub mask: Option<Expr>,
    /// The axes that go; nothing: all.
    pub axes: Option<&'a [i64]>,
    /// Whether those axes stay with length one.
    pub keepdims: bool,
    /// The dtype asked for.
    pub dtype: Option<DType>,
    /// Whose rules apply.
    pub flavour: Flavour,
}

/// The arithmetic mean of the elements that count; of those that are not NaN with `skip_nan`. Where none counts it is NaN.
pub fn mean(input: &Expr, part: &Part<'_>, skip_nan: bool) -> Result<Array, ArrayError> {
    let (compute, output) = part.dtypes(input);
    let values = input.cast(compute);
    let mask = part.counted(&values, skip_nan)?;
    part.mean_of(&values, mask.as_ref(), part.keepdims)?.cast(output).evaluate()
}

/// The variance of the elements that count: squared distances from `mean`, or from their own where it is not given, over their
/// number less `ddof`. With `skip_nan` NaN does not count, and where no freedom is left the result is NaN.
pub fn variance(
    input: &Expr,
    part: &Part<'_>,
    mean: Option<&Expr>,
    ddof: f64,
    skip_nan: bool,
) -> Result<Expr, ArrayError> {
    let (compute, output) = part.dtypes(input);
    let values = input.cast(compute);
    let mask = part.counted(&values, skip_nan)?;
    let mean = match mean {
        Some(mean) => mean.clone(),
        None => Expr::array(&part.mean_of(&values, mask.as_ref(), true)?.evaluate()?),
    };
    let distance = apply(Op::Subtract, &[values.clone(), mean])?;
    let square = |side: Op| apply(Op::Square, &[apply(side, std::slice::from_ref(&distance))?]);
    let squares = match distance.dtype().is_complex() {
        true => apply(Op::Add, &[square(Op::Real)?, square(Op::Imag)?])?,
        false => apply(Op::Square, std::slice::from_ref(&distance))?,
    };
    let real = squares.dtype();
    let sum = part.sum(&squares, mask.as_ref(), part.keepdims)?;
    let freedom = apply(Op::Subtract, &[part.count(&values, mask.as_ref(), part.keepdims)?.cast(real), number(ddof)])?;
    let divisor = if skip_nan {
        let positive = apply(Op::Greater, &[freedom.clone(), number(0.0)])?;
        apply(Op::Where, &[positive, freedom, number(f64::NAN)])?
    } else {
        apply(Op::Maximum, &[freedom, number(0.0)])?
    };
    // A mean of a wider dtype gives its own to the result, unless one was asked for.
    let result = if part.dtype.is_none() && compute == output { real } else { output.real_part() };
    Ok(apply(Op::Divide, &[sum, divisor])?.cast(result))
}

impl Part<'_> {
    /// The dtypes of the computation and of the result: `float16` computes in `float32` and is rounded once.
    fn dtypes(&self, input: &Expr) -> (DType, DType) {
        let fp64 = input.place().is_none_or(crate::arrays::device::Place::fp64);
        let inexact = if input.dtype().is_inexact() { input.dtype() } else { DType::default_float(fp64) };
        let output = self.dtype.unwrap_or(inexact);
        (if output == DType::Float16 { DType::Float32 } else { output }, output)
    }

    /// The mask of what counts, broadcast to the values; nothing where everything does.
    fn counted(&self, values: &Expr, skip_nan: bool) -> Result<Option<Expr>, ArrayError> {
        let given = self.mask.as_ref().map(|mask| mask.cast(DType::Bool).broadcast_to(values.shape())).transpose()?;
        if !skip_nan || !values.dtype().is_inexact() {
            return Ok(given);
        }
        let number = apply(Op::LogicalNot, &[apply(Op::Isnan, std::slice::from_ref(values))?])?;
        Ok(Some(match given {
            Some(mask) => apply(Op::LogicalAnd, &[mask, number])?,
            None => number,
        }))
    }

    fn sum(&self, values: &Expr, mask: Option<&Expr>, keepdims: bool) -> Result<Expr, ArrayError> {
        let values = match mask {
            Some(mask) => {
                let nothing = Expr::scalar(Operand::Typed(Scalar::Float(0.0).cast(values.dtype()), values.dtype()));
                apply(Op::Where, &[mask.clone(), values.clone(), nothing])?
            }
            None => values.clone(),
        };
        let sum = values.reduce(ReduceOp::Sum, self.axes, keepdims, Some(values.dtype()), self.flavour)?;
        Ok(Expr::array(&sum.evaluate()?))
    }

    fn count(&self, values: &Expr, mask: Option<&Expr>, keepdims: bool) -> Result<Expr, ArrayError> {
        if let Some(mask) = mask {
            let count = mask.reduce(ReduceOp::CountNonzero, self.axes, keepdims, None, self.flavour)?;
            return Ok(Expr::array(&count.evaluate()?));
        }
        let result = values.reduce(ReduceOp::Any, self.axes, keepdims, None, self.flavour)?;
        let kept: usize = result.shape().iter().product();
        let count = values.len_elements().checked_div(kept).unwrap_or(0);
        Ok(Expr::constant(Scalar::Int(count as i128), DType::Int64))
    }

    fn mean_of(&self, values: &Expr, mask: Option<&Expr>, keepdims: bool) -> Result<Expr, ArrayError> {
        let count = self.count(values, mask, keepdims)?.cast(values.dtype().real_part());
        apply(Op::Divide, &[self.sum(values, mask, keepdims)?, count])
    }
}

fn apply(op: Op, inputs: &[Expr]) -> Result<Expr, ArrayError> {
    Expr::apply(op, inputs, Flavour::NumPy)
}

fn number(value: f64) -> Expr {
    Expr::scalar(Operand::Weak(Scalar::Float(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::array::Alloc;

    fn part(mask: Option<&Array>) -> Part<'_> {
        let mask = mask.map(Expr::array);
        Part { mask, axes: Some(&[1]), keepdims: false, dtype: None, flavour: Flavour::NumPy }
    }

    fn numbers(array: &Array) -> Vec<f64> {
        crate::arrays::functions::support::reals(array).expect("real numbers").to_vec()
    }

    #[test]
    fn only_elements_that_count_enter_the_mean_and_the_spread() {
        let values = Array::from_slice(&[1.0, 2.0, 30.0, 4.0, f64::NAN, 6.0], &[2, 3], &Alloc::HOST).expect("memory");
        let mask = Array::from_slice(&[true, true, false, true, true, true], &[2, 3], &Alloc::HOST).expect("memory");
        let values = Expr::array(&values);
        let plain = numbers(&mean(&values, &part(Some(&mask)), false).expect("a mean"));
        assert_eq!(plain[0], 1.5);
        assert!(plain[1].is_nan());
        assert_eq!(numbers(&mean(&values, &part(Some(&mask)), true).expect("a mean")), [1.5, 5.0]);
        let spread = variance(&values, &part(Some(&mask)), None, 1.0, true).expect("a variance");
        assert_eq!(numbers(&spread.evaluate().expect("a variance")), [0.5, 2.0]);
    }

    #[test]
    fn a_given_mean_replaces_the_own_one() {
        let values = Array::from_slice(&[1.0, 2.0, 3.0, 4.0], &[1, 4], &Alloc::HOST).expect("memory");
        let about_zero = variance(&Expr::array(&values), &part(None), Some(&number(0.0)), 0.0, false);
        assert_eq!(numbers(&about_zero.expect("a variance").evaluate().expect("a variance")), [7.5]);
    }
}
