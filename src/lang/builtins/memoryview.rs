//! `memoryview`: a typed, sliced look into memory that something else owns. What owns it implements [`BufferSource`]; a source
//! may refuse at any time (array memory that was let go), so nothing here keeps a pointer.

use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;

use super::bytes;
use super::classes::{Builtin, attach, builtin_class};
use super::slice;
use crate::lang::arrays::exports;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ByteArrayObject, BytesObject, ClassRef, IteratorState, NativeData, NativeObject};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// Memory that a memoryview looks into.
pub trait BufferSource: Debug {
    /// The object that owns the memory, as `memoryview.obj` shows it.
    fn owner(&self) -> Value;
    /// How many bytes there are.
    fn len_bytes(&self) -> usize;
    /// Whether writing is refused.
    fn is_readonly(&self) -> bool;
    /// Copies bytes out; raises when the memory was let go.
    fn read(&self, at: usize, into: &mut [u8]) -> Fallible<()>;
    /// Copies bytes in; raises when the memory was let go.
    fn write(&self, at: usize, from: &[u8]) -> Fallible<()>;
    /// Called when a view begins to look in.
    fn acquire(&self) {}
    /// Called when a view is released or dropped.
    fn release(&self) {}
    /// What the elements are: a `struct` format, their size and the shape.
    fn layout(&self) -> SourceLayout {
        SourceLayout::contiguous("B", 1, vec![self.len_bytes()])
    }
}

/// How a source's bytes are elements.
#[derive(Clone, Debug)]
pub struct SourceLayout {
    /// The `struct` format of an element.
    pub format: Rc<str>,
    /// Bytes of an element.
    pub itemsize: usize,
    /// Elements along each axis.
    pub shape: Vec<usize>,
    /// Where the first element lies.
    pub offset_bytes: usize,
    /// Bytes between elements of each axis; nothing where they lie one after the other, in C order.
    pub strides_bytes: Option<Vec<isize>>,
}

impl SourceLayout {
    /// Elements one after the other.
    pub fn contiguous(format: impl Into<Rc<str>>, itemsize: usize, shape: Vec<usize>) -> SourceLayout {
        SourceLayout { format: format.into(), itemsize, shape, offset_bytes: 0, strides_bytes: None }
    }
}

#[derive(Debug)]
struct BytesSource(Ref<BytesObject>);

impl BufferSource for BytesSource {
    fn owner(&self) -> Value {
        Value::Bytes(self.0.clone())
    }
    fn len_bytes(&self) -> usize {
        self.0.as_bytes().len()
    }
    fn is_readonly(&self) -> bool {
        true
    }
    fn read(&self, at: usize, into: &mut [u8]) -> Fallible<()> {
        into.copy_from_slice(&self.0.as_bytes()[at..at + into.len()]);
        Ok(())
    }
    fn write(&self, _at: usize, _from: &[u8]) -> Fallible<()> {
        Err(raise::type_error("cannot modify read-only memory"))
    }
}

#[derive(Debug)]
struct ByteArraySource(Ref<ByteArrayObject>);

impl BufferSource for ByteArraySource {
    fn owner(&self) -> Value {
        Value::ByteArray(self.0.clone())
    }
    fn len_bytes(&self) -> usize {
        self.0.data.borrow().len()
    }
    fn is_readonly(&self) -> bool {
        false
    }
    fn read(&self, at: usize, into: &mut [u8]) -> Fallible<()> {
        into.copy_from_slice(&self.0.data.borrow()[at..at + into.len()]);
        Ok(())
    }
    fn write(&self, at: usize, from: &[u8]) -> Fallible<()> {
        self.0.data.borrow_mut()[at..at + from.len()].copy_from_slice(from);
        Ok(())
    }
    fn acquire(&self) {
        self.0.exports.set(self.0.exports.get() + 1);
    }
    fn release(&self) {
        self.0.exports.set(self.0.exports.get().saturating_sub(1));
    }
}

