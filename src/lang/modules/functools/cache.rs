//! The wrapper behind `lru_cache` and `cache`: keeps results by arguments, the least recently used one goes first.

use std::cell::{Cell, RefCell};

use super::{IDENTITY, copy_identity};
use crate::lang::builtins::classes::{Builtin, attach, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::modules::support::{Typed, items_of, thread_class};
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{Attributes, BoundMethod, ClassRef, Dict, DictObject, NativeData, PayloadKind};
use crate::lang::raise::Fallible;
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

#[derive(Debug)]
struct Cache {
    function: Value,
    info_class: Value,
    identity: Vec<(Name, Value)>,
    max: Option<usize>,
    typed: bool,
    /// Results by key, the most recently used last.
    results: Ref<DictObject>,
    hits: Cell<u64>,
    misses: Cell<u64>,
    /// Attributes that a program set on the wrapper.
    attributes: RefCell<Attributes>,
}

thread_class! {
    fn cache_class() = {
        let class = define_class("_lru_cache_wrapper", "functools", &builtin_class(Builtin::Object), PayloadKind::Sealed, METHODS);
        attach(&class, ATTRIBUTES);
        class
    };
}

const METHODS: &[Method] = &[
    method("__call__", "(self, /, *args, **kwargs)", "Call self as a function.", call),
    method(
        "__get__",
        "(self, instance, owner=None, /)",
        "Return an attribute of instance, which is of type owner.",
        bind,
    ),
    method("cache_info", "(self, /)", "Report cache statistics", info),
    method("cache_clear", "(self, /)", "Clear the cache and cache statistics", clear),
    method("cache_parameters", "(self, /)", "Report maxsize and typed.", parameters),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let cache = receiver(vm, args)?;
        let name = cache.identity.iter().find(|(name, _)| *name == names::QUALNAME).map(|(_, value)| value.clone());
        let name = match name {
            Some(name) => vm.str(&name)?,
            None => "?".into(),
        };
        let address = args.peek(vm, 0).heap_id().map_or(0, crate::lang::heap::ObjectId::address);
        Ok(format!("<functools._lru_cache_wrapper object {name} at {address:#x}>").into())
    }),
    method("__getattr__", "(self, name, /)", "Return an attribute copied from the function.", |vm, args| {
        let text = args.text(vm, 1, "attribute name")?;
        let name = Name::new(&text);
        let cache = receiver(vm, args)?;
        let own = !text.starts_with("__") || text.as_ref() == "__annotations__";
        match if own { vm.find_attribute(&cache.function, name)? } else { None } {
            Some(value) => Ok(value),
            None => Err(crate::lang::raise::attribute_error(format!(
                "'functools._lru_cache_wrapper' object has no attribute '{text}'"
            ))),
        }
    }),
];

const ATTRIBUTES: &[Method] = &[
    getter("__wrapped__", "The function without its cache.", |vm, args| Ok(receiver(vm, args)?.function.clone())),
    getter("__name__", "The function's name.", |vm, args| identity(vm, args, names::NAME)),
    getter("__qualname__", "The function's qualified name.", |vm, args| identity(vm, args, names::QUALNAME)),
    getter("__module__", "The function's module.", |vm, args| identity(vm, args, names::MODULE)),
    getter("__doc__", "The function's documentation.", |vm, args| identity(vm, args, names::DOC)),
];

fn receiver(vm: &Vm, args: Args) -> Fallible<Typed<Cache>> {
    Typed::receiver(vm, args, "functools._lru_cache_wrapper")
}

fn identity(vm: &Vm, args: Args, name: Name) -> Fallible<Value> {
    let cache = receiver(vm, args)?;
    Ok(cache.identity.iter().find(|(known, _)| *known == name).map_or(Value::None, |(_, value)| value.clone()))
}

impl NativeData for Cache {
    fn class(&self) -> ClassRef {
        cache_class()
    }
    fn attributes(&self) -> Option<&RefCell<Attributes>> {
        Some(&self.attributes)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Callable, &self.function);
        visit(Edge::Other("cached results"), &Value::Dict(self.results.clone()));
        visit(Edge::Other("CacheInfo"), &self.info_class);
        self.identity.iter().for_each(|(name, value)| visit(Edge::Attribute(*name), value));
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        for entry in self.results.table.borrow_mut().take_all() {
            into.extend([entry.key, entry.value]);
        }
    }
}

