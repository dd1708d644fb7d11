//! The history of cells, kept across runs in one private file: a line of JSON per cell, `[session, line, input, output]`.
//!
//! Several kernels may append at once: a file lock covers the choice of a session number and each line. A damaged line
//! is skipped when reading, never repaired. Without a usable file the history of this run still works.

use super::log::log;
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Above this the older half of the file is dropped when a kernel starts its session.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// A longer output is kept by its beginning only: the history is for reading.
const OUTPUT_BYTES_MAX: usize = 4096;

/// One cell that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    session: u64,
    line: u64,
    input: String,
    output: Option<String>,
}

/// This run's history, in front of the file's.
pub struct History {
    path: Option<PathBuf>,
    /// Chosen with the first cell, so that kernels that run nothing leave no trace.
    session: Option<u64>,
    own: Vec<Entry>,
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

    /// Keeps a cell that has run.
    pub fn record(&mut self, line: u64, input: &str, output: Option<&str>) {
        let output = output.map(|text| text[..text.floor_char_boundary(OUTPUT_BYTES_MAX)].to_owned());
        let mut entry = Entry { session: 0, line, input: input.to_owned(), output };
        let written = match &self.path {
            Some(path) => append(path, &mut self.session, &mut entry),
            None => Ok(()),
        };
        if let Err(error) = written {
            log(&format!("history is not kept: {error}"));
            self.path = None;
        }
        entry.session = *self.session.get_or_insert(1);
        self.own.push(entry);
    }

    /// The content of `history_reply`.
    pub fn answer(&self, request: &Map<String, Value>) -> Value {
        let text = |key: &str| request.get(key).and_then(Value::as_str);
        let number = |key: &str| request.get(key).and_then(Value::as_i64);
        let flag = |key: &str| request.get(key).and_then(Value::as_bool).unwrap_or(false);
        let count = number("n").map(|count| usize::try_from(count).unwrap_or(0));
        let found = match text("hist_access_type").unwrap_or("tail") {
            "range" => {
                let start = number("start").unwrap_or(1).max(0).cast_unsigned();
                let stop = number("stop").map(|stop| stop.max(0).cast_unsigned());
                self.range(number("session").unwrap_or(0), start, stop)
            }
            "search" => self.search(text("pattern").unwrap_or("*"), count, flag("unique")),
            _ => self.tail(count.unwrap_or(10)),
        };
        let rows: Vec<Value> = found
            .into_iter()
            .map(|entry| match flag("output") {
                true => json!([entry.session, entry.line, [entry.input, entry.output]]),
                false => json!([entry.session, entry.line, entry.input]),
            })
            .collect();
        json!({"status": "ok", "history": rows})
    }

    fn tail(&self, count: usize) -> Vec<Entry> {
        let mut all = self.everything();
        all.split_off(all.len().saturating_sub(count))
    }

    /// Session 0 is this one, -1 the one before it. `stop` is the first line that is not wanted.
    fn range(&self, session: i64, start: u64, stop: Option<u64>) -> Vec<Entry> {
        let all = self.everything();
        let current = self.session.or_else(|| all.iter().map(|entry| entry.session).max().map(|last| last + 1));
        let wanted = if session > 0 { Some(session) } else { current.map(|now| now.cast_signed() + session) };
        let is_wanted = |entry: &Entry| {
            Some(entry.session.cast_signed()) == wanted
                && entry.line >= start
                && stop.is_none_or(|stop| entry.line < stop)
        };
        all.into_iter().filter(is_wanted).collect()
    }

    fn search(&self, pattern: &str, count: Option<usize>, is_unique: bool) -> Vec<Entry> {
        let pattern: Vec<char> = pattern.chars().collect();
        let mut found: Vec<Entry> =
            self.everything().into_iter().filter(|entry| matches_glob(&pattern, &entry.input)).collect();
        if is_unique {
            let mut seen = std::collections::HashSet::new();
            // The last of equal inputs stays, at its place.
            found.reverse();
            found.retain(|entry| seen.insert(entry.input.clone()));
            found.reverse();
        }
        match count {
            Some(count) => found.split_off(found.len().saturating_sub(count)),
            None => found,
        }
    }

