//! `os.path`: paths as text, and questions about what they name.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::lang::heap::Ref;
use crate::lang::modules::file_system::{fspath, os_error, path_argument, path_of, path_value};
use crate::lang::modules::support::{items_of, new_module, set};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::{Fallible, not_implemented_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const FUNCTIONS: &[Method] = &[
    method("join", "(a, /, *paths)", "Join two or more pathname components, inserting '/' as needed.", join),
    method(
        "split",
        "(p)",
        "Split a pathname.  Returns tuple \"(head, tail)\" where \"tail\" is everything after the final slash.",
        |vm, args| {
            let path = text(vm, args, 0)?;
            let (head, tail) = split_text(&path);
            Ok(Value::tuple([head.into(), tail.into()]))
        },
    ),
    method("basename", "(p)", "Returns the final component of a pathname", |vm, args| {
        Ok(split_text(&text(vm, args, 0)?).1.into())
    }),
    method("dirname", "(p)", "Returns the directory component of a pathname", |vm, args| {
        Ok(split_text(&text(vm, args, 0)?).0.into())
    }),
    method("splitext", "(p)", "Split the extension from a pathname.", |vm, args| {
        let path = text(vm, args, 0)?;
        let (root, extension) = split_extension(&path);
        Ok(Value::tuple([root.into(), extension.into()]))
    }),
    method(
        "splitdrive",
        "(p)",
        "Split a pathname into drive and path. On Posix, drive is always empty.",
        |vm, args| Ok(Value::tuple(["".into(), text(vm, args, 0)?.into()])),
    ),
    method("normpath", "(path)", "Normalize path, eliminating double slashes, etc.", |vm, args| {
        Ok(normalize(&text(vm, args, 0)?).into())
    }),
    method("normcase", "(s)", "Normalize case of pathname.  Has no effect under Posix", |vm, args| {
        Ok(text(vm, args, 0)?.into())
    }),
    method("abspath", "(path)", "Return an absolute path.", |vm, args| {
        let path = text(vm, args, 0)?;
        Ok(absolute(&path)?.into())
    }),
    method(
        "realpath",
        "(filename, *, strict=False)",
        "Return the canonical path of the specified filename, eliminating any symbolic links encountered in the path.",
        |vm, args| {
            let path = text(vm, args, 0)?;
            let is_strict = args.truth_or(vm, 1, false)?;
            let full = absolute_raw(&path)?;
            if is_strict && let Err(error) = fs::canonicalize(&full) {
                return Err(os_error(&error, Some(&path.into())));
            }
            Ok(path_value(&resolve(&full)))
        },
    ),
    method("relpath", "(path, start=None)", "Return a relative version of a path", relative),
    method("isabs", "(s)", "Test whether a path is absolute", |vm, args| {
        Ok(text(vm, args, 0)?.starts_with('/').into())
    }),
    method("exists", "(path)", "Test whether a path exists.  Returns False for broken symbolic links", |vm, args| {
        ask(vm, args, Path::exists)
    }),
    method("lexists", "(path)", "Test whether a path exists.  Returns True for broken symbolic links", |vm, args| {
        ask(vm, args, |path| fs::symlink_metadata(path).is_ok())
    }),
    method("isfile", "(path)", "Test whether a path is a regular file", |vm, args| ask(vm, args, Path::is_file)),
    method("isdir", "(s)", "Return true if the pathname refers to an existing directory.", |vm, args| {
        ask(vm, args, Path::is_dir)
    }),
    method("islink", "(path)", "Test whether a path is a symbolic link", |vm, args| ask(vm, args, Path::is_symlink)),
    method("ismount", "(path)", "Test whether a path is a mount point", |vm, args| ask(vm, args, is_mount)),
    method("getsize", "(filename)", "Return the size of a file, reported by os.stat().", |vm, args| {
        let metadata = metadata(vm, args, 0)?;
        Ok(Value::int(metadata.len()))
    }),
    method(
        "getmtime",
        "(filename)",
        "Return the last modification time of a file, reported by os.stat().",
        |vm, args| {
            let metadata = metadata(vm, args, 0)?;
            Ok(Value::Float(metadata.mtime() as f64 + metadata.mtime_nsec() as f64 * 1e-9))
        },
    ),
    method("getatime", "(filename)", "Return the last access time of a file, reported by os.stat().", |vm, args| {
        let metadata = metadata(vm, args, 0)?;
        Ok(Value::Float(metadata.atime() as f64 + metadata.atime_nsec() as f64 * 1e-9))
    }),
    method(
        "getctime",
        "(filename)",
        "Return the metadata change time of a file, reported by os.stat().",
        |vm, args| {
            let metadata = metadata(vm, args, 0)?;
            Ok(Value::Float(metadata.ctime() as f64 + metadata.ctime_nsec() as f64 * 1e-9))
        },
    ),
    method(
        "samefile",
        "(f1, f2)",
        "Test whether two pathnames reference the same actual file or directory",
        |vm, args| {
            let (a, b) = (metadata(vm, args, 0)?, metadata(vm, args, 1)?);
            Ok((a.ino() == b.ino() && a.dev() == b.dev()).into())
        },
    ),
    method(
        "expanduser",
        "(path)",
        "Expand ~ and ~user constructions.  If user or $HOME is unknown, do nothing.",
        expand_user,
    ),
    method(
        "expandvars",
        "(path)",
        "Expand shell variables of form $var and ${var}.  Unknown variables are left unchanged.",
        expand_variables,
    ),
    method(
        "commonprefix",
        "(m)",
        "Given a list of pathnames, returns the longest common leading component",
        common_prefix,
    ),
    method(
        "commonpath",
        "(paths)",
        "Given a sequence of path names, returns the longest common sub-path.",
        common_path,
    ),
];

thread_local! {
    static MODULE: std::cell::OnceCell<Ref<ModuleObject>> = const { std::cell::OnceCell::new() };
}

/// Builds `os.path`, also known as `posixpath`: one module under both names.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(MODULE.with(|module| module.get_or_init(new).clone()))
}

