//! A list that runs commands as they are appended, and the events that order them.
//!
//! A driver with in-order lists keeps the order itself; with an older one each command waits for the one before it.

use super::device::Shared;
use super::loader::{Failure, Handle, check, ze};
use crate::arrays::backend::BackendError;
use level_zero_sys::*;
use std::ptr::null_mut;
use std::sync::Arc;
use std::time::Duration;

/// The first version of the specification with in-order lists.
const IN_ORDER_SINCE: (u32, u32) = (1, 7);

/// How long one wait for the driver lasts. Between two, the health of the device is looked at: some drivers never end a wait
/// for a hung device.
const SLICE: Duration = Duration::from_millis(20);

/// An event of the driver.
pub(super) type Signal = Handle<_ze_event_handle_t>;

/// An immediate list.
pub(super) struct Commands {
    device: Arc<Shared>,
    list: Handle<_ze_command_list_handle_t>,
    in_order: bool,
}

impl Commands {
    pub(super) fn open(device: Arc<Shared>) -> Result<Commands, BackendError> {
        let in_order = ze_command_queue_flag_t::ZE_COMMAND_QUEUE_FLAG_IN_ORDER.0;
        if device.driver().api >= IN_ORDER_SINCE {
            match create_list(&device, in_order) {
                Ok(list) => return Ok(Commands { device, list, in_order: true }),
                // An older loader that checks parameters does not know the flag.
                Err(failure) if failure.result == ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION => {}
                Err(failure) => return Err(device.refused(failure)),
            }
        }
        match create_list(&device, 0) {
            Ok(list) => Ok(Commands { device, list, in_order: false }),
            Err(failure) => Err(device.refused(failure)),
        }
    }

    pub(super) fn device(&self) -> &Arc<Shared> {
        &self.device
    }

    pub(super) fn list(&self) -> Handle<_ze_command_list_handle_t> {
        self.list
    }

    /// The events that a command must wait for to come after `earlier`.
    pub(super) fn after(&self, earlier: Option<Signal>) -> Option<ze_event_handle_t> {
        earlier.filter(|_| !self.in_order).map(|event| event.0)
    }

    /// Copies bytes. Both sides belong to the context.
    pub(super) fn copy(
        &self,
        from: usize,
        to: usize,
        bytes: usize,
        signal: Signal,
        after: Option<Signal>,
    ) -> Result<(), BackendError> {
        let api = self.device.api();
        let mut wait_for = self.after(after);
        let events = wait_for.as_mut_slice();
        let (count, events) = (events.len() as u32, events.as_mut_ptr());
        let (from, to) = (std::ptr::with_exposed_provenance(from), std::ptr::with_exposed_provenance_mut(to));
        // SAFETY: the list is live; the ranges lie in live memory of the context, kept by the step; the events outlive the call.
        unsafe { ze!(api.zeCommandListAppendMemoryCopy(self.list.0, to, from, bytes, signal.0, count, events)) }
            .map_err(|failure| self.device.refused(failure))
    }

    /// Writes a pattern over and over.
    pub(super) fn fill(
        &self,
        to: usize,
        bytes: usize,
        pattern: &[u8],
        signal: Signal,
        after: Option<Signal>,
    ) -> Result<(), BackendError> {
        let api = self.device.api();
        let mut wait_for = self.after(after);
        let events = wait_for.as_mut_slice();
        let (count, events) = (events.len() as u32, events.as_mut_ptr());
        let (to, pattern, length) = (std::ptr::with_exposed_provenance_mut(to), pattern.as_ptr().cast(), pattern.len());
        // SAFETY: as for copies; the pattern is copied by the call.
        unsafe {
            ze!(api.zeCommandListAppendMemoryFill(self.list.0, to, pattern, length, bytes, signal.0, count, events))
        }
        .map_err(|failure| self.device.refused(failure))
    }

    /// Waits for an event in slices, and sees a device that fails meanwhile.
    pub(super) fn wait(&self, event: Signal) -> Result<(), BackendError> {
        while !self.poll(event, SLICE)? {}
        Ok(())
    }

    /// Waits for an event for a while; whether it was signalled.
    pub(super) fn poll(&self, event: Signal, most: Duration) -> Result<bool, BackendError> {
        let api = self.device.api();
        // SAFETY: the event is live.
        match unsafe { ze!(api.zeEventHostSynchronize(event.0, most.as_nanos() as u64)) } {
            Ok(()) => Ok(true),
            Err(failure) if failure.result == ze_result_t::ZE_RESULT_NOT_READY => {
                self.device.check_driver()?;
                Ok(false)
            }
            // Nobody knows what a command did whose end cannot be waited for: nothing on the device can be relied on.
            Err(failure) => Err(self.device.lose(failure)),
        }
    }
}

