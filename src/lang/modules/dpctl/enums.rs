//! dpctl's enumerations. The numbers are dpctl 0.22's; `native` and `sim`, which dpctl does not have, follow them.

use crate::arrays::backend::{BackendKind, DeviceType};
use crate::arrays::device::DeviceHandle;
use crate::arrays::event::EventStatus;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// An enumeration: its name and its members with their numbers.
#[derive(Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// `backend_type`
    pub name: &'static str,
    /// Names, numbered from 1.
    pub members: &'static [&'static str],
}

/// `dpctl.backend_type`
pub const BACKEND_TYPE: Enumeration =
    Enumeration { name: "backend_type", members: &["all", "cuda", "hip", "level_zero", "opencl", "native", "sim"] };
/// `dpctl.device_type`
pub const DEVICE_TYPE: Enumeration =
    Enumeration { name: "device_type", members: &["all", "accelerator", "automatic", "cpu", "custom", "gpu"] };
/// `dpctl.event_status_type`
pub const EVENT_STATUS_TYPE: Enumeration =
    Enumeration { name: "event_status_type", members: &["unknown_status", "submitted", "running", "complete"] };
/// `dpctl.global_mem_cache_type`
pub const GLOBAL_MEM_CACHE_TYPE: Enumeration =
    Enumeration { name: "global_mem_cache_type", members: &["indeterminate", "none", "read_only", "read_write"] };

/// Every enumeration of dpctl.
pub const ALL: &[&Enumeration] = &[&BACKEND_TYPE, &DEVICE_TYPE, &EVENT_STATUS_TYPE, &GLOBAL_MEM_CACHE_TYPE];

/// A member such as `dpctl.backend_type.opencl`.
#[derive(Debug)]
pub struct EnumMember {
    enumeration: &'static Enumeration,
    index: usize,
}

impl NativeData for EnumMember {
    fn class(&self) -> ClassRef {
        enum_class(self.enumeration)
    }
}

const METHODS: &[Method] = &[
    getter("name", "The member's name.", |vm, args| Ok(Value::str(this(vm, args)?.member_name()))),
    getter("value", "The member's number.", |vm, args| Ok(Value::from(this(vm, args)?.index + 1))),
    method("__repr__", "(self)", "As `<backend_type.opencl: 5>`.", |vm, args| {
        let member = this(vm, args)?;
        Ok(Value::str(format!("<{}.{}: {}>", member.enumeration.name, member.member_name(), member.index + 1)))
    }),
    method("__str__", "(self)", "As `backend_type.opencl`.", |vm, args| {
        let member = this(vm, args)?;
        Ok(Value::str(format!("{}.{}", member.enumeration.name, member.member_name())))
    }),
    method("__eq__", "(self, other, /)", "Whether both are the same member.", |vm, args| {
        let member = this(vm, args)?;
        Ok(Value::Bool(as_member(args.peek(vm, 1)).is_some_and(|other| member.is(other))))
    }),
    method("__hash__", "(self)", "A hash of the member.", |vm, args| {
        let member = this(vm, args)?;
        Ok(Value::from(member.enumeration.name.len() * 64 + member.index))
    }),
];

impl EnumMember {
    fn member_name(&self) -> &'static str {
        self.enumeration.members[self.index]
    }

    fn is(&self, other: &EnumMember) -> bool {
        self.enumeration == other.enumeration && self.index == other.index
    }
}

fn as_member(value: &Value) -> Option<&EnumMember> {
    match value {
        Value::Object(object) => object.downcast::<EnumMember>(),
        _ => None,
    }
}

fn this(vm: &Vm, args: Args) -> Fallible<&EnumMember> {
    as_member(args.peek(vm, 0)).ok_or_else(|| raise::type_error("expected an enumeration's member"))
}

