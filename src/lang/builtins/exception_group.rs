//! `BaseExceptionGroup` and `ExceptionGroup`: several exceptions raised as one, parted by class or condition, and what an `except*`
//! raises at its end.

use super::classes::{Builtin, attach, builtin_class};
use super::{depth, generic_alias};
use crate::lang::heap::{ObjectId, Ref};
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassObject, ClassRef, ExceptionObject};
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Attaches the methods; once per thread.
pub fn install() {
    let class = builtin_class(Builtin::BaseExceptionGroup);
    attach(&class, METHODS);
    generic_alias::attach_to(&class);
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, /, *args)", "A group of exceptions.", new),
    method("__init__", "(self, /, *args)", "Nothing more than `__new__` kept.", |_, _| Ok(Value::None)),
    method("__str__", "(self, /)", "The message and how many exceptions there are.", |vm, args| {
        let group = this(vm, args)?;
        let message = attribute(&group, "message");
        let (message, count) = (vm.str(&message)?, members(&group).len());
        let plural = if count == 1 { "" } else { "s" };
        Ok(Value::str(format!("{message} ({count} sub-exception{plural})")))
    }),
    getter("message", "The message.", |vm, args| Ok(attribute(&this(vm, args)?, "message"))),
    getter("exceptions", "The exceptions, as a tuple.", |vm, args| Ok(attribute(&this(vm, args)?, "exceptions"))),
    method("derive", "(self, exceptions, /)", "A group of the same message with other exceptions.", |vm, args| {
        let message = attribute(&this(vm, args)?, "message");
        let exceptions = args.get(vm, 1);
        vm.call(&Value::Class(builtin_class(Builtin::BaseExceptionGroup)), &[message, exceptions])
    }),
    method("split", "(self, condition, /)", "What fulfils a condition, and the rest.", |vm, args| {
        let (group, condition) = (args.get(vm, 0), condition(vm, args)?);
        let (matched, rest) = part(vm, &group, &condition, true)?;
        Ok(Value::tuple([matched.unwrap_or(Value::None), rest.unwrap_or(Value::None)]))
    }),
    method("subgroup", "(self, condition, /)", "What fulfils a condition.", |vm, args| {
        let (group, condition) = (args.get(vm, 0), condition(vm, args)?);
        Ok(part(vm, &group, &condition, false)?.0.unwrap_or(Value::None))
    }),
];

fn this(vm: &Vm, args: Args) -> Fallible<Ref<ExceptionObject>> {
    match args.peek(vm, 0) {
        Value::Exception(exception) => Ok(exception.clone()),
        other => Err(type_error(format!("expected an exception group, got {}", other.type_name()))),
    }
}

fn attribute(group: &Ref<ExceptionObject>, name: &str) -> Value {
    group.attributes.borrow().get(&Name::new(name)).cloned().unwrap_or(Value::None)
}

/// The exceptions directly in a group.
pub fn members(group: &Ref<ExceptionObject>) -> Vec<Value> {
    match attribute(group, "exceptions") {
        Value::Tuple(items) => items.items().to_vec(),
        _ => Vec::new(),
    }
}

