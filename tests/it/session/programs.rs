//! Random programs: after each cell every live allocation has a path of the right kind, running what its holders say frees
//! it, and the ledger balances.

use cellhold::arrays::ledger;
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

const SETUP: &str = "import dpnp as np, gc\nclass Node:\n    keep = None\n\ndef gen(held):\n    yield 1\n    yield held\na = b = c = d = None";

/// Kinds that a path's last step may have.
fn kind_fits(path: &str, kind: &str) -> bool {
    match kind {
        "name" => !path.contains(['.', '[', '<']),
        "output" => path.starts_with("Out[") && path.ends_with(']'),
        "container" => path.ends_with(']') || path.contains("<iterated>"),
        "closure" => path.contains("<closure>") || path.contains("<default>"),
        "instance" => path.contains('.') && !path.contains("<closure>."),
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 200, ..ProptestConfig::default() })]

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
