//! INSERT and REPLACE.

use std::cell::RefCell;
use std::rc::Rc;

use parse::ast::{self, InsertSource, TriggerEvent};
use value::Value;

use super::auto_increment::{number_of, value_of};
use super::load_data::FileRows;
use super::returning::Returning;
use super::row::Row;
use super::rules::{RowRules, eval_over};
use super::writer::{Stored, Writer, Written, base_of, shared};
use crate::batch::Batch;
use crate::bind::{Assigned, Binder, Found};
use crate::catalog::{Relation, Stamp};
use crate::error::{Result, SqlError};
use crate::exec::{self, Poll, Source};
use crate::expr::{Context, Expr, ExprKind, ExprType};
use crate::hint;
use crate::plan::{Plan, Values, rules};
use crate::routine::{TriggerRow, Triggers};
use crate::session::{
    Cursor, Effect, Outcome, Prepared, Progress, Session, SessionNames, SharedWriter, WritePlan, is_about_names,
};

/// What happens to a row that another one stands in the way of.
enum OnDuplicate {
    Fail,
    /// Nothing, and a warning.
    Skip,
    /// The other ones go.
    Replace,
    /// The other one is changed: expressions over its columns and those of the new row, and the types of these.
    Update(Vec<(usize, Assigned)>, Vec<ExprType>),
}

/// Where the rows come from.
enum Rows {
    /// Listed ones, and how many of them were added.
    Values(Rc<[Vec<Assigned>]>, usize),
    Query(Source),
    File(Box<FileRows>),
}

/// A running INSERT.
pub struct Insert {
    writer: SharedWriter,
    /// Whether the writer may stay for the next statements.
    is_shared: bool,
    table: usize,
    relation: Rc<dyn Relation>,
    rules: RowRules,
    /// For each value of a source row, the position of its column.
    columns: Rc<[usize]>,
    rows: Rows,
    on_duplicate: Rc<OnDuplicate>,
    triggers: Option<Triggers>,
    counter: Counter,
    tally: Tally,
    returning: Option<Returning>,
}

/// An INSERT of listed rows that is bound: it serves until a schema changes.
pub struct InsertPlan {
    /// The place of the table, as it was written.
    database: Option<Box<str>>,
    relation: Rc<dyn Relation>,
    columns: Rc<[usize]>,
    rows: Rc<[Vec<Assigned>]>,
    on_duplicate: Rc<OnDuplicate>,
    is_lenient: bool,
    /// What it was made for.
    parameters: Vec<ExprType>,
    stamp: Stamp,
}

#[derive(Default)]
struct Tally {
    rows: u64,
    affected: u64,
    duplicates: u64,
    first_id: Option<u64>,
    /// That of the first row, generated or brought along.
    told_id: Option<u64>,
    is_values: bool,
    warnings: usize,
}

/// The AUTO_INCREMENT column of the table.
#[derive(Default)]
struct Counter {
    column: Option<usize>,
    next: u64,
    takes_zero: bool,
}

/// Begins an INSERT or REPLACE.
pub fn run(session: &Session, prepared: &Prepared, insert: &ast::Insert, context: Rc<Context>) -> Result<Cursor> {
    let effect = match InsertPlan::again(prepared, &context)? {
        Some(effect) => effect,
        None => {
            session.catalog().transaction.publish()?;
            Insert::new(session, &prepared.sql, insert, Some(prepared), &context)?
        }
    };
    Ok(Cursor::of_running(Box::new(effect), context))
}

impl InsertPlan {
    /// The statement by the plan of the last time, if that still serves.
    fn again(prepared: &Prepared, context: &Rc<Context>) -> Result<Option<Insert>> {
        let Some(WritePlan::Insert(plan)) = prepared.kept() else { return Ok(None) };
        if !context.has_parameters(&plan.parameters) || !context.catalog.is_placed_as(&plan.stamp) {
            return Ok(None);
        }
        let base = base_of(&plan.relation)?;
        let Some((writer, table)) = shared(plan.database.as_deref(), base, context)? else { return Ok(None) };
        let rules = RowRules::new(base, context, plan.is_lenient)?;
        let counter = Counter::new(&mut writer.borrow_mut(), table, &rules, context)?;
        Ok(Some(Insert {
            writer,
            is_shared: true,
            table,
            relation: plan.relation.clone(),
            rules,
            columns: plan.columns.clone(),
            rows: Rows::Values(plan.rows.clone(), 0),
            on_duplicate: plan.on_duplicate.clone(),
            triggers: None,
            counter,
            tally: Tally { is_values: true, warnings: context.session.warning_count(), ..Tally::default() },
            returning: None,
        }))
    }
}

