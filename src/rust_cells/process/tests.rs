//! The process side against a helper and a cargo that are scripts: every way in which they may end, hang or talk nonsense.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::find::Surroundings;
use super::{Front, NO_CARGO, Phase, Process, Trouble};
use crate::rust_cells::Incoming;
use crate::rust_cells::protocol::{Request, Variable, Why};

/// Begins every scripted helper.
const PRELUDE: &str = r#"#!/bin/sh
say() { printf '%s\n' "$1" >&0; }
say '{"event":"hello","protocol":1}'
"#;

/// Answers cells by what they say.
const ANSWERS: &str = r#"say '{"event":"ready"}'
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  state='"state":{"variables":[["v","Vec<i32>"]],"lost":[]}'
  case "$line" in
    *sing*) say "{\"id\":$id,\"event\":\"stdout\",\"text\":\"la \"}"; say "{\"id\":$id,\"event\":\"stderr\",\"text\":\"hm\"}"
            say "{\"id\":$id,\"event\":\"done\",\"outputs\":{\"text/plain\":\"7\"},$state}" ;;
    *refuse*) say "{\"id\":$id,\"event\":\"failed\",\"why\":\"compile\",\"text\":\"error[E0308]: no\",$state}" ;;
    *die*) say "{\"id\":$id,\"event\":\"phase\",\"phase\":\"run\"}"; exit 7 ;;
    *quietly*) say "{\"id\":$id,\"event\":\"done\",\"outputs\":{},$state}"; exit 7 ;;
    *falter*) if [ -e "$0.once" ]; then say "{\"id\":$id,\"event\":\"done\",\"outputs\":{},$state}"; else : >"$0.once"
            say "{\"id\":$id,\"event\":\"failed\",\"why\":\"died\",\"text\":\"signal: 9\",\"state\":{\"variables\":[],\"lost\":[\"v\"]}}"; fi ;;
    *give*) say "{\"id\":$id,\"event\":\"done\",\"outputs\":{},$state}"
            if [ ! -e "$0.once" ]; then : >"$0.once"; say '{"event":"unable","text":"signal: 9"}'; sleep 1000; fi ;;
    *hang*) say "{\"id\":$id,\"event\":\"phase\",\"phase\":\"run\"}"; say "{\"id\":$id,\"event\":\"stdout\",\"text\":\"hanging\"}"
            sleep 1000 ;;
    *stoppable*) say "{\"id\":$id,\"event\":\"phase\",\"phase\":\"run\"}"
            say "{\"id\":$id,\"event\":\"stdout\",\"text\":\"running\"}"; running=$id ;;
    *interrupt*) say "{\"id\":$running,\"event\":\"failed\",\"why\":\"interrupted\",\"text\":\"\",\"state\":{\"variables\":[],\"lost\":[\"v\"]}}" ;;
    *complete*) say "{\"id\":$id,\"event\":\"completions\",\"completions\":{\"start\":0,\"end\":2,\"matches\":[{\"text\":\"vec\",\"kind\":\"function\",\"label\":\"vec!\"}]}}" ;;
    *) say "{\"id\":$id,\"event\":\"done\",\"outputs\":{},$state}" ;;
  esac
done
"#;

