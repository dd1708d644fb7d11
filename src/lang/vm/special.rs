//! Raising, matching exceptions, context managers, globals, instance checks: the rest of what instructions ask.

use super::Vm;
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::builtins::traceback_object;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::objects::{ClassObject, ClassRef, ModuleObject};
use crate::lang::raise::{self, Fallible, Raised, type_error};
use crate::lang::traceback::suggest;
use crate::lang::value::Value;

impl Vm {
    /// The exception that `raise value` raises.
    pub(super) fn exception_from(&mut self, value: Value) -> Fallible<Raised> {
        match value {
            Value::Exception(exception) => Ok(Raised(exception)),
            Value::Class(class) if is_exception_class(&class) => match self.call(&Value::Class(class.clone()), &[])? {
                Value::Exception(exception) => Ok(Raised(exception)),
                other => Err(type_error(format!(
                    "calling <class '{}'> should have returned an instance of BaseException, not {}",
                    class.name.get(),
                    other.type_name()
                ))),
            },
            _ => Err(type_error("exceptions must derive from BaseException")),
        }
    }

    pub(super) fn exception_with_cause(&mut self, value: Value, cause: Value) -> Fallible<Raised> {
        let raised = self.exception_from(value)?;
        let cause = match cause {
            Value::None => Value::None,
            Value::Exception(cause) => Value::Exception(cause),
            Value::Class(class) if is_exception_class(&class) => {
                Value::Exception(self.exception_from(Value::Class(class))?.0)
            }
            _ => return Err(type_error("exception causes must derive from BaseException")),
        };
        drop(raised.0.cause.replace(cause));
        raised.0.suppress_context.set(true);
        Ok(raised)
    }

    /// Whether an exception matches what stands after `except`.
    pub(super) fn exception_matches(&mut self, exception: &Value, class: &Value) -> Fallible<bool> {
        let refusal = || type_error("catching classes that do not inherit from BaseException is not allowed");
        let own = exception.class();
        match class {
            Value::Class(class) if is_exception_class(class) => Ok(ClassObject::is_subclass_of(&own, class)),
            Value::Tuple(items) => {
                let mut matches = false;
                for item in items.items() {
                    match item {
                        Value::Class(class) if is_exception_class(class) => {
                            matches |= ClassObject::is_subclass_of(&own, class);
                        }
                        _ => return Err(refusal()),
                    }
                }
                Ok(matches)
            }
            _ => Err(refusal()),
        }
    }

    /// The exit method of a context manager and what its `__enter__` answers.
    pub(super) fn enter_context(&mut self, manager: &Value) -> Fallible<(Value, Value)> {
        let class = manager.class();
        let refuse = |missing: &str| {
            let hint = if missing == "__exit__" { " (missed __exit__ method)" } else { "" };
            type_error(format!("'{}' object does not support the context manager protocol{hint}", manager.type_name()))
        };
        if class.lookup(names::ENTER).is_none() {
            return Err(refuse("__enter__"));
        }
        if class.lookup(names::EXIT).is_none() {
            return Err(refuse("__exit__"));
        }
        let (Some(enter), Some(exit)) =
            (self.find_special(manager, names::ENTER), self.find_special(manager, names::EXIT))
        else {
            return Err(refuse("__enter__"));
        };
        self.protect(exit.clone());
        let entered = self.call(&enter, &[]);
        self.unprotect(1);
        Ok((exit, entered?))
    }

    /// `__traceback__` of an exception.
    pub(super) fn traceback_value(&self, exception: &Value) -> Value {
        match exception {
            Value::Exception(exception) => traceback_object::of_exception(exception),
            _ => Value::None,
        }
    }

    /// A name that the module does not bind: a built-in, or what the session knows.
    #[cold]
    #[inline(never)]
    pub(super) fn global_fallback(&mut self, module: &Ref<ModuleObject>, name: Name) -> Fallible<Value> {
        if let Some(value) = self.builtins.get(name) {
            return Ok(value);
        }
        let host = self.host.clone();
        if Ref::ptr_eq(module, &self.main)
            && let Some(value) = host.find_name(self, name)?
        {
            return Ok(value);
        }
        Err(self.name_error(module, name))
    }

    #[cold]
    fn name_error(&mut self, module: &Ref<ModuleObject>, name: Name) -> Raised {
        let error = raise::name_error(format!("name '{name}' is not defined"));
        let mut candidates: Vec<Name> = Vec::new();
        if let Some(frame) = self.frames.last() {
            candidates.extend(frame.code.locals.iter().copied());
            candidates.extend(frame.code.captured.iter().copied());
        }
        candidates.extend(module.globals.borrow().iter().map(|(name, _)| name));
        candidates.extend(self.builtins.globals.borrow().iter().map(|(name, _)| name));
        if let Some(near) = suggest(name.text(), candidates) {
            drop(error.0.suggestion.replace(Some(near.into())));
        }
        error.0.set_attribute(Name::new("name"), Value::str(name.text()));
        error
    }

    /// After `del` of a global.
    pub(super) fn global_deleted(&mut self, module: &Ref<ModuleObject>, name: Name, old: Value) -> Fallible<()> {
        if Ref::ptr_eq(module, &self.main) {
            let host = self.host.clone();
            host.name_deleted(name, &old);
        }
        drop(old);
        self.safe_point()
    }

