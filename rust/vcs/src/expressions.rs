//! Expression interface: what merges need of the SQL engine above, as schemas keep expressions as text.

use value::Value;

use crate::error::Result;
use crate::schema::Schema;

/// Evaluates checks, defaults and generated columns.
pub trait Expressions {
    /// Names of the columns that an expression reads, in lower case, each as often as it is there.
    ///
    /// # Errors
    /// [`crate::MergeError::Expression`] for text that is no expression.
    fn columns(&self, expression: &str) -> Result<Vec<Box<str>>>;

    /// The value of an expression for a row, which has a value for each column of `schema`: those of virtual columns are NULL.
    ///
    /// # Errors
    /// [`crate::MergeError::Expression`] with what is wrong.
    fn value(&self, schema: &Schema, expression: &str, row: &[Value<'_>]) -> Result<Value<'static>>;

    /// Reports work on so many rows, between which a merge may be ended.
    ///
    /// # Errors
    /// [`crate::VcsReason::Interrupted`].
    fn worked(&self, _rows: usize) -> Result<()> {
        Ok(())
    }
}

/// For schemas that are known to have no expressions, and tests: each one is an error.
pub struct NoExpressions;

impl Expressions for NoExpressions {
    fn columns(&self, expression: &str) -> Result<Vec<Box<str>>> {
        Err(crate::MergeError::Expression(expression.into()).into())
    }

    fn value(&self, _: &Schema, expression: &str, _: &[Value<'_>]) -> Result<Value<'static>> {
        Err(crate::MergeError::Expression(expression.into()).into())
    }
}
