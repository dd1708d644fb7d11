use crate::client::*;
use level_zero_sys::*;
use std::ptr::null_mut;
use testdriver::harness::Child;

#[test]
fn a_queue_runs_a_list_and_signals_its_fence() {
    Child::new("execution::a_queue_runs_a_list_and_signals_its_fence").set("TESTDRIVER_DELAY_US", 20_000).run(|| {
        let client = Client::new();
        let (values, expected) = values(1000);
        let scale = Scale::new(&client, &values);
        let (queue, mut list) = (client.queue(), client.list());
        let fence = client.fence(queue);
        scale.append(list, || client.barrier(list).expect("a barrier"));
        ze!(client, zeCommandListClose(list)).expect("closed");
        ze!(client, zeCommandQueueExecuteCommandLists(queue, 1, &mut list, fence)).expect("submitted");
        // The launch takes at least 20 ms, so the device is still at it.
        assert_eq!(ze!(client, zeFenceQueryStatus(fence)), Err(ze_result_t::ZE_RESULT_NOT_READY));
        ze!(client, zeFenceHostSynchronize(fence, LONG)).expect("the end");
        assert_eq!(scale.result(), expected);
        ze!(client, zeFenceDestroy(fence)).expect("a fence ends");
        ze!(client, zeCommandListDestroy(list)).expect("a list ends");
        ze!(client, zeCommandQueueDestroy(queue)).expect("a queue ends");
        scale.end();
    });
}

#[test]
fn events_chain_commands_and_keep_times() {
    Child::new("execution::events_chain_commands_and_keep_times").set("TESTDRIVER_DELAY_US", 5000).run(|| {
        let client = Client::new();
        let (values, expected) = values(257);
        let scale = Scale::new(&client, &values);
        let list = client.immediate(Mode::Unordered);
        let (_, [uploaded, launched, downloaded]) = client.events();
        client.copy(list, scale.source, scale.host, scale.bytes(), uploaded, &mut []).expect("an upload");
        client.launch(list, scale.kernel, scale.groups(), launched, &mut [uploaded]).expect("a launch");
        client.copy(list, scale.host, scale.target, scale.bytes(), downloaded, &mut [launched]).expect("a download");
        ze!(client, zeEventHostSynchronize(downloaded, LONG)).expect("the end");
        assert_eq!(scale.result(), expected);
        let mut times = ze_kernel_timestamp_result_t::default();
        ze!(client, zeEventQueryKernelTimestamp(launched, &mut times)).expect("times");
        let mut properties = ze_device_properties_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
            ..Default::default()
        };
        ze!(client, zeDeviceGetProperties(client.device, &mut properties)).expect("properties");
        let took = (times.global.kernelEnd - times.global.kernelStart) * properties.timerResolution;
        assert!((5_000_000..LONG).contains(&took), "{took} ns");
    });
}

#[test]
fn the_host_signals_what_a_command_waits_for() {
    Child::new("execution::the_host_signals_what_a_command_waits_for").run(|| {
        let client = Client::new();
        let list = client.immediate(Mode::Unordered);
        let (_, [go, done]) = client.events();
        let (from, to) = (client.host_memory(&[7.0]).expect("memory"), client.host_memory(&[0.0]).expect("memory"));
        client.copy(list, to, from, 4, done, &mut [go]).expect("a copy");
        assert_eq!(ze!(client, zeEventHostSynchronize(done, 1_000_000)), Err(ze_result_t::ZE_RESULT_NOT_READY));
        ze!(client, zeEventHostSignal(go)).expect("signalled");
        ze!(client, zeEventHostSynchronize(done, LONG)).expect("the end");
        // SAFETY: the copy into host memory has ended.
        assert_eq!(unsafe { to.read() }, 7.0);
    });
}

