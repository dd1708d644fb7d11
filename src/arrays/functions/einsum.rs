//! `einsum`: sums of products named by letters. Pairs of operands that share summed letters go through the matrix product.

use super::calculus::multiply;
use super::shapes;
use super::support;
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp, matmul};
use crate::arrays::layout::Dims;
use crate::arrays::op::Flavour;

/// An axis of an operand or of the result: a letter, or an axis of `...` counted from its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Dots(usize),
    Letter(char),
}

/// An operand with the labels of its axes.
#[derive(Clone, Debug)]
struct Term {
    array: Array,
    labels: Vec<Label>,
}

/// `einsum(subscripts, *operands)`.
pub fn einsum(
    subscripts: &str,
    operands: &[&Array],
    dtype: Option<DType>,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    if operands.is_empty() {
        return Err(ArrayError::value(
            "must specify the einstein sum subscripts string and at least one operand, or at least one operand and its corresponding subscripts list",
        ));
    }
    let alloc = support::common_alloc(operands)?;
    let common = operands.iter().map(|operand| operand.dtype()).reduce(DType::promote).unwrap_or(DType::Float64);
    let dtype = dtype.unwrap_or(common);
    let text: String = subscripts.chars().filter(|symbol| !symbol.is_whitespace()).collect();
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (text.as_str(), None),
    };
    let texts: Vec<&str> = inputs.split(',').collect();
    if texts.len() != operands.len() {
        // NumPy counts the other way round: it means the terms of the string.
        let words = match (texts.len() < operands.len(), flavour) {
            (true, Flavour::Dpnp) | (false, Flavour::NumPy) => "more",
            (false, Flavour::Dpnp) | (true, Flavour::NumPy) => "fewer",
        };
        return Err(ArrayError::value(format!(
            "{words} operands provided to einstein sum function than specified in the subscripts string"
        )));
    }
    let mut terms = Vec::with_capacity(operands.len());
    let mut dots_max = 0;
    for (number, (text, operand)) in texts.iter().zip(operands).enumerate() {
        let labels = parse_term(text, operand.rank(), number)?;
        dots_max = dots_max.max(labels.iter().filter(|label| matches!(label, Label::Dots(_))).count());
        terms.push(diagonals(Term { array: support::cast(operand, dtype)?, labels })?);
    }
    let output = output_labels(output, &texts, &terms, dots_max)?;
    check_lengths(&terms)?;
    while terms.len() > 1 {
        let right = terms.remove(1);
        let left = terms.remove(0);
        let joined = pair(left, right, &terms, &output, dtype, flavour)?;
        terms.insert(0, joined);
    }
    let term = terms.pop().ok_or_else(|| ArrayError::runtime("einsum lost its operands"))?;
    let summed = sum_out(term, |label| !output.contains(&label), dtype, flavour)?;
    let result = arranged(&summed, &output)?;
    debug_assert_eq!(result.place(), &alloc.place);
    // A single operand may come back as a view of itself; dpnp and NumPy both give views for pure rearrangements.
    Ok(result)
}

fn parse_term(text: &str, rank: usize, number: usize) -> Result<Vec<Label>, ArrayError> {
    let spelled = text.replacen("...", "", 1);
    if spelled.contains('.') {
        return Err(ArrayError::value(format!(
            "einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in operand {number}"
        )));
    }
    let letters = spelled.chars().count();
    let dots = text.contains("...");
    if letters > rank {
        return Err(ArrayError::value(format!(
            "einstein sum subscripts string contains too many subscripts for operand {number}"
        )));
    }
    if letters < rank && !dots {
        return Err(ArrayError::value(
            "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to broadcast the extra dimensions.",
        ));
    }
    parse_labels(text, rank - letters)
}

/// Reads letters and `...`, which stands for `hidden` axes.
fn parse_labels(text: &str, hidden: usize) -> Result<Vec<Label>, ArrayError> {
    let mut labels = Vec::new();
    let mut rest = text;
    let mut seen_dots = false;
    while let Some(symbol) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("...") {
            if std::mem::replace(&mut seen_dots, true) {
                return Err(ArrayError::value(
                    "einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...')",
                ));
            }
            labels.extend((0..hidden).rev().map(Label::Dots));
            rest = after;
            continue;
        }
        if symbol == '.' {
            return Err(ArrayError::value(
                "einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...')",
            ));
        }
        if !symbol.is_ascii_alphabetic() {
            return Err(ArrayError::value(format!(
                "invalid subscript '{symbol}' in einstein sum subscripts string, subscripts must be letters"
            )));
        }
        labels.push(Label::Letter(symbol));
        rest = &rest[symbol.len_utf8()..];
    }
    Ok(labels)
}

