//! Schema expressions, bound and evaluated for merges.

use std::cell::RefCell;
use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use value::Value;
use vcs::{Expressions, MergeError, MergeProgress, Schema, VcsError, VcsReason};

use super::rules::eval_over;
use crate::catalog::{Catalog, Column, column_of};
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};

/// Evaluates checks, defaults and generated columns with the rules of a session.
pub struct SchemaExpressions {
    context: Rc<Context>,
    bound: RefCell<Bound>,
    /// The statement may end within the merge. A commit that merges is not ended.
    is_interruptible: bool,
}

/// What a row of a merge costs, in steps of the work meter.
const MERGE_WORK: usize = 2048;

/// Bound expressions by schema and text.
type Bound = HashMap<(Address, Box<str>), Rc<Expr>>;

impl SchemaExpressions {
    pub fn new(catalog: &Rc<Catalog>) -> SchemaExpressions {
        let context = Context::at(catalog.clone(), Vec::new(), catalog.state.now());
        SchemaExpressions { context: Rc::new(context), bound: RefCell::default(), is_interruptible: false }
    }

    /// The same for a merge with which its statement may end.
    pub fn interruptible(self) -> SchemaExpressions {
        SchemaExpressions { is_interruptible: true, ..self }
    }

    fn bind(&self, schema: &Schema, text: &str) -> Result<Rc<Expr>> {
        let key = (schema.address, Box::from(text));
        if let Some(known) = self.bound.borrow().get(&key) {
            return Ok(known.clone());
        }
        let columns: Vec<Column> = schema.columns.iter().map(column_of).collect();
        let expr = Rc::new(self.context.catalog.bind_stored(&columns, text, &self.context)?.expr);
        self.bound.borrow_mut().insert(key, expr.clone());
        Ok(expr)
    }
}

/// Of a merge that pauses when its statement's call is over.
pub fn merge_progress(context: &Rc<Context>) -> MergeProgress {
    let context = context.clone();
    MergeProgress::new(Box::new(move || {
        context.spend(1);
        context.is_out_of_fuel()
    }))
}

fn failed(error: SqlError) -> VcsError {
    // A value that was not computed says nothing about the rows.
    if error.is_interruption() {
        return VcsReason::Interrupted.into();
    }
    MergeError::Expression(error.into_message().into()).into()
}

impl Expressions for SchemaExpressions {
    fn columns(&self, expression: &str) -> vcs::Result<Vec<Box<str>>> {
        let named = parse::named_columns(expression).map_err(|_| MergeError::Expression(expression.into()))?;
        Ok(named.into_iter().map(|column| column.name.to_lowercase().into()).collect())
    }

    fn value(&self, schema: &Schema, expression: &str, row: &[Value<'_>]) -> vcs::Result<Value<'static>> {
        let row: Vec<Value<'static>> = row.iter().map(|value| value.borrowed().into_owned()).collect();
        let value = self.bind(schema, expression).and_then(|expr| eval_over(&expr, &row, &self.context));
        value.map_err(failed)
    }

    fn worked(&self, rows: usize) -> vcs::Result<()> {
        match self.is_interruptible && self.context.work(rows.saturating_mul(MERGE_WORK)).is_err() {
            true => Err(VcsReason::Interrupted.into()),
            false => Ok(()),
        }
    }
}
