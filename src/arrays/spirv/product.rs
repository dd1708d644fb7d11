//! Matrix products in tiles of work-group memory, over any strides and stacks of matrices.

use super::complex::multiply;
use super::emit::{Emitter, Module, Parameter, Pointer, Reg, Std, Type};
use super::space::{Space, Walk, numbers};
use super::value::{self, Value};
use crate::arrays::dtype::DType;
use rspirv::spirv::BuiltIn;

/// Rows and columns of a tile, and work items along each side of a group.
pub const TILE: u32 = 16;

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
/// `TILE x TILE` over columns along x, rows along y, the stack along z.
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
    let (left_tile, right_tile) = (emitter.local(memory, TILE * TILE), emitter.local(memory, TILE * TILE));
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
    let (column, row, matrix) = (global(0), global(1), global(2));
    let (x, y) = (local(0), local(1));
    let tile = x.like(f64::from(TILE));
    let own = y * tile + x;
    let coordinates = walk.coordinates(&[matrix]);
    let left_base = walk.offset(emitter, &coordinates, &left_stack) + row * left_row;
    let right_base = walk.offset(emitter, &coordinates, &right_stack) + column * right_column;
    let (row_inside, column_inside) = (row.lt(rows), column.lt(columns));
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
    let [_, re, im] = emitter.repeat(
        [x.like(0.0), zero.re, zero.im],
        |[start, ..]| start.lt(depth),
        |&[start, re, im]| {
            let along_left = start + x;
            let along_right = start + y;
            let from_left = read(row_inside & along_left.lt(depth), left, left_base + along_left * left_column);
            let from_right = read(column_inside & along_right.lt(depth), right, right_base + along_right * right_row);
            value::store(left_tile, own, from_left, dtype);
            value::store(right_tile, own, from_right, dtype);
            emitter.barrier();
            let mut sum = Value { re, im };
            for step in 0..TILE {
                let a = value::load(left_tile, y * tile + y.like(f64::from(step)), dtype);
                let b = value::load(right_tile, x + x.like(f64::from(step * TILE)), dtype);
                sum = accumulate(sum, a, b, dtype);
            }
            emitter.barrier();
            [start + tile, sum.re, sum.im]
        },
    );
    emitter.when(row_inside & column_inside, || {
        value::store(out, (matrix * rows + row) * columns + column, Value { re, im }, dtype);
    });
}
