//! Every allocation of a session, under the cell, line and operation that asked for it.
//!
//! The ledger is a slab owned by the evaluator thread; other threads read totals, which are relaxed atomics, and hand
//! buffers they drop back through a queue. There is no lock, string or hash map on the path of an allocation.
//!
//! Invariant: per device and kind, the block bytes of the entries and the cached bytes together are what the backend
//! says it handed out ([`assert_balanced`]).

use super::backend::{Block, UsmKind};
use super::buffer::Buffer;
use super::device::DeviceHandle;
use super::dtype::DType;
use super::event::clock_ns;
use super::layout::Dims;
use super::pool;
use super::readings::{DeviceReading, Holdings};
use super::trace;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

pub use super::account::{CellAccount, HostFallback, LineAccount, Transfer};
pub use super::totals::Accounts;

/// The table position of NumPy's host memory.
pub(super) const HOST_KEY: u16 = 0;

/// Where in the program an allocation was asked for: a code object and a span in it, both the evaluator's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Which code object.
    pub code: u32,
    /// Where in it.
    pub span: u32,
}

/// One live allocation.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The number people see as `#12`; never reused in a session.
    pub id: u64,
    /// Bytes asked for.
    pub bytes: u64,
    /// Bytes occupied.
    pub block_bytes: u64,
    /// Where.
    pub device: DeviceHandle,
    /// The kind; nothing for NumPy's host memory.
    pub usm: Option<UsmKind>,
    /// Who asked.
    pub origin: Origin,
    /// The cell that asked; zero outside cells.
    pub cell: u32,
    /// The operation that asked (`ones`, `a * b`); empty when not set.
    pub op: &'static str,
    /// Shape of the first array in it; nothing for raw memory.
    pub shape: Option<Dims>,
    /// dtype of the first array in it; nothing for raw memory.
    pub dtype: Option<DType>,
    /// When, on the process clock, to the precision of a statement.
    pub born_ns: u64,
}

impl Entry {
    /// Seconds since the allocation.
    pub fn age_s(&self) -> f64 {
        clock_ns().saturating_sub(self.born_ns) as f64 / 1e9
    }
}

struct Slot {
    id: u64,
    bytes: u64,
    block_bytes: u64,
    born_ns: u64,
    address: usize,
    origin: Origin,
    op: &'static str,
    cell: u32,
    device: u16,
    usm: UsmKind,
    dtype: Option<DType>,
    /// `None` marks raw memory; a free slot has id zero.
    shape: Option<Dims>,
    /// The way back from a number or an address to the memory; it holds nothing.
    buffer: Weak<Buffer>,
}

/// Buffers dropped on other threads, on their way back to the ledger.
#[derive(Debug)]
pub(super) struct Returns {
    waiting: AtomicBool,
    /// Nothing once the ledger has gone: then blocks go straight back to their device.
    queue: Mutex<Option<Vec<Returned>>>,
}

#[derive(Debug)]
struct Returned {
    slot: u32,
    id: u64,
    device: DeviceHandle,
    usm: UsmKind,
    block: Option<Block>,
}

struct Ledger {
    owner: u64,
    slots: Vec<Slot>,
    vacant: Vec<u32>,
    next_id: u64,
    devices: Vec<DeviceHandle>,
    returns: Arc<Returns>,
}

/// What the evaluator says about the statement being run.
struct Statement {
    origin: Cell<Origin>,
    cell: Cell<u32>,
    op: Cell<&'static str>,
    /// Zero when the clock was not read for this statement yet.
    time_ns: Cell<u64>,
    attempts: Cell<u64>,
    fail_at: Cell<u64>,
    /// Live bytes on all devices and the host.
    live: Cell<u64>,
}

