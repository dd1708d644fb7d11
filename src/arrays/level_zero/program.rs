//! Device programs: built once per device and variant, kept, and launched.
//!
//! There is no cache on disk here: Intel's GPU driver keeps one of its own.

use super::device::Shared;
use super::loader::{Failure, Handle, check, ze};
use crate::arrays::backend::{Argument, BackendError, Launch, ProgramText};
use level_zero_sys::*;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Programs kept per device. Beyond, the one that was not used for longest goes.
const KEPT: usize = 1024;

/// What the driver's compiler must be told when buffers may be larger than 4 GiB.
const LARGE_BUFFERS: &CStr = c"-ze-opt-greater-than-4GB-buffer-required";

/// What an old driver's log says when the compiler failed and the call succeeded all the same.
const HIDDEN_FAILURE: &str = "backend compiler failed build";

/// A program by what it computes, built for large buffers or not.
type Key = (u128, bool);

/// The programs of one device.
#[derive(Default)]
pub(super) struct Programs {
    slots: Mutex<HashMap<Key, Arc<Slot>>>,
    uses: AtomicU64,
}

/// The place of one program; its lock makes others wait for a build that is under way.
#[derive(Default)]
struct Slot {
    program: Mutex<Option<Arc<Program>>>,
    last_use: AtomicU64,
}

/// A built program.
pub(super) struct Program {
    api: &'static Loader,
    module: Handle<_ze_module_handle_t>,
    /// Arguments belong to the kernel, so setting them and appending the launch is one critical section.
    kernel: Mutex<Handle<_ze_kernel_handle_t>>,
}

impl Programs {
    /// The built program; builds it where it was not.
    pub(super) fn get(device: &Shared, text: &ProgramText, large: bool) -> Result<Arc<Program>, BackendError> {
        if let Some(what) = device.found.limits.missing(&text.needs) {
            return Err(BackendError::Unsupported { what: what.into() });
        }
        let slot = device.programs.slot((text.key, large));
        let mut program = lock(&slot.program);
        match &*program {
            Some(program) => Ok(program.clone()),
            None => Ok(program.insert(Arc::new(Program::build(device, text, large)?)).clone()),
        }
    }

    fn slot(&self, key: Key) -> Arc<Slot> {
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        let mut slots = lock(&self.slots);
        if slots.len() >= KEPT && !slots.contains_key(&key) {
            let oldest =
                slots.iter().min_by_key(|(_, slot)| slot.last_use.load(Ordering::Relaxed)).map(|(key, _)| *key);
            oldest.and_then(|key| slots.remove(&key));
        }
        let slot = slots.entry(key).or_default();
        slot.last_use.store(now, Ordering::Relaxed);
        slot.clone()
    }

