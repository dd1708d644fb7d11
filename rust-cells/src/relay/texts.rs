//! Bytes as they come, as text: a character that is cut in two waits for its other half.

/// Holds the beginning of a character.
#[derive(Debug, Default)]
pub struct Texts(Vec<u8>);

impl Texts {
    /// The whole characters so far.
    pub fn whole(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.0);
        all.extend_from_slice(bytes);
        let keep = unfinished(&all);
        self.0 = all.split_off(all.len() - keep);
        String::from_utf8_lossy(&all).into_owned()
    }

    /// What will not become whole any more.
    pub fn rest(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.0)).into_owned()
    }
}

/// How many bytes at the end begin a character without ending it.
fn unfinished(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let lead = bytes[bytes.len() - back];
        let needs = match lead {
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF7 => 4,
            0x80..=0xBF => continue,
            _ => return 0,
        };
        return if needs > back { back } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_put_together() {
        let text = "aä€𝄞z";
        for cut in 1..=4 {
            let mut texts = Texts::default();
            let mut all = String::new();
            for bytes in text.as_bytes().chunks(cut) {
                all.push_str(&texts.whole(bytes));
            }
            assert_eq!(all + &texts.rest(), text);
        }
        let mut texts = Texts::default();
        assert_eq!(texts.whole(b"a\xff\xe2\x82"), "a\u{fffd}");
        assert_eq!(texts.rest(), "\u{fffd}");
    }
}
