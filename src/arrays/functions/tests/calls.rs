//! Which function each name in the case files calls, with NumPy's rules.

use super::case::{Case, alloc};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::indexing::{self, Assigned, BoundsMode, Index};
use crate::arrays::functions::print::{self, PrintOptions};
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::functions::{creation, rearrange, shapes, sorting};
use crate::arrays::layout::{BasicIndex, Order};
use crate::arrays::op::Flavour::NumPy;
use crate::arrays::scalar::Scalar;

pub(super) fn text(array: &Array) -> Result<String, ArrayError> {
    print::repr(array, &PrintOptions::default())
}

pub(super) fn texts(arrays: &[Array]) -> Result<String, ArrayError> {
    Ok(arrays.iter().map(text).collect::<Result<Vec<_>, _>>()?.join(" & "))
}

fn order(letter: &str) -> Order {
    if letter == "F" { Order::F } else { Order::C }
}

fn mode(name: &str) -> BoundsMode {
    match name {
        "wrap" => BoundsMode::Wrap,
        "clip" => BoundsMode::Clip,
        _ => BoundsMode::Raise,
    }
}

/// Calls the function and prints what it gives.
pub(super) fn call(case: &Case) -> Result<String, ArrayError> {
    if let Some(text) = shape_call(case)
        .or_else(|| creation_call(case))
        .or_else(|| picking_call(case))
        .or_else(|| super::calls_joining::call(case))
        .or_else(|| super::calls_random::call(case))
        .or_else(|| super::calls_calculus::call(case))
        .or_else(|| super::calls_products::call(case))
        .or_else(|| super::calls_statistics::call(case))
        .or_else(|| super::calls_transforms::call(case))
    {
        return text;
    }
    panic!("no call for {}", case.name)
}

fn shape_call(case: &Case) -> Option<Result<String, ArrayError>> {
    let one = |result: Result<Array, ArrayError>| result.and_then(|array| text(&array));
    let many = |result: Result<Vec<Array>, ArrayError>| result.and_then(|arrays| texts(&arrays));
    let x = || case.array(0);
    let letter = |position| MemoryOrder::parse(case.text(position));
    Some(match case.name.as_str() {
        "reshape" => one(letter(2).and_then(|order| shapes::reshape(&x(), &case.ints(1), order, None, NumPy))),
        "ravel" => one(letter(1).and_then(|order| shapes::ravel(&x(), order))),
        "ravel_t" => one(letter(1).and_then(|order| shapes::ravel(&x().transposed(), order))),
        "transpose" => one(shapes::transpose(&x(), case.optional_ints(1).as_deref())),
        "swapaxes" => one(shapes::swapaxes(&x(), case.int(1), case.int(2))),
        "moveaxis" => one(shapes::moveaxis(&x(), &case.ints(1), &case.ints(2))),
        "rollaxis" => one(shapes::rollaxis(&x(), case.int(1), case.int(2))),
        "squeeze" => one(shapes::squeeze(&x(), case.optional_ints(1).as_deref(), NumPy)),
        "expand_dims" => one(shapes::expand_dims(&x(), &case.ints(1))),
        "broadcast_to" => one(shapes::broadcast_to(&x(), &case.lengths(1))),
        "broadcast_arrays" => {
            let arrays = case.arrays_from(0);
            many(shapes::broadcast_arrays(&arrays.iter().collect::<Vec<_>>()))
        }
        "atleast_1d" => one(shapes::atleast_1d(&x())),
        "atleast_2d" => one(shapes::atleast_2d(&x())),
        "atleast_3d" => one(shapes::atleast_3d(&x())),
        "flipud" => one(rearrange::flipud(&x(), NumPy)),
        "fliplr" => one(rearrange::fliplr(&x(), NumPy)),
        "flip" => one(rearrange::flip(&x(), case.optional_ints(1).as_deref())),
        "diagonal" => one(shapes::diagonal(&x(), case.int(1), case.int(2), case.int(3))),
        "rot90" => {
            let axes = case.ints(2);
            one(rearrange::rot90(&x(), case.int(1), (axes[0], axes[1]), NumPy))
        }
        "roll" => one(rearrange::roll(&x(), &case.ints(1), case.optional_ints(2).as_deref())),
        "tile" => one(rearrange::tile(&x(), &case.ints(1))),
        "repeat" => one(rearrange::repeat(&x(), &case.ints(1), case.optional_int(2), NumPy)),
        "resize" => one(rearrange::resize(&x(), &case.ints(1))),
        "trim_zeros" => one(rearrange::trim_zeros(&x(), case.text(1).contains('f'), case.text(1).contains('b'))),
        "sort" => one(sorting::sort(&x(), case.optional_int(1), false)),
        "argsort" => one(sorting::argsort(&x(), case.optional_int(1), false)),
        "lexsort" => {
            let keys = case.arrays_from(0);
            one(sorting::lexsort(&keys.iter().collect::<Vec<_>>(), -1))
        }
        _ => return None,
    })
}