impl Insert {
    /// The statement; what it binds is kept with `prepared` where it may serve again.
    fn new(
        session: &Session,
        sql: &str,
        insert: &ast::Insert,
        prepared: Option<&Prepared>,
        context: &Rc<Context>,
    ) -> Result<Insert> {
        let catalog = session.catalog();
        let stamp = catalog.stamp();
        let name = &insert.table;
        let database = name.database.as_ref().map(|database| &*database.text);
        let mut place = catalog.place_of(database, &name.name.text).map_err(|error| error.at(name.span))?;
        if vcs::is_system_table(&name.name.text) {
            crate::statements::ddl::user_space::make(catalog, &place, &name.name.text)?;
            place = catalog.place(database)?;
        }
        let relation = match catalog.relation(name, None).map_err(|error| error.at(name.span))? {
            Found::Relation(relation) => relation,
            Found::View(view) => {
                let text = format!("expected insert destination to be resolved or unresolved table: {}", view.name);
                return Err(SqlError::general(text).at(name.span));
            }
        };
        let base = match relation.base() {
            Some(base) => base,
            None if vcs::is_system_table(relation.name()) => return Err(refused(insert, relation.as_ref())),
            None => base_of(&relation)?,
        };
        let is_lenient = insert.ignore;
        let rules = RowRules::new(base, context, is_lenient)?;
        let columns: Rc<[usize]> = columns_of(insert, relation.as_ref(), &rules)?.into();
        for position in 0..relation.columns().len() {
            let is_absent = !columns.contains(&position);
            if is_absent && !is_lenient && !rules.has_default(position) && !has_empty_rows(insert) {
                return Err(rules.no_default(position));
            }
        }

        let parameters = context.parameter_types();
        let names = SessionNames::new(catalog.clone(), context.clone());
        // The expressions do not look at tables.
        let mut is_plain = true;
        let mut listed = |values: &[&[ast::Expr]]| -> Result<Rows> {
            let mut binder = Binder::new(&names, sql, &parameters);
            let rows = bound_rows(values, &columns, &rules, &mut binder)?;
            is_plain = !rows.iter().flatten().any(looks_at_names);
            if rows.iter().flatten().any(has_subquery) {
                return Ok(Rows::Values(computed(rows, binder.into_types(), context)?.into(), 0));
            }
            Ok(Rows::Values(rows.into(), 0))
        };
        let mut source_columns = Vec::new();
        let rows = match &insert.source {
            InsertSource::Query(query) => {
                let mut query = query.clone();
                if query.with.is_none() {
                    query.with = insert.with.clone();
                }
                let bound = Binder::new(&names, sql, &parameters).query(&query)?;
                if bound.columns.len() != columns.len() {
                    return Err(wrong_count());
                }
                let mut types = bound.types;
                source_columns = bound.columns;
                let plan = rules::optimize(bound.plan, &mut types, context)?;
                Rows::Query(exec::lower(&plan, &types)?.build(context)?)
            }
            InsertSource::Set(assignments) => {
                let values: Vec<ast::Expr> = assignments.iter().map(|assignment| assignment.value.clone()).collect();
                listed(&[&values[..]])?
            }
            InsertSource::Values(rows) => listed(&rows.iter().map(|row| &row.values[..]).collect::<Vec<_>>())?,
        };

        let on_duplicate = match (insert.replace, &insert.on_duplicate[..]) {
            (true, _) => OnDuplicate::Replace,
            (false, []) if insert.ignore => OnDuplicate::Skip,
            (false, []) => OnDuplicate::Fail,
            (false, assignments) => {
                let table = (&**relation.name(), relation.columns());
                let mut binder = Binder::new(&names, sql, &parameters);
                let bound = binder.on_duplicate(table, insert.row_alias.as_ref(), &source_columns, assignments)?;
                is_plain &= !bound.iter().any(|(_, assigned)| looks_at_names(assigned));
                OnDuplicate::Update(bound, binder.into_types())
            }
        };
        let on_duplicate = Rc::new(on_duplicate);
        let triggers = Triggers::of_table(session, &place, relation.name(), relation.columns(), TriggerEvent::Insert)?;
        let is_temporary = place.attached.is_temporary;
        let mut writer = Writer::new(context, place)?;
        let table = writer.open(relation.name())?;
        let counter = Counter::new(&mut writer, table, &rules, context)?;
        let tally = Tally {
            is_values: matches!(insert.source, InsertSource::Values(_)),
            warnings: context.session.warning_count(),
            ..Tally::default()
        };
        let writer = Rc::new(RefCell::new(writer));
        let returning = Returning::of(session, sql, insert, relation.as_ref(), context)?;
        let serves_again =
            is_plain && !is_temporary && !names.is_volatile() && triggers.is_none() && returning.is_none();
        if let (Some(prepared), Rows::Values(rows, _)) = (prepared.filter(|_| serves_again), &rows) {
            prepared.keep(WritePlan::Insert(Rc::new(InsertPlan {
                database: database.map(Box::from),
                relation: relation.clone(),
                columns: columns.clone(),
                rows: rows.clone(),
                on_duplicate: on_duplicate.clone(),
                is_lenient,
                parameters,
                stamp,
            })));
        }
        let is_shared = false;
        Ok(Insert {
            writer,
            is_shared,
            table,
            relation,
            rules,
            columns,
            rows,
            on_duplicate,
            triggers,
            counter,
            tally,
            returning,
        })
    }

