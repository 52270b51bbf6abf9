//! `dolt_patch`: SQL that turns one state into another (docs/format/database.md, section 11.3).

use std::rc::Rc;

use codec::hex;
use parse::quote_name;
use value::{SqlType, Value};
use vcs::{ChangeKind, Comparable, ForeignKey, Index, RootValue, RowDiff, Schema, Table, TableDelta, cardinality};

use super::revision_range::Range;
use super::summary::database_row_name;
use crate::catalog::Place;
use crate::catalog::create_table::{column_definition, definition, foreign_key, index_columns};
use crate::error::Result;
use crate::expr::Context;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::computed::{Computed, column, required, text};
use crate::system_tables::relation::row_reader::{RowReader, shown};

pub const ENTRIES: &[Entry] = &[Entry::function("dolt_patch", |call| function(&call.place()?, call.arguments))];

pub fn function(place: &Place, arguments: &[Value<'_>]) -> Result<Computed> {
    let range = Range::parse(place, "dolt_patch", arguments)?;
    range.check_table()?;
    let mut columns = vec![required(column("statement_order", SqlType::BIGINT_UNSIGNED))];
    let rest = ["from_commit_hash", "to_commit_hash", "table_name", "diff_type", "statement"];
    columns.extend(rest.map(|name| required(text(name))));
    let database = place.attached.name.clone();
    Ok(Computed::new(place.name.clone(), "dolt_patch", columns, move |context, _, _| {
        let mut schema: Vec<(String, Vec<String>)> = Vec::new();
        let deltas = match &range.table {
            Some(table) => range.delta_of(table)?.into_iter().collect(),
            None => {
                let deltas = range.deltas_by_new_name()?;
                if deltas.collation_changed {
                    let to = range.to.root.collation().name();
                    let alter = format!("ALTER DATABASE {} COLLATE='{to}';", quote_name(&database));
                    schema.push((database_row_name(&database), vec![alter]));
                }
                deltas.tables
            }
        };
        let database_rows = schema.into_iter().flat_map(|(name, statements)| {
            statements.into_iter().map(move |statement| Ok((name.clone(), "schema", statement)))
        });
        let (range, context) = (range.clone(), context.clone());
        let (from, to) = (range.from.hash(), range.to.hash());
        let of_tables = deltas.into_iter().flat_map(move |delta| table_patch(&range, &delta, &context));
        Ok(Box::new(database_rows.chain(of_tables).enumerate().map(move |(at, statement)| {
            let (table, kind, statement) = statement?;
            Ok(vec![
                Value::UInt(at as u64 + 1),
                Value::text(from.clone()),
                Value::text(to.clone()),
                Value::text(table),
                Value::text(kind),
                Value::text(statement),
            ])
        })))
    }))
}

/// Table, `schema` or `data`, and a statement.
type Statement = (String, &'static str, String);

fn table_patch(
    range: &Range,
    delta: &TableDelta,
    context: &Rc<Context>,
) -> Box<dyn Iterator<Item = Result<Statement>>> {
    let name = delta.name().to_owned();
    let schema = match schema_statements(range, delta) {
        Ok(statements) => statements,
        Err(error) => return Box::new(std::iter::once(Err(error))),
    };
    let own = name.clone();
    let schema = schema.into_iter().map(move |statement| Ok((own.clone(), "schema", statement)));
    let data = match data_statements(delta, context) {
        Ok(data) => data,
        Err(error) => return Box::new(schema.chain(std::iter::once(Err(error)))),
    };
    Box::new(schema.chain(data.map(move |statement| Ok((name.clone(), "data", statement?)))))
}

fn schema_statements(range: &Range, delta: &TableDelta) -> Result<Vec<String>> {
    let root = &range.to.root;
    match (&delta.from, &delta.to) {
        (Some(from), None) => Ok(vec![format!("DROP TABLE {};", quote_name(&from.name))]),
        (None, Some(to)) => Ok(vec![definition(&to.name, to.table.schema(), root)?]),
        (Some(from), Some(to)) => {
            let mut statements = Vec::new();
            if from.name != to.name {
                statements.push(format!("RENAME TABLE {} TO {};", quote_name(&from.name), quote_name(&to.name)));
            }
            let (old, new) = (from.table.schema(), to.table.schema());
            let alter = Alter { table: &to.name, old, new };
            alter.columns(&mut statements);
            alter.primary_key(&mut statements);
            alter.indexes(&mut statements);
            alter.foreign_keys(&range.from.root, root, &from.name, &mut statements)?;
            alter.options(&mut statements);
            Ok(statements)
        }
        (None, None) => Ok(Vec::new()),
    }
}

/// Statements that change the definition of a table.
struct Alter<'a> {
    /// Its name now.
    table: &'a str,
    old: &'a Schema,
    new: &'a Schema,
}

impl Alter<'_> {
    fn push(&self, statements: &mut Vec<String>, change: &str) {
        statements.push(format!("ALTER TABLE {} {change};", quote_name(self.table)));
    }

    /// Columns keep their tags through every change.
    fn columns(&self, statements: &mut Vec<String>) {
        for old in self.old.columns.iter().filter(|column| !column.is_hidden) {
            let Some(new) = self.new.column_by_tag(old.tag) else {
                self.push(statements, &format!("DROP {}", quote_name(&old.name)));
                continue;
            };
            if old.is_primary_key != new.is_primary_key {
                continue;
            }
            if old.name != new.name {
                self.push(statements, &format!("RENAME COLUMN {} TO {}", quote_name(&old.name), quote_name(&new.name)));
            }
            if old.sql_type != new.sql_type {
                self.push(statements, &format!("MODIFY COLUMN {}", column_definition(new, self.new)));
            }
        }
        for new in self.new.columns.iter().filter(|column| !column.is_hidden) {
            if self.old.column_by_tag(new.tag).is_none() {
                self.push(statements, &format!("ADD {}", column_definition(new, self.new)));
            }
        }
    }

    fn primary_key(&self, statements: &mut Vec<String>) {
        let key = |schema: &Schema| -> Vec<(u64, SqlType, String)> {
            let column = |&at: &usize| {
                let column = &schema.columns[at];
                (column.tag, column.sql_type.clone(), column.name.to_string())
            };
            schema.primary_key.iter().map(column).collect()
        };
        let (old, new) = (key(self.old), key(self.new));
        if old == new {
            return;
        }
        if !old.is_empty() {
            self.push(statements, "DROP PRIMARY KEY");
        }
        if !new.is_empty() {
            let names: Vec<String> = new.iter().map(|(_, _, name)| quote_name(name)).collect();
            self.push(statements, &format!("ADD PRIMARY KEY ({})", names.join(",")));
        }
    }

    /// An index is known by the columns that it covers.
    fn indexes(&self, statements: &mut Vec<String>) {
        let tags = |schema: &Schema, index: &Index| -> Vec<u64> {
            index.columns.iter().map(|&at| schema.columns[at].tag).collect()
        };
        let kind = |index: &Index| match index {
            _ if index.fulltext.is_some() => "FULLTEXT INDEX",
            _ if index.is_spatial => "SPATIAL INDEX",
            _ if index.vector.is_some() => "VECTOR INDEX",
            _ if index.is_unique => "UNIQUE INDEX",
            _ => "INDEX",
        };
        let shape = |schema: &Schema, index: &Index| {
            (index.name.to_lowercase(), kind(index), tags(schema, index), index.prefix_lengths().collect::<Vec<_>>())
        };
        let add = |index: &Index| {
            format!("ADD {} {}({})", kind(index), quote_name(&index.name), index_columns(index, self.new))
        };
        let is_same = |old: &Index, new: &Index| shape(self.new, new) == shape(self.old, old);
        let (kept, changed): (Vec<&Index>, Vec<&Index>) =
            self.old.indexes.iter().partition(|old| self.new.indexes.iter().any(|new| is_same(old, new)));
        let mut added: Vec<&Index> =
            self.new.indexes.iter().filter(|new| !kept.iter().any(|old| is_same(old, new))).collect();
        for old in changed {
            let twin =
                added.iter().position(|new| tags(self.new, new) == tags(self.old, old)).map(|at| added.remove(at));
            self.push(statements, &format!("DROP INDEX {}", quote_name(&old.name)));
            if let Some(new) = twin {
                self.push(statements, &add(new));
            }
        }
        for new in added {
            self.push(statements, &add(new));
        }
    }

    fn foreign_keys(
        &self,
        from: &RootValue,
        to: &RootValue,
        old_name: &str,
        statements: &mut Vec<String>,
    ) -> Result<()> {
        let line = |root: &RootValue, key: &ForeignKey| foreign_key(key, root);
        let (old, new) = (from.foreign_keys_of(old_name)?, to.foreign_keys_of(self.table)?);
        for key in &old {
            let twin = new.iter().find(|twin| twin.name == key.name);
            let is_same = match twin {
                Some(twin) => line(from, key)? == line(to, twin)?,
                None => false,
            };
            if is_same {
                continue;
            }
            self.push(statements, &format!("DROP FOREIGN KEY {}", quote_name(&key.name)));
            if let Some(twin) = twin {
                self.push(statements, &format!("ADD {}", line(to, twin)?));
            }
        }
        for key in new.iter().filter(|key| !old.iter().any(|known| known.name == key.name)) {
            self.push(statements, &format!("ADD {}", line(to, key)?));
        }
        Ok(())
    }

    fn options(&self, statements: &mut Vec<String>) {
        if self.old.collation != self.new.collation {
            self.push(statements, &format!("COLLATE='{}'", self.new.collation.name()));
        }
        if self.old.target_row_bytes != self.new.target_row_bytes {
            self.push(statements, &format!("TARGET_ROW_SIZE={}", self.new.target_row_bytes));
        }
    }
}

