//! `dpctl.SyclDevice`.

use super::{enums, sycl_class};
use crate::arrays::backend::{Affinity, Partition};
use crate::arrays::device::DeviceHandle;
use crate::arrays::readings::Amount;
use crate::arrays::registry;
use crate::lang::arrays::error::{ArrayException, array_exception, raised};
use crate::lang::heap::Ref;
use crate::lang::host::Stream;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A device as a program sees it.
#[derive(Debug)]
pub struct SyclDevice(pub DeviceHandle);

impl NativeData for SyclDevice {
    fn class(&self) -> ClassRef {
        device_class()
    }
}

sycl_class!(device_class, "SyclDevice", &all_methods());

/// What is known, and an explaining attribute for what is not.
fn all_methods() -> Vec<Method> {
    let unknown = UNASKED
        .iter()
        .enumerate()
        .map(|(row, name)| getter(name, "Not known here: reading it says why.", unasked).with_row(row));
    METHODS.iter().copied().chain(unknown).collect()
}

/// A device as a value.
pub fn device_value(device: DeviceHandle) -> Value {
    Value::object(SyclDevice(device))
}

/// The device of a `SyclDevice`.
pub fn as_device(value: &Value) -> Option<&DeviceHandle> {
    match value {
        Value::Object(object) => object.downcast::<SyclDevice>().map(|device| &device.0),
        _ => None,
    }
}

/// The device that a filter string or a `SyclDevice` means.
pub fn device_argument(value: &Value) -> Fallible<DeviceHandle> {
    match value {
        Value::Str(filter) => registry::select(filter.as_str()).map_err(raised),
        other => as_device(other).cloned().ok_or_else(|| {
            raise::type_error(
                "Invalid argument. Argument should be a str object specifying a SYCL filter selector string or another \
                 SyclDevice.",
            )
        }),
    }
}

fn this(vm: &Vm, args: Args) -> Fallible<&DeviceHandle> {
    as_device(args.peek(vm, 0)).ok_or_else(|| raise::type_error("expected a dpctl.SyclDevice"))
}

/// A device's amount as an int; what the system does not say raises rather than reading as zero.
fn amount(device: &DeviceHandle, amount: &Amount, what: &str) -> Fallible<Value> {
    match amount.bytes() {
        Some(bytes) => Ok(Value::int(bytes)),
        None => Err(raise::runtime_error(format!("{} does not say its {what}", device.filter_string()))),
    }
}

/// An attribute that is one fact of the device.
macro_rules! fact {
    ($name:literal, $doc:literal, |$device:ident| $value:expr) => {
        getter($name, $doc, |vm, args| {
            let $device = this(vm, args)?;
            Ok(Value::from($value))
        })
    };
}

const METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, arg=None, /)",
        "The device that a filter string selects, the default without one.",
        new,
    ),
    method("__repr__", "(self)", "Backend, type and name.", repr),
    method("__eq__", "(self, other, /)", "Whether both are the same device.", |vm, args| {
        Ok(Value::Bool(
            as_device(args.peek(vm, 1)).is_some_and(|other| this(vm, args).is_ok_and(|device| device == other)),
        ))
    }),
    method("__hash__", "(self)", "A hash that handles to the same device share.", |vm, args| {
        let name = this(vm, args)?.filter_string();
        Ok(Value::Int(name.bytes().fold(7, |hash: i64, byte| hash.wrapping_mul(31).wrapping_add(i64::from(byte))) >> 1))
    }),
    getter("backend", "The backend it answers to.", |vm, args| Ok(enums::backend_member(this(vm, args)?.backend()))),
    getter("device_type", "Its type.", |vm, args| Ok(enums::device_type_member(this(vm, args)?.info().device_type))),
    fact!("name", "The name its driver gives.", |device| &*device.info().name),
    fact!("vendor", "Who made it.", |device| &*device.info().vendor),
    fact!("driver_version", "The driver and its version.", |device| &*device.info().driver),
    getter("filter_string", "`backend:type:index`; a part of a device has none.", |vm, args| {
        root_filter(this(vm, args)?, true, true)
    }),
    method(
        "get_filter_string",
        "(self, include_backend=True, include_device_type=True)",
        "The filter string, parts left out on request.",
        get_filter_string,
    ),
    fact!("is_cpu", "Whether it is a processor.", |device| device.info().device_type.name() == "cpu"),
    fact!("is_gpu", "Whether it is a GPU.", |device| device.info().device_type.name() == "gpu"),
    fact!("is_accelerator", "Whether it is an accelerator.", |device| device.info().device_type.name()
        == "accelerator"),
    fact!("has_aspect_cpu", "Whether it is a processor.", |device| device.info().device_type.name() == "cpu"),
    fact!("has_aspect_gpu", "Whether it is a GPU.", |device| device.info().device_type.name() == "gpu"),
    fact!("has_aspect_accelerator", "Whether it is an accelerator.", |device| {
        device.info().device_type.name() == "accelerator"
    }),
    fact!("has_aspect_fp64", "Whether it computes in double precision.", |device| device.info().fp64),
    fact!("has_aspect_fp16", "Whether it computes in half precision.", |device| device.info().fp16),
    fact!("has_aspect_usm_device_allocations", "Always true here.", |_device| true),
    fact!("has_aspect_usm_host_allocations", "Always true here.", |_device| true),
    fact!("has_aspect_usm_shared_allocations", "Always true here.", |_device| true),
    fact!("has_aspect_queue_profiling", "Whether events carry times; always true here.", |_device| true),
    fact!("has_aspect_usm_atomic_host_allocations", "Not offered.", |_device| false),
    fact!("has_aspect_usm_atomic_shared_allocations", "Not offered.", |_device| false),
    fact!("has_aspect_usm_system_allocations", "Not offered: memory comes from the queue's pool.", |_device| false),
    getter("has_aspect_atomic64", "Whether it has atomic operations on 64 bits.", |vm, args| {
        let device = this(vm, args)?;
        match device.backend().name() {
            "native" => Ok(Value::Bool(true)),
            _ => Err(raise::attribute_error(format!(
                "has_aspect_atomic64 of {} is not known: no backend here asks its driver for it",
                device.filter_string()
            ))),
        }
    }),
    fact!("has_aspect_custom", "Whether it is of a kind of its own: no.", |_device| false),
    fact!("has_aspect_image", "Not offered: arrays are plain memory.", |_device| false),
    fact!("has_aspect_host_debuggable", "Not offered.", |_device| false),
    fact!("has_aspect_online_compiler", "Whether programs of the user's own can be built: no.", |_device| false),
    fact!("has_aspect_online_linker", "Whether programs of the user's own can be linked: no.", |_device| false),
    fact!("has_aspect_is_component", "Whether it is a part of a composite device: no.", |_device| false),
    fact!("has_aspect_is_composite", "Whether it is made of several: no.", |_device| false),
    getter("component_devices", "The devices it is made of: none.", |_, _| Ok(Value::list(vec![]))),
    method("can_access_peer", "(self, peer, value=None)", "Whether it reads another device's memory: no.", |_, _| {
        Ok(Value::Bool(false))
    }),
    method("get_device_id", "(self)", "Its number among the devices of its backend and type.", |vm, args| {
        let name = this(vm, args)?.filter_string();
        let index = name.rsplit(':').next().and_then(|number| number.parse().ok());
        Ok(Value::Int(index.unwrap_or(0)))
    }),
    fact!("has_aspect_emulated", "Whether it is simulated.", |device| device.is_simulated()),
    getter("global_mem_size", "Capacity in bytes.", |vm, args| {
        let device = this(vm, args)?;
        amount(device, &device.info().total, "capacity")
    }),
    getter("max_mem_alloc_size", "The largest single allocation in bytes.", |vm, args| {
        let device = this(vm, args)?;
        amount(device, &device.info().max_single, "largest single allocation")
    }),
    fact!("max_compute_units", "Parallel units.", |device| device.info().compute_units),
    getter("sycl_platform", "The backend's platform.", |_, _| Ok(Value::None)),
    getter("parent_device", "The device this one is a part of, or None.", |vm, args| {
        Ok(this(vm, args)?.parent().map_or(Value::None, |parent| device_value(parent.clone())))
    }),
    getter("composite_device", "Always None.", |_, _| Ok(Value::None)),
    getter("default_selector_score", "Its rank when no device is named; higher is preferred.", |vm, args| {
        let chosen = *this(vm, args)? == registry::default_device();
        Ok(Value::Int(if chosen { 1300 } else { 300 }))
    }),
    method("print_device_info", "(self)", "Prints name, driver, vendor and filter string.", print_device_info),
    method("get_unpartitioned_parent_device", "(self)", "The whole device this one is a part of.", |vm, args| {
        let mut whole = this(vm, args)?;
        while let Some(parent) = whole.parent() {
            whole = parent;
        }
        Ok(device_value(whole.clone()))
    }),
    method(
        "create_sub_devices",
        "(self, **kwargs)",
        "The parts of the device: `partition=` compute units of each, a list of them, or 'numa', 'L1_cache' to 'L4_cache', \
         'next_partitionable'.",
        create_sub_devices,
    ),
];

/// What dpctl tells of a device and no backend here asks its driver for.
const UNASKED: &[&str] = &[
    "addressof_ref",
    "disable_peer_access",
    "enable_peer_access",
    "global_mem_cache_line_size",
    "global_mem_cache_size",
    "global_mem_cache_type",
    "image_2d_max_height",
    "image_2d_max_width",
    "image_3d_max_depth",
    "image_3d_max_height",
    "image_3d_max_width",
    "local_mem_size",
    "max_clock_frequency",
    "max_num_sub_groups",
    "max_read_image_args",
    "max_work_group_size",
    "max_work_item_dims",
    "max_work_item_sizes",
    "max_work_item_sizes1d",
    "max_work_item_sizes2d",
    "max_work_item_sizes3d",
    "max_write_image_args",
    "native_vector_width_char",
    "native_vector_width_double",
    "native_vector_width_float",
    "native_vector_width_half",
    "native_vector_width_int",
    "native_vector_width_long",
    "native_vector_width_short",
    "partition_max_sub_devices",
    "preferred_vector_width_char",
    "preferred_vector_width_double",
    "preferred_vector_width_float",
    "preferred_vector_width_half",
    "preferred_vector_width_int",
    "preferred_vector_width_long",
    "preferred_vector_width_short",
    "profiling_timer_resolution",
    "sub_group_independent_forward_progress",
    "sub_group_sizes",
];