fn new() -> Ref<ModuleObject> {
    let module = new_module("posixpath", "Common operations on Posix pathnames.", FUNCTIONS);
    for (name, value) in super::SEPARATORS {
        set(&module, name, *value);
    }
    set(&module, "altsep", Value::None);
    set(&module, "supports_unicode_filenames", false);
    module
}

/// Parameter `index` as the text of a path.
fn text(vm: &mut Vm, args: Args, index: usize) -> Fallible<String> {
    let value = args.get(vm, index);
    text_of_path(vm, &value)
}

fn text_of_path(vm: &mut Vm, value: &Value) -> Fallible<String> {
    match fspath(vm, value)? {
        Value::Str(text) => Ok(text.as_str().to_owned()),
        _ => Err(not_implemented_error("os.path functions of bytes are not here; decode the path")),
    }
}

/// Everything up to the last slash, and what follows it.
pub(super) fn split_text(path: &str) -> (&str, &str) {
    let at = path.rfind('/').map_or(0, |at| at + 1);
    let (head, tail) = path.split_at(at);
    let trimmed = head.trim_end_matches('/');
    (if trimmed.is_empty() { head } else { trimmed }, tail)
}

fn split_extension(path: &str) -> (&str, &str) {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let Some(dot) = path.rfind('.').filter(|dot| *dot > name) else { return (path, "") };
    // Leading dots belong to the name.
    if path[name..dot].bytes().all(|byte| byte == b'.') { (path, "") } else { path.split_at(dot) }
}

fn join(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let mut joined = text_of_path(vm, &value)?;
    for part in items_of(&args.get(vm, 1)) {
        let Ok(part) = text_of_path(vm, &part) else {
            return Err(if matches!(part, Value::Bytes(_)) {
                type_error("Can't mix strings and bytes in path components")
            } else {
                type_error(format!(
                    "join() argument must be str, bytes, or os.PathLike object, not '{}'",
                    part.type_name()
                ))
            });
        };
        if part.starts_with('/') {
            joined = part;
        } else {
            if !joined.is_empty() && !joined.ends_with('/') {
                joined.push('/');
            }
            joined.push_str(&part);
        }
    }
    Ok(joined.into())
}

/// A path without double slashes, `.` and, where that is plain, `..`.
pub(super) fn normalize(path: &str) -> String {
    if path.is_empty() {
        return ".".to_owned();
    }
    // Two leading slashes mean something of their own; three or more are one.
    let slashes = match path.bytes().take_while(|byte| *byte == b'/').count() {
        0 => 0,
        2 => 2,
        _ => 1,
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if slashes > 0 => {}
            part => parts.push(part),
        }
    }
    let text = format!("{}{}", "/".repeat(slashes), parts.join("/"));
    if text.is_empty() { ".".to_owned() } else { text }
}

fn absolute_raw(path: &str) -> Fallible<PathBuf> {
    let here = std::env::current_dir().map_err(|error| os_error(&error, None))?;
    Ok(here.join(path))
}

fn absolute(path: &str) -> Fallible<String> {
    Ok(normalize(&absolute_raw(path)?.to_string_lossy()))
}

/// The path with every symbolic link replaced that can be; what does not exist stays as it is.
fn resolve(path: &Path) -> PathBuf {
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    let normal = PathBuf::from(normalize(&path.to_string_lossy()));
    match (normal.parent(), normal.file_name()) {
        (Some(parent), Some(name)) => resolve(parent).join(name),
        _ => normal,
    }
}

fn relative(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let path = text(vm, args, 0)?;
    if path.is_empty() {
        return Err(value_error("no path specified"));
    }
    let start = match args.not_none(vm, 1) {
        Some(start) => text_of_path(vm, &start)?,
        None => ".".to_owned(),
    };
    let (start, path) = (absolute(&start)?, absolute(&path)?);
    let parts = |text: &str| text.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (start, path) = (parts(&start), parts(&path));
    let common = start.iter().zip(&path).take_while(|(a, b)| a == b).count();
    let mut steps = vec!["..".to_owned(); start.len() - common];
    steps.extend_from_slice(&path[common..]);
    Ok(if steps.is_empty() { "." } else { return Ok(steps.join("/").into()) }.into())
}

