//! What goes through wasm-bindgen: calls that never read a file.

use parse::Options;
use parse::ast::Span;
use parse::lexer::Lexer;
use parse::token::TokenKind;
use wasm_bindgen::prelude::*;

use crate::host;

#[wasm_bindgen(raw_module = "./host_imports.js")]
extern "C" {
    /// Gives the raw imports their implementation.
    fn connect(host: &JsValue);
}

/// Must be called before anything else: the imports lead nowhere until then.
#[wasm_bindgen(js_name = connectHost)]
pub fn connect_host(imports: &JsValue) {
    connect(imports);
    // A panic traps and ends the instance; this is how its words get out.
    std::panic::set_hook(Box::new(|panic| host::tell_panic(&panic.to_string())));
}

#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Start and end of every statement of a script, in UTF-16 units.
#[wasm_bindgen(js_name = splitStatements)]
pub fn split_statements(script: &str) -> Vec<u32> {
    let mut offsets = Vec::new();
    let (mut bytes, mut units) = (0, 0);
    for span in statements(script) {
        for end in [span.start, span.end] {
            // Pieces come in order, so the text is counted through once.
            let passed = script.get(bytes..end as usize).unwrap_or_default();
            units += passed.encode_utf16().count() as u32;
            bytes = end as usize;
            offsets.push(units);
        }
    }
    offsets
}

/// Statements without their semicolons and the blanks and comments before them.
fn statements(script: &str) -> Vec<Span> {
    let mut lexer = Lexer::new(script, Options::default());
    let mut found = Vec::new();
    let mut current: Option<Span> = None;
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::Semicolon => found.extend(current.take()),
            TokenKind::End => {
                found.extend(current);
                return found;
            }
            // Whoever parses the statement says what is wrong with it.
            _ => {
                current = Some(Span { start: current.map_or(token.span.start, |span| span.start), end: token.span.end })
            }
        }
    }
}
