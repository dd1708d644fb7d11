//! `%plan`: what it predicts is what then happens, on given and on random programs, and making it changes nothing.

use super::liveness::programs::Dice;
use super::liveness::{free_once, number_of};
use super::{Bench, MIB, live, with_session};
use cellhold::arrays::ledger;
use cellhold::session::CellEvent;
use serde_json::Value;

/// The JSON of the plan that the last cell showed.
pub(super) fn plan(bench: &mut Bench, source: &str) -> Value {
    bench.ok(source);
    let shown = bench.front.events().into_iter().find_map(|event| match event {
        CellEvent::Display { bundle, .. } => bundle.data.get("application/vnd.cellhold.plan+json").cloned(),
        _ => None,
    });
    shown.unwrap_or_else(|| panic!("no plan: {source}"))
}

/// What running a cell took by its own account.
fn ran(bench: &mut Bench, source: &str) -> Value {
    bench.ok(source).account.unwrap()
}

fn check(bench: &mut Bench, body: &str) -> Value {
    let before = (live(), ledger::next_id(), bench.session.memory(usize::MAX)["allocations"].clone());
    let planned = plan(bench, &format!("%%plan\n{body}"));
    let after = (live(), ledger::next_id(), bench.session.memory(usize::MAX)["allocations"].clone());
    let without_age = |(live, id, mut list): (u64, u64, Value)| {
        for one in list.as_array_mut().unwrap() {
            one.as_object_mut().unwrap().remove("age_s");
        }
        (live, id, list)
    };
    assert_eq!(without_age(before), without_age(after), "a plan changes nothing: {body}");
    assert_eq!(planned["stopped"], Value::Null, "{body}");
    let account = ran(bench, body);
    for figure in ["allocated", "allocations", "peak_over_base"] {
        assert_eq!(planned[figure], account[figure], "{figure} of\n{body}\n{planned}\n{account}");
    }
    planned
}

#[test]
fn a_plan_is_what_happens() {
    with_session(|bench| {
        bench.ok("import dpnp, numpy\na = dpnp.ones((512, 512))\nb = dpnp.ones((512, 512))");
        let planned = check(bench, "c = a * b + dpnp.sin(a)");
        assert_eq!(planned["programs"].as_array().unwrap().len(), 1);
        assert_eq!(planned["programs"][0]["operations"], serde_json::json!(["multiply", "sin", "add"]));
        assert_eq!(planned["programs"][0]["inputs"].as_array().unwrap().len(), 2);
        assert_eq!(planned["peak_over_base"], 2 * MIB);
        // What a rebound name held is let go of once the new value is there.
        check(bench, "a = a * 2\nd = a + 1\ndel b, c\ne = dpnp.zeros((512, 512))");
        check(bench, "x = (e - e.mean()) / e.std()\ny = x.sum(axis=0)\nz = e @ x");
        check(bench, "parts = [dpnp.full(1000, i) for i in range(5)]\nwhole = dpnp.concatenate(parts)\ndel parts");
        check(bench, "def f(n):\n    t = dpnp.arange(n)\n    u = t * 2.0\n    return u + t\nr = f(10000)");
        check(bench, "for i in range(10):\n    r = r * 0.5\n    e += 1");
        check(bench, "h = e.asnumpy()\ng = dpnp.asarray(h * 2)\ns = numpy.sqrt(h).sum()");
        check(bench, "q = dpnp.random.rand(100, 100)\nw = dpnp.where(q > 0.5, q, 0.0)[::2].copy()");
    });
}

#[test]
fn what_names_pass_on_goes_with_the_last_that_has_it() {
    with_session(|bench| {
        let setup = "import dpnp, gc\ngc.disable()\na, b, c, d = [dpnp.arange(4096.0) + i for i in range(4)]";
        for body in [
            // The array of `d` changes its name, and goes when that one is bound anew.
            "c, d = d, d * 2\nc = a.astype('f4').astype('f8')\nd += a\nd = dpnp.zeros(4096)",
            "c, d = d, b * 2\nc = d * a + 1\nfor i in range(3):\n    c = c + i\n    c = c * a\nb += b\nd = a.reshape(64, 64).T.reshape(4096) + 0",
            "held = [a, {'k': (b, 1)}]\ndel a, b\nd = d + 1\nheld = None\nc = c + 1",
            "f = lambda x=d: x\nx = d[:10]\ndel d\nc = c * 2\ndel f\nc = c * 2\ndel x\nc = c * 2",
            "def f(p):\n    global a\n    a = None\n    q = p + 1\n    p = None\n    return q + b\nc = f(a)",
            "def f(p):\n    yield p\n    yield p * 2\ng = f(a)\ndel a\nb = next(g) + b\nc = next(g) + c\ndel g\nc = c + 1",
        ] {
            bench.ok(setup);
            check(bench, body);
        }
        // A cycle goes with the collector and not with its name.
        bench.ok(&format!("{setup}\nring = [dpnp.ones(4096)]\nring.append(ring)"));
        check(bench, "del ring\nc = c + 1");
        // What names held goes on being held by what holds their list.
        bench.ok(&format!("{setup}\ninner = [a]\nouter = [inner]"));
        check(bench, "del a, inner\nb = b + 1\nouter = outer[0][0]\nb = b + 1\ndel outer\nb = b + 1");
    });
}

