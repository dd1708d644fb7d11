//! The wire, against a scripted engine: a front end over real sockets, where every message must be expected.

use super::connection::Connection;
use super::engine::Engine;
use super::lifecycle::{Kernel, Options};
use super::message::{self, Encoder, Outgoing, Parent, Request};
use super::signer::{Scheme, Signer};
use crate::display::{Markup, MimeBundle};
use crate::session::{
    CellError, CellEvent, Completeness, Completions, Frontend, HistoryEntry, HistoryQuery, Interrupt, Match, Outcome,
    Payload, ReadLineError, Request as Cell, Snapshots, Stream,
};
use serde_json::{Value, json};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Ten times what is promised; only a hang meets it.
const WATCHDOG: Duration = Duration::from_secs(20);

/// Runs a cell's lines as commands.
struct Script {
    number: u32,
    interrupt: Interrupt,
    ran: Vec<HistoryEntry>,
}

impl Script {
    fn line(&self, line: &str, front: &dyn Frontend, outcome: &mut Outcome) -> Result<(), CellError> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let emit = |event| front.emit(event).unwrap();
        let write = |stream, text: String| emit(CellEvent::Text { stream, text });
        let show = |text: &str, id: &str, is_update| {
            emit(CellEvent::Display { bundle: MimeBundle::plain(text), id: Some(id.into()), is_update });
        };
        match command {
            "" => {}
            "print" => write(Stream::Stdout, format!("{rest}\n")),
            "part" => write(Stream::Stdout, rest.into()),
            "warn" => write(Stream::Stderr, format!("{rest}\n")),
            "flood" => {
                let count: usize = rest.parse().unwrap();
                (0..count).for_each(|number| write(Stream::Stdout, format!("line {number}\n")));
            }
            "show" => show(rest, rest, false),
            "reshow" => show("new", rest, true),
            "clear" => emit(CellEvent::Clear { wait: true }),
            "page" => outcome.payloads.push(Payload::Page(MimeBundle::plain(rest))),
            "next" => outcome.payloads.push(Payload::NextInput { text: rest.into(), replace: false }),
            "value" => {
                outcome.result = Some(MimeBundle::plain(rest));
                emit(CellEvent::Result { number: outcome.number, bundle: MimeBundle::plain(rest) });
            }
            "ask" => match front.read_line(rest, false) {
                Ok(answer) => write(Stream::Stdout, format!("got {answer}\n")),
                Err(ReadLineError::NotSupported) => return Err(error("StdinNotImplementedError", "")),
                Err(ReadLineError::Interrupted) => return Err(error("KeyboardInterrupt", "")),
                Err(ReadLineError::End) => return Err(error("EOFError", "")),
            },
            "spin" => {
                while !self.interrupt.is_raised() {
                    std::thread::yield_now();
                }
                return Err(error("KeyboardInterrupt", ""));
            }
            // Deaf to interrupts, as a device that never answers.
            "hang" => loop {
                std::thread::park();
            },
            "panic" => panic!("as a bug of ours would"),
            _ => return Err(error("SyntaxError", line)),
        }
        Ok(())
    }
}

fn error(class: &str, message: &str) -> CellError {
    let text = format!("{class}: {message}");
    CellError { class: class.into(), message: message.into(), markup: Markup::text(text.clone()), text }
}

