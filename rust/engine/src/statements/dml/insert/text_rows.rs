//! Rows of text (CSV) as rows of INSERT.

use std::borrow::Cow;
use std::rc::Rc;

use value::json::quote;
use value::{IntegerType, IntegerWidth, SqlType, Value};

use super::{Given, written_forms};
use crate::bind::Assigned;
use crate::catalog::Column;
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind};
use crate::prepared::{DateOrder, DecimalMark, RowsDone, RowsText};
use crate::statements::dml::lines::{Field, Format, Trouble};

/// So much of a row is shown that is not taken, to find it in the file.
const SHOWN_CHARACTERS: usize = 60;

/// Errors that no row is to blame for: conflicts with other transactions, columns without a default, read-only transactions.
const ERRORS_OF_NO_ROW: [u16; 3] = [1213, 1364, 1792];

/// The rows of a piece that are not added yet.
pub struct TextRows {
    pub text: Rc<RowsText>,
    format: Format,
    targets: Vec<Target>,
    has_titles: bool,
    /// Where the line begins that was read last.
    start: usize,
    done: RowsDone,
    fields: Vec<Field>,
}

/// What a field is for.
struct Target {
    column: Box<str>,
    conversion: Option<Conversion>,
    /// It holds no texts, so that some may mean NULL.
    has_nulls: bool,
    /// A text of no characters is none of its values, also between quotes.
    is_null_when_empty: bool,
}

/// What a text becomes that is not written as SQL takes it.
#[derive(Clone, Copy)]
enum Conversion {
    Date(DateOrder),
    Number(DecimalMark),
    /// There are no bytes in a text: `0x…` means them.
    Bytes,
    /// A number of one byte, or `true` and `false`.
    Truth(Option<DecimalMark>),
    /// The number that the bits are, which a text as such is not.
    Bits,
    /// A year, where `0000` is not 2000.
    Year,
    /// The statement says DEFAULT: the column makes its values itself, whatever a file has for them.
    PassedOver,
}

