//! The table of arrays that Rust values keep: numbers at the other end, memory here.
//!
//! An entry is computed, or an expression that nobody has needed yet, as in a statement of an array cell. Dropping the Rust
//! value takes its entry out; the end of its connection takes out all of them; letting go from here leaves a note of who did
//! it, so that the next use in Rust can be told. The table belongs to the evaluator's thread.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::serve::{Failure, Found};
use super::wire::{HandleId, Named};
use crate::arrays::Buffer;
use crate::arrays::expr::Expr;

/// A handle: which connection, and its number there.
pub(super) type Key = (u64, HandleId);

/// What a handle stands for.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// Memory.
    Ready(Found),
    /// Not computed yet.
    Pending(Expr),
    /// It could not be computed.
    Failed(Failure),
    /// It was taken back, and by what.
    Freed(String),
}

#[derive(Debug)]
struct Entry {
    state: State,
    /// The cell in which it came to be, for handles that no variable is known to keep.
    cell: u32,
    /// The variables that keep it, as far as they are known.
    paths: Vec<String>,
}

/// Every handle of every connection.
#[derive(Debug, Default)]
pub struct Handles {
    entries: BTreeMap<Key, Entry>,
}

impl Entry {
    /// What stands for the variable while none is known.
    fn origin(&self) -> String {
        match self.cell {
            // Made by a thread between two cells.
            0 => "unnamed".to_owned(),
            cell => format!("cell {cell}"),
        }
    }
}

/// Memory that a Rust value keeps.
#[derive(Debug)]
pub struct Kept<'a> {
    /// Where: `v`, `v[2]`, or `cell 4` while no variable is known.
    pub path: String,
    /// The memory.
    pub buffer: &'a Arc<Buffer>,
}

impl Handles {
    /// An entry's state, or why there is none.
    pub(super) fn state(&self, key: Key) -> Result<State, Failure> {
        match self.entries.get(&key).map(|entry| &entry.state) {
            Some(State::Failed(failure)) => Err(failure.clone()),
            Some(State::Freed(by)) => Err(Failure::new(
                "ReleasedArrayError",
                format!("the memory of this array was taken back by {by}: make it anew, or get() it again"),
            )),
            Some(state) => Ok(state.clone()),
            None => Err(Failure::new("RuntimeError", "there is no array with this number")),
        }
    }

    /// The entry as an operand.
    pub(super) fn expression(&self, key: Key) -> Result<Expr, Failure> {
        Ok(match self.state(key)? {
            State::Pending(expression) => expression,
            State::Ready(Found { array, .. }) => {
                // Using what was taken back is an error of this use, not of a later one.
                array.buffer().check()?;
                Expr::array(&array)
            }
            State::Failed(failure) => return Err(failure),
            State::Freed(by) => return Err(Failure::new("ReleasedArrayError", by)),
        })
    }

    /// Puts a new entry in; its number must be new.
    pub(super) fn insert(&mut self, key: Key, state: State, cell: u32) -> Result<(), Failure> {
        if self.entries.contains_key(&key) {
            return Err(Failure::new("RuntimeError", "an array with this number is there already"));
        }
        self.entries.insert(key, Entry { state, cell, paths: Vec::new() });
        Ok(())
    }

