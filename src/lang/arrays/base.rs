//! `a.base` and `a.flags.owndata` of NumPy's arrays: which array the memory of a view was made for.
//!
//! A view keeps the memory and not the array it was cut from, so that nothing but the memory is ever held. The array is looked for
//! when someone asks; one that is gone is made anew over the whole block, which the ledger knows as the same allocation.

use crate::arrays::array::Array;
use crate::arrays::layout::Layout;
use crate::arrays::ledger;
use crate::lang::heap::{self, Ref};
use crate::lang::objects::{ArrayFlavour, ArrayObject};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The array whose memory a computed array shares; `None` when it is its own.
pub fn base_value(vm: &Vm, array: &Ref<ArrayObject>) -> Value {
    let Some(view) = array.computed() else { return Value::None };
    if array.owns.get() || view.buffer().is_mapped() {
        return Value::None;
    }
    match owner_alive(vm, &view).or_else(|| owner_anew(&view)) {
        Some(owner) => Value::Array(owner),
        None => Value::None,
    }
}

/// The array that the block was allocated for, where a value somewhere still refers to it.
fn owner_alive(vm: &Vm, view: &Array) -> Option<Ref<ArrayObject>> {
    let block = view.buffer().id();
    let mut found: Option<Ref<ArrayObject>> = None;
    let mut look = |value: &Value| match value {
        // Views are most of what shares a block; only one array is no view of it.
        Value::Array(array)
            if array.owns.get() && array.flavour == ArrayFlavour::NumPy && array.allocation() == Some(block) =>
        {
            found = Some(array.clone());
        }
        _ => {}
    };
    vm.visit_roots(&mut |_, value| look(value));
    for container in heap::containers() {
        container.visit_children(&mut |_, value| look(value));
    }
    found
}

/// An array over the whole block, in the shape that was first asked for.
fn owner_anew(view: &Array) -> Option<Ref<ArrayObject>> {
    let entry = ledger::entry_of(view.buffer())?;
    let (shape, dtype) = (entry.shape?, entry.dtype?);
    let layout = Layout::contiguous(&shape);
    let whole = Array::over_buffer(view.buffer().clone(), dtype, layout, view.place().clone()).ok()?;
    let owner = ArrayObject::ready(ArrayFlavour::NumPy, whole);
    owner.owns.set(true);
    Some(Ref::new(owner))
}
