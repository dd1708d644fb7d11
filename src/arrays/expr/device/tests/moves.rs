//! Elements picked, placed and sorted.

use super::*;
use crate::arrays::account;
use crate::arrays::functions::indexing::{self, Assigned, BoundsMode, Index};
use crate::arrays::functions::sorting;
use crate::arrays::layout::Order;

#[test]
fn picking_and_placing_agree() {
    compare("moves::picking_and_placing_agree", |device, native| {
        let mut found = Vec::new();
        let full = || Index::Basic(slice(None, None, 1));
        let integers = |values: &[i64], shape: &[usize], alloc: &Alloc| {
            Index::Integers(Array::from_slice(values, shape, alloc).expect("memory"))
        };
        let mask = |array: &Array| {
            let bound = Expr::scalar(Operand::Weak(Scalar::Int(1)));
            let mask = Expr::apply(Op::Greater, &[Expr::array(array), bound], Flavour::Dpnp);
            mask.and_then(|mask| mask.evaluate()).expect("compares")
        };
        type Subscript<'a> = Box<dyn Fn(&Array, &Alloc) -> Vec<Index> + 'a>;
        let subscripts: Vec<(&str, Subscript<'_>)> = vec![
            ("rows", Box::new(|_, alloc| vec![integers(&[3, -1, 0, 3], &[4], alloc)])),
            ("columns", Box::new(|_, alloc| vec![full(), integers(&[1, -2], &[2], alloc)])),
            ("pairs", Box::new(|_, alloc| vec![integers(&[0, 5, 2], &[3], alloc), integers(&[1, 6, -1], &[3], alloc)])),
            (
                "a grid",
                Box::new(|_, alloc| vec![integers(&[0, 5], &[2, 1], alloc), integers(&[1, 6, -1], &[3], alloc)]),
            ),
            (
                "backwards rows",
                Box::new(|_, alloc| vec![integers(&[4, 2], &[2], alloc), Index::Basic(slice(None, None, -2))]),
            ),
            ("a mask", Box::new(|array, _| vec![Index::Mask(mask(array))])),
            (
                "a mask of rows",
                Box::new(|array, _| {
                    vec![Index::Mask(mask(&array.index(&[slice(None, None, 1), BasicIndex::At(0)]).expect("inside")))]
                }),
            ),
            ("no rows", Box::new(|_, alloc| vec![integers(&[], &[0], alloc)])),
        ];
        for dtype in [DType::Int32, DType::Bool, DType::Float16, DType::Float64, DType::Complex128] {
            for turned in [false, true] {
                let on = |alloc: &Alloc| {
                    let array = counting(&[7, 9], dtype, alloc);
                    if turned {
                        array.transposed().index(&[slice(None, Some(7), 1), slice(None, None, -1)]).expect("inside")
                    } else {
                        array
                    }
                };
                for (name, subscript) in &subscripts {
                    let name = format!("{name} of {dtype}{}", if turned { ", turned" } else { "" });
                    let got = |alloc: &Alloc| {
                        let array = on(alloc);
                        indexing::get(&array, &subscript(&array, alloc)).expect("selects")
                    };
                    found.push(differences(&name, &got(device), &got(native), 0.0));
                    let set = |alloc: &Alloc, by_array: bool| {
                        let array = on(alloc);
                        let items = subscript(&array, alloc);
                        let values = indexing::get(&array, &items).expect("selects");
                        let values =
                            Expr::apply(Op::Equal, &[Expr::array(&values), Expr::array(&values)], Flavour::Dpnp);
                        let values = values.and_then(|value| value.cast(dtype).evaluate()).expect("compares");
                        let scalar = Assigned::Scalar(Operand::Typed(Scalar::Int(1).cast(dtype), dtype));
                        let value = if by_array { Assigned::Array(&values) } else { scalar };
                        indexing::set(&array, &items, &value).expect("places");
                        array
                    };
                    for by_array in [false, true] {
                        let name = format!("placing {by_array} {name}");
                        found.push(differences(&name, &set(device, by_array), &set(native, by_array), 0.0));
                    }
                }
            }
        }
        let outside = |alloc: &Alloc| {
            let array = counting(&[7, 9], DType::Int32, alloc);
            indexing::get(&array, &[full(), integers(&[1, 9, -10], &[3], alloc)]).expect_err("outside").to_string()
        };
        assert_eq!(outside(device), outside(native));
        no_differences(found);
    });
}

