//! Elements picked, placed and sorted.

use super::*;
use crate::arrays::functions::indexing::{self, Assigned, Index};
use crate::arrays::functions::sorting;

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
                for axis in [None, Some(0), Some(1)] {
                    let taken = |alloc: &Alloc| {
                        let indices = Array::from_slice(&[2i32, -1, 0, 5], &[2, 2], alloc).expect("memory");
                        indexing::take(&on(alloc), &indices, axis, indexing::BoundsMode::Raise).expect("inside")
                    };
                    found.push(differences(
                        &format!("take of {dtype} along {axis:?}"),
                        &taken(device),
                        &taken(native),
                        0.0,
                    ));
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
