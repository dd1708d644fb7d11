//! The thread that runs cells: takes requests in order, brackets each in busy and idle, and answers it.
//!
//! After a cell fails, the execute requests that were already received are answered without running, up to the fence.

use super::capture::CurrentParent;
use super::control::Stop;
use super::engine::Engine;
use super::info::kernel_info;
use super::log::log;
use super::mailbox::Mailbox;
use super::message::{Encoder, Outgoing, Request};
use super::output::{CellOutput, Wiring, error_content};
use super::shell::{Outbound, Work};
use super::text::{byte_of, code_points_before};
use crate::session::{Completeness, HistoryQuery, Outcome, Payload, Request as Cell};
use serde_json::{Map, Value, json};
use std::rc::Rc;
use std::sync::Arc;

/// Everything the executor's thread owns or shares.
pub struct Executor<E> {
    /// What runs cells.
    pub engine: E,
    /// Signs replies.
    pub encoder: Arc<Encoder>,
    /// What outputs of requests share.
    pub wiring: Wiring,
    /// Whom captured text belongs to.
    pub current: Arc<CurrentParent>,
    /// Where requests come from.
    pub work: Arc<Mailbox<Work>>,
    /// Where replies go.
    pub outbox: Arc<Mailbox<Outbound>>,
    /// Where the end of the kernel is asked for.
    pub stop: Arc<Mailbox<Stop>>,
    /// Whether execute requests are answered without running, until the fence.
    pub is_aborting: bool,
    /// The last request that ran a cell: what the program does at its end is shown as its output.
    pub last_cell: Option<Rc<Request>>,
}

impl<E: Engine> Executor<E> {
    /// The thread's body.
    pub fn run(mut self) {
        loop {
            match self.work.wait() {
                Work::Request(request) => self.answer(&Rc::from(request)),
                Work::Fence => self.is_aborting = false,
                Work::Frees => self.engine.grant_frees(),
                Work::Quit => return self.finish(),
            }
        }
    }

    /// Calls what the program wants called at its end (`atexit`), as long as the end of the kernel waits.
    fn finish(&mut self) {
        let (Some(request), Some(cell)) = (self.last_cell.take(), self.engine.last_cell()) else { return };
        // The interrupt that ended what ran is not meant for this.
        self.wiring.interrupter.begin();
        let output = Rc::new(CellOutput::new(self.wiring.clone(), request, false, false));
        self.engine.run(&cell, output);
        self.wiring.interrupter.end();
        if let Some(capture) = &self.wiring.capture {
            capture.drain();
        }
    }

    fn answer(&mut self, request: &Rc<Request>) {
        self.current.set(&request.parent);
        if request.kind == "execute_request" {
            // Before anybody is told that it runs.
            self.wiring.interrupter.begin();
        }
        self.wiring.iopub.status(&request.parent, "busy");
        match request.kind.as_str() {
            "execute_request" => self.execute(request),
            "complete_request" => {
                let found = self.complete(request);
                self.reply(request, "complete_reply", found)
            }
            "inspect_request" => {
                let found = self.inspect(request);
                self.reply(request, "inspect_reply", found)
            }
            "is_complete_request" => self.reply(request, "is_complete_reply", self.completeness(request)),
            "history_request" => self.reply(request, "history_reply", self.history(request)),
            "kernel_info_request" => {
                self.reply(request, "kernel_info_reply", kernel_info());
                // Beside this thread, from the moment somebody is there.
                crate::arrays::registry::begin_discovery();
            }
            "comm_info_request" => self.reply(request, "comm_info_reply", json!({"status": "ok", "comms": {}})),
            "comm_open" => self.refuse_comm(request),
            // About a comm that was refused.
            "comm_msg" | "comm_close" => {}
            "shutdown_request" => {
                let restart = request.content.get("restart").and_then(Value::as_bool).unwrap_or(false);
                self.reply(request, "shutdown_reply", json!({"status": "ok", "restart": restart}));
                self.stop.post(Stop::Requested);
            }
            other => log(&format!("shell: no answer to {other:?}")),
        }
        self.wiring.interrupter.end();
        if let Some(capture) = &self.wiring.capture {
            capture.drain();
        }
        self.wiring.iopub.status(&request.parent, "idle");
    }

