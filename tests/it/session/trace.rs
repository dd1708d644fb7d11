//! `%trace` and `cellhold report`: what is recorded, that it adds up to the ledger, and that the report reads it.

use super::{live, with_session};
use cellhold::report;
use serde_json::Value;
use std::path::PathBuf;

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("cellhold-{}-{name}", std::process::id()))
}

#[test]
fn every_event_is_written_and_the_sums_are_the_ledgers() {
    with_session(|bench| {
        let path = file("trace.jsonl");
        bench.ok("import dpnp\nold = dpnp.ones(1000)");
        let before = live();
        bench.ok("%trace on");
        bench.ok("a = dpnp.ones(2**20)\nb = a * 2 + a\ndel a");
        bench.ok("h = b.asnumpy()\ntotal = float((b * b).sum())");
        bench.ok("%trace off");
        bench.ok("unseen = dpnp.ones(10)");
        let said = bench.printed(&format!("%trace save {}", path.display()));
        assert!(said.contains("cellhold report"), "{said}");
        bench.ok("del unseen");
        let text = std::fs::read_to_string(&path).unwrap();
        let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of = |kind: &'static str| events.iter().filter(move |event| event["event"] == kind);
        let sum = |kind| of(kind).map(|event| event["bytes"].as_u64().unwrap()).sum::<u64>();
        assert_eq!(before + sum("alloc") - sum("free"), live());
        assert_eq!(sum("held"), before);
        let fused = of("program").find(|event| event["operations"] == serde_json::json!(["multiply", "add"])).unwrap();
        assert_eq!((&fused["cell"], &fused["line"]), (&3.into(), &2.into()), "{fused}");
        assert_eq!(fused["inputs"].as_array().unwrap().len(), 1);
        assert_eq!(of("transfer").count(), 1);
        let reduced = of("program").find(|event| event["operations"] == serde_json::json!(["multiply", "sum"]));
        assert!(reduced.is_some_and(|event| event["cell"] == 4 && event["took_s"].as_f64().unwrap() > 0.0));
        let page = report::report(&path, 160).unwrap();
        for part in ["native:cpu:0: peak 16.0 MiB at cell 3 line 2", "native:cpu:0 -> host: 8.00 MiB in 1 transfer\n"] {
            assert!(page.contains(part), "{part} is not in:\n{page}");
        }
        assert!(page.contains("Never released"), "{page}");
        std::fs::remove_file(path).unwrap();
    });
}

#[test]
fn a_trace_says_its_state_and_what_it_takes() {
    with_session(|bench| {
        assert!(bench.printed("%trace").contains("off; 0 events"));
        bench.ok("%trace on");
        assert!(bench.printed("%trace").contains("is on"));
        assert_eq!(bench.fails("%trace save").0, "UsageError");
        assert_eq!(bench.fails("%trace maybe").0, "UsageError");
        assert_eq!(bench.fails("%trace save /no/such/folder/x").0, "FileNotFoundError");
    });
}

#[test]
fn what_is_no_trace_is_refused_with_what_was_looked_for() {
    let path = file("no.txt");
    std::fs::write(&path, "hello\n").unwrap();
    let problem = report::report(&path, 80).unwrap_err().to_string();
    assert!(problem.contains("SYCL_UR_TRACE=2") && problem.contains("%trace save"), "{problem}");
    std::fs::remove_file(&path).unwrap();
    assert!(report::report(&path, 80).unwrap_err().to_string().contains("can't open"));
}
