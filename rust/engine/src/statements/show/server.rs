//! SHOW of server properties.

use std::rc::Rc;

use codec::CompactSort;
use parse::ast;
use value::{Collation, SqlType, Value};

use super::{status_variables, text};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::names::value_alone;
use crate::session::Session;
use crate::state::variables::DEFAULTS;
use crate::statements::listing::Listing;
use crate::system_tables::PRIVILEGES;

/// `SHOW WARNINGS [LIMIT …]` and `SHOW ERRORS`: the last one first, as in the reference.
pub fn warnings(
    session: &Session,
    sql: &str,
    errors: bool,
    limit: Option<&ast::Limit>,
    context: &Rc<Context>,
) -> Result<Listing> {
    let mut listing = Listing::new(&["Level", "Code", "Message"]).with(SqlType::INT, &[1]);
    let number = |expr: Option<&ast::Expr>, otherwise: usize| -> Result<usize> {
        let Some(expr) = expr else { return Ok(otherwise) };
        let value = value_alone(sql, expr, context)?;
        Ok(value::convert::to_string(&value)?.parse().unwrap_or(otherwise))
    };
    let skipped = number(limit.and_then(|limit| limit.offset.as_ref()), 0)?;
    let rows = number(limit.map(|limit| &limit.count), usize::MAX)?;
    let asked = session.state().warnings().into_iter().rev().filter(|warning| !errors || warning.level == "Error");
    for warning in asked.skip(skipped).take(rows) {
        listing.push(vec![text(warning.level), text(warning.code.to_string()), text(warning.message)]);
    }
    Ok(listing)
}

/// `SHOW COUNT(*) WARNINGS` and `… ERRORS`.
pub fn message_count(session: &Session, errors: bool) -> Listing {
    let name = if errors { "@@session.error_count" } else { "@@session.warning_count" };
    let mut listing = Listing::new(&[name]).with(SqlType::BIGINT, &[0]);
    let warnings = session.state().warnings();
    let count = warnings.iter().filter(|warning| !errors || warning.level == "Error").count();
    listing.push(vec![text(count.to_string())]);
    listing
}

pub fn engines() -> Listing {
    let mut listing = Listing::new(&["Engine", "Support", "Comment", "Transactions", "XA", "Savepoints"]);
    let comment = "Supports transactions, row-level locking, and foreign keys";
    listing.push(["InnoDB", "DEFAULT", comment, "YES", "YES", "YES"].map(text).to_vec());
    listing
}

/// The connection that asks; there may be others, which it does not see.
pub fn process_list(session: &Session, sql: &str) -> Listing {
    let mut listing =
        Listing::new(&["Id", "User", "Host", "db", "Command", "Time", "State", "Info"]).with(SqlType::BIGINT, &[0, 5]);
    let state = session.state();
    let database = state.database().map_or(Value::Null, |database| text(&*database));
    let mut row = vec![text(state.connection_id.to_string()), text("root"), text("localhost"), database];
    row.extend([text("Query"), text("0"), text("running"), text(sql)]);
    listing.push(row);
    listing
}

/// # Errors
/// For an account that there is not: there is one.
pub fn grants(account: Option<&ast::Account>) -> Result<Listing> {
    if let Some(account) = account
        .filter(|account| !matches!((&*account.user, &*account.host), ("root", "localhost") | ("CURRENT_USER", "")))
    {
        let text = format!("There is no such grant defined for user '{}' on host '{}'", account.user, account.host);
        return Err(SqlError::general(text).at(account.span));
    }
    let mut listing = Listing::new(&["Grants for root@localhost"]);
    let privileges = PRIVILEGES.join(", ");
    listing.push(vec![text(format!("GRANT {privileges} ON *.* TO `root`@`localhost` WITH GRANT OPTION"))]);
    Ok(listing)
}

pub fn plugins() -> Listing {
    // As in native Dolt the columns of information_schema.plugins.
    Listing::new(&[
        "PLUGIN_NAME",
        "PLUGIN_VERSION",
        "PLUGIN_STATUS",
        "PLUGIN_TYPE",
        "PLUGIN_TYPE_VERSION",
        "PLUGIN_LIBRARY",
        "PLUGIN_LIBRARY_VERSION",
        "PLUGIN_AUTHOR",
        "PLUGIN_DESCRIPTION",
        "PLUGIN_LICENSE",
        "LOAD_OPTION",
    ])
}

pub fn variables(session: &Session, scope: Option<ast::VariableScope>) -> Result<Listing> {
    let mut listing = Listing::new(&["Variable_name", "Value"]);
    let variables = session.state().variables.borrow();
    let is_global = scope == Some(ast::VariableScope::Global);
    let mut rows: Vec<(String, String)> =
        DEFAULTS.iter().map(|known| (known.name.to_owned(), variables.shown(known, is_global))).collect();
    // The position of each database.
    for attached in session.catalog().engine.databases() {
        for field in ["default_branch", "head", "head_ref", "staged", "working"] {
            let name = format!("{}_{field}", attached.name);
            if let Some(value) = session.catalog().database_variable(&name.to_lowercase())? {
                rows.push((name, value::convert::to_string(&value)?.into_owned()));
            }
        }
    }
    rows.compact_sort();
    rows.into_iter().for_each(|(name, value)| listing.push(vec![text(name), text(value)]));
    Ok(listing)
}

/// What a server counts, and below it counters of the layers below, such as `region_faults` and `remote_requests`.
pub fn status(session: &Session) -> Listing {
    let mut listing = Listing::new(&["Variable_name", "Value"]);
    for (name, value) in status_variables::all() {
        listing.push(vec![text(name), text(value)]);
    }
    let engine = &session.catalog().engine;
    let mut counters = engine.counters();
    counters.extend(engine.remote().into_iter().flat_map(|remote| remote.figures));
    counters.compact_sort();
    for (name, value) in counters {
        listing.push(vec![text(name), text(value.to_string())]);
    }
    listing
}

pub fn collations() -> Listing {
    let mut listing = Listing::new(&["collation", "charset", "ID", "default", "compiled", "SORTLEN", "PAD_ATTRIBUTE"])
        .with(SqlType::BIGINT_UNSIGNED, &[2])
        .with(SqlType::INT, &[5]);
    let mut names: Vec<&str> = Collation::all().map(Collation::name).collect();
    names.compact_sort();
    for collation in names.into_iter().filter_map(|name| Collation::from_name(name).ok()) {
        listing.push(vec![
            text(collation.name()),
            text(collation.charset().name()),
            text(collation.id().to_string()),
            text(if collation.is_default() { "Yes" } else { "" }),
            text("Yes"),
            text(collation.sort_length().to_string()),
            text(collation.pad_attribute()),
        ]);
    }
    listing
}

pub fn charsets() -> Listing {
    let mut listing =
        Listing::new(&["Charset", "Description", "Default collation", "Maxlen"]).with(SqlType::BIGINT_UNSIGNED, &[3]);
    for collation in Collation::all().filter(|collation| collation.is_implemented() && collation.is_default()) {
        let charset = collation.charset();
        let description = charset.description();
        listing.push(vec![
            text(charset.name()),
            text(description),
            text(collation.name()),
            text(charset.character_bytes_max().to_string()),
        ]);
    }
    listing
}
