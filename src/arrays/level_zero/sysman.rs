//! How much device memory is free, from whoever knows: sysman, the driver's usable-memory extension, the host for integrated devices.
//!
//! Two traps are known. Without CAP_PERFMON the kernel tells a process that all memory is free; so free equal to total is
//! unknown, whoever says it. An integrated device has no memory of its own; what the driver says about it is not a total.

use super::facts::{Found, shared_with_host};
use super::fdinfo;
use super::loader::{Failure, Handle, Runtime, check, list, ze};
use crate::arrays::error::bytes_text;
use crate::arrays::limit;
use crate::arrays::readings::{Amount, MemoryReading};
use level_zero_sys::*;
use std::ptr::null_mut;

/// The management interface of this process.
pub(super) enum Sysman {
    /// Started by `zesInit`; devices have handles of their own, found by identifier.
    Own(Vec<Known>),
    /// Of a loader without `zesInit`: the handle of a device is also its sysman handle.
    Cast,
    /// It could not be started.
    Failed(Failure),
}

/// A device as sysman lists it.
pub(super) struct Known {
    uuid: [u8; 16],
    handle: Handle<_ze_device_handle_t>,
}

/// Memory of a device in all and free, as one source says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Figures {
    total: u64,
    free: u64,
}

const CAPABILITY: &str = "the kernel shows memory use only to processes with CAP_PERFMON \
    (sudo setcap cap_perfmon+ep $(which cellhold))";

impl Sysman {
    /// Starts the interface as this loader offers it.
    pub(super) fn start(api: &Loader) -> Sysman {
        let (Some(init), Some(_), Some(_)) = (api.zesInit, api.zesDriverGet, api.zesDeviceGet) else {
            return Sysman::Cast;
        };
        // SAFETY: the function takes no flags; it may be called at any time.
        match check("zesInit", unsafe { init(0) }).and_then(|()| devices(api)) {
            Ok(devices) => Sysman::Own(devices),
            Err(failure) => Sysman::Failed(failure),
        }
    }

    fn device(&self, found: &Found) -> Result<Handle<_ze_device_handle_t>, Box<str>> {
        match self {
            Sysman::Own(devices) => devices
                .iter()
                .find(|known| known.uuid == found.uuid)
                .map(|known| known.handle)
                .ok_or_else(|| "sysman does not know the device".into()),
            Sysman::Cast => Ok(found.handle),
            Sysman::Failed(failure) => Err(refusal(*failure)),
        }
    }
}

/// Every device that sysman knows, with its identifier.
fn devices(api: &Loader) -> Result<Vec<Known>, Failure> {
    let (Some(drivers), Some(devices)) = (api.zesDriverGet, api.zesDeviceGet) else { return Ok(Vec::new()) };
    let mut known = Vec::new();
    // SAFETY: the array has room for `count` handles, or is null to ask for their number.
    for driver in list(null_mut(), |count, items| check("zesDriverGet", unsafe { drivers(count, items) }))? {
        // SAFETY: as above; the driver is live.
        let handles = list(null_mut(), |count, items| check("zesDeviceGet", unsafe { devices(driver, count, items) }))?;
        for handle in handles {
            let mut properties = zes_device_properties_t {
                stype: zes_structure_type_t::ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                ..Default::default()
            };
            // SAFETY: the handle is live, and the structure is the one the function fills.
            unsafe { ze!(api.zesDeviceGetProperties(handle, &mut properties)) }?;
            known.push(Known { uuid: properties.core.uuid.id, handle: Handle(handle) });
        }
    }
    Ok(known)
}

/// Why sysman does not answer, with the remedy where there is one.
fn refusal(failure: Failure) -> Box<str> {
    match failure.result {
        ze_result_t::ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS => format!("{failure}: {CAPABILITY}").into(),
        ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED => {
            format!("{failure}: set ZES_ENABLE_SYSMAN=1 before the program starts").into()
        }
        _ => failure.to_string().into(),
    }
}

/// What the memory of a device is now. `held` are the bytes this process has on it.
pub(super) fn read(runtime: &Runtime, found: &Found, held: u64) -> MemoryReading {
    if found.info.integrated {
        return MemoryReading { total: shared_with_host(limit::capacity()), free: shared_with_host(limit::free_now()) };
    }
    let total = found.info.total.clone();
    if found.is_part {
        return MemoryReading {
            total,
            free: Amount::unknown("the driver tells of whole devices only how much is free"),
        };
    }
    let own = || own_use(found);
    let refused = match modules(runtime, found) {
        Ok(figures) if trusted(figures) => {
            return MemoryReading {
                total: Amount::known(figures.total, "sysman"),
                free: Amount::known(figures.free, "sysman"),
            };
        }
        // The extension asks the kernel the same question, so it would get the same answer.
        Ok(figures) => {
            let reason = contradiction(figures, "sysman");
            return MemoryReading { total, free: Amount::unknown(unknown(&[reason], own(), held)) };
        }
        Err(reason) => reason,
    };
    let mut reasons = vec![refused];
    match usable(runtime, found) {
        Ok(free) => match total.bytes().map(|total| Figures { total, free }) {
            Some(figures) if !trusted(figures) => reasons.push(contradiction(figures, "the usable-memory extension")),
            _ => return MemoryReading { total, free: Amount::known(free, "usable memory") },
        },
        Err(reason) => reasons.extend(reason),
    }
    MemoryReading { total, free: Amount::unknown(unknown(&reasons, own(), held)) }
}

