//! The accounts of cells, what became of memory between them, and that every figure is the ledger's.

use cellhold::arrays::ledger;
use cellhold::session::{CELL_MIME, CellEvent, MEMORY_MIME};

use super::{Bench, MIB, live, with_session};

/// What the last cell displayed in JSON under a type.
fn shown(bench: &Bench, mime: &str) -> serde_json::Value {
    let found = bench.front.events().into_iter().find_map(|event| match event {
        CellEvent::Display { bundle, .. } => bundle.data.get(mime).cloned(),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("no {mime} in {}", bench.output()))
}

#[test]
fn a_past_cell_can_be_asked_for() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**17)");
        let account = bench.ok("b = a * 2 + 1\nc = a + b\ndel b").account.unwrap();
        bench.ok("d = 1");
        bench.ok("%mem --cell 2");
        let text = bench.output();
        assert!(text.contains("cell 2   allocated 2.00 MiB in 2 allocations, freed 1.00 MiB, kept 1.00 MiB"), "{text}");
        assert!(text.contains("Still alive of it:") && text.contains("c\n"), "{text}");
        assert!(text.contains("1 temporary avoided"), "{text}");
        assert_eq!(shown(bench, CELL_MIME), account, "the same as in the reply to the cell");
        bench.ok("del c\n%mem --cell 2");
        assert!(bench.output().contains("Nothing that it allocated still lives."), "{}", bench.output());
        assert!(bench.fails("%mem --cell 99").1.contains("nothing is known about a cell 99"));
    });
}

#[test]
fn an_account_names_the_lines_of_transfers_and_of_peaks() {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=64MiB\nimport dpnp as np, numpy\nh = numpy.ones(2**17)");
        let account =
            bench.ok("%%mem\nx = 1\na = np.asarray(h, device='sim:gpu:0')\nb = a * 2\nc = b.asnumpy()").account;
        let text = bench.output();
        assert!(text.contains("2 transfers, 2.00 MiB"), "{text}");
        assert!(text.contains("line 2   1x   1.00 MiB   host -> sim:gpu:0"), "{text}");
        assert!(text.contains("line 4   1x   1.00 MiB   sim:gpu:0 -> host"), "{text}");
        let lines: Vec<u64> = account.unwrap()["transfers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|transfer| transfer["line"].as_u64().unwrap())
            .collect();
        assert_eq!(lines, [2, 4]);
    });
}

#[test]
fn two_cells_are_compared() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**17)");
        bench.ok("b = np.ones(2**18)");
        bench.ok("c = np.ones(2**17)\ndel b");
        bench.ok("del a");
        bench.ok("%mem --diff 1 3");
        let text = bench.output();
        assert!(
            text.contains("From the end of cell 1 (1.00 MiB) to the end of cell 3 (2.00 MiB): +1.00 MiB."),
            "{text}"
        );
        assert!(text.contains("Of what these cells allocated, 1.00 MiB in 1 allocation still lives:"), "{text}");
        assert!(text.contains("   3    1.00 MiB   2.00 MiB   -1.00 MiB"), "{text}");
        bench.ok("%mem --diff 2");
        assert!(bench.output().contains("From the end of cell 2"), "{}", bench.output());
        assert!(bench.fails("%mem --diff 3 1").1.contains("earlier"));
        assert!(bench.fails("%mem --diff 1 77").1.contains("cell 77 is not remembered; cells 1 to"));
        bench.ok("%mem --diff");
        assert!(bench.output().contains("Since cell"), "{}", bench.output());
    });
}

#[test]
fn the_session_is_drawn_in_a_line_once_there_is_something_to_see() {
    with_session(|bench| {
        bench.ok("import dpnp as np");
        bench.ok("%mem");
        assert!(!bench.output().contains("cells 1"), "{}", bench.output());
        bench.ok("a = np.ones(2**20)");
        bench.ok("b = np.ones(2**20)");
        bench.ok("del a");
        bench.ok("%mem");
        let text = bench.output();
        assert!(
            text.contains("cells 1 to 5   ▁▁▅█▅ live after each, now 8.00 MiB   highest 16.0 MiB in cell 4"),
            "{text}"
        );
        assert_eq!(
            shown(bench, MEMORY_MIME)["cells"][3],
            serde_json::json!({"cell": 4, "live": 16 << 20, "peak": 16 << 20})
        );
    });
}

#[test]
fn the_summary_is_a_function() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**17)");
        let text = bench.printed("print(memory_summary())");
        assert!(text.contains("1.00 MiB   (131072,) float64") && text.contains("every byte explained"), "{text}");
        let text = bench.printed("import cellhold\nprint(cellhold.memory_summary('native:cpu:0'))");
        assert!(text.contains("1 allocation"), "{text}");
        assert_eq!(bench.fails("memory_summary('gpu:9')").0, "SyclDeviceCreationError");
    });
}

