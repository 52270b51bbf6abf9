//! `cargo xtask beside-native`: random scripts beside native Dolt for as long as somebody wants.

use std::process::Command;

/// Seeds when none are named.
const SEEDS: &str = "1..200";

/// Runs `rust/engine/tests/random_scripts_equal_native_dolt`: of `words` the first names a generator (all when there is none),
/// a script or a folder of scripts, `--seeds A..B` the seeds.
///
/// # Errors
/// When there are words that mean nothing, or a script differs; what differs is printed.
pub fn run(words: &[&str]) -> Result<(), String> {
    let (name, rest) = match words {
        [name, rest @ ..] if !name.starts_with("--") => (Some(*name), rest),
        rest => (None, rest),
    };
    let seeds = match rest {
        [] => SEEDS,
        ["--seeds", seeds] => seeds,
        other => {
            return Err(format!(
                "beside-native [GENERATOR | SCRIPT.sql | FOLDER] [--seeds A..B], not {}",
                other.join(" ")
            ));
        }
    };
    let mut command = Command::new(env!("CARGO"));
    command.args([
        "test",
        "--quiet",
        "--package",
        "engine",
        "--test",
        "random_scripts_equal_native_dolt",
        "--",
        "--nocapture",
    ]);
    command.env("VARVE_SEEDS", seeds);
    if let Some(name) = name {
        let script = std::path::absolute(name).map_err(|error| error.to_string())?;
        let is_path = name.ends_with(".sql") || script.is_dir();
        command.env("VARVE_BESIDE", if is_path { script.as_os_str() } else { name.as_ref() });
    }
    let status = command.status().map_err(|error| format!("cargo test: {error}"))?;
    if status.success() { Ok(()) } else { Err("scripts differ".into()) }
}
