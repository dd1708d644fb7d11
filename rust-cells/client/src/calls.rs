//! Serving calls of registered functions: the thread that waits for them, and the pieces that it hands to others.
//!
//! The elements of the arguments come through a window in pieces; the functions read and write them there, each piece on a thread of its own.

use std::any::Any;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::element::DType;
use crate::functions::{Body, Registered, WholeInput};
use crate::link::{Window, computing, connect, give_pieces, state, take_pieces};
use crate::pool::Pool;
use crate::wire::{Reader, malformed};
use crate::{Error, Result};

/// Parts of a slot begin at multiples of this; the session computes the same.
const ALIGNMENT: usize = 64;
/// The end of a call, in place of a slot's number.
const END: u32 = u32::MAX;
/// What an error's text may take.
const MESSAGE_BYTES_MAX: usize = 4096;
/// Pieces are under way in this many slots at most.
const THREADS_MAX: usize = 8;

/// Opens the connection for calls and starts the thread that serves it.
pub(crate) fn serve() -> Result<()> {
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
            let function = state()?.functions.find(number).ok_or_else(malformed)?;
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
            inputs.push(WholeInput::new(memory, bytes));
        }
        match catch_unwind(AssertUnwindSafe(|| computing(|| run(&inputs)))) {
            Ok(output) => {
                let bytes = output.bytes();
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
