//! Hints come when a cell does what fills memory, once a kind, and never when what looks the same is meant.

use super::{Bench, with_session};

/// The hints of the last cell.
fn hints(bench: &Bench) -> Vec<String> {
    bench.front.notices().into_iter().filter(|notice| notice.starts_with("hint: ")).collect()
}

#[test]
fn a_loop_that_keeps_as_much_each_time_is_told_once() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nresults = []\nfor i in range(8):\n    results.append(np.ones(2**17) * i)");
        assert_eq!(
            hints(bench),
            [
                "hint: line 4 kept 1.00 MiB more in each pass of its loop (results grows). Keep a number, or write into one \
              array with out=.   %mem --by holder   %advice off"
            ]
        );
        bench.ok("more = []\nfor i in range(8):\n    more.append(np.ones(2**17) * i)");
        assert!(hints(bench).is_empty(), "each kind once a session");
        bench.ok("%advice all\nagain = []\nfor i in range(8):\n    again.append(np.ones(2**17) * i)");
        assert_eq!(hints(bench).len(), 1);
        bench.ok("%advice off");
        bench.ok("off = []\nfor i in range(8):\n    off.append(np.ones(2**17) * i)");
        assert!(hints(bench).is_empty());
        assert!(bench.fails("%advice perhaps").1.contains("on, off or all"));
    });
}

#[test]
fn a_loop_that_copies_each_time_is_told() {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=64MiB\nimport dpnp as np, numpy\nrows = numpy.ones((40, 100))\ntotal = np.zeros(100, device='sim:gpu:0')");
        bench.ok("for row in rows:\n    total += np.asarray(row, device='sim:gpu:0')");
        let told = hints(bench);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].contains("line 2 copied from host to sim:gpu:0 40 times, 31.2 KiB. Copy once before the loop."),
            "{told:?}"
        );
        assert!(told[0].contains("%mem --cell 2"), "{told:?}");
    });
}

#[test]
fn reading_large_data_in_pieces_is_no_loop() {
    with_session(|bench| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        bench.ok(&format!(
            "import numpy, dpnp\npath = {path:?}\nnumpy.save(path, numpy.ones(10 * 2**20))\n%devices add gpu mem=64MiB\n\
             %device sim:gpu:0\nx = dpnp.load(path, mmap_mode='r')"
        ));
        bench.ok("total = float(x.sum())");
        assert!(bench.front.notices().iter().any(|told| told.contains("pieces")), "{:?}", bench.front.notices());
        assert!(hints(bench).is_empty(), "{:?}", hints(bench));
    });
}

#[test]
fn a_small_view_that_alone_keeps_a_large_base_is_told() {
    with_session(|bench| {
        bench.ok("import dpnp as np\ndef head():\n    whole = np.ones(2**20)\n    return whole[:2]\nv = head()");
        let told = hints(bench);
        assert_eq!(
            told,
            ["hint: v sees 16 B and keeps 8.00 MiB, which nothing else uses.   %free --compact v   %advice off"]
        );
        bench.ok("%free --compact v");
        assert_eq!(cellhold::arrays::ledger::live_everywhere(), 16);
    });
}

#[test]
fn an_output_that_became_the_last_holder_is_told() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**20)");
        bench.ok("a");
        bench.ok("a = 1");
        assert_eq!(hints(bench), ["hint: Out[2] is the last that holds 8.00 MiB.   %free Out[2]   %advice off"]);
        bench.ok("%advice");
        assert!(bench.output().contains("nothing to advise"), "{}", bench.output());
    });
}

#[test]
fn a_processor_by_default_beside_a_gpu_is_told() {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=64MiB\nimport dpnp as np");
        bench.ok("a = np.ones(2**20)");
        assert_eq!(
            hints(bench),
            ["hint: new arrays go to native:cpu:0, although sim:gpu:0 is there.   %device sim:gpu:0   %advice off"]
        );
    });
}

