//! The statements that the benchmarks of arrays measure, on whatever device the arrays are made.

use cellhold::arrays::expr::{Expr, Ready, ReduceOp, binary, matmul};
use cellhold::arrays::op::{Flavour, Op};
use cellhold::arrays::{Alloc, Array, ArrayError, DType, Operand, Scalar};

/// Elements of the long vectors.
pub const LEN: usize = 10_000_000;

/// A statement: ours, and how Python spells it with `np` as the library.
pub struct Row {
    pub name: &'static str,
    pub ours: Box<dyn Fn() -> Result<Array, ArrayError>>,
    pub numpy: &'static str,
    #[allow(dead_code, reason = "not every benchmark has that peer")]
    pub numexpr: Option<&'static str>,
    pub bound: Bound,
}

/// What a statement's time is made of.
#[derive(Clone, Copy)]
pub enum Bound {
    /// Reading and writing so many arrays of `LEN` float64.
    Memory(usize),
    /// Reading so many arrays of `LEN` float64; next to nothing is written.
    Reading(usize),
    Arithmetic,
    /// What surrounds the work; it takes microseconds, so many runs make one figure.
    Overhead,
}

impl Bound {
    /// What must at least go between memory and the processors, where that is what takes the time.
    pub fn bytes(self) -> Option<usize> {
        match self {
            Bound::Memory(arrays) | Bound::Reading(arrays) => Some(arrays * 8 * LEN),
            Bound::Arithmetic | Bound::Overhead => None,
        }
    }

    pub fn repeats(self) -> usize {
        if matches!(self, Bound::Overhead) { 10_000 } else { 1 }
    }
}

