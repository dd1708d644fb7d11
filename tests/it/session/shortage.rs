//! Running out of memory on a simulated device: what the error says, and that nothing else is lost.

use super::with_session;

const SETUP: &str = "import dpnp as np\n%devices add gpu mem=64MiB\nkeep = np.ones(2**20, device='sim:gpu:0')\n\
                     also = [np.arange(2**20, dtype='f8', device='sim:gpu:0')]";

#[test]
fn the_message_names_what_was_asked_what_is_free_and_who_holds() {
    with_session(|bench| {
        bench.ok(SETUP);
        let error = bench.run("big = np.zeros(10**7, device='sim:gpu:0')").error.expect("80 MB do not fit");
        assert_eq!(error.class, "USMAllocationError");
        for part in ["76.3 MiB asked for", "kind device", "sim:gpu:0", "free", "keep 8.00 MiB (cell 1)", "also[0]"] {
            assert!(error.message.contains(part), "{part} is not in:\n{}", error.message);
        }
        assert_eq!(
            bench.result("float(keep.sum()), float(also[0].sum())").as_deref(),
            Some("(1048576.0, 549755289600.0)")
        );
    });
}

#[test]
fn it_is_a_memory_error() {
    with_session(|bench| {
        bench.ok(SETUP);
        let caught = bench.result("try:\n    np.zeros(10**8, device='sim:gpu:0')\nexcept MemoryError as e:\n    caught = type(e).__name__\ncaught");
        assert_eq!(caught.as_deref(), Some("'USMAllocationError'"));
    });
}

#[test]
fn the_cache_is_returned_and_cycles_are_broken_first() {
    with_session(|bench| {
        bench.ok("import dpnp as np, gc\ngc.disable()\n%devices add gpu mem=64MiB");
        bench.ok("class Node: pass\nn = Node(); n.me = n; n.data = np.ones(5 * 2**20, device='sim:gpu:0')\ndel n");
        bench.ok("x = np.ones(5 * 2**20, device='sim:gpu:0')");
        bench.ok("del x\ny = np.ones(6 * 2**20, device='sim:gpu:0')");
    });
}

#[test]
fn a_single_allocation_that_is_too_large_is_told_as_that() {
    with_session(|bench| {
        bench.ok("import dpnp as np\n%devices add gpu mem=64MiB max_alloc=16MiB");
        let message = bench.fails("np.zeros(4 * 2**20, device='sim:gpu:0')").1;
        assert!(
            message.contains("32.0 MiB asked for") && message.contains("largest single allocation 16.0 MiB"),
            "{message}"
        );
        assert!(message.contains("more than one allocation may have"), "{message}");
    });
}
