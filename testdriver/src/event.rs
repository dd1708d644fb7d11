//! Events, their pools, and fences.

use crate::answer::{Answer, array, place, read, refuse};
use crate::driver::{Driver, call, work};
use level_zero_sys::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Nanoseconds of one tick of the device's clock: that of DG2.
pub(crate) const TICK_NS: u64 = 52;

/// Bits of a kernel timestamp that are valid: it wraps after less than four minutes.
pub(crate) const KERNEL_TIMESTAMP_BITS: u32 = 32;

const HOST_VISIBLE: u32 = ze_event_pool_flag_t::ZE_EVENT_POOL_FLAG_HOST_VISIBLE.0;
const KERNEL_TIMESTAMP: u32 = ze_event_pool_flag_t::ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP.0;

/// Room for events.
pub(crate) struct EventPool {
    flags: u32,
    taken: Mutex<Vec<bool>>,
}

impl EventPool {
    /// A pool with room for `count` events.
    pub fn new(flags: u32, count: u32) -> EventPool {
        EventPool { flags, taken: Mutex::new(vec![false; count as usize]) }
    }

    fn take(&self, index: u32, value: bool) -> Answer {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        match taken.get_mut(index as usize) {
            Some(slot) if *slot != value => {
                *slot = value;
                Ok(())
            }
            Some(_) => {
                refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, format!("event {index} of the pool is taken"))
            }
            None => refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, format!("the pool has no event {index}")),
        }
    }

    fn is_empty(&self) -> bool {
        !self.taken.lock().unwrap_or_else(PoisonError::into_inner).contains(&true)
    }
}

/// An event.
pub(crate) struct Event {
    pool: Arc<EventPool>,
    index: u32,
    signaled: AtomicBool,
    began: AtomicU64,
    ended: AtomicU64,
}

impl Event {
    /// An event that is not signalled.
    pub fn new(pool: Arc<EventPool>, index: u32) -> Event {
        Event { pool, index, signaled: AtomicBool::new(false), began: AtomicU64::new(0), ended: AtomicU64::new(0) }
    }

    /// Whether it is signalled.
    pub fn is_signaled(&self) -> bool {
        self.signaled.load(Ordering::SeqCst)
    }

    /// Signals it for a command that ran between these nanoseconds.
    pub fn signal(&self, began: u64, ended: u64) {
        self.began.store(began, Ordering::SeqCst);
        self.ended.store(ended, Ordering::SeqCst);
        self.signaled.store(true, Ordering::SeqCst);
    }

    /// Makes it not signalled.
    pub fn reset(&self) {
        self.signaled.store(false, Ordering::SeqCst);
    }

    fn check_host_visible(&self) -> Answer {
        if self.pool.flags & HOST_VISIBLE != 0 {
            return Ok(());
        }
        refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "the event's pool is not visible to the host")
    }
}

/// A fence.
pub(crate) struct Fence {
    signaled: AtomicBool,
}

impl Fence {
    fn is_signaled(&self) -> bool {
        self.signaled.load(Ordering::SeqCst)
    }

    /// Signals it.
    pub fn signal(&self) {
        self.signaled.store(true, Ordering::SeqCst);
    }
}

/// The events of a caller's array.
///
/// # Safety
/// The array has `count` handles.
pub(crate) unsafe fn events(driver: &Driver, count: u32, handles: *mut ze_event_handle_t) -> Answer<Vec<Arc<Event>>> {
    // SAFETY: passed on to the caller.
    unsafe { array(handles, count as usize) }?.iter().map(|handle| driver.objects.get(*handle)).collect()
}

