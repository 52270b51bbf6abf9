//! Calls through wasm-bindgen: those that never read a file.

use parse::Options;
use wasm_bindgen::prelude::*;

use crate::host;

#[wasm_bindgen(raw_module = "./host_imports.js")]
extern "C" {
    /// Gives the raw imports their implementation.
    fn connect(host: &JsValue);
}

/// Must be called before anything else: the imports lead nowhere until then. And whenever a thread that has several instances turns to
/// another one of them.
#[wasm_bindgen(js_name = connectHost)]
pub fn connect_host(imports: &JsValue) {
    connect(imports);
    value::Collation::load_with(host::collations);
    // A panic traps and ends the instance; this is how its words get out.
    std::panic::set_hook(Box::new(|panic| host::tell_panic(&panic.to_string())));
}

#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// What a statement does to the transaction in which it runs: 0 when it may end it, 1 when it leaves it open, 2 for ROLLBACK.
#[wasm_bindgen(js_name = transactionEffect)]
pub fn transaction_effect(sql: &str) -> u32 {
    parse::outline(sql, Options::default()).effect as u32
}

/// Start and end of every statement of a script, in UTF-16 units.
#[wasm_bindgen(js_name = splitStatements)]
pub fn split_statements(script: &str) -> Vec<u32> {
    let mut offsets = Vec::new();
    let (mut bytes, mut units) = (0, 0);
    for piece in parse::split(script, &Options::default()) {
        for end in [piece.span.start, piece.span.end] {
            // Pieces come in order, so the text is counted through once.
            let passed = script.get(bytes..end as usize).unwrap_or_default();
            units += passed.encode_utf16().count() as u32;
            bytes = end as usize;
            offsets.push(units);
        }
    }
    offsets
}
