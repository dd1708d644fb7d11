//! `input()`: asks the front end that sent the running cell, and waits for its answer or an interrupt.
//!
//! The executor owns this socket, since only a running cell asks.

use super::interrupt::Interrupter;
use super::iopub::Iopub;
use super::log::log;
use super::message::{self, Encoder, Outgoing, Parent};
use crate::session::ReadLineError;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The stdin ROUTER.
pub struct Stdin {
    socket: zmq::Socket,
    encoder: Arc<Encoder>,
    iopub: Arc<Iopub>,
    interrupter: Arc<Interrupter>,
}

impl Stdin {
    /// Takes over a bound socket.
    pub fn new(socket: zmq::Socket, encoder: Arc<Encoder>, iopub: Arc<Iopub>, interrupter: Arc<Interrupter>) -> Stdin {
        Stdin { socket, encoder, iopub, interrupter }
    }

    /// Sends the question to the sender of the request and waits for a line.
    pub fn ask(
        &self,
        identities: &[Vec<u8>],
        parent: &Parent,
        prompt: &str,
        password: bool,
    ) -> Result<String, ReadLineError> {
        // What the cell has printed is seen before it asks. The limit only guards against a front end that hangs.
        let _ = self.iopub.flush().recv_timeout(Duration::from_secs(1));
        while self.socket.recv_multipart(zmq::DONTWAIT).is_ok() {}
        let question = Outgoing::new("input_request", parent, json!({"prompt": prompt, "password": password}));
        let frames = self.encoder.encode(identities, &question);
        self.socket.send_multipart(frames, 0).map_err(|_| ReadLineError::End)?;
        loop {
            let mut items = [
                self.socket.as_poll_item(zmq::POLLIN),
                zmq::PollItem::from_fd(self.interrupter.descriptor(), zmq::POLLIN),
            ];
            match zmq::poll(&mut items, -1) {
                Ok(_) | Err(zmq::Error::EINTR) => {}
                Err(_) => return Err(ReadLineError::End),
            }
            let [answered, interrupted] = items.map(|item| item.is_readable());
            if interrupted {
                return Err(ReadLineError::Interrupted);
            }
            if answered && let Some(line) = self.receive() {
                return if line == "\u{4}" { Err(ReadLineError::End) } else { Ok(line) };
            }
        }
    }

    fn receive(&self) -> Option<String> {
        let frames = self.socket.recv_multipart(zmq::DONTWAIT).ok()?;
        let reply = message::decode(frames, self.encoder.signer()).map_err(|why| log(&format!("stdin: {why}"))).ok()?;
        match reply.content.get("value") {
            Some(Value::String(line)) if reply.kind == "input_reply" => Some(line.clone()),
            _ => None,
        }
    }
}
