//! What the kernel and the helper of Rust cells say to each other: JSON objects, one a line, over the socket that is the
//! helper's standard input. `rust-cells/src/messages.rs` is the other end; the two change together.

use serde_json::{Value, json};

/// The version of the messages.
pub const PROTOCOL: u64 = 1;

/// Something asked of the helper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Evaluates a cell, whose text begins on this line (from 1) of the notebook's cell.
    Evaluate {
        /// The text.
        code: String,
        /// The cell's number.
        cell: u32,
        /// Where in the cell the text begins.
        line: usize,
    },
    /// Completions at a byte of a text.
    Complete {
        /// The text.
        code: String,
        /// The byte.
        position: usize,
    },
    /// Drops a variable.
    Drop(String),
    /// Has the array side told which variable holds which arrays.
    Name,
    /// Forgets everything but what was compiled.
    Reset,
}

impl Request {
    /// The message under a number.
    pub fn message(&self, id: u64) -> Value {
        match self {
            Self::Evaluate { code, cell, line } => {
                json!({"id": id, "do": "evaluate", "code": code, "cell": cell, "line": line})
            }
            Self::Complete { code, position } => {
                json!({"id": id, "do": "complete", "code": code, "position": position})
            }
            Self::Drop(name) => json!({"id": id, "do": "drop", "name": name}),
            Self::Name => json!({"id": id, "do": "name"}),
            Self::Reset => json!({"id": id, "do": "reset"}),
        }
    }
}

/// The message that ends what the helper evaluates.
pub fn interrupt() -> Value {
    json!({"do": "interrupt"})
}

/// The message that ends the process that runs cells, whatever it does.
pub fn end_process() -> Value {
    json!({"do": "end_process"})
}

/// A variable of the Rust side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type, as Rust writes it.
    pub kind: String,
}

/// Variables after a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Those there are, by name.
    pub variables: Vec<Variable>,
    /// Names of those that went.
    pub lost: Vec<String>,
}

/// Why a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The text does not compile.
    Compile,
    /// The text panicked.
    Panic,
    /// The process that ran it has ended.
    Died,
    /// It was interrupted.
    Interrupted,
    /// Anything else that the helper says.
    Other,
}

/// One completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is put in.
    pub text: String,
    /// What it is, in Jupyter's words.
    pub kind: String,
    /// How it is shown, with its signature.
    pub label: String,
}

/// Completions of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// First byte that they replace.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The completions.
    pub matches: Vec<Completion>,
}

/// What the helper says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It has started, and speaks this version.
    Hello(u64),
    /// It can evaluate.
    Ready,
    /// It never will, for this reason.
    Unable(String),
    /// Text that the program wrote.
    Text {
        /// Whether to the standard error.
        is_error: bool,
        /// The text.
        text: String,
    },
    /// The compiled text begins to run.
    Running,
    /// The process that runs cells had ended since the last request, and these variables with it.
    Restarted {
        /// How it had ended.
        how: String,
        /// The variables.
        lost: Vec<String>,
    },
    /// A request is done.
    Done {
        /// Its number.
        id: u64,
        /// Forms of the last value, by MIME type.
        outputs: Vec<(String, String)>,
        /// The variables now.
        state: State,
    },
    /// A request failed.
    Failed {
        /// Its number.
        id: u64,
        /// Why.
        why: Why,
        /// For people.
        text: String,
        /// The variables now.
        state: State,
    },
    /// Completions that were asked for.
    Completions {
        /// The request's number.
        id: u64,
        /// The completions.
        found: Completions,
    },
}

impl Reply {
    /// Reads a line. Nothing for an event that this version does not know.
    pub fn parse(line: &str) -> Result<Option<Self>, serde_json::Error> {
        let message: Value = serde_json::from_str(line)?;
        let id = message["id"].as_u64().unwrap_or(0);
        let text = |key: &str| message[key].as_str().unwrap_or_default().to_owned();
        Ok(Some(match message["event"].as_str().unwrap_or_default() {
            "hello" => Self::Hello(message["protocol"].as_u64().unwrap_or(0)),
            "ready" => Self::Ready,
            "unable" => Self::Unable(text("text")),
            "stdout" => Self::Text { is_error: false, text: text("text") },
            "stderr" => Self::Text { is_error: true, text: text("text") },
            "phase" => Self::Running,
            "restarted" => Self::Restarted { how: text("how"), lost: names(&message["lost"]) },
            "done" => Self::Done { id, outputs: outputs(&message["outputs"]), state: state(&message["state"]) },
            "failed" => Self::Failed {
                id,
                why: why(message["why"].as_str()),
                text: text("text"),
                state: state(&message["state"]),
            },
            "completions" => Self::Completions { id, found: completions(&message["completions"]) },
            _ => return Ok(None),
        }))
    }
}

fn why(text: Option<&str>) -> Why {
    match text {
        Some("compile") => Why::Compile,
        Some("panic") => Why::Panic,
        Some("died") => Why::Died,
        Some("interrupted") => Why::Interrupted,
        _ => Why::Other,
    }
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn names(value: &Value) -> Vec<String> {
    items(value).filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn outputs(value: &Value) -> Vec<(String, String)> {
    let pairs = value.as_object().into_iter().flatten();
    pairs.filter_map(|(mime, text)| Some((mime.clone(), text.as_str()?.to_owned()))).collect()
}

fn state(value: &Value) -> State {
    let variables = items(&value["variables"])
        .filter_map(|pair| Some(Variable { name: pair[0].as_str()?.to_owned(), kind: pair[1].as_str()?.to_owned() }));
    State { variables: variables.collect(), lost: names(&value["lost"]) }
}

fn completions(value: &Value) -> Completions {
    let place = |key: &str| value[key].as_u64().and_then(|byte| usize::try_from(byte).ok()).unwrap_or(0);
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    let matches = items(&value["matches"]).map(|one| Completion {
        text: text(one, "text"),
        kind: text(one, "kind"),
        label: text(one, "label"),
    });
    Completions { start: place("start"), end: place("end"), matches: matches.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_and_unknown_ones_passed_over() {
        let line = r#"{"id": 2, "event": "failed", "why": "panic", "text": "no",
            "state": {"variables": [["a", "i32"]], "lost": ["b"]}}"#;
        let state =
            State { variables: vec![Variable { name: "a".into(), kind: "i32".into() }], lost: vec!["b".into()] };
        let wanted = Reply::Failed { id: 2, why: Why::Panic, text: "no".into(), state };
        assert_eq!(Reply::parse(line).unwrap(), Some(wanted));
        assert_eq!(Reply::parse(r#"{"event": "tomorrow"}"#).unwrap(), None);
        assert!(Reply::parse("{").is_err());
    }

    #[test]
    fn requests_carry_their_number() {
        let message = Request::Drop("v".into()).message(7);
        assert_eq!(
            (message["id"].as_u64(), message["do"].as_str(), message["name"].as_str()),
            (Some(7), Some("drop"), Some("v"))
        );
    }
}
