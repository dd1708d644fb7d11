//! The shell ROUTER: checks and queues requests for the executor, and sends its replies.
//!
//! It answers nothing itself, so it is always there to receive. When a cell fails, it marks in the queue how far the
//! front end had got: requests before the mark were sent in the belief that the cell would succeed.

use super::log::log;
use super::mailbox::{Mailbox, Wake};
use super::message::{self, Encoder, Request};
use std::sync::Arc;

/// How long the socket must be quiet before what a front end had sent along counts as received.
const QUIET_MS: i64 = 5;
/// At most this many times, whatever keeps arriving.
const QUIET_ATTEMPTS: usize = 10;

/// What the executor does next.
pub enum Work {
    /// Answer this.
    Request(Box<Request>),
    /// Here ends what was received before the failure.
    Fence,
    /// Do the frees that the control channel was asked for, if the cell before has not done them at its end.
    Frees,
    /// End.
    Quit,
}

/// What the executor hands to the socket's owner.
pub enum Outbound {
    /// Send these frames.
    Send(Vec<Vec<u8>>),
    /// Put a [`Work::Fence`] behind everything received.
    Fence,
}

/// The owner of the shell socket.
pub struct Router {
    /// The bound socket.
    pub socket: zmq::Socket,
    /// Checks what is received.
    pub encoder: Arc<Encoder>,
    /// Where requests go.
    pub work: Arc<Mailbox<Work>>,
    /// Where replies come from.
    pub outbox: Arc<Mailbox<Outbound>>,
    /// Set when the kernel ends.
    pub closing: Arc<Wake>,
}

impl Router {
    /// The thread's body.
    pub fn run(self) -> zmq::Result<()> {
        loop {
            let mut items = [
                zmq::PollItem::from_fd(self.outbox.descriptor(), zmq::POLLIN),
                self.socket.as_poll_item(zmq::POLLIN),
                zmq::PollItem::from_fd(self.closing.descriptor(), zmq::POLLIN),
            ];
            match zmq::poll(&mut items, -1) {
                Ok(_) | Err(zmq::Error::EINTR) => {}
                Err(error) => return Err(error),
            }
            let is_closing = items[2].is_readable();
            while let Some(outbound) = self.outbox.take() {
                match outbound {
                    Outbound::Send(frames) => send(&self.socket, frames),
                    Outbound::Fence => self.fence()?,
                }
            }
            if is_closing {
                return Ok(());
            }
            self.receive()?;
        }
    }

    fn fence(&self) -> zmq::Result<()> {
        for _ in 0..QUIET_ATTEMPTS {
            self.receive()?;
            if matches!(self.socket.poll(zmq::POLLIN, QUIET_MS), Ok(0)) {
                break;
            }
        }
        self.work.post(Work::Fence);
        Ok(())
    }

    fn receive(&self) -> zmq::Result<()> {
        while let Some(frames) = receive(&self.socket)? {
            match message::decode(frames, self.encoder.signer()) {
                Ok(request) => self.work.post(Work::Request(Box::new(request))),
                Err(why) => log(&format!("shell: message dropped: {why}")),
            }
        }
        Ok(())
    }
}

/// One message that is already there.
pub fn receive(socket: &zmq::Socket) -> zmq::Result<Option<Vec<Vec<u8>>>> {
    match socket.recv_multipart(zmq::DONTWAIT) {
        Ok(frames) => Ok(Some(frames)),
        Err(zmq::Error::EAGAIN | zmq::Error::EINTR) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Sends a reply; its receiver may have gone, which is no reason to stop.
pub fn send(socket: &zmq::Socket, frames: Vec<Vec<u8>>) {
    if let Err(error) = socket.send_multipart(frames, zmq::DONTWAIT) {
        log(&format!("a reply could not be sent: {error}"));
    }
}
