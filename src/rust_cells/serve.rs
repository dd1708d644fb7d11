//! The server of array requests: it listens, reads requests on threads of their own, and answers them on the evaluator's.

use std::fmt;
use std::io::{self, Read};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::Event;
use crate::arrays::Array;
use crate::arrays::error::OutOfMemory;

/// Connections at a time; the helper makes two.
const CONNECTIONS_MAX: usize = 8;

/// A refusal in words, with the class of the error (`NameError`, `ValueError`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The class, as Python names it.
    pub class: String,
    /// What went wrong and what helps.
    pub message: String,
}

/// What the server needs from the session: names, and what to do when memory runs out.
pub trait Names {
    /// The array that a name of the session is bound to; nothing where there is no such name.
    fn find(&mut self, name: &str) -> Result<Option<Array>, Failure>;
    /// Binds a name of the session to an array, as `name = array` does.
    fn bind(&mut self, name: &str, array: Array) -> Result<(), Failure>;
    /// Makes room after an allocation that did not fit, before it is tried once more.
    fn relieve(&mut self) -> Result<(), Failure>;
    /// The message of an allocation that did not fit: who holds what, and what helps.
    fn explain(&mut self, shortage: &OutOfMemory) -> String;
}

/// The other end of one connection.
#[derive(Debug)]
struct Connection {
    number: u64,
    stream: UnixStream,
}

/// Something that one connection sent, or its end.
pub struct Incoming {
    connection: Arc<Connection>,
    what: What,
    /// Dropped when the request is answered, which lets the connection's thread read the next.
    _done: Option<Sender<()>>,
}

#[derive(Debug)]
enum What {
    Request(Vec<u8>),
    Closed,
}

impl fmt::Debug for Incoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incoming").field("connection", &self.connection.number).field("what", &self.what).finish()
    }
}

/// The server. It lives on the evaluator's thread; dropping it ends all connections and their threads.
#[derive(Debug)]
pub struct Server {
    path: PathBuf,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    is_closing: AtomicBool,
    open: Mutex<Vec<Arc<Connection>>>,
    events: Sender<Event>,
}

impl Server {
    /// Listens at `folder/arrays.sock`; the folder is private to the user. Requests go to `events`.
    pub fn bind(folder: &Path, events: Sender<Event>) -> io::Result<Server> {
        let path = folder.join("arrays.sock");
        let listener = UnixListener::bind(&path)?;
        let shared = Arc::new(Shared { is_closing: AtomicBool::new(false), open: Mutex::default(), events });
        let of_thread = shared.clone();
        let listening = thread::Builder::new().name("rust arrays".into()).spawn(move || of_thread.listen(&listener))?;
        Ok(Server { path, shared, listening: Some(listening) })
    }

    /// Where it listens, for [`super::ARRAYS_VARIABLE`].
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Answers one request, on the evaluator's thread.
    pub fn answer(&mut self, incoming: Incoming, names: &mut dyn Names) {
        let _ = names;
        match &incoming.what {
            What::Closed => self.shared.forget(incoming.connection.number),
            // Nothing is understood yet, so nobody is kept waiting.
            What::Request(_) => {
                let _ = incoming.connection.stream.shutdown(Shutdown::Both);
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_closing.store(true, Ordering::Release);
        for connection in self.shared.open().drain(..) {
            let _ = connection.stream.shutdown(Shutdown::Both);
        }
        // Wakes the listener, which then sees that it is to end.
        let _ = UnixStream::connect(&self.path);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Shared {
    fn open(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self, number: u64) {
        self.open().retain(|connection| connection.number != number);
    }

    fn listen(self: &Arc<Self>, listener: &UnixListener) {
        let mut last = 0;
        while let Ok((stream, _)) = listener.accept() {
            if self.is_closing.load(Ordering::Acquire) {
                return;
            }
            let mut open = self.open();
            if open.len() >= CONNECTIONS_MAX {
                continue;
            }
            last += 1;
            let connection = Arc::new(Connection { number: last, stream });
            open.push(connection.clone());
            drop(open);
            let shared = self.clone();
            let spawned = thread::Builder::new().name("rust array requests".into()).spawn(move || {
                shared.read(&connection);
                let _ = connection.stream.shutdown(Shutdown::Both);
                let _ = shared.events.send(Event::Array(Incoming { connection, what: What::Closed, _done: None }));
            });
            if spawned.is_err() {
                self.forget(last);
            }
        }
    }

    /// Reads requests until the connection ends or sends what is none.
    fn read(&self, connection: &Arc<Connection>) {
        let mut length = [0; 4];
        while (&connection.stream).read_exact(&mut length).is_ok() {
            let length = u64::from(u32::from_le_bytes(length));
            let mut bytes = Vec::new();
            // Grows as bytes arrive: a length is only a promise.
            if !matches!((&connection.stream).take(length).read_to_end(&mut bytes), Ok(read) if read as u64 == length) {
                return;
            }
            let (done, answered) = mpsc::channel();
            let incoming = Incoming { connection: connection.clone(), what: What::Request(bytes), _done: Some(done) };
            if self.events.send(Event::Array(incoming)).is_err() {
                return;
            }
            let _ = answered.recv();
        }
    }
}
