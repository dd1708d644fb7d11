//! The methods of `str` that search, split, join and convert. What lays out and classifies is in `str_shape`.

use super::classes::{Builtin, attach, builtin_class};
use super::{codecs, convert, dunders, receiver, str_format, text, unicode};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{Dict, DictObject, StrObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, object='', encoding=None, errors=None)", "Text of an object.", new),
    static_method("maketrans", "(x, y=None, z=None, /)", "Return a translation table.", maketrans),
    method("__str__", "(self, /)", "Return str(self).", |vm, args| Ok(Value::Str(receiver::text(vm, args)?))),
    method("encode", "(self, encoding='utf-8', errors='strict')", "Encode to bytes.", encode),
    method("find", "(self, sub, start=None, end=None, /)", "Lowest index of sub, or -1.", find),
    method("rfind", "(self, sub, start=None, end=None, /)", "Highest index of sub, or -1.", find).with_row(1),
    method("index", "(self, sub, start=None, end=None, /)", "As find, but raises.", find).with_row(2),
    method("rindex", "(self, sub, start=None, end=None, /)", "As rfind, but raises.", find).with_row(3),
    method("count", "(self, sub, start=None, end=None, /)", "How often sub occurs without overlap.", count),
    method("startswith", "(self, prefix, start=None, end=None, /)", "Whether it starts with prefix.", starts),
    method("endswith", "(self, suffix, start=None, end=None, /)", "Whether it ends with suffix.", starts).with_row(1),
    method("split", "(self, sep=None, maxsplit=-1)", "The parts between sep.", split),
    method("rsplit", "(self, sep=None, maxsplit=-1)", "The parts between sep, from the end.", split).with_row(1),
    method("splitlines", "(self, keepends=False)", "The lines.", splitlines),
    method("partition", "(self, sep, /)", "What stands before, sep, and what stands after.", partition),
    method("rpartition", "(self, sep, /)", "As partition, from the end.", partition).with_row(1),
    method("join", "(self, iterable, /)", "The items with this text between them.", join),
    method("replace", "(self, old, new, count=-1, /)", "A copy with old replaced by new.", replace),
    method("strip", "(self, chars=None, /)", "Without leading and trailing characters.", strip),
    method("lstrip", "(self, chars=None, /)", "Without leading characters.", strip).with_row(1),
    method("rstrip", "(self, chars=None, /)", "Without trailing characters.", strip).with_row(2),
    method("removeprefix", "(self, prefix, /)", "Without the prefix.", remove_affix),
    method("removesuffix", "(self, suffix, /)", "Without the suffix.", remove_affix).with_row(1),
    method("translate", "(self, table, /)", "With each character mapped by the table.", translate),
    method("format", "(self, *args, **kwargs)", "With replacement fields filled.", |vm, args| {
        let template = receiver::text(vm, args)?;
        str_format::format(vm, template.as_str(), args)
    }),
    method("format_map", "(self, mapping, /)", "With replacement fields filled from a mapping.", |vm, args| {
        let template = receiver::text(vm, args)?;
        let mapping = args.get(vm, 1);
        str_format::format_map(vm, template.as_str(), mapping)
    }),
];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::Str);
    attach(&class, METHODS);
    attach(&class, super::str_shape::METHODS);
    dunders::attach_sequence(&class);
    dunders::attach_modulo(&class);
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (encoding, errors) = (args.optional(vm, 2), args.optional(vm, 3));
    let Some(object) = args.optional(vm, 1) else { return receiver::derive(vm, args, Builtin::Str, text::empty()) };
    if encoding.is_none() && errors.is_none() {
        let shown = match &object {
            Value::Str(_) => object.clone(),
            Value::Int(int) => text::of_int(*int),
            _ => text::value(&vm.str(&object)?),
        };
        return receiver::derive(vm, args, Builtin::Str, shown);
    }
    if let Value::Str(_) = receiver::payload(&object) {
        return Err(raise::type_error("decoding str is not supported"));
    }
    let Some(data) = super::bytes::view(&receiver::payload(&object)).map(|view| view.as_slice().to_vec()) else {
        return Err(raise::type_error(format!(
            "decoding to str: need a bytes-like object, {} found",
            object.type_name()
        )));
    };
    let encoding = encoding.map_or(Ok("utf-8".into()), |_| args.text(vm, 2, "str() argument 'encoding'"))?;
    let errors = errors.map_or(Ok("strict".into()), |_| args.text(vm, 3, "str() argument 'errors'"))?;
    let decoded = codecs::decode(&data, &encoding, &errors)?;
    receiver::derive(vm, args, Builtin::Str, text::value(&decoded))
}

