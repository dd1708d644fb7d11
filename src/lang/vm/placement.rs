//! Placement errors in the program's own words: which names of the failing expression are on which queues, and the line
//! that brings them together. It looks only when such an error is raised.

use super::Vm;
use crate::arrays::array::Array;
use crate::lang::arrays::error::{ArrayException, array_exception};
use crate::lang::code::Span;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::Raised;
use crate::lang::value::Value;

impl Vm {
    /// Adds to a placement error which names are apart, where the failing expression names two such arrays.
    pub(super) fn name_what_is_apart(&self, raised: &Raised, span: Span) {
        if !Ref::ptr_eq(&raised.0.class.borrow(), &array_exception(ArrayException::ExecutionPlacement)) {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let source = &frame.code.source;
        let Some(text) = source.text.get(span.start as usize..span.end as usize) else { return };
        // Of an assignment to items only the target is the place of the error; what is assigned stands on its line.
        let named = [text, source.line_text(source.line(span.start))].map(|text| self.arrays_named(text));
        let Some(((first, one), (second, other))) = named.iter().find_map(|named| apart(named)) else { return };
        let (here, there) = (one.device().ledger_name(), other.device().ledger_name());
        let through = if here == there { " through another queue" } else { "" };
        let addition = format!(
            " `{first}` is on {here}, `{second}` on {there}{through}: `{second}.to_device({first}.sycl_queue)` brings \
             them together."
        );
        let mut args = raised.0.args.borrow_mut();
        if let Some(message) = args.first_mut().filter(|message| message.as_str().is_some()) {
            let told = message.as_str().unwrap_or("").trim_end_matches('.').to_owned();
            *message = Value::str(format!("{told}.{addition}"));
        }
    }

    /// The device arrays that a piece of source names, in its order.
    fn arrays_named(&self, text: &str) -> Vec<Named> {
        let mut named = Vec::new();
        for word in words(text) {
            if let Some(value) = self.value_of(word) {
                collect(word, &value, &mut named);
            }
        }
        named
    }

    /// What a name of the innermost frame means: a local, else a global.
    fn value_of(&self, word: &str) -> Option<Value> {
        let (frame, name) = (self.frames.last()?, Name::new(word));
        let local = frame.code.locals.iter().position(|local| *local == name);
        match local.map(|offset| self.stack[frame.base + offset].clone()) {
            Some(Value::Cell(cell)) => Some(cell.value.borrow().clone()),
            Some(value) if !value.is_unset() => Some(value),
            _ => frame.module().get(name),
        }
    }
}

/// The identifiers of an expression that are not attributes of something.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !is_part(c) && c != '.')
        .filter_map(move |path| path.split('.').next())
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The device arrays that a name means: itself, or the items of a list or tuple.
fn collect(word: &str, value: &Value, into: &mut Vec<Named>) {
    let mut add = |name: String, value: &Value| {
        if let Value::Array(object) = value
            && object.flavour != ArrayFlavour::NumPy
            && let Some(array) = object.computed()
        {
            into.push((name, array));
        }
    };
    match value {
        Value::List(list) => {
            list.items.borrow().iter().enumerate().for_each(|(index, item)| add(format!("{word}[{index}]"), item));
        }
        Value::Tuple(tuple) => {
            tuple.items().iter().enumerate().for_each(|(index, item)| add(format!("{word}[{index}]"), item));
        }
        other => add(word.to_owned(), other),
    }
}

/// An array with the words that name it.
type Named = (String, Array);

/// The first array and the first that is elsewhere.
fn apart(named: &[Named]) -> Option<(&Named, &Named)> {
    let first = named.first()?;
    let other = named.iter().find(|(_, array)| array.place() != first.1.place())?;
    Some((first, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names_and_no_attributes() {
        let found: Vec<&str> = words("np.add(a.T, _b2[3.5], out=x.y.z)").collect();
        assert_eq!(found, ["np", "a", "_b2", "out", "x"]);
    }
}
