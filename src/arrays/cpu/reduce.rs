//! Reductions with one fixed tree.
//!
//! The order in which elements are combined depends on the logical shape and axes only: never on strides, threads,
//! tiles or on what the reduction is fused with. Where the last axis is reduced, elements are taken in blocks of
//! [`TILE`], each block in [`LANES`] interleaved lanes; where it is kept, rows are taken in blocks of
//! [`ROWS_IN_BLOCK`]. Blocks are then combined pairwise, as a binary counter does.

use super::parallel::{PARALLEL_MIN, for_each_task, threads};
use super::tile::{Program, Runner, TILE, with_scratch};
use crate::arrays::attention::Attention;
use crate::arrays::error::ArrayError;
use std::mem::MaybeUninit;
use std::ops::Range;

pub use super::fold::{Fold, Reducer};

/// Interleaved partial results within a block.
pub(super) const LANES: usize = 32;
/// Rows that are added up one after the other before the tree begins; a power of two.
pub const ROWS_IN_BLOCK: usize = 32;
/// Rows that are computed before they are added up in one pass.
const ROWS_IN_GROUP: usize = 4;
/// Columns whose sums stay in the first-level cache while the rows of a block are added to them.
const STRETCH: usize = 2 * TILE;
/// Blocks in a piece, the unit of work of a thread; a power of two, so that a piece is a whole subtree.
const BLOCKS_IN_PIECE: usize = 64;
/// The most columns whose sums a task keeps in the second-level cache.
const STRIPE: usize = 8 * TILE;
const WIDEST: usize = 16;

/// One value, as bytes aligned for any element.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Cell([u8; WIDEST]);

/// An address that threads may share because they write disjoint parts behind it.
#[derive(Clone, Copy)]
pub(super) struct Shared(pub *mut u8);
// SAFETY: every use writes a part of its own; the owner waits for all threads.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    pub(super) fn at(self, offset: usize) -> *mut u8 {
        self.0.wrapping_add(offset)
    }
}

/// The iteration space seen by a reduction: `outer` results, each over `reduced` rows of `inner` results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Product of the kept axes before the reduced ones.
    pub outer: usize,
    /// Product of the reduced axes.
    pub reduced: usize,
    /// Product of the kept axes after them; one where the last axis is reduced.
    pub inner: usize,
}

/// Pairwise combination of parts of `width` results each, in order of arrival.
struct Counter<'a> {
    reducer: &'a Reducer,
    width: usize,
    rows: Vec<Cell>,
    row_cells: usize,
    count: usize,
}

impl<'a> Counter<'a> {
    fn new(reducer: &'a Reducer, width: usize) -> Self {
        let row_cells = (width * reducer.width).div_ceil(WIDEST);
        Counter { reducer, width, rows: vec![Cell([0; WIDEST]); row_cells], row_cells, count: 0 }
    }

    /// Row zero takes the next part; row `n + 1` holds the sum of 2^n parts.
    fn row(&mut self, index: usize) -> *mut u8 {
        let needed = (index + 1) * self.row_cells;
        if self.rows.len() < needed {
            self.rows.resize(needed, Cell([0; WIDEST]));
        }
        // Invariant: callers take all their rows from one growth, so the address stays good while they use it.
        self.rows[index * self.row_cells..].as_mut_ptr().cast()
    }

    /// Where the caller puts the next part before [`Counter::push`].
    fn next(&mut self) -> *mut u8 {
        self.row(0)
    }

    fn push(&mut self) {
        let bytes = self.width * self.reducer.width;
        let mut level = 0;
        while self.count >> level & 1 == 1 {
            let (part, whole) = (self.row(0), self.row(level + 1));
            // SAFETY: two different rows of `width` elements: the earlier parts take in the later ones.
            unsafe {
                (self.reducer.rows())(whole, part, 0, 1, self.width, false);
                std::ptr::copy_nonoverlapping(whole, part, bytes);
            }
            level += 1;
        }
        let whole = self.row(level + 1);
        let part = self.row(0);
        // SAFETY: two different rows.
        unsafe { std::ptr::copy_nonoverlapping(part, whole, bytes) };
        self.count += 1;
    }

