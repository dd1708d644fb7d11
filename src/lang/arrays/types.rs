//! What NumPy tells about types: `finfo`, `iinfo`, `issubdtype`, and the print options.

use std::cell::RefCell;

use crate::arrays::dtype::DType;
use crate::arrays::functions::print::{self, PrintOptions};
use crate::arrays::scalar::{Operand, Scalar, integer_range};
use crate::lang::arrays::call::{Call, FLAVOURS, for_flavour};
use crate::lang::arrays::convert::scalar_value;
use crate::lang::arrays::dtype::{as_dtype_object, dtype_argument, dtype_value};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::printing;
use crate::lang::builtins::array_classes::{ScalarFamily, dtype_of_class, family_class, scalar_class};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ArrayFlavour, ClassObject, ClassRef, DictObject, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method("issubdtype", "(arg1, arg2, /)", "Whether a type is, or derives from, another.", |vm, args| {
        let (one, other) = (args.get(vm, 0), args.get(vm, 1));
        let (one, other) = (type_class(&one)?, type_class(&other)?);
        Ok(Value::Bool(ClassObject::is_subclass_of(&one, &other)))
    }),
    method("isdtype", "(dtype, kind, /)", "Whether a dtype is of a kind of the array API.", is_dtype),
    method("iterable", "(y)", "Whether a value can be iterated over.", |vm, args| {
        let value = args.get(vm, 0);
        Ok(Value::Bool(vm.iter(&value).is_ok()))
    }),
    method(
        "set_printoptions",
        "(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None, \
         formatter=None, sign=None, floatmode=None)",
        "How arrays print from now on.",
        |vm, args| {
            let options = changed(vm, args, 0)?;
            // As in NumPy a call without formatter= takes the former one away.
            let formatter = formatter_argument(vm, args, 7)?;
            printing::replace(options);
            printing::replace_formatter(vm, formatter)?;
            Ok(Value::None)
        },
    ),
    method("get_printoptions", "()", "How arrays print now.", |vm, _| {
        let options = printing::options();
        let formatter = printing::formatter(vm)?;
        let dict = Ref::new(DictObject::default());
        for (name, value) in [
            ("edgeitems", Value::from(options.edgeitems)),
            ("threshold", Value::from(options.threshold)),
            ("floatmode", Value::str(options.floatmode.name())),
            ("precision", Value::from(options.precision)),
            ("suppress", Value::Bool(options.suppress)),
            ("linewidth", Value::from(options.linewidth)),
            ("nanstr", Value::str(options.nanstr)),
            ("infstr", Value::str(options.infstr)),
            ("sign", Value::str(options.sign.name())),
            ("formatter", formatter),
            ("legacy", Value::Bool(false)),
            ("override_repr", Value::None),
        ] {
            vm.dict_set(&dict, Value::str(name), value)?;
        }
        Ok(Value::Dict(dict))
    }),
    method(
        "array2string",
        "(a, max_line_width=None, precision=None, suppress_small=None, separator=' ', prefix='', *, formatter=None, \
         threshold=None, edgeitems=None, sign=None, floatmode=None, suffix='')",
        "An array as text.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let mut options = printing::options();
            if let Some(width) = args.not_none(vm, 1) {
                options.linewidth = count(vm, &width)?;
            }
            if let Some(precision) = args.not_none(vm, 2) {
                options.precision = count(vm, &precision)?;
            }
            if let Some(suppress) = args.not_none(vm, 3) {
                options.suppress = vm.truth(&suppress)?;
            }
            if let Some(threshold) = args.not_none(vm, 7) {
                options.threshold = count(vm, &threshold)?;
            }
            if let Some(edgeitems) = args.not_none(vm, 8) {
                options.edgeitems = count(vm, &edgeitems)?;
            }
            shape_of_numbers(vm, args, 9, &mut options)?;
            let formatter = match args.not_none(vm, 6) {
                Some(_) => Some(formatter_argument(vm, args, 6)?),
                None => None,
            };
            let words = printing::words(vm, &array, &options, formatter)?;
            let (separator, prefix) = (call.text_or(vm, 4, " ")?, call.text_or(vm, 5, "")?);
            let suffix = call.text_or(vm, 11, "")?;
            print::array2string(&array, &options, &separator, &prefix, &suffix, words).map(Value::str).map_err(raised)
        },
    ),
    method(
        "array_repr",
        "(arr, max_line_width=None, precision=None, suppress_small=None)",
        "As repr prints an array.",
        |vm, args| {
            let array = args.get(vm, 0);
            Ok(Value::str(&*vm.repr(&array)?))
        },
    ),
    method(
        "array_str",
        "(a, max_line_width=None, precision=None, suppress_small=None)",
        "As str prints an array.",
        |vm, args| {
            let array = args.get(vm, 0);
            Ok(Value::str(&*vm.str(&array)?))
        },
    ),
];

