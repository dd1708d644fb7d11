//! Modules, their build logs, and their native form.

use crate::answer::{Answer, Refusal, array, enumerate, give_bytes, place, read, refusal, refuse};
use crate::context::Context;
use crate::device::device;
use crate::driver::{Driver, call, work};
use crate::opencl::{Program, Text};
use crate::reflect::{ModuleFacts, reflect};
use level_zero_sys::*;
use std::ffi::{CStr, CString, c_char};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A built module.
pub(crate) struct Module {
    /// The compiled program.
    pub program: Program,
    /// Its kernels, and their names for C.
    pub facts: ModuleFacts,
    names: Vec<CString>,
    source: Vec<u8>,
    /// Whether kernels may use buffers above the allocation limit.
    pub large_buffers: bool,
}

/// How many modules were built from SPIR-V, and how many from their native form.
static BUILT: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// See [`BUILT`].
pub(crate) fn count_built(native: bool) -> u64 {
    BUILT[usize::from(native)].load(Ordering::Relaxed)
}

/// A build log.
pub(crate) struct BuildLog(CString);

/// The flag without which a kernel computes wrongly on buffers above 4 GiB.
const LARGE_BUFFERS: &str = "-ze-opt-greater-than-4GB-buffer-required";

/// The flag by which division and square roots in single precision are rounded correctly; Intel's compiler has it under both names.
const EXACT_FP32: &str = "-ze-fp32-correctly-rounded-divide-sqrt";

/// Build flags that change nothing here.
const WITHOUT_EFFECT: &[&str] =
    &["-ze-opt-level=0", "-ze-opt-level=1", "-ze-opt-level=2", "-ze-intel-has-buffer-offset-arg"];

/// The native form: this mark, the length of the SPIR-V, the SPIR-V, the runtime's binary.
const NATIVE_MARK: &[u8; 8] = b"CHTDRV01";

fn failed(log: impl Into<String>) -> Refusal {
    refusal(ze_result_t::ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, log.into())
}

/// The options for the runtime, and whether large buffers are allowed.
fn options(flags: &str) -> Answer<(String, bool)> {
    let (mut options, mut large_buffers) = (Vec::new(), false);
    for flag in flags.split_whitespace() {
        match flag {
            LARGE_BUFFERS => large_buffers = true,
            "-ze-opt-disable" => options.push("-cl-opt-disable"),
            EXACT_FP32 => options.push("-cl-fp32-correctly-rounded-divide-sqrt"),
            known if WITHOUT_EFFECT.contains(&known) => {}
            unknown => return Err(failed(format!("error: unrecognized build option {unknown}"))),
        }
    }
    Ok((options.join(" "), large_buffers))
}

/// SPIR-V and binary of a native form.
fn split_native(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(NATIVE_MARK)?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

fn build(driver: &'static Driver, native: bool, bytes: &[u8], flags: &str) -> Answer<Module> {
    let (options, large_buffers) = options(flags)?;
    let (source, binary) = if native {
        let Some((source, binary)) = split_native(bytes) else {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, "no native module of this driver");
        };
        (source, Some(binary))
    } else {
        (bytes, None)
    };
    let facts = reflect(source).map_err(|why| failed(format!("error: invalid SPIR-V: {why}")))?;
    if facts.fp64 && !driver.config.fp64 {
        let kernel = facts.kernels.first().map_or("", |kernel| kernel.name.as_str());
        return Err(failed(format!(
            "error: Double type is not supported on this platform.\nin kernel: '{kernel}'\nerror: backend compiler failed build.\n"
        )));
    }
    let text = binary.map_or(Text::SpirV(source), Text::Binary);
    let program = driver.opencl.build(text, &options).map_err(failed)?;
    BUILT[usize::from(native)].fetch_add(1, Ordering::Relaxed);
    let names = facts.kernels.iter().map(|kernel| CString::new(kernel.name.as_str()).unwrap_or_default()).collect();
    Ok(Module { program, facts, names, source: source.to_vec(), large_buffers })
}

