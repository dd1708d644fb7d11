//! The magics: what they say and do.

use cellhold::session::{CELL_MIME, CellEvent, MEMORY_MIME, Payload, Recorder};

use super::{MIB, live, with_session};

#[test]
fn an_unknown_magic_suggests_the_nearest() {
    with_session(|bench| {
        let (class, message) = bench.fails("%mme");
        assert_eq!(class, "UsageError");
        assert!(message.contains("`%mme` not found. Did you mean %mem?"), "{message}");
        assert!(bench.fails("%%mme\nx").1.contains("%%mem"));
        assert!(bench.fails("%%who\nx").1.contains("one line"));
        assert!(bench.fails("%writefile f").1.contains("first line"));
    });
}

#[test]
fn mem_lists_every_allocation_with_text_html_and_json() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones((1000, 1000))");
        bench.ok("results = [a, a[:2]]");
        bench.ok("%mem");
        let bundle = bench
            .front
            .events()
            .into_iter()
            .find_map(|event| match event {
                CellEvent::Display { bundle, .. } => Some(bundle),
                _ => None,
            })
            .expect("a display");
        let text = bundle.plain_text();
        assert!(text.contains("7.63 MiB   (1000, 1000) float64") && text.contains("cell 1"), "{text}");
        assert!(text.contains("a, results[0], results[1] (view)"), "{text}");
        assert!(text.contains("1 allocation, every byte explained."), "{text}");
        assert!(bundle.text("text/html").unwrap().contains("results[1]"));
        let json = &bundle.data[MEMORY_MIME];
        assert_eq!(json["schema"], 1);
        let one = &json["allocations"][0];
        assert_eq!(
            (one["bytes"].as_u64(), one["dtype"].as_str(), one["usm"].as_str()),
            (Some(8_000_000), Some("float64"), Some("device"))
        );
        assert_eq!(one["shape"], serde_json::json!([1000, 1000]));
        assert_eq!(one["cell"], 1);
        assert_eq!(json["devices"][0]["default"], true);
    });
}

#[test]
fn mem_of_one_thing_is_a_chain_for_each_holder() {
    with_session(|bench| {
        bench.ok(
            "import dpnp as np\nx = np.ones(2**20)\ndef make():\n    buf = x\n    return lambda: buf\nfit = make()",
        );
        bench.ok("%mem x");
        let text = bench.output();
        assert!(text.contains("Two holders:"), "{text}");
        assert!(text.contains("captured by <lambda> (defined in cell 1)") && text.contains("name fit"), "{text}");
        assert!(text.contains("del fit") && text.contains("del x"), "{text}");
        assert!(text.contains("Letting go of one of them frees nothing; both together free 8.00 MiB."), "{text}");
        assert!(bench.fails("%mem nothing").1.contains("there is no nothing"));
        assert!(bench.fails("%mem #77").1.contains("#77"));
    });
}

#[test]
fn mem_sums_by_holder_cell_and_device() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**17)");
        bench.ok("b = [np.ones(2**17), np.ones(2**17)]");
        bench.ok("%mem --by holder");
        assert!(bench.output().contains("b         2.00 MiB             2"), "{}", bench.output());
        bench.ok("%mem --by cell");
        assert!(bench.output().contains("cell 2    2.00 MiB"), "{}", bench.output());
        bench.ok("%mem --cell 1");
        assert!(bench.output().contains("1 allocation,"), "{}", bench.output());
        assert!(bench.fails("%mem --by colour").1.contains("holder, cell or device"));
        assert!(bench.fails("%mem --colour").1.contains("unknown option"));
    });
}

#[test]
fn a_cell_account_counts_the_cell() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**17)");
        let outcome = bench.ok("%%mem --json\nb = a * 2 + 1\nc = a + b\ndel b");
        let account = outcome.account.unwrap();
        assert_eq!(account["kept"].as_i64(), Some(MIB as i64), "{account}");
        assert_eq!(account["freed"].as_u64(), Some(MIB), "{account}");
        let shown = bench.front.events().into_iter().find_map(|event| match event {
            CellEvent::Display { bundle, .. } => bundle.data.get(CELL_MIME).cloned(),
            _ => None,
        });
        assert_eq!(shown.expect("the account is shown")["allocations"], 2);
        bench.ok("%%mem\nd = a + 1");
        assert!(bench.output().contains("allocated 1.00 MiB in 1 allocation"), "{}", bench.output());
    });
}