fn creation_call(case: &Case) -> Option<Result<String, ArrayError>> {
    let one = |result: Result<Array, ArrayError>| result.and_then(|array| text(&array));
    let many = |result: Result<Vec<Array>, ArrayError>| result.and_then(|arrays| texts(&arrays));
    let number = |position| case.operand(position);
    Some(match case.name.as_str() {
        "arange" => one(creation::arange(number(0), number(1), number(2), case.optional_dtype(3), &alloc(), NumPy)),
        "linspace" => one(creation::linspace(
            number(0),
            number(1),
            case.int(2),
            case.truth(3),
            case.optional_dtype(4),
            &alloc(),
            NumPy,
        )
        .map(|(samples, _)| samples)),
        "linspace_arrays" => {
            one(creation::linspace_arrays(&case.array(0), &case.array(1), case.int(2), true, None, case.int(3), NumPy))
        }
        "logspace" => one(creation::logspace(
            number(0),
            number(1),
            case.int(2),
            case.truth(3),
            case.float(4),
            None,
            &alloc(),
            NumPy,
        )),
        "geomspace" => {
            one(creation::geomspace(number(0), number(1), case.int(2), case.truth(3), None, &alloc(), NumPy))
        }
        "eye" => one(creation::eye(
            case.int(0) as usize,
            Some(case.int(1) as usize),
            case.int(2),
            DType::Float64,
            Order::C,
            &alloc(),
        )),
        "tri" => {
            one(creation::tri(case.int(0) as usize, Some(case.int(1) as usize), case.int(2), DType::Float64, &alloc()))
        }
        "diag" => one(creation::diag(&case.array(0), case.int(1), NumPy)),
        "diagflat" => one(creation::diagflat(&case.array(0), case.int(1), NumPy)),
        "tril" => one(creation::tril(&case.array(0), case.int(1), NumPy)),
        "triu" => one(creation::triu(&case.array(0), case.int(1), NumPy)),
        "meshgrid" => many(creation::meshgrid(&[&case.array(0), &case.array(1)], case.truth(2), case.truth(3), true)),
        "indices" => one(creation::indices(&case.lengths(0), DType::Int64, &alloc())),
        "vander" => one(creation::vander(
            &case.array(0),
            case.optional_int(1).map(|columns| columns as usize),
            case.truth(2),
            NumPy,
        )),
        _ => return None,
    })
}

