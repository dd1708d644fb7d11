//! Which submitted command runs next.
//!
//! In its ordinary mode each queue has a worker thread that runs the queue's commands in order, as a lenient device might:
//! "not ready", time limits and signals from the host are real. In the out-of-order mode nothing runs until the host waits
//! or asks; then one command is picked at random among all that no event, barrier or in-order list forbids. What a client
//! forgot to order is then found by its results. The picks follow from the seed alone as long as one thread submits and waits.

use crate::answer::{Answer, refuse};
use crate::command::{Command, Outcome};
use crate::driver::Driver;
use crate::event::Event;
use crate::opencl::ClQueue;
use level_zero_sys::ze_result_t;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a command is ordered among the commands of its queue, beside the events it waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Not at all.
    Free,
    /// After all earlier commands of its list.
    InList,
    /// After all earlier commands of its queue.
    After,
    /// Before all later commands of its queue.
    Before,
    /// Both.
    Barrier,
}

/// A command with what orders it, as a list records it.
#[derive(Clone)]
pub(crate) struct Recorded {
    /// What is done.
    pub command: Arc<Command>,
    /// Its order.
    pub order: Order,
    /// Events that must be signalled before it begins.
    pub waits: Vec<Arc<Event>>,
    /// The event it signals when it has ended.
    pub signal: Option<Arc<Event>>,
}

/// A submitted command.
struct Entry {
    number: u64,
    list: u64,
    recorded: Recorded,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Running,
    /// Injected: it never ends by itself.
    Hung,
}

/// A place to submit to: a queue, or the hidden queue of an immediate list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueueId(u64);

struct QueueState {
    entries: VecDeque<Entry>,
    runner: Arc<ClQueue>,
}

/// What is submitted and not ended.
pub(crate) struct State {
    queues: BTreeMap<QueueId, QueueState>,
    last: u64,
    random: Random,
    /// The out-of-order mode runs one command at a time.
    busy: bool,
    last_submission: Instant,
}

impl State {
    /// Whether every command of the queue up to this number has ended.
    pub fn has_ended(&self, queue: QueueId, number: u64) -> bool {
        self.queues.get(&queue).is_none_or(|queue| queue.entries.front().is_none_or(|first| first.number > number))
    }

    /// Whether a submitted command satisfies the predicate.
    pub fn any(&self, uses: impl Fn(&Recorded) -> bool) -> bool {
        self.queues.values().flat_map(|queue| &queue.entries).any(|entry| uses(&entry.recorded))
    }

    /// A random command among those that may run.
    fn pick(&mut self) -> Option<(QueueId, usize)> {
        let candidates: Vec<(QueueId, usize)> = self
            .queues
            .iter()
            .flat_map(|(id, queue)| (0..queue.entries.len()).map(move |index| (*id, &queue.entries, index)))
            .filter(|(_, entries, index)| may_run(entries, *index))
            .map(|(id, _, index)| (id, index))
            .collect();
        (!candidates.is_empty()).then(|| candidates[self.random.below(candidates.len())])
    }
}

/// Whether the specification lets this command of a queue begin now.
fn may_run(entries: &VecDeque<Entry>, index: usize) -> bool {
    let entry = &entries[index];
    let mut earlier = entries.iter().take(index);
    entry.stage == Stage::Waiting
        && entry.recorded.waits.iter().all(|event| event.is_signaled())
        && match entry.recorded.order {
            Order::After | Order::Barrier => index == 0,
            Order::InList => !earlier.any(|other| {
                other.list == entry.list || matches!(other.recorded.order, Order::Before | Order::Barrier)
            }),
            Order::Free | Order::Before => {
                !earlier.any(|other| matches!(other.recorded.order, Order::Before | Order::Barrier))
            }
        }
}

/// SplitMix64: small, and the same everywhere for a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }
}

/// Runs what is submitted.
pub(crate) struct Engine {
    state: Mutex<State>,
    changed: Condvar,
    shuffled: bool,
    hold: Duration,
}

/// How long a waiting thread sleeps at most before it looks again.
const SLICE: Duration = Duration::from_millis(10);

