//! `unicodedata`: names, categories and normal forms of characters.

use std::cell::OnceCell;

use fancy_regex::Regex;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use super::support::{new_module, set};
use crate::lang::builtins::unicode;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::{Fallible, key_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The categories a character may have besides being unassigned.
const CATEGORIES: &[&str] = &[
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
    "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co",
];

/// Builds `unicodedata`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module("unicodedata", "Names, categories and normal forms of characters.", FUNCTIONS);
    let (major, minor, micro) = unicode_normalization::UNICODE_VERSION;
    set(&module, "unidata_version", Value::str(format!("{major}.{minor}.{micro}")));
    Ok(module)
}

const FUNCTIONS: &[Method] = &[
    method(
        "normalize",
        "(form, unistr, /)",
        "Return the normal form 'form' for the Unicode string unistr.",
        |vm, args| {
            let (form, text) =
                (args.text(vm, 0, "normalize() argument 1")?, args.text(vm, 1, "normalize() argument 2")?);
            vm.reserve(4 * text.len())?;
            normal_form(&form, &text).map(Value::str)
        },
    ),
    method("is_normalized", "(form, unistr, /)", "Whether a text is in a normal form.", |vm, args| {
        let form = args.text(vm, 0, "is_normalized() argument 1")?;
        let text = args.text(vm, 1, "is_normalized() argument 2")?;
        vm.reserve(4 * text.len())?;
        Ok(Value::Bool(*normal_form(&form, &text)? == *text))
    }),
    method("category", "(chr, /)", "The general category of a character, as two letters.", |vm, args| {
        Ok(Value::str(category(character(vm, args, "category() argument")?)))
    }),
    method(
        "combining",
        "(chr, /)",
        "The canonical combining class of a character; 0 where it has none.",
        |vm, args| Ok(Value::Int(canonical_combining_class(character(vm, args, "combining() argument")?).into())),
    ),
    method("name", "(chr, default=None, /)", "The name of a character, or default.", |vm, args| {
        match unicode_names2::name(character(vm, args, "name() argument 1")?) {
            Some(name) => Ok(Value::str(name.to_string())),
            None => args.optional(vm, 1).ok_or_else(|| value_error("no such name")),
        }
    }),
    method("lookup", "(name, /)", "The character of a name.", |vm, args| {
        let name = args.text(vm, 0, "lookup() argument")?;
        match unicode_names2::character(&name) {
            Some(found) => Ok(Value::str(found.to_string())),
            None => Err(key_error(Value::str(format!("undefined character name '{name}'")))),
        }
    }),
    method("decimal", "(chr, default=None, /)", "The decimal value of a character, or default.", |vm, args| {
        digit(vm, args, "decimal() argument 1", "not a decimal")
    }),
    method("digit", "(chr, default=None, /)", "The digit value of a decimal character, or default.", |vm, args| {
        digit(vm, args, "digit() argument 1", "not a digit")
    }),
];

/// The only character of the first argument, which messages name.
fn character(vm: &Vm, args: Args, function: &str) -> Fallible<char> {
    let value = args.peek(vm, 0);
    let Some(text) = value.as_str() else {
        return Err(type_error(format!("{function} must be a unicode character, not {}", value.type_name())));
    };
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(type_error(format!("{function} must be a unicode character, not str"))),
    }
}

fn digit(vm: &mut Vm, args: Args, function: &str, refusal: &str) -> Fallible<Value> {
    match unicode::decimal_digit(character(vm, args, function)?) {
        Some(digit) => Ok(Value::Int(digit.into())),
        None => args.optional(vm, 1).ok_or_else(|| value_error(refusal)),
    }
}

fn normal_form(form: &str, text: &str) -> Fallible<String> {
    Ok(match form {
        "NFC" => text.nfc().collect(),
        "NFD" => text.nfd().collect(),
        "NFKC" => text.nfkc().collect(),
        "NFKD" => text.nfkd().collect(),
        _ => return Err(value_error("invalid normalization form")),
    })
}

/// The category of a character; `Cn` where it is not assigned.
fn category(character: char) -> &'static str {
    thread_local! {
        static TESTS: OnceCell<Vec<(&'static str, Regex)>> = const { OnceCell::new() };
    }
    let mut buffer = [0; 4];
    let text: &str = character.encode_utf8(&mut buffer);
    TESTS.with(|tests| {
        let tests = tests.get_or_init(|| {
            let test = |name: &&'static str| Some((*name, Regex::new(&format!(r"^\p{{{name}}}$")).ok()?));
            CATEGORIES.iter().filter_map(test).collect()
        });
        tests.iter().find(|(_, test)| test.is_match(text).unwrap_or(false)).map_or("Cn", |(name, _)| name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_is_told() {
        let expected = [
            ('A', "Lu"),
            ('a', "Ll"),
            ('ǅ', "Lt"),
            ('ʰ', "Lm"),
            ('中', "Lo"),
            ('\u{301}', "Mn"),
            ('\u{903}', "Mc"),
            ('\u{20dd}', "Me"),
            ('7', "Nd"),
            ('Ⅷ', "Nl"),
            ('½', "No"),
            ('_', "Pc"),
            ('-', "Pd"),
            ('(', "Ps"),
            (')', "Pe"),
            ('«', "Pi"),
            ('»', "Pf"),
            ('!', "Po"),
            ('+', "Sm"),
            ('€', "Sc"),
            ('^', "Sk"),
            ('©', "So"),
            (' ', "Zs"),
            ('\u{2028}', "Zl"),
            ('\u{2029}', "Zp"),
            ('\n', "Cc"),
            ('\u{ad}', "Cf"),
            ('\u{e000}', "Co"),
            ('\u{378}', "Cn"),
        ];
        for (character, name) in expected {
            assert_eq!(category(character), name, "{character:?}");
        }
    }
}
