//! Dolt's procedures: `CALL dolt_commit(…)` and its kin (docs/format/database.md, sections 4, 6 and 10).

mod arguments;
mod call;
mod history;
mod maintenance;
mod remote;
mod working_set;

use std::rc::Rc;

use parse::ast;
use value::Value;

use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::names::value_alone;
use call::{Answer, Call};
use history::{branch, cherry_pick, commit, count_commits, merge, rebase, resolve, revert, tag, verify_constraints};
use maintenance::{column_tag, dropped_databases, fsck, gc, statistics};
use remote::exchange::{Begin, Exchange, STEP_ROWS};
use remote::{backup, clone, complete, fetch, prefetch, pull, push, remotes};
use working_set::{add, checkout, clean, reset, stash};

pub use maintenance::statistics::check_gathering;

type Procedure = fn(&Call) -> Result<Answer>;

/// A procedure of Dolt by its name, in any case.
fn find(name: &str) -> Option<Procedure> {
    Some(match &*name.to_lowercase() {
        "dolt_add" => add::add,
        "dolt_branch" => branch::branch,
        "dolt_checkout" => checkout::checkout,
        "dolt_cherry_pick" => cherry_pick::cherry_pick,
        "dolt_clean" => clean::clean,
        "dolt_commit" => commit::commit,
        "dolt_commit_hash_out" => commit::commit,
        "dolt_conflicts_resolve" => resolve::resolve,
        "dolt_count_commits" => count_commits::count_commits,
        "dolt_merge" => merge::merge,
        "dolt_purge_dropped_databases" => dropped_databases::purge,
        "dolt_rebase" => rebase::rebase,
        "dolt_remote" => remotes::remote,
        "dolt_reset" => reset::reset,
        "dolt_revert" => revert::revert,
        "dolt_rm" => clean::rm,
        "dolt_stash" => stash::stash,
        "dolt_stats_flush" | "dolt_stats_gc" => statistics::flush,
        "dolt_stats_info" => statistics::info,
        "dolt_stats_purge" => statistics::purge,
        "dolt_stats_restart" => statistics::restart,
        "dolt_stats_stop" => statistics::stop,
        "dolt_stats_timers" => statistics::timers,
        "dolt_tag" => tag::tag,
        "dolt_thread_dump" => thread_dump,
        "dolt_undrop" => dropped_databases::undrop,
        "dolt_update_column_tag" => column_tag::update,
        "dolt_verify_constraints" => verify_constraints::verify,
        "varve_lazy" => complete::lazy,
        _ => return None,
    })
}

/// One that speaks to a remote.
fn find_exchange(name: &str) -> Option<Begin> {
    Some(match &*name.to_lowercase() {
        "dolt_backup" => backup::backup,
        "dolt_clone" => clone::clone,
        "dolt_fetch" => fetch::fetch,
        "dolt_pull" => pull::pull,
        "dolt_push" => push::push,
        "varve_complete" => complete::complete,
        _ => return None,
    })
}

/// `dolt_thread_dump`: there is one thread, and no debugger.
fn thread_dump(_: &Call) -> Result<Answer> {
    Err(SqlError::general("dolt_thread_dump is not supported in the browser"))
}

/// Whether CALL of this name is one of Dolt's procedures, or of ours.
pub fn is_procedure(name: &str) -> bool {
    find(name).is_some()
        || find_exchange(name).is_some()
        || is_collection(name)
        || is_gathering(name)
        || fsck::is_verification(name)
        || prefetch::is_prefetch(name)
}

