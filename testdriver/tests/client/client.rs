//! A client of Level Zero, as thin as tests can use it: one driver, one device, one context.

use level_zero_sys::*;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};
use testdriver::harness::Control;

/// What a call answered when it was not success.
pub type Outcome<T = ()> = Result<T, ze_result_t>;

/// Waiting for ever would hide a hang; nothing here takes ten seconds.
pub const LONG: u64 = 10_000_000_000;

/// Makes a call of the loader and turns its result into an [`Outcome`].
macro_rules! ze {
    ($client:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: the arguments are live handles and places of the right kind, or wrong on purpose in a way the driver finds.
        let result = unsafe { ($client.loader.$function)($($argument),*) };
        if result == ze_result_t::ZE_RESULT_SUCCESS { Ok(()) } else { Err(result) }
    }};
}
pub(crate) use ze;

/// One device, ready to work.
pub struct Client {
    /// The functions.
    pub loader: Loader,
    /// The driver.
    pub driver: ze_driver_handle_t,
    /// Its first device.
    pub device: ze_device_handle_t,
    /// A context.
    pub context: ze_context_handle_t,
    control: Control,
}

/// How an immediate list is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Nothing orders its commands but events and barriers.
    Unordered,
    /// Its commands run one after the other.
    InOrder,
    /// Each append waits for its end.
    Synchronous,
}

/// Opens the loader; the error is that of the first call that failed.
pub fn initialise() -> Outcome<Loader> {
    // SAFETY: the library of this name is the Level Zero loader.
    let loader = unsafe { Loader::load() }.expect("a loader");
    // SAFETY: the first call.
    match unsafe { (loader.zeInit)(0) } {
        ze_result_t::ZE_RESULT_SUCCESS => Ok(loader),
        result => Err(result),
    }
}

impl Client {
    /// The first device of the test driver.
    pub fn new() -> Client {
        let loader = initialise().expect("the driver loads");
        let control = Control::open();
        let (driver, device, context) = (null_mut(), null_mut(), null_mut());
        let mut client = Client { loader, driver, device, context, control };
        let (mut count, mut driver, mut device) = (1, null_mut(), null_mut());
        ze!(client, zeDriverGet(&mut count, &mut driver)).expect("a driver");
        ze!(client, zeDeviceGet(driver, &mut count, &mut device)).expect("a device");
        (client.driver, client.device) = (driver, device);
        client.context = client.new_context().expect("a context");
        client
    }

    /// Another context.
    pub fn new_context(&self) -> Outcome<ze_context_handle_t> {
        let descriptor =
            ze_context_desc_t { stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_CONTEXT_DESC, ..Default::default() };
        let mut context = null_mut();
        ze!(self, zeContextCreate(self.driver, &descriptor, &mut context)).map(|()| context)
    }

    /// One of the driver's counters.
    pub fn counter(&self, name: &str) -> i64 {
        self.control.counter(name)
    }

    /// Puts other faults in force.
    pub fn inject(&self, faults: &str) {
        self.control.inject(faults);
    }

