//! Native Dolt and Varve beside each other: both run a script from an empty database on, and are compared after each statement.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::Rc;

use engine::{Cursor, Engine, Session, SqlError, Step as CursorStep, Summary};
use parse::ast::StatementKind;
use value::{SqlType, Value};

use crate::common::judge::{self, Verdict};
use crate::common::native::{Connection, Outcome, Server};
use crate::common::{fresh, told};
use crate::on_purpose;
use crate::script::{DATABASE, Step};

/// Which side computes hashes after a statement that may have changed something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hashes {
    Nobody,
    /// The session that ran it, which sees its own branch.
    Asker,
    /// A session beside, whose question begins no transaction of theirs.
    Observer,
    /// As Asker; what is stored has the moment in which it was made, so that in an answer one hash is as good as another.
    AskerOfMoments,
}

/// When errors agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Errors {
    Numbers,
    /// As ../shared/cases has it: numbers that say about the same, and native Dolt's general one.
    Classes,
}

const OBSERVER: char = 'o';

/// Errors of native Dolt that are bugs of its own: there is no answer to compare with.
const BUGS: &[&str] = &[
    "panic recovered",
    "unable to find field with index",
    "failed to replan join",
    "This is a bug",
    "interface conversion",
    "plan is not resolved",
    "malformed database",
    "invalid type: ",
    "value not nil",
    "max1Row iterator returned",
    "panic computing",
    "panic applying patches",
    "could not convert &{}",
    // Variables of a program in blocks within blocks.
    "` could not be found",
];

/// What a statement came to, on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Came {
    Rows,
    Done,
    Failed(u16),
    Panicked,
    /// It does not end, or not soon.
    Endless,
}

/// A table that differs after a statement that both sides took alike.
#[derive(Debug, Clone)]
pub struct TableApart {
    pub name: String,
    /// SHOW CREATE TABLE: theirs and ours, where they differ.
    pub definitions: Option<(String, String)>,
    /// The rows: theirs and ours, where they differ.
    pub rows: Option<(String, String)>,
}

/// Where the two sides part.
#[derive(Debug, Clone)]
pub struct Difference {
    /// Which step.
    pub at: usize,
    pub theirs: Came,
    pub ours: Came,
    /// Where what is stored differs.
    pub tables: Vec<TableApart>,
    /// How the texts of their error and of ours begin.
    pub errors: [String; 2],
    /// A statement of this session has failed before.
    pub is_after_failure: bool,
    /// The answers agree, what is in the database does not.
    pub is_of_hashes: bool,
    pub text: String,
}

impl Difference {
    /// Whether another script shows the same in kind.
    pub fn is_like(&self, other: &Difference) -> bool {
        let kind = |it: &Difference| (it.theirs, it.ours, it.is_of_hashes, it.errors.clone());
        kind(self) == kind(other)
    }
}

/// How a script went.
#[derive(Debug, Default)]
pub struct Run {
    pub asked: usize,
    /// Statements that had an answer on both sides.
    pub answered: usize,
    /// Differences that are written down.
    pub on_purpose: usize,
    /// Differences of a run that goes on behind them.
    pub differing: usize,
    pub difference: Option<Difference>,
}

/// Commits have the same hash on both sides when they have the same author and date.
pub const AUTHORS: &str = "SET @@dolt_author_name = 'A', @@dolt_author_email = 'a@b.c', @@dolt_committer_name = 'A', \
    @@dolt_committer_email = 'a@b.c', @@dolt_author_date = '2024-02-01T00:00:00', \
    @@dolt_committer_date = '2024-02-01T00:00:00'";
const FIRST_COMMIT: &str =
    "CALL dolt_commit('--amend', '--allow-empty', '-m', 'Initialize data repository', '--date', '2024-01-01T00:00:00')";

/// A native server, and a Varve of its own for each script.
pub struct Beside {
    binary: PathBuf,
    directory: PathBuf,
    server: Option<Rc<Server>>,
    databases: usize,
    pub errors: Errors,
    /// Where the last script ended, when its last statement has changed nothing.
    open: Option<Open>,
}

struct Open {
    pair: Pair,
    /// The script without that statement.
    before: Vec<Step>,
}

/// Dropped databases stay in the server's memory: it is started anew after so many.
const DATABASES_OF_A_SERVER: usize = 400;

