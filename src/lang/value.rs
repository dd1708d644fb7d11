//! The language's value: 16 bytes, small kinds inline, everything else a counted reference to the heap.

use compact_str::CompactString;

use super::heap::{self, ObjectId, Ref};
use super::name::Name;
use super::objects::{
    ArrayObject, BoundMethod, ByteArrayObject, BytesObject, CellObject, ClassObject, ClassRef, ComplexObject,
    DictObject, ExceptionObject, FunctionObject, GeneratorObject, InstanceObject, IntObject, IteratorObject,
    ListObject, ModuleObject, NativeFunction, NativeObject, NumpyScalar, RangeObject, SetObject, SliceObject,
    StrObject, TupleObject,
};

/// Runs one expression for whichever reference a value holds, or another for inline values.
macro_rules! each_reference {
    ($value:expr, $reference:ident => $found:expr, $inline:expr) => {
        match $value {
            Value::Unset
            | Value::None
            | Value::NotImplemented
            | Value::Ellipsis
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_) => $inline,
            Value::Big($reference) => $found,
            Value::Complex($reference) => $found,
            Value::Str($reference) => $found,
            Value::Bytes($reference) => $found,
            Value::ByteArray($reference) => $found,
            Value::List($reference) => $found,
            Value::Tuple($reference) => $found,
            Value::Dict($reference) => $found,
            Value::Set($reference) => $found,
            Value::Range($reference) => $found,
            Value::Slice($reference) => $found,
            Value::Function($reference) => $found,
            Value::Native($reference) => $found,
            Value::Method($reference) => $found,
            Value::Class($reference) => $found,
            Value::Instance($reference) => $found,
            Value::Exception($reference) => $found,
            Value::Generator($reference) => $found,
            Value::Module($reference) => $found,
            Value::Iterator($reference) => $found,
            Value::Cell($reference) => $found,
            Value::Array($reference) => $found,
            Value::Scalar($reference) => $found,
            Value::Object($reference) => $found,
        }
    };
}

/// A value of the language. Clone is a count; drop may free, never recursively.
// A tag of eight bytes lets a value move as two aligned words; with one byte the compiler copies tag and payload apart, which
// stalls when the halves are read back together.
#[derive(Debug, Default)]
#[repr(u64)]
pub enum Value {
    /// No value: an unbound local, an argument that was not given. Never visible to a program.
    #[default]
    Unset,
    /// `None`
    None,
    /// `NotImplemented`
    NotImplemented,
    /// `...`
    Ellipsis,
    /// `bool`
    Bool(bool),
    /// `int` that fits 64 bits; invariant: an int that fits is always this, never [`Value::Big`].
    Int(i64),
    /// `float`
    Float(f64),
    /// `int` outside 64 bits; the heap relies on this being the first variant with a reference, and on all after it having one.
    Big(Ref<IntObject>) = Self::FIRST_COUNTED,
    /// `complex`
    Complex(Ref<ComplexObject>),
    /// `str`
    Str(Ref<StrObject>),
    /// `bytes`
    Bytes(Ref<BytesObject>),
    /// `bytearray`
    ByteArray(Ref<ByteArrayObject>),
    /// `list`
    List(Ref<ListObject>),
    /// `tuple`
    Tuple(Ref<TupleObject>),
    /// `dict`
    Dict(Ref<DictObject>),
    /// `set` or `frozenset`
    Set(Ref<SetObject>),
    /// `range`
    Range(Ref<RangeObject>),
    /// `slice`
    Slice(Ref<SliceObject>),
    /// A function defined by `def` or `lambda`
    Function(Ref<FunctionObject>),
    /// A function of the engine
    Native(Ref<NativeFunction>),
    /// A callable bound to an object
    Method(Ref<BoundMethod>),
    /// A class, built in or defined by `class`
    Class(Ref<ClassObject>),
    /// An instance of a class defined by `class`
    Instance(Ref<InstanceObject>),
    /// An exception
    Exception(Ref<ExceptionObject>),
    /// A generator
    Generator(Ref<GeneratorObject>),
    /// A module
    Module(Ref<ModuleObject>),
    /// A built-in iterator
    Iterator(Ref<IteratorObject>),
    /// A closure variable's box; only in closures and frames
    Cell(Ref<CellObject>),
    /// A dpnp, dpctl.tensor or numpy array
    Array(Ref<ArrayObject>),
    /// A NumPy scalar
    Scalar(Ref<NumpyScalar>),
    /// An object of a module of the engine: queues, paths, deques, properties, files, ...
    Object(Ref<NativeObject>),
}

