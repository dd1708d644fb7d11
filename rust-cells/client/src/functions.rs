//! Rust functions for array cells: registering them, and the thread that serves their calls.
//!
//! The elements of the arguments come through a window in pieces; the functions read and write them there, each piece on a thread of its own.

use std::any::Any;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::element::{DType, Element};
use crate::link::{Window, computing, connect, give_pieces, state, take_pieces};
use crate::pool::Pool;
use crate::wire::{Answer, Reader, Writer, malformed};
use crate::{Error, Result, or_panic};

/// Parts of a slot begin at multiples of this; the session computes the same.
const ALIGNMENT: usize = 64;
/// The end of a call, in place of a slot's number.
const END: u32 = u32::MAX;
/// What an error's text may take.
const MESSAGE_BYTES_MAX: usize = 4096;
/// Pieces are under way in this many slots at most.
const THREADS_MAX: usize = 8;

/// A function from elements to an element: `|x: f64, y: f64| ...`, of one to four arguments.
pub trait ElementFunction<Arguments>: Send + Sync + 'static {
    #[doc(hidden)]
    fn inputs() -> Vec<DType>;
    #[doc(hidden)]
    fn output() -> DType;
    /// # Safety
    /// Each input leads to `count` elements of its dtype, the output to room for as many, and all are aligned.
    #[doc(hidden)]
    unsafe fn run(&self, inputs: &[*const u8], output: *mut u8, count: usize);
}

/// A function from parts of arrays to the same part of another: `|x: &[f64], out: &mut [f64]| ...`, of one to three arguments. It is
/// called with parts of any length at any place, several at the same time.
pub trait SliceFunction<Arguments>: Send + Sync + 'static {
    #[doc(hidden)]
    fn inputs() -> Vec<DType>;
    #[doc(hidden)]
    fn output() -> DType;
    /// # Safety
    /// As for [`ElementFunction::run`].
    #[doc(hidden)]
    unsafe fn run(&self, inputs: &[*const u8], output: *mut u8, count: usize);
}

/// A function from whole arrays to a whole array: `|x: &[f64]| -> Vec<f64>`, of one to three arguments.
pub trait WholeFunction<Arguments>: Send + Sync + 'static {
    #[doc(hidden)]
    fn inputs() -> Vec<DType>;
    #[doc(hidden)]
    fn output() -> DType;
    #[doc(hidden)]
    fn run(&self, inputs: &[WholeInput]) -> WholeOutput;
}

/// An array that a whole function is given.
#[doc(hidden)]
pub struct WholeInput {
    /// Aligned for every element.
    memory: Vec<u128>,
    bytes: usize,
}

impl WholeInput {
    fn elements<T: Element>(&self) -> &[T] {
        // SAFETY: the memory holds so many bytes of elements of the type that was registered, and is aligned for it; booleans were
        // made 0 and 1 when they came.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.bytes / size_of::<T>()) }
    }
}

