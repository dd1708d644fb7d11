//! `ONEAPI_DEVICE_SELECTOR`: which of the devices found a program wants to see.
//!
//! Terms are `backend:devices`, separated by semicolons; a term that begins with `!` takes devices away. Case does not
//! matter. What a term cannot name here (`cuda`, sub-devices) selects nothing.

use super::backend::{BackendKind, DeviceType};
use super::error::ArrayError;

/// A parsed selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    accepts: Vec<Term>,
    discards: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    backend: Match<BackendKind>,
    devices: Vec<Match<DeviceWord>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Match<T> {
    Any,
    /// A word that is valid and names nothing that exists here.
    None,
    Only(T),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeviceWord {
    Type(DeviceType),
    Index(usize),
}

impl Selector {
    /// Reads a selector, or says which term is wrong.
    pub fn parse(text: &str) -> Result<Selector, ArrayError> {
        let mut selector = Selector { accepts: Vec::new(), discards: Vec::new() };
        for term in text.split(';').map(str::trim).filter(|term| !term.is_empty()) {
            match term.strip_prefix('!') {
                Some(discard) => selector.discards.push(Term::parse(discard)?),
                None => selector.accepts.push(Term::parse(term)?),
            }
        }
        if selector.accepts.is_empty() && selector.discards.is_empty() {
            return Err(ArrayError::value("ONEAPI_DEVICE_SELECTOR is empty; write backend:devices, for example *:gpu"));
        }
        Ok(selector)
    }

    /// Whether a device may be seen; `index` counts the devices of its backend.
    pub fn allows(&self, backend: BackendKind, device_type: DeviceType, index: usize) -> bool {
        let hit = |term: &Term| term.names(backend, device_type, index);
        (self.accepts.is_empty() || self.accepts.iter().any(hit)) && !self.discards.iter().any(hit)
    }
}

impl Selector {
    /// Whether any device of a backend might be seen, so that its drivers need to be asked.
    pub fn may_allow(&self, backend: BackendKind) -> bool {
        let of_backend = |term: &Term| match term.backend {
            Match::Any => true,
            Match::None => false,
            Match::Only(wanted) => wanted == backend,
        };
        let all_discarded = |term: &Term| of_backend(term) && term.devices.contains(&Match::Any);
        (self.accepts.is_empty() || self.accepts.iter().any(of_backend)) && !self.discards.iter().any(all_discarded)
    }
}

impl Term {
    fn parse(text: &str) -> Result<Term, ArrayError> {
        let wrong = || {
            ArrayError::value(format!(
                "ONEAPI_DEVICE_SELECTOR: '{text}' is not backend:devices; backends are *, level_zero, opencl, native and sim, \
                 devices are *, cpu, gpu, accelerator and numbers"
            ))
        };
        let lower = text.to_ascii_lowercase();
        let (backend, devices) = lower.split_once(':').ok_or_else(wrong)?;
        let backend = match backend {
            "*" => Match::Any,
            "native_cpu" => Match::Only(BackendKind::Native),
            "cuda" | "hip" => Match::None,
            word => Match::Only(BackendKind::parse(word).ok_or_else(wrong)?),
        };
        let devices = devices.split(',').map(|word| Term::device(word).ok_or_else(wrong)).collect::<Result<_, _>>()?;
        Ok(Term { backend, devices })
    }

    fn device(word: &str) -> Option<Match<DeviceWord>> {
        if word == "*" {
            return Some(Match::Any);
        }
        if let Some(device_type) = DeviceType::parse(word) {
            return Some(Match::Only(DeviceWord::Type(device_type)));
        }
        // Sub-devices (`0.1`, `*.*`) and FPGAs are valid words for things that are not here.
        let sub_device = word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '*'));
        if sub_device || word == "fpga" {
            return Some(Match::None);
        }
        word.parse().ok().map(|index| Match::Only(DeviceWord::Index(index)))
    }

    fn names(&self, backend: BackendKind, device_type: DeviceType, index: usize) -> bool {
        let of_backend = match self.backend {
            Match::Any => true,
            Match::None => false,
            Match::Only(wanted) => wanted == backend,
        };
        of_backend
            && self.devices.iter().any(|device| match device {
                Match::Any => true,
                Match::None => false,
                Match::Only(DeviceWord::Type(wanted)) => *wanted == device_type,
                Match::Only(DeviceWord::Index(wanted)) => *wanted == index,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_accept_and_discard() {
        let allows = |text: &str, backend, device_type, index| {
            Selector::parse(text).expect("a selector").allows(backend, device_type, index)
        };
        assert!(allows("*:*", BackendKind::Native, DeviceType::Cpu, 0));
        assert!(allows("Level_Zero:GPU", BackendKind::LevelZero, DeviceType::Gpu, 3));
        assert!(!allows("level_zero:gpu", BackendKind::Native, DeviceType::Cpu, 0));
        assert!(allows("sim:1;native:*", BackendKind::Sim, DeviceType::Gpu, 1));
        assert!(!allows("sim:1,2", BackendKind::Sim, DeviceType::Gpu, 0));
        assert!(!allows("!*:gpu", BackendKind::Sim, DeviceType::Gpu, 0));
        assert!(allows("!*:gpu", BackendKind::Native, DeviceType::Cpu, 0));
        assert!(!allows("*:*;!native:cpu", BackendKind::Native, DeviceType::Cpu, 0));
        assert!(!allows("cuda:*", BackendKind::Sim, DeviceType::Gpu, 0));
        assert!(!allows("*:0.1", BackendKind::Sim, DeviceType::Gpu, 0));
    }

    #[test]
    fn drivers_that_no_term_wants_need_not_be_asked() {
        let may = |text: &str, backend| Selector::parse(text).expect("a selector").may_allow(backend);
        assert!(may("*:gpu", BackendKind::OpenCl));
        assert!(may("!opencl:cpu", BackendKind::OpenCl));
        assert!(!may("native:*", BackendKind::OpenCl));
        assert!(!may("!opencl:*", BackendKind::OpenCl));
        assert!(!may("level_zero:gpu;native:cpu", BackendKind::OpenCl));
    }

    #[test]
    fn what_is_no_selector_is_named() {
        for text in ["", ";", "gpu", "metal:gpu", "sim:gpu,", "sim:-1"] {
            let message = Selector::parse(text).expect_err(text).to_string();
            assert!(message.starts_with("ONEAPI_DEVICE_SELECTOR"), "{message}");
        }
    }
}
