//! Binding of INSERT: the table, its columns, the rows, what happens to duplicates.

use std::cell::RefCell;
use std::rc::Rc;

use parse::ast::{self, InsertSource, TriggerEvent};

use super::counter::Counter;
use super::long_list::LongList;
use super::on_duplicate::OnDuplicate;
use super::subqueries::{computed, has_subquery};
use super::{Insert, InsertPlan, Rows, Tally, listed};
use crate::bind::{Assigned, Binder, Bound};
use crate::catalog::{Column, Found, Place, Relation, Updatable, View};
use crate::error::{Result, SqlError};
use crate::exec;
use crate::expr::{Context, ExprType};
use crate::hint;
use crate::names::{SessionNames, is_about_names};
use crate::optimizer;
use crate::page::ResultColumn;
use crate::plan::Plan;
use crate::prepared::{LARGE_TEXT_BYTES, Prepared};
use crate::routine::Triggers;
use crate::session::Session;
use crate::statements::ddl::user_space;
use crate::statements::dml::returning::Returning;
use crate::write::{RowChange, RowRules, Writer, base_of, definitions};

impl Insert {
    /// The statement; what it binds is kept with `prepared` where it may serve again.
    pub(super) fn new(
        session: &Session,
        sql: &str,
        insert: &ast::Insert,
        prepared: Option<&Prepared>,
        context: &Rc<Context>,
    ) -> Result<Insert> {
        let version = session.catalog().version();
        let Target { place, relation, view } = target(session, insert)?;
        let is_lenient = insert.ignore;
        let mut rules = RowRules::new(base_of(&relation)?, context, is_lenient)?;
        if let Some((view, updatable)) = &view {
            let checks = Binding::new(session, sql, insert, context).binder().view_checks(view, updatable)?;
            rules = rules.with_view_checks(&checks.into());
        }
        let named = view.as_ref().map(|(_, updatable)| updatable.named_columns());
        let named = named.as_deref().unwrap_or(relation.columns());
        let name = view.as_ref().map_or(relation.name(), |(view, _)| &view.name);
        let order = view.as_ref().map(|(_, updatable)| &updatable.columns[..]);
        let columns: Rc<[usize]> = match columns_of(insert, (name, named), order) {
            Ok(columns) => columns.into(),
            // Errors of the query are reported first.
            Err(error) => return Err(Binding::new(session, sql, insert, context).query_error().unwrap_or(error)),
        };
        // A value for a generated column is refused before any row is added: all rows have to be looked at.
        if prepared.is_some_and(|prepared| prepared.literals.is_some())
            && !rules.passes_over_generated()
            && columns.iter().any(|column| rules.is_generated(*column))
        {
            let whole = session.read(sql)?;
            if let ast::StatementKind::Insert(insert) = &whole.statement.kind {
                return Insert::new(session, sql, insert, None, context);
            }
        }
        let triggers = Triggers::of_table(session, &place, base_of(&relation)?, TriggerEvent::Insert)?;
        check_absent(insert, relation.as_ref(), &rules, &columns, triggers.as_ref())?;

        let mut binding = Binding::new(session, sql, insert, context);
        let (rows, source_columns) = match prepared.and_then(LongList::of) {
            Some(list) => (Rows::LongList(Box::new(list)), Vec::new()),
            None => binding.rows(&columns, &rules)?,
        };
        let on_duplicate = Rc::new(binding.on_duplicate((name, named), &columns, &source_columns)?);
        let is_temporary = place.attached.is_temporary;
        let mut writer = Writer::new(context, place)?;
        let puts_alone = insert.on_duplicate.is_empty() && !insert.replace;
        writer.resolve_keys(relation.name(), if puts_alone { RowChange::Inserted } else { RowChange::Replaced })?;
        let table = writer.open(relation.name())?;
        let counter = Counter::new(&mut writer, table, &rules, &columns, context)?;
        let tally = Tally {
            is_values: matches!(insert.source, InsertSource::Values(_)),
            warnings: context.session.warning_count(),
            ..Tally::default()
        };
        let returning = Returning::of(session, sql, insert, relation.as_ref(), context)?;
        let serves_again =
            binding.serves_again() && view.is_none() && !is_temporary && triggers.is_none() && returning.is_none();
        if let (Some(prepared), Rows::Values(rows, _)) = (prepared.filter(|_| serves_again), &rows) {
            prepared.keep_write_plan(Rc::new(InsertPlan {
                database: database_of(insert).map(Box::from),
                relation: relation.clone(),
                columns: columns.clone(),
                rows: rows.clone(),
                on_duplicate: on_duplicate.clone(),
                is_lenient,
                parameters: binding.parameters,
                version,
            }));
        }
        let rows = match rows {
            Rows::Values(first, _) => listed(&first, prepared, &relation, &columns)?,
            other => other,
        };
        Ok(Insert {
            writer: Rc::new(RefCell::new(writer)),
            is_shared: false,
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
            filled: Vec::new(),
            is_complete: false,
        })
    }
}

