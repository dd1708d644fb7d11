//! `dict`: insertion-ordered hash table whose comparisons the machine makes, because `__eq__` may be user code.

use std::cell::{Cell, RefCell};

use hashbrown::HashTable;
use smallvec::SmallVec;

use crate::lang::heap::{HeapObject, Ref};
use crate::lang::value::{Edge, Value};

/// One key and its value, with the key's hash.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The key's hash as the language computes it.
    pub hash: i64,
    /// The key.
    pub key: Value,
    /// The value.
    pub value: Value,
}

/// An insertion-ordered table from keys to values. It never calls user code: the caller compares candidates itself.
#[derive(Debug, Default, Clone)]
pub struct Dict {
    table: HashTable<usize>,
    entries: Vec<Option<Entry>>,
    live: usize,
    /// Every position before this one is vacant, so that taking from the front stays cheap.
    head: usize,
}

impl Dict {
    /// How many entries there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// One past the highest position an entry can have; positions may be vacant.
    pub fn end(&self) -> usize {
        self.entries.len()
    }

    /// The first position that can hold an entry.
    #[inline]
    pub fn begin(&self) -> usize {
        self.head
    }

    /// The entry at a position.
    #[inline]
    pub fn at(&self, position: usize) -> Option<&Entry> {
        self.entries.get(position)?.as_ref()
    }

    /// The entry at a position, to change its value.
    pub fn at_mut(&mut self, position: usize) -> Option<&mut Entry> {
        self.entries.get_mut(position)?.as_mut()
    }

    /// Entries in insertion order with their positions.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &Entry)> {
        self.entries
            .iter()
            .enumerate()
            .skip(self.head)
            .filter_map(|(position, entry)| Some((position, entry.as_ref()?)))
    }

    /// Finds the position whose key `same` accepts among those of equal hash; `same` must not run user code.
    #[inline]
    pub fn find(&self, hash: i64, mut same: impl FnMut(&Value) -> bool) -> Option<usize> {
        self.table
            .find(spread(hash), |&position| {
                self.entries[position].as_ref().is_some_and(|entry| entry.hash == hash && same(&entry.key))
            })
            .copied()
    }

    /// Every position whose key has this hash, for a caller whose comparison may run user code.
    pub fn candidates(&self, hash: i64) -> SmallVec<[usize; 2]> {
        self.table
            .iter_hash(spread(hash))
            .copied()
            .filter(|&position| self.entries[position].as_ref().is_some_and(|entry| entry.hash == hash))
            .collect()
    }

    /// Bytes that one more entry would make the table allocate at once; 0 while it has room or is small.
    #[inline]
    pub fn growth_bytes(&self) -> usize {
        const LARGE: usize = 1 << 14;
        let len = self.entries.len();
        if len < LARGE || (len < self.entries.capacity() && self.table.len() < self.table.capacity()) {
            return 0;
        }
        len.saturating_mul(2 * size_of::<Option<Entry>>() + 4 * size_of::<usize>())
    }

    /// Adds an entry whose key is known to be absent and returns its position.
    pub fn insert_new(&mut self, hash: i64, key: Value, value: Value) -> usize {
        if self.entries.len() > 32 && self.live * 2 < self.entries.len() {
            self.compact();
        }
        let position = self.entries.len();
        self.entries.push(Some(Entry { hash, key, value }));
        self.live += 1;
        let entries = &self.entries;
        self.table
            .insert_unique(spread(hash), position, |&at| entries[at].as_ref().map_or(0, |entry| spread(entry.hash)));
        position
    }

    /// Removes the entry at a position and returns it; the caller drops it after its borrow ends.
    pub fn remove(&mut self, position: usize) -> Option<Entry> {
        let entry = self.entries.get_mut(position)?.take()?;
        if let Ok(found) = self.table.find_entry(spread(entry.hash), |&at| at == position) {
            found.remove();
        }
        self.live -= 1;
        while matches!(self.entries.last(), Some(None)) {
            self.entries.pop();
        }
        while matches!(self.entries.get(self.head), Some(None)) {
            self.head += 1;
        }
        self.head = self.head.min(self.entries.len());
        Some(entry)
    }

    /// Removes all entries and returns them; the caller drops them after its borrow ends.
    pub fn take_all(&mut self) -> Vec<Entry> {
        self.table.clear();
        self.live = 0;
        self.head = 0;
        std::mem::take(&mut self.entries).into_iter().flatten().collect()
    }

    fn compact(&mut self) {
        self.entries.retain(Option::is_some);
        self.head = 0;
        self.index_anew();
    }

    /// Puts the entries into another order: `order[i]` is the present position of the entry that becomes the `i`-th.
    pub fn reorder(&mut self, order: &[usize]) {
        let mut old = std::mem::take(&mut self.entries);
        self.entries = order.iter().map(|&position| old.get_mut(position).and_then(Option::take)).collect();
        self.head = 0;
        self.index_anew();
    }

    fn index_anew(&mut self) {
        self.table.clear();
        let entries = &self.entries;
        for (position, entry) in entries.iter().enumerate() {
            let hash = entry.as_ref().map_or(0, |entry| spread(entry.hash));
            self.table.insert_unique(hash, position, |&at| entries[at].as_ref().map_or(0, |entry| spread(entry.hash)));
        }
    }
}

/// Spreads the language's hash, which is the number itself for small ints, over all bits the table looks at.
#[inline]
fn spread(hash: i64) -> u64 {
    let mixed = (hash as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 32)
}

/// A `dict`.
#[derive(Debug, Default)]
pub struct DictObject {
    /// The table; never borrowed while user code can run.
    pub table: RefCell<Dict>,
    /// Raised by every insertion and removal, so that iteration notices changes.
    pub changes: Cell<u64>,
}

impl DictObject {
    /// Wraps a table.
    pub fn new(table: Dict) -> Self {
        Self { table: RefCell::new(table), changes: Cell::new(0) }
    }
}

impl HeapObject for DictObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (_, entry) in self.table.borrow().iter() {
            visit(Edge::Key, &entry.key);
            visit(Edge::Entry(&entry.key), &entry.value);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        for entry in self.table.borrow_mut().take_all() {
            into.push(entry.key);
            into.push(entry.value);
        }
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Dict(this.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_table_says_what_growing_takes() {
        let mut dict = Dict::default();
        let (mut asked, mut most) = (0, 0);
        for number in 0..100_000_i64 {
            let growth = dict.growth_bytes();
            asked += usize::from(growth > 0);
            most = most.max(growth);
            dict.insert_new(number, Value::Int(number), Value::None);
        }
        // At a few doublings, and then for about as much as there is already.
        assert!((1..20).contains(&asked), "{asked}");
        assert!(most >= 50_000 * size_of::<Option<Entry>>(), "{most}");
        assert_eq!(Dict::default().growth_bytes(), 0);
    }
}
