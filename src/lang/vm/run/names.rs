//! Instructions that read, bind and delete names: globals, names of class bodies, boxed locals, captured variables.

use super::{At, class_namespace, unbound_free, unbound_local};
use crate::lang::code::Register;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::{CellObject, ModuleObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

impl Vm {
    /// The module whose globals the running frame sees.
    #[inline(always)]
    fn module(&self) -> &Ref<ModuleObject> {
        self.frames.last().expect("a frame is running").module()
    }

    /// The value of a global, or of the built-in that was meant last time; unset when there is neither.
    #[inline(always)]
    pub(super) fn global(&self, slot: u32) -> Value {
        let globals = self.module().globals.borrow();
        let value = globals.at(slot);
        if !value.is_unset() {
            return value.clone();
        }
        match globals.builtin_slot(slot) {
            Some(builtin) => self.builtins.globals.borrow().at(builtin).clone(),
            None => Value::Unset,
        }
    }

    /// The built-in, or what the session knows, of a name that the module does not bind.
    #[inline(never)]
    pub(super) fn unbound_global(&mut self, slot: u32) -> Fallible<Value> {
        let module = self.module().clone();
        let name = module.globals.borrow().name_at(slot);
        if let Some(builtin) = self.builtins.globals.borrow().find(name) {
            module.globals.borrow().note_builtin(slot, builtin);
        }
        self.global_fallback(&module, name)
    }

    #[inline(never)]
    pub(super) fn store_global(&mut self, at: At<'_>, source: Register, slot: u32) -> Fallible<()> {
        self.settle_pending()?;
        let value = std::mem::take(self.register(at, source));
        let old = self.module().globals.borrow_mut().put(slot, value);
        old.discard();
        self.finalizers_only();
        Ok(())
    }

    #[inline(never)]
    pub(super) fn delete_global(&mut self, slot: u32) -> Fallible<()> {
        let module = self.module().clone();
        let old = module.globals.borrow_mut().put(slot, Value::Unset);
        let name = module.globals.borrow().name_at(slot);
        if old.is_unset() {
            return Err(raise::name_error(format!("name '{name}' is not defined")));
        }
        self.global_deleted(&module, name, old)
    }

    #[inline(never)]
    pub(super) fn load_name(&mut self, at: At<'_>, destination: Register, name: Name) -> Fallible<()> {
        let module = self.module().clone();
        let value = self.load_class_name(at.base, &module, name)?;
        self.register(at, destination).put(value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn load_name_or_free(
        &mut self,
        at: At<'_>,
        destination: Register,
        name: Name,
        index: u16,
    ) -> Fallible<()> {
        if let Some(value) = class_namespace(self.register(at, 0), name) {
            self.register(at, destination).put(value);
            return Ok(());
        }
        let captured = self.captured(index);
        if captured.is_unset() {
            return self.load_name(at, destination, name);
        }
        self.register(at, destination).put(captured);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn store_name(&mut self, at: At<'_>, source: Register, name: Name) -> Fallible<()> {
        self.settle_pending()?;
        let value = std::mem::take(self.register(at, source));
        if let Value::Module(namespace) = self.register(at, 0) {
            namespace.set(name, value);
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn delete_name(&mut self, at: At<'_>, name: Name) -> Fallible<()> {
        let old = match self.register(at, 0) {
            Value::Module(namespace) => namespace.globals.borrow_mut().set(name, Value::Unset),
            _ => Value::Unset,
        };
        if old.is_unset() {
            return Err(raise::name_error(format!("name '{name}' is not defined")));
        }
        Ok(())
    }

    pub(super) fn make_cell(&mut self, at: At<'_>, register: Register) {
        let slot = self.register(at, register);
        let value = std::mem::take(slot);
        *slot = Value::Cell(Ref::new(CellObject::new(value)));
    }

    /// What a boxed local holds, unset when it is unbound.
    #[inline(always)]
    pub(super) fn boxed(&self, at: At<'_>, register: Register) -> Value {
        match &self.stack[at.base + usize::from(register)] {
            Value::Cell(cell) => cell.value.borrow().clone(),
            _ => Value::Unset,
        }
    }

    #[inline(never)]
    pub(super) fn store_cell(&mut self, at: At<'_>, register: Register, source: Register) -> Fallible<()> {
        self.settle_pending()?;
        if self.dry_run.is_some() {
            self.refuse_change(&self.stack[at.base + usize::from(register)], false)?;
        }
        let value = std::mem::take(self.register(at, source));
        if let Value::Cell(cell) = self.register(at, register) {
            let old = cell.value.replace(value);
            old.discard();
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn delete_cell(&mut self, at: At<'_>, register: Register) -> Fallible<()> {
        let old = match self.register(at, register) {
            Value::Cell(cell) => cell.value.take(),
            _ => Value::Unset,
        };
        if old.is_unset() {
            return Err(unbound_local(at.code, register));
        }
        old.discard();
        self.safe_point()
    }

    /// What a captured variable holds, unset when it is unbound.
    #[inline(always)]
    pub(super) fn captured(&self, index: u16) -> Value {
        let function = self.frames.last().and_then(|frame| frame.function.as_ref());
        match function.and_then(|function| function.closure.borrow().get(usize::from(index)).cloned()) {
            Some(cell) => cell.value.borrow().clone(),
            None => Value::Unset,
        }
    }

    fn captured_cell_at(&self, index: u16) -> Option<Ref<CellObject>> {
        self.frames.last()?.function.as_ref()?.closure.borrow().get(usize::from(index)).cloned()
    }

    #[inline(never)]
    pub(super) fn store_free(&mut self, at: At<'_>, source: Register, index: u16) -> Fallible<()> {
        self.settle_pending()?;
        let value = std::mem::take(self.register(at, source));
        if let Some(cell) = self.captured_cell_at(index) {
            let old = cell.value.replace(value);
            old.discard();
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn delete_free(&mut self, at: At<'_>, index: u16) -> Fallible<()> {
        let old = self.captured_cell_at(index).map(|cell| cell.value.take()).unwrap_or_default();
        if old.is_unset() {
            return Err(unbound_free(at.code.captured_name(usize::from(index))));
        }
        Ok(())
    }
}
