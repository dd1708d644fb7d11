//! How fast programs on an OpenCL device are, beside programs written by hand, dpnp on the same device, and the embedded engine.
//!
//! `cargo bench --bench devices [PART OF A STATEMENT]`, with Intel's runtime named by `OCL_ICD_VENDORS` or found in the prefix of
//! `CELLHOLD_PYTHON` (an interpreter that has dpnp, where its column is wanted). The method is that of `arrays`: sides in turn,
//! the minimum of many runs of `r = expression` with one name rebound. The prototype is one launch of a program written by hand
//! into an array that is there already.
//!
//! Then: how long a launch takes until its end is known, and how long the first use of a program takes, compiled and from the
//! disk cache, each in a process of its own.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "support/prototype.rs"]
mod prototype;
#[path = "support/python.rs"]
mod python;
#[path = "support/statements.rs"]
mod statements;
#[path = "support/stream.rs"]
mod stream;

use cellhold::arrays::backend::{Argument, BackendKind, Launch, Work};
use cellhold::arrays::expr::{Expr, Ready, binary};
use cellhold::arrays::op::{Flavour, Op};
use cellhold::arrays::{Alloc, Array, ArrayError, DType, QueueHandle, UsmKind, registry};
use prototype::Formula;
use python::Python;
use statements::{LEN, Row, rows};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use stream::Triad;

const RUNS: usize = 25;
const WARM_UPS: usize = 3;
/// dpnp takes up to half a second a statement; more of its runs change its minimum little.
const RUNS_DPNP: usize = 12;
/// Between two sides: threads of the one before that still look for work go to sleep.
const PAUSE: Duration = Duration::from_millis(2);
/// Makes a process measure first uses only.
const FIRST_USES: &str = "CELLHOLD_BENCH_FIRST_USES";
/// How many launches make one figure.
const LAUNCHES: usize = 200;

fn opencl() -> Result<QueueHandle, ArrayError> {
    registry::look_for(&[BackendKind::OpenCl], "not measured here");
    registry::cached_queue(&registry::select("opencl:cpu:0")?)
}

/// A program written by hand, ready to be launched over arrays of a length.
struct Prototype {
    queue: QueueHandle,
    formula: Formula,
    inputs: Vec<Array>,
    out: Array,
}

impl Prototype {
    fn new(queue: &QueueHandle, formula: Formula, len: usize) -> Result<Prototype, ArrayError> {
        let alloc = Alloc::queue(queue.clone(), UsmKind::Device);
        let values = |by: f64| (0..len).map(|i| (i as f64 * by).sin()).collect::<Vec<f64>>();
        let inputs = [1.0, 0.7, 0.3].into_iter().take(formula.inputs());
        let inputs: Vec<Array> =
            inputs.map(|by| Array::from_slice(&values(by), &[len], &alloc)).collect::<Result<_, _>>()?;
        let out = Array::for_overwrite(&[len], DType::Float64, &alloc)?;
        Ok(Prototype { queue: queue.clone(), formula, inputs, out })
    }

    /// Launches it and waits for its end.
    fn run(&self) -> Result<(), ArrayError> {
        let len = self.out.len_elements();
        let mut arguments = smallvec::SmallVec::new();
        arguments.push(Argument::Pointer(self.out.device_address()?));
        for input in &self.inputs {
            arguments.push(Argument::Pointer(input.device_address()?));
        }
        arguments.push(Argument::scalar(&(len as u64).to_le_bytes()));
        let program = prototype::program(self.formula);
        let groups = [len.div_ceil(256) as u32, 1, 1];
        let work = Work::Launch(Launch { program, arguments, groups, local: [256, 1, 1] });
        let reads: Vec<_> = self.inputs.iter().map(Array::buffer).collect();
        self.queue.submit_work("prototype", &reads, &[self.out.buffer()], work)?.wait()
    }
}

/// The best seconds of each side.
#[derive(Clone, Copy)]
struct Best {
    ours: f64,
    native: f64,
    prototype: f64,
    triad: f64,
    dpnp: f64,
}

const UNMEASURED: Best = Best {
    ours: f64::INFINITY,
    native: f64::INFINITY,
    prototype: f64::INFINITY,
    triad: f64::INFINITY,
    dpnp: f64::INFINITY,
};

