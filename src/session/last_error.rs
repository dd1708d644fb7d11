//! The last uncaught error, which holds the locals of its frames while errors keep frames (`%errors keep-frames`).

use std::cell::{Cell, RefCell};

use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The error that ended a cell last, kept only while errors keep frames.
#[derive(Debug, Default)]
pub(super) struct LastError {
    value: RefCell<Option<Value>>,
    keeps_frames: Cell<bool>,
}

impl LastError {
    pub(super) fn keeps_frames(&self) -> bool {
        self.keeps_frames.get()
    }

    pub(super) fn set_keeps_frames(&self, vm: &mut Vm, keeps: bool) {
        self.keeps_frames.set(keeps);
        vm.keeps_frames = keeps;
        if !keeps {
            self.clear();
        }
    }

    /// Lets go of the error; answers whether there was one.
    pub(super) fn clear(&self) -> bool {
        let old = self.value.take();
        old.is_some()
    }

    /// The error itself.
    pub(super) fn value(&self) -> Option<Value> {
        self.value.borrow().clone()
    }

    /// Keeps an error in place of the one before it.
    pub(super) fn keep(&self, exception: Value) {
        let old = self.value.replace(Some(exception));
        drop(old);
    }
}
