//! Fast path for rows of plain literals in VALUES, read straight from the text: a dump has thousands in a statement, and a tree of each
//! would take many times the text's memory.
//!
//! This reads less than the grammar. Anything else in a statement (an expression, a comment, texts that
//! follow each other, ON DUPLICATE KEY UPDATE) leaves it to [`crate::grammar::statement()`] as a whole.

use crate::lex::keyword::Keyword as K;
use crate::lex::lexer::Lexer;
use crate::lex::token::TokenKind as T;
use crate::options::Options;

/// A literal as it is written in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawLiteral<'a> {
    Null,
    /// The word DEFAULT.
    Default,
    /// Digits, maybe behind a minus: then 18 at most.
    Integer(&'a str),
    /// With a point, maybe behind a minus.
    Decimal(&'a str),
    /// With an exponent, maybe behind a minus.
    Float(&'a str),
    /// Between the quotes, where nothing has to be undone.
    Text(&'a str),
    /// With its quotes: see [`crate::lex::lexer::unquote_text`].
    QuotedText(&'a str),
    /// An even number of hexadecimal digits.
    Hex(&'a str),
}

/// Where the rows of an INSERT or REPLACE lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiteralRows {
    /// Byte of the parenthesis that opens the first row: everything before it is not rows.
    pub start: u32,
    /// Byte behind the first row: the text up to here is the same statement with one row.
    pub first_end: u32,
    /// Values of each row.
    pub width: u32,
    pub count: u32,
}

impl LiteralRows {
    /// The rows of a statement that is nothing but `INSERT … VALUES` and rows of one width.
    pub fn of(sql: &str, options: Options) -> Option<LiteralRows> {
        let start = behind_values(sql, options)?;
        let mut reader = RowReader { sql, at: start, options };
        let mut width = 0;
        reader.row(|_| width += 1)?;
        let first_end = reader.at;
        let mut count = 1;
        while reader.comma()? {
            count += 1;
            let mut here = 0;
            reader.row(|_| here += 1)?;
            if here != width {
                return None;
            }
        }
        Some(LiteralRows { start: start as u32, first_end: first_end as u32, width, count })
    }

    /// Reads the rows of the statement.
    pub fn reader<'a>(&self, sql: &'a str, options: Options) -> RowReader<'a> {
        RowReader { sql, at: self.start as usize, options }
    }
}

/// The byte of the parenthesis behind VALUES.
fn behind_values(sql: &str, options: Options) -> Option<usize> {
    // A name of a table and a list of columns are shorter.
    const TOKENS_MAX: usize = 10_000;
    let mut lexer = Lexer::new(sql, options);
    if !matches!(lexer.next_token().kind, T::Word(K::Insert | K::Replace)) {
        return None;
    }
    let mut depth = 0u32;
    for _ in 0..TOKENS_MAX {
        match lexer.next_token().kind {
            T::LeftParen => depth += 1,
            T::RightParen => depth = depth.checked_sub(1)?,
            T::Word(K::Values | K::Value) if depth == 0 => {
                let open = lexer.next_token();
                return (open.kind == T::LeftParen).then_some(open.span.start as usize);
            }
            T::Word(K::Select | K::Set | K::With | K::Table) | T::End | T::Bad | T::Parameter | T::Semicolon => break,
            _ => {}
        }
    }
    None
}

/// Reads one row after the other.
#[derive(Clone, Copy, Debug)]
pub struct RowReader<'a> {
    sql: &'a str,
    at: usize,
    options: Options,
}

impl<'a> RowReader<'a> {
    /// A reader that goes on at a byte where another one stood between two rows.
    pub fn resume(sql: &'a str, at: usize, options: Options) -> RowReader<'a> {
        RowReader { sql, at, options }
    }

    /// The byte where it begins.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Gives the values of the next row to `each`; false at the end. The rows are those that [`LiteralRows::of`] went through.
    pub fn next_row(&mut self, each: impl FnMut(RawLiteral<'a>)) -> bool {
        if self.byte() != b'(' && self.comma() != Some(true) {
            return false;
        }
        self.row(each).is_some()
    }

    fn byte(&self) -> u8 {
        self.sql.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) {
            self.at += 1;
        }
        self.byte()
    }

    /// The comma before another row, or false where the statement ends.
    fn comma(&mut self) -> Option<bool> {
        if self.skip_blanks() == b',' {
            self.at += 1;
            return Some(true);
        }
        if self.byte() == b';' {
            self.at += 1;
            self.skip_blanks();
        }
        (self.at == self.sql.len()).then_some(false)
    }

    /// A row in parentheses, with one value at least.
    fn row(&mut self, mut each: impl FnMut(RawLiteral<'a>)) -> Option<()> {
        if self.skip_blanks() != b'(' {
            return None;
        }
        loop {
            self.at += 1;
            self.skip_blanks();
            each(self.literal()?);
            match self.skip_blanks() {
                b',' => {}
                b')' => break,
                _ => return None,
            }
        }
        self.at += 1;
        Some(())
    }

    fn literal(&mut self) -> Option<RawLiteral<'a>> {
        match self.byte() {
            b'\'' => self.text(),
            b'0' if matches!(self.sql.as_bytes().get(self.at + 1), Some(b'x' | b'X')) => {
                let start = self.at + 2;
                let digits = self.hex_digits(start)?;
                self.at = start + digits.len();
                Some(RawLiteral::Hex(digits))
            }
            b'-' | b'0'..=b'9' => self.number(),
            b'n' | b'N' => self.word("NULL").map(|()| RawLiteral::Null),
            b'd' | b'D' => self.word("DEFAULT").map(|()| RawLiteral::Default),
            b'x' | b'X' => self.quoted_hex(),
            b'_' => {
                self.word("_binary")?;
                match self.skip_blanks() {
                    b'\'' => self.text(),
                    b'x' | b'X' => self.quoted_hex(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A word; what may follow it is a blank, a comma or a parenthesis.
    fn word(&mut self, word: &str) -> Option<()> {
        let end = self.at + word.len();
        if !self.sql.get(self.at..end)?.eq_ignore_ascii_case(word) {
            return None;
        }
        self.at = end;
        (!matches!(self.byte(), b'_' | b'$' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | 0x80..)).then_some(())
    }

    fn text(&mut self) -> Option<RawLiteral<'a>> {
        let start = self.at;
        let mut is_plain = true;
        let mut at = start + 1;
        loop {
            let rest = self.sql.as_bytes().get(at..)?;
            at += rest.iter().position(|byte| *byte == b'\'' || *byte == b'\\')?;
            let next = self.sql.as_bytes().get(at + 1);
            if self.sql.as_bytes().get(at) == Some(&b'\\') {
                is_plain &= self.options.no_backslash_escapes;
                at += if self.options.no_backslash_escapes { 1 } else { 2 };
            } else if next == Some(&b'\'') {
                is_plain = false;
                at += 2;
            } else {
                break;
            }
        }
        self.at = at + 1;
        match is_plain {
            true => self.sql.get(start + 1..at).map(RawLiteral::Text),
            false => self.sql.get(start..self.at).map(RawLiteral::QuotedText),
        }
    }

    fn hex_digits(&self, start: usize) -> Option<&'a str> {
        let digits = self.sql.as_bytes().get(start..)?.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if digits == 0 || digits % 2 != 0 { None } else { self.sql.get(start..start + digits) }
    }

    /// `x'4F'`.
    fn quoted_hex(&mut self) -> Option<RawLiteral<'a>> {
        let start = self.at + 2;
        if self.sql.as_bytes().get(self.at + 1) != Some(&b'\'') {
            return None;
        }
        let digits = self.hex_digits(start)?;
        self.at = start + digits.len();
        if self.byte() != b'\'' {
            return None;
        }
        self.at += 1;
        Some(RawLiteral::Hex(digits))
    }

    /// Digits, maybe with a sign, a point and an exponent; their form is that of all numbers that need no thought.
    fn number(&mut self) -> Option<RawLiteral<'a>> {
        const DIGITS_OF_NEGATIVE_MAX: usize = 18;
        let start = self.at;
        let is_negative = self.byte() == b'-';
        self.at += usize::from(is_negative);
        let whole = self.digits()?;
        let is_decimal = self.byte() == b'.';
        if is_decimal {
            self.at += 1;
            self.digits()?;
        }
        let is_float = matches!(self.byte(), b'e' | b'E');
        if is_float {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), b'+' | b'-'));
            self.digits()?;
        }
        let text = self.sql.get(start..self.at)?;
        match (is_float, is_decimal) {
            (true, _) => Some(RawLiteral::Float(text)),
            (false, true) => Some(RawLiteral::Decimal(text)),
            _ if is_negative && whole > DIGITS_OF_NEGATIVE_MAX => None,
            _ => Some(RawLiteral::Integer(text)),
        }
    }

    /// The number of digits here: one at least.
    fn digits(&mut self) -> Option<usize> {
        let start = self.at;
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > start).then_some(self.at - start)
    }
}

