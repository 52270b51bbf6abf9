//! A join tells the scans below which keys there are on its other side: these give no others, and the answers are those of plans that
//! look at all pairs.

use engine::Session;
use engine::state::Rules;

use crate::common::fresh;

const ROWS: u32 = 3000;

/// `sales` of several nodes with keys of many kinds, scattered and not, some NULL, and small tables that they refer to.
fn session() -> Session {
    let session = fresh::session();
    let sale = |id: u32| {
        let or_null = |of: u32, text: String| if id.is_multiple_of(of) { "NULL".to_owned() } else { text };
        let kind = ["a", "A", "á", "b", "B ", "c", ""][(id * 5 % 7) as usize];
        let columns = [
            id.to_string(),
            or_null(17, (id * 37 % 100).to_string()),
            (id * 29 % 40).to_string(),
            (id / 60).to_string(),
            or_null(13, format!("'{kind}'")),
            or_null(11, format!("{}.{:02}", id * 7 % 50, id % 4 * 25)),
            (u64::MAX - u64::from(id * 31 % 60)).to_string(),
            format!("'2024-01-{:02} {:02}:00:00'", 1 + id * 13 % 28, id % 2 * 12),
            format!("'the note of sale {id}'"),
        ];
        format!("({})", columns.join(", "))
    };
    let days = (0..100).map(|day| format!("({day}, {}, '2024-01-{:02}')", 2000 + day % 10, 1 + day % 28));
    let shops = (0..40).map(|shop| format!("({shop}, {}, 's{}', {}.00)", shop % 4, shop % 7, shop % 9));
    let kinds = ["'A'", "'B'", "'x'", "NULL", "'à'"];
    let kinds = kinds.iter().enumerate().map(|(number, kind)| format!("({kind}, {kind}, {number})"));
    let list = |rows: &mut dyn Iterator<Item = String>| rows.collect::<Vec<_>>().join(",");
    for sql in [
        "USE mydb".to_owned(),
        "CREATE TABLE sales (id INT PRIMARY KEY, day INT, shop SMALLINT NOT NULL, part INT NOT NULL,
         kind VARCHAR(9) COLLATE utf8mb4_0900_ai_ci, price DECIMAL(8,2), big BIGINT UNSIGNED NOT NULL, at DATETIME, note VARCHAR(40))"
            .to_owned(),
        "CREATE TABLE days (day INT, year INT, date DATE)".to_owned(),
        "CREATE TABLE shops (shop BIGINT, city INT, name VARCHAR(9), price DECIMAL(5,2))".to_owned(),
        "CREATE TABLE kinds (ci VARCHAR(9) COLLATE utf8mb4_0900_ai_ci, bin VARCHAR(9) COLLATE utf8mb4_0900_bin, number INT)"
            .to_owned(),
        format!("INSERT INTO sales VALUES {}", list(&mut (0..ROWS).map(sale))),
        format!("INSERT INTO days VALUES {}", list(&mut days.into_iter())),
        format!("INSERT INTO shops VALUES {}", list(&mut shops.into_iter())),
        format!("INSERT INTO kinds VALUES {}", list(&mut kinds.into_iter())),
    ] {
        fresh::rows(&session, &sql);
    }
    session
}

/// What the scans of `sales` gave, together.
fn sales_read(session: &Session, sql: &str) -> (u64, String) {
    let lines: Vec<String> = fresh::rows(session, &format!("EXPLAIN ANALYZE {sql}")).concat();
    let is_scan = |line: &&String| line.trim_start().starts_with("Scan sales");
    let given = |line: &String| {
        let (before, _) = line.split_once(" rows given").or_else(|| line.split_once(" row given"))?;
        before.rsplit(' ').next()?.parse::<u64>().ok()
    };
    (lines.iter().filter(is_scan).filter_map(given).sum(), lines.join("\n"))
}

