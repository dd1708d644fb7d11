//! Dry runs: a program runs for what it would allocate, and changes nothing that existed before.
//!
//! Arrays have no memory then (`arrays::plan`); here is the other half. The names of the session are put aside and bound
//! back afterwards; objects that existed before are not changed: an attempt stops the run, naming what it was. Functions
//! of the engine are called only when they are known to change nothing else.

use hashbrown::HashSet;

use super::Vm;
use crate::arrays::plan;
use crate::lang::arrays::error::raised;
use crate::lang::code::{Code, Instruction};
use crate::lang::heap::{ObjectId, Ref};
use crate::lang::host::MagicCall;
use crate::lang::objects::{ModuleObject, Namespace, NativeFunction};
use crate::lang::raise::{Fallible, Raised};
use crate::lang::value::Value;

/// What a dry run must not change, and what is put back at its end.
pub struct DryRun {
    existing: HashSet<ObjectId>,
    names: Namespace,
}

/// Functions of the language that change something besides their answer.
const DENIED_BUILTINS: &[&str] = &[
    "exec",
    "eval",
    "compile",
    "open",
    "input",
    "setattr",
    "delattr",
    "exit",
    "quit",
    "__import__",
    "breakpoint",
    "globals",
    "locals",
    "vars",
    "next",
];

/// Modules whose functions change nothing, apart from those denied by name.
const PURE_MODULES: &[&str] = &[
    "builtins",
    "math",
    "cmath",
    "operator",
    "itertools",
    "functools",
    "_functools",
    "time",
    "random",
    "gc",
    "sys",
    "copy",
];

/// Functions of modules that are pure otherwise.
const DENIED_FUNCTIONS: &[&str] = &[
    "save",
    "savez",
    "savez_compressed",
    "savetxt",
    "tofile",
    "dump",
    "load",
    "loadtxt",
    "genfromtxt",
    "fromfile",
    "sleep",
    "setitem",
    "delitem",
    "seed",
    "set_printoptions",
    "seterr",
    "seterrcall",
    "setrecursionlimit",
    "disable",
    "enable",
    "set_threshold",
    "setstate",
    "set_state",
    "shuffle",
    "set_default_device",
    "resize",
    "setflags",
];

/// Classes of the engine whose objects never change.
const IMMUTABLE: &[&str] = &[
    "str",
    "int",
    "float",
    "complex",
    "bool",
    "bytes",
    "tuple",
    "range",
    "slice",
    "frozenset",
    "NoneType",
    "dtype",
    "type",
    "object",
    "super",
    "property",
    "SyclQueue",
    "SyclDevice",
    "SyclContext",
    "Device",
    "function",
    "ellipsis",
    "budget",
    "device",
    "partial",
];

/// Methods of lists, dicts, sets and their kin that only look.
const LOOKING: &[&str] = &[
    "copy",
    "count",
    "index",
    "get",
    "keys",
    "values",
    "items",
    "union",
    "intersection",
    "difference",
    "issubset",
    "issuperset",
    "isdisjoint",
    "symmetric_difference",
    "most_common",
    "elements",
    "__len__",
    "__getitem__",
    "__contains__",
    "__iter__",
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__repr__",
    "__str__",
    "__hash__",
    "__bool__",
    "__add__",
    "__mul__",
    "__rmul__",
    "__or__",
    "__and__",
    "__sub__",
    "__xor__",
    "__reversed__",
    "__format__",
    "__init_subclass__",
    "decode",
    "hex",
    "find",
    "startswith",
    "endswith",
    "split",
    "__new__",
    "__float__",
    "__int__",
    "__index__",
];

impl Vm {
    /// Begins a dry run. `held` are values that the session holds besides names, such as outputs.
    pub fn begin_dry_run(&mut self, held: &[Value]) {
        let mut existing = HashSet::new();
        let mut waiting: Vec<Value> = held.to_vec();
        self.visit_roots(&mut |_, value| waiting.push(value.clone()));
        while let Some(value) = waiting.pop() {
            if value.heap_id().is_some_and(|id| existing.insert(id)) {
                value.visit_children(&mut |_, child| {
                    if child.heap_id().is_some_and(|id| !existing.contains(&id)) {
                        waiting.push(child.clone());
                    }
                });
            }
        }
        let names = self.main.globals.borrow().clone();
        self.dry_run = Some(DryRun { existing, names });
        plan::begin();
    }

    /// Ends it: names are bound as before. What the run made is dropped first, while it still counts.
    pub fn end_dry_run(&mut self) -> plan::Outcome {
        if let Some(run) = &mut self.dry_run {
            // The names of the session were copied, so nothing of theirs goes with the run's own.
            let made = self.main.globals.replace(std::mem::take(&mut run.names));
            drop(made);
            // What the run made and let go of is finalized as it was made: without effect.
            self.run_finalizers();
            self.dry_run = None;
        }
        plan::end()
    }

