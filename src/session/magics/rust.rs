//! `%%rust` and `%rust`: cells in Rust, and what there is on their side.

use super::{Context, Magic, both, usage_error};
use crate::display::{Markup, Role, Table};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::rust;

pub(super) const MAGICS: &[Magic] = &[both(
    "rust",
    "[warm | vars | reset | drop NAME | stop]",
    "%%rust: the cell is Rust. let a = get(\"a\") is the array that array cells call a, the same memory; put(\"b\", &b) gives one a name \
     there; let v: Vec<f64> = a.to_vec() copies the elements here, put(\"v\", &v) copies them back; register(\"f\", |x: f64| x * 2.0) \
     lets array cells call f(a). Variables, functions, use and crates (:dep NAME = \"1\") stay for later cells; the value of the last \
     expression is shown as the result and does not enter Out. The first cell builds the helper once and starts it. An interrupt \
     while a cell is compiled loses nothing, one while it runs loses the Rust variables; arrays by Python name stay. %rust says how \
     things are, warm makes them ready in the background, vars lists the variables with their types, drop lets go of one, reset \
     forgets everything, stop ends the Rust process.",
    run,
)];

fn run(context: &mut Context<'_>) -> Fallible<Value> {
    let Some(body) = context.body else { return line(context) };
    if !context.line.is_empty() {
        return Err(usage_error(format!("%%rust takes nothing on its line, not {}", context.line)));
    }
    rust::evaluate(context.core, context.vm, body)?;
    Ok(Value::None)
}

fn line(context: &mut Context<'_>) -> Fallible<Value> {
    let mut words = context.line.split_whitespace();
    let (word, name, rest) = (words.next(), words.next(), words.next());
    let (core, vm) = (context.core, &mut *context.vm);
    match (word, name, rest) {
        (None, ..) => {
            let text = rust::status(core, vm)?;
            context.print(&text)
        }
        (Some("warm"), None, _) => {
            let text = rust::warm(core, vm)?;
            context.print(text)
        }
        (Some("vars"), None, _) => {
            let variables = rust::variables(core, vm)?;
            if variables.is_empty() {
                return context.print("Rust has no variables");
            }
            let mut table = Table::new().left("name").left("type");
            for variable in variables {
                table.row(vec![Markup::of(Role::Code, variable.name), Markup::text(variable.kind)]);
            }
            context.show_markup(Markup::new().table(table))
        }
        (Some("reset"), None, _) => {
            let names = rust::reset(core, vm)?;
            context.print(&forgotten("Rust is as new", &names))
        }
        (Some("stop"), None, _) => {
            let names = rust::stop(core, vm)?;
            context.print(&forgotten("Rust is ended", &names))
        }
        (Some("drop"), Some(name), None) => {
            let variables = rust::variables(core, vm)?;
            if !variables.iter().any(|variable| variable.name == name) {
                return Err(usage_error(format!("Rust has no variable {name}; %rust vars lists those there are")));
            }
            rust::drop_variable(core, vm, name)?;
            Ok(Value::None)
        }
        (Some("drop"), ..) => Err(usage_error("%rust drop takes the name of one Rust variable")),
        _ => {
            Err(usage_error(format!("%rust takes warm, vars, reset, drop NAME, stop or nothing, not {}", context.line)))
        }
    }
}

fn forgotten(what: &str, names: &[String]) -> String {
    match names {
        [] => what.to_owned(),
        names => format!("{what}; gone: {}", names.join(", ")),
    }
}
