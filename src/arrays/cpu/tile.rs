//! Runs a program over tiles: a few thousand bytes of every operand at a time, so that all intermediate values stay
//! in the first-level cache.
//!
//! A [`Program`] is a straight line of kernels over an iteration space that is walked in linear (C) order. Operands
//! that are contiguous in that order are read in place; others are gathered into a tile first. Nothing here knows of
//! dtypes beyond their width, of arrays, or of who owns the memory: the caller keeps it alive and in bounds.

use super::flags::{Watch, observed};
use super::kernel::Kernel;
use super::kernels::streaming;
use super::memory::{contiguous_run, copy_strided_in, fill_tile, stream_copy};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Elements in a tile.
pub const TILE: usize = 1024;

/// The widest element, complex128.
const WIDEST: usize = 16;

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

/// A loop whose results go around the cache.
#[derive(Clone, Copy, Debug)]
pub enum Streaming {
    /// It stands for the last step.
    Last(Kernel),
    /// It stands for the last two, and reads these operands.
    LastTwo(Kernel, [Slot; 3]),
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
    /// What may stand for the last steps where the result is to go around the cache.
    pub streaming: Option<Streaming>,
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

/// Bytes of a result that go through all steps of a program before the next ones do. Measured with programs of four and of five
/// steps: what is read and made between is then a small part of the first-level cache, and memory that is read far ahead stays there
/// meanwhile. At 10^7 float64 that took 20 % less time for `sqrt(a*a+b*b)`; smaller arrays do not care, and programs of two steps lose.
const STRETCH_BYTES: usize = 1024;

/// Elements in a stretch; a whole tile for programs of few steps, and for those that look at the events of each step.
fn stretch(program: &Program) -> usize {
    if program.steps.len() < 3 || program.events.is_some() { TILE } else { STRETCH_BYTES / program.result_width }
}

/// Where an operand of a step lies.
#[derive(Clone, Copy)]
enum Place {
    /// At the same address for every stretch.
    Fixed(*const u8),
    /// The address of the element at index zero, and bytes from one to the next.
    Linear(*const u8, usize),
    /// Where the source of that number among the gathered ones was found for this tile.
    Gathered(u8),
}

/// A source that is not in linear order.
struct Gathered<'a> {
    source: &'a Source,
    /// Room for a tile.
    tile: *mut u8,
    /// Where the elements of the tile lie: there, or in the source itself.
    found: Cell<*const u8>,
}

/// A step whose operands have been found.
struct ReadyStep {
    kernel: Kernel,
    inputs: [Place; 3],
    output: *mut u8,
    watch: Watch,
}

/// A program made ready on one thread: constants spread out, tiles laid out in scratch memory, operands found.
pub struct Runner<'a> {
    program: &'a Program,
    /// Elements that all steps run over before the next ones are taken.
    stretch: usize,
    gathered: SmallVec<[Gathered<'a>; 2]>,
    steps: SmallVec<[ReadyStep; 8]>,
    /// What stands for the last steps where results go around the cache, and for how many.
    streaming: Option<(ReadyStep, usize)>,
    /// Where the last step leaves its results, or the operand that a program without steps is.
    result: Place,
    /// Room for the results of a whole tile; no step uses it.
    whole: *mut u8,
}

impl<'a> Runner<'a> {
    /// Bytes of scratch memory that [`Runner::new`] needs for tiles of up to `tile` elements.
    pub fn scratch_bytes(program: &Program, tile: usize) -> usize {
        let stretches = program.constants.len() + program.temporaries;
        (1 + program.sources.len()) * room(tile) + stretches * room(stretch(program).min(tile))
    }

    /// Prepares to run tiles of up to `tile` elements in the given scratch memory.
    ///
    /// # Safety
    /// `scratch` has [`Runner::scratch_bytes`] bytes aligned to 64; every source of the program is readable over the
    /// whole iteration space while the runner lives.
    pub unsafe fn new(program: &'a Program, tile: usize, scratch: *mut u8) -> Self {
        let stretch = stretch(program).min(tile);
        let stretch_bytes = room(stretch);
        let whole = scratch;
        let tile_bytes = room(tile);
        let place = |index: usize| {
            let tiles = (1 + program.sources.len()) * tile_bytes;
            scratch.wrapping_add(tiles + index * stretch_bytes).cast_const()
        };
        let mut gathered = SmallVec::new();
        let sources: SmallVec<[Place; 4]> = program
            .sources
            .iter()
            .enumerate()
            .map(|(index, source)| {
                let tile = scratch.wrapping_add((1 + index) * tile_bytes);
                match program.access(source) {
                    Access::InPlace => Place::Linear(source.base, source.width),
                    Access::Repeated => {
                        if !program.shape.contains(&0) {
                            // SAFETY: the tile holds more than a stretch of any width; index zero exists, since the space is not empty.
                            unsafe { fill_tile(tile, source.base, source.width, stretch) };
                        }
                        Place::Fixed(tile)
                    }
                    Access::Gathered => {
                        gathered.push(Gathered { source, tile, found: Cell::new(tile) });
                        Place::Gathered(gathered.len() as u8 - 1)
                    }
                }
            })
            .collect();
        for (index, constant) in program.constants.iter().enumerate() {
            // SAFETY: as above.
            unsafe { fill_tile(place(index).cast_mut(), constant.bits.as_ptr(), constant.width, stretch) };
        }
        let temporary = |index: u8| place(program.constants.len() + index as usize);
        let find = |slot: Slot| match slot {
            Slot::Nothing => Place::Fixed(std::ptr::dangling()),
            Slot::Temporary(index) => Place::Fixed(temporary(index)),
            Slot::Constant(index) => Place::Fixed(place(index as usize)),
            Slot::Source(index) => sources[index as usize],
        };
        let steps = program
            .steps
            .iter()
            .map(|step| ReadyStep {
                kernel: step.kernel,
                inputs: step.inputs.map(find),
                output: temporary(step.output).cast_mut(),
                watch: step.watch,
            })
            .collect();
        let streaming = program.streaming.zip(program.steps.last()).map(|(streaming, last)| {
            let (kernel, inputs, replaced) = match streaming {
                Streaming::Last(kernel) => (kernel, last.inputs, 1),
                Streaming::LastTwo(kernel, inputs) => (kernel, inputs, 2),
            };
            let output = temporary(last.output).cast_mut();
            (ReadyStep { kernel, inputs: inputs.map(find), output, watch: last.watch }, replaced)
        });
        debug_assert!(program.steps.last().is_none_or(|last| program.result == Slot::Temporary(last.output)));
        Runner { program, stretch, gathered, steps, streaming, result: find(program.result), whole }
    }

