//! Operators over columns, which count in loops, answer as the same operators over one pair of values.

use crate::common::fresh::{affected, rows, session};

const OPERATORS: [&str; 11] = ["+", "-", "*", "/", "DIV", "%", "&", "|", "^", "<<", ">>"];

/// The least number by -1 is out of range.
const IN_RANGE: &str = "COALESCE(r <> -1 OR l > -9223372036854775808, TRUE)";

fn check(ty: &str, numbers: &[&str]) {
    let session = session();
    affected(&session, "USE mydb");
    affected(&session, &format!("CREATE TABLE pairs (id INT PRIMARY KEY, l {ty}, r {ty})"));
    let pairs: Vec<(&str, &str)> = numbers.iter().flat_map(|l| numbers.iter().map(move |r| (*l, *r))).collect();
    let values: Vec<String> = pairs.iter().enumerate().map(|(id, (l, r))| format!("({id}, {l}, {r})")).collect();
    affected(&session, &format!("INSERT INTO pairs VALUES {}", values.join(", ")));
    for operator in OPERATORS {
        // All pairs, those that divide, and one side that is the same for all.
        for (left, right, condition) in
            [("l", "r", "id >= 0"), ("l", "r", "r <> 0"), ("l", "-3", "id >= 0"), ("7", "r", "r <> 0")]
        {
            let sql = |from: &str| format!("SELECT {left} {operator} {right} FROM {from}");
            let columns = rows(&session, &format!("{} WHERE {condition} AND {IN_RANGE} ORDER BY id", sql("pairs")));
            let ids = rows(&session, &format!("SELECT id FROM pairs WHERE {condition} AND {IN_RANGE} ORDER BY id"));
            let alone: Vec<Vec<String>> =
                ids.iter().flat_map(|id| rows(&session, &sql(&format!("pairs WHERE id = {}", id[0])))).collect();
            assert_eq!(columns, alone, "{ty}: {}", sql("pairs"));
        }
    }
}

#[test]
fn columns_count_as_values_do() {
    check("BIGINT", &["-9223372036854775808", "9223372036854775807", "-1", "0", "1", "3", "-7", "64", "NULL"]);
    check("TINYINT UNSIGNED", &["0", "1", "255", "63", "NULL"]);
    check("DECIMAL(20,4)", &["-1.5", "0", "1", "123456789.0625", "-7", "NULL"]);
    check("DOUBLE", &["-1.5", "0", "1e300", "3", "NULL"]);
}