#[test]
fn free_does_what_it_says_and_says_what_it_did() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**20)\nb = a");
        bench.ok("a");
        bench.ok("%free a -n");
        assert!(bench.output().contains("Would release 0 B"), "{}", bench.output());
        bench.ok("%free a");
        assert!(bench.output().contains("a is gone. Released: 0 B"), "{}", bench.output());
        assert!(bench.output().contains("still hold 8.00 MiB"), "{}", bench.output());
        assert_eq!(bench.fails("a").0, "NameError");
        bench.ok("%free Out[2]");
        bench.ok("%free b -n");
        assert!(bench.output().contains("Would release 8.00 MiB in 1 allocation"), "{}", bench.output());
        assert_eq!(live(), 8 * MIB, "nothing was done");
        bench.ok("%free b");
        assert!(bench.output().contains("Released: 8.00 MiB (ledger)"), "{}", bench.output());
        assert_eq!(live(), 0);
        bench.ok("%free cached");
        assert!(bench.output().contains("returned to the devices"), "{}", bench.output());
        bench.ok("%free a");
        assert!(bench.output().contains("a is gone already. Released: 0 B"), "{}", bench.output());
        assert!(bench.fails("%free never").1.contains("not defined"));
        assert!(bench.fails("%free").1.contains("takes a name"));
    });
}

#[test]
fn a_revoked_allocation_is_gone_for_whoever_holds_it() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**20)\nview = a[1:]");
        let id = cellhold::arrays::ledger::entries()[0].id;
        bench.ok(&format!("%free #{id}"));
        assert_eq!(live(), 0);
        let (class, message) = bench.fails("view + 1");
        assert_eq!(class, "ReleasedArrayError");
        assert!(message.contains(&format!("%free #{id} in cell 2")), "{message}");
    });
}

#[test]
fn free_all_empties_the_ledger_and_asks_first() {
    with_session(|bench| {
        bench.ok("import dpnp as np, numpy\na = np.ones(2**18)\nh = numpy.ones(100)\nd = {'k': (a[:3], h)}");
        bench.ok("a * 2");
        bench.front = std::rc::Rc::new(Recorder::with_answers(["n"]));
        bench.session.run(&cellhold::session::Request::cell("%free all"), bench.front.clone());
        assert!(live() > 0, "the answer was no");
        bench.ok("%free all -y");
        assert_eq!(live(), 0);
        let cached: u64 = cellhold::arrays::ledger::readings().iter().map(|reading| reading.here.cached).sum();
        assert_eq!(cached, 0);
        assert_eq!(bench.result("'a' in dir()").as_deref(), Some("True"), "names stay bound");
    });
}

#[test]
fn del_says_who_keeps_the_memory_once() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(2**20)");
        bench.ok("a");
        bench.ok("del a");
        assert_eq!(bench.front.notices(), ["a is gone, its 8.00 MiB are not: Out[2] still holds them.  %free Out[2]"]);
        bench.ok("b = Out[2]\ndel b");
        assert!(bench.front.notices().is_empty(), "it was told already");
        bench.ok("c = np.ones(10)\ndel c");
        assert!(bench.front.notices().is_empty(), "nothing stays");
    });
}

#[test]
fn out_can_keep_less() {
    with_session(|bench| {
        bench.ok("import dpnp as np\n%out 2");
        for _ in 0..4 {
            bench.ok("np.ones(2**17)");
        }
        assert_eq!(live(), 2 * MIB);
        let note = bench.result("Out[2]").unwrap();
        assert_eq!(note, "evicted, 1.00 MiB, recompute with: np.ones(2**17)");
        bench.ok("%out off");
        assert_eq!(live(), 0);
        bench.ok("np.ones(2**17)");
        assert_eq!(live(), 0);
        bench.ok("%out 1MB");
        assert!(bench.fails("%out many").1.contains("2GB"));
    });
}

