//! Which allocations a value holds itself, as opposed to through values inside it.

use std::sync::Arc;

use hashbrown::HashSet;

use super::walk::can_hold;
use crate::arrays::Buffer;
use crate::lang::objects::ArrayState;
use crate::lang::value::Value;

/// Calls `visit` with every buffer that the value's own object keeps alive, and with the bytes of it that the object
/// looks at where that is known.
pub fn visit_buffers(value: &Value, visit: &mut dyn FnMut(&Arc<Buffer>, Option<u64>)) {
    match value {
        Value::Array(object) => match &*object.state.borrow() {
            ArrayState::Ready(array) => visit(array.buffer(), Some(array.bytes() as u64)),
            // It owns no memory of its own yet; what it will read is held where it is named.
            ArrayState::Pending(_) => {}
        },
        Value::Object(object) => object.data().visit_buffers(&mut |buffer| visit(buffer, None)),
        _ => {}
    }
}

/// The buffer of an array or of an object that wraps exactly one.
pub fn buffer_of(value: &Value) -> Option<Arc<Buffer>> {
    let mut found = None;
    visit_buffers(value, &mut |buffer, _| found = Some(buffer.clone()));
    found
}

/// An allocation that a value keeps alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// Its number.
    pub id: u64,
    /// Its bytes; none once it is revoked.
    pub bytes: u64,
}

/// The allocations that a value keeps alive, itself and through what it holds, each once, by number.
pub fn reach(value: &Value) -> Vec<Reached> {
    let mut unbounded = usize::MAX;
    reach_within(value, &mut unbounded).unwrap_or_default()
}

/// The same, unless more objects than `left` would have to be looked at; those that were are taken off.
pub fn reach_within(value: &Value, left: &mut usize) -> Option<Vec<Reached>> {
    let mut seen = HashSet::new();
    let mut waiting = vec![value.clone()];
    let mut found = Vec::new();
    while let Some(value) = waiting.pop() {
        if let Some(id) = value.heap_id()
            && !seen.insert(id)
        {
            continue;
        }
        *left = left.checked_sub(1)?;
        visit_buffers(&value, &mut |buffer, _| {
            if !buffer.is_revoked() {
                found.push(Reached { id: buffer.id(), bytes: buffer.bytes() as u64 });
            }
        });
        value.visit_children(&mut |_, child| {
            // The session's own names are not part of a function that merely sees them.
            let is_outside =
                matches!(child, Value::Module(_)) || matches!(child, Value::Class(class) if !class.is_user_defined);
            if can_hold(child) && child.heap_id().is_some_and(|id| !seen.contains(&id)) && !is_outside {
                waiting.push(child.clone());
            }
        });
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}
