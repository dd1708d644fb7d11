//! The handle of an array: where it comes from, what is known of it, what it gives.

use std::fmt;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo};

use crate::element::{DType, Element, Number, number_of};
use crate::link::state;
use crate::operators::Term;
use crate::wire::{Answer, Facts, INLINE_BYTES_MAX, Writer, malformed};
use crate::{Error, Result, or_panic};

/// An array of the session, kept by this value. See the crate's text for what moving, cloning and dropping it do.
pub struct Array {
    handle: u64,
    facts: Facts,
}

impl Drop for Array {
    fn drop(&mut self) {
        // Without a session there is nobody to tell.
        if let Ok(state) = state() {
            state.release(self.handle);
        }
    }
}

impl Clone for Array {
    /// Another hold on the same memory; no element is copied.
    #[track_caller]
    fn clone(&self) -> Self {
        or_panic(Self::asked(|into| Writer::new(4).u64(self.handle).u64(into)))
    }
}

impl Array {
    pub(crate) fn handle(&self) -> u64 {
        self.handle
    }

    /// Asks for an array under a new number.
    pub(crate) fn asked(request: impl FnOnce(u64) -> Writer) -> Result<Array> {
        let state = state()?;
        let handle = state.new_handle();
        match state.ask(request(handle))? {
            Answer::Array(facts) => Ok(Array { handle, facts }),
            _ => Err(malformed()),
        }
    }

    fn told(request: Writer) -> Result<()> {
        match state()?.ask(request)? {
            Answer::Done => Ok(()),
            _ => Err(malformed()),
        }
    }

