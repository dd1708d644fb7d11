//! The history of cells, kept across runs in one private file: a line of JSON per cell,
//! `[session, number, source, output]`.
//!
//! Several kernels may append at once: a file lock covers the choice of a session number and each line. A damaged line
//! is skipped when reading, never repaired. Without a usable file the history of this run still works.
//!
//! Where the file is, is the front end's choice; it must not know who asks.

use super::cell::{HistoryEntry, HistoryQuery};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Above this the older half of the file is dropped when a kernel starts its session.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// A longer output is kept by its beginning only: the history is for reading.
const OUTPUT_BYTES_MAX: usize = 4096;

/// This run's history, in front of the file's.
pub struct History {
    path: Option<PathBuf>,
    /// Chosen with the first cell, so that kernels that run nothing leave no trace.
    session: Option<u32>,
    own: Vec<HistoryEntry>,
}

impl History {
    /// A history in `path`; `None` keeps nothing on disk.
    pub fn new(path: Option<PathBuf>) -> History {
        History { path, session: None, own: Vec::new() }
    }

    /// The user's history file: `CELLHOLD_HISTORY` (`off` for none), else in the XDG state folder.
    pub fn default_path() -> Option<PathBuf> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        match variable("CELLHOLD_HISTORY") {
            Some(value) if value == "off" => None,
            Some(value) => Some(PathBuf::from(value)),
            None => {
                let state = variable("XDG_STATE_HOME").map(PathBuf::from);
                let state = state.or_else(|| std::env::home_dir().map(|home| home.join(".local/state")))?;
                Some(state.join("cellhold/history.jsonl"))
            }
        }
    }

    /// Keeps a cell that has run. After an error this run's cells are kept in memory only.
    pub fn record(&mut self, number: u32, source: &str, output: Option<&str>) -> io::Result<()> {
        let output = output.map(|text| text[..text.floor_char_boundary(OUTPUT_BYTES_MAX)].to_owned());
        let mut entry = HistoryEntry { session: 0, number, source: source.to_owned(), output };
        let written = match &self.path {
            Some(path) => append(path, &mut self.session, &mut entry),
            None => Ok(()),
        };
        if written.is_err() {
            self.path = None;
        }
        entry.session = *self.session.get_or_insert(1);
        self.own.push(entry);
        written
    }

    /// What is asked for, oldest first.
    pub fn query(&self, query: &HistoryQuery) -> Vec<HistoryEntry> {
        match query {
            HistoryQuery::Tail { count } => self.tail(*count),
            HistoryQuery::Range { session, start, stop } => self.range(*session, *start, *stop),
            HistoryQuery::Search { pattern, count, is_unique } => self.search(pattern, *count, *is_unique),
        }
    }

    fn tail(&self, count: usize) -> Vec<HistoryEntry> {
        let mut all = self.everything();
        all.split_off(all.len().saturating_sub(count))
    }

    /// Session 0 is this one, -1 the one before it. `stop` is the first number that is not wanted.
    fn range(&self, session: i64, start: u32, stop: Option<u32>) -> Vec<HistoryEntry> {
        let all = self.everything();
        let current = self.session.or_else(|| all.iter().map(|entry| entry.session).max().map(|last| last + 1));
        let wanted = if session > 0 { Some(session) } else { current.map(|now| i64::from(now) + session) };
        let is_wanted = |entry: &HistoryEntry| {
            Some(i64::from(entry.session)) == wanted
                && entry.number >= start
                && stop.is_none_or(|stop| entry.number < stop)
        };
        all.into_iter().filter(is_wanted).collect()
    }

    fn search(&self, pattern: &str, count: Option<usize>, is_unique: bool) -> Vec<HistoryEntry> {
        let pattern: Vec<char> = pattern.chars().collect();
        let mut found: Vec<HistoryEntry> =
            self.everything().into_iter().filter(|entry| matches_glob(&pattern, &entry.source)).collect();
        if is_unique {
            let mut seen = std::collections::HashSet::new();
            // The last of equal inputs stays, at its place.
            found.reverse();
            found.retain(|entry| seen.insert(entry.source.clone()));
            found.reverse();
        }
        match count {
            Some(count) => found.split_off(found.len().saturating_sub(count)),
            None => found,
        }
    }

    /// Other runs from the file, then this run.
    fn everything(&self) -> Vec<HistoryEntry> {
        let text = self.path.as_deref().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
        let others =
            text.split(|&byte| byte == b'\n').filter_map(parse).filter(|entry| Some(entry.session) != self.session);
        others.chain(self.own.iter().cloned()).collect()
    }
}

/// Appends one line under the file's lock, choosing the session's number with the first.
fn append(path: &Path, session: &mut Option<u32>, entry: &mut HistoryEntry) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
    file.lock()?;
    let number = match *session {
        Some(number) => number,
        None => begin_session(&mut file)?,
    };
    entry.session = number;
    let row = json!([entry.session, entry.number, entry.source, entry.output]);
    file.write_all(format!("{row}\n").as_bytes())?;
    *session = Some(number);
    Ok(())
}

