//! The OpenCL functions this backend calls, loaded from `libOpenCL.so.1` when the first device is asked for.
//!
//! Types and numbers are those of the Khronos headers, spelled out for the few that are used. The functions for unified
//! memory are extensions, which the loader library does not export: each platform is asked for them. A failing call
//! becomes an error that names the function, the code and the code's name.

use crate::arrays::backend::BackendError;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

/// A handle of the driver: platform, device, context, queue, program, kernel or event.
pub type Handle = *mut c_void;

/// The library every OpenCL program is linked with.
pub const LIBRARY: &str = "libOpenCL.so.1";

pub const SUCCESS: i32 = 0;
pub const INVALID_VALUE: i32 = -30;
pub const DEVICE_PARTITION_FAILED: i32 = -18;
pub const INVALID_DEVICE_PARTITION_COUNT: i32 = -68;
pub const DEVICE_NOT_AVAILABLE: i32 = -2;
pub const MEM_OBJECT_ALLOCATION_FAILURE: i32 = -4;
pub const OUT_OF_RESOURCES: i32 = -5;
pub const OUT_OF_HOST_MEMORY: i32 = -6;
pub const INVALID_BUFFER_SIZE: i32 = -61;
pub const PLATFORM_NOT_FOUND: i32 = -1001;

pub const PLATFORM_VERSION: u32 = 0x0901;
pub const PLATFORM_NAME: u32 = 0x0902;

pub const DEVICE_TYPE_CPU: u64 = 1 << 1;
pub const DEVICE_TYPE_GPU: u64 = 1 << 2;
pub const DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;

pub const DEVICE_TYPE: u32 = 0x1000;
pub const DEVICE_MAX_COMPUTE_UNITS: u32 = 0x1002;
pub const DEVICE_MAX_WORK_GROUP_SIZE: u32 = 0x1004;
pub const DEVICE_MAX_WORK_ITEM_SIZES: u32 = 0x1005;
pub const DEVICE_ADDRESS_BITS: u32 = 0x100D;
pub const DEVICE_MAX_MEM_ALLOC_SIZE: u32 = 0x1010;
pub const DEVICE_GLOBAL_MEM_SIZE: u32 = 0x101F;
pub const DEVICE_LOCAL_MEM_SIZE: u32 = 0x1023;
pub const DEVICE_NAME: u32 = 0x102B;
pub const DEVICE_VENDOR: u32 = 0x102C;
pub const DRIVER_VERSION: u32 = 0x102D;
pub const DEVICE_SINGLE_FP_CONFIG: u32 = 0x101B;
/// Among the answers to [`DEVICE_SINGLE_FP_CONFIG`]: division and square roots can be rounded correctly.
pub const FP_CORRECTLY_ROUNDED_DIVIDE_SQRT: u64 = 1 << 7;
pub const DEVICE_EXTENSIONS: u32 = 0x1030;
pub const DEVICE_DOUBLE_FP_CONFIG: u32 = 0x1032;
pub const DEVICE_HOST_UNIFIED_MEMORY: u32 = 0x1035;
pub const DEVICE_IL_VERSION: u32 = 0x105B;
pub const DEVICE_UUID: u32 = 0x106A;
pub const DEVICE_PCI_BUS_INFO: u32 = 0x410F;
pub const DEVICE_SUB_GROUP_SIZES: u32 = 0x4108;
pub const HOST_MEM_CAPABILITIES: u32 = 0x4190;
pub const DEVICE_MEM_CAPABILITIES: u32 = 0x4191;
pub const SHARED_MEM_CAPABILITIES: u32 = 0x4192;

pub const DEVICE_PARTITION_EQUALLY: isize = 0x1086;
pub const DEVICE_PARTITION_BY_COUNTS: isize = 0x1087;
pub const DEVICE_PARTITION_BY_AFFINITY_DOMAIN: isize = 0x1088;

pub const QUEUE_PROPERTIES: u64 = 0x1093;
pub const QUEUE_PROFILING_ENABLE: u64 = 1 << 1;
pub const PROGRAM_BINARY_SIZES: u32 = 0x1165;
pub const PROGRAM_BINARIES: u32 = 0x1166;
pub const PROGRAM_BUILD_LOG: u32 = 0x1183;
pub const EVENT_COMMAND_EXECUTION_STATUS: u32 = 0x11D3;
pub const PROFILING_COMMAND_START: u32 = 0x1282;
pub const PROFILING_COMMAND_END: u32 = 0x1283;

