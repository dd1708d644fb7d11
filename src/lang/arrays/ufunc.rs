//! Universal functions as callable objects: `dpnp.sin`, `numpy.add`, with `out=`, `where=`, `dtype=`, `outer` and `reduce`.
//! `ufunc_types` has what a function tells of itself and the rest of NumPy's methods.

use smallvec::SmallVec;

use crate::arrays::array::{Alloc, Array};
use crate::arrays::backend::UsmKind;
use crate::arrays::device::Place;
use crate::arrays::dtype::{Casting, DType};
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::op::Op;
use crate::lang::arrays::convert::{array_value, class_path, result_value, term_of};
use crate::lang::arrays::dtype::dtype_argument;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::operators::{check_writable, elementwise, finish, operand_expression, rules};
use crate::lang::arrays::{pending, reductions, ufunc_types};
use crate::lang::builtins::classes::{Builtin, attach, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ArrayFlavour, ArrayObject, ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// What a universal function computes: one primitive, or a pair of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// One result.
    One(Op),
    /// Two results, each a primitive of the same operands: `divmod`, `modf`, `frexp`.
    Two(Op, Op),
}

impl Outputs {
    /// The primitive of the first result, which takes the same operands as the second.
    pub fn first(self) -> Op {
        match self {
            Self::One(op) | Self::Two(op, _) => op,
        }
    }
}

/// A universal function.
#[derive(Debug)]
pub struct Ufunc {
    /// The name it is called by.
    pub name: &'static str,
    /// Whose rules it follows.
    pub flavour: ArrayFlavour,
    /// What it computes.
    pub outputs: Outputs,
}

impl NativeData for Ufunc {
    fn class(&self) -> ClassRef {
        let index = match (self.flavour, self.outputs, self.outputs.first().arity()) {
            (ArrayFlavour::NumPy, _, _) => 0,
            (_, Outputs::One(_), 1) => 1,
            (_, Outputs::One(_), _) => 2,
            (_, Outputs::Two(..), 1) => 3,
            (_, Outputs::Two(..), _) => 4,
        };
        CLASSES.with(|classes| classes[index].clone())
    }
}

const CLASS_NAMES: [(&str, &str); 5] = [
    ("ufunc", "numpy"),
    ("DPNPUnaryFunc", "dpnp.dpnp_algo.dpnp_elementwise_common"),
    ("DPNPBinaryFunc", "dpnp.dpnp_algo.dpnp_elementwise_common"),
    ("DPNPUnaryTwoOutputsFunc", "dpnp.dpnp_algo.dpnp_elementwise_common"),
    ("DPNPBinaryTwoOutputsFunc", "dpnp.dpnp_algo.dpnp_elementwise_common"),
];

thread_local! {
    static CLASSES: Vec<ClassRef> = CLASS_NAMES
        .iter()
        .map(|(name, module)| {
            let class = define_class(name, module, &builtin_class(Builtin::Object), PayloadKind::Sealed, METHODS);
            attach(&class, ufunc_types::COMMON);
            if *module == "numpy" {
                attach(&class, ufunc_types::OF_NUMPY);
            }
            class
        })
        .collect();
}

/// `numpy.ufunc`
pub fn ufunc_class() -> ClassRef {
    CLASSES.with(|classes| classes[0].clone())
}

/// A universal function as a value.
pub fn ufunc_value(name: &'static str, flavour: ArrayFlavour, outputs: Outputs) -> Value {
    Value::object(Ufunc { name, flavour, outputs })
}

/// The universal function a value is.
pub fn as_ufunc(value: &Value) -> Option<&Ufunc> {
    match value {
        Value::Object(object) => object.downcast::<Ufunc>(),
        _ => None,
    }
}

const METHODS: &[Method] = &[
    method(
        "__call__",
        "(self, *args, out=None, where=True, order='K', dtype=None, subok=True, casting='same_kind', **kwargs)",
        "Applies the function to every element of the broadcast operands.",
        call,
    )
    .taking_pending(),
    method("__repr__", "(self)", "As `<ufunc 'add'>`.", |vm, args| {
        let ufunc = this(vm, args)?;
        Ok(Value::str(format!("<{} '{}'>", args.peek(vm, 0).type_name(), ufunc.name)))
    }),
    method(
        "reduce",
        "(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)",
        "Folds an axis with the function.",
        reduce,
    ),
    method("outer", "(self, x1, x2, /, **kwargs)", "Applies the function to every pair of elements.", outer),
    getter("nin", "How many operands it takes.", |vm, args| Ok(Value::from(this(vm, args)?.outputs.first().arity()))),
    getter("nout", "How many results it gives.", |vm, args| Ok(Value::Int(result_count(this(vm, args)?.outputs)))),
    getter("nargs", "Operands and results together.", |vm, args| {
        let outputs = this(vm, args)?.outputs;
        Ok(Value::Int(outputs.first().arity() as i64 + result_count(outputs)))
    }),
    getter("__name__", "Its name.", |vm, args| Ok(Value::str(this(vm, args)?.name))),
    getter("__doc__", "What it computes.", |vm, args| Ok(Value::str(this(vm, args)?.outputs.first().doc()))),
];

