//! The contract between the array layer and whatever owns memory and executes steps.
//!
//! Backends validate nothing and count nothing beyond what they mapped: requests reach them checked, and the ledger keeps
//! the accounts. A backend never calls back into the ledger, the pool or the language.

use super::error::{ArrayError, Shortage};
use super::event::Event;
use super::readings::{Amount, MemoryReading};
use smallvec::SmallVec;
use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;

pub use super::work::{Argument, Launch, Needs, ProgramLimits, ProgramText, Work};

/// The kind of USM memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum UsmKind {
    /// Resident on the device.
    Device = 0,
    /// Resident on the host, readable by the device.
    Host = 1,
    /// Migrates between both.
    Shared = 2,
}

impl UsmKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [UsmKind; 3] = [UsmKind::Device, UsmKind::Host, UsmKind::Shared];

    /// dpctl's word.
    pub const fn name(self) -> &'static str {
        match self {
            UsmKind::Device => "device",
            UsmKind::Host => "host",
            UsmKind::Shared => "shared",
        }
    }

    /// The kind a word names, or dpctl's error.
    pub fn parse(text: &str) -> Result<UsmKind, ArrayError> {
        UsmKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            ArrayError::value(format!("Unrecognized value of usm_type={text}, expected 'device', 'shared', or 'host'."))
        })
    }

    /// The kind of a result of operands of these kinds: device beats shared beats host.
    pub fn coerce(self, other: UsmKind) -> UsmKind {
        match (self, other) {
            (UsmKind::Device, _) | (_, UsmKind::Device) => UsmKind::Device,
            (UsmKind::Shared, _) | (_, UsmKind::Shared) => UsmKind::Shared,
            (UsmKind::Host, UsmKind::Host) => UsmKind::Host,
        }
    }
}

/// Who drives a device; the order is the order of preference for the default device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BackendKind {
    /// Intel's Level Zero driver.
    LevelZero,
    /// An OpenCL runtime.
    OpenCl,
    /// This processor, embedded.
    Native,
    /// A simulated device on the native engine.
    Sim,
}

impl BackendKind {
    /// The word in filter strings.
    pub const fn name(self) -> &'static str {
        match self {
            BackendKind::LevelZero => "level_zero",
            BackendKind::OpenCl => "opencl",
            BackendKind::Native => "native",
            BackendKind::Sim => "sim",
        }
    }

    /// The backend a word names.
    pub fn parse(text: &str) -> Option<BackendKind> {
        [BackendKind::LevelZero, BackendKind::OpenCl, BackendKind::Native, BackendKind::Sim]
            .into_iter()
            .find(|kind| kind.name() == text)
    }
}

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeviceType {
    /// A graphics processor.
    Gpu,
    /// A processor.
    Cpu,
    /// Something else that computes, such as an NPU.
    Accelerator,
}

impl DeviceType {
    /// The word in filter strings.
    pub const fn name(self) -> &'static str {
        match self {
            DeviceType::Gpu => "gpu",
            DeviceType::Cpu => "cpu",
            DeviceType::Accelerator => "accelerator",
        }
    }

    /// The type a word names.
    pub fn parse(text: &str) -> Option<DeviceType> {
        [DeviceType::Gpu, DeviceType::Cpu, DeviceType::Accelerator].into_iter().find(|kind| kind.name() == text)
    }
}

/// The unchanging facts about a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its name, as its driver spells it.
    pub name: Box<str>,
    /// Who made it.
    pub vendor: Box<str>,
    /// The driver and its version.
    pub driver: Box<str>,
    /// The backend that drives it (a simulated device says `Sim`, whatever it answers to).
    pub backend: BackendKind,
    /// What it is.
    pub device_type: DeviceType,
    /// Parallel units: hardware threads of a processor, compute units of a GPU.
    pub compute_units: usize,
    /// Whether it computes in double precision.
    pub fp64: bool,
    /// Whether it computes in half precision.
    pub fp16: bool,
    /// Whether it uses the host's memory.
    pub integrated: bool,
    /// Capacity, if the system says.
    pub total: Amount,
    /// The largest single allocation, if the system says.
    pub max_single: Amount,
    /// Which piece of silicon it is, to recognise it behind another backend.
    pub silicon: Silicon,
}

/// What tells one piece of silicon from another, as far as a driver says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Silicon {
    /// Whether it is the processor this program runs on.
    pub host_processor: bool,
    /// The identifier that drivers of one device agree on.
    pub uuid: Option<[u8; 16]>,
    /// Domain, bus, device and function.
    pub pci: Option<PciAddress>,
}

