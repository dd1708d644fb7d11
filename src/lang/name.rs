//! Interned identifiers: attribute, parameter and global names as small numbers that compare and hash in one step.

use std::cell::RefCell;
use std::fmt;

use hashbrown::HashMap;

/// An interned identifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

#[derive(Default)]
struct Interner {
    by_text: HashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

impl Interner {
    fn intern(&mut self, text: &str) -> u32 {
        if let Some(&index) = self.by_text.get(text) {
            return index;
        }
        // Names live as long as the process: programs have few of them, and a `&'static str` costs no lookup to show.
        let owned: &'static str = Box::leak(text.to_owned().into_boxed_str());
        let index = u32::try_from(self.texts.len()).expect("fewer than 2^32 names");
        self.texts.push(owned);
        self.by_text.insert(owned, index);
        index
    }
}

thread_local! {
    static INTERNER: RefCell<Interner> = RefCell::new({
        let mut interner = Interner::default();
        for text in PREDEFINED {
            interner.intern(text);
        }
        interner
    });
}

impl Name {
    /// The name of `text`.
    pub fn new(text: &str) -> Self {
        INTERNER.with(|interner| Self(interner.borrow_mut().intern(text)))
    }

    /// The text.
    pub fn text(self) -> &'static str {
        INTERNER.with(|interner| interner.borrow().texts[self.0 as usize])
    }

    /// Whether the name is of the form `__x__`.
    pub fn is_dunder(self) -> bool {
        let text = self.text();
        text.len() > 4 && text.starts_with("__") && text.ends_with("__")
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

macro_rules! predefined {
    ($($constant:ident = $text:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u32)]
        enum Index { $($constant),* }
        const PREDEFINED: &[&str] = &[$($text),*];
        /// Names the evaluator itself uses, available without a lookup.
        pub mod names {
            use super::{Index, Name};
            $(
                #[doc = concat!("`", $text, "`")]
                pub const $constant: Name = Name(Index::$constant as u32);
            )*
        }
    };
}

predefined! {
    INIT = "__init__", NEW = "__new__", DEL = "__del__", REPR = "__repr__", STR = "__str__", BYTES = "__bytes__", FORMAT = "__format__",
    HASH = "__hash__", BOOL = "__bool__", LEN = "__len__", LENGTH_HINT = "__length_hint__", CONTAINS = "__contains__",
    GETITEM = "__getitem__", SETITEM = "__setitem__", DELITEM = "__delitem__", MISSING = "__missing__",
    ITER = "__iter__", NEXT = "__next__", REVERSED = "__reversed__", CALL = "__call__",
    ENTER = "__enter__", EXIT = "__exit__",
    GETATTR = "__getattr__", GETATTRIBUTE = "__getattribute__", SETATTR = "__setattr__", DELATTR = "__delattr__",
    GET = "__get__", SET = "__set__", DELETE = "__delete__", SET_NAME = "__set_name__", INIT_SUBCLASS = "__init_subclass__",
    CLASS_GETITEM = "__class_getitem__", CLASS_MADE = "__class_made__", CLASS_SETATTR = "__class_setattr__", INSTANCECHECK = "__instancecheck__", SUBCLASSCHECK = "__subclasscheck__",
    EQ = "__eq__", NE = "__ne__", LT = "__lt__", LE = "__le__", GT = "__gt__", GE = "__ge__",
    ADD = "__add__", RADD = "__radd__", IADD = "__iadd__", SUB = "__sub__", RSUB = "__rsub__", ISUB = "__isub__",
    MUL = "__mul__", RMUL = "__rmul__", IMUL = "__imul__", TRUEDIV = "__truediv__", RTRUEDIV = "__rtruediv__", ITRUEDIV = "__itruediv__",
    FLOORDIV = "__floordiv__", RFLOORDIV = "__rfloordiv__", IFLOORDIV = "__ifloordiv__", MOD = "__mod__", RMOD = "__rmod__", IMOD = "__imod__",
    DIVMOD = "__divmod__", RDIVMOD = "__rdivmod__", POW = "__pow__", RPOW = "__rpow__", IPOW = "__ipow__",
    MATMUL = "__matmul__", RMATMUL = "__rmatmul__", IMATMUL = "__imatmul__",
    LSHIFT = "__lshift__", RLSHIFT = "__rlshift__", ILSHIFT = "__ilshift__", RSHIFT = "__rshift__", RRSHIFT = "__rrshift__", IRSHIFT = "__irshift__",
    AND = "__and__", RAND = "__rand__", IAND = "__iand__", OR = "__or__", ROR = "__ror__", IOR = "__ior__", XOR = "__xor__", RXOR = "__rxor__", IXOR = "__ixor__",
    NEG = "__neg__", POS = "__pos__", ABS = "__abs__", INVERT = "__invert__",
    INT = "__int__", FLOAT = "__float__", COMPLEX = "__complex__", INDEX = "__index__", ROUND = "__round__", TRUNC = "__trunc__", FLOOR = "__floor__", CEIL = "__ceil__",
    DICT = "__dict__", CLASS = "__class__", NAME = "__name__", QUALNAME = "__qualname__", MODULE = "__module__", DOC = "__doc__", SLOTS = "__slots__",
    BASES = "__bases__", MRO = "__mro__", DEFAULTS = "__defaults__", KWDEFAULTS = "__kwdefaults__", CLOSURE = "__closure__", CODE = "__code__",
    ANNOTATIONS = "__annotations__", FUNC = "__func__", SELF_DUNDER = "__self__",
    TRACEBACK = "__traceback__", CAUSE = "__cause__", CONTEXT = "__context__", SUPPRESS_CONTEXT = "__suppress_context__", ARGS = "args", NOTES = "__notes__",
    MATCH_ARGS = "__match_args__", FSPATH = "__fspath__", DIR = "__dir__", SIZEOF = "__sizeof__",
    SEND = "send", THROW = "throw", CLOSE = "close", WRITE = "write", FLUSH = "flush", KEYS = "keys", ITEMS = "items",
    MAIN = "__main__", FILE = "__file__", ALL = "__all__", PATH = "__path__",

}
