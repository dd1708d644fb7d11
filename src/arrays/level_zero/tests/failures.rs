//! Every failure of the driver ends in an error that says what failed, and nothing is the worse for it.

use super::child::{assert_nothing_left, child, inject, named};
use super::*;
use crate::arrays::attention::Attention;
use crate::arrays::error::ErrorKind;

/// Each function of the path, with a result it may answer.
const FAULTS: &[(&str, &str)] = &[
    ("zeContextCreate", "OUT_OF_HOST_MEMORY"),
    ("zeEventPoolCreate", "OUT_OF_DEVICE_MEMORY"),
    ("zeEventCreate", "OUT_OF_HOST_MEMORY"),
    ("zeCommandListCreateImmediate", "OUT_OF_DEVICE_MEMORY"),
    ("zeMemAllocDevice", "OUT_OF_DEVICE_MEMORY"),
    ("zeMemAllocDevice", "UNKNOWN"),
    ("zeMemAllocHost", "OUT_OF_HOST_MEMORY"),
    ("zeModuleCreate", "MODULE_BUILD_FAILURE"),
    ("zeModuleCreate", "OUT_OF_DEVICE_MEMORY"),
    ("zeKernelCreate", "INVALID_KERNEL_NAME"),
    ("zeKernelSetGroupSize", "INVALID_GROUP_SIZE_DIMENSION"),
    ("zeKernelSetArgumentValue", "INVALID_KERNEL_ARGUMENT_INDEX"),
    ("zeCommandListAppendLaunchKernel", "UNKNOWN"),
    ("zeCommandListAppendMemoryCopy", "UNKNOWN"),
    ("zeEventHostReset", "UNKNOWN"),
];

#[test]
fn each_refused_call_is_named_and_what_comes_after_works() {
    child(named!("failures::each_refused_call_is_named_and_what_comes_after_works")).run(|| {
        let numbers = [1.0; 16];
        for (function, result) in FAULTS {
            drop(Client::open());
            inject(&format!("{function}:1:{result}"));
            let error = Client::try_open(false).and_then(|client| client.round(&numbers, 2)).expect_err(function);
            let message = error.to_string();
            let told = message.contains(function)
                || message.contains("out of memory")
                || (*result == "MODULE_BUILD_FAILURE" && message.contains("did not build the program for scale"));
            assert!(told && message.contains("level_zero:gpu:0"), "{function}: {message}");
            inject("");
            Client::open().assert_round();
            assert_nothing_left();
        }
    });
}

#[test]
fn a_failed_step_fails_those_that_read_it_and_no_others() {
    child(named!("failures::a_failed_step_fails_those_that_read_it_and_no_others")).run(|| {
        let client = Client::open();
        let block = client.block(UsmKind::Device, 128).expect("memory");
        let fill = || Work::Fill { to: block.address(), bytes: 128, pattern: smallvec![0] };
        client.submit(fill()).wait().expect("well");
        inject("zeCommandListAppendLaunchKernel:1:UNKNOWN");
        let failed = client.submit(client.scale(block.address(), 16, 2.0));
        let step = Step {
            label: "reads",
            holds: Box::default(),
            keep: Keep::new(),
            inputs: [failed.clone()].into(),
            work: client.scale(block.address(), 16, 2.0),
        };
        let reads = client.queue.submit(step, std::slice::from_ref(&failed));
        let other = client.submit(fill());
        assert!(failed.wait().is_err());
        assert_eq!(reads.wait(), failed.wait());
        assert_eq!(other.wait(), Ok(()));
        assert!(client.queue.pending().is_empty());
        client.device.release(UsmKind::Device, block);
    });
}