/// The signature shared by all functions that only ask for information.
type GetInfo = unsafe extern "C" fn(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
/// The signature shared by all functions that let go of a handle or wait for a queue.
type OnHandle = unsafe extern "C" fn(Handle) -> i32;

macro_rules! functions {
    ($($field:ident $name:literal: $signature:ty,)*) => {
        /// The loader's functions.
        #[derive(Clone, Copy)]
        pub struct Api {
            $(#[doc = $name] pub $field: $signature,)*
        }

        impl Api {
            fn resolve(library: &'static libloading::Library) -> Result<Api, Box<str>> {
                $(
                    // SAFETY: the signature is that of the Khronos header for this name, and the library stays loaded for
                    // the rest of the process.
                    let $field = *unsafe { library.get::<$signature>(concat!($name, "\0").as_bytes()) }
                        .map_err(|_| Box::<str>::from(concat!(
                            "libOpenCL.so.1 has no ", $name, ": install a loader for OpenCL 2.1 or newer (ocl-icd-libopencl1)"
                        )))?;
                )*
                Ok(Api { $($field,)* })
            }
        }
    };
}

functions! {
    get_platform_ids "clGetPlatformIDs": unsafe extern "C" fn(u32, *mut Handle, *mut u32) -> i32,
    get_platform_info "clGetPlatformInfo": GetInfo,
    get_device_ids "clGetDeviceIDs": unsafe extern "C" fn(Handle, u64, u32, *mut Handle, *mut u32) -> i32,
    get_device_info "clGetDeviceInfo": GetInfo,
    create_sub_devices "clCreateSubDevices":
        unsafe extern "C" fn(Handle, *const isize, u32, *mut Handle, *mut u32) -> i32,
    create_context "clCreateContext":
        unsafe extern "C" fn(*const isize, u32, *const Handle, *const c_void, *mut c_void, *mut i32) -> Handle,
    release_context "clReleaseContext": OnHandle,
    create_queue "clCreateCommandQueueWithProperties": unsafe extern "C" fn(Handle, Handle, *const u64, *mut i32) -> Handle,
    release_queue "clReleaseCommandQueue": OnHandle,
    flush "clFlush": OnHandle,
    create_program_with_il "clCreateProgramWithIL": unsafe extern "C" fn(Handle, *const c_void, usize, *mut i32) -> Handle,
    create_program_with_binary "clCreateProgramWithBinary":
        unsafe extern "C" fn(Handle, u32, *const Handle, *const usize, *const *const u8, *mut i32, *mut i32) -> Handle,
    build_program "clBuildProgram":
        unsafe extern "C" fn(Handle, u32, *const Handle, *const c_char, *const c_void, *mut c_void) -> i32,
    get_build_info "clGetProgramBuildInfo": unsafe extern "C" fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> i32,
    get_program_info "clGetProgramInfo": GetInfo,
    release_program "clReleaseProgram": OnHandle,
    create_kernel "clCreateKernel": unsafe extern "C" fn(Handle, *const c_char, *mut i32) -> Handle,
    release_kernel "clReleaseKernel": OnHandle,
    set_argument "clSetKernelArg": unsafe extern "C" fn(Handle, u32, usize, *const c_void) -> i32,
    enqueue_kernel "clEnqueueNDRangeKernel": unsafe extern "C" fn(
        Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle,
    ) -> i32,
    wait_for_events "clWaitForEvents": unsafe extern "C" fn(u32, *const Handle) -> i32,
    get_event_info "clGetEventInfo": GetInfo,
    get_profiling_info "clGetEventProfilingInfo": GetInfo,
    release_event "clReleaseEvent": OnHandle,
    extension_function "clGetExtensionFunctionAddressForPlatform":
        unsafe extern "C" fn(Handle, *const c_char) -> *mut c_void,
}

/// What a person installs to have a platform.
pub const RUNTIMES: &str = "intel-opencl-icd for an Intel GPU, or Intel's runtime for processors \
     (PyPI intel-opencl-rt and intel-cmplr-lib-rt, and OCL_ICD_VENDORS set to its libintelocl.so)";

/// The library's functions, loaded at the first call; or why not, with the remedy.
pub fn api() -> Result<&'static Api, Box<str>> {
    static API: OnceLock<Result<Api, Box<str>>> = OnceLock::new();
    API.get_or_init(|| {
        // SAFETY: loading runs the initialisers of the system's OpenCL loader, as linking with it would.
        let library = unsafe { libloading::Library::new(LIBRARY) }.map_err(|error| missing(&error))?;
        // The drivers it loads start threads that outlive any caller, so the library is never unloaded.
        Api::resolve(Box::leak(Box::new(library)))
    })
    .as_ref()
    .map_err(Clone::clone)
}

/// Whether the library is installed; loads it and calls nothing in it.
#[cfg(test)]
pub fn library_is_there() -> bool {
    api().is_ok()
}

fn missing(error: &libloading::Error) -> Box<str> {
    // The system's words are in the source; the error itself says only which call failed.
    let text = std::error::Error::source(error).unwrap_or(error).to_string();
    if text.contains("No such file") {
        format!("{LIBRARY} not found: install it (Debian, Ubuntu: apt install ocl-icd-libopencl1) and {RUNTIMES}")
            .into()
    } else {
        format!("{LIBRARY} does not load ({text}): install it anew (Debian, Ubuntu: apt install --reinstall ocl-icd-libopencl1)")
            .into()
    }
}

/// Allocates for one device of a context.
type AllocateFor = unsafe extern "C" fn(Handle, Handle, *const u64, usize, u32, *mut i32) -> *mut c_void;
/// Allocates for all devices of a context.
type Allocate = unsafe extern "C" fn(Handle, *const u64, usize, u32, *mut i32) -> *mut c_void;
type Free = unsafe extern "C" fn(Handle, *mut c_void) -> i32;
type SetPointer = unsafe extern "C" fn(Handle, u32, *const c_void) -> i32;
type CopyBytes =
    unsafe extern "C" fn(Handle, u32, *mut c_void, *const c_void, usize, u32, *const Handle, *mut Handle) -> i32;
type Fill =
    unsafe extern "C" fn(Handle, *mut c_void, *const c_void, usize, usize, u32, *const Handle, *mut Handle) -> i32;

/// Functions for unified shared memory, an extension of one platform.
#[derive(Clone, Copy)]
pub struct UsmApi {
    /// `clDeviceMemAllocINTEL`
    pub device_alloc: AllocateFor,
    /// `clSharedMemAllocINTEL`
    pub shared_alloc: AllocateFor,
    /// `clHostMemAllocINTEL`
    pub host_alloc: Allocate,
    /// `clMemFreeINTEL`; no work on the memory may be pending
    pub free: Free,
    /// `clSetKernelArgMemPointerINTEL`
    pub set_pointer: SetPointer,
    /// `clEnqueueMemcpyINTEL`
    pub copy: CopyBytes,
    /// `clEnqueueMemFillINTEL`
    pub fill: Fill,
}

impl UsmApi {
    /// The platform's functions, or the name of the first it lacks.
    pub fn of(api: &Api, platform: Handle) -> Result<UsmApi, &'static str> {
        macro_rules! extension {
            ($name:literal: $signature:ty) => {{
                // SAFETY: the platform is live and the name ends with zero.
                let address = unsafe { (api.extension_function)(platform, concat!($name, "\0").as_ptr().cast()) };
                if address.is_null() {
                    return Err($name);
                }
                // SAFETY: the platform answers this name with a function of the signature that the extension's
                // specification gives, which is that of the field; both are plain pointers.
                unsafe { std::mem::transmute::<*mut c_void, $signature>(address) }
            }};
        }
        Ok(UsmApi {
            device_alloc: extension!("clDeviceMemAllocINTEL": AllocateFor),
            shared_alloc: extension!("clSharedMemAllocINTEL": AllocateFor),
            host_alloc: extension!("clHostMemAllocINTEL": Allocate),
            free: extension!("clMemFreeINTEL": Free),
            set_pointer: extension!("clSetKernelArgMemPointerINTEL": SetPointer),
            copy: extension!("clEnqueueMemcpyINTEL": CopyBytes),
            fill: extension!("clEnqueueMemFillINTEL": Fill),
        })
    }
}

