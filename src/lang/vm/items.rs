//! Items, membership, lengths and iteration.

use super::Vm;
use super::generators::{Step, stop_value};
use crate::lang::arrays::indexing;
use crate::lang::builtins::{item, iterators, receiver};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::objects::{ClassObject, ClassRef};
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::Value;

/// Whether a value's class decides about its items before the built-in operations do.
#[inline]
fn asks_class(value: &Value) -> bool {
    matches!(value, Value::Instance(_) | Value::Object(_) | Value::Exception(_))
}

impl Vm {
    /// A method of a user-defined class, or of an object of a module; built-in bases answer through what they carry.
    fn item_method(&mut self, object: &Value, name: crate::lang::name::Name) -> Option<Value> {
        if let Value::Class(class) = object {
            return self.class_method_of(class, name);
        }
        if !asks_class(object) {
            return None;
        }
        let class = object.class();
        let found = class.lookup(name)?;
        if let (Value::Instance(instance), Value::Native(function)) = (object, &found) {
            // The method of the payload's own class works on the payload; a class between has its own to say.
            let payload = instance.payload.borrow().clone();
            let is_own =
                function.class.as_ref().is_none_or(|owner| ClassObject::is_subclass_of(&payload.class(), owner));
            if payload.is_unset() || is_own {
                return None;
            }
        }
        self.bind_attribute(found, Some(object), &class).ok()
    }

    /// Where a class says itself what `len`, `in` and iteration mean for it, as enumerations do: there are no metaclasses.
    fn class_method_of(&mut self, class: &ClassRef, name: crate::lang::name::Name) -> Option<Value> {
        if !class.is_user_defined {
            return None;
        }
        let hook = match name {
            names::ITER => "__class_iter__",
            names::LEN => "__class_len__",
            names::CONTAINS => "__class_contains__",
            _ => return None,
        };
        let found = class.lookup(crate::lang::name::Name::new(hook))?;
        self.bind_attribute(found, None, class).ok()
    }

    /// `object[key]`
    pub fn get_item(&mut self, object: &Value, key: &Value) -> Fallible<Value> {
        if let Some(method) = self.item_method(object, names::GETITEM) {
            return self.call(&method, std::slice::from_ref(key));
        }
        if let Value::Array(array) = object {
            self.note_origin();
            return indexing::get_item(self, array, key);
        }
        let plain = receiver::payload(object);
        if let (Value::Dict(dict), Value::Instance(_)) = (&plain, object) {
            if let Some(value) = self.dict_get(dict, key)? {
                return Ok(value);
            }
            return match self.find_special(object, names::MISSING) {
                Some(missing) => self.call(&missing, std::slice::from_ref(key)),
                None => Err(crate::lang::raise::key_error(key.clone())),
            };
        }
        if let Some(value) = item::get(self, &plain, key)? {
            return Ok(value);
        }
        if let Value::Class(class) = object {
            if let Some(method) = class.lookup(names::CLASS_GETITEM) {
                let method = self.bind_attribute(method, None, class)?;
                return self.call(&method, std::slice::from_ref(key));
            }
            return Err(type_error(format!("type '{}' is not subscriptable", class.name.get())));
        }
        if let Some(method) = self.find_special(object, names::GETITEM) {
            return self.call(&method, std::slice::from_ref(key));
        }
        Err(type_error(format!("'{}' object is not subscriptable", object.type_name())))
    }

    /// `object[key] = value`
    pub fn set_item(&mut self, object: &Value, key: &Value, value: Value) -> Fallible<()> {
        if let Some(method) = self.item_method(object, names::SETITEM) {
            return self.call(&method, &[key.clone(), value]).map(drop);
        }
        if let Value::Array(array) = object {
            self.note_origin();
            return indexing::set_item(self, array, key, &value);
        }
        match item::set(self, &receiver::payload(object), key, value)? {
            Some(()) => Ok(()),
            None => Err(type_error(format!("'{}' object does not support item assignment", object.type_name()))),
        }
    }

