//! Expressions: into a given register, or as an operand where they stand already in one.

use super::{Compiler, Compiling};
use crate::lang::code::{Instruction, Register, Span};
use crate::lang::name::Name;
use crate::lang::operators::{BinaryOperator, UnaryOperator};
use crate::lang::tree::{Argument, Comparison, Constant, Expr, ExprKind, FormatPart};
use crate::lang::value::Value;

/// The value of a literal.
pub fn constant_value(constant: &Constant) -> Value {
    match constant {
        Constant::None => Value::None,
        Constant::Bool(value) => Value::Bool(*value),
        Constant::Ellipsis => Value::Ellipsis,
        Constant::Int(value) => Value::Int(*value),
        Constant::Big(value) => Value::int(value.clone()),
        Constant::Float(value) => Value::Float(*value),
        Constant::Imaginary(value) => Value::complex(0.0, *value),
        Constant::Str(value) => Value::str(value.clone()),
        Constant::Bytes(value) => {
            Value::Bytes(crate::lang::heap::Ref::new(crate::lang::objects::BytesObject::new(value.clone())))
        }
    }
}

/// A literal, also under signs.
fn folded(expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::Constant(constant) => Some(constant_value(constant)),
        ExprKind::Unary(UnaryOperator::Negative, inner) => match folded(inner)? {
            Value::Int(value) => Some(Value::int(-num_bigint::BigInt::from(value))),
            Value::Float(value) => Some(Value::Float(-value)),
            _ => None,
        },
        ExprKind::Tuple(items) => {
            let values: Option<Vec<Value>> = items.iter().map(folded).collect();
            values.filter(|values| !values.is_empty()).map(Value::tuple)
        }
        _ => None,
    }
}

fn small_int(expr: &Expr) -> Option<i16> {
    match folded(expr)? {
        Value::Int(value) => i16::try_from(value).ok(),
        _ => None,
    }
}

/// Whether evaluating the expression can neither run user code nor rebind a name.
fn is_simple(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Constant(_) | ExprKind::Name(_))
}

fn assigns(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Named(..) => true,
        ExprKind::Constant(_) | ExprKind::Name(_) | ExprKind::Magic(_) | ExprKind::Lambda(_) => false,
        ExprKind::Comprehension(_) => true,
        ExprKind::Unary(_, a)
        | ExprKind::Not(a)
        | ExprKind::Attribute(a, _)
        | ExprKind::Starred(a)
        | ExprKind::YieldFrom(a) => assigns(a),
        ExprKind::Binary(_, a, b) | ExprKind::Subscript(a, b) => assigns(a) || assigns(b),
        ExprKind::And(items)
        | ExprKind::Or(items)
        | ExprKind::Tuple(items)
        | ExprKind::List(items)
        | ExprKind::Set(items) => items.iter().any(assigns),
        ExprKind::Compare(a, rest) => assigns(a) || rest.iter().any(|(_, b)| assigns(b)),
        ExprKind::Call(callee, arguments) => assigns(callee) || arguments.iter().any(|a| assigns(a.value())),
        ExprKind::Slice(a, b, c) => [a, b, c].into_iter().flatten().any(|part| assigns(part)),
        ExprKind::Conditional { test, body, orelse } => assigns(test) || assigns(body) || assigns(orelse),
        ExprKind::Dict(items) => items.iter().any(|(k, v)| k.as_ref().is_some_and(assigns) || assigns(v)),
        ExprKind::Yield(value) => value.as_deref().is_some_and(assigns),
        ExprKind::Formatted(_) => true,
    }
}

