//! What the environment asks of the driver, read once when the loader first calls it.
//!
//! A test describes its device by `TESTDRIVER_*` variables of the child process it starts. A value that cannot be
//! understood fails the first call and says so on standard error: a test must not pass because its device was not built.

use crate::faults::{Fault, parse_faults};
use std::str::FromStr;
use std::time::Duration;

/// The largest single allocation that DG2 and Tiger Lake answer: 4 GiB less two pages.
const DEFAULT_MAX_ALLOCATION_BYTES: u64 = (4 << 30) - 8192;

/// Most root devices, parts of each, and memory modules of each: handles have room for these.
pub(crate) const MAX_COUNT: u32 = 16;

/// The device to be played.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// `TESTDRIVER_NAME`: the device's name.
    pub name: String,
    /// `TESTDRIVER_OPENCL`: the OpenCL library to use, a loader or a runtime itself.
    pub opencl_library: String,
    /// `TESTDRIVER_DEVICES`: how many root devices there are.
    pub devices: u32,
    /// `TESTDRIVER_SUBDEVICES`: how many sub-devices each root device has.
    pub subdevices: u32,
    /// `ZE_FLAT_DEVICE_HIERARCHY`, which real drivers read too: what stands in the list of devices.
    pub hierarchy: Hierarchy,
    /// `ZE_AFFINITY_MASK`, which real drivers read too: which devices, and which parts of them, are there; all without it.
    pub mask: Option<Vec<(u32, Option<u32>)>>,
    /// `TESTDRIVER_TYPE`: `gpu` or `npu`.
    pub npu: bool,
    /// `TESTDRIVER_CAPACITY`: bytes of memory of each root device.
    pub capacity_bytes: u64,
    /// `TESTDRIVER_MAX_ALLOC`: bytes of the largest allocation without relaxed limits.
    pub max_allocation_bytes: u64,
    /// `TESTDRIVER_INTEGRATED`: whether the device says that it shares the host's memory.
    pub integrated: bool,
    /// `TESTDRIVER_FP64`: whether modules may use 64-bit floating point.
    pub fp64: bool,
    /// `TESTDRIVER_API`: the version of the specification the driver claims, as `major.minor`.
    pub api: (u32, u32),
    /// `TESTDRIVER_MEMORY_MODULES`: how many memory modules sysman lists (0 on integrated GPUs of older drivers).
    pub memory_modules: u32,
    /// `TESTDRIVER_NO_PERFMON`: sysman answers `free` equal to `size`, as the kernel does for users without the capability.
    pub no_perfmon: bool,
    /// `TESTDRIVER_USABLE_MEMORY`: what the usable-memory extension answers.
    pub usable_memory: UsableMemory,
    /// `TESTDRIVER_DELAY_US`: how long each launch takes at least.
    pub delay: Duration,
    /// `TESTDRIVER_GUARD`: device memory faults when the host touches it.
    pub guard: bool,
    /// `TESTDRIVER_SHUFFLE`: the seed of the out-of-order mode, if it is on.
    pub shuffle: Option<u64>,
    /// `TESTDRIVER_HOLD_US`: how long the out-of-order mode waits for further commands before it picks one.
    pub hold: Duration,
    /// `TESTDRIVER_FAIL`: what fails, see [`parse_faults`].
    pub faults: Vec<Fault>,
    /// `TESTDRIVER_TRACE`: each call and its answer on standard error.
    pub trace: bool,
}

/// What stands in the list of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hierarchy {
    /// Whole devices, whose parts are asked of them.
    Composite,
    /// The parts, each as if it were a device by itself.
    Flat,
    /// The parts, which say that they are some.
    Combined,
}

/// What `ZE_extension_device_usablemem_size_properties` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UsableMemory {
    /// `free`: what is left of the capacity.
    Free,
    /// `absent`: the driver does not have the extension and leaves the structure alone.
    Absent,
    /// A number of bytes; 0 is what a driver answers that does not know.
    Fixed(u64),
}

