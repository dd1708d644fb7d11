//! What a session adds: a small statement from its text to its result, and `%mem` over many allocations.
//!
//! `cargo bench --bench session`. With `CELLHOLD_PYTHON` (see the benchmark `arrays`) NumPy and dpnp run the small statement too. The
//! goals are 0.5 us for `s+s` of ten elements and 50 ms for `%mem` with 100,000 live allocations in 1,000,000 slots of containers:
//! walk, totals and the first page, as a person who types it waits for them. Each figure is the minimum of 25 runs.

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints its table and may stop")]

#[path = "support/python.rs"]
mod python;

use cellhold::session::{Config, Interrupt, Recorder, Request, Session, Snapshots};
use python::Python;
use std::rc::Rc;
use std::time::Instant;

const RUNS: usize = 25;
/// Statements of one figure.
const REPEATS: usize = 20_000;

/// A session with what its front end saw.
struct Bench {
    session: Session,
    front: Rc<Recorder>,
}

impl Bench {
    fn new() -> Bench {
        let session = Session::new(Config::interactive(), Interrupt::new(), Snapshots::default());
        Bench { session, front: Rc::new(Recorder::new()) }
    }

    /// Runs a cell that must succeed; answers the seconds it took.
    fn run(&mut self, source: &str) -> f64 {
        self.front.take();
        let request = Request::cell(source);
        let start = Instant::now();
        let outcome = self.session.run(&request, self.front.clone());
        let seconds = start.elapsed().as_secs_f64();
        if let Some(error) = outcome.error {
            panic!("{source}: {error:?}");
        }
        seconds
    }

    fn best(&mut self, source: &str) -> f64 {
        (0..RUNS).map(|_| self.run(source)).fold(f64::INFINITY, f64::min)
    }
}

fn small_statements(bench: &mut Bench) {
    bench.run("s = dpnp.arange(10.0)\nh = np.arange(10.0)\nx = 1.5");
    let mut python = Python::from_environment(2_000_000);
    println!("{:<32}{:>12}{:>12}{:>12}", "statement in a loop", "ours, us", "numpy", "dpnp");
    for (ours, theirs) in [
        ("r = s + s", "s + s"),
        ("r = h + h", "s + s"),
        ("r = s * 2.0 + s", "s * 2.0 + s"),
        ("r = dpnp.sqrt(s)", "np.sqrt(s)"),
        ("r = s[2:5]", "s[2:5]"),
        ("r = s.sum()", "s.sum()"),
    ] {
        let cell = format!("for _ in range({REPEATS}): {ours}");
        let (mut best, mut numpy, mut dpnp) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for run in 0..RUNS {
            best = best.min(bench.run(&cell) / REPEATS as f64);
            if let Some(python) = &mut python {
                numpy = numpy.min(python.seconds("numpy", REPEATS, theirs).unwrap_or(f64::INFINITY));
                if run < 5 {
                    dpnp = dpnp.min(python.seconds("dpnp", 50, theirs).unwrap_or(f64::INFINITY));
                }
            }
        }
        print!("{ours:<32}{:>12.3}", best * 1e6);
        for seconds in [numpy, dpnp] {
            if seconds.is_finite() { print!("{:>11.2}x", seconds / best) } else { print!("{:>12}", "-") }
        }
        println!();
    }
    bench.run("%reset -f");
}

fn memory_listing(bench: &mut Bench) {
    println!("{:<64}{:>10}", "%mem, 100,000 live allocations", "ms");
    for (what, setup) in [
        (
            "in one list, 900,000 slots of numbers beside it",
            "held = [dpnp.zeros(8) for _ in range(100_000)]\nother = [[i] * 9 for i in range(100_000)]",
        ),
        (
            "in one list, 900,000 more slots that lead to them",
            "held = [dpnp.zeros(8) for _ in range(100_000)]\nother = [held[i:i + 9] for i in range(100_000 - 9)]",
        ),
        (
            "in a dict of tuples, 900,000 more slots in one list",
            "held = {i: (dpnp.zeros(8), i) for i in range(100_000)}\nother = [held[i % 100_000] for i in range(900_000)]",
        ),
    ] {
        bench.run(setup);
        println!("{what:<64}{:>10.1}", bench.best("%mem") * 1e3);
        bench.run("del held, other\n%free out -y");
    }
}

fn main() {
    let work = || {
        let mut bench = Bench::new();
        small_statements(&mut bench);
        memory_listing(&mut bench);
    };
    let thread = std::thread::Builder::new().stack_size(Session::STACK_BYTES).spawn(work).expect("a thread starts");
    thread.join().expect("the benchmark ran to its end");
}
