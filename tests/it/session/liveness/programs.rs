//! Random programs: cells that make, hold, pass on, show and let go of arrays in every way a notebook does.
//!
//! They run here and in IPython, so each cell means the same in both: arrays are only made, viewed, doubled and held;
//! every new one has a length of its own, by which it is recognised.

/// Names that the programs bind; `None` at first.
pub const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// The first cell of each program. Automatic collection is off, so that the two sides collect at the same moments.
pub const SETUP: &str = r"
import dpnp as np, gc, itertools, functools, collections, contextlib, dataclasses
gc.disable()
sizes = itertools.count(2)
def new():
    return np.ones(next(sizes))
def view(x):
    return x[:1] if isinstance(x, np.ndarray) else x
def double(x):
    return x * 2 if isinstance(x, np.ndarray) else x
def gen(held):
    inner = held
    yield 1
    yield inner
def outer(held):
    sent = yield from gen(held)
    yield sent
def advanced(it):
    next(it, None)
    return it
def fail(held):
    other = new()
    raise ValueError(held)
def chained(held):
    try:
        fail(held)
    except ValueError as error:
        raise KeyError(new()) from error
def cell_of(held):
    def get():
        return held
    def put(value):
        nonlocal held
        held = value
    return get, put
def hold(held):
    def decorate(function):
        @functools.wraps(function)
        def inner(*args):
            return held
        return inner
    return decorate
@contextlib.contextmanager
def lent(held):
    try:
        yield held
    finally:
        held = None
@functools.lru_cache(maxsize=2)
def memo(key):
    return [new(), key]
class Node:
    keep = None
    def __init__(self, held=None):
        self.held = held
    def get(self):
        return self.held
    @property
    def prop(self):
        return self.held
    @functools.cached_property
    def lazy(self):
        return [self.held, new()]
    def __enter__(self):
        return self.held
    def __exit__(self, *what):
        return False
class Leaf(Node):
    def __init__(self, held):
        super().__init__([held])
class Slots:
    __slots__ = ('x', 'y')
    def __init__(self, x):
        self.x = x
class Final(Node):
    count = 0
    def __del__(self):
        Final.count += 1
class Stack(list):
    pass
@dataclasses.dataclass(eq=False)
class Box:
    x: object
    y: object = None
Pair = collections.namedtuple('Pair', 'x y')
def sorting(held):
    return sorted([held, held], key=lambda one, kept=held: 0)
stack = []
cache = {}
a = b = c = d = e = None
";

/// A class whose objects hand on what they held when they go; only for comparison, since no prediction can know it.
pub const PHOENIX: &str = "class Phoenix(Node):\n    def __del__(self):\n        stack.append(self.held)";

/// Most cells of a program after its first.
const CELLS_MAX: usize = 14;

