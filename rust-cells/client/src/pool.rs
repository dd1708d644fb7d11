//! Threads that compute pieces of arrays with registered functions.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    jobs: Mutex<VecDeque<Job>>,
    has_more: Condvar,
}

/// As many threads as there are processors, which live as long as the process.
pub(crate) struct Pool(Arc<Queue>);

impl Pool {
    /// Starts the threads.
    pub fn start(threads_max: usize) -> Pool {
        let queue = Arc::<Queue>::default();
        let count = std::thread::available_parallelism().map_or(1, usize::from).clamp(1, threads_max);
        let mut started = 0;
        for _ in 0..count {
            let queue = queue.clone();
            let spawned = std::thread::Builder::new().name("registered function".into()).spawn(move || queue.work());
            started += usize::from(spawned.is_ok());
        }
        assert!(started > 0, "no thread could be started for registered functions");
        Pool(queue)
    }

    /// Hands a job to whichever thread is free first.
    pub fn run(&self, job: impl FnOnce() + Send + 'static) {
        self.0.jobs.lock().unwrap_or_else(PoisonError::into_inner).push_back(Box::new(job));
        self.0.has_more.notify_one();
    }
}

impl Queue {
    fn work(&self) {
        loop {
            let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            let job = loop {
                match jobs.pop_front() {
                    Some(job) => break job,
                    None => jobs = self.has_more.wait(jobs).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(jobs);
            job();
        }
    }
}