/// The number of the warning that a patch has no statements for rows.
const ROWS_LEFT_OUT: u16 = 1235;

type Statements = Box<dyn Iterator<Item = Result<String>>>;

/// Statements for changed rows, in key order; none, with a warning, where rows cannot be told apart by their keys.
fn data_statements(delta: &TableDelta, context: &Rc<Context>) -> Result<Statements> {
    let Some(to) = &delta.to else { return Ok(Box::new(std::iter::empty())) };
    let from = delta.from.as_ref().map(|side| &side.table);
    if from.is_some_and(|from| vcs::comparable(from.schema(), to.table.schema()) != Comparable::Fully) {
        let text = format!("Primary key sets differ between revisions for table '{}', skipping data diff", to.name);
        context.session.warn(ROWS_LEFT_OUT, text);
        return Ok(Box::new(std::iter::empty()));
    }
    let writer = Writer::new(&to.name, &to.table, from)?;
    let context = context.clone();
    let changes = |is_wanted: fn(ChangeKind) -> bool| -> Result<_> {
        let changes = RowDiff::new(from, Some(&to.table))?;
        Ok(changes.filter(move |change| change.as_ref().map_or(true, |change| is_wanted(change.kind))))
    };
    let of_all_kinds: Box<dyn Iterator<Item = vcs::Result<vcs::RowChange>>> = match writer.may_find_new_rows() {
        true => {
            let removed = changes(|kind| kind == ChangeKind::Removed)?;
            Box::new(removed.chain(changes(|kind| kind != ChangeKind::Removed)?))
        }
        false => Box::new(changes(|_| true)?),
    };
    let rows = of_all_kinds.map(move |change| writer.statement(&change?, &context));
    Ok(Box::new(rows.flat_map(|statement| {
        let (statement, times) = match statement {
            Ok((text, times)) => (Ok(text), times),
            Err(error) => (Err(error), 1),
        };
        std::iter::repeat_n(statement, times)
    })))
}

