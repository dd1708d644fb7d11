use crate::client::*;
use level_zero_sys::*;
use testdriver::harness::Child;

/// The whole path of a client: memory, module, kernel, a queue with a list and a fence, an immediate list with events.
fn whole_path() {
    let client = Client::new();
    let mut properties = ze_device_properties_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
        ..Default::default()
    };
    ze!(client, zeDeviceGetProperties(client.device, &mut properties)).expect("properties");
    assert_eq!(properties.vendorId, 0x8086);
    let (values, _) = values(256);
    let scale = Scale::new(&client, &values);

    let (queue, mut list) = (client.queue(), client.list());
    let fence = client.fence(queue);
    scale.append(list, || client.barrier(list).expect("a barrier"));
    ze!(client, zeCommandListClose(list)).expect("closed");
    ze!(client, zeCommandQueueExecuteCommandLists(queue, 1, &mut list, fence)).expect("submitted");
    ze!(client, zeFenceHostSynchronize(fence, LONG)).expect("the end");
    ze!(client, zeFenceDestroy(fence)).expect("a fence ends");
    ze!(client, zeCommandListDestroy(list)).expect("a list ends");
    ze!(client, zeCommandQueueDestroy(queue)).expect("a queue ends");

    let list = client.immediate(Mode::Unordered);
    let (pool, [uploaded, launched, downloaded]) = client.events();
    client.copy(list, scale.source, scale.host, scale.bytes(), uploaded, &mut []).expect("an upload");
    client.launch(list, scale.kernel, scale.groups(), launched, &mut [uploaded]).expect("a launch");
    client.copy(list, scale.host, scale.target, scale.bytes(), downloaded, &mut [launched]).expect("a download");
    // Nothing runs, so no event is ever signalled; the calls are what is tried.
    let _ = ze!(client, zeEventHostSynchronize(downloaded, 0));
    for event in [uploaded, launched, downloaded] {
        ze!(client, zeEventDestroy(event)).expect("an event ends");
    }
    ze!(client, zeEventPoolDestroy(pool)).expect("a pool ends");
    ze!(client, zeCommandListDestroy(list)).expect("a list ends");

    assert_eq!(client.argument(scale.kernel, 9, 1_u64), Err(ze_result_t(0x7800_0004)), "what the test driver imitates");
    let limit = properties.maxMemAllocSize as usize;
    assert_eq!(client.device_memory(limit + 4096), Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE));
    scale.end();
    ze!(client, zeContextDestroy(client.context)).expect("a context ends");
}

fn recorded(test: &'static str, product: &'static str) {
    let child = Child::recording(test, product);
    child.set("ZE_ENABLE_VALIDATION_LAYER", 1).set("ZE_ENABLE_PARAMETER_VALIDATION", 1).run(whole_path);
}

#[test]
fn the_driver_for_dg2_takes_the_whole_path() {
    recorded("recording::the_driver_for_dg2_takes_the_whole_path", "dg2");
}

#[test]
fn the_driver_for_ponte_vecchio_takes_the_whole_path() {
    recorded("recording::the_driver_for_ponte_vecchio_takes_the_whole_path", "pvc");
}

#[test]
fn the_driver_for_tiger_lake_takes_the_whole_path() {
    recorded("recording::the_driver_for_tiger_lake_takes_the_whole_path", "tgllp");
}