impl TextRows {
    /// # Errors
    /// 1105 for a statement that does not take one row of parameters.
    pub fn new<'a>(
        text: &Rc<RowsText>,
        values: &[Vec<Assigned>],
        parameters: u32,
        columns: impl Iterator<Item = &'a Column>,
    ) -> Result<TextRows> {
        let mut numbers = 0..parameters;
        let is_of_field = |value: &Assigned| match value {
            Assigned::Default => true,
            Assigned::Value(Expr { kind: ExprKind::Param(number), .. }) => numbers.next() == Some(*number),
            Assigned::Value(_) => false,
        };
        let [row] = values else { return Err(no_rows_of_text()) };
        if parameters == 0 || !row.iter().all(is_of_field) {
            return Err(no_rows_of_text());
        }
        let target = |(column, value): (&Column, &Assigned)| Target {
            column: column.name.as_ref().into(),
            conversion: match value {
                Assigned::Default => Some(Conversion::PassedOver),
                Assigned::Value(_) => conversion(&column.ty.sql, text),
            },
            has_nulls: has_nulls(&column.ty.sql),
            is_null_when_empty: is_null_when_empty(&column.ty.sql),
        };
        Ok(TextRows {
            format: Format::csv(text.separator, text.has_escapes),
            targets: columns.zip(row).map(target).collect(),
            has_titles: text.has_titles,
            start: 0,
            done: RowsDone::default(),
            fields: Vec::new(),
            text: text.clone(),
        })
    }

    /// Goes to the next row; false where the piece has no other whole one.
    ///
    /// # Errors
    /// What keeps the line from being a row, see [`SqlError::is_about_text`].
    pub fn next(&mut self) -> Result<bool> {
        let RowsText { text, stray_byte, is_last, .. } = &*self.text;
        let is_last = *is_last && stray_byte.is_none();
        while self.done.bytes < text.len() {
            self.start = self.done.bytes;
            let Some(end) = self
                .format
                .line(text.as_bytes(), self.start, is_last, &mut self.fields)
                .map_err(|trouble| self.unreadable(trouble))?
            else {
                break;
            };
            self.done.bytes = end;
            // An empty line is no row.
            let is_row = match &self.fields[..] {
                [] => false,
                [only] => !only.is_absent(),
                _ => true,
            };
            if !is_row {
                self.text.set_done(self.done);
                continue;
            }
            self.done.rows += 1;
            self.text.set_done(self.done);
            if !std::mem::take(&mut self.has_titles) {
                return if self.keep_wanted() { Ok(true) } else { Err(self.too_wide()) };
            }
        }
        match stray_byte {
            Some(byte) => Err(about_text(format!("Row {}: the byte 0x{byte:02X} is no UTF-8", self.number() + 1))),
            None => Ok(false),
        }
    }

    /// Keeps the fields of a line that have a column. False where the line has more fields than that, or fewer and these are not filled in.
    fn keep_wanted(&mut self) -> bool {
        let left_out = &self.text.left_out;
        let width = self.width();
        if self.text.fills_short_lines && self.fields.len() < width {
            self.fields.resize_with(width, Field::default);
        }
        if self.fields.len() != width {
            return false;
        }
        if !left_out.is_empty() {
            let mut is_left_out = left_out.iter();
            self.fields.retain(|_| is_left_out.next() == Some(&false));
        }
        true
    }

    /// How many fields a line has.
    fn width(&self) -> usize {
        if self.text.left_out.is_empty() { self.targets.len() } else { self.text.left_out.len() }
    }

    /// The values of the row that [`TextRows::next`] has found, with its text.
    pub fn row<'a>(&mut self, text: &'a RowsText) -> Result<Vec<Given<'a>>> {
        let mut row = Vec::with_capacity(self.targets.len());
        let number = self.number();
        for (field, target) in self.fields.iter_mut().zip(&self.targets) {
            if matches!(target.conversion, Some(Conversion::PassedOver)) {
                row.push(Given::Default);
                continue;
            }
            if field.is_csv_null() {
                row.push(Given::Value(Value::Null));
                continue;
            }
            let written = field.take_text(&text.text);
            let is_null = match written.is_empty() {
                true => target.is_null_when_empty,
                false => target.has_nulls && text.nulls.iter().any(|null| **null == *written),
            };
            if is_null {
                row.push(Given::Value(Value::Null));
                continue;
            }
            row.push(Given::Value(match target.conversion {
                None | Some(Conversion::PassedOver) => Value::Text(written),
                Some(Conversion::Year) if written == "0000" => Value::Int(0),
                Some(Conversion::Year) => Value::Text(written),
                Some(Conversion::Truth(mark)) => match (truth(&written), mark) {
                    (Some(truth), _) => Value::UInt(truth),
                    (None, Some(mark)) => converted(written, number, target, |text| written_forms::number(text, mark))?,
                    (None, None) => Value::Text(written),
                },
                Some(Conversion::Bits) => bits(&written).ok_or_else(|| no_bits(&written, number, target))?,
                Some(Conversion::Bytes) => bytes(written),
                Some(Conversion::Date(order)) => {
                    converted(written, number, target, |text| written_forms::date(text, order))?
                }
                Some(Conversion::Number(mark)) => {
                    converted(written, number, target, |text| written_forms::number(text, mark))?
                }
            }));
        }
        Ok(row)
    }

    /// The error of adding the row, with its number and what it has.
    pub fn placed(&mut self, mut error: SqlError) -> SqlError {
        if error.is_wait() || error.is_interruption() || ERRORS_OF_NO_ROW.contains(&error.errno) {
            return error;
        }
        self.refuse();
        error.message = format!("Row {} of the file: {}: {}", self.number(), error.message, self.beginning());
        error.elsewhere()
    }

    /// Reports the position of the row that was read last: it cannot be added.
    pub fn refuse(&self) {
        self.text.set_refused(self.start..self.done.bytes);
    }

    /// By which number people know the row that was read last.
    fn number(&self) -> u64 {
        self.text.rows_before + self.done.rows
    }

    /// How the row begins that was read last.
    fn beginning(&mut self) -> String {
        let text = &self.text.text;
        // Its fields may have been taken.
        let _ = self.format.line(text.as_bytes(), self.start, true, &mut self.fields);
        let fields: Vec<Cow<'_, str>> = self.fields.iter_mut().map(|field| field.take_text(text)).collect();
        shortened(&fields.join(", "))
    }

    fn too_wide(&mut self) -> SqlError {
        let fields = counted(self.fields.len(), "field");
        let columns = counted(self.width(), "column");
        let number = self.number();
        self.refuse();
        about_text(format!("Row {number} of the file has {fields}, where there are {columns}: {}", self.beginning()))
    }

    fn unreadable(&self, trouble: Trouble) -> SqlError {
        let what = match trouble {
            Trouble::NotClosed => "is not closed",
            Trouble::GoesOnBehindQuote => "goes on behind its quote",
        };
        let line: String = self.text.text[self.start..].chars().take(SHOWN_CHARACTERS).collect();
        let line = line.split(['\r', '\n']).next().unwrap_or_default();
        let escapes = match !self.text.has_escapes && line.contains("\\\"") {
            true => ". Where quotes are written \\\", name the backslash as the escape",
            false => "",
        };
        about_text(format!("Row {} of the file: a quoted field {what}: {line}{escapes}", self.number() + 1))
    }
}

