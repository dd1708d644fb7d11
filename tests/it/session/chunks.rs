//! `%chunk` and memory-mapped files: results as if whole, memory within the device, and progress that is told.

use std::cell::RefCell;
use std::rc::Rc;

use cellhold::arrays::{UsmKind, ledger};
use cellhold::session::{CellEvent, Frontend, FrontendGone, Interrupt, ReadLineError, Request};

use super::plans::plan;
use super::{Bench, MIB, live, with_session};

fn notices(bench: &Bench) -> Vec<String> {
    let text = |event| match event {
        CellEvent::Notice(markup) => Some(cellhold::display::to_plain(&markup, usize::MAX)),
        _ => None,
    };
    bench.front.events().into_iter().filter_map(text).collect()
}

fn peak(device: &str) -> u64 {
    let reading = ledger::readings().into_iter().find(|reading| &*reading.filter == device).unwrap();
    let own = reading.by_kind.iter().find(|(usm, _)| *usm == Some(UsmKind::Device));
    own.map_or(0, |(_, holdings)| holdings.peak)
}

#[test]
fn a_file_larger_than_the_device_is_computed_in_pieces() {
    with_session(|bench| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        bench.ok(&format!(
            "import numpy, dpnp\npath = {path:?}\nwhole = numpy.sin(numpy.arange(10 * 2**20, dtype='f8')).reshape(-1, 1024)\n\
             numpy.save(path, whole)\n%devices add gpu mem=64MiB\n%device sim:gpu:0"
        ));
        let before = live();
        bench.ok("x = dpnp.load(path, mmap_mode='r')");
        assert_eq!(live(), before, "nothing is read yet");
        assert_eq!(
            bench.result("x.shape, x.dtype, x.usm_type, str(x.device.sycl_device.filter_string)").as_deref(),
            Some("((10240, 1024), dtype('float64'), 'device', 'sim:gpu:0')")
        );
        bench.ok("total = float(x.sum()); spread = float((x * 2 - 1).std()); columns = x.max(axis=0)");
        let told = notices(bench).join("\n");
        assert!(told.contains("80.0 MiB in") && told.contains("pieces"), "{told}");
        assert!(peak("sim:gpu:0") <= 64 * MIB, "{}", peak("sim:gpu:0"));
        let same = "total == float(whole.sum()), spread == float((whole * 2 - 1).std()), bool((columns.asnumpy() == whole.max(axis=0)).all())";
        assert_eq!(bench.result(same).as_deref(), Some("(True, True, True)"));
        bench.ok("part = x[100:200] * 3");
        assert_eq!(bench.result("bool((part.asnumpy() == whole[100:200] * 3).all())").as_deref(), Some("True"));
        assert_eq!(bench.fails("x[0] = 1").0, "ValueError");
        // The whole does not fit, and says so.
        assert_eq!(bench.fails("y = x.copy()").0, "USMAllocationError");
        bench.ok("%chunk auto\ny = x * 2\nz = float(y.sum())");
        assert_eq!(bench.result("z == float((whole * 2).sum()), y.usm_type").as_deref(), Some("(True, 'host')"));
        assert!(peak("sim:gpu:0") <= 64 * MIB);
    });
}

#[test]
fn numpy_reads_a_file_where_it_lies() {
    with_session(|bench| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        bench.ok(&format!("import numpy\npath = {path:?}\nnumpy.save(path, numpy.arange(1000.0).reshape(10, 100).T)"));
        let before = live();
        bench.ok("x = numpy.load(path, mmap_mode='r'); c = numpy.load(path, mmap_mode='c')");
        assert_eq!(live(), before);
        assert_eq!(
            bench.result("float(x.sum()), float(x[1, 2]), x.shape").as_deref(),
            Some("(499500.0, 201.0, (100, 10))")
        );
        assert_eq!(
            bench.result("c[0, 0] = 5\nfloat(c[0, 0]), float(x[0, 0]), float(numpy.load(path)[0, 0])").as_deref(),
            Some("(5.0, 0.0, 0.0)")
        );
        assert_eq!(bench.fails("x += 1").0, "ValueError");
        assert_eq!(bench.fails("numpy.load(path, mmap_mode='r+')").0, "NotImplementedError");
        assert_eq!(bench.fails("numpy.load(path, mmap_mode='w')").0, "ValueError");
        bench.ok("numpy.save(path, numpy.arange(3, dtype='>i4') if False else numpy.zeros(0))\nempty = numpy.load(path, mmap_mode='r')");
        assert_eq!(bench.result("empty.size").as_deref(), Some("0"));
    });
}

#[test]
fn the_budget_bounds_pieces_too() {
    with_session(|bench| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        bench.ok(&format!(
            "import numpy, dpnp\npath = {path:?}\nnumpy.save(path, numpy.ones(4 * 2**20))\n%devices add gpu mem=64MiB"
        ));
        bench.ok("x = dpnp.load(path, mmap_mode='r', device='sim:gpu:0')");
        let account = bench.ok("%%budget 4MiB\ntotal = float(x.sum())").account.unwrap();
        assert!(account["peak_over_base"].as_u64().unwrap() <= 4 * MIB, "{account}");
        assert_eq!(bench.result("total").as_deref(), Some("4194304.0"));
    });
}