/// An attribute of dpctl's that is not known here: says so, and where what is known can be seen.
fn unasked(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let device = this(vm, args)?;
    Err(raise::attribute_error(format!(
        "{} of {} is not known: no backend here asks its driver for it. `%devices` and print_device_info() show what is known",
        UNASKED[args.row],
        device.filter_string()
    )))
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    match args.not_none(vm, 1) {
        None => Ok(device_value(registry::default_device())),
        Some(argument) => device_argument(&argument).map(device_value),
    }
}

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let device = this(vm, args)?;
    let (backend, kind) = (device.backend().name(), device.info().device_type.name());
    let address = match args.peek(vm, 0) {
        Value::Object(object) => Ref::address(object),
        _ => 0,
    };
    let name = &device.info().name;
    Ok(Value::str(format!("<dpctl.SyclDevice [backend_type.{backend}, device_type.{kind},  {name}] at {address:#x}>")))
}

/// What `partition=` says.
fn partition(vm: &mut Vm, value: &Value) -> Fallible<Partition> {
    match value {
        Value::Str(domain) => Ok(Partition::By(match domain.as_str() {
            "numa" => Affinity::Numa,
            "next_partitionable" => Affinity::Next,
            "L1_cache" => Affinity::Cache(1),
            "L2_cache" => Affinity::Cache(2),
            "L3_cache" => Affinity::Cache(3),
            "L4_cache" => Affinity::Cache(4),
            other => return Err(raise::value_error(format!("Partition affinity domain {other} is not understood."))),
        })),
        Value::Int(units) => Ok(Partition::Equally(usize::try_from(*units).unwrap_or(0))),
        Value::Float(units) => Ok(Partition::Equally(*units as usize)),
        Value::None | Value::Bool(_) => Err(raise::type_error("Unsupported type of sub-device argument")),
        other => {
            let counts = vm.collect(other).map_err(|_| raise::type_error("Unsupported type of sub-device argument"))?;
            let counts = counts.iter().map(|count| vm.index(count)).collect::<Fallible<Vec<i64>>>()?;
            Ok(Partition::Counts(counts.into_iter().map(|count| usize::try_from(count).unwrap_or(0)).collect()))
        }
    }
}

fn create_sub_devices(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let device = this(vm, args)?.clone();
    let given = match args.get(vm, 1) {
        Value::Dict(given) => vm.dict_get(&given, &Value::str("partition"))?,
        _ => None,
    };
    let Some(given) = given else {
        return Err(raise::type_error("create_sub_devices(partition=parition_spec) is expected."));
    };
    let partition = partition(vm, &given)?;
    let refused = |message: &str| {
        Err(raise::Raised::new(array_exception(ArrayException::SyclSubDeviceCreation), message.to_owned()))
    };
    match &partition {
        Partition::Equally(0) => {
            return refused("Sub-devices were not created, requested compute units count was zero.");
        }
        Partition::Counts(counts) if counts.is_empty() || counts.contains(&0) => {
            return refused("Sub-devices were not created.");
        }
        _ => {}
    }
    let parts = registry::sub_devices(&device, &partition).map_err(raised)?;
    if parts.is_empty() {
        return refused("Sub-devices were not created.");
    }
    Ok(Value::list(parts.into_iter().map(device_value).collect()))
}

/// What selects a device, which nothing does for a part of one.
fn root_filter(device: &DeviceHandle, include_backend: bool, include_device_type: bool) -> Fallible<Value> {
    if device.parent().is_some() {
        return Err(raise::value_error("This SyclDevice is not a root device"));
    }
    Ok(Value::str(device.filter_string_with(include_backend, include_device_type)))
}

fn get_filter_string(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let include_backend = args.truth_or(vm, 1, true)?;
    let include_device_type = args.truth_or(vm, 2, true)?;
    root_filter(this(vm, args)?, include_backend, include_device_type)
}

fn print_device_info(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let text = info_text(this(vm, args)?);
    vm.host.write(Stream::Stdout, &text);
    Ok(Value::None)
}

/// What `print_device_info` prints.
pub fn info_text(device: &DeviceHandle) -> String {
    let info = device.info();
    format!(
        "    Name            {}\n    Driver version  {}\n    Vendor          {}\n    Filter string   {}\n\n",
        info.name,
        info.driver,
        info.vendor,
        device.filter_string()
    )
}
