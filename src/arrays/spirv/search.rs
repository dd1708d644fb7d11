//! Places in a sorted line: one work item halves the line until one place is left, for each value.

use super::emit::{Emitter, Module, Parameter, Type};
use super::sort::precedes;
use super::space::{Space, numbers};
use super::value;
use crate::arrays::dtype::DType;
use rspirv::spirv::BuiltIn;

/// Where values have to be inserted so that a line stays sorted, NaN last: before equal elements, or after them for `right`.
///
/// Parameters: places (int64), the line and the values (both contiguous), how many elements the line has and how many values
/// there are. Launched over values along x.
pub(super) fn search(dtype: DType, right: bool, wide: bool) -> Module {
    let emitter = Emitter::new();
    let memory = value::memory(dtype);
    let space = Space { groups: [1u8].into_iter().collect(), wide };
    let mut parameters = vec![Parameter::Pointer(value::memory(DType::Int64))];
    parameters.extend([Parameter::Pointer(memory); 2]);
    parameters.extend(numbers(&space, 2));
    let mut ids = emitter.begin(&parameters, &[BuiltIn::GlobalInvocationId]).into_iter();
    let mut next = || ids.next().expect("a declared parameter");
    let places = emitter.pointer(next(), value::memory(DType::Int64));
    let [line, values] = [(); 2].map(|()| emitter.pointer(next(), memory));
    let [len, count] = [(); 2].map(|()| emitter.wrap(next(), space.index()).convert(Type::I64));
    let item = emitter.built_in(BuiltIn::GlobalInvocationId, 0).convert(Type::I64);
    let (zero, one) = (item.like(0.0), item.like(1.0));
    emitter.when(item.lt(count), || {
        let wanted = value::load(values, item, dtype);
        let [first, _] = emitter.repeat(
            [zero, len],
            |&[first, end]| first.lt(end),
            |&[first, end]| {
                let middle = first + (end - first).shift_right(one);
                let element = value::load(line, middle, dtype);
                let lies_after = if right {
                    !precedes(wanted, element, dtype, false)
                } else {
                    precedes(element, wanted, dtype, false)
                };
                [lies_after.select(middle + one, first), lies_after.select(end, middle)]
            },
        );
        places.store(item, [first; 2]);
    });
    emitter.finish()
}
