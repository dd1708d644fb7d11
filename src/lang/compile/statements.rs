//! Statements: control flow, bindings, and the unwinding of what control leaves early.

use super::unit::BlockKind;
use super::{Compiler, Compiling};
use crate::lang::code::{CodeKind, Instruction, Register, Span};
use crate::lang::name::Name;
use crate::lang::parse::SyntaxProblem;
use crate::lang::tree::{Alias, Body, Expr, ExprKind, Stmt, StmtKind, WithItem};
use crate::lang::value::Value;

/// Registers of a `with`: exit method, receiver, three arguments of its normal exit.
const WITH_WINDOW: usize = 5;

impl<'a> Compiler<'a> {
    pub(super) fn body(&mut self, body: &'a [Stmt]) -> Compiling<()> {
        for statement in body {
            let mark = self.unit().mark();
            self.stmt(statement)?;
            self.unit().release(mark);
        }
        Ok(())
    }

    pub(super) fn stmt(&mut self, statement: &'a Stmt) -> Compiling<()> {
        let span = statement.span;
        self.at(span);
        match &statement.kind {
            StmtKind::Expression(value) => {
                if !matches!(value.kind, ExprKind::Constant(_)) {
                    let result = self.temporary()?;
                    self.value(value, result)?;
                    self.emit(Instruction::Discard(result));
                }
            }
            StmtKind::Assign { targets, value } => self.assignment(targets, value)?,
            StmtKind::AugmentedAssign { target, op, value } => self.augmented(target, *op, value, span)?,
            StmtKind::AnnotatedAssign { target, annotation, value, simple } => {
                if let Some(value) = value {
                    self.assignment(std::slice::from_ref(target), value)?;
                }
                self.variable_annotation(target, annotation, *simple)?;
            }
            StmtKind::Return(value) => self.return_(value.as_ref(), span)?,
            StmtKind::Delete(targets) => {
                for target in targets {
                    self.delete(target)?;
                }
            }
            StmtKind::Pass => {}
            StmtKind::Break | StmtKind::Continue => self.leave_loop(matches!(statement.kind, StmtKind::Break), span)?,
            StmtKind::If { test, body, orelse } => self.if_(test, body, orelse)?,
            StmtKind::While { test, body, orelse } => self.while_(test, body, orelse)?,
            StmtKind::For { target, iterable, body, orelse } => self.for_(target, iterable, body, orelse)?,
            StmtKind::Function(function) => self.function_statement(function, span)?,
            StmtKind::Class(class) => self.class_statement(class, span)?,
            StmtKind::Try { body, handlers, is_star, orelse, finalbody } => {
                self.try_(body, handlers, *is_star, orelse, finalbody)?;
            }
            StmtKind::With { items, body } => self.with(items, body)?,
            StmtKind::Raise { exception, cause } => match (exception, cause) {
                (Some(exception), Some(cause)) => {
                    let e = self.fresh(exception)?;
                    let c = self.fresh(cause)?;
                    self.at(span);
                    self.emit(Instruction::RaiseFrom(e, c));
                }
                (Some(exception), None) => {
                    let e = self.fresh(exception)?;
                    self.at(span);
                    self.emit(Instruction::Raise(e));
                }
                (None, _) => {
                    self.emit(Instruction::RaiseAgain);
                }
            },
            StmtKind::Assert { test, message } => {
                let mut holds = Vec::new();
                self.jump_if(test, true, &mut holds)?;
                match message {
                    Some(message) => {
                        let text = self.fresh(message)?;
                        self.at(test.span);
                        self.emit(Instruction::RaiseAssertion(text));
                    }
                    None => {
                        self.at(test.span);
                        self.emit(Instruction::RaiseAssertionPlain);
                    }
                }
                self.patch_all(&holds);
            }
            StmtKind::Import(aliases) => {
                for alias in aliases {
                    self.import(alias, span)?;
                }
            }
            StmtKind::ImportFrom { module, level, names } => self.import_from(*module, *level, names, span)?,
            StmtKind::Global(_) | StmtKind::Nonlocal(_) => {}
            StmtKind::Match { subject, cases } => self.match_(subject, cases)?,
        }
        Ok(())
    }