#[test]
fn names_are_listed_and_removed() {
    with_session(|bench| {
        bench.ok("x = 1\nword = 'a'\n_hidden = 2");
        assert_eq!(bench.printed("%who"), "word\t x\n");
        assert_eq!(bench.printed("%who int"), "x\n");
        assert_eq!(bench.result("%who_ls").as_deref(), Some("['word', 'x']"));
        assert_eq!(bench.result("Out").as_deref(), Some("{}"), "a magic's answer is shown and not kept");
        bench.ok("%whos");
        assert!(bench.output().contains("word       str    'a'"), "{}", bench.output());
        assert!(!bench.output().contains("np"), "built-in names are not session names");
        assert_eq!(bench.fails("del np").0, "NameError");
        bench.ok("%reset -f");
        assert_eq!(bench.printed("%who"), "Interactive namespace is empty.\n");
    });
}

#[test]
fn timing_runs_the_statement() {
    with_session(|bench| {
        bench.ok("n = 0");
        let text = bench.printed("%timeit -n 3 -r 2 n += 1");
        assert!(text.contains("per loop (mean ± std. dev. of 2 runs, 3 loops each)"), "{text}");
        assert_eq!(bench.result("n").as_deref(), Some("6"));
        bench.ok("%time m = n + 1");
        assert!(bench.output().contains("Wall time: "), "{}", bench.output());
        assert_eq!(bench.result("m").as_deref(), Some("7"));
        bench.ok("%%timeit -n 1 -r 1 k = 5\nk + 1");
        bench.ok("%%time\nq = 1\nq + 1");
        assert!(bench.output().ends_with("2\n"), "{}", bench.output());
        assert_eq!(bench.fails("%time 1/0").0, "ZeroDivisionError");
    });
}

#[test]
fn history_shows_what_was_typed() {
    with_session(|bench| {
        bench.ok("a = 1");
        bench.ok("a + 1");
        assert_eq!(bench.printed("%history"), "a = 1\na + 1\n");
        assert_eq!(bench.printed("%history -n 2"), "   2: a + 1\n");
        assert!(bench.fails("%history x").1.contains("2-5"));
    });
}

#[test]
fn files_come_and_go() {
    with_session(|bench| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cell.py").to_string_lossy().into_owned();
        bench.ok(&format!("%%writefile {path}\nloaded = 42\n"));
        let outcome = bench.ok(&format!("%load {path}"));
        let Some(Payload::NextInput { text, replace: true }) = outcome.payloads.first() else {
            panic!("{:?}", outcome.payloads)
        };
        assert!(text.contains("loaded = 42"));
        bench.ok(&format!("%run {path}"));
        assert_eq!(bench.result("loaded").as_deref(), Some("42"));
        let saved = folder.path().join("saved.py").to_string_lossy().into_owned();
        bench.ok(&format!("%save {saved} 4"));
        assert_eq!(std::fs::read_to_string(&saved).unwrap(), "loaded\n");
        assert_eq!(bench.fails("%load /no/such/file").0, "FileNotFoundError");
    });
}

#[test]
fn other_kernels_magics_are_answered_politely() {
    with_session(|bench| {
        bench.ok("%matplotlib inline\nafter = 1");
        assert!(bench.front.notices()[0].contains("no matplotlib"));
        assert_eq!(bench.result("after").as_deref(), Some("1"));
        bench.ok("%load_ext autoreload");
        assert!(bench.fails("%pip install x").1.contains("cannot be installed"));
        assert!(bench.fails("%%bash\nls").1.contains("this kernel runs no other programs"));
        assert!(bench.fails("%debug").1.contains("%errors keep-frames"));
        assert!(bench.fails("%prun f()").1.contains("%timeit"), "and not the nearest name, %run");
        assert!(bench.printed("%lsmagic").contains("%mem"));
        bench.ok("%help free");
        assert!(bench.output().contains("%free NAME"), "{}", bench.output());
    });
}

#[test]
fn devices_are_listed_with_reasons_for_the_absent() {
    with_session(|bench| {
        bench.ok("%devices");
        let text = bench.output();
        assert!(text.contains("* ") && text.contains("native:cpu:0") && text.contains("level_zero"), "{text}");
        bench.ok("%devices add gpu mem=64MiB fp64=no");
        assert!(bench.output().contains("sim:gpu:0"), "{}", bench.output());
        bench.ok("%devices");
        assert!(bench.output().contains("simulated") && bench.output().contains("fp64 no"), "{}", bench.output());
        bench.ok("%device sim:gpu:0");
        assert_eq!(
            bench
                .result("import dpnp\ndpnp.ones(1).device.sycl_device.filter_string")
                .map(|text| text.contains("sim:gpu:0")),
            Some(true)
        );
        assert!(bench.run("%devices add spoon").error.is_some());
    });
}

