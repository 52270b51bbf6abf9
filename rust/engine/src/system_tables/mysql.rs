//! The database `mysql`: one user who may do everything.

use value::{Collation, SqlType, Value};

use super::computed::{Computed, column, key, required};
use crate::catalog::Column;

pub const NAME: &str = "mysql";

/// Names of its tables.
pub const TABLES: [&str; 5] = ["db", "procs_priv", "role_edges", "tables_priv", "user"];

fn name(length: u32) -> SqlType {
    let collation = Collation::from_name("utf8mb3_bin").unwrap_or(Collation::UTF8MB4_0900_BIN);
    SqlType::Char { length, collation }
}

fn keys(names: &[&str]) -> Vec<Column> {
    names.iter().map(|column| key(column, name(255))).collect()
}

/// A table of `mysql`; `None` for an unknown name.
pub fn find(table: &str) -> Option<Computed> {
    let table = table.to_lowercase();
    let mut rows = Vec::new();
    let columns = match &*table {
        "user" => {
            let mut columns = keys(&["Host", "User"]);
            columns.push(required(column("plugin", name(64))));
            columns.push(required(column("account_locked", name(1))));
            rows.push(["localhost", "root", "mysql_native_password", "N"].map(Value::text).into());
            columns
        }
        "db" => keys(&["Host", "Db", "User"]),
        "tables_priv" => keys(&["Host", "Db", "User", "Table_name"]),
        "procs_priv" => keys(&["Host", "Db", "User", "Routine_name"]),
        "role_edges" => keys(&["FROM_HOST", "FROM_USER", "TO_HOST", "TO_USER"]),
        _ => return None,
    };
    Some(Computed::of_rows(NAME, &table, columns, rows))
}