fn database_of(insert: &ast::Insert) -> Option<&str> {
    insert.table.database.as_ref().map(|database| &*database.text)
}

/// The table that rows are added to.
struct Target {
    place: Place,
    relation: Rc<dyn Relation>,
    /// That was named in its stead.
    view: Option<(View, Updatable)>,
}

/// The table that a statement means. One that Dolt reads and people write is made when it is not there yet.
fn target(session: &Session, insert: &ast::Insert) -> Result<Target> {
    let catalog = session.catalog();
    let name = &insert.table;
    if vcs::is_system_table(&name.name.text) {
        user_space::make_where_meant(catalog, name)?;
    }
    match catalog.relation(name, None).map_err(|error| error.at(name.span))? {
        Found::Relation(relation)
            if vcs::is_system_table(relation.name())
                && (relation.base().is_none() || definitions::are_in(relation.name())) =>
        {
            Err(refused(insert, relation.as_ref()))
        }
        Found::Relation(relation) => {
            Ok(Target { place: catalog.place_of_table(relation.as_ref())?, relation, view: None })
        }
        Found::View(view) => {
            let find =
                |name: &ast::ObjectName, database: &str| catalog.relation_in(Some(database), &name.name.text, None);
            let Some(updatable) = view.updatable(&find)? else {
                let has_columns = !insert.columns.is_empty() || matches!(insert.source, InsertSource::Set(_));
                return Err(view.not_updatable("INSERT", has_columns).at(name.span));
            };
            let relation = updatable.table.clone();
            Ok(Target { place: catalog.place_of_table(relation.as_ref())?, relation, view: Some((view, updatable)) })
        }
    }
}

/// Binds a statement whose parameters have no values yet, and forgets what came of it.
///
/// # Errors
/// Those of names and counts.
pub fn check(
    session: &Session,
    sql: &str,
    insert: &ast::Insert,
    parameters: &[ExprType],
    context: &Rc<Context>,
) -> Result<()> {
    let Found::Relation(relation) = session.catalog().relation(&insert.table, None)? else { return Ok(()) };
    let Some(base) = relation.base() else { return Ok(()) };
    let rules = RowRules::new(base, context, insert.ignore)?;
    let columns = columns_of(insert, (relation.name(), relation.columns()), None)?;
    let mut binding = Binding::new(session, sql, insert, context);
    binding.parameters = parameters.to_vec();
    let mut source = Vec::new();
    match &insert.source {
        InsertSource::Query(query) => source = binding.source(query, columns.len())?.columns,
        InsertSource::Set(_) => {}
        InsertSource::Values(rows) => {
            let values: Vec<&[ast::Expr]> = rows.iter().map(|row| &row.values[..]).collect();
            bound_rows(&values, &columns, &rules, &mut binding.binder())?;
        }
    }
    binding.on_duplicate((relation.name(), relation.columns()), &columns, &source).map(drop)
}