thread_local! {
    static LEDGER: RefCell<Ledger> = RefCell::new(Ledger::new());
    static STATEMENT: Statement = const { Statement {
        origin: Cell::new(Origin { code: 0, span: 0 }),
        cell: Cell::new(0),
        op: Cell::new(""),
        time_ns: Cell::new(0),
        attempts: Cell::new(0),
        fail_at: Cell::new(0),
        live: Cell::new(0),
    } };
}

impl Ledger {
    fn new() -> Ledger {
        static NEXT_OWNER: AtomicU64 = AtomicU64::new(1);
        Ledger {
            owner: NEXT_OWNER.fetch_add(1, Ordering::Relaxed),
            slots: Vec::new(),
            vacant: Vec::new(),
            next_id: 1,
            devices: Vec::new(),
            returns: Arc::new(Returns { waiting: AtomicBool::new(false), queue: Mutex::new(Some(Vec::new())) }),
        }
    }

    fn entry(&self, slot: &Slot) -> Entry {
        Entry {
            id: slot.id,
            bytes: slot.bytes,
            block_bytes: slot.block_bytes,
            device: self.devices[slot.device as usize].clone(),
            usm: (slot.device != HOST_KEY).then_some(slot.usm),
            origin: slot.origin,
            cell: slot.cell,
            op: slot.op,
            shape: slot.shape.clone(),
            dtype: slot.dtype,
            born_ns: slot.born_ns,
        }
    }

    fn remove(&mut self, slot: u32, id: u64) {
        let entry = &mut self.slots[slot as usize];
        assert_eq!(entry.id, id, "an allocation left the ledger twice");
        let (bytes, block_bytes) = (entry.bytes, entry.block_bytes);
        if trace::is_active() {
            trace::released(id, bytes, &self.devices[entry.device as usize]);
        }
        entry.id = 0;
        entry.shape = None;
        entry.buffer = Weak::new();
        self.devices[entry.device as usize].accounts().remove(entry.usm, bytes, block_bytes);
        self.vacant.push(slot);
        STATEMENT.with(|statement| statement.live.set(statement.live.get() - bytes));
        super::account::released(bytes);
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        // Buffers that outlive their evaluator give their blocks to the device themselves.
        let late = self.returns.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
        for returned in late.into_iter().flatten() {
            if let Some(block) = returned.block {
                returned.device.device().release(returned.usm, block);
            }
        }
    }
}

/// Names the place in the program that the following allocations belong to.
pub fn set_origin(origin: Origin) {
    STATEMENT.with(|statement| {
        if statement.origin.replace(origin) != origin {
            statement.time_ns.set(0);
        }
    });
}

/// The place in the program that allocations belong to now.
pub fn origin() -> Origin {
    STATEMENT.with(|statement| statement.origin.get())
}

/// The operation that allocations belong to now; empty when none was named.
pub fn op() -> &'static str {
    STATEMENT.with(|statement| statement.op.get())
}

