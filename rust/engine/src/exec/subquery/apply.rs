//! Apply operator: a subquery in an expression gives one value for each row of the input.

use std::cell::RefCell;
use std::rc::Rc;

use value::Value;

use super::memo::{Answers, Members};
use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::exec::join::hash_table::END;
use crate::exec::join::runtime_filter::RuntimeFilter;
use crate::exec::join::shared_hash_table;
use crate::exec::join::shared_hash_table::{Next, SharedHashTable};
use crate::exec::operator::{Operator, Poll, Source, pull};
use crate::exec::physical_plan::PhysicalPlan;
use crate::expr::{CompareOp, Comparison, Context, Expr};
use crate::plan::{OuterSlot, SubqueryTest};
use crate::vector::VectorBuilder;

pub struct Apply {
    pub input: Source,
    pub input_columns: usize,
    pub inner: PhysicalPlan,
    pub test: SubqueryTest,
    pub outer: Rc<[(OuterSlot, usize)]>,
    pub tested: Rc<[Expr]>,
    pub comparisons: Rc<[Comparison]>,
    /// What is read of a row decides the answer.
    pub repeats: bool,
    pub decorrelated: Option<Decorrelated>,
    pub state: State,
}

/// The answers for all rows, by keys, once so many have been asked for one by one.
pub struct Decorrelated {
    /// Gives the keys, then the answer.
    pub rows: PhysicalPlan,
    pub after: u64,
    pub settings: Rc<shared_hash_table::Settings>,
}

#[derive(Default)]
pub struct State {
    batch: Option<Batch>,
    answers: Option<VectorBuilder>,
    running: Option<(Source, Answer)>,
    /// An inner plan that reads nothing of the row has one set of rows: kept after the first run.
    rows: Option<Rc<Vec<Batch>>>,
    collecting: Option<(Source, Vec<Batch>)>,
    /// With no tested values either, one answer serves all rows.
    answer: Option<Value<'static>>,
    /// The kept rows, to find tested values among.
    members: Option<Members>,
    /// What is known of the rows of the batch.
    found: Vec<Option<Value<'static>>>,
    /// How many rows were asked for one by one.
    kept: Option<Rc<RefCell<SharedHashTable>>>,
    /// The answer for a row that equals none of the keys, once it is known.
    nothing: Option<Value<'static>>,
    known: Answers,
    /// Where the answer that is being found will be kept, and how many warnings there were before.
    asked: Option<(Vec<u8>, usize)>,
}

/// What is known after some inner rows.
struct Answer {
    tested: Vec<Value<'static>>,
    value: Option<Value<'static>>,
    unknown: bool,
}

fn more_than_one() -> SqlError {
    SqlError::new(1242, "the subquery returned more than 1 row")
}

/// What a true comparison decides is `ANY`, what a false one does `ALL`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    Any,
    All,
}

enum Progress {
    Decided(Value<'static>),
    More,
}

impl Answer {
    /// Takes the inner rows of one batch into account.
    fn see(&mut self, batch: &Batch, test: SubqueryTest, comparisons: &[Comparison]) -> Result<Progress> {
        match test {
            SubqueryTest::Exists => return Ok(Progress::Decided(Value::Int(1))),
            SubqueryTest::Scalar => {
                if batch.rows > 1 || self.value.is_some() {
                    return Err(more_than_one());
                }
                self.value = Some(batch.value(0, 0).into_owned());
            }
            SubqueryTest::Row(op) => {
                if batch.rows > 1 || self.value.is_some() {
                    return Err(more_than_one());
                }
                self.value = Some(match self.row_test(batch, op, comparisons)? {
                    Some(truth) => Value::Int(i64::from(truth)),
                    None => Value::Null,
                });
            }
            SubqueryTest::In => return self.compare_all(batch, CompareOp::Equal, Quantifier::Any, comparisons),
            SubqueryTest::Any(op) => return self.compare_all(batch, op, Quantifier::Any, comparisons),
            SubqueryTest::All(op) => return self.compare_all(batch, op, Quantifier::All, comparisons),
        }
        Ok(Progress::More)
    }

    /// Rows are equal when all their values are; otherwise the first values that differ decide.
    fn row_test(&self, batch: &Batch, op: CompareOp, how: &[Comparison]) -> Result<Option<bool>> {
        let by_order = !matches!(op, CompareOp::Equal | CompareOp::NullSafeEqual | CompareOp::NotEqual);
        let mut equal = Some(true);
        for (column, (tested, comparison)) in self.tested.iter().zip(how).enumerate() {
            let value = batch.value(column, 0);
            let same = if op == CompareOp::NullSafeEqual { op } else { CompareOp::Equal };
            match same.test(comparison, tested, &value)? {
                Some(true) => {}
                Some(false) if by_order => return op.test(comparison, tested, &value),
                Some(false) => {
                    equal = Some(false);
                    break;
                }
                None if by_order => return Ok(None),
                None => equal = None,
            }
        }
        Ok(match op {
            CompareOp::NotEqual => equal.map(|equal| !equal),
            CompareOp::Less | CompareOp::Greater => Some(false),
            _ => equal,
        })
    }

