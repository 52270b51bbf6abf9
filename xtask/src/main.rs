//! Build steps that cargo and npm do not have: `cargo xtask wasm|size|beside-native|tidy`.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use xtask::{beside_native, size, tidy, wasm};

const USAGE: &str = "usage: cargo xtask COMMAND
  wasm [--release|--dev]  build rust/wasm into dist/wasm; does nothing when no input changed
  size                    print the sizes of dist/wasm/core_bg.wasm; fails over budget
  beside-native [GENERATOR | SCRIPT.sql | FOLDER] [--seeds A..B]
                          run random scripts, or one's own, beside native Dolt; print what differs, made short
  tidy                    check import directions, unreferenced files, format pages and licences";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["wasm"] | ["wasm", "--release"] => wasm::build(wasm::Mode::Release),
        ["wasm", "--dev"] => wasm::build(wasm::Mode::Dev),
        ["size"] => size::check(),
        ["beside-native", rest @ ..] => beside_native::run(rest),
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
