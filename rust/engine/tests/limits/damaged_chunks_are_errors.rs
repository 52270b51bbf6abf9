//! Every chunk of a small database, damaged in many ways, under statements that read and write all that there is: they answer or
//! fail, and never panic, which would end the worker and all sessions in it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use codec::Address;
use engine::{Cursor, Session, Step};
use store::{Chunks, MemoryChunks, StoreError};

use crate::common;
use crate::common::fresh;
use crate::common::generate::Random;
use crate::common::over::{self, Over};

/// Chunks of which one may not be what was written. Remembers those that were read.
struct Damaged {
    whole: Rc<MemoryChunks>,
    damage: Option<(Address, Vec<u8>)>,
    read: RefCell<BTreeSet<Address>>,
}

impl Damaged {
    fn new(whole: &Rc<MemoryChunks>, damage: Option<(Address, Vec<u8>)>) -> Rc<Damaged> {
        Rc::new(Damaged { whole: whole.clone(), damage, read: RefCell::default() })
    }

    /// What is written goes on top, and is forgotten with the session.
    fn session(self: &Rc<Damaged>) -> Session {
        let engine = common::empty_engine();
        engine.attach("mydb", over::opened(&Over::new(self.clone())));
        engine.session()
    }
}

impl Chunks for Damaged {
    fn root(&self) -> Address {
        self.whole.root()
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        if let Some((damaged, bytes)) = &self.damage
            && damaged == address
        {
            return Ok(bytes.clone());
        }
        let bytes = self.whole.read(address)?;
        self.read.borrow_mut().insert(*address);
        Ok(bytes)
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        for (at, address) in addresses.iter().enumerate() {
            each(at, self.read(address)?);
        }
        Ok(())
    }

    fn will_need(&self, _: &[Address]) {}

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        self.whole.contains(address)
    }
}

/// A database with one of everything: every kind of type, index and message.
const MADE_BY: &[&str] = &[
    "CREATE TABLE beds (id INT PRIMARY KEY, name VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, area DECIMAL(12,3), dug DATETIME(6), notes TEXT, \
     facts JSON, place POINT SRID 0 NOT NULL, seen ENUM('no', 'yes'), marks SET('a', 'b'), bits BIT(9), took TIME, twice INT AS (id * 2) STORED, \
     UNIQUE KEY (name), KEY (dug, area), KEY (notes(10)), SPATIAL KEY (place), FULLTEXT KEY words (notes), CHECK (area >= 0))",
    "CREATE TABLE plants (id INT AUTO_INCREMENT PRIMARY KEY, bed INT, sort VARCHAR(20), photo LONGBLOB, KEY (bed), \
     FOREIGN KEY (bed) REFERENCES beds (id) ON DELETE CASCADE)",
    "CREATE TABLE weather (day DATE, rain FLOAT, text VARCHAR(200))",
    "CREATE TABLE vectors (id INT PRIMARY KEY, v VECTOR(3) NOT NULL, VECTOR KEY (v))",
    "CREATE TABLE log (what TEXT)",
    "CREATE VIEW wet AS SELECT * FROM weather WHERE rain > 3",
    "CREATE TRIGGER after_plant AFTER INSERT ON plants FOR EACH ROW INSERT INTO log VALUES (NEW.sort)",
    "CREATE PROCEDURE count_beds() SELECT count(*) FROM beds",
    "CREATE EVENT now_and_then ON SCHEDULE EVERY 1 DAY DO DELETE FROM log",
    "INSERT INTO beds (id, name, area, dug, notes, facts, place, seen, marks, bits, took) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n \
     WHERE i < 900) SELECT i, concat('bed ', i), i / 7, '2024-01-01' + INTERVAL i HOUR, concat('dug by hand in row ', i, ' ', repeat('deep ', i % 40)), \
     json_object('row', i, 'sides', json_array(i, i * 2)), point(i, -i), 1 + i % 2, i % 4, i % 512, concat(i % 800, ':00:00') FROM n",
    "UPDATE beds SET notes = repeat('a long story ', 900), facts = json_object('many', (SELECT json_arrayagg(id) FROM (SELECT id FROM beds) AS b)) WHERE id = 7",
    "INSERT INTO plants (bed, sort, photo) SELECT id, 'kale', repeat('x', id * 9) FROM beds WHERE id < 300",
    "INSERT INTO weather SELECT '2024-01-01' + INTERVAL id DAY, id % 9, 'sun' FROM beds",
    "INSERT INTO vectors SELECT id, string_to_vector(concat('[', id, ',', id % 7, ',1]')) FROM beds",
    "CALL dolt_commit('-Am', 'one of everything')",
    "CALL dolt_tag('first')",
    "CALL dolt_branch('other')",
    "UPDATE beds SET area = area + 1 WHERE id IN (3, 500)",
    "INSERT INTO plants (bed, sort) VALUES (1, 'leek')",
    "CALL dolt_commit('-am', 'larger')",
    "CALL dolt_checkout('other')",
    "UPDATE beds SET area = area + 2 WHERE id IN (3, 700)",
    "DELETE FROM weather WHERE rain = 4",
    "CALL dolt_commit('-am', 'larger still')",
    "INSERT INTO weather VALUES ('2025-01-01', 1, 'stashed')",
    "CALL dolt_stash('push', 'later')",
    "SET @@dolt_allow_commit_conflicts = 1",
    "CALL dolt_merge('main')",
    "INSERT INTO log VALUES ('not committed')",
];

