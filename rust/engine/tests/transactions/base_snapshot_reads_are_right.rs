//! Queries of rows that the open transaction has not changed leave its changes out of the trees, and see what they would see there.

use std::rc::Rc;

use engine::{Cursor, Prepared, Session};
use region::CrashDirectory;
use store::Durability;

use crate::common::changes::{CHANGES, Random, TABLES, any_change};
use crate::common::fresh::{self, rows};
use crate::common::tabs::{Client, SharedLock, Tab, assert_same_tables, ints};

/// Queries, and how many parameters they take: of points, ranges and more than that, of one table and of several.
const READS: [(&str, usize); 16] = [
    ("SELECT id, code, n FROM parent WHERE id = ?", 1),
    ("SELECT n + 1 FROM parent WHERE id = ? AND n > ?", 2),
    ("SELECT id, n FROM parent WHERE id BETWEEN ? AND ? ORDER BY id", 2),
    ("SELECT sum(n), count(*) FROM parent WHERE id > ? AND id <= ?", 2),
    ("SELECT DISTINCT n FROM parent WHERE id < ? ORDER BY n", 1),
    ("SELECT id FROM parent WHERE id IN (?, ?, ?) ORDER BY id DESC", 3),
    ("SELECT id FROM parent WHERE id >= ? ORDER BY id LIMIT 2", 1),
    ("SELECT id FROM parent WHERE n = ? ORDER BY id", 1),
    ("SELECT count(*) FROM parent", 0),
    ("SELECT max(id) FROM parent WHERE id < ?", 1),
    ("SELECT id FROM parent WHERE id = ? AND EXISTS (SELECT 1 FROM strict_child WHERE p = parent.id)", 1),
    ("SELECT count(*), sum(p) FROM strict_child WHERE id = ?", 1),
    ("SELECT count(*) FROM child WHERE id BETWEEN ? AND ?", 2),
    ("SELECT a, b FROM bag WHERE b = ? ORDER BY a", 1),
    ("SELECT p.id, c.id FROM parent p JOIN strict_child c ON c.p = p.id WHERE p.id = ? ORDER BY 2", 1),
    ("SELECT dolt_hashof_table('parent') FROM parent WHERE id = ?", 1),
];

fn told(cursor: engine::Result<Cursor>) -> String {
    match cursor.and_then(Cursor::collect) {
        Ok((_, rows, _)) => format!("{rows:?}"),
        Err(error) => error.to_string(),
    }
}

struct Reader {
    client: Client,
    reads: Vec<Rc<Prepared>>,
}

impl Reader {
    fn new(client: Client) -> Reader {
        let reads = READS.map(|(text, _)| client.session.prepare(text).unwrap()).to_vec();
        Reader { client, reads }
    }

    /// By a plan that is known after the first time.
    fn read(&self, at: usize, params: &[i64]) -> String {
        told(self.client.session.execute(&self.reads[at], &ints(params)))
    }
}

/// The same by a plan of its own, which is made over trees that have all changes.
fn read_anew(session: &Session, at: usize, params: &[i64], number: u64) -> String {
    let mut text = format!("/* {number} */ {}", READS[at].0);
    params.iter().for_each(|value| text = text.replacen('?', &value.to_string(), 1));
    told(session.query(&text))
}

