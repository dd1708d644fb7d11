//! What to type: the statement that `%mem` offers is the one that frees most and takes least along, and `%free` takes every
//! holder by the path that `%mem` shows.

use super::{Bench, MIB, live, with_session};

/// Small arrays that nobody is after, with a large one hidden by `hide`.
fn analysis(hide: &str) -> String {
    format!(
        "import dpnp, functools, gc\nX = dpnp.ones(2**14)\nclass Model:\n    def __init__(self, weights):\n        \
         self.weights = weights\nmodels = {{'base': Model(X * 2), 'ridge': Model(X * 3)}}\n{hide}"
    )
}

/// What `%mem` says after the analysis, in which `said` has to be.
fn offered(bench: &mut Bench, hide: &str, said: &str) -> String {
    bench.ok(&analysis(hide));
    bench.ok("%mem");
    let text = bench.output().replace("\n  ", " ");
    assert!(text.contains(said), "{said} is not in:\n{text}");
    text
}

#[test]
fn the_largest_that_can_go_is_found_behind_what_several_share() {
    let cases = [
        // A class is held by its name and its instance: neither `del` alone would do.
        (
            "class Stage:\n    def run(self, x, *, taps=dpnp.full(2**20, 0.5)):\n        return x\nst = Stage()",
            "Stage.run, 8.00 MiB, by del Stage.run.",
        ),
        (
            "class Tables:\n    @functools.lru_cache\n    def get(self, n):\n        return dpnp.ones(n)\n\
             t = Tables()\nt.get(2**20).shape",
            "by Tables.get.cache_clear().",
        ),
        ("both = [dpnp.ones(2**20)]\nalso = both", "both[0], 8.00 MiB, by del both[0]."),
    ];
    for (hide, said) in cases {
        with_session(move |bench| {
            let text = offered(bench, hide, said);
            let statement = text.split("allocations, every byte").nth(1).unwrap().split("by ").nth(1).unwrap();
            let statement = statement.lines().next().unwrap().trim_end_matches('.').to_owned();
            bench.ok(&statement);
            assert!(live() < MIB, "{statement} frees it");
        });
    }
}

#[test]
fn what_goes_takes_no_more_along_than_it_has_to() {
    let cases = [
        ("models['extra'] = Model(dpnp.ones(2**20))", "models['extra'], 8.00 MiB, by del models['extra']."),
        ("class Registry:\n    items = {}\nRegistry.items['v1'] = dpnp.ones(2**20)", "by del Registry.items['v1']."),
        ("@functools.lru_cache\ndef window(n):\n    return dpnp.ones(n)\nwindow(2**20);", "by window.cache_clear()."),
        // Where there is no part that keeps it all, the whole is meant.
        ("rows = [dpnp.ones(2**19) for _ in range(2)]", "rows, 8.00 MiB in 2 allocations, by del rows."),
        (
            "gc.disable()\nn = Model(dpnp.ones(2**20)); n.me = n; del n",
            "<cycle of Model>, 8.00 MiB, by import gc; gc.collect().",
        ),
    ];
    for (hide, said) in cases {
        with_session(move |bench| {
            offered(bench, hide, said);
            bench.ok("gc.enable()");
        });
    }
}

#[test]
fn free_takes_every_path_that_mem_shows() {
    let cases = [
        (
            "smooth.<closure>.table",
            "def make():\n    table = dpnp.ones(2**20)\n    return lambda: table\nsmooth = make()",
        ),
        ("scale.<default>.by", "def scale(x, by=dpnp.ones(2**20)):\n    return x * by"),
        (
            "window.<cached results>[1048576]",
            "@functools.lru_cache\ndef window(n):\n    return dpnp.ones(n)\nwindow(2**20);",
        ),
        ("models['base'].weights", "models['base'].weights = dpnp.ones(2**20)"),
        ("functools.kept", "functools.kept = dpnp.ones(2**20)\ndel functools"),
        ("<cycle of Model>.weights", "gc.disable()\nn = Model(dpnp.ones(2**20)); n.me = n; del n"),
        ("Out[2]", "None"),
    ];
    for (path, hide) in cases {
        with_session(move |bench| {
            bench.ok(&analysis(hide));
            if path == "Out[2]" {
                bench.ok("dpnp.ones(2**20)");
            }
            let before = live();
            bench.ok(&format!("%free -n {path}"));
            let text = bench.output();
            assert!(text.contains("Would release 8.00 MiB in 1 allocation"), "{path}: {text}");
            assert!(text.contains(path), "what would go is named: {text}");
            assert_eq!(live(), before, "nothing was done");
            bench.ok(&format!("%free {path}"));
            assert!(bench.output().contains("Released: 8.00 MiB (ledger)"), "{path}: {}", bench.output());
            assert_eq!(before - live(), 8 * MIB, "{path}");
            bench.ok("gc.enable()");
        });
    }
}