    /// `del object[key]`
    pub fn delete_item(&mut self, object: &Value, key: &Value) -> Fallible<()> {
        if let Some(method) = self.item_method(object, names::DELITEM) {
            return self.call(&method, std::slice::from_ref(key)).map(drop);
        }
        match item::delete(self, &receiver::payload(object), key)? {
            Some(()) => Ok(()),
            None => Err(type_error(format!("'{}' object doesn't support item deletion", object.type_name()))),
        }
    }

    /// `item in container`
    pub fn contains(&mut self, container: &Value, item_value: &Value) -> Fallible<bool> {
        if let Some(method) = self.item_method(container, names::CONTAINS) {
            let answer = self.call(&method, std::slice::from_ref(item_value))?;
            return self.truth(&answer);
        }
        if let Some(found) = item::contains(self, &receiver::payload(container), item_value)? {
            return Ok(found);
        }
        if !matches!(container, Value::Instance(_))
            && let Some(method) = self.find_special(container, names::CONTAINS)
        {
            let answer = self.call(&method, std::slice::from_ref(item_value))?;
            return self.truth(&answer);
        }
        self.contains_by_iteration(container, item_value)
    }

    /// `item in container` for what can only be looked through from its start.
    pub fn contains_by_iteration(&mut self, container: &Value, item_value: &Value) -> Fallible<bool> {
        let iterator = match self.iter(container) {
            Ok(iterator) => iterator,
            Err(error) if error.is(crate::lang::builtins::classes::Builtin::TypeError) => {
                return Err(type_error(format!("argument of type '{}' is not iterable", container.type_name())));
            }
            Err(error) => return Err(error),
        };
        while let Some(candidate) = self.next(&iterator)? {
            if self.equals(&candidate, item_value)? {
                return Ok(true);
            }
            self.poll()?;
        }
        Ok(false)
    }

    /// `len(value)`
    pub fn len(&mut self, value: &Value) -> Fallible<usize> {
        if let Some(method) = self.item_method(value, names::LEN) {
            let answer = self.call(&method, &[])?;
            let len = self.index(&answer)?;
            return usize::try_from(len).map_err(|_| value_error("__len__() should return >= 0"));
        }
        if let Some(len) = item::len(&receiver::payload(value))? {
            return Ok(len);
        }
        if let Some(method) = self.find_special(value, names::LEN) {
            let answer = self.call(&method, &[])?;
            let len = self.index(&answer)?;
            return usize::try_from(len).map_err(|_| value_error("__len__() should return >= 0"));
        }
        Err(type_error(format!("object of type '{}' has no len()", value.type_name())))
    }

    /// `iter(value)`
    pub fn iter(&mut self, value: &Value) -> Fallible<Value> {
        if self.is_dry_run() {
            self.refuse_stepping(value)?;
        }
        match value {
            Value::Iterator(_) | Value::Generator(_) => return Ok(value.clone()),
            Value::Object(object) if object.data().is_iterator() => return Ok(value.clone()),
            Value::Array(array) => {
                indexing::len(array).map_err(|_| type_error("iteration over a 0-d array"))?;
                return Ok(iterators::make(crate::lang::objects::IteratorState::Sequence(value.clone(), 0)));
            }
            _ => {}
        }
        if let Some(method) = self.item_method(value, names::ITER) {
            let iterator = self.call(&method, &[])?;
            return self.checked_iterator(iterator);
        }
        if let Some(iterator) = iterators::iter(&receiver::payload(value)) {
            return Ok(iterator);
        }
        let class = value.class();
        if let Some(method) = class.lookup(names::ITER)
            && !method.is_none()
        {
            let method = self.bind_attribute(method, Some(value), &class)?;
            let iterator = self.call(&method, &[])?;
            return self.checked_iterator(iterator);
        }
        if class.lookup(names::GETITEM).is_some() && asks_class(value) {
            let state = crate::lang::objects::IteratorState::Sequence(value.clone(), 0);
            return Ok(iterators::make(state));
        }
        Err(type_error(format!("'{}' object is not iterable", value.type_name())))
    }

