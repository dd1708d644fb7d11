//! The broadcast channel: one ordered queue from every thread, and the thread that owns the XPUB socket.
//!
//! Small texts are joined for at most 50 ms. Text beyond the [`Governor`]'s budget is left out and counted, at the
//! producer's side too, so that an endless loop of prints costs no memory. Nothing else is ever dropped: displays are
//! spaced, and status, results, errors and comm messages go at once. Subscribers are welcomed (protocol 5.4).

use super::governor::{Elision, Governor};
use super::mailbox::Mailbox;
use super::message::{Encoder, Outgoing, Parent};
use crate::session::Stream;
use serde_json::json;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::{Duration, Instant};

/// How long text may wait for more text.
const JOINING: Duration = Duration::from_millis(50);
/// Text of one message, at most.
const TEXT_PER_MESSAGE_BYTES: usize = 64 * 1024;
/// Text waiting in the queue, at most; more is left out and counted.
const TEXT_QUEUED_BYTES: usize = 2 * 1024 * 1024;

/// The sending side, shared by all threads.
pub struct Iopub {
    mailbox: Mailbox<Item>,
    text_queued: AtomicUsize,
}

enum Item {
    Text(Text),
    Message(Outgoing),
    Flush(SyncSender<()>),
    Stop,
}

struct Text {
    parent: Parent,
    stream: Stream,
    text: String,
    elided: Elision,
}

impl Text {
    fn new(parent: &Parent, stream: Stream, text: &str, left_out: bool) -> Text {
        let mut elided = Elision::default();
        if left_out {
            elided.add(text);
        }
        let text = if left_out { String::new() } else { text.to_owned() };
        Text { parent: parent.clone(), stream, text, elided }
    }
}

impl Iopub {
    /// An empty queue.
    pub fn new() -> io::Result<Iopub> {
        Ok(Iopub { mailbox: Mailbox::new()?, text_queued: AtomicUsize::new(0) })
    }

    /// `busy`, `idle` or `starting`, on behalf of a request.
    pub fn status(&self, parent: &Parent, state: &str) {
        self.send(Outgoing::new("status", parent, json!({"execution_state": state})));
    }

    /// Any message but text.
    pub fn send(&self, message: Outgoing) {
        self.mailbox.post(Item::Message(message));
    }

    /// Text of a request, joined with what waits already.
    pub fn text(&self, parent: &Parent, stream: Stream, text: &str) {
        if text.is_empty() {
            return;
        }
        let full = self.text_queued.load(Ordering::Relaxed) + text.len() > TEXT_QUEUED_BYTES;
        // With the queue full, the order of the two streams no longer matters: nothing is shown in between.
        let reach = if full { 2 } else { 1 };
        self.mailbox.change(|items| {
            let mut texts = items.iter_mut().rev().take(reach).map_while(|item| match item {
                Item::Text(text) => Some(text),
                _ => None,
            });
            let last = texts.find(|last| last.stream == stream && last.parent == *parent);
            match last {
                Some(last) if full => last.elided.add(text),
                // Behind a gap it would stand at the wrong place, so it gets an item of its own.
                Some(last) if last.elided.bytes == 0 => last.text.push_str(text),
                _ => items.push_back(Item::Text(Text::new(parent, stream, text, full))),
            }
        });
        if !full {
            self.text_queued.fetch_add(text.len(), Ordering::Relaxed);
        }
    }

    /// How many items wait to be sent.
    pub fn queued(&self) -> usize {
        self.mailbox.count()
    }

    /// Asks for everything posted so far to be sent; the receiver hears when it is.
    pub fn flush(&self) -> Receiver<()> {
        let (done, waiting) = mpsc::sync_channel(1);
        self.mailbox.post(Item::Flush(done));
        waiting
    }

    /// Lets the owner of the socket send what is queued, close, and end.
    pub fn stop(&self) {
        self.mailbox.post(Item::Stop);
    }

    fn take(&self) -> Option<Item> {
        let item = self.mailbox.take();
        if let Some(Item::Text(text)) = &item {
            self.text_queued.fetch_sub(text.text.len(), Ordering::Relaxed);
        }
        item
    }
}

/// The owner of the XPUB socket: sends until [`Iopub::stop`].
pub struct Publisher {
    socket: zmq::Socket,
    iopub: Arc<Iopub>,
    encoder: Arc<Encoder>,
    governor: Governor,
    waiting: Vec<Waiting>,
}

/// Text that is held back for a moment; at most one entry for each stream.
struct Waiting {
    text: Text,
    since: Instant,
    ends_in_line: bool,
}

impl Publisher {
    /// A publisher on a bound socket.
    pub fn new(socket: zmq::Socket, iopub: Arc<Iopub>, encoder: Arc<Encoder>) -> Publisher {
        Publisher { socket, iopub, encoder, governor: Governor::new(Instant::now()), waiting: Vec::new() }
    }

    /// The thread's body.
    pub fn run(mut self) -> zmq::Result<()> {
        loop {
            let timeout = self.until_due().map_or(-1, |wait| i64::try_from(wait.as_millis()).unwrap_or(1000) + 1);
            let descriptor = self.iopub.mailbox.descriptor();
            let mut items = [zmq::PollItem::from_fd(descriptor, zmq::POLLIN), self.socket.as_poll_item(zmq::POLLIN)];
            match zmq::poll(&mut items, timeout) {
                Ok(_) | Err(zmq::Error::EINTR) => {}
                Err(error) => return Err(error),
            }
            self.welcome()?;
            let iopub = Arc::clone(&self.iopub);
            while let Some(item) = iopub.take() {
                match item {
                    Item::Text(text) => self.hold(text)?,
                    Item::Message(message) => {
                        self.release_all()?;
                        if matches!(message.kind, "display_data" | "update_display_data" | "clear_output") {
                            let wait = self.governor.pace(Instant::now());
                            self.pause(wait)?;
                        }
                        self.publish(&message)?;
                    }
                    Item::Flush(done) => {
                        self.release_all()?;
                        // Who asked may have given up waiting.
                        let _ = done.send(());
                    }
                    Item::Stop => return self.release_all(),
                }
                if self.until_due().is_some_and(|wait| wait.is_zero()) {
                    self.release_due()?;
                }
            }
            self.release_due()?;
        }
    }