pub(crate) unsafe extern "C" fn zeModuleCreate(
    context: ze_context_handle_t,
    handle: ze_device_handle_t,
    descriptor: *const ze_module_desc_t,
    module: *mut ze_module_handle_t,
    log: *mut ze_module_build_log_handle_t,
) -> ze_result_t {
    work("zeModuleCreate", |driver| {
        driver.objects.get::<Context, _>(context)?;
        device(driver, handle)?;
        // SAFETY: the caller's structures are as the specification asks; log and constants are optional.
        let (descriptor, module, log, constants) = unsafe {
            let descriptor = read(descriptor)?;
            (descriptor, place(module)?, log.as_mut(), descriptor.pConstants.as_ref())
        };
        // SAFETY: as above.
        let (bytes, flags) = unsafe {
            let flags = descriptor.pBuildFlags;
            let flags = if flags.is_null() { "".into() } else { CStr::from_ptr(flags).to_string_lossy() };
            (array(descriptor.pInputModule, descriptor.inputSize)?, flags)
        };
        if constants.is_some_and(|constants| constants.numConstants > 0) {
            return refuse(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "specialization constants");
        }
        let native = match descriptor.format {
            ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV => false,
            ze_module_format_t::ZE_MODULE_FORMAT_NATIVE => true,
            _ => return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION, "neither SPIR-V nor native"),
        };
        let built = build(driver, native, bytes, &flags);
        if let Some(log) = log {
            let text = built.as_ref().err().map(|refusal| refusal.why.replace('\0', " ")).unwrap_or_default();
            *log = driver.objects.insert(BuildLog(CString::new(text).unwrap_or_default()));
        }
        *module = driver.objects.insert(built?);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeModuleDestroy(module: ze_module_handle_t) -> ze_result_t {
    call("zeModuleDestroy", |driver| {
        let object = driver.objects.get::<Module, _>(module)?;
        // The table and this function hold one each; every kernel holds one more.
        if Arc::strong_count(&object) > 2 {
            return refuse(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, "the module still has kernels");
        }
        driver.objects.remove::<Module, _>(module).map(drop)
    })
}

pub(crate) unsafe extern "C" fn zeModuleBuildLogGetString(
    log: ze_module_build_log_handle_t,
    bytes: *mut usize,
    text: *mut c_char,
) -> ze_result_t {
    call("zeModuleBuildLogGetString", |driver| {
        let log = driver.objects.get::<BuildLog, _>(log)?;
        // SAFETY: the caller's buffer is as the specification asks.
        unsafe { give_bytes(bytes, text.cast(), log.0.as_bytes_with_nul()) }
    })
}

pub(crate) unsafe extern "C" fn zeModuleBuildLogDestroy(log: ze_module_build_log_handle_t) -> ze_result_t {
    call("zeModuleBuildLogDestroy", |driver| driver.objects.remove::<BuildLog, _>(log).map(drop))
}

pub(crate) unsafe extern "C" fn zeModuleGetKernelNames(
    module: ze_module_handle_t,
    count: *mut u32,
    names: *mut *const c_char,
) -> ze_result_t {
    call("zeModuleGetKernelNames", |driver| {
        let module = driver.objects.get::<Module, _>(module)?;
        let pointers: Vec<*const c_char> = module.names.iter().map(|name| name.as_ptr()).collect();
        // SAFETY: the caller's array is as the specification asks; the names live as long as the module.
        unsafe { enumerate(count, names, &pointers) }
    })
}

pub(crate) unsafe extern "C" fn zeModuleGetNativeBinary(
    module: ze_module_handle_t,
    bytes: *mut usize,
    binary: *mut u8,
) -> ze_result_t {
    call("zeModuleGetNativeBinary", |driver| {
        let module = driver.objects.get::<Module, _>(module)?;
        let length = (module.source.len() as u64).to_le_bytes();
        let native = [NATIVE_MARK, &length[..], &module.source, &module.program.binary()].concat();
        // SAFETY: the caller's buffer is as the specification asks.
        unsafe { give_bytes(bytes, binary, &native) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_flags_pass_and_unknown_ones_fail_the_build() {
        let (options_, large) = options(&format!("-ze-opt-disable {LARGE_BUFFERS}")).expect("known");
        assert_eq!((options_.as_str(), large), ("-cl-opt-disable", true));
        assert_eq!(options(EXACT_FP32).expect("known").0, "-cl-fp32-correctly-rounded-divide-sqrt");
        assert_eq!(options("").expect("nothing"), (String::new(), false));
        assert!(options("-cl-fast-relaxed-math").expect_err("unknown").why.contains("-cl-fast-relaxed-math"));
    }

    #[test]
    fn only_our_native_form_is_split() {
        let native = [&NATIVE_MARK[..], &2_u64.to_le_bytes(), b"ir", b"binary"].concat();
        assert_eq!(split_native(&native), Some((&b"ir"[..], &b"binary"[..])));
        assert_eq!(split_native(&native[1..]), None);
        assert_eq!(split_native(&[&NATIVE_MARK[..], &u64::MAX.to_le_bytes()].concat()), None);
    }
}
