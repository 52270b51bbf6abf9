//! The raw exports: `web/src/host/wasm/wasm_exports.ts` names them for JavaScript. Handles are numbers from 0, sizes of arguments
//! are bytes of the input buffer; -1 means that the output buffer holds a failure, -2 that nothing was done: the host has to
//! prepare a file or wait for the lease, which it knows, and makes the same call again.
#![expect(unsafe_code, reason = "exports need names that nobody mangles; nothing else here is unsafe")]

use core::cell::RefCell;
use std::rc::Rc;

use engine::{Cursor, Params, ScriptStep, Session, SqlError, Step, Summary, Warning, page};
use region::Mode;
use store::Durability;

use crate::analysis;
use crate::attach::{Flush, OpenEngine};
use crate::buffers;
use crate::complete;
use crate::failure::{Code, Failure};
use crate::files::HostDirectory;
use crate::instance::{self, OpenCursor, OpenSession, OpenStatement};
use crate::layout::{
    FAILED, FlushCode, Level, Progress, ReadCounters, RegionMode, StepCode, SummaryHead, WAIT, WarningHead,
};
use crate::memory;
use crate::params;
use crate::rows;

/// Fuel of a lookup, which cannot yield.
const LOOKUP_FUEL: i64 = i64::MAX;

fn answer(outcome: Result<i32, Failure>) -> i32 {
    outcome.unwrap_or_else(|failure| {
        if failure.is_wait() {
            return WAIT;
        }
        failure.write();
        FAILED
    })
}

fn in_sql(sql: &Rc<str>) -> impl Fn(SqlError) -> Failure + use<'_> {
    move |error| Failure::Sql(error, sql.clone())
}

#[unsafe(no_mangle)]
extern "C" fn reserve_input(length_bytes: usize) -> *mut u8 {
    buffers::reserve_input(length_bytes)
}

#[unsafe(no_mangle)]
extern "C" fn output_address() -> *const u8 {
    buffers::output_span().0
}

#[unsafe(no_mangle)]
extern "C" fn output_length() -> usize {
    buffers::output_span().1
}

/// `mode` is a [`RegionMode`]. Commits are flushed within `flush_window_ms`, those of a window of 0 at once. `accepts_loss` is 1 to
/// write where the newest commit is lost.
#[unsafe(no_mangle)]
extern "C" fn engine_open(budget_bytes: f64, mode: u32, flush_window_ms: u32, accepts_loss: u32) -> i32 {
    let mode = match RegionMode::from_number(mode) {
        Some(RegionMode::Pread) => Mode::Pread,
        Some(RegionMode::MmapIndex) => Mode::MmapIndex,
        Some(RegionMode::Mmap) | None => Mode::Mmap,
    };
    let durability = match flush_window_ms {
        0 => Durability::Full,
        window_ms => Durability::Relaxed { window_ms: u64::from(window_ms) },
    };
    let engine = Rc::new(OpenEngine::new(budget_bytes as u64, mode, durability, accepts_loss != 0));
    instance::with(|instance| instance.engines.put(engine))
}

#[unsafe(no_mangle)]
extern "C" fn engine_close(engine: u32) {
    instance::with(|instance| instance.close_engine(engine));
}

/// Commits what statements have left to be committed later, and flushes commits: `what` is a [`FlushCode`]. Writes the milliseconds since 1970 at which it is to be called again, as a double, 0 for never.
#[unsafe(no_mangle)]
extern "C" fn engine_flush(engine: u32, what: u32) -> i32 {
    let flush = || {
        let engine = instance::with(|instance| instance.engines.get(engine))?;
        let what = match FlushCode::from_number(what) {
            Some(FlushCode::Due) => Flush::Due,
            Some(FlushCode::Wanted) => Flush::Wanted,
            Some(FlushCode::All) | None => Flush::All,
        };
        let due_ms = engine.flush(what)?.unwrap_or(0);
        buffers::write_output(|out| out.extend_from_slice(&(due_ms as f64).to_le_bytes()));
        Ok(0)
    };
    answer(flush())
}

