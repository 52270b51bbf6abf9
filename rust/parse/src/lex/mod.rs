//! Lexing: text to tokens, keywords, statements of a script, rows of literals.

pub mod client_commands;
pub mod keyword;
pub mod lexer;
pub mod literal_rows;
pub mod raw_bytes;
pub mod split;
pub mod token;
