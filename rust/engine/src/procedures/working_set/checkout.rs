//! `dolt_checkout`: switches the session's branch, or restores tables. With `--move`, as the command line does, uncommitted changes move
//! along.

use codec::{Address, CompactSort};
use value::Value;
use vcs::{ForeignKey, IgnorePatterns, RemoteRef, RootValue, Upstream, move_tables};

use crate::catalog::Place;
use crate::error::{Result, SqlError};
use crate::procedures::arguments::{Arguments, Syntax};
use crate::procedures::call::{Answer, Call, State, find_table, number_column, text_column};
use crate::procedures::entry::Entry;
use crate::procedures::history::branch;
use crate::procedures::history::branch::Existing;
use crate::procedures::remote::upstream;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_checkout", checkout).help(
    "dolt_checkout(branch)",
    "Goes to a branch, or takes tables back",
    &[("-b", "makes the branch")],
)];

const SYNTAX: Syntax = Syntax {
    command: "checkout",
    flags: &[("force", "f"), ("overwrite-ignore", ""), ("no-overwrite-ignore", ""), ("move", "m")],
    values: &[("b", ""), ("B", ""), ("track", "t")],
    positional_max: None,
    too_many: None,
};

pub fn checkout(call: &Call) -> Result<Answer> {
    let place = call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let new = new_branch(&arguments)?;
    let moves = arguments.has("move");
    if arguments.has("track") && !arguments.positional.is_empty() {
        return Err(SqlError::general("Improper usage. Too many arguments provided."));
    }
    arguments.exclude("overwrite-ignore", "no-overwrite-ignore", || {
        "error: --overwrite-ignore and --no-overwrite-ignore are mutually exclusive".to_owned()
    })?;
    if new.is_some() || arguments.has("track") {
        return start_branch(call, &place, &arguments, new, moves);
    }
    let Some(first) = arguments.positional.first() else { return Err(SqlError::general("Improper usage.")) };
    if first.is_empty() {
        return Err(SqlError::general("error: cannot checkout empty string"));
    }
    let is_only = arguments.positional.len() == 1;
    if is_only {
        refuse_detached_head(&place, first)?;
        if place.branch() == Some(first) {
            return Ok(answer(&format!("Already on branch '{first}'")));
        }
    }
    if arguments.before_dashes == Some(0) {
        restore(call, &call.state()?, &arguments.positional)?;
        return Ok(answer("").renewing());
    }
    let is_branch = place.refs.branch(first)?.is_some();
    let remote = remote_branches(&place, first)?;
    if arguments.before_dashes == Some(1) && (is_branch || !remote.is_empty()) {
        if is_only && is_branch {
            keep_ignored(call, &place, &arguments, first)?;
            return Ok(switched(&place, first));
        }
        if is_only {
            return follow(call, &place, first, &remote);
        }
        from_commit(call, &call.state()?, first, &arguments.positional[1..])?;
        return Ok(answer(""));
    }
    let is_table = match place.branch() {
        // Another session may have deleted the branch: then this is the way to one that is there.
        Some(branch) if place.refs.branch(branch)?.is_some() => {
            let roots = call.state()?.roots()?;
            find_table(first, &[&roots.working, &roots.staged, &roots.head])?.is_some()
        }
        _ => false,
    };
    if is_table && !is_branch && !remote.is_empty() {
        return Err(SqlError::general(format!(
            "'{first}' could be both a local table and a tracking branch.\nPlease use -- to disambiguate."
        )));
    }
    if !is_only && !is_table {
        from_commit(call, &call.state()?, first, &arguments.positional[1..])?;
        return Ok(answer(""));
    }
    if is_branch && moves {
        carry(call, &call.state()?, first, arguments.has("force"))?;
        return Ok(switched(&place, first).renewing());
    }
    if is_branch {
        keep_ignored(call, &place, &arguments, first)?;
        return Ok(switched(&place, first));
    }
    if !remote.is_empty() {
        return follow(call, &place, first, &remote);
    }
    restore(call, &call.state()?, &arguments.positional)?;
    Ok(answer("").renewing())
}

