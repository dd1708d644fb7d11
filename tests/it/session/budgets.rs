//! Budgets: a block or a cell may hold so much more and no more, and the refusal says which budget it was.

use super::with_session;
use cellhold::arrays::budget;

#[test]
fn a_block_is_capped_and_the_cap_ends_with_it() {
    with_session(|bench| {
        bench.ok("import dpnp\nkeep = dpnp.ones(2**20)");
        let (class, message) = bench.fails("with budget('12MiB'):\n    a = dpnp.ones(2**20)\n    b = dpnp.ones(2**20)");
        assert_eq!(class, "USMAllocationError");
        for part in ["8.00 MiB asked for", "budget of 12.0 MiB has 4.00 MiB left", "4.00 MiB more are needed", "%mem"] {
            assert!(message.contains(part), "{part} is not in:\n{message}");
        }
        assert_eq!(budget::depth(), 0);
        bench.ok("b = dpnp.ones(2**20)");
        assert_eq!(bench.result("float(keep.sum() + a.sum() + b.sum())").as_deref(), Some("3145728.0"));
    });
}

#[test]
fn what_is_let_go_of_inside_can_be_used_again() {
    with_session(|bench| {
        bench.ok("import dpnp\nwith budget(10_000_000) as cap:\n    for i in range(20):\n        x = None\n        x = dpnp.ones(10**6)\n    left = cap.left");
        assert_eq!(bench.result("left, cap.limit").as_deref(), Some("(2000000, 10000000)"));
    });
}

#[test]
fn budgets_nest_and_numpy_counts() {
    with_session(|bench| {
        let (class, message) =
            bench.fails("import numpy\nwith budget('1GB'):\n    with budget('1MB'):\n        numpy.ones(10**6)");
        assert_eq!(class, "MemoryError");
        assert!(message.contains("budget of 977 KiB") && message.contains("request alone exceeds"), "{message}");
        assert_eq!(budget::depth(), 0);
    });
}

#[test]
fn a_cell_is_capped_and_shows_its_value() {
    with_session(|bench| {
        assert_eq!(bench.result("%%budget 512MB\nimport dpnp\nfloat(dpnp.ones(4).sum())").as_deref(), Some("4.0"));
        let (class, _) = bench.fails("%%budget 1MB\ndpnp.zeros(10**6)");
        assert_eq!(class, "USMAllocationError");
        bench.ok("z = dpnp.zeros(10**6)");
        assert_eq!(bench.fails("%%budget lots\n1").0, "UsageError");
        assert_eq!(bench.fails("with budget('lots'):\n    pass").0, "ValueError");
        assert_eq!(bench.fails("with budget(-1):\n    pass").0, "ValueError");
    });
}

#[test]
fn files_import_it() {
    with_session(|bench| {
        assert_eq!(
            bench.result("from cellhold import budget as cap\nrepr(cap('2GiB'))").as_deref(),
            Some("'<budget of 2.00 GiB>'")
        );
    });
}
