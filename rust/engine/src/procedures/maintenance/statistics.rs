//! `dolt_stats_…`: statistics of keys, collected on request (`statements/analyze.rs`) and not in the background.

use value::Value;

use crate::engine::Engine;
use crate::error::{Result, SqlError};
use crate::procedures::call::{Answer, Call, text_column};
use crate::procedures::entry::{Entry, Work};

pub const ENTRIES: &[Entry] = &[
    Entry::new("dolt_stats_flush", flush),
    Entry::new("dolt_stats_gc", flush),
    Entry::new("dolt_stats_info", info),
    Entry::of("dolt_stats_once", Work::Gather { waits: false }),
    Entry::new("dolt_stats_purge", purge),
    Entry::new("dolt_stats_restart", restart),
    Entry::new("dolt_stats_stop", stop),
    Entry::new("dolt_stats_timers", timers),
    Entry::of("dolt_stats_wait", Work::Gather { waits: true }),
];

fn message(text: impl Into<String>) -> Result<Answer> {
    Ok(Answer::new(vec![text_column("message")], vec![Value::text(text.into())]))
}

/// # Errors
/// 1105 when the gathering was stopped.
pub fn check_gathering(engine: &Engine) -> Result<()> {
    match engine.gathering.is_stopped.get() {
        true => Err(SqlError::general("stats issuer is paused")),
        false => Ok(()),
    }
}

pub fn restart(call: &Call) -> Result<Answer> {
    call.context.catalog.engine.gathering.is_stopped.set(false);
    message("Ok")
}

pub fn stop(call: &Call) -> Result<Answer> {
    call.context.catalog.engine.gathering.is_stopped.set(true);
    message("Ok")
}

/// Forgets what is known, and stops.
pub fn purge(call: &Call) -> Result<Answer> {
    let engine = &call.context.catalog.engine;
    engine.databases().iter().for_each(|attached| attached.statistics.replace(Vec::new()));
    engine.gathering.last.set(None);
    stop(call)
}

/// `dolt_stats_flush` and `dolt_stats_gc`: nothing is on disk.
pub fn flush(call: &Call) -> Result<Answer> {
    check_gathering(&call.context.catalog.engine)?;
    message("Ok")
}

/// How long the gathering may take, for a job and for a collection.
pub fn timers(call: &Call) -> Result<Answer> {
    let [job, gc] = &call.arguments[..] else {
        return Err(SqlError::general("expected timer arguments (ns): (job, gc)"));
    };
    match [job, gc].iter().all(|interval| interval.parse::<i64>().is_ok()) {
        true => message("Ok"),
        false => Err(SqlError::general("interval timer must be positive intergers")),
    }
}

/// What is known, in the words of native Dolt.
pub fn info(call: &Call) -> Result<Answer> {
    let engine = &call.context.catalog.engine;
    let databases = engine.databases();
    let mut branches = 0;
    for attached in &databases {
        branches += attached.database.refs()?.branches().count();
    }
    let known: Vec<_> = databases.iter().flat_map(|attached| attached.statistics.all()).collect();
    let indexes = || known.iter().flat_map(|table| table.indexes.iter());
    let buckets: usize = indexes().map(|index| index.buckets.len()).sum();
    let bounds = indexes().filter(|index| !index.buckets.is_empty()).count();
    let backing =
        databases.first().map_or_else(String::new, |attached| value::Json::string(&*attached.name).to_string());
    message(format!(
        r#"{{"dbCnt":{branches},"active":{},"storageBucketCnt":{buckets},"cachedBucketCnt":{buckets},"cachedBoundCnt":{bounds},"cachedTemplateCnt":{},"statCnt":{},"backing":{backing},"lastUpdate":"{}"}}"#,
        !engine.gathering.is_stopped.get(),
        indexes().count(),
        known.len(),
        engine.gathering.last_text(),
    ))
}
