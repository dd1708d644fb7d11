//! How fast the array engine is, as ratios to NumPy, numexpr, dpnp and STREAM measured in the same run.
//!
//! `cargo bench --bench arrays [PART OF A STATEMENT]` prints our times. With `CELLHOLD_PYTHON=/path/to/python` (an interpreter
//! that has numpy, and numexpr or dpnp where their columns are wanted) the same statements run there too. Each figure is the
//! minimum of 25 runs after 3 warm-ups of `r = expression` with one name rebound. The sides take turns, STREAM's triad among
//! them, and a different one begins each round, so that all meet the same machine. The triad also runs alone before
//! and after; if the two differ by more than 15 %, the machine was not quiet and the run says so.

#[path = "support/python.rs"]
mod python;
#[path = "support/stream.rs"]
mod stream;

use cellhold::arrays::expr::{Expr, Ready, ReduceOp, binary, matmul};
use cellhold::arrays::op::{Flavour, Op};
use cellhold::arrays::{Alloc, Array, ArrayError, DType, Operand, Scalar};
use python::Python;
use std::time::{Duration, Instant};
use stream::Triad;

const RUNS: usize = 25;
const WARM_UPS: usize = 3;
/// dpnp takes up to half a second a statement; more of its runs change its minimum little.
const RUNS_DPNP: usize = 12;
const LEN: usize = 10_000_000;
/// Between two sides: threads of the one before that still look for work go to sleep.
const PAUSE: Duration = Duration::from_millis(2);

/// A statement: ours, and how Python spells it with `np` as the library.
struct Row {
    name: &'static str,
    ours: Box<dyn Fn() -> Result<Array, ArrayError>>,
    numpy: &'static str,
    numexpr: Option<&'static str>,
    bound: Bound,
}

/// What a statement's time is made of.
#[derive(Clone, Copy)]
enum Bound {
    /// Reading and writing so many arrays of `LEN` float64.
    Memory(usize),
    Arithmetic,
    /// What surrounds the work; it takes microseconds, so many runs make one figure.
    Overhead,
}

impl Bound {
    fn repeats(self) -> usize {
        if matches!(self, Bound::Overhead) { 10_000 } else { 1 }
    }
}

fn rows() -> Result<Vec<Row>, ArrayError> {
    let values = |f: fn(f64) -> f64| (0..LEN).map(|i| f(i as f64)).collect::<Vec<f64>>();
    let host = Alloc::default_device()?;
    let a = Array::from_slice(&values(f64::sin), &[LEN], &host)?;
    let b = Array::from_slice(&values(|i| (i * 0.7).cos()), &[LEN], &host)?;
    let c = Array::from_slice(&values(|i| (i * 0.3).sin() + 2.0), &[LEN], &host)?;
    let square = Array::from_slice(&values(f64::sin)[..1 << 20], &[1024, 1024], &host)?;
    let single = Expr::array(&square).cast(DType::Float32).evaluate()?;
    let table = Array::from_slice(&values(f64::sin), &[1000, 10_000], &host)?;
    let small = Array::from_slice(&values(f64::sin)[..10], &[10], &host)?;
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
    row("sum(a*a)", "np.sum(a*a)", Some("sum(a*a)"), Bound::Memory(1), {
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
        row(name, numpy, None, Bound::Memory(arrays), {
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

/// The best seconds of each side.
struct Best {
    ours: f64,
    triad: f64,
    peers: [f64; 3],
}

const PEERS: [&str; 3] = ["numpy", "numexpr", "dpnp"];

fn measure(row: &Row, triad: &Triad, python: &mut Option<Python>) -> Result<Best, ArrayError> {
    let mut best = Best { ours: f64::INFINITY, triad: f64::INFINITY, peers: [f64::INFINITY; 3] };
    let mut result = None;
    for run in 0..WARM_UPS + RUNS {
        for turn in 0..2 + PEERS.len() {
            let side = (turn + run) % (2 + PEERS.len());
            let (seconds, kept) = match side {
                0 => {
                    std::thread::sleep(PAUSE);
                    let start = Instant::now();
                    for _ in 0..row.bound.repeats() {
                        result = Some((row.ours)()?);
                    }
                    (start.elapsed().as_secs_f64() / row.bound.repeats() as f64, &mut best.ours)
                }
                1 if matches!(row.bound, Bound::Memory(_)) => {
                    std::thread::sleep(PAUSE);
                    (triad.seconds()?, &mut best.triad)
                }
                1 => continue,
                peer => {
                    let library = PEERS[peer - 2];
                    let Some(python) = python else { continue };
                    let is_dpnp = library == "dpnp";
                    let text = if library == "numexpr" { row.numexpr } else { Some(row.numpy) };
                    let (Some(text), false) = (text, is_dpnp && run >= WARM_UPS + RUNS_DPNP) else { continue };
                    let repeats = if is_dpnp { row.bound.repeats().min(20) } else { row.bound.repeats() };
                    std::thread::sleep(PAUSE);
                    let Some(seconds) = python.seconds(library, repeats, text) else { continue };
                    (seconds, &mut best.peers[peer - 2])
                }
            };
            if run >= WARM_UPS {
                *kept = kept.min(seconds);
            }
        }
    }
    drop(result);
    Ok(best)
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
fn main() -> Result<(), ArrayError> {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let triad = Triad::new(LEN)?;
    let before = triad.best(RUNS)?;
    println!("STREAM triad {:.1} GB/s on {} threads", before / 1e9, rayon::current_num_threads());
    let mut python = Python::from_environment(LEN);
    let [numpy, numexpr, dpnp] = PEERS;
    println!("{:<32}{:>12}{:>12}{numpy:>12}{numexpr:>12}{dpnp:>12}", "statement", "ours, us", "of STREAM");
    for row in rows()?.iter().filter(|row| row.name.contains(&filter)) {
        let best = measure(row, &triad, &mut python)?;
        print!("{:<32}{:>12.3}", row.name, best.ours * 1e6);
        match row.bound {
            Bound::Memory(arrays) => {
                print!("{:>12.2}", (arrays * 8 * LEN) as f64 / best.ours / triad.bandwidth(best.triad));
            }
            Bound::Arithmetic | Bound::Overhead => print!("{:>12}", "-"),
        }
        for seconds in best.peers {
            if seconds.is_finite() { print!("{:>11.2}x", seconds / best.ours) } else { print!("{:>12}", "-") }
        }
        println!();
    }
    let after = triad.best(RUNS)?;
    let quiet = (before / after - 1.0).abs() < 0.15;
    println!("STREAM triad {:.1} GB/s after{}", after / 1e9, if quiet { "" } else { ": the machine was not quiet" });
    Ok(())
}