/// The statements, over arrays made by `host`.
pub fn rows(host: &Alloc) -> Result<Vec<Row>, ArrayError> {
    let values = |f: fn(f64) -> f64| (0..LEN).map(|i| f(i as f64)).collect::<Vec<f64>>();
    let a = Array::from_slice(&values(f64::sin), &[LEN], host)?;
    let b = Array::from_slice(&values(|i| (i * 0.7).cos()), &[LEN], host)?;
    let c = Array::from_slice(&values(|i| (i * 0.3).sin() + 2.0), &[LEN], host)?;
    let square = Array::from_slice(&values(f64::sin)[..1 << 20], &[1024, 1024], host)?;
    let single = Expr::array(&square).cast(DType::Float32).evaluate()?;
    let table = Array::from_slice(&values(f64::sin), &[1000, 10_000], host)?;
    let small = Array::from_slice(&values(f64::sin)[..10], &[10], host)?;
    let two = || Expr::scalar(Operand::Weak(Scalar::Int(2)));
    let apply = |op: Op, inputs: &[Expr]| Expr::apply(op, inputs, Flavour::Dpnp);
    let all = |x: Expr, op| x.reduce(op, None, false, None, Flavour::Dpnp)?.evaluate();
    let mut rows: Vec<Row> = Vec::new();
    let mut row = |name, numpy, numexpr, bound, ours: Box<dyn Fn() -> Result<Array, ArrayError>>| {
        rows.push(Row { name, ours, numpy, numexpr, bound });
    };
    let (x, y, z) = (Expr::array(&a), Expr::array(&b), Expr::array(&c));
    row("a*b+c", "a*b+c", Some("a*b+c"), Bound::Memory(4), {
        let (x, y, z) = (x.clone(), y.clone(), z.clone());
        Box::new(move || apply(Op::Add, &[apply(Op::Multiply, &[x.clone(), y.clone()])?, z.clone()])?.evaluate())
    });
    row(
        "sin(2*a)*exp(-square(a))",
        "np.sin(2*a)*np.exp(-np.square(a))",
        Some("sin(2*a)*exp(-a*a)"),
        Bound::Arithmetic,
        {
            let x = x.clone();
            Box::new(move || {
                let sine = apply(Op::Sin, &[apply(Op::Multiply, &[two(), x.clone()])?])?;
                let bell = apply(Op::Exp, &[apply(Op::Negative, &[apply(Op::Square, std::slice::from_ref(&x))?])?])?;
                apply(Op::Multiply, &[sine, bell])?.evaluate()
            })
        },
    );
    row("sum(a*a)", "np.sum(a*a)", Some("sum(a*a)"), Bound::Reading(1), {
        let x = x.clone();
        Box::new(move || all(apply(Op::Multiply, &[x.clone(), x.clone()])?, ReduceOp::Sum))
    });
    row("sqrt(a*a+b*b)", "np.sqrt(a*a+b*b)", Some("sqrt(a*a+b*b)"), Bound::Memory(3), {
        let (x, y) = (x.clone(), y.clone());
        Box::new(move || {
            let squares =
                [apply(Op::Multiply, &[x.clone(), x.clone()])?, apply(Op::Multiply, &[y.clone(), y.clone()])?];
            apply(Op::Sqrt, &[apply(Op::Add, &squares)?])?.evaluate()
        })
    });
    for (op, arrays, name, axis, numpy) in [
        (ReduceOp::Sum, 1, "sum(T, axis=0)", Some(0), "np.sum(T, axis=0)"),
        (ReduceOp::Sum, 1, "sum(T, axis=1)", Some(1), "np.sum(T, axis=1)"),
        (ReduceOp::Mean, 1, "mean(T, axis=0)", Some(0), "np.mean(T, axis=0)"),
        (ReduceOp::Mean, 1, "mean(T, axis=1)", Some(1), "np.mean(T, axis=1)"),
        // The mean first, then the distances from it.
        (ReduceOp::Variance { ddof: 0.0 }, 2, "var(T, axis=0)", Some(0), "np.var(T, axis=0)"),
        (ReduceOp::Variance { ddof: 0.0 }, 2, "var(T, axis=1)", Some(1), "np.var(T, axis=1)"),
        (ReduceOp::Maximum, 1, "max(T, axis=0)", Some(0), "np.max(T, axis=0)"),
        (ReduceOp::Maximum, 1, "max(T, axis=1)", Some(1), "np.max(T, axis=1)"),
        (ReduceOp::Minimum, 1, "min(T, axis=0)", Some(0), "np.min(T, axis=0)"),
        (ReduceOp::Minimum, 1, "min(T, axis=1)", Some(1), "np.min(T, axis=1)"),
        (ReduceOp::Sum, 1, "sum(a)", None, "np.sum(a)"),
        (ReduceOp::Maximum, 1, "max(a)", None, "np.max(a)"),
    ] {
        let (table, flat) = (Expr::array(&table), x.clone());
        row(name, numpy, None, Bound::Reading(arrays), {
            Box::new(move || match axis {
                Some(axis) => table.reduce(op, Some(&[axis]), false, None, Flavour::Dpnp)?.evaluate(),
                None => all(flat.clone(), op),
            })
        });
    }
    for (name, f, text) in
        [("log(c)", Op::Log, "np.log(c)"), ("tanh(a)", Op::Tanh, "np.tanh(a)"), ("a**1.7 of c", Op::Power, "c**1.7")]
    {
        let z = if name == "tanh(a)" { x.clone() } else { z.clone() };
        row(name, text, None, Bound::Arithmetic, {
            Box::new(move || match f {
                Op::Power => apply(f, &[z.clone(), Expr::scalar(Operand::Weak(Scalar::Float(1.7)))])?.evaluate(),
                _ => apply(f, std::slice::from_ref(&z))?.evaluate(),
            })
        });
    }
    row(
        "matmul 1024 float64",
        "M@M",
        None,
        Bound::Arithmetic,
        Box::new(move || matmul(&square, &square, None, Flavour::Dpnp)),
    );
    row(
        "matmul 1024 float32",
        "F@F",
        None,
        Bound::Arithmetic,
        Box::new(move || matmul(&single, &single, None, Flavour::Dpnp)),
    );
    row("s+s (10 elements, engine part)", "s+s", None, Bound::Overhead, {
        Box::new(move || binary(Op::Add, Ready::Array(&small), Ready::Array(&small), Flavour::Dpnp))
    });
    Ok(rows)
}
