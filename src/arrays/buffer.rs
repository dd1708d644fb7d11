//! The only owner of device memory: reserves in the ledger, takes a block from the pool, gives both back when dropped.
//!
//! A buffer can be revoked, whoever holds it, and says so at the next access. It knows which queued work last wrote and
//! read it. What the bytes mean is the array's business.

mod access;
mod events;

use super::backend::{BackendError, Block, Content, UsmKind, Work};
use super::device::{ContextHandle, DeviceHandle, Place};
use super::dtype::DType;
use super::error::{ArrayError, OutOfMemory, Shortage};
use super::event::Event;
use super::ledger::{self, NewEntry, Ticket};
use super::native::MappedFile;
use super::{budget, plan, pool, registry, trace};
use smallvec::{SmallVec, smallvec};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What is asked of [`Buffer::allocate`].
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Where.
    pub place: &'a Place,
    /// The kind; ignored on the host.
    pub usm: UsmKind,
    /// Bytes needed; zero is allowed.
    pub bytes: usize,
    /// Whether the memory must read as zeros.
    pub zeroed: bool,
    /// Alignment beyond the usual 64 bytes: a power of two, or zero for the usual.
    pub alignment: usize,
    /// The shape to show for it, unless it is raw memory.
    pub shape: Option<&'a [usize]>,
    /// The dtype to show for it.
    pub dtype: Option<DType>,
}

