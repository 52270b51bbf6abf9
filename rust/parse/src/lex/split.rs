//! Scripts to statements: delimiters, quotes, comments, and the bodies of procedures and triggers.

use crate::ast::Span;
use crate::lex::client_commands::{command_length, first_line};
use crate::lex::keyword::Keyword as K;
use crate::options::Options;

/// A statement in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The statement without leading blanks and comments, trailing blanks and its delimiter.
    pub span: Span,
    /// Where the next piece starts: behind the delimiter.
    pub end: u32,
    /// The delimiter was there; false only for a last piece that may go on.
    pub terminated: bool,
}

/// Splits a whole script. `DELIMITER` lines are obeyed and are no pieces; other commands of the mysql client are pieces, one a line.
pub fn split(sql: &str, options: &Options) -> Vec<Piece> {
    Splitter::resume(sql.as_bytes(), 0, ";", *options).collect()
}

/// Splits as far as asked. To go on after the text has grown: [`Splitter::resume`] at the `end` of the last terminated
/// piece, with the delimiter of then.
pub struct Splitter<'a> {
    sql: &'a [u8],
    offset: usize,
    options: Options,
    delimiter: Box<str>,
}

/// Nesting of BEGIN … END and the like inside CREATE PROCEDURE, TRIGGER, EVENT, where `;` does not end the statement.
#[derive(Default)]
struct Body {
    /// The statement starts with CREATE.
    create: bool,
    /// … and makes something with a body.
    has_body: bool,
    depth: u32,
    /// A statement of the body may start here.
    fresh: bool,
    /// The last word was END.
    after_end: bool,
    words: u32,
}

impl<'a> Splitter<'a> {
    /// The content of quotes and comments need not be UTF-8.
    pub fn resume(sql: &'a [u8], offset: u32, delimiter: &str, options: Options) -> Self {
        let offset = (offset as usize).min(sql.len());
        Splitter { sql, offset, options, delimiter: delimiter.into() }
    }

    /// The delimiter in force at the current offset.
    pub fn delimiter(&self) -> &str {
        &self.delimiter
    }

    fn byte(&self, at: usize) -> u8 {
        self.sql.get(at).copied().unwrap_or(0)
    }

    fn at_delimiter(&self, at: usize) -> bool {
        let delimiter = self.delimiter.as_bytes();
        // Asked for every byte.
        delimiter.first().is_none_or(|first| self.sql.get(at) == Some(first))
            && self.sql[at.min(self.sql.len())..].starts_with(delimiter)
    }

    /// The end of the comment that starts at `at`, if one does. A version comment is none: its content counts.
    pub(crate) fn comment_end(&self, at: usize) -> Option<usize> {
        let rest = &self.sql[at..];
        let line = || rest.iter().position(|&byte| byte == b'\n').map_or(self.sql.len(), |found| at + found + 1);
        match (self.byte(at), self.byte(at + 1), self.byte(at + 2)) {
            (b'#', ..) | (b'-', b'-', _) | (b'/', b'/', _) => Some(line()),
            (b'/', b'*', third) if third != b'!' => {
                let body = rest.get(2..).unwrap_or(&[]);
                Some(body.windows(2).position(|pair| pair == b"*/").map_or(self.sql.len(), |found| at + 2 + found + 2))
            }
            _ => None,
        }
    }

    /// The byte behind the quoted text that starts at `at`.
    pub(crate) fn quoted_end(&self, at: usize) -> usize {
        let quote = self.byte(at);
        let escapes = quote != b'`' && !self.options.no_backslash_escapes;
        let mut offset = at + 1;
        while offset < self.sql.len() {
            match self.byte(offset) {
                byte if byte == quote => return offset + 1,
                b'\\' if escapes => offset += 2,
                _ => offset += 1,
            }
        }
        self.sql.len()
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        while at < self.sql.len() {
            if self.at_delimiter(at) {
                break;
            } else if self.byte(at).is_ascii_whitespace() {
                at += 1;
            } else if let Some(end) = self.comment_end(at) {
                at = end;
            } else {
                break;
            }
        }
        at
    }

