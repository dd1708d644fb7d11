//! What one table shows of many allocations: a page of them, and what all of them are together.

use super::report::Report;
use crate::arrays::ledger::Entry;
use crate::display::units::{bytes, count as counted};
use crate::display::{Markup, Role};

/// Which rows of a table are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Which one, the first 1.
    pub number: usize,
    /// Rows of one page.
    pub rows: usize,
}

impl Page {
    /// The first so many.
    pub fn first(rows: usize) -> Self {
        Self { number: 1, rows }
    }

    /// Rows before this page.
    pub fn start(self) -> usize {
        (self.number - 1).saturating_mul(self.rows)
    }

    fn end(self) -> usize {
        self.start().saturating_add(self.rows)
    }
}

/// A page of allocations, the largest first.
pub struct Selection<'a> {
    /// The rows to show.
    pub rows: &'a [Entry],
    /// All that were meant, how many and how large together.
    pub count: usize,
    pub bytes: u64,
    /// Bytes of those before the page.
    before: u64,
    page: Page,
}

impl<'a> Selection<'a> {
    /// A page of everything that lives.
    pub fn of_all(report: &'a Report, page: Page) -> Self {
        let known = report.largest(page.end());
        Self { count: report.count(), bytes: report.bytes(), ..Self::of(known, page) }
    }

    /// A page of these.
    pub fn of(entries: &'a [Entry], page: Page) -> Self {
        let sum = |entries: &[Entry]| entries.iter().map(|entry| entry.bytes).sum();
        let (start, end) = (page.start().min(entries.len()), page.end().min(entries.len()));
        Self {
            rows: &entries[start..end],
            count: entries.len(),
            bytes: sum(entries),
            before: sum(&entries[..start]),
            page,
        }
    }

    /// `rows 41 to 80 of 10,000; 9,920 more, 7.85 MiB: %mem --page 3`; nothing where all is shown.
    pub fn rest(&self, next: &str) -> Markup {
        let (start, shown) = (self.page.start(), self.rows.len());
        if shown == self.count {
            return Markup::new();
        }
        if shown == 0 {
            let last = self.count.div_ceil(self.page.rows.max(1));
            return Markup::of(Role::Dim, format!("the last page is {last}")).line();
        }
        let sum: u64 = self.rows.iter().map(|entry| entry.bytes).sum();
        let after = self.count - start - shown;
        let row = |number: usize| counted(number as u64);
        let mut markup =
            Markup::of(Role::Dim, format!("rows {} to {} of {}", row(start + 1), row(start + shown), row(self.count)));
        if after > 0 {
            let rest = bytes(self.bytes - self.before - sum);
            markup = markup.push(Role::Dim, ";").space().push(Role::Dim, format!("{} more, {rest}:", row(after)));
            markup = markup.space().push(Role::Code, next);
        }
        markup.line()
    }
}