#[test]
fn fills_and_boxes_go_where_they_should() {
    Child::new("execution::fills_and_boxes_go_where_they_should").run(|| {
        let client = Client::new();
        let list = client.immediate(Mode::Synchronous);
        let memory = client.host_memory(&[0.0; 12]).expect("memory");
        let pattern = 3.0_f32;
        ze!(
            client,
            zeCommandListAppendMemoryFill(
                list,
                memory.cast(),
                (&raw const pattern).cast(),
                4,
                8,
                null_mut(),
                0,
                null_mut()
            )
        )
        .expect("a fill");
        // Two rows of one value each, from column 1 of rows of two to column 2 of rows of four, in the second half.
        let one = |x: u32| ze_copy_region_t { originX: 4 * x, width: 4, height: 2, depth: 1, ..Default::default() };
        // SAFETY: the second half begins at the fourth value.
        let second = unsafe { memory.add(4) };
        ze!(
            client,
            zeCommandListAppendMemoryCopyRegion(
                list,
                second.cast(),
                &one(2),
                16,
                0,
                memory.cast(),
                &one(1),
                0,
                0,
                null_mut(),
                0,
                null_mut()
            )
        )
        .expect("a box");
        // SAFETY: host memory of twelve values; both commands have ended.
        let values = unsafe { std::slice::from_raw_parts(memory, 12) };
        assert_eq!(values, [3.0, 3.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 3.0, 0.0]);
    });
}

#[test]
fn a_native_module_computes_as_its_source_did() {
    Child::new("execution::a_native_module_computes_as_its_source_did").run(|| {
        let client = Client::new();
        let spirv = crate::programs::scale(64);
        let module = client.module(ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV, &spirv, c"").expect("a module");
        let mut length = 0;
        ze!(client, zeModuleGetNativeBinary(module, &mut length, null_mut())).expect("a length");
        let mut native = vec![0_u8; length];
        ze!(client, zeModuleGetNativeBinary(module, &mut length, native.as_mut_ptr())).expect("a binary");
        let again = client.module(ze_module_format_t::ZE_MODULE_FORMAT_NATIVE, &native, c"").expect("made again");
        let kernel = client.kernel(again, c"scale").expect("its kernel");
        let memory = client.host_memory(&[0.0; 4]).expect("memory").cast::<f64>();
        // SAFETY: sixteen bytes hold two values.
        unsafe { memory.write(20.5) };
        for index in 0..2 {
            client.argument(kernel, index, memory).expect("an argument");
        }
        client.argument(kernel, 2, 2.0_f64).expect("an argument");
        client.argument(kernel, 3, 1.0_f64).expect("an argument");
        client.argument(kernel, 4, 1_u64).expect("an argument");
        let list = client.immediate(Mode::Synchronous);
        client.launch(list, kernel, 1, null_mut(), &mut []).expect("a launch");
        // SAFETY: the launch has ended.
        assert_eq!(unsafe { memory.read() }, 42.0);
        native[0] ^= 1;
        let damaged = client.module(ze_module_format_t::ZE_MODULE_FORMAT_NATIVE, &native, c"").expect_err("damaged");
        assert_eq!(damaged.0, ze_result_t::ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
    });
}

#[test]
fn everything_passes_under_the_validation_layer() {
    Child::new("execution::everything_passes_under_the_validation_layer")
        .set("ZE_ENABLE_VALIDATION_LAYER", 1)
        .set("ZE_ENABLE_PARAMETER_VALIDATION", 1)
        .run(|| {
            let client = Client::new();
            let (values, expected) = values(100);
            let scale = Scale::new(&client, &values);
            let list = client.immediate(Mode::Unordered);
            let (pool, [end]) = client.events();
            scale.append(list, || client.barrier(list).expect("a barrier"));
            ze!(client, zeCommandListAppendBarrier(list, end, 0, null_mut())).expect("a barrier");
            ze!(client, zeEventHostSynchronize(end, LONG)).expect("the end");
            assert_eq!(scale.result(), expected);
            // The layer answers for the driver here.
            let null_context =
                ze!(client, zeContextDestroy(null_mut())).expect_err("a null handle is found by the layer");
            assert_eq!(null_context, ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
            ze!(client, zeEventDestroy(end)).expect("an event ends");
            ze!(client, zeEventPoolDestroy(pool)).expect("a pool ends");
            ze!(client, zeCommandListDestroy(list)).expect("a list ends");
            scale.end();
        });
}
