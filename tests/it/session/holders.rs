//! Holders of every kind: each has a path a person can read, and what it says to type frees the memory.

use cellhold::arrays::ledger;
use cellhold::session::holders::{Held, Hold, HolderKind, Root};

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
        check(bench, "ge = (x for x in [np.ones(4)])", &[("ge.<generator>[0]", "container")]);
        check(bench, "ge = (x for x in np.ones(4))", &[("ge.<generator>", "container")]);
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
            &[("<cycle of function>", "cycle"), ("fit.<closure>.buf", "closure")],
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
        assert_eq!(
            all,
            [[("<last error>.<frame>.big".to_owned(), "error".to_owned(), Some("%free error".to_owned()))]]
        );
        bench.ok("try:\n    f()\nexcept ZeroDivisionError:\n    pass");
        assert_eq!(bench.holders().len(), 1, "a handled error that nobody keeps holds nothing");
        bench.ok("%free error -n");
        assert!(bench.output().contains("Would release 32 B"), "{}", bench.output());
        bench.ok("%free error");
        assert_eq!(live(), 0);
        // A handled error that is kept holds what its frames held, as in Python.
        bench.ok("try:\n    f()\nexcept ZeroDivisionError as e:\n    kept = e");
        let all = bench.holders();
        assert_eq!(all, [[("kept.<frame>.big".to_owned(), "error".to_owned(), Some("del kept".to_owned()))]]);
        assert_eq!(bench.result("kept.__traceback__.tb_next.tb_frame.f_locals['big'].shape").as_deref(), Some("(4,)"));
        assert!(bench.fails("kept.__traceback__.tb_frame").1.contains("keep-frames"), "the cell itself ran on");
        bench.ok("trace = kept.__traceback__\ndel kept");
        assert_eq!(live(), 32, "the traceback alone holds them too");
        bench.ok("del trace");
        assert_eq!(live(), 0);
        bench.ok("%errors text");
        bench.run("f()");
        assert_eq!(live(), 0);
        bench.ok("try:\n    f()\nexcept ZeroDivisionError as e:\n    kept = e");
        assert_eq!(live(), 0);
    });
}

/// Holds one buffer and one value from outside, as Rust variables do.
#[derive(Debug)]
struct Outsider {
    buffer: std::cell::RefCell<Option<std::sync::Arc<cellhold::arrays::Buffer>>>,
}

impl Root for Outsider {
    fn visit(&self, visit: &mut dyn FnMut(Hold<'_>)) {
        if let Some(buffer) = &*self.buffer.borrow() {
            visit(Hold {
                path: "rust: v".to_owned(),
                kind: HolderKind::Rust,
                let_go: Some("%free v".to_owned()),
                held: Held::Buffer(buffer),
            });
        }
    }
}

#[test]
fn anything_outside_the_language_can_name_what_it_holds() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(4)");
        let id = ledger::entries()[0].id;
        let root = std::rc::Rc::new(Outsider { buffer: ledger::buffer(id).into() });
        bench.session.add_root(root.clone());
        assert_eq!(bench.paths(), ["a", "rust: v"]);
        bench.ok("del a");
        assert_eq!(bench.holders(), [[("rust: v".to_owned(), "rust".to_owned(), Some("%free v".to_owned()))]]);
        bench.ok("%mem");
        assert!(bench.output().contains("every byte explained"), "{}", bench.output());
        let gone = root.buffer.take();
        drop(gone);
        assert_eq!(live(), 0);
        bench.ok("%mem");
        assert!(bench.output().contains("No array memory"), "{}", bench.output());
    });
}

#[test]
fn queued_work_is_a_holder_beside_the_names() {
    with_session(|bench| {
        bench.ok("import dpnp as np\n%devices add gpu mem=64MiB latency=50ms");
        bench.ok("a = np.ones(2**10, device='sim:gpu:0')\nb = a + 1\n%mem --json");
        assert!(bench.output().contains("queued work on sim:gpu:0"), "{}", bench.output());
        assert_eq!(bench.paths(), ["a", "b"], "a cell ends when its work has");
    });
}

#[test]
fn what_a_holder_keeps_alone_is_what_goes_with_it() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nx = np.ones(2**17)\nd = {'k': (x, np.ones(2**18))}");
        bench.ok("%mem x --json");
        let json: serde_json::Value = serde_json::from_str(&bench.output()).unwrap();
        let one = json["allocations"].as_array().unwrap().iter().find(|one| one["bytes"] == 1 << 20).unwrap();
        let frees: Vec<(String, u64)> = one["holders"]
            .as_array()
            .unwrap()
            .iter()
            .map(|holder| (holder["path"].as_str().unwrap().to_owned(), holder["frees"].as_u64().unwrap()))
            .collect();
        assert_eq!(
            frees,
            [("d['k'][0]".to_owned(), 2 << 20), ("x".to_owned(), 0)],
            "the tuple takes its other array along"
        );
        bench.ok("del d['k']");
        assert_eq!(live(), 1 << 20);
        bench.ok("%mem x");
        assert!(bench.output().contains("Letting go of it frees 1.00 MiB."), "{}", bench.output());
    });
}