/// One dimension of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    len_elements: usize,
    stride_bytes: isize,
}

#[derive(Clone, Debug)]
struct Layout {
    format: Rc<str>,
    itemsize: usize,
    offset_bytes: usize,
    axes: Vec<Axis>,
}

impl Layout {
    fn contiguous(format: Rc<str>, itemsize: usize, shape: &[usize]) -> Self {
        let mut axes = Vec::with_capacity(shape.len());
        let mut stride = itemsize as isize;
        for &len_elements in shape.iter().rev() {
            axes.push(Axis { len_elements, stride_bytes: stride });
            stride *= len_elements as isize;
        }
        axes.reverse();
        Self { format, itemsize, offset_bytes: 0, axes }
    }

    fn len_elements(&self) -> usize {
        self.axes.iter().map(|axis| axis.len_elements).product()
    }

    fn is_contiguous(&self) -> bool {
        self.is_dense(self.axes.iter().rev())
    }

    fn is_fortran_contiguous(&self) -> bool {
        self.is_dense(self.axes.iter())
    }

    /// Whether elements stand one after the other, the first of these axes being the innermost.
    fn is_dense<'a>(&self, mut axes: impl Iterator<Item = &'a Axis>) -> bool {
        let mut expected = self.itemsize as isize;
        self.len_elements() == 0
            || axes.all(|axis| {
                let fits = axis.len_elements <= 1 || axis.stride_bytes == expected;
                expected *= axis.len_elements as isize;
                fits
            })
    }

    /// Byte offsets of every element in C order.
    fn offsets(&self) -> Vec<usize> {
        let mut offsets = vec![self.offset_bytes as isize];
        for axis in &self.axes {
            offsets = offsets
                .iter()
                .flat_map(|&base| (0..axis.len_elements as isize).map(move |at| base + at * axis.stride_bytes))
                .collect();
        }
        offsets.into_iter().map(|offset| offset as usize).collect()
    }
}

#[derive(Debug)]
struct Inner {
    source: Rc<dyn BufferSource>,
    layout: Layout,
    readonly: bool,
}

/// A memoryview.
#[derive(Debug)]
pub struct MemoryView {
    inner: RefCell<Option<Inner>>,
}

impl Drop for MemoryView {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take() {
            inner.source.release();
        }
    }
}

impl NativeData for MemoryView {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::MemoryView)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        if let Some(inner) = &*self.inner.borrow() {
            visit(Edge::Base, &inner.source.owner());
        }
    }
    fn take_children(&self, _into: &mut Vec<Value>) {
        if let Some(inner) = self.inner.take() {
            inner.source.release();
        }
    }
}

/// A view of a whole source.
pub fn from_source(source: Rc<dyn BufferSource>) -> Value {
    let layout = source.layout();
    let mut whole = Layout::contiguous(layout.format, layout.itemsize, &layout.shape);
    whole.offset_bytes = layout.offset_bytes;
    for (axis, stride_bytes) in whole.axes.iter_mut().zip(layout.strides_bytes.into_iter().flatten()) {
        axis.stride_bytes = stride_bytes;
    }
    let readonly = source.is_readonly();
    make(source, whole, readonly)
}

fn make(source: Rc<dyn BufferSource>, layout: Layout, readonly: bool) -> Value {
    source.acquire();
    Value::object(MemoryView { inner: RefCell::new(Some(Inner { source, layout, readonly })) })
}

/// `memoryview(value)` of built-in bytes-like values; nothing for others.
pub fn over(value: &Value) -> Fallible<Option<Value>> {
    Ok(Some(match value {
        Value::Bytes(data) => from_source(Rc::new(BytesSource(data.clone()))),
        Value::ByteArray(array) => from_source(Rc::new(ByteArraySource(array.clone()))),
        Value::Object(object) => {
            let Some(view) = object.downcast::<MemoryView>() else {
                return Ok(object.data().bytes_source(value).map(from_source));
            };
            view.with(|inner| Ok(make(inner.source.clone(), inner.layout.clone(), inner.readonly)))?
        }
        _ => return Ok(None),
    }))
}

