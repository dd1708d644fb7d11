//! Ending what is evaluated, with as little lost as its phase allows: a compile is ended by ending the compiler, and nothing
//! is lost; code that runs is ended by ending its process, and the variables are lost.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::processes::{self, Number};
use crate::relay::Shared;

/// How often it is looked for what evcxr started anew.
const PAUSE: Duration = Duration::from_millis(10);

/// Ends what is evaluated, if something is; answers at once.
pub fn interrupt(shared: &Arc<Shared>) {
    shared.interrupt();
    let shared = Arc::clone(shared);
    let own = Number::try_from(std::process::id()).unwrap_or_default();
    // evcxr asks the compiler several times for one cell, so the end is insisted on until it has come.
    let _ = thread::Builder::new().name("interrupt".into()).spawn(move || {
        while shared.is_interrupted() {
            let process = shared.process();
            if shared.is_running() {
                end_process(&shared);
            } else {
                processes::kill(&processes::below(own, process));
            }
            thread::sleep(PAUSE);
        }
    });
}

/// Ends the process that runs cells, with what it started.
pub fn end_process(shared: &Shared) {
    if let Some(process) = shared.process() {
        let mut doomed = processes::below(process, None);
        doomed.push(process);
        processes::kill(&doomed);
    }
}
