//! Rust functions on arrays: the elements go to the helper in pieces, its threads compute, and what comes back is an array of the engine.
//!
//! A call belongs to the evaluator: it fills a slot of the window with the inputs' pieces, says so, and takes the results out of slots
//! in whatever order they are ready. A function that panics, a process that ends and an interrupt end the call with an error; none
//! leaves it waiting.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::{Arc, PoisonError};

use super::answer::{RUST, contiguous};
use super::serve::{Connection, Failure};
use super::shared::{Link, LinkError, SLOT_BYTES, SLOTS, Window, receive_pieces, send_pieces};
use super::wire::{FunctionInfo, FunctionKind, Reader, Writer};
use crate::arrays::attention;
use crate::arrays::dtype::Casting;
use crate::arrays::expr::Expr;
use crate::arrays::layout::broadcast_shapes;
use crate::arrays::{Alloc, Array, ArrayError, DType, Operand, Place, account};

/// Parts of a slot begin at multiples of this, so that every element is aligned and no two parts share a cache line.
const ALIGNMENT: usize = 64;

/// The end of a call, in place of a slot's number.
const END: u32 = u32::MAX;

/// What an error's text may take of a slot.
const MESSAGE_BYTES_MAX: usize = 4096;

/// What a function is called with.
#[derive(Clone, Debug)]
pub enum Argument {
    /// An array.
    Array(Array),
    /// A number, which stands for an array of its value.
    Scalar(Operand),
}

/// Why a call has no result.
#[derive(Clone, Debug)]
pub enum CallError {
    /// An error of the arrays: memory, placement, an interrupt.
    Array(ArrayError),
    /// The call or the function is refused or has failed.
    Failed(Failure),
    /// The user interrupted; the process that computes has to be ended.
    Interrupted,
}

impl From<ArrayError> for CallError {
    fn from(error: ArrayError) -> Self {
        CallError::Array(error)
    }
}

impl From<Failure> for CallError {
    fn from(failure: Failure) -> Self {
        CallError::Failed(failure)
    }
}

/// The connection over which functions of one process are called.
#[derive(Debug)]
pub struct FunctionLink {
    process: i32,
    number: u64,
    open: RefCell<Option<(Arc<Connection>, Window)>>,
}

impl FunctionLink {
    /// The link over a connection that was greeted as one for functions.
    pub(super) fn new(connection: &Arc<Connection>) -> Option<Rc<Self>> {
        let window = connection.window.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(Rc::new(Self {
            process: connection.process,
            number: connection.number,
            open: RefCell::new(Some((connection.clone(), window))),
        }))
    }

