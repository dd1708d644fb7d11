//! `operator`: the operators as functions, and the objects that get items, attributes and call methods.

use super::support::{Typed, instantiate, items_of, keywords_of, new_module, text_of, thread_class};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{ClassRef, ModuleObject, NativeData, PayloadKind};
use crate::lang::operators::{BinaryOperator, CompareOperator, UnaryOperator};
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

const BINARY: &[(&str, &str, BinaryOperator)] = &[
    ("add", "Same as a + b.", BinaryOperator::Add),
    ("sub", "Same as a - b.", BinaryOperator::Subtract),
    ("mul", "Same as a * b.", BinaryOperator::Multiply),
    ("truediv", "Same as a / b.", BinaryOperator::TrueDivide),
    ("floordiv", "Same as a // b.", BinaryOperator::FloorDivide),
    ("mod", "Same as a % b.", BinaryOperator::Modulo),
    ("pow", "Same as a ** b.", BinaryOperator::Power),
    ("matmul", "Same as a @ b.", BinaryOperator::MatrixMultiply),
    ("lshift", "Same as a << b.", BinaryOperator::ShiftLeft),
    ("rshift", "Same as a >> b.", BinaryOperator::ShiftRight),
    ("and_", "Same as a & b.", BinaryOperator::And),
    ("or_", "Same as a | b.", BinaryOperator::Or),
    ("xor", "Same as a ^ b.", BinaryOperator::Xor),
];

/// The in-place forms, at the same places as [`BINARY`].
const IN_PLACE: &[&str] = &[
    "iadd",
    "isub",
    "imul",
    "itruediv",
    "ifloordiv",
    "imod",
    "ipow",
    "imatmul",
    "ilshift",
    "irshift",
    "iand",
    "ior",
    "ixor",
];

const COMPARE: &[(&str, &str, CompareOperator)] = &[
    ("eq", "Same as a == b.", CompareOperator::Equal),
    ("ne", "Same as a != b.", CompareOperator::NotEqual),
    ("lt", "Same as a < b.", CompareOperator::Less),
    ("le", "Same as a <= b.", CompareOperator::LessEqual),
    ("gt", "Same as a > b.", CompareOperator::Greater),
    ("ge", "Same as a >= b.", CompareOperator::GreaterEqual),
];

const UNARY: &[(&str, &str, UnaryOperator)] = &[
    ("neg", "Same as -a.", UnaryOperator::Negative),
    ("pos", "Same as +a.", UnaryOperator::Positive),
    ("inv", "Same as ~a.", UnaryOperator::Invert),
    ("invert", "Same as ~a.", UnaryOperator::Invert),
];