    fn checked_iterator(&mut self, iterator: Value) -> Fallible<Value> {
        let is_iterator = match &iterator {
            Value::Iterator(_) | Value::Generator(_) => true,
            Value::Object(object) if object.data().is_iterator() => true,
            other => other.class().lookup(names::NEXT).is_some(),
        };
        if is_iterator {
            return Ok(iterator);
        }
        Err(type_error(format!("iter() returned non-iterator of type '{}'", iterator.type_name())))
    }

    /// The next item; nothing at the end.
    pub fn next(&mut self, iterator: &Value) -> Fallible<Option<Value>> {
        // An iterator may have no end, and who draws from it natively may have nothing else that looks.
        self.poll()?;
        match iterator {
            Value::Iterator(own) => iterators::next(self, own),
            Value::Object(object) if object.data().is_iterator() => {
                let _level = iterators::deeper()?;
                object.clone().data().next(self)
            }
            Value::Generator(generator) => Ok(self.resume_next(generator)?.yielded()),
            other => Ok(self.next_or_result(other)?.yielded()),
        }
    }

    /// The next item, or the value that an iterator ends with.
    pub fn next_or_result(&mut self, iterator: &Value) -> Fallible<Step> {
        match iterator {
            Value::Generator(generator) => self.resume_next(generator),
            Value::Iterator(_) => Ok(self.next(iterator)?.map_or(Step::Returned(Value::None), Step::Yielded)),
            Value::Object(object) if object.data().is_iterator() => {
                Ok(self.next(iterator)?.map_or(Step::Returned(Value::None), Step::Yielded))
            }
            other => {
                let Some(method) = self.find_special(other, names::NEXT) else {
                    return Err(type_error(format!("'{}' object is not an iterator", other.type_name())));
                };
                match self.call(&method, &[]) {
                    Ok(value) => Ok(Step::Yielded(value)),
                    Err(error) => stop_value(&error).map(Step::Returned).ok_or(error),
                }
            }
        }
    }