    pub(super) fn process(&self) -> i32 {
        self.process
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Ends it: calls from here on are errors.
    pub(super) fn close(&self) {
        if let Some((connection, _)) = self.open.take() {
            connection.close();
        }
    }
}

/// A Rust function that array cells can call.
pub struct Function {
    info: FunctionInfo,
    link: Rc<FunctionLink>,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Function {
    pub(super) fn new(info: FunctionInfo, link: Rc<FunctionLink>) -> Self {
        Self { info, link }
    }

    /// Its name, its arguments and what it answers.
    pub fn info(&self) -> &FunctionInfo {
        &self.info
    }

    /// `f(float64, float64) -> float64`
    pub fn signature(&self) -> String {
        let inputs: Vec<&str> = self.info.inputs.iter().map(|dtype| dtype.name()).collect();
        format!("{}({}) -> {}", self.info.name, inputs.join(", "), self.info.output.name())
    }

    /// Calls it with arrays; the result lies where they do.
    pub fn call(&self, arguments: &[Argument]) -> Result<Array, CallError> {
        let inputs = self.inputs(arguments)?;
        let open = self.link.open.borrow();
        let Some((connection, window)) = open.as_ref() else { return Err(self.gone().into()) };
        let attention = attention::handle();
        let link = Link::patient(&connection.stream, &attention);
        let called = match self.info.kind {
            FunctionKind::Pieces => self.call_in_pieces(link, window, &inputs),
            FunctionKind::Whole => self.call_whole(link, window, &inputs),
        };
        drop(open);
        if let Ok(output) = &called {
            let device = output.device();
            let taken: usize = inputs.arrays.iter().map(Array::bytes).sum();
            account::note_transfer(taken as u64, device.ledger_name(), RUST);
            account::note_transfer(output.bytes() as u64, RUST, device.ledger_name());
        }
        called.map_err(|stop| match stop {
            Stop::Array(error) => CallError::Array(error),
            Stop::Failed(failure) => CallError::Failed(failure),
            Stop::Broken(error) => {
                self.link.close();
                CallError::Array(error)
            }
            // In the middle of a call both ends are out of step for good.
            Stop::Link(error) => {
                self.link.close();
                match error {
                    LinkError::Interrupted => CallError::Interrupted,
                    LinkError::Gone => CallError::Failed(self.gone()),
                    LinkError::Stalled | LinkError::Malformed => {
                        CallError::Failed(Failure::new("RuntimeError", error.to_string()))
                    }
                }
            }
        })
    }

    fn gone(&self) -> Failure {
        Failure::new(
            "RuntimeError",
            format!(
                "the Rust process that had {}() has ended: run the %%rust cell that registers it again",
                self.info.name
            ),
        )
    }

    /// The arguments in the dtypes of the parameters and in one shape.
    fn inputs(&self, arguments: &[Argument]) -> Result<Inputs, CallError> {
        let (name, wanted) = (&self.info.name, self.info.inputs.len());
        if arguments.len() != wanted {
            let s = if wanted == 1 { "" } else { "s" };
            return Err(Failure::new(
                "TypeError",
                format!("{name}() takes {wanted} argument{s} but {} were given", arguments.len()),
            )
            .into());
        }
        let alloc = common_alloc(name, arguments)?;
        let mut expressions = Vec::with_capacity(wanted);
        for (position, (argument, &dtype)) in arguments.iter().zip(&self.info.inputs).enumerate() {
            expressions.push(self.typed(position, argument, dtype)?);
        }
        if self.info.kind == FunctionKind::Whole {
            let arrays = expressions.iter().map(own_array);
            return Ok(Inputs { arrays: arrays.collect::<Result<_, _>>()?, shape: Vec::new(), alloc });
        }
        let shapes: Vec<&[usize]> = expressions.iter().map(Expr::shape).collect();
        let shape = broadcast_shapes(&shapes)?.to_vec();
        let mut arrays = Vec::with_capacity(wanted);
        for expression in &expressions {
            // A single value stays one: it is repeated in each piece.
            let is_single = expression.len_elements() == 1;
            let spread = if is_single { expression.clone() } else { expression.broadcast_to(&shape)? };
            arrays.push(own_array(&spread)?);
        }
        Ok(Inputs { arrays, shape, alloc })
    }

    fn typed(&self, position: usize, argument: &Argument, dtype: DType) -> Result<Expr, CallError> {
        match argument {
            Argument::Array(array) if array.dtype() == dtype => Ok(Expr::array(array)),
            Argument::Array(array) if array.dtype().can_cast(dtype, Casting::Safe) => Ok(Expr::array(array).cast(dtype)),
            Argument::Array(array) => Err(Failure::new(
                "TypeError",
                format!(
                    "{}: argument {} is an array of {}, which does not fit {} without loss: convert it with .astype('{}')",
                    self.signature(),
                    position + 1,
                    array.dtype().name(),
                    dtype.name(),
                    dtype.name()
                ),
            )
            .into()),
            Argument::Scalar(operand) => {
                let value = match operand {
                    Operand::Weak(value) => value.convert(dtype)?,
                    Operand::Typed(value, of) if of.can_cast(dtype, Casting::SameKind) => value.cast(dtype),
                    Operand::Typed(_, of) => {
                        return Err(Failure::new(
                            "TypeError",
                            format!("{}: argument {} is a {}", self.signature(), position + 1, of.name()),
                        )
                        .into());
                    }
                };
                Ok(Expr::constant(value, dtype))
            }
        }
    }

    fn call_in_pieces(&self, link: Link<'_>, window: &Window, inputs: &Inputs) -> Result<Array, Stop> {
        let output = Array::for_overwrite(&inputs.shape, self.info.output, &inputs.alloc)?;
        let len = output.len_elements();
        let layout = SlotLayout::new(&self.info);
        let pieces = len.div_ceil(layout.elements);
        link.send(&self.call_frame(0, layout.elements as u64))?;
        let (mut sent, mut done) = (0, 0);
        let mut vacant: Vec<u32> = (0..SLOTS as u32).rev().collect();
        let mut held = [0; SLOTS];
        let mut failed: Option<Stop> = None;
        while done < sent || (sent < pieces && failed.is_none()) {
            match vacant.pop() {
                Some(slot) if sent < pieces && failed.is_none() => {
                    let start = sent * layout.elements;
                    let count = layout.elements.min(len - start);
                    let base = slot as usize * SLOT_BYTES;
                    if let Err(error) = inputs.fill(window, &layout, base, start, count) {
                        failed = Some(error.into());
                        vacant.push(slot);
                        continue;
                    }
                    held[slot as usize] = sent;
                    sent += 1;
                    link.send(&pair(slot, count as u32))?;
                }
                other => {
                    vacant.extend(other);
                    let (slot, status) = receive_pair(link)?;
                    let index = slot as usize;
                    if index >= SLOTS || vacant.contains(&slot) {
                        return Err(LinkError::Malformed.into());
                    }
                    done += 1;
                    vacant.push(slot);
                    let base = index * SLOT_BYTES;
                    if failed.is_some() {
                        continue;
                    }
                    let width = self.info.output.bytes();
                    let start = held[index] * layout.elements;
                    let count = layout.elements.min(len - start);
                    let taken = match status {
                        0 => output
                            .with_bytes_mut(start * width..(start + count) * width, |target| {
                                window.read(base + layout.output, target);
                            })
                            .map_err(Stop::from),
                        _ => Err(Stop::Failed(self.panicked(&message(window, base)))),
                    };
                    failed = taken.err();
                }
            }
        }
        link.send(&pair(END, 0))?;
        failed.map_or(Ok(output), Err)
    }

    fn call_whole(&self, link: Link<'_>, window: &Window, inputs: &Inputs) -> Result<Array, Stop> {
        link.send(&self.call_frame(1, 0))?;
        for array in &inputs.arrays {
            let bytes = array.bytes();
            let shape: Vec<u64> = array.shape().iter().map(|&len| len as u64).collect();
            link.send(&Writer::new().dtype(array.dtype()).shape(&shape).finish())?;
            let mut failed = None;
            send_pieces::<Stop>(link, bytes, |range, at| {
                if failed.is_none() {
                    failed = array.with_bytes(range, |source| window.write(at, source)).err();
                }
                Ok(())
            })?;
            if let Some(error) = failed {
                // What was sent is not the array, and the function must not run on it.
                return Err(Stop::Broken(error));
            }
        }
        let (_, status) = receive_pair(link)?;
        if status != 0 {
            return Err(Stop::Failed(self.panicked(&message(window, 0))));
        }
        let mut len = [0; 8];
        link.receive(&mut len)?;
        let len = Reader::new(&len).u64().map_err(|_| LinkError::Malformed)?;
        let shape = self.shape_of_whole(inputs, len)?;
        let output = Array::for_overwrite(&shape, self.info.output, &inputs.alloc);
        // The other end is told whether there is room for what it made.
        link.send(&[u8::from(output.is_ok())])?;
        let output = output?;
        let mut failed = None;
        receive_pieces::<Stop>(link, output.bytes(), |range, at| {
            if failed.is_none() {
                failed = output.with_bytes_mut(range, |target| window.read(at, target)).err();
            }
            Ok(())
        })?;
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(output),
        }
    }

