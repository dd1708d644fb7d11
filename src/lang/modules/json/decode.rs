//! Reads JSON with CPython's errors: the message, and the place counted in characters.

use num_bigint::BigInt;

use super::DEPTH_MAX;
use crate::lang::builtins::number_text::{digit_limit, too_many_digits};
use crate::lang::heap::Ref;
use crate::lang::native::Args;
use crate::lang::objects::{Dict, DictObject};
use crate::lang::raise::{Fallible, Raised, recursion_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// What a program wants to make of the parts; unset is the usual.
struct Hooks {
    object: Option<Value>,
    float: Option<Value>,
    int: Option<Value>,
    constant: Option<Value>,
    pairs: Option<Value>,
}

struct Reader<'a> {
    text: &'a str,
    /// Byte position.
    at: usize,
    strict: bool,
    depth: usize,
    error: Value,
    document: Value,
    hooks: Hooks,
}

pub(super) fn scan(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let document = args.get(vm, 0);
    let Some(text) = super::super::support::text_of(&document) else {
        return Err(type_error(format!("first argument must be a string, not {}", document.type_name())));
    };
    let index = args.get(vm, 1);
    let index = usize::try_from(vm.index(&index)?).map_err(|_| value_error("idx cannot be negative"))?;
    let hooks = Hooks {
        object: args.not_none(vm, 3),
        float: args.not_none(vm, 4),
        int: args.not_none(vm, 5),
        constant: args.not_none(vm, 6),
        pairs: args.not_none(vm, 8),
    };
    let strict = args.truth_or(vm, 7, true)?;
    let at = text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
    let mut reader = Reader { text: &text, at, strict, depth: 0, error: args.get(vm, 2), document, hooks };
    let value = reader.value(vm)?;
    let end = reader.chars_before(reader.at);
    Ok(Value::tuple([value, end.into()]))
}