/// A new branch, of the name that is given or of the one that it is to follow.
fn start_branch(
    call: &Call,
    place: &Place,
    arguments: &Arguments,
    new: Option<(&str, bool)>,
    moves: bool,
) -> Result<Answer> {
    let start = match (arguments.value("track"), &arguments.positional[..]) {
        (Some("inherit"), _) => return Err(SqlError::general("--track='inherit' is not supported yet")),
        (Some("direct"), _) | (None, []) => "HEAD",
        (Some(tracked), _) => tracked,
        (None, [start]) => start,
        _ => "HEAD",
    };
    let upstream = match (upstream::parts(start), arguments.has("track")) {
        (Some((remote, theirs)), true) => Some(upstream::of(remote, theirs)?),
        (None, true) => Some(upstream::of("", "")?),
        (parts, false) => parts.and_then(|(remote, theirs)| upstream::of(remote, theirs).ok()),
    };
    keep_ignored(call, place, arguments, start)?;
    let followed = upstream.as_ref().map(|upstream| upstream.branch.clone());
    let (name, is_forced) = new.unwrap_or((followed.as_deref().unwrap_or_default(), false));
    let before = if moves { Some(call.state()?) } else { None };
    branch::create(call, place, name, start, Existing::replace_if(is_forced))?;
    if let Some(before) = before {
        carry(call, &before, name, arguments.has("force"))?;
    }
    Ok(following(place, name, upstream))
}

/// Refuses with `--no-overwrite-ignore` a state that has tables otherwise which are here and ignored.
fn keep_ignored(call: &Call, place: &Place, arguments: &Arguments, target: &str) -> Result<()> {
    if !arguments.has("no-overwrite-ignore") {
        return Ok(());
    }
    let working = call.state()?.roots()?.working;
    let there = place.refs.commit(target, &place.head)?;
    let there = place.refs.objects().root_value(&there.root)?;
    let patterns = IgnorePatterns::read(&working)?;
    let mut overwritten = Vec::new();
    for name in vcs::changed_tables(&working, &there)? {
        let is_both = working.table_address(&name)?.is_some() && there.table_address(&name)?.is_some();
        if is_both && patterns.is_ignored(&name)? {
            overwritten.push(name);
        }
    }
    match overwritten.is_empty() {
        true => Ok(()),
        false => Err(SqlError::general(format!(
            "The following ignored tables would be overwritten by checkout:\n\t{}\nPlease move or remove them before you switch \
             branches.\nUse --overwrite-ignore to force.\n",
            overwritten.join("\n\t")
        ))),
    }
}

/// A branch that is called as the one of a remote is, and follows it.
fn follow(call: &Call, place: &Place, name: &str, remote: &[RemoteRef]) -> Result<Answer> {
    let [remote] = remote else {
        return Err(SqlError::general(format!(
            "hint: If you meant to check out a remote tracking branch, on, e.g., 'origin',\nhint: you can do so by fully \
             qualifying the name with the --track option:\nhint:\nhint:        dolt checkout --track \
             origin/<name>\n'{name}' matched multiple ({}) remote tracking branches",
            remote.len()
        )));
    };
    branch::create(call, place, name, &format!("{}/{}", remote.remote, remote.branch), Existing::Keep)?;
    Ok(following(place, name, Some(upstream::of(&remote.remote, &remote.branch)?)))
}

/// Switches to the new branch `name`.
fn following(place: &Place, name: &str, upstream: Option<Upstream>) -> Answer {
    let mut answer = switched(place, name).renewing();
    if let (Some(upstream), Some(Value::Text(message))) = (&upstream, answer.rows[0].get_mut(1))
        && !upstream.remote.is_empty()
    {
        let Upstream { remote, branch } = upstream;
        message.to_mut().push_str(&format!("\nbranch '{name}' set up to track '{remote}/{branch}'."));
    }
    upstream::set(answer, &place.attached, name, upstream)
}

