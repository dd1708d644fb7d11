//! Results that go around the caches: wherever they begin, however many elements they have, whatever they are made of.

use super::*;

/// `a * b + c` with a mask and a scalar on the way: of a full array, one that begins anywhere, and one element for all.
fn expression(a: &Array, b: &Array, c: &Array) -> Expr {
    let apply = |op, inputs: &[Expr]| Expr::apply(op, inputs, Flavour::Dpnp).expect("fits");
    let (a, b, c) = (Expr::array(a), Expr::array(b), Expr::array(c));
    let mask = apply(Op::Greater, &[a.clone(), Expr::scalar(Operand::Weak(Scalar::Int(1)))]);
    let sum = apply(Op::Add, &[apply(Op::Multiply, &[a.clone(), b]), c]);
    apply(Op::Where, &[mask, sum, a])
}

#[test]
fn starts_lengths_and_dtypes_agree() {
    compare("streams::starts_lengths_and_dtypes_agree", |device, native| {
        let mut found = Vec::new();
        for dtype in [DType::Float64, DType::Float32, DType::Int64, DType::UInt32, DType::Int16, DType::Complex64] {
            for len in [1usize, 7, 8, 9, 63, 64, 65, 1000, 4099] {
                for first in [0i64, 1, 3, 8] {
                    // The result lies inside a larger array, whose other elements stay.
                    let on = |alloc: &Alloc, large: bool| {
                        let all = |shape: usize| counting(&[shape], dtype, alloc);
                        let cut = |array: &Array, first: i64| {
                            array.index(&[slice(Some(first), Some(first + len as i64), 1)]).expect("inside")
                        };
                        let whole = all(len + 20);
                        let (a, b, c) = (cut(&all(len + 20), first), cut(&all(len + 5), 2), all(1));
                        let value = expression(&a, &b, &c);
                        as_if_large(large, || value.evaluate_into(&cut(&whole, first), None)).expect("computes");
                        whole
                    };
                    let name = format!("{len} of {dtype} from {first} on");
                    let (wanted, small, large) = (on(native, false), on(device, false), on(device, true));
                    found.push(differences(&name, &large, &wanted, 1e-6));
                    found.push(differences(&format!("{name}, by elements"), &large, &small, 0.0));
                }
            }
        }
        no_differences(found);
    });
}

#[test]
fn in_place_and_strided_results_agree() {
    compare("streams::in_place_and_strided_results_agree", |device, native| {
        let on = |alloc: &Alloc| {
            as_if_large(true, || {
                let base = counting(&[60, 70], DType::Float64, alloc);
                let doubled = |array: &Array| {
                    let array = Expr::array(array);
                    Expr::apply(Op::Add, &[array.clone(), array], Flavour::Dpnp).expect("adds")
                };
                let step = base.index(&[slice(None, None, 1), slice(None, None, 2)]).expect("inside");
                doubled(&step).evaluate_into(&step, None).expect("in place");
                doubled(&base).evaluate_into(&base, None).expect("in place");
                let turned = doubled(&base.transposed()).evaluate().expect("adds");
                let row = doubled(&base.index(&[BasicIndex::At(3)]).expect("inside")).evaluate().expect("adds");
                vec![base, turned, row]
            })
        };
        let (found, wanted) = (on(device), on(native));
        let each = found.iter().zip(&wanted);
        no_differences(each.map(|(found, wanted)| differences("doubled", found, wanted, 0.0)).collect());
    });
}
