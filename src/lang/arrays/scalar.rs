//! NumPy scalars as objects: `numpy.float64(1.0)`, their attributes, conversions and display. Their operators are those of
//! arrays.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::functions::print;
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::convert::{array_value, python_value, scalar_of, scalar_value};
use crate::lang::arrays::dtype::dtype_value;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, operators};
use crate::lang::builtins::array_classes::{ScalarFamily, array_class, dtype_of_class, family_class, scalar_class};
use crate::lang::builtins::classes::attach;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ArrayFlavour, NumpyScalar};
use crate::lang::operators::CompareOperator;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Attaches the methods of scalars; once per thread.
pub fn install() {
    attach(&family_class(ScalarFamily::Generic), METHODS);
    for dtype in DType::ALL {
        // Each class of its own, because float64 and complex128 also derive from Python's classes, whose methods come first.
        attach(&scalar_class(dtype), METHODS);
        if dtype.is_integer() {
            attach(&scalar_class(dtype), OF_INTEGERS);
        }
    }
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, value=0, /)", "A scalar of this type.", new),
    method("__repr__", "(self)", "As `np.float64(1.0)`.", |vm, args| {
        let scalar = this(vm, args)?;
        Ok(Value::str(print::scalar_repr(scalar.value, scalar.dtype)))
    }),
    method("__str__", "(self)", "As the Python number prints.", |vm, args| {
        let scalar = this(vm, args)?;
        Ok(Value::str(print::scalar_str(scalar.value, scalar.dtype)))
    }),
    method("__format__", "(self, spec, /)", "As the Python number formats.", |vm, args| {
        let spec = args.text(vm, 1, "format() argument 2")?;
        let number = python_value(this(vm, args)?.value);
        if spec.is_empty() {
            let scalar = args.get(vm, 0);
            return Ok(Value::str(&*vm.str(&scalar)?));
        }
        Ok(Value::str(&*vm.format(&number, &spec)?))
    }),
    method("__hash__", "(self)", "The hash of the Python number.", |vm, args| {
        let number = python_value(this(vm, args)?.value);
        vm.hash(&number).map(Value::Int)
    }),
    method("__bool__", "(self)", "Whether it is not zero.", |vm, args| Ok(Value::Bool(this(vm, args)?.value.truth()))),
    method("__int__", "(self)", "As a Python int.", |vm, args| {
        let number = python_value(this(vm, args)?.value);
        match number {
            Value::Bool(truth) => Ok(Value::Int(i64::from(truth))),
            Value::Float(_) => vm.call_method(&number, names::INT, &[]),
            Value::Complex(_) => Err(raise::type_error("int() argument must be a real number, not 'complex'")),
            other => Ok(other),
        }
    }),
    method("__float__", "(self)", "As a Python float.", |vm, args| match this(vm, args)?.value {
        Scalar::Complex(_) => Err(raise::type_error("float() argument must be a real number, not 'complex'")),
        other => Ok(Value::Float(other.real())),
    }),
    method("__complex__", "(self)", "As a Python complex.", |vm, args| {
        let value = this(vm, args)?.value.complex();
        Ok(Value::complex(value.re, value.im))
    }),
    method("__index__", "(self)", "As an index; integers only.", |vm, args| {
        let scalar = this(vm, args)?;
        if !scalar.dtype.is_integer() {
            let name = scalar.dtype.name();
            return Err(raise::type_error(format!("'numpy.{name}' object cannot be interpreted as an integer")));
        }
        Ok(python_value(scalar.value))
    }),
    method("__abs__", "(self)", "The absolute value.", |vm, args| {
        let scalar = args.get(vm, 0);
        operators::elementwise(vm, crate::arrays::op::Op::Absolute, &[scalar], None)
    }),
    method("__round__", "(self, ndigits=None, /)", "Rounded as Python rounds.", |vm, args| {
        let dtype = this(vm, args)?.dtype;
        let number = python_value(this(vm, args)?.value);
        let digits = args.not_none(vm, 1);
        let arguments: Vec<Value> = digits.iter().cloned().collect();
        let rounded = vm.call_method(&number, names::ROUND, &arguments)?;
        match scalar_of(&rounded)? {
            Some(operand) if digits.is_some() => Ok(scalar_value(Operand::Typed(operand.scalar(), dtype))),
            _ => Ok(rounded),
        }
    }),
    method("__eq__", "(self, other, /)", "Whether both are equal.", |vm, args| {
        compare(vm, args, CompareOperator::Equal)
    }),
    method("__ne__", "(self, other, /)", "Whether they differ.", |vm, args| {
        compare(vm, args, CompareOperator::NotEqual)
    }),
    method("__lt__", "(self, other, /)", "Whether it is smaller.", |vm, args| compare(vm, args, CompareOperator::Less)),
    method("__le__", "(self, other, /)", "Whether it is smaller or equal.", |vm, args| {
        compare(vm, args, CompareOperator::LessEqual)
    }),
    method("__gt__", "(self, other, /)", "Whether it is larger.", |vm, args| {
        compare(vm, args, CompareOperator::Greater)
    }),
    method("__ge__", "(self, other, /)", "Whether it is larger or equal.", |vm, args| {
        compare(vm, args, CompareOperator::GreaterEqual)
    }),
    method("item", "(self)", "As a Python number.", |vm, args| Ok(python_value(this(vm, args)?.value))),
    method("tolist", "(self)", "As a Python number.", |vm, args| Ok(python_value(this(vm, args)?.value))),
    method("conjugate", "(self)", "The complex conjugate.", conjugate),
    method("conj", "(self)", "The complex conjugate.", conjugate),
    method("astype", "(self, dtype, **kwargs)", "Converted to another type.", |vm, args| {
        let value = this(vm, args)?.value;
        let dtype = crate::lang::arrays::dtype::dtype_argument(args.peek(vm, 1))?.unwrap_or(DType::Float64);
        Ok(scalar_value(Operand::Typed(value.cast(dtype), dtype)))
    }),
    getter("dtype", "The type.", |vm, args| Ok(dtype_value(this(vm, args)?.dtype))),
    getter("shape", "Always empty.", |vm, args| this(vm, args).map(|_| Value::tuple(vec![]))),
    getter("ndim", "Always 0.", |vm, args| this(vm, args).map(|_| Value::Int(0))),
    getter("size", "Always 1.", |vm, args| this(vm, args).map(|_| Value::Int(1))),
    getter("base", "None: a scalar is nobody's view.", |_, _| Ok(Value::None)),
    getter("itemsize", "Bytes of the value.", |vm, args| Ok(Value::from(this(vm, args)?.dtype.bytes()))),
    getter("nbytes", "Bytes of the value.", |vm, args| Ok(Value::from(this(vm, args)?.dtype.bytes()))),
    getter("real", "The real part.", |vm, args| {
        let scalar = this(vm, args)?;
        let dtype = scalar.dtype.real_part();
        Ok(scalar_value(match scalar.value {
            Scalar::Complex(value) => Operand::Typed(Scalar::Float(value.re), dtype),
            other => Operand::Typed(other, dtype),
        }))
    }),
    getter("imag", "The imaginary part.", |vm, args| {
        let scalar = this(vm, args)?;
        let dtype = scalar.dtype.real_part();
        Ok(scalar_value(match scalar.value {
            Scalar::Complex(value) => Operand::Typed(Scalar::Float(value.im), dtype),
            _ => Operand::Typed(Scalar::Int(0).cast(dtype), dtype),
        }))
    }),
    getter("T", "The scalar itself.", |vm, args| Ok(args.get(vm, 0))),
];

