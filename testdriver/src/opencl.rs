//! The few OpenCL functions the device runs on, found at run time.
//!
//! Any library will do that exports OpenCL and has a CPU device which takes SPIR-V and unified shared memory: Intel's CPU
//! runtime itself, or a loader that knows it. Nothing here knows Level Zero.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};

/// Any OpenCL object.
pub(crate) type Handle = *mut c_void;

const DEVICE_TYPE_CPU: u64 = 1 << 1;
const DEVICE_MAX_COMPUTE_UNITS: u32 = 0x1002;
const DEVICE_MAX_WORK_GROUP_SIZE: u32 = 0x1004;
const DEVICE_LOCAL_MEM_SIZE: u32 = 0x1023;
const DEVICE_EXTENSIONS: u32 = 0x1030;
const PROGRAM_BINARY_SIZES: u32 = 0x1165;
const PROGRAM_BINARIES: u32 = 0x1166;
const PROGRAM_BUILD_LOG: u32 = 0x1183;

type Release = unsafe extern "C" fn(Handle) -> i32;

macro_rules! functions {
    ($($name:ident: $type:ty,)*) => {
        #[allow(non_snake_case, reason = "the names of the specification")]
        struct Functions {
            $($name: $type,)*
            _library: libloading::Library,
        }

        impl Functions {
            fn load(path: &str) -> Result<Functions, String> {
                // SAFETY: the library is an OpenCL loader or runtime; its initialisers are meant to run.
                let library = unsafe { libloading::Library::new(path) }.map_err(|error| {
                    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
                })?;
                Ok(Functions {
                    // SAFETY: the types are those of the OpenCL headers.
                    $($name: *unsafe { library.get::<$type>(stringify!($name)) }
                        .map_err(|_| format!("{path} has no {}", stringify!($name)))?,)*
                    _library: library,
                })
            }
        }
    };
}

functions! {
    clGetPlatformIDs: unsafe extern "C" fn(u32, *mut Handle, *mut u32) -> i32,
    clGetDeviceIDs: unsafe extern "C" fn(Handle, u64, u32, *mut Handle, *mut u32) -> i32,
    clGetDeviceInfo: unsafe extern "C" fn(Handle, u32, usize, *mut c_void, *mut usize) -> i32,
    clCreateContext: unsafe extern "C" fn(*const isize, u32, *const Handle, *const c_void, *mut c_void, *mut i32) -> Handle,
    clCreateCommandQueueWithProperties: unsafe extern "C" fn(Handle, Handle, *const u64, *mut i32) -> Handle,
    clCreateProgramWithIL: unsafe extern "C" fn(Handle, *const c_void, usize, *mut i32) -> Handle,
    clCreateProgramWithBinary:
        unsafe extern "C" fn(Handle, u32, *const Handle, *const usize, *const *const u8, *mut i32, *mut i32) -> Handle,
    clBuildProgram: unsafe extern "C" fn(Handle, u32, *const Handle, *const c_char, *const c_void, *mut c_void) -> i32,
    clGetProgramBuildInfo: unsafe extern "C" fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> i32,
    clGetProgramInfo: unsafe extern "C" fn(Handle, u32, usize, *mut c_void, *mut usize) -> i32,
    clCreateKernel: unsafe extern "C" fn(Handle, *const c_char, *mut i32) -> Handle,
    clReleaseKernel: Release,
    clReleaseProgram: Release,
    clReleaseCommandQueue: Release,
    clFinish: Release,
    clSetKernelArg: unsafe extern "C" fn(Handle, u32, usize, *const c_void) -> i32,
    clEnqueueNDRangeKernel: unsafe extern "C" fn(
        Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle,
    ) -> i32,
    clGetExtensionFunctionAddressForPlatform: unsafe extern "C" fn(Handle, *const c_char) -> *mut c_void,
}

type AllocateOnDevice = unsafe extern "C" fn(Handle, Handle, *const u64, usize, u32, *mut i32) -> *mut c_void;
type AllocateOnHost = unsafe extern "C" fn(Handle, *const u64, usize, u32, *mut i32) -> *mut c_void;

/// The extension `cl_intel_unified_shared_memory` of one platform.
struct SharedMemory {
    device: AllocateOnDevice,
    shared: AllocateOnDevice,
    host: AllocateOnHost,
    free: unsafe extern "C" fn(Handle, *mut c_void) -> i32,
    set_pointer: unsafe extern "C" fn(Handle, u32, *const c_void) -> i32,
}