impl MemoryView {
    fn with<T>(&self, look: impl FnOnce(&Inner) -> Fallible<T>) -> Fallible<T> {
        match &*self.inner.borrow() {
            Some(inner) => look(inner),
            None => Err(raise::value_error("operation forbidden on released memoryview object")),
        }
    }
}

impl Inner {
    fn contents(&self) -> Fallible<Vec<u8>> {
        let layout = &self.layout;
        let mut data = vec![0; layout.len_elements() * layout.itemsize];
        if layout.is_contiguous() {
            if !data.is_empty() {
                self.source.read(layout.offset_bytes, &mut data)?;
            }
            return Ok(data);
        }
        for (element, offset) in data.chunks_exact_mut(layout.itemsize).zip(layout.offsets()) {
            self.source.read(offset, element)?;
        }
        Ok(data)
    }

    fn element(&self, offset: usize) -> Fallible<Value> {
        let mut data = [0; 16];
        let data = &mut data[..self.layout.itemsize.min(16)];
        self.source.read(offset, data)?;
        unpack(&self.layout.format, data)
    }
}

/// The bytes of a memoryview, if the object is one that is not released.
pub fn contents(object: &NativeObject) -> Option<Vec<u8>> {
    object.downcast::<MemoryView>()?.with(Inner::contents).ok()
}

/// `len()` of a memoryview; nothing for other objects.
pub fn len(object: &NativeObject) -> Fallible<Option<usize>> {
    match object.downcast::<MemoryView>() {
        Some(view) => view.with(|inner| Ok(Some(inner.layout.axes.first().map_or(1, |axis| axis.len_elements)))),
        None => Ok(None),
    }
}

/// `iter()` of a memoryview; nothing for other objects.
pub fn iter(value: &Value, object: &NativeObject) -> Option<Value> {
    object.downcast::<MemoryView>()?;
    Some(super::iterators::make(IteratorState::Sequence(value.clone(), 0)))
}

fn format_code(format: &str) -> char {
    format.trim_start_matches(['@', '=', '<']).chars().next().unwrap_or('B')
}

/// Bytes of one element of a native `struct` format.
pub fn itemsize(format: &str) -> Option<usize> {
    Some(match format.strip_prefix('@').unwrap_or(format) {
        "b" | "B" | "c" | "?" => 1,
        "h" | "H" | "e" => 2,
        "i" | "I" | "f" => 4,
        "l" | "L" | "q" | "Q" | "n" | "N" | "d" => 8,
        _ => return None,
    })
}

fn unpack(format: &str, data: &[u8]) -> Fallible<Value> {
    fn fixed<const N: usize>(data: &[u8]) -> [u8; N] {
        let mut array = [0; N];
        array.copy_from_slice(&data[..N]);
        array
    }
    Ok(match (format_code(format), data.len()) {
        ('B', 1) => Value::Int(data[0].into()),
        ('b', 1) => Value::Int((data[0] as i8).into()),
        ('c', 1) => bytes::value(data),
        ('?', 1) => Value::Bool(data[0] != 0),
        ('h', 2) => Value::Int(i16::from_ne_bytes(fixed(data)).into()),
        ('H', 2) => Value::Int(u16::from_ne_bytes(fixed(data)).into()),
        ('e', 2) => Value::Float(half::f16::from_ne_bytes(fixed(data)).to_f64()),
        ('i', 4) => Value::Int(i32::from_ne_bytes(fixed(data)).into()),
        ('I', 4) => Value::Int(u32::from_ne_bytes(fixed(data)).into()),
        ('f', 4) => Value::Float(f32::from_ne_bytes(fixed(data)).into()),
        ('l' | 'q' | 'n', 8) => Value::Int(i64::from_ne_bytes(fixed(data))),
        ('L' | 'Q' | 'N', 8) => Value::int(u64::from_ne_bytes(fixed(data))),
        ('d', 8) => Value::Float(f64::from_ne_bytes(fixed(data))),
        _ => return Err(unsupported(format)),
    })
}

