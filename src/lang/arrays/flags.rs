//! `x.flags`: how an array lies in memory.

use crate::lang::builtins::classes::{Builtin, attach, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ArrayFlavour, ArrayObject, ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// The flags of an array, which it keeps alive as NumPy's do.
#[derive(Debug)]
struct Flags(Ref<ArrayObject>);

/// What they say now.
struct Seen {
    c_contiguous: bool,
    f_contiguous: bool,
    writable: bool,
    is_numpy: bool,
    owns: bool,
}

impl NativeData for Flags {
    fn class(&self) -> ClassRef {
        thread_local! {
            static CLASSES: [ClassRef; 2] = {
                let object = builtin_class(Builtin::Object);
                let numpy = define_class("flagsobj", "numpy._core.multiarray", &object, PayloadKind::Sealed, METHODS);
                let dpnp = define_class("Flags", "dpnp.tensor._flags", &object, PayloadKind::Sealed, METHODS);
                attach(&numpy, OF_NUMPY);
                attach(&dpnp, OF_DPNP);
                [dpnp, numpy]
            };
        }
        CLASSES.with(|classes| classes[usize::from(self.0.flavour == ArrayFlavour::NumPy)].clone())
    }

    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Base, &Value::Array(self.0.clone()));
    }
}

/// The flags of a computed array as a value.
pub fn flags_value(array: &Ref<ArrayObject>) -> Value {
    Value::object(Flags(array.clone()))
}

/// Says whether a computed array may be written; one that was opened for reading stays as it is.
pub fn set_writable(array: &ArrayObject, writable: bool) -> Fallible<Value> {
    let is_file = array.computed().is_some_and(|array| array.buffer().is_mapped());
    if writable && array.readonly.get() && is_file {
        return Err(raise::value_error("cannot set WRITEABLE flag to True of this array"));
    }
    array.readonly.set(!writable);
    Ok(Value::None)
}

const OF_DPNP: &[Method] = &[
    getter("writable", "Whether the array may be written.", |vm, args| Ok(Value::Bool(this(vm, args)?.writable))),
    getter("flags", "All of them in a number: 1 C order, 2 Fortran order, 4 writable.", |vm, args| {
        let flags = this(vm, args)?;
        let bits = i64::from(flags.c_contiguous) | i64::from(flags.f_contiguous) << 1 | i64::from(flags.writable) << 2;
        Ok(Value::Int(bits))
    }),
    method("__repr__", "(self)", "One flag a line.", |vm, args| {
        let flags = this(vm, args)?;
        lines(&[
            ("C_CONTIGUOUS", flags.c_contiguous),
            ("F_CONTIGUOUS", flags.f_contiguous),
            ("WRITABLE", flags.writable),
        ])
    }),
];

const OF_NUMPY: &[Method] = &[
    getter("aligned", "Always: elements lie where the processor wants them.", |_, _| Ok(Value::Bool(true))),
    getter("owndata", "Whether the memory was made for this array and not for one it is a view of.", |vm, args| {
        Ok(Value::Bool(this(vm, args)?.owns))
    }),
    getter("fortran", "Whether elements lie in Fortran order.", |vm, args| {
        Ok(Value::Bool(this(vm, args)?.f_contiguous))
    }),
    getter("num", "All of them in a number, as NumPy's C interface has them.", |vm, args| {
        let flags = this(vm, args)?;
        let bits =
            [(flags.c_contiguous, 1), (flags.f_contiguous, 2), (flags.owns, 4), (true, 0x100), (flags.writable, 0x400)];
        Ok(Value::Int(bits.iter().map(|(is_set, bit)| if *is_set { *bit } else { 0 }).sum()))
    }),
    getter("writebackifcopy", "Never: no array here writes back to another.", |_, _| Ok(Value::Bool(false))),
    getter("behaved", "Whether it is aligned and may be written.", |vm, args| {
        Ok(Value::Bool(this(vm, args)?.writable))
    }),
    getter("carray", "Whether it is behaved and in C order.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.writable && flags.c_contiguous))
    }),
    getter("farray", "Whether it is behaved and in Fortran order only.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.writable && flags.f_contiguous && !flags.c_contiguous))
    }),
    method("__repr__", "(self)", "One flag a line.", |vm, args| {
        let flags = this(vm, args)?;
        let text = lines(&[
            ("C_CONTIGUOUS", flags.c_contiguous),
            ("F_CONTIGUOUS", flags.f_contiguous),
            ("OWNDATA", flags.owns),
            ("WRITEABLE", flags.writable),
            ("ALIGNED", true),
            ("WRITEBACKIFCOPY", false),
        ])?;
        // NumPy ends the last line.
        Ok(Value::str(format!("{}\n", text.as_str().unwrap_or_default())))
    }),
];

