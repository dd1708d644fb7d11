//! Binding the arguments of a call to parameters, in place on the stack, with Python's own messages.

use std::rc::Rc;

use smallvec::SmallVec;

use super::Vm;
use crate::lang::code::Code;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Definition, ParameterKind, Signature};
use crate::lang::objects::{DictObject, FunctionObject, NativeFunction};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;

type Taken = SmallVec<[Value; 8]>;

impl Vm {
    /// Binds `count` arguments from `first` on, the last of them named by `keywords`, to the registers of a function's frame.
    pub(super) fn bind_function(
        &mut self,
        function: &Ref<FunctionObject>,
        first: usize,
        count: usize,
        keywords: &[Name],
    ) -> Fallible<()> {
        let code = function.code.clone();
        self.ensure(first + code.register_count + 1);
        let is_plain = !code.has_var_positional && !code.has_var_keyword && code.keyword_only_count == 0;
        if !(is_plain && keywords.is_empty() && count == code.positional_count) {
            self.bind_function_slowly(function, &code, first, count, keywords)?;
        }
        for slot in first + code.parameter_count()..first + code.locals.len() {
            self.stack[slot] = Value::Unset;
        }
        Ok(())
    }

    fn take_arguments(&mut self, first: usize, count: usize) -> Taken {
        self.stack[first..first + count].iter_mut().map(std::mem::take).collect()
    }

    fn bind_function_slowly(
        &mut self,
        function: &Ref<FunctionObject>,
        code: &Rc<Code>,
        first: usize,
        count: usize,
        keywords: &[Name],
    ) -> Fallible<()> {
        let qualname = function.qualname.borrow().clone();
        let mut taken = self.take_arguments(first, count);
        let named: Taken = taken.drain(count - keywords.len()..).collect();
        let positional = taken.len();
        let named_count = code.positional_count + code.keyword_only_count;
        for slot in first..first + code.parameter_count() {
            self.stack[slot] = Value::Unset;
        }
        let mut extra = Vec::new();
        for (index, value) in taken.into_iter().enumerate() {
            if index < code.positional_count {
                self.stack[first + index] = value;
            } else {
                extra.push(value);
            }
        }
        let mut others: Vec<(Name, Value)> = Vec::new();
        let mut misplaced = Vec::new();
        for (name, value) in keywords.iter().zip(named) {
            let found = (0..named_count).find(|&index| code.locals[index] == *name);
            match found {
                Some(index) if index >= code.positional_only_count => {
                    let slot = first + index;
                    if !self.stack[slot].is_unset() {
                        return Err(type_error(format!("{qualname}() got multiple values for argument '{name}'")));
                    }
                    self.stack[slot] = value;
                }
                _ if code.has_var_keyword => others.push((*name, value)),
                Some(_) => misplaced.push(*name),
                None => {
                    return Err(type_error(format!("{qualname}() got an unexpected keyword argument '{name}'")));
                }
            }
        }
        if !misplaced.is_empty() {
            let names: Vec<&str> = misplaced.iter().map(|name| name.text()).collect();
            return Err(type_error(format!(
                "{qualname}() got some positional-only arguments passed as keyword arguments: '{}'",
                names.join(", ")
            )));
        }
        if !extra.is_empty() && !code.has_var_positional {
            return Err(self.too_many(function, code, first, positional));
        }
        self.fill_defaults(function, code, first, &qualname)?;
        let mut slot = first + named_count;
        if code.has_var_positional {
            self.stack[slot] = Value::tuple(extra);
            slot += 1;
        }
        if code.has_var_keyword {
            let dict = self.keyword_dict(others)?;
            self.stack[slot] = dict;
        }
        Ok(())
    }

    fn fill_defaults(
        &mut self,
        function: &Ref<FunctionObject>,
        code: &Rc<Code>,
        first: usize,
        qualname: &str,
    ) -> Fallible<()> {
        let defaults = function.defaults.borrow();
        let without = code.positional_count - defaults.len().min(code.positional_count);
        let mut missing = Vec::new();
        for index in 0..code.positional_count {
            if self.stack[first + index].is_unset() {
                match index.checked_sub(without).and_then(|at| defaults.get(at)) {
                    Some(default) => self.stack[first + index] = default.clone(),
                    None => missing.push(code.locals[index]),
                }
            }
        }
        if !missing.is_empty() {
            return Err(missing_arguments(qualname, "positional", &missing));
        }
        let keyword_defaults = function.keyword_defaults.borrow();
        for index in code.positional_count..code.positional_count + code.keyword_only_count {
            if self.stack[first + index].is_unset() {
                match keyword_defaults.get(&code.locals[index]) {
                    Some(default) => self.stack[first + index] = default.clone(),
                    None => missing.push(code.locals[index]),
                }
            }
        }
        if !missing.is_empty() {
            return Err(missing_arguments(qualname, "keyword-only", &missing));
        }
        Ok(())
    }

