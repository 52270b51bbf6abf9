//! Sorts, joins, groups, DISTINCT, set operations and windows over more rows than an operator may keep give the same answers
//! through temporary files.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use engine::{Cursor, Engine, Host, Session, Spill, Step};
use value::Value;

use crate::common;

/// Temporary files in memory, counted; operators keep little.
struct SmallHost {
    operator_bytes: usize,
    files: Rc<Cell<usize>>,
    open: Rc<Cell<usize>>,
    longest_read: Rc<Cell<usize>>,
}

struct MemoryFile {
    bytes: RefCell<Vec<u8>>,
    open: Rc<Cell<usize>>,
    longest_read: Rc<Cell<usize>>,
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
        let longest_read = self.longest_read.clone();
        Some(Box::new(MemoryFile { bytes: RefCell::default(), open: self.open.clone(), longest_read }))
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
        self.longest_read.set(self.longest_read.get().max(into.len()));
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

/// As people have it: the usual budget, temporary files on the disk.
struct DiskHost;

struct DiskFile {
    file: File,
    length_bytes: u64,
}

impl Host for DiskHost {
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
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("varve-spill-{}-{number}", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path).ok()?;
        std::fs::remove_file(path).ok()?;
        Some(Box::new(DiskFile { file, length_bytes: 0 }))
    }
}

impl Spill for DiskFile {
    fn append(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.file.write_all_at(bytes, self.length_bytes).map_err(|error| error.to_string())?;
        self.length_bytes += bytes.len() as u64;
        Ok(())
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        self.file.read_exact_at(into, offset).map_err(|error| error.to_string())
    }
}

type Count = Rc<Cell<usize>>;

/// A session whose operators keep `operator_bytes`, and the number of temporary files made and still open.
fn open(operator_bytes: usize) -> (Session, Count, Count) {
    let (session, files, open, _) = open_counted(operator_bytes);
    (session, files, open)
}

/// The same with the bytes of the longest read of a temporary file.
fn open_counted(operator_bytes: usize) -> (Session, Count, Count, Count) {
    let (files, open, longest_read) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let counts = (files.clone(), open.clone(), longest_read.clone());
    let engine =
        Engine::new(Rc::new(SmallHost { operator_bytes, files: counts.0, open: counts.1, longest_read: counts.2 }));
    if let Some(directory) = common::fixture("g_big") {
        engine.attach("big", common::open_database(&directory).expect("the fixture opens"));
    }
    (engine.session(), files, open, longest_read)
}

fn rows(session: &Session, sql: &str) -> Vec<String> {
    let (_, rows, _) = session.query(sql).and_then(Cursor::collect).expect(sql);
    rows.iter().map(|row: &Vec<Value<'static>>| format!("{row:?}")).collect()
}

/// Numbers from 0 up to `count`, a power of ten up to ten million, without a table: digits joined with digits.
fn numbers(count: &str) -> String {
    let digits = "(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 \
                  UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
    let names = ["a", "b", "c", "d", "e", "f", "g"];
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
        format!("SELECT COUNT(DISTINCT CONCAT(n DIV 2)), SUM(DISTINCT n DIV 3), COUNT(*) FROM {numbers} t"),
        format!("SELECT n % 3 AS g, COUNT(DISTINCT n DIV 2, n % 5), MAX(DISTINCT n) FROM {numbers} t GROUP BY n % 3"),
        format!("SELECT n % 1000 AS g, COUNT(DISTINCT CONCAT('x', n)) FROM {numbers} t GROUP BY n % 1000"),
        format!("SELECT CONCAT(n DIV 2) FROM {numbers} t UNION SELECT CONCAT(n) FROM {numbers} u WHERE n < 6000"),
        format!("SELECT n DIV 2 FROM {numbers} t INTERSECT SELECT n * 3 FROM {numbers} u"),
        format!("SELECT n DIV 2 FROM {numbers} t INTERSECT ALL SELECT n DIV 3 FROM {numbers} u"),
        format!("SELECT n DIV 2 FROM {numbers} t EXCEPT SELECT n * 3 FROM {numbers} u"),
        format!("SELECT n DIV 2 FROM {numbers} t EXCEPT ALL SELECT n DIV 3 FROM {numbers} u"),
        format!("SELECT CONCAT(n DIV 2) FROM {numbers} t EXCEPT SELECT CONCAT(n) FROM {numbers} u WHERE n < 10"),
        format!("SELECT n, ROW_NUMBER() OVER (PARTITION BY n % 100 ORDER BY n * 7919 % 10007) FROM {numbers} t"),
        format!(
            "SELECT n, SUM(n) OVER (PARTITION BY n DIV 30 ORDER BY n ROWS 2 PRECEDING), COUNT(*) OVER (PARTITION BY n % 7), \
             LAG(n) OVER (PARTITION BY n DIV 30 ORDER BY n), RANK() OVER (ORDER BY n DIV 9) FROM {numbers} t"
        ),
        format!("SELECT n, MAX(n) OVER (), CONCAT('row ', n) FROM {numbers} t"),
        format!("SELECT l.n, r.n FROM {numbers} l JOIN {numbers} r ON l.n * 2 = r.n"),
        format!("SELECT l.n, r.n FROM {numbers} l LEFT JOIN {numbers} r ON l.n * 2 = r.n AND r.n % 3 = 0"),
        format!(
            "WITH t AS (SELECT n, n DIV 3 AS g, CONCAT('row ', n) AS r FROM {numbers} x LIMIT 9000)
             SELECT a.n, b.r FROM t a JOIN t b ON a.n = b.g WHERE a.n > (SELECT AVG(g) FROM t)"
        ),
        format!("SELECT l.n FROM {numbers} l WHERE CONCAT(l.n) IN (SELECT CONCAT(r.n * 3) FROM {numbers} r)"),
    ];
    let (large, unused, _) = open(1 << 30);
    let (small, files, open) = open(30_000);
    for sql in &statements {
        files.set(0);
        let (mut wanted, mut got) = (rows(&large, sql), rows(&small, sql));
        assert!(files.get() > 0, "{sql} stayed in memory");
        assert_eq!(open.get(), 0, "{sql} left temporary files");
        if !sql.contains(" t ORDER BY") {
            wanted.sort_unstable();
            got.sort_unstable();
        }
        assert_eq!(wanted.len(), got.len(), "{sql}");
        assert!(wanted == got, "{sql}");
    }
    assert_eq!(unused.get(), 0);
}

