//! Stored expressions: defaults, generated columns and checks, which schemas keep as text.

use std::rc::Rc;

use super::Column;
use crate::error::Result;
use crate::expr::{Context, Expr};

/// An expression of a schema. Its columns are positions in the table.
pub struct StoredExpr {
    pub expr: Expr,
    /// Something was looked up that may be different the next time.
    pub is_volatile: bool,
}

/// Binds the text of an expression that a schema has, over the columns of its table. The binder asks the catalog what names mean, and
/// is in a layer above.
pub type BindStored = fn(&[Column], &str, &Rc<Context>) -> Result<StoredExpr>;