impl Beside {
    pub fn new(binary: PathBuf) -> Beside {
        let directory = std::env::temp_dir().join(format!("varve-beside-{}", std::process::id()));
        Beside { binary, directory, server: None, databases: 0, errors: Errors::Numbers, open: None }
    }

    /// Runs a script until both sides differ in a way that is not on purpose.
    pub fn run(&mut self, script: &[Step], hashes: Hashes) -> Run {
        let Some((last, before)) = script.split_last() else { return Run::default() };
        let mut run = Run::default();
        // Scripts that are made shorter often differ from each other in the last query only.
        let open = self.open.take().filter(|open| open.before == before);
        let mut pair = match open {
            Some(open) => open.pair,
            None => {
                let mut pair = self.empty(hashes);
                let is_over = (0..before.len()).any(|at| !pair.step(script, at, hashes, &mut run));
                if is_over {
                    return run;
                }
                pair
            }
        };
        pair.step(script, before.len(), hashes, &mut run);
        // Where sessions have transactions, a query may begin one.
        if hashes == Hashes::Nobody && only_reads(&last.sql) {
            self.open = Some(Open { pair, before: before.to_vec() });
        }
        run
    }

    /// Prints what Varve answers to each statement, and native Dolt where that is something else.
    pub fn print(&mut self, script: &[Step]) {
        let is_of_one = script.iter().all(|step| step.session == script[0].session);
        let mut pair = self.empty(Hashes::Asker);
        let mut is_apart = false;
        for step in script {
            let sql = step.sql.replace(DATABASE, &pair.name);
            let both = pair.session(step.session);
            let (theirs, ours) = (told::native_text(both.native.query(&sql)), told::our_text(&both.ours, &sql));
            println!("{step}\n{ours}");
            if theirs != ours {
                println!("-- native:\n{theirs}");
            }
            let asker = if is_of_one { step.session } else { OBSERVER };
            // What differs once goes on to differ.
            if !is_apart
                && !only_reads(&sql)
                && let Some(difference) = pair.hashes(0, Came::Done, asker)
            {
                println!("-- {}", difference.text);
                is_apart = true;
            }
        }
    }

    /// Every statement of a script that differs, each told as long as both can go on; what is stored only where it first differs.
    pub fn differences(&mut self, script: &[Step]) -> Run {
        let asker = if script.iter().all(|step| step.session == 'a') { Hashes::Asker } else { Hashes::Observer };
        let mut pair = self.empty(asker);
        let mut hashes = asker;
        let mut run = Run::default();
        for at in 0..script.len() {
            pair.step(script, at, hashes, &mut run);
            if let Some(difference) = run.difference.take() {
                if difference.is_of_hashes {
                    hashes = Hashes::Nobody;
                }
                println!("    step {at}: {}\n        {}", script[at], difference.text);
                run.differing += 1;
            }
        }
        run
    }

