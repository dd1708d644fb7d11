//! The server of array requests: it listens, and reads requests on threads of their own. What answers them, on the
//! evaluator's thread, is in `answer`.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};

use super::Event;
use super::functions::{Function, FunctionLink};
use super::handles::Handles;
use super::shared::{SLOT_BYTES, SLOTS, Window};
use super::wire::{FRAME_BYTES_MAX, GREETING, HandleId, Request, VERSION};
use crate::arrays::attention::{self, Attention};
use crate::arrays::error::{ArrayError, ErrorKind, OutOfMemory};
use crate::arrays::{Array, plan};

/// Connections at a time; a helper makes two, and a new one may come before the old one is forgotten.
const CONNECTIONS_MAX: usize = 8;
/// How long a new connection may take to say what it is.
const GREETING_TIME: Duration = Duration::from_secs(10);

/// A refusal in words, with the class of the error (`NameError`, `ValueError`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The class, as Python names it.
    pub class: String,
    /// What went wrong and what helps.
    pub message: String,
}

impl Failure {
    /// A refusal.
    pub fn new(class: &str, message: impl Into<String>) -> Self {
        Self { class: class.to_owned(), message: message.into() }
    }
}

impl From<ArrayError> for Failure {
    fn from(error: ArrayError) -> Self {
        let class = match error.kind() {
            ErrorKind::Value => "ValueError",
            ErrorKind::Type => "TypeError",
            ErrorKind::Index => "IndexError",
            ErrorKind::Overflow => "OverflowError",
            ErrorKind::ZeroDivision => "ZeroDivisionError",
            ErrorKind::Attribute => "AttributeError",
            ErrorKind::Buffer => "BufferError",
            ErrorKind::Runtime => "RuntimeError",
            ErrorKind::Memory => match error.out_of_memory() {
                Some(OutOfMemory { usm: None, .. }) => "MemoryError",
                _ => "USMAllocationError",
            },
            ErrorKind::Placement => "ExecutionPlacementError",
            ErrorKind::Axis => "AxisError",
            ErrorKind::LinAlg => "LinAlgError",
            ErrorKind::Device => "SyclDeviceCreationError",
            ErrorKind::Queue => "SyclQueueCreationError",
            ErrorKind::Context => "SyclContextCreationError",
            ErrorKind::DeviceLost => "DeviceLostError",
            ErrorKind::NotSupported => "NotImplementedError",
            ErrorKind::Io => "OSError",
            ErrorKind::Released => "ReleasedArrayError",
            ErrorKind::Interrupted => "KeyboardInterrupt",
            ErrorKind::Unplanned => "PlanStopped",
        };
        Self::new(class, error.to_string())
    }
}

/// An array that a name is bound to.
#[derive(Clone, Debug)]
pub struct Found {
    /// The array.
    pub array: Array,
    /// Whether writing through the name is refused.
    pub is_readonly: bool,
}

/// What the server needs from the session: names, texts, and what to do when memory runs out.
pub trait Names {
    /// The array that a name of the session is bound to; nothing where there is no such name.
    fn find(&mut self, name: &str) -> Result<Option<Found>, Failure>;
    /// Binds a name of the session to an array, as `name = array` does.
    fn bind(&mut self, name: &str, array: Found) -> Result<(), Failure>;
    /// Binds a name to a function that calls Rust.
    fn bind_function(&mut self, function: Rc<Function>) -> Result<(), Failure>;
    /// The array as it is printed.
    fn show(&mut self, array: &Array) -> Result<String, Failure>;
    /// Makes room after an allocation that did not fit, before it is tried once more.
    fn relieve(&mut self) -> Result<(), Failure>;
    /// The message of an allocation that did not fit: who holds what, and what helps.
    fn explain(&mut self, shortage: &OutOfMemory) -> String;
}

/// The other end of one connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) number: u64,
    /// The process at the other end.
    pub(super) process: i32,
    pub(super) stream: UnixStream,
    /// Through which large arrays go. Only the evaluator uses it.
    pub(super) window: Mutex<Option<Window>>,
    /// Handles whose values were dropped, on their way to the table.
    pub(super) released: Mutex<Vec<HandleId>>,
    /// Whether its thread has begun to take something that it has not handed on yet.
    is_reading: AtomicBool,
}

