//! The socket against programs that are none of ours: whatever comes, the session answers with an error or hangs up, and goes on.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use proptest::prelude::*;

use super::*;

const GREETING: [u8; 7] = [b'C', b'H', b'R', b'A', 1, 0, 0];

/// A connection that has been greeted; the descriptor of the window is left to the system.
fn greeted(bench: &mut Bench) -> UnixStream {
    let mut stream = UnixStream::connect(&bench.path).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(&GREETING).unwrap();
    let mut answer = [0; 9];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(answer[0], 1);
    stream
}

/// Sends bytes, closes this direction, and reads whatever is answered while the session attends.
fn send(bench: &mut Bench, mut stream: UnixStream, bytes: &[u8]) -> Vec<u8> {
    // It may hang up before it has all.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let reading = std::thread::spawn(move || {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    });
    bench.attend_until("the end of a connection", |_| reading.is_finished());
    reading.join().unwrap()
}

#[test]
fn a_stranger_is_sent_away() {
    in_session(move |mut bench| {
        for greeting in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"", b"CHRA", b"CHRA\x01\x00\x09", b"CHRB\x01\x00\x00"] {
            let stream = UnixStream::connect(&bench.path).unwrap();
            assert_eq!(send(&mut bench, stream, greeting), b"");
        }
        // Another version is told so.
        let stream = UnixStream::connect(&bench.path).unwrap();
        assert_eq!(send(&mut bench, stream, b"CHRA\x63\x00\x00"), [0; 9]);
        bench.ends_empty();
    });
}

#[test]
fn lengths_that_lie_cost_nothing() {
    in_session(move |mut bench| {
        for length in [u32::MAX, 1 << 30, (1 << 20) + 1] {
            let stream = greeted(&mut bench);
            assert_eq!(send(&mut bench, stream, &length.to_le_bytes()), b"");
        }
        // A frame that stops in the middle.
        let stream = greeted(&mut bench);
        assert_eq!(send(&mut bench, stream, &[100, 0, 0, 0, 1, 2, 3]), b"");
        // An array of 2^60 elements, through the window: refused before anything is made.
        let mut frame = vec![16];
        frame.extend(1u64.to_le_bytes());
        frame.extend([11, 1, 0, 0, 0]);
        frame.extend((1u64 << 60).to_le_bytes());
        frame.push(1);
        let mut whole = (frame.len() as u32).to_le_bytes().to_vec();
        whole.extend(frame);
        let stream = greeted(&mut bench);
        let answer = send(&mut bench, stream, &whole);
        assert!(answer.len() > 5 && answer[4] == 1, "{answer:?}");
        bench.ends_empty();
    });
}

#[test]
fn more_connections_than_there_may_be_are_refused_and_come_back() {
    in_session(move |mut bench| {
        let mut open: Vec<UnixStream> = (0..8).map(|_| greeted(&mut bench)).collect();
        let mut one_more = UnixStream::connect(&bench.path).unwrap();
        one_more.set_read_timeout(Some(PATIENCE)).unwrap();
        assert!(matches!(one_more.read(&mut [0]), Ok(0)), "a ninth connection is served");
        open.clear();
        bench.attend_until("room", |bench| {
            let mut stream = UnixStream::connect(&bench.path).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            stream.write_all(&GREETING).is_ok() && stream.read_exact(&mut [0; 9]).is_ok()
        });
        bench.ends_empty();
    });
}

#[test]
fn a_process_may_end_at_any_moment_of_its_transfers() {
    in_session(move |mut bench| {
        for after in 0..12 {
            let mut playing = bench.start(&["transfers"]);
            bench.until(&mut playing, "begun");
            playing.child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
            // The moment differs from run to run and machine to machine; each must do.
            let killer = std::thread::spawn(move || {
                std::thread::park_timeout(Duration::from_millis(after * 7));
                drop(playing);
            });
            bench.attend_until("the killing", |_| killer.is_finished());
            killer.join().unwrap();
            bench.attend_until("the end", |bench| {
                bench.session.memory(10)["allocations"].as_array().unwrap().is_empty()
            });
            bench.ok("1 + 1");
        }
        bench.ends_empty();
    });
}

#[test]
fn any_frames_leave_the_session_as_it_was() {
    in_session(move |mut bench| {
        bench.ok("a = dpnp.arange(12.0)");
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: 200,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        let text = prop_oneof![Just("a"), Just("sum"), Just("add"), Just("sqrt"), Just("native:cpu:0"), Just("")];
        let part = prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            (0u64..6).prop_map(|handle| handle.to_le_bytes().to_vec()),
            (0u32..5).prop_map(|count| count.to_le_bytes().to_vec()),
            text.prop_map(|text: &str| [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat()),
            any::<u64>().prop_map(|number| number.to_le_bytes().to_vec()),
        ];
        // Everything but what binds names.
        let kind = prop_oneof![Just(1u8), 3..23u8];
        let frame = (kind, proptest::collection::vec(part, 0..8))
            .prop_map(|(kind, parts)| [vec![kind], parts.concat()].concat());
        let bench = std::cell::RefCell::new(&mut bench);
        runner
            .run(&proptest::collection::vec(frame, 1..6), |frames| {
                let bench = &mut **bench.borrow_mut();
                let stream = greeted(bench);
                let mut bytes = Vec::new();
                // A handle that is there, so that some of it makes sense.
                for frame in std::iter::once(vec![1, 1, 0, 0, 0, b'a', 1, 0, 0, 0, 0, 0, 0, 0]).chain(frames) {
                    bytes.extend((frame.len() as u32).to_le_bytes());
                    bytes.extend(frame);
                }
                send(bench, stream, &bytes);
                Ok(())
            })
            .unwrap();
        let bench = bench.into_inner();
        bench.ok("assert a.shape == (12,)");
    });
}
