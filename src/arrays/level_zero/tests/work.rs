//! What steps compute, in which order, and that nothing stays behind.

use super::child::{assert_nothing_left, child, counter, named};
use super::*;
use crate::arrays::backend::{BackendKind, DeviceType};

/// In turn: a driver with in-order lists; an old one, where steps are chained by events; both running in random order what is not
/// ordered, with device memory closed to the host.
fn on_every_driver(test: &'static str, body: impl Fn() + Copy) {
    for (api, shuffle) in [("1.9", None), ("1.3", None), ("1.9", Some(1)), ("1.3", Some(2)), ("1.3", Some(3))] {
        let child = child(test).set("TESTDRIVER_API", api).set("TESTDRIVER_GUARD", 1);
        match shuffle {
            Some(seed) => child.set("TESTDRIVER_SHUFFLE", seed).run(body),
            None => child.run(body),
        }
        if std::env::var_os("CELLHOLD_TEST_CHILD").is_some() {
            return;
        }
    }
}

#[test]
fn facts_are_the_drivers() {
    child(named!("work::facts_are_the_drivers"))
        .set("TESTDRIVER_NAME", "A device")
        .set("TESTDRIVER_CAPACITY", 1 << 30)
        .run(|| {
            let client = Client::open();
            let info = client.device.info();
            assert_eq!((&*info.name, &*info.vendor), ("A device", "Intel(R) Corporation"));
            assert_eq!((info.backend, info.device_type), (BackendKind::LevelZero, DeviceType::Gpu));
            assert!(
                info.fp64 && !info.integrated && info.silicon.uuid.is_some() && info.silicon.pci.is_some(),
                "{info:?}"
            );
            assert!(info.driver.starts_with("Level Zero 1."), "{info:?}");
            assert!(info.total.bytes().is_some_and(|total| total <= 1 << 30), "{info:?}");
            let limits = client.device.runs_programs().expect("it runs programs");
            assert!(limits.max_group >= 64 && limits.local_bytes > 0 && limits.spirv >= (1, 0), "{limits:?}");
            let access = UsmKind::ALL.map(|usm| client.device.host_access(usm));
            assert_eq!(access, [false, true, true]);
        });
}

#[test]
fn steps_run_in_order_without_being_waited_for() {
    on_every_driver(named!("work::steps_run_in_order_without_being_waited_for"), || {
        let client = Client::open();
        // Larger than the pinned pieces, and not a multiple of them.
        let numbers: Vec<f64> = (0..16 * 28_001).map(f64::from).collect();
        let expected: Vec<f64> = numbers.iter().map(|x| x * 1024.0).collect();
        assert_eq!(client.round(&numbers, 10), Ok(expected));
        // More steps than fit in the list at once.
        let numbers = [1.0; 16];
        assert_eq!(client.round(&numbers, 300), Ok(vec![2f64.powi(300); 16]));
        drop(client);
        assert_nothing_left();
    });
}

#[test]
fn fills_and_copies_on_the_device_are_ordered_too() {
    on_every_driver(named!("work::fills_and_copies_on_the_device_are_ordered_too"), || {
        let client = Client::open();
        let bytes = 64 * 8;
        let blocks =
            [UsmKind::Device, UsmKind::Device, UsmKind::Host].map(|usm| client.block(usm, bytes).expect("memory"));
        let [a, b, host] = blocks.each_ref().map(Block::address);
        let mut last = Event::completed();
        for value in 1..=5 {
            let pattern = f64::from(value).to_le_bytes().into_iter().collect();
            client.submit(Work::Fill { to: a, bytes, pattern });
            client.submit(client.scale(a, 64, 10.0));
            client.submit(Work::Copy { from: a, to: b, bytes });
            client.submit(Work::Fill { to: a, bytes, pattern: smallvec![0] });
            last = client.submit(Work::Copy { from: b, to: host, bytes });
        }
        assert_eq!(client.submit(Work::Marker).wait(), Ok(()));
        assert!(last.is_complete());
        // SAFETY: the block has room for 64 numbers, all bytes are written, and the device is done with it.
        let read = unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<f64>(host), 64) };
        assert_eq!(read, [50.0; 64]);
        for (usm, block) in [UsmKind::Device, UsmKind::Device, UsmKind::Host].into_iter().zip(blocks) {
            client.device.release(usm, block);
        }
    });
}

