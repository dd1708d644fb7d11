//! Functions of `os` that look at or change files and directories.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::refuse_descriptor;
use crate::lang::modules::file_system::{errno_error, os_error, path_argument, path_of, path_value};
use crate::lang::modules::struct_sequence;
use crate::lang::modules::support::{items_of, thread_class};
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const STAT_FIELDS: &[&str] =
    &["st_mode", "st_ino", "st_dev", "st_nlink", "st_uid", "st_gid", "st_size", "st_atime", "st_mtime", "st_ctime"];

thread_class! {
    /// `os.stat_result`; its times are whole as items and fractional as attributes.
    pub(super) fn stat_result() = struct_sequence::define_partly("stat_result", "os", STAT_FIELDS, 7);
}

pub(super) const FUNCTIONS: &[Method] = &[
    method("getcwd", "()", "Return a unicode string representing the current working directory.", |_, _| {
        std::env::current_dir().map(|path| path_value(&path)).map_err(|error| os_error(&error, None))
    }),
    method("chdir", "(path)", "Change the current working directory to the specified path.", |vm, args| {
        change(vm, args, |path| std::env::set_current_dir(path))
    }),
    method("mkdir", "(path, mode=511, *, dir_fd=None)", "Create a directory.", |vm, args| {
        let mode = args.index_or(vm, 1, 0o777)?;
        let (value, path) = path_argument(vm, args, 0)?;
        make_directory(&path, mode).map_err(|error| os_error(&error, Some(&value)))?;
        Ok(Value::None)
    }),
    method(
        "makedirs",
        "(name, mode=511, exist_ok=False)",
        "Super-mkdir; create a leaf directory and all intermediate ones.",
        make_directories,
    ),
    method("rmdir", "(path, *, dir_fd=None)", "Remove a directory.", |vm, args| {
        change(vm, args, |path| fs::remove_dir(path))
    }),
    method(
        "removedirs",
        "(name)",
        "Super-rmdir; remove a leaf directory and all empty intermediate ones.",
        |vm, args| {
            let (value, path) = path_argument(vm, args, 0)?;
            fs::remove_dir(&path).map_err(|error| os_error(&error, Some(&value)))?;
            path.ancestors()
                .skip(1)
                .take_while(|parent| !parent.as_os_str().is_empty() && fs::remove_dir(parent).is_ok())
                .for_each(drop);
            Ok(Value::None)
        },
    ),
    method("remove", "(path, *, dir_fd=None)", "Remove a file (same as unlink()).", |vm, args| {
        change(vm, args, |path| fs::remove_file(path))
    }),
    method("unlink", "(path, *, dir_fd=None)", "Remove a file (same as remove()).", |vm, args| {
        change(vm, args, |path| fs::remove_file(path))
    }),
    method("rename", "(src, dst, *, src_dir_fd=None, dst_dir_fd=None)", "Rename a file or directory.", rename),
    method(
        "replace",
        "(src, dst, *, src_dir_fd=None, dst_dir_fd=None)",
        "Rename a file or directory, overwriting the destination.",
        rename,
    ),
    method(
        "symlink",
        "(src, dst, target_is_directory=False, *, dir_fd=None)",
        "Create a symbolic link pointing to src named dst.",
        |vm, args| both(vm, args, |from, to| std::os::unix::fs::symlink(from, to)),
    ),
    method("link", "(src, dst)", "Create a hard link to a file.", |vm, args| {
        both(vm, args, |from, to| fs::hard_link(from, to))
    }),
    method(
        "readlink",
        "(path, *, dir_fd=None)",
        "Return a string representing the path to which the symbolic link points.",
        |vm, args| {
            let (value, path) = path_argument(vm, args, 0)?;
            fs::read_link(&path).map(|target| path_value(&target)).map_err(|error| os_error(&error, Some(&value)))
        },
    ),
    method(
        "stat",
        "(path, *, dir_fd=None, follow_symlinks=True)",
        "Perform a stat system call on the given path.",
        stat,
    ),
    method(
        "lstat",
        "(path, *, dir_fd=None)",
        "Perform a stat system call on the given path, without following symbolic links.",
        |vm, args| {
            let (value, path) = path_argument(vm, args, 0)?;
            fs::symlink_metadata(&path)
                .map(|metadata| stat_value(&metadata))
                .map_err(|error| os_error(&error, Some(&value)))
        },
    ),
    method(
        "access",
        "(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True)",
        "Use the real uid/gid to test for access to a path.",
        |vm, args| {
            let (_, path) = path_argument(vm, args, 0)?;
            let mode = args.index_or(vm, 1, 0)?;
            let access = rustix::fs::Access::from_bits_truncate(u32::try_from(mode).unwrap_or(0));
            Ok(rustix::fs::access(&path, access).is_ok().into())
        },
    ),
    method(
        "chmod",
        "(path, mode, *, dir_fd=None, follow_symlinks=True)",
        "Change the access permissions of a file.",
        |vm, args| {
            let mode = args.index_or(vm, 1, 0)?;
            let (value, path) = path_argument(vm, args, 0)?;
            let permissions = fs::Permissions::from_mode(u32::try_from(mode & 0o7777).unwrap_or(0));
            fs::set_permissions(&path, permissions).map_err(|error| os_error(&error, Some(&value)))?;
            Ok(Value::None)
        },
    ),
    method("truncate", "(path, length)", "Truncate a file, specified by path, to a specific length.", |vm, args| {
        let len = args.index_or(vm, 1, 0)?;
        let value = args.get(vm, 0);
        refuse_descriptor(&value, "truncate")?;
        let path = path_of(vm, &value)?;
        let Ok(len) = u64::try_from(len) else { return Err(errno_error(libc::EINVAL, Some(&value), None)) };
        fs::OpenOptions::new()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_len(len))
            .map_err(|error| os_error(&error, Some(&value)))?;
        Ok(Value::None)
    }),
    method(
        "utime",
        "(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True)",
        "Set the access and modified time of path.",
        set_times,
    ),
];

