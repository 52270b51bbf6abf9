//! `dolt_reflog`: earlier positions of branches and tags (docs/format/sql-surface.md, section 4).

use hashbrown::HashMap;
use value::{LobSize, SqlType, Value};

use crate::catalog::Place;
use crate::error::{Result, SqlError};
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::computed::{Computed, column, moment, required};

pub const ENTRIES: &[Entry] = &[Entry::function("dolt_reflog", |call| function(&call.place()?, call.arguments))];

const NAME: &str = "dolt_reflog";
/// What no reflog is kept of: working sets, and what Dolt keeps for itself.
const LEFT_OUT: [&str; 4] = ["workingSets/", "refs/internal/", "refs/stashes/", "refs/statistics/"];
const WORKSPACES: &str = "refs/workspaces/";

/// What the function was asked for.
#[derive(Default)]
struct Wanted {
    name: Option<String>,
    with_workspaces: bool,
}

impl Wanted {
    fn parse(arguments: &[Value<'_>]) -> Result<Wanted> {
        if arguments.len() > 2 {
            let text = format!("function '{NAME}' expected 0 to 2 arguments, {} received", arguments.len());
            return Err(SqlError::general(text));
        }
        let mut wanted = Wanted::default();
        for argument in arguments {
            let Value::Text(text) = argument else {
                let shown = match argument {
                    Value::Null => "<nil>".into(),
                    other => value::convert::to_string(other).unwrap_or_default().into_owned(),
                };
                return Err(SqlError::general(format!("argument ({shown}) is not a string value")));
            };
            if text == "--all" {
                if wanted.with_workspaces {
                    return Err(SqlError::general("error: multiple values provided for `all`"));
                }
                wanted.with_workspaces = true;
            } else if let Some(first) = wanted.name.replace(text.to_string()) {
                let text = format!(
                    "error: {NAME} has too many positional arguments. Expected at most 1, found 2: ['{first}' '{text}']"
                );
                return Err(SqlError::general(text));
            }
        }
        Ok(wanted)
    }

    /// Whether the dataset `name` is meant. The first one that ends with a short name is the one that the short name means.
    fn matches(&mut self, name: &str) -> bool {
        if LEFT_OUT.iter().any(|prefix| name.starts_with(prefix)) {
            return false;
        }
        if name.starts_with(WORKSPACES) && !self.with_workspaces {
            return false;
        }
        let Some(wanted) = &mut self.name else { return true };
        if name.to_lowercase().ends_with(&format!("/{}", wanted.to_lowercase())) {
            *wanted = name.to_owned();
        }
        name.to_lowercase() == wanted.to_lowercase()
    }
}

/// Where names stood, the newest first.
pub fn function(place: &Place, arguments: &[Value<'_>]) -> Result<Computed> {
    let mut wanted = Wanted::parse(arguments)?;
    let long =
        |name| column(name, SqlType::Text { size: LobSize::Long, collation: value::Collation::UTF8MB4_0900_BIN });
    let columns = vec![
        required(long("ref")),
        column("ref_timestamp", SqlType::Timestamp { decimals: 0 }),
        required(long("commit_hash")),
        required(long("commit_message")),
    ];
    let objects = place.refs.objects();
    let (mut stood, mut rows) = (HashMap::new(), Vec::new());
    for past in place.refs.past() {
        let past = past?;
        for dataset in past.refs.datasets("") {
            let (name, address) = dataset?;
            if !wanted.matches(&name) || stood.insert(name.clone(), address) == Some(address) {
                continue;
            }
            let commit = match name.strip_prefix("refs/tags/").map(|tag| past.refs.tag(tag)).transpose()?.flatten() {
                Some(tag) => objects.commit(&tag.commit)?,
                None => objects.commit(&address)?,
            };
            let at = past.seconds.map_or(Value::Null, |seconds| moment((seconds as i64).saturating_mul(1000)));
            let message = Value::text(commit.meta.description.to_string());
            rows.push(vec![Value::text(String::from(name)), at, Value::text(address.to_string()), message]);
        }
    }
    rows.reverse();
    Ok(Computed::of_rows(place.name.clone(), NAME, columns, rows))
}
