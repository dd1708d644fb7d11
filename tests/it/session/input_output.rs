//! `In`, `Out` and their spellings; streams, errors, interrupts; what enters the history and what does not.

use cellhold::session::{CellEvent, Frontend, FrontendGone, HistoryQuery, Interrupt, ReadLineError, Request, Stream};

use super::{Bench, live, with_session};

#[test]
fn results_are_numbered_shown_and_kept() {
    with_session(|bench| {
        assert_eq!(bench.result("1 + 1").as_deref(), Some("2"));
        assert_eq!(bench.result("_ * 10").as_deref(), Some("20"));
        assert_eq!(bench.result("x = 5"), None);
        assert_eq!(bench.result("(_, __, _1, Out[2], In[1])").as_deref(), Some("(20, 2, 2, 20, '1 + 1')"));
        assert_eq!(bench.result("_i, _ii").as_deref(), Some("('(_, __, _1, Out[2], In[1])', 'x = 5')"));
        assert_eq!(bench.result("sorted(Out)").as_deref(), Some("[1, 2, 4, 5]"));
    });
}

#[test]
fn a_semicolon_shows_and_keeps_nothing() {
    with_session(|bench| {
        assert_eq!(bench.result("7;"), None);
        assert_eq!(bench.result("7;  # really"), None);
        assert_eq!(bench.result("Out").as_deref(), Some("{}"));
    });
}

#[test]
fn a_name_of_the_program_hides_the_derived_one_until_it_goes() {
    with_session(|bench| {
        bench.ok("40 + 2");
        bench.ok("for _ in range(3): pass");
        assert_eq!(bench.result("_").as_deref(), Some("2"));
        bench.ok("del _");
        assert_eq!(bench.result("_").as_deref(), Some("2"), "the last output, which showed the loop's name");
        assert_eq!(bench.result("_1").as_deref(), Some("42"));
        assert_eq!(bench.fails("_99").0, "NameError");
    });
}

#[test]
fn silent_cells_and_expressions_leave_no_trace() {
    with_session(|bench| {
        bench.ok("a = 1");
        let silent = bench.session.run(&Request::silent("b = 2\nb"), bench.front.clone());
        assert!(silent.error.is_none() && silent.result.is_none());
        let unstored = Request { stores_history: false, ..Request::cell("b + 1") };
        let shown = bench.session.run(&unstored, bench.front.clone());
        assert_eq!(shown.result.unwrap().plain_text(), "3");
        let value = bench.session.evaluate("a + b", bench.front.clone()).unwrap();
        assert_eq!(value.plain_text(), "3");
        assert_eq!(bench.session.evaluate("nope", bench.front.clone()).unwrap_err().class, "NameError");
        assert_eq!(bench.session.next_number(), 2);
        assert_eq!(bench.result("Out").as_deref(), Some("{}"));
        let all = bench.session.history(&HistoryQuery::Range { session: 0, start: 1, stop: None });
        let sources: Vec<&str> = all.iter().map(|entry| entry.source.as_str()).collect();
        assert_eq!(sources, ["a = 1", "Out"]);
    });
}

#[test]
fn events_come_in_order() {
    with_session(|bench| {
        bench.ok("import sys\nprint('out')\nprint('err', file=sys.stderr)\n3");
        let mut kinds = Vec::new();
        for event in bench.front.events() {
            kinds.push(match event {
                CellEvent::Started { number, .. } => format!("started {number}"),
                CellEvent::Text { stream: Stream::Stdout, text } => format!("out {}", text.trim()),
                CellEvent::Text { stream: Stream::Stderr, text } => format!("err {}", text.trim()),
                CellEvent::Result { number, bundle } => format!("result {number} {}", bundle.plain_text()),
                other => format!("{other:?}"),
            });
        }
        kinds.retain(|kind| kind != "out " && kind != "err ");
        assert_eq!(kinds, ["started 1", "out out", "err err", "result 1 3"]);
    });
}

#[test]
fn an_error_is_told_once_and_what_was_bound_stays() {
    with_session(|bench| {
        let outcome = bench.run("kept = 1\nbroken = 1 / 0\nlost = 2");
        let error = outcome.error.expect("a division by zero");
        assert_eq!((error.class.as_str(), error.message.as_str()), ("ZeroDivisionError", "division by zero"));
        assert!(error.text.contains("Cell 1, line 2"), "{}", error.text);
        let errors = bench.front.events().into_iter().filter(|event| matches!(event, CellEvent::Error(_))).count();
        assert_eq!(errors, 1);
        assert_eq!(bench.result("kept").as_deref(), Some("1"));
        assert_eq!(bench.fails("lost").0, "NameError");
        assert_eq!(bench.fails("a b").0, "SyntaxError");
    });
}

