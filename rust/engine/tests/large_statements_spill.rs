//! Sorts, joins, groups and DISTINCT over more rows than an operator may keep give the same answers through temporary files.

mod common;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use engine::{Cursor, Engine, Host, Session, Spill};
use value::Value;

/// Temporary files in memory, counted; operators keep little.
struct SmallHost {
    operator_bytes: usize,
    files: Rc<Cell<usize>>,
    open: Rc<Cell<usize>>,
}

struct MemoryFile {
    bytes: RefCell<Vec<u8>>,
    open: Rc<Cell<usize>>,
}

impl Host for SmallHost {
    fn now_microseconds(&self) -> i64 {
        0
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }

    fn zone_offset_seconds(&self, _: &str, _: i64) -> Option<i32> {
        None
    }

    fn spill(&self) -> Option<Box<dyn Spill>> {
        self.files.set(self.files.get() + 1);
        self.open.set(self.open.get() + 1);
        Some(Box::new(MemoryFile { bytes: RefCell::default(), open: self.open.clone() }))
    }

    fn operator_bytes(&self) -> usize {
        self.operator_bytes
    }
}

impl Spill for MemoryFile {
    fn append(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.bytes.borrow_mut().extend_from_slice(bytes);
        Ok(())
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        let start = offset as usize;
        into.copy_from_slice(self.bytes.borrow().get(start..start + into.len()).ok_or("past the end")?);
        Ok(())
    }
}

impl Drop for MemoryFile {
    fn drop(&mut self) {
        self.open.set(self.open.get() - 1);
    }
}

/// A session whose operators keep `operator_bytes`, and the number of temporary files made and still open.
fn open(operator_bytes: usize) -> (Session, Rc<Cell<usize>>, Rc<Cell<usize>>) {
    let (files, open) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let engine = Engine::new(Rc::new(SmallHost { operator_bytes, files: files.clone(), open: open.clone() }));
    if let Some(directory) = common::fixture("g_big") {
        engine.attach("big", common::open_database(&directory).expect("the fixture opens"));
    }
    (engine.session(), files, open)
}

fn rows(session: &Session, sql: &str) -> Vec<String> {
    let (_, rows, _) = session.query(sql).and_then(Cursor::collect).expect(sql);
    rows.iter().map(|row: &Vec<Value<'static>>| format!("{row:?}")).collect()
}

/// Numbers from 0 to 999,999 without a table: digits joined with digits.
fn numbers(count: &str) -> String {
    let digits = "(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 \
                  UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
    let names = ["a", "b", "c", "d", "e", "f"];
    let used = &names[..count.len() - 1];
    let sum: Vec<String> =
        used.iter().enumerate().map(|(place, name)| format!("{name}.d * {}", 10u64.pow(place as u32))).collect();
    let from: Vec<String> = used.iter().map(|name| format!("{digits} {name}")).collect();
    format!("(SELECT {} AS n FROM {})", sum.join(" + "), from.join(" CROSS JOIN "))
}

#[test]
fn answers_are_those_of_memory() {
    let numbers = numbers("10000");
    let statements = [
        format!("SELECT n, n * 7919 % 10007 AS k, CONCAT('row ', n) FROM {numbers} t ORDER BY k, n DESC"),
        format!("SELECT n % 1000, CONCAT(n) FROM {numbers} t ORDER BY n % 1000"),
        format!(
            "SELECT n DIV 3 AS g, COUNT(*), SUM(n), MAX(n), COUNT(DISTINCT n % 2) FROM {numbers} t GROUP BY n DIV 3"
        ),
        format!("SELECT CONCAT('g', n DIV 2) AS g, MIN(n) FROM {numbers} t GROUP BY CONCAT('g', n DIV 2)"),
        format!("SELECT DISTINCT CONCAT(n DIV 2), n DIV 4 FROM {numbers} t"),
        format!("SELECT l.n, r.n FROM {numbers} l JOIN {numbers} r ON l.n * 2 = r.n"),
        format!("SELECT l.n, r.n FROM {numbers} l LEFT JOIN {numbers} r ON l.n * 2 = r.n AND r.n % 3 = 0"),
        format!("SELECT l.n FROM {numbers} l WHERE CONCAT(l.n) IN (SELECT CONCAT(r.n * 3) FROM {numbers} r)"),
    ];
    let (large, unused, _) = open(1 << 30);
    let (small, files, open) = open(30_000);
    for sql in &statements {
        files.set(0);
        let (mut wanted, mut got) = (rows(&large, sql), rows(&small, sql));
        assert!(files.get() > 0, "{sql} stayed in memory");
        assert_eq!(open.get(), 0, "{sql} left temporary files");
        if !sql.contains("ORDER BY") {
            wanted.sort_unstable();
            got.sort_unstable();
        }
        assert_eq!(wanted.len(), got.len(), "{sql}");
        assert!(wanted == got, "{sql}");
    }
    assert_eq!(unused.get(), 0);
}
