//! Everything the machine itself holds values by, for the holder walk and the collector's checks.

use super::Vm;
use crate::lang::name::Name;
use crate::lang::value::{Edge, Value};

/// Something of the machine that holds values.
#[derive(Clone, Copy, Debug)]
pub enum Root<'a> {
    /// The module that cells run in.
    Main,
    /// An imported module.
    Module(Name),
    /// A running frame, outermost 0: its code's name and how it holds the value.
    Frame(usize, Name, Edge<'a>),
    /// An argument or a protected value of a running native call.
    Native,
}

impl Vm {
    /// Calls `visit` with every value the machine holds, each held reference once.
    pub fn visit_roots(&self, visit: &mut dyn FnMut(Root<'_>, &Value)) {
        visit(Root::Main, &Value::Module(self.main.clone()));
        for (name, module) in &self.modules {
            visit(Root::Module(*name), &Value::Module(module.clone()));
        }
        let mut slot = 0;
        for (index, frame) in self.frames.iter().enumerate() {
            self.visit_native(slot, frame.base, visit);
            // A frame's window ends where the next frame's begins.
            let end = (frame.base + frame.code.register_count).min(self.stack.len());
            let end = self.frames.get(index + 1).map_or(end, |above| end.min(above.base));
            let name = frame.code.name;
            frame.visit(&self.stack[frame.base..end], &mut |edge, value| {
                visit(Root::Frame(index, name, edge), value);
            });
            slot = end;
        }
        self.visit_native(slot, self.top.min(self.stack.len()), visit);
        for array in &self.pending {
            visit(Root::Native, &Value::Array(array.clone()));
        }
    }

    fn visit_native(&self, from: usize, to: usize, visit: &mut dyn FnMut(Root<'_>, &Value)) {
        for value in self.stack.get(from..to.max(from)).unwrap_or_default() {
            if !value.is_unset() {
                visit(Root::Native, value);
            }
        }
    }
}
