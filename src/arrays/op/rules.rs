//! From the dtypes of the operands to the dtype that an operation computes in and the one it answers.
//!
//! NumPy's rule is a search: of the loops an operation has, in a fixed order, the first one to which every operand can
//! be cast safely. Families give that list; flavours differ in a few of them.

use super::{Family, Flavour, Op};
use crate::arrays::dtype::{Casting, DType};
use crate::arrays::error::ArrayError;
use DType::*;

/// What an operation computes in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The dtype each operand is cast to.
    pub inputs: [DType; 3],
    /// The dtype under which the kernel is found.
    pub compute: DType,
    /// The dtype of the answer.
    pub output: DType,
}

const INTEGERS: [DType; 8] = [Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64];
const REALS: [DType; 3] = [Float16, Float32, Float64];
const COMPLEX: [DType; 2] = [Complex64, Complex128];

fn first_safe(dtypes: &[DType], groups: &[&[DType]]) -> Option<DType> {
    groups
        .iter()
        .flat_map(|group| group.iter().copied())
        .find(|&loop_dtype| dtypes.iter().all(|dtype| dtype.can_cast(loop_dtype, Casting::Safe)))
}

/// The loop an operation uses for operands of these dtypes.
pub fn resolve(op: Op, dtypes: &[DType], flavour: Flavour) -> Result<Loop, ArrayError> {
    debug_assert_eq!(dtypes.len(), op.arity());
    if let Some(refusal) = refuse_bool(op, dtypes, flavour) {
        return Err(refusal);
    }
    search(op, dtypes, flavour).ok_or_else(|| unsupported(op, dtypes, flavour))
}

fn search(op: Op, dtypes: &[DType], flavour: Flavour) -> Option<Loop> {
    let boolean: &[DType] = &[Bool];
    let same = |dtype: DType| Loop { inputs: [dtype; 3], compute: dtype, output: dtype };
    let giving = |dtype: DType, output: DType| Loop { output, ..same(dtype) };
    let find = |groups: &[&[DType]]| first_safe(dtypes, groups);
    let numpy = flavour == Flavour::NumPy;
    let all_whole = dtypes.iter().all(|dtype| dtype.is_bool() || dtype.is_integer());
    Some(match op.family() {
        Family::Any => same(find(&[boolean, &INTEGERS, &REALS, &COMPLEX])?),
        Family::Number | Family::NumberWidened => same(find(&[&INTEGERS, &REALS, &COMPLEX])?),
        Family::Bits => same(find(&[boolean, &INTEGERS])?),
        Family::BitsWidened | Family::IntegerOnly => same(find(&[&INTEGERS])?),
        Family::Real => same(find(&[boolean, &INTEGERS, &REALS])?),
        Family::RealWidened => same(find(&[&INTEGERS, &REALS])?),
        Family::Inexact => same(find(&[&REALS, &COMPLEX])?),
        Family::Floating => same(find(&[&REALS])?),
        Family::TrueDivide if all_whole => same(Float64),
        Family::TrueDivide => same(find(&[&REALS, &COMPLEX])?),
        Family::FloatPower if numpy => same(find(&[&[Float64, Complex128]])?),
        Family::FloatPower => same(find(&[&[Float32, Float64, Complex64, Complex128]])?),
        Family::ToBool => giving(find(&[boolean, &INTEGERS, &REALS, &COMPLEX])?, Bool),
        Family::RealToBool => giving(find(&[boolean, &INTEGERS, &REALS])?, Bool),
        Family::RealPart => {
            let dtype = find(&[boolean, &INTEGERS, &REALS, &COMPLEX])?;
            giving(dtype, dtype.real_part())
        }
        Family::BitCount => giving(find(&[boolean, &INTEGERS])?, UInt8),
        Family::Angle if numpy && dtypes[0].is_bool() => same(Float64),
        Family::Angle => {
            let dtype = if numpy { find(&[&REALS, &COMPLEX])? } else { find(&[&REALS[1..], &COMPLEX])? };
            giving(dtype, dtype.real_part())
        }
        Family::SincLike if numpy && all_whole => same(Float64),
        Family::SincLike => same(find(&[&REALS, &COMPLEX])?),
        Family::BesselLike if numpy && all_whole => same(Float64),
        Family::BesselLike => same(find(&[&REALS])?),
        Family::RintLike if numpy => same(find(&[&REALS, &COMPLEX])?),
        Family::RintLike => same(find(&[&INTEGERS, &REALS, &COMPLEX])?),
        Family::ReciprocalLike if numpy => same(find(&[&INTEGERS, &REALS, &COMPLEX])?),
        Family::ReciprocalLike => same(find(&[&REALS, &COMPLEX])?),
        Family::FloatingToInt32 => giving(find(&[&REALS])?, Int32),
        Family::FloatAndInteger => {
            let float = first_safe(&dtypes[..1], &[&REALS])?;
            if !dtypes[1].can_cast(Int64, Casting::Safe) {
                return None;
            }
            Loop { inputs: [float, Int64, float], compute: float, output: float }
        }
        Family::Select => {
            let dtype = dtypes[1].promote(dtypes[2]);
            Loop { inputs: [Bool, dtype, dtype], compute: dtype, output: dtype }
        }
        Family::ToComplex => same(find(&[&COMPLEX])?),
    })
}