    /// The length of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.facts.shape
    }

    /// The number of axes.
    pub fn ndim(&self) -> usize {
        self.facts.shape.len()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.facts.shape.iter().product()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.facts.dtype
    }

    /// Bytes of all elements together.
    pub fn nbytes(&self) -> usize {
        self.len() * self.facts.dtype.bytes()
    }

    /// Where the elements are: `native:cpu:0`, `level_zero:gpu:0`; `host` for NumPy's arrays.
    pub fn device(&self) -> &str {
        &self.facts.device
    }

    // Other arrays of the same elements

    /// A copy in memory of its own.
    #[track_caller]
    pub fn copy(&self) -> Array {
        or_panic(Self::asked(|into| Writer::new(5).u64(self.handle).u64(into)))
    }

    /// The same elements in another shape; one length may be -1. A view where that is possible.
    #[track_caller]
    pub fn reshape(&self, shape: impl IntoShape) -> Array {
        or_panic(self.try_reshape(shape))
    }

    /// [`Array::reshape`] as a `Result`.
    pub fn try_reshape(&self, shape: impl IntoShape) -> Result<Array> {
        let shape = shape.lengths();
        Self::asked(|into| {
            let writer = Writer::new(9).u64(self.handle).u32(shape.len() as u32);
            shape.iter().fold(writer, |writer, &len| writer.i64(len)).u64(into)
        })
    }

    /// All elements along one axis.
    #[track_caller]
    pub fn flatten(&self) -> Array {
        self.reshape(-1)
    }

    /// Axes in reverse order; a view.
    #[track_caller]
    pub fn t(&self) -> Array {
        or_panic(Self::asked(|into| Writer::new(10).u64(self.handle).u64(into)))
    }

    /// A part of it, a view: `a.slice(2..5)`, `a.slice((0, 1..))`, `a.slice((.., -3..))`. An index takes its axis away, a range keeps it;
    /// negative ones count from the end.
    #[track_caller]
    pub fn slice(&self, axes: impl Axes) -> Array {
        or_panic(self.try_slice(axes))
    }

    /// [`Array::slice`] as a `Result`.
    pub fn try_slice(&self, axes: impl Axes) -> Result<Array> {
        let axes = axes.axes();
        Self::asked(|into| {
            let writer = Writer::new(11).u64(self.handle).u32(axes.len() as u32);
            axes.iter().fold(writer, |writer, axis| axis.write(writer)).u64(into)
        })
    }

    /// The elements converted to another type, as C converts them.
    #[track_caller]
    pub fn astype<T: Element>(&self) -> Array {
        self.astype_dtype(T::DTYPE)
    }

    /// The elements converted to another dtype.
    #[track_caller]
    pub fn astype_dtype(&self, dtype: DType) -> Array {
        or_panic(Self::asked(|into| Writer::new(12).u64(self.handle).dtype(dtype).u64(into)))
    }

    /// A copy on another device: `"level_zero:gpu:0"`, `"cpu"`, or `"host"` for NumPy's memory.
    #[track_caller]
    pub fn to_device(&self, device: &str) -> Array {
        or_panic(self.try_to_device(device))
    }

    /// [`Array::to_device`] as a `Result`.
    pub fn try_to_device(&self, device: &str) -> Result<Array> {
        Self::asked(|into| Writer::new(13).u64(self.handle).text(device).u64(into))
    }

    /// The product of matrices.
    #[track_caller]
    pub fn matmul(&self, other: &Array) -> Array {
        or_panic(self.try_matmul(other))
    }

    /// [`Array::matmul`] as a `Result`.
    pub fn try_matmul(&self, other: &Array) -> Result<Array> {
        Self::asked(|into| Writer::new(8).u64(self.handle).u64(other.handle).u64(into))
    }

    // Computing and writing

    /// Applies an element-wise operation by NumPy's name: `Array::apply("hypot", &[&a, &b])`.
    pub fn try_apply(operation: &str, operands: &[&dyn Term]) -> Result<Array> {
        Self::asked(|into| {
            let writer = Writer::new(6).text(operation).u32(operands.len() as u32);
            operands.iter().fold(writer, |writer, operand| operand.write(writer)).u64(into)
        })
    }

    /// A reduction by NumPy's name (`sum`, `prod`, `max`, `min`, `mean`, `var`, `std`, `all`, `any`, `argmax`, `argmin`,
    /// `count_nonzero`, `norm`) over axes, all of them without `axes`.
    pub fn try_reduce(&self, operation: &str, axes: Option<&[i64]>, keepdims: bool) -> Result<Array> {
        Self::asked(|into| {
            let writer = Writer::new(7).text(operation).f64(0.0).u64(self.handle).flag(axes.is_some());
            let writer = match axes {
                Some(axes) => axes.iter().fold(writer.u32(axes.len() as u32), |writer, &axis| writer.i64(axis)),
                None => writer,
            };
            writer.flag(keepdims).u64(into)
        })
    }

    /// Computes it now. Without this it is computed when its elements are needed, and at the end of the cell.
    #[track_caller]
    pub fn compute(&self) -> &Self {
        or_panic(Self::told(Writer::new(20).u64(self.handle)));
        self
    }

    /// Writes into its memory, for everyone who holds it: `a.slice(0..3).assign(1.0)`.
    #[track_caller]
    pub fn assign(&self, value: impl Term) {
        or_panic(self.try_assign(value));
    }

    /// [`Array::assign`] as a `Result`.
    pub fn try_assign(&self, value: impl Term) -> Result<()> {
        Self::told(value.write(Writer::new(18).u64(self.handle).flag(false)))
    }

    pub(crate) fn try_update(&self, operation: &str, value: &dyn Term) -> Result<()> {
        Self::told(value.write(Writer::new(18).u64(self.handle).flag(true).text(operation)))
    }

    // Elements

    /// A copy of the elements in C order. The type is the array's own: convert with [`Array::astype`] first where it is not.
    #[track_caller]
    pub fn to_vec<T: Element>(&self) -> Vec<T> {
        or_panic(self.try_to_vec())
    }

    /// [`Array::to_vec`] as a `Result`.
    pub fn try_to_vec<T: Element>(&self) -> Result<Vec<T>> {
        if T::DTYPE != self.facts.dtype {
            let (has, asked) = (self.facts.dtype, std::any::type_name::<T>());
            return Err(Error::new(
                "TypeError",
                format!(
                    "the array is of {has}, to_vec::<{asked}>() wants {}: convert it with astype::<{asked}>()",
                    T::DTYPE
                ),
            ));
        }
        let len = self.len();
        let mut elements: Vec<T> = Vec::new();
        elements.try_reserve_exact(len).map_err(|error| Error::new("MemoryError", error.to_string()))?;
        // SAFETY: the vector has room for `len` elements, which is what their bytes are checked against.
        unsafe {
            self.read(|bytes| match bytes == len * size_of::<T>() {
                true => Ok(elements.as_mut_ptr().cast()),
                false => Err(malformed()),
            })?;
        }
        if T::DTYPE == DType::Bool {
            let bytes: *mut u8 = elements.as_mut_ptr().cast();
            for at in 0..len {
                // SAFETY: the bytes were written above; as numbers they may be anything, as booleans only 0 and 1.
                unsafe { bytes.add(at).write(u8::from(bytes.add(at).read() != 0)) };
            }
        }
        // SAFETY: all `len` elements were written, and every pattern of bits is one.
        unsafe { elements.set_len(len) };
        Ok(elements)
    }

    /// # Safety
    /// As for `State::ask_elements`.
    unsafe fn read(&self, room: impl FnOnce(usize) -> Result<*mut u8>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { state()?.ask_elements(Writer::new(17).u64(self.handle), |_, bytes| room(bytes)) }
    }

    /// The only element: `a.sum().item::<f64>()`.
    #[track_caller]
    pub fn item<T: Element>(&self) -> T {
        or_panic(self.try_item())
    }

    /// [`Array::item`] as a `Result`.
    pub fn try_item<T: Element>(&self) -> Result<T> {
        let number = self.try_number()?;
        T::from_number(number).ok_or_else(|| {
            let asked = std::any::type_name::<T>();
            Error::new("TypeError", format!("the element {number:?} of {} is no {asked}", self.facts.dtype))
        })
    }

    fn try_number(&self) -> Result<Number> {
        if self.len() != 1 {
            return Err(Error::new(
                "ValueError",
                format!("an array of shape {:?} has not exactly one element", self.shape()),
            ));
        }
        if self.facts.dtype == DType::Float16 {
            return self.astype::<f32>().try_number();
        }
        let mut bytes = [0u8; 16];
        let width = self.facts.dtype.bytes();
        // SAFETY: no element is longer than the 16 bytes.
        unsafe {
            self.read(|count| if count == width { Ok(bytes.as_mut_ptr()) } else { Err(malformed()) })?;
        }
        number_of(self.facts.dtype, &bytes).ok_or_else(malformed)
    }

    fn shown(&self) -> Result<String> {
        match state()?.ask(Writer::new(19).u64(self.handle))? {
            Answer::Shown(text) => Ok(text),
            _ => Err(malformed()),
        }
    }

    /// How evcxr shows it at the end of a cell.
    pub fn evcxr_display(&self) {
        let text = self.shown().unwrap_or_else(|error| error.to_string());
        let html = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        println!("EVCXR_BEGIN_CONTENT text/plain\n{text}\n{self:?}\nEVCXR_END_CONTENT");
        println!(
            "EVCXR_BEGIN_CONTENT text/html\n<pre>{html}</pre><div><small>{self:?}</small></div>\nEVCXR_END_CONTENT"
        );
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shown() {
            Ok(text) => f.pad(&text),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({}, {:?}, {})", self.facts.dtype, self.facts.shape, self.facts.device)
    }
}