const OF_INTEGERS: &[Method] = &[
    getter("numerator", "The number itself.", |vm, args| Ok(args.get(vm, 0))),
    getter("denominator", "One, of the same type.", |vm, args| {
        let dtype = this(vm, args)?.dtype;
        Ok(scalar_value(Operand::Typed(Scalar::Int(1), dtype)))
    }),
    method("is_integer", "(self)", "Always true.", |_, _| Ok(Value::Bool(true))),
    method("bit_count", "(self)", "How many bits of the absolute value are set.", |vm, args| {
        let scalar = args.get(vm, 0);
        operators::elementwise(vm, crate::arrays::op::Op::BitwiseCount, &[scalar], None)
    }),
];

/// Attributes of arrays that a scalar, which cannot be written, does not share.
const WRITING: &[&str] = &["fill", "put", "sort", "partition", "setflags", "itemset", "resize"];

/// An attribute that scalars share with arrays: that of a 0-d array with the scalar's value. Nothing for other objects.
pub fn as_array_attribute(vm: &mut Vm, object: &Value, name: Name) -> Fallible<Option<Value>> {
    let Value::Scalar(scalar) = object else { return Ok(None) };
    if WRITING.contains(&name.text()) || name.text().ends_with("setter") {
        return Ok(None);
    }
    if array_class(ArrayFlavour::NumPy).lookup(name).is_none() {
        return Ok(None);
    }
    let array = Array::from_scalar(scalar.value, scalar.dtype, &Alloc::HOST).map_err(raised)?;
    vm.get_attribute(&array_value(ArrayFlavour::NumPy, array), name).map(Some)
}

