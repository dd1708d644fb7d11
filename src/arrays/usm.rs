//! Descriptions of USM memory that come from a program: `__sycl_usm_array_interface__`, checked against the ledger.
//!
//! Nothing in a description is believed: the pointer must lie in a live block of the named context, and the range that
//! shape, strides and offset span must lie inside it. The messages are dpctl's where dpctl has one.

use super::buffer::Buffer;
use super::device::ContextHandle;
use super::dtype::DType;
use super::error::ArrayError;
use super::ledger;
use std::sync::Arc;

/// The content of an interface dictionary after its Python types were read; `version` is zero when it is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// Address of the element at index zero, less the offset.
    pub pointer: usize,
    /// Elements along each axis.
    pub shape: Vec<i64>,
    /// Steps in elements; nothing for C order.
    pub strides: Option<Vec<i64>>,
    /// The array-interface spelling of the dtype; nothing means bytes.
    pub typestr: Option<Box<str>>,
    /// Elements between the pointer and the element at index zero.
    pub offset: i64,
    /// Must be 1.
    pub version: i64,
}

/// The part of a block that a description names.
#[derive(Clone, Debug)]
pub struct Region {
    /// The memory.
    pub buffer: Arc<Buffer>,
    /// Bytes from its start.
    pub start: usize,
    /// Bytes spanned, gaps included.
    pub bytes: usize,
}

const MALFORMED: &str = "__sycl_usm_array_interface__ is malformed:";

impl Interface {
    /// The memory described, or dpctl's error. `syclobj` is the context the description names and how to print it; no
    /// context means that it names none that this session knows.
    pub fn resolve(&self, context: Option<&ContextHandle>, syclobj: &str) -> Result<Region, ArrayError> {
        if self.version != 1 {
            return Err(ArrayError::value(format!(
                "{MALFORMED} dict('version': {}) is unexpected. The only recognized version is 1.",
                self.version
            )));
        }
        let buffer = ledger::buffer_at(self.pointer)
            .filter(|buffer| context.is_some() && buffer.context() == context)
            .ok_or_else(|| self.not_bound(syclobj))?;
        buffer.check()?;
        let (low, high) = self.span()?;
        let base = self.pointer - buffer.address();
        let place = |elements: i128, width: i128| usize::try_from(base as i128 + elements * width).ok();
        let width = self.element_bytes()? as i128;
        let region = place(low, width).zip(place(high + 1, width)).filter(|&(_, end)| end <= buffer.bytes());
        let Some((start, end)) = region else {
            return Err(ArrayError::value(format!(
                "{MALFORMED} shape, strides, offset and typestr reach beyond the {} bytes of the allocation at {:#x}.",
                buffer.bytes(),
                buffer.address()
            )));
        };
        Ok(Region { buffer, start, bytes: end - start })
    }

    fn not_bound(&self, syclobj: &str) -> ArrayError {
        ArrayError::value(format!(
            "{MALFORMED} 'data' field is not consistent with 'syclobj' field, the pointer {:#x} is not bound to SyclContext \
             derived from dict('syclobj': {syclobj}).",
            self.pointer
        ))
    }

    fn element_bytes(&self) -> Result<usize, ArrayError> {
        let Some(typestr) = &self.typestr else { return Ok(1) };
        DType::parse(typestr)
            .map(DType::bytes)
            .ok_or_else(|| ArrayError::value(format!("{MALFORMED} dict('typestr': {typestr}) is unexpected. ")))
    }

