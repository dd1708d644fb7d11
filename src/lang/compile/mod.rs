//! Tree to register bytecode. `scopes` decides what names mean; `unit` collects the instructions of one code object; the
//! other files translate statements, expressions, functions and patterns. Nothing here runs a program.

mod exceptions;
mod expressions;
mod functions;
mod patterns;
mod scopes;
mod statements;
mod unit;

pub use expressions::constant_value;

use std::rc::Rc;

use super::code::{Capture, Code, CodeKind, Instruction, Register, Source, Span};
use super::heap::Ref;
use super::name::Name;
use super::objects::ModuleObject;
use super::parse::SyntaxProblem;
use super::tree::{Module, StmtKind};
use scopes::{Meaning, ScopeId, Scopes, mangle};
use unit::Unit;

/// What compiling gives.
pub(super) type Compiling<T> = Result<T, Box<SyntaxProblem>>;

/// What becomes of a text's last expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastExpression {
    /// Discarded, as in a file.
    Discard,
    /// Shown, as in a cell.
    Show,
    /// Returned, for `eval`.
    Return,
}

/// Compiles a text for a module, whose globals get slots for the names it uses.
pub fn compile(
    module: &Module,
    source: &Rc<Source>,
    globals: &Ref<ModuleObject>,
    last: LastExpression,
) -> Compiling<Rc<Code>> {
    let scopes = Scopes::of(module)?;
    let mut compiler = Compiler {
        source: source.clone(),
        globals: globals.clone(),
        scopes: &scopes,
        units: Vec::new(),
        private: None,
        annotations_are_text: false,
    };
    compiler.open_unit(CodeKind::Module, Name::new("<module>"), "<module>".into(), 0, 1);
    compiler.module(module, last)?;
    compiler.close_unit()
}

/// The state of a compilation.
struct Compiler<'a> {
    source: Rc<Source>,
    globals: Ref<ModuleObject>,
    scopes: &'a Scopes,
    units: Vec<Unit<'a>>,
    private: Option<Name>,
    /// After `from __future__ import annotations`.
    annotations_are_text: bool,
}

impl<'a> Compiler<'a> {
    fn module(&mut self, module: &'a Module, last: LastExpression) -> Compiling<()> {
        let doc = functions::docstring(&module.body);
        if let (Some(doc), LastExpression::Discard) = (doc, last) {
            let value = self.temporary()?;
            self.constant(value, super::value::Value::str(doc));
            self.store_name(Name::new("__doc__"), value)?;
        }
        for (index, statement) in module.body.iter().enumerate() {
            let is_last = index + 1 == module.body.len();
            match &statement.kind {
                StmtKind::Expression(value) if is_last && last == LastExpression::Return => {
                    let result = self.temporary()?;
                    self.value(value, result)?;
                    self.at(statement.span);
                    self.emit(Instruction::Return(result));
                }
                StmtKind::Expression(value)
                    if is_last && last == LastExpression::Show && !module.ends_with_semicolon =>
                {
                    let result = self.temporary()?;
                    self.value(value, result)?;
                    self.at(statement.span);
                    self.emit(Instruction::ShowResult(result));
                }
                _ => self.stmt(statement)?,
            }
            self.unit().release_all();
        }
        self.emit(Instruction::ReturnNone);
        Ok(())
    }

