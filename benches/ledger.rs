//! What does accounting cost? One allocation and its release with ledger, pool and block; and the walk over many entries.
//!
//! Run with `cargo bench --bench ledger`. The goals are 100 ns for what the ledger adds to an allocation and 50 ms for a
//! listing of 100,000 live ones; the raw allocator's time is printed beside, in the same run.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark reports on the terminal and may stop")]

use cellhold::arrays::buffer::Request;
use cellhold::arrays::{Alloc, Array, Buffer, DType, UsmKind, ledger, pool};
use cellhold::session::{Config, Interrupt, NoFrontend, Request as Cell, Session, Snapshots};
use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

const ROUNDS: usize = 25;
const EACH: u32 = 20_000;

fn main() {
    let alloc = Alloc::default_device().unwrap();
    let request = Request::new(&alloc.place, UsmKind::Device, 80);
    let buffer = best(|| drop(black_box(Buffer::allocate(&request).unwrap())));
    let array = best(|| drop(black_box(Array::for_overwrite(&[10], DType::Float64, &alloc).unwrap())));
    let plain = best(|| drop(black_box(Vec::<u8>::with_capacity(black_box(80)))));
    println!("buffer of 80 bytes, allocated and dropped   {:>8.1} ns", nanoseconds(buffer));
    println!("array of 10 float64, made and dropped       {:>8.1} ns", nanoseconds(array));
    println!("the process allocator, 80 bytes             {:>8.1} ns", nanoseconds(plain));

    let held: Vec<Array> = (0..100_000).map(|_| Array::for_overwrite(&[10], DType::Float64, &alloc).unwrap()).collect();
    let listing = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(ledger::entries());
            start.elapsed()
        })
        .min()
        .unwrap();
    println!("listing {} live allocations            {:>8.2} ms", held.len(), listing.as_secs_f64() * 1e3);
    drop(held);
    pool::trim_all();
    ledger::assert_empty();
    let session = std::thread::Builder::new().stack_size(Session::STACK_BYTES).spawn(page_of_many);
    session.unwrap().join().unwrap();
}

/// `%mem` over many: the walk with its roots, the totals, the first page with its holders.
fn page_of_many() {
    let mut session = Session::new(Config::interactive(), Interrupt::new(), Snapshots::default());
    let setup = "import dpnp as np\nmany = [np.ones(1) for i in range(100_000)]\nslots = [None, 1.5] * 450_000";
    let outcome = session.run(&Cell::cell(setup), Rc::new(NoFrontend));
    assert!(outcome.error.is_none());
    let page = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(session.memory(40));
            start.elapsed()
        })
        .min()
        .unwrap();
    println!("%mem over 100,000 allocations, 10^6 slots   {:>8.2} ms", page.as_secs_f64() * 1e3);
}

/// The fastest of many rounds, each of many repetitions: the machine disturbs, it never helps.
fn best(mut work: impl FnMut()) -> Duration {
    let round = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..EACH {
            work();
        }
        start.elapsed()
    };
    (0..ROUNDS).map(|_| round(&mut work)).min().unwrap()
}

fn nanoseconds(round: Duration) -> f64 {
    round.as_nanos() as f64 / f64::from(EACH)
}