const _: () = assert!(size_of::<Value>() == 16);

/// How an object holds a value: one step of a holder path.
#[derive(Clone, Copy, Debug)]
pub enum Edge<'a> {
    /// `[n]`
    Item(usize),
    /// `[key]`, the value side of a mapping
    Entry(&'a Value),
    /// The key side of a mapping, or a set's element
    Key,
    /// `.name`
    Attribute(Name),
    /// A variable captured by a closure
    Captured(Name),
    /// A parameter's default
    Default(Name),
    /// A local of a generator's or a frame's code
    Local(Name),
    /// An unnamed intermediate of a frame
    Temporary,
    /// The array a view looks into, or the object a wrapper wraps
    Base,
    /// `__self__` of a bound method
    Bound,
    /// The function of a method, property, partial or decorator object
    Callable,
    /// An argument kept by a partial object or a pending call
    Argument(usize),
    /// The class of an instance
    Class,
    /// A base class
    BaseClass(usize),
    /// What an iterator iterates over
    Iterated,
    /// `__cause__` or `__context__`
    Cause,
    /// `args[n]` of an exception
    ExceptionArgument(usize),
    /// The contents of a closure's box
    Contents,
    /// A global of a module
    Global(Name),
    /// Anything else; the word is shown as it stands
    Other(&'static str),
}

impl Clone for Value {
    #[inline(always)]
    fn clone(&self) -> Self {
        heap::clone_value(self)
    }
}

impl Value {
    /// The tag of the first variant that refers to an object.
    pub(super) const FIRST_COUNTED: u64 = 7;

    /// Drops the value. Says less than the compiler's own drop, which tells 24 kinds of references apart.
    #[inline(always)]
    pub fn discard(self) {
        heap::discard_value(self);
    }

    /// Puts another value here and drops the old one.
    #[inline(always)]
    pub fn put(&mut self, value: Self) {
        heap::put_value(self, value);
    }

    /// A `str`.
    pub fn str(text: impl Into<CompactString>) -> Self {
        Self::Str(Ref::new(StrObject::new(text)))
    }

    /// A `tuple`.
    pub fn tuple(items: impl Into<Box<[Value]>>) -> Self {
        Self::Tuple(Ref::new(TupleObject::new(items)))
    }

    /// A `tuple` of two.
    #[inline]
    pub fn pair(first: Value, second: Value) -> Self {
        Self::Tuple(Ref::new(TupleObject::pair(first, second)))
    }

    /// A `list`.
    pub fn list(items: Vec<Value>) -> Self {
        Self::List(Ref::new(ListObject::new(items)))
    }

    /// An `int` from any width, normalised.
    pub fn int(value: impl Into<num_bigint::BigInt>) -> Self {
        let value = value.into();
        match i64::try_from(&value) {
            Ok(small) => Self::Int(small),
            Err(_) => Self::Big(Ref::new(IntObject::new(value))),
        }
    }

    /// A `complex`.
    pub fn complex(re: f64, im: f64) -> Self {
        Self::Complex(Ref::new(ComplexObject::new(re, im)))
    }

    /// An object of a module of the engine.
    pub fn object(data: impl super::objects::NativeData) -> Self {
        Self::Object(Ref::new(NativeObject::new(data)))
    }

    /// Whether the value is `None`.
    #[inline]
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Whether there is no value at all.
    #[inline]
    pub fn is_unset(&self) -> bool {
        matches!(self, Self::Unset)
    }

    /// The value, or nothing where it is unset.
    #[inline]
    pub fn given(self) -> Option<Self> {
        if self.is_unset() { None } else { Some(self) }
    }

    /// The text of a `str`.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(s) => Some(s.as_str()),
            _ => None,
        }
    }

    /// The heap object behind the value, where there is one.
    pub fn heap_id(&self) -> Option<ObjectId> {
        each_reference!(self, r => Some(Ref::erased(r)), None)
    }

    /// Has the processor fetch the header of the value's object, which is looked at soon; nothing happens for inline values.
    #[inline]
    pub fn prefetch(&self) {
        each_reference!(self, r => Ref::prefetch(r), ());
    }

    /// The mark that the collector or a walk left on the value's object; nothing for inline values.
    pub fn mark(&self) -> Option<u32> {
        each_reference!(self, r => Some(Ref::mark(r)), None)
    }

    /// Sets the mark of the value's object; nothing happens for inline values.
    pub fn set_mark(&self, mark: u32) {
        each_reference!(self, r => Ref::set_mark(r, mark), ());
    }

    /// How many references there are to the heap object behind the value, this one included.
    pub fn reference_count(&self) -> Option<u32> {
        Some(match self {
            Self::Unset
            | Self::None
            | Self::NotImplemented
            | Self::Ellipsis
            | Self::Bool(_)
            | Self::Int(_)
            | Self::Float(_) => return None,
            Self::Big(r) => Ref::count(r),
            Self::Complex(r) => Ref::count(r),
            Self::Str(r) => Ref::count(r),
            Self::Bytes(r) => Ref::count(r),
            Self::ByteArray(r) => Ref::count(r),
            Self::List(r) => Ref::count(r),
            Self::Tuple(r) => Ref::count(r),
            Self::Dict(r) => Ref::count(r),
            Self::Set(r) => Ref::count(r),
            Self::Range(r) => Ref::count(r),
            Self::Slice(r) => Ref::count(r),
            Self::Function(r) => Ref::count(r),
            Self::Native(r) => Ref::count(r),
            Self::Method(r) => Ref::count(r),
            Self::Class(r) => Ref::count(r),
            Self::Instance(r) => Ref::count(r),
            Self::Exception(r) => Ref::count(r),
            Self::Generator(r) => Ref::count(r),
            Self::Module(r) => Ref::count(r),
            Self::Iterator(r) => Ref::count(r),
            Self::Cell(r) => Ref::count(r),
            Self::Array(r) => Ref::count(r),
            Self::Scalar(r) => Ref::count(r),
            Self::Object(r) => Ref::count(r),
        })
    }

    /// `a is b`.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None)
            | (Self::Unset, Self::Unset)
            | (Self::NotImplemented, Self::NotImplemented)
            | (Self::Ellipsis, Self::Ellipsis) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            _ => match (self.heap_id(), other.heap_id()) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
        }
    }

    /// The class, as `type()` answers it.
    pub fn class(&self) -> ClassRef {
        use super::builtins::classes::{Builtin, builtin_class};
        use super::objects::{DictPart, IteratorState};
        let builtin = match self {
            Self::Unset | Self::None => Builtin::NoneType,
            Self::NotImplemented => Builtin::NotImplementedType,
            Self::Ellipsis => Builtin::EllipsisType,
            Self::Bool(_) => Builtin::Bool,
            Self::Int(_) | Self::Big(_) => Builtin::Int,
            Self::Float(_) => Builtin::Float,
            Self::Complex(_) => Builtin::Complex,
            Self::Str(_) => Builtin::Str,
            Self::Bytes(_) => Builtin::Bytes,
            Self::ByteArray(_) => Builtin::ByteArray,
            Self::List(_) => Builtin::List,
            Self::Tuple(_) => Builtin::Tuple,
            Self::Dict(_) => Builtin::Dict,
            Self::Set(set) if set.frozen => Builtin::FrozenSet,
            Self::Set(_) => Builtin::Set,
            Self::Range(_) => Builtin::Range,
            Self::Slice(_) => Builtin::Slice,
            Self::Function(_) => Builtin::Function,
            Self::Native(function) => function.descriptor_class(),
            Self::Method(method) => match &method.function {
                Self::Native(function) if function.descriptor_class() == Builtin::WrapperDescriptor => {
                    Builtin::MethodWrapper
                }
                Self::Native(_) => Builtin::BuiltinFunction,
                _ => Builtin::Method,
            },
            Self::Class(_) => Builtin::Type,
            Self::Generator(_) => Builtin::Generator,
            Self::Module(_) => Builtin::Module,
            Self::Cell(_) => Builtin::Cell,
            Self::Iterator(iterator) => match &*iterator.state.borrow() {
                IteratorState::Exhausted | IteratorState::Sequence(..) => Builtin::SequenceIterator,
                IteratorState::List(..) => Builtin::ListIterator,
                IteratorState::ListReversed(..) => Builtin::ListReverseIterator,
                IteratorState::Tuple(..) => Builtin::TupleIterator,
                IteratorState::Str(text, _) if text.is_ascii() => Builtin::StrAsciiIterator,
                IteratorState::Str(..) => Builtin::StrIterator,
                IteratorState::Bytes(..) => Builtin::BytesIterator,
                IteratorState::ByteArray(..) => Builtin::ByteArrayIterator,
                IteratorState::Range(..) => Builtin::RangeIterator,
                IteratorState::BigRange(_) => Builtin::LongRangeIterator,
                IteratorState::Dict(_, _, _, _, true) => Builtin::DictReverseKeyIterator,
                IteratorState::Dict(_, _, _, DictPart::Keys, _) => Builtin::DictKeyIterator,
                IteratorState::Dict(_, _, _, DictPart::Values, _) => Builtin::DictValueIterator,
                IteratorState::Dict(_, _, _, DictPart::Items, _) => Builtin::DictItemIterator,
                IteratorState::Set(..) => Builtin::SetIterator,
                IteratorState::SequenceReversed(..) => Builtin::Reversed,
                IteratorState::Sentinel(..) => Builtin::CallableIterator,
                IteratorState::Enumerate(..) => Builtin::Enumerate,
                IteratorState::Zip(..) => Builtin::Zip,
                IteratorState::Map(..) => Builtin::Map,
                IteratorState::Filter(..) => Builtin::Filter,
            },
            Self::Instance(instance) => return instance.class.borrow().clone(),
            Self::Exception(exception) => return exception.class.borrow().clone(),
            Self::Array(array) => return array.class(),
            Self::Scalar(scalar) => return scalar.class(),
            Self::Object(object) => return object.data().class(),
        };
        builtin_class(builtin)
    }

    /// The class's name, for messages.
    pub fn type_name(&self) -> &'static str {
        self.class().name.get().text()
    }

    /// Calls `visit` with every value this one's object holds; nothing for inline values.
    pub fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        use super::heap::HeapObject as _;
        each_reference!(self, r => r.visit_children(visit), ());
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}
impl From<usize> for Value {
    fn from(value: usize) -> Self {
        i64::try_from(value).map_or_else(|_| Self::int(value), Self::Int)
    }
}
impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::str(value)
    }
}
impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::str(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::heap::container_count;

    #[test]
    fn copies_and_drops_count_as_the_compilers_own() {
        let before = container_count();
        let list = Value::list(vec![Value::Int(1), Value::str("a text that does not stand in the value")]);
        let copy = list.clone();
        assert!(copy.is_same(&list));
        assert_eq!(list.reference_count(), Some(2));
        copy.discard();
        assert_eq!(list.reference_count(), Some(1));
        let mut place = list.clone();
        place.put(Value::pair(list.clone(), Value::None));
        assert_eq!(list.reference_count(), Some(2), "the pair holds the list, the place no longer does");
        place.put(place.clone());
        assert_eq!(place.reference_count(), Some(1), "put over itself it stays");
        place.put(Value::Float(0.5));
        assert_eq!(list.reference_count(), Some(1));
        drop(list);
        assert_eq!(container_count(), before, "the last reference frees");
    }

    #[test]
    fn inline_values_are_copied_whole() {
        for value in
            [Value::Unset, Value::None, Value::Bool(true), Value::Bool(false), Value::Int(i64::MIN), Value::Float(-0.0)]
        {
            let mut place = Value::str("gone");
            place.put(value.clone());
            assert!(place.is_same(&value), "{place:?} is not {value:?}");
            value.discard();
        }
    }
}
