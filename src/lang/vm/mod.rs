//! The machine: its stack of registers, its frames, and what native code asks of it.
//!
//! `run` executes instructions, `calls` binds arguments and starts frames, `attributes` and `operate` are the protocols of
//! attributes and operators, `unwind` takes exceptions to their handlers. Python calls never recurse in Rust: a frame is
//! pushed and the loop goes on with it. Only native code that calls back nests, and is counted.

mod arguments;
mod attributes;
mod calls;
mod classes;
mod containers;
mod convert;
mod dry;
mod generators;
pub(super) mod imports;
mod items;
mod numbers;
mod operate;
mod patterns;
mod placement;
mod recovery;
mod roots;
mod run;
mod scope;
mod script;
mod special;
#[cfg(test)]
mod tests;
mod unwind;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::builtins::classes::Builtin;
use super::code::{Code, Source, Span};
use super::frame::Frames;
use super::heap::{self, Ref};
use super::host::Host;
use super::name::Name;
use super::objects::{ArrayObject, ModuleObject};
use super::raise::{self, Fallible, Raised};
use super::value::Value;

pub use generators::{Resume, Step};
pub use roots::Root;

/// `sys.getrecursionlimit()` at the start.
const RECURSION_LIMIT: usize = 1000;
/// How many Rust activations of the loop may nest, whatever the recursion limit is set to.
const NATIVE_DEPTH_MAX: usize = 3000;

/// Bits of the attention word.
pub mod attention {
    /// Raise `KeyboardInterrupt`.
    pub const INTERRUPT: u32 = 1;
    /// Publish a snapshot of the session.
    pub const SNAPSHOT: u32 = 2;
    /// Leave as soon as possible.
    pub const SHUTDOWN: u32 = 4;
}

/// The machine of one evaluator thread.
pub struct Vm {
    /// Registers of all frames and arguments of native calls, one above the other.
    pub(super) stack: Vec<Value>,
    /// The first slot above what is in use.
    top: usize,
    frames: Frames,
    /// The session above.
    pub host: Rc<dyn Host>,
    /// The module that cells run in.
    pub main: Ref<ModuleObject>,
    /// The built-in names.
    pub builtins: Ref<ModuleObject>,
    /// `sys.modules`
    pub modules: Vec<(Name, Ref<ModuleObject>)>,
    /// Directories that `import` looks for files in.
    pub import_path: Vec<std::path::PathBuf>,
    /// The cycle collector's settings and counts.
    pub collector: super::collector::Collector,
    /// `sys.setrecursionlimit()`
    pub recursion_limit: usize,
    /// How many frames may run before the next question whether there may be more; at most the limit.
    depth_granted: usize,
    /// Whether an error keeps what the frames it ended held (`%errors keep-frames`), as Python's tracebacks do.
    pub keeps_frames: bool,
    /// What a dry run must not change, while one goes on.
    dry_run: Option<dry::DryRun>,
    /// Whether a `__del__` is being called.
    is_finalizing: bool,
    native_depth: usize,
    attention: Arc<AtomicU32>,
    pending: Vec<Ref<ArrayObject>>,
    next_source: u32,
    until_collection_check: u32,
    /// Whether the frame that `execute` ran yielded rather than returned.
    yielded: bool,
}

impl Vm {
    /// A machine with the built-in classes and functions.
    pub fn new(host: Rc<dyn Host>) -> Fallible<Self> {
        let main = Ref::new(ModuleObject::new(Name::new("__main__")));
        let builtins = Ref::new(ModuleObject::new(Name::new("builtins")));
        let mut vm = Self {
            stack: Vec::new(),
            top: 0,
            frames: Frames::default(),
            host,
            main: main.clone(),
            builtins: builtins.clone(),
            modules: vec![(Name::new("__main__"), main.clone()), (Name::new("builtins"), builtins)],
            import_path: Vec::new(),
            collector: super::collector::Collector::default(),
            recursion_limit: RECURSION_LIMIT,
            depth_granted: RECURSION_LIMIT,
            keeps_frames: false,
            dry_run: None,
            is_finalizing: false,
            native_depth: 0,
            attention: Arc::default(),
            pending: Vec::new(),
            next_source: 0,
            until_collection_check: 0,
            yielded: false,
        };
        vm.prepare_main(&main);
        super::builtins::install(&mut vm)?;
        // The engine's own objects are no reason to collect in the program's first lines.
        heap::reset_allocation_balance();
        Ok(vm)
    }

