//! Products of matrices by programs: in tiles of work-group memory, or on processors in panels that are made first.

use super::launch::{Arguments, Target};
use super::lowering::{Strides, fold_groups};
use super::{Outcome, panels, programs};
use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::spirv::{self, Kind as ProgramKind, Space};

/// Matrices as a product sees them: steps of rows and columns, and of the stack's axes.
pub(in crate::arrays::expr) struct Factor<'a> {
    /// The array; its layout's offset is where the first matrix begins.
    pub(in crate::arrays::expr) array: &'a Array,
    /// Elements from one row to the next.
    pub(in crate::arrays::expr) row: isize,
    /// Elements from one column to the next.
    pub(in crate::arrays::expr) column: isize,
    /// Elements along each axis of the stack.
    pub(in crate::arrays::expr) stack: &'a [isize],
}

/// Stacks of matrix products into a new contiguous array. `extents` are rows, depth and columns.
pub(in crate::arrays::expr) fn multiply(
    left: &Factor<'_>,
    right: &Factor<'_>,
    stack: &[usize],
    extents: [usize; 3],
    out: &Array,
) -> Result<Outcome, ArrayError> {
    let Some((queue, limits)) = programs(out.place()) else { return Ok(Outcome::OnHost("matmul")) };
    let to = Target { queue, limits, label: "matmul" };
    if panels::suit(&to, extents, out) {
        return panels::multiply(&to, [left, right], stack, extents, out);
    }
    let [rows, depth, columns] = extents;
    let mut steps = [Strides::from_slice(left.stack), Strides::from_slice(right.stack)];
    let folded = fold_groups(stack, &[stack.len()], &mut steps);
    let reach = |factor: &Factor<'_>, steps: &Strides, extents: [usize; 2]| {
        let along: usize =
            folded.lengths.iter().zip(steps).map(|(&len, step)| len.saturating_sub(1) * step.unsigned_abs()).sum();
        // A tile reaches beyond the last row and column before it finds that they are not there.
        let tile = (spirv::TILE * spirv::ROWS_OF_ITEM) as usize;
        along + (extents[0] + tile) * factor.row.unsigned_abs() + (extents[1] + tile) * factor.column.unsigned_abs()
    };
    let farthest = reach(left, &steps[0], [rows, depth]).max(reach(right, &steps[1], [depth, columns]));
    let space = Space::new(&folded.groups, farthest.max(out.len_elements()));
    let wide = space.wide;
    let mut arguments = Arguments::new();
    [out, left.array, right.array].iter().try_for_each(|array| arguments.address(array))?;
    space.shape_arguments(&folded.lengths, &mut |value| arguments.number(value, wide));
    extents.iter().for_each(|&extent| arguments.number(extent as i64, wide));
    [left.row, left.column, right.row, right.column].iter().for_each(|&step| arguments.number(step as i64, wide));
    steps.iter().flatten().for_each(|&step| arguments.number(step as i64, wide));
    let tall = (spirv::TILE * spirv::ROWS_OF_ITEM) as usize;
    let items = [columns, rows.div_ceil(tall) * spirv::TILE as usize, stack.iter().product()];
    let local = Some([spirv::TILE, spirv::TILE, 1]);
    let program = to.program(ProgramKind::Product { dtype: out.dtype() }, space);
    to.launch(&program, arguments, items, local, &[left.array.buffer(), right.array.buffer()], &[out.buffer()])
}
