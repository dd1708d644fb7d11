//! `dpctl.memory`: raw USM blocks as objects. Each block is in the ledger, and everything that names memory from outside
//! (`__sycl_usm_array_interface__`) is checked against it.

use std::rc::Rc;
use std::sync::Arc;

use super::context::{as_context, context_value};
use super::device::device_value;
use super::queue::{as_queue, queue_argument, queue_value};
use crate::arrays::array::Array;
use crate::arrays::backend::UsmKind;
use crate::arrays::buffer::{Buffer, Request};
use crate::arrays::device::{ContextHandle, Place, QueueHandle};
use crate::arrays::registry;
use crate::arrays::usm::{Interface, Region};
use crate::lang::arrays::convert::{array_value, class_path};
use crate::lang::arrays::error::{ArrayException, array_exception, raised};
use crate::lang::arrays::pending;
use crate::lang::builtins::bytes;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::builtins::memoryview::BufferSource;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ArrayFlavour, BytesObject, ClassRef, DictObject, ModuleObject, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// A `MemoryUSMDevice`, `MemoryUSMShared` or `MemoryUSMHost`: a stretch of a block, and what owns it if not this object.
#[derive(Debug)]
pub struct UsmMemory {
    kind: UsmKind,
    buffer: Arc<Buffer>,
    start: usize,
    bytes: usize,
    queue: QueueHandle,
    reference: Value,
}

impl NativeData for UsmMemory {
    fn class(&self) -> ClassRef {
        memory_class(self.kind)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        if !self.reference.is_unset() {
            visit(Edge::Base, &self.reference);
        }
    }
    fn visit_buffers(&self, visit: &mut dyn FnMut(&Arc<Buffer>)) {
        visit(&self.buffer);
    }
    fn bytes_source(&self, this: &Value) -> Option<Rc<dyn BufferSource>> {
        if self.kind == UsmKind::Device {
            return None;
        }
        let (buffer, start, bytes) = (self.buffer.clone(), self.start, self.bytes);
        Some(Rc::new(UsmSource { owner: this.clone(), buffer, start, bytes }))
    }
}

/// The bytes of host or shared memory, for memoryviews. Every access goes through the buffer, which may have been revoked.
#[derive(Debug)]
struct UsmSource {
    owner: Value,
    buffer: Arc<Buffer>,
    start: usize,
    bytes: usize,
}

impl BufferSource for UsmSource {
    fn owner(&self) -> Value {
        self.owner.clone()
    }
    fn len_bytes(&self) -> usize {
        self.bytes
    }
    fn is_readonly(&self) -> bool {
        false
    }
    fn read(&self, at: usize, into: &mut [u8]) -> Fallible<()> {
        let from = self.start + at;
        self.buffer.read_bytes(|all| into.copy_from_slice(&all[from..from + into.len()])).map_err(raised)
    }
    fn write(&self, at: usize, from: &[u8]) -> Fallible<()> {
        let to = self.start + at;
        self.buffer.write_bytes(|all| all[to..to + from.len()].copy_from_slice(from)).map_err(raised)
    }
}

const KINDS: [(UsmKind, &str); 3] =
    [(UsmKind::Device, "MemoryUSMDevice"), (UsmKind::Shared, "MemoryUSMShared"), (UsmKind::Host, "MemoryUSMHost")];

thread_local! {
    static CLASSES: Vec<ClassRef> = KINDS
        .iter()
        .map(|(_, name)| {
            let object = builtin_class(Builtin::Object);
            define_class(name, "dpctl.memory._memory", &object, PayloadKind::Sealed, METHODS)
        })
        .collect();
    static MODULE: Ref<ModuleObject> = build();
}

fn memory_class(kind: UsmKind) -> ClassRef {
    let position = KINDS.iter().position(|(known, _)| *known == kind).unwrap_or(0);
    CLASSES.with(|classes| classes[position].clone())
}