/// Names the operation that the following allocations belong to, and returns the one before.
pub fn set_op(op: &'static str) -> &'static str {
    STATEMENT.with(|statement| statement.op.replace(op))
}

/// Runs `work` with the operation's name on its allocations.
pub fn with_op<R>(op: &'static str, work: impl FnOnce() -> R) -> R {
    struct Restore(&'static str);
    impl Drop for Restore {
        fn drop(&mut self) {
            set_op(self.0);
        }
    }
    let _restore = Restore(set_op(op));
    work()
}

/// The cell that allocations belong to now; zero outside cells.
pub fn cell() -> u32 {
    STATEMENT.with(|statement| statement.cell.get())
}

pub(super) fn set_cell(cell: u32) {
    STATEMENT.with(|statement| {
        statement.cell.set(cell);
        statement.time_ns.set(0);
    });
}

/// Live bytes on all devices and the host together.
pub fn live_everywhere() -> u64 {
    settle();
    STATEMENT.with(|statement| statement.live.get())
}

/// Allocations tried by this thread so far, refused ones included.
pub fn allocations_attempted() -> u64 {
    STATEMENT.with(|statement| statement.attempts.get())
}

/// Makes the `nth` allocation from now fail (1 is the next one); `None` takes the order back. For tests of recovery.
pub fn fail_nth_allocation(nth: Option<u64>) {
    STATEMENT.with(|statement| {
        statement.fail_at.set(nth.map_or(0, |nth| statement.attempts.get() + nth.max(1)));
    });
}

/// Counts an attempt; true when a test asked for this one to fail.
pub(super) fn attempt_is_scripted_to_fail() -> bool {
    STATEMENT.with(|statement| {
        let attempt = statement.attempts.get() + 1;
        statement.attempts.set(attempt);
        attempt == statement.fail_at.get()
    })
}

/// Facts of a new allocation that the caller knows.
pub(super) struct NewEntry<'a> {
    pub(super) device: &'a DeviceHandle,
    pub(super) usm: UsmKind,
    pub(super) bytes: usize,
    pub(super) block_bytes: usize,
    pub(super) address: usize,
    pub(super) shape: Option<&'a [usize]>,
    pub(super) dtype: Option<DType>,
    pub(super) buffer: Weak<Buffer>,
}

/// Where an entry is, for its removal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    pub(super) owner: u64,
    pub(super) slot: u32,
    pub(super) id: u64,
}

/// Enters a new allocation.
pub(super) fn enter(new: NewEntry<'_>) -> Ticket {
    let (origin, cell, op, born_ns) = STATEMENT.with(|statement| {
        if statement.time_ns.get() == 0 {
            statement.time_ns.set(clock_ns());
        }
        (statement.origin.get(), statement.cell.get(), statement.op.get(), statement.time_ns.get())
    });
    LEDGER.with_borrow_mut(|ledger| {
        let id = ledger.next_id;
        ledger.next_id += 1;
        if trace::is_active() {
            trace::allocated(&new, id);
        }
        let entry = Slot {
            id,
            bytes: new.bytes as u64,
            block_bytes: new.block_bytes as u64,
            born_ns,
            address: new.address,
            origin,
            op,
            cell,
            device: new.device.entry().key,
            usm: new.usm,
            dtype: new.dtype,
            shape: new.shape.map(Dims::from_slice),
            buffer: new.buffer,
        };
        new.device.accounts().add(new.usm, entry.bytes, entry.block_bytes);
        STATEMENT.with(|statement| statement.live.set(statement.live.get() + entry.bytes));
        super::account::entered(entry.bytes, origin);
        let slot = match ledger.vacant.pop() {
            Some(slot) => {
                ledger.slots[slot as usize] = entry;
                slot
            }
            None => {
                ledger.slots.push(entry);
                (ledger.slots.len() - 1) as u32
            }
        };
        Ticket { owner: ledger.owner, slot, id }
    })
}

/// The number of memory that is no allocation (a mapped file), so that it is told apart from all others.
pub(super) fn number_outside() -> Ticket {
    LEDGER.with_borrow_mut(|ledger| {
        let id = ledger.next_id;
        ledger.next_id += 1;
        // No ledger has this owner, so the ticket finds nothing.
        Ticket { owner: 0, slot: 0, id }
    })
}

/// Removes an allocation and gives its block to the pool; from another thread, asks the owner to.
pub(super) fn leave(ticket: Ticket, device: &DeviceHandle, usm: UsmKind, block: Option<Block>) {
    let mine = LEDGER.try_with(|ledger| match ledger.try_borrow_mut() {
        Ok(mut ledger) if ledger.owner == ticket.owner => {
            ledger.remove(ticket.slot, ticket.id);
            true
        }
        Ok(_) | Err(_) => false,
    });
    if mine.unwrap_or(false) {
        if let Some(block) = block {
            pool::put(device, usm, block);
        }
        return;
    }
    let returns = &device.entry().returns;
    let mut queue = returns.queue.lock().unwrap_or_else(PoisonError::into_inner);
    match queue.as_mut() {
        Some(waiting) => {
            waiting.push(Returned { slot: ticket.slot, id: ticket.id, device: device.clone(), usm, block });
            returns.waiting.store(true, Ordering::Relaxed);
        }
        None => {
            if let Some(block) = block {
                device.device().release(usm, block);
            }
        }
    }
}

