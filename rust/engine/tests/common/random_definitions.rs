//! Definitions from a seed: tables with keys and rows, and what becomes of them.

use super::generate::Random;

/// Types with a default that each may have.
const TYPES: &[(&str, &str)] = &[
    ("int", "7"),
    ("int unsigned", "8"),
    ("bigint", "-9"),
    ("smallint", "10"),
    ("tinyint(1)", "1"),
    ("varchar(20)", "'d'"),
    ("char(5)", "'e'"),
    ("varchar(10) collate utf8mb4_general_ci", "'F'"),
    ("decimal(10,2)", "1.5"),
    ("double", "2.5"),
    ("float", "0.5"),
    ("date", "'2020-02-03'"),
    ("datetime(3)", "'2020-02-03 04:05:06'"),
    ("timestamp", "current_timestamp"),
    ("year", "2021"),
    ("bit(6)", "b'101'"),
    ("varbinary(8)", "'ab'"),
    ("enum('x','y','z')", "'y'"),
    ("set('a','b')", "'a'"),
    ("text", ""),
    ("json", ""),
    (VECTOR, ""),
];

/// A vector index wants it so.
const VECTOR: &str = "vector(2) not null";

/// A value that every type takes is NULL; numbers go where numbers are.
fn value(random: &mut Random, ty: &str) -> String {
    let number = random.below(90) + 1;
    match ty.split(['(', ' ']).next().unwrap_or_default() {
        "int" | "bigint" | "smallint" | "decimal" | "double" | "float" => number.to_string(),
        "tinyint" => (number % 2).to_string(),
        "date" => format!("'2021-01-{:02}'", number % 28 + 1),
        "datetime" | "timestamp" => format!("'2021-01-{:02} 10:00:00'", number % 28 + 1),
        "year" => (1980 + number).to_string(),
        "bit" => (number % 60).to_string(),
        "enum" => "'z'".into(),
        "set" => "'a,b'".into(),
        "vector" => format!("string_to_vector('[{number},{}.5]')", number % 7),
        "json" => format!("'{{\"k\": {number}}}'"),
        _ => format!("'{number}'"),
    }
}

struct Column {
    name: String,
    ty: &'static str,
    /// Part of the primary key, which native Dolt does not drop.
    is_key: bool,
}

struct Table {
    name: String,
    columns: Vec<Column>,
    indexes: Vec<String>,
    rows: usize,
    has_key: bool,
}

/// A script of definitions and rows.
pub fn script(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut statements = Vec::new();
    let mut tables: Vec<Table> = Vec::new();
    let mut names = 0;
    for _ in 0..random.below(2) + 1 {
        let (sql, table) = create(random, &mut names);
        statements.push(sql);
        tables.push(table);
    }
    for _ in 0..14 {
        let at = random.below(tables.len());
        let sql = if random.chance(35) {
            insert(random, &mut tables[at])
        } else {
            actions(random, &mut tables[at], &mut names)
        };
        statements.push(sql);
    }
    statements.join(";\n")
}

fn column(random: &mut Random, names: &mut usize) -> (String, Column) {
    let (ty, default) = TYPES[random.below(TYPES.len())];
    *names += 1;
    let name = format!("{}{names}", random.pick(&["a", "Bc", "col_", "x y"]));
    let mut sql = format!("`{name}` {ty}");
    let has_default = !default.is_empty() && random.chance(30) && ty != "timestamp";
    if random.chance(25) && ty != VECTOR {
        sql.push_str(" not null");
    }
    if has_default {
        sql.push_str(&format!(" default {default}"));
    }
    if random.chance(10) {
        sql.push_str(" comment 'it''s'");
    }
    (sql, Column { name, ty, is_key: false })
}

fn is_indexable(column: &Column) -> bool {
    !["text", "json", VECTOR].contains(&column.ty)
}

fn create(random: &mut Random, names: &mut usize) -> (String, Table) {
    *names += 1;
    let mut table = Table {
        name: format!("T{names}"),
        columns: Vec::new(),
        indexes: Vec::new(),
        rows: 0,
        has_key: random.chance(80),
    };
    let mut parts = Vec::new();
    if table.has_key {
        parts.push("id int not null".to_owned());
        table.columns.push(Column { name: "id".into(), ty: "int", is_key: true });
    }
    for _ in 0..random.below(5) + 1 {
        let (sql, column) = column(random, names);
        parts.push(sql);
        table.columns.push(column);
    }
    if table.has_key {
        let second = table.columns.iter_mut().skip(1).find(|column| is_indexable(column));
        match second.filter(|_| random.chance(20)) {
            Some(column) => {
                column.is_key = true;
                // In the order of the columns: in another one, native Dolt confuses its indexes when a column is renamed.
                parts.push(format!("primary key (id, `{}`)", column.name));
            }
            None => parts.push("primary key (id)".into()),
        }
    }
    for _ in 0..random.below(3) {
        if let Some((sql, name)) = index(random, &table, names) {
            parts.push(sql);
            table.indexes.push(name);
        }
    }
    if random.chance(20) && table.has_key {
        parts.push("check (id > 0)".into());
    }
    let collation = if random.chance(15) { " collate utf8mb4_general_ci" } else { "" };
    (format!("create table {} ({}){collation}", table.name, parts.join(", ")), table)
}

