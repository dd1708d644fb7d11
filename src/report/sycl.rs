//! The log of a SYCL program under `SYCL_UR_TRACE=2`: one line a call of the runtime, with its arguments and its answer.
//!
//! A line looks like `   <--- urUSMDeviceAlloc(.hContext = 0x.., .size = 8388608, .ppMem = 0x.. (0x7f9dff800000)) ->
//! UR_RESULT_SUCCESS;`, with the program's own output between. It names no line of the program, so memory is charged to
//! the call and its size.

use std::collections::HashMap;

use super::heading;
use super::summary::{Sums, Where};
use crate::display::units::bytes;
use crate::display::{Markup, Role, Table};

/// Kinds of memory and the calls that give them.
const ALLOCATIONS: &[(&str, &str)] =
    &[("urUSMDeviceAlloc", "device"), ("urUSMSharedAlloc", "shared"), ("urUSMHostAlloc", "host")];
const ROWS: usize = 20;

/// Whether a text has calls of the runtime in it.
pub(super) fn is_log(text: &str) -> bool {
    text.lines().any(|line| call(line).is_some())
}

/// A call that ended: its name, its arguments, whether it succeeded.
struct Call<'a> {
    name: &'a str,
    arguments: &'a str,
    result: &'a str,
}

fn call(line: &str) -> Option<Call<'_>> {
    // The program may have printed in front of it.
    let (_, rest) = line.split_once("<--- ur")?;
    let begin = line.len() - rest.len() - 2;
    let (name, rest) = line[begin..].split_once('(')?;
    let (arguments, result) = rest.rsplit_once(") -> ")?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_name.then_some(Call { name, arguments, result: result.trim_end().trim_end_matches(';') })
}

impl<'a> Call<'a> {
    fn succeeded(&self) -> bool {
        self.result == "UR_RESULT_SUCCESS"
    }

    /// The text of an argument of the call itself; fields of descriptors inside have the same names.
    fn argument(&self, name: &str) -> Option<&'a str> {
        let mut depth = 0usize;
        let mut parts = self.arguments.split(|c| {
            match c {
                '(' | '{' => depth += 1,
                ')' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        });
        parts.find_map(|part| part.trim_start().strip_prefix(name)?.strip_prefix(" = "))
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.argument(name)?.parse().ok()
    }

    fn address(&self, name: &str) -> Option<u64> {
        hexadecimal(self.argument(name)?)
    }

    /// The pointer that was written to an output argument: `0x7ffd.. (0x7f9d..)`.
    fn pointed(&self, name: &str) -> Option<u64> {
        let (_, inner) = self.argument(name)?.split_once('(')?;
        hexadecimal(inner.trim_end_matches(')'))
    }
}

fn hexadecimal(text: &str) -> Option<u64> {
    let digits = text.trim().strip_prefix("0x")?;
    let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
    u64::from_str_radix(&digits[..end], 16).ok()
}

/// What a log says.
#[derive(Debug)]
struct Log {
    sums: Sums<u64>,
    failed: Vec<(u64, String, String)>,
    launches: HashMap<String, u64>,
    builds: u64,
    waits: u64,
}

fn read(text: &str) -> Log {
    let mut log = Log { sums: Sums::new(), failed: Vec::new(), launches: HashMap::new(), builds: 0, waits: 0 };
    let mut kernels: HashMap<u64, String> = HashMap::new();
    // Where each live block lies, to tell which side of a copy is on a device.
    let mut blocks: HashMap<u64, (u64, &str)> = HashMap::new();
    for call in text.lines().filter_map(call) {
        let at = |detail: String| Where { cell: 0, line: None, text: detail };
        if let Some((_, kind)) = ALLOCATIONS.iter().find(|(name, _)| *name == call.name) {
            let Some(size) = call.number(".size") else { continue };
            if !call.succeeded() {
                log.failed.push((size, (*kind).to_owned(), call.result.to_owned()));
                continue;
            }
            if let Some(pointer) = call.pointed(".ppMem") {
                blocks.insert(pointer, (size, kind));
                log.sums.allocate(pointer, size, kind, at(format!("{} of {}", call.name, bytes(size))));
            }
            continue;
        }
        match call.name {
            "urUSMFree" if call.succeeded() => {
                if let Some(pointer) = call.address(".pMem") {
                    blocks.remove(&pointer);
                    log.sums.release(&pointer);
                }
            }
            "urEnqueueUSMMemcpy" if call.succeeded() => {
                let side = |name| {
                    let pointer = call.address(name)?;
                    let inside =
                        |(start, (size, _)): &(&u64, &(u64, &str))| pointer >= **start && pointer - **start < *size;
                    Some(blocks.iter().find(inside).map_or("program", |(_, (_, kind))| *kind))
                };
                if let (Some(from), Some(to), Some(size)) = (side(".pSrc"), side(".pDst"), call.number(".size")) {
                    log.sums.transfer(size, from, to, &at(call.name.to_owned()));
                }
            }
            "urKernelCreate" if call.succeeded() => {
                if let (Some(name), Some(handle)) = (call.argument(".pKernelName"), call.pointed(".phKernel")) {
                    let name = name.split_once('(').map_or(name, |(_, name)| name.trim_end_matches(')'));
                    kernels.insert(handle, kernel_name(name));
                }
            }
            "urEnqueueKernelLaunch" | "urEnqueueKernelLaunchWithArgsExp" if call.succeeded() => {
                let handle = call.address(".hKernel");
                let name = handle.and_then(|handle| kernels.get(&handle).cloned());
                *log.launches.entry(name.unwrap_or_else(|| "a kernel made before the log".to_owned())).or_default() +=
                    1;
            }
            "urProgramBuild" | "urProgramBuildExp" if call.succeeded() => log.builds += 1,
            "urEventWait" | "urQueueFinish" => log.waits += 1,
            _ => {}
        }
    }
    log
}