impl Silicon {
    /// The processor this program runs on.
    pub const HOST: Silicon = Silicon { host_processor: true, uuid: None, pci: None };

    /// Whether two devices are surely one piece of silicon.
    pub fn is_same(&self, other: &Silicon) -> bool {
        let pci = self.pci.is_some() && self.pci == other.pci;
        let uuid = self.uuid.is_some() && self.uuid == other.uuid;
        (self.host_processor && other.host_processor) || pci || uuid
    }
}

/// Where a device sits on the PCI bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PciAddress {
    /// Domain.
    pub domain: u32,
    /// Bus.
    pub bus: u32,
    /// Device.
    pub device: u32,
    /// Function.
    pub function: u32,
}

impl fmt::Display for PciAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}:{:02x}:{:02x}.{:x}", self.domain, self.bus, self.device, self.function)
    }
}

/// A piece of memory from a device. Only the pool and the buffers move blocks around.
#[derive(Debug)]
pub struct Block {
    pub(super) pointer: NonNull<u8>,
    /// Bytes it occupies on the device.
    pub bytes: usize,
    /// What is known about the bytes in it.
    pub content: Content,
}

/// What is known about the bytes of a block. As wide as a word: a narrower field makes moving a block slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Content {
    /// Anything, such as what an earlier owner left.
    Unknown,
    /// Zeros, and not yet touched.
    Zeros,
}

// SAFETY: a block is exclusive ownership of plain memory that any thread may access; nothing in it is tied to a thread.
unsafe impl Send for Block {}
// SAFETY: a shared reference to a block gives no access to the memory; the pointer is read by its owner only.
unsafe impl Sync for Block {}

impl Block {
    /// Where the block starts.
    pub fn address(&self) -> usize {
        self.pointer.as_ptr().addr()
    }
}

/// Why a backend refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackendError {
    /// The request does not fit.
    OutOfMemory(Shortage),
    /// The device has failed for good.
    Lost {
        /// What happened.
        reason: Box<str>,
    },
    /// The device cannot do this at all.
    Unsupported {
        /// What it cannot do.
        what: Box<str>,
    },
    /// The driver answered with an error of its own.
    Driver {
        /// The function that was called.
        call: &'static str,
        /// Its number.
        code: i64,
        /// Its name.
        name: Box<str>,
    },
    /// The driver did not take a device program.
    Build {
        /// What the program computes.
        program: Box<str>,
        /// What the driver's compiler says.
        log: Box<str>,
    },
}

impl BackendError {
    /// The refusal as an error that names the device. Out of memory is described better by the buffer, which knows more.
    pub fn describe(self, device: &str) -> ArrayError {
        match self {
            BackendError::Lost { reason } => ArrayError::DeviceLost { device: device.into(), reason },
            BackendError::Unsupported { what } => {
                ArrayError::not_supported(format!("{device} does not support {what}"))
            }
            BackendError::Driver { call, code, name } => {
                // Level Zero's codes are read in hexadecimal, OpenCL's are small and negative.
                let code = if code > 0xffff { format!("{code:#010x}") } else { code.to_string() };
                ArrayError::runtime(format!("the driver of {device} answered {name} ({code}) to {call}"))
            }
            BackendError::Build { program, log } => {
                ArrayError::runtime(format!("the driver of {device} did not build the program for {program}: {log}"))
            }
            BackendError::OutOfMemory(_) => ArrayError::runtime(format!("{device} is out of memory")),
        }
    }
}

/// How a queue is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueProperties {
    /// Whether steps run in the order they were submitted. (Those here always do; the flag is what was asked for.)
    pub in_order: bool,
    /// Whether events carry times.
    pub profiling: bool,
}

/// Checked work: shapes, types and bounds have been verified, memory has been allocated, and every array it touches is
/// held by `keep` or by the closure.
pub struct Step {
    /// What it computes, for displays of queued work.
    pub label: &'static str,
    /// The allocations it holds until it has run.
    pub holds: Box<[u64]>,
    /// What must live until it has ended; let go before its event ends, so that who waits finds it returned.
    pub keep: Keep,
    /// Work whose results it reads: where one failed, this step fails the same way and does not run.
    pub inputs: Box<[Event]>,
    /// The work.
    pub work: Work,
}

/// Owners of memory that a step touches; a backend only holds them.
pub type Keep = SmallVec<[Arc<dyn Send + Sync>; 4]>;