impl Engine {
    /// An engine with nothing submitted; with a seed it runs out of order.
    pub fn new(shuffle: Option<u64>, hold: Duration) -> Engine {
        Engine {
            state: Mutex::new(State {
                queues: BTreeMap::new(),
                last: 0,
                random: Random(shuffle.unwrap_or_default()),
                busy: false,
                last_submission: Instant::now(),
            }),
            changed: Condvar::new(),
            shuffled: shuffle.is_some(),
            hold,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new queue, with its worker in the ordinary mode.
    pub fn open(&'static self, driver: &'static Driver) -> Answer<QueueId> {
        let runner = driver.opencl.queue().or_else(|why| refuse(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST, why))?;
        let mut state = self.state();
        state.last += 1;
        let id = QueueId(state.last);
        state.queues.insert(id, QueueState { entries: VecDeque::new(), runner: Arc::new(runner) });
        drop(state);
        if !self.shuffled {
            let spawned = std::thread::Builder::new().name("testdriver".into()).spawn(move || self.serve(driver, id));
            spawned.or_else(|_| refuse(ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no thread"))?;
        }
        Ok(id)
    }

    /// Ends a queue on which nothing is submitted any more.
    pub fn close(&self, id: QueueId) -> Answer {
        let mut state = self.state();
        if state.queues.get(&id).is_some_and(|queue| !queue.entries.is_empty()) {
            return in_use("commands are still submitted");
        }
        state.queues.remove(&id);
        self.changed.notify_all();
        Ok(())
    }

    /// Submits commands of one list; answers the number of the last.
    pub fn submit(&self, id: QueueId, list: u64, commands: impl IntoIterator<Item = Recorded>) -> u64 {
        let mut state = self.state();
        for recorded in commands {
            state.last += 1;
            let number = state.last;
            if let Some(queue) = state.queues.get_mut(&id) {
                queue.entries.push_back(Entry { number, list, recorded, stage: Stage::Waiting });
            }
        }
        state.last_submission = Instant::now();
        self.changed.notify_all();
        state.last
    }

    /// A number that identifies one list or one execution of it.
    pub fn number(&self) -> u64 {
        let mut state = self.state();
        state.last += 1;
        state.last
    }

    /// Refuses while a submitted command satisfies the predicate: destroying what the device uses is an error of the client
    /// that real drivers do not find.
    pub fn refuse_use(&self, what: &'static str, uses: impl Fn(&Recorded) -> bool) -> Answer {
        if self.state().any(uses) { in_use(what) } else { Ok(()) }
    }

    /// Waits, up to a number of nanoseconds (`u64::MAX`: for ever), until the condition holds.
    pub fn wait(&self, driver: &Driver, timeout: u64, holds: impl Fn(&State) -> bool) -> Answer {
        let started = Instant::now();
        let limit = (timeout != u64::MAX).then(|| Duration::from_nanos(timeout));
        let mut state = self.state();
        loop {
            if holds(&state) {
                return Ok(());
            }
            driver.check_lost()?;
            let left = limit.map(|limit| limit.saturating_sub(started.elapsed()));
            if self.shuffled
                && !state.busy
                && state.last_submission.elapsed() >= self.hold
                && let Some((id, index)) = state.pick()
            {
                state = self.step(driver, state, id, index);
                if left != Some(Duration::ZERO) || holds(&state) {
                    continue;
                }
            }
            let Some(sleep) = Some(left.map_or(SLICE, |left| left.min(SLICE))).filter(|sleep| !sleep.is_zero()) else {
                return Err(ze_result_t::ZE_RESULT_NOT_READY.into());
            };
            let sleep = if self.shuffled { sleep.min(self.hold.max(Duration::from_micros(50))) } else { sleep };
            state = self.changed.wait_timeout(state, sleep).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The life of a queue's worker.
    fn serve(&self, driver: &Driver, id: QueueId) {
        let mut state = self.state();
        while let Some(queue) = state.queues.get(&id) {
            let ready = queue.entries.front().is_some_and(|first| {
                first.stage == Stage::Waiting && first.recorded.waits.iter().all(|event| event.is_signaled())
            });
            state = if ready {
                self.step(driver, state, id, 0)
            } else {
                self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    /// Runs one command, without the lock meanwhile.
    fn step<'a>(
        &'a self,
        driver: &Driver,
        mut state: MutexGuard<'a, State>,
        id: QueueId,
        index: usize,
    ) -> MutexGuard<'a, State> {
        let Some(queue) = state.queues.get_mut(&id) else { return state };
        let runner = Arc::clone(&queue.runner);
        let Some(entry) = queue.entries.get_mut(index) else { return state };
        entry.stage = Stage::Running;
        let (number, command) = (entry.number, Arc::clone(&entry.recorded.command));
        state.busy = true;
        drop(state);

        let began = driver.now();
        let outcome = command.run(driver, &runner);
        let ended = driver.now();

        let mut state = self.state();
        state.busy = false;
        match outcome {
            Outcome::Failed => self.lose_locked(driver, &mut state),
            outcome => {
                // Nothing is found when the device was lost meanwhile.
                if let Some(queue) = state.queues.get_mut(&id)
                    && let Some(index) = queue.entries.iter().position(|entry| entry.number == number)
                {
                    if outcome == Outcome::Hung {
                        queue.entries[index].stage = Stage::Hung;
                    } else if let Some(entry) = queue.entries.remove(index) {
                        entry.recorded.command.settle();
                        if let Some(event) = &entry.recorded.signal {
                            event.signal(began, ended);
                        }
                    }
                }
            }
        }
        self.changed.notify_all();
        state
    }

    /// The device is lost: nothing submitted will ever run, and every wait ends.
    pub fn lose(&self, driver: &Driver) {
        let mut state = self.state();
        self.lose_locked(driver, &mut state);
    }

    fn lose_locked(&self, driver: &Driver, state: &mut State) {
        driver.set_lost(true);
        for queue in state.queues.values_mut() {
            queue.entries.clear();
        }
        self.changed.notify_all();
    }

    /// Lets commands go on that were made to hang, and a lost device be there again.
    pub fn recover(&self, driver: &Driver) {
        let mut state = self.state();
        driver.set_lost(false);
        for entry in state.queues.values_mut().flat_map(|queue| &mut queue.entries) {
            if entry.stage == Stage::Hung {
                entry.stage = Stage::Waiting;
            }
        }
        self.changed.notify_all();
    }

    /// Changes something that waiting threads look at, and wakes them.
    pub fn wake_after<T>(&self, change: impl FnOnce() -> T) -> T {
        let _state = self.state();
        let answer = change();
        self.changed.notify_all();
        answer
    }
}

fn in_use<T>(what: &'static str) -> Answer<T> {
    refuse(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventPool;

    fn entry(list: u64, order: Order, waits: &[&Arc<Event>]) -> Entry {
        Entry {
            number: 0,
            list,
            recorded: Recorded {
                command: Arc::new(Command::Nothing),
                order,
                waits: waits.iter().map(|event| Arc::clone(event)).collect(),
                signal: None,
            },
            stage: Stage::Waiting,
        }
    }

    fn runnable(entries: Vec<Entry>) -> Vec<usize> {
        let entries = VecDeque::from(entries);
        (0..entries.len()).filter(|index| may_run(&entries, *index)).collect()
    }

    #[test]
    fn what_nothing_orders_may_run_in_any_order() {
        assert_eq!(runnable(vec![entry(1, Order::Free, &[]), entry(1, Order::Free, &[])]), [0, 1]);
    }

    #[test]
    fn a_barrier_waits_for_all_before_it_and_holds_back_all_after_it() {
        let commands = || vec![entry(1, Order::Free, &[]), entry(1, Order::Barrier, &[]), entry(2, Order::InList, &[])];
        assert_eq!(runnable(commands()), [0]);
        assert_eq!(runnable(commands().split_off(1)), [0]);
        assert_eq!(runnable(commands().split_off(2)), [0]);
    }

    #[test]
    fn an_in_order_list_orders_its_own_commands_only() {
        let (first, second) = (entry(1, Order::InList, &[]), entry(1, Order::InList, &[]));
        assert_eq!(runnable(vec![first, second, entry(2, Order::InList, &[])]), [0, 2]);
    }

    #[test]
    fn a_fence_waits_but_holds_nothing_back() {
        let commands = vec![entry(1, Order::Free, &[]), entry(1, Order::After, &[]), entry(2, Order::Free, &[])];
        assert_eq!(runnable(commands), [0, 2]);
    }

    #[test]
    fn events_order_what_waits_for_them() {
        let event = Arc::new(Event::new(Arc::new(EventPool::new(1, 1)), 0));
        let commands = || vec![entry(1, Order::Free, &[&event]), entry(1, Order::Before, &[&event])];
        assert!(runnable(commands()).is_empty());
        event.signal(0, 0);
        assert_eq!(runnable(commands()), [0, 1]);
    }

    #[test]
    fn the_seed_decides() {
        let picks = |seed| {
            let mut random = Random(seed);
            (0..64).map(|_| random.below(5)).collect::<Vec<_>>()
        };
        assert_eq!(picks(3), picks(3));
        assert_ne!(picks(3), picks(4));
        assert!((0..5).all(|value| picks(3).contains(&value)));
    }
}
