//! What the threads of the worker know of the cell that is evaluated.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::messages::{Sink, Stream};
use crate::processes::Number;
use crate::source::Sources;

/// A panic as the program's hook saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The name of its thread.
    pub thread: String,
    /// The file that was compiled.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What it said.
    pub message: String,
}

impl Panic {
    /// Reads what the hook sends.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(5, '\n');
        let mut next = || parts.next();
        Some(Self {
            thread: next()?.to_owned(),
            file: next()?.to_owned(),
            line: next()?.parse().ok()?,
            column: next()?.parse().ok()?,
            message: next()?.to_owned(),
        })
    }
}

#[derive(Debug, Default)]
struct Panics {
    /// The last panic of the main thread, of which it is not known yet whether the program catches it.
    last: Option<Panic>,
    /// Whether evcxr's mark of a panic came.
    has_panicked: bool,
}

/// Shared by the worker's threads.
pub struct Shared {
    sink: Sink,
    request: AtomicU64,
    is_busy: AtomicBool,
    is_running: AtomicBool,
    is_interrupted: AtomicBool,
    /// The process that runs cells; 0 for none.
    process: AtomicI32,
    processes: AtomicU64,
    panics: Mutex<Panics>,
    sources: Mutex<Sources>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Nothing is evaluated yet.
    pub fn new(sink: Sink) -> Self {
        Self {
            sink,
            request: AtomicU64::new(0),
            is_busy: AtomicBool::new(false),
            is_running: AtomicBool::new(false),
            is_interrupted: AtomicBool::new(false),
            process: AtomicI32::new(0),
            processes: AtomicU64::new(0),
            panics: Mutex::default(),
            sources: Mutex::default(),
        }
    }

    /// Where messages go.
    pub fn sink(&self) -> &Sink {
        &self.sink
    }

    /// The cells so far.
    pub fn sources(&self) -> MutexGuard<'_, Sources> {
        locked(&self.sources)
    }

    /// The request that is answered, 0 between two.
    pub fn request(&self) -> u64 {
        self.request.load(Ordering::SeqCst)
    }

    /// Begins to evaluate for a request.
    pub fn begin(&self, request: u64) {
        *locked(&self.panics) = Panics::default();
        self.is_interrupted.store(false, Ordering::SeqCst);
        self.request.store(request, Ordering::SeqCst);
        self.is_busy.store(true, Ordering::SeqCst);
    }

    /// Ends it; answers whether it was interrupted.
    pub fn end(&self) -> bool {
        self.is_busy.store(false, Ordering::SeqCst);
        self.is_running.store(false, Ordering::SeqCst);
        self.request.store(0, Ordering::SeqCst);
        self.is_interrupted.swap(false, Ordering::SeqCst)
    }

    /// Asks for the end of what is evaluated, if something is.
    pub fn interrupt(&self) {
        if self.is_busy.load(Ordering::SeqCst) {
            self.is_interrupted.store(true, Ordering::SeqCst);
        }
    }

    /// Whether the end was asked for.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::SeqCst)
    }

    /// Whether compiled code runs, as opposed to being compiled.
    pub fn is_running(&self) -> bool {
        self.is_running.load(Ordering::SeqCst)
    }

    pub(super) fn set_running(&self, runs: bool) {
        self.is_running.store(runs, Ordering::SeqCst);
        if runs {
            self.tell_phase("run");
        }
    }

    /// The process that runs cells.
    pub fn process(&self) -> Option<Number> {
        Some(self.process.load(Ordering::SeqCst)).filter(|number| *number != 0)
    }

    /// How many processes there have been.
    pub fn processes(&self) -> u64 {
        self.processes.load(Ordering::SeqCst)
    }

    pub(super) fn begin_process(&self, number: Number) {
        self.process.store(number, Ordering::SeqCst);
        self.processes.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn end_process(&self, number: Number) {
        let _ = self.process.compare_exchange(number, 0, Ordering::SeqCst, Ordering::SeqCst);
        self.is_running.store(false, Ordering::SeqCst);
    }

    /// Output of the program.
    pub(super) fn say(&self, stream: Stream, text: &str) {
        self.sink.text(self.request(), stream, text);
    }

    pub(super) fn add_panic(&self, panic: Panic) {
        if panic.thread == "main" {
            let before = locked(&self.panics).last.replace(panic);
            self.tell(before);
        } else {
            self.tell(Some(panic));
        }
    }

    pub(super) fn note_panic(&self) {
        locked(&self.panics).has_panicked = true;
    }

    pub(super) fn has_panicked(&self) -> bool {
        locked(&self.panics).has_panicked
    }

    /// The panic that ended what was evaluated: whether there was one, and what is known of it.
    pub fn take_panic(&self) -> Option<Option<Panic>> {
        let mut panics = locked(&self.panics);
        std::mem::take(&mut panics.has_panicked).then(|| panics.last.take())
    }

    /// A panic that ended nothing (caught, in another thread, before an abort) is text on the standard error.
    pub(super) fn tell_panic_as_text(&self) {
        let panic = locked(&self.panics).last.take();
        self.tell(panic);
    }

    fn tell(&self, panic: Option<Panic>) {
        let Some(panic) = panic else { return };
        let place = match self.sources().place(&panic.file, panic.line) {
            Some(place) => format!("cell {}:{}:{}", place.cell, place.line, panic.column),
            None => format!("{}:{}:{}", panic.file, panic.line, panic.column),
        };
        self.say(Stream::Stderr, &format!("thread '{}' panicked at {place}:\n{}\n", panic.thread, panic.message));
    }
}