fn unsupported(format: &str) -> Raised {
    let is_one = format.trim_start_matches('@').chars().count() == 1;
    raise::not_implemented_error(if is_one {
        format!("memoryview: format {format} not supported")
    } else {
        format!("memoryview: unsupported format {format}")
    })
}

fn pack(vm: &mut Vm, format: &str, value: &Value) -> Fallible<Vec<u8>> {
    let code = format_code(format);
    let wrong_type =
        || raise::type_error(format!("memoryview: invalid type for format '{}'", format.trim_start_matches('@')));
    let out_of_range =
        || raise::value_error(format!("memoryview: invalid value for format '{}'", format.trim_start_matches('@')));
    if matches!(code, 'f' | 'd' | 'e') {
        let number = super::convert::float(vm, value).map_err(|_| wrong_type())?;
        return Ok(match code {
            'd' => number.to_ne_bytes().to_vec(),
            'f' => (number as f32).to_ne_bytes().to_vec(),
            _ => half::f16::from_f64(number).to_ne_bytes().to_vec(),
        });
    }
    if code == '?' {
        return Ok(vec![u8::from(vm.truth(value)?)]);
    }
    if code == 'c' {
        return match value {
            Value::Bytes(data) if data.as_bytes().len() == 1 => Ok(data.as_bytes().to_vec()),
            Value::Bytes(_) => Err(out_of_range()),
            _ => Err(wrong_type()),
        };
    }
    let number = super::convert::index_big(vm, value).map_err(|_| wrong_type())?;
    let packed = match code {
        'B' => u8::try_from(&number).ok().map(|n| n.to_ne_bytes().to_vec()),
        'b' => i8::try_from(&number).ok().map(|n| n.to_ne_bytes().to_vec()),
        'h' => i16::try_from(&number).ok().map(|n| n.to_ne_bytes().to_vec()),
        'H' => u16::try_from(&number).ok().map(|n| n.to_ne_bytes().to_vec()),
        'i' => i32::try_from(&number).ok().map(|n| n.to_ne_bytes().to_vec()),
        'I' => u32::try_from(&number).ok().map(|n| n.to_ne_bytes().to_vec()),
        'l' | 'q' | 'n' => i64::try_from(&number).ok().map(|n| n.to_ne_bytes().to_vec()),
        'L' | 'Q' | 'N' => u64::try_from(&number).ok().map(|n| n.to_ne_bytes().to_vec()),
        _ => return Err(unsupported(format)),
    };
    packed.ok_or_else(out_of_range)
}

fn view_of(object: &Value) -> Option<&MemoryView> {
    match object {
        Value::Object(object) => object.downcast::<MemoryView>(),
        _ => None,
    }
}

/// Where a key points: one element, or a narrower layout.
enum Target {
    Element(usize),
    Part(Layout),
}

