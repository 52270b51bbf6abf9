//! INSERT and REPLACE.

mod binding;
mod counter;
mod given;
mod literals;
mod long_list;
mod on_duplicate;
mod subqueries;
mod text_rows;
mod written_forms;

use std::rc::Rc;

use parse::ast::{self, TriggerEvent};
use value::Value;

use super::load_data::FileRows;
use super::returning::Returning;
use crate::batch::Batch;
use crate::bind::Assigned;
use crate::catalog::{CatalogVersion, Relation};
use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::{Result, SqlError};
use crate::exec::{Poll, Source};
use crate::expr::{Context, ExprType};
use crate::prepared::{Prepared, WritePlan};
use crate::routine::{TriggerRow, Triggers};
use crate::session::Session;
use crate::state::WRITE_WORK;
use crate::write::{
    MergePoint, Row, RowRules, SharedWriter, Stored, Writer, Written, base_of, differs_in_letters, shared,
};

pub use binding::check;
use counter::Counter;
pub use given::Given;
use literals::Literals;
use long_list::LongList;
use on_duplicate::{OnDuplicate, updated};
use subqueries::constants;
use text_rows::TextRows;

/// So many listed rows are added in one step, which takes some milliseconds.
const STEP_ROWS: usize = 1024;

/// What it costs to write a row, beside its bytes.
pub(super) const STORED_ROW_WORK: usize = 1 << 10;

/// Where the rows come from.
enum Rows {
    /// Listed ones, and how many of them were added.
    Values(Rc<[Vec<Assigned>]>, usize),
    Literals(Literals),
    /// Listed ones that are not all computed.
    LongList(Box<LongList>),
    /// Those of a query, and the batch of it whose rows are being added, with how many of them were.
    Query(Source, Option<(Batch, usize)>),
    File(Box<FileRows>),
    Text(Box<TextRows>),
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
    /// Memory for where the columns of a row come from.
    filled: Vec<Filled>,
    /// All rows were added.
    is_complete: bool,
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
    version: CatalogVersion,
}

/// Where the value of a column comes from.
#[derive(Clone, Copy)]
enum Filled {
    /// The source has no such column.
    LeftOut,
    /// The source says DEFAULT.
    Default,
    Value,
}

#[derive(Default)]
struct Tally {
    rows: u64,
    affected: u64,
    duplicates: u64,
    /// The AUTO_INCREMENT value of the row that is being added, and whether it was generated.
    row_id: Option<(u64, bool)>,
    /// Whether a row was added whose value was generated: the first one's is LAST_INSERT_ID().
    has_generated: bool,
    /// The value of the first row that was added, generated or brought along.
    told_id: Option<u64>,
    is_values: bool,
    warnings: usize,
}

impl Tally {
    /// Takes note of the AUTO_INCREMENT value of a row that was added.
    fn note_id(&mut self, context: &Context) {
        let Some((id, is_generated)) = self.row_id else { return };
        self.told_id.get_or_insert(id);
        if is_generated && !std::mem::replace(&mut self.has_generated, true) {
            context.session.last_insert_id.set(id);
        }
    }
}

/// Begins an INSERT or REPLACE.
pub fn run(session: &Session, prepared: &Prepared, insert: &ast::Insert, context: Rc<Context>) -> Result<Cursor> {
    let effect = match InsertPlan::again(session, prepared, &context)? {
        Some(mut effect) if prepared.is_small_change() => match effect.next(&context)? {
            Progress::Done(outcome) => return Ok(Cursor::of_outcome(outcome, context)),
            Progress::Yield => effect,
        },
        Some(effect) => effect,
        None => {
            session.catalog().transaction.publish()?;
            Insert::new(session, &prepared.sql, insert, Some(prepared), &context)?
        }
    };
    Ok(Cursor::of_running(Box::new(effect), context))
}

impl WritePlan for InsertPlan {
    fn changes_single_rows(&self) -> bool {
        true
    }

    fn is_one_step(&self, literal_rows: usize) -> bool {
        self.rows.len().max(literal_rows) <= STEP_ROWS
    }
}