/// `dpctl.memory`.
pub fn module() -> Ref<ModuleObject> {
    MODULE.with(Clone::clone)
}

fn build() -> Ref<ModuleObject> {
    let module = Ref::new(ModuleObject::new(Name::new("dpctl.memory")));
    for (kind, name) in KINDS {
        module.set(Name::new(name), Value::Class(memory_class(kind)));
    }
    let function = method("as_usm_memory", "(obj)", "A memory object over an object's USM memory.", as_usm_memory);
    module.set(Name::new(function.name), Value::Native(function.build(None, Some(module.name))));
    let error = Value::Class(array_exception(ArrayException::UsmAllocation));
    module.set(Name::new("USMAllocationError"), error);
    module
}

const METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, nbytes, alignment=0, queue=None, copy=False)",
        "A new block of bytes, or a view of an object's USM memory.",
        new,
    ),
    method("__repr__", "(self)", "As dpctl prints it.", |vm, args| {
        let memory = this(vm, args)?;
        Ok(Value::str(format!(
            "<SYCL(TM) USM-{} allocation of {} bytes at {:#x}>",
            memory.kind.name(),
            memory.bytes,
            memory.buffer.address() + memory.start
        )))
    }),
    method("__len__", "(self)", "How many bytes it has.", |vm, args| Ok(Value::from(this(vm, args)?.bytes))),
    getter("nbytes", "How many bytes it has.", |vm, args| Ok(Value::from(this(vm, args)?.bytes))),
    getter("size", "How many bytes it has.", |vm, args| Ok(Value::from(this(vm, args)?.bytes))),
    getter("ptr", "The address of the first byte, as a number.", |vm, args| {
        let memory = this(vm, args)?;
        Ok(Value::from(memory.buffer.address() + memory.start))
    }),
    getter("_pointer", "The address of the first byte.", |vm, args| {
        let memory = this(vm, args)?;
        Ok(Value::from(memory.buffer.address() + memory.start))
    }),
    getter("reference_obj", "The object that owns the memory, None when this one does.", |vm, args| {
        Ok(this(vm, args)?.reference.clone().given().unwrap_or(Value::None))
    }),
    getter("sycl_queue", "The queue it was allocated through.", |vm, args| {
        Ok(queue_value(this(vm, args)?.queue.clone()))
    }),
    getter("sycl_context", "The context it belongs to.", |vm, args| {
        Ok(context_value(this(vm, args)?.queue.context().clone()))
    }),
    getter("sycl_device", "The device it belongs to.", |vm, args| {
        Ok(device_value(this(vm, args)?.queue.device().clone()))
    }),
    getter("__sycl_usm_array_interface__", "The description other libraries read.", interface),
    method("get_usm_type", "(self, syclobj=None)", "The kind of the memory as a context sees it.", |vm, args| {
        let kind = kind_seen_by(vm, args)?;
        Ok(Value::str(kind.map_or("unknown", UsmKind::name)))
    }),
    method("get_usm_type_enum", "(self, syclobj=None)", "The kind as SYCL's number.", |vm, args| {
        Ok(Value::Int(match kind_seen_by(vm, args)? {
            Some(UsmKind::Host) => 0,
            Some(UsmKind::Device) => 1,
            Some(UsmKind::Shared) => 2,
            None => 3,
        }))
    }),
    method("copy_from_host", "(self, obj)", "Writes bytes of a host buffer at the start.", copy_from_host),
    method(
        "copy_to_host",
        "(self, obj=None)",
        "Copies the bytes into a host buffer, a new NumPy array without one.",
        copy_to_host,
    ),
    method(
        "copy_from_device",
        "(self, sycl_usm_ary)",
        "Writes bytes of another USM object at the start.",
        copy_from_device,
    ),
    method("memset", "(self, val=0)", "Writes one byte everywhere.", |vm, args| {
        let value = args.index_or(vm, 1, 0)?;
        if value < 0 {
            return Err(raise::overflow_error("can't convert negative value to unsigned short"));
        }
        if value > 0xffff {
            return Err(raise::overflow_error("value too large to convert to unsigned short"));
        }
        let memory = this(vm, args)?;
        let (start, end) = (memory.start, memory.start + memory.bytes);
        memory.buffer.write_bytes(|all| all[start..end].fill(value as u8)).map_err(raised)?;
        Ok(Value::None)
    }),
    method("tobytes", "(self)", "The bytes.", to_bytes),
    method("__bytes__", "(self)", "The bytes.", to_bytes),
    method("__copy__", "(self)", "A block of its own with the same bytes.", copy_of),
    method("__deepcopy__", "(self, memo=None)", "A block of its own with the same bytes.", |vm, args| {
        copy_of(vm, args)
    }),
];

