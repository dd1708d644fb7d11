//! What lives after which cell, against what real IPython and dpnp keep (the measured tables), and what cells peak at.

use super::{MIB, live, with_session};

#[test]
fn an_output_is_one_holder_under_all_its_names() {
    with_session(|bench| {
        bench.ok("import dpnp as np, gc\na = np.ones(2**20)");
        bench.ok("a");
        bench.ok("del a; gc.collect();");
        assert_eq!(live(), 8 * MIB, "IPython keeps it too");
        assert_eq!(bench.paths(), ["Out[2]"]);
        bench.ok("del Out[2]");
        assert_eq!(live(), 0, "IPython keeps it for ever, hidden");
    });
}

#[test]
fn repeated_outputs_all_go_with_one_command() {
    with_session(|bench| {
        bench.ok("import dpnp as np");
        for number in 0..5 {
            bench.ok(&format!("np.ones(2**20) + {number}"));
        }
        assert_eq!(live(), 40 * MIB);
        assert_eq!(bench.paths(), ["Out[2]", "Out[3]", "Out[4]", "Out[5]", "Out[6]"]);
        bench.ok("%reset -f out");
        assert_eq!(live(), 0, "IPython keeps three of them");
    });
}

#[test]
fn free_out_leaves_nothing_where_only_outputs_hold() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nnp.ones(2**18)");
        bench.ok("_ + 1");
        bench.ok("[_, __, Out[1]]");
        bench.ok("%free out");
        assert_eq!(live(), 0);
        assert!(bench.output().contains("3 outputs let go. Released: 4.00 MiB (ledger)"), "{}", bench.output());
    });
}

#[test]
fn xdel_takes_the_outputs_along() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**20)");
        bench.ok("a");
        bench.ok("%xdel a");
        assert_eq!(live(), 0);
    });
}

#[test]
fn an_error_keeps_text_and_no_arrays() {
    with_session(|bench| {
        bench.ok("import dpnp as np\ndef f():\n    big = np.ones(2**20)\n    return big[0] / 0 + undefined");
        let error = bench.run("f()").error.expect("a NameError");
        assert_eq!(error.class, "NameError");
        assert!(error.text.contains("in f") && error.text.contains("undefined"), "{}", error.text);
        assert_eq!(live(), 0);
    });
}

#[test]
fn garbage_cycles_go_with_a_collection() {
    with_session(|bench| {
        bench.ok("import dpnp as np, gc\ngc.disable()\nclass Node: pass\nfor i in range(4):\n    n = Node(); n.me = n; n.data = np.ones(2**20)\ndel n, i");
        assert_eq!(live(), 32 * MIB);
        let kinds: Vec<String> = bench.holders().into_iter().flatten().map(|(_, kind, _)| kind).collect();
        assert!(kinds.iter().all(|kind| kind == "cycle"), "{kinds:?}");
        bench.ok("gc.collect();");
        assert_eq!(live(), 0);
    });
}

/// Rows of the measured table: expression, bytes of the result, the least that is needed beyond it.
const PEAKS: &[(&str, u64)] = &[
    ("a*2+1", 8),
    ("a*b+c", 8),
    ("a*b+c*a-b/c", 8),
    ("np.sqrt(a*a+b*b)", 8),
    ("(a-a.mean())/a.std()", 8),
    ("np.sin(2*a)*np.exp(-np.square(a))", 8),
    ("np.sqrt(np.sum((a-np.mean(a))**2)/N)", 0),
    ("np.where(a>0.5,a*2,b*3)", 8),
    ("np.sum(a**2)", 0),
    ("np.linalg.norm(a-b)", 0),
    ("((a>0.2)&(a<0.8)).sum()", 0),
    ("1/(1+np.exp(-(a*b+c)))", 8),
];

#[test]
fn expressions_peak_at_their_result() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nN = 2**20\na, b, c = np.ones(N), np.ones(N), np.ones(N)");
        let mut over = Vec::new();
        for (expression, least) in PEAKS {
            let outcome = bench.ok(&format!("r = {expression}"));
            let account = outcome.account.expect("every cell has one");
            let peak = account["peak_over_base"].as_u64().unwrap();
            // One block more than the least: partial results of reductions, scalars.
            if peak > least * MIB + 2 * MIB {
                over.push(format!("{expression}: {:.1} MiB", peak as f64 / MIB as f64));
            }
            bench.ok("del r");
        }
        assert!(over.is_empty(), "{over:?}");
    });
}

#[test]
fn a_loop_of_discarded_expressions_stays_flat() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**17)\no = np.empty(2**17)");
        let passes = if cfg!(debug_assertions) { 500 } else { 10_000 };
        let account = bench.ok(&format!("for i in range({passes}):\n    a*2+1")).account.unwrap();
        assert!(account["peak_over_base"].as_u64().unwrap() <= 3 * MIB, "{account}");
        assert!(account["allocations"].as_u64().unwrap() <= passes, "{account}");
        let account = bench.ok(&format!("for i in range({passes}):\n    np.multiply(a, 2, out=o)")).account.unwrap();
        assert_eq!(account["allocations"].as_u64(), Some(0), "{account}");
    });
}

#[test]
fn a_view_holds_its_base_and_says_so() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**20)\nv = a[:2]\ndel a");
        assert_eq!(live(), 8 * MIB);
        bench.ok("%mem v");
        let text = bench.output();
        assert!(text.contains("8.00 MiB") && text.contains("a view of 16 B"), "{text}");
    });
}

#[test]
fn the_snapshot_tells_names_and_memory() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones((2, 3))\nword = 'x'");
        let snapshot = bench.snapshots.latest();
        let names: Vec<&str> = snapshot.names.iter().map(|name| name.name.as_str()).collect();
        assert_eq!(names, ["a", "np", "word"]);
        assert_eq!(snapshot.names[0].bytes, 48);
        assert_eq!(snapshot.memory["allocations"][0]["holders"][0]["path"], "a");
        assert_eq!(snapshot.running, None);
        let before = snapshot.version;
        bench.ok("b = 1");
        assert!(bench.snapshots.latest().version > before);
    });
}