/// Whether a value is a group of exceptions.
pub fn is_group(value: &Value) -> bool {
    matches!(value, Value::Exception(exception)
        if ClassObject::is_subclass_of(&exception.class.borrow(), &builtin_class(Builtin::BaseExceptionGroup)))
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Class(class) = args.get(vm, 0) else { return Err(type_error("expected a class of exceptions")) };
    let given = match args.get(vm, 1) {
        Value::Tuple(given) => given.items().to_vec(),
        _ => Vec::new(),
    };
    let [message, given] = <[Value; 2]>::try_from(given).map_err(|given| {
        type_error(format!("BaseExceptionGroup.__new__() takes exactly 2 arguments ({} given)", given.len()))
    })?;
    if message.as_str().is_none() {
        return Err(type_error(format!(
            "BaseExceptionGroup.__new__() argument 1 must be str, not {}",
            message.type_name()
        )));
    }
    if given.class().lookup(Name::new("__getitem__")).is_none() || matches!(given, Value::Dict(_)) {
        return Err(type_error("second argument (exceptions) must be a sequence"));
    }
    let exceptions = vm.collect(&given)?;
    if exceptions.is_empty() {
        return Err(value_error("second argument (exceptions) must be a non-empty sequence"));
    }
    let mut only_exceptions = true;
    for (index, item) in exceptions.iter().enumerate() {
        let Value::Exception(exception) = item else {
            return Err(value_error(format!("Item {index} of second argument (exceptions) is not an exception")));
        };
        only_exceptions &= ClassObject::is_subclass_of(&exception.class.borrow(), &builtin_class(Builtin::Exception));
    }
    let class = class_for(class, only_exceptions)?;
    let group = ExceptionObject::new(class, vec![message.clone(), given]);
    group.set_attribute(Name::new("message"), message);
    group.set_attribute(Name::new("exceptions"), Value::tuple(exceptions));
    Ok(Value::Exception(Ref::new(group)))
}

/// The class of a new group: a plain one of exceptions only is an `ExceptionGroup`.
fn class_for(class: ClassRef, only_exceptions: bool) -> Fallible<ClassRef> {
    let (base, plain) = (builtin_class(Builtin::BaseExceptionGroup), builtin_class(Builtin::ExceptionGroup));
    if Ref::ptr_eq(&class, &base) {
        return Ok(if only_exceptions { plain } else { class });
    }
    if only_exceptions || !ClassObject::is_subclass_of(&class, &builtin_class(Builtin::Exception)) {
        return Ok(class);
    }
    if Ref::ptr_eq(&class, &plain) {
        return Err(type_error("Cannot nest BaseExceptions in an ExceptionGroup"));
    }
    Err(type_error(format!("Cannot nest BaseExceptions in '{}'", class.name.get())))
}

/// What `split` and `subgroup` go by.
enum Condition {
    Classes(Value),
    Function(Value),
    /// Membership among exceptions told by identity.
    Among(Vec<ObjectId>),
}

fn condition(vm: &mut Vm, args: Args) -> Fallible<Condition> {
    let given = args.get(vm, 1);
    let base = builtin_class(Builtin::BaseException);
    let is_class = |value: &Value| matches!(value, Value::Class(class) if ClassObject::is_subclass_of(class, &base));
    let fits = match &given {
        Value::Tuple(items) => items.items().iter().all(is_class),
        other => is_class(other),
    };
    if fits {
        return Ok(Condition::Classes(given));
    }
    match given {
        Value::Function(_) | Value::Native(_) | Value::Method(_) => Ok(Condition::Function(given)),
        _ => Err(type_error("expected a function, exception type or tuple of exception types")),
    }
}

impl Condition {
    fn holds(&self, vm: &mut Vm, exception: &Value) -> Fallible<bool> {
        match self {
            Self::Classes(classes) => vm.is_instance_of(exception, classes),
            Self::Function(function) => {
                let answer = vm.call(function, std::slice::from_ref(exception))?;
                vm.truth(&answer)
            }
            Self::Among(known) => Ok(exception.heap_id().is_some_and(|id| known.contains(&id))),
        }
    }
}

/// Parts a group by classes of exceptions.
pub fn split(vm: &mut Vm, group: &Value, classes: &Value) -> Fallible<(Option<Value>, Option<Value>)> {
    part(vm, group, &Condition::Classes(classes.clone()), true)
}

/// What fulfils a condition and, where it is wanted, the rest: groups of the same nesting.
fn part(
    vm: &mut Vm,
    value: &Value,
    condition: &Condition,
    wants_rest: bool,
) -> Fallible<(Option<Value>, Option<Value>)> {
    let is_leaf_condition = matches!(condition, Condition::Among(_));
    let Value::Exception(exception) = value else { return Ok((None, None)) };
    if (!is_leaf_condition || !is_group(value)) && condition.holds(vm, value)? {
        return Ok((Some(value.clone()), None));
    }
    if !is_group(value) {
        return Ok((None, Some(value.clone())));
    }
    let _level = depth::Level::enter(depth::CONTAINERS_MAX, "in exceptiongroup_split_recursive")?;
    let (mut matched, mut rest) = (Vec::new(), Vec::new());
    for member in members(exception) {
        let (in_part, out) = part(vm, &member, condition, wants_rest)?;
        matched.extend(in_part);
        rest.extend(out);
    }
    let matched = derived(vm, value, matched)?;
    let rest = if wants_rest { derived(vm, value, rest)? } else { None };
    Ok((matched, rest))
}

