use crate::client::*;
use level_zero_sys::*;
use std::ptr::null_mut;
use testdriver::harness::Child;

const MIB: usize = 1 << 20;

#[test]
fn the_host_faults_on_device_memory() {
    let child = Child::new("memory::the_host_faults_on_device_memory").set("TESTDRIVER_GUARD", 1);
    child.run_into_fault("touching", || {
        let client = Client::new();
        let (values, expected) = values(100);
        let scale = Scale::new(&client, &values);
        let list = client.immediate(Mode::Synchronous);
        scale.append(list, || {});
        assert_eq!(scale.result(), expected, "the device itself reaches its memory");
        println!("touching");
        // SAFETY: this is the fault that the test is about; the memory is mapped, but closed.
        let value = unsafe { scale.source.read_volatile() };
        println!("read {value}");
    });
}

#[test]
fn capacity_and_limits_are_those_that_were_set() {
    Child::new("memory::capacity_and_limits_are_those_that_were_set")
        .set("TESTDRIVER_CAPACITY", 8 * MIB)
        .set("TESTDRIVER_MAX_ALLOC", 2 * MIB)
        .run(|| {
            let client = Client::new();
            let too_large = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
            assert_eq!(client.device_memory(3 * MIB), too_large);
            let large = client.large_device_memory(3 * MIB).expect("relaxed");
            assert_eq!(client.large_device_memory(9 * MIB), too_large, "more than the whole memory");
            assert_eq!(
                client.large_device_memory(6 * MIB),
                Err(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY),
                "more than is left"
            );
            assert_eq!(client.device_memory(0), too_large);
            assert_eq!(client.counter("device_bytes"), 3 * MIB as i64);

            // Both halves of the rule for buffers above the limit: relaxed limits, and the flag for the module.
            let spirv = crate::programs::scale(32);
            let format = ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV;
            let plain = client.module(format, &spirv, c"").expect("a module");
            let kernel = client.kernel(plain, c"scale").expect("a kernel");
            assert_eq!(client.argument(kernel, 0, large), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT));
            let flag = c"-ze-opt-greater-than-4GB-buffer-required";
            let prepared = client.module(format, &spirv, flag).expect("a module");
            let kernel = client.kernel(prepared, c"scale").expect("a kernel");
            client.argument(kernel, 0, large).expect("an argument");
            client.free(large).expect("freed");
            assert_eq!(client.counter("device_bytes"), 0);
        });
}

/// What the first memory module says: size and free.
fn memory_state(client: &Client, device: zes_device_handle_t) -> Outcome<Option<(u64, u64)>> {
    let mut count = 0;
    ze!(client, zesDeviceEnumMemoryModules(device, &mut count, null_mut()))?;
    if count == 0 {
        return Ok(None);
    }
    let (mut count, mut module) = (1, null_mut());
    ze!(client, zesDeviceEnumMemoryModules(device, &mut count, &mut module))?;
    let mut state = zes_mem_state_t { stype: zes_structure_type_t::ZES_STRUCTURE_TYPE_MEM_STATE, ..Default::default() };
    ze!(client, zesMemoryGetState(module, &mut state))?;
    Ok(Some((state.size, state.free)))
}

#[test]
fn sysman_counts_what_is_allocated() {
    Child::new("memory::sysman_counts_what_is_allocated")
        .set("ZES_ENABLE_SYSMAN", 1)
        .set("TESTDRIVER_CAPACITY", 64 * MIB)
        .run(|| {
            let client = Client::new();
            let device = client.device.cast();
            let capacity = 64 * MIB as u64;
            assert_eq!(memory_state(&client, device), Ok(Some((capacity, capacity))));
            let memory = client.device_memory(16 * MIB).expect("memory");
            assert_eq!(memory_state(&client, device), Ok(Some((capacity, capacity - 16 * MIB as u64))));
            let (mut count, mut process) = (1, zes_process_state_t::default());
            ze!(client, zesDeviceProcessesGetState(device, &mut count, &mut process)).expect("processes");
            assert_eq!((process.processId, process.memSize), (std::process::id(), 16 * MIB as u64));
            client.free(memory).expect("freed");
            assert_eq!(memory_state(&client, device), Ok(Some((capacity, capacity))));
            client.inject("zesMemoryGetState:1:INSUFFICIENT_PERMISSIONS");
            assert_eq!(memory_state(&client, device), Err(ze_result_t::ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS));
        });
}