/// Writes rows as SQL.
struct Writer {
    name: String,
    table: Table,
    /// Shown, stored columns of the new schema.
    columns: Vec<usize>,
    new: RowReader,
    old: Option<RowReader>,
    /// Tags and names of the columns that rows had before.
    old_columns: Vec<(u64, Rc<str>)>,
    /// Whether a row that has not changed is the same in both versions: columns that come or go make others of all rows.
    keeps_rows: bool,
}

impl Writer {
    fn new(name: &str, table: &Table, from: Option<&Table>) -> Result<Writer> {
        let schema = table.schema();
        let nodes = table.objects().nodes();
        let columns: Vec<usize> = shown(schema).into_iter().filter(|&at| !schema.columns[at].is_virtual()).collect();
        let outputs = || columns.iter().copied().enumerate().map(|(output, column)| (column, output));
        let reader = from.and_then(|from| {
            let map = match schema.is_keyless() {
                true => vcs::ColumnMap::by_tag(from.schema(), schema),
                false => vcs::ColumnMap::for_diff(from.schema(), schema)?,
            };
            Some(RowReader::new(nodes, from.schema(), schema, &map, outputs()))
        });
        let new = RowReader::same(nodes, schema, outputs());
        let keeps_rows = from.is_none_or(|from| {
            let columns =
                |table: &Table| table.schema().columns.iter().map(|c| (c.tag, c.encoding)).collect::<Vec<_>>();
            columns(from) == columns(table)
        });
        let old = from.unwrap_or(table).schema();
        let old_columns = old.columns.iter().map(|column| (column.tag, column.name.clone())).collect();
        Ok(Writer { name: name.to_owned(), table: table.clone(), columns, new, old: reader, old_columns, keeps_rows })
    }