fn as_memory(value: &Value) -> Option<&UsmMemory> {
    match value {
        Value::Object(object) => object.downcast::<UsmMemory>(),
        _ => None,
    }
}

fn this(vm: &Vm, args: Args) -> Fallible<&UsmMemory> {
    as_memory(args.peek(vm, 0)).ok_or_else(|| raise::type_error("expected a dpctl.memory object"))
}

impl UsmMemory {
    fn read<T>(&self, read: impl FnOnce(&[u8]) -> T) -> Fallible<T> {
        let (start, end) = (self.start, self.start + self.bytes);
        self.buffer.read_bytes(|all| read(&all[start..end])).map_err(raised)
    }
}

/// A new block in the ledger.
fn allocate(vm: &mut Vm, kind: UsmKind, bytes: usize, alignment: usize, queue: QueueHandle) -> Fallible<UsmMemory> {
    let place = Place::Queue(queue.clone());
    let request = Request { alignment, ..Request::new(&place, kind, bytes) };
    let buffer = pending::with_relief(vm, |_| Buffer::allocate(&request))?;
    Ok(UsmMemory { kind, buffer, start: 0, bytes, queue, reference: Value::Unset })
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Class(class) = args.get(vm, 0) else { return Err(raise::type_error("expected a class")) };
    let position = CLASSES.with(|classes| classes.iter().position(|known| Ref::ptr_eq(known, &class))).unwrap_or(0);
    let kind = KINDS[position].0;
    let argument = args.get(vm, 1);
    let queue = queue_argument(args.peek(vm, 3))?;
    let copy = args.truth_or(vm, 4, false)?;
    let is_count = matches!(argument, Value::Int(_) | Value::Bool(_) | Value::Big(_))
        || matches!(&argument, Value::Scalar(scalar) if scalar.dtype.is_integer());
    if is_count {
        let bytes = vm.index(&argument).ok().and_then(|bytes| usize::try_from(bytes).ok()).filter(|bytes| *bytes > 0);
        let Some(bytes) = bytes else {
            return Err(raise::value_error("Number of bytes of request allocation must be positive."));
        };
        let alignment = usize::try_from(args.index_or(vm, 2, 0)?).unwrap_or(0);
        let queue = match queue {
            Some(queue) => queue,
            None => registry::default_queue().map_err(raised)?,
        };
        return allocate(vm, kind, bytes, alignment, queue).map(Value::object);
    }
    let source = describe(vm, &argument)?;
    if source.kind != kind {
        if !copy {
            let shown = shown(vm, &argument, &source)?;
            return Err(raise::value_error(format!(
                "USM pointer in the argument {shown} is not a USM {} pointer. Zero-copy operation is not possible with \
                 copy=False. Either use copy=True, or use a constructor appropriate for type '{}'",
                kind.name(),
                source.kind.name()
            )));
        }
        let queue = queue.unwrap_or(source.queue.clone());
        let fresh = allocate(vm, kind, source.bytes, 0, queue)?;
        Buffer::copy_bytes(&source.buffer, source.start, &fresh.buffer, 0, source.bytes).map_err(raised)?;
        return Ok(Value::object(fresh));
    }
    let queue = queue.unwrap_or(source.queue.clone());
    Ok(Value::object(UsmMemory { queue, reference: argument, ..source }))
}

