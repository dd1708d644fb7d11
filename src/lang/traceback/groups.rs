//! Exception groups as CPython 3.11 prints them: every exception of a group in a frame of its own.

use hashbrown::HashSet;

use super::{CAUSE, CONTEXT, chain_of, render_entries, render_last, render_one};
use crate::display::{Markup, Piece, Role};
use crate::lang::builtins::exception_group;
use crate::lang::heap::{ObjectId, Ref};
use crate::lang::objects::ExceptionObject;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// How many exceptions of a group are shown, and how deep groups are.
const WIDTH_MAX: usize = 15;
const DEPTH_MAX: usize = 10;

/// How deep what is printed stands inside of groups, and whether the frame around it must still be closed.
#[derive(Default)]
pub(super) struct Nesting {
    depth: usize,
    needs_close: bool,
    /// Exceptions whose causes and contexts are printed already.
    seen: HashSet<ObjectId>,
}

impl Nesting {
    fn indent(&self) -> String {
        " ".repeat(2 * self.depth)
    }

    /// Puts markup out, each of its lines behind the frame of the group that it is in.
    fn emit(&self, markup: Markup, margin: char, out: &mut Markup) {
        if self.depth == 0 {
            out.pieces.extend(markup.pieces);
            return;
        }
        let prefix = format!("{}{margin} ", self.indent());
        let mut at_start = true;
        for piece in markup.pieces {
            let Piece::Text(role, text) = piece else { continue };
            for line in text.split_inclusive('\n') {
                if at_start {
                    out.add(Role::Dim, prefix.clone());
                }
                out.add(role, line);
                at_start = line.ends_with('\n');
            }
        }
    }
}

/// An exception with everything that leads to it.
pub(super) fn render_chain(vm: &mut Vm, exception: &Ref<ExceptionObject>, nesting: &mut Nesting, out: &mut Markup) {
    for (exception, link) in chain_of(exception, &mut nesting.seen).into_iter().rev() {
        if exception_group::is_group(&Value::Exception(exception.clone())) {
            render_group(vm, &exception, nesting, out);
        } else {
            let mut own = Markup::new();
            render_one(vm, &exception, &mut own);
            nesting.emit(own, '|', out);
        }
        if let Some(link) = link {
            debug_assert!(link == CAUSE || link == CONTEXT);
            nesting.emit(Markup::text(link), '|', out);
        }
    }
}

fn render_group(vm: &mut Vm, group: &Ref<ExceptionObject>, nesting: &mut Nesting, out: &mut Markup) {
    if nesting.depth > DEPTH_MAX {
        nesting.emit(Markup::text(format!("... (max_group_depth is {DEPTH_MAX})\n")), '|', out);
        return;
    }
    let is_outermost = nesting.depth == 0;
    if is_outermost {
        nesting.depth = 1;
    }
    let entries = Vec::from(group.traceback.borrow().clone());
    if !entries.is_empty() {
        let margin = if is_outermost { '+' } else { '|' };
        nesting.emit(Markup::text("Exception Group Traceback (most recent call last):\n"), margin, out);
        let mut own = Markup::new();
        render_entries(&entries, &mut own);
        nesting.emit(own, '|', out);
    }
    let mut own = Markup::new();
    render_last(vm, group, &mut own);
    nesting.emit(own, '|', out);
    let members = exception_group::members(group);
    let shown = members.len().min(WIDTH_MAX + 1);
    nesting.needs_close = false;
    for (index, member) in members.iter().enumerate().take(shown) {
        let is_last = index + 1 == shown;
        nesting.needs_close |= is_last;
        let title = if index < WIDTH_MAX { (index + 1).to_string() } else { "...".to_owned() };
        let lead = if index == 0 { "+-" } else { "  " };
        out.add(Role::Dim, format!("{}{lead}+---------------- {title} ----------------\n", nesting.indent()));
        nesting.depth += 1;
        match member {
            Value::Exception(member) if index < WIDTH_MAX => render_chain(vm, member, nesting, out),
            _ => {
                let more = members.len() - WIDTH_MAX;
                let plural = if more > 1 { "s" } else { "" };
                nesting.emit(Markup::text(format!("and {more} more exception{plural}\n")), '|', out);
            }
        }
        if is_last && nesting.needs_close {
            out.add(Role::Dim, format!("{}+------------------------------------\n", nesting.indent()));
            nesting.needs_close = false;
        }
        nesting.depth -= 1;
    }
    if is_outermost {
        nesting.depth = 0;
    }
}
