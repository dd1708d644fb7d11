//! Directories: lists, entries, walks.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use super::files::stat_value;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::modules::file_system::{name_value, os_error, path_argument, path_of, path_value};
use crate::lang::modules::support::{Typed, attach_iterator, thread_class};
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, ListObject, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, Raised};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

pub(super) const FUNCTIONS: &[Method] = &[
    method("listdir", "(path=None)", "Return a list containing the names of the files in the directory.", list),
    method("scandir", "(path=None)", "Return an iterator of DirEntry objects for given path.", scan),
    method("walk", "(top, topdown=True, onerror=None, followlinks=False)", "Directory tree generator.", walk),
];

fn directory_argument(vm: &mut Vm, args: Args) -> Fallible<(Value, PathBuf)> {
    let value = args.not_none(vm, 0).unwrap_or_else(|| ".".into());
    super::refuse_descriptor(&value, "listdir")?;
    let path = path_of(vm, &value)?;
    Ok((value, path))
}

fn list(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (value, path) = directory_argument(vm, args)?;
    let like_bytes = matches!(value, Value::Bytes(_));
    let mut found = Vec::new();
    for entry in fs::read_dir(&path).map_err(|error| os_error(&error, Some(&value)))? {
        let entry = entry.map_err(|error| os_error(&error, Some(&value)))?;
        found.push(name_value(&entry.file_name(), like_bytes));
        vm.reserve(64)?;
    }
    Ok(Value::list(found))
}

/// `os.DirEntry`
#[derive(Debug)]
struct Entry {
    name: String,
    path: PathBuf,
    kind: Option<fs::FileType>,
}

thread_class! {
    /// `os.DirEntry`
    pub(super) fn entry_class() = define_class("DirEntry", "posix", &builtin_class(Builtin::Object), PayloadKind::Sealed, ENTRY);
}

impl NativeData for Entry {
    fn class(&self) -> ClassRef {
        entry_class()
    }
}

impl Entry {
    fn of(vm: &Vm, args: Args) -> Fallible<Typed<Self>> {
        Typed::receiver(vm, args, "posix.DirEntry")
    }

    fn metadata(&self, follow: bool) -> std::io::Result<fs::Metadata> {
        if follow { fs::metadata(&self.path) } else { fs::symlink_metadata(&self.path) }
    }

    /// Whether it is of a kind; the system is asked only where the directory did not say.
    fn is(&self, follow: bool, question: fn(&fs::FileType) -> bool) -> bool {
        match self.kind {
            Some(kind) if !follow || !kind.is_symlink() => question(&kind),
            _ => self.metadata(follow).is_ok_and(|metadata| question(&metadata.file_type())),
        }
    }
}

const ENTRY: &[Method] = &[
    getter("name", "the entry's base filename, relative to scandir() \"path\" argument", |vm, args| {
        Ok(Entry::of(vm, args)?.name.clone().into())
    }),
    getter("path", "the entry's full path name", |vm, args| Ok(path_value(&Entry::of(vm, args)?.path))),
    method(
        "is_dir",
        "(self, *, follow_symlinks=True)",
        "Return True if the entry is a directory; cached per entry.",
        |vm, args| {
            let follow = args.truth_or(vm, 1, true)?;
            Ok(Entry::of(vm, args)?.is(follow, fs::FileType::is_dir).into())
        },
    ),
    method(
        "is_file",
        "(self, *, follow_symlinks=True)",
        "Return True if the entry is a file; cached per entry.",
        |vm, args| {
            let follow = args.truth_or(vm, 1, true)?;
            Ok(Entry::of(vm, args)?.is(follow, fs::FileType::is_file).into())
        },
    ),
    method("is_symlink", "(self, /)", "Return True if the entry is a symbolic link; cached per entry.", |vm, args| {
        Ok(Entry::of(vm, args)?.is(false, fs::FileType::is_symlink).into())
    }),
    method(
        "stat",
        "(self, *, follow_symlinks=True)",
        "Return stat_result object for the entry; cached per entry.",
        |vm, args| {
            let follow = args.truth_or(vm, 1, true)?;
            let entry = Entry::of(vm, args)?;
            entry
                .metadata(follow)
                .map(|metadata| stat_value(&metadata))
                .map_err(|error| os_error(&error, Some(&path_value(&entry.path))))
        },
    ),
    method("__fspath__", "(self, /)", "Returns the path for the entry.", |vm, args| {
        Ok(path_value(&Entry::of(vm, args)?.path))
    }),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let name: Value = Entry::of(vm, args)?.name.clone().into();
        Ok(format!("<DirEntry {}>", vm.repr(&name)?).into())
    }),
];

/// The iterator that `scandir` answers.
#[derive(Debug)]
struct Scan {
    entries: RefCell<Option<fs::ReadDir>>,
    path: PathBuf,
}

thread_class! {
    fn scan_class() = {
        let class = define_class("ScandirIterator", "posix", &builtin_class(Builtin::Object), PayloadKind::Sealed, SCAN);
        attach_iterator(&class);
        class
    };
}

