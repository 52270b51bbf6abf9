//! User-space tables before their first write: empty, with the columns that they will have.

use std::rc::Rc;

use value::{Collation, SetType, SqlType, Value};

use super::relation::at::At;
use super::relation::computed::{Computed, TEXT, column, key, required, text};
use crate::catalog::Column;

const NAME: SqlType = SqlType::varchar(1023);

fn folded(length: u32) -> SqlType {
    SqlType::VarChar { length, collation: Collation::UTF8MB4_0900_AI_CI }
}

/// The columns of a table that was not made yet.
fn columns(name: &str) -> Option<Vec<Column>> {
    Some(match name {
        "dolt_schemas" => vec![
            key("type", folded(64)),
            key("name", folded(64)),
            column("fragment", SqlType::LONGTEXT),
            column("extra", SqlType::Json),
            column("sql_mode", folded(256)),
        ],
        "dolt_procedures" => vec![
            key("name", NAME),
            column("create_stmt", SqlType::varchar(8191)),
            column("created_at", SqlType::DateTime { decimals: 6 }),
            column("modified_at", SqlType::DateTime { decimals: 6 }),
            column("sql_mode", NAME),
        ],
        "dolt_docs" => vec![key("doc_name", NAME), required(column("doc_text", SqlType::LONGTEXT))],
        "dolt_ignore" => vec![key("pattern", TEXT), required(column("ignored", SqlType::BOOLEAN))],
        "dolt_query_catalog" => vec![
            key("id", SqlType::LONGTEXT),
            required(column("display_order", SqlType::INT)),
            required(text("name")),
            required(text("query")),
            required(text("description")),
        ],
        "dolt_tests" => vec![
            key("test_name", TEXT),
            text("test_group"),
            required(text("test_query")),
            required(text("assertion_type")),
            required(text("assertion_comparator")),
            text("assertion_value"),
        ],
        "dolt_nonlocal_tables" => {
            let long = SqlType::varchar(65535);
            let rest = ["target_ref", "ref_table", "options"].map(|name| column(name, long.clone()));
            std::iter::once(key("table_name", long.clone())).chain(rest).collect()
        }
        _ => return None,
    })
}

/// Whether people write this system table like any other one.
pub fn is_written_by_users(name: &str) -> bool {
    let known = ["dolt_docs", "dolt_ignore", "dolt_query_catalog", "dolt_tests", "dolt_nonlocal_tables"];
    known.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// An empty table of that name, if it is one of these.
pub fn empty(at: &At, name: &str) -> Option<Computed> {
    Some(Computed::of_rows(at.database(), name, columns(name)?, Vec::new()))
}

fn control_columns() -> Vec<Column> {
    vec![
        key("database", folded(16383)),
        key("branch", folded(16383)),
        key("user", SqlType::varchar(16383)),
        key("host", folded(16383)),
    ]
}

/// Everybody may write everywhere: there is one user.
pub fn branch_control(at: At) -> Computed {
    let members = ["admin", "write", "merge", "read"].map(str::to_owned).into();
    let kind = Rc::new(SetType { members, collation: Collation::UTF8MB4_0900_AI_CI });
    let mut columns = control_columns();
    columns.push(required(column("permissions", SqlType::Set(kind.clone()))));
    let mut row = vec![Value::text("%"); 4];
    row.push(Value::Set(value::SetValue { bits: 0b10, kind }));
    Computed::of_rows(at.database(), "dolt_branch_control", columns, vec![row])
}

pub fn branch_namespace_control(at: At) -> Computed {
    Computed::of_rows(at.database(), "dolt_branch_namespace_control", control_columns(), Vec::new())
}
