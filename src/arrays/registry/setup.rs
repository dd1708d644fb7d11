//! Devices that a session asks for: simulated ones, and what the environment says of backends and visible devices.

use super::{REGISTRY, admit, admit_found, look_for};
use crate::arrays::backend::BackendKind;
use crate::arrays::device::DeviceHandle;
use crate::arrays::error::ArrayError;
use crate::arrays::selector::Selector;
use crate::arrays::sim::{SimDevice, SimSpec};
use std::sync::Arc;

/// Adds a simulated device.
pub fn add_sim(spec: &SimSpec) -> DeviceHandle {
    let answers_to = spec.answers_to.unwrap_or(BackendKind::Sim);
    if answers_to != BackendKind::Sim {
        // Real devices keep their index; simulated ones follow.
        admit_found(true);
    }
    let (own_index, index) = REGISTRY.with_borrow(|registry| {
        let devices = || registry.known.iter().map(|known| &known.device).filter(|device| device.parent().is_none());
        let same_type = |device: &&DeviceHandle| device.info().device_type == spec.device_type;
        (
            devices().filter(same_type).filter(|device| device.is_simulated()).count(),
            devices().filter(same_type).filter(|device| device.backend() == answers_to).count(),
        )
    });
    let name = format!("sim:{}:{own_index}", spec.device_type.name());
    let device = admit(Arc::new(SimDevice::new(spec, &name)), name.into(), answers_to, index, None);
    REGISTRY.with_borrow_mut(|registry| registry.know(device.clone()));
    device
}

/// Adds the simulated devices that a text describes, separated by semicolons, as `CELLHOLD_SIM` holds them.
pub fn add_simulated(text: &str) -> Result<Vec<DeviceHandle>, ArrayError> {
    Ok(SimSpec::parse_list(text)?.iter().map(add_sim).collect())
}

/// Does what `CELLHOLD_BACKENDS`, `CELLHOLD_SIM` and `ONEAPI_DEVICE_SELECTOR` say; answers what is wrong with them. Called
/// once by a session as it starts, on the evaluator's thread. Without `CELLHOLD_BACKENDS`, drivers are asked for devices if
/// `by_default`.
pub fn apply_environment(by_default: bool, variable: impl Fn(&str) -> Option<String>) -> Vec<ArrayError> {
    let mut errors = Vec::new();
    let selector =
        variable("ONEAPI_DEVICE_SELECTOR").filter(|text| !text.is_empty()).map(|text| Selector::parse(&text));
    match variable("CELLHOLD_BACKENDS").filter(|text| !text.is_empty()).map(|text| parse_backends(&text)) {
        Some(Ok(backends)) => look_for(&backends, "kept out by CELLHOLD_BACKENDS"),
        Some(Err(error)) => errors.push(error),
        None if by_default => {
            let mut backends = vec![BackendKind::LevelZero, BackendKind::OpenCl];
            if let Some(Ok(selector)) = &selector {
                backends.retain(|backend| selector.may_allow(*backend));
            }
            look_for(&backends, "kept out by ONEAPI_DEVICE_SELECTOR");
        }
        None => look_for(&[], "its drivers are not asked in this session"),
    }
    if let Some(text) = variable("CELLHOLD_SIM")
        && let Err(error) = add_simulated(&text)
    {
        errors.push(ArrayError::value(format!("CELLHOLD_SIM: {error}")));
    }
    match selector {
        Some(Ok(selector)) => select_visible(Some(selector)),
        Some(Err(error)) => errors.push(error),
        None => {}
    }
    errors
}

fn parse_backends(text: &str) -> Result<Vec<BackendKind>, ArrayError> {
    let backend = |word: &str| {
        BackendKind::parse(word).ok_or_else(|| {
            ArrayError::value(format!(
                "CELLHOLD_BACKENDS: '{word}' is no backend; write native, or some of level_zero and opencl, with commas"
            ))
        })
    };
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(backend).collect()
}

/// Shows only the devices that a selector (`ONEAPI_DEVICE_SELECTOR`) allows from here on; `None` shows all again.
pub fn select_visible(selector: Option<Selector>) {
    REGISTRY.with_borrow_mut(|registry| registry.selector = selector);
}