/// Classes that stand beside the functions: `finfo`, `iinfo`, `printoptions`.
pub fn classes(library: ArrayFlavour) -> [(&'static str, ClassRef); 3] {
    thread_local! {
        static CLASSES: [ClassRef; 4] = {
            let object = builtin_class(Builtin::Object);
            let floats = |home, library: ArrayFlavour| {
                let methods: Vec<Method> = FLOAT_METHODS.iter().map(|line| for_flavour(line, library)).collect();
                define_class("finfo", home, &object, PayloadKind::Sealed, &methods)
            };
            [
                floats("numpy", ArrayFlavour::NumPy),
                floats("dpnp.tensor._data_types", ArrayFlavour::Dpnp),
                define_class("iinfo", "numpy", &object, PayloadKind::Sealed, INTEGER_METHODS),
                define_class("printoptions", "numpy", &object, PayloadKind::Sealed, SCOPE_METHODS),
            ]
        };
    }
    CLASSES.with(|[numpy, dpnp, integer, scope]| {
        let float = if library == ArrayFlavour::NumPy { numpy } else { dpnp };
        [("finfo", float.clone()), ("iinfo", integer.clone()), ("printoptions", scope.clone())]
    })
}

fn type_class(value: &Value) -> Fallible<ClassRef> {
    if let Some(dtype) = as_dtype_object(value) {
        return Ok(scalar_class(dtype));
    }
    match value {
        Value::Class(class) if dtype_of_class(class).is_some() => Ok(class.clone()),
        Value::Class(class) => {
            let is = |builtin| Ref::ptr_eq(class, &builtin_class(builtin));
            Ok(if is(Builtin::Float) {
                family_class(ScalarFamily::Floating)
            } else if is(Builtin::Int) {
                family_class(ScalarFamily::SignedInteger)
            } else if is(Builtin::Complex) {
                family_class(ScalarFamily::ComplexFloating)
            } else if is(Builtin::Bool) {
                scalar_class(DType::Bool)
            } else {
                class.clone()
            })
        }
        other => match dtype_argument(other)? {
            Some(dtype) => Ok(scalar_class(dtype)),
            None => Err(raise::type_error("Cannot interpret 'None' as a data type")),
        },
    }
}

fn is_dtype(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Some(dtype) = dtype_argument(args.peek(vm, 0))? else {
        return Err(raise::type_error("dtype argument must be a NumPy dtype"));
    };
    let kind = args.get(vm, 1);
    let kinds = if let Value::Tuple(kinds) = &kind { kinds.items().to_vec() } else { vec![kind] };
    for kind in kinds {
        let matches = match kind.as_str() {
            Some("bool") => dtype.is_bool(),
            Some("signed integer") => dtype.kind() == 'i',
            Some("unsigned integer") => dtype.kind() == 'u',
            Some("integral") => dtype.is_integer(),
            Some("real floating") => dtype.is_float(),
            Some("complex floating") => dtype.is_complex(),
            Some("numeric") => !dtype.is_bool(),
            Some(other) => {
                return Err(raise::value_error(format!(
                    "kind argument is a string, but '{other}' is not a known kind name."
                )));
            }
            None => dtype_argument(&kind)? == Some(dtype),
        };
        if matches {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn count(vm: &mut Vm, value: &Value) -> Fallible<usize> {
    if let Value::Float(number) = value
        && number.is_infinite()
    {
        return Ok(usize::MAX);
    }
    usize::try_from(vm.index(value)?).map_err(|_| raise::value_error("print options must not be negative"))
}

/// `formatter=`: a dict of functions by kinds of numbers, or `None`.
fn formatter_argument(vm: &mut Vm, args: Args, index: usize) -> Fallible<Value> {
    match args.not_none(vm, index) {
        None => Ok(Value::None),
        Some(formatter @ Value::Dict(_)) => Ok(formatter),
        Some(other) => Err(raise::type_error(format!(
            "formatter must be a dict of functions, such as {{'float': '{{:.2f}}'.format}}, not '{}'",
            other.type_name()
        ))),
    }
}

/// `sign=` and `floatmode=`, which stand side by side.
fn shape_of_numbers(vm: &mut Vm, args: Args, first: usize, options: &mut PrintOptions) -> Fallible<()> {
    if let Some(sign) = args.not_none(vm, first) {
        let sign = vm.str(&sign)?;
        options.sign = print::SignMode::parse(&sign)
            .ok_or_else(|| raise::value_error("sign option must be one of ' ', '+', or '-'"))?;
    }
    if let Some(mode) = args.not_none(vm, first + 1) {
        let mode = vm.str(&mode)?;
        options.floatmode = print::FloatMode::parse(&mode).ok_or_else(|| {
            raise::value_error("floatmode option must be one of 'fixed', 'unique', 'maxprec', 'maxprec_equal'")
        })?;
    }
    Ok(())
}

/// The options in force with those of a call changed.
fn changed(vm: &mut Vm, args: Args, first: usize) -> Fallible<PrintOptions> {
    let mut options = printing::options();
    let given = |vm: &Vm, index: usize| args.not_none(vm, first + index);
    if let Some(precision) = given(vm, 0) {
        options.precision = count(vm, &precision)?;
    }
    if let Some(threshold) = given(vm, 1) {
        options.threshold = count(vm, &threshold)?;
    }
    if let Some(edgeitems) = given(vm, 2) {
        options.edgeitems = count(vm, &edgeitems)?;
    }
    if let Some(linewidth) = given(vm, 3) {
        options.linewidth = count(vm, &linewidth)?;
    }
    if let Some(suppress) = given(vm, 4) {
        options.suppress = vm.truth(&suppress)?;
    }
    if let Some(text) = given(vm, 5) {
        options.nanstr = vm.str(&text)?.to_string();
    }
    if let Some(text) = given(vm, 6) {
        options.infstr = vm.str(&text)?.to_string();
    }
    shape_of_numbers(vm, args, first + 8, &mut options)?;
    Ok(options)
}

/// `with printoptions(...):`
#[derive(Debug)]
struct OptionsScope {
    options: PrintOptions,
    formatter: RefCell<Value>,
    former: RefCell<Option<(PrintOptions, Value)>>,
}

impl NativeData for OptionsScope {
    fn class(&self) -> ClassRef {
        classes(ArrayFlavour::NumPy)[2].1.clone()
    }

    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Callable, &self.formatter.borrow());
        if let Some((_, formatter)) = &*self.former.borrow() {
            visit(Edge::Callable, formatter);
        }
    }

    fn take_children(&self, into: &mut Vec<Value>) {
        into.push(self.formatter.replace(Value::None));
        into.extend(self.former.take().map(|former| former.1));
    }
}

const SCOPE_METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None, \
         formatter=None, sign=None, floatmode=None)",
        "A block in which arrays print differently.",
        |vm, args| {
            let options = changed(vm, args, 1)?;
            let formatter = RefCell::new(formatter_argument(vm, args, 8)?);
            Ok(Value::object(OptionsScope { options, formatter, former: RefCell::default() }))
        },
    ),
    method("__enter__", "(self)", "Begins the block.", |vm, args| {
        let own = args.get(vm, 0);
        if let Value::Object(object) = &own
            && let Some(scope) = object.downcast::<OptionsScope>()
        {
            let formatter = scope.formatter.borrow().clone();
            let former = (printing::replace(scope.options.clone()), printing::replace_formatter(vm, formatter)?);
            drop(scope.former.replace(Some(former)));
        }
        Ok(own)
    }),
    method("__exit__", "(self, *args)", "Ends the block.", |vm, args| {
        let own = args.get(vm, 0);
        if let Value::Object(object) = &own
            && let Some(scope) = object.downcast::<OptionsScope>()
            && let Some((options, formatter)) = scope.former.take()
        {
            printing::replace(options);
            printing::replace_formatter(vm, formatter)?;
        }
        Ok(Value::Bool(false))
    }),
];

