//! `time`: clocks, sleeping, broken-down times.
//!
//! `calendar` has the fields of a time, `format` and `parse` their text; this file has the clocks and the table.

mod calendar;
mod format;
mod parse;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, Timespec, clock_gettime};

use self::calendar::{Fields, Zone};
use super::struct_sequence;
use super::support::{items_of, new_module, set, thread_class, unwrap_payload};
use crate::lang::builtins::classes::attach;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::{Fallible, overflow_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// How long a sleep goes on before it looks whether it was interrupted.
const SLICE: Duration = Duration::from_millis(10);

const STRUCT_FIELDS: &[&str] =
    &["tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"];

thread_class! {
    fn struct_time() = {
        let class = struct_sequence::define("struct_time", "time", STRUCT_FIELDS);
        attach(&class, &[static_method("__new__", "(cls, sequence, dict=None, /)", "The time value as returned by gmtime(), localtime(), and strptime().", new_struct)]);
        class
    };
}

const FUNCTIONS: &[Method] = &[
    method("time", "()", "Return the current time in seconds since the Epoch.", |_, _| {
        Ok(Value::Float(epoch().as_secs_f64()))
    }),
    method("time_ns", "()", "Return the current time in nanoseconds since the Epoch.", |_, _| {
        Ok(Value::int(epoch().as_nanos()))
    }),
    method("perf_counter", "()", "Performance counter for benchmarking.", seconds_of).with_row(0),
    method("perf_counter_ns", "()", "Performance counter for benchmarking as nanoseconds.", nanoseconds_of).with_row(0),
    method("monotonic", "()", "Monotonic clock, cannot go backward.", seconds_of).with_row(0),
    method("monotonic_ns", "()", "Monotonic clock, cannot go backward, as nanoseconds.", nanoseconds_of).with_row(0),
    method("process_time", "()", "Process time for profiling: sum of the kernel and user-space CPU time.", seconds_of)
        .with_row(1),
    method("process_time_ns", "()", "Process time for profiling as nanoseconds.", nanoseconds_of).with_row(1),
    method("thread_time", "()", "Thread time for profiling: sum of the kernel and user-space CPU time.", seconds_of)
        .with_row(2),
    method("thread_time_ns", "()", "Thread time for profiling as nanoseconds.", nanoseconds_of).with_row(2),
    method("sleep", "(seconds, /)", "Delay execution for a given number of seconds.", sleep),
    method(
        "gmtime",
        "(seconds=None, /)",
        "Convert seconds since the Epoch to a time tuple expressing UTC (a.k.a.\nGMT).",
        |vm, args| broken_down(vm, args, Zone::Utc),
    ),
    method(
        "localtime",
        "(seconds=None, /)",
        "Convert seconds since the Epoch to a time tuple expressing local time.",
        |vm, args| broken_down(vm, args, Zone::Local),
    ),
    method("mktime", "(tuple, /)", "Convert a time tuple in local time to seconds since the Epoch.", make_time),
    method(
        "asctime",
        "(tuple=None, /)",
        "Convert a time tuple to a string, e.g. 'Sat Jun 06 16:26:11 1998'.",
        |vm, args| {
            let fields = fields_or_now(vm, args, 0, "asctime")?;
            Ok(fields.ascii().into())
        },
    ),
    method(
        "ctime",
        "(seconds=None, /)",
        "Convert a time in seconds since the Epoch to a string in local time.",
        |vm, args| {
            let fields = Fields::at(seconds_argument(vm, args, 0)?, Zone::Local)?;
            Ok(fields.ascii().into())
        },
    ),
    method(
        "strftime",
        "(format, tuple=None, /)",
        "Convert a time tuple to a string according to a format specification.",
        |vm, args| {
            let text = args.text(vm, 0, "strftime() argument 1")?;
            let fields = fields_or_now(vm, args, 1, "strftime")?;
            let written = format::format(&text, &fields);
            vm.reserve(written.len())?;
            Ok(written.into())
        },
    ),
    method(
        "strptime",
        "(string, format='%a %b %d %H:%M:%S %Y', /)",
        "Parse a string to a time tuple according to a format specification.",
        |vm, args| {
            let parsed = parse_arguments(vm, args)?;
            Ok(struct_value(&parsed.fields()))
        },
    ),
    method("_strptime_parts", "(string, format, /)", "The parts of a parsed time, for datetime.", |vm, args| {
        let parsed = parse_arguments(vm, args)?;
        let fields = parsed.fields();
        let offset = parsed.offset_seconds.map_or(Value::None, Value::Int);
        let parts =
            [fields.year, fields.month, fields.day, fields.hour, fields.minute, fields.second, parsed.microsecond];
        Ok(Value::tuple(parts.map(Value::Int).into_iter().chain([offset]).collect::<Vec<_>>()))
    }),
    method("tzset", "()", "The system's time zone is read anew at each call, so there is nothing to do.", |_, _| {
        Ok(Value::None)
    }),
];

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module("time", "This module provides various functions to manipulate time values.", FUNCTIONS);
    module.set(Name::new("struct_time"), Value::Class(struct_time()));
    let zones = calendar::zone_names();
    set(&module, "timezone", zones.standard_west);
    set(&module, "altzone", zones.summer_west);
    set(&module, "daylight", i64::from(zones.has_summer));
    set(&module, "tzname", Value::tuple([Value::str(zones.standard), Value::str(zones.summer)]));
    for (name, number) in
        [("CLOCK_REALTIME", 0), ("CLOCK_MONOTONIC", 1), ("CLOCK_PROCESS_CPUTIME_ID", 2), ("CLOCK_THREAD_CPUTIME_ID", 3)]
    {
        set(&module, name, Value::Int(number));
    }
    Ok(module)
}

