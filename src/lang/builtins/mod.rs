//! Built-in types and functions: one file a type with its table of methods, one for the free functions.

pub mod array_classes;
pub mod bytearray;
pub mod bytes;
pub mod bytes_methods;
pub mod cell_object;
pub mod class_type;
pub mod classes;
pub mod code_object;
pub mod codecs;
pub mod complex;
pub mod convert;
pub mod depth;
pub mod dict;
pub mod dunders;
pub mod equality;
pub mod exception;
pub mod exception_attributes;
pub mod exception_group;
pub mod float;
pub mod format;
pub mod format_percent;
pub mod format_spec;
pub mod frame_object;
pub mod function;
pub mod functions;
pub mod generator;
pub mod generic_alias;
pub mod hash;
pub mod int;
pub mod item;
pub mod iterators;
pub mod list;
pub mod mapping_proxy;
pub mod member;
pub mod memoryview;
pub mod module_object;
pub mod none;
pub mod number_text;
pub mod object;
pub mod property;
pub mod range;
pub mod receiver;
pub mod repr;
pub mod set;
pub mod set_methods;
pub mod slice;
pub mod sort;
pub mod str_format;
pub mod str_layout;
pub mod str_methods;
pub mod str_shape;
pub mod super_object;
pub mod table;
pub mod text;
pub mod traceback_object;
pub mod tuple;
pub mod unicode;

/// Attaches the methods of the built-in data types to their classes; once per thread.
pub fn install_types() {
    none::install();
    int::install();
    float::install();
    complex::install();
    list::install();
    tuple::install();
    dict::install();
    set_methods::install();
    range::install();
    slice::install();
    iterators::install();
    functions::iteration::install();
    str_methods::install();
    bytes_methods::install();
    bytearray::install();
    memoryview::install();
}

/// Fills the built-in names and classes of a new machine. Classes are made once per thread and shared by its machines.
pub fn install(vm: &mut crate::lang::vm::Vm) -> crate::lang::raise::Fallible<()> {
    thread_local! {
        static IS_INSTALLED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
    if !IS_INSTALLED.replace(true) {
        object::install();
        class_type::install();
        function::install();
        cell_object::install();
        code_object::install();
        mapping_proxy::install();
        member::install();
        module_object::install();
        generator::install();
        super_object::install();
        traceback_object::install();
        exception::install();
        exception_group::install();
        property::install();
        install_types();
        super::arrays::install();
    }
    functions::install(&vm.builtins);
    for &class in classes::ALL {
        if class.is_named() {
            let name = crate::lang::name::Name::new(class.name());
            vm.builtins.set(name, crate::lang::value::Value::Class(classes::builtin_class(class)));
        }
    }
    use crate::lang::value::Value;
    for (name, value) in [
        ("NotImplemented", Value::NotImplemented),
        ("Ellipsis", Value::Ellipsis),
        ("__debug__", Value::Bool(true)),
        ("EnvironmentError", Value::Class(classes::builtin_class(classes::Builtin::OSError))),
        ("IOError", Value::Class(classes::builtin_class(classes::Builtin::OSError))),
    ] {
        vm.builtins.set(crate::lang::name::Name::new(name), value);
    }
    Ok(())
}
