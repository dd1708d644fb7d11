//! Arrays taken apart along an axis, as views: `split`, `array_split`, `hsplit`, `vsplit`, `dsplit`.

use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::layout::{BasicIndex, normalize_axis};
use crate::arrays::op::Flavour;

/// Into how many parts, or at which indices.
#[derive(Clone, Debug)]
pub enum Sections {
    /// This many parts.
    Count(i64),
    /// Before each of these indices.
    Indices(Vec<i64>),
}

/// `split`: like `array_split`, and a count must divide the length.
pub fn split(array: &Array, sections: &Sections, axis: i64, flavour: Flavour) -> Result<Vec<Array>, ArrayError> {
    if let Sections::Count(count) = sections {
        let len = array.shape()[normalize_axis(axis, array.rank())?];
        if *count == 0 {
            return Err(ArrayError::ZeroDivision { message: "integer modulo by zero".into() });
        }
        if len as i64 % count != 0 {
            return Err(ArrayError::value(match flavour {
                Flavour::NumPy => "array split does not result in an equal division",
                Flavour::Dpnp => {
                    "indices_or_sections must divide the size along the axes.\nIf you want to split the array into non-equally-sized arrays, use array_split instead."
                }
            }));
        }
    }
    array_split(array, sections, axis)
}

/// `array_split`: the first parts are one longer if the count does not divide the length.
pub fn array_split(array: &Array, sections: &Sections, axis: i64) -> Result<Vec<Array>, ArrayError> {
    let axis = normalize_axis(axis, array.rank())?;
    let len = array.shape()[axis] as i64;
    let ends: Vec<(i64, i64)> = match sections {
        Sections::Count(count) if *count <= 0 => {
            return Err(ArrayError::value("number sections must be larger than 0."));
        }
        Sections::Count(count) => {
            let (each, longer) = (len / count, len % count);
            let start = |part: i64| part * each + part.min(longer);
            (0..*count).map(|part| (start(part), start(part + 1))).collect()
        }
        Sections::Indices(indices) => {
            let starts = std::iter::once(0).chain(indices.iter().copied());
            starts.zip(indices.iter().copied().chain([i64::MAX])).collect()
        }
    };
    ends.into_iter()
        .map(|(start, stop)| {
            // Indices follow the rules of slices: they may be negative, beyond the end, or out of order.
            let full = BasicIndex::Slice { start: None, stop: None, step: None };
            let stop = (stop != i64::MAX).then_some(stop);
            let part = BasicIndex::Slice { start: Some(start), stop, step: None };
            let items: Vec<BasicIndex> = std::iter::repeat_n(full, axis).chain([part]).collect();
            array.index(&items)
        })
        .collect()
}

/// `hsplit`.
pub fn hsplit(array: &Array, sections: &Sections, flavour: Flavour) -> Result<Vec<Array>, ArrayError> {
    check_rank(array, 1, "hsplit")?;
    split(array, sections, if array.rank() > 1 { 1 } else { 0 }, flavour)
}

/// `vsplit`.
pub fn vsplit(array: &Array, sections: &Sections, flavour: Flavour) -> Result<Vec<Array>, ArrayError> {
    check_rank(array, 2, "vsplit")?;
    split(array, sections, 0, flavour)
}

/// `dsplit`.
pub fn dsplit(array: &Array, sections: &Sections, flavour: Flavour) -> Result<Vec<Array>, ArrayError> {
    check_rank(array, 3, "dsplit")?;
    split(array, sections, 2, flavour)
}

fn check_rank(array: &Array, least: usize, function: &str) -> Result<(), ArrayError> {
    if array.rank() >= least {
        return Ok(());
    }
    Err(ArrayError::value(format!("{function} only works on arrays of {least} or more dimensions")))
}