impl Engine for Script {
    fn next_number(&self) -> u32 {
        self.number + 1
    }
    fn run(&mut self, cell: &Cell, front: Rc<dyn Frontend>) -> Outcome {
        self.number += u32::from(cell.stores_history);
        let mut outcome = Outcome { number: self.number, ..Outcome::default() };
        if !cell.is_silent {
            front.emit(CellEvent::Started { number: self.number, source: cell.source.clone() }).unwrap();
        }
        for line in cell.source.lines() {
            if let Err(error) = self.line(line, &*front, &mut outcome) {
                front.emit(CellEvent::Error(error.clone())).unwrap();
                outcome.error = Some(error);
                break;
            }
        }
        let output = outcome.result.as_ref().map(|bundle| bundle.plain_text().to_owned());
        self.ran.push(HistoryEntry { session: 1, number: self.number, source: cell.source.clone(), output });
        outcome
    }
    fn last_cell(&self) -> Option<Cell> {
        let wants = self.ran.iter().any(|entry| entry.source == "print atexit");
        wants.then(|| Cell { is_silent: true, ..Cell::cell("print bye") })
    }
    fn evaluate(&mut self, expression: &str, _front: Rc<dyn Frontend>) -> Result<MimeBundle, CellError> {
        if expression == "bad" { Err(error("NameError", "bad")) } else { Ok(MimeBundle::plain(expression)) }
    }
    fn complete(&mut self, source: &str, cursor: usize) -> Completions {
        let start = source[..cursor].rfind(' ').map_or(0, |space| space + 1);
        let item = |text: &str| Match { text: text.into(), kind: "instance", signature: String::new() };
        Completions { start, end: cursor, matches: vec![item("alpha"), item("beta")] }
    }
    fn inspect(&mut self, source: &str, cursor: usize, detail: u8) -> Option<MimeBundle> {
        (!source.is_empty()).then(|| MimeBundle::plain(format!("{} {detail}", &source[..cursor])))
    }
    fn is_complete(&self, source: &str) -> Completeness {
        match source {
            "(" => Completeness::Incomplete { indent: "    ".into() },
            ")" => Completeness::Invalid,
            _ => Completeness::Complete,
        }
    }
    fn history(&self, query: &HistoryQuery) -> Vec<HistoryEntry> {
        match query {
            HistoryQuery::Tail { count } => self.ran[self.ran.len().saturating_sub(*count)..].to_vec(),
            other => panic!("not asked for here: {other:?}"),
        }
    }
}

/// A front end: three DEALERs and a SUB.
struct FrontEnd {
    kernel: Option<Kernel>,
    encoder: Encoder,
    shell: zmq::Socket,
    control: zmq::Socket,
    stdin: zmq::Socket,
    iopub: zmq::Socket,
    context: zmq::Context,
    folder: tempfile::TempDir,
}

impl FrontEnd {
    fn new() -> FrontEnd {
        FrontEnd::with_scheme("hmac-sha256", Scheme::HmacSha256, "secret")
    }

    fn with_scheme(name: &str, scheme: Scheme, key: &str) -> FrontEnd {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("connection.json");
        let ip = folder.path().join("k").to_string_lossy().into_owned();
        let connection = json!({"transport": "ipc", "ip": ip, "shell_port": 1, "control_port": 2, "iopub_port": "3",
                                "stdin_port": 4, "hb_port": 5, "key": key, "signature_scheme": name});
        std::fs::write(&file, connection.to_string()).unwrap();
        let interrupt = Interrupt::new();
        let options =
            Options { interrupt: interrupt.clone(), snapshots: Snapshots::default(), captures_descriptors: false };
        let engine = move || Script { number: 0, interrupt, ran: Vec::new() };
        let kernel = Kernel::start(&Connection::read(&file).unwrap(), options, engine).unwrap();
        let context = zmq::Context::new();
        let connected = |kind, port: u16| {
            let socket = context.socket(kind).unwrap();
            socket.set_linger(0).unwrap();
            socket.set_rcvtimeo(i32::try_from(WATCHDOG.as_millis()).unwrap()).unwrap();
            if kind == zmq::SUB {
                socket.set_subscribe(b"").unwrap();
            } else {
                socket.set_identity(b"front end").unwrap();
            }
            socket.connect(&format!("ipc://{ip}-{port}")).unwrap();
            socket
        };
        let front = FrontEnd {
            kernel: Some(kernel),
            encoder: Encoder::new(Signer::new(scheme, key.as_bytes())),
            shell: connected(zmq::DEALER, 1),
            control: connected(zmq::DEALER, 2),
            stdin: connected(zmq::DEALER, 4),
            iopub: connected(zmq::SUB, 3),
            context,
            folder,
        };
        let (kind, content) = front.broadcast(None);
        assert_eq!((kind.as_str(), content), ("iopub_welcome", json!({"subscription": ""})));
        front
    }

