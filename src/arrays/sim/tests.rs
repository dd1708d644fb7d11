//! Simulated devices as a program sees them: capacity, order, latency, faults, loss, and queues that wait for each other.

use super::*;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::buffer::Buffer;
use crate::arrays::device::{Place, QueueHandle};
use crate::arrays::error::{ArrayError, ErrorKind};
use crate::arrays::{DType, DeviceHandle, ledger, registry};
use std::sync::mpsc::channel;
use std::time::Duration;

fn device(text: &str) -> DeviceHandle {
    registry::add_sim(&SimSpec::parse(text).expect("a valid description"))
}

fn on(device: &DeviceHandle) -> Alloc {
    Alloc::queue(registry::cached_queue(device).expect("the device is alive"), UsmKind::Device)
}

/// Adds `by` to every element, as a step of the array's queue.
fn add(array: &Array, by: i64) -> crate::arrays::Event {
    let target = array.clone();
    let work = move || {
        // What an empty array holds may be anything.
        target.with_slice_mut_now(|values: &mut [i64]| {
            values.iter_mut().for_each(|value| *value = value.wrapping_add(by))
        })
    };
    array.submit("add", &[array], &[array], work).expect("submitted")
}

#[test]
fn descriptions_are_read_and_nonsense_is_named() {
    let spec = SimSpec::parse(
        "gpu mem=256MiB fp64=no max_alloc=64MiB integrated latency=2ms fail_alloc=nth:5 lost=after:3 as=level_zero",
    )
    .expect("the example of the design");
    assert_eq!((spec.capacity, spec.max_single, spec.fp64, spec.integrated), (256 << 20, 64 << 20, false, true));
    assert_eq!((spec.latency, spec.fail_nth, spec.lost_after), (Duration::from_millis(2), Some(5), Some(3)));
    assert_eq!(spec.answers_to, Some(BackendKind::LevelZero));
    let list = SimSpec::parse_list("gpu mem=2GiB; gpu mem=64MiB fp64=no;").expect("two devices");
    assert_eq!(list.iter().map(|spec| spec.capacity).collect::<Vec<_>>(), [2 << 30, 64 << 20]);
    for (text, word) in [
        ("", "needs a type"),
        ("tpu", "'tpu'"),
        ("gpu memory=1", "'memory'"),
        ("gpu mem=lots", "mem=lots"),
        ("gpu mem=0", "mem=0"),
        ("gpu fp64=maybe", "fp64=maybe"),
        ("gpu latency=5", "latency=5"),
        ("gpu fail_alloc=5", "fail_alloc=nth:3"),
        ("gpu as=cuda", "as=cuda"),
    ] {
        let message = SimSpec::parse(text).expect_err(text).to_string();
        assert!(message.contains(word), "{text}: {message}");
    }
}

#[test]
fn capacity_and_the_largest_piece_are_enforced() {
    let gpu = device("gpu mem=64MiB max_alloc=32MiB");
    let alloc = on(&gpu);
    let first = Array::zeros(&[30 << 20], DType::UInt8, &alloc).expect("30 of 64");
    let error = Array::zeros(&[33 << 20], DType::UInt8, &alloc).expect_err("more than one piece");
    let facts = error.out_of_memory().expect("out of memory");
    assert_eq!(facts.shortage, Shortage::SingleAllocation);
    assert_eq!(facts.free, Amount::known((64 << 20) - (30 << 20), "simulated"));
    let second = Array::zeros(&[30 << 20], DType::UInt8, &alloc).expect("60 of 64");
    let error = Array::zeros(&[5 << 20], DType::UInt8, &alloc).expect_err("65 of 64");
    assert_eq!(error.out_of_memory().map(|facts| facts.shortage), Some(Shortage::Capacity));
    assert!(error.to_string().contains("on sim:gpu:0; 4.00 MiB free"), "{error}");
    drop(second);
    Array::zeros(&[31 << 20], DType::UInt8, &alloc).expect("a cached block of another size makes room");
    drop(first);
    ledger::assert_empty();
}

#[test]
fn the_whole_capacity_can_be_used_to_the_last_byte() {
    let gpu = device("gpu mem=5000000");
    let whole = Array::zeros(&[5_000_000], DType::UInt8, &on(&gpu)).expect("rounding up is no reason to refuse");
    assert_eq!(whole.buffer().block_bytes(), 5_000_000);
    drop(whole);
    ledger::assert_empty();
}

