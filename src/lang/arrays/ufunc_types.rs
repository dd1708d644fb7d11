//! What a universal function tells of itself: the dtypes it takes and gives, its identity; and NumPy's methods that fold
//! or write by positions, which are written in the language (`_array_ufunc`).

use super::dtype::{as_dtype_object, dtype_value};
use super::operators::rules;
use super::ufunc::{Outputs, as_ufunc};
use crate::arrays::dtype::DType;
use crate::arrays::op::{Op, resolve};
use crate::lang::arrays::error::raised;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Members of the functions of every library.
pub const COMMON: &[Method] =
    &[getter("types", "Dtypes of operands and results of each loop, as `dd->d`.", |vm, args| {
        let (outputs, flavour) = this(vm, args)?;
        Ok(Value::list(loops(outputs, flavour).into_iter().map(Value::str).collect()))
    })];

/// Members of NumPy's functions only.
pub const OF_NUMPY: &[Method] = &[
    getter("ntypes", "How many loops there are.", |vm, args| {
        let (outputs, flavour) = this(vm, args)?;
        Ok(Value::from(loops(outputs, flavour).len()))
    }),
    getter("signature", "None: it works element by element.", |_, _| Ok(Value::None)),
    getter("identity", "What an empty reduction gives, None when there is no such value.", |vm, args| {
        Ok(identity(this(vm, args)?.0))
    }),
    method(
        "resolve_dtypes",
        "(self, dtypes, *, signature=None, casting=None, reduction=False)",
        "The dtypes that operands are cast to and results have.",
        resolve_dtypes,
    ),
    method(
        "accumulate",
        "(self, array, axis=0, dtype=None, out=None)",
        "The results of folding ever more elements of an axis.",
        |vm, args| written(vm, args, "accumulate", Some(2)),
    ),
    method(
        "at",
        "(self, a, indices, b=None, /)",
        "Writes at positions one after the other, repeated ones too.",
        |vm, args| written(vm, args, "at", None),
    ),
    method(
        "reduceat",
        "(self, array, indices, axis=0, dtype=None, out=None)",
        "Folds the stretches between positions of an axis.",
        |vm, args| written(vm, args, "reduceat", Some(3)),
    ),
];

fn this(vm: &Vm, args: Args) -> Fallible<(Outputs, ArrayFlavour)> {
    as_ufunc(args.peek(vm, 0))
        .map(|ufunc| (ufunc.outputs, ufunc.flavour))
        .ok_or_else(|| raise::type_error("expected a universal function"))
}

/// Calls what is written in the language; `axis` is the place of the parameter that is 0 where it is not given.
fn written(vm: &mut Vm, args: Args, name: &str, axis: Option<usize>) -> Fallible<Value> {
    let home = vm.import("_array_ufunc")?;
    let arguments: Vec<Value> = (0..args.count())
        .map(|index| match args.get(vm, index) {
            Value::Unset if axis == Some(index) => Value::Int(0),
            Value::Unset => Value::None,
            given => given,
        })
        .collect();
    vm.call_method(&home, Name::new(name), &arguments)
}

/// The loops: the dtypes for which no operand is cast, in the libraries' order.
fn loops(outputs: Outputs, flavour: ArrayFlavour) -> Vec<String> {
    let order: Vec<DType> = "?bBhHiIlLefdFD"
        .chars()
        .filter_map(|code| DType::ALL.into_iter().find(|dtype| dtype.char_code() == code))
        .collect();
    let arity = outputs.first().arity();
    let pairs: Vec<Vec<DType>> = match arity {
        1 => order.iter().map(|dtype| vec![*dtype]).collect(),
        _ => order.iter().flat_map(|a| order.iter().map(|b| vec![*a, *b])).collect(),
    };
    let results: Vec<Op> = match outputs {
        Outputs::One(op) => vec![op],
        Outputs::Two(first, second) => vec![first, second],
    };
    let mut found = Vec::new();
    for operands in pairs {
        let each: Option<Vec<DType>> = results
            .iter()
            .map(|op| {
                let chosen = resolve(*op, &operands, rules(flavour)).ok()?;
                (chosen.inputs[..arity] == operands[..]).then_some(chosen.output)
            })
            .collect();
        if let Some(given) = each {
            let codes = |dtypes: &[DType]| dtypes.iter().map(|dtype| dtype.char_code()).collect::<String>();
            found.push(format!("{}->{}", codes(&operands), codes(&given)));
        }
    }
    found
}

fn identity(outputs: Outputs) -> Value {
    let Outputs::One(op) = outputs else { return Value::None };
    match op {
        Op::Add | Op::BitwiseOr | Op::BitwiseXor | Op::Hypot | Op::Gcd => Value::Int(0),
        Op::Multiply => Value::Int(1),
        Op::BitwiseAnd => Value::Int(-1),
        Op::LogicalAnd => Value::Bool(true),
        Op::LogicalOr | Op::LogicalXor => Value::Bool(false),
        Op::Logaddexp | Op::Logaddexp2 => Value::Float(f64::NEG_INFINITY),
        _ => Value::None,
    }
}

fn resolve_dtypes(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (outputs, flavour) = this(vm, args)?;
    for (index, name) in [(2, "signature"), (4, "reduction")] {
        let given = args.not_none(vm, index);
        if given.is_some_and(|value| !matches!(value, Value::Bool(false))) {
            return Err(raise::not_implemented_error(format!("resolve_dtypes does not take {name}= here")));
        }
    }
    let dtypes = args.get(vm, 1);
    let given = vm.collect(&dtypes)?;
    let arity = outputs.first().arity();
    let results: Vec<Op> = match outputs {
        Outputs::One(op) => vec![op],
        Outputs::Two(first, second) => vec![first, second],
    };
    if given.len() != arity + results.len() {
        return Err(raise::value_error(format!(
            "resolve_dtypes: expected {} dtypes, None for results, got {}",
            arity + results.len(),
            given.len()
        )));
    }
    let operands = given[..arity]
        .iter()
        .map(|value| as_dtype_object(value).ok_or_else(|| raise::type_error("dtypes must be dtype instances")))
        .collect::<Fallible<Vec<DType>>>()?;
    let mut answer = Vec::new();
    for op in results {
        let chosen = resolve(op, &operands, rules(flavour)).map_err(raised)?;
        if answer.is_empty() {
            answer.extend(chosen.inputs[..arity].iter().map(|dtype| dtype_value(*dtype)));
        }
        answer.push(dtype_value(chosen.output));
    }
    Ok(Value::tuple(answer))
}
