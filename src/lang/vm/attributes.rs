//! The attribute protocol: descriptors, instances, classes, modules, `__getattr__`, inline caches, and the errors.

use super::Vm;
use crate::lang::arrays::scalar;
use crate::lang::builtins::classes::Builtin;
use crate::lang::builtins::{class_type, exception_attributes, function, generator, member, property, super_object};
use crate::lang::code::{AttributeCache, Site};
use crate::lang::heap::Ref;
use crate::lang::modules::{absent, weak_references};
use crate::lang::name::{Name, names};
use crate::lang::native::Binding;
use crate::lang::objects::{BoundMethod, ClassObject, ClassRef, InstanceObject};
use crate::lang::raise::{Fallible, Raised, type_error};
use crate::lang::traceback::suggest;
use crate::lang::value::Value;

impl Vm {
    /// `object.name`, by the whole protocol.
    pub fn get_attribute(&mut self, object: &Value, name: Name) -> Fallible<Value> {
        if let Some(hook) = self.user_hook(object, names::GETATTRIBUTE) {
            let key = Value::str(name.text());
            return match self.call(&hook, &[object.clone(), key.clone()]) {
                Err(error) if error.is(Builtin::AttributeError) => self.after_missing(object, key, error),
                other => other,
            };
        }
        match self.plain_attribute(object, name) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => self.missing_attribute(object, name),
            Err(error) if error.is(Builtin::AttributeError) && self.has_getattr(object) => {
                self.after_missing(object, Value::str(name.text()), error)
            }
            Err(error) => Err(error),
        }
    }

    /// As [`Vm::get_attribute`], nothing for an `AttributeError`.
    pub fn find_attribute(&mut self, object: &Value, name: Name) -> Fallible<Option<Value>> {
        match self.get_attribute(object, name) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is(Builtin::AttributeError) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A user-defined override of one of the attribute hooks.
    fn user_hook(&self, object: &Value, hook: Name) -> Option<Value> {
        let class = match object {
            Value::Instance(instance) => instance.class.borrow().clone(),
            Value::Exception(exception) => exception.class.borrow().clone(),
            _ => return None,
        };
        if !class.is_user_defined {
            return None;
        }
        class.lookup(hook).filter(|value| !matches!(value, Value::Native(_)))
    }

    fn has_getattr(&self, object: &Value) -> bool {
        self.user_hook(object, names::GETATTR).is_some()
    }

    fn after_missing(&mut self, object: &Value, key: Value, error: Raised) -> Fallible<Value> {
        match self.user_hook(object, names::GETATTR) {
            Some(hook) => self.call(&hook, &[object.clone(), key]),
            None => Err(error),
        }
    }

    fn missing_attribute(&mut self, object: &Value, name: Name) -> Fallible<Value> {
        if let Some(hook) = self.user_hook(object, names::GETATTR) {
            return self.call(&hook, &[object.clone(), Value::str(name.text())]);
        }
        if let Value::Module(module) = object
            && let Some(hook) = module.get(names::GETATTR)
        {
            return self.call(&hook, &[Value::str(name.text())]);
        }
        if let Some(value) = absent::late(self, object, name)? {
            return Ok(value);
        }
        if let Some(value) = scalar::as_array_attribute(self, object, name)? {
            return Ok(value);
        }
        if name.text() == "__weakref__"
            && let Some(reference) = weak_references::first_reference(object)
        {
            return Ok(reference);
        }
        // An object of the engine may say itself what is missing, and why.
        if let Value::Object(native) = object
            && let Some(hook) = native.data().class().lookup(names::GETATTR)
        {
            return self.call(&hook, &[object.clone(), Value::str(name.text())]);
        }
        Err(self.attribute_error(object, name))
    }

    /// The error for an attribute that is not there, with what was probably meant.
    #[cold]
    pub fn attribute_error(&mut self, object: &Value, name: Name) -> Raised {
        let message = match object {
            Value::Class(class) => format!("type object '{}' has no attribute '{name}'", class.name.get()),
            Value::Module(module) => format!("module '{}' has no attribute '{name}'", module.name),
            other => format!("'{}' object has no attribute '{name}'", other.type_name()),
        };
        if let Some(message) = absent::removed(object, name.text()) {
            let error = Raised::builtin(Builtin::AttributeError, message);
            error.0.set_attribute(Name::new("name"), Value::str(name.text()));
            return error;
        }
        if let Some(reason) = absent::refusal(object, name.text()) {
            let error = Raised::builtin(Builtin::AttributeError, format!("{message}: {reason}"));
            error.0.set_attribute(Name::new("name"), Value::str(name.text()));
            return error;
        }
        let error = Raised::builtin(Builtin::AttributeError, message);
        let candidates = self.attribute_names(object);
        if let Some(near) = suggest(name.text(), candidates) {
            drop(error.0.suggestion.replace(Some(near.into())));
        }
        error.0.set_attribute(Name::new("name"), Value::str(name.text()));
        error
    }

    /// Names of an object's attributes, as `dir()` lists them, unsorted.
    pub fn attribute_names(&mut self, object: &Value) -> Vec<Name> {
        let mut all: Vec<Name> = Vec::new();
        match object {
            Value::Instance(instance) => all.extend(instance.attributes.borrow().keys().copied()),
            Value::Exception(exception) => all.extend(exception.attributes.borrow().keys().copied()),
            Value::Function(function) => all.extend(function.attributes.borrow().keys().copied()),
            Value::Object(native) => {
                if let Some(attributes) = native.data().attributes() {
                    all.extend(attributes.borrow().keys().copied());
                }
            }
            Value::Module(module) => {
                all.extend(module.globals.borrow().iter().map(|(name, _)| name));
                all.extend(absent::late_names(module.name).filter(|late| module.get(*late).is_none()));
                return all;
            }
            _ => {}
        }
        let class = match object {
            Value::Class(class) => class.clone(),
            other => other.class(),
        };
        all.extend(class.attributes.borrow().keys().copied());
        for base in class.mro_tail.borrow().iter() {
            all.extend(base.attributes.borrow().keys().copied());
        }
        let mut seen = hashbrown::HashSet::new();
        all.retain(|name| seen.insert(*name));
        all
    }

    /// The attribute without hooks; nothing when it is not there.
    pub fn plain_attribute(&mut self, object: &Value, name: Name) -> Fallible<Option<Value>> {
        match object {
            Value::Instance(instance) => {
                let class = instance.class.borrow().clone();
                let in_class = class.lookup(name);
                if let Some(value) = &in_class
                    && self.is_data_descriptor(value)
                {
                    return self.bind_attribute(value.clone(), Some(object), &class).map(Some);
                }
                if let Some(value) = instance.attributes.borrow().get(&name) {
                    return Ok(Some(value.clone()));
                }
                match in_class {
                    Some(value) => self.bind_attribute(value, Some(object), &class).map(Some),
                    None => Ok(class_type::object_attribute(self, object, name)),
                }
            }
            Value::Class(class) => {
                if let Some(value) = class_type::special_attribute(self, class, name) {
                    return Ok(Some(value));
                }
                if let Some(value) = class.lookup(name) {
                    let of_class =
                        !matches!(&value, Value::Native(native) if native.definition.binding == Binding::Getter);
                    let owner_is_object = name == names::INIT_SUBCLASS || of_class;
                    if owner_is_object {
                        return self.bind_class_attribute(value, class).map(Some);
                    }
                    return Ok(Some(value));
                }
                let of_type = crate::lang::builtins::classes::builtin_class(Builtin::Type);
                match of_type.lookup(name) {
                    Some(value) => self.bind_attribute(value, Some(object), &of_type).map(Some),
                    None => Ok(None),
                }
            }
            Value::Module(module) => {
                if let Some(value) = module.get(name) {
                    return Ok(Some(value));
                }
                self.class_attribute(object, name)
            }
            Value::Exception(exception) => {
                if let Some(value) = exception_attributes::get(exception, name) {
                    return Ok(Some(value));
                }
                let class = exception.class.borrow().clone();
                let in_class = class.lookup(name);
                if let Some(value) = &in_class
                    && self.is_data_descriptor(value)
                {
                    return self.bind_attribute(value.clone(), Some(object), &class).map(Some);
                }
                if let Some(value) = exception.attributes.borrow().get(&name) {
                    return Ok(Some(value.clone()));
                }
                match in_class {
                    Some(value) => self.bind_attribute(value, Some(object), &class).map(Some),
                    None => Ok(class_type::object_attribute(self, object, name)),
                }
            }
            Value::Function(own) => {
                if let Some(value) = function::attribute(self, own, name) {
                    return Ok(Some(value));
                }
                self.class_attribute(object, name)
            }
            Value::Native(own) => match function::native_attribute(own, name) {
                Some(value) => Ok(Some(value)),
                None => self.class_attribute(object, name),
            },
            Value::Method(own) => {
                if let Some(value) = function::method_attribute(own, name) {
                    return Ok(Some(value));
                }
                if let Some(value) = self.class_attribute(object, name)? {
                    return Ok(Some(value));
                }
                self.find_attribute(&own.function.clone(), name)
            }
            Value::Generator(own) => match generator::attribute(own, name) {
                Some(value) => Ok(Some(value)),
                None => self.class_attribute(object, name),
            },
            Value::Object(native) => {
                if let Some(found) = super_object::attribute(self, native, name) {
                    return found.map(Some);
                }
                let own = native.data().attributes().and_then(|own| own.borrow().get(&name).cloned());
                if let Some(value) = own {
                    let in_class = object.class().lookup(name);
                    if !in_class.is_some_and(|in_class| self.is_data_descriptor(&in_class)) {
                        return Ok(Some(value));
                    }
                }
                self.class_attribute(object, name)
            }
            _ => self.class_attribute(object, name),
        }
    }

    fn class_attribute(&mut self, object: &Value, name: Name) -> Fallible<Option<Value>> {
        let class = object.class();
        match class.lookup(name) {
            Some(value) => self.bind_attribute(value, Some(object), &class).map(Some),
            None => Ok(class_type::object_attribute(self, object, name)),
        }
    }

    fn is_data_descriptor(&self, value: &Value) -> bool {
        match value {
            Value::Object(object) => {
                // A slot's value is an attribute of the instance, found there like any other.
                property::as_property(value).is_some()
                    || object.data().class().lookup(names::SET).is_some() && !member::is_member(value)
            }
            Value::Native(native) => native.definition.binding == Binding::Getter,
            Value::Instance(instance) => {
                let class = instance.class.borrow();
                class.lookup(names::SET).is_some() || class.lookup(names::DELETE).is_some()
            }
            _ => false,
        }
    }

    /// What a class's attribute is when read through an instance, or (without one) through the class.
    pub fn bind_attribute(&mut self, value: Value, instance: Option<&Value>, owner: &ClassRef) -> Fallible<Value> {
        match &value {
            Value::Function(_) => Ok(match instance {
                Some(receiver) => bound(value, receiver.clone()),
                None => value,
            }),
            Value::Native(native) if native.class.is_some() => match (native.definition.binding, instance) {
                (Binding::Plain, Some(receiver)) => Ok(bound(value, receiver.clone())),
                (Binding::Class, _) => Ok(bound(value, Value::Class(owner.clone()))),
                (Binding::Getter, Some(receiver)) => self.call(&value, std::slice::from_ref(receiver)),
                (Binding::Plain | Binding::Static, _) | (Binding::Getter, None) => Ok(value),
            },
            Value::Object(object) => {
                if property::as_property(&value).is_some() {
                    return match instance {
                        Some(instance) => property::read(self, &value, instance),
                        None => Ok(value),
                    };
                }
                if let Some(class_method) = property::as_class_method(&value) {
                    return Ok(bound(class_method.function.clone(), Value::Class(owner.clone())));
                }
                if let Some(static_method) = property::as_static_method(&value) {
                    return Ok(static_method.function.clone());
                }
                if member::is_member(&value) {
                    return match instance {
                        Some(instance) => member::read(self, &value, instance),
                        None => Ok(value),
                    };
                }
                let class = object.data().class();
                match class.lookup(names::GET) {
                    Some(get) => {
                        let receiver = instance.cloned().unwrap_or(Value::None);
                        self.call(&get, &[value.clone(), receiver, Value::Class(owner.clone())])
                    }
                    None => Ok(value),
                }
            }
            Value::Instance(_) => match self.find_special(&value, names::GET) {
                Some(get) => {
                    let receiver = instance.cloned().unwrap_or(Value::None);
                    self.call(&get, &[receiver, Value::Class(owner.clone())])
                }
                None => Ok(value),
            },
            _ => Ok(value),
        }
    }

    fn bind_class_attribute(&mut self, value: Value, class: &ClassRef) -> Fallible<Value> {
        self.bind_attribute(value, None, class)
    }

    /// A dunder looked up on the class, bound to the object.
    pub fn find_special(&mut self, object: &Value, name: Name) -> Option<Value> {
        let class = object.class();
        let value = class.lookup(name)?;
        if value.is_none() {
            return None;
        }
        self.bind_attribute(value, Some(object), &class).ok()
    }

    /// An attribute through a site's cache, which it fills.
    pub(super) fn attribute_at(&mut self, object: &Value, site: &Site) -> Fallible<Value> {
        if let Value::Instance(instance) = object {
            self.fill_cache(instance, site);
        } else if let Value::Module(module) = object
            && let Some(value) = module.get(site.name)
        {
            return Ok(value);
        }
        self.get_attribute(object, site.name)
    }

    fn fill_cache(&self, instance: &Ref<InstanceObject>, site: &Site) {
        let class = instance.class.borrow();
        if class.lookup(names::GETATTRIBUTE).is_some_and(|hook| !matches!(hook, Value::Native(_))) {
            return;
        }
        let shaded = class.lookup(site.name);
        if shaded.is_some_and(|value| self.is_data_descriptor(&value)) {
            return;
        }
        if let Some(position) = instance.attributes.borrow().get_index_of(&site.name) {
            site.cache.set(AttributeCache::Instance { version: class.version.get(), position: position as u32 });
        }
    }

    /// The callee and receiver of `object.name(...)`; a plain function of the class is not bound first.
    pub(super) fn method_at(&mut self, object: Value, site: &Site) -> Fallible<(Value, Value)> {
        let class = match &object {
            Value::Instance(instance) => instance.class.borrow().clone(),
            Value::Class(_) | Value::Module(_) | Value::Object(_) | Value::Exception(_) => {
                return Ok((self.get_attribute(&object, site.name)?, Value::Unset));
            }
            other => other.class(),
        };
        if let AttributeCache::Class { version, owner, position } = site.cache.get()
            && version == class.version.get()
            && !has_own(&object, site.name)
            && let Some(value) = value_at(&class, owner, position, site.name)
        {
            return Ok((value, object));
        }
        if class.lookup(names::GETATTRIBUTE).is_none_or(|hook| matches!(hook, Value::Native(_)))
            && !has_own(&object, site.name)
            && let Some((owner, position, value)) = locate(&class, site.name)
        {
            let is_method = match &value {
                Value::Function(_) => true,
                Value::Native(native) => native.class.is_some() && native.definition.binding == Binding::Plain,
                _ => false,
            };
            if is_method {
                let version = class.version.get();
                site.cache.set(AttributeCache::Class { version, owner, position });
                return Ok((value, object));
            }
        }
        let value = self.get_attribute(&object, site.name)?;
        Ok((value, Value::Unset))
    }

    /// `object.name = value` through a site's cache.
    pub(super) fn set_attribute_at(&mut self, object: &Value, site: &Site, value: Value) -> Fallible<()> {
        if let Value::Instance(instance) = object {
            let cached = match site.cache.get() {
                AttributeCache::Instance { version, position } if version == instance.class.borrow().version.get() => {
                    Some(position as usize)
                }
                _ => None,
            };
            if let Some(position) = cached {
                let mut value = value;
                let replaced = match instance.attributes.borrow_mut().get_index_mut(position) {
                    Some((name, place)) if *name == site.name => {
                        std::mem::swap(place, &mut value);
                        true
                    }
                    _ => false,
                };
                if replaced {
                    return Ok(());
                }
                return self.set_attribute(object, site.name, value);
            }
            self.set_attribute(object, site.name, value)?;
            if self.user_hook(object, names::SETATTR).is_none() {
                self.fill_cache(instance, site);
            }
            return Ok(());
        }
        self.set_attribute(object, site.name, value)
    }

    /// `object.name = value`
    pub fn set_attribute(&mut self, object: &Value, name: Name, value: Value) -> Fallible<()> {
        if let Some(hook) = self.user_hook(object, names::SETATTR) {
            self.call(&hook, &[object.clone(), Value::str(name.text()), value])?;
            return Ok(());
        }
        // A class may say itself what setting its attributes means, as enumerations do: there are no metaclasses.
        if let Value::Class(class) = object
            && class.is_user_defined
            && let Some(hook) = class.lookup(names::CLASS_SETATTR)
        {
            let hook = self.bind_attribute(hook, None, class)?;
            self.call(&hook, &[Value::str(name.text()), value])?;
            return Ok(());
        }
        self.set_plain_attribute(object, name, Some(value))
    }

    /// `del object.name`
    pub fn delete_attribute(&mut self, object: &Value, name: Name) -> Fallible<()> {
        if let Some(hook) = self.user_hook(object, names::DELATTR) {
            self.call(&hook, &[object.clone(), Value::str(name.text())])?;
            return Ok(());
        }
        self.set_plain_attribute(object, name, None)
    }

    /// Sets (or, without a value, deletes) an attribute without hooks.
    pub fn set_plain_attribute(&mut self, object: &Value, name: Name, value: Option<Value>) -> Fallible<()> {
        if !matches!(object, Value::Class(_) | Value::Module(_)) {
            let class = object.class();
            if let Some(descriptor) = class.lookup(name)
                && self.is_data_descriptor(&descriptor)
            {
                return self.set_through(&descriptor, object, name, value);
            }
        }
        match object {
            Value::Instance(instance) => {
                if name == names::CLASS {
                    return class_type::set_class(instance, value);
                }
                if !class_type::allows_attribute(&instance.class.borrow(), name) {
                    return Err(self.attribute_error(object, name));
                }
                let old = {
                    let mut attributes = instance.attributes.borrow_mut();
                    match value {
                        Some(value) => Ok(attributes.insert(name, value)),
                        None => attributes.shift_remove(&name).map(Some).ok_or(()),
                    }
                };
                match old {
                    Ok(old) => {
                        drop(old);
                        Ok(())
                    }
                    Err(()) => Err(Raised::builtin(Builtin::AttributeError, name.text())),
                }
            }
            Value::Exception(own) => exception_attributes::set(self, own, name, value),
            Value::Class(class) => class_type::set_attribute(class, name, value),
            Value::Module(module) => {
                let old = match value {
                    Some(value) => module.globals.borrow_mut().set(name, value),
                    None => {
                        let old = module.globals.borrow_mut().set(name, Value::Unset);
                        if old.is_unset() {
                            return Err(self.attribute_error(object, name));
                        }
                        old
                    }
                };
                drop(old);
                Ok(())
            }
            Value::Function(own) => function::set_attribute(own, name, value),
            Value::Object(native) if let Some(attributes) = native.data().attributes() => {
                let is_set = value.is_some();
                let old = match value {
                    Some(value) => attributes.borrow_mut().insert(name, value),
                    None => attributes.borrow_mut().shift_remove(&name),
                };
                if is_set || old.is_some() { Ok(()) } else { Err(self.attribute_error(object, name)) }
            }
            other => {
                let has = other.class().lookup(name).is_some();
                let message = if has {
                    format!("'{}' object attribute '{name}' is read-only", other.type_name())
                } else {
                    format!("'{}' object has no attribute '{name}'", other.type_name())
                };
                Err(Raised::builtin(Builtin::AttributeError, message))
            }
        }
    }

    fn set_through(&mut self, descriptor: &Value, object: &Value, name: Name, value: Option<Value>) -> Fallible<()> {
        match descriptor {
            Value::Object(own) => {
                if property::as_property(descriptor).is_some() {
                    return match value {
                        Some(value) => property::write(self, descriptor, object, value),
                        None => property::delete(self, descriptor, object),
                    };
                }
                let (hook, args) = match value {
                    Some(value) => (names::SET, vec![descriptor.clone(), object.clone(), value]),
                    None => (names::DELETE, vec![descriptor.clone(), object.clone()]),
                };
                match own.data().class().lookup(hook) {
                    Some(method) => self.call(&method, &args).map(drop),
                    None => Err(Raised::builtin(Builtin::AttributeError, hook.text())),
                }
            }
            Value::Instance(_) => {
                let (hook, args) = match value {
                    Some(value) => (names::SET, vec![object.clone(), value]),
                    None => (names::DELETE, vec![object.clone()]),
                };
                match self.find_special(descriptor, hook) {
                    Some(method) => self.call(&method, &args).map(drop),
                    None => Err(Raised::builtin(Builtin::AttributeError, hook.text())),
                }
            }
            _ => {
                let setter = Name::new(&format!("{name}.setter"));
                if let Some(setter) = object.class().lookup(setter)
                    && let Some(value) = value
                {
                    return self.call(&setter, &[object.clone(), value]).map(drop);
                }
                Err(Raised::builtin(
                    Builtin::AttributeError,
                    format!("attribute '{name}' of '{}' objects is not writable", object.type_name()),
                ))
            }
        }
    }

    /// The name an attribute function was given, as an interned name.
    pub fn attribute_name(&mut self, value: &Value) -> Fallible<Name> {
        match value {
            Value::Str(text) => Ok(Name::new(text.as_str())),
            other => Err(type_error(format!("attribute name must be string, not '{}'", other.type_name()))),
        }
    }
}

