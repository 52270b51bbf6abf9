//! EXPLAIN: the plan as a tree.

use std::rc::Rc;

use parse::ast::{self, StatementKind};
use value::Value;

use super::Listing;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::plan::describe;
use crate::session::{Cursor, Session};

pub fn run(session: &Session, sql: &str, explain: &ast::Explain, context: Rc<Context>) -> Result<Cursor> {
    let StatementKind::Query(query) = &explain.statement.kind else {
        return Err(SqlError::unsupported("EXPLAIN of a statement that is no query").at(explain.statement.span));
    };
    let plan = session.explain(sql, query, &context)?;
    let mut listing = Listing::new(&["plan"]);
    for line in describe::lines(&plan) {
        listing.push(vec![Value::text(line)]);
    }
    listing.into_cursor(session, sql, None, context)
}
