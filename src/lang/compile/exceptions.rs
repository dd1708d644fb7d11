//! `try` with its handlers, `except*` among them, and `finally`.

use super::unit::BlockKind;
use super::{Compiler, Compiling};
use crate::lang::code::{GroupStep, Instruction, Register, Span};
use crate::lang::name::Name;
use crate::lang::parse::SyntaxProblem;
use crate::lang::tree::{Body, Handler};
use crate::lang::value::Value;

impl<'a> Compiler<'a> {
    pub(super) fn end_handler(&mut self, register: Register, name: Option<Name>) -> Compiling<()> {
        self.emit(Instruction::PopHandled);
        self.emit(Instruction::Clear(register));
        self.unbind(name)
    }

    /// The name of an `except` clause is unbound at its end, whatever its body did to it.
    fn unbind(&mut self, name: Option<Name>) -> Compiling<()> {
        if let Some(name) = name {
            let none = self.temporary()?;
            self.constant(none, Value::None);
            self.store_name(name, none)?;
            self.delete_name(name)?;
        }
        Ok(())
    }

    /// `break`, `continue` and `return` would lose what an `except*` body has still to raise.
    pub(super) fn refuse_in_group_handler(&mut self, from: usize, span: Span) -> Compiling<()> {
        let is_inside =
            self.unit().blocks[from..].iter().any(|block| matches!(block.kind, BlockKind::GroupHandler(..)));
        if is_inside {
            let message = "'break', 'continue' and 'return' cannot appear in an except* block";
            return Err(Box::new(SyntaxProblem::new(message, span)));
        }
        Ok(())
    }

    pub(super) fn try_(
        &mut self,
        body: &'a Body,
        handlers: &'a [Handler],
        is_star: bool,
        orelse: &'a Body,
        finalbody: &'a Body,
    ) -> Compiling<()> {
        if finalbody.is_empty() {
            return self.try_handlers(body, handlers, is_star, orelse);
        }
        let mark = self.unit().mark();
        self.unit().push_block(BlockKind::Finally(finalbody));
        if handlers.is_empty() {
            self.body(body)?;
        } else {
            self.try_handlers(body, handlers, is_star, orelse)?;
        }
        let ranges = self.unit().pop_protecting();
        self.body(finalbody)?;
        let end = self.emit(Instruction::Jump(0));
        let register = self.temporary()?;
        self.unit().handle(ranges, register);
        self.unit().push_block(BlockKind::FinallyHandler(register));
        self.body(finalbody)?;
        self.unit().pop_block();
        self.emit(Instruction::Reraise(register));
        self.patch(end);
        self.unit().release(mark);
        Ok(())
    }

    fn try_except(&mut self, body: &'a Body, handlers: &'a [Handler], orelse: &'a Body) -> Compiling<()> {
        let mark = self.unit().mark();
        self.unit().push_block(BlockKind::Try);
        self.body(body)?;
        let ranges = self.unit().pop_protecting();
        self.body(orelse)?;
        let mut ends = vec![self.emit(Instruction::Jump(0))];
        let register = self.temporary()?;
        self.unit().handle(ranges, register);
        // An exception while the classes are compared is raised in the context of this one.
        for (index, handler) in handlers.iter().enumerate() {
            let inner = self.unit().mark();
            let mut next = None;
            match &handler.class {
                Some(class) => {
                    self.unit().push_block(BlockKind::FinallyHandler(register));
                    let class_register = self.operand(class)?;
                    let matches = self.temporary()?;
                    self.at(class.span);
                    self.emit(Instruction::MatchException(matches, register, class_register));
                    next = Some(self.emit(Instruction::JumpIfFalse(matches, 0)));
                    self.unit().pop_block();
                }
                None if index + 1 < handlers.len() => {
                    return Err(Box::new(SyntaxProblem::new("default 'except:' must be last", handler.span)));
                }
                None => {}
            }
            self.unit().release(inner);
            self.handler_body(handler, register)?;
            ends.push(self.emit(Instruction::Jump(0)));
            if let Some(next) = next {
                self.patch(next);
            }
            self.unit().release(inner);
        }
        self.emit(Instruction::Reraise(register));
        self.patch_all(&ends);
        self.unit().release(mark);
        Ok(())
    }

