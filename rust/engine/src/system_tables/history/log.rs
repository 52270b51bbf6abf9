//! `dolt_log`, as a table and as a function (docs/format/sql-surface.md, sections 2 and 4).

use std::cell::OnceCell;
use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use value::{SqlType, Value};
use vcs::{Commit, Objects, Refs, VcsReason};

use crate::catalog::{Column, Place, RowIterator, ToldIndex};
use crate::error::Result;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::arguments::{Arguments, OptionName, Takes, invalid, option};
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{
    Computed, TEXT, column, equal_text, key, moment, nothing, required, row_of, text,
};

pub const ENTRIES: &[Entry] = &[
    Entry::listed_table("dolt_log", table),
    Entry::late_function("dolt_log", |call| function(&call.place()?, call.arguments), &[]),
];

const DATETIME_MILLIS: SqlType = SqlType::DateTime { decimals: 3 };
const REFS: usize = 7;
const WIDTH: usize = 12;

fn columns() -> Vec<Column> {
    vec![
        key("commit_hash", TEXT),
        required(text("committer")),
        required(text("email")),
        required(column("date", DATETIME_MILLIS)),
        required(text("message")),
        required(column("commit_order", SqlType::BIGINT_UNSIGNED)),
        text("parents"),
        required(text("refs")),
        text("signature"),
        required(text("author")),
        required(text("author_email")),
        required(column("author_date", DATETIME_MILLIS)),
    ]
}

/// How names are shown beside commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decoration {
    No,
    /// `main`, `origin/main`, `tag: v1`.
    Short,
    /// `refs/heads/main`.
    Full,
}

/// What a row of the log shows.
struct Shown {
    decorations: Rc<HashMap<Address, String>>,
    columns: Vec<usize>,
    parents: bool,
    signature: bool,
}

impl Shown {
    fn row(&self, commit: &Commit) -> Vec<Value<'static>> {
        let meta = &commit.meta;
        row_of(WIDTH, &self.columns, |at| match at {
            0 => Value::text(commit.address.to_string()),
            1 => Value::text(meta.committer.name.to_string()),
            2 => Value::text(meta.committer.email.to_string()),
            3 => moment(meta.committer_millis),
            4 => Value::text(meta.description.to_string()),
            5 => Value::UInt(commit.height),
            6 if self.parents => {
                let parents: Vec<String> = commit.parents.iter().map(Address::to_string).collect();
                Value::text(parents.join(", "))
            }
            REFS => Value::text(self.decorations.get(&commit.address).cloned().unwrap_or_default()),
            8 if self.signature => Value::text(meta.signature.as_deref().unwrap_or_default().to_owned()),
            9 => Value::text(meta.author.name.to_string()),
            10 => Value::text(meta.author.email.to_string()),
            11 => moment(meta.author_millis),
            _ => Value::Null,
        })
    }
}

/// The names that point at commits: branches, then branches of remotes, then tags.
fn decorations(refs: &Refs, how: Decoration, head: Option<Address>) -> Result<Rc<HashMap<Address, String>>> {
    let mut names: HashMap<Address, Vec<String>> = HashMap::new();
    let full = how == Decoration::Full;
    if how == Decoration::No {
        return Ok(Rc::default());
    }
    for branch in refs.branches() {
        let (name, address) = branch?;
        names.entry(address).or_default().push(if full { format!("refs/heads/{name}") } else { name.into() });
    }
    for branch in refs.remote_branches() {
        let branch = branch?;
        let prefix = if full { "refs/remotes/" } else { "" };
        names.entry(branch.head).or_default().push(format!("{prefix}{}/{}", branch.remote, branch.branch));
    }
    for tag in refs.tags() {
        let (name, tag) = tag?;
        let prefix = if full { "refs/tags/" } else { "" };
        names.entry(tag.commit).or_default().push(format!("tag: {prefix}{name}"));
    }
    let joined = names.into_iter().map(|(address, names)| {
        let arrow = if Some(address) == head { "HEAD -> " } else { "" };
        (address, format!("{arrow}{}", names.join(", ")))
    });
    Ok(Rc::new(joined.collect()))
}

/// What a cell has, or else what it gets.
fn known<T>(cell: &OnceCell<Rc<T>>, find: impl FnOnce() -> Result<Rc<T>>) -> Result<Rc<T>> {
    if let Some(known) = cell.get() {
        return Ok(known.clone());
    }
    let found = find()?;
    Ok(cell.get_or_init(|| found).clone())
}

/// The table: the history of HEAD.
pub fn table(at: At) -> Computed {
    // A plan that serves again sees the same names.
    let (known_head, known_decorations) = (OnceCell::new(), OnceCell::new());
    Computed::new(at.database(), "dolt_log", columns(), move |_, columns, pushed| {
        let head = known(&known_head, || at.head())?;
        let decorations = match columns.contains(&REFS) {
            true => known(&known_decorations, || decorations(&at.place.refs, Decoration::Short, Some(head.address)))?,
            false => Rc::default(),
        };
        let shown = Shown { decorations, columns: columns.to_vec(), parents: true, signature: true };
        if let Some(hash) = equal_text(pushed, 0) {
            return Ok(match at.reachable(hash)? {
                Some(commit) => Box::new(std::iter::once(Ok(shown.row(&commit)))),
                None => nothing(),
            });
        }
        let log = at.objects().log_of(head);
        Ok(Box::new(log.map(move |commit| Ok(shown.row(&*commit?)))))
    })
    .with_indexes([ToldIndex::unique("commit_hash", [0])])
}