/// What the functions that pick and place by positions do to an array, in one row of results.
fn by_positions(array: &dyn Fn() -> Array, alloc: &Alloc) -> Vec<(String, Array)> {
    let integers = |values: &[i64], shape: &[usize]| Array::from_slice(values, shape, alloc).expect("memory");
    let mut results = Vec::new();
    let like = |len: usize, from: i64| {
        let values: Vec<i64> = (0..len as i64).map(|value| value % 5 + from).collect();
        Expr::array(&integers(&values, &[len])).cast(array().dtype()).evaluate().expect("numbers")
    };
    for mode in [BoundsMode::Raise, BoundsMode::Wrap, BoundsMode::Clip, BoundsMode::Negative] {
        // The second and the last select the same, and what is written last stays; modes other than the first take what is outside.
        let far = if mode == BoundsMode::Raise { 2 } else { 77 };
        let indices = integers(&[2, -1, far, 5, 3, 4, -1, 2], &[2, 4]);
        for axis in [None, Some(0), Some(1)] {
            let taken = indexing::take(&array(), &indices, axis, mode).expect("inside");
            results.push((format!("take {axis:?} {mode:?}"), taken));
        }
        for count in [1, 3, 8, 11] {
            let target = array();
            indexing::put(&target, &indices, &like(count, 1), None, mode).expect("inside");
            results.push((format!("put of {count} {mode:?}"), target));
        }
        for axis in [0, 1] {
            let target = array();
            let line = integers(&[3, -1, far, 3], &[4]);
            let mut shape = target.shape().to_vec();
            shape[axis as usize] = 4;
            let values = like(shape.iter().product(), 2);
            let values = values.view(crate::arrays::layout::Layout::contiguous(&shape));
            indexing::put(&target, &line, &values, Some(axis), mode).expect("inside");
            results.push((format!("put along {axis} {mode:?}"), target));
            let (rows, columns) = (array().shape()[0], array().shape()[1]);
            let shape = if axis == 0 { [3, columns] } else { [rows, 3] };
            let places: Vec<i64> = (0..shape[0] * shape[1]).map(|i| [3, far, -2][i % 3]).collect();
            let places = integers(&places, &shape);
            let taken = indexing::take_along_axis(&array(), &places, Some(axis), mode).expect("inside");
            results.push((format!("take along {axis} {mode:?}"), taken));
            let target = array();
            let values = like(shape[0] * shape[1], 1).view(crate::arrays::layout::Layout::contiguous(&shape));
            indexing::put_along_axis(&target, &places, &values, Some(axis), mode).expect("inside");
            results.push((format!("put along lines of {axis} {mode:?}"), target));
            let one = if axis == 0 { [3, 1] } else { [1, 3] };
            let broadcast = integers(&[1, 0, 1], &one);
            let taken = indexing::take_along_axis(&array(), &broadcast, Some(axis), mode).expect("inside");
            results.push((format!("take along {axis}, broadcast {mode:?}"), taken));
        }
    }
    results.push(("argwhere".into(), indexing::argwhere(&array()).expect("found")));
    results.push(("flatnonzero".into(), indexing::flatnonzero(&array()).expect("found")));
    let count = indexing::count_nonzero(&array()).expect("counted") as i64;
    results.push(("count_nonzero".into(), integers(&[count], &[1])));
    results
}

