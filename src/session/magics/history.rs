//! `%history`: what was typed.

use super::arguments::Words;
use super::{Context, Magic, line, usage_error};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::HistoryQuery;

pub(super) const MAGICS: &[Magic] =
    &[line("history", USAGE, DOC, history), line("hist", USAGE, "Short for %history.", history)];

const USAGE: &str = "[-n] [-o] [-g PATTERN] [-l N] [3 | 2-5 ...]";
const DOC: &str = "What was typed in this session, or the cells given; -n with numbers, -o with outputs, -g those of all \
                   sessions that contain PATTERN, -l the last N of all sessions.";

fn history(context: &mut Context<'_>) -> Fallible<Value> {
    let mut words = Words::split(context.line);
    let has_numbers = words.flag(&["-n"]);
    let has_outputs = words.flag(&["-o"]);
    let pattern = words.value(&["-g"])?;
    let last = words.number(&["-l"])?;
    let ranges = words.rest()?;
    let entries = match (pattern, last) {
        (Some(pattern), _) => {
            let pattern = if pattern.contains(['*', '?']) { pattern } else { format!("*{pattern}*") };
            context.core.history.borrow().query(&HistoryQuery::Search { pattern, count: None, is_unique: false })
        }
        (None, Some(count)) => context.core.history.borrow().query(&HistoryQuery::Tail { count }),
        (None, None) => {
            let all = HistoryQuery::Range { session: 0, start: 1, stop: None };
            let mut entries = context.core.history.borrow().query(&all);
            if !ranges.is_empty() {
                let wanted = numbers(&ranges)?;
                entries.retain(|entry| wanted.contains(&entry.number));
            }
            entries
        }
    };
    let mut text = Vec::new();
    for entry in entries {
        text.push(if has_numbers { format!("{:>4}: {}", entry.number, entry.source) } else { entry.source });
        if let (true, Some(output)) = (has_outputs, entry.output) {
            text.push(output);
        }
    }
    if text.is_empty() { Ok(Value::None) } else { context.print(&text.join("\n")) }
}

/// The cells that `3`, `2-5` name.
pub(super) fn numbers(ranges: &[String]) -> Fallible<Vec<u32>> {
    let mut all = Vec::new();
    for range in ranges {
        let bad = || usage_error(format!("{range} is not a cell or a range of cells such as 2-5"));
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (first.parse().map_err(|_| bad())?, last.parse().map_err(|_| bad())?),
            None => {
                let number: u32 = range.parse().map_err(|_| bad())?;
                (number, number)
            }
        };
        if last < first || last - first > 100_000 {
            return Err(bad());
        }
        all.extend(first..=last);
    }
    Ok(all)
}
