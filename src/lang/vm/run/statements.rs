//! Definitions, imports, patterns, magics, and the ends of expression statements.

use super::At;
use crate::lang::code::{CodeKind, Register};
use crate::lang::name::Name;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

impl Vm {
    fn running_globals(&self) -> crate::lang::heap::Ref<crate::lang::objects::ModuleObject> {
        self.frames.last().expect("a frame is running").module().clone()
    }

    #[inline(never)]
    pub(super) fn make_function_at(
        &mut self,
        at: At<'_>,
        destination: Register,
        first: Register,
        index: u16,
    ) -> Fallible<()> {
        let module = self.running_globals();
        let value = self.make_function(at.code, at.base, usize::from(first), usize::from(index), &module)?;
        self.register(at, destination).put(value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn import_at(&mut self, at: At<'_>, whole: bool, destination: Register, name: Name) -> Fallible<()> {
        let value = self.import_statement(name, whole)?;
        self.register(at, destination).put(value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn import_from_at(
        &mut self,
        at: At<'_>,
        destination: Register,
        source: Register,
        name: Name,
    ) -> Fallible<()> {
        let source = self.operand(at, source)?;
        let value = self.import_from(&source, name)?;
        self.register(at, destination).put(value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn import_star_at(&mut self, at: At<'_>, source: Register) -> Fallible<()> {
        let source = self.operand(at, source)?;
        let module = self.running_globals();
        self.import_star(&source, &module)
    }

    #[inline(never)]
    pub(super) fn store_annotation_at(&mut self, at: At<'_>, source: Register, name: Name) -> Fallible<()> {
        let value = self.operand(at, source)?;
        let namespace = match (at.code.kind, self.register(at, 0)) {
            (CodeKind::Class, Value::Module(namespace)) => namespace.clone(),
            _ => self.running_globals(),
        };
        self.store_annotation(&namespace, name, value)
    }

    #[inline(never)]
    pub(super) fn match_kind(&mut self, at: At<'_>, is_mapping: bool, destination: Register, source: Register) {
        let value = self.register(at, source).clone();
        let matches = self.matches_kind(&value, is_mapping);
        self.register(at, destination).put(Value::Bool(matches));
    }

    #[inline(never)]
    pub(super) fn match_length(
        &mut self,
        at: At<'_>,
        at_least: bool,
        destination: Register,
        source: Register,
        count: u16,
    ) -> Fallible<()> {
        let value = self.register(at, source).clone();
        let len = self.len(&value)?;
        let count = usize::from(count);
        self.register(at, destination).put(Value::Bool(if at_least { len >= count } else { len == count }));
        Ok(())
    }

    #[inline(never)]
    pub(super) fn match_keys_at(
        &mut self,
        at: At<'_>,
        destination: Register,
        subject: Register,
        keys: Register,
    ) -> Fallible<()> {
        let (subject, keys) = (self.operand(at, subject)?, self.operand(at, keys)?);
        let value = self.match_keys(&subject, &keys)?;
        self.register(at, destination).put(value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn match_class_at(
        &mut self,
        at: At<'_>,
        destination: Register,
        window: Register,
        positional: u16,
    ) -> Fallible<()> {
        let subject = self.operand(at, window)?;
        let class = self.operand(at, window + 1)?;
        let keyword_names = self.operand(at, window + 2)?;
        let value = self.match_class(&subject, &class, usize::from(positional), &keyword_names)?;
        self.register(at, destination).put(value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn match_rest_at(
        &mut self,
        at: At<'_>,
        destination: Register,
        subject: Register,
        keys: Register,
    ) -> Fallible<()> {
        let (subject, keys) = (self.operand(at, subject)?, self.operand(at, keys)?);
        let value = self.match_rest(&subject, &keys)?;
        self.register(at, destination).put(value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn run_magic_at(&mut self, at: At<'_>, destination: Register, index: u16) -> Fallible<()> {
        self.settle_pending()?;
        let host = self.host.clone();
        let value = host.run_magic(self, &at.code.magics[usize::from(index)])?;
        self.register(at, destination).put(value);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn show_result_at(&mut self, at: At<'_>, source: Register) -> Fallible<()> {
        self.settle_pending()?;
        let value = std::mem::take(self.register(at, source));
        let host = self.host.clone();
        host.show_result(self, value)?;
        self.safe_point()
    }

    #[inline(always)]
    pub(super) fn discard_at(&mut self, at: At<'_>, source: Register) -> Fallible<()> {
        self.settle_pending()?;
        self.register(at, source).put(Value::Unset);
        self.finalizers_only();
        Ok(())
    }
}
