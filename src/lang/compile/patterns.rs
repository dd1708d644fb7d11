//! `match`: each case tests its pattern against the subject, keeping captures aside until the whole pattern holds.

use super::{Compiler, Compiling};
use crate::lang::code::{Instruction, Register};
use crate::lang::name::Name;
use crate::lang::parse::SyntaxProblem;
use crate::lang::tree::{Case, Expr, Pattern, PatternKind};
use crate::lang::value::Value;

/// Registers of the names a case captures.
type Captures = Vec<(Name, Register)>;

impl<'a> Compiler<'a> {
    pub(super) fn match_(&mut self, subject: &'a Expr, cases: &'a [Case]) -> Compiling<()> {
        for case in cases.iter().rev().skip(1).filter(|case| case.guard.is_none()) {
            refuse_unreachable(&case.pattern)?;
        }
        let subject_register = self.fresh(subject)?;
        let mut ends = Vec::new();
        for case in cases {
            let mark = self.unit().mark();
            let before = self.unit().begin_high_water();
            let mut captures = Captures::new();
            self.reserve_captures(&case.pattern, &mut captures)?;
            let mut fails = Vec::new();
            self.pattern(&case.pattern, subject_register, &captures, &mut fails)?;
            for (name, register) in &captures {
                self.at(case.pattern.span);
                self.store_name(*name, *register)?;
            }
            if let Some(guard) = &case.guard {
                self.jump_if(guard, false, &mut fails)?;
            }
            let high = self.unit().high_water(before);
            self.unit().release(mark);
            // The subject is let go of before the body, as it is no name of the program's.
            self.body_of_case(case, subject_register)?;
            ends.push(self.emit(Instruction::Jump(0)));
            self.patch_all(&fails);
            if !fails.is_empty() {
                for register in mark..high {
                    self.emit(Instruction::Clear(register as Register));
                }
            }
        }
        self.emit(Instruction::Clear(subject_register));
        self.patch_all(&ends);
        Ok(())
    }

    fn body_of_case(&mut self, case: &'a Case, subject: Register) -> Compiling<()> {
        self.emit(Instruction::Clear(subject));
        self.body(&case.body)
    }

    fn reserve_captures(&mut self, pattern: &'a Pattern, captures: &mut Captures) -> Compiling<()> {
        let mut names = Vec::new();
        collect(pattern, &mut names)?;
        for name in names {
            let register = self.temporary()?;
            captures.push((name, register));
        }
        Ok(())
    }

    fn capture(&mut self, name: Name, subject: Register, captures: &Captures) {
        if let Some((_, register)) = captures.iter().find(|(known, _)| *known == name) {
            self.emit(Instruction::Copy(*register, subject));
        }
    }

    fn fail_unless(&mut self, condition: Register, fails: &mut Vec<usize>) {
        fails.push(self.emit(Instruction::JumpIfFalse(condition, 0)));
    }

