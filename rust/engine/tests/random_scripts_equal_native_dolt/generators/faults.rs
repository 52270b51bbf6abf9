//! Statements that have no memory left at one of their checks: such a statement fails with error 1041 and has done nothing, the same
//! statement then does what it does in a run without faults, and no memory is lost.
//!
//! Every look at the memory that is left is a place of a fault, as every allocation is one in SQLite's tests: an allocator that answers null
//! would end the process, for allocations of Rust's collections do not fail.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use engine::{Cursor, Session};
use region::CountedHeap;

use crate::common::generate::Random;
use crate::common::{ScriptedHost, fresh};
use crate::script::{DATABASE, Step};

type Script = (&'static str, fn(&mut Random) -> Vec<Step>);

/// Counts the looks at the memory that is left. There is none at one of them, or from one of them on.
#[derive(Default)]
struct Faults {
    looks: Cell<u64>,
    first: Cell<u64>,
    last: Cell<u64>,
}

impl Faults {
    fn arm(&self, first: u64, lasts: bool) {
        self.looks.set(0);
        self.first.set(first);
        self.last.set(if lasts { u64::MAX } else { first });
    }

    fn disarm(&self) {
        self.arm(u64::MAX, false);
    }

    /// The answer to one look.
    fn bytes_left(&self) -> usize {
        let look = self.looks.get() + 1;
        self.looks.set(look);
        if (self.first.get()..=self.last.get()).contains(&look) { 0 } else { usize::MAX }
    }
}

const NAME: &str = "poor";
/// Of a script of the suite, which is short.
const STEPS_MAX: usize = 10;

/// An engine with a new database, and the sessions of a script.
struct Side {
    faults: Rc<Faults>,
    engine: Rc<engine::Engine>,
    sessions: BTreeMap<char, Session>,
}

impl Side {
    fn new() -> Side {
        let faults = Rc::new(Faults::default());
        faults.disarm();
        let left = faults.clone();
        let engine = fresh::engine_with(ScriptedHost::with_memory(move || left.bytes_left()), NAME);
        Side { faults, engine, sessions: BTreeMap::new() }
    }

    fn session(&mut self, name: char) -> &Session {
        let open = || {
            let session = self.engine.session();
            session.state().work.check_always();
            session
        };
        self.sessions.entry(name).or_insert_with(open)
    }

    /// The answer in words, and whether it is that there is no memory.
    fn ask(&mut self, name: char, sql: &str) -> (String, bool) {
        let answer = self.session(name).query(sql).and_then(Cursor::collect);
        match answer {
            Ok((_, rows, summary)) => (format!("{rows:?} {:?}", summary.affected), false),
            Err(error) => (format!("{} {}", error.errno, error.message), error.errno == 1041),
        }
    }

    fn hash(&mut self, name: char) -> String {
        self.ask(name, "SELECT dolt_hashof_db('WORKING'), dolt_hashof_db('HEAD')").0
    }
}

#[derive(Default)]
struct Count {
    statements: u64,
    failed: u64,
    /// Whose later statements are not compared: a program did a part of its work.
    parted: u64,
}

/// Numbers that a failed statement took stay taken, and variables that it set stay set.
fn lasts(sql: &str) -> bool {
    let sql = sql.to_lowercase();
    ["auto_increment", ":=", "last_insert_id", "call "].iter().any(|words| sql.contains(words))
        && !sql.contains("call dolt_")
}

fn run_script(script: &[Step], random: &mut Random, count: &mut Count) -> Result<(), String> {
    let (mut whole, mut poor) = (Side::new(), Side::new());
    let mut is_compared = !script.iter().any(|step| lasts(&step.sql));
    for (at, step) in script.iter().enumerate() {
        let sql = step.sql.replace(DATABASE, NAME);
        let told = |what: String| Err(format!("step {at}: {step}\n    {what}"));
        count.statements += 1;
        let before = poor.hash(step.session);
        whole.hash(step.session);
        whole.faults.arm(u64::MAX, false);
        let (wanted, _) = whole.ask(step.session, &sql);
        let looks = whole.faults.looks.get();
        poor.faults.arm(1 + random.below(looks.max(1) as usize) as u64, random.chance(50));
        let (mut answer, is_poor) = poor.ask(step.session, &sql);
        poor.faults.disarm();
        if is_poor {
            count.failed += 1;
            let after = poor.hash(step.session);
            let may_part = sql.to_lowercase().contains("call ") && !sql.to_lowercase().contains("call dolt_");
            if after != before && may_part {
                count.parted += 1;
                is_compared = false;
            } else if after != before {
                return told(format!("has changed {before} to {after}: {answer}"));
            }
            (answer, _) = poor.ask(step.session, &sql);
        }
        if answer.starts_with("1041") {
            return told(format!("{answer} without a fault"));
        }
        if is_compared && answer != wanted {
            return told(format!("was to answer {wanted}\n    and answered {answer}, after a failure: {is_poor}"));
        }
    }
    Ok(())
}

/// Scripts of each generator, of the seeds at first and then of those that follow until there were enough statements.
pub fn run(scripts: &[Script], seeds: Range<u64>, statements: u64) {
    let mut count = Count::default();
    let mut problems = Vec::new();
    let mut seed = seeds.start;
    while seed < seeds.end || count.statements < statements {
        for (name, script) in scripts {
            let mut script = script(&mut Random::new(seed));
            if statements == 0 {
                script.truncate(STEPS_MAX);
            }
            let mut once = || {
                let bytes = CountedHeap::bytes();
                let run = catch_unwind(AssertUnwindSafe(|| run_script(&script, &mut Random::new(seed), &mut count)));
                (run, CountedHeap::bytes() - bytes)
            };
            let (run, _) = once();
            match run {
                Err(panic) => {
                    let words = panic.downcast_ref::<String>().map(String::as_str);
                    problems.push(format!("{name} {seed}: panicked: {}", words.unwrap_or_default()));
                }
                Ok(Err(problem)) => problems.push(format!("{name} {seed}, {problem}")),
                // What is made once for all sessions is there now.
                Ok(Ok(())) => {
                    let (_, kept) = once();
                    if kept > 0 {
                        problems.push(format!("{name} {seed}: {kept} bytes are lost"));
                    }
                }
            }
        }
        seed += 1;
    }
    println!(
        "{} statements of {} generators, {} failed for memory, {} programs in part, {} problems",
        count.statements,
        scripts.len(),
        count.failed,
        count.parted,
        problems.len()
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