    #[cold]
    fn too_many(
        &self,
        function: &Ref<FunctionObject>,
        code: &Rc<Code>,
        first: usize,
        given: usize,
    ) -> crate::lang::raise::Raised {
        let qualname = function.qualname.borrow().clone();
        let defaults = function.defaults.borrow().len();
        let (plural, takes) = if defaults > 0 {
            (true, format!("from {} to {}", code.positional_count - defaults, code.positional_count))
        } else {
            (code.positional_count != 1, code.positional_count.to_string())
        };
        let keyword_only = (code.positional_count..code.positional_count + code.keyword_only_count)
            .filter(|index| !self.stack[first + index].is_unset())
            .count();
        let also = if keyword_only > 0 {
            format!(
                " positional argument{} (and {keyword_only} keyword-only argument{})",
                if given == 1 { "" } else { "s" },
                if keyword_only == 1 { "" } else { "s" }
            )
        } else {
            String::new()
        };
        let plural = if plural { "s" } else { "" };
        let verb = if given == 1 && keyword_only == 0 { "was" } else { "were" };
        type_error(format!("{qualname}() takes {takes} positional argument{plural} but {given}{also} {verb} given"))
    }

    /// A dict of keyword arguments.
    pub(super) fn keyword_dict(&mut self, pairs: Vec<(Name, Value)>) -> Fallible<Value> {
        let dict = Ref::new(DictObject::default());
        for (name, value) in pairs {
            self.dict_set(&dict, Value::str(name.text()), value)?;
        }
        Ok(Value::Dict(dict))
    }

    /// Binds arguments to the parameters of a native function, one slot each.
    pub(super) fn bind_native(
        &mut self,
        function: &Ref<NativeFunction>,
        first: usize,
        count: usize,
        keywords: &[Name],
    ) -> Fallible<Args> {
        let definition = &function.definition;
        let signature = &definition.signature;
        let slots = signature.parameters.len();
        self.ensure(first + slots.max(count) + 1);
        let is_plain = signature.var_positional.is_none() && signature.var_keyword.is_none();
        if is_plain && keywords.is_empty() && count >= signature.required_count && count <= signature.positional_count {
            for slot in first + count..first + slots {
                self.stack[slot] = Value::Unset;
            }
            if slots > signature.positional_count {
                missing_keyword_only(definition, &[])?;
            }
        } else {
            self.bind_native_slowly(function, first, count, keywords)?;
        }
        Ok(Args { base: first, count: slots, row: definition.row, name: definition.name })
    }

    fn bind_native_slowly(
        &mut self,
        function: &Ref<NativeFunction>,
        first: usize,
        count: usize,
        keywords: &[Name],
    ) -> Fallible<()> {
        let definition = function.definition.clone();
        let signature = &definition.signature;
        let mut taken = self.take_arguments(first, count);
        let named: Taken = taken.drain(count - keywords.len()..).collect();
        let slots = signature.parameters.len();
        for slot in first..first + slots {
            self.stack[slot] = Value::Unset;
        }
        let given = taken.len();
        let mut extra = Vec::new();
        let positional: SmallVec<[usize; 8]> = signature
            .parameters
            .iter()
            .enumerate()
            .filter(|(_, p)| matches!(p.kind, ParameterKind::PositionalOnly | ParameterKind::Either))
            .map(|(index, _)| index)
            .collect();
        for (index, value) in taken.into_iter().enumerate() {
            match positional.get(index) {
                Some(&slot) => self.stack[first + slot] = value,
                None => extra.push(value),
            }
        }
        if !extra.is_empty() && signature.var_positional.is_none() {
            return Err(native_count_error(function, given));
        }
        let mut others = Vec::new();
        for (name, value) in keywords.iter().zip(named) {
            let found = signature.parameters.iter().position(|parameter| {
                parameter.name == *name && matches!(parameter.kind, ParameterKind::Either | ParameterKind::KeywordOnly)
            });
            match found {
                Some(slot) => {
                    if !self.stack[first + slot].is_unset() {
                        return Err(type_error(format!(
                            "{}() got multiple values for argument '{name}'",
                            definition.name
                        )));
                    }
                    self.stack[first + slot] = value;
                }
                None if signature.var_keyword.is_some() => others.push((*name, value)),
                None => return Err(unexpected_keyword(function, *name)),
            }
        }
        let mut missing = Vec::new();
        for (slot, parameter) in signature.parameters.iter().enumerate() {
            if !parameter.is_optional && self.stack[first + slot].is_unset() {
                missing.push((slot, *parameter));
            }
        }
        if let Some((slot, parameter)) = missing.first() {
            if parameter.kind == ParameterKind::KeywordOnly {
                return Err(type_error(format!(
                    "{}() missing required keyword-only argument: '{}'",
                    definition.name, parameter.name
                )));
            }
            if parameter.kind == ParameterKind::PositionalOnly {
                return Err(native_count_error(function, given));
            }
            return Err(type_error(format!(
                "{}() missing required argument '{}' (pos {})",
                definition.name,
                parameter.name,
                slot + 1 - receiver_count(function)
            )));
        }
        if let Some(slot) = signature.var_positional {
            self.stack[first + slot] = Value::tuple(extra);
        }
        if let Some(slot) = signature.var_keyword {
            let dict = self.keyword_dict(others)?;
            self.stack[first + slot] = dict;
        }
        Ok(())
    }
}