    /// Combines what is left, from the smallest part up, copies it out, and begins anew.
    fn finish(&mut self, out: *mut u8) {
        let bytes = self.width * self.reducer.width;
        let mut result: Option<usize> = None;
        for level in 0..(usize::BITS - self.count.leading_zeros()) as usize {
            if self.count >> level & 1 == 1 {
                if let Some(smaller) = result {
                    let (later, earlier) = (self.row(smaller), self.row(level + 1));
                    // SAFETY: two different rows.
                    unsafe { (self.reducer.rows())(earlier, later, 0, 1, self.width, false) };
                }
                result = Some(level + 1);
            }
        }
        if let Some(row) = result {
            let row = self.row(row);
            // SAFETY: the caller's output has room for one row.
            unsafe { std::ptr::copy_nonoverlapping(row, out, bytes) };
        }
        self.count = 0;
    }
}

/// Reduces a program's result and writes `outer * inner` results in C order.
///
/// # Safety
/// The program's sources stay readable, its iteration space is `outer * reduced * inner` in that order, and `out` has
/// room for the results, which overlap no source. `reduced` is not zero.
pub unsafe fn reduce(
    program: &Program,
    shape: Shape,
    reducer: &Reducer,
    out: *mut u8,
    attention: &Attention,
) -> Result<(), ArrayError> {
    debug_assert_eq!(program.len_elements(), shape.outer * shape.reduced * shape.inner);
    debug_assert_eq!(program.result_width, reducer.width);
    let out = Shared(out);
    if shape.inner == 1 {
        // SAFETY: passed on.
        unsafe { reduce_last(program, shape, reducer, out, attention) }
    } else {
        // SAFETY: passed on.
        unsafe { reduce_rows(program, shape, reducer, out, attention) }
    }
}