#[test]
fn a_step_waits_for_other_queues_and_for_the_host() {
    on_every_driver(named!("work::a_step_waits_for_other_queues_and_for_the_host"), || {
        let (client, other) = (Client::open(), Client::open());
        let block = client.block(UsmKind::Shared, 16 * 8).expect("memory");
        let at = block.address();
        let write = move |factor: f64| {
            Work::host(move || {
                // SAFETY: the block has room for 16 numbers, and what used it before has ended.
                let numbers =
                    unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut::<f64>(at), 16) };
                numbers.iter_mut().for_each(|number| *number = if factor == 0.0 { 1.0 } else { *number + factor });
                Ok(())
            })
        };
        let first = other.submit(write(0.0));
        client.submit_after(client.scale(at, 16, 3.0), &[first]);
        client.submit(write(1.0));
        let scaled = client.submit(client.scale(at, 16, 5.0));
        let last = other.submit_after(write(2.0), &[scaled]);
        assert_eq!(last.wait(), Ok(()));
        // SAFETY: as above.
        let read = unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<f64>(at), 16) };
        assert_eq!(read, [22.0; 16]);
        client.device.release(UsmKind::Shared, block);
    });
}

#[test]
fn times_of_a_profiling_queue_are_the_devices() {
    child(named!("work::times_of_a_profiling_queue_are_the_devices")).set("TESTDRIVER_DELAY_US", 3000).run(|| {
        let client = Client::try_open(true).expect("opens");
        let block = client.block(UsmKind::Device, 16 * 8).expect("memory");
        client.submit(Work::Fill { to: block.address(), bytes: 16 * 8, pattern: smallvec![0] });
        let event = client.submit(client.scale(block.address(), 16, 2.0));
        event.wait().expect("well");
        let times = event.times();
        assert!(times.submit_ns <= times.start_ns && times.end_ns >= times.start_ns + 3_000_000, "{times:?}");
        assert!(client.queue.take_device_ns() >= 3_000_000);
        client.device.release(UsmKind::Device, block);
    });
}

#[test]
fn a_thousand_rounds_leave_nothing_behind() {
    child(named!("work::a_thousand_rounds_leave_nothing_behind")).run(|| {
        for round in 0..1000 {
            let client = Client::open();
            let numbers = [f64::from(round); 16];
            assert_eq!(client.round(&numbers, 1), Ok(vec![f64::from(round) * 2.0; 16]));
        }
        assert_nothing_left();
        assert_eq!(counter("device_bytes"), 0);
        assert!(counter("launches") >= 1000);
    });
}

#[test]
fn large_allocations_have_both_halves_of_the_rule() {
    let child = child(named!("work::large_allocations_have_both_halves_of_the_rule"));
    child.set("TESTDRIVER_MAX_ALLOC", 1 << 20).set("TESTDRIVER_CAPACITY", 64 << 20).run(|| {
        let client = Client::open();
        // The driver refuses a launch on a large allocation by a program that was not built for it.
        let numbers: Vec<f64> = (0..(2 << 20) / 8).map(f64::from).collect();
        let expected: Vec<f64> = numbers.iter().map(|x| x * 2.0).collect();
        assert_eq!(client.round(&numbers, 1), Ok(expected));
        client.assert_round();
        let error = client.device.allocate(UsmKind::Device, 65 << 20).expect_err("more than there is");
        assert_eq!(error, crate::arrays::backend::BackendError::OutOfMemory(crate::arrays::error::Shortage::Capacity));
    });
}