#[test]
fn a_lost_device_ends_what_is_pending_and_stays_lost() {
    child(named!("failures::a_lost_device_ends_what_is_pending_and_stays_lost")).run(|| {
        let client = Client::open();
        let block = client.block(UsmKind::Device, 128).expect("memory");
        inject("execute:3:DEVICE_LOST");
        let events: Vec<Event> = (0..6).map(|_| client.submit(client.scale(block.address(), 16, 2.0))).collect();
        let outcomes: Vec<_> = events.iter().map(Event::wait).collect();
        let last = outcomes.last().expect("six").clone().expect_err("lost");
        assert_eq!(last.kind(), ErrorKind::DeviceLost);
        assert!(last.to_string().contains("ZE_RESULT_ERROR_DEVICE_LOST"), "{last}");
        assert!(client.device.status().is_err());
        assert!(client.device.allocate(UsmKind::Device, 64).is_err());
        assert!(client.device.open_queue(QueueProperties::default()).is_err());
        assert!(client.device.memory().free.bytes().is_none());
        // Memory goes back all the same, and the loss is final even when the driver recovers.
        client.device.release(UsmKind::Device, block);
        inject("");
        let late = client.submit(Work::host(|| Ok(()))).wait().expect_err("still lost");
        assert_eq!(late.kind(), ErrorKind::DeviceLost);
        drop(client);
        Client::open().assert_round();
        assert_nothing_left();
    });
}

#[test]
fn a_hanging_device_can_be_walked_away_from() {
    child(named!("failures::a_hanging_device_can_be_walked_away_from")).run(|| {
        let client = Client::open();
        let block = client.block(UsmKind::Device, 128).expect("memory");
        client.submit(Work::Fill { to: block.address(), bytes: 128, pattern: smallvec![0] }).wait().expect("well");
        inject("execute:1:HANG");
        let event = client.submit(client.scale(block.address(), 16, 2.0));
        let attention = Attention::default();
        attention.interrupt();
        assert_eq!(event.wait_interruptible(&attention), Err(ArrayError::Interrupted));
        assert_eq!(client.queue.pending().len(), 1);
        inject("");
        assert_eq!(event.wait(), Ok(()));
        client.device.release(UsmKind::Device, block);
    });
}

#[test]
fn a_build_fails_the_same_way_where_the_loader_wraps_handles() {
    // There the log must not be asked for: the loader would crash.
    let child = child(named!("failures::a_build_fails_the_same_way_where_the_loader_wraps_handles"));
    child.set("ZE_ENABLE_LOADER_INTERCEPT", 1).set("TESTDRIVER_FAIL", "zeModuleCreate:1:MODULE_BUILD_FAILURE").run(
        || {
            let client = Client::open();
            let message = client.round(&[1.0; 16], 1).expect_err("not built").to_string();
            assert!(message.contains("did not build the program for scale"), "{message}");
            client.assert_round();
        },
    );
}

#[test]
fn a_device_without_double_precision_refuses_before_it_builds() {
    child(named!("failures::a_device_without_double_precision_refuses_before_it_builds"))
        .set("TESTDRIVER_FP64", 0)
        .run(|| {
            let client = Client::open();
            assert!(!client.device.info().fp64);
            let message = client.round(&[1.0; 16], 1).expect_err("float64").to_string();
            assert!(message.contains("does not support double precision"), "{message}");
        });
}

#[test]
fn a_driver_that_does_not_start_is_a_reason() {
    let child = child(named!("failures::a_driver_that_does_not_start_is_a_reason"));
    child.set("TESTDRIVER_FAIL", "zeInit:1+:INSUFFICIENT_PERMISSIONS").run(|| {
        let reason = LevelZeroBackend.devices().expect_err("no driver");
        assert!(reason.contains("zeInit") && reason.contains("(0x7"), "{reason}");
    });
}

#[test]
fn a_driver_that_is_not_there_is_a_reason() {
    let child = child(named!("failures::a_driver_that_is_not_there_is_a_reason"));
    child.set("ZE_ENABLE_ALT_DRIVERS", "/nonexistent/libdriver.so").run(|| {
        let reason = LevelZeroBackend.devices().expect_err("no driver");
        assert!(reason.contains("no usable driver"), "{reason}");
    });
}