fn target(vm: &mut Vm, layout: Layout, key: &Value) -> Fallible<Target> {
    let keys: Vec<Value> = match key {
        Value::Tuple(keys) => keys.items().to_vec(),
        _ => vec![key.clone()],
    };
    if layout.axes.is_empty() {
        return match key {
            Value::Ellipsis => Ok(Target::Part(layout)),
            Value::Tuple(keys) if keys.items().is_empty() => Ok(Target::Element(layout.offset_bytes)),
            _ => Err(raise::type_error("invalid indexing of 0-dim memory")),
        };
    }
    if keys.iter().any(|key| matches!(key, Value::Slice(_))) {
        let [Value::Slice(bounds)] = keys.as_slice() else {
            return Err(raise::not_implemented_error("multi-dimensional slicing is not implemented"));
        };
        let bounds = slice::bounds(vm, bounds)?;
        let axis = layout.axes[0];
        let selection = bounds.select(axis.len_elements);
        let mut part = layout;
        part.offset_bytes = (part.offset_bytes as isize + selection.start as isize * axis.stride_bytes).max(0) as usize;
        part.axes[0] =
            Axis { len_elements: selection.count, stride_bytes: axis.stride_bytes * selection.step as isize };
        return Ok(Target::Part(part));
    }
    if keys.len() > layout.axes.len() {
        return Err(raise::type_error(format!(
            "cannot index {}-dimension view with {}-element tuple",
            layout.axes.len(),
            keys.len()
        )));
    }
    if keys.len() < layout.axes.len() {
        return Err(raise::not_implemented_error(if keys.len() == 1 {
            "multi-dimensional sub-views are not implemented"
        } else {
            "sub-views are not implemented"
        }));
    }
    let mut offset = layout.offset_bytes as isize;
    for (dimension, (key, axis)) in keys.iter().zip(&layout.axes).enumerate() {
        let index = super::item::index_of(vm, key, "memoryview: invalid slice key")
            .map_err(|_| raise::type_error("memoryview: invalid slice key"))?;
        let at = super::item::position(index, axis.len_elements)
            .ok_or_else(|| raise::index_error(format!("index out of bounds on dimension {}", dimension + 1)))?;
        offset += at as isize * axis.stride_bytes;
    }
    Ok(Target::Element(offset as usize))
}

/// `view[key]`; nothing for other objects.
pub fn get(vm: &mut Vm, object: &Value, key: &Value) -> Fallible<Option<Value>> {
    let Some(view) = view_of(object) else { return Ok(None) };
    let layout = view.with(|inner| Ok(inner.layout.clone()))?;
    match target(vm, layout, key)? {
        Target::Element(offset) => view.with(|inner| inner.element(offset)).map(Some),
        Target::Part(layout) => view.with(|inner| Ok(Some(make(inner.source.clone(), layout, inner.readonly)))),
    }
}

/// `view[key] = value`; nothing for other objects.
pub fn set(vm: &mut Vm, object: &Value, key: &Value, value: &Value) -> Fallible<Option<()>> {
    let Some(view) = view_of(object) else { return Ok(None) };
    let (layout, readonly, source) =
        view.with(|inner| Ok((inner.layout.clone(), inner.readonly, inner.source.clone())))?;
    if readonly {
        return Err(raise::type_error("cannot modify read-only memory"));
    }
    let format = layout.format.clone();
    match target(vm, layout, key)? {
        Target::Element(offset) => {
            let packed = pack(vm, &format, value)?;
            view.with(|_| source.write(offset, &packed))?;
        }
        Target::Part(part) => {
            let data = bytes::required(value)?;
            if data.len() != part.len_elements() * part.itemsize {
                return Err(raise::value_error("memoryview assignment: lvalue and rvalue have different structures"));
            }
            for (element, offset) in data.chunks_exact(part.itemsize).zip(part.offsets()) {
                view.with(|_| source.write(offset, element))?;
            }
        }
    }
    Ok(Some(()))
}