/// One more than the largest number in the file, which is shortened first if it has grown too long.
fn begin_session(file: &mut File) -> io::Result<u32> {
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let numbers = text.split(|&byte| byte == b'\n').filter_map(|line| parse(line).map(|entry| entry.session));
    let next = numbers.max().unwrap_or(0) + 1;
    if u64::try_from(text.len()).is_ok_and(|bytes| bytes > FILE_BYTES_MAX) {
        let half = text.len() / 2;
        let line = text[half..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| half + end + 1);
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&text[line..])?;
    } else if text.last().is_some_and(|&byte| byte != b'\n') {
        // A run that was killed while writing leaves half a line.
        file.write_all(b"\n")?;
    }
    Ok(next)
}

fn parse(line: &[u8]) -> Option<HistoryEntry> {
    let (session, number, source, output) = serde_json::from_slice(line).ok()?;
    Some(HistoryEntry { session, number, source, output })
}

/// Shell patterns as IPython's search takes them: `*` is any text, `?` one character, all else itself.
fn matches_glob(pattern: &[char], text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut position) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while position < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, position));
                at += 1;
            }
            Some(&c) if c == '?' || c == text[position] => {
                at += 1;
                position += 1;
            }
            _ => {
                // The last star takes one character more; earlier stars never need to.
                let Some((star_at, taken)) = star else { return false };
                star = Some((star_at, taken + 1));
                at = star_at + 1;
                position = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn found(history: &History, query: &HistoryQuery) -> Vec<String> {
        let shown = |entry: HistoryEntry| {
            let output = entry.output.map(|text| format!(" -> {text}")).unwrap_or_default();
            format!("{}/{} {}{output}", entry.session, entry.number, entry.source)
        };
        history.query(query).into_iter().map(shown).collect()
    }

    fn filled(path: &Path) -> History {
        let mut first = History::new(Some(path.to_path_buf()));
        first.record(1, "a = 1", None).unwrap();
        first.record(2, "a", Some("1")).unwrap();
        let mut second = History::new(Some(path.to_path_buf()));
        second.record(1, "b = 2", None).unwrap();
        second.record(2, "a", Some("NameError")).unwrap();
        second
    }

    #[test]
    fn the_tail_spans_runs() {
        let folder = tempfile::tempdir().unwrap();
        let history = filled(&folder.path().join("deep/er/history.jsonl"));
        let tail = found(&history, &HistoryQuery::Tail { count: 3 });
        assert_eq!(tail, ["1/2 a -> 1", "2/1 b = 2", "2/2 a -> NameError"]);
    }

    #[test]
    fn ranges_name_a_session_from_either_end() {
        let folder = tempfile::tempdir().unwrap();
        let history = filled(&folder.path().join("history.jsonl"));
        let range = |session, start, stop| found(&history, &HistoryQuery::Range { session, start, stop });
        assert_eq!(range(0, 1, None), ["2/1 b = 2", "2/2 a -> NameError"]);
        assert_eq!(range(-1, 2, None), ["1/2 a -> 1"]);
        assert_eq!(range(1, 1, Some(2)), ["1/1 a = 1"]);
        assert_eq!(range(7, 1, None), [""; 0]);
    }

    #[test]
    fn searches_take_patterns_and_drop_repeats() {
        let folder = tempfile::tempdir().unwrap();
        let history = filled(&folder.path().join("history.jsonl"));
        let search = |pattern: &str, count, is_unique| {
            found(&history, &HistoryQuery::Search { pattern: pattern.into(), count, is_unique })
        };
        assert_eq!(search("? = *", None, false), ["1/1 a = 1", "2/1 b = 2"]);
        assert_eq!(search("a", None, false), ["1/2 a -> 1", "2/2 a -> NameError"]);
        assert_eq!(search("a", None, true), ["2/2 a -> NameError"]);
        assert_eq!(search("*", Some(2), false), ["2/1 b = 2", "2/2 a -> NameError"]);
    }

    #[test]
    fn the_file_is_private_and_a_damaged_line_is_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.jsonl");
        drop(filled(&path));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"[9, 1, \"half a li").unwrap();
        let mut third = History::new(Some(path));
        third.record(1, "c", None).unwrap();
        assert_eq!(found(&third, &HistoryQuery::Tail { count: 2 }), ["2/2 a -> NameError", "3/1 c"]);
    }

    #[test]
    fn without_a_file_this_run_is_remembered() {
        let mut history = History::new(None);
        history.record(1, "x", None).unwrap();
        assert_eq!(found(&history, &HistoryQuery::Range { session: 0, start: 1, stop: None }), ["1/1 x"]);
        let mut refused = History::new(Some("/proc/no/such/history".into()));
        assert!(refused.record(1, "y", None).is_err());
        assert_eq!(found(&refused, &HistoryQuery::Tail { count: 10 }), ["1/1 y"]);
    }

    #[test]
    fn glob_patterns() {
        let cases = [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a*b*c", "a--b--c", true),
            ("a*b*c", "a--b--", false),
            ("*ab", "aab", true),
            ("?", "é", true),
            ("?", "", false),
            ("[a]", "[a]", true),
            ("*a*", "x\ny a", true),
        ];
        for (pattern, text, expected) in cases {
            let pattern_chars: Vec<char> = pattern.chars().collect();
            assert_eq!(matches_glob(&pattern_chars, text), expected, "{pattern:?} on {text:?}");
        }
    }
}