/// A step that was submitted and has not ended.
#[derive(Clone, Debug)]
pub struct PendingStep {
    /// What it computes.
    pub label: &'static str,
    /// The allocations it holds.
    pub holds: Box<[u64]>,
    /// Its end.
    pub event: Event,
}

/// Something that a backend found and that cannot be used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// What it is, as its driver spells it.
    pub name: Box<str>,
    /// Why, and the remedy where there is one.
    pub reason: Box<str>,
}

/// A way to find devices.
pub trait Backend: Send + Sync {
    /// The devices it has, or why it has none, with the remedy.
    fn devices(&self) -> Result<Vec<DeviceInfo>, Box<str>>;

    /// What it found besides and cannot use.
    fn unusable(&self) -> Vec<Unusable> {
        Vec::new()
    }

    /// Opens the `index`-th of [`Backend::devices`].
    fn open(&self, index: usize) -> Result<Arc<dyn Device>, BackendError>;
}

/// How a device is to be cut into sub-devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partition {
    /// Into parts of so many compute units each.
    Equally(usize),
    /// Into parts of these many compute units.
    Counts(Vec<usize>),
    /// Along what the compute units share.
    By(Affinity),
}

/// What the compute units of a part share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Affinity {
    /// Memory of their own, such as a tile of a large GPU.
    Numa,
    /// The cache of a level.
    Cache(u8),
    /// Whatever the device can be cut along next.
    Next,
}

/// A device that owns memory and opens queues.
pub trait Device: Send + Sync {
    /// The unchanging facts.
    fn info(&self) -> &DeviceInfo;

    /// Memory of exactly `bytes` (not zero), aligned to at least 64. May be called from any thread.
    fn allocate(&self, usm: UsmKind, bytes: usize) -> Result<Block, BackendError>;

    /// Takes back a block this device gave under the same kind; no work on it is pending. Cannot fail.
    fn release(&self, usm: UsmKind, block: Block);

    /// Bytes of this kind handed out and not yet released, by the backend's own count.
    fn bytes_mapped(&self, usm: UsmKind) -> u64;

    /// Bytes that the backend keeps for copies of its own, as the pool keeps blocks: no allocation of anyone's, but a figure of
    /// every reading.
    fn bytes_of_runtime(&self) -> u64 {
        0
    }

    /// What the device says about its memory now.
    fn memory(&self) -> MemoryReading;

    /// Whether the host may read and write memory of this kind through its address. Where not, it is reached by
    /// [`Work::Copy`] only.
    fn host_access(&self, usm: UsmKind) -> bool {
        let _ = usm;
        true
    }

    /// What programs the device runs; nothing when its steps are closures for the host.
    fn runs_programs(&self) -> Option<&ProgramLimits> {
        None
    }

    /// Makes a program ready to launch, so that its first launch does not wait for the compiler. May be called from any
    /// thread.
    fn prepare(&self, program: &Arc<ProgramText>) -> Result<(), BackendError> {
        let _ = program;
        Err(BackendError::Unsupported { what: "device programs".into() })
    }

    /// Opens the parts of the device; none where it cannot be cut so. Their names for messages are this one's with a number
    /// behind, from `first` on.
    fn sub_devices(&self, partition: &Partition, first: usize) -> Result<Vec<Arc<dyn Device>>, BackendError> {
        let _ = (partition, first);
        Ok(Vec::new())
    }

    /// Whether the device has failed for good.
    fn status(&self) -> Result<(), BackendError>;

    /// Opens a queue.
    fn open_queue(&self, properties: QueueProperties) -> Result<Box<dyn Queue>, BackendError>;
}

/// An in-order stream of work on one device.
pub trait Queue: Send + Sync {
    /// Whether `submit` returns only when the step has ended, on the calling thread.
    fn is_immediate(&self) -> bool;

    /// Runs the step after everything submitted before it and after `wait_for` and its inputs have ended. Failure of the
    /// step is the event's outcome. Every queue does host work, copies, fills and markers; launches only where
    /// [`Device::runs_programs`].
    fn submit(&self, step: Step, wait_for: &[Event]) -> Event;

    /// The first failure since the last call that nobody who waited was told of.
    fn take_failure(&self) -> Option<ArrayError>;

    /// Nanoseconds the device worked since the last call, where it works beside the calling thread; zero elsewhere.
    fn take_device_ns(&self) -> u64;

    /// Steps submitted and not ended, oldest first.
    fn pending(&self) -> Vec<PendingStep>;
}
