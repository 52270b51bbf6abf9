//! Rows of one version of a table as another version's schema shows them.

use std::rc::Rc;

use tree::{Bound, Direction, FieldType, Item, NodeStore, Scan, Span, tuple};
use value::{SqlType, Value};
use vcs::{Column, ColumnMap, Place, Schema, Source, Table};

use crate::catalog::{KeyRange, Pushed};
use crate::error::Result;
use crate::exec::scan::table_scan::ranges;
use crate::exec::scan::table_scan::ranges::Bounds;
use crate::expr::{CompareOp, Context, Expr, ExprType};

/// The position of a value in the source and in the target.
struct Field {
    place: Place,
    kind: FieldType,
    /// Position in the row that is filled.
    output: usize,
    /// The type to convert to, where it is another one now.
    convert: Option<SqlType>,
    name: Rc<str>,
}

/// Fills rows from items of one schema.
pub struct RowReader {
    nodes: Rc<NodeStore>,
    fields: Vec<Field>,
}

impl RowReader {
    /// `outputs` pairs positions in the target schema with positions in the rows; unread ones are left out.
    pub fn new(
        nodes: &Rc<NodeStore>,
        source: &Schema,
        target: &Schema,
        map: &ColumnMap,
        outputs: impl Iterator<Item = (usize, usize)>,
    ) -> RowReader {
        let mut fields = Vec::new();
        for (column, output) in outputs {
            let (from, convert) = match map.sources.get(column) {
                Some(Source::Same(from)) => (*from, None),
                Some(Source::Converted(from)) => (*from, Some(target.columns[column].sql_type.clone())),
                Some(Source::Absent) | None => continue,
            };
            let Some(kind) = field_type(source, &source.columns[from]) else { continue };
            let (place, name) = (source.columns[from].place, source.columns[from].name.clone());
            fields.push(Field { place, kind, output, convert, name });
        }
        RowReader { nodes: nodes.clone(), fields }
    }

    /// All columns of one schema.
    pub fn same(nodes: &Rc<NodeStore>, schema: &Schema, outputs: impl Iterator<Item = (usize, usize)>) -> RowReader {
        let map = ColumnMap { sources: (0..schema.columns.len()).map(Source::Same).collect() };
        RowReader::new(nodes, schema, schema, &map, outputs)
    }

