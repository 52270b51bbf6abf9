//! LOAD DATA LOCAL: lines of a file that the host gives, as rows of INSERT.

use std::collections::VecDeque;
use std::rc::Rc;

use parse::ast::{self, FileFormat, InsertSource, IntoTarget};
use value::Value;

use super::insert::{Given, Insert};
use crate::bind::{Assigned, Binder};
use crate::catalog::Found;
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};
use crate::host::{FileRead, LocalFile};
use crate::names::SessionNames;
use crate::session::Session;

/// Rows of a file.
pub struct FileRows {
    file: Box<dyn LocalFile>,
    format: Format,
    skip_lines: u64,
    bytes: VecDeque<u8>,
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

struct Format {
    terminated_by: Vec<u8>,
    enclosed_by: Option<u8>,
    escaped_by: Option<u8>,
    starting_by: Vec<u8>,
    line_end: Vec<u8>,
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

    let mut columns: Vec<ast::ColumnName> = Vec::new();
    let mut targets = Vec::new();
    for target in &load.columns {
        match target {
            IntoTarget::User(name) => {
                // Expressions of SET are bound to texts.
                context.session.set_user_variable(&name.text, Value::text(""));
                targets.push(Field::Variable(name.text.clone()));
            }
            IntoTarget::Local(name) => {
                let known = relation.columns().iter().find(|column| name.is(&column.name));
                targets.push(Field::Column { is_text: known.is_none_or(|column| is_text(column.ty.sql.clone())) });
                columns.push(ast::ColumnName { database: None, table: None, name: name.clone(), span: name.span });
            }
        }
    }
    if load.columns.is_empty() {
        let shown = relation.columns().iter().filter(|column| !column.hidden);
        targets = shown.map(|column| Field::Column { is_text: is_text(column.ty.sql.clone()) }).collect();
    }
    let names = SessionNames::new(session.catalog().clone(), context.clone());
    let parameters = context.parameter_types();
    let mut binder = Binder::new(&names, sql, &parameters);
    let values: Vec<ast::Expr> = load.assignments.iter().map(|assignment| assignment.value.clone()).collect();
    let assigned = binder.inserted_row(&values)?.into_iter().map(|assigned| match assigned {
        Assigned::Value(expr) => Ok(expr),
        Assigned::Default => Err(SqlError::unsupported("DEFAULT in SET of LOAD DATA")),
    });
    let assigned = assigned.collect::<Result<_>>()?;
    if !load.assignments.is_empty() && load.columns.is_empty() {
        let all = relation.columns().iter().filter(|column| !column.hidden);
        let ident = |name: &str| ast::Ident { text: name.into(), quoted: true, span: load.span };
        columns = all
            .map(|column| ast::ColumnName { database: None, table: None, name: ident(&column.name), span: load.span })
            .collect();
    }
    columns.extend(load.assignments.iter().map(|assignment| assignment.column.clone()));

    let insert = ast::Insert {
        with: None,
        replace: load.replace,
        // With LOCAL nobody can stop the client from sending: rows in the way are passed over.
        ignore: !load.replace,
        table: load.table.clone(),
        partitions: load.partitions.clone(),
        columns,
        source: InsertSource::Values(Vec::new()),
        row_alias: None,
        on_duplicate: Vec::new(),
        returning: Vec::new(),
    };
    let rows = FileRows {
        file,
        format: Format::new(&load.format)?,
        skip_lines: load.skip_lines,
        bytes: VecDeque::new(),
        is_read: false,
        targets,
        assigned,
    };
    let effect = Insert::of_file(session, sql, &insert, Box::new(rows), &context)?;
    Ok(Cursor::of_running(Box::new(effect), context))
}

fn is_text(ty: value::SqlType) -> bool {
    use value::SqlType as T;
    matches!(
        ty,
        T::Char { .. } | T::VarChar { .. } | T::Text { .. } | T::Binary { .. } | T::VarBinary { .. } | T::Blob { .. }
    )
}

impl Format {
    fn new(format: &FileFormat) -> Result<Format> {
        let one = |text: &Option<Box<str>>, default: Option<u8>| match text.as_deref().map(str::as_bytes) {
            None => Ok(default),
            Some([]) => Ok(None),
            Some([byte]) => Ok(Some(*byte)),
            Some(_) => Err(SqlError::general("Field separator argument is not what is expected; check the manual")),
        };
        let text = |text: &Option<Box<str>>, default: &str| text.as_deref().unwrap_or(default).as_bytes().to_vec();
        Ok(Format {
            terminated_by: text(&format.fields_terminated_by, "\t"),
            enclosed_by: one(&format.enclosed_by, None)?,
            escaped_by: one(&format.escaped_by, Some(b'\\'))?,
            starting_by: text(&format.lines_starting_by, ""),
            line_end: text(&format.lines_terminated_by, "\n"),
        })
    }

    /// The byte behind the first line, its end included, and the length of that; `None` when the line goes on.
    fn line(&self, bytes: &[u8]) -> Option<(usize, usize)> {
        let (mut at, mut is_enclosed, mut is_start) = (0, false, true);
        while at < bytes.len() {
            let byte = bytes[at];
            if !is_enclosed && !self.line_end.is_empty() && bytes[at..].starts_with(&self.line_end) {
                return Some((at + self.line_end.len(), self.line_end.len()));
            }
            if Some(byte) == self.escaped_by && self.escaped_by != self.enclosed_by {
                at += 2;
                is_start = false;
                continue;
            }
            if Some(byte) == self.enclosed_by && (is_enclosed || is_start) {
                is_enclosed = !is_enclosed;
                is_start = false;
            } else if !is_enclosed && !self.terminated_by.is_empty() && bytes[at..].starts_with(&self.terminated_by) {
                at += self.terminated_by.len();
                is_start = true;
                continue;
            } else {
                is_start = false;
            }
            at += 1;
        }
        None
    }