#[test]
fn an_expression_is_planned_where_it_stands() {
    with_session(|bench| {
        bench.ok("import dpnp\na = dpnp.ones(2**20)");
        let planned = plan(bench, "%plan a * 2 + 1");
        assert_eq!((&planned["allocated"], &planned["fits"]), (&(8 * MIB).into(), &true.into()));
        let text = bench.output();
        for part in ["Nothing ran.", "multiply, add", "8.00 MiB", "fits native:cpu:0"] {
            assert!(text.contains(part), "{part} is not in:\n{text}");
        }
        assert_eq!(bench.result("float(a.sum())").as_deref(), Some("1048576.0"));
    });
}

#[test]
fn a_plan_changes_nothing_and_says_what_stopped_it() {
    with_session(|bench| {
        bench.ok("import dpnp\na = dpnp.ones(100)\nkept = [1]\nd = {}\nn = 1\nclass C: pass\nc = C()\ng = (i for i in range(3))");
        bench.ok("def grow():\n    kept.append(2)\ndef count():\n    global n\n    n += 1\n    return n");
        let state = "float(a.sum()), kept, d, n, vars(c), 'fresh' in globals()";
        let before = bench.result(state);
        for (body, reason) in [
            ("grow()", "list.append"),
            ("kept += [3]", "list"),
            ("kept[0] = 5", "list"),
            ("d['x'] = a * 2", "dict"),
            ("c.x = 1", "C"),
            ("next(g)", "next"),
            ("for i in g: pass", "generator"),
            ("if float((a * 2).sum()) > 1: fresh = 1", "values"),
            ("open('/tmp/x', 'w')", "open"),
            ("dpnp.save('/tmp/x.npy', a)", "save"),
            ("a.shape = (10, 10)", "dpnp_array"),
            ("%free all -y", "%free"),
            ("get_ipython().run_line_magic('reset', '-f')", "%reset"),
        ] {
            let planned = plan(bench, &format!("%%plan\n{body}"));
            let stopped = planned["stopped"].as_str().unwrap_or_else(|| panic!("{body} was planned: {planned}"));
            assert!(stopped.contains(reason), "{body}: {stopped}");
            assert_eq!(bench.result(state), before, "{body}");
        }
        plan(
            bench,
            "%%plan\nfresh = count()\na[:] = 7\na *= 3\nprint('hello')\nlocal = [1]\nlocal.append(a + 1)\ndel n",
        );
        assert!(!bench.output().contains("hello"));
        // What a plan makes is finalized within it.
        plan(
            bench,
            "%%plan\nclass D:\n    def __del__(self):\n        print('bye')\n        kept.append(3)\nD()\nd2 = D()",
        );
        assert!(!bench.output().contains("bye"));
        assert_eq!(bench.result(state), before);
        assert_eq!(bench.result("list(g)").as_deref(), Some("[0, 1, 2]"));
        assert_eq!(bench.fails("%plan a +").0, "SyntaxError");
        assert_eq!(bench.fails("%plan missing + 1").0, "NameError");
        assert_eq!(bench.fails("%plan a + dpnp.ones(3)").0, "ValueError");
        assert_eq!(bench.fails("%plan").0, "UsageError");
        assert_eq!(bench.result(state), before);
    });
}

#[test]
fn what_cannot_fit_is_refused_before_it_runs() {
    with_session(|bench| {
        bench.ok("import dpnp\n%devices add gpu mem=64MiB");
        bench.ok("a = dpnp.ones(5 * 2**20, device='sim:gpu:0')");
        let planned = plan(bench, "%plan a * 2");
        assert_eq!(planned["fits"], false);
        assert!(bench.output().contains("does not fit sim:gpu:0: needs 40.0 MiB, free 24.0 MiB"), "{}", bench.output());
        let (class, message) = bench.fails("%%plan --run\nb = a * 2\nprint('ran')");
        assert_eq!(class, "MemoryError");
        assert!(message.contains("needs 40.0 MiB") && message.contains("Nothing ran"), "{message}");
        assert!(!bench.output().contains("ran\n"));
        assert_eq!(plan(bench, "%plan a.sum()")["fits"], true);
        assert_eq!(bench.printed("%%plan --run\nt = float((a * 2).sum() * 0 + 3) if False else 4\nprint(t)"), "4\n");
        let over =
            plan(bench, "%%plan\nwith dpnp.errstate(all='ignore') if False else budget('1GB'):\n    c = a[:100] + 1");
        assert_eq!(over["stopped"], Value::Null);
        bench.ok("with budget('1MiB'):\n    %plan a[:2**18] + 1");
        assert!(bench.output().contains("does not fit the budget of 1.00 MiB"), "{}", bench.output());
    });
}

