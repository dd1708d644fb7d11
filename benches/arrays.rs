//! How fast the array engine is, as ratios to NumPy, numexpr, dpnp and STREAM measured in the same run.
//!
//! `cargo bench --bench arrays [PART OF A STATEMENT]` prints our times. With `CELLHOLD_PYTHON=/path/to/python` (an interpreter
//! that has numpy, and numexpr or dpnp where their columns are wanted) the same statements run there too. Each figure is the
//! minimum of 25 runs after 3 warm-ups of `r = expression` with one name rebound. The sides take turns, STREAM's triad and a loop
//! that only reads among them, and a different one begins each round, so that all meet the same machine. The triad also runs
//! alone before and after; if the two differ by more than 15 %, the machine was not quiet and the run says so.

#[path = "support/python.rs"]
mod python;
#[path = "support/statements.rs"]
mod statements;
#[path = "support/stream.rs"]
mod stream;

use cellhold::arrays::{Alloc, ArrayError};
use python::Python;
use statements::{Bound, LEN, Row, rows};
use std::time::{Duration, Instant};
use stream::Triad;

const RUNS: usize = 25;
const WARM_UPS: usize = 3;
/// dpnp takes up to half a second a statement; more of its runs change its minimum little.
const RUNS_DPNP: usize = 12;
/// Between two sides: threads of the one before that still look for work go to sleep.
const PAUSE: Duration = Duration::from_millis(2);

/// The best seconds of each side.
struct Best {
    ours: f64,
    triad: f64,
    reading: f64,
    peers: [f64; 3],
}

const PEERS: [&str; 3] = ["numpy", "numexpr", "dpnp"];

/// Ours, the triad and the loop that only reads; the peers follow.
const OWN_SIDES: usize = 3;

fn measure(row: &Row, triad: &Triad, python: &mut Option<Python>) -> Result<Best, ArrayError> {
    let mut best =
        Best { ours: f64::INFINITY, triad: f64::INFINITY, reading: f64::INFINITY, peers: [f64::INFINITY; 3] };
    let mut result = None;
    for run in 0..WARM_UPS + RUNS {
        for turn in 0..OWN_SIDES + PEERS.len() {
            let side = (turn + run) % (OWN_SIDES + PEERS.len());
            let (seconds, kept) = match side {
                0 => {
                    std::thread::sleep(PAUSE);
                    let start = Instant::now();
                    for _ in 0..row.bound.repeats() {
                        result = Some((row.ours)()?);
                    }
                    (start.elapsed().as_secs_f64() / row.bound.repeats() as f64, &mut best.ours)
                }
                1 if row.bound.bytes().is_some() => {
                    std::thread::sleep(PAUSE);
                    (triad.seconds()?, &mut best.triad)
                }
                2 if matches!(row.bound, Bound::Reading(_)) => {
                    std::thread::sleep(PAUSE);
                    (triad.reading_seconds()?, &mut best.reading)
                }
                1 | 2 => continue,
                peer => {
                    let library = PEERS[peer - OWN_SIDES];
                    let Some(python) = python else { continue };
                    let is_dpnp = library == "dpnp";
                    let text = if library == "numexpr" { row.numexpr } else { Some(row.numpy) };
                    let (Some(text), false) = (text, is_dpnp && run >= WARM_UPS + RUNS_DPNP) else { continue };
                    let repeats = if is_dpnp { row.bound.repeats().min(20) } else { row.bound.repeats() };
                    std::thread::sleep(PAUSE);
                    let Some(seconds) = python.seconds(library, repeats, text) else { continue };
                    (seconds, &mut best.peers[peer - OWN_SIDES])
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
    let [statement, ours, stream, reading] = ["statement", "ours, us", "of STREAM", "of reading"];
    println!("{statement:<32}{ours:>12}{stream:>12}{reading:>12}{numpy:>12}{numexpr:>12}{dpnp:>12}");
    for row in rows(&Alloc::default_device()?)?.iter().filter(|row| row.name.contains(&filter)) {
        let best = measure(row, &triad, &mut python)?;
        print!("{:<32}{:>12.3}", row.name, best.ours * 1e6);
        for yardstick in [triad.bandwidth(best.triad), triad.reading_bandwidth(best.reading)] {
            match row.bound.bytes() {
                // A yardstick that did not run for this row took forever.
                Some(bytes) if yardstick > 0.0 => print!("{:>12.2}", bytes as f64 / best.ours / yardstick),
                _ => print!("{:>12}", "-"),
            }
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
