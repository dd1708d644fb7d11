//! Functions, classes and comprehensions: code objects of their own, and the instructions that make them.

use std::rc::Rc;

use super::scopes::{ScopeId, mangle};
use super::unit::{BlockKind, ParameterCounts};
use super::{Compiler, Compiling};
use crate::lang::code::{Code, CodeKind, Instruction, Register, Span};
use crate::lang::name::Name;
use crate::lang::tree::{
    Argument, Class, Comprehension, ComprehensionKind, Constant, Expr, ExprKind, Function, FunctionBody, Parameter,
    Stmt, StmtKind,
};
use crate::lang::value::Value;

/// The documentation string of a body.
pub(super) fn docstring(body: &[Stmt]) -> Option<&str> {
    match &body.first()?.kind {
        StmtKind::Expression(Expr { kind: ExprKind::Constant(Constant::Str(text)), .. }) => Some(text),
        _ => None,
    }
}

impl<'a> Compiler<'a> {
    fn qualname(&mut self, name: Name) -> Rc<str> {
        let unit = self.unit();
        match unit.kind {
            CodeKind::Module => name.text().into(),
            CodeKind::Class => format!("{}.{name}", unit.qualname).into(),
            CodeKind::Function | CodeKind::Generator => format!("{}.<locals>.{name}", unit.qualname).into(),
        }
    }

    pub(super) fn function_statement(&mut self, function: &'a Function, span: Span) -> Compiling<()> {
        let result = self.temporary()?;
        let mut decorators = Vec::new();
        for decorator in &function.decorators {
            let window = self.unit().temporaries(3)?;
            self.value(decorator, window)?;
            decorators.push((window, decorator.span));
        }
        self.function_value(function, result, span)?;
        self.decorate(decorators, result)?;
        self.at(span);
        self.store_name(function.name, result)
    }

    fn decorate(&mut self, decorators: Vec<(Register, Span)>, result: Register) -> Compiling<()> {
        for (window, span) in decorators.into_iter().rev() {
            self.at(span);
            self.emit(Instruction::Move(window + 2, result));
            self.emit(Instruction::Call(false, result, window, 1));
        }
        Ok(())
    }