/// A random program over a few names: expressions, rebinding, views, in-place statements, containers, closures, loops.
fn program(dice: &mut Dice) -> String {
    const NAMES: [&str; 4] = ["a", "b", "c", "d"];
    let mut text = String::new();
    for _ in 0..2 + dice.below(6) {
        let (x, y, z) = (dice.pick(&NAMES), dice.pick(&NAMES), dice.pick(&NAMES));
        let line = match dice.below(26) {
            0 => format!("{x} = {y} * {z} + 1"),
            1 => format!("{x} = dpnp.sin({y}) - {z} / 3"),
            2 => format!("{x} = {y}[::2].copy()\n{x} = dpnp.concatenate([{x}, {x}])"),
            3 => format!("{x} += {y}"),
            4 => format!("t = {y}.sum() + {z}.max()"),
            5 => format!("rows = [{y} * i for i in range(3)]\n{x} = rows[1] + rows[2]"),
            6 => format!("{x} = {y}.reshape(64, 64).T.reshape(4096) + 0"),
            7 => format!("{x} = dpnp.zeros(4096)"),
            8 => format!("for i in range(3):\n    {x} = {y} + i\n    {y} = {x} * {z}"),
            9 => format!("def f(p):\n    q = p * p\n    return q + {z}\n{x} = f({y}) - f({z})"),
            10 => format!("{x} = {y}.astype('f4').astype('f8')"),
            11 => format!("h = {y}.asnumpy()\n{x} = dpnp.asarray(h + 1)\ndel h"),
            12 => format!("{x}, {y} = {y}, {z} * 2"),
            13 => format!("{x} = ({y} - {y}.mean()) / ({z}.std() + 1)"),
            14 => format!("{x}, {y} = {y}, {x}"),
            15 => format!("box = [{x}, ({y}, 1)]\n{x} = {z} + 1\nbox = {{'k': box}}\n{y} = {x} - 1\ndel box"),
            16 => format!("v = {x}[5:15]\n{x} = {y} * 2\n{z} = {z} + v.sum()"),
            17 => "v = None".to_owned(),
            18 => format!("g = (lambda held: lambda: held)({x})\n{x} = {y} - 1\n{z} = g() + 1\ndel g"),
            19 => format!("kept = [{x}, kept]"),
            20 => format!("alias = {x}\nkept = None"),
            21 => format!("class H: pass\nh = H()\nh.v = {x}\n{x} = {y} + h.v\ndel h"),
            22 => {
                format!("def f(p):\n    yield p\n    yield p + 1\ng = f({x})\n{y} = next(g) * 2\n{x} = next(g)\ndel g")
            }
            23 => format!("{x} = sum([{y}, {z}])"),
            24 => {
                format!("try:\n    {x} = {y} + 1\n    {x} = {x} + dpnp.ones(3)\nexcept ValueError:\n    {z} = {x} * 2")
            }
            _ => format!("{x} = {y} = {z} + {y}"),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Programs that one session runs: a session looks at the texts of all its cells, and thousands of them would only be slow.
const PROGRAMS_EACH: u64 = 50;

/// `CELLHOLD_PLANS` is the number of programs (60 unless it says otherwise), `CELLHOLD_SEED` the seed of the first.
#[test]
fn random_programs_take_what_was_planned_and_free_what_was_foretold() {
    let count = number_of("CELLHOLD_PLANS").unwrap_or(60);
    let first = number_of("CELLHOLD_SEED").unwrap_or(20_261_129);
    for begin in (first..first + count).step_by(PROGRAMS_EACH as usize) {
        let seeds = begin..(begin + PROGRAMS_EACH).min(first + count);
        with_session(move |bench| {
            // A collection that falls due in the middle of a statement computes what waits there, and splits its program.
            bench.ok("import gc\ngc.disable()");
            seeds.for_each(|seed| plan_and_free(bench, seed));
        });
    }
}

fn plan_and_free(bench: &mut Bench, seed: u64) {
    let mut dice = Dice::new(seed);
    bench.ok(
        "import dpnp\na, b, c, d = [dpnp.arange(4096.0) + i for i in range(4)]\nalias = a\nkept = [b, c[:10]]\nv = d[:5]",
    );
    check(bench, &format!("# seed {seed}\n{}", program(&mut dice)));
    let mut names = vec!["a", "b", "c", "d", "alias", "kept", "v", "out", "cached"];
    while !names.is_empty() {
        let count = (1 + dice.below(3)).min(names.len());
        let words: Vec<&str> = (0..count).map(|_| names.swap_remove(dice.below(names.len()))).collect();
        if let Err(problem) = free_once(bench, &words.join(" ")) {
            panic!("seed {seed}: {problem}");
        }
    }
}
