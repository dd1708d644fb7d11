//! One OpenCL device: what its driver says of it, its context, and the parts of the contract that lead to the others.

use super::loader::{self, Api, Handle, UsmApi};
use super::memory::Memory;
use super::program::Programs;
use super::queue::OpenClExecutor;
use crate::arrays::backend::{
    Affinity, BackendError, BackendKind, Block, Device, DeviceInfo, DeviceType, Partition, PciAddress, ProgramLimits,
    ProgramText, Queue, QueueProperties, Silicon, UsmKind,
};
use crate::arrays::limit;
use crate::arrays::readings::{Amount, MemoryReading};
use crate::arrays::worker::WorkerQueue;
use std::ptr::{null, null_mut};
use std::sync::{Arc, OnceLock};

/// The platform that a device belongs to.
#[derive(Clone)]
struct Platform {
    handle: Handle,
    name: Box<str>,
}

/// A device that was found, and all that is known of it.
#[derive(Clone)]
pub(super) struct Origin {
    pub(super) api: &'static Api,
    platform: Platform,
    pub(super) usm: UsmApi,
    pub(super) id: Handle,
    pub(super) info: DeviceInfo,
    pub(super) limits: ProgramLimits,
    /// Whether its compiler takes the option that division and square roots in single precision are to be rounded correctly.
    pub(super) rounds_fp32: bool,
    /// Whether the host may touch memory of each kind.
    host_access: [bool; 3],
}

// SAFETY: platform and device handles belong to the driver, live as long as the process and may be used from any thread.
unsafe impl Send for Origin {}
// SAFETY: as above; nothing behind them changes.
unsafe impl Sync for Origin {}

impl Origin {
    /// What the driver says of a device, or why it cannot be used here.
    pub(super) fn examine(
        api: &'static Api,
        platform: Handle,
        platform_name: &str,
        id: Handle,
    ) -> Result<Origin, Box<str>> {
        let number = |what| loader::number(api.get_device_info, id, what);
        let text = |what| loader::text(api.get_device_info, id, what);
        let Some(spirv) = newest_spirv(&text(loader::DEVICE_IL_VERSION)) else {
            return Err("it does not take SPIR-V programs (clCreateProgramWithIL)".into());
        };
        let usm =
            UsmApi::of(api, platform).map_err(|name| format!("it has no unified shared memory ({name} is missing)"))?;
        let kinds = [loader::DEVICE_MEM_CAPABILITIES, loader::HOST_MEM_CAPABILITIES, loader::SHARED_MEM_CAPABILITIES];
        for (usm, what) in UsmKind::ALL.into_iter().zip(kinds) {
            if number(what).unwrap_or(0) == 0 {
                return Err(format!("it has no unified shared memory of kind {}", usm.name()).into());
            }
        }
        let extensions = text(loader::DEVICE_EXTENSIONS);
        let has = |name: &str| extensions.split_whitespace().any(|extension| extension == name);
        let bits = number(loader::DEVICE_TYPE).unwrap_or(0);
        let device_type = if bits & loader::DEVICE_TYPE_CPU != 0 {
            DeviceType::Cpu
        } else if bits & loader::DEVICE_TYPE_GPU != 0 {
            DeviceType::Gpu
        } else {
            DeviceType::Accelerator
        };
        let is_processor = device_type == DeviceType::Cpu;
        let fp64 = number(loader::DEVICE_DOUBLE_FP_CONFIG).unwrap_or(0) != 0;
        let fp16 = has("cl_khr_fp16");
        let amount = |what| match number(what) {
            Some(bytes) if bytes > 0 => Amount::known(bytes, "OpenCL"),
            Some(_) | None => Amount::unknown("the OpenCL driver does not say"),
        };
        let info = DeviceInfo {
            name: text(loader::DEVICE_NAME).into(),
            vendor: text(loader::DEVICE_VENDOR).into(),
            driver: format!("{platform_name} {}", text(loader::DRIVER_VERSION)).into(),
            backend: BackendKind::OpenCl,
            device_type,
            compute_units: number(loader::DEVICE_MAX_COMPUTE_UNITS).unwrap_or(1) as usize,
            fp64,
            fp16,
            integrated: number(loader::DEVICE_HOST_UNIFIED_MEMORY).unwrap_or(0) & 1 != 0,
            total: amount(loader::DEVICE_GLOBAL_MEM_SIZE),
            max_single: amount(loader::DEVICE_MAX_MEM_ALLOC_SIZE),
            silicon: Silicon {
                host_processor: is_processor,
                uuid: if has("cl_khr_device_uuid") { uuid(api, id) } else { None },
                pci: if has("cl_khr_pci_bus_info") { pci(api, id) } else { None },
            },
        };
        let max_group = number(loader::DEVICE_MAX_WORK_GROUP_SIZE).unwrap_or(1) as u32;
        let limits = ProgramLimits {
            fp64,
            fp16,
            max_group,
            max_local: widths(api, id, loader::DEVICE_MAX_WORK_ITEM_SIZES)
                .first_chunk::<3>()
                .map_or([max_group; 3], |widths| widths.map(|width| width as u32)),
            // OpenCL has no limit of its own on the number of groups; the contract counts them in 32 bits.
            max_groups: [u32::MAX; 3],
            sub_groups: widths(api, id, loader::DEVICE_SUB_GROUP_SIZES).into_iter().map(|width| width as u32).collect(),
            local_bytes: number(loader::DEVICE_LOCAL_MEM_SIZE).unwrap_or(0) as usize,
            address_bits: number(loader::DEVICE_ADDRESS_BITS).unwrap_or(64) as u32,
            spirv,
        };
        let host_access = [is_processor, true, true];
        let config = number(loader::DEVICE_SINGLE_FP_CONFIG).unwrap_or(0);
        let rounds_fp32 = config & loader::FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0;
        let platform = Platform { handle: platform, name: platform_name.into() };
        Ok(Origin { api, platform, usm, id, info, limits, rounds_fp32, host_access })
    }
}