impl Connection {
    /// Ends it: both ends notice.
    pub(super) fn close(&self) {
        // It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    pub(super) fn released(&self) -> MutexGuard<'_, Vec<HandleId>> {
        self.released.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something that one connection sent, or its end.
pub struct Incoming {
    pub(super) connection: Arc<Connection>,
    pub(super) what: What,
    /// Told when the request is answered, which lets the connection's thread read the next.
    pub(super) done: Option<Sender<()>>,
}

#[derive(Debug)]
pub(super) enum What {
    /// A frame.
    Frame(Vec<u8>),
    /// Handles wait in [`Connection::released`].
    Released,
    /// The connection serves calls of functions from here on.
    Functions,
    /// It has ended.
    Closed,
}

impl fmt::Debug for Incoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incoming").field("connection", &self.connection.number).field("what", &self.what).finish()
    }
}

/// The server. It lives on the evaluator's thread; dropping it ends all connections and lets go of what they kept.
#[derive(Debug)]
pub struct Server {
    path: PathBuf,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
    pub(super) handles: Rc<RefCell<Handles>>,
    pub(super) links: Vec<Rc<FunctionLink>>,
    pub(super) attention: Attention,
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
        Ok(Server {
            path,
            shared,
            listening: Some(listening),
            handles: Rc::default(),
            links: Vec::new(),
            attention: attention::handle(),
        })
    }

    /// Where it listens, for [`super::ARRAYS_VARIABLE`].
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tells whether requests are on their way.
    pub fn quiet(&self) -> Quiet {
        Quiet(self.shared.clone())
    }

    /// What Rust values keep.
    pub fn handles(&self) -> Rc<RefCell<Handles>> {
        self.handles.clone()
    }

    /// Forgets a connection that has ended, with everything that it kept.
    pub(super) fn forget(&mut self, connection: &Connection) {
        self.shared.forget(connection.number);
        self.handles.borrow_mut().release_all(connection.number);
        // The functions of a process end with it: whoever calls one is told so.
        self.links.retain(|link| {
            let is_other = link.process() != connection.process;
            if !is_other {
                link.close();
                self.shared.forget(link.number());
            }
            is_other
        });
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_closing.store(true, Ordering::Release);
        let open: Vec<Arc<Connection>> = self.shared.open().drain(..).collect();
        for connection in &open {
            connection.close();
            self.handles.borrow_mut().release_all(connection.number);
        }
        self.links.drain(..).for_each(|link| link.close());
        // Wakes the listener, which then sees that it is to end.
        let woken = UnixStream::connect(&self.path);
        if let Some(listening) = self.listening.take()
            && woken.is_ok()
        {
            let _ = listening.join();
        }
        // The folder's owner removes what is left.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Shared {
    fn open(&self) -> MutexGuard<'_, Vec<Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self, number: u64) {
        self.open().retain(|connection| connection.number != number);
    }

    fn listen(self: &Arc<Self>, listener: &UnixListener) {
        let mut last = 0;
        loop {
            let accepted = listener.accept();
            if self.is_closing.load(Ordering::Acquire) {
                return;
            }
            let Ok((stream, _)) = accepted else {
                // No descriptor is left, most likely; one may be given back.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let Ok(peer) = rustix::net::sockopt::socket_peercred(&stream) else { continue };
            let mut open = self.open();
            if open.len() >= CONNECTIONS_MAX {
                continue;
            }
            last += 1;
            let connection = Arc::new(Connection {
                number: last,
                process: peer.pid.as_raw_nonzero().get(),
                stream,
                window: Mutex::default(),
                released: Mutex::default(),
                is_reading: AtomicBool::new(false),
            });
            open.push(connection.clone());
            drop(open);
            let shared = self.clone();
            let spawned = thread::Builder::new().name("rust array requests".into()).spawn(move || {
                if shared.serve(&connection).is_none() {
                    connection.close();
                    shared.send(&connection, What::Closed, None);
                }
            });
            if spawned.is_err() {
                self.forget(last);
            }
        }
    }

    fn send(&self, connection: &Arc<Connection>, what: What, done: Option<Sender<()>>) -> bool {
        let incoming = Incoming { connection: connection.clone(), what, done };
        self.events.send(Event::Array(incoming)).is_ok()
    }

    /// Serves a connection to its end; answers something when it lives on without this thread.
    fn serve(&self, connection: &Arc<Connection>) -> Option<()> {
        let serves_functions = self.greet(connection).ok()?;
        if serves_functions {
            return self.send(connection, What::Functions, None).then_some(());
        }
        self.read(connection);
        None
    }

    /// The first words: what the other end is, and a window for it.
    fn greet(&self, connection: &Arc<Connection>) -> io::Result<bool> {
        let mut stream = &connection.stream;
        stream.set_read_timeout(Some(GREETING_TIME))?;
        let mut greeting = [0; 7];
        stream.read_exact(&mut greeting)?;
        stream.set_read_timeout(None)?;
        let serves_functions = match greeting[6] {
            0 => false,
            1 => true,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        if &greeting[..4] != GREETING {
            return Err(io::ErrorKind::InvalidData.into());
        }
        if greeting[4..6] != VERSION.to_le_bytes() {
            // It reads this and says that both ends are of different versions.
            stream.write_all(&[0; 9])?;
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut answer = [1; 9];
        answer[1..5].copy_from_slice(&(SLOTS as u32).to_le_bytes());
        answer[5..].copy_from_slice(&(SLOT_BYTES as u32).to_le_bytes());
        let window = Window::new()?;
        window.send(&connection.stream, &answer)?;
        *connection.window.lock().unwrap_or_else(PoisonError::into_inner) = Some(window);
        Ok(serves_functions)
    }

    /// Reads requests until the connection ends or sends what is none.
    fn read(&self, connection: &Arc<Connection>) {
        let mut stream = &connection.stream;
        let mut length = [0; 4];
        loop {
            connection.is_reading.store(false, Ordering::SeqCst);
            if !wait_for_more(stream) {
                return;
            }
            // Said before a byte is taken: whoever finds nothing to take and nobody reading knows that all was handed on.
            connection.is_reading.store(true, Ordering::SeqCst);
            if stream.read_exact(&mut length).is_err() {
                return;
            }
            let length = u32::from_le_bytes(length) as usize;
            if length > FRAME_BYTES_MAX {
                return;
            }
            let mut bytes = Vec::new();
            // Grows as bytes arrive: a length is only a promise.
            if !matches!(stream.take(length as u64).read_to_end(&mut bytes), Ok(read) if read == length) {
                return;
            }
            // Nobody waits for these, and many may come while no cell runs.
            if let Ok(Request::Release { handles }) = Request::parse(&bytes) {
                let mut released = connection.released();
                let is_first = released.is_empty();
                released.extend(handles);
                drop(released);
                if is_first && !self.send(connection, What::Released, None) {
                    return;
                }
                continue;
            }
            let (done, answered) = mpsc::channel();
            // A request that nobody answered would leave its asker waiting.
            if !self.send(connection, What::Frame(bytes), Some(done)) || answered.recv().is_err() {
                return;
            }
        }
    }
}

/// Waits for something to read, without taking it; answers whether the connection lives.
fn wait_for_more(stream: &UnixStream) -> bool {
    loop {
        match poll(&mut [PollFd::new(stream, PollFlags::IN)], None) {
            Err(rustix::io::Errno::INTR) => {}
            other => return other.is_ok(),
        }
    }
}

/// Tells whether everything that was sent has arrived in the channel of events.
#[derive(Clone, Debug)]
pub struct Quiet(Arc<Shared>);

impl Quiet {
    /// Whether nothing is under way. What arrives later was sent later.
    pub fn is_quiet(&self) -> bool {
        self.0.open().iter().all(|connection| {
            let is_empty = rustix::io::ioctl_fionread(&connection.stream).is_ok_and(|bytes| bytes == 0);
            is_empty && !connection.is_reading.load(Ordering::SeqCst)
        })
    }
}

/// Whether arrays can be computed and read now; a dry run has none.
pub(super) fn check_not_planned() -> Result<(), Failure> {
    if plan::is_on() {
        return Err(Failure::new("RuntimeError", "a plan does not run Rust"));
    }
    Ok(())
}
