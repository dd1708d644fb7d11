//! `open`: which stream a mode means, and what it refuses.

use std::fs::OpenOptions;
use std::io::SeekFrom;

use super::binary::{Binary, Kind};
use super::stream::{ByteStream, LineEnd};
use super::text::{Encoding, Newlines, Text, TextOptions};
use crate::arrays::patience;
use crate::lang::modules::file_system::{errno_error, fspath, os_error, path_of};
use crate::lang::native::Args;
use crate::lang::raise::{Fallible, Raised, lookup_error, not_implemented_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A mode, taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
struct Mode {
    read: bool,
    write: bool,
    append: bool,
    create: bool,
    update: bool,
    binary: bool,
}

impl Mode {
    fn parse(text: &str) -> Result<Self, String> {
        let invalid = || format!("invalid mode: '{text}'");
        let mut mode = Self::default();
        let mut is_text = false;
        for c in text.chars() {
            let flag = match c {
                'r' => &mut mode.read,
                'w' => &mut mode.write,
                'a' => &mut mode.append,
                'x' => &mut mode.create,
                '+' => &mut mode.update,
                'b' => &mut mode.binary,
                't' => &mut is_text,
                _ => return Err(invalid()),
            };
            if std::mem::replace(flag, true) {
                return Err(invalid());
            }
        }
        if is_text && mode.binary {
            return Err("can't have text and binary mode at once".to_owned());
        }
        match [mode.read, mode.write, mode.append, mode.create].iter().filter(|set| **set).count() {
            1 => Ok(mode),
            0 => Err("Must have exactly one of create/read/write/append mode and at most one plus".to_owned()),
            _ => Err("must have exactly one of create/read/write/append mode".to_owned()),
        }
    }

    fn can_read(&self) -> bool {
        self.read || self.update
    }

    fn can_write(&self) -> bool {
        !self.read || self.update
    }

    fn options(&self) -> OpenOptions {
        let mut options = OpenOptions::new();
        options.read(self.can_read()).write(self.can_write() && !self.append).append(self.append);
        options.truncate(self.write).create(self.write || self.append).create_new(self.create);
        options
    }
}

fn newlines(text: Option<&str>) -> Result<Newlines, String> {
    let newlines = |end, translate, written| Ok(Newlines { end, translate, written });
    match text {
        None => newlines(LineEnd::Any, true, "\n"),
        Some("") => newlines(LineEnd::Any, false, "\n"),
        Some("\n") => newlines(LineEnd::Feed, false, "\n"),
        Some("\r") => newlines(LineEnd::Return, false, "\r"),
        Some("\r\n") => newlines(LineEnd::Both, false, "\r\n"),
        Some(other) => Err(format!("illegal newline value: {other}")),
    }
}

/// A text argument that may be `None`.
fn text_or_none(vm: &Vm, args: Args, index: usize, name: &str) -> Fallible<Option<String>> {
    match args.not_none(vm, index) {
        None => Ok(None),
        Some(Value::Str(text)) => Ok(Some(text.as_str().to_owned())),
        Some(other) => {
            Err(type_error(format!("open() argument '{name}' must be str or None, not {}", other.type_name())))
        }
    }
}

/// The built-in `open`.
pub fn open(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let file = args.get(vm, 0);
    let mode_text = match args.optional(vm, 1) {
        None => "r".to_owned(),
        Some(Value::Str(text)) => text.as_str().to_owned(),
        Some(other) => {
            return Err(type_error(format!("open() argument 'mode' must be str, not {}", other.type_name())));
        }
    };
    if matches!(file, Value::Int(_) | Value::Bool(_)) {
        return Err(not_implemented_error("open() of a file descriptor is not here; give a path"));
    }
    if args.not_none(vm, 7).is_some() {
        return Err(not_implemented_error("open(opener=) is not here"));
    }
    let buffering = args.index_or(vm, 2, -1)?;
    let encoding = text_or_none(vm, args, 3, "encoding")?;
    let errors = text_or_none(vm, args, 4, "errors")?;
    let newline = text_or_none(vm, args, 5, "newline")?;
    let mode = Mode::parse(&mode_text).map_err(value_error)?;
    for (given, what) in [(&encoding, "an encoding"), (&errors, "an errors"), (&newline, "a newline")] {
        if mode.binary && given.is_some() {
            return Err(value_error(format!("binary mode doesn't take {what} argument")));
        }
    }
    if !mode.binary && buffering == 0 {
        return Err(value_error("can't have unbuffered text I/O"));
    }
    let newlines = newlines(newline.as_deref()).map_err(value_error)?;
    let codec = encoding_of(encoding.as_deref())?;
    let file = fspath(vm, &file)?;
    let path = path_of(vm, &file)?;
    let opened = patience::open(&path, &mut mode.options()).map_err(|error| os_error(&error, Some(&file)))?;
    if opened.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(errno_error(libc::EISDIR, Some(&file), None));
    }
    let mut stream = ByteStream::file(opened, buffering == 0);
    if mode.append {
        stream.seek(SeekFrom::End(0)).map_err(|error| os_error(&error, Some(&file)))?;
    }
    if mode.binary {
        let kind = match (buffering, mode.update, mode.read) {
            (0, ..) => Kind::Raw,
            (_, true, _) => Kind::Random,
            (_, _, true) => Kind::Reader,
            _ => Kind::Writer,
        };
        let shown = shown_mode(&mode, &mode_text);
        return Ok(Value::object(Binary::file(kind, stream, file, &shown, mode.can_read(), mode.can_write())));
    }
    Ok(Value::object(Text::new(
        stream,
        TextOptions {
            name: file,
            mode: mode_text,
            encoding: codec,
            encoding_name: encoding.unwrap_or_else(|| "UTF-8".to_owned()),
            errors: errors.unwrap_or_else(|| "strict".to_owned()),
            newlines,
            can_read: mode.can_read(),
            can_write: mode.can_write(),
        },
    )))
}