impl SharedMemory {
    fn find(functions: &Functions, platform: Handle) -> Option<SharedMemory> {
        let address = |name: &CStr| {
            // SAFETY: the platform was listed by this library; the name is a C string.
            let found = unsafe { (functions.clGetExtensionFunctionAddressForPlatform)(platform, name.as_ptr()) };
            (!found.is_null()).then_some(found)
        };
        let device = address(c"clDeviceMemAllocINTEL")?;
        let shared = address(c"clSharedMemAllocINTEL")?;
        let host = address(c"clHostMemAllocINTEL")?;
        let free = address(c"clMemFreeINTEL")?;
        let set_pointer = address(c"clSetKernelArgMemPointerINTEL")?;
        // SAFETY: the extension gives the functions of these names these types.
        unsafe {
            Some(SharedMemory {
                device: std::mem::transmute::<*mut c_void, AllocateOnDevice>(device),
                shared: std::mem::transmute::<*mut c_void, AllocateOnDevice>(shared),
                host: std::mem::transmute::<*mut c_void, AllocateOnHost>(host),
                free: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(Handle, *mut c_void) -> i32>(free),
                set_pointer: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(Handle, u32, *const c_void) -> i32>(
                    set_pointer,
                ),
            })
        }
    }
}

/// Kinds of unified shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of the device.
    Device,
    /// Of both.
    Shared,
    /// Of the host, reachable by the device.
    Host,
}

/// A value for a kernel's parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Argument {
    /// An address.
    Pointer(usize),
    /// So many bytes of local memory.
    Local(usize),
    /// A value.
    Value(Vec<u8>),
}

/// One OpenCL CPU device with a context.
pub(crate) struct OpenCl {
    functions: Functions,
    memory: SharedMemory,
    context: Handle,
    device: Handle,
    /// Compute units.
    pub compute_units: u32,
    /// Work-items of the largest work-group.
    pub max_group_items: usize,
    /// Bytes of local memory of a work-group.
    pub local_bytes: u64,
    /// Whether kernels may compute in 16-bit floating point.
    pub fp16: bool,
}

// SAFETY: OpenCL allows all calls from several threads at once except setting arguments of one kernel, which takes `&mut`.
unsafe impl Send for OpenCl {}
// SAFETY: as above.
unsafe impl Sync for OpenCl {}

impl OpenCl {
    /// The first CPU device with unified shared memory that the library at `path` knows.
    pub fn open(path: &str) -> Result<OpenCl, String> {
        let functions = Functions::load(path)?;
        let mut count = 0;
        // SAFETY: a null array asks for the number.
        unsafe { (functions.clGetPlatformIDs)(0, null_mut(), &mut count) };
        let mut platforms = vec![null_mut(); count as usize];
        // SAFETY: the array has room for `count` platforms.
        unsafe { (functions.clGetPlatformIDs)(count, platforms.as_mut_ptr(), null_mut()) };
        for platform in platforms {
            let mut device = null_mut();
            // SAFETY: the platform was just listed; there is room for one device.
            if unsafe { (functions.clGetDeviceIDs)(platform, DEVICE_TYPE_CPU, 1, &mut device, null_mut()) } != 0 {
                continue;
            }
            let Some(memory) = SharedMemory::find(&functions, platform) else { continue };
            let mut error = 0;
            // SAFETY: one device, no properties, no callback.
            let context = unsafe { (functions.clCreateContext)(null(), 1, &device, null(), null_mut(), &mut error) };
            if error != 0 {
                return Err(format!("clCreateContext answers {error}"));
            }
            let facts = Facts { functions: &functions, device };
            return Ok(OpenCl {
                compute_units: facts.number(DEVICE_MAX_COMPUTE_UNITS) as u32,
                max_group_items: facts.number(DEVICE_MAX_WORK_GROUP_SIZE) as usize,
                local_bytes: facts.number(DEVICE_LOCAL_MEM_SIZE),
                fp16: facts.text(DEVICE_EXTENSIONS).split(' ').any(|name| name == "cl_khr_fp16"),
                functions,
                memory,
                context,
                device,
            });
        }
        Err(format!("{path} knows no CPU device with unified shared memory ({count} platforms)"))
    }

