//! The connection file: which endpoints to bind and how messages are signed (protocol: "Connection files").
//!
//! Reads and checks only; binding is done by the threads that own the sockets.

use super::signer::{Scheme, Signer};
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};

/// What a Jupyter front end told us to bind.
#[derive(Clone, Debug)]
pub struct Connection {
    transport: Transport,
    ip: String,
    shell: u16,
    control: u16,
    iopub: u16,
    stdin: u16,
    heartbeat: u16,
    signer: Signer,
}

/// The five channels of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Requests that may run code.
    Shell,
    /// Requests that must be answered while code runs.
    Control,
    /// Broadcast output.
    Iopub,
    /// Questions to the user.
    Stdin,
    /// Echo.
    Heartbeat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transport {
    Tcp,
    Ipc,
}

/// Why a connection file cannot be used.
#[derive(Debug)]
pub enum ConnectionError {
    /// The file cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// The file is not a JSON object.
    NotJson(String),
    /// A key is absent or has a value that means nothing.
    BadKey {
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectionError::Unreadable(path, error) => write!(f, "connection file {}: {error}", path.display()),
            ConnectionError::NotJson(problem) => write!(f, "connection file: {problem}"),
            ConnectionError::BadKey { key, problem } => write!(f, "connection file: {key}: {problem}"),
        }
    }
}

impl std::error::Error for ConnectionError {}

impl Connection {
    /// Reads a connection file; unknown keys are ignored, as front ends add their own.
    pub fn read(path: &Path) -> Result<Connection, ConnectionError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConnectionError::Unreadable(path.into(), error))?;
        Connection::parse(&text)
    }

    fn parse(text: &str) -> Result<Connection, ConnectionError> {
        let file: Value = serde_json::from_str(text).map_err(|error| ConnectionError::NotJson(error.to_string()))?;
        if !file.is_object() {
            return Err(ConnectionError::NotJson("not a JSON object".into()));
        }
        let transport = match text_of(&file, "transport", "tcp")? {
            "tcp" => Transport::Tcp,
            "ipc" => Transport::Ipc,
            other => return Err(bad("transport", format!("{other:?} is neither tcp nor ipc"))),
        };
        let scheme = match text_of(&file, "signature_scheme", "hmac-sha256")? {
            "hmac-sha256" | "" => Scheme::HmacSha256,
            "hmac-sha512" => Scheme::HmacSha512,
            other => {
                let problem = format!("{other:?} is not offered; use hmac-sha256 or hmac-sha512");
                return Err(bad("signature_scheme", problem));
            }
        };
        let default_ip = if transport == Transport::Tcp { "127.0.0.1" } else { "kernel-ipc" };
        Ok(Connection {
            transport,
            ip: text_of(&file, "ip", default_ip)?.to_owned(),
            shell: port(&file, "shell_port")?,
            control: port(&file, "control_port")?,
            iopub: port(&file, "iopub_port")?,
            stdin: port(&file, "stdin_port")?,
            heartbeat: port(&file, "hb_port")?,
            signer: Signer::new(scheme, text_of(&file, "key", "")?.as_bytes()),
        })
    }

    /// The libzmq endpoint of a channel.
    pub fn endpoint(&self, channel: Channel) -> String {
        match self.transport {
            Transport::Tcp => format!("tcp://{}:{}", self.ip, self.port(channel)),
            Transport::Ipc => format!("ipc://{}", self.ipc_path(channel)),
        }
    }

    /// The socket file of a channel when the transport is `ipc`; we unlink it on exit.
    pub fn socket_file(&self, channel: Channel) -> Option<PathBuf> {
        (self.transport == Transport::Ipc).then(|| PathBuf::from(self.ipc_path(channel)))
    }

    /// How messages of this connection are signed.
    pub fn signer(&self) -> &Signer {
        &self.signer
    }

    fn ipc_path(&self, channel: Channel) -> String {
        format!("{}-{}", self.ip, self.port(channel))
    }

    fn port(&self, channel: Channel) -> u16 {
        match channel {
            Channel::Shell => self.shell,
            Channel::Control => self.control,
            Channel::Iopub => self.iopub,
            Channel::Stdin => self.stdin,
            Channel::Heartbeat => self.heartbeat,
        }
    }
}

impl Channel {
    /// All five.
    pub const ALL: [Channel; 5] =
        [Channel::Shell, Channel::Control, Channel::Iopub, Channel::Stdin, Channel::Heartbeat];
}

fn bad(key: &'static str, problem: impl Into<String>) -> ConnectionError {
    ConnectionError::BadKey { key, problem: problem.into() }
}

fn text_of<'a>(file: &'a Value, key: &'static str, default: &'a str) -> Result<&'a str, ConnectionError> {
    match file.get(key) {
        None | Some(Value::Null) => Ok(default),
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(bad(key, format!("a string was expected, not {other}"))),
    }
}

/// Some launchers write ports as strings.
fn port(file: &Value, key: &'static str) -> Result<u16, ConnectionError> {
    let value = file.get(key).ok_or_else(|| bad(key, "is missing"))?;
    let number = match value {
        Value::String(text) => text.trim().parse::<u64>().ok(),
        other => other.as_u64(),
    };
    let number = number.and_then(|number| u16::try_from(number).ok()).filter(|&number| number != 0);
    number.ok_or_else(|| bad(key, format!("{value} is not a port from 1 to 65535")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn file() -> Value {
        json!({"transport": "tcp", "ip": "127.0.0.1", "shell_port": 1001, "control_port": "1002", "iopub_port": 1003,
               "stdin_port": 1004, "hb_port": "1005", "key": "k", "signature_scheme": "hmac-sha256",
               "kernel_name": "cellhold", "jupyter_session": "x.ipynb", "something": [1, 2]})
    }

    fn with(key: &str, value: Value) -> Result<Connection, ConnectionError> {
        let mut file = file();
        file[key] = value;
        Connection::parse(&file.to_string())
    }

    #[test]
    fn string_ports_and_unknown_keys_are_accepted() {
        let connection = Connection::parse(&file().to_string()).unwrap();
        assert_eq!(connection.endpoint(Channel::Control), "tcp://127.0.0.1:1002");
        assert_eq!(connection.endpoint(Channel::Heartbeat), "tcp://127.0.0.1:1005");
        assert_eq!(connection.socket_file(Channel::Shell), None);
    }

    #[test]
    fn ipc_joins_path_and_port() {
        let mut file = file();
        file["transport"] = json!("ipc");
        file["ip"] = json!("/tmp/k");
        let connection = Connection::parse(&file.to_string()).unwrap();
        assert_eq!(connection.endpoint(Channel::Iopub), "ipc:///tmp/k-1003");
        assert_eq!(connection.socket_file(Channel::Iopub), Some(PathBuf::from("/tmp/k-1003")));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            ("shell_port", json!(70000), "70000"),
            ("shell_port", json!("x"), "shell_port"),
            ("hb_port", json!(0), "hb_port"),
            ("transport", json!("udp"), "udp"),
            ("signature_scheme", json!("hmac-md5"), "hmac-sha256 or hmac-sha512"),
            ("key", json!(5), "key"),
        ];
        for (key, value, part) in cases {
            let problem = with(key, value.clone()).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(problem.contains(part), "{key} = {value}: {problem}");
        }
        assert!(Connection::parse("[1]").is_err());
        assert!(Connection::parse("{").is_err());
        assert!(Connection::parse("{}").is_err_and(|error| error.to_string().contains("shell_port")));
    }
}
