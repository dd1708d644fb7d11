//! The other end of the wire: asking the running Cellhold kernels of this user what memory they hold.
//!
//! Kernels are found through their connection files and asked on the control channel, which answers while a cell runs. A file
//! whose kernel is gone, or is another's, gives no answer and is passed over.

use super::connection::{Channel, Connection};
use super::message::{Encoder, Outgoing, Parent, decode};
use serde_json::{Value, json};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What one kernel says.
#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    /// Its connection file.
    pub file: PathBuf,
    /// The content of its `usage_reply`; `cellhold` holds the object of `%mem --json`.
    pub content: Value,
}

struct Question {
    file: PathBuf,
    socket: zmq::Socket,
    connection: Connection,
}

/// Asks every kernel that has a connection file in Jupyter's runtime folders and takes the answers that come in time.
pub fn usages(patience: Duration) -> Vec<Usage> {
    let files = runtime_folders(|name| std::env::var_os(name).map(PathBuf::from));
    usages_of(&connection_files(&files), patience)
}

fn usages_of(files: &[PathBuf], patience: Duration) -> Vec<Usage> {
    let context = zmq::Context::new();
    let mut open: Vec<Question> = files.iter().filter_map(|file| ask(&context, file)).collect();
    let until = Instant::now() + patience;
    let mut answers = Vec::new();
    while !open.is_empty() {
        let left = until.saturating_duration_since(Instant::now());
        let ready: Vec<bool> = {
            let mut items: Vec<zmq::PollItem<'_>> =
                open.iter().map(|question| question.socket.as_poll_item(zmq::POLLIN)).collect();
            match zmq::poll(&mut items, i64::try_from(left.as_millis()).unwrap_or(i64::MAX)) {
                Ok(count) if count > 0 => items.iter().map(zmq::PollItem::is_readable).collect(),
                Ok(_) | Err(_) => break,
            }
        };
        let mut at = 0;
        open.retain(|question| {
            let is_ready = ready.get(at).copied().unwrap_or(false);
            at += 1;
            if is_ready {
                answers.extend(answer(question));
            }
            !is_ready
        });
    }
    answers.sort_by(|one, other| one.file.cmp(&other.file));
    answers
}

fn ask(context: &zmq::Context, file: &Path) -> Option<Question> {
    let connection = Connection::read(file).ok()?;
    if !listens(&connection.endpoint(Channel::Control)) {
        return None;
    }
    let socket = context.socket(zmq::DEALER).ok()?;
    // Nothing of a question that nobody takes may keep this process.
    socket.set_linger(0).ok()?;
    socket.connect(&connection.endpoint(Channel::Control)).ok()?;
    let request = Outgoing::new("usage_request", &Parent::none(), json!({}));
    let frames = Encoder::new(connection.signer().clone()).encode(&[], &request);
    socket.send_multipart(frames, zmq::DONTWAIT).ok()?;
    Some(Question { file: file.to_path_buf(), socket, connection })
}

/// Whether anybody listens at an endpoint: libzmq would go on trying where the system knows at once that nobody does.
fn listens(endpoint: &str) -> bool {
    if let Some(path) = endpoint.strip_prefix("ipc://") {
        return UnixStream::connect(path).is_ok();
    }
    let address = endpoint.strip_prefix("tcp://").and_then(|address| address.to_socket_addrs().ok()?.next());
    address.is_some_and(|address| TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok())
}

/// The reply, if it is one of a Cellhold kernel.
fn answer(question: &Question) -> Option<Usage> {
    let frames = question.socket.recv_multipart(zmq::DONTWAIT).ok()?;
    let reply = decode(frames, question.connection.signer()).ok()?;
    let content = Value::Object(reply.content);
    let is_ours = reply.kind == "usage_reply" && content["cellhold"].is_object();
    is_ours.then(|| Usage { file: question.file.clone(), content })
}

/// Where Jupyter keeps connection files, by its own rules, with `variable` answering environment variables.
fn runtime_folders(variable: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    if let Some(folder) = variable("JUPYTER_RUNTIME_DIR") {
        return vec![folder];
    }
    let home = variable("HOME");
    let data = variable("JUPYTER_DATA_DIR")
        .or_else(|| variable("XDG_DATA_HOME").map(|folder| folder.join("jupyter")))
        .or_else(|| home.map(|home| home.join(".local/share/jupyter")));
    // Older Jupyters used the session's own folder.
    let old = variable("XDG_RUNTIME_DIR").map(|folder| folder.join("jupyter"));
    data.map(|folder| folder.join("runtime")).into_iter().chain(old).collect()
}

fn connection_files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_jupyters() {
        let folders = |pairs: &'static [(&str, &str)]| {
            runtime_folders(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| PathBuf::from(value)))
        };
        assert_eq!(folders(&[("HOME", "/h")]), [PathBuf::from("/h/.local/share/jupyter/runtime")]);
        assert_eq!(folders(&[("HOME", "/h"), ("JUPYTER_RUNTIME_DIR", "/r")]), [PathBuf::from("/r")]);
        assert_eq!(
            folders(&[("HOME", "/h"), ("XDG_DATA_HOME", "/d"), ("XDG_RUNTIME_DIR", "/run/1")]),
            [PathBuf::from("/d/jupyter/runtime"), PathBuf::from("/run/1/jupyter")]
        );
    }

    #[test]
    fn files_of_nobody_are_passed_over_in_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writes");
        file("kernel-broken.json", "{");
        file("kernel-other.txt", "{}");
        file(
            "kernel-gone.json",
            r#"{"transport": "ipc", "ip": "/nobody/here", "shell_port": 1, "control_port": 2, "iopub_port": 3, "stdin_port": 4, "hb_port": 5, "key": ""}"#,
        );
        let files = connection_files(&[folder.path().to_path_buf()]);
        assert_eq!(files.len(), 2);
        assert_eq!(usages_of(&files, Duration::from_millis(50)), []);
    }
}
