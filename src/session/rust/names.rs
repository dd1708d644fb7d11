//! What Rust values reach in a session by name: arrays to read, names to bind, functions to offer to array cells.

use std::rc::Rc;

use super::function;
use crate::arrays::error::OutOfMemory;
use crate::arrays::{Alloc, Array, Operand, Place};
use crate::lang::arrays::convert::{array_value, scalar_of};
use crate::lang::arrays::pending;
use crate::lang::heap::Ref;
use crate::lang::host::Host;
use crate::lang::name::Name;
use crate::lang::objects::{ArrayFlavour, ArrayObject};
use crate::lang::raise::{Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;
use crate::rust_cells::{Failure, Found, Function, Names};
use crate::session::core::Core;

/// The session as the server of array requests sees it.
pub(super) struct SessionNames<'a> {
    pub(super) core: &'a Core,
    pub(super) vm: &'a mut Vm,
}

/// An exception in the words that Rust gets.
pub(super) fn failure_of(raised: &Raised) -> Failure {
    let class = raised.0.class.borrow().name.get().text().to_owned();
    let message = raised.0.args.borrow().first().and_then(Value::as_str).unwrap_or_default().to_owned();
    Failure { class, message }
}

/// Whose array it is to array cells: NumPy's on the host, dpnp's elsewhere.
pub(super) fn flavour_of(array: &Array) -> ArrayFlavour {
    match array.place() {
        Place::Host => ArrayFlavour::NumPy,
        Place::Queue(_) => ArrayFlavour::Dpnp,
    }
}

fn named_value(found: Found) -> Value {
    let object = ArrayObject::ready(flavour_of(&found.array), found.array);
    object.readonly.set(found.is_readonly);
    Value::Array(Ref::new(object))
}

/// Whether array cells can write it as a name.
fn check_name(name: &str) -> Result<(), Failure> {
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if begins && name.chars().all(|c| c.is_alphanumeric() || c == '_') && !is_keyword(name) {
        return Ok(());
    }
    Err(Failure::new("ValueError", format!("'{name}' is no name that array cells can have")))
}

fn is_keyword(name: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
        "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    KEYWORDS.contains(&name)
}

impl SessionNames<'_> {
    fn array_of(&mut self, name: &str, value: &Value) -> Fallible<Result<Found, Failure>> {
        if let Value::Array(object) = value {
            let array = pending::compute(self.vm, object)?;
            return Ok(Ok(Found { array, is_readonly: object.readonly.get() }));
        }
        // A number is an array without axes, where new arrays go.
        let Some(operand) = scalar_of(value)? else {
            let kind = value.type_name();
            let message = format!("{name} is a {kind}, not an array: dpnp.asarray({name}) makes one where it can");
            return Ok(Err(Failure::new("TypeError", message)));
        };
        let array = pending::with_relief(self.vm, |_| {
            let alloc = Alloc::default_device()?;
            let dtype = operand.dtype(alloc.place.fp64());
            let value = match operand {
                Operand::Weak(value) => value.convert(dtype)?,
                Operand::Typed(value, _) => value,
            };
            Array::from_scalar(value, dtype, &alloc)
        })?;
        Ok(Ok(Found { array, is_readonly: false }))
    }

    fn set(&mut self, name: &str, value: Value) {
        let old = self.vm.main.globals.borrow_mut().set(Name::new(name), value);
        drop(old);
    }
}

impl Names for SessionNames<'_> {
    fn find(&mut self, name: &str) -> Result<Option<Found>, Failure> {
        match self.core.find_path(self.vm, name) {
            None => Ok(None),
            Some(value) => self.array_of(name, &value).map_err(|raised| failure_of(&raised))?.map(Some),
        }
    }

    fn bind(&mut self, name: &str, found: Found) -> Result<(), Failure> {
        check_name(name)?;
        self.set(name, named_value(found));
        Ok(())
    }

    fn bind_function(&mut self, function: Rc<Function>) -> Result<(), Failure> {
        check_name(&function.info().name)?;
        let name = function.info().name.clone();
        let value = function::value(self.core, function);
        self.set(&name, value);
        Ok(())
    }

    fn show(&mut self, array: &Array) -> Result<String, Failure> {
        let value = array_value(flavour_of(array), array.clone());
        self.vm.str(&value).map(|text| text.to_string()).map_err(|raised| failure_of(&raised))
    }

    fn relieve(&mut self) -> Result<(), Failure> {
        self.vm.relieve_memory();
        Ok(())
    }

    fn explain(&mut self, shortage: &OutOfMemory) -> String {
        self.core.explain_out_of_memory(self.vm, shortage)
    }
}
