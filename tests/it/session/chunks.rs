//! `%chunk` and memory-mapped files: results as if whole, memory within the device, and progress that is told.

use cellhold::arrays::{UsmKind, ledger};
use cellhold::session::CellEvent;

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
fn the_choice_is_said() {
    with_session(|bench| {
        assert!(bench.printed("%chunk").contains("refused"));
        assert!(bench.printed("%chunk 16MiB").contains("pieces of 16.0 MiB"));
        assert!(bench.printed("%chunk off").contains("refused"));
        assert_eq!(bench.fails("%chunk some").0, "UsageError");
    });
}
