//! DISTINCT in window functions: each frame counts a value once. Native Dolt takes all values there, so the answers come from
//! subqueries.

use crate::common::fresh::{affected, rows, session};

#[test]
fn windows_count_distinct_values() {
    let session = session();
    affected(&session, "CREATE TABLE w (id INT PRIMARY KEY, a INT, b INT)");
    let values = (0..60).map(|id| match id * id % 7 {
        0 => format!("({id}, {}, NULL)", id % 4),
        b => format!("({id}, {}, {b})", id % 4),
    });
    affected(&session, &format!("INSERT INTO w VALUES {}", values.collect::<Vec<_>>().join(", ")));
    for aggregate in ["COUNT", "SUM", "AVG", "MIN", "MAX"] {
        for (over, frame) in [
            ("", "1 = 1"),
            ("PARTITION BY a", "i.a = w.a"),
            ("ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", "i.id <= w.id"),
            (
                "PARTITION BY a ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
                "i.a = w.a AND i.id >= w.id",
            ),
            ("ORDER BY id ROWS BETWEEN 5 PRECEDING AND 1 FOLLOWING", "i.id BETWEEN w.id - 5 AND w.id + 1"),
        ] {
            let call = format!("{aggregate}(DISTINCT b)");
            let windows = rows(&session, &format!("SELECT id, {call} OVER ({over}) + 0e0 FROM w ORDER BY id"));
            let subquery = format!("(SELECT {call} FROM w i WHERE {frame})");
            let told = rows(&session, &format!("SELECT id, {subquery} + 0e0 FROM w ORDER BY id"));
            assert_eq!(windows, told, "{call} OVER ({over})");
        }
    }
    let windows = rows(&session, "SELECT COUNT(DISTINCT a, b) OVER () FROM w LIMIT 1");
    assert_eq!(windows, rows(&session, "SELECT COUNT(DISTINCT a, b) FROM w"));
}
