//! Iterators that pass on items of other iterators.

use std::cell::RefCell;

use super::{Kind, class_of};
use crate::lang::modules::support::{Typed, instantiate, items_of};
use crate::lang::native::{Args, Method, class_method, method, static_method};
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::operators::BinaryOperator;
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// Where a stream stands. Values that are not there yet, or no longer, are unset.
#[derive(Debug)]
enum State {
    Accumulate { iterator: Value, function: Value, total: Value, initial: Value },
    Chain { outer: Value, inner: Value },
    Compress { data: Value, selectors: Value },
    Count { next: Value, step: Value },
    Cycle { iterator: Value, saved: Vec<Value>, position: usize },
    DropWhile { predicate: Value, iterator: Value, is_open: bool },
    FilterFalse { function: Value, iterator: Value },
    TakeWhile { predicate: Value, iterator: Value },
    Slice { iterator: Value, position: usize, next: usize, stop: Option<usize>, step: usize },
    Pairwise { iterator: Value, previous: Value },
    Repeat { item: Value, left: Option<usize> },
    StarMap { function: Value, iterator: Value },
    ZipLongest { iterators: Vec<Value>, fill: Value },
    Done,
}

#[derive(Debug)]
struct Stream {
    kind: Kind,
    state: RefCell<State>,
}

impl Stream {
    fn value(kind: Kind, class: &Value, state: State) -> Fallible<Value> {
        instantiate(class, &class_of(kind), Value::object(Self { kind, state: RefCell::new(state) }))
    }

    /// Ends the iteration; what was held is dropped after the borrow.
    fn finish(&self) -> Fallible<Option<Value>> {
        let old = self.state.replace(State::Done);
        drop(old);
        Ok(None)
    }

    /// Changes the state without running user code; the closure answers what must be dropped after the borrow.
    fn update(&self, change: impl FnOnce(&mut State) -> Value) {
        let old = change(&mut self.state.borrow_mut());
        drop(old);
    }
}

impl NativeData for Stream {
    fn class(&self) -> ClassRef {
        class_of(self.kind)
    }

    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let mut show = |edge: Edge<'_>, value: &Value| {
            if !value.is_unset() {
                visit(edge, value);
            }
        };
        match &*self.state.borrow() {
            State::Accumulate { iterator, function, total, initial } => {
                show(Edge::Iterated, iterator);
                show(Edge::Callable, function);
                show(Edge::Other("total"), total);
                show(Edge::Other("initial"), initial);
            }
            State::Chain { outer, inner } => {
                show(Edge::Iterated, outer);
                show(Edge::Iterated, inner);
            }
            State::Compress { data, selectors } => {
                show(Edge::Iterated, data);
                show(Edge::Iterated, selectors);
            }
            State::Count { next, step } => {
                show(Edge::Other("next"), next);
                show(Edge::Other("step"), step);
            }
            State::Cycle { iterator, saved, .. } => {
                show(Edge::Iterated, iterator);
                saved.iter().for_each(|item| show(Edge::Iterated, item));
            }
            State::DropWhile { predicate: function, iterator, .. }
            | State::FilterFalse { function, iterator }
            | State::TakeWhile { predicate: function, iterator }
            | State::StarMap { function, iterator } => {
                show(Edge::Callable, function);
                show(Edge::Iterated, iterator);
            }
            State::Slice { iterator, .. } => show(Edge::Iterated, iterator),
            State::Pairwise { iterator, previous } => {
                show(Edge::Iterated, iterator);
                show(Edge::Other("previous"), previous);
            }
            State::Repeat { item, .. } => show(Edge::Iterated, item),
            State::ZipLongest { iterators, fill } => {
                iterators.iter().for_each(|iterator| show(Edge::Iterated, iterator));
                show(Edge::Other("fillvalue"), fill);
            }
            State::Done => {}
        }
    }

    fn take_children(&self, into: &mut Vec<Value>) {
        match self.state.replace(State::Done) {
            State::Accumulate { iterator, function, total, initial } => {
                into.extend([iterator, function, total, initial])
            }
            State::Chain { outer: a, inner: b }
            | State::Compress { data: a, selectors: b }
            | State::Count { next: a, step: b }
            | State::DropWhile { predicate: a, iterator: b, .. }
            | State::FilterFalse { function: a, iterator: b }
            | State::TakeWhile { predicate: a, iterator: b }
            | State::StarMap { function: a, iterator: b }
            | State::Pairwise { iterator: a, previous: b } => into.extend([a, b]),
            State::Cycle { iterator, saved, .. } => {
                into.push(iterator);
                into.extend(saved);
            }
            State::Slice { iterator: item, .. } | State::Repeat { item, .. } => into.push(item),
            State::ZipLongest { iterators, fill } => {
                into.extend(iterators);
                into.push(fill);
            }
            State::Done => {}
        }
    }

    fn is_iterator(&self) -> bool {
        true
    }

    fn next(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        match self.kind {
            Kind::Accumulate => self.next_accumulate(vm),
            Kind::Chain => self.next_chain(vm),
            Kind::Compress => self.next_compress(vm),
            Kind::Count => self.next_count(vm),
            Kind::Cycle => self.next_cycle(vm),
            Kind::DropWhile | Kind::FilterFalse | Kind::TakeWhile => self.next_filtering(vm),
            Kind::ISlice => self.next_slice(vm),
            Kind::Pairwise => self.next_pairwise(vm),
            Kind::Repeat => self.next_repeat(),
            Kind::StarMap => self.next_starmap(vm),
            _ => self.next_zip_longest(vm),
        }
    }
}

