//! How fast the array engine is, as ratios to NumPy, numexpr, dpnp and STREAM measured in the same run.
//!
//! `cargo bench --bench arrays` prints our times. With `CELLHOLD_PYTHON=/path/to/python` (an interpreter that has numpy,
//! and numexpr or dpnp where their columns are wanted) the same statements run there too, interleaved with ours. Each
//! figure is the minimum of 25 runs after 3 warm-ups of `r = expression` with one name rebound. STREAM's triad runs
//! before and after; if the two differ by more than 15 %, the machine was not quiet and the run says so.

use cellhold::arrays::expr::{Expr, Ready, ReduceOp, binary, matmul};
use cellhold::arrays::op::{Flavour, Op};
use cellhold::arrays::{Alloc, Array, ArrayError, DType, Operand, Scalar};
use rayon::prelude::*;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

const RUNS: usize = 25;
const WARM_UPS: usize = 3;
const LEN: usize = 10_000_000;

/// A statement: ours, and how Python spells it with `np` as the library.
struct Row {
    name: &'static str,
    ours: Box<dyn Fn() -> Result<Array, ArrayError>>,
    numpy: &'static str,
    numexpr: Option<&'static str>,
    /// How often the statement runs for one figure, for those that take microseconds.
    repeats: usize,
}