    /// The same with the rows of a file.
    pub(super) fn of_file(
        session: &Session,
        sql: &str,
        insert: &ast::Insert,
        rows: Box<FileRows>,
        context: &Rc<Context>,
    ) -> Result<Insert> {
        let mut effect = Insert::new(session, sql, insert, None, context)?;
        effect.rows = Rows::File(rows);
        effect.tally.is_values = false;
        Ok(effect)
    }

    /// Adds one row of the source.
    fn add(&mut self, given: &[Given<'_>], context: &Rc<Context>) -> Result<()> {
        self.tally.rows += 1;
        match self.try_add(given, context) {
            Err(error) if matches!(*self.on_duplicate, OnDuplicate::Skip) && may_be_ignored(&error) => {
                context.session.warn(error.errno, error.message);
                Ok(())
            }
            outcome => outcome,
        }
    }

    fn try_add(&mut self, given: &[Given<'_>], context: &Rc<Context>) -> Result<()> {
        // Only ON DUPLICATE KEY UPDATE looks at them again.
        let source: Row = match (&*self.on_duplicate, &self.rows) {
            (OnDuplicate::Update(..), Rows::Query(_)) => given.iter().map(Given::value).collect(),
            _ => Row::new(),
        };
        let mut row: Row = vec![Value::Null; self.relation.columns().len()];
        let mut is_given = vec![false; row.len()];
        for (&position, value) in self.columns.iter().zip(given) {
            if let Given::Value(value) = value {
                if self.rules.is_generated(position) {
                    return Err(self.rules.not_allowed(position));
                }
                is_given[position] = true;
                row[position] = self.rules.assign_new(position, value, context)?;
            }
        }
        for (position, is_given) in is_given.iter().enumerate() {
            if !is_given && !self.rules.is_generated(position) && self.counter.column != Some(position) {
                let value = self.rules.default(position, &row, context)?;
                row[position] = self.rules.assign(position, &value, context)?;
            }
        }
        self.count(&mut row)?;
        self.rules.generate(&mut row, context)?;
        if let Some(triggers) = &self.triggers {
            triggers.before(TriggerRow::Insert(&mut row), context)?;
            self.rules.refit(&mut row, context)?;
            self.rules.generate(&mut row, context)?;
            self.writer.borrow_mut().refresh(&context.catalog)?;
        }
        self.rules.check_nulls(&mut row, context)?;
        self.rules.check(&row, context)?;
        let mut writer = self.writer.borrow_mut();
        writer.check_open()?;
        let new = writer.stored(self.table, row)?;
        let mut has_replaced = false;
        loop {
            let duplicate = match writer.insert(self.table, &new)? {
                Written::Done => {
                    self.tally.affected += 1;
                    if let Some(returning) = &mut self.returning {
                        returning.add(&new.row, context)?;
                    }
                    // REPLACE runs BEFORE INSERT triggers alone, and so does a row that ON DUPLICATE KEY UPDATE changes: the
                    // reference gives AFTER INSERT triggers columns there that are not those of the row.
                    let runs = !matches!(*self.on_duplicate, OnDuplicate::Replace);
                    if let Some(triggers) = self.triggers.as_ref().filter(|_| runs) {
                        triggers.after(TriggerRow::Insert(&mut new.row.clone()), context)?;
                        writer.refresh(&context.catalog)?;
                    }
                    return Ok(());
                }
                Written::Refused(duplicate) => duplicate,
            };
            let old =
                Stored { row: writer.editor(self.table).decode(&duplicate.entry)?, entry: duplicate.entry.clone() };
            match &*self.on_duplicate {
                OnDuplicate::Fail => return Err(writer.duplicate_error(self.table, &duplicate, &new.row)),
                OnDuplicate::Skip => {
                    let error = writer.duplicate_error(self.table, &duplicate, &new.row);
                    context.session.warn(error.errno, error.message);
                    self.tally.duplicates += 1;
                    return Ok(());
                }
                OnDuplicate::Replace => {
                    writer.delete(self.table, &old)?;
                    // However many rows go, the reference counts one.
                    if !std::mem::replace(&mut has_replaced, true) {
                        self.tally.affected += 1;
                        self.tally.duplicates += 1;
                    }
                }
                OnDuplicate::Update(assignments, types) => {
                    let changed = updated(&self.rules, (assignments, types), &old.row, (&new.row, &source), context)?;
                    self.tally.duplicates += 1;
                    if self.rules.are_same(&old.row, &changed) {
                        return Ok(());
                    }
                    let changed = writer.stored(self.table, changed)?;
                    if let Written::Refused(other) = writer.update(self.table, &old, &changed)? {
                        return Err(writer.duplicate_error(self.table, &other, &changed.row));
                    }
                    self.tally.affected += 2;
                    if let Some(returning) = &mut self.returning {
                        returning.add(&changed.row, context)?;
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Gives the AUTO_INCREMENT column its value, or takes note of the one it has.
    fn count(&mut self, row: &mut Row) -> Result<()> {
        let Some(column) = self.counter.column else { return Ok(()) };
        let is_zero = |value: &Value<'_>| number_of(value).is_none() && matches!(value::truth(value), Some(false));
        if row[column].is_null() || (is_zero(&row[column]) && !self.counter.takes_zero) {
            let next = self.counter.next;
            row[column] = value_of(next, &column_type(self.relation.as_ref(), column));
            self.tally.first_id.get_or_insert(next);
            self.tally.told_id.get_or_insert(next);
            self.move_counter(next.saturating_add(1));
        } else if let Some(number) = number_of(&row[column]) {
            self.tally.told_id.get_or_insert(number);
            if number >= self.counter.next {
                self.move_counter(number.saturating_add(1));
            }
        }
        Ok(())
    }

    /// Takes values for good: they are not given again when the statement fails.
    fn move_counter(&mut self, next: u64) {
        self.counter.next = next;
        self.writer.borrow().place().attached.counters.set(self.relation.name(), next);
    }

    fn finish(&mut self, context: &Rc<Context>) -> Result<Outcome> {
        match self.is_shared {
            true => context.catalog.transaction.keep_writer(self.writer.clone())?,
            false => self.writer.borrow_mut().publish(&context.catalog)?,
        }
        let Tally { rows, affected, duplicates, first_id, told_id, is_values, warnings } = &self.tally;
        let warnings = context.session.warning_count() - warnings;
        let info = format!("Records: {rows}  Duplicates: {duplicates}  Warnings: {warnings}");
        Ok(Outcome {
            affected: *affected,
            info: (*rows > 1 || !is_values).then_some(info),
            last_insert_id: *first_id,
            told_id: if *affected == 0 { None } else { *told_id },
            rows: self.returning.take().map(Returning::into_rows),
            ..Outcome::default()
        })
    }
}

impl Effect for Insert {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        self.writer.borrow().make_room()?;
        loop {
            if context.is_out_of_fuel() {
                return Ok(Progress::Yield);
            }
            match &mut self.rows {
                Rows::Values(rows, next) => {
                    let (rows, at) = (rows.clone(), *next);
                    let Some(values) = rows.get(at) else { break };
                    *next += 1;
                    context.spend(1);
                    let given = values.iter().map(|assigned| Given::of(assigned, context));
                    self.add(&given.collect::<Result<Vec<_>>>()?, context)?;
                }
                Rows::File(file) => {
                    let Some(given) = file.next(context)? else { break };
                    context.spend(1);
                    self.add(&given, context)?;
                }
                Rows::Query(source) => match source.next(context)? {
                    Poll::Yield => return Ok(Progress::Yield),
                    Poll::Done => break,
                    Poll::Batch(batch) => {
                        context.spend(batch.rows);
                        for row in 0..batch.rows {
                            self.add(&Given::of_row(&batch, row), context)?;
                        }
                    }
                },
            }
        }
        Ok(Progress::Done(self.finish(context)?))
    }
}

/// A value of a source row.
pub(super) enum Given<'a> {
    Default,
    Value(Value<'a>),
}

impl<'a> Given<'a> {
    fn of(assigned: &'a Assigned, context: &'a Context) -> Result<Given<'a>> {
        let Assigned::Value(expr) = assigned else { return Ok(Given::Default) };
        Ok(Given::Value(match &expr.kind {
            ExprKind::Literal(value) => value.borrowed(),
            ExprKind::Param(n) if (*n as usize) < context.params.len() => context.params[*n as usize].borrowed(),
            _ => expr.eval_constant(context)?,
        }))
    }

    fn value(&self) -> Value<'static> {
        match self {
            Given::Default => Value::Null,
            Given::Value(value) => value.borrowed().into_owned(),
        }
    }

    fn of_row(batch: &'a Batch, row: usize) -> Vec<Given<'a>> {
        batch.columns.iter().map(|column| Given::Value(column.value(row))).collect()
    }
}

/// The listed rows, bound.
fn bound_rows(
    values: &[&[ast::Expr]],
    columns: &[usize],
    rules: &RowRules,
    binder: &mut Binder<'_>,
) -> Result<Vec<Vec<Assigned>>> {
    let mut bound = Vec::with_capacity(values.len());
    for values in values {
        if values.len() != columns.len() && !values.is_empty() {
            return Err(wrong_count());
        }
        let row = binder.inserted_row(values)?;
        for (assigned, column) in row.iter().zip(columns) {
            if matches!(assigned, Assigned::Value(_)) && rules.is_generated(*column) {
                return Err(rules.not_allowed(*column));
            }
        }
        bound.push(row);
    }
    Ok(bound)
}

/// Rows whose subqueries are computed.
fn computed(rows: Vec<Vec<Assigned>>, mut types: Vec<ExprType>, context: &Rc<Context>) -> Result<Vec<Vec<Assigned>>> {
    let compute = |expr: Expr, types: &mut Vec<ExprType>| -> Result<Expr> {
        let ty = expr.ty.clone();
        Ok(Expr::literal(computed_expr(Plan::Unit, expr, types, context)?, ty))
    };
    let mut done = Vec::with_capacity(rows.len());
    for row in rows {
        let mut values = Vec::with_capacity(row.len());
        for assigned in row {
            values.push(match assigned {
                Assigned::Value(expr) if expr.any(&is_subquery) => Assigned::Value(compute(expr, &mut types)?),
                other => other,
            });
        }
        done.push(values);
    }
    Ok(done)
}

/// The value of an expression over the one row of a plan.
fn computed_expr(input: Plan, expr: Expr, types: &mut Vec<ExprType>, context: &Rc<Context>) -> Result<Value<'static>> {
    let id = types.len() as u32;
    types.push(expr.ty.clone());
    let plan = rules::optimize(input.project(vec![(id, expr)]), types, context)?;
    let mut source = exec::lower(&plan, types)?.build(context)?;
    loop {
        match source.next(context)? {
            Poll::Batch(batch) => return Ok(batch.value(0, 0).into_owned()),
            Poll::Yield => context.refuel(i64::MAX),
            Poll::Done => return Ok(Value::Null),
        }
    }
}

fn is_subquery(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Subquery(_))
}

fn has_subquery(assigned: &Assigned) -> bool {
    matches!(assigned, Assigned::Value(expr) if expr.any(&is_subquery))
}

fn looks_at_names(assigned: &Assigned) -> bool {
    matches!(assigned, Assigned::Value(expr) if expr.any(&is_about_names))
}

impl Counter {
    fn new(writer: &mut Writer, table: usize, rules: &RowRules, context: &Context) -> Result<Counter> {
        let Some(column) = rules.auto_increment else { return Ok(Counter::default()) };
        let here = writer.editor(table).auto_increment();
        let place = writer.place();
        let name = writer.name(table);
        let next = place.attached.counters.next(place, name, here)?;
        let takes_zero = context.session.variables.borrow().has_sql_mode("NO_AUTO_VALUE_ON_ZERO");
        Ok(Counter { column: Some(column), next, takes_zero })
    }
}

/// What ON DUPLICATE KEY UPDATE makes of a row.
fn updated(
    rules: &RowRules,
    (assignments, types): (&[(usize, Assigned)], &[ExprType]),
    old: &Row,
    (new, source): (&Row, &Row),
    context: &Rc<Context>,
) -> Result<Row> {
    let mut both: Row = old.iter().chain(new).chain(source).cloned().collect();
    let mut assigned_columns = Vec::with_capacity(assignments.len());
    for (position, assigned) in assignments {
        if rules.is_generated(*position) && matches!(assigned, Assigned::Value(_)) {
            return Err(rules.not_allowed(*position));
        }
        let value = match assigned {
            Assigned::Default => rules.default(*position, old, context)?,
            Assigned::Value(expr) if expr.any(&is_subquery) => query_over(expr, &both, types, context)?,
            Assigned::Value(expr) => eval_over(expr, &both, context)?,
        };
        both[*position] = rules.assign_changed(*position, &value, context)?;
        assigned_columns.push(*position);
    }
    both.truncate(old.len());
    rules.complete_update(old, &mut both, &assigned_columns, context)?;
    Ok(both)
}

/// The value of an expression with subqueries over a row, whose columns have the first numbers of the statement.
fn query_over(expr: &Expr, row: &Row, types: &[ExprType], context: &Rc<Context>) -> Result<Value<'static>> {
    let columns = (0..row.len() as u32).collect();
    let literal = |value: &Value<'static>| Expr::literal(value.clone(), ExprType::of(value));
    let values = Values { columns, rows: vec![row.iter().map(literal).collect()], is_counted: false };
    computed_expr(Plan::Values(values), expr.clone(), &mut types.to_vec(), context)
}

fn column_type(relation: &dyn Relation, column: usize) -> value::SqlType {
    relation.columns()[column].ty.sql.clone()
}

/// The positions of the columns that the source gives values for.
fn columns_of(insert: &ast::Insert, relation: &dyn Relation, rules: &RowRules) -> Result<Vec<usize>> {
    let names: Vec<&ast::ColumnName> = match &insert.source {
        InsertSource::Set(assignments) => assignments.iter().map(|assignment| &assignment.column).collect(),
        _ => insert.columns.iter().collect(),
    };
    let all = relation.columns();
    if names.is_empty() && !matches!(insert.source, InsertSource::Set(_)) {
        let shown = (0..all.len()).filter(|position| !all[*position].hidden);
        // A row may leave generated columns out, or say DEFAULT for them.
        let stored: Vec<usize> = shown.clone().filter(|position| !rules.is_generated(*position)).collect();
        let width = match &insert.source {
            InsertSource::Values(rows) => rows.first().map(|row| row.values.len()),
            _ => None,
        };
        return Ok(if width == Some(stored.len()) { stored } else { shown.collect() });
    }
    let mut positions = Vec::with_capacity(names.len());
    for name in names {
        let position = all.iter().position(|column| name.name.is(&column.name) && !column.hidden);
        let unknown = || SqlError::new(1054, format!("Unknown column '{}' in '{}'", name.name.text, relation.name()));
        let position = position
            .ok_or_else(unknown)
            .map_err(|error| error.at(name.span).with_hint(hint::column(&name.name.text, all)))?;
        if positions.contains(&position) {
            let text = format!("column '{}' specified twice", rules.column_name(position));
            return Err(SqlError::new(1110, text).at(name.span));
        }
        positions.push(position);
    }
    Ok(positions)
}

/// `INSERT INTO t () VALUES ()`: every column takes its default, and NULL where it has none.
fn has_empty_rows(insert: &ast::Insert) -> bool {
    matches!(&insert.source, InsertSource::Values(rows) if rows.iter().all(|row| row.values.is_empty()))
}

/// Why nothing can be added to a table that is computed.
fn refused(insert: &ast::Insert, relation: &dyn Relation) -> SqlError {
    let width = match insert.columns.len() {
        0 => relation.columns().iter().filter(|column| !column.hidden).count(),
        named => named,
    };
    match &insert.source {
        InsertSource::Values(rows) if rows.iter().any(|row| row.values.len() != width) => wrong_count(),
        _ if relation.name().eq_ignore_ascii_case("dolt_branches") => {
            let text = "the dolt_branches table is read-only; use the dolt_branch stored procedure to edit remotes";
            SqlError::general(text)
        }
        _ => SqlError::general("table doesn't support INSERT INTO"),
    }
}

fn wrong_count() -> SqlError {
    SqlError::general("number of values does not match number of columns provided")
}

/// Errors of a row that INSERT IGNORE passes over.
fn may_be_ignored(error: &SqlError) -> bool {
    matches!(error.errno, 1062 | 1452 | 1048 | 1366) || error.message.starts_with("Check constraint")
}