#[test]
fn what_is_meant_is_left_alone() {
    with_session(|bench| {
        bench.ok("%advice all\nimport dpnp as np, numpy");
        let cells = [
            // A list made in one expression.
            "layers = [np.ones(2**18) for i in range(8)]",
            // One array, written in each pass.
            "out = np.empty((8, 2**17))\nfor i in range(8):\n    np.multiply(np.ones(2**17), i, out=out[i])",
            "r = np.zeros(2**18)\nfor i in range(20):\n    r = r * 0.5 + i",
            // Numbers kept instead of arrays.
            "sums = []\nfor i in range(20):\n    sums.append(float((np.ones(2**17) * i).sum()))",
            // A view beside its living base.
            "a = np.ones(2**20)\nv = a[:2]",
            "half = np.ones(2**20)[: 2**19]",
            // Results that are shown.
            "np.ones(2**18)",
            "a.sum()",
            "x = a * 2 + 1\nx",
            // Few small arrays.
            "small = []\nfor i in range(100):\n    small.append(np.ones(10))",
            "parts = []\nfor i in range(3):\n    parts.append(np.ones(2**18))",
            // One copy each way.
            "h = a.asnumpy()\nb = np.asarray(h)",
        ];
        for cell in cells {
            bench.ok(cell);
            assert!(hints(bench).is_empty(), "{cell}\n{:?}", hints(bench));
        }
        // A device that was chosen, on a machine that has another.
        bench.ok("%devices add gpu mem=64MiB\n%device native:cpu:0");
        bench.ok("chosen = np.ones(2**20)");
        assert!(hints(bench).is_empty(), "{:?}", hints(bench));
    });
}

#[test]
fn outputs_that_go_are_told_and_explain_themselves() {
    with_session(|bench| {
        bench.ok("import dpnp as np\n%out 1");
        bench.ok("np.ones(2**17)");
        bench.ok("np.ones(2**17) + 1");
        let told = bench.front.notices();
        assert_eq!(told, ["Out[2] evicted, 1.00 MiB, recompute with: np.ones(2**17)"]);
        for use_of_it in ["Out[2] + 1", "Out[2].sum()", "Out[2][0]", "1 - Out[2]", "len(Out[2])", "_2 @ _2"] {
            let (class, message) = bench.fails(use_of_it);
            assert_eq!(class, "ReleasedArrayError", "{use_of_it}: {message}");
            assert_eq!(
                message, "Out[2] held 1.00 MiB and was let go of (%out 1); recompute it with: np.ones(2**17)",
                "{use_of_it}"
            );
        }
    });
}

#[test]
fn several_views_are_told_together() {
    with_session(|bench| {
        bench.ok("import dpnp as np\ndef heads():\n    whole = np.ones((1024, 1024))\n    return [whole[i] for i in range(3)]\nrows = heads()");
        let told = hints(bench);
        assert_eq!(
            told,
            [
                "hint: rows[0] and 2 more see 24.0 KiB and keep 8.00 MiB, which nothing else uses.   %free --compact rows   \
              %advice off"
            ]
        );
    });
}

#[test]
fn names_of_one_cycle_are_told_of_in_one_line() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nb, c = {}, {}\nb['other'], c['other'] = c, b\nb['data'] = np.ones(2**17)");
        bench.ok("del b, c");
        let told = bench.front.notices();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("b and c are gone, their 1.00 MiB are not: "), "{told:?}");
        assert!(told[0].ends_with("import gc; gc.collect()"), "{told:?}");
    });
}

#[test]
fn a_name_is_told_before_the_place_in_a_list() {
    with_session(|bench| {
        bench.ok("import dpnp as np\nresults = [0, 0, np.ones(2**18)[:10]]\nfirst = results[2]");
        let told = hints(bench);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("hint: first and 1 more see 80 B and keep 2.00 MiB"), "{told:?}");
    });
}