fn change(vm: &mut Vm, args: Args, run: impl FnOnce(&Path) -> std::io::Result<()>) -> Fallible<Value> {
    let (value, path) = path_argument(vm, args, 0)?;
    run(&path).map_err(|error| os_error(&error, Some(&value)))?;
    Ok(Value::None)
}

fn both(vm: &mut Vm, args: Args, run: fn(&Path, &Path) -> std::io::Result<()>) -> Fallible<Value> {
    let (from, from_path) = path_argument(vm, args, 0)?;
    let (to, to_path) = path_argument(vm, args, 1)?;
    run(&from_path, &to_path)
        .map_err(|error| errno_error(error.raw_os_error().unwrap_or(libc::EIO), Some(&from), Some(&to)))?;
    Ok(Value::None)
}

fn rename(vm: &mut Vm, args: Args) -> Fallible<Value> {
    both(vm, args, |from, to| fs::rename(from, to))
}

fn make_directory(path: &Path, mode: i64) -> std::io::Result<()> {
    fs::DirBuilder::new().mode(u32::try_from(mode).unwrap_or(0o777)).create(path)
}

fn make_directories(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mode = args.index_or(vm, 1, 0o777)?;
    let exist_ok = args.truth_or(vm, 2, false)?;
    let (value, path) = path_argument(vm, args, 0)?;
    let mut missing: Vec<&Path> =
        path.ancestors().skip(1).take_while(|parent| !parent.as_os_str().is_empty() && !parent.exists()).collect();
    while let Some(parent) = missing.pop() {
        if let Err(error) = make_directory(parent, 0o777)
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            return Err(os_error(&error, Some(&path_value(parent))));
        }
    }
    match make_directory(&path, mode) {
        Err(_) if exist_ok && path.is_dir() => Ok(Value::None),
        Err(error) => Err(os_error(&error, Some(&value))),
        Ok(()) => Ok(Value::None),
    }
}

fn stat(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    refuse_descriptor(&value, "stat")?;
    let path = path_of(vm, &value)?;
    let metadata = if args.truth_or(vm, 2, true)? { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
    metadata.map(|metadata| stat_value(&metadata)).map_err(|error| os_error(&error, Some(&value)))
}

/// A `stat_result`.
pub(super) fn stat_value(metadata: &fs::Metadata) -> Value {
    let items = vec![
        Value::Int(metadata.mode().into()),
        Value::int(metadata.ino()),
        Value::int(metadata.dev()),
        Value::int(metadata.nlink()),
        Value::Int(metadata.uid().into()),
        Value::Int(metadata.gid().into()),
        Value::int(metadata.size()),
        Value::Int(metadata.atime()),
        Value::Int(metadata.mtime()),
        Value::Int(metadata.ctime()),
    ];
    let time = |seconds: i64, nanoseconds: i64| {
        let exact = num_bigint::BigInt::from(seconds) * 1_000_000_000 + nanoseconds;
        (Value::Float(seconds as f64 + 1e-9 * nanoseconds as f64), Value::int(exact))
    };
    let (accessed, accessed_ns) = time(metadata.atime(), metadata.atime_nsec());
    let (modified, modified_ns) = time(metadata.mtime(), metadata.mtime_nsec());
    let (changed, changed_ns) = time(metadata.ctime(), metadata.ctime_nsec());
    let extra = [
        ("st_atime", accessed),
        ("st_mtime", modified),
        ("st_ctime", changed),
        ("st_atime_ns", accessed_ns),
        ("st_mtime_ns", modified_ns),
        ("st_ctime_ns", changed_ns),
        ("st_blksize", Value::int(metadata.blksize())),
        ("st_blocks", Value::int(metadata.blocks())),
        ("st_rdev", Value::int(metadata.rdev())),
    ];
    struct_sequence::make(&stat_result(), items, &extra)
}

fn set_times(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (value, path) = path_argument(vm, args, 0)?;
    let mut times = fs::FileTimes::new();
    let (accessed, modified) = match (args.not_none(vm, 1), args.not_none(vm, 2)) {
        (None, None) => (SystemTime::now(), SystemTime::now()),
        (Some(seconds), None) => {
            let pair = items_of(&seconds);
            let [accessed, modified] = pair.as_slice() else {
                return Err(type_error("utime: 'times' must be either a tuple of two ints or None"));
            };
            let accessed = Duration::try_from_secs_f64(vm.float(accessed)?).unwrap_or_default();
            (UNIX_EPOCH + accessed, UNIX_EPOCH + Duration::try_from_secs_f64(vm.float(modified)?).unwrap_or_default())
        }
        (None, Some(nanoseconds)) => {
            let pair = items_of(&nanoseconds);
            let [accessed, modified] = pair.as_slice() else {
                return Err(type_error("utime: 'ns' must be a tuple of two ints"));
            };
            let accessed = Duration::from_nanos(u64::try_from(vm.index(accessed)?).unwrap_or(0));
            (UNIX_EPOCH + accessed, UNIX_EPOCH + Duration::from_nanos(u64::try_from(vm.index(modified)?).unwrap_or(0)))
        }
        _ => return Err(crate::lang::raise::value_error("utime: you may specify either 'times' or 'ns' but not both")),
    };
    times = times.set_accessed(accessed).set_modified(modified);
    fs::File::open(&path).and_then(|file| file.set_times(times)).map_err(|error| os_error(&error, Some(&value)))?;
    Ok(Value::None)
}