/// `del view[key]`; nothing for other objects.
pub fn delete(object: &Value) -> Fallible<Option<()>> {
    match view_of(object) {
        Some(_) => Err(raise::type_error("cannot delete memory")),
        None => Ok(None),
    }
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, object)", "A view into the memory of object.", new),
    method("tobytes", "(self, order='C')", "The data as a bytes object.", |vm, args| {
        look(vm, args, |inner| inner.contents().map(bytes::value))
    }),
    method("tolist", "(self, /)", "The data as a list of elements.", tolist),
    method("hex", "(self, /)", "The data as hexadecimal digits.", |vm, args| {
        look(vm, args, |inner| {
            Ok(Value::str(inner.contents()?.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
        })
    }),
    method("release", "(self, /)", "Release the underlying buffer.", release),
    method("cast", "(self, format, shape=None)", "The memory in another format or shape.", cast),
    method("toreadonly", "(self, /)", "A read-only version of the view.", |vm, args| {
        look(vm, args, |inner| Ok(make(inner.source.clone(), inner.layout.clone(), true)))
    }),
    method("__enter__", "(self, /)", "The view itself.", |vm, args| {
        look(vm, args, |_| Ok(()))?;
        Ok(args.get(vm, 0))
    }),
    method("__exit__", "(self, *args)", "Releases the view.", release),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let value = args.get(vm, 0);
        let address = value.heap_id().map_or(0, |id| id.address());
        let is_open = view_of(&value).is_some_and(|view| view.inner.borrow().is_some());
        Ok(Value::str(format!("<{}memory at {address:#x}>", if is_open { "" } else { "released " })))
    }),
    method("__eq__", "(self, value, /)", "Return self==value.", equal),
    method("__hash__", "(self, /)", "Return hash(self).", |vm, args| {
        look(vm, args, |inner| {
            if !inner.readonly {
                return Err(raise::value_error("cannot hash writable memoryview object"));
            }
            Ok(Value::Int(super::hash::of_bytes(&inner.contents()?)))
        })
    }),
    getter("obj", "The object that owns the memory.", |vm, args| look(vm, args, |inner| Ok(inner.source.owner()))),
    getter("nbytes", "Bytes of the data.", |vm, args| {
        look(vm, args, |inner| Ok(Value::from(inner.layout.len_elements() * inner.layout.itemsize)))
    }),
    getter("readonly", "Whether the memory is read-only.", |vm, args| {
        look(vm, args, |inner| Ok(Value::Bool(inner.readonly)))
    }),
    getter("format", "The format of an element.", |vm, args| {
        look(vm, args, |inner| Ok(Value::str(&*inner.layout.format)))
    }),
    getter("itemsize", "Bytes of an element.", |vm, args| {
        look(vm, args, |inner| Ok(Value::from(inner.layout.itemsize)))
    }),
    getter("ndim", "How many dimensions.", |vm, args| look(vm, args, |inner| Ok(Value::from(inner.layout.axes.len())))),
    getter("shape", "Elements along each axis.", |vm, args| {
        look(vm, args, |inner| {
            Ok(Value::tuple(inner.layout.axes.iter().map(|axis| Value::from(axis.len_elements)).collect::<Vec<_>>()))
        })
    }),
    getter("strides", "Bytes between elements of each axis.", |vm, args| {
        look(vm, args, |inner| {
            let strides = inner.layout.axes.iter().map(|axis| Value::Int(axis.stride_bytes as i64));
            Ok(Value::tuple(strides.collect::<Vec<_>>()))
        })
    }),
    getter("c_contiguous", "Whether the elements stand in C order.", contiguous),
    getter("f_contiguous", "Whether the elements stand in Fortran order.", |vm, args| {
        look(vm, args, |inner| Ok(Value::Bool(inner.layout.is_fortran_contiguous())))
    }),
    getter("contiguous", "Whether the elements stand one after the other, in either order.", |vm, args| {
        look(vm, args, |inner| Ok(Value::Bool(inner.layout.is_contiguous() || inner.layout.is_fortran_contiguous())))
    }),
];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::MemoryView);
    super::dunders::attach_items(&class);
    attach(&class, METHODS);
}

fn look<T>(vm: &Vm, args: Args, read: impl FnOnce(&Inner) -> Fallible<T>) -> Fallible<T> {
    match view_of(args.peek(vm, 0)) {
        Some(view) => view.with(read),
        None => Err(super::receiver::wrong(args, args.peek(vm, 0), "memoryview")),
    }
}

