//! Order statistics, averages, covariance, histograms, padding.

use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::functions::padding::{self, PadMode};
use crate::arrays::functions::shapes;
use crate::arrays::functions::statistics::{self, Bins, QuantileMethod};
use crate::arrays::functions::support::{self, MemoryOrder};
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::{ints_argument, scalar_of};
use crate::lang::arrays::error::raised;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::DictObject;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method("median", "(a, axis=None, out=None, overwrite_input=False, keepdims=False)", "Median.", |vm, args| {
        median(vm, args, false)
    }),
    method(
        "nanmedian",
        "(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
        "Median of what is not NaN.",
        |vm, args| median(vm, args, true),
    ),
    method("percentile", QUANTILE_SIGNATURE, "Percentiles.", |vm, args| quantile(vm, args, 100.0, false)),
    method("nanpercentile", QUANTILE_SIGNATURE, "Percentiles of what is not NaN.", |vm, args| {
        quantile(vm, args, 100.0, true)
    }),
    method("quantile", QUANTILE_SIGNATURE, "Quantiles.", |vm, args| quantile(vm, args, 1.0, false)),
    method("nanquantile", QUANTILE_SIGNATURE, "Quantiles of what is not NaN.", |vm, args| {
        quantile(vm, args, 1.0, true)
    }),
    method(
        "average",
        "(a, axis=None, weights=None, returned=False, *, keepdims=False)",
        "Weighted mean.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let axes = call.axes(vm, 1)?;
            let weights = call.array_beside(vm, 2, &array)?;
            let (returned, keepdims) = (call.truth_or(vm, 3, false)?, call.truth_or(vm, 4, false)?);
            let (mean, sum) = call
                .run(vm, || statistics::average(&array, axes.as_deref(), weights.as_ref(), keepdims, call.rules()))?;
            let mean = call.give_result(mean)?;
            if !returned {
                return Ok(mean);
            }
            Ok(Value::tuple(vec![mean, call.give_result(sum)?]))
        },
    ),
    method("ptp", "(a, /, axis=None, out=None, keepdims=False)", "Largest less smallest element.", |vm, args| {
        ptp(vm, Call::of(args))
    }),
    method(
        "cov",
        "(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None)",
        "Covariance matrix.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let y = call.array_beside(vm, 1, &array)?;
            let (rowvar, bias) = (call.truth_or(vm, 2, true)?, call.truth_or(vm, 3, false)?);
            let ddof = call.float_or(vm, 4, if bias { 0.0 } else { 1.0 })?;
            let (frequencies, weights) = (call.array_beside(vm, 5, &array)?, call.array_beside(vm, 6, &array)?);
            let result = call.run(vm, || {
                statistics::cov(&array, y.as_ref(), rowvar, ddof, frequencies.as_ref(), weights.as_ref(), call.rules())
            })?;
            call.give_result(result)
        },
    ),
    method("corrcoef", "(x, y=None, rowvar=True, *, dtype=None)", "Correlation coefficients.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let (y, rowvar) = (call.array_beside(vm, 1, &array)?, call.truth_or(vm, 2, true)?);
        let result = call.run(vm, || statistics::corrcoef(&array, y.as_ref(), rowvar, call.rules()))?;
        call.give_result(result)
    }),
    method(
        "histogram",
        "(a, bins=10, range=None, density=None, weights=None)",
        "Counts in bins, and the bins' edges.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let (bins, range) = (bins(vm, call, &array, 4)?, range(vm, call, 2)?);
            let density = call.truth_or(vm, 3, false)?;
            let weights = call.array_beside(vm, 4, &array)?;
            let (counts, edges) =
                call.run(vm, || statistics::histogram(&array, &bins, range, weights.as_ref(), density))?;
            Ok(call.give_tuple(vec![counts, edges]))
        },
    ),
    method(
        "histogramdd",
        "(sample, bins=10, range=None, density=None, weights=None)",
        "Counts in boxes of several dimensions, and the edges along each.",
        histogram_of_samples,
    ),
    method(
        "histogram2d",
        "(x, y, bins=10, range=None, density=None, weights=None)",
        "Counts in rectangles, and the edges along both axes.",
        histogram_of_pairs,
    ),
    method("histogram_bin_edges", "(a, bins=10, range=None, weights=None)", "The edges of bins.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let (bins, range) = (bins(vm, call, &array, 3)?, range(vm, call, 2)?);
        call.array_from(vm, || statistics::histogram_bin_edges(&array, &bins, range))
    }),
    method("bincount", "(x, /, weights=None, minlength=0)", "How often each whole number occurs.", |vm, args| {
        let call = Call::of(args);
        let mut array = call.array(vm, 0)?;
        if array.len_elements() == 0 && matches!(args.peek(vm, 0), Value::List(_) | Value::Tuple(_)) {
            array = call.run(vm, || support::cast(&array, DType::Int64))?;
        }
        let (weights, least) = (call.array_beside(vm, 1, &array)?, call.int_or(vm, 2, 0)?);
        call.array_from(vm, || statistics::bincount(&array, weights.as_ref(), least, call.rules()))
    }),
    method("pad", "(array, pad_width, mode='constant', **kwargs)", "The array with elements around it.", pad),
];