#[test]
fn an_interrupt_ends_the_cell_and_nothing_else() {
    with_session(|bench| {
        bench.ok("n = 0");
        // Raised before the cell runs: whoever runs cells lowers the handle, the session does not.
        bench.interrupt.raise();
        let outcome = bench.run("while True:\n    n += 1");
        assert!(outcome.is_interrupted);
        assert_eq!(outcome.error.unwrap().class, "KeyboardInterrupt");
        assert!(!bench.interrupt.is_raised(), "it was delivered");
        assert_eq!(bench.result("n >= 0").as_deref(), Some("True"));
    });
}

/// A front end at which a person presses Ctrl-C as soon as something is printed.
struct Impatient(Interrupt);

impl Frontend for Impatient {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        if matches!(event, CellEvent::Text { .. }) {
            self.0.raise();
        }
        Ok(())
    }

    fn read_line(&self, _prompt: &str, _hidden: bool) -> Result<String, ReadLineError> {
        Err(ReadLineError::NotSupported)
    }
}

#[test]
fn an_interrupt_is_delivered_once() {
    with_session(|bench| {
        bench.ok("import dpnp as np\na = np.ones(8)\ncaught = 0");
        let source = "try:\n    print('x', end='')\n    while True: pass\nexcept KeyboardInterrupt:\n    caught += 1\n\
                      b = a + 1\nfor i in range(1000): pass";
        let front = std::rc::Rc::new(Impatient(bench.interrupt.clone()));
        let outcome = bench.session.run(&Request::cell(source), front);
        assert!(outcome.error.is_none(), "{:?}", outcome.error);
        assert_eq!(bench.result("caught, i").as_deref(), Some("(1, 999)"));
    });
}

#[test]
fn input_asks_the_front_end() {
    with_session(|bench| {
        bench.front = std::rc::Rc::new(cellhold::session::Recorder::with_answers(["Ada"]));
        assert_eq!(bench.result("name = input('who? ')\nname").as_deref(), Some("'Ada'"));
        assert_eq!(bench.front.prompts(), ["who? "]);
        assert_eq!(bench.fails("input()").0, "EOFError");
    });
}

#[test]
fn a_front_end_that_has_gone_does_not_stop_the_cell() {
    with_session(|bench| {
        bench.front.leave();
        bench.ok("for i in range(5): print(i)");
        bench.front = std::rc::Rc::new(cellhold::session::Recorder::new());
        assert_eq!(bench.result("i").as_deref(), Some("4"));
    });
}

#[test]
fn leaving_is_the_front_ends_choice() {
    with_session(|bench| {
        assert_eq!(bench.run("exit").exit, Some(0));
        assert_eq!(bench.run("exit(3)").exit, Some(3));
        assert_eq!(bench.run("import sys\nsys.exit(4)").exit, Some(4));
        assert_eq!(bench.run("1").exit, None);
    });
}

#[test]
fn displays_carry_rich_forms_and_identities() {
    with_session(|bench| {
        bench.ok("class Page:\n    def _repr_html_(self):\n        return '<b>hi</b>'\nh = display(Page(), display_id='d1')\nh.update(3)");
        let displays: Vec<_> = bench
            .front
            .events()
            .into_iter()
            .filter_map(|event| match event {
                CellEvent::Display { bundle, id, is_update } => Some((bundle, id, is_update)),
                _ => None,
            })
            .collect();
        assert_eq!(displays.len(), 2);
        assert_eq!(displays[0].0.text("text/html"), Some("<b>hi</b>"));
        assert_eq!((displays[0].1.as_deref(), displays[0].2), (Some("d1"), false));
        assert_eq!((displays[1].0.plain_text(), displays[1].1.as_deref(), displays[1].2), ("3", Some("d1"), true));
    });
}

#[test]
fn completion_runs_nothing() {
    with_session(|bench| {
        bench.ok("class Trap:\n    @property\n    def boom(self):\n        raise RuntimeError('ran')\n    def method(self, a, b=2):\n        'Doc.'\ntrap = Trap()\nvalues = {'k': 'text'}");
        let texts = |source: &str, bench: &mut super::Bench| {
            let found = bench.session.complete(source, source.len());
            let texts: Vec<String> = found.matches.into_iter().map(|one| one.text).collect();
            (found.start, texts)
        };
        assert_eq!(texts("x = tra", bench), (4, vec!["trap".to_owned()]));
        assert_eq!(texts("trap.", bench), (5, vec!["boom".to_owned(), "method".to_owned()]));
        assert!(texts("values['k'].upp", bench).1.contains(&"upper".to_owned()));
        assert!(texts("%tim", bench).1.contains(&"timeit".to_owned()));
        assert!(texts("whi", bench).1.contains(&"while".to_owned()));
        assert!(texts("import mat", bench).1.contains(&"math".to_owned()));
        let help = bench.session.inspect("trap.method(", 12, 0).expect("a method");
        assert!(help.plain_text().contains("a, b=2") && help.plain_text().contains("Doc."), "{}", help.plain_text());
        assert!(bench.session.inspect("nothing_here", 5, 0).is_none());
    });
}

