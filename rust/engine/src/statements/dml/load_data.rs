//! LOAD DATA LOCAL: lines of a file that the host gives, as rows of INSERT.

use std::borrow::Cow;
use std::rc::Rc;

use parse::ast::{self, InsertSource, IntoTarget, Span};
use value::Value;

use super::insert::{Given, Insert};
use super::lines::{Format, Lines};
use crate::bind::{Assigned, Binder};
use crate::catalog::{Column, Found, Relation};
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};
use crate::host::{FileRead, LocalFile};
use crate::names::SessionNames;
use crate::session::Session;

/// Rows of a file.
pub struct FileRows {
    file: Box<dyn LocalFile>,
    lines: Lines,
    skip_lines: u64,
    is_read: bool,
    /// What each field of a line is for.
    targets: Vec<Field>,
    /// Values of the columns of SET, computed when the variables have those of the line.
    assigned: Vec<Expr>,
}

/// What becomes of a field.
enum Field {
    /// Text, binary: an empty field is an empty text there, and NULL elsewhere.
    Column {
        is_text: bool,
    },
    Variable(Box<str>),
}

/// Begins a LOAD DATA LOCAL.
pub fn run(session: &Session, sql: &str, load: &ast::LoadData, context: Rc<Context>) -> Result<Cursor> {
    if !load.local {
        let text = "LOAD DATA INFILE reads files of a server; here it is LOAD DATA LOCAL INFILE";
        return Err(SqlError::new(1290, text).at(load.span));
    }
    let host = context.session.host.clone();
    let missing =
        || SqlError::new(29, format!("File '{}' not found (Errcode: 2 - No such file or directory)", load.path));
    let file = host.open_file(&load.path).ok_or_else(missing)?;
    let Found::Relation(relation) = session.catalog().relation(&load.table, None)? else {
        return Err(SqlError::general(format!("The target table {} is not updatable", load.table.name.text)));
    };

    let targets = targets_of(load, relation.as_ref(), &context);
    let assigned = assigned_values(session, sql, load, &context)?;
    let insert = ast::Insert {
        with: None,
        replace: load.replace,
        // With LOCAL the client cannot be stopped from sending: duplicate rows are skipped.
        ignore: !load.replace,
        table: load.table.clone(),
        partitions: load.partitions.clone(),
        columns: columns_of(load, relation.as_ref()),
        source: InsertSource::Values(Vec::new()),
        row_alias: None,
        on_duplicate: Vec::new(),
        returning: Vec::new(),
    };
    let rows = FileRows {
        file,
        lines: Lines::new(Format::new(&load.format)?),
        skip_lines: load.skip_lines,
        is_read: false,
        targets,
        assigned,
    };
    let effect = Insert::of_file(session, sql, &insert, Box::new(rows), &context)?;
    Ok(Cursor::of_running(Box::new(effect), context))
}

/// What becomes of each field of a line. Variables that fields go to are texts from now on, as which expressions of SET read them.
fn targets_of(load: &ast::LoadData, relation: &dyn Relation, context: &Context) -> Vec<Field> {
    let of_column = |column: &Column| {
        let ty = &column.ty.sql;
        Field::Column { is_text: ty.is_text() || ty.is_binary() }
    };
    if load.columns.is_empty() {
        return relation.columns().iter().filter(|column| !column.hidden).map(of_column).collect();
    }
    let targets = load.columns.iter().map(|target| match target {
        IntoTarget::User(name) => {
            context.session.set_user_variable(&name.text, Value::text(""));
            Field::Variable(name.text.clone())
        }
        IntoTarget::Local(name) => {
            let known = relation.columns().iter().find(|column| name.is(&column.name));
            known.map_or(Field::Column { is_text: true }, of_column)
        }
    });
    targets.collect()
}

