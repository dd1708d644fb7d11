//! The built-in classes: their names, bases and what instances carry. Methods are attached by the files of each type.

use std::cell::RefCell;

use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Binding, Method};
use crate::lang::objects::{ClassObject, ClassRef, NativeFunction, PayloadKind};
use crate::lang::value::Value;

macro_rules! builtin_classes {
    ($($variant:ident = $name:literal, $base:ident, $payload:ident;)*) => {
        /// A built-in class.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Builtin {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        const ROWS: &[(&str, Builtin, PayloadKind)] = &[$(($name, Builtin::$base, PayloadKind::$payload),)*];

        /// Every built-in class, bases first.
        pub const ALL: &[Builtin] = &[$(Builtin::$variant,)*];
    };
}

builtin_classes! {
    Object = "object", Object, Attributes;
    Type = "type", Object, Sealed;
    NoneType = "NoneType", Object, Sealed;
    NotImplementedType = "NotImplementedType", Object, Sealed;
    EllipsisType = "ellipsis", Object, Sealed;
    Int = "int", Object, Value;
    Bool = "bool", Int, Sealed;
    Float = "float", Object, Value;
    Complex = "complex", Object, Value;
    Str = "str", Object, Value;
    Bytes = "bytes", Object, Value;
    ByteArray = "bytearray", Object, Value;
    MemoryView = "memoryview", Object, Sealed;
    List = "list", Object, Value;
    Tuple = "tuple", Object, Value;
    Dict = "dict", Object, Value;
    Set = "set", Object, Value;
    FrozenSet = "frozenset", Object, Value;
    Range = "range", Object, Sealed;
    Slice = "slice", Object, Sealed;
    Function = "function", Object, Sealed;
    BuiltinFunction = "builtin_function_or_method", Object, Sealed;
    MethodDescriptor = "method_descriptor", Object, Sealed;
    WrapperDescriptor = "wrapper_descriptor", Object, Sealed;
    MethodWrapper = "method-wrapper", Object, Sealed;
    ClassMethodDescriptor = "classmethod_descriptor", Object, Sealed;
    GetSetDescriptor = "getset_descriptor", Object, Sealed;
    MemberDescriptor = "member_descriptor", Object, Sealed;
    Method = "method", Object, Sealed;
    Generator = "generator", Object, Sealed;
    Module = "module", Object, Sealed;
    Cell = "cell", Object, Sealed;
    Property = "property", Object, Attributes;
    ClassMethod = "classmethod", Object, Attributes;
    StaticMethod = "staticmethod", Object, Attributes;
    Super = "super", Object, Sealed;
    Code = "code", Object, Sealed;
    Traceback = "traceback", Object, Sealed;
    Frame = "frame", Object, Sealed;
    MappingProxy = "mappingproxy", Object, Sealed;
    DictKeys = "dict_keys", Object, Sealed;
    DictValues = "dict_values", Object, Sealed;
    DictItems = "dict_items", Object, Sealed;
    ListIterator = "list_iterator", Object, Sealed;
    ListReverseIterator = "list_reverseiterator", Object, Sealed;
    TupleIterator = "tuple_iterator", Object, Sealed;
    StrIterator = "str_iterator", Object, Sealed;
    StrAsciiIterator = "str_ascii_iterator", Object, Sealed;
    BytesIterator = "bytes_iterator", Object, Sealed;
    ByteArrayIterator = "bytearray_iterator", Object, Sealed;
    RangeIterator = "range_iterator", Object, Sealed;
    LongRangeIterator = "longrange_iterator", Object, Sealed;
    DictKeyIterator = "dict_keyiterator", Object, Sealed;
    DictValueIterator = "dict_valueiterator", Object, Sealed;
    DictItemIterator = "dict_itemiterator", Object, Sealed;
    DictReverseKeyIterator = "dict_reversekeyiterator", Object, Sealed;
    SetIterator = "set_iterator", Object, Sealed;
    SequenceIterator = "iterator", Object, Sealed;
    CallableIterator = "callable_iterator", Object, Sealed;
    Reversed = "reversed", Object, Sealed;
    Enumerate = "enumerate", Object, Sealed;
    Zip = "zip", Object, Sealed;
    Map = "map", Object, Sealed;
    Filter = "filter", Object, Sealed;
    BaseException = "BaseException", Object, Exception;
    SystemExit = "SystemExit", BaseException, Exception;
    KeyboardInterrupt = "KeyboardInterrupt", BaseException, Exception;
    GeneratorExit = "GeneratorExit", BaseException, Exception;
    Exception = "Exception", BaseException, Exception;
    BaseExceptionGroup = "BaseExceptionGroup", BaseException, Exception;
    ExceptionGroup = "ExceptionGroup", BaseExceptionGroup, Exception;
    StopIteration = "StopIteration", Exception, Exception;
    StopAsyncIteration = "StopAsyncIteration", Exception, Exception;
    ArithmeticError = "ArithmeticError", Exception, Exception;
    FloatingPointError = "FloatingPointError", ArithmeticError, Exception;
    OverflowError = "OverflowError", ArithmeticError, Exception;
    ZeroDivisionError = "ZeroDivisionError", ArithmeticError, Exception;
    AssertionError = "AssertionError", Exception, Exception;
    AttributeError = "AttributeError", Exception, Exception;
    BufferError = "BufferError", Exception, Exception;
    EOFError = "EOFError", Exception, Exception;
    ImportError = "ImportError", Exception, Exception;
    ModuleNotFoundError = "ModuleNotFoundError", ImportError, Exception;
    LookupError = "LookupError", Exception, Exception;
    IndexError = "IndexError", LookupError, Exception;
    KeyError = "KeyError", LookupError, Exception;
    MemoryError = "MemoryError", Exception, Exception;
    NameError = "NameError", Exception, Exception;
    UnboundLocalError = "UnboundLocalError", NameError, Exception;
    OSError = "OSError", Exception, Exception;
    BlockingIOError = "BlockingIOError", OSError, Exception;
    ChildProcessError = "ChildProcessError", OSError, Exception;
    ConnectionError = "ConnectionError", OSError, Exception;
    BrokenPipeError = "BrokenPipeError", ConnectionError, Exception;
    ConnectionAbortedError = "ConnectionAbortedError", ConnectionError, Exception;
    ConnectionRefusedError = "ConnectionRefusedError", ConnectionError, Exception;
    ConnectionResetError = "ConnectionResetError", ConnectionError, Exception;
    FileExistsError = "FileExistsError", OSError, Exception;
    FileNotFoundError = "FileNotFoundError", OSError, Exception;
    InterruptedError = "InterruptedError", OSError, Exception;
    IsADirectoryError = "IsADirectoryError", OSError, Exception;
    NotADirectoryError = "NotADirectoryError", OSError, Exception;
    PermissionError = "PermissionError", OSError, Exception;
    ProcessLookupError = "ProcessLookupError", OSError, Exception;
    TimeoutError = "TimeoutError", OSError, Exception;
    ReferenceError = "ReferenceError", Exception, Exception;
    RuntimeError = "RuntimeError", Exception, Exception;
    NotImplementedError = "NotImplementedError", RuntimeError, Exception;
    RecursionError = "RecursionError", RuntimeError, Exception;
    SyntaxError = "SyntaxError", Exception, Exception;
    IndentationError = "IndentationError", SyntaxError, Exception;
    TabError = "TabError", IndentationError, Exception;
    SystemError = "SystemError", Exception, Exception;
    TypeError = "TypeError", Exception, Exception;
    ValueError = "ValueError", Exception, Exception;
    UnicodeError = "UnicodeError", ValueError, Exception;
    UnicodeDecodeError = "UnicodeDecodeError", UnicodeError, Exception;
    UnicodeEncodeError = "UnicodeEncodeError", UnicodeError, Exception;
    UnicodeTranslateError = "UnicodeTranslateError", UnicodeError, Exception;
    Warning = "Warning", Exception, Exception;
    BytesWarning = "BytesWarning", Warning, Exception;
    DeprecationWarning = "DeprecationWarning", Warning, Exception;
    EncodingWarning = "EncodingWarning", Warning, Exception;
    FutureWarning = "FutureWarning", Warning, Exception;
    ImportWarning = "ImportWarning", Warning, Exception;
    PendingDeprecationWarning = "PendingDeprecationWarning", Warning, Exception;
    ResourceWarning = "ResourceWarning", Warning, Exception;
    RuntimeWarning = "RuntimeWarning", Warning, Exception;
    SyntaxWarning = "SyntaxWarning", Warning, Exception;
    UnicodeWarning = "UnicodeWarning", Warning, Exception;
    UserWarning = "UserWarning", Warning, Exception;
}