    /// A result as long as the first argument has its shape; any other is one-dimensional.
    fn shape_of_whole(&self, inputs: &Inputs, len: u64) -> Result<Vec<usize>, Stop> {
        let len = usize::try_from(len).ok().filter(|len| len.checked_mul(16).is_some()).ok_or(LinkError::Malformed)?;
        let first = inputs.arrays.first().filter(|first| first.len_elements() == len);
        Ok(first.map_or_else(|| vec![len], |first| first.shape().to_vec()))
    }

    fn call_frame(&self, kind: u8, elements: u64) -> Vec<u8> {
        Writer::new().u8(kind).u32(self.info.number).u64(elements).finish()
    }

    fn panicked(&self, text: &str) -> Failure {
        Failure::new("RuntimeError", format!("the Rust function {}() panicked: {text}", self.info.name))
    }
}

/// Why a call stopped.
enum Stop {
    Array(ArrayError),
    /// An error that leaves the call half done.
    Broken(ArrayError),
    Failed(Failure),
    Link(LinkError),
}

impl From<ArrayError> for Stop {
    fn from(error: ArrayError) -> Self {
        Stop::Array(error)
    }
}

impl From<LinkError> for Stop {
    fn from(error: LinkError) -> Self {
        Stop::Link(error)
    }
}

/// What a function is called with, ready to be sent.
struct Inputs {
    /// C-contiguous, in the parameters' dtypes; of one shape, or of a single element.
    arrays: Vec<Array>,
    shape: Vec<usize>,
    alloc: Alloc,
}

impl Inputs {
    /// Puts the elements from `start` on into a slot.
    fn fill(
        &self,
        window: &Window,
        layout: &SlotLayout,
        base: usize,
        start: usize,
        count: usize,
    ) -> Result<(), ArrayError> {
        let is_single_call = self.shape.iter().product::<usize>() == 1;
        for (array, &at) in self.arrays.iter().zip(&layout.inputs) {
            let width = array.dtype().bytes();
            if array.len_elements() == 1 && !is_single_call {
                array.with_bytes(0..width, |one| window.write(base + at, &one.repeat(count)))?;
            } else {
                array.with_bytes(start * width..(start + count) * width, |part| window.write(base + at, part))?;
            }
        }
        Ok(())
    }
}

/// Where the parts of a piece lie in its slot; the client computes the same.
struct SlotLayout {
    elements: usize,
    inputs: Vec<usize>,
    output: usize,
}

impl SlotLayout {
    fn new(info: &FunctionInfo) -> Self {
        let widths = || info.inputs.iter().map(|dtype| dtype.bytes());
        let together: usize = widths().sum::<usize>() + info.output.bytes();
        let padding = ALIGNMENT * (info.inputs.len() + 1);
        let elements = ((SLOT_BYTES - padding) / together).max(1);
        let mut at = 0;
        let mut place = |width: usize| {
            let here = at;
            at = (at + width * elements).next_multiple_of(ALIGNMENT);
            here
        };
        let inputs = widths().map(&mut place).collect();
        Self { elements, inputs, output: place(info.output.bytes()) }
    }
}

fn pair(first: u32, second: u32) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&first.to_le_bytes());
    bytes[4..].copy_from_slice(&second.to_le_bytes());
    bytes
}

