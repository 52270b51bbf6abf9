//! User-space tables before their first write: empty, with the columns that they will have.

use std::rc::Rc;

use value::{Collation, SetType, SqlType, Value};

use super::relation::at::At;
use super::relation::computed::{Computed, TEXT, column, key, required, text};
use crate::catalog::Column;
use crate::system_tables::entry::{Entry, Rows, StoredTable, SystemTable};

pub const ENTRIES: &[Entry] = &[
    stored("dolt_schemas", schemas, false, false),
    stored("dolt_procedures", procedures, false, true),
    stored("dolt_docs", docs, true, true),
    stored("dolt_ignore", ignore, true, true),
    stored("dolt_query_catalog", query_catalog, true, true),
    stored("dolt_tests", tests, true, true),
    stored("dolt_nonlocal_tables", nonlocal_tables, true, false),
    Entry::table("dolt_branch_control", branch_control),
    Entry::table("dolt_branch_namespace_control", branch_namespace_control),
    Entry::Table(SystemTable {
        name: "dolt_branch_activity",
        rows: Rows::Refused(
            "branch activity tracking is not enabled; enable it in the server config with \
             'behavior.branch_activity_tracking: true'",
        ),
        is_listed: true,
    }),
];

const NAME: SqlType = SqlType::varchar(1023);

fn folded(length: u32) -> SqlType {
    SqlType::VarChar { length, collation: Collation::UTF8MB4_0900_AI_CI }
}

const fn stored(
    name: &'static str,
    columns: fn() -> Vec<Column>,
    is_written_by_users: bool,
    can_be_dropped: bool,
) -> Entry {
    let stored = StoredTable { columns, is_written_by_users, can_be_dropped };
    Entry::Table(SystemTable { name, rows: Rows::Stored(stored), is_listed: false })
}

fn schemas() -> Vec<Column> {
    vec![
        key("type", folded(64)),
        key("name", folded(64)),
        column("fragment", SqlType::LONGTEXT),
        column("extra", SqlType::Json),
        column("sql_mode", folded(256)),
    ]
}

fn procedures() -> Vec<Column> {
    vec![
        key("name", NAME),
        column("create_stmt", SqlType::varchar(8191)),
        column("created_at", SqlType::DateTime { decimals: 6 }),
        column("modified_at", SqlType::DateTime { decimals: 6 }),
        column("sql_mode", NAME),
    ]
}

fn docs() -> Vec<Column> {
    vec![key("doc_name", NAME), required(column("doc_text", SqlType::LONGTEXT))]
}

fn ignore() -> Vec<Column> {
    vec![key("pattern", TEXT), required(column("ignored", SqlType::BOOLEAN))]
}

fn query_catalog() -> Vec<Column> {
    vec![
        key("id", SqlType::LONGTEXT),
        required(column("display_order", SqlType::INT)),
        required(text("name")),
        required(text("query")),
        required(text("description")),
    ]
}

fn tests() -> Vec<Column> {
    vec![
        key("test_name", TEXT),
        text("test_group"),
        required(text("test_query")),
        required(text("assertion_type")),
        required(text("assertion_comparator")),
        text("assertion_value"),
    ]
}

fn nonlocal_tables() -> Vec<Column> {
    let long = SqlType::varchar(65535);
    let rest = ["target_ref", "ref_table", "options"].map(|name| column(name, long.clone()));
    std::iter::once(key("table_name", long.clone())).chain(rest).collect()
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
fn branch_control(at: At) -> Computed {
    let members = ["admin", "write", "merge", "read"].map(str::to_owned).into();
    let kind = Rc::new(SetType { members, collation: Collation::UTF8MB4_0900_AI_CI });
    let mut columns = control_columns();
    columns.push(required(column("permissions", SqlType::Set(kind.clone()))));
    let mut row = vec![Value::text("%"); 4];
    row.push(Value::Set(value::SetValue { bits: 0b10, kind }));
    Computed::of_rows(at.database(), "dolt_branch_control", columns, vec![row])
}

fn branch_namespace_control(at: At) -> Computed {
    Computed::of_rows(at.database(), "dolt_branch_namespace_control", control_columns(), Vec::new())
}
