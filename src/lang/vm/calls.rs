//! Calls: what a callee is, the frames and windows of calls, classes called to make instances.
//!
//! A call's window on the stack is the callee, a slot for the receiver, and the arguments. A frame's registers begin at
//! its first argument, so that arguments are never copied.

use std::rc::Rc;

use super::{NATIVE_DEPTH_MAX, Vm};
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::builtins::convert;
use crate::lang::code::{Code, CodeKind};
use crate::lang::frame::{Frame, Return};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::Binding;
use crate::lang::objects::{
    ClassObject, ClassRef, FunctionObject, GeneratorObject, InstanceObject, ModuleObject, NativeFunction, PayloadKind,
};
use crate::lang::raise::{self, Fallible, Raised, type_error};
use crate::lang::value::Value;

/// What a new frame runs.
pub(super) enum Running {
    /// A call of a function.
    Function(Ref<FunctionObject>),
    /// Code of a module.
    Module(Rc<Code>, Ref<ModuleObject>),
}

/// What starting a call led to.
pub(super) enum Called {
    /// It is done.
    Done(Value),
    /// A frame was pushed.
    Pushed,
}

impl Vm {
    /// Calls with positional arguments.
    pub fn call(&mut self, callee: &Value, args: &[Value]) -> Fallible<Value> {
        self.call_with(callee, args, &[])
    }

    /// Calls with positional and keyword arguments.
    pub fn call_with(&mut self, callee: &Value, args: &[Value], keywords: &[(Name, Value)]) -> Fallible<Value> {
        self.settle_pending()?;
        let window = self.top;
        let count = args.len() + keywords.len();
        let end = window + 2 + count;
        self.ensure(end);
        self.stack[window] = callee.clone();
        self.stack[window + 1] = Value::Unset;
        for (offset, value) in args.iter().chain(keywords.iter().map(|(_, value)| value)).enumerate() {
            self.stack[window + 2 + offset] = value.clone();
        }
        self.top = end;
        let result = if keywords.is_empty() {
            self.call_and_run(window, count, &[])
        } else {
            let given: Vec<Name> = keywords.iter().map(|(name, _)| *name).collect();
            self.call_and_run(window, count, &given)
        };
        self.clear_slots(window, end);
        self.top = window;
        result
    }

    /// Calls `obj.name(*args)`.
    pub fn call_method(&mut self, receiver: &Value, name: Name, args: &[Value]) -> Fallible<Value> {
        let method = self.get_attribute(receiver, name)?;
        self.call(&method, args)
    }

    fn call_and_run(&mut self, window: usize, count: usize, keywords: &[Name]) -> Fallible<Value> {
        // Who calls natively, once for each of many items, may have nothing else that looks. A finalizer runs in any case.
        if !self.is_finalizing {
            self.poll()?;
        }
        match self.call_window(window, count, keywords, Return::ToNative)? {
            Called::Done(value) => Ok(value),
            Called::Pushed => self.run_pushed(),
        }
    }

    /// Runs the frame that was just pushed until it returns.
    pub(super) fn run_pushed(&mut self) -> Fallible<Value> {
        if self.native_depth >= NATIVE_DEPTH_MAX {
            self.pop_frame();
            return Err(raise::recursion_error("maximum recursion depth exceeded while calling a Python object"));
        }
        self.native_depth += 1;
        let result = self.execute();
        self.native_depth -= 1;
        result
    }

    pub(super) fn clear_slots(&mut self, from: usize, to: usize) {
        for slot in &mut self.stack[from..to] {
            slot.put(Value::Unset);
        }
    }