impl InsertPlan {
    /// The statement by the plan of the last time, if that still serves.
    fn again(session: &Session, prepared: &Prepared, context: &Rc<Context>) -> Result<Option<Insert>> {
        let Some(plan) = prepared.write_plan::<InsertPlan>() else { return Ok(None) };
        if !context.has_parameters(&plan.parameters) || !context.catalog.is_placed_as(&plan.version) {
            return Ok(None);
        }
        let base = base_of(&plan.relation)?;
        let Some((writer, table)) = shared(plan.database.as_deref(), base, context)? else { return Ok(None) };
        if Triggers::exist(session, &writer.borrow(), base.name(), TriggerEvent::Insert)? {
            return Ok(None);
        }
        let rules = RowRules::new(base, context, plan.is_lenient)?;
        let counter = Counter::new(&mut writer.borrow_mut(), table, &rules, &plan.columns, context)?;
        Ok(Some(Insert {
            writer,
            is_shared: true,
            table,
            relation: plan.relation.clone(),
            rules,
            columns: plan.columns.clone(),
            rows: listed(&plan.rows, Some(prepared), &plan.relation, &plan.columns)?,
            on_duplicate: plan.on_duplicate.clone(),
            triggers: None,
            counter,
            tally: Tally { is_values: true, warnings: context.session.warning_count(), ..Tally::default() },
            returning: None,
            filled: Vec::new(),
            is_complete: false,
        }))
    }
}

/// The rows of a statement, whose own list has only the first where all are literals, or one of parameters where a text has them.
fn listed(
    rows: &Rc<[Vec<Assigned>]>,
    prepared: Option<&Prepared>,
    relation: &Rc<dyn Relation>,
    columns: &[usize],
) -> Result<Rows> {
    let Some(prepared) = prepared else { return Ok(Rows::Values(rows.clone(), 0)) };
    Ok(match (&prepared.literals, &prepared.rows_text) {
        (Some((literals, options)), _) => Rows::Literals(Literals::new(prepared.sql.clone(), literals, *options)),
        (None, Some(text)) => {
            let targets = columns.iter().map(|position| &relation.columns()[*position]);
            Rows::Text(Box::new(TextRows::new(text, rows, prepared.parameters, targets)?))
        }
        (None, None) => Rows::Values(rows.clone(), 0),
    })
}