/// A group of some of another's exceptions, made by its `derive`, with its traceback, cause, context and notes.
fn derived(vm: &mut Vm, group: &Value, exceptions: Vec<Value>) -> Fallible<Option<Value>> {
    if exceptions.is_empty() {
        return Ok(None);
    }
    let made = vm.call_method(group, Name::new("derive"), &[Value::list(exceptions)])?;
    let (Value::Exception(old), true) = (group, is_group(&made)) else {
        return Err(type_error("derive must return an instance of BaseExceptionGroup"));
    };
    if let Value::Exception(new) = &made {
        let traceback = old.traceback.borrow().clone();
        *new.traceback.borrow_mut() = traceback;
        drop(new.context.replace(old.context.borrow().clone()));
        drop(new.cause.replace(old.cause.borrow().clone()));
        new.suppress_context.set(true);
        let notes = old.attributes.borrow().get(&names::NOTES).cloned();
        if let Some(notes) = notes {
            let notes = vm.collect(&notes)?;
            new.set_attribute(names::NOTES, Value::list(notes));
        }
    }
    Ok(Some(made))
}

/// A new group.
pub fn wrap(vm: &mut Vm, message: &str, exceptions: Value) -> Fallible<Value> {
    let class = Value::Class(builtin_class(Builtin::BaseExceptionGroup));
    vm.call(&class, &[Value::str(message), exceptions])
}

/// What an `except*` raises at its end, of what its handlers raised and what none of them took.
pub fn to_raise(vm: &mut Vm, original: &Value, raised: Vec<Value>, left: &Value) -> Fallible<Option<Value>> {
    let mut all = raised;
    if !left.is_none() {
        all.push(left.clone());
    }
    if all.is_empty() {
        return Ok(None);
    }
    let Value::Exception(whole) = original else { return Ok(all.pop()) };
    if !is_group(original) {
        // One handler at most has run; what it raised stands alone.
        return Ok(all.pop());
    }
    let mut fresh = Vec::new();
    let mut again: Vec<ObjectId> = Vec::new();
    for exception in all {
        if is_part_of(&exception, whole) {
            leaves(&exception, &mut again);
        } else {
            fresh.push(exception);
        }
    }
    let again = if again.is_empty() { None } else { part(vm, original, &Condition::Among(again), false)?.0 };
    if fresh.is_empty() {
        return Ok(again);
    }
    fresh.extend(again);
    if fresh.len() == 1 {
        return Ok(fresh.pop());
    }
    wrap(vm, "", Value::list(fresh)).map(Some)
}

/// Whether a group came out of another by parting it: it has its traceback, cause and context.
fn is_part_of(exception: &Value, whole: &Ref<ExceptionObject>) -> bool {
    let Value::Exception(own) = exception else { return false };
    let entries = |exception: &Ref<ExceptionObject>| -> Vec<(u32, u32)> {
        exception.traceback.borrow().iter().map(|entry| (entry.code.source.id, entry.span.start)).collect()
    };
    is_group(exception)
        && entries(own) == entries(whole)
        && own.cause.borrow().is_same(&whole.cause.borrow())
        && own.context.borrow().is_same(&whole.context.borrow())
}

fn leaves(value: &Value, into: &mut Vec<ObjectId>) {
    let mut waiting = vec![value.clone()];
    while let Some(next) = waiting.pop() {
        match &next {
            Value::Exception(group) if is_group(&next) => waiting.extend(members(group)),
            other => into.extend(other.heap_id()),
        }
    }
}
