//! A text that is read in several calls becomes the statement that one call reads, whatever its lists are nested in.

use std::cell::Cell;
use std::fmt::Write;

use parse::{Options, Parsed, Reading, statement, statement_in_turns};

const TEXT_BYTES: usize = 200_000;

/// The statement of a text, and in how many calls it was read, each of which is over as soon as it asks.
fn in_turns(sql: &str, options: &Options) -> (Parsed, u32) {
    let mut reading = Reading::default();
    for calls in 1.. {
        if let Some(parsed) = statement_in_turns(sql, options, &|| true, &|| true, &mut reading) {
            return (parsed, calls);
        }
    }
    unreachable!("every call reads some of the text")
}

/// Items up to [`TEXT_BYTES`].
fn list(between: &str, item: impl Fn(usize) -> String) -> String {
    let mut list = item(0);
    for number in 1.. {
        if list.len() > TEXT_BYTES {
            break;
        }
        write!(list, "{between}{}", item(number)).expect("a string");
    }
    list
}

#[test]
fn long_lists_are_read_in_several_calls() {
    let texts = [
        format!("SELECT 1 FROM t WHERE {}", list(" OR ", |n| format!("a = {n} AND b < ?"))),
        format!("SELECT 1 FROM t WHERE ({})", list(" AND ", |n| format!("(a <> {n} OR c LIKE '%{n}')"))),
        format!("SELECT 1 FROM t WHERE a IN ({})", list(", ", |n| format!("({n} + ?)"))),
        format!("SELECT 1 FROM t WHERE (a, b) IN ({}) AND d = ?", list(", ", |n| format!("({n}, {n})"))),
        format!("SELECT CASE a {} ELSE ? END FROM t", list(" ", |n| format!("WHEN {n} THEN ?"))),
        format!("SELECT CONCAT({}), ? FROM t", list(", ", |n| format!("f({n}, a)"))),
        format!("SELECT {} FROM t", list(", ", |n| format!("a + {n} AS c{n}"))),
        format!("SELECT * FROM (VALUES {}) x", list(", ", |n| format!("ROW({n}, 'a')"))),
        format!(
            "INSERT INTO t (a, b) VALUES {} ON DUPLICATE KEY UPDATE a = ?",
            list(", ", |n| format!("({n} + 1, ?)"))
        ),
        format!("INSERT INTO t VALUES (1, ({})), (2, 3)", list(" OR ", |n| format!("{n} = ?"))),
        format!("SET {}", list(", ", |n| format!("@a{n} = {n}"))),
        format!("SELECT /*!50001 1, {}, */ 2", list(", ", |n| format!("{n} /* OR */"))),
        format!("SELECT a, {} FROM t", list(", ", |n| format!("a || {n} RLIKE 'x' XOR NOT b"))),
        format!(
            "WITH c AS (SELECT 1) DELETE FROM t WHERE EXISTS (SELECT 1 FROM c WHERE {})",
            list(" OR ", |n| format!("x = {n}"))
        ),
    ];
    for sql in texts {
        let options = Options { beyond_dolt: true, ..Options::default() };
        let (parsed, calls) = in_turns(&sql, &options);
        assert!(calls > 3, "{calls} calls: {}", &sql[..60]);
        assert!(parsed.statement.is_some(), "{:?}", parsed.errors);
        assert_eq!(parsed, statement(&sql, &options), "{}", &sql[..60]);
    }
}

#[test]
fn what_is_wrong_behind_a_long_list_is_reported_as_in_one_call() {
    let options = Options::default();
    for wrong in ["OR FROM", "'", ") AND", "; SELECT 2", "= = 1", "OR a RLIKE 'x' XOR b"] {
        let sql = format!("SELECT 1 FROM t WHERE {} {wrong}", list(" OR ", |n| format!("a = {n} AND b = ?")));
        assert_eq!(in_turns(&sql, &options).0, statement(&sql, &options), "{wrong}");
    }
}

/// Lists that were read to their end are read again in each call: where these are long, no other call is asked for.
#[test]
fn no_text_is_read_again_many_times() {
    let list = list(" OR ", |n| format!("a = {n}"));
    let arms = vec![format!("SELECT 1 FROM t WHERE ({list}) AND ({list})"); 5].join(" UNION ALL ");
    let asked = Cell::new(0);
    let mut reading = Reading::default();
    let goes_on = || {
        asked.set(asked.get() + 1);
        true
    };
    let mut read = || statement_in_turns(&arms, &Options::default(), &goes_on, &|| true, &mut reading);
    let parsed = std::iter::repeat_with(&mut read).flatten().next();
    assert_eq!(parsed, Some(statement(&arms, &Options::default())));
    assert!(asked.get() < 2 * arms.len() / (64 << 10), "{} times 64 KiB of {} KB", asked.get(), arms.len() / 1000);
}

#[test]
fn a_call_that_is_not_over_reads_all() {
    let sql = format!("SELECT {}", list(", ", |n| n.to_string()));
    let read = statement_in_turns(&sql, &Options::default(), &|| true, &|| false, &mut Reading::default());
    assert_eq!(read, Some(statement(&sql, &Options::default())));
}