pub(crate) unsafe extern "C" fn zeEventPoolCreate(
    context: ze_context_handle_t,
    descriptor: *const ze_event_pool_desc_t,
    _device_count: u32,
    _devices: *mut ze_device_handle_t,
    pool: *mut ze_event_pool_handle_t,
) -> ze_result_t {
    work("zeEventPoolCreate", |driver| {
        driver.objects.get::<crate::context::Context, _>(context)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (descriptor, pool) = unsafe { (read(descriptor)?, place(pool)?) };
        if descriptor.count == 0 {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE, "a pool without events");
        }
        *pool = driver.objects.insert(EventPool::new(descriptor.flags, descriptor.count));
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeEventPoolDestroy(pool: ze_event_pool_handle_t) -> ze_result_t {
    call("zeEventPoolDestroy", |driver| {
        if !driver.objects.get::<EventPool, _>(pool)?.is_empty() {
            return refuse(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, "the pool still has events");
        }
        driver.objects.remove::<EventPool, _>(pool).map(drop)
    })
}

pub(crate) unsafe extern "C" fn zeEventCreate(
    pool: ze_event_pool_handle_t,
    descriptor: *const ze_event_desc_t,
    event: *mut ze_event_handle_t,
) -> ze_result_t {
    work("zeEventCreate", |driver| {
        let pool = driver.objects.get::<EventPool, _>(pool)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (descriptor, event) = unsafe { (read(descriptor)?, place(event)?) };
        pool.take(descriptor.index, true)?;
        *event = driver.objects.insert(Event::new(pool, descriptor.index));
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeEventDestroy(event: ze_event_handle_t) -> ze_result_t {
    call("zeEventDestroy", |driver| {
        let object = driver.objects.get::<Event, _>(event)?;
        driver.engine.refuse_use("a submitted command waits for the event or signals it", |recorded| {
            recorded.waits.iter().chain(&recorded.signal).any(|used| Arc::ptr_eq(used, &object))
                || matches!(&*recorded.command,
                    crate::command::Command::Signal(used) | crate::command::Command::Reset(used)
                        if Arc::ptr_eq(used, &object))
        })?;
        object.pool.take(object.index, false)?;
        driver.objects.remove::<Event, _>(event).map(drop)
    })
}

pub(crate) unsafe extern "C" fn zeEventHostSignal(event: ze_event_handle_t) -> ze_result_t {
    work("zeEventHostSignal", |driver| {
        let event = driver.objects.get::<Event, _>(event)?;
        let now = driver.now();
        driver.engine.wake_after(|| event.signal(now, now));
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeEventHostReset(event: ze_event_handle_t) -> ze_result_t {
    work("zeEventHostReset", |driver| {
        driver.objects.get::<Event, _>(event)?.reset();
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeEventHostSynchronize(event: ze_event_handle_t, timeout: u64) -> ze_result_t {
    call("zeEventHostSynchronize", |driver| {
        let event = driver.objects.get::<Event, _>(event)?;
        event.check_host_visible()?;
        driver.engine.wait(driver, timeout, |_| event.is_signaled())
    })
}

pub(crate) unsafe extern "C" fn zeEventQueryStatus(event: ze_event_handle_t) -> ze_result_t {
    call("zeEventQueryStatus", |driver| {
        let event = driver.objects.get::<Event, _>(event)?;
        event.check_host_visible()?;
        driver.engine.wait(driver, 0, |_| event.is_signaled())
    })
}

pub(crate) unsafe extern "C" fn zeEventQueryKernelTimestamp(
    event: ze_event_handle_t,
    timestamp: *mut ze_kernel_timestamp_result_t,
) -> ze_result_t {
    call("zeEventQueryKernelTimestamp", |driver| {
        let event = driver.objects.get::<Event, _>(event)?;
        // SAFETY: the caller gives room for the structure.
        let timestamp = unsafe { place(timestamp) }?;
        if event.pool.flags & KERNEL_TIMESTAMP == 0 {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "the event's pool takes no timestamps");
        }
        if !event.is_signaled() {
            return Err(ze_result_t::ZE_RESULT_NOT_READY.into());
        }
        let ticks = |time: &AtomicU64| time.load(Ordering::SeqCst) / TICK_NS % (1 << KERNEL_TIMESTAMP_BITS);
        let data = ze_kernel_timestamp_data_t { kernelStart: ticks(&event.began), kernelEnd: ticks(&event.ended) };
        (timestamp.global, timestamp.context) = (data, data);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeFenceCreate(
    queue: ze_command_queue_handle_t,
    descriptor: *const ze_fence_desc_t,
    fence: *mut ze_fence_handle_t,
) -> ze_result_t {
    work("zeFenceCreate", |driver| {
        driver.objects.get::<crate::queue::Queue, _>(queue)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (descriptor, fence) = unsafe { (read(descriptor)?, place(fence)?) };
        let signaled = descriptor.flags & ze_fence_flag_t::ZE_FENCE_FLAG_SIGNALED.0 != 0;
        *fence = driver.objects.insert(Fence { signaled: AtomicBool::new(signaled) });
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeFenceDestroy(fence: ze_fence_handle_t) -> ze_result_t {
    call("zeFenceDestroy", |driver| {
        let object = driver.objects.get::<Fence, _>(fence)?;
        driver.engine.refuse_use(
            "the fence is still to be signalled",
            |recorded| matches!(&*recorded.command, crate::command::Command::Fence(used) if Arc::ptr_eq(used, &object)),
        )?;
        driver.objects.remove::<Fence, _>(fence).map(drop)
    })
}

pub(crate) unsafe extern "C" fn zeFenceHostSynchronize(fence: ze_fence_handle_t, timeout: u64) -> ze_result_t {
    call("zeFenceHostSynchronize", |driver| {
        let fence = driver.objects.get::<Fence, _>(fence)?;
        driver.engine.wait(driver, timeout, |_| fence.is_signaled())
    })
}

pub(crate) unsafe extern "C" fn zeFenceQueryStatus(fence: ze_fence_handle_t) -> ze_result_t {
    call("zeFenceQueryStatus", |driver| {
        let fence = driver.objects.get::<Fence, _>(fence)?;
        driver.engine.wait(driver, 0, |_| fence.is_signaled())
    })
}

pub(crate) unsafe extern "C" fn zeFenceReset(fence: ze_fence_handle_t) -> ze_result_t {
    work("zeFenceReset", |driver| {
        driver.objects.get::<Fence, _>(fence)?.signaled.store(false, Ordering::SeqCst);
        Ok(())
    })
}
