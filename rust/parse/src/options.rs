//! Parse options: the dialect and the SQL mode of a text.

/// The parts of sql_mode that change how text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `"x"` is a name, not a string.
    pub ansi_quotes: bool,
    /// `a || b` is concatenation, not OR.
    pub pipes_as_concat: bool,
    /// `\` in a string is a plain character.
    pub no_backslash_escapes: bool,
    /// What MySQL reads and Dolt 2.2.0 does not (`= ANY (…)`, WITH ROLLUP, `~x`, `@a := 1`) is read too, instead of being
    /// the syntax error that Dolt has. No mode of sql_mode says so.
    pub beyond_dolt: bool,
}

impl Options {
    /// Reads a comma-separated sql_mode; unknown modes do not matter here.
    pub fn from_sql_mode(sql_mode: &str) -> Self {
        let mut options = Self::default();
        for mode in sql_mode.split(',').map(str::trim) {
            let ansi = mode.eq_ignore_ascii_case("ANSI");
            options.ansi_quotes |= ansi || mode.eq_ignore_ascii_case("ANSI_QUOTES");
            options.pipes_as_concat |= ansi || mode.eq_ignore_ascii_case("PIPES_AS_CONCAT");
            options.no_backslash_escapes |= mode.eq_ignore_ascii_case("NO_BACKSLASH_ESCAPES");
        }
        options
    }
}