/// A small generator of numbers (splitmix64): the same programs from the same seed, on every machine.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Expressions around others; `@` is an expression, `$` one name, `&` another, `#` a cell's number.
const EXPRESSIONS: &[&str] = &[
    "[@, @]",
    "[@, [@]]",
    "(@, (@, 1))",
    "{'k': @, 2: @}",
    "{(1, 'x'): [@]}",
    "collections.deque([@, @], maxlen=2)",
    "collections.defaultdict(list, {'k': @})",
    "collections.OrderedDict(k=@)",
    "collections.ChainMap({'k': @}, {})",
    "Pair(@, 1)",
    "Box(@)",
    "Box(@, @)",
    "functools.partial(print, @)",
    "functools.partial(print, 1, end=@)",
    "(lambda held: lambda: held)(@)",
    "(lambda held=@: held)",
    "Node(@)",
    "Leaf(@)",
    "Slots(@)",
    "Final(@)",
    "Stack([@])",
    "Node(@).get",
    "Node(@).prop",
    "Node(@).lazy",
    "[@].append",
    "{'k': @}.get",
    "iter([@, @])",
    "advanced(iter([@, @]))",
    "zip([@], [@])",
    "advanced(zip([@, 1], (@, 1)))",
    "map(view, [@, 1])",
    "enumerate([@, 1])",
    "filter(None, [[@], 1])",
    "reversed([1, @])",
    "iter({'k': @}.values())",
    "{'k': @}.items()",
    "itertools.chain([@], [@])",
    "advanced(itertools.chain([1, @], [@]))",
    "itertools.cycle([@, 1])",
    "advanced(itertools.cycle([@, 1]))",
    "itertools.islice([@, 2, 3], 2)",
    "itertools.tee([@, 1])",
    "advanced(itertools.tee([@, 1])[0])",
    "itertools.repeat(@, 3)",
    "itertools.product([@], [1, 2])",
    "itertools.groupby([@], key=lambda x: 0)",
    "itertools.starmap(print, [(@,)])",
    "itertools.accumulate([1, [@]], lambda x, y: y)",
    "(x for x in [@, @])",
    "advanced(x for x in [@, @])",
    "advanced(view(x) for x in (@, 1))",
    "gen(@)",
    "advanced(gen(@))",
    "advanced(outer(@))",
    "ValueError(@)",
    "cell_of(@)",
    "cell_of(@)[0]",
    "[x for x in [@, @]]",
    "{k: @ for k in 'xy'}",
    "[y := @, 1]",
    "{Node(@)}",
    "frozenset({Node(@)})",
    "{Node(@): 1}",
    "slice(@, None)",
    "property(lambda self, held=@: held)",
    "staticmethod(lambda held=@: held)",
    "type('Made', (Node,), {'keep': @})",
    "type('Made', (Node,), {'keep': @})()",
    "sorting(@)",
    "(@ if 1 else 0)",
    "(None or @)",
    "dict(k=@)",
    "list((@, @))",
    "tuple([@, @])",
    "[*(@,), 1]",
    "{**{'k': @}}",
    "vars(Node(@))",
    "getattr(Node(@), 'held')",
    "memo(1)",
    "memo(2)",
];