    /// Starts the call in a window of the stack.
    pub(super) fn call_window(
        &mut self,
        window: usize,
        count: usize,
        keywords: &[Name],
        returns: Return,
    ) -> Fallible<Called> {
        loop {
            match &self.stack[window] {
                Value::Function(_) => {
                    let Value::Function(function) = std::mem::take(&mut self.stack[window]) else { continue };
                    let has_receiver = !self.stack[window + 1].is_unset();
                    let first = window + 2 - usize::from(has_receiver);
                    return self.call_function(function, first, count + usize::from(has_receiver), keywords, returns);
                }
                Value::Native(function) => {
                    let function = function.clone();
                    let has_receiver = !self.stack[window + 1].is_unset();
                    let first = window + 2 - usize::from(has_receiver);
                    return self
                        .call_native(&function, first, count + usize::from(has_receiver), keywords)
                        .map(Called::Done);
                }
                Value::Method(method) => {
                    let (function, receiver) = (method.function.clone(), method.receiver.clone());
                    if !self.stack[window + 1].is_unset() || !is_direct(&function) {
                        let args = self.window_arguments(window, count, Some(receiver));
                        return self.call_apart(&function, args, keywords).map(Called::Done);
                    }
                    self.stack[window + 1] = receiver;
                    self.stack[window] = function;
                }
                Value::Class(class) => {
                    let class = class.clone();
                    if !self.stack[window + 1].is_unset() {
                        let receiver = std::mem::take(&mut self.stack[window + 1]);
                        let args = self.window_arguments(window, count, Some(receiver));
                        return self.call_apart(&Value::Class(class), args, keywords).map(Called::Done);
                    }
                    return self.instantiate(&class, window, count, keywords, returns);
                }
                other => {
                    let other = other.clone();
                    let Some(method) = self.find_special(&other, names::CALL) else {
                        return Err(type_error(format!("'{}' object is not callable", other.type_name())));
                    };
                    if self.stack[window + 1].is_unset() {
                        self.stack[window] = method;
                    } else {
                        let receiver = std::mem::take(&mut self.stack[window + 1]);
                        let args = self.window_arguments(window, count, Some(receiver));
                        return self.call_apart(&method, args, keywords).map(Called::Done);
                    }
                }
            }
        }
    }

    /// The arguments of a window by value, after a receiver.
    fn window_arguments(&mut self, window: usize, count: usize, receiver: Option<Value>) -> Vec<Value> {
        receiver
            .into_iter()
            .chain((0..count).map(|offset| std::mem::take(&mut self.stack[window + 2 + offset])))
            .collect()
    }

    /// Calls with arguments that nothing else holds, keyword values last: they move into the call.
    pub fn call_apart(&mut self, callee: &Value, args: Vec<Value>, keywords: &[Name]) -> Fallible<Value> {
        self.settle_pending()?;
        let window = self.top;
        let count = args.len();
        let end = window + 2 + count;
        self.ensure(end);
        self.stack[window] = callee.clone();
        self.stack[window + 1] = Value::Unset;
        for (offset, value) in args.into_iter().enumerate() {
            self.stack[window + 2 + offset] = value;
        }
        self.top = end;
        let result = self.call_and_run(window, count, keywords);
        self.clear_slots(window, end);
        self.top = window;
        result
    }

    /// Pushes the frame of a function whose arguments stand at `base`, exactly as many as it has parameters.
    #[inline(always)]
    pub(super) fn enter(&mut self, function: Ref<FunctionObject>, base: usize, returns: Return) {
        let code = &function.code;
        self.top = base + code.register_count;
        self.ensure(self.top + 8);
        for slot in &mut self.stack[base + code.parameter_count()..base + code.locals.len()] {
            slot.put(Value::Unset);
        }
        self.frames.push(function, base, returns);
    }

    fn call_function(
        &mut self,
        function: Ref<FunctionObject>,
        first: usize,
        count: usize,
        keywords: &[Name],
        returns: Return,
    ) -> Fallible<Called> {
        if keywords.is_empty()
            && function.code.plain_arity == Some(count)
            && self.frames.len() < self.depth_granted
            && self.dry_run.is_none()
        {
            self.enter(function, first, returns);
            return Ok(Called::Pushed);
        }
        if let Err(error) = self.bind_function(&function, first, count, keywords) {
            let end = first + function.code.parameter_count().max(count);
            self.clear_slots(first, end);
            return Err(error);
        }
        if function.code.kind == CodeKind::Generator {
            return Ok(Called::Done(self.new_generator(function, first)));
        }
        self.push_frame(Running::Function(function), first, returns)?;
        Ok(Called::Pushed)
    }