    /// A new database on both sides.
    fn empty(&mut self, hashes: Hashes) -> Pair {
        self.open = None;
        // A script may be the end of native Dolt, too.
        let is_up = self.server.as_ref().is_some_and(|server| server.try_connect().is_ok());
        if !is_up || self.databases.is_multiple_of(DATABASES_OF_A_SERVER) {
            self.server = None;
            let _ = std::fs::remove_dir_all(&self.directory);
            std::fs::create_dir_all(&self.directory).expect("a temporary directory");
        }
        self.databases += 1;
        let server = self.server.get_or_insert_with(|| Rc::new(Server::start(&self.binary, &self.directory))).clone();
        let name = format!("d{}", self.databases);
        done(&mut server.connect(), &format!("CREATE DATABASE {name}"));
        let engine = fresh::ticking_engine(&name, "A");
        let mut pair =
            Pair { server, engine, name, errors: self.errors, sessions: BTreeMap::new(), failed: BTreeSet::new() };
        match hashes {
            Hashes::Nobody => {}
            Hashes::Asker | Hashes::AskerOfMoments => pair.prepare('a'),
            Hashes::Observer => pair.prepare(OBSERVER),
        }
        pair
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.open = None;
        self.server = None;
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn done(native: &mut Connection, sql: &str) {
    let outcome = native.query(sql);
    assert!(matches!(outcome, Outcome::Done { .. } | Outcome::Rows(_)), "{sql}: {outcome:?}");
}

/// Two connections that a script takes for one.
struct Both {
    native: Connection,
    ours: Session,
}

type Answer = (Vec<SqlType>, Vec<Vec<Value<'static>>>, Summary);

enum OurAnswer {
    Told(Result<Answer, SqlError>),
    Panicked,
    Endless,
}

/// A program that lost a statement when its script was made shorter may repeat a loop for ever: a statement has so many turns of so
/// many rows.
const TURNS_MAX: usize = 500;
const ROWS_OF_A_TURN: i64 = 10_000;

/// All that a statement gives; `None` when it does not end.
fn collect(mut cursor: Cursor) -> Result<Option<Answer>, SqlError> {
    let mut rows = Vec::new();
    for _ in 0..TURNS_MAX {
        match cursor.next(ROWS_OF_A_TURN)? {
            CursorStep::Batch(batch) => rows.extend((0..batch.rows).map(|row| batch.row(row))),
            CursorStep::Result => rows.clear(),
            CursorStep::Yield | CursorStep::Wait | CursorStep::Sleep(_) => {}
            CursorStep::Done(summary) => {
                let columns = cursor.columns().iter().map(|column| column.ty.clone()).collect();
                return Ok(Some((columns, rows, summary)));
            }
        }
    }
    Ok(None)
}

impl Both {
    fn ask_ours(&self, sql: &str) -> OurAnswer {
        let ask = || self.ours.query(sql).and_then(collect);
        match catch_unwind(AssertUnwindSafe(ask)) {
            Ok(Ok(Some(answer))) => OurAnswer::Told(Ok(answer)),
            Ok(Ok(None)) => OurAnswer::Endless,
            Ok(Err(error)) => OurAnswer::Told(Err(error)),
            Err(_) => OurAnswer::Panicked,
        }
    }

    /// Whether something is stored beside tables that is never the same: triggers, events and procedures have the moment in which they
    /// were made, and a plan of a rebase that was changed has its numbers with the decimals that native Dolt left out. What is gone
    /// may still be in HEAD, whose root a conflict names.
    fn has_moments(&mut self) -> bool {
        let is_there = |question: &str| {
            let told = told::our_text(&self.ours, question);
            !told.is_empty() && !told.starts_with("error")
        };
        ["SHOW TRIGGERS", "SHOW EVENTS", "SELECT name FROM dolt_procedures", "SELECT * FROM dolt_rebase"]
            .into_iter()
            .any(is_there)
            || self.stored_apart("SELECT dolt_hashof_db('HEAD')").is_some()
    }

    /// The answers of both to a question about what is stored, where they differ.
    fn stored_apart(&mut self, question: &str) -> Option<(String, String)> {
        let theirs = told::native_text(self.native.query(question));
        let ours = told::our_text(&self.ours, question);
        let is_same = theirs == ours || (theirs.starts_with("error") && ours.starts_with("error"));
        (!is_same).then_some((theirs, ours))
    }
}

/// One script's database on both sides, and its sessions.
struct Pair {
    server: Rc<Server>,
    engine: Rc<Engine>,
    name: String,
    errors: Errors,
    sessions: BTreeMap<char, Both>,
    /// Sessions of which a statement has failed.
    failed: BTreeSet<char>,
}

impl Drop for Pair {
    fn drop(&mut self) {
        self.sessions.clear();
        let Ok(mut native) = self.server.try_connect() else { return };
        // A script may have made others.
        let databases = told::native_text(native.query("SHOW DATABASES"));
        for name in databases.lines().filter(|name| !["information_schema", "mysql"].contains(name)) {
            native.query(&format!("DROP DATABASE `{name}`"));
        }
    }
}

impl Pair {
    fn session(&mut self, letter: char) -> &mut Both {
        let (server, engine, name) = (&self.server, &self.engine, &self.name);
        self.sessions.entry(letter).or_insert_with(|| {
            let mut both = Both { native: server.connect(), ours: engine.session() };
            for sql in [AUTHORS, &format!("USE {name}")] {
                done(&mut both.native, sql);
                both.ours.query(sql).and_then(Cursor::collect).expect("a session begins");
            }
            both
        })
    }

    /// Both databases begin with the same commit.
    fn prepare(&mut self, letter: char) {
        let both = self.session(letter);
        done(&mut both.native, FIRST_COMMIT);
        both.ours.query(FIRST_COMMIT).and_then(Cursor::collect).expect("the first commit is made anew");
    }

    /// Runs one statement of a script. Whether both are still where they can go on together.
    fn step(&mut self, script: &[Step], at: usize, hashes: Hashes, run: &mut Run) -> bool {
        let Step { session, sql } = &script[at];
        let sql = sql.replace(DATABASE, &self.name);
        run.asked += 1;
        let difference = match self.answers(at, *session, &sql, hashes == Hashes::AskerOfMoments) {
            Answers::None => return false,
            Answers::Apart(difference) => Some(difference),
            Answers::Same(came) => {
                match came {
                    Came::Rows | Came::Done => run.answered += 1,
                    Came::Failed(_) | Came::Panicked | Came::Endless => {
                        self.failed.insert(*session);
                    }
                }
                let asker = if hashes == Hashes::Observer { OBSERVER } else { *session };
                if hashes == Hashes::Nobody || only_reads(&sql) { None } else { self.hashes(at, came, asker) }
            }
        };
        let Some(difference) = difference else { return true };
        let is_known = on_purpose::reason(script, &difference).is_some();
        if is_known || (hashes == Hashes::Nobody && self.depends_on_keys(*session, &sql)) {
            run.on_purpose += 1;
        } else {
            run.difference = Some(difference);
        }
        run.difference.is_none() && only_reads(&sql)
    }

    /// Whether native Dolt answers a query as Varve does when its tables have no keys: then its own answer is an accident of a plan.
    fn depends_on_keys(&mut self, session: char, sql: &str) -> bool {
        let both = self.session(session);
        let mut without_keys = sql.to_owned();
        let tables = told::our_text(&both.ours, "SHOW TABLES");
        for table in tables.lines() {
            both.native.query(&format!("CREATE TABLE no_key_{table} AS SELECT * FROM {table}"));
            without_keys = without_keys.replace(&format!(" {table} "), &format!(" no_key_{table} "));
        }
        let outcome = both.native.query(&without_keys);
        for table in tables.lines() {
            both.native.query(&format!("DROP TABLE no_key_{table}"));
        }
        let OurAnswer::Told(Ok((columns, rows, _))) = both.ask_ours(sql) else { return false };
        matches!(judge::judge(&outcome, Ok((columns, rows)), sql), Verdict::Same)
    }

    fn answers(&mut self, at: usize, session: char, sql: &str, has_moments: bool) -> Answers {
        let is_after_failure = self.failed.contains(&session);
        let name = self.name.clone();
        let both = self.session(session);
        let mut outcome = both.native.query(sql);
        if let Outcome::Rows(table) = &mut outcome
            && has_moments
        {
            table.rows.iter_mut().flatten().flatten().filter(|cell| is_hash(cell)).for_each(|cell| *cell = HASH.into());
        }
        let theirs = match &outcome {
            Outcome::Lost => {
                // The next connection has no database yet.
                both.native.query(&format!("USE {name}"));
                return Answers::None;
            }
            Outcome::Failed { message, .. } if BUGS.iter().any(|bug| message.contains(bug)) => return Answers::None,
            Outcome::Rows(_) => Came::Rows,
            Outcome::Done { .. } => Came::Done,
            Outcome::Failed { errno, .. } => Came::Failed(*errno),
        };
        let mut answer = both.ask_ours(sql);
        if let OurAnswer::Told(Ok((_, rows, _))) = &mut answer
            && has_moments
        {
            let is_one = |value: &Value<'_>| matches!(value, Value::Text(text) if is_hash(text.as_bytes()));
            rows.iter_mut().flatten().filter(|value| is_one(value)).for_each(|value| *value = Value::text(HASH));
        }
        let ours = match &answer {
            OurAnswer::Panicked => Came::Panicked,
            OurAnswer::Endless => Came::Endless,
            OurAnswer::Told(Ok((columns, ..))) if columns.is_empty() => Came::Done,
            OurAnswer::Told(Ok(_)) => Came::Rows,
            OurAnswer::Told(Err(error)) => Came::Failed(error.errno),
        };
        let errors = [
            if let Outcome::Failed { message, .. } = &outcome { beginning(message) } else { String::new() },
            if let OurAnswer::Told(Err(error)) = &answer { beginning(&error.message) } else { String::new() },
        ];
        let apart = |text| {
            Answers::Apart(Difference {
                at,
                theirs,
                ours,
                errors: errors.clone(),
                tables: Vec::new(),
                is_of_hashes: false,
                is_after_failure,
                text,
            })
        };
        let answer = match answer {
            OurAnswer::Panicked => return apart("Varve panics".into()),
            OurAnswer::Endless => return apart("Varve does not end".into()),
            OurAnswer::Told(answer) => answer,
        };
        match (&outcome, answer) {
            (Outcome::Failed { errno, message }, Err(error))
                if self.errors == Errors::Numbers && *errno != error.errno =>
            {
                apart(format!("error {error}, native has {errno}: {message}"))
            }
            (Outcome::Done { affected, .. }, Ok((columns, _, summary))) if columns.is_empty() => {
                let is_told = self.errors == Errors::Numbers || changes_rows(sql);
                match summary.affected.unwrap_or(0) {
                    _ if !is_told => Answers::Same(Came::Done),
                    ours if ours == *affected => Answers::Same(Came::Done),
                    ours => apart(format!("{ours} rows changed, native changes {affected}")),
                }
            }
            (_, answer) => {
                let answer = answer.map(|(columns, rows, _)| (columns, rows));
                match judge::judge(&outcome, answer, sql) {
                    Verdict::Same => Answers::Same(theirs),
                    Verdict::Alone => apart("native refuses it".into()),
                    Verdict::NotSupported(what) | Verdict::Different(what) => apart(what),
                }
            }
        }
    }

    /// Compares what is stored after a statement: the root of the branch, and where that differs, its tables.
    fn hashes(&mut self, at: usize, came: Came, asker: char) -> Option<Difference> {
        let both = self.session(asker);
        let (theirs, ours) = both.stored_apart("SELECT dolt_hashof_db('WORKING')")?;
        let mut text = format!("the database: {ours}, native has {theirs}");
        let lists = both.stored_apart("SHOW TABLES");
        if let Some((theirs, ours)) = &lists {
            text += &format!("\n    tables: {ours}, native has {theirs}");
        }
        let mut tables = Vec::new();
        for name in told::our_text(&both.ours, "SHOW TABLES").lines() {
            if both.stored_apart(&format!("SELECT dolt_hashof_table('{name}')")).is_some() {
                let questions = [format!("SHOW CREATE TABLE `{name}`"), format!("SELECT * FROM `{name}`")];
                let [definitions, rows] = questions.each_ref().map(|question| both.stored_apart(question));
                // Native Dolt shows documents with spaces or without.
                let rows = rows.filter(|(theirs, ours)| theirs.replace(' ', "") != ours.replace(' ', ""));
                text += &format!("\n    table {name} differs");
                for (question, apart) in questions.iter().zip([&definitions, &rows]) {
                    if let Some((theirs, ours)) = apart {
                        text += &format!("\n    {question}: {ours}\n    native has {theirs}");
                    }
                }
                tables.push(TableApart { name: name.to_owned(), definitions, rows });
            }
        }
        // What is in conflict is kept with the root that it came from.
        let is_of_root = |table: &TableApart| table.definitions.is_none() && table.rows.is_none();
        if lists.is_none() && tables.iter().all(is_of_root) && both.has_moments() {
            return None;
        }
        let errors = [String::new(), String::new()];
        let is_after_failure = !self.failed.is_empty();
        Some(Difference { at, theirs: came, ours: came, tables, errors, is_of_hashes: true, is_after_failure, text })
    }
}

/// Placeholder of the hash of a commit.
const HASH: &str = "a hash";

fn is_hash(text: &[u8]) -> bool {
    text.len() == 32 && text.iter().all(|letter| matches!(letter, b'0'..=b'9' | b'a'..=b'v'))
}

/// Enough of an error's text to tell it from others, and no name that may go.
fn beginning(message: &str) -> String {
    message.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

enum Answers {
    Same(Came),
    Apart(Difference),
    /// Native Dolt has none.
    None,
}

/// Whether a statement's count of rows is reported.
fn changes_rows(sql: &str) -> bool {
    let first = sql.split_whitespace().next().unwrap_or_default().to_lowercase();
    ["insert", "update", "delete", "replace"].contains(&&*first)
}

/// Whether a statement leaves the database as it is.
fn only_reads(sql: &str) -> bool {
    let parsed = parse::statement(sql, &parse::Options::default());
    parsed.statement.is_some_and(|statement| {
        use StatementKind::*;
        matches!(statement.kind, Query(_) | Show(_) | Describe(_) | Explain(_) | Set(_) | Use(_))
    })
}
