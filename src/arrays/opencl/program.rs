//! Device programs of one OpenCL context: built once, kept in memory by key and on disk as the driver's binary.
//!
//! The driver's compilers end the process, or never come back, when a module is malformed. So only modules of this crate's
//! generator get here, and each is parsed before a compiler sees it.

use super::device::{Context, Origin};
use super::loader::{self, Handle};
use crate::arrays::backend::{BackendError, DeviceType, Needs, ProgramLimits, ProgramText};
use crate::arrays::program_cache::{CacheKey, ProgramCache};
use crate::arrays::spirv;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Programs kept in memory; beyond, all that nobody uses are let go of.
const KEPT_MAX: usize = 2048;

/// Where one program is, or will be once who builds it is done.
type Slot = Arc<OnceLock<Result<Arc<Program>, BackendError>>>;

pub(super) struct Programs {
    context: Arc<Context>,
    limits: ProgramLimits,
    /// The driver and the device, as the disk cache tells them apart.
    driver: Box<str>,
    device: Box<str>,
    is_gpu: bool,
    rounds_fp32: bool,
    built: Mutex<HashMap<u128, Slot>>,
    disk: ProgramCache,
}

impl Programs {
    pub(super) fn new(context: Arc<Context>, origin: &Origin) -> Programs {
        let info = &origin.info;
        Programs {
            context,
            limits: origin.limits.clone(),
            driver: info.driver.clone(),
            device: info.name.clone(),
            is_gpu: info.device_type == DeviceType::Gpu,
            rounds_fp32: origin.rounds_fp32,
            built: Mutex::default(),
            disk: ProgramCache::of_user(),
        }
    }

    /// The program ready to launch. Who asks for one that is being built waits for it; a failure is remembered too.
    pub(super) fn get(&self, text: &Arc<ProgramText>) -> Result<Arc<Program>, BackendError> {
        let slot = {
            let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
            if built.len() >= KEPT_MAX {
                built.retain(|_, slot| Arc::strong_count(slot) > 1);
            }
            built.entry(text.key).or_default().clone()
        };
        slot.get_or_init(|| self.build(text).map(Arc::new)).clone()
    }

    /// Whether a launch of the program need not wait for the compiler.
    pub(super) fn is_built(&self, text: &ProgramText) -> bool {
        let built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        built.get(&text.key).is_some_and(|slot| slot.get().is_some())
    }

    /// What the compiler is told.
    fn options(&self, needs: &Needs) -> CString {
        let mut options = Vec::new();
        if self.is_gpu && needs.large_buffers {
            options.push("-cl-intel-greater-than-4GB-buffer-required");
        }
        if self.rounds_fp32 && needs.exact_fp32 {
            options.push("-cl-fp32-correctly-rounded-divide-sqrt");
        }
        CString::new(options.join(" ")).expect("no option has a zero in it")
    }

    fn build(&self, text: &ProgramText) -> Result<Program, BackendError> {
        if let Some(missing) = self.limits.missing(&text.needs) {
            return Err(BackendError::Unsupported { what: format!("{missing}, which {} needs", text.label).into() });
        }
        let entry = CString::new(&*text.entry).map_err(|_| not_a_module(text, "the entry's name has a zero in it"))?;
        let options = &self.options(&text.needs);
        let key = ProgramCache::key(
            &text.words,
            &["opencl", &self.driver, &self.device, &options.to_string_lossy(), &text.entry],
        );
        if let Some(program) = self.restored(&key, options, &entry) {
            return Ok(program);
        }
        if !spirv::is_well_formed(&text.words) {
            return Err(not_a_module(text, "its words do not parse"));
        }
        let api = self.context.api;
        let mut code = 0;
        // SAFETY: the context is live and the words, which form a module as parsed above, are readable.
        let program = unsafe {
            (api.create_program_with_il)(
                self.context.handle,
                text.words.as_ptr().cast(),
                size_of_val(&*text.words),
                &raw mut code,
            )
        };
        loader::check("clCreateProgramWithIL", code)?;
        let program = Built { context: self.context.clone(), program };
        match program.build(options) {
            Ok(()) => {}
            // The compiler's own words help more than its code.
            Err(error) => {
                let log = program.log();
                return Err(if log.is_empty() {
                    error
                } else {
                    BackendError::Build { program: text.label.into(), log }
                });
            }
        }
        let kernel = program.kernel(&entry)?;
        if let Some(binary) = program.binary() {
            self.disk.put(&key, &binary);
        }
        Ok(Program { kernel: Mutex::new(kernel), built: program })
    }