    /// Lets go of every program.
    pub(super) fn clear(&self) {
        lock(&self.slots).clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Program {
    fn build(device: &Shared, text: &ProgramText, large: bool) -> Result<Program, BackendError> {
        let api = device.api();
        let description = ze_module_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_MODULE_DESC,
            format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
            inputSize: size_of_val(&*text.words),
            pInputModule: text.words.as_ptr().cast(),
            pBuildFlags: if large { LARGE_BUFFERS.as_ptr() } else { null() },
            ..Default::default()
        };
        let (mut module, mut log) = (null_mut(), null_mut());
        let (context, owner) = (device.context.0, device.found.handle.0);
        // SAFETY: context and device are live; the module was made by this crate's generator, and the description, its text and
        // the results outlive the call.
        let built = unsafe { ze!(api.zeModuleCreate(context, owner, &description, &mut module, &mut log)) };
        let log = read_log(device, log, built.is_ok());
        let module = Handle(module);
        if let Err(failure) = built {
            return Err(refused(device, failure, text, log));
        }
        if log.contains(HIDDEN_FAILURE) {
            destroy_module(api, module);
            return Err(BackendError::Build { program: text.label.into(), log: log.into() });
        }
        match create_kernel(device, module, &text.entry) {
            Ok(kernel) => Ok(Program { api, module, kernel: Mutex::new(kernel) }),
            Err(error) => {
                destroy_module(api, module);
                Err(error)
            }
        }
    }

    /// Appends a launch to a list. The arguments are copied by the call.
    pub(super) fn append(
        &self,
        list: Handle<_ze_command_list_handle_t>,
        launch: &Launch,
        signal: Handle<_ze_event_handle_t>,
        wait_for: &mut [ze_event_handle_t],
    ) -> Result<(), Failure> {
        let api = self.api;
        let kernel = lock(&self.kernel);
        let [x, y, z] = launch.local;
        // SAFETY: the kernel is live and ours alone while the lock is held; each argument's bytes outlive the call that copies them,
        // as do the counts and the events.
        unsafe {
            ze!(api.zeKernelSetGroupSize(kernel.0, x, y, z))?;
            for (index, argument) in (0..).zip(&launch.arguments) {
                let (bytes, value) = match argument {
                    Argument::Pointer(address) => (size_of::<usize>(), (&raw const *address).cast()),
                    Argument::Scalar { bytes, len } => (usize::from(*len), bytes.as_ptr().cast()),
                    Argument::Local { bytes } => (*bytes, null()),
                };
                ze!(api.zeKernelSetArgumentValue(kernel.0, index, bytes, value))?;
            }
            let [x, y, z] = launch.groups;
            let groups = ze_group_count_t { groupCountX: x, groupCountY: y, groupCountZ: z };
            let count = wait_for.len() as u32;
            ze!(api.zeCommandListAppendLaunchKernel(list.0, kernel.0, &groups, signal.0, count, wait_for.as_mut_ptr()))
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let api = self.api;
        let kernel = *lock(&self.kernel);
        // SAFETY: who launched the program held it until the launch had ended, so nothing uses the kernel any more.
        let _ = unsafe { ze!(api.zeKernelDestroy(kernel.0)) };
        destroy_module(api, self.module);
    }
}

fn destroy_module(api: &Loader, module: Handle<_ze_module_handle_t>) {
    // SAFETY: the module is live, and its kernels are destroyed. A refusal leaves nothing to do.
    let _ = unsafe { ze!(api.zeModuleDestroy(module.0)) };
}

fn create_kernel(
    device: &Shared,
    module: Handle<_ze_module_handle_t>,
    entry: &str,
) -> Result<Handle<_ze_kernel_handle_t>, BackendError> {
    let api = device.api();
    let name =
        CString::new(entry).map_err(|_| BackendError::Unsupported { what: "a program's name with a zero".into() })?;
    let description = ze_kernel_desc_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_KERNEL_DESC,
        pKernelName: name.as_ptr(),
        ..Default::default()
    };
    let mut kernel = null_mut();
    // SAFETY: the module is live; the description, the name and the result outlive the call.
    unsafe { ze!(api.zeKernelCreate(module.0, &description, &mut kernel)) }
        .map_err(|failure| device.refused(failure))?;
    Ok(Handle(kernel))
}

fn refused(device: &Shared, failure: Failure, text: &ProgramText, log: String) -> BackendError {
    match failure.result {
        ze_result_t::ZE_RESULT_ERROR_MODULE_BUILD_FAILURE | ze_result_t::ZE_RESULT_ERROR_MODULE_LINK_FAILURE => {
            let log = if log.is_empty() { failure.to_string() } else { log };
            BackendError::Build { program: text.label.into(), log: log.into() }
        }
        _ => device.refused(failure),
    }
}

/// What the compiler says. After a failure a loader that wraps handles hands out one that it cannot take back; then the
/// driver's last error has to do, where there is such a question.
fn read_log(device: &Shared, log: ze_module_build_log_handle_t, built: bool) -> String {
    if !built && !device.runtime.passes_through {
        return last_error(device).unwrap_or_default();
    }
    if log.is_null() {
        return String::new();
    }
    let api = device.api();
    let mut length = 0;
    let mut bytes = Vec::new();
    // SAFETY: the log is live until it is destroyed here; the first call asks for the length, the second fills the text.
    unsafe {
        if ze!(api.zeModuleBuildLogGetString(log, &mut length, null_mut())).is_ok() {
            bytes.resize(length, 0_u8);
            if ze!(api.zeModuleBuildLogGetString(log, &mut length, bytes.as_mut_ptr().cast())).is_err() {
                bytes.clear();
            }
        }
        let _ = ze!(api.zeModuleBuildLogDestroy(log));
    }
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').trim().to_owned()
}

fn last_error(device: &Shared) -> Option<String> {
    let describe = device.api().zeDriverGetLastErrorDescription?;
    let mut words: *const c_char = null();
    // SAFETY: the driver is live; it answers a text of its own that lives until the next call on this thread.
    check("zeDriverGetLastErrorDescription", unsafe { describe(device.driver().handle.0, &mut words) }).ok()?;
    if words.is_null() {
        return None;
    }
    // SAFETY: not null, and ended by a zero.
    Some(unsafe { CStr::from_ptr(words) }.to_string_lossy().trim().to_owned())
}