/// Takes what is not committed along to another branch, as the command line of Dolt does; the branch that is left is clean then.
fn carry(call: &Call, from: &State, branch: &str, is_forced: bool) -> Result<()> {
    let roots = from.roots()?;
    let is_dirty = |roots: &vcs::Roots| {
        let head = roots.head.address();
        roots.working.address() != head || roots.staged.address() != head
    };
    if !is_dirty(&roots) {
        return Ok(());
    }
    let to = call.state_of(&from.attached, branch)?;
    let there = to.roots()?;
    let is_same =
        roots.working.address() == there.working.address() && roots.staged.address() == there.staged.address();
    if !is_forced && is_dirty(&there) && !is_same {
        return Err(SqlError::general("checkout would overwrite uncommitted changes on target branch"));
    }
    let mut overwritten = Vec::new();
    let mut moved = |changed: &RootValue| -> Result<RootValue> {
        let mut names = Vec::new();
        for name in vcs::changed_tables(&roots.head, changed)? {
            // What both commits have in common can be changed; the other branch's own version stays. What is gone on both sides is.
            let its_own = there.head.table_address(&name)?;
            if roots.head.table_address(&name)? == its_own {
                names.push(name);
            } else if !is_forced && (its_own.is_some() || changed.table_address(&name)?.is_some()) {
                overwritten.push(name);
            }
        }
        let keys = carried_keys(&roots.head, changed, &there.head, is_forced, &mut overwritten)?;
        Ok(vcs::move_tables_with_keys(&names, &keys, changed, &there.head)?)
    };
    let (working, staged) = (moved(&roots.working)?, moved(&roots.staged)?);
    if !overwritten.is_empty() {
        overwritten.compact_sort();
        overwritten.dedup();
        return Err(SqlError::general(format!(
            "Your local changes to the following tables would be overwritten by checkout:\n\t{}\nPlease commit your changes \
             or stash them before you switch branches.\nAborting",
            overwritten.join("\n\t")
        )));
    }
    call.context.catalog.transaction.will_move_changes();
    let carried = vcs::WorkingSet { working: working.address(), staged: staged.address(), ..to.set.clone() };
    call.set_working_set(&to, &carried)?;
    let head = roots.head.address();
    let left = vcs::WorkingSet { working: head, staged: head, merge: None, rebase: None, ..from.set.clone() };
    call.set_working_set(from, &left)
}

/// The foreign keys of a branch to which those that were changed are taken along, table by table.
fn carried_keys(
    before: &RootValue,
    changed: &RootValue,
    there: &RootValue,
    is_forced: bool,
    overwritten: &mut Vec<Box<str>>,
) -> Result<Vec<ForeignKey>> {
    let (before, changed, there) = (before.foreign_keys()?, changed.foreign_keys()?, there.foreign_keys()?);
    let children = [&before, &changed, &there].into_iter().flatten().map(|key| &key.child_table);
    let mut tables: Vec<Box<str>> = children.cloned().collect();
    tables.compact_sort();
    tables.dedup();
    let mut keys = Vec::new();
    for table in tables {
        let of_table = |keys: &[ForeignKey]| -> Vec<ForeignKey> {
            keys.iter().filter(|key| key.child_table == table).cloned().collect()
        };
        let (before, changed, there) = (of_table(&before), of_table(&changed), of_table(&there));
        let is_changed = before != changed;
        if is_changed && before == there {
            keys.extend(changed);
        } else if is_changed && !is_forced {
            overwritten.push(table);
        } else {
            keys.extend(there);
        }
    }
    Ok(keys)
}

/// Names of the tables that differ between two roots, in what they are or in the foreign keys that they declare.
fn differing(one: &RootValue, other: &RootValue) -> Result<Vec<Box<str>>> {
    let mut names = vcs::changed_tables(one, other)?;
    names.extend(vcs::changed_names(one, other)?);
    Ok(names)
}

fn answer(message: &str) -> Answer {
    let columns = vec![number_column("status"), text_column("message")];
    Answer::new(columns, vec![Value::Int(0), Value::text(message.to_owned())])
}

fn switched(place: &Place, branch: &str) -> Answer {
    let mut answer = answer(&format!("Switched to branch '{branch}'"));
    answer.moves_to = Some((place.attached.name.clone(), branch.into()));
    answer
}

/// The branch that is to be made, and whether it may be there.
fn new_branch(arguments: &Arguments) -> Result<Option<(&str, bool)>> {
    let (new, forced) = (arguments.value("b"), arguments.value("B"));
    let wrong = |text: String| Err(SqlError::general(text));
    if new.is_some() && forced.is_some() {
        return wrong("Improper usage. Cannot use both -b and -B.".to_owned());
    }
    match new.map(|name| (name, false)).or(forced.map(|name| (name, true))) {
        Some(("", _)) => wrong("error: cannot checkout empty string".to_owned()),
        None if arguments.before_dashes.is_some_and(|count| count >= 2) => {
            let count = arguments.before_dashes.unwrap_or_default();
            wrong(format!("only one reference expected, {count} given"))
        }
        new => Ok(new),
    }
}