    fn reply(&self, request: &Request, kind: &'static str, content: Value) {
        self.send(request, &Outgoing::new(kind, &request.parent, content));
    }

    fn send(&self, request: &Request, reply: &Outgoing) {
        self.outbox.post(Outbound::Send(self.encoder.encode(&request.identities, reply)));
    }

    fn refuse_comm(&self, request: &Request) {
        if let Some(id) = request.content.get("comm_id") {
            let content = json!({"comm_id": id, "data": {}});
            self.wiring.iopub.send(Outgoing::new("comm_close", &request.parent, content));
        }
    }

    fn execute(&mut self, request: &Rc<Request>) {
        let ExecuteOptions { cell, may_ask, stops_on_error, expressions } = ExecuteOptions::read(request);
        if self.is_aborting {
            // Without a number: front ends would show that of the cell that failed beside each that did not run.
            let content = json!({
                "status": "error",
                "ename": "ExecutionAborted",
                "evalue": "",
                "traceback": [],
                "payload": [],
            });
            return self.reply(request, "execute_reply", content);
        }
        self.last_cell = Some(Rc::clone(request));
        let output = Rc::new(CellOutput::new(self.wiring.clone(), Rc::clone(request), cell.is_silent, may_ask));
        let outcome = self.engine.run(&cell, output.clone());
        let mut content = match &outcome.error {
            Some(error) => {
                if stops_on_error {
                    self.is_aborting = true;
                    self.outbox.post(Outbound::Fence);
                }
                with_status("error", error_content(error))
            }
            None => json!({"status": "ok", "user_expressions": self.evaluate(&expressions, &output)}),
        };
        // A silent request has no number of its own and is told the last one.
        content["execution_count"] = if cell.is_silent { self.engine.next_number() - 1 } else { outcome.number }.into();
        content["payload"] = payload(&outcome);
        let mut reply = Outgoing::new("execute_reply", &request.parent, content);
        if let Some(account) = outcome.account {
            reply.metadata = json!({"cellhold": account});
        }
        self.send(request, &reply);
    }

    /// What the front end wants to know besides; an expression that fails is no failure of the cell.
    fn evaluate(&mut self, expressions: &Map<String, Value>, output: &Rc<CellOutput>) -> Value {
        let mut values = Map::new();
        for (name, source) in expressions {
            let value = match self.engine.evaluate(source.as_str().unwrap_or_default(), output.clone()) {
                Ok(bundle) => json!({"status": "ok", "data": bundle.data, "metadata": bundle.metadata}),
                Err(error) => with_status("error", error_content(&error)),
            };
            values.insert(name.clone(), value);
        }
        Value::Object(values)
    }

    fn complete(&mut self, request: &Request) -> Value {
        let (source, cursor) = place(&request.content);
        let found = self.engine.complete(source, cursor);
        let start = code_points_before(source, found.start);
        let end = code_points_before(source, found.end);
        let matches: Vec<&str> = found.matches.iter().map(|item| item.text.as_str()).collect();
        let types: Vec<Value> = found
            .matches
            .iter()
            .map(|item| {
                json!({"start": start, "end": end, "text": item.text, "type": item.kind, "signature": item.signature})
            })
            .collect();
        json!({
            "status": "ok",
            "matches": matches,
            "cursor_start": start,
            "cursor_end": end,
            "metadata": {"_jupyter_types_experimental": types},
        })
    }