fn shown(vm: &mut Vm, argument: &Value, source: &UsmMemory) -> Fallible<String> {
    if as_memory(argument).is_some() {
        return Ok(vm.repr(argument)?.to_string());
    }
    Ok(format!(
        "<SYCL(TM) USM-{} allocation of {} bytes at {:#x}>",
        source.kind.name(),
        source.bytes,
        source.buffer.address() + source.start
    ))
}

/// The memory that an object describes: a memory object, an array on a device, or anything with the interface attribute.
fn describe(vm: &mut Vm, value: &Value) -> Fallible<UsmMemory> {
    if let Some(memory) = as_memory(value) {
        return Ok(UsmMemory {
            kind: memory.kind,
            buffer: memory.buffer.clone(),
            start: memory.start,
            bytes: memory.bytes,
            queue: memory.queue.clone(),
            reference: Value::Unset,
        });
    }
    if let Value::Array(array) = value
        && array.flavour != ArrayFlavour::NumPy
    {
        let computed = pending::compute(vm, array)?;
        return of_array(&computed);
    }
    let Some(description) = vm.find_attribute(value, Name::new("__sycl_usm_array_interface__"))? else {
        let shown = vm.str(value)?;
        return Err(raise::value_error(format!("Argument {shown} does not expose `__sycl_usm_array_interface__`.")));
    };
    let Value::Dict(description) = description else {
        return Err(raise::value_error("__sycl_usm_array_interface__ is malformed: it is not a dict."));
    };
    from_interface(vm, &description)
}

/// The stretch of its block that an array uses, gaps included.
fn of_array(array: &Array) -> Fallible<UsmMemory> {
    let Some(queue) = array.queue().cloned() else {
        return Err(raise::value_error("a NumPy array has no USM memory"));
    };
    let width = array.dtype().bytes();
    let (low, high) = array.layout().bounds().unwrap_or((0, 0));
    let kind = array.usm().unwrap_or(UsmKind::Device);
    let bytes = (high + 1 - low) * width;
    Ok(UsmMemory { kind, buffer: array.buffer().clone(), start: low * width, bytes, queue, reference: Value::Unset })
}

/// The memory that an array looks at, as the object `array.data` is.
pub fn array_memory(array: &Array, value: Value) -> Fallible<Value> {
    Ok(Value::object(UsmMemory { reference: value, ..of_array(array)? }))
}

/// `dpnp.memory.create_data`
pub const CREATE_DATA: Method =
    method("create_data", "(x)", "The memory that an array of dpnp.tensor looks at.", |vm, args| {
        let given = args.get(vm, 0);
        match &given {
            Value::Array(object) if object.flavour == ArrayFlavour::Tensor => {
                let array = pending::compute(vm, object)?;
                array_memory(&array, given.clone())
            }
            other => Err(raise::type_error(format!(
                "An array must be any of supported type, but got <class '{}'>",
                class_path(other)
            ))),
        }
    });

const MALFORMED: &str = "__sycl_usm_array_interface__ is malformed:";

