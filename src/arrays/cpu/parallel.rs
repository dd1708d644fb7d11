//! Tasks on all threads, the calling one among them.
//!
//! Each thread begins with a share of neighbouring tasks and, once through with it, takes half of what the busiest has left.
//! Neighbouring tasks read and write neighbouring memory, and a processor that goes through a long stretch of it alone is fed faster
//! than several that go through it side by side.
//!
//! The caller begins at once and the pool's threads join as they wake, so that the tens of microseconds that takes are not lost;
//! a thread that comes when all is done is not waited for. Results never depend on who ran what: tasks write disjoint parts.

use crate::arrays::attention::Attention;
use crate::arrays::error::ArrayError;
use smallvec::SmallVec;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Thread;

/// Below this many elements one thread does everything.
pub const PARALLEL_MIN: usize = 32_768;

/// The threads that [`for_each_task`] works on.
pub(super) fn threads() -> usize {
    rayon::current_num_threads()
}

/// Runs `work(task)` for every task, on all threads when there is enough to do. After a failure or an interrupt no further task
/// begins, and the first failure is the answer.
pub(super) fn for_each_task(
    tasks: usize,
    elements: usize,
    attention: &Attention,
    work: impl Fn(usize) -> Result<(), ArrayError> + Sync,
) -> Result<(), ArrayError> {
    if tasks <= 1 || elements < PARALLEL_MIN {
        for task in 0..tasks {
            attention.check()?;
            work(task)?;
        }
        return Ok(());
    }
    let helpers = threads().min(tasks) - 1;
    let shares = Shares::new(tasks, helpers + 1);
    let arrived = AtomicUsize::new(0);
    let failure = OnceLock::new();
    let take_tasks = || {
        let own = arrived.fetch_add(1, Ordering::Relaxed);
        while failure.get().is_none()
            && let Some(task) = shares.take(own)
        {
            if let Err(error) = attention.check().and_then(|()| work(task)) {
                // Another thread's failure may have been first; one is enough.
                let _ = failure.set(error);
            }
        }
    };
    together(helpers, &take_tasks);
    failure.into_inner().map_or(Ok(()), Err)
}

/// What each thread has still to do.
struct Shares(SmallVec<[Mutex<Range<usize>>; 8]>);

impl Shares {
    fn new(tasks: usize, threads: usize) -> Self {
        Shares((0..threads).map(|i| Mutex::new(i * tasks / threads..(i + 1) * tasks / threads)).collect())
    }

    /// The next task for the thread that has this share: its own, or one of the half that it takes from whoever has most.
    fn take(&self, own: usize) -> Option<usize> {
        if let Some(task) = self.share(own).next() {
            return Some(task);
        }
        loop {
            let (left, busiest) = (0..self.0.len()).map(|index| (self.share(index).len(), index)).max()?;
            if left == 0 {
                return None;
            }
            let mut taken = {
                let mut theirs = self.share(busiest);
                let middle = theirs.start + theirs.len() / 2;
                let taken = middle..theirs.end;
                theirs.end = middle;
                taken
            };
            // Nothing, if they went on meanwhile: others may have more.
            if let Some(task) = taken.next() {
                *self.share(own) = taken;
                return Some(task);
            }
        }
    }

    fn share(&self, index: usize) -> MutexGuard<'_, Range<usize>> {
        // A range is whole whatever panicked.
        self.0[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Set in [`Team::state`] when the caller is through with its own part: nobody joins any more.
const CLOSED: usize = 1 << (usize::BITS - 1);
/// How often the caller looks for the others' end before it sleeps: about the time of one task.
const LOOKS: usize = 2_000;

/// One piece of work that several threads do a part of.
struct Team {
    /// Valid while the caller waits, which it does until everybody who joined has left.
    work: *const (dyn Fn() + Sync),
    /// How many joined and have not left yet, and [`CLOSED`].
    state: AtomicUsize,
    caller: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `work` is `Sync` and used only by threads that joined, see its field; the rest is `Send` and `Sync`.
unsafe impl Send for Team {}
// SAFETY: as above.
unsafe impl Sync for Team {}

impl Team {
    fn join(&self) {
        let joined = |state| (state & CLOSED == 0).then_some(state + 1);
        if self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, joined).is_err() {
            return;
        }
        // SAFETY: this thread has joined and not left, so the caller still waits.
        let work = unsafe { &*self.work };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
        }
        if self.state.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.caller.unpark();
        }
    }