    /// New memory, or `None` when the runtime has none.
    pub fn allocate(&self, kind: Kind, bytes: usize, alignment: usize) -> Option<*mut c_void> {
        let mut error = 0;
        let alignment = u32::try_from(alignment).ok()?;
        // SAFETY: context and device are ours; there are no properties.
        let memory = unsafe {
            match kind {
                Kind::Device => (self.memory.device)(self.context, self.device, null(), bytes, alignment, &mut error),
                Kind::Shared => (self.memory.shared)(self.context, self.device, null(), bytes, alignment, &mut error),
                Kind::Host => (self.memory.host)(self.context, null(), bytes, alignment, &mut error),
            }
        };
        (error == 0 && !memory.is_null()).then_some(memory)
    }

    /// Gives back memory that [`OpenCl::allocate`] made.
    ///
    /// # Safety
    /// The memory came from this device, and neither a kernel nor the host uses it any more.
    pub unsafe fn free(&self, memory: *mut c_void) {
        // SAFETY: passed on to the caller.
        unsafe { (self.memory.free)(self.context, memory) };
    }

    /// A queue that runs one command after the other.
    pub fn queue(&'static self) -> Result<ClQueue, String> {
        let mut error = 0;
        // SAFETY: context and device are ours; no properties means in order.
        let handle = unsafe {
            (self.functions.clCreateCommandQueueWithProperties)(self.context, self.device, null(), &mut error)
        };
        if error == 0 { Ok(ClQueue { opencl: self, handle }) } else { Err(format!("no command queue: {error}")) }
    }

    /// Compiles a program; the error is the build log.
    pub fn build(&'static self, text: Text<'_>, options: &str) -> Result<Program, String> {
        let (mut error, mut status) = (0, 0);
        // SAFETY: the pointers and lengths are those of live slices; the device is ours.
        let handle = unsafe {
            match text {
                Text::SpirV(bytes) => {
                    let pointer = bytes.as_ptr().cast();
                    (self.functions.clCreateProgramWithIL)(self.context, pointer, bytes.len(), &mut error)
                }
                Text::Binary(bytes) => {
                    let (pointer, length) = (bytes.as_ptr(), bytes.len());
                    let create = self.functions.clCreateProgramWithBinary;
                    create(self.context, 1, &self.device, &length, &pointer, &mut status, &mut error)
                }
            }
        };
        if error != 0 {
            return Err(format!("the runtime refuses the program: {error}"));
        }
        let program = Program { opencl: self, handle };
        let options = CString::new(options).map_err(|_| "the options hold a null byte".to_owned())?;
        // SAFETY: the program is live, the options are a C string, there is no callback.
        let result =
            unsafe { (self.functions.clBuildProgram)(handle, 1, &self.device, options.as_ptr(), null(), null_mut()) };
        if result == 0 { Ok(program) } else { Err(format!("build failed ({result}): {}", program.build_log())) }
    }
}

/// What a program is made from.
#[derive(Clone, Copy)]
pub(crate) enum Text<'a> {
    /// A SPIR-V module.
    SpirV(&'a [u8]),
    /// What [`Program::binary`] answered.
    Binary(&'a [u8]),
}

struct Facts<'a> {
    functions: &'a Functions,
    device: Handle,
}

impl Facts<'_> {
    fn number(&self, fact: u32) -> u64 {
        let mut value = 0_u64;
        // SAFETY: eight bytes hold any of the asked numbers; narrower ones fill the low bytes.
        unsafe { (self.functions.clGetDeviceInfo)(self.device, fact, 8, (&raw mut value).cast(), null_mut()) };
        value
    }

    fn text(&self, fact: u32) -> String {
        let mut bytes = 0;
        // SAFETY: a null buffer asks for the length.
        unsafe { (self.functions.clGetDeviceInfo)(self.device, fact, 0, null_mut(), &mut bytes) };
        let mut text = vec![0_u8; bytes];
        // SAFETY: the buffer has the length just asked for.
        unsafe { (self.functions.clGetDeviceInfo)(self.device, fact, bytes, text.as_mut_ptr().cast(), null_mut()) };
        String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned()
    }
}

/// A queue of the OpenCL device.
pub(crate) struct ClQueue {
    opencl: &'static OpenCl,
    handle: Handle,
}

// SAFETY: OpenCL queues may be used from any thread.
unsafe impl Send for ClQueue {}
// SAFETY: as above.
unsafe impl Sync for ClQueue {}

