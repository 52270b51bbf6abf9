//! `bindgen INPUT.wasm OUT_DIR`: writes `core.js`, `core_bg.wasm` and `deferred.wasm`, which keep the names of their functions, and
//! their type declarations.
#![forbid(unsafe_code)]

mod split;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

/// The generated module makes one instance and holds it for ever. Memory comes back only when an instance goes: `initSync` makes a new one
/// each time and lets go of the one before, and `compiledModule` is what the first one was made of.
fn make_instances(directory: &Path) -> std::io::Result<()> {
    const ONCE: &str = "function initSync(module) {\n    if (wasm !== undefined) return wasm;\n";
    const EXPORTS: &str = "export { initSync, __wbg_init as default };";
    let (script, types) = (directory.join("core.js"), directory.join("core.d.ts"));
    let mut text = std::fs::read_to_string(&script)?;
    for (known, wanted) in [
        (ONCE, "function initSync(module) {\n"),
        (EXPORTS, "export { initSync, wasmModule as compiledModule, __wbg_init as default };"),
    ] {
        if !text.contains(known) {
            return Err(std::io::Error::other(format!("core.js has another form: it has no {known:?}")));
        }
        text = text.replace(known, wanted);
    }
    std::fs::write(script, text)?;
    let declared = "\n/** Of which instances are made. */\nexport const compiledModule: WebAssembly.Module;\n";
    std::fs::write(&types, std::fs::read_to_string(&types)? + declared)
}

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
            .generate(PathBuf::from(&out_directory))
    });
    let generated = generated.and_then(|()| Ok(make_instances(&PathBuf::from(&out_directory))?));
    let generated = generated.and_then(|()| split::split(Path::new(&out_directory)));
    match generated {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