    fn inspect(&mut self, request: &Request) -> Value {
        let (source, cursor) = place(&request.content);
        let detail = request.content.get("detail_level").and_then(Value::as_u64).unwrap_or(0);
        let bundle = self.engine.inspect(source, cursor, u8::from(detail > 0));
        let is_found = bundle.is_some();
        let bundle = bundle.unwrap_or_default();
        json!({"status": "ok", "found": is_found, "data": bundle.data, "metadata": bundle.metadata})
    }

    fn completeness(&self, request: &Request) -> Value {
        match self.engine.is_complete(text(&request.content, "code")) {
            Completeness::Complete => json!({"status": "complete"}),
            Completeness::Incomplete { indent } => json!({"status": "incomplete", "indent": indent}),
            Completeness::Invalid => json!({"status": "invalid"}),
        }
    }

    fn history(&self, request: &Request) -> Value {
        let with_output = request.content.get("output").and_then(Value::as_bool).unwrap_or(false);
        let rows = self.engine.history(&history_query(&request.content)).into_iter().map(|entry| match with_output {
            true => json!([entry.session, entry.number, [entry.source, entry.output]]),
            false => json!([entry.session, entry.number, entry.source]),
        });
        json!({"status": "ok", "history": rows.collect::<Vec<Value>>()})
    }
}

/// The content of an `execute_request`, with the protocol's defaults.
struct ExecuteOptions {
    cell: Cell,
    may_ask: bool,
    stops_on_error: bool,
    expressions: Map<String, Value>,
}

impl ExecuteOptions {
    fn read(request: &Request) -> ExecuteOptions {
        let content = &request.content;
        let flag = |key: &str, default: bool| content.get(key).and_then(Value::as_bool).unwrap_or(default);
        let is_silent = flag("silent", false);
        let cell = Cell {
            source: text(content, "code").to_owned(),
            is_silent,
            stores_history: !is_silent && flag("store_history", true),
        };
        ExecuteOptions {
            cell,
            may_ask: flag("allow_stdin", true),
            stops_on_error: flag("stop_on_error", true),
            expressions: content.get("user_expressions").and_then(Value::as_object).cloned().unwrap_or_default(),
        }
    }
}

/// What the front end is to do besides showing output.
fn payload(outcome: &Outcome) -> Value {
    let shown = outcome.payloads.iter().map(|payload| match payload {
        Payload::Page(bundle) => json!({"source": "page", "data": bundle.data, "start": 0}),
        Payload::NextInput { text, replace } => json!({"source": "set_next_input", "text": text, "replace": replace}),
    });
    let exit = outcome.exit.map(|_| json!({"source": "ask_exit", "keepkernel": false}));
    shown.chain(exit).collect()
}

fn history_query(content: &Map<String, Value>) -> HistoryQuery {
    let number = |key: &str| content.get(key).and_then(Value::as_i64);
    let line = |key: &str| number(key).map(|line| u32::try_from(line.max(0)).unwrap_or(u32::MAX));
    let count = number("n").map(|count| usize::try_from(count).unwrap_or(0));
    match text(content, "hist_access_type") {
        "range" => HistoryQuery::Range {
            session: number("session").unwrap_or(0),
            start: line("start").unwrap_or(1),
            stop: line("stop"),
        },
        "search" => HistoryQuery::Search {
            pattern: content.get("pattern").and_then(Value::as_str).unwrap_or("*").to_owned(),
            count,
            is_unique: content.get("unique").and_then(Value::as_bool).unwrap_or(false),
        },
        _ => HistoryQuery::Tail { count: count.unwrap_or(10) },
    }
}

fn text<'a>(content: &'a Map<String, Value>, key: &str) -> &'a str {
    content.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The code and the cursor of a completion or inspection; without a cursor, its end.
fn place(content: &Map<String, Value>) -> (&str, usize) {
    let source = text(content, "code");
    (source, byte_of(source, content.get("cursor_pos").and_then(Value::as_u64).unwrap_or(u64::MAX)))
}

fn with_status(status: &str, mut content: Value) -> Value {
    content["status"] = status.into();
    content
}
