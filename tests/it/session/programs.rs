//! Random programs: after each cell every live allocation has a path of the right kind, running what its holders say frees
//! it, and the ledger balances.

use cellhold::arrays::ledger;
use cellhold::session::{CellEvent, FREE_MIME};
use proptest::prelude::*;

use super::{Bench, live, with_session};

/// One cell of a random program.
#[derive(Clone, Debug)]
struct Cell(String);

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn name() -> impl Strategy<Value = &'static str> + Clone {
    prop::sample::select(&NAMES[..])
}

/// Cells that make, hold, show, alias and drop arrays in every way a notebook does.
fn cell() -> impl Strategy<Value = Cell> {
    let two = (name(), name());
    prop_oneof![
        name().prop_map(|a| format!("{a} = np.ones(8)")),
        two.clone().prop_map(|(a, b)| format!("{a} = {b}")),
        two.clone().prop_map(|(a, b)| format!("{a} = [{b}, {b}, np.ones(4)]")),
        two.clone().prop_map(|(a, b)| format!("{a} = ({b}, ({b}, 1))")),
        two.clone().prop_map(|(a, b)| format!("{a} = {{'k': {b}, 2: np.ones(2)}}")),
        two.clone().prop_map(|(a, b)| format!("{a} = (lambda held: lambda: held)({b})")),
        two.clone().prop_map(|(a, b)| format!("def {a}(x={b}): return x")),
        two.clone().prop_map(|(a, b)| format!("{a} = Node()\n{a}.data = {b}")),
        two.clone().prop_map(|(a, b)| format!("{a} = Node()\n{a}.me = {a}\n{a}.data = [{b}]")),
        two.clone().prop_map(|(a, b)| format!("{a} = gen({b})\nnext({a});")),
        two.clone().prop_map(|(a, b)| format!("{a} = iter([{b}, np.ones(3)])")),
        two.clone().prop_map(|(a, b)| format!("{a} = ValueError({b})")),
        two.clone().prop_map(|(a, b)| format!("{a} = functools.partial(gen, {b})")),
        two.clone().prop_map(|(a, b)| format!("{a} = collections.deque([{b}, np.ones(5)])")),
        two.clone().prop_map(|(a, b)| format!("{a} = property(functools.partial(print, {b}))")),
        two.clone().prop_map(|(a, b)| format!("{a} = Node()\n{a}.data = {b}\n{a} = {a}.show")),
        two.clone().prop_map(|(a, b)| format!("{a} = zip([{b}], [1])")),
        two.clone().prop_map(|(a, b)| format!("{a} = {b}[:1] if hasattr({b}, 'shape') else {b}")),
        two.prop_map(|(a, b)| format!("{a} = Node.keep\nNode.keep = {b}")),
        name().prop_map(|a| a.to_string()),
        name().prop_map(|a| format!("{a};")),
        name().prop_map(|a| format!("del {a}")),
        name().prop_map(|a| format!("1 / 0 if {a} is None else undefined_name")),
        Just("import gc; gc.collect();".to_owned()),
        Just("%free out".to_owned()),
    ]
    .prop_map(Cell)
}

const SETUP: &str = "import dpnp as np, gc, functools, collections\nclass Node:\n    keep = None\n    def show(self): pass\n\ndef gen(held):\n    yield 1\n    yield held\na = b = c = d = None";

/// Kinds that a path's last step may have.
fn kind_fits(path: &str, kind: &str) -> bool {
    match kind {
        "name" => !path.contains(['.', '[', '<']),
        "output" => path.starts_with("Out[") && path.ends_with(']'),
        "container" => path.ends_with(']') || path.contains("<iterated>"),
        "closure" => ["<closure>", "<default>", "<argument", "<function>", "__self__", "<getter>"]
            .iter()
            .any(|step| path.contains(step)),
        "instance" => path.rsplit_once('.').is_some_and(|(owner, _)| !owner.ends_with("<closure>")),
        "generator" => path.contains("<generator>"),
        "error" => path.contains(".args["),
        "cycle" => path.contains("<cycle"),
        _ => false,
    }
}