    /// The program from the disk cache; an entry that the driver does not take is forgotten.
    fn restored(&self, key: &CacheKey, options: &CStr, entry: &CStr) -> Option<Program> {
        let binary = self.disk.get(key)?;
        let (mut status, mut code) = (0, 0);
        let (length, start) = (binary.len(), binary.as_ptr());
        // SAFETY: context and device are live; one length and one start of that many readable bytes are given. The entry
        // was whole, so the bytes are what this driver made.
        let program = unsafe {
            (self.context.api.create_program_with_binary)(
                self.context.handle,
                1,
                &raw const self.context.device,
                &raw const length,
                &raw const start,
                &raw mut status,
                &raw mut code,
            )
        };
        let refused = || {
            self.disk.forget(key);
            None
        };
        if program.is_null() {
            return refused();
        }
        let program = Built { context: self.context.clone(), program };
        if code != loader::SUCCESS || status != loader::SUCCESS || program.build(options).is_err() {
            return refused();
        }
        match program.kernel(entry) {
            Ok(kernel) => Some(Program { kernel: Mutex::new(kernel), built: program }),
            Err(_) => refused(),
        }
    }
}

fn not_a_module(text: &ProgramText, why: &str) -> BackendError {
    BackendError::Build { program: text.label.into(), log: format!("internal error: not a valid module: {why}").into() }
}

/// A program with its kernel object.
pub(super) struct Program {
    kernel: Mutex<Handle>,
    built: Built,
}

// SAFETY: program and kernel objects may be used from any thread; arguments are set under the lock only.
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

impl Program {
    /// The kernel object, for one user at a time: it carries the arguments of the next launch.
    pub(super) fn kernel(&self) -> MutexGuard<'_, Handle> {
        self.kernel.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let kernel = *self.kernel.get_mut().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the kernel was created for this program and is let go of once; the driver keeps it for what runs.
        unsafe { (self.built.context.api.release_kernel)(kernel) };
    }
}

/// A program object of the driver.
struct Built {
    context: Arc<Context>,
    program: Handle,
}

impl Built {
    fn build(&self, options: &CStr) -> Result<(), BackendError> {
        // SAFETY: program and device are live; no callback, so the call returns when it is built.
        let code = unsafe {
            (self.context.api.build_program)(
                self.program,
                1,
                &raw const self.context.device,
                options.as_ptr(),
                null(),
                null_mut(),
            )
        };
        loader::check("clBuildProgram", code)
    }

    /// What the compiler says, cut where it becomes too long to read.
    fn log(&self) -> Box<str> {
        let (api, device) = (self.context.api, self.context.device);
        let mut bytes = 0;
        // SAFETY: program and device are live; only the length is asked for.
        let code = unsafe {
            (api.get_build_info)(self.program, device, loader::PROGRAM_BUILD_LOG, 0, null_mut(), &raw mut bytes)
        };
        if code != loader::SUCCESS || bytes > 1 << 24 {
            return "".into();
        }
        let mut log = vec![0u8; bytes];
        // SAFETY: `bytes` bytes are writable.
        unsafe {
            (api.get_build_info)(
                self.program,
                device,
                loader::PROGRAM_BUILD_LOG,
                bytes,
                log.as_mut_ptr().cast(),
                null_mut(),
            )
        };
        let text = String::from_utf8_lossy(&log);
        text.trim_matches(|c: char| c == '\0' || c.is_whitespace()).chars().take(4000).collect::<String>().into()
    }

    fn kernel(&self, entry: &CStr) -> Result<Handle, BackendError> {
        let mut code = 0;
        // SAFETY: the program is live and built, and the name ends with zero.
        let kernel = unsafe { (self.context.api.create_kernel)(self.program, entry.as_ptr(), &raw mut code) };
        loader::check("clCreateKernel", code)?;
        Ok(kernel)
    }

    /// The driver's binary for the one device.
    fn binary(&self) -> Option<Vec<u8>> {
        let api = self.context.api;
        let bytes = loader::number(api.get_program_info, self.program, loader::PROGRAM_BINARY_SIZES)? as usize;
        if bytes == 0 || bytes > 1 << 28 {
            return None;
        }
        let mut binary = vec![0u8; bytes];
        let mut start = binary.as_mut_ptr();
        // SAFETY: one pointer to `bytes` writable bytes is given, as the program has one device.
        let code = unsafe {
            (api.get_program_info)(
                self.program,
                loader::PROGRAM_BINARIES,
                size_of::<*mut u8>(),
                (&raw mut start).cast(),
                null_mut(),
            )
        };
        (code == loader::SUCCESS).then_some(binary)
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        // SAFETY: the program object is let go of once.
        unsafe { (self.context.api.release_program)(self.program) };
    }
}