impl Reader<'_> {
    fn chars_before(&self, byte: usize) -> usize {
        self.text[..byte].chars().count()
    }

    /// `JSONDecodeError(message, document, place)`.
    #[cold]
    fn fail(&self, vm: &mut Vm, message: &str, byte: usize) -> Raised {
        let place = self.chars_before(byte);
        match vm.call(&self.error, &[message.into(), self.document.clone(), place.into()]) {
            Ok(Value::Exception(error)) => Raised(error),
            Ok(_) => value_error(message),
            Err(error) => error,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, vm: &mut Vm) -> Fallible<Value> {
        let rest = &self.text[self.at..];
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                Ok(Value::str(self.string(vm)?))
            }
            Some(b'{') => self.nested(vm, "object", Self::object),
            Some(b'[') => self.nested(vm, "array", Self::array),
            Some(b'n') if rest.starts_with("null") => self.word("null", Value::None),
            Some(b't') if rest.starts_with("true") => self.word("true", true.into()),
            Some(b'f') if rest.starts_with("false") => self.word("false", false.into()),
            Some(b'N') if rest.starts_with("NaN") => self.constant(vm, "NaN", f64::NAN),
            Some(b'I') if rest.starts_with("Infinity") => self.constant(vm, "Infinity", f64::INFINITY),
            Some(b'-') if rest.starts_with("-Infinity") => self.constant(vm, "-Infinity", f64::NEG_INFINITY),
            _ => self.number(vm),
        }
    }

    fn nested(&mut self, vm: &mut Vm, what: &str, read: fn(&mut Self, &mut Vm) -> Fallible<Value>) -> Fallible<Value> {
        if self.depth >= DEPTH_MAX {
            return Err(recursion_error(format!(
                "maximum recursion depth exceeded while decoding a JSON {what} from a unicode string"
            )));
        }
        self.depth += 1;
        self.at += 1;
        self.skip_blanks();
        let result = read(self, vm);
        self.depth -= 1;
        result
    }

    fn word(&mut self, word: &str, value: Value) -> Fallible<Value> {
        self.at += word.len();
        Ok(value)
    }

    fn constant(&mut self, vm: &mut Vm, word: &str, value: f64) -> Fallible<Value> {
        self.at += word.len();
        match self.hooks.constant.clone() {
            Some(hook) => vm.call(&hook, &[word.into()]),
            None => Ok(Value::Float(value)),
        }
    }

    fn number(&mut self, vm: &mut Vm) -> Fallible<Value> {
        let bytes = self.text.as_bytes();
        let digits =
            |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let start = self.at;
        let mut end = start + usize::from(bytes.get(start) == Some(&b'-'));
        let whole = if bytes.get(end) == Some(&b'0') { 1 } else { digits(end) };
        if whole == 0 {
            return Err(self.fail(vm, "Expecting value", start));
        }
        end += whole;
        let mut is_float = false;
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
            is_float = true;
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let count = digits(end + 1 + sign);
            if count > 0 {
                is_float = true;
                end += 1 + sign + count;
            }
        }
        self.at = end;
        let text = &self.text[start..end];
        let hook = if is_float { self.hooks.float.clone() } else { self.hooks.int.clone() };
        if let Some(hook) = hook {
            return vm.call(&hook, &[text.into()]);
        }
        if is_float {
            return Ok(Value::Float(text.parse().map_err(|_| value_error("could not convert string to float"))?));
        }
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Value::Int(small));
        }
        let limit = digit_limit();
        if limit > 0 && whole > limit {
            return Err(value_error(too_many_digits(limit, whole)));
        }
        Ok(Value::int(text.parse::<BigInt>().unwrap_or_default()))
    }

    /// The rest of a string whose opening quote stands just before.
    fn string(&mut self, vm: &mut Vm) -> Fallible<String> {
        let begin = self.at - 1;
        let mut out = String::new();
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let plain = rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)).count();
            out.push_str(&self.text[self.at..self.at + plain]);
            self.at += plain;
            match self.peek() {
                None => return Err(self.fail(vm, "Unterminated string starting at", begin)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape(vm, begin)?),
                Some(_) if self.strict => return Err(self.fail(vm, "Invalid control character at", self.at)),
                Some(control) => {
                    out.push(control.into());
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self, vm: &mut Vm, begin: usize) -> Fallible<char> {
        let backslash = self.at;
        self.at += 2;
        Ok(match self.text.as_bytes().get(backslash + 1) {
            None => return Err(self.fail(vm, "Unterminated string starting at", begin)),
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(vm, backslash),
            Some(_) => return Err(self.fail(vm, "Invalid \\escape", backslash)),
        })
    }

    fn hex4(&self, from: usize) -> Option<u32> {
        let digits = self.text.as_bytes().get(from..from + 4)?;
        digits.iter().try_fold(0, |number, digit| Some(number << 4 | char::from(*digit).to_digit(16)?))
    }

    fn unicode_escape(&mut self, vm: &mut Vm, backslash: usize) -> Fallible<char> {
        // The closing quote must still follow the four digits.
        let Some(unit) = self.hex4(self.at).filter(|_| self.at + 4 < self.text.len()) else {
            return Err(self.fail(vm, "Invalid \\uXXXX escape", backslash + 1));
        };
        self.at += 4;
        if let Some(c) = char::from_u32(unit) {
            return Ok(c);
        }
        if unit < 0xDC00
            && self.text[self.at..].starts_with("\\u")
            && let Some(low) = self.hex4(self.at + 2).filter(|low| (0xDC00..0xE000).contains(low))
            && let Some(c) = char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        {
            self.at += 6;
            return Ok(c);
        }
        Err(value_error(format!("a lone surrogate (\\u{unit:04x}) cannot stand in a str of this kernel")))
    }

    fn array(&mut self, vm: &mut Vm) -> Fallible<Value> {
        let list = Value::list(Vec::new());
        vm.protect(list.clone());
        let Value::List(items) = &list else { return Ok(list) };
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(list);
        }
        loop {
            let item = self.value(vm)?;
            items.items.borrow_mut().push(item);
            if items.items.borrow().len() % 4096 == 0 {
                vm.reserve(4096 * size_of::<Value>())?;
                vm.poll()?;
            }
            self.skip_blanks();
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return Ok(list);
                }
                Some(b',') => self.at += 1,
                _ => return Err(self.fail(vm, "Expecting ',' delimiter", self.at)),
            }
            self.skip_blanks();
        }
    }

    fn object(&mut self, vm: &mut Vm) -> Fallible<Value> {
        let dict = Ref::new(DictObject::new(Dict::default()));
        let pairs = Value::list(Vec::new());
        vm.protect(Value::Dict(dict.clone()));
        vm.protect(pairs.clone());
        let wants_pairs = self.hooks.pairs.is_some();
        if self.peek() == Some(b'}') {
            self.at += 1;
        } else {
            loop {
                if self.peek() != Some(b'"') {
                    return Err(self.fail(vm, "Expecting property name enclosed in double quotes", self.at));
                }
                self.at += 1;
                let key = Value::str(self.string(vm)?);
                self.skip_blanks();
                if self.peek() != Some(b':') {
                    return Err(self.fail(vm, "Expecting ':' delimiter", self.at));
                }
                self.at += 1;
                self.skip_blanks();
                let value = self.value(vm)?;
                if wants_pairs {
                    if let Value::List(list) = &pairs {
                        list.items.borrow_mut().push(Value::tuple([key, value]));
                    }
                } else {
                    vm.dict_set(&dict, key, value)?;
                }
                self.skip_blanks();
                match self.peek() {
                    Some(b'}') => {
                        self.at += 1;
                        break;
                    }
                    Some(b',') => self.at += 1,
                    _ => return Err(self.fail(vm, "Expecting ',' delimiter", self.at)),
                }
                self.skip_blanks();
            }
        }
        if let Some(hook) = self.hooks.pairs.clone() {
            return vm.call(&hook, &[pairs]);
        }
        match self.hooks.object.clone() {
            Some(hook) => vm.call(&hook, &[Value::Dict(dict)]),
            None => Ok(Value::Dict(dict)),
        }
    }
}