fn has_own(object: &Value, name: Name) -> bool {
    match object {
        Value::Instance(instance) => instance.attributes.borrow().contains_key(&name),
        Value::Function(function) => function.attributes.borrow().contains_key(&name),
        _ => false,
    }
}

fn locate(class: &ClassRef, name: Name) -> Option<(u16, u16, Value)> {
    let here = |class: &ClassObject| {
        let attributes = class.attributes.borrow();
        let position = attributes.get_index_of(&name)?;
        Some((position as u16, attributes.get_index(position)?.1.clone()))
    };
    if let Some((position, value)) = here(class) {
        return Some((0, position, value));
    }
    class.mro_tail.borrow().iter().enumerate().find_map(|(index, base)| {
        let (position, value) = here(base)?;
        Some((index as u16 + 1, position, value))
    })
}

#[inline]
pub(super) fn value_at(class: &ClassRef, owner: u16, position: u16, name: Name) -> Option<Value> {
    let read = |class: &ClassObject| {
        let attributes = class.attributes.borrow();
        let (found, value) = attributes.get_index(usize::from(position))?;
        (*found == name).then(|| value.clone())
    };
    if owner == 0 {
        return read(class);
    }
    read(class.mro_tail.borrow().get(usize::from(owner) - 1)?)
}

/// A bound method.
pub(super) fn bound(function: Value, receiver: Value) -> Value {
    Value::Method(Ref::new(BoundMethod { function, receiver }))
}