/// Seconds of one run of a statement, until its result is there.
fn seconds(queue: Option<&QueueHandle>, row: &Row, result: &mut Option<Array>) -> Result<f64, ArrayError> {
    let repeats = if queue.is_some() { row.bound.repeats().min(LAUNCHES) } else { row.bound.repeats() };
    let start = Instant::now();
    for _ in 0..repeats {
        *result = Some((row.ours)()?);
        queue.map_or(Ok(()), QueueHandle::finish)?;
    }
    Ok(start.elapsed().as_secs_f64() / repeats as f64)
}

fn measure(
    queue: &QueueHandle,
    row: &Row,
    native: &Row,
    prototype: Option<&Prototype>,
    triad: &Triad,
    python: &mut Option<Python>,
) -> Result<Best, ArrayError> {
    let mut best = UNMEASURED;
    let (mut result, mut native_result) = (None, None);
    for run in 0..WARM_UPS + RUNS {
        for turn in 0..5 {
            std::thread::sleep(PAUSE);
            let (taken, kept) = match (turn + run) % 5 {
                0 => (seconds(Some(queue), row, &mut result)?, &mut best.ours),
                1 => (seconds(None, native, &mut native_result)?, &mut best.native),
                2 => {
                    let Some(prototype) = prototype else { continue };
                    let start = Instant::now();
                    prototype.run()?;
                    (start.elapsed().as_secs_f64(), &mut best.prototype)
                }
                3 if row.bound.bytes().is_some() => (triad.seconds()?, &mut best.triad),
                4 if run < WARM_UPS + RUNS_DPNP => {
                    let Some(python) = python else { continue };
                    let repeats = row.bound.repeats().min(20);
                    let Some(seconds) = python.seconds("dpnp", repeats, row.numpy) else { continue };
                    (seconds, &mut best.dpnp)
                }
                _ => continue,
            };
            if run >= WARM_UPS {
                *kept = kept.min(taken);
            }
        }
    }
    Ok(best)
}

fn times(of: f64, ours: f64) -> String {
    if of.is_finite() { format!("{:.2}x", of / ours) } else { "-".to_owned() }
}

fn statements(queue: &QueueHandle, filter: &str) -> Result<(), ArrayError> {
    let triad = Triad::new(LEN)?;
    let before = triad.best(RUNS)?;
    println!("STREAM triad {:.1} GB/s on {} threads", before / 1e9, rayon::current_num_threads());
    let mut python = Python::from_environment(LEN);
    println!(
        "{:<32}{:>12}{:>11}{:>11}{:>11}{:>11}",
        "statement", "ours, us", "of STREAM", "prototype", "native", "dpnp"
    );
    let on_device = rows(&Alloc::queue(queue.clone(), UsmKind::Device))?;
    let on_native = rows(&Alloc::default_device()?)?;
    for (row, native) in on_device.iter().zip(&on_native).filter(|(row, _)| row.name.contains(filter)) {
        let prototype = match row.name {
            "a*b+c" => Some(Prototype::new(queue, Formula::MultiplyAdd, LEN)?),
            "sin(2*a)*exp(-square(a))" => Some(Prototype::new(queue, Formula::SineBell, LEN)?),
            _ => None,
        };
        let best = measure(queue, row, native, prototype.as_ref(), &triad, &mut python)?;
        let of_stream = row.bound.bytes().map_or_else(
            || "-".to_owned(),
            |bytes| format!("{:.2}", bytes as f64 / best.ours / triad.bandwidth(best.triad)),
        );
        let [prototype, native, dpnp] = [best.prototype, best.native, best.dpnp].map(|side| times(side, best.ours));
        println!("{:<32}{:>12.3}{of_stream:>11}{prototype:>11}{native:>11}{dpnp:>11}", row.name, best.ours * 1e6);
    }
    let after = triad.best(RUNS)?;
    let quiet = (before / after - 1.0).abs() < 0.15;
    println!("STREAM triad {:.1} GB/s after{}", after / 1e9, if quiet { "" } else { ": the machine was not quiet" });
    Ok(())
}