impl Stream {
    fn next_accumulate(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let (iterator, function, total, initial) = match &mut *self.state.borrow_mut() {
            State::Accumulate { iterator, function, total, initial } => {
                (iterator.clone(), function.clone(), total.clone(), std::mem::take(initial))
            }
            _ => return Ok(None),
        };
        let sum = if initial.is_unset() {
            let Some(item) = vm.next(&iterator)? else { return self.finish() };
            if total.is_unset() {
                item
            } else if function.is_unset() {
                vm.binary(BinaryOperator::Add, &total, &item)?
            } else {
                vm.call(&function, &[total, item])?
            }
        } else {
            initial
        };
        self.update(|state| match state {
            State::Accumulate { total, .. } => std::mem::replace(total, sum.clone()),
            _ => Value::Unset,
        });
        Ok(Some(sum))
    }

    fn next_chain(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        loop {
            let (outer, inner) = match &*self.state.borrow() {
                State::Chain { outer, inner } => (outer.clone(), inner.clone()),
                _ => return Ok(None),
            };
            if !inner.is_unset() {
                if let Some(item) = vm.next(&inner)? {
                    return Ok(Some(item));
                }
                self.update(|state| match state {
                    State::Chain { inner, .. } => std::mem::take(inner),
                    _ => Value::Unset,
                });
            }
            let Some(iterable) = vm.next(&outer)? else { return self.finish() };
            let iterator = vm.iter(&iterable)?;
            self.update(|state| match state {
                State::Chain { inner, .. } => std::mem::replace(inner, iterator),
                _ => iterator,
            });
        }
    }

    fn next_compress(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let (data, selectors) = match &*self.state.borrow() {
            State::Compress { data, selectors } => (data.clone(), selectors.clone()),
            _ => return Ok(None),
        };
        loop {
            let Some(item) = vm.next(&data)? else { return Ok(None) };
            let Some(selector) = vm.next(&selectors)? else { return Ok(None) };
            if vm.truth(&selector)? {
                return Ok(Some(item));
            }
            vm.poll()?;
        }
    }

    fn next_count(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let (now, step) = match &*self.state.borrow() {
            State::Count { next, step } => (next.clone(), step.clone()),
            _ => return Ok(None),
        };
        let after = vm.binary(BinaryOperator::Add, &now, &step)?;
        self.update(|state| match state {
            State::Count { next, .. } => std::mem::replace(next, after),
            _ => after,
        });
        Ok(Some(now))
    }