/// A run of rows of 20 KB was one batch, and a merge had a batch of each run in memory: all rows.
#[test]
fn sorts_of_long_rows_read_short_parts_of_few_runs() {
    let (session, files, open, longest_read) = open_counted(1_500_000);
    let text = "REPEAT(CHAR(65 + n * 7 % 26), 20000)";
    let got = rows(&session, &format!("SELECT n, {text} AS t FROM {} q ORDER BY t, n DESC", numbers("1000")));
    let got: Vec<&str> = got.iter().filter_map(|row| row.split(',').next()).collect();
    let mut wanted: Vec<u32> = (0..1000).collect();
    wanted.sort_unstable_by_key(|n| (n * 7 % 26, 1000 - n));
    assert_eq!(got, wanted.iter().map(|n| format!("[Int({n})")).collect::<Vec<_>>());
    assert!(longest_read.get() <= 160_000, "{}", longest_read.get());
    // 20 runs of 50 rows are merged by threes into 7, and those into 3.
    assert_eq!(files.get(), 30);
    assert_eq!(open.get(), 0);
}

/// The most memory that the process has had, in bytes.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).expect("KiB") << 10
}

/// Rows that a statement gives, none of which is kept.
fn count(session: &Session, sql: &str) -> u64 {
    let mut cursor = session.query(sql).expect(sql);
    let mut rows = 0;
    loop {
        match cursor.next(i64::MAX).expect(sql) {
            Step::Batch(batch) => rows += batch.rows as u64,
            Step::Done(_) => return rows,
            _ => {}
        }
    }
}

#[test]
#[ignore = "minutes: cargo test --profile fast -p engine large_statements_spill -- --ignored"]
fn millions_of_rows_need_64_mib() {
    let engine = Engine::new(Rc::new(DiskHost));
    engine.attach("big", common::open_database(&common::fixture("g_big").expect("the fixture")).expect("it opens"));
    let session = engine.session();
    count(&session, "SELECT 1 ORDER BY 1");
    let before = peak_bytes();
    let numbers = numbers("10000000");
    let sorted = format!(
        "SELECT n, CONCAT('a row with some text ', n) FROM {numbers} t WHERE n < 5000000 ORDER BY n * 7919 % 5000011, n"
    );
    assert_eq!(count(&session, &sorted), 5_000_000);
    let after_sort = peak_bytes();
    let joined = format!(
        "SELECT l.n, r.c FROM {numbers} l JOIN (SELECT n * 2 AS n, CONCAT('text ', n) AS c FROM {numbers} t WHERE n < 2000000) r \
         ON l.n = r.n WHERE l.n < 1000000"
    );
    assert_eq!(count(&session, &joined), 500_000);
    let after_join = peak_bytes();
    println!("peak MiB: before {}, sort {}, join {}", before >> 20, after_sort >> 20, after_join >> 20);
    assert!(after_sort.max(after_join) - before < 64 << 20);
}