/// The mode that a binary file shows: that of the raw file below it.
fn shown_mode(mode: &Mode, given: &str) -> String {
    let first = given.chars().find(|c| matches!(c, 'r' | 'w' | 'a' | 'x')).unwrap_or('r');
    match (first, mode.update) {
        ('w' | 'r', true) => "rb+".to_owned(),
        (first, true) => format!("{first}b+"),
        (first, false) => format!("{first}b"),
    }
}

fn encoding_of(name: Option<&str>) -> Fallible<Encoding> {
    let Some(name) = name else { return Ok(Encoding::Utf8) };
    Encoding::of(name).ok_or_else(|| -> Raised {
        let plain = name.to_ascii_lowercase();
        let is_known = [
            "utf-16", "utf-32", "utf_16", "utf_32", "utf16", "utf32", "cp", "iso", "koi", "gb", "big5", "shift", "euc",
            "mac",
        ]
        .iter()
        .any(|start| plain.starts_with(start));
        if is_known {
            not_implemented_error(format!(
                "files in encoding {name} are not here; utf-8, utf-8-sig, ascii and latin-1 are"
            ))
        } else {
            lookup_error(format!("unknown encoding: {name}"))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_read_as_cpython_reads_them() {
        let mode = Mode::parse("w+b").expect("a mode");
        assert!(mode.can_read() && mode.can_write() && mode.binary);
        assert_eq!(Mode::parse("z"), Err("invalid mode: 'z'".to_owned()));
        assert_eq!(Mode::parse("rr"), Err("invalid mode: 'rr'".to_owned()));
        assert_eq!(Mode::parse("rw"), Err("must have exactly one of create/read/write/append mode".to_owned()));
        assert!(Mode::parse("bt").is_err());
        assert_eq!(shown_mode(&Mode::parse("w+b").expect("a mode"), "w+b"), "rb+");
    }

    #[test]
    fn unknown_and_absent_encodings_differ() {
        assert!(
            encoding_of(Some("utf-16"))
                .is_err_and(|raised| raised.is(crate::lang::builtins::classes::Builtin::NotImplementedError))
        );
        assert!(
            encoding_of(Some("nonsense"))
                .is_err_and(|raised| raised.is(crate::lang::builtins::classes::Builtin::LookupError))
        );
        assert!(encoding_of(Some("UTF8")).is_ok());
    }
}