fn result_count(outputs: Outputs) -> i64 {
    match outputs {
        Outputs::One(_) => 1,
        Outputs::Two(..) => 2,
    }
}

fn this(vm: &Vm, args: Args) -> Fallible<&Ufunc> {
    as_ufunc(args.peek(vm, 0)).ok_or_else(|| raise::type_error("expected a universal function"))
}

/// Parameters of `__call__` by their place in its signature.
mod parameter {
    pub const OPERANDS: usize = 1;
    pub const OUT: usize = 2;
    pub const WHERE: usize = 3;
    pub const DTYPE: usize = 5;
    pub const CASTING: usize = 7;
    pub const KEYWORDS: usize = 8;
}

fn call(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (name, flavour, outputs) = {
        let ufunc = this(vm, args)?;
        (ufunc.name, ufunc.flavour, ufunc.outputs)
    };
    let Value::Tuple(positional) = args.get(vm, parameter::OPERANDS) else {
        return Err(raise::system_error("variadic arguments arrive as a tuple"));
    };
    let arity = outputs.first().arity();
    let outs = result_count(outputs) as usize;
    let positional = positional.items();
    check_count(name, flavour, outputs, positional.len())?;
    let (operands, positional_out) = positional.split_at(arity);
    check_keywords(vm, args, name)?;
    let dtype = dtype_argument(args.peek(vm, parameter::DTYPE))?;
    let targets = targets(vm, args, name, positional_out, outs)?;
    if dtype.is_some() && targets.iter().any(Option::is_some) && flavour != ArrayFlavour::NumPy {
        return Err(raise::type_error(format!(
            "Requested function={name} only takes `out` or `dtype` as an argument, but both were provided."
        )));
    }
    let mask = mask(vm, args, flavour)?;
    check_operands(operands, flavour)?;
    let casting = casting(vm, args)?;
    let mut results: SmallVec<[Value; 2]> = SmallVec::new();
    let ops: &[Op] = match &outputs {
        Outputs::One(op) => &[*op],
        Outputs::Two(first, second) => &[*first, *second],
    };
    for (op, target) in ops.iter().zip(targets) {
        let request = Request { name, flavour, op: *op, dtype, mask: mask.as_ref(), casting };
        results.push(request.run(vm, operands, target)?);
    }
    match results.len() {
        1 => Ok(results.remove(0)),
        _ => Ok(Value::tuple(results.into_vec())),
    }
}

fn check_count(name: &str, flavour: ArrayFlavour, outputs: Outputs, given: usize) -> Fallible<()> {
    let arity = outputs.first().arity();
    let most = arity + result_count(outputs) as usize;
    if (arity..=most).contains(&given) {
        return Ok(());
    }
    if flavour == ArrayFlavour::NumPy {
        let verb = if given == 1 { "was" } else { "were" };
        return Err(raise::type_error(format!(
            "{name}() takes from {arity} to {most} positional arguments but {given} {verb} given"
        )));
    }
    let class = ["DPNPUnaryFunc", "DPNPBinaryFunc", "DPNPUnaryFunc"][arity.min(3) - 1];
    if given < arity {
        let missing: &[&str] = match (arity, given) {
            (1, _) => &["'x'"],
            (_, 0) => &["'x1'", "'x2'"],
            _ => &["'x2'"],
        };
        let plural = if missing.len() == 1 { "" } else { "s" };
        return Err(raise::type_error(format!(
            "{class}.__call__() missing {} required positional argument{plural}: {}",
            missing.len(),
            missing.join(" and ")
        )));
    }
    Err(raise::type_error(format!(
        "{class}.__call__() takes from {} to {} positional arguments but {} were given",
        arity + 1,
        most + 1,
        given + 1
    )))
}

fn check_keywords(vm: &mut Vm, args: Args, name: &str) -> Fallible<()> {
    let Value::Dict(keywords) = args.get(vm, parameter::KEYWORDS) else { return Ok(()) };
    if keywords.table.borrow().is_empty() {
        return Ok(());
    }
    let shown = vm.repr(&Value::Dict(keywords))?;
    Err(raise::not_implemented_error(format!(
        "Requested function={name} with kwargs={shown} isn't currently supported."
    )))
}

