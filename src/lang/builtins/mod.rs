//! Built-in types and functions: one file a type with its table of methods, one for the free functions.

pub mod array_classes;
pub mod bytearray;
pub mod bytes;
pub mod bytes_methods;
pub mod classes;
pub mod codecs;
pub mod convert;
pub mod dict;
pub mod dunders;
pub mod equality;
pub mod exception;
pub mod format;
pub mod format_percent;
pub mod format_spec;
pub mod functions;
pub mod generic_alias;
pub mod hash;
pub mod item;
pub mod iterators;
pub mod list;
pub mod memoryview;
pub mod number_text;
pub mod property;
pub mod range;
pub mod receiver;
pub mod repr;
pub mod set;
pub mod set_methods;
pub mod slice;
pub mod sort;
pub mod str_layout;
pub mod table;
pub mod text;
pub mod tuple;
pub mod unicode;

/// Attaches the methods of the built-in data types to their classes; once per thread.
pub fn install_types() {
    list::install();
    tuple::install();
    dict::install();
    set_methods::install();
    range::install();
    slice::install();
    iterators::install();
    bytes_methods::install();
    bytearray::install();
    memoryview::install();
}