    /// NULL leaves the answer open.
    fn compare_all(
        &mut self,
        batch: &Batch,
        op: CompareOp,
        quantifier: Quantifier,
        how: &[Comparison],
    ) -> Result<Progress> {
        let decides = quantifier == Quantifier::Any;
        for row in 0..batch.rows {
            let mut result = Some(true);
            for (column, (tested, comparison)) in self.tested.iter().zip(how).enumerate() {
                match op.test(comparison, tested, &batch.value(column, row))? {
                    Some(true) => {}
                    Some(false) => {
                        result = Some(false);
                        break;
                    }
                    None => result = None,
                }
            }
            match result {
                Some(truth) if truth == decides => return Ok(Progress::Decided(Value::Int(i64::from(decides)))),
                Some(_) => {}
                None => self.unknown = true,
            }
        }
        Ok(Progress::More)
    }

    /// The answer after the last inner row.
    fn close(self, test: SubqueryTest) -> Value<'static> {
        match test {
            SubqueryTest::Scalar | SubqueryTest::Row(_) => self.value.unwrap_or(Value::Null),
            SubqueryTest::Exists => Value::Int(0),
            _ if self.unknown => Value::Null,
            SubqueryTest::All(_) => Value::Int(1),
            SubqueryTest::In | SubqueryTest::Any(_) => Value::Int(0),
        }
    }
}

impl Apply {
    /// Runs an inner plan that does not depend on the row, once, and keeps its rows. `false` is a yield.
    fn collect(&mut self, context: &Rc<Context>) -> Result<bool> {
        if self.state.rows.is_some() {
            return Ok(true);
        }
        if self.state.collecting.is_none() {
            self.state.collecting = Some((self.inner.build(context)?, Vec::new()));
        }
        let Some((source, batches)) = &mut self.state.collecting else { return Ok(true) };
        loop {
            match source.next(context)? {
                Poll::Yield => return Ok(false),
                Poll::Batch(batch) => {
                    batches.push(batch);
                    // One row decides EXISTS, two are an error for a scalar.
                    if self.test == SubqueryTest::Exists {
                        break;
                    }
                }
                Poll::Done => break,
            }
        }
        self.state.rows = self.state.collecting.take().map(|(_, batches)| Rc::new(batches));
        Ok(true)
    }

    fn begin(&mut self, batch: &Batch, row: usize, context: &Rc<Context>) -> Result<Answer> {
        for &(slot, column) in self.outer.iter() {
            context.bind_outer(slot, batch.value(column, row).into_owned());
        }
        let one = batch.gather(&[row as u32]);
        let tested = self.tested.iter().map(|expr| Ok(expr.eval(&one, context)?.value(0).into_owned()));
        Ok(Answer { tested: tested.collect::<Result<_>>()?, value: None, unknown: false })
    }

    /// Looks all tested values of a batch up among the rows of a subquery that reads nothing of them. `false` is a yield.
    fn find_all(&mut self, batch: &Batch, context: &Rc<Context>) -> Result<bool> {
        let is_hashed =
            |comparison: &Comparison| !matches!(comparison, Comparison::Mixed(_)) && comparison.ready().is_ok();
        if self.test != SubqueryTest::In || !self.outer.is_empty() || !self.comparisons.iter().all(is_hashed) {
            return Ok(true);
        }
        if !self.collect(context)? {
            return Ok(false);
        }
        let rows = self.state.rows.clone().unwrap_or_default();
        let members = self.state.members.get_or_insert_with(|| Members::of(&rows, &self.comparisons));
        let tested = self.tested.iter().map(|expr| expr.eval(batch, context)).collect::<Result<Vec<_>>>()?;
        self.state.found = members.find(&tested, &self.comparisons, batch.rows);
        context.spend(batch.rows);
        Ok(true)
    }

    /// Whether all answers are to be found, for the rows of the batch as well.
    fn is_due(&mut self, context: &Context) -> Result<bool> {
        let Some(decorrelated) = self.decorrelated.as_ref().filter(|_| self.state.found.is_empty()) else {
            return Ok(false);
        };
        let kept = match &self.state.kept {
            Some(kept) => kept,
            None => self.state.kept.insert(SharedHashTable::of(&decorrelated.settings.name, context)?),
        };
        Ok(kept.borrow().runs >= decorrelated.after)
    }

    /// Looks all rows of a batch up among the answers by keys. `false` is a yield.
    fn find_decorrelated(&mut self, batch: &Batch, context: &Rc<Context>) -> Result<bool> {
        let (Some(Decorrelated { rows, settings, .. }), Some(kept)) = (&self.decorrelated, &self.state.kept) else {
            return Ok(true);
        };
        let table = match kept.borrow_mut().fill(rows, settings, context)? {
            Next::Wait => return Ok(false),
            Next::Run => {
                self.decorrelated = None;
                return Ok(true);
            }
            Next::Look(table) => table,
        };
        let mut found = Vec::with_capacity(batch.rows);
        for head in settings.heads(&table, batch, context)? {
            found.push(match (head, self.test) {
                (END, _) => self.state.nothing.clone(),
                (_, SubqueryTest::Exists) => Some(Value::Int(1)),
                _ if table.next(head) != END => return Err(more_than_one()),
                _ => Some(table.rows.value(settings.keys.len(), head as usize).into_owned()),
            });
        }
        self.state.found = found;
        context.spend(batch.rows);
        Ok(true)
    }