fn from_interface(vm: &mut Vm, description: &Ref<DictObject>) -> Fallible<UsmMemory> {
    let mut entry = |name: &str| vm.dict_get(description, &Value::str(name));
    let (version, data, shape) = (entry("version")?, entry("data")?, entry("shape")?);
    let (strides, typestr, offset, syclobj) =
        (entry("strides")?, entry("typestr")?, entry("offset")?, entry("syclobj")?.unwrap_or(Value::None));
    let version = match version {
        Some(version) => vm.index(&version)?,
        None => 0,
    };
    let mut interface = Interface { version, ..Interface::default() };
    if version == 1 {
        interface.pointer = match &data {
            Some(Value::Tuple(pair)) if pair.items().len() == 2 => {
                usize::try_from(vm.index(&pair.items()[0])?).unwrap_or(0)
            }
            _ => {
                return Err(raise::value_error(format!(
                    "{MALFORMED} 'data' field is required, and must be a tuple (usm_pointer, is_writable_boolean)."
                )));
            }
        };
    }
    let shown = vm.repr(&syclobj)?;
    let queue = named_queue(&syclobj)?;
    let context: Option<ContextHandle> = match (&queue, as_context(&syclobj)) {
        (Some(queue), _) => Some(queue.context().clone()),
        (None, Some(context)) => Some(context.clone()),
        (None, None) => None,
    };
    if version == 1 {
        let Some(shape) = shape.filter(|shape| !shape.is_none()) else {
            // The pointer is judged first, as dpctl does.
            interface.resolve(context.as_ref(), &shown).map_err(raised)?;
            return Err(raise::value_error(format!("Shape entry is a required element of `{MALFORMED}`")));
        };
        if !matches!(shape, Value::Tuple(_) | Value::List(_)) {
            return Err(raise::value_error(format!("{MALFORMED} dict('shape': {}) is unexpected.", vm.repr(&shape)?)));
        }
        interface.shape = crate::lang::arrays::convert::ints_argument(vm, &shape)?;
        interface.strides = match strides.filter(|strides| !strides.is_none()) {
            Some(strides) => Some(crate::lang::arrays::convert::ints_argument(vm, &strides)?),
            None => None,
        };
        if let Some(other) = typestr.as_ref().filter(|text| !text.is_none() && text.as_str().is_none()) {
            return Err(raise::value_error(format!("{MALFORMED} dict('typestr': {}) is unexpected.", vm.repr(other)?)));
        }
        interface.typestr = typestr.as_ref().and_then(Value::as_str).map(Into::into);
        interface.offset = match offset {
            Some(offset) => vm.index(&offset)?,
            None => 0,
        };
    }
    let Region { buffer, start, bytes } = interface.resolve(context.as_ref(), &shown).map_err(raised)?;
    let queue = match queue {
        Some(queue) => queue,
        None => registry::cached_queue(buffer.device()).map_err(raised)?,
    };
    let kind = buffer.usm().unwrap_or(UsmKind::Device);
    Ok(UsmMemory { kind, buffer, start, bytes, queue, reference: Value::Unset })
}

/// The queue that `syclobj` names: itself, or the cached queue of a filter string's device.
fn named_queue(syclobj: &Value) -> Fallible<Option<QueueHandle>> {
    if let Value::Str(filter) = syclobj {
        let device = registry::select_for_queue(filter.as_str()).map_err(raised)?;
        return registry::cached_queue(&device).map(Some).map_err(raised);
    }
    Ok(as_queue(syclobj).cloned())
}

fn as_usm_memory(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    if as_memory(&value).is_some() {
        return Ok(value);
    }
    let source = describe(vm, &value)?;
    Ok(Value::object(UsmMemory { reference: value, ..source }))
}

fn interface(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let memory = this(vm, args)?;
    let (address, bytes, queue) = (memory.buffer.address() + memory.start, memory.bytes, memory.queue.clone());
    let description = Ref::new(DictObject::default());
    let entries = [
        ("data", Value::tuple(vec![Value::from(address), Value::Bool(true)])),
        ("shape", Value::tuple(vec![Value::from(bytes)])),
        ("strides", Value::None),
        ("typestr", Value::str("|u1")),
        ("version", Value::Int(1)),
        ("syclobj", queue_value(queue)),
    ];
    for (name, value) in entries {
        vm.dict_set(&description, Value::str(name), value)?;
    }
    Ok(Value::Dict(description))
}

