//! `varve_verify` yields, sees the files as they were when it began, and reports damage in a database that statements still
//! work on.

use std::rc::Rc;

use engine::{Engine, Session, Step};
use region::{Directory, MemoryDirectory};

use crate::common::{
    self,
    files::{self, write_options},
    fresh::rows,
};

/// A table of some hundred chunks, in an archive and a journal.
fn engine(files: &Rc<MemoryDirectory>) -> Rc<Engine> {
    let engine = common::empty_engine();
    engine.attach("mydb", files::create(files.clone(), write_options()));
    let session = engine.session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR(200))");
    rows(&session, "INSERT INTO t VALUES (0, repeat('x', 150))");
    for _ in 0..11 {
        rows(&session, "INSERT INTO t SELECT id + (SELECT count(*) FROM t), concat(id, s) FROM t");
    }
    rows(&session, "CALL dolt_commit('-Am', 'filled')");
    rows(&session, "CALL dolt_gc()");
    rows(&session, "INSERT INTO t VALUES (-1, 'not committed')");
    engine
}

/// The lines of a report, by what they are about: how far it is, what is wrong, what was counted.
type Results = [Vec<Vec<String>>; 3];

/// Verifies to the end; `meanwhile` after each turn.
fn verify(session: &Session, mut meanwhile: impl FnMut(usize)) -> Results {
    let mut cursor = session.query("CALL varve_verify('MyDb')").unwrap();
    let (mut results, mut turns) = (Results::default(), 0);
    loop {
        match cursor.next(1).unwrap() {
            Step::Done(_) => return results,
            Step::Result => assert_eq!(&*cursor.columns()[0].name, "report"),
            Step::Batch(batch) => {
                for row in 0..batch.rows {
                    let line = value::convert::to_string(&batch.row(row)[0]).unwrap().into_owned();
                    let line: Vec<Option<String>> = serde_json::from_str(&line).unwrap();
                    let (result, fields) = match line[0].as_deref() {
                        Some("scanned") => (0, &line[1..]),
                        None => (1, &line[1..]),
                        Some(_) => (2, &line[..]),
                    };
                    results[result].push(fields.iter().map(|field| field.clone().unwrap_or_default()).collect());
                }
            }
            Step::Yield => {
                turns += 1;
                meanwhile(turns);
            }
            other => panic!("{other:?}"),
        }
    }
}

fn count(results: &Results, what: &str) -> u64 {
    let [_, _, counts] = results;
    let row = counts.iter().find(|row| row[0] == what).unwrap_or_else(|| panic!("{what}: {counts:?}"));
    row[1].parse().unwrap()
}

#[test]
fn others_write_and_collect_meanwhile() {
    let files = Rc::new(MemoryDirectory::new());
    let engine = engine(&files);
    let (one, two) = (engine.session(), engine.session());
    let mut last = 0;
    let results = verify(&one, |turn| {
        last = turn;
        match turn {
            1 => drop(rows(&two, "DELETE FROM t WHERE id % 3 = 0")),
            2 => drop(rows(&two, "CALL dolt_gc('--full')")),
            _ => drop(rows(&two, &format!("INSERT INTO t VALUES (-10 - {turn}, 'meanwhile')"))),
        }
    });
    assert!(last > 3, "{last}");
    let [progress, problems, _] = &results;
    assert!(problems.is_empty(), "{problems:?}");
    let total: u64 = progress[0][1].parse().unwrap();
    let done: Vec<u64> = progress.iter().map(|row| row[0].parse().unwrap()).collect();
    assert!(done.is_sorted() && done.len() > 3 && done.last() == Some(&total), "{done:?} of {total}");
    assert_eq!((count(&results, "problems"), count(&results, "refs"), count(&results, "DCMT")), (0, 1, 2));
    assert!(verify(&two, |_| ())[1].is_empty(), "nor has the collection lost anything");
}

#[test]
fn damage_is_told_where_statements_work_and_where_they_do_not() {
    let files = Rc::new(MemoryDirectory::new());
    drop(engine(&files));
    let folder = ".dolt/noms/oldgen";
    let name = files.list(folder).unwrap().unwrap().into_iter().find(|name| name.ends_with(".darc")).unwrap();
    let path = format!("{folder}/{name}");
    let file = files.open(&path).unwrap().unwrap();
    let mut whole = vec![0; file.len() as usize];
    file.read_at(0, &mut whole).unwrap();
    let (mut answered, mut failed) = (0, 0);
    // Spans come first: a byte in each part of them.
    for at in (0..whole.len() * 9 / 10).step_by(whole.len() / 60) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x40;
        files.insert(&path, damaged);
        let engine = common::empty_engine();
        let database = files::open(files.clone(), write_options());
        if database.refs().is_err() {
            continue;
        }
        engine.attach("mydb", database);
        let session = engine.session();
        let results = verify(&session, |_| ());
        let problem = &results[1][0];
        assert_eq!((&*problem[0], &*problem[2]), ("damaged", &*path), "{at}: {problem:?}");
        assert!(problem[6].contains(&path), "{problem:?}");
        let works = session.query("SELECT sum(length(s)) FROM t").and_then(engine::Cursor::collect).is_ok();
        *(if works { &mut answered } else { &mut failed }) += 1;
    }
    println!("{answered} answered, {failed} failed");
    assert!(answered + failed > 40 && failed > 10);
}