    fn encode(&self, kind: &'static str, content: Value) -> (Vec<Vec<u8>>, Vec<u8>) {
        let frames = self.encoder.encode(&[], &Outgoing::new(kind, &Parent::none(), content));
        let header = frames[2].clone();
        (frames, header)
    }

    /// Sends on shell; the answer is the header that output will have as parent.
    fn send(&self, kind: &'static str, content: Value) -> Vec<u8> {
        let (frames, header) = self.encode(kind, content);
        self.shell.send_multipart(frames, 0).unwrap();
        header
    }

    fn execute(&self, code: &str) -> Vec<u8> {
        self.send("execute_request", json!({"code": code}))
    }

    fn receive(&self, socket: &zmq::Socket) -> (Request, Vec<u8>) {
        let frames = socket.recv_multipart(0).expect("a message within the watchdog's time");
        let delimiter = frames.iter().position(|frame| frame == b"<IDS|MSG>").unwrap();
        let parent = frames[delimiter + 3].clone();
        (message::decode(frames, self.encoder.signer()).unwrap(), parent)
    }

    fn reply(&self, parent: &[u8]) -> (String, Value) {
        let (reply, of) = self.receive(&self.shell);
        assert_eq!(String::from_utf8_lossy(&of), String::from_utf8_lossy(parent));
        (reply.kind, Value::Object(reply.content))
    }

    fn broadcast(&self, parent: Option<&[u8]>) -> (String, Value) {
        let (mut message, mut of) = self.receive(&self.iopub);
        if message.content.get("execution_state") == Some(&json!("starting")) {
            // Seen only by who subscribes early enough.
            (message, of) = self.receive(&self.iopub);
        }
        assert_eq!(String::from_utf8_lossy(&of), parent.map_or("{}".into(), String::from_utf8_lossy));
        (message.kind, Value::Object(message.content))
    }

    /// Everything between busy and idle of one request, in short words.
    fn output(&self, parent: &[u8]) -> Vec<String> {
        assert_eq!(self.broadcast(Some(parent)), ("status".into(), json!({"execution_state": "busy"})));
        let mut seen = Vec::new();
        loop {
            let (kind, content) = self.broadcast(Some(parent));
            seen.push(match kind.as_str() {
                "status" if content["execution_state"] == "idle" => return seen,
                "stream" => format!("{} {}", content["name"].as_str().unwrap(), content["text"].as_str().unwrap()),
                "execute_input" => format!("in[{}] {}", content["execution_count"], content["code"].as_str().unwrap()),
                "execute_result" => format!("out[{}] {}", content["execution_count"], content["data"]["text/plain"]),
                "error" => format!("error {}", content["ename"].as_str().unwrap()),
                _ => format!("{kind} {content}"),
            });
        }
    }

    /// Runs one cell to its end: its output and its reply.
    fn run(&self, code: &str) -> (Vec<String>, Value) {
        let parent = self.execute(code);
        let (kind, reply) = self.reply(&parent);
        assert_eq!(kind, "execute_reply");
        (self.output(&parent), reply)
    }

    fn end(mut self) -> bool {
        self.kernel.take().unwrap().end()
    }
}

#[test]
fn a_cell_is_bracketed_and_its_output_in_order() {
    let front = FrontEnd::new();
    let (output, reply) = front.run("print a\nwarn b\nprint c\nshow d\nclear\nreshow d\nvalue 5");
    let expected = [
        "in[1] print a\nwarn b\nprint c\nshow d\nclear\nreshow d\nvalue 5",
        "stdout a\n",
        "stderr b\n",
        "stdout c\n",
        r#"display_data {"data":{"text/plain":"d"},"metadata":{},"transient":{"display_id":"d"}}"#,
        r#"clear_output {"wait":true}"#,
        r#"update_display_data {"data":{"text/plain":"new"},"metadata":{},"transient":{"display_id":"d"}}"#,
        r#"out[1] "5""#,
    ];
    assert_eq!(output, expected);
    assert_eq!(reply, json!({"status": "ok", "user_expressions": {}, "execution_count": 1, "payload": []}));
    assert!(front.end());
}