/// `finfo` or `iinfo` of a dtype.
#[derive(Debug)]
struct Limits {
    dtype: DType,
    /// Whose numbers are asked for: NumPy gives its scalars, dpnp plain floats.
    library: ArrayFlavour,
}

impl NativeData for Limits {
    fn class(&self) -> ClassRef {
        classes(self.library)[usize::from(self.dtype.is_integer())].1.clone()
    }
}

fn limits_library(vm: &Vm, args: Args) -> ArrayFlavour {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<Limits>().map_or(ArrayFlavour::NumPy, |limits| limits.library),
        _ => ArrayFlavour::NumPy,
    }
}

fn limits(vm: &Vm, args: Args) -> Fallible<DType> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<Limits>().map(|limits| limits.dtype),
        _ => None,
    }
    .ok_or_else(|| raise::type_error("expected finfo or iinfo"))
}

fn dtype_of(vm: &Vm, args: Args) -> Fallible<DType> {
    let value = args.peek(vm, 1);
    Ok(match value {
        Value::Array(array) => array.dtype(),
        Value::Scalar(scalar) => scalar.dtype,
        Value::Float(_) => DType::Float64,
        Value::Int(_) => DType::Int64,
        other => dtype_argument(other)?.unwrap_or(DType::Float64),
    })
}

