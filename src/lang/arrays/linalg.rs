//! `linalg`: norms, decompositions, solutions.

use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::ReduceOp;
use crate::arrays::functions::linalg::{self, NormOrder, QrMode};
use crate::arrays::functions::products;
use crate::arrays::op::Flavour;
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::{expression_of, scalar_value};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::library;
use crate::lang::arrays::pending::with_relief;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ArrayFlavour, ModuleObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds the `linalg` submodule of a library.
pub fn bind(parent: &Ref<ModuleObject>, flavour: ArrayFlavour) -> Ref<ModuleObject> {
    let module = library::submodule(parent, "linalg", FUNCTIONS, flavour);
    library::bind_functions(&module, super::products::FUNCTIONS, flavour);
    let error = super::error::array_exception(super::error::ArrayException::LinAlg);
    module.set(crate::lang::name::Name::new("LinAlgError"), Value::Class(error));
    module
}

const FUNCTIONS: &[Method] = &[
    method("norm", "(x, /, ord=None, axis=None, keepdims=False)", "Norm of a vector or a matrix.", |vm, args| {
        let call = Call::of(args);
        let order = norm_order(vm, &args.get(vm, 1))?;
        let (axes, keepdims) = (call.axes(vm, 2)?, call.truth_or(vm, 3, false)?);
        if let (Value::Array(pending), None, None) = (args.get(vm, 0), &order, &axes)
            && pending.is_pending()
            && pending.dtype().is_inexact()
        {
            // The norm of an expression needs no memory for its elements.
            let norm = expression_of(&pending).reduce(ReduceOp::Norm, None, keepdims, None, call.rules());
            let norm = norm.map_err(raised)?;
            let result = with_relief(vm, |_| norm.evaluate())?;
            return call.give_result(result);
        }
        let array = call.array(vm, 0)?;
        let result = call.run(vm, || linalg::norm(&array, order.as_ref(), axes.as_deref(), keepdims, call.rules()))?;
        call.give_result(result)
    })
    .taking_pending(),
    method("vector_norm", "(x, /, *, axis=None, keepdims=False, ord=2)", "Norm of vectors.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let (axes, keepdims) = (call.axes(vm, 1)?, call.truth_or(vm, 2, false)?);
        let order = norm_order(vm, &args.get(vm, 3))?.unwrap_or(NormOrder::Number(2.0));
        let array = if axes.is_none() {
            crate::arrays::functions::shapes::ravel(&array, crate::arrays::functions::support::MemoryOrder::C)
                .map_err(raised)?
        } else {
            array
        };
        let result = call.run(vm, || linalg::norm(&array, Some(&order), axes.as_deref(), keepdims, call.rules()))?;
        call.give_result(result)
    }),
    method("det", "(a)", "Determinant.", |vm, args| scalar_of_matrix(vm, args, linalg::det)),
    method("slogdet", "(a)", "Sign and logarithm of the determinant.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let (sign, logarithm) = call.run(vm, || linalg::slogdet(&array, call.rules()))?;
        Ok(Value::tuple(vec![call.give_result(sign)?, call.give_result(logarithm)?]))
    }),
    method("inv", "(a)", "Inverse.", |vm, args| of_matrix(vm, args, linalg::inv)),
    method("solve", "(a, b)", "Solution of a linear system.", |vm, args| {
        let call = Call::of(args);
        let a = call.array(vm, 0)?;
        let b = call.array_like(vm, 1, &a)?;
        same_place(&a, &b)?;
        call.array_from(vm, || linalg::solve(&a, &b, call.rules()))
    }),
    method("cholesky", "(a, /, *, upper=False)", "Cholesky factor.", |vm, args| {
        let call = Call::of(args);
        let (array, upper) = (call.array(vm, 0)?, call.truth_or(vm, 1, false)?);
        call.array_from(vm, || linalg::cholesky(&array, upper, call.rules()))
    }),
    method("qr", "(a, mode='reduced')", "QR factorisation.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let mode = match call.text_or(vm, 1, "reduced")?.as_str() {
            "reduced" => QrMode::Reduced,
            "complete" => QrMode::Complete,
            "r" => QrMode::R,
            other => {
                return Err(raise::value_error(format!(
                    "Unrecognized mode {other}, expected one of ['r', 'raw', 'complete', 'reduced']"
                )));
            }
        };
        let (q, r) = call.run(vm, || linalg::qr(&array, mode, call.rules()))?;
        Ok(match q {
            Some(q) => call.give_tuple(vec![q, r]),
            None => call.give(r),
        })
    }),
    method(
        "svd",
        "(a, full_matrices=True, compute_uv=True, hermitian=False)",
        "Singular value decomposition.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let (full, vectors) = (call.truth_or(vm, 1, true)?, call.truth_or(vm, 2, true)?);
            if !vectors {
                return call.array_from(vm, || linalg::svdvals(&array, call.rules()));
            }
            let svd = call.run(vm, || linalg::svd(&array, full, call.rules()))?;
            Ok(call.give_tuple(vec![svd.u, svd.values, svd.vh]))
        },
    ),
    method("svdvals", "(x, /)", "Singular values.", |vm, args| of_matrix(vm, args, linalg::svdvals)),
    method("eigh", "(a, UPLO='L')", "Eigenvalues and eigenvectors of a Hermitian matrix.", |vm, args| {
        let call = Call::of(args);
        let (array, upper) = (call.array(vm, 0)?, is_upper(vm, call)?);
        let (values, vectors) = call.run(vm, || linalg::eigh(&array, upper, call.rules()))?;
        Ok(call.give_tuple(vec![values, vectors]))
    }),
    method("eigvalsh", "(a, UPLO='L')", "Eigenvalues of a Hermitian matrix.", |vm, args| {
        let call = Call::of(args);
        let (array, upper) = (call.array(vm, 0)?, is_upper(vm, call)?);
        call.array_from(vm, || linalg::eigvalsh(&array, upper, call.rules()))
    }),
    method("eig", "(a)", "Eigenvalues and eigenvectors.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let (values, vectors) = call.run(vm, || linalg::eig(&array, call.rules()))?;
        Ok(call.give_tuple(vec![values, vectors]))
    }),
    method("eigvals", "(a)", "Eigenvalues.", |vm, args| of_matrix(vm, args, linalg::eigvals)),
    method("pinv", "(a, rcond=None, hermitian=False)", "Pseudo-inverse.", |vm, args| {
        let call = Call::of(args);
        let (array, rcond) = (call.array(vm, 0)?, optional_float(vm, call, 1)?);
        call.array_from(vm, || linalg::pinv(&array, rcond, call.rules()))
    }),
    method("lstsq", "(a, b, rcond=None)", "Least-squares solution, residuals, rank, singular values.", |vm, args| {
        let call = Call::of(args);
        let a = call.array(vm, 0)?;
        let b = call.array_like(vm, 1, &a)?;
        let rcond = optional_float(vm, call, 2)?;
        let found = call.run(vm, || linalg::lstsq(&a, &b, rcond, call.rules()))?;
        Ok(Value::tuple(vec![
            call.give(found.solution),
            call.give(found.residuals),
            match call.flavour {
                ArrayFlavour::NumPy => scalar_value(Operand::Typed(Scalar::Int(found.rank as i128), DType::Int32)),
                ArrayFlavour::Dpnp | ArrayFlavour::Tensor => Value::from(found.rank),
            },
            call.give(found.singular_values),
        ]))
    }),
    method("matrix_power", "(a, n)", "A matrix to a whole power.", |vm, args| {
        let call = Call::of(args);
        let (array, power) = (call.array(vm, 0)?, call.int_or(vm, 1, 1)?);
        call.array_from(vm, || linalg::matrix_power(&array, power, call.rules()))
    }),
    method("matrix_rank", "(A, tol=None, hermitian=False)", "Rank by singular values.", |vm, args| {
        let call = Call::of(args);
        let (array, tolerance) = (call.array(vm, 0)?, optional_float(vm, call, 1)?);
        let result = call.run(vm, || linalg::matrix_rank(&array, tolerance, call.rules()))?;
        call.give_result(result)
    }),
    method("cond", "(x, p=None)", "Condition number.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let order = norm_order(vm, &args.get(vm, 1))?;
        let result = call.run(vm, || linalg::cond(&array, order.as_ref(), call.rules()))?;
        call.give_result(result)
    }),
    method("multi_dot", "(arrays, *, out=None)", "A chain of matrix products in the cheapest order.", |vm, args| {
        let call = Call::of(args);
        let arrays = call.arrays(vm, 0)?;
        let refs: Vec<&Array> = arrays.iter().collect();
        let result = call.run(vm, || products::multi_dot(&refs, call.rules()))?;
        call.give_into(vm, result, 1)
    }),
    method("tensorinv", "(a, ind=2)", "Inverse of a tensor.", |vm, args| {
        let call = Call::of(args);
        let (array, ind) = (call.array(vm, 0)?, call.int_or(vm, 1, 2)?);
        call.array_from(vm, || linalg::tensorinv(&array, ind, call.rules()))
    }),
    method("tensorsolve", "(a, b, axes=None)", "Solution of a tensor equation.", |vm, args| {
        let call = Call::of(args);
        if args.not_none(vm, 2).is_some() {
            return Err(raise::not_implemented_error("tensorsolve(axes=...) is not supported"));
        }
        let a = call.array(vm, 0)?;
        let b = call.array_like(vm, 1, &a)?;
        call.array_from(vm, || linalg::tensorsolve(&a, &b, call.rules()))
    }),
];

