//! `matmul` and running sums over arrays: shapes, dtypes and errors; the loops are in `cpu`.

use super::Expr;
use super::build::common_alloc;
use super::device::{self, Outcome};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::attention;
use crate::arrays::cpu::matmul::{self, Batch, Matrix, Offsets};
use crate::arrays::cpu::scan::{self, Lines, Scan};
use crate::arrays::dtype::DType;
use crate::arrays::error::{ArrayError, shape_text, shape_text_dense};
use crate::arrays::layout::{Dims, Layout, broadcast_shapes, normalize_axis};
use crate::arrays::op::Flavour;
use smallvec::SmallVec;

/// The shapes of a product, once vectors are seen as matrices.
struct Shapes {
    batch: Dims,
    rows: usize,
    depth: usize,
    columns: usize,
    left_vector: bool,
    right_vector: bool,
}

fn shapes(left: &[usize], right: &[usize], flavour: Flavour) -> Result<Shapes, ArrayError> {
    const SIGNATURE: &str = "(n?,k),(k,m?)->(n?,m?)";
    for (index, shape) in [left, right].iter().enumerate() {
        if shape.is_empty() {
            return Err(ArrayError::value(match flavour {
                Flavour::NumPy => format!(
                    "matmul: Input operand {index} does not have enough dimensions (has 0, gufunc core with signature \
                     {SIGNATURE} requires 1)"
                ),
                Flavour::Dpnp => format!(
                    "The {} input array does not have enough dimensions (has 0, but requires at least 1)",
                    ["first", "second"][index]
                ),
            }));
        }
    }
    let (left_vector, right_vector) = (left.len() == 1, right.len() == 1);
    let depth = left[left.len() - 1];
    let found = if right_vector { right[0] } else { right[right.len() - 2] };
    if depth != found {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => format!(
                "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {SIGNATURE} (size \
                 {found} is different from {depth})"
            ),
            Flavour::Dpnp => format!(
                "matmul: Input arrays have a mismatch in their core dimensions. The core dimensions should follow this \
                 signature: {SIGNATURE} (size {depth} is different from {found})"
            ),
        }));
    }
    let (left_batch, right_batch) = (&left[..left.len().saturating_sub(2)], &right[..right.len().saturating_sub(2)]);
    let batch = broadcast_shapes(&[left_batch, right_batch]).map_err(|_| match flavour {
        Flavour::NumPy => {
            let remapped = |batch: &[usize]| {
                let parts: Vec<String> =
                    batch.iter().map(usize::to_string).chain(["newaxis".into(), "newaxis".into()]).collect();
                format!("({})", parts.join(","))
            };
            let requested = [if left_vector { None } else { Some(left[left.len() - 2]) }, right.last().copied()];
            let requested: Vec<usize> = requested.into_iter().flatten().collect();
            ArrayError::value(format!(
                "operands could not be broadcast together with remapped shapes [original->remapped]: {}->{} {}->{}  and \
                 requested shape {}",
                shape_text_dense(left),
                remapped(left_batch),
                shape_text_dense(right),
                remapped(right_batch),
                shape_text_dense(&requested)
            ))
        }
        Flavour::Dpnp => ArrayError::value(format!(
            "matmul: The shapes of the input arrays are incompatible. The first input array has shape {} and the second \
             input array has shape {}.",
            shape_text(left),
            shape_text(right)
        )),
    })?;
    Ok(Shapes {
        batch,
        rows: if left_vector { 1 } else { left[left.len() - 2] },
        depth,
        columns: if right_vector { 1 } else { right[right.len() - 1] },
        left_vector,
        right_vector,
    })
}

/// The shape and dtype that [`matmul()`] answers.
pub fn matmul_result(left: &Array, right: &Array, flavour: Flavour) -> Result<(Dims, DType), ArrayError> {
    let shapes = shapes(left.shape(), right.shape(), flavour)?;
    let mut shape = shapes.batch;
    if !shapes.left_vector {
        shape.push(shapes.rows);
    }
    if !shapes.right_vector {
        shape.push(shapes.columns);
    }
    Ok((shape, left.dtype().promote(right.dtype())))
}

