//! What a simulated device does with a step: takes its time, fails as scripted, and has the processor do the work.

use super::Health;
use crate::arrays::backend::{BackendError, Work};
use crate::arrays::error::ArrayError;
use crate::arrays::native::FarMemory;
use crate::arrays::worker::{Executor, run_on_host};
use std::sync::Arc;
use std::time::Duration;

pub(super) struct SimExecutor {
    pub(super) health: Arc<Health>,
    pub(super) latency: Duration,
    /// The name in the ledger, for errors.
    pub(super) device: Box<str>,
    pub(super) far: Arc<FarMemory>,
}

impl Executor for SimExecutor {
    fn execute(&mut self, label: &'static str, work: Work) -> Result<Option<u64>, ArrayError> {
        if !self.latency.is_zero() {
            std::thread::sleep(self.latency);
        }
        if let Err(error) = self.health.step() {
            // The step lets go of its arrays before its event, so that who waits finds them returned.
            drop(work);
            return Err(error.describe(&self.device));
        }
        match work {
            Work::Host(work) => run_on_host(label, work)?,
            Work::Copy { from, to, bytes } => self.far.copy(from, to, bytes),
            Work::Fill { to, bytes, pattern } => self.far.fill(to, bytes, &pattern),
            Work::Marker => {}
            Work::Launch(_) => {
                return Err(BackendError::Unsupported { what: work.name().into() }.describe(&self.device));
            }
        }
        Ok(None)
    }
}
