//! Freed blocks kept for reuse, per device and kind.
//!
//! Mapping fresh pages costs as much as computing on them, so `r = a*b` in a loop must get the same block back. The pool
//! belongs to the evaluator thread. A block enters it only when no work on it is pending: queued work holds its buffers.

use super::backend::{BackendError, Block, Content, UsmKind};
use super::device::DeviceHandle;
use super::error::Shortage;
use super::limit;
use std::cell::RefCell;
use std::collections::VecDeque;

const LARGE_FROM: usize = 2 * 1024 * 1024;
const FINE_UP_TO: usize = 1024;
const FINE_STEP: usize = 64;
/// Steps per doubling between the fine sizes and the large ones: at most an eighth is wasted.
const STEPS: usize = 8;
const CLASSES: usize = FINE_UP_TO / FINE_STEP + STEPS * (LARGE_FROM / FINE_UP_TO).ilog2() as usize + 1;

struct Shelf {
    /// One stack per size class below 2 MiB.
    small: Vec<Vec<Block>>,
    /// Larger blocks, the longest unused first.
    large: VecDeque<Block>,
    bytes: usize,
}

/// The shelves of one device; its blocks go back to it when the evaluator ends.
struct Shelves {
    device: DeviceHandle,
    kinds: [Shelf; 3],
}

impl Drop for Shelves {
    fn drop(&mut self) {
        for usm in UsmKind::ALL {
            for block in self.kinds[usm as usize].drain() {
                give_back(&self.device, usm, block);
            }
        }
    }
}

thread_local! {
    /// By the devices' positions in the ledger's table; most threads use few.
    static SHELVES: RefCell<Vec<Option<Shelves>>> = const { RefCell::new(Vec::new()) };
}

/// The bytes a block for a request occupies: small requests are rounded to a size class, large ones to 2 MiB.
pub fn block_bytes(bytes: usize) -> usize {
    if bytes <= FINE_UP_TO {
        bytes.max(1).next_multiple_of(FINE_STEP)
    } else if bytes < LARGE_FROM {
        let step = step_of(bytes);
        bytes.next_multiple_of(step)
    } else {
        bytes.checked_next_multiple_of(LARGE_FROM).unwrap_or(bytes)
    }
}

/// The distance between neighbouring classes where `bytes` lies.
fn step_of(bytes: usize) -> usize {
    (1 << (bytes - 1).ilog2()) / STEPS
}

/// The class of a block whose bytes came from [`block_bytes`]; nothing for large blocks.
fn class_of(block: usize) -> Option<usize> {
    if block <= FINE_UP_TO {
        Some(block / FINE_STEP - 1)
    } else if block < LARGE_FROM {
        let doubling = (block - 1).ilog2() as usize;
        let base = 1usize << doubling;
        let within = (block - base).div_ceil(base / STEPS) - 1;
        Some(FINE_UP_TO / FINE_STEP + (doubling - FINE_UP_TO.ilog2() as usize) * STEPS + within)
    } else {
        None
    }
}

impl Shelf {
    fn new() -> Shelf {
        Shelf { small: Vec::new(), large: VecDeque::new(), bytes: 0 }
    }

    fn take(&mut self, wanted: usize) -> Option<Block> {
        let block = match class_of(wanted) {
            Some(class) => self.small.get_mut(class)?.pop()?,
            None => {
                let slack = wanted.saturating_add((wanted / 8).max(LARGE_FROM));
                // The most recently freed block is the warmest; a somewhat larger one will do.
                let position = self
                    .large
                    .iter()
                    .enumerate()
                    .rev()
                    .filter(|(_, block)| block.bytes >= wanted && block.bytes <= slack)
                    .min_by_key(|(_, block)| block.bytes)
                    .map(|(position, _)| position)?;
                self.large.remove(position)?
            }
        };
        self.bytes -= block.bytes;
        Some(block)
    }

    fn put(&mut self, block: Block) {
        self.bytes += block.bytes;
        match class_of(block.bytes) {
            // A block of an odd size, from a device that had no room for the rounded one, is kept with the large ones.
            Some(class) if block_bytes(block.bytes) == block.bytes => {
                if self.small.is_empty() {
                    self.small.resize_with(CLASSES, Vec::new);
                }
                self.small[class].push(block);
            }
            _ => self.large.push_back(block),
        }
    }

