//! Runs a program over its whole iteration space and stores every result.

use super::memory::{copy_strided_out, last_level_cache_bytes, stream_fence};
use super::parallel::{PARALLEL_MIN, for_each_task, threads};
use super::reduce::Shared;
use super::tile::{Program, Runner, TILE, with_scratch};
use crate::arrays::attention::Attention;
use crate::arrays::error::ArrayError;
use smallvec::SmallVec;
use std::ops::RangeInclusive;

/// Where results go, over the program's iteration space.
#[derive(Clone, Debug)]
pub struct Target {
    /// Address of the result at index zero.
    pub base: *mut u8,
    /// Bytes from one index to the next, for each axis.
    pub strides: SmallVec<[isize; 6]>,
    /// Whether sources may lie in the same memory, element for element at the same place.
    pub in_place: bool,
}

// SAFETY: a target only carries an address; see `run`.
unsafe impl Send for Target {}
// SAFETY: as above.
unsafe impl Sync for Target {}

/// Tiles that one task computes: few enough that an interrupt is heeded soon and no thread waits long for another, many
/// enough that starting a task costs nothing beside them.
const TILES_IN_TASK: RangeInclusive<usize> = 16..=64;
/// Tasks for each thread, where there are tiles enough.
const TASKS_A_THREAD: usize = 8;

/// Computes every element and stores it, behind the elements where `mask` (over the same space, bytes) is zero left
/// alone if there is one.
///
/// # Safety
/// Sources are readable and the target writable over the iteration space, nothing else touches them meanwhile, and the
/// target overlaps sources only as [`Target::in_place`] says.
pub unsafe fn run(program: &Program, target: &Target, attention: &Attention) -> Result<(), ArrayError> {
    let total = program.len_elements();
    if total == 0 {
        return Ok(());
    }
    let width = program.result_width;
    let contiguous = {
        let mut expected = width as isize;
        let mut yes = true;
        for (&len, &stride) in program.shape.iter().zip(&target.strides).rev() {
            if len != 1 {
                yes &= stride == expected;
                expected *= len as isize;
            }
        }
        yes
    };
    let streaming = contiguous && !target.in_place && total * width > last_level_cache_bytes();
    let direct = contiguous && !target.in_place && !streaming;
    let out = Shared(target.base);
    let tile = TILE.min(total);
    let scratch = Runner::scratch_bytes(program, tile);
    let tiles = total.div_ceil(TILE);
    let tiles_in_task = if total < PARALLEL_MIN {
        tiles
    } else {
        (tiles / (TASKS_A_THREAD * threads())).clamp(*TILES_IN_TASK.start(), *TILES_IN_TASK.end())
    };
    for_each_task(tiles.div_ceil(tiles_in_task), total, attention, |task| {
        with_scratch(scratch, |memory| {
            // SAFETY: the contract of this function; the scratch memory is as large as asked for.
            let runner = unsafe { Runner::new(program, tile, memory) };
            for index in task * tiles_in_task..((task + 1) * tiles_in_task).min(tiles) {
                let start = index * TILE;
                let n = TILE.min(total - start);
                let place = out.at(start * width);
                // SAFETY: the range lies in the iteration space, and tasks write disjoint ranges.
                unsafe {
                    if direct {
                        runner.tile(start, n, Some(place));
                        continue;
                    }
                    if streaming {
                        runner.stream(start, n, place);
                        continue;
                    }
                    let values = runner.tile(start, n, None);
                    if contiguous {
                        // A program without steps may point into the target itself.
                        std::ptr::copy(values, place, n * width);
                    } else {
                        copy_strided_out(values, out.at(0), width, &program.shape, &target.strides, start, n);
                    }
                }
            }
            if streaming {
                stream_fence();
            }
            Ok(())
        })
    })
}
