//! Matrix products on processors: blocks of a result in registers, factors in panels that are read from end to end.
//!
//! A panel holds [`ROWS_OF_PANEL`] rows of the left factor, or [`columns_of_panel`] columns of the right one, one step of the
//! depth after the other. A work item multiplies two panels: for every step it reads two vectors of the right one and folds each
//! value of the left one into its row. Nothing but panels is read in the loop, so strides do not matter, and no item waits for
//! another. Elements are summed in the order of the depth, as in the program with tiles.

use super::emit::{Emitter, Module, Parameter, Reg, Std, Type};
use super::space::{Space, numbers};
use super::value;
use crate::arrays::dtype::DType;
use rspirv::spirv::BuiltIn;

/// Rows of a left panel.
pub const ROWS_OF_PANEL: usize = 8;
/// Registers that hold the columns of a right panel.
const VECTORS: usize = 2;
/// Registers that hold a block of the result.
const SUMS: usize = ROWS_OF_PANEL * VECTORS;
/// Bytes of a register.
const REGISTER_BYTES: usize = 64;

/// Columns of a right panel.
pub fn columns_of_panel(dtype: DType) -> usize {
    VECTORS * REGISTER_BYTES / dtype.bytes()
}

/// Parameters: result, left panels, right panels; rows of panels, columns of panels, steps of the depth, elements from one row
/// of the result to the next, and whether the result continues what is there (not zero) instead of beginning. Of float32 and
/// float64. Launched over left panels along x and right panels along y.
pub(super) fn panels(dtype: DType, space: &Space) -> Module {
    let emitter = Emitter::new();
    write(&emitter, dtype, space);
    emitter.finish()
}

fn write<'e>(emitter: &'e Emitter, dtype: DType, space: &Space) {
    let memory = value::memory(dtype);
    let mut parameters = vec![Parameter::Pointer(memory); 3];
    parameters.extend(numbers(space, 5));
    let mut ids = emitter.begin(&parameters, &[BuiltIn::GlobalInvocationId]).into_iter();
    let [out, left, right] = [(); 3].map(|()| emitter.pointer(ids.next().expect("a declared parameter"), memory));
    let [down, across, depth, columns, goes_on] =
        [(); 5].map(|()| emitter.wrap(ids.next().expect("a declared parameter"), space.index()).convert(Type::I64));
    let global = |axis| emitter.built_in(BuiltIn::GlobalInvocationId, axis).convert(Type::I64);
    let (row, column) = (global(0), global(1));
    let width = (REGISTER_BYTES / dtype.bytes()) as u32;
    let number = |value: usize| emitter.int(Type::I64, value as i64);
    let (height, breadth) = (number(ROWS_OF_PANEL), number(columns_of_panel(dtype)));
    emitter.when(row.lt(down) & column.lt(across), || {
        let corner = row * height * columns + column * breadth;
        let place = |sum: usize| corner + number(sum / VECTORS) * columns + number(sum % VECTORS * width as usize);
        let zero = emitter.float(value::register(dtype), 0.0).repeated(width);
        let begun = emitter.choose(
            goes_on.ne(goes_on.like(0.0)),
            || std::array::from_fn::<_, SUMS, _>(|sum| out.load_wide(place(sum), width)),
            [zero; SUMS],
        );
        let (rows, vectors) = (row * depth * height, column * depth * breadth);
        let mut carried: [Reg<'e>; 1 + SUMS] = [number(0); 1 + SUMS];
        carried[1..].copy_from_slice(&begun);
        let summed = emitter.repeat(
            carried,
            |carried| carried[0].lt(depth),
            |carried| {
                let step = carried[0];
                let vectors: [Reg<'e>; VECTORS] = std::array::from_fn(|vector| {
                    right.load_wide(vectors + step * breadth + number(vector * width as usize), width)
                });
                let mut next = *carried;
                for of_row in 0..ROWS_OF_PANEL {
                    let [x, _] = left.load(rows + step * height + number(of_row));
                    for (vector, &y) in vectors.iter().enumerate() {
                        let sum = &mut next[1 + of_row * VECTORS + vector];
                        *sum = x.std3(Std::fma, y, *sum);
                    }
                }
                next[0] = step + number(1);
                next
            },
        );
        for sum in 0..SUMS {
            out.store_wide(place(sum), summed[1 + sum], false);
        }
    });
}
