//! Injected failures: which call of which function answers what.

use level_zero_sys::ze_result_t;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// One injected failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    function: String,
    calls: Calls,
    /// What happens.
    pub effect: Effect,
}

/// Which calls of the function fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Calls {
    /// `3`: the third call.
    Exactly(u64),
    /// `3+`: the third call and all later ones.
    From(u64),
}

/// What a failing call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It answers this result.
    Answer(ze_result_t),
    /// The command never ends (only for [`EXECUTE`]).
    Hang,
}

/// The name under which a fault strikes the execution of a command on the device, not a function of the interface.
pub(crate) const EXECUTE: &str = "execute";

/// Reads `function:nth:RESULT[,...]`: the nth call of the function, counted from 1, answers the result. `nth+` means that
/// call and all later ones. The result is a name of the specification with or without its prefix
/// (`OUT_OF_DEVICE_MEMORY`), or `HANG`. The function `execute` stands for the device running a launch, copy or fill.
pub(crate) fn parse_faults(text: &str) -> Result<Vec<Fault>, String> {
    text.split(',').filter(|part| !part.is_empty()).map(parse_fault).collect()
}

fn parse_fault(text: &str) -> Result<Fault, String> {
    let mut parts = text.split(':');
    let (Some(function), Some(nth), Some(result), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(format!("{text:?} is not function:nth:RESULT"));
    };
    let (number, from) = nth.strip_suffix('+').map_or((nth, false), |number| (number, true));
    let number: u64 = number.parse().ok().filter(|number| *number > 0).ok_or(format!("{nth:?} counts no call"))?;
    let effect = match result {
        "HANG" if function == EXECUTE => Effect::Hang,
        name => Effect::Answer(result_named(name).ok_or(format!("{name:?} is no result of the specification"))?),
    };
    let calls = if from { Calls::From(number) } else { Calls::Exactly(number) };
    Ok(Fault { function: function.to_owned(), calls, effect })
}

/// The result of this name, with or without `ZE_RESULT_` or `ZE_RESULT_ERROR_`.
fn result_named(name: &str) -> Option<ze_result_t> {
    let codes = (0..16).chain(0x7000_0001..0x7000_0020).chain(0x7001_0000..0x7001_0010).chain(0x7002_0000..0x7002_0010);
    codes.chain(0x7800_0001..0x7800_0040).chain(0x7ff0_0001..0x7ff0_0010).chain([0x7fff_fffe]).map(ze_result_t).find(
        |result| {
            result.name().is_some_and(|full| {
                full == name
                    || full.strip_prefix("ZE_RESULT_") == Some(name)
                    || full.strip_prefix("ZE_RESULT_ERROR_") == Some(name)
            })
        },
    )
}

/// The faults in force and how often each function was called.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    faults: Vec<Fault>,
    calls: HashMap<&'static str, u64>,
}

impl Faults {
    /// These faults, with nothing called yet.
    pub fn new(faults: Vec<Fault>) -> Faults {
        Faults { state: Mutex::new(State { faults, calls: HashMap::new() }) }
    }

    /// Counts a call and answers what strikes it.
    pub fn strike(&self, function: &'static str) -> Option<Effect> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let count = state.calls.entry(function).or_default();
        *count += 1;
        let count = *count;
        let strikes = |fault: &&Fault| {
            fault.function == function
                && match fault.calls {
                    Calls::Exactly(nth) => count == nth,
                    Calls::From(nth) => count >= nth,
                }
        };
        state.faults.iter().find(strikes).map(|fault| fault.effect)
    }

    /// Puts other faults in force and counts from 1 again.
    pub fn replace(&self, faults: Vec<Fault>) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State { faults, calls: HashMap::new() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counted_call_fails_and_no_other() {
        let faults = Faults::new(parse_faults("zeA:2:DEVICE_LOST,zeB:2+:ZE_RESULT_NOT_READY").expect("well-formed"));
        let lost = Some(Effect::Answer(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
        let not_ready = Some(Effect::Answer(ze_result_t::ZE_RESULT_NOT_READY));
        assert_eq!([faults.strike("zeA"), faults.strike("zeA"), faults.strike("zeA")], [None, lost, None]);
        assert_eq!([faults.strike("zeB"), faults.strike("zeB"), faults.strike("zeB")], [None, not_ready, not_ready]);
    }

    #[test]
    fn replacing_counts_anew() {
        let faults = Faults::new(Vec::new());
        assert_eq!(faults.strike("zeA"), None);
        faults.replace(parse_faults("zeA:1:UNINITIALIZED").expect("well-formed"));
        assert_eq!(faults.strike("zeA"), Some(Effect::Answer(ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED)));
    }

    #[test]
    fn only_execution_can_hang() {
        assert!(matches!(parse_faults("execute:1:HANG").as_deref(), Ok([Fault { effect: Effect::Hang, .. }])));
        assert!(parse_faults("zeInit:1:HANG").is_err());
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in ["zeInit", "zeInit:0:DEVICE_LOST", "zeInit:x:DEVICE_LOST", "zeInit:1:OOPS", "a:1:DEVICE_LOST:b"] {
            assert!(parse_faults(text).is_err(), "{text}");
        }
    }
}