/// The readable part of a mangled name: `_ZTSN4dpnp6tensor7kernels3add18add_strided_kernelIddd..` is `add_strided_kernel`.
fn kernel_name(mangled: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = mangled;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        // Template arguments begin with I; the name ends before them.
        if !parts.is_empty() && rest[..start].contains('I') {
            break;
        }
        let digits = rest[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - start);
        let Ok(len) = rest[start..start + digits].parse::<usize>() else { break };
        let from = start + digits;
        let Some(part) = rest.get(from..from + len) else { break };
        parts.push(part);
        rest = &rest[from + len..];
    }
    parts.last().map_or_else(|| mangled.to_owned(), |part| (*part).to_owned())
}

/// The summary of a log.
pub(super) fn summarise(text: &str) -> Markup {
    let log = read(text);
    let sums = &log.sums;
    let launches: u64 = log.launches.values().sum();
    let mut markup = heading("SYCL calls: ").plain(format!(
        "{} allocations of {} in all; {launches} kernels launched, {} programs built, {} waits",
        sums.allocations,
        bytes(sums.allocated),
        log.builds,
        log.waits
    ));
    markup = markup.line();
    let mut kinds: Vec<_> = sums.peaks.iter().collect();
    kinds.sort_by_key(|(kind, _)| *kind);
    for (kind, peak) in kinds {
        markup = markup
            .plain(format!(
                "{kind} memory: peak {} (reached by {}), {} at the end",
                bytes(peak.bytes),
                peak.at.text,
                bytes(peak.live)
            ))
            .line();
    }
    let mut directions: Vec<_> = sums.transfers.iter().collect();
    directions.sort();
    for ((from, to), (count, moved)) in directions {
        markup = markup.plain(format!("{from} -> {to}: {} in {count} copies", bytes(*moved))).line();
    }
    for (size, kind, result) in &log.failed {
        markup = markup.push(Role::Error, format!("failed: {} of {kind} memory: {result}", bytes(*size))).line();
    }
    if sums.strangers > 0 {
        markup = markup.plain(format!("{} releases of memory from before the log", sums.strangers)).line();
    }
    if !log.launches.is_empty() {
        let mut counted: Vec<_> = log.launches.iter().collect();
        counted.sort_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
        let mut table = Table::new().right("launches").shrinking("kernel");
        for (name, count) in counted.iter().take(ROWS) {
            table.row(vec![Markup::text(count.to_string()), Markup::of(Role::Code, name.as_str())]);
        }
        markup = markup.line().table(table);
    }
    let left = sums.left();
    if left.is_empty() {
        return markup.line().push(Role::Good, "Everything was freed.").line();
    }
    let mut by_call: HashMap<(&str, u64), u64> = HashMap::new();
    for live in &left {
        *by_call.entry((&live.device, live.bytes)).or_default() += 1;
    }
    let mut rows: Vec<_> = by_call.into_iter().collect();
    rows.sort_by_key(|((kind, size), count)| (std::cmp::Reverse(size * count), *kind, *size));
    let mut table = Table::new().right("bytes each").right("times").left("memory");
    for ((kind, size), count) in rows.iter().take(ROWS) {
        table.row(vec![Markup::of(Role::Number, bytes(*size)), Markup::text(count.to_string()), Markup::text(*kind)]);
    }
    let sum: u64 = left.iter().map(|live| live.bytes).sum();
    markup = markup.line().plain(format!("Never freed: {} allocations, {}", left.len(), bytes(sum))).line();
    markup
        .table(table)
        .push(Role::Dim, "The log names no lines of the program; the same script under cellhold with %trace does.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::to_plain;

    /// What dpnp 0.20 wrote under SYCL_UR_TRACE=2, shortened.
    const LOG: &str = include_str!("../../tests/it/traces/dpnp.log");

    #[test]
    fn a_log_of_dpnp_is_added_up() {
        let log = read(LOG);
        let left: u64 = log.sums.left().iter().filter(|live| live.device == "device").map(|live| live.bytes).sum();
        let device = &log.sums.peaks["device"];
        assert_eq!(device.live, left);
        assert!(device.bytes > 3 * (8 << 20), "b, c and d lived together: {}", device.bytes);
        assert!(log.launches.keys().any(|name| name == "multiply_strided_kernel"), "{:?}", log.launches);
        let page = to_plain(&summarise(LOG), 120);
        assert!(page.contains("device memory: peak"), "{page}");
    }

    #[test]
    fn failures_are_told_and_fields_of_descriptors_are_not_taken_for_arguments() {
        let text = "1.0    <--- urUSMDeviceAlloc(.hContext = 0x1, .pUSMDesc = 0x2 ((struct d){.size = 7}), .pool = nullptr, \
                    .size = 4096, .ppMem = 0x3 (0x4)) -> UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;";
        let log = read(text);
        assert_eq!(log.failed, [(4096, "device".to_owned(), "UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY".to_owned())]);
        assert!(is_log(text) && !is_log("   ---> urUSMFree\nhello"));
    }

    #[test]
    fn names_are_made_readable() {
        assert_eq!(
            kernel_name("_ZTSN4dpnp6tensor7kernels3add18add_strided_kernelIdddNS0_12offset_utils"),
            "add_strided_kernel"
        );
        assert_eq!(kernel_name("plain"), "plain");
    }
}
