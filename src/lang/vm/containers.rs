//! Dicts and sets, whose keys may have user-defined equality, and the containers of displays.

use super::Vm;
use crate::lang::builtins::{receiver, table};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::objects::{DictObject, ListObject, SetObject};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;

impl Vm {
    /// The value of a key.
    pub fn dict_get(&mut self, dict: &Ref<DictObject>, key: &Value) -> Fallible<Option<Value>> {
        table::dict_get(self, dict, key)
    }

    /// Sets a key.
    pub fn dict_set(&mut self, dict: &Ref<DictObject>, key: Value, value: Value) -> Fallible<()> {
        table::dict_set(self, dict, key, value)
    }

    /// Removes a key and returns its value.
    pub fn dict_remove(&mut self, dict: &Ref<DictObject>, key: &Value) -> Fallible<Option<Value>> {
        Ok(table::dict_remove(self, dict, key)?.map(|entry| entry.value))
    }

    /// Adds an element; false when it was there.
    pub fn set_add(&mut self, set: &Ref<SetObject>, item: Value) -> Fallible<bool> {
        table::set_add(self, set, item)
    }

    /// Adds every item of an iterable to a set.
    pub(super) fn update_set(&mut self, set: &Ref<SetObject>, items: &Value) -> Fallible<()> {
        for item in self.collect(items)? {
            self.set_add(set, item)?;
        }
        Ok(())
    }

    /// Adds the entries of a mapping to a dict.
    pub fn update_dict(&mut self, dict: &Ref<DictObject>, mapping: &Value) -> Fallible<()> {
        if let Value::Dict(other) = receiver::payload(mapping) {
            let entries: Vec<(Value, Value)> =
                other.table.borrow().iter().map(|(_, entry)| (entry.key.clone(), entry.value.clone())).collect();
            for (key, value) in entries {
                self.dict_set(dict, key, value)?;
            }
            return Ok(());
        }
        let Some(keys) = self.find_attribute(mapping, names::KEYS)? else {
            return Err(type_error(format!("'{}' object is not a mapping", mapping.type_name())));
        };
        let keys = self.call(&keys, &[])?;
        for key in self.collect(&keys)? {
            let value = self.get_item(mapping, &key)?;
            self.dict_set(dict, key, value)?;
        }
        Ok(())
    }

    /// `[*value]`
    pub(super) fn extend_for_unpacking(&mut self, list: &Ref<ListObject>, value: &Value) -> Fallible<()> {
        if let Some(mut items) = crate::lang::builtins::iterators::collect_quickly(self, value)? {
            list.items.borrow_mut().append(&mut items);
            return Ok(());
        }
        let has_iter = self.iter(value);
        let iterator = match has_iter {
            Ok(iterator) => iterator,
            Err(error)
                if error.is(crate::lang::builtins::classes::Builtin::TypeError)
                    && value.class().lookup(names::ITER).is_none() =>
            {
                return Err(type_error(format!("Value after * must be an iterable, not {}", value.type_name())));
            }
            Err(error) => return Err(error),
        };
        let mut items = self.collect(&iterator)?;
        list.items.borrow_mut().append(&mut items);
        Ok(())
    }
}