#[test]
fn the_array_modules_are_known_before_the_first_cell() {
    with_session(|bench| {
        let help = bench.session.inspect("dpnp.linspace", 13, 0).expect("a function");
        assert!(help.plain_text().contains("start, stop"), "{}", help.plain_text());
        assert!(bench.session.complete("np.linsp", 8).matches.iter().any(|found| found.text == "linspace"));
        assert!(bench.session.inspect("numpy", 3, 0).is_some_and(|help| help.plain_text().contains("module")));
        // A name of the program's own is the program's.
        bench.ok("dpctl = 'text'");
        assert!(bench.session.complete("dpctl.upp", 9).matches.iter().any(|found| found.text == "upper"));
    });
}

#[test]
fn long_results_stand_in_lines_as_in_ipython() {
    with_session(|bench| {
        let text = bench.result("['x' * 30, 'y' * 30, 'z' * 30]").unwrap();
        assert_eq!(text.lines().count(), 3);
        assert!(text.starts_with("['xxx") && text.contains(",\n 'yyy"), "{text}");
    });
}

#[test]
fn nothing_is_live_in_a_new_session() {
    with_session(|_| assert_eq!(live(), 0));
}

#[test]
fn an_absent_module_names_those_that_are_there() {
    with_session(|bench| {
        let error = bench.run("import torch").error.expect("it is not here");
        assert_eq!((error.class.as_str(), error.message.as_str()), ("ModuleNotFoundError", "No module named 'torch'"));
        for part in ["Cellhold runs Python syntax", "dpnp", "numpy", "help('modules')"] {
            assert!(error.text.contains(part), "{part} is not in {}", error.text);
        }
        assert!(!error.text.contains("itertools"), "the list is long and stands elsewhere: {}", error.text);
        let listed = bench.printed("help('modules')");
        for name in ["dpnp", "itertools", "weakref"] {
            assert!(listed.contains(name), "{name} is not in {listed}");
        }
        assert!(!error.text.contains("Did you mean"), "{}", error.text);
        let error = bench.run("import nmpy").error.expect("it is misspelt");
        assert!(error.text.contains("Did you mean 'numpy'?"), "{}", error.text);
        let error = bench.run("from scipy import linalg").error.expect("it is not here");
        assert!(error.text.contains("help('modules')"), "{}", error.text);
        assert!(!error.text.contains("Did you mean"), "nobody meant `copy`: {}", error.text);
        let caught = "try:\n    import torch.nn\nexcept ImportError as e:\n    kind = type(e).__name__, e.name\nkind";
        assert_eq!(bench.result(caught).as_deref(), Some("('ModuleNotFoundError', 'torch')"));
        // A part of a module that is there says so, without the list.
        let error = bench.run("import os.nothing").error.expect("it is not here");
        assert!(!error.text.contains("help('modules')"), "{}", error.text);
    });
}

#[test]
fn placement_errors_name_what_is_apart_and_the_line_that_mends_it() {
    with_session(|bench| {
        bench.ok(
            "import dpnp as np, dpctl\n%devices add gpu mem=64MiB\nx = np.ones(4)\ny = np.ones(4, device='sim:gpu:0')\n\
                  q = dpctl.SyclQueue('sim:gpu:0')\nz = np.ones(4, sycl_queue=q)\nrows = [x, y]\nm = x > 0",
        );
        for (source, parts) in [
            ("x + y", ["`x` is on native:cpu:0", "`y` on sim:gpu:0", "`y.to_device(x.sycl_queue)`"]),
            ("np.add(x, y)", ["`x` is on native:cpu:0", "`y` on sim:gpu:0", "`y.to_device(x.sycl_queue)`"]),
            (
                "np.concatenate(rows)",
                ["`rows[0]` is on", "`rows[1]` on sim:gpu:0", "`rows[1].to_device(rows[0].sycl_queue)`"],
            ),
            ("np.concatenate([y, x])", ["`y` is on sim:gpu:0", "`x` on native:cpu:0", "`x.to_device(y.sycl_queue)`"]),
            ("y[m]", ["`y` is on sim:gpu:0", "`m` on native:cpu:0", "`m.to_device(y.sycl_queue)`"]),
            ("y @ z", ["`y` is on sim:gpu:0", "`z` on sim:gpu:0 through another queue", "`z.to_device(y.sycl_queue)`"]),
            ("np.add(x, x, out=y)", ["`x` is on native:cpu:0", "`y` on sim:gpu:0", "to_device"]),
            ("x[:] = y", ["`x` is on native:cpu:0", "`y` on sim:gpu:0", "to_device"]),
            ("x += y", ["`x` is on native:cpu:0", "`y` on sim:gpu:0", "to_device"]),
            (
                "def f(p, q=y):\n    return p * q\nf(x)",
                ["`p` is on native:cpu:0", "`q` on sim:gpu:0", "`q.to_device(p"],
            ),
        ] {
            let (class, message) = bench.fails(source);
            assert_eq!(class, "ExecutionPlacementError", "{source}: {message}");
            for part in parts {
                assert!(message.contains(part), "{source}: {part} is not in {message}");
            }
            let caught =
                format!("try:\n    {}\nexcept ValueError as e:\n    ok = 1\nok", source.replace('\n', "\n    "));
            assert_eq!(bench.result(&caught).as_deref(), Some("1"), "{source} is a ValueError");
            bench.ok("del ok");
        }
    });
}

