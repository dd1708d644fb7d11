//! Runs a program over tiles: a few thousand bytes of every operand at a time, so that all intermediate values stay
//! in the first-level cache.
//!
//! A [`Program`] is a straight line of kernels over an iteration space that is walked in linear (C) order. Operands
//! that are contiguous in that order are read in place; others are gathered into a tile first. Nothing here knows of
//! dtypes beyond their width, of arrays, or of who owns the memory: the caller keeps it alive and in bounds.

use super::flags::{Watch, observed};
use super::kernel::Kernel;
use super::kernels::streaming;
use super::memory::{copy_strided_in, fill_tile, stream_copy};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Elements in a tile.
pub const TILE: usize = 1024;

/// The widest element, complex128.
const WIDEST: usize = 16;

/// The most operands in memory that a program may have.
pub const MOST_SOURCES: usize = 32;

/// Where a step finds an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// Memory of an array.
    Source(u8),
    /// A scalar, repeated over the tile.
    Constant(u8),
    /// The result of an earlier step.
    Temporary(u8),
    /// Not used.
    Nothing,
}

/// An operand in memory, seen over the iteration space.
#[derive(Clone, Debug)]
pub struct Source {
    /// Address of the element at index zero.
    pub base: *const u8,
    /// Bytes from one index to the next, for each axis of the iteration space.
    pub strides: SmallVec<[isize; 6]>,
    /// Bytes of an element.
    pub width: usize,
}

/// One kernel call of a program.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The loop.
    pub kernel: Kernel,
    /// Its operands.
    pub inputs: [Slot; 3],
    /// The temporary that takes the result.
    pub output: u8,
    /// How floating-point events are observed, in programs that keep them.
    pub watch: Watch,
}

/// A value that is the same for all elements.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// Its bytes.
    pub bits: [u8; WIDEST],
    /// How many of them count.
    pub width: usize,
}

/// A straight line of kernels over one iteration space.
#[derive(Clone, Debug)]
pub struct Program {
    /// The iteration space, outermost axis first.
    pub shape: SmallVec<[usize; 6]>,
    /// Operands in memory.
    pub sources: SmallVec<[Source; 4]>,
    /// Scalar operands.
    pub constants: SmallVec<[Constant; 4]>,
    /// Kernel calls in order.
    pub steps: SmallVec<[Step; 8]>,
    /// How many temporaries the steps use.
    pub temporaries: usize,
    /// Where the result stands after the last step.
    pub result: Slot,
    /// Bytes of an element of the result.
    pub result_width: usize,
    /// What may stand for the last step's kernel where its result is to go around the cache.
    pub streaming: Option<Kernel>,
    /// The floating-point events each step met, for programs that keep them.
    pub events: Option<Arc<[AtomicU8]>>,
}

// SAFETY: a program only carries addresses; the caller of `Runner::new` vouches that they stay valid, and that nothing
// else writes there, for as long as any thread runs it.
unsafe impl Send for Program {}
// SAFETY: as above; running does not change the program.
unsafe impl Sync for Program {}

/// How a source is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// In place: linear order is memory order.
    InPlace,
    /// The same element everywhere.
    Repeated,
    /// Gathered into a tile.
    Gathered,
}

impl Program {
    /// Elements in the iteration space.
    pub fn len_elements(&self) -> usize {
        self.shape.iter().product()
    }

    fn access(&self, source: &Source) -> Access {
        let mut expected = source.width as isize;
        let (mut in_place, mut repeated) = (true, true);
        for (&len, &stride) in self.shape.iter().zip(&source.strides).rev() {
            if len != 1 {
                in_place &= stride == expected;
                repeated &= stride == 0;
                expected *= len as isize;
            }
        }
        if in_place {
            Access::InPlace
        } else if repeated {
            Access::Repeated
        } else {
            Access::Gathered
        }
    }
}

/// Scratch memory of a thread, kept from run to run.
struct Scratch {
    bytes: Vec<[u8; 64]>,
}

