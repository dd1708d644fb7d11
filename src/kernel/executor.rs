//! The thread that runs cells: takes requests in order, brackets each in busy and idle, and answers it.
//!
//! After a cell fails, the execute requests that were already received are answered without running, up to the fence.

use super::capture::{Capture, CurrentParent};
use super::control::Stop;
use super::engine::{Cell, Completeness, Engine, Failure, Outcome};
use super::history::History;
use super::info::kernel_info;
use super::interrupt::Interrupter;
use super::iopub::Iopub;
use super::log::log;
use super::mailbox::Mailbox;
use super::message::{Encoder, Outgoing, Request};
use super::output::{CellOutput, Wiring};
use super::shell::{Outbound, Work};
use super::stdin::Stdin;
use super::text::{byte_of, code_points_before};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Everything the executor's thread owns or shares.
pub struct Executor<E> {
    /// What runs cells.
    pub engine: E,
    /// Signs replies.
    pub encoder: Arc<Encoder>,
    /// The broadcast channel.
    pub iopub: Arc<Iopub>,
    /// The channel for questions.
    pub stdin: Stdin,
    /// Ends the running cell.
    pub interrupter: Arc<Interrupter>,
    /// Text of native code, if it is captured.
    pub capture: Option<Arc<Capture>>,
    /// Whom such text belongs to.
    pub current: Arc<CurrentParent>,
    /// Where requests come from.
    pub work: Arc<Mailbox<Work>>,
    /// Where replies go.
    pub outbox: Arc<Mailbox<Outbound>>,
    /// Where the end of the kernel is asked for.
    pub stop: Arc<Mailbox<Stop>>,
    /// Past cells.
    pub history: History,
    /// Whether execute requests are answered without running, until the fence.
    pub is_aborting: bool,
}

impl<E: Engine> Executor<E> {
    /// The thread's body.
    pub fn run(mut self) {
        loop {
            match self.work.wait() {
                Work::Request(request) => self.answer(&request),
                Work::Fence => self.is_aborting = false,
                Work::Quit => return,
            }
        }
    }

    fn answer(&mut self, request: &Request) {
        self.current.set(&request.parent);
        if request.kind == "execute_request" {
            // Before anybody is told that it runs.
            self.interrupter.begin(self.engine.trigger());
        }
        self.iopub.status(&request.parent, "busy");
        let ran = match request.kind.as_str() {
            "execute_request" => self.execute(request),
            "complete_request" => self.reply(request, "complete_reply", |this| this.complete(request)),
            "inspect_request" => self.reply(request, "inspect_reply", |this| this.inspect(request)),
            "is_complete_request" => self.reply(request, "is_complete_reply", |this| this.completeness(request)),
            "history_request" => self.reply(request, "history_reply", |this| this.history.answer(&request.content)),
            "kernel_info_request" => self.reply(request, "kernel_info_reply", |_| kernel_info()),
            "comm_info_request" => self.reply(request, "comm_info_reply", |_| json!({"status": "ok", "comms": {}})),
            "comm_open" => self.refuse_comm(request),
            // About a comm that was refused.
            "comm_msg" | "comm_close" => None,
            "shutdown_request" => {
                let restart = request.content.get("restart").cloned().unwrap_or(Value::Bool(false));
                self.stop.post(Stop::Requested);
                self.reply(request, "shutdown_reply", |_| json!({"status": "ok", "restart": restart}))
            }
            other => {
                log(&format!("shell: no answer to {other:?}"));
                None
            }
        };
        self.interrupter.end();
        if let Some(capture) = &self.capture {
            capture.drain();
        }
        self.iopub.status(&request.parent, "idle");
        // Nobody waits for the disk.
        if let Some(Ran { number, source, result_text }) = ran {
            self.history.record(number, &source, result_text.as_deref());
        }
    }

    fn reply(
        &mut self,
        request: &Request,
        kind: &'static str,
        content: impl FnOnce(&mut Self) -> Value,
    ) -> Option<Ran> {
        let content = content(self);
        self.send(request, Outgoing::new(kind, &request.parent, content));
        None
    }

    fn send(&self, request: &Request, reply: Outgoing) {
        self.outbox.post(Outbound::Send(self.encoder.encode(&request.identities, &reply)));
    }

    fn refuse_comm(&self, request: &Request) -> Option<Ran> {
        if let Some(id) = request.content.get("comm_id") {
            self.iopub.send(Outgoing::new("comm_close", &request.parent, json!({"comm_id": id, "data": {}})));
        }
        None
    }

