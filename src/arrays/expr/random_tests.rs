//! Random graphs over random layouts: computed in one program, and step by step.

use super::*;
use crate::arrays::dtype::dispatch;
use crate::arrays::layout::BasicIndex;
use crate::arrays::op::Flavour;
use crate::arrays::scalar::Operand;
use proptest::prelude::*;

/// A small source of choices that proptest can shrink.
struct Choices<'a> {
    left: &'a [u32],
}

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((&first, rest)) = self.left.split_first() else { return 0 };
        self.left = rest;
        first as usize % bound
    }
}

const DTYPES: [DType; 10] = [
    DType::Float64,
    DType::Float32,
    DType::Int64,
    DType::Int32,
    DType::UInt8,
    DType::Int8,
    DType::Bool,
    DType::Float16,
    DType::Complex128,
    DType::UInt64,
];

/// An array that broadcasts to `shape`, in a layout of its own.
fn operand(choices: &mut Choices<'_>, shape: &[usize]) -> Array {
    let dtype = DTYPES[choices.below(DTYPES.len())];
    let own: Vec<usize> = shape.iter().map(|&len| if choices.below(4) == 0 { 1 } else { len }).collect();
    let stretched: Vec<usize> = own.iter().map(|&len| len * 2).collect();
    let turn = choices.below(3);
    let allocated: Vec<usize> = if turn == 1 { stretched.iter().rev().copied().collect() } else { stretched };
    let count: usize = allocated.iter().product();
    let seed = choices.below(1000);
    let values: Vec<f64> = (0..count).map(|i| ((i * 7919 + seed * 31) % 37) as f64 / 4.0 - 2.0).collect();
    let array = Array::from_slice(&values, &allocated, &Alloc::HOST).expect("host memory");
    let array = Expr::array(&array).cast(dtype).evaluate().expect("casts");
    let array = if turn == 1 { array.transposed() } else { array };
    let index: Vec<BasicIndex> = own
        .iter()
        .map(|&len| match choices.below(3) {
            0 => BasicIndex::Slice { start: Some(0), stop: Some(len as i64), step: None },
            1 => BasicIndex::Slice { start: None, stop: None, step: Some(2) },
            _ => BasicIndex::Slice { start: None, stop: None, step: Some(-2) },
        })
        .collect();
    array.index(&index).expect("inside")
}

fn grow(choices: &mut Choices<'_>, shape: &[usize], depth: usize, stepwise: bool) -> Expr {
    if depth == 0 || choices.below(5) == 0 {
        return match choices.below(5) {
            0 => Expr::scalar(Operand::Weak(Scalar::Int(choices.below(5) as i128))),
            1 => Expr::scalar(Operand::Weak(Scalar::Float(choices.below(9) as f64 / 3.0))),
            _ => Expr::array(&operand(choices, shape)),
        };
    }
    let op = Op::ALL[choices.below(Op::ALL.len())];
    let inputs: Vec<Expr> = (0..op.arity()).map(|_| grow(choices, shape, depth - 1, stepwise)).collect();
    let inputs: Vec<Expr> = if choices.below(6) == 0 {
        let axes: Vec<i64> = (0..shape.len() as i64).filter(|_| choices.below(2) == 0).collect();
        let reduce = [ReduceOp::Sum, ReduceOp::Maximum, ReduceOp::Mean][choices.below(3)];
        inputs
            .iter()
            .map(|input| {
                if input.rank() != shape.len() || !input.dtype().is_float() {
                    return input.clone();
                }
                input.reduce(reduce, Some(&axes), true, None, Flavour::NumPy).expect("axes inside")
            })
            .collect()
    } else {
        inputs
    };
    let inputs: Vec<Expr> = if stepwise {
        inputs
            .iter()
            .map(
                |input| {
                    if input.rank() == 0 { input.clone() } else { Expr::array(&input.evaluate().expect("computes")) }
                },
            )
            .collect()
    } else {
        inputs
    };
    // Where the dtypes refuse the operation, a sum takes its place on both sides alike.
    match Expr::apply(op, &inputs, Flavour::NumPy) {
        Ok(expr) => expr,
        Err(_) => {
            let real = inputs.iter().map(|input| input.cast(DType::Float64)).collect::<Vec<_>>();
            Expr::apply(Op::Add, &[real[0].clone(), real[real.len() - 1].clone()], Flavour::NumPy).expect("floats add")
        }
    }
}

fn bits(array: &Array) -> Vec<u128> {
    dispatch!(array.dtype(), T => {
        array
            .to_vec::<T>()
            .expect("reads")
            .into_iter()
            .map(|element| {
                let scalar = crate::arrays::Element::to_scalar(element);
                let z = scalar.complex();
                let part = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
                match scalar {
                    Scalar::Int(value) => value as u128,
                    _ => (part(z.re) as u128) << 64 | part(z.im) as u128,
                }
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fused_equals_step_by_step(choices in prop::collection::vec(any::<u32>(), 40..200), lens in prop::collection::vec(1usize..50, 1..4)) {
        let fused = grow(&mut Choices { left: &choices }, &lens, 4, false);
        let steps = grow(&mut Choices { left: &choices }, &lens, 4, true);
        let (fused, steps) = (fused.evaluate().expect("computes"), steps.evaluate().expect("computes"));
        prop_assert_eq!(fused.dtype(), steps.dtype());
        prop_assert_eq!(fused.shape(), steps.shape());
        prop_assert_eq!(bits(&fused), bits(&steps));
        let _ = warnings::take();
    }

    #[test]
    fn sums_do_not_depend_on_threads_or_strides(len in 30_000usize..200_000, seed in any::<u32>()) {
        let values: Vec<f64> = (0..len).map(|i| ((i as f64) * 0.37 + f64::from(seed)).sin() * 1e3).collect();
        let array = Array::from_slice(&values, &[len], &Alloc::HOST).expect("host memory");
        let spread = Array::zeros(&[len, 2], DType::Float64, &Alloc::HOST).expect("host memory");
        let column = spread.index(&[BasicIndex::Ellipsis, BasicIndex::At(1)]).expect("inside");
        Expr::array(&array).evaluate_into(&column, None).expect("copies");
        let sum = |array: &Array| {
            let sum = Expr::array(array).reduce(ReduceOp::Sum, None, false, None, Flavour::NumPy).expect("reduces");
            bits(&sum.evaluate().expect("computes"))
        };
        let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let several = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
        let program = || {
            let walk = [0usize];
            let plan = super::plan::Planner::new(&[len], &walk).finish(&Expr::array(&array), DType::Float64, None).expect("plans");
            let reducer = crate::arrays::cpu::fold::reducer(crate::arrays::cpu::fold::Fold::Sum, DType::Float64).expect("sums");
            let shape = crate::arrays::cpu::reduce::Shape { outer: 1, reduced: len, inner: 1 };
            (plan, reducer, shape)
        };
        let run = |pool: &rayon::ThreadPool| {
            let (plan, reducer, shape) = program();
            let program = plan.program;
            let attention = crate::arrays::attention::handle();
            let mut out = 0.0f64;
            let address = (&raw mut out) as usize;
            // SAFETY: the array outlives the call, and the result is one float64.
            pool.install(|| unsafe {
                crate::arrays::cpu::reduce::reduce(&program, shape, &reducer, address as *mut u8, &attention)
            })
            .expect("computes");
            out.to_bits()
        };
        prop_assert_eq!(sum(&array), sum(&column));
        prop_assert_eq!(run(&single), run(&several));
        prop_assert_eq!((run(&single) as u128) << 64, sum(&array)[0]);
    }
}
