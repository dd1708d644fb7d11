//! The process that owns the evcxr context: reads requests, evaluates them one after another on its first thread, and answers.

use std::io::{BufRead, BufReader};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use rustix::fs::{Mode, OFlags};
use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use serde_json::{Value, json};

use crate::evaluator::{Answer, Evaluator};
use crate::interrupt::{end_process, interrupt};
use crate::messages::{FOLDER_VARIABLE, Failure, PROTOCOL, Request, Sink};
use crate::relay::{self, Shared};
use crate::runtime::{WORKER_VARIABLE, relay_socket};
use crate::source::Cell;
use crate::supervisor::complain;

/// The crate that brings the arrays to cells, as the builders of this program found it.
mod client {
    include!("../client/embed.rs");
}

/// Runs until the kernel goes.
pub fn run() -> ExitCode {
    match work() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn work() -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    live_with_the_supervisor().map_err(text)?;
    // SAFETY: there is no other thread in this process yet.
    unsafe { std::env::set_var(WORKER_VARIABLE, std::process::id().to_string()) };
    let folder = std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from).ok_or("the private folder is not named")?;
    let prelude = prepare_folder(&folder)?;
    let socket = take_socket().map_err(text)?;
    let sink = Sink::new(socket.try_clone().map_err(text)?);
    let shared = Arc::new(Shared::new(sink.clone()));
    relay::start(&relay_socket().ok_or("the private folder is not named")?, Arc::clone(&shared)).map_err(text)?;
    let (sender, requests) = mpsc::channel();
    let reading = Arc::clone(&shared);
    thread::Builder::new()
        .name("requests".into())
        .spawn(move || {
            read(socket, &sender, &reading);
            // The supervisor sees the same end and clears away what is left.
            std::process::exit(0);
        })
        .map_err(text)?;
    sink.send(&json!({"event": "hello", "protocol": PROTOCOL, "process": std::process::id()}));
    let mut evaluator = match Evaluator::start(Arc::clone(&shared), prelude) {
        Ok(evaluator) => evaluator,
        Err(error) => {
            sink.send(&json!({"event": "unable", "text": error}));
            return Err(error);
        }
    };
    sink.send(&json!({"event": "ready"}));
    for request in requests {
        answer(&mut evaluator, &shared, &sink, request);
        if let Err(error) = evaluator.recover() {
            sink.send(&json!({"event": "unable", "text": error}));
            return Err(error);
        }
    }
    Ok(())
}

/// The supervisor's only thread started this process and lives as long as it does.
fn live_with_the_supervisor() -> std::io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let named = std::env::args().nth(2).and_then(|text| text.parse::<i32>().ok());
    if getppid().map(|parent| parent.as_raw_nonzero().get()) != named {
        return Err(std::io::Error::other("the supervisor has ended"));
    }
    Ok(())
}

/// Takes the socket off the standard input, so that nothing that is started below inherits it.
fn take_socket() -> std::io::Result<UnixStream> {
    let socket = std::io::stdin().as_fd().try_clone_to_owned()?;
    let nothing = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(nothing)?;
    Ok(UnixStream::from(socket))
}

/// Writes the arrays' crate; answers the text that brings it into a context.
fn prepare_folder(folder: &Path) -> Result<String, String> {
    let files = folder.join("evcxr");
    std::fs::create_dir_all(&files).map_err(|error| format!("{}: {error}", files.display()))?;
    // SAFETY: there is no other thread in this process yet.
    unsafe { std::env::set_var("EVCXR_TMPDIR", &files) };
    let client = folder.join("client");
    for (name, text) in client::FILES {
        let path = client.join(name);
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(match client::FILES {
        [] => String::new(),
        _ => format!(":dep cellhold = {{ path = {:?} }}\nuse cellhold::*;\n", client.to_string_lossy()),
    })
}

/// Reads requests until the kernel goes; an interrupt is not kept waiting.
fn read(socket: UnixStream, requests: &Sender<Request>, shared: &Arc<Shared>) {
    for line in BufReader::new(socket).lines() {
        let Ok(line) = line else { return };
        match Request::parse(&line) {
            Ok(Request::Interrupt) => interrupt(shared),
            Ok(Request::EndProcess) => end_process(shared),
            Ok(request) => {
                if requests.send(request).is_err() {
                    return;
                }
            }
            Err(error) => complain(&error),
        }
    }
}

fn answer(evaluator: &mut Evaluator, shared: &Arc<Shared>, sink: &Sink, request: Request) {
    match request {
        Request::Evaluate { id, code, cell, line } => {
            perform(evaluator, shared, id, |evaluator| evaluator.evaluate(Cell { number: cell, line, text: code }));
        }
        Request::Drop { id, name } => perform(evaluator, shared, id, |evaluator| evaluator.drop_variable(&name)),
        Request::Name { id } => perform(evaluator, shared, id, Evaluator::name_holders),
        Request::Complete { id, code, position } => {
            let answer = evaluator.complete(&code, position);
            sink.send(&json!({"id": id, "event": "completions", "completions": answer}));
        }
        Request::Reset { id } => match evaluator.reset() {
            Ok(()) => sink.send(&json!({"id": id, "event": "done", "state": state(evaluator, &[])})),
            Err(error) => sink.failed(id, Failure::Other, &error, state(evaluator, &[])),
        },
        Request::Interrupt | Request::EndProcess => {}
    }
}

/// Does something that runs code, and says what became of it and of the variables.
fn perform(evaluator: &mut Evaluator, shared: &Arc<Shared>, id: u64, act: impl FnOnce(&mut Evaluator) -> Answer) {
    let sink = shared.sink();
    match evaluator.notice_end() {
        Ok(None) => {}
        Ok(Some((how, lost))) => {
            let names: Vec<&String> = lost.keys().collect();
            sink.send(&json!({"id": id, "event": "restarted", "how": how, "lost": names}));
        }
        Err(error) => {
            sink.failed(id, Failure::Other, &error, state(evaluator, &[]));
            return;
        }
    }
    let before = evaluator.variables();
    shared.begin(id);
    let answer = act(evaluator);
    let was_interrupted = shared.end();
    let after = evaluator.variables();
    let lost: Vec<&str> = before.keys().filter(|name| !after.contains_key(*name)).map(String::as_str).collect();
    match answer {
        Answer::Done(outputs) if !was_interrupted => {
            sink.send(&json!({"id": id, "event": "done", "outputs": outputs, "state": state(evaluator, &[])}));
        }
        Answer::Failed(failure, text) if !was_interrupted => {
            sink.failed(id, failure, &text, state(evaluator, &lost));
        }
        _ => sink.failed(id, Failure::Interrupted, "interrupted", state(evaluator, &lost)),
    }
}

fn state(evaluator: &Evaluator, lost: &[&str]) -> Value {
    let variables: Vec<Value> = evaluator.variables().into_iter().map(|(name, kind)| json!([name, kind])).collect();
    json!({"variables": variables, "lost": lost})
}
