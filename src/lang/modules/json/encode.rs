//! Writes JSON: compact or indented, with CPython's separators, key rules and errors.

use super::DEPTH_MAX;
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::heap::ObjectId;
use crate::lang::modules::support::unwrap_payload;
use crate::lang::native::Args;
use crate::lang::raise::{Fallible, recursion_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

struct Writer {
    out: String,
    default: Option<Value>,
    skip_keys: bool,
    ascii: bool,
    check_circular: bool,
    allow_nan: bool,
    indent: Option<String>,
    item_separator: String,
    key_separator: String,
    sort_keys: bool,
    /// The containers being written, outermost first.
    open: Vec<ObjectId>,
    depth: usize,
}

pub(super) fn encode(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let indent = match args.not_none(vm, 6) {
        None => None,
        Some(text @ Value::Str(_)) => text.as_str().map(str::to_owned),
        Some(count) => {
            let count = usize::try_from(vm.index(&count)?).unwrap_or(0);
            vm.reserve(count)?;
            Some(" ".repeat(count))
        }
    };
    let mut writer = Writer {
        out: String::new(),
        default: args.not_none(vm, 1),
        skip_keys: args.truth_or(vm, 2, false)?,
        ascii: args.truth_or(vm, 3, true)?,
        check_circular: args.truth_or(vm, 4, true)?,
        allow_nan: args.truth_or(vm, 5, true)?,
        indent,
        item_separator: args.text(vm, 7, "separator")?.as_ref().to_owned(),
        key_separator: args.text(vm, 8, "separator")?.as_ref().to_owned(),
        sort_keys: args.truth_or(vm, 9, false)?,
        open: Vec::new(),
        depth: 0,
    };
    let object = args.get(vm, 0);
    writer.value(vm, &object)?;
    Ok(writer.out.into())
}

impl Writer {
    fn value(&mut self, vm: &mut Vm, value: &Value) -> Fallible<()> {
        match unwrap_payload(value) {
            Value::None => self.out.push_str("null"),
            Value::Bool(truth) => self.out.push_str(if truth { "true" } else { "false" }),
            Value::Int(number) => self.out.push_str(&number.to_string()),
            Value::Big(number) => {
                vm.reserve((number.value().bits() / 3) as usize)?;
                let text = vm.repr(&Value::Big(number))?;
                self.out.push_str(&text);
            }
            Value::Float(number) => {
                let text = self.float(vm, number)?;
                self.out.push_str(&text);
            }
            Value::Str(text) => self.string(text.as_str()),
            Value::List(list) => {
                let items = list.items.borrow().clone();
                self.sequence(vm, value, &items)?;
            }
            Value::Tuple(tuple) => self.sequence(vm, value, tuple.items())?,
            Value::Dict(dict) => {
                let pairs: Vec<(Value, Value)> =
                    dict.table.borrow().iter().map(|(_, entry)| (entry.key.clone(), entry.value.clone())).collect();
                self.mapping(vm, value, pairs)?;
            }
            scalar @ Value::Scalar(_) if vm.is_instance(&scalar, &builtin_class(Builtin::Float)) => {
                let number = vm.float(&scalar)?;
                let text = self.float(vm, number)?;
                self.out.push_str(&text);
            }
            _ => self.other(vm, value)?,
        }
        if self.out.len() & 0xFFFF < 64 {
            vm.reserve(0x10000)?;
            vm.poll()?;
        }
        Ok(())
    }

    /// What `default` makes of an object that JSON does not know.
    fn other(&mut self, vm: &mut Vm, value: &Value) -> Fallible<()> {
        let Some(default) = self.default.clone() else {
            return Err(type_error(format!("Object of type {} is not JSON serializable", value.type_name())));
        };
        self.enter(value)?;
        let replacement = vm.call(&default, std::slice::from_ref(value))?;
        vm.protect(replacement.clone());
        self.value(vm, &replacement)?;
        self.leave();
        Ok(())
    }

    fn enter(&mut self, value: &Value) -> Fallible<()> {
        self.depth += 1;
        if let Some(id) = value.heap_id() {
            if self.check_circular && self.open.contains(&id) {
                return Err(value_error("Circular reference detected"));
            }
            self.open.push(id);
        }
        if self.depth > DEPTH_MAX {
            return Err(recursion_error("maximum recursion depth exceeded while encoding a JSON object"));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
        self.open.pop();
    }

    fn float(&self, vm: &mut Vm, number: f64) -> Fallible<String> {
        let word = if number.is_nan() {
            "NaN"
        } else if number == f64::INFINITY {
            "Infinity"
        } else if number == f64::NEG_INFINITY {
            "-Infinity"
        } else {
            return Ok(vm.repr(&Value::Float(number))?.as_ref().to_owned());
        };
        if self.allow_nan {
            return Ok(word.to_owned());
        }
        let mut message = "Out of range float values are not JSON compliant".to_owned();
        if self.indent.is_some() {
            message.push_str(&format!(": {}", vm.repr(&Value::Float(number))?));
        }
        Err(value_error(message))
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                '\u{8}' => self.out.push_str("\\b"),
                '\u{c}' => self.out.push_str("\\f"),
                ' '..='~' => self.out.push(c),
                c if self.ascii || c < ' ' => {
                    let mut units = [0; 2];
                    for unit in c.encode_utf16(&mut units) {
                        self.out.push_str(&format!("\\u{unit:04x}"));
                    }
                }
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    /// Starts a new line at the current depth, where lines are wanted.
    fn new_line(&mut self, level: usize) {
        if let Some(indent) = &self.indent {
            self.out.push('\n');
            for _ in 0..level {
                self.out.push_str(indent);
            }
        }
    }

    fn separate(&mut self, is_first: bool, level: usize) {
        if !is_first {
            self.out.push_str(&self.item_separator);
        }
        self.new_line(level);
    }

    fn sequence(&mut self, vm: &mut Vm, value: &Value, items: &[Value]) -> Fallible<()> {
        if items.is_empty() {
            self.out.push_str("[]");
            return Ok(());
        }
        self.enter(value)?;
        let level = self.depth;
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            self.separate(index == 0, level);
            self.value(vm, item)?;
        }
        self.new_line(level - 1);
        self.out.push(']');
        self.leave();
        Ok(())
    }

    fn mapping(&mut self, vm: &mut Vm, value: &Value, mut pairs: Vec<(Value, Value)>) -> Fallible<()> {
        if pairs.is_empty() {
            self.out.push_str("{}");
            return Ok(());
        }
        self.enter(value)?;
        if self.sort_keys {
            sort_by_key(vm, &mut pairs)?;
        }
        let level = self.depth;
        self.out.push('{');
        let mut is_first = true;
        for (key, item) in &pairs {
            let Some(key) = self.key(vm, key)? else { continue };
            self.separate(is_first, level);
            is_first = false;
            self.string(&key);
            self.out.push_str(&self.key_separator);
            self.value(vm, item)?;
        }
        self.new_line(level - 1);
        self.out.push('}');
        self.leave();
        Ok(())
    }

    /// A key as text; nothing when it is to be skipped.
    fn key(&self, vm: &mut Vm, key: &Value) -> Fallible<Option<String>> {
        Ok(Some(match unwrap_payload(key) {
            Value::Str(text) => text.as_str().to_owned(),
            Value::Float(number) => self.float(vm, number)?,
            Value::Bool(truth) => if truth { "true" } else { "false" }.to_owned(),
            Value::None => "null".to_owned(),
            number @ (Value::Int(_) | Value::Big(_)) => vm.repr(&number)?.as_ref().to_owned(),
            _ if self.skip_keys => return Ok(None),
            other => {
                return Err(type_error(format!(
                    "keys must be str, int, float, bool or None, not {}",
                    if matches!(key, Value::Instance(_)) { key.type_name() } else { other.type_name() }
                )));
            }
        }))
    }
}

/// A stable sort by key that stops at the first comparison that raises.
fn sort_by_key(vm: &mut Vm, pairs: &mut Vec<(Value, Value)>) -> Fallible<()> {
    if pairs.iter().all(|(key, _)| matches!(key, Value::Str(_))) {
        pairs.sort_by(|a, b| a.0.as_str().cmp(&b.0.as_str()));
        return Ok(());
    }
    let mut sorted: Vec<(Value, Value)> = Vec::with_capacity(pairs.len());
    for pair in pairs.iter() {
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = (low + high) / 2;
            if vm.less(&pair.0, &sorted[middle].0)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        sorted.insert(low, pair.clone());
    }
    *pairs = sorted;
    Ok(())
}