/// The outcome of a call.
pub fn check(call: &'static str, code: i32) -> Result<(), BackendError> {
    if code == SUCCESS { Ok(()) } else { Err(refused(call, code)) }
}

/// A code as an error.
pub fn refused(call: &'static str, code: i32) -> BackendError {
    if code == DEVICE_NOT_AVAILABLE {
        return BackendError::Lost { reason: format!("{call} answered {} ({code})", code_name(code)).into() };
    }
    BackendError::Driver { call, code: i64::from(code), name: code_name(code).into() }
}

/// A number the driver gives about an object; nothing when it does not know the question.
pub fn number(ask: GetInfo, object: Handle, what: u32) -> Option<u64> {
    let mut value = 0u64;
    let mut bytes = 0;
    // SAFETY: eight bytes are writable, and the driver refuses to write more.
    let code = unsafe { ask(object, what, 8, (&raw mut value).cast(), &raw mut bytes) };
    // Narrower answers fill the low bytes on this little-endian target.
    (code == SUCCESS).then_some(value)
}

/// Bytes the driver gives about an object; nothing when it does not know the question.
pub fn bytes(ask: GetInfo, object: Handle, what: u32) -> Option<Vec<u8>> {
    let mut needed = 0;
    // SAFETY: no bytes are asked for, only how many there are.
    let code = unsafe { ask(object, what, 0, null_mut(), &raw mut needed) };
    if code != SUCCESS || needed > 1 << 20 {
        return None;
    }
    let mut answer = vec![0u8; needed];
    // SAFETY: `needed` bytes are writable.
    let code = unsafe { ask(object, what, needed, answer.as_mut_ptr().cast(), null_mut()) };
    (code == SUCCESS).then_some(answer)
}