macro_rules! numbers_from_arrays {
    ($($type:ty),*) => {
        $(impl From<Array> for $type {
            /// The only element; panics where there are more or it is of another kind.
            #[track_caller]
            fn from(array: Array) -> $type {
                array.item()
            }
        })*
    };
}
numbers_from_arrays!(f64, f32, i64, bool);

impl<T: Element> From<Vec<T>> for Array {
    #[track_caller]
    fn from(elements: Vec<T>) -> Array {
        from_slice(&elements, elements.len())
    }
}

// From and to names

/// The array that array cells know by a name; the same memory.
#[track_caller]
pub fn get(name: &str) -> Array {
    or_panic(try_get(name))
}

/// [`get`] as a `Result`.
pub fn try_get(name: &str) -> Result<Array> {
    Array::asked(|into| Writer::new(1).text(name).u64(into))
}

/// Gives array cells a name for an array (the same memory), or for the elements of a slice (a copy).
#[track_caller]
pub fn put(name: &str, value: impl Give) {
    or_panic(try_put(name, value));
}

/// [`put`] as a `Result`.
pub fn try_put(name: &str, value: impl Give) -> Result<()> {
    value.give(name)
}

/// What array cells can be given.
#[diagnostic::on_unimplemented(
    message = "array cells cannot be given a `{Self}`",
    label = "neither an array nor elements of one",
    note = "put takes an array, put(\"a\", &a), or the elements of one, put(\"v\", &vec![1.0, 2.0]); for one number, put(\"n\", &[n])"
)]
pub trait Give {
    /// Binds the name.
    fn give(self, name: &str) -> Result<()>;
}

