//! A stable sort of one line in steps: pieces that a core's cache holds by the standard library's sort, then merges. Threads share
//! both, and between two steps of a few milliseconds an interrupt is seen.
//!
//! Elements and their order are the caller's; of arrays it knows nothing.

use std::cmp::Ordering;

use crate::arrays::attention::Attention;
use crate::arrays::error::ArrayError;

/// Elements that are sorted in one step.
const PIECE: usize = 1 << 16;

/// Elements that are merged in one step.
const RUN: usize = 1 << 17;

/// Sorts in a total order; equal elements keep theirs.
/// After an error the line holds some of its elements twice.
pub(super) fn sort<T, O>(line: &mut [T], order: &O, attention: &Attention) -> Result<(), ArrayError>
where
    T: Copy + Send + Sync,
    O: Fn(&T, &T) -> Ordering + Sync,
{
    if line.len() <= PIECE {
        line.sort_by(order);
        return Ok(());
    }
    let mut other = line.to_vec();
    sort_halves(line, &mut other, false, order, attention)
}

/// Sorts `line`, with `other` as room of the same length; the result is in one of them, as asked.
fn sort_halves<T, O>(
    line: &mut [T],
    other: &mut [T],
    ends_in_other: bool,
    order: &O,
    attention: &Attention,
) -> Result<(), ArrayError>
where
    T: Copy + Send + Sync,
    O: Fn(&T, &T) -> Ordering + Sync,
{
    attention.check()?;
    if line.len() <= PIECE {
        line.sort_by(order);
        if ends_in_other {
            other.copy_from_slice(line);
        }
        return Ok(());
    }
    let middle = line.len() / 2;
    {
        let (line, other) = (line.split_at_mut(middle), other.split_at_mut(middle));
        let (left, right) = rayon::join(
            || sort_halves(line.0, other.0, !ends_in_other, order, attention),
            || sort_halves(line.1, other.1, !ends_in_other, order, attention),
        );
        left.and(right)?;
    }
    let (from, to) = if ends_in_other { (line, other) } else { (other, line) };
    merge(&from[..middle], &from[middle..], to, order, attention)
}

/// Merges two sorted runs; of equal elements those of the left run come first.
fn merge<T, O>(left: &[T], right: &[T], to: &mut [T], order: &O, attention: &Attention) -> Result<(), ArrayError>
where
    T: Copy + Send + Sync,
    O: Fn(&T, &T) -> Ordering + Sync,
{
    attention.check()?;
    if to.len() <= RUN {
        merge_run(left, right, to, order);
        return Ok(());
    }
    let first = to.len() / 2;
    let of_left = share(left, right, first, order);
    let (left, right) = (left.split_at(of_left), right.split_at(first - of_left));
    let to = to.split_at_mut(first);
    let (one, two) = rayon::join(
        || merge(left.0, right.0, to.0, order, attention),
        || merge(left.1, right.1, to.1, order, attention),
    );
    one.and(two)
}

/// How many of the first `first` elements of the merged run come from the left one.
fn share<T, O: Fn(&T, &T) -> Ordering>(left: &[T], right: &[T], first: usize, order: &O) -> usize {
    let (mut low, mut high) = (first.saturating_sub(right.len()), first.min(left.len()));
    while low < high {
        let middle = low.midpoint(high);
        if order(&right[first - middle - 1], &left[middle]).is_lt() { high = middle } else { low = middle + 1 }
    }
    low
}

/// Without a branch that depends on the elements: which run is next is as good as random.
fn merge_run<T: Copy, O: Fn(&T, &T) -> Ordering>(mut left: &[T], mut right: &[T], to: &mut [T], order: &O) {
    let (mut of_left, mut of_right) = (0, 0);
    let mut places = to.iter_mut();
    while of_left < left.len() && of_right < right.len() {
        let Some(place) = places.next() else { return };
        let (one, other) = (left[of_left], right[of_right]);
        let takes_right = order(&other, &one).is_lt();
        *place = if takes_right { other } else { one };
        of_left += usize::from(!takes_right);
        of_right += usize::from(takes_right);
    }
    (left, right) = (&left[of_left..], &right[of_right..]);
    places.into_slice().copy_from_slice(if left.is_empty() { right } else { left });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(len: usize, different: u64) -> Vec<(u64, usize)> {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % different
        };
        (0..len).map(|place| (next(), place)).collect()
    }

    #[test]
    fn long_lines_come_out_as_from_the_standard_library() {
        for (len, different) in [(0, 1), (PIECE, 9), (PIECE + 1, u64::MAX), (3 * RUN + 5, 3), (8 * RUN, 1 << 40)] {
            let mut line = numbers(len, different);
            let mut expected = line.clone();
            expected.sort_by_key(|(number, _)| *number);
            sort(&mut line, &|one, other| one.0.cmp(&other.0), &Attention::default()).expect("nobody interrupts");
            assert!(line == expected, "{len} elements, {different} different");
        }
    }

    #[test]
    fn an_interrupt_ends_a_sort() {
        let (attention, mut line) = (Attention::default(), numbers(4 * PIECE, 1000));
        attention.interrupt();
        let ended = sort(&mut line, &|one, other| one.0.cmp(&other.0), &attention);
        assert!(matches!(ended, Err(ArrayError::Interrupted)));
    }

    proptest! {
        #[test]
        fn a_merge_is_stable_however_it_is_cut(
            mut left in proptest::collection::vec(0..5, 0..40),
            mut right in proptest::collection::vec(0..5, 0..40),
            cut in 0.0..=1.0,
        ) {
            left.sort_unstable();
            right.sort_unstable();
            let left: Vec<(i32, usize)> = left.into_iter().enumerate().map(|(place, number)| (number, place)).collect();
            let right: Vec<(i32, usize)> = right.into_iter().enumerate().map(|(place, number)| (number, 100 + place)).collect();
            let order = |one: &(i32, usize), other: &(i32, usize)| one.0.cmp(&other.0);
            let mut expected = [left.clone(), right.clone()].concat();
            expected.sort_by_key(|(number, _)| *number);
            let first = (expected.len() as f64 * cut) as usize;
            let of_left = share(&left, &right, first, &order);
            let mut merged = vec![(0, 0); expected.len()];
            merge_run(&left[..of_left], &right[..first - of_left], &mut merged[..first], &order);
            merge_run(&left[of_left..], &right[first - of_left..], &mut merged[first..], &order);
            prop_assert_eq!(merged, expected);
        }
    }
}
