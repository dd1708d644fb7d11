//! What happens when a NumPy operation meets a floating-point event: `seterr`, `geterr` and `errstate`, and the warnings
//! themselves. dpnp arrays meet events silently.

use crate::arrays::expr::warnings::{self, FloatEvent};
use crate::lang::arrays::library;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::host::Stream;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{ArrayFlavour, ClassRef, DictObject, ModuleObject, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;
use std::cell::Cell;

/// What is done about an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Handling {
    Ignore,
    Warn,
    Raise,
    Print,
}

impl Handling {
    const fn name(self) -> &'static str {
        match self {
            Handling::Ignore => "ignore",
            Handling::Warn => "warn",
            Handling::Raise => "raise",
            Handling::Print => "print",
        }
    }

    fn parse(text: &str) -> Fallible<Handling> {
        Ok(match text {
            "ignore" => Handling::Ignore,
            "warn" => Handling::Warn,
            "raise" => Handling::Raise,
            "print" => Handling::Print,
            "call" | "log" => {
                return Err(raise::not_implemented_error(format!(
                    "handling floating-point errors with '{text}' is not supported; use 'ignore', 'warn', 'raise' or 'print'"
                )));
            }
            other => return Err(raise::key_error(Value::str(other))),
        })
    }
}

/// Handling by kind of event, in the order of [`KINDS`].
type State = [Handling; 4];

const KINDS: [&str; 4] = ["divide", "over", "under", "invalid"];
const INITIAL: State = [Handling::Warn, Handling::Warn, Handling::Ignore, Handling::Warn];

thread_local! {
    static STATE: Cell<State> = const { Cell::new(INITIAL) };
}

/// Deals with the events that operations have met since the last call, as the state in force says.
pub fn report(vm: &mut Vm) -> Fallible<()> {
    if !warnings::any() {
        return Ok(());
    }
    let state = STATE.get();
    for met in warnings::take() {
        let handling = state[match met.event {
            FloatEvent::DivideByZero => 0,
            FloatEvent::Overflow => 1,
            FloatEvent::Invalid => 3,
        }];
        match handling {
            Handling::Ignore => {}
            Handling::Warn => vm.warn(Builtin::RuntimeWarning, &met.message())?,
            Handling::Raise => return Err(Raised::builtin(Builtin::FloatingPointError, met.message())),
            Handling::Print => {
                let host = vm.host.clone();
                host.write(Stream::Stdout, &format!("Warning: {}\n", met.message()));
            }
        }
    }
    Ok(())
}

/// The state after the arguments `all, divide, over, under, invalid`, which start at `first`.
fn changed(vm: &mut Vm, args: Args, first: usize) -> Fallible<State> {
    let mut state = STATE.get();
    if args.not_none(vm, first).is_some() {
        state = [Handling::parse(&args.text(vm, first, "all")?)?; 4];
    }
    for (index, kind) in KINDS.iter().enumerate() {
        if args.not_none(vm, first + 1 + index).is_some() {
            state[index] = Handling::parse(&args.text(vm, first + 1 + index, kind)?)?;
        }
    }
    Ok(state)
}

fn as_dict(vm: &mut Vm, state: State) -> Fallible<Value> {
    let dict = Ref::new(DictObject::default());
    for (kind, handling) in KINDS.iter().zip(state) {
        vm.dict_set(&dict, Value::str(*kind), Value::str(handling.name()))?;
    }
    Ok(Value::Dict(dict))
}

const FUNCTIONS: &[Method] = &[
    method(
        "seterr",
        "(all=None, divide=None, over=None, under=None, invalid=None)",
        "Sets what happens on floating-point events, and answers what did before.",
        |vm, args| {
            let state = changed(vm, args, 0)?;
            let former = STATE.replace(state);
            as_dict(vm, former)
        },
    ),
    method("geterr", "()", "What happens on floating-point events.", |vm, _| as_dict(vm, STATE.get())),
];

/// `with errstate(...):`
#[derive(Debug)]
struct Scope {
    state: State,
    former: Cell<Option<State>>,
}

impl NativeData for Scope {
    fn class(&self) -> ClassRef {
        scope_class()
    }
}

fn scope_class() -> ClassRef {
    thread_local! {
        static CLASS: ClassRef =
            define_class("errstate", "numpy", &builtin_class(Builtin::Object), PayloadKind::Sealed, SCOPE_METHODS);
    }
    CLASS.with(Clone::clone)
}

const SCOPE_METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, all=None, divide=None, over=None, under=None, invalid=None)",
        "A block in which floating-point events are handled differently.",
        |vm, args| {
            let state = changed(vm, args, 1)?;
            Ok(Value::object(Scope { state, former: Cell::new(None) }))
        },
    ),
    method("__enter__", "(self)", "Begins the block.", |vm, args| {
        if let Value::Object(object) = args.peek(vm, 0)
            && let Some(scope) = object.downcast::<Scope>()
        {
            scope.former.set(Some(STATE.replace(scope.state)));
        }
        Ok(args.get(vm, 0))
    }),
    method("__exit__", "(self, *args)", "Ends the block.", |vm, args| {
        if let Value::Object(object) = args.peek(vm, 0)
            && let Some(scope) = object.downcast::<Scope>()
            && let Some(former) = scope.former.take()
        {
            STATE.set(former);
        }
        Ok(Value::Bool(false))
    }),
];

/// Binds the functions and the class in `numpy`.
pub fn bind(module: &Ref<ModuleObject>) {
    library::bind_functions(module, FUNCTIONS, ArrayFlavour::NumPy);
    module.set(Name::new("errstate"), Value::Class(scope_class()));
}