/// How long one small launch takes until its end is known: a program written by hand, and a whole small operation.
fn launch_and_wait(queue: &QueueHandle) -> Result<(), ArrayError> {
    let prototype = Prototype::new(queue, Formula::Double, 1024)?;
    let alloc = Alloc::queue(queue.clone(), UsmKind::Device);
    let small = Array::from_slice(&[1.5f64; 1024], &[1024], &alloc)?;
    let add = || -> Result<(), ArrayError> {
        binary(Op::Add, Ready::Array(&small), Ready::Array(&small), Flavour::Dpnp)?;
        queue.finish()
    };
    let minimum = |run: &dyn Fn() -> Result<(), ArrayError>| -> Result<f64, ArrayError> {
        let mut best = f64::INFINITY;
        for turn in 0..WARM_UPS + RUNS {
            let start = Instant::now();
            (0..LAUNCHES).try_for_each(|_| run())?;
            if turn >= WARM_UPS {
                best = best.min(start.elapsed().as_secs_f64() / LAUNCHES as f64);
            }
        }
        Ok(best * 1e6)
    };
    println!("launch and wait, 1024 float64: {:.1} us", minimum(&|| prototype.run())?);
    println!("s + s until its end, 1024 float64: {:.1} us", minimum(&add)?);
    Ok(())
}

/// Prints the microseconds that each of some expressions takes that this process never used before.
fn first_uses() -> Result<(), ArrayError> {
    let queue = opencl()?;
    let alloc = Alloc::queue(queue.clone(), UsmKind::Device);
    let array = Expr::array(&Array::from_slice(&[0.5f64; 1024], &[1024], &alloc)?);
    let apply = |op: Op, inputs: &[Expr]| Expr::apply(op, inputs, Flavour::Dpnp);
    // The driver's compiler starts with the first program of a process.
    apply(Op::Sqrt, std::slice::from_ref(&array))?.evaluate()?;
    queue.finish()?;
    for outer in [Op::Sin, Op::Exp, Op::Tanh, Op::Log1p] {
        for inner in [Op::Add, Op::Multiply, Op::Subtract] {
            let expression =
                apply(outer, &[apply(inner, &[array.clone(), apply(Op::Square, std::slice::from_ref(&array))?])?])?;
            let start = Instant::now();
            let result = expression.evaluate()?;
            queue.finish()?;
            println!("{}", start.elapsed().as_secs_f64() * 1e6);
            drop(result);
        }
    }
    Ok(())
}

/// The shortest, middle and longest milliseconds of first uses in a new process over this cache.
fn first_uses_in_child(cache: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let child = Command::new(std::env::current_exe()?)
        .env(FIRST_USES, "1")
        .env("XDG_CACHE_HOME", cache)
        .env_remove("CELLHOLD_PROGRAM_CACHE")
        .output()?;
    let said = String::from_utf8(child.stdout)?;
    let mut times: Vec<f64> = said.lines().map(str::parse).collect::<Result<_, _>>()?;
    times.sort_by(f64::total_cmp);
    match (times.first(), times.get(times.len() / 2), times.last()) {
        (Some(first), Some(middle), Some(last)) => {
            Ok(format!("{:.2} / {:.2} / {:.2} ms", first / 1e3, middle / 1e3, last / 1e3))
        }
        _ => Err(format!("the child said nothing: {}", String::from_utf8_lossy(&child.stderr)).into()),
    }
}

/// Starts this process again with Intel's runtime named, where it was found beside the interpreter and nothing names one.
fn name_the_runtime() {
    let Some(python) = std::env::var_os("CELLHOLD_PYTHON").map(PathBuf::from) else { return };
    let runtime = python.parent().and_then(Path::parent).map(|prefix| prefix.join("lib/libintelocl.so"));
    let Some(runtime) = runtime.filter(|file| file.exists()) else { return };
    if std::env::var_os("OCL_ICD_VENDORS").is_none()
        && let Ok(program) = std::env::current_exe()
    {
        let error = Command::new(program).args(std::env::args().skip(1)).env("OCL_ICD_VENDORS", runtime).exec();
        println!("without the runtime: {error}");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    name_the_runtime();
    if std::env::var_os(FIRST_USES).is_some() {
        return Ok(first_uses()?);
    }
    let queue = match opencl() {
        Ok(queue) => queue,
        Err(error) => {
            println!("no OpenCL device to measure: {error}; OCL_ICD_VENDORS names Intel's libintelocl.so");
            return Ok(());
        }
    };
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    println!("{}, {}", queue.device().info().name, queue.device().info().driver);
    if filter.is_empty() || "launch and wait".contains(&filter) {
        launch_and_wait(&queue)?;
        let folder = tempfile::tempdir()?;
        println!("first use of a program, least / middle / most:");
        println!("  compiled            {}", first_uses_in_child(folder.path())?);
        println!("  from the disk cache {}", first_uses_in_child(folder.path())?);
    }
    Ok(statements(&queue, &filter)?)
}