    /// Gives an entry that is there another state.
    pub(super) fn replace(&mut self, key: Key, state: State) {
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.state = state;
        }
    }

    /// Takes an entry out.
    pub(super) fn release(&mut self, key: Key) {
        self.entries.remove(&key);
    }

    /// Takes out all entries of a connection.
    pub(super) fn release_all(&mut self, connection: u64) {
        self.entries.retain(|key, _| key.0 != connection);
    }

    /// The entries that are not computed yet, oldest first.
    pub(super) fn pending(&self) -> Vec<Key> {
        self.entries.iter().filter(|(_, entry)| matches!(entry.state, State::Pending(_))).map(|(key, _)| *key).collect()
    }

    /// Takes over which variables keep which handles of a connection; handles that are not named have no known variable.
    pub(super) fn name(&mut self, connection: u64, named: Vec<Named>) {
        for (_, entry) in self.entries.range_mut((connection, 0)..=(connection, HandleId::MAX)) {
            entry.paths.clear();
        }
        for Named { path, handle } in named {
            if let Some(entry) = self.entries.get_mut(&(connection, handle))
                && !entry.paths.contains(&path)
            {
                entry.paths.push(path);
            }
        }
    }

    /// The handles there are, in order.
    pub fn ids(&self) -> Vec<(u64, HandleId)> {
        self.entries.keys().copied().collect()
    }

    /// Takes back the names of variables that are no more: an array that was moved has no name until names are told anew.
    pub fn keep_names(&mut self, is_there: impl Fn(&str) -> bool) {
        for entry in self.entries.values_mut() {
            entry.paths.retain(|path| is_there(path.split(['[', '.', '(']).next().unwrap_or(path)));
        }
    }

    /// How many handles there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Calls `visit` with all memory that handles keep, under each path by which they do.
    pub fn visit(&self, visit: &mut dyn FnMut(Kept<'_>)) {
        for entry in self.entries.values() {
            let unnamed = || vec![entry.origin()];
            let paths = if entry.paths.is_empty() { unnamed() } else { entry.paths.clone() };
            let mut each = |buffer: &Arc<Buffer>| {
                for path in &paths {
                    visit(Kept { path: path.clone(), buffer });
                }
            };
            match &entry.state {
                State::Ready(found) => each(found.array.buffer()),
                // What it will read is kept until then.
                State::Pending(expression) => expression.for_each_array(&mut |array| each(array.buffer())),
                State::Failed(_) | State::Freed(_) => {}
            }
        }
    }

    /// The handles that a path stands for: the variable's own and those inside it.
    fn of_path(&self, path: &str) -> Vec<Key> {
        let is_inside = |known: &str| {
            known.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.', '(']))
        };
        let is_meant = |entry: &Entry| match entry.paths.as_slice() {
            [] => entry.origin() == path,
            paths => paths.iter().any(|known| is_inside(known)),
        };
        let is_there = |entry: &Entry| !matches!(entry.state, State::Failed(_) | State::Freed(_));
        self.entries.iter().filter(|(_, entry)| is_there(entry) && is_meant(entry)).map(|(key, _)| *key).collect()
    }

    /// The paths of everything that letting go of a path lets go of.
    pub fn paths_of(&self, path: &str) -> Vec<String> {
        let mut paths = Vec::new();
        for entry in self.of_path(path).iter().filter_map(|key| self.entries.get(key)) {
            match entry.paths.as_slice() {
                [] => paths.push(entry.origin()),
                known => paths.extend(known.iter().cloned()),
            }
        }
        paths
    }

    /// The memory that letting go of paths together drops references to, once for each reference.
    pub fn memory_of(&self, paths: &[&str]) -> Vec<Arc<Buffer>> {
        let keys: BTreeSet<Key> = paths.iter().flat_map(|path| self.of_path(path)).collect();
        let mut held = Vec::new();
        for entry in keys.iter().filter_map(|key| self.entries.get(key)) {
            match &entry.state {
                State::Ready(found) => held.push(found.array.buffer().clone()),
                State::Pending(expression) => {
                    expression.for_each_array(&mut |array| held.push(array.buffer().clone()));
                }
                State::Failed(_) | State::Freed(_) => {}
            }
        }
        held
    }

    /// Lets go of what a path keeps; answers how many handles that were. `by` is what their next use will be told.
    pub fn free(&mut self, path: &str, by: &str) -> usize {
        let keys = self.of_path(path);
        for &key in &keys {
            self.replace(key, State::Freed(by.to_owned()));
        }
        keys.len()
    }

    /// The paths under which something is kept, each once.
    pub fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.visit(&mut |kept| {
            if !paths.contains(&kept.path) {
                paths.push(kept.path);
            }
        });
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::{Alloc, Array, ledger};

    fn array() -> Found {
        Found { array: Array::from_slice(&[1.0, 2.0], &[2], &Alloc::HOST).unwrap(), is_readonly: false }
    }

    fn named(path: &str, handle: HandleId) -> Named {
        Named { path: path.into(), handle }
    }

    #[test]
    fn names_come_later_and_go_again() {
        let mut handles = Handles::default();
        handles.insert((1, 1), State::Ready(array()), 4).unwrap();
        assert_eq!(handles.paths(), ["cell 4"]);
        handles.name(1, vec![named("v", 1), named("w", 1), named("gone", 9)]);
        assert_eq!(handles.paths(), ["v", "w"]);
        handles.keep_names(|variable| variable != "v");
        assert_eq!(handles.paths(), ["w"]);
        handles.name(1, vec![]);
        assert_eq!(handles.paths(), ["cell 4"]);
        handles.release((1, 1));
        assert!(handles.is_empty());
        ledger::assert_empty();
    }

    #[test]
    fn a_path_stands_for_what_is_inside_it() {
        let mut handles = Handles::default();
        for id in 1..=4 {
            handles.insert((1, id), State::Ready(array()), 1).unwrap();
        }
        handles.name(1, vec![named("v[0]", 1), named("v[1]", 2), named("vw", 3), named("v.x", 4)]);
        assert_eq!(handles.memory_of(&["v", "v[0]"]).len(), 3);
        assert_eq!(handles.free("v[0]", "%free in cell 2"), 1);
        assert_eq!(handles.free("v", "%free in cell 2"), 2);
        assert_eq!(handles.paths(), ["vw"]);
        let failure = handles.expression((1, 1)).unwrap_err();
        assert_eq!(failure.class, "ReleasedArrayError");
        assert!(failure.message.contains("%free in cell 2"), "{failure:?}");
    }

    #[test]
    fn a_connection_that_ends_lets_go_of_its_own() {
        let mut handles = Handles::default();
        handles.insert((1, 1), State::Ready(array()), 1).unwrap();
        handles.insert((2, 1), State::Ready(array()), 1).unwrap();
        assert!(handles.insert((2, 1), State::Ready(array()), 1).is_err());
        handles.release_all(1);
        assert_eq!(handles.len(), 1);
    }
}