#[test]
fn a_live_view_is_brought_up_to_date_under_one_name() {
    with_session(|bench| {
        bench.ok("import dpnp as np\n%mem --live");
        let displays = |bench: &Bench| -> Vec<(Option<String>, bool, String)> {
            bench
                .front
                .events()
                .into_iter()
                .filter_map(|event| match event {
                    CellEvent::Display { bundle, id, is_update } => {
                        Some((id, is_update, bundle.plain_text().to_owned()))
                    }
                    _ => None,
                })
                .collect()
        };
        let first = displays(bench);
        assert_eq!((first[0].1, first[0].0.is_some()), (false, true));
        bench.ok("a = np.ones(2**20)");
        let then = displays(bench);
        let (id, is_update, text) = then.last().unwrap();
        assert!(*is_update && *id == first[0].0, "{then:?}");
        assert!(text.contains("after cell 2") && text.contains("8.00 MiB"), "{text}");
        // A running cell that is asked shows it in the middle.
        let snapshots = bench.snapshots.clone();
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let (asked, stopped) = (snapshots, stop.clone());
        let asker = std::thread::spawn(move || {
            while !stopped.load(std::sync::atomic::Ordering::Relaxed) {
                asked.request();
                std::thread::yield_now();
            }
        });
        bench.ok("import time\nbegan = time.time()\nb = np.ones(2**20)\nwhile time.time() - began < 0.8: pass");
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        asker.join().unwrap();
        let during = displays(bench);
        assert!(
            during.iter().any(|(_, _, text)| text.contains("cell 3 runs") && text.contains("16.0 MiB")),
            "{during:?}"
        );
        bench.ok("%mem --live off");
        bench.ok("c = 1");
        assert!(displays(bench).is_empty());
    });
}

/// Every figure of a text that stands for bytes of a device must come from the ledger; texts round, so both are rounded.
#[test]
fn every_figure_is_the_ledgers() {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=256MiB\nimport dpnp as np, numpy");
        bench.ok("a = np.ones((1000, 1000))\nl = [np.ones(10**6, device='sim:gpu:0', dtype='f4') for i in range(7)]\nh = numpy.ones(12345)");
        bench.ok("a * 2");
        bench.ok("del l[3]; v = a[:3]");
        let said = |count: u64| cellhold::display::units::bytes(count);
        // Exact: JSON of the magic, of the session and of the snapshot that usage replies carry.
        bench.ok("%mem");
        let magic = shown(bench, MEMORY_MIME);
        let (text, html) = bench
            .front
            .events()
            .into_iter()
            .find_map(|event| match event {
                CellEvent::Display { bundle, .. } => {
                    // A figure and its unit stay on one line there.
                    Some((bundle.plain_text().to_owned(), bundle.text("text/html").unwrap().replace('\u{a0}', " ")))
                }
                _ => None,
            })
            .unwrap();
        let usage = bench.snapshots.memory();
        let session = bench.session.memory(usize::MAX);
        for json in [&magic, &usage, &session] {
            let mut named = 0;
            for device in json["devices"].as_array().unwrap() {
                let filter = device["filter"].as_str().unwrap();
                let reading = ledger::readings().into_iter().find(|one| &*one.filter == filter).unwrap();
                let here = reading.here;
                let figures =
                    ["live", "live_blocks", "cached", "peak", "count"].map(|name| device[name].as_u64().unwrap());
                assert_eq!(figures, [here.live, here.live_blocks, here.cached, here.peak, here.count], "{filter}");
                let of_device: Vec<_> =
                    ledger::entries().into_iter().filter(|entry| entry.device.ledger_name() == filter).collect();
                assert_eq!(here.live, of_device.iter().map(|entry| entry.bytes).sum::<u64>());
                named += here.count;
                // The same figures as text, in both forms.
                for text in [&text, &html] {
                    assert!(text.contains(&said(here.live)) && text.contains(&said(here.peak)), "{filter}: {text}");
                }
            }
            let allocations = json["allocations"].as_array().unwrap();
            assert_eq!(allocations.len() as u64 + json["omitted"].as_u64().unwrap(), named);
            for one in allocations {
                let entry = ledger::entry(one["id"].as_u64().unwrap()).expect("it lives");
                assert_eq!(one["bytes"].as_u64(), Some(entry.bytes));
                assert_eq!(one["block_bytes"].as_u64(), Some(entry.block_bytes));
                assert_eq!(one["device"].as_str(), Some(entry.device.ledger_name()));
                for text in [&text, &html] {
                    assert!(text.contains(&format!("#{}", entry.id)) && text.contains(&said(entry.bytes)), "{text}");
                }
            }
        }
        assert_eq!(
            magic["allocations"],
            session["allocations"]
                .as_array()
                .map(|all| {
                    let mut all = all.clone();
                    for (one, was) in all.iter_mut().zip(magic["allocations"].as_array().unwrap()) {
                        one["age_s"] = was["age_s"].clone();
                    }
                    serde_json::Value::from(all)
                })
                .unwrap()
        );
        assert!(text.contains(&format!("{} allocations", ledger::entries().len())), "{text}");
        // Sums by group are sums of the ledger too.
        bench.ok("%mem --by device");
        let of_sim: u64 = ledger::entries()
            .iter()
            .filter(|entry| entry.device.ledger_name() == "sim:gpu:0")
            .map(|entry| entry.bytes)
            .sum();
        assert!(bench.output().contains(&said(of_sim)), "{}", bench.output());
        assert_eq!(live(), ledger::live_everywhere());
    });
}

#[test]
fn an_account_balances() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**17)");
        for cell in ["b = [a + i for i in range(5)]", "b.pop()\nc = a @ a", "del b", "a = a * 2", "1 / 0"] {
            let before = live();
            let account = bench.run(cell).account.unwrap();
            let figure = |name: &str| account[name].as_i64().unwrap();
            assert_eq!(figure("kept"), live() as i64 - before as i64, "{cell}");
            assert_eq!(figure("kept"), figure("allocated") - figure("freed"), "{cell}");
            assert!(figure("peak_over_base") >= figure("kept"), "{cell}");
        }
        assert!(live() >= MIB);
    });
}
