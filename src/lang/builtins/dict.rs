//! `dict`: its methods and its views.

use super::classes::{Builtin, attach, builtin_class};
use super::{dunders, iterators, receiver, repr, table};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, class_method, getter, method, static_method};
use crate::lang::objects::{ClassRef, Dict, DictObject, DictPart, IteratorState, NativeData, NativeObject, SetObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, *args, **kwargs)", "Create an empty dict.", new),
    method("__init__", "(self, *args, **kwargs)", "Initialize self from a mapping or pairs, and keywords.", init),
    method("get", "(self, key, default=None, /)", "Return the value for key, or default.", get).apart_from_arrays(),
    method("setdefault", "(self, key, default=None, /)", "Insert key with default if it is absent.", setdefault),
    method("pop", "(self, key, default=None, /)", "Remove key and return its value, or default.", pop),
    method("popitem", "(self, /)", "Remove and return the (key, value) pair inserted last.", popitem),
    method("keys", "(self, /)", "A set-like view of the keys.", |vm, args| view(vm, args, DictPart::Keys)),
    method("values", "(self, /)", "A view of the values.", |vm, args| view(vm, args, DictPart::Values)),
    method("items", "(self, /)", "A set-like view of the items.", |vm, args| view(vm, args, DictPart::Items)),
    method("update", "(self, *args, **kwargs)", "Update from a mapping or pairs, and keywords.", update_method),
    method("clear", "(self, /)", "Remove all items.", clear),
    method("copy", "(self, /)", "A shallow copy.", copy),
    method("__reversed__", "(self, /)", "Return a reverse iterator over the keys.", reversed),
    class_method("fromkeys", "(cls, iterable, value=None, /)", "A dict with keys from iterable.", fromkeys),
];

const VIEW_METHODS: &[Method] = &[
    method("__reversed__", "(self, /)", "Return a reverse iterator.", |vm, args| {
        let Value::Object(object) = args.get(vm, 0) else {
            return Err(receiver::wrong(args, args.peek(vm, 0), "dict view"));
        };
        view_iter(&object, true).ok_or_else(|| raise::type_error("a dict view is expected"))
    }),
    getter("mapping", "The dict this view looks at.", |vm, args| {
        let Value::Object(object) = args.get(vm, 0) else {
            return Err(receiver::wrong(args, args.peek(vm, 0), "dict view"));
        };
        match object.downcast::<DictView>() {
            Some(view) => Ok(Value::Dict(view.dict.clone())),
            None => Err(receiver::wrong(args, args.peek(vm, 0), "dict view")),
        }
    }),
];

const SET_LIKE: &[Method] =
    &[method("isdisjoint", "(self, other, /)", "Return True if the view and other share nothing.", |vm, args| {
        let (view, other) = (args.get(vm, 0), args.get(vm, 1));
        let (a, b) = (super::set::as_set(vm, &view)?, super::set::as_set(vm, &other)?);
        super::set::is_disjoint(vm, &a, &b).map(Value::Bool)
    })];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::Dict);
    attach(&class, METHODS);
    dunders::attach_mapping(&class);
    super::generic_alias::attach_to(&class);
    for view in [Builtin::DictKeys, Builtin::DictValues, Builtin::DictItems] {
        let class = builtin_class(view);
        attach(&class, VIEW_METHODS);
        if view == Builtin::DictValues {
            dunders::attach_container(&class);
        } else {
            attach(&class, SET_LIKE);
            dunders::attach_set(&class);
        }
    }
}

/// A view of a dict.
#[derive(Debug)]
pub struct DictView {
    /// The dict.
    pub dict: Ref<DictObject>,
    /// What it shows.
    pub part: DictPart,
}

impl NativeData for DictView {
    fn class(&self) -> ClassRef {
        builtin_class(match self.part {
            DictPart::Keys => Builtin::DictKeys,
            DictPart::Values => Builtin::DictValues,
            DictPart::Items => Builtin::DictItems,
        })
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Base, &Value::Dict(self.dict.clone()));
    }
}

/// `len()` of a view, if the object is one.
pub fn view_len(object: &NativeObject) -> Option<usize> {
    object.downcast::<DictView>().map(|view| view.dict.table.borrow().len())
}

/// The iterator of a view, if the object is one.
pub fn view_iter(object: &NativeObject, reversed: bool) -> Option<Value> {
    let view = object.downcast::<DictView>()?;
    Some(iterators::make(IteratorState::Dict(view.dict.clone(), 0, view.dict.changes.get(), view.part, reversed)))
}

