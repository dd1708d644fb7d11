//! The loop that executes instructions.
//!
//! Ints and floats are handled where they stand; everything else goes through a function of the machine. Before anything that
//! can run other code the frame's place is noted, so that tracebacks and origins know it.

use super::Vm;
use super::calls::{Called, check_init_result};
use super::numbers::{compare, compare_numbers, operate_numbers};
use super::unwind::Arrival;
use crate::lang::code::{Code, CodeKind, Instruction, Register};
use crate::lang::frame::Return;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::{CellObject, DictObject, IteratorState, ListObject, SetObject, SliceObject};
use crate::lang::operators::BinaryOperator;
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;

/// An exception and how it arrived.
type Failure = (Raised, Arrival);

impl Vm {
    /// Runs the innermost frame, which Rust code started, until it returns or yields.
    pub(super) fn execute(&mut self) -> Fallible<Value> {
        let entry = self.frames.len();
        loop {
            let failure = match self.execute_frame(entry) {
                Ok(Some(value)) => return Ok(value),
                Ok(None) => continue,
                Err(failure) => failure,
            };
            let (raised, arrival) = failure;
            self.unwind(raised, arrival, entry)?;
        }
    }

    /// A register as an operand: a temporary is moved out, a local copied.
    #[inline]
    fn operand(&mut self, code: &Code, base: usize, register: Register) -> Fallible<Value> {
        let slot = base + usize::from(register);
        if usize::from(register) >= code.locals.len() {
            return Ok(std::mem::take(&mut self.stack[slot]));
        }
        let value = self.stack[slot].clone();
        if value.is_unset() { Err(unbound_local(code, register)) } else { Ok(value) }
    }

    /// Writes a result; one that is bound to a local must not be pending.
    #[inline]
    fn finish(&mut self, code: &Code, base: usize, register: Register, value: Value) -> Fallible<()> {
        let old = std::mem::replace(&mut self.stack[base + usize::from(register)], value);
        drop(old);
        if !self.pending.is_empty() && usize::from(register) < code.locals.len() {
            self.settle_pending()?;
        }
        Ok(())
    }

