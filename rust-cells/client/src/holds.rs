//! Which variables keep which arrays: the session is told after a cell, so that `%mem` can say `rust: v`.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

use crate::array::Array;
use crate::link::state;
use crate::wire::Writer;

/// The most arrays that are named.
const NAMED_MAX: usize = 10_000;
/// The longest path that is told.
const PATH_BYTES_MAX: usize = 80;

/// The arrays that were found, with the paths to them.
#[derive(Debug, Default)]
pub struct Found(Vec<(String, u64)>);

/// A type in which arrays can be found. Implement it for your own with `cellhold::holds!(Model { weights, bias });`.
pub trait Holds {
    /// Adds every array in it; `path` is how it is written itself.
    fn visit(&self, path: &str, found: &mut Found);
}

impl Holds for Array {
    fn visit(&self, path: &str, found: &mut Found) {
        if found.0.len() < NAMED_MAX && path.len() <= PATH_BYTES_MAX {
            found.0.push((path.to_owned(), self.handle()));
        }
    }
}

macro_rules! through {
    ($($type:ty),*) => {
        $(impl<T: Holds + ?Sized> Holds for $type {
            fn visit(&self, path: &str, found: &mut Found) {
                (**self).visit(path, found);
            }
        })*
    };
}
through!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

macro_rules! in_order {
    ($($type:ty),*) => {
        $(impl<T: Holds> Holds for $type {
            fn visit(&self, path: &str, found: &mut Found) {
                for (index, item) in self.iter().enumerate() {
                    item.visit(&format!("{path}[{index}]"), found);
                }
            }
        })*
    };
}
in_order!([T], Vec<T>, VecDeque<T>);

impl<T: Holds, const N: usize> Holds for [T; N] {
    fn visit(&self, path: &str, found: &mut Found) {
        self.as_slice().visit(path, found);
    }
}

impl<T: Holds> Holds for Option<T> {
    fn visit(&self, path: &str, found: &mut Found) {
        if let Some(value) = self {
            value.visit(path, found);
        }
    }
}

impl<T: Holds, E> Holds for Result<T, E> {
    fn visit(&self, path: &str, found: &mut Found) {
        if let Ok(value) = self {
            value.visit(path, found);
        }
    }
}

impl<T: Holds> Holds for RefCell<T> {
    fn visit(&self, path: &str, found: &mut Found) {
        if let Ok(value) = self.try_borrow() {
            value.visit(path, found);
        }
    }
}

impl<T: Holds + Default> Holds for Cell<T> {
    fn visit(&self, path: &str, found: &mut Found) {
        let value = self.take();
        value.visit(path, found);
        self.set(value);
    }
}

impl<T: Holds> Holds for Mutex<T> {
    fn visit(&self, path: &str, found: &mut Found) {
        // Whoever holds the lock may hold it for long; until a later look finds it free, its arrays go by their cell.
        if let Ok(value) = self.try_lock() {
            value.visit(path, found);
        }
    }
}

impl<T: Holds> Holds for RwLock<T> {
    fn visit(&self, path: &str, found: &mut Found) {
        if let Ok(value) = self.try_read() {
            value.visit(path, found);
        }
    }
}

macro_rules! by_key {
    ($($type:ident),*) => {
        $(impl<K: Debug, T: Holds> Holds for $type<K, T> {
            fn visit(&self, path: &str, found: &mut Found) {
                for (key, item) in self {
                    item.visit(&format!("{path}[{key:?}]"), found);
                }
            }
        })*
    };
}
by_key!(HashMap, BTreeMap);

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {
        $(impl<$($name: Holds),+> Holds for ($($name,)+) {
            fn visit(&self, path: &str, found: &mut Found) {
                $(self.$index.visit(&format!("{path}.{}", $index), found);)+
            }
        })*
    };
}
tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4) (A 0, B 1, C 2, D 3, E 4, F 5) }

macro_rules! nothing_inside {
    ($($type:ty),*) => {
        $(impl Holds for $type {
            fn visit(&self, _: &str, _: &mut Found) {}
        })*
    };
}
nothing_inside!(bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, str, String, ());

/// Looks into a value of any type: what is no [`Holds`] holds nothing.
pub struct Probe<'a, T: ?Sized>(pub &'a T);

impl<T: Holds + ?Sized> Probe<'_, T> {
    /// Adds every array in the value.
    pub fn visit(&self, path: &str, found: &mut Found) {
        self.0.visit(path, found);
    }
}

/// What is done for values that are no [`Holds`]; the method of [`Probe`] goes before it where there is one.
pub trait Otherwise {
    /// Adds nothing.
    fn visit(&self, _: &str, _: &mut Found) {}
}

impl<T: ?Sized> Otherwise for Probe<'_, T> {}

/// Tells the session who keeps what; it replaces what was told before.
pub fn tell_names(found: &Found) {
    let Ok(state) = state() else { return };
    let writer = Writer::new(21).u32(found.0.len() as u32);
    let request = found.0.iter().fold(writer, |writer, (path, handle)| writer.text(path).u64(*handle));
    // Names are a help for people; a session that is gone needs none.
    let _ = state.ask(request);
}

/// Tells the session which of these variables keep which arrays. Any type may be named.
#[macro_export]
macro_rules! name_holders {
    ($($variable:ident),* $(,)?) => {{
        #[allow(unused_imports)]
        use $crate::Otherwise as _;
        #[allow(unused_mut)]
        let mut found = $crate::Found::default();
        $($crate::Probe(&$variable).visit(stringify!($variable), &mut found);)*
        $crate::tell_names(&found);
    }};
}

/// Lets arrays be found in fields of a type of your own: `holds!(Model { weights, bias });`.
#[macro_export]
macro_rules! holds {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::Holds for $type {
            fn visit(&self, path: &str, found: &mut $crate::Found) {
                $($crate::Holds::visit(&self.$field, &format!("{path}.{}", stringify!($field)), found);)*
            }
        }
    };
}
