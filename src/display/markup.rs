//! Text with roles: what a piece means, not how it looks.

use super::table::Table;
use super::units::Fraction;

/// What a piece of text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Nothing special.
    Plain,
    /// A heading or what matters most in a line.
    Strong,
    /// Said in passing: sources, hints, units.
    Dim,
    /// Something a person can type: a name, a command, a path.
    Code,
    /// A figure.
    Number,
    /// The name of an error, or what is wrong.
    Error,
    /// What deserves attention.
    Warning,
    /// What is as it should be.
    Good,
    /// A keyword of the language.
    Keyword,
    /// A string of the language.
    Text,
}

/// One piece of markup.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Text with a role; may contain line ends.
    Text(Role, String),
    /// A bar of a share of something.
    Bar(Fraction),
    /// So many blanks between parts of a line; a new line where the next part would not fit.
    Gap(usize),
    /// So many blanks between words, at which a part that is longer than a line is parted.
    Blank(usize),
    /// A table; starts and ends on lines of its own.
    Table(Table),
}

/// A sequence of pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Markup {
    /// The pieces in order.
    pub pieces: Vec<Piece>,
}

impl Markup {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new().plain(text)
    }

    /// Text with a role.
    pub fn of(role: Role, text: impl Into<String>) -> Self {
        Self::new().push(role, text)
    }

    /// Adds text with a role.
    #[must_use]
    pub fn push(mut self, role: Role, text: impl Into<String>) -> Self {
        self.add(role, text);
        self
    }

    /// Adds text with a role, in place.
    pub fn add(&mut self, role: Role, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.pieces.push(Piece::Text(role, text));
        }
    }

    /// Adds plain text.
    #[must_use]
    pub fn plain(self, text: impl Into<String>) -> Self {
        self.push(Role::Plain, text)
    }

    /// Adds a bar.
    #[must_use]
    pub fn bar(mut self, fraction: Fraction) -> Self {
        self.pieces.push(Piece::Bar(fraction));
        self
    }

    /// Adds a table.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        self.pieces.push(Piece::Table(table));
        self
    }

    /// Parts the line: what follows goes on in it, or on the next one where the medium is too narrow.
    #[must_use]
    pub fn gap(mut self) -> Self {
        self.pieces.push(Piece::Gap(3));
        self
    }

    /// One blank, at which the line may be parted.
    #[must_use]
    pub fn space(mut self) -> Self {
        self.pieces.push(Piece::Gap(1));
        self
    }

    /// The same with each blank of its prose a place where the line may be parted, if need be. What can be typed stays whole, and so
    /// do lines that begin four columns in, which are quoted.
    #[must_use]
    pub fn flowing(self) -> Self {
        let mut flowing = Self::new();
        let mut indent = Some(0);
        for piece in self.pieces {
            let Piece::Text(role, text) = piece else {
                indent = if matches!(piece, Piece::Table(_)) { Some(0) } else { None };
                flowing.pieces.push(piece);
                continue;
            };
            for (at, line) in text.split('\n').enumerate() {
                if at > 0 {
                    flowing.add(Role::Plain, "\n");
                    indent = Some(0);
                }
                let words = line.trim_start_matches(' ');
                let blanks = line.len() - words.len();
                let is_quoted = match &mut indent {
                    Some(columns) => {
                        *columns += blanks;
                        *columns >= 4
                    }
                    None => false,
                };
                if role == Role::Code || is_quoted {
                    flowing.add(role, line);
                } else {
                    flowing.add_words(role, line, indent.is_some());
                }
                // A quoted line stays one to its end.
                if !words.is_empty() && !is_quoted {
                    indent = None;
                }
            }
        }
        flowing
    }

    /// Adds the words of a line with blanks between them that part it; blanks at the beginning of a line are its indentation.
    fn add_words(&mut self, role: Role, line: &str, begins: bool) {
        let mut rest = line;
        if begins {
            let words = rest.trim_start_matches(' ');
            self.add(role, &rest[..rest.len() - words.len()]);
            rest = words;
        }
        while !rest.is_empty() {
            let word = rest.split(' ').next().unwrap_or("");
            self.add(role, word);
            let after = rest[word.len()..].trim_start_matches(' ');
            let blanks = rest.len() - word.len() - after.len();
            if blanks > 0 {
                self.pieces.push(Piece::Blank(blanks));
            }
            rest = after;
        }
    }

    /// Ends the line.
    #[must_use]
    pub fn line(self) -> Self {
        self.push(Role::Plain, "\n")
    }

    /// Adds the pieces of another.
    #[must_use]
    pub fn then(mut self, other: Markup) -> Self {
        self.pieces.extend(other.pieces);
        self
    }

    /// The text without roles, laid out for a medium of any width.
    pub fn plain_text(&self) -> String {
        super::plain::to_plain(self, usize::MAX)
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

impl From<&str> for Markup {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Markup {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}