    /// Obeys a `DELIMITER x` line at `at`; gives the start of the next line.
    fn delimiter_line(&mut self, at: usize) -> Option<usize> {
        let rest = self.sql.get(at..)?;
        let length = ["delimiter", "\\d"].map(str::as_bytes).into_iter().find_map(|word| {
            let begins = rest.get(..word.len())?.eq_ignore_ascii_case(word);
            (begins && matches!(rest.get(word.len()), Some(b' ' | b'\t'))).then_some(word.len())
        })?;
        let line = first_line(rest);
        let text = String::from_utf8_lossy(line.get(length..)?);
        let word = text.split_whitespace().next()?;
        let quoted = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.is_empty());
        self.delimiter = quoted('\'').or(quoted('"')).or(quoted('`')).unwrap_or(word).into();
        Some(at + line.len())
    }

    /// The line of another command of the mysql client, without its delimiter.
    fn client_line(&self, at: usize) -> Option<Piece> {
        let rest = self.sql.get(at..)?;
        command_length(rest, &self.delimiter)?;
        let line = first_line(rest);
        let text = line.trim_ascii_end();
        let text = text.strip_suffix(self.delimiter.as_bytes()).unwrap_or(text).trim_ascii_end();
        let span = Span::new(at as u32, (at + text.len()) as u32);
        Some(Piece { span, end: (at + line.len()) as u32, terminated: line.ends_with(b"\n") })
    }

    fn word_end(&self, at: usize) -> usize {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        at + self.sql[at..].iter().take_while(|byte| is_word(byte)).count()
    }
}

impl Iterator for Splitter<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let mut start = self.skip_blanks(self.offset);
        loop {
            if start >= self.sql.len() {
                self.offset = start;
                return None;
            }
            if self.at_delimiter(start) {
                start = self.skip_blanks(start + self.delimiter.len());
            } else if self.byte(start) == b'\\' && matches!(self.byte(start + 1), b'g' | b'G') {
                start = self.skip_blanks(start + 2);
            } else if let Some(next) = self.delimiter_line(start) {
                start = self.skip_blanks(next);
            } else {
                break;
            }
        }
        if let Some(piece) = self.client_line(start) {
            self.offset = piece.end as usize;
            return Some(piece);
        }
        let mut body = Body::default();
        let mut at = start;
        let mut terminated = false;
        let mut content_end = start;
        let mut delimiter_length = self.delimiter.len();
        while at < self.sql.len() {
            if self.at_delimiter(at) && (&*self.delimiter != ";" || body.depth == 0) {
                terminated = true;
                break;
            }
            let byte = self.byte(at);
            // `\G` and `\g` end a statement of the mysql client.
            if byte == b'\\' && matches!(self.byte(at + 1), b'g' | b'G') {
                (terminated, delimiter_length) = (true, 2);
                break;
            }
            if let Some(end) = self.comment_end(at) {
                at = end;
                continue;
            }
            if byte.is_ascii_whitespace() {
                at += 1;
                continue;
            }
            at = match byte {
                b'\'' | b'"' | b'`' => {
                    body.fresh = body.depth == 0;
                    self.quoted_end(at)
                }
                _ if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 => {
                    let end = self.word_end(at);
                    // Of most statements only the first word counts.
                    let counts = body.create || body.words == 0;
                    let word = str::from_utf8(&self.sql[at..end]).ok().filter(|_| counts);
                    body.word(word.map_or(K::Unlisted, K::find));
                    end
                }
                _ => {
                    body.symbol(byte);
                    at + 1
                }
            };
            content_end = at;
        }
        let end = if terminated { at + delimiter_length } else { self.sql.len() };
        self.offset = end;
        let span = Span::new(start as u32, content_end.min(self.sql.len()) as u32);
        Some(Piece { span, end: end as u32, terminated })
    }
}

impl Body {
    fn word(&mut self, word: K) {
        let fresh = std::mem::replace(&mut self.fresh, false);
        let after_end = std::mem::replace(&mut self.after_end, false);
        self.words += 1;
        match word {
            K::Create if self.words == 1 => self.create = true,
            K::Procedure | K::Trigger | K::Event | K::Function if self.create && self.words < 16 => {
                self.has_body = true
            }
            _ if !self.has_body => {}
            // END IF, END CASE …: the second word opens nothing.
            K::If | K::Case | K::While | K::Loop | K::Repeat if after_end => {}
            K::Begin | K::Case => {
                self.depth += 1;
                self.fresh = word == K::Begin;
            }
            K::If | K::While | K::Loop | K::Repeat if fresh => {
                self.depth += 1;
                self.fresh = matches!(word, K::Loop | K::Repeat);
            }
            K::End => {
                self.depth = self.depth.saturating_sub(1);
                self.after_end = true;
            }
            K::Then | K::Else | K::Do | K::Row | K::Sql | K::Deterministic | K::Data => self.fresh = true,
            _ => {}
        }
    }

