//! NumPy's arrays as memory that a memoryview looks into. A device's arrays are none, as in dpnp.

use std::rc::Rc;

use super::error::raised;
use super::pending;
use crate::arrays::DType;
use crate::arrays::array::Array;
use crate::lang::builtins::memoryview::{self, BufferSource, SourceLayout};
use crate::lang::heap::Ref;
use crate::lang::objects::{ArrayFlavour, ArrayObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `memoryview(array)` of a NumPy array, which is computed first; nothing for other values.
pub fn memoryview(vm: &mut Vm, value: &Value) -> Fallible<Option<Value>> {
    match value {
        Value::Array(array) if array.flavour == ArrayFlavour::NumPy => {
            pending::compute(vm, array)?;
            Ok(Some(memoryview::from_source(Rc::new(Source(array.clone())))))
        }
        _ => Ok(None),
    }
}

/// The memory of a computed array; places are counted from the start of its buffer, which other arrays may share and `%free` may revoke.
#[derive(Debug)]
struct Source(Ref<ArrayObject>);

impl Source {
    fn array(&self) -> Fallible<Array> {
        self.0.computed().ok_or_else(|| raise::value_error("the array is not computed"))
    }
}

impl BufferSource for Source {
    fn owner(&self) -> Value {
        Value::Array(self.0.clone())
    }
    fn len_bytes(&self) -> usize {
        self.0.computed().map_or(0, |array| array.bytes())
    }
    fn is_readonly(&self) -> bool {
        self.0.readonly.get()
    }
    fn read(&self, at: usize, into: &mut [u8]) -> Fallible<()> {
        let array = self.array()?;
        array.buffer().read_bytes(|all| into.copy_from_slice(&all[at..at + into.len()])).map_err(raised)
    }
    fn write(&self, at: usize, from: &[u8]) -> Fallible<()> {
        let array = self.array()?;
        array.buffer().write_bytes(|all| all[at..at + from.len()].copy_from_slice(from)).map_err(raised)
    }
    fn layout(&self) -> SourceLayout {
        let dtype = self.0.dtype();
        let itemsize = dtype.bytes();
        let format = match dtype {
            DType::Complex64 => "Zf".into(),
            DType::Complex128 => "Zd".into(),
            other => other.char_code().to_string().into(),
        };
        let layout = self.0.computed().map(|array| array.layout().clone());
        let in_bytes = |stride: &isize| stride * itemsize as isize;
        SourceLayout {
            format,
            itemsize,
            shape: self.0.shape(),
            offset_bytes: layout.as_ref().map_or(0, |layout| layout.offset * itemsize),
            strides_bytes: layout.map(|layout| layout.strides.iter().map(in_bytes).collect()),
        }
    }
}