    fn next_cycle(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let iterator = match &*self.state.borrow() {
            State::Cycle { iterator, .. } => iterator.clone(),
            _ => return Ok(None),
        };
        if !iterator.is_unset() {
            if let Some(item) = vm.next(&iterator)? {
                vm.reserve(size_of::<Value>())?;
                if let State::Cycle { saved, .. } = &mut *self.state.borrow_mut() {
                    saved.push(item.clone());
                }
                return Ok(Some(item));
            }
            self.update(|state| match state {
                State::Cycle { iterator, .. } => std::mem::take(iterator),
                _ => Value::Unset,
            });
        }
        match &mut *self.state.borrow_mut() {
            State::Cycle { saved, position, .. } if !saved.is_empty() => {
                let item = saved[*position].clone();
                *position = (*position + 1) % saved.len();
                Ok(Some(item))
            }
            _ => Ok(None),
        }
    }

    fn next_filtering(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        loop {
            let (function, iterator, is_open) = match &*self.state.borrow() {
                State::DropWhile { predicate, iterator, is_open } => (predicate.clone(), iterator.clone(), *is_open),
                State::FilterFalse { function, iterator } => (function.clone(), iterator.clone(), false),
                State::TakeWhile { predicate, iterator } => (predicate.clone(), iterator.clone(), false),
                _ => return Ok(None),
            };
            let Some(item) = vm.next(&iterator)? else { return Ok(None) };
            if is_open {
                return Ok(Some(item));
            }
            let holds = if function.is_none() {
                vm.truth(&item)?
            } else {
                let answer = vm.call(&function, std::slice::from_ref(&item))?;
                vm.truth(&answer)?
            };
            match (self.kind, holds) {
                (Kind::TakeWhile, true) | (Kind::FilterFalse, false) => return Ok(Some(item)),
                (Kind::TakeWhile, false) => return self.finish(),
                (Kind::DropWhile, false) => {
                    if let State::DropWhile { is_open, .. } = &mut *self.state.borrow_mut() {
                        *is_open = true;
                    }
                    return Ok(Some(item));
                }
                _ => vm.poll()?,
            }
        }
    }

    fn next_slice(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let (iterator, mut position, next, stop, step) = match &*self.state.borrow() {
            State::Slice { iterator, position, next, stop, step } => (iterator.clone(), *position, *next, *stop, *step),
            _ => return Ok(None),
        };
        if stop.is_some_and(|stop| next >= stop) {
            // What stands before the stop is still consumed.
            let end = stop.unwrap_or(0);
            while position < end {
                position += 1;
                if vm.next(&iterator)?.is_none() {
                    break;
                }
            }
            return self.finish();
        }
        while position < next {
            if vm.next(&iterator)?.is_none() {
                return self.finish();
            }
            position += 1;
        }
        let Some(item) = vm.next(&iterator)? else { return self.finish() };
        if let State::Slice { position: at, next, .. } = &mut *self.state.borrow_mut() {
            *at = position + 1;
            *next = next.saturating_add(step);
        }
        Ok(Some(item))
    }

    fn next_pairwise(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let (iterator, mut previous) = match &*self.state.borrow() {
            State::Pairwise { iterator, previous } => (iterator.clone(), previous.clone()),
            _ => return Ok(None),
        };
        if previous.is_unset() {
            let Some(first) = vm.next(&iterator)? else { return self.finish() };
            previous = first;
        }
        let Some(item) = vm.next(&iterator)? else { return self.finish() };
        self.update(|state| match state {
            State::Pairwise { previous, .. } => std::mem::replace(previous, item.clone()),
            _ => Value::Unset,
        });
        Ok(Some(Value::tuple([previous, item])))
    }

    fn next_repeat(&self) -> Fallible<Option<Value>> {
        match &mut *self.state.borrow_mut() {
            State::Repeat { left: Some(0), .. } => Ok(None),
            State::Repeat { item, left } => {
                *left = left.map(|left| left - 1);
                Ok(Some(item.clone()))
            }
            _ => Ok(None),
        }
    }

    fn next_starmap(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let (function, iterator) = match &*self.state.borrow() {
            State::StarMap { function, iterator } => (function.clone(), iterator.clone()),
            _ => return Ok(None),
        };
        let Some(arguments) = vm.next(&iterator)? else { return Ok(None) };
        let arguments = vm.collect(&arguments)?;
        vm.call(&function, &arguments).map(Some)
    }

