//! Products of large matrices on processors: factors are copied into panels, a stretch of the depth at a time, and panels are
//! multiplied in registers; see `spirv::panels`.
//!
//! The panels are scratch memory like any other and stand in the ledger while the product runs: so many rows and columns as the
//! result has, [`DEPTH_OF_PANEL`] deep. Rows and columns of the result that fill no panel are computed into strips of their own,
//! whose part beyond the result is never looked at, and copied from there.

use super::launch::{Arguments, Target};
use super::product::Factor;
use super::{Outcome, store};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::layout::Layout;
use crate::arrays::spirv::{Kind, ROWS_OF_PANEL, Space, columns_of_panel};
use smallvec::smallvec;

/// Multiplications from which on panels are worth their making.
const MANY_MULTIPLICATIONS: usize = 1 << 21;
/// Steps of the depth that panels hold: the ones in use stay in a processor's caches.
const DEPTH_OF_PANEL: usize = 512;

/// Whether a product of these rows, depth and columns goes by panels.
pub(super) fn suit(to: &Target<'_>, [rows, depth, columns]: [usize; 3], out: &Array) -> bool {
    to.is_processor()
        && matches!(out.dtype(), DType::Float32 | DType::Float64)
        && rows >= ROWS_OF_PANEL
        && columns >= columns_of_panel(out.dtype())
        && rows.saturating_mul(depth).saturating_mul(columns) >= MANY_MULTIPLICATIONS
}

/// The matrices of a stack one after the other, into a new contiguous array.
pub(super) fn multiply(
    to: &Target<'_>,
    factors: [&Factor<'_>; 2],
    stack: &[usize],
    extents: [usize; 3],
    out: &Array,
) -> Result<Outcome, ArrayError> {
    let places = Layout::contiguous(stack);
    let [rows, _, columns] = extents;
    for number in 0..places.len_elements() {
        let index = places.unravel(number);
        let [left, right] = factors.map(|factor| {
            let along: isize = index.iter().zip(factor.stack).map(|(&at, step)| at as isize * step).sum();
            factor.array.layout().offset as isize + along
        });
        let (wide, deep) = (factors[0], factors[1]);
        let left = Sheet { array: wide.array, offset: left, across: wide.row, along: wide.column };
        let right = Sheet { array: deep.array, offset: right, across: deep.column, along: deep.row };
        let product = Product { to, extents, out, offset: number * rows * columns };
        match product.compute(&left, &right)? {
            Outcome::Submitted => {}
            refused => return Ok(refused),
        }
    }
    Ok(Outcome::Submitted)
}

/// A factor, seen from the side that panels are cut off.
struct Sheet<'a> {
    array: &'a Array,
    /// Where its first element lies.
    offset: isize,
    /// Elements from one row (of the left factor) or column (of the right) to the next.
    across: isize,
    /// Elements from one step of the depth to the next.
    along: isize,
}

impl Sheet<'_> {
    /// Copies `steps` of the depth from one on, of `count` rows or columns, into panels that hold `width` of them.
    fn cut(
        &self,
        first: usize,
        steps: usize,
        count: usize,
        width: usize,
        panels: &Array,
    ) -> Result<Outcome, ArrayError> {
        let whole = count / width;
        for (panel, number, filled) in [(0, whole, width), (whole, 1, count % width)] {
            if number == 0 || filled == 0 {
                continue;
            }
            let start = self.offset + first as isize * self.along + (panel * width) as isize * self.across;
            let source = Layout {
                shape: smallvec![number, steps, filled],
                strides: smallvec![self.across * width as isize, self.along, self.across],
                offset: start as usize,
            };
            let target = Layout {
                shape: smallvec![number, steps, filled],
                strides: smallvec![(steps * width) as isize, width as isize, 1],
                offset: panel * steps * width,
            };
            match store(&Expr::array(&self.array.view(source)), &panels.view(target), &[0, 1, 2])? {
                Outcome::Submitted => {}
                refused => return Ok(refused),
            }
        }
        Ok(Outcome::Submitted)
    }
}

/// One product of two matrices.
struct Product<'a> {
    to: &'a Target<'a>,
    extents: [usize; 3],
    out: &'a Array,
    /// Where the result begins.
    offset: usize,
}

/// Whole panels times whole panels.
struct Part {
    /// The first left and right panel.
    first: [usize; 2],
    /// How many there are.
    count: [usize; 2],
    /// What they are multiplied into, from its offset on.
    into: Array,
    /// Elements from one row of that to the next.
    row: usize,
    /// Where it belongs in the result, when it is a strip.
    belongs: Option<Layout>,
}