/// Those that count rows, which is a statement of its own.
pub fn is_gathering(name: &str) -> bool {
    ["dolt_stats_once", "dolt_stats_wait"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The one that takes longer than others wait.
fn is_collection(name: &str) -> bool {
    name.eq_ignore_ascii_case("dolt_gc")
}

/// Starts a procedure.
pub fn call(sql: &str, call: &ast::Call, context: Rc<Context>) -> Result<Cursor> {
    let name = &call.name.name;
    let unknown = || SqlError::general(format!("stored procedure \"{}\" does not exist", name.text)).at(name.span);
    let work = match (find(&name.text), find_exchange(&name.text)) {
        (Some(procedure), _) => Some(Work::Procedure(procedure)),
        (_, Some(begin)) => Some(Work::Exchange(begin, None)),
        _ => None,
    };
    let is_verification = fsck::is_verification(&name.text);
    let is_prefetch = prefetch::is_prefetch(&name.text);
    if work.is_none() && !is_collection(&name.text) && !is_verification && !is_prefetch {
        return Err(unknown());
    }
    let mut values: &[ast::Expr] = &call.arguments;
    let mut hash_into = None;
    if name.text.eq_ignore_ascii_case("dolt_commit_hash_out")
        && let [first, rest @ ..] = values
    {
        let ast::ExprKind::UserVariable(variable) = &first.kind else {
            return Err(SqlError::general("dolt_commit_hash_out takes a user variable first").at(first.span));
        };
        (hash_into, values) = (Some(variable.text.clone()), rest);
    }
    let mut arguments = Vec::with_capacity(values.len());
    for argument in values {
        let value = value_alone(sql, argument, &context)?;
        arguments.push(match value {
            Value::Null => String::new(),
            value => value::convert::to_string(&value)?.into_owned(),
        });
    }
    let call = Call::new(context.clone(), arguments);
    if is_verification {
        return Ok(Cursor::of_procedure(Box::new(fsck::Verifying::new(&call)?), context));
    }
    if is_prefetch {
        return Ok(Cursor::of_procedure(Box::new(prefetch::Prefetching::new(&call)?), context));
    }
    let effect: Box<dyn Effect> = match work {
        Some(work) => Box::new(Running { call, work, hash_into, answer: None }),
        None => Box::new(gc::Collecting::new(call)),
    };
    Ok(Cursor::of_running(effect, context))
}

/// A procedure while it runs: where it has to wait for its commit or the state beside the store, only that is tried again.
struct Running {
    call: Call,
    work: Work,
    hash_into: Option<Box<str>>,
    answer: Option<Answer>,
}

enum Work {
    Procedure(Procedure),
    Exchange(Begin, Option<Box<dyn Exchange>>),
}

impl Running {
    /// Works on; the answer at the end, nothing where the call is over.
    fn work(&mut self, context: &Context) -> Result<Option<Answer>> {
        let call = &self.call;
        match &mut self.work {
            Work::Procedure(procedure) => match call.run(*procedure) {
                Err(_) if call.is_paused() => Ok(None),
                answer => answer.map(Some),
            },
            Work::Exchange(begin, exchange) => {
                let exchange = match exchange {
                    Some(exchange) => exchange,
                    none => none.insert(begin(call)?),
                };
                loop {
                    match exchange.step(call) {
                        Err(_) if call.is_paused() => return Ok(None),
                        Ok(None) => context.spend(STEP_ROWS),
                        answer => return answer,
                    }
                    if context.is_out_of_fuel() {
                        return Ok(None);
                    }
                }
            }
        }
    }
}

impl Effect for Running {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        if self.answer.is_none() {
            self.answer = self.work(context)?;
        }
        let Some(answer) = &self.answer else { return Ok(Progress::Yield) };
        if let Some(next) = answer.commits {
            context.catalog.transaction.commit_and_continue(next)?;
        }
        if let Some((attached, change)) = &answer.changes_state {
            attached.database.change_state(change)?;
        }
        let Some(answer) = self.answer.take() else { return Err(SqlError::internal("a procedure answered nothing")) };
        if let Some((database, branch)) = &answer.moves_to {
            context.catalog.set_branch(database, branch);
        }
        if let Some(error) = answer.error {
            return Err(error.keeping_changes());
        }
        if let (Some(variable), Some(row)) = (&self.hash_into, answer.rows.first()) {
            context.session.set_user_variable(variable, row.first().cloned().unwrap_or(Value::Null));
        }
        Ok(Progress::Done(Outcome { rows: Some((answer.columns, answer.rows)), ..Outcome::default() }))
    }
}