    /// Every item, in a vector that the machine protects while it grows.
    pub fn collect(&mut self, iterable: &Value) -> Fallible<Vec<Value>> {
        if let Some(items) = iterators::collect_quickly(self, iterable)? {
            return Ok(items);
        }
        let iterator = self.iter(iterable)?;
        self.reserve_hinted(&iterator)?;
        let collected = crate::lang::heap::Ref::new(crate::lang::objects::ListObject::default());
        self.protect(Value::List(collected.clone()));
        let mut count = 0_u32;
        let result = loop {
            match self.next(&iterator) {
                Ok(Some(item)) => {
                    let mut items = collected.items.borrow_mut();
                    if let Err(error) = iterators::reserve_growth(self, &items) {
                        break Err(error);
                    }
                    items.push(item);
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
            count = count.wrapping_add(1);
            if count & 0xfff == 0
                && let Err(error) = self.poll()
            {
                break Err(error);
            }
        };
        self.unprotect(1);
        result?;
        Ok(std::mem::take(&mut *collected.items.borrow_mut()))
    }

    /// Asks the budget for as many items as an iterator of the library says are left, before any is drawn.
    fn reserve_hinted(&mut self, iterator: &Value) -> Fallible<()> {
        let Value::Object(_) = iterator else { return Ok(()) };
        let Some(method) = self.find_special(iterator, names::LENGTH_HINT) else { return Ok(()) };
        match self.call(&method, &[]) {
            Ok(Value::Int(hint)) => {
                let count = usize::try_from(hint).unwrap_or(0);
                self.reserve(count.saturating_mul(size_of::<Value>()))
            }
            // An endless or unsized iterator has no hint.
            Ok(_) => Ok(()),
            Err(error) if error.is(crate::lang::builtins::classes::Builtin::TypeError) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Unpacks exactly `count` items into slots from `first` on.
    pub(super) fn unpack(&mut self, value: Value, first: usize, count: usize) -> Fallible<()> {
        let items = match value {
            Value::Tuple(mut tuple) => {
                check_unpacked(tuple.items().len(), count, true)?;
                let slots = &mut self.stack[first..first + count];
                match Ref::get_mut(&mut tuple) {
                    // Nobody else sees the tuple, so its items move.
                    Some(own) => {
                        slots.iter_mut().zip(own.items_mut()).for_each(|(slot, item)| slot.put(std::mem::take(item)))
                    }
                    None => slots.iter_mut().zip(tuple.items()).for_each(|(slot, item)| slot.put(item.clone())),
                }
                return Ok(());
            }
            Value::List(list) => {
                let items = list.items.borrow();
                check_unpacked(items.len(), count, true)?;
                let slots = &mut self.stack[first..first + count];
                slots.iter_mut().zip(items.iter()).for_each(|(slot, item)| slot.put(item.clone()));
                return Ok(());
            }
            other => {
                let iterator = self.unpack_iterator(&other)?;
                let items = self.take_items(&iterator, count + 1)?;
                check_unpacked(items.len(), count, false)?;
                if items.len() > count {
                    return Err(value_error(format!("too many values to unpack (expected {count})")));
                }
                items
            }
        };
        for (offset, item) in items.into_iter().enumerate() {
            self.stack[first + offset] = item;
        }
        Ok(())
    }

    /// At most `count` items of an iterator; the machine shows them to holder walks until all are there.
    fn take_items(&mut self, iterator: &Value, count: usize) -> Fallible<Vec<Value>> {
        let mut items = Vec::new();
        let result = loop {
            if items.len() == count {
                break Ok(());
            }
            match self.next(iterator) {
                Ok(Some(item)) => {
                    self.protect(item.clone());
                    items.push(item);
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        self.unprotect(items.len());
        result.map(|()| items)
    }

    fn unpack_iterator(&mut self, value: &Value) -> Fallible<Value> {
        match self.iter(value) {
            Ok(iterator) => Ok(iterator),
            Err(error)
                if error.is(crate::lang::builtins::classes::Builtin::TypeError)
                    && value.class().lookup(names::ITER).is_none() =>
            {
                Err(type_error(format!("cannot unpack non-iterable {} object", value.type_name())))
            }
            Err(error) => Err(error),
        }
    }

    /// Unpacks with a list in the middle for `*rest`.
    pub(super) fn unpack_starred(&mut self, value: &Value, first: usize, before: usize, after: usize) -> Fallible<()> {
        let iterator = self.unpack_iterator(value)?;
        let items = self.collect(&iterator)?;
        if items.len() < before + after {
            return Err(value_error(format!(
                "not enough values to unpack (expected at least {}, got {})",
                before + after,
                items.len()
            )));
        }
        let rest_end = items.len() - after;
        let mut rest = Vec::with_capacity(rest_end - before);
        let mut slot = first;
        for (index, item) in items.into_iter().enumerate() {
            if index >= before && index < rest_end {
                rest.push(item);
                continue;
            }
            if index == rest_end {
                self.stack[slot] = Value::list(std::mem::take(&mut rest));
                slot += 1;
            }
            self.stack[slot] = item;
            slot += 1;
        }
        if after == 0 {
            self.stack[slot] = Value::list(rest);
        }
        Ok(())
    }
}

fn check_unpacked(len: usize, count: usize, is_whole: bool) -> Fallible<()> {
    if len < count {
        return Err(value_error(format!("not enough values to unpack (expected {count}, got {len})")));
    }
    if is_whole && len > count {
        return Err(value_error(format!("too many values to unpack (expected {count})")));
    }
    Ok(())
}
