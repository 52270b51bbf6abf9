//! Makes a script that shows a difference shorter for as long as it shows it (delta debugging): first whole statements go,
//! then words of those that stay.
#![allow(clippy::disallowed_methods)] // native: it has a clock

use std::ops::Range;
use std::time::{Duration, Instant};

use parse::lexer::Lexer;
use parse::token::TokenKind;

use crate::beside::{Beside, Difference, Hashes};
use crate::script::Step;

/// How often a script is run at most: what is left then is short enough to read.
const RUNS_MAX: usize = 800;
/// Nor does it take longer than this, with programs that have no end.
const TIME_MAX: Duration = Duration::from_secs(600);

/// The shortest script that was found, and what it shows.
pub fn shortest(
    beside: &mut Beside,
    script: &[Step],
    hashes: Hashes,
    difference: &Difference,
) -> (Vec<Step>, Difference) {
    let script = script[..=difference.at].to_vec();
    let mut reducer =
        Reducer { beside, hashes, script, difference: difference.clone(), runs: 0, begin: Instant::now() };
    reducer.leave_out_statements();
    for at in (0..reducer.script.len()).rev() {
        // A loop without all of its words has no end.
        if !reducer.script[at].sql.contains(" end ") {
            reducer.leave_out_words(at);
        }
    }
    reducer.leave_out_statements();
    (reducer.script, reducer.difference)
}

struct Reducer<'b> {
    beside: &'b mut Beside,
    hashes: Hashes,
    /// The shortest until now, and what it shows.
    script: Vec<Step>,
    difference: Difference,
    runs: usize,
    begin: Instant,
}

impl Reducer<'_> {
    /// Takes this script for the shortest if it shows the difference.
    fn take(&mut self, script: Vec<Step>) -> bool {
        if self.runs == RUNS_MAX || self.begin.elapsed() > TIME_MAX {
            return false;
        }
        self.runs += 1;
        match self.beside.run(&script, self.hashes).difference {
            Some(found) if found.is_like(&self.difference) => {
                self.difference = found;
                self.script = script;
                true
            }
            _ => false,
        }
    }

    /// Many at once, then fewer; from the end on, for unused statements go first.
    fn leave_out_statements(&mut self) {
        let mut count = self.script.len().div_ceil(2);
        while count > 0 {
            let mut end = self.script.len();
            while end > 0 {
                let start = end.saturating_sub(count);
                let mut shorter = self.script.clone();
                shorter.drain(start..end);
                self.take(shorter);
                end = start;
            }
            count /= 2;
        }
    }

    /// Any run of words that leaves a statement, and parentheses around what they hold.
    fn leave_out_words(&mut self, at: usize) {
        let mut count = words(&self.script[at].sql).len();
        while count > 0 {
            let mut start = 0;
            loop {
                let sql = self.script[at].sql.clone();
                let words = words(&sql);
                if start + count > words.len() {
                    break;
                }
                let run = start..start + count;
                let went = self.leave_out(at, &words, std::slice::from_ref(&run))
                    || (count == 1 && self.leave_out_parentheses(at, &words, start));
                start += usize::from(!went);
            }
            count = if count > 8 { count * 3 / 4 } else { count - 1 };
        }
    }

    /// Those that open here, with the name before them or without.
    fn leave_out_parentheses(&mut self, at: usize, words: &[&str], start: usize) -> bool {
        let Some(end) = closing(words, start) else { return false };
        let both = [start..start + 1, end..end + 1];
        let call = [start.saturating_sub(1)..start + 1, end..end + 1];
        self.leave_out(at, words, &call) || self.leave_out(at, words, &both)
    }

    fn leave_out(&mut self, at: usize, words: &[&str], ranges: &[Range<usize>]) -> bool {
        let stay = words.iter().enumerate().filter(|(word, _)| !ranges.iter().any(|range| range.contains(word)));
        let sql = stay.map(|(_, word)| *word).collect::<String>().trim().to_owned();
        if !is_statement(&sql) {
            return false;
        }
        let mut shorter = self.script.clone();
        shorter[at].sql = sql;
        self.take(shorter)
    }
}

fn is_statement(sql: &str) -> bool {
    let parsed = parse::statement(sql, &parse::Options::default());
    parsed.statement.is_some() && parsed.errors.is_empty() && parsed.rest.is_none()
}

/// The words of a statement, each with the space before it.
fn words(sql: &str) -> Vec<&str> {
    let (mut lexer, mut words, mut end) = (Lexer::new(sql, parse::Options::default()), Vec::new(), 0);
    loop {
        let token = lexer.next_token();
        if token.kind == TokenKind::End {
            return words;
        }
        words.push(&sql[end..token.span.end as usize]);
        end = token.span.end as usize;
    }
}

/// Where the parenthesis closes that opens here.
fn closing(words: &[&str], start: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(start) {
        match word.trim_start() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (at > start).then_some(at);
        }
    }
    None
}