impl Give for &Array {
    fn give(self, name: &str) -> Result<()> {
        Array::told(Writer::new(2).text(name).u64(self.handle))
    }
}

impl Give for Array {
    fn give(self, name: &str) -> Result<()> {
        (&self).give(name)
    }
}

impl<T: Element> Give for &[T] {
    fn give(self, name: &str) -> Result<()> {
        try_from_slice(self, self.len())?.give(name)
    }
}

impl<T: Element> Give for Vec<T> {
    fn give(self, name: &str) -> Result<()> {
        self.as_slice().give(name)
    }
}

impl<T: Element> Give for &Vec<T> {
    fn give(self, name: &str) -> Result<()> {
        self.as_slice().give(name)
    }
}

impl<T: Element, const N: usize> Give for &[T; N] {
    fn give(self, name: &str) -> Result<()> {
        self.as_slice().give(name)
    }
}

// New arrays, on the session's default device

/// An array of these elements, in C order: `from_slice(&[1.0, 2.0, 3.0, 4.0], (2, 2))`.
#[track_caller]
pub fn from_slice<T: Element>(elements: &[T], shape: impl IntoShape) -> Array {
    or_panic(try_from_slice(elements, shape))
}

/// [`from_slice`] as a `Result`.
pub fn try_from_slice<T: Element>(elements: &[T], shape: impl IntoShape) -> Result<Array> {
    let shape = shape.exact()?;
    let len = shape.iter().try_fold(1usize, |product, &len| product.checked_mul(len));
    if len != Some(elements.len()) {
        return Err(Error::new("ValueError", format!("{} elements do not fill the shape {shape:?}", elements.len())));
    }
    // SAFETY: elements have no padding, and every byte of them is a number.
    let bytes = unsafe { std::slice::from_raw_parts(elements.as_ptr().cast::<u8>(), size_of_val(elements)) };
    let state = state()?;
    let handle = state.new_handle();
    let request = Writer::new(16).u64(handle).dtype(T::DTYPE).shape(&shape);
    let answer = if bytes.len() <= INLINE_BYTES_MAX {
        state.ask(request.flag(false).bytes(bytes))?
    } else {
        state.ask_giving(request.flag(true), bytes)?
    };
    match answer {
        Answer::Array(facts) => Ok(Array { handle, facts }),
        _ => Err(malformed()),
    }
}

/// An array full of one number; its dtype is the number's own, by the device's defaults.
#[track_caller]
pub fn full(shape: impl IntoShape, value: impl Into<Number>) -> Array {
    or_panic(try_full(shape, value, None))
}

/// [`full`] as a `Result`, of a dtype.
pub fn try_full(shape: impl IntoShape, value: impl Into<Number>, dtype: Option<DType>) -> Result<Array> {
    let shape = shape.exact()?;
    Array::asked(|into| {
        let writer = Writer::new(14).shape(&shape).number(value.into()).flag(dtype.is_some());
        let writer = match dtype {
            Some(dtype) => writer.dtype(dtype),
            None => writer,
        };
        writer.u64(into)
    })
}

/// Zeros, of the device's default float.
#[track_caller]
pub fn zeros(shape: impl IntoShape) -> Array {
    full(shape, 0.0)
}

/// Ones, of the device's default float.
#[track_caller]
pub fn ones(shape: impl IntoShape) -> Array {
    full(shape, 1.0)
}

/// `0, 1, 2, ...` below `stop`: integers for an integer, floats for a float.
#[track_caller]
pub fn arange(stop: impl Into<Number>) -> Array {
    let (start, stop, step) = (Number::Int(0), stop.into(), Number::Int(1));
    or_panic(Array::asked(|into| Writer::new(15).number(start).number(stop).number(step).u64(into)))
}

/// `count` numbers from `start` to `stop`, both included.
#[track_caller]
pub fn linspace(start: f64, stop: f64, count: usize) -> Array {
    let step = if count > 1 { (stop - start) / (count - 1) as f64 } else { 0.0 };
    arange(count as i64) * step + start
}