#[test]
fn steps_run_in_order_on_the_worker_and_reads_wait() {
    let gpu = device("gpu mem=1MiB latency=3ms");
    let array = Array::zeros(&[4], DType::Int64, &on(&gpu)).expect("small");
    let first = add(&array, 1);
    let second = add(&array, 10);
    assert!(!second.is_complete(), "the latency has not passed yet");
    assert!(!registry::queued_work().is_empty());
    let holds = registry::queued_holds();
    assert!(holds.iter().any(|(_, label, ids)| *label == "add" && ids.contains(&array.buffer().id())), "{holds:?}");
    assert_eq!(array.to_vec::<i64>(), Ok(vec![11; 4]), "a host read waits for the last write");
    assert!(first.is_complete() && second.is_complete());
    assert_eq!(second.times(), crate::arrays::event::ProfilingTimes::default(), "the queue does not profile");
    registry::finish_all().expect("nothing failed");
    drop(array);
    ledger::assert_empty();
}

#[test]
fn a_profiling_queue_times_its_steps_and_the_account_gets_device_time() {
    let gpu = device("gpu mem=1MiB latency=2ms");
    let properties = QueueProperties { in_order: true, profiling: true };
    let queue = QueueHandle::open(&registry::default_context(&gpu), properties).expect("opens");
    let before = queue.barrier().expect("submitted");
    let after = queue.barrier().expect("submitted");
    crate::arrays::account::begin_cell(1);
    queue.finish().expect("nothing failed");
    assert!(after.times().start_ns >= before.times().end_ns && before.times().start_ns > before.times().submit_ns);
    assert!(before.times().end_ns - before.times().start_ns >= 2_000_000);
    assert!(crate::arrays::account::end_cell().device_time_s >= 0.004);
}

#[test]
fn another_queue_waits_for_the_writer() {
    let gpu = device("gpu mem=1MiB");
    let alloc = on(&gpu);
    let other =
        QueueHandle::open(&registry::default_context(&gpu), QueueProperties::default()).expect("a second queue");
    let array = Array::zeros(&[4], DType::Int64, &alloc).expect("small");
    registry::finish_all().expect("zeros are written");
    let (release, gate) = channel::<()>();
    let target = array.clone();
    let slow = array
        .submit("slow", &[], &[&array], move || {
            gate.recv().map_err(|_| ArrayError::runtime("the test has ended"))?;
            target.with_slice_mut_now(|values: &mut [i64]| values.fill(7))
        })
        .expect("submitted");
    let elsewhere = array.with_queue(other.clone()).expect("the same context");
    let copy = Array::zeros(&[4], DType::Int64, &Alloc::queue(other, UsmKind::Device)).expect("small");
    let (from, to) = (elsewhere.clone(), copy.clone());
    let dependent = copy
        .submit("copy", &[&elsewhere], &[&copy], move || {
            from.with_slice_now(|from: &[i64]| to.with_slice_mut_now(|to: &mut [i64]| to.copy_from_slice(from)))?
        })
        .expect("submitted");
    assert!(!slow.is_complete() && !dependent.is_complete());
    release.send(()).expect("the worker waits");
    assert_eq!(copy.to_vec::<i64>(), Ok(vec![7; 4]));
    drop((array, elsewhere, copy));
    registry::finish_all().expect("nothing failed");
    ledger::assert_empty();
}

#[test]
fn a_scripted_allocation_fails_and_the_next_works() {
    let gpu = device("gpu mem=1MiB fail_alloc=nth:2");
    let alloc = on(&gpu);
    let first = Array::zeros(&[10], DType::UInt8, &alloc).expect("the first");
    let error = Array::zeros(&[2000], DType::UInt8, &alloc).expect_err("the second");
    assert_eq!(error.out_of_memory().map(|facts| facts.shortage), Some(Shortage::Scripted));
    Array::zeros(&[2000], DType::UInt8, &alloc).expect("the third");
    drop(first);
    registry::finish_all().expect("nothing failed");
    ledger::assert_empty();
}

