//! Beginning and end of a kernel: binding, starting each socket's thread, and an end that nothing can hold up.

use super::capture::{Capture, CurrentParent};
use super::connection::{Channel, Connection};
use super::control::{Control, Stop};
use super::engine::Engine;
use super::executor::Executor;
use super::interrupt::Interrupter;
use super::iopub::{Iopub, Publisher};
use super::log::log;
use super::mailbox::{Mailbox, Wake};
use super::message::{Encoder, Parent};
use super::output::Wiring;
use super::shell::{Outbound, Router, Work};
use super::stdin::Stdin;
use crate::session::{Interrupt, Session, Snapshots};
use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Subscribers that read slower than this many messages behind miss some.
const IOPUB_MESSAGES_QUEUED: i32 = 100_000;
/// How long sockets keep trying to deliver at the end.
const LINGER_MS: i32 = 500;
/// How long a running cell may take to notice that the kernel ends.
const EXECUTOR_GRACE: Duration = Duration::from_millis(700);
/// How long the sockets' threads may take to send what is queued.
const SOCKETS_GRACE: Duration = Duration::from_millis(400);

/// Why a kernel cannot start.
#[derive(Debug)]
pub enum StartError {
    /// An endpoint is taken or not ours to use.
    Bind(String, zmq::Error),
    /// A socket cannot be made.
    Socket(zmq::Error),
    /// A thread or descriptor cannot be made.
    System(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Bind(endpoint, error) => write!(f, "cannot bind {endpoint}: {error}"),
            StartError::Socket(error) => write!(f, "cannot make a socket: {error}"),
            StartError::System(error) => write!(f, "cannot start: {error}"),
        }
    }
}

impl Error for StartError {}

impl From<zmq::Error> for StartError {
    fn from(error: zmq::Error) -> StartError {
        StartError::Socket(error)
    }
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> StartError {
        StartError::System(error)
    }
}

/// The five sockets, bound.
struct Sockets {
    shell: zmq::Socket,
    control: zmq::Socket,
    iopub: zmq::Socket,
    stdin: zmq::Socket,
    heartbeat: zmq::Socket,
}

impl Sockets {
    fn bind(context: &zmq::Context, connection: &Connection) -> Result<Sockets, StartError> {
        let bound = |channel: Channel, kind: zmq::SocketType| {
            let socket = context.socket(kind)?;
            socket.set_linger(LINGER_MS)?;
            if kind == zmq::ROUTER {
                // A front end that reconnects under its old identity takes its place at once.
                socket.set_router_handover(true)?;
                // A reply is never dropped because its reader is slow; who asks much has much to read.
                socket.set_sndhwm(0)?;
            }
            if kind == zmq::XPUB {
                // Before binding, or a second equal subscription would not be seen and not be welcomed.
                socket.set_xpub_verbose(true)?;
                socket.set_sndhwm(IOPUB_MESSAGES_QUEUED)?;
            }
            let endpoint = connection.endpoint(channel);
            socket.bind(&endpoint).map_err(|error| StartError::Bind(endpoint, error))?;
            Ok::<zmq::Socket, StartError>(socket)
        };
        Ok(Sockets {
            shell: bound(Channel::Shell, zmq::ROUTER)?,
            control: bound(Channel::Control, zmq::ROUTER)?,
            iopub: bound(Channel::Iopub, zmq::XPUB)?,
            stdin: bound(Channel::Stdin, zmq::ROUTER)?,
            heartbeat: bound(Channel::Heartbeat, zmq::ROUTER)?,
        })
    }
}

/// A running kernel.
pub struct Kernel {
    iopub: Arc<Iopub>,
    interrupter: Arc<Interrupter>,
    work: Arc<Mailbox<Work>>,
    stop: Arc<Mailbox<Stop>>,
    closing: Arc<Wake>,
    executor: Receiver<()>,
    publisher: Receiver<()>,
    socket_threads: Vec<Receiver<()>>,
    socket_files: Vec<PathBuf>,
}

/// What differs between a real kernel and one under test.
pub struct Options {
    /// What stops the engine's running cell.
    pub interrupt: Interrupt,
    /// Where the engine publishes its figures.
    pub snapshots: Snapshots,
    /// Whether the process's standard descriptors become output of cells.
    pub captures_descriptors: bool,
}

