//! Rust functions for array cells: their kinds, and registering them. `calls` runs them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::calls;
use crate::element::{DType, Element};
use crate::link::state;
use crate::wire::{Answer, Writer, malformed};
use crate::{Result, or_panic};

/// A function from elements to an element: `|x: f64, y: f64| ...`, of one to four arguments.
pub trait ElementFunction<Arguments>: Send + Sync + 'static {
    #[doc(hidden)]
    fn registered(self) -> Registered;
}

/// A function from parts of arrays to the same part of another: `|x: &[f64], out: &mut [f64]| ...`, of one to three arguments. It is
/// called with parts of any length at any place, several at the same time.
pub trait SliceFunction<Arguments>: Send + Sync + 'static {
    #[doc(hidden)]
    fn registered(self) -> Registered;
}

/// A function from whole arrays to a whole array: `|x: &[f64]| -> Vec<f64>`, of one to three arguments.
pub trait WholeFunction<Arguments>: Send + Sync + 'static {
    #[doc(hidden)]
    fn registered(self) -> Registered;
}

/// What the session may call: the types, and how it is run.
#[doc(hidden)]
pub struct Registered {
    pub(crate) inputs: Vec<DType>,
    pub(crate) output: DType,
    pub(crate) body: Body,
}

/// How a function is run.
pub(crate) enum Body {
    /// Each input leads to so many elements of its dtype, the output to room for as many, and all are aligned.
    Pieces(Box<dyn Fn(&[*const u8], *mut u8, usize) + Send + Sync>),
    Whole(Box<dyn Fn(&[WholeInput]) -> WholeOutput + Send + Sync>),
}

/// An array that a whole function is given.
#[doc(hidden)]
pub struct WholeInput {
    /// Aligned for every element.
    memory: Vec<u128>,
    bytes: usize,
}

impl WholeInput {
    /// `memory` begins with so many bytes of elements of the type that was registered, booleans being 0 or 1.
    pub(crate) fn new(memory: Vec<u128>, bytes: usize) -> WholeInput {
        WholeInput { memory, bytes }
    }

    fn elements<T: Element>(&self) -> &[T] {
        // SAFETY: the memory holds so many bytes of elements of the type that was registered, and is aligned for it; booleans were
        // made 0 and 1 when they came.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.bytes / size_of::<T>()) }
    }
}

/// The array that a whole function gives, as bytes.
#[doc(hidden)]
pub struct WholeOutput(Box<dyn AsBytes>);

impl WholeOutput {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }
}

trait AsBytes {
    fn bytes(&self) -> &[u8];
}

impl<T: Element> AsBytes for Vec<T> {
    fn bytes(&self) -> &[u8] {
        // SAFETY: elements have no padding.
        unsafe { std::slice::from_raw_parts(self.as_ptr().cast(), size_of_val(self.as_slice())) }
    }
}