pub(super) fn wrap(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let function = args.get(vm, 0);
    let max = match args.not_none(vm, 1) {
        Some(max) => Some(usize::try_from(vm.index(&max)?).unwrap_or(0)),
        None => None,
    };
    let typed = args.truth_or(vm, 2, false)?;
    Ok(Value::object(Cache {
        identity: copy_identity(vm, &function, &IDENTITY),
        function,
        info_class: args.get(vm, 3),
        max,
        typed,
        results: Ref::new(DictObject::new(Dict::default())),
        hits: Cell::new(0),
        misses: Cell::new(0),
        attributes: RefCell::default(),
    }))
}

/// The key of a call: the single hashable argument itself where that cannot be confused, else a tuple.
fn key_of(arguments: &[Value], keywords: &Value, typed: bool) -> Value {
    let pairs: Vec<(Value, Value)> = match keywords {
        Value::Dict(dict) => {
            dict.table.borrow().iter().map(|(_, entry)| (entry.key.clone(), entry.value.clone())).collect()
        }
        _ => Vec::new(),
    };
    if pairs.is_empty()
        && !typed
        && let [only @ (Value::Int(_) | Value::Str(_))] = arguments
    {
        return only.clone();
    }
    let mut key = arguments.to_vec();
    if !pairs.is_empty() {
        // Nothing a program can pass equals the mark between positional and keyword arguments.
        key.push(Value::Native(mark()));
        key.extend(pairs.iter().flat_map(|(name, value)| [name.clone(), value.clone()]));
    }
    if typed {
        key.extend(arguments.iter().map(|value| Value::Class(value.class())));
        key.extend(pairs.iter().map(|(_, value)| Value::Class(value.class())));
    }
    Value::tuple(key)
}

fn mark() -> Ref<crate::lang::objects::NativeFunction> {
    thread_local! {
        static MARK: Ref<crate::lang::objects::NativeFunction> =
            method("keywords", "()", "Separates keyword arguments in a key.", |_, _| Ok(Value::None)).build(None, None);
    }
    MARK.with(Clone::clone)
}

fn call(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let cache = receiver(vm, args)?;
    let arguments = items_of(args.peek(vm, 1));
    let keywords = args.get(vm, 2);
    if cache.max == Some(0) {
        cache.misses.set(cache.misses.get() + 1);
        return run(vm, &cache.function, &arguments, &keywords);
    }
    let key = key_of(&arguments, &keywords, cache.typed);
    vm.protect(key.clone());
    if let Some(found) = vm.dict_get(&cache.results, &key)? {
        cache.hits.set(cache.hits.get() + 1);
        if cache.max.is_some()
            && let Some(found) = vm.dict_remove(&cache.results, &key)?
        {
            vm.dict_set(&cache.results, key, found)?;
        }
        return Ok(found);
    }
    cache.misses.set(cache.misses.get() + 1);
    let result = run(vm, &cache.function, &arguments, &keywords)?;
    vm.dict_set(&cache.results, key, result.clone())?;
    if let Some(max) = cache.max {
        let oldest = {
            let mut table = cache.results.table.borrow_mut();
            let position = if table.len() > max { table.iter().next().map(|(position, _)| position) } else { None };
            position.and_then(|position| table.remove(position))
        };
        drop(oldest);
    }
    Ok(result)
}

fn run(vm: &mut Vm, function: &Value, arguments: &[Value], keywords: &Value) -> Fallible<Value> {
    let keywords = super::super::support::keywords_of(keywords);
    if keywords.is_empty() { vm.call(function, arguments) } else { vm.call_with(function, arguments, &keywords) }
}

fn bind(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (function, receiver) = (args.get(vm, 0), args.get(vm, 1));
    if receiver.is_none() {
        return Ok(function);
    }
    Ok(Value::Method(Ref::new(BoundMethod { function, receiver })))
}

fn info(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let cache = receiver(vm, args)?;
    let kept = cache.results.table.borrow().len();
    let number = |count: u64| Value::int(count);
    let figures =
        [number(cache.hits.get()), number(cache.misses.get()), cache.max.map_or(Value::None, Value::from), kept.into()];
    vm.call(&cache.info_class, &figures)
}

fn clear(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let cache = receiver(vm, args)?;
    let old = cache.results.table.borrow_mut().take_all();
    cache.results.changes.set(cache.results.changes.get() + 1);
    cache.hits.set(0);
    cache.misses.set(0);
    drop(old);
    Ok(Value::None)
}

fn parameters(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let cache = receiver(vm, args)?;
    let dict = Ref::new(DictObject::new(Dict::default()));
    vm.dict_set(&dict, "maxsize".into(), cache.max.map_or(Value::None, Value::from))?;
    vm.dict_set(&dict, "typed".into(), cache.typed.into())?;
    Ok(Value::Dict(dict))
}