    fn assignment(&mut self, targets: &'a [Expr], value: &'a Expr) -> Compiling<()> {
        if let [Expr { kind: ExprKind::Name(name), .. }] = targets
            && let Some(local) = self.local_register(*name)
            && Self::writes_last(value)
        {
            return self.value(value, local);
        }
        // `a, b = b, a` needs no tuple.
        if let [Expr { kind: ExprKind::Tuple(names), .. }] = targets
            && let ExprKind::Tuple(values) = &value.kind
            && names.len() == values.len()
            && names.len() <= 3
            && names.iter().all(|name| matches!(name.kind, ExprKind::Name(_)))
            && !values.iter().any(|value| matches!(value.kind, ExprKind::Starred(_)))
        {
            let mut registers = Vec::with_capacity(values.len());
            for value in values {
                registers.push(self.fresh(value)?);
            }
            for (name, register) in names.iter().zip(registers) {
                self.assign(name, register)?;
            }
            return Ok(());
        }
        let result = self.fresh(value)?;
        for (index, target) in targets.iter().enumerate() {
            if index + 1 < targets.len() {
                let mark = self.unit().mark();
                let copy = self.temporary()?;
                self.emit(Instruction::Copy(copy, result));
                self.assign(target, copy)?;
                self.unit().release(mark);
            } else {
                self.assign(target, result)?;
            }
        }
        Ok(())
    }