/// The matrix product, in the dtype both operands promote to (or the one asked for).
pub fn matmul(left: &Array, right: &Array, dtype: Option<DType>, flavour: Flavour) -> Result<Array, ArrayError> {
    let (shape, promoted) = matmul_result(left, right, flavour)?;
    let alloc = common_alloc(&[Expr::array(left), Expr::array(right)])?.unwrap_or(left.alloc());
    let dtype = dtype.unwrap_or(promoted);
    // float16 multiplies in float32 and rounds once.
    let compute = if dtype == DType::Float16 { DType::Float32 } else { dtype };
    let (left, right) = (Expr::array(left).cast(compute).evaluate()?, Expr::array(right).cast(compute).evaluate()?);
    let out = Array::for_overwrite(&shape, compute, &alloc)?;
    multiply(&left, &right, &out, flavour)?;
    Expr::array(&out).cast(dtype).evaluate()
}

/// The steps over the batch axes, zero where an operand is repeated.
fn batch_strides(layout: &Layout, batch: &[usize], core: usize) -> SmallVec<[isize; 6]> {
    let own = layout.shape.len().saturating_sub(core);
    let lead = batch.len() - own;
    (0..batch.len())
        .map(|axis| if axis < lead || layout.shape[axis - lead] == 1 { 0 } else { layout.strides[axis - lead] })
        .collect()
}

