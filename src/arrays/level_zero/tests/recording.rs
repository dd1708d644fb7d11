//! Intel's own driver takes the whole call path of the backend, under the loader's validation, for GPUs that are not there. It runs
//! nothing, so nothing is waited for here.

use super::child::named;
use super::*;
use crate::arrays::event::EventStatus;
use std::time::{Duration, Instant};
use testdriver::harness::Child;

fn takes_the_path() {
    let client = Client::open();
    let limits = client.device.runs_programs().expect("it runs programs");
    assert!(client.device.info().vendor.contains("Intel") && limits.spirv >= (1, 0), "{limits:?}");
    let blocks = UsmKind::ALL.map(|usm| client.block(usm, 4096).expect("memory"));
    let [device, host, shared] = blocks.each_ref().map(Block::address);
    let mut events = vec![
        client.submit(Work::Fill { to: device, bytes: 4096, pattern: smallvec![1, 0, 0, 0] }),
        client.submit(Work::Copy { from: device, to: host, bytes: 4096 }),
        client.submit(Work::Copy { from: host, to: shared, bytes: 4096 }),
    ];
    if client.device.info().fp64 {
        events.push(client.submit(client.scale(device, 64, 2.0)));
    } else {
        let error = client.device.prepare(&client.program).expect_err("float64 on a GPU without");
        assert!(error.describe("x").to_string().contains("double precision"));
    }
    // A step that the driver took is running; one that it refused has ended.
    let deadline = Instant::now() + Duration::from_secs(60);
    for event in &events {
        while event.status() == EventStatus::Submitted {
            assert!(Instant::now() < deadline, "a step was neither taken nor refused");
            std::thread::yield_now();
        }
        if event.is_complete() {
            event.wait().expect("taken by the driver");
        }
    }
    // The end of the process is the end of a queue whose work never ends.
    std::mem::forget(client);
}

fn recorded(test: &'static str, product: &'static str) {
    let child = Child::recording(test, product);
    child.set("ZE_ENABLE_VALIDATION_LAYER", 1).set("ZE_ENABLE_PARAMETER_VALIDATION", 1).run(takes_the_path);
}

#[test]
fn the_driver_for_dg2_takes_the_path() {
    recorded(named!("recording::the_driver_for_dg2_takes_the_path"), "dg2");
}

#[test]
fn the_driver_for_ponte_vecchio_takes_the_path() {
    recorded(named!("recording::the_driver_for_ponte_vecchio_takes_the_path"), "pvc");
}