/// A script cannot be started while another thread's new process still has the descriptor by which it was written.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A folder with scripts in place of cargo and the helper.
struct Stage {
    folder: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Stage {
    fn new() -> Self {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        Self { folder: tempfile::tempdir().unwrap(), _alone: alone }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn script(&self, path: &str, text: &str) {
        let path = self.at(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A stage with a helper, of which `text` is what comes after its first message.
    fn with_helper(text: &str) -> Self {
        let stage = Self::new();
        stage.script("bin/cargo", "#!/bin/sh\nexit 1\n");
        stage.script("own/cellhold-rust", &format!("{PRELUDE}{text}"));
        stage
    }

    /// A stage without a helper, on which cargo does this in the source tree.
    fn with_cargo(text: &str) -> Self {
        let stage = Self::new();
        stage.script("tree/made", &format!("{PRELUDE}{ANSWERS}"));
        stage.script("tree/rust-cells/Cargo.toml", "");
        stage.script("bin/cargo", &format!("#!/bin/sh\n{text}"));
        stage
    }

    fn process(&self) -> Process {
        let path = [self.at("bin"), "/usr/bin".into(), "/bin".into()];
        Process::within(Surroundings {
            own_folder: Some(self.at("own")),
            source_tree: self.at("tree"),
            path: std::env::join_paths(path).unwrap(),
            ..Surroundings::default()
        })
    }
}

/// Hears everything; interrupts once it has heard a certain word.
#[derive(Default)]
struct Listener {
    lines: Vec<String>,
    output: String,
    errors: String,
    interrupts_at: Option<&'static str>,
}

impl Listener {
    fn interrupting(word: &'static str) -> Self {
        Self { interrupts_at: Some(word), ..Self::default() }
    }
}

impl Front for Listener {
    fn is_interrupted(&self) -> bool {
        let heard = |word| self.output.contains(word) || self.lines.iter().any(|line| line.contains(word));
        self.interrupts_at.is_some_and(heard)
    }
    fn tell(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }
    fn text(&mut self, is_error: bool, text: &str) {
        if is_error { &mut self.errors } else { &mut self.output }.push_str(text);
    }
    fn array(&mut self, request: Incoming) {
        drop(request);
    }
}

fn evaluate(code: &str) -> Request {
    Request::Evaluate { code: code.to_owned(), cell: 1, line: 2 }
}

fn is_gone(number: i32) -> bool {
    !Path::new(&format!("/proc/{number}")).exists()
}

#[test]
fn text_streams_and_a_value_comes_back() {
    let stage = Stage::with_helper(ANSWERS);
    let (mut process, mut front) = (stage.process(), Listener::default());
    let answer = process.ask(&evaluate("sing"), &mut front).unwrap();
    assert_eq!(answer.outputs, [("text/plain".to_owned(), "7".to_owned())]);
    assert_eq!((front.output.as_str(), front.errors.as_str()), ("la ", "hm"));
    assert_eq!(process.variables(), [Variable { name: "v".into(), kind: "Vec<i32>".into() }]);
    assert!(front.lines.iter().any(|line| line.contains("starting Rust")), "{:?}", front.lines);
    let found = process.complete("ve", 2).unwrap();
    assert_eq!((found.start, found.end, found.matches[0].label.as_str()), (0, 2, "vec!"));
    let refused = process.ask(&evaluate("refuse"), &mut front).unwrap_err();
    let wanted = Trouble::Failed { why: Why::Compile, text: "error[E0308]: no".into(), lost: vec![], lost_all: false };
    assert_eq!(refused, wanted);
}

#[test]
fn nothing_is_left_of_a_helper() {
    let stage = Stage::with_helper(ANSWERS);
    let (mut process, mut front) = (stage.process(), Listener::default());
    process.ask(&evaluate("x"), &mut front).unwrap();
    let (leader, folder) = (process.leader().unwrap(), process.folder().unwrap().to_path_buf());
    assert!(folder.exists() && !is_gone(leader));
    drop(process);
    assert!(!folder.exists() && is_gone(leader));
}

#[test]
fn without_cargo_one_line_says_so() {
    let stage = Stage::new();
    let here = Surroundings { path: stage.at("bin").into_os_string(), ..Surroundings::default() };
    let trouble = Process::within(here).ask(&evaluate("x"), &mut Listener::default()).unwrap_err();
    assert_eq!(trouble, Trouble::Unable(NO_CARGO.to_owned()));
    assert!(!NO_CARGO.contains('\n'));
}

#[test]
fn a_missing_helper_is_built_once_with_progress() {
    let stage = Stage::with_cargo(
        "echo \"$@\" >> asked\necho '   Compiling little v1.0.0' >&2\nmkdir -p target/release\ncp -p made target/release/cellhold-rust\n",
    );
    let (mut process, mut front) = (stage.process(), Listener::default());
    process.ask(&evaluate("x"), &mut front).unwrap();
    process.end();
    process.ask(&evaluate("x"), &mut front).unwrap();
    let asked = std::fs::read_to_string(stage.at("tree/asked")).unwrap();
    assert_eq!(asked, "build --release -p cellhold-rust\n");
    for wanted in ["building the Rust helper, which is done once", "1 crates in 0 s, now little v1.0.0"] {
        assert!(front.lines.iter().any(|line| line.contains(wanted)), "{wanted}: {:?}", front.lines);
    }
}

#[test]
fn a_build_that_fails_says_why() {
    let stage = Stage::with_cargo("echo '   Compiling x' >&2; echo 'error: no space left' >&2; exit 101\n");
    let trouble = stage.process().ask(&evaluate("x"), &mut Listener::default()).unwrap_err();
    let wanted = "cargo build --release -p cellhold-rust failed:\nerror: no space left";
    assert_eq!(trouble, Trouble::Unable(wanted.to_owned()));
}

#[test]
fn a_build_is_given_up_with_all_it_started() {
    let stage = Stage::with_cargo("sleep 1000 &\necho $! > inner\necho $$ > outer\necho '   Compiling x' >&2\nwait\n");
    let mut process = stage.process();
    let trouble = process.ask(&evaluate("x"), &mut Listener::interrupting("now x")).unwrap_err();
    assert_eq!(trouble, Trouble::Interrupted { phase: Phase::Build, lost: vec![], lost_all: false });
    for file in ["tree/inner", "tree/outer"] {
        let number = std::fs::read_to_string(stage.at(file)).unwrap().trim().parse().unwrap();
        assert!(is_gone(number), "{file}");
    }
    assert!(process.is_absent());
}

#[test]
fn a_start_is_given_up() {
    let stage = Stage::with_helper("sleep 1000\n");
    let mut process = stage.process();
    let trouble = process.ask(&evaluate("x"), &mut Listener::interrupting("starting Rust")).unwrap_err();
    assert_eq!(trouble, Trouble::Interrupted { phase: Phase::Start, lost: vec![], lost_all: false });
    assert!(process.is_absent());
}

#[test]
fn a_helper_that_ends_in_a_cell_is_an_error_and_the_next_cell_starts_anew() {
    let stage = Stage::with_helper(ANSWERS);
    let (mut process, mut front) = (stage.process(), Listener::default());
    process.ask(&evaluate("x"), &mut front).unwrap();
    let trouble = process.ask(&evaluate("die"), &mut front).unwrap_err();
    let Trouble::Failed { why: Why::Died, text, lost, lost_all: true } = trouble else { panic!("{trouble:?}") };
    assert_eq!(text, "exit status 7");
    assert_eq!(lost, ["v"]);
    process.ask(&evaluate("x"), &mut front).unwrap();
}

#[test]
fn a_helper_that_ends_between_two_cells_is_told_of_and_replaced() {
    let stage = Stage::with_helper(ANSWERS);
    let (mut process, mut front) = (stage.process(), Listener::default());
    process.ask(&evaluate("quietly"), &mut front).unwrap();
    let before = process.leader().unwrap();
    while !is_gone(before) {
        process.catch_up(&mut front);
        std::thread::yield_now();
    }
    process.ask(&evaluate("x"), &mut front).unwrap();
    let told = front.lines.iter().find(|line| line.contains("starts anew")).unwrap();
    assert!(told.contains("exit status 7") && told.contains("variable v"), "{told}");
}

#[test]
fn a_cell_of_which_nothing_ran_is_asked_again() {
    for (code, wanted) in [
        (
            "falter",
            "Rust runs in a new process: the one before had ended (signal: 9); lost with it: the Rust variable v",
        ),
        ("give up", "Rust starts anew: its process had ended (signal: 9); lost with it: the Rust variable v"),
    ] {
        let stage = Stage::with_helper(ANSWERS);
        let (mut process, mut front) = (stage.process(), Listener::default());
        process.ask(&evaluate(code), &mut front).unwrap();
        process.ask(&evaluate("x"), &mut front).unwrap();
        assert!(front.lines.iter().any(|line| line.starts_with(wanted)), "{:?}", front.lines);
    }
}

#[test]
fn what_runs_is_interrupted_by_the_helper_or_with_it() {
    let stage = Stage::with_helper(ANSWERS);
    let mut process = stage.process();
    let trouble = process.ask(&evaluate("stoppable"), &mut Listener::interrupting("running")).unwrap_err();
    assert_eq!(trouble, Trouble::Interrupted { phase: Phase::Run, lost: vec!["v".into()], lost_all: false });
    let leader = process.leader().unwrap();
    process.ask(&evaluate("x"), &mut Listener::default()).unwrap();
    assert_eq!(process.leader(), Some(leader), "the helper goes on");
    let trouble = process.ask(&evaluate("hang"), &mut Listener::interrupting("hanging")).unwrap_err();
    assert_eq!(trouble, Trouble::Interrupted { phase: Phase::Run, lost: vec!["v".into()], lost_all: true });
    assert!(is_gone(leader) && process.is_absent());
}

#[test]
fn a_helper_of_another_kind_is_named() {
    let cases = [
        ("say '{\"event\":\"hello\",\"protocol\":99}'\nsleep 1000\n", "another version: cargo install cellhold-rust"),
        ("say nonsense\nsleep 1000\n", "does not speak our language"),
        ("echo 'no library' >&2\nexit 3\n", "ended while it started: exit status 3: no library"),
        ("say '{\"event\":\"unable\",\"text\":\"no rustc\"}'\nsleep 1000\n", "Rust cannot start: no rustc"),
    ];
    for (text, wanted) in cases {
        let stage = Stage::with_helper(text);
        let trouble = stage.process().ask(&evaluate("x"), &mut Listener::default()).unwrap_err();
        let Trouble::Unable(text) = trouble else { panic!("{trouble:?}") };
        assert!(text.contains(wanted), "{text}");
    }
}

#[test]
fn a_start_in_the_background_is_waited_for_by_the_first_cell() {
    let stage = Stage::with_helper(ANSWERS);
    let (mut process, mut front) = (stage.process(), Listener::default());
    process.warm().unwrap();
    process.warm().unwrap();
    while !process.is_ready() {
        process.catch_up(&mut front);
        std::thread::yield_now();
    }
    process.ask(&evaluate("x"), &mut front).unwrap();
    assert!(!front.lines.iter().any(|line| line.contains("starting Rust")), "{:?}", front.lines);
}