const QUANTILE_SIGNATURE: &str =
    "(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None)";

fn median(vm: &mut Vm, args: Args, skip_nan: bool) -> Fallible<Value> {
    let call = Call::of(args);
    let array = call.array(vm, 0)?;
    let (axes, keepdims) = (call.axes(vm, 1)?, call.truth_or(vm, 4, false)?);
    let result = call.run(vm, || statistics::median(&array, axes.as_deref(), keepdims, skip_nan))?;
    call.give_into(vm, result, 2)
}

fn quantile(vm: &mut Vm, args: Args, scale: f64, skip_nan: bool) -> Fallible<Value> {
    let call = Call::of(args);
    let array = call.array(vm, 0)?;
    if args.not_none(vm, 7).is_some() {
        return Err(raise::not_implemented_error("quantiles with weights are not supported"));
    }
    let weak = matches!(args.peek(vm, 1), Value::Float(_) | Value::Int(_));
    let q = call.array_like(vm, 1, &Array::from_slice(&[0.0f64], &[], &array.alloc()).map_err(raised)?)?;
    let q = if scale == 1.0 {
        q
    } else {
        let numbers = crate::arrays::functions::support::reals(&q).map_err(raised)?;
        let shares: Vec<f64> = numbers.iter().map(|percent| percent / scale).collect();
        Array::from_slice(&shares, q.shape(), &array.alloc()).map_err(raised)?
    };
    let (axes, keepdims) = (call.axes(vm, 2)?, call.truth_or(vm, 6, false)?);
    let method = QuantileMethod::parse(&call.text_or(vm, 5, "linear")?).map_err(raised)?;
    let result =
        call.run(vm, || statistics::quantile(&array, &q, weak, axes.as_deref(), method, keepdims, skip_nan))?;
    call.give_into(vm, result, 3)
}

fn ptp(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let array = call.array(vm, 0)?;
    let (axes, keepdims) = (call.axes(vm, 1)?, call.truth_or(vm, 3, false)?);
    let result = call.run(vm, || statistics::ptp(&array, axes.as_deref(), keepdims, call.rules()))?;
    call.give_into(vm, result, 2)
}

/// `bins=` of one dimension, the second parameter; `range=` is the third.
fn bins(vm: &mut Vm, call: Call, array: &Array, weights: usize) -> Fallible<Bins> {
    match call.args.get(vm, 1) {
        Value::Unset => Ok(Bins::Count(10)),
        Value::Int(count) => Ok(Bins::Count(count)),
        rule @ Value::Str(_) => {
            let home = vm.import("_array_histograms")?;
            let library = vm.import(if call.is_numpy() { "numpy" } else { "dpnp" })?;
            let or_none = |value: Option<Value>| value.unwrap_or(Value::None);
            let (bounds, weights) = (or_none(call.args.not_none(vm, 2)), or_none(call.args.not_none(vm, weights)));
            let arguments = [library, call.give(array.clone()), rule, bounds, weights];
            let count = vm.call_method(&home, Name::new("count"), &arguments)?;
            vm.index(&count).map(Bins::Count)
        }
        _ => call.array_like(vm, 1, array).map(Bins::Edges),
    }
}

fn range(vm: &mut Vm, call: Call, index: usize) -> Fallible<Option<(f64, f64)>> {
    let Some(value) = call.args.not_none(vm, index) else { return Ok(None) };
    let ends = vm.collect(&value)?;
    let [low, high] = ends.as_slice() else {
        return Err(raise::value_error("range must be a pair of numbers"));
    };
    Ok(Some((vm.float(low)?, vm.float(high)?)))
}