/// A text the driver gives about an object; empty when it does not know the question.
pub fn text(ask: GetInfo, object: Handle, what: u32) -> String {
    let answer = bytes(ask, object, what).unwrap_or_default();
    let text = CStr::from_bytes_until_nul(&answer).map_or(&answer[..], CStr::to_bytes);
    String::from_utf8_lossy(text).trim().to_owned()
}

/// The header's name of a code.
pub fn code_name(code: i32) -> &'static str {
    match code {
        0 => "CL_SUCCESS",
        -1 => "CL_DEVICE_NOT_FOUND",
        -2 => "CL_DEVICE_NOT_AVAILABLE",
        -3 => "CL_COMPILER_NOT_AVAILABLE",
        -4 => "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        -5 => "CL_OUT_OF_RESOURCES",
        -6 => "CL_OUT_OF_HOST_MEMORY",
        -7 => "CL_PROFILING_INFO_NOT_AVAILABLE",
        -8 => "CL_MEM_COPY_OVERLAP",
        -11 => "CL_BUILD_PROGRAM_FAILURE",
        -13 => "CL_MISALIGNED_SUB_BUFFER_OFFSET",
        -14 => "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
        -15 => "CL_COMPILE_PROGRAM_FAILURE",
        -16 => "CL_LINKER_NOT_AVAILABLE",
        -17 => "CL_LINK_PROGRAM_FAILURE",
        -18 => "CL_DEVICE_PARTITION_FAILED",
        -30 => "CL_INVALID_VALUE",
        -31 => "CL_INVALID_DEVICE_TYPE",
        -32 => "CL_INVALID_PLATFORM",
        -33 => "CL_INVALID_DEVICE",
        -34 => "CL_INVALID_CONTEXT",
        -35 => "CL_INVALID_QUEUE_PROPERTIES",
        -36 => "CL_INVALID_COMMAND_QUEUE",
        -38 => "CL_INVALID_MEM_OBJECT",
        -42 => "CL_INVALID_BINARY",
        -43 => "CL_INVALID_BUILD_OPTIONS",
        -44 => "CL_INVALID_PROGRAM",
        -45 => "CL_INVALID_PROGRAM_EXECUTABLE",
        -46 => "CL_INVALID_KERNEL_NAME",
        -47 => "CL_INVALID_KERNEL_DEFINITION",
        -48 => "CL_INVALID_KERNEL",
        -49 => "CL_INVALID_ARG_INDEX",
        -50 => "CL_INVALID_ARG_VALUE",
        -51 => "CL_INVALID_ARG_SIZE",
        -52 => "CL_INVALID_KERNEL_ARGS",
        -53 => "CL_INVALID_WORK_DIMENSION",
        -54 => "CL_INVALID_WORK_GROUP_SIZE",
        -55 => "CL_INVALID_WORK_ITEM_SIZE",
        -56 => "CL_INVALID_GLOBAL_OFFSET",
        -57 => "CL_INVALID_EVENT_WAIT_LIST",
        -58 => "CL_INVALID_EVENT",
        -59 => "CL_INVALID_OPERATION",
        -61 => "CL_INVALID_BUFFER_SIZE",
        -63 => "CL_INVALID_GLOBAL_WORK_SIZE",
        -64 => "CL_INVALID_PROPERTY",
        -68 => "CL_INVALID_DEVICE_PARTITION_COUNT",
        -1001 => "CL_PLATFORM_NOT_FOUND_KHR",
        _ => "an unknown code",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why_not(file: &std::path::Path) -> Box<str> {
        // SAFETY: neither file is a library, so nothing of it runs.
        let error = unsafe { libloading::Library::new(file) }.expect_err("no library");
        missing(&error)
    }

    #[test]
    fn a_loader_that_is_not_there_and_one_that_is_broken_have_their_own_remedies() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(LIBRARY);
        let text = why_not(&file);
        assert!(text.contains("not found") && text.contains("apt install ocl-icd-libopencl1"), "{text}");
        std::fs::write(&file, "not a library at all").expect("writable");
        let text = why_not(&file);
        assert!(text.contains("file too short") && text.contains("--reinstall"), "{text}");
    }
}