impl Kernel {
    /// Binds the connection's endpoints and starts all threads; `engine` is made on the thread that runs cells.
    pub fn start<E: Engine>(
        connection: &Connection,
        options: Options,
        engine: impl FnOnce() -> E + Send + 'static,
    ) -> Result<Kernel, StartError> {
        let context = zmq::Context::new();
        let sockets = Sockets::bind(&context, connection)?;
        let encoder = Arc::new(Encoder::new(connection.signer().clone()));
        let iopub = Arc::new(Iopub::new()?);
        let interrupter = Arc::new(Interrupter::new(options.interrupt)?);
        let work = Arc::new(Mailbox::new()?);
        let outbox = Arc::new(Mailbox::<Outbound>::new()?);
        let stop = Arc::new(Mailbox::new()?);
        let closing = Arc::new(Wake::new()?);
        let current = Arc::new(CurrentParent::new());
        let capture = match options.captures_descriptors {
            true => Some(Capture::start(Arc::clone(&iopub), Arc::clone(&current))?),
            false => None,
        };
        iopub.status(&Parent::none(), "starting");
        let publisher = Publisher::new(sockets.iopub, Arc::clone(&iopub), Arc::clone(&encoder));
        let publisher = socket_thread("iopub", &stop, move || publisher.run())?;
        let echo = heartbeat(sockets.heartbeat, Arc::clone(&closing));
        let control = Control {
            socket: sockets.control,
            encoder: Arc::clone(&encoder),
            iopub: Arc::clone(&iopub),
            interrupter: Arc::clone(&interrupter),
            stop: Arc::clone(&stop),
            snapshots: options.snapshots,
            work: Arc::clone(&work),
            closing: Arc::clone(&closing),
        };
        let router = Router {
            socket: sockets.shell,
            encoder: Arc::clone(&encoder),
            work: Arc::clone(&work),
            outbox: Arc::clone(&outbox),
            closing: Arc::clone(&closing),
        };
        let socket_threads = vec![
            socket_thread("heartbeat", &stop, echo)?,
            socket_thread("control", &stop, move || control.run())?,
            socket_thread("shell", &stop, move || router.run())?,
        ];
        let stdin = Stdin::new(sockets.stdin, Arc::clone(&encoder), Arc::clone(&iopub), Arc::clone(&interrupter));
        let wiring = (Arc::clone(&iopub), Arc::clone(&interrupter), capture);
        let (queue, asked) = (Arc::clone(&work), Arc::clone(&stop));
        let builder = thread::Builder::new().name("executor".into()).stack_size(Session::STACK_BYTES);
        let executor = watched(builder, &stop, move || {
            let (iopub, interrupter, capture) = wiring;
            let wiring = Wiring { iopub, stdin: Rc::new(stdin), interrupter, capture };
            let engine = engine();
            let (is_aborting, last_cell) = (false, None);
            Executor { engine, encoder, wiring, current, work: queue, outbox, stop: asked, is_aborting, last_cell }
                .run();
            Ok(())
        })
        .map_err(Session::no_thread)?;
        let socket_files = Channel::ALL.into_iter().filter_map(|channel| connection.socket_file(channel)).collect();
        Ok(Kernel { iopub, interrupter, work, stop, closing, executor, publisher, socket_threads, socket_files })
    }

    /// Where the end of this kernel is asked for.
    pub fn stop(&self) -> &Arc<Mailbox<Stop>> {
        &self.stop
    }

    /// What interrupts the running cell.
    pub fn interrupter(&self) -> &Arc<Interrupter> {
        &self.interrupter
    }

    /// Ends in less than two seconds, whatever the cell is doing: it is interrupted, given a moment, and left behind.
    /// Says whether everything ended by itself.
    pub fn end(self) -> bool {
        self.interrupter.interrupt();
        self.work.post(Work::Quit);
        let mut clean = self.executor.recv_timeout(EXECUTOR_GRACE) != Err(mpsc::RecvTimeoutError::Timeout);
        self.iopub.stop();
        self.closing.set();
        for ended in self.socket_threads.iter().chain([&self.publisher]) {
            clean &= ended.recv_timeout(SOCKETS_GRACE) != Err(mpsc::RecvTimeoutError::Timeout);
        }
        for file in &self.socket_files {
            // libzmq removes what it closes; this is for what a stuck cell keeps open.
            let _ = std::fs::remove_file(file);
        }
        clean
    }
}

/// Starts a thread and hears of its end. When it cannot go on, by error or panic, the kernel ends rather than hang half
/// alive.
fn watched(
    builder: thread::Builder,
    stop: &Arc<Mailbox<Stop>>,
    body: impl FnOnce() -> zmq::Result<()> + Send + 'static,
) -> io::Result<Receiver<()>> {
    let (alive, ended) = mpsc::channel();
    let guard = Alive { stop: Arc::clone(stop), _ended: alive };
    builder.spawn(move || {
        if let Err(error) = body() {
            log(&format!("{}: {error}", thread::current().name().unwrap_or("a thread")));
            guard.stop.post(Stop::Broken);
        }
        drop(guard);
    })?;
    Ok(ended)
}

/// A thread that owns a socket.
fn socket_thread(
    name: &'static str,
    stop: &Arc<Mailbox<Stop>>,
    body: impl FnOnce() -> zmq::Result<()> + Send + 'static,
) -> io::Result<Receiver<()>> {
    watched(thread::Builder::new().name(name.into()), stop, body)
}

/// Lives as long as its thread; the receiver sees its end, however it comes.
struct Alive {
    stop: Arc<Mailbox<Stop>>,
    _ended: mpsc::Sender<()>,
}

impl Drop for Alive {
    fn drop(&mut self) {
        if thread::panicking() {
            self.stop.post(Stop::Broken);
        }
    }
}

/// Echoes whatever arrives, unchanged.
fn heartbeat(socket: zmq::Socket, closing: Arc<Wake>) -> impl FnOnce() -> zmq::Result<()> + Send {
    move || {
        loop {
            let mut items =
                [socket.as_poll_item(zmq::POLLIN), zmq::PollItem::from_fd(closing.descriptor(), zmq::POLLIN)];
            match zmq::poll(&mut items, -1) {
                Ok(_) | Err(zmq::Error::EINTR) => {}
                Err(error) => return Err(error),
            }
            if items[1].is_readable() {
                return Ok(());
            }
            while let Some(frames) = super::shell::receive(&socket)? {
                super::shell::send(&socket, frames);
            }
        }
    }
}