impl Insert {
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
            Err(error) if self.rules.is_lenient() && may_be_ignored(&error) => {
                context.session.note(error.errno, error.into_message());
                Ok(())
            }
            outcome => outcome,
        }
    }

    fn try_add(&mut self, given: &[Given<'_>], context: &Rc<Context>) -> Result<()> {
        // Only ON DUPLICATE KEY UPDATE looks at them again.
        let source: Row = match (&*self.on_duplicate, &self.rows) {
            (OnDuplicate::Update(..), Rows::Query(..)) => given.iter().map(Given::value).collect(),
            _ => Row::new(),
        };
        let row = self.complete(given, context)?;
        let writer = self.writer.clone();
        let mut writer = writer.borrow_mut();
        writer.check_open()?;
        let new = writer.stored(self.table, row)?;
        context.work(STORED_ROW_WORK + 4 * (new.entry.key.len() + new.entry.value.len()))?;
        let mut has_replaced = false;
        loop {
            let duplicate = match writer.insert(self.table, &new)? {
                Written::Done => return self.note_added(&mut writer, &new, context),
                Written::Refused(duplicate) => duplicate,
            };
            let old =
                Stored { row: writer.editor(self.table).decode(&duplicate.entry)?, entry: duplicate.entry.clone() };
            match &*self.on_duplicate {
                OnDuplicate::Fail => return Err(writer.duplicate_error(self.table, &duplicate, &new.row)),
                OnDuplicate::Skip => {
                    let error = writer.duplicate_error(self.table, &duplicate, &new.row);
                    context.session.note(error.errno, error.into_message());
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
                    return self.change(&mut writer, &old, changed, context);
                }
            }
        }
    }

    /// The row of the table that a row of the source becomes, as the rules of the table and BEFORE triggers leave it.
    fn complete(&mut self, given: &[Given<'_>], context: &Rc<Context>) -> Result<Row> {
        let mut row = self.fill(given, context)?;
        self.rules.generate(&mut row, context)?;
        if let Some(triggers) = &self.triggers {
            triggers.before(TriggerRow::Insert(&mut row), context)?;
            self.rules.refit(&mut row, context)?;
            self.rules.generate(&mut row, context)?;
            self.writer.borrow_mut().refresh(&context.catalog)?;
        }
        if self.may_fill() {
            self.check_left_out(&row)?;
        }
        self.rules.check_nulls(&mut row, context)?;
        self.rules.check(&row, context)?;
        Ok(row)
    }

    /// The values of a row of the source in their columns, and the defaults of missing ones; not generated values.
    fn fill(&mut self, given: &[Given<'_>], context: &Rc<Context>) -> Result<Row> {
        let mut row: Row = vec![Value::Null; self.relation.columns().len()];
        // `()` means DEFAULT for every column.
        let mut filled = std::mem::take(&mut self.filled);
        filled.clear();
        filled.resize(row.len(), if given.is_empty() { Filled::Default } else { Filled::LeftOut });
        // The counter moves even for a row whose other values do not fit.
        if let Some(counted) = self.counter.column {
            row[counted] = self.counted(counted, given, context)?;
            filled[counted] = Filled::Value;
        }
        for (&position, value) in self.columns.iter().zip(given) {
            match value {
                _ if self.counter.column == Some(position) => {}
                Given::Default => filled[position] = Filled::Default,
                Given::Value(_) if self.rules.is_generated(position) => {
                    if !self.rules.passes_over_generated() {
                        return Err(self.rules.not_allowed(position));
                    }
                }
                Given::Value(value) => {
                    filled[position] = Filled::Value;
                    let assigned = self.rules.assign_new(position, value, context);
                    row[position] = assigned.map_err(|error| self.missing(given).unwrap_or(error))?;
                }
            }
        }
        // A default may be computed of columns whose own defaults are values.
        let values = (0..row.len()).filter(|at| !self.rules.is_computed(*at));
        let computed = (0..row.len()).filter(|at| self.rules.is_computed(*at));
        for position in values.chain(computed).filter(|at| !self.rules.is_generated(*at)) {
            let value = match filled[position] {
                Filled::Value => continue,
                // A trigger may give the column its value.
                Filled::LeftOut if self.may_fill() && !self.rules.has_default(position) => continue,
                Filled::Default => self.rules.default(position, &row, context)?,
                Filled::LeftOut => self.rules.left_out(position, &row, context)?,
            };
            row[position] = self.rules.assign(position, &value, context)?;
        }
        self.filled = filled;
        Ok(row)
    }

    fn may_fill(&self) -> bool {
        !self.rules.is_lenient() && self.triggers.as_ref().is_some_and(Triggers::run_before)
    }

    /// The error of the first column that was left out, and that no trigger gave a value.
    fn check_left_out(&self, row: &Row) -> Result<()> {
        let is_missing = |at: &usize| !self.columns.contains(at) && row[*at].is_null() && !self.rules.has_default(*at);
        match (0..row.len()).find(is_missing) {
            Some(position) => Err(self.rules.no_default(position)),
            None => Ok(()),
        }
    }

    /// The error of the first NULL of a row that no column takes. It goes before those of values that do not fit.
    fn missing(&self, given: &[Given<'_>]) -> Option<SqlError> {
        let mut nulls = self.columns.iter().zip(given).filter(|(_, value)| matches!(value, Given::Value(Value::Null)));
        nulls.find_map(|(&position, _)| self.rules.null_error(position))
    }

    /// A row was added.
    fn note_added(&mut self, writer: &mut Writer, new: &Stored, context: &Rc<Context>) -> Result<()> {
        self.tally.affected += 1;
        self.tally.note_id(context);
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
        Ok(())
    }

    /// Gives the row that is in the way the values of ON DUPLICATE KEY UPDATE.
    fn change(&mut self, writer: &mut Writer, old: &Stored, changed: Row, context: &Rc<Context>) -> Result<()> {
        self.tally.duplicates += 1;
        // Other letters alone are written and do not count.
        let is_changed = !self.rules.are_same(&old.row, &changed);
        if !is_changed && !differs_in_letters(&old.row, &changed) {
            writer.touch_counter(self.table);
            return Ok(());
        }
        let changed = writer.stored(self.table, changed)?;
        if let Written::Refused(other) = writer.update(self.table, old, &changed)? {
            return Err(writer.duplicate_error(self.table, &other, &changed.row));
        }
        self.tally.affected += if is_changed { 2 } else { 0 };
        if let Some(returning) = &mut self.returning {
            returning.add(&changed.row, context)?;
        }
        Ok(())
    }

    fn finish(&mut self, context: &Rc<Context>) -> Result<Outcome> {
        match self.is_shared {
            true => context.catalog.transaction.keep_writer(self.writer.clone())?,
            false => self.writer.borrow_mut().publish_own(context)?,
        }
        let Tally { rows, affected, duplicates, told_id, is_values, warnings, .. } = &self.tally;
        let warnings = context.session.warning_count() - warnings;
        let info = format!("Records: {rows}  Duplicates: {duplicates}  Warnings: {warnings}");
        Ok(Outcome {
            affected: *affected,
            info: (*rows > 1 || !is_values).then_some(info),
            told_id: match &*self.on_duplicate {
                // A row that was changed has none of its own; LAST_INSERT_ID(id) among the assignments tells its.
                OnDuplicate::Update(..) => Some(context.session.last_insert_id.get()),
                _ => *told_id,
            },
            rows: self.returning.take().map(Returning::into_rows),
            ..Outcome::default()
        })
    }
}

impl Effect for Insert {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        self.writer.borrow().make_room()?;
        self.work(context).inspect_err(|error| self.writer.borrow().failed(error, &context.catalog.transaction))
    }
}

impl Insert {
    fn work(&mut self, context: &Rc<Context>) -> Result<Progress> {
        let has_caught_up = {
            let mut writer = self.writer.borrow_mut();
            let at = if self.is_shared { MergePoint::Shared } else { MergePoint::Between };
            writer.test_keys(context)? && writer.merge(at, context)?
        };
        if !has_caught_up {
            return Ok(Progress::Yield);
        }
        while !self.is_complete {
            if context.is_out_of_fuel() {
                return Ok(Progress::Yield);
            }
            context.spend_work(WRITE_WORK);
            match &mut self.rows {
                Rows::Values(rows, next) => {
                    if *next == 0
                        && let Some(constants) = constants(rows, context)?
                    {
                        *rows = constants.into();
                    }
                    let (rows, at) = (rows.clone(), *next);
                    let Some(values) = rows.get(at) else { break };
                    *next += 1;
                    context.spend(1);
                    let given = values.iter().map(|assigned| Given::of(assigned, context));
                    self.add(&given.collect::<Result<Vec<_>>>()?, context)?;
                }
                Rows::LongList(list) => match list.next(&self.columns, &self.rules, context)? {
                    Some(rows) => self.rows = Rows::Values(rows, 0),
                    None => return Ok(Progress::Yield),
                },
                Rows::Literals(literals) => {
                    let sql = literals.sql.clone();
                    let Some(given) = literals.next(&sql)? else { break };
                    context.spend(1);
                    self.add(&given, context)?;
                }
                Rows::File(file) => {
                    if !file.next()? {
                        break;
                    }
                    context.spend(1);
                    let bytes = file.bytes();
                    let given = file.row(&bytes, context)?;
                    self.add(&given, context)?;
                }
                Rows::Text(rows) => {
                    if !rows.next()? {
                        break;
                    }
                    context.spend(1);
                    let text = rows.text.clone();
                    let given = rows.row(&text);
                    let given = given.inspect_err(|_| rows.refuse())?;
                    if let Err(error) = self.add(&given, context) {
                        return Err(self.placed(error));
                    }
                }
                Rows::Query(source, held) => match held.take() {
                    None => match source.next(context)? {
                        Poll::Yield => return Ok(Progress::Yield),
                        Poll::Done => break,
                        Poll::Batch(batch) => *held = Some((batch, 0)),
                    },
                    Some((batch, row)) => {
                        if row + 1 < batch.rows {
                            *held = Some((batch.clone(), row + 1));
                        }
                        context.spend(1);
                        self.add(&Given::of_row(&batch, row), context)?;
                    }
                },
            }
        }
        self.is_complete = true;
        if !self.is_shared && !self.writer.borrow_mut().finish_step(context)? {
            return Ok(Progress::Yield);
        }
        Ok(Progress::Done(self.finish(context)?))
    }
}

impl Insert {
    /// The error of adding a row, with its position.
    fn placed(&mut self, error: SqlError) -> SqlError {
        match &mut self.rows {
            Rows::Text(rows) => rows.placed(error),
            _ => error,
        }
    }
}

/// Errors of a row that IGNORE passes over.
pub(super) fn may_be_ignored(error: &SqlError) -> bool {
    matches!(error.errno, 1062 | 1452 | 1048 | 1366 | 1369) || error.message.starts_with("Check constraint")
}