    /// Answers new subscriptions; a welcome reaches exactly those subscribed to that topic.
    fn welcome(&mut self) -> zmq::Result<()> {
        loop {
            let frames = match self.socket.recv_multipart(zmq::DONTWAIT) {
                Ok(frames) => frames,
                Err(zmq::Error::EAGAIN) => return Ok(()),
                Err(zmq::Error::EINTR) => continue,
                Err(error) => return Err(error),
            };
            if let Some([1, topic @ ..]) = frames.first().map(Vec::as_slice) {
                let content = json!({"subscription": String::from_utf8_lossy(topic)});
                let message = Outgoing::new("iopub_welcome", &Parent::none(), content);
                self.send(topic.to_vec(), &message)?;
            }
        }
    }

    fn hold(&mut self, text: Text) -> zmq::Result<()> {
        let now = Instant::now();
        let foreign = |waiting: &Waiting| waiting.text.parent != text.parent;
        let other = |waiting: &Waiting| waiting.text.stream != text.stream;
        // Scarce messages: the two streams are joined apart, at the price of their order among each other.
        if self.waiting.iter().any(foreign) || (self.waiting.iter().any(other) && !self.governor.is_pressed(now)) {
            self.release_all()?;
        }
        match self.waiting.iter_mut().find(|waiting| waiting.text.stream == text.stream) {
            Some(waiting) if waiting.text.elided.bytes == 0 => {
                waiting.text.text.push_str(&text.text);
                waiting.text.elided = text.elided;
            }
            Some(waiting) => {
                waiting.text.elided.add(&text.text);
                waiting.text.elided.merge(text.elided);
            }
            None => self.waiting.push(Waiting { text, since: now, ends_in_line: true }),
        }
        let full = self.waiting.iter().position(|waiting| waiting.text.text.len() >= TEXT_PER_MESSAGE_BYTES);
        full.map_or(Ok(()), |position| self.release(position, false))
    }

    /// How long until held text is due.
    fn until_due(&mut self) -> Option<Duration> {
        let now = Instant::now();
        let resumes = self.governor.resumes(now).unwrap_or_default();
        let due = self.waiting.iter().map(|waiting| {
            let joined = JOINING.saturating_sub(now.saturating_duration_since(waiting.since));
            if waiting.text.text.is_empty() { joined.max(resumes) } else { joined }
        });
        due.min()
    }

    fn release_due(&mut self) -> zmq::Result<()> {
        let now = Instant::now();
        let resumed = self.governor.resumes(now).is_none();
        for position in (0..self.waiting.len()).rev() {
            let waiting = &self.waiting[position];
            if now.saturating_duration_since(waiting.since) >= JOINING && (resumed || !waiting.text.text.is_empty()) {
                self.release(position, resumed)?;
            }
        }
        Ok(())
    }

    fn release_all(&mut self) -> zmq::Result<()> {
        while !self.waiting.is_empty() {
            self.release(0, true)?;
        }
        Ok(())
    }

    /// Sends what the budget admits of one held text. `closing` also sends the notice of what is left out.
    fn release(&mut self, position: usize, closing: bool) -> zmq::Result<()> {
        let now = Instant::now();
        let Waiting { text: Text { parent, stream, mut text, elided: left_out_behind }, mut ends_in_line, .. } =
            self.waiting.remove(position);
        let rest = text.split_off(self.governor.admit(&text, now));
        let mut elided = Elision::default();
        elided.add(&rest);
        elided.merge(left_out_behind);
        if !text.is_empty() {
            ends_in_line = text.ends_with('\n');
        }
        if elided.bytes > 0 && closing {
            let notice = format!("{}{}", if ends_in_line { "" } else { "\n" }, elided.notice());
            self.governor.pay(&notice, now);
            text.push_str(&notice);
        } else if elided.bytes > 0 {
            let held = Text { parent: parent.clone(), stream, text: String::new(), elided };
            self.waiting.insert(position, Waiting { text: held, since: now, ends_in_line });
        }
        if text.is_empty() {
            return Ok(());
        }
        self.publish(&Outgoing::new("stream", &parent, json!({"name": name_of(stream), "text": text})))
    }

    /// Waits without leaving new subscribers unanswered.
    fn pause(&mut self, wait: Duration) -> zmq::Result<()> {
        let end = Instant::now() + wait;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            let milliseconds = i64::try_from(left.as_millis()).unwrap_or(1000).max(1);
            match self.socket.poll(zmq::POLLIN, milliseconds) {
                Ok(_) | Err(zmq::Error::EINTR) => self.welcome()?,
                Err(error) => return Err(error),
            }
        }
    }

    fn publish(&self, message: &Outgoing) -> zmq::Result<()> {
        self.send(format!("kernel.{}.{}", self.encoder.session(), message.kind).into_bytes(), message)
    }

    /// An XPUB socket never blocks: a subscriber that is too slow misses messages.
    fn send(&self, topic: Vec<u8>, message: &Outgoing) -> zmq::Result<()> {
        self.socket.send_multipart(self.encoder.encode(&[topic], message), 0)
    }
}

fn name_of(stream: Stream) -> &'static str {
    match stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
    }
}
