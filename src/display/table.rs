//! Tables: columns with alignment, cells of markup; each renderer lays them out for its medium.

use super::markup::Markup;

/// On which side a column's cells stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Figures, so that their digits stand under each other.
    Right,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its heading.
    pub title: String,
    /// Where its cells stand.
    pub align: Align,
    /// Whether its cells may be cut short when the medium is narrow.
    pub shrinks: bool,
    /// Whether it gives only what the other shrinking columns cannot.
    pub gives_late: bool,
    /// Columns of the medium that it keeps when it gives.
    pub keeps: usize,
}

/// A table of markup; rows may be shorter than the heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<Markup>>,
    /// Whether the headings are shown.
    pub has_heading: bool,
    /// Where a column that gives late would be cut below so many columns of the medium, those that shrink stand below the
    /// others instead.
    pub stacks_below: Option<usize>,
    /// Whether figures have their titles beside them there.
    pub names_figures: bool,
}

impl Table {
    /// An empty table with headings.
    pub fn new() -> Self {
        Self { has_heading: true, ..Self::default() }
    }

    /// Adds a column of text.
    #[must_use]
    pub fn left(mut self, title: &str) -> Self {
        self.columns.push(Column {
            title: title.to_owned(),
            align: Align::Left,
            shrinks: false,
            gives_late: false,
            keeps: 0,
        });
        self
    }

    /// Adds a column of text that may be cut where there is little room.
    #[must_use]
    pub fn shrinking(mut self, title: &str) -> Self {
        self.columns.push(Column {
            title: title.to_owned(),
            align: Align::Left,
            shrinks: true,
            gives_late: false,
            keeps: 0,
        });
        self
    }

    /// Has the last column keep so many columns of the medium when it is cut.
    #[must_use]
    pub fn keeping(mut self, columns: usize) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.keeps = columns;
        }
        self
    }

    /// Adds a column of text that is cut only when cutting the others is not enough.
    #[must_use]
    pub fn shrinking_late(mut self, title: &str) -> Self {
        self = self.shrinking(title);
        if let Some(column) = self.columns.last_mut() {
            column.gives_late = true;
        }
        self
    }

    /// Adds a column of figures.
    #[must_use]
    pub fn right(mut self, title: &str) -> Self {
        self.columns.push(Column {
            title: title.to_owned(),
            align: Align::Right,
            shrinks: false,
            gives_late: false,
            keeps: 0,
        });
        self
    }

    /// Has columns that shrink stand below the others where one that gives late would be cut below so much.
    #[must_use]
    pub fn stacking_below(mut self, columns: usize) -> Self {
        self.stacks_below = Some(columns);
        self
    }

    /// Has figures keep their titles where columns stand below others: in a heading of their own, or below too where the
    /// medium is too narrow for that.
    #[must_use]
    pub fn naming_figures(mut self) -> Self {
        self.names_figures = true;
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Markup>) {
        self.rows.push(cells);
    }
}