fn ask(vm: &mut Vm, args: Args, question: fn(&Path) -> bool) -> Fallible<Value> {
    let value = args.get(vm, 0);
    if matches!(value, Value::Int(_)) {
        return Err(not_implemented_error("os.path functions of file descriptors are not here"));
    }
    match path_of(vm, &value) {
        Ok(path) => Ok(question(&path).into()),
        Err(error) if error.is(crate::lang::builtins::classes::Builtin::ValueError) => Ok(false.into()),
        Err(_) => Err(type_error(format!(
            "stat: path should be string, bytes, os.PathLike or integer, not {}",
            value.type_name()
        ))),
    }
}

fn is_mount(path: &Path) -> bool {
    let (Ok(own), Ok(parent)) = (fs::symlink_metadata(path), fs::symlink_metadata(path.join(".."))) else {
        return false;
    };
    !own.is_symlink() && (own.dev() != parent.dev() || own.ino() == parent.ino())
}

fn metadata(vm: &mut Vm, args: Args, index: usize) -> Fallible<fs::Metadata> {
    let (value, path) = path_argument(vm, args, index)?;
    fs::metadata(&path).map_err(|error| os_error(&error, Some(&value)))
}

/// The person's home, as `~` means it.
pub fn home() -> Option<String> {
    std::env::var("HOME").ok().or_else(|| std::env::home_dir().map(|path| path.to_string_lossy().into_owned()))
}

fn expand_user(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let path = text(vm, args, 0)?;
    if let Some(rest) = path.strip_prefix('~')
        && (rest.is_empty() || rest.starts_with('/'))
        && let Some(home) = super::environ::get(vm, "HOME").or_else(home)
    {
        let expanded = format!("{}{rest}", home.trim_end_matches('/'));
        return Ok(if expanded.is_empty() { "/".into() } else { expanded.into() });
    }
    Ok(path.into())
}

fn expand_variables(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let path = text(vm, args, 0)?;
    let mut out = String::new();
    let mut rest = path.as_str();
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let (name, len) = if let Some(braced) = after.strip_prefix('{') {
            braced.find('}').map_or(("", 0), |end| (&braced[..end], end + 2))
        } else {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            (&after[..end], end)
        };
        match if name.is_empty() { None } else { super::environ::get(vm, name) } {
            Some(value) => out.push_str(&value),
            None => out.push_str(&rest[at..=at + len]),
        }
        rest = &after[len..];
    }
    out.push_str(rest);
    Ok(out.into())
}

fn common_prefix(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let items = args.get(vm, 0);
    let mut paths = Vec::new();
    for item in vm.collect(&items)? {
        paths.push(text_of_path(vm, &item)?);
    }
    let (Some(low), Some(high)) = (paths.iter().min(), paths.iter().max()) else { return Ok("".into()) };
    let common: String = low.chars().zip(high.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c).collect();
    Ok(common.into())
}

fn common_path(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let items = args.get(vm, 0);
    let mut paths = Vec::new();
    for item in vm.collect(&items)? {
        paths.push(text_of_path(vm, &item)?);
    }
    let Some(first) = paths.first() else { return Err(value_error("commonpath() arg is an empty sequence")) };
    let is_absolute = first.starts_with('/');
    if paths.iter().any(|path| path.starts_with('/') != is_absolute) {
        return Err(value_error("Can't mix absolute and relative paths"));
    }
    let parts: Vec<Vec<&str>> =
        paths.iter().map(|path| path.split('/').filter(|part| !part.is_empty() && *part != ".").collect()).collect();
    let shortest = parts.iter().map(Vec::len).min().unwrap_or(0);
    let common = (0..shortest).take_while(|at| parts.iter().all(|path| path[*at] == parts[0][*at])).count();
    Ok(format!("{}{}", if is_absolute { "/" } else { "" }, parts[0][..common].join("/")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_normalize_as_posix_says() {
        for (path, expected) in [
            ("", "."),
            ("a//b/./c/..", "a/b"),
            ("/../a", "/a"),
            ("//a", "//a"),
            ("///a", "/a"),
            ("../..", "../.."),
            ("a/..", "."),
        ] {
            assert_eq!(normalize(path), expected, "{path}");
        }
    }

    #[test]
    fn paths_split_into_head_tail_and_extension() {
        assert_eq!(split_text("/a/b"), ("/a", "b"));
        assert_eq!(split_text("/a"), ("/", "a"));
        assert_eq!(split_text("a//b"), ("a", "b"));
        assert_eq!(split_extension("x/.bashrc"), ("x/.bashrc", ""));
        assert_eq!(split_extension("x.tar.gz"), ("x.tar", ".gz"));
        assert_eq!(split_extension("a.b/c"), ("a.b/c", ""));
    }
}