/// Bins of several dimensions: one description for all, or one for each.
fn bins_of_axes(vm: &mut Vm, call: Call, value: &Value, like: &Array, rank: usize) -> Fallible<Vec<Bins>> {
    let one = |vm: &mut Vm, value: &Value| -> Fallible<Bins> {
        match value {
            Value::Int(count) => Ok(Bins::Count(*count)),
            edges => call.to_array_like(vm, edges, like).map(Bins::Edges),
        }
    };
    match value {
        Value::Unset => Ok(vec![Bins::Count(10); rank]),
        Value::Int(count) => Ok(vec![Bins::Count(*count); rank]),
        several => {
            let items = vm.collect(several)?;
            if items.len() != rank {
                return Err(raise::value_error(if call.is_numpy() {
                    "The dimension of bins must be equal to the dimension of the sample x.".to_owned()
                } else {
                    format!(
                        "The dimension of bins ({}) must be equal to the dimension of the sample ({rank}).",
                        items.len()
                    )
                }));
            }
            items.iter().map(|item| one(vm, item)).collect()
        }
    }
}

/// The two ends of a dimension's bins; nothing takes them from the data.
type Ends = Option<(f64, f64)>;

/// `range=` of several dimensions: a pair or nothing for each.
fn ranges(vm: &mut Vm, call: Call, index: usize, rank: usize) -> Fallible<Option<Vec<Ends>>> {
    let Some(value) = call.args.not_none(vm, index) else { return Ok(None) };
    let mut found = Vec::with_capacity(rank);
    for item in vm.collect(&value)? {
        if item.is_none() {
            found.push(None);
            continue;
        }
        let ends = vm.collect(&item)?;
        let [low, high] = ends.as_slice() else {
            return Err(raise::value_error("range must be a pair of numbers for each dimension"));
        };
        found.push(Some((vm.float(low)?, vm.float(high)?)));
    }
    if found.len() != rank {
        return Err(raise::value_error(if call.is_numpy() {
            "range argument must have one entry per dimension".to_owned()
        } else {
            format!("range argument length ({}) must match number of dimensions ({rank})", found.len())
        }));
    }
    Ok(Some(found))
}

fn histogram_of_samples(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let sample = call.array(vm, 0)?;
    let columns = match sample.rank() {
        0 | 1 => vec![shapes::ravel(&sample, MemoryOrder::C).map_err(raised)?],
        2 => crate::arrays::functions::convert::unstack(&sample, 1).map_err(raised)?,
        _ => return Err(raise::value_error("sample must have no more than 2 dimensions")),
    };
    let bins = bins_of_axes(vm, call, &args.get(vm, 1), &sample, columns.len())?;
    let (counts, edges) = boxed(vm, call, &columns, &bins, [2, 3, 4])?;
    let edges = if call.is_numpy() { call.give_tuple(edges) } else { call.give_list(edges) };
    Ok(Value::tuple(vec![call.give(counts), edges]))
}

fn histogram_of_pairs(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let x = call.array(vm, 0)?;
    let y = call.array_like(vm, 1, &x)?;
    if x.len_elements() != y.len_elements() {
        return Err(raise::value_error(if call.is_numpy() {
            "x and y must have the same length.".to_owned()
        } else {
            format!("x and y must have the same length.Got {} and {} respectively", x.len_elements(), y.len_elements())
        }));
    }
    let given = args.get(vm, 2);
    let shared = match &given {
        // One array of edges serves both axes, and so does a list of more or fewer than two.
        Value::Array(array) => array.shape() != [2usize],
        Value::List(_) | Value::Tuple(_) => vm.collect(&given)?.len() != 2,
        _ => false,
    };
    let bins = if shared {
        let edges = call.to_array_like(vm, &given, &x)?;
        vec![Bins::Edges(edges.clone()), Bins::Edges(edges)]
    } else {
        bins_of_axes(vm, call, &given, &x, 2)?
    };
    let (counts, mut edges) = boxed(vm, call, &[x, y], &bins, [3, 4, 5])?;
    edges.insert(0, counts);
    Ok(call.give_tuple(edges))
}

/// Counts and edges; `places` are those of `range=`, `density=` and `weights=`.
fn boxed(
    vm: &mut Vm,
    call: Call,
    columns: &[Array],
    bins: &[Bins],
    places: [usize; 3],
) -> Fallible<(Array, Vec<Array>)> {
    let [range, density, weights] = places;
    let ranges = ranges(vm, call, range, columns.len())?;
    let density = call.truth_or(vm, density, false)?;
    let weights = match columns.first() {
        Some(first) => call.array_beside(vm, weights, first)?,
        None => None,
    };
    let columns: Vec<&Array> = columns.iter().collect();
    call.run(vm, || statistics::histogramdd(&columns, bins, ranges.as_deref(), weights.as_ref(), density, call.rules()))
}

