//! What Rust cells cost once they run: large arrays to Rust and back, a request, a Rust function on an array.
//!
//! `cargo bench --bench rust`. It needs `rustc`, not the helper: the client of Rust cells is built into a program of its own, which
//! takes evcxr and its compiling out of the figures. Transfers stand beside memcpy in the same process, warm and into fresh memory;
//! functions stand beside the array expression that computes the same in one pass. Each figure is the minimum of its runs, the sides
//! taking turns.

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints its table and may stop")]

#[path = "support/rust_program.rs"]
mod rust_program;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant};

use cellhold::rust_cells::ARRAYS_VARIABLE;
use cellhold::session::{Config, Interrupt, Recorder, Request, Session, Snapshots};

const TRANSFER_RUNS: usize = 7;
const FUNCTION_RUNS: usize = 25;

struct Bench {
    session: Session,
    front: Rc<Recorder>,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Bench {
    fn new() -> Bench {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust-bench");
        let program = rust_program::build(&folder, "benches/rust/program.rs");
        let mut session = Session::new(Config::interactive(), Interrupt::new(), Snapshots::default());
        let path = session.listen_for_arrays().expect("the session listens");
        let mut child = Command::new(program)
            .env(ARRAYS_VARIABLE, path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (stdin, stdout) = (child.stdin.take().expect("its input"), child.stdout.take().expect("its output"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Bench { session, front: Rc::new(Recorder::new()), child, stdin, lines }
    }

    /// Answers requests until the program says something.
    fn line(&mut self) -> String {
        loop {
            match self.lines.try_recv() {
                Ok(line) => return line,
                Err(TryRecvError::Empty) => {
                    self.session.attend_arrays(Duration::from_millis(1)).expect("requests are answered");
                }
                Err(TryRecvError::Disconnected) => panic!("the program ended"),
            }
        }
    }

    fn ask(&mut self, line: &str) -> Vec<f64> {
        writeln!(self.stdin, "{line}").expect("the program listens");
        self.line().split(' ').map(|number| number.parse().expect("a number of seconds")).collect()
    }

    /// Runs a cell that must succeed; answers the seconds it took.
    fn run(&mut self, source: &str) -> f64 {
        self.front.take();
        let start = Instant::now();
        let outcome = self.session.run(&Request::cell(source), self.front.clone());
        let seconds = start.elapsed().as_secs_f64();
        if let Some(error) = outcome.error {
            panic!("{source}: {error:?}");
        }
        seconds
    }
}

fn least(into: &mut [f64], from: &[f64]) {
    into.iter_mut().zip(from).for_each(|(least, time)| *least = least.min(*time));
}

fn transfers(bench: &mut Bench, bytes: usize) {
    let mut times = [f64::INFINITY; 4];
    for _ in 0..TRANSFER_RUNS {
        least(&mut times, &bench.ask(&format!("transfers {bytes}")));
    }
    let [there, back, copy, fresh] = times.map(|time| bytes as f64 / time / 1e9);
    println!(
        "{:>12} MiB{there:>14.2}{back:>14.2}{copy:>14.2}{fresh:>14.2}{:>10.2}{:>10.2}",
        bytes >> 20,
        there / fresh,
        back / fresh
    );
}

fn functions(bench: &mut Bench, function: &str, fused: &str) {
    let mut times = [f64::INFINITY; 2];
    for round in 0..FUNCTION_RUNS + 3 {
        let pair = [bench.run(&format!("r = {function}")), bench.run(&format!("r = {fused}"))];
        // The first rounds warm the pool and the caches.
        if round >= 3 {
            least(&mut times, &pair);
        }
    }
    let [rust, array] = times.map(|time| time * 1e3);
    println!("{function:<12} {fused:<48}{rust:>10.2}{array:>10.2}{:>8.2}", rust / array);
}

fn main() {
    let thread = std::thread::Builder::new().stack_size(Session::STACK_BYTES).spawn(|| {
        let mut bench = Bench::new();
        bench.line();
        println!(
            "{:>16}{:>14}{:>14}{:>14}{:>14}{:>10}{:>10}",
            "GB/s", "to session", "to Rust", "memcpy warm", "memcpy fresh", "there", "back"
        );
        for mib in [1, 16, 256, 1024] {
            transfers(&mut bench, mib << 20);
        }
        bench.run("small = dpnp.arange(10.0)");
        let trips: f64 = (0..7).map(|_| bench.ask("trip")[0]).fold(f64::INFINITY, f64::min);
        println!("\na request and its answer, `&a + 1.0` on ten elements: {:.1} us", trips * 1e6);
        println!("\n{:<61}{:>10}{:>10}{:>8}", "10^7 float64", "Rust, ms", "array, ms", "ratio");
        bench.run("a = dpnp.linspace(-3.0, 3.0, 10_000_000)");
        functions(&mut bench, "linear(a)", "2 * a + 1");
        functions(&mut bench, "wave(a)", "dpnp.sin(2 * a) * dpnp.exp(-dpnp.square(a))");
        let _ = bench.child.kill();
        let _ = bench.child.wait();
    });
    thread.expect("a thread starts").join().expect("the benchmark ends well");
}
