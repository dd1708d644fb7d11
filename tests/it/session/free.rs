//! `%free` in full: what it copies, finds and waits for, and that its figures are the ledger's.

use cellhold::arrays::ledger;
use cellhold::session::{CellEvent, FREE_MIME, Progress, Recorder, Request};

use super::{Bench, MIB, live, with_session};

fn json(bench: &Bench) -> serde_json::Value {
    let shown = bench.front.events().into_iter().find_map(|event| match event {
        CellEvent::Display { bundle, .. } => bundle.data.get(FREE_MIME).cloned(),
        _ => None,
    });
    shown.expect("an account of the free")
}

#[test]
fn a_dry_run_does_not_count_what_it_would_let_go_of() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nx = np.ones(2**17)\ny = [x]");
        bench.ok("%free -n x");
        let text = bench.output();
        assert!(text.contains("Would release 0 B") && text.contains("y[0] still holds 1.00 MiB"), "{text}");
        assert!(!text.contains("x, y") && !text.contains("y[0], x"), "{text}");
        bench.ok("%free x");
        assert!(bench.output().contains("y[0] still holds 1.00 MiB"), "{}", bench.output());
    });
}

#[test]
fn figures_stand_before_and_after() {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=64MiB\nimport dpnp as np\na = np.ones(10**6, device='sim:gpu:0')");
        bench.ok("%free a");
        let text = bench.output();
        assert!(
            text.contains("sim:gpu:0   ledger 7.63 MiB -> 0 B   pool 0 B -> 8.00 MiB   device free 56.0 MiB"),
            "{text}"
        );
        let json = json(bench);
        let device = &json["devices"][0];
        assert_eq!(device["before"]["live"], 8_000_000);
        assert_eq!(device["after"]["cached"], 8 << 20);
        assert_eq!(device["after"]["free"]["bytes"], 56 << 20);
        bench.ok("%free cached");
        assert!(
            bench.output().contains("pool 8.00 MiB -> 0 B   device free 56.0 MiB -> 64.0 MiB"),
            "{}",
            bench.output()
        );
    });
}

#[test]
fn a_view_is_copied_out_of_its_base_for_whoever_holds_it() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.arange(2**20, dtype='f8')\nv = a[5:7]\nheld = (v, {'k': v})\nf = lambda: v\ndel a");
        bench.ok("%free --compact v -n");
        assert!(bench.output().contains("Would copy v (16 B of 8.00 MiB) and release 8.00 MiB"), "{}", bench.output());
        assert_eq!(live(), 8 * MIB);
        bench.ok("%free --compact v");
        assert!(bench.output().contains("Released: 8.00 MiB (ledger)"), "{}", bench.output());
        assert_eq!(live(), 16);
        assert_eq!(json(bench)["released"], 8 << 20);
        assert_eq!(bench.result("held[0] is v and held[1]['k'] is v and f() is v").as_deref(), Some("True"));
        assert_eq!(bench.result("float(v[0]), float(v[1])").as_deref(), Some("(5.0, 6.0)"));
        bench.ok("%free --compact v");
        assert!(bench.output().contains("nothing to do"), "{}", bench.output());
    });
}

#[test]
fn another_view_keeps_the_base_and_is_named() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**20)\nv, w = a[:2], a[2:4]\ndel a");
        bench.ok("%free --compact v -n");
        assert!(bench.output().contains("and release 0 B in 0 allocations"), "{}", bench.output());
        bench.ok("%free --compact v");
        assert!(bench.output().contains("w still holds 8.00 MiB"), "{}", bench.output());
        bench.ok("rows = [w, w[:1]]\ndel w\n%free --compact rows");
        assert_eq!(live(), 16 + 16 + 8);
        assert!(bench.fails("%free --compact nothing").1.contains("there is no nothing"));
        assert!(bench.fails("%free --compact").1.contains("takes the name"));
    });
}