/// The array that a whole function gives, as bytes.
#[doc(hidden)]
pub struct WholeOutput(Box<dyn AsBytes>);

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
                fn inputs() -> Vec<DType> {
                    vec![$($name::DTYPE),+]
                }
                fn output() -> DType {
                    Output::DTYPE
                }
                unsafe fn run(&self, inputs: &[*const u8], output: *mut u8, count: usize) {
                    let output: *mut Output = output.cast();
                    let inputs = ($(inputs[$index].cast::<$name>(),)+);
                    for at in 0..count {
                        // SAFETY: the caller's promise.
                        unsafe { output.add(at).write(self($(inputs.$index.add(at).read()),+)) };
                    }
                }
            }

            impl<Call, $($name: Element,)+ Output: Element> SliceFunction<($($name,)+ Output,)> for Call
            where
                Call: Fn($(&[$name],)+ &mut [Output]) + Send + Sync + 'static,
            {
                fn inputs() -> Vec<DType> {
                    vec![$($name::DTYPE),+]
                }
                fn output() -> DType {
                    Output::DTYPE
                }
                unsafe fn run(&self, inputs: &[*const u8], output: *mut u8, count: usize) {
                    // The slot holds what the piece before it left: it must be values of the type to be borrowed as such.
                    // SAFETY: the caller's promise; zero bytes are a value of every element type.
                    unsafe {
                        output.write_bytes(0, count * size_of::<Output>());
                        let output = std::slice::from_raw_parts_mut(output.cast::<Output>(), count);
                        self($(std::slice::from_raw_parts(inputs[$index].cast::<$name>(), count),)+ output);
                    }
                }
            }

            impl<Call, $($name: Element,)+ Output: Element> WholeFunction<($($name,)+ Output,)> for Call
            where
                Call: Fn($(&[$name]),+) -> Vec<Output> + Send + Sync + 'static,
            {
                fn inputs() -> Vec<DType> {
                    vec![$($name::DTYPE),+]
                }
                fn output() -> DType {
                    Output::DTYPE
                }
                fn run(&self, inputs: &[WholeInput]) -> WholeOutput {
                    WholeOutput(Box::new(self($(inputs[$index].elements::<$name>()),+)))
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
    let run = move |inputs: &[*const u8], output: *mut u8, count: usize| {
        // SAFETY: whoever runs it gives what the trait asks for.
        unsafe { function.run(inputs, output, count) }
    };
    enter(name, F::inputs(), F::output(), Body::Pieces(Box::new(run)))
}

/// Lets array cells call a function of parts of arrays: `register_slice("f", |x: &[f64], out: &mut [f64]| ...)`. It is called with parts
/// of any length, several at the same time: what it writes may depend on the same places of its inputs only.
#[track_caller]
pub fn register_slice<A, F: SliceFunction<A>>(name: &str, function: F) {
    or_panic(try_register_slice(name, function));
}

/// [`register_slice`] as a `Result`.
pub fn try_register_slice<A, F: SliceFunction<A>>(name: &str, function: F) -> Result<()> {
    let run = move |inputs: &[*const u8], output: *mut u8, count: usize| {
        // SAFETY: whoever runs it gives what the trait asks for.
        unsafe { function.run(inputs, output, count) }
    };
    enter(name, F::inputs(), F::output(), Body::Pieces(Box::new(run)))
}

/// Lets array cells call a function of whole arrays: `register_whole("sorted", |x: &[f64]| -> Vec<f64> ...)`. It is called once with all
/// elements in C order. What it gives has the first argument's shape if it is as long, else it is one-dimensional.
#[track_caller]
pub fn register_whole<A, F: WholeFunction<A>>(name: &str, function: F) {
    or_panic(try_register_whole(name, function));
}

/// [`register_whole`] as a `Result`.
pub fn try_register_whole<A, F: WholeFunction<A>>(name: &str, function: F) -> Result<()> {
    let run = move |inputs: &[WholeInput]| function.run(inputs);
    enter(name, F::inputs(), F::output(), Body::Whole(Box::new(run)))
}

enum Body {
    Pieces(Box<dyn Fn(&[*const u8], *mut u8, usize) + Send + Sync>),
    Whole(Box<dyn Fn(&[WholeInput]) -> WholeOutput + Send + Sync>),
}

struct Registered {
    inputs: Vec<DType>,
    output: DType,
    body: Body,
}

/// The functions of a process, by the numbers that the session knows.
#[derive(Default)]
pub(crate) struct Functions {
    by_number: Mutex<HashMap<u32, Arc<Registered>>>,
    serving: OnceLock<Result<()>>,
}

fn enter(name: &str, inputs: Vec<DType>, output: DType, body: Body) -> Result<()> {
    let state = state()?;
    let functions = &state.functions;
    functions.serving.get_or_init(serve).clone()?;
    let kind = u8::from(matches!(body, Body::Whole(_)));
    let request = |number: u32| {
        let writer = Writer::new(22).u32(number).text(name).u8(kind).u32(inputs.len() as u32);
        inputs.iter().fold(writer, |writer, &dtype| writer.dtype(dtype)).dtype(output)
    };
    let mut known = functions.by_number.lock().unwrap_or_else(PoisonError::into_inner);
    let number = known.len() as u32;
    let request = request(number);
    known.insert(number, Arc::new(Registered { inputs, output, body }));
    drop(known);
    match state.ask(request)? {
        Answer::Done => Ok(()),
        _ => Err(malformed()),
    }
}

/// Opens the connection for calls and starts the thread that serves it.
fn serve() -> Result<()> {
    let (stream, window) = connect(1)?;
    let server = Server { stream: Arc::new(stream), window: Arc::new(window), pool: Pool::start(THREADS_MAX) };
    let spawned = std::thread::Builder::new().name("calls from array cells".into()).spawn(move || {
        // It ends with the session or the process.
        let _ = server.serve();
    });
    spawned.map(|_| ()).map_err(|error| Error::new("RuntimeError", error.to_string()))
}

struct Server {
    stream: Arc<UnixStream>,
    window: Arc<Window>,
    pool: Pool,
}

impl Server {
    fn serve(&self) -> Result<()> {
        loop {
            let frame = self.frame()?;
            let mut reader = Reader(&frame);
            let (kind, number, elements) = (reader.u8()?, reader.u32()?, reader.u64()? as usize);
            let known =
                state()?.functions.by_number.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned();
            let function = known.ok_or_else(malformed)?;
            match kind {
                0 => self.pieces(&function, elements)?,
                _ => self.whole(&function)?,
            }
        }
    }

    fn frame(&self) -> Result<Vec<u8>> {
        let mut length = [0; 4];
        self.read(&mut length)?;
        let mut frame = vec![0; u32::from_le_bytes(length) as usize];
        self.read(&mut frame)?;
        Ok(frame)
    }

    fn read(&self, into: &mut [u8]) -> Result<()> {
        (&*self.stream).read_exact(into).map_err(|_| malformed())
    }

    fn write(stream: &UnixStream, bytes: &[u8]) {
        // A session that is gone is noticed where the next call is awaited.
        let mut stream = stream;
        let _ = stream.write_all(bytes);
    }

    /// A call in pieces: slots come as they are filled, and go back as they are done.
    fn pieces(&self, function: &Arc<Registered>, elements: usize) -> Result<()> {
        let is_broken = Arc::new(AtomicBool::new(false));
        loop {
            let mut announced = [0; 8];
            self.read(&mut announced)?;
            let mut reader = Reader(&announced);
            let (slot, count) = (reader.u32()?, reader.u32()? as usize);
            if slot == END {
                return Ok(());
            }
            let (stream, window) = (self.stream.clone(), self.window.clone());
            let (function, is_broken) = (function.clone(), is_broken.clone());
            self.pool.run(move || {
                let base = slot as usize * window.slot_bytes;
                let status = if is_broken.load(Ordering::Relaxed) {
                    leave_message(&window, base, "another piece panicked");
                    1
                } else {
                    match catch_unwind(AssertUnwindSafe(|| {
                        computing(|| function.piece(&window, base, elements, count))
                    })) {
                        Ok(()) => 0,
                        Err(panic) => {
                            is_broken.store(true, Ordering::Relaxed);
                            leave_message(&window, base, &text_of(&*panic));
                            1
                        }
                    }
                };
                Self::write(&stream, &pair(slot, status));
            });
        }
    }

    /// A call with whole arrays.
    fn whole(&self, function: &Registered) -> Result<()> {
        let Body::Whole(run) = &function.body else { return Err(malformed()) };
        let mut inputs = Vec::with_capacity(function.inputs.len());
        for &dtype in &function.inputs {
            let frame = self.frame()?;
            let mut reader = Reader(&frame);
            let (sent, shape) = (reader.dtype()?, reader.shape()?);
            if sent != dtype {
                return Err(malformed());
            }
            let bytes = shape.iter().product::<usize>() * dtype.bytes();
            let mut memory: Vec<u128> = Vec::new();
            memory
                .try_reserve_exact(bytes.div_ceil(16))
                .map_err(|error| Error::new("MemoryError", error.to_string()))?;
            // SAFETY: there is room for the bytes, and the vector counts them only once they are written.
            unsafe { take_pieces(&self.stream, &self.window, bytes, memory.as_mut_ptr().cast())? };
            if dtype == DType::Bool {
                // SAFETY: these bytes were written above.
                let flags = unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<u8>(), bytes) };
                flags.iter_mut().for_each(|flag| *flag = u8::from(*flag != 0));
            }
            inputs.push(WholeInput { memory, bytes });
        }
        match catch_unwind(AssertUnwindSafe(|| computing(|| run(&inputs)))) {
            Ok(output) => {
                let bytes = output.0.bytes();
                Self::write(&self.stream, &pair(0, 0));
                Self::write(&self.stream, &((bytes.len() / function.output.bytes()) as u64).to_le_bytes());
                let mut has_room = [0];
                self.read(&mut has_room)?;
                if has_room[0] == 1 {
                    give_pieces(&self.stream, &self.window, bytes)?;
                }
            }
            Err(panic) => {
                leave_message(&self.window, 0, &text_of(&*panic));
                Self::write(&self.stream, &pair(0, 1));
            }
        }
        Ok(())
    }
}