/// What the parts of an INSERT are bound with.
struct Binding<'a> {
    sql: &'a str,
    insert: &'a ast::Insert,
    names: SessionNames,
    parameters: Vec<ExprType>,
    context: &'a Rc<Context>,
    /// Whether an expression may answer differently when names have changed.
    looks_at_names: bool,
}

impl<'a> Binding<'a> {
    fn new(session: &Session, sql: &'a str, insert: &'a ast::Insert, context: &'a Rc<Context>) -> Binding<'a> {
        let names = SessionNames::new(session.catalog().clone(), context.clone());
        Binding { sql, insert, names, parameters: context.parameter_types(), context, looks_at_names: false }
    }

    fn binder(&self) -> Binder<'_> {
        Binder::new(&self.names, self.sql, &self.parameters)
    }

    fn serves_again(&self) -> bool {
        !self.looks_at_names && !self.names.is_volatile()
    }

    /// Where the rows come from; of a query its columns, too.
    fn rows(&mut self, columns: &[usize], rules: &RowRules) -> Result<(Rows, Vec<ResultColumn>)> {
        match &self.insert.source {
            InsertSource::Query(query) => {
                let rows = self.query(query, columns, rules)?;
                match columns.iter().find(|column| rules.is_generated(**column)) {
                    Some(column) if !self.insert.columns.is_empty() => Err(rules.not_allowed(*column)),
                    _ => Ok(rows),
                }
            }
            InsertSource::Set(assignments) => {
                let values: Vec<ast::Expr> = assignments.iter().map(|assignment| assignment.value.clone()).collect();
                Ok((self.listed(&[&values[..]], columns, rules)?, Vec::new()))
            }
            InsertSource::Values(rows) => {
                let values: Vec<&[ast::Expr]> = rows.iter().map(|row| &row.values[..]).collect();
                Ok((self.listed(&values, columns, rules)?, Vec::new()))
            }
        }
    }

    /// The query that gives the rows, bound.
    fn source(&self, query: &ast::Query, width: usize) -> Result<Bound> {
        let bound = self.binder().source(&self.with_tables(query))?;
        if bound.columns.len() != width { Err(wrong_count()) } else { Ok(bound) }
    }

    fn query(&self, query: &ast::Query, columns: &[usize], rules: &RowRules) -> Result<(Rows, Vec<ResultColumn>)> {
        let bound = self.source(query, columns.len())?;
        let mut bound = bound.into_columns(columns.iter().map(|column| rules.type_of(*column)));
        let source = if self.sql.len() < LARGE_TEXT_BYTES {
            let plan = optimizer::optimize(bound.plan, &mut bound.types, self.context)?;
            exec::lower(&plan, &bound.types)?.build(self.context)?
        } else {
            optimizer::in_turns(bound.plan, bound.types)
        };
        Ok((Rows::Query(source, None), bound.columns))
    }

    /// The query with the common tables before INSERT.
    fn with_tables(&self, query: &ast::Query) -> ast::Query {
        let mut query = query.clone();
        if query.with.is_none() {
            query.with = self.insert.with.clone();
        }
        query
    }

    fn query_error(&self) -> Option<SqlError> {
        match &self.insert.source {
            InsertSource::Query(query) => self.binder().query(&self.with_tables(query)).err(),
            _ => None,
        }
    }

    fn listed(&mut self, values: &[&[ast::Expr]], columns: &[usize], rules: &RowRules) -> Result<Rows> {
        let mut binder = self.binder();
        let rows = bound_rows(values, columns, rules, &mut binder)?;
        let types = binder.into_types();
        self.looks_at_names |= rows.iter().flatten().any(looks_at_names);
        let rows = if rows.iter().flatten().any(has_subquery) { computed(rows, types, self.context)? } else { rows };
        Ok(Rows::Values(rows.into(), 0))
    }

