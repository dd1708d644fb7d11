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

/// Between two attempts to reach a front end that is not connected to stdin yet.
const KNOCK_EVERY_MS: i64 = 10;

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
        // What cannot be delivered is an error instead of nothing. Without it a question may be lost, which is no worse than
        // what every ROUTER does by itself.
        let _ = socket.set_router_mandatory(true);
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
        loop {
            match self.socket.send_multipart(frames.clone(), zmq::DONTWAIT) {
                Ok(()) => break,
                // The front end connects its channels one after the other, and a cell may be faster.
                Err(zmq::Error::EHOSTUNREACH | zmq::Error::EAGAIN | zmq::Error::EINTR) => {}
                Err(_) => return Err(ReadLineError::End),
            }
            let mut items = [zmq::PollItem::from_fd(self.interrupter.descriptor(), zmq::POLLIN)];
            let _ = zmq::poll(&mut items, KNOCK_EVERY_MS);
            if items[0].is_readable() {
                return Err(ReadLineError::Interrupted);
            }
        }
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