    /// Executes frames until the entry frame is done; an exception comes with how it arrived. `None` asks to be called again.
    #[expect(clippy::too_many_lines, reason = "one arm an instruction")]
    fn execute_frame(&mut self, entry: usize) -> Result<Option<Value>, Failure> {
        // Calls and returns go round this loop: leaving and entering the function for each would cost more than the call itself.
        'frames: loop {
            let frame = self.frames.last().expect("a frame is running");
            let code = frame.code.clone();
            let code: &Code = &code;
            let module = frame.module.clone();
            let base = frame.base;
            let mut next = frame.next;

            macro_rules! slot {
                ($register:expr) => {
                    self.stack[base + usize::from($register)]
                };
            }
            macro_rules! note {
                () => {
                    self.frames.last_mut().expect("a frame is running").next = next
                };
            }
            macro_rules! check {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(raised) => {
                            note!();
                            return Err((raised, Arrival::Raised));
                        }
                    }
                };
            }
            macro_rules! operand {
                ($register:expr) => {
                    check!(self.operand(code, base, $register))
                };
            }
            macro_rules! finish {
                ($register:expr, $value:expr) => {{
                    let value = $value;
                    check!(self.finish(code, base, $register, value))
                }};
            }
            macro_rules! call {
                ($destination:expr, $called:expr) => {
                    match $called {
                        Called::Done(value) => finish!($destination, value),
                        Called::Pushed => continue 'frames,
                    }
                };
            }
            macro_rules! arithmetic {
            ($operator:expr, $checked:ident, $sign:tt, $destination:expr, $a:expr, $b:expr) => {{
                match (&slot!($a), &slot!($b)) {
                    (Value::Int(x), Value::Int(y)) if let Some(result) = x.$checked(*y) => {
                        slot!($destination) = Value::Int(result);
                        continue;
                    }
                    (Value::Float(x), Value::Float(y)) => {
                        let result = *x $sign *y;
                        slot!($destination) = Value::Float(result);
                        continue;
                    }
                    _ => {}
                }
                note!();
                let (a, b) = (operand!($a), operand!($b));
                let result = check!(self.binary($operator, &a, &b));
                drop((a, b));
                finish!($destination, result);
            }};
        }

            loop {
                let instruction = code.instructions[next];
                next += 1;
                match instruction {
                    Instruction::LoadConstant(destination, index) => {
                        slot!(destination) = code.constants[index as usize].clone();
                    }
                    Instruction::LoadInt(destination, value) => slot!(destination) = Value::Int(i64::from(value)),
                    Instruction::Copy(destination, source) => {
                        let value = slot!(source).clone();
                        if value.is_unset() && usize::from(source) < code.locals.len() {
                            check!(Err(unbound_local(code, source)));
                        }
                        slot!(destination) = value;
                    }
                    Instruction::Move(destination, source) => {
                        let value = std::mem::take(&mut slot!(source));
                        note!();
                        finish!(destination, value);
                    }
                    Instruction::CheckBound(register) => {
                        if slot!(register).is_unset() {
                            check!(Err(unbound_local(code, register)));
                        }
                    }
                    Instruction::Clear(register) => slot!(register) = Value::Unset,
                    Instruction::DeleteLocal(register) => {
                        if slot!(register).is_unset() {
                            check!(Err(unbound_local(code, register)));
                        }
                        slot!(register) = Value::Unset;
                        note!();
                        check!(self.safe_point());
                    }
                    Instruction::LoadGlobal(destination, at) => {
                        let value = module.globals.borrow().at(at).clone();
                        if value.is_unset() {
                            note!();
                            let name = module.globals.borrow().name_at(at);
                            let value = check!(self.global_fallback(&module, name));
                            slot!(destination) = value;
                        } else {
                            slot!(destination) = value;
                        }
                    }
                    Instruction::StoreGlobal(source, at) => {
                        note!();
                        check!(self.settle_pending());
                        let value = std::mem::take(&mut slot!(source));
                        let old = module.globals.borrow_mut().put(at, value);
                        drop(old);
                        if crate::lang::heap::has_finalizers() {
                            self.run_finalizers();
                        }
                    }
                    Instruction::DeleteGlobal(at) => {
                        note!();
                        let old = module.globals.borrow_mut().put(at, Value::Unset);
                        let name = module.globals.borrow().name_at(at);
                        if old.is_unset() {
                            check!(Err(raise::name_error(format!("name '{name}' is not defined"))));
                        }
                        check!(self.global_deleted(&module, name, old));
                    }
                    Instruction::LoadName(destination, name) => {
                        note!();
                        let value = check!(self.load_class_name(base, &module, code.names[usize::from(name)]));
                        slot!(destination) = value;
                    }
                    Instruction::LoadNameOrFree(destination, name, index) => {
                        note!();
                        let name = code.names[usize::from(name)];
                        let own = class_namespace(&slot!(0_u16), name);
                        let value = match own {
                            Some(value) => value,
                            None => match self.free_cell(index) {
                                Some(cell) if !cell.value.borrow().is_unset() => cell.value.borrow().clone(),
                                _ => check!(self.load_class_name(base, &module, name)),
                            },
                        };
                        slot!(destination) = value;
                    }
                    Instruction::StoreName(source, name) => {
                        note!();
                        check!(self.settle_pending());
                        let value = std::mem::take(&mut slot!(source));
                        if let Value::Module(namespace) = &slot!(0_u16) {
                            namespace.set(code.names[usize::from(name)], value);
                        }
                    }
                    Instruction::DeleteName(name) => {
                        let name = code.names[usize::from(name)];
                        let old = match &slot!(0_u16) {
                            Value::Module(namespace) => namespace.globals.borrow_mut().set(name, Value::Unset),
                            _ => Value::Unset,
                        };
                        if old.is_unset() {
                            check!(Err(raise::name_error(format!("name '{name}' is not defined"))));
                        }
                    }
                    Instruction::MakeCell(register) => {
                        let value = std::mem::take(&mut slot!(register));
                        slot!(register) = Value::Cell(Ref::new(CellObject::new(value)));
                    }
                    Instruction::LoadCell(destination, register) => {
                        let value = match &slot!(register) {
                            Value::Cell(cell) => cell.value.borrow().clone(),
                            _ => Value::Unset,
                        };
                        if value.is_unset() {
                            check!(Err(unbound_local(code, register)));
                        }
                        slot!(destination) = value;
                    }
                    Instruction::StoreCell(register, source) => {
                        note!();
                        check!(self.settle_pending());
                        if self.dry_run.is_some() {
                            check!(self.refuse_change(&slot!(register), false));
                        }
                        let value = std::mem::take(&mut slot!(source));
                        if let Value::Cell(cell) = &slot!(register) {
                            let old = cell.value.replace(value);
                            drop(old);
                        }
                    }
                    Instruction::DeleteCell(register) => {
                        let old = match &slot!(register) {
                            Value::Cell(cell) => cell.value.take(),
                            _ => Value::Unset,
                        };
                        if old.is_unset() {
                            check!(Err(unbound_local(code, register)));
                        }
                        drop(old);
                        note!();
                        check!(self.safe_point());
                    }
                    Instruction::LoadFree(destination, index) => {
                        let value = self.free_cell(index).map(|cell| cell.value.borrow().clone()).unwrap_or_default();
                        if value.is_unset() {
                            check!(Err(unbound_free(code.captured_name(usize::from(index)))));
                        }
                        slot!(destination) = value;
                    }
                    Instruction::StoreFree(source, index) => {
                        note!();
                        check!(self.settle_pending());
                        let value = std::mem::take(&mut slot!(source));
                        if let Some(cell) = self.free_cell(index) {
                            let old = cell.value.replace(value);
                            drop(old);
                        }
                    }
                    Instruction::DeleteFree(index) => {
                        let old = self.free_cell(index).map(|cell| cell.value.take()).unwrap_or_default();
                        if old.is_unset() {
                            check!(Err(unbound_free(code.captured_name(usize::from(index)))));
                        }
                    }
                    Instruction::GetAttribute(destination, object, site) => {
                        let site = &code.sites[usize::from(site)];
                        if let Value::Instance(instance) = &slot!(object)
                            && let Some(value) = cached_instance_attribute(instance, site)
                        {
                            if usize::from(object) >= code.locals.len() {
                                slot!(object) = Value::Unset;
                            }
                            slot!(destination) = value;
                            continue;
                        }
                        note!();
                        let object = operand!(object);
                        let value = check!(self.attribute_at(&object, site));
                        drop(object);
                        finish!(destination, value);
                    }
                    Instruction::SetAttribute(object, site, source) => {
                        note!();
                        check!(self.settle_pending());
                        let site = &code.sites[usize::from(site)];
                        let object = operand!(object);
                        let value = operand!(source);
                        if self.dry_run.is_some() {
                            check!(self.refuse_change(&object, true));
                        }
                        check!(self.set_attribute_at(&object, site, value));
                        drop(object);
                        check!(self.finalizers_only());
                    }
                    Instruction::DeleteAttribute(object, site) => {
                        note!();
                        let object = operand!(object);
                        if self.dry_run.is_some() {
                            check!(self.refuse_change(&object, true));
                        }
                        check!(self.delete_attribute(&object, code.sites[usize::from(site)].name));
                        drop(object);
                        check!(self.safe_point());
                    }
                    Instruction::LoadMethod(window, object, site) => {
                        note!();
                        let object = operand!(object);
                        let (callee, receiver) = check!(self.method_at(object, &code.sites[usize::from(site)]));
                        slot!(window) = callee;
                        slot!(window + 1) = receiver;
                    }
                    Instruction::GetItem(destination, object, key) => {
                        let found = match (&slot!(object), &slot!(key)) {
                            (Value::List(list), Value::Int(index)) if *index >= 0 => {
                                list.items.borrow().get(*index as usize).cloned()
                            }
                            (Value::Tuple(tuple), Value::Int(index)) if *index >= 0 => {
                                tuple.items().get(*index as usize).cloned()
                            }
                            (Value::Dict(dict), key @ (Value::Str(_) | Value::Int(_))) => {
                                crate::lang::builtins::table::dict_get_quickly(dict, key)
                            }
                            _ => None,
                        };
                        if let Some(value) = found {
                            if usize::from(object) >= code.locals.len() {
                                slot!(object) = Value::Unset;
                            }
                            slot!(destination) = value;
                            continue;
                        }
                        note!();
                        let (object, key) = (operand!(object), operand!(key));
                        let value = check!(self.get_item(&object, &key));
                        drop((object, key));
                        finish!(destination, value);
                    }
                    Instruction::SetItem(object, key, source) => {
                        note!();
                        check!(self.settle_pending());
                        if self.dry_run.is_some() {
                            check!(self.refuse_change(&slot!(object), false));
                        }
                        let value = operand!(source);
                        let fast = match (&slot!(object), &slot!(key)) {
                            (Value::List(list), Value::Int(index)) if *index >= 0 => {
                                let mut items = list.items.borrow_mut();
                                match items.get_mut(*index as usize) {
                                    Some(place) => Ok(std::mem::replace(place, value)),
                                    None => Err(value),
                                }
                            }
                            _ => Err(value),
                        };
                        match fast {
                            Ok(old) => {
                                drop(old);
                                if usize::from(object) >= code.locals.len() {
                                    slot!(object) = Value::Unset;
                                }
                            }
                            Err(value) => {
                                let (object, key) = (operand!(object), operand!(key));
                                check!(self.set_item(&object, &key, value));
                                drop((object, key));
                            }
                        }
                        check!(self.finalizers_only());
                    }
                    Instruction::DeleteItem(object, key) => {
                        note!();
                        let (object, key) = (operand!(object), operand!(key));
                        if self.dry_run.is_some() {
                            check!(self.refuse_change(&object, false));
                        }
                        check!(self.delete_item(&object, &key));
                        drop((object, key));
                        check!(self.safe_point());
                    }
                    Instruction::BuildSlice(destination, first) => {
                        let start = std::mem::take(&mut slot!(first));
                        let stop = std::mem::take(&mut slot!(first + 1));
                        let step = std::mem::take(&mut slot!(first + 2));
                        slot!(destination) = Value::Slice(Ref::new(SliceObject { start, stop, step }));
                    }
                    Instruction::BuildTuple(destination, first, count) => {
                        note!();
                        check!(self.settle_pending());
                        let items = self.take_row(base + usize::from(first), usize::from(count));
                        slot!(destination) = Value::tuple(items);
                    }
                    Instruction::BuildList(destination, first, count) => {
                        note!();
                        check!(self.settle_pending());
                        let items = self.take_row(base + usize::from(first), usize::from(count));
                        slot!(destination) = Value::List(Ref::new(ListObject::new(items)));
                    }
                    Instruction::BuildSet(destination, _, 1) => {
                        if let Value::Set(set) = &slot!(destination) {
                            crate::lang::builtins::set::settle_constant(set);
                        }
                    }
                    Instruction::BuildSet(destination, ..) => {
                        slot!(destination) = Value::Set(Ref::new(SetObject::default()));
                    }
                    Instruction::BuildDict(destination, ..) => {
                        slot!(destination) = Value::Dict(Ref::new(DictObject::default()));
                    }
                    Instruction::BuildString(destination, first, count) => {
                        note!();
                        let text = check!(self.build_string(base + usize::from(first), usize::from(count)));
                        slot!(destination) = text;
                    }
                    Instruction::ListAppend(list, source) => {
                        note!();
                        check!(self.settle_pending());
                        let value = operand!(source);
                        if let Value::List(list) = &slot!(list) {
                            list.items.borrow_mut().push(value);
                        }
                    }
                    Instruction::ListExtend(list, source) => {
                        note!();
                        let value = operand!(source);
                        let Value::List(list) = slot!(list).clone() else { continue };
                        check!(self.extend_for_unpacking(&list, &value));
                    }
                    Instruction::SetAdd(set, source) => {
                        note!();
                        let value = operand!(source);
                        let Value::Set(set) = slot!(set).clone() else { continue };
                        check!(self.set_add(&set, value));
                    }
                    Instruction::SetUpdate(set, source) => {
                        note!();
                        let value = operand!(source);
                        let Value::Set(set) = slot!(set).clone() else { continue };
                        check!(self.update_set(&set, &value));
                    }
                    Instruction::DictInsert(dict, key, value) => {
                        note!();
                        check!(self.settle_pending());
                        let (key, value) = (operand!(key), operand!(value));
                        let Value::Dict(dict) = slot!(dict).clone() else { continue };
                        check!(self.dict_set(&dict, key, value));
                    }
                    Instruction::DictUpdate(dict, source) => {
                        note!();
                        let value = operand!(source);
                        let Value::Dict(dict) = slot!(dict).clone() else { continue };
                        check!(self.update_dict(&dict, &value));
                    }
                    Instruction::DictMerge(dict, source, callee) => {
                        note!();
                        let value = operand!(source);
                        let callee = slot!(callee).clone();
                        let Value::Dict(dict) = slot!(dict).clone() else { continue };
                        check!(self.merge_keywords(&dict, &value, &callee));
                    }
                    Instruction::ListToTuple(destination, source) => {
                        let list = std::mem::take(&mut slot!(source));
                        let items = match &list {
                            Value::List(list) => std::mem::take(&mut *list.items.borrow_mut()),
                            _ => Vec::new(),
                        };
                        slot!(destination) = Value::tuple(items);
                    }
                    Instruction::Format(conversion, destination, source, spec) => {
                        note!();
                        let (value, spec) = (operand!(source), operand!(spec));
                        let text = check!(self.format_field(&value, conversion, spec.as_str().unwrap_or_default()));
                        slot!(destination) = text;
                    }
                    Instruction::FormatPlain(conversion, destination, source) => {
                        note!();
                        let value = operand!(source);
                        let text = check!(self.format_field(&value, conversion, ""));
                        slot!(destination) = text;
                    }
                    Instruction::Unpack(first, source, count) => {
                        note!();
                        let value = operand!(source);
                        check!(self.unpack(&value, base + usize::from(first), usize::from(count)));
                    }
                    Instruction::UnpackStarred(before, first, source, after) => {
                        note!();
                        let value = operand!(source);
                        let first = base + usize::from(first);
                        check!(self.unpack_starred(&value, first, usize::from(before), usize::from(after)));
                    }
                    Instruction::Add(destination, a, b) => {
                        arithmetic!(BinaryOperator::Add, checked_add, +, destination, a, b);
                    }
                    Instruction::Subtract(destination, a, b) => {
                        arithmetic!(BinaryOperator::Subtract, checked_sub, -, destination, a, b);
                    }
                    Instruction::Multiply(destination, a, b) => {
                        arithmetic!(BinaryOperator::Multiply, checked_mul, *, destination, a, b);
                    }
                    Instruction::Binary(op, destination, a, b) => {
                        if let Some(value) = operate_numbers(op, &slot!(a), &slot!(b)) {
                            slot!(destination) = value;
                            continue;
                        }
                        note!();
                        let (a, b) = (operand!(a), operand!(b));
                        let result = check!(self.binary(op, &a, &b));
                        drop((a, b));
                        finish!(destination, result);
                    }
                    Instruction::BinaryInPlace(op, destination, a, b) => {
                        if let Some(value) = operate_numbers(op, &slot!(a), &slot!(b)) {
                            slot!(destination) = value;
                            continue;
                        }
                        note!();
                        if self.dry_run.is_some() {
                            check!(self.refuse_growth(&slot!(a)));
                        }
                        if op == BinaryOperator::Add
                            && a == destination
                            && a != b
                            && let Value::Str(more) = &slot!(b)
                        {
                            // `text += more` grows the text where it is when nothing else refers to it.
                            let more = more.clone();
                            let len = match &slot!(a) {
                                Value::Str(text) => text.as_str().len(),
                                _ => 0,
                            };
                            if len > 1 << 20 {
                                check!(self.reserve(len + more.as_str().len()));
                            }
                            if let Value::Str(text) = &mut slot!(a)
                                && let Some(text) = Ref::get_mut(text)
                            {
                                text.push_str(more.as_str());
                                continue;
                            }
                        }
                        let b = operand!(b);
                        let a = operand!(a);
                        let result = check!(self.binary_in_place(op, a, &b));
                        drop(b);
                        finish!(destination, result);
                    }
                    Instruction::BinaryImmediate(op, destination, a, small) => {
                        if let Value::Int(a) = slot!(a) {
                            let sum = match op {
                                BinaryOperator::Add => a.checked_add(i64::from(small)),
                                BinaryOperator::Subtract => a.checked_sub(i64::from(small)),
                                _ => None,
                            };
                            if let Some(sum) = sum {
                                slot!(destination) = Value::Int(sum);
                                continue;
                            }
                        }
                        let small = Value::Int(i64::from(small));
                        if let Some(value) = operate_numbers(op, &slot!(a), &small) {
                            slot!(destination) = value;
                            continue;
                        }
                        note!();
                        let a = operand!(a);
                        let result = check!(self.binary(op, &a, &small));
                        drop(a);
                        finish!(destination, result);
                    }
                    Instruction::BinaryInPlaceImmediate(op, destination, a, small) => {
                        let small = Value::Int(i64::from(small));
                        if let Some(value) = operate_numbers(op, &slot!(a), &small) {
                            slot!(destination) = value;
                            continue;
                        }
                        note!();
                        let a = operand!(a);
                        let result = check!(self.binary_in_place(op, a, &small));
                        finish!(destination, result);
                    }
                    Instruction::Unary(op, destination, a) => {
                        note!();
                        let a = operand!(a);
                        let result = check!(self.unary(op, &a));
                        drop(a);
                        finish!(destination, result);
                    }
                    Instruction::Not(destination, a) => {
                        note!();
                        let a = operand!(a);
                        let truth = check!(self.truth(&a));
                        slot!(destination) = Value::Bool(!truth);
                    }
                    Instruction::Compare(op, destination, a, b) => {
                        if let Some(result) = compare_numbers(op, &slot!(a), &slot!(b)) {
                            slot!(destination) = Value::Bool(result);
                            continue;
                        }
                        note!();
                        let (a, b) = (operand!(a), operand!(b));
                        let result = check!(self.compare(op, &a, &b));
                        drop((a, b));
                        finish!(destination, result);
                    }
                    Instruction::Is(negated, destination, a, b) => {
                        let (a, b) = (operand!(a), operand!(b));
                        slot!(destination) = Value::Bool(a.is_same(&b) != negated);
                    }
                    Instruction::Contains(negated, destination, a, b) => {
                        note!();
                        let (item, container) = (operand!(a), operand!(b));
                        let found = check!(self.contains(&container, &item));
                        slot!(destination) = Value::Bool(found != negated);
                    }
                    Instruction::BranchCompare(op, a, b) => {
                        let holds = match compare_numbers(op, &slot!(a), &slot!(b)) {
                            Some(holds) => holds,
                            None => {
                                note!();
                                let (a, b) = (operand!(a), operand!(b));
                                let result = check!(self.compare(op, &a, &b));
                                check!(self.truth(&result))
                            }
                        };
                        next = branch(code, next, holds);
                    }
                    Instruction::BranchCompareImmediate(op, a, small) => {
                        let holds = match &slot!(a) {
                            Value::Int(a) => compare(op, *a, i64::from(small)),
                            _ => {
                                note!();
                                let a = operand!(a);
                                let result = check!(self.compare(op, &a, &Value::Int(i64::from(small))));
                                check!(self.truth(&result))
                            }
                        };
                        next = branch(code, next, holds);
                    }
                    Instruction::Jump(target) => next = target as usize,
                    Instruction::JumpBack(target) => {
                        next = target as usize;
                        if self.wants_attention() {
                            note!();
                            check!(self.safe_point());
                        }
                    }
                    Instruction::JumpIfFalse(register, target) | Instruction::JumpIfTrue(register, target) => {
                        let sense = matches!(instruction, Instruction::JumpIfTrue(..));
                        let truth = match &slot!(register) {
                            Value::Bool(truth) => *truth,
                            _ => {
                                note!();
                                let value = operand!(register);
                                check!(self.truth(&value))
                            }
                        };
                        if truth == sense {
                            next = target as usize;
                        }
                    }
                    Instruction::JumpIfFalseOrDrop(register, target)
                    | Instruction::JumpIfTrueOrDrop(register, target) => {
                        let sense = matches!(instruction, Instruction::JumpIfTrueOrDrop(..));
                        note!();
                        let value = slot!(register).clone();
                        if check!(self.truth(&value)) == sense {
                            next = target as usize;
                        } else {
                            slot!(register) = Value::Unset;
                        }
                    }
                    Instruction::GetIterator(destination, source) => {
                        note!();
                        let value = operand!(source);
                        let iterator = check!(self.iter(&value));
                        slot!(destination) = iterator;
                    }
                    Instruction::ForNext(destination, iterator) => {
                        let fast = match &slot!(iterator) {
                            Value::Iterator(iterator) => match &mut *iterator.state.borrow_mut() {
                                IteratorState::Range(value, step, left) if *left > 0 => {
                                    let item = *value;
                                    *value = value.wrapping_add(*step);
                                    *left -= 1;
                                    Some(Value::Int(item))
                                }
                                IteratorState::List(list, position) => match list.items.borrow().get(*position) {
                                    Some(item) => {
                                        *position += 1;
                                        Some(item.clone())
                                    }
                                    None => None,
                                },
                                IteratorState::Tuple(tuple, position) => match tuple.items().get(*position) {
                                    Some(item) => {
                                        *position += 1;
                                        Some(item.clone())
                                    }
                                    None => None,
                                },
                                _ => None,
                            },
                            _ => None,
                        };
                        if let Some(item) = fast {
                            slot!(destination) = item;
                            next += 1;
                            continue;
                        }
                        note!();
                        if let Value::Generator(generator) = &slot!(iterator) {
                            let generator = generator.clone();
                            match check!(self.push_generator(&generator, Return::Item(destination, iterator))) {
                                true => continue 'frames,
                                false => {
                                    slot!(iterator) = Value::Unset;
                                    continue;
                                }
                            }
                        }
                        let source = slot!(iterator).clone();
                        match check!(self.next(&source)) {
                            Some(item) => {
                                finish!(destination, item);
                                next += 1;
                            }
                            None => {
                                drop(source);
                                slot!(iterator) = Value::Unset;
                            }
                        }
                    }
                    Instruction::Call(is_method, destination, window, count) => {
                        note!();
                        if !is_method {
                            slot!(window + 1) = Value::Unset;
                        }
                        check!(self.before_call(base + usize::from(window)));
                        let window = base + usize::from(window);
                        let called =
                            check!(self.call_window(window, usize::from(count), &[], Return::Into(destination)));
                        call!(destination, called);
                    }
                    Instruction::CallKeywords(is_method, destination, window, count) => {
                        if !is_method {
                            slot!(window + 1) = Value::Unset;
                        }
                        let Instruction::Data(index) = code.instructions[next] else { continue };
                        next += 1;
                        note!();
                        check!(self.before_call(base + usize::from(window)));
                        let names = &code.keyword_names[index as usize];
                        let window = base + usize::from(window);
                        let called =
                            check!(self.call_window(window, usize::from(count), names, Return::Into(destination)));
                        call!(destination, called);
                    }
                    Instruction::CallUnpacked(destination, window) => {
                        note!();
                        check!(self.before_call(base + usize::from(window)));
                        slot!(window + 1) = Value::Unset;
                        let value = check!(self.call_unpacked(base + usize::from(window)));
                        finish!(destination, value);
                    }
                    Instruction::Data(_) => {}
                    Instruction::MakeFunction(destination, first, index) => {
                        note!();
                        let value =
                            check!(self.make_function(code, base, usize::from(first), usize::from(index), &module));
                        slot!(destination) = value;
                    }
                    Instruction::BuildClass(destination, window) => {
                        note!();
                        check!(self.push_class_body(base + usize::from(window), destination));
                        continue 'frames;
                    }
                    Instruction::Return(source) => {
                        note!();
                        check!(self.settle_pending());
                        let value = std::mem::take(&mut slot!(source));
                        match self.leave_frame(value) {
                            Ok(None) => continue 'frames,
                            done => return done,
                        }
                    }
                    Instruction::ReturnNone => {
                        note!();
                        check!(self.settle_pending());
                        match self.leave_frame(Value::None) {
                            Ok(None) => continue 'frames,
                            done => return done,
                        }
                    }
                    Instruction::Yield(destination, source) => {
                        note!();
                        check!(self.settle_pending());
                        let value = std::mem::take(&mut slot!(source));
                        match self.suspend(Some(destination), value) {
                            None => continue 'frames,
                            done => return Ok(done),
                        }
                    }
                    Instruction::YieldFrom(destination, iterator, scratch) => {
                        note!();
                        let sent = std::mem::take(&mut slot!(scratch));
                        let source = slot!(iterator).clone();
                        match check!(self.step_delegate(&source, sent)) {
                            Ok(item) => {
                                // The same instruction goes on when the generator is resumed.
                                next -= 1;
                                note!();
                                match self.suspend(Some(scratch), item) {
                                    None => continue 'frames,
                                    done => return Ok(done),
                                }
                            }
                            Err(result) => {
                                slot!(iterator) = Value::Unset;
                                slot!(destination) = result;
                            }
                        }
                    }
                    Instruction::Raise(source) => {
                        note!();
                        check!(self.settle_pending());
                        let value = operand!(source);
                        let raised = check!(self.exception_from(value));
                        return Err((raised, Arrival::Raised));
                    }
                    Instruction::RaiseFrom(source, cause) => {
                        note!();
                        check!(self.settle_pending());
                        let (value, cause) = (operand!(source), operand!(cause));
                        let raised = check!(self.exception_with_cause(value, cause));
                        return Err((raised, Arrival::Raised));
                    }
                    Instruction::RaiseAgain => {
                        note!();
                        match self.handled_exception() {
                            Some(exception) => return Err((Raised(exception), Arrival::Again)),
                            None => check!(Err(raise::runtime_error("No active exception to reraise"))),
                        }
                    }
                    Instruction::Reraise(register) => {
                        note!();
                        if let Value::Exception(exception) = std::mem::take(&mut slot!(register)) {
                            return Err((Raised(exception), Arrival::Again));
                        }
                    }
                    Instruction::PopHandled => {
                        let old = self.frames.last_mut().and_then(|frame| frame.handled.pop());
                        drop(old);
                    }
                    Instruction::MatchException(destination, exception, class) => {
                        note!();
                        let class = operand!(class);
                        let exception = slot!(exception).clone();
                        let matches = check!(self.exception_matches(&exception, &class));
                        slot!(destination) = Value::Bool(matches);
                    }
                    Instruction::RaiseAssertion(message) => {
                        note!();
                        let message = operand!(message);
                        let class = crate::lang::builtins::classes::Builtin::AssertionError;
                        check!(Err(Raised::with_args(class, vec![message])));
                    }
                    Instruction::RaiseAssertionPlain => {
                        let class = crate::lang::builtins::classes::Builtin::AssertionError;
                        check!(Err(Raised::with_args(class, vec![])));
                    }
                    Instruction::WithEnter(destination, window, manager) => {
                        note!();
                        check!(self.settle_pending());
                        let manager = operand!(manager);
                        let (exit, entered) = check!(self.enter_context(&manager));
                        slot!(window) = exit;
                        slot!(window + 1) = Value::Unset;
                        slot!(destination) = entered;
                    }
                    Instruction::WithExit(destination, window, exception) => {
                        note!();
                        let exit = std::mem::take(&mut slot!(window));
                        slot!(window + 1) = Value::Unset;
                        let exception = slot!(exception).clone();
                        let traceback = self.traceback_value(&exception);
                        let class = Value::Class(exception.class());
                        let result = check!(self.call(&exit, &[class, exception, traceback]));
                        drop(exit);
                        slot!(destination) = result;
                    }
                    Instruction::Import(whole, destination, name) => {
                        note!();
                        let value = check!(self.import_statement(code.names[usize::from(name)], whole));
                        slot!(destination) = value;
                    }
                    Instruction::ImportFrom(destination, source, name) => {
                        note!();
                        let source = operand!(source);
                        let value = check!(self.import_from(&source, code.names[usize::from(name)]));
                        slot!(destination) = value;
                    }
                    Instruction::ImportStar(source) => {
                        note!();
                        let source = operand!(source);
                        check!(self.import_star(&source, &module));
                    }
                    Instruction::StoreAnnotation(source, name) => {
                        note!();
                        let value = operand!(source);
                        let name = code.names[usize::from(name)];
                        let namespace = match (code.kind, &slot!(0_u16)) {
                            (CodeKind::Class, Value::Module(namespace)) => namespace.clone(),
                            _ => module.clone(),
                        };
                        check!(self.store_annotation(&namespace, name, value));
                    }
                    Instruction::MatchKind(mapping, destination, source) => {
                        let value = slot!(source).clone();
                        slot!(destination) = Value::Bool(self.matches_kind(&value, mapping));
                    }
                    Instruction::MatchLength(at_least, destination, source, count) => {
                        note!();
                        let value = slot!(source).clone();
                        let len = check!(self.len(&value));
                        let count = usize::from(count);
                        slot!(destination) = Value::Bool(if at_least { len >= count } else { len == count });
                    }
                    Instruction::MatchKeys(destination, subject, keys) => {
                        note!();
                        let (subject, keys) = (operand!(subject), operand!(keys));
                        let value = check!(self.match_keys(&subject, &keys));
                        slot!(destination) = value;
                    }
                    Instruction::MatchClass(destination, window, positional) => {
                        note!();
                        let subject = operand!(window);
                        let class = operand!(window + 1);
                        let keyword_names = operand!(window + 2);
                        let value = check!(self.match_class(&subject, &class, usize::from(positional), &keyword_names));
                        slot!(destination) = value;
                    }
                    Instruction::MatchRest(destination, subject, keys) => {
                        note!();
                        let (subject, keys) = (operand!(subject), operand!(keys));
                        let value = check!(self.match_rest(&subject, &keys));
                        slot!(destination) = value;
                    }
                    Instruction::RunMagic(destination, index) => {
                        note!();
                        check!(self.settle_pending());
                        let host = self.host.clone();
                        let value = check!(host.run_magic(self, &code.magics[usize::from(index)]));
                        slot!(destination) = value;
                    }
                    Instruction::ShowResult(source) => {
                        note!();
                        check!(self.settle_pending());
                        let value = std::mem::take(&mut slot!(source));
                        let host = self.host.clone();
                        check!(host.show_result(self, value));
                        check!(self.safe_point());
                    }
                    Instruction::Discard(source) => {
                        note!();
                        check!(self.settle_pending());
                        slot!(source) = Value::Unset;
                        check!(self.finalizers_only());
                    }
                }
                debug_assert!(entry <= self.frames.len());
            }
        }
    }

    /// Whether a safe point has something to do; the cheap half of [`Vm::safe_point`].
    #[inline]
    fn wants_attention(&mut self) -> bool {
        self.until_collection_check = self.until_collection_check.wrapping_sub(1);
        self.until_collection_check & 31 == 0
            || self.attention.load(std::sync::atomic::Ordering::Relaxed) != 0
            || crate::lang::heap::has_finalizers()
    }

    #[inline]
    fn finalizers_only(&mut self) -> Fallible<()> {
        if crate::lang::heap::has_finalizers() {
            self.run_finalizers();
        }
        Ok(())
    }

    #[inline]
    fn before_call(&mut self, window: usize) -> Fallible<()> {
        let keeps_pending = self.has_pending() && takes_pending(&self.stack[window]);
        if self.wants_attention() {
            let is_only_collection =
                !crate::lang::heap::has_finalizers() && self.attention.load(std::sync::atomic::Ordering::Relaxed) == 0;
            if keeps_pending && is_only_collection {
                // A look whether to collect must not part a statement into programs: the next call looks again.
                self.until_collection_check = self.until_collection_check.wrapping_add(1);
                return Ok(());
            }
            // Code of the program may run here, whoever is called.
            self.settle_pending()?;
            return self.safe_point();
        }
        if keeps_pending { Ok(()) } else { self.settle_pending() }
    }

    fn take_row(&mut self, first: usize, count: usize) -> Vec<Value> {
        self.stack[first..first + count].iter_mut().map(std::mem::take).collect()
    }

    fn free_cell(&self, index: u16) -> Option<Ref<CellObject>> {
        match &self.frames.last()?.function {
            Value::Function(function) => function.closure.borrow().get(usize::from(index)).cloned(),
            _ => None,
        }
    }

    /// Leaves the innermost frame with a value and puts it where it belongs; `Some` when Rust code waits for it. An error is the
    /// caller's, whose frame is the innermost one by then.
    fn leave_frame(&mut self, value: Value) -> Result<Option<Value>, Failure> {
        let frame = self.frames.last().expect("a frame is running");
        let returns = frame.returns;
        let base = frame.base;
        if let Return::Class(_) | Return::ClassToNative = returns {
            let class = self.finish_class(base);
            self.pop_frame();
            let class = class.map_err(|raised| (raised, Arrival::Raised))?;
            return match returns {
                Return::Class(destination) => {
                    self.store_below(destination, class);
                    Ok(None)
                }
                _ => Ok(Some(class)),
            };
        }
        if let Some(generator) = frame.generator.clone() {
            let old = generator.state.replace(crate::lang::objects::GeneratorState::Finished);
            drop(old);
        }
        self.yielded = false;
        self.pop_frame();
        match returns {
            Return::ToNative | Return::ClassToNative => return Ok(Some(value)),
            Return::Into(destination) | Return::Class(destination) => self.store_below(destination, value),
            Return::Instance(destination) => {
                let instance = std::mem::take(&mut self.stack[base - 1]);
                check_init_result(&value).map_err(|raised| (raised, Arrival::Raised))?;
                self.store_below(destination, instance);
            }
            Return::Item(_, iterator) => {
                drop(value);
                self.store_below(iterator, Value::Unset);
            }
        }
        Ok(None)
    }

    fn store_below(&mut self, register: Register, value: Value) {
        let Some(below) = self.frames.last() else { return };
        let slot = below.base + usize::from(register);
        let old = std::mem::replace(&mut self.stack[slot], value);
        drop(old);
    }

    /// Suspends the innermost frame, a generator's, with a value for its consumer.
    fn suspend(&mut self, resume_into: Option<Register>, value: Value) -> Option<Value> {
        let returns = self.detach_generator(resume_into);
        match returns {
            Return::Item(destination, _) => {
                self.store_below(destination, value);
                if let Some(below) = self.frames.last_mut() {
                    below.next += 1;
                }
                None
            }
            _ => {
                self.yielded = true;
                Some(value)
            }
        }
    }
}

