//! Draws whose parameters or results are vectors, and counts of several parameters.

use super::stream::Drawing;
use crate::arrays::functions::convert;
use crate::arrays::functions::support;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, pending};
use crate::lang::name::Name;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A parameter that is a vector of numbers.
fn numbers(vm: &mut Vm, drawing: &Drawing, parameter: usize) -> Fallible<Vec<f64>> {
    let array = match &drawing.args.get(vm, drawing.place(parameter)) {
        Value::Array(array) => pending::compute(vm, array)?,
        other => nested::host_array(vm, other)?,
    };
    Ok(support::reals(&array).map_err(raised)?.to_vec())
}

/// Counts of outcomes.
pub fn multinomial(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let trials = drawing.args.get(vm, drawing.place(0));
    let trials = vm.index(&trials)?;
    let shares = numbers(vm, drawing, 1)?;
    let shape = drawing.shape(vm, 2)?.unwrap_or_default();
    if !drawing.call().is_numpy() {
        if shares.iter().rev().skip(1).sum::<f64>() > 1.0 + 1e-12 {
            return Err(raise::value_error("sum(pvals) must be not greater than 1.0"));
        }
        if trials < 0 {
            return Err(raise::value_error("n must be non-negative"));
        }
    }
    let alloc = drawing.alloc(vm)?;
    let whole = drawing.default_whole();
    let array = drawing.draw(vm, |generator| {
        let counts = generator.multinomial(trials, &shares, &shape, &alloc)?;
        convert::copy_to(&counts, Some(whole), &alloc)
    })?;
    Ok(drawing.call().give(array))
}

/// Shares of a whole.
pub fn dirichlet(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let alpha = numbers(vm, drawing, 0)?;
    let shape = drawing.shape(vm, 1)?.unwrap_or_default();
    if !drawing.call().is_numpy() && alpha.iter().any(|alpha| *alpha <= 0.0) {
        return Err(raise::value_error("alpha must be greater than zero"));
    }
    let alloc = drawing.alloc(vm)?;
    let array = drawing.draw(vm, |generator| generator.dirichlet(&alpha, &shape, &alloc))?;
    Ok(drawing.call().give(array))
}

/// How many of a sample are of one kind.
pub fn hypergeometric(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let mut counts = [0; 3];
    for (parameter, count) in counts.iter_mut().enumerate() {
        let value = drawing.args.get(vm, drawing.place(parameter));
        *count = vm.index(&value)?;
    }
    let shape = drawing.shape(vm, 3)?;
    let alloc = drawing.alloc(vm)?;
    let is_single = shape.is_none();
    let shape = shape.unwrap_or_default();
    let whole = drawing.default_whole();
    let array = drawing.draw(vm, |generator| {
        let drawn = generator.hypergeometric(counts[0], counts[1], counts[2], &shape, &alloc)?;
        convert::copy_to(&drawn, Some(whole), &alloc)
    })?;
    drawing.give(array, is_single)
}

/// Normal vectors, which `_array_random` makes of the stream's normal numbers.
pub fn multivariate_normal(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let home = vm.import("_array_random")?;
    let library = vm.import(if drawing.call().is_numpy() { "numpy" } else { "dpnp" })?;
    let normal = if drawing.place(0) == 0 {
        // A function of the module: its normal numbers come from the global stream.
        vm.get_attribute(&library, Name::new("random"))?
    } else {
        drawing.stream.clone()
    };
    let mut arguments = vec![library, normal];
    for (parameter, default) in
        [Value::None, Value::None, Value::None, Value::str("warn"), Value::Float(1e-8)].iter().enumerate()
    {
        arguments.push(drawing.value(vm, parameter).unwrap_or_else(|| default.clone()));
    }
    vm.call_method(&home, Name::new("multivariate_normal"), &arguments)
}
