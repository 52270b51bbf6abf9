//! Of long texts and bytes, which lie outside of their rows, only the chunks are read that an answer needs.

use std::rc::Rc;

use store::MemoryChunks;

use crate::common::{self, fresh};

/// Rows, each with a text of 1 MB, which has some 260 chunks, and as many bytes.
const ROWS: u64 = 3;

fn table() -> Rc<MemoryChunks> {
    let chunks = fresh::chunks();
    let session = fresh::engine_over(&chunks).session();
    let run = |sql: &str| fresh::affected(&session, sql);
    run(
        "CREATE TABLE longs (id INT PRIMARY KEY, t LONGTEXT, c LONGTEXT COLLATE utf8mb4_0900_ai_ci, l LONGTEXT CHARACTER SET latin1, b LONGBLOB)",
    );
    for row in 0..ROWS {
        run(&format!(
            "INSERT INTO longs VALUES ({row}, CONCAT('{row}é日', REPEAT('aé', 333333)), CONCAT('{row}É', REPEAT('a', 999999)), \
             REPEAT('é', 500000), CONCAT('{row}', REPEAT('x', 999999)))"
        ));
    }
    run(&format!("INSERT INTO longs VALUES ({ROWS}, NULL, NULL, NULL, NULL), ({ROWS} + 1, 'a', 'é', 'é', 'b')"));
    chunks
}

/// The rows of a query of a process that has read none, and the chunks that it reads.
fn cost(chunks: &Rc<MemoryChunks>, sql: &str) -> (Vec<Vec<String>>, u64) {
    let database = fresh::open(chunks);
    let objects = database.objects().clone();
    let engine = common::empty_engine();
    engine.attach("mydb", database);
    let rows = fresh::rows(&engine.session(), sql);
    (rows, objects.nodes().stats().chunks_read)
}

#[test]
fn lengths_and_beginnings_read_few_chunks() {
    let chunks = table();
    // A root for each length, and inner nodes and a leaf or two for each beginning.
    let (none, roots, beginnings) = (20, 20 + ROWS, 20 + 6 * ROWS);
    for (most, select) in [
        (none, "COUNT({t})"),
        (none, "SUM({t} IS NULL), SUM({t} IS NOT NULL)"),
        (roots, "SUM(LENGTH({t})), MAX(OCTET_LENGTH({t})), MIN(BIT_LENGTH({t})), SUM({t} IS NULL), COUNT({t})"),
        (beginnings, "GROUP_CONCAT(LEFT({t}, 2) ORDER BY id)"),
        (beginnings, "GROUP_CONCAT(SUBSTRING({t}, 2, 3) ORDER BY id), GROUP_CONCAT(MID({t}, 1, 1) ORDER BY id)"),
        (beginnings, "GROUP_CONCAT(id, LEFT({t}, 1200) > 'a' ORDER BY id)"),
        (beginnings, "SUM({t} = '1é日'), SUM('0é' < {t}), SUM({t} <> 'a'), SUM({t} >= '1é日aéaé'), COUNT({t})"),
    ] {
        let sql = |column: &str| format!("SELECT {} FROM longs", select.replace("{t}", column));
        let (rows, read) = cost(&chunks, &sql("t"));
        // The same of values that are no columns, which are read.
        let (expected, all) = cost(&chunks, &sql("CONCAT(t, '')"));
        assert_eq!(rows, expected, "{select}");
        assert!(read <= most && all > 200 * ROWS, "{select}: {read} chunks of {all}");
    }
    for (most, sql) in [
        (roots, "SELECT SUM(LENGTH(b)) FROM longs"),
        (beginnings, "SELECT SUM(b = '1x'), SUM(b < '1xx') FROM longs"),
        (beginnings, "SELECT id FROM longs WHERE t > '2' AND t < '2é日aéb'"),
        (beginnings, "SELECT id FROM longs WHERE LENGTH(b) > 5 ORDER BY LENGTH(b)"),
    ] {
        let (rows, read) = cost(&chunks, sql);
        let (expected, _) = cost(
            &chunks,
            &sql.replace("LENGTH(b)", "LENGTH(CONCAT(b))").replace(" t ", " CONCAT(t) ").replace("(b ", "(CONCAT(b) "),
        );
        assert_eq!(rows, expected, "{sql}");
        assert!(read <= most, "{sql}: {read} chunks");
    }
}

#[test]
fn what_needs_whole_values_gets_them() {
    let chunks = table();
    for (sql, expected) in [
        // Two questions of one column.
        (
            "SELECT LENGTH(t), LEFT(t, 2), RIGHT(t, 1) FROM longs WHERE id = 1",
            [["1000005", "1é", "é"].as_slice()].as_slice(),
        ),
        ("SELECT LENGTH(t), LEFT(t, 2) FROM longs WHERE id = 1", &[&["1000005", "1é"]]),
        ("SELECT CHAR_LENGTH(t) FROM longs WHERE id = 1", &[&["666669"]]),
        // In bytes of the column's own set.
        ("SELECT LENGTH(l) FROM longs WHERE id IN (1, 4)", &[&["500000"], &["1"]]),
        // Letters that are equal have other bytes.
        ("SELECT COUNT(*) FROM longs WHERE c = CONCAT('1E', REPEAT('A', 999999))", &[&["1"]]),
        ("SELECT id FROM longs WHERE c = 'E'", &[&["4"]]),
        ("SELECT id, LEFT(c, 2) FROM longs WHERE c < '1f' ORDER BY id", &[&["0", "0É"], &["1", "1É"]]),
    ] {
        let (rows, _) = cost(&chunks, sql);
        assert_eq!(rows, expected, "{sql}");
    }
}