impl Scratch {
    /// At least `bytes` bytes, aligned for vector instructions.
    fn reserve(&mut self, bytes: usize) -> *mut u8 {
        let lines = bytes.div_ceil(64) + 1;
        if self.bytes.len() < lines {
            self.bytes.resize(lines, [0; 64]);
        }
        let address = self.bytes.as_mut_ptr().cast::<u8>();
        // SAFETY: one line more than asked for leaves room to align.
        unsafe { address.add(address.align_offset(64)) }
    }
}

thread_local! {
    static SCRATCH: RefCell<Vec<Scratch>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` with scratch memory of this thread. Nested uses get memory of their own.
pub(crate) fn with_scratch<R>(bytes: usize, work: impl FnOnce(*mut u8) -> R) -> R {
    let mut scratch = SCRATCH.with_borrow_mut(|kept| kept.pop()).unwrap_or(Scratch { bytes: Vec::new() });
    let result = work(scratch.reserve(bytes));
    SCRATCH.with_borrow_mut(|kept| kept.push(scratch));
    result
}

/// A program made ready on one thread: constants spread out, tiles laid out in scratch memory.
pub struct Runner<'a> {
    program: &'a Program,
    access: SmallVec<[Access; 4]>,
    tile: usize,
    gathered: *mut u8,
    spread: *mut u8,
    temporaries: *mut u8,
}

impl<'a> Runner<'a> {
    /// Bytes of scratch memory that [`Runner::new`] needs for tiles of up to `tile` elements.
    pub fn scratch_bytes(program: &Program, tile: usize) -> usize {
        (program.sources.len() + program.constants.len() + program.temporaries + 1) * tile * WIDEST
    }

    /// Prepares to run tiles of up to `tile` elements in the given scratch memory.
    ///
    /// # Safety
    /// `scratch` has [`Runner::scratch_bytes`] bytes aligned to 64; every source of the program is readable over the
    /// whole iteration space while the runner lives.
    pub unsafe fn new(program: &'a Program, tile: usize, scratch: *mut u8) -> Self {
        let slot = tile * WIDEST;
        let access: SmallVec<[Access; 4]> = program.sources.iter().map(|source| program.access(source)).collect();
        // SAFETY: the three areas lie side by side inside the scratch memory.
        let (spread, temporaries) = unsafe {
            let spread = scratch.add(program.sources.len() * slot);
            (spread, spread.add(program.constants.len() * slot))
        };
        let runner = Runner { program, access, tile, gathered: scratch, spread, temporaries };
        for (index, constant) in program.constants.iter().enumerate() {
            // SAFETY: the slot holds `tile` elements of any width.
            unsafe { fill_tile(spread.add(index * slot), constant.bits.as_ptr(), constant.width, tile) };
        }
        for (index, source) in program.sources.iter().enumerate() {
            if runner.access[index] == Access::Repeated && !program.shape.contains(&0) {
                // SAFETY: as above; index zero exists, since the space is not empty.
                unsafe { fill_tile(scratch.add(index * slot), source.base, source.width, tile) };
            }
        }
        runner
    }

    fn temporary(&self, index: usize) -> *mut u8 {
        // SAFETY: `index` is below the number of temporaries, plus one spare slot.
        unsafe { self.temporaries.add(index * self.tile * WIDEST) }
    }

    /// A spare tile for the caller.
    pub fn spare(&self) -> *mut u8 {
        self.temporary(self.program.temporaries)
    }

    /// Where all results lie one after the other, if the program only reads them.
    pub fn elements(&self) -> Option<*const u8> {
        match self.program.result {
            Slot::Source(index) if self.access[index as usize] == Access::InPlace => {
                Some(self.program.sources[index as usize].base)
            }
            _ => None,
        }
    }

    unsafe fn locate(&self, slot: Slot, start: usize, n: usize) -> *const u8 {
        match slot {
            Slot::Nothing => std::ptr::dangling(),
            Slot::Temporary(index) => self.temporary(index as usize),
            // SAFETY: inside the spread area.
            Slot::Constant(index) => unsafe { self.spread.add(index as usize * self.tile * WIDEST) },
            Slot::Source(index) => {
                let source = &self.program.sources[index as usize];
                // SAFETY: the linear range lies in the iteration space, over which the source is readable.
                unsafe {
                    let tile = self.gathered.add(index as usize * self.tile * WIDEST);
                    match self.access[index as usize] {
                        Access::InPlace => source.base.add(start * source.width),
                        Access::Repeated => tile,
                        Access::Gathered => {
                            copy_strided_in(
                                tile,
                                source.base,
                                source.width,
                                &self.program.shape,
                                &source.strides,
                                start,
                                n,
                            );
                            tile
                        }
                    }
                }
            }
        }
    }

    /// Computes the elements `start..start + n` in linear order; the result stays valid until the next call. With
    /// `output`, the last step writes there and that address is returned.
    ///
    /// # Safety
    /// `n` is at most the tile length, the range lies in the iteration space, and `output` (if given) has room for
    /// `n` results and overlaps no source.
    pub unsafe fn tile(&self, start: usize, n: usize, output: Option<*mut u8>) -> *const u8 {
        // SAFETY: passed on.
        unsafe { self.run(start, n, output, None) }
    }

    /// As [`Runner::tile`] with an output that goes around the cache; a [`stream_fence`](super::memory::stream_fence) has to follow before others are
    /// told of it.
    ///
    /// # Safety
    /// As [`Runner::tile`].
    pub unsafe fn stream(&self, start: usize, n: usize, output: *mut u8) {
        // SAFETY: passed on.
        unsafe {
            match self.program.streaming {
                Some(kernel) if output.align_offset(streaming::ALIGNMENT) == 0 => {
                    self.run(start, n, Some(output), Some(kernel));
                }
                _ => stream_copy(output, self.tile(start, n, None), n * self.program.result_width),
            }
        }
    }

    unsafe fn run(&self, start: usize, n: usize, output: Option<*mut u8>, last_kernel: Option<Kernel>) -> *const u8 {
        let steps = &self.program.steps;
        // A gathered source is fetched at its first use in a tile only.
        let mut fetched = [std::ptr::null::<u8>(); MOST_SOURCES];
        let last = steps.len().wrapping_sub(1);
        for (index, step) in steps.iter().enumerate() {
            let mut inputs = [std::ptr::dangling::<u8>(); 3];
            for (pointer, &slot) in inputs.iter_mut().zip(&step.inputs) {
                *pointer = match slot {
                    Slot::Source(s) => {
                        if fetched[s as usize].is_null() {
                            // SAFETY: passed on.
                            fetched[s as usize] = unsafe { self.locate(slot, start, n) };
                        }
                        fetched[s as usize]
                    }
                    // SAFETY: passed on.
                    other => unsafe { self.locate(other, start, n) },
                };
            }
            let out = match output {
                Some(address) if index == last => address,
                _ => self.temporary(step.output as usize),
            };
            let kernel = last_kernel.filter(|_| index == last).unwrap_or(step.kernel);
            // SAFETY: the planner matched kernels with widths; a step's output is a tile that none of its inputs uses.
            unsafe {
                match &self.program.events {
                    Some(events) if step.watch != Watch::Nothing => {
                        let met = observed(step.watch, kernel, inputs, out, n);
                        if met != 0 {
                            events[index].fetch_or(met, Ordering::Relaxed);
                        }
                    }
                    _ => kernel(inputs[0], inputs[1], inputs[2], out, n),
                }
            }
            if let (Some(address), true) = (output, index == last) {
                return address;
            }
        }
        // SAFETY: passed on.
        let result = unsafe { self.locate(self.program.result, start, n) };
        match output {
            Some(address) => {
                // SAFETY: a program without steps copies its operand.
                unsafe { std::ptr::copy_nonoverlapping(result, address, n * self.program.result_width) };
                address
            }
            None => result,
        }
    }
}