// Shapes and parts

/// A shape: a length, a tuple, an array or a slice of lengths.
pub trait IntoShape {
    /// The lengths; -1 where it follows from the others.
    fn lengths(&self) -> Vec<i64>;
    /// The lengths where all must be known.
    fn exact(&self) -> Result<Vec<usize>> {
        let lengths = self.lengths();
        let negative = || Error::new("ValueError", format!("negative lengths are not allowed: {lengths:?}"));
        lengths.iter().map(|&len| usize::try_from(len).map_err(|_| negative())).collect()
    }
}

/// The part of one axis that [`Array::slice`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// One index; the axis goes.
    At(i64),
    /// From a start to a stop, each where it is given.
    Part(Option<i64>, Option<i64>),
}

impl Axis {
    fn write(self, writer: Writer) -> Writer {
        let optional = |writer: Writer, value: Option<i64>| match value {
            Some(value) => writer.flag(true).i64(value),
            None => writer.flag(false),
        };
        match self {
            Axis::At(index) => writer.u8(0).i64(index),
            Axis::Part(start, stop) => optional(optional(optional(writer.u8(1), start), stop), None),
        }
    }
}

/// What one axis can be sliced by: an index, a range, `..`.
pub trait IntoAxis {
    /// The part.
    fn axis(&self) -> Axis;
}

/// What an array can be sliced by: one axis's part, or a tuple of them for the first axes.
pub trait Axes {
    /// The parts.
    fn axes(&self) -> Vec<Axis>;
}

macro_rules! integers {
    ($($type:ty),*) => {
        $(
            impl IntoShape for $type {
                fn lengths(&self) -> Vec<i64> {
                    vec![*self as i64]
                }
            }
            impl IntoShape for &[$type] {
                fn lengths(&self) -> Vec<i64> {
                    self.iter().map(|&len| len as i64).collect()
                }
            }
            impl IntoShape for &Vec<$type> {
                fn lengths(&self) -> Vec<i64> {
                    self.iter().map(|&len| len as i64).collect()
                }
            }
            impl<const N: usize> IntoShape for [$type; N] {
                fn lengths(&self) -> Vec<i64> {
                    self.iter().map(|&len| len as i64).collect()
                }
            }
            impl<const N: usize> IntoShape for &[$type; N] {
                fn lengths(&self) -> Vec<i64> {
                    self.iter().map(|&len| len as i64).collect()
                }
            }
            impl IntoAxis for $type {
                fn axis(&self) -> Axis {
                    Axis::At(*self as i64)
                }
            }
            impl IntoAxis for Range<$type> {
                fn axis(&self) -> Axis {
                    Axis::Part(Some(self.start as i64), Some(self.end as i64))
                }
            }
            impl IntoAxis for RangeFrom<$type> {
                fn axis(&self) -> Axis {
                    Axis::Part(Some(self.start as i64), None)
                }
            }
            impl IntoAxis for RangeTo<$type> {
                fn axis(&self) -> Axis {
                    Axis::Part(None, Some(self.end as i64))
                }
            }
            impl IntoAxis for RangeInclusive<$type> {
                fn axis(&self) -> Axis {
                    // After -1 comes the end itself.
                    Axis::Part(Some(*self.start() as i64), Some(*self.end() as i64 + 1).filter(|&stop| stop != 0))
                }
            }
        )*
    };
}
integers!(i32, i64, usize);

impl IntoAxis for RangeFull {
    fn axis(&self) -> Axis {
        Axis::Part(None, None)
    }
}

impl<T: IntoAxis> Axes for T {
    fn axes(&self) -> Vec<Axis> {
        vec![self.axis()]
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {
        $(
            impl<$($name: IntoAxis),+> Axes for ($($name,)+) {
                fn axes(&self) -> Vec<Axis> {
                    vec![$(self.$index.axis()),+]
                }
            }
            impl<$($name: Copy + TryInto<i64>),+> IntoShape for ($($name,)+) {
                fn lengths(&self) -> Vec<i64> {
                    // A length beyond every memory is refused by the session.
                    vec![$(self.$index.try_into().unwrap_or(i64::MAX)),+]
                }
            }
        )*
    };
}
tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }

impl IntoShape for () {
    fn lengths(&self) -> Vec<i64> {
        Vec::new()
    }
}
