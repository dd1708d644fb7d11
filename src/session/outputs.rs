//! `In` and `Out` and the names derived from them: `_`, `__`, `___`, `_3`, `_i`, `_ii`, `_iii`, `_i3`.
//!
//! Every spelling of an output is looked up in `Out` when it is asked for, so an output has one holder however many names
//! show it, and letting go of `Out[3]` clears them all. A name that the program binds itself hides the derived one.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ClassRef, DictObject, ListObject, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// How much `Out` keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputLimit {
    /// Everything, as IPython does.
    Everything,
    /// The last so many outputs.
    Count(usize),
    /// Outputs that hold so many bytes of array memory together.
    Bytes(u64),
    /// Nothing.
    Off,
}

/// `In` and `Out`.
#[derive(Debug)]
pub struct Outputs {
    /// `Out`
    pub dict: Ref<DictObject>,
    /// `In`; its first item is empty, so that numbers are indices.
    pub inputs: Ref<ListObject>,
    /// Numbers of the last three outputs, newest first.
    recent: RefCell<VecDeque<u32>>,
    limit: Cell<OutputLimit>,
    /// What each kept output can be recomputed with: its cell's last line.
    recipes: RefCell<Vec<(u32, String)>>,
}

impl Default for Outputs {
    fn default() -> Self {
        Self {
            dict: Ref::new(DictObject::default()),
            inputs: Ref::new(ListObject::new(vec![Value::str("")])),
            recent: RefCell::default(),
            limit: Cell::new(OutputLimit::Everything),
            recipes: RefCell::default(),
        }
    }
}

impl Outputs {
    /// How much is kept.
    pub fn limit(&self) -> OutputLimit {
        self.limit.get()
    }

    /// Changes how much is kept; what is over the limit goes at the next [`Outputs::enforce`].
    pub fn set_limit(&self, limit: OutputLimit) {
        self.limit.set(limit);
    }

    /// Notes the source of the cell about to run.
    pub fn push_input(&self, number: u32, source: &str) {
        let mut items = self.inputs.items.borrow_mut();
        // A program may have changed `In`; the numbers stay right.
        while items.len() < number as usize {
            items.push(Value::str(""));
        }
        items.push(Value::str(source));
    }

    /// Whether a program put more than texts into `In`.
    pub fn inputs_hold(&self) -> bool {
        self.inputs.items.borrow().iter().any(|item| !matches!(item, Value::Str(_)))
    }

    /// Keeps the output of a cell, unless nothing is kept.
    pub fn store(&self, number: u32, value: Value, recipe: &str) {
        if self.limit.get() == OutputLimit::Off {
            return;
        }
        let old = {
            let mut table = self.dict.table.borrow_mut();
            let hash = i64::from(number);
            match table.find(hash, |key| matches!(key, Value::Int(n) if *n == hash)) {
                Some(position) => table.at_mut(position).map(|entry| std::mem::replace(&mut entry.value, value)),
                None => {
                    table.insert_new(hash, Value::Int(hash), value);
                    None
                }
            }
        };
        drop(old);
        self.dict.changes.set(self.dict.changes.get() + 1);
        let mut recent = self.recent.borrow_mut();
        recent.push_front(number);
        recent.truncate(3);
        let mut recipes = self.recipes.borrow_mut();
        recipes.retain(|(kept, _)| *kept != number);
        recipes.push((number, recipe.to_owned()));
    }

    /// The output of a cell.
    pub fn get(&self, number: u32) -> Option<Value> {
        let table = self.dict.table.borrow();
        let hash = i64::from(number);
        let position = table.find(hash, |key| matches!(key, Value::Int(n) if *n == hash))?;
        table.at(position).map(|entry| entry.value.clone())
    }

    /// Lets go of one output under every spelling and answers it.
    pub fn remove(&self, number: u32) -> Option<Value> {
        let removed = {
            let mut table = self.dict.table.borrow_mut();
            let hash = i64::from(number);
            let position = table.find(hash, |key| matches!(key, Value::Int(n) if *n == hash))?;
            table.remove(position)
        };
        self.dict.changes.set(self.dict.changes.get() + 1);
        self.recipes.borrow_mut().retain(|(kept, _)| *kept != number);
        removed.map(|entry| entry.value)
    }