/// A device in use is never all free: the driver's own context takes some.
fn trusted(figures: Figures) -> bool {
    figures.free < figures.total
}

fn contradiction(figures: Figures, source: &str) -> Box<str> {
    format!("{source} says that all {} are free: {CAPABILITY}", bytes_text(figures.total as usize)).into()
}

fn unknown(reasons: &[Box<str>], own: Option<u64>, held: u64) -> String {
    let mut text = reasons.join("; ");
    if let Some(own) = own {
        text += &format!("; this process has {} there by the kernel's count", bytes_text(own as usize));
    } else if held > 0 {
        text += &format!("; this process has {} there by its own count", bytes_text(held as usize));
    }
    text
}

/// What the kernel counts for this process on the device.
fn own_use(found: &Found) -> Option<u64> {
    let pci = found.info.silicon.pci?.to_string();
    fdinfo::device_local(fdinfo::own_clients(), &pci)
}

/// The sum over the device's memory modules.
fn modules(runtime: &Runtime, found: &Found) -> Result<Figures, Box<str>> {
    let device = runtime.sysman().device(found)?;
    let api = runtime.api;
    let handles = list(null_mut(), |count, items| {
        // SAFETY: the device is live; the array has room for `count` handles, or is null to ask for their number.
        unsafe { ze!(api.zesDeviceEnumMemoryModules(device.0, count, items)) }
    })
    .map_err(refusal)?;
    if handles.is_empty() {
        return Err("sysman lists no memory modules".into());
    }
    let mut sum = Figures { total: 0, free: 0 };
    for handle in handles {
        let mut state =
            zes_mem_state_t { stype: zes_structure_type_t::ZES_STRUCTURE_TYPE_MEM_STATE, ..Default::default() };
        // SAFETY: the handle is live, and the structure is the one the function fills.
        unsafe { ze!(api.zesMemoryGetState(handle, &mut state)) }.map_err(refusal)?;
        sum.total += state.size;
        sum.free += state.free;
    }
    if sum.total == 0 {
        return Err("sysman says that the device has no memory".into());
    }
    Ok(sum)
}

/// What could be allocated now, where the driver says; no reason when it does not have the question.
fn usable(runtime: &Runtime, found: &Found) -> Result<u64, Option<Box<str>>> {
    if !runtime.drivers[found.driver].has(ZE_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME) {
        return Err(None);
    }
    let api = runtime.api;
    let mut usable = ze_device_usablemem_size_ext_properties_t::default();
    let mut properties = ze_device_properties_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
        pNext: (&raw mut usable).cast(),
        ..Default::default()
    };
    // SAFETY: the device is live; both structures are those the function fills, and outlive the call.
    let asked = unsafe { ze!(api.zeDeviceGetProperties(found.handle.0, &mut properties)) };
    asked.map_err(|failure| Some(failure.to_string().into()))?;
    match usable.currUsableMemSize {
        0 => Err(Some("the usable-memory extension gives no figure".into())),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_equal_to_total_is_not_believed() {
        assert!(trusted(Figures { total: 100, free: 99 }));
        assert!(!trusted(Figures { total: 100, free: 100 }));
        assert!(!trusted(Figures { total: 100, free: 101 }));
        let text = contradiction(Figures { total: 1 << 30, free: 1 << 30 }, "sysman");
        assert!(text.contains("1.00 GiB") && text.contains("setcap cap_perfmon"), "{text}");
    }

    #[test]
    fn refusals_end_with_the_remedy() {
        let refused = |result| refusal(Failure { call: "zesMemoryGetState", result });
        let text = refused(ze_result_t::ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
        assert!(text.contains("zesMemoryGetState") && text.contains("setcap"), "{text}");
        let text = refused(ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED);
        assert!(text.contains("ZES_ENABLE_SYSMAN=1"), "{text}");
    }

    #[test]
    fn an_unknown_figure_still_tells_what_this_process_has() {
        let reasons = ["sysman lists no memory modules".into()];
        assert!(unknown(&reasons, Some(1 << 20), 5).ends_with("has 1.00 MiB there by the kernel's count"));
        assert!(unknown(&reasons, None, 1 << 20).ends_with("has 1.00 MiB there by its own count"));
        assert_eq!(unknown(&reasons, None, 0), "sysman lists no memory modules");
    }

    #[test]
    fn figures_of_integrated_devices_are_said_to_be_shared() {
        let Amount::Known { source, .. } = shared_with_host(limit::free_now()) else { panic!("Linux says") };
        assert!(source.ends_with("shared with the host"), "{source}");
    }
}
