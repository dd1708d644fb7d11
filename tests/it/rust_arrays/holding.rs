//! Holders: what a Rust variable keeps is shown under its name, goes when it is dropped, and can be taken from it.

use super::*;

fn only(path: &str) -> Vec<Vec<String>> {
    vec![vec![path.to_owned()]]
}

#[test]
fn variables_hold_by_name_until_they_are_dropped() {
    in_session(move |mut bench| {
        bench.ok("1");
        let mut playing = bench.start(&["holders"]);
        bench.until(&mut playing, "made");
        assert_eq!(bench.holders(), only("rust: unnamed"));
        bench.go_on(&mut playing, "named");
        let expected: Vec<Vec<String>> = [
            &["rust: a", "rust: second"][..],
            &["rust: list[0]"],
            &["rust: list[1]"],
            &["rust: map[\"key\"]"],
            &["rust: tree[3]"],
            &["rust: boxed.0"],
            &["rust: boxed.2"],
            &["rust: model.weights"],
            &["rust: model.bias[0]"],
        ]
        .iter()
        .map(|paths| paths.iter().map(|path| (*path).to_owned()).collect())
        .collect();
        assert_eq!(bench.holders(), expected);
        let json = bench.session.memory(100);
        let holder =
            &json["allocations"].as_array().unwrap().iter().find(|entry| entry["id"] == 1).unwrap()["holders"][0];
        assert_eq!((&holder["kind"], &holder["let_go"]), (&"rust".into(), &"%free rust: a".into()));
        // A move moves the name; a clone is a second holder of the same bytes.
        bench.go_on(&mut playing, "moved");
        assert_eq!(bench.holders(), vec![vec!["rust: b".to_owned(), "rust: second".to_owned()]]);
        bench.go_on(&mut playing, "dropped");
        assert_eq!(bench.holders(), Vec::<Vec<String>>::new());
        // What waits to be computed is computed before anyone looks.
        bench.go_on(&mut playing, "waiting");
        assert_eq!(bench.holders(), only("rust: sum"));
        bench.ok("kept = dpnp.ones(200000)");
        bench.go_on(&mut playing, "kept");
        let shown = bench.shows("del kept");
        assert!(
            shown.contains("kept is gone, its 1.53 MiB are not: rust: kept still holds them.  %free rust: kept"),
            "{shown}"
        );
        let chain = bench.shows("%mem");
        assert!(chain.contains("rust: kept") && chain.contains("rust: sum"), "{chain}");
        bench.go_on(&mut playing, "done");
        bench.ends_empty();
    });
}

#[test]
fn what_a_variable_keeps_can_be_taken_from_it() {
    in_session(move |mut bench| {
        let mut playing = bench.start(&["frees"]);
        bench.until(&mut playing, "named");
        bench.ok("1");
        let foretold = bench.shows("%free -n rust: v");
        assert!(foretold.contains("Would release 7.81 KiB in 1 allocation. Nothing was done."), "{foretold}");
        let done = bench.shows("%free rust: v");
        assert!(done.contains("rust: v let go of its array. Released: 7.81 KiB (ledger)"), "{done}");
        assert_eq!(bench.holders(), vec![vec!["rust: w[0]".to_owned()], vec!["rust: w[1]".to_owned()]]);
        let (class, message) = bench.fails("%free rust: v");
        assert!(class == "UsageError" && message == "rust: v holds no array", "{class}: {message}");
        let said = bench.go_on(&mut playing, "freed");
        let expected = "ReleasedArrayError: the memory of this array was taken back by %free rust: v in cell 3: make it anew, or get() \
                    it again";
        assert_eq!(said, [expected, expected, "3000"]);
        // A part of a variable, then all that is left of it.
        assert!(bench.shows("%free rust: w[0]").contains("rust: w[0] let go of its array."));
        let number = bench.session.memory(10)["allocations"][0]["id"].as_u64().unwrap();
        let shown = bench.shows(&format!("%mem #{number}"));
        assert!(shown.contains("rust: w[1]"), "{shown}");
        assert!(bench.shows("%free rust: w").contains("rust: w let go of its array."));
        let said = bench.go_on(&mut playing, "revoked");
        assert!(said.iter().all(|line| line.starts_with("ReleasedArrayError: ")), "{said:?}");
        // Whoever holds it: revoking by number is seen by Rust like by anyone.
        bench.attend();
        let number = bench.session.memory(10)["allocations"][0]["id"].as_u64().unwrap();
        bench.ok(&format!("%free #{number}"));
        let said = bench.go_on(&mut playing, "done");
        assert!(
            said[0].contains("ReleasedArrayError") && said[0].contains(&format!("%free #{number} in cell")),
            "{said:?}"
        );
        bench.ends_empty();
    });
}

#[test]
fn a_name_and_a_variable_are_two_holders() {
    in_session(move |mut bench| {
        let mut playing = bench.start(&["many"]);
        bench.until(&mut playing, "kept");
        bench.attend_until("drops", |bench| bench.session.memory(10)["allocations"].as_array().unwrap().len() == 4);
        // The process ends without a word, and everything it kept goes.
        playing.child.kill().unwrap();
        bench.attend_until("the end", |bench| bench.session.memory(10)["allocations"].as_array().unwrap().is_empty());
        bench.ends_empty();
    });
}