fn encode(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let encoding = match args.optional(vm, 1) {
        Some(_) => args.text(vm, 1, "encode() argument 'encoding'")?,
        None => "utf-8".into(),
    };
    let errors = match args.optional(vm, 2) {
        Some(_) => args.text(vm, 2, "encode() argument 'errors'")?,
        None => "strict".into(),
    };
    codecs::encode(source.as_str(), &encoding, &errors).map(super::bytes::value)
}

/// A text argument, or `TypeError` with this start.
fn argument(vm: &Vm, args: Args, index: usize, message: &str) -> Fallible<Ref<StrObject>> {
    match receiver::payload(args.peek(vm, index)) {
        Value::Str(text) => Ok(text),
        _ => Err(raise::type_error(format!("{message}, not {}", args.peek(vm, index).type_name()))),
    }
}

/// The section that start and end arguments select, in characters; nothing when start is past the end.
fn section(vm: &mut Vm, args: Args, len: usize) -> Fallible<Option<(usize, usize)>> {
    let mut bound = |index: usize| -> Fallible<Option<i64>> {
        let Some(value) = args.not_none(vm, index) else { return Ok(None) };
        let number = match value {
            Value::Int(_) => value,
            other if vm.find_special(&other, names::INDEX).is_some() => convert::index_value(vm, &other)?,
            _ => {
                return Err(raise::type_error("slice indices must be integers or None or have an __index__ method"));
            }
        };
        let at = crate::lang::operators::number::saturated(&number).unwrap_or(0);
        Ok(Some(if at < 0 { at.saturating_add(len as i64).max(0) } else { at }))
    };
    let start = bound(2)?.unwrap_or(0);
    let end = bound(3)?.unwrap_or(len as i64).min(len as i64);
    Ok((start <= end).then_some((start as usize, end as usize)))
}

fn find(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let needle = argument(vm, args, 1, "must be str")?;
    let found = match section(vm, args, source.len_chars())? {
        None => None,
        Some((start, end)) => {
            let part = text::between(&source, start, end);
            let at = if args.row & 1 == 0 { part.find(needle.as_str()) } else { part.rfind(needle.as_str()) };
            at.map(|at| start + if source.is_ascii() { at } else { part[..at].chars().count() })
        }
    };
    match found {
        Some(at) => Ok(Value::from(at)),
        None if args.row < 2 => Ok(Value::Int(-1)),
        None => Err(raise::value_error("substring not found")),
    }
}

fn count(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let needle = argument(vm, args, 1, "must be str")?;
    let Some((start, end)) = section(vm, args, source.len_chars())? else { return Ok(Value::Int(0)) };
    let part = text::between(&source, start, end);
    Ok(Value::from(match needle.as_str() {
        "" => part.chars().count() + 1,
        needle => text::positions(part, needle).count(),
    }))
}

