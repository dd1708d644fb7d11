//! `_inspect`: where functions, classes and code stand in the text they were compiled from, behind `inspect`, whose face is
//! written in the language itself (`py/inspect.py`).

use std::rc::Rc;

use super::support::new_module;
use crate::lang::builtins::code_object;
use crate::lang::code::{Code, Source};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, method};
use crate::lang::objects::ModuleObject;
use crate::lang::parse::{self, Dialect};
use crate::lang::raise::Fallible;
use crate::lang::tree::{FunctionBody, Stmt, StmtKind};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds `_inspect`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module(
        "_inspect",
        "Where definitions stand in their text.",
        &[method(
            "source",
            "(object)",
            "Name of the text, first line and lines of a function's, class's or code's definition, and the number of lines \
             of the whole text; None where there is no text.",
            source,
        )],
    ))
}

fn source(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Some(code) = code_behind(args.peek(vm, 0)) else { return Ok(Value::None) };
    let source = &code.source;
    let first = code.first_line as usize;
    let is_lambda = code.name.text() == "<lambda>";
    let (first, last) = block(source, first, is_lambda).unwrap_or((first, first));
    let last = if is_lambda { last } else { with_comments(source, first, last) };
    let lines = (first..=last).map(|line| {
        let text = source.line_text(line);
        let ends = source.line_starts.get(line).is_some() || line < source.line_starts.len();
        Value::str(if ends { format!("{text}\n") } else { text.to_owned() })
    });
    Ok(Value::tuple([
        Value::str(&*source.name),
        Value::from(first),
        Value::list(lines.collect()),
        Value::Bool(source.is_builtin),
    ]))
}

fn code_behind(value: &Value) -> Option<Rc<Code>> {
    match value {
        Value::Function(function) => Some(function.code.clone()),
        Value::Method(method) => code_behind(&method.function),
        Value::Class(class) => class.body.borrow().clone(),
        Value::Generator(generator) => generator.function.borrow().as_ref().map(|function| function.code.clone()),
        other => code_object::code_of(other),
    }
}

/// The first and last line of the definition that begins at a line, or, for a lambda, of the statement that it stands in.
fn block(source: &Source, line: usize, is_lambda: bool) -> Option<(usize, usize)> {
    let dialect = if source.cell.is_some() { Dialect::Cell } else { Dialect::File };
    let module = parse::parse(&source.text, dialect).ok()?;
    find(source, &module.body, line, is_lambda)
}

/// The last line with the comments after it that stand deeper than the definition.
fn with_comments(source: &Source, first: usize, last: usize) -> usize {
    let indent = |line: usize| {
        let text = source.line_text(line);
        text.len() - text.trim_start().len()
    };
    let mut end = last;
    for line in last + 1..=source.line_starts.len() {
        let text = source.line_text(line).trim_start();
        if text.starts_with('#') && indent(line) > indent(first) {
            end = line;
        } else if !text.is_empty() {
            break;
        }
    }
    end
}

fn find(source: &Source, body: &[Stmt], line: usize, is_lambda: bool) -> Option<(usize, usize)> {
    for statement in body {
        let (first, last) = (source.line(statement.span.start), source.line(statement.span.end.saturating_sub(1)));
        if line < first || last < line {
            continue;
        }
        let is_definition = matches!(statement.kind, StmtKind::Function(_) | StmtKind::Class(_));
        if is_definition && !is_lambda && first == line {
            return Some((first, last));
        }
        let inner = bodies(statement).into_iter().find_map(|body| find(source, body, line, is_lambda));
        if inner.is_some() {
            return inner;
        }
        if is_lambda {
            return Some((first, last));
        }
    }
    None
}

/// The bodies inside a statement.
fn bodies(statement: &Stmt) -> Vec<&[Stmt]> {
    match &statement.kind {
        StmtKind::If { body, orelse, .. }
        | StmtKind::While { body, orelse, .. }
        | StmtKind::For { body, orelse, .. } => {
            vec![body, orelse]
        }
        StmtKind::Function(function) => match &function.body {
            FunctionBody::Statements(body) => vec![body],
            FunctionBody::Expression(_) => vec![],
        },
        StmtKind::Class(class) => vec![&class.body],
        StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
            let mut all: Vec<&[Stmt]> = vec![body];
            all.extend(handlers.iter().map(|handler| handler.body.as_slice()));
            all.extend([orelse.as_slice(), finalbody.as_slice()]);
            all
        }
        StmtKind::With { body, .. } => vec![body],
        StmtKind::Match { cases, .. } => cases.iter().map(|case| case.body.as_slice()).collect(),
        _ => vec![],
    }
}
