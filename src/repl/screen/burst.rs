//! Keys that come faster than anyone types. A terminal that knows no bracketed paste sends what is pasted as keys, and each
//! Enter among them would run a line by itself, indented once by the text and once more by the editor. So lines that come in
//! one burst are taken as the paste that they are; an Enter that ends them is the key.
//!
//! It knows keys and inputs; what a paste does to the cell it does not know.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::Input;

/// Keys after which a gap between two packets of one paste is waited for.
pub(super) const LONG: usize = 16;

/// The inputs that keys of one burst are.
pub(super) fn inputs(keys: Vec<KeyEvent>) -> Vec<Input> {
    let text: Option<String> = keys.iter().map(character).collect();
    match text {
        Some(text) if text.trim_end_matches('\n').contains('\n') => {
            let lines = text.trim_end_matches('\n');
            let mut inputs = vec![Input::Paste(lines.to_owned())];
            if lines.len() < text.len() {
                inputs.push(Input::Key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE)));
            }
            inputs
        }
        _ => keys.into_iter().map(Input::Key).collect(),
    }
}

/// Whether a key can be a part of pasted text.
pub(super) fn is_text(key: &KeyEvent) -> bool {
    character(key).is_some()
}

fn character(key: &KeyEvent) -> Option<char> {
    match (key.code, key.modifiers) {
        (KeyCode::Char(character), KeyModifiers::NONE | KeyModifiers::SHIFT) => Some(character),
        // A line feed that is not the Enter key's carriage return.
        (KeyCode::Enter, KeyModifiers::NONE) | (KeyCode::Char('j'), KeyModifiers::CONTROL) => Some('\n'),
        (KeyCode::Tab, KeyModifiers::NONE) => Some('\t'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Vec<KeyEvent> {
        let code = |c| if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) };
        text.chars().map(|c| KeyEvent::new(code(c), KeyModifiers::NONE)).collect()
    }

    #[test]
    fn lines_in_one_burst_are_a_paste_and_its_last_enter_is_the_key() {
        let found = inputs(typed("def f():\n    return 1\n\nf()\n"));
        assert!(matches!(&found[..], [Input::Paste(text), Input::Key(key)]
            if text == "def f():\n    return 1\n\nf()" && key.code == KeyCode::Enter));
        assert!(matches!(&inputs(typed("a\nb"))[..], [Input::Paste(text)] if text == "a\nb"));
    }

    #[test]
    fn one_line_and_keys_that_are_no_text_stay_keys() {
        for text in ["a = 1\n", "\n", "\n\n", "x"] {
            assert_eq!(inputs(typed(text)).len(), text.len(), "{text:?}");
        }
        let mut keys = typed("a\nb");
        keys.push(KeyEvent::new(KeyCode::Up, KeyModifiers::NONE));
        assert!(inputs(keys).iter().all(|input| matches!(input, Input::Key(_))));
    }
}