#[test]
fn functions_by_positions_agree_and_need_no_host() {
    compare("moves::functions_by_positions_agree_and_need_no_host", |device, native| {
        let mut found = Vec::new();
        for dtype in [DType::Int32, DType::Bool, DType::Float16, DType::Float64, DType::Complex128] {
            for turned in [false, true] {
                let on = |alloc: &Alloc| {
                    let array = counting(&[7, 9], dtype, alloc);
                    if turned {
                        let turned = array.transposed().index(&[slice(None, Some(7), 1), slice(None, None, -1)]);
                        turned.expect("inside")
                    } else {
                        array
                    }
                };
                account::begin_cell(1);
                let on_device = ledger::with_op("moved", || by_positions(&|| on(device), device));
                let account = account::end_cell();
                assert_eq!(account.host_fallbacks, [], "{dtype}");
                for ((name, found_there), (_, wanted)) in on_device.iter().zip(by_positions(&|| on(native), native)) {
                    found.push(differences(&format!("{name} of {dtype}, {turned}"), found_there, &wanted, 0.0));
                }
            }
        }
        let outside = |alloc: &Alloc| {
            let array = counting(&[7, 9], DType::Int32, alloc);
            let indices = Array::from_slice(&[1i64, 9, -10], &[3], alloc).expect("memory");
            let error = indexing::put(&array, &indices, &indices, Some(1), BoundsMode::Raise).expect_err("outside");
            (error.to_string(), array.to_vec::<i32>().expect("readable"))
        };
        assert_eq!(outside(device), outside(native));
        no_differences(found);
    });
}

#[test]
fn the_last_of_many_values_for_one_place_stays() {
    compare("moves::the_last_of_many_values_for_one_place_stays", |device, native| {
        // Many work-groups write to few places.
        let placed = |alloc: &Alloc| {
            let array = counting(&[13, 3], DType::Int64, alloc);
            let indices: Vec<i64> = (0..100_000).map(|i| i * i % 13).collect();
            let indices = Array::from_slice(&indices, &[100_000], alloc).expect("memory");
            let values = Array::from_slice(&(0..300_000).collect::<Vec<i64>>(), &[100_000, 3], alloc).expect("memory");
            indexing::set(&array, &[Index::Integers(indices)], &Assigned::Array(&values)).expect("inside");
            array
        };
        account::begin_cell(1);
        let there = placed(device);
        assert_eq!(account::end_cell().host_fallbacks, []);
        no_differences(vec![differences("the last", &there, &placed(native), 0.0)]);
    });
}

#[test]
fn choosing_by_condition_agrees_and_needs_no_host() {
    compare("moves::choosing_by_condition_agrees_and_needs_no_host", |device, native| {
        let chosen = |alloc: &Alloc| -> Vec<Array> {
            let array = counting(&[5, 4], DType::Float32, alloc);
            let selector = Array::from_slice(&[0i64, 1, 2, 1, 0], &[5, 1], alloc).expect("memory");
            let choices =
                [array.clone(), counting(&[4], DType::Int16, alloc), counting(&[5, 1], DType::Float32, alloc)];
            let choices: Vec<&Array> = choices.iter().collect();
            let mut results = vec![indexing::choose(&selector, &choices, BoundsMode::Raise).expect("chosen")];
            let far = Array::from_slice(&[-7i64, 8, 2, 1, 0], &[5, 1], alloc).expect("memory");
            for mode in [BoundsMode::Wrap, BoundsMode::Clip, BoundsMode::Negative] {
                results.push(indexing::choose(&far, &choices, mode).expect("chosen"));
            }
            let mask = Array::from_slice(&[true, false, true, false, true], &[5, 1], alloc).expect("memory");
            let target = counting(&[5, 4], DType::Int32, alloc);
            indexing::copyto_where(&target, &array, &mask).expect("copied");
            results.push(target);
            let flat = Array::from_slice(&[7i64, 0, 19], &[3], alloc).expect("memory");
            results.extend(indexing::unravel_index(&flat, &[5, 4], crate::arrays::layout::Order::C).expect("inside"));
            results
        };
        account::begin_cell(1);
        let there = ledger::with_op("chosen", || chosen(device));
        assert_eq!(account::end_cell().host_fallbacks, []);
        let pairs = there.iter().zip(chosen(native)).enumerate();
        no_differences(pairs.map(|(i, (there, here))| differences(&format!("{i}"), there, &here, 0.0)).collect());
        let outside = |alloc: &Alloc| {
            let flat = Array::from_slice(&[7i64, 20], &[2], alloc).expect("memory");
            indexing::unravel_index(&flat, &[5, 4], crate::arrays::layout::Order::C).expect_err("outside").to_string()
        };
        assert_eq!(outside(device), outside(native));
    });
}

