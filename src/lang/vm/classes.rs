//! Making functions and classes: closures, class bodies, C3, `__set_name__`, `__init_subclass__`.

use super::Vm;
use super::calls::Running;
use super::run::class_namespace;
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::builtins::{class_type, member, str_shape};
use crate::lang::code::{Capture, Code, Register};
use crate::lang::frame::Return;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::objects::{
    Attributes, CellObject, ClassObject, ClassRef, DictObject, FunctionObject, ModuleObject, PayloadKind,
};
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::Value;

impl Vm {
    /// A function of one of a code's inner codes; defaults, keyword defaults and annotations stand side by side.
    pub(super) fn make_function(
        &mut self,
        code: &Code,
        base: usize,
        first: usize,
        index: usize,
        module: &Ref<ModuleObject>,
    ) -> Fallible<Value> {
        let inner = code.codes[index].clone();
        let defaults = match std::mem::take(&mut self.stack[base + first]) {
            Value::Tuple(items) => items.items().to_vec(),
            _ => Vec::new(),
        };
        let keyword_defaults = match std::mem::take(&mut self.stack[base + first + 1]) {
            Value::Dict(dict) => attributes_of(&dict),
            _ => Attributes::default(),
        };
        let annotations = std::mem::take(&mut self.stack[base + first + 2]);
        let mut closure = Vec::with_capacity(inner.captures.len());
        for capture in &inner.captures {
            closure.push(self.captured_cell(base, *capture));
        }
        let mut attributes = Attributes::default();
        if let Some(doc) = &inner.doc {
            attributes.insert(names::DOC, Value::str(&**doc));
        }
        if !annotations.is_unset() {
            attributes.insert(names::ANNOTATIONS, annotations);
        }
        Ok(Value::Function(Ref::new(FunctionObject {
            name: std::cell::RefCell::new(inner.name.text().into()),
            qualname: std::cell::RefCell::new(inner.qualname.clone()),
            module: module.clone(),
            defaults: defaults.into(),
            keyword_defaults: keyword_defaults.into(),
            closure: closure.into(),
            attributes: attributes.into(),
            code: inner,
        })))
    }

    fn captured_cell(&mut self, base: usize, capture: Capture) -> Ref<CellObject> {
        let found = match capture {
            Capture::Local(register) => match &self.stack[base + usize::from(register)] {
                Value::Cell(cell) => Some(cell.clone()),
                _ => None,
            },
            Capture::Free(index) => self
                .frames
                .last()
                .and_then(|frame| frame.function.as_ref())
                .and_then(|function| function.closure.borrow().get(usize::from(index)).cloned()),
        };
        found.unwrap_or_else(|| Ref::new(CellObject::default()))
    }

    /// Starts the body of a class; its window holds the body, the bases and the keywords.
    pub(super) fn push_class_body(&mut self, window: usize, destination: Register) -> Fallible<()> {
        let body = std::mem::take(&mut self.stack[window]);
        let bases = std::mem::take(&mut self.stack[window + 1]);
        let keywords = std::mem::take(&mut self.stack[window + 2]);
        let Value::Function(function) = body else { return Err(type_error("a class body must be a function")) };
        let code = function.code.clone();
        let bases = self.resolve_bases(&bases)?;
        let base = window + 1;
        self.ensure(base + code.register_count + 8);
        for slot in base..base + code.locals.len() {
            self.stack[slot] = Value::Unset;
        }
        self.stack[base] = Value::Module(Ref::new(ModuleObject::new(code.name)));
        self.stack[base + 1] = bases;
        self.stack[base + 2] = keywords;
        self.push_frame(Running::Function(function), base, Return::Class(destination))
    }

    /// Bases with `__mro_entries__` asked, as a tuple of classes.
    fn resolve_bases(&mut self, bases: &Value) -> Fallible<Value> {
        let Value::Tuple(items) = bases else { return Ok(Value::tuple(vec![])) };
        let mut resolved = Vec::with_capacity(items.items().len());
        for item in items.items() {
            if matches!(item, Value::Class(_)) {
                resolved.push(item.clone());
                continue;
            }
            if let Some(entries) = self.find_special(item, Name::new("__mro_entries__")) {
                let answer = self.call(&entries, std::slice::from_ref(bases))?;
                resolved.extend(self.collect(&answer)?);
                continue;
            }
            // `class C(list[int])` derives from the origin of the alias.
            match self.find_attribute(item, Name::new("__origin__"))? {
                Some(origin @ Value::Class(_)) => resolved.push(origin),
                _ => {
                    return Err(type_error(format!("bases must be types; got an instance of '{}'", item.type_name())));
                }
            }
        }
        Ok(Value::tuple(resolved))
    }