#[test]
fn a_container_can_go_by_its_path_and_what_is_not_there_is_said() {
    with_session(|bench| {
        bench.ok("import dpnp, math\nmath.history = [dpnp.ones(2**18) for _ in range(4)]\nd = {'k': [1, 2]}");
        bench.ok("%free math.history");
        assert!(bench.output().contains("math.history let go by del math.history. Released: 8.00 MiB"));
        assert_eq!(live(), 0);
        bench.ok("%free d['k']");
        bench.ok("assert d == {}");
        assert!(bench.fails("%free d['x']").1.contains("nothing called d['x'] holds array memory"));
        assert!(bench.fails("%free nothing").1.contains("name 'nothing' is not defined"));
    });
}

#[test]
fn an_allocation_that_is_taken_says_what_becomes_of_its_holders() {
    with_session(|bench| {
        bench.ok("import dpnp\na = dpnp.ones(2**20)");
        bench.ok("%free #1");
        let text = bench.output().replace("\n  ", " ");
        assert!(text.contains("#1 taken from whoever held it: using it raises ReleasedArrayError."), "{text}");
        assert!(text.contains("8.00 MiB now cached; %free cached returns 8.00 MiB to the device."), "{text}");
        assert_eq!(bench.fails("a + 1").0, "ReleasedArrayError");
    });
}

/// What a line shows, as text.
fn shown(bench: &mut Bench, source: &str) -> String {
    bench.ok(source);
    bench.output()
}

#[test]
fn a_part_of_a_path_that_mem_shows_is_let_go_by_its_name() {
    with_session(|bench| {
        bench.ok("import dpnp, functools\n@functools.cache\ndef load(i): return dpnp.ones(2**17)\n[load(i).shape for i in range(2)];");
        let text = shown(bench, "%mem");
        assert!(text.contains("load.<cached results>, 2.00 MiB"), "{text}");
        let said = shown(bench, "%free load.<cached results>");
        assert!(said.contains("by load.cache_clear()") && said.contains("Released: 2.00 MiB"), "{said}");
        bench.ok("def tracker():\n    seen = [dpnp.ones(2**17)]\n    def step(): return seen\n    return step\nstep = tracker()");
        let said = shown(bench, "%free step.<closure>.seen");
        assert!(said.contains("by del step.") && said.contains("Released: 1.00 MiB"), "{said}");
        assert!(bench.fails("%free step.<closure>.se").1.contains("nothing called step.<closure>.se holds"));
    });
}

#[test]
fn what_a_function_of_another_cell_made_names_both_cells() {
    with_session(|bench| {
        bench.ok("import dpnp\n\ndef make():\n    return dpnp.ones(4)");
        bench.ok("a = make()");
        bench.ok("b = dpnp.ones(5)");
        let text = shown(bench, "%mem");
        assert!(text.contains("cell 2, line 4 of cell 1  dpnp.ones(4)"), "{text}");
        assert!(text.contains("cell 3 line 1  dpnp.ones(5)"), "{text}");
        assert!(shown(bench, "%mem a").contains("born in cell 2, line 4 of cell 1 by `dpnp.ones(4)`"));
        let json = shown(bench, "%mem --json");
        assert!(json.contains("\"line_of\":\"cell 1\"") || json.contains("\"line_of\": \"cell 1\""), "{json}");
    });
}
