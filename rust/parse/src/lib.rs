//! SQL text to a tree with spans: the MySQL dialect as Dolt speaks it.
//!
//! Architecture invariant: no I/O, no panic on any text, no recursion deeper than [`DEPTH_MAX`].
#![forbid(unsafe_code)]

mod assist;
pub mod ast;
mod error;
mod grammar;
mod lex;
mod options;
mod outline;
mod parser;
mod print;
mod row_query;
mod turns;
mod utf16;

pub use assist::complete::{Completion, TableInScope, complete};
pub use assist::expected::NameKind;
pub use assist::hint::nearest_name;
pub use error::ParseError;
pub use grammar::statement::{
    expression, kept, kept_expression, statement, statement_in, statement_in_turns, statement_while,
};
pub use lex::literal_rows::{LiteralRows, RawLiteral, RowReader};
pub use lex::raw_bytes::text_of_bytes;
pub use lex::split::{Piece, Splitter, split};
pub use lex::{keyword, lexer, token};
pub use options::Options;
pub use outline::{Effect, Outline, Placeholder, Role, outline};
pub use parser::{DEPTH_MAX, HEIGHT_MAX};
pub use print::{
    NamedColumn, Unprintable, named_columns, names_variable, print, print_stored, quote_name, quote_text,
    respell_columns,
};
pub use row_query::{RowQuery, names, row_query};
pub use turns::Reading;
pub use utf16::Utf16Offsets;

use ast::{Span, Statement};

/// What became of one text.
#[derive(Debug, Default, PartialEq)]
pub struct Parsed {
    /// `None` when there is an error, and for a text of only blanks and comments.
    pub statement: Option<Statement>,
    /// The first error is the one that Dolt reports; more may follow for the editor.
    pub errors: Vec<ParseError>,
    /// `?` in the statement.
    pub parameters: u32,
    /// Constructs that are accepted because of [`Options::beyond_dolt`], in the order of their reading.
    pub beyond_dolt: Vec<ParseError>,
    /// Bytes after the statement and its `;`, when the text holds more statements.
    pub rest: Option<Span>,
}
