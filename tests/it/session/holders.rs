//! Holders of every kind: each has a path a person can read, and what it says to type frees the memory.

use cellhold::arrays::ledger;

use super::{Bench, live, with_session};

/// Runs a setup that leaves one allocation, compares its holders, runs their `let_go`s and expects nothing to be left.
fn check(bench: &mut Bench, setup: &str, expected: &[(&str, &str)]) {
    bench.ok("%reset -f");
    bench.ok(&format!("import dpnp as np\n{setup}"));
    let all = bench.holders();
    assert_eq!(all.len(), 1, "one allocation after:\n{setup}\n{all:?}");
    let mut found: Vec<(&str, &str)> = all[0].iter().map(|(path, kind, _)| (path.as_str(), kind.as_str())).collect();
    found.sort_unstable();
    assert_eq!(found, expected, "holders after:\n{setup}");
    for (path, _, let_go) in &all[0] {
        let statement = let_go.as_ref().unwrap_or_else(|| panic!("{path} says nothing about letting go"));
        bench.ok(statement);
    }
    assert_eq!(live(), 0, "after {:?}", all[0]);
    ledger::assert_empty();
}

#[test]
fn every_kind_of_holder_is_named_and_lets_go() {
    with_session(|bench| {
        check(bench, "a = np.ones(4)", &[("a", "name")]);
        check(bench, "a = np.ones(4)\nb = a", &[("a", "name"), ("b", "name")]);
        check(bench, "a = [0, np.ones(4)]", &[("a[1]", "container")]);
        check(bench, "a = np.ones(4)\nt = (1, (a,))", &[("a", "name"), ("t[1][0]", "container")]);
        check(bench, "cache = {'x': np.ones(4)}", &[("cache['x']", "container")]);
        check(bench, "cache = {(1, 'k'): [np.ones(4)]}", &[("cache[(1, 'k')][0]", "container")]);
        check(
            bench,
            "def mk():\n    buf = np.ones(4)\n    return lambda: buf\nfit = mk()",
            &[("fit.<closure>.buf", "closure")],
        );
        check(bench, "def f(x=np.ones(4)): pass", &[("f.<default>.x", "closure")]);
        check(bench, "class M: pass\nm = M()\nm.weights = np.ones(4)", &[("m.weights", "instance")]);
        check(bench, "class M:\n    shared = np.ones(4)", &[("M.shared", "instance")]);
        check(
            bench,
            "class M:\n    def __init__(self):\n        self.history = [np.ones(4)]\nm = M()",
            &[("m.history[0]", "container")],
        );
        check(
            bench,
            "def g():\n    big = np.ones(4)\n    yield 1\n    yield big\nit = g()\nnext(it)",
            &[("it.<generator>.big", "generator")],
        );
        check(bench, "e = ValueError(np.ones(4))", &[("e.args[0]", "error")]);
        check(
            bench,
            "class M:\n    def __init__(self): self.a = np.ones(4)\n    def go(self): pass\nrun = M().go",
            &[("run.__self__.a", "instance")],
        );
        check(bench, "a = [np.ones(4)]\nit = iter(a)\ndel a", &[("it.<iterated>[0]", "container")]);
        check(bench, "class Stack(list): pass\ns = Stack()\ns.append(np.ones(4))", &[("s[0]", "container")]);
    });
}

#[test]
fn library_containers_hold_too() {
    with_session(|bench| {
        check(bench, "import functools\np = functools.partial(print, np.ones(4))", &[("p.<argument 0>", "closure")]);
        check(bench, "import collections\nd = collections.deque([0, np.ones(4)])", &[("d[1]", "container")]);
    });
}

#[test]
fn views_are_holders_of_the_base() {
    with_session(|bench| {
        check(bench, "a = np.ones((4, 4))\nv = a[0]\nw = a.T", &[("a", "name"), ("v", "name"), ("w", "name")]);
    });
}

#[test]
fn several_items_go_from_the_end() {
    with_session(|bench| {
        check(
            bench,
            "a = np.ones(4)\nr = [a, 0, a, [a, a]]\ndel a",
            &[("r[0]", "container"), ("r[2]", "container"), ("r[3][0]", "container"), ("r[3][1]", "container")],
        );
    });
}

#[test]
fn outputs_hold() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nnp.ones(4)");
        let all = bench.holders();
        assert_eq!(all, [[("Out[1]".to_owned(), "output".to_owned(), Some("%free Out[1]".to_owned()))]]);
        bench.ok("%free Out[1]");
        assert_eq!(live(), 0);
    });
}

#[test]
fn a_running_frame_holds() {
    with_session(|bench| {
        bench.ok("import dpnp as np\ndef f():\n    local = np.ones(4)\n    get_ipython().run_line_magic('mem', '')\n    return 1\nf()");
        assert!(bench.output().contains("f.<frame>.local"), "{}", bench.output());
        bench.ok("%reset -f");
        assert_eq!(live(), 0);
    });
}

#[test]
fn a_cycle_under_a_name_says_that_the_collector_is_needed() {
    with_session(|bench| {
        check(
            bench,
            "import gc\ngc.disable()\ndef mk():\n    buf = np.ones(4)\n    def f(): return buf, f\n    return f\nfit = mk()",
            &[("<cycle>", "cycle"), ("fit.<closure>.buf", "closure")],
        );
    });
}

#[test]
fn temporaries_of_a_function_go_at_their_last_use() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nseen = []\ndef f(x):\n    del x\n    get_ipython().run_line_magic('mem', '')\nf(np.zeros(2**20))");
        assert!(bench.output().contains("No array memory is held here."), "{}", bench.output());
    });
}

#[test]
fn an_error_holds_only_where_that_is_wanted() {
    with_session(|bench| {
        bench.ok("import dpnp as np\ndef f():\n    big = np.ones(4)\n    return 1 / 0\n%errors keep-frames");
        bench.run("f()");
        let all = bench.holders();
        assert_eq!(all, [[("<last error>.big".to_owned(), "error".to_owned(), Some("%free error".to_owned()))]]);
        bench.ok("try:\n    f()\nexcept ZeroDivisionError:\n    pass");
        assert_eq!(bench.holders().len(), 1, "a handled error keeps nothing more");
        bench.ok("%free error -n");
        assert!(bench.output().contains("Would release 32 B"), "{}", bench.output());
        bench.ok("%free error");
        assert_eq!(live(), 0);
        bench.ok("%errors text");
        bench.run("f()");
        assert_eq!(live(), 0);
    });
}
