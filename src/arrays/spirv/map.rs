//! The element-wise program: one work item for each element of the result.

use super::emit::{Emitter, Module, Parameter, Type};
use super::fused::{Body, Fused, NotLowered, body_parameters};
use super::space::{Lane, Space};
use super::value;
use rspirv::spirv::BuiltIn;

/// The most groups of axes, one for each axis of a launch.
pub const GROUPS: usize = 3;

/// Parameters: the result, arrays, scalars, the space, strides of the arrays, strides of the result. Launched over the
/// groups of the space, the last one along x.
pub(super) fn map(fused: &Fused, space: &Space, target: Lane, fp64: bool) -> Result<Module, NotLowered> {
    let emitter = Emitter::new();
    let mut parameters = vec![Parameter::Pointer(value::memory(fused.dtype))];
    parameters.extend(body_parameters(fused, space));
    parameters.extend(super::space::numbers(space, space.stride_parameters(target)));
    let mut ids = emitter.begin(&parameters, &[BuiltIn::GlobalInvocationId]).into_iter();
    let out = emitter.pointer(ids.next().expect("the result comes first"), value::memory(fused.dtype));
    let body = Body::new(&emitter, fused, space, fp64, &mut ids);
    let strides = body.walk.strides(&emitter, target, &mut ids);
    let last = space.groups.len() - 1;
    let indices: Vec<_> = (0..space.groups.len())
        .map(|group| emitter.built_in(BuiltIn::GlobalInvocationId, (last - group) as u32).convert(Type::I64))
        .collect();
    let inside = indices
        .iter()
        .zip(&body.walk.counts)
        .map(|(&index, &count)| index.lt(count.convert(Type::I64)))
        .reduce(|all, one| all & one)
        .expect("a space has a group");
    let mut outcome = Ok(());
    emitter.when(inside, || {
        let coordinates = body.walk.coordinates(&indices);
        match body.at_coordinates(&coordinates) {
            Ok(result) => value::store(out, body.walk.offset(&emitter, &coordinates, &strides), result, fused.dtype),
            Err(missing) => outcome = Err(missing),
        }
    });
    outcome?;
    Ok(emitter.finish())
}