    /// Whether a condition on the columns that a row had before may be true of a row that comes: then rows go first.
    fn may_find_new_rows(&self) -> bool {
        self.table.schema().is_keyless() && !self.keeps_rows
    }

    /// What makes the change, and how often it is to be run.
    fn statement(&self, change: &vcs::RowChange, context: &Context) -> Result<(String, usize)> {
        let schema = self.table.schema();
        let empty = || vec![Value::Null; self.columns.len()];
        let (mut old, mut new) = (empty(), empty());
        if let Some(item) = &change.to {
            self.new.fill(item, &mut new, context)?;
        }
        if let (Some(item), Some(reader)) = (&change.from, &self.old) {
            reader.fill(item, &mut old, context)?;
        }
        let times = usize::try_from(change.times).unwrap_or(usize::MAX);
        let table = quote_name(&self.name);
        Ok(match change.kind {
            ChangeKind::Added => {
                // Generated columns take no values.
                let given = || self.columns.iter().map(|&at| &schema.columns[at]).enumerate();
                let given = given().filter(|(_, column)| column.generated.is_none());
                let (names, values): (Vec<String>, Vec<String>) =
                    given.map(|(at, column)| (quote_name(&column.name), self.literal(at, &new[at]))).unzip();
                (format!("INSERT INTO {table} ({}) VALUES ({});", names.join(","), values.join(",")), times)
            }
            ChangeKind::Removed => {
                let condition = self.condition(&old);
                // Of equal rows some may stay.
                let left = match (&change.from, schema.is_keyless()) {
                    (Some(item), true) => self.table.rows().get(item.key())?,
                    _ => None,
                };
                let left = left.map(|item| cardinality(item.value())).transpose()?.unwrap_or(0);
                let limit =
                    if left > 0 || self.may_find_new_rows() { format!(" LIMIT {times}") } else { String::new() };
                (format!("DELETE FROM {table} WHERE {condition}{limit};"), 1)
            }
            ChangeKind::Modified => {
                let mut sets = Vec::new();
                for (at, &column) in self.columns.iter().enumerate() {
                    let column = &schema.columns[column];
                    let (before, after) = (self.literal(at, &old[at]), self.literal(at, &new[at]));
                    // By its new name a column has no value before: it may have got NULL.
                    let is_renamed = self.old_name(column.tag).is_some_and(|name| name != &column.name);
                    if (before != after || is_renamed) && column.generated.is_none() {
                        sets.push(format!("{}={after}", quote_name(&column.name)));
                    }
                }
                let text = format!("UPDATE {table} SET {} WHERE {};", sets.join(","), self.condition(&new));
                (text, usize::from(!sets.is_empty()))
            }
        })
    }