fn epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn clock(row: usize) -> Timespec {
    clock_gettime([ClockId::Monotonic, ClockId::ProcessCPUTime, ClockId::ThreadCPUTime][row])
}

fn seconds_of(_vm: &mut Vm, args: Args) -> Fallible<Value> {
    let now = clock(args.row);
    Ok(Value::Float(now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9))
}

fn nanoseconds_of(_vm: &mut Vm, args: Args) -> Fallible<Value> {
    let now = clock(args.row);
    Ok(Value::Int(now.tv_sec * 1_000_000_000 + now.tv_nsec))
}

fn sleep(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let seconds = match unwrap_payload(&value) {
        Value::Float(seconds) => seconds,
        Value::Scalar(_) => vm.float(&value)?,
        _ => vm.index(&value)? as f64,
    };
    if seconds.is_nan() {
        return Err(value_error("Invalid value NaN (not a number)"));
    }
    if seconds < 0.0 {
        return Err(value_error("sleep length must be non-negative"));
    }
    let Some(end) = Duration::try_from_secs_f64(seconds).ok().and_then(|time| Instant::now().checked_add(time)) else {
        return Err(overflow_error("timestamp out of range for platform time_t"));
    };
    loop {
        vm.poll()?;
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Value::None);
        }
        std::thread::sleep(left.min(SLICE));
    }
}

/// Seconds since the epoch, rounded down; now when not given.
fn seconds_argument(vm: &mut Vm, args: Args, index: usize) -> Fallible<i64> {
    let Some(value) = args.not_none(vm, index) else {
        return Ok(epoch().as_secs() as i64);
    };
    match unwrap_payload(&value) {
        Value::Float(seconds) if seconds.is_nan() => Err(value_error("Invalid value NaN (not a number)")),
        Value::Float(seconds) if seconds.abs() < 9e18 => Ok(seconds.floor() as i64),
        Value::Float(_) | Value::Big(_) => Err(overflow_error("timestamp out of range for platform time_t")),
        _ => vm.index(&value),
    }
}

