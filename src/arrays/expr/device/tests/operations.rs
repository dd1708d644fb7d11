//! Every element-wise operation and every conversion.

use super::*;
use crate::arrays::account;
use crate::arrays::op::resolve;

/// The operand dtypes in which an operation computes without a cast.
fn dtypes_of(op: Op, dtype: DType) -> Option<Vec<DType>> {
    let mut dtypes = vec![dtype; op.arity()];
    match op {
        Op::Ldexp => dtypes[1] = DType::Int64,
        Op::Where => dtypes[0] = DType::Bool,
        _ => {}
    }
    let found = resolve(op, &dtypes, Flavour::Dpnp).ok()?;
    found.inputs.iter().zip(&dtypes).all(|(input, dtype)| input == dtype).then_some(dtypes)
}

fn operations_agree(test: &str, dtypes: &[DType]) {
    compare(test, |device, native| {
        let mut found = Vec::new();
        for &op in Op::ALL {
            for &dtype in dtypes {
                let Some(dtypes) = dtypes_of(op, dtype) else { continue };
                if dtype == DType::Float16 && !device.place.queue().is_some_and(|queue| queue.device().info().fp16) {
                    continue;
                }
                let columns = grid(&dtypes);
                let on = |alloc: &Alloc| -> Array {
                    let inputs: Vec<Array> = columns
                        .iter()
                        .zip(&dtypes)
                        .map(|(column, &dtype)| array(column, &[column.len()], dtype, alloc))
                        .collect();
                    apply(op, &inputs)
                };
                let wanted = on(native);
                for large in [false, true] {
                    let answer = as_if_large(large, || on(device));
                    let name = format!("{} of {dtype}, {}", op.name(), if large { "streamed" } else { "by elements" });
                    found.push(differences(&name, &answer, &wanted, tolerance(dtype)));
                }
            }
        }
        no_differences(found);
    });
}

#[test]
fn operations_on_integers_agree() {
    operations_agree(
        "operations::operations_on_integers_agree",
        &[DType::Bool, DType::Int8, DType::UInt16, DType::Int32, DType::Int64, DType::UInt64],
    );
}

#[test]
fn operations_on_floats_agree() {
    operations_agree("operations::operations_on_floats_agree", &[DType::Float16, DType::Float32, DType::Float64]);
}

#[test]
fn operations_on_complex_numbers_agree() {
    operations_agree("operations::operations_on_complex_numbers_agree", &[DType::Complex64, DType::Complex128]);
}

#[test]
fn conversions_and_mixed_comparisons_agree() {
    compare("operations::conversions_and_mixed_comparisons_agree", |device, native| {
        let mut found = Vec::new();
        for from in DType::ALL {
            let column = values(from);
            let on = |alloc: &Alloc| array(&column, &[column.len()], from, alloc);
            let (here, there) = (on(device), on(native));
            for to in DType::ALL {
                let cast = |array: &Array| Expr::array(array).cast(to).evaluate().expect("casts");
                let wanted = cast(&there);
                for large in [false, true] {
                    let answer = as_if_large(large, || cast(&here));
                    found.push(differences(&format!("{from} to {to}, large: {large}"), &answer, &wanted, 0.0));
                }
            }
        }
        for op in [Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual] {
            for dtypes in [[DType::Int64, DType::UInt64], [DType::UInt64, DType::Int64], [DType::Int8, DType::UInt64]] {
                let columns = grid(&dtypes);
                let on = |alloc: &Alloc| {
                    let side = |index: usize| array(&columns[index], &[columns[index].len()], dtypes[index], alloc);
                    apply(op, &[side(0), side(1)])
                };
                found.push(differences(&format!("{} of {dtypes:?}", op.name()), &on(device), &on(native), 0.0));
            }
        }
        no_differences(found);
    });
}

#[test]
fn what_has_no_program_runs_on_the_host_and_says_so() {
    compare("operations::what_has_no_program_runs_on_the_host_and_says_so", |device, native| {
        let on = |alloc: &Alloc| apply(Op::Erfinv, &[counting(&[50], DType::Float64, alloc)]);
        account::begin_cell(1);
        let answer = on(device);
        let account = account::end_cell();
        assert_eq!(account.host_fallbacks.len(), 1, "{account:?}");
        assert_eq!((account.host_fallbacks[0].op, account.host_fallbacks[0].bytes), ("erfinv", 400));
        account::begin_cell(2);
        let sine = apply(Op::Sin, &[counting(&[50], DType::Float64, device)]);
        assert!(account::end_cell().host_fallbacks.is_empty());
        no_differences(vec![
            differences("erfinv", &answer, &on(native), 1e-13),
            differences("sin", &sine, &apply(Op::Sin, &[counting(&[50], DType::Float64, native)]), 1e-13),
        ]);
    });
}
