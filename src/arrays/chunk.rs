//! Computing in pieces: when, how large a piece, and who is told how far it is.
//!
//! Arrays over memory-mapped files are always computed in pieces; `%chunk auto` also keeps an array that does not fit
//! its device in host memory the device can read, and computes with it in pieces. How an expression is cut is
//! `expr::slabs`' business.

use super::backend::UsmKind;
use super::device::Place;
use super::{budget, plan};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What `%chunk` chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Only files are computed in pieces.
    #[default]
    Off,
    /// Arrays that do not fit their device too; pieces are as large as suits the device.
    Auto,
    /// As [`Mode::Auto`], with pieces of so many bytes.
    Bytes(u64),
}

/// How far a computation in pieces is.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// So many bytes of so many have been worked through.
    Running {
        /// The operation.
        label: &'static str,
        /// Bytes done.
        done: u64,
        /// Bytes in all.
        total: u64,
    },
    /// It is over.
    Ended {
        /// The operation.
        label: &'static str,
        /// Bytes in all.
        total: u64,
        /// Pieces it took.
        pieces: u64,
    },
    /// An array did not fit its device and is kept in host memory.
    Spilled {
        /// Its bytes.
        bytes: u64,
        /// The device.
        device: Box<str>,
    },
}

type Sink = Rc<dyn Fn(&Progress)>;

/// The largest piece chosen by itself.
const PIECE_MAX: u64 = 64 << 20;
/// The smallest piece: below it, the work between pieces costs more than it saves.
const PIECE_MIN: u64 = 64 << 10;
/// Between two reports on a computation that goes on.
const REPORT_EVERY: Duration = Duration::from_secs(1);

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Off) };
    static SPILLS: Cell<bool> = const { Cell::new(false) };
    static SINK: RefCell<Option<Sink>> = const { RefCell::new(None) };
}

/// What `%chunk` chose.
pub fn mode() -> Mode {
    MODE.get()
}

/// Chooses how arrays that do not fit are treated from here on.
pub fn set_mode(mode: Mode) {
    MODE.set(mode);
}

/// Has the session told of progress; one listener a thread.
pub fn listen(sink: Sink) {
    SINK.with_borrow_mut(|listener| *listener = Some(sink));
}

pub(super) fn report(progress: &Progress) {
    if plan::is_on() {
        return;
    }
    let sink = SINK.with_borrow(Clone::clone);
    if let Some(sink) = sink {
        sink(progress);
    }
}

/// Runs work during which an array that does not fit its device may go to host memory, if `%chunk` says so. The first try
/// of an allocation is never in here: making room comes before giving way.
pub fn giving_way<R>(work: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            SPILLS.set(self.0);
        }
    }
    let _restore = Restore(SPILLS.replace(mode() != Mode::Off));
    work()
}

pub(super) fn may_spill() -> bool {
    SPILLS.get()
}

/// How large a piece may be on a place, in bytes of what is brought there.
pub(super) fn piece_bytes(place: &Place) -> u64 {
    if let Mode::Bytes(bytes) = mode() {
        return bytes.max(1);
    }
    let mut piece = PIECE_MAX;
    if let Some(queue) = place.queue()
        && let Some(free) = queue.device().device().memory().free.bytes()
    {
        // What is cached is as good as free. A plan counts on what it would have taken by now, so that it cuts as the run does.
        let device = queue.device();
        let available = free + device.accounts().kind(UsmKind::Device).cached;
        piece = piece.min(available.saturating_sub(plan::blocks_taken(device)) / 8);
    }
    if let Some(left) = budget::left() {
        piece = piece.min(left / 4);
    }
    piece.max(PIECE_MIN)
}

/// Counts what a computation in pieces has done, and reports now and then.
pub(super) struct Meter {
    label: &'static str,
    total: u64,
    done: u64,
    pieces: u64,
    reported: Instant,
}

impl Meter {
    pub(super) fn new(label: &'static str, total: u64) -> Meter {
        Meter { label, total, done: 0, pieces: 0, reported: Instant::now() }
    }

    /// A piece is done.
    pub(super) fn piece(&mut self, bytes: u64) {
        self.done += bytes;
        self.pieces += 1;
        if self.reported.elapsed() >= REPORT_EVERY && self.done < self.total {
            self.reported = Instant::now();
            report(&Progress::Running { label: self.label, done: self.done, total: self.total });
        }
    }

    /// Everything is done.
    pub(super) fn end(self) {
        if self.pieces > 1 {
            super::account::note_pieces();
            report(&Progress::Ended { label: self.label, total: self.total, pieces: self.pieces });
        }
    }
}
