//! `dolt_test_run`: runs queries of `dolt_tests` and compares what they answer with what is expected.

use std::cmp::Ordering;
use std::rc::Rc;

use parse::ast::StatementKind;
use value::{Collation, SqlType, Value};

use super::diff::query_diff::{Ready, Row};
use super::relation::computed::{Computed, all, required, text};
use crate::catalog::Catalog;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::system_tables::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::function(NAME, |call| function(call.catalog, call.arguments))];

const NAME: &str = "dolt_test_run";

/// A row of `dolt_tests`.
struct Test {
    name: String,
    group: String,
    query: String,
    kind: String,
    comparator: String,
    expected: Option<String>,
}

pub fn function(catalog: &Catalog, arguments: &[Value<'_>]) -> Result<Computed> {
    let catalog = catalog.shared().ok_or_else(|| SqlError::internal("the session has ended"))?;
    let mut names: Vec<String> = arguments
        .iter()
        .map(|argument| value::convert::to_string(argument).map(|text| text.into_owned()))
        .collect::<std::result::Result<_, _>>()?;
    if names.is_empty() {
        names.push("*".to_owned());
    }
    let columns = ["test_name", "test_group_name", "query", "status", "message"].map(|name| required(text(name)));
    Ok(Computed::new("", NAME, columns.into(), move |context, _, _| {
        let tests = tests(&catalog, context)?;
        let mut chosen: Vec<&Test> = Vec::new();
        for name in &names {
            chosen.extend(named(&tests, name)?);
        }
        let rows = chosen.into_iter().map(|test| {
            let message = test.run(&catalog, context)?;
            let status = if message.is_empty() { "PASS" } else { "FAIL" };
            let row = [&*test.name, &test.group, &test.query, status, &message];
            Ok(row.map(|text| Value::text(text.to_owned())).into())
        });
        all(rows.collect())
    }))
}

/// The tests that a name means which do not pass, and why.
pub fn failed(catalog: &Catalog, name: &str) -> Result<Vec<(String, String)>> {
    let catalog = catalog.shared().ok_or_else(|| SqlError::internal("the session has ended"))?;
    let context = Rc::new(Context::new(catalog.clone(), Vec::new()));
    let tests = tests(&catalog, &context)?;
    let mut failed = Vec::new();
    for test in named(&tests, name)? {
        let why = test.run(&catalog, &context)?;
        if !why.is_empty() {
            failed.push((test.name.clone(), why));
        }
    }
    Ok(failed)
}

/// All tests by `*`, the one of this name, or those of this group.
fn named<'t>(tests: &'t [Test], name: &str) -> Result<Vec<&'t Test>> {
    let found: Vec<&Test> = match tests.iter().find(|test| test.name == *name) {
        _ if name == "*" => tests.iter().collect(),
        Some(test) => vec![test],
        None => tests.iter().filter(|test| test.group == *name).collect(),
    };
    match found.is_empty() {
        true => Err(SqlError::general(format!("could not find tests for argument: {name}"))),
        false => Ok(found),
    }
}

fn tests(catalog: &Rc<Catalog>, context: &Rc<Context>) -> Result<Vec<Test>> {
    let sql = "select test_name, test_group, test_query, assertion_type, assertion_comparator, assertion_value \
               from dolt_tests";
    let rows = Ready::new(catalog, &Value::text(sql))?.run(context)?;
    let tests = rows.iter().map(|row| {
        let mut texts = row.iter().map(|value| match value {
            Value::Null => Ok(None),
            value => value::convert::to_string(value).map(|text| Some(text.into_owned())),
        });
        let mut next = || texts.next().transpose().map(Option::flatten);
        let mut required = || next().map(Option::unwrap_or_default);
        let (name, group, query, kind, comparator) = (required()?, required()?, required()?, required()?, required()?);
        Ok(Test { name, group, query, kind, comparator, expected: next()? })
    });
    tests.collect()
}

impl Test {
    /// Why it fails; empty when it does not.
    ///
    /// # Errors
    /// That the statement is interrupted, which says nothing about the test.
    fn run(&self, catalog: &Rc<Catalog>, context: &Rc<Context>) -> Result<String> {
        let failure = match self.answer(catalog, context) {
            Err(message) => message,
            Ok((types, rows)) => self.compare(&types, &rows).err().unwrap_or_default(),
        };
        catalog.state.interruption().map_or(Ok(failure), Err)
    }

