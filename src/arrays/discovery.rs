//! Finding the devices of real drivers, each backend on a thread of its own, so that nobody waits for drivers to start
//! before a device is asked for.
//!
//! What was found is the process's; each session opens the devices for itself. A driver that never comes back costs its own
//! backend only: after a while it is reported as absent.

use super::backend::{Backend, BackendKind, DeviceInfo, Unusable};
use super::level_zero::LevelZeroBackend;
use super::opencl::OpenClBackend;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long drivers may take to start. They usually take 30 to 200 milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// What one backend answered.
#[derive(Clone)]
pub(super) struct Answer {
    /// The way to open its devices.
    pub(super) backend: Arc<dyn Backend>,
    /// Its devices, or why it has none.
    pub(super) devices: Result<Vec<DeviceInfo>, Box<str>>,
    /// What it found and cannot use.
    pub(super) unusable: Vec<Unusable>,
}

/// How far the search of one backend has come.
enum Search {
    NotBegun,
    Begun(Instant),
    Ended(Answer),
    Failed(&'static str),
}

struct Place {
    search: Mutex<Search>,
    ended: Condvar,
}

impl Place {
    const fn new() -> Place {
        Place { search: Mutex::new(Search::NotBegun), ended: Condvar::new() }
    }
}

static LEVEL_ZERO: Place = Place::new();
static OPENCL: Place = Place::new();

fn place(kind: BackendKind) -> Option<&'static Place> {
    match kind {
        BackendKind::LevelZero => Some(&LEVEL_ZERO),
        BackendKind::OpenCl => Some(&OPENCL),
        BackendKind::Native | BackendKind::Sim => None,
    }
}

/// Begins the search of a backend unless it was begun already; returns at once.
pub(super) fn begin(kind: BackendKind) {
    let Some(place) = place(kind) else { return };
    let mut search = place.search.lock().unwrap_or_else(PoisonError::into_inner);
    if !matches!(*search, Search::NotBegun) {
        return;
    }
    *search = Search::Begun(Instant::now());
    let name = format!("cellhold-find-{}", kind.name());
    if std::thread::Builder::new().name(name).spawn(move || look(kind, place)).is_err() {
        *search = Search::Failed("no thread could be started to ask its drivers");
    }
}

fn look(kind: BackendKind, place: &Place) {
    let found = std::panic::catch_unwind(|| -> Arc<dyn Backend> {
        match kind {
            BackendKind::LevelZero => Arc::new(LevelZeroBackend),
            BackendKind::OpenCl | BackendKind::Native | BackendKind::Sim => Arc::new(OpenClBackend::discover()),
        }
    });
    let answer = found.and_then(|backend| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Answer {
            devices: backend.devices(),
            unusable: backend.unusable(),
            backend,
        }))
    });
    let mut search = place.search.lock().unwrap_or_else(PoisonError::into_inner);
    *search = answer.map_or(Search::Failed("internal error: the search for devices panicked"), Search::Ended);
    place.ended.notify_all();
}

/// What a backend answered, once it has; begins the search if nobody did. Waits only if `may_wait`, and not for ever.
pub(super) fn answer(kind: BackendKind, may_wait: bool) -> Option<Result<Answer, Box<str>>> {
    let place = place(kind)?;
    begin(kind);
    let mut search = place.search.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        match &*search {
            Search::Ended(answer) => return Some(Ok(answer.clone())),
            Search::Failed(why) => return Some(Err((*why).into())),
            Search::NotBegun => return None,
            Search::Begun(since) => {
                if !may_wait {
                    return None;
                }
                let left = PATIENCE.saturating_sub(since.elapsed());
                if left.is_zero() {
                    let why = format!(
                        "its drivers did not answer within {} seconds; ONEAPI_DEVICE_SELECTOR or CELLHOLD_BACKENDS can keep \
                         them out",
                        PATIENCE.as_secs()
                    );
                    return Some(Err(why.into()));
                }
                search = place.ended.wait_timeout(search, left).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}
