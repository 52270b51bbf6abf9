//! Rows of text (CSV) that an INSERT adds.

use std::cell::Cell;
use std::ops::Range;

/// A piece of comma-separated values. A prepared `INSERT … VALUES (?, …)` adds a row for each of its lines, whose fields are the parameters.
pub struct RowsText {
    /// Begins where a line begins.
    pub text: Box<str>,
    /// The bytes after `text`, where they are not UTF-8.
    pub stray_byte: Option<u8>,
    /// Nothing follows: the last line needs no end.
    pub is_last: bool,
    /// The first line has the titles of the columns.
    pub has_titles: bool,
    pub separator: char,
    /// A backslash makes data of a quote behind it, of itself, and of what ends a field; `\N` is NULL. Without it a backslash is data.
    pub has_escapes: bool,
    pub forms: WrittenForms,
    /// Texts such as `n/a`, which are NULL in columns of numbers, dates and times.
    pub nulls: Box<[Box<str>]>,
    /// For each field of a line whether it is left out: the statement has no parameter for it. Empty where all are wanted.
    pub left_out: Box<[bool]>,
    /// A line with fewer fields has NULL in those that it lacks; without it such a line is an error.
    pub fills_short_lines: bool,
    /// Lines with fields that came before the piece, titles and all: people know a row by its number.
    pub rows_before: u64,
    done: Cell<RowsDone>,
    refused: Cell<[usize; 2]>,
}

/// How dates and numbers are written that are not as in SQL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WrittenForms {
    pub dates: Option<DateOrder>,
    pub decimal: Option<DecimalMark>,
}

/// The order of a date's day and month, where its year comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    DayFirst,
    MonthFirst,
}

/// The decimal mark of numbers; the other one may separate thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalMark {
    Comma,
    Point,
}

/// How far a piece was read. The rest comes again at the beginning of the next one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowsDone {
    pub bytes: usize,
    /// Titles among them.
    pub rows: u64,
}

impl RowsText {
    /// A piece with commas between its fields and without titles. A character that it ends within belongs to the next one.
    pub fn new(bytes: &[u8], is_last: bool) -> RowsText {
        let (mut text, mut stray_byte) = (bytes, None);
        if let Err(error) = std::str::from_utf8(bytes) {
            let (valid, behind) = bytes.split_at(error.valid_up_to());
            text = valid;
            stray_byte = behind.first().copied().filter(|_| is_last || error.error_len().is_some());
        }
        RowsText {
            text: std::str::from_utf8(text).unwrap_or_default().into(),
            stray_byte,
            is_last,
            has_titles: false,
            separator: ',',
            has_escapes: false,
            forms: WrittenForms::default(),
            nulls: Box::default(),
            left_out: Box::default(),
            fills_short_lines: false,
            rows_before: 0,
            done: Cell::default(),
            refused: Cell::default(),
        }
    }

    pub fn done(&self) -> RowsDone {
        self.done.get()
    }

    pub(crate) fn set_done(&self, done: RowsDone) {
        self.done.set(done);
    }

    /// The range of the row that the statement failed at, its end of line included; empty where no row caused the failure.
    pub fn refused(&self) -> Range<usize> {
        let [start, end] = self.refused.get();
        start..end
    }

    pub(crate) fn set_refused(&self, row: Range<usize>) {
        self.refused.set([row.start, row.end]);
    }
}