/// The operations that have no meaning for bool say so in words of their own.
fn refuse_bool(op: Op, dtypes: &[DType], flavour: Flavour) -> Option<ArrayError> {
    let refuses = matches!(op.family(), Family::Number | Family::IntegerOnly);
    if !refuses || !dtypes.iter().all(|dtype| dtype.is_bool()) {
        return None;
    }
    let message = match (flavour, op) {
        (Flavour::NumPy, Op::Subtract) => "numpy boolean subtract, the `-` operator, is not supported, use the \
             bitwise_xor, the `^` operator, or the logical_xor function instead."
            .to_string(),
        (Flavour::NumPy, Op::Negative) => "The numpy boolean negative, the `-` operator, is not supported, use the \
             `~` operator or the logical_not function instead."
            .to_string(),
        (Flavour::NumPy, _) => return Some(no_loop(op, dtypes)),
        (Flavour::Dpnp, Op::Subtract) => "The `subtract` function, the `-` operator, is not supported for inputs of \
             data type bool, use the `^` operator,  the `bitwise_xor`, or the `logical_xor` function instead"
            .to_string(),
        (Flavour::Dpnp, Op::Negative) => "The `negative` function, the `-` operator, is not supported for inputs of \
             data type bool, use the `~` operator or the `logical_not` function instead"
            .to_string(),
        (Flavour::Dpnp, Op::Gcd | Op::Lcm) => {
            return Some(ArrayError::value("The function is not supported for inputs of data type bool"));
        }
        (Flavour::Dpnp, _) => format!("The `{}` function is not supported for inputs of data type bool", op.name()),
    };
    Some(ArrayError::type_error(message))
}

fn class_name(dtype: DType) -> String {
    let name = match dtype {
        UInt8 | UInt16 | UInt32 | UInt64 => format!("UInt{}", dtype.bytes() * 8),
        other => {
            let mut letters = other.name().chars();
            letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
        }
    };
    format!("<class 'numpy.dtypes.{name}DType'>")
}

/// NumPy's words where its promotion found no common loop at all.
fn no_loop(op: Op, dtypes: &[DType]) -> ArrayError {
    let classes: Vec<String> = dtypes.iter().map(|&dtype| class_name(dtype)).collect();
    let signature = if classes.len() == 1 { classes[0].clone() } else { format!("({})", classes.join(", ")) };
    ArrayError::type_error(format!(
        "ufunc '{}' did not contain a loop with signature matching types {signature} -> None",
        op.name()
    ))
}

fn unsupported(op: Op, dtypes: &[DType], flavour: Flavour) -> ArrayError {
    match flavour {
        Flavour::NumPy if matches!(op, Op::Gcd | Op::Lcm) => no_loop(op, dtypes),
        Flavour::NumPy => ArrayError::type_error(format!(
            "ufunc '{}' not supported for the input types, and the inputs could not be safely coerced to any \
             supported types according to the casting rule ''safe''",
            op.name()
        )),
        Flavour::Dpnp => {
            let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
            let (types, inputs) = if names.len() == 1 { ("type", "input") } else { ("types", "inputs") };
            ArrayError::value(format!(
                "function '{}' does not support input {types} ({}), and the {inputs} could not be safely coerced to \
                 any supported types according to the casting rule ''safe''.",
                op.name(),
                names.join(", ")
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What NumPy 2.4 and dpnp 0.20 answer, recorded from the libraries: a function, and one character per dtype (or
    /// pair of dtypes, row by row) in the order of `ORDER`; `!` where they refuse.
    const RECORDED: &str = include_str!("recorded_dtypes.txt");
    const ORDER: &str = "?bhilBHILefdFD";

    fn by_code(code: char) -> DType {
        *DType::ALL.iter().find(|dtype| dtype.char_code() == code).expect("a dtype code of the table")
    }

    fn code_of(result: Result<Loop, ArrayError>) -> char {
        result.map_or('!', |found| found.output.char_code())
    }

    #[test]
    fn every_recorded_dtype_is_reproduced() {
        let dtypes: Vec<DType> = ORDER.chars().map(by_code).collect();
        let mut rows = 0;
        for line in RECORDED.lines() {
            let [flavour, name, expected] = line.split(' ').collect::<Vec<_>>()[..] else {
                panic!("malformed line {line}");
            };
            let flavour = if flavour == "numpy" { Flavour::NumPy } else { Flavour::Dpnp };
            let op = *Op::ALL.iter().find(|op| op.name() == name).expect("a name of the table");
            let found: String = if op.arity() == 1 {
                dtypes.iter().map(|&a| code_of(resolve(op, &[a], flavour))).collect()
            } else {
                dtypes
                    .iter()
                    .flat_map(|&a| dtypes.iter().map(move |&b| (a, b)))
                    .map(|(a, b)| code_of(resolve(op, &[a, b], flavour)))
                    .collect()
            };
            assert_eq!(found, expected, "{name} in {flavour:?}");
            rows += 1;
        }
        assert!(rows > 150, "the table covers both libraries");
    }

    #[test]
    fn refusals_speak_as_the_libraries_do() {
        let text = |op, dtypes: &[DType], flavour| resolve(op, dtypes, flavour).expect_err("refused").to_string();
        assert_eq!(
            text(Op::BitwiseAnd, &[Float64, Float64], Flavour::Dpnp),
            "function 'bitwise_and' does not support input types (float64, float64), and the inputs could not be safely \
             coerced to any supported types according to the casting rule ''safe''."
        );
        assert_eq!(
            text(Op::Sign, &[Bool], Flavour::NumPy),
            "ufunc 'sign' did not contain a loop with signature matching types <class 'numpy.dtypes.BoolDType'> -> None"
        );
    }
}
