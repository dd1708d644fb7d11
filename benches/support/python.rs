//! NumPy, numexpr and dpnp in one Python process that runs a statement on request and answers the seconds it took.
//!
//! A library that is missing, or whose device does not work, is told about once and left out; the others go on.

#![allow(clippy::print_stderr, reason = "a benchmark says which peers are missing")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The process. It ends with this value.
pub struct Python {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    libraries: Vec<String>,
}

const DRIVER: &str = r#"
import sys, time
n = int(sys.argv[1])
import numpy
libraries = {"numpy": numpy}
for name in ("numexpr", "dpnp"):
    try:
        libraries[name] = __import__(name)
    except Exception as error:
        print(f"without {name}: {error}", file=sys.stderr)
i = numpy.arange(n, dtype="f8")
host = {"a": numpy.sin(i), "b": numpy.cos(i * 0.7), "c": numpy.sin(i * 0.3) + 2.0}
host["M"] = host["a"][:1048576].reshape(1024, 1024).copy()
host["F"] = host["M"].astype("f4")
host["T"] = host["a"].reshape(1000, -1)
host["s"] = host["a"][:10].copy()
names = {}
for key, np in libraries.items():
    try:
        values = host if key != "dpnp" else {k: np.asarray(v) for k, v in host.items()}
        names[key] = dict(values, np=np if key != "numexpr" else numpy)
    except Exception as error:
        print(f"without {key}: {error}", file=sys.stderr)
print(" ".join(names), flush=True)
codes = {}
for line in sys.stdin:
    key, repeats, text = line.rstrip("\n").split("\t")
    scope = names[key]
    try:
        if (key, text) not in codes:
            statement = text if key != "numexpr" else "np_ne(%r)" % text
            codes[key, text] = compile(f"for _ in range(repeats): r = {statement}", "<row>", "exec")
        scope["np_ne"] = lambda t: libraries["numexpr"].evaluate(t, local_dict=scope)
        scope["repeats"] = int(repeats)
        start = time.perf_counter()
        exec(codes[key, text], scope)
        if key == "dpnp":
            scope["r"].sycl_queue.wait()
        print((time.perf_counter() - start) / int(repeats), flush=True)
    except Exception as error:
        print(f"{key}: {text}: {error}", file=sys.stderr)
        print("failed", flush=True)
"#;

impl Python {
    /// Starts the interpreter that `CELLHOLD_PYTHON` names, with arrays of `len` elements; nothing without the variable.
    pub fn from_environment(len: usize) -> Option<Python> {
        let interpreter = std::env::var("CELLHOLD_PYTHON").ok()?;
        let started = Python::start(&interpreter, len);
        if started.is_none() {
            eprintln!("{interpreter} did not start, or has no numpy: no peers");
        }
        started
    }

    fn start(interpreter: &str, len: usize) -> Option<Python> {
        let mut command = Command::new(interpreter);
        command.args(["-c", DRIVER, &len.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // The wheel of Intel's runtime puts its driver where no loader looks by itself.
        let driver = Path::new(interpreter).parent()?.parent()?.join("lib/libintelocl.so");
        if std::env::var_os("OCL_ICD_FILENAMES").is_none() && driver.exists() {
            command.env("OCL_ICD_FILENAMES", driver);
        }
        let mut process = command.spawn().ok()?;
        let requests = process.stdin.take()?;
        let answers = BufReader::new(process.stdout.take()?);
        let mut python = Python { process, requests, answers, libraries: Vec::new() };
        let line = python.line()?;
        python.libraries = line.split_whitespace().map(str::to_owned).collect();
        Some(python)
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.answers.read_line(&mut line).ok()? > 0).then_some(line)
    }

    /// Seconds of one `r = text` in a library, over `repeats` runs; nothing where it is missing or fails.
    pub fn seconds(&mut self, library: &str, repeats: usize, text: &str) -> Option<f64> {
        if !self.libraries.iter().any(|known| known == library) {
            return None;
        }
        let sent = writeln!(self.requests, "{library}\t{repeats}\t{text}").ok();
        let Some(line) = sent.and_then(|()| self.line()) else {
            eprintln!("the peers' process ended in `{text}` of {library}");
            self.libraries.clear();
            return None;
        };
        line.trim().parse().ok()
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
