//! Arguments of procedures, which are those of Dolt's command line: `--flag`, `-f`, `--name value`, `--name=value`, names.

use crate::error::{Result, SqlError};

/// What a procedure takes.
pub struct Syntax {
    /// As errors name it.
    pub command: &'static str,
    /// Long name and abbreviation, which may be empty.
    pub flags: &'static [(&'static str, &'static str)],
    /// Options with a value.
    pub values: &'static [(&'static str, &'static str)],
    /// Positional arguments at most.
    pub positional_max: Option<usize>,
    /// The error for more of them, where it is not the usual one.
    pub too_many: Option<&'static str>,
}

/// Options with values of remotes in the cloud of AWS.
pub const AWS: [(&str, &str); 4] =
    [("aws-region", ""), ("aws-creds-type", ""), ("aws-creds-file", ""), ("aws-creds-profile", "")];

/// The arguments of one call.
#[derive(Debug, Default)]
pub struct Arguments {
    flags: Vec<&'static str>,
    values: Vec<(&'static str, String)>,
    pub positional: Vec<String>,
    /// How many positional arguments stood before `--`.
    pub before_dashes: Option<usize>,
}

impl Arguments {
    pub fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag) || self.value(flag).is_some()
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    /// The first positional argument, and those behind it.
    pub fn first_and_rest(&self) -> (Option<&str>, &[String]) {
        match self.positional.split_first() {
            Some((first, rest)) => (Some(first), rest),
            None => (None, &[]),
        }
    }

    /// The error of two options that contradict each other.
    pub fn exclude(&self, one: &str, two: &str, text: impl FnOnce() -> String) -> Result<()> {
        if self.has(one) && self.has(two) { Err(SqlError::general(text())) } else { Ok(()) }
    }
}

