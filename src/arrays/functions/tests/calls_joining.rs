//! Calls of joins, splits and sets.

use super::calls::{text, texts};
use super::case::Case;
use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::joining::{self, Blocks, JoinOptions, Places};
use crate::arrays::functions::sets::{self, Unique, UniqueOptions};
use crate::arrays::functions::splitting::{self, Sections};
use crate::arrays::op::Flavour::NumPy;

pub(super) fn call(case: &Case) -> Option<Result<String, ArrayError>> {
    let one = |result: Result<Array, ArrayError>| result.and_then(|array| text(&array));
    let many = |result: Result<Vec<Array>, ArrayError>| result.and_then(|arrays| texts(&arrays));
    let plain = JoinOptions::plain(NumPy);
    let x = || case.array(0);
    let y = || case.array(1);
    let all = || case.arrays_from(0);
    fn refs(arrays: &[Array]) -> Vec<&Array> {
        arrays.iter().collect()
    }
    let unique_text = |found: Result<Unique, ArrayError>| {
        found.and_then(|found| {
            texts(&[found.values, found.indices.unwrap(), found.inverse.unwrap(), found.counts.unwrap()])
        })
    };
    let options = |equal_nan| UniqueOptions { index: true, inverse: true, counts: true, equal_nan };
    let sections = || match case.is_list(1) {
        true => Sections::Indices(case.ints(1)),
        false => Sections::Count(case.int(1)),
    };
    let axis = || case.int(2);
    let places = || match case.array_or_number(1) {
        Ok(array) => Places::Array(array),
        Err(_) => Places::At(case.int(1)),
    };
    Some(match case.name.as_str() {
        "concatenate" => one(joining::concatenate(&refs(&case.arrays_from(1)), case.optional_int(0), plain)),
        "stack" => one(joining::stack(&refs(&case.arrays_from(1)), case.int(0), plain)),
        "vstack" => one(joining::vstack(&refs(&all()), plain)),
        "hstack" => one(joining::hstack(&refs(&all()), plain)),
        "dstack" => one(joining::dstack(&refs(&all()), plain)),
        "column_stack" => one(joining::column_stack(&refs(&all()), plain)),
        "append" => one(joining::append(&x(), &y(), case.optional_int(2), NumPy)),
        "block" => {
            let rows =
                all().chunks(2).map(|row| Blocks::List(row.iter().cloned().map(Blocks::Array).collect())).collect();
            one(joining::block(&Blocks::List(rows), NumPy))
        }
        "split" => many(splitting::split(&x(), &sections(), axis(), NumPy)),
        "array_split" => many(splitting::array_split(&x(), &sections(), axis())),
        "hsplit" => many(splitting::hsplit(&x(), &sections(), NumPy)),
        "vsplit" => many(splitting::vsplit(&x(), &sections(), NumPy)),
        "dsplit" => many(splitting::dsplit(&x(), &sections(), NumPy)),
        "delete" => one(joining::delete(&x(), &places(), case.optional_int(2))),
        "insert" => one(joining::insert(&x(), &places(), &case.array(2), case.optional_int(3))),
        "isin" => one(sets::isin(&x(), &y(), case.truth(2))),
        "union1d" => one(sets::union1d(&x(), &y())),
        "setxor1d" => one(sets::setxor1d(&x(), &y(), false)),
        "setdiff1d" => one(sets::setdiff1d(&x(), &y(), false)),
        "intersect1d" => {
            many(sets::intersect1d(&x(), &y(), false).map(|(values, left, right)| vec![values, left, right]))
        }
        "unique" => unique_text(sets::unique(&x(), options(case.truth(1)))),
        "unique_axis" => unique_text(sets::unique_axis(&x(), case.int(1), options(true))),
        _ => return None,
    })
}
