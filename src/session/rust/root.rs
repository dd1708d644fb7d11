//! What Rust values hold of the session's memory, for the holder walk and for `%free`.

use std::cell::RefCell;
use std::rc::Rc;

use crate::rust_cells::Handles;
use crate::session::holders::{Held, Hold, HolderKind, Root};

/// The handles of Rust values as holders.
#[derive(Debug)]
pub(super) struct RustRoot(pub(super) Rc<RefCell<Handles>>);

impl Root for RustRoot {
    fn visit(&self, visit: &mut dyn FnMut(Hold<'_>)) {
        self.0.borrow().visit(&mut |kept| {
            visit(Hold {
                path: path_of(&kept.path),
                kind: HolderKind::Rust,
                let_go: Some(format!("%free {}", path_of(typeable(&kept.path)))),
                held: Held::Buffer(kept.buffer),
            });
        });
    }
}

/// `rust: v`
pub(in crate::session) fn path_of(path: &str) -> String {
    format!("rust: {path}")
}

/// What of a path can be typed after `%free rust:`: a key with blanks in it is let go of with the whole variable.
fn typeable(path: &str) -> &str {
    let is_cell = path.strip_prefix("cell ").is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()));
    if is_cell || !path.contains(char::is_whitespace) {
        return path;
    }
    path.split(['[', '.']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_suggested_can_be_typed() {
        assert_eq!(typeable("v[2].x"), "v[2].x");
        assert_eq!(typeable("cell 4"), "cell 4");
        assert_eq!(typeable("m[\"two words\"].x"), "m");
    }
}
