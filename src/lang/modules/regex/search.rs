//! Running compiled patterns over texts, with Python's rules for what comes after an empty match.

use std::cell::RefCell;
use std::rc::Rc;

use fancy_regex::{Captures, Regex, RegexBuilder};
use hashbrown::HashMap;

use super::translate::{Pattern, PatternError, translate};
use super::{ASCII, IGNORE_CASE, LOCALE};
use crate::lang::heap::Ref;
use crate::lang::modules::support::unwrap_payload;
use crate::lang::native::Args;
use crate::lang::objects::{ListObject, StrObject, TupleObject};
use crate::lang::raise::{Fallible, runtime_error, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Steps of backtracking before a search gives up: a second or two, never for ever.
const BACKTRACKING_MAX: usize = 10_000_000;

/// Compiled patterns kept; beyond that all are forgotten, as CPython does.
const KEPT_MAX: usize = 512;

/// The flag that `re.py` adds to patterns made of bytes.
const BYTES: i64 = 1 << 20;

/// How a pattern must lie in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    /// Anywhere.
    Search,
    /// At the position where the search begins.
    Match,
    /// From there to the end.
    Full,
    /// Anywhere, but not empty at the position where the search begins.
    Advance,
}

/// A pattern ready to run.
pub(super) struct Compiled {
    pub(super) pattern: Pattern,
    regex: Regex,
}

/// Compiled patterns by text, flags and mode.
type Kept = HashMap<(Box<str>, i64, Mode), Rc<Compiled>>;

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::new(HashMap::new());
}

/// The compiled pattern, made at first use.
pub(super) fn compiled(pattern: &str, flags: i64, mode: Mode) -> Result<Rc<Compiled>, PatternError> {
    let key = (Box::from(pattern), flags, mode);
    if let Some(known) = KEPT.with_borrow(|kept| kept.get(&key).cloned()) {
        return Ok(known);
    }
    let bytes = flags & BYTES != 0;
    let given = flags & !BYTES;
    let effective = if bytes && given & LOCALE == 0 { given | ASCII } else { given };
    let mut pattern = translate(pattern, effective, bytes)?;
    if bytes && given & ASCII == 0 {
        pattern.flags &= !ASCII;
    }
    let folding = if pattern.flags & IGNORE_CASE != 0 { "(?i)" } else { "" };
    let inner = &pattern.text;
    let text = match mode {
        Mode::Search => format!("{folding}{inner}"),
        Mode::Match => format!(r"{folding}\G(?:{inner})"),
        Mode::Full => format!(r"{folding}\G(?:{inner})\z"),
        Mode::Advance => format!(r"{folding}(?:{inner})(?!\G)"),
    };
    let regex = RegexBuilder::new(&text)
        .backtrack_limit(BACKTRACKING_MAX)
        .build()
        .map_err(|error| PatternError { message: error.to_string(), position: None })?;
    let made = Rc::new(Compiled { pattern, regex });
    KEPT.with_borrow_mut(|kept| {
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert(key, made.clone());
    });
    Ok(made)
}

/// `_re.find`
pub(super) fn find(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let pattern = args.text(vm, 0, "pattern")?;
    let flags = number(vm, args, 1)?;
    let Value::Str(text) = unwrap_payload(args.peek(vm, 2)) else {
        return Err(type_error("expected string or bytes-like object"));
    };
    let len = text.len_chars() as i64;
    let end = number(vm, args, 4)?.clamp(0, len) as usize;
    let begin = number(vm, args, 3)?.max(0) as usize;
    let mode = match number(vm, args, 5)? {
        0 => Mode::Search,
        1 => Mode::Match,
        _ => Mode::Full,
    };
    let limit = match number(vm, args, 6)? {
        0 => usize::MAX,
        limit => limit.max(0) as usize,
    };
    let ready = |mode| compiled(&pattern, flags, mode).map_err(|error| runtime_error(error.message));
    let (first, advancing) = (ready(mode)?, ready(Mode::Advance)?);
    let mut found: Vec<Value> = Vec::new();
    if begin > end {
        return Ok(Value::List(Ref::new(ListObject::new(found))));
    }
    let visible = &text.as_str()[..text.byte_offset(end)];
    let mut positions = Positions { text: &text, byte: 0, chars: 0 };
    let mut at = text.byte_offset(begin);
    let mut must_advance = false;
    while found.len() < limit {
        vm.poll()?;
        let regex = if must_advance { &advancing.regex } else { &first.regex };
        let captures = regex
            .captures_from_pos(visible, at)
            .map_err(|error| runtime_error(format!("the search for the pattern was given up: {error}")))?;
        let Some(captures) = captures else { break };
        let Some(whole) = captures.get(0) else { break };
        at = whole.end();
        must_advance = whole.start() == whole.end();
        found.push(spans(&captures, &mut positions));
        if mode != Mode::Search {
            break;
        }
    }
    Ok(Value::List(Ref::new(ListObject::new(found))))
}

fn number(vm: &mut Vm, args: Args, index: usize) -> Fallible<i64> {
    let value = args.get(vm, index);
    vm.index(&value)
}

fn spans(captures: &Captures<'_, str>, positions: &mut Positions<'_>) -> Value {
    let mut numbers = Vec::with_capacity(captures.len() * 2);
    for group in 0..captures.len() {
        let (start, end) = captures
            .get(group)
            .map_or((-1, -1), |found| (positions.chars_before(found.start()), positions.chars_before(found.end())));
        numbers.push(Value::Int(start));
        numbers.push(Value::Int(end));
    }
    Value::Tuple(Ref::new(TupleObject::new(numbers)))
}

/// Positions in characters of positions in bytes; neighbours are found from each other.
struct Positions<'a> {
    text: &'a StrObject,
    byte: usize,
    chars: usize,
}

impl Positions<'_> {
    fn chars_before(&mut self, byte: usize) -> i64 {
        if self.text.is_ascii() {
            return byte as i64;
        }
        let text = self.text.as_str();
        if byte >= self.byte {
            self.chars += text[self.byte..byte].chars().count();
        } else {
            self.chars -= text[byte..self.byte].chars().count();
        }
        self.byte = byte;
        self.chars as i64
    }
}