/// All that can be asked for, and some that changes it.
const ASKED: &[&str] = &[
    "SELECT * FROM beds",
    "SELECT id FROM beds WHERE name = 'bed 500'",
    "SELECT * FROM beds WHERE dug BETWEEN '2024-01-05' AND '2024-01-06' ORDER BY dug, area",
    "SELECT id FROM beds WHERE match(notes) against ('hand')",
    "SELECT json_extract(facts, '$.many[800]'), json_length(facts) FROM beds WHERE id = 7",
    "SELECT count(*), sum(area), max(took), min(name) FROM beds GROUP BY seen",
    "SELECT p.*, b.name FROM plants AS p JOIN beds AS b ON b.id = p.bed",
    "SELECT * FROM weather ORDER BY day DESC LIMIT 5",
    "SELECT id FROM vectors ORDER BY vec_distance(v, '[1,2,3]') LIMIT 3",
    "SELECT * FROM wet",
    "SELECT * FROM information_schema.columns",
    "SELECT * FROM information_schema.triggers",
    "SHOW CREATE TABLE beds",
    "SHOW EVENTS",
    "SELECT * FROM dolt_log('--all')",
    "SELECT * FROM dolt_status",
    "SELECT * FROM dolt_conflicts_beds",
    "SELECT * FROM dolt_stashes",
    "SELECT * FROM dolt_diff_beds",
    "SELECT * FROM dolt_diff('first', 'HEAD', 'weather')",
    "SELECT * FROM dolt_history_plants",
    "SELECT * FROM dolt_blame_beds",
    "SELECT * FROM dolt_patch('first', 'main')",
    "SELECT dolt_hashof_db(), dolt_hashof_table('vectors')",
    "CALL count_beds()",
    "INSERT INTO plants (bed, sort) VALUES (2, 'beet')",
    "UPDATE beds SET name = concat(name, '!'), notes = 'short', place = point(1, 2) WHERE id BETWEEN 495 AND 505",
    "DELETE FROM weather WHERE rain = 2",
    "INSERT INTO vectors VALUES (5000, string_to_vector('[4,5,6]'))",
    "ALTER TABLE weather ADD COLUMN wind INT DEFAULT 3",
    "DELETE FROM beds WHERE id < 4",
    "CALL dolt_conflicts_resolve('--ours', 'beds')",
    "CALL dolt_commit('-Am', 'after all')",
    "CALL dolt_merge('main')",
    "CALL dolt_stash('pop', 'later')",
    "CALL dolt_reset('--hard', 'first')",
    "CALL dolt_verify_constraints('--all')",
];

/// Runs a statement to its end, or as long as a test can wait: a row without key may say that it is there 10^15 times.
fn run(session: &Session, sql: &str) -> engine::Result<()> {
    let mut cursor = session.query(sql)?;
    for _ in 0..200 {
        if let Step::Done(_) = cursor.next(10_000)? {
            break;
        }
    }
    Ok(())
}

/// How many of the statements failed.
fn ask(session: &Session) -> usize {
    ASKED.iter().filter(|sql| run(session, sql).is_err()).count()
}

/// These bytes, with one changed, some zeroed, or an end that is missing.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    let at = random.below(bytes.len());
    match random.below(6) {
        0 => damaged.truncate(at),
        1 => damaged[at] = 0,
        2 => damaged[at] = 0xff,
        3 => damaged[at] ^= 1 << random.below(8),
        4 => damaged[at] = damaged[at].wrapping_add(1),
        _ => damaged[at..bytes.len().min(at + 4)].fill(0),
    }
    damaged
}

/// A database that is whole.
struct Whole {
    chunks: Rc<MemoryChunks>,
    /// What the statements read of it.
    read: Vec<(Address, Vec<u8>)>,
    /// How many of them fail even so.
    failed: usize,
}

fn made() -> Whole {
    let chunks = fresh::chunks();
    let session = fresh::engine_over(&chunks).session();
    for sql in MADE_BY {
        session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    let whole = Damaged::new(&chunks, None);
    let failed = ask(&whole.session());
    let read = whole.read.take().into_iter();
    let read = read.map(|address| (address, chunks.read(&address).expect("it was read"))).collect();
    Whole { chunks, read, failed }
}

/// `VARVE_SEED` and `VARVE_ATTEMPTS` are for longer hunts.
#[test]
fn statements_over_damaged_chunks_answer_or_fail() {
    let set = |name: &str, usual: u64| std::env::var(name).map_or(usual, |number| number.parse().expect("a number"));
    let whole = made();
    let mut random = Random::new(set("VARVE_SEED", 1));
    let attempts = set("VARVE_ATTEMPTS", 12);
    let (mut noticed, mut panicked) = (0, Vec::new());
    for _ in 0..attempts {
        let (address, bytes) = random.pick(&whole.read);
        let damage = damaged(bytes, &mut random);
        let at = std::iter::zip(bytes, &damage).position(|(is, was)| is != was);
        let session = Damaged::new(&whole.chunks, Some((*address, damage))).session();
        match catch_unwind(AssertUnwindSafe(|| ask(&session))) {
            Ok(failed) => noticed += u64::from(failed > whole.failed),
            Err(_) => panicked.push(format!("{} {address}, byte {at:?}", String::from_utf8_lossy(&bytes[8..12]))),
        }
    }
    println!("{noticed} of {attempts} were noticed");
    assert!(panicked.is_empty(), "panics over {panicked:#?}");
    assert!(noticed > 0, "no damage was noticed");
}
