//! The classes of arrays and NumPy scalars; the array modules attach their methods.

use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::objects::{ArrayFlavour, ClassRef, PayloadKind};

thread_local! {
    static ARRAYS: [ClassRef; 3] = {
        let object = builtin_class(Builtin::Object);
        [
            define_class("dpnp_array", "dpnp.dpnp_array", &object, PayloadKind::Sealed, &[]),
            define_class("usm_ndarray", "dpctl.tensor._usmarray", &object, PayloadKind::Sealed, &[]),
            define_class("ndarray", "numpy", &object, PayloadKind::Sealed, &[]),
        ]
    };
}

/// The class of a library's arrays.
pub fn array_class(flavour: ArrayFlavour) -> ClassRef {
    ARRAYS.with(|classes| classes[flavour as usize].clone())
}