    /// Device memory.
    pub fn device_memory(&self, bytes: usize) -> Outcome<*mut c_void> {
        let descriptor = ze_device_mem_alloc_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
            ..Default::default()
        };
        let mut memory = null_mut();
        ze!(self, zeMemAllocDevice(self.context, &descriptor, bytes, 64, self.device, &mut memory)).map(|()| memory)
    }

    /// Device memory beyond the limit of one allocation.
    pub fn large_device_memory(&self, bytes: usize) -> Outcome<*mut c_void> {
        let relaxed = ze_relaxed_allocation_limits_exp_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
            flags: ze_relaxed_allocation_limits_exp_flag_t::ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE.0,
            ..Default::default()
        };
        let descriptor = ze_device_mem_alloc_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
            pNext: (&raw const relaxed).cast(),
            ..Default::default()
        };
        let mut memory = null_mut();
        ze!(self, zeMemAllocDevice(self.context, &descriptor, bytes, 64, self.device, &mut memory)).map(|()| memory)
    }

    /// Memory of the host that the device reaches, filled with these values.
    pub fn host_memory(&self, values: &[f32]) -> Outcome<*mut f32> {
        let descriptor = ze_host_mem_alloc_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC,
            ..Default::default()
        };
        let mut memory = null_mut();
        ze!(self, zeMemAllocHost(self.context, &descriptor, size_of_val(values).max(1), 64, &mut memory))?;
        let memory: *mut f32 = memory.cast();
        // SAFETY: the memory was just made with room for the values.
        unsafe { memory.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
        Ok(memory)
    }

    /// Gives memory back.
    pub fn free<T>(&self, memory: *mut T) -> Outcome {
        ze!(self, zeMemFree(self.context, memory.cast()))
    }

    /// Builds a module; the error has the build log.
    pub fn module(
        &self,
        format: ze_module_format_t,
        bytes: &[u8],
        flags: &CStr,
    ) -> Result<ze_module_handle_t, (ze_result_t, String)> {
        let descriptor = ze_module_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_MODULE_DESC,
            format,
            inputSize: bytes.len(),
            pInputModule: bytes.as_ptr(),
            pBuildFlags: flags.as_ptr(),
            pConstants: null(),
            ..Default::default()
        };
        let (mut module, mut log) = (null_mut(), null_mut());
        let built = ze!(self, zeModuleCreate(self.context, self.device, &descriptor, &mut module, &mut log));
        let mut length = 0;
        ze!(self, zeModuleBuildLogGetString(log, &mut length, null_mut())).expect("a length");
        let mut text = vec![0_u8; length];
        ze!(self, zeModuleBuildLogGetString(log, &mut length, text.as_mut_ptr().cast())).expect("a log");
        ze!(self, zeModuleBuildLogDestroy(log)).expect("a log ends");
        let text = CStr::from_bytes_until_nul(&text).expect("a C string").to_string_lossy().into_owned();
        built.map(|()| module).map_err(|result| (result, text))
    }

    /// A kernel by its name.
    pub fn kernel(&self, module: ze_module_handle_t, name: &CStr) -> Outcome<ze_kernel_handle_t> {
        let descriptor = ze_kernel_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_KERNEL_DESC,
            pKernelName: name.as_ptr(),
            ..Default::default()
        };
        let mut kernel = null_mut();
        ze!(self, zeKernelCreate(module, &descriptor, &mut kernel)).map(|()| kernel)
    }

    /// Sets an argument.
    pub fn argument<T>(&self, kernel: ze_kernel_handle_t, index: u32, value: T) -> Outcome {
        ze!(self, zeKernelSetArgumentValue(kernel, index, size_of::<T>(), (&raw const value).cast()))
    }

    /// An immediate list.
    pub fn immediate(&self, mode: Mode) -> ze_command_list_handle_t {
        let descriptor = ze_command_queue_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
            flags: if mode == Mode::InOrder { ze_command_queue_flag_t::ZE_COMMAND_QUEUE_FLAG_IN_ORDER.0 } else { 0 },
            mode: if mode == Mode::Synchronous {
                ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
            } else {
                ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS
            },
            ..Default::default()
        };
        let mut list = null_mut();
        ze!(self, zeCommandListCreateImmediate(self.context, self.device, &descriptor, &mut list)).expect("a list");
        list
    }

    /// A queue.
    pub fn queue(&self) -> ze_command_queue_handle_t {
        let descriptor = ze_command_queue_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
            mode: ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
            ..Default::default()
        };
        let mut queue = null_mut();
        ze!(self, zeCommandQueueCreate(self.context, self.device, &descriptor, &mut queue)).expect("a queue");
        queue
    }

    /// A list to be executed by a queue.
    pub fn list(&self) -> ze_command_list_handle_t {
        let descriptor = ze_command_list_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
            ..Default::default()
        };
        let mut list = null_mut();
        ze!(self, zeCommandListCreate(self.context, self.device, &descriptor, &mut list)).expect("a list");
        list
    }

    /// A fence of a queue.
    pub fn fence(&self, queue: ze_command_queue_handle_t) -> ze_fence_handle_t {
        let descriptor =
            ze_fence_desc_t { stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_FENCE_DESC, ..Default::default() };
        let mut fence = null_mut();
        ze!(self, zeFenceCreate(queue, &descriptor, &mut fence)).expect("a fence");
        fence
    }

    /// A pool of events that the host sees and that take timestamps, and its events.
    pub fn events<const COUNT: usize>(&self) -> (ze_event_pool_handle_t, [ze_event_handle_t; COUNT]) {
        let descriptor = ze_event_pool_desc_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
            flags: ze_event_pool_flag_t::ZE_EVENT_POOL_FLAG_HOST_VISIBLE.0
                | ze_event_pool_flag_t::ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP.0,
            count: COUNT as u32,
            ..Default::default()
        };
        let mut pool = null_mut();
        ze!(self, zeEventPoolCreate(self.context, &descriptor, 0, null_mut(), &mut pool)).expect("a pool");
        let events = std::array::from_fn(|index| {
            let descriptor = ze_event_desc_t {
                stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_EVENT_DESC,
                index: index as u32,
                signal: ze_event_scope_flag_t::ZE_EVENT_SCOPE_FLAG_HOST.0,
                wait: ze_event_scope_flag_t::ZE_EVENT_SCOPE_FLAG_HOST.0,
                ..Default::default()
            };
            let mut event = null_mut();
            ze!(self, zeEventCreate(pool, &descriptor, &mut event)).expect("an event");
            event
        });
        (pool, events)
    }

    /// Appends a copy.
    pub fn copy<T>(
        &self,
        list: ze_command_list_handle_t,
        to: *mut T,
        from: *const T,
        bytes: usize,
        signal: ze_event_handle_t,
        waits: &mut [ze_event_handle_t],
    ) -> Outcome {
        let (count, waits) = (waits.len() as u32, waits.as_mut_ptr());
        ze!(self, zeCommandListAppendMemoryCopy(list, to.cast(), from.cast(), bytes, signal, count, waits))
    }

    /// Appends a launch of so many groups along one axis.
    pub fn launch(
        &self,
        list: ze_command_list_handle_t,
        kernel: ze_kernel_handle_t,
        groups: u32,
        signal: ze_event_handle_t,
        waits: &mut [ze_event_handle_t],
    ) -> Outcome {
        let groups = ze_group_count_t { groupCountX: groups, groupCountY: 1, groupCountZ: 1 };
        let (count, waits) = (waits.len() as u32, waits.as_mut_ptr());
        ze!(self, zeCommandListAppendLaunchKernel(list, kernel, &groups, signal, count, waits))
    }

    /// Appends a barrier for everything before it.
    pub fn barrier(&self, list: ze_command_list_handle_t) -> Outcome {
        ze!(self, zeCommandListAppendBarrier(list, null_mut(), 0, null_mut()))
    }
}