    /// Runs a cell; answers what the history is to keep of it.
    fn execute(&mut self, request: &Request) -> Option<Ran> {
        let options = ExecuteOptions::read(&request.content);
        let number = self.engine.cell_number() + u64::from(options.is_stored);
        if self.is_aborting {
            let failure = Failure { name: "ExecutionAborted".into(), message: String::new(), traceback: Vec::new() };
            self.send_execute_reply(request, number, json!({}), Err(&failure), Vec::new(), Map::new());
            return None;
        }
        if !options.is_silent {
            let content = json!({"code": options.source, "execution_count": number});
            self.iopub.send(Outgoing::new("execute_input", &request.parent, content));
        }
        let (outcome, expressions, payload) = self.run_cell(request, &options, number);
        let Outcome { failure, result_text, metadata } = outcome;
        if let Some(failure) = &failure {
            let content = error_content(failure);
            self.iopub.send(Outgoing::new("error", &request.parent, content));
            if options.stops_on_error {
                self.is_aborting = true;
                self.outbox.post(Outbound::Fence);
            }
        }
        let status = failure.as_ref().map_or(Ok(()), Err);
        self.send_execute_reply(request, number, expressions, status, payload, metadata);
        options.is_stored.then(|| Ran { number, source: options.source, result_text })
    }

    fn run_cell(&mut self, request: &Request, options: &ExecuteOptions, number: u64) -> (Outcome, Value, Vec<Value>) {
        let wiring = Wiring {
            iopub: &self.iopub,
            stdin: &self.stdin,
            interrupter: &self.interrupter,
            capture: self.capture.as_deref(),
        };
        let mut output = CellOutput::new(wiring, request, number, options.is_silent, options.may_ask);
        let cell = Cell {
            source: &options.source,
            is_stored: options.is_stored,
            is_silent: options.is_silent,
            cell_id: request.metadata.get("cellId").and_then(Value::as_str),
        };
        let outcome = self.engine.execute(cell, &mut output);
        let mut expressions = Map::new();
        if outcome.failure.is_none() {
            for (name, source) in &options.expressions {
                let source = source.as_str().unwrap_or_default();
                let value = match self.engine.evaluate(source, &mut output) {
                    Ok(data) => json!({"status": "ok", "data": data, "metadata": {}}),
                    Err(failure) => with_status("error", error_content(&failure)),
                };
                expressions.insert(name.clone(), value);
            }
        }
        output.drain();
        (outcome, Value::Object(expressions), output.into_payload())
    }

    fn send_execute_reply(
        &self,
        request: &Request,
        number: u64,
        expressions: Value,
        status: Result<(), &Failure>,
        payload: Vec<Value>,
        metadata: Map<String, Value>,
    ) {
        let mut content = match status {
            Ok(()) => json!({"status": "ok", "user_expressions": expressions}),
            Err(failure) => with_status("error", error_content(failure)),
        };
        content["execution_count"] = number.into();
        content["payload"] = payload.into();
        let mut reply = Outgoing::new("execute_reply", &request.parent, content);
        reply.metadata = Value::Object(metadata);
        self.send(request, reply);
    }

    fn complete(&mut self, request: &Request) -> Value {
        let (source, cursor) = place(&request.content);
        let found = self.engine.complete(source, cursor);
        let start = code_points_before(source, found.start);
        let end = code_points_before(source, found.end);
        let matches: Vec<&str> = found.items.iter().map(|item| item.text.as_str()).collect();
        let types: Vec<Value> = found
            .items
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
        let is_detailed = request.content.get("detail_level").and_then(Value::as_u64).unwrap_or(0) > 0;
        let data = self.engine.inspect(source, cursor, is_detailed);
        json!({"status": "ok", "found": data.is_some(), "data": data.unwrap_or_default(), "metadata": {}})
    }

    fn completeness(&mut self, request: &Request) -> Value {
        match self.engine.completeness(text(&request.content, "code")) {
            Completeness::Complete => json!({"status": "complete"}),
            Completeness::Incomplete(indent) => json!({"status": "incomplete", "indent": indent}),
            Completeness::Invalid => json!({"status": "invalid"}),
        }
    }
}

/// A cell that ran and is to be remembered.
struct Ran {
    number: u64,
    source: String,
    result_text: Option<String>,
}

/// The content of an `execute_request`, with the protocol's defaults.
struct ExecuteOptions {
    source: String,
    is_silent: bool,
    is_stored: bool,
    may_ask: bool,
    stops_on_error: bool,
    expressions: Map<String, Value>,
}

impl ExecuteOptions {
    fn read(content: &Map<String, Value>) -> ExecuteOptions {
        let flag = |key: &str, default: bool| content.get(key).and_then(Value::as_bool).unwrap_or(default);
        let is_silent = flag("silent", false);
        ExecuteOptions {
            source: text(content, "code").to_owned(),
            is_silent,
            is_stored: !is_silent && flag("store_history", true),
            may_ask: flag("allow_stdin", true),
            stops_on_error: flag("stop_on_error", true),
            expressions: content.get("user_expressions").and_then(Value::as_object).cloned().unwrap_or_default(),
        }
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

fn error_content(failure: &Failure) -> Value {
    json!({"ename": failure.name, "evalue": failure.message, "traceback": failure.traceback})
}

fn with_status(status: &str, mut content: Value) -> Value {
    content["status"] = status.into();
    content
}