/// `item in view`, if the object is a view.
pub fn view_contains(vm: &mut Vm, object: &Ref<NativeObject>, item: &Value) -> Fallible<Option<bool>> {
    let Some(view) = object.downcast::<DictView>() else { return Ok(None) };
    match view.part {
        DictPart::Keys => {
            let hash = table::key_hash(vm, item)?;
            Ok(Some(table::find(vm, &view.dict.table, &view.dict.changes, hash, item)?.is_some()))
        }
        DictPart::Items => {
            let Value::Tuple(pair) = item else { return Ok(Some(false)) };
            let [key, value] = pair.items() else { return Ok(Some(false)) };
            match table::dict_get(vm, &view.dict, key)? {
                Some(found) => Ok(Some(vm.equals(&found, value)?)),
                None => Ok(Some(false)),
            }
        }
        DictPart::Values => {
            let mut position = 0;
            while let Some((at, entry)) = table::entry_from(&view.dict.table, position) {
                if vm.equals(&entry.value, item)? {
                    return Ok(Some(true));
                }
                position = at + 1;
            }
            Ok(Some(false))
        }
    }
}

/// The set a keys or items view equals, for set operations; nothing for other values.
pub fn view_as_set(vm: &mut Vm, value: &Value) -> Fallible<Option<Ref<SetObject>>> {
    let Value::Object(object) = value else { return Ok(None) };
    match object.downcast::<DictView>() {
        Some(view) if view.part != DictPart::Values => super::set::from_iterable(vm, value, false).map(Some),
        _ => Ok(None),
    }
}

/// Appends the text of a view or another built-in module object; says whether it was one.
pub fn write_view(vm: &mut Vm, into: &mut String, value: &Value, object: &Ref<NativeObject>) -> Fallible<bool> {
    let Some(view) = object.downcast::<DictView>() else { return Ok(false) };
    let Some(guard) = repr::Guard::enter(value) else {
        into.push_str("...");
        return Ok(true);
    };
    into.push_str(value.type_name());
    into.push_str("([");
    let mut position = 0;
    while let Some((at, entry)) = table::entry_from(&view.dict.table, position) {
        if position > 0 {
            into.push_str(", ");
        }
        match view.part {
            DictPart::Keys => repr::append(vm, into, &entry.key)?,
            DictPart::Values => repr::append(vm, into, &entry.value)?,
            DictPart::Items => {
                into.push('(');
                repr::append(vm, into, &entry.key)?;
                into.push_str(", ");
                repr::append(vm, into, &entry.value)?;
                into.push(')');
            }
        }
        position = at + 1;
    }
    into.push_str("])");
    drop(guard);
    Ok(true)
}

/// The keyword arguments that a `**kwargs` slot holds.
pub fn keyword_pairs(kwargs: &Value) -> Vec<(Name, Value)> {
    let Value::Dict(dict) = kwargs else { return vec![] };
    let table = dict.table.borrow();
    table.iter().filter_map(|(_, entry)| Some((Name::new(entry.key.as_str()?), entry.value.clone()))).collect()
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    receiver::derive(vm, args, Builtin::Dict, Value::Dict(Ref::new(DictObject::default())))
}

fn init(vm: &mut Vm, args: Args) -> Fallible<Value> {
    update_from_arguments(vm, args, "dict")?;
    Ok(Value::None)
}

fn update_method(vm: &mut Vm, args: Args) -> Fallible<Value> {
    update_from_arguments(vm, args, "update")?;
    Ok(Value::None)
}

fn update_from_arguments(vm: &mut Vm, args: Args, function: &str) -> Fallible<()> {
    let dict = receiver::dict(vm, args)?;
    if let Value::Tuple(positional) = args.get(vm, 1) {
        match positional.items() {
            [] => {}
            [source] => update(vm, &dict, source)?,
            more => {
                return Err(raise::type_error(format!("{function} expected at most 1 argument, got {}", more.len())));
            }
        }
    }
    if let Value::Dict(keywords) = args.get(vm, 2) {
        merge(vm, &dict, &keywords)?;
    }
    Ok(())
}

/// Adds every entry of another dict.
pub fn merge(vm: &mut Vm, dict: &Ref<DictObject>, other: &Ref<DictObject>) -> Fallible<()> {
    if Ref::ptr_eq(dict, other) {
        return Ok(());
    }
    if dict.table.borrow().is_empty() {
        let copied = other.table.borrow().clone();
        if !copied.is_empty() {
            let old = dict.table.replace(copied);
            dict.changes.set(dict.changes.get().wrapping_add(1));
            drop(old);
        }
        return Ok(());
    }
    let mut position = 0;
    while let Some((at, entry)) = table::entry_from(&other.table, position) {
        table::dict_set_hashed(vm, dict, entry.hash, entry.key, entry.value)?;
        position = at + 1;
    }
    Ok(())
}

/// `dict.update(source)`: a mapping (it has `keys`) or an iterable of pairs.
pub fn update(vm: &mut Vm, dict: &Ref<DictObject>, source: &Value) -> Fallible<()> {
    if let Value::Dict(other) = source {
        return merge(vm, dict, other);
    }
    if let Some(keys) = vm.find_attribute(source, names::KEYS)? {
        let keys = vm.call(&keys, &[])?;
        let iterator = vm.iter(&keys)?;
        vm.protect(iterator.clone());
        while let Some(key) = vm.next(&iterator)? {
            let value = vm.get_item(source, &key)?;
            table::dict_set(vm, dict, key, value)?;
        }
        return Ok(());
    }
    let iterator = vm.iter(source)?;
    vm.protect(iterator.clone());
    let mut index = 0usize;
    while let Some(item) = iterators::next_of(vm, &iterator)? {
        let (key, value) = pair_of(vm, &item, index)?;
        table::dict_set(vm, dict, key, value)?;
        index += 1;
        if index.is_multiple_of(4096) {
            vm.poll()?;
            if index.is_multiple_of(1 << 16) {
                vm.reserve(1 << 23)?;
            }
        }
    }
    Ok(())
}

