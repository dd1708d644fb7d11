//! Views against NumPy's answers and against the definition, element by element.

use super::*;
use proptest::prelude::*;

fn slice(start: Option<i64>, stop: Option<i64>, step: Option<i64>) -> BasicIndex {
    BasicIndex::Slice { start, stop, step }
}

#[test]
fn slices_clamp_as_in_python() {
    let of = |start, stop, step, len| slice_range(start, stop, step, len).expect("a step that is not zero");
    assert_eq!(of(None, None, None, 5), SliceRange { start: 0, step: 1, len: 5 });
    assert_eq!(of(Some(-3), None, None, 5), SliceRange { start: 2, step: 1, len: 3 });
    assert_eq!(of(None, None, Some(-1), 5), SliceRange { start: 4, step: -1, len: 5 });
    assert_eq!(of(Some(10), Some(-10), Some(-2), 5), SliceRange { start: 4, step: -2, len: 3 });
    assert_eq!(of(Some(3), Some(1), None, 5).len, 0);
    assert_eq!(
        of(Some(i64::MIN), Some(i64::MAX), Some(i64::MAX), 5),
        SliceRange { start: 0, step: isize::MAX, len: 1 }
    );
    assert_eq!(slice_range(None, None, Some(0), 5), Err(ArrayError::value("slice step cannot be zero")));
}

#[test]
fn indexing_makes_numpys_views() {
    let layout = Layout::contiguous(&[2, 3, 4]);
    let view = layout.index(&[BasicIndex::At(-1), BasicIndex::Ellipsis, slice(None, None, Some(-2))]).expect("valid");
    assert_eq!((view.shape.as_slice(), view.strides.as_slice(), view.offset), (&[3, 2][..], &[4, -2][..], 15));
    let view = layout.index(&[BasicIndex::NewAxis, BasicIndex::Ellipsis, BasicIndex::NewAxis]).expect("valid");
    assert_eq!(view.shape.as_slice(), [1, 2, 3, 4, 1]);
    let messages: Vec<String> = [
        layout.index(&[BasicIndex::At(2)]),
        layout.index(&[BasicIndex::Ellipsis, BasicIndex::At(-5)]),
        layout.index(&[BasicIndex::At(0); 4]),
        layout.index(&[BasicIndex::Ellipsis; 2]),
    ]
    .into_iter()
    .map(|result| result.expect_err("invalid").to_string())
    .collect();
    assert_eq!(
        messages,
        [
            "index 2 is out of bounds for axis 0 with size 2",
            "index -5 is out of bounds for axis 2 with size 4",
            "too many indices for array: array is 3-dimensional, but 4 were indexed",
            "an index can only have a single ellipsis ('...')",
        ]
    );
}

#[test]
fn reshape_is_a_view_exactly_when_numpy_makes_one() {
    let base = Layout::contiguous(&[4, 6]);
    assert!(base.transposed().reshaped(&[24], Order::C).is_none());
    assert!(base.transposed().reshaped(&[24], Order::F).is_some());
    assert_eq!(base.transposed().reshaped(&[2, 3, 4], Order::C).expect("splits an axis").strides.as_slice(), [3, 1, 6]);
    let columns = base.index(&[slice(None, None, None), slice(Some(0), Some(3), None)]).expect("valid");
    assert!(columns.reshaped(&[12], Order::C).is_none());
    assert!(columns.reshaped(&[2, 2, 3, 1], Order::C).is_some());
    let even = Layout::contiguous(&[12]).index(&[slice(None, None, Some(2))]).expect("valid");
    assert_eq!(even.reshaped(&[2, 3], Order::C).expect("a strided line folds").strides.as_slice(), [6, 2]);
    assert!(Layout::contiguous(&[0, 3]).reshaped(&[3, 0], Order::C).is_some());
}

#[test]
fn broadcasting_errors_name_every_shape() {
    assert_eq!(broadcast_shapes(&[&[3, 1], &[4], &[]]).expect("compatible").as_slice(), [3, 4]);
    assert_eq!(broadcast_shapes(&[&[0, 1], &[1]]).expect("compatible").as_slice(), [0, 1]);
    let error = broadcast_shapes(&[&[2, 3], &[4]]).expect_err("3 against 4");
    assert_eq!(error.to_string(), "operands could not be broadcast together with shapes (2,3) (4,) ");
    let error = Layout::contiguous(&[3]).broadcast_to(&[2]).expect_err("3 into 2");
    assert_eq!(error.to_string(), "could not broadcast input array from shape (3,) into shape (2,)");
}

