//! Expressions of schemas, for merges.

use std::cell::RefCell;
use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use parse::keyword::Keyword;
use parse::lexer::{Lexer, unquote_name};
use parse::token::TokenKind;
use value::Value;
use vcs::{Expressions, MergeError, Schema, VcsError};

use super::rules::eval_over;
use crate::bind::Binder;
use crate::catalog::{Catalog, Column, column_of};
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};
use crate::names::SessionNames;

/// Evaluates checks, defaults and generated columns with the rules of a session.
pub struct SchemaExpressions {
    context: Rc<Context>,
    bound: RefCell<Bound>,
}

/// Bound expressions by schema and text.
type Bound = HashMap<(Address, Box<str>), Rc<Expr>>;

impl SchemaExpressions {
    pub fn new(catalog: &Rc<Catalog>) -> SchemaExpressions {
        let context = Context::new(catalog.clone(), Vec::new(), catalog.state.now());
        SchemaExpressions { context: Rc::new(context), bound: RefCell::default() }
    }

    fn bind(&self, schema: &Schema, text: &str) -> Result<Rc<Expr>> {
        let key = (schema.address, Box::from(text));
        if let Some(known) = self.bound.borrow().get(&key) {
            return Ok(known.clone());
        }
        let names = SessionNames::new(self.context.catalog.clone(), self.context.clone());
        let columns: Vec<Column> = schema.columns.iter().map(column_of).collect();
        let expr = Rc::new(Binder::new(&names, "", &[]).of_schema(&columns, text)?);
        self.bound.borrow_mut().insert(key, expr.clone());
        Ok(expr)
    }
}

fn failed(error: SqlError) -> VcsError {
    MergeError::Expression(error.into_message().into()).into()
}

impl Expressions for SchemaExpressions {
    fn columns(&self, expression: &str) -> vcs::Result<Vec<Box<str>>> {
        let mut names = Vec::new();
        let mut lexer = Lexer::new(expression, parse::Options::default());
        let mut token = lexer.next_token();
        while token.kind != TokenKind::End {
            let next = lexer.next_token();
            let text = token.span.text(expression);
            match token.kind {
                TokenKind::QuotedName => names.push(unquote_name(text).to_lowercase().into()),
                // Names are stored in quotes by native Dolt, as they were typed by its early versions.
                TokenKind::Word(Keyword::Unlisted) if next.kind != TokenKind::LeftParen => {
                    names.push(text.to_lowercase().into());
                }
                TokenKind::Bad => return Err(MergeError::Expression(expression.into()).into()),
                _ => {}
            }
            token = next;
        }
        Ok(names)
    }

    fn value(&self, schema: &Schema, expression: &str, row: &[Value<'_>]) -> vcs::Result<Value<'static>> {
        let row: Vec<Value<'static>> = row.iter().map(|value| value.borrowed().into_owned()).collect();
        let value = self.bind(schema, expression).and_then(|expr| eval_over(&expr, &row, &self.context));
        value.map_err(failed)
    }
}
