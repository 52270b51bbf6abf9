//! Scripts that begin in Varve, go on in native Dolt over the very files, and come back: conflicts, staged rows and plans of a
//! rebase go along. Beside them native Dolt runs the whole script by itself, and what is stored is compared after each statement.
#![allow(clippy::disallowed_methods)] // native: it has directories

use std::path::{Path, PathBuf};
use std::process::Command;

use engine::{Cursor, Session};

use crate::beside::AUTHORS;
use crate::common::generate::Random;
use crate::common::native::{Connection, Outcome, Server};
use crate::common::{judge, open_writable, told};
use crate::generators::{documents, keys, schema_merges, versions, workflows};
use crate::script::{DATABASE, Step};

type Script = fn(&mut Random) -> Vec<Step>;

/// Generators, with seeds of scripts that differ nowhere.
const SCRIPTS: &[(Script, &[u64])] = &[
    (versions::script, &[1, 2, 3, 4]),
    (keys::script, &[1, 2, 3]),
    (schema_merges::script, &[1, 2]),
    (documents::script, &[1]),
    (workflows::script, &[11, 12]),
];

/// Varve, native Dolt, and Varve again.
const PARTS: usize = 3;

/// Directories of databases: one that native Dolt has to itself, one that both have in turn.
struct Places {
    root: PathBuf,
    own: PathBuf,
    shared: PathBuf,
}

impl Places {
    fn lay(dolt: &Path, databases: usize) -> Places {
        let root = std::env::temp_dir().join(format!("varve-places-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        let (template, own, shared) = (root.join("template"), root.join("own"), root.join("shared"));
        for directory in [&template, &own, &shared] {
            std::fs::create_dir_all(directory).expect("a temporary directory");
        }
        let init = ["init", "--name", "A", "--email", "a@b.c", "--date", "2024-01-01T00:00:00", "-b", "main"];
        run(Command::new(dolt).args(init).current_dir(&template).env("HOME", &root));
        for number in 0..databases {
            for directory in [&own, &shared] {
                run(Command::new("cp").arg("-r").arg(&template).arg(directory.join(format!("h{number}"))));
            }
        }
        Places { root, own, shared }
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the command starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

/// A session on either side.
enum Side {
    Native(Box<Connection>),
    Ours(Box<Session>),
}

impl Side {
    fn native(server: &Server, database: &str) -> Side {
        let mut side = Side::Native(Box::new(server.connect()));
        side.told(&format!("USE {database}"));
        side.told(AUTHORS);
        side
    }

    fn ours(directory: &Path) -> Side {
        let side = Side::Ours(Box::new(open_writable(directory).expect("the database opens")));
        let Side::Ours(session) = &side else { unreachable!() };
        session.query(AUTHORS).and_then(Cursor::collect).expect("variables are set");
        side
    }

    fn told(&mut self, sql: &str) -> String {
        match self {
            Side::Native(native) => told::native_text(native.query(sql)),
            Side::Ours(ours) => told::our_text(ours, sql),
        }
    }

    /// Whether a statement is done; `None` when that is unknown.
    fn is_done(&mut self, sql: &str) -> Option<bool> {
        match self {
            Side::Native(native) => match native.query(sql) {
                Outcome::Lost => None,
                outcome => Some(!matches!(outcome, Outcome::Failed { .. })),
            },
            Side::Ours(ours) => match ours.query(sql).and_then(Cursor::collect) {
                Err(error) if judge::is_not_built(&error) => None,
                outcome => Some(outcome.is_ok()),
            },
        }
    }
}

/// A script on its way, and how far it is.
struct Way {
    name: String,
    script: Vec<Step>,
    at: usize,
    branch: String,
    apart: Option<String>,
}

impl Way {
    /// Goes on up to a step in both places.
    fn go(&mut self, end: usize, own: &mut Side, shared: &mut Side) {
        // What a session knows stays behind.
        for sql in self.script[..self.at].iter().map(|step| &step.sql).filter(|sql| sql.starts_with("set ")) {
            shared.told(sql);
            own.told(sql);
        }
        let checkout = format!("call dolt_checkout('{}')", self.branch);
        if self.at > 0 {
            shared.told(&checkout);
            own.told(&checkout);
        }
        while self.at < end.min(self.script.len()) && self.apart.is_none() {
            let sql = self.script[self.at].sql.replace(DATABASE, &self.name);
            let done = (own.is_done(&sql), shared.is_done(&sql));
            let (Some(theirs), Some(ours)) = done else {
                self.script.truncate(self.at);
                return;
            };
            if theirs != ours {
                self.apart = Some(format!("step {}: {sql}: done {ours}, native alone {theirs}", self.at));
            }
            // Native Dolt writes the numbers of a rebase's plan without the decimals that they have.
            let has_plan = !own.told("SELECT * FROM dolt_rebase").starts_with("error");
            let questions =
                ["SELECT dolt_hashof_db('WORKING')", "SELECT dolt_hashof_db('STAGED')", "SELECT hashof('HEAD')"];
            for question in &questions[usize::from(has_plan)..] {
                let (theirs, ours) = (own.told(question), shared.told(question));
                if theirs != ours && self.apart.is_none() {
                    self.apart = Some(format!("step {}: {sql}: {question}: {ours}, native alone {theirs}", self.at));
                }
            }
            self.at += 1;
        }
        self.branch = own.told("SELECT active_branch()");
    }
}

/// `true` when all scripts came back as they would have been.
pub fn come_back(dolt: &Path) -> bool {
    let scripts = SCRIPTS.iter().flat_map(|(script, seeds)| seeds.iter().map(|seed| script(&mut Random::new(*seed))));
    let mut ways: Vec<Way> = scripts
        .enumerate()
        .map(|(number, script)| Way { name: format!("h{number}"), script, at: 0, branch: "main".into(), apart: None })
        .collect();
    let places = Places::lay(dolt, ways.len());
    let own = Server::start(dolt, &places.own);
    let firsts = SCRIPTS.iter().scan(0, |first, (_, seeds)| Some(std::mem::replace(first, *first + seeds.len())));
    let firsts: Vec<String> = firsts.map(|number| format!("h{number}")).collect();
    let is_first = |name: &String| firsts.contains(name);
    for part in 1..=PARTS {
        let end = |way: &Way| way.script.len() * part / PARTS;
        if part % 2 == 1 {
            for way in &mut ways {
                let mut ours = Side::ours(&places.shared.join(&way.name));
                way.go(end(way), &mut Side::native(&own, &way.name), &mut ours);
            }
            continue;
        }
        for way in ways.iter().filter(|way| way.apart.is_none()) {
            let directory = places.shared.join(&way.name);
            let command =
                |words: &[&str]| run(Command::new(dolt).args(words).current_dir(&directory).env("HOME", &places.root));
            command(&["fsck"]);
            // Once for each generator: a process takes its time.
            if is_first(&way.name) {
                for words in [&["log", "--oneline"][..], &["diff", "HEAD~1"], &["status"]] {
                    command(words);
                }
            }
        }
        let server = Server::start(dolt, &places.shared);
        for way in &mut ways {
            way.go(end(way), &mut Side::native(&own, &way.name), &mut Side::native(&server, &way.name));
        }
    }
    let apart = ways.iter().filter_map(|way| Some((way, way.apart.as_ref()?)));
    let count = apart.map(|(way, what)| println!("{}, {what}", way.name)).count();
    println!("{} scripts changed places, {count} differ", ways.len());
    count == 0
}
