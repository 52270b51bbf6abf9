//! AUTO_INCREMENT within one INSERT.

use value::Value;

use super::Insert;
use crate::error::Result;
use crate::expr::Context;
use crate::write::auto_increment::{number_of, value_of};
use crate::write::{Row, RowRules, Writer};

/// The AUTO_INCREMENT column of the table.
#[derive(Default)]
pub struct Counter {
    pub column: Option<usize>,
    pub next: u64,
    takes_zero: bool,
}

impl Counter {
    pub fn new(writer: &mut Writer, table: usize, rules: &RowRules, context: &Context) -> Result<Counter> {
        let Some(column) = rules.auto_increment else { return Ok(Counter::default()) };
        let here = writer.editor(table).auto_increment();
        let place = writer.place();
        let name = writer.name(table);
        let next = place.attached.counters.next(&place.refs, name, here)?;
        let takes_zero = context.session.variables.borrow().has_sql_mode("NO_AUTO_VALUE_ON_ZERO");
        Ok(Counter { column: Some(column), next, takes_zero })
    }
}

impl Insert {
    /// Gives the AUTO_INCREMENT column its value, or takes note of the one it has.
    pub(super) fn count(&mut self, row: &mut Row) -> Result<()> {
        let Some(column) = self.counter.column else { return Ok(()) };
        let is_zero = |value: &Value<'_>| number_of(value).is_none() && matches!(value::truth(value), Some(false));
        if row[column].is_null() || (is_zero(&row[column]) && !self.counter.takes_zero) {
            let next = self.counter.next;
            row[column] = value_of(next, &self.relation.columns()[column].ty.sql);
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
}