impl Builtin {
    /// The class's name.
    pub fn name(self) -> &'static str {
        ROWS[self as usize].0
    }

    /// Whether it is a built-in name (`int`, `ValueError`), as opposed to a class that only values have (`function`).
    pub fn is_named(self) -> bool {
        use Builtin::{
            Bool, ByteArray, Bytes, ClassMethod, Complex, Dict, Enumerate, Filter, Float, FrozenSet, Int, List, Map,
            MemoryView, Object, Property, Range, Reversed, Set, Slice, StaticMethod, Str, Super, Tuple, Type, Zip,
        };
        self.is_exception()
            || matches!(
                self,
                Object
                    | Type
                    | Int
                    | Bool
                    | Float
                    | Complex
                    | Str
                    | Bytes
                    | ByteArray
                    | MemoryView
                    | List
                    | Tuple
                    | Dict
                    | Set
                    | FrozenSet
                    | Range
                    | Slice
                    | Property
                    | ClassMethod
                    | StaticMethod
                    | Super
                    | Enumerate
                    | Zip
                    | Map
                    | Filter
                    | Reversed
            )
    }

    /// Whether it is an exception class.
    pub fn is_exception(self) -> bool {
        ROWS[self as usize].2 == PayloadKind::Exception
    }
}

thread_local! {
    static CLASSES: RefCell<Vec<ClassRef>> = RefCell::new(build());
}

