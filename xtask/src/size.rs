//! Size of the wasm file against its budget.

use crate::files;
use std::path::Path;
use std::process::Command;

/// The modules with the most bytes that a visitor downloads of each, after brotli: what every visitor needs, what few statements need,
/// regular expressions, and SQL's tokens for the console's page. No page loads the last: `varve serve` checks pushed chunks by it.
const BUDGETS: [(&str, u64); 5] = [
    ("core_bg.wasm", 1_250_000),
    ("deferred.wasm", 600_000),
    ("regexp.wasm", 350_000),
    ("lexer.wasm", 40_000),
    ("chunk_check.wasm", 150_000),
];

/// Bytes of one file, as it is and as servers send it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    pub raw_bytes: u64,
    pub gzip_bytes: u64,
    pub brotli_bytes: u64,
}

/// Measures `file`. The encoders are Node's, so that no compressor is compiled for it.
///
/// # Errors
/// A sentence when node or the file is missing.
pub fn measure(file: &Path) -> Result<Sizes, String> {
    let output = Command::new("node")
        .current_dir(files::root())
        .arg("scripts/compressed_sizes.mjs")
        .arg(file)
        .output()
        .map_err(|error| format!("node: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        [raw_bytes, gzip_bytes, brotli_bytes] => {
            Ok(Sizes { raw_bytes: *raw_bytes, gzip_bytes: *gzip_bytes, brotli_bytes: *brotli_bytes })
        }
        _ => Err(format!("{}: {}", file.display(), String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// Prints the sizes of the modules in `dist/wasm`.
///
/// # Errors
/// A sentence when a file was not built or is over its budget.
pub fn check() -> Result<(), String> {
    let mut over = Vec::new();
    for (name, brotli_bytes_max) in BUDGETS {
        let file = files::root().join("dist/wasm").join(name);
        if !file.exists() {
            return Err(format!("dist/wasm/{name} is not built: run `cargo xtask wasm` first"));
        }
        let Sizes { raw_bytes, gzip_bytes, brotli_bytes } = measure(&file)?;
        println!(
            "{name:<16} {raw_bytes:>9} raw  {gzip_bytes:>9} gzip  {brotli_bytes:>9} of {brotli_bytes_max:>9} brotli"
        );
        if brotli_bytes > brotli_bytes_max {
            over.push(format!("{name} is {} bytes over budget", brotli_bytes - brotli_bytes_max));
        }
    }
    if over.is_empty() { Ok(()) } else { Err(over.join("\n")) }
}