fn missing_keyword_only(definition: &Definition, given: &[Name]) -> Fallible<()> {
    let missing = definition
        .signature
        .parameters
        .iter()
        .find(|p| p.kind == ParameterKind::KeywordOnly && !p.is_optional && !given.contains(&p.name));
    match missing {
        Some(parameter) => Err(type_error(format!(
            "{}() missing required keyword-only argument: '{}'",
            definition.name, parameter.name
        ))),
        None => Ok(()),
    }
}

/// `f() missing 2 required positional arguments: 'a' and 'b'`
#[cold]
fn missing_arguments(qualname: &str, kind: &str, missing: &[Name]) -> crate::lang::raise::Raised {
    let quoted: Vec<String> = missing.iter().map(|name| format!("'{name}'")).collect();
    let list = match &quoted[..] {
        [one] => one.clone(),
        [a, b] => format!("{a} and {b}"),
        [start @ .., last] => format!("{}, and {last}", start.join(", ")),
        [] => String::new(),
    };
    let plural = if missing.len() == 1 { "" } else { "s" };
    type_error(format!("{qualname}() missing {} required {kind} argument{plural}: {list}", missing.len()))
}

/// 1 for methods, whose receiver messages do not count.
fn receiver_count(function: &NativeFunction) -> usize {
    usize::from(
        function.definition.signature.parameters.first().is_some_and(|p| matches!(p.name.text(), "self" | "cls")),
    )
}

/// `list.append`, `len`
pub(super) fn native_qualname(function: &NativeFunction) -> String {
    match &function.class {
        Some(class) if function.definition.name != "__new__" && !matches!(function.definition.name, "__init__") => {
            format!("{}.{}", class.name.get(), function.definition.name)
        }
        Some(class) => class.name.get().to_string(),
        None => match function.module {
            Some(module) if module.text() != "builtins" => format!("{module}.{}", function.definition.name),
            _ => function.definition.name.to_owned(),
        },
    }
}

#[cold]
fn unexpected_keyword(function: &NativeFunction, name: Name) -> crate::lang::raise::Raised {
    let takes_keywords = function
        .definition
        .signature
        .parameters
        .iter()
        .any(|p| matches!(p.kind, ParameterKind::Either | ParameterKind::KeywordOnly));
    if takes_keywords {
        type_error(format!("'{name}' is an invalid keyword argument for {}()", function.definition.name))
    } else {
        type_error(format!("{}() takes no keyword arguments", native_qualname(function)))
    }
}

/// CPython's several wordings for a wrong number of positional arguments.
#[cold]
fn native_count_error(function: &NativeFunction, given: usize) -> crate::lang::raise::Raised {
    let signature: &Signature = &function.definition.signature;
    let receiver = receiver_count(function);
    let (least, most) = (signature.required_count.saturating_sub(receiver), signature.positional_count - receiver);
    let given = given.saturating_sub(receiver);
    let name = native_qualname(function);
    // A constructor's errors name the class.
    let is_constructor = matches!(function.definition.name, "__new__" | "__init__");
    let short = if is_constructor { name.as_str() } else { function.definition.name };
    let only_positional = signature.parameters.iter().all(|p| p.kind == ParameterKind::PositionalOnly);
    let is_open = signature.var_positional.is_some();
    if most == 0
        && !is_open
        && !signature.parameters.iter().all(|p| p.kind == ParameterKind::Either)
        && !only_positional
    {
        return type_error(format!("{short}() takes no positional arguments"));
    }
    // Positional-only parameters before ones that may be keywords.
    let strict =
        signature.parameters.iter().filter(|p| p.kind == ParameterKind::PositionalOnly && !p.is_optional).count();
    let strict = strict.saturating_sub(receiver);
    if !only_positional && !is_open && given < strict {
        let word = if strict < most { "at least" } else { "exactly" };
        let plural = if strict == 1 { "" } else { "s" };
        return type_error(format!("{short}() takes {word} {strict} positional argument{plural} ({given} given)"));
    }
    if least == most && !is_open && (only_positional || most == 0) {
        return type_error(match most {
            0 => format!("{name}() takes no arguments ({given} given)"),
            1 => format!("{name}() takes exactly one argument ({given} given)"),
            _ => {
                let plural = if most == 1 { "" } else { "s" };
                format!("{short} expected {most} argument{plural}, got {given}")
            }
        });
    }
    if only_positional || is_open {
        let (word, limit) = if given < least { ("at least", least) } else { ("at most", most) };
        let plural = if limit == 1 { "" } else { "s" };
        return type_error(format!("{short} expected {word} {limit} argument{plural}, got {given}"));
    }
    let (word, limit) = if given < least {
        (if least == most { "exactly" } else { "at least" }, least)
    } else {
        (if least == most { "exactly" } else { "at most" }, most)
    };
    let plural = if limit == 1 { "" } else { "s" };
    type_error(format!("{short}() takes {word} {limit} argument{plural} ({given} given)"))
}
