//! `repr` and `str` of built-in values, with the guard that shows a container inside itself as `[...]`.

use std::cell::RefCell;

use hashbrown::HashSet;

use super::{bytes, depth, dict, number_text, range, text};
use crate::lang::heap::ObjectId;
use crate::lang::name::names;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

thread_local! {
    static IN_PROGRESS: RefCell<HashSet<ObjectId>> = RefCell::default();
}

/// Marks a container as being shown until it is dropped.
pub struct Guard(ObjectId);

impl Guard {
    /// Enters a container; nothing when it is being shown already.
    pub fn enter(value: &Value) -> Option<Self> {
        let id = value.heap_id()?;
        IN_PROGRESS.with(|shown| shown.borrow_mut().insert(id).then(|| Self(id)))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        IN_PROGRESS.with(|shown| shown.borrow_mut().remove(&self.0));
    }
}

/// `repr(value)` for built-in data; nothing for values whose class decides or that show an identity.
pub fn of_value(vm: &mut Vm, value: &Value) -> Fallible<Option<String>> {
    let mut into = String::new();
    Ok(write(vm, &mut into, value)?.then_some(into))
}

/// Appends `repr(value)`, asking the machine where the class decides.
pub fn append(vm: &mut Vm, into: &mut String, value: &Value) -> Fallible<()> {
    if !write(vm, into, value)? {
        let shown = vm.repr(value)?;
        into.push_str(&shown);
    }
    Ok(())
}

fn write(vm: &mut Vm, into: &mut String, value: &Value) -> Fallible<bool> {
    use std::fmt::Write as _;
    match value {
        Value::None | Value::Unset => into.push_str("None"),
        Value::NotImplemented => into.push_str("NotImplemented"),
        Value::Ellipsis => into.push_str("Ellipsis"),
        Value::Bool(b) => into.push_str(if *b { "True" } else { "False" }),
        Value::Int(i) => {
            let _ = write!(into, "{i}");
        }
        Value::Big(big) => into.push_str(&number_text::big_to_text(vm, big.value())?),
        Value::Float(f) => into.push_str(&number_text::float_repr(*f)),
        Value::Complex(c) => into.push_str(&number_text::complex_repr(c.re, c.im)),
        Value::Str(string) => text::write_repr(into, string.as_str()),
        Value::Bytes(data) => bytes::write_repr(into, data.as_bytes()),
        Value::ByteArray(array) => {
            into.push_str("bytearray(");
            bytes::write_repr(into, &array.data.borrow());
            into.push(')');
        }
        Value::Range(range) => into.push_str(&range::repr(range)),
        Value::Slice(slice) => {
            into.push_str("slice(");
            append(vm, into, &slice.start)?;
            into.push_str(", ");
            append(vm, into, &slice.stop)?;
            into.push_str(", ");
            append(vm, into, &slice.step)?;
            into.push(')');
        }
        Value::Method(method) if !matches!(method.function, Value::Native(_)) => {
            let name = match vm.find_attribute(&method.function, names::QUALNAME)? {
                Some(name) => vm.str(&name)?,
                None => "?".into(),
            };
            let _ = write!(into, "<bound method {name} of ");
            append(vm, into, &method.receiver)?;
            into.push('>');
        }
        Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Set(_) => write_container(vm, into, value, None)?,
        Value::Object(object) => return dict::write_view(vm, into, value, object),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Appends a container; `class` is the name of a derived set class, which its text shows.
pub fn write_container(vm: &mut Vm, into: &mut String, value: &Value, class: Option<&str>) -> Fallible<()> {
    let Some(guard) = Guard::enter(value) else {
        match value {
            Value::List(_) => into.push_str("[...]"),
            Value::Tuple(_) => into.push_str("(...)"),
            Value::Dict(_) => into.push_str("{...}"),
            other => {
                into.push_str(class.unwrap_or(other.type_name()));
                into.push_str("(...)");
            }
        }
        return Ok(());
    };
    let level = depth::Level::enter(depth::CONTAINERS_MAX, "while getting the repr of an object")?;
    // Containers that share parts have texts far longer than themselves: every container looks, not only long ones.
    vm.poll()?;
    if into.capacity() - into.len() < 1 << 10 {
        vm.reserve(into.len())?;
    }
    let mut steps = Steps::default();
    match value {
        Value::List(list) => {
            into.push('[');
            let mut index = 0;
            loop {
                // Showing an item may change the list, so each is taken anew.
                let Some(item) = list.items.borrow().get(index).cloned() else { break };
                if index > 0 {
                    into.push_str(", ");
                }
                append(vm, into, &item)?;
                index += 1;
                steps.step(vm, into)?;
            }
            into.push(']');
        }
        Value::Tuple(tuple) => {
            into.push('(');
            for (index, item) in tuple.items().iter().enumerate() {
                if index > 0 {
                    into.push_str(", ");
                }
                append(vm, into, item)?;
                steps.step(vm, into)?;
            }
            into.push_str(if tuple.items().len() == 1 { ",)" } else { ")" });
        }
        Value::Dict(dict) => {
            into.push('{');
            let mut position = 0;
            while let Some((at, entry)) = super::table::entry_from(&dict.table, position) {
                if position > 0 {
                    into.push_str(", ");
                }
                append(vm, into, &entry.key)?;
                into.push_str(": ");
                append(vm, into, &entry.value)?;
                position = at + 1;
                steps.step(vm, into)?;
            }
            into.push('}');
        }
        Value::Set(set) => {
            super::set::arrange(set);
            let is_plain = !set.frozen && class.is_none();
            let name = class.unwrap_or(if set.frozen { "frozenset" } else { "set" });
            if set.table.borrow().is_empty() {
                into.push_str(name);
                into.push_str("()");
            } else {
                if !is_plain {
                    into.push_str(name);
                    into.push('(');
                }
                into.push('{');
                let mut position = 0;
                while let Some((at, entry)) = super::table::entry_from(&set.table, position) {
                    if position > 0 {
                        into.push_str(", ");
                    }
                    append(vm, into, &entry.key)?;
                    position = at + 1;
                    steps.step(vm, into)?;
                }
                into.push_str(if is_plain { "}" } else { "})" });
            }
        }
        _ => {}
    }
    drop((guard, level));
    Ok(())
}

/// Polls and asks the budget now and then while a text grows.
#[derive(Default)]
struct Steps {
    count: u32,
    reserved: usize,
}

impl Steps {
    fn step(&mut self, vm: &mut Vm, text: &str) -> Fallible<()> {
        self.count += 1;
        if self.count.is_multiple_of(1024) {
            vm.poll()?;
            if text.len() > self.reserved.max(1 << 19) {
                self.reserved = text.len() * 2;
                vm.reserve(self.reserved)?;
            }
        }
        Ok(())
    }
}
