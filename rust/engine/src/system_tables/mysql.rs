//! The database `mysql`: one user who may do everything.

use value::{Collation, SqlType, Value};

use super::relation::computed::{Computed, column, required};
use crate::catalog::Column;
use crate::error::{Result, SqlError};

pub const NAME: &str = "mysql";

const DEFINITIONS: &str = include_str!("mysql_tables.txt");

/// Names of its tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    DEFINITIONS.lines().filter(|line| !line.starts_with([' ', '#']))
}

/// A table of `mysql`; `None` for an unknown name.
pub fn find(table: &str) -> Result<Option<Computed>> {
    let table = table.to_lowercase();
    let mut lines = DEFINITIONS.lines().skip_while(|line| *line != table);
    if lines.next().is_none() {
        return Ok(None);
    }
    let columns = lines.take_while(|line| line.starts_with(' ')).map(definition).collect::<Result<Vec<Column>>>()?;
    let rows =
        if table == "user" { vec![columns.iter().map(of_root).collect::<Result<Vec<_>>>()?] } else { Vec::new() };
    Ok(Some(Computed::of_rows(NAME, &table, columns, rows)))
}

fn definition(line: &str) -> Result<Column> {
    let wrong = || SqlError::internal(format!("a definition in mysql: {line}"));
    let (name, ty) = line.trim().split_once(' ').ok_or_else(wrong)?;
    let (ty, nullable) = ty.strip_suffix(" ?").map_or((ty, false), |ty| (ty, true));
    let bytewise = Collation::from_name("utf8mb3_bin").map_err(|_| wrong())?;
    let sql = match ty.strip_prefix('n').and_then(|length| length.parse::<u32>().ok()) {
        Some(length) => SqlType::Char { length, collation: bytewise },
        None if ty == "flag" => FLAG.parse().map_err(|_| wrong())?,
        None => ty.parse().map_err(|_| wrong())?,
    };
    let column = column(name.trim_start_matches('*'), sql);
    let column = if nullable { column } else { required(column) };
    Ok(Column { primary: name.starts_with('*'), ..column })
}

const FLAG: &str = "enum('N','Y') CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci";

/// The value of a column of `user` for the only user.
fn of_root(column: &Column) -> Result<Value<'static>> {
    let text = match &*column.name {
        "Host" => "localhost",
        "User" => "root",
        "plugin" => "mysql_native_password",
        "password_expired" | "account_locked" => "N",
        "password_last_changed" => "1970-01-01 00:00:01",
        name if name.ends_with("_priv") => "Y",
        name if name.starts_with("max_") => "0",
        _ if column.ty.nullable && &*column.name != "authentication_string" && &*column.name != "identity" => {
            return Ok(Value::Null);
        }
        _ => "",
    };
    Ok(value::assign(&Value::text(text), &column.ty.sql)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_definition_can_be_read() {
        for name in names() {
            assert!(find(name).unwrap().is_some(), "{name}");
        }
        assert_eq!(names().count(), 10);
        assert!(find("nope").unwrap().is_none());
    }
}
