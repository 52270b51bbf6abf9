//! What the tests share: the vectors of the format, hex.
#![allow(dead_code, reason = "every test file uses a part of it")]

use serde_json::Value;

/// Key and value tuple.
pub type Row = (Vec<u8>, Vec<u8>);

/// A vector of the tree format; `None`, said aloud, in a checkout without them.
pub fn vector(name: &str) -> Option<Value> {
    let path = format!("{}/../../../shared/format/vectors/tree/{name}.json", env!("CARGO_MANIFEST_DIR"));
    match std::fs::read(&path) {
        Ok(bytes) => Some(serde_json::from_slice(&bytes).unwrap()),
        Err(_) => {
            eprintln!("skipped: ../shared not found");
            None
        }
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len() % 2 == 0);
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}
