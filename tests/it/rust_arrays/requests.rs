//! Expressions, elements, writes and errors: what Rust computes is what array cells compute.

use super::*;

#[test]
fn expressions_are_those_of_array_cells() {
    in_session(move |mut bench| {
        bench.ok(
        "a = dpnp.linspace(0, 1, 10000).reshape(100, 100)\nb = dpnp.sin(dpnp.arange(10000.0)).reshape(100, 100) + 1",
    );
        let said = bench.play("expressions");
        bench.ok("assert dpnp.array_equal(c, dpnp.sqrt(a * 2.0 + b - 1.0) / (1.0 + a), equal_nan=True)");
        bench.ok("assert dpnp.array_equal(d, (2 - a) % 7 * -b)");
        bench.ok("assert dpnp.array_equal(e, dpnp.logical_and(a > 0.5, b <= a)) and e.dtype == bool");
        bench.ok("assert dpnp.array_equal(f, a[1:3, :-2].reshape(2, -1).T)");
        bench.ok("assert dpnp.array_equal(g, a @ b)");
        bench.ok("assert dpnp.array_equal(h, dpnp.clip(dpnp.where(a > b, a, 0.0), 0.1, 0.9))");
        bench.ok("assert dpnp.array_equal(i, a.sum(axis=0))");
        bench.ok("assert dpnp.array_equal(j, a[-1][5:8]) and j.shape == (3,)");
        bench.ok("assert dpnp.allclose(k, dpnp.arange(5) * 2 + dpnp.linspace(0, 1, 5))");
        bench.ok("assert dpnp.array_equal(l, ~(a < 0.5) | dpnp.isnan(a))");
        bench.ok("assert m.shape == (2, 3) and m.dtype == dpnp.int64 and int(m[1, 2]) == 7");
        let sum = bench.shows("float(a.sum())");
        assert_eq!(said[0], format!("sum {}", sum.trim()));
        assert_eq!(said[1], "largest 1. at 9999");
        assert_eq!(said[2], "Array(float32, [3], native:cpu:0)");
        assert_eq!(said[3], "shown [0 1 2 3]");
        bench.ends_empty();
    });
}

#[test]
fn a_whole_expression_is_one_pass() {
    in_session(move |mut bench| {
        bench.ok("a = dpnp.ones((100, 100)); b = a + 1");
        let before = ledger::next_id();
        let mut playing = bench.start(&["expressions"]);
        bench.until(&mut playing, "done");
        // c to m are 11 arrays; the steps on the way to them took no memory of their own, except small ones and reductions.
        let made = ledger::next_id() - before;
        assert!(made < 60, "{made} allocations");
        drop(playing);
        bench.ends_empty();
    });
}

#[test]
fn elements_come_back_as_they_went() {
    in_session(move |mut bench| {
        let said = bench.play("elements");
        assert_eq!(
            said,
            [
                "TypeError: the array is of int64, to_vec::<f64>() wants float64: convert it with astype::<f64>()",
                "ValueError: an array of shape [3] has not exactly one element",
                "TypeError: the element Float(1.5) of float64 is no i64",
                "ValueError: 2 elements do not fill the shape [3]",
            ]
        );
        assert_eq!(bench.shows("numbers, few").trim(), "(array([1, 2, 3], dtype=uint8), array([1., 2.]))");
        bench.ends_empty();
    });
}

#[test]
fn writes_are_seen_by_everyone_who_holds_the_memory() {
    in_session(move |mut bench| {
        bench.ok("a = dpnp.ones((3, 4)); b = dpnp.arange(12.0).reshape(3, 4); view = a[1]; whole = dpnp.arange(5)");
        bench.ok("frozen = np.broadcast_to(np.arange(3.0), (2, 3))");
        let mut playing = bench.start(&["in_place"]);
        let said = bench.until(&mut playing, "written");
        let refused = "TypeError: float64 does not go into an array of int64: convert it with astype() first";
        assert_eq!(said[..2], [refused, refused]);
        assert_eq!(said[2], "ValueError: assignment destination is read-only: copy() it first");
        bench.ok(
        "expected = (dpnp.ones((3, 4)) + 1) * b\nexpected[0] = -1\nexpected[1, :2] = b[0, :2]\n\
         assert dpnp.array_equal(before, expected)\nassert dpnp.array_equal(a, expected - 5)\nassert dpnp.array_equal(view, a[1])\n\
         a[0, 0] = 42",
    );
        assert_eq!(bench.go_on(&mut playing, "done"), ["42"]);
        bench.ends_empty();
    });
}

#[test]
fn what_is_wrong_is_said_and_nothing_else_changes() {
    in_session(move |mut bench| {
        bench.ok("text = 'words'; number = 7; table = {'k': dpnp.full((), 2.0)}");
        let said = bench.play("errors");
        let expected = [
            "NameError: name 'nothing' is not defined in the array cells",
            "TypeError: text is a str, not an array: dpnp.asarray(text) makes one where it can",
            "ValueError: 'not a name' is no name that array cells can have",
            "ValueError: 'lambda' is no name that array cells can have",
            "ValueError: operands could not be broadcast together with shapes (3,) and (4,)",
        ];
        assert_eq!(said[..expected.len()], expected);
        let classes: Vec<&str> =
            said[expected.len()..].iter().map(|line| line.split(':').next().unwrap_or_default()).collect();
        assert_eq!(
            classes,
            [
                "ValueError",
                "IndexError",
                "IndexError",
                "ValueError",
                "ValueError",
                "USMAllocationError",
                "USMAllocationError",
                "SyclQueueCreationError",
                "AxisError",
                "ValueError",
            ],
            "{said:#?}"
        );
        bench.ends_empty();
    });
}

#[test]
fn a_gigabyte_goes_there_and_back() {
    let bytes = 1usize << 30;
    in_session(move |mut bench| {
        let mut playing = bench.start(&["billion", &bytes.to_string()]);
        let said = bench.until(&mut playing, "given");
        println!("1 GiB there, back, and cloned in Rust, in seconds: {}", said[0]);
        bench.ok(&format!(
            "assert big.nbytes == {bytes} and big.dtype == dpnp.uint64 and int(big[1]) == 0x9E3779B97F4A7C15"
        ));
        // Nothing but the array is there: no shared memory of its size, and no file.
        assert_eq!(ledger::live_everywhere(), bytes as u64);
        assert!(
            !std::fs::read_dir("/dev/shm")
                .unwrap()
                .any(|entry| { entry.is_ok_and(|entry| entry.file_name().to_string_lossy().contains("cellhold")) })
        );
        drop(playing);
        bench.ends_empty();
    });
}

#[test]
fn thousands_of_handles_balance() {
    in_session(move |mut bench| {
        let mut playing = bench.start(&["many"]);
        assert_eq!(bench.until(&mut playing, "kept"), ["1999000 2000"]);
        bench.attend_until("drops", |bench| bench.session.memory(10)["allocations"].as_array().unwrap().len() == 4);
        drop(playing);
        bench.ends_empty();
    });
}

#[test]
fn threads_of_the_program_may_ask_at_the_same_time() {
    in_session(move |mut bench| {
        let mut playing = bench.start(&["threads"]);
        bench.until(&mut playing, "joined");
        bench.go_on(&mut playing, "done");
        bench.ends_empty();
    });
}