const FUNCTIONS: &[Method] = &[
    method("not_", "(a, /)", "Same as not a.", |vm, args| {
        let a = args.get(vm, 0);
        Ok((!vm.truth(&a)?).into())
    }),
    method("truth", "(a, /)", "Return True if a is true, False otherwise.", |vm, args| {
        let a = args.get(vm, 0);
        Ok(vm.truth(&a)?.into())
    }),
    method("is_", "(a, b, /)", "Same as a is b.", |vm, args| Ok(args.get(vm, 0).is_same(&args.get(vm, 1)).into())),
    method("is_not", "(a, b, /)", "Same as a is not b.", |vm, args| {
        Ok((!args.get(vm, 0).is_same(&args.get(vm, 1))).into())
    }),
    method("abs", "(a, /)", "Same as abs(a).", |vm, args| {
        let a = args.get(vm, 0);
        let Some(function) = vm.find_special(&a, Name::new("__abs__")) else {
            return Err(type_error(format!("bad operand type for abs(): '{}'", a.type_name())));
        };
        vm.call(&function, &[])
    }),
    method("index", "(a, /)", "Same as a.__index__()", |vm, args| {
        let a = args.get(vm, 0);
        super::support::integer(vm, &a).map(Value::int)
    }),
    method("concat", "(a, b, /)", "Same as a + b, for a and b sequences.", |vm, args| {
        let (a, b) = (args.get(vm, 0), args.get(vm, 1));
        if matches!(a, Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::None | Value::Dict(_) | Value::Set(_))
        {
            return Err(type_error(format!("'{}' object can't be concatenated", a.type_name())));
        }
        vm.binary(BinaryOperator::Add, &a, &b)
    }),
    method("contains", "(a, b, /)", "Same as b in a (note reversed operands).", |vm, args| {
        let (a, b) = (args.get(vm, 0), args.get(vm, 1));
        Ok(vm.contains(&a, &b)?.into())
    }),
    method("countOf", "(a, b, /)", "Return the number of items in a which are, or which equal, b.", |vm, args| {
        let (a, b) = (args.get(vm, 0), args.get(vm, 1));
        let iterator = vm.iter(&a)?;
        let mut count = 0_usize;
        while let Some(item) = vm.next(&iterator)? {
            count += usize::from(vm.equals(&item, &b)?);
        }
        Ok(count.into())
    }),
    method("indexOf", "(a, b, /)", "Return the first index of b in a.", |vm, args| {
        let (a, b) = (args.get(vm, 0), args.get(vm, 1));
        let iterator = vm.iter(&a)?;
        let mut place = 0_usize;
        while let Some(item) = vm.next(&iterator)? {
            if vm.equals(&item, &b)? {
                return Ok(place.into());
            }
            place += 1;
        }
        Err(value_error("sequence.index(x): x not in sequence"))
    }),
    method("getitem", "(a, b, /)", "Same as a[b].", |vm, args| {
        let (a, b) = (args.get(vm, 0), args.get(vm, 1));
        vm.get_item(&a, &b)
    }),
    method("setitem", "(a, b, c, /)", "Same as a[b] = c.", |vm, args| {
        let (a, b, c) = (args.get(vm, 0), args.get(vm, 1), args.get(vm, 2));
        vm.set_item(&a, &b, c)?;
        Ok(Value::None)
    }),
    method("delitem", "(a, b, /)", "Same as del a[b].", |vm, args| {
        let (a, b) = (args.get(vm, 0), args.get(vm, 1));
        vm.delete_item(&a, &b)?;
        Ok(Value::None)
    }),
    method("iconcat", "(a, b, /)", "Same as a += b, for a and b sequences.", |vm, args| {
        let (a, b) = (args.take(vm, 0), args.get(vm, 1));
        vm.binary_in_place(BinaryOperator::Add, a, &b)
    }),
    method("length_hint", "(obj, default=0, /)", "Return an estimate of the number of items in obj.", |vm, args| {
        let object = args.get(vm, 0);
        if let Ok(len) = vm.len(&object) {
            return Ok(len.into());
        }
        if let Some(hint) = vm.find_special(&object, Name::new("__length_hint__")) {
            let hint = vm.call(&hint, &[])?;
            if !matches!(hint, Value::NotImplemented) {
                return Ok(hint);
            }
        }
        Ok(Value::Int(args.index_or(vm, 1, 0)?))
    }),
    method("call", "(obj, /, *args, **kwargs)", "Same as obj(*args, **kwargs).", |vm, args| {
        let object = args.get(vm, 0);
        let (positional, keywords) = (items_of(args.peek(vm, 1)), keywords_of(args.peek(vm, 2)));
        vm.call_with(&object, &positional, &keywords)
    }),
];

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module("operator", "Operator interface.", FUNCTIONS);
    let add = |row: Method| module.set(Name::new(row.name), Value::Native(row.build(None, Some(module.name))));
    for (row, (name, doc, _)) in BINARY.iter().enumerate() {
        add(method(name, "(a, b, /)", doc, binary).with_row(row));
        add(method(IN_PLACE[row], "(a, b, /)", "The in-place form of the operator.", in_place).with_row(row));
    }
    for (row, (name, doc, _)) in COMPARE.iter().enumerate() {
        add(method(name, "(a, b, /)", doc, compare).with_row(row));
    }
    for (row, (name, doc, _)) in UNARY.iter().enumerate() {
        add(method(name, "(a, /)", doc, unary).with_row(row));
    }
    // Each has a name of the form `__add__` too.
    let plain: Vec<(Name, Value)> = module.globals.borrow().iter().map(|(name, value)| (name, value.clone())).collect();
    for (name, value) in plain {
        let bare = name.text().trim_end_matches('_');
        if matches!(value, Value::Native(_))
            && !matches!(bare, "truth" | "is" | "is_not" | "countOf" | "indexOf" | "length_hint")
        {
            module.set(Name::new(&format!("__{bare}__")), value);
        }
    }
    for class in [item_getter_class(), attribute_getter_class(), method_caller_class()] {
        module.set(class.name.get(), Value::Class(class));
    }
    Ok(module)
}

fn binary(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (args.get(vm, 0), args.get(vm, 1));
    vm.binary(BINARY[args.row].2, &a, &b)
}

fn in_place(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (args.take(vm, 0), args.get(vm, 1));
    vm.binary_in_place(BINARY[args.row].2, a, &b)
}

fn compare(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (args.get(vm, 0), args.get(vm, 1));
    vm.compare(COMPARE[args.row].2, &a, &b)
}

fn unary(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let a = args.get(vm, 0);
    vm.unary(UNARY[args.row].2, &a)
}

/// What a getter or caller applies to the object it is called with.
#[derive(Debug)]
enum What {
    Items(Vec<Value>),
    Attributes(Vec<Vec<Name>>),
    Method(Name, Vec<Value>, Vec<(Name, Value)>),
}

#[derive(Debug)]
struct Getter {
    what: What,
}