fn output_labels(
    output: Option<&str>,
    inputs: &[&str],
    terms: &[Term],
    dots_max: usize,
) -> Result<Vec<Label>, ArrayError> {
    let Some(output) = output else {
        // Without an arrow: the letters that occur once, in alphabetical order, behind the broadcast axes.
        let all: String = inputs.concat();
        let mut letters: Vec<char> = all.chars().filter(char::is_ascii_alphabetic).collect();
        letters.sort_unstable();
        let once = letters.iter().filter(|letter| all.matches(**letter).count() == 1);
        return Ok((0..dots_max).rev().map(Label::Dots).chain(once.map(|letter| Label::Letter(*letter))).collect());
    };
    let labels = parse_labels(output, dots_max)?;
    if dots_max > 0 && !output.contains("...") {
        return Err(ArrayError::value(
            "output had too few broadcast dimensions: einstein sum subscripts string has an ellipsis in its inputs but not in its output",
        ));
    }
    for (place, label) in labels.iter().enumerate() {
        let Label::Letter(letter) = label else { continue };
        if labels[..place].contains(label) {
            return Err(ArrayError::value(format!(
                "einstein sum subscripts string includes output subscript '{letter}' multiple times"
            )));
        }
        if !terms.iter().any(|term| term.labels.contains(label)) {
            return Err(ArrayError::value(format!(
                "einstein sum subscripts string included output subscript '{letter}' which never appeared in an input"
            )));
        }
    }
    Ok(labels)
}

/// A label that an operand repeats means its diagonal.
fn diagonals(mut term: Term) -> Result<Term, ArrayError> {
    let mut axis = 0;
    while axis < term.labels.len() {
        let Some(first) = term.labels[..axis].iter().position(|label| *label == term.labels[axis]) else {
            axis += 1;
            continue;
        };
        let layout = term.array.layout();
        let (ours, theirs) = (layout.shape[first], layout.shape[axis]);
        if ours != theirs && ours != 1 && theirs != 1 {
            return Err(ArrayError::value(format!(
                "dimensions in single operand for collapsing index '{}' don't match ({ours} != {theirs})",
                label_text(term.labels[axis])
            )));
        }
        let mut joined = layout.clone();
        joined.shape[first] = ours.max(theirs);
        let stride_of = |len: usize, stride: isize| if len == 1 { 0 } else { stride };
        joined.strides[first] = stride_of(ours, layout.strides[first]) + stride_of(theirs, layout.strides[axis]);
        term.array = term.array.view(joined.remove_axis(axis));
        term.labels.remove(axis);
    }
    Ok(term)
}

fn label_text(label: Label) -> String {
    match label {
        Label::Letter(letter) => letter.to_string(),
        Label::Dots(_) => "...".to_owned(),
    }
}

fn check_lengths(terms: &[Term]) -> Result<(), ArrayError> {
    let mut known: Vec<(Label, usize)> = Vec::new();
    for (number, term) in terms.iter().enumerate() {
        for (label, len) in term.labels.iter().zip(term.array.shape()) {
            match known.iter_mut().find(|(seen, _)| seen == label) {
                None => known.push((*label, *len)),
                Some((_, expected)) if *expected == 1 => *expected = *len,
                Some((_, expected)) if expected == len || *len == 1 => {}
                Some((_, expected)) => {
                    return Err(ArrayError::value(format!(
                        "operands could not be broadcast together: size of label '{}' for operand {number} ({len}) does not match previous terms ({expected})",
                        label_text(*label)
                    )));
                }
            }
        }
    }
    Ok(())
}