fn broken_down(vm: &mut Vm, args: Args, zone: Zone) -> Fallible<Value> {
    let seconds = seconds_argument(vm, args, 0)?;
    Ok(struct_value(&Fields::at(seconds, zone)?))
}

fn struct_value(fields: &Fields) -> Value {
    let items = [
        fields.year,
        fields.month,
        fields.day,
        fields.hour,
        fields.minute,
        fields.second,
        fields.weekday,
        fields.year_day,
        fields.is_summer,
    ];
    let zone = fields.zone.clone().map_or(Value::None, Value::str);
    let offset = fields.offset_seconds.map_or(Value::None, Value::Int);
    struct_sequence::make(&struct_time(), items.map(Value::Int).to_vec(), &[("tm_zone", zone), ("tm_gmtoff", offset)])
}

fn new_struct(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let items = vm.collect(&args.get(vm, 1))?;
    match items.len() {
        count if count < 9 => {
            Err(type_error(format!("time.struct_time() takes an at least 9-sequence ({count}-sequence given)")))
        }
        count if count > 11 => {
            Err(type_error(format!("time.struct_time() takes an at most 11-sequence ({count}-sequence given)")))
        }
        _ => {
            let extra = [
                ("tm_zone", items.get(9).cloned().unwrap_or(Value::None)),
                ("tm_gmtoff", items.get(10).cloned().unwrap_or(Value::None)),
            ];
            Ok(struct_sequence::make(&struct_time(), items[..9].to_vec(), &extra))
        }
    }
}

/// The fields of a time tuple; the local time now when it is not given.
fn fields_or_now(vm: &mut Vm, args: Args, index: usize, function: &str) -> Fallible<Fields> {
    let Some(value) = args.not_none(vm, index) else {
        return Fields::at(epoch().as_secs() as i64, Zone::Local);
    };
    let fields = fields_of(vm, &value, function)?;
    fields.check()?;
    Ok(fields)
}

fn fields_of(vm: &mut Vm, value: &Value, function: &str) -> Fallible<Fields> {
    let Value::Tuple(tuple) = unwrap_payload(value) else {
        return Err(type_error("Tuple or struct_time argument required"));
    };
    let items = items_of(&Value::Tuple(tuple));
    if items.len() != 9 {
        return Err(type_error(format!("{function}(): illegal time tuple argument")));
    }
    let mut numbers = [0; 9];
    for (number, item) in numbers.iter_mut().zip(&items) {
        *number = vm.index(item)?;
    }
    let mut fields = Fields::from_items(numbers);
    if let Value::Instance(instance) = value {
        let attribute = |name: &str| instance.attributes.borrow().get(&Name::new(name)).cloned();
        fields.zone = attribute("tm_zone").and_then(|zone| zone.as_str().map(str::to_owned));
        fields.offset_seconds = match attribute("tm_gmtoff") {
            Some(Value::Int(offset)) => Some(offset),
            _ => None,
        };
    }
    Ok(fields)
}

fn make_time(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let fields = fields_of(vm, &value, "mktime")?;
    match fields.to_epoch() {
        Some(seconds) => Ok(Value::Float(seconds as f64)),
        None => Err(overflow_error("mktime argument out of range")),
    }
}

fn parse_arguments(vm: &mut Vm, args: Args) -> Fallible<parse::Parsed> {
    for index in 0..2 {
        let value = args.peek(vm, index);
        if !value.is_unset() && value.as_str().is_none() {
            return Err(type_error(format!(
                "strptime() argument {index} must be str, not <class '{}'>",
                value.type_name()
            )));
        }
    }
    let text = args.text(vm, 0, "strptime() argument 0")?;
    let format = match args.optional(vm, 1) {
        Some(format) => format.as_str().unwrap_or_default().to_owned(),
        None => "%a %b %d %H:%M:%S %Y".to_owned(),
    };
    parse::parse(&text, &format).map_err(value_error)
}