/// Writes [`ReadCounters`].
#[unsafe(no_mangle)]
extern "C" fn engine_read_counters(engine: u32) {
    let reads = instance::with(|instance| instance.engines.get(engine)).map_or((0, 0), |engine| engine.reads());
    let counters = ReadCounters { pages_faulted: reads.0 as f64, bytes_read: reads.1 as f64 };
    buffers::write_output(|out| out.extend_from_slice(&counters.to_bytes()));
}

/// Writes lines of a name, a tab and a number.
#[unsafe(no_mangle)]
extern "C" fn engine_counters(engine: u32) {
    let counters =
        instance::with(|instance| instance.engines.get(engine)).map_or_else(|_| Vec::new(), |engine| engine.counters());
    buffers::write_output(|out| {
        for (name, count) in counters {
            out.extend_from_slice(format!("{name}\t{count}\n").as_bytes());
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn session_close(session: u32) {
    instance::with(|instance| instance.sessions.close(session));
}

#[unsafe(no_mangle)]
extern "C" fn statement_close(statement: u32) {
    instance::with(|instance| instance.statements.close(statement));
}

#[unsafe(no_mangle)]
extern "C" fn cursor_close(cursor: u32) {
    instance::with(|instance| instance.cursors.close(cursor));
    memory::grow_ahead();
}

/// Input: the database's name.
#[unsafe(no_mangle)]
extern "C" fn database_attach(engine: u32, directory: u32, name_bytes: usize) -> i32 {
    let attach = || {
        let engine = instance::with(|instance| instance.engines.get(engine))?;
        let loss = engine.attach(&buffers::input_text(name_bytes), HostDirectory::new(directory))?;
        buffers::write_output(|out| out.extend_from_slice(loss.as_bytes()));
        Ok(0)
    };
    answer(attach())
}

#[unsafe(no_mangle)]
extern "C" fn session_open(engine: u32) -> i32 {
    let open = || {
        let engine = instance::with(|instance| instance.engines.get(engine))?;
        let session = Rc::new(OpenSession { session: engine.session(), engine });
        Ok(instance::with(|instance| instance.sessions.put(session)))
    };
    answer(open())
}

/// Writes the state of the session, its stamp first, for [`session_restore`] of another instance; the stamp alone where its variables have
/// more bytes.
#[unsafe(no_mangle)]
extern "C" fn session_image(session: u32, bytes_max: usize) -> i32 {
    let tell = || {
        let session = instance::with(|instance| instance.sessions.get(session))?;
        buffers::write_output(|out| session.session.image(out, bytes_max)).map_err(in_sql(&"".into()))?;
        Ok(0)
    };
    answer(tell())
}

/// Input: the image of a session of another instance, which goes on here; with its connection id where `keeps_id` is not 0.
#[unsafe(no_mangle)]
extern "C" fn session_restore(engine: u32, image_bytes: usize, keeps_id: u32) -> i32 {
    let open = || {
        let engine = instance::with(|instance| instance.engines.get(engine))?;
        let image = buffers::with_input(image_bytes, <[u8]>::to_vec);
        let session = engine.session_of(&image, keeps_id != 0).map_err(in_sql(&"".into()))?;
        let session = Rc::new(OpenSession { session, engine });
        Ok(instance::with(|instance| instance.sessions.put(session)))
    };
    answer(open())
}

/// Writes what the engine's sessions share; the first byte says whether no commit is pending.
#[unsafe(no_mangle)]
extern "C" fn engine_image(engine: u32) -> i32 {
    let tell = || {
        let engine = instance::with(|instance| instance.engines.get(engine))?;
        buffers::write_output(|out| engine.image(out));
        Ok(0)
    };
    answer(tell())
}

/// Input: the image of an engine of another instance.
#[unsafe(no_mangle)]
extern "C" fn engine_restore(engine: u32, image_bytes: usize) -> i32 {
    let take = || {
        let engine = instance::with(|instance| instance.engines.get(engine))?;
        let image = buffers::with_input(image_bytes, <[u8]>::to_vec);
        engine.take_image(&image).map_err(in_sql(&"".into()))?;
        Ok(0)
    };
    answer(take())
}

/// Resets the session to the position of the other one.
#[unsafe(no_mangle)]
extern "C" fn session_reset(session: u32, beside: u32) -> i32 {
    let reset = || {
        let session = instance::with(|instance| instance.sessions.get(session))?;
        let beside = instance::with(|instance| instance.sessions.get(beside))?;
        session.session.reset(&beside.session).map_err(in_sql(&"".into()))?;
        Ok(0)
    };
    answer(reset())
}

/// Input: SQL. Writes the u32 number of parameters.
#[unsafe(no_mangle)]
extern "C" fn statement_prepare(session: u32, sql_bytes: usize) -> i32 {
    let prepare = || {
        let session = instance::with(|instance| instance.sessions.get(session))?;
        let sql = buffers::input_text(sql_bytes);
        let prepared = session.session.prepare(&sql).map_err(in_sql(&sql))?;
        buffers::write_output(|out| out.extend_from_slice(&prepared.parameters.to_le_bytes()));
        let open = OpenStatement { session, prepared, params: RefCell::default() };
        Ok(instance::with(|instance| instance.statements.put(Rc::new(open))))
    };
    answer(prepare())
}

/// Input: parameters.
#[unsafe(no_mangle)]
extern "C" fn cursor_open(statement: u32, params_bytes: usize) -> i32 {
    let open = || {
        let open = instance::with(|instance| instance.statements.get(statement))?;
        read_params(&open, params_bytes)?;
        let (session, sql) = (&open.session.session, &open.prepared.sql);
        let cursor = session.execute_with(&open.prepared, &open.params.borrow()).map_err(in_sql(sql))?;
        Ok(instance::with(|instance| instance.cursors.put(OpenCursor::Statement(cursor, open))))
    };
    answer(open())
}

/// Input: [`RowsHead`] with what follows it. Gives a cursor.
#[unsafe(no_mangle)]
extern "C" fn rows_open(statement: u32, rows_bytes: usize) -> i32 {
    let open = || {
        let open = instance::with(|instance| instance.statements.get(statement))?;
        let unknown = || Failure::Other(Code::Usage, "rows of an unknown form".into());
        let text = buffers::with_input(rows_bytes, rows::decode).ok_or_else(unknown)?;
        let text = Rc::new(text);
        let cursor = open.session.session.insert_rows(&open.prepared, &text).map_err(in_sql(&open.prepared.sql))?;
        Ok(instance::with(|instance| instance.cursors.put(OpenCursor::Rows(cursor, text, open))))
    };
    answer(open())
}

/// Input: a piece of a script. Its cursor gives no rows, and at its end a summary of all rows that were changed.
#[unsafe(no_mangle)]
extern "C" fn script_open(session: u32, script_bytes: usize, is_last: u32) -> i32 {
    let open = || {
        let open = instance::with(|instance| instance.sessions.get(session))?;
        let bytes = buffers::with_input(script_bytes, <[u8]>::to_vec);
        let script = Box::new(open.session.script(bytes, is_last != 0));
        Ok(instance::with(|instance| instance.cursors.put(OpenCursor::Script(script, open))))
    };
    answer(open())
}

/// Writes how far a piece is: [`Progress`] with what follows it.
#[unsafe(no_mangle)]
extern "C" fn piece_progress(cursor: u32) -> i32 {
    let progress = || {
        let open = instance::with(|instance| instance.cursors.take(cursor))?;
        let progress = match &open {
            OpenCursor::Script(script, _) => {
                let statement = script.statement();
                let done_bytes = script.done_bytes();
                Progress { start: statement.start, end: statement.end, done_bytes, rows: script.affected() }
            }
            OpenCursor::Rows(_, text, _) => {
                let (refused, done) = (text.refused(), text.done());
                let (start, end) = (refused.start as u32, refused.end as u32);
                Progress { start, end, done_bytes: done.bytes as u32, rows: done.rows }
            }
            OpenCursor::Statement(..) => Progress::default(),
        };
        buffers::write_output(|out| {
            out.extend_from_slice(&progress.to_bytes());
            let OpenCursor::Script(script, _) = &open else { return };
            out.extend_from_slice(&script.warnings().count.to_le_bytes());
            for (start, warning) in &script.warnings().first {
                out.extend_from_slice(&start.to_le_bytes());
                write_warning(warning, out);
            }
        });
        instance::with(|instance| instance.cursors.give_back(cursor, open));
        Ok(0)
    };
    answer(progress())
}

/// Writes the header of a running statement and gives the number of its columns: none without a result, and for a CALL before
/// its first page.
#[unsafe(no_mangle)]
extern "C" fn cursor_header(cursor: u32) -> i32 {
    let header = || {
        let open = instance::with(|instance| instance.cursors.take(cursor))?;
        let columns = match &open {
            OpenCursor::Statement(cursor, _) => {
                buffers::write_output(|out| page::write_header(cursor.columns(), out));
                cursor.columns().len() as i32
            }
            OpenCursor::Rows(..) | OpenCursor::Script(..) => 0,
        };
        instance::with(|instance| instance.cursors.give_back(cursor, open));
        Ok(columns)
    };
    answer(header())
}

/// Works for about `fuel` rows, and answers a [`StepCode`].
#[unsafe(no_mangle)]
extern "C" fn cursor_next(cursor: u32, fuel: u32) -> i32 {
    let next = || {
        let mut open = instance::with(|instance| instance.cursors.take(cursor))?;
        let outcome = match &mut open {
            OpenCursor::Statement(cursor, open) => {
                step(cursor, i64::from(fuel), &open.session.session).map_err(in_sql(&open.prepared.sql))
            }
            OpenCursor::Rows(cursor, _, open) => {
                step(cursor, i64::from(fuel), &open.session.session).map_err(in_sql(&"".into()))
            }
            OpenCursor::Script(script, open) => match script.next(i64::from(fuel)) {
                Ok(step) => Ok(script_step(step, script.affected(), &open.session)),
                Err(error) => Err(in_sql(&script.statement_text())(error)),
            },
        };
        instance::with(|instance| instance.cursors.give_back(cursor, open));
        outcome
    };
    answer(next())
}

/// Input: parameters. Runs a statement to its first page, which is written, and ends it; gives the number of rows there.
#[unsafe(no_mangle)]
extern "C" fn row_find(statement: u32, params_bytes: usize) -> i32 {
    let find = || {
        let open = instance::with(|instance| instance.statements.get(statement))?;
        read_params(&open, params_bytes)?;
        let (session, sql) = (&open.session.session, &open.prepared.sql);
        let found = buffers::write_output(|out| session.find(&open.prepared, &open.params.borrow(), out));
        if let Some(rows) = found.map_err(in_sql(sql))? {
            return Ok(rows as i32);
        }
        let mut cursor = session.execute_with(&open.prepared, &open.params.borrow()).map_err(in_sql(sql))?;
        loop {
            match cursor.next(LOOKUP_FUEL).map_err(in_sql(sql))? {
                Step::Batch(batch) => {
                    buffers::write_output(|out| page::write(&batch, cursor.columns(), out));
                    return Ok(batch.rows as i32);
                }
                Step::Result | Step::Yield | Step::Sleep(_) => {}
                // The cursor goes, and with it what the statement did.
                Step::Wait => return Err(Failure::Wait),
                Step::Done(_) => return Ok(0),
            }
        }
    };
    answer(find())
}

/// Input: SQL; `at` is an offset in UTF-16 units. Writes what may follow there.
#[unsafe(no_mangle)]
extern "C" fn session_complete(session: u32, sql_bytes: usize, at: u32) -> i32 {
    let complete = || {
        let asking = instance::with(|instance| instance.sessions.get(session))?;
        let session = asking.engine.session();
        session.state().set_database(asking.session.state().database());
        complete::write(&session, &buffers::input_text(sql_bytes), at);
        Ok(0)
    };
    answer(complete())
}

/// Input: SQL. Writes what the session reads in it.
#[unsafe(no_mangle)]
extern "C" fn session_analyze(session: u32, sql_bytes: usize) -> i32 {
    let analyze = || {
        let open = instance::with(|instance| instance.sessions.get(session))?;
        analysis::write(&open.session, &buffers::input_text(sql_bytes));
        Ok(0)
    };
    answer(analyze())
}

/// Takes the parameters of a statement from the input.
fn read_params(open: &OpenStatement, params_bytes: usize) -> Result<(), Failure> {
    let mut params = open.params.borrow_mut();
    // A cursor that is still open keeps the values that it began with.
    if Rc::get_mut(&mut params).is_none() {
        *params = Params::default();
    }
    let decode = |bytes: &[u8]| params::decode(bytes, Rc::make_mut(&mut params));
    let unknown = || Failure::Other(Code::Usage, "parameters of an unknown form".into());
    buffers::with_input(params_bytes, decode).ok_or_else(unknown)
}

fn step(cursor: &mut Cursor, fuel: i64, session: &Session) -> engine::Result<i32> {
    Ok(match cursor.next(fuel)? {
        Step::Batch(batch) => {
            buffers::write_output(|out| page::write(&batch, cursor.columns(), out));
            StepCode::Batch as i32
        }
        Step::Result => {
            buffers::write_output(|out| page::write_header(cursor.columns(), out));
            StepCode::Result as i32
        }
        Step::Yield => StepCode::Yield as i32,
        Step::Wait => WAIT,
        Step::Sleep(milliseconds) => sleep(milliseconds),
        Step::Done(summary) => {
            write_summary(&summary, session);
            StepCode::Done as i32
        }
    })
}

fn sleep(milliseconds: u32) -> i32 {
    buffers::write_output(|out| out.extend_from_slice(&milliseconds.to_le_bytes()));
    StepCode::Sleep as i32
}

fn script_step(step: ScriptStep, affected: u64, session: &Session) -> i32 {
    match step {
        ScriptStep::Yield => StepCode::Yield as i32,
        ScriptStep::Wait => WAIT,
        ScriptStep::Sleep(milliseconds) => sleep(milliseconds),
        ScriptStep::Done => {
            write_summary(&Summary { affected: Some(affected), ..Summary::default() }, session);
            StepCode::Done as i32
        }
    }
}

/// Writes [`SummaryHead`] with what follows it.
fn write_summary(summary: &Summary, session: &Session) {
    let head = SummaryHead {
        affected_rows: summary.affected.unwrap_or(0),
        last_insert_id: summary.last_insert_id,
        stamp: session.stamp(),
        warnings: summary.warnings.len() as u32,
    };
    buffers::write_output(|out| {
        out.extend_from_slice(&head.to_bytes());
        summary.warnings.iter().for_each(|warning| write_warning(warning, out));
        out.extend_from_slice(summary.info.as_deref().unwrap_or_default().as_bytes());
    });
}

/// Writes [`WarningHead`] and the text.
fn write_warning(warning: &Warning, out: &mut Vec<u8>) {
    let level = match warning.level {
        "Note" => Level::Note,
        "Error" => Level::Error,
        _ => Level::Warning,
    };
    let head = WarningHead { level: level as u8, errno: warning.code, text_bytes: warning.message.len() as u32 };
    out.extend_from_slice(&head.to_bytes());
    out.extend_from_slice(warning.message.as_bytes());
}