fn this(vm: &Vm, args: Args) -> Fallible<&NumpyScalar> {
    match args.peek(vm, 0) {
        Value::Scalar(scalar) => Ok(scalar),
        other => Err(raise::type_error(format!("expected a NumPy scalar, got {}", other.type_name()))),
    }
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Class(class) = args.get(vm, 0) else { return Err(raise::type_error("expected a class")) };
    let Some(dtype) = dtype_of_class(&class) else {
        let name = class.name.get();
        return Err(raise::type_error(format!("cannot create 'numpy.{name}' instances")));
    };
    let Some(value) = args.optional(vm, 1) else {
        return Ok(scalar_value(Operand::Typed(Scalar::Int(0).cast(dtype), dtype)));
    };
    if let Some(operand) = scalar_of(&value)? {
        let scalar = match operand {
            Operand::Weak(scalar @ Scalar::Int(_)) if dtype.is_integer() => scalar.convert(dtype).map_err(raised)?,
            other => other.scalar().cast(dtype),
        };
        return Ok(scalar_value(Operand::Typed(scalar, dtype)));
    }
    if let Value::Str(_) = &value {
        let number = if dtype.is_integer() {
            vm.call(
                &Value::Class(crate::lang::builtins::classes::builtin_class(
                    crate::lang::builtins::classes::Builtin::Int,
                )),
                &[value],
            )?
        } else {
            vm.call(
                &Value::Class(crate::lang::builtins::classes::builtin_class(
                    crate::lang::builtins::classes::Builtin::Float,
                )),
                &[value],
            )?
        };
        let scalar = scalar_of(&number)?.map_or(Scalar::Int(0), Operand::scalar);
        return Ok(scalar_value(Operand::Typed(scalar.convert(dtype).map_err(raised)?, dtype)));
    }
    let host = nested::host_array_of(vm, &value, Some(dtype))?;
    crate::lang::arrays::convert::result_value(crate::lang::objects::ArrayFlavour::NumPy, host)
}

fn compare(vm: &mut Vm, args: Args, operator: CompareOperator) -> Fallible<Value> {
    let (a, b) = (args.get(vm, 0), args.get(vm, 1));
    Ok(operators::compare(vm, operator, &a, &b)?.unwrap_or(Value::NotImplemented))
}

fn conjugate(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let scalar = this(vm, args)?;
    let value = match scalar.value {
        Scalar::Complex(value) => Scalar::Complex(value.conj()),
        other => other,
    };
    Ok(Value::Scalar(Ref::new(NumpyScalar::new(value, scalar.dtype))))
}