    fn unit(&mut self) -> &mut Unit<'a> {
        self.units.last_mut().expect("a unit is open while code is compiled")
    }

    fn open_unit(&mut self, kind: CodeKind, name: Name, qualname: Rc<str>, scope: ScopeId, first_line: u32) {
        let found = self.scopes.get(scope);
        let locals = if kind == CodeKind::Class {
            // The namespace, bases and keywords of a class being defined travel in its body's frame.
            let mut locals = vec![Name::new(".namespace"), Name::new(".bases"), Name::new(".keywords")];
            locals.extend(found.locals());
            locals
        } else {
            found.locals()
        };
        let unit = Unit::new(kind, name, qualname, scope, first_line, locals, found.free.clone());
        self.units.push(unit);
    }

    fn close_unit(&mut self) -> Compiling<Rc<Code>> {
        let unit = self.units.pop().expect("each unit is closed once");
        let captures = unit
            .free
            .iter()
            .map(|name| match self.units.last() {
                Some(parent) => match parent.free.iter().position(|free| free == name) {
                    // A class body captures for its methods what it does not bind itself.
                    Some(index) if !self.scopes.get(parent.scope).cells.contains(name) => Capture::Free(index as u16),
                    _ => Capture::Local(parent.register_of(*name).unwrap_or(0)),
                },
                None => Capture::Local(0),
            })
            .collect();
        unit.finish(self.source.clone(), captures).map(Rc::new)
    }

    fn line(&self, span: Span) -> u32 {
        self.source.line(span.start) as u32
    }

    /// Sets where the instructions that follow stand.
    fn at(&mut self, span: Span) {
        self.unit().span = span;
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        self.unit().emit(instruction)
    }

    fn here(&mut self) -> u32 {
        self.unit().here()
    }

    fn patch(&mut self, at: usize) {
        let here = self.here();
        self.unit().patch(at, here);
    }

    fn patch_all(&mut self, jumps: &[usize]) {
        for &at in jumps {
            self.patch(at);
        }
    }

    fn temporary(&mut self) -> Compiling<Register> {
        self.unit().temporary()
    }

    fn constant(&mut self, destination: Register, value: super::value::Value) {
        let unit = self.unit();
        let instruction = match value {
            super::value::Value::Int(small) if i32::try_from(small).is_ok() => {
                Instruction::LoadInt(destination, small as i32)
            }
            value => Instruction::LoadConstant(destination, unit.constant(value)),
        };
        self.emit(instruction);
    }

    fn meaning(&mut self, name: Name) -> (Name, Meaning) {
        let name = mangle(self.private, name);
        let scope = self.unit().scope;
        (name, self.scopes.get(scope).meaning(name))
    }

    /// The register of a name that is a plain local.
    fn local_register(&mut self, name: Name) -> Option<Register> {
        let (name, meaning) = self.meaning(name);
        if meaning == Meaning::Local { self.unit().register_of(name) } else { None }
    }

    fn load_name(&mut self, name: Name, destination: Register) -> Compiling<()> {
        let (name, meaning) = self.meaning(name);
        let instruction = match meaning {
            Meaning::Local => {
                let register = self.unit().register_of(name).expect("a local has a register");
                Instruction::Copy(destination, register)
            }
            Meaning::Cell => {
                let register = self.unit().register_of(name).expect("a boxed local has a register");
                Instruction::LoadCell(destination, register)
            }
            Meaning::Free => Instruction::LoadFree(destination, self.unit().free_index(name)),
            Meaning::Global if self.unit().kind == CodeKind::Class => {
                Instruction::LoadName(destination, self.unit().name(name)?)
            }
            Meaning::Global => Instruction::LoadGlobal(destination, self.globals.globals.borrow_mut().slot(name)),
            Meaning::ClassName => {
                let index = self.unit().name(name)?;
                let scope = self.unit().scope;
                // A name that the class body binds is never read from an enclosing function.
                if self.unit().free.contains(&name) && !self.scopes.get(scope).binds(name) {
                    Instruction::LoadNameOrFree(destination, index, self.unit().free_index(name))
                } else {
                    Instruction::LoadName(destination, index)
                }
            }
        };
        self.emit(instruction);
        Ok(())
    }

    /// Binds a name to the value in a temporary, which is emptied.
    fn store_name(&mut self, name: Name, source: Register) -> Compiling<()> {
        let (name, meaning) = self.meaning(name);
        let instruction = match meaning {
            Meaning::Local => {
                let register = self.unit().register_of(name).expect("a local has a register");
                Instruction::Move(register, source)
            }
            Meaning::Cell => {
                let register = self.unit().register_of(name).expect("a boxed local has a register");
                Instruction::StoreCell(register, source)
            }
            Meaning::Free => Instruction::StoreFree(source, self.unit().free_index(name)),
            Meaning::Global => Instruction::StoreGlobal(source, self.globals.globals.borrow_mut().slot(name)),
            Meaning::ClassName => Instruction::StoreName(source, self.unit().name(name)?),
        };
        self.emit(instruction);
        Ok(())
    }

    fn delete_name(&mut self, name: Name) -> Compiling<()> {
        let (name, meaning) = self.meaning(name);
        let instruction = match meaning {
            Meaning::Local => Instruction::DeleteLocal(self.unit().register_of(name).expect("a local has a register")),
            Meaning::Cell => {
                Instruction::DeleteCell(self.unit().register_of(name).expect("a boxed local has a register"))
            }
            Meaning::Free => Instruction::DeleteFree(self.unit().free_index(name)),
            Meaning::Global => Instruction::DeleteGlobal(self.globals.globals.borrow_mut().slot(name)),
            Meaning::ClassName => Instruction::DeleteName(self.unit().name(name)?),
        };
        self.emit(instruction);
        Ok(())
    }
}
