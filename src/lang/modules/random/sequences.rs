//! Choices from sequences: the order of draws is CPython's.

use super::receiver;
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{Fallible, index_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

pub(super) const METHODS: &[Method] = &[
    method("choice", "(self, seq)", "Choose a random element from a non-empty sequence.", choice),
    method(
        "choices",
        "(self, population, weights=None, *, cum_weights=None, k=1)",
        "Return a k sized list of population elements chosen with replacement.",
        choices,
    ),
    method("shuffle", "(self, x)", "Shuffle list x in place, and return None.", shuffle),
    method(
        "sample",
        "(self, population, k, *, counts=None)",
        "Chooses k unique random elements from a population sequence.",
        sample,
    ),
];

fn choice(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let sequence = args.get(vm, 1);
    let len = vm.len(&sequence)?;
    if len == 0 {
        return Err(index_error("Cannot choose from an empty sequence"));
    }
    let index = receiver(vm, args)?.twister.borrow_mut().index_below(len);
    vm.get_item(&sequence, &index.into())
}

fn choices(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let population = args.get(vm, 1);
    let count = usize::try_from(args.index_or(vm, 4, 1)?.max(0)).unwrap_or(0);
    let len = vm.len(&population)?;
    vm.reserve(count.saturating_mul(size_of::<Value>()))?;
    let cumulative = match (args.not_none(vm, 2), args.not_none(vm, 3)) {
        (Some(_), Some(_)) => return Err(type_error("Cannot specify both weights and cumulative weights")),
        (None, None) => None,
        (weights, cumulative) => {
            let is_cumulative = weights.is_none();
            let source = weights.or(cumulative).unwrap_or(Value::None);
            if let Value::Int(_) = source {
                return Err(type_error(format!(
                    "The number of choices must be a keyword argument: k={}",
                    vm.repr(&source)?
                )));
            }
            let mut sums = Vec::new();
            let mut total = 0.0;
            for weight in vm.collect(&source)? {
                let weight = vm.float(&weight)?;
                total = if is_cumulative { weight } else { total + weight };
                sums.push(total);
            }
            Some(sums)
        }
    };
    let generator = receiver(vm, args)?;
    let mut chosen = Vec::with_capacity(count);
    let Some(cumulative) = cumulative else {
        if len == 0 && count > 0 {
            return Err(index_error("list index out of range"));
        }
        for step in 0..count {
            let index = (generator.float() * len as f64).floor() as usize;
            chosen.push(vm.get_item(&population, &index.into())?);
            if step % 4096 == 0 {
                vm.poll()?;
            }
        }
        return Ok(Value::list(chosen));
    };
    if cumulative.len() != len {
        return Err(value_error("The number of weights does not match the population"));
    }
    let total = cumulative.last().copied().ok_or_else(|| index_error("list index out of range"))?;
    if total <= 0.0 {
        return Err(value_error("Total of weights must be greater than zero"));
    }
    if !total.is_finite() {
        return Err(value_error("Total of weights must be finite"));
    }
    for step in 0..count {
        let mark = generator.float() * total;
        let index = cumulative.partition_point(|sum| *sum <= mark).min(len - 1);
        chosen.push(vm.get_item(&population, &index.into())?);
        if step % 4096 == 0 {
            vm.poll()?;
        }
    }
    Ok(Value::list(chosen))
}

fn shuffle(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let sequence = args.get(vm, 1);
    let generator = receiver(vm, args)?;
    if let Value::List(list) = &sequence {
        let len = list.items.borrow().len();
        for index in (1..len).rev() {
            let other = generator.twister.borrow_mut().index_below(index + 1);
            // A look at the session reads the list, so it is not held over one.
            list.items.borrow_mut().swap(index, other);
            if index % 4096 == 0 {
                vm.poll()?;
            }
        }
        return Ok(Value::None);
    }
    for index in (1..vm.len(&sequence)?).rev() {
        let other = generator.twister.borrow_mut().index_below(index + 1);
        let (a, b) = (vm.get_item(&sequence, &index.into())?, vm.get_item(&sequence, &other.into())?);
        vm.set_item(&sequence, &index.into(), b)?;
        vm.set_item(&sequence, &other.into(), a)?;
    }
    Ok(Value::None)
}

fn sample(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let population = args.get(vm, 1);
    if matches!(population, Value::Set(_) | Value::Dict(_) | Value::Iterator(_) | Value::Generator(_)) {
        return Err(type_error("Population must be a sequence.  For dicts or sets, use sorted(d)."));
    }
    let count = args.get(vm, 2);
    let count = vm.index(&count)?;
    let Some(counts) = args.not_none(vm, 3) else {
        let len = vm.len(&population)?;
        let indices = sample_indices(vm, args, len, count)?;
        return pick(vm, &population, indices);
    };
    let mut cumulative = Vec::new();
    let mut total: i64 = 0;
    for item in vm.collect(&counts)? {
        let number = vm.index(&item).map_err(|_| type_error("Counts must be integers"))?;
        if number < 0 {
            return Err(value_error("Counts must be non-negative"));
        }
        total = total.saturating_add(number);
        cumulative.push(total);
    }
    if cumulative.len() != vm.len(&population)? {
        return Err(value_error("The number of counts does not match the population"));
    }
    if total <= 0 {
        return Err(value_error("Total of counts must be greater than zero"));
    }
    let marks = sample_indices(vm, args, usize::try_from(total).unwrap_or(usize::MAX), count)?;
    let indices = marks.into_iter().map(|mark| cumulative.partition_point(|sum| *sum <= mark as i64)).collect();
    pick(vm, &population, indices)
}

fn pick(vm: &mut Vm, population: &Value, indices: Vec<usize>) -> Fallible<Value> {
    vm.reserve(indices.len().saturating_mul(size_of::<Value>()))?;
    let mut chosen = Vec::with_capacity(indices.len());
    for (step, index) in indices.into_iter().enumerate() {
        chosen.push(vm.get_item(population, &index.into())?);
        if step % 4096 == 0 {
            vm.poll()?;
        }
    }
    Ok(Value::list(chosen))
}

/// `count` different positions below `len`: from a pool when that is smaller than a set of those taken.
fn sample_indices(vm: &mut Vm, args: Args, len: usize, count: i64) -> Fallible<Vec<usize>> {
    let Some(count) = usize::try_from(count).ok().filter(|count| *count <= len) else {
        return Err(value_error("Sample larger than population or is negative"));
    };
    let mut set_size = 21_u64;
    if count > 5 {
        // The size of a set's table of that many, as CPython estimates it.
        set_size += 4_u64.saturating_pow(((count as f64 * 3.0).ln() / 4.0_f64.ln()).ceil() as u32);
    }
    let generator = receiver(vm, args)?;
    let mut twister = generator.twister.borrow_mut();
    if len as u64 <= set_size {
        vm.reserve(len.saturating_add(count).saturating_mul(size_of::<usize>()))?;
        let mut pool: Vec<usize> = Vec::with_capacity(len);
        while pool.len() < len {
            vm.poll()?;
            let end = len.min(pool.len() + (1 << 20));
            pool.extend(pool.len()..end);
        }
        let mut chosen = Vec::with_capacity(count);
        for step in 0..count {
            let place = twister.index_below(len - step);
            chosen.push(pool[place]);
            pool[place] = pool[len - step - 1];
            if step % 4096 == 0 {
                vm.poll()?;
            }
        }
        return Ok(chosen);
    }
    vm.reserve(count.saturating_mul(32))?;
    let mut taken = std::collections::HashSet::new();
    let mut chosen = Vec::with_capacity(count);
    while chosen.len() < count {
        let index = twister.index_below(len);
        if taken.insert(index) {
            chosen.push(index);
        }
        if chosen.len().is_multiple_of(4096) {
            vm.poll()?;
        }
    }
    Ok(chosen)
}