/// The columns of the INSERT: those that fields go to, and those of SET. None are all columns, where SET has none.
fn columns_of(load: &ast::LoadData, relation: &dyn Relation) -> Vec<ast::ColumnName> {
    let named = |name: ast::Ident, span: Span| ast::ColumnName { database: None, table: None, name, span };
    let mut columns: Vec<ast::ColumnName> = match load.columns.is_empty() && !load.assignments.is_empty() {
        true => {
            let ident = |name: &str| ast::Ident { text: name.into(), quoted: true, span: load.span };
            let all = relation.columns().iter().filter(|column| !column.hidden);
            all.map(|column| named(ident(&column.name), load.span)).collect()
        }
        false => {
            let locals = load.columns.iter().filter_map(|target| match target {
                IntoTarget::Local(name) => Some(named(name.clone(), name.span)),
                IntoTarget::User(_) => None,
            });
            locals.collect()
        }
    };
    columns.extend(load.assignments.iter().map(|assignment| assignment.column.clone()));
    columns
}

/// The values of SET, bound.
fn assigned_values(session: &Session, sql: &str, load: &ast::LoadData, context: &Rc<Context>) -> Result<Vec<Expr>> {
    let names = SessionNames::new(session.catalog().clone(), context.clone());
    let parameters = context.parameter_types();
    let mut binder = Binder::new(&names, sql, &parameters);
    let values: Vec<ast::Expr> = load.assignments.iter().map(|assignment| assignment.value.clone()).collect();
    let assigned = binder.inserted_row(&values)?.into_iter().map(|assigned| match assigned {
        Assigned::Value(expr) => Ok(expr),
        Assigned::Default => Err(SqlError::unsupported("DEFAULT in SET of LOAD DATA")),
    });
    assigned.collect()
}

impl FileRows {
    /// Goes to the next row; false at the end of the file.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`] while the host has no more bytes yet; what is wrong with the file.
    pub(super) fn next(&mut self) -> Result<bool> {
        while self.next_line()? {
            if self.skip_lines > 0 {
                self.skip_lines -= 1;
            } else if !self.lines.fields.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn next_line(&mut self) -> Result<bool> {
        loop {
            if self.lines.next(self.is_read) {
                return Ok(true);
            }
            if self.is_read {
                return Ok(false);
            }
            match self.file.read()? {
                FileRead::Bytes(bytes) => self.lines.push(&bytes),
                FileRead::Wait => return Err(SqlError::wait()),
                FileRead::End => self.is_read = true,
            }
        }
    }

    /// The text of the row.
    pub(super) fn bytes(&self) -> Rc<Vec<u8>> {
        self.lines.bytes().clone()
    }

    /// The values of the row that [`FileRows::next`] has found, with their text.
    pub(super) fn row<'a>(&mut self, bytes: &'a [u8], context: &Rc<Context>) -> Result<Vec<Given<'a>>> {
        let mut row = Vec::with_capacity(self.targets.len() + self.assigned.len());
        let mut fields = self.lines.fields.iter_mut().map(|field| field.take(bytes));
        for target in &self.targets {
            let field = fields.next();
            match target {
                Field::Variable(name) => {
                    let value = field.flatten().map_or(Value::Null, text).into_owned();
                    context.session.set_user_variable(name, value);
                }
                Field::Column { is_text } => row.push(match field {
                    None => Given::Default,
                    Some(Some(bytes)) if bytes.is_empty() && !is_text => Given::Value(Value::Null),
                    Some(Some(bytes)) => Given::Value(text(bytes)),
                    Some(None) => Given::Value(Value::Null),
                }),
            }
        }
        for expr in &self.assigned {
            row.push(Given::Value(expr.eval_constant(context)?));
        }
        Ok(row)
    }
}

fn text(bytes: Cow<'_, [u8]>) -> Value<'_> {
    match bytes {
        Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(Cow::Borrowed(text)),
            Err(_) => Value::Bytes(Cow::Borrowed(bytes)),
        },
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Value::text(text),
            Err(error) => Value::bytes(error.into_bytes()),
        },
    }
}
