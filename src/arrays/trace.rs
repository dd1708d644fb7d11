//! What happens to memory and which programs run, one event after the other: `%trace` keeps it, `%plan` predicts it.
//!
//! Off, it costs one thread-local flag on the path of an allocation. Events carry numbers, not texts: the session turns
//! origins into cells and lines when it writes them. The evaluator's thread records; work on other threads is recorded
//! when it is submitted.

use super::array::Array;
use super::backend::UsmKind;
use super::buffer::{Buffer, Request};
use super::device::DeviceHandle;
use super::dtype::DType;
use super::event::clock_ns;
use super::layout::Dims;
use super::ledger::{self, Entry, Origin};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Events kept at most, so that a loop left running does not fill the host; later ones are counted only.
pub const EVENTS_MAX: usize = 1_000_000;

/// When and on whose behalf something happened.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    /// On the process clock.
    pub time_ns: u64,
    /// The cell; zero outside cells.
    pub cell: u32,
    /// The place in the program.
    pub origin: Origin,
}

/// An array that a program reads or writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// The number of its allocation.
    pub id: u64,
    /// Its shape.
    pub shape: Dims,
    /// Its dtype.
    pub dtype: DType,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum What {
    /// Memory was given.
    Allocated {
        /// The number people see as `#12`.
        id: u64,
        /// Bytes asked for.
        bytes: u64,
        /// Bytes occupied.
        block_bytes: u64,
        /// Where.
        device: DeviceHandle,
        /// The kind; nothing for NumPy's host memory.
        usm: Option<UsmKind>,
        /// Shape of the array it is for; nothing for raw memory.
        shape: Option<Dims>,
        /// dtype of the array it is for.
        dtype: Option<DType>,
    },
    /// Memory came back.
    Released {
        /// Its number.
        id: u64,
        /// Bytes that had been asked for.
        bytes: u64,
        /// Where.
        device: DeviceHandle,
    },
    /// Bytes were copied between places.
    Transferred {
        /// How many.
        bytes: u64,
        /// From where, as the ledger names it.
        from: Box<str>,
        /// To where.
        to: Box<str>,
    },
    /// A program ran, or was queued to run.
    Ran {
        /// What it is called.
        label: &'static str,
        /// The operations fused in it, in the order they run; empty when it is one thing that `label` names.
        operations: Box<[&'static str]>,
        /// Where.
        device: DeviceHandle,
        /// What it reads.
        inputs: Box<[Operand]>,
        /// What it writes.
        outputs: Box<[Operand]>,
        /// Nanoseconds it took; nothing where it was only queued.
        took_ns: Option<u64>,
    },
}

/// Something that happened, and when.
#[derive(Clone, Debug)]
pub struct Event {
    /// When and for whom.
    pub stamp: Stamp,
    /// What.
    pub what: What,
}

/// What was recorded.
#[derive(Debug, Default)]
pub struct Recording {
    /// When it began, on the process clock.
    pub began_ns: u64,
    /// What was live when it began.
    pub held: Vec<Entry>,
    /// The events, oldest first, at most [`EVENTS_MAX`].
    pub events: Vec<Event>,
    /// Events beyond those kept.
    pub left_out: u64,
}

thread_local! {
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
    static RECORDING: RefCell<Recording> = RefCell::new(Recording::default());
    /// Names of what is fused in the program that is about to be submitted.
    static OPERATIONS: RefCell<SmallVec<[&'static str; 4]>> = RefCell::new(SmallVec::new());
}

/// Whether events are recorded.
#[inline]
pub fn is_active() -> bool {
    ACTIVE.get()
}

/// Begins a new recording; what was recorded before is dropped.
pub fn begin() {
    let fresh = Recording { began_ns: clock_ns(), held: ledger::entries(), ..Recording::default() };
    RECORDING.with_borrow_mut(|recording| *recording = fresh);
    ACTIVE.set(true);
}

/// Stops recording; what was recorded stays.
pub fn end() {
    ACTIVE.set(false);
}

/// Puts aside what is recorded and records anew, for a plan; [`restore`] takes it back.
pub(super) fn put_aside() -> (bool, Recording) {
    let was = ACTIVE.replace(true);
    let fresh = Recording { began_ns: clock_ns(), ..Recording::default() };
    (was, RECORDING.replace(fresh))
}

/// Ends what [`put_aside`] began, and answers what was recorded since.
pub(super) fn restore((was, before): (bool, Recording)) -> Recording {
    ACTIVE.set(was);
    RECORDING.replace(before)
}

/// Looks at what was recorded.
pub fn with_recording<R>(look: impl FnOnce(&Recording) -> R) -> R {
    RECORDING.with_borrow(look)
}

fn record(what: What) {
    let stamp = Stamp { time_ns: clock_ns(), cell: ledger::cell(), origin: ledger::origin() };
    // Memory may come back while the thread ends, when there is no recording any more.
    let _ = RECORDING.try_with(|recording| {
        let Ok(mut recording) = recording.try_borrow_mut() else { return };
        if recording.events.len() < EVENTS_MAX {
            recording.events.push(Event { stamp, what });
        } else {
            recording.left_out += 1;
        }
    });
}

/// Notes what is fused in the program submitted next.
pub(super) fn fusing(operations: impl IntoIterator<Item = &'static str>) {
    if is_active() {
        OPERATIONS.with_borrow_mut(|known| {
            known.clear();
            known.extend(operations);
        });
    }
}

pub(super) fn allocated(new: &ledger::NewEntry<'_>, id: u64) {
    record(What::Allocated {
        id,
        bytes: new.bytes as u64,
        block_bytes: new.block_bytes as u64,
        device: new.device.clone(),
        usm: (!new.device.is_host()).then_some(new.usm),
        shape: new.shape.map(Dims::from_slice),
        dtype: new.dtype,
    });
}

/// As [`allocated`], for memory that only a plan has.
pub(super) fn planned(request: &Request<'_>, device: &DeviceHandle, usm: UsmKind, id: u64) {
    record(What::Allocated {
        id,
        bytes: request.bytes as u64,
        block_bytes: super::pool::block_bytes(request.bytes) as u64,
        device: device.clone(),
        usm: (!device.is_host()).then_some(usm),
        shape: request.shape.map(Dims::from_slice),
        dtype: request.dtype,
    });
}

pub(super) fn released(id: u64, bytes: u64, device: &DeviceHandle) {
    record(What::Released { id, bytes, device: device.clone() });
}

pub(super) fn transferred(bytes: u64, from: &str, to: &str) {
    if is_active() {
        record(What::Transferred { bytes, from: from.into(), to: to.into() });
    }
}

pub(super) fn ran(
    label: &'static str,
    device: DeviceHandle,
    reads: &[&Array],
    writes: &[&Array],
    took_ns: Option<u64>,
) {
    let operand =
        |array: &&Array| Operand { id: array.buffer().id(), shape: array.shape().into(), dtype: array.dtype() };
    record(What::Ran {
        label,
        operations: OPERATIONS.take().into_iter().collect(),
        device,
        inputs: reads.iter().map(operand).collect(),
        outputs: writes.iter().map(operand).collect(),
        took_ns,
    });
}

/// As [`ran`], for a program that a device was given: what it touches is known by its memory only.
pub(super) fn launched(label: &'static str, device: &DeviceHandle, reads: &[&Arc<Buffer>], writes: &[&Arc<Buffer>]) {
    let operand = |buffer: &&Arc<Buffer>| {
        let entry = ledger::entry_of(buffer)?;
        Some(Operand { id: entry.id, shape: entry.shape?, dtype: entry.dtype? })
    };
    record(What::Ran {
        label,
        operations: OPERATIONS.take().into_iter().collect(),
        device: device.clone(),
        inputs: reads.iter().filter_map(operand).collect(),
        outputs: writes.iter().filter_map(operand).collect(),
        took_ns: None,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::expr::{Expr, ReduceOp};
    use crate::arrays::op::{Flavour, Op};
    use crate::arrays::{Alloc, registry};

    fn programs() -> Vec<(Vec<&'static str>, usize, usize)> {
        with_recording(|recording| {
            let program = |event: &Event| match &event.what {
                What::Ran { operations, inputs, outputs, .. } => {
                    Some((operations.to_vec(), inputs.len(), outputs.len()))
                }
                _ => None,
            };
            recording.events.iter().filter_map(program).collect()
        })
    }

    #[test]
    fn what_happens_is_recorded_in_order_and_nothing_when_off() {
        let queue = registry::default_queue().expect("native");
        let alloc = Alloc::queue(queue, UsmKind::Device);
        let quiet = Array::zeros(&[10], DType::Float64, &alloc).expect("small");
        begin();
        let a = Array::zeros(&[10], DType::Float64, &alloc).expect("small");
        let product = Expr::apply(Op::Multiply, &[Expr::array(&a), Expr::array(&quiet)], Flavour::Dpnp).expect("fits");
        let sum = Expr::apply(Op::Add, &[product, Expr::array(&a)], Flavour::Dpnp).expect("fits");
        let total = sum.reduce(ReduceOp::Sum, None, false, None, Flavour::Dpnp).expect("reduces").evaluate();
        drop((sum, total.expect("computes")));
        let host = a.copy_to(&Alloc::HOST).expect("copies");
        drop(a);
        end();
        drop((quiet, host));
        let kinds: Vec<&str> = with_recording(|recording| {
            let kind = |event: &Event| match event.what {
                What::Allocated { .. } => "alloc",
                What::Released { .. } => "free",
                What::Transferred { .. } => "transfer",
                What::Ran { .. } => "program",
            };
            recording.events.iter().map(kind).collect()
        });
        assert_eq!(kinds, ["alloc", "alloc", "program", "free", "alloc", "transfer", "free"]);
        assert_eq!(programs(), [(vec!["multiply", "add", "sum"], 2, 1)]);
    }
}
