//! An in-order OpenCL queue as the worker of a queue drives it: one command at a time, waited for, with its times.

use super::device::{Context, Health};
use super::loader::{self, Handle};
use super::program::Programs;
use crate::arrays::backend::{Argument, BackendError, Launch, Work};
use crate::arrays::error::ArrayError;
use crate::arrays::worker::{BRIEF, Executor, run_on_host};
use std::ptr::{null, null_mut};
use std::sync::Arc;

pub(super) struct OpenClExecutor {
    context: Arc<Context>,
    programs: Arc<Programs>,
    health: Arc<Health>,
    /// The device's name in the ledger, for errors.
    device: Box<str>,
    queue: Handle,
    profiling: bool,
}

// SAFETY: a queue may be used from any thread; it is owned here alone.
unsafe impl Send for OpenClExecutor {}

impl OpenClExecutor {
    pub(super) fn open(
        context: Arc<Context>,
        programs: Arc<Programs>,
        health: Arc<Health>,
        device: Box<str>,
        profiling: bool,
    ) -> Result<OpenClExecutor, BackendError> {
        let properties = [loader::QUEUE_PROPERTIES, if profiling { loader::QUEUE_PROFILING_ENABLE } else { 0 }, 0];
        let mut code = 0;
        // SAFETY: context and device are live, and the list of properties ends with zero.
        let queue =
            unsafe { (context.api.create_queue)(context.handle, context.device, properties.as_ptr(), &raw mut code) };
        loader::check("clCreateCommandQueueWithProperties", code)?;
        Ok(OpenClExecutor { context, programs, health, device, queue, profiling })
    }

    fn run(&self, work: Work) -> Result<Option<u64>, BackendError> {
        let Context { api, usm, .. } = &*self.context;
        match work {
            Work::Launch(launch) => self.launch(&launch),
            Work::Copy { bytes: 0, .. } | Work::Fill { bytes: 0, .. } | Work::Marker | Work::Host(_) => Ok(None),
            Work::Copy { from, to, bytes } => self.command("clEnqueueMemcpyINTEL", |event| {
                let from = std::ptr::with_exposed_provenance(from);
                let to = std::ptr::with_exposed_provenance_mut(to);
                // SAFETY: the step names live ranges of this length that it keeps, and its queue orders their users.
                unsafe { (usm.copy)(self.queue, 0, to, from, bytes, 0, null(), event) }
            }),
            Work::Fill { to, bytes, pattern } => self.command("clEnqueueMemFillINTEL", |event| {
                let to = std::ptr::with_exposed_provenance_mut(to);
                // SAFETY: as for copies; the driver copies the pattern before it returns.
                unsafe { (usm.fill)(self.queue, to, pattern.as_ptr().cast(), pattern.len(), bytes, 0, null(), event) }
            }),
        }
        .inspect_err(|_| {
            // SAFETY: the queue is live.
            unsafe { (api.flush)(self.queue) };
        })
    }

    fn launch(&self, launch: &Launch) -> Result<Option<u64>, BackendError> {
        let Context { api, usm, .. } = &*self.context;
        let program = self.programs.get(&launch.program)?;
        let global: [usize; 3] = std::array::from_fn(|axis| launch.groups[axis] as usize * launch.local[axis] as usize);
        let local = launch.local.map(|width| width as usize);
        // Arguments belong to the kernel object until it is enqueued, so another queue must not set its own meanwhile.
        let kernel = program.kernel();
        for (index, argument) in launch.arguments.iter().enumerate() {
            let index = index as u32;
            match argument {
                Argument::Pointer(address) => {
                    // SAFETY: the kernel is locked, and the address lies in an allocation that the step keeps.
                    let code =
                        unsafe { (usm.set_pointer)(*kernel, index, std::ptr::with_exposed_provenance(*address)) };
                    loader::check("clSetKernelArgMemPointerINTEL", code)?;
                }
                Argument::Scalar { bytes, len } => {
                    // SAFETY: the kernel is locked; `len` bytes are readable, and the driver copies them.
                    let code = unsafe { (api.set_argument)(*kernel, index, usize::from(*len), bytes.as_ptr().cast()) };
                    loader::check("clSetKernelArg", code)?;
                }
            }
        }
        let event = self.enqueue("clEnqueueNDRangeKernel", |event| {
            // SAFETY: the kernel is locked and has its arguments; three widths of each kind are readable.
            unsafe {
                (api.enqueue_kernel)(self.queue, *kernel, 3, null(), global.as_ptr(), local.as_ptr(), 0, null(), event)
            }
        })?;
        drop(kernel);
        self.wait("clEnqueueNDRangeKernel", &event)
    }

