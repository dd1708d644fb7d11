//! Device programs on Intel's runtime for processors against the native engine: the same expressions, the same answers
//! within the library functions' stated errors.

mod folds;
mod layouts;
mod moves;
mod operations;
mod streams;

use crate::arrays::array::{Alloc, Array};
use crate::arrays::backend::{BackendKind, UsmKind};
use crate::arrays::dtype::{DType, Element, dispatch};
use crate::arrays::expr::Expr;
use crate::arrays::layout::BasicIndex;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::opencl::tests::in_child;
use crate::arrays::scalar::{Operand, Scalar};
use crate::arrays::{ledger, pool, registry};
use num_complex::Complex64;

/// The processor through its driver, and the same as the native engine has it.
fn places() -> (Alloc, Alloc) {
    registry::look_for(&[BackendKind::OpenCl], "not asked");
    let alloc = |filter: &str| {
        let device = registry::select(filter).unwrap_or_else(|error| panic!("{error}; {:?}", registry::absent()));
        Alloc::queue(registry::cached_queue(&device).expect("a queue opens"), UsmKind::Device)
    };
    (alloc("opencl:cpu:0"), alloc("native:cpu:0"))
}

/// Runs a test on both places in a process of its own, after which nothing is left.
fn compare(test: &str, body: impl FnOnce(&Alloc, &Alloc)) {
    in_child(&format!("arrays::expr::device::tests::{test}"), &[], || {
        let (device, native) = places();
        body(&device, &native);
        drop((device, native));
        registry::finish_all().expect("nothing failed");
        pool::trim_all();
        ledger::assert_empty();
    });
}

const INTEGERS: [i128; 24] = [
    0,
    1,
    2,
    3,
    5,
    7,
    8,
    15,
    31,
    32,
    63,
    64,
    100,
    127,
    255,
    -1,
    -2,
    -3,
    -7,
    -8,
    -100,
    1 << 30,
    i64::MAX as i128,
    i64::MIN as i128,
];

const FLOATS: [f64; 40] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1.5,
    2.5,
    -2.5,
    10.0,
    -10.0,
    20.0,
    100.0,
    -100.0,
    700.0,
    1e-3,
    1e-8,
    -1e-8,
    0.9999,
    -0.9999,
    1e300,
    -1e300,
    1e-300,
    5e-324,
    6e-8,
    65504.0,
    1e5,
    -1e5,
    3.25,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    2147483647.0,
    4294967296.0,
    9.3e18,
    1.9e19,
];

/// Values of a dtype that have caught out somebody.
fn values(dtype: DType) -> Vec<Scalar> {
    match dtype {
        DType::Bool => vec![Scalar::Bool(false), Scalar::Bool(true)],
        _ if dtype.is_integer() => INTEGERS.iter().map(|&value| Scalar::Int(value).cast(dtype)).collect(),
        _ if dtype.is_complex() => {
            let parts: Vec<f64> =
                [0, 1, 2, 3, 4, 8, 9, 15, 22, 33, 34, 35].iter().map(|&index| FLOATS[index]).collect();
            let pairs = parts.iter().flat_map(|&re| parts.iter().map(move |&im| Complex64::new(re, im)));
            pairs.map(|value| Scalar::Complex(value).cast(dtype)).collect()
        }
        _ => FLOATS.iter().map(|&value| Scalar::Float(value).cast(dtype)).collect(),
    }
}

fn array(values: &[Scalar], shape: &[usize], dtype: DType, alloc: &Alloc) -> Array {
    dispatch!(dtype, T => {
        let elements: Vec<T> = values.iter().map(|&value| T::from_scalar(value)).collect();
        Array::from_slice(&elements, shape, alloc).expect("memory")
    })
}