/// Takes in what other threads have dropped; every reader of exact figures calls it first.
pub fn settle() {
    let returned = LEDGER.with_borrow_mut(|ledger| {
        if !ledger.returns.waiting.load(Ordering::Relaxed) {
            return Vec::new();
        }
        ledger.returns.waiting.store(false, Ordering::Relaxed);
        let returned = {
            let mut queue = ledger.returns.queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.as_mut().map(std::mem::take).unwrap_or_default()
        };
        for entry in &returned {
            ledger.remove(entry.slot, entry.id);
        }
        returned
    });
    for entry in returned {
        if let Some(block) = entry.block {
            pool::put(&entry.device, entry.usm, block);
        }
    }
}

/// Gives a new device its place in the tables.
pub(super) fn admit_device(make: impl FnOnce(u16, Arc<Returns>) -> DeviceHandle) -> DeviceHandle {
    LEDGER.with_borrow_mut(|ledger| {
        let key = u16::try_from(ledger.devices.len()).expect("fewer than 65,536 devices are ever added");
        let device = make(key, ledger.returns.clone());
        ledger.devices.push(device.clone());
        device
    })
}

/// Every live allocation, oldest first.
pub fn entries() -> Vec<Entry> {
    settle();
    LEDGER.with_borrow(|ledger| {
        let mut entries: Vec<Entry> =
            ledger.slots.iter().filter(|slot| slot.id != 0).map(|slot| ledger.entry(slot)).collect();
        entries.sort_unstable_by_key(|entry| entry.id);
        entries
    })
}

/// A live allocation in brief, for looks at very many.
#[derive(Clone, Copy, Debug)]
pub struct Brief {
    /// Its number.
    pub id: u64,
    /// Bytes asked for.
    pub bytes: u64,
    slot: u32,
}

impl Brief {
    /// The whole of it, found at once; nothing once it is gone.
    pub fn entry(&self) -> Option<Entry> {
        LEDGER.with_borrow(|ledger| {
            let slot = ledger.slots.get(self.slot as usize)?;
            (slot.id == self.id).then(|| ledger.entry(slot))
        })
    }
}

/// Every live allocation in brief, oldest first.
pub fn briefs() -> Vec<Brief> {
    settle();
    LEDGER.with_borrow(|ledger| {
        let live = ledger.slots.iter().enumerate().filter(|(_, slot)| slot.id != 0);
        let mut briefs: Vec<Brief> =
            live.map(|(at, slot)| Brief { id: slot.id, bytes: slot.bytes, slot: at as u32 }).collect();
        briefs.sort_unstable_by_key(|brief| brief.id);
        briefs
    })
}

/// The allocation with this number, if it is live.
pub fn entry(id: u64) -> Option<Entry> {
    settle();
    LEDGER
        .with_borrow(|ledger| ledger.slots.iter().find(|slot| slot.id == id && id != 0).map(|slot| ledger.entry(slot)))
}

/// The entry of a buffer, found at once; nothing when it was revoked or belongs to another evaluator.
pub fn entry_of(buffer: &Buffer) -> Option<Entry> {
    let ticket = buffer.ticket();
    LEDGER.with_borrow(|ledger| {
        let slot = ledger.slots.get(ticket.slot as usize)?;
        (ledger.owner == ticket.owner && slot.id == ticket.id).then(|| ledger.entry(slot))
    })
}

/// The live allocation that contains this address on any device.
pub fn entry_at(address: usize) -> Option<Entry> {
    settle();
    LEDGER.with_borrow(|ledger| {
        ledger
            .slots
            .iter()
            .find(|slot| {
                slot.id != 0 && address >= slot.address && address - slot.address < (slot.bytes as usize).max(1)
            })
            .map(|slot| ledger.entry(slot))
    })
}

