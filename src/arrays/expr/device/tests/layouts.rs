//! Reading and writing arrays that lie in memory in every way.

use super::*;

/// One array seen in many ways that all broadcast to `[4, 5, 6]` or have no or one element.
fn views(alloc: &Alloc) -> Vec<(&'static str, Array)> {
    let base = counting(&[8, 10, 12], DType::Float64, alloc);
    let view = |items: &[BasicIndex]| base.index(items).expect("inside");
    let some = |stop: i64, step: i64| slice(None, Some(stop), step);
    vec![
        ("contiguous", counting(&[4, 5, 6], DType::Float64, alloc)),
        ("every second", view(&[slice(None, None, 2), slice(None, None, 2), slice(None, None, 2)])),
        ("backwards", view(&[some(4, 1), some(5, 1), slice(Some(5), None, -1)])),
        ("transposed", counting(&[6, 5, 4], DType::Float64, alloc).transposed()),
        ("a row", view(&[BasicIndex::At(0), BasicIndex::At(3), some(6, 1)])),
        ("a column", view(&[BasicIndex::At(1), some(5, 1), slice(Some(2), Some(3), 1)])),
        (
            "a plane",
            view(&[some(4, 1), BasicIndex::At(9), some(6, 1)])
                .index(&[some(4, 1), BasicIndex::NewAxis, some(6, 1)])
                .expect("inside"),
        ),
        ("one element", view(&[BasicIndex::At(7), BasicIndex::At(9), BasicIndex::At(11)])),
    ]
}

#[test]
fn every_layout_agrees() {
    compare("layouts::every_layout_agrees", |device, native| {
        let mut found = Vec::new();
        let (here, there) = (views(device), views(native));
        for (index, (name, left)) in here.iter().enumerate() {
            for (other, (other_name, right)) in here.iter().enumerate() {
                let value = |left: &Array, right: &Array| {
                    let sum = Expr::apply(
                        Op::Add,
                        &[Expr::array(left), Expr::scalar(Operand::Weak(Scalar::Float(0.5)))],
                        Flavour::Dpnp,
                    );
                    let value = Expr::apply(Op::Multiply, &[sum.expect("adds"), Expr::array(right)], Flavour::Dpnp);
                    value.and_then(|value| value.evaluate()).expect("multiplies")
                };
                let answer = value(left, right);
                found.push(differences(
                    &format!("{name} with {other_name}"),
                    &answer,
                    &value(&there[index].1, &there[other].1),
                    0.0,
                ));
            }
        }
        for shape in [&[0usize][..], &[3, 0, 2], &[], &[1], &[1, 1], &[257], &[3, 2, 1, 2, 5], &[1, 300, 1, 7]] {
            let value = |alloc: &Alloc| apply(Op::Square, &[counting(shape, DType::Float32, alloc)]);
            found.push(differences(&format!("{shape:?}"), &value(device), &value(native), 0.0));
        }
        no_differences(found);
    });
}

#[test]
fn writing_into_views_agrees_even_where_they_overlap() {
    compare("layouts::writing_into_views_agrees_even_where_they_overlap", |device, native| {
        let run = |alloc: &Alloc| -> Vec<Array> {
            let base = counting(&[40, 9], DType::Int32, alloc);
            let (all, odd) = (slice(None, None, 1), slice(Some(1), None, 2));
            let strided = base.index(&[odd, slice(None, None, -2)]).expect("inside");
            Expr::scalar(Operand::Weak(Scalar::Int(7))).evaluate_into(&strided, None).expect("fills");
            let (upper, lower) =
                (base.index(&[slice(Some(1), None, 1), all]), base.index(&[slice(None, Some(-1), 1), all]));
            let (upper, lower) = (upper.expect("inside"), lower.expect("inside"));
            let doubled =
                Expr::apply(Op::Add, &[Expr::array(&lower), Expr::array(&upper)], Flavour::Dpnp).expect("adds");
            doubled.evaluate_into(&upper, None).expect("overlaps");
            let squared = Expr::apply(Op::Square, &[Expr::array(&base)], Flavour::Dpnp).expect("squares");
            let mask = Expr::apply(
                Op::Greater,
                &[Expr::array(&base), Expr::scalar(Operand::Weak(Scalar::Int(3)))],
                Flavour::Dpnp,
            );
            let mask = mask.and_then(|mask| mask.evaluate()).expect("compares");
            squared.evaluate_into(&base, Some(&mask)).expect("in place");
            let floats = Array::zeros(&[9, 40], DType::Float64, alloc).expect("memory");
            Expr::array(&base).evaluate_into(&floats.transposed(), None).expect("casts and turns");
            vec![base, floats]
        };
        let pairs = run(device).into_iter().zip(run(native));
        no_differences(pairs.map(|(found, wanted)| differences("after writing", &found, &wanted, 0.0)).collect());
    });
}
