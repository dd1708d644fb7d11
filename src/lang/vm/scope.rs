//! What the running code can name: its module and its local variables, for `globals`, `locals`, `eval` and `dir`.

use std::rc::Rc;

use super::Vm;
use crate::lang::code::{Code, CodeKind, Span};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::ModuleObject;
use crate::lang::value::Value;

impl Vm {
    /// The code that is running `level` calls up from the innermost, where in it, and its module; nothing above the outermost.
    pub fn call_site(&self, level: usize) -> Option<(Rc<Code>, Span, Ref<ModuleObject>)> {
        let frame = self.frames.iter().rev().nth(level)?;
        let span = frame.code.spans.get(frame.next.saturating_sub(1)).copied().unwrap_or_default();
        Some((frame.code.clone(), span, frame.module().clone()))
    }

    /// The module whose globals the running code sees.
    pub fn running_module(&self) -> Ref<ModuleObject> {
        self.frames.last().map_or_else(|| self.main.clone(), |frame| frame.module().clone())
    }

    /// Whether the running code has names of its own, apart from its module's.
    pub fn is_in_function(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.code.kind != CodeKind::Module)
    }

    /// The bound names of the running code's own scope: a function's variables, a class body's or a module's names.
    pub fn local_variables(&self) -> Vec<(Name, Value)> {
        let names_of = |module: &Ref<ModuleObject>| -> Vec<(Name, Value)> {
            module.globals.borrow().iter().map(|(name, value)| (name, value.clone())).collect()
        };
        let Some(frame) = self.frames.last() else { return names_of(&self.main) };
        if frame.code.kind == CodeKind::Module {
            return names_of(frame.module());
        }
        if frame.code.kind == CodeKind::Class
            && let Some(Value::Module(namespace)) = self.stack.get(frame.base)
        {
            return names_of(namespace);
        }
        let contents = |value: &Value| match value {
            Value::Cell(cell) => cell.value.borrow().clone(),
            other => other.clone(),
        };
        let own = frame
            .code
            .locals
            .iter()
            .enumerate()
            .filter_map(|(index, &name)| Some((name, contents(self.stack.get(frame.base + index)?))));
        let mut variables: Vec<(Name, Value)> = own.collect();
        if let Some(function) = &frame.function {
            let closure = function.closure.borrow();
            variables.extend(
                frame.code.captured.iter().zip(closure.iter()).map(|(&name, cell)| (name, cell.value.borrow().clone())),
            );
        }
        // Hidden variables have names that no program can write.
        variables.retain(|(name, value)| !value.is_unset() && !name.text().starts_with(['.', '<']));
        variables
    }
}
