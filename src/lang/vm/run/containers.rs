//! Displays, unpacking and f-strings.

use super::At;
use crate::lang::builtins::iterators;
use crate::lang::code::Register;
use crate::lang::heap::Ref;
use crate::lang::objects::{DictObject, ListObject, SetObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

impl Vm {
    /// Moves a row of registers out.
    fn take_row(&mut self, at: At<'_>, first: Register, count: u16) -> Vec<Value> {
        let first = at.base + usize::from(first);
        self.stack[first..first + usize::from(count)].iter_mut().map(std::mem::take).collect()
    }

    pub(super) fn build_tuple(
        &mut self,
        at: At<'_>,
        destination: Register,
        first: Register,
        count: u16,
    ) -> Fallible<()> {
        self.settle_pending()?;
        let items = self.take_row(at, first, count);
        self.register(at, destination).put(Value::tuple(items));
        Ok(())
    }

    pub(super) fn build_list(
        &mut self,
        at: At<'_>,
        destination: Register,
        first: Register,
        count: u16,
    ) -> Fallible<()> {
        self.settle_pending()?;
        let items = self.take_row(at, first, count);
        self.register(at, destination).put(Value::list(items));
        Ok(())
    }

    /// An empty set, or the end of a display of constants.
    pub(super) fn build_set(&mut self, at: At<'_>, destination: Register, is_constant: bool) {
        if !is_constant {
            self.register(at, destination).put(Value::Set(Ref::new(SetObject::default())));
        } else if let Value::Set(set) = self.register(at, destination) {
            crate::lang::builtins::set::settle_constant(set);
        }
    }

    pub(super) fn build_dict(&mut self, at: At<'_>, destination: Register) {
        self.register(at, destination).put(Value::Dict(Ref::new(DictObject::default())));
    }

    #[inline(never)]
    pub(super) fn build_string_at(
        &mut self,
        at: At<'_>,
        destination: Register,
        first: Register,
        count: u16,
    ) -> Fallible<()> {
        let text = self.build_string(at.base + usize::from(first), usize::from(count))?;
        self.register(at, destination).put(text);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn list_append(&mut self, at: At<'_>, list: Register, source: Register) -> Fallible<()> {
        self.settle_pending()?;
        let value = self.operand(at, source)?;
        if let Value::List(list) = self.register(at, list) {
            let mut items = list.items.borrow_mut();
            if !iterators::is_large_and_full(&items) {
                items.push(value);
                return Ok(());
            }
        }
        if let Some(list) = self.list_in(at, list) {
            iterators::reserve_growth(self, &list.items.borrow())?;
            list.items.borrow_mut().push(value);
        }
        Ok(())
    }

    fn list_in(&mut self, at: At<'_>, register: Register) -> Option<Ref<ListObject>> {
        match self.register(at, register) {
            Value::List(list) => Some(list.clone()),
            _ => None,
        }
    }

    fn set_in(&mut self, at: At<'_>, register: Register) -> Option<Ref<SetObject>> {
        match self.register(at, register) {
            Value::Set(set) => Some(set.clone()),
            _ => None,
        }
    }

    fn dict_in(&mut self, at: At<'_>, register: Register) -> Option<Ref<DictObject>> {
        match self.register(at, register) {
            Value::Dict(dict) => Some(dict.clone()),
            _ => None,
        }
    }

    #[inline(never)]
    pub(super) fn list_extend(&mut self, at: At<'_>, list: Register, source: Register) -> Fallible<()> {
        let value = self.operand(at, source)?;
        let Some(list) = self.list_in(at, list) else { return Ok(()) };
        self.extend_for_unpacking(&list, &value)
    }

    #[inline(never)]
    pub(super) fn set_add_at(&mut self, at: At<'_>, set: Register, source: Register) -> Fallible<()> {
        let value = self.operand(at, source)?;
        let Some(set) = self.set_in(at, set) else { return Ok(()) };
        self.set_add(&set, value).map(drop)
    }

    #[inline(never)]
    pub(super) fn set_update(&mut self, at: At<'_>, set: Register, source: Register) -> Fallible<()> {
        let value = self.operand(at, source)?;
        let Some(set) = self.set_in(at, set) else { return Ok(()) };
        self.update_set(&set, &value)
    }

    #[inline(never)]
    pub(super) fn dict_insert(&mut self, at: At<'_>, dict: Register, key: Register, value: Register) -> Fallible<()> {
        self.settle_pending()?;
        let (key, value) = (self.operand(at, key)?, self.operand(at, value)?);
        let Some(dict) = self.dict_in(at, dict) else { return Ok(()) };
        self.dict_set(&dict, key, value)
    }

    #[inline(never)]
    pub(super) fn dict_update(&mut self, at: At<'_>, dict: Register, source: Register) -> Fallible<()> {
        let value = self.operand(at, source)?;
        let Some(dict) = self.dict_in(at, dict) else { return Ok(()) };
        self.update_dict(&dict, &value)
    }

    #[inline(never)]
    pub(super) fn dict_merge(
        &mut self,
        at: At<'_>,
        dict: Register,
        source: Register,
        callee: Register,
    ) -> Fallible<()> {
        let value = self.operand(at, source)?;
        let callee = self.register(at, callee).clone();
        let Some(dict) = self.dict_in(at, dict) else { return Ok(()) };
        self.merge_keywords(&dict, &value, &callee)
    }

    #[inline(never)]
    pub(super) fn list_to_tuple(&mut self, at: At<'_>, destination: Register, source: Register) {
        let items = match std::mem::take(self.register(at, source)) {
            Value::List(list) => std::mem::take(&mut *list.items.borrow_mut()),
            _ => Vec::new(),
        };
        self.register(at, destination).put(Value::tuple(items));
    }

    #[inline(never)]
    pub(super) fn format_at(
        &mut self,
        at: At<'_>,
        conversion: u8,
        destination: Register,
        source: Register,
        spec: Register,
    ) -> Fallible<()> {
        let (value, spec) = (self.operand(at, source)?, self.operand(at, spec)?);
        let text = self.format_field(&value, conversion, spec.as_str().unwrap_or_default())?;
        self.register(at, destination).put(text);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn format_plain_at(
        &mut self,
        at: At<'_>,
        conversion: u8,
        destination: Register,
        source: Register,
    ) -> Fallible<()> {
        let value = self.operand(at, source)?;
        let text = self.format_field(&value, conversion, "")?;
        self.register(at, destination).put(text);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn unpack_at(&mut self, at: At<'_>, first: Register, source: Register, count: u16) -> Fallible<()> {
        let value = self.operand(at, source)?;
        self.unpack(value, at.base + usize::from(first), usize::from(count))
    }

    #[inline(never)]
    pub(super) fn unpack_starred_at(
        &mut self,
        at: At<'_>,
        before: u8,
        first: Register,
        source: Register,
        after: u16,
    ) -> Fallible<()> {
        let value = self.operand(at, source)?;
        let first = at.base + usize::from(first);
        self.unpack_starred(&value, first, usize::from(before), usize::from(after))
    }
}
