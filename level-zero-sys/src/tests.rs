//! What the compiler cannot check: names of results, the lists of functions, the hand-written structure.

use super::*;
use std::collections::HashSet;
use std::mem::{offset_of, size_of};

#[test]
fn results_show_name_and_number() {
    assert_eq!(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST.to_string(), "ZE_RESULT_ERROR_DEVICE_LOST (0x70000001)");
    assert_eq!(ze_result_t(0x7123_4567).to_string(), "0x71234567");
    assert_eq!(ze_result_t(0x7123_4567).name(), None);
    assert_eq!(ze_result_t::ZE_RESULT_SUCCESS.name(), Some("ZE_RESULT_SUCCESS"));
}

#[test]
fn no_function_is_bound_twice() {
    let names: HashSet<&str> = Loader::REQUIRED.iter().chain(Loader::OPTIONAL).copied().collect();
    assert_eq!(names.len(), Loader::REQUIRED.len() + Loader::OPTIONAL.len());
}

#[test]
fn a_library_that_is_not_there_is_an_error_that_names_it() {
    // SAFETY: nothing is loaded from a path that does not exist.
    let error = unsafe { Loader::load_from("/nonexistent/libze_loader.so.1") }.expect_err("no such file");
    assert!(error.to_string().contains("libze_loader.so.1"), "{error}");
}

#[test]
fn a_library_that_is_no_loader_is_an_error_that_names_the_function() {
    // SAFETY: the C library is loaded in this process anyway.
    let error = unsafe { Loader::load_from("libc.so.6") }.expect_err("the C library lacks zeInit");
    assert!(matches!(error, LoadError::Missing { function: "zeInit" }), "{error}");
}

#[test]
fn the_hand_written_structure_is_laid_out_as_in_c() {
    type Usable = ze_device_usablemem_size_ext_properties_t;
    assert_eq!(size_of::<Usable>(), 24);
    assert_eq!((offset_of!(Usable, pNext), offset_of!(Usable, currUsableMemSize)), (8, 16));
}

#[test]
fn the_loader_of_this_machine_has_every_required_function() {
    // SAFETY: the library of this name is the Level Zero loader; no function of it is called.
    match unsafe { Loader::load() } {
        Ok(loader) => assert!(loader.zelLoaderGetVersions.is_some()),
        Err(error @ LoadError::Library(_)) => {
            let required = std::env::var("CELLHOLD_REQUIRE").is_ok_and(|value| value == "all");
            assert!(!required, "no Level Zero loader: {error}");
            eprintln!("skipped: no Level Zero loader on this machine ({error})");
        }
        Err(error) => panic!("{error}"),
    }
}