    /// Raises at the recursion limit. Below it, a program that asked for a high one is granted as many frames again as it has, if
    /// there is host memory for them, their registers, and the lines of the traceback should they end in an error.
    #[cold]
    pub(super) fn deepen(&mut self) -> Fallible<()> {
        let depth = self.frames.len();
        if depth >= self.recursion_limit {
            return Err(raise::recursion_error("maximum recursion depth exceeded"));
        }
        let bytes = depth * 4 * size_of::<Frame>() + self.stack.len() * 2 * size_of::<Value>();
        self.reserve(bytes)?;
        self.depth_granted = (2 * depth).min(self.recursion_limit);
        Ok(())
    }

    /// Sets `sys.setrecursionlimit()`.
    pub fn set_recursion_limit(&mut self, limit: usize) {
        const DEPTH_UNASKED: usize = 1 << 16;
        self.recursion_limit = limit;
        self.depth_granted = limit.min(DEPTH_UNASKED.max(self.frames.len() + 1));
    }

    pub(super) fn push_frame(&mut self, running: Running, base: usize, returns: Return) -> Fallible<()> {
        let (code, module) = match &running {
            Running::Function(function) => (function.code.clone(), function.module.clone()),
            Running::Module(code, module) => (code.clone(), module.clone()),
        };
        if self.frames.len() >= self.depth_granted
            && let Err(error) = self.deepen()
        {
            self.clear_slots(base, base + code.parameter_count());
            return Err(error);
        }
        if self.dry_run.is_some() {
            self.refuse_foreign_globals(&code, &module)?;
        }
        self.top = base + code.register_count;
        self.ensure(self.top + 8);
        match running {
            Running::Function(function) => self.frames.push(function, base, returns),
            Running::Module(..) => self.frames.push_module(code, module, base, returns),
        };
        Ok(())
    }

    /// Drops the innermost frame and its registers.
    pub(super) fn pop_frame(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let (base, returns) = (frame.base, frame.returns);
        self.clear_slots(base, base + frame.code.register_count);
        self.frames.pop();
        self.top = match self.frames.last() {
            // A frame started by native code ends where that code's own window began.
            Some(below) if returns != Return::ToNative && returns != Return::ClassToNative => {
                below.base + below.code.register_count
            }
            _ => base,
        };
    }

    fn new_generator(&mut self, function: Ref<FunctionObject>, first: usize) -> Value {
        let code = function.code.clone();
        let mut registers: Vec<Value> = Vec::with_capacity(code.register_count);
        registers.extend(self.stack[first..first + code.parameter_count()].iter_mut().map(std::mem::take));
        registers.resize(code.register_count, Value::Unset);
        Value::Generator(Ref::new(GeneratorObject::new(function, registers)))
    }

    /// Calls a native function whose arguments stand from `first` on; they are gone afterwards.
    pub(super) fn call_native(
        &mut self,
        function: &Ref<NativeFunction>,
        first: usize,
        count: usize,
        keywords: &[Name],
    ) -> Fallible<Value> {
        if self.dry_run.is_some() && self.refuse_native(function, first, count)? {
            self.clear_slots(first, first + count);
            return Ok(Value::None);
        }
        let before = self.top;
        let args = match self.bind_native(function, first, count, keywords) {
            Ok(args) => args,
            Err(error) => {
                let end = first + count.max(function.definition.signature.parameters.len());
                self.clear_slots(first, end);
                return Err(error);
            }
        };
        let end = first + args.count.max(count);
        self.top = before.max(end);
        let protected = self.top;
        let result = if function.definition.is_apart {
            (function.definition.function)(self, args)
        } else {
            self.note_origin();
            let outer = crate::arrays::ledger::set_op(function.definition.name);
            let result = (function.definition.function)(self, args);
            crate::arrays::ledger::set_op(outer);
            result
        };
        self.clear_slots(first, end);
        if self.top > protected {
            self.clear_slots(protected, self.top);
        }
        self.top = before;
        result
    }

