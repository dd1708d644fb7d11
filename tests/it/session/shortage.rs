//! Running out of memory on a simulated device: what the error says, and that nothing else is lost.

use cellhold::arrays::ledger;

use super::liveness::explained;
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

/// Allocates in every corner where a statement can be cut short: a comprehension, a sort key, a class body, a default,
/// `__init__`, a generator, an in-place statement, a closure.
const CORNERS: &str = "\
rows = [np.ones(1000) * i for i in range(3)]
rows.sort(key=lambda r: float((r + 1).sum()))
class Model:
    weights = np.zeros(500)
    def __init__(self, bias=np.ones(300)):
        self.bias = bias * 2
        self.hidden = [np.full(100, 3.0)]
model = Model()
table = {k: np.arange(50) for k in 'ab'}
lazy = (np.ones(70) * k for k in range(3))
first = next(lazy)
keep += 1
def make():
    buf = np.ones(90)
    return lambda: buf
hold = make()
def traced(function, log=[]):
    log.append(np.ones(60))
    def inner(*args):
        log.append(function(*args) * 2)
        return log[-1]
    return inner
@traced
def decorated(x):
    return x[:40] + 1
decorated(first)
class Lent:
    def __enter__(self):
        self.held = np.ones(80)
        return self.held + 1
    def __exit__(self, kind, error, where):
        self.held = np.zeros(5)
with Lent() as lent:
    twice = lent * 2
class Scaled:
    def __init__(self): self._x = np.ones(110)
    @property
    def x(self): return self._x * 3
    @x.setter
    def x(self, value): self._x = value + np.ones(110)
    def __add__(self, other): return np.ones(33) + other
    def __getitem__(self, index): return np.ones(44)[index]
scaled = Scaled()
scaled.x = scaled.x
summed = scaled + 1
part = scaled[3:]
chained = [y for x in (np.ones(21) * k for k in range(2)) for y in (x, x + 1)]
def given(a, *rest, key=None, **more): return [a, rest, key, more]
passed = given(np.ones(12), *[np.ones(13)], key=np.ones(14), other=np.ones(15))
match [np.ones(16), np.ones(17)]:
    case [one, other_one]: matched = one + np.ones(16)
try:
    raise ValueError(np.ones(18))
except ValueError as error:
    caught = error.args[0] + 1
finally:
    done = np.ones(19)
first_of, *others = [np.ones(22), np.ones(23)]
text = f'{np.ones(3) + 1} {float(np.ones(3).sum())}'
np.concatenate([keep, first])";

#[test]
fn a_cell_in_which_a_device_was_lost_says_so() {
    with_session(|bench| {
        for device in ["sim:gpu:0", "sim:gpu:1"] {
            let latency = if device.ends_with('1') { " latency=1ms" } else { "" };
            bench.ok(&format!("import dpnp as np\n%devices add gpu mem=64MiB lost=after:20{latency}"));
            bench.ok(&format!("c = np.ones(1000, device='{device}')"));
            let (class, message) = bench.fails("for i in range(30): c = c + 1");
            assert_eq!(class, "DeviceLostError", "{message}");
            bench.ok("kept = 1");
            assert_eq!(bench.fails("c[:3]").0, "DeviceLostError");
            bench.ok("del c");
        }
    });
}

#[test]
fn every_allocation_may_fail_and_nothing_is_lost() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nkeep = np.arange(1000.0)\nother = [keep[:10], np.ones(20)]");
        let before = ledger::allocations_attempted();
        bench.ok(CORNERS);
        let count = ledger::allocations_attempted() - before;
        assert!(count > 20, "the program allocates in every corner: {count}");
        for nth in 1..=count {
            bench.ok("keep[:] = np.arange(1000.0)");
            ledger::fail_nth_allocation(Some(nth));
            let outcome = bench.run(CORNERS);
            ledger::fail_nth_allocation(None);
            if let Some(error) = outcome.error {
                assert!(error.class.ends_with("USMAllocationError") || error.class == "MemoryError", "{}", error.text);
            }
            ledger::assert_balanced();
            explained(bench).expect("every allocation is explained");
            // The in-place statement has run or not; nothing in between, and nobody else changed.
            let sums = bench
                .result("float(keep.sum()) - 499500.0, float(other[1].sum()), float(other[0][1]) - float(keep[1])");
            assert!(
                matches!(sums.as_deref(), Some("(0.0, 20.0, 0.0)" | "(1000.0, 20.0, 0.0)")),
                "after the failure of allocation {nth}: {sums:?}"
            );
        }
        bench.ok("%reset -f\n%free all -y");
        assert_eq!(super::live(), 0);
    });
}
