//! Texts run on a machine of their own: what they print, how they end, what they leave.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::{Vm, attention, run_on_evaluator_thread};
use crate::lang::builtins::classes::Builtin;
use crate::lang::host::{Host, MagicCall, Stream};
use crate::lang::name::Name;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;

/// A host that keeps what was written and shown.
#[derive(Default)]
struct Recorder {
    out: RefCell<String>,
    err: RefCell<String>,
    shown: RefCell<Vec<String>>,
    magics: RefCell<Vec<(String, String, Option<String>)>>,
}

impl Host for Recorder {
    fn write(&self, stream: Stream, text: &str) {
        match stream {
            Stream::Stdout => self.out.borrow_mut().push_str(text),
            Stream::Stderr => self.err.borrow_mut().push_str(text),
        }
    }
    fn read_line(&self, _prompt: &str, _hidden: bool) -> Fallible<Option<String>> {
        Ok(None)
    }
    fn show_result(&self, vm: &mut Vm, value: Value) -> Fallible<()> {
        let text = vm.repr(&value)?;
        self.shown.borrow_mut().push(text.to_string());
        Ok(())
    }
    fn display(&self, _vm: &mut Vm, _value: &Value, _display_id: Option<&str>, _update: bool) -> Fallible<()> {
        Ok(())
    }
    fn run_magic(&self, _vm: &mut Vm, call: &MagicCall) -> Fallible<Value> {
        self.magics.borrow_mut().push((call.name.clone(), call.line.clone(), call.body.clone()));
        Ok(Value::Int(7))
    }
    fn notice(&self, _text: &str) {}
    fn publish_snapshot(&self, _vm: &Vm) {}
}

/// Runs `work` with a fresh machine on a thread with enough stack.
fn with_machine<T: Send + 'static>(work: impl FnOnce(&mut Vm, &Recorder) -> T + Send + 'static) -> T {
    run_on_evaluator_thread(move || {
        let host = Rc::new(Recorder::default());
        let mut vm = Vm::new(host.clone()).expect("the built-in names install");
        work(&mut vm, &host)
    })
}

#[test]
fn a_cell_shows_its_last_expression_unless_it_ends_with_a_semicolon() {
    let shown = with_machine(|vm, host| {
        for (number, text) in ["1 + 1", "x = 3", "x;", "x; # said nothing", "x\n"].into_iter().enumerate() {
            vm.run_cell(text, number as u32).expect("the cell runs");
        }
        host.shown.borrow().clone()
    });
    assert_eq!(shown, ["2", "3"]);
}

#[test]
fn names_bound_before_an_error_stay() {
    let (failed, value) = with_machine(|vm, _| {
        let failed = vm.run_cell("a = 5\nb = 1 / 0\na = 6", 1).is_err_and(|error| error.is(Builtin::ZeroDivisionError));
        let value = vm.main.get(Name::new("a"));
        (failed, matches!(value, Some(Value::Int(5))))
    });
    assert!(failed && value);
}

#[test]
fn an_interrupt_ends_an_endless_loop_and_the_machine_goes_on() {
    let (interrupted, after) = with_machine(|vm, host| {
        // An interrupt raises both flags, as the session's does.
        crate::arrays::attention::handle().interrupt();
        vm.attention().fetch_or(attention::INTERRUPT, Ordering::Relaxed);
        let interrupted = vm.run_cell("while True: pass", 1).is_err_and(|error| error.is(Builtin::KeyboardInterrupt));
        vm.run_cell("print('still here')", 2).expect("the next cell runs");
        (interrupted, host.out.borrow().clone())
    });
    assert!(interrupted);
    assert_eq!(after, "still here\n");
}

#[test]
fn magics_stand_where_statements_may() {
    let magics = with_machine(|vm, host| {
        vm.run_cell("if True:\n    %who x\ny = %calc 1 2\nassert y == 7", 1).expect("the cell runs");
        vm.run_cell("%%timeit -n 3\nf()\ng()", 2).expect("the cell runs");
        host.magics.borrow().clone()
    });
    let owned =
        |name: &str, line: &str, body: Option<&str>| (name.to_owned(), line.to_owned(), body.map(str::to_owned));
    assert_eq!(
        magics,
        [owned("who", "x", None), owned("calc", "1 2", None), owned("timeit", "-n 3", Some("f()\ng()"))]
    );
}

#[test]
fn what_the_language_lacks_is_refused_by_name_and_line() {
    let refused = |text: &'static str| {
        with_machine(move |vm, _| {
            let error = vm.run_cell(text, 1).expect_err("it is refused");
            let line = error.0.attributes.borrow().get(&Name::new("lineno")).cloned();
            let message = error.0.args.borrow().first().and_then(|text| text.as_str().map(str::to_owned));
            (message.unwrap_or_default(), matches!(line, Some(Value::Int(2))))
        })
    };
    for (text, word) in [
        ("x = 1\nasync def f(): pass", "async def"),
        ("x = 1\nclass C(metaclass=M): pass", "metaclass="),
        ("x = 1\n!ls", "!"),
        ("x = 1\ntype X = int", "type"),
    ] {
        let (message, is_second_line) = refused(text);
        assert!(message.contains(word), "{text:?}: {message}");
        assert!(is_second_line, "{text:?}");
    }
}

#[test]
fn an_argument_is_let_go_of_inside_the_call() {
    let out = with_machine(|vm, host| {
        let text = "\
class T:
    def __del__(self): print('gone')
def f(x):
    del x
    print('inside')
f(T())
print('after')";
        vm.run_cell(text, 1).expect("the cell runs");
        host.out.borrow().clone()
    });
    assert_eq!(out, "gone\ninside\nafter\n");
}

#[test]
fn a_script_ends_with_its_status_and_its_traceback() {
    let (status, text) = with_machine(|vm, host| {
        let status = vm.run_script("case.py", "def f():\n    return 1 / 0\nf()\n");
        (status, host.err.borrow().clone())
    });
    assert_eq!(status, 1);
    assert_eq!(
        text,
        "Traceback (most recent call last):\n  File \"case.py\", line 3, in <module>\n    f()\n  File \"case.py\", \
         line 2, in f\n    return 1 / 0\n           ~~^~~\nZeroDivisionError: division by zero\n"
    );
    assert_eq!(with_machine(|vm, _| vm.run_script("case.py", "raise SystemExit(3)")), 3);
}

#[test]
fn nothing_is_left_on_the_stack_after_a_cell() {
    let slots = with_machine(|vm, _| {
        let text = "\
def g():
    for i in range(3):
        try: yield [i]
        finally: pass
for v in g():
    if v[0] == 1: break
x = sorted([3, 1, 2], key=lambda v: -v)
try: x[9]
except IndexError as e: y = str(e)
with open('/dev/null') as f: z = f.read()";
        vm.run_cell(text, 1).expect("the cell runs");
        (vm.top, vm.frames.len(), vm.stack.iter().filter(|value| value.heap_id().is_some()).count())
    });
    assert_eq!(slots, (0, 0, 0));
}