    /// Binds a target to the value in a temporary, which is emptied.
    pub(super) fn assign(&mut self, target: &'a Expr, source: Register) -> Compiling<()> {
        let mark = self.unit().mark();
        match &target.kind {
            ExprKind::Name(name) => {
                self.at(target.span);
                self.store_name(*name, source)?;
            }
            ExprKind::Attribute(object, name) => {
                let operand = self.operand(object)?;
                self.at(target.span);
                let site = self.site(*name)?;
                self.emit(Instruction::SetAttribute(operand, site, source));
            }
            ExprKind::Subscript(object, key) => {
                let operand = self.operand(object)?;
                let key = self.operand(key)?;
                self.at(target.span);
                self.emit(Instruction::SetItem(operand, key, source));
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => self.unpack(items, source, target.span)?,
            ExprKind::Starred(inner) => {
                return Err(Box::new(SyntaxProblem::new(
                    "starred assignment target must be in a list or tuple",
                    inner.span,
                )));
            }
            _ => return Err(Box::new(SyntaxProblem::new("cannot assign to expression", target.span))),
        }
        self.unit().release(mark);
        Ok(())
    }

    fn unpack(&mut self, items: &'a [Expr], source: Register, span: Span) -> Compiling<()> {
        let first = self.unit().temporaries(items.len())?;
        let starred: Vec<usize> =
            (0..items.len()).filter(|&index| matches!(items[index].kind, ExprKind::Starred(_))).collect();
        self.at(span);
        match starred[..] {
            [] => {
                self.emit(Instruction::Unpack(first, source, items.len() as u16));
            }
            [at] => {
                let before = u8::try_from(at).map_err(|_| {
                    Box::new(SyntaxProblem::new("too many expressions in star-unpacking assignment", span))
                })?;
                let after = (items.len() - at - 1) as u16;
                self.emit(Instruction::UnpackStarred(before, first, source, after));
            }
            _ => {
                return Err(Box::new(SyntaxProblem::new("multiple starred expressions in assignment", span)));
            }
        }
        for (index, item) in items.iter().enumerate() {
            let register = first + index as Register;
            match &item.kind {
                ExprKind::Starred(inner) => self.assign(inner, register)?,
                _ => self.assign(item, register)?,
            }
        }
        Ok(())
    }

    fn augmented(
        &mut self,
        target: &'a Expr,
        op: crate::lang::operators::BinaryOperator,
        value: &'a Expr,
        span: Span,
    ) -> Compiling<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                if let Some(local) = self.local_register(*name) {
                    return self.binary_in_place(op, local, local, value, span);
                }
                let current = self.fresh(target)?;
                self.binary_in_place(op, current, current, value, span)?;
                self.at(target.span);
                self.store_name(*name, current)
            }
            ExprKind::Attribute(object, name) => {
                let object = self.fresh(object)?;
                let copy = self.temporary()?;
                self.emit(Instruction::Copy(copy, object));
                let current = self.temporary()?;
                self.at(target.span);
                let site = self.site(*name)?;
                self.emit(Instruction::GetAttribute(current, copy, site));
                self.binary_in_place(op, current, current, value, span)?;
                self.at(target.span);
                let site = self.site(*name)?;
                self.emit(Instruction::SetAttribute(object, site, current));
                Ok(())
            }
            ExprKind::Subscript(object, key) => {
                let object = self.fresh(object)?;
                let key = self.fresh(key)?;
                let object_copy = self.temporary()?;
                self.emit(Instruction::Copy(object_copy, object));
                let key_copy = self.temporary()?;
                self.emit(Instruction::Copy(key_copy, key));
                let current = self.temporary()?;
                self.at(target.span);
                self.emit(Instruction::GetItem(current, object_copy, key_copy));
                self.binary_in_place(op, current, current, value, span)?;
                self.at(target.span);
                self.emit(Instruction::SetItem(object, key, current));
                Ok(())
            }
            _ => Err(Box::new(SyntaxProblem::new("illegal expression for augmented assignment", target.span))),
        }
    }

    fn variable_annotation(&mut self, target: &'a Expr, annotation: &'a Expr, simple: bool) -> Compiling<()> {
        let is_stored = matches!(self.unit().kind, CodeKind::Module | CodeKind::Class);
        let ExprKind::Name(name) = &target.kind else { return Ok(()) };
        if !(simple && is_stored) {
            return Ok(());
        }
        let value = self.temporary()?;
        self.annotation(annotation, value)?;
        let (name, _) = self.meaning(*name);
        let index = self.unit().name(name)?;
        self.emit(Instruction::StoreAnnotation(value, index));
        Ok(())
    }

    /// The value of an annotation: itself, or its text after `from __future__ import annotations`.
    pub(super) fn annotation(&mut self, annotation: &'a Expr, destination: Register) -> Compiling<()> {
        if self.annotations_are_text {
            let text = self.source.text[annotation.span.start as usize..annotation.span.end as usize].to_owned();
            self.constant(destination, Value::str(text));
            return Ok(());
        }
        self.value(annotation, destination)
    }

    fn delete(&mut self, target: &'a Expr) -> Compiling<()> {
        let mark = self.unit().mark();
        match &target.kind {
            ExprKind::Name(name) => {
                self.at(target.span);
                self.delete_name(*name)?;
            }
            ExprKind::Attribute(object, name) => {
                let operand = self.operand(object)?;
                self.at(target.span);
                let site = self.site(*name)?;
                self.emit(Instruction::DeleteAttribute(operand, site));
            }
            ExprKind::Subscript(object, key) => {
                let operand = self.operand(object)?;
                let key = self.operand(key)?;
                self.at(target.span);
                self.emit(Instruction::DeleteItem(operand, key));
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                for item in items {
                    self.delete(item)?;
                }
            }
            _ => return Err(Box::new(SyntaxProblem::new("cannot delete expression", target.span))),
        }
        self.unit().release(mark);
        Ok(())
    }

    fn return_(&mut self, value: Option<&'a Expr>, span: Span) -> Compiling<()> {
        self.refuse_in_group_handler(0, span)?;
        match value {
            Some(value) => {
                let result = self.fresh(value)?;
                self.at(span);
                self.unwind(0)?;
                self.at(span);
                self.emit(Instruction::Return(result));
            }
            None => {
                self.unwind(0)?;
                self.at(span);
                self.emit(Instruction::ReturnNone);
            }
        }
        Ok(())
    }

    fn leave_loop(&mut self, is_break: bool, span: Span) -> Compiling<()> {
        let blocks = &self.unit().blocks;
        let Some(at) = blocks.iter().rposition(|block| matches!(block.kind, BlockKind::Loop { .. })) else {
            let message = if is_break { "'break' outside loop" } else { "'continue' not properly in loop" };
            return Err(Box::new(SyntaxProblem::new(message, span)));
        };
        self.refuse_in_group_handler(at, span)?;
        self.unwind(at + 1)?;
        self.at(span);
        let jump = self.emit(if is_break { Instruction::Jump(0) } else { Instruction::JumpBack(0) });
        if let BlockKind::Loop { breaks, continues } = &mut self.unit().blocks[at].kind {
            if is_break { breaks.push(jump) } else { continues.push(jump) }
        }
        Ok(())
    }

    /// Emits what must run when control leaves every block above `depth`: `finally` bodies, `with` exits, the end of handlers.
    /// The blocks stay open for the code that follows.
    fn unwind(&mut self, depth: usize) -> Compiling<()> {
        let mut left = Vec::new();
        while self.unit().blocks.len() > depth {
            let mut block = self.unit().pop_block();
            let here = self.here();
            if block.start < here {
                block.ranges.push((block.start, here));
            }
            match &block.kind {
                BlockKind::Loop { .. } | BlockKind::Try => {}
                BlockKind::Finally(body) => {
                    let body: &'a Body = body;
                    self.body(body)?;
                }
                BlockKind::With(window) => self.exit_with(*window)?,
                BlockKind::Handler(register, name) | BlockKind::GroupHandler(register, name) => {
                    let (register, name) = (*register, *name);
                    self.end_handler(register, name)?;
                }
                BlockKind::FinallyHandler(register) => {
                    let register = *register;
                    self.emit(Instruction::PopHandled);
                    self.emit(Instruction::Clear(register));
                }
            }
            left.push(block);
        }
        let here = self.here();
        while let Some(mut block) = left.pop() {
            block.start = here;
            self.unit().blocks.push(block);
        }
        Ok(())
    }

    fn if_(&mut self, test: &'a Expr, body: &'a Body, orelse: &'a Body) -> Compiling<()> {
        let mut otherwise = Vec::new();
        self.jump_if(test, false, &mut otherwise)?;
        self.body(body)?;
        if orelse.is_empty() {
            self.patch_all(&otherwise);
            return Ok(());
        }
        let end = self.emit(Instruction::Jump(0));
        self.patch_all(&otherwise);
        self.body(orelse)?;
        self.patch(end);
        Ok(())
    }

    fn while_(&mut self, test: &'a Expr, body: &'a Body, orelse: &'a Body) -> Compiling<()> {
        let head = self.here();
        let mut exits = Vec::new();
        self.jump_if(test, false, &mut exits)?;
        self.unit().push_block(BlockKind::Loop { breaks: Vec::new(), continues: Vec::new() });
        self.body(body)?;
        self.emit(Instruction::JumpBack(head));
        let block = self.unit().pop_block();
        self.patch_all(&exits);
        self.body(orelse)?;
        self.end_loop(block.kind, head);
        Ok(())
    }

    fn end_loop(&mut self, kind: BlockKind<'a>, head: u32) {
        if let BlockKind::Loop { breaks, continues } = kind {
            self.patch_all(&breaks);
            for at in continues {
                self.unit().patch(at, head);
            }
        }
    }

    fn for_(&mut self, target: &'a Expr, iterable: &'a Expr, body: &'a Body, orelse: &'a Body) -> Compiling<()> {
        let iterator = self.temporary()?;
        let mark = self.unit().mark();
        let operand = self.operand(iterable)?;
        self.at(iterable.span);
        self.emit(Instruction::GetIterator(iterator, operand));
        self.unit().release(mark);
        let head = self.here();
        self.at(iterable.span);
        let local = match &target.kind {
            ExprKind::Name(name) => self.local_register(*name),
            _ => None,
        };
        let item = match local {
            Some(register) => register,
            None => self.temporary()?,
        };
        self.emit(Instruction::ForNext(item, iterator));
        let exit = self.emit(Instruction::Jump(0));
        if local.is_none() {
            self.assign(target, item)?;
        }
        self.unit().push_block(BlockKind::Loop { breaks: Vec::new(), continues: Vec::new() });
        self.body(body)?;
        self.emit(Instruction::JumpBack(head));
        let block = self.unit().pop_block();
        self.patch(exit);
        self.body(orelse)?;
        self.end_loop(block.kind, head);
        self.emit(Instruction::Clear(iterator));
        Ok(())
    }

    fn with(&mut self, items: &'a [WithItem], body: &'a Body) -> Compiling<()> {
        let Some((item, rest)) = items.split_first() else { return self.body(body) };
        let mark = self.unit().mark();
        let window = self.unit().temporaries(WITH_WINDOW)?;
        let inner = self.unit().mark();
        let manager = self.operand(&item.context)?;
        let entered = self.temporary()?;
        self.at(item.context.span);
        self.emit(Instruction::WithEnter(entered, window, manager));
        self.unit().push_block(BlockKind::With(window));
        match &item.target {
            Some(target) => self.assign(target, entered)?,
            None => {
                self.emit(Instruction::Clear(entered));
            }
        }
        self.unit().release(inner);
        self.with(rest, body)?;
        let ranges = self.unit().pop_protecting();
        self.at(item.context.span);
        self.exit_with(window)?;
        let end = self.emit(Instruction::Jump(0));
        let register = self.temporary()?;
        self.unit().handle(ranges, register);
        let swallowed = self.temporary()?;
        self.at(item.context.span);
        self.emit(Instruction::WithExit(swallowed, window, register));
        let swallow = self.emit(Instruction::JumpIfTrue(swallowed, 0));
        self.emit(Instruction::Reraise(register));
        self.patch(swallow);
        self.emit(Instruction::PopHandled);
        self.emit(Instruction::Clear(register));
        self.patch(end);
        self.unit().release(mark);
        Ok(())
    }

    fn exit_with(&mut self, window: Register) -> Compiling<()> {
        // The call's frame begins where its arguments are and takes what lies above: a value on its way out (`return x`) must stay
        // below it, so the exit moves to the top first.
        let mark = self.unit().mark();
        let call = self.unit().temporaries(WITH_WINDOW)?;
        self.emit(Instruction::Move(call, window));
        self.emit(Instruction::Move(call + 1, window + 1));
        for offset in 2..5 {
            self.constant(call + offset, Value::None);
        }
        let result = self.temporary()?;
        self.emit(Instruction::Call(false, result, call, 3));
        self.emit(Instruction::Clear(result));
        self.unit().release(mark);
        Ok(())
    }

    fn import(&mut self, alias: &'a Alias, span: Span) -> Compiling<()> {
        let mark = self.unit().mark();
        let module = self.temporary()?;
        self.at(span);
        let index = self.unit().name(alias.name)?;
        // `import a.b` binds `a`, `import a.b as c` binds the module itself.
        self.emit(Instruction::Import(alias.bound.is_some(), module, index));
        let top = Name::new(alias.name.text().split('.').next().unwrap_or_default());
        self.store_name(alias.bound.unwrap_or(top), module)?;
        self.unit().release(mark);
        Ok(())
    }

    fn import_from(&mut self, module: Option<Name>, level: u32, names: &'a [Alias], span: Span) -> Compiling<()> {
        if module.is_some_and(|module| module.text() == "__future__") {
            return self.future_import(names, span);
        }
        let full = format!("{}{}", ".".repeat(level as usize), module.map_or("", Name::text));
        let register = self.temporary()?;
        let index = self.unit().name(Name::new(&full))?;
        self.at(span);
        self.emit(Instruction::Import(true, register, index));
        for alias in names {
            let mark = self.unit().mark();
            if alias.name.text() == "*" {
                let copy = self.temporary()?;
                self.emit(Instruction::Copy(copy, register));
                self.emit(Instruction::ImportStar(copy));
            } else {
                let copy = self.temporary()?;
                self.emit(Instruction::Copy(copy, register));
                let value = self.temporary()?;
                let index = self.unit().name(alias.name)?;
                self.emit(Instruction::ImportFrom(value, copy, index));
                self.store_name(alias.bound.unwrap_or(alias.name), value)?;
            }
            self.unit().release(mark);
        }
        self.emit(Instruction::Clear(register));
        Ok(())
    }

    fn future_import(&mut self, names: &'a [Alias], span: Span) -> Compiling<()> {
        const KNOWN: &[&str] = &[
            "nested_scopes",
            "generators",
            "division",
            "absolute_import",
            "with_statement",
            "print_function",
            "unicode_literals",
            "generator_stop",
            "annotations",
        ];
        for alias in names {
            if !KNOWN.contains(&alias.name.text()) {
                let message = format!("future feature {} is not defined", alias.name);
                return Err(Box::new(SyntaxProblem::new(message, span)));
            }
            if alias.name.text() == "annotations" {
                self.annotations_are_text = true;
            }
        }
        Ok(())
    }
}
