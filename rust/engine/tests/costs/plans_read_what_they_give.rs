//! Queries as applications write them, over tables of more than one node: how many rows they read of the tables, index entries among
//! them, and that they answer as the plan without rules does.

use engine::state::Rules;
use engine::{Cursor, Session, Step};

use crate::common;

const ROWS: u32 = 20_000;

/// Where all pairs of rows are tried, as the plan without rules does.
const FEW_ROWS: u32 = 2_000;

fn rows(session: &Session, sql: &str) -> Vec<Vec<String>> {
    let (columns, rows, _) =
        session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let cell = |(value, column): (&value::Value<'_>, &engine::page::ResultColumn)| {
        value::to_text(value, &column.ty).map_or("NULL".to_owned(), |text| String::from_utf8_lossy(&text).into_owned())
    };
    rows.iter().map(|row| row.iter().zip(columns.iter()).map(cell).collect()).collect()
}

/// The rows of a query, sorted unless it sorts them, by its plan and by the one without rules.
fn with_and_without_rules(session: &Session, sql: &str) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    let sorted = |rules| {
        session.state().rules.set(rules);
        let mut rows = rows(session, sql);
        if sql.rfind("ORDER BY") <= sql.rfind(')') {
            rows.sort();
        }
        rows
    };
    let without = sorted(Rules::Needed);
    (sorted(Rules::All), without)
}

fn answers_differ(session: &Session, sql: &str) -> bool {
    let (with, without) = with_and_without_rules(session, sql);
    with != without
}

/// What the scans of a query gave, together.
fn rows_read(session: &Session, sql: &str) -> (u64, String) {
    let lines: Vec<String> = rows(session, &format!("EXPLAIN ANALYZE {sql}")).concat();
    let given = |line: &&String| line.trim_start().starts_with("Scan");
    let number = |line: &String| {
        let (before, _) = line.split_once(" rows given").or_else(|| line.split_once(" row given"))?;
        before.rsplit(' ').next()?.parse::<u64>().ok()
    };
    (lines.iter().filter(given).filter_map(number).sum(), lines.join("\n"))
}

fn shop() -> Session {
    shop_of(ROWS)
}

