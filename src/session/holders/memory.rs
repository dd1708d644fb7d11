//! Which allocations a value holds itself, as opposed to through values inside it.

use std::sync::Arc;

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