    /// Makes the class whose body's frame, with registers from `base` on, has run to its end.
    pub(super) fn finish_class(&mut self, base: usize) -> Fallible<Value> {
        let frame = self.frames.last().expect("the body's frame is there");
        let code = frame.code.clone();
        let namespace = self.stack[base].clone();
        let bases = match &self.stack[base + 1] {
            Value::Tuple(items) => items.items().to_vec(),
            _ => Vec::new(),
        };
        let keywords = match &self.stack[base + 2] {
            Value::Dict(dict) => attributes_of(dict).iter().map(|(name, value)| (*name, value.clone())).collect(),
            _ => Vec::new(),
        };
        let cell =
            code.locals.iter().position(|name| name.text() == "__class__").map(|at| self.stack[base + at].clone());
        let attributes: Vec<(Name, Value)> = match &namespace {
            Value::Module(namespace) => {
                namespace.globals.borrow().iter().map(|(name, value)| (name, value.clone())).collect()
            }
            _ => Vec::new(),
        };
        let qualname = class_namespace(&namespace, names::QUALNAME);
        let class = self.new_class(code.name, bases, attributes)?;
        if let Some(qualname) = qualname.as_ref().and_then(Value::as_str) {
            *class.qualname.borrow_mut() = qualname.into();
        }
        *class.body.borrow_mut() = Some(code);
        if let Some(Value::Cell(cell)) = cell {
            let old = cell.value.replace(Value::Class(class.clone()));
            drop(old);
        }
        self.complete_class(&class, &keywords)?;
        self.made_from(class)
    }

    /// What a `class` statement binds: the class, or what a base's `__class_made__` makes of it (`typing.NamedTuple`).
    fn made_from(&mut self, class: ClassRef) -> Fallible<Value> {
        let hook = class
            .mro_tail
            .borrow()
            .iter()
            .filter(|base| base.is_user_defined)
            .find_map(|base| Some((base.clone(), base.attributes.borrow().get(&names::CLASS_MADE).cloned()?)));
        let made = Value::Class(class);
        match hook {
            Some((owner, hook)) => {
                let hook = self.bind_attribute(hook, None, &owner)?;
                self.call(&hook, &[made])
            }
            None => Ok(made),
        }
    }

    /// A class with C3 order and the attributes of its body, before any hook has run.
    pub fn new_class(&mut self, name: Name, bases: Vec<Value>, attributes: Vec<(Name, Value)>) -> Fallible<ClassRef> {
        let mut base_classes: Vec<ClassRef> = Vec::with_capacity(bases.len());
        for base in bases {
            match base {
                Value::Class(class) => base_classes.push(class),
                other => {
                    return Err(type_error(format!("bases must be types, not '{}'", other.type_name())));
                }
            }
        }
        if base_classes.is_empty() {
            base_classes.push(builtin_class(Builtin::Object));
        }
        for (index, base) in base_classes.iter().enumerate() {
            if base.payload == PayloadKind::Sealed {
                return Err(type_error(format!("type '{}' is not an acceptable base type", base.name.get())));
            }
            if base_classes[..index].iter().any(|other| Ref::ptr_eq(other, base)) {
                return Err(type_error(format!("duplicate base class {}", base.name.get())));
            }
        }
        self.check_slots(name, &attributes)?;
        let payload = payload_of(&base_classes)?;
        let mro_tail = linearise(&base_classes)?;
        let module = attributes
            .iter()
            .find(|(name, _)| *name == names::MODULE)
            .and_then(|(_, value)| value.as_str().map(Name::new))
            .unwrap_or_else(|| Name::new("__main__"));
        let class = Ref::new(ClassObject::new(name, module, base_classes, mro_tail, payload, true));
        ClassObject::register(&class);
        let has_eq = attributes.iter().any(|(name, _)| *name == names::EQ);
        let has_hash = attributes.iter().any(|(name, _)| *name == names::HASH);
        {
            let mut own = class.attributes.borrow_mut();
            for (name, value) in attributes {
                if name == names::QUALNAME {
                    continue;
                }
                let value = implicit_wrapper(name, value);
                own.insert(name, value);
            }
            if has_eq && !has_hash {
                own.insert(names::HASH, Value::None);
            }
        }
        member::add_to(self, &class)?;
        let mut own = class.attributes.borrow_mut();
        if !own.contains_key(&names::DOC) {
            own.insert(names::DOC, Value::None);
        }
        drop(own);
        Ok(class)
    }

    /// Refuses `__slots__` that are no names, or are names of the class's own attributes.
    fn check_slots(&mut self, class: Name, attributes: &[(Name, Value)]) -> Fallible<()> {
        let Some((_, slots)) = attributes.iter().find(|(name, _)| *name == names::SLOTS) else { return Ok(()) };
        let slots = if slots.as_str().is_some() { vec![slots.clone()] } else { self.collect(slots)? };
        for slot in &slots {
            let Some(text) = slot.as_str() else {
                return Err(type_error(format!("__slots__ items must be strings, not '{}'", slot.type_name())));
            };
            if !str_shape::is_identifier(text) {
                return Err(type_error("__slots__ must be identifiers"));
            }
            if let Some((name, _)) = attributes.iter().find(|(name, _)| class_type::is_slot_named(text, class, *name)) {
                return Err(value_error(format!("'{name}' in __slots__ conflicts with class variable")));
            }
        }
        Ok(())
    }