    /// The types of the columns, and all rows.
    fn answer(
        &self,
        catalog: &Rc<Catalog>,
        context: &Rc<Context>,
    ) -> std::result::Result<(Vec<SqlType>, Vec<Row>), String> {
        let options = catalog.state.variables.borrow().syntax();
        let parsed = parse::statement(&self.query, &options);
        let failed = |error: SqlError| format!("query error: {}", error.message);
        if parsed.rest.is_some() {
            return Err("Can only run exactly one query".to_owned());
        }
        match parsed.statement.as_ref().map(|statement| &statement.kind) {
            Some(StatementKind::Query(_)) => {}
            Some(StatementKind::Show(_) | StatementKind::Describe(_) | StatementKind::Explain(_)) => {
                return catalog.read(&self.query).map_err(failed);
            }
            Some(_) => return Err("Cannot execute write queries".to_owned()),
            None => {}
        }
        let ready = Ready::new(catalog, &Value::text(self.query.clone())).map_err(failed)?;
        Ok((ready.types(), ready.run(context).map_err(failed)?))
    }

    fn compare(&self, types: &[SqlType], rows: &[Row]) -> std::result::Result<(), String> {
        let kind = &*self.kind;
        let count = match kind {
            "expected_rows" => rows.len(),
            "expected_columns" => types.len(),
            _ => return self.compare_value(types, rows),
        };
        let expected = self.expected.as_deref().unwrap_or_default();
        let Ok(expected) = expected.parse::<i64>() else {
            return Err(format!("cannot run assertion on non integer value: {expected}"));
        };
        self.judge((count as i64).cmp(&expected), &count.to_string())
    }

    fn compare_value(&self, types: &[SqlType], rows: &[Row]) -> std::result::Result<(), String> {
        let wrong = |what: &str| Err(format!("{} expects exactly one cell. Received {what}", self.kind));
        let (cell, ty) = match (rows, types) {
            ([], _) => return wrong("0 rows"),
            ([row], [ty]) => (&row[0], ty),
            ([_], _) => return wrong("multiple columns"),
            _ => return wrong("multiple rows"),
        };
        if let (Value::Int(number), &SqlType::BOOLEAN, Some(expected)) = (cell, ty, self.expected_truth()) {
            let is_true = *number != 0;
            return self.judge(is_true.cmp(&expected), if is_true { "true" } else { "false" });
        }
        let shown = match value::to_text(cell, ty) {
            None => "NULL".to_owned(),
            Some(text) => String::from_utf8_lossy(&text).into_owned(),
        };
        let order = match (cell, &self.expected) {
            (Value::Null, None) => Ordering::Equal,
            (Value::Null, Some(_)) => Ordering::Less,
            (_, None) => Ordering::Greater,
            (Value::Text(text), Some(expected)) => (**text).cmp(expected.as_str()),
            (cell, Some(expected)) => {
                let expected = Value::text(expected.clone());
                value::compare(cell, &expected, Collation::UTF8MB4_0900_BIN)
                    .unwrap_or_default()
                    .unwrap_or(Ordering::Less)
            }
        };
        self.judge(order, &shown)
    }

    /// What is expected of a truth value, in the words of Go.
    fn expected_truth(&self) -> Option<bool> {
        match self.expected.as_deref()? {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
            _ => None,
        }
    }

    fn judge(&self, order: Ordering, got: &str) -> std::result::Result<(), String> {
        let (holds, words) = match &*self.comparator {
            "==" => (order.is_eq(), "equal to"),
            "!=" => (order.is_ne(), "not equal to"),
            "<" => (order.is_lt(), "less than"),
            "<=" => (order.is_le(), "less than or equal to"),
            ">" => (order.is_gt(), "greater than"),
            ">=" => (order.is_ge(), "greater than or equal to"),
            other => return Err(format!("unexpected comparator: {other}")),
        };
        let expected = self.expected.as_deref().unwrap_or("NULL");
        match holds {
            true => Ok(()),
            false => Err(format!("Assertion failed: {} {words} {expected}, got {got}", self.kind)),
        }
    }
}