impl<'a> Request<'a> {
    /// Raw memory of the default alignment, not cleared.
    pub fn new(place: &'a Place, usm: UsmKind, bytes: usize) -> Request<'a> {
        Request { place, usm, bytes, zeroed: false, alignment: 0, shape: None, dtype: None }
    }
}

/// Memory on a device or on the host. Shared by every view of it.
#[derive(Debug)]
pub struct Buffer {
    id: u64,
    ticket: Ticket,
    /// Leads to the device too; one reference instead of two.
    context: ContextHandle,
    usm: UsmKind,
    start: NonNull<u8>,
    bytes: usize,
    block_bytes: usize,
    block: Mutex<Option<Block>>,
    /// The file it is a part of, where it is none of the ledger's memory.
    file: Option<MappedFile>,
    /// Whether there is no memory behind it, only a plan that counts it.
    is_planned: bool,
    revoked: AtomicBool,
    /// Whether nobody has written it since it was allocated without being cleared; then its content need not be copied.
    blank: AtomicBool,
    freed_by: OnceLock<Box<str>>,
    has_pending: AtomicBool,
    pending: Mutex<Pending>,
    /// Ranges borrowed as slices now; see [`Buffer::borrow_range`].
    borrowed: Mutex<SmallVec<[Borrowed; 2]>>,
}

#[derive(Debug, Default)]
struct Pending {
    write: Option<Event>,
    reads: SmallVec<[Event; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Borrowed {
    start: usize,
    end: usize,
    exclusive: bool,
}

// SAFETY: `start` points into the block this buffer owns, which is plain memory; all bookkeeping is behind locks and
// atomics, and element access goes through the checked borrows below or through the engine, which orders it by events.
unsafe impl Send for Buffer {}
// SAFETY: as above; a shared buffer hands out references only through `borrow_range`, which refuses aliasing.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// New memory. The error says what was asked, where, and how much there is.
    pub fn allocate(request: &Request<'_>) -> Result<Arc<Buffer>, ArrayError> {
        let host;
        let context = match request.place {
            Place::Host => {
                host = registry::host_context();
                &host
            }
            Place::Queue(queue) => queue.context(),
        };
        let device = context.device();
        // What the caller sees as kind stays meaningful on the host too: everything there is one account.
        let usm = if device.is_host() { UsmKind::Host } else { request.usm };
        let alignment = checked_alignment(request, device, usm)?;
        if plan::is_on() {
            return Ok(Buffer::planned(request, context, usm));
        }
        ledger::settle();
        if ledger::attempt_is_scripted_to_fail() {
            return Err(out_of_memory(device, usm, request.bytes, Shortage::Scripted));
        }
        if let Some(tightest) = budget::tightest()
            && request.bytes as u64 > tightest.left
        {
            let shortage = Shortage::Budget { limit: tightest.limit, left: tightest.left };
            return Err(out_of_memory(device, usm, request.bytes, shortage));
        }
        device.check_alive()?;
        if !ledger::owns(device) {
            return Err(ArrayError::runtime("internal error: memory was asked for outside the evaluator's thread"));
        }
        let Some(needed) = request.bytes.max(1).checked_add(if alignment > 64 { alignment } else { 0 }) else {
            return Err(out_of_memory(device, usm, request.bytes, Shortage::Capacity));
        };
        let block = take_with_relief(device, usm, needed, request.bytes)?;
        let padding = if alignment > 64 { block.address().next_multiple_of(alignment) - block.address() } else { 0 };
        // SAFETY: the block has `needed` bytes or more, which is the request plus the alignment, and the padding is below
        // the alignment.
        let start = unsafe { block.pointer.add(padding) };
        let zero_needed = request.zeroed && block.content != Content::Zeros;
        let buffer = Arc::new_cyclic(|buffer| {
            let ticket = ledger::enter(NewEntry {
                device,
                usm,
                bytes: request.bytes,
                block_bytes: block.bytes,
                address: start.as_ptr().addr(),
                shape: request.shape,
                dtype: request.dtype,
                buffer: buffer.clone(),
            });
            Buffer {
                id: ticket.id,
                ticket,
                context: context.clone(),
                usm,
                start,
                bytes: request.bytes,
                block_bytes: block.bytes,
                block: Mutex::new(Some(block)),
                file: None,
                is_planned: false,
                revoked: AtomicBool::new(false),
                blank: AtomicBool::new(!request.zeroed),
                freed_by: OnceLock::new(),
                has_pending: AtomicBool::new(false),
                pending: Mutex::new(Pending::default()),
                borrowed: Mutex::new(SmallVec::new()),
            }
        });
        if zero_needed {
            buffer.clear(request.place)?;
        }
        Ok(buffer)
    }

    fn clear(self: &Arc<Buffer>, place: &Place) -> Result<(), ArrayError> {
        match place {
            Place::Queue(queue) if !queue.is_immediate() => {
                if self.bytes > 0 {
                    let work = Work::Fill { to: self.device_address(0)?, bytes: self.bytes, pattern: smallvec![0] };
                    queue.submit_work("fill", &[], &[self], work)?;
                }
                Ok(())
            }
            Place::Host | Place::Queue(_) => self.bytes_now_mut(0..self.bytes, |bytes| bytes.fill(0)),
        }
    }

    /// Memory that only a plan has: it is counted, has an address that nobody may follow, and cannot be read.
    fn planned(request: &Request<'_>, context: &ContextHandle, usm: UsmKind) -> Arc<Buffer> {
        let (id, address) = plan::allocate(context.device(), usm, request.bytes);
        trace::planned(request, context.device(), usm, id);
        Arc::new(Buffer {
            id,
            ticket: Ticket { owner: 0, slot: 0, id },
            context: context.clone(),
            usm,
            start: NonNull::new(std::ptr::without_provenance_mut(address)).unwrap_or(NonNull::dangling()),
            bytes: request.bytes,
            block_bytes: pool::block_bytes(request.bytes),
            block: Mutex::new(None),
            file: None,
            is_planned: true,
            revoked: AtomicBool::new(false),
            blank: AtomicBool::new(false),
            freed_by: OnceLock::new(),
            has_pending: AtomicBool::new(false),
            pending: Mutex::new(Pending::default()),
            borrowed: Mutex::new(SmallVec::new()),
        })
    }

    /// A file's bytes from `start` on, as memory of the host; they are nobody's allocation.
    pub fn over_file(file: MappedFile, start: usize) -> Result<Arc<Buffer>, ArrayError> {
        let Some(bytes) = file.bytes().checked_sub(start) else {
            return Err(ArrayError::value("the file ends before its data begins"));
        };
        let ticket = ledger::number_outside();
        Ok(Arc::new(Buffer {
            id: ticket.id,
            ticket,
            context: registry::host_context(),
            usm: UsmKind::Host,
            // SAFETY: `start` lies inside the mapping, or at its end.
            start: unsafe { file.start().add(start) },
            bytes,
            block_bytes: 0,
            block: Mutex::new(None),
            file: Some(file),
            is_planned: false,
            revoked: AtomicBool::new(false),
            blank: AtomicBool::new(false),
            freed_by: OnceLock::new(),
            has_pending: AtomicBool::new(false),
            pending: Mutex::new(Pending::default()),
            borrowed: Mutex::new(SmallVec::new()),
        }))
    }

    /// Whether this is a part of a file and not memory of the ledger.
    pub fn is_mapped(&self) -> bool {
        self.file.is_some()
    }

    /// The number people see as `#12`.
    pub fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn ticket(&self) -> Ticket {
        self.ticket
    }

    /// Bytes asked for.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes occupied.
    pub fn block_bytes(&self) -> usize {
        self.block_bytes
    }

    /// The device whose memory this is.
    pub fn device(&self) -> &DeviceHandle {
        self.context.device()
    }

    /// The context the memory was allocated in; nothing on the host.
    pub fn context(&self) -> Option<&ContextHandle> {
        (!self.device().is_host()).then_some(&self.context)
    }

    /// The kind; nothing for NumPy's host memory.
    pub fn usm(&self) -> Option<UsmKind> {
        (!self.device().is_host()).then_some(self.usm)
    }

    /// The address of the first byte, for displays and interface dictionaries; it stays the same after a revocation.
    pub fn address(&self) -> usize {
        self.start.as_ptr().addr()
    }

    /// An error when the memory was revoked or its device has failed.
    pub fn check(&self) -> Result<(), ArrayError> {
        if self.revoked.load(Ordering::Relaxed) {
            let freed_by = self.freed_by.get().cloned().unwrap_or_default();
            return Err(ArrayError::Released { id: self.id, freed_by });
        }
        self.device().check_alive()
    }

    /// Whether the memory was revoked.
    pub fn is_revoked(&self) -> bool {
        self.revoked.load(Ordering::Relaxed)
    }

    /// The address of the byte at `start` for the device's own work, which is given to [`QueueHandle::submit_work`]
    /// together with the buffer.
    ///
    /// [`QueueHandle::submit_work`]: super::device::QueueHandle::submit_work
    pub fn device_address(&self, start: usize) -> Result<usize, ArrayError> {
        self.check()?;
        assert!(start <= self.bytes, "an address beyond its buffer");
        Ok(self.start.as_ptr().expose_provenance() + start)
    }

    /// The first byte, for the engine and for step closures, which order their accesses by events.
    ///
    /// Getting the pointer is safe; dereferencing it is up to the caller's proof that the range is inside
    /// [`Buffer::bytes`], that nobody writes it meanwhile, and that the buffer stays alive. Memory that the host cannot
    /// touch has no pointer: who may meet it asks [`Buffer::host_access`] and reads it in another way.
    pub fn pointer(&self) -> Result<NonNull<u8>, ArrayError> {
        self.check()?;
        if !self.host_access() {
            return Err(ArrayError::runtime(format!(
                "internal error: the host cannot touch #{} on {}",
                self.id,
                self.device().ledger_name()
            )));
        }
        self.blank.store(false, Ordering::Relaxed);
        Ok(self.start)
    }

    /// Whether the host may touch the memory; where not, the accesses below work on a copy and bring it back.
    pub fn host_access(&self) -> bool {
        self.device().host_access(self.usm)
    }

    /// Whether nobody has written the memory since it was allocated.
    pub(super) fn is_blank(&self) -> bool {
        self.blank.load(Ordering::Relaxed)
    }

    /// Takes the memory away from every holder; later accesses fail naming `by`. Answers the bytes released.
    ///
    /// Waits for queued work on the buffer first. Refused while a slice of it is in use.
    pub fn revoke(&self, by: &str) -> Result<u64, ArrayError> {
        self.wait_idle()?;
        if !self.borrowed.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return Err(ArrayError::runtime(format!("the memory of #{} is in use by a running operation", self.id)));
        }
        let block = self.block.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(block) = block else { return Ok(0) };
        let _ = self.freed_by.set(by.into());
        self.revoked.store(true, Ordering::Relaxed);
        ledger::leave(self.ticket, self.device(), self.usm, Some(block));
        Ok(self.bytes as u64)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.is_planned {
            plan::released(self.id, self.device(), self.usm, self.bytes);
            return;
        }
        let block = self.block.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        // A revoked buffer has left the ledger already.
        if let Some(block) = block {
            ledger::leave(self.ticket, self.device(), self.usm, Some(block));
        }
    }
}

fn checked_alignment(request: &Request<'_>, device: &DeviceHandle, usm: UsmKind) -> Result<usize, ArrayError> {
    let alignment = request.alignment.max(1);
    // dpctl answers every alignment it cannot give with a failed allocation.
    if alignment.is_power_of_two() && alignment <= 1 << 30 {
        Ok(alignment)
    } else {
        Err(out_of_memory(device, usm, request.bytes, Shortage::Backend))
    }
}

/// A block from the pool; when the device is full, waits for queued work, which may hold the last references, and tries
/// once more.
fn take_with_relief(device: &DeviceHandle, usm: UsmKind, needed: usize, asked: usize) -> Result<Block, ArrayError> {
    match pool::take(device, usm, needed) {
        Ok(block) => Ok(block),
        Err(BackendError::OutOfMemory(Shortage::Capacity)) if !registry::queued_work().is_empty() => {
            // A failure of that work is reported where its result is read.
            if let Err(ArrayError::Interrupted) = registry::finish_all() {
                return Err(ArrayError::Interrupted);
            }
            pool::take(device, usm, needed).map_err(|error| refusal(device, usm, asked, error))
        }
        Err(error) => Err(refusal(device, usm, asked, error)),
    }
}

fn refusal(device: &DeviceHandle, usm: UsmKind, bytes: usize, error: BackendError) -> ArrayError {
    match error {
        BackendError::OutOfMemory(shortage) => out_of_memory(device, usm, bytes, shortage),
        other => device.describe(other),
    }
}

fn out_of_memory(device: &DeviceHandle, usm: UsmKind, bytes: usize, shortage: Shortage) -> ArrayError {
    let memory = device.device().memory();
    ArrayError::OutOfMemory(Box::new(OutOfMemory {
        bytes,
        device: device.ledger_name().into(),
        usm: (!device.is_host()).then_some(usm),
        free: memory.free,
        total: memory.total,
        max_single: device.info().max_single.clone(),
        shortage,
    }))
}