/// The arrays that results go to, as many as there are results.
fn targets(
    vm: &mut Vm,
    args: Args,
    name: &str,
    positional: &[Value],
    count: usize,
) -> Fallible<SmallVec<[Option<Ref<ArrayObject>>; 2]>> {
    let keyword = args.not_none(vm, parameter::OUT);
    if keyword.is_some() && !positional.is_empty() {
        return Err(raise::type_error("cannot specify 'out' as both a positional and keyword argument"));
    }
    let given: Vec<Value> = match &keyword {
        Some(Value::Tuple(tuple)) => {
            if tuple.items().len() != count {
                return Err(raise::value_error("'out' tuple must have exactly one entry per ufunc output"));
            }
            tuple.items().to_vec()
        }
        Some(one) => vec![one.clone()],
        None => positional.to_vec(),
    };
    let mut targets: SmallVec<[Option<Ref<ArrayObject>>; 2]> = SmallVec::new();
    for index in 0..count {
        targets.push(match given.get(index) {
            None | Some(Value::None | Value::Unset) => None,
            Some(Value::Array(array)) => Some(array.clone()),
            Some(other) => {
                return Err(raise::type_error(format!(
                    "{name}: output array must be an array, but got <class '{}'>",
                    class_path(other)
                )));
            }
        });
    }
    Ok(targets)
}

fn mask(vm: &mut Vm, args: Args, flavour: ArrayFlavour) -> Fallible<Option<Array>> {
    match args.get(vm, parameter::WHERE) {
        Value::Unset | Value::Bool(true) => Ok(None),
        value => {
            let mask = operand_expression(vm, &value, flavour)?;
            if mask.dtype() != DType::Bool {
                return Err(raise::type_error(format!(
                    "Cannot cast array data from dtype('{}') to dtype('bool') according to the rule 'safe'",
                    mask.dtype().name()
                )));
            }
            pending::with_relief(vm, |_| mask.evaluate()).map(Some)
        }
    }
}

fn casting(vm: &mut Vm, args: Args) -> Fallible<Casting> {
    match args.optional(vm, parameter::CASTING) {
        None => Ok(Casting::SameKind),
        Some(value) => Casting::parse(&vm.str(&value)?).map_err(raised),
    }
}

/// dpnp refuses calls without an array; NumPy takes anything that becomes one.
fn check_operands(operands: &[Value], flavour: ArrayFlavour) -> Fallible<()> {
    if flavour == ArrayFlavour::NumPy {
        if operands.iter().any(|operand| matches!(operand, Value::Array(array) if array.flavour != ArrayFlavour::NumPy))
        {
            return Err(raise::type_error(
                "operand 'dpnp_array' does not support ufuncs (__array_ufunc__=None): call the dpnp function of the same \
                 name, or x.asnumpy() for a NumPy copy",
            ));
        }
        return Ok(());
    }
    for operand in operands {
        match operand {
            Value::Array(array) if array.flavour == ArrayFlavour::NumPy => {
                return Err(raise::type_error(
                    "An array must be any of supported type, but got <class 'numpy.ndarray'>. dpnp.asarray(x) copies a \
                     NumPy array to the device",
                ));
            }
            Value::Array(_) => {}
            other if term_of(other)?.is_some() => {}
            other => {
                let what = if operands.len() == 1 { "Input array" } else { "An array" };
                return Err(raise::type_error(format!(
                    "{what} must be any of supported type, but got <class '{}'>",
                    class_path(other)
                )));
            }
        }
    }
    if operands.iter().any(|operand| matches!(operand, Value::Array(_))) {
        return Ok(());
    }
    Err(match operands {
        [one] => raise::type_error(format!(
            "Input array must be any of supported type, but got <class '{}'>",
            class_path(one)
        )),
        _ => raise::type_error("At least one input must be of supported array type, but got all scalars."),
    })
}

/// One call of a universal function for one of its results.
struct Request<'a> {
    name: &'a str,
    flavour: ArrayFlavour,
    op: Op,
    dtype: Option<DType>,
    mask: Option<&'a Array>,
    casting: Casting,
}

