use crate::client::*;
use level_zero_sys::*;
use std::collections::HashSet;
use std::ptr::null_mut;
use testdriver::harness::Child;

/// Results of 40 rounds of upload, launch and download on an immediate list, with something between the three.
fn rounds(client: &Client, mode: Mode, between: impl Fn(ze_command_list_handle_t)) -> (Vec<Vec<f32>>, Vec<f32>) {
    let (values, expected) = values(64);
    let scale = Scale::new(client, &values);
    let results = (0..40)
        .map(|_| {
            scale.restart(&values);
            let list = client.immediate(mode);
            // What memory holds before is part of the result when an upload comes late.
            let zeros = vec![0.0_f32; values.len()];
            for memory in [scale.source, scale.target] {
                client.copy(list, memory, zeros.as_ptr(), scale.bytes(), null_mut(), &mut []).expect("cleared");
            }
            client.barrier(list).expect("a barrier");
            scale.append(list, || between(list));
            let (pool, [end]) = client.events();
            ze!(client, zeCommandListAppendBarrier(list, end, 0, null_mut())).expect("the last barrier");
            ze!(client, zeEventHostSynchronize(end, LONG)).expect("the end");
            let result = scale.result();
            ze!(client, zeEventDestroy(end)).expect("an event ends");
            ze!(client, zeEventPoolDestroy(pool)).expect("a pool ends");
            ze!(client, zeCommandListDestroy(list)).expect("a list ends");
            result
        })
        .collect();
    scale.end();
    (results, expected)
}

#[test]
fn a_barrier_that_is_missing_is_found() {
    Child::new("order::a_barrier_that_is_missing_is_found")
        .set("TESTDRIVER_SHUFFLE", 1)
        .set("TESTDRIVER_HOLD_US", 0)
        .run(|| {
            let client = Client::new();
            let (results, expected) = rounds(&client, Mode::Unordered, |list| client.barrier(list).expect("a barrier"));
            assert!(results.iter().all(|result| *result == expected), "with barriers every round is right");
            let (results, expected) = rounds(&client, Mode::Unordered, |_| {});
            let wrong = results.iter().filter(|result| **result != expected).count();
            assert!(
                (20..40).contains(&wrong),
                "without barriers 5 of 6 orders are wrong, but {wrong} of 40 rounds were"
            );
        });
}

#[test]
fn an_in_order_list_needs_no_barrier() {
    Child::new("order::an_in_order_list_needs_no_barrier")
        .set("TESTDRIVER_SHUFFLE", 2)
        .set("TESTDRIVER_HOLD_US", 0)
        .run(|| {
            let client = Client::new();
            let (results, expected) = rounds(&client, Mode::InOrder, |_| {});
            assert!(results.iter().all(|result| *result == expected));
        });
}

#[test]
fn an_older_driver_does_not_know_in_order_lists() {
    let child = Child::new("order::an_older_driver_does_not_know_in_order_lists").set("TESTDRIVER_API", "1.3");
    child.set("TESTDRIVER_SHUFFLE", 3).set("TESTDRIVER_HOLD_US", 0).run(|| {
        let client = Client::new();
        let mut version = ze_api_version_t(0);
        ze!(client, zeDriverGetApiVersion(client.driver, &mut version)).expect("a version");
        assert_eq!(version.0, 0x1_0003);
        let (results, expected) = rounds(&client, Mode::InOrder, |_| {});
        assert!(results.iter().any(|result| *result != expected));
    });
}

#[test]
fn what_the_host_did_not_wait_for_has_not_happened() {
    let child = Child::new("order::what_the_host_did_not_wait_for_has_not_happened").set("TESTDRIVER_SHUFFLE", 4);
    child.run(|| {
        let client = Client::new();
        let list = client.immediate(Mode::InOrder);
        let (from, to) = (client.host_memory(&[7.0]).expect("memory"), client.host_memory(&[0.0]).expect("memory"));
        client.copy(list, to, from, 4, null_mut(), &mut []).expect("a copy");
        std::thread::yield_now();
        // SAFETY: in this mode nothing writes before the host waits.
        assert_eq!(unsafe { to.read_volatile() }, 0.0);
        assert_eq!(client.free(to), Err(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE));
        if let Some(synchronize) = client.loader.zeCommandListHostSynchronize {
            // SAFETY: the list is live and immediate.
            assert_eq!(unsafe { synchronize(list, LONG) }, ze_result_t::ZE_RESULT_SUCCESS);
        } else {
            let (_, [end]) = client.events();
            ze!(client, zeCommandListAppendBarrier(list, end, 0, null_mut())).expect("a barrier");
            ze!(client, zeEventHostSynchronize(end, LONG)).expect("the end");
        }
        // SAFETY: the copy has ended.
        assert_eq!(unsafe { to.read_volatile() }, 7.0);
        client.free(to).expect("free at last");
    });
}

#[test]
fn queues_are_ordered_by_events_alone() {
    let child = Child::new("order::queues_are_ordered_by_events_alone").set("TESTDRIVER_SHUFFLE", 5);
    child.set("TESTDRIVER_HOLD_US", 0).run(|| {
        let client = Client::new();
        let lists = [client.immediate(Mode::InOrder), client.immediate(Mode::InOrder)];
        let memory = client.host_memory(&[0.0, 1.0, 2.0]).expect("memory");
        // SAFETY: three values are there.
        let [target, first, second] = [0, 1, 2].map(|index| unsafe { memory.add(index) });
        let run = |ordered: bool| {
            let (_, [wrote, one, two]) = client.events();
            client.copy(lists[0], target, first, 4, wrote, &mut []).expect("the first");
            let waits: &mut [_] = if ordered { &mut [wrote] } else { &mut [] };
            client.copy(lists[1], target, second, 4, two, waits).expect("the second");
            ze!(client, zeCommandListAppendBarrier(lists[0], one, 0, null_mut())).expect("a barrier");
            for event in [one, two] {
                ze!(client, zeEventHostSynchronize(event, LONG)).expect("the end");
            }
            // SAFETY: both copies have ended.
            unsafe { target.read_volatile() as u32 }
        };
        let unordered: HashSet<u32> = (0..40).map(|_| run(false)).collect();
        assert_eq!(unordered, HashSet::from([1, 2]), "either may be the last");
        let ordered: HashSet<u32> = (0..40).map(|_| run(true)).collect();
        assert_eq!(ordered, HashSet::from([2]));
    });
}
