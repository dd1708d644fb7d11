//! How much memory is free: known, or unknown with the reason and the remedy.

use super::child::{child, named};
use super::*;
use crate::arrays::readings::{Amount, MemoryReading};

fn read(held: usize) -> (MemoryReading, MemoryReading) {
    let client = Client::open();
    let before = client.device.memory();
    let block = client.block(UsmKind::Device, held).expect("memory");
    let after = client.device.memory();
    client.device.release(UsmKind::Device, block);
    (before, after)
}

fn reason(reading: &MemoryReading) -> &str {
    match &reading.free {
        Amount::Unknown { reason } => reason,
        known => panic!("{known:?}"),
    }
}

#[test]
fn sysman_says_what_is_free() {
    child(named!("figures::sysman_says_what_is_free")).set("TESTDRIVER_CAPACITY", 64 << 20).run(|| {
        let client = Client::open();
        let first = client.block(UsmKind::Device, 1 << 20).expect("memory");
        let before = client.device.memory();
        let second = client.block(UsmKind::Device, 16 << 20).expect("memory");
        let after = client.device.memory();
        let (Amount::Known { bytes: b, source: "sysman" }, Amount::Known { bytes: a, source: "sysman" }) =
            (&before.free, &after.free)
        else {
            panic!("{before:?} {after:?}")
        };
        assert_eq!(b - a, 16 << 20);
        assert!(before.total.bytes() == after.total.bytes() && Some(*b) < before.total.bytes());
        client.device.release(UsmKind::Device, first);
        client.device.release(UsmKind::Device, second);
    });
}

#[test]
fn without_the_capability_free_is_unknown() {
    let child = child(named!("figures::without_the_capability_free_is_unknown"));
    child.set("TESTDRIVER_NO_PERFMON", 1).set("TESTDRIVER_USABLE_MEMORY", "absent").run(|| {
        let (_, after) = read(1 << 20);
        let reason = reason(&after);
        assert!(reason.contains("setcap cap_perfmon") && reason.contains("1.00 MiB"), "{reason}");
        assert!(after.total.bytes().is_some());
    });
}

#[test]
fn without_memory_modules_the_extension_says_what_is_free() {
    child(named!("figures::without_memory_modules_the_extension_says_what_is_free"))
        .set("TESTDRIVER_MEMORY_MODULES", 0)
        .run(|| {
            let (_, after) = read(1 << 20);
            assert!(matches!(after.free, Amount::Known { source: "usable memory", .. }), "{after:?}");
        });
}

#[test]
fn a_usable_memory_of_zero_is_unknown() {
    let child = child(named!("figures::a_usable_memory_of_zero_is_unknown"));
    child.set("TESTDRIVER_MEMORY_MODULES", 0).set("TESTDRIVER_USABLE_MEMORY", 0).run(|| {
        let (_, after) = read(1 << 20);
        let reason = reason(&after);
        assert!(reason.contains("no memory modules") && reason.contains("gives no figure"), "{reason}");
    });
}

#[test]
fn a_refusal_for_lack_of_permission_names_the_remedy() {
    let child = child(named!("figures::a_refusal_for_lack_of_permission_names_the_remedy"));
    let faults = "zesDeviceEnumMemoryModules:1+:INSUFFICIENT_PERMISSIONS";
    child.set("TESTDRIVER_FAIL", faults).set("TESTDRIVER_USABLE_MEMORY", "absent").run(|| {
        let (before, _) = read(1 << 20);
        let reason = reason(&before);
        assert!(reason.contains("zesDeviceEnumMemoryModules") && reason.contains("setcap"), "{reason}");
    });
}

#[test]
fn an_integrated_device_has_the_hosts_memory() {
    child(named!("figures::an_integrated_device_has_the_hosts_memory")).set("TESTDRIVER_INTEGRATED", 1).run(|| {
        let client = Client::open();
        let reading = client.device.memory();
        for amount in [&reading.total, &reading.free, &client.device.info().total] {
            let Amount::Known { source, .. } = amount else { panic!("{reading:?}") };
            assert!(source.ends_with("shared with the host"), "{source}");
        }
        client.assert_round();
    });
}

#[test]
fn an_npu_is_named_and_not_used() {
    child(named!("figures::an_npu_is_named_and_not_used")).set("TESTDRIVER_TYPE", "npu").run(|| {
        assert!(LevelZeroBackend.devices().is_err());
        let unusable = LevelZeroBackend.unusable();
        assert_eq!(unusable.len(), 1, "{unusable:?}");
    });
}
