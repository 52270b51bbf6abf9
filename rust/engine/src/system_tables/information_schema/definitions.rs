//! The columns of the tables of `information_schema`.

use std::rc::Rc;

use value::{Collation, SqlType};

use crate::catalog::Column;
use crate::error::{Result, SqlError};
use crate::system_tables::relation::computed::{column, required};

const DEFINITIONS: &str = include_str!("columns.txt");

/// The SET of SQL modes, which three tables have.
const SQL_MODES: &str = "set('ALLOW_INVALID_DATES','ANSI','ANSI_QUOTES','ERROR_FOR_DIVISION_BY_ZERO','HIGH_NOT_PRECEDENCE',\
    'IGNORE_SPACE','NOT_USED','NOT_USED_10','NOT_USED_11','NOT_USED_12','NOT_USED_13','NOT_USED_14','NOT_USED_15',\
    'NOT_USED_16','NOT_USED_17','NOT_USED_18','NOT_USED_29','NOT_USED_9','NO_AUTO_VALUE_ON_ZERO','NO_BACKSLASH_ESCAPES',\
    'NO_DIR_IN_CREATE','NO_ENGINE_SUBSTITUTION','NO_UNSIGNED_SUBTRACTION','NO_ZERO_DATE','NO_ZERO_IN_DATE',\
    'ONLY_FULL_GROUP_BY','PAD_CHAR_TO_FULL_LENGTH','PIPES_AS_CONCAT','REAL_AS_FLOAT','STRICT_ALL_TABLES',\
    'STRICT_TRANS_TABLES','TIME_TRUNCATE_FRACTIONAL','TRADITIONAL') CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci";

/// Names of all tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    DEFINITIONS.lines().filter(|line| !line.starts_with([' ', '#']))
}

/// The columns of a table by its name in lower case; `None` for an unknown name.
pub fn columns(table: &str) -> Result<Option<Vec<Column>>> {
    let mut lines = DEFINITIONS.lines().skip_while(|line| *line != table);
    if lines.next().is_none() {
        return Ok(None);
    }
    let own = lines.take_while(|line| line.starts_with(' '));
    own.map(definition).collect::<Result<Vec<_>>>().map(Some)
}

fn definition(line: &str) -> Result<Column> {
    let wrong = || SqlError::internal(format!("a definition in information_schema: {line}"));
    let (line, default) = match line.split_once(" = ") {
        Some((line, default)) => (line, Some(default)),
        None => (line, None),
    };
    let (name, ty) = line.trim().split_once(' ').ok_or_else(wrong)?;
    let (ty, nullable) = match ty.strip_suffix(" ?") {
        Some(ty) => (ty, true),
        None => (ty, false),
    };
    let folded = Collation::from_name("utf8mb3_general_ci").map_err(|_| wrong())?;
    let short = |prefix: char| ty.strip_prefix(prefix).and_then(|length| length.parse::<u32>().ok());
    let sql = match (short('v'), short('c')) {
        (Some(length), _) => SqlType::VarChar { length, collation: folded },
        (_, Some(length)) => SqlType::Char { length, collation: folded },
        _ if ty == "sql_mode" => SQL_MODES.parse().map_err(|_| wrong())?,
        _ => ty.parse().map_err(|_| wrong())?,
    };
    let shows = default.map(|default| {
        let stored = vcs::Column::new(name, sql.clone(), 0);
        Rc::new(vcs::Column { default: Some(default.into()), ..stored })
    });
    let column = Column { shows, ..column(name, sql) };
    Ok(if nullable { column } else { required(column) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_definition_can_be_read() {
        let tables: Vec<&str> = names().collect();
        assert_eq!(tables.len(), 79);
        let columns: usize = tables.iter().map(|table| columns(table).unwrap().unwrap().len()).sum();
        assert_eq!(columns, 732);
        assert!(super::columns("nope").unwrap().is_none());
    }
}
