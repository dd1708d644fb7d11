//! The objects behind handles.
//!
//! A handle is a number that was never used before, so a handle that was destroyed, or belongs to another kind of object,
//! is always found out: the real driver would crash, or worse.

use crate::answer::{Answer, refusal, refuse};
use crate::command_list::CommandList;
use crate::context::Context;
use crate::event::{Event, EventPool, Fence};
use crate::kernel::Kernel;
use crate::module::{BuildLog, Module};
use crate::queue::Queue;
use level_zero_sys::ze_result_t;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An object a client can own.
pub(crate) trait Object: Sized {
    /// What a message calls it, in the plural, which is also its counter's name.
    const KIND: &'static str;
    /// As a value of the table.
    fn wrap(this: Arc<Self>) -> Any;
    /// Out of a value of the table, if it is of this kind.
    fn unwrap(any: &Any) -> Option<&Arc<Self>>;
}

macro_rules! objects {
    ($($kind:ident: $name:literal,)*) => {
        /// Any object.
        pub(crate) enum Any { $(
            #[doc = concat!("One of the ", $name, ".")]
            $kind(Arc<$kind>),
        )* }

        impl Any {
            fn kind(&self) -> &'static str {
                match self { $(Any::$kind(_) => $name,)* }
            }
        }

        /// The names of all kinds.
        pub(crate) const KINDS: &[&str] = &[$($name,)*];

        $(impl Object for $kind {
            const KIND: &'static str = $name;
            fn wrap(this: Arc<Self>) -> Any {
                Any::$kind(this)
            }
            fn unwrap(any: &Any) -> Option<&Arc<Self>> {
                match any {
                    Any::$kind(object) => Some(object),
                    _ => None,
                }
            }
        })*
    };
}

objects! {
    Context: "contexts",
    Module: "modules",
    BuildLog: "build_logs",
    Kernel: "kernels",
    Queue: "queues",
    CommandList: "lists",
    EventPool: "event_pools",
    Event: "events",
    Fence: "fences",
}

/// All live objects.
#[derive(Default)]
pub(crate) struct Objects {
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    last: usize,
    objects: HashMap<usize, Any>,
}

/// Handles start here: below are the fixed ones of drivers and devices.
const FIRST: usize = 0x10000;

impl Objects {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives an object a handle.
    pub fn insert<T: Object, H>(&self, object: T) -> *mut H {
        let mut table = self.table();
        // Multiples of 16, as the addresses that real handles are.
        table.last += 16;
        let handle = FIRST + table.last;
        table.objects.insert(handle, T::wrap(Arc::new(object)));
        handle as *mut H
    }

    /// The object of a handle.
    pub fn get<T: Object, H>(&self, handle: *mut H) -> Answer<Arc<T>> {
        if handle.is_null() {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE, format!("a null handle, not {}", T::KIND));
        }
        let table = self.table();
        let object = table.objects.get(&(handle as usize)).ok_or_else(|| stale::<T>())?;
        T::unwrap(object).cloned().ok_or_else(|| {
            refusal(
                ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT,
                format!("a handle of {}, not of {}", object.kind(), T::KIND),
            )
        })
    }

    /// The object of a handle that may be null.
    pub fn get_optional<T: Object, H>(&self, handle: *mut H) -> Answer<Option<Arc<T>>> {
        if handle.is_null() { Ok(None) } else { self.get(handle).map(Some) }
    }

    /// Takes the handle back; the object lives on where commands still use it.
    pub fn remove<T: Object, H>(&self, handle: *mut H) -> Answer<Arc<T>> {
        let object = self.get::<T, H>(handle)?;
        self.table().objects.remove(&(handle as usize)).ok_or_else(|| stale::<T>())?;
        Ok(object)
    }

    /// How many objects of this kind are live.
    pub fn count(&self, kind: &str) -> usize {
        self.table().objects.values().filter(|object| object.kind() == kind).count()
    }
}

fn stale<T: Object>() -> crate::answer::Refusal {
    refusal(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, format!("no live handle of {}", T::KIND))
}