    /// Lets go of all outputs and answers them.
    pub fn clear(&self) -> Vec<Value> {
        let entries = self.dict.table.borrow_mut().take_all();
        self.dict.changes.set(self.dict.changes.get() + 1);
        self.recent.borrow_mut().clear();
        self.recipes.borrow_mut().clear();
        entries.into_iter().map(|entry| entry.value).collect()
    }

    /// The number of a recent output that is still kept; 0 is the last one.
    pub fn recent_number(&self, index: usize) -> Option<u32> {
        let number = self.recent.borrow().get(index).copied()?;
        self.get(number).map(|_| number)
    }

    /// Numbers of the kept outputs, oldest first.
    pub fn numbers(&self) -> Vec<u32> {
        let table = self.dict.table.borrow();
        let number = |key: &Value| match key {
            Value::Int(number) => u32::try_from(*number).ok(),
            _ => None,
        };
        table.iter().filter_map(|(_, entry)| number(&entry.key)).collect()
    }

    /// The kept outputs, oldest first.
    pub fn values(&self) -> Vec<Value> {
        self.dict.table.borrow().iter().map(|(_, entry)| entry.value.clone()).collect()
    }

    /// The value of a derived name (`_`, `_3`, `_i2`, `Out`), if it is one and has a value.
    pub fn find(&self, name: &str) -> Option<Value> {
        let recent = |index: usize| {
            let number = self.recent.borrow().get(index).copied();
            // As in IPython, these exist from the start and are empty until there is an output.
            Some(number.and_then(|number| self.get(number)).unwrap_or_else(|| Value::str("")))
        };
        let input = |back: usize| {
            let items = self.inputs.items.borrow();
            let at = items.len().checked_sub(1 + back).filter(|at| *at > 0);
            Some(at.and_then(|at| items.get(at).cloned()).unwrap_or_else(|| Value::str("")))
        };
        match name {
            "In" | "_ih" => return Some(Value::List(self.inputs.clone())),
            "Out" | "_oh" => return Some(Value::Dict(self.dict.clone())),
            "_" => return recent(0),
            "__" => return recent(1),
            "___" => return recent(2),
            "_i" => return input(1),
            "_ii" => return input(2),
            "_iii" => return input(3),
            _ => {}
        }
        let rest = name.strip_prefix('_')?;
        let (digits, is_input) = rest.strip_prefix('i').map_or((rest, false), |digits| (digits, true));
        if digits.is_empty() || digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number: u32 = digits.parse().ok()?;
        if is_input {
            return self.inputs.items.borrow().get(number as usize).cloned();
        }
        self.get(number)
    }

    /// Lets go of what is over the limit, oldest first, leaving a note in each place. Answers what was let go, for the
    /// caller to tell and to drop.
    pub fn enforce(&self, bytes_of: impl Fn(&Value) -> u64) -> Vec<Evicted> {
        let mut let_go = Vec::new();
        match self.limit.get() {
            OutputLimit::Everything | OutputLimit::Off => {}
            OutputLimit::Count(count) => {
                let numbers = self.kept();
                for &number in numbers.iter().take(numbers.len().saturating_sub(count)) {
                    let_go.extend(self.evict(number, &bytes_of));
                }
            }
            OutputLimit::Bytes(limit) => {
                let mut kept: Vec<(u32, u64)> = self
                    .kept()
                    .into_iter()
                    .filter_map(|number| Some((number, bytes_of(&self.get(number)?))))
                    .filter(|(_, bytes)| *bytes > 0)
                    .collect();
                let mut total: u64 = kept.iter().map(|(_, bytes)| bytes).sum();
                // Oldest first; among those that would do alone, the largest is no better than the oldest.
                while total > limit && !kept.is_empty() {
                    let (number, bytes) = kept.remove(0);
                    total -= bytes;
                    let_go.extend(self.evict(number, &bytes_of));
                }
            }
        }
        let_go
    }