#[test]
fn a_lost_device_is_an_error_and_the_books_still_balance() {
    let gpu = device("gpu mem=1MiB lost=after:1");
    let native = Array::zeros(&[4], DType::Int64, &Alloc::default_device().expect("native")).expect("small");
    let array = Array::empty(&[4], DType::Int64, &on(&gpu)).expect("small");
    add(&array, 1);
    assert!(registry::finish_all().is_ok());
    add(&array, 1);
    let error = registry::finish_all().expect_err("the device has gone");
    assert_eq!(error.kind(), ErrorKind::DeviceLost);
    assert!(error.to_string().starts_with("device sim:gpu:0 is lost: simulated loss after 1 steps"), "{error}");
    assert!(registry::finish_all().is_ok(), "a failure is reported once");
    assert_eq!(array.to_vec::<i64>().expect_err("its memory too").kind(), ErrorKind::DeviceLost);
    assert_eq!(Array::zeros(&[1], DType::Int8, &on(&gpu)).expect_err("and new memory").kind(), ErrorKind::DeviceLost);
    assert!(matches!(ledger::reading(&gpu).memory.free, Amount::Unknown { .. }));
    assert_eq!(native.to_vec::<i64>(), Ok(vec![0; 4]));
    drop((native, array));
    ledger::assert_empty();
}

#[test]
fn a_loss_among_steps_that_read_what_the_last_made_is_told_once() {
    for latency in ["", " latency=1ms"] {
        let gpu = device(&format!("gpu mem=1MiB lost=after:3{latency}"));
        let arrays: Vec<Array> = (0..9).map(|_| Array::empty(&[4], DType::Int64, &on(&gpu)).expect("small")).collect();
        // A device that is known to be lost refuses further steps at once.
        let submit = |pair: &[Array]| pair[1].submit("chain", &[&pair[0]], &[&pair[1]], || Ok(())).map(drop);
        let submitted = arrays.windows(2).try_for_each(submit);
        let finished = registry::finish_all();
        let error = submitted.and(finished).expect_err("the device went in the middle");
        assert_eq!(error.kind(), ErrorKind::DeviceLost);
        assert!(registry::finish_all().is_ok(), "it is told once");
    }
}

#[test]
fn a_failure_told_to_a_reader_is_not_told_again() {
    let gpu = device("gpu mem=1MiB");
    let array = Array::zeros(&[4], DType::Int64, &on(&gpu)).expect("small");
    array.submit("fail", &[], &[&array], || Err(ArrayError::linalg("singular"))).expect("submitted");
    assert_eq!(array.to_vec::<i64>().expect_err("the write failed").kind(), ErrorKind::LinAlg);
    assert!(registry::finish_all().is_ok());
    array.submit("panic", &[], &[&array], || panic!("a bug")).expect("submitted");
    let error = registry::finish_all().expect_err("a panic is an error");
    assert!(error.to_string().contains("the step panic panicked"), "{error}");
}

#[test]
fn revoking_waits_for_queued_work() {
    let gpu = device("gpu mem=1MiB latency=2ms");
    let array = Array::zeros(&[4], DType::Int64, &on(&gpu)).expect("small");
    let event = add(&array, 1);
    assert_eq!(array.buffer().revoke("%free"), Ok(32));
    assert!(event.is_complete());
    ledger::assert_empty();
}

#[test]
fn a_device_without_double_precision_says_so() {
    let gpu = device("gpu mem=1MiB fp64=no");
    let alloc = on(&gpu);
    assert!(!alloc.place.fp64());
    let error = Array::zeros(&[1], DType::Float64, &alloc).expect_err("no fp64");
    assert_eq!(
        error.to_string(),
        "Device Simulated GPU (1.00 MiB) does not provide native support for double-precision floating point type."
    );
    let host = Array::zeros(&[1], DType::Complex128, &Alloc::HOST).expect("numpy has it");
    let error = host.copy_to(&alloc).expect_err("no fp64");
    assert_eq!(error.to_string(), "Requested dtype 'complex128' is not supported by the target device");
}

#[test]
fn host_kind_counts_on_integrated_devices_only() {
    for (text, free) in [("gpu mem=1MiB", 1 << 20), ("gpu mem=1MiB integrated", (1 << 20) - 64)] {
        let gpu = device(text);
        let place = on(&gpu).place;
        let array = Array::zeros(&[1], DType::Int8, &Alloc { place, usm: UsmKind::Host }).expect("small");
        assert_eq!(gpu.device().memory().free, Amount::known(free, "simulated"), "{text}");
        drop(array);
    }
    registry::finish_all().expect("nothing failed");
    ledger::assert_empty();
}