/// A Python process that runs a named statement once per request and answers the seconds it took.
struct Python {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

const DRIVER: &str = r#"
import sys, time
import numpy
libraries = {"numpy": numpy}
try:
    import numexpr; libraries["numexpr"] = numexpr
except ImportError: pass
try:
    import dpnp; libraries["dpnp"] = dpnp
except Exception: pass
n = 10_000_000
i = numpy.arange(n, dtype="f8")
host = {"a": numpy.sin(i), "b": numpy.cos(i * 0.7), "c": numpy.sin(i * 0.3) + 2.0}
host["M"] = host["a"][:1048576].reshape(1024, 1024).copy()
host["F"] = host["M"].astype("f4")
host["T"] = host["a"].reshape(1000, 10000)
host["s"] = host["a"][:10].copy()
names = {}
for key, np in libraries.items():
    values = host if key != "dpnp" else {k: np.asarray(v) for k, v in host.items()}
    names[key] = dict(values, np=np if key != "numexpr" else numpy)
print(" ".join(libraries), flush=True)
codes = {}
for line in sys.stdin:
    key, repeats, text = line.rstrip("\n").split("\t")
    scope = names[key]
    code = codes.setdefault((key, text), compile("r = " + (text if key != "numexpr" else "np_ne(%r)" % text), "<row>", "exec"))
    if key == "numexpr":
        scope["np_ne"] = lambda t: numexpr.evaluate(t, local_dict=scope)
    start = time.perf_counter()
    for _ in range(int(repeats)):
        exec(code, scope)
    if key == "dpnp":
        scope["r"].sycl_queue.wait()
    print((time.perf_counter() - start) / int(repeats), flush=True)
"#;

impl Python {
    fn start(interpreter: &str) -> Option<(Python, Vec<String>)> {
        let mut process =
            Command::new(interpreter).args(["-c", DRIVER]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let requests = process.stdin.take()?;
        let mut answers = BufReader::new(process.stdout.take()?);
        let mut line = String::new();
        answers.read_line(&mut line).ok()?;
        let libraries = line.split_whitespace().map(str::to_owned).collect();
        Some((Python { process, requests, answers }, libraries))
    }

    fn seconds(&mut self, library: &str, repeats: usize, text: &str) -> Option<f64> {
        writeln!(self.requests, "{library}\t{repeats}\t{text}").ok()?;
        let mut line = String::new();
        self.answers.read_line(&mut line).ok()?;
        line.trim().parse().ok()
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Bytes a second of `x = y + 3 z` over vectors far larger than any cache, on all threads.
fn triad() -> f64 {
    let (mut x, y, z) = (vec![0.0f64; LEN], vec![1.0f64; LEN], vec![2.0f64; LEN]);
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        x.par_chunks_mut(1 << 16).zip(y.par_chunks(1 << 16)).zip(z.par_chunks(1 << 16)).for_each(|((x, y), z)| {
            stream(x, y, z);
        });
        best = best.min(start.elapsed().as_secs_f64());
    }
    assert!(x.iter().all(|&value| value == 7.0), "the triad computed something else");
    (3 * 8 * LEN) as f64 / best
}

/// The triad's inner loop with stores that go around the cache, as STREAM's compilers emit it.
fn stream(x: &mut [f64], y: &[f64], z: &[f64]) {
    use std::arch::x86_64::{_mm_add_pd, _mm_loadu_pd, _mm_mul_pd, _mm_set1_pd, _mm_stream_pd};
    let head = (x.as_ptr().align_offset(16)).min(x.len());
    for i in (0..head).chain(head + (x.len() - head) / 2 * 2..x.len()) {
        x[i] = y[i] + 3.0 * z[i];
    }
    for i in (head..x.len() - 1).step_by(2) {
        // SAFETY: i and i + 1 are inside all three slices, and x + i is aligned to 16.
        unsafe {
            let sum = _mm_add_pd(
                _mm_loadu_pd(y.as_ptr().add(i)),
                _mm_mul_pd(_mm_set1_pd(3.0), _mm_loadu_pd(z.as_ptr().add(i))),
            );
            _mm_stream_pd(x.as_mut_ptr().add(i), sum);
        }
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
    let mut row = |name, numpy, numexpr, repeats, ours: Box<dyn Fn() -> Result<Array, ArrayError>>| {
        rows.push(Row { name, ours, numpy, numexpr, repeats });
    };
    let (x, y, z) = (Expr::array(&a), Expr::array(&b), Expr::array(&c));
    row("a*b+c", "a*b+c", Some("a*b+c"), 1, {
        let (x, y, z) = (x.clone(), y.clone(), z.clone());
        Box::new(move || apply(Op::Add, &[apply(Op::Multiply, &[x.clone(), y.clone()])?, z.clone()])?.evaluate())
    });
    row("sin(2*a)*exp(-square(a))", "np.sin(2*a)*np.exp(-np.square(a))", Some("sin(2*a)*exp(-a*a)"), 1, {
        let x = x.clone();
        Box::new(move || {
            let sine = apply(Op::Sin, &[apply(Op::Multiply, &[two(), x.clone()])?])?;
            let bell = apply(Op::Exp, &[apply(Op::Negative, &[apply(Op::Square, std::slice::from_ref(&x))?])?])?;
            apply(Op::Multiply, &[sine, bell])?.evaluate()
        })
    });
    row("sum(a*a)", "np.sum(a*a)", Some("sum(a*a)"), 1, {
        let x = x.clone();
        Box::new(move || all(apply(Op::Multiply, &[x.clone(), x.clone()])?, ReduceOp::Sum))
    });
    row("sqrt(a*a+b*b)", "np.sqrt(a*a+b*b)", Some("sqrt(a*a+b*b)"), 1, {
        let (x, y) = (x.clone(), y.clone());
        Box::new(move || {
            let squares =
                [apply(Op::Multiply, &[x.clone(), x.clone()])?, apply(Op::Multiply, &[y.clone(), y.clone()])?];
            apply(Op::Sqrt, &[apply(Op::Add, &squares)?])?.evaluate()
        })
    });
    for (op, name, axis, numpy) in [
        (ReduceOp::Mean, "mean(T, axis=0)", 0, "np.mean(T, axis=0)"),
        (ReduceOp::Mean, "mean(T, axis=1)", 1, "np.mean(T, axis=1)"),
        (ReduceOp::Variance { ddof: 0.0 }, "var(T, axis=0)", 0, "np.var(T, axis=0)"),
        (ReduceOp::Variance { ddof: 0.0 }, "var(T, axis=1)", 1, "np.var(T, axis=1)"),
        (ReduceOp::Maximum, "max(T, axis=0)", 0, "np.max(T, axis=0)"),
        (ReduceOp::Maximum, "max(T, axis=1)", 1, "np.max(T, axis=1)"),
    ] {
        let table = Expr::array(&table);
        row(name, numpy, None, 1, {
            Box::new(move || table.reduce(op, Some(&[axis]), false, None, Flavour::Dpnp)?.evaluate())
        });
    }
    for (name, f, text) in
        [("log(c)", Op::Log, "np.log(c)"), ("tanh(a)", Op::Tanh, "np.tanh(a)"), ("a**1.7 of c", Op::Power, "c**1.7")]
    {
        let z = if name == "tanh(a)" { x.clone() } else { z.clone() };
        row(name, text, None, 1, {
            Box::new(move || match f {
                Op::Power => apply(f, &[z.clone(), Expr::scalar(Operand::Weak(Scalar::Float(1.7)))])?.evaluate(),
                _ => apply(f, std::slice::from_ref(&z))?.evaluate(),
            })
        });
    }
    row("matmul 1024 float64", "M@M", None, 1, Box::new(move || matmul(&square, &square, None, Flavour::Dpnp)));
    row("matmul 1024 float32", "F@F", None, 1, Box::new(move || matmul(&single, &single, None, Flavour::Dpnp)));
    row("s+s (10 elements, engine part)", "s+s", None, 10_000, {
        Box::new(move || binary(Op::Add, Ready::Array(&small), Ready::Array(&small), Flavour::Dpnp))
    });
    Ok(rows)
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
fn main() -> Result<(), ArrayError> {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let before = triad();
    println!("STREAM triad {:.1} GB/s on {} threads", before / 1e9, rayon::current_num_threads());
    let mut python = std::env::var("CELLHOLD_PYTHON").ok().and_then(|interpreter| Python::start(&interpreter));
    println!("{:<32}{:>12}{:>12}{:>12}{:>12}", "statement", "ours, us", "numpy", "numexpr", "dpnp");
    for row in rows()? {
        if !row.name.contains(&filter) {
            continue;
        }
        let mut best = f64::INFINITY;
        let mut others = [("numpy", f64::INFINITY), ("numexpr", f64::INFINITY), ("dpnp", f64::INFINITY)];
        let mut result = None;
        for run in 0..WARM_UPS + RUNS {
            let start = Instant::now();
            for _ in 0..row.repeats {
                result = Some((row.ours)()?);
            }
            let ours = start.elapsed().as_secs_f64() / row.repeats as f64;
            if run >= WARM_UPS {
                best = best.min(ours);
            }
            let Some((process, libraries)) = python.as_mut() else { continue };
            for (library, time) in &mut others {
                if !libraries.iter().any(|known| known == library) || (*library == "dpnp" && run >= WARM_UPS + 8) {
                    continue;
                }
                let text = if *library == "numexpr" { row.numexpr } else { Some(row.numpy) };
                let repeats = if *library == "dpnp" { row.repeats.min(20) } else { row.repeats };
                if let Some(seconds) = text.and_then(|text| process.seconds(library, repeats, text))
                    && run >= WARM_UPS
                {
                    *time = time.min(seconds);
                }
            }
        }
        drop(result);
        print!("{:<32}{:>12.3}", row.name, best * 1e6);
        for (_, time) in others {
            if time.is_finite() { print!("{:>11.2}x", time / best) } else { print!("{:>12}", "-") }
        }
        println!();
        if row.name == "a*b+c" {
            let bytes = (4 * 8 * LEN) as f64;
            println!("{:<32}{:>12.2} of STREAM triad", "", bytes / best / before);
        }
    }
    let after = triad();
    let quiet = (before / after - 1.0).abs() < 0.15;
    println!("STREAM triad {:.1} GB/s after{}", after / 1e9, if quiet { "" } else { ": the machine was not quiet" });
    Ok(())
}