#[test]
fn pieces_are_planned_as_they_run() {
    with_session(|bench| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        bench.ok(&format!(
            "import numpy, dpnp\npath = {path:?}\nnumpy.save(path, numpy.arange(10 * 2**20, dtype='f8').reshape(-1, 1024))\n\
             %devices add gpu mem=64MiB\n%device sim:gpu:0\nx = dpnp.load(path, mmap_mode='r')"
        ));
        for expression in ["x.sum()", "(x * 2 - 1).std()", "x.max(axis=0)", "x[:100] * 3"] {
            let planned = plan(bench, &format!("%plan {expression}"));
            let told = notices(bench);
            assert!(!told.iter().any(|told| told.contains("pieces")), "nothing runs: {told:?}");
            assert_eq!(planned["fits"], true);
            let account = bench.ok(&format!("t = {expression}")).account.unwrap();
            for figure in ["allocated", "allocations"] {
                assert_eq!(planned[figure], account[figure], "{figure} of {expression}: {account}");
            }
            bench.ok("del t");
        }
        assert_eq!(plan(bench, "%plan x * 2")["fits"], false);
        bench.ok("%chunk auto");
        let planned = plan(bench, "%plan x * 2");
        assert_eq!(planned["fits"], true, "what does not fit goes to host memory, as the run has it");
        assert!(bench.output().contains("kept in host memory, as %chunk says"), "{}", bench.output());
        let account = bench.ok("%%plan --run\nt = x * 2").account.unwrap();
        assert_eq!(planned["allocated"], account["allocated"], "{account}");
        assert_eq!(bench.result("t.usm_type").as_deref(), Some("'host'"));
        bench.ok("%chunk off\ndel t");
    });
}

/// Interrupts the cell once it is told how far a computation in pieces is.
struct Impatient {
    interrupt: Interrupt,
    told: RefCell<Vec<String>>,
}

impl Frontend for Impatient {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        if let CellEvent::Notice(markup) = event {
            let mut told = self.told.borrow_mut();
            if told.is_empty() {
                self.interrupt.raise();
            }
            told.push(cellhold::display::to_plain(&markup, usize::MAX));
        }
        Ok(())
    }
    fn read_line(&self, _prompt: &str, _hidden: bool) -> Result<String, ReadLineError> {
        Err(ReadLineError::NotSupported)
    }
}

#[test]
fn a_computation_in_pieces_tells_how_far_it_is_and_ends_between_pieces() {
    with_session(|bench| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        bench.ok(&format!(
            "import numpy, dpnp\npath = {path:?}\nnumpy.save(path, numpy.ones(20 * 2**17))\n\
             %devices add gpu mem=64MiB latency=4ms\n%chunk 64KiB\nx = dpnp.load(path, mmap_mode='r', device='sim:gpu:0')"
        ));
        let before = live();
        let front = Rc::new(Impatient { interrupt: bench.interrupt.clone(), told: RefCell::default() });
        let outcome = bench.session.run(&Request::cell("kept = 1\ntotal = x.sum()"), front.clone());
        assert!(outcome.is_interrupted, "{:?}", outcome.error);
        let told = front.told.borrow();
        assert!(told[0].contains(" of 20.0 MiB (") && !told[0].contains("(100 %)"), "{told:?}");
        // Names from before it stay, and nothing is left of the pieces once the work that was queued has ended.
        bench.ok("import cellhold\ncellhold.synchronize()");
        assert_eq!(live(), before);
        assert_eq!(bench.result("kept, 'total' in globals()").as_deref(), Some("(1, False)"));
        bench.ok("%chunk 4MiB");
        assert_eq!(bench.result("float(x.sum())").as_deref(), Some("2621440.0"));
        bench.ok("%chunk off");
    });
}

#[test]
fn the_choice_is_said() {
    with_session(|bench| {
        assert!(bench.printed("%chunk").contains("refused"));
        assert!(bench.printed("%chunk 16MiB").contains("pieces of 16.0 MiB"));
        assert!(bench.printed("%chunk off").contains("refused"));
        assert_eq!(bench.fails("%chunk some").0, "UsageError");
    });
}

#[test]
fn a_loop_tells_once_what_it_keeps_in_host_memory_and_its_end_how_often() {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=8MiB\n%device sim:gpu:0\n%chunk auto\nimport dpnp as np");
        bench.ok("kept = [np.ones(2**20) + i for i in range(4)]\nfor one in kept: one.sum()");
        let told = notices(bench);
        let beyond = told.iter().filter(|line| line.contains("do not fit sim:gpu:0: kept in host memory")).count();
        assert_eq!(beyond, 1, "{told:?}");
        let rest: Vec<&String> = told.iter().filter(|line| line.contains("did not fit sim:gpu:0 either")).collect();
        assert_eq!(rest.len(), 1, "{told:?}");
        assert_eq!(told.iter().filter(|line| line.starts_with("sum: 8.00 MiB in")).count(), 1, "{told:?}");
        // The next cell begins anew.
        bench.ok("more = np.ones(2**21)");
        let told = notices(bench);
        assert!(told.iter().any(|line| line.contains("do not fit sim:gpu:0: kept in host memory")), "{told:?}");
        assert!(!told.iter().any(|line| line.contains("either")), "{told:?}");
    });
}

#[test]
fn what_is_kept_in_host_memory_frees_nothing_of_the_device() {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=64MiB\n%device sim:gpu:0\n%chunk auto\nimport dpnp as np");
        bench.ok("here = [np.ones(2**20) for i in range(7)]\napart = np.ones(2**23)");
        bench.ok("%free --need 24MiB -n");
        let text = bench.output();
        assert!(!text.contains("apart"), "{text}");
        assert!(text.contains("Letting go of 2 holders gives 16.0 MiB more"), "{text}");
        bench.ok("%free --need 24MiB -y");
        let text = bench.output();
        assert!(text.contains("device free 8.00 MiB -> 24.0 MiB"), "{text}");
        let (_, message) = bench.fails("%free --need 80MiB -y");
        assert!(message.contains("40.0 MiB could be let go of"), "{message}");
    });
}
