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
                    let device = registry::add_simulated("gpu mem=256MiB").unwrap().remove(0);
                    let alloc = Alloc::queue(registry::cached_queue(&device).unwrap(), UsmKind::Device);
                    run(include_str!(concat!(stringify!($name), ".txt")), &alloc);
                    registry::finish_all().unwrap();
                    crate::arrays::ledger::assert_empty();
                }
            )*
        }
    };
}
case_files!(shapes creation joining calculus products statistics transforms sorting picking subscripts randoms);
