//! One activation of code: where it stands, its registers' window, what it handles.

use std::rc::Rc;

use super::code::Code;
use super::value::{Edge, Value};

/// One activation of code.
#[derive(Debug)]
pub struct Frame {
    /// The code.
    pub code: Rc<Code>,
}

impl Frame {
    /// Calls `visit` with every value the frame and its registers hold.
    pub fn visit(&self, registers: &[Value], visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (index, value) in registers.iter().enumerate() {
            let edge = self.code.locals.get(index).map_or(Edge::Temporary, |name| Edge::Local(*name));
            if !value.is_unset() {
                visit(edge, value);
            }
        }
    }

    /// Moves what the frame itself holds into `into`.
    pub fn take(&mut self, _into: &mut Vec<Value>) {}
}