    fn command(
        &self,
        call: &'static str,
        enqueue: impl FnOnce(*mut Handle) -> i32,
    ) -> Result<Option<u64>, BackendError> {
        let event = self.enqueue(call, enqueue)?;
        self.wait(call, &event)
    }

    fn enqueue(&self, call: &'static str, enqueue: impl FnOnce(*mut Handle) -> i32) -> Result<Command, BackendError> {
        let mut event = null_mut();
        loader::check(call, enqueue(&raw mut event))?;
        Ok(Command { context: self.context.clone(), event })
    }

    /// Waits for a command; how many nanoseconds it took, where the queue profiles.
    fn wait(&self, call: &'static str, command: &Command) -> Result<Option<u64>, BackendError> {
        let api = self.context.api;
        // SAFETY: one live event is readable.
        let code = unsafe { (api.wait_for_events)(1, &raw const command.event) };
        // A failed command has a negative status, which the wait only hints at.
        let status = loader::number(api.get_event_info, command.event, loader::EVENT_COMMAND_EXECUTION_STATUS)
            .map_or(0, |status| status as u32 as i32);
        if status < 0 {
            // A command that was accepted and failed leaves device memory in an unknown state.
            let name = loader::code_name(status);
            return Err(BackendError::Lost {
                reason: format!("{call} failed on the device with {name} ({status})").into(),
            });
        }
        loader::check("clWaitForEvents", code)?;
        if !self.profiling {
            return Ok(None);
        }
        let time = |what| loader::number(api.get_profiling_info, command.event, what);
        let times = time(loader::PROFILING_COMMAND_START).zip(time(loader::PROFILING_COMMAND_END));
        Ok(times.map(|(start, end)| end.saturating_sub(start)))
    }
}

impl Executor for OpenClExecutor {
    fn execute(&mut self, label: &'static str, work: Work) -> Result<Option<u64>, ArrayError> {
        let outcome = self.health.check().and_then(|()| match work {
            Work::Host(work) => Ok(Err(work)),
            other => self.run(other).map(Ok),
        });
        match self.health.note(outcome) {
            Ok(Ok(device_ns)) => Ok(device_ns),
            Ok(Err(work)) => run_on_host(label, work).map(|()| None),
            Err(error) => Err(error.describe(&self.device)),
        }
    }

    fn calls_a_driver(&self) -> bool {
        true
    }

    fn is_brief(&self, work: &Work) -> bool {
        match work {
            Work::Launch(launch) => {
                let items = |(groups, local): (u32, u32)| (groups as usize).saturating_mul(local as usize);
                let all = launch.groups.into_iter().zip(launch.local).map(items).fold(1, usize::saturating_mul);
                // A program that must be built first takes long, however little it does.
                all <= BRIEF && self.programs.is_built(&launch.program)
            }
            Work::Copy { bytes, .. } | Work::Fill { bytes, .. } => *bytes <= BRIEF,
            Work::Marker => true,
            Work::Host(_) => false,
        }
    }
}

impl Drop for OpenClExecutor {
    fn drop(&mut self) {
        // SAFETY: the queue was created here and nothing is in flight: every command was waited for.
        unsafe { (self.context.api.release_queue)(self.queue) };
    }
}

/// A command in flight or ended.
struct Command {
    context: Arc<Context>,
    event: Handle,
}

impl Drop for Command {
    fn drop(&mut self) {
        // SAFETY: the event came with its command and is let go of once.
        unsafe { (self.context.api.release_event)(self.event) };
    }
}