fn lines(flags: &[(&str, bool)]) -> Fallible<Value> {
    let word = |truth| if truth { "True" } else { "False" };
    let lines: Vec<String> = flags.iter().map(|(name, truth)| format!("  {name} : {}", word(*truth))).collect();
    Ok(Value::str(lines.join("\n")))
}

const METHODS: &[Method] = &[
    getter("c_contiguous", "Whether elements lie in C order.", |vm, args| {
        Ok(Value::Bool(this(vm, args)?.c_contiguous))
    }),
    getter("f_contiguous", "Whether elements lie in Fortran order.", |vm, args| {
        Ok(Value::Bool(this(vm, args)?.f_contiguous))
    }),
    getter("contiguous", "Whether elements lie in either order.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.c_contiguous || flags.f_contiguous))
    }),
    getter("fc", "Whether elements lie in both orders.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.c_contiguous && flags.f_contiguous))
    }),
    getter("forc", "Whether elements lie in either order.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.c_contiguous || flags.f_contiguous))
    }),
    getter("fnc", "Whether elements lie in Fortran order and not in C order.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.f_contiguous && !flags.c_contiguous))
    }),
    getter("writeable", "Whether the array may be written.", |vm, args| Ok(Value::Bool(this(vm, args)?.writable))),
    method("writeable.setter", "(self, value, /)", "Says whether the array may be written.", |vm, args| {
        let writable = vm.truth(&args.get(vm, 1))?;
        set_writable(&flags(vm, args)?.0, writable)
    }),
    method("__setitem__", "(self, key, value, /)", "Sets the flag WRITEABLE.", |vm, args| {
        let key = args.text(vm, 1, "key")?;
        if !matches!(&*key, "WRITEABLE" | "WRITABLE" | "W") {
            return Err(raise::key_error(Value::str("Unknown flag")));
        }
        let writable = vm.truth(&args.get(vm, 2))?;
        set_writable(&flags(vm, args)?.0, writable)
    }),
    method("__getitem__", "(self, key, /)", "A flag by its name.", |vm, args| {
        let key = args.text(vm, 1, "key")?;
        let flags = this(vm, args)?;
        match &*key {
            "C_CONTIGUOUS" | "C" => Ok(Value::Bool(flags.c_contiguous)),
            "F_CONTIGUOUS" | "F" => Ok(Value::Bool(flags.f_contiguous)),
            "FC" => Ok(Value::Bool(flags.c_contiguous && flags.f_contiguous)),
            "FNC" => Ok(Value::Bool(flags.f_contiguous && !flags.c_contiguous)),
            "FORC" | "CONTIGUOUS" => Ok(Value::Bool(flags.c_contiguous || flags.f_contiguous)),
            "WRITABLE" | "WRITEABLE" | "W" => Ok(Value::Bool(flags.writable)),
            "OWNDATA" | "O" if flags.is_numpy => Ok(Value::Bool(flags.owns)),
            "ALIGNED" | "A" if flags.is_numpy => Ok(Value::Bool(true)),
            "WRITEBACKIFCOPY" | "X" if flags.is_numpy => Ok(Value::Bool(false)),
            _ => Err(raise::key_error(Value::str("Unknown flag"))),
        }
    }),
];

fn this(vm: &Vm, args: Args) -> Fallible<Seen> {
    let array = &flags(vm, args)?.0;
    let computed = array.computed().ok_or_else(|| raise::value_error("the array is not computed"))?;
    Ok(Seen {
        c_contiguous: computed.is_c_contiguous(),
        f_contiguous: computed.layout().is_f_contiguous(),
        writable: !array.readonly.get(),
        is_numpy: array.flavour == ArrayFlavour::NumPy,
        owns: array.owns.get() && !computed.buffer().is_mapped(),
    })
}

fn flags(vm: &Vm, args: Args) -> Fallible<&Flags> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<Flags>(),
        _ => None,
    }
    .ok_or_else(|| raise::type_error("expected an array's flags"))
}
