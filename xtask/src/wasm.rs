//! `rust/wasm` → `dist/wasm`: cargo build, wasm-bindgen, and wasm-opt for releases.

use crate::metadata::cargo_metadata;
use crate::{files, inputs};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// How the wasm file is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// What ships: fat LTO, then wasm-opt. Minutes.
    Release,
    /// For a quick look: names kept, not optimised by wasm-opt.
    Dev,
}

impl Mode {
    fn word(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Dev => "dev",
        }
    }

    /// Profile of Cargo.toml, and the directory of `target/wasm32-unknown-unknown` that it writes to.
    fn profile(self) -> (&'static str, &'static str) {
        match self {
            Self::Release => ("release", "release"),
            Self::Dev => ("dev", "debug"),
        }
    }
}

/// What rustc 1.95 emits by itself, and simd128 (`.cargo/config.toml`). wasm-opt reads the same from the target_features
/// section; given here too, because that section is lost when somebody strips the file.
const FEATURES: [&str; 8] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// What wasm-opt does. More of it makes the file smaller and what is downloaded larger, at the same speed: -O3 is 21 kB after brotli
/// more than -O1, and -O1 is 7 more than these, as it turns sets of locals into results of blocks and cuts data at its zeros. What
/// pays: to number locals by their use (20 kB), what is set twice, ends that branches share and the tidying after it (13), a second
/// look at instructions after that (3), no alignments, which are hints that no engine takes (6), and functions of one name beside each
/// other, as they are much alike (15). Names are dropped when the file is written.
const PASSES: [&str; 28] = [
    "--dce",
    "--remove-unused-names",
    "--remove-unused-brs",
    "--optimize-instructions",
    "--precompute",
    "--simplify-locals-nostructure",
    "--vacuum",
    "--reorder-locals",
    "--remove-unused-brs",
    "--coalesce-locals",
    "--reorder-locals",
    "--rse",
    "--code-folding",
    "--merge-blocks",
    "--remove-unused-brs",
    "--remove-unused-names",
    "--vacuum",
    "--precompute",
    "--optimize-instructions",
    "--rse",
    "--code-folding",
    "--merge-blocks",
    "--remove-unused-brs",
    "--remove-unused-names",
    "--vacuum",
    "--duplicate-function-elimination",
    "--dealign",
    "--reorder-functions-by-name",
];

/// The module of regular expressions, which is loaded when it is first used.
const REGEXP: &str = "regexp.wasm";

/// The module that checks pushed chunks, which only `varve serve` loads.
const CHUNK_CHECK: &str = "chunk_check.wasm";

/// SQL's tokens for the console's page, which loads it before it is drawn.
const LEXER: &str = "lexer.wasm";

/// Functions of the engine that few statements need, which `bindgen` takes out of `core_bg.wasm`. It is loaded when one is called.
const DEFERRED: &str = "deferred.wasm";

