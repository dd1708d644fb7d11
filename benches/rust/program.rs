//! The other end of the benchmark of Rust cells: transfers, memcpy beside them, and the functions that array cells call.

use std::hint::black_box;
use std::io::BufRead;
use std::time::Instant;

use cellhold::{from_slice, get, register, start};

fn seconds<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let began = Instant::now();
    let value = run();
    (began.elapsed().as_secs_f64(), value)
}

fn main() {
    start();
    register("linear", |x: f64| 2.0 * x + 1.0);
    register("wave", |x: f64| (2.0 * x).sin() * (-(x * x)).exp());
    println!("registered");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line of the benchmark");
        let (what, bytes) = line.split_once(' ').unwrap_or((&line, "0"));
        let len = bytes.parse::<usize>().expect("a number of bytes") / 8;
        match what {
            "transfers" => {
                let values: Vec<f64> = (0..len).map(|at| at as f64).collect();
                let mut warm = vec![0.0f64; len];
                let (there, array) = seconds(|| from_slice(&values, len));
                let (back, received) = seconds(|| array.to_vec::<f64>());
                assert!(received == values, "other elements came back");
                drop((array, received));
                let (copy, ()) = seconds(|| warm.copy_from_slice(black_box(&values)));
                black_box(&warm);
                drop(warm);
                // As both directions do, into memory that the process has not touched before.
                let (fresh, clone) = seconds(|| values.clone());
                black_box(&clone);
                println!("{there} {back} {copy} {fresh}");
            }
            "trip" => {
                let array = get("small");
                let (time, ()) = seconds(|| (0..1000).for_each(|_| drop(&array + 1.0)));
                println!("{}", time / 1000.0);
            }
            _ => return,
        }
    }
}
