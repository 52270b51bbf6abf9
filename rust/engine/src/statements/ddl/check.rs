//! CHECK constraints of a table.

use std::cell::Cell;

use codec::Address;
use parse::ast::{CheckConstraint, ExprKind};
use vcs::{Check, SchemaBuilder};

use super::column;
use super::work::Work;
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind as BoundKind};
use crate::functions::Traits;

/// Characters of the hash in a generated name.
const HASH_LENGTH: usize = 8;

/// Adds a constraint to a table. `foreign_keys` are the names that the table's foreign keys have.
///
/// # Errors
/// Names that are taken or too long, expressions over what the table does not have.
pub fn add(
    work: &Work<'_>,
    table: &str,
    schema: &mut SchemaBuilder,
    check: &CheckConstraint,
    foreign_keys: &[Box<str>],
) -> Result<()> {
    if matches!(check.expr.kind, ExprKind::Subquery(_) | ExprKind::Exists(_)) {
        let text = "Invalid constraint expression, sub-queries not supported: ";
        return Err(SqlError::general(text).at(check.span));
    }
    let bound = work.bind(table, &schema.columns, &check.expr)?;
    refuse_moments(&bound).map_err(|error| error.at(check.expr.span))?;
    let expression = parse::print(&check.expr).map_err(|error| SqlError::general(error.to_string()).at(error.span))?;
    let is_taken =
        |name: &str, schema: &SchemaBuilder| schema.checks.iter().any(|known| known.name.eq_ignore_ascii_case(name));
    let name = match &check.name {
        Some(name) if is_taken(&name.text, schema) => {
            return Err(SqlError::general(format!("name {name} in use")).at(name.span));
        }
        Some(name) => column::name(&name.text)?.to_owned(),
        None => free_name(table, &expression, schema, foreign_keys),
    };
    schema.checks.push(Check {
        name: name.into(),
        expression: expression.into(),
        is_enforced: check.enforced,
        is_not_valid: false,
    });
    Ok(())
}

/// Refuses what is another value the next time.
fn refuse_moments(expr: &Expr) -> Result<()> {
    let refused = Cell::new(None);
    expr.any(&|part| match &part.kind {
        BoundKind::Call(call) => {
            let is_refused = call.function.is(Traits::NOT_IN_CHECKS)
                || call.function.is(Traits::CALLED_ALONE_NOT_IN_CHECKS) && call.args.is_empty();
            refused.set(is_refused.then_some(call.function.name));
            is_refused
        }
        _ => false,
    });
    let Some(name) = refused.get() else { return Ok(()) };
    Err(SqlError::general(format!("Invalid constraint expression, function not supported: {name}()")))
}

/// The name of a check that has none: the table's and a hash of the expression.
pub fn free_name(table: &str, expression: &str, schema: &SchemaBuilder, foreign_keys: &[Box<str>]) -> String {
    let hash = Address::of(expression.as_bytes()).to_string();
    let base = format!("{table}_chk_{}", &hash[..HASH_LENGTH]);
    let is_free = |name: &String| {
        !schema.checks.iter().any(|known| known.name.eq_ignore_ascii_case(name))
            && !foreign_keys.iter().any(|key| key.eq_ignore_ascii_case(name))
    };
    let mut names = core::iter::once(base.clone()).chain((0..).map(|n: u64| format!("{base}_{n}")));
    names.find(is_free).unwrap_or_default()
}
