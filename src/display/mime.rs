//! A value in several MIME types at once, the richest of which a front end chooses.

use serde_json::{Map, Value};

/// A value in several MIME types; `text/plain` is always among them once it reaches a front end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MimeBundle {
    /// The forms by MIME type: text, or JSON for types that end in `json`.
    pub data: Map<String, Value>,
    /// Metadata by MIME type.
    pub metadata: Map<String, Value>,
}

impl MimeBundle {
    /// A bundle of plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        let mut bundle = Self::default();
        bundle.insert("text/plain", text);
        bundle
    }

    /// Adds a textual form.
    pub fn insert(&mut self, mime: &str, text: impl Into<String>) {
        self.data.insert(mime.to_owned(), Value::String(text.into()));
    }

    /// Adds a JSON form.
    pub fn insert_json(&mut self, mime: &str, value: Value) {
        self.data.insert(mime.to_owned(), value);
    }

    /// The bundle with one more textual form.
    #[must_use]
    pub fn with(mut self, mime: &str, text: impl Into<String>) -> Self {
        self.insert(mime, text);
        self
    }

    /// The form of a textual type.
    pub fn text(&self, mime: &str) -> Option<&str> {
        self.data.get(mime)?.as_str()
    }

    /// The plain text, empty where there is none.
    pub fn plain_text(&self) -> &str {
        self.text("text/plain").unwrap_or("")
    }
}
