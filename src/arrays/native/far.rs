//! Copies and fills of memory by address, and memory that stands behind addresses nobody can touch.
//!
//! A device for tests hands out far memory in place of its own: a host access to it faults, as on a discrete GPU, and only
//! the copies and fills here reach what is behind it.

use super::memory;
use crate::arrays::backend::Block;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The far blocks of one device, by the address they were handed out under.
#[derive(Default)]
pub struct FarMemory {
    behind: Mutex<BTreeMap<usize, Block>>,
}

impl FarMemory {
    /// Moves a block behind an address range that nobody can touch; nothing when the system has no range left.
    pub fn hide(&self, block: Block) -> Result<Block, Block> {
        let Some(pointer) = memory::reserve(block.bytes) else { return Err(block) };
        let far = Block { pointer, bytes: block.bytes, content: block.content };
        self.behind.lock().unwrap_or_else(PoisonError::into_inner).insert(far.address(), block);
        Ok(far)
    }

    /// The block behind one that [`FarMemory::hide`] gave, or the block itself when it is no such.
    pub fn reveal(&self, block: Block) -> Block {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).remove(&block.address());
        match behind {
            Some(real) => {
                memory::unreserve(block.pointer, block.bytes);
                real
            }
            None => block,
        }
    }

    /// Where an address really is.
    fn place(&self, address: usize) -> usize {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        match behind.range(..=address).next_back() {
            Some((start, real)) if address - start < real.bytes => real.address() + (address - start),
            Some(_) | None => address,
        }
    }

    /// Copies bytes between live allocations, or between one and host memory, as a step's
    /// [`crate::arrays::backend::Work::Copy`] says.
    pub fn copy(&self, from: usize, to: usize, bytes: usize) {
        let (from, to) = (self.place(from), self.place(to));
        // SAFETY: a step names ranges of live allocations that it keeps, and no other work uses them meanwhile.
        unsafe {
            std::ptr::copy(
                std::ptr::with_exposed_provenance::<u8>(from),
                std::ptr::with_exposed_provenance_mut::<u8>(to),
                bytes,
            );
        }
    }

    /// Repeats a pattern over a range of a live allocation.
    pub fn fill(&self, to: usize, bytes: usize, pattern: &[u8]) {
        let start = std::ptr::with_exposed_provenance_mut::<u8>(self.place(to));
        // SAFETY: as in `copy`; the range is plain memory, so every byte in it is a valid `u8`.
        let target = unsafe { std::slice::from_raw_parts_mut(start, bytes) };
        match pattern {
            [] => {}
            [one] => target.fill(*one),
            many => target.chunks_mut(many.len()).for_each(|piece| piece.copy_from_slice(&many[..piece.len()])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_memory_is_reached_by_copies_only() {
        let far = FarMemory::default();
        let block = memory::map(256).expect("small");
        let hidden = far.hide(block).expect("an address range");
        let (source, mut back) = ([1u8, 2, 3, 4], [0u8; 6]);
        far.fill(hidden.address() + 10, 6, &[7, 8]);
        far.copy(source.as_ptr().expose_provenance(), hidden.address() + 12, 4);
        far.copy(hidden.address() + 10, back.as_mut_ptr().expose_provenance(), 6);
        assert_eq!(back, [7, 8, 1, 2, 3, 4]);
        memory::unmap(far.reveal(hidden));
        assert!(far.behind.lock().expect("no panic").is_empty());
    }
}