    fn prepare_main(&self, main: &Ref<ModuleObject>) {
        main.set(Name::new("__name__"), Value::str("__main__"));
        main.set(Name::new("__doc__"), Value::None);
        main.set(Name::new("__builtins__"), Value::Module(self.builtins.clone()));
    }

    pub(super) fn stack_value(&self, slot: usize) -> &Value {
        &self.stack[slot]
    }

    pub(super) fn stack_value_mut(&mut self, slot: usize) -> &mut Value {
        &mut self.stack[slot]
    }

    /// Makes sure the stack has slots up to `top`.
    #[inline(always)]
    fn ensure(&mut self, top: usize) {
        if self.stack.len() < top {
            self.grow_stack(top);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_stack(&mut self, top: usize) {
        self.stack.resize(top + 64, Value::Unset);
    }

    /// Keeps `value` visible to holder walks until the running native call returns.
    pub fn protect(&mut self, value: Value) {
        self.ensure(self.top + 1);
        self.stack[self.top] = value;
        self.top += 1;
    }

    /// A new source text with an identity of its own.
    pub fn new_source(&mut self, name: impl Into<Rc<str>>, text: impl Into<Rc<str>>, cell: Option<u32>) -> Rc<Source> {
        self.next_source += 1;
        Rc::new(Source::new(self.next_source, name, text, cell))
    }

    /// The word that other threads raise to interrupt the machine, see [`attention`].
    pub fn attention(&self) -> Arc<AtomicU32> {
        self.attention.clone()
    }

    /// Polls the attention word: raises KeyboardInterrupt, publishes snapshots. Long native loops call it.
    #[inline]
    pub fn poll(&mut self) -> Fallible<()> {
        if self.attention.load(Ordering::Relaxed) == 0 { Ok(()) } else { self.attend() }
    }

    #[cold]
    fn attend(&mut self) -> Fallible<()> {
        let word = self.attention.load(Ordering::Relaxed);
        if word & attention::SNAPSHOT != 0 {
            self.attention.fetch_and(!attention::SNAPSHOT, Ordering::Relaxed);
            let host = self.host.clone();
            host.publish_snapshot(self);
        }
        if word & attention::INTERRUPT != 0 {
            self.attention.fetch_and(!attention::INTERRUPT, Ordering::Relaxed);
            // An interrupt raises both flags and is delivered once: where an array operation had it, it is over.
            let arrays = crate::arrays::attention::handle();
            if arrays.interrupted() {
                arrays.clear();
                return Err(raise::keyboard_interrupt());
            }
        }
        if word & attention::SHUTDOWN != 0 {
            return Err(raise::keyboard_interrupt());
        }
        Ok(())
    }

    /// Where user code may run: finalizers that wait, a collection that is due, the attention word.
    #[inline]
    fn safe_point(&mut self) -> Fallible<()> {
        if heap::has_finalizers() {
            self.run_finalizers();
        }
        if self.collector.is_due() {
            super::collector::collect_due(self);
        }
        self.poll()
    }

    /// Runs the callbacks of weak references whose object went, and the `__del__` of objects whose last reference went.
    #[cold]
    pub fn run_finalizers(&mut self) {
        // The callbacks of weak references come first: they tell of objects that are gone.
        for reference in heap::weak::take_callbacks() {
            super::modules::weak_references::call_back(self, &reference);
        }
        for object in heap::take_finalizers() {
            self.finalize(&object);
        }
    }

    /// Runs one object's `__del__`; what it raises is reported, never propagated.
    pub fn finalize(&mut self, object: &Value) {
        if let Value::Generator(generator) = object {
            if let Err(error) = self.close_generator(generator) {
                self.report_unraisable(&error, object);
                self.pass_on_interrupt(&error);
            }
            return;
        }
        let Some(method) = self.find_special(object, super::name::names::DEL) else { return };
        self.protect(object.clone());
        let was_finalizing = std::mem::replace(&mut self.is_finalizing, true);
        let result = self.call(&method, &[]);
        self.is_finalizing = was_finalizing;
        if let Err(error) = result {
            let function = if let Value::Method(method) = &method { &method.function } else { &method };
            self.report_unraisable(&error, function);
            self.pass_on_interrupt(&error);
        }
        self.unprotect(1);
    }

    /// An interrupt that ended a finalizer was meant for the program: it is raised again for what comes next.
    fn pass_on_interrupt(&mut self, error: &Raised) {
        if error.is(Builtin::KeyboardInterrupt) {
            crate::arrays::attention::handle().interrupt();
            self.attention.fetch_or(attention::INTERRUPT, Ordering::Relaxed);
        }
    }

    /// Puts another value in the place of a protected one, counted from the last, 0.
    pub fn replace_protected(&mut self, from_last: usize, value: Value) {
        let old = std::mem::replace(&mut self.stack[self.top - 1 - from_last], value);
        drop(old);
    }

    /// Takes back the last `count` values given to [`Self::protect`], before the native call returns.
    pub fn unprotect(&mut self, count: usize) {
        for _ in 0..count {
            self.top -= 1;
            let old = std::mem::take(&mut self.stack[self.top]);
            drop(old);
        }
    }

    /// Adds an array whose expression waits for the end of the statement.
    pub fn add_pending(&mut self, array: Ref<ArrayObject>) {
        self.pending.push(array);
    }

    /// Takes the oldest pending array.
    pub fn take_pending(&mut self) -> Option<Ref<ArrayObject>> {
        if self.pending.is_empty() { None } else { Some(self.pending.remove(0)) }
    }

    /// Whether arrays wait to be computed.
    pub(super) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Computes pending arrays before anyone could tell that they were not.
    #[inline]
    pub fn settle_pending(&mut self) -> Fallible<()> {
        if self.pending.is_empty() { Ok(()) } else { self.settle_slow() }
    }

    #[cold]
    fn settle_slow(&mut self) -> Fallible<()> {
        super::arrays::pending::settle(self)
    }

    /// Relieves memory when an allocation did not fit: waits for queued work, breaks garbage cycles even while automatic
    /// collection is off, and returns the cache.
    pub fn relieve_memory(&mut self) {
        // What went wrong in queued work is told where its result is read; here only the wait matters.
        let _ = crate::arrays::registry::finish_all();
        super::collector::collect(self, 2);
        crate::arrays::pool::trim_all();
    }

    /// What the running code is at: its source's id and the span of the instruction, for the ledger's origins.
    pub fn origin(&self) -> Option<(u32, Span)> {
        let frame = self.frames.last()?;
        let at = frame.next.saturating_sub(1);
        Some((frame.code.source.id, frame.code.spans.get(at).copied().unwrap_or_default()))
    }

    /// Tells the ledger which expression the following allocations belong to: the innermost one of the program's own text.
    #[inline]
    pub(super) fn note_origin(&self) {
        let Some(frame) = self.frames.last() else { return };
        if frame.code.source.is_builtin {
            return;
        }
        let span = frame.code.spans.get(frame.next.saturating_sub(1)).map_or(0, |span| span.start);
        crate::arrays::ledger::set_origin(crate::arrays::ledger::Origin { code: frame.code.source.id, span });
    }

    /// What `super()` without arguments means in the running function: its class and its first argument.
    pub fn super_arguments(&self) -> Option<(Value, Value)> {
        let frame = self.frames.last()?;
        let at = frame.code.captured.iter().position(|name| name.text() == "__class__")?;
        let function = frame.function.as_ref()?;
        let class = function.closure.borrow().get(at)?.value.borrow().clone();
        let receiver = match self.stack.get(frame.base)? {
            Value::Cell(cell) => cell.value.borrow().clone(),
            other => other.clone(),
        };
        Some((class, receiver))
    }

    /// The code that is running, innermost last.
    pub fn running_code(&self) -> impl DoubleEndedIterator<Item = &Rc<Code>> {
        self.frames.iter().map(|frame| &frame.code)
    }
}