    /// Whether a dry run is going on.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run.is_some()
    }

    fn existed(&self, value: &Value) -> bool {
        let run = self.dry_run.as_ref();
        run.zip(value.heap_id()).is_some_and(|(run, id)| run.existing.contains(&id))
    }

    /// Refuses to change an object that existed before; arrays are followed by the plan itself.
    #[cold]
    pub(super) fn refuse_change(&self, value: &Value, is_attribute: bool) -> Fallible<()> {
        if self.existed(value) && (is_attribute || !matches!(value, Value::Array(_))) {
            return Err(stopped(format!(
                "what comes next would change a {} that exists outside the plan",
                value.type_name()
            )));
        }
        Ok(())
    }

    /// Refuses to change in place what existed before: a list that grows, a set that takes in another.
    #[cold]
    pub(super) fn refuse_growth(&self, value: &Value) -> Fallible<()> {
        match value {
            Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::ByteArray(_) | Value::Object(_) => {
                self.refuse_change(value, false)
            }
            _ => Ok(()),
        }
    }

    /// Refuses a magic in a dry run: most of them show or change the session itself.
    pub fn refuse_planned_magic(&self, call: &MagicCall) -> Fallible<()> {
        if !self.is_dry_run() {
            return Ok(());
        }
        let sign = if call.body.is_some() { "%%" } else { "%" };
        Err(stopped(format!("{sign}{} may change something outside the plan", call.name)))
    }

    /// Refuses to step an iterator that existed before.
    #[cold]
    pub(super) fn refuse_stepping(&self, value: &Value) -> Fallible<()> {
        match value {
            Value::Iterator(_) | Value::Generator(_) => self.refuse_change(value, false),
            Value::Object(object) if object.data().is_iterator() => self.refuse_change(value, false),
            _ => Ok(()),
        }
    }

    /// Refuses code that binds names of a module other than the cells' own.
    #[cold]
    pub(super) fn refuse_foreign_globals(&self, code: &Code, module: &Ref<ModuleObject>) -> Fallible<()> {
        let binds = |instruction: &Instruction| matches!(instruction, Instruction::StoreGlobal(..));
        if !Ref::ptr_eq(module, &self.main)
            && self.existed(&Value::Module(module.clone()))
            && code.instructions.iter().any(binds)
        {
            return Err(stopped(format!("{} would bind names of the module {}", code.name.text(), module.name.text())));
        }
        Ok(())
    }

    /// Refuses a function of the engine that may change something outside the plan; answers whether it is only passed
    /// over (`print`).
    #[cold]
    pub(super) fn refuse_native(&self, function: &NativeFunction, first: usize, count: usize) -> Fallible<bool> {
        let name = function.definition.name;
        let receiver = (count > 0).then(|| &self.stack[first]);
        let is_old = receiver.is_some_and(|receiver| self.existed(receiver));
        let Some(class) = &function.class else {
            let module = function.module.map_or("builtins", |module| module.text());
            if module == "builtins" && name == "print" {
                return Ok(true);
            }
            let is_pure = is_array_module(module) || PURE_MODULES.contains(&module);
            let is_denied = match module {
                "builtins" => DENIED_BUILTINS.contains(&name) && (name != "next" || is_old),
                _ => DENIED_FUNCTIONS.contains(&name),
            };
            if is_pure && !is_denied {
                return Ok(false);
            }
            return Err(stopped(format!("{module}.{name} may change something outside the plan")));
        };
        let class_name = class.name.get().text();
        let is_file = matches!(
            class_name,
            "TextIOWrapper" | "BufferedReader" | "BufferedWriter" | "FileIO" | "Path" | "PosixPath"
        );
        if is_file {
            return Err(stopped(format!("{class_name}.{name} may change something outside the plan")));
        }
        // Arrays are followed by the plan itself, and universal functions and streams of random numbers with them.
        let is_of_arrays =
            matches!(receiver, Some(Value::Array(_) | Value::Scalar(_))) || is_array_module(class.module.get().text());
        let is_scope = matches!(class_name, "budget" | "device");
        let only_looks = LOOKING.contains(&name) || IMMUTABLE.contains(&class_name) || is_scope;
        if !is_old || only_looks || (is_of_arrays && !DENIED_FUNCTIONS.contains(&name)) {
            return Ok(false);
        }
        Err(stopped(format!("{class_name}.{name} would change a {class_name} that exists outside the plan")))
    }
}

fn is_array_module(module: &str) -> bool {
    ["dpnp", "numpy", "dpctl", "cunumpy"].iter().any(|known| module.starts_with(known))
}

fn stopped(reason: String) -> Raised {
    raised(plan::stop(reason))
}