fn index(random: &mut Random, table: &Table, names: &mut usize) -> Option<(String, String)> {
    // Native Dolt cannot write to a table without key that has a vector index.
    let vector = table.columns.iter().find(|column| column.ty == VECTOR && table.has_key);
    if let Some(vector) = vector.filter(|_| random.chance(60)) {
        *names += 1;
        let name = format!("i{names}");
        return Some((format!("vector index {name} (`{}`)", vector.name), name));
    }
    let columns: Vec<&Column> = table.columns.iter().filter(|column| is_indexable(column)).collect();
    let first = columns.get(random.below(columns.len().max(1)))?;
    *names += 1;
    let name = format!("i{names}");
    let mut parts = match first.ty {
        "varchar(20)" if random.chance(30) => format!("`{}`(3)", first.name),
        _ => format!("`{}`", first.name),
    };
    if let Some(second) = columns.iter().find(|column| column.name != first.name).filter(|_| random.chance(40)) {
        parts.push_str(&format!(", `{}`", second.name));
    }
    let unique = if random.chance(15) { "unique " } else { "" };
    Some((format!("{unique}index {name} ({parts})"), name))
}

fn insert(random: &mut Random, table: &mut Table) -> String {
    let mut rows = Vec::new();
    for _ in 0..random.below(4) + 1 {
        table.rows += 1;
        let id = table.rows;
        let values = table.columns.iter().map(|column| match &*column.name {
            "id" => id.to_string(),
            _ => value(random, column.ty),
        });
        rows.push(format!("({})", values.collect::<Vec<_>>().join(", ")));
    }
    let names: Vec<String> = table.columns.iter().map(|column| format!("`{}`", column.name)).collect();
    format!("insert into {} ({}) values {}", table.name, names.join(", "), rows.join(", "))
}

fn position(random: &mut Random, table: &Table) -> String {
    match random.below(5) {
        // Native Dolt loses such a column, or its rows' hashes, where there is no primary key.
        _ if !table.has_key => String::new(),
        0 => " first".into(),
        1 => format!(" after `{}`", table.columns[random.below(table.columns.len())].name),
        _ => String::new(),
    }
}

/// One action or, sometimes, two in one statement.
fn actions(random: &mut Random, table: &mut Table, names: &mut usize) -> String {
    // Native Dolt forgets FIRST and the table's collation, and mixes up keys, when such actions are among several.
    let goes_together = |sql: &str| {
        !["row_format", " first", " after ", "primary key", " enum", " set("].iter().any(|word| sql.contains(word))
    };
    let first = alter(random, table, names);
    let begin = format!("alter table {} ", table.name);
    if !random.chance(25) || !first.starts_with(&begin) || !goes_together(&first) {
        return first;
    }
    let second = alter(random, table, names);
    match second.strip_prefix(&begin).filter(|_| goes_together(&second)) {
        Some(second) => format!("{first}, {second}"),
        None => format!("{first};\n{second}"),
    }
}

fn alter(random: &mut Random, table: &mut Table, names: &mut usize) -> String {
    let begin = format!("alter table {}", table.name);
    let others: Vec<usize> = (0..table.columns.len()).filter(|at| !table.columns[*at].is_key).collect();
    let some = others.get(random.below(others.len().max(1))).copied();
    match (random.below(12), some) {
        (0..=2, _) => {
            let place = position(random, table);
            // Native Dolt has no value for a vector that may not be NULL.
            let (sql, column) = core::iter::repeat_with(|| column(random, names))
                .find(|(_, column)| column.ty != VECTOR)
                .expect("another type");
            table.columns.push(column);
            format!("{begin} add column {sql}{place}")
        }
        (3, Some(at)) if others.len() > 1 => {
            let column = table.columns.remove(at);
            format!("{begin} drop column `{}`", column.name)
        }
        (4, Some(at)) => {
            *names += 1;
            let to = format!("r{names}");
            let from = std::mem::replace(&mut table.columns[at].name, to.clone());
            format!("{begin} rename column `{from}` to `{to}`")
        }
        (5 | 6, Some(at)) => {
            let place = position(random, table);
            // To text, from where everything comes, or to something longer.
            let column = &mut table.columns[at];
            column.ty = match column.ty {
                "int" | "smallint" | "tinyint(1)" => "bigint",
                "char(5)" | "varchar(20)" | "bigint" | "int unsigned" | "date" => "varchar(60)",
                "enum('x','y','z')" => "enum('x','y','z','w')",
                other => other,
            };
            let place = if place.ends_with(&format!("`{}`", column.name)) { String::new() } else { place };
            format!("{begin} modify column `{}` {}{place}", column.name, column.ty)
        }
        (7, _) => match index(random, table, names) {
            Some((sql, name)) => {
                table.indexes.push(name);
                format!("{begin} add {sql}")
            }
            None => format!("{begin} engine = innodb"),
        },
        (8, _) if !table.indexes.is_empty() => {
            let at = random.below(table.indexes.len());
            format!("{begin} drop index {}", table.indexes.remove(at))
        }
        (9, _) => {
            *names += 1;
            let from = std::mem::replace(&mut table.name, format!("Renamed{names}"));
            format!("rename table {from} to {}", table.name)
        }
        (10, Some(at)) => {
            let column = &table.columns[at];
            let default = TYPES.iter().find(|(ty, _)| *ty == column.ty).map_or("", |(_, default)| default);
            match default {
                "" | "current_timestamp" => format!("{begin} alter column `{}` drop default", column.name),
                default => format!("{begin} alter column `{}` set default {default}", column.name),
            }
        }
        (11, _) if table.has_key && table.columns.iter().all(|column| column.ty != VECTOR) => {
            table.has_key = false;
            format!("{begin} drop primary key")
        }
        _ => format!("{begin} row_format = dynamic"),
    }
}