impl Product<'_> {
    fn parts(&self, alloc: &Alloc) -> Result<Vec<Part>, ArrayError> {
        let [rows, _, columns] = self.extents;
        let dtype = self.out.dtype();
        let breadth = columns_of_panel(dtype);
        let (down, across) = (rows / ROWS_OF_PANEL, columns / breadth);
        let (below, beside) = (rows % ROWS_OF_PANEL, columns % breadth);
        let place = |row: usize, column: usize, shape: [usize; 2]| Layout {
            shape: smallvec![shape[0], shape[1]],
            strides: smallvec![columns as isize, 1],
            offset: self.offset + row * columns + column,
        };
        let inside = self.out.view(place(0, 0, [rows, columns]));
        let mut parts = vec![Part { first: [0, 0], count: [down, across], into: inside, row: columns, belongs: None }];
        if beside > 0 {
            let panels = rows.div_ceil(ROWS_OF_PANEL);
            parts.push(Part {
                first: [0, across],
                count: [panels, 1],
                into: Array::for_overwrite(&[panels * ROWS_OF_PANEL, breadth], dtype, alloc)?,
                row: breadth,
                belongs: Some(place(0, across * breadth, [rows, beside])),
            });
        }
        if below > 0 {
            let row = across * breadth;
            parts.push(Part {
                first: [down, 0],
                count: [1, across],
                into: Array::for_overwrite(&[ROWS_OF_PANEL, row], dtype, alloc)?,
                row,
                belongs: Some(place(down * ROWS_OF_PANEL, 0, [below, row])),
            });
        }
        Ok(parts)
    }

    fn compute(&self, left: &Sheet<'_>, right: &Sheet<'_>) -> Result<Outcome, ArrayError> {
        let [rows, depth, columns] = self.extents;
        let (alloc, dtype) = (self.out.alloc(), self.out.dtype());
        let breadth = columns_of_panel(dtype);
        let stretch = depth.min(DEPTH_OF_PANEL);
        let panels = |count: usize, width: usize| {
            Array::for_overwrite(&[count.div_ceil(width) * width * stretch], dtype, &alloc)
        };
        let (left_panels, right_panels) = (panels(rows, ROWS_OF_PANEL)?, panels(columns, breadth)?);
        let parts = self.parts(&alloc)?;
        for first in (0..depth).step_by(stretch) {
            let steps = stretch.min(depth - first);
            for outcome in [
                left.cut(first, steps, rows, ROWS_OF_PANEL, &left_panels)?,
                right.cut(first, steps, columns, breadth, &right_panels)?,
            ] {
                if matches!(outcome, Outcome::OnHost(_)) {
                    return Ok(outcome);
                }
            }
            for part in &parts {
                let outcome = self.multiply(part, [&left_panels, &right_panels], steps, first > 0)?;
                if matches!(outcome, Outcome::OnHost(_)) {
                    return Ok(outcome);
                }
            }
        }
        for part in parts {
            let Some(place) = part.belongs else { continue };
            let strip = Layout { shape: place.shape.clone(), strides: smallvec![part.row as isize, 1], offset: 0 };
            let outcome = store(&Expr::array(&part.into.view(strip)), &self.out.view(place), &[0, 1])?;
            if matches!(outcome, Outcome::OnHost(_)) {
                return Ok(outcome);
            }
        }
        Ok(Outcome::Submitted)
    }

    fn multiply(
        &self,
        part: &Part,
        [left, right]: [&Array; 2],
        steps: usize,
        goes_on: bool,
    ) -> Result<Outcome, ArrayError> {
        let dtype = self.out.dtype();
        let most = [left, right, self.out].map(Array::len_elements).into_iter().fold(0, usize::max);
        let space = Space::new(&[1], most);
        let mut arguments = Arguments::new();
        arguments.address(&part.into)?;
        arguments.address_at(left, part.first[0] * steps * ROWS_OF_PANEL)?;
        arguments.address_at(right, part.first[1] * steps * columns_of_panel(dtype))?;
        for number in [part.count[0], part.count[1], steps, part.row, usize::from(goes_on)] {
            arguments.number(number as i64, space.wide);
        }
        let program = self.to.program(Kind::Panels { dtype }, space);
        let items = [part.count[0], part.count[1], 1];
        self.to.launch(&program, arguments, items, None, &[left.buffer(), right.buffer()], &[part.into.buffer()])
    }
}
