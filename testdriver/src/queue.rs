//! Command queues.

use crate::answer::{Answer, array, place, read, refuse};
use crate::command::Command;
use crate::command_list::CommandList;
use crate::context::Context;
use crate::device::{QUEUE_GROUPS, device};
use crate::driver::{Driver, call, work};
use crate::engine::{Order, QueueId, Recorded};
use crate::event::Fence;
use level_zero_sys::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A queue, or the hidden queue of an immediate list.
pub(crate) struct Queue {
    id: QueueId,
    /// The ordinal of its group.
    pub group: u32,
    synchronous: bool,
    last: AtomicU64,
}

impl Queue {
    /// Opens a queue as a descriptor asks.
    pub fn open(driver: &'static Driver, descriptor: &ze_command_queue_desc_t) -> Answer<Queue> {
        check_group(descriptor.ordinal)?;
        if descriptor.index != 0 {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "each group has one queue");
        }
        let synchronous = match descriptor.mode {
            ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS => true,
            ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS
            | ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_DEFAULT => false,
            _ => return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION, "an unknown mode"),
        };
        let id = driver.engine.open(driver)?;
        Ok(Queue { id, group: descriptor.ordinal, synchronous, last: AtomicU64::new(0) })
    }

    /// Submits commands of a list.
    pub fn submit(&self, driver: &Driver, list: u64, commands: impl IntoIterator<Item = Recorded>) -> Answer {
        self.last.store(driver.engine.submit(self.id, list, commands), Ordering::SeqCst);
        if self.synchronous { self.synchronize(driver, u64::MAX) } else { Ok(()) }
    }

    /// Waits until all that was submitted so far has ended.
    pub fn synchronize(&self, driver: &Driver, timeout: u64) -> Answer {
        let last = self.last.load(Ordering::SeqCst);
        driver.check_lost()?;
        driver.engine.wait(driver, timeout, |state| state.has_ended(self.id, last))?;
        // A lost device forgets what was submitted.
        driver.check_lost()
    }

    /// Ends it.
    pub fn close(&self, driver: &Driver) -> Answer {
        driver.engine.close(self.id)
    }
}

/// Refuses ordinals that no group has.
pub(crate) fn check_group(ordinal: u32) -> Answer {
    if (ordinal as usize) < QUEUE_GROUPS.len() {
        return Ok(());
    }
    refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, format!("there is no group {ordinal} of queues"))
}

pub(crate) unsafe extern "C" fn zeCommandQueueCreate(
    context: ze_context_handle_t,
    handle: ze_device_handle_t,
    descriptor: *const ze_command_queue_desc_t,
    queue: *mut ze_command_queue_handle_t,
) -> ze_result_t {
    work("zeCommandQueueCreate", |driver| {
        driver.objects.get::<Context, _>(context)?;
        device(driver, handle)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (descriptor, queue) = unsafe { (read(descriptor)?, place(queue)?) };
        *queue = driver.objects.insert(Queue::open(driver, descriptor)?);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeCommandQueueDestroy(queue: ze_command_queue_handle_t) -> ze_result_t {
    call("zeCommandQueueDestroy", |driver| {
        driver.objects.get::<Queue, _>(queue)?.close(driver)?;
        driver.objects.remove::<Queue, _>(queue).map(drop)
    })
}

pub(crate) unsafe extern "C" fn zeCommandQueueExecuteCommandLists(
    queue: ze_command_queue_handle_t,
    count: u32,
    lists: *mut ze_command_list_handle_t,
    fence: ze_fence_handle_t,
) -> ze_result_t {
    work("zeCommandQueueExecuteCommandLists", |driver| {
        let queue = driver.objects.get::<Queue, _>(queue)?;
        let fence = driver.objects.get_optional::<Fence, _>(fence)?;
        // SAFETY: the caller's array is as the specification asks.
        let lists = unsafe { array(lists, count as usize) }?
            .iter()
            .map(|list| driver.objects.get::<CommandList, _>(*list)?.closed_commands(queue.group))
            .collect::<Answer<Vec<_>>>()?;
        for commands in lists {
            queue.submit(driver, driver.engine.number(), commands)?;
        }
        if let Some(fence) = fence {
            let command = Arc::new(Command::Fence(fence));
            let recorded = Recorded { command, order: Order::After, waits: Vec::new(), signal: None };
            queue.submit(driver, driver.engine.number(), [recorded])?;
        }
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeCommandQueueSynchronize(
    queue: ze_command_queue_handle_t,
    timeout: u64,
) -> ze_result_t {
    call("zeCommandQueueSynchronize", |driver| driver.objects.get::<Queue, _>(queue)?.synchronize(driver, timeout))
}
