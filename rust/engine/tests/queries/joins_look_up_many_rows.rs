//! Joins that look their partners up give what plans that look at all pairs do, in the order of the left side: few partners and many,
//! in tables and behind indexes, where conditions and other joins leave some of them out.

use engine::Session;
use engine::state::Rules;

use crate::common::fresh;

/// `heads`, some of which have NULL for a key, and `lines`, of which head 7 has more than fit in a batch.
fn session() -> Session {
    let session = fresh::session();
    let head = |id: u32| {
        let text = if id.is_multiple_of(6) { "NULL".to_owned() } else { format!("'k{}'", id * 3 % 50) };
        let line = if id.is_multiple_of(5) { "NULL".to_owned() } else { (id * 41 % 4200).to_string() };
        format!("({id}, {line}, {text}, {}, {}.5)", id % 9, id % 30)
    };
    let line = |id: u32| {
        let head = if id < 1500 { 7 } else { id * 7 % 900 };
        format!("({id}, {head}, 'K{}', {}, {}.50, 'note of line {id}')", id % 60, id * 13 % 70, id % 40)
    };
    let list = |rows: &mut dyn Iterator<Item = String>| rows.collect::<Vec<_>>().join(",");
    for sql in [
        "USE mydb".to_owned(),
        "CREATE TABLE heads (id INT PRIMARY KEY, line BIGINT, text VARCHAR(9) COLLATE utf8mb4_0900_ai_ci, kind INT, price DECIMAL(6,1))"
            .to_owned(),
        "CREATE TABLE `lines` (id INT PRIMARY KEY, head INT NOT NULL, text VARCHAR(9) COLLATE utf8mb4_0900_ai_ci, n INT, price DECIMAL(8,2),
         note VARCHAR(30), KEY (head, n), KEY (text), KEY (price))"
            .to_owned(),
        "CREATE TABLE kinds (n INT, name VARCHAR(9))".to_owned(),
        format!("INSERT INTO heads VALUES {}", list(&mut (0..300).map(head))),
        format!("INSERT INTO `lines` VALUES {}", list(&mut (0..4200).map(line))),
        "INSERT INTO kinds VALUES (3, 'three'), (9, 'nine'), (NULL, 'none'), (33, 'many')".to_owned(),
    ] {
        fresh::rows(&session, &sql);
    }
    session
}

#[test]
fn joins_look_up_many_rows() {
    let session = session();
    let mut wrong = Vec::new();
    for sql in [
        "SELECT h.id, l.id, l.n FROM heads h JOIN `lines` l ON l.head = h.id WHERE h.kind = 7 AND l.n > 35",
        "SELECT h.id, l.n, l.head FROM heads h JOIN `lines` l ON l.head = h.id WHERE h.kind = 7",
        "SELECT h.id, l.id, l.note FROM heads h JOIN `lines` l ON l.head = h.id AND l.n = h.kind WHERE h.kind = 7",
        "SELECT h.id, l.note FROM heads h JOIN `lines` l ON l.id = h.line WHERE h.kind = 7",
        "SELECT h.id, l.note FROM heads h JOIN `lines` l ON l.id = h.line AND l.price > h.price WHERE h.kind = 7",
        "SELECT h.text, l.text, l.id FROM heads h JOIN `lines` l ON l.text = h.text WHERE h.id IN (7, 8)",
        "SELECT h.id, l.id, l.note FROM heads h JOIN `lines` l ON l.price = h.price WHERE h.id IN (7, 8) AND l.note LIKE '%7%'",
        "SELECT h.id, a.id, b.id FROM heads h JOIN `lines` a ON a.head = h.id JOIN heads b ON b.id = a.n WHERE h.kind = 7",
        "SELECT h.id, l.id, k.name FROM heads h JOIN `lines` l ON l.head = h.id JOIN kinds k ON k.n = l.n WHERE h.kind = 7",
        "SELECT COUNT(*), SUM(l.id), MAX(l.note) FROM heads h JOIN `lines` l ON l.head = h.id JOIN kinds k ON k.n = l.n WHERE h.kind = 7 AND k.n > 3",
        "SELECT h.id, (SELECT COUNT(*) FROM heads i JOIN `lines` l ON l.head = i.id WHERE i.kind = 7 AND l.n > h.kind) FROM heads h WHERE h.id < 4",
        "SELECT h.id, l.id FROM heads h JOIN `lines` l ON l.head = h.id WHERE h.kind = 7 ORDER BY h.id DESC, l.id LIMIT 30 OFFSET 5",
    ] {
        let plan = fresh::rows(&session, &format!("EXPLAIN ANALYZE {sql}")).concat().join("\n");
        let by = |rules| {
            session.state().rules.set(rules);
            fresh::rows(&session, sql)
        };
        let (without, with) = (by(Rules::Needed), by(Rules::All));
        let sorted = |rows: &Vec<Vec<String>>| {
            let mut rows = rows.clone();
            rows.sort();
            rows
        };
        let is_same = if sql.contains("ORDER BY") { with == without } else { sorted(&with) == sorted(&without) };
        if with.is_empty() || !is_same || !plan.contains("lookup for each row") {
            wrong.push(format!("{sql}: {} rows, not {}\n{plan}", with.len(), without.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The first rows of a join are there before many are looked up.
#[test]
fn first_partners_come_first() {
    let session = session();
    let lookups = |sql: &str| -> u64 {
        let lines = fresh::rows(&session, &format!("EXPLAIN ANALYZE {sql}")).concat();
        let started = lines.iter().find_map(|line| line.split_once("started ")).expect("a lookup");
        started.1.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let sql = "SELECT h.id, l.note FROM heads h JOIN `lines` l ON l.id = h.line WHERE h.id < 150";
    assert_eq!(lookups(sql), 150);
    assert!(lookups(&format!("{sql} LIMIT 10")) < 25);
}
