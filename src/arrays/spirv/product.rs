//! Matrix products in tiles of work-group memory, over any strides and stacks of matrices.

use super::complex::multiply;
use super::emit::{Emitter, Module, Parameter, Pointer, Reg, Std, Type};
use super::space::{Space, Walk, numbers};
use super::value::{self, Value};
use crate::arrays::dtype::DType;
use rspirv::spirv::BuiltIn;

/// Columns and depth of a tile, and work items along each side of a group.
pub const TILE: u32 = 16;
/// Rows of a result that one work item computes, a tile's height apart: each element of the right tile that it reads
/// serves them all.
pub const ROWS_OF_ITEM: u32 = 4;

/// One product and one sum; floats keep the product's bits until the sum, as the native engine's loops do.
fn accumulate<'e>(sum: Value<'e>, x: Value<'e>, y: Value<'e>, dtype: DType) -> Value<'e> {
    if dtype.is_complex() {
        let product = multiply(x, y);
        return Value::complex(sum.re + product.re, sum.im + product.im);
    }
    if dtype.is_bool() {
        return Value::real(sum.re | (x.re & y.re));
    }
    if x.re.ty.is_float() {
        return Value::real(x.re.std3(Std::fma, y.re, sum.re));
    }
    Value::real(sum.re + x.re * y.re)
}

/// Parameters: result (contiguous), left, right; the space of the stack (one group); rows, depth, columns; the strides of
/// left (row, column) and right (row, column); the stack's strides of left and of right. Launched in groups of
/// `TILE x TILE` over columns along x, [`ROWS_OF_ITEM`] rows an item along y, the stack along z.
pub(super) fn product(dtype: DType, space: &Space) -> Module {
    let emitter = Emitter::new();
    write(&emitter, dtype, space);
    emitter.finish()
}

fn write<'e>(emitter: &'e Emitter, dtype: DType, space: &Space) {
    let memory = value::memory(dtype);
    let index = space.index();
    let mut parameters = vec![Parameter::Pointer(memory); 3];
    let rank = space.rank();
    parameters.extend(numbers(space, space.shape_parameters() + 3 + 4 + 2 * rank));
    emitter.set_local_size([TILE, TILE, 1]);
    let left_tile = emitter.local(memory, TILE * TILE * ROWS_OF_ITEM);
    let right_tile = emitter.local(memory, TILE * TILE);
    let built_ins = [BuiltIn::GlobalInvocationId, BuiltIn::LocalInvocationId];
    let mut ids = emitter.begin(&parameters, &built_ins).into_iter();
    let [out, left, right] = [(); 3].map(|()| emitter.pointer(ids.next().expect("a declared parameter"), memory));
    let walk = Walk::new(emitter, space, &mut ids);
    let [rows, depth, columns, left_row, left_column, right_row, right_column] =
        [(); 7].map(|()| emitter.wrap(ids.next().expect("a declared parameter"), index));
    let any = super::space::Lane::Any;
    let (left_stack, right_stack) = (walk.strides(emitter, any, &mut ids), walk.strides(emitter, any, &mut ids));
    let global = |axis| emitter.built_in(BuiltIn::GlobalInvocationId, axis).convert(index);
    let local = |axis| emitter.built_in(BuiltIn::LocalInvocationId, axis).convert(index);
    let (column, matrix) = (global(0), global(2));
    let (x, y) = (local(0), local(1));
    let tile = x.like(f64::from(TILE));
    // The group's first row, then the item's own among them.
    let first = (global(1) - y) * x.like(f64::from(ROWS_OF_ITEM)) + y;
    let row_of = |which: usize| first + x.like(f64::from(which as u32 * TILE));
    let own = |which: usize| (y + y.like(f64::from(which as u32 * TILE))) * tile + x;
    let coordinates = walk.coordinates(&[matrix]);
    let left_base = walk.offset(emitter, &coordinates, &left_stack).convert(index);
    let right_base = walk.offset(emitter, &coordinates, &right_stack).convert(index) + column * right_column;
    let column_inside = column.lt(columns);
    let zero = Value::real(match value::register(dtype) {
        Type::Bool => emitter.truth(false),
        ty => emitter.int(ty, 0),
    });
    let read = |inside: Reg<'e>, from: Pointer<'e>, at: Reg<'e>| {
        let [re, im] = emitter.choose(
            inside,
            || {
                let value = value::load(from, at, dtype);
                [value.re, value.im]
            },
            [zero.re, zero.im],
        );
        Value { re, im }
    };
    const ITEM: usize = ROWS_OF_ITEM as usize;
    let mut carried = [x.like(0.0); 1 + 2 * ITEM];
    carried[1..].chunks_exact_mut(2).for_each(|parts| parts.copy_from_slice(&[zero.re, zero.im]));
    let sums = emitter.repeat(
        carried,
        |carried| carried[0].lt(depth),
        |carried| {
            let start = carried[0];
            let (along_left, along_right) = (start + x, start + y);
            for which in 0..ITEM {
                let row = row_of(which);
                let inside = row.lt(rows) & along_left.lt(depth);
                let element = read(inside, left, left_base + row * left_row + along_left * left_column);
                value::store(left_tile, own(which), element, dtype);
            }
            let element = read(column_inside & along_right.lt(depth), right, right_base + along_right * right_row);
            value::store(right_tile, own(0), element, dtype);
            emitter.barrier();
            let mut next = *carried;
            for step in 0..TILE {
                let right = value::load(right_tile, x + x.like(f64::from(step * TILE)), dtype);
                for which in 0..ITEM {
                    let along = own(which) - x + x.like(f64::from(step));
                    let left = value::load(left_tile, along, dtype);
                    let sum = Value { re: next[1 + 2 * which], im: next[2 + 2 * which] };
                    let sum = accumulate(sum, left, right, dtype);
                    (next[1 + 2 * which], next[2 + 2 * which]) = (sum.re, sum.im);
                }
            }
            emitter.barrier();
            next[0] = start + tile;
            next
        },
    );
    for which in 0..ITEM {
        let row = row_of(which);
        let sum = Value { re: sums[1 + 2 * which], im: sums[2 + 2 * which] };
        emitter.when(row.lt(rows) & column_inside, || {
            value::store(out, (matrix * rows + row) * columns + column, sum, dtype);
        });
    }
}
