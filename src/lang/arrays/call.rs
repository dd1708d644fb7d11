//! Reading the arguments of array functions: one small helper that knows whose library was called.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::backend::UsmKind;
use crate::arrays::device::QueueHandle;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::layout::Order;
use crate::arrays::op::Flavour;
use crate::arrays::registry;
use crate::arrays::scalar::Operand;
use crate::lang::arrays::convert::{
    array_value, axes_argument, axis_argument, class_path, ints_argument, result_value, scalar_of, shape_argument,
};
use crate::lang::arrays::dtype::dtype_argument;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, operators, pending};
use crate::lang::heap::Ref;
use crate::lang::modules::dpctl;
use crate::lang::native::{Args, Method};
use crate::lang::objects::{ArrayFlavour, ArrayObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The rows under which a table of functions is built for each library.
pub const FLAVOURS: [ArrayFlavour; 3] = [ArrayFlavour::Dpnp, ArrayFlavour::Tensor, ArrayFlavour::NumPy];

/// A line of a table, built for one library.
pub fn for_flavour(line: &Method, flavour: ArrayFlavour) -> Method {
    line.with_row(flavour as usize)
}

/// The arguments of a running call of an array function.
#[derive(Clone, Copy)]
pub struct Call {
    /// The bound arguments.
    pub args: Args,
    /// Whose function it is.
    pub flavour: ArrayFlavour,
}

impl Call {
    /// A call of a module's function, whose library is the row it was built under.
    pub fn of(args: Args) -> Self {
        Self { args, flavour: FLAVOURS[args.row.min(2)] }
    }

    /// A call of a method, whose library is that of the array it is called on.
    pub fn of_method(vm: &Vm, args: Args) -> Fallible<Self> {
        match args.peek(vm, 0) {
            Value::Array(array) => Ok(Self { args, flavour: array.flavour }),
            other => Err(raise::type_error(format!("expected an array, got {}", other.type_name()))),
        }
    }

    /// Whose rules apply.
    pub fn rules(self) -> Flavour {
        operators::rules(self.flavour)
    }

    /// Whether it is NumPy's function.
    pub fn is_numpy(self) -> bool {
        self.flavour == ArrayFlavour::NumPy
    }

    /// Parameter `index` as an array object, for functions that keep identity.
    pub fn array_object(self, vm: &Vm, index: usize) -> Fallible<Ref<ArrayObject>> {
        match self.args.peek(vm, index) {
            Value::Array(array) => Ok(array.clone()),
            other => Err(not_an_array(other)),
        }
    }

    /// Parameter `index` as a computed array. NumPy takes anything that becomes one; dpnp takes arrays only.
    pub fn array(self, vm: &mut Vm, index: usize) -> Fallible<Array> {
        let value = self.args.get(vm, index);
        self.to_array(vm, &value)
    }

    /// A value as a computed array, by the same rules.
    pub fn to_array(self, vm: &mut Vm, value: &Value) -> Fallible<Array> {
        match value {
            Value::Array(array) if self.is_numpy() && array.flavour != ArrayFlavour::NumPy => Err(raise::type_error(
                "Implicit conversion to a NumPy array is not allowed. Please use `.asnumpy()` to construct a NumPy array \
                 explicitly.",
            )),
            Value::Array(array) if !self.is_numpy() && array.flavour == ArrayFlavour::NumPy => Err(not_an_array(value)),
            Value::Array(array) => pending::compute(vm, array),
            other if self.is_numpy() => nested::host_array(vm, other),
            other => Err(not_an_array(other)),
        }
    }

    /// Parameter `index` as a computed array, nothing when it was not given or is `None`.
    pub fn optional_array(self, vm: &mut Vm, index: usize) -> Fallible<Option<Array>> {
        match self.args.not_none(vm, index) {
            None => Ok(None),
            Some(value) => self.to_array(vm, &value).map(Some),
        }
    }

    /// Parameter `index` as an array, scalars becoming 0-d arrays where `like` lives.
    pub fn array_like(self, vm: &mut Vm, index: usize, like: &Array) -> Fallible<Array> {
        let value = self.args.get(vm, index);
        self.to_array_like(vm, &value, like)
    }

    /// As [`Call::array_like`], of an optional parameter.
    pub fn array_beside(self, vm: &mut Vm, index: usize, like: &Array) -> Fallible<Option<Array>> {
        match self.args.not_none(vm, index) {
            Some(value) => self.to_array_like(vm, &value, like).map(Some),
            None => Ok(None),
        }
    }

    /// A value as an array, scalars and sequences becoming arrays where `like` lives.
    pub fn to_array_like(self, vm: &mut Vm, value: &Value, like: &Array) -> Fallible<Array> {
        if let Value::Array(array) = value
            && array.flavour == self.flavour
        {
            return pending::compute(vm, array);
        }
        if let Some(operand) = scalar_of(value)? {
            let dtype = match operand {
                Operand::Typed(_, dtype) => dtype,
                Operand::Weak(scalar) => like.dtype().promote_weak(scalar.kind(), like.place().fp64()),
            };
            return self.run(vm, || Array::from_scalar(operand.scalar(), dtype, &like.alloc()));
        }
        if let Value::Array(_) = value {
            return self.to_array(vm, value);
        }
        let host = nested::host_array(vm, value)?;
        if self.is_numpy() { Ok(host) } else { self.run(vm, || host.copy_to(&like.alloc())) }
    }

    /// Parameter `index` as positions where `like` lives: arrays as they are, numbers and sequences as whole numbers. NumPy
    /// takes the whole part of other numbers in a sequence, dpnp only truths and sequences without elements.
    pub fn positions_like(self, vm: &mut Vm, index: usize, like: &Array) -> Fallible<Array> {
        let value = self.args.get(vm, index);
        let positions = match scalar_of(&value)? {
            Some(operand) => {
                let dtype = operand.dtype(true);
                self.run(vm, || Array::from_scalar(operand.scalar(), dtype, &like.alloc()))?
            }
            None => self.to_array_like(vm, &value, like)?,
        };
        let as_whole = self.is_numpy() || positions.dtype().is_bool() || positions.len_elements() == 0;
        let is_array = matches!(value, Value::Array(_)) && !(self.is_numpy() && positions.dtype().is_bool());
        if is_array || positions.dtype().is_integer() || !as_whole {
            return Ok(positions);
        }
        self.run(vm, || crate::arrays::functions::support::cast(&positions, DType::Int64))
    }

    /// Every item of a sequence of arrays.
    pub fn arrays(self, vm: &mut Vm, index: usize) -> Fallible<Vec<Array>> {
        let sequence = self.args.get(vm, index);
        let items = vm.collect(&sequence)?;
        items.iter().map(|item| self.to_array(vm, item)).collect()
    }

    /// Parameter `index` as a dtype, nothing when it was not given.
    pub fn dtype(self, vm: &Vm, index: usize) -> Fallible<Option<DType>> {
        dtype_argument(self.args.peek(vm, index))
    }

    /// Parameter `index` as one axis, nothing for `None`.
    pub fn axis(self, vm: &mut Vm, index: usize) -> Fallible<Option<i64>> {
        axis_argument(vm, &self.args.get(vm, index))
    }

    /// Parameter `index` as one axis with a default.
    pub fn axis_or(self, vm: &mut Vm, index: usize, default: i64) -> Fallible<i64> {
        Ok(self.axis(vm, index)?.unwrap_or(default))
    }

    /// Parameter `index` as axes, nothing for `None`.
    pub fn axes(self, vm: &mut Vm, index: usize) -> Fallible<Option<Vec<i64>>> {
        axes_argument(vm, &self.args.get(vm, index))
    }

    /// Parameter `index` as a shape.
    pub fn shape(self, vm: &mut Vm, index: usize) -> Fallible<Vec<usize>> {
        shape_argument(vm, &self.args.get(vm, index))
    }

    /// Parameter `index` as an int or a sequence of ints.
    pub fn ints(self, vm: &mut Vm, index: usize) -> Fallible<Vec<i64>> {
        ints_argument(vm, &self.args.get(vm, index))
    }

    /// Parameter `index` as an int with a default.
    pub fn int_or(self, vm: &mut Vm, index: usize, default: i64) -> Fallible<i64> {
        self.args.index_or(vm, index, default)
    }

    /// Parameter `index` as a float with a default.
    pub fn float_or(self, vm: &mut Vm, index: usize, default: f64) -> Fallible<f64> {
        match self.args.optional(vm, index) {
            Some(value) => vm.float(&value),
            None => Ok(default),
        }
    }

    /// Parameter `index` as a truth value with a default.
    pub fn truth_or(self, vm: &mut Vm, index: usize, default: bool) -> Fallible<bool> {
        self.args.truth_or(vm, index, default)
    }

    /// Parameter `index` as text with a default.
    pub fn text_or(self, vm: &mut Vm, index: usize, default: &str) -> Fallible<String> {
        match self.args.not_none(vm, index) {
            Some(value) => Ok(vm.str(&value)?.to_string()),
            None => Ok(default.to_owned()),
        }
    }

    /// Parameter `index` as the order of a new array: C or F.
    pub fn order(self, vm: &mut Vm, index: usize) -> Fallible<Order> {
        match self.text_or(vm, index, "C")?.as_str() {
            "C" | "c" => Ok(Order::C),
            "F" | "f" => Ok(Order::F),
            _ => Err(raise::value_error("Unrecognized order keyword value, expecting 'F' or 'C'.")),
        }
    }

    /// Where a new array goes by `device=`, `usm_type=` and `sycl_queue=`; the host for NumPy.
    pub fn alloc(self, vm: &mut Vm, device: usize, usm_type: usize, sycl_queue: usize) -> Fallible<Alloc> {
        if self.is_numpy() {
            return Ok(Alloc::HOST);
        }
        let queue = match self.queue(vm, device, sycl_queue)? {
            Some(queue) => queue,
            None => registry::default_queue().map_err(raised)?,
        };
        Ok(Alloc::queue(queue, self.usm_type(vm, usm_type)?.unwrap_or(UsmKind::Device)))
    }

    /// The queue that `device=` and `sycl_queue=` name together.
    pub fn queue(self, vm: &mut Vm, device: usize, sycl_queue: usize) -> Fallible<Option<QueueHandle>> {
        let explicit = dpctl::queue_argument(self.args.peek(vm, sycl_queue))?;
        let device = self.args.get(vm, device);
        let implied = match device {
            Value::Unset | Value::None => None,
            other => Some(super::device::queue_of_device(&other)?),
        };
        match (explicit, implied) {
            (Some(explicit), Some(implied)) if explicit != implied => {
                Err(raise::type_error("sycl_queue and device keywords can not be both specified"))
            }
            (Some(queue), _) | (None, Some(queue)) => Ok(Some(queue)),
            (None, None) => Ok(None),
        }
    }

    /// `usm_type=`.
    pub fn usm_type(self, vm: &Vm, index: usize) -> Fallible<Option<UsmKind>> {
        match self.args.peek(vm, index) {
            Value::Unset | Value::None => Ok(None),
            Value::Str(text) => UsmKind::parse(text.as_str()).map(Some).map_err(raised),
            other => {
                Err(raise::type_error(format!("Expected usm_type to be a str, got <class '{}'>", class_path(other))))
            }
        }
    }

    /// Runs work that allocates, relieving memory once when it runs out.
    pub fn run<T>(self, vm: &mut Vm, mut work: impl FnMut() -> Result<T, ArrayError>) -> Fallible<T> {
        pending::with_relief(vm, |_| work())
    }

    /// An array as the call's value.
    pub fn give(self, array: Array) -> Value {
        array_value(self.flavour, array)
    }

    /// An array as the value of a reduction: NumPy gives a scalar for rank 0.
    pub fn give_result(self, array: Array) -> Fallible<Value> {
        result_value(self.flavour, array)
    }

    /// Runs work that makes one array and gives it as the call's value.
    pub fn array_from(self, vm: &mut Vm, work: impl FnMut() -> Result<Array, ArrayError>) -> Fallible<Value> {
        Ok(self.give(self.run(vm, work)?))
    }

    /// Several arrays as a tuple.
    pub fn give_tuple(self, arrays: Vec<Array>) -> Value {
        Value::tuple(arrays.into_iter().map(|array| self.give(array)).collect::<Vec<_>>())
    }

    /// Several arrays as a list.
    pub fn give_list(self, arrays: Vec<Array>) -> Value {
        Value::list(arrays.into_iter().map(|array| self.give(array)).collect())
    }

    /// Writes a result into `out=` when that was given, casting as dpnp's reductions and products do; gives the result.
    pub fn give_into(self, vm: &mut Vm, result: Array, out: usize) -> Fallible<Value> {
        let Some(target) = self.args.not_none(vm, out) else { return self.give_result(result) };
        let Value::Array(target) = target else { return Err(not_an_array(&target)) };
        operators::check_writable(&target)?;
        pending::settle(vm)?;
        let array = pending::compute(vm, &target)?;
        if !self.is_numpy() && array.place() != result.place() {
            return Err(raised(ArrayError::Placement {
                message: "Input and output allocation queues are not compatible".into(),
            }));
        }
        if array.shape() != result.shape() {
            return Err(raise::value_error(format!(
                "The shape of input and output arrays are inconsistent. Expected output shape is {}, got {}",
                crate::arrays::error::shape_text(result.shape()),
                crate::arrays::error::shape_text(array.shape())
            )));
        }
        self.run(vm, || crate::arrays::functions::support::copy_into(&array, &result))?;
        Ok(Value::Array(target))
    }
}

/// The error for a value that should have been an array.
#[cold]
pub fn not_an_array(value: &Value) -> raise::Raised {
    let hint = match value {
        Value::Array(array) if array.flavour == ArrayFlavour::NumPy => {
            ". dpnp.asarray(x) copies a NumPy array to the device"
        }
        _ => "",
    };
    raise::type_error(format!("An array must be any of supported type, but got <class '{}'>{hint}", class_path(value)))
}
