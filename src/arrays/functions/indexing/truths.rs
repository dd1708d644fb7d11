//! Walking along the elements that are true: of a mask, or not zero. Most masks are sparse or patchy, so flags are looked
//! at a block at a time; what a block holds is found without a branch an element.

use crate::arrays::attention;
use crate::arrays::error::ArrayError;
use crate::arrays::layout::Layout;

/// Flags looked at together.
const BLOCK: usize = 64;

/// Elements between two looks at whether the work is wanted still.
const POLL_EVERY: usize = 1 << 16;

/// Calls `work(line, at)` for every element for which `holds`, in the order of the layout: `line` counts its lines along
/// the last axis, `at` the elements of the line. A layout without axes is one line of one element.
pub(super) fn for_each<T: Copy>(
    elements: &[T],
    layout: &Layout,
    holds: impl Fn(T) -> bool,
    mut work: impl FnMut(usize, usize),
) -> Result<(), ArrayError> {
    if layout.is_empty() {
        return Ok(());
    }
    let mut lines = layout.clone();
    let (len, stride) = match (lines.shape.pop(), lines.strides.pop()) {
        (Some(len), Some(stride)) => (len, stride),
        _ => (1, 1),
    };
    let mut since_poll = 0;
    for (line, offset) in lines.positions().enumerate() {
        let mut begin = 0;
        while begin < len {
            since_poll += BLOCK;
            if since_poll >= POLL_EVERY {
                attention::check()?;
                since_poll = 0;
            }
            let block = BLOCK.min(len - begin);
            let (found, count) = if stride == 1 {
                in_block(elements[offset + begin..][..block].iter().map(|element| holds(*element)))
            } else {
                let place = |at: usize| offset.wrapping_add_signed(stride * at as isize);
                in_block((begin..begin + block).map(|at| holds(elements[place(at)])))
            };
            for at in &found[..count] {
                work(line, begin + usize::from(*at));
            }
            begin += block;
        }
    }
    Ok(())
}

/// The numbers of the flags that are set, of at most [`BLOCK`], and how many they are.
fn in_block(flags: impl Iterator<Item = bool>) -> ([u8; BLOCK], usize) {
    let mut found = [0; BLOCK];
    let mut count = 0;
    for (at, flag) in flags.enumerate() {
        found[count] = at as u8;
        count += usize::from(flag);
    }
    (found, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_true_element_is_met_once_and_in_order() {
        for (rows, columns) in [(1, 1), (1, 63), (1, 64), (3, 65), (7, 130), (0, 5), (5, 0)] {
            let flags: Vec<bool> = (0..rows * columns).map(|at| at % 3 == 0 || at % 7 == 1).collect();
            let layout = Layout::contiguous(&[rows, columns]);
            let mut met = Vec::new();
            for_each(&flags, &layout, |flag| flag, |line, at| met.push(line * columns + at)).unwrap();
            let wanted: Vec<usize> = (0..rows * columns).filter(|at| flags[*at]).collect();
            assert_eq!(met, wanted, "{rows} x {columns}");
            let mut met = Vec::new();
            for_each(&flags, &layout.transposed(), |flag| flag, |line, at| met.push((line, at))).unwrap();
            let wanted: Vec<(usize, usize)> = (0..columns)
                .flat_map(|column| (0..rows).map(move |row| (column, row)))
                .filter(|(column, row)| flags[row * columns + column])
                .collect();
            assert_eq!(met, wanted, "{columns} x {rows}, against the memory");
        }
        let mut met = 0;
        for_each(&[true], &Layout::contiguous(&[]), |flag| flag, |_, _| met += 1).unwrap();
        assert_eq!(met, 1, "an array without axes");
    }
}
