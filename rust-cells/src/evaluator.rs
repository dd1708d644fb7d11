//! The evcxr context: cells, completions, variables, and a process for cells that is made ready again whenever a new one had
//! to be started.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use evcxr::{CommandContext, Error, EvalContext, EvalOutputs};
use serde_json::{Value, json};

use crate::diagnostics;
use crate::messages::Failure;
use crate::relay::{Panic, Shared};
use crate::source::Cell;

/// Evaluated in every new process that runs cells, together with what brings the arrays.
const FIRST: &str = include_str!("first.rs.txt");

/// How often a process that ends while it is made ready is replaced before that is an error.
const ATTEMPTS: u32 = 3;

/// Commands of evcxr that end processes behind our back, and what does it here.
const REPLACED: [(&str, &str); 3] = [(":restart", "%rust reset"), (":clear", "%rust reset"), (":quit", "%rust stop")];

/// Variables with their types, by name.
type Variables = BTreeMap<String, String>;

/// Owns the context; lives on the worker's first thread, on whose life the process for cells depends.
pub struct Evaluator {
    context: CommandContext,
    shared: Arc<Shared>,
    /// Brings the arrays' crate into a context that has forgotten it.
    prelude: String,
    /// Which process was made ready last.
    ready: u64,
}

/// What came of a request.
pub enum Answer {
    /// Forms of the last expression's value, by MIME type.
    Done(Value),
    /// It failed.
    Failed(Failure, String),
}

