//! What needs a nightly toolchain: libFuzzer over the formats, and Miri over the crate whose code is unsafe.
//!
//! `rustup toolchain install nightly --component miri rust-src` and `cargo install cargo-fuzz` bring the tools.

use std::path::Path;
use std::process::Command;

use crate::files::{below, root};

/// Seconds for each format when none are named.
const SECONDS: &str = "600";
/// As `INPUT_BYTES_MAX` of the run on stable.
const INPUT_BYTES_MAX: u32 = 64 << 10;
/// What takes longer hangs; the sanitizer makes everything some five times as slow.
const INPUT_SECONDS_MAX: u32 = 60;

/// Runs the fuzz target of the format that `words` name, or of each in turn. Inputs that reach new code are kept in
/// `target/fuzz-corpus`; the kept corpus, `fuzz/corpus`, is read and not written.
///
/// # Errors
/// When there are words that mean nothing, or a target failed: the input is then in `fuzz/artifacts`.
pub fn fuzz(words: &[&str]) -> Result<(), String> {
    let (named, seconds) = match words {
        [] => (None, SECONDS),
        ["--seconds", seconds] => (None, *seconds),
        [format] => (Some(*format), SECONDS),
        [format, "--seconds", seconds] => (Some(*format), *seconds),
        other => return Err(format!("fuzz [FORMAT] [--seconds N], not {}", other.join(" "))),
    };
    let mut formats: Vec<String> =
        below(&root().join("fuzz/fuzz_targets")).iter().filter_map(|path| name_of(path)).collect();
    if let Some(named) = named {
        if !formats.iter().any(|format| format == named) {
            return Err(format!("no format {named}; there are {}", formats.join(", ")));
        }
        formats = vec![named.to_owned()];
    }
    let mut failed = Vec::new();
    for format in formats {
        let grown = root().join("target/fuzz-corpus").join(&format);
        std::fs::create_dir_all(&grown).map_err(|error| format!("{}: {error}", grown.display()))?;
        let mut command = cargo_nightly();
        command.args(["fuzz", "run", "--fuzz-dir", "fuzz", "--target-dir", "target/fuzz", &format]).arg(&grown);
        command.arg(root().join("fuzz/corpus").join(&format));
        command.arg("--").args([
            format!("-max_total_time={seconds}"),
            format!("-max_len={INPUT_BYTES_MAX}"),
            format!("-timeout={INPUT_SECONDS_MAX}"),
        ]);
        println!("{format}, {seconds} s");
        if run(&mut command).is_err() {
            failed.push(format);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("{} failed: see fuzz/artifacts", failed.join(", "))) }
}

/// Tests of `region` under Miri, but for those that write through a disk that loses power: they have no unsafe code beneath
/// and take Miri many minutes.
///
/// # Errors
/// When a test fails, or Miri is not installed.
pub fn miri() -> Result<(), String> {
    for tests in [
        &["--lib", "--", "frame", "small_blocks"][..],
        &["--test", "faults_are_counted_and_pages_kept"],
        &["--test", "reads_equal_the_file"],
    ] {
        let mut command = cargo_nightly();
        command.args(["miri", "test", "--package", "region"]).args(tests);
        command.env("CARGO_TARGET_DIR", "target/miri").env("MIRIFLAGS", "-Zmiri-disable-isolation");
        run(&mut command)?;
    }
    Ok(())
}

/// Not through the `cargo` of this process: that is the stable one.
fn cargo_nightly() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).current_dir(root());
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTC_WRAPPER"] {
        command.env_remove(name);
    }
    command
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("rustup run nightly cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed")) }
}

fn name_of(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().into_owned())
}