impl FromStr for UsableMemory {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "free" => Ok(UsableMemory::Free),
            "absent" => Ok(UsableMemory::Absent),
            bytes => bytes.parse().map(UsableMemory::Fixed).map_err(|_| "not `free`, `absent` or bytes".to_owned()),
        }
    }
}

impl Config {
    /// The configuration that `variable` describes; the error names the variable that cannot be understood.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Config, String> {
        let reader = Reader { variable };
        Ok(Config {
            name: reader.text("NAME").unwrap_or_else(|| "Cellhold test device".to_owned()),
            opencl_library: reader.text("OPENCL").unwrap_or_else(|| "libOpenCL.so.1".to_owned()),
            devices: reader.count("DEVICES", 1)?,
            subdevices: reader.count("SUBDEVICES", 0)?,
            hierarchy: match (reader.variable)("ZE_FLAT_DEVICE_HIERARCHY").as_deref() {
                None | Some("" | "COMPOSITE") => Hierarchy::Composite,
                Some("FLAT") => Hierarchy::Flat,
                Some("COMBINED") => Hierarchy::Combined,
                Some(other) => {
                    return Err(format!("ZE_FLAT_DEVICE_HIERARCHY={other}: not COMPOSITE, FLAT or COMBINED"));
                }
            },
            mask: match (reader.variable)("ZE_AFFINITY_MASK").filter(|mask| !mask.is_empty()) {
                Some(mask) => Some(affinity(&mask).ok_or_else(|| format!("ZE_AFFINITY_MASK={mask}: not as 0,1.0"))?),
                None => None,
            },
            npu: reader.parsed("TYPE", false, |text| match text {
                "gpu" => Ok(false),
                "npu" => Ok(true),
                _ => Err("not `gpu` or `npu`".to_owned()),
            })?,
            capacity_bytes: reader.number("CAPACITY", 8 << 30)?,
            max_allocation_bytes: reader.number("MAX_ALLOC", DEFAULT_MAX_ALLOCATION_BYTES)?,
            integrated: reader.switch("INTEGRATED", false)?,
            fp64: reader.switch("FP64", true)?,
            api: reader.parsed("API", (1, 9), version)?,
            memory_modules: reader.count("MEMORY_MODULES", 1)?,
            no_perfmon: reader.switch("NO_PERFMON", false)?,
            usable_memory: reader.parsed("USABLE_MEMORY", UsableMemory::Free, str::parse)?,
            delay: Duration::from_micros(reader.number("DELAY_US", 0)?),
            guard: reader.switch("GUARD", false)?,
            shuffle: reader.parsed("SHUFFLE", None, |text| {
                text.parse().map(Some).map_err(|_| "not a seed, a whole number".to_owned())
            })?,
            hold: Duration::from_micros(reader.number("HOLD_US", 1000)?),
            faults: reader.parsed("FAIL", Vec::new(), parse_faults)?,
            trace: reader.switch("TRACE", false)?,
        })
    }

    /// Whether the claimed version of the specification is at least this one.
    pub fn api_at_least(&self, major: u32, minor: u32) -> bool {
        self.api >= (major, minor)
    }
}

struct Reader<F> {
    variable: F,
}

impl<F: Fn(&str) -> Option<String>> Reader<F> {
    fn text(&self, name: &str) -> Option<String> {
        (self.variable)(&format!("TESTDRIVER_{name}")).filter(|text| !text.is_empty())
    }