/// `__sycl_usm_array_interface__` of an array on a device.
pub fn array_interface(vm: &mut Vm, array: &Array) -> Fallible<Value> {
    let Some(queue) = array.queue().cloned() else {
        return Err(raise::attribute_error("a NumPy array has no USM memory"));
    };
    let layout = array.layout();
    let tuple = |numbers: Vec<Value>| Value::tuple(numbers);
    let shape = tuple(layout.shape.iter().map(|length| Value::from(*length)).collect());
    let strides = match layout.is_c_contiguous() {
        true => Value::None,
        false => tuple(layout.strides.iter().map(|stride| Value::Int(*stride as i64)).collect()),
    };
    let description = Ref::new(DictObject::default());
    let entries = [
        ("data", Value::tuple(vec![Value::from(array.buffer().address()), Value::Bool(false)])),
        ("shape", shape),
        ("strides", strides),
        ("typestr", Value::str(array.dtype().typestr().replace('<', "|"))),
        ("version", Value::Int(1)),
        ("syclobj", queue_value(queue)),
        ("offset", Value::from(layout.offset)),
    ];
    for (name, value) in entries {
        vm.dict_set(&description, Value::str(name), value)?;
    }
    Ok(Value::Dict(description))
}

fn kind_seen_by(vm: &mut Vm, args: Args) -> Fallible<Option<UsmKind>> {
    let memory = this(vm, args)?;
    let context = match args.not_none(vm, 1) {
        None => memory.queue.context().clone(),
        Some(value) => match (as_queue(&value), as_context(&value)) {
            (Some(queue), _) => queue.context().clone(),
            (_, Some(context)) => context.clone(),
            _ => {
                return Err(raise::type_error(
                    "syclobj keyword can be either None, or an instance of SyclContext or SyclQueue",
                ));
            }
        },
    };
    Ok((memory.buffer.context() == Some(&context)).then_some(memory.kind))
}

/// The bytes of a host buffer that must be plain bytes.
fn host_bytes(vm: &mut Vm, value: &Value) -> Fallible<Vec<u8>> {
    if let Value::Array(array) = value
        && array.flavour == ArrayFlavour::NumPy
    {
        let computed = pending::compute(vm, array)?;
        if computed.dtype() != crate::arrays::dtype::DType::UInt8 {
            let name = match computed.dtype() {
                crate::arrays::dtype::DType::Float64 => "double",
                other => other.name(),
            };
            return Err(raise::value_error(format!(
                "Buffer dtype mismatch, expected 'const unsigned char' but got '{name}'"
            )));
        }
        if !computed.is_c_contiguous() {
            return Err(raise::value_error("ndarray is not C-contiguous"));
        }
        return crate::arrays::functions::support::read_bytes(&computed, <[u8]>::to_vec).map_err(raised);
    }
    bytes::required(value)
}

fn copy_from_host(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = args.get(vm, 1);
    let data = host_bytes(vm, &source)?;
    let memory = this(vm, args)?;
    if data.len() > memory.bytes {
        return Err(raise::value_error(format!(
            "Source object is too large to be accommodated in {} bytes buffer",
            memory.bytes
        )));
    }
    let start = memory.start;
    memory.buffer.write_bytes(|all| all[start..start + data.len()].copy_from_slice(&data)).map_err(raised)?;
    Ok(Value::None)
}

