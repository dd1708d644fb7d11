//! `%time`, `%timeit` and their cell forms: how long it took, with compiling and transfers apart from running.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

use super::arguments::Words;
use super::{Context, Magic, both, usage_error};
use crate::arrays::account::{self, CellAccount};
use crate::display::units::{bytes, duration};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;

pub(super) const MAGICS: &[Magic] = &[
    both("time", "STATEMENT", "Runs a statement or a cell once and says how long it took.", time),
    both(
        "timeit",
        "[-n LOOPS] [-r REPEATS] [-q] [-o] STATEMENT",
        "Runs a statement many times and says how long it took on average; of a cell, the rest of the first line is the \
         preparation, which is not counted. -o answers the result as a value, -q shows nothing.",
        timeit,
    ),
];

/// Total time that one repeat of `%timeit` aims at, in seconds.
const REPEAT_AIM: f64 = 0.2;

/// Processor time this process has used so far, in the program and in the system: the exact total, divided as the ticks are
/// in which the system counts the two apart.
fn cpu_seconds() -> (f64, f64) {
    // Fields 14 and 15 of the line, counted after the name in parentheses, which may hold anything.
    let read = || {
        let line = std::fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = line.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
        let mut next = || fields.next()?.parse::<f64>().ok();
        Some((next()?, next()?))
    };
    let (user, system) = read().unwrap_or((0.0, 0.0));
    let total = clock_gettime(ClockId::ProcessCPUTime);
    let total = total.tv_sec as f64 + total.tv_nsec as f64 / 1e9;
    let in_system = total * system / (user + system).max(1.0);
    (total - in_system, in_system)
}

fn time(context: &mut Context<'_>) -> Fallible<Value> {
    let text = match context.body {
        Some(body) if context.line.is_empty() => body.to_owned(),
        Some(body) => format!("{}\n{body}", context.line),
        None => context.line.to_owned(),
    };
    if text.trim().is_empty() {
        return Err(usage_error("%time takes a statement"));
    }
    let began = Instant::now();
    let program = context.core.compile(context.vm, &text, "<timed>")?;
    let compiled = began.elapsed().as_secs_f64();
    let before = account::current();
    let (user, system) = cpu_seconds();
    let began = Instant::now();
    let outcome = context.core.run_compiled(context.vm, &program);
    let wall = began.elapsed().as_secs_f64();
    let (user_after, system_after) = cpu_seconds();
    let mut lines = vec![format!(
        "CPU times: user {}, sys: {}, total: {}",
        duration((user_after - user).max(0.0)),
        duration((system_after - system).max(0.0)),
        duration(user_after - user + system_after - system)
    )];
    if compiled > 0.1 {
        lines.push(format!("Compiler : {}", duration(compiled)));
    }
    lines.push(format!("Wall time: {}", duration(wall)));
    lines.extend(transfers(&before, &account::current()));
    context.print(&lines.join("\n"))?;
    match outcome? {
        Some(value) if !value.is_none() => context.core.show_value(context.vm, &value),
        _ => Ok(()),
    }?;
    Ok(Value::None)
}

/// What was moved between two looks at the account.
fn transfers(before: &CellAccount, after: &CellAccount) -> Option<String> {
    let total = |account: &CellAccount| account.transfers.iter().map(|transfer| transfer.bytes).sum::<u64>();
    let count = |account: &CellAccount| account.transfers.len() as u64 + account.transfers_unlisted;
    let moved = count(after).saturating_sub(count(before));
    (moved > 0).then(|| format!("Transfers: {moved}, {}", bytes(total(after).saturating_sub(total(before)))))
}

fn timeit(context: &mut Context<'_>) -> Fallible<Value> {
    let (options, statement) = split_options(context.line);
    let mut words = Words::split(&options);
    let loops = words.number(&["-n"])?;
    let repeats = words.number(&["-r"])?.unwrap_or(7).max(1);
    let is_quiet = words.flag(&["-q"]);
    let answers = words.flag(&["-o"]);
    words.flag(&["-c", "-t"]);
    words.rest()?;
    let (preparation, statement) = match context.body {
        Some(body) => (statement, body.to_owned()),
        None => (String::new(), statement),
    };
    if statement.trim().is_empty() {
        return Err(usage_error("%timeit takes a statement"));
    }
    let began = Instant::now();
    let program = context.core.compile_timed(context.vm, &statement)?;
    let compiled = began.elapsed().as_secs_f64();
    if !preparation.trim().is_empty() {
        context.core.run_text(context.vm, &preparation, "<timeit-setup>")?;
    }
    let run = |context: &mut Context<'_>, loops: usize| -> Fallible<f64> {
        let began = Instant::now();
        for _ in 0..loops {
            context.core.run_compiled(context.vm, &program)?;
        }
        crate::arrays::registry::finish_all().map_err(crate::lang::arrays::error::raised)?;
        Ok(began.elapsed().as_secs_f64())
    };
    let loops = match loops {
        Some(loops) => loops.max(1),
        None => {
            // As timeit's autorange: 1, 10, 100, ... until a repeat takes long enough to be measured.
            let mut loops = 1;
            while run(context, loops)? < REPEAT_AIM && loops < 1_000_000_000 {
                loops *= 10;
            }
            loops
        }
    };
    let mut times = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        times.push(run(context, loops)? / loops as f64);
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let spread = (times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / times.len() as f64).sqrt();
    let best = times.iter().copied().fold(f64::INFINITY, f64::min);
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let text = format!(
        "{} ± {} per loop (mean ± std. dev. of {repeats} run{}, {loops} loop{} each)",
        duration(mean),
        duration(spread),
        plural(repeats),
        plural(loops)
    );
    if !is_quiet {
        context.print(&text)?;
        if compiled > 0.1 {
            context.print(&format!("Compiler time: {}", duration(compiled)))?;
        }
    }
    Ok(if answers { Value::Float(best) } else { Value::None })
}

/// Leading words that begin with a dash (and the number after `-n`, `-r`), and the statement after them.
fn split_options(line: &str) -> (String, String) {
    let mut rest = line.trim_start();
    let mut options = String::new();
    // A statement may begin with a minus itself; only the letters that are options are taken.
    while rest.starts_with('-') && rest[1..].starts_with(['n', 'r', 'q', 'o', 'c', 't']) {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = &rest[..end];
        if word.len() > 2 && !word[2..].bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        options.push_str(word);
        options.push(' ');
        rest = rest[end..].trim_start();
        if word == "-n" || word == "-r" {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            options.push_str(&rest[..end]);
            options.push(' ');
            rest = rest[end..].trim_start();
        }
    }
    (options, rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_end_where_the_statement_begins() {
        assert_eq!(split_options("-n 10 -r3 x - y"), ("-n 10 -r3 ".to_owned(), "x - y".to_owned()));
        assert_eq!(split_options("-x + 1"), (String::new(), "-x + 1".to_owned()));
        assert_eq!(split_options("a + b"), (String::new(), "a + b".to_owned()));
    }
}