#[test]
fn a_described_memory_is_never_longer_than_its_block() {
    with_session(|bench| {
        bench.ok(
            "import dpctl.memory as m\nblock = m.MemoryUSMShared(16)\nclass D:\n    def __init__(self, **c):\n        \
                  self.__sycl_usm_array_interface__ = {**block.__sycl_usm_array_interface__, **c}",
        );
        for changes in [
            "shape=(128,)",
            "shape=(3,), typestr='|f8'",
            "shape=(2,), typestr='|c16'",
            "shape=(2,), strides=(100,)",
            "shape=(2,), strides=(-1,)",
            "shape=(4,), offset=13",
            "shape=(4,), offset=-1",
            "shape=(2**62, 2**62)",
            "shape=(16,), offset=2**63 - 1",
        ] {
            let outcome = bench.run(&format!("n = len(m.as_usm_memory(D({changes})))"));
            match outcome.error {
                Some(error) => assert_eq!(error.class, "ValueError", "{changes}: {}", error.text),
                None => assert_eq!(bench.result("n <= 16").as_deref(), Some("True"), "{changes}"),
            }
        }
        bench.ok("typeless = D()\ndel typeless.__sycl_usm_array_interface__['typestr']");
        if bench.run("n = len(m.as_usm_memory(typeless))").error.is_none() {
            assert_eq!(bench.result("n <= 16").as_deref(), Some("True"));
        }
        // Of another context: an error, where dpctl ends the process.
        bench.ok("%devices add gpu mem=64MiB\nother = m.MemoryUSMShared(16, queue=__import__('dpctl').SyclQueue('sim:gpu:0'))");
        let (class, _) = bench.fails("m.as_usm_memory(D(syclobj=other.sycl_queue))");
        assert_eq!(class, "ValueError");
    });
}

#[test]
fn what_ipython_displays_is_shown_as_what_it_is() {
    with_session(|bench| {
        let shown = |bench: &Bench, mime: &str| {
            let bundles = bench.front.events().into_iter().filter_map(|event| match event {
                CellEvent::Display { bundle, .. } => Some(bundle),
                _ => None,
            });
            bundles.filter_map(|bundle| bundle.data.get(mime).cloned()).next_back()
        };
        bench.ok("from IPython.display import *\nfrom IPython.display import display, Image, Math, Code\n\
                  png = bytes([0x89]) + b'PNG\\r\\n\\x1a\\n'");
        bench.ok("display(Image(png))");
        assert_eq!(shown(bench, "image/png"), Some("iVBORw0KGgo=".into()));
        assert_eq!(shown(bench, "text/html"), None);
        bench.ok("open('cellhold_test_picture.png', 'wb').write(png)\nimport os\n\
                  display(Image('cellhold_test_picture.png', width='3\"'))\nos.remove('cellhold_test_picture.png')");
        let html = "<img src=\"data:image/png;base64,iVBORw0KGgo=\" width=\"3&quot;\"/>";
        assert_eq!(shown(bench, "text/html"), Some(html.into()));
        bench.ok("display(Math('x^2'))");
        assert_eq!(shown(bench, "text/latex"), Some("$\\displaystyle x^2$".into()));
        bench.ok("display(Code('a = 1', language='python'))");
        assert_eq!(shown(bench, "text/markdown"), Some("```python\na = 1\n```".into()));
        bench.ok("display_html('<b>x</b>', raw=True)");
        assert_eq!(shown(bench, "text/html"), Some("<b>x</b>".into()));
        assert_eq!(bench.fails("Image(b'no picture')").0, "ValueError");
        assert_eq!(bench.fails("Image(url='http://x/y.png')").0, "NotImplementedError");
    });
}
