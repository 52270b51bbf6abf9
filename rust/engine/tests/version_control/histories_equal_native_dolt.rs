//! The same statements here and in native Dolt give the same hashes after every one of them; and each goes on from what the
//! other has written.
//!
//! `VARVE_HISTORY=3` runs one of them, `VARVE_SEED=1000` others.

use std::path::{Path, PathBuf};
use std::process::Command;

use engine::{Cursor, Session};

use crate::common;
use crate::common::history::History;
use crate::common::native::{Connection, Outcome, Server};

const HISTORIES: u64 = 40;
/// Statements in each of the parts: both side by side, one going on from the other, and back.
const STATEMENTS: [usize; 3] = [40, 12, 12];

/// Databases as `dolt init` leaves them, one below the other directory each.
struct Ground {
    native: PathBuf,
    ours: PathBuf,
}

impl Ground {
    fn lay(dolt: &Path) -> Ground {
        let root = std::env::temp_dir().join(format!("varve-histories-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        let (template, native, ours) = (root.join("template"), root.join("native"), root.join("ours"));
        for directory in [&template, &native, &ours] {
            std::fs::create_dir_all(directory).expect("a temporary directory");
        }
        let init = ["init", "--name", "A", "--email", "a@b.c", "--date", "2024-01-01T00:00:00", "-b", "main"];
        run(Command::new(dolt).args(init).current_dir(&template).env("HOME", &root));
        for number in 0..HISTORIES {
            for directory in [&native, &ours] {
                run(Command::new("cp").arg("-r").arg(&template).arg(directory.join(format!("h{number}"))));
            }
        }
        Ground { native, ours }
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        if let Some(root) = self.native.parent().filter(|_| !std::thread::panicking()) {
            let _ = std::fs::remove_dir_all(root);
        }
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the command starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

/// What a statement came to. Which of several mistakes is named is another test's.
#[derive(Debug, PartialEq)]
enum Came {
    Done,
    Failed,
}

const SETTINGS: [&str; 4] = [
    "SET @@dolt_author_name = 'A'",
    "SET @@dolt_author_email = 'a@b.c'",
    "SET @@dolt_committer_name = 'A'",
    "SET @@dolt_committer_email = 'a@b.c'",
];

struct Native(Connection);

impl Native {
    fn of(server: &Server, database: &str) -> Native {
        let mut connection = server.connect();
        for sql in SETTINGS.iter().copied().chain([&*format!("USE {database}")]) {
            assert!(matches!(connection.query(sql), Outcome::Done { .. }), "{sql}");
        }
        Native(connection)
    }

    fn run(&mut self, sql: &str) -> Result<Came, String> {
        match self.0.query(sql) {
            Outcome::Rows(_) | Outcome::Done { .. } => Ok(Came::Done),
            Outcome::Failed { .. } => Ok(Came::Failed),
            Outcome::Lost => Err("native Dolt ended the connection".into()),
        }
    }

    fn value(&mut self, sql: &str) -> String {
        match self.0.query(sql) {
            Outcome::Rows(table) => {
                String::from_utf8_lossy(table.rows[0][0].as_deref().unwrap_or_default()).into_owned()
            }
            other => panic!("{sql}: {other:?}"),
        }
    }
}

struct Ours(Session);

impl Ours {
    fn open(directory: &Path) -> Ours {
        let session = common::open_writable(directory).expect("the database opens");
        for sql in SETTINGS {
            session.query(sql).and_then(Cursor::collect).expect("a variable is set");
        }
        Ours(session)
    }

    fn run(&self, sql: &str) -> Result<Came, String> {
        match self.0.query(sql).and_then(Cursor::collect) {
            Ok(_) => Ok(Came::Done),
            Err(error) if common::judge::is_not_built(&error) => Err(format!("not built: {error}")),
            Err(_) => Ok(Came::Failed),
        }
    }

    fn value(&self, sql: &str) -> String {
        common::fresh::rows(&self.0, sql)[0][0].clone()
    }
}

const WORKING: &str = "SELECT dolt_hashof_db('WORKING')";
const HEAD: &str = "SELECT hashof('HEAD')";

/// What a statement looks like in a message.
fn short(sql: &str) -> &str {
    sql.get(..600).unwrap_or(sql)
}

/// Runs statements on both sides; what differs first.
fn side_by_side(history: &mut History, count: usize, native: &mut Native, ours: &Ours) -> Result<(), String> {
    for step in 0..=count {
        let sql = if step == count { history.commit() } else { history.statement() };
        let here = |text: String| format!("statement {step}: {}\n    {text}", short(&sql));
        let theirs = native.run(&sql).map_err(here)?;
        let mine = ours.run(&sql).map_err(here)?;
        if mine != theirs {
            return Err(here(format!("native {theirs:?}, here {mine:?}")));
        }
        for question in [WORKING, HEAD] {
            let (theirs, mine) = (native.value(question), ours.value(question));
            if mine != theirs {
                let mut said = format!("{question}: native {theirs}, here {mine}");
                for table in history.tables() {
                    let question = format!("SELECT dolt_hashof_table('{table}')");
                    let (theirs, mine) = (native.value(&question), ours.value(&question));
                    if mine != theirs {
                        said += &format!("\n    table {table} differs");
                        let question = format!("SHOW CREATE TABLE {table}");
                        said += &format!("\n    {}", common::fresh::rows(&ours.0, &question)[0][1]);
                    }
                }
                return Err(here(said));
            }
        }
    }
    Ok(())
}

#[test]
fn the_same_statements_give_the_same_hashes_and_each_reads_what_the_other_wrote() {
    let Some(dolt) = native_dolt::binary() else { return };
    let ground = Ground::lay(&dolt);
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let (only, first_seed) = (number("VARVE_HISTORY"), number("VARVE_SEED").unwrap_or(0x7a2));
    let numbers: Vec<u64> = (0..HISTORIES).filter(|number| only.is_none_or(|only| only == *number)).collect();
    let mut failures = Vec::new();
    let mut histories: Vec<History> = (0..HISTORIES).map(|number| History::new(first_seed + number)).collect();

    let server = Server::start(&dolt, &ground.native);
    for number in &numbers {
        let name = format!("h{number}");
        let ours = Ours::open(&ground.ours.join(&name));
        let mut native = Native::of(&server, &name);
        let history = &mut histories[*number as usize];
        if let Err(text) = side_by_side(history, STATEMENTS[0], &mut native, &ours) {
            failures.push((*number, format!("history {number}, side by side, {text}")));
        }
    }
    drop(server);
    let is_whole = |number: &u64, failures: &[(u64, String)]| !failures.iter().any(|(failed, _)| failed == number);

    // Native Dolt checks what was written here, and goes on from it; then we go on from that.
    for number in &numbers {
        let directory = ground.ours.join(format!("h{number}"));
        let said = run(Command::new(&dolt).arg("fsck").current_dir(&directory).env("HOME", &ground.ours));
        assert!(!said.to_lowercase().contains("error"), "history {number}: fsck: {said}");
    }
    // The databases change places: here is what native Dolt wrote, there what we wrote.
    let server = Server::start(&dolt, &ground.ours);
    for number in numbers.iter().filter(|number| is_whole(number, &failures)).copied().collect::<Vec<_>>() {
        let name = format!("h{number}");
        let ours = Ours::open(&ground.native.join(&name));
        let mut native = Native::of(&server, &name);
        let history = &mut histories[number as usize];
        if let Err(text) = side_by_side(history, STATEMENTS[1], &mut native, &ours) {
            failures.push((number, format!("history {number}, with places changed, {text}")));
        }
    }
    drop(server);
    // And back: each side goes on from what both have written.
    let server = Server::start(&dolt, &ground.native);
    for number in numbers.iter().filter(|number| is_whole(number, &failures)).copied().collect::<Vec<_>>() {
        let name = format!("h{number}");
        let ours = Ours::open(&ground.ours.join(&name));
        let mut native = Native::of(&server, &name);
        let history = &mut histories[number as usize];
        if let Err(text) = side_by_side(history, STATEMENTS[2], &mut native, &ours) {
            failures.push((number, format!("history {number}, with places changed again, {text}")));
        }
    }
    drop(server);
    println!("{} histories, {} differ", numbers.len(), failures.len());
    for (_, failure) in &failures {
        println!("{failure}");
    }
    assert!(failures.is_empty(), "{} of {} histories differ", failures.len(), numbers.len());
}