    /// The fields of a line without its end; `None` for NULL. No fields for a line that has not the beginning that lines have.
    fn fields(&self, line: &[u8]) -> Vec<Option<Vec<u8>>> {
        let mut rest = line;
        if !self.starting_by.is_empty() {
            let start = rest.windows(self.starting_by.len()).position(|window| window == self.starting_by);
            match start {
                Some(start) => rest = &rest[start + self.starting_by.len()..],
                None => return Vec::new(),
            }
        }
        let mut fields = Vec::new();
        let (mut field, mut is_enclosed, mut was_enclosed, mut is_null) = (Vec::new(), false, false, false);
        let mut at = 0;
        while at < rest.len() {
            let (byte, next) = (rest[at], rest.get(at + 1).copied());
            let encloses = Some(byte) == self.enclosed_by;
            if encloses && !is_enclosed && field.is_empty() && !was_enclosed {
                (is_enclosed, was_enclosed) = (true, true);
            } else if encloses && is_enclosed && next == self.enclosed_by {
                field.push(byte);
                at += 1;
            } else if encloses && is_enclosed {
                is_enclosed = false;
            } else if let (Some(next), true) = (next, Some(byte) == self.escaped_by && !encloses) {
                match next {
                    b'N' if field.is_empty() => is_null = true,
                    b'Z' => field.push(26),
                    b'0' => field.push(0),
                    b'n' => field.push(b'\n'),
                    b't' => field.push(b'\t'),
                    b'r' => field.push(b'\r'),
                    b'b' => field.push(8),
                    other => field.push(other),
                }
                at += 1;
            } else if !is_enclosed && !self.terminated_by.is_empty() && rest[at..].starts_with(&self.terminated_by) {
                let is_null = std::mem::take(&mut is_null) || (!was_enclosed && field == b"NULL");
                fields.push((!is_null).then(|| std::mem::take(&mut field)));
                field.clear();
                was_enclosed = false;
                at += self.terminated_by.len();
                continue;
            } else {
                field.push(byte);
            }
            at += 1;
        }
        let is_null = is_null || (!was_enclosed && field == b"NULL");
        fields.push((!is_null).then_some(field));
        fields
    }
}

impl FileRows {
    /// The values of the next row; `None` at the end of the file.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`] while the host has no more bytes yet; what is wrong with the file.
    pub(super) fn next(&mut self, context: &Rc<Context>) -> Result<Option<Vec<Given<'static>>>> {
        loop {
            let Some(line) = self.next_line()? else { return Ok(None) };
            if self.skip_lines > 0 {
                self.skip_lines -= 1;
                continue;
            }
            let fields = self.format.fields(&line);
            if line.is_empty() || fields.is_empty() {
                continue;
            }
            return self.row(fields, context).map(Some);
        }
    }

    fn next_line(&mut self) -> Result<Option<Vec<u8>>> {
        loop {
            let bytes = self.bytes.make_contiguous();
            if let Some((length, end)) = self.format.line(bytes) {
                let mut line: Vec<u8> = self.bytes.drain(..length).collect();
                line.truncate(length - end);
                return Ok(Some(line));
            }
            if self.is_read {
                let line: Vec<u8> = self.bytes.drain(..).collect();
                return Ok(if line.is_empty() { None } else { Some(line) });
            }
            match self.file.read()? {
                FileRead::Bytes(bytes) => self.bytes.extend(bytes),
                FileRead::Wait => return Err(SqlError::wait()),
                FileRead::End => self.is_read = true,
            }
        }
    }

    fn row(&self, fields: Vec<Option<Vec<u8>>>, context: &Rc<Context>) -> Result<Vec<Given<'static>>> {
        let mut row = Vec::with_capacity(self.targets.len() + self.assigned.len());
        let mut fields = fields.into_iter();
        for target in &self.targets {
            let field = fields.next();
            match target {
                Field::Variable(name) => {
                    let value = field.flatten().map_or(Value::Null, text);
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

fn text(bytes: Vec<u8>) -> Value<'static> {
    match String::from_utf8(bytes) {
        Ok(text) => Value::text(text),
        Err(error) => Value::bytes(error.into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_fields_are_found() {
        let csv = FileFormat {
            charset: None,
            fields_terminated_by: Some(",".into()),
            enclosed_by: Some("\"".into()),
            optionally_enclosed: true,
            escaped_by: None,
            lines_starting_by: None,
            lines_terminated_by: None,
        };
        let format = Format::new(&csv).unwrap();
        let bytes = b"1,\"a \"\"quoted\"\", one\",\\N\n2,\"two\nlines\",NULL\nrest";
        let (first, end) = format.line(bytes).unwrap();
        let texts = |fields: Vec<Option<Vec<u8>>>| -> Vec<Option<String>> {
            fields.into_iter().map(|field| field.map(|field| String::from_utf8(field).unwrap())).collect()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(texts(format.fields(&bytes[..first - end])), [some("1"), some("a \"quoted\", one"), None]);
        let (second, _) = format.line(&bytes[first..]).unwrap();
        assert_eq!(texts(format.fields(&bytes[first..first + second - 1])), [some("2"), some("two\nlines"), None]);
        assert_eq!(format.line(&bytes[first + second..]), None);
    }
}