    fn close(&self) {
        self.state.fetch_or(CLOSED, Ordering::Relaxed);
        let mut looks = 0;
        while self.state.load(Ordering::Acquire) != CLOSED {
            if looks < LOOKS {
                looks += 1;
                std::hint::spin_loop();
            } else {
                std::thread::park();
            }
        }
    }
}

/// Calls `work` on this thread and on up to `helpers` threads of the pool, and returns when all calls that began have ended. A panic
/// of any of them goes on in the caller.
fn together(helpers: usize, work: &(dyn Fn() + Sync)) {
    // SAFETY: only the lifetime changes; `close` waits for all who use the reference.
    let work_for_all: *const (dyn Fn() + Sync) =
        unsafe { std::mem::transmute::<&(dyn Fn() + Sync), *const (dyn Fn() + Sync + 'static)>(work) };
    let team = Arc::new(Team {
        work: work_for_all,
        state: AtomicUsize::new(0),
        caller: std::thread::current(),
        panic: Mutex::new(None),
    });
    for _ in 0..helpers {
        let team = Arc::clone(&team);
        rayon::spawn(move || team.join());
    }
    let own = catch_unwind(AssertUnwindSafe(work));
    team.close();
    let others = team.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(panic) = own.err().or(others) {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    const MANY: usize = PARALLEL_MIN;

    #[test]
    fn every_task_runs_once() {
        for tasks in [2, 3, 100, 5000] {
            let runs: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
            for_each_task(tasks, MANY, &Attention::default(), |task| {
                runs[task].fetch_add(1, Ordering::Relaxed);
                Ok(())
            })
            .expect("nothing fails");
            assert!(runs.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{tasks} tasks");
        }
    }

    #[test]
    fn what_a_thread_that_never_came_had_to_do_is_done() {
        for (tasks, threads) in [(1, 2), (7, 3), (100, 2), (1000, 5)] {
            let shares = Shares::new(tasks, threads);
            let own: Vec<usize> = shares.share(1).clone().collect();
            let mut done: Vec<usize> = std::iter::from_fn(|| shares.take(1)).collect();
            assert_eq!(done[..own.len()], own, "its own first");
            done.sort_unstable();
            assert_eq!(done, (0..tasks).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_failure_is_the_answer_and_ends_the_rest() {
        let began = AtomicUsize::new(0);
        let attention = Attention::default();
        let result = for_each_task(1_000_000, MANY, &attention, |task| {
            began.fetch_add(1, Ordering::Relaxed);
            if task == 3 {
                attention.interrupt();
            }
            Ok(())
        });
        assert!(matches!(result, Err(ArrayError::Interrupted)), "{result:?}");
        assert!(began.load(Ordering::Relaxed) < 1_000_000);
    }

    #[test]
    fn a_panic_reaches_the_caller_after_all_have_left() {
        let inside = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            for_each_task(64, MANY, &Attention::default(), |task| {
                assert!(!is_over.load(Ordering::Relaxed), "a task began after the caller went on");
                inside.fetch_add(1, Ordering::SeqCst);
                let leave = scopeguard(&inside);
                assert!(task != 5, "task five");
                drop(leave);
                Ok(())
            })
        }));
        is_over.store(true, Ordering::Relaxed);
        let message = caught.expect_err("the panic goes on");
        assert!(message.downcast_ref::<&str>().is_some_and(|text| text.contains("task five")));
        assert_eq!(inside.load(Ordering::SeqCst), 0);
    }

    /// Counts down where it is dropped, in a panic too.
    fn scopeguard(count: &AtomicUsize) -> impl Drop + '_ {
        struct Leave<'a>(&'a AtomicUsize);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::SeqCst);
            }
        }
        Leave(count)
    }

    #[test]
    fn tasks_may_have_tasks_of_their_own() {
        let total = AtomicUsize::new(0);
        for_each_task(8, MANY, &Attention::default(), |_| {
            for_each_task(8, MANY, &Attention::default(), |_| {
                total.fetch_add(1, Ordering::Relaxed);
                Ok(())
            })
        })
        .expect("nothing fails");
        assert_eq!(total.load(Ordering::Relaxed), 64);
    }
}
