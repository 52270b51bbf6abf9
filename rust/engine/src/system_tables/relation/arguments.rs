//! Arguments of table functions that are written like those of a shell: words and options.

use value::Value;

use crate::error::{Result, SqlError};

/// What an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    /// One value, in the next word or behind `=`.
    Value,
    /// Values up to the next option.
    List,
}

/// An option that a function knows.
pub struct OptionName {
    pub long: &'static str,
    /// Without it: `'\0'`.
    pub short: char,
    pub takes: Takes,
}

pub const fn option(long: &'static str, short: char, takes: Takes) -> OptionName {
    OptionName { long, short, takes }
}

/// Arguments taken apart.
#[derive(Debug, Default)]
pub struct Arguments {
    pub words: Vec<String>,
    options: Vec<(&'static str, Vec<String>)>,
}

pub fn invalid(function: &str, detail: impl std::fmt::Display) -> SqlError {
    SqlError::general(format!("Invalid argument to {function}: {detail}"))
}

/// The text that an argument is.
///
/// # Errors
/// 1105 for other values.
pub fn text_of<'v>(function: &str, argument: &'v Value<'_>) -> Result<&'v str> {
    match argument {
        Value::Text(text) => Ok(text),
        Value::Null => Err(invalid(function, "NULL")),
        other => Err(invalid(function, value::convert::to_string(other).unwrap_or_default())),
    }
}

impl Arguments {
    /// # Errors
    /// 1105 for values that are not text, for unknown options and missing values.
    pub fn parse(function: &str, known: &[OptionName], values: &[Value<'_>]) -> Result<Arguments> {
        let mut arguments = Arguments::default();
        let words = values.iter().map(|value| Ok(text_of(function, value)?.to_owned()));
        let words = words.collect::<Result<Vec<_>>>()?;
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            if word == "--" {
                arguments.words.extend(words.by_ref());
                continue;
            }
            let Some(name) = word.strip_prefix('-').filter(|name| !name.is_empty()) else {
                arguments.words.push(word);
                continue;
            };
            let (name, inline) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (name, None),
            };
            let bare = name.strip_prefix('-').unwrap_or(name);
            let found = known.iter().find(|option| match name.strip_prefix('-') {
                Some(long) => long.eq_ignore_ascii_case(option.long),
                None => name.chars().eq([option.short]),
            });
            let option = found.ok_or_else(|| invalid(function, format!("error: unknown option `{bare}'")))?;
            let missing = || invalid(function, format!("error: no value for option `{bare}'"));
            let values = match option.takes {
                Takes::Nothing => Vec::new(),
                Takes::Value => vec![inline.or_else(|| words.next()).ok_or_else(missing)?],
                Takes::List => {
                    let list = match inline {
                        Some(inline) => vec![inline],
                        None => core::iter::from_fn(|| words.next_if(|next| !next.starts_with('-'))).collect(),
                    };
                    if list.is_empty() {
                        return Err(missing());
                    }
                    list.iter().flat_map(|item| item.split(',')).map(|item| item.trim().to_owned()).collect()
                }
            };
            arguments.options.push((option.long, values));
        }
        Ok(arguments)
    }

    pub fn has(&self, long: &str) -> bool {
        self.options.iter().any(|(name, _)| *name == long)
    }

    pub fn value(&self, long: &str) -> Option<&str> {
        let (_, values) = self.options.iter().find(|(name, _)| *name == long)?;
        values.first().map(String::as_str)
    }

    pub fn list<'a>(&'a self, long: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.options.iter().filter(move |(name, _)| *name == long);
        named.flat_map(|(_, values)| values.iter().map(String::as_str))
    }

    /// The value of an option that takes a number.
    pub fn number(&self, function: &str, long: &str) -> Result<Option<usize>> {
        let wrong = |text: &str| invalid(function, format!("error: {text:?} is not a valid int."));
        self.value(long).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [OptionName; 3] = [
        option("number", 'n', Takes::Value),
        option("parents", '\0', Takes::Nothing),
        option("tables", 't', Takes::List),
    ];

    fn parse(words: &[&'static str]) -> Result<Arguments> {
        Arguments::parse("f", &KNOWN, &words.iter().map(|word| Value::text(*word)).collect::<Vec<_>>())
    }

    #[test]
    fn options_stand_anywhere() {
        let arguments = parse(&["main", "-n", "3", "--tables=a,b", "--parents", "^x", "--", "-c"]).unwrap();
        assert_eq!(arguments.words, ["main", "^x", "-c"]);
        assert_eq!(arguments.number("f", "number").unwrap(), Some(3));
        assert!(arguments.has("parents"));
        assert_eq!(arguments.list("tables").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(parse(&["--tables", "a,b", "c"]).unwrap().list("tables").collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn mistakes_are_errors() {
        for words in [&["--nope"][..], &["-n"], &["-x"], &["--tables", "--parents"]] {
            assert!(parse(words).unwrap_err().message.starts_with("Invalid argument to f"), "{words:?}");
        }
        assert!(parse(&["-n", "x"]).unwrap().number("f", "number").is_err());
    }
}