    pub fn fill(&self, item: &Item, row: &mut [Value<'static>], context: &Context) -> Result<()> {
        self.fill_from(item.key(), item.value(), row, context)
    }

    /// Fills a row from a key and a value tuple. What cannot be converted is NULL and worth a warning.
    pub fn fill_from(&self, key: &[u8], value: &[u8], row: &mut [Value<'static>], context: &Context) -> Result<()> {
        let (key, value) = (tree::Tuple::new(key), tree::Tuple::new(value));
        for field in &self.fields {
            let bytes = match field.place {
                Place::Key(at) => key.field(at),
                Place::Value(at) => value.field(at),
                Place::Virtual => None,
            };
            let decoded = tuple::decode(&self.nodes, &field.kind, bytes)?;
            row[field.output] = match &field.convert {
                None => decoded.into_owned(),
                Some(kind) => value::assign(&decoded, kind).unwrap_or_else(|_| {
                    let name = &field.name;
                    let text = format!("unable to coerce value from field '{name}' into latest column schema");
                    context.session.warn(1105, text);
                    Value::Null
                }),
            };
        }
        Ok(())
    }
}

fn field_type(schema: &Schema, column: &Column) -> Option<FieldType> {
    match column.place {
        Place::Key(at) => schema.key.fields().get(at).cloned(),
        Place::Value(at) => schema.value.fields().get(at).cloned(),
        Place::Virtual => None,
    }
}

/// Columns that `*` shows.
pub fn shown(schema: &Schema) -> Vec<usize> {
    (0..schema.columns.len()).filter(|&at| !schema.columns[at].is_hidden).collect()
}

/// All rows of a table between two bounds, in key order.
pub struct ScannedRows {
    scan: Scan,
    span: Option<Span>,
}

impl ScannedRows {
    pub fn new(table: &Table, lower: Option<&Bound<'_>>, upper: Option<&Bound<'_>>) -> Result<ScannedRows> {
        Ok(ScannedRows { scan: table.rows().scan(lower, upper, Direction::Forward)?, span: None })
    }
}

impl Iterator for ScannedRows {
    type Item = Result<Item>;

    fn next(&mut self) -> Option<Result<Item>> {
        loop {
            if let Some(span) = &mut self.span
                && let Some(index) = span.items.next()
            {
                return Some(Ok(Item { leaf: span.leaf.clone(), index }));
            }
            match self.scan.next_span(usize::MAX) {
                Ok(Some(span)) => self.span = Some(span),
                Ok(None) => return None,
                Err(error) => {
                    self.scan.limit(0);
                    self.span = None;
                    return Some(Err(error.into()));
                }
            }
        }
    }
}

/// Conditions on the primary key of the rows behind a relation.
#[derive(Debug, Clone, Default)]
pub struct KeyConditions {
    /// Position in the key, as in a `Pushed`.
    conditions: Vec<Pushed>,
}

impl KeyConditions {
    /// Those of `pushed` that are about the key; `output` gives the relation's column that shows a column of the schema.
    pub fn new(schema: &Schema, pushed: &[Pushed], output: impl Fn(usize) -> usize) -> KeyConditions {
        let mut conditions = Vec::new();
        for (position, &column) in schema.primary_key.iter().enumerate() {
            let own = pushed.iter().filter(|condition| condition.column == output(column));
            conditions.extend(own.map(|condition| Pushed { column: position, ..condition.clone() }));
        }
        KeyConditions { conditions }
    }

    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// The part of the key's order where rows can be; `None` for all of it. `schema` is the one that the conditions were
    /// made for: in a table with another key they mean nothing.
    pub fn bounds(&self, table: &Table, schema: &Schema, context: &Context) -> Result<Part> {
        let key_types = |schema: &Schema| -> Vec<SqlType> {
            schema.primary_key.iter().map(|&at| schema.columns[at].sql_type.clone()).collect()
        };
        let types = key_types(schema);
        if self.conditions.is_empty() || key_types(table.schema()) != types {
            return Ok(Part::All);
        }
        let mut range = KeyRange::default();
        let expr = |condition: &Pushed| {
            Expr::literal(condition.value.clone(), ExprType::new(types[condition.column].clone(), false))
        };
        let of = |position: usize, wanted: &dyn Fn(CompareOp) -> bool| {
            self.conditions.iter().find(|condition| condition.column == position && wanted(condition.op))
        };
        while let Some(equal) = of(range.equal.len(), &|op| op == CompareOp::Equal) {
            range.equal.push(expr(equal));
        }
        let next = range.equal.len();
        let bound = |inclusive: CompareOp, exclusive: CompareOp| {
            let found = of(next, &|op| op == inclusive || op == exclusive)?;
            Some((expr(found), found.op == inclusive))
        };
        range.lower = bound(CompareOp::GreaterOrEqual, CompareOp::Greater);
        range.upper = bound(CompareOp::LessOrEqual, CompareOp::Less);
        let listed = self.conditions.iter().filter(|condition| condition.column == next);
        let ranges: Vec<KeyRange> = match listed.filter_map(|condition| condition.among.as_ref()).next() {
            None => vec![range],
            Some(values) => values
                .iter()
                .map(|value| {
                    let literal = Expr::literal(value.clone(), ExprType::new(types[next].clone(), false));
                    let equal = range.equal.iter().cloned().chain([literal]).collect();
                    KeyRange { equal, ..KeyRange::default() }
                })
                .collect(),
        };
        let spans = ranges::evaluate(&ranges, &table.rows(), &types, context)?;
        Ok(spans.map_or(Part::All, Part::Spans))
    }
}

/// A part of a table's key order.
pub enum Part {
    All,
    /// In order.
    Spans(Vec<Bounds>),
}

/// From where to where.
pub type Sides<'a> = (Option<Bound<'a>>, Option<Bound<'a>>);

impl Part {
    /// Nothing when nothing can be there.
    pub fn spans(&self) -> Vec<Sides<'_>> {
        match self {
            Part::All => vec![(None, None)],
            Part::Spans(spans) => spans.iter().map(Bounds::sides).collect(),
        }
    }

    /// The rows of a version of the table.
    pub fn rows(&self, table: &Table) -> Result<impl Iterator<Item = Result<Item>> + 'static> {
        let spans = self.spans();
        let rows = spans.iter().map(|(lower, upper)| ScannedRows::new(table, lower.as_ref(), upper.as_ref()));
        Ok(rows.collect::<Result<Vec<_>>>()?.into_iter().flatten())
    }
}