#[cfg(test)]
mod tests {
    use super::RawLiteral::*;
    use super::*;

    fn rows(sql: &str) -> Option<Vec<Vec<RawLiteral<'_>>>> {
        let options = Options::default();
        let mut reader = LiteralRows::of(sql, options)?.reader(sql, options);
        let mut rows = Vec::new();
        loop {
            let mut row = Vec::new();
            if !reader.next_row(|literal| row.push(literal)) {
                return Some(rows);
            }
            rows.push(row);
        }
    }

    #[test]
    fn literals_of_every_form() {
        let sql = "REPLACE INTO `values` (a, `b`) VALUES\n(NULL, default , 1,-2, 1.5,-0.25,1e3, -1.5E-7,'a;b' ,'it\\'s', 'a''b',0x4f, x'00FF',_binary 'c', _binary X'41');";
        let row = vec![
            Null,
            Default,
            Integer("1"),
            Integer("-2"),
            Decimal("1.5"),
            Decimal("-0.25"),
            Float("1e3"),
            Float("-1.5E-7"),
            Text("a;b"),
            QuotedText("'it\\'s'"),
            QuotedText("'a''b'"),
            Hex("4f"),
            Hex("00FF"),
            Text("c"),
            Hex("41"),
        ];
        assert_eq!(rows(sql), Some(vec![row]));
        assert_eq!(
            rows("insert t values (1),(2)\n, (3)"),
            Some(vec![vec![Integer("1")], vec![Integer("2")], vec![Integer("3")]])
        );
        let options = Options { no_backslash_escapes: true, ..Options::default() };
        let sql = r"INSERT INTO t VALUES ('a\')";
        let mut found = Vec::new();
        LiteralRows::of(sql, options).expect("rows").reader(sql, options).next_row(|literal| found.push(literal));
        assert_eq!(found, [Text(r"a\")]);
    }

    #[test]
    fn the_text_up_to_the_first_end_has_one_row() {
        let sql = "INSERT INTO t (a) VALUES ('x') , ('y')";
        let found = LiteralRows::of(sql, Options::default()).expect("rows");
        assert_eq!(&sql[..found.first_end as usize], "INSERT INTO t (a) VALUES ('x')");
        assert_eq!((&sql[found.start as usize..][..3], found.width), ("('x", 1));
    }

    #[test]
    fn anything_else_is_left_to_the_grammar() {
        let whole = [
            "SELECT 1",
            "INSERT INTO t VALUES ()",
            "INSERT INTO t VALUES (1), (1, 2)",
            "INSERT INTO t VALUES (1 + 1)",
            "INSERT INTO t VALUES (a)",
            "INSERT INTO t VALUES (?)",
            "INSERT INTO t VALUES (now())",
            "INSERT INTO t VALUES (DEFAULT(a))",
            "INSERT INTO t VALUES ('a' 'b')",
            "INSERT INTO t VALUES (\"a\")",
            "INSERT INTO t VALUES (1) /* x */",
            "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1",
            "INSERT INTO t VALUES (1) AS n",
            "INSERT INTO t VALUES (1),",
            "INSERT INTO t VALUES (1); SELECT 1",
            "INSERT INTO t VALUES ('a",
            "INSERT INTO t VALUES ('a\\",
            "INSERT INTO t VALUES (1",
            "INSERT INTO t VALUES ROW(1)",
            "INSERT INTO t VALUES (-9223372036854775808)",
            "INSERT INTO t VALUES (1., .5)",
            "INSERT INTO t VALUES (0x4)",
            "INSERT INTO t VALUES (nullx)",
            "INSERT INTO t VALUES (_utf8mb4 'a')",
            "INSERT INTO t VALUES (- 1)",
            "INSERT INTO t SELECT 1",
            "INSERT INTO t SET a = 1",
            "/*! INSERT INTO t VALUES (1) */",
        ];
        for sql in whole {
            assert_eq!(LiteralRows::of(sql, Options::default()), None, "{sql}");
        }
    }
}
