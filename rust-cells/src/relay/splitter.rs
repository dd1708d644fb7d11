//! Parts evcxr's lines from the program's own output, which share one stream.

/// How each of evcxr's lines begins.
const MARK: &[u8] = b"EVCXR_";
/// Lines that are whole.
const WHOLE: [&[u8]; 3] = [b"EVCXR_EXECUTION_COMPLETE\n", b"EVCXR_PANIC_NOTIFICATION\n", b"EVCXR_ERROR_OCCURRED\n"];
/// Lines that go on.
const BEGUN: [&[u8]; 3] = [b"EVCXR_BEGIN_CONTENT ", b"EVCXR_VARIABLE_CHANGED_TYPE:", b"EVCXR_INPUT_REQUEST"];
const BEGIN_CONTENT: &[u8] = BEGUN[0];
const END_CONTENT: &[u8] = b"EVCXR_END_CONTENT\n";
/// A line longer than this is the program's.
const LINE_BYTES_MAX: usize = 4096;

/// A stretch of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Written by the program.
    Text(Vec<u8>),
    /// A line of evcxr's, with its end.
    Protocol(Vec<u8>),
}

/// Reads the stream as it comes.
#[derive(Debug, Default)]
pub struct Splitter {
    held: Vec<u8>,
    is_in_content: bool,
}

impl Splitter {
    /// What new bytes make known. evcxr itself sees its mark at the beginning of a line only; here it is seen behind a line
    /// that the program did not end, too.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Piece> {
        self.held.extend_from_slice(bytes);
        let mut pieces = Vec::new();
        let mut from = 0;
        loop {
            let rest = &self.held[from..];
            if self.is_in_content {
                let Some(end) = rest.iter().position(|byte| *byte == b'\n') else { break };
                let line = &rest[..=end];
                if line == END_CONTENT || line == WHOLE[1] {
                    self.is_in_content = false;
                }
                pieces.push(Piece::Protocol(line.to_vec()));
                from += end + 1;
                continue;
            }
            let at = find(rest);
            text(&mut pieces, &rest[..at]);
            from += at;
            let rest = &self.held[from..];
            if rest.len() < MARK.len() {
                break;
            }
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                if could_be_ours(rest) && rest.len() < LINE_BYTES_MAX {
                    break;
                }
                text(&mut pieces, MARK);
                from += MARK.len();
                continue;
            };
            let line = &rest[..=end];
            if WHOLE.contains(&line) || BEGUN.iter().any(|begun| line.starts_with(begun)) {
                self.is_in_content = line.starts_with(BEGIN_CONTENT);
                pieces.push(Piece::Protocol(line.to_vec()));
                from += end + 1;
            } else {
                text(&mut pieces, MARK);
                from += MARK.len();
            }
        }
        self.held.drain(..from);
        pieces
    }

    /// What was held back because it might have become one of evcxr's lines.
    pub fn rest(&mut self) -> Vec<u8> {
        if self.is_in_content { Vec::new() } else { std::mem::take(&mut self.held) }
    }
}

/// Where the mark, or what may become it at the end, begins; else the end.
fn find(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(next) = bytes[at..].iter().position(|byte| *byte == MARK[0]) {
        at += next;
        let here = &bytes[at..bytes.len().min(at + MARK.len())];
        if MARK.starts_with(here) {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Whether a line without its end may yet become one of evcxr's.
fn could_be_ours(line: &[u8]) -> bool {
    WHOLE.iter().any(|whole| whole.starts_with(line))
        || BEGUN.iter().any(|begun| line.starts_with(begun) || begun.starts_with(line))
}

fn text(pieces: &mut Vec<Piece>, bytes: &[u8]) {
    match pieces.last_mut() {
        _ if bytes.is_empty() => {}
        Some(Piece::Text(last)) => last.extend_from_slice(bytes),
        _ => pieces.push(Piece::Text(bytes.to_vec())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces as texts, evcxr's lines in brackets, whatever way the stream is cut.
    fn split(stream: &str, cut: usize) -> String {
        let mut splitter = Splitter::default();
        let mut shown = String::new();
        for bytes in stream.as_bytes().chunks(cut) {
            for piece in splitter.feed(bytes) {
                match piece {
                    Piece::Text(text) => shown.push_str(std::str::from_utf8(&text).unwrap()),
                    Piece::Protocol(line) => {
                        shown.push_str(&format!("[{}]", String::from_utf8(line).unwrap().trim_end()));
                    }
                }
            }
        }
        shown + std::str::from_utf8(&splitter.rest()).unwrap()
    }

    #[test]
    fn lines_are_parted_however_the_stream_is_cut() {
        let cases = [
            ("a\nb\nEVCXR_EXECUTION_COMPLETE\n", "a\nb\n[EVCXR_EXECUTION_COMPLETE]"),
            ("no endEVCXR_EXECUTION_COMPLETE\n", "no end[EVCXR_EXECUTION_COMPLETE]"),
            ("EVCXR_ is a word\nE EV EVCXR", "EVCXR_ is a word\nE EV EVCXR"),
            ("EVCXR_EXECUTION_COMPLETE is not it\n", "EVCXR_EXECUTION_COMPLETE is not it\n"),
            ("EVCXR_EVCXR_PANIC_NOTIFICATION\nx", "EVCXR_[EVCXR_PANIC_NOTIFICATION]x"),
            (
                "x\nEVCXR_BEGIN_CONTENT text/plain\na\nEVCXR_x\nb\nEVCXR_END_CONTENT\ny",
                "x\n[EVCXR_BEGIN_CONTENT text/plain][a][EVCXR_x][b][EVCXR_END_CONTENT]y",
            ),
            ("EVCXR_VARIABLE_CHANGED_TYPE:v\n", "[EVCXR_VARIABLE_CHANGED_TYPE:v]"),
        ];
        for (stream, wanted) in cases {
            for cut in [1, 2, 3, 7, 1000] {
                assert_eq!(split(stream, cut), wanted, "{stream:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn text_is_not_held_back() {
        let mut splitter = Splitter::default();
        assert_eq!(splitter.feed(b"50 % done"), [Piece::Text(b"50 % done".to_vec())]);
        assert_eq!(splitter.feed(b"EVCXR_what"), [Piece::Text(b"EVCXR_what".to_vec())]);
    }
}