impl<'a> Compiler<'a> {
    /// Whether compiling into a local directly is the same as computing first and binding after: the last instruction alone
    /// writes the register.
    pub(super) fn writes_last(expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_)
            | ExprKind::Name(_)
            | ExprKind::Unary(..)
            | ExprKind::Not(_)
            | ExprKind::Binary(..)
            | ExprKind::Call(..)
            | ExprKind::Attribute(..)
            | ExprKind::Subscript(..)
            | ExprKind::Tuple(_)
            | ExprKind::Lambda(_)
            | ExprKind::Comprehension(_) => true,
            ExprKind::Compare(_, rest) => rest.len() == 1,
            ExprKind::List(items) | ExprKind::Set(items) => {
                !items.iter().any(|item| matches!(item.kind, ExprKind::Starred(_)))
            }
            ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Slice(..)
            | ExprKind::Conditional { .. }
            | ExprKind::Dict(_)
            | ExprKind::Starred(_)
            | ExprKind::Named(..)
            | ExprKind::Yield(_)
            | ExprKind::YieldFrom(_)
            | ExprKind::Formatted(_)
            | ExprKind::Magic(_) => false,
        }
    }

    /// The register that holds the value: a local's own, or a new temporary.
    pub(super) fn operand(&mut self, expr: &'a Expr) -> Compiling<Register> {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(register) = self.local_register(*name)
        {
            return Ok(register);
        }
        let register = self.temporary()?;
        self.value(expr, register)?;
        Ok(register)
    }

    /// A left operand, fixed before the right one is evaluated.
    fn left_operand(&mut self, left: &'a Expr, right: &'a Expr) -> Compiling<Register> {
        let register = self.operand(left)?;
        if self.unit().is_temporary(register) || is_simple(right) {
            return Ok(register);
        }
        if assigns(right) {
            let copy = self.temporary()?;
            self.at(left.span);
            self.emit(Instruction::Copy(copy, register));
            return Ok(copy);
        }
        if let ExprKind::Name(name) = &left.kind {
            let (name, _) = self.meaning(*name);
            let scope = self.unit().scope;
            if !self.scopes.get(scope).is_always_bound(name) {
                self.at(left.span);
                self.emit(Instruction::CheckBound(register));
            }
        }
        Ok(register)
    }

    /// Evaluates into a temporary of its own, even a local.
    pub(super) fn fresh(&mut self, expr: &'a Expr) -> Compiling<Register> {
        let register = self.temporary()?;
        self.value(expr, register)?;
        Ok(register)
    }

    /// Evaluates into `destination`; temporaries taken on the way are given back.
    pub(super) fn value(&mut self, expr: &'a Expr, destination: Register) -> Compiling<()> {
        let mark = self.unit().mark();
        self.value_inner(expr, destination)?;
        self.unit().release(mark);
        Ok(())
    }

    fn value_inner(&mut self, expr: &'a Expr, destination: Register) -> Compiling<()> {
        if let Some(value) = folded(expr) {
            self.at(expr.span);
            self.constant(destination, value);
            return Ok(());
        }
        match &expr.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Name(name) => {
                self.at(expr.span);
                self.load_name(*name, destination)?;
            }
            ExprKind::Unary(op, inner) => {
                let operand = self.operand(inner)?;
                self.at(expr.span);
                self.emit(Instruction::Unary(*op, destination, operand));
            }
            ExprKind::Not(inner) => {
                let operand = self.operand(inner)?;
                self.at(expr.span);
                self.emit(Instruction::Not(destination, operand));
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, destination, expr.span)?,
            ExprKind::And(items) => self.logical(items, destination, false)?,
            ExprKind::Or(items) => self.logical(items, destination, true)?,
            ExprKind::Compare(left, rest) => self.compare(left, rest, destination, expr.span)?,
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, destination, expr.span)?,
            ExprKind::Attribute(object, name) => {
                let operand = self.operand(object)?;
                let span = self.attribute_span(expr.span, *name);
                self.at(span);
                let site = self.site(*name)?;
                self.emit(Instruction::GetAttribute(destination, operand, site));
            }
            ExprKind::Subscript(object, key) => {
                let operand = self.left_operand(object, key)?;
                let key = self.operand(key)?;
                self.at(expr.span);
                self.emit(Instruction::GetItem(destination, operand, key));
            }
            ExprKind::Slice(lower, upper, step) => {
                let first = self.unit().temporaries(3)?;
                for (offset, part) in [lower, upper, step].into_iter().enumerate() {
                    let register = first + offset as Register;
                    match part {
                        Some(part) => self.value(part, register)?,
                        None => self.constant(register, Value::None),
                    }
                }
                self.at(expr.span);
                self.emit(Instruction::BuildSlice(destination, first));
            }
            ExprKind::Conditional { test, body, orelse } => {
                let mut otherwise = Vec::new();
                self.jump_if(test, false, &mut otherwise)?;
                self.value(body, destination)?;
                let end = self.emit(Instruction::Jump(0));
                self.patch_all(&otherwise);
                self.value(orelse, destination)?;
                self.patch(end);
            }
            ExprKind::Lambda(function) => self.function_value(function, destination, expr.span)?,
            ExprKind::Tuple(items) => {
                if has_star(items) {
                    let list = self.starred_list(items)?;
                    self.at(expr.span);
                    self.emit(Instruction::ListToTuple(destination, list));
                } else {
                    let (first, count) = self.row(items)?;
                    self.at(expr.span);
                    self.emit(Instruction::BuildTuple(destination, first, count));
                }
            }
            ExprKind::List(items) => {
                if has_star(items) || items.len() > 30_000 {
                    let list = self.starred_list(items)?;
                    self.emit(Instruction::Move(destination, list));
                } else {
                    let (first, count) = self.row(items)?;
                    self.at(expr.span);
                    self.emit(Instruction::BuildList(destination, first, count));
                }
            }
            ExprKind::Set(items) => {
                let set = self.temporary()?;
                self.at(expr.span);
                self.emit(Instruction::BuildSet(set, set, 0));
                for item in items {
                    let mark = self.unit().mark();
                    if let ExprKind::Starred(inner) = &item.kind {
                        let operand = self.operand(inner)?;
                        self.emit(Instruction::SetUpdate(set, operand));
                    } else {
                        let operand = self.operand(item)?;
                        self.at(expr.span);
                        self.emit(Instruction::SetAdd(set, operand));
                    }
                    self.unit().release(mark);
                }
                if items.len() >= 3 && items.iter().all(is_constant) {
                    self.emit(Instruction::BuildSet(set, set, 1));
                }
                self.emit(Instruction::Move(destination, set));
            }
            ExprKind::Dict(items) => self.dict(items, destination, expr.span)?,
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, destination, expr.span)?,
            ExprKind::Starred(_) => {
                return Err(Box::new(crate::lang::parse::SyntaxProblem::new(
                    "can't use starred expression here",
                    expr.span,
                )));
            }
            ExprKind::Named(name, value) => {
                let result = self.fresh(value)?;
                let copy = self.temporary()?;
                self.emit(Instruction::Move(copy, result));
                self.at(expr.span);
                // The name gets a copy, the expression the value.
                self.emit(Instruction::Copy(destination, copy));
                self.keep_then_store(*name, copy)?;
            }
            ExprKind::Yield(value) => {
                let operand = match value {
                    Some(value) => self.fresh(value)?,
                    None => {
                        let register = self.temporary()?;
                        self.constant(register, Value::None);
                        register
                    }
                };
                self.at(expr.span);
                self.emit(Instruction::Yield(destination, operand));
            }
            ExprKind::YieldFrom(value) => {
                let iterator = self.temporary()?;
                let operand = self.operand(value)?;
                self.at(expr.span);
                self.emit(Instruction::GetIterator(iterator, operand));
                let sent = self.temporary()?;
                self.constant(sent, Value::None);
                self.emit(Instruction::YieldFrom(destination, iterator, sent));
            }
            ExprKind::Formatted(parts) => self.formatted(parts, destination, expr.span)?,
            ExprKind::Magic(magic) => {
                self.at(expr.span);
                let unit = self.unit();
                unit.magics.push((**magic).clone());
                let index = unit.magics.len() as u16 - 1;
                self.emit(Instruction::RunMagic(destination, index));
            }
        }
        Ok(())
    }

    fn keep_then_store(&mut self, name: Name, copy: Register) -> Compiling<()> {
        self.store_name(name, copy)
    }

    pub(super) fn site(&mut self, name: Name) -> Compiling<u16> {
        let name = super::mangle(self.private, name);
        self.unit().site(name)
    }

    fn binary(
        &mut self,
        op: BinaryOperator,
        left: &'a Expr,
        right: &'a Expr,
        destination: Register,
        span: Span,
    ) -> Compiling<()> {
        let a = self.left_operand(left, right)?;
        if let Some(small) = small_int(right) {
            self.at(span);
            self.emit(Instruction::BinaryImmediate(op, destination, a, small));
            return Ok(());
        }
        let b = self.operand(right)?;
        self.at(span);
        self.emit(match op {
            BinaryOperator::Add => Instruction::Add(destination, a, b),
            BinaryOperator::Subtract => Instruction::Subtract(destination, a, b),
            BinaryOperator::Multiply => Instruction::Multiply(destination, a, b),
            _ => Instruction::Binary(op, destination, a, b),
        });
        Ok(())
    }

    /// `a op= b` into `destination`, which may be `a` itself.
    pub(super) fn binary_in_place(
        &mut self,
        op: BinaryOperator,
        destination: Register,
        a: Register,
        right: &'a Expr,
        span: Span,
    ) -> Compiling<()> {
        if let Some(small) = small_int(right) {
            self.at(span);
            self.emit(Instruction::BinaryInPlaceImmediate(op, destination, a, small));
            return Ok(());
        }
        let b = self.operand(right)?;
        self.at(span);
        self.emit(Instruction::BinaryInPlace(op, destination, a, b));
        Ok(())
    }

    /// `and` and `or`: the value of the operand that decides.
    fn logical(&mut self, items: &'a [Expr], destination: Register, is_or: bool) -> Compiling<()> {
        // A local is written only once the decision has been made.
        let result = if self.unit().is_temporary(destination) { destination } else { self.temporary()? };
        let mut ends = Vec::new();
        for (index, item) in items.iter().enumerate() {
            self.value(item, result)?;
            if index + 1 < items.len() {
                self.at(item.span);
                ends.push(self.emit(if is_or {
                    Instruction::JumpIfTrueOrDrop(result, 0)
                } else {
                    Instruction::JumpIfFalseOrDrop(result, 0)
                }));
            }
        }
        self.patch_all(&ends);
        if result != destination {
            self.emit(Instruction::Move(destination, result));
        }
        Ok(())
    }

    fn comparison(&mut self, how: Comparison, destination: Register, a: Register, b: Register) {
        self.emit(match how {
            Comparison::Rich(op) => Instruction::Compare(op, destination, a, b),
            Comparison::Is => Instruction::Is(false, destination, a, b),
            Comparison::IsNot => Instruction::Is(true, destination, a, b),
            Comparison::In => Instruction::Contains(false, destination, a, b),
            Comparison::NotIn => Instruction::Contains(true, destination, a, b),
        });
    }

    fn compare(
        &mut self,
        left: &'a Expr,
        rest: &'a [(Comparison, Expr)],
        destination: Register,
        span: Span,
    ) -> Compiling<()> {
        if let [(how, right)] = rest {
            let a = self.left_operand(left, right)?;
            let b = self.operand(right)?;
            self.at(span);
            self.comparison(*how, destination, a, b);
            return Ok(());
        }
        let result = if self.unit().is_temporary(destination) { destination } else { self.temporary()? };
        let middle = self.temporary()?;
        self.value(left, middle)?;
        let mut ends = Vec::new();
        for (index, (how, right)) in rest.iter().enumerate() {
            let mark = self.unit().mark();
            let a = self.temporary()?;
            self.emit(Instruction::Move(a, middle));
            self.value(right, middle)?;
            let b = if index + 1 < rest.len() {
                let copy = self.temporary()?;
                self.emit(Instruction::Copy(copy, middle));
                copy
            } else {
                middle
            };
            self.at(span);
            self.comparison(*how, result, a, b);
            if index + 1 < rest.len() {
                ends.push(self.emit(Instruction::JumpIfFalseOrDrop(result, 0)));
            }
            self.unit().release(mark);
        }
        let end = self.emit(Instruction::Jump(0));
        self.patch_all(&ends);
        self.emit(Instruction::Clear(middle));
        self.patch(end);
        if result != destination {
            self.emit(Instruction::Move(destination, result));
        }
        Ok(())
    }

    /// Jumps when the truth of `test` is `sense`; the jumps to patch are added to `exits`.
    pub(super) fn jump_if(&mut self, test: &'a Expr, sense: bool, exits: &mut Vec<usize>) -> Compiling<()> {
        let mark = self.unit().mark();
        match &test.kind {
            ExprKind::Constant(Constant::Bool(value)) => {
                if *value == sense {
                    self.at(test.span);
                    exits.push(self.emit(Instruction::Jump(0)));
                }
            }
            ExprKind::Not(inner) => self.jump_if(inner, !sense, exits)?,
            ExprKind::And(items) | ExprKind::Or(items) => {
                let is_or = matches!(test.kind, ExprKind::Or(_));
                // `or` decides on true, `and` on false; the operands that decide against the sense go past the test.
                let mut past = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    let is_last = index + 1 == items.len();
                    if is_last || is_or == sense {
                        self.jump_if(item, sense, exits)?;
                    } else {
                        self.jump_if(item, !sense, &mut past)?;
                    }
                }
                self.patch_all(&past);
            }
            ExprKind::Compare(left, rest) if rest.len() == 1 && matches!(rest[0].0, Comparison::Rich(_)) => {
                let (Comparison::Rich(op), right) = (&rest[0].0, &rest[0].1) else { return Ok(()) };
                let a = self.left_operand(left, right)?;
                let branch = match small_int(right) {
                    Some(small) => Instruction::BranchCompareImmediate(*op, a, small),
                    None => {
                        let b = self.operand(right)?;
                        Instruction::BranchCompare(*op, a, b)
                    }
                };
                self.at(test.span);
                self.emit(branch);
                if sense {
                    let past = self.emit(Instruction::Jump(0));
                    exits.push(self.emit(Instruction::Jump(0)));
                    self.patch(past);
                } else {
                    exits.push(self.emit(Instruction::Jump(0)));
                }
            }
            _ => {
                let operand = self.operand(test)?;
                self.at(test.span);
                exits.push(self.emit(if sense {
                    Instruction::JumpIfTrue(operand, 0)
                } else {
                    Instruction::JumpIfFalse(operand, 0)
                }));
            }
        }
        self.unit().release(mark);
        Ok(())
    }

    /// Evaluates side by side into new temporaries.
    fn row(&mut self, items: &'a [Expr]) -> Compiling<(Register, u16)> {
        let first = self.unit().mark() as Register;
        for item in items {
            self.fresh(item)?;
        }
        Ok((first, items.len() as u16))
    }

    /// A list of items some of which are starred, in a new temporary.
    fn starred_list(&mut self, items: &'a [Expr]) -> Compiling<Register> {
        let list = self.temporary()?;
        self.emit(Instruction::BuildList(list, list, 0));
        for item in items {
            let mark = self.unit().mark();
            if let ExprKind::Starred(inner) = &item.kind {
                let operand = self.operand(inner)?;
                self.at(inner.span);
                self.emit(Instruction::ListExtend(list, operand));
            } else {
                let operand = self.operand(item)?;
                self.at(item.span);
                self.emit(Instruction::ListAppend(list, operand));
            }
            self.unit().release(mark);
        }
        Ok(list)
    }

    fn dict(&mut self, items: &'a [(Option<Expr>, Expr)], destination: Register, span: Span) -> Compiling<()> {
        let dict = self.temporary()?;
        self.at(span);
        self.emit(Instruction::BuildDict(dict, dict, 0));
        for (key, value) in items {
            let mark = self.unit().mark();
            match key {
                Some(key) => {
                    let k = self.left_operand(key, value)?;
                    let v = self.operand(value)?;
                    self.at(span);
                    self.emit(Instruction::DictInsert(dict, k, v));
                }
                None => {
                    let operand = self.operand(value)?;
                    self.at(span);
                    self.emit(Instruction::DictUpdate(dict, operand));
                }
            }
            self.unit().release(mark);
        }
        self.emit(Instruction::Move(destination, dict));
        Ok(())
    }

    fn formatted(&mut self, parts: &'a [FormatPart], destination: Register, span: Span) -> Compiling<()> {
        let first = self.unit().mark() as Register;
        for part in parts {
            let register = self.temporary()?;
            match part {
                FormatPart::Literal(text) => self.constant(register, Value::str(text.clone())),
                FormatPart::Field { value, conversion, spec } => {
                    let mark = self.unit().mark();
                    let operand = self.operand(value)?;
                    let conversion = conversion.map_or(0, |c| c as u8);
                    match spec {
                        Some(spec) => {
                            let text = self.temporary()?;
                            self.formatted(spec, text, span)?;
                            self.at(span);
                            self.emit(Instruction::Format(conversion, register, operand, text));
                        }
                        None => {
                            self.at(span);
                            self.emit(Instruction::FormatPlain(conversion, register, operand));
                        }
                    }
                    self.unit().release(mark);
                }
            }
        }
        self.at(span);
        self.emit(Instruction::BuildString(destination, first, parts.len() as u16));
        self.unit().release(usize::from(first));
        Ok(())
    }

    fn call(
        &mut self,
        callee: &'a Expr,
        arguments: &'a [Argument],
        destination: Register,
        mut span: Span,
    ) -> Compiling<()> {
        let window = self.unit().temporaries(2)?;
        let is_unpacked = arguments.iter().any(|a| matches!(a, Argument::Star(_) | Argument::DoubleStar(_)));
        match &callee.kind {
            ExprKind::Attribute(object, name) if !is_unpacked => {
                let mark = self.unit().mark();
                let operand = self.operand(object)?;
                let at = self.attribute_span(callee.span, *name);
                self.at(at);
                let site = self.site(*name)?;
                self.emit(Instruction::LoadMethod(window, operand, site));
                self.unit().release(mark);
                span.start = at.start;
            }
            _ => self.value(callee, window)?,
        }
        let is_method = matches!(callee.kind, ExprKind::Attribute(..)) && !is_unpacked;
        self.arguments(is_method, window, arguments, destination, span)
    }

    /// Evaluates arguments behind the callee in `window` and calls.
    pub(super) fn arguments(
        &mut self,
        is_method: bool,
        window: Register,
        arguments: &'a [Argument],
        destination: Register,
        span: Span,
    ) -> Compiling<()> {
        if arguments.iter().any(|a| matches!(a, Argument::Star(_) | Argument::DoubleStar(_)))
            || arguments.len() > 30_000
        {
            self.unpacked_arguments(window, arguments, span)?;
            self.at(span);
            self.emit(Instruction::CallUnpacked(destination, window));
            return Ok(());
        }
        let mut keywords = Vec::new();
        for argument in arguments {
            let register = self.temporary()?;
            if let Argument::Keyword(name, _) = argument {
                keywords.push(*name);
            }
            self.value(argument.value(), register)?;
        }
        self.at(span);
        let count = arguments.len() as u16;
        if keywords.is_empty() {
            self.emit(Instruction::Call(is_method, destination, window, count));
        } else {
            let index = self.unit().keyword_names(keywords);
            self.emit(Instruction::CallKeywords(is_method, destination, window, count));
            self.emit(Instruction::Data(index));
        }
        Ok(())
    }

    /// A list of the positional arguments and a dict of the keyword arguments in `window + 2` and `window + 3`.
    pub(super) fn unpacked_arguments(
        &mut self,
        window: Register,
        arguments: &'a [Argument],
        span: Span,
    ) -> Compiling<()> {
        let list = self.unit().temporaries(2)?;
        let dict = list + 1;
        self.at(span);
        self.emit(Instruction::BuildList(list, list, 0));
        if arguments.iter().any(|a| matches!(a, Argument::Keyword(..) | Argument::DoubleStar(_))) {
            self.emit(Instruction::BuildDict(dict, dict, 0));
        } else {
            self.emit(Instruction::Clear(dict));
        }
        for argument in arguments {
            let mark = self.unit().mark();
            match argument {
                Argument::Positional(value) => {
                    let operand = self.operand(value)?;
                    self.emit(Instruction::ListAppend(list, operand));
                }
                Argument::Star(value) => {
                    let operand = self.operand(value)?;
                    self.at(span);
                    self.emit(Instruction::ListExtend(list, operand));
                }
                Argument::Keyword(name, value) => {
                    let key = self.temporary()?;
                    self.constant(key, Value::str(name.text()));
                    let pair = self.temporary()?;
                    let operand = self.operand(value)?;
                    self.at(span);
                    self.emit(Instruction::BuildDict(pair, key, 0));
                    self.emit(Instruction::DictInsert(pair, key, operand));
                    self.emit(Instruction::DictMerge(dict, pair, window));
                }
                Argument::DoubleStar(value) => {
                    let operand = self.operand(value)?;
                    self.at(span);
                    self.emit(Instruction::DictMerge(dict, operand, window));
                }
            }
            self.unit().release(mark);
        }
        Ok(())
    }

    /// Where an attribute stands: one whose object is on an earlier line is shown by its name alone.
    pub(super) fn attribute_span(&self, span: Span, name: Name) -> Span {
        if self.source.line(span.start) == self.source.line(span.end) {
            return span;
        }
        Span { start: span.end.saturating_sub(name.text().len() as u32), end: span.end }
    }
}

/// Whether an expression's value is known before the program runs.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) => true,
        ExprKind::Unary(_, operand) => is_constant(operand),
        ExprKind::Tuple(items) => items.iter().all(is_constant),
        _ => false,
    }
}

fn has_star(items: &[Expr]) -> bool {
    items.iter().any(|item| matches!(item.kind, ExprKind::Starred(_)))
}
