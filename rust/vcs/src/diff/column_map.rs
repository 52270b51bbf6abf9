//! Column mapping: rows of one schema under another (docs/format/database.md, section 11.3).

use crate::schema::{Column, Place, Schema};

/// Where each column of a target schema finds its value in rows of a source schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnMap {
    /// By position in the target's columns.
    pub sources: Vec<Source>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// NULL: no such column.
    Absent,
    /// This column of the source, whose type is the same.
    Same(usize),
    /// This column of the source, whose value has to be converted to the target's type.
    Converted(usize),
}

/// How well two schemas' rows can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparable {
    /// They have the same primary key.
    Fully,
    /// The columns of the primary key correspond, but are not the same.
    Roughly,
    Not,
}

impl ColumnMap {
    /// The map by which diffs show rows. Columns of the primary key correspond by tag, or by name and type; the others by
    /// exact name. `None` when a column of the source's primary key corresponds to none.
    pub fn for_diff(source: &Schema, target: &Schema) -> Option<ColumnMap> {
        let mut sources = vec![Source::Absent; target.columns.len()];
        for at in &source.primary_key {
            let column = &source.columns[*at];
            let to = key_column(column, target)?;
            sources[to] = corresponding(*at, column, &target.columns[to]);
        }
        for (at, column) in source.columns.iter().enumerate() {
            let is_value = |column: &Column| matches!(column.place, Place::Value(_));
            let to = target.columns.iter().position(|to| to.name == column.name && !matches!(to.place, Place::Key(_)));
            if let Some(to) = to.filter(|_| is_value(column)) {
                sources[to] = corresponding(at, column, &target.columns[to]);
            }
        }
        Some(ColumnMap { sources })
    }

    /// The map of columns that are the same ones, whatever they are called.
    pub fn by_tag(source: &Schema, target: &Schema) -> ColumnMap {
        let found = |to: &Column| source.columns.iter().position(|column| column.tag == to.tag);
        let from = |to: &Column| found(to).map_or(Source::Absent, |at| corresponding(at, &source.columns[at], to));
        ColumnMap { sources: target.columns.iter().map(from).collect() }
    }

    /// The map by which `dolt_history_<table>` shows rows: columns of the same name, in any case, and the same type.
    /// Positions in the target whose type differs are returned too; they are NULL and worth a warning.
    pub fn for_history(source: &Schema, target: &Schema) -> (ColumnMap, Vec<usize>) {
        let mut differing = Vec::new();
        let mut sources = Vec::with_capacity(target.columns.len());
        for (to, column) in target.columns.iter().enumerate() {
            let found = source.column(&column.name);
            sources.push(match found {
                Some(at) if source.columns[at].sql_type == column.sql_type => Source::Same(at),
                Some(_) => {
                    differing.push(to);
                    Source::Absent
                }
                None => Source::Absent,
            });
        }
        (ColumnMap { sources }, differing)
    }
}

fn corresponding(at: usize, column: &Column, to: &Column) -> Source {
    if column.sql_type == to.sql_type { Source::Same(at) } else { Source::Converted(at) }
}

/// Position in `target` of the primary key's column that corresponds to `column`.
fn key_column(column: &Column, target: &Schema) -> Option<usize> {
    let by = |fits: &dyn Fn(&Column) -> bool| target.primary_key.iter().copied().find(|to| fits(&target.columns[*to]));
    let name = column.name.to_lowercase();
    by(&|to| to.tag == column.tag)
        .or_else(|| by(&|to| to.name.to_lowercase() == name && to.sql_type == column.sql_type))
}

/// How well rows of `from` can be compared with rows of `to`.
pub fn comparable(from: &Schema, to: &Schema) -> Comparable {
    let keys = |schema: &Schema| -> Vec<(u64, value::SqlType)> {
        let key = |at: &usize| (schema.columns[*at].tag, schema.columns[*at].sql_type.clone());
        schema.primary_key.iter().map(key).collect()
    };
    if keys(from) == keys(to) {
        Comparable::Fully
    } else if ColumnMap::for_diff(from, to).is_some() {
        Comparable::Roughly
    } else {
        Comparable::Not
    }
}
