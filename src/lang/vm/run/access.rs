//! Instructions on attributes and items. The quick ways find what an inline cache knows or a list, tuple or dict has at hand,
//! and answer whether they did; the whole protocols are elsewhere in the machine.

use super::At;
use crate::lang::builtins::table;
use crate::lang::code::{AttributeCache, Register, Site};
use crate::lang::heap::{self, Ref};
use crate::lang::objects::{InstanceObject, SliceObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;
use crate::lang::vm::attributes::value_at;

/// The position of an attribute that an instance has where it had it last time, if its class is what it was.
#[inline(always)]
fn cached_position(instance: &InstanceObject, site: &Site) -> Option<usize> {
    let AttributeCache::Instance { version, position } = site.cache.get() else { return None };
    (instance.class.borrow().version.get() == version).then_some(position as usize)
}

impl Vm {
    #[inline(always)]
    pub(super) fn get_attribute_quickly(
        &mut self,
        at: At<'_>,
        destination: Register,
        object: Register,
        site: &Site,
    ) -> bool {
        let Value::Instance(instance) = &self.stack[at.base + usize::from(object)] else { return false };
        let Some(position) = cached_position(instance, site) else { return false };
        let value = match instance.attributes.borrow().get_index(position) {
            Some((name, value)) if *name == site.name => value.clone(),
            _ => return false,
        };
        if at.is_temporary(object) {
            self.register(at, object).put(Value::Unset);
        }
        self.register(at, destination).put(value);
        true
    }

    #[inline(never)]
    pub(super) fn get_attribute_slowly(
        &mut self,
        at: At<'_>,
        destination: Register,
        object: Register,
        site: &Site,
    ) -> Fallible<()> {
        let object = self.operand(at, object)?;
        let value = self.attribute_at(&object, site)?;
        object.discard();
        self.finish(at, destination, value)
    }

    #[inline(always)]
    pub(super) fn set_attribute_quickly(
        &mut self,
        at: At<'_>,
        object: Register,
        site: &Site,
        source: Register,
    ) -> bool {
        if !self.pending.is_empty() || self.dry_run.is_some() {
            return false;
        }
        let Value::Instance(instance) = &self.stack[at.base + usize::from(object)] else { return false };
        let Some(position) = cached_position(instance, site) else { return false };
        let mut value = if at.is_temporary(source) {
            std::mem::take(self.register(at, source))
        } else {
            self.stack[at.base + usize::from(source)].clone()
        };
        let replaced = match &self.stack[at.base + usize::from(object)] {
            Value::Instance(instance) if !value.is_unset() => {
                match instance.attributes.borrow_mut().get_index_mut(position) {
                    Some((name, place)) if *name == site.name => {
                        std::mem::swap(place, &mut value);
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        if !replaced {
            if at.is_temporary(source) {
                *self.register(at, source) = value;
            }
            return false;
        }
        value.discard();
        if at.is_temporary(object) {
            self.register(at, object).put(Value::Unset);
        }
        !heap::has_finalizers() || {
            self.run_finalizers();
            true
        }
    }

    #[inline(never)]
    pub(super) fn set_attribute_slowly(
        &mut self,
        at: At<'_>,
        object: Register,
        site: &Site,
        source: Register,
    ) -> Fallible<()> {
        self.settle_pending()?;
        let object = self.operand(at, object)?;
        let value = self.operand(at, source)?;
        if self.dry_run.is_some() {
            self.refuse_change(&object, true)?;
        }
        self.set_attribute_at(&object, site, value)?;
        object.discard();
        self.finalizers_only();
        Ok(())
    }

    #[inline(never)]
    pub(super) fn delete_attribute_at(&mut self, at: At<'_>, object: Register, site: &Site) -> Fallible<()> {
        let object = self.operand(at, object)?;
        if self.dry_run.is_some() {
            self.refuse_change(&object, true)?;
        }
        self.delete_attribute(&object, site.name)?;
        object.discard();
        self.safe_point()
    }

    /// Loads a method that the class had at the same place last time, where the receiver's own attributes do not hide it.
    #[inline(always)]
    pub(super) fn load_method_quickly(&mut self, at: At<'_>, window: Register, object: Register, site: &Site) -> bool {
        let AttributeCache::Class { version, owner, position } = site.cache.get() else { return false };
        let receiver = &self.stack[at.base + usize::from(object)];
        let callee = match receiver {
            Value::Instance(instance) => {
                let class = instance.class.borrow();
                if class.version.get() != version || instance.attributes.borrow().contains_key(&site.name) {
                    return false;
                }
                value_at(&class, owner, position, site.name)
            }
            Value::List(_) | Value::Dict(_) | Value::Str(_) | Value::Set(_) => {
                let class = receiver.class();
                if class.version.get() != version {
                    return false;
                }
                value_at(&class, owner, position, site.name)
            }
            _ => return false,
        };
        let Some(callee) = callee else { return false };
        let receiver = if at.is_temporary(object) {
            std::mem::take(self.register(at, object))
        } else {
            self.stack[at.base + usize::from(object)].clone()
        };
        self.register(at, window).put(callee);
        self.register(at, window + 1).put(receiver);
        true
    }

    #[inline(never)]
    pub(super) fn load_method_slowly(
        &mut self,
        at: At<'_>,
        window: Register,
        object: Register,
        site: &Site,
    ) -> Fallible<()> {
        let object = self.operand(at, object)?;
        let (callee, receiver) = self.method_at(object, site)?;
        self.register(at, window).put(callee);
        self.register(at, window + 1).put(receiver);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn get_item_quickly(
        &mut self,
        at: At<'_>,
        destination: Register,
        object: Register,
        key: Register,
    ) -> bool {
        let container = &self.stack[at.base + usize::from(object)];
        let key = &self.stack[at.base + usize::from(key)];
        let found = match (container, key) {
            (Value::List(list), Value::Int(index)) if *index >= 0 => list.items.borrow().get(*index as usize).cloned(),
            (Value::Tuple(tuple), Value::Int(index)) if *index >= 0 => tuple.items().get(*index as usize).cloned(),
            (Value::Dict(dict), key @ (Value::Str(_) | Value::Int(_))) => table::dict_get_quickly(dict, key),
            _ => None,
        };
        let Some(value) = found else { return false };
        if at.is_temporary(object) {
            self.register(at, object).put(Value::Unset);
        }
        self.register(at, destination).put(value);
        true
    }

    #[inline(never)]
    pub(super) fn get_item_slowly(
        &mut self,
        at: At<'_>,
        destination: Register,
        object: Register,
        key: Register,
    ) -> Fallible<()> {
        let (object, key) = (self.operand(at, object)?, self.operand(at, key)?);
        let value = self.get_item(&object, &key)?;
        object.discard();
        key.discard();
        self.finish(at, destination, value)
    }

    #[inline(never)]
    pub(super) fn set_item_at(
        &mut self,
        at: At<'_>,
        object: Register,
        key: Register,
        source: Register,
    ) -> Fallible<()> {
        self.settle_pending()?;
        if self.dry_run.is_some() {
            self.refuse_change(&self.stack[at.base + usize::from(object)], false)?;
        }
        let value = self.operand(at, source)?;
        let container = &self.stack[at.base + usize::from(object)];
        let quick = match (container, &self.stack[at.base + usize::from(key)]) {
            (Value::List(list), Value::Int(index)) if *index >= 0 => {
                match list.items.borrow_mut().get_mut(*index as usize) {
                    Some(place) => Ok(std::mem::replace(place, value)),
                    None => Err(value),
                }
            }
            (Value::Dict(dict), key @ (Value::Str(_) | Value::Int(_))) => table::dict_set_quickly(dict, key, value),
            _ => Err(value),
        };
        match quick {
            Ok(old) => {
                old.discard();
                for register in [object, key] {
                    if at.is_temporary(register) {
                        self.register(at, register).put(Value::Unset);
                    }
                }
            }
            Err(value) => {
                let (object, key) = (self.operand(at, object)?, self.operand(at, key)?);
                self.set_item(&object, &key, value)?;
                object.discard();
                key.discard();
            }
        }
        self.finalizers_only();
        Ok(())
    }

    #[inline(never)]
    pub(super) fn delete_item_at(&mut self, at: At<'_>, object: Register, key: Register) -> Fallible<()> {
        let (object, key) = (self.operand(at, object)?, self.operand(at, key)?);
        if self.dry_run.is_some() {
            self.refuse_change(&object, false)?;
        }
        self.delete_item(&object, &key)?;
        object.discard();
        key.discard();
        self.safe_point()
    }

    pub(super) fn build_slice(&mut self, at: At<'_>, destination: Register, first: Register) {
        let start = std::mem::take(self.register(at, first));
        let stop = std::mem::take(self.register(at, first + 1));
        let step = std::mem::take(self.register(at, first + 2));
        let slice = Value::Slice(Ref::new(SliceObject { start, stop, step }));
        self.register(at, destination).put(slice);
    }
}
