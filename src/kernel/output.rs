//! What a running cell shows and asks, turned into messages of its request.

use super::capture::Capture;
use super::engine::Bundle;
use super::interrupt::Interrupter;
use super::iopub::{Iopub, Stream};
use super::message::{Outgoing, Request};
use super::stdin::{NoAnswer, Stdin};
use serde_json::{Value, json};
use std::time::Duration;

/// Displays waiting to be sent, above which the cell waits for them: nothing of it may be lost or pile up.
const DISPLAYS_QUEUED: usize = 500;

/// The front end of one request.
pub struct CellOutput<'a> {
    iopub: &'a Iopub,
    stdin: &'a Stdin,
    interrupter: &'a Interrupter,
    capture: Option<&'a Capture>,
    request: &'a Request,
    number: u64,
    is_silent: bool,
    may_ask: bool,
    payload: Vec<Value>,
}

/// Why `input()` has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputError {
    /// The front end said that it cannot be asked.
    NotAllowed,
    /// It was asked and gave none.
    NoAnswer(NoAnswer),
}

/// What an output belongs to.
pub struct Wiring<'a> {
    /// The broadcast channel.
    pub iopub: &'a Iopub,
    /// The channel for questions.
    pub stdin: &'a Stdin,
    /// Ends waits.
    pub interrupter: &'a Interrupter,
    /// Text of native code, if it is captured.
    pub capture: Option<&'a Capture>,
}

impl<'a> CellOutput<'a> {
    /// The output of a request that runs as cell `number`.
    pub fn new(wiring: Wiring<'a>, request: &'a Request, number: u64, is_silent: bool, may_ask: bool) -> Self {
        let Wiring { iopub, stdin, interrupter, capture } = wiring;
        CellOutput { iopub, stdin, interrupter, capture, request, number, is_silent, may_ask, payload: Vec::new() }
    }

    /// Text for `stdout` or `stderr`.
    pub fn text(&mut self, stream: Stream, text: &str) {
        self.iopub.text(&self.request.parent, stream, text);
    }

    /// The value of the cell; nothing when the request is silent.
    pub fn result(&mut self, data: Bundle, metadata: Value) {
        if !self.is_silent {
            let content = json!({"execution_count": self.number, "data": data, "metadata": metadata});
            self.send("execute_result", content);
        }
    }

    /// A displayed value; one with an `id` can be replaced later.
    pub fn display(&mut self, data: Bundle, metadata: Value, id: Option<&str>, is_update: bool) {
        self.wait_for_room();
        let transient = id.map_or_else(|| json!({}), |id| json!({"display_id": id}));
        let kind = if is_update { "update_display_data" } else { "display_data" };
        self.send(kind, json!({"data": data, "metadata": metadata, "transient": transient}));
    }

    /// Takes away what the cell has shown; with `wait`, when something new is shown.
    pub fn clear(&mut self, wait: bool) {
        self.wait_for_room();
        self.send("clear_output", json!({"wait": wait}));
    }

    /// Text that the front end shows beside the cells, as for help.
    pub fn page(&mut self, data: Bundle) {
        self.payload.push(json!({"source": "page", "data": data, "start": 0}));
    }

    /// Text that the front end puts into the next cell, or into this one.
    pub fn next_input(&mut self, text: &str, replace: bool) {
        self.payload.push(json!({"source": "set_next_input", "text": text, "replace": replace}));
    }

    /// Asks the user for a line.
    pub fn read_line(&mut self, prompt: &str, is_password: bool) -> Result<String, InputError> {
        if !self.may_ask {
            return Err(InputError::NotAllowed);
        }
        self.drain();
        let Request { identities, parent, .. } = self.request;
        self.stdin.ask(identities, parent, prompt, is_password).map_err(InputError::NoAnswer)
    }

    /// What native code has written so far comes before what follows.
    pub fn drain(&self) {
        if let Some(capture) = self.capture {
            capture.drain();
        }
    }

    /// The payload of the reply.
    pub fn into_payload(self) -> Vec<Value> {
        self.payload
    }

    fn send(&mut self, kind: &'static str, content: Value) {
        self.drain();
        self.iopub.send(Outgoing::new(kind, &self.request.parent, content));
    }

    /// A cell that shows faster than a notebook takes in is slowed down, until it is interrupted.
    fn wait_for_room(&self) {
        if self.iopub.queued() < DISPLAYS_QUEUED {
            return;
        }
        let flushed = self.iopub.flush();
        while flushed.recv_timeout(Duration::from_millis(20)) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            if self.interrupter.is_interrupted() {
                return;
            }
        }
    }
}