#[cold]
fn no_rows_of_text() -> SqlError {
    SqlError::general("rows of a text go into INSERT … VALUES with a parameter, or DEFAULT, for each of their fields")
}

#[cold]
fn no_bits(written: &str, row: u64, target: &Target) -> SqlError {
    let (shown, column) = (quote(written), &target.column);
    about_text(format!(
        "Row {row} of the file has {shown} for {column}, where bits are a number, 0x… or true and false"
    ))
}

#[cold]
fn about_text(message: String) -> SqlError {
    SqlError::general(message).about_text()
}

fn conversion(ty: &SqlType, text: &RowsText) -> Option<Conversion> {
    match ty {
        SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => text.forms.dates.map(Conversion::Date),
        SqlType::Integer(IntegerType { width: IntegerWidth::Tiny, unsigned: false, .. }) => {
            Some(Conversion::Truth(text.forms.decimal))
        }
        SqlType::Integer(_) | SqlType::Decimal { .. } | SqlType::Float | SqlType::Double => {
            text.forms.decimal.map(Conversion::Number)
        }
        SqlType::Binary { .. }
        | SqlType::VarBinary { .. }
        | SqlType::Blob { .. }
        | SqlType::Geometry { .. }
        | SqlType::Vector { .. } => Some(Conversion::Bytes),
        SqlType::Bit(_) => Some(Conversion::Bits),
        SqlType::Year => Some(Conversion::Year),
        _ => None,
    }
}

/// Whether texts are no values of the type.
fn has_nulls(ty: &SqlType) -> bool {
    use SqlType::{Date, DateTime, Decimal, Double, Float, Integer, Time, Timestamp, Year};
    matches!(ty, Integer(_) | Decimal { .. } | Float | Double | Year | Date | DateTime { .. } | Timestamp { .. } | Time)
}

/// As native Dolt imports them: a quoted text of nothing is one in columns of text and of bytes alone.
fn is_null_when_empty(ty: &SqlType) -> bool {
    has_nulls(ty) || matches!(ty, SqlType::Json | SqlType::Geometry { .. })
}

fn bits(written: &str) -> Option<Value<'static>> {
    let written = written.trim();
    let number = match written.strip_prefix("0x").or_else(|| written.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => truth(written).or_else(|| written.parse().ok()),
    };
    number.map(Value::UInt)
}

/// The number that a written truth is.
fn truth(written: &str) -> Option<u64> {
    let is = |word: &str| written.trim().eq_ignore_ascii_case(word);
    if is("true") { Some(1) } else { is("false").then_some(0) }
}

fn bytes(written: Cow<'_, str>) -> Value<'_> {
    let digits = written.strip_prefix("0x").or_else(|| written.strip_prefix("0X"));
    let is_hex = |digits: &&str| digits.len().is_multiple_of(2) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match digits.filter(is_hex) {
        Some(digits) => Value::bytes(super::literals::bytes_of(digits)),
        None => Value::Text(written),
    }
}

fn converted<'a>(
    written: Cow<'a, str>,
    row: u64,
    target: &Target,
    convert: impl Fn(&str) -> Option<Cow<'_, str>>,
) -> Result<Value<'a>> {
    match convert(&written) {
        Some(Cow::Borrowed(same)) if same.len() == written.len() => {}
        Some(other) => return Ok(Value::text(other.into_owned())),
        None => {
            let shown = quote(&written);
            return Err(about_text(format!(
                "Row {row} of the file has {shown} for {}, which is written in another way than was said",
                target.column
            )));
        }
    }
    Ok(Value::Text(written))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