    /// Other runs from the file, then this run.
    fn everything(&self) -> Vec<Entry> {
        let text = self.path.as_deref().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
        let others =
            text.split(|&byte| byte == b'\n').filter_map(parse).filter(|entry| Some(entry.session) != self.session);
        others.chain(self.own.iter().cloned()).collect()
    }
}

/// Appends one line under the file's lock, choosing the session's number with the first.
fn append(path: &Path, session: &mut Option<u64>, entry: &mut Entry) -> io::Result<()> {
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
    let row = json!([entry.session, entry.line, entry.input, entry.output]);
    file.write_all(format!("{row}\n").as_bytes())?;
    *session = Some(number);
    Ok(())
}

/// One more than the largest number in the file, which is shortened first if it has grown too long.
fn begin_session(file: &mut File) -> io::Result<u64> {
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

fn parse(line: &[u8]) -> Option<Entry> {
    let (session, line, input, output) = serde_json::from_slice(line).ok()?;
    Some(Entry { session, line, input, output })
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

    fn inputs(history: &History, request: Value) -> Vec<String> {
        let Value::Object(request) = request else { panic!("an object") };
        let answer = history.answer(&request);
        let rows = answer["history"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| format!("{}/{} {}", row[0], row[1], row[2].as_str().unwrap_or(&row[2].to_string())))
            .collect()
    }

    fn filled(path: &Path) -> History {
        let mut first = History::new(Some(path.to_path_buf()));
        first.record(1, "a = 1", None);
        first.record(2, "a", Some("1"));
        let mut second = History::new(Some(path.to_path_buf()));
        second.record(1, "b = 2", None);
        second.record(2, "a", Some("NameError"));
        second
    }

    #[test]
    fn tail_spans_runs_and_outputs_come_in_pairs() {
        let folder = tempfile::tempdir().unwrap();
        let history = filled(&folder.path().join("deep/er/history.jsonl"));
        let tail = inputs(&history, json!({"hist_access_type": "tail", "n": 3}));
        assert_eq!(tail, ["1/2 a", "2/1 b = 2", "2/2 a"]);
        let pairs = inputs(&history, json!({"hist_access_type": "tail", "n": 3, "output": true}));
        assert_eq!(pairs, [r#"1/2 ["a","1"]"#, r#"2/1 ["b = 2",null]"#, r#"2/2 ["a","NameError"]"#]);
    }

    #[test]
    fn ranges_name_a_session_from_either_end() {
        let folder = tempfile::tempdir().unwrap();
        let history = filled(&folder.path().join("history.jsonl"));
        let range = |session: i64, start: i64, stop: Option<i64>| {
            let request = json!({"hist_access_type": "range", "session": session, "start": start, "stop": stop});
            inputs(&history, request)
        };
        assert_eq!(range(0, 1, None), ["2/1 b = 2", "2/2 a"]);
        assert_eq!(range(-1, 2, None), ["1/2 a"]);
        assert_eq!(range(1, 1, Some(2)), ["1/1 a = 1"]);
        assert_eq!(range(7, 1, None), [""; 0]);
    }

    #[test]
    fn searches_take_patterns_and_drop_repeats() {
        let folder = tempfile::tempdir().unwrap();
        let history = filled(&folder.path().join("history.jsonl"));
        let search = |pattern: &str, n: Option<i64>, unique: bool| {
            let request = json!({"hist_access_type": "search", "pattern": pattern, "n": n, "unique": unique});
            inputs(&history, request)
        };
        assert_eq!(search("? = *", None, false), ["1/1 a = 1", "2/1 b = 2"]);
        assert_eq!(search("a", None, false), ["1/2 a", "2/2 a"]);
        assert_eq!(search("a", None, true), ["2/2 a"]);
        assert_eq!(search("*", Some(2), false), ["2/1 b = 2", "2/2 a"]);
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
        third.record(1, "c", None);
        assert_eq!(inputs(&third, json!({"hist_access_type": "tail", "n": 2})), ["2/2 a", "3/1 c"]);
    }

    #[test]
    fn without_a_file_this_run_is_remembered() {
        let mut history = History::new(None);
        history.record(1, "x", None);
        assert_eq!(inputs(&history, json!({"hist_access_type": "range", "session": 0})), ["1/1 x"]);
        let mut refused = History::new(Some("/proc/no/such/history".into()));
        refused.record(1, "y", None);
        assert_eq!(inputs(&refused, json!({})), ["1/1 y"]);
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