    /// The answer for a row whose values have been asked for before; takes note of them where they have not.
    fn recall(
        &mut self,
        batch: &Batch,
        row: usize,
        tested: &[Value<'static>],
        context: &Context,
    ) -> Option<Value<'static>> {
        if !self.repeats {
            return None;
        }
        let outer = self.outer.iter().map(|&(_, column)| batch.value(column, row));
        let key = self.state.known.key(outer.chain(tested.iter().cloned()))?;
        let known = self.state.known.get(&key);
        self.state.asked = known.is_none().then(|| (key, context.session.warning_count()));
        known
    }

    /// Keeps the answer that was found for what has been asked.
    fn keep(&mut self, answer: Value<'static>, context: &Context) -> Value<'static> {
        // A warning must come once for each row that is computed.
        if let Some((key, warnings)) = self.state.asked.take()
            && context.session.warning_count() == warnings
        {
            self.state.known.keep(key, &answer);
        }
        answer
    }

    /// The answer for one row, found or known; `None` is a yield.
    fn next_answer(&mut self, batch: &Batch, row: usize, context: &Rc<Context>) -> Result<Option<Value<'static>>> {
        if self.state.running.is_none() {
            if self.is_due(context)? && !self.find_decorrelated(batch, context)? {
                return Ok(None);
            }
            if let Some(found) = self.state.found.get_mut(row).and_then(Option::take) {
                return Ok(Some(found));
            }
        }
        let has_no_key = self.decorrelated.is_some() && !self.state.found.is_empty();
        if has_no_key && self.state.nothing.is_some() {
            return Ok(self.state.nothing.clone());
        }
        if context.is_out_of_fuel() {
            return Ok(None);
        }
        let answer = self.answer(batch, row, context)?;
        if has_no_key {
            self.state.nothing = answer.clone();
        }
        Ok(answer)
    }

    /// The answer for one row; `None` is a yield.
    fn answer(&mut self, batch: &Batch, row: usize, context: &Rc<Context>) -> Result<Option<Value<'static>>> {
        if self.outer.is_empty() {
            if let Some(answer) = &self.state.answer {
                return Ok(Some(answer.clone()));
            }
            if !self.collect(context)? {
                return Ok(None);
            }
            let mut answer = self.begin(batch, row, context)?;
            for inner in self.state.rows.clone().iter().flat_map(|rows| rows.iter()) {
                context.spend(inner.rows);
                if let Progress::Decided(value) = answer.see(inner, self.test, &self.comparisons)? {
                    return Ok(Some(value));
                }
            }
            let value = answer.close(self.test);
            if self.tested.is_empty() {
                self.state.answer = Some(value.clone());
            }
            return Ok(Some(value));
        }
        let (mut source, mut answer) = match self.state.running.take() {
            Some(running) => running,
            None => {
                let answer = self.begin(batch, row, context)?;
                if let Some(known) = self.recall(batch, row, &answer.tested, context) {
                    return Ok(Some(known));
                }
                self.state.kept.iter().for_each(|kept| kept.borrow_mut().runs += 1);
                (self.inner.build(context)?, answer)
            }
        };
        context.spend(1);
        loop {
            match source.next(context)? {
                Poll::Yield => {
                    self.state.running = Some((source, answer));
                    return Ok(None);
                }
                Poll::Batch(inner) => {
                    if let Progress::Decided(value) = answer.see(&inner, self.test, &self.comparisons)? {
                        return Ok(Some(self.keep(value, context)));
                    }
                }
                Poll::Done => return Ok(Some(self.keep(answer.close(self.test), context))),
            }
        }
    }
}

impl Operator for Apply {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let batch = match self.state.batch.take() {
            Some(batch) => batch,
            None => match pull!(self.input, context) {
                Some(batch) => batch,
                None => return Ok(Poll::Done),
            },
        };
        let mut answers = match self.state.answers.take() {
            Some(answers) => answers,
            None if !self.find_all(&batch, context)? => {
                self.state.batch = Some(batch);
                return Ok(Poll::Yield);
            }
            None => VectorBuilder::with_capacity(batch.rows),
        };
        while answers.len() < batch.rows {
            match self.next_answer(&batch, answers.len(), context)? {
                Some(value) => answers.push(value),
                None => {
                    (self.state.batch, self.state.answers) = (Some(batch), Some(answers));
                    return Ok(Poll::Yield);
                }
            }
        }
        self.state.found.clear();
        let mut columns = batch.columns;
        columns.push(Rc::new(answers.finish()));
        Ok(Poll::Batch(Batch { rows: batch.rows, columns }))
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        if let Some(filter) = filter.below(|column| (column < self.input_columns).then_some(column)) {
            self.input.push_runtime_filter(&filter);
        }
    }
}
