//! Kernels: their arguments, captured when a launch is appended, and their group size.

use crate::answer::{Answer, array, place, read, refusal, refuse};
use crate::command::Command;
use crate::device::{local_bytes, max_group_items};
use crate::driver::{Driver, call, work};
use crate::module::Module;
use crate::opencl::{Argument, ClKernel, ClQueue};
use crate::reflect::{KernelFacts, Parameter};
use level_zero_sys::*;
use std::ffi::{CStr, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel.
pub(crate) struct Kernel {
    module: Arc<Module>,
    facts: KernelFacts,
    runner: Mutex<ClKernel>,
    settings: Mutex<Settings>,
}

struct Settings {
    arguments: Vec<Option<Argument>>,
    group_size: [u32; 3],
}

impl Kernel {
    /// Runs it; the error is the runtime's.
    pub fn run(
        &self,
        queue: &ClQueue,
        arguments: &[Argument],
        group_size: [u32; 3],
        groups: [u32; 3],
    ) -> Result<(), String> {
        let mut runner = self.runner.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: pointers were checked to lead into live allocations, which cannot be freed while the launch is submitted.
        unsafe { queue.run(&mut runner, arguments, group_size, groups) }
    }

    /// The launch as it would run with what is set now.
    pub fn capture(self: &Arc<Self>, driver: &Driver, groups: [u32; 3]) -> Answer<Command> {
        let settings = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        let mut arguments = Vec::with_capacity(settings.arguments.len());
        let mut local = 0;
        for (index, argument) in settings.arguments.iter().enumerate() {
            let argument = argument.clone().ok_or_else(|| {
                refusal(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, format!("argument {index} was never set"))
            })?;
            match &argument {
                Argument::Pointer(address) => check_pointer(driver, *address, self.module.large_buffers)?,
                Argument::Local(bytes) => local += bytes,
                Argument::Value(_) => {}
            }
            arguments.push(argument);
        }
        if local as u64 > u64::from(local_bytes(driver)) {
            return refuse(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, format!("{local} bytes of local memory"));
        }
        Ok(Command::Launch { kernel: Arc::clone(self), arguments, group_size: settings.group_size, groups })
    }
}

/// Refuses addresses outside allocations, which would be page faults, and buffers above the limit for modules that were not
/// built for them, which the real driver computes wrongly without a word.
fn check_pointer(driver: &Driver, address: usize, large_buffers: bool) -> Answer {
    if address == 0 {
        return Ok(());
    }
    let Some((_, allocation)) = driver.memory.find(address) else {
        return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, format!("{address:#x} is in no allocation"));
    };
    if allocation.bytes as u64 > driver.config.max_allocation_bytes && !large_buffers {
        return refuse(
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT,
            format!("a buffer of {} bytes needs -ze-opt-greater-than-4GB-buffer-required", allocation.bytes),
        );
    }
    Ok(())
}

