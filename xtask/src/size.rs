//! Size of the wasm file against its budget.

use crate::files;
use std::path::Path;
use std::process::Command;

/// Most that a visitor downloads for the engine, after brotli.
pub const BROTLI_BYTES_MAX: u64 = 1_500_000;

/// Most for regular expressions, which a visitor downloads when a statement first has one.
pub const REGEXP_BROTLI_BYTES_MAX: u64 = 350_000;

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

/// Prints the sizes of `dist/wasm/core_bg.wasm` and `regexp.wasm`.
///
/// # Errors
/// A sentence when the file was not built or is over its budget.
pub fn check() -> Result<(), String> {
    let file = files::root().join("dist/wasm/core_bg.wasm");
    if !file.exists() {
        return Err("dist/wasm/core_bg.wasm is not built: run `cargo xtask wasm` first".into());
    }
    let sizes = measure(&file)?;
    println!(
        "core_bg.wasm  {:>9} raw  {:>9} gzip  {:>9} brotli",
        sizes.raw_bytes, sizes.gzip_bytes, sizes.brotli_bytes
    );
    let regexp = measure(&files::root().join("dist/wasm/regexp.wasm"))?;
    println!(
        "regexp.wasm   {:>9} raw  {:>9} gzip  {:>9} brotli",
        regexp.raw_bytes, regexp.gzip_bytes, regexp.brotli_bytes
    );
    if regexp.brotli_bytes > REGEXP_BROTLI_BYTES_MAX {
        return Err(format!("regexp.wasm is {} bytes over budget", regexp.brotli_bytes - REGEXP_BROTLI_BYTES_MAX));
    }
    println!("budget        {:>9}      {:>9}       {BROTLI_BYTES_MAX:>9} brotli", "", "");
    if sizes.brotli_bytes > BROTLI_BYTES_MAX {
        return Err(format!("{} bytes over budget", sizes.brotli_bytes - BROTLI_BYTES_MAX));
    }
    Ok(())
}