fn starts(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let section = section(vm, args, source.len_chars())?;
    let function = if args.row == 0 { "startswith" } else { "endswith" };
    let fits = |affix: &str| {
        section.is_some_and(|(start, end)| {
            let part = text::between(&source, start, end);
            if args.row == 0 { part.starts_with(affix) } else { part.ends_with(affix) }
        })
    };
    match receiver::payload(args.peek(vm, 1)) {
        Value::Str(affix) => Ok(Value::Bool(fits(affix.as_str()))),
        Value::Tuple(items) => {
            for item in items.items() {
                match receiver::payload(item) {
                    Value::Str(affix) if fits(affix.as_str()) => return Ok(Value::Bool(true)),
                    Value::Str(_) => {}
                    _ => {
                        return Err(raise::type_error(format!(
                            "tuple for {function} must only contain str, not {}",
                            item.type_name()
                        )));
                    }
                }
            }
            Ok(Value::Bool(false))
        }
        _ => Err(raise::type_error(format!(
            "{function} first arg must be str or a tuple of str, not {}",
            args.peek(vm, 1).type_name()
        ))),
    }
}

fn texts<'a>(parts: impl IntoIterator<Item = &'a str>) -> Value {
    Value::list(parts.into_iter().map(text::value).collect())
}

fn split(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let limit = args.index_or(vm, 2, -1)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let from_end = args.row == 1;
    let string = source.as_str();
    match args.not_none(vm, 1) {
        None if limit == usize::MAX => Ok(texts(string.split(unicode::is_space).filter(|part| !part.is_empty()))),
        None => Ok(texts(split_space(string, limit, from_end))),
        Some(separator) => {
            let Value::Str(separator) = receiver::payload(&separator) else {
                return Err(raise::type_error(format!("must be str or None, not {}", separator.type_name())));
            };
            let separator = separator.as_str();
            if separator.is_empty() {
                return Err(raise::value_error("empty separator"));
            }
            Ok(if limit == usize::MAX {
                texts(text::split(string, separator))
            } else if from_end {
                let mut parts: Vec<&str> = string.rsplitn(limit + 1, separator).collect();
                parts.reverse();
                texts(parts)
            } else {
                texts(string.splitn(limit + 1, separator))
            })
        }
    }
}

fn split_space(string: &str, limit: usize, from_end: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = if from_end {
        string.trim_end_matches(unicode::is_space)
    } else {
        string.trim_start_matches(unicode::is_space)
    };
    while !rest.is_empty() {
        if parts.len() == limit {
            parts.push(rest);
            break;
        }
        if from_end {
            let at = rest.rfind(unicode::is_space);
            let after = at.map_or(0, |at| at + rest[at..].chars().next().map_or(1, char::len_utf8));
            parts.push(&rest[after..]);
            rest = rest[..at.unwrap_or(0)].trim_end_matches(unicode::is_space);
        } else {
            let at = rest.find(unicode::is_space).unwrap_or(rest.len());
            parts.push(&rest[..at]);
            rest = rest[at..].trim_start_matches(unicode::is_space);
        }
    }
    if from_end {
        parts.reverse();
    }
    parts
}

fn splitlines(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let keep = args.truth_or(vm, 1, false)?;
    let mut rest = source.as_str();
    let mut lines = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(unicode::is_line_break).unwrap_or(rest.len());
        let mut next = end + rest[end..].chars().next().map_or(0, char::len_utf8);
        if rest[end..].starts_with("\r\n") {
            next = end + 2;
        }
        lines.push(text::value(&rest[..if keep { next } else { end }]));
        rest = &rest[next..];
    }
    Ok(Value::list(lines))
}

fn partition(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let separator = argument(vm, args, 1, "must be str")?;
    if separator.as_str().is_empty() {
        return Err(raise::value_error("empty separator"));
    }
    let (string, middle) = (source.as_str(), separator.as_str());
    let found = if args.row == 1 { string.rsplit_once(middle) } else { string.split_once(middle) };
    let parts = match found {
        Some((before, after)) => [before, middle, after],
        None if args.row == 1 => ["", "", string],
        None => [string, "", ""],
    };
    Ok(Value::tuple(parts.map(text::value)))
}