    fn kept(&self) -> Vec<u32> {
        let is_note = |number: &u32| {
            self.get(*number)
                .is_some_and(|value| matches!(&value, Value::Object(object) if object.downcast::<Note>().is_some()))
        };
        self.numbers().into_iter().filter(|number| !is_note(number)).collect()
    }

    fn evict(&self, number: u32, bytes_of: &impl Fn(&Value) -> u64) -> Option<Evicted> {
        let value = self.get(number)?;
        let recipe = self.recipes.borrow().iter().find(|(kept, _)| *kept == number).map(|(_, recipe)| recipe.clone());
        let recipe = recipe.unwrap_or_default();
        let note = Note { number, bytes: bytes_of(&value), recipe: recipe.clone(), limit: self.limit() };
        let bytes = note.bytes;
        let note = Value::object(note);
        let old = {
            let mut table = self.dict.table.borrow_mut();
            let hash = i64::from(number);
            let position = table.find(hash, |key| matches!(key, Value::Int(n) if *n == hash))?;
            table.at_mut(position).map(|entry| std::mem::replace(&mut entry.value, note))
        };
        drop(old);
        Some(Evicted { number, bytes, recipe, value })
    }
}

/// An output that was let go of because of the limit.
#[derive(Clone, Debug)]
pub struct Evicted {
    /// Its number.
    pub number: u32,
    /// Bytes of array memory it held.
    pub bytes: u64,
    /// What computes it again; empty where that is not known.
    pub recipe: String,
    /// The value, for the caller to drop.
    pub value: Value,
}

/// What stands in `Out` for an output that was let go of because of the limit.
#[derive(Debug)]
struct Note {
    number: u32,
    bytes: u64,
    recipe: String,
    limit: OutputLimit,
}

impl Note {
    fn text(&self) -> String {
        let mut text = format!("evicted, {}", crate::display::units::bytes(self.bytes));
        if !self.recipe.is_empty() {
            text.push_str(&format!(", recompute with: {}", self.recipe));
        }
        text
    }

    /// Why it cannot be used.
    fn explanation(&self) -> String {
        let limit = match self.limit {
            OutputLimit::Count(count) => format!("%out {count}"),
            OutputLimit::Bytes(limit) => format!("%out {}", crate::display::units::bytes(limit).replace(' ', "")),
            OutputLimit::Everything | OutputLimit::Off => "%out".to_owned(),
        };
        let again = match self.recipe.as_str() {
            "" => String::new(),
            recipe => format!("; recompute it with: {recipe}"),
        };
        let held = crate::display::units::bytes(self.bytes);
        format!("Out[{}] held {held} and was let go of ({limit}){again}", self.number)
    }
}

const NOTE: &[Method] = &[
    method("__repr__", "(self, /)", "What was here and how to get it again.", |vm, args| {
        with_note(vm, args, Note::text).map(Value::str)
    }),
    method("__getattr__", "(self, name, /)", "Says why nothing is here.", gone),
    method("__getitem__", "(self, key, /)", "Says why nothing is here.", gone),
    method("__len__", "(self, /)", "Says why nothing is here.", gone),
    method("__iter__", "(self, /)", "Says why nothing is here.", gone),
    method("__neg__", "(self, /)", "Says why nothing is here.", gone),
    method("__float__", "(self, /)", "Says why nothing is here.", gone),
    method("__add__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__radd__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__sub__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__rsub__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__mul__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__rmul__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__truediv__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__rtruediv__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__matmul__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__rmatmul__", "(self, other, /)", "Says why nothing is here.", gone),
    method("__pow__", "(self, other, /)", "Says why nothing is here.", gone),
];

thread_local! {
    static NOTE_CLASS: ClassRef =
        define_class("evicted", "cellhold", &builtin_class(Builtin::Object), PayloadKind::Sealed, NOTE);
}

impl NativeData for Note {
    fn class(&self) -> ClassRef {
        NOTE_CLASS.with(Clone::clone)
    }
}

