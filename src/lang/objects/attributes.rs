//! Attributes by name in definition order: a short list that is searched, with an index once it is long.

use hashbrown::HashMap;

use crate::lang::name::Name;
use crate::lang::value::Value;

/// How many entries are searched one by one before an index pays.
const SEARCHED_MAX: usize = 8;

/// Attributes in definition order. Most objects have a handful, for which a search beats hashing, and a position found
/// once can be cached and checked with one comparison.
#[derive(Debug, Default, Clone)]
pub struct Attributes {
    entries: Vec<(Name, Value)>,
    index: Option<Box<HashMap<Name, u32>>>,
}

impl Attributes {
    /// The position of a name.
    #[inline]
    pub fn get_index_of(&self, name: &Name) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(name).map(|&at| at as usize),
            None => self.entries.iter().position(|(own, _)| own == name),
        }
    }

    /// The entry at a position.
    #[inline]
    pub fn get_index(&self, position: usize) -> Option<(&Name, &Value)> {
        self.entries.get(position).map(|(name, value)| (name, value))
    }

    /// The value at a position, to replace it.
    #[inline]
    pub fn get_index_mut(&mut self, position: usize) -> Option<(&Name, &mut Value)> {
        self.entries.get_mut(position).map(|(name, value)| (&*name, value))
    }

    /// The value of a name.
    #[inline]
    pub fn get(&self, name: &Name) -> Option<&Value> {
        self.get_index_of(name).map(|at| &self.entries[at].1)
    }

    /// Whether a name is there.
    pub fn contains_key(&self, name: &Name) -> bool {
        self.get_index_of(name).is_some()
    }

    /// Sets a name and returns the old value, to be dropped after the borrow ends.
    pub fn insert(&mut self, name: Name, value: Value) -> Option<Value> {
        if let Some(at) = self.get_index_of(&name) {
            return Some(std::mem::replace(&mut self.entries[at].1, value));
        }
        self.entries.push((name, value));
        match &mut self.index {
            Some(index) => {
                index.insert(name, self.entries.len() as u32 - 1);
            }
            None if self.entries.len() > SEARCHED_MAX => self.reindex(),
            None => {}
        }
        None
    }

    /// Removes a name, keeping the order of the others.
    pub fn shift_remove(&mut self, name: &Name) -> Option<Value> {
        let at = self.get_index_of(name)?;
        let (_, value) = self.entries.remove(at);
        if self.index.is_some() {
            self.reindex();
        }
        Some(value)
    }

    fn reindex(&mut self) {
        self.index =
            Some(Box::new(self.entries.iter().enumerate().map(|(at, (name, _))| (*name, at as u32)).collect()));
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Name, &Value)> {
        self.entries.iter().map(|(name, value)| (name, value))
    }

    /// Names in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Name> {
        self.entries.iter().map(|(name, _)| name)
    }

    /// The values alone, by value.
    pub fn into_values(self) -> impl Iterator<Item = Value> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

impl Extend<(Name, Value)> for Attributes {
    fn extend<I: IntoIterator<Item = (Name, Value)>>(&mut self, items: I) {
        for (name, value) in items {
            self.insert(name, value);
        }
    }
}

impl IntoIterator for Attributes {
    type Item = (Name, Value);
    type IntoIter = std::vec::IntoIter<(Name, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl FromIterator<(Name, Value)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (Name, Value)>>(items: I) -> Self {
        let mut attributes = Self::default();
        for (name, value) in items {
            attributes.insert(name, value);
        }
        attributes
    }
}