/// Joins two operands, summing what neither the rest nor the output needs.
fn pair(
    left: Term,
    right: Term,
    rest: &[Term],
    output: &[Label],
    dtype: DType,
    flavour: Flavour,
) -> Result<Term, ArrayError> {
    let needed = |label: Label| output.contains(&label) || rest.iter().any(|term| term.labels.contains(&label));
    // What only one of the two has and nobody needs is summed first.
    let left_labels = left.labels.clone();
    let right_labels = right.labels.clone();
    let left = sum_out(left, |label| !needed(label) && !right_labels.contains(&label), dtype, flavour)?;
    let right = sum_out(right, |label| !needed(label) && !left_labels.contains(&label), dtype, flavour)?;
    let len_of = |term: &Term, label: Label| {
        term.labels.iter().position(|own| *own == label).map(|axis| term.array.shape()[axis])
    };
    let shared: Vec<Label> = left.labels.iter().copied().filter(|label| right.labels.contains(label)).collect();
    // An axis of length one against a longer one broadcasts: the matrix product does not know that.
    let broadcasts = shared.iter().any(|label| len_of(&left, *label) != len_of(&right, *label));
    let summed: Vec<Label> = shared.iter().copied().filter(|label| !needed(*label)).collect();
    if summed.is_empty() || broadcasts {
        return multiplied(&left, &right, needed, dtype, flavour);
    }
    let batch: Vec<Label> = shared.iter().copied().filter(|label| needed(*label)).collect();
    let only =
        |own: &Term| -> Vec<Label> { own.labels.iter().copied().filter(|label| !shared.contains(label)).collect() };
    let (rows, columns) = (only(&left), only(&right));
    let lengths = |term: &Term, labels: &[Label]| -> Dims {
        labels.iter().map(|label| len_of(term, *label).unwrap_or(1)).collect()
    };
    let depth: usize = lengths(&left, &summed).iter().product();
    let (row_lengths, column_lengths) = (lengths(&left, &rows), lengths(&right, &columns));
    let batch_lengths = lengths(&left, &batch);
    let matrices = |term: &Term, groups: [&[Label]; 3], last: [usize; 2]| -> Result<Array, ArrayError> {
        let ordered = arranged(term, &groups.concat())?;
        let shape: Dims = batch_lengths.iter().copied().chain(last).collect();
        support::with_shape(&ordered, &shape)
    };
    let left = matrices(&left, [&batch, &rows, &summed], [row_lengths.iter().product(), depth])?;
    let right = matrices(&right, [&batch, &summed, &columns], [depth, column_lengths.iter().product()])?;
    let product = matmul(&left, &right, Some(dtype), flavour)?;
    let shape: Dims = batch_lengths.iter().chain(&row_lengths).chain(&column_lengths).copied().collect();
    Ok(Term { array: support::with_shape(&product, &shape)?, labels: [batch, rows, columns].concat() })
}

/// The element-wise product over the union of the labels, with what nobody needs summed away.
fn multiplied(
    left: &Term,
    right: &Term,
    needed: impl Fn(Label) -> bool,
    dtype: DType,
    flavour: Flavour,
) -> Result<Term, ArrayError> {
    let mut labels = left.labels.clone();
    labels.extend(right.labels.iter().filter(|label| !left.labels.contains(label)));
    let spread = |term: &Term| -> Result<Expr, ArrayError> {
        let own: Vec<Label> = labels.iter().copied().filter(|label| term.labels.contains(label)).collect();
        let mut layout = arranged(term, &own)?.layout().clone();
        for (axis, label) in labels.iter().enumerate() {
            if !term.labels.contains(label) {
                layout = layout.expand(axis);
            }
        }
        Ok(Expr::array(&term.array.view(layout)))
    };
    let product = multiply(&spread(left)?, &spread(right)?, flavour)?.evaluate()?;
    sum_out(Term { array: product, labels }, |label| !needed(label), dtype, flavour)
}

fn sum_out(term: Term, gone: impl Fn(Label) -> bool, dtype: DType, flavour: Flavour) -> Result<Term, ArrayError> {
    let axes: Vec<i64> =
        (0..term.labels.len()).filter(|axis| gone(term.labels[*axis])).map(|axis| axis as i64).collect();
    if axes.is_empty() {
        return Ok(term);
    }
    let (op, dtype) = if dtype.is_bool() { (ReduceOp::Any, None) } else { (ReduceOp::Sum, Some(dtype)) };
    let array = Expr::array(&term.array).reduce(op, Some(&axes), false, dtype, flavour)?.evaluate()?;
    let labels = term.labels.into_iter().filter(|label| !gone(*label)).collect();
    Ok(Term { array, labels })
}

/// The operand with its axes in the order of these labels, which are all of its labels.
fn arranged(term: &Term, labels: &[Label]) -> Result<Array, ArrayError> {
    let order: Vec<i64> = labels
        .iter()
        .filter_map(|label| term.labels.iter().position(|own| own == label))
        .map(|axis| axis as i64)
        .collect();
    shapes::transpose(&term.array, Some(&order))
}
