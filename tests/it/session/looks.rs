//! How `%mem` looks with nothing, one and ten thousand allocations, in 40, 60, 80 and 120 columns.

use unicode_width::UnicodeWidthStr;

use super::{Bench, with_session};

/// A session on a simulated device, so that no figure depends on the machine.
fn on_simulated(test: impl FnOnce(&mut Bench) + Send + 'static) {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=256MiB\n%device sim:gpu:0\nimport dpnp as np");
        test(bench);
        bench.ok("%device native:cpu:0");
    });
}

/// The text of a magic at a width; no line of it may be longer, but for lines that cannot be parted.
fn look(bench: &mut Bench, columns: usize, magic: &str) -> String {
    bench.front.set_width(columns);
    bench.ok(magic);
    let text = bench.output();
    for line in text.lines() {
        assert!(line.width() <= columns, "{} columns in {columns}: {line}", line.width());
    }
    text
}

#[test]
fn nothing_one_and_many_fit_every_width() {
    on_simulated(|bench| {
        for columns in [40, 60, 80, 120] {
            insta::assert_snapshot!(format!("mem_nothing_{columns}"), look(bench, columns, "%mem"));
        }
        bench.ok("weights = np.ones((1000, 1000))");
        for columns in [40, 60, 80, 120] {
            insta::assert_snapshot!(format!("mem_one_{columns}"), look(bench, columns, "%mem"));
        }
        bench.ok("results = [weights, weights[:10]]\nfit = (lambda held: lambda: held)(weights)\ncache = {'first run': (weights, 1)}");
        bench.ok("weights @ weights");
        for columns in [40, 60, 80, 120] {
            insta::assert_snapshot!(format!("mem_several_{columns}"), look(bench, columns, "%mem"));
        }
    });
}

#[test]
fn ten_thousand_are_paged_with_totals() {
    on_simulated(|bench| {
        bench.ok("many = [np.ones(100 + i % 7) for i in range(10_000)]");
        for columns in [60, 80, 120] {
            insta::assert_snapshot!(format!("mem_many_{columns}"), look(bench, columns, "%mem -n 5"));
        }
        let text = look(bench, 120, "%mem").replace("\n  ", " ");
        assert_eq!(text.lines().filter(|line| line.contains("many[")).count(), 40);
        let all: u64 = cellhold::arrays::ledger::entries().iter().map(|entry| entry.bytes).sum();
        let all = cellhold::display::units::bytes(all);
        assert!(text.contains("10,000 allocations, every byte explained."), "{text}");
        assert!(text.contains(&format!("many, {all} in 10,000 allocations, by del many.")), "{text}");
        assert!(text.contains("rows 1 to 40 of 10,000; 9,960 more, "), "{text}");
        let second = look(bench, 80, "%mem -n 100 --page 100");
        assert_eq!(second.lines().filter(|line| line.contains("many[")).count(), 100);
        assert!(second.contains("rows 9,901 to 10,000 of 10,000\n"), "{second}");
        assert!(look(bench, 80, "%mem --page 2").contains("rows 41 to 80 of 10,000; 9,920 more"));
        assert!(look(bench, 80, "%mem -n 100 --page 1000").contains("the last page is 100"));
        bench.ok("%mem --json");
        assert_eq!(bench.output().matches("\"let_go\"").count(), 10_000);
    });
}
