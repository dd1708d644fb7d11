//! The loop that executes instructions.
//!
//! Ints and floats are handled where they stand, as are plain calls, cached attributes and the usual containers; everything else
//! is a function of the machine in one of the files beside this one, by family of instructions. Before anything that can run
//! other code the frame's place is noted, so that tracebacks and origins know it.

use super::arithmetic::truth_quickly;
use super::calls::branch;
use super::flow::{Delegated, Stepped};
use super::{At, Failure, unbound_free, unbound_local};
use crate::lang::code::{Code, Instruction};
use crate::lang::heap;
use crate::lang::operators::BinaryOperator;
use crate::lang::raise::Raised;
use crate::lang::value::Value;
use crate::lang::vm::Vm;
use crate::lang::vm::calls::Called;
use crate::lang::vm::numbers::{compare, compare_numbers, operate_number, operate_numbers};
use crate::lang::vm::unwind::Arrival;

impl Vm {
    /// Executes frames until the entry frame is done; an exception comes with how it arrived.
    #[expect(clippy::too_many_lines, reason = "one arm an instruction")]
    pub(super) fn execute_frame(&mut self, entry: usize) -> Result<Value, Failure> {
        // Calls and returns go round this loop: leaving and entering the function for each would cost more than the call itself.
        'frames: loop {
            debug_assert!(entry <= self.frames.len());
            let frame = self.frames.last().expect("a frame is running");
            let code = frame.code.clone();
            let code: &Code = &code;
            let base = frame.base;
            let at = At { code, base };
            let mut next = frame.next;

            macro_rules! slot {
                ($register:expr) => {
                    self.stack[base + usize::from($register)]
                };
            }
            macro_rules! set {
                ($register:expr, $value:expr) => {{
                    let value = $value;
                    slot!($register).put(value)
                }};
            }
            macro_rules! note {
                () => {
                    self.frames.last_mut().expect("a frame is running").next = next
                };
            }
            // What may raise, or run other code.
            macro_rules! run {
                ($result:expr) => {{
                    note!();
                    match $result {
                        Ok(value) => value,
                        Err(raised) => return Err((raised, Arrival::Raised)),
                    }
                }};
            }
            macro_rules! fail {
                ($raised:expr) => {{
                    note!();
                    return Err(($raised, Arrival::Raised));
                }};
            }
            macro_rules! bound {
                ($value:expr, $unbound:expr) => {{
                    let value = $value;
                    if value.is_unset() {
                        fail!($unbound);
                    }
                    value
                }};
            }
            macro_rules! call {
                ($destination:expr, $called:expr) => {
                    match run!($called) {
                        Called::Done(value) => {
                            set!($destination, value);
                            if !self.pending.is_empty() && !at.is_temporary($destination) {
                                run!(self.settle_pending());
                            }
                        }
                        Called::Pushed => continue 'frames,
                    }
                };
            }
            macro_rules! leave {
                ($value:expr) => {
                    match self.leave_called($value) {
                        None => continue 'frames,
                        Some(value) => {
                            note!();
                            match self.leave_frame(value)? {
                                None => continue 'frames,
                                Some(value) => return Ok(value),
                            }
                        }
                    }
                };
            }
            macro_rules! arithmetic {
                ($operator:expr, $checked:ident, $sign:tt, $destination:expr, $a:expr, $b:expr) => {{
                    match (&slot!($a), &slot!($b)) {
                        (Value::Int(x), Value::Int(y)) if let Some(result) = x.$checked(*y) => {
                            set!($destination, Value::Int(result));
                        }
                        (Value::Float(x), Value::Float(y)) => {
                            set!($destination, Value::Float(*x $sign *y));
                        }
                        _ => run!(self.binary_at(at, $operator, $destination, $a, $b)),
                    }
                }};
            }

            loop {
                let instruction = code.instructions[next];
                next += 1;
                match instruction {
                    Instruction::LoadConstant(destination, index) => {
                        set!(destination, code.constants[index as usize].clone());
                    }
                    Instruction::LoadInt(destination, value) => set!(destination, Value::Int(i64::from(value))),
                    Instruction::Copy(destination, source) => {
                        let value = slot!(source).clone();
                        if value.is_unset() && !at.is_temporary(source) {
                            fail!(unbound_local(code, source));
                        }
                        set!(destination, value);
                    }
                    Instruction::Move(destination, source) => {
                        set!(destination, std::mem::take(&mut slot!(source)));
                        if !self.pending.is_empty() && !at.is_temporary(destination) {
                            run!(self.settle_pending());
                        }
                    }
                    Instruction::CheckBound(register) => {
                        if slot!(register).is_unset() {
                            fail!(unbound_local(code, register));
                        }
                    }
                    Instruction::Clear(register) => set!(register, Value::Unset),
                    Instruction::DeleteLocal(register) => {
                        if slot!(register).is_unset() {
                            fail!(unbound_local(code, register));
                        }
                        set!(register, Value::Unset);
                        run!(self.safe_point());
                    }
                    Instruction::LoadGlobal(destination, at_slot) => {
                        let mut value = self.global(at_slot);
                        if value.is_unset() {
                            value = run!(self.unbound_global(at_slot));
                        }
                        set!(destination, value);
                    }
                    Instruction::StoreGlobal(source, at_slot) => run!(self.store_global(at, source, at_slot)),
                    Instruction::DeleteGlobal(at_slot) => run!(self.delete_global(at_slot)),
                    Instruction::LoadName(destination, name) => {
                        run!(self.load_name(at, destination, code.names[usize::from(name)]));
                    }
                    Instruction::LoadNameOrFree(destination, name, index) => {
                        run!(self.load_name_or_free(at, destination, code.names[usize::from(name)], index));
                    }
                    Instruction::StoreName(source, name) => {
                        run!(self.store_name(at, source, code.names[usize::from(name)]));
                    }
                    Instruction::DeleteName(name) => run!(self.delete_name(at, code.names[usize::from(name)])),
                    Instruction::MakeCell(register) => self.make_cell(at, register),
                    Instruction::LoadCell(destination, register) => {
                        set!(destination, bound!(self.boxed(at, register), unbound_local(code, register)));
                    }
                    Instruction::StoreCell(register, source) => run!(self.store_cell(at, register, source)),
                    Instruction::DeleteCell(register) => run!(self.delete_cell(at, register)),
                    Instruction::LoadFree(destination, index) => {
                        let name = || code.captured_name(usize::from(index));
                        set!(destination, bound!(self.captured(index), unbound_free(name())));
                    }
                    Instruction::StoreFree(source, index) => run!(self.store_free(at, source, index)),
                    Instruction::DeleteFree(index) => run!(self.delete_free(at, index)),
                    Instruction::GetAttribute(destination, object, site) => {
                        let site = &code.sites[usize::from(site)];
                        if !self.get_attribute_quickly(at, destination, object, site) {
                            run!(self.get_attribute_slowly(at, destination, object, site));
                        }
                    }
                    Instruction::SetAttribute(object, site, source) => {
                        note!();
                        let site = &code.sites[usize::from(site)];
                        if !self.set_attribute_quickly(at, object, site, source) {
                            run!(self.set_attribute_slowly(at, object, site, source));
                        }
                    }
                    Instruction::DeleteAttribute(object, site) => {
                        run!(self.delete_attribute_at(at, object, &code.sites[usize::from(site)]));
                    }
                    Instruction::LoadMethod(window, object, site) => {
                        let site = &code.sites[usize::from(site)];
                        if !self.load_method_quickly(at, window, object, site) {
                            run!(self.load_method_slowly(at, window, object, site));
                        }
                    }
                    Instruction::GetItem(destination, object, key) => {
                        if !self.get_item_quickly(at, destination, object, key) {
                            run!(self.get_item_slowly(at, destination, object, key));
                        }
                    }
                    Instruction::SetItem(object, key, source) => run!(self.set_item_at(at, object, key, source)),
                    Instruction::DeleteItem(object, key) => run!(self.delete_item_at(at, object, key)),
                    Instruction::BuildSlice(destination, first) => self.build_slice(at, destination, first),
                    Instruction::BuildTuple(destination, first, count) => {
                        run!(self.build_tuple(at, destination, first, count));
                    }
                    Instruction::BuildList(destination, first, count) => {
                        run!(self.build_list(at, destination, first, count));
                    }
                    Instruction::BuildSet(destination, _, count) => self.build_set(at, destination, count == 1),
                    Instruction::BuildDict(destination, ..) => self.build_dict(at, destination),
                    Instruction::BuildString(destination, first, count) => {
                        run!(self.build_string_at(at, destination, first, count));
                    }
                    Instruction::ListAppend(list, source) => run!(self.list_append(at, list, source)),
                    Instruction::ListExtend(list, source) => run!(self.list_extend(at, list, source)),
                    Instruction::SetAdd(set, source) => run!(self.set_add_at(at, set, source)),
                    Instruction::SetUpdate(set, source) => run!(self.set_update(at, set, source)),
                    Instruction::DictInsert(dict, key, value) => run!(self.dict_insert(at, dict, key, value)),
                    Instruction::DictUpdate(dict, source) => run!(self.dict_update(at, dict, source)),
                    Instruction::DictMerge(dict, source, callee) => run!(self.dict_merge(at, dict, source, callee)),
                    Instruction::ListToTuple(destination, source) => self.list_to_tuple(at, destination, source),
                    Instruction::Format(conversion, destination, source, spec) => {
                        run!(self.format_at(at, conversion, destination, source, spec));
                    }
                    Instruction::FormatPlain(conversion, destination, source) => {
                        run!(self.format_plain_at(at, conversion, destination, source));
                    }
                    Instruction::Unpack(first, source, count) => run!(self.unpack_at(at, first, source, count)),
                    Instruction::UnpackStarred(before, first, source, after) => {
                        run!(self.unpack_starred_at(at, before, first, source, after));
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
                    Instruction::Binary(op, destination, a, b) => match operate_numbers(op, &slot!(a), &slot!(b)) {
                        Some(value) => set!(destination, value),
                        None => run!(self.binary_at(at, op, destination, a, b)),
                    },
                    Instruction::BinaryInPlace(op, destination, a, b) => {
                        if op == BinaryOperator::Add {
                            match (&slot!(a), &slot!(b)) {
                                (Value::Int(x), Value::Int(y)) if let Some(sum) = x.checked_add(*y) => {
                                    set!(destination, Value::Int(sum));
                                    continue;
                                }
                                (Value::Float(x), Value::Float(y)) => {
                                    set!(destination, Value::Float(*x + *y));
                                    continue;
                                }
                                _ => {}
                            }
                        }
                        match operate_numbers(op, &slot!(a), &slot!(b)) {
                            Some(value) => set!(destination, value),
                            None => run!(self.binary_in_place_at(at, op, destination, a, b)),
                        }
                    }
                    Instruction::BinaryImmediate(op, destination, a, small) => {
                        if let Value::Int(a) = slot!(a) {
                            let sum = match op {
                                BinaryOperator::Add => a.checked_add(i64::from(small)),
                                BinaryOperator::Subtract => a.checked_sub(i64::from(small)),
                                BinaryOperator::Modulo if small > 0 => Some(a.rem_euclid(i64::from(small))),
                                BinaryOperator::Multiply => a.checked_mul(i64::from(small)),
                                _ => None,
                            };
                            if let Some(sum) = sum {
                                set!(destination, Value::Int(sum));
                                continue;
                            }
                        }
                        match operate_numbers(op, &slot!(a), &Value::Int(i64::from(small))) {
                            Some(value) => set!(destination, value),
                            None => run!(self.binary_immediate_at(at, op, destination, a, small)),
                        }
                    }
                    Instruction::BinaryInPlaceImmediate(op, destination, a, small) => {
                        match operate_numbers(op, &slot!(a), &Value::Int(i64::from(small))) {
                            Some(value) => set!(destination, value),
                            None => run!(self.binary_in_place_immediate_at(at, op, destination, a, small)),
                        }
                    }
                    Instruction::Unary(op, destination, a) => match operate_number(op, &slot!(a)) {
                        Some(value) => set!(destination, value),
                        None => run!(self.unary_at(at, op, destination, a)),
                    },
                    Instruction::Not(destination, a) => match truth_quickly(&slot!(a)) {
                        Some(truth) => set!(destination, Value::Bool(!truth)),
                        None => run!(self.not_at(at, destination, a)),
                    },
                    Instruction::Compare(op, destination, a, b) => match compare_numbers(op, &slot!(a), &slot!(b)) {
                        Some(result) => set!(destination, Value::Bool(result)),
                        None => run!(self.compare_at(at, op, destination, a, b)),
                    },
                    Instruction::Is(negated, destination, a, b) => {
                        let (a, b) = (run!(self.operand(at, a)), run!(self.operand(at, b)));
                        set!(destination, Value::Bool(a.is_same(&b) != negated));
                    }
                    Instruction::Contains(negated, destination, a, b) => {
                        run!(self.contains_at(at, negated, destination, a, b));
                    }
                    Instruction::BranchCompare(op, a, b) => {
                        let holds = match compare_numbers(op, &slot!(a), &slot!(b)) {
                            Some(holds) => holds,
                            None => run!(self.holds(at, op, a, b)),
                        };
                        next = branch(code, next, holds);
                    }
                    Instruction::BranchCompareImmediate(op, a, small) => {
                        let holds = match &slot!(a) {
                            Value::Int(a) => compare(op, *a, i64::from(small)),
                            _ => run!(self.holds_immediate(at, op, a, small)),
                        };
                        next = branch(code, next, holds);
                    }
                    Instruction::Jump(target) => next = target as usize,
                    Instruction::JumpBack(target) => {
                        next = target as usize;
                        if self.wants_attention() {
                            run!(self.safe_point());
                        }
                    }
                    Instruction::JumpIfFalse(register, target) => {
                        let truth = match truth_quickly(&slot!(register)) {
                            Some(truth) => truth,
                            None => run!(self.truth_at(at, register)),
                        };
                        if !truth {
                            next = target as usize;
                        }
                    }
                    Instruction::JumpIfTrue(register, target) => {
                        let truth = match truth_quickly(&slot!(register)) {
                            Some(truth) => truth,
                            None => run!(self.truth_at(at, register)),
                        };
                        if truth {
                            next = target as usize;
                        }
                    }
                    Instruction::JumpIfFalseOrDrop(register, target) => {
                        if run!(self.truth_kept(at, register)) {
                            set!(register, Value::Unset);
                        } else {
                            next = target as usize;
                        }
                    }
                    Instruction::JumpIfTrueOrDrop(register, target) => {
                        if run!(self.truth_kept(at, register)) {
                            next = target as usize;
                        } else {
                            set!(register, Value::Unset);
                        }
                    }
                    Instruction::GetIterator(destination, source) => {
                        run!(self.get_iterator(at, destination, source));
                    }
                    Instruction::ForNext(destination, iterator) => {
                        if self.step_quickly(at, destination, iterator) {
                            next += 1;
                            continue;
                        }
                        match run!(self.step(at, destination, iterator)) {
                            Stepped::Item => next += 1,
                            Stepped::End => {}
                            Stepped::Pushed => continue 'frames,
                        }
                    }
                    Instruction::Call(is_method, destination, window, count) => {
                        let window = base + usize::from(window);
                        call!(destination, self.start_call(window, is_method, count, destination));
                    }
                    Instruction::CallKeywords(is_method, destination, window, count) => {
                        let Instruction::Data(names) = code.instructions[next] else { continue };
                        next += 1;
                        call!(destination, self.start_keyword_call(at, window, is_method, count, names, destination));
                    }
                    Instruction::CallUnpacked(destination, window) => {
                        run!(self.call_unpacked_at(at, destination, window));
                    }
                    Instruction::Data(_) => {}
                    Instruction::MakeFunction(destination, first, index) => {
                        run!(self.make_function_at(at, destination, first, index));
                    }
                    Instruction::BuildClass(destination, window) => {
                        run!(self.push_class_body(base + usize::from(window), destination));
                        continue 'frames;
                    }
                    Instruction::Return(source) => {
                        if !self.pending.is_empty() {
                            run!(self.settle_pending());
                        }
                        let value = std::mem::take(&mut slot!(source));
                        leave!(value)
                    }
                    Instruction::ReturnNone => {
                        if !self.pending.is_empty() {
                            run!(self.settle_pending());
                        }
                        leave!(Value::None)
                    }
                    Instruction::Yield(destination, source) => {
                        run!(self.settle_pending());
                        let value = std::mem::take(&mut slot!(source));
                        match self.suspend(Some(destination), value) {
                            None => continue 'frames,
                            Some(value) => return Ok(value),
                        }
                    }
                    Instruction::YieldFrom(destination, iterator, scratch) => {
                        match run!(self.yield_from(at, destination, iterator, scratch)) {
                            Delegated::End => {}
                            Delegated::Pushed => continue 'frames,
                            Delegated::Yielded(item) => {
                                // The same instruction goes on when the generator is resumed.
                                next -= 1;
                                note!();
                                match self.suspend(Some(scratch), item) {
                                    None => continue 'frames,
                                    Some(value) => return Ok(value),
                                }
                            }
                        }
                    }
                    Instruction::Raise(source) => fail!(run!(self.raise_at(at, source))),
                    Instruction::RaiseFrom(source, cause) => fail!(run!(self.raise_from_at(at, source, cause))),
                    Instruction::RaiseAgain => {
                        note!();
                        return Err(self.raise_again());
                    }
                    Instruction::Reraise(register) => {
                        if let Value::Exception(exception) = std::mem::take(&mut slot!(register)) {
                            note!();
                            return Err((Raised(exception), Arrival::Again));
                        }
                    }
                    Instruction::PopHandled => self.pop_handled(),
                    Instruction::MatchException(destination, exception, class) => {
                        run!(self.match_exception(at, destination, exception, class));
                    }
                    Instruction::Group(step, a, b, c) => run!(self.group_step(at, step, a, b, c)),
                    Instruction::RaiseAssertion(message) => run!(self.assertion_error(at, Some(message))),
                    Instruction::RaiseAssertionPlain => run!(self.assertion_error(at, None)),
                    Instruction::WithEnter(destination, window, manager) => {
                        run!(self.with_enter(at, destination, window, manager));
                    }
                    Instruction::WithExit(destination, window, exception) => {
                        run!(self.with_exit(at, destination, window, exception));
                    }
                    Instruction::Import(whole, destination, name) => {
                        run!(self.import_at(at, whole, destination, code.names[usize::from(name)]));
                    }
                    Instruction::ImportFrom(destination, source, name) => {
                        run!(self.import_from_at(at, destination, source, code.names[usize::from(name)]));
                    }
                    Instruction::ImportStar(source) => run!(self.import_star_at(at, source)),
                    Instruction::StoreAnnotation(source, name) => {
                        run!(self.store_annotation_at(at, source, code.names[usize::from(name)]));
                    }
                    Instruction::MatchKind(mapping, destination, source) => {
                        self.match_kind(at, mapping, destination, source);
                    }
                    Instruction::MatchLength(at_least, destination, source, count) => {
                        run!(self.match_length(at, at_least, destination, source, count));
                    }
                    Instruction::MatchKeys(destination, subject, keys) => {
                        run!(self.match_keys_at(at, destination, subject, keys));
                    }
                    Instruction::MatchClass(destination, window, positional) => {
                        run!(self.match_class_at(at, destination, window, positional));
                    }
                    Instruction::MatchRest(destination, subject, keys) => {
                        run!(self.match_rest_at(at, destination, subject, keys));
                    }
                    Instruction::RunMagic(destination, index) => run!(self.run_magic_at(at, destination, index)),
                    Instruction::ShowResult(source) => run!(self.show_result_at(at, source)),
                    Instruction::Discard(source) => {
                        if self.pending.is_empty() {
                            set!(source, Value::Unset);
                            if heap::has_finalizers() {
                                note!();
                                self.run_finalizers();
                            }
                        } else {
                            run!(self.discard_at(at, source));
                        }
                    }
                }
            }
        }
    }
}
