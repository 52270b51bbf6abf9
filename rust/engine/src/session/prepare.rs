//! Preparation: texts become statements, or are found in the plan cache.

use std::cell::RefCell;
use std::rc::Rc;

use parse::ast::{InsertSource, StatementKind};
use parse::{LiteralRows, Options, Parsed, Reading};

use super::{EMPTY, Session};
use crate::error::{Result, SqlError};
use crate::hint;
use crate::prepared::{LARGE_TEXT_BYTES, Prepared};

/// Before long statements are read, memory is looked at for what a byte of text can become in the tree and in the plan.
const TREE_BYTES: usize = 128;

/// The statement of a text that was read.
fn prepared(sql: &str, parsed: Parsed) -> Result<Prepared> {
    if let Some(error) = parsed.errors.first() {
        let hint = match parsed.beyond_dolt.contains(error) {
            true => Some(hint::BEYOND_DOLT.to_owned()),
            false => error.hint(),
        };
        return Err(SqlError::new(1105, error.to_string()).at(error.span()).with_hint(hint));
    }
    if let Some(rest) = parsed.rest {
        return Err(SqlError::new(1105, "one statement at a time; split a script first").at(rest));
    }
    let statement = parsed.statement.ok_or_else(|| SqlError::new(EMPTY, "Query was empty"))?;
    Ok(Prepared::new(sql, statement, parsed.parameters))
}

impl Session {
    /// Reads one statement.
    ///
    /// # Errors
    /// The first syntax error, with its place; an error for an empty text and for more than one statement. One that [`SqlError::is_wait`]
    /// where the host wants its turn before a long text is read: the same call goes on with it.
    pub fn prepare(&self, sql: &str) -> Result<Rc<Prepared>> {
        self.state().work.begin_call();
        let options = self.state().variables.borrow().syntax();
        if let Some((text, with, reading)) = self.reading.take()
            && *text == *sql
            && with == options
        {
            return self.read_on(sql, reading).map(Rc::new);
        }
        self.state().begin_memory();
        self.prepare_with(sql, |sql| {
            if sql.len() < LARGE_TEXT_BYTES {
                return self.read(sql);
            }
            self.check_tree(sql)?;
            self.read_on(sql, Reading::default())
        })
    }

    /// The same within a call that has begun.
    pub(crate) fn prepare_within(&self, sql: &str) -> Result<Rc<Prepared>> {
        self.prepare_with(sql, |sql| self.read(sql))
    }

    fn prepare_with(&self, sql: &str, read: impl Fn(&str) -> Result<Prepared>) -> Result<Rc<Prepared>> {
        let variables_set = self.state().variables.borrow().times_set();
        if let Some(known) = self.plan_cache.borrow_mut().get(sql, variables_set) {
            return Ok(known);
        }
        if let Some(prepared) = self.prepare_literals(sql) {
            return Ok(Rc::new(prepared));
        }
        let prepared = Rc::new(read(sql)?);
        self.plan_cache.borrow_mut().put(&prepared);
        Ok(prepared)
    }

    /// An INSERT of nothing but literals, whose rows are read when they are added.
    fn prepare_literals(&self, sql: &str) -> Option<Prepared> {
        let options = self.state().variables.borrow().syntax();
        let literals = LiteralRows::of(sql, options)?;
        let head = sql.get(..literals.start as usize)?;
        let known = self.plan_cache.borrow().insert(head, literals.width);
        if let Some(known) = known {
            return Some(known.with_rows(sql, literals, options));
        }
        let first = Rc::new(self.read(sql.get(..literals.first_end as usize)?).ok()?);
        match &first.statement.kind {
            StatementKind::Insert(insert) if matches!(insert.source, InsertSource::Values(_)) => {}
            _ => return None,
        }
        self.plan_cache.borrow_mut().put_insert(head, literals.width, &first);
        Some(first.with_rows(sql, literals, options))
    }

    /// Reads one statement, whatever it is.
    pub(crate) fn read(&self, sql: &str) -> Result<Prepared> {
        self.check_tree(sql)?;
        let parsed = self.parsed(|options, goes_on| Some(parse::statement_while(sql, options, goes_on)))?;
        prepared(sql, parsed.unwrap_or_default())
    }

    /// Looks whether there is memory for what becomes of a long text.
    fn check_tree(&self, sql: &str) -> Result<()> {
        match sql.len() < LARGE_TEXT_BYTES {
            true => Ok(()),
            false => self.state().check_memory(sql.len().saturating_mul(TREE_BYTES)),
        }
    }

    /// Goes on with a text of which the lists of `reading` were read.
    fn read_on(&self, sql: &str, mut reading: Reading) -> Result<Prepared> {
        // The host is asked with each question whether to go on.
        let is_over = || self.state().work.is_used_up();
        let parsed =
            self.parsed(|options, goes_on| parse::statement_in_turns(sql, options, goes_on, &is_over, &mut reading))?;
        let Some(parsed) = parsed else {
            let options = self.state().variables.borrow().syntax();
            *self.reading.borrow_mut() = Some((sql.into(), options, reading));
            return Err(SqlError::wait());
        };
        prepared(sql, parsed)
    }

    fn parsed(&self, parse: impl FnOnce(&Options, &dyn Fn() -> bool) -> Option<Parsed>) -> Result<Option<Parsed>> {
        let options = self.state().variables.borrow().syntax();
        let interruption = RefCell::new(None);
        let parsed = parse(&options, &|| match self.state().check_at_once() {
            Ok(()) => true,
            Err(error) => interruption.replace(Some(error)).is_some(),
        });
        interruption.take().map_or(Ok(parsed), Err)
    }
}