fn with_note(vm: &Vm, args: Args, say: impl FnOnce(&Note) -> String) -> Fallible<String> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<Note>().map(say),
        _ => None,
    }
    .ok_or_else(|| raise::type_error("an evicted output is wanted"))
}

fn gone(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let why = with_note(vm, args, Note::explanation)?;
    // Protocols are looked for by name; that they are absent is no use of the output.
    match args.peek(vm, 1).as_str() {
        Some(name) if name.starts_with("__") => Err(raise::attribute_error(why)),
        _ => Err(crate::lang::arrays::error::released_output(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: Option<Value>) -> Option<String> {
        value.map(|value| match value {
            Value::Int(number) => number.to_string(),
            other => other.as_str().unwrap_or("?").to_owned(),
        })
    }

    #[test]
    fn derived_names_show_outputs_by_age_and_number() {
        let outputs = Outputs::default();
        assert_eq!(text(outputs.find("_")), Some(String::new()));
        assert_eq!(text(outputs.find("_1")), None);
        for number in 1..=4 {
            outputs.store(number, Value::Int(i64::from(number) * 10), "");
        }
        let shown: Vec<_> = ["_", "__", "___", "_1", "_4", "_5"].iter().map(|name| text(outputs.find(name))).collect();
        let expected = [Some("40"), Some("30"), Some("20"), Some("10"), Some("40"), None];
        assert_eq!(shown, expected.map(|text| text.map(str::to_owned)));
    }

    #[test]
    fn letting_go_clears_every_spelling() {
        let outputs = Outputs::default();
        outputs.store(2, Value::Int(7), "");
        let Some(Value::Int(7)) = outputs.remove(2) else { panic!("the output") };
        assert_eq!(text(outputs.find("_")), Some(String::new()));
        assert_eq!(text(outputs.find("_2")), None);
        assert!(outputs.remove(2).is_none());
    }

    #[test]
    fn inputs_are_counted_from_the_running_cell_back() {
        let outputs = Outputs::default();
        outputs.push_input(1, "a");
        outputs.push_input(2, "b");
        // Cell 2 runs: the previous input is cell 1's.
        assert_eq!(text(outputs.find("_i")), Some("a".to_owned()));
        assert_eq!(text(outputs.find("_ii")), Some(String::new()));
        assert_eq!(text(outputs.find("_i2")), Some("b".to_owned()));
        assert_eq!(text(outputs.find("_i7")), None);
    }

    #[test]
    fn a_count_keeps_the_newest_and_leaves_notes() {
        let outputs = Outputs::default();
        for number in 1..=5 {
            outputs.store(number, Value::Int(i64::from(number)), "a @ b");
        }
        outputs.set_limit(OutputLimit::Count(2));
        let gone: Vec<u32> = outputs.enforce(|_| 80_000_000).into_iter().map(|gone| gone.number).collect();
        assert_eq!(gone, [1, 2, 3]);
        assert!(outputs.enforce(|_| 0).is_empty(), "notes do not count");
        let Some(Value::Object(note)) = outputs.get(1) else { panic!("a note") };
        let text = note.downcast::<Note>().unwrap().text();
        assert_eq!(text, "evicted, 76.3 MiB, recompute with: a @ b");
    }

    #[test]
    fn a_byte_budget_lets_go_of_the_oldest_that_hold_memory() {
        let outputs = Outputs::default();
        for number in 1..=4 {
            outputs.store(number, Value::Int(i64::from(number)), "");
        }
        outputs.set_limit(OutputLimit::Bytes(100));
        let bytes_of = |value: &Value| match value {
            Value::Int(1) => 0,
            Value::Int(_) => 60,
            _ => 0,
        };
        let gone: Vec<u32> = outputs.enforce(bytes_of).into_iter().map(|gone| gone.number).collect();
        assert_eq!(gone, [2, 3]);
    }

    #[test]
    fn off_keeps_nothing() {
        let outputs = Outputs::default();
        outputs.set_limit(OutputLimit::Off);
        outputs.store(1, Value::Int(1), "");
        assert!(outputs.numbers().is_empty());
    }
}