/// Cells; the markers are those of [`EXPRESSIONS`].
const STATEMENTS: &[&str] = &[
    "$ = @",
    "$ = @",
    "$ = @",
    "$ = @",
    "$, & = @, @",
    "$, *& = [@, @, @]",
    "$ = & = @",
    "@",
    "$",
    "$",
    "$;",
    "del $",
    "del $",
    "$ = None",
    "$ = & = None",
    "$ = view(&)",
    "$ = double(&)",
    "$.held = @",
    "if isinstance($, list): $.append(@)",
    "if isinstance($, list): $.append(&)",
    "if isinstance($, dict): $['more'] = @",
    "if isinstance($, (list, collections.deque)) and $: $.pop()",
    "$ = Node()\n$.me = $\n$.held = [@]",
    "$ = [@]\n$.append($)",
    "$ = {'k': @}\n$['me'] = ($,)",
    "$ = Node(@)\n$.go = $.get",
    "def $(p=@, *, q=@): return p",
    "def $():\n    return $.again\n$.again = ($, @)",
    "class $:\n    shared = @\n    def f(self): return self.shared",
    "class $(Node):\n    p = property(lambda self, held=@: held)\n$ = $().p",
    "@hold(@)\ndef $(): pass",
    "Node.keep = @",
    "$ = Node.keep",
    "Node.keep = None",
    "$.held",
    "$.keep",
    "try:\n    fail(@)\nexcept ValueError as err:\n    $ = err",
    "try:\n    fail(@)\nexcept ValueError:\n    $ = 1",
    "try:\n    chained(@)\nexcept KeyError as err:\n    $ = err",
    "try:\n    fail(@)\nfinally:\n    $ = @",
    "fail(@)",
    "chained(@)",
    "$ = @ + undefined_name",
    "[@, 1 / 0]",
    "next($, None)",
    "next($, None);",
    "$ = next(&, None)",
    "$.close()",
    "list(itertools.islice($, 3))",
    "for $ in [@, @]: pass",
    "for $ in @: break",
    "for $ in (1, @):\n    if $ == 1: continue\n    break",
    "with lent(@) as $: pass",
    "with lent(@) as $: fail($)",
    "with Node(@) as $: pass",
    "with contextlib.ExitStack() as stacked:\n    $ = stacked.enter_context(lent(@))\nstacked = None",
    "stack.append(@)",
    "$ = stack.pop() if stack else None",
    "stack.clear()",
    "stack[:] = [@, @]",
    "del stack[:1]",
    "stack.sort(key=lambda one: 0)",
    "cache['$'] = @",
    "cache.pop('$', None);",
    "cache.setdefault('$', @)",
    "cache.clear()",
    "memo.cache_clear()",
    "$ = memo.__wrapped__(1)",
    "def put(value):\n    global $\n    $ = value\nput(@)",
    "get, put = cell_of(@)\nput(@)\n$ = get",
    "match @:\n    case [first, *rest]: $ = rest\n    case {'k': first}: $ = first\n    case Node(held=first): pass\n    case _: first = rest = None",
    "first = rest = None",
    "$ = Out.get(#)",
    "$ = [Out.get(#)]",
    "Out.get(#)",
    "Out.pop(#, None);",
    "%free out",
    "import gc; gc.collect();",
    "gc.collect();",
    "globals()['$'] = @",
    "setattr($, 'extra', @)",
    "print(@, file=None) if 0 else None",
    "$ = (lambda: (yield @))()\nnext($);",
    "def $():\n    local = @\n    try:\n        yield local\n    finally:\n        stack.append(local)\n$ = $()\nnext($);",
    "while $ is not None:\n    $ = None\nelse:\n    $ = @",
    "assert isinstance(@, int), 'no'",
    "$ = Slots(@)\n$.y = $",
    "del $.held",
    "$ = Phoenix(@)",
];

/// The cells of one program, the setup first.
pub fn program(dice: &mut Dice) -> Vec<String> {
    let mut cells = vec![format!("{SETUP}{PHOENIX}")];
    let count = 1 + dice.below(CELLS_MAX);
    for _ in 0..count {
        let pattern = dice.pick(STATEMENTS);
        let cell = filled(pattern, dice, 0, cells.len());
        cells.push(cell);
    }
    cells
}

/// Whether the program makes objects that hand on what they hold when they go: a `__del__`, a `finally` in a generator.
pub fn hands_on(cells: &[String]) -> bool {
    cells[1..].iter().any(|cell| cell.contains("Phoenix") || cell.contains("finally:\n        stack.append"))
}

fn filled(pattern: &str, dice: &mut Dice, depth: usize, number: usize) -> String {
    let (one, other) = (dice.pick(&NAMES), dice.pick(&NAMES));
    let mut text = String::new();
    for (index, c) in pattern.char_indices() {
        match c {
            // The sign of a decorator.
            '@' if pattern[index..].starts_with("@hold") => text.push('@'),
            '@' => text.push_str(&expression(dice, depth + 1, number)),
            '$' => text.push_str(one),
            '&' => text.push_str(other),
            '#' => text.push_str(&(1 + dice.below(number)).to_string()),
            plain => text.push(plain),
        }
    }
    text
}

fn expression(dice: &mut Dice, depth: usize, number: usize) -> String {
    let is_leaf = depth > 2 || dice.below(3) > 0;
    if !is_leaf {
        let pattern = dice.pick(EXPRESSIONS);
        return filled(pattern, dice, depth, number);
    }
    let name = dice.pick(&NAMES);
    match dice.below(8) {
        0..=2 => "new()".to_owned(),
        3 => format!("view({name})"),
        4 => format!("double({name})"),
        5 => "view(new())".to_owned(),
        _ => name.to_owned(),
    }
}