#[test]
fn combs_do_not_overlap_and_windows_do() {
    let line = Layout::contiguous(&[10]);
    let part = |start, stop, step| line.index(&[slice(Some(start), stop, Some(step))]).expect("valid");
    assert!(!part(0, None, 2).may_overlap(&part(1, None, 2)));
    assert!(!part(0, Some(5), 1).may_overlap(&part(5, None, 1)));
    assert!(part(0, Some(6), 1).may_overlap(&part(5, None, 1)));
    assert!(!part(0, None, 3).shares_element(&part(1, Some(3), 1)));
    let far = Layout::contiguous(&[1 << 20, 1 << 20]);
    let column =
        |from: i64| far.index(&[slice(None, None, None), slice(Some(from), Some(from + 2), None)]).expect("valid");
    assert!(!column(0).shares_element(&column(2)) && column(0).shares_element(&column(1)));
    let endless = line.index(&[BasicIndex::At(9)]).and_then(|one| one.broadcast_to(&[1 << 40])).expect("valid");
    assert!(endless.shares_element(&line) && !endless.shares_element(&part(0, None, 2)));
    let ends = line.in_bytes(8).index(&[slice(None, None, None), slice(Some(7), None, None)]).expect("valid");
    let between = |from| Layout::contiguous(&[80]).index(&[slice(Some(from), None, Some(8))]).expect("valid");
    assert!(!ends.shares_element(&between(3)) && ends.shares_element(&between(7)));
    assert!(line.broadcast_to(&[3, 10]).expect("valid").overlaps_itself());
    assert!(!Layout::contiguous(&[3, 4]).transposed().overlaps_itself());
}

/// A view made by a few random slices and a transpose of a small array.
fn any_view() -> impl Strategy<Value = Layout> {
    let axis = (0usize..4, -5i64..5, -5i64..5, prop_oneof![Just(-2i64), Just(-1), Just(1), Just(2)]);
    (prop::collection::vec(axis, 1..4), any::<bool>()).prop_map(|(axes, flip)| {
        let shape: Vec<usize> = axes.iter().map(|axis| axis.0).collect();
        let items: Vec<BasicIndex> =
            axes.iter().map(|axis| slice(Some(axis.1), (axis.2 != 0).then_some(axis.2), Some(axis.3))).collect();
        let view = Layout::contiguous(&shape).index(&items).expect("slices never fail");
        if flip { view.transposed() } else { view }
    })
}

proptest! {
    #[test]
    fn views_stay_inside_and_positions_agree(view in any_view()) {
        let positions: Vec<usize> = view.positions().collect();
        prop_assert_eq!(positions.len(), view.len_elements());
        let bounds = positions.iter().min().copied().zip(positions.iter().max().copied());
        prop_assert_eq!(bounds, view.bounds());
        for (flat, &position) in positions.iter().enumerate() {
            prop_assert_eq!(view.position_flat(flat), position);
            prop_assert_eq!(view.position(&view.unravel(flat)), position);
        }
        let coalesced: Vec<usize> = view.coalesced().positions().collect();
        prop_assert_eq!(coalesced, positions.clone());
        let contiguous = positions.windows(2).all(|pair| pair[1] == pair[0] + 1);
        prop_assert_eq!(view.is_c_contiguous(), contiguous);
    }

    #[test]
    fn a_reshaped_view_visits_the_same_elements(view in any_view()) {
        let len = view.len_elements();
        for shape in [vec![len], vec![1, len], vec![len, 1]] {
            if let Some(reshaped) = view.reshaped(&shape, Order::C) {
                prop_assert!(reshaped.positions().eq(view.positions()));
            }
        }
    }

    #[test]
    fn overlap_never_misses_a_shared_element(a in any_view(), b in any_view()) {
        let shared = a.positions().any(|position| b.positions().any(|other| other == position));
        prop_assert_eq!(a.shares_element(&b), shared);
        if shared {
            prop_assert!(a.may_overlap(&b));
        }
        let repeats = { let mut seen: Vec<usize> = a.positions().collect(); let n = seen.len(); seen.sort_unstable(); seen.dedup(); seen.len() != n };
        if repeats {
            prop_assert!(a.overlaps_itself());
        }
    }
}
