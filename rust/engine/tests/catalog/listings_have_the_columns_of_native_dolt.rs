//! Names and types of the columns of listings: clients look for `TABLE_NAME` and compare `Non_unique` with 0.

use engine::{Cursor, Session};

use crate::common::fresh;

fn session() -> Session {
    let session = fresh::session();
    for sql in ["use mydb", "create table t (a int primary key, b varchar(20), unique key (b))"] {
        session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    session
}

fn columns(session: &Session, sql: &str) -> Vec<String> {
    let (columns, ..) = session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    columns.iter().map(|column| format!("{} {}", column.name, column.ty)).collect()
}

#[test]
fn columns_of_information_schema_have_their_own_names() {
    let session = session();
    let names = |sql: &str| -> Vec<String> {
        columns(&session, sql).iter().map(|column| column.split(' ').next().unwrap_or_default().to_owned()).collect()
    };
    let sql = "select table_name, t.Table_Type, table_name as n, upper(table_name) from information_schema.tables t";
    assert_eq!(names(sql), ["TABLE_NAME", "TABLE_TYPE", "n", "upper(table_name)"]);
    assert_eq!(
        names("select table_schema, count(*) from information_schema.columns group by table_schema"),
        ["TABLE_SCHEMA", "count(*)"]
    );
    let merged = "select table_name, column_name from information_schema.table_constraints t
        left join information_schema.key_column_usage using (constraint_name, table_schema, table_name)";
    assert_eq!(names(merged), ["TABLE_NAME", "COLUMN_NAME"], "also where USING makes one of two");
    let variables = "select @@AutoCommit, @@SESSION.Sql_Mode, @Mine, @`Mine`, @'mine', (@@AutoCommit)";
    let named = ["@@autocommit", "@@SESSION.sql_mode", "@Mine", "@Mine", "@mine", "(@@AutoCommit)"];
    assert_eq!(names(variables), named, "variables of the system are in lower case, those of sessions without quotes");
    assert_eq!(names("select A, t.B from t"), ["A", "B"], "elsewhere they are called as they were written");
}

#[test]
fn numbers_in_listings_are_numbers() {
    let session = session();
    let indexes = columns(&session, "show index from t");
    for column in ["Non_unique int", "Seq_in_index int", "Cardinality bigint", "Sub_part bigint"] {
        assert!(indexes.iter().any(|known| known == column), "{column} in {indexes:?}");
    }
    let (_, rows, _) =
        session.query("show index from t where Non_unique = 0").and_then(Cursor::collect).expect("indexes");
    assert_eq!(rows.len(), 2);
    assert_eq!(columns(&session, "show warnings")[1], "Code int");
    let status = columns(&session, "show table status");
    assert!(status.contains(&"Rows bigint unsigned".to_owned()), "{status:?}");
    assert!(status.contains(&"Create_time datetime(0)".to_owned()), "{status:?}");
    assert_eq!(columns(&session, "show collation")[2], "ID bigint unsigned");
    assert_eq!(
        columns(&session, "select crc32('a'), connection_id() a, inet_aton('1.2.3.4') b"),
        ["crc32('a') int unsigned", "a int unsigned", "b int unsigned"]
    );
    assert_eq!(columns(&session, "select @@autocommit")[0], "@@autocommit tinyint(1)");
}