    fn drain(&mut self) -> Vec<Block> {
        self.bytes = 0;
        let mut blocks: Vec<Block> = self.large.drain(..).collect();
        for stack in &mut self.small {
            blocks.append(stack);
        }
        blocks
    }
}

fn with_shelf<R>(device: &DeviceHandle, usm: UsmKind, work: impl FnOnce(&mut Shelf) -> R) -> Option<R> {
    SHELVES
        .try_with(|shelves| {
            let mut shelves = shelves.borrow_mut();
            let key = device.entry().key as usize;
            if shelves.len() <= key {
                shelves.resize_with(key + 1, || None);
            }
            let shelves = shelves[key].get_or_insert_with(|| Shelves {
                device: device.clone(),
                kinds: [Shelf::new(), Shelf::new(), Shelf::new()],
            });
            work(&mut shelves.kinds[usm as usize])
        })
        .ok()
}

/// A block of at least `bytes`: a cached one, else a new one, else a new one after the cache was returned.
pub(super) fn take(device: &DeviceHandle, usm: UsmKind, bytes: usize) -> Result<Block, BackendError> {
    let wanted = block_bytes(bytes);
    if let Some(mut block) = with_shelf(device, usm, |shelf| shelf.take(wanted)).flatten() {
        device.accounts().uncache(usm, block.bytes as u64);
        block.content = Content::Unknown;
        return Ok(block);
    }
    match device.device().allocate(usm, wanted) {
        // Cached blocks may be what fills the device, and rounding up may be what does not fit.
        Err(BackendError::OutOfMemory(Shortage::Capacity | Shortage::SingleAllocation | Shortage::Backend)) => {
            trim_all();
            device.device().allocate(usm, wanted).or_else(|_| device.device().allocate(usm, bytes.max(1)))
        }
        other => other,
    }
}

/// Takes a freed block in, or returns it to the device when the cache is full.
pub(super) fn put(device: &DeviceHandle, usm: UsmKind, block: Block) {
    let limit = cache_limit(device);
    let bytes = block.bytes;
    let alive = device.check_alive().is_ok();
    if !alive || bytes > limit {
        device.device().release(usm, block);
        return;
    }
    device.accounts().cache(usm, bytes as u64);
    let mut block = Some(block);
    let over = with_shelf(device, usm, |shelf| {
        if let Some(block) = block.take() {
            shelf.put(block);
        }
        shelf.bytes > limit
    });
    if let Some(block) = block {
        // Without a shelf the thread is ending: nothing is cached any more.
        give_back(device, usm, block);
    } else if over == Some(true) {
        evict(device, usm, limit);
    }
}

/// Returns the large blocks that were unused longest until the shelf holds no more than `limit` bytes.
fn evict(device: &DeviceHandle, usm: UsmKind, limit: usize) {
    let oldest = |shelf: &mut Shelf| {
        let oldest = if shelf.bytes > limit { shelf.large.pop_front() } else { None };
        shelf.bytes -= oldest.as_ref().map_or(0, |block| block.bytes);
        oldest
    };
    while let Some(block) = with_shelf(device, usm, oldest).flatten() {
        give_back(device, usm, block);
    }
}

fn give_back(device: &DeviceHandle, usm: UsmKind, block: Block) {
    device.accounts().uncache(usm, block.bytes as u64);
    device.device().release(usm, block);
}

/// A quarter of the device may be cache; a quarter of nothing known is what a small machine has.
fn cache_limit(device: &DeviceHandle) -> usize {
    device.info().total.bytes().map_or(256 << 20, |total| (total / 4) as usize)
}

/// Reserves host memory for something that is no array, such as a large list: when the limit is reached, the cache is
/// returned first.
pub fn reserve_host(bytes: usize) -> Result<limit::Reservation, limit::Refused> {
    limit::reserve(bytes).or_else(|_| {
        trim_all();
        limit::reserve(bytes)
    })
}

/// Returns every cached block of a device; answers how many bytes that was.
pub fn trim(device: &DeviceHandle) -> u64 {
    let mut returned = 0;
    for usm in UsmKind::ALL {
        for block in with_shelf(device, usm, Shelf::drain).unwrap_or_default() {
            returned += block.bytes as u64;
            give_back(device, usm, block);
        }
    }
    returned
}

/// Returns every cached block of every device and of the host; answers how many bytes that was.
pub fn trim_all() -> u64 {
    super::registry::with_host().iter().map(trim).sum()
}
