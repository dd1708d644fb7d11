//! `%pwd`, `%cd`, `%env`, and magics of other kernels that are answered politely.

use super::files::path_of;
use super::{Context, Magic, line, usage_error};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;

pub(super) const MAGICS: &[Magic] = &[
    line("pwd", "", "The current folder.", pwd),
    line("cd", "[FOLDER]", "Changes the current folder; home when none is given, the one before with -.", cd),
    line("env", "[NAME | NAME=VALUE]", "Environment variables of this process: all, one, or set one.", env),
    line("matplotlib", "[BACKEND]", "There is no matplotlib in this kernel; the cell goes on.", no_matplotlib),
    line("pylab", "", "There is no matplotlib in this kernel; the cell goes on.", no_matplotlib),
    line(
        "load_ext",
        "NAME",
        "IPython's extensions are Python code, which this kernel does not run; the cell goes on.",
        no_extension,
    ),
    line(
        "reload_ext",
        "NAME",
        "IPython's extensions are Python code, which this kernel does not run; the cell goes on.",
        no_extension,
    ),
    line("autoreload", "[N]", "Modules are not reloaded by themselves; the cell goes on.", no_extension),
    line("config", "[...]", "IPython's configuration does not exist here; the cell goes on.", no_extension),
    line("pip", "...", "Packages cannot be installed: this kernel has the modules it has.", no_packages),
    line("conda", "...", "Packages cannot be installed: this kernel has the modules it has.", no_packages),
];

fn folder() -> Fallible<String> {
    let folder = std::env::current_dir().map_err(|error| raise::os_error(format!("the current folder: {error}")))?;
    Ok(folder.to_string_lossy().into_owned())
}

fn pwd(context: &mut Context<'_>) -> Fallible<Value> {
    let folder = folder()?;
    context.print(&folder)
}

fn cd(context: &mut Context<'_>) -> Fallible<Value> {
    let before = folder().unwrap_or_default();
    let target = match context.line {
        "" => path_of("~"),
        "-" => match context.core.previous_folder.take() {
            Some(folder) => folder,
            None => return Err(usage_error("there is no folder before this one")),
        },
        path => path_of(path),
    };
    if let Err(error) = std::env::set_current_dir(&target) {
        return Err(match error.kind() {
            std::io::ErrorKind::NotFound => {
                raise::file_not_found_error(format!("[Errno 2] No such file or directory: '{target}'"))
            }
            _ => raise::os_error(format!("{target}: {error}")),
        });
    }
    context.core.previous_folder.set(Some(before));
    let folder = folder()?;
    context.print(&folder)
}

fn env(context: &mut Context<'_>) -> Fallible<Value> {
    let line = context.line;
    if line.is_empty() {
        // What the program sees, which is what was set before.
        let os = context.vm.import("os")?;
        let environ = context.vm.get_attribute(&os, crate::lang::name::Name::new("environ"))?;
        let mut all = Vec::new();
        for name in context.vm.collect(&environ)? {
            let value = context.vm.get_item(&environ, &name)?;
            let (name, value) = (context.vm.str(&name)?, context.vm.str(&value)?);
            all.push(format!("{name}={}", hidden(&name, &value)));
        }
        all.sort();
        return context.print(&all.join("\n"));
    }
    if let Some((name, value)) = line.split_once('=').or_else(|| line.split_once(char::is_whitespace)) {
        // The process's own environment is read by other threads; the program's `os.environ` is where a change belongs.
        let os = context.vm.import("os")?;
        let environ = context.vm.get_attribute(&os, crate::lang::name::Name::new("environ"))?;
        context.vm.set_item(&environ, &Value::str(name.trim()), Value::str(value.trim()))?;
        return context.print(&format!("env: {}={}", name.trim(), value.trim()));
    }
    // What the program sees, which is what was set before.
    let os = context.vm.import("os")?;
    let getenv = context.vm.get_attribute(&os, crate::lang::name::Name::new("getenv"))?;
    match context.vm.call(&getenv, &[Value::str(line)])? {
        Value::Str(value) => {
            let value = value.as_str().to_owned();
            context.print(&value)
        }
        _ => Err(usage_error(format!("Environment does not have key: {line}"))),
    }
}

/// Values of variables that look like secrets are not shown in a list.
fn hidden<'a>(name: &str, value: &'a str) -> &'a str {
    let name = name.to_ascii_lowercase();
    if ["key", "token", "secret", "password"].iter().any(|word| name.contains(word)) { "<hidden>" } else { value }
}

fn no_matplotlib(context: &mut Context<'_>) -> Fallible<Value> {
    context.core.notice_text("There is no matplotlib in this kernel; the cell goes on.");
    Ok(Value::None)
}

fn no_extension(context: &mut Context<'_>) -> Fallible<Value> {
    context.core.notice_text("IPython's extensions and settings do not exist in this kernel; the cell goes on.");
    Ok(Value::None)
}

fn no_packages(_context: &mut Context<'_>) -> Fallible<Value> {
    Err(usage_error(
        "packages cannot be installed into this kernel: it is no Python environment and has the modules it has",
    ))
}
