//! `numpy.dtype` as an object of the language, and everything a program may pass where a dtype is meant.

use crate::arrays::dtype::DType;
use crate::lang::arrays::convert::class_path;
use crate::lang::arrays::error::raised;
use crate::lang::builtins::array_classes::{dtype_class, dtype_of_class, scalar_class};
use crate::lang::builtins::classes::{Builtin, attach, builtin_class};
use crate::lang::builtins::generic_alias;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A `numpy.dtype`.
#[derive(Debug)]
pub struct DTypeObject(pub DType);

impl NativeData for DTypeObject {
    fn class(&self) -> ClassRef {
        dtype_class()
    }
}

thread_local! {
    // `x.dtype is y.dtype` holds in NumPy, so each dtype has one object.
    static OBJECTS: Vec<Value> = DType::ALL.iter().map(|dtype| Value::object(DTypeObject(*dtype))).collect();
}

/// The object of a dtype; the same one every time.
pub fn dtype_value(dtype: DType) -> Value {
    OBJECTS.with(|objects| objects[dtype as usize].clone())
}

/// The dtype of a `numpy.dtype` object.
pub fn as_dtype_object(value: &Value) -> Option<DType> {
    match value {
        Value::Object(object) => object.downcast::<DTypeObject>().map(|object| object.0),
        _ => None,
    }
}

/// The dtype that a value names: a dtype object, a scalar class, `float`, `"f4"`; nothing for `None`.
pub fn dtype_argument(value: &Value) -> Fallible<Option<DType>> {
    if let Some(dtype) = as_dtype_object(value) {
        return Ok(Some(dtype));
    }
    match value {
        Value::Unset | Value::None => Ok(None),
        Value::Str(text) => match no_numbers(text.as_str()) {
            Some(reason) => Err(raise::type_error(reason)),
            None => DType::parse_named(text.as_str()).map(Some).map_err(raised),
        },
        Value::Class(class) => class_dtype(class).map(Some),
        Value::List(_) | Value::Dict(_) => Err(raise::type_error(RECORDS)),
        // A subarray `(base, shape)` or `(name, dtype)` belongs to records too.
        Value::Tuple(items) if items.items().len() == 2 => Err(raise::type_error(RECORDS)),
        other => Err(raise::type_error(format!("Cannot interpret '{}' as a data type", describe(other)))),
    }
}

const RECORDS: &str = "dtypes with fields are not supported: an array here holds numbers of one dtype. Keep each field in an \
                       array of its own (position = numpy.zeros((n, 2)); kind = numpy.zeros(n, int)), or records in a list of \
                       dataclass objects";
const TEXT: &str = "arrays of text are not supported: an array here holds numbers. Keep text in a list, and numbers for it in \
                    an array (names = sorted(set(words)); codes = numpy.array([names.index(word) for word in words]))";
const DATES: &str = "arrays of dates and times are not supported: an array here holds numbers. Keep days or seconds since a \
                     start in an int64 array, and the start as a datetime.date or datetime.datetime";
const OBJECTS_OF_PYTHON: &str = "arrays of objects are not supported: an array here holds numbers. Keep objects in a list; rows \
                                 of different lengths are a list of arrays";

/// Why a dtype of NumPy that holds no numbers is refused, and what to do instead.
fn no_numbers(text: &str) -> Option<&'static str> {
    let plain = text.trim_start_matches(['<', '>', '=', '|']);
    let (letter, rest) = plain.split_at(plain.len().min(1));
    let counted = rest.bytes().all(|byte| byte.is_ascii_digit());
    match letter {
        _ if text.contains(',') => Some(RECORDS),
        "U" | "S" | "a" if counted => Some(TEXT),
        _ if matches!(plain, "str" | "bytes" | "unicode" | "string") => Some(TEXT),
        "V" if counted => Some(RECORDS),
        _ if matches!(plain, "O" | "object") => Some(OBJECTS_OF_PYTHON),
        "M" | "m" if rest.starts_with('8') => Some(DATES),
        _ if plain.starts_with("datetime64") || plain.starts_with("timedelta64") => Some(DATES),
        _ => None,
    }
}

/// Why NumPy's arrays here cannot hold a value, and what to do instead.
pub fn why_not_held(value: &Value) -> String {
    match value {
        Value::Str(_) | Value::Bytes(_) => TEXT.to_owned(),
        other => format!("{OBJECTS_OF_PYTHON} (an element is of class '{}')", class_path(other)),
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Bool(truth) => if *truth { "True" } else { "False" }.to_owned(),
        other => format!("<{} object>", other.type_name()),
    }
}

fn class_dtype(class: &ClassRef) -> Fallible<DType> {
    if let Some(dtype) = dtype_of_class(class) {
        return Ok(dtype);
    }
    let is = |builtin| Ref::ptr_eq(class, &builtin_class(builtin));
    let dtype = if is(Builtin::Bool) {
        DType::Bool
    } else if is(Builtin::Int) {
        DType::Int64
    } else if is(Builtin::Float) {
        DType::Float64
    } else if is(Builtin::Complex) {
        DType::Complex128
    } else if is(Builtin::Str) || is(Builtin::Bytes) {
        return Err(raise::type_error(TEXT));
    } else if is(Builtin::Object) {
        return Err(raise::type_error(OBJECTS_OF_PYTHON));
    } else {
        let module = class.module.get().text();
        let name = class.qualname.borrow();
        let full = if module == "builtins" { name.to_string() } else { format!("{module}.{name}") };
        return Err(raise::type_error(format!("Cannot interpret '<class '{full}'>' as a data type")));
    };
    Ok(dtype)
}