    fn next_zip_longest(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let (iterators, fill) = match &*self.state.borrow() {
            State::ZipLongest { iterators, fill } => (iterators.clone(), fill.clone()),
            _ => return Ok(None),
        };
        let mut items = Vec::with_capacity(iterators.len());
        let mut any = false;
        for (index, iterator) in iterators.iter().enumerate() {
            let item = if iterator.is_unset() { Ok(None) } else { vm.next(iterator) };
            let item = match item {
                Ok(item) => item,
                Err(error) => {
                    vm.unprotect(items.len());
                    return Err(error);
                }
            };
            // The next iterator may look at memory: what this one gave is seen then.
            vm.protect(item.as_ref().unwrap_or(&fill).clone());
            if let Some(item) = item {
                any = true;
                items.push(item);
            } else {
                items.push(fill.clone());
                self.update(|state| match state {
                    State::ZipLongest { iterators, .. } => std::mem::take(&mut iterators[index]),
                    _ => Value::Unset,
                });
            }
        }
        vm.unprotect(items.len());
        if any { Ok(Some(Value::tuple(items))) } else { self.finish() }
    }
}

pub(super) fn accumulate(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterator = vm.iter(&args.get(vm, 1))?;
    let function = args.not_none(vm, 2).unwrap_or_default();
    let initial = args.not_none(vm, 3).unwrap_or_default();
    let state = State::Accumulate { iterator, function, total: Value::Unset, initial };
    Stream::value(Kind::Accumulate, &args.get(vm, 0), state)
}

pub(super) const CHAIN: &[Method] = &[
    static_method(
        "__new__",
        "(cls, *iterables)",
        "Return a chain object whose .__next__() method returns elements from the first iterable until it is exhausted, then elements from the next iterable, until all of the iterables are exhausted.",
        chain,
    ),
    class_method(
        "from_iterable",
        "(cls, iterable, /)",
        "Alternative chain() constructor taking a single iterable argument that evaluates lazily.",
        chain,
    ),
];

fn chain(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let outer = vm.iter(&args.get(vm, 1))?;
    Stream::value(Kind::Chain, &args.get(vm, 0), State::Chain { outer, inner: Value::Unset })
}

pub(super) fn compress(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = vm.iter(&args.get(vm, 1))?;
    let selectors = vm.iter(&args.get(vm, 2))?;
    Stream::value(Kind::Compress, &args.get(vm, 0), State::Compress { data, selectors })
}

pub(super) const COUNT: &[Method] = &[
    static_method(
        "__new__",
        "(cls, start=0, step=1)",
        "Return a count object whose .__next__() method returns consecutive values.",
        count,
    ),
    method("__repr__", "(self, /)", "Return repr(self).", count_repr),
];

fn count(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let next = args.optional(vm, 1).unwrap_or(Value::Int(0));
    let step = args.optional(vm, 2).unwrap_or(Value::Int(1));
    for number in [&next, &step] {
        let is_number =
            matches!(number, Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Big(_) | Value::Complex(_))
                || vm.find_special(number, crate::lang::name::names::ADD).is_some() && number.as_str().is_none();
        if !is_number || matches!(number, Value::List(_) | Value::Tuple(_) | Value::Bytes(_)) {
            return Err(type_error("a number is required"));
        }
    }
    Stream::value(Kind::Count, &args.get(vm, 0), State::Count { next, step })
}

fn count_repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let stream = Typed::<Stream>::receiver(vm, args, "count")?;
    let (next, step) = match &*stream.state.borrow() {
        State::Count { next, step } => (next.clone(), step.clone()),
        _ => return Ok("count(0)".into()),
    };
    let next = vm.repr(&next)?;
    if matches!(step, Value::Int(1)) {
        return Ok(format!("count({next})").into());
    }
    let step = vm.repr(&step)?;
    Ok(format!("count({next}, {step})").into())
}

pub(super) fn cycle(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterator = vm.iter(&args.get(vm, 1))?;
    Stream::value(Kind::Cycle, &args.get(vm, 0), State::Cycle { iterator, saved: Vec::new(), position: 0 })
}

