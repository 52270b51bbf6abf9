//! Expressions of schemas, evaluated for merges.

use std::cell::RefCell;
use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use parse::ast;
use value::Value;
use vcs::{MergeError, Schema, VcsError};

use crate::batch::Batch;
use crate::bind::Binder;
use crate::catalog::column_of;
use crate::error::SqlError;
use crate::expr::{Context, Expr};
use crate::session::SessionNames;
use crate::vector::Vector;

/// Expressions by the schema and the text.
type Bound = HashMap<(Address, Box<str>), Rc<Expr>>;

/// Evaluates checks, defaults and generated columns with the session's functions; each is bound once per schema.
pub struct SchemaExpressions {
    context: Rc<Context>,
    bound: RefCell<Bound>,
}

impl SchemaExpressions {
    pub fn new(context: &Rc<Context>) -> SchemaExpressions {
        SchemaExpressions { context: context.clone(), bound: RefCell::default() }
    }

    fn bind(&self, schema: &Schema, text: &str) -> crate::error::Result<Rc<Expr>> {
        let key = (schema.address, Box::from(text));
        if let Some(known) = self.bound.borrow().get(&key) {
            return Ok(known.clone());
        }
        let names = SessionNames::new(self.context.catalog.clone(), self.context.clone());
        let columns: Vec<_> = schema.columns.iter().map(column_of).collect();
        let expr = Rc::new(Binder::new(&names, "", &[]).over_relation(&columns, &parse_expression(text)?)?);
        self.bound.borrow_mut().insert(key, expr.clone());
        Ok(expr)
    }

    fn evaluate(&self, schema: &Schema, text: &str, row: &[Value<'_>]) -> crate::error::Result<Value<'static>> {
        let expr = self.bind(schema, text)?;
        let columns = row.iter().map(|value| Rc::new(Vector::repeat(&value.borrowed(), 1))).collect();
        Ok(expr.eval(&Batch::new(1, columns), &self.context)?.value(0).into_owned())
    }
}

/// Reads an expression that a schema keeps as text.
fn parse_expression(text: &str) -> crate::error::Result<ast::Expr> {
    let unreadable = || SqlError::general(format!("the stored expression {text} cannot be read"));
    let parsed = parse::statement(&format!("SELECT {text}"), &parse::Options::default());
    let Some(ast::StatementKind::Query(query)) = parsed.statement.map(|statement| statement.kind) else {
        return Err(unreadable());
    };
    let ast::QueryBody::Select(select) = query.body else { return Err(unreadable()) };
    match select.items.into_iter().next() {
        Some(ast::SelectItem::Expr { expr, .. }) => Ok(expr),
        _ => Err(unreadable()),
    }
}

fn failed(error: SqlError) -> VcsError {
    VcsError::Merge(MergeError::Expression(error.message.into()))
}

impl vcs::Expressions for SchemaExpressions {
    /// Expressions are kept as the engine prints them: columns stand between backquotes.
    fn columns(&self, expression: &str) -> vcs::Result<Vec<Box<str>>> {
        let mut columns = Vec::new();
        let mut rest = expression.chars();
        while let Some(c) = rest.next() {
            if !matches!(c, '`' | '\'' | '"') {
                continue;
            }
            let mut text = String::new();
            while let Some(inside) = rest.next().filter(|inside| *inside != c) {
                text.push(inside);
                if inside == '\\' && c != '`' {
                    text.extend(rest.next());
                }
            }
            if c == '`' {
                columns.push(text.to_lowercase().into());
            }
        }
        Ok(columns)
    }

    fn value(&self, schema: &Schema, expression: &str, row: &[Value<'_>]) -> vcs::Result<Value<'static>> {
        self.evaluate(schema, expression, row).map_err(failed)
    }
}
