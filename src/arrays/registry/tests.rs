//! Filter strings, numbering, identities and defaults, with dpctl's words.

use super::*;

/// Each test runs on a thread of its own, so that it has a registry of its own however tests are scheduled.
fn fresh(test: impl FnOnce() + Send + 'static) {
    std::thread::spawn(test).join().expect("the test body passes");
}

fn sim(text: &str) -> DeviceHandle {
    add_simulated(text).expect("valid").remove(0)
}

#[test]
fn filter_strings_take_their_parts_in_any_order() {
    fresh(|| {
        for text in [
            "native:cpu:0",
            "native:cpu",
            "cpu",
            "native",
            "0",
            "cpu:0",
            "native:0",
            "cpu:native:0",
            ":cpu:0",
            "native:cpu:",
            "gpu,cpu",
            "level_zero:gpu,native:cpu",
        ] {
            assert_eq!(select(text).map(|device| device.filter_string()), Ok("native:cpu:0".to_owned()), "{text}");
        }
        for text in [
            "NATIVE:CPU:0",
            "cpu ",
            " cpu",
            "",
            "*",
            "all",
            "host",
            "native:*",
            "native:cpu:-1",
            "native:cpu:a",
            "native:cpu:0:1",
            "accelerator",
            "gpu",
            "cpu:cpu",
            "1",
            "native:cpu:1",
            ":",
        ] {
            let error = select(text).expect_err(text);
            assert_eq!(error.to_string(), format!("Could not create a SyclDevice with the selector string '{text}'"));
            assert_eq!(error.kind(), crate::arrays::ErrorKind::Device);
        }
    });
}

#[test]
fn queues_tell_absent_devices_from_nonsense() {
    fresh(|| {
        let message = |text| select_for_queue(text).expect_err("neither is there").to_string();
        assert_eq!(message("gpu"), "SYCL Device 'gpu' could not be created.");
        assert_eq!(message("foo"), "Device filter selector string 'foo' is not understood.");
    });
}

#[test]
fn simulated_devices_are_numbered_and_never_the_default() {
    fresh(|| {
        let (first, second) = (sim("gpu mem=1MiB"), sim("gpu mem=1MiB"));
        assert_eq!((first.filter_string().as_str(), second.filter_string().as_str()), ("sim:gpu:0", "sim:gpu:1"));
        assert_eq!(select("gpu"), Ok(first));
        assert_eq!(select("gpu:1"), Ok(second));
        assert_eq!(default_device().filter_string(), "native:cpu:0");
        assert_eq!(select("cpu").map(|device| device.filter_string()), Ok("native:cpu:0".to_owned()));
    });
}

#[test]
fn a_disguised_device_answers_to_both_names_and_shows_as_simulated() {
    fresh(|| {
        let plain = sim("gpu mem=1MiB");
        let disguised = sim("gpu mem=1MiB as=level_zero");
        assert_eq!(disguised.filter_string(), "level_zero:gpu:0");
        assert_eq!(disguised.ledger_name(), "sim:gpu:1");
        assert_eq!(select("level_zero:gpu:0"), Ok(disguised.clone()));
        assert_eq!(select("sim:gpu:1"), Ok(disguised.clone()));
        assert_eq!(select("sim:gpu:0"), Ok(plain));
        assert_eq!(select("gpu"), Ok(disguised.clone()), "level_zero comes before sim");
        assert_eq!(disguised.filter_string_with(false, true), "gpu:0");
        assert_eq!(disguised.filter_string_with(true, false), "level_zero:0");
        assert_eq!(default_device().filter_string(), "native:cpu:0");
    });
}

#[test]
fn queues_nobody_holds_are_let_go_of() {
    fresh(|| {
        let context = default_context(&sim("gpu mem=1MiB"));
        for _ in 0..20 {
            QueueHandle::open(&context, QueueProperties::default()).expect("opens").barrier().expect("submitted");
        }
        finish_all().expect("nothing failed");
        assert_eq!(REGISTRY.with_borrow(|registry| registry.busy.len()), 0);
    });
}

#[test]
fn queues_and_contexts_have_dpctls_identities() {
    fresh(|| {
        let device = default_device();
        let context = default_context(&device);
        let open = || QueueHandle::open(&context, QueueProperties::default()).expect("opens");
        assert_ne!(open(), open());
        assert_eq!(cached_queue(&device), cached_queue(&device));
        assert_eq!(open().context(), &default_context(&device));
        assert_ne!(ContextHandle::new(device.clone()), context);
        assert_eq!(default_queue(), cached_queue(&device));
    });
}

#[test]
fn the_innermost_default_wins_and_ends() {
    fresh(|| {
        let gpu = cached_queue(&sim("gpu mem=1MiB")).expect("opens");
        let native = default_queue().expect("native");
        push_default(gpu.clone());
        assert_eq!(default_queue(), Ok(gpu.clone()));
        let depth = default_depth();
        push_default(native.clone());
        assert_eq!(default_device(), *native.device());
        unwind_defaults(depth);
        assert_eq!(default_queue(), Ok(gpu.clone()));
        unwind_defaults(0);
        choose_default(Some(gpu.clone()));
        assert_eq!(default_queue(), Ok(gpu));
        choose_default(None);
        assert_eq!(default_queue(), Ok(native));
    });
}

#[test]
fn the_native_device_has_a_name_threads_and_memory() {
    fresh(|| {
        let device = default_device();
        let info = device.info();
        assert!(info.name.ends_with("threads)") || info.name.ends_with("thread)"), "{}", info.name);
        let reading = ledger::reading(&device);
        let (total, free) = (reading.memory.total.bytes(), reading.memory.free.bytes());
        assert!(free.is_some_and(|free| free > 0) && free <= total, "{reading:?}");
        look_for(&[], "not asked");
        assert_eq!(absent().iter().map(|absent| &*absent.reason).collect::<Vec<_>>(), ["not asked", "not asked"]);
    });
}

#[test]
fn a_selector_hides_devices_and_never_all() {
    fresh(|| {
        let names = |text: &str| {
            select_visible(Some(Selector::parse(text).expect("a selector")));
            devices().iter().map(DeviceHandle::filter_string).collect::<Vec<_>>()
        };
        let gpu = sim("gpu mem=1MiB");
        assert_eq!(names("*:gpu"), ["sim:gpu:0"]);
        assert_eq!(default_device(), gpu, "the only device there is to see");
        assert_eq!(names("!sim:*"), ["native:cpu:0"]);
        assert!(select("gpu").is_err());
        assert_eq!(names("cuda:*"), ["native:cpu:0"]);
        select_visible(None);
        assert_eq!(devices().len(), 2);
    });
}

#[test]
fn the_environment_adds_devices_and_its_mistakes_are_named() {
    fresh(|| {
        let none = apply_environment(false, |name| {
            (name == "CELLHOLD_SIM").then(|| "gpu mem=2GiB; gpu mem=64MiB fp64=no".into())
        });
        assert_eq!((none.len(), devices().len()), (0, 3));
        assert_eq!(absent().len(), 2, "drivers are asked only where somebody wants it");
        let errors = apply_environment(false, |_| Some("tpu".into()));
        assert!(errors[0].to_string().starts_with("CELLHOLD_BACKENDS: 'tpu'"), "{}", errors[0]);
        let errors = &errors[1..];
        assert!(errors[0].to_string().starts_with("CELLHOLD_SIM: 'tpu'"), "{}", errors[0]);
        assert!(errors[1].to_string().starts_with("ONEAPI_DEVICE_SELECTOR: 'tpu'"), "{}", errors[1]);
    });
}
