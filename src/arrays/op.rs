//! The table of element-wise primitives: name, arity, doc line, dtype rule and loop family of each.

/// Whose rules apply where NumPy and dpnp differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flavour {
    /// `numpy`: arrays in host memory, warnings for floating-point exceptions.
    NumPy,
    /// `dpnp`: arrays on a device, no warnings.
    Dpnp,
}