    /// `C(...)`
    fn instantiate(
        &mut self,
        class: &ClassRef,
        window: usize,
        count: usize,
        keywords: &[Name],
        returns: Return,
    ) -> Fallible<Called> {
        let is_type = Ref::ptr_eq(class, &builtin_class(Builtin::Type));
        if is_type && count == 1 && keywords.is_empty() {
            return Ok(Called::Done(Value::Class(self.stack[window + 2].class())));
        }
        if count == 1
            && keywords.is_empty()
            && !class.is_user_defined
            && let Some(value) = convert::plain(class, &self.stack[window + 2])
        {
            return Ok(Called::Done(value));
        }
        // What `object` offers counts as nothing, also where a class took it over by name.
        let is_objects = |value: &Value| match value {
            Value::Native(function) => {
                function.class.as_ref().is_some_and(|owner| Ref::ptr_eq(owner, &builtin_class(Builtin::Object)))
            }
            _ => false,
        };
        let new = class.lookup_before_object(names::NEW).filter(|value| !is_objects(value));
        let init = class.lookup_before_object(names::INIT).filter(|value| !is_objects(value));
        if let Some(new) = new {
            return self.instantiate_with_new(class, &new, init.is_some(), window, count, keywords).map(Called::Done);
        }
        let instance = match class.payload {
            PayloadKind::Attributes | PayloadKind::Value => {
                if init.is_none() && count > 0 {
                    return Err(type_error(format!("{}() takes no arguments", class.name.get())));
                }
                Value::Instance(Ref::new(InstanceObject::new(class.clone(), Value::Unset)))
            }
            PayloadKind::Sealed | PayloadKind::Exception => {
                return Err(type_error(format!("cannot create '{}' instances", class.name.get())));
            }
        };
        match (init, returns) {
            (None, _) => Ok(Called::Done(instance)),
            (Some(Value::Function(init)), Return::Into(destination)) => {
                self.stack[window] = instance.clone();
                self.stack[window + 1] = instance;
                self.call_function(init, window + 1, count + 1, keywords, Return::Instance(destination))
            }
            (Some(init), _) => {
                let args = self.window_arguments(window, count, Some(instance.clone()));
                let result = self.call_apart(&init, args, keywords)?;
                check_init_result(&result)?;
                Ok(Called::Done(instance))
            }
        }
    }

    fn instantiate_with_new(
        &mut self,
        class: &ClassRef,
        new: &Value,
        has_init: bool,
        window: usize,
        count: usize,
        keywords: &[Name],
    ) -> Fallible<Value> {
        if !has_init && let Value::Native(function) = new {
            self.stack[window + 1] = Value::Class(class.clone());
            return self.call_native(function, window + 1, count + 1, keywords);
        }
        let args = self.window_arguments(window, count, Some(Value::Class(class.clone())));
        let new = match new {
            Value::Object(_) => self.bind_attribute(new.clone(), None, class)?,
            other => other.clone(),
        };
        let kept = if has_init { args.clone() } else { Vec::new() };
        let result = self.call_apart(&new, args, keywords)?;
        let made = result.class();
        if ClassObject::is_subclass_of(&made, class)
            && let Some(init) = made.lookup(names::INIT)
        {
            let object = builtin_class(Builtin::Object);
            let is_objects =
                matches!(&init, Value::Native(f) if f.class.as_ref().is_some_and(|c| Ref::ptr_eq(c, &object)));
            if !is_objects && has_init {
                let mut args = kept;
                args[0] = result.clone();
                let answer = self.call_apart(&init, args, keywords)?;
                check_init_result(&answer)?;
            }
        }
        Ok(result)
    }
}

/// What can be called with a receiver in front without a detour.
fn is_direct(function: &Value) -> bool {
    match function {
        Value::Function(_) => true,
        Value::Native(native) => native.definition.binding != Binding::Getter,
        _ => false,
    }
}

/// `__init__` must answer `None`.
pub(super) fn check_init_result(value: &Value) -> Result<(), Raised> {
    if value.is_none() {
        return Ok(());
    }
    Err(type_error(format!("__init__() should return None, not '{}'", value.type_name())))
}
