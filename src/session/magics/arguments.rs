//! Reading what follows a magic's name: words with quotes, options, what to free or explain.

use super::usage_error;
use crate::lang::raise::{Fallible, Raised};

/// Words, options among them taken out as they are asked for.
pub(super) struct Words {
    words: Vec<String>,
}

impl Words {
    /// Splits at blanks outside quotes and brackets: `d['a b'] Out[3] f.<cached results>[1] -n`.
    pub(super) fn split(text: &str) -> Self {
        let mut words = Vec::new();
        let mut word = String::new();
        let mut quote: Option<char> = None;
        let mut depth = 0usize;
        for c in text.chars() {
            match quote {
                Some(open) if c == open => quote = None,
                Some(_) => {}
                None => match c {
                    '\'' | '"' => quote = Some(c),
                    '[' | '(' | '{' => depth += 1,
                    '<' if word.is_empty() || word.ends_with(['.', '[', '(', ' ']) => depth += 1,
                    ']' | ')' | '}' | '>' => depth = depth.saturating_sub(1),
                    c if c.is_whitespace() && depth == 0 => {
                        if !word.is_empty() {
                            words.push(std::mem::take(&mut word));
                        }
                        continue;
                    }
                    _ => {}
                },
            }
            word.push(c);
        }
        if !word.is_empty() {
            words.push(word);
        }
        Self { words }
    }

    /// Takes an option without a value out.
    pub(super) fn flag(&mut self, names: &[&str]) -> bool {
        let before = self.words.len();
        self.words.retain(|word| !names.contains(&word.as_str()));
        self.words.len() < before
    }

    /// Takes an option with its value out: `--by holder`, `--by=holder`, `-n5`.
    pub(super) fn value(&mut self, names: &[&str]) -> Fallible<Option<String>> {
        for at in 0..self.words.len() {
            let word = self.words[at].clone();
            for name in names {
                if word == *name {
                    if at + 1 >= self.words.len() {
                        return Err(usage_error(format!("{name} needs a value")));
                    }
                    self.words.remove(at);
                    return Ok(Some(self.words.remove(at)));
                }
                let rest = word.strip_prefix(name);
                let joined = if name.starts_with("--") {
                    rest.and_then(|rest| rest.strip_prefix('='))
                } else {
                    rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
                };
                if let Some(value) = joined {
                    let value = value.to_owned();
                    self.words.remove(at);
                    return Ok(Some(value));
                }
            }
        }
        Ok(None)
    }

    /// Takes an option with a number out.
    pub(super) fn number(&mut self, names: &[&str]) -> Fallible<Option<usize>> {
        let Some(text) = self.value(names)? else { return Ok(None) };
        text.parse().map(Some).map_err(|_| usage_error(format!("{} takes a number, not {text}", names[0])))
    }

    /// What was not taken out, as one line.
    pub(super) fn line(&self) -> String {
        self.words.join(" ")
    }

    /// What is left; an option among it is one that the magic does not have.
    pub(super) fn rest(self) -> Fallible<Vec<String>> {
        match self.words.iter().find(|word| is_option(word)) {
            Some(option) => Err(unknown_option(option)),
            None => Ok(self.words),
        }
    }
}

fn is_option(word: &str) -> bool {
    word.starts_with('-') && word.len() > 1 && !word[1..].starts_with(|c: char| c.is_ascii_digit())
}

fn unknown_option(option: &str) -> Raised {
    usage_error(format!("unknown option {option}: %help with the magic's name lists those there are"))
}

/// Something to explain or let go of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// `#12`
    Id(u64),
    /// `Out[3]`, `_3`
    Output(u32),
    /// Anything with a name: `a`, `d['k'][0]`.
    Path(String),
}

impl Target {
    /// Reads a target.
    pub(super) fn parse(text: &str) -> Fallible<Self> {
        if let Some(digits) = text.strip_prefix('#') {
            return digits
                .parse()
                .map(Self::Id)
                .map_err(|_| usage_error(format!("{text} is not the number of an allocation")));
        }
        let output =
            text.strip_prefix("Out[").and_then(|rest| rest.strip_suffix(']')).or_else(|| text.strip_prefix('_'));
        if let Some(digits) = output
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
        {
            return digits.parse().map(Self::Output).map_err(|_| usage_error(format!("there is no {text}")));
        }
        Ok(Self::Path(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_quotes_and_brackets_together() {
        let words = Words::split("d['a b'] Out[3]  -n f(1, 2)").rest();
        assert!(words.is_err(), "-n was not asked for");
        let mut words = Words::split("d['a b'] Out[3]  -n f(1, 2)");
        assert!(words.flag(&["-n"]));
        assert_eq!(words.rest().unwrap(), ["d['a b']", "Out[3]", "f(1, 2)"]);
        let shown = "<last error>.<frame>.w f.<cached results>[(<Tables>, 3)] #4 a<b b>c";
        let words = ["<last error>.<frame>.w", "f.<cached results>[(<Tables>, 3)]", "#4", "a<b", "b>c"];
        assert_eq!(Words::split(shown).rest().unwrap(), words);
    }

    #[test]
    fn options_take_their_values_in_every_spelling() {
        for text in ["--by cell", "--by=cell"] {
            assert_eq!(Words::split(text).value(&["--by"]).unwrap().as_deref(), Some("cell"));
        }
        assert_eq!(Words::split("-n5 x").number(&["-n"]).unwrap(), Some(5));
        assert_eq!(Words::split("-n 7").number(&["-n"]).unwrap(), Some(7));
        assert!(Words::split("--by").value(&["--by"]).is_err());
        assert!(Words::split("-n x").number(&["-n"]).is_err());
    }

    #[test]
    fn targets_are_told_apart() {
        assert_eq!(Target::parse("#12").unwrap(), Target::Id(12));
        assert_eq!(Target::parse("Out[3]").unwrap(), Target::Output(3));
        assert_eq!(Target::parse("_3").unwrap(), Target::Output(3));
        assert_eq!(Target::parse("_x").unwrap(), Target::Path("_x".into()));
        assert!(Target::parse("#x").is_err());
    }
}