#[test]
fn reads_see_what_trees_with_the_changes_would_have() {
    let disk = CrashDirectory::new(11);
    let alone = Client::new(&fresh::engine_over(&fresh::chunks()));
    let tab = Tab::open(&disk, &SharedLock::default(), 1, Durability::Full, true);
    let reader = Reader::new(Client::new(&tab.engine));
    let sessions = [&reader.client.session, &alone.session];
    TABLES.iter().for_each(|text| sessions.into_iter().for_each(|session| drop(rows(session, text))));
    let mut random = Random(3);
    let mut number = 0;
    for round in 0..60 {
        for step in 0..60 {
            let what = format!("round {round}, step {step}");
            match random.below(20) {
                at @ 0..=5 => {
                    let ends = ["BEGIN", "COMMIT", "COMMIT", "ROLLBACK", "SAVEPOINT s", "ROLLBACK TO s"];
                    let text = ends[at as usize];
                    let [one, other] = sessions.map(|session| told(session.query(text)));
                    assert_eq!(one, other, "{what}: {text}");
                }
                6..=10 => {
                    let Some((at, params)) = any_change(&mut random) else { continue };
                    let [one, other] = [&reader.client, &alone].map(|client| client.change(at, &ints(&params)));
                    assert_eq!(one, other, "{what}: {} {params:?}", CHANGES[at].0);
                }
                _ => {
                    let at = random.below(READS.len() as u64) as usize;
                    let params: Vec<i64> = (0..READS[at].1).map(|_| random.below(60) as i64).collect();
                    number += 1;
                    let (one, other) = (reader.read(at, &params), read_anew(&alone.session, at, &params, number));
                    assert_eq!(one, other, "{what}: {} {params:?}", READS[at].0);
                }
            }
        }
        sessions.into_iter().for_each(|session| drop(rows(session, "COMMIT")));
        assert_same_tables(sessions[0], sessions[1], &format!("round {round}"));
    }
}

#[test]
fn transactions_with_such_reads_are_committed_in_groups() {
    let disk = CrashDirectory::new(12);
    let tab = Tab::open(&disk, &SharedLock::default(), 1, Durability::Full, true);
    let reader = Reader::new(Client::new(&tab.engine));
    let session = &reader.client.session;
    TABLES.iter().for_each(|text| drop(rows(session, text)));
    (0..60).for_each(|id| drop(reader.client.change(0, &ints(&[id, id, 1]))));
    // Plans become known.
    for at in [0, 2, 3, 5] {
        reader.read(at, &[0, 1, 2][..READS[at].1]);
    }
    for id in 0..2 {
        reader.client.change(5, &ints(&[id]));
    }
    let before = (tab.commits(), disk.flushes());
    for id in 10..20 {
        rows(session, "BEGIN");
        assert_eq!(reader.read(2, &[40, 41]), "[[Int(40), Int(1)], [Int(41), Int(1)]]");
        reader.client.change(5, &ints(&[id]));
        assert!(reader.read(3, &[49, 59]).contains("Int(10)"));
        assert!(reader.read(0, &[id + 10]).ends_with("Int(1)]]"));
        rows(session, "COMMIT");
    }
    assert_eq!((tab.commits() - before.0, disk.flushes() - before.1), (0, 10));
    // Few rows are read with what was changed in them, by one key, several and a range of them.
    for id in 20..25 {
        rows(session, "BEGIN");
        reader.client.change(5, &ints(&[id]));
        assert!(reader.read(0, &[id]).ends_with("Int(2)]]"));
        assert_eq!(reader.read(5, &[id, 59, id]), format!("[[Int(59)], [Int({id})]]"));
        assert_eq!(reader.read(2, &[id, id + 1]), format!("[[Int({id}), Int(2)], [Int({}), Int(1)]]", id + 1));
        rows(session, "COMMIT");
    }
    assert_eq!((tab.commits() - before.0, disk.flushes() - before.1), (0, 15));
    // More than a leaf holds is in the trees before it is read; the next transactions, which probably read such rows, wait for nothing.
    rows(
        session,
        "INSERT INTO parent SELECT 60 * a.id + b.id + 100, 60 * a.id + b.id + 100, 1 FROM parent a JOIN parent b",
    );
    let commits = tab.commits();
    for id in 30..33 {
        rows(session, "BEGIN");
        reader.client.change(5, &ints(&[id]));
        let found = reader.read(3, &[-1, 10_000]);
        assert_eq!(found, read_anew(session, 3, &[-1, 10_000], id as u64));
        rows(session, "COMMIT");
    }
    assert_eq!(tab.commits() - commits, 3);
}