impl Request<'_> {
    fn run(&self, vm: &mut Vm, operands: &[Value], target: Option<Ref<ArrayObject>>) -> Fallible<Value> {
        if target.is_none() && self.mask.is_none() && self.dtype.is_none() {
            return elementwise(vm, self.op, operands, Some(self.flavour));
        }
        let mut inputs: SmallVec<[Expr; 3]> = SmallVec::new();
        for operand in operands {
            inputs.push(operand_expression(vm, operand, self.flavour)?);
        }
        let mut expression = Expr::apply_as(self.op, &inputs, self.dtype, rules(self.flavour)).map_err(raised)?;
        if let (Some(target), Some(Value::Array(first))) = (&target, operands.first())
            && self.flavour != ArrayFlavour::NumPy
            && self.dtype.is_none()
            && Ref::ptr_eq(target, first)
            && expression.dtype().can_cast(target.dtype(), Casting::SameKind)
        {
            // dpnp takes this for the operation in place.
            expression = expression.cast(target.dtype());
        }
        match target {
            Some(target) => self.write_target(vm, &expression, &target),
            None => match self.mask {
                None => finish(vm, self.flavour, expression, operands),
                Some(mask) => {
                    // What the mask leaves out is unspecified, as in NumPy; here it is zero.
                    let place = expression.place().cloned().unwrap_or(Place::Host);
                    let usm = expression.usm().unwrap_or(UsmKind::Host);
                    let alloc = Alloc { place, usm };
                    let (shape, dtype) = (expression.shape().to_vec(), expression.dtype());
                    let fresh = pending::with_relief(vm, |_| Array::zeros(&shape, dtype, &alloc))?;
                    pending::with_relief(vm, |_| expression.evaluate_into(&fresh, Some(mask)))?;
                    result_value(self.flavour, fresh)
                }
            },
        }
    }

    fn write_target(&self, vm: &mut Vm, expression: &Expr, target: &Ref<ArrayObject>) -> Fallible<Value> {
        pending::settle(vm)?;
        let array = pending::compute(vm, target)?;
        if target.readonly.get() {
            return Err(raise::value_error(match self.flavour {
                ArrayFlavour::NumPy => "output array is read-only",
                ArrayFlavour::Dpnp | ArrayFlavour::Tensor => "provided `out` array is read-only",
            }));
        }
        check_writable(target)?;
        self.check_target(target, &array, expression)?;
        pending::with_relief(vm, |_| expression.evaluate_into(&array, self.mask))?;
        Ok(Value::Array(target.clone()))
    }

    fn check_target(&self, target: &ArrayObject, array: &Array, expression: &Expr) -> Fallible<()> {
        if self.flavour == ArrayFlavour::NumPy {
            if target.flavour != ArrayFlavour::NumPy {
                return Err(raise::type_error("return arrays must be of ArrayType"));
            }
            if !expression.dtype().can_cast(array.dtype(), self.casting) {
                return Err(raise::type_error(format!(
                    "Cannot cast ufunc '{}' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
                    self.name,
                    expression.dtype().name(),
                    array.dtype().name()
                )));
            }
            return Ok(());
        }
        if target.flavour == ArrayFlavour::NumPy {
            return Err(raise::type_error("An array must be any of supported type, but got <class 'numpy.ndarray'>"));
        }
        if expression.place().is_some_and(|place| place != array.place()) {
            return Err(raised(ArrayError::Placement {
                message: "Input and output allocation queues are not compatible".into(),
            }));
        }
        if expression.dtype() != array.dtype() {
            return Err(raise::value_error(format!(
                "Output array of type {} is needed, got {}",
                expression.dtype().name(),
                array.dtype().name()
            )));
        }
        if expression.shape() != array.shape() {
            return Err(raise::value_error(format!(
                "The shape of input and output arrays are inconsistent. Expected output shape is {}, got {}",
                crate::arrays::error::shape_text(expression.shape()),
                crate::arrays::error::shape_text(array.shape())
            )));
        }
        Ok(())
    }
}

fn reduce(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (op, flavour) = {
        let ufunc = this(vm, args)?;
        (ufunc.outputs.first(), ufunc.flavour)
    };
    reductions::ufunc_reduce(vm, op, flavour, args)
}

fn outer(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (op, flavour) = {
        let ufunc = this(vm, args)?;
        (ufunc.outputs.first(), ufunc.flavour)
    };
    if op.arity() != 2 {
        return Err(raise::value_error("outer product only supported for binary functions"));
    }
    let (left, right) = (args.get(vm, 1), args.get(vm, 2));
    let left = operand_expression(vm, &left, flavour)?;
    let right_rank = operand_expression(vm, &right, flavour)?.shape().len();
    let left_array = pending::with_relief(vm, |_| left.evaluate())?;
    let axes: Vec<i64> = (0..right_rank).map(|axis| (left_array.rank() + axis) as i64).collect();
    let spread = crate::arrays::functions::shapes::expand_dims(&left_array, &axes).map_err(raised)?;
    elementwise(vm, op, &[array_value(flavour, spread), right], Some(flavour))
}
