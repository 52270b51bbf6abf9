//! `dolt_query_diff`: what differs between the answers of two queries.

use std::cmp::Ordering;
use std::rc::Rc;

use codec::CompactSort;
use parse::ast::StatementKind;
use value::{Collation, SqlType, Value};

use crate::bind::Binder;
use crate::catalog::Catalog;
use crate::error::{Result, SqlError};
use crate::exec::{self, PhysicalPlan, Poll, Source};
use crate::expr::Context;
use crate::names::SessionNames;
use crate::optimizer;
use crate::page::ResultColumn;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::computed::{Computed, TEXT, column, required};

pub const ENTRIES: &[Entry] = &[Entry::function("dolt_query_diff", |call| function(call.catalog, call.arguments))];

const NAME: &str = "dolt_query_diff";

pub type Row = Vec<Value<'static>>;

/// A query that is ready to run.
pub struct Ready {
    physical: PhysicalPlan,
    columns: Vec<ResultColumn>,
}

impl Ready {
    pub fn new(catalog: &Rc<Catalog>, argument: &Value<'_>) -> Result<Ready> {
        let Value::Text(sql) = argument else {
            return Err(SqlError::general(format!("query must be a string, not {}", argument.family())));
        };
        let options = catalog.state.variables.borrow().syntax();
        let parsed = parse::statement(sql, &options);
        if let Some(error) = parsed.errors.first() {
            return Err(SqlError::general(error.to_string()));
        }
        let Some(StatementKind::Query(query)) = parsed.statement.map(|statement| statement.kind) else {
            return Err(SqlError::general("query must be a SELECT statement"));
        };
        let context = Rc::new(Context::new(catalog.clone(), Vec::new()));
        let names = SessionNames::new(catalog.clone(), context.clone());
        let bound = Binder::new(&names, &**sql, &[]).query(&query).map_err(SqlError::elsewhere)?;
        let mut types = bound.types;
        let plan = optimizer::optimize(bound.plan, &mut types, &context)?;
        Ok(Ready { physical: exec::lower(&plan, &types)?, columns: bound.columns })
    }

    /// The types of the columns.
    pub fn types(&self) -> Vec<SqlType> {
        self.columns.iter().map(|column| column.ty.clone()).collect()
    }

    /// All rows.
    pub fn run(&self, context: &Rc<Context>) -> Result<Vec<Row>> {
        let mut answer = self.begin(context)?;
        while !answer.read_on(i64::MAX)? {}
        Ok(answer.rows)
    }

    fn begin(&self, context: &Rc<Context>) -> Result<Answer> {
        let context = Rc::new(Context::at(context.catalog.clone(), Vec::new(), context.now()));
        Ok(Answer { source: self.physical.build(&context)?, context, rows: Vec::new(), is_done: false })
    }
}

/// The rows of a query, as far as they were read.
struct Answer {
    source: Source,
    context: Rc<Context>,
    rows: Vec<Row>,
    is_done: bool,
}

impl Answer {
    /// Reads some rows; whether those were the last.
    fn read_on(&mut self, fuel: i64) -> Result<bool> {
        if !self.is_done {
            self.context.refuel(fuel);
            match self.source.next(&self.context)? {
                Poll::Batch(batch) => self.rows.extend((0..batch.rows).map(|row| batch.row(row))),
                Poll::Yield => {}
                Poll::Done => self.is_done = true,
            }
        }
        Ok(self.is_done)
    }
}

