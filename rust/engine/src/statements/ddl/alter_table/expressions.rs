//! Names of columns in expressions that schemas keep as text.

use parse::token::TokenKind;

/// The columns that an expression names, in lower case: schemas write them in back-ticks.
pub fn names(text: &str) -> Vec<String> {
    quoted(text).into_iter().map(|(_, name)| name.to_lowercase()).collect()
}

/// Gives a column another name in an expression.
pub fn rename(text: &mut Box<str>, from: &str, to: &str) {
    let mut renamed = String::with_capacity(text.len());
    let mut end = 0;
    for (span, name) in quoted(text) {
        if name.eq_ignore_ascii_case(from) {
            renamed.push_str(&text[end..span.start]);
            renamed.push_str(&parse::quote_name(to));
            end = span.end;
        }
    }
    renamed.push_str(&text[end..]);
    *text = renamed.into();
}

/// Names in back-ticks and where they stand.
fn quoted(text: &str) -> Vec<(core::ops::Range<usize>, String)> {
    let mut lexer = parse::lexer::Lexer::new(text, parse::Options::default());
    let mut found = Vec::new();
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::End => return found,
            TokenKind::QuotedName => {
                let name = parse::lexer::unquote_name(token.span.text(text));
                found.push((token.span.range(), name));
            }
            _ => {}
        }
    }
}