impl Origin {
    /// The parts that the driver cuts the device into; none where it cannot be cut so. They live as long as the process.
    fn cut(&self, partition: &Partition) -> Result<Vec<Origin>, BackendError> {
        let mut words: Vec<isize> = match partition {
            Partition::Equally(units) => vec![loader::DEVICE_PARTITION_EQUALLY, *units as isize],
            Partition::Counts(counts) => std::iter::once(loader::DEVICE_PARTITION_BY_COUNTS)
                .chain(counts.iter().map(|&count| count as isize))
                .chain([0])
                .collect(),
            Partition::By(affinity) => {
                let domain = match affinity {
                    Affinity::Numa => 1,
                    Affinity::Cache(level) => 1 << (5_u8.saturating_sub(*level)),
                    Affinity::Next => 1 << 5,
                };
                vec![loader::DEVICE_PARTITION_BY_AFFINITY_DOMAIN, domain]
            }
        };
        words.push(0);
        let ask = |room: u32, list: *mut Handle, count: &mut u32| {
            // SAFETY: the device is live, the words end with zero, and the list has room for so many handles or is null.
            unsafe { (self.api.create_sub_devices)(self.id, words.as_ptr(), room, list, count) }
        };
        let mut count = 0;
        match ask(0, null_mut(), &mut count) {
            loader::SUCCESS => {}
            loader::INVALID_VALUE | loader::DEVICE_PARTITION_FAILED | loader::INVALID_DEVICE_PARTITION_COUNT => {
                return Ok(Vec::new());
            }
            code => return Err(loader::refused("clCreateSubDevices", code)),
        }
        let mut parts = vec![null_mut(); count as usize];
        loader::check("clCreateSubDevices", ask(count, parts.as_mut_ptr(), &mut count))?;
        let examine = |id| {
            let examined = Origin::examine(self.api, self.platform.handle, &self.platform.name, id);
            examined.map_err(|what| BackendError::Unsupported { what })
        };
        parts.into_iter().map(examine).collect()
    }
}

/// The highest version in `SPIR-V_1.0 SPIR-V_1.2`.
fn newest_spirv(text: &str) -> Option<(u8, u8)> {
    text.split_whitespace()
        .filter_map(|word| word.strip_prefix("SPIR-V_")?.split_once('.'))
        .filter_map(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)))
        .max()
}

fn uuid(api: &Api, id: Handle) -> Option<[u8; 16]> {
    let bytes = loader::bytes(api.get_device_info, id, loader::DEVICE_UUID)?;
    bytes.try_into().ok().filter(|uuid: &[u8; 16]| uuid.iter().any(|&byte| byte != 0))
}

fn pci(api: &Api, id: Handle) -> Option<PciAddress> {
    let bytes = loader::bytes(api.get_device_info, id, loader::DEVICE_PCI_BUS_INFO)?;
    let mut words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    Some(PciAddress { domain: words.next()?, bus: words.next()?, device: words.next()?, function: words.next()? })
}

/// An answer that is a list of machine words.
fn widths(api: &Api, id: Handle, what: u32) -> Vec<usize> {
    let bytes = loader::bytes(api.get_device_info, id, what).unwrap_or_default();
    bytes.chunks_exact(8).filter_map(|word| word.try_into().ok()).map(usize::from_le_bytes).collect()
}

