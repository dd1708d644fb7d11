//! The element-wise programs: one work item for each element of the result, or for several that lie side by side.

use super::emit::{Emitter, Module, Parameter, Type};
use super::fused::{Body, Fused, NotLowered, body_parameters};
use super::space::{Lane, Space};
use super::value;
use rspirv::spirv::BuiltIn;

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

/// Elements that one work item of [`stream`] computes: a cache line of the widest, as wide as the widest registers.
pub const SIDE_BY_SIDE: u32 = 8;

/// Results that are read long after, if at all, along one axis: written around the caches, [`SIDE_BY_SIDE`] elements at once.
/// Only of what [`Fused::is_straight`]. The result's address is a multiple of so many elements' bytes, and their number is a
/// multiple of it. Parameters as for [`map`]; launched over the groups of elements along x.
pub(super) fn stream(fused: &Fused, space: &Space, fp64: bool) -> Result<Module, NotLowered> {
    let emitter = Emitter::new();
    let mut parameters = vec![Parameter::Pointer(value::memory(fused.dtype))];
    parameters.extend(body_parameters(fused, space));
    let mut ids = emitter.begin(&parameters, &[BuiltIn::GlobalInvocationId]).into_iter();
    let out = emitter.pointer(ids.next().expect("the result comes first"), value::memory(fused.dtype));
    let body = Body::new(&emitter, fused, space, fp64, &mut ids);
    let item = emitter.built_in(BuiltIn::GlobalInvocationId, 0).convert(Type::I64);
    let first = item * item.like(f64::from(SIDE_BY_SIDE));
    let mut outcome = Ok(());
    emitter.when(first.lt(body.walk.counts[0].convert(Type::I64)), || {
        match body.side_by_side(&[first], SIDE_BY_SIDE) {
            Ok(result) => value::store_wide(out, first, result, fused.dtype, SIDE_BY_SIDE, true),
            Err(missing) => outcome = Err(missing),
        }
    });
    outcome?;
    Ok(emitter.finish())
}