#[test]
fn sorting_agrees() {
    compare("moves::sorting_agrees", |device, native| {
        let mut found = Vec::new();
        for dtype in
            [DType::Bool, DType::Int16, DType::UInt64, DType::Float16, DType::Float32, DType::Float64, DType::Complex64]
        {
            for (shape, axis) in [(&[1usize][..], Some(0)), (&[1700], None), (&[3, 600], Some(1)), (&[40, 5], Some(0))]
            {
                for descending in [false, true] {
                    let name = format!("of {dtype} {shape:?} {descending}");
                    let with_nan = |alloc: &Alloc| {
                        let array = counting(shape, dtype, alloc);
                        if dtype.is_inexact() && array.len_elements() > 10 {
                            let flat = array.view(crate::arrays::Layout::contiguous(&[array.len_elements()]));
                            flat.write_scalar(&[5], Scalar::Float(f64::NAN)).expect("inside");
                            flat.write_scalar(&[7], Scalar::Float(-0.0)).expect("inside");
                        }
                        array
                    };
                    let sorted = |alloc: &Alloc| sorting::sort(&with_nan(alloc), axis, descending).expect("sorts");
                    let order = |alloc: &Alloc| sorting::argsort(&with_nan(alloc), axis, descending).expect("sorts");
                    found.push(differences(&format!("sort {name}"), &sorted(device), &sorted(native), 0.0));
                    found.push(differences(&format!("argsort {name}"), &order(device), &order(native), 0.0));
                }
            }
        }
        no_differences(found);
    });
}

#[test]
fn places_in_sorted_lines_and_flat_positions_agree() {
    compare("moves::places_in_sorted_lines_and_flat_positions_agree", |device, native| {
        let mut found = Vec::new();
        for dtype in [DType::Float64, DType::Float32, DType::Int16, DType::UInt64, DType::Bool, DType::Complex128] {
            for right in [false, true] {
                for len in [0usize, 1, 37, 300] {
                    let on = |alloc: &Alloc| {
                        let mut sorted = values(dtype);
                        sorted.sort_by(|a, b| {
                            dispatch!(dtype, T => {
                                sorting::SortKey::order(&T::from_scalar(*a), &T::from_scalar(*b))
                            })
                        });
                        sorted.truncate(len);
                        let sorted = array(&sorted, &[sorted.len()], dtype, alloc);
                        let wanted = values(dtype);
                        let wanted = array(&wanted, &[wanted.len()], dtype, alloc);
                        indexing::searchsorted(&sorted, &wanted, right, None).expect("finds")
                    };
                    found.push(differences(&format!("{len} {dtype}, {right}"), &on(device), &on(native), 0.0));
                }
            }
        }
        for (step, right) in [(1, false), (1, true), (-1, false), (-1, true)] {
            let on = |alloc: &Alloc| {
                let bins = array(&[-3, 0, 0, 2, 9].map(Scalar::Int), &[5], DType::Int64, alloc);
                let bins = bins.index(&[slice(None, None, step)]).expect("inside");
                indexing::digitize(&counting(&[6, 11], DType::Float64, alloc), &bins, right).expect("finds")
            };
            found.push(differences(&format!("bins by {step}, {right}"), &on(device), &on(native), 0.0));
        }
        for mode in [BoundsMode::Raise, BoundsMode::Wrap, BoundsMode::Clip, BoundsMode::Negative] {
            let on = |alloc: &Alloc| {
                let least = if mode == BoundsMode::Raise { 0 } else { -9 };
                let rows: Vec<Scalar> =
                    (0..12).map(|i| Scalar::Int(if least < 0 { i * 3 - 17 } else { i % 4 })).collect();
                let (rows, columns) =
                    (array(&rows, &[3, 4], DType::Int32, alloc), array(&rows[..4], &[4], DType::Int64, alloc));
                let flat = |mode| indexing::ravel_multi_index(&[&rows, &columns], &[4, 7], &[mode], Order::C);
                if least < 0 {
                    assert!(flat(BoundsMode::Raise).is_err(), "an index outside");
                }
                flat(mode).expect("inside")
            };
            account::begin_cell(1);
            let answer = on(device);
            let account = account::end_cell();
            assert!(account.host_fallbacks.is_empty(), "{account:?}");
            found.push(differences(&format!("{mode:?}"), &answer, &on(native), 0.0));
        }
        no_differences(found);
    });
}
