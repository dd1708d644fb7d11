//! The heap objects, one file a family: data and the edges they hold, no behaviour of the language.

mod array;
mod attributes;
mod callable;
mod class;
mod dict;
mod exception;
mod generator;
mod iterator;
mod module;
mod native;
mod number;
mod sequence;
mod set;
mod text;

pub use array::{ArrayFlavour, ArrayObject, ArrayState, NumpyScalar};
pub use callable::{BoundMethod, CellObject, FunctionObject, NativeFunction};
pub use class::{Attributes, ClassObject, ClassRef, InstanceObject, PayloadKind, with_class_value};
pub use dict::{Dict, DictObject, Entry};
pub use exception::{ExceptionObject, TracebackEntry};
pub use generator::{GeneratorObject, GeneratorState};
pub use iterator::{DictPart, IteratorObject, IteratorState};
pub use module::{ModuleObject, Namespace};
pub use native::{NativeData, NativeObject};
pub use number::{ComplexObject, IntObject};
pub use sequence::{ListObject, RangeObject, SliceObject, TupleObject};
pub use set::SetObject;
pub use text::{ByteArrayObject, BytesObject, StrObject};

/// Implements the heap contract for an object that holds no values.
macro_rules! leaf_object {
    ($type:ty, $variant:ident) => {
        impl crate::lang::heap::HeapObject for $type {
            const IS_CONTAINER: bool = false;
            fn visit_children(&self, _visit: &mut dyn FnMut(crate::lang::value::Edge<'_>, &crate::lang::value::Value)) {
            }
            fn take_children(&self, _into: &mut Vec<crate::lang::value::Value>) {}
            fn as_value(this: &crate::lang::heap::Ref<Self>) -> crate::lang::value::Value {
                crate::lang::value::Value::$variant(this.clone())
            }
        }
    };
}
pub(crate) use leaf_object;