/// What `scale` needs to run on values that start on the host and end there.
pub struct Scale<'a> {
    client: &'a Client,
    module: ze_module_handle_t,
    /// The kernel.
    pub kernel: ze_kernel_handle_t,
    /// Device memory that the kernel reads.
    pub source: *mut f32,
    /// Device memory that the kernel writes.
    pub target: *mut f32,
    /// Host memory with the values at first, and the result at last.
    pub host: *mut f32,
    length: usize,
}

/// Items of a group of `scale`.
const GROUP: u32 = 64;

impl<'a> Scale<'a> {
    /// Everything for `values * 2 + 1`, nothing submitted.
    pub fn new(client: &'a Client, values: &[f32]) -> Scale<'a> {
        let module = client
            .module(ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV, &crate::programs::scale(32), c"")
            .expect("a module");
        let kernel = client.kernel(module, c"scale").expect("a kernel");
        let bytes = size_of_val(values);
        let source = client.device_memory(bytes).expect("memory").cast::<f32>();
        let target = client.device_memory(bytes).expect("memory").cast::<f32>();
        let host = client.host_memory(values).expect("memory");
        client.argument(kernel, 0, target).expect("an argument");
        client.argument(kernel, 1, source).expect("an argument");
        client.argument(kernel, 2, 2.0_f32).expect("an argument");
        client.argument(kernel, 3, 1.0_f32).expect("an argument");
        client.argument(kernel, 4, values.len() as u64).expect("an argument");
        ze!(client, zeKernelSetGroupSize(kernel, GROUP, 1, 1)).expect("a group size");
        Scale { client, module, kernel, source, target, host, length: values.len() }
    }

    /// Bytes of each of the three.
    pub fn bytes(&self) -> usize {
        self.length * size_of::<f32>()
    }

    /// Groups of a launch.
    pub fn groups(&self) -> u32 {
        (self.length as u32).div_ceil(GROUP)
    }

    /// Appends upload, launch and download, with something between them.
    pub fn append(&self, list: ze_command_list_handle_t, mut between: impl FnMut()) {
        let client = self.client;
        client.copy(list, self.source, self.host, self.bytes(), null_mut(), &mut []).expect("an upload");
        between();
        client.launch(list, self.kernel, self.groups(), null_mut(), &mut []).expect("a launch");
        between();
        client.copy(list, self.host, self.target, self.bytes(), null_mut(), &mut []).expect("a download");
    }

    /// Writes the values to host memory again.
    pub fn restart(&self, values: &[f32]) {
        assert_eq!(values.len(), self.length);
        // SAFETY: host memory has room for the values; nothing is submitted any more.
        unsafe { self.host.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    }

    /// What stands in host memory.
    pub fn result(&self) -> Vec<f32> {
        // SAFETY: host memory has room for the values; nothing is submitted any more.
        unsafe { std::slice::from_raw_parts(self.host, self.length) }.to_vec()
    }

    /// Gives everything back.
    pub fn end(self) {
        let client = self.client;
        ze!(client, zeKernelDestroy(self.kernel)).expect("a kernel ends");
        ze!(client, zeModuleDestroy(self.module)).expect("a module ends");
        for memory in [self.source, self.target, self.host] {
            client.free(memory).expect("memory ends");
        }
    }
}

/// Values and what `scale` makes of them.
pub fn values(length: usize) -> (Vec<f32>, Vec<f32>) {
    let values: Vec<f32> = (0..length).map(|index| index as f32).collect();
    let scaled = values.iter().map(|value| value * 2.0 + 1.0).collect();
    (values, scaled)
}