macro_rules! functions {
    ($(($($name:ident $index:tt),+))*) => {
        $(
            impl<Call, $($name: Element,)+ Output: Element> ElementFunction<($($name,)+ Output,)> for Call
            where
                Call: Fn($($name),+) -> Output + Send + Sync + 'static,
            {
                fn registered(self) -> Registered {
                    let run = move |inputs: &[*const u8], output: *mut u8, count: usize| {
                        let output: *mut Output = output.cast();
                        let inputs = ($(inputs[$index].cast::<$name>(),)+);
                        for at in 0..count {
                            // SAFETY: what `Body::Pieces` promises.
                            unsafe { output.add(at).write(self($(inputs.$index.add(at).read()),+)) };
                        }
                    };
                    Registered { inputs: vec![$($name::DTYPE),+], output: Output::DTYPE, body: Body::Pieces(Box::new(run)) }
                }
            }

            impl<Call, $($name: Element,)+ Output: Element> SliceFunction<($($name,)+ Output,)> for Call
            where
                Call: Fn($(&[$name],)+ &mut [Output]) + Send + Sync + 'static,
            {
                fn registered(self) -> Registered {
                    let run = move |inputs: &[*const u8], output: *mut u8, count: usize| {
                        // The slot holds what the piece before it left: it must be values of the type to be borrowed as such.
                        // SAFETY: what `Body::Pieces` promises; zero bytes are a value of every element type.
                        unsafe {
                            output.write_bytes(0, count * size_of::<Output>());
                            let output = std::slice::from_raw_parts_mut(output.cast::<Output>(), count);
                            self($(std::slice::from_raw_parts(inputs[$index].cast::<$name>(), count),)+ output);
                        }
                    };
                    Registered { inputs: vec![$($name::DTYPE),+], output: Output::DTYPE, body: Body::Pieces(Box::new(run)) }
                }
            }

            impl<Call, $($name: Element,)+ Output: Element> WholeFunction<($($name,)+ Output,)> for Call
            where
                Call: Fn($(&[$name]),+) -> Vec<Output> + Send + Sync + 'static,
            {
                fn registered(self) -> Registered {
                    let run = move |inputs: &[WholeInput]| WholeOutput(Box::new(self($(inputs[$index].elements::<$name>()),+)));
                    Registered { inputs: vec![$($name::DTYPE),+], output: Output::DTYPE, body: Body::Whole(Box::new(run)) }
                }
            }
        )*
    };
}
functions! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }

/// Lets array cells call a function of elements: `register("f", |x: f64| x.sin())`, then `f(a)` there. It runs on all processors.
#[track_caller]
pub fn register<A, F: ElementFunction<A>>(name: &str, function: F) {
    or_panic(try_register(name, function));
}

/// [`register`] as a `Result`.
pub fn try_register<A, F: ElementFunction<A>>(name: &str, function: F) -> Result<()> {
    enter(name, function.registered())
}

/// Lets array cells call a function of parts of arrays: `register_slice("f", |x: &[f64], out: &mut [f64]| ...)`. It is called with parts
/// of any length, several at the same time: what it writes may depend on the same places of its inputs only.
#[track_caller]
pub fn register_slice<A, F: SliceFunction<A>>(name: &str, function: F) {
    or_panic(try_register_slice(name, function));
}

/// [`register_slice`] as a `Result`.
pub fn try_register_slice<A, F: SliceFunction<A>>(name: &str, function: F) -> Result<()> {
    enter(name, function.registered())
}

/// Lets array cells call a function of whole arrays: `register_whole("sorted", |x: &[f64]| -> Vec<f64> ...)`. It is called once with all
/// elements in C order. What it gives has the first argument's shape if it is as long, else it is one-dimensional.
#[track_caller]
pub fn register_whole<A, F: WholeFunction<A>>(name: &str, function: F) {
    or_panic(try_register_whole(name, function));
}

/// [`register_whole`] as a `Result`.
pub fn try_register_whole<A, F: WholeFunction<A>>(name: &str, function: F) -> Result<()> {
    enter(name, function.registered())
}

/// The functions of a process, by the numbers that the session knows.
#[derive(Default)]
pub(crate) struct Functions {
    by_number: Mutex<HashMap<u32, Arc<Registered>>>,
    serving: OnceLock<Result<()>>,
}

impl Functions {
    pub(crate) fn find(&self, number: u32) -> Option<Arc<Registered>> {
        self.by_number.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned()
    }
}

fn enter(name: &str, function: Registered) -> Result<()> {
    let state = state()?;
    let functions = &state.functions;
    functions.serving.get_or_init(calls::serve).clone()?;
    let kind = u8::from(matches!(function.body, Body::Whole(_)));
    let mut known = functions.by_number.lock().unwrap_or_else(PoisonError::into_inner);
    let number = known.len() as u32;
    let writer = Writer::new(22).u32(number).text(name).u8(kind).u32(function.inputs.len() as u32);
    let request = function.inputs.iter().fold(writer, |writer, &dtype| writer.dtype(dtype)).dtype(function.output);
    known.insert(number, Arc::new(function));
    drop(known);
    match state.ask(request)? {
        Answer::Done => Ok(()),
        _ => Err(malformed()),
    }
}
