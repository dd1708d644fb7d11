//! The control channel: what must be answered while a cell runs. It never waits for the executor.

use super::info::kernel_info;
use super::interrupt::Interrupter;
use super::iopub::Iopub;
use super::log::log;
use super::mailbox::{Mailbox, Wake};
use super::message::{self, Encoder, Outgoing, Request};
use super::shell::{Work, receive, send};
use super::usage::UsageReader;
use crate::session::Snapshots;
use serde_json::{Value, json};
use std::sync::Arc;

/// Why the kernel ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A front end asked for it.
    Requested,
    /// SIGTERM.
    Terminated,
    /// The process that started us is gone.
    Orphaned,
    /// A thread of the kernel cannot go on.
    Broken,
}

/// The owner of the control socket.
pub struct Control {
    /// The bound socket.
    pub socket: zmq::Socket,
    /// Checks and signs.
    pub encoder: Arc<Encoder>,
    /// The broadcast channel.
    pub iopub: Arc<Iopub>,
    /// Ends the running cell.
    pub interrupter: Arc<Interrupter>,
    /// Where the end of the kernel is asked for.
    pub stop: Arc<Mailbox<Stop>>,
    /// The session's figures as it last published them.
    pub snapshots: Snapshots,
    /// What the executor does next.
    pub work: Arc<Mailbox<Work>>,
    /// Set when the kernel ends.
    pub closing: Arc<Wake>,
}

fn usage_error(fault: &str) -> Value {
    json!({"status": "error", "ename": "UsageError", "evalue": fault, "traceback": []})
}

impl Control {
    /// The thread's body.
    pub fn run(self) -> zmq::Result<()> {
        let mut usage = UsageReader::new();
        loop {
            let mut items =
                [self.socket.as_poll_item(zmq::POLLIN), zmq::PollItem::from_fd(self.closing.descriptor(), zmq::POLLIN)];
            match zmq::poll(&mut items, -1) {
                Ok(_) | Err(zmq::Error::EINTR) => {}
                Err(error) => return Err(error),
            }
            if items[1].is_readable() {
                return Ok(());
            }
            while let Some(frames) = receive(&self.socket)? {
                match message::decode(frames, self.encoder.signer()) {
                    Ok(request) => self.answer(&request, &mut usage),
                    Err(why) => log(&format!("control: message dropped: {why}")),
                }
            }
        }
    }

    fn answer(&self, request: &Request, usage: &mut UsageReader) {
        self.iopub.status(&request.parent, "busy");
        match request.kind.as_str() {
            "kernel_info_request" => self.reply(request, "kernel_info_reply", kernel_info()),
            "interrupt_request" => {
                self.interrupter.interrupt();
                self.reply(request, "interrupt_reply", json!({"status": "ok"}));
            }
            "usage_request" => {
                // The running cell publishes a fresh snapshot when it can; the answer does not wait for it.
                self.snapshots.request();
                self.reply(request, "usage_reply", usage.read(self.snapshots.memory()));
            }
            // Our own: `{"line": "x Out[3]"}`, what would follow `%free`. It is done when the running cell has ended, at
            // once when none runs; `usage_reply` tells how far it has come.
            "cellhold_free_request" => {
                let content = match request.content.get("line").and_then(Value::as_str).map(str::trim) {
                    Some(line) if !line.is_empty() => {
                        let id = self.snapshots.ask_free(line);
                        self.work.post(Work::Frees);
                        json!({"status": "ok", "id": id, "state": "pending"})
                    }
                    _ => usage_error("content.line says what to let go of, as after %free"),
                };
                self.reply(request, "cellhold_free_reply", content);
            }
            // Our own: `{"line": "x"}`, what would follow `%mem`; answered from the last snapshot, with its age.
            "cellhold_mem_request" => {
                let line = request.content.get("line").and_then(Value::as_str).unwrap_or("");
                let content = match self.snapshots.explain(line) {
                    Ok(answer) => {
                        let mut content = answer.json();
                        content["status"] = "ok".into();
                        content
                    }
                    Err(fault) => usage_error(&fault),
                };
                self.reply(request, "cellhold_mem_reply", content);
            }
            "shutdown_request" => {
                let restart = request.content.get("restart").and_then(Value::as_bool).unwrap_or(false);
                let content = json!({"status": "ok", "restart": restart});
                self.iopub.send(Outgoing::new("shutdown_reply", &request.parent, content.clone()));
                self.reply(request, "shutdown_reply", content);
                self.iopub.status(&request.parent, "idle");
                self.stop.post(Stop::Requested);
                return;
            }
            // Debugging and subshells are not offered, and a kernel without them does not answer (JEP 91).
            other => log(&format!("control: no answer to {other:?}")),
        }
        self.iopub.status(&request.parent, "idle");
    }

    fn reply(&self, request: &Request, kind: &'static str, content: Value) {
        let frames = self.encoder.encode(&request.identities, &Outgoing::new(kind, &request.parent, content));
        send(&self.socket, frames);
    }
}
