//! Bad input and bombs: short lines that ask for more memory, depth or time than there is. Each ends with a clear error
//! within a second; names bound before it stay, the ledger balances, and the next cell runs.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use cellhold::arrays::ledger;

use super::{Bench, live, with_session};

/// Ten times the second that is promised, because tests run unoptimised and beside others.
const WATCHDOG: Duration = Duration::from_secs(10);

/// Runs a cell under a watch-dog that interrupts it when it takes too long.
fn watched(bench: &mut Bench, source: &str) -> Result<cellhold::session::Outcome, String> {
    let (done, waits) = mpsc::channel::<()>();
    let interrupt = bench.interrupt.clone();
    let dog = std::thread::spawn(move || {
        let is_late = matches!(waits.recv_timeout(WATCHDOG), Err(mpsc::RecvTimeoutError::Timeout));
        if is_late {
            interrupt.raise();
        }
        is_late
    });
    let began = Instant::now();
    let outcome = bench.run(source);
    drop(done);
    match dog.join() {
        Ok(false) => Ok(outcome),
        _ => Err(format!("took {:.1} s", began.elapsed().as_secs_f64())),
    }
}

/// Runs cells that must fail with one of the named classes; what differs is collected, so that one run shows everything.
fn check(setup: &'static str, cases: &'static [(&'static str, &'static [&'static str])]) {
    with_session(move |bench| {
        bench.ok(setup);
        let before = live();
        let mut wrong = Vec::new();
        for (source, classes) in cases {
            let shown: String = source.chars().take(70).collect();
            let outcome = match watched(bench, source) {
                Ok(outcome) => outcome,
                Err(late) => {
                    wrong.push(format!("{shown}: {late}"));
                    continue;
                }
            };
            match outcome.error {
                None => wrong.push(format!("{shown}: no error")),
                Some(error) if !classes.contains(&error.class.as_str()) => {
                    wrong.push(format!("{shown}: {}: {}", error.class, error.message));
                }
                Some(error) if error.text.len() > 20_000 => {
                    wrong.push(format!("{shown}: {} bytes of error text", error.text.len()));
                }
                Some(error) if error.class != "RecursionError" && error.message.trim().is_empty() => {
                    wrong.push(format!("{shown}: {} without a word", error.class));
                }
                Some(_) => {}
            }
            ledger::assert_balanced();
            if live() != before {
                wrong.push(format!("{shown}: {} bytes live on", live() - before));
            }
            if bench.result("kept, 2 + 2").as_deref() != Some("(1, 4)") {
                wrong.push(format!("{shown}: the session does not answer"));
            }
            bench.ok("%free out");
        }
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    });
}

const MEMORY: &[&str] = &["MemoryError", "OverflowError"];

#[test]
fn values_that_would_fill_memory_are_refused() {
    check(
        "kept = 1\nimport math, itertools, collections, functools",
        &[
            ("10**10**10", MEMORY),
            ("2**10**15", MEMORY),
            ("(10**9)**(10**9)", MEMORY),
            ("1 << 10**15", MEMORY),
            ("1 << 10**30", MEMORY),
            ("x = 3\nx <<= 10**16", MEMORY),
            ("math.factorial(10**9)", MEMORY),
            ("math.factorial(10**18)", MEMORY),
            ("math.comb(10**12, 10**11)", MEMORY),
            ("math.perm(10**12, 10**11)", MEMORY),
            ("[0] * 10**12", MEMORY),
            ("[0] * 10**30", MEMORY),
            ("x = [0]\nx *= 10**13", MEMORY),
            ("(0,) * 10**12", MEMORY),
            ("'x' * 10**13", MEMORY),
            ("b'x' * 10**13", MEMORY),
            ("bytearray(b'x') * 10**13", MEMORY),
            ("bytes(10**13)", MEMORY),
            ("bytearray(10**13)", MEMORY),
            ("list(range(10**13))", MEMORY),
            ("tuple(range(10**13))", MEMORY),
            ("sorted(range(10**13))", MEMORY),
            ("[*range(10**13)]", MEMORY),
            ("collections.deque([0]) * 10**13", MEMORY),
            ("list(itertools.repeat(0, 10**13))", MEMORY),
            ("itertools.product(range(10**13), repeat=3)", MEMORY),
            ("itertools.permutations(range(10**13))", MEMORY),
            ("'x'.ljust(10**13)", MEMORY),
            ("'x'.center(10**13)", MEMORY),
            ("'x'.zfill(10**13)", MEMORY),
            ("'\\t'.expandtabs(10**13)", MEMORY),
            ("'%10000000000000d' % 1", &["MemoryError", "OverflowError", "ValueError"]),
            ("'%.10000000000000f' % 1", &["MemoryError", "OverflowError", "ValueError"]),
            ("f'{1:10000000000000}'", &["MemoryError", "OverflowError", "ValueError"]),
            ("f'{1.5:.10000000000000f}'", &["MemoryError", "OverflowError", "ValueError"]),
            ("'{:>10000000000000}'.format('x')", &["MemoryError", "OverflowError", "ValueError"]),
            ("('ab' * 10**6).replace('a', 'x' * 10**8)", MEMORY),
            ("('x' * 10**8).join(['y'] * 10**6)", MEMORY),
            ("int('9' * 10**7)", &["ValueError"]),
            ("str(10**10**6)", &["ValueError"]),
            ("(10**6).to_bytes(10**13, 'big')", MEMORY),
            ("divmod(10**10**10, 3)", MEMORY),
            ("pow(7, 10**10)", MEMORY),
            ("range(10**30)[::1].count(0) if 0 else [0] * len(range(10**18))", MEMORY),
            ("import io\ns = io.StringIO()\ns.seek(10**18)\ns.write('x')", MEMORY),
            ("import io\ns = io.BytesIO()\ns.seek(10**15)\ns.write(b'x')", MEMORY),
            ("eval('1' * 10**6)", &["SyntaxError"]),
            ("eval('f(' + ','.join(f'a{i}=1' for i in range(30_000)) + ')')", &["NameError"]),
        ],
    );
}

#[test]
fn arrays_that_would_fill_memory_are_refused() {
    check(
        "kept = 1\nimport dpnp, numpy as np\na = dpnp.ones(10)\nb = np.ones(10)",
        &[
            ("dpnp.zeros(10**15)", &["USMAllocationError"]),
            ("dpnp.ones(10**15)", &["USMAllocationError"]),
            ("dpnp.empty(10**15)", &["USMAllocationError"]),
            ("dpnp.full(10**15, 3)", &["USMAllocationError"]),
            ("dpnp.arange(10**15)", &["USMAllocationError"]),
            ("dpnp.linspace(0, 1, 10**15)", &["USMAllocationError"]),
            ("dpnp.eye(10**8)", &["USMAllocationError"]),
            ("dpnp.identity(10**8)", &["USMAllocationError"]),
            ("dpnp.tri(10**8)", &["USMAllocationError"]),
            ("dpnp.zeros(10**30)", &["ValueError", "OverflowError", "USMAllocationError"]),
            ("dpnp.zeros((2**40, 2**40))", &["ValueError", "USMAllocationError"]),
            ("dpnp.empty(2**62)", &["ValueError", "USMAllocationError"]),
            ("dpnp.empty(-1)", &["ValueError"]),
            ("dpnp.repeat(a, 10**14)", &["USMAllocationError"]),
            ("dpnp.tile(a, 10**14)", &["USMAllocationError"]),
            ("dpnp.broadcast_to(a, (10**14, 10)) + 1", &["USMAllocationError"]),
            ("dpnp.broadcast_to(a, (10**14, 10)).copy()", &["USMAllocationError"]),
            ("dpnp.outer(dpnp.zeros(10**7, dtype='i1'), dpnp.zeros(10**7, dtype='i1'))", &["USMAllocationError"]),
            ("dpnp.pad(a, 10**14)", &["USMAllocationError"]),
            ("dpnp.random.rand(10**15)", &["USMAllocationError"]),
            ("dpnp.random.normal(size=10**15)", &["USMAllocationError"]),
            ("dpnp.vander(a, 10**14)", &["USMAllocationError"]),
            ("dpnp.diag(dpnp.zeros(10**7, dtype='i1'))", &["USMAllocationError"]),
            ("dpnp.meshgrid(*[dpnp.zeros(10**5)] * 4)", &["USMAllocationError", "ValueError"]),
            ("dpnp.indices((10**7, 10**7))", &["USMAllocationError"]),
            ("dpnp.hanning(10**15)", &["MemoryError", "USMAllocationError"]),
            ("dpnp.kaiser(10**15, 2.0)", &["MemoryError", "USMAllocationError"]),
            ("dpnp.tril_indices(10**9)", &["USMAllocationError"]),
            ("dpnp.mgrid[0:10**14, 0:10**14]", &["USMAllocationError"]),
            ("dpnp.kron(dpnp.zeros(10**7, dtype='i1'), dpnp.zeros(10**7, dtype='i1'))", &["USMAllocationError"]),
            ("dpnp.fft.fft(a, n=10**14)", &["USMAllocationError"]),
            ("dpnp.resize(a, 10**15)", &["USMAllocationError"]),
            ("dpnp.bincount(dpnp.asarray([10**14]))", &["USMAllocationError"]),
            ("dpnp.histogram(a, bins=10**14)", &["USMAllocationError", "MemoryError"]),
            ("dpnp.zeros((10**15, 0)).sum(axis=1)", &["USMAllocationError"]),
            ("np.zeros(10**15)", &["MemoryError"]),
            ("np.arange(10**15)", &["MemoryError"]),
            ("np.ones(10**30)", &["ValueError", "OverflowError", "MemoryError"]),
            ("np.repeat(b, 10**14)", &["MemoryError"]),
            ("np.tile(b, 10**14)", &["MemoryError"]),
            ("np.random.rand(10**15)", &["MemoryError"]),
            ("np.random.default_rng(1).random(10**15)", &["MemoryError"]),
            ("np.random.permutation(10**15)", &["MemoryError"]),
            ("np.array([0] * 10**12)", &["MemoryError"]),
            ("np.eye(10**8)", &["MemoryError"]),
            ("np.broadcast_to(b, (10**14, 10)).tolist()", &["MemoryError"]),
            ("import dpctl.memory as m\nm.MemoryUSMShared(10**15)", &["USMAllocationError"]),
        ],
    );
}

#[test]
fn depth_ends_in_an_error_not_in_the_stack() {
    check(
        "kept = 1\nimport json, functools, copy",
        &[
            ("def f(): return f()\nf()", &["RecursionError"]),
            (
                "import sys\nsys.setrecursionlimit(100_000)\ntry:\n    f()\nfinally:\n    sys.setrecursionlimit(1000)",
                &["RecursionError"],
            ),
            ("f = lambda x: f(x) + 1\nf(1)", &["RecursionError"]),
            ("class A:\n    def __repr__(self): return repr(self)\nrepr(A())", &["RecursionError"]),
            ("class A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nA().y", &["RecursionError"]),
            ("class A:\n    def __eq__(self, other): return other == self\nA() == A()", &["RecursionError"]),
            (
                "class A:\n    def __del__(self): pass\n    def __add__(self, o): return self + o\nA() + 1",
                &["RecursionError"],
            ),
            ("x = []\nfor _ in range(100000): x = [x]\nrepr(x)", &["RecursionError"]),
            (
                "x = []\nfor _ in range(100000): x = [x]\ny = []\nfor _ in range(100000): y = [y]\nx == y",
                &["RecursionError"],
            ),
            ("x = ()\nfor _ in range(100000): x = (x,)\nhash(x)", &["RecursionError"]),
            ("x = []\nfor _ in range(100000): x = [x]\njson.dumps(x)", &["RecursionError"]),
            ("x = []\nfor _ in range(100000): x = [x]\ncopy.deepcopy(x)", &["RecursionError"]),
            ("json.loads('[' * 100000)", &["RecursionError", "JSONDecodeError"]),
            ("f = lambda x: x\nfor _ in range(100000): f = functools.partial(f)\nraise ValueError(1)", &["ValueError"]),
            ("f = lambda x: x\nfor _ in range(100000): f = (lambda g: lambda x: g(x))(f)\nf(1)", &["RecursionError"]),
            ("it = iter([1])\nfor _ in range(100000): it = map(abs, it)\nnext(it)", &["RecursionError"]),
            (
                "import itertools\nit = iter([1])\nfor _ in range(100000): it = itertools.chain(it)\nnext(it)",
                &["RecursionError"],
            ),
            ("it = iter([1])\nfor _ in range(100000): it = (x for x in it)\nnext(it)", &["RecursionError"]),
            (
                "e = None\nfor _ in range(100000):\n    n = ValueError(); n.__cause__ = e; e = n\nraise TypeError(2) from None",
                &["TypeError"],
            ),
            ("def g(): yield from g()\nlist(g())", &["RecursionError"]),
            ("class A(list):\n    def __iter__(self): return iter(self)\nlist(A([1]))", &["RecursionError"]),
            ("sorted([1, 2], key=lambda x: sorted([x], key=absent))", &["NameError"]),
        ],
    );
}

#[test]
fn deep_values_are_shown_or_refused_quickly() {
    with_session(|bench| {
        for source in [
            "x = []\nfor _ in range(20_000): x = [x]\nx",
            "x = ()\nfor _ in range(20_000): x = (x,)\nx",
            "x = {}\nfor _ in range(20_000): x = {1: x}\nx",
            "x = []\nfor _ in range(900): x = [x]\nx",
            "x = [0] * 900\nfor _ in range(3): x = [x, x, x]\nx",
            "x = 0\nfor _ in range(40): x = [x, x]\nx = None",
            "'x' * 10**9;",
            "x = 'x' * 10**9\ndel x",
        ] {
            let outcome = watched(bench, source).unwrap_or_else(|late| panic!("{source}: {late}"));
            if let Some(error) = outcome.error {
                assert_eq!(error.class, "RecursionError", "{source}: {}", error.text);
            }
            bench.ok("x = None\n%free out");
        }
        ledger::assert_empty();
    });
}

#[test]
fn text_that_is_no_program_is_a_syntax_error() {
    with_session(|bench| {
        bench.ok("kept = 1");
        let nested = [("(", ")"), ("[", "]"), ("{", "}"), ("-", "1"), ("not ", "1"), ("lambda: ", "1"), ("~", "1")];
        let mut sources: Vec<String> = nested
            .iter()
            .flat_map(|(open, close)| {
                [open.repeat(100_000), format!("{}{}", open.repeat(100_000), close.repeat(100_000))]
            })
            .collect();
        let ifs = |depth: usize| (0..depth).map(|level| format!("{}if 1:\n", " ".repeat(level))).collect::<String>();
        sources.push(ifs(1000));
        sources.push("f'{".repeat(5_000));
        sources.push("'''".to_owned());
        sources.push("x = \0".to_owned());
        sources.push("\u{feff}\u{202e}x y".to_owned());
        sources.push("1 +".to_owned());
        sources.push("def f(:\n".to_owned());
        sources.push("a.b.c = = 3".to_owned());
        sources.push("\t if 1:\n  \tx".to_owned());
        sources.push("return 1".to_owned());
        sources.push("async def f(): await x".to_owned());
        sources.push(format!("x = {}", "1+".repeat(200_000)));
        sources.push("9".repeat(100_000));
        for source in &sources {
            let shown: String = source.chars().take(30).collect();
            let outcome = watched(bench, source).unwrap_or_else(|late| panic!("{shown}: {late}"));
            if let Some(error) = &outcome.error {
                let classes =
                    ["SyntaxError", "IndentationError", "TabError", "RecursionError", "MemoryError", "ValueError"];
                assert!(classes.contains(&error.class.as_str()), "{shown}: {}: {}", error.class, error.message);
                assert!(error.text.len() < 20_000, "{shown}: {} bytes of error", error.text.len());
            }
            assert_eq!(bench.result("kept").as_deref(), Some("1"), "after {shown}");
        }
        // Long but flat programs are programs.
        bench.ok(&format!("total = {}1", "1 + ".repeat(5_000)));
        bench.ok(&format!("many = [{}]", "0,".repeat(100_000)));
        assert_eq!(bench.result("total, len(many)").as_deref(), Some("(5001, 100000)"));
    });
}

#[test]
fn files_that_lie_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let header = |dict: &str| {
        let mut text = format!("{dict} ");
        while (10 + text.len() + 1) % 64 != 0 {
            text.push(' ');
        }
        text.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes
    };
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("huge", header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000,), }")),
        ("overflow", header("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 16), }")),
        ("negative", header("{'descr': '<f8', 'fortran_order': False, 'shape': (-5,), }")),
        ("short", [header("{'descr': '<f8', 'fortran_order': False, 'shape': (100,), }"), vec![0; 16]].concat()),
        ("object", header("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }")),
        ("dtype", header("{'descr': '<q9', 'fortran_order': False, 'shape': (3,), }")),
        ("noshape", header("{'descr': '<f8', 'fortran_order': False, }")),
        ("code", header("{'descr': '<f8', 'fortran_order': False, 'shape': (__import__('os').system('x'),), }")),
        ("nothing", Vec::new()),
        ("magic", b"\x93NUMPY".to_vec()),
        ("version", b"\x93NUMPY\x09\x00\x10\x00{}".to_vec()),
        ("length", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}".to_vec()),
        ("noise", (0..=255).cycle().take(4096).collect()),
        ("zip", b"PK\x03\x04 and then nothing that a zip has".to_vec()),
    ];
    for (name, bytes) in &files {
        std::fs::write(folder.path().join(format!("{name}.npy")), bytes).unwrap();
    }
    let path = folder.path().to_str().unwrap().to_owned();
    with_session(move |bench| {
        bench.ok("import dpnp, numpy as np");
        let mut wrong = Vec::new();
        for (name, _) in &files {
            for module in ["np", "dpnp"] {
                let outcome = watched(bench, &format!("{module}.load({path:?} + '/{name}.npy')"))
                    .unwrap_or_else(|late| panic!("{name}: {late}"));
                match outcome.error {
                    None => wrong.push(format!("{module}.load of {name}: no error")),
                    Some(error) => {
                        let classes =
                            ["ValueError", "MemoryError", "USMAllocationError", "EOFError", "BadZipFile", "TypeError"];
                        if !classes.contains(&error.class.as_str()) || error.message.is_empty() {
                            wrong.push(format!("{module}.load of {name}: {}: {}", error.class, error.message));
                        }
                    }
                }
                ledger::assert_balanced();
            }
        }
        for (source, class) in [
            ("np.load('/no/such/file.npy')", "FileNotFoundError"),
            ("np.load('/')", "IsADirectoryError"),
            ("open('/no/such/file')", "FileNotFoundError"),
            ("np.save('/no/such/folder/a.npy', np.ones(3))", "FileNotFoundError"),
        ] {
            let (found, message) = bench.fails(source);
            if found != class {
                wrong.push(format!("{source}: {found}: {message}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        bench.ok("%reset -f");
        ledger::assert_empty();
    });
}

#[test]
fn endless_programs_end_by_an_interrupt_and_nothing_else_goes() {
    with_session(|bench| {
        bench.ok("kept = 1\nimport itertools, dpnp as np\na = np.ones(1000)");
        for source in [
            "while True: pass",
            "for _ in itertools.count(): pass",
            "sum(itertools.repeat(1))",
            "max(itertools.count())",
            "all(itertools.repeat(1))",
            "list(filter(None, itertools.repeat(0)))",
            "any(x < 0 for x in itertools.count())",
            "-1 in itertools.count()",
            "sum(range(10**15))",
            "for i in range(10**15): a + 1",
            "x = 1\nwhile True: x = x * 3 % 10**40",
            "[i for i in itertools.count() if i < 0]",
            "pow(3, 10**6000, 10**4000 + 1)",
            "import math\nmath.factorial(5 * 10**6)",
            // Functions of the engine that draw from what has no end, with nothing else that looks for an interrupt.
            "import collections\ncollections.deque(itertools.count(), maxlen=1)",
            "import functools\nfunctools.reduce(lambda a, b: a, itertools.count())",
            "dict.fromkeys(itertools.repeat(1))",
            "import random\nrandom.sample(range(10**12), 10**8)",
            "open('/dev/zero').read()",
            "open('/dev/zero', 'rb').readline()",
            "for line in open('/dev/zero'): pass",
            // Values that share parts: few objects, endless paths.
            "x = 1\nfor _ in range(60): x = (x, x)\nhash(x)",
            "x = y = 1\nfor _ in range(60): x, y = (x, x), (y, y)\nx == y",
            "x = []\nfor _ in range(60): x = [x, x]\nrepr(x)",
            "sorted(range(10**7), key=lambda x: -x)",
            "class D:\n    def __del__(self):\n        for _ in range(10**5): pass\nwhile True: D()",
            "def g():\n    try:\n        yield 1\n    finally:\n        for _ in range(10**5): pass\nwhile True: next(g())",
            "x, y = 3**(10**6 * 2), 7**(10**6)\nmath.gcd(x, y)\nx // y // y\nmath.isqrt(x)",
            "def f():\n    while True:\n        try:\n            g()\n        except NameError:\n            pass\nf()",
        ] {
            let interrupt = bench.interrupt.clone();
            let (running, waits) = mpsc::channel::<()>();
            // Raised while the cell runs, and again as long as it does: what is raised before it begins is its to see.
            let presses = std::thread::spawn(move || {
                while matches!(waits.recv_timeout(Duration::from_millis(100)), Err(mpsc::RecvTimeoutError::Timeout)) {
                    interrupt.raise();
                }
            });
            let began = Instant::now();
            let outcome = bench.run(source);
            let took = began.elapsed();
            drop(running);
            presses.join().unwrap();
            bench.interrupt.clear();
            assert!(outcome.is_interrupted, "{source}: {:?}", outcome.error.map(|error| error.text));
            assert!(took < WATCHDOG, "{source}: {took:?}");
            assert_eq!(bench.result("kept, float(a.sum())").as_deref(), Some("(1, 1000.0)"), "after {source}");
            bench.ok("%free out");
            ledger::assert_balanced();
        }
    });
}