impl Drop for Commands {
    fn drop(&mut self) {
        let api = self.device.api();
        // SAFETY: every command was waited for, or the device is lost. A refusal leaves nothing to do.
        let _ = unsafe { ze!(api.zeCommandListDestroy(self.list.0)) };
    }
}

fn create_list(device: &Shared, flags: u32) -> Result<Handle<_ze_command_list_handle_t>, Failure> {
    let api = device.api();
    let description = ze_command_queue_desc_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        ordinal: device.group.ordinal,
        flags,
        mode: ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
        ..Default::default()
    };
    let (context, owner) = (device.context.0, device.found.handle.0);
    let mut list = null_mut();
    // SAFETY: context and device are live; the description and the result outlive the call.
    unsafe { ze!(api.zeCommandListCreateImmediate(context, owner, &description, &mut list)) }?;
    Ok(Handle(list))
}

/// Events of one queue.
pub(super) struct Events {
    device: Arc<Shared>,
    pool: Handle<_ze_event_pool_handle_t>,
    events: Vec<Signal>,
    timed: bool,
}

impl Events {
    /// `count` events, with times or not.
    pub(super) fn create(device: Arc<Shared>, count: u32, timed: bool) -> Result<Events, BackendError> {
        let api = device.api();
        let times = ze_event_pool_flag_t::ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP.0;
        let description = ze_event_pool_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
            flags: ze_event_pool_flag_t::ZE_EVENT_POOL_FLAG_HOST_VISIBLE.0 | if timed { times } else { 0 },
            count,
            ..Default::default()
        };
        let mut owner = device.found.handle.0;
        let mut pool = null_mut();
        // SAFETY: context and device are live; the description, the one device and the result outlive the call.
        unsafe { ze!(api.zeEventPoolCreate(device.context.0, &description, 1, &mut owner, &mut pool)) }
            .map_err(|failure| device.refused(failure))?;
        let mut created = Events { device, pool: Handle(pool), events: Vec::new(), timed };
        for index in 0..count {
            let event = created.create_event(index).map_err(|failure| created.device.refused(failure))?;
            created.events.push(event);
        }
        Ok(created)
    }

    fn create_event(&self, index: u32) -> Result<Signal, Failure> {
        let api = self.device.api();
        let host = ze_event_scope_flag_t::ZE_EVENT_SCOPE_FLAG_HOST.0;
        let description = ze_event_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_EVENT_DESC,
            index,
            signal: host,
            wait: host,
            ..Default::default()
        };
        let mut event = null_mut();
        // SAFETY: the pool is live and has this index; the description and the result outlive the call.
        unsafe { ze!(api.zeEventCreate(self.pool.0, &description, &mut event)) }?;
        Ok(Handle(event))
    }

    /// Every event.
    pub(super) fn all(&self) -> impl Iterator<Item = Signal> {
        self.events.iter().copied()
    }

    /// The event of a number below the count.
    pub(super) fn event(&self, index: usize) -> Signal {
        self.events[index]
    }

    /// Makes an event ready to be signalled again. Nothing waits for it any more.
    pub(super) fn reset(&self, event: Signal) -> Result<(), BackendError> {
        let api = self.device.api();
        // SAFETY: the event is live.
        unsafe { ze!(api.zeEventHostReset(event.0)) }.map_err(|failure| self.device.refused(failure))
    }

    /// Nanoseconds between start and end of what signalled the event, where events are timed.
    pub(super) fn duration(&self, event: Signal) -> Option<u64> {
        if !self.timed {
            return None;
        }
        let api = self.device.api();
        let mut times = ze_kernel_timestamp_result_t::default();
        // SAFETY: the event is live and was signalled; the result outlives the call.
        check("zeEventQueryKernelTimestamp", unsafe { (api.zeEventQueryKernelTimestamp)(event.0, &mut times) }).ok()?;
        let (nanoseconds, mask) = self.device.found.timer;
        let ticks = times.global.kernelEnd.wrapping_sub(times.global.kernelStart) & mask;
        Some((ticks as f64 * nanoseconds) as u64)
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let api = self.device.api();
        for event in &self.events {
            // SAFETY: nothing signals the event or waits for it any more. A refusal leaves nothing to do.
            let _ = unsafe { ze!(api.zeEventDestroy(event.0)) };
        }
        // SAFETY: its events are destroyed.
        let _ = unsafe { ze!(api.zeEventPoolDestroy(self.pool.0)) };
    }
}