    /// Makes a function in `destination`.
    pub(super) fn function_value(
        &mut self,
        function: &'a Function,
        destination: Register,
        span: Span,
    ) -> Compiling<()> {
        let mark = self.unit().mark();
        let first = self.unit().temporaries(3)?;
        self.defaults(function, first)?;
        let parameters = &function.parameters;
        // In the order of the text, which is not that of the registers.
        let annotated: Vec<(Name, &'a Expr)> = parameters
            .positional_only
            .iter()
            .chain(&parameters.positional)
            .chain(&parameters.var_positional)
            .chain(&parameters.keyword_only)
            .chain(&parameters.var_keyword)
            .filter_map(|parameter| Some((parameter.name, parameter.annotation.as_ref()?)))
            .chain(function.returns.as_ref().map(|returns| (Name::new("return"), returns)))
            .collect();
        if annotated.is_empty() {
            self.emit(Instruction::Clear(first + 2));
        } else {
            self.emit(Instruction::BuildDict(first + 2, first + 2, 0));
            for (name, annotation) in annotated {
                let inner = self.unit().mark();
                let key = self.temporary()?;
                self.constant(key, Value::str(name.text()));
                let value = self.temporary()?;
                self.annotation(annotation, value)?;
                self.emit(Instruction::DictInsert(first + 2, key, value));
                self.unit().release(inner);
            }
        }
        let code = self.function_code(function, span)?;
        let index = self.unit().code(code)?;
        self.at(span);
        self.emit(Instruction::MakeFunction(destination, first, index));
        self.unit().release(mark);
        Ok(())
    }

    fn defaults(&mut self, function: &'a Function, first: Register) -> Compiling<()> {
        let parameters = &function.parameters;
        let positional: Vec<&'a Expr> = parameters
            .positional_only
            .iter()
            .chain(&parameters.positional)
            .filter_map(|parameter| parameter.default.as_ref())
            .collect();
        if positional.is_empty() {
            self.emit(Instruction::Clear(first));
        } else {
            let mark = self.unit().mark();
            let row = mark as Register;
            for default in &positional {
                self.fresh(default)?;
            }
            self.emit(Instruction::BuildTuple(first, row, positional.len() as u16));
            self.unit().release(mark);
        }
        let keyword: Vec<&'a Parameter> = parameters.keyword_only.iter().filter(|p| p.default.is_some()).collect();
        if keyword.is_empty() {
            self.emit(Instruction::Clear(first + 1));
            return Ok(());
        }
        self.emit(Instruction::BuildDict(first + 1, first + 1, 0));
        for parameter in keyword {
            let Some(default) = &parameter.default else { continue };
            let mark = self.unit().mark();
            let key = self.temporary()?;
            let name = mangle(self.private, parameter.name);
            self.constant(key, Value::str(name.text()));
            let value = self.operand(default)?;
            self.emit(Instruction::DictInsert(first + 1, key, value));
            self.unit().release(mark);
        }
        Ok(())
    }

    fn function_code(&mut self, function: &'a Function, span: Span) -> Compiling<Rc<Code>> {
        let scope = self.scopes.of_node(function);
        let kind = if self.scopes.get(scope).is_generator { CodeKind::Generator } else { CodeKind::Function };
        let qualname = self.qualname(function.name);
        let line = self.line(span);
        self.open_unit(kind, function.name, qualname, scope, line);
        let parameters = &function.parameters;
        self.unit().counts = ParameterCounts {
            positional: parameters.positional_only.len() + parameters.positional.len(),
            positional_only: parameters.positional_only.len(),
            keyword_only: parameters.keyword_only.len(),
            has_var_positional: parameters.var_positional.is_some(),
            has_var_keyword: parameters.var_keyword.is_some(),
        };
        self.at(span);
        self.make_cells(scope);
        match &function.body {
            FunctionBody::Statements(body) => {
                self.unit().doc = docstring(body).map(Into::into);
                self.body(body)?;
                self.emit(Instruction::ReturnNone);
            }
            FunctionBody::Expression(value) => {
                let result = self.temporary()?;
                self.value(value, result)?;
                self.at(value.span);
                self.emit(Instruction::Return(result));
            }
        }
        self.close_unit()
    }

    /// Gives each local that closures share a box, parameters their value in it.
    fn make_cells(&mut self, scope: ScopeId) {
        let locals = self.unit().locals.clone();
        for (index, name) in locals.iter().enumerate() {
            if self.scopes.get(scope).cells.contains(name) {
                self.emit(Instruction::MakeCell(index as Register));
            }
        }
    }

    pub(super) fn class_statement(&mut self, class: &'a Class, span: Span) -> Compiling<()> {
        let result = self.temporary()?;
        let mut decorators = Vec::new();
        for decorator in &class.decorators {
            let window = self.unit().temporaries(3)?;
            self.value(decorator, window)?;
            decorators.push((window, decorator.span));
        }
        let code = self.class_code(class, span)?;
        let window = self.unit().temporaries(4)?;
        let index = self.unit().code(code)?;
        for offset in 0..3 {
            self.emit(Instruction::Clear(window + 1 + offset));
        }
        self.at(span);
        self.emit(Instruction::MakeFunction(window, window + 1, index));
        self.class_arguments(window, &class.arguments, span)?;
        self.at(span);
        self.emit(Instruction::BuildClass(result, window));
        self.decorate(decorators, result)?;
        self.at(span);
        self.store_name(class.name, result)
    }

    /// Bases as a tuple in `window + 1`, keywords as a dict (or unset) in `window + 2`.
    fn class_arguments(&mut self, window: Register, arguments: &'a [Argument], span: Span) -> Compiling<()> {
        let mark = self.unit().mark();
        // The list and dict of a call, moved to where the class wants them.
        let call = self.unit().temporaries(2)?;
        self.constant(call, Value::str("class"));
        self.unpacked_arguments(call, arguments, span)?;
        self.emit(Instruction::ListToTuple(window + 1, call + 2));
        if arguments.iter().any(|a| matches!(a, Argument::Keyword(..) | Argument::DoubleStar(_))) {
            self.emit(Instruction::Move(window + 2, call + 3));
        }
        self.emit(Instruction::Clear(call));
        self.unit().release(mark);
        Ok(())
    }

    fn class_code(&mut self, class: &'a Class, span: Span) -> Compiling<Rc<Code>> {
        let scope = self.scopes.of_node(class);
        let qualname = self.qualname(class.name);
        let line = self.line(span);
        self.open_unit(CodeKind::Class, class.name, qualname.clone(), scope, line);
        let outer = self.private.replace(class.name);
        self.at(span);
        self.make_cells(scope);
        let value = self.temporary()?;
        let slot = self.globals.globals.borrow_mut().slot(Name::new("__name__"));
        self.emit(Instruction::LoadGlobal(value, slot));
        let module = self.unit().name(Name::new("__module__"))?;
        self.emit(Instruction::StoreName(value, module));
        self.constant(value, Value::str(&*qualname));
        let name = self.unit().name(Name::new("__qualname__"))?;
        self.emit(Instruction::StoreName(value, name));
        if let Some(doc) = docstring(&class.body) {
            self.constant(value, Value::str(doc));
            let name = self.unit().name(Name::new("__doc__"))?;
            self.emit(Instruction::StoreName(value, name));
        }
        self.body(&class.body)?;
        self.emit(Instruction::ReturnNone);
        self.private = outer;
        self.close_unit()
    }

    pub(super) fn comprehension(
        &mut self,
        comprehension: &'a Comprehension,
        destination: Register,
        span: Span,
    ) -> Compiling<()> {
        let mark = self.unit().mark();
        let window = self.unit().temporaries(3)?;
        let first = self.unit().temporaries(3)?;
        let code = self.comprehension_code(comprehension, span)?;
        let index = self.unit().code(code)?;
        for offset in 0..3 {
            self.emit(Instruction::Clear(first + offset));
        }
        self.at(span);
        self.emit(Instruction::MakeFunction(window, first, index));
        let iterable = &comprehension.clauses[0].iterable;
        let operand = self.operand(iterable)?;
        self.at(iterable.span);
        self.emit(Instruction::GetIterator(window + 2, operand));
        self.at(span);
        self.emit(Instruction::Call(false, destination, window, 1));
        self.unit().release(mark);
        Ok(())
    }

    fn comprehension_code(&mut self, comprehension: &'a Comprehension, span: Span) -> Compiling<Rc<Code>> {
        let (name, kind) = match comprehension.kind {
            ComprehensionKind::List => ("<listcomp>", CodeKind::Function),
            ComprehensionKind::Set => ("<setcomp>", CodeKind::Function),
            ComprehensionKind::Dict => ("<dictcomp>", CodeKind::Function),
            ComprehensionKind::Generator => ("<genexpr>", CodeKind::Generator),
        };
        let scope = self.scopes.of_node(comprehension);
        let qualname = self.qualname(Name::new(name));
        let line = self.line(span);
        self.open_unit(kind, Name::new(name), qualname, scope, line);
        self.unit().counts = ParameterCounts { positional: 1, positional_only: 1, ..ParameterCounts::default() };
        self.at(span);
        self.make_cells(scope);
        let result = self.temporary()?;
        match comprehension.kind {
            ComprehensionKind::List => {
                self.emit(Instruction::BuildList(result, result, 0));
            }
            ComprehensionKind::Set => {
                self.emit(Instruction::BuildSet(result, result, 0));
            }
            ComprehensionKind::Dict => {
                self.emit(Instruction::BuildDict(result, result, 0));
            }
            ComprehensionKind::Generator => {}
        }
        self.clause(comprehension, 0, result, span)?;
        self.at(span);
        if comprehension.kind == ComprehensionKind::Generator {
            self.emit(Instruction::ReturnNone);
        } else {
            self.emit(Instruction::Return(result));
        }
        self.close_unit()
    }

    fn clause(
        &mut self,
        comprehension: &'a Comprehension,
        index: usize,
        result: Register,
        span: Span,
    ) -> Compiling<()> {
        let Some(clause) = comprehension.clauses.get(index) else {
            return self.element(comprehension, result, span);
        };
        let mark = self.unit().mark();
        let iterator = self.temporary()?;
        if index == 0 {
            self.emit(Instruction::Move(iterator, 0));
        } else {
            let operand = self.operand(&clause.iterable)?;
            self.at(clause.iterable.span);
            self.emit(Instruction::GetIterator(iterator, operand));
        }
        let head = self.here();
        self.at(clause.iterable.span);
        let local = match &clause.target.kind {
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
            self.assign(&clause.target, item)?;
        }
        let mut skips = Vec::new();
        for condition in &clause.conditions {
            self.jump_if(condition, false, &mut skips)?;
        }
        self.unit().push_block(BlockKind::Loop { breaks: Vec::new(), continues: Vec::new() });
        self.clause(comprehension, index + 1, result, span)?;
        self.unit().pop_block();
        for skip in skips {
            self.patch(skip);
        }
        self.emit(Instruction::JumpBack(head));
        self.patch(exit);
        self.unit().release(mark);
        Ok(())
    }

    fn element(&mut self, comprehension: &'a Comprehension, result: Register, span: Span) -> Compiling<()> {
        let mark = self.unit().mark();
        let element = &comprehension.element;
        match (comprehension.kind, &comprehension.value) {
            (ComprehensionKind::Dict, Some(value)) => {
                let key = self.fresh(element)?;
                let value = self.operand(value)?;
                self.at(span);
                self.emit(Instruction::DictInsert(result, key, value));
            }
            (ComprehensionKind::Set, _) => {
                let item = self.operand(element)?;
                self.at(span);
                self.emit(Instruction::SetAdd(result, item));
            }
            (ComprehensionKind::Generator, _) => {
                let item = self.fresh(element)?;
                self.at(element.span);
                self.emit(Instruction::Yield(item, item));
                self.emit(Instruction::Clear(item));
            }
            (ComprehensionKind::List | ComprehensionKind::Dict, _) => {
                let item = self.operand(element)?;
                self.at(span);
                self.emit(Instruction::ListAppend(result, item));
            }
        }
        self.unit().release(mark);
        Ok(())
    }
}