fn contiguous(vm: &mut Vm, args: Args) -> Fallible<Value> {
    look(vm, args, |inner| Ok(Value::Bool(inner.layout.is_contiguous())))
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let object = super::receiver::payload(args.peek(vm, 1));
    if let Some(view) = over(&object)? {
        return Ok(view);
    }
    if let Some(view) = exports::memoryview(vm, &object)? {
        return Ok(view);
    }
    // Objects say themselves what they export.
    if let Some(export) = vm.find_special(&object, crate::lang::name::Name::new("__buffer__")) {
        return vm.call(&export, &[]);
    }
    Err(raise::type_error(format!(
        "memoryview: a bytes-like object is required, not '{}'",
        args.peek(vm, 1).type_name()
    )))
}

fn nested(inner: &Inner, axes: &[Axis], offset: isize) -> Fallible<Value> {
    let Some((axis, rest)) = axes.split_first() else { return inner.element(offset as usize) };
    let items = (0..axis.len_elements as isize).map(|at| nested(inner, rest, offset + at * axis.stride_bytes));
    items.collect::<Fallible<Vec<_>>>().map(Value::list)
}

fn tolist(vm: &mut Vm, args: Args) -> Fallible<Value> {
    look(vm, args, |inner| nested(inner, &inner.layout.axes, inner.layout.offset_bytes as isize))
}

fn release(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Some(view) = view_of(args.peek(vm, 0)) else {
        return Err(super::receiver::wrong(args, args.peek(vm, 0), "memoryview"));
    };
    let inner = view.inner.take();
    if let Some(inner) = &inner {
        inner.source.release();
    }
    drop(inner);
    Ok(Value::None)
}

fn cast(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let format = args.text(vm, 1, "cast() argument 'format'")?;
    let size = itemsize(&format).ok_or_else(|| {
        raise::value_error(
            "memoryview: destination format must be a native single character format prefixed with an optional '@'",
        )
    })?;
    let shape =
        match args.not_none(vm, 2) {
            Some(shape) => {
                let items = vm.collect(&shape)?;
                let mut shape = Vec::new();
                for item in items {
                    let len = vm.index(&item)?;
                    shape.push(usize::try_from(len).ok().filter(|&len| len > 0).ok_or_else(|| {
                        raise::value_error("memoryview.cast(): elements of shape must be integers > 0")
                    })?);
                }
                Some(shape)
            }
            None => None,
        };
    look(vm, args, |inner| {
        let layout = &inner.layout;
        if !layout.is_contiguous() {
            return Err(raise::type_error("memoryview: casts are restricted to C-contiguous views"));
        }
        if layout.itemsize != 1 && size != 1 {
            return Err(raise::type_error("memoryview: cannot cast between two non-byte formats"));
        }
        let bytes = layout.len_elements() * layout.itemsize;
        if bytes % size != 0 {
            return Err(raise::type_error("memoryview: length is not a multiple of itemsize"));
        }
        let shape = shape.unwrap_or_else(|| vec![bytes / size]);
        if shape.iter().product::<usize>() * size != bytes {
            return Err(raise::type_error("memoryview: product(shape) * itemsize != buffer size"));
        }
        let mut new = Layout::contiguous(format.clone(), size, &shape);
        new.offset_bytes = layout.offset_bytes;
        Ok(make(inner.source.clone(), new, inner.readonly))
    })
}

fn equal(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let other = super::receiver::payload(args.peek(vm, 1));
    let mine = look(vm, args, Inner::contents)?;
    if let Some(view) = view_of(&other) {
        let same_shape = look(vm, args, |a| {
            view.with(|b| {
                let shape = |inner: &Inner| inner.layout.axes.iter().map(|axis| axis.len_elements).collect::<Vec<_>>();
                Ok(shape(a) == shape(b))
            })
        })?;
        if !same_shape {
            return Ok(Value::Bool(false));
        }
        let (a, b) = (tolist(vm, args)?, view.with(|b| nested(b, &b.layout.axes, b.layout.offset_bytes as isize))?);
        return vm.equals(&a, &b).map(Value::Bool);
    }
    match bytes::view(&other) {
        Some(data) => Ok(Value::Bool(data.as_slice() == mine)),
        None => Ok(Value::NotImplemented),
    }
}