    /// The lowest and highest element used, relative to the pointer; an empty shape counts as one element, as in dpctl.
    fn span(&self) -> Result<(i128, i128), ArrayError> {
        if self.shape.iter().any(|&dim| dim < 0) {
            return Err(ArrayError::value("Array shape elements need to be positive"));
        }
        let offset = i128::from(self.offset);
        let empty = self.shape.contains(&0);
        let beyond = || ArrayError::value(format!("{MALFORMED} the shape has more elements than any allocation."));
        let Some(strides) = &self.strides else {
            let len = if empty {
                1
            } else {
                self.shape.iter().try_fold(1i128, |len, &dim| len.checked_mul(dim.into())).ok_or_else(beyond)?
            };
            return Ok((offset, offset + len.min(i128::from(i64::MAX)) - 1));
        };
        if strides.len() != self.shape.len() {
            return Err(ArrayError::value(format!(
                "{MALFORMED} 'strides' must be a tuple or list of the same length as shape"
            )));
        }
        let (mut low, mut high) = (offset, offset);
        if !empty {
            for (&dim, &stride) in self.shape.iter().zip(strides) {
                let reach = (i128::from(dim) - 1).checked_mul(stride.into()).ok_or_else(beyond)?;
                let side = if reach < 0 { &mut low } else { &mut high };
                *side = side.checked_add(reach).ok_or_else(beyond)?;
            }
        }
        // Multiplying by an element's width must not overflow later.
        let limit = i128::from(i64::MAX);
        Ok((low.clamp(-limit, limit), high.clamp(-limit, limit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::backend::QueueProperties;
    use crate::arrays::{Alloc, Array, QueueHandle, registry};

    fn six() -> (Array, Interface) {
        let array = Array::zeros(&[6], DType::Float64, &Alloc::default_device().expect("native")).expect("small");
        let interface = Interface {
            pointer: array.buffer().address(),
            shape: vec![6],
            typestr: Some("|f8".into()),
            version: 1,
            ..Interface::default()
        };
        (array, interface)
    }

    #[test]
    fn regions_are_those_of_dpctl() {
        let (array, six) = six();
        let context = array.buffer().context();
        let region = |interface: Interface| {
            interface
                .resolve(context, "q")
                .map(|region| (region.start, region.bytes))
                .map_err(|error| error.to_string())
        };
        assert_eq!(region(six.clone()), Ok((0, 48)));
        assert_eq!(region(Interface { shape: vec![0], ..six.clone() }), Ok((0, 8)));
        assert_eq!(region(Interface { shape: vec![], ..six.clone() }), Ok((0, 8)));
        assert_eq!(region(Interface { shape: vec![3], strides: Some(vec![2]), ..six.clone() }), Ok((0, 40)));
        assert_eq!(region(Interface { strides: Some(vec![-1]), offset: 5, ..six.clone() }), Ok((0, 48)));
        assert_eq!(region(Interface { shape: vec![2], offset: 2, ..six.clone() }), Ok((16, 16)));
        assert_eq!(region(Interface { typestr: Some("|u1".into()), ..six.clone() }), Ok((0, 6)));
        assert_eq!(region(Interface { typestr: None, ..six }), Ok((0, 6)));
    }

    #[test]
    fn malformed_descriptions_are_refused_and_never_reach_beyond() {
        let (array, six) = six();
        let context = array.buffer().context();
        let message = |interface: Interface| interface.resolve(context, "q").expect_err("malformed").to_string();
        assert_eq!(
            message(Interface { version: 2, ..six.clone() }),
            "__sycl_usm_array_interface__ is malformed: dict('version': 2) is unexpected. The only recognized version is 1."
        );
        assert!(message(Interface { pointer: 12345, ..six.clone() }).contains("the pointer 0x3039 is not bound"));
        assert_eq!(message(Interface { shape: vec![-3], ..six.clone() }), "Array shape elements need to be positive");
        assert!(message(Interface { typestr: Some("<f3".into()), ..six.clone() }).contains("dict('typestr': <f3)"));
        assert!(message(Interface { strides: Some(vec![1, 1]), ..six.clone() }).contains("same length as shape"));
        for beyond in [
            Interface { shape: vec![7], ..six.clone() },
            Interface { typestr: Some("<c16".into()), ..six.clone() },
            Interface { offset: 1, ..six.clone() },
            Interface { offset: -1, ..six.clone() },
            Interface { strides: Some(vec![-1]), ..six.clone() },
            Interface { shape: vec![i64::MAX, i64::MAX], ..six.clone() },
            Interface { shape: vec![i64::MAX; 3], ..six.clone() },
            Interface { shape: vec![2], strides: Some(vec![i64::MAX]), offset: i64::MAX, ..six.clone() },
        ] {
            assert_eq!(
                beyond.resolve(context, "q").map(|_| ()).map_err(|error| error.kind()),
                Err(crate::arrays::ErrorKind::Value)
            );
        }
        assert!(six.resolve(None, "None").is_err());
        let device = registry::default_device();
        let elsewhere = QueueHandle::open(&ContextHandle::new(device), QueueProperties::default()).expect("opens");
        assert!(six.resolve(Some(elsewhere.context()), "q").is_err(), "another context does not own the pointer");
    }
}