impl Evaluator {
    /// Makes the context and its first process ready.
    pub fn start(shared: Arc<Shared>, prelude: String) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let (context, outputs) =
            EvalContext::with_subprocess_command(Command::new(program)).map_err(|error| error.to_string())?;
        // The relay has what cells write. Nothing comes here, but evcxr waits until what came was taken.
        for lines in [outputs.stdout, outputs.stderr] {
            let _ = std::thread::Builder::new().name("evcxr".into()).spawn(move || while lines.recv().is_ok() {});
        }
        let mut context = CommandContext::with_eval_context(context);
        if let Ok(folder) = context.execute(":last_compile_dir")
            && let Some(folder) = folder.get("text/plain")
        {
            shared.sources().file = Path::new(folder.trim()).join("src/lib.rs");
        }
        let mut evaluator = Self { context, shared, prelude, ready: 0 };
        evaluator.make_ready(true)?;
        Ok(evaluator)
    }

    /// Evaluates what each new process begins with; with `is_new`, what each new context begins with too.
    fn make_ready(&mut self, is_new: bool) -> Result<(), String> {
        let began = if is_new { self.prelude.as_str() } else { "" };
        let start = if self.prelude.is_empty() { "" } else { "cellhold::start();\n" };
        let text = format!("{began}\n{FIRST}\n{start}");
        let mut attempt = 1;
        while let Err(error) = self.context.execute(&text) {
            // In place of one that ended evcxr has started another.
            if attempt == ATTEMPTS || !matches!(error, Error::SubprocessTerminated(_)) {
                return Err(whole(&error));
            }
            attempt += 1;
        }
        self.ready = self.shared.processes();
        match self.shared.take_panic() {
            None => Ok(()),
            Some(panic) => Err(panic.map_or_else(|| "it panicked".to_owned(), |panic| panic.message)),
        }
    }

    /// Makes a process ready that evcxr started in place of one that ended. Called between requests.
    pub fn recover(&mut self) -> Result<(), String> {
        if self.ready == self.shared.processes() && self.shared.process().is_some() {
            return Ok(());
        }
        if self.has_ended() {
            // evcxr starts another one when it finds the old one gone. Its command `:restart` would keep the old one's variables
            // on its list.
            let _ = self.context.execute("();");
        }
        self.make_ready(false)
    }

    /// Whether the process that runs cells is gone.
    fn has_ended(&self) -> bool {
        let handle = self.context.process_handle();
        let mut process = handle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        !matches!(process.try_wait(), Ok(None))
    }

    /// The variables now.
    pub fn variables(&self) -> Variables {
        self.context.variables_and_types().map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect()
    }

    /// The process ended since the last request: how, and which variables went with it. A new one is made ready.
    pub fn notice_end(&mut self) -> Result<Option<(String, Variables)>, String> {
        if !self.has_ended() {
            return Ok(None);
        }
        let lost = self.variables();
        let how = {
            let handle = self.context.process_handle();
            let mut process = handle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            process.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
        };
        self.recover()?;
        Ok(Some((how, lost)))
    }

    /// Evaluates a cell.
    pub fn evaluate(&mut self, cell: Cell) -> Answer {
        let words = cell.text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with(':'));
        if let Some((command, instead)) =
            words.filter_map(|word| REPLACED.iter().find(|(name, _)| *name == word)).next()
        {
            return Answer::Failed(Failure::Other, format!("{command} is {instead} here"));
        }
        self.shared.sources().remember(cell.clone());
        let code = cell.text.clone();
        self.guarded(&cell, |context| context.execute(&code))
    }

    /// Drops a variable.
    pub fn drop_variable(&mut self, name: &str) -> Answer {
        let cell = Cell { number: 0, line: 1, text: format!("std::mem::drop({name});") };
        let code = cell.text.clone();
        self.guarded(&cell, |context| context.execute(&code))
    }

    /// Tells the array side which variable holds which arrays.
    pub fn name_holders(&mut self) -> Answer {
        let names: Vec<String> = self.variables().into_keys().collect();
        if self.prelude.is_empty() {
            return Answer::Done(Value::Null);
        }
        let cell = Cell { number: 0, line: 1, text: format!("cellhold::name_holders!({});", names.join(", ")) };
        let code = cell.text.clone();
        self.guarded(&cell, |context| context.execute(&code))
    }

    /// Forgets everything but what was compiled.
    pub fn reset(&mut self) -> Result<(), String> {
        self.context.execute(":clear").map_err(|error| whole(&error))?;
        self.make_ready(true)
    }

    /// Completions at a byte: the bytes they replace, and texts with kinds and labels.
    pub fn complete(&mut self, code: &str, position: usize) -> Value {
        let context = &mut self.context;
        let found = catch_unwind(AssertUnwindSafe(|| context.completions(code, position)));
        let Ok(Ok(found)) = found else { return json!({"start": position, "end": position, "matches": []}) };
        let matches: Vec<Value> = found
            .completions
            .iter()
            .map(|one| json!({"text": one.code, "kind": one.kind, "label": one.label}))
            .collect();
        json!({"start": found.start_offset, "end": found.end_offset, "matches": matches})
    }

    fn guarded(&mut self, cell: &Cell, run: impl FnOnce(&mut CommandContext) -> Result<EvalOutputs, Error>) -> Answer {
        let context = &mut self.context;
        let ended = match catch_unwind(AssertUnwindSafe(|| run(context))) {
            Ok(ended) => ended,
            Err(_) => return Answer::Failed(Failure::Other, "evcxr failed on this cell; its state is kept".to_owned()),
        };
        if let Some(panic) = self.shared.take_panic()
            && !self.shared.is_interrupted()
        {
            return Answer::Failed(Failure::Panic, self.panicked(panic));
        }
        match ended {
            Ok(outputs) => {
                let mut forms = outputs.content_by_mime_type;
                // A statement's value is none.
                forms.retain(|mime, text| mime != "text/plain" || text != "()");
                Answer::Done(json!(forms))
            }
            Err(Error::CompilationErrors(errors)) => {
                Answer::Failed(Failure::Compile, diagnostics::compile_errors(&errors, cell))
            }
            Err(Error::SubprocessTerminated(text)) => Answer::Failed(Failure::Died, how(&text)),
            Err(error) => {
                let failure = if self.has_ended() { Failure::Died } else { Failure::Other };
                Answer::Failed(failure, error.to_string())
            }
        }
    }

    fn panicked(&self, panic: Option<Panic>) -> String {
        let Some(panic) = panic else { return "error: panicked".to_owned() };
        let sources = self.shared.sources();
        let place = sources.place(&panic.file, panic.line);
        let found = place.as_ref().and_then(|place| Some((place, sources.cell(place.cell)?, panic.column)));
        diagnostics::panic(&panic.message, found, &format!("{}:{}:{}", panic.file, panic.line, panic.column))
    }
}

/// An error of evcxr with all that the compiler said.
fn whole(error: &Error) -> String {
    match error {
        Error::CompilationErrors(errors) => {
            let texts = errors.iter().map(|error| {
                let rendered = error.rendered();
                if rendered.is_empty() { error.message() } else { rendered }
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

/// How a process ended, in evcxr's words: the last of them say it.
fn how(text: &str) -> String {
    let last = text.lines().last().unwrap_or_default();
    match last.split_once("status: ") {
        Some((_, status)) => status.to_owned(),
        None => text.trim().to_owned(),
    }
}
