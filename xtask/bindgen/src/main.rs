//! `bindgen INPUT.wasm OUT_DIR`: writes `core.js`, `core_bg.wasm`, which keeps the names of its functions, and their type
//! declarations.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(out_directory)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: bindgen INPUT.wasm OUT_DIR");
        return ExitCode::from(2);
    };
    let generated = Bindgen::new().input_path(PathBuf::from(input)).out_name("core").web(true).and_then(|bindgen| {
        bindgen
            // Bundlers find the wasm file by the address in core.js, and so does the worker.
            .omit_default_module_path(false)
            .typescript(true)
            .remove_producers_section(true)
            .generate(PathBuf::from(out_directory))
    });
    match generated {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