#[test]
fn rows_without_partners_stay_out() {
    let session = session();
    let (all, mut wrong) = (u64::from(ROWS), Vec::new());
    for (most, sql) in [
        // One table, several, and further joins between.
        (500, "SELECT COUNT(*), SUM(s.id), MAX(s.note) FROM sales s JOIN days d ON s.day = d.day WHERE d.year = 2003"),
        (
            260,
            "SELECT p.city, COUNT(*), SUM(s.id) FROM sales s JOIN days d ON s.day = d.day JOIN shops p ON s.shop = p.shop
             WHERE d.year = 2003 AND p.city = 3 GROUP BY p.city",
        ),
        (
            500,
            "SELECT COUNT(*), SUM(x.id), SUM(x.price * 2) FROM (SELECT s.id, s.day AS d, s.price FROM sales s LEFT JOIN shops p ON s.shop = p.shop
             AND p.city = 1 WHERE s.price > 1 OR s.price IS NULL) x JOIN days ON x.d = days.day WHERE days.year IN (2003)",
        ),
        (0, "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN days d ON s.day = d.day WHERE d.year = 1900"),
        // Tests, and unions, groups, orders and different rows on the way.
        (500, "SELECT id, note FROM sales WHERE day IN (SELECT day FROM days WHERE year = 2004)"),
        (
            500,
            "SELECT s.id, s.shop > 20 AND EXISTS (SELECT 1 FROM shops WHERE shop = s.shop AND city = 3) FROM sales s
             JOIN days d ON d.day = s.day WHERE d.year = 2005",
        ),
        (
            1000,
            "SELECT x.k, COUNT(*), SUM(x.id) FROM (SELECT 'one' k, day, id FROM sales UNION ALL SELECT 'two', day, id FROM sales) x
             JOIN days d ON d.day = x.day WHERE d.year = 2006 GROUP BY x.k",
        ),
        (
            500,
            "SELECT x.day, x.n, x.s FROM (SELECT day, COUNT(*) n, SUM(id) s FROM sales GROUP BY day) x JOIN days d ON d.day = x.day
             WHERE d.year = 2006",
        ),
        (
            500,
            "SELECT x.day, x.shop FROM (SELECT DISTINCT day, shop FROM sales) x JOIN days d ON d.day = x.day WHERE d.year = 2007",
        ),
        // Keys of two kinds; NULL has no partner.
        (250, "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN shops p ON s.price = p.price AND p.city = 1"),
        (400, "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN shops p ON s.part = p.price AND p.city = 1 AND p.price < 3"),
        (100, "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN shops p ON s.big = p.shop + 18446744073709551600"),
        (700, "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN days d ON s.at = d.date AND d.day < 5"),
        (200, "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN days d ON s.day = d.day AND s.part = d.year - 2000"),
        (4000, "SELECT k.number, COUNT(*), SUM(s.id) FROM sales s JOIN kinds k ON s.kind = k.ci GROUP BY k.number"),
        (all, "SELECT k.number, COUNT(*), SUM(s.id) FROM sales s JOIN kinds k ON s.kind COLLATE utf8mb4_0900_bin = k.bin GROUP BY 1"),
        // Whose rows come side by side: first those of partners, then others, and the other way round.
        (600, "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN shops p ON s.part = p.shop WHERE p.shop < 4"),
        (600, "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN days d ON s.part = d.day WHERE d.day BETWEEN 44 AND 60"),
        (all, "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN days d ON s.part = d.day WHERE d.day < 30 OR d.day > 48"),
        // Where every row has a partner, and where rows without one are wanted.
        (all, "SELECT COUNT(*), SUM(s.id), SUM(d.year) FROM sales s JOIN days d ON s.shop = d.day"),
        (all, "SELECT COUNT(*), SUM(s.id), COUNT(d.day) FROM sales s LEFT JOIN days d ON s.day = d.day AND d.year = 2003"),
        (all, "SELECT COUNT(*), SUM(s.id) FROM sales s WHERE NOT EXISTS (SELECT 1 FROM days d WHERE s.day = d.day AND d.year = 2003)"),
        (all, "SELECT COUNT(*), SUM(s.id) FROM sales s WHERE s.day NOT IN (SELECT day FROM days WHERE year = 2003)"),
        // What is cut off, numbered or grouped before the join is that of all rows.
        (400, "SELECT x.id, d.year FROM (SELECT id, day FROM sales ORDER BY id LIMIT 100) x JOIN days d ON d.day = x.day WHERE d.year = 2003"),
        (
            all,
            "SELECT x.id, x.n FROM (SELECT id, day, ROW_NUMBER() OVER (ORDER BY id) n FROM sales) x JOIN days d ON d.day = x.day
             WHERE d.year = 2003",
        ),
        (
            all,
            "SELECT x.k, x.n FROM (SELECT kind k, COUNT(*) n FROM sales GROUP BY kind) x JOIN kinds ON x.k COLLATE utf8mb4_0900_bin = kinds.bin",
        ),
        (64, "SELECT s.id, d.day FROM sales s JOIN days d ON s.shop = d.day LIMIT 5"),
    ] {
        let (read, plan) = sales_read(&session, sql);
        if read > most {
            wrong.push(format!("{sql} reads {read} rows, not {most}\n{plan}"));
        }
        let sorted = |rules| {
            session.state().rules.set(rules);
            let mut rows = fresh::rows(&session, sql);
            rows.sort();
            rows
        };
        let (without, with) = (sorted(Rules::Needed), sorted(Rules::All));
        if with.is_empty() || with != without {
            wrong.push(format!("{sql} answers otherwise: {with:?}, not {without:?}\n{plan}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A variable is set for every row, as if there were no runtime filter.
#[test]
fn rows_that_set_variables_all_come() {
    let session = session();
    fresh::rows(&session, "SET varve_beyond_dolt = 1");
    let sql = "SELECT MAX(x.n) FROM (SELECT day, @n := @n + 1 AS n FROM sales) x JOIN days d ON d.day = x.day WHERE d.year = 2003";
    for _ in 0..2 {
        fresh::rows(&session, "SET @n = 0");
        let last = fresh::rows(&session, sql);
        assert_eq!(fresh::rows(&session, "SELECT @n"), [[ROWS.to_string()]], "{last:?}");
    }
    fresh::rows(&session, "SET @n = 0");
    assert_eq!(
        fresh::rows(&session, "SELECT id FROM sales WHERE (@n := @n + 1) % 1000 = 0"),
        [["999"], ["1999"], ["2999"]]
    );
}

/// Each cursor has its own keys.
#[test]
fn cursors_of_one_statement_keep_their_keys() {
    let session = session();
    let sql = "SELECT s.id FROM sales s JOIN days d ON s.day = d.day WHERE d.year = ?";
    let prepared = session.prepare(sql).expect("it parses");
    let begin = |year: i64| session.execute(&prepared, &[value::Value::Int(year)]).expect("it runs");
    let alone = |year: i64| begin(year).collect().map(|(_, rows, _)| rows.len()).expect("it ends");
    let expected = [alone(2003), alone(2004)];
    let mut both = [begin(2003), begin(2004)].map(|cursor| (cursor, 0, false));
    while both.iter().any(|(_, _, is_done)| !is_done) {
        for (cursor, rows, is_done) in both.iter_mut().filter(|(_, _, is_done)| !is_done) {
            match cursor.next(50).expect("it goes on") {
                engine::Step::Batch(batch) => *rows += batch.rows,
                engine::Step::Done(_) => *is_done = true,
                _ => {}
            }
        }
    }
    assert_eq!(both.map(|(_, rows, _)| rows), expected);
}