/// Mantissa bits, smallest normal exponent and largest finite value of a real float.
fn float_facts(dtype: DType) -> (i32, i32, f64) {
    match dtype {
        DType::Float16 => (10, -14, 65504.0),
        DType::Float32 => (23, -126, f64::from(f32::MAX)),
        _ => (52, -1022, f64::MAX),
    }
}

fn float_number(vm: &Vm, args: Args, pick: fn(i32, i32, f64) -> f64) -> Fallible<Value> {
    let dtype = limits(vm, args)?;
    let (bits, smallest, largest) = float_facts(dtype);
    let value = pick(bits, smallest, largest);
    Ok(match limits_library(vm, args) {
        ArrayFlavour::NumPy => scalar_value(Operand::Typed(Scalar::Float(value), dtype)),
        ArrayFlavour::Dpnp | ArrayFlavour::Tensor => Value::Float(value),
    })
}

/// A whole number from the mantissa's bits, the smallest exponent and all bits.
fn float_count(vm: &Vm, args: Args, pick: fn(i32, i32, i32) -> i32) -> Fallible<Value> {
    let dtype = limits(vm, args)?;
    let (bits, smallest, _) = float_facts(dtype);
    Ok(Value::Int(i64::from(pick(bits, smallest, dtype.bytes() as i32 * 8))))
}