fn pair_of(vm: &mut Vm, item: &Value, index: usize) -> Fallible<(Value, Value)> {
    let wrong_len = |len: usize| {
        raise::value_error(format!("dictionary update sequence element #{index} has length {len}; 2 is required"))
    };
    if let Value::Tuple(pair) = item {
        return match pair.items() {
            [key, value] => Ok((key.clone(), value.clone())),
            other => Err(wrong_len(other.len())),
        };
    }
    let mut items = match vm.collect(item) {
        Ok(items) => items,
        Err(error) if error.is(Builtin::TypeError) && iterators::iter(item).is_none() => {
            return Err(raise::type_error(format!(
                "cannot convert dictionary update sequence element #{index} to a sequence"
            )));
        }
        Err(error) => return Err(error),
    };
    if items.len() != 2 {
        return Err(wrong_len(items.len()));
    }
    let value = items.pop().unwrap_or_default();
    let key = items.pop().unwrap_or_default();
    Ok((key, value))
}

fn get(vm: &mut Vm, args: Args) -> Fallible<Value> {
    if let Value::Dict(dict) = args.peek(vm, 0)
        && let Some(found) = table::dict_look_up_quickly(dict, args.peek(vm, 1))
    {
        return Ok(found.or_else(|| args.optional(vm, 2)).unwrap_or(Value::None));
    }
    let dict = receiver::dict(vm, args)?;
    let key = args.get(vm, 1);
    match table::dict_get(vm, &dict, &key)? {
        Some(value) => Ok(value),
        None => Ok(args.optional(vm, 2).unwrap_or(Value::None)),
    }
}

fn setdefault(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let dict = receiver::dict(vm, args)?;
    let key = args.get(vm, 1);
    let hash = table::key_hash(vm, &key)?;
    if let Some(found) = table::find(vm, &dict.table, &dict.changes, hash, &key)?
        && let Some(entry) = dict.table.borrow().at(found)
    {
        return Ok(entry.value.clone());
    }
    let default = args.optional(vm, 2).unwrap_or(Value::None);
    table::dict_set_hashed(vm, &dict, hash, key, default.clone())?;
    Ok(default)
}

fn pop(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let dict = receiver::dict(vm, args)?;
    let key = args.get(vm, 1);
    match table::dict_remove(vm, &dict, &key)? {
        Some(entry) => Ok(entry.value),
        None => args.optional(vm, 2).ok_or_else(|| raise::key_error(key)),
    }
}

fn popitem(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let dict = receiver::dict(vm, args)?;
    let last = dict.table.borrow().iter().next_back().map(|(position, _)| position);
    match last.and_then(|position| table::dict_remove_at(&dict, position)) {
        Some(entry) => Ok(Value::tuple([entry.key, entry.value])),
        None => Err(raise::key_error(Value::str("popitem(): dictionary is empty"))),
    }
}

fn view(vm: &mut Vm, args: Args, part: DictPart) -> Fallible<Value> {
    let dict = receiver::dict(vm, args)?;
    Ok(Value::object(DictView { dict, part }))
}

fn clear(vm: &mut Vm, args: Args) -> Fallible<Value> {
    table::dict_clear(&*receiver::dict(vm, args)?);
    Ok(Value::None)
}

/// A dict with the same entries.
pub fn copied(dict: &DictObject) -> Value {
    Value::Dict(Ref::new(DictObject::new(dict.table.borrow().clone())))
}

fn copy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(copied(&*receiver::dict(vm, args)?))
}

fn reversed(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let dict = receiver::dict(vm, args)?;
    let changes = dict.changes.get();
    Ok(iterators::make(IteratorState::Dict(dict, 0, changes, DictPart::Keys, true)))
}

fn fromkeys(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let class = args.get(vm, 0);
    let iterable = args.get(vm, 1);
    let value = args.optional(vm, 2).unwrap_or(Value::None);
    let is_plain = matches!(&class, Value::Class(class) if Ref::ptr_eq(class, &builtin_class(Builtin::Dict)));
    let result = if is_plain { Value::Dict(Ref::new(DictObject::new(Dict::default()))) } else { vm.call(&class, &[])? };
    vm.protect(result.clone());
    let iterator = vm.iter(&iterable)?;
    vm.protect(iterator.clone());
    while let Some(key) = iterators::next_of(vm, &iterator)? {
        match &result {
            Value::Dict(dict) => table::dict_set(vm, dict, key, value.clone())?,
            other => vm.set_item(other, &key, value.clone())?,
        }
    }
    Ok(result)
}