/// Sessions are on branches only.
fn refuse_detached_head(place: &Place, name: &str) -> Result<()> {
    let kind = match () {
        () if place.refs.tag(name)?.is_some() => "tag, run: ",
        () if name.parse::<Address>().is_ok() => "commit instead, run:",
        () => return Ok(()),
    };
    Err(SqlError::general(format!(
        "dolt does not support a detached head state. To create a branch at this {kind}\n\tCALL DOLT_CHECKOUT('{name}', \
         '-b', <new_branch_name>)"
    )))
}

/// The remote-tracking branches of this name.
fn remote_branches(place: &Place, name: &str) -> Result<Vec<RemoteRef>> {
    let of_name = place.refs.remote_branches().filter_map(|remote| match remote {
        Ok(remote) if &*remote.branch != name => None,
        remote => Some(remote),
    });
    Ok(of_name.collect::<vcs::Result<_>>()?)
}

/// Names of tables, or all when there is only a dot.
fn table_names(
    tables: &[String],
    all: impl FnOnce() -> Result<Vec<Box<str>>>,
    find: impl Fn(&str) -> Result<Option<Box<str>>>,
) -> Result<(Vec<Box<str>>, Vec<String>)> {
    if let [dot] = tables
        && dot == "."
    {
        return Ok((all()?, Vec::new()));
    }
    let (mut names, mut missing) = (Vec::new(), Vec::new());
    for table in tables {
        match find(table)? {
            Some(name) => names.push(name),
            None => missing.push(format!("tablespec '{table}' did not match any table(s) known to dolt")),
        }
    }
    Ok((names, missing))
}

/// Puts tables of the working root back as they are staged, or in HEAD.
fn restore(call: &Call, state: &State, tables: &[String]) -> Result<()> {
    let roots = state.roots()?;
    let all = || {
        let mut names = differing(&roots.head, &roots.working)?;
        names.extend(differing(&roots.staged, &roots.working)?);
        names.compact_sort();
        names.dedup();
        let mut known = Vec::new();
        for name in names {
            if roots.head.table_address(&name)?.is_some() || roots.staged.table_address(&name)?.is_some() {
                known.push(name);
            }
        }
        Ok(known)
    };
    let find = |name: &str| find_table(name, &[&roots.working, &roots.staged, &roots.head]);
    let (names, missing) = table_names(tables, all, find)?;
    let missing: Vec<String> = missing.into_iter().map(|text| format!("error: {text}")).collect();
    if names.is_empty() && !missing.is_empty() {
        return Err(SqlError::general(missing.join("\n")));
    }
    let working = roots.restore(&names)?;
    let set = vcs::WorkingSet { working: working.address(), ..state.set.clone() };
    call.set_working_set(state, &set)?;
    if missing.is_empty() { Ok(()) } else { Err(SqlError::general(missing.join("\n"))) }
}

/// Puts tables of a commit into the working and the staged root.
fn from_commit(call: &Call, state: &State, revision: &str, tables: &[String]) -> Result<()> {
    let commit = state.commit(revision)?;
    let source = state.root(&commit.root)?;
    let roots = state.roots()?;
    let all = || {
        let mut names = differing(&source, &roots.working)?;
        names.extend(differing(&source, &roots.staged)?);
        names.compact_sort();
        names.dedup();
        let mut known = Vec::new();
        for name in names {
            if source.table_address(&name)?.is_some() || roots.staged.table_address(&name)?.is_some() {
                known.push(name);
            }
        }
        Ok(known)
    };
    let (names, missing) = table_names(tables, all, |name| find_table(name, &[&source]))?;
    if let Some(text) = missing.first() {
        return Err(SqlError::general(text.clone()));
    }
    let working = move_tables(&names, &source, &roots.working)?;
    let staged = move_tables(&names, &source, &roots.staged)?;
    let set = vcs::WorkingSet { working: working.address(), staged: staged.address(), ..state.set.clone() };
    call.set_working_set(state, &set)
}
