//! What a running cell shows and asks, turned into messages of its request: the notebook as the session's front end.

use super::capture::Capture;
use super::interrupt::Interrupter;
use super::iopub::Iopub;
use super::message::{Outgoing, Request};
use super::stdin::Stdin;
use crate::display::{MimeBundle, to_ansi, to_html, to_plain};
use crate::session::{CellError, CellEvent, Frontend, FrontendGone, ReadLineError};
use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Displays waiting to be sent, above which the cell waits for them: nothing of it may be lost or pile up.
const DISPLAYS_QUEUED: usize = 500;
/// Columns of a notebook's text output.
const WIDTH: usize = 100;

/// What all requests share.
#[derive(Clone)]
pub struct Wiring {
    /// The broadcast channel.
    pub iopub: Arc<Iopub>,
    /// The channel for questions.
    pub stdin: Rc<Stdin>,
    /// Ends waits.
    pub interrupter: Arc<Interrupter>,
    /// Text of native code, if it is captured.
    pub capture: Option<Arc<Capture>>,
}

/// The front end of one request.
pub struct CellOutput {
    wiring: Wiring,
    request: Rc<Request>,
    is_silent: bool,
    may_ask: bool,
}

impl CellOutput {
    /// The output of `request`.
    pub fn new(wiring: Wiring, request: Rc<Request>, is_silent: bool, may_ask: bool) -> CellOutput {
        CellOutput { wiring, request, is_silent, may_ask }
    }

    fn send(&self, kind: &'static str, content: Value) {
        self.drain();
        self.wiring.iopub.send(Outgoing::new(kind, &self.request.parent, content));
    }

    fn display(&self, bundle: MimeBundle, id: Option<&str>, is_update: bool) {
        self.wait_for_room();
        let transient = id.map_or_else(|| json!({}), |id| json!({"display_id": id}));
        let kind = if is_update { "update_display_data" } else { "display_data" };
        self.send(kind, json!({"data": bundle.data, "metadata": bundle.metadata, "transient": transient}));
    }

    /// What native code has written so far comes before what follows.
    fn drain(&self) {
        if let Some(capture) = &self.wiring.capture {
            capture.drain();
        }
    }

    /// A cell that shows faster than a notebook takes in is slowed down, until it is interrupted.
    fn wait_for_room(&self) {
        if self.wiring.iopub.queued() < DISPLAYS_QUEUED {
            return;
        }
        let flushed = self.wiring.iopub.flush();
        while flushed.recv_timeout(Duration::from_millis(20)) == Err(RecvTimeoutError::Timeout) {
            if self.wiring.interrupter.is_interrupted() {
                return;
            }
        }
    }
}

impl Frontend for CellOutput {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        match event {
            CellEvent::Started { number, source } => {
                if !self.is_silent {
                    self.send("execute_input", json!({"code": source, "execution_count": number}));
                }
            }
            CellEvent::Text { stream, text } => self.wiring.iopub.text(&self.request.parent, stream, &text),
            CellEvent::Result { number, bundle } => {
                if !self.is_silent {
                    let MimeBundle { data, metadata } = bundle;
                    self.send("execute_result", json!({"execution_count": number, "data": data, "metadata": metadata}));
                }
            }
            CellEvent::Display { bundle, id, is_update } => self.display(bundle, id.as_deref(), is_update),
            CellEvent::Clear { wait } => {
                self.wait_for_room();
                self.send("clear_output", json!({"wait": wait}));
            }
            CellEvent::Error(error) => self.send("error", error_content(&error)),
            CellEvent::Notice(markup) => {
                let text = to_plain(&markup.clone().flowing(), WIDTH);
                self.display(MimeBundle::plain(text).with("text/html", to_html(&markup)), None, false);
            }
        }
        Ok(())
    }

    fn read_line(&self, prompt: &str, hidden: bool) -> Result<String, ReadLineError> {
        if !self.may_ask {
            return Err(ReadLineError::NotSupported);
        }
        self.drain();
        self.wiring.stdin.ask(&self.request.identities, &self.request.parent, prompt, hidden)
    }

    fn width(&self) -> usize {
        WIDTH
    }
}

/// An error as the wire tells it; the traceback is coloured as terminals understand.
pub fn error_content(error: &CellError) -> Value {
    let text = to_ansi(&error.markup, WIDTH);
    let traceback: Vec<&str> = text.lines().collect();
    json!({"ename": error.class, "evalue": error.message, "traceback": traceback})
}
