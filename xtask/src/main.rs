//! Build steps that cargo and npm do not have: `cargo xtask wasm|lists|size|beside-native|fuzz|miri|tidy`.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use xtask::{beside_native, lists, nightly, size, tidy, wasm};

const USAGE: &str = "usage: cargo xtask COMMAND
  wasm [--release|--dev]  build rust/wasm into dist/wasm; does nothing when no input changed
  lists                   write what is made from Rust: docs/functions.md, the console's functions, engine_layout.ts
  size                    print the sizes of the modules in dist/wasm; fails over budget
  beside-native [GENERATOR | SCRIPT.sql | FOLDER] [--seeds A..B]
                          run random scripts, or one's own, beside native Dolt; print what differs, made short
  fuzz [FORMAT] [--seconds N]
                          run libFuzzer over a format of rust/fuzz_targets, or over each (nightly, cargo-fuzz)
  miri                    run the tests of region under Miri (nightly)
  tidy                    check import directions, unreferenced files, format pages and licences";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["wasm"] | ["wasm", "--release"] => wasm::build(wasm::Mode::Release),
        ["wasm", "--dev"] => wasm::build(wasm::Mode::Dev),
        ["lists"] => lists::write(),
        ["size"] => size::check(),
        ["beside-native", rest @ ..] => beside_native::run(rest),
        ["fuzz", rest @ ..] => nightly::fuzz(rest),
        ["miri"] => nightly::miri(),
        ["tidy"] => tidy::check_all(),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