/// Every allocation has holders, none unknown, each of the kind its path says.
pub(super) fn check_holders(bench: &Bench) {
    for holders in bench.holders() {
        assert!(!holders.is_empty());
        for (path, kind, _) in &holders {
            assert!(!path.contains("unknown holder"), "{holders:?}");
            assert!(kind_fits(path, kind), "{path} is no {kind}: {holders:?}");
        }
    }
}

/// Lets go of one allocation by running what its holders say, in order.
fn let_go_of_first(bench: &mut Bench) {
    let memory = bench.session.memory(usize::MAX);
    let Some(first) = memory["allocations"].as_array().and_then(|all| all.first()) else { return };
    let id = first["id"].as_u64().unwrap();
    for holder in first["holders"].as_array().unwrap() {
        let statement = holder["let_go"].as_str().unwrap_or_else(|| panic!("{holder} cannot be let go of"));
        bench.ok(statement);
    }
    assert!(ledger::entry(id).is_none(), "#{id} lives on after {first}");
}

/// What `%free` said in JSON in the last cell.
fn free_json(bench: &Bench) -> serde_json::Value {
    let shown = bench.front.events().into_iter().find_map(|event| match event {
        CellEvent::Display { bundle, .. } => bundle.data.get(FREE_MIME).cloned(),
        _ => None,
    });
    shown.unwrap_or_else(|| panic!("no account of a free: {}", bench.output()))
}

/// Things to free, alone and together.
fn wishes() -> impl Strategy<Value = Vec<&'static str>> {
    let one = prop::sample::select(&["a", "b", "c", "d", "out", "error", "cached", "Out[3]", "a", "b", "#2"][..]);
    prop::collection::vec(one, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: free_cases(), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_a_free_foretells_is_what_it_does(
        cells in prop::collection::vec(cell(), 1..12),
        wishes in prop::collection::vec(wishes(), 1..4),
    ) {
        with_session(move |bench| {
            bench.ok(SETUP);
            for Cell(source) in &cells {
                bench.run(source);
            }
            for words in &wishes {
                let line = words.join(" ");
                // A name that is not there or a number that never was is a mistake, foretold or not.
                let is_mistake = bench.run(&format!("%free {line} -n")).error.is_some();
                if is_mistake {
                    assert!(bench.run(&format!("%free {line}")).error.is_some());
                    continue;
                }
                let foretold = free_json(bench);
                let before = live();
                bench.ok(&format!("%free {line}"));
                let done = free_json(bench);
                assert_eq!(foretold["allocations"], done["allocations"], "%free {line}");
                assert_eq!(foretold["released"], done["released"], "%free {line}");
                assert_eq!(done["released"].as_u64(), Some(before - live()));
                if words.last() == Some(&"cached") {
                    assert_eq!(foretold["returned"], done["returned"], "%free {line}");
                }
                // Once more does nothing and is no mistake.
                let before = live();
                bench.ok(&format!("%free {line}"));
                assert_eq!(free_json(bench)["released"], 0, "%free {line}, again");
                assert_eq!(live(), before);
                check_holders(bench);
                ledger::assert_balanced();
            }
        });
    }
}

/// Random programs to foretell: few in an ordinary run, as many as `CELLHOLD_CASES` says on demand.
fn free_cases() -> u32 {
    std::env::var("CELLHOLD_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(48)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: free_cases(), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_allocation_is_explained_and_can_be_let_go(cells in prop::collection::vec(cell(), 1..14)) {
        with_session(move |bench| {
            bench.ok(SETUP);
            for Cell(source) in &cells {
                bench.run(source);
                check_holders(bench);
                ledger::assert_balanced();
            }
            let mut left = cellhold::arrays::ledger::entries().len();
            while left > 0 {
                let_go_of_first(bench);
                let now = ledger::entries().len();
                assert!(now < left, "letting go made no progress");
                left = now;
            }
            assert_eq!(live(), 0);
        });
    }
}
