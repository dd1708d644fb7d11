//! Positions in cells: the wire counts Unicode code points (since protocol 5.2), the engine counts bytes.

/// The byte at which code point `position` begins; behind the end it is the end.
pub fn byte_of(text: &str, position: u64) -> usize {
    let position = usize::try_from(position).unwrap_or(usize::MAX);
    text.char_indices().nth(position).map_or(text.len(), |(byte, _)| byte)
}

/// How many code points stand before `byte`.
pub fn code_points_before(text: &str, byte: usize) -> usize {
    text[..text.floor_char_boundary(byte)].chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_code_points_whatever_they_are_made_of() {
        for text in ["", "abc", "x = '𝛑'\r\n", "e\u{301}l", "한글 = 1"] {
            let count = text.chars().count();
            for position in 0..=count {
                let byte = byte_of(text, position as u64);
                assert_eq!(code_points_before(text, byte), position, "{text:?} at {position}");
            }
            assert_eq!(byte_of(text, 10_000), text.len());
            assert_eq!(byte_of(text, u64::MAX), text.len());
            assert_eq!(code_points_before(text, 10_000), count);
        }
        assert_eq!(code_points_before("𝛑", 2), 0);
    }
}