const OPTIONS: [OptionName; 9] = [
    option("number", 'n', Takes::Value),
    option("min-parents", '\0', Takes::Value),
    option("merges", '\0', Takes::Nothing),
    option("parents", '\0', Takes::Nothing),
    option("decorate", '\0', Takes::Value),
    option("not", '\0', Takes::List),
    option("all", '\0', Takes::Nothing),
    option("show-signature", '\0', Takes::Nothing),
    option("tables", 't', Takes::List),
];

const FUNCTION: &str = "dolt_log";

/// The function: any revisions, with the options of `dolt log`.
pub fn function(place: &Place, values: &[Value<'_>]) -> Result<Computed> {
    let arguments = Arguments::parse(FUNCTION, &OPTIONS, values)?;
    let decoration = match arguments.value("decorate") {
        None | Some("short" | "auto") => Decoration::Short,
        Some("full") => Decoration::Full,
        Some("no") => Decoration::No,
        Some(other) => return Err(invalid(FUNCTION, format!("invalid --decorate option: {other:?}"))),
    };
    let (from, excluded) = revisions(place, &arguments)?;
    let limit = arguments.number(FUNCTION, "number")?.unwrap_or(usize::MAX);
    let parents_min = match arguments.has("merges") {
        true => 2,
        false => arguments.number(FUNCTION, "min-parents")?.unwrap_or(0),
    };
    let tables: Rc<[String]> = arguments.list("tables").map(str::to_owned).collect();
    let (parents, signature) = (arguments.has("parents"), arguments.has("show-signature"));
    // Of several starts none is HEAD.
    let head = Some(&from[..]).filter(|from| from.len() == 1).map(|from| from[0]);
    let refs = place.refs.clone();
    Ok(Computed::new(place.name.clone(), FUNCTION, columns(), move |_, columns, _| {
        let decorations = match columns.contains(&REFS) {
            true => decorations(&refs, decoration, head)?,
            false => Rc::default(),
        };
        let shown = Shown { decorations, columns: columns.to_vec(), parents, signature };
        let objects = refs.objects().clone();
        let tables = tables.clone();
        let log = objects.log(&from, &excluded)?;
        let kept = log.filter(move |commit| commit.as_ref().map_or(true, |c| c.parents.len() >= parents_min));
        let rows = kept.filter_map(move |commit| {
            let row = || -> Result<Option<Vec<Value<'static>>>> {
                let commit = commit?;
                let is_kept = tables.is_empty() || changes_tables(&objects, &commit, &tables)?;
                Ok(is_kept.then(|| shown.row(&commit)))
            };
            row().transpose()
        });
        let rows: RowIterator = Box::new(rows.take(limit));
        Ok(rows)
    }))
}

/// Where the log starts and what it leaves out.
fn revisions(place: &Place, arguments: &Arguments) -> Result<(Vec<Address>, Vec<Address>)> {
    let resolve = |text: &str| -> Result<Rc<Commit>> { Ok(place.refs.commit(text, &place.head)?) };
    let (negative, positive): (Vec<&str>, Vec<&str>) =
        arguments.words.iter().map(String::as_str).partition(|word| word.starts_with('^'));
    let mut excluded: Vec<&str> = arguments.list("not").collect();
    if excluded.iter().any(|text| text.contains("..")) {
        return Err(invalid(FUNCTION, "--not revision cannot contain '..'"));
    }
    if excluded.iter().any(|text| text.starts_with('^')) {
        return Err(invalid(FUNCTION, "--not revision cannot contain '^'"));
    }
    excluded.extend(negative.iter().map(|text| &text[1..]));
    let mut from = Vec::new();
    let mut without = Vec::new();
    for text in &positive {
        if !text.contains("..") {
            from.push(resolve(text)?.address);
            continue;
        }
        if positive.len() > 1 || !excluded.is_empty() {
            return Err(invalid(FUNCTION, "revision cannot contain '..' or '...' if multiple revisions exist"));
        }
        if let Some((left, right)) = text.split_once("...") {
            let (left, right) = (resolve(left)?, resolve(right)?);
            let base = place.refs.objects().merge_base(&left, &right)?.ok_or(VcsReason::NoCommonAncestor)?;
            from.extend([left.address, right.address]);
            without.push(base);
        } else if let Some((left, right)) = text.split_once("..") {
            from.push(resolve(right)?.address);
            without.push(resolve(left)?.address);
        }
    }
    // Revisions that are named are all that is asked for.
    if arguments.has("all") && from.is_empty() {
        for branch in place.refs.branches() {
            from.push(branch?.1);
        }
    }
    if from.is_empty() {
        from.push(place.refs.head(&place.head)?.address);
    }
    for text in excluded {
        without.push(resolve(text)?.address);
    }
    Ok((from, without))
}

/// Whether a commit has another version of one of the tables than its parents.
fn changes_tables(objects: &Rc<Objects>, commit: &Commit, tables: &[String]) -> Result<bool> {
    if commit.parents.is_empty() {
        return Ok(false);
    }
    let address = |commit: &Commit, table: &str| -> Result<Option<Address>> {
        Ok(objects.root_value(&commit.root)?.find_table(table)?.map(|(_, address)| address))
    };
    for table in tables {
        let own = address(commit, table)?;
        let mut parents = Vec::new();
        for parent in commit.parents.iter().take(2) {
            parents.push(address(&*objects.commit(parent)?, table)?);
        }
        let changed = match (own, &parents[..]) {
            // A merge brings a table from one side without changing it.
            (Some(own), [Some(one), None] | [None, Some(one)]) => own != *one,
            (own, parents) => parents.iter().any(|parent| *parent != own),
        };
        if changed {
            return Ok(true);
        }
    }
    Ok(false)
}
