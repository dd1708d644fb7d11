//! The descriptor behind a named tuple's field.

use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::modules::support::{Typed, items_of, thread_class, unwrap_payload};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, attribute_error, index_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

#[derive(Debug)]
struct TupleGetter {
    index: usize,
    doc: String,
}

thread_class! {
    /// `collections._tuplegetter`
    pub(super) fn tuple_getter_class() = define_class("_tuplegetter", "collections", &builtin_class(Builtin::Object), PayloadKind::Sealed, METHODS);
}

impl NativeData for TupleGetter {
    fn class(&self) -> ClassRef {
        tuple_getter_class()
    }
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, index, doc)", "A field at an index of a tuple.", |vm, args| {
        let index = usize::try_from(args.index_or(vm, 1, 0)?).unwrap_or(0);
        let doc = args.text(vm, 2, "doc")?.as_ref().to_owned();
        Ok(Value::object(TupleGetter { index, doc }))
    }),
    method("__get__", "(self, instance, owner=None, /)", "The field of a tuple.", get),
    method("__set__", "(self, instance, value, /)", "Refused: tuples do not change.", refuse).with_row(0),
    method("__delete__", "(self, instance, /)", "Refused: tuples do not change.", refuse).with_row(1),
    getter("__doc__", "What the field is.", |vm, args| Ok(receiver(vm, args)?.doc.clone().into())),
];

fn receiver(vm: &Vm, args: Args) -> Fallible<Typed<TupleGetter>> {
    Typed::receiver(vm, args, "collections._tuplegetter")
}

fn get(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let instance = args.peek(vm, 1);
    if instance.is_none() {
        return Ok(args.get(vm, 0));
    }
    let index = receiver(vm, args)?.index;
    let items = items_of(&unwrap_payload(instance));
    items.get(index).cloned().ok_or_else(|| index_error("tuple index out of range"))
}

fn refuse(_vm: &mut Vm, args: Args) -> Fallible<Value> {
    Err(attribute_error(if args.row == 0 { "can't set attribute" } else { "can't delete attribute" }))
}