    fn handler_body(&mut self, handler: &'a Handler, register: Register) -> Compiling<()> {
        let Some(name) = handler.name else {
            self.unit().push_block(BlockKind::Handler(register, None));
            self.body(&handler.body)?;
            self.unit().pop_block();
            return self.end_handler(register, None);
        };
        let copy = self.temporary()?;
        self.emit(Instruction::Copy(copy, register));
        self.store_name(name, copy)?;
        self.unit().push_block(BlockKind::Handler(register, Some(name)));
        // The body is protected so that the name goes also when it raises.
        self.body(&handler.body)?;
        let ranges = self.unit().pop_protecting();
        self.end_handler(register, Some(name))?;
        let end = self.emit(Instruction::Jump(0));
        let raised = self.temporary()?;
        self.unit().push_block(BlockKind::FinallyHandler(register));
        self.unit().handle(ranges, raised);
        self.unbind(Some(name))?;
        self.emit(Instruction::Reraise(raised));
        self.unit().pop_block();
        self.patch(end);
        Ok(())
    }

    fn try_handlers(
        &mut self,
        body: &'a Body,
        handlers: &'a [Handler],
        is_star: bool,
        orelse: &'a Body,
    ) -> Compiling<()> {
        if is_star { self.try_star(body, handlers, orelse) } else { self.try_except(body, handlers, orelse) }
    }

    /// `except*`: every handler takes its part of the group; what handlers raise and what none takes is raised together.
    fn try_star(&mut self, body: &'a Body, handlers: &'a [Handler], orelse: &'a Body) -> Compiling<()> {
        let mark = self.unit().mark();
        self.unit().push_block(BlockKind::Try);
        self.body(body)?;
        let ranges = self.unit().pop_protecting();
        self.body(orelse)?;
        let end = self.emit(Instruction::Jump(0));
        let register = self.temporary()?;
        self.unit().handle(ranges, register);
        self.unit().push_block(BlockKind::FinallyHandler(register));
        // Side by side: what no handler took yet, the part that one takes, what handlers raised.
        let rest = self.unit().temporaries(3)?;
        let (matched, raised) = (rest + 1, rest + 2);
        self.emit(Instruction::Copy(rest, register));
        self.emit(Instruction::BuildList(raised, raised, 0));
        for handler in handlers {
            let inner = self.unit().mark();
            let Some(class) = &handler.class else {
                let message = "expected one or more exception types";
                return Err(Box::new(SyntaxProblem::new(message, handler.span)));
            };
            let class_register = self.operand(class)?;
            let found = self.temporary()?;
            self.at(class.span);
            self.emit(Instruction::Group(GroupStep::Split, found, rest, class_register));
            let next = self.emit(Instruction::JumpIfFalse(found, 0));
            self.unit().release(inner);
            self.group_handler(handler, matched, raised)?;
            self.patch(next);
            self.unit().release(inner);
        }
        let is_left = self.temporary()?;
        self.emit(Instruction::Group(GroupStep::Collect, is_left, rest, register));
        let nothing = self.emit(Instruction::JumpIfFalse(is_left, 0));
        self.unit().pop_block();
        self.emit(Instruction::Reraise(register));
        self.patch(nothing);
        self.emit(Instruction::PopHandled);
        self.emit(Instruction::Clear(register));
        self.patch(end);
        self.unit().release(mark);
        Ok(())
    }

    fn group_handler(&mut self, handler: &'a Handler, matched: Register, raised: Register) -> Compiling<()> {
        self.emit(Instruction::Group(GroupStep::Handle, matched, matched, matched));
        if let Some(name) = handler.name {
            let copy = self.temporary()?;
            self.emit(Instruction::Copy(copy, matched));
            self.store_name(name, copy)?;
        }
        self.unit().push_block(BlockKind::GroupHandler(matched, handler.name));
        self.body(&handler.body)?;
        let ranges = self.unit().pop_protecting();
        self.end_handler(matched, handler.name)?;
        let end = self.emit(Instruction::Jump(0));
        let caught = self.temporary()?;
        self.unit().handle(ranges, caught);
        self.emit(Instruction::PopHandled);
        self.emit(Instruction::ListAppend(raised, caught));
        self.emit(Instruction::Clear(matched));
        self.unbind(handler.name)?;
        self.patch(end);
        Ok(())
    }
}