fn build() -> Vec<ClassRef> {
    let builtins = Name::new("builtins");
    let mut classes: Vec<ClassRef> = Vec::with_capacity(ROWS.len());
    for (index, (name, base, payload)) in ROWS.iter().enumerate() {
        let (bases, mro_tail) = if index == 0 {
            (vec![], vec![])
        } else {
            let base = classes[*base as usize].clone();
            let mut tail = vec![base.clone()];
            tail.extend(base.mro_tail.borrow().iter().cloned());
            (vec![base], tail)
        };
        classes.push(Ref::new(ClassObject::new(Name::new(name), builtins, bases, mro_tail, *payload, false)));
    }
    // An `ExceptionGroup` is an `Exception` too.
    let [group, base, exception] = [Builtin::ExceptionGroup, Builtin::BaseExceptionGroup, Builtin::Exception]
        .map(|class| &classes[class as usize]);
    group.bases.borrow_mut().push(exception.clone());
    *group.mro_tail.borrow_mut() =
        [base, exception].into_iter().cloned().chain(exception.mro_tail.borrow().iter().cloned()).collect();
    classes
}

/// A built-in class of this thread.
#[inline]
pub fn builtin_class(class: Builtin) -> ClassRef {
    CLASSES.with(|classes| classes.borrow()[class as usize].clone())
}

/// Attaches a table of methods to a class.
pub fn attach(class: &ClassRef, methods: &[Method]) {
    for method in methods {
        let function: Ref<NativeFunction> = method.build(Some(class.clone()), None);
        class.attributes.borrow_mut().insert(Name::new(method.name), Value::Native(function));
        debug_assert!(method.binding != Binding::Getter || method.signature == "(self)");
    }
}

/// A class of a module of the engine: single base, methods attached.
pub fn define_class(name: &str, module: &str, base: &ClassRef, payload: PayloadKind, methods: &[Method]) -> ClassRef {
    let mut mro_tail = vec![base.clone()];
    mro_tail.extend(base.mro_tail.borrow().iter().cloned());
    let class =
        Ref::new(ClassObject::new(Name::new(name), Name::new(module), vec![base.clone()], mro_tail, payload, false));
    attach(&class, methods);
    class
}