const FLOAT_METHODS: &[Method] = &[
    static_method("__new__", "(cls, dtype, /)", "The limits of a float type.", |vm, args| {
        let dtype = dtype_of(vm, args)?;
        if !dtype.is_inexact() {
            return Err(raise::value_error(format!("data type <class 'numpy.{}'> not inexact", dtype.name())));
        }
        Ok(Value::object(Limits { dtype: dtype.real_part(), library: FLAVOURS[args.row.min(2)] }))
    }),
    method("__repr__", "(self)", "Resolution and ends.", |vm, args| {
        let dtype = limits(vm, args)?;
        let (_, _, largest) = float_facts(dtype);
        let text = |value: f64| print::scalar_str(Scalar::Float(value), dtype);
        let resolution = match dtype {
            DType::Float16 => "0.001",
            DType::Float32 => "1e-06",
            _ => "1e-15",
        };
        Ok(Value::str(format!(
            "finfo(resolution={resolution}, min={}, max={}, dtype={})",
            text(-largest),
            text(largest),
            dtype.name()
        )))
    }),
    getter("eps", "Distance from 1 to the next number.", |vm, args| {
        float_number(vm, args, |bits, _, _| 2f64.powi(-bits))
    }),
    getter("epsneg", "Distance from 1 to the number below.", |vm, args| {
        float_number(vm, args, |bits, _, _| 2f64.powi(-bits - 1))
    }),
    getter("max", "Largest number.", |vm, args| float_number(vm, args, |_, _, largest| largest)),
    getter("min", "Smallest number.", |vm, args| float_number(vm, args, |_, _, largest| -largest)),
    getter("tiny", "Smallest positive normal number.", |vm, args| {
        float_number(vm, args, |_, smallest, _| 2f64.powi(smallest))
    }),
    getter("smallest_normal", "Smallest positive normal number.", |vm, args| {
        float_number(vm, args, |_, smallest, _| 2f64.powi(smallest))
    }),
    getter("smallest_subnormal", "Smallest positive number.", |vm, args| {
        float_number(vm, args, |bits, smallest, _| 2f64.powi(smallest) * 2f64.powi(-bits))
    }),
    getter("resolution", "Decimal resolution.", |vm, args| {
        float_number(vm, args, |bits, _, _| match bits {
            10 => 1e-3,
            23 => 1e-6,
            _ => 1e-15,
        })
    }),
    getter("bits", "Bits of a number.", |vm, args| Ok(Value::from(limits(vm, args)?.bytes() * 8))),
    getter("nmant", "Bits of the mantissa.", |vm, args| float_count(vm, args, |bits, _, _| bits)),
    getter("machep", "The exponent of eps.", |vm, args| float_count(vm, args, |bits, _, _| -bits)),
    getter("negep", "The exponent of epsneg.", |vm, args| float_count(vm, args, |bits, _, _| -bits - 1)),
    getter("minexp", "The exponent of tiny.", |vm, args| float_count(vm, args, |_, smallest, _| smallest)),
    getter("maxexp", "The exponent at which numbers overflow.", |vm, args| {
        float_count(vm, args, |_, smallest, _| 2 - smallest)
    }),
    getter("nexp", "Bits of the exponent.", |vm, args| float_count(vm, args, |bits, _, all| all - bits - 1)),
    getter("iexp", "Bits of the exponent.", |vm, args| float_count(vm, args, |bits, _, all| all - bits - 1)),
    getter("precision", "Decimal digits.", |vm, args| {
        Ok(Value::Int(match limits(vm, args)? {
            DType::Float16 => 3,
            DType::Float32 => 6,
            _ => 15,
        }))
    }),
    getter("dtype", "The type.", |vm, args| Ok(dtype_value(limits(vm, args)?))),
];

fn integer_number(vm: &Vm, args: Args, high: bool) -> Fallible<Value> {
    let dtype = limits(vm, args)?;
    let (low, top) = integer_range(dtype).unwrap_or((0, 0));
    Ok(crate::lang::arrays::convert::python_value(Scalar::Int(if high { top } else { low })))
}

const INTEGER_METHODS: &[Method] = &[
    static_method("__new__", "(cls, int_type, /)", "The limits of an integer type.", |vm, args| {
        let dtype = dtype_of(vm, args)?;
        if !dtype.is_integer() {
            return Err(raise::value_error(format!("Invalid integer data type '{}'.", dtype.kind())));
        }
        Ok(Value::object(Limits { dtype, library: ArrayFlavour::NumPy }))
    }),
    method("__repr__", "(self)", "The ends.", |vm, args| {
        let dtype = limits(vm, args)?;
        let (low, top) = integer_range(dtype).unwrap_or((0, 0));
        Ok(Value::str(format!("iinfo(min={low}, max={top}, dtype={})", dtype.name())))
    }),
    getter("max", "Largest number.", |vm, args| integer_number(vm, args, true)),
    getter("min", "Smallest number.", |vm, args| integer_number(vm, args, false)),
    getter("bits", "Bits of a number.", |vm, args| Ok(Value::from(limits(vm, args)?.bytes() * 8))),
    getter("dtype", "The type.", |vm, args| Ok(dtype_value(limits(vm, args)?))),
    getter("kind", "`i` or `u`.", |vm, args| Ok(Value::str(limits(vm, args)?.kind().to_string()))),
    getter("key", "Kind and bits, as `i32`.", |vm, args| {
        let dtype = limits(vm, args)?;
        Ok(Value::str(format!("{}{}", dtype.kind(), dtype.bytes() * 8)))
    }),
];
