//! The print options in force (`numpy.set_printoptions`), shared by both libraries as in dpnp.
//!
//! Functions that print elements (`formatter=`) are kept in the module `numpy`, where a walk over what holds memory finds
//! them.

use std::cell::{Cell, RefCell};

use crate::arrays::array::Array;
use crate::arrays::functions::print::{self, PrintOptions};
use crate::arrays::scalar::Operand;
use crate::lang::arrays::convert::scalar_value;
use crate::lang::arrays::error::raised;
use crate::lang::name::Name;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

thread_local! {
    static OPTIONS: RefCell<PrintOptions> = RefCell::default();
    /// Whether `numpy` keeps functions that print elements, so that printing need not look.
    static HAS_FORMATTER: Cell<bool> = const { Cell::new(false) };
}

/// The name under which the module `numpy` keeps them.
const FORMATTER: &str = "_print_formatter";

/// The options in force.
pub fn options() -> PrintOptions {
    OPTIONS.with_borrow(Clone::clone)
}

/// Puts options in force and answers the former ones.
pub fn replace(options: PrintOptions) -> PrintOptions {
    OPTIONS.replace(options)
}

/// The functions that print elements, a dict by kinds of numbers, or `None`.
pub fn formatter(vm: &mut Vm) -> Fallible<Value> {
    if !HAS_FORMATTER.get() {
        return Ok(Value::None);
    }
    match vm.import("numpy")? {
        Value::Module(numpy) => Ok(numpy.get(Name::new(FORMATTER)).unwrap_or(Value::None)),
        _ => Ok(Value::None),
    }
}

/// Puts functions that print elements in force and answers the former ones.
pub fn replace_formatter(vm: &mut Vm, formatter: Value) -> Fallible<Value> {
    let former = self::formatter(vm)?;
    let is_set = !matches!(formatter, Value::None);
    if (is_set || HAS_FORMATTER.get())
        && let Value::Module(numpy) = vm.import("numpy")?
    {
        numpy.set(Name::new(FORMATTER), formatter);
    }
    HAS_FORMATTER.set(is_set);
    Ok(former)
}

/// The words that functions make for the elements which a print shows: those given, or else those in force. Nothing when
/// no function is meant for these elements.
pub fn words(
    vm: &mut Vm,
    array: &Array,
    options: &PrintOptions,
    given: Option<Value>,
) -> Fallible<Option<Vec<String>>> {
    let formatter = match given {
        Some(formatter) => formatter,
        None => self::formatter(vm)?,
    };
    let Value::Dict(functions) = formatter else { return Ok(None) };
    let kinds = match array.dtype().kind() {
        'b' => ["bool", "bool", "all"],
        'f' => ["float", "float_kind", "all"],
        'c' => ["complexfloat", "complex_kind", "all"],
        _ => ["int", "int_kind", "all"],
    };
    let mut chosen = None;
    for kind in kinds {
        let found = vm.dict_get(&functions, &Value::str(kind))?;
        chosen = found.filter(|function| !matches!(function, Value::None));
        if chosen.is_some() {
            break;
        }
    }
    let Some(function) = chosen else { return Ok(None) };
    let mut made = Vec::new();
    for element in print::shown(array, options).map_err(raised)? {
        let element = scalar_value(Operand::Typed(element, array.dtype()));
        match vm.call(&function, &[element])? {
            Value::Str(text) => made.push(text.as_str().to_owned()),
            other => {
                return Err(raise::type_error(format!("a formatter must give a str, not '{}'", other.type_name())));
            }
        }
    }
    Ok(Some(made))
}