const SCAN: &[Method] = &[
    method("close", "(self, /)", "Close the iterator.", end_scan),
    method("__enter__", "(self, /)", "The iterator itself.", |vm, args| Ok(args.get(vm, 0))),
    method("__exit__", "(self, *exception)", "Close the iterator.", end_scan),
];

fn end_scan(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Typed::<Scan>::receiver(vm, args, "posix.ScandirIterator")?.entries.borrow_mut().take();
    Ok(Value::None)
}

impl NativeData for Scan {
    fn class(&self) -> ClassRef {
        scan_class()
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, _vm: &mut Vm) -> Fallible<Option<Value>> {
        let next = self.entries.borrow_mut().as_mut().and_then(Iterator::next);
        let Some(entry) = next else {
            self.entries.borrow_mut().take();
            return Ok(None);
        };
        let entry = entry.map_err(|error| os_error(&error, Some(&path_value(&self.path))))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Ok(Some(Value::object(Entry { path: self.path.join(&name), name, kind: entry.file_type().ok() })))
    }
}

fn scan(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (value, path) = directory_argument(vm, args)?;
    let entries = fs::read_dir(&path).map_err(|error| os_error(&error, Some(&value)))?;
    Ok(Value::object(Scan { entries: RefCell::new(Some(entries)), path }))
}

/// A walk through a tree. Top down, the program may change the list of subdirectories before the walk goes on.
#[derive(Debug)]
struct Walk {
    state: RefCell<WalkState>,
    top_down: bool,
    follow: bool,
    on_error: Value,
}

#[derive(Debug, Default)]
struct WalkState {
    /// Directories to visit, the next one last; with their contents where these are already known.
    stack: Vec<(PathBuf, Option<Value>)>,
    /// The directory that was given out last, and its list of subdirectories.
    given: Option<(PathBuf, Ref<ListObject>)>,
}

thread_class! {
    fn walk_class() = {
        let class = define_class("generator", "builtins", &builtin_class(Builtin::Object), PayloadKind::Sealed, &[]);
        attach_iterator(&class);
        class
    };
}

impl Walk {
    /// The names in a directory, subdirectories and others.
    fn read(path: &Path) -> Result<(Vec<String>, Vec<String>), Raised> {
        let fail = |error: std::io::Error| os_error(&error, Some(&path_value(path)));
        let (mut directories, mut files) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(path).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_directory = entry.path().is_dir();
            if is_directory { directories.push(name) } else { files.push(name) }
        }
        Ok((directories, files))
    }

    /// The directories below that the walk goes into.
    fn below(&self, path: &Path, names: &[Value]) -> Vec<PathBuf> {
        let paths = names.iter().filter_map(|name| Some(path.join(name.as_str()?)));
        paths.filter(|path| self.follow || !path.is_symlink()).collect()
    }

    fn list(names: &[String]) -> Vec<Value> {
        names.iter().map(|name| name.as_str().into()).collect()
    }
}

impl NativeData for Walk {
    fn class(&self) -> ClassRef {
        walk_class()
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        if !self.on_error.is_unset() {
            visit(Edge::Callable, &self.on_error);
        }
        let state = self.state.borrow();
        state
            .stack
            .iter()
            .filter_map(|(_, known)| known.as_ref())
            .for_each(|value| visit(Edge::Other("contents"), value));
        if let Some((_, list)) = &state.given {
            visit(Edge::Other("subdirectories"), &Value::List(list.clone()));
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        let state = self.state.take();
        into.extend(state.stack.into_iter().filter_map(|(_, known)| known));
        into.extend(state.given.map(|(_, list)| Value::List(list)));
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let given = self.state.borrow_mut().given.take();
        if let Some((path, names)) = given {
            let names = names.items.borrow().clone();
            let below = self.below(&path, &names);
            self.state.borrow_mut().stack.extend(below.into_iter().rev().map(|path| (path, None)));
        }
        loop {
            vm.poll()?;
            let next = self.state.borrow_mut().stack.pop();
            let Some((path, known)) = next else { return Ok(None) };
            if let Some(contents) = known {
                return Ok(Some(contents));
            }
            let (directories, files) = match Self::read(&path) {
                Ok(read) => read,
                Err(error) => {
                    if !self.on_error.is_unset() {
                        vm.call(&self.on_error, &[Value::Exception(error.0)])?;
                    }
                    continue;
                }
            };
            let names = Self::list(&directories);
            let list = Ref::new(ListObject::new(names.clone()));
            let contents =
                Value::tuple([path_value(&path), Value::List(list.clone()), Value::list(Self::list(&files))]);
            if self.top_down {
                self.state.borrow_mut().given = Some((path, list));
                return Ok(Some(contents));
            }
            let below = self.below(&path, &names);
            let mut state = self.state.borrow_mut();
            state.stack.push((path, Some(contents)));
            state.stack.extend(below.into_iter().rev().map(|path| (path, None)));
        }
    }
}

fn walk(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (_, path) = path_argument(vm, args, 0)?;
    let top_down = args.truth_or(vm, 1, true)?;
    let follow = args.truth_or(vm, 3, false)?;
    let state = WalkState { stack: vec![(path, None)], given: None };
    let on_error = args.not_none(vm, 2).unwrap_or_default();
    Ok(Value::object(Walk { state: RefCell::new(state), top_down, follow, on_error }))
}
