//! SELECT over real databases, asked of us and of the native binary: the answers must be the same.
//!
//! Statements come from `tests/sql/*.sql` and from a seeded generator. `VARVE_SQL=joins` runs one file,
//! `VARVE_SQL=generated` the generator alone, `VARVE_FAILURES=50` prints more failures of each, `VARVE_ASK='use types;
//! select 1'` prints both answers.
#![allow(clippy::disallowed_methods)] // native: it says what takes long

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use engine::Session;

use crate::common;
use crate::common::generate;
use crate::common::judge::{self, Verdict};
use crate::common::native;

/// Fixtures that native Dolt and we open side by side; their databases have different names.
const FIXTURES: [&str; 9] =
    ["a_journal", "b_archive", "c_tablefile", "d_mixed", "e_types", "f_conflicts", "g_big", "h_clone", "i_multi"];

/// Statements that agree; raise it as there are more.
const FLOOR: usize = 1300;

/// Asked of the generator for each database that it knows.
const GENERATED_EACH: usize = 120;
/// Marks a statement to which native Dolt 2.2.0 gives an answer that SQL does not allow; ours only has to be one.
const NATIVE_IS_WRONG: &str = "/* native is wrong: ";
/// What takes longer in a debug build is printed.
const SLOW: Duration = Duration::from_secs(2);
const SEED: u64 = 20_261_121;

struct Databases {
    directory: PathBuf,
}

impl Databases {
    /// Two copies: native Dolt writes into the directories that it opens.
    fn unpack(shared: &Path) -> Databases {
        let directory = std::env::temp_dir().join(format!("varve-native-{}", std::process::id()));
        for copy in ["ours", "native"] {
            let target = directory.join(copy);
            std::fs::create_dir_all(&target).expect("a temporary directory");
            for name in FIXTURES {
                let archive = shared.join("fixtures").join(format!("{name}.tar.gz"));
                let status = Command::new("tar").arg("xzf").arg(&archive).arg("-C").arg(&target).status();
                assert!(status.is_ok_and(|status| status.success()), "{} unpacks", archive.display());
            }
            let several = target.join("multi");
            for entry in std::fs::read_dir(&several).expect("databases").flatten() {
                let _ = std::fs::rename(entry.path(), target.join(entry.file_name()));
            }
            let _ = std::fs::remove_dir_all(several);
        }
        Databases { directory }
    }
}

impl Drop for Databases {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

#[derive(Default)]
struct Tally {
    same: usize,
    lost: usize,
    /// Native Dolt has no sound answer.
    alone: usize,
    not_supported: Vec<String>,
    different: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.same += other.same;
        self.lost += other.lost;
        self.alone += other.alone;
        self.not_supported.extend(other.not_supported);
        self.different.extend(other.different);
    }
}

/// Runs a script on both sides. `USE` goes to both.
fn run(script: &str, session: &Session, native: &mut native::Connection) -> Tally {
    let mut tally = Tally::default();
    let mut database = String::new();
    for piece in parse::split(script, &parse::Options::default()) {
        let sql = piece.span.text(script);
        if sql.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("use ")) {
            database = sql.to_owned();
        }
        let begin = Instant::now();
        let outcome = native.query(sql);
        let theirs_took = begin.elapsed();
        let ours = judge::ask(session, sql);
        if begin.elapsed() > SLOW {
            let ours_took = begin.elapsed() - theirs_took;
            println!("  native {:.1} s, we {:.1} s: {sql}", theirs_took.as_secs_f64(), ours_took.as_secs_f64());
        }
        if outcome == native::Outcome::Lost {
            tally.lost += 1;
            native.query(&database);
            continue;
        }
        if script[piece.span.start as usize..piece.end as usize].contains(NATIVE_IS_WRONG) {
            tally.alone += 1;
            if let Err(error) = ours {
                tally.different.push(format!("{database}: {sql}\n      error {error}"));
            }
            continue;
        }
        match judge::judge(&outcome, ours, sql) {
            Verdict::Alone => tally.alone += 1,
            Verdict::Same => tally.same += 1,
            Verdict::NotSupported(what) => tally.not_supported.push(format!("{sql}\n      {what}")),
            Verdict::Different(why) => tally.different.push(format!("{database}: {sql}\n      {why}")),
        }
    }
    tally
}

/// Prints both answers to each statement.
fn show(script: &str, session: &Session, native: &mut native::Connection) {
    for piece in parse::split(script, &parse::Options::default()) {
        let sql = piece.span.text(script);
        let outcome = native.query(sql);
        let ours = judge::ask(session, sql);
        println!("{sql}");
        match &outcome {
            native::Outcome::Rows(table) => {
                println!("  native {:?}", table.types);
                judge::Expected::of_native(table, sql).rows.iter().for_each(|row| println!("    {row:?}"));
            }
            other => println!("  native {other:?}"),
        }
        match &ours {
            Ok((types, rows)) => {
                println!("  ours {types:?}");
                let kinds = vec![String::new(); types.len()];
                judge::as_text(rows, types, &kinds).iter().for_each(|row| println!("    {row:?}"));
            }
            Err(error) => println!("  ours {error}"),
        }
        println!("  {:?}", judge::judge(&outcome, ours, sql));
    }
}

#[test]
fn answers_equal_native_dolt() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let Some(binary) = native_dolt::binary() else { return };
    let only = std::env::var("VARVE_SQL").ok();
    let shown: usize = std::env::var("VARVE_FAILURES").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let databases = Databases::unpack(&shared);
    let server = native::Server::start(&binary, &databases.directory.join("native"));
    let mut native = server.connect();
    let session = common::open(&databases.directory.join("ours")).expect("the fixtures open");

    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql");
    let mut files: Vec<PathBuf> = std::fs::read_dir(scripts)
        .expect("scripts")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let mut sources: Vec<(String, String)> = files
        .iter()
        .map(|file| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(file).expect("a script"))
        })
        .collect();
    sources.push(("generated".to_owned(), generate::script(SEED, GENERATED_EACH)));

    if let Ok(script) = std::env::var("VARVE_ASK") {
        return show(&script, &session, &mut native);
    }
    let mut total = Tally::default();
    for (name, script) in sources.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)) {
        let begin = Instant::now();
        let tally = run(script, &session, &mut native);
        println!(
            "{name}: {:.1} s, {} same, {} not supported, {} without a sound answer of native, {} different",
            begin.elapsed().as_secs_f64(),
            tally.same,
            tally.not_supported.len(),
            tally.lost + tally.alone,
            tally.different.len()
        );
        tally.not_supported.iter().take(shown).for_each(|what| println!("  not supported: {what}"));
        tally.different.iter().take(shown).for_each(|what| println!("  different: {what}"));
        total.add(tally);
    }
    println!("{} same, {} not supported, {} different", total.same, total.not_supported.len(), total.different.len());
    assert!(total.different.is_empty(), "{} answers differ:\n{}", total.different.len(), total.different.join("\n"));
    assert!(only.is_some() || total.same >= FLOOR, "{} agree, there were {FLOOR}", total.same);
}