#[test]
fn moving_between_devices_copies_through_the_host_and_is_noted() {
    let gpu = device("gpu mem=1MiB");
    let array = Array::from_slice(&[1i64, 2, 3, 4], &[2, 2], &Alloc::default_device().expect("native")).expect("small");
    crate::arrays::account::begin_cell(1);
    let moved = array.transposed().to_queue(&registry::cached_queue(&gpu).expect("alive")).expect("copied");
    let account = crate::arrays::account::end_cell();
    assert_eq!(moved.to_vec::<i64>(), Ok(vec![1, 3, 2, 4]));
    assert!(moved.is_c_contiguous());
    assert_eq!((&*account.transfers[0].from, &*account.transfers[0].to), ("native:cpu:0", "sim:gpu:0"));
    let same = moved.to_queue(&registry::cached_queue(&gpu).expect("alive")).expect("no copy");
    assert_eq!(same.buffer().address(), moved.buffer().address());
    let back = moved.copy_to(&Alloc::HOST).expect("downloaded");
    assert!(registry::queued_work().is_empty(), "a download is waited for");
    assert_eq!(back.to_vec::<i64>(), Ok(vec![1, 3, 2, 4]));
    assert_eq!(moved.place(), &Place::Queue(registry::cached_queue(&gpu).expect("alive")));
}

#[test]
fn expressions_and_reductions_run_as_steps() {
    use crate::arrays::expr::{Expr, ReduceOp};
    use crate::arrays::op::{Flavour, Op};
    let gpu = device("gpu mem=8MiB latency=1ms");
    let alloc = on(&gpu);
    let values: Vec<f64> = (0..5000).map(f64::from).collect();
    let a = Array::from_slice(&values, &[50, 100], &alloc).expect("40 KB");
    let squares = Expr::apply(Op::Multiply, &[Expr::array(&a), Expr::array(&a)], Flavour::Dpnp).expect("go together");
    let product = squares.evaluate().expect("submitted");
    assert!(!registry::queued_work().is_empty(), "the latency has not passed yet");
    assert_eq!(product.read_flat(4999), Ok(crate::arrays::Scalar::Float(4999.0 * 4999.0)));
    let sum = squares.reduce(ReduceOp::Sum, None, false, None, Flavour::Dpnp).expect("reduces");
    let expected: f64 = values.iter().map(|value| value * value).sum();
    assert_eq!(sum.evaluate().expect("submitted").read_flat(0), Ok(crate::arrays::Scalar::Float(expected)));
    let columns = squares.reduce(ReduceOp::Mean, Some(&[0]), false, None, Flavour::Dpnp).expect("reduces");
    let means = columns.evaluate().expect("submitted");
    assert_eq!(means.device(), &gpu);
    let column = (0..50).map(|row| values[row * 100 + 7].powi(2)).sum::<f64>() / 50.0;
    assert!((means.read_flat(7).expect("computed").real() - column).abs() < 1e-6);
    Expr::array(&product).evaluate_into(&a.transposed().transposed(), None).expect("submitted");
    registry::finish_all().expect("nothing failed");
    assert_eq!(a.to_vec::<f64>(), product.to_vec::<f64>());
    drop((a, squares, product, sum, columns, means));
    ledger::assert_empty();
}

#[test]
fn memory_out_of_the_hosts_reach_is_read_and_written_through_copies_that_are_accounted() {
    let gpu = device("gpu mem=64MiB host_access=no");
    let alloc = on(&gpu);
    crate::arrays::account::begin_cell(1);
    let values: Vec<i64> = (0..1000).collect();
    let array = Array::from_slice(&values, &[10, 100], &alloc).expect("fits");
    assert!(array.pointer::<i64>().is_err(), "an address that faults is not handed out");
    // Only what is read is copied.
    assert_eq!(array.read_scalar(&[3, 7]), Ok(crate::arrays::Scalar::Int(307)));
    let row = array.index(&[crate::arrays::layout::BasicIndex::At(2)]).expect("valid");
    row.with_slice_mut(|row: &mut [i64]| row.iter_mut().for_each(|value| *value = -*value)).expect("writable");
    assert_eq!(row.to_vec::<i64>().expect("readable")[..3], [-200, -201, -202]);
    assert_eq!(array.to_vec::<i64>().expect("readable")[300..302], [300, 301]);
    assert_eq!(array.transposed().to_vec::<i64>().expect("readable")[..3], [0, 100, -200]);
    let zeros = Array::zeros(&[100], DType::Int64, &alloc).expect("fits");
    Buffer::copy_bytes(array.buffer(), 8, zeros.buffer(), 16, 24).expect("inside");
    Buffer::copy_bytes(zeros.buffer(), 16, zeros.buffer(), 24, 24).expect("inside, overlapping");
    assert_eq!(zeros.to_vec::<i64>().expect("readable")[..8], [0, 0, 1, 1, 2, 3, 0, 0]);
    registry::finish_all().expect("all is well");
    ledger::assert_balanced();
    let account = crate::arrays::account::end_cell();
    let moved = |from: &str, to: &str| {
        let those = account.transfers.iter().filter(|transfer| &*transfer.from == from && &*transfer.to == to);
        those.map(|transfer| transfer.bytes).collect::<Vec<_>>()
    };
    let up = moved("host", gpu.ledger_name());
    // The array, the row, and the overlapping part; what was never written is not read before it is.
    assert_eq!(up, [8000, 800, 32]);
    assert_eq!(moved(gpu.ledger_name(), "host")[..3], [8, 800, 800]);
    drop((array, row, zeros));
    registry::finish_all().expect("all is well");
    ledger::assert_empty();
}

