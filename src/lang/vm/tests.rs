//! Texts run on a machine of their own: what they print, how they end, what they leave.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::{Vm, attention};
use crate::lang::builtins::classes::Builtin;
use crate::lang::collector::count_mismatches;
use crate::lang::compile::LastExpression;
use crate::lang::heap;
use crate::lang::host::{Host, MagicCall, Stream};
use crate::lang::name::Name;
use crate::lang::parse::Dialect;
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
    fn publish_snapshot(&self, _vm: &Vm) {}
}

/// Runs `work` with a fresh machine on a thread with enough stack.
fn with_machine<T: Send + 'static>(work: impl FnOnce(&mut Vm, &Recorder) -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
        let host = Rc::new(Recorder::default());
        let mut vm = Vm::new(host.clone()).expect("the built-in names install");
        work(&mut vm, &host)
    });
    thread.expect("the system starts a thread").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

impl Vm {
    /// Runs a cell in the main module, showing the value of its last expression.
    fn run_cell(&mut self, text: &str, number: u32) -> Fallible<()> {
        let source = self.new_source(format!("Cell {number}"), text, Some(number));
        let main = self.main.clone();
        self.run_source(&source, Dialect::Cell, LastExpression::Show, &main).map(drop)
    }
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

#[test]
fn counts_are_edges() {
    // Without constant tuples: their code keeps them, and code is no container.
    let text = "\
import collections, contextlib, dataclasses, enum, functools, itertools, operator, types, weakref
class Base:
    __slots__ = ['kept', '__weakref__']
    def __init__(self, kept): self.kept = kept
    @property
    def twice(self): return [self.kept, self.kept]
    @classmethod
    def make(cls): return cls([])
    @staticmethod
    def plain(): return []
class Derived(Base, collections.UserList):
    def __init__(self): super().__init__([1]); self.data = [[]]
@dataclasses.dataclass
class Point:
    x: list = dataclasses.field(default_factory=list)
class Colour(enum.Enum):
    RED = 'red'
def outer(a, *rest, b=[], **more):
    def inner(): return a, rest, b, more
    return inner
def numbers(limit):
    for n in range(limit):
        try: yield [n]
        finally: pass
@functools.lru_cache
def cached(key): return [key]
@contextlib.contextmanager
def scope(): yield []
objects = [Base([]), Derived(), Point(), Colour.RED, outer([], {}, c=[]), Base.make, Base([]).make, Base([]).__init__, Base.twice]
running, ended = numbers(3), list(numbers(3))
next(running); cached('k'); cached('other')
one = 1
tables = {'a': [], ('b', one): {1, (2, one)}, frozenset([(one,)]): collections.deque([[], []])}
views = [tables.keys(), tables.values(), iter(tables.items()), iter([[]]), zip([[]], [(one,)]), map(str, [[]]), enumerate([[]]), reversed([[]])]
more = [functools.partial(outer, [], b=[]), collections.OrderedDict(a=[]), collections.defaultdict(list, a=[]), collections.Counter('ab'),
        itertools.chain([[]], [(one,)]), itertools.cycle([[]]), operator.itemgetter(1), types.SimpleNamespace(a=[]), memoryview(bytearray(3))]
references = [weakref.ref(objects[0]), weakref.proxy(objects[0]), weakref.WeakValueDictionary(a=objects[0])]
with scope() as entered: pass
try:
    try: raise KeyError([])
    except KeyError as inner_error: raise ValueError([]) from inner_error
except ValueError as error: failure = error
cycle = []; cycle.append(cycle)
match {'k': [1, [2]], 'm': []}:
    case {'k': [first, other], **remaining}: pass
";
    let wrong = with_machine(|vm, _| {
        // The first time makes what Rust keeps for good: modules, classes of natives, constants of their code.
        vm.run_cell(text, 1).expect("the cell runs");
        // Held meanwhile, so that nothing new takes the place of one.
        let built_in = heap::containers();
        let before: HashSet<_> = built_in.iter().map(|object| object.id()).collect();
        vm.run_cell(text, 2).expect("the cell runs");
        let made = |value: &Value| value.heap_id().is_some_and(|id| !before.contains(&id));
        let wrong = count_mismatches(&[]).into_iter().filter(|(value, ..)| made(value));
        wrong
            .map(|(value, count, found)| format!("{}: {count} counted, {found} found", value.type_name()))
            .collect::<Vec<_>>()
    });
    assert_eq!(wrong, Vec::<String>::new());
}