/// The memory with this number, if it is live.
pub fn buffer(id: u64) -> Option<Arc<Buffer>> {
    settle();
    LEDGER.with_borrow(|ledger| {
        ledger.slots.iter().find(|slot| slot.id == id && id != 0).and_then(|slot| slot.buffer.upgrade())
    })
}

/// The memory of every live allocation.
pub fn buffers() -> Vec<Arc<Buffer>> {
    settle();
    LEDGER.with_borrow(|ledger| {
        let live = ledger.slots.iter().filter(|slot| slot.id != 0);
        live.filter_map(|slot| slot.buffer.upgrade()).collect()
    })
}

/// The memory that contains this address, if it is live: how a foreign description of memory is checked.
pub fn buffer_at(address: usize) -> Option<Arc<Buffer>> {
    entry_at(address).and_then(|entry| buffer(entry.id))
}

/// Whether this thread is the evaluator that the device belongs to.
pub(super) fn owns(device: &DeviceHandle) -> bool {
    LEDGER.with_borrow(|ledger| Arc::ptr_eq(&ledger.returns, &device.entry().returns))
}

/// The number the next allocation will get: everything from here on is new.
pub fn next_id() -> u64 {
    LEDGER.with_borrow(|ledger| ledger.next_id)
}

/// What this session holds and what the device says, for every device in the order they were added, the host first.
pub fn readings() -> Vec<DeviceReading> {
    settle();
    let devices = LEDGER.with_borrow(|ledger| ledger.devices.clone());
    devices.iter().map(reading).collect()
}

/// The same for one device.
pub fn reading(device: &DeviceHandle) -> DeviceReading {
    settle();
    let by_kind = UsmKind::ALL
        .into_iter()
        .map(|usm| ((!device.is_host()).then_some(usm), device.accounts().kind(usm)))
        .filter(|(_, holdings)| *holdings != Holdings::default())
        .collect();
    DeviceReading {
        filter: device.ledger_name().into(),
        memory: device.device().memory(),
        here: device.accounts().all(),
        copies: device.device().bytes_of_runtime(),
        by_kind,
    }
}

/// Checks the invariants: entries sum to the totals, and blocks plus cache are what each backend handed out.
///
/// Panics with the two figures when they differ, which is our bug and nobody's mistake.
pub fn assert_balanced() {
    settle();
    LEDGER.with_borrow(|ledger| {
        for (key, device) in ledger.devices.iter().enumerate() {
            for usm in UsmKind::ALL {
                let of_kind = || {
                    ledger.slots.iter().filter(|slot| slot.id != 0 && slot.device as usize == key && slot.usm == usm)
                };
                let totals = device.accounts().kind(usm);
                let name = device.ledger_name();
                assert_eq!(of_kind().map(|slot| slot.bytes).sum::<u64>(), totals.live, "live bytes of {name} {usm:?}");
                assert_eq!(
                    of_kind().map(|slot| slot.block_bytes).sum::<u64>(),
                    totals.live_blocks,
                    "blocks of {name} {usm:?}"
                );
                assert_eq!(of_kind().count() as u64, totals.count, "count of {name} {usm:?}");
                assert_eq!(
                    totals.live_blocks + totals.cached,
                    device.device().bytes_mapped(usm),
                    "blocks and cache against the backend of {name} {usm:?}"
                );
            }
        }
    });
}

/// Checks that nothing is live and that everything balances; tests end with it.
pub fn assert_empty() {
    let live: Vec<String> = entries()
        .iter()
        .map(|entry| {
            format!("#{} {} bytes on {} from {:?}", entry.id, entry.bytes, entry.device.ledger_name(), entry.op)
        })
        .collect();
    assert!(live.is_empty(), "allocations are still live: {live:?}");
    assert_balanced();
}

#[cfg(test)]
mod tests;
