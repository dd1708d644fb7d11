//! The backend under the real loader, on the test driver: each test in a process of its own, because loader and driver read the
//! environment once.

mod arrays;
mod child;
mod failures;
mod figures;
mod programs;
mod recording;
mod work;

use super::LevelZeroBackend;
use crate::arrays::backend::{
    Argument, Backend, Block, Device, Keep, Launch, ProgramText, Queue, QueueProperties, Step, UsmKind, Work,
};
use crate::arrays::error::ArrayError;
use crate::arrays::event::Event;
use crate::arrays::spirv::sample::scale;
use smallvec::smallvec;
use std::sync::Arc;

/// An opened device with a queue, as the layers above use them.
struct Client {
    device: Arc<dyn Device>,
    queue: Box<dyn Queue>,
    program: Arc<ProgramText>,
}

impl Client {
    fn open() -> Client {
        Client::try_open(false).unwrap_or_else(|error| panic!("{error}"))
    }

    fn try_open(profiling: bool) -> Result<Client, ArrayError> {
        let describe = |error: crate::arrays::backend::BackendError| error.describe("level_zero:gpu:0");
        LevelZeroBackend.devices().map_err(ArrayError::runtime)?;
        let device = LevelZeroBackend.open(0).map_err(describe)?;
        let queue = device.open_queue(QueueProperties { in_order: true, profiling }).map_err(describe)?;
        Ok(Client { device, queue, program: scale(None) })
    }

    fn block(&self, usm: UsmKind, bytes: usize) -> Result<Block, ArrayError> {
        self.device.allocate(usm, bytes).map_err(|error| error.describe("level_zero:gpu:0"))
    }

    fn submit(&self, work: Work) -> Event {
        self.submit_after(work, &[])
    }

    fn submit_after(&self, work: Work, wait_for: &[Event]) -> Event {
        let step = Step { label: "test", holds: Box::default(), keep: Keep::new(), inputs: Box::default(), work };
        self.queue.submit(step, wait_for)
    }

    fn scale(&self, at: usize, len_elements: u32, factor: f64) -> Work {
        Work::Launch(Launch {
            program: self.program.clone(),
            arguments: smallvec![Argument::Pointer(at), Argument::scalar(&factor.to_le_bytes())],
            groups: [len_elements / 16, 1, 1],
            local: [16, 1, 1],
        })
    }

    /// Uploads numbers, scales them `times` times by two, downloads them: everything a program goes through.
    fn round(&self, numbers: &[f64], times: i32) -> Result<Vec<f64>, ArrayError> {
        let bytes = size_of_val(numbers);
        let block = self.block(UsmKind::Device, bytes)?;
        let at = block.address();
        let mut back = vec![0.0; numbers.len()];
        let (from, to) = (numbers.as_ptr().expose_provenance(), back.as_mut_ptr().expose_provenance());
        let mut events = vec![self.submit(Work::Copy { from, to: at, bytes })];
        events.extend((0..times).map(|_| self.submit(self.scale(at, numbers.len() as u32, 2.0))));
        events.push(self.submit(Work::Copy { from: at, to, bytes }));
        // Every step is waited for before its memory goes, however one of them ended.
        let outcomes: Vec<_> = events.iter().map(Event::wait).collect();
        self.device.release(UsmKind::Device, block);
        outcomes.into_iter().collect::<Result<(), _>>().map(|()| back)
    }

    fn assert_round(&self) {
        let numbers: Vec<f64> = (0..4096).map(f64::from).collect();
        let expected: Vec<f64> = numbers.iter().map(|x| x * 8.0).collect();
        assert_eq!(self.round(&numbers, 3), Ok(expected));
        assert!(UsmKind::ALL.into_iter().all(|usm| self.device.bytes_mapped(usm) == 0));
    }
}