impl ClQueue {
    /// Runs a kernel over `groups` groups of `group_size` items and waits for its end.
    ///
    /// # Safety
    /// The pointers among the arguments lead to memory that the kernel may use as it does.
    pub unsafe fn run(
        &self,
        kernel: &mut ClKernel,
        arguments: &[Argument],
        group_size: [u32; 3],
        groups: [u32; 3],
    ) -> Result<(), String> {
        let functions = &self.opencl.functions;
        for (index, argument) in (0_u32..).zip(arguments) {
            // SAFETY: the kernel is live; sizes and pointers are those of the values.
            let result = unsafe {
                match argument {
                    Argument::Pointer(address) => {
                        (self.opencl.memory.set_pointer)(kernel.handle, index, *address as *const c_void)
                    }
                    Argument::Local(bytes) => (functions.clSetKernelArg)(kernel.handle, index, *bytes, null()),
                    Argument::Value(bytes) => {
                        (functions.clSetKernelArg)(kernel.handle, index, bytes.len(), bytes.as_ptr().cast())
                    }
                }
            };
            if result != 0 {
                return Err(format!("argument {index} is refused: {result}"));
            }
        }
        let local = group_size.map(|items| items as usize);
        let global: [usize; 3] = std::array::from_fn(|axis| local[axis] * groups[axis] as usize);
        if global.contains(&0) {
            return Ok(());
        }
        let enqueue = functions.clEnqueueNDRangeKernel;
        // SAFETY: three dimensions are given for both sizes; no events are taken or made.
        let result = unsafe {
            enqueue(self.handle, kernel.handle, 3, null(), global.as_ptr(), local.as_ptr(), 0, null(), null_mut())
        };
        if result != 0 {
            return Err(format!("the launch is refused: {result}"));
        }
        // SAFETY: the queue is live.
        match unsafe { (functions.clFinish)(self.handle) } {
            0 => Ok(()),
            result => Err(format!("the launch failed: {result}")),
        }
    }
}

impl Drop for ClQueue {
    fn drop(&mut self) {
        // SAFETY: the queue is live and released once.
        unsafe { (self.opencl.functions.clReleaseCommandQueue)(self.handle) };
    }
}

/// A compiled program.
pub(crate) struct Program {
    opencl: &'static OpenCl,
    handle: Handle,
}

// SAFETY: OpenCL programs may be used from any thread.
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

impl Program {
    fn build_log(&self) -> String {
        let functions = &self.opencl.functions;
        let (query, device) = (functions.clGetProgramBuildInfo, self.opencl.device);
        let mut bytes = 0;
        // SAFETY: a null buffer asks for the length.
        unsafe { query(self.handle, device, PROGRAM_BUILD_LOG, 0, null_mut(), &mut bytes) };
        let mut log = vec![0_u8; bytes];
        // SAFETY: the buffer has the length just asked for.
        unsafe { query(self.handle, device, PROGRAM_BUILD_LOG, bytes, log.as_mut_ptr().cast(), null_mut()) };
        String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned()
    }

    /// The compiled form, from which the program can be made again.
    pub fn binary(&self) -> Vec<u8> {
        let query = self.opencl.functions.clGetProgramInfo;
        let mut bytes = 0_usize;
        // SAFETY: there is one device, so one length.
        unsafe { query(self.handle, PROGRAM_BINARY_SIZES, 8, (&raw mut bytes).cast(), null_mut()) };
        let mut binary = vec![0_u8; bytes];
        let mut pointer = binary.as_mut_ptr();
        // SAFETY: the one pointer leads to a buffer of the length just asked for.
        unsafe { query(self.handle, PROGRAM_BINARIES, 8, (&raw mut pointer).cast(), null_mut()) };
        binary
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &CStr) -> Result<ClKernel, String> {
        let mut error = 0;
        // SAFETY: the program is live, the name a C string.
        let handle = unsafe { (self.opencl.functions.clCreateKernel)(self.handle, name.as_ptr(), &mut error) };
        if error == 0 { Ok(ClKernel { opencl: self.opencl, handle }) } else { Err(format!("no kernel: {error}")) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program is live and released once.
        unsafe { (self.opencl.functions.clReleaseProgram)(self.handle) };
    }
}

/// A kernel with the arguments last set.
pub(crate) struct ClKernel {
    opencl: &'static OpenCl,
    handle: Handle,
}

// SAFETY: OpenCL kernels may move between threads; only one may set arguments, which `&mut` sees to.
unsafe impl Send for ClKernel {}

impl Drop for ClKernel {
    fn drop(&mut self) {
        // SAFETY: the kernel is live and released once.
        unsafe { (self.opencl.functions.clReleaseKernel)(self.handle) };
    }
}