    /// A name read in a class body: its own names, then globals and built-ins.
    pub(super) fn load_class_name(&mut self, base: usize, module: &Ref<ModuleObject>, name: Name) -> Fallible<Value> {
        if let Some(value) = super::run::class_namespace(&self.stack[base], name) {
            return Ok(value);
        }
        if let Some(value) = module.get(name) {
            return Ok(value);
        }
        self.global_fallback(module, name)
    }

    /// Whether a value is an instance of a class, by class alone.
    pub fn is_instance(&mut self, value: &Value, class: &ClassRef) -> bool {
        ClassObject::is_subclass_of(&value.class(), class)
    }

    /// `isinstance(value, classes)`: a class, a tuple of them, or a union.
    pub fn is_instance_of(&mut self, value: &Value, classes: &Value) -> Fallible<bool> {
        self.checks_class(
            value,
            classes,
            names::INSTANCECHECK,
            "isinstance() arg 2 must be a type, a tuple of types, or a union",
        )
    }

    /// `issubclass(class, classes)`
    pub fn is_subclass_of(&mut self, class: &Value, classes: &Value) -> Fallible<bool> {
        if !matches!(class, Value::Class(_)) {
            return Err(type_error("issubclass() arg 1 must be a class"));
        }
        self.checks_class(
            class,
            classes,
            names::SUBCLASSCHECK,
            "issubclass() arg 2 must be a class, a tuple of classes, or a union",
        )
    }

    /// The class that an instance's `__class__` names where its class answers that attribute itself, as proxies and mocks do.
    fn claimed_class(&mut self, value: &Value, hook: Name) -> Fallible<Option<ClassRef>> {
        let Value::Instance(instance) = value else { return Ok(None) };
        if hook != names::INSTANCECHECK {
            return Ok(None);
        }
        let answers = {
            let class = instance.class.borrow();
            let own_hook =
                class.lookup_before_object(names::GETATTRIBUTE).is_some_and(|hook| !matches!(hook, Value::Native(_)));
            own_hook || class.lookup_before_object(names::CLASS).is_some()
        };
        if !answers {
            return Ok(None);
        }
        Ok(match self.find_attribute(value, names::CLASS)? {
            Some(Value::Class(class)) => Some(class),
            _ => None,
        })
    }

    fn checks_class(&mut self, value: &Value, classes: &Value, hook: Name, message: &str) -> Fallible<bool> {
        match classes {
            Value::Class(class) => {
                let own = match (hook == names::SUBCLASSCHECK, value) {
                    (true, Value::Class(own)) => own.clone(),
                    _ => value.class(),
                };
                if ClassObject::is_subclass_of(&own, class) {
                    return Ok(true);
                }
                let virtual_hook = if hook == names::SUBCLASSCHECK { "__subclasshook__" } else { "__instancehook__" };
                if let Some(method) =
                    class.lookup(Name::new(virtual_hook)).filter(|found| !matches!(found, Value::Function(_)))
                {
                    let method = self.bind_attribute(method, None, class)?;
                    let answer = self.call(&method, std::slice::from_ref(value))?;
                    return match answer {
                        Value::NotImplemented => Ok(false),
                        other => self.truth(&other),
                    };
                }
                match self.claimed_class(value, hook)? {
                    Some(claimed) => Ok(ClassObject::is_subclass_of(&claimed, class)),
                    None => Ok(false),
                }
            }
            Value::Tuple(items) => {
                for item in items.items() {
                    if self.checks_class(value, item, hook, message)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            other => {
                if let Some(members) = crate::lang::builtins::class_type::union_members(other) {
                    for member in members {
                        // `None` stands for its class in a union, and nowhere else.
                        if matches!((&member, value), (Value::None, Value::None)) {
                            return Ok(true);
                        }
                        if !matches!(member, Value::None) && self.checks_class(value, &member, hook, message)? {
                            return Ok(true);
                        }
                    }
                    return Ok(false);
                }
                if let Some(method) = self.find_special(other, hook) {
                    let answer = self.call(&method, std::slice::from_ref(value))?;
                    return self.truth(&answer);
                }
                Err(type_error(message))
            }
        }
    }

    /// Asks the host budget for `bytes` before a user-sized growth; MemoryError when refused.
    pub fn reserve(&mut self, bytes: usize) -> Fallible<()> {
        // Growth this small never matters against the limit.
        const UNCHECKED_BYTES: usize = 1 << 20;
        if bytes < UNCHECKED_BYTES {
            return Ok(());
        }
        super::script::reserve_host_bytes(bytes)
    }

    /// Issues a warning as `warnings.warn` does.
    pub fn warn(&mut self, category: Builtin, message: &str) -> Fallible<()> {
        let Ok(warnings) = self.import("warnings") else { return Ok(()) };
        if let Some(warn) = self.find_attribute(&warnings, Name::new("warn"))? {
            self.call(&warn, &[Value::str(message), Value::Class(builtin_class(category))])?;
        }
        Ok(())
    }

    /// Reports an error that cannot be raised (from `__del__`) on stderr as CPython does.
    pub fn report_unraisable(&mut self, error: &Raised, object: &Value) {
        if self.is_dry_run() {
            return;
        }
        let shown = self.repr(object).unwrap_or_else(|_| "<object>".into());
        let markup = crate::lang::traceback::render(self, &error.0);
        let text = crate::display::to_plain(&markup, usize::MAX);
        let host = self.host.clone();
        host.write(crate::lang::host::Stream::Stderr, &format!("Exception ignored in: {shown}\n{text}"));
    }
}

fn is_exception_class(class: &ClassRef) -> bool {
    ClassObject::is_subclass_of(class, &builtin_class(Builtin::BaseException))
}