#[test]
fn arrays_move_between_devices_that_do_not_know_each_others_memory() {
    let (left, right) = (device("gpu mem=64MiB host_access=no"), device("gpu mem=64MiB host_access=no"));
    let native = Alloc::queue(registry::cached_queue(&registry::devices()[0]).expect("native"), UsmKind::Device);
    let values: Vec<f32> = (0..24).map(|value| value as f32).collect();
    let array = Array::from_slice(&values, &[4, 6], &on(&left)).expect("fits");
    for view in [array.clone(), array.transposed()] {
        let expected = view.to_vec::<f32>().expect("readable");
        let there = view.copy_to(&on(&right)).expect("through the host");
        let here = view.copy_to(&native).expect("down");
        let again = here.transposed().copy_to(&on(&left)).expect("up, strided");
        let beside = view.copy_to(&on(&left)).expect("on the device");
        for copy in [there, here, beside] {
            assert_eq!(copy.to_vec::<f32>().expect("readable"), expected);
        }
        assert_eq!(again.transposed().to_vec::<f32>().expect("readable"), expected);
    }
    let bools = Array::from_slice(&[0u8, 1, 2, 255], &[4], &on(&left)).expect("small").view_as(DType::Bool);
    assert_eq!(bools.expect("as wide").to_vec::<bool>(), Ok(vec![false, true, true, true]));
    drop(array);
    registry::finish_all().expect("all is well");
    ledger::assert_empty();
}

#[test]
fn what_the_host_does_for_a_device_that_computes_itself_is_in_the_account() {
    use crate::arrays::functions::sorting;
    let gpu = device("gpu mem=64MiB host_access=no");
    let array = Array::from_slice(&[3i64, 1, 2], &[3], &on(&gpu)).expect("fits");
    crate::arrays::account::begin_cell(1);
    let sorted = ledger::with_op("sort", || sorting::sort(&array, Some(-1), false)).expect("sorts");
    let listed = ledger::with_op("tolist", || crate::arrays::functions::support::integers(&sorted)).expect("reads");
    assert_eq!(listed[..], [1, 2, 3]);
    let account = crate::arrays::account::end_cell();
    let operations: Vec<&str> = account.host_fallbacks.iter().map(|fallback| fallback.op).collect();
    assert!(operations.contains(&"sort") && !operations.contains(&"tolist"), "{operations:?}");
    assert!(account.host_fallbacks.iter().all(|fallback| fallback.bytes > 0), "{account:?}");
}

#[test]
fn no_room_for_the_hosts_copy_is_an_error_and_the_array_stays() {
    let gpu = device("gpu mem=64MiB host_access=no integrated fail_alloc=nth:3");
    let alloc = on(&gpu);
    let array = Array::from_slice(&[1i64, 2, 3], &[3], &alloc).expect("the first and, for the upload, the second");
    let error = array.view_as(DType::UInt8).expect("bytes").with_slice(<[u8]>::len);
    // The block of the first upload is taken again, so this read needs no allocation of the device's.
    assert_eq!(error, Ok(24));
    let large = Array::for_overwrite(&[5000], DType::Int64, &alloc).expect_err("the third fails as scripted");
    assert_eq!(large.out_of_memory().map(|facts| facts.shortage), Some(Shortage::Scripted));
    assert_eq!(array.to_vec::<i64>(), Ok(vec![1, 2, 3]));
    drop(array);
    registry::finish_all().expect("all is well");
    ledger::assert_empty();
}