#[test]
fn the_largest_thing_to_let_go_of_is_a_whole_name() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nparts = [np.ones(2**17) for i in range(5)]\nwhole = np.ones(2**18)");
        bench.ok("%mem");
        let text = bench.output().replace("\n  ", " ");
        assert!(
            text.contains("Largest you can let go of at once: parts, 5.00 MiB in 5 allocations, by del parts."),
            "{text}"
        );
        // Deleting a cycle's name frees nothing, taking the array out of it does.
        bench.ok("class N: pass\nn = N(); n.me = n; n.big = np.ones(2**20)\n%mem");
        let text = bench.output().replace("\n  ", " ");
        assert!(text.contains("at once: n.big, 8.00 MiB, by del n.big."), "{text}");
        // A part that has another name too does not go with the list.
        bench.ok("del n.big\nfirst = parts[0]\n%mem");
        let text = bench.output().replace("\n  ", " ");
        assert!(text.contains("at once: parts, 4.00 MiB in 4 allocations, by del parts."), "{text}");
        bench.ok("del parts\n%mem");
        assert!(
            bench.output().replace("\n  ", " ").contains("at once: whole, 2.00 MiB, by del whole."),
            "{}",
            bench.output()
        );
    });
}

#[test]
fn items_drawn_together_are_seen_while_the_rest_is_drawn() {
    // Each looks at memory while one item is drawn and the other is not.
    let look = "import dpnp as np\ndef look():\n    get_ipython().run_line_magic('mem', '')\n    yield 1\ndef make():\n    \
                yield np.ones(2**17)\ndef seen(x):\n    get_ipython().run_line_magic('mem', '')\n    return Odd()\nclass Odd:\n    \
                def __bool__(self):\n        get_ipython().run_line_magic('mem', '')\n        return True\ndef both():\n    \
                yield np.ones(2**17)\n    get_ipython().run_line_magic('mem', '')\n    yield 1";
    with_session(move |bench| {
        bench.ok(look);
        for source in [
            "for pair in zip(make(), look()): pass",
            "list(map(lambda x, y: y, make(), look()))",
            "for x in filter(seen, make()): pass",
            "x, y = both()",
            "x, *y = both()",
            "list(both())",
            "print(*both(), file=None) if 0 else [*both()]",
            "import itertools\nlist(itertools.zip_longest(make(), look()))",
            "import itertools\nfor x in itertools.product(make(), look()): pass",
            "dict(zip('a', make()), b=[*look()])",
            "sorted(both(), key=lambda x: 0)",
            "max(both(), key=lambda x: 0)",
            "next(itertools.islice(both(), 1, 2))",
            "{k: v for k, v in zip('ab', both())}",
        ] {
            bench.ok(&format!("{source}\nx = y = pair = None"));
            let text = bench.output();
            assert!(text.contains("1.00 MiB"), "{source} shows no memory:\n{text}");
            assert!(!text.contains("unknown") && !text.contains("in use by the engine"), "{source}:\n{text}");
            bench.ok("%free out");
        }
        bench.ok("%reset -f");
        assert_eq!(live(), 0);
    });
}

#[test]
fn the_base_of_a_view_is_the_same_allocation_and_holds_nothing_hidden() {
    with_session(|bench| {
        bench.ok("import numpy as np\na = np.ones(2**17)\nv = a[:10]\nfound = v.base is a");
        assert_eq!(bench.result("found").as_deref(), Some("True"));
        let only = live;
        assert_eq!(only(), 1 << 20);
        bench.ok("del a");
        assert_eq!(bench.paths(), ["v"]);
        bench.ok("b = v.base");
        assert_eq!(bench.paths(), ["b", "v"], "an array made anew over the block that is there");
        assert_eq!(
            bench.result("b.shape, b.flags.owndata, v.base is b, b.base").as_deref(),
            Some("((131072,), True, True, None)")
        );
        assert_eq!(only(), 1 << 20);
        bench.ok("del b\n%free --compact v");
        assert_eq!(bench.result("v.base, v.flags.owndata").as_deref(), Some("(None, True)"));
    });
}

#[test]
fn what_a_program_puts_into_the_inputs_is_held_there() {
    with_session(|bench| {
        bench.ok("import numpy as np\nIn.append(np.ones(2**17))");
        let held = bench.holders();
        assert_eq!(held.len(), 1, "{held:?}");
        let (path, kind, let_go) = &held[0][0];
        assert_eq!(
            (path.as_str(), kind.as_str(), let_go.as_deref()),
            ("In[2]", "container", Some("del In[2]")),
            "{held:?}"
        );
        bench.ok("del In[2]");
        assert_eq!(live(), 0);
    });
}
