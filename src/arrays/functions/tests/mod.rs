//! Runs the case files that `make_cases.py` writes with the real NumPy, and compares texts.

mod calls;
mod calls_calculus;
mod calls_joining;
mod calls_products;
mod calls_random;
mod calls_statistics;
mod calls_transforms;
mod case;
mod single;

use crate::arrays::array::Alloc;
use crate::arrays::{UsmKind, registry};
use case::Case;

/// Runs every line of a case file on arrays in the given memory; prints the first that differ.
fn run(file: &str, alloc: &Alloc) {
    case::place(alloc);
    let mut wrong = Vec::new();
    for line in file.lines() {
        let case = Case::parse(line);
        let ours = match calls::call(&case) {
            Ok(text) => text,
            Err(error) => format!("! {error}"),
        };
        if ours != case.expected {
            wrong.push(format!("{}\nours:  {ours}\nNumPy: {}\n", line.rsplit_once('\t').unwrap().0, case.expected));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

fn run_on_simulated(description: &str, file: &str) {
    let device = registry::add_simulated(description).unwrap().remove(0);
    run(file, &Alloc::queue(registry::cached_queue(&device).unwrap(), UsmKind::Device));
    registry::finish_all().unwrap();
    crate::arrays::ledger::assert_empty();
}

macro_rules! case_files {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                run(include_str!(concat!(stringify!($name), ".txt")), &Alloc::HOST);
                crate::arrays::ledger::assert_empty();
            }
        )*

        /// The same answers from a device whose queue works behind the caller's back.
        mod queued {
            use super::*;

            $(
                #[test]
                fn $name() {
                    run_on_simulated("gpu mem=256MiB", include_str!(concat!(stringify!($name), ".txt")));
                }
            )*
        }

        /// The same answers from a device whose memory faults when the host touches it, as that of a discrete GPU.
        mod out_of_reach {
            use super::*;

            $(
                #[test]
                fn $name() {
                    run_on_simulated("gpu mem=256MiB host_access=no", include_str!(concat!(stringify!($name), ".txt")));
                }
            )*
        }
    };
}
case_files!(shapes creation joining calculus products statistics transforms sorting picking subscripts randoms);
