//! `with budget("512MB"):` caps what a block may hold beyond what was held when it began.
//!
//! Counting and refusing is the array layer's business (`arrays::budget`); here is how a program writes it.

use std::cell::Cell;

use crate::arrays::budget;
use crate::display::units::{bytes, parse_bytes};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A cap, in force between `__enter__` and `__exit__`.
#[derive(Debug)]
struct BudgetScope {
    bytes: u64,
    depth: Cell<Option<usize>>,
}

impl NativeData for BudgetScope {
    fn class(&self) -> ClassRef {
        budget_class()
    }
}

/// The class of `budget`.
pub fn budget_class() -> ClassRef {
    thread_local! {
        static CLASS: ClassRef =
            define_class("budget", "cellhold", &builtin_class(Builtin::Object), PayloadKind::Sealed, METHODS);
    }
    CLASS.with(Clone::clone)
}

const METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, size, /)",
        "A block that may hold at most this much more memory, on all devices and the host together: a text such as \
         '512MB' or a number of bytes.",
        |vm, args| {
            let size = args.get(vm, 1);
            Ok(Value::object(BudgetScope { bytes: size_in_bytes(vm, &size)?, depth: Cell::new(None) }))
        },
    ),
    method("__enter__", "(self)", "Begins the block; answers the budget.", |vm, args| {
        let scope = scope(vm, args)?;
        scope.depth.set(Some(budget::depth()));
        budget::push(scope.bytes);
        Ok(args.get(vm, 0))
    }),
    method("__exit__", "(self, *args)", "Ends the block.", |vm, args| {
        if let Some(depth) = scope(vm, args)?.depth.take() {
            budget::unwind(depth);
        }
        Ok(Value::Bool(false))
    }),
    getter("limit", "Bytes that the block may hold.", |vm, args| Ok(Value::int(scope(vm, args)?.bytes))),
    getter("left", "Bytes that the tightest budget in force leaves now; None outside any.", |_, _| {
        Ok(budget::left().map_or(Value::None, Value::int))
    }),
    method("__repr__", "(self, /)", "The cap.", |vm, args| {
        Ok(Value::str(format!("<budget of {}>", bytes(scope(vm, args)?.bytes))))
    }),
];

fn size_in_bytes(vm: &mut Vm, size: &Value) -> Fallible<u64> {
    match size {
        Value::Str(text) => parse_bytes(text.as_str()).ok_or_else(|| {
            raise::value_error(format!(
                "a budget is an amount of memory such as '512MB' or '2GiB', not '{}'",
                text.as_str()
            ))
        }),
        other => {
            let number = vm.index(other)?;
            u64::try_from(number).map_err(|_| raise::value_error("a budget cannot be negative"))
        }
    }
}

fn scope(vm: &Vm, args: Args) -> Fallible<&BudgetScope> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<BudgetScope>(),
        _ => None,
    }
    .ok_or_else(|| raise::type_error("expected a budget"))
}