    /// Tells the attributes their names and the bases about the new class.
    pub fn complete_class(&mut self, class: &ClassRef, keywords: &[(Name, Value)]) -> Fallible<()> {
        let members: Vec<(Name, Value)> =
            class.attributes.borrow().iter().map(|(name, value)| (*name, value.clone())).collect();
        for (name, value) in members {
            if !matches!(value, Value::Instance(_) | Value::Object(_)) {
                continue;
            }
            if let Some(set_name) = self.find_special(&value, names::SET_NAME) {
                self.call(&set_name, &[Value::Class(class.clone()), Value::str(name.text())])?;
            }
        }
        let inherited = class
            .mro_tail
            .borrow()
            .iter()
            .find_map(|base| base.attributes.borrow().get(&names::INIT_SUBCLASS).cloned());
        match inherited {
            Some(hook) => {
                let hook = self.bind_attribute(hook, None, class)?;
                self.call_with(&hook, &[], keywords)?;
            }
            None if !keywords.is_empty() => {
                return Err(type_error(format!("{}.__init_subclass__() takes no keyword arguments", class.name.get())));
            }
            None => {}
        }
        Ok(())
    }
}

/// `__init_subclass__` and `__class_getitem__` are class methods, `__new__` a static method, without being told.
fn implicit_wrapper(name: Name, value: Value) -> Value {
    use crate::lang::builtins::property::{ClassMethodObject, StaticMethodObject};
    if !matches!(value, Value::Function(_)) {
        return value;
    }
    if name == names::INIT_SUBCLASS || name == names::CLASS_GETITEM {
        Value::object(ClassMethodObject::new(value))
    } else if name == names::NEW {
        Value::object(StaticMethodObject::new(value))
    } else {
        value
    }
}

/// The entries of a dict whose keys are names.
pub(super) fn attributes_of(dict: &DictObject) -> Attributes {
    dict.table
        .borrow()
        .iter()
        .filter_map(|(_, entry)| Some((Name::new(entry.key.as_str()?), entry.value.clone())))
        .collect()
}

/// What instances carry: at most one kind besides attributes.
fn payload_of(bases: &[ClassRef]) -> Fallible<PayloadKind> {
    let mut found: Option<(PayloadKind, Option<ClassRef>)> = None;
    for base in bases {
        if base.payload == PayloadKind::Attributes {
            continue;
        }
        let owner = builtin_ancestor(base);
        match &found {
            Some((kind, known)) => {
                let same = match (known, &owner) {
                    (Some(a), Some(b)) => ClassObject::is_subclass_of(a, b) || ClassObject::is_subclass_of(b, a),
                    _ => true,
                };
                if *kind != base.payload || (*kind == PayloadKind::Value && !same) {
                    return Err(type_error("multiple bases have instance lay-out conflict"));
                }
            }
            None => found = Some((base.payload, owner)),
        }
    }
    Ok(found.map_or(PayloadKind::Attributes, |(kind, _)| kind))
}

/// The nearest class of the engine in a class's order.
pub(super) fn builtin_ancestor(class: &ClassRef) -> Option<ClassRef> {
    if !class.is_user_defined {
        return Some(class.clone());
    }
    class.mro_tail.borrow().iter().find(|base| !base.is_user_defined && base.payload == class.payload).cloned()
}

/// C3: the order of the bases' own orders, each class before its bases.
fn linearise(bases: &[ClassRef]) -> Fallible<Vec<ClassRef>> {
    let mut sequences: Vec<Vec<ClassRef>> = bases
        .iter()
        .map(|base| std::iter::once(base.clone()).chain(base.mro_tail.borrow().iter().cloned()).collect())
        .collect();
    sequences.push(bases.to_vec());
    let mut order: Vec<ClassRef> = Vec::new();
    loop {
        sequences.retain(|sequence| !sequence.is_empty());
        if sequences.is_empty() {
            return Ok(order);
        }
        let next = sequences
            .iter()
            .map(|sequence| &sequence[0])
            .find(|candidate| {
                !sequences.iter().any(|other| other[1..].iter().any(|class| Ref::ptr_eq(class, candidate)))
            })
            .cloned();
        let Some(next) = next else {
            let mut names: Vec<&str> = Vec::new();
            for sequence in &sequences {
                let name = sequence[0].name.get().text();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            return Err(type_error(format!(
                "Cannot create a consistent method resolution\norder (MRO) for bases {}",
                names.join(", ")
            )));
        };
        for sequence in &mut sequences {
            sequence.retain(|class| !Ref::ptr_eq(class, &next));
        }
        order.push(next);
    }
}