    /// Tests a pattern against a register, which it leaves as it is.
    fn pattern(
        &mut self,
        pattern: &'a Pattern,
        subject: Register,
        captures: &Captures,
        fails: &mut Vec<usize>,
    ) -> Compiling<()> {
        let mark = self.unit().mark();
        self.at(pattern.span);
        match &pattern.kind {
            PatternKind::Value(value) => {
                let copy = self.copy_of(subject)?;
                let expected = self.operand(value)?;
                let result = self.temporary()?;
                self.at(pattern.span);
                self.emit(Instruction::Compare(crate::lang::operators::CompareOperator::Equal, result, copy, expected));
                self.fail_unless(result, fails);
            }
            PatternKind::Singleton(constant) => {
                let copy = self.copy_of(subject)?;
                let expected = self.temporary()?;
                self.constant(expected, super::expressions::constant_value(constant));
                let result = self.temporary()?;
                self.emit(Instruction::Is(false, result, copy, expected));
                self.fail_unless(result, fails);
            }
            PatternKind::Sequence(patterns) => self.sequence(patterns, subject, captures, fails)?,
            PatternKind::Mapping { keys, patterns, rest } => {
                self.mapping(keys, patterns, *rest, subject, captures, fails)?;
            }
            PatternKind::Class { class, positional, keywords } => {
                let window = self.unit().temporaries(3)?;
                self.emit(Instruction::Copy(window, subject));
                self.value(class, window + 1)?;
                let names: Vec<Value> = keywords.iter().map(|(name, _)| Value::str(name.text())).collect();
                self.constant(window + 2, Value::tuple(names));
                let values = self.temporary()?;
                self.at(pattern.span);
                self.emit(Instruction::MatchClass(values, window, positional.len() as u16));
                let inner: Vec<&'a Pattern> = positional.iter().chain(keywords.iter().map(|(_, p)| p)).collect();
                self.matched_tuple(values, &inner, captures, fails)?;
            }
            PatternKind::Star(_) => {
                return Err(Box::new(SyntaxProblem::new("Star pattern cannot be used here", pattern.span)));
            }
            PatternKind::As { pattern: inner, name } => {
                if let Some(inner) = inner {
                    self.pattern(inner, subject, captures, fails)?;
                }
                if let Some(name) = name {
                    self.capture(*name, subject, captures);
                }
            }
            PatternKind::Or(alternatives) => {
                let mut matched = Vec::new();
                for (index, alternative) in alternatives.iter().enumerate() {
                    if index + 1 == alternatives.len() {
                        self.pattern(alternative, subject, captures, fails)?;
                    } else {
                        let mut next = Vec::new();
                        self.pattern(alternative, subject, captures, &mut next)?;
                        matched.push(self.emit(Instruction::Jump(0)));
                        self.patch_all(&next);
                    }
                }
                self.patch_all(&matched);
            }
        }
        self.unit().release(mark);
        Ok(())
    }

    fn copy_of(&mut self, register: Register) -> Compiling<Register> {
        let copy = self.temporary()?;
        self.emit(Instruction::Copy(copy, register));
        Ok(copy)
    }

    fn sequence(
        &mut self,
        patterns: &'a [Pattern],
        subject: Register,
        captures: &Captures,
        fails: &mut Vec<usize>,
    ) -> Compiling<()> {
        let star = patterns.iter().position(|pattern| matches!(pattern.kind, PatternKind::Star(_)));
        let condition = self.temporary()?;
        self.emit(Instruction::MatchKind(false, condition, subject));
        self.fail_unless(condition, fails);
        let required = patterns.len() - usize::from(star.is_some());
        self.emit(Instruction::MatchLength(star.is_some(), condition, subject, required as u16));
        self.fail_unless(condition, fails);
        let copy = self.copy_of(subject)?;
        let first = self.unit().temporaries(patterns.len())?;
        match star {
            None => {
                self.emit(Instruction::Unpack(first, copy, patterns.len() as u16));
            }
            Some(at) => {
                let before = u8::try_from(at)
                    .map_err(|_| Box::new(SyntaxProblem::new("too many patterns before a star", patterns[at].span)))?;
                self.emit(Instruction::UnpackStarred(before, first, copy, (patterns.len() - at - 1) as u16));
            }
        }
        for (index, inner) in patterns.iter().enumerate() {
            let register = first + index as Register;
            match &inner.kind {
                PatternKind::Star(Some(name)) => self.capture(*name, register, captures),
                PatternKind::Star(None) => {}
                _ => self.pattern(inner, register, captures, fails)?,
            }
            self.emit(Instruction::Clear(register));
        }
        Ok(())
    }

    fn mapping(
        &mut self,
        keys: &'a [Expr],
        patterns: &'a [Pattern],
        rest: Option<Name>,
        subject: Register,
        captures: &Captures,
        fails: &mut Vec<usize>,
    ) -> Compiling<()> {
        let condition = self.temporary()?;
        self.emit(Instruction::MatchKind(true, condition, subject));
        self.fail_unless(condition, fails);
        let key_tuple = self.temporary()?;
        let row = self.unit().mark();
        for key in keys {
            self.fresh(key)?;
        }
        self.emit(Instruction::BuildTuple(key_tuple, row as Register, keys.len() as u16));
        self.unit().release(row);
        if !keys.is_empty() {
            let values = self.temporary()?;
            let (s, k) = (self.copy_of(subject)?, self.copy_of(key_tuple)?);
            self.emit(Instruction::MatchKeys(values, s, k));
            let inner: Vec<&'a Pattern> = patterns.iter().collect();
            self.matched_tuple(values, &inner, captures, fails)?;
        }
        if let Some(name) = rest {
            let others = self.temporary()?;
            let s = self.copy_of(subject)?;
            self.emit(Instruction::MatchRest(others, s, key_tuple));
            self.capture(name, others, captures);
            self.emit(Instruction::Clear(others));
        } else {
            self.emit(Instruction::Clear(key_tuple));
        }
        Ok(())
    }

