//! Mapping and unmapping of host memory for blocks.
//!
//! Small blocks come from the process allocator, larger ones are mapped by themselves, and blocks of 2 MiB and more are
//! aligned for huge pages, whose first touch costs a fraction of ordinary pages'.

use crate::arrays::backend::{Block, Content};
use std::alloc::Layout;
use std::ptr::NonNull;

/// From here on, blocks are mappings of their own.
const MAPPED_FROM: usize = 64 * 1024;
/// From here on, mappings are aligned to huge pages.
const HUGE_PAGE: usize = 2 * 1024 * 1024;
const PAGE: usize = 4096;
/// Every block starts on a cache line, which is also the widest vector register.
const ALIGNMENT: usize = 64;

/// New memory of exactly `bytes` (not zero), or nothing when the system refuses.
pub fn map(bytes: usize) -> Option<Block> {
    if bytes < MAPPED_FROM {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).ok()?;
        // SAFETY: the size is not zero; callers ask for at least one byte, and the pool rounds up.
        let pointer = NonNull::new(unsafe { std::alloc::alloc(layout) })?;
        return Some(Block { pointer, bytes, content: Content::Unknown });
    }
    let pointer = if bytes >= HUGE_PAGE { map_aligned(bytes)? } else { map_pages(page_multiple(bytes)?)? };
    Some(Block { pointer, bytes, content: Content::Zeros })
}

/// Returns a block that [`map`] gave.
pub fn unmap(block: Block) {
    if block.bytes < MAPPED_FROM {
        if let Ok(layout) = Layout::from_size_align(block.bytes, ALIGNMENT) {
            // SAFETY: `map` allocated this pointer with the same size and alignment, and the block is consumed here.
            unsafe { std::alloc::dealloc(block.pointer.as_ptr(), layout) };
        }
    } else if let Some(bytes) = page_multiple(block.bytes) {
        unmap_pages(block.pointer, bytes);
    }
}

fn page_multiple(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(PAGE)
}

/// Addresses of `bytes` that nobody can touch and that cost no memory.
pub fn reserve(bytes: usize) -> Option<NonNull<u8>> {
    map_protected(page_multiple(bytes)?, libc::PROT_NONE)
}

/// Returns what [`reserve`] gave.
pub fn unreserve(start: NonNull<u8>, bytes: usize) {
    if let Some(bytes) = page_multiple(bytes) {
        unmap_pages(start, bytes);
    }
}

fn map_pages(bytes: usize) -> Option<NonNull<u8>> {
    map_protected(bytes, libc::PROT_READ | libc::PROT_WRITE)
}

fn map_protected(bytes: usize, protection: libc::c_int) -> Option<NonNull<u8>> {
    // SAFETY: an anonymous private mapping at an address of the kernel's choice touches no memory of ours.
    let pointer = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            protection,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if pointer == libc::MAP_FAILED { None } else { NonNull::new(pointer.cast()) }
}

fn unmap_pages(pointer: NonNull<u8>, bytes: usize) {
    // SAFETY: the range is one this file mapped and nobody holds any more.
    let result = unsafe { libc::munmap(pointer.as_ptr().cast(), bytes) };
    debug_assert_eq!(result, 0, "munmap of a block refused");
}

/// Maps more than asked for and gives back what lies outside the aligned part.
fn map_aligned(bytes: usize) -> Option<NonNull<u8>> {
    let bytes = page_multiple(bytes)?;
    let reach = bytes.checked_add(HUGE_PAGE)?;
    let start = map_pages(reach)?;
    let head = start.as_ptr().align_offset(HUGE_PAGE);
    // SAFETY: `head` is below HUGE_PAGE, so the aligned start and its `bytes` lie inside the mapping of `reach` bytes.
    let aligned = unsafe { start.add(head) };
    if head > 0 {
        unmap_pages(start, head);
    }
    let tail = HUGE_PAGE - head;
    if tail > 0 {
        // SAFETY: the tail is the rest of the same mapping behind the aligned part.
        unmap_pages(unsafe { aligned.add(bytes) }, tail);
    }
    // SAFETY: advice on a mapping of ours; a refusal changes nothing but speed.
    unsafe { libc::madvise(aligned.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
    Some(aligned)
}