/// The last axis is reduced: each result is made of consecutive elements.
unsafe fn reduce_last(
    program: &Program,
    shape: Shape,
    reducer: &Reducer,
    out: Shared,
    attention: &Attention,
) -> Result<(), ArrayError> {
    let (outer, reduced, width) = (shape.outer, shape.reduced, reducer.width);
    let total = outer * reduced;
    let block = reducer.block();
    let scratch = Runner::scratch_bytes(program, TILE);
    if reduced <= TILE {
        // Several results from each tile.
        let rows_in_tile = (TILE / reduced).max(1);
        let tiles = outer.div_ceil(rows_in_tile);
        let tiles_in_task = (16 * TILE / (rows_in_tile * reduced)).max(1);
        return for_each_task(tiles.div_ceil(tiles_in_task), total, attention, |task| {
            with_scratch(scratch, |memory| {
                // SAFETY: the contract of this function; the scratch memory is as large as asked for.
                let runner = unsafe { Runner::new(program, TILE, memory) };
                for tile in task * tiles_in_task..((task + 1) * tiles_in_task).min(tiles) {
                    let first = tile * rows_in_tile;
                    let rows = rows_in_tile.min(outer - first);
                    // SAFETY: the range lies in the iteration space; results are disjoint.
                    unsafe {
                        let values = runner.tile(first * reduced, rows * reduced, None);
                        for row in 0..rows {
                            block(values.add(row * reduced * width), reduced, out.at((first + row) * width));
                        }
                    }
                }
                Ok(())
            })
        });
    }
    let blocks = reduced.div_ceil(TILE);
    let pairwise = reducer.pairwise();
    // The work between two blocks is small, since memory stands still meanwhile.
    let sum_piece = |runner: &Runner<'_>, row: usize, range: Range<usize>, to: *mut u8| {
        let mut parts = [const { MaybeUninit::<Cell>::uninit() }; BLOCKS_IN_PIECE];
        let parts = parts.as_mut_ptr().cast::<u8>();
        let count = range.len();
        for (part, index) in range.enumerate() {
            let start = row * reduced + index * TILE;
            let n = TILE.min(reduced - index * TILE);
            // SAFETY: the range lies in the iteration space; there is room for the results of BLOCKS_IN_PIECE blocks.
            unsafe {
                // Not in `Runner::tile`, where it made `sum(a * a)` a tenth slower.
                let values = match runner.elements() {
                    Some(elements) => elements.add(start * width),
                    None => runner.tile(start, n, None),
                };
                block(values, n, parts.add(part * width));
            }
        }
        // SAFETY: `count` parts were written; the caller's output has room for one.
        unsafe { pairwise(parts, count, to) };
    };
    let sum_blocks = |runner: &Runner<'_>, counter: &mut Counter<'_>, row: usize, range: Range<usize>, to: *mut u8| {
        if range.len() <= BLOCKS_IN_PIECE {
            attention.check()?;
            sum_piece(runner, row, range, to);
            return Ok(());
        }
        for first in range.clone().step_by(BLOCKS_IN_PIECE) {
            attention.check()?;
            sum_piece(runner, row, first..range.end.min(first + BLOCKS_IN_PIECE), counter.next());
            counter.push();
        }
        counter.finish(to);
        Ok::<(), ArrayError>(())
    };
    let with_runner = |work: &dyn Fn(&Runner<'_>, &mut Counter<'_>) -> Result<(), ArrayError>| {
        with_scratch(scratch, |memory| {
            // SAFETY: as above.
            work(&unsafe { Runner::new(program, TILE, memory) }, &mut Counter::new(reducer, 1))
        })
    };
    if outer >= 4 * threads() || total < PARALLEL_MIN {
        // Short rows share a task, as long as every thread has some.
        let rows_in_task = (BLOCKS_IN_PIECE / blocks).min(outer / (4 * threads())).max(1);
        return for_each_task(outer.div_ceil(rows_in_task), total, attention, |task| {
            with_runner(&|runner, counter| {
                let mut rows = task * rows_in_task..((task + 1) * rows_in_task).min(outer);
                rows.try_for_each(|row| sum_blocks(runner, counter, row, 0..blocks, out.at(row * width)))
            })
        });
    }
    let pieces = blocks.div_ceil(BLOCKS_IN_PIECE);
    let mut partial = vec![Cell([0; WIDEST]); outer * pieces];
    let partials = Shared(partial.as_mut_ptr().cast());
    for_each_task(outer * pieces, total, attention, |task| {
        let (row, piece) = (task / pieces, task % pieces);
        let range = piece * BLOCKS_IN_PIECE..((piece + 1) * BLOCKS_IN_PIECE).min(blocks);
        with_runner(&|runner, counter| sum_blocks(runner, counter, row, range.clone(), partials.at(task * WIDEST)))
    })?;
    let mut counter = Counter::new(reducer, 1);
    for row in 0..outer {
        for cell in &partial[row * pieces..(row + 1) * pieces] {
            // SAFETY: both hold one element of at most WIDEST bytes.
            unsafe { std::ptr::copy_nonoverlapping(cell.0.as_ptr(), counter.next(), width) };
            counter.push();
        }
        counter.finish(out.at(row * width));
    }
    Ok(())
}

