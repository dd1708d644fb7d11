//! `cellhold-rust`: the helper process of `%%rust` cells. It owns the evcxr context and speaks to the kernel over the
//! socket that it finds as its standard input; it knows nothing of arrays, notebooks or terminals.
//!
//! One binary, four roles. evcxr starts it again to run the compiled cells (*runtime*) and as a wrapper of rustc; the kernel
//! starts it as *supervisor*, which starts itself as *worker* and sees to it that nothing survives either of them.
//! ARCHITECTURE.md has the picture.

mod diagnostics;
mod evaluator;
mod interrupt;
mod messages;
mod processes;
mod relay;
mod runtime;
mod source;
mod supervisor;
mod worker;

use std::process::ExitCode;

/// The argument by which the supervisor starts the worker.
const WORKER: &str = "worker";

#[expect(clippy::print_stdout, reason = "a command that was started by hand says what it is")]
fn main() -> ExitCode {
    // Nothing may stand before this but what a role of evcxr itself needs, in a process without threads.
    if runtime::is_runtime() {
        runtime::prepare();
    }
    evcxr::runtime_hook();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some(WORKER) => worker::run(),
        Some("--version") => {
            println!("cellhold-rust {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        _ if std::env::var_os(messages::FOLDER_VARIABLE).is_some() => supervisor::run(),
        _ => {
            println!(
                "cellhold-rust runs the %%rust cells of Cellhold, which starts it by itself; there is nothing to call."
            );
            ExitCode::from(2)
        }
    }
}