fn join(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let separator = receiver::text(vm, args)?;
    let iterable = args.get(vm, 1);
    if let Value::List(list) = &iterable {
        // Nothing below runs code of the program while the list is borrowed.
        return join_items(vm, &separator, &list.items.borrow());
    }
    let items = match vm.collect(&iterable) {
        Ok(items) => items,
        Err(error)
            if error.is(Builtin::TypeError)
                && super::iterators::iter(&iterable).is_none()
                && vm.find_special(&iterable, names::ITER).is_none()
                && vm.find_special(&iterable, names::GETITEM).is_none() =>
        {
            return Err(raise::type_error("can only join an iterable"));
        }
        Err(error) => return Err(error),
    };
    join_items(vm, &separator, &items)
}

/// `separator.join(items)`
pub fn join_items(vm: &mut Vm, separator: &StrObject, items: &[Value]) -> Fallible<Value> {
    if let [only @ Value::Str(_)] = items {
        return Ok(only.clone());
    }
    let mut bytes = separator.as_str().len().saturating_mul(items.len().saturating_sub(1));
    for (index, item) in items.iter().enumerate() {
        bytes = bytes.saturating_add(match item {
            Value::Str(part) => part.as_str().len(),
            other => match receiver::payload(other) {
                Value::Str(part) => part.as_str().len(),
                _ => {
                    return Err(raise::type_error(format!(
                        "sequence item {index}: expected str instance, {} found",
                        item.type_name()
                    )));
                }
            },
        });
    }
    if bytes > 1 << 16 {
        vm.reserve(bytes)?;
    }
    if bytes < 2 {
        // One character, or none, is shared.
        let found = items.iter().map(receiver::payload).find(|part| part.as_str().is_some_and(|part| !part.is_empty()));
        return Ok(found.unwrap_or_else(|| text::value(if bytes == 0 { "" } else { separator.as_str() })));
    }
    let mut joined = String::with_capacity(bytes);
    let mut len_chars = separator.len_chars() * items.len().saturating_sub(1);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            joined.push_str(separator.as_str());
        }
        match item {
            Value::Str(part) => {
                joined.push_str(part.as_str());
                len_chars += part.len_chars();
            }
            other => {
                if let Value::Str(part) = receiver::payload(other) {
                    joined.push_str(part.as_str());
                    len_chars += part.len_chars();
                }
            }
        }
    }
    Ok(Value::Str(Ref::new(StrObject::counted(joined, len_chars))))
}

fn replace(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let old = argument(vm, args, 1, "replace() argument 1 must be str")?;
    let new = argument(vm, args, 2, "replace() argument 2 must be str")?;
    let limit = args.index_or(vm, 3, -1)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let (string, old, new) = (source.as_str(), old.as_str(), new.as_str());
    let mut places = 0usize;
    for _ in text::positions(string, old).take(limit) {
        places += 1;
        if places.is_multiple_of(1 << 16) {
            vm.poll()?;
            if new.len() > old.len() {
                vm.reserve(places.saturating_mul(new.len()))?;
            }
        }
    }
    if places == 0 {
        return Ok(Value::Str(source));
    }
    if new.len() > old.len() {
        vm.reserve(string.len().saturating_add(places.saturating_mul(new.len())))?;
    }
    let mut into = String::with_capacity(string.len() + places * new.len().saturating_sub(old.len()));
    let mut from = 0;
    for place in text::positions(string, old).take(limit) {
        into.push_str(&string[from..place]);
        into.push_str(new);
        from = place + old.len();
    }
    into.push_str(&string[from..]);
    Ok(text::owned(into))
}

