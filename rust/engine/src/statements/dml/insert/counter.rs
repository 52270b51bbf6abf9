//! AUTO_INCREMENT within one INSERT.

use std::rc::Rc;

use value::Value;

use super::{Given, Insert};
use crate::error::Result;
use crate::expr::Context;
use crate::write::auto_increment::{number_of, value_of};
use crate::write::{RowRules, Writer};

/// The AUTO_INCREMENT column of the table.
#[derive(Default)]
pub struct Counter {
    pub column: Option<usize>,
    /// Which of the values of a source row is that column's.
    given: Option<usize>,
    next: u64,
    takes_zero: bool,
}

impl Counter {
    /// `columns` are those that the source gives values for.
    pub fn new(
        writer: &mut Writer,
        table: usize,
        rules: &RowRules,
        columns: &[usize],
        context: &Context,
    ) -> Result<Counter> {
        let Some(column) = rules.auto_increment else { return Ok(Counter::default()) };
        let here = writer.editor(table).auto_increment();
        let place = writer.place();
        let name = writer.name(table);
        let next = place.attached.counters.next(&place.refs, name, here)?;
        let takes_zero = context.session.variables.borrow().has_sql_mode("NO_AUTO_VALUE_ON_ZERO");
        let given = columns.iter().position(|position| *position == column);
        Ok(Counter { column: Some(column), given, next, takes_zero })
    }
}

impl Insert {
    /// The value of the AUTO_INCREMENT column: the one that is given, of which the counter takes note, or the next number.
    pub(super) fn counted(
        &mut self,
        column: usize,
        given: &[Given<'_>],
        context: &Rc<Context>,
    ) -> Result<Value<'static>> {
        let takes_zero = self.counter.takes_zero;
        let value = match self.counter.given.and_then(|at| given.get(at)) {
            // As in the reference what is no number is zero here.
            Some(Given::Value(Value::Text(text))) if !takes_zero && text.trim().parse::<i128>().is_err() => Value::Null,
            Some(Given::Value(value)) => self.rules.assign_new(column, value, context)?,
            _ => Value::Null,
        };
        let is_zero = number_of(&value).is_none() && matches!(value::truth(&value), Some(false));
        if value.is_null() || (is_zero && !takes_zero) {
            let next = self.counter.next;
            self.tally.row_id = Some((next, true));
            self.move_counter(next.saturating_add(1));
            return Ok(value_of(next, &self.relation.columns()[column].ty.sql));
        }
        if let Some(number) = number_of(&value) {
            self.tally.row_id = Some((number, false));
            if number >= self.counter.next {
                self.move_counter(number.saturating_add(1));
            }
        }
        Ok(value)
    }

    /// Takes values for good: they are not given again when the statement fails.
    fn move_counter(&mut self, next: u64) {
        self.counter.next = next;
        self.writer.borrow().place().attached.counters.set(self.relation.name(), next);
    }
}