/// Pairs of numbers an axis, from one number, one pair, or a pair for every axis.
fn pairs<T: Copy>(
    vm: &mut Vm,
    value: &Value,
    rank: usize,
    read: &mut dyn FnMut(&mut Vm, &Value) -> Fallible<T>,
) -> Fallible<Vec<(T, T)>> {
    let is_sequence = |value: &Value| matches!(value, Value::List(_) | Value::Tuple(_) | Value::Array(_));
    if !is_sequence(value) {
        let one = read(vm, value)?;
        return Ok(vec![(one, one); rank]);
    }
    let items = vm.collect(value)?;
    if items.iter().all(|item| !is_sequence(item)) {
        return match items.as_slice() {
            [one] => {
                let one = read(vm, one)?;
                Ok(vec![(one, one); rank])
            }
            [before, after] => {
                let pair = (read(vm, before)?, read(vm, after)?);
                Ok(vec![pair; rank])
            }
            _ => Err(raise::value_error("operands could not be broadcast together: pad_width takes a pair an axis")),
        };
    }
    let mut found = Vec::with_capacity(rank);
    for item in &items {
        let ends = vm.collect(item)?;
        found.push(match ends.as_slice() {
            [one] => {
                let one = read(vm, one)?;
                (one, one)
            }
            [before, after] => (read(vm, before)?, read(vm, after)?),
            _ => return Err(raise::value_error("pad_width takes a pair an axis")),
        });
    }
    match found.len() {
        1 => Ok(vec![found[0]; rank]),
        len if len == rank => Ok(found),
        _ => Err(raise::value_error("pad_width takes a pair for every axis")),
    }
}

/// `{axis: width}` as a list of pairs, zero where no axis names one.
fn widths_by_axis(vm: &mut Vm, by_axis: &Ref<DictObject>, rank: usize) -> Fallible<Value> {
    let mut widths = vec![Value::tuple(vec![Value::Int(0), Value::Int(0)]); rank];
    let entries: Vec<(Value, Value)> =
        by_axis.table.borrow().iter().map(|(_, entry)| (entry.key.clone(), entry.value.clone())).collect();
    for (axis, width) in entries {
        let axis = crate::arrays::layout::normalize_axis(vm.index(&axis)?, rank).map_err(raised)?;
        widths[axis] = match width {
            Value::Int(one) => Value::tuple(vec![Value::Int(one), Value::Int(one)]),
            pair => pair,
        };
    }
    Ok(Value::list(widths))
}

fn pad(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let array = call.array(vm, 0)?;
    let rank = array.rank();
    let mut given = args.get(vm, 1);
    if let Value::Dict(by_axis) = &given {
        given = widths_by_axis(vm, by_axis, rank)?;
    }
    let widths = pairs(vm, &given, rank, &mut |vm, value| vm.index(value))?;
    let keyword = |vm: &mut Vm, name: &str| -> Fallible<Option<Value>> {
        match args.get(vm, 3) {
            Value::Dict(keywords) => vm.dict_get(&keywords, &Value::str(name)),
            _ => Ok(None),
        }
    };
    let operands = |vm: &mut Vm, name: &str| -> Fallible<Vec<(Operand, Operand)>> {
        match keyword(vm, name)? {
            None => Ok(vec![(Operand::Weak(Scalar::Int(0)), Operand::Weak(Scalar::Int(0))); rank]),
            Some(value) => pairs(vm, &value, rank, &mut |_, value| {
                scalar_of(value)?.ok_or_else(|| raise::type_error("padding values must be numbers"))
            }),
        }
    };
    let mode = match call.text_or(vm, 2, "constant")?.as_str() {
        "constant" => PadMode::Constant(operands(vm, "constant_values")?),
        "edge" => PadMode::Edge,
        "wrap" => PadMode::Wrap,
        "empty" => PadMode::Empty,
        mode @ ("reflect" | "symmetric") => {
            let odd = match keyword(vm, "reflect_type")? {
                Some(kind) => kind.as_str() == Some("odd"),
                None => false,
            };
            if mode == "reflect" { PadMode::Reflect { odd } } else { PadMode::Symmetric { odd } }
        }
        "linear_ramp" => PadMode::LinearRamp(operands(vm, "end_values")?),
        mode @ ("maximum" | "mean" | "median" | "minimum") => {
            let lengths = match keyword(vm, "stat_length")? {
                None => None,
                Some(value) => Some(pairs(vm, &value, rank, &mut |vm, value| {
                    let length = ints_argument(vm, value)?;
                    Ok(usize::try_from(length.first().copied().unwrap_or(0)).unwrap_or(0))
                })?),
            };
            match mode {
                "maximum" => PadMode::Maximum(lengths),
                "mean" => PadMode::Mean(lengths),
                "median" => PadMode::Median(lengths),
                _ => PadMode::Minimum(lengths),
            }
        }
        other => {
            return Err(raise::value_error(format!("mode '{other}' is not supported")));
        }
    };
    call.array_from(vm, || padding::pad(&array, &widths, &mode, call.rules()))
}