#[test]
fn the_fewest_holders_are_found_for_an_amount() {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=64MiB\n%device sim:gpu:0\nimport dpnp as np");
        bench.ok(
            "parts = [np.ones(2**20) for i in range(4)]\nsmall = np.ones(2**18)\nboth = np.ones(2**20)\nalso = both",
        );
        assert_eq!(live(), 42 * MIB);
        bench.ok("%free --need 16MiB");
        assert!(bench.output().contains("22.0 MiB are free on sim:gpu:0 already"), "{}", bench.output());
        bench.ok("%free --need 24MiB -n");
        assert_eq!(json(bench)["statements"], serde_json::json!(["del small"]), "{}", bench.output());
        assert_eq!(live(), 42 * MIB, "nothing was done");
        bench.ok("%free --need 32MiB -n");
        assert_eq!(json(bench)["statements"].as_array().map(Vec::len), Some(2), "{}", bench.output());
        // The answer is asked for, and no changes nothing.
        bench.front = std::rc::Rc::new(Recorder::with_answers(["n"]));
        bench.session.run(&Request::cell("%free --need 44MiB"), bench.front.clone());
        assert!(bench.front.prompts()[0].contains("del parts["), "{:?}", bench.front.prompts());
        assert_eq!(live(), 42 * MIB);
        bench.ok("%free --need 44MiB -y");
        let done = json(bench);
        assert_eq!(done["statements"].as_array().map(Vec::len), Some(3), "{done}");
        assert_eq!(done["released"].as_u64(), done["blocks"].as_u64());
        let free = ledger::readings().into_iter().find(|reading| &*reading.filter == "sim:gpu:0").unwrap();
        assert!(free.memory.free.bytes().unwrap() >= 44 << 20);
        let (_, message) = bench.fails("%free --need 1GiB -y");
        assert!(message.contains("cannot be had on sim:gpu:0"), "{message}");
        assert!(bench.fails("%free --need lots").1.contains("2GiB"));
        bench.ok("%device native:cpu:0");
    });
}

#[test]
fn a_free_asked_for_while_a_cell_runs_waits_for_its_end() {
    with_session(|bench| {
        bench.ok("import dpnp as np, time\nx = np.ones(2**17)");
        let (snapshots, interrupt) = (bench.snapshots.clone(), bench.interrupt.clone());
        let asker = std::thread::spawn(move || {
            // The cell says that it runs by publishing; it goes on until it is interrupted.
            let before = snapshots.latest().version;
            loop {
                snapshots.request();
                std::thread::yield_now();
                let latest = snapshots.latest();
                if latest.version > before && latest.running.is_some() {
                    break;
                }
            }
            let id = snapshots.ask_free("x");
            interrupt.raise();
            id
        });
        assert!(bench.run("while True:\n    pass").is_interrupted);
        let id = asker.join().unwrap();
        assert_eq!(live(), 0, "done at the end of the cell, however it ended");
        let free = bench.snapshots.frees().into_iter().find(|free| free.id == id).unwrap();
        assert!(matches!(&free.progress, Progress::Done(text) if text.contains("Released: 1.00 MiB")), "{free:?}");
        assert_eq!(bench.snapshots.memory()["frees"][0]["state"], "done");
    });
}

#[test]
fn a_pending_free_is_shown_and_done_once() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nx = np.ones(2**17)");
        bench.snapshots.ask_free("x");
        bench.snapshots.ask_free("all");
        bench.snapshots.ask_free("no_such_name");
        assert_eq!(bench.snapshots.memory()["frees"][0]["state"], "pending");
        bench.ok("%mem");
        assert!(bench.output().contains("%free x  is pending until the cell ends"), "{}", bench.output());
        assert_eq!(live(), 0, "done at the end of the cell");
        let notices = bench.front.notices().join("\n");
        assert!(notices.contains("asked for: %free x") && notices.contains("Released: 1.00 MiB"), "{notices}");
        let frees = bench.snapshots.frees();
        assert!(matches!(&frees[1].progress, Progress::Failed(text) if text.contains("add -y")), "{frees:?}");
        assert!(matches!(&frees[2].progress, Progress::Failed(text) if text.contains("not defined")), "{frees:?}");
        bench.ok("1");
        assert!(bench.front.notices().is_empty());
    });
}