/// `users`, of which every tenth has no orders, and so many `orders`, ten of a user, whose columns scatter.
fn shop_of(rows: u32) -> Session {
    let users = rows / 10;
    let session = common::fresh::session();
    let mut script = vec![
        "USE mydb".to_owned(),
        "CREATE TABLE users (id INT PRIMARY KEY, name VARCHAR(20), email VARCHAR(20), seen INT, KEY (name))".to_owned(),
        "CREATE TABLE orders (id INT PRIMARY KEY, user_id INT NOT NULL, status VARCHAR(10) NOT NULL, at DATETIME NOT NULL,
         sent INT, amount DECIMAL(10,2), KEY user_at (user_id, at), KEY status_at (status, at), KEY (at), KEY (sent), KEY (amount))"
            .to_owned(),
    ];
    for start in (0..rows).step_by(1000) {
        let of = |row: &dyn Fn(u32) -> String| (start..start + 1000).map(row).collect::<Vec<_>>().join(",");
        script.push(format!(
            "INSERT INTO orders VALUES {}",
            of(&|id| {
                let user = id.wrapping_mul(7919) % users / 10 * 10 + 1 + id % 9;
                let status = ["new", "paid", "done", "done", "done", "done", "void", "done"][(id % 8) as usize];
                let minute = id.wrapping_mul(104_729) % 500_000;
                let sent = if id % 3 == 0 { "NULL".to_owned() } else { (minute % 977).to_string() };
                format!(
                    "({id}, {user}, '{status}', '2024-01-01' + INTERVAL {minute} MINUTE, {sent}, {}.{:02})",
                    id % 500,
                    id % 100
                )
            })
        ));
    }
    for start in (0..users).step_by(1000) {
        let rows = (start..users.min(start + 1000))
            .map(|id| format!("({id}, 'n{:04}', 'u{id}@x', {})", id * 37 % 2000, id % 7));
        script.push(format!("INSERT INTO users VALUES {}", rows.collect::<Vec<_>>().join(",")));
    }
    for sql in script {
        session.query(&sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    session
}

/// How often a query gives others a turn, which it does after every 500 rows that it reads.
fn turns(session: &Session, sql: &str) -> usize {
    let mut cursor = session.query(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let mut turns = 0;
    loop {
        match cursor.next(500).unwrap_or_else(|error| panic!("{sql}: {error}")) {
            Step::Done(_) => return turns,
            Step::Yield => turns += 1,
            _ => {}
        }
    }
}

/// Of a small table it is known which of its rows are meant, and how many partners these have.
#[test]
fn seldom_values_of_a_small_table_are_looked_up() {
    let session = shop();
    for sql in [
        "CREATE TABLE kinds (id INT PRIMARY KEY, name VARCHAR(10))",
        "INSERT INTO kinds VALUES (0, 'common'), (1, 'seldom')",
        "CREATE TABLE parts (id INT PRIMARY KEY, order_id INT, kind INT, KEY (kind))",
        "INSERT INTO parts SELECT id, id, id % 1000 = 0 FROM orders",
    ] {
        session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    for (name, most) in [("seldom", 100), ("common", 45_000)] {
        let sql = format!(
            "SELECT COUNT(*), SUM(o.amount) FROM kinds k JOIN parts p ON p.kind = k.id JOIN orders o ON o.id = p.order_id
             WHERE k.name = '{name}'"
        );
        let (read, plan) = rows_read(&session, &sql);
        assert!(read <= most, "{read} rows: {sql}\n{plan}");
    }
}

/// What is kept of a text is for the rules that it was planned by.
#[test]
fn a_text_has_a_plan_of_its_own_for_other_rules() {
    let session = shop();
    let sql = "SELECT * FROM orders WHERE id > 19990";
    assert!(turns(&session, sql) <= 1 && turns(&session, sql) <= 1);
    session.state().rules.set(Rules::Needed);
    assert!(turns(&session, sql) > 2);
    session.state().rules.set(Rules::All);
    assert!(turns(&session, sql) <= 1);
}

/// Text beside a column of another kind is a place in its index.
#[test]
fn texts_are_places_of_moments_and_numbers() {
    let session = shop();
    for condition in [
        "at BETWEEN '2024-03-01' AND '2024-03-03 12:00:00'",
        "at >= '2024-03-01' AND at < '2024-03-02'",
        "at IN ('2024-03-01', '2024-03-02 00:01:00')",
        "(at, id) > ('2024-12-12', 5) AND at < '2024-12-14'",
        "id = '77'",
        "id IN ('5', '6', '7000')",
        "id > '19990'",
        "user_id = '41' AND at > '2024-03-01'",
        "amount = '77.77'",
        "amount IN ('77.770', '5.05')",
        "amount BETWEEN '77.005' AND '77.5'",
    ] {
        let sql = format!("SELECT * FROM orders WHERE {condition}");
        let turns = turns(&session, &sql);
        assert!(turns <= 2, "{sql}: {turns} turns");
        let with = rows(&session, &format!("{sql} ORDER BY id"));
        session.state().rules.set(Rules::Needed);
        assert_eq!(with, rows(&session, &format!("{sql} ORDER BY id")), "{sql}");
        session.state().rules.set(Rules::All);
    }
    // What is no number or no date is compared with every row.
    for condition in ["id = '77x'", "id = ' 77'", "id = '77.0'", "sent = ''", "at > '2024'"] {
        let sql = format!("SELECT COUNT(*) FROM orders WHERE {condition}");
        let ask = || session.query(&sql).and_then(Cursor::collect).map(|(_, rows, _)| format!("{rows:?}")).ok();
        let with = ask();
        session.state().rules.set(Rules::Needed);
        assert_eq!(with, ask(), "{sql}");
        session.state().rules.set(Rules::All);
    }
}

#[test]
fn plans_read_what_they_give() {
    let (session, few) = (shop(), shop_of(FEW_ROWS));
    let mut wrong = Vec::new();
    for (most, sql) in [
        // The order of an index, and of one behind joins.
        (64, "SELECT * FROM orders ORDER BY at, id LIMIT 20"),
        (64, "SELECT * FROM orders ORDER BY at DESC, id DESC LIMIT 20"),
        (64, "SELECT status FROM orders WHERE status = 'void' ORDER BY at DESC, id DESC LIMIT 20"),
        (96, "SELECT o.id, u.name FROM orders o JOIN users u ON u.id = o.user_id ORDER BY o.at, o.id LIMIT 20"),
        (96, "SELECT o.id, u.name FROM users u JOIN orders o ON u.id = o.user_id ORDER BY o.at, o.id LIMIT 20"),
        (96, "SELECT o.id, u.name FROM orders o LEFT JOIN users u ON u.id = o.user_id ORDER BY o.at, o.id LIMIT 20"),
        (
            96,
            "SELECT o.id, u.name FROM orders o JOIN users u ON u.id = o.user_id WHERE o.status = 'void'
             ORDER BY o.at DESC, o.id DESC LIMIT 20",
        ),
        // Conditions on both sides of a join: partners are looked up until enough have passed.
        (
            240,
            "SELECT o.id, u.name FROM orders o JOIN users u ON u.id = o.user_id WHERE u.seen < 4 AND o.status = 'done'
             ORDER BY o.at DESC, o.id DESC LIMIT 20",
        ),
        (
            240,
            "SELECT o.id, o.amount FROM users u JOIN orders o ON u.id = o.user_id WHERE u.seen IN (1, 2, 3)
             ORDER BY o.at, o.id LIMIT 10",
        ),
        // The order of an index within a list of values.
        (80, "SELECT * FROM users WHERE id IN (SELECT user_id FROM (SELECT user_id FROM orders WHERE status = 'new' ORDER BY at, id LIMIT 10) x)"),
        // Pages far behind the first, by number and by key.
        (64, "SELECT * FROM orders ORDER BY id LIMIT 20 OFFSET 15000"),
        (64, "SELECT * FROM orders ORDER BY id DESC LIMIT 20 OFFSET 15000"),
        (64, "SELECT id FROM orders ORDER BY at, id LIMIT 5 OFFSET 700"),
        (64, "SELECT * FROM orders ORDER BY at DESC, id DESC LIMIT 20 OFFSET 15000"),
        (300, "SELECT * FROM orders WHERE (at, id) < ('2024-06-01', 500) ORDER BY at DESC, id DESC LIMIT 20"),
        (
            300,
            "SELECT id FROM orders WHERE at > '2024-06-01' OR (at = '2024-06-01' AND id > 7) ORDER BY at, id LIMIT 20",
        ),
        // Ends of an index.
        (128, "SELECT MIN(at), MAX(at) FROM orders"),
        (64, "SELECT MAX(sent) FROM orders"),
        (64, "SELECT MAX(at) FROM orders WHERE status = 'void'"),
        (64, "SELECT MIN(at) FROM orders WHERE user_id = 41"),
        // Several ways to a row, and the beginning of a text.
        (30, "SELECT * FROM orders WHERE user_id = 41 OR at = '2024-03-01'"),
        (30, "SELECT * FROM orders WHERE (user_id = 41 AND amount > 3) OR id = 7 OR at = '2024-03-01'"),
        (11, "SELECT * FROM users WHERE name LIKE 'n012%'"),
        // Days and years of moments.
        (100, "SELECT id FROM orders WHERE DATE(at) = '2024-03-01'"),
        (160, "SELECT id FROM orders WHERE DATE(at) BETWEEN '2024-03-01' AND DATE '2024-03-02'"),
        (100, "SELECT id FROM orders WHERE CAST(at AS DATE) = DATE '2024-03-01'"),
        (40, "SELECT id FROM orders WHERE status = 'void' AND DATE(at) = '2024-03-01'"),
        (0, "SELECT id FROM orders WHERE YEAR(at) = 2025"),
        (0, "SELECT id FROM orders WHERE YEAR(at) < 2024 OR DATE(at) > '2025-01-01'"),
        // Numbers of rows that the tree knows.
        (0, "SELECT COUNT(*) FROM orders WHERE status = 'done'"),
        (0, "SELECT COUNT(*) FROM orders WHERE status IN ('new', 'paid', 'a status that is longer than any')"),
        (0, "SELECT COUNT(*) FROM orders WHERE status = 'done' AND at >= '2024-03-01' AND at < '2024-04-01'"),
        // A condition beside an order: by the order where that finds enough soon.
        (64, "SELECT * FROM orders WHERE at > '2024-02-01' ORDER BY id LIMIT 20"),
        (130, "SELECT * FROM orders WHERE amount > 100 ORDER BY at DESC, id DESC LIMIT 20"),
        (130, "SELECT * FROM orders WHERE sent IS NOT NULL ORDER BY at, id LIMIT 20"),
        (130, "SELECT * FROM orders WHERE sent IS NULL ORDER BY at, id LIMIT 20"),
        (64, "SELECT * FROM orders WHERE status = 'done' ORDER BY id LIMIT 20"),
        (120, "SELECT * FROM orders WHERE at > '2024-12-12' ORDER BY id LIMIT 20"),
        // Subqueries of the rows that are shown.
        (300, "SELECT u.id, (SELECT COUNT(*) FROM orders o WHERE o.user_id = u.id) FROM users u WHERE u.id < 90 ORDER BY u.id LIMIT 20"),
        (290, "SELECT u.id, (SELECT MAX(at) FROM orders o WHERE o.user_id = u.id) FROM users u WHERE u.id < 90 LIMIT 20"),
        (
            320,
            "SELECT u.id, (SELECT SUM(amount) FROM orders o WHERE o.user_id = u.id) n FROM users u WHERE u.id < 90
             ORDER BY u.seen, u.id LIMIT 20",
        ),
        // Conditions reach tables below unions, windows and groups, and from one table to another.
        (
            24,
            "SELECT * FROM (SELECT id, user_id FROM orders UNION ALL SELECT id, seen FROM users WHERE id < 0) x WHERE user_id = 41",
        ),
        (
            12,
            "SELECT * FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY at DESC) n, user_id FROM orders) x
             WHERE user_id = 41 AND n <= 3",
        ),
        (
            13,
            "SELECT u.name, t.s FROM users u JOIN (SELECT user_id, SUM(amount) s FROM orders GROUP BY user_id) t
             ON t.user_id = u.id WHERE u.id = 41",
        ),
        // What contradicts itself, also in a branch whose constants a condition meets.
        (0, "SELECT * FROM orders WHERE 1 = 0"),
        (0, "SELECT COUNT(*), SUM(o.amount) FROM orders o JOIN users u ON u.id = o.user_id WHERE NULL"),
        (0, "SELECT status, COUNT(*) FROM (SELECT status FROM orders WHERE 1 = 0 UNION SELECT name FROM users WHERE id > 1 AND FALSE) x GROUP BY status"),
        (12, "SELECT * FROM (SELECT 'o' k, id FROM orders WHERE user_id = 41 UNION ALL SELECT 'u', id FROM users) x WHERE k = 'o'"),
        (12, "SELECT DISTINCT n FROM (SELECT 'o' k, user_id n FROM orders WHERE user_id = 41 UNION SELECT 'u', id FROM users) x WHERE k IN ('o', 'p')"),
        (
            15,
            "WITH t AS (SELECT 'o' k, user_id n, SUM(amount) s FROM orders GROUP BY user_id UNION ALL SELECT 'u', id, seen FROM users)
             SELECT a.n, a.s, b.s FROM t a JOIN t b ON a.n = b.n WHERE a.k = 'o' AND b.k = 'u' AND a.n = 41",
        ),
        (12, "SELECT id FROM orders WHERE user_id = 41 EXCEPT SELECT id FROM users WHERE 2 < 1"),
        (12, "SELECT o.id, u.name FROM orders o LEFT JOIN (SELECT * FROM users WHERE 0) u ON u.id = o.user_id WHERE o.user_id = 41"),
        // Groups that an index has side by side, all or the first of them.
        (4, "SELECT status, COUNT(*) FROM orders GROUP BY status"),
        (4, "SELECT DISTINCT status FROM orders"),
        (4, "SELECT status, MIN(at), MAX(at), COUNT(at) FROM orders GROUP BY status ORDER BY status DESC LIMIT 3"),
        (4, "SELECT COUNT(DISTINCT status) FROM orders"),
        (4, "SELECT COUNT(*) FROM (SELECT DISTINCT status FROM orders) x"),
        (16, "SELECT sent, COUNT(*) FROM orders GROUP BY sent ORDER BY sent DESC LIMIT 5"),
        (16, "SELECT DISTINCT sent FROM orders ORDER BY sent LIMIT 5"),
        (192, "SELECT user_id, SUM(amount) FROM orders GROUP BY user_id ORDER BY user_id LIMIT 5"),
        (192, "SELECT user_id, SUM(amount) FROM orders GROUP BY user_id HAVING COUNT(*) > 3 ORDER BY user_id DESC LIMIT 2"),
        (
            900,
            "SELECT u.id, COUNT(o.id) FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY u.id, u.name
             ORDER BY u.id LIMIT 5",
        ),
        (192, "SELECT COUNT(*) FROM (SELECT user_id FROM orders GROUP BY user_id HAVING SUM(id) > 0 LIMIT 5) x"),
        (
            192,
            "SELECT u.id FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.status = 'void')
             ORDER BY u.id LIMIT 5",
        ),
        // All groups, by entries that are shorter than the rows.
        (ROWS.into(), "SELECT sent, SUM(id), MAX(id), COUNT(*) FROM orders GROUP BY sent ORDER BY sent DESC"),
        (ROWS.into(), "SELECT at, user_id, SUM(id) FROM orders WHERE id % 7 = 1 GROUP BY at, user_id HAVING COUNT(*) > 1"),
        (ROWS.into(), "SELECT SUM(sent), AVG(id), COUNT(sent) FROM orders WHERE sent % 2 = 1 OR sent IS NULL"),
        // The first rows of parts that have the order.
        (128, "SELECT * FROM orders WHERE status IN ('new', 'paid', 'new') ORDER BY at DESC, id DESC LIMIT 20"),
        (128, "SELECT * FROM orders WHERE status = 'new' OR status = 'paid' ORDER BY at, id LIMIT 5 OFFSET 10"),
        (
            192,
            "SELECT id, at FROM orders UNION ALL SELECT id, at FROM orders WHERE status IN ('void', 'new') ORDER BY at, id LIMIT 10",
        ),
        // The index of which fewer rows are read, or none where most are.
        (25, "SELECT * FROM orders WHERE status = 'done' AND user_id = 41"),
        (12_500, "SELECT SUM(amount) FROM orders WHERE status = 'done'"),
        // What all sides of an OR say, and what each says about one table.
        (
            40,
            "SELECT o.id, u.name FROM orders o, users u WHERE (o.user_id = u.id AND u.name = 'n0012' AND o.amount > 3)
             OR (u.name = 'n0071' AND o.user_id = u.id AND o.amount < 300)",
        ),
        // Tables that leave few rows come first, whatever their written order.
        (
            6_000,
            "SELECT COUNT(*), SUM(o.amount) FROM orders o JOIN users u ON u.id = o.user_id JOIN users v ON v.id = u.seen
             WHERE v.email = 'u3@x'",
        ),
        // What an index leads to is scattered: many rows of a table are read in its own order.
        (22_000, "SELECT COUNT(*), SUM(o.amount) FROM users u JOIN orders o ON o.user_id = u.id WHERE u.id >= 0 AND o.amount < 3"),
        // Tests below tests.
        (
            2_600,
            "SELECT id FROM users WHERE id IN (SELECT user_id FROM orders WHERE id < 300 AND user_id IN
             (SELECT id FROM users WHERE seen = 3))",
        ),
        // Rows that have others, and those that have none.
        (
            22_000,
            "SELECT COUNT(*) FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.status = 'void')",
        ),
        (22_000, "SELECT COUNT(*) FROM users u WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id)"),
        // A look at some users tells that hardly any passes.
        (
            50,
            "SELECT COUNT(*) FROM users u WHERE u.email = 'u7@x' AND EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.status <> 'void')",
        ),
        (
            4_000,
            "SELECT COUNT(*) FROM users u WHERE NOT EXISTS (SELECT 1 FROM users v WHERE v.email = CONCAT('u', u.id + 1, '@x') LIMIT 1)",
        ),
        (
            200,
            "SELECT u.id FROM users u WHERE u.id < 50 AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.amount = 5)",
        ),
        (120, "SELECT * FROM orders WHERE user_id IN (SELECT id FROM users WHERE name LIKE 'n000%')"),
        (
            60,
            "SELECT * FROM orders o WHERE (user_id, at) IN (SELECT user_id, MAX(at) FROM orders WHERE user_id < 5 GROUP BY user_id)",
        ),
        // What belongs to a row leads to few rows, and these to theirs.
        (
            600,
            "SELECT u.id, (SELECT SUM(v.seen) FROM users v JOIN orders o ON v.id = o.sent WHERE o.user_id = u.id) FROM users u
             WHERE u.id < 20",
        ),
        // A subquery whose values come again after a long while.
        (
            23_000,
            "SELECT COUNT(*) FROM (SELECT id & 2047 AS n FROM orders) o WHERE 0 < (SELECT COUNT(*) FROM users u WHERE u.id = o.n)",
        ),
    ] {
        let (read, plan) = rows_read(&session, sql);
        if read > most {
            wrong.push(format!("{sql} reads {read} rows, not {most}\n{plan}"));
        }
        let meets_others = sql.contains("JOIN") || sql.matches("FROM").count() > 1 || sql.contains("orders o, users u");
        for session in [&session, &few] {
            let is_soon = std::ptr::eq(session, &raw const few) || !meets_others;
            if is_soon && answers_differ(session, sql) {
                wrong.push(format!("{sql} answers otherwise\n{plan}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    values_have_plans_of_their_own(&session);
}

/// A plan that was good for one value of a parameter is not used for others for which it is bad.
fn values_have_plans_of_their_own(session: &Session) {
    let prepared = session.prepare("SELECT * FROM orders WHERE at > ? ORDER BY id LIMIT 20").expect("it parses");
    for moment in ["2024-02-01", "2024-12-12 21:00:00", "2024-02-01"] {
        let mut cursor = session.execute(&prepared, &[value::Value::text(moment)]).expect("it runs");
        let mut steps = 0;
        while !matches!(cursor.next(500).expect("it goes on"), Step::Done(_)) {
            steps += 1;
        }
        assert!(steps <= 3, "{moment}: {steps} steps");
    }
}

/// Tables whose columns that are compared are of two kinds are joined by keys, too, not row by row.
#[test]
fn text_finds_numbers_and_moments_by_keys() {
    let session = shop_of(FEW_ROWS);
    for sql in [
        "SELECT u.id, v.id FROM users u JOIN users v ON v.id = SUBSTR(u.email, 2) WHERE u.id < 50",
        "SELECT u.id, v.id FROM users v RIGHT JOIN users u ON SUBSTR(u.email, 2) = v.id + 0e0 WHERE u.id < 50",
        "SELECT u.id FROM users u WHERE u.id < 50 AND EXISTS (SELECT 1 FROM users v WHERE v.id = SUBSTR(u.email, 2))",
        "SELECT x.t, o.id FROM (SELECT CONCAT(at) AS t FROM orders WHERE id < 20) x JOIN orders o ON o.at = x.t AND o.id < 500",
        "SELECT x.t, o.id FROM (SELECT DATE_FORMAT(at, '%Y%m%d') AS t FROM orders WHERE id < 20) x
         LEFT JOIN orders o ON x.t = DATE(o.at) AND o.id < 500",
        "SELECT x.t, o.id FROM (SELECT CONCAT(amount, '0') AS t FROM orders WHERE id < 20) x JOIN orders o ON o.amount = x.t",
        "SELECT u.id, o.id FROM orders o JOIN users u ON o.amount = SUBSTR(u.email, 2) WHERE u.id < 150",
    ] {
        let plan = rows(&session, &format!("EXPLAIN FORMAT=TREE {sql}")).concat().join("\n");
        assert!(plan.contains(", hash"), "{sql}\n{plan}");
        let (with, without) = with_and_without_rules(&session, sql);
        assert!(with.len() >= 8 && with == without, "{sql} answers otherwise\n{plan}");
    }
    // Text that is no moment is an error, as it is for two rows.
    let wrong = "SELECT COUNT(*) FROM users u JOIN orders o ON o.at = u.name";
    assert!(session.query(wrong).and_then(Cursor::collect).is_err(), "{wrong}");
}

/// Nothing is sorted that comes in order, and what is only passed on has no operator.
#[test]
fn plans_have_no_step_that_changes_nothing() {
    let session = shop();
    let is_step = |line: &String| line.trim_start().starts_with(|first: char| first.is_uppercase());
    let plan = |sql: &str| -> Vec<String> {
        rows(&session, &format!("EXPLAIN FORMAT=TREE {sql}")).concat().into_iter().filter(is_step).collect()
    };
    for (sql, steps) in [
        ("SELECT status, at, id FROM orders ORDER BY status, at, id", vec!["Project", "Scan orders by status_at"]),
        ("SELECT at, id FROM orders WHERE id % 7 = 1 ORDER BY at DESC", vec!["Project", "Scan orders by at"]),
        ("SELECT at, amount FROM orders ORDER BY at", vec!["Sort", "Project", "Scan orders of"]),
        ("SELECT status, COUNT(*) FROM orders GROUP BY status", vec!["Project", "Scan groups of orders"]),
        (
            "SELECT b FROM (SELECT a + 1 AS b, a FROM (SELECT id * 2 AS a FROM users) x) y",
            vec!["Project", "Project", "Scan"],
        ),
        // The entries of an index are shorter than the rows, and come group by group.
        ("SELECT SUM(sent) FROM orders", vec!["Project", "Aggregate", "Scan orders by sent"]),
        ("SELECT SUM(sent + 0e0) FROM orders", vec!["Project", "Aggregate", "Scan orders of"]),
        ("SELECT sent, SUM(id) FROM orders GROUP BY sent", vec!["Project", "Aggregate", "Scan orders by sent"]),
        ("SELECT sent, SUM(amount) FROM orders GROUP BY sent", vec!["Project", "Aggregate", "Scan orders of"]),
        (
            "SELECT at, user_id, SUM(id) FROM orders GROUP BY at, user_id ORDER BY user_id DESC, at DESC",
            vec!["Project", "Aggregate", "Scan orders by user_at"],
        ),
        (
            "SELECT at, user_id, SUM(id) FROM orders GROUP BY at, user_id ORDER BY at",
            vec!["Sort", "Project", "Aggregate", "Scan orders by user_at"],
        ),
        ("SELECT n + n FROM (SELECT name AS n FROM users) x", vec!["Project", "Scan"]),
        ("SELECT n, n FROM (SELECT RAND() AS n FROM users) x", vec!["Project", "Project", "Scan"]),
    ] {
        let lines = plan(sql);
        let is_step = |(line, step): (&String, &&str)| line.trim_start().starts_with(step);
        let is_same = lines.len() == steps.len() && lines.iter().zip(&steps).all(is_step);
        assert!(is_same, "{sql}\n{}", lines.join("\n"));
        assert!(sql.contains("RAND") || !answers_differ(&session, sql), "{sql}");
    }
}

/// Changes take their rows from the same plans.
#[test]
fn changes_find_their_rows() {
    let (session, other) = (shop_of(FEW_ROWS), shop_of(FEW_ROWS));
    other.state().rules.set(Rules::Needed);
    for sql in [
        "UPDATE orders SET amount = 1 WHERE user_id = 41 OR at = '2024-03-01'",
        "DELETE FROM orders WHERE user_id = 51 OR id = 7 OR at BETWEEN '2024-03-01' AND '2024-03-02'",
        "DELETE FROM orders WHERE user_id IN (SELECT id FROM users WHERE name LIKE 'n00%')",
        "UPDATE orders SET amount = 2 WHERE user_id IN (SELECT id FROM users WHERE name LIKE 'n01%')",
        "UPDATE orders SET amount = 3 ORDER BY at DESC, id LIMIT 7",
        "DELETE FROM orders WHERE id < 300 AND EXISTS (SELECT 1 FROM users u WHERE u.id = orders.user_id AND u.seen = 3)",
        "UPDATE users SET seen = 9 WHERE id < 30 AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = users.id)",
    ] {
        let run = |session: &Session| {
            let (_, _, summary) = session.query(sql).and_then(Cursor::collect).unwrap_or_else(|e| panic!("{sql}: {e}"));
            let orders = rows(session, "SELECT COUNT(*), SUM(id), SUM(amount), SUM(id * amount) FROM orders");
            (summary.affected, orders, rows(session, "SELECT COUNT(*), SUM(seen), SUM(id * seen) FROM users"))
        };
        let (with, without) = (run(&session), run(&other));
        assert!(with.0.is_some_and(|rows| rows > 0), "{sql}");
        assert!(with == without, "{sql}: {:?} and {:?} rows", with.0, without.0);
    }
}

/// What a subquery reads of a row is asked for once, before the row meets others, and values are looked up among those of a list.
#[test]
fn subqueries_are_asked_once() {
    let session = common::fresh::session();
    let few = (0..40)
        .map(|id| format!("({id}, {}, {})", id % 7, if id % 5 == 0 { "NULL".into() } else { (id % 9).to_string() }));
    let many = (0..300).map(|id| format!("({id}, {}, {}, 't{}')", id * 31 % 40, id * 17 % 100, id % 6));
    for sql in [
        "USE mydb".to_owned(),
        "CREATE TABLE few (id INT PRIMARY KEY, kind INT, other INT)".to_owned(),
        "CREATE TABLE many (id INT PRIMARY KEY, few_id INT, at INT, text VARCHAR(9), KEY (few_id, at))".to_owned(),
        format!("INSERT INTO few VALUES {}", few.collect::<Vec<_>>().join(",")),
        format!("INSERT INTO many VALUES {}", many.collect::<Vec<_>>().join(",")),
    ] {
        session.query(&sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    for (most, sql) in [
        (
            700,
            "SELECT f.id, m.at FROM few f JOIN many m ON m.id = (SELECT i.id FROM many i WHERE i.few_id = f.id ORDER BY i.at DESC, i.id LIMIT 1)",
        ),
        (
            700,
            "SELECT f.id, m.at FROM many m JOIN few f ON m.id = (SELECT MAX(i.id) FROM many i WHERE i.few_id = f.id) WHERE f.kind = 3",
        ),
        (700, "SELECT * FROM many m WHERE m.at = (SELECT MAX(at) FROM many i WHERE i.few_id = m.few_id)"),
        (700, "SELECT id, (SELECT COUNT(*) FROM many i WHERE i.few_id = m.few_id AND i.at > 3) FROM many m"),
        (350, "SELECT id, text IN (SELECT CONCAT('T', other) FROM few) FROM many"),
        (
            350,
            "SELECT id, at NOT IN (SELECT other FROM few WHERE other > 2), at IN (SELECT other FROM few) FROM many WHERE id < 100",
        ),
        (350, "SELECT id, (at, few_id) NOT IN (SELECT other, id FROM few) FROM many"),
        (
            350,
            "SELECT id, NULL IN (SELECT other FROM few WHERE id < 0) FROM many WHERE at NOT IN (SELECT id FROM few WHERE id < 0)",
        ),
        // Common tables with two references, and those of which each reference needs other rows.
        (300, "WITH t AS (SELECT few_id, SUM(id) s FROM many GROUP BY few_id) SELECT * FROM t WHERE s = (SELECT MAX(s) FROM t)"),
        (300, "WITH t AS (SELECT few_id, SUM(id) s FROM many GROUP BY few_id) SELECT a.few_id, b.few_id FROM t a JOIN t b ON a.s > b.s + 50"),
        (20, "WITH t AS (SELECT few_id, SUM(id) s FROM many GROUP BY few_id) SELECT a.s, b.s FROM t a, t b WHERE a.few_id = 3 AND b.few_id = 4"),
        (
            420,
            "WITH t AS (SELECT text, COUNT(*) n, MIN(at) m FROM many GROUP BY text)
             SELECT id, (SELECT MAX(n) FROM t WHERE t.m > few.other) FROM few WHERE kind IN (SELECT n - 47 FROM t) OR kind > 1",
        ),
        (
            420,
            "WITH t AS (SELECT at, few_id FROM many ORDER BY id LIMIT 50), u AS (SELECT few_id + 1 AS x FROM t UNION SELECT at FROM t)
             SELECT a.x, t.at FROM u a JOIN u b ON a.x = b.x + 1 JOIN t ON t.few_id = a.x",
        ),
        (0, "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 20) SELECT a.n, b.n FROM r a JOIN r b ON a.n = b.n * 2"),
    ] {
        let (read, plan) = rows_read(&session, sql);
        assert!(read <= most, "{sql} reads {read} rows, not {most}\n{plan}");
        let (with, without) = with_and_without_rules(&session, sql);
        assert!(!with.is_empty() && with == without, "{sql} answers otherwise\n{plan}");
    }
    // Three-valued: unknown beside a NULL, unless it is found or there is nothing to be among.
    let one = |sql: &str| rows(&session, sql).concat().concat();
    for (answer, sql) in [
        ("1", "SELECT 1 IN (SELECT other FROM few)"),
        ("NULL", "SELECT 77 IN (SELECT other FROM few)"),
        ("0", "SELECT 77 IN (SELECT other FROM few WHERE other IS NOT NULL)"),
        ("NULL", "SELECT NULL IN (SELECT other FROM few WHERE other IS NOT NULL)"),
        ("0", "SELECT NULL IN (SELECT other FROM few WHERE id < 0)"),
        ("NULL", "SELECT (1, 5) IN (SELECT NULL, 5)"),
        ("0", "SELECT (1, 5) IN (SELECT NULL, 6)"),
        ("NULL", "SELECT (1, NULL) IN (SELECT 1, 6)"),
        ("0", "SELECT (1, NULL) IN (SELECT 2, 6)"),
        ("1", "SELECT 'A' COLLATE utf8mb4_0900_ai_ci IN (SELECT 'a' COLLATE utf8mb4_0900_ai_ci)"),
        ("1", "SELECT 1.0 IN (SELECT 1 FROM few)"),
    ] {
        assert_eq!(one(sql), answer, "{sql}");
    }
}

/// Where no index has the rows that a subquery asks for, they are put into a hash table after a few scans.
#[test]
fn subqueries_without_an_index_do_not_scan_for_each_row() {
    let (session, few) = (shop(), shop_of(FEW_ROWS / 2));
    for session in [&session, &few] {
        rows(session, "CREATE TABLE loose AS SELECT id, user_id, status, sent, amount FROM orders");
    }
    for sql in [
        // Of texts, decimals, moments; in places where a subquery is no join; of two keys, and conditions of another kind beside them.
        "SELECT id, (SELECT COUNT(*) FROM users i WHERE i.email = CONCAT('u', u.seen, '@x')) FROM users u",
        "SELECT id FROM users u WHERE id < 300 AND (seen = 3 OR EXISTS (SELECT 1 FROM loose o WHERE o.amount = u.id + 0.10))",
        "SELECT id, (SELECT MAX(o.id) FROM loose o WHERE o.amount = u.id / 10 AND o.status <> 'void') m FROM users u WHERE id < 300",
        "SELECT id, seen IN (SELECT o.sent FROM loose o WHERE o.amount = u.id AND o.id % 7 > u.id % 5) FROM users u WHERE id < 300",
        "SELECT u.id, d.n FROM users u, LATERAL (SELECT COUNT(*) n FROM users i WHERE i.seen = u.seen AND i.email > u.email) d WHERE u.id < 40",
        "SELECT id, (SELECT o.id FROM loose o WHERE o.amount = u.id AND u.seen = o.sent ORDER BY o.id DESC LIMIT 1) FROM users u WHERE id < 300",
        "SELECT id, (SELECT COUNT(*) FROM loose o JOIN users i ON i.id = o.user_id WHERE o.amount = u.id) FROM users u WHERE id < 100",
        "SELECT id, (SELECT COUNT(*) FROM users i WHERE i.email = u.id) FROM users u WHERE id < 100",
        "SELECT id, (SELECT COUNT(*) FROM loose o WHERE o.sent + 0 = u.id AND o.amount = NULLIF(u.seen, 2)) FROM users u WHERE id < 100",
    ] {
        let (_, plan) = rows_read(&session, sql);
        assert!(plan.contains(", hash"), "{sql}\n{plan}");
        let turned = turns(&session, sql);
        // A few scans of all rows, the table, and what the answers take.
        assert!(turned < 600, "{sql} gives {turned} turns\n{plan}");
        let (with, without) = with_and_without_rules(&few, sql);
        assert!(!with.is_empty() && with == without, "{sql} answers otherwise\n{plan}");
    }
}

/// A subquery that many rows ask for by keys is answered for all of them at once, where what is equal is one group.
#[test]
fn subqueries_of_many_rows_are_answered_at_once() {
    let session = common::fresh::session();
    let value = |id: u32, of: u32, text: String| if id.is_multiple_of(of) { "NULL".to_owned() } else { text };
    let part = |id: u32| {
        let (g, h, n) = (id * 37 % 61, id * 11 % 7, id * 29 % 83);
        let spelled = ["a", "A", "b", "á", "B", "c "][(id % 6) as usize];
        let columns = [
            id.to_string(),
            value(id, 9, g.to_string()),
            value(id, 11, h.to_string()),
            value(id, 13, format!("'{spelled}'")),
            value(id, 7, format!("'{spelled}'")),
            value(id, 8, format!("{}.{:02}", n, id % 2 * 50)),
            value(id, 12, format!("{}e-1", n * 5)),
            value(id, 10, format!("'2024-01-{:02}'", 1 + id % 28)),
            value(id, 17, n.to_string()),
        ];
        format!("({})", columns.join(", "))
    };
    for sql in [
        "USE mydb".to_owned(),
        "CREATE TABLE parts (id INT PRIMARY KEY, g INT, h INT, ci VARCHAR(9) COLLATE utf8mb4_0900_ai_ci,
         bin VARCHAR(9) COLLATE utf8mb4_0900_bin, d DECIMAL(8,2), f DOUBLE, day DATE, v INT, KEY (g), KEY (ci), KEY (h, g))"
            .to_owned(),
        "CREATE TABLE loose (id INT, g INT, h INT, v BIGINT)".to_owned(),
        format!("INSERT INTO parts VALUES {}", (1..200).map(part).collect::<Vec<_>>().join(",")),
        "INSERT INTO loose SELECT id, g, h, v FROM parts".to_owned(),
    ] {
        session.query(&sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    for (is_at_once, sql) in [
        // Of nothing COUNT is 0 and all else NULL; NULL equals nothing.
        (true, "SELECT id, (SELECT SUM(v) FROM parts i WHERE i.g = o.g) FROM parts o"),
        (true, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.g = o.v) FROM parts o"),
        (true, "SELECT id, (SELECT COUNT(v) + 1 FROM loose i WHERE i.g = o.v AND i.v > 3) FROM loose o"),
        (true, "SELECT id, (SELECT IFNULL(MAX(d), -1) FROM parts i WHERE i.h = o.g) FROM parts o"),
        (true, "SELECT id FROM parts o WHERE v > (SELECT AVG(v) FROM parts i WHERE i.g = o.g)"),
        (
            true,
            "SELECT id, (SELECT COUNT(*) FROM parts i WHERE o.h = i.h AND i.g = o.g - 1 AND i.id % 2 = 0) FROM parts o",
        ),
        (true, "SELECT id, (SELECT SUM(x.v) FROM parts i JOIN loose x ON x.id = i.v WHERE i.g = o.g) FROM parts o"),
        (true, "SELECT id, (SELECT COUNT(DISTINCT v) FROM parts i WHERE i.day = o.day) FROM parts o"),
        (true, "SELECT SUM(n) FROM (SELECT (SELECT COUNT(*) FROM parts i WHERE i.g = o.g) n FROM parts o) x"),
        (true, "SELECT id, (SELECT COUNT(*) FROM (SELECT g FROM loose WHERE v > 9) i WHERE i.g = o.g) FROM parts o"),
        (
            true,
            "WITH t AS (SELECT g, COUNT(*) n FROM parts GROUP BY g) SELECT id, (SELECT n FROM t WHERE t.g = o.v) FROM parts o",
        ),
        (
            true,
            "WITH t AS (SELECT g, h, SUM(d) s FROM parts GROUP BY g, h)
             SELECT a.g, a.h FROM t a WHERE a.s > (SELECT AVG(b.s) * 1.1 FROM t b WHERE b.g = a.g)",
        ),
        (
            false,
            "WITH t AS (SELECT g, h, SUM(f) s FROM parts GROUP BY g, h)
             SELECT a.g, a.h FROM t a WHERE a.s > (SELECT AVG(b.s) * 1.1 FROM t b WHERE b.g = a.g)",
        ),
        // Sums of doubles depend on the order of rows: where that of a key is the same in both plans.
        (true, "SELECT id, (SELECT SUM(f / 3) FROM parts i WHERE i.g = o.g) FROM parts o"),
        (true, "SELECT id, (SELECT AVG(f / 7) FROM parts i WHERE i.h = o.h AND i.g = o.g) FROM parts o"),
        (true, "SELECT id, (SELECT SUM(f / 3) FROM parts i WHERE i.v = o.h AND i.id % 3 > 0) FROM parts o"),
        (true, "SELECT id, (SELECT SUM(v / 7e0) FROM loose i WHERE i.g = o.v) FROM parts o"),
        (true, "SELECT id, (SELECT SUM(f / 3) FROM parts i WHERE i.h = o.h) FROM parts o"),
        (false, "SELECT id, (SELECT SUM(i.f) FROM parts i JOIN loose x ON x.id = i.v WHERE i.g = o.g) FROM parts o"),
        (
            false,
            "SELECT id, (SELECT SUM(f / 3) FROM (SELECT g, f FROM parts ORDER BY f DESC) i WHERE i.g = o.g) FROM parts o",
        ),
        // Equal texts are one group where they are compared as they are grouped, equal numbers where they have one form.
        (true, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.ci = o.ci) FROM parts o"),
        (true, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.bin = o.bin) FROM parts o"),
        (false, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.ci = o.bin) FROM parts o"),
        (false, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.bin = o.ci COLLATE utf8mb4_0900_ai_ci) FROM parts o"),
        (true, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.v = o.d) FROM parts o"),
        (false, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.d = o.v) FROM parts o"),
        (false, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.f = o.f) FROM parts o"),
        (false, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.v = o.ci) FROM parts o"),
        (false, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.ci = o.v) FROM parts o"),
        (false, "SELECT id, (SELECT COUNT(*) FROM parts i WHERE i.g <=> o.g) FROM parts o"),
        // Rows that are no groups, and whether there are any.
        (true, "SELECT id, (SELECT ci FROM parts i WHERE i.id = o.v) FROM parts o"),
        (true, "SELECT id, (SELECT i.d FROM parts i WHERE i.d = o.v AND i.id < 60 AND i.g < 3) FROM parts o"),
        (true, "SELECT id, EXISTS (SELECT 1 FROM parts i WHERE i.g = o.v AND i.h = 3) FROM parts o"),
        (true, "SELECT id, v FROM parts o WHERE NOT EXISTS (SELECT 1 FROM loose i WHERE i.g = o.v) OR o.h = 2"),
        (
            true,
            "SELECT id, EXISTS (SELECT 1 FROM parts i WHERE i.bin = o.ci COLLATE utf8mb4_0900_ai_ci AND i.v < 9) FROM parts o",
        ),
        // Subqueries that read the outer row elsewhere, or depend on the order of rows, run row by row.
        (false, "SELECT id, (SELECT SUM(i.v) + o.v FROM parts i WHERE i.g = o.g) FROM parts o"),
        (false, "SELECT id, (SELECT SUM(i.v * o.v) FROM parts i WHERE i.g = o.g) FROM parts o"),
        (false, "SELECT id, (SELECT SUM(i.v) FROM parts i WHERE i.g = o.g AND i.h < o.h) FROM parts o"),
        (false, "SELECT id, (SELECT v FROM parts i WHERE i.g = o.g ORDER BY v, id LIMIT 1) FROM parts o"),
        (false, "SELECT id, (SELECT GROUP_CONCAT(v) FROM parts i WHERE i.g = o.g) FROM parts o"),
    ] {
        let plan = rows(&session, &format!("EXPLAIN FORMAT=TREE {sql}")).concat().join("\n");
        assert_eq!(plan.contains("All answers at once"), is_at_once, "{sql}\n{plan}");
        let (with, without) = with_and_without_rules(&session, sql);
        assert!(!with.is_empty() && with == without, "{sql} answers otherwise\n{plan}");
    }
    // Two rows for one value are an error, whichever way they are found.
    let twice = "SELECT COUNT(n) FROM (SELECT (SELECT i.v FROM parts i WHERE i.g = o.g) n FROM parts o) x";
    for rules in [Rules::All, Rules::Needed] {
        session.state().rules.set(rules);
        let error = session.query(twice).and_then(Cursor::collect).expect_err(twice);
        assert_eq!(error.errno, 1242);
    }
    session.state().rules.set(Rules::All);
    // A few rows of many are looked up; for many all are read once.
    let session = shop();
    for (most, sql) in [
        (170, "SELECT u.id, (SELECT SUM(amount) FROM orders o WHERE o.user_id = u.id) FROM users u LIMIT 10"),
        (25_000, "SELECT u.id, (SELECT SUM(amount) FROM orders o WHERE o.user_id = u.id) FROM users u"),
        (
            25_000,
            "SELECT u.id, (SELECT SUM(amount) FROM orders o WHERE o.user_id = u.id AND status = 'void') FROM users u",
        ),
        (25_000, "SELECT u.id FROM users u WHERE u.seen > (SELECT COUNT(*) - 9 FROM orders o WHERE o.user_id = u.id)"),
    ] {
        let (read, plan) = rows_read(&session, sql);
        assert!(read <= most, "{sql} reads {read} rows, not {most}\n{plan}");
    }
}