/// Whether a callee makes an expression of arrays that are not computed yet.
fn takes_pending(callee: &Value) -> bool {
    match callee {
        Value::Native(function) => function.definition.takes_pending,
        Value::Object(_) => crate::lang::arrays::ufunc::as_ufunc(callee).is_some(),
        _ => false,
    }
}

/// Where a branch goes on: two further when the comparison holds, else to the jump that follows.
#[inline]
fn branch(code: &Code, next: usize, holds: bool) -> usize {
    if holds {
        return next + 1;
    }
    match code.instructions[next] {
        Instruction::Jump(target) => target as usize,
        _ => next,
    }
}

/// The value of an attribute that an instance has where it had it last time.
#[inline]
fn cached_instance_attribute(
    instance: &crate::lang::objects::InstanceObject,
    site: &crate::lang::code::Site,
) -> Option<Value> {
    let crate::lang::code::AttributeCache::Instance { version, epoch, position } = site.cache.get() else {
        return None;
    };
    if instance.class.borrow().version.get() != version || crate::lang::objects::class_epoch() != epoch {
        return None;
    }
    let attributes = instance.attributes.borrow();
    let (name, value) = attributes.get_index(position as usize)?;
    (*name == site.name).then(|| value.clone())
}

/// A name bound in the namespace of a class being defined.
pub(super) fn class_namespace(namespace: &Value, name: Name) -> Option<Value> {
    match namespace {
        Value::Module(namespace) => namespace.get(name),
        _ => None,
    }
}

#[cold]
fn unbound_local(code: &Code, register: Register) -> Raised {
    let name = code.locals.get(usize::from(register)).copied().unwrap_or_else(|| Name::new("?"));
    raise::unbound_local_error(format!("cannot access local variable '{name}' where it is not associated with a value"))
}

#[cold]
fn unbound_free(name: Name) -> Raised {
    raise::name_error(format!(
        "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
    ))
}