/// Attaches the methods of `numpy.dtype`; once per thread.
pub fn install() {
    attach(&dtype_class(), METHODS);
    generic_alias::attach_to(&dtype_class());
}

fn of(vm: &Vm, args: Args, index: usize) -> Fallible<DType> {
    as_dtype_object(args.peek(vm, index))
        .ok_or_else(|| raise::type_error(format!("expected numpy.dtype, got {}", args.peek(vm, index).type_name())))
}

const METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, dtype, align=False, copy=False)",
        "The dtype that a name, class or dtype means.",
        new,
    ),
    method("__repr__", "(self)", "As `dtype('float64')`.", repr),
    method("__str__", "(self)", "The name.", str),
    method("__eq__", "(self, other, /)", "Whether both name one element type.", eq),
    method("__ne__", "(self, other, /)", "Whether they name different element types.", ne),
    method("__hash__", "(self)", "A hash that equal dtypes share.", hash),
    method("__lt__", "(self, other, /)", "Whether a cast to the other is safe and they differ.", lt),
    getter("name", "The name: `float64`.", |vm, args| Ok(Value::str(of(vm, args, 0)?.name()))),
    getter("str", "The array-protocol name: `<f8`.", |vm, args| Ok(Value::str(of(vm, args, 0)?.typestr()))),
    getter("char", "The one-letter code: `d`.", |vm, args| Ok(Value::str(of(vm, args, 0)?.char_code().to_string()))),
    getter("kind", "The kind: one of b, i, u, f, c.", |vm, args| Ok(Value::str(of(vm, args, 0)?.kind().to_string()))),
    getter("itemsize", "Bytes of one element.", |vm, args| Ok(Value::from(of(vm, args, 0)?.bytes()))),
    getter("alignment", "Alignment of one element in bytes.", |vm, args| {
        let dtype = of(vm, args, 0)?;
        Ok(Value::from(if dtype.is_complex() { dtype.bytes() / 2 } else { dtype.bytes() }))
    }),
    getter("byteorder", "Always native.", |vm, args| {
        Ok(Value::str(if of(vm, args, 0)?.bytes() == 1 { "|" } else { "=" }))
    }),
    getter("isnative", "Always true.", |vm, args| of(vm, args, 0).map(|_| Value::Bool(true))),
    getter("type", "The scalar class.", |vm, args| Ok(Value::Class(scalar_class(of(vm, args, 0)?)))),
    getter("num", "NumPy's number of the type.", |vm, args| Ok(Value::Int(of(vm, args, 0)?.number().into()))),
    getter("ndim", "Always 0.", |vm, args| of(vm, args, 0).map(|_| Value::Int(0))),
    getter("shape", "Always empty.", |vm, args| of(vm, args, 0).map(|_| Value::tuple(vec![]))),
    getter("names", "Always None: no structured types.", |vm, args| of(vm, args, 0).map(|_| Value::None)),
    getter("fields", "Always None: no structured types.", |vm, args| of(vm, args, 0).map(|_| Value::None)),
    getter("hasobject", "Always false.", |vm, args| of(vm, args, 0).map(|_| Value::Bool(false))),
    getter("base", "The dtype itself.", |vm, args| Ok(dtype_value(of(vm, args, 0)?))),
    getter("descr", "The name in a list, as files describe it.", |vm, args| {
        let pair = Value::tuple(vec![Value::str(""), Value::str(of(vm, args, 0)?.typestr())]);
        Ok(Value::list(vec![pair]))
    }),
    getter("flags", "Always 0.", |vm, args| of(vm, args, 0).map(|_| Value::Int(0))),
    getter("isbuiltin", "Always 1.", |vm, args| of(vm, args, 0).map(|_| Value::Int(1))),
    getter("isalignedstruct", "Always false: no structured types.", |vm, args| {
        of(vm, args, 0).map(|_| Value::Bool(false))
    }),
    getter("metadata", "Always None.", |vm, args| of(vm, args, 0).map(|_| Value::None)),
    getter("subdtype", "Always None: no structured types.", |vm, args| of(vm, args, 0).map(|_| Value::None)),
];

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let dtype = dtype_argument(args.peek(vm, 1))?;
    Ok(dtype_value(dtype.unwrap_or(DType::Float64)))
}

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(Value::str(format!("dtype('{}')", of(vm, args, 0)?.name())))
}

fn str(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(Value::str(of(vm, args, 0)?.name()))
}

fn same(vm: &Vm, args: Args) -> Fallible<bool> {
    let this = of(vm, args, 0)?;
    Ok(dtype_argument(args.peek(vm, 1)).ok().flatten() == Some(this))
}

fn eq(vm: &mut Vm, args: Args) -> Fallible<Value> {
    same(vm, args).map(Value::Bool)
}

fn ne(vm: &mut Vm, args: Args) -> Fallible<Value> {
    same(vm, args).map(|same| Value::Bool(!same))
}

fn hash(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(Value::Int(0x0064_7479_7065 + i64::from(of(vm, args, 0)?.number())))
}

fn lt(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let this = of(vm, args, 0)?;
    let Some(other) = dtype_argument(args.peek(vm, 1))? else { return Ok(Value::NotImplemented) };
    Ok(Value::Bool(this != other && this.can_cast(other, crate::arrays::dtype::Casting::Safe)))
}
