//! An OpenCL platform that cannot be used, as PoCL 3.1 cannot: it has a device, but takes no SPIR-V and has no unified shared memory.
//!
//! `OCL_ICD_VENDORS=.../libtestdriver.so` makes an OpenCL loader find it. With `TESTDRIVER_PLATFORM=silent` it never answers the
//! loader's first question, as a driver that hangs.

use std::ffi::{CStr, c_char, c_void};

type GetInfo = unsafe extern "C" fn(*mut Object, u32, usize, *mut c_void, *mut usize) -> i32;
type GetDevices = unsafe extern "C" fn(*mut Object, u64, u32, *mut *mut Object, *mut u32) -> i32;

/// What an OpenCL loader expects at the start of every object: functions in the order of the extension `cl_khr_icd`.
#[repr(C)]
struct Dispatch {
    get_platform_ids: Option<unsafe extern "C" fn()>,
    get_platform_info: GetInfo,
    get_device_ids: GetDevices,
    get_device_info: GetInfo,
    others: [Option<unsafe extern "C" fn()>; 128],
}

/// A platform or a device.
#[repr(C)]
pub struct Object(&'static Dispatch);

static DISPATCH: Dispatch = Dispatch {
    get_platform_ids: None,
    get_platform_info: clGetPlatformInfo,
    get_device_ids: device_ids,
    get_device_info: device_info,
    others: [None; 128],
};
static PLATFORM: Object = Object(&DISPATCH);
static DEVICE: Object = Object(&DISPATCH);

const SUCCESS: i32 = 0;
const INVALID_VALUE: i32 = -30;

/// Answers a text in the manner of OpenCL.
///
/// # Safety
/// The buffer has room for `room` bytes, or is null; the length is null or writable.
unsafe fn give(text: &CStr, room: usize, buffer: *mut c_void, length: *mut usize) -> i32 {
    let bytes = text.to_bytes_with_nul();
    // SAFETY: passed on to the caller.
    unsafe {
        if let Some(length) = length.as_mut() {
            *length = bytes.len();
        }
        if buffer.is_null() {
            return SUCCESS;
        }
        if room < bytes.len() {
            return INVALID_VALUE;
        }
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.cast(), bytes.len());
    }
    SUCCESS
}

/// Answers one object.
///
/// # Safety
/// The list has room for `room` handles, or is null; the count is null or writable.
unsafe fn give_one(object: &'static Object, room: u32, list: *mut *mut Object, count: *mut u32) -> i32 {
    // SAFETY: passed on to the caller.
    unsafe {
        if let Some(count) = count.as_mut() {
            *count = 1;
        }
        if room > 0
            && let Some(first) = list.as_mut()
        {
            *first = std::ptr::from_ref(object).cast_mut();
        }
    }
    SUCCESS
}

/// The platforms, for a loader.
///
/// # Safety
/// As OpenCL asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clIcdGetPlatformIDsKHR(room: u32, list: *mut *mut Object, count: *mut u32) -> i32 {
    while std::env::var_os("TESTDRIVER_PLATFORM").is_some_and(|value| value == "silent") {
        std::thread::park();
    }
    // SAFETY: passed on to the caller.
    unsafe { give_one(&PLATFORM, room, list, count) }
}

/// Functions by name, for a loader.
///
/// # Safety
/// The name is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *mut c_void {
    // SAFETY: passed on to the caller.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"clIcdGetPlatformIDsKHR" => clIcdGetPlatformIDsKHR as *mut c_void,
        _ => std::ptr::null_mut(),
    }
}

/// What the platform says of itself.
///
/// # Safety
/// As OpenCL asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetPlatformInfo(
    _platform: *mut Object,
    what: u32,
    room: usize,
    buffer: *mut c_void,
    length: *mut usize,
) -> i32 {
    let text = match what {
        0x0900 => c"FULL_PROFILE",
        0x0901 => c"OpenCL 3.0 a platform for tests",
        0x0902 => c"Platform without SPIR-V",
        0x0903 => c"Cellhold",
        0x0904 => c"cl_khr_icd",
        0x0920 => c"TST",
        _ => return INVALID_VALUE,
    };
    // SAFETY: passed on to the caller.
    unsafe { give(text, room, buffer, length) }
}

unsafe extern "C" fn device_ids(
    _platform: *mut Object,
    _kinds: u64,
    room: u32,
    list: *mut *mut Object,
    count: *mut u32,
) -> i32 {
    // SAFETY: passed on to the caller.
    unsafe { give_one(&DEVICE, room, list, count) }
}

unsafe extern "C" fn device_info(
    _device: *mut Object,
    what: u32,
    room: usize,
    buffer: *mut c_void,
    length: *mut usize,
) -> i32 {
    let text = match what {
        0x102B => c"pthread-of-tests",
        // The languages it takes besides OpenCL C: none.
        0x105B => c"",
        _ => return INVALID_VALUE,
    };
    // SAFETY: passed on to the caller.
    unsafe { give(text, room, buffer, length) }
}
