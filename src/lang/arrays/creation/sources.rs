//! Arrays from data that exists: `array`, `asarray` and their kin, of numbers, sequences and other arrays.

use super::{alloc_beside, check_dtype, refuse_like, refuse_subok};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::functions::{creation, support};
use crate::arrays::layout::Order;
use crate::lang::arrays::call::Call;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::nested;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this file.
pub const FUNCTIONS: &[Method] = &[
    method(
        "array",
        "(a, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, like=None, device=None, usm_type=None, sycl_queue=None)",
        "A new array from numbers, sequences or another array.",
        array,
    ),
    method(
        "asarray",
        "(a, dtype=None, order=None, *, like=None, device=None, usm_type=None, sycl_queue=None, copy=None)",
        "The input as an array; itself when nothing has to change.",
        asarray,
    ),
    method(
        "asanyarray",
        "(a, dtype=None, order=None, *, like=None, device=None, usm_type=None, sycl_queue=None, copy=None)",
        "The input as an array; itself when nothing has to change.",
        asarray,
    ),
    method(
        "ascontiguousarray",
        "(a, dtype=None, *, like=None, device=None, usm_type=None, sycl_queue=None)",
        "The input as a C-ordered array of rank one or more.",
        ascontiguousarray,
    ),
    method(
        "copy",
        "(a, /, order='K', *, subok=False, device=None, usm_type=None, sycl_queue=None)",
        "A copy of the array.",
        copy,
    ),
];

fn array(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    refuse_subok(vm, call, 4)?;
    refuse_like(vm, call, 6)?;
    let source = args.get(vm, 0);
    let places = Places { dtype: Some(1), order: Some(3), copy: Some(2), copies: Some(true), device: 7 };
    let made = Conversion::read(vm, call, places)?.run(vm, &source)?;
    let minimum = usize::try_from(call.int_or(vm, 5, 0)?).unwrap_or(0);
    match made {
        Value::Array(array) if array.shape().len() < minimum => {
            let computed = call.to_array(vm, &Value::Array(array))?;
            let mut shape = vec![1i64; minimum - computed.rank()];
            shape.extend(computed.shape().iter().map(|length| *length as i64));
            call.array_from(vm, || {
                crate::arrays::functions::shapes::reshape(&computed, &shape, MemoryOrder::C, None, call.rules())
            })
        }
        other => Ok(other),
    }
}

fn asarray(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    refuse_like(vm, call, 3)?;
    let source = args.get(vm, 0);
    let places = Places { dtype: Some(1), order: Some(2), copy: Some(7), copies: None, device: 4 };
    Conversion::read(vm, call, places)?.run(vm, &source)
}

fn ascontiguousarray(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    refuse_like(vm, call, 2)?;
    let source = args.get(vm, 0);
    let places = Places { dtype: Some(1), order: None, copy: None, copies: None, device: 3 };
    let request = Conversion { order: MemoryOrder::C, ..Conversion::read(vm, call, places)? };
    let made = request.run(vm, &source)?;
    match made {
        Value::Array(array) if array.shape().is_empty() => {
            let computed = call.to_array(vm, &Value::Array(array))?;
            call.array_from(vm, || crate::arrays::functions::shapes::atleast_1d(&computed))
        }
        other => Ok(other),
    }
}

fn copy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    refuse_subok(vm, call, 2)?;
    let source = args.get(vm, 0);
    let places = Places { dtype: None, order: Some(1), copy: None, copies: Some(true), device: 3 };
    Conversion::read(vm, call, places)?.run(vm, &source)
}

/// Where a function's signature has what a conversion asks for, as far as it does. `usm_type=` and `sycl_queue=` follow `device=`.
struct Places {
    dtype: Option<usize>,
    order: Option<usize>,
    copy: Option<usize>,
    /// What counts where `copy=` is not given.
    copies: Option<bool>,
    device: usize,
}

/// What `array` and `asarray` were asked to make of a value.
pub struct Conversion {
    /// Whose function it is, with its arguments.
    pub call: Call,
    /// The dtype asked for.
    pub dtype: Option<DType>,
    /// The order in memory asked for.
    pub order: MemoryOrder,
    /// Whether to copy; nothing means if needed.
    pub copy: Option<bool>,
    /// Which parameter is `device=`.
    pub device: usize,
    /// Which parameter is `usm_type=`.
    pub usm_type: usize,
    /// Which parameter is `sycl_queue=`.
    pub sycl_queue: usize,
}

impl Conversion {
    /// What the arguments of a call ask for.
    fn read(vm: &mut Vm, call: Call, places: Places) -> Fallible<Self> {
        let dtype = places.dtype.map(|place| call.dtype(vm, place)).transpose()?.flatten();
        let order = places.order.map(|place| call.text_or(vm, place, "K")).transpose()?;
        let copy = match places.copy.map(|place| call.args.get(vm, place)) {
            None | Some(Value::Unset) => places.copies,
            Some(Value::None) => None,
            Some(other) => Some(vm.truth(&other)?),
        };
        let order = MemoryOrder::parse(order.as_deref().unwrap_or("K")).map_err(raised)?;
        Ok(Self {
            call,
            dtype,
            order,
            copy,
            device: places.device,
            usm_type: places.device + 1,
            sycl_queue: places.device + 2,
        })
    }