#[test]
fn counting_silence_expressions_and_payload() {
    let front = FrontEnd::new();
    let ask = |content: Value| {
        let parent = front.send("execute_request", content);
        let (_, reply) = front.reply(&parent);
        (front.output(&parent), reply)
    };
    let (output, reply) = ask(json!({"code": "value 1", "silent": true}));
    assert_eq!((output, &reply["execution_count"]), (vec![], &json!(0)));
    let (output, _) = ask(json!({"code": "value 1", "store_history": false}));
    assert_eq!(output, ["in[0] value 1", r#"out[0] "1""#]);
    let (_, reply) = ask(json!({"code": "", "user_expressions": {"a": "x", "b": "bad"}}));
    assert_eq!(reply["execution_count"], 1);
    assert_eq!(reply["user_expressions"]["a"], json!({"status": "ok", "data": {"text/plain": "x"}, "metadata": {}}));
    assert_eq!(reply["user_expressions"]["b"]["status"], "error");
    assert_eq!(reply["user_expressions"]["b"]["ename"], "NameError");
    let (_, reply) = ask(json!({"code": "page help\nnext x = 1"}));
    let page = json!({"source": "page", "data": {"text/plain": "help"}, "start": 0});
    let next = json!({"source": "set_next_input", "text": "x = 1", "replace": false});
    assert_eq!((&reply["payload"], &reply["execution_count"]), (&json!([page, next]), &json!(2)));
    let (output, reply) = ask(json!({"code": "nonsense"}));
    assert_eq!(output, ["in[3] nonsense", "error SyntaxError"]);
    assert_eq!((&reply["status"], &reply["execution_count"]), (&json!("error"), &json!(3)));
}

#[test]
fn a_failure_aborts_the_queued_cells_and_nothing_else() {
    let front = FrontEnd::new();
    let spinning = front.execute("spin");
    let queued = [front.execute("print one"), front.execute("print two")];
    let question = front.send("complete_request", json!({"code": "x", "cursor_pos": 1}));
    interrupt_when_running(&front, &spinning);
    assert_eq!(front.reply(&spinning).1["ename"], "KeyboardInterrupt");
    for parent in &queued {
        let (_, reply) = front.reply(parent);
        assert_eq!((&reply["status"], &reply["ename"]), (&json!("error"), &json!("ExecutionAborted")));
        assert_eq!(reply["execution_count"], Value::Null);
        assert_eq!(front.output(parent), [""; 0]);
    }
    assert_eq!(front.reply(&question).1["matches"], json!(["alpha", "beta"]));
    front.output(&question);
    assert_eq!(front.run("print three").0, ["in[2] print three", "stdout three\n"]);
    let lenient = front.send("execute_request", json!({"code": "nonsense", "stop_on_error": false}));
    let after = front.execute("print four");
    assert_eq!(front.reply(&lenient).1["status"], "error");
    assert_eq!(front.reply(&after).1["status"], "ok");
}

/// Waits until the cell is seen to run, interrupts it on control, and reads its output to the end.
fn interrupt_when_running(front: &FrontEnd, cell: &[u8]) {
    assert_eq!(front.broadcast(Some(cell)).1["execution_state"], "busy");
    let (frames, interrupt) = front.encode("interrupt_request", json!({}));
    front.control.send_multipart(frames, 0).unwrap();
    assert_eq!(front.receive(&front.control).0.kind, "interrupt_reply");
    let (mut of_cell, mut of_interrupt) = (Vec::new(), Vec::new());
    while of_cell.last().is_none_or(|last| last != "idle") || of_interrupt.len() < 2 {
        let (message, parent) = front.receive(&front.iopub);
        let state = message.content.get("execution_state").and_then(Value::as_str);
        let word = state.map_or(message.kind.clone(), str::to_owned);
        if parent == cell { &mut of_cell } else { &mut of_interrupt }.push(word);
        assert!(parent == cell || parent == interrupt);
    }
    assert_eq!(of_cell, ["execute_input", "error", "idle"]);
    assert_eq!(of_interrupt, ["busy", "idle"]);
}

#[test]
fn control_answers_while_a_cell_runs_and_keeps_its_own_parents() {
    let front = FrontEnd::new();
    let cell = front.execute("part waiting\nask ?");
    assert_eq!(front.broadcast(Some(&cell)).0, "status");
    assert_eq!(front.broadcast(Some(&cell)).0, "execute_input");
    assert_eq!(front.broadcast(Some(&cell)), ("stream".into(), json!({"name": "stdout", "text": "waiting"})));
    let (question, _) = front.receive(&front.stdin);
    assert_eq!(Value::Object(question.content), json!({"prompt": "?", "password": false}));
    for kind in ["kernel_info_request", "usage_request"] {
        let (frames, header) = front.encode(kind, json!({}));
        front.control.send_multipart(frames, 0).unwrap();
        let (reply, parent) = front.receive(&front.control);
        assert_eq!(parent, header);
        assert_eq!(reply.kind, kind.replace("request", "reply"));
        if kind == "usage_request" {
            assert!(reply.content.contains_key("cellhold"));
        }
        assert_eq!(front.output(&header), [""; 0]);
    }
    let (mut frames, _) = front.encode("input_reply", json!({"value": "é"}));
    front.stdin.send_multipart(frames.drain(..), 0).unwrap();
    assert_eq!(front.broadcast(Some(&cell)), ("stream".into(), json!({"name": "stdout", "text": "got é\n"})));
    assert_eq!(front.broadcast(Some(&cell)).1["execution_state"], "idle");
}

#[test]
fn input_can_be_refused_ended_and_interrupted() {
    let front = FrontEnd::new();
    let parent = front.send("execute_request", json!({"code": "ask ?", "allow_stdin": false}));
    assert_eq!(front.reply(&parent).1["ename"], "StdinNotImplementedError");
    front.output(&parent);
    let parent = front.execute("ask ?");
    front.receive(&front.stdin);
    front.stdin.send_multipart(front.encode("input_reply", json!({"value": "\u{4}"})).0, 0).unwrap();
    assert_eq!(front.reply(&parent).1["ename"], "EOFError");
    front.output(&parent);
    let parent = front.execute("ask ?");
    front.receive(&front.stdin);
    interrupt_when_running(&front, &parent);
    assert_eq!(front.reply(&parent).1["ename"], "KeyboardInterrupt");
}

#[test]
fn a_question_waits_for_a_front_end_that_connects_late() {
    let front = FrontEnd::new();
    let connected = |port: u16| {
        let socket = front.context.socket(zmq::DEALER).unwrap();
        socket.set_linger(0).unwrap();
        socket.set_rcvtimeo(i32::try_from(WATCHDOG.as_millis()).unwrap()).unwrap();
        socket.set_identity(b"late").unwrap();
        socket.connect(&format!("ipc://{}-{port}", front.folder.path().join("k").display())).unwrap();
        socket
    };
    let shell = connected(1);
    let (frames, header) = front.encode("execute_request", json!({"code": "ask ?"}));
    shell.send_multipart(frames, 0).unwrap();
    assert_eq!(front.broadcast(Some(&header)).0, "status");
    assert_eq!(front.broadcast(Some(&header)).0, "execute_input");
    let stdin = connected(4);
    assert_eq!(front.receive(&stdin).0.kind, "input_request");
    stdin.send_multipart(front.encode("input_reply", json!({"value": "here"})).0, 0).unwrap();
    assert_eq!(front.receive(&shell).0.content["status"], "ok");
}

#[test]
fn a_flood_arrives_whole_or_its_gap_is_counted() {
    let front = FrontEnd::new();
    let all: usize = (0..100_000).map(|number| format!("line {number}\n").len()).sum();
    let (output, reply) = front.run("flood 100000");
    assert_eq!(reply["status"], "ok");
    let text: String = output[1..].iter().map(|part| part.strip_prefix("stdout ").unwrap()).collect();
    let gaps = text.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
    let mut left_out = 0;
    let mut notices = 0;
    for gap in gaps {
        left_out += gap.split(' ').next().unwrap().replace(',', "").parse::<usize>().unwrap();
        notices += gap.len() + "[]\n".len();
    }
    let added_line_ends = text.len() - notices + left_out - all;
    assert!(added_line_ends <= 1 + notices / 60, "{added_line_ends} bytes too many");
    assert!(left_out > 0, "100,000 lines in an instant are more than a notebook takes in");
    assert!(text.starts_with("line 0\nline 1\n"));
}

#[test]
fn displays_are_never_dropped() {
    let front = FrontEnd::new();
    let (output, _) = front.run(&"show x\n".repeat(1500));
    assert_eq!(output.iter().filter(|part| part.starts_with("display_data")).count(), 1500);
}

#[test]
fn partial_lines_show_soon() {
    let front = FrontEnd::new();
    let parent = front.execute("part 10 %\nspin");
    assert_eq!(front.broadcast(Some(&parent)).0, "status");
    assert_eq!(front.broadcast(Some(&parent)).0, "execute_input");
    assert_eq!(front.broadcast(Some(&parent)).1["text"], "10 %");
}

#[test]
fn dull_requests_are_answered_and_unknown_ones_bracketed() {
    let front = FrontEnd::new();
    let ask = |kind: &'static str, content: Value| {
        let parent = front.send(kind, content);
        let (of, reply) = front.reply(&parent);
        assert_eq!(of, kind.replace("request", "reply"));
        assert_eq!(front.output(&parent), [""; 0]);
        reply
    };
    let info = ask("kernel_info_request", json!({}));
    assert_eq!((&info["protocol_version"], &info["language_info"]["name"]), (&json!("5.5"), &json!("cellhold")));
    assert_eq!(ask("comm_info_request", json!({})), json!({"status": "ok", "comms": {}}));
    let incomplete = json!({"status": "incomplete", "indent": "    "});
    assert_eq!(ask("is_complete_request", json!({"code": "("})), incomplete);
    assert_eq!(ask("is_complete_request", json!({"code": ")"})), json!({"status": "invalid"}));
    let completed = ask("complete_request", json!({"code": "𝛑 = al rest", "cursor_pos": 6}));
    assert_eq!((&completed["cursor_start"], &completed["cursor_end"]), (&json!(4), &json!(6)));
    let types = completed["metadata"]["_jupyter_types_experimental"].as_array().unwrap();
    assert_eq!(types[1], json!({"start": 4, "end": 6, "text": "beta", "type": "instance", "signature": ""}));
    let inspected = ask("inspect_request", json!({"code": "𝛑b", "cursor_pos": 1, "detail_level": 1}));
    assert_eq!(inspected["data"]["text/plain"], "𝛑 1");
    assert_eq!(ask("inspect_request", json!({"code": "", "cursor_pos": 99}))["found"], false);
    let unknown = front.send("nonsense_request", json!({}));
    assert_eq!(front.output(&unknown), [""; 0]);
    let comm = front.send("comm_open", json!({"comm_id": "c", "target_name": "t", "data": {}}));
    assert_eq!(front.output(&comm), [r#"comm_close {"comm_id":"c","data":{}}"#]);
    front.run("value 1");
    let history = ask("history_request", json!({"hist_access_type": "tail", "n": 5, "output": true}));
    assert_eq!(history["history"], json!([[1, 1, ["value 1", "1"]]]));
}

#[test]
fn garbage_and_bad_signatures_are_dropped() {
    let front = FrontEnd::new();
    let forged = Encoder::new(Signer::new(Scheme::HmacSha256, b"other"));
    let request = Outgoing::new("execute_request", &Parent::none(), json!({"code": "print x"}));
    for socket in [&front.shell, &front.control] {
        socket.send_multipart(forged.encode(&[], &request), 0).unwrap();
        socket.send_multipart(["<IDS|MSG>", "", "{"], 0).unwrap();
        socket.send(&b"\xff\xfe"[..], 0).unwrap();
    }
    assert_eq!(front.run("print y").0, ["in[1] print y", "stdout y\n"]);
}

#[test]
fn other_signature_schemes_work() {
    for (name, scheme, key) in [
        ("hmac-sha512", Scheme::HmacSha512, "k"),
        ("hmac-sha256", Scheme::HmacSha256, ""),
        ("", Scheme::HmacSha256, ""),
    ] {
        let front = FrontEnd::with_scheme(name, scheme, key);
        assert_eq!(front.run("print y").0.len(), 2, "{name} {key:?}");
    }
}

#[test]
fn every_subscriber_is_welcomed() {
    let front = FrontEnd::new();
    let endpoint = format!("ipc://{}-3", front.folder.path().join("k").display());
    let second = front.context.socket(zmq::SUB).unwrap();
    second.set_rcvtimeo(i32::try_from(WATCHDOG.as_millis()).unwrap()).unwrap();
    second.set_linger(0).unwrap();
    second.set_subscribe(b"").unwrap();
    second.connect(&endpoint).unwrap();
    assert_eq!(front.receive(&second).0.kind, "iopub_welcome");
}

#[test]
fn the_heartbeat_echoes_bytes() {
    let front = FrontEnd::new();
    let heart = front.context.socket(zmq::REQ).unwrap();
    heart.set_rcvtimeo(i32::try_from(WATCHDOG.as_millis()).unwrap()).unwrap();
    heart.set_linger(0).unwrap();
    heart.connect(&format!("ipc://{}-5", front.folder.path().join("k").display())).unwrap();
    for bytes in [&b"ping"[..], b"\x00\xff", b""] {
        heart.send(bytes, 0).unwrap();
        assert_eq!(heart.recv_bytes(0).unwrap(), bytes);
    }
}

#[test]
fn a_kernel_ends_within_two_seconds_in_any_state_and_leaves_no_files() {
    for (code, is_clean) in [("", true), ("spin", true), ("ask ?", true), ("hang", false)] {
        let front = FrontEnd::new();
        let parent = front.execute(code);
        assert_eq!(front.broadcast(Some(&parent)).0, "status");
        assert_eq!(front.broadcast(Some(&parent)).0, "execute_input");
        let folder = front.folder.path().to_path_buf();
        let (frames, header) = front.encode("shutdown_request", json!({"restart": true}));
        front.control.send_multipart(frames, 0).unwrap();
        let (reply, parent) = front.receive(&front.control);
        assert_eq!((reply.kind.as_str(), parent), ("shutdown_reply", header));
        assert_eq!(Value::Object(reply.content), json!({"status": "ok", "restart": true}));
        let started = Instant::now();
        assert_eq!(front.kernel.as_ref().unwrap().stop().wait(), super::control::Stop::Requested);
        let socket_files = || {
            std::fs::read_dir(&folder)
                .unwrap()
                .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("k-"))
        };
        assert!(socket_files().count() > 0);
        let FrontEnd { kernel, folder: _kept, .. } = front;
        assert_eq!(kernel.unwrap().end(), is_clean, "{code}");
        assert!(started.elapsed() < Duration::from_secs(2), "{code}: {:?}", started.elapsed());
        assert_eq!(socket_files().count(), 0, "{code}");
    }
}

#[test]
fn what_a_program_wants_at_its_end_is_done_and_shown() {
    let mut front = FrontEnd::new();
    let parent = front.execute("print atexit");
    front.reply(&parent);
    front.output(&parent);
    assert!(front.kernel.take().unwrap().end());
    assert_eq!(front.broadcast(Some(&parent)), ("stream".into(), json!({"name": "stdout", "text": "bye\n"})));
}

#[test]
fn a_kernel_whose_engine_is_lost_ends() {
    let front = FrontEnd::new();
    front.execute("panic");
    assert_eq!(front.kernel.as_ref().unwrap().stop().wait(), super::control::Stop::Broken);
    assert!(front.end());
}