/// The last axis is kept: rows of results are combined.
unsafe fn reduce_rows(
    program: &Program,
    shape: Shape,
    reducer: &Reducer,
    out: Shared,
    attention: &Attention,
) -> Result<(), ArrayError> {
    let Shape { outer, reduced, inner } = shape;
    let width = reducer.width;
    let total = outer * reduced * inner;
    let rows_in_piece = ROWS_IN_BLOCK * BLOCKS_IN_PIECE;
    let pieces = reduced.div_ceil(rows_in_piece);
    // Wide stripes read rows in long stretches; narrower ones give every thread something to do.
    let widest = inner.min(STRIPE);
    let columns = if inner > TILE && outer * pieces * inner.div_ceil(widest) < 2 * threads() {
        inner.div_ceil(2 * threads()).next_multiple_of(64).clamp(TILE, widest)
    } else {
        widest
    };
    let stripes = inner.div_ceil(columns);
    // Short rows share a tile; long ones take several.
    let rows_in_tile = (TILE / inner).max(1);
    let group_bytes = ROWS_IN_GROUP * TILE * WIDEST;
    let scratch = Runner::scratch_bytes(program, TILE) + group_bytes;
    let row_cells = (columns * width).div_ceil(WIDEST);
    let mut partial =
        if pieces > 1 { vec![Cell([0; WIDEST]); outer * stripes * pieces * row_cells] } else { Vec::new() };
    let partials = Shared(partial.as_mut_ptr().cast());
    for_each_task(outer * stripes * pieces, total, attention, |task| {
        let (o, rest) = (task / (stripes * pieces), task % (stripes * pieces));
        let (stripe, piece) = (rest / pieces, rest % pieces);
        let first_column = stripe * columns;
        let count = columns.min(inner - first_column);
        let rows = piece * rows_in_piece..((piece + 1) * rows_in_piece).min(reduced);
        with_scratch(scratch, |memory| {
            // SAFETY: the contract of `reduce`; the scratch memory is as large as asked for, and begins with the group.
            let runner = unsafe { Runner::new(program, TILE, memory.add(group_bytes)) };
            let mut counter = Counter::new(reducer, count);
            let fold = reducer.rows();
            for first_row in rows.clone().step_by(ROWS_IN_BLOCK) {
                attention.check()?;
                let block_rows = ROWS_IN_BLOCK.min(rows.end - first_row);
                let sum = counter.next();
                let start = (o * reduced + first_row) * inner + first_column;
                // SAFETY: all ranges lie in the iteration space; the accumulating row holds `count` elements, a tile of
                // the group TILE.
                unsafe {
                    if let Some(elements) = runner.elements() {
                        for column in (0..count).step_by(STRETCH) {
                            let part = STRETCH.min(count - column);
                            let first = elements.add((start + column) * width);
                            fold(sum.add(column * width), first, inner * width, block_rows, part, true);
                        }
                    } else if rows_in_tile > 1 {
                        for row in (0..block_rows).step_by(rows_in_tile) {
                            let tile_rows = rows_in_tile.min(block_rows - row);
                            let values = runner.tile(start + row * inner, tile_rows * count, None);
                            fold(sum, values, count * width, tile_rows, count, row == 0);
                        }
                    } else {
                        for column in (0..count).step_by(TILE) {
                            let part = TILE.min(count - column);
                            for row in (0..block_rows).step_by(ROWS_IN_GROUP) {
                                let group = ROWS_IN_GROUP.min(block_rows - row);
                                for r in 0..group {
                                    let to = memory.add(r * TILE * width);
                                    runner.tile(start + (row + r) * inner + column, part, Some(to));
                                }
                                fold(sum.add(column * width), memory, TILE * width, group, part, row == 0);
                            }
                        }
                    }
                }
                counter.push();
            }
            counter.finish(if pieces > 1 {
                partials.at(task * row_cells * WIDEST)
            } else {
                out.at((o * inner + first_column) * width)
            });
            Ok(())
        })
    })?;
    if pieces > 1 {
        for group in 0..outer * stripes {
            let (o, stripe) = (group / stripes, group % stripes);
            let first_column = stripe * columns;
            let count = columns.min(inner - first_column);
            let mut counter = Counter::new(reducer, count);
            for piece in 0..pieces {
                let from = partials.at((group * pieces + piece) * row_cells * WIDEST);
                // SAFETY: the piece holds `count` elements.
                unsafe { std::ptr::copy_nonoverlapping(from, counter.next(), count * width) };
                counter.push();
            }
            counter.finish(out.at((o * inner + first_column) * width));
        }
    }
    Ok(())
}