/// A context of one device, let go of when the last user is dropped.
pub(super) struct Context {
    pub(super) api: &'static Api,
    pub(super) usm: UsmApi,
    pub(super) device: Handle,
    pub(super) handle: Handle,
}

// SAFETY: a context may be used from any thread; the specification makes all calls but the setting of kernel arguments
// safe to make at the same time.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    fn create(origin: &Origin) -> Result<Context, BackendError> {
        let mut code = 0;
        // SAFETY: one live device handle is readable; no properties, no callback.
        let handle =
            unsafe { (origin.api.create_context)(null(), 1, &raw const origin.id, null(), null_mut(), &raw mut code) };
        loader::check("clCreateContext", code)?;
        Ok(Context { api: origin.api, usm: origin.usm, device: origin.id, handle })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context was created here and nobody uses it any more.
        unsafe { (self.api.release_context)(self.handle) };
    }
}

/// Whether a device has failed for good, and why.
#[derive(Default)]
pub(super) struct Health(OnceLock<Box<str>>);

impl Health {
    pub(super) fn check(&self) -> Result<(), BackendError> {
        self.0.get().map_or(Ok(()), |reason| Err(BackendError::Lost { reason: reason.clone() }))
    }

    /// Remembers a loss; other errors pass.
    pub(super) fn note<T>(&self, outcome: Result<T, BackendError>) -> Result<T, BackendError> {
        if let Err(BackendError::Lost { reason }) = &outcome {
            let _ = self.0.set(reason.clone());
        }
        outcome
    }
}

/// An opened device.
pub(super) struct OpenClDevice {
    info: DeviceInfo,
    limits: ProgramLimits,
    host_access: [bool; 3],
    /// The name in the ledger, for errors of its queues.
    name: Box<str>,
    origin: Origin,
    context: Arc<Context>,
    memory: Memory,
    programs: Arc<Programs>,
    health: Arc<Health>,
}

impl OpenClDevice {
    pub(super) fn open(origin: &Origin, name: &str) -> Result<OpenClDevice, BackendError> {
        let context = Arc::new(Context::create(origin)?);
        Ok(OpenClDevice {
            info: origin.info.clone(),
            limits: origin.limits.clone(),
            host_access: origin.host_access,
            name: name.into(),
            origin: origin.clone(),
            memory: Memory::new(context.clone(), &origin.info),
            programs: Arc::new(Programs::new(context.clone(), origin)),
            context,
            health: Arc::default(),
        })
    }
}

impl Device for OpenClDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn allocate(&self, usm: UsmKind, bytes: usize) -> Result<Block, BackendError> {
        self.health.check()?;
        self.health.note(self.memory.allocate(usm, bytes))
    }

    fn release(&self, usm: UsmKind, block: Block) {
        self.memory.release(usm, block);
    }

    fn bytes_mapped(&self, usm: UsmKind) -> u64 {
        self.memory.bytes_mapped(usm)
    }

    fn memory(&self) -> MemoryReading {
        let free = if self.health.check().is_err() {
            Amount::unknown("the device is lost")
        } else if self.memory.is_host_memory(UsmKind::Device) {
            limit::free_now()
        } else {
            Amount::unknown("OpenCL does not say how much of a device's memory is free; Level Zero does")
        };
        MemoryReading { total: self.info.total.clone(), free }
    }

    fn host_access(&self, usm: UsmKind) -> bool {
        self.host_access[usm as usize]
    }

    fn runs_programs(&self) -> Option<&ProgramLimits> {
        Some(&self.limits)
    }

    fn prepare(&self, program: &Arc<ProgramText>) -> Result<(), BackendError> {
        self.health.check()?;
        self.health.note(self.programs.get(program).map(|_| ()))
    }

    fn sub_devices(&self, partition: &Partition, first: usize) -> Result<Vec<Arc<dyn Device>>, BackendError> {
        self.health.check()?;
        let parts = self.origin.cut(partition)?;
        let open = |(number, part): (usize, &Origin)| -> Result<Arc<dyn Device>, BackendError> {
            Ok(Arc::new(OpenClDevice::open(part, &format!("{}.{}", self.name, first + number))?))
        };
        parts.iter().enumerate().map(open).collect()
    }

    fn status(&self) -> Result<(), BackendError> {
        self.health.check()
    }

    fn open_queue(&self, properties: QueueProperties) -> Result<Box<dyn Queue>, BackendError> {
        self.health.check()?;
        let executor = OpenClExecutor::open(
            self.context.clone(),
            self.programs.clone(),
            self.health.clone(),
            self.name.clone(),
            properties.profiling,
        )?;
        Ok(Box::new(WorkerQueue::start("cellhold-opencl", executor, properties.profiling)))
    }
}
