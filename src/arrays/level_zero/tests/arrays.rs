//! Arrays on the device: the same numbers as on the host, and a balanced ledger whatever fails.

use super::child::{child, inject, named};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::backend::BackendKind;
use crate::arrays::error::{ArrayError, ErrorKind};
use crate::arrays::expr::Expr;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};
use crate::arrays::{DType, DeviceHandle, UsmKind, ledger, pool, registry};

fn device() -> DeviceHandle {
    registry::look_for(&[BackendKind::LevelZero], "not asked");
    registry::select("level_zero:gpu:0").unwrap_or_else(|error| panic!("{error}; {:?}", registry::absent()))
}

/// `x * y + 1.5` of numbers that go there and come back.
fn compute(alloc: &Alloc) -> Result<Vec<f64>, ArrayError> {
    let x: Vec<f64> = (0..5000).map(|i| f64::from(i).sin()).collect();
    let x = Expr::array(&Array::from_slice(&x, &[5000], alloc)?);
    let y = Expr::array(&Array::zeros(&[5000], DType::Float64, alloc)?);
    let weak = |value| Expr::scalar(Operand::Weak(Scalar::Float(value)));
    let y = Expr::apply(Op::Add, &[y, weak(3.0)], Flavour::Dpnp)?;
    let product = Expr::apply(Op::Multiply, &[x, y], Flavour::Dpnp)?;
    Expr::apply(Op::Add, &[product, weak(1.5)], Flavour::Dpnp)?.evaluate()?.to_vec()
}

fn on(device: &DeviceHandle) -> Result<Alloc, ArrayError> {
    Ok(Alloc::queue(registry::cached_queue(device)?, UsmKind::Device))
}

/// Everything is given back, and the ledger says so.
fn assert_clean(device: &DeviceHandle) {
    let _ = registry::finish_all();
    pool::trim(device);
    ledger::settle();
    ledger::assert_balanced();
    ledger::assert_empty();
    assert!(UsmKind::ALL.into_iter().all(|usm| device.device().bytes_mapped(usm) == 0));
}

#[test]
fn a_failure_leaves_a_balanced_ledger_and_a_session_that_goes_on() {
    let test = named!("arrays::a_failure_leaves_a_balanced_ledger_and_a_session_that_goes_on");
    child(test).set("TESTDRIVER_GUARD", 1).run(|| {
        let expected = compute(&Alloc::HOST).expect("on the host");
        let device = device();
        let faults = [
            ("zeMemAllocDevice", "OUT_OF_DEVICE_MEMORY"),
            ("zeMemAllocHost", "OUT_OF_HOST_MEMORY"),
            ("zeModuleCreate", "MODULE_BUILD_FAILURE"),
            ("zeKernelCreate", "INVALID_KERNEL_NAME"),
            ("zeKernelSetArgumentValue", "INVALID_KERNEL_ARGUMENT_INDEX"),
            ("zeCommandListAppendLaunchKernel", "UNKNOWN"),
            ("zeCommandListAppendMemoryCopy", "UNKNOWN"),
            ("zeCommandListAppendMemoryFill", "UNKNOWN"),
        ];
        let mut told = 0;
        for (function, result) in faults {
            // The first call and all later ones fail; then the driver is well again.
            inject(&format!("{function}:1+:{result}"));
            match on(&device).and_then(|alloc| compute(&alloc)) {
                Ok(numbers) => assert_eq!(numbers, expected, "{function}"),
                Err(error) => {
                    let message = error.to_string();
                    assert!(message.contains("level_zero:gpu:0"), "{function}: {message}");
                    assert!(
                        message.contains(function)
                            || message.contains("did not build")
                            || error.kind() == ErrorKind::Memory,
                        "{function}: {message}"
                    );
                    told += 1;
                }
            }
            inject("");
            assert_clean(&device);
            assert_eq!(on(&device).and_then(|alloc| compute(&alloc)), Ok(expected.clone()), "after {function}");
            assert_clean(&device);
        }
        assert!(told >= 3, "only {told} failures reached anyone");
    });
}

#[test]
fn a_lost_device_takes_nothing_else_with_it() {
    child(named!("arrays::a_lost_device_takes_nothing_else_with_it")).run(|| {
        let expected = compute(&Alloc::HOST).expect("on the host");
        let device = device();
        let alloc = on(&device).expect("a queue");
        let kept = Array::from_slice(&[1.0; 64], &[64], &alloc).expect("memory");
        assert_eq!(kept.to_vec::<f64>(), Ok(vec![1.0; 64]));
        inject("execute:1:DEVICE_LOST");
        let error = compute(&alloc).expect_err("lost");
        assert_eq!(error.kind(), ErrorKind::DeviceLost, "{error}");
        assert_eq!(kept.to_vec::<f64>().map_err(|error| error.kind()), Err(ErrorKind::DeviceLost));
        assert_eq!(compute(&Alloc::HOST), Ok(expected));
        drop(kept);
        drop(alloc);
        assert_clean(&device);
    });
}

#[test]
fn a_thousand_arrays_leave_nothing_behind() {
    child(named!("arrays::a_thousand_arrays_leave_nothing_behind")).run(|| {
        let device = device();
        let alloc = on(&device).expect("a queue");
        for round in 0..1000 {
            let array = Array::from_slice(&[f64::from(round); 16], &[16], &alloc).expect("memory");
            let doubled = Expr::apply(Op::Add, &[Expr::array(&array), Expr::array(&array)], Flavour::Dpnp);
            let doubled = doubled.and_then(|sum| sum.evaluate()).and_then(|sum| sum.to_vec::<f64>());
            assert_eq!(doubled, Ok(vec![f64::from(round) * 2.0; 16]));
        }
        drop(alloc);
        assert_clean(&device);
        // The session's device with its queue, list, events and programs is all that is left; a thread ends with its registry.
        drop(device);
        std::thread::spawn(|| {
            let device = self::device();
            let alloc = on(&device).expect("a queue");
            assert!(compute(&alloc).is_ok());
            drop(alloc);
            assert_clean(&device);
        })
        .join()
        .expect("well");
    });
}