fn strip(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let string = source.as_str();
    let (left, right) = (args.row != 2, args.row != 1);
    let cut = |gone: &dyn Fn(char) -> bool| {
        let mut kept = string;
        if left {
            kept = kept.trim_start_matches(gone);
        }
        if right {
            kept = kept.trim_end_matches(gone);
        }
        kept.len()
    };
    let function = ["strip", "lstrip", "rstrip"][args.row];
    let (kept, gone): (usize, Box<dyn Fn(char) -> bool>) = match args.not_none(vm, 1) {
        None => (cut(&unicode::is_space), Box::new(unicode::is_space)),
        Some(set) => {
            let Value::Str(set) = receiver::payload(&set) else {
                return Err(raise::type_error(format!("{function} arg must be None or str")));
            };
            let test = move |c: char| set.as_str().contains(c);
            (cut(&test), Box::new(test))
        }
    };
    if kept == string.len() {
        return Ok(Value::Str(source));
    }
    let mut part = string;
    if left {
        part = part.trim_start_matches(&*gone);
    }
    if right {
        part = part.trim_end_matches(&*gone);
    }
    Ok(text::value(part))
}

fn remove_affix(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let function = if args.row == 0 { "removeprefix" } else { "removesuffix" };
    let affix = argument(vm, args, 1, &format!("{function}() argument must be str"))?;
    let string = source.as_str();
    let kept = if args.row == 0 { string.strip_prefix(affix.as_str()) } else { string.strip_suffix(affix.as_str()) };
    Ok(kept.map_or(Value::Str(source.clone()), text::value))
}

fn maketrans(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let table = Ref::new(DictObject::new(Dict::default()));
    let code = |c: char| Value::Int(u32::from(c).into());
    let first = args.get(vm, 0);
    let Some(second) = args.optional(vm, 1) else {
        let Value::Dict(mapping) = receiver::payload(&first) else {
            return Err(raise::type_error("if you give only one argument to maketrans it must be a dict"));
        };
        let mut position = 0;
        while let Some((at, entry)) = super::table::entry_from(&mapping.table, position) {
            let key = match receiver::payload(&entry.key) {
                Value::Str(text) if text.len_chars() == 1 => code(text.as_str().chars().next().unwrap_or_default()),
                Value::Str(_) => {
                    return Err(raise::value_error("string keys in translate table must be of length 1"));
                }
                number @ (Value::Int(_) | Value::Bool(_)) => number,
                _ => {
                    return Err(raise::type_error("keys in translate table must be strings or integers"));
                }
            };
            super::table::dict_set(vm, &table, key, entry.value)?;
            position = at + 1;
        }
        return Ok(Value::Dict(table));
    };
    let (Value::Str(from), Value::Str(to)) = (receiver::payload(&first), receiver::payload(&second)) else {
        return Err(raise::type_error(if matches!(first, Value::Str(_)) {
            format!("maketrans() argument 2 must be str, not {}", second.type_name())
        } else {
            "first maketrans argument must be a string if there is a second argument".to_owned()
        }));
    };
    if from.len_chars() != to.len_chars() {
        return Err(raise::value_error("the first two maketrans arguments must have equal length"));
    }
    for (from, to) in from.as_str().chars().zip(to.as_str().chars()) {
        super::table::dict_set(vm, &table, code(from), code(to))?;
    }
    if args.optional(vm, 2).is_some() {
        let gone = argument(vm, args, 2, "maketrans() argument 3 must be str")?;
        for c in gone.as_str().chars() {
            super::table::dict_set(vm, &table, code(c), Value::None)?;
        }
    }
    Ok(Value::Dict(table))
}

fn translate(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let table = args.get(vm, 1);
    let mut out = String::with_capacity(source.as_str().len());
    for c in source.as_str().chars() {
        let mapped = match vm.get_item(&table, &Value::Int(u32::from(c).into())) {
            Ok(mapped) => mapped,
            Err(error) if error.is(Builtin::LookupError) => {
                out.push(c);
                continue;
            }
            Err(error) => return Err(error),
        };
        match receiver::payload(&mapped) {
            Value::None => {}
            Value::Str(text) => out.push_str(text.as_str()),
            Value::Int(code) => {
                let c = u32::try_from(code).ok().and_then(char::from_u32);
                out.push(c.ok_or_else(|| raise::value_error("character mapping must be in range(0x110000)"))?);
            }
            _ => return Err(raise::type_error("character mapping must return integer, None or str")),
        }
    }
    Ok(text::value(&out))
}