fn receive_pair(link: Link<'_>) -> Result<(u32, u32), LinkError> {
    let (mut first, mut second) = ([0; 4], [0; 4]);
    link.receive(&mut first)?;
    link.receive(&mut second)?;
    Ok((u32::from_le_bytes(first), u32::from_le_bytes(second)))
}

/// The text of an error that the other end left in a slot.
fn message(window: &Window, base: usize) -> String {
    let mut len = [0; 4];
    window.read(base, &mut len);
    let mut text = vec![0; (u32::from_le_bytes(len) as usize).min(MESSAGE_BYTES_MAX)];
    window.read(base + 4, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Where the arrays among the arguments are.
fn common_alloc(name: &str, arguments: &[Argument]) -> Result<Alloc, CallError> {
    let mut common: Option<Alloc> = None;
    for argument in arguments {
        let Argument::Array(array) = argument else { continue };
        match &common {
            None => common = Some(array.alloc()),
            Some(alloc) if alloc.place == *array.place() => {}
            Some(alloc) => {
                let place = |place: &Place| place.device().ledger_name().to_owned();
                return Err(Failure::new(
                    "ExecutionPlacementError",
                    format!(
                        "{name}() was given arrays on {} and on {}: move one with to_device() or asnumpy()",
                        place(&alloc.place),
                        place(array.place())
                    ),
                )
                .into());
            }
        }
    }
    match common {
        Some(alloc) => Ok(alloc),
        None => Ok(Alloc::default_device()?),
    }
}

/// The value of an expression in C order.
fn own_array(expression: &Expr) -> Result<Array, ArrayError> {
    contiguous(&expression.evaluate()?)
}
