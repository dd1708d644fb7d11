//! What `io`, `os` and the path modules share: paths from values, and the operating system's errors as exceptions.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::support::unwrap_payload;
use crate::arrays::error::ArrayError;
use crate::arrays::patience;
use crate::lang::arrays::error::raised;
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::builtins::exception::os_error_class;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::Args;
use crate::lang::objects::{BytesObject, ExceptionObject};
use crate::lang::raise::{Fallible, Raised, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `os.fspath`: the `str` or `bytes` that stands for a path.
pub fn fspath(vm: &mut Vm, value: &Value) -> Fallible<Value> {
    if let text @ (Value::Str(_) | Value::Bytes(_)) = unwrap_payload(value) {
        return Ok(text);
    }
    let Some(method) = vm.find_special(value, names::FSPATH) else {
        return Err(type_error(format!("expected str, bytes or os.PathLike object, not {}", value.type_name())));
    };
    match vm.call(&method, &[])? {
        text @ (Value::Str(_) | Value::Bytes(_)) => Ok(text),
        other => Err(type_error(format!(
            "expected {}.__fspath__() to return str or bytes, not {}",
            value.type_name(),
            other.type_name()
        ))),
    }
}

/// A path from a `str`, `bytes` or path-like value.
pub fn path_of(vm: &mut Vm, value: &Value) -> Fallible<PathBuf> {
    let bytes = match fspath(vm, value)? {
        Value::Str(text) => text.as_str().as_bytes().to_vec(),
        Value::Bytes(bytes) => bytes.as_bytes().to_vec(),
        _ => Vec::new(),
    };
    if bytes.contains(&0) {
        return Err(value_error("embedded null byte"));
    }
    Ok(PathBuf::from(OsStr::from_bytes(&bytes)))
}

/// Parameter `index` as the `str` or `bytes` of a path, as errors show it, and the path.
pub fn path_argument(vm: &mut Vm, args: Args, index: usize) -> Fallible<(Value, PathBuf)> {
    let value = args.get(vm, index);
    let value = fspath(vm, &value)?;
    let path = path_of(vm, &value)?;
    Ok((value, path))
}

/// A file name as a value of the same kind as the path it came from: `bytes` for bytes, else `str`.
pub fn name_value(name: &OsStr, like_bytes: bool) -> Value {
    if like_bytes {
        return Value::Bytes(Ref::new(BytesObject::new(name.as_bytes())));
    }
    Value::str(name.to_string_lossy())
}

/// A path as a `str`.
pub fn path_value(path: &Path) -> Value {
    Value::str(String::from_utf8_lossy(&path.as_os_str().to_owned().into_vec()).into_owned())
}

/// What an error number means, in the system's words.
pub fn error_text(errno: i32) -> String {
    let text = io::Error::from_raw_os_error(errno).to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

/// An error of the system as `OSError` or the class for its number, with the file it concerns.
pub fn os_error(error: &io::Error, file: Option<&Value>) -> Raised {
    if patience::is_stop(error) {
        return raised(ArrayError::Interrupted);
    }
    let Some(errno) = error.raw_os_error() else {
        return Raised::builtin(Builtin::OSError, error.to_string());
    };
    errno_error(errno, file, None)
}

/// As [`os_error`] for a number and up to two files.
pub fn errno_error(errno: i32, file: Option<&Value>, second: Option<&Value>) -> Raised {
    let text = Value::str(error_text(errno));
    let class = builtin_class(os_error_class(errno.into()).unwrap_or(Builtin::OSError));
    let exception = ExceptionObject::new(class, vec![Value::Int(errno.into()), text.clone()]);
    exception.set_attribute(Name::new("errno"), Value::Int(errno.into()));
    exception.set_attribute(Name::new("strerror"), text);
    exception.set_attribute(Name::new("filename"), file.cloned().unwrap_or(Value::None));
    exception.set_attribute(Name::new("filename2"), second.cloned().unwrap_or(Value::None));
    Raised(Ref::new(exception))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_get_the_class_of_their_number() {
        let raised = errno_error(libc::ENOENT, Some(&"x".into()), None);
        assert!(raised.is(Builtin::FileNotFoundError));
        assert_eq!(error_text(libc::ENOENT), "No such file or directory");
        assert!(errno_error(libc::ENOSPC, None, None).is(Builtin::OSError));
    }
}