pub fn function(catalog: &Catalog, arguments: &[Value<'_>]) -> Result<Computed> {
    let [from, to] = arguments else {
        let text = format!("function '{NAME}' expected 2 arguments, {} received", arguments.len());
        return Err(SqlError::general(text));
    };
    let catalog = catalog.shared().ok_or_else(|| SqlError::internal("the session has ended"))?;
    let (from, to) = (Ready::new(&catalog, from)?, Ready::new(&catalog, to)?);
    let mut columns = Vec::new();
    for (prefix, query) in [("from", &from), ("to", &to)] {
        columns.extend(query.columns.iter().map(|of| column(&format!("{prefix}_{}", of.name), of.ty.clone())));
    }
    columns.push(required(column("diff_type", TEXT)));
    let sides = Rc::new((from, to));
    Ok(Computed::new("", NAME, columns, move |context, _, _| {
        let (sides, outer) = (sides.clone(), context.clone());
        let (mut old, mut new) = (sides.0.begin(context)?, sides.1.begin(context)?);
        let mut rows = None;
        Ok(Box::new(std::iter::from_fn(move || {
            if rows.is_none() {
                // Where the statement around cannot stop, this must not.
                let fuel = outer.fuel();
                match old.read_on(fuel).and_then(|is_last| if is_last { new.read_on(fuel) } else { Ok(false) }) {
                    Ok(true) => {
                        let (old, new) = (std::mem::take(&mut old.rows), std::mem::take(&mut new.rows));
                        rows = Some(compare(&sides.0, &sides.1, old, new).into_iter());
                    }
                    // No row yet: others have their turn.
                    Ok(false) => return Some(Ok(Vec::new())),
                    Err(error) => return Some(Err(error)),
                }
            }
            rows.as_mut()?.next().map(Ok)
        })))
    }))
}

/// Pairs rows of answers that have the same columns, by the primary key where there is one; others have nothing in common.
fn compare(from: &Ready, to: &Ready, mut old: Vec<Row>, mut new: Vec<Row>) -> Vec<Row> {
    let shape = |query: &Ready| -> Vec<(Rc<str>, SqlType)> {
        query.columns.iter().map(|column| (column.name.clone(), column.ty.clone())).collect()
    };
    let row = |old: Option<&Row>, new: Option<&Row>, kind: &'static str| {
        let side = |row: Option<&Row>, width: usize| row.cloned().unwrap_or_else(|| vec![Value::Null; width]);
        let mut row = side(old, from.columns.len());
        row.extend(side(new, to.columns.len()));
        row.push(Value::text(kind));
        row
    };
    if shape(from) != shape(to) {
        let gone = old.iter().map(|old| row(Some(old), None, "deleted"));
        return gone.chain(new.iter().map(|new| row(None, Some(new), "added"))).collect();
    }
    let columns = &from.columns;
    let keys: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].primary).collect();
    let everything: Vec<usize> = (0..columns.len()).collect();
    let order = |positions: &[usize], a: &Row, b: &Row| {
        let mut orders = positions.iter().map(|&at| {
            let collation = columns[at].ty.collation().unwrap_or(Collation::UTF8MB4_0900_BIN);
            // Values of one type always compare.
            value::sort_order(&a[at], &b[at], collation).unwrap_or(Ordering::Equal)
        });
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    // Without a key rows stay in the order of their queries and are paired one after the other.
    old.compact_sort_by(|a, b| order(&keys, a, b));
    new.compact_sort_by(|a, b| order(&keys, a, b));
    let (mut olds, mut news) = (old.iter().peekable(), new.iter().peekable());
    let mut rows = Vec::new();
    loop {
        match (olds.peek(), news.peek()) {
            (None, None) => return rows,
            (Some(_), None) => rows.extend(olds.next().map(|old| row(Some(old), None, "deleted"))),
            (None, Some(_)) => rows.extend(news.next().map(|new| row(None, Some(new), "added"))),
            (Some(a), Some(b)) => match order(&keys, a, b) {
                Ordering::Less => rows.extend(olds.next().map(|old| row(Some(old), None, "deleted"))),
                Ordering::Greater => rows.extend(news.next().map(|new| row(None, Some(new), "added"))),
                Ordering::Equal => {
                    if order(&everything, a, b).is_ne() {
                        rows.push(row(Some(a), Some(b), "modified"));
                    }
                    olds.next();
                    news.next();
                }
            },
        }
    }
}
