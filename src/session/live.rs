//! `%mem --live`: a view that is brought up to date in place, while cells run and when they end.
//!
//! A thread asks for snapshots; the evaluator, which alone may look at values, renders the view when it publishes one.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::snapshot::Snapshots;

/// How often a running cell is asked.
const PERIOD: Duration = Duration::from_millis(500);

/// The share of time that looking may take.
const LOOKING_SHARE: u32 = 20;

/// How the names of live views begin.
const NAME: &str = "cellhold-mem-live-";

/// Whether a display is a live view, whose updates are of no use where what was shown cannot be replaced.
pub fn is_live_view(id: &str) -> bool {
    id.starts_with(NAME)
}

/// The live view, if one is open.
#[derive(Debug, Default)]
pub(super) struct Live {
    open: RefCell<Option<Open>>,
    opened: Cell<u32>,
}

#[derive(Debug)]
struct Open {
    id: String,
    is_over: Arc<AtomicBool>,
    last: Instant,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl Live {
    /// Opens a view in place of the one before; answers the name of its display.
    pub(super) fn begin(&self, snapshots: &Snapshots) -> String {
        self.opened.set(self.opened.get() + 1);
        let id = format!("{NAME}{}", self.opened.get());
        let is_over = Arc::new(AtomicBool::new(false));
        let (asked, over) = (snapshots.clone(), is_over.clone());
        // Without the thread the view is still brought up to date after each cell.
        let _ = std::thread::Builder::new().name("live".into()).spawn(move || {
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(PERIOD);
                asked.request();
            }
        });
        let old = self.open.replace(Some(Open { id: id.clone(), is_over, last: Instant::now() }));
        drop(old);
        id
    }

    /// Whether a view is open.
    pub(super) fn is_open(&self) -> bool {
        self.open.borrow().is_some()
    }

    /// Closes the view; answers whether there was one.
    pub(super) fn end(&self) -> bool {
        self.open.take().is_some()
    }

    /// The display to bring up to date now, if there is one and it is time: looking took `looked` last.
    pub(super) fn due(&self, is_at_end: bool, looked: Duration) -> Option<String> {
        let mut open = self.open.borrow_mut();
        let open = open.as_mut()?;
        let pause = (looked * LOOKING_SHARE).max(PERIOD / 2);
        if !is_at_end && open.last.elapsed() < pause {
            return None;
        }
        open.last = Instant::now();
        Some(open.id.clone())
    }
}
