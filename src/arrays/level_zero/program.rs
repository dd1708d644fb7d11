//! Device programs: built once per device and variant, kept in memory and on disk as the driver's binaries, and launched.
//!
//! Intel's driver has a cache of its own, which may be off or somewhere else; with this one the compiler is not even asked.

use super::device::Shared;
use super::loader::{Failure, Handle, check, ze};
use crate::arrays::backend::{Argument, BackendError, Launch, ProgramText};
use crate::arrays::program_cache::{CacheKey, ProgramCache};
use level_zero_sys::*;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Programs kept per device. Beyond, the one that was not used for longest goes.
const KEPT: usize = 1024;

/// What the driver's compiler must be told when buffers may be larger than 4 GiB.
const LARGE_BUFFERS: &str = "-ze-opt-greater-than-4GB-buffer-required";

/// What it must be told to round division and square roots in single precision correctly.
const EXACT_FP32: &str = "-ze-fp32-correctly-rounded-divide-sqrt";

/// What an old driver's log says when the compiler failed and the call succeeded all the same.
const HIDDEN_FAILURE: &str = "backend compiler failed build";

/// No program of the generator comes near.
const LARGEST_BINARY: usize = 1 << 28;

/// A program by what it computes, built for large buffers or not.
type Key = (u128, bool);

/// The programs of one device.
pub(super) struct Programs {
    slots: Mutex<HashMap<Key, Arc<Slot>>>,
    uses: AtomicU64,
    /// Whether the compiler takes [`EXACT_FP32`], as far as is known.
    takes_exact: AtomicBool,
    disk: ProgramCache,
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
    pub(super) fn new() -> Programs {
        Programs {
            slots: Mutex::default(),
            uses: AtomicU64::new(0),
            takes_exact: AtomicBool::new(true),
            disk: ProgramCache::of_user(),
        }
    }

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
        let takes_exact = &device.programs.takes_exact;
        let exact = text.needs.exact_fp32 && takes_exact.load(Ordering::Relaxed);
        match Program::build_as(device, text, &flags(large, exact)) {
            // An old compiler may not know the flag; then it rounds as it does.
            Err(BackendError::Build { .. }) if exact => {
                let program = Program::build_as(device, text, &flags(large, false))?;
                takes_exact.store(false, Ordering::Relaxed);
                Ok(program)
            }
            built => built,
        }
    }

    /// Builds the program with these flags, or takes it from the disk.
    fn build_as(device: &Shared, text: &ProgramText, flags: &CStr) -> Result<Program, BackendError> {
        let api = device.api();
        let disk = &device.programs.disk;
        let key = cache_key(device, text, flags);
        if let Some(program) = disk.get(&key).and_then(|binary| Program::restored(device, text, flags, &binary)) {
            return Ok(program);
        }
        let words = (text.words.as_ptr().cast(), size_of_val(&*text.words));
        let mut log = null_mut();
        let built = create_module(device, ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV, words, flags, Some(&mut log));
        let log = read_log(device, log, built.is_ok());
        let module = built.map_err(|failure| refused(device, failure, text, &log))?;
        if log.contains(HIDDEN_FAILURE) {
            destroy_module(api, module);
            return Err(BackendError::Build { program: text.label.into(), log: log.into() });
        }
        let program = Program::of_module(device, module, text)?;
        match native_binary(api, module) {
            Some(binary) => disk.put(&key, &binary),
            None => disk.forget(&key),
        }
        Ok(program)
    }

    /// The program of a binary that this driver made; nothing when it does not take it any more.
    fn restored(device: &Shared, text: &ProgramText, flags: &CStr, binary: &[u8]) -> Option<Program> {
        let bytes = (binary.as_ptr(), binary.len());
        let module = create_module(device, ze_module_format_t::ZE_MODULE_FORMAT_NATIVE, bytes, flags, None).ok()?;
        Program::of_module(device, module, text).ok()
    }

    /// Takes over a module.
    fn of_module(
        device: &Shared,
        module: Handle<_ze_module_handle_t>,
        text: &ProgramText,
    ) -> Result<Program, BackendError> {
        let api = device.api();
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

/// The flags for the compiler.
fn flags(large: bool, exact: bool) -> CString {
    let all = [(large, LARGE_BUFFERS), (exact, EXACT_FP32)];
    let asked: Vec<&str> = all.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, flag)| flag).collect();
    CString::new(asked.join(" ")).expect("no flag has a zero in it")
}

/// Where the binary of a program is kept: by all that it is made from.
fn cache_key(device: &Shared, text: &ProgramText, flags: &CStr) -> CacheKey {
    let info = &device.found.info;
    ProgramCache::key(&text.words, &["level_zero", &info.driver, &info.name, &flags.to_string_lossy(), &text.entry])
}

/// Has the driver make a module of these bytes; the log, if one is asked for, is the caller's whatever comes.
fn create_module(
    device: &Shared,
    format: ze_module_format_t,
    (start, bytes): (*const u8, usize),
    flags: &CStr,
    log: Option<&mut ze_module_build_log_handle_t>,
) -> Result<Handle<_ze_module_handle_t>, Failure> {
    let api = device.api();
    let description = ze_module_desc_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_MODULE_DESC,
        format,
        inputSize: bytes,
        pInputModule: start,
        pBuildFlags: if flags.is_empty() { null() } else { flags.as_ptr() },
        ..Default::default()
    };
    let log = log.map_or(null_mut(), |log| &raw mut *log);
    let (context, owner) = (device.context.0, device.found.handle.0);
    let mut module = null_mut();
    // SAFETY: context and device are live; the bytes are a module of this crate's generator or a binary that this driver made and
    // that came whole from the cache; the description, its text and the results outlive the call.
    unsafe { ze!(api.zeModuleCreate(context, owner, &description, &mut module, log)) }?;
    Ok(Handle(module))
}

/// What the driver compiled.
fn native_binary(api: &Loader, module: Handle<_ze_module_handle_t>) -> Option<Vec<u8>> {
    let mut bytes = 0;
    // SAFETY: the module is live; only the length is asked for.
    unsafe { ze!(api.zeModuleGetNativeBinary(module.0, &mut bytes, null_mut())) }.ok()?;
    let mut binary = vec![0_u8; if bytes <= LARGEST_BINARY { bytes } else { return None }];
    // SAFETY: the module is live, and `bytes` bytes are writable.
    unsafe { ze!(api.zeModuleGetNativeBinary(module.0, &mut bytes, binary.as_mut_ptr())) }.ok()?;
    binary.truncate(bytes);
    (!binary.is_empty()).then_some(binary)
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

fn refused(device: &Shared, failure: Failure, text: &ProgramText, log: &str) -> BackendError {
    match failure.result {
        ze_result_t::ZE_RESULT_ERROR_MODULE_BUILD_FAILURE | ze_result_t::ZE_RESULT_ERROR_MODULE_LINK_FAILURE => {
            let log = if log.is_empty() { failure.to_string() } else { log.to_owned() };
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