    fn old_name(&self, tag: u64) -> Option<&Rc<str>> {
        self.old_columns.iter().find(|(known, _)| *known == tag).map(|(_, name)| name)
    }

    /// What tells a row apart: its key, or without one all values that it had before; a new column has its default by now.
    fn condition(&self, row: &[Value<'_>]) -> String {
        let schema = self.table.schema();
        let of_key = |at: usize| match &schema.columns[at] {
            column if schema.is_keyless() => self.old_name(column.tag).is_some(),
            column => column.is_primary_key,
        };
        let terms = self.columns.iter().enumerate().filter(|(_, column)| of_key(**column)).map(|(at, &column)| {
            let name = quote_name(&schema.columns[column].name);
            match &row[at] {
                Value::Null => format!("{name} IS NULL"),
                // A document is no text, nor is a FLOAT the number that is written.
                value @ Value::Json(_) => format!("{name}=CAST({} AS JSON)", self.literal(at, value)),
                value @ Value::Float(_) => format!("{name}=CAST({} AS FLOAT)", self.literal(at, value)),
                value => {
                    // Texts that are equal are not the same.
                    let collation = schema.columns[column].sql_type.collation();
                    let is_loose = schema.is_keyless() && collation.is_some_and(|it| !it.name().ends_with("bin"));
                    let suffix = if is_loose { " COLLATE utf8mb4_0900_bin" } else { "" };
                    format!("{name}={}{suffix}", self.literal(at, value))
                }
            }
        });
        terms.collect::<Vec<_>>().join(" AND ")
    }

    fn literal(&self, at: usize, value: &Value<'_>) -> String {
        literal(value, &self.table.schema().columns[self.columns[at]].sql_type)
    }
}

/// A value as SQL text.
fn literal(value: &Value<'_>, ty: &SqlType) -> String {
    let shown =
        |value: &Value<'_>| String::from_utf8_lossy(&value::to_text(value, ty).unwrap_or_default()).into_owned();
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Bytes(bytes) | Value::Geometry(bytes) => match bytes.is_empty() {
            true => "''".to_owned(),
            false => format!("0x{}", hex::lower(bytes)),
        },
        Value::Bit(bits) => bits.to_string(),
        Value::Int(_) | Value::UInt(_) | Value::Float(_) | Value::Double(_) | Value::Decimal(_) => shown(value),
        Value::Date(_) | Value::DateTime(_) | Value::Time(_) | Value::Year(_) => format!("'{}'", shown(value)),
        Value::Json(json) => escaped(&json.canonical()),
        Value::Text(text) => escaped(text),
        Value::Enum(_) | Value::Set(_) => escaped(&shown(value)),
    }
}

/// A string literal with backslashes.
fn escaped(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('\'');
    for character in text.chars() {
        let escape = match character {
            '\0' => '0',
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\u{8}' => 'b',
            '\u{1a}' => 'Z',
            '\'' | '"' | '\\' => character,
            _ => {
                literal.push(character);
                continue;
            }
        };
        literal.push('\\');
        literal.push(escape);
    }
    literal.push('\'');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_literals() {
        assert_eq!(literal(&Value::text("it's \"x\"\n\\"), &SqlType::LONGTEXT), r#"'it\'s \"x\"\n\\'"#);
        assert_eq!(literal(&Value::bytes(vec![0, 255]), &SqlType::LONGBLOB), "0x00ff");
        assert_eq!(literal(&Value::bytes(vec![]), &SqlType::LONGBLOB), "''");
        assert_eq!(literal(&Value::Int(-3), &SqlType::BIGINT), "-3");
        assert_eq!(literal(&Value::Null, &SqlType::BIGINT), "NULL");
    }
}