    /// Where all results lie one after the other, if the program only reads them.
    pub fn elements(&self) -> Option<*const u8> {
        match self.result {
            Place::Linear(base, _) => Some(base),
            Place::Fixed(_) | Place::Gathered(_) => None,
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
        unsafe { self.run(start, n, output, false) }
    }

    /// As [`Runner::tile`] with an output that goes around the cache; a [`stream_fence`](super::memory::stream_fence) has to follow before others are
    /// told of it.
    ///
    /// # Safety
    /// As [`Runner::tile`].
    pub unsafe fn stream(&self, start: usize, n: usize, output: *mut u8) {
        // SAFETY: passed on.
        unsafe {
            if self.streaming.is_some() && output.align_offset(streaming::ALIGNMENT) == 0 {
                self.run(start, n, Some(output), true);
            } else {
                stream_copy(output, self.tile(start, n, None), n * self.program.result_width);
            }
        }
    }

    unsafe fn run(&self, start: usize, n: usize, output: Option<*mut u8>, around_cache: bool) -> *const u8 {
        // SAFETY: passed on.
        unsafe { self.gather(start, n) };
        let width = self.program.result_width;
        let Some(last) = self.steps.last() else {
            let result = self.address(self.result, start, 0);
            return match output {
                Some(address) => {
                    // SAFETY: the caller's output has room; a program without steps copies its operand.
                    unsafe { std::ptr::copy_nonoverlapping(result, address, n * width) };
                    address
                }
                None => result,
            };
        };
        let (last, replaced) = match &self.streaming {
            Some((streaming, replaced)) if around_cache => (streaming, *replaced),
            _ => (last, 1),
        };
        let before = &self.steps[..self.steps.len() - replaced];
        // A single stretch may stay where the last step leaves it; several would write over each other there.
        let output = output.unwrap_or(if n <= self.stretch { last.output } else { self.whole });
        for from in (0..n).step_by(self.stretch) {
            let count = self.stretch.min(n - from);
            // SAFETY: the planner matched kernels with widths; a step's output is a tile that none of its inputs uses, and the
            // parts lie in the range and in the output.
            unsafe {
                for (index, step) in before.iter().enumerate() {
                    self.step(index, step, (start, from, count), step.output);
                }
                self.step(self.steps.len() - 1, last, (start, from, count), output.add(from * width));
            }
        }
        output
    }

    /// Finds or collects what the sources that are not in linear order have for a tile.
    unsafe fn gather(&self, start: usize, n: usize) {
        for Gathered { source, tile, found } in &self.gathered {
            let Source { base, strides, width } = source;
            let shape = &self.program.shape;
            // SAFETY: the linear range lies in the iteration space, over which the source is readable; the tile has room.
            found.set(unsafe {
                if let Some(offset) = contiguous_run(shape, strides, *width, start, n)
                    && base.offset(offset).align_offset(8.min(*width)) == 0
                {
                    base.offset(offset)
                } else {
                    copy_strided_in(*tile, *base, *width, shape, strides, start, n);
                    *tile
                }
            });
        }
    }

    /// Where an operand has the element `from` of the tile that begins at `start`.
    #[inline(always)]
    fn address(&self, place: Place, start: usize, from: usize) -> *const u8 {
        match place {
            Place::Fixed(address) => address,
            Place::Linear(base, width) => base.wrapping_add((start + from) * width),
            Place::Gathered(index) => {
                let Gathered { source, found, .. } = &self.gathered[index as usize];
                found.get().wrapping_add(from * source.width)
            }
        }
    }

    #[inline(always)]
    unsafe fn step(&self, index: usize, step: &ReadyStep, (start, from, n): (usize, usize, usize), output: *mut u8) {
        let kernel = step.kernel;
        let inputs = step.inputs.map(|place| self.address(place, start, from));
        // SAFETY: passed on.
        unsafe {
            match &self.program.events {
                Some(events) if step.watch != Watch::Nothing => {
                    let met = observed(step.watch, kernel, inputs, output, n);
                    if met != 0 {
                        events[index].fetch_or(met, Ordering::Relaxed);
                    }
                }
                _ => kernel(inputs[0], inputs[1], inputs[2], output, n),
            }
        }
    }
}

/// Bytes of so many elements of any width, in whole cache lines.
fn room(len_elements: usize) -> usize {
    (len_elements * WIDEST).next_multiple_of(64)
}