fn copy_to_host(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = this(vm, args)?.read(<[u8]>::to_vec)?;
    let too_small =
        || raise::value_error(format!("Destination object is too small to accommodate {} bytes", data.len()));
    let target = args.get(vm, 1);
    match &target {
        Value::Unset | Value::None => {
            let host = pending::with_relief(vm, |_| {
                Array::from_slice(&data, &[data.len()], &crate::arrays::array::Alloc::HOST)
            })?;
            return Ok(array_value(ArrayFlavour::NumPy, host));
        }
        Value::Bytes(_) => {
            return Err(raise::buffer_error("Object is not writable."));
        }
        Value::ByteArray(array) => {
            let mut into = array.data.borrow_mut();
            into.get_mut(..data.len()).ok_or_else(too_small)?.copy_from_slice(&data);
        }
        Value::Array(array) if array.flavour == ArrayFlavour::NumPy => {
            crate::lang::arrays::operators::check_writable(array)?;
            let computed = pending::compute(vm, array)?;
            if computed.bytes() < data.len() {
                return Err(too_small());
            }
            let start = computed.layout().offset * computed.dtype().bytes();
            computed
                .buffer()
                .write_bytes(|all| all[start..start + data.len()].copy_from_slice(&data))
                .map_err(raised)?;
        }
        other => {
            return Err(raise::type_error(format!("a bytes-like object is required, not '{}'", other.type_name())));
        }
    }
    Ok(target)
}

fn copy_from_device(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = args.get(vm, 1);
    let has_memory = as_memory(&source).is_some()
        || matches!(&source, Value::Array(array) if array.flavour != ArrayFlavour::NumPy)
        || vm.find_attribute(&source, Name::new("__sycl_usm_array_interface__"))?.is_some();
    if !has_memory {
        return Err(raise::value_error("Object does not implement `__sycl_usm_array_interface__` protocol"));
    }
    let source = describe(vm, &source)?;
    let memory = this(vm, args)?;
    if source.bytes > memory.bytes {
        return Err(raise::value_error(format!(
            "Source object is too large to be accommondated in {} bytes buffer",
            memory.bytes
        )));
    }
    Buffer::copy_bytes(&source.buffer, source.start, &memory.buffer, memory.start, source.bytes).map_err(raised)?;
    Ok(Value::None)
}

fn to_bytes(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let bytes = this(vm, args)?.bytes;
    vm.reserve(bytes)?;
    let data = this(vm, args)?.read(|data| BytesObject::new(data))?;
    Ok(Value::Bytes(Ref::new(data)))
}

fn copy_of(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let memory = this(vm, args)?;
    let (kind, queue, source, start, bytes) =
        (memory.kind, memory.queue.clone(), memory.buffer.clone(), memory.start, memory.bytes);
    let fresh = allocate(vm, kind, bytes, 0, queue)?;
    Buffer::copy_bytes(&source, start, &fresh.buffer, 0, bytes).map_err(raised)?;
    Ok(Value::object(fresh))
}

/// `queue.memcpy`: copies bytes between USM blocks or host buffers.
pub fn copy_between(vm: &mut Vm, target: &Value, source: &Value, count: usize) -> Fallible<()> {
    let failed = || raise::runtime_error("SyclQueue.memcpy operation encountered an error");
    if let Some(into) = as_memory(target) {
        if count > into.bytes {
            return Err(failed());
        }
        if let Some(from) = as_memory(source) {
            if count > from.bytes {
                return Err(failed());
            }
            return Buffer::copy_bytes(&from.buffer, from.start, &into.buffer, into.start, count).map_err(raised);
        }
        let data = bytes::required(source).map_err(|_| not_usm("src", source))?;
        let data = data.get(..count).ok_or_else(failed)?;
        let start = into.start;
        return into.buffer.write_bytes(|all| all[start..start + count].copy_from_slice(data)).map_err(raised);
    }
    let (Value::ByteArray(into), Some(from)) = (target, as_memory(source)) else {
        return Err(not_usm("dest", target));
    };
    if count > from.bytes {
        return Err(failed());
    }
    let data = from.read(|data| data[..count].to_vec())?;
    let mut into = into.data.borrow_mut();
    into.get_mut(..count).ok_or_else(failed)?.copy_from_slice(&data);
    let _ = vm;
    Ok(())
}

#[cold]
fn not_usm(what: &str, value: &Value) -> raise::Raised {
    raise::type_error(format!("Parameter `{what}` should have type _Memory, got {}.", value.type_name()))
}
