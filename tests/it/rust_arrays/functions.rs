//! Rust functions in array cells: results, refusals, panics, interrupts, and processes that end.

use super::*;

#[test]
fn functions_of_rust_work_on_arrays() {
    in_session(move |mut bench| {
        bench.ok("a = dpnp.arange(1000003.0)");
        let mut playing = bench.start(&["functions"]);
        let said = bench.until(&mut playing, "registered");
        assert_eq!(said, ["ValueError: 'two words' is no name that array cells can have"]);
        bench.ok("assert dpnp.array_equal(twice(a), a * 2)");
        bench.ok("assert dpnp.array_equal(twice(a.reshape(-1, 1)[:10]), (a * 2).reshape(-1, 1)[:10])");
        bench.ok("assert dpnp.array_equal(twice(a[::3]), a[::3] * 2)");
        bench.ok("assert dpnp.array_equal(twice(dpnp.arange(5)), dpnp.arange(5.0) * 2)");
        bench.ok("assert twice(dpnp.ones((0, 3))).shape == (0, 3)");
        bench.ok("assert twice(dpnp.full((), 4.0)).shape == () and twice(21) == 42.0");
        bench.ok("r = blend(a, a[:1] + 100, 0.5); assert dpnp.allclose(r, a + (100 - a) * 0.5)");
        bench.ok("r = blend(a[:4].reshape(4, 1), a[:3], 0.25); assert r.shape == (4, 3)");
        bench.ok("assert even(dpnp.arange(5)).dtype == bool and even(dpnp.arange(5)).tolist() == [True, False, True, False, True]");
        bench.ok("n = np.linspace(0, 1, 70000, dtype=np.float32); assert np.array_equal(negated(n), -n) and type(negated(n)) is np.ndarray");
        bench.ok(
            "assert dpnp.array_equal(sorted_down(a), a[::-1]) and sorted_down(a.reshape(1, -1)).shape == (1, 1000003)",
        );
        bench.ok("assert distinct(dpnp.array([3, 1, 3, 2, 1])).tolist() == [1, 2, 3]");
        assert_eq!(bench.shows("twice").trim(), "<Rust function twice(float64) -> float64>");
        let (class, message) = bench.fails("negated(a)");
        assert_eq!(class, "TypeError");
        assert_eq!(
            message,
            "negated(float32) -> float32: argument 1 is an array of float64, which does not fit float32 without loss: convert it with \
         .astype('float32')"
        );
        assert_eq!(bench.fails("twice(a, a)").1, "twice() takes 1 argument but 2 were given");
        assert_eq!(
            bench.fails("twice('x')").1,
            "twice(float64) -> float64 takes arrays and numbers, not <class 'str'>"
        );
        assert_eq!(bench.fails("blend(a, n, 0)").0, "ExecutionPlacementError");
        assert_eq!(bench.fails("blend(a, dpnp.ones(3), 0)").0, "ValueError");
        let (class, message) = bench.fails("fails(a + 1)");
        assert_eq!(class, "RustError");
        assert!(message.starts_with("the Rust function fails() panicked: too large: 100000"), "{message}");
        assert!(bench.fails("never(a)").1.ends_with("never() panicked: not today"));
        assert!(bench.fails("asks(a[:3])").1.contains("answers nothing meanwhile: pass arrays as arguments"));
        // A failed call leaves the next one whole.
        bench.ok("assert dpnp.array_equal(fails(a[:5]), a[:5])");
        bench.ok("%plan twice(a)");
        let account = bench.shows("%%mem\nr = twice(a)");
        assert!(account.contains("rust"), "{account}");
        // The process ends; the names stay and say so.
        playing.child.kill().unwrap();
        playing.child.wait().unwrap();
        let (class, message) = bench.fails("twice(a)");
        assert_eq!(class, "RustError");
        assert_eq!(message, "the Rust process that had twice() has ended: run the %%rust cell that registers it again");
        bench.ok("del twice, blend, even, fails, asks, negated, sorted_down, distinct, never");
        bench.ends_empty();
    });
}

#[test]
fn a_call_stops_when_it_is_interrupted() {
    in_session(move |mut bench| {
        bench.ok("a = dpnp.ones(10)");
        let mut playing = bench.start(&["endless"]);
        bench.until(&mut playing, "registered");
        let interrupt = bench.interrupt.clone();
        let lines = std::mem::replace(&mut playing.lines, mpsc::channel().1);
        let raised = std::thread::spawn(move || {
            // Once the function runs.
            assert!(lines.iter().any(|line| line == "spinning"));
            interrupt.raise();
            Instant::now()
        });
        let outcome = bench.run("spin(a)");
        let ended = Instant::now();
        assert!(outcome.is_interrupted, "{:?}", outcome.error);
        assert!(ended.duration_since(raised.join().unwrap()) < Duration::from_secs(1));
        bench.ok("assert float(a.sum()) == 10");
        assert_eq!(bench.fails("spin(a)").0, "RustError");
        drop(playing);
        bench.ok("del spin");
        bench.ends_empty();
    });
}

#[test]
fn a_process_that_ends_in_the_middle_of_a_call_is_an_error() {
    in_session(move |mut bench| {
        bench.ok("a = dpnp.ones(10)");
        let mut playing = bench.start(&["endless"]);
        bench.until(&mut playing, "registered");
        let lines = std::mem::replace(&mut playing.lines, mpsc::channel().1);
        let killed = std::thread::spawn(move || {
            assert!(lines.iter().any(|line| line == "spinning"));
            playing.child.kill().unwrap();
            playing
        });
        let (class, message) = bench.fails("spin(a)");
        assert!(class == "RustError" && message.contains("has ended"), "{class}: {message}");
        drop(killed.join().unwrap());
        bench.ok("del spin");
        bench.ends_empty();
    });
}