type OfMatrix = fn(&Array, Flavour) -> Result<Array, ArrayError>;

fn of_matrix(vm: &mut Vm, args: Args, work: OfMatrix) -> Fallible<Value> {
    let call = Call::of(args);
    let array = call.array(vm, 0)?;
    call.array_from(vm, || work(&array, call.rules()))
}

fn scalar_of_matrix(vm: &mut Vm, args: Args, work: OfMatrix) -> Fallible<Value> {
    let call = Call::of(args);
    let array = call.array(vm, 0)?;
    let result = call.run(vm, || work(&array, call.rules()))?;
    call.give_result(result)
}

fn same_place(a: &Array, b: &Array) -> Fallible<()> {
    if a.place() == b.place() {
        return Ok(());
    }
    Err(raised(ArrayError::Placement { message: "Input arrays must be allocated on the same SYCL queue".into() }))
}

fn is_upper(vm: &mut Vm, call: Call) -> Fallible<bool> {
    match call.text_or(vm, 1, "L")?.as_str() {
        "L" | "l" => Ok(false),
        "U" | "u" => Ok(true),
        _ => Err(raise::value_error("UPLO argument must be 'L' or 'U'")),
    }
}

fn optional_float(vm: &mut Vm, call: Call, index: usize) -> Fallible<Option<f64>> {
    match call.args.not_none(vm, index) {
        Some(value) => vm.float(&value).map(Some),
        None => Ok(None),
    }
}

fn norm_order(vm: &mut Vm, value: &Value) -> Fallible<Option<NormOrder>> {
    Ok(match value {
        Value::Unset | Value::None => None,
        Value::Str(text) => Some(match text.as_str() {
            "fro" => NormOrder::Frobenius,
            "nuc" => NormOrder::Nuclear,
            other => NormOrder::Unknown(other.to_owned()),
        }),
        other => Some(NormOrder::Number(vm.float(other)?)),
    })
}
