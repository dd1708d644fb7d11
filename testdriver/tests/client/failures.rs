use crate::client::*;
use level_zero_sys::*;
use std::ptr::null_mut;
use testdriver::harness::Child;

#[test]
fn the_counted_allocation_fails_and_the_next_succeeds() {
    Child::new("failures::the_counted_allocation_fails_and_the_next_succeeds")
        .set("TESTDRIVER_FAIL", "zeMemAllocDevice:2:OUT_OF_DEVICE_MEMORY")
        .run(|| {
            let client = Client::new();
            let results: Vec<_> = (0..3).map(|_| client.device_memory(64).map(drop)).collect();
            assert_eq!(results, [Ok(()), Err(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY), Ok(())]);
            client.inject("zeMemAllocDevice:1+:OUT_OF_DEVICE_MEMORY");
            for _ in 0..3 {
                assert_eq!(client.device_memory(64), Err(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY));
            }
            assert_eq!(client.counter("allocations"), 2);
        });
}

#[test]
fn a_driver_that_does_not_start_says_why() {
    Child::new("failures::a_driver_that_does_not_start_says_why")
        .set("TESTDRIVER_FAIL", "zeInit:1+:INSUFFICIENT_PERMISSIONS")
        .run(|| {
            let result = initialise().expect_err("no driver");
            // The loader drops a driver that does not start, whatever it answered.
            let expected =
                [ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED, ze_result_t::ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS];
            assert!(expected.contains(&result), "{result}");
        });
}

#[test]
fn a_device_lost_while_it_works_is_lost_for_good() {
    Child::new("failures::a_device_lost_while_it_works_is_lost_for_good")
        .set("TESTDRIVER_FAIL", "execute:2:DEVICE_LOST")
        .run(|| {
            let client = Client::new();
            let (values, _) = values(64);
            let scale = Scale::new(&client, &values);
            let list = client.immediate(Mode::Unordered);
            let (_, [uploaded, launched, never]) = client.events();
            client.copy(list, scale.source, scale.host, scale.bytes(), uploaded, &mut []).expect("an upload");
            ze!(client, zeEventHostSynchronize(uploaded, LONG)).expect("the upload ends");
            // Where the loss strikes first depends on who is faster; both are the loss.
            let lost = ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST;
            client.launch(list, scale.kernel, scale.groups(), launched, &mut []).expect("a launch is taken");
            assert_eq!(ze!(client, zeEventHostSynchronize(launched, LONG)), Err(lost));
            assert_eq!(ze!(client, zeEventHostSynchronize(never, LONG)), Err(lost));
            assert_eq!(client.device_memory(64), Err(lost));
            assert_eq!(ze!(client, zeDeviceGetStatus(client.device)), Err(lost));
            assert_eq!(client.copy(list, scale.source, scale.host, 4, null_mut(), &mut []), Err(lost));
            // What the client owns it can still give back.
            ze!(client, zeCommandListDestroy(list)).expect("a list ends");
            scale.end();
            client.inject("");
            ze!(client, zeDeviceGetStatus(client.device)).expect("a new device");
        });
}

#[test]
fn a_hanging_command_lets_waits_time_out() {
    Child::new("failures::a_hanging_command_lets_waits_time_out").set("TESTDRIVER_FAIL", "execute:1:HANG").run(|| {
        let client = Client::new();
        let list = client.immediate(Mode::InOrder);
        let (_, [end]) = client.events();
        let (from, to) = (client.host_memory(&[7.0]).expect("memory"), client.host_memory(&[0.0]).expect("memory"));
        client.copy(list, to, from, 4, end, &mut []).expect("a copy");
        assert_eq!(ze!(client, zeEventHostSynchronize(end, 5_000_000)), Err(ze_result_t::ZE_RESULT_NOT_READY));
        assert_eq!(
            ze!(client, zeCommandListDestroy(list)),
            Err(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE),
            "the device still works for the list"
        );
        client.inject("");
        ze!(client, zeEventHostSynchronize(end, LONG)).expect("it goes on");
    });
}

#[test]
fn a_build_that_fails_leaves_a_log() {
    Child::new("failures::a_build_that_fails_leaves_a_log").set("TESTDRIVER_FP64", 0).run(|| {
        let client = Client::new();
        let spirv = ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV;
        let failure = ze_result_t::ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
        let double = crate::programs::scale(64);
        let (result, log) = client.module(spirv, &double, c"").expect_err("no fp64 here");
        let expected = "error: Double type is not supported on this platform.\nin kernel: 'scale'\n\
                        error: backend compiler failed build.\n";
        assert_eq!((result, log.as_str()), (failure, expected));
        let mut properties = ze_device_module_properties_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
            ..Default::default()
        };
        ze!(client, zeDeviceGetModuleProperties(client.device, &mut properties)).expect("properties");
        assert_eq!(properties.flags & ze_device_module_flag_t::ZE_DEVICE_MODULE_FLAG_FP64.0, 0);
        // What would end the process, or spin, below the real drivers.
        let (result, log) = client.module(spirv, &double[..double.len() - 40], c"").expect_err("truncated");
        assert!(result == failure && log.contains("SPIR-V"), "{result}: {log}");
        let (result, log) =
            client.module(spirv, &crate::programs::scale(32), c"-cl-fast-relaxed-math").expect_err("unknown");
        assert!(result == failure && log.contains("-cl-fast-relaxed-math"), "{result}: {log}");
        assert_eq!(client.counter("modules") + client.counter("build_logs"), 0);
    });
}

#[test]
fn wrong_use_is_refused_as_the_real_driver_refuses_it_or_strictly() {
    Child::new("failures::wrong_use_is_refused_as_the_real_driver_refuses_it_or_strictly").run(|| {
        let client = Client::new();
        let (values, _) = values(64);
        let scale = Scale::new(&client, &values);
        let kernel = scale.kernel;
        // As NEO 22.43.
        assert_eq!(client.argument(kernel, 9, 1_u64), Err(ze_result_t(0x7800_0004)));
        let module = client
            .module(ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV, &crate::programs::scale(32), c"")
            .expect("a module");
        assert_eq!(client.kernel(module, c"nope"), Err(ze_result_t(0x7800_0011)));
        // Stricter: NEO takes a scalar of any size, and crashes on handles that are null or gone.
        assert_eq!(client.argument(kernel, 4, 1_u32), Err(ze_result_t(0x7800_0016)));
        assert_eq!(client.argument(kernel, 0, 0x1234_usize), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT));
        assert_eq!(ze!(client, zeKernelDestroy(null_mut())), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE));
        ze!(client, zeModuleDestroy(module)).expect("a module ends");
        assert_eq!(ze!(client, zeModuleDestroy(module)), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT));
        assert_eq!(
            ze!(client, zeKernelSetGroupSize(kernel, 0, 1, 1)),
            Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION)
        );
        let list = client.immediate(Mode::InOrder);
        assert_eq!(
            client.copy(list, scale.source, scale.host, scale.bytes() + 1, null_mut(), &mut []),
            Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE)
        );
        let (pool, [event]) = client.events();
        assert_eq!(ze!(client, zeEventPoolDestroy(pool)), Err(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE));
        ze!(client, zeEventDestroy(event)).expect("an event ends");
        ze!(client, zeEventPoolDestroy(pool)).expect("a pool ends");
    });
}