/// Builds `dist/wasm/{core.js, core_bg.wasm, deferred.wasm, regexp.wasm, lexer.wasm, chunk_check.wasm, core.d.ts, core_bg.wasm.d.ts}` unless they stand for the present sources.
///
/// A release also stands for a development build of the same sources.
///
/// # Errors
/// A sentence naming the step that failed.
pub fn build(mode: Mode) -> Result<(), String> {
    let out_directory = files::root().join("dist/wasm");
    let stamp_path = out_directory.join(".inputs");
    let fingerprint = inputs::fingerprint()?;
    let stamp = std::fs::read_to_string(&stamp_path).unwrap_or_default();
    let is_whole = ["core_bg.wasm", "core.js", DEFERRED, REGEXP, LEXER, CHUNK_CHECK]
        .iter()
        .all(|name| out_directory.join(name).exists());
    if is_whole && (stamp == format!("release {fingerprint}") || stamp == format!("{} {fingerprint}", mode.word())) {
        return Ok(());
    }
    create(&out_directory)?;
    let _ = std::fs::remove_file(&stamp_path);

    let (profile, profile_directory) = mode.profile();
    files::run(Command::new("cargo").args([
        "build",
        "--package",
        "wasm",
        "--package",
        "regexp",
        "--package",
        "chunk_check",
        "--package",
        "lexer",
        "--target",
        "wasm32-unknown-unknown",
        "--profile",
        profile,
        "--config",
        &portable_paths()?,
    ]))?;
    files::run(Command::new("cargo").args(["build", "--quiet", "--package", "bindgen", "--profile", "tool"]))?;

    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| files::root().join("target"), Into::into);
    let work = target.join("bindgen");
    create(&work)?;
    files::run(
        Command::new(target.join("tool/bindgen"))
            .arg(target.join("wasm32-unknown-unknown").join(profile_directory).join("wasm.wasm"))
            .arg(&work),
    )?;
    // Raw exports alone: nothing is generated for them.
    for name in [REGEXP, LEXER, CHUNK_CHECK] {
        std::fs::copy(target.join("wasm32-unknown-unknown").join(profile_directory).join(name), work.join(name))
            .map_err(|error| format!("{name}: {error}"))?;
    }
    if mode == Mode::Release {
        for name in ["core_bg.wasm", DEFERRED, REGEXP, LEXER, CHUNK_CHECK] {
            optimize(&work.join(name))?;
        }
    }
    for name in ["core.js", "core.d.ts", "core_bg.wasm.d.ts", "core_bg.wasm", DEFERRED, REGEXP, LEXER, CHUNK_CHECK] {
        std::fs::copy(work.join(name), out_directory.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    copy_snippets(&work, &out_directory)?;
    copy_hand_written(&out_directory)?;
    let weights = files::root().join("rust/value/weights/collations.bin");
    std::fs::copy(&weights, out_directory.join("collations.bin"))
        .map_err(|error| format!("{}: {error}", weights.display()))?;
    std::fs::write(&stamp_path, format!("{} {fingerprint}", mode.word())).map_err(|error| error.to_string())
}

/// Names the sources of crates from a registry without the directory of this machine: panics tell where they happened, and the file
/// is to be the same wherever it is built. A line of configuration for cargo; its flags are added to those of `.cargo/config.toml`.
fn portable_paths() -> Result<String, String> {
    let metadata = cargo_metadata(&["--filter-platform", "wasm32-unknown-unknown"])?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifests = packages
        .filter(|package| package["source"].is_string())
        .filter_map(|package| package["manifest_path"].as_str());
    let directories: BTreeSet<&Path> =
        manifests.filter_map(|manifest| Path::new(manifest).parent()?.parent()).collect();
    let flags: Vec<String> =
        directories.iter().map(|directory| format!("--remap-path-prefix={}=", directory.display())).collect();
    Ok(format!("target.wasm32-unknown-unknown.rustflags={flags:?}"))
}

fn optimize(file: &Path) -> Result<(), String> {
    let optimizer = files::root().join("node_modules/binaryen/bin/wasm-opt");
    if !optimizer.exists() {
        return Err("wasm-opt is not installed: run `npm ci` first".into());
    }
    let optimized = file.with_extension("optimized");
    files::run(Command::new("node").arg(optimizer).arg(file).args(PASSES).arg("-o").arg(&optimized).args(FEATURES))?;
    std::fs::rename(&optimized, file).map_err(|error| format!("{}: {error}", optimized.display()))
}

/// JavaScript that crates bring along (`#[wasm_bindgen(module = …)]`) lies in `snippets/` and is imported by `core.js`.
fn copy_snippets(from: &Path, to: &Path) -> Result<(), String> {
    let snippets = from.join("snippets");
    for path in files::below(&snippets) {
        let relative = path.strip_prefix(from).map_err(|error| error.to_string())?;
        let target = to.join(relative);
        if let Some(directory) = target.parent() {
            create(directory)?;
        }
        std::fs::copy(&path, &target).map_err(|error| format!("{}: {error}", target.display()))?;
    }
    Ok(())
}

/// JavaScript in `rust/wasm` that the raw imports of the wasm file name as `./NAME.js`: it lies beside `core.js`.
fn copy_hand_written(to: &Path) -> Result<(), String> {
    let from = files::root().join("rust/wasm");
    for entry in std::fs::read_dir(&from).map_err(|error| format!("{}: {error}", from.display()))?.flatten() {
        let name = entry.file_name();
        let is_script = [".js", ".d.ts"].iter().any(|end| name.to_string_lossy().ends_with(end));
        if is_script {
            std::fs::copy(entry.path(), to.join(&name)).map_err(|error| format!("{}: {error}", name.display()))?;
        }
    }
    Ok(())
}

fn create(directory: &Path) -> Result<(), String> {
    std::fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))
}
