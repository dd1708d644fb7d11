//! A queue that wakes a thread sleeping in `zmq_poll`: any thread posts, the socket's owner takes.
//!
//! A libzmq socket belongs to one thread; others reach it by posting here. The owner polls the mailbox's event
//! descriptor together with its socket, so no thread sleeps on two things in turn and none is woken for nothing.

use rustix::event::{self, EventfdFlags, PollFd, PollFlags};
use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An unbounded queue with a pollable descriptor.
pub struct Mailbox<T> {
    items: Mutex<VecDeque<T>>,
    wake: Wake,
}

impl<T> Mailbox<T> {
    /// An empty mailbox.
    pub fn new() -> io::Result<Mailbox<T>> {
        Ok(Mailbox { items: Mutex::new(VecDeque::new()), wake: Wake::new()? })
    }

    /// Adds an item behind the others and wakes the owner.
    pub fn post(&self, item: T) {
        self.change(|items| items.push_back(item));
    }

    /// Changes the queue in place (to merge into its last item, say) and wakes the owner if it was empty before.
    pub fn change<R>(&self, change: impl FnOnce(&mut VecDeque<T>) -> R) -> R {
        let mut items = self.lock();
        let was_empty = items.is_empty();
        let result = change(&mut items);
        if was_empty && !items.is_empty() {
            self.wake.set();
        }
        result
    }

    /// Takes the first item, if there is one.
    pub fn take(&self) -> Option<T> {
        let mut items = self.lock();
        let item = items.pop_front();
        if items.is_empty() {
            self.wake.clear();
        }
        item
    }

    /// Takes the first item, waiting for it.
    pub fn wait(&self) -> T {
        loop {
            if let Some(item) = self.take() {
                return item;
            }
            self.wake.wait();
        }
    }

    /// How many items wait.
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// Readable while there are items.
    pub fn descriptor(&self) -> RawFd {
        self.wake.descriptor()
    }

    /// A panic while the lock was held leaves a whole queue: every change is one push, pop or append.
    fn lock(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A level that threads can wait for: an `eventfd`.
pub struct Wake(OwnedFd);

impl Wake {
    /// A level that is not set.
    pub fn new() -> io::Result<Wake> {
        Ok(Wake(event::eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?))
    }

    /// Sets the level. It cannot fail: the counter would have to be set 2^64 times without being cleared.
    pub fn set(&self) {
        let _ = rustix::io::write(&self.0, &1u64.to_ne_bytes());
    }

    /// Clears the level; harmless when it is not set.
    pub fn clear(&self) {
        let _ = rustix::io::read(&self.0, &mut [0u8; 8][..]);
    }

    /// Sleeps until the level is set, or earlier when a signal arrives.
    pub fn wait(&self) {
        let _ = event::poll(&mut [PollFd::new(&self.0, PollFlags::IN)], None);
    }

    /// Readable while the level is set.
    pub fn descriptor(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn readable(descriptor: RawFd) -> bool {
        let mut items = [zmq::PollItem::from_fd(descriptor, zmq::POLLIN)];
        zmq::poll(&mut items, 0).unwrap() == 1
    }

    #[test]
    fn readable_exactly_while_there_are_items() {
        let mailbox = Mailbox::new().unwrap();
        assert!(!readable(mailbox.descriptor()));
        mailbox.post(1);
        mailbox.post(2);
        assert!(readable(mailbox.descriptor()));
        assert_eq!(mailbox.take(), Some(1));
        assert!(readable(mailbox.descriptor()));
        assert_eq!(mailbox.take(), Some(2));
        assert!(!readable(mailbox.descriptor()));
        assert_eq!(mailbox.take(), None);
    }

    #[test]
    fn every_item_of_every_thread_arrives_once() {
        let mailbox = Arc::new(Mailbox::new().unwrap());
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                let mailbox = Arc::clone(&mailbox);
                std::thread::spawn(move || (0..1000).for_each(|item| mailbox.post(thread * 1000 + item)))
            })
            .collect();
        let mut taken: Vec<i32> = (0..4000).map(|_| mailbox.wait()).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        taken.sort_unstable();
        assert_eq!(taken, (0..4000).collect::<Vec<_>>());
        assert_eq!(mailbox.take(), None);
    }
}
