//! `make_archive SOURCE TARGET CHUNKS`: see `native_benches::archive_maker`.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [source, target, chunks] = arguments.as_slice() else {
        eprintln!("usage: make_archive SOURCE TARGET CHUNKS");
        return ExitCode::from(2);
    };
    let made = chunks
        .parse()
        .map_err(Into::into)
        .and_then(|chunks| native_benches::archive_maker::make(Path::new(source), Path::new(target), chunks));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