    fn parsed<T>(&self, name: &str, default: T, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, String> {
        match self.text(name) {
            None => Ok(default),
            Some(text) => parse(&text).map_err(|why| format!("TESTDRIVER_{name}={text}: {why}")),
        }
    }

    fn number<T: FromStr>(&self, name: &str, default: T) -> Result<T, String> {
        self.parsed(name, default, |text| text.parse().map_err(|_| "not a whole number in range".to_owned()))
    }

    /// How many there are of something that handles have room for.
    fn count(&self, name: &str, default: u32) -> Result<u32, String> {
        self.parsed(name, default, |text| match text.parse() {
            Ok(count) if count <= MAX_COUNT => Ok(count),
            _ => Err(format!("not a number up to {MAX_COUNT}")),
        })
    }

    fn switch(&self, name: &str, default: bool) -> Result<bool, String> {
        self.parsed(name, default, |text| match text {
            "0" => Ok(false),
            "1" => Ok(true),
            _ => Err("not 0 or 1".to_owned()),
        })
    }
}

/// The entries of a mask: devices, or parts of them.
fn affinity(text: &str) -> Option<Vec<(u32, Option<u32>)>> {
    let entry = |entry: &str| match entry.split_once('.') {
        Some((root, part)) => Some((root.parse().ok()?, Some(part.parse().ok()?))),
        None => Some((entry.parse().ok()?, None)),
    };
    text.split(',').map(entry).collect()
}

fn version(text: &str) -> Result<(u32, u32), String> {
    text.split_once('.')
        .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)))
        .ok_or_else(|| "not a version like 1.9".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, String> {
        Config::read(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn an_empty_environment_is_a_discrete_gpu_with_fp64() {
        let config = read(&[]).expect("defaults");
        assert!(config.fp64 && !config.integrated && !config.npu && !config.guard && config.shuffle.is_none());
        assert_eq!(config.max_allocation_bytes, 4_294_959_104);
        assert!(config.api_at_least(1, 7) && !config.api_at_least(1, 10));
    }

    #[test]
    fn every_variable_reaches_its_field() {
        let config = read(&[
            ("TESTDRIVER_CAPACITY", "1048576"),
            ("TESTDRIVER_FP64", "0"),
            ("TESTDRIVER_USABLE_MEMORY", "0"),
            ("TESTDRIVER_SHUFFLE", "7"),
            ("TESTDRIVER_API", "1.3"),
            ("TESTDRIVER_TYPE", "npu"),
            ("TESTDRIVER_FAIL", "zeMemAllocDevice:2:OUT_OF_DEVICE_MEMORY"),
        ])
        .expect("well-formed");
        assert_eq!(config.capacity_bytes, 1 << 20);
        assert_eq!((config.fp64, config.npu, config.shuffle), (false, true, Some(7)));
        assert_eq!(config.usable_memory, UsableMemory::Fixed(0));
        assert_eq!((config.api, config.faults.len()), ((1, 3), 1));
    }

    #[test]
    fn the_variables_of_real_drivers_are_read_too() {
        let config = read(&[("ZE_FLAT_DEVICE_HIERARCHY", "FLAT"), ("ZE_AFFINITY_MASK", "0,1.2")]).expect("well-formed");
        assert_eq!((config.hierarchy, config.mask), (Hierarchy::Flat, Some(vec![(0, None), (1, Some(2))])));
        let hierarchy = |named: &str| read(&[("ZE_FLAT_DEVICE_HIERARCHY", named)]).map(|config| config.hierarchy);
        assert_eq!(hierarchy("COMBINED"), Ok(Hierarchy::Combined));
        assert_eq!(hierarchy("COMPOSITE"), Ok(Hierarchy::Composite));
        assert!(hierarchy("ROUND").is_err());
        assert!(read(&[("ZE_AFFINITY_MASK", "gpu")]).is_err());
    }

    #[test]
    fn a_value_that_makes_no_sense_names_its_variable() {
        for (name, value) in [
            ("TESTDRIVER_CAPACITY", "much"),
            ("TESTDRIVER_FP64", "maybe"),
            ("TESTDRIVER_API", "new"),
            ("TESTDRIVER_DEVICES", "17"),
            ("TESTDRIVER_FAIL", "x"),
        ] {
            let problem = read(&[(name, value)]).expect_err("refused");
            assert!(problem.contains(name) && problem.contains(value), "{problem}");
        }
    }
}
