//! Command lists, those to be executed by a queue and immediate ones, and what is appended to them.

use crate::answer::{Answer, array, place, read, refuse};
use crate::command::{Command, Pitched};
use crate::context::Context;
use crate::device::{QUEUE_GROUPS, device};
use crate::driver::{Driver, call, work};
use crate::engine::{Order, Recorded};
use crate::event::{Event, events};
use crate::kernel::Kernel;
use crate::queue::{Queue, check_group};
use level_zero_sys::*;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

const COMPUTE: u32 = ze_command_queue_group_property_flag_t::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE.0;

/// A list.
pub(crate) struct CommandList {
    group: u32,
    in_order: bool,
    target: Target,
}

enum Target {
    /// Recorded, to be executed by a queue.
    Recording(Mutex<Recording>),
    /// Submitted at once; the number tells its commands from others.
    Immediate { queue: Queue, list: u64 },
}

#[derive(Default)]
struct Recording {
    commands: Vec<Recorded>,
    closed: bool,
}

impl CommandList {
    /// The commands of a closed list, for a queue of this group.
    pub fn closed_commands(&self, group: u32) -> Answer<Vec<Recorded>> {
        let Target::Recording(recording) = &self.target else {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "an immediate list cannot be executed");
        };
        if self.group != group {
            let code = ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE;
            return refuse(code, format!("a list of group {} on a queue of group {group}", self.group));
        }
        let recording = recording.lock().unwrap_or_else(PoisonError::into_inner);
        if !recording.closed {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is not closed");
        }
        Ok(recording.commands.clone())
    }

    /// Records or submits one command.
    fn append(&self, driver: &Driver, recorded: Recorded) -> Answer {
        match &self.target {
            Target::Immediate { queue, list } => queue.submit(driver, *list, [recorded]),
            Target::Recording(recording) => {
                let mut recording = recording.lock().unwrap_or_else(PoisonError::into_inner);
                if recording.closed {
                    return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is closed");
                }
                recording.commands.push(recorded);
                Ok(())
            }
        }
    }

    /// The order of a command that asks for none itself.
    fn order(&self) -> Order {
        if self.in_order { Order::InList } else { Order::Free }
    }
}

/// The events of an append.
struct Events {
    waits: Vec<Arc<Event>>,
    signal: Option<Arc<Event>>,
}

impl Events {
    /// # Safety
    /// The array has `count` handles.
    unsafe fn new(
        driver: &Driver,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) -> Answer<Events> {
        // SAFETY: passed on to the caller.
        Ok(Events { waits: unsafe { events(driver, count, waits) }?, signal: driver.objects.get_optional(signal)? })
    }
}

/// Appends a command that the list's own mode orders.
fn append(driver: &Driver, handle: ze_command_list_handle_t, command: Command, events: Events) -> Answer {
    let list = driver.objects.get::<CommandList, _>(handle)?;
    if matches!(command, Command::Launch { .. }) && QUEUE_GROUPS[list.group as usize] & COMPUTE == 0 {
        return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, "a list for copies runs no kernels");
    }
    let Events { waits, signal } = events;
    list.append(driver, Recorded { command: Arc::new(command), order: list.order(), waits, signal })
}

/// Appends a command with an order of its own.
fn append_ordered(
    driver: &Driver,
    handle: ze_command_list_handle_t,
    order: Order,
    waits: Vec<Arc<Event>>,
    signal: Option<Arc<Event>>,
) -> Answer {
    let recorded = Recorded { command: Arc::new(Command::Nothing), order, waits, signal };
    driver.objects.get::<CommandList, _>(handle)?.append(driver, recorded)
}

pub(crate) unsafe extern "C" fn zeCommandListCreate(
    context: ze_context_handle_t,
    handle: ze_device_handle_t,
    descriptor: *const ze_command_list_desc_t,
    list: *mut ze_command_list_handle_t,
) -> ze_result_t {
    work("zeCommandListCreate", |driver| {
        driver.objects.get::<Context, _>(context)?;
        device(driver, handle)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (descriptor, list) = unsafe { (read(descriptor)?, place(list)?) };
        check_group(descriptor.commandQueueGroupOrdinal)?;
        let in_order = descriptor.flags & ze_command_list_flag_t::ZE_COMMAND_LIST_FLAG_IN_ORDER.0 != 0;
        *list = driver.objects.insert(CommandList {
            group: descriptor.commandQueueGroupOrdinal,
            in_order: in_order && knows_in_order(driver),
            target: Target::Recording(Mutex::default()),
        });
        Ok(())
    })
}