thread_local! {
    static CLASSES: Vec<ClassRef> = ALL.iter().map(|enumeration| build(enumeration)).collect();
    static MEMBERS: Vec<Vec<Value>> = ALL
        .iter()
        .map(|enumeration| {
            (0..enumeration.members.len()).map(|index| Value::object(EnumMember { enumeration, index })).collect()
        })
        .collect();
}

fn build(enumeration: &Enumeration) -> ClassRef {
    let object = builtin_class(Builtin::Object);
    define_class(enumeration.name, "dpctl", &object, PayloadKind::Sealed, METHODS)
}

fn position(enumeration: &Enumeration) -> usize {
    ALL.iter().position(|other| *other == enumeration).expect("every enumeration stands in ALL")
}

/// The class of an enumeration, its members bound as attributes.
pub fn enum_class(enumeration: &'static Enumeration) -> ClassRef {
    let class = CLASSES.with(|classes| classes[position(enumeration)].clone());
    if class.attributes.borrow().get(&Name::new(enumeration.members[0])).is_none() {
        // Bound at first use: members name their class, so neither can be complete before the other.
        let members = MEMBERS.with(|members| members[position(enumeration)].clone());
        for (name, member) in enumeration.members.iter().zip(members) {
            let replaced = class.attributes.borrow_mut().insert(Name::new(name), member);
            drop(replaced);
        }
    }
    class
}

fn member(enumeration: &'static Enumeration, name: &str) -> Value {
    let index = enumeration.members.iter().position(|member| *member == name).unwrap_or(0);
    MEMBERS.with(|members| members[position(enumeration)][index].clone())
}

/// `dpctl.backend_type.…` of a backend.
pub fn backend_member(backend: BackendKind) -> Value {
    member(&BACKEND_TYPE, backend.name())
}

/// `dpctl.device_type.…` of a device type.
pub fn device_type_member(device_type: DeviceType) -> Value {
    member(&DEVICE_TYPE, device_type.name())
}

/// `dpctl.event_status_type.…` of a status.
pub fn status_member(status: EventStatus) -> Value {
    member(
        &EVENT_STATUS_TYPE,
        match status {
            EventStatus::Submitted => "submitted",
            EventStatus::Running => "running",
            EventStatus::Complete => "complete",
        },
    )
}

/// Which devices `get_devices` lists.
pub struct DeviceFilter {
    backend: Option<&'static str>,
    device_type: Option<&'static str>,
}

impl DeviceFilter {
    /// From a backend and a type, each a member or its name; `all` and absence accept every device.
    pub fn from_args(vm: &Vm, args: Args, backend: usize, device_type: usize) -> Fallible<Self> {
        Ok(Self {
            backend: choice(args.peek(vm, backend), &BACKEND_TYPE, "backend")?,
            device_type: choice(args.peek(vm, device_type), &DEVICE_TYPE, "device_type")?,
        })
    }

    /// Whether a device passes.
    pub fn accepts(&self, device: &DeviceHandle) -> bool {
        self.backend.is_none_or(|backend| backend == device.backend().name())
            && self.device_type.is_none_or(|kind| kind == device.info().device_type.name())
    }
}

fn choice(value: &Value, enumeration: &'static Enumeration, what: &str) -> Fallible<Option<&'static str>> {
    let name = match value {
        Value::Unset => return Ok(None),
        Value::Str(text) => {
            enumeration.members.iter().find(|member| **member == text.as_str()).copied().ok_or_else(|| {
                raise::value_error(format!(
                    "{what} can be one of {}, got '{}'",
                    enumeration.members.join(", "),
                    text.as_str()
                ))
            })?
        }
        other => match as_member(other) {
            Some(member) if member.enumeration == enumeration => member.member_name(),
            _ => {
                return Err(raise::type_error(format!(
                    "{what} must be a string or a member of dpctl.{}, got {}",
                    enumeration.name,
                    other.type_name()
                )));
            }
        },
    };
    Ok((name != "all").then_some(name))
}