impl Registered {
    fn piece(&self, window: &Window, base: usize, elements: usize, count: usize) {
        let Body::Pieces(run) = &self.body else { return };
        let mut at = 0;
        let mut place = |dtype: DType| {
            let here = at;
            at = (at + dtype.bytes() * elements).next_multiple_of(ALIGNMENT);
            window.at(base + here)
        };
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for &dtype in &self.inputs {
            let start = place(dtype);
            if dtype == DType::Bool {
                for index in 0..count {
                    // SAFETY: the piece is ours, and has `count` elements in each of its parts.
                    unsafe { start.add(index).write(u8::from(start.add(index).read() != 0)) };
                }
            }
            inputs.push(start.cast_const());
        }
        run(&inputs, place(self.output), count);
    }
}

fn pair(first: u32, second: u32) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&first.to_le_bytes());
    bytes[4..].copy_from_slice(&second.to_le_bytes());
    bytes
}

/// Puts an error's text where the session looks for it.
fn leave_message(window: &Window, base: usize, text: &str) {
    let mut end = text.len().min(MESSAGE_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (length, text) = ((end as u32).to_le_bytes(), &text.as_bytes()[..end]);
    // SAFETY: the slot is ours and longer than the longest message.
    unsafe {
        window.at(base).copy_from_nonoverlapping(length.as_ptr(), length.len());
        window.at(base + length.len()).copy_from_nonoverlapping(text.as_ptr(), text.len());
    }
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a value that is no text".to_owned())
}