/// A grid of every value of the first dtype with every one of the others.
fn grid(dtypes: &[DType]) -> Vec<Vec<Scalar>> {
    let mut columns: Vec<Vec<Scalar>> = vec![Vec::new(); dtypes.len()];
    let thin = |dtype: DType| {
        let step = match (dtypes.len(), dtype.is_complex()) {
            (1, _) => 1,
            (2, true) => 5,
            (2, false) => 1,
            (_, true) => 17,
            _ => 3,
        };
        values(dtype).into_iter().step_by(if dtype.is_bool() { 1 } else { step }).collect::<Vec<_>>()
    };
    let each: Vec<Vec<Scalar>> = dtypes.iter().map(|&dtype| thin(dtype)).collect();
    let total: usize = each.iter().map(Vec::len).product();
    for row in 0..total {
        let mut left = row;
        for (column, choices) in columns.iter_mut().zip(&each) {
            column.push(choices[left % choices.len()]);
            left /= choices.len();
        }
    }
    columns
}

/// The largest relative error of a library function, with room for the native engine's own.
fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::Float16 => 2e-3,
        DType::Float32 | DType::Complex64 => 4e-6,
        _ => 2e-14,
    }
}

fn close(found: Scalar, wanted: Scalar, dtype: DType, tolerance: f64) -> bool {
    if !dtype.is_inexact() {
        return found == wanted;
    }
    let (found, wanted) = (found.complex(), wanted.complex());
    let size = wanted.norm();
    let smallest = match dtype {
        DType::Float16 => 6e-8,
        DType::Float32 | DType::Complex64 => 1.5e-45,
        _ => 5e-324,
    };
    let near = |found: f64, wanted: f64| {
        let scale = if size.is_finite() { size } else { wanted.abs() };
        found == wanted || (found.is_nan() && wanted.is_nan()) || (found - wanted).abs() <= tolerance * scale + smallest
    };
    near(found.re, wanted.re) && near(found.im, wanted.im)
}

/// How the answers of the two places differ, for the first few elements that do.
fn differences(name: &str, found: &Array, wanted: &Array, tolerance: f64) -> Option<String> {
    if found.shape() != wanted.shape() || found.dtype() != wanted.dtype() {
        return Some(format!(
            "{name}: {:?} {} for {:?} {}",
            found.shape(),
            found.dtype(),
            wanted.shape(),
            wanted.dtype()
        ));
    }
    let read = |array: &Array| -> Vec<Scalar> {
        let array = array.copy_to(&Alloc::HOST).expect("comes back");
        dispatch!(array.dtype(), T => array.to_vec::<T>().expect("host").into_iter().map(Element::to_scalar).collect())
    };
    let (found, wanted, dtype) = (read(found), read(wanted), wanted.dtype());
    let wrong: Vec<String> = found
        .iter()
        .zip(&wanted)
        .enumerate()
        .filter(|(_, (found, wanted))| !close(**found, **wanted, dtype, tolerance))
        .map(|(index, (found, wanted))| format!("[{index}] {found:?} for {wanted:?}"))
        .collect();
    (!wrong.is_empty())
        .then(|| format!("{name}: {} of {}: {}", wrong.len(), found.len(), wrong[..wrong.len().min(4)].join(", ")))
}

fn no_differences(found: Vec<Option<String>>) {
    let wrong: Vec<String> = found.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Runs with every result as large as those that go around the caches, or with none.
fn as_if_large<T>(large: bool, run: impl FnOnce() -> T) -> T {
    super::stream::CACHE.set(Some(if large { 0 } else { usize::MAX }));
    let result = run();
    super::stream::CACHE.set(None);
    result
}

fn apply(op: Op, inputs: &[Array]) -> Array {
    let inputs: Vec<Expr> = inputs.iter().map(Expr::array).collect();
    let value = Expr::apply(op, &inputs, Flavour::Dpnp).and_then(|value| value.evaluate());
    value.unwrap_or_else(|error| panic!("{}: {error}", op.name()))
}

fn slice(start: Option<i64>, stop: Option<i64>, step: i64) -> BasicIndex {
    BasicIndex::Slice { start, stop, step: Some(step) }
}

fn counting(shape: &[usize], dtype: DType, alloc: &Alloc) -> Array {
    let values: Vec<Scalar> = (0..shape.iter().product::<usize>())
        .map(|i| Scalar::Float(((i * 7919) % 61) as f64 / 4.0 - 6.0).cast(dtype))
        .collect();
    array(&values, shape, dtype, alloc)
}