fn picking_call(case: &Case) -> Option<Result<String, ArrayError>> {
    let one = |result: Result<Array, ArrayError>| result.and_then(|array| text(&array));
    let many = |result: Result<Vec<Array>, ArrayError>| result.and_then(|arrays| texts(&arrays));
    let x = || case.array(0);
    let changed = |change: &dyn Fn(&Array) -> Result<(), ArrayError>| {
        let target = x();
        change(&target).and_then(|()| text(&target))
    };
    Some(match case.name.as_str() {
        "searchsorted" => one(indexing::searchsorted(&x(), &case.array(1), case.truth(2), None)),
        "digitize" => one(indexing::digitize(&x(), &case.array(1), case.truth(2))),
        "argwhere" => one(indexing::argwhere(&x())),
        "flatnonzero" => one(indexing::flatnonzero(&x())),
        "nonzero" => many(indexing::nonzero(&x())),
        "take" => one(indexing::take(&x(), &case.array(1), case.optional_int(2), mode(case.text(3)))),
        "take_along_axis" => {
            one(indexing::take_along_axis(&x(), &case.array(1), case.optional_int(2), BoundsMode::Raise))
        }
        "put" => changed(&|target| indexing::put(target, &case.array(1), &case.array(2), None, mode(case.text(3)))),
        "put_along_axis" => changed(&|target| {
            indexing::put_along_axis(target, &case.array(1), &case.array(2), case.optional_int(3), BoundsMode::Raise)
        }),
        "choose" => one(indexing::choose(&x(), &[&case.array(1), &case.array(2)], mode(case.text(3)))),
        "select" => one(indexing::select(&[&x(), &case.array(1)], &[&case.array(2), &case.array(3)], Scalar::Int(7))),
        "compress" => one(indexing::compress(&x(), &case.array(1), case.optional_int(2))),
        "extract" => one(indexing::extract(&x(), &case.array(1))),
        "place" => changed(&|target| indexing::place(target, &case.array(1), &case.array(2))),
        "putmask" => changed(&|target| indexing::putmask(target, &case.array(1), &case.array(2))),
        "copyto" => changed(&|target| indexing::copyto_where(target, &case.array(1), &case.array(2))),
        "fill_diagonal" => changed(&|target| indexing::fill_diagonal(target, &case.array(1), case.truth(2), NumPy)),
        "unravel_index" => many(indexing::unravel_index(&x(), &case.lengths(1), order(case.text(2)))),
        "ravel_multi_index" => one(indexing::ravel_multi_index(
            &[&x(), &case.array(1)],
            &case.lengths(2),
            &[mode(case.text(3))],
            order(case.text(4)),
        )),
        "get" => one(indexing::get(&x(), &items(case.text(1)))),
        "set" => changed(&|target| match case.array_or_number(2) {
            Ok(array) => indexing::set(target, &items(case.text(1)), &Assigned::Array(&array)),
            Err(number) => indexing::set(target, &items(case.text(1)), &Assigned::Scalar(number)),
        }),
        _ => return None,
    })
}

/// Reads a subscript: `1:2:` a slice, `i3` an integer, `n` None, `e` an ellipsis, `a2,1;0,1` integers, `m2;0,1` a mask.
fn items(text: &str) -> Vec<Index> {
    text.split(' ').filter(|word| !word.is_empty()).map(item).collect()
}

fn item(word: &str) -> Index {
    let array = |rest: &str| {
        let (shape, numbers) = rest.split_once(';').unwrap();
        let parse = |text: &str| -> Vec<i64> {
            text.split(',').filter(|number| !number.is_empty()).map(|number| number.parse().unwrap()).collect()
        };
        let shape: Vec<usize> = parse(shape).into_iter().map(|length| length as usize).collect();
        (shape, parse(numbers))
    };
    match word.as_bytes()[0] {
        b'i' => Index::Basic(BasicIndex::At(word[1..].parse().unwrap())),
        b'n' => Index::Basic(BasicIndex::NewAxis),
        b'e' => Index::Basic(BasicIndex::Ellipsis),
        b'a' => {
            let (shape, numbers) = array(&word[1..]);
            Index::Integers(Array::from_slice(&numbers, &shape, &alloc()).unwrap())
        }
        b'm' => {
            let (shape, numbers) = array(&word[1..]);
            let truths: Vec<bool> = numbers.iter().map(|number| *number != 0).collect();
            Index::Mask(Array::from_slice(&truths, &shape, &alloc()).unwrap())
        }
        _ => {
            let mut parts = word.split(':').map(|part| part.parse().ok());
            let mut next = || parts.next().flatten();
            Index::Basic(BasicIndex::Slice { start: next(), stop: next(), step: next() })
        }
    }
}