/// Older drivers do not know the flags of in-order lists and go on without them.
fn knows_in_order(driver: &Driver) -> bool {
    driver.config.api_at_least(1, 7)
}

pub(crate) unsafe extern "C" fn zeCommandListCreateImmediate(
    context: ze_context_handle_t,
    handle: ze_device_handle_t,
    descriptor: *const ze_command_queue_desc_t,
    list: *mut ze_command_list_handle_t,
) -> ze_result_t {
    work("zeCommandListCreateImmediate", |driver| {
        driver.objects.get::<Context, _>(context)?;
        device(driver, handle)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (descriptor, list) = unsafe { (read(descriptor)?, place(list)?) };
        let in_order = descriptor.flags & ze_command_queue_flag_t::ZE_COMMAND_QUEUE_FLAG_IN_ORDER.0 != 0;
        let queue = Queue::open(driver, descriptor)?;
        *list = driver.objects.insert(CommandList {
            group: queue.group,
            in_order: in_order && knows_in_order(driver),
            target: Target::Immediate { queue, list: driver.engine.number() },
        });
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeCommandListDestroy(list: ze_command_list_handle_t) -> ze_result_t {
    call("zeCommandListDestroy", |driver| {
        let object = driver.objects.get::<CommandList, _>(list)?;
        if let Target::Immediate { queue, .. } = &object.target {
            queue.close(driver)?;
        }
        driver.objects.remove::<CommandList, _>(list).map(drop)
    })
}

pub(crate) unsafe extern "C" fn zeCommandListClose(list: ze_command_list_handle_t) -> ze_result_t {
    work("zeCommandListClose", |driver| match &driver.objects.get::<CommandList, _>(list)?.target {
        Target::Immediate { .. } => {
            refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "an immediate list is never closed")
        }
        Target::Recording(recording) => {
            recording.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
            Ok(())
        }
    })
}

pub(crate) unsafe extern "C" fn zeCommandListReset(list: ze_command_list_handle_t) -> ze_result_t {
    work("zeCommandListReset", |driver| match &driver.objects.get::<CommandList, _>(list)?.target {
        Target::Immediate { .. } => {
            refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "an immediate list is never reset")
        }
        Target::Recording(recording) => {
            *recording.lock().unwrap_or_else(PoisonError::into_inner) = Recording::default();
            Ok(())
        }
    })
}

pub(crate) unsafe extern "C" fn zeCommandListHostSynchronize(
    list: ze_command_list_handle_t,
    timeout: u64,
) -> ze_result_t {
    call("zeCommandListHostSynchronize", |driver| match &driver.objects.get::<CommandList, _>(list)?.target {
        Target::Immediate { queue, .. } => queue.synchronize(driver, timeout),
        Target::Recording(_) => {
            refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "only an immediate list can be waited for")
        }
    })
}

pub(crate) unsafe extern "C" fn zeCommandListAppendBarrier(
    list: ze_command_list_handle_t,
    signal: ze_event_handle_t,
    count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    work("zeCommandListAppendBarrier", |driver| {
        // SAFETY: the caller's array is as the specification asks.
        let Events { waits, signal } = unsafe { Events::new(driver, signal, count, waits) }?;
        // A barrier with events waits for those only, but still holds back what comes after it.
        let order = if waits.is_empty() { Order::Barrier } else { Order::Before };
        append_ordered(driver, list, order, waits, signal)
    })
}

pub(crate) unsafe extern "C" fn zeCommandListAppendWaitOnEvents(
    list: ze_command_list_handle_t,
    count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    work("zeCommandListAppendWaitOnEvents", |driver| {
        // SAFETY: the caller's array is as the specification asks.
        let waits = unsafe { events(driver, count, waits) }?;
        append_ordered(driver, list, Order::Before, waits, None)
    })
}

pub(crate) unsafe extern "C" fn zeCommandListAppendSignalEvent(
    list: ze_command_list_handle_t,
    event: ze_event_handle_t,
) -> ze_result_t {
    work("zeCommandListAppendSignalEvent", |driver| {
        let command = Command::Signal(driver.objects.get(event)?);
        append(driver, list, command, Events { waits: Vec::new(), signal: None })
    })
}

pub(crate) unsafe extern "C" fn zeCommandListAppendEventReset(
    list: ze_command_list_handle_t,
    event: ze_event_handle_t,
) -> ze_result_t {
    work("zeCommandListAppendEventReset", |driver| {
        let command = Command::Reset(driver.objects.get(event)?);
        append(driver, list, command, Events { waits: Vec::new(), signal: None })
    })
}