#[test]
fn without_the_privilege_free_equals_size() {
    Child::new("memory::without_the_privilege_free_equals_size")
        .set("ZES_ENABLE_SYSMAN", 1)
        .set("TESTDRIVER_NO_PERFMON", 1)
        .run(|| {
            let client = Client::new();
            let _memory = client.device_memory(16 * MIB).expect("memory");
            let (size, free) = memory_state(&client, client.device.cast()).expect("a state").expect("a module");
            assert_eq!(size, free);
        });
}

#[test]
fn sysman_is_closed_or_lists_nothing_where_it_should() {
    Child::new("memory::sysman_is_closed_or_lists_nothing_where_it_should").run(|| {
        let client = Client::new();
        let closed = ze_result_t(0x7800_0003);
        assert_eq!(memory_state(&client, client.device.cast()), Err(closed), "as NEO 22.43 without the variable");
    });
}

#[test]
fn an_integrated_device_has_no_memory_module_and_no_usable_memory_figure() {
    Child::new("memory::an_integrated_device_has_no_memory_module_and_no_usable_memory_figure")
        .set("ZES_ENABLE_SYSMAN", 1)
        .set("TESTDRIVER_INTEGRATED", 1)
        .set("TESTDRIVER_MEMORY_MODULES", 0)
        .set("TESTDRIVER_USABLE_MEMORY", 0)
        .run(|| {
            let client = Client::new();
            assert_eq!(memory_state(&client, client.device.cast()), Ok(None));
            let mut usable = ze_device_usablemem_size_ext_properties_t { currUsableMemSize: 1, ..Default::default() };
            let mut properties = ze_device_properties_t {
                stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                pNext: (&raw mut usable).cast(),
                ..Default::default()
            };
            ze!(client, zeDeviceGetProperties(client.device, &mut properties)).expect("properties");
            assert_eq!(usable.currUsableMemSize, 0);
            assert_ne!(properties.flags & ze_device_property_flag_t::ZE_DEVICE_PROPERTY_FLAG_INTEGRATED.0, 0);
        });
}

#[test]
fn devices_and_parts_have_identities_of_their_own() {
    Child::new("memory::devices_and_parts_have_identities_of_their_own")
        .set("TESTDRIVER_DEVICES", 2)
        .set("TESTDRIVER_SUBDEVICES", 2)
        .run(|| {
            let client = Client::new();
            let (mut count, mut devices) = (2, [null_mut(); 2]);
            ze!(client, zeDeviceGet(client.driver, &mut count, devices.as_mut_ptr())).expect("devices");
            let mut all = devices.to_vec();
            for device in devices {
                let (mut count, mut parts) = (2, [null_mut(); 2]);
                ze!(client, zeDeviceGetSubDevices(device, &mut count, parts.as_mut_ptr())).expect("parts");
                all.extend(parts);
            }
            let uuids: std::collections::HashSet<[u8; 16]> = all
                .iter()
                .map(|device| {
                    let mut properties = ze_device_properties_t {
                        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                        ..Default::default()
                    };
                    ze!(client, zeDeviceGetProperties(*device, &mut properties)).expect("properties");
                    properties.uuid.id
                })
                .collect();
            assert_eq!((count, uuids.len()), (2, 6));
        });
}

#[test]
fn a_thousand_rounds_leave_nothing_behind() {
    Child::new("memory::a_thousand_rounds_leave_nothing_behind").run(|| {
        let client = Client::new();
        let live = client.counter("live");
        let (values, expected) = values(16);
        let scale = Scale::new(&client, &values);
        for round in 0..1000 {
            let context = client.new_context().expect("a context");
            let list = client.immediate(Mode::InOrder);
            let memory = client.device_memory(4096).expect("memory");
            let (pool, [end]) = client.events();
            if round == 0 {
                scale.append(list, || {});
            }
            client.copy(list, memory.cast(), scale.host, scale.bytes(), end, &mut []).expect("a copy");
            ze!(client, zeEventHostSynchronize(end, LONG)).expect("the end");
            ze!(client, zeEventDestroy(end)).expect("an event ends");
            ze!(client, zeEventPoolDestroy(pool)).expect("a pool ends");
            client.free(memory).expect("memory ends");
            ze!(client, zeCommandListDestroy(list)).expect("a list ends");
            ze!(client, zeContextDestroy(context)).expect("a context ends");
        }
        assert_eq!(scale.result(), expected);
        scale.end();
        assert_eq!(client.counter("live"), live);
        assert_eq!(client.counter("device_bytes"), 0);
        assert_eq!((client.counter("launches"), client.counter("copies")), (1, 1002));
        ze!(client, zeContextDestroy(client.context)).expect("a context ends");
        assert_eq!(client.counter("live"), 0);
        assert_eq!(client.counter("no such thing"), -1);
    });
}