impl Syntax {
    pub fn parse(&self, arguments: &[String]) -> Result<Arguments> {
        let mut parsed = Arguments::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if !argument.starts_with('-') || parsed.before_dashes.is_some() {
                parsed.positional.push(argument.clone());
            } else if argument == "--" {
                parsed.before_dashes = Some(parsed.positional.len());
            } else {
                self.option(argument, &mut rest, &mut parsed)?;
            }
        }
        let count = parsed.positional.len();
        match self.positional_max {
            Some(most) if count > most => Err(SqlError::general(self.too_many(most, &parsed.positional))),
            _ => Ok(parsed),
        }
    }

    fn too_many(&self, most: usize, arguments: &[String]) -> String {
        let (command, count, list) = (self.command, arguments.len(), arguments.join(", "));
        match (self.too_many, most) {
            (Some(text), _) => text.to_owned(),
            (None, 0) => format!("error: {command} does not take positional arguments, but found {count}: {list}"),
            (None, most) => format!(
                "error: {command} has too many positional arguments. Expected at most {most}, found {count}: {list}"
            ),
        }
    }

    /// One argument with dashes: flags, which may be run together, then an option with its value.
    fn option<'a>(
        &self,
        argument: &str,
        rest: &mut impl Iterator<Item = &'a String>,
        parsed: &mut Arguments,
    ) -> Result<()> {
        let is_long = argument.starts_with("--");
        let name = argument.trim_start_matches('-');
        if matches!(name, "help" | "h") {
            return Err(SqlError::general("help"));
        }
        let repeated = |name: &str| SqlError::general(format!("error: multiple values provided for `{name}'"));
        let mut left = name;
        let mut matched: Vec<&'static str> = Vec::new();
        while self.value_option(left).is_none() || self.value_option(left).is_some_and(|(_, exact)| !exact) {
            let Some((flag, length)) = self.flag(left, &matched) else { break };
            matched.push(flag);
            left = &left[length..];
        }
        for flag in &matched {
            if parsed.flags.contains(flag) {
                return Err(repeated(flag));
            }
            parsed.flags.push(flag);
        }
        if left.is_empty() {
            return Ok(());
        }
        let Some((option, value)) = self.value_of(left, is_long) else {
            if !matched.is_empty() {
                parsed.positional.push(left.to_owned());
                return Ok(());
            }
            return Err(SqlError::general(format!("error: unknown option `{name}'")));
        };
        if parsed.value(option).is_some() {
            return Err(repeated(option));
        }
        let value = match value {
            Some(value) => value.to_owned(),
            None => {
                let next = rest.next();
                next.cloned().ok_or_else(|| SqlError::general(format!("error: no value for option `{option}'")))?
            }
        };
        parsed.values.push((option, value));
        Ok(())
    }

    /// The longest flag that `text` begins with, and its length.
    fn flag(&self, text: &str, taken: &[&'static str]) -> Option<(&'static str, usize)> {
        let fits = |written: &'static str| !written.is_empty() && text.starts_with(written);
        let mut found: Option<(&'static str, usize)> = None;
        for (name, short) in self.flags {
            for written in [name, short].into_iter().filter(|written| fits(written)) {
                if !taken.contains(name) && found.is_none_or(|(_, length)| written.len() > length) {
                    found = Some((name, written.len()));
                }
            }
        }
        found
    }

    /// The option with a value that `text` is, up to a `=`.
    fn value_option(&self, text: &str) -> Option<(&'static str, bool)> {
        let written = text.split('=').next().unwrap_or(text);
        let known =
            self.values.iter().find(|(name, short)| *name == written || (*short == written && !short.is_empty()));
        known.map(|(name, _)| (*name, true))
    }

    /// The option with a value that `text` begins with, and the value if it is written together with it.
    fn value_of<'t>(&self, text: &'t str, is_long: bool) -> Option<(&'static str, Option<&'t str>)> {
        let mut found: Option<(&'static str, usize)> = None;
        for (name, short) in self.values {
            for written in [name, short] {
                let fits = !written.is_empty() && text.starts_with(written);
                if fits && found.is_none_or(|(_, length)| written.len() > length) {
                    found = Some((name, written.len()));
                }
            }
        }
        let (name, length) = found?;
        let value = &text[length..];
        if value.is_empty() {
            return Some((name, None));
        }
        if is_long && !value.starts_with(['=', ':', ' ']) {
            return None;
        }
        let value = value.trim_start_matches(['=', ':', ' ']);
        Some((name, Some(value).filter(|value| !value.is_empty())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: Syntax = Syntax {
        command: "commit",
        flags: &[("all", "a"), ("ALL", "A"), ("amend", ""), ("allow-empty", "")],
        values: &[("message", "m"), ("author", "")],
        positional_max: Some(0),
        too_many: None,
    };

    fn parse(arguments: &[&str]) -> Result<Arguments> {
        COMMIT.parse(&arguments.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn flags_may_be_run_together_with_an_option() {
        let parsed = parse(&["-Am", "hello", "--author=A <a@b.c>"]).unwrap();
        assert!(parsed.has("ALL") && !parsed.has("all"));
        assert_eq!(parsed.value("message"), Some("hello"));
        assert_eq!(parsed.value("author"), Some("A <a@b.c>"));
        assert_eq!(parse(&["-mhello"]).unwrap().value("message"), Some("hello"));
        assert!(parse(&["--allow-empty", "--amend", "-m", "x"]).unwrap().has("allow-empty"));
    }

    #[test]
    fn what_is_wrong_is_said_as_native_dolt_does() {
        let text = |arguments: &[&str]| parse(arguments).unwrap_err().into_message();
        assert_eq!(text(&["--nope"]), "error: unknown option `nope'");
        assert_eq!(text(&["-m"]), "error: no value for option `message'");
        assert_eq!(text(&["-m", "a", "-m", "b"]), "error: multiple values provided for `message'");
        assert_eq!(text(&["x", "y"]), "error: commit does not take positional arguments, but found 2: x, y");
    }

    #[test]
    fn dashes_end_the_options() {
        let parsed = parse(&["--"]).unwrap();
        assert_eq!(parsed.before_dashes, Some(0));
    }
}