thread_class! {
    fn item_getter_class() = define_class("itemgetter", "operator", &builtin_class(Builtin::Object), PayloadKind::Value, ITEM_GETTER);
}
thread_class! {
    fn attribute_getter_class() = define_class("attrgetter", "operator", &builtin_class(Builtin::Object), PayloadKind::Value, ATTRIBUTE_GETTER);
}
thread_class! {
    fn method_caller_class() = define_class("methodcaller", "operator", &builtin_class(Builtin::Object), PayloadKind::Value, METHOD_CALLER);
}

impl NativeData for Getter {
    fn class(&self) -> ClassRef {
        match self.what {
            What::Items(_) => item_getter_class(),
            What::Attributes(_) => attribute_getter_class(),
            What::Method(..) => method_caller_class(),
        }
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        match &self.what {
            What::Items(items) => items.iter().enumerate().for_each(|(index, item)| visit(Edge::Argument(index), item)),
            What::Attributes(_) => {}
            What::Method(_, positional, keywords) => {
                let all = positional.iter().chain(keywords.iter().map(|(_, value)| value));
                all.enumerate().for_each(|(index, item)| visit(Edge::Argument(index), item));
            }
        }
    }
}

const CALL: Method = method("__call__", "(self, obj, /)", "Call self as a function.", call);
const REPR: Method = method("__repr__", "(self, /)", "Return repr(self).", repr);
const ITEM_GETTER: &[Method] = &[
    static_method(
        "__new__",
        "(cls, item, /, *items)",
        "Return a callable object that fetches the given item(s) from its operand.",
        |vm, args| {
            let mut items = vec![args.get(vm, 1)];
            items.extend(items_of(args.peek(vm, 2)));
            make(vm, args, What::Items(items), &item_getter_class())
        },
    ),
    CALL,
    REPR,
];
const ATTRIBUTE_GETTER: &[Method] = &[
    static_method(
        "__new__",
        "(cls, attr, /, *attrs)",
        "Return a callable object that fetches the given attribute(s) from its operand.",
        |vm, args| {
            let mut all = vec![args.get(vm, 1)];
            all.extend(items_of(args.peek(vm, 2)));
            let mut paths = Vec::new();
            for value in all {
                let text = text_of(&value).ok_or_else(|| type_error("attribute name must be a string"))?;
                paths.push(text.split('.').map(Name::new).collect());
            }
            make(vm, args, What::Attributes(paths), &attribute_getter_class())
        },
    ),
    CALL,
    REPR,
];
const METHOD_CALLER: &[Method] = &[
    static_method(
        "__new__",
        "(cls, name, /, *args, **kwargs)",
        "Return a callable object that calls the given method on its operand.",
        |vm, args| {
            let name = text_of(&args.get(vm, 1)).ok_or_else(|| type_error("method name must be a string"))?;
            let what = What::Method(Name::new(&name), items_of(args.peek(vm, 2)), keywords_of(args.peek(vm, 3)));
            make(vm, args, what, &method_caller_class())
        },
    ),
    CALL,
    REPR,
];

fn make(vm: &Vm, args: Args, what: What, class: &ClassRef) -> Fallible<Value> {
    instantiate(&args.get(vm, 0), class, Value::object(Getter { what }))
}

fn call(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let getter = Typed::<Getter>::receiver(vm, args, "operator.itemgetter")?;
    let object = args.get(vm, 1);
    let mut found = Vec::new();
    match &getter.what {
        What::Items(items) => {
            for item in items {
                found.push(vm.get_item(&object, item)?);
            }
        }
        What::Attributes(paths) => {
            for path in paths {
                let mut value = object.clone();
                for name in path {
                    value = vm.get_attribute(&value, *name)?;
                }
                found.push(value);
            }
        }
        What::Method(name, positional, keywords) => {
            let function = vm.get_attribute(&object, *name)?;
            return vm.call_with(&function, positional, keywords);
        }
    }
    Ok(if found.len() == 1 { found.remove(0) } else { Value::tuple(found) })
}

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let getter = Typed::<Getter>::receiver(vm, args, "operator.itemgetter")?;
    let mut parts: Vec<String> = Vec::new();
    match &getter.what {
        What::Items(items) => {
            for item in items {
                parts.push(vm.repr(item)?.as_ref().to_owned());
            }
        }
        What::Attributes(paths) => parts.extend(
            paths.iter().map(|path| format!("'{}'", path.iter().map(|name| name.text()).collect::<Vec<_>>().join("."))),
        ),
        What::Method(name, positional, keywords) => {
            parts.push(format!("'{name}'"));
            for value in positional {
                parts.push(vm.repr(value)?.as_ref().to_owned());
            }
            for (name, value) in keywords {
                parts.push(format!("{name}={}", vm.repr(value)?));
            }
        }
    }
    Ok(format!("operator.{}({})", getter.class().name.get(), parts.join(", ")).into())
}
