//! SQL text to a tree with spans: the MySQL dialect as Dolt speaks it.
//!
//! Architecture invariant: no I/O, no panic on any text, no recursion deeper than [`DEPTH_MAX`].
#![forbid(unsafe_code)]

mod admin;
mod alter;
pub mod ast;
mod complete;
mod ddl;
mod dml;
mod error;
mod expr;
mod from;
mod function;
mod hint;
pub mod keyword;
pub mod lexer;
mod literal_rows;
mod name;
mod parser;
mod primary;
mod print;
mod query;
mod raw_bytes;
mod routine;
mod show;
mod split;
mod statement;
mod table_option;
pub mod token;
mod types;

pub use complete::{Completion, TableInScope, complete};
pub use error::ParseError;
pub use hint::nearest_name;
pub use literal_rows::{LiteralRows, RawLiteral, RowReader};
pub use parser::NameKind;
pub use print::{
    NamedColumn, Unprintable, named_columns, names_variable, print, print_stored, quote_name, quote_text,
    respell_columns,
};
pub use raw_bytes::text_of_bytes;
pub use split::{Piece, Splitter, split};
pub use statement::{expression, kept, kept_expression, statement, statement_in};

use ast::{Span, Statement};

/// Nested constructs (parentheses, calls, blocks; a subquery counts twice) that one statement may have. The wasm stack is
/// 1 MiB and a level takes up to 4 KiB of it, in debug builds up to 16.
pub const DEPTH_MAX: u32 = 100;

/// Height of the highest tree: nesting plus chains such as `1 + 1 + 1 …`. AND, OR, UNION and comma lists are flat and
/// do not count.
pub const HEIGHT_MAX: u32 = 400;

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

/// What became of one text.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// `None` when there is an error, and for a text of only blanks and comments.
    pub statement: Option<Statement>,
    /// The error that Dolt would report stands first; more may follow for the editor.
    pub errors: Vec<ParseError>,
    /// `?` in the statement.
    pub parameters: u32,
    /// Constructs that are accepted because of [`Options::beyond_dolt`], in the order of their reading.
    pub beyond_dolt: Vec<ParseError>,
    /// Bytes after the statement and its `;`, when the text holds more statements.
    pub rest: Option<Span>,
}
