//! Text of arrays and NumPy scalars, as NumPy 2.4 writes it (dpnp writes the same).
//!
//! Only the elements that are shown leave the array. From the bottom: digits of one number (`digits`), aligned words (`number`), brackets and
//! lines (`lines`), `array(...)` around them (`text`).

mod array;
mod digits;
mod lines;
mod number;
mod options;
mod text;

pub use array::{array2string, repr, repr_as, scalar_repr, scalar_str, shown, str};
pub use digits::{DigitStyle, FloatWidth, Trim, positional, scientific};
pub use lines::Corners;
pub use number::{PrintedValues, complex_text, float_text};
pub use options::{FloatMode, PrintOptions, SignMode};
pub use text::{Printed, shape_repr};

#[cfg(test)]
mod tests;