#[test]
fn what_a_magic_changes_it_says() {
    with_session(|bench| {
        for (line, said) in [
            ("%out 5", "Out keeps the last 5 outputs."),
            ("%out 1GiB", "Out keeps outputs that hold up to 1.00 GiB together."),
            ("%out all", "Out keeps every output."),
            ("%errors keep-frames", "Errors keep frames"),
            ("%errors text", "Errors keep text, not frames."),
            ("%advice all", "Hints come every time."),
            ("%advice on", "Each kind of hint comes once a session."),
            ("%advice off", "No hints from here on."),
            ("%trace on", "Recording. %trace save FILE writes it, %trace off ends it."),
            ("%trace off", "The trace is off; 0 events recorded."),
        ] {
            bench.ok(line);
            assert!(bench.output().contains(said), "{line}: {}", bench.output());
        }
        bench.ok("%out all\n1");
        bench.ok("2");
        bench.ok("%out 1");
        assert_eq!(bench.output(), "Out keeps the last output. Let go of Out[11].\n");
    });
}

#[test]
fn processor_time_is_measured_finer_than_a_tick() {
    with_session(|bench| {
        let text = bench.printed("%time t = [i * i for i in range(20000)]");
        let line = text.lines().next().unwrap_or_default();
        assert!(line.starts_with("CPU times: user ") && line.contains("total: "), "{text}");
        assert!(!line.contains("total: 0 ns"), "{text}");
    });
}

#[test]
fn a_variable_of_the_environment_that_was_set_is_there() {
    with_session(|bench| {
        bench.ok("%env CELLHOLD_TEST_FRUIT=quince");
        assert_eq!(bench.printed("%env CELLHOLD_TEST_FRUIT"), "quince\n");
        assert_eq!(bench.result("import os; os.environ['CELLHOLD_TEST_FRUIT']").as_deref(), Some("'quince'"));
        bench.ok("os.environ['CELLHOLD_TEST_FRUIT'] = 'medlar'");
        assert_eq!(bench.printed("%env CELLHOLD_TEST_FRUIT"), "medlar\n");
        assert!(bench.printed("%env").contains("CELLHOLD_TEST_FRUIT=medlar\n"));
        assert_eq!(bench.fails("%env CELLHOLD_TEST_NONE").0, "UsageError");
    });
}

#[test]
fn what_is_no_text_file_is_an_error_of_its_own_kind() {
    with_session(|bench| {
        let folder = tempfile::tempdir().unwrap();
        let folder_path = folder.path().display().to_string();
        std::fs::write(folder.path().join("bytes"), [0xff, 0xfe, 0x31]).unwrap();
        let (class, message) = bench.fails(&format!("%run {folder_path}"));
        assert_eq!(
            (class.as_str(), message),
            ("IsADirectoryError", format!("[Errno 21] Is a directory: '{folder_path}'"))
        );
        assert_eq!(bench.fails(&format!("%run {folder_path}/bytes")).0, "UnicodeDecodeError");
        assert_eq!(bench.fails(&format!("import numpy\nnumpy.loadtxt('{folder_path}/bytes')")).0, "UnicodeDecodeError");
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
        let (class, message) = bench.fails(&format!("numpy.load('{}')", pipe.display()));
        assert_eq!((class.as_str(), message), ("OSError", format!("[Errno 29] Illegal seek: '{}'", pipe.display())));
    });
}

#[test]
fn a_wrong_word_is_answered_with_what_would_be_right() {
    with_session(|bench| {
        bench.ok("%devices add gpu mem=8MiB");
        let (_, text) = bench.fails("%device npu");
        assert!(text.contains("There is native:cpu:0, sim:gpu:0; %devices says more."), "{text}");
        assert!(bench.fails("%mem --nonsense").1.contains("%help with the magic's name"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept").display().to_string();
        bench.ok(&format!("%save {path} 1"));
        let loaded = format!("{:?}", bench.ok(&format!("%load {path}")).payloads);
        assert!(
            loaded.contains("kept.py") && loaded.contains("%devices add gpu"),
            "%load takes the name %save took: {loaded}"
        );
    });
}