fn multiply(left: &Array, right: &Array, out: &Array, flavour: Flavour) -> Result<(), ArrayError> {
    let shapes = shapes(left.shape(), right.shape(), flavour)?;
    if out.len_elements() == 0 {
        return Ok(());
    }
    let zero = crate::arrays::scalar::Scalar::Int(0);
    if shapes.depth == 0 {
        return Expr::constant(zero.cast(out.dtype()), out.dtype()).evaluate_into(out, None);
    }
    if device::runs_programs(out.place()) {
        match multiply_on_device(left, right, out, &shapes)? {
            Outcome::Submitted => return Ok(()),
            Outcome::OnHost(operation) => {
                device::note_on_host(operation, out);
                if ![left, right, out].iter().all(|array| device::is_reachable(array)) {
                    let (left, right) = (left.copy_to(&Alloc::HOST)?, right.copy_to(&Alloc::HOST)?);
                    let product = Array::for_overwrite(out.shape(), out.dtype(), &Alloc::HOST)?;
                    multiply(&left, &right, &product, flavour)?;
                    return Expr::array(&product.copy_to(&out.alloc())?).evaluate_into(out, None);
                }
            }
        }
    }
    let width = out.dtype().bytes();
    let matrix = |array: &Array, vector_is_row: Option<bool>| -> Result<Matrix, ArrayError> {
        let strides = &array.layout().strides;
        let base = array.buffer().pointer()?.as_ptr().wrapping_add(array.layout().offset * width);
        let last = strides[strides.len() - 1];
        let (row, column) = match vector_is_row {
            Some(true) => (0, last),
            Some(false) => (last, 0),
            None => (strides[strides.len() - 2], last),
        };
        Ok(Matrix { base, row, column })
    };
    let (lc, rc) = (if shapes.left_vector { 1 } else { 2 }, if shapes.right_vector { 1 } else { 2 });
    let left_matrix = matrix(left, shapes.left_vector.then_some(true))?;
    let right_matrix = matrix(right, shapes.right_vector.then_some(false))?;
    let columns = shapes.columns as isize;
    let out_matrix = Matrix {
        base: out.buffer().pointer()?.as_ptr().wrapping_add(out.layout().offset * width),
        row: columns,
        column: 1,
    };
    let (ls, rs) = (batch_strides(left.layout(), &shapes.batch, lc), batch_strides(right.layout(), &shapes.batch, rc));
    let count: usize = shapes.batch.iter().product();
    let mut offsets = Vec::with_capacity(count);
    let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, shapes.batch.len());
    for product in 0..count {
        let along = |strides: &[isize]| index.iter().zip(strides).map(|(&i, &s)| i as isize * s).sum::<isize>();
        offsets.push(Offsets {
            left: along(&ls),
            right: along(&rs),
            out: (product * shapes.rows * shapes.columns) as isize,
        });
        for axis in (0..index.len()).rev() {
            index[axis] += 1;
            if index[axis] < shapes.batch[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
    let batch = Batch {
        dtype: out.dtype(),
        rows: shapes.rows,
        depth: shapes.depth,
        columns: shapes.columns,
        left: left_matrix,
        right: right_matrix,
        out: out_matrix,
        offsets,
    };
    let attention = attention::handle();
    let held = [left.buffer().clone(), right.buffer().clone(), out.buffer().clone()];
    out.submit("matmul", &[left, right], &[out], move || {
        // SAFETY: addresses and steps come from layouts that fit their buffers, which `held` keeps; the result is new.
        let outcome = unsafe { matmul::run(&batch, &attention) };
        drop(held);
        outcome
    })
    .map(drop)
}

fn multiply_on_device(left: &Array, right: &Array, out: &Array, shapes: &Shapes) -> Result<Outcome, ArrayError> {
    let core = |vector: bool| if vector { 1 } else { 2 };
    let left_stack = batch_strides(left.layout(), &shapes.batch, core(shapes.left_vector));
    let right_stack = batch_strides(right.layout(), &shapes.batch, core(shapes.right_vector));
    let last = |array: &Array| array.layout().strides.last().copied().unwrap_or(0);
    let row = |array: &Array| array.layout().strides.iter().rev().nth(1).copied().unwrap_or(0);
    let left_row = if shapes.left_vector { 0 } else { row(left) };
    let (right_row, right_column) = if shapes.right_vector { (last(right), 0) } else { (row(right), last(right)) };
    device::multiply(
        &device::Factor { array: left, row: left_row, column: last(left), stack: &left_stack },
        &device::Factor { array: right, row: right_row, column: right_column, stack: &right_stack },
        &shapes.batch,
        [shapes.rows, shapes.depth, shapes.columns],
        out,
    )
}

/// A running operation along an axis (over all elements in C order for `None`), as `cumsum` and its kin. `dtype` is the
/// argument of that name; without it small integers widen as sums do.
pub fn cumulate(kind: Scan, input: &Expr, axis: Option<i64>, dtype: Option<DType>) -> Result<Array, ArrayError> {
    let rank = input.rank();
    let flat = [input.len_elements()];
    let (shape, axis): (&[usize], usize) = match axis {
        None => (&flat, 0),
        Some(axis) if rank == 0 => {
            normalize_axis(axis, 1)?;
            (&flat, 0)
        }
        Some(axis) => (input.shape(), normalize_axis(axis, rank)?),
    };
    let natural = match (kind, input.dtype()) {
        (Scan::Sum | Scan::Product, DType::Bool) => DType::Int64,
        (Scan::Sum | Scan::Product, dtype) if dtype.is_signed() => DType::Int64,
        (Scan::Sum | Scan::Product, dtype) if dtype.is_unsigned() => DType::UInt64,
        (Scan::Logsumexp, dtype) if !dtype.is_inexact() => {
            DType::default_float(input.place().is_none_or(crate::arrays::device::Place::fp64))
        }
        (_, dtype) => dtype,
    };
    let dtype = dtype.unwrap_or(natural);
    let alloc = input.0.alloc.clone().unwrap_or(crate::arrays::Alloc::HOST);
    let out = Array::for_overwrite(input.shape(), dtype, &alloc)?;
    input.cast(dtype).evaluate_into(&out, None)?;
    let out = out.view(Layout::contiguous(shape));
    if out.len_elements() == 0 {
        return Ok(out);
    }
    let lines =
        Lines { outer: shape[..axis].iter().product(), len: shape[axis], inner: shape[axis + 1..].iter().product() };
    if device::runs_programs(out.place()) {
        match device::cumulate(kind, &out, lines)? {
            Outcome::Submitted => return Ok(out),
            Outcome::OnHost(operation) => {
                device::note_on_host(operation, &out);
                if !device::is_reachable(&out) {
                    let along = Expr::array(&out);
                    return device::from_host(&along, &out, |along| {
                        cumulate(kind, along, Some(axis as i64), Some(dtype))
                    });
                }
            }
        }
    }
    struct Address(*mut u8);
    // SAFETY: the work that takes it holds the buffer behind it.
    unsafe impl Send for Address {}
    impl Address {
        fn get(&self) -> *mut u8 {
            self.0
        }
    }
    let address = Address(out.buffer().pointer()?.as_ptr());
    let attention = attention::handle();
    let held = out.buffer().clone();
    out.submit("cumulate", &[], &[&out], move || {
        // SAFETY: a new contiguous array of this dtype, kept by `held`.
        let outcome = unsafe { scan::run(kind, dtype, address.get(), lines, &attention) };
        drop(held);
        outcome
    })?;
    Ok(out)
}
