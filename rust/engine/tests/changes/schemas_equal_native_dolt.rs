//! The same definitions in native Dolt and here give the same errors, schemas and hashes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use codec::Address;
use engine::{Cursor, Session};
use vcs::{Database, RootValue};

use crate::common::{
    self,
    native::{Connection, Outcome, Server},
};

/// Scripts of random definitions that every run compares.
const SEEDS: u64 = 40;

/// Native Dolt over an empty directory.
struct Native {
    connection: Connection,
    directory: PathBuf,
    databases: usize,
    _server: Server,
}

impl Native {
    fn start(name: &str) -> Option<Native> {
        let binary = native_dolt::binary()?;
        let directory = std::env::temp_dir().join(format!("varve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        let server = Server::start(&binary, &directory);
        Some(Native { connection: server.connect(), directory, databases: 0, _server: server })
    }

    /// Makes and uses a fresh database; its name.
    fn fresh(&mut self) -> String {
        self.databases += 1;
        let name = format!("mydb{}", self.databases);
        for sql in [format!("create database {name}"), format!("use {name}")] {
            assert!(matches!(self.connection.query(&sql), Outcome::Done { .. }), "{sql}");
        }
        name
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn working_root(database: &Database) -> RootValue {
    let refs = database.refs().expect("names");
    let set = refs.working_set("main").expect("a working set");
    database.objects().root_value(&set.working).expect("a root")
}

/// All tables with their hashes.
fn tables(root: &RootValue) -> BTreeMap<String, Address> {
    root.tables().map(|entry| entry.expect("a table")).map(|(name, address)| (name.into(), address)).collect()
}

fn native_root(directory: &Path) -> RootValue {
    let database = common::open_database(directory).expect("the native database opens");
    let root = working_root(&database);
    // It keeps all that it reads through.
    root
}

/// What differs between two versions of a table.
fn difference(name: &str, ours: &RootValue, native: &RootValue) -> String {
    let describe = |root: &RootValue| -> Vec<String> {
        let Ok(Some(table)) = root.table(name) else { return vec!["no table".into()] };
        let schema = vcs::Schema::message(root.objects(), &table.schema().address).expect("a schema");
        let draft = table.draft();
        let rows = format!("rows {} auto_increment {:?}", draft.rows.address(), draft.auto_increment);
        let indexes = table.schema().indexes.iter().map(|index| {
            let root = table.index_root(index).map(|root| root.address().to_string());
            format!("index {}: {root:?}", index.name)
        });
        format!("{schema:#?}").lines().map(str::to_owned).chain([rows]).chain(indexes).collect()
    };
    let (ours, native) = (describe(ours), describe(native));
    let only = |these: &[String], those: &[String], sign: char| -> Vec<String> {
        these.iter().filter(|line| !those.contains(line)).map(|line| format!("  {sign} {}", line.trim())).collect()
    };
    let mut lines = only(&native, &ours, '-');
    lines.extend(only(&ours, &native, '+'));
    if lines.is_empty() {
        let differ = native.iter().zip(&ours).enumerate().filter(|(_, (native, ours))| native != ours);
        lines.extend(differ.map(|(at, (native, ours))| format!("  line {at}: {native} here {ours}")));
    }
    lines.join("\n")
}

/// Runs a script on both sides; what differs.
fn compare(native: &mut Native, script: &str) -> Vec<String> {
    let database = native.fresh();
    let session = common::fresh::session();
    let mut findings = Vec::new();
    for piece in parse::split(script, &parse::Options::default()) {
        let sql = piece.span.text(script).trim().trim_end_matches(";");
        if sql.is_empty() {
            continue;
        }
        let theirs = native.connection.query(sql);
        let ours = session.query(sql).and_then(Cursor::collect);
        if matches!(theirs, Outcome::Failed { .. }) {
            // What a failed definition has done stays there, even beyond the connection's next statement.
            native.connection.query("rollback");
        }
        match (&theirs, &ours) {
            (Outcome::Failed { errno, message }, Ok(_)) => {
                findings.push(format!("{sql}\n  - {errno} {message}\n  + ok"))
            }
            (Outcome::Failed { errno, message }, Err(error)) => {
                // What a value's conversion says behind a colon is its own affair.
                let begins = |text: &str| text.replace(&database, "mydb").split(": ").next().map(str::to_owned);
                if (*errno, begins(message)) != (error.errno, begins(&error.message)) {
                    findings.push(format!("{sql}\n  - {errno} {message}\n  + {} {}", error.errno, error.message));
                }
            }
            (Outcome::Lost, _) => {
                native.connection.query(&format!("use {database}"));
            }
            (_, Err(error)) => findings.push(format!("{sql}\n  - ok\n  + {} {}", error.errno, error.message)),
            _ => {}
        }
    }
    let theirs = native_root(&native.directory.join(&database));
    let ours = our_root(&session);
    let (our_tables, native_tables) = (tables(&ours), tables(&theirs));
    for name in our_tables.keys().chain(native_tables.keys()).collect::<std::collections::BTreeSet<_>>() {
        if our_tables.get(name) != native_tables.get(name) {
            let first = script.lines().take(3).collect::<Vec<_>>().join("\n");
            findings.push(format!("{first}\n table {name}\n{}", difference(name, &ours, &theirs)));
        }
    }
    let keys = |root: &RootValue| -> Vec<String> {
        root.foreign_keys().expect("keys").iter().map(|key| format!("{key:?}")).collect()
    };
    let (our_keys, native_keys) = (keys(&ours), keys(&theirs));
    findings.extend(native_keys.iter().filter(|key| !our_keys.contains(key)).map(|key| format!("- {key}")));
    findings.extend(our_keys.iter().filter(|key| !native_keys.contains(key)).map(|key| format!("+ {key}")));
    if findings.is_empty() && ours.address() != theirs.address() {
        findings.push(format!("{script}\n roots differ"));
    }
    findings
}

fn our_root(session: &Session) -> RootValue {
    session.catalog().place(None).and_then(|place| place.root()).expect("a root")
}

/// Scripts in a text, separated by lines of `---`.
fn check(name: &str, scripts: &str) {
    let Some(mut native) = Native::start(name) else { return };
    let findings: Vec<String> = scripts.split("\n---\n").flat_map(|script| compare(&mut native, script)).collect();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n\n"));
}

#[test]
fn created_tables() {
    check("create", include_str!("../sql/definitions/create_table.sql"));
}

#[test]
fn tables_of_queries() {
    check("create_as", include_str!("../sql/definitions/create_table_from_query.sql"));
}

#[test]
fn altered_tables() {
    check("alter", include_str!("../sql/definitions/alter_table.sql"));
}

/// `VARVE_SEED=17` runs one script, `VARVE_SEEDS=1000` that many.
#[test]
fn random_definitions() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("VARVE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("VARVE_SEEDS").unwrap_or(SEEDS),
    };
    let Some(mut native) = Native::start("random") else { return };
    let mut different = Vec::new();
    for seed in seeds {
        let script = common::random_definitions::script(seed);
        let findings = compare(&mut native, &script);
        if !findings.is_empty() {
            different.push(format!("seed {seed}:\n{script}\n{}", findings.join("\n")));
        }
    }
    let shown: Vec<String> = different.iter().take(4).cloned().collect();
    assert!(different.is_empty(), "{} scripts differ\n{}", different.len(), shown.join("\n\n"));
}

#[test]
fn full_text_indexes() {
    check("full_text", include_str!("../sql/definitions/full_text.sql"));
}

#[test]
fn vector_indexes() {
    check("vectors", include_str!("../sql/definitions/vectors.sql"));
}
