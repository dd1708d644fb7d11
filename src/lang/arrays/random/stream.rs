//! Streams of random numbers: `RandomState`, `Generator`, one global stream a library, and a call that draws from one.

use std::cell::RefCell;

use super::distributions::DISTRIBUTIONS;
use super::seeds::{SOURCE_METHODS, Seeds};
use super::tables::{GENERATOR_DRAWS, GENERATOR_METHODS, PLACES, STATE_DRAWS, STATE_METHODS};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::random::{Family, Generator};
use crate::lang::arrays::call::{Call, FLAVOURS, for_flavour};
use crate::lang::arrays::convert::{python_value, shape_argument};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::pending;
use crate::lang::builtins::classes::{Builtin, attach, builtin_class, define_class};
use crate::lang::native::{Args, Method};
use crate::lang::objects::{ArrayFlavour, ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A `RandomState` or a `Generator`.
#[derive(Debug)]
pub struct GeneratorObject {
    flavour: ArrayFlavour,
    pub(super) generator: RefCell<Generator>,
    /// Where dpnp's streams draw when they were made for a device.
    alloc: Option<Alloc>,
    /// What a generator of the modern family was seeded with.
    seeds: Option<Seeds>,
}

impl GeneratorObject {
    /// A stream of a library.
    pub fn new(flavour: ArrayFlavour, generator: Generator, alloc: Option<Alloc>) -> Self {
        Self { flavour, generator: RefCell::new(generator), alloc, seeds: None }
    }

    /// A generator of the modern family.
    pub fn of_seeds(flavour: ArrayFlavour, seeds: Seeds) -> Self {
        Self { flavour, generator: RefCell::new(seeds.generator()), alloc: None, seeds: Some(seeds) }
    }

    /// What it was seeded with, where it is of the modern family.
    pub fn seeds(&self) -> Option<&Seeds> {
        self.seeds.as_ref()
    }
}

impl NativeData for GeneratorObject {
    fn class(&self) -> ClassRef {
        match self.generator.borrow().family() {
            Family::Modern => generator_class(),
            Family::Legacy => state_class(self.flavour),
        }
    }
}

thread_local! {
    static CLASSES: [ClassRef; 3] = {
        let object = builtin_class(Builtin::Object);
        let modern = define_class("Generator", "numpy.random", &object, PayloadKind::Sealed, GENERATOR_METHODS);
        let states = [ArrayFlavour::NumPy, ArrayFlavour::Dpnp].map(|flavour| {
            let home = if flavour == ArrayFlavour::NumPy { "numpy.random" } else { "dpnp.random" };
            let methods: Vec<Method> = STATE_METHODS.iter().map(|line| for_flavour(line, flavour)).collect();
            define_class("RandomState", home, &object, PayloadKind::Sealed, &methods)
        });
        let [numpy, dpnp] = states;
        attach(&dpnp, PLACES);
        attach(&modern, GENERATOR_DRAWS);
        attach(&modern, SOURCE_METHODS);
        attach(&numpy, STATE_DRAWS);
        attach(&dpnp, STATE_DRAWS);
        for class in [&modern, &numpy, &dpnp] {
            attach(class, DISTRIBUTIONS);
        }
        [modern, numpy, dpnp]
    };
    /// The global stream of each library, seeded from the system at first use.
    static GLOBAL: RefCell<[Option<Value>; 3]> = const { RefCell::new([None, None, None]) };
}

/// `Generator`
pub fn generator_class() -> ClassRef {
    CLASSES.with(|classes| classes[0].clone())
}

/// `RandomState` of a library.
pub fn state_class(flavour: ArrayFlavour) -> ClassRef {
    CLASSES.with(|classes| classes[if flavour == ArrayFlavour::NumPy { 1 } else { 2 }].clone())
}

/// The stream of a call and where its parameters begin: after `self` in a method, at 0 in the module's function.
pub struct Drawing {
    /// The `RandomState` or `Generator`.
    pub stream: Value,
    /// Whose arrays come out.
    pub flavour: ArrayFlavour,
    /// The bound arguments.
    pub args: Args,
    first: usize,
    /// The parameter `device=`, which `usm_type=` and `sycl_queue=` follow, when the function has them.
    placement: Option<usize>,
}

impl Drawing {
    /// A call of a stream's method.
    pub fn of_method(vm: &Vm, args: Args) -> Fallible<Self> {
        let stream = args.get(vm, 0);
        let Some(object) = as_generator(&stream) else {
            return Err(raise::type_error(format!("expected a random generator, got {}", stream.type_name())));
        };
        Ok(Self { flavour: object.flavour, stream, args, first: 1, placement: None })
    }

    /// A call of the module's function, whose last three parameters say where the result goes.
    pub fn of_module(vm: &Vm, args: Args) -> Fallible<Self> {
        let mut drawing = Self::of_plain_module(args)?;
        let placement = args.count() - 3;
        if drawing.flavour == ArrayFlavour::NumPy {
            for (at, name) in ["device", "usm_type", "sycl_queue"].iter().enumerate() {
                if args.optional(vm, placement + at).is_some() {
                    return Err(raise::type_error(format!(
                        "numpy.random draws on the host: '{name}' belongs to dpnp.random"
                    )));
                }
            }
        }
        drawing.placement = Some(placement);
        Ok(drawing)
    }

    /// A call of a function of the module that always draws on the default device.
    pub fn of_plain_module(args: Args) -> Fallible<Self> {
        let flavour = FLAVOURS[args.row.min(2)];
        Ok(Self { stream: global(flavour)?, flavour, args, first: 0, placement: None })
    }

    /// How many parameters are the function's own: neither `self` nor where the result goes.
    pub fn own_parameters(&self) -> usize {
        self.placement.unwrap_or(self.args.count()) - self.first
    }

    /// The call as array functions see it.
    pub fn call(&self) -> Call {
        Call { args: self.args, flavour: self.flavour }
    }

    /// The slot of a parameter of its own.
    pub fn place(&self, parameter: usize) -> usize {
        self.first + parameter
    }

    /// A parameter of its own, nothing when it was not given.
    pub fn value(&self, vm: &Vm, parameter: usize) -> Option<Value> {
        self.args.not_none(vm, self.place(parameter))
    }

    /// Where results go: the host for NumPy; for dpnp where the call says, else where the stream does, else the default queue.
    pub fn alloc(&self, vm: &mut Vm) -> Fallible<Alloc> {
        if self.flavour == ArrayFlavour::NumPy {
            return Ok(Alloc::HOST);
        }
        if let Some(alloc) = as_generator(&self.stream).and_then(|object| object.alloc.clone()) {
            return Ok(alloc);
        }
        match self.placement {
            Some(device) => self.call().alloc(vm, device, device + 1, device + 2),
            None => Alloc::default_device().map_err(raised),
        }
    }

    /// The dtype of whole numbers when none is named.
    pub fn default_whole(&self) -> DType {
        if self.flavour == ArrayFlavour::NumPy { DType::Int64 } else { DType::Int32 }
    }

    /// The dtype of real numbers when none is named.
    pub fn default_dtype(&self, alloc: &Alloc) -> DType {
        DType::default_float(alloc.place.fp64())
    }

    /// `size=`: nothing gives one number.
    pub fn shape(&self, vm: &mut Vm, parameter: usize) -> Fallible<Option<Vec<usize>>> {
        match self.value(vm, parameter) {
            None => Ok(None),
            Some(value) => shape_argument(vm, &value).map(Some),
        }
    }

    /// Draws; a draw that runs out of memory is repeated from the same state.
    pub fn draw(
        &self,
        vm: &mut Vm,
        mut work: impl FnMut(&mut Generator) -> Result<Array, ArrayError>,
    ) -> Fallible<Array> {
        pending::with_relief(vm, |_| {
            let Some(object) = as_generator(&self.stream) else {
                return Err(ArrayError::runtime("the stream is gone"));
            };
            // A draw that runs out of memory is repeated from the same state.
            let mut trial = object.generator.borrow().clone();
            let array = work(&mut trial)?;
            // A plan draws nothing.
            if !crate::arrays::plan::is_on() {
                object.generator.replace(trial);
            }
            Ok(array)
        })
    }

    /// The result of a draw: a Python number when no size was asked for from NumPy, else an array.
    pub fn give(&self, array: Array, is_single: bool) -> Fallible<Value> {
        if is_single && self.flavour == ArrayFlavour::NumPy {
            return array.read_scalar(&[]).map(python_value).map_err(raised);
        }
        Ok(self.call().give(array))
    }
}

/// The stream of a value.
pub fn as_generator(value: &Value) -> Option<&GeneratorObject> {
    match value {
        Value::Object(object) => object.downcast::<GeneratorObject>(),
        _ => None,
    }
}

fn global(flavour: ArrayFlavour) -> Fallible<Value> {
    if let Some(stream) = GLOBAL.with_borrow(|streams| streams[flavour as usize].clone()) {
        return Ok(stream);
    }
    let generator = Generator::unseeded(Family::Legacy).map_err(raised)?;
    let stream = Value::object(GeneratorObject::new(flavour, generator, None));
    let old = GLOBAL.with_borrow_mut(|streams| streams[flavour as usize].replace(stream.clone()));
    drop(old);
    Ok(stream)
}

/// Puts another stream in the place of a library's global one.
pub fn replace_global(flavour: ArrayFlavour, generator: Generator, alloc: Option<Alloc>) {
    let stream = Value::object(GeneratorObject::new(flavour, generator, alloc));
    let old = GLOBAL.with_borrow_mut(|streams| streams[flavour as usize].replace(stream));
    drop(old);
}