    fn on_duplicate(
        &mut self,
        table: (&str, &[Column]),
        given: &[usize],
        source: &[ResultColumn],
    ) -> Result<OnDuplicate> {
        let insert = self.insert;
        Ok(match &insert.on_duplicate[..] {
            _ if insert.replace => OnDuplicate::Replace,
            [] if insert.ignore => OnDuplicate::Skip,
            [] => OnDuplicate::Fail,
            assignments => {
                let mut binder = self.binder();
                let bound = binder.on_duplicate(table, given, insert.row_alias.as_ref(), source, assignments)?;
                let in_columns = bound.into_iter().map(|(position, assigned)| {
                    let column = &table.1[position];
                    (position, assigned.into_column(&column.ty.sql, &Plan::Unit))
                });
                let bound: Vec<(usize, Assigned)> = in_columns.collect();
                let types = binder.into_types();
                self.looks_at_names |= bound.iter().any(|(_, assigned)| looks_at_names(assigned));
                OnDuplicate::Update(bound, types)
            }
        })
    }
}

fn looks_at_names(assigned: &Assigned) -> bool {
    matches!(assigned, Assigned::Value(expr) if expr.any(&is_about_names))
}

/// The listed rows, bound.
pub(super) fn bound_rows(
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
        let mut row = binder.inserted_row(values)?;
        for (assigned, column) in row.iter_mut().zip(columns) {
            if matches!(assigned, Assigned::Value(_)) && rules.is_generated(*column) {
                if !rules.passes_over_generated() {
                    return Err(rules.not_allowed(*column));
                }
                *assigned = Assigned::Default;
            }
            *assigned = std::mem::replace(assigned, Assigned::Default).into_column(rules.type_of(*column), &Plan::Unit);
        }
        bound.push(row);
    }
    Ok(bound)
}

/// Columns that the statement gives no value for have a default. Rows of a query look for themselves: there may be none.
fn check_absent(
    insert: &ast::Insert,
    relation: &dyn Relation,
    rules: &RowRules,
    columns: &[usize],
    triggers: Option<&Triggers>,
) -> Result<()> {
    let is_query = matches!(insert.source, InsertSource::Query(_));
    let may_be_filled = triggers.is_some_and(Triggers::run_before);
    if insert.ignore || is_query || may_be_filled || has_empty_rows(insert) {
        return Ok(());
    }
    let mut absent = (0..relation.columns().len()).filter(|position| !columns.contains(position));
    match absent.find(|position| !rules.has_default(*position)) {
        Some(position) => Err(rules.no_default(position)),
        None => Ok(()),
    }
}

/// The positions of the columns that the source gives values for.
///
/// @param order of a view: its columns
fn columns_of(
    insert: &ast::Insert,
    (table, all): (&str, &[Column]),
    order: Option<&[(Rc<str>, usize)]>,
) -> Result<Vec<usize>> {
    let names: Vec<&ast::ColumnName> = match &insert.source {
        InsertSource::Set(assignments) => assignments.iter().map(|assignment| &assignment.column).collect(),
        _ => insert.columns.iter().collect(),
    };
    if names.is_empty() && !matches!(insert.source, InsertSource::Set(_)) {
        return Ok(match order {
            Some(columns) => columns.iter().map(|(_, position)| *position).collect(),
            None => (0..all.len()).filter(|position| !all[*position].hidden).collect(),
        });
    }
    let mut positions = Vec::with_capacity(names.len());
    for name in names {
        let position = all.iter().position(|column| name.name.is(&column.name) && !column.hidden);
        let unknown = || SqlError::new(1054, format!("Unknown column '{}' in '{table}'", name.name.text));
        let position = position
            .ok_or_else(unknown)
            .map_err(|error| error.at(name.span).with_hint(hint::column(&name.name.text, all)))?;
        if positions.contains(&position) {
            let text = format!("column '{}' specified twice", all[position].name);
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