pub(crate) unsafe extern "C" fn zeKernelCreate(
    module: ze_module_handle_t,
    descriptor: *const ze_kernel_desc_t,
    kernel: *mut ze_kernel_handle_t,
) -> ze_result_t {
    work("zeKernelCreate", |driver| {
        let module = driver.objects.get::<Module, _>(module)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (name, kernel) = unsafe {
            let name = read(descriptor)?.pKernelName;
            read(name)?;
            (CStr::from_ptr(name), place(kernel)?)
        };
        let unknown = |why: String| refusal(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_NAME, why);
        let facts = module.facts.kernels.iter().find(|facts| facts.name.as_bytes() == name.to_bytes());
        let facts = facts.ok_or_else(|| unknown(format!("the module has no kernel {name:?}")))?.clone();
        let runner = Mutex::new(module.program.kernel(name).map_err(unknown)?);
        let settings = Mutex::new(Settings {
            arguments: vec![None; facts.parameters.len()],
            group_size: facts.group_size.unwrap_or([1, 1, 1]),
        });
        *kernel = driver.objects.insert(Kernel { module, facts, runner, settings });
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeKernelDestroy(kernel: ze_kernel_handle_t) -> ze_result_t {
    call("zeKernelDestroy", |driver| {
        let object = driver.objects.get::<Kernel, _>(kernel)?;
        driver.engine.refuse_use(
            "a submitted launch uses the kernel",
            |recorded| matches!(&*recorded.command, Command::Launch { kernel, .. } if Arc::ptr_eq(kernel, &object)),
        )?;
        driver.objects.remove::<Kernel, _>(kernel).map(drop)
    })
}

pub(crate) unsafe extern "C" fn zeKernelSetGroupSize(
    kernel: ze_kernel_handle_t,
    x: u32,
    y: u32,
    z: u32,
) -> ze_result_t {
    work("zeKernelSetGroupSize", |driver| {
        let kernel = driver.objects.get::<Kernel, _>(kernel)?;
        let wanted = [x, y, z];
        let items = wanted.iter().try_fold(1_u32, |items, count| items.checked_mul(*count)).unwrap_or(u32::MAX);
        if items == 0 || items > max_group_items(driver) || kernel.facts.group_size.is_some_and(|size| size != wanted) {
            let code = ze_result_t::ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
            return refuse(code, format!("group size {wanted:?}, demanded {:?}", kernel.facts.group_size));
        }
        kernel.settings.lock().unwrap_or_else(PoisonError::into_inner).group_size = wanted;
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeKernelSuggestGroupSize(
    kernel: ze_kernel_handle_t,
    global_x: u32,
    _global_y: u32,
    _global_z: u32,
    x: *mut u32,
    y: *mut u32,
    z: *mut u32,
) -> ze_result_t {
    call("zeKernelSuggestGroupSize", |driver| {
        let kernel = driver.objects.get::<Kernel, _>(kernel)?;
        // The largest power of two up to 256 that divides the range, as groups cannot stand over its end.
        let along = 1 << global_x.max(1).trailing_zeros().min(8);
        // SAFETY: the caller gives room for the three numbers.
        let (x, y, z) = unsafe { (place(x)?, place(y)?, place(z)?) };
        [*x, *y, *z] = kernel.facts.group_size.unwrap_or([along, 1, 1]);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeKernelSetArgumentValue(
    kernel: ze_kernel_handle_t,
    index: u32,
    bytes: usize,
    value: *const c_void,
) -> ze_result_t {
    work("zeKernelSetArgumentValue", |driver| {
        let kernel = driver.objects.get::<Kernel, _>(kernel)?;
        let Some(parameter) = kernel.facts.parameters.get(index as usize) else {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, format!("there is no argument {index}"));
        };
        let check_bytes = |expected: usize| {
            if bytes == expected {
                return Ok(());
            }
            let code = ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
            refuse(code, format!("argument {index} has {expected} bytes, not {bytes}"))
        };
        // SAFETY: the caller's value is of the bytes it says; a null pointer stands for a null address.
        let given = unsafe { if value.is_null() { &[] } else { array(value.cast::<u8>(), bytes)? } };
        let argument = match parameter {
            Parameter::Local => Argument::Local(bytes),
            Parameter::Pointer => {
                check_bytes(size_of::<usize>())?;
                let address = given.first_chunk().map_or(0, |bytes| usize::from_ne_bytes(*bytes));
                check_pointer(driver, address, kernel.module.large_buffers)?;
                Argument::Pointer(address)
            }
            // The real driver takes any size without a word; a test should not.
            Parameter::Value(expected) => {
                check_bytes(*expected)?;
                if given.is_empty() {
                    return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "a value cannot be null");
                }
                Argument::Value(given.to_vec())
            }
        };
        let mut settings = kernel.settings.lock().unwrap_or_else(PoisonError::into_inner);
        settings.arguments[index as usize] = Some(argument);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeKernelSetIndirectAccess(
    kernel: ze_kernel_handle_t,
    _flags: ze_kernel_indirect_access_flags_t,
) -> ze_result_t {
    work("zeKernelSetIndirectAccess", |driver| driver.objects.get::<Kernel, _>(kernel).map(drop))
}

pub(crate) unsafe extern "C" fn zeKernelGetProperties(
    kernel: ze_kernel_handle_t,
    properties: *mut ze_kernel_properties_t,
) -> ze_result_t {
    call("zeKernelGetProperties", |driver| {
        let kernel = driver.objects.get::<Kernel, _>(kernel)?;
        // SAFETY: the caller gives room for the structure.
        let properties = unsafe { place(properties) }?;
        let [x, y, z] = kernel.facts.group_size.unwrap_or_default();
        properties.numKernelArgs = kernel.facts.parameters.len() as u32;
        (properties.requiredGroupSizeX, properties.requiredGroupSizeY, properties.requiredGroupSizeZ) = (x, y, z);
        (properties.requiredNumSubGroups, properties.requiredSubgroupSize) = (0, 0);
        properties.maxSubgroupSize = 32;
        properties.maxNumSubgroups = max_group_items(driver) / 32;
        (properties.localMemSize, properties.privateMemSize, properties.spillMemSize) = (0, 0, 0);
        Ok(())
    })
}