    fn symbol(&mut self, byte: u8) {
        self.after_end = false;
        self.fresh = byte == b';' || byte == b':' || (byte == b')' && self.depth == 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sql: &str) -> Vec<&str> {
        split(sql, &Options::default()).iter().map(|piece| piece.span.text(sql)).collect()
    }

    #[test]
    fn semicolons_in_quotes_and_comments_do_not_split() {
        assert_eq!(
            texts("select ';' ; -- a;b\n select \"a\\\";\" /* ; */; ;; select `;`"),
            ["select ';'", "select \"a\\\";\"", "select `;`"]
        );
        assert_eq!(texts(" \n-- nothing\n"), [] as [&str; 0]);
        assert_eq!(texts("/*!40101 SET NAMES utf8 */;\nselect 1"), ["/*!40101 SET NAMES utf8 */", "select 1"]);
    }

    #[test]
    fn delimiter_lines_change_the_delimiter() {
        let script = "delimiter //\ncreate procedure p() begin select 1; end//\nDELIMITER ;\nselect 2; select 3";
        assert_eq!(texts(script), ["create procedure p() begin select 1; end", "select 2", "select 3"]);
        assert_eq!(texts("DELIMITER $$\nselect 1$$ select 2 $$"), ["select 1", "select 2"]);
    }

    #[test]
    fn commands_of_the_client_are_lines() {
        assert_eq!(
            texts("Source a'b.sql\nselect 1;\n\\. c.sql ;\n\\! ls; select 2\nselect 3; PAGER less -S;\nexit"),
            ["Source a'b.sql", "select 1", "\\. c.sql", "\\! ls; select 2", "select 3", "PAGER less -S", "exit"]
        );
        assert_eq!(texts("select 1\\G\nselect '\\G'\\g select 3\\G;;\n\\G"), ["select 1", "select '\\G'", "select 3"]);
        // Only where a statement begins: names and labels may be called so.
        assert_eq!(
            texts("select a,\nsource from t; source_of; status"),
            ["select a,\nsource from t", "source_of", "status"]
        );
        assert_eq!(texts("use a\nuse b; use\nc; use d"), ["use a", "use b", "use\nc", "use d"]);
        assert_eq!(
            texts("delimiter //\nsource x.sql//\nuse a//\nselect 1; select 2//"),
            ["source x.sql", "use a", "select 1; select 2"]
        );
        assert_eq!(
            texts("DeLiMiTeR '$$'\nselect 1;$$\n\\d ;\nselect 2; select 3"),
            ["select 1;", "select 2", "select 3"]
        );
        // A line that may go on is not whole.
        let piece = |sql| split(sql, &Options::default())[0];
        assert!(!piece("source a").terminated && piece("source a\n").terminated);
    }

    #[test]
    fn bodies_stay_whole_without_delimiter() {
        let procedure = "create procedure p(a int) begin if a then select case when 1 then 2 end; else select if(1,2,3); \
                         end if; while a do set a = a - 1; end while; l: loop leave l; end loop; end";
        assert_eq!(texts(&format!("{procedure}; select 1;")), [procedure, "select 1"]);
        let trigger = "create trigger t before insert on x for each row if new.a > 1 then set new.a = 1; end if";
        assert_eq!(texts(&format!("{trigger};select 2")), [trigger, "select 2"]);
        let plain = "create trigger t before insert on x for each row set new.a = 1";
        assert_eq!(texts(&format!("{plain};select 2")), [plain, "select 2"]);
        assert_eq!(texts("begin; select 1; commit;"), ["begin", "select 1", "commit"]);
    }

    #[test]
    fn resumes_where_it_stopped() {
        let first = split("select 1; select", &Options::default());
        assert!(first[0].terminated && !first[1].terminated);
        let grown = "select 1; select 2; select 3";
        let rest: Vec<_> = Splitter::resume(grown.as_bytes(), first[0].end, ";", Options::default()).collect();
        assert_eq!(rest.iter().map(|piece| piece.span.text(grown)).collect::<Vec<_>>(), ["select 2", "select 3"]);
    }
}
