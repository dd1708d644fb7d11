//! Showing values: bundles of MIME types, markup with roles, and the three looks it has (plain, ANSI, HTML).
//!
//! A leaf: it knows nothing of arrays, the language or the session. Whoever has something to show builds [`Markup`]
//! once; colour codes and tags exist only in the renderers.

mod ansi;
mod html;
mod markup;
mod mime;
mod plain;
mod table;
pub mod units;

pub use ansi::to_ansi;
pub use html::to_html;
pub use markup::{Markup, Piece, Role};
pub use mime::MimeBundle;
pub use plain::{to_lines, to_plain};
pub use table::{Align, Column, Table};

/// Something that can be shown richly. (`std::fmt::Display` is another thing: one text, for messages.)
pub trait RichDisplay {
    /// How it looks, with roles instead of colours.
    fn markup(&self) -> Markup;

    /// Further MIME types, such as JSON for programs.
    fn extra(&self) -> Vec<(String, serde_json::Value)> {
        Vec::new()
    }

    /// Plain text, HTML and the further types in one bundle.
    fn bundle(&self, width: usize) -> MimeBundle {
        let markup = self.markup();
        let mut bundle = MimeBundle::plain(to_plain(&markup.clone().flowing(), width));
        bundle.insert("text/html", to_html(&markup));
        for (mime, value) in self.extra() {
            bundle.insert_json(&mime, value);
        }
        bundle
    }
}