    /// Goes on when `values` is a tuple, whose items the patterns must match; fails when it is `None`.
    fn matched_tuple(
        &mut self,
        values: Register,
        patterns: &[&'a Pattern],
        captures: &Captures,
        fails: &mut Vec<usize>,
    ) -> Compiling<()> {
        let copy = self.copy_of(values)?;
        let none = self.temporary()?;
        self.constant(none, Value::None);
        let condition = self.temporary()?;
        self.emit(Instruction::Is(true, condition, copy, none));
        self.fail_unless(condition, fails);
        let first = self.unit().temporaries(patterns.len())?;
        self.emit(Instruction::Unpack(first, values, patterns.len() as u16));
        for (index, inner) in patterns.iter().enumerate() {
            let register = first + index as Register;
            self.pattern(inner, register, captures, fails)?;
            self.emit(Instruction::Clear(register));
        }
        Ok(())
    }
}

/// Refuses a pattern that matches anything, where others follow.
fn refuse_unreachable(pattern: &Pattern) -> Compiling<()> {
    let what = match &pattern.kind {
        PatternKind::As { pattern: Some(inner), .. } => return refuse_unreachable(inner),
        PatternKind::As { pattern: None, name: Some(name) } => format!("name capture '{name}'"),
        PatternKind::As { pattern: None, name: None } => "wildcard".to_owned(),
        PatternKind::Or(alternatives) => return alternatives.last().map_or(Ok(()), refuse_unreachable),
        _ => return Ok(()),
    };
    Err(Box::new(SyntaxProblem::new(format!("{what} makes remaining patterns unreachable"), pattern.span)))
}

/// Names a pattern captures, each once; alternatives must capture the same.
fn collect(pattern: &Pattern, names: &mut Vec<Name>) -> Compiling<()> {
    let add = |name: Name, names: &mut Vec<Name>| {
        if names.contains(&name) {
            let message = format!("multiple assignments to name '{name}' in pattern");
            return Err(Box::new(SyntaxProblem::new(message, pattern.span)));
        }
        names.push(name);
        Ok(())
    };
    match &pattern.kind {
        PatternKind::Value(_) | PatternKind::Singleton(_) | PatternKind::Star(None) => {}
        PatternKind::Star(Some(name)) => add(*name, names)?,
        PatternKind::Sequence(patterns) => {
            for inner in patterns {
                collect(inner, names)?;
            }
        }
        PatternKind::Mapping { patterns, rest, .. } => {
            for inner in patterns {
                collect(inner, names)?;
            }
            if let Some(name) = rest {
                add(*name, names)?;
            }
        }
        PatternKind::Class { positional, keywords, .. } => {
            for inner in positional.iter().chain(keywords.iter().map(|(_, inner)| inner)) {
                collect(inner, names)?;
            }
        }
        PatternKind::As { pattern: inner, name } => {
            if let Some(inner) = inner {
                collect(inner, names)?;
            }
            if let Some(name) = name {
                add(*name, names)?;
            }
        }
        PatternKind::Or(alternatives) => {
            for alternative in alternatives.iter().rev().skip(1) {
                refuse_unreachable(alternative)?;
            }
            let mut first: Option<Vec<Name>> = None;
            for alternative in alternatives {
                let mut own = Vec::new();
                collect(alternative, &mut own)?;
                match &first {
                    None => first = Some(own),
                    Some(first) => {
                        let mut sorted = (first.clone(), own);
                        sorted.0.sort_unstable();
                        sorted.1.sort_unstable();
                        if sorted.0 != sorted.1 {
                            return Err(Box::new(SyntaxProblem::new(
                                "alternative patterns bind different names",
                                pattern.span,
                            )));
                        }
                    }
                }
            }
            for name in first.unwrap_or_default() {
                add(name, names)?;
            }
        }
    }
    Ok(())
}