pub(crate) unsafe extern "C" fn zeCommandListAppendMemoryCopy(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    signal: ze_event_handle_t,
    count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    work("zeCommandListAppendMemoryCopy", |driver| {
        let (to, from) = (to as usize, from as usize);
        if to == 0 || from == 0 {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a copy needs two places");
        }
        driver.memory.check_range(&(to..to + bytes))?;
        driver.memory.check_range(&(from..from + bytes))?;
        // SAFETY: the caller's array is as the specification asks.
        let events = unsafe { Events::new(driver, signal, count, waits) }?;
        append(driver, list, Command::Copy { to, from, bytes }, events)
    })
}

pub(crate) unsafe extern "C" fn zeCommandListAppendMemoryFill(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    pattern: *const c_void,
    pattern_bytes: usize,
    bytes: usize,
    signal: ze_event_handle_t,
    count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    work("zeCommandListAppendMemoryFill", |driver| {
        if to.is_null() {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a fill needs a place");
        }
        if !pattern_bytes.is_power_of_two() || pattern_bytes > 16 {
            let why = format!("a pattern of {pattern_bytes} bytes: 1, 2, 4, 8 or 16 are possible");
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE, why);
        }
        let to = to as usize;
        driver.memory.check_range(&(to..to + bytes))?;
        // SAFETY: the caller's pattern and array are as the specification asks.
        let (pattern, events) =
            unsafe { (array(pattern.cast::<u8>(), pattern_bytes)?, Events::new(driver, signal, count, waits)?) };
        append(driver, list, Command::Fill { to, pattern: Box::from(pattern), bytes }, events)
    })
}

pub(crate) unsafe extern "C" fn zeCommandListAppendMemoryCopyRegion(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    to_region: *const ze_copy_region_t,
    to_pitch: u32,
    to_slice: u32,
    from: *const c_void,
    from_region: *const ze_copy_region_t,
    from_pitch: u32,
    from_slice: u32,
    signal: ze_event_handle_t,
    count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    work("zeCommandListAppendMemoryCopyRegion", |driver| {
        // SAFETY: the caller's structures and array are as the specification asks.
        let (to_region, from_region, events) =
            unsafe { (read(to_region)?, read(from_region)?, Events::new(driver, signal, count, waits)?) };
        let at = |start: usize, region: &ze_copy_region_t, row: u32, slice: u32| {
            let (row, slice) = (row as usize, slice as usize);
            let [x, y, z] = [region.originX, region.originY, region.originZ].map(|origin| origin as usize);
            Pitched { start: start + x + y * row + z * slice, row, slice }
        };
        let extent = [from_region.width, from_region.height, from_region.depth.max(1)].map(|length| length as usize);
        let to = at(to as usize, to_region, to_pitch, to_slice);
        let from = at(from as usize, from_region, from_pitch, from_slice);
        driver.memory.check_range(&to.span(extent))?;
        driver.memory.check_range(&from.span(extent))?;
        append(driver, list, Command::CopyRegion { to, from, extent }, events)
    })
}

pub(crate) unsafe extern "C" fn zeCommandListAppendMemoryPrefetch(
    list: ze_command_list_handle_t,
    _memory: *const c_void,
    _bytes: usize,
) -> ze_result_t {
    work("zeCommandListAppendMemoryPrefetch", |driver| driver.objects.get::<CommandList, _>(list).map(drop))
}

pub(crate) unsafe extern "C" fn zeCommandListAppendMemAdvise(
    list: ze_command_list_handle_t,
    handle: ze_device_handle_t,
    _memory: *const c_void,
    _bytes: usize,
    _advice: ze_memory_advice_t,
) -> ze_result_t {
    work("zeCommandListAppendMemAdvise", |driver| {
        device(driver, handle)?;
        driver.objects.get::<CommandList, _>(list).map(drop)
    })
}

pub(crate) unsafe extern "C" fn zeCommandListAppendLaunchKernel(
    list: ze_command_list_handle_t,
    kernel: ze_kernel_handle_t,
    groups: *const ze_group_count_t,
    signal: ze_event_handle_t,
    count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    work("zeCommandListAppendLaunchKernel", |driver| {
        let kernel = driver.objects.get::<Kernel, _>(kernel)?;
        // SAFETY: the caller's structure and array are as the specification asks.
        let (groups, events) = unsafe { (read(groups)?, Events::new(driver, signal, count, waits)?) };
        let command = kernel.capture(driver, [groups.groupCountX, groups.groupCountY, groups.groupCountZ])?;
        append(driver, list, command, events)
    })
}