    /// The value as an array of the call's library, itself when nothing has to change.
    pub fn run(&self, vm: &mut Vm, source: &Value) -> Fallible<Value> {
        match source {
            Value::Array(array) if array.flavour == self.call.flavour || !self.call.is_numpy() => {
                if array.flavour == ArrayFlavour::NumPy && !self.call.is_numpy() && self.copy == Some(false) {
                    return Err(raise::value_error("Converting numpy.ndarray to usm_ndarray requires a copy"));
                }
                self.convert_array(vm, source)
            }
            Value::Array(_) => Err(raise::type_error(
                "Implicit conversion to a NumPy array is not allowed. Please use `.asnumpy()` to construct a NumPy array \
                 explicitly.",
            )),
            other => self.convert_data(vm, other),
        }
    }

    /// The queue and kind that were asked for, else those of the array; NumPy arrays go to the default queue.
    fn destination(&self, vm: &mut Vm, array: &Array) -> Fallible<Alloc> {
        let call = self.call;
        if call.is_numpy() {
            return Ok(Alloc::HOST);
        }
        if array.queue().is_none() {
            return call.alloc(vm, self.device, self.usm_type, self.sycl_queue);
        }
        alloc_beside(vm, call, array, self.device, self.usm_type, self.sycl_queue)
    }

    fn convert_array(&self, vm: &mut Vm, source: &Value) -> Fallible<Value> {
        let Value::Array(object) = source else { return self.convert_data(vm, source) };
        let array = crate::lang::arrays::pending::compute(vm, object)?;
        let alloc = self.destination(vm, &array)?;
        let dtype = self.dtype.unwrap_or(array.dtype().narrowed(alloc.place.fp64()));
        if self.dtype.is_some() {
            check_dtype(dtype, &alloc)?;
        }
        let order_fits = match self.order {
            MemoryOrder::C => array.is_c_contiguous(),
            MemoryOrder::F => array.layout().is_f_contiguous(),
            MemoryOrder::A | MemoryOrder::K => true,
        };
        let in_place = array.alloc() == alloc && dtype == array.dtype() && order_fits;
        if in_place && self.copy != Some(true) && object.flavour == self.call.flavour {
            return Ok(source.clone());
        }
        let shared = array.usm() == Some(alloc.usm)
            && dtype == array.dtype()
            && order_fits
            && alloc.place.queue().is_some_and(|queue| array.buffer().context() == Some(queue.context()));
        if shared && self.copy != Some(true) {
            let queue = alloc.place.queue().cloned();
            let moved = queue.map(|queue| array.with_queue(queue)).transpose().map_err(raised)?;
            return Ok(self.call.give(moved.unwrap_or(array)));
        }
        if self.copy == Some(false) {
            return Err(raise::value_error("asarray(..., copy=False) is not possible"));
        }
        let order = self.order.resolve(array.layout());
        self.call.array_from(vm, || {
            let converted = if dtype == array.dtype() { array.clone() } else { support::cast(&array, dtype)? };
            if converted.alloc() == alloc { support::copy(&converted, order) } else { converted.copy_to(&alloc) }
        })
    }

    fn convert_data(&self, vm: &mut Vm, source: &Value) -> Fallible<Value> {
        let call = self.call;
        if self.copy == Some(false) {
            return Err(raise::value_error(if call.is_numpy() {
                "Unable to avoid copy while creating an array as requested."
            } else {
                "Converting Python sequence to usm_ndarray requires a copy"
            }));
        }
        let data = nested::nested_data(vm, source, call.flavour)?;
        let alloc = self.data_destination(vm, &data)?;
        let dtype = self.dtype;
        if let Some(dtype) = dtype {
            check_dtype(dtype, &alloc)?;
        }
        let order = if self.order == MemoryOrder::F { Order::F } else { Order::C };
        call.array_from(vm, || creation::asarray(&data, dtype, order, &alloc, call.rules()))
    }

    /// A list of arrays goes where they all are; arrays on different queues need to be told.
    fn data_destination(&self, vm: &mut Vm, data: &creation::NestedData) -> Fallible<Alloc> {
        let call = self.call;
        if call.is_numpy() {
            return Ok(Alloc::HOST);
        }
        let mut common: Option<Alloc> = None;
        let mut differ = false;
        data.for_each_array(&mut |array| {
            if array.queue().is_none() {
                return;
            }
            let alloc = array.alloc();
            match &mut common {
                None => common = Some(alloc),
                Some(known) if known.place == alloc.place => known.usm = known.usm.coerce(alloc.usm),
                Some(_) => differ = true,
            }
        });
        let usm = call.usm_type(vm, self.usm_type)?;
        if let Some(queue) = call.queue(vm, self.device, self.sycl_queue)? {
            let fallback = common.map_or(crate::arrays::backend::UsmKind::Device, |alloc| alloc.usm);
            return Ok(Alloc::queue(queue, usm.unwrap_or(fallback)));
        }
        if differ {
            return Err(raised(crate::arrays::error::ArrayError::Placement {
                message: "Please specify `device` or `sycl_queue` keyword argument to determine where to allocate the \
                          resulting array."
                    .into(),
            }));
        }
        match common {
            Some(alloc) => Ok(Alloc { usm: usm.unwrap_or(alloc.usm), place: alloc.place }),
            None => call.alloc(vm, self.device, self.usm_type, self.sycl_queue),
        }
    }
}