pub(super) fn filtering(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let predicate = args.get(vm, 1);
    let iterator = vm.iter(&args.get(vm, 2))?;
    let (kind, state) = match args.row {
        0 => (Kind::DropWhile, State::DropWhile { predicate, iterator, is_open: false }),
        1 => (Kind::FilterFalse, State::FilterFalse { function: predicate, iterator }),
        _ => (Kind::TakeWhile, State::TakeWhile { predicate, iterator }),
    };
    Stream::value(kind, &args.get(vm, 0), state)
}

pub(super) fn islice(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let bounds = items_of(args.peek(vm, 2));
    let mut read = |value: Option<&Value>, message: &str| -> Fallible<Option<usize>> {
        match value {
            None | Some(Value::None) => Ok(None),
            Some(value) => {
                let number = vm.index(value).map_err(|_| value_error(message))?;
                usize::try_from(number).map(Some).map_err(|_| value_error(message))
            }
        }
    };
    const STOP: &str = "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
    const INDICES: &str = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
    const STEP: &str = "Step for islice() must be a positive integer or None.";
    let (next, stop, step) = match bounds.len() {
        0 => return Err(type_error("islice expected at least 2 arguments, got 1")),
        1 => (0, read(bounds.first(), STOP)?, 1),
        2 | 3 => {
            let start = read(bounds.first(), INDICES)?.unwrap_or(0);
            let stop = read(bounds.get(1), STOP)?;
            (start, stop, read(bounds.get(2), STEP)?.unwrap_or(1))
        }
        count => return Err(type_error(format!("islice expected at most 4 arguments, got {}", count + 1))),
    };
    if step == 0 {
        return Err(value_error(STEP));
    }
    let iterator = vm.iter(&args.get(vm, 1))?;
    let state = State::Slice { iterator, position: 0, next, stop, step };
    Stream::value(Kind::ISlice, &args.get(vm, 0), state)
}

pub(super) fn pairwise(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterator = vm.iter(&args.get(vm, 1))?;
    Stream::value(Kind::Pairwise, &args.get(vm, 0), State::Pairwise { iterator, previous: Value::Unset })
}

pub(super) const REPEAT: &[Method] = &[
    static_method(
        "__new__",
        "(cls, object, times=None)",
        "Create an iterator which returns the object for the specified number of times. If not specified, returns the object endlessly.",
        repeat,
    ),
    method("__repr__", "(self, /)", "Return repr(self).", repeat_repr),
    method("__length_hint__", "(self, /)", "Private method returning an estimate of len(list(it)).", repeat_length),
];

fn repeat(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let left = match args.optional(vm, 2) {
        Some(times) => Some(usize::try_from(vm.index(&times)?.max(0)).unwrap_or(0)),
        None => None,
    };
    Stream::value(Kind::Repeat, &args.get(vm, 0), State::Repeat { item: args.get(vm, 1), left })
}

fn repeat_parts(vm: &Vm, args: Args) -> Fallible<(Value, Option<usize>)> {
    match &*Typed::<Stream>::receiver(vm, args, "repeat")?.state.borrow() {
        State::Repeat { item, left } => Ok((item.clone(), *left)),
        _ => Ok((Value::None, Some(0))),
    }
}

fn repeat_repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (item, left) = repeat_parts(vm, args)?;
    let item = vm.repr(&item)?;
    Ok(left.map_or_else(|| format!("repeat({item})"), |left| format!("repeat({item}, {left})")).into())
}

fn repeat_length(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (_, left) = repeat_parts(vm, args)?;
    left.map(Value::from).ok_or_else(|| type_error("len() of unsized object"))
}

pub(super) fn starmap(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterator = vm.iter(&args.get(vm, 2))?;
    Stream::value(Kind::StarMap, &args.get(vm, 0), State::StarMap { function: args.get(vm, 1), iterator })
}

pub(super) fn zip_longest(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mut iterators = Vec::new();
    for iterable in items_of(&args.get(vm, 1)) {
        iterators.push(vm.iter(&iterable)?);
    }
    let fill = args.optional(vm, 2).unwrap_or(Value::None);
    Stream::value(Kind::ZipLongest, &args.get(vm, 0), State::ZipLongest { iterators, fill })
}
