//! `dolt_push`: moves branches and tags of a remote to the local ones.

use std::rc::Rc;

use codec::Address;
use value::Value;
use vcs::remote::{Push, PushChange, Pushed, RefSpec, tracking_ref};
use vcs::{Remote, RepoState, Upstream};

use super::exchange::{Absent, Exchange, Peer, STEP_CHUNKS};
use super::fetch::default_remote;
use super::remotes::unknown;
use crate::catalog::Place;
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::procedures::arguments::{Arguments, Syntax};
use crate::procedures::call::{Answer, Call, number_column, text_column};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] =
    &[Entry::exchange("dolt_push", push).help("dolt_push([remote [, branch]])", "Gives commits to a remote", &[])];

const SYNTAX: Syntax = Syntax {
    command: "push",
    flags: &[("set-upstream", "u"), ("force", "f"), ("all", ""), ("silent", "")],
    values: &[("user", "")],
    positional_max: None,
    too_many: None,
};

const NO_DESTINATION: &str = "fatal: No configured push destination.\nEither specify the URL from the command-line or configure a remote \
     repository using\n\n\tdolt remote add <name> <url>\n\nand then push using the remote name\n\n\tdolt push <name>\n";

/// One name of the remote that is to be changed.
struct Target {
    change: PushChange,
    /// What it is called here and there.
    from: Box<str>,
    to: Box<str>,
    outcome: Option<Pushed>,
}

struct Pushing {
    attached: Rc<Attached>,
    remote: Remote,
    peer: Peer,
    targets: Vec<Target>,
    sets_upstream: bool,
    /// The target that is pushed, and how far.
    at: usize,
    push: Option<Push>,
}

pub fn push(call: &Call) -> Result<Box<dyn Exchange>> {
    let place = call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let known = place.attached.database.state()?;
    let (name, specs) = arguments.first_and_rest();
    let remote = match name {
        Some(name) => known.remote(name).ok_or_else(|| unknown(name))?,
        None if known.remotes.is_empty() => return Err(SqlError::general(NO_DESTINATION)),
        None => default_push_remote(&place, &known)?,
    };
    let targets = targets(call, &place, &arguments, specs, &known, remote)?;
    let peer = Peer::new(remote, arguments.value("user"), Absent::IsMade);
    Ok(Box::new(Pushing {
        attached: place.attached.clone(),
        remote: remote.clone(),
        peer,
        targets,
        sets_upstream: arguments.has("set-upstream"),
        at: 0,
        push: None,
    }))
}

/// The remote that the branch follows, else the usual one.
fn default_push_remote<'s>(place: &Place, known: &'s RepoState) -> Result<&'s Remote> {
    let upstream = place.branch().and_then(|branch| known.upstreams.get(branch));
    match upstream.and_then(|upstream| known.remote(&upstream.remote)) {
        Some(remote) => Ok(remote),
        None => default_remote(&known.remotes),
    }
}

fn targets(
    call: &Call,
    place: &Place,
    arguments: &Arguments,
    specs: &[String],
    known: &RepoState,
    remote: &Remote,
) -> Result<Vec<Target>> {
    let is_forced = arguments.has("force");
    let branch = |from: &str, to: &str, head: Address| Target {
        change: PushChange::Branch { branch: to.into(), head, is_forced },
        from: from.into(),
        to: to.into(),
        outcome: None,
    };
    if arguments.has("all") {
        if !specs.is_empty() {
            return Err(SqlError::general("fatal: --all can't be combined with refspecs"));
        }
        let mut all = Vec::new();
        for entry in place.refs.branches() {
            let (name, head) = entry?;
            all.push(branch(&name, &name, head));
        }
        return Ok(all);
    }
    if !specs.is_empty() {
        return specs.iter().map(|spec| target(call, place, spec, is_forced)).collect();
    }
    let state = call.state()?;
    match known.upstreams.get(&state.branch).filter(|upstream| !upstream.remote.is_empty()) {
        None => Err(SqlError::general(format!(
            "fatal: The current branch {here} has no upstream branch.\nTo push the current branch and set the remote as upstream, \
             use\n\tdolt push --set-upstream {} {here}\nTo have this happen automatically for branches without a \
             tracking\nupstream, see 'push.autoSetupRemote' in 'dolt config --help'.",
            remote.name,
            here = state.branch,
        ))),
        Some(upstream) if upstream.branch != state.branch => Err(SqlError::general(
            "the upstream branch of your current branch does not match the name of your current branch",
        )),
        Some(_) => Ok(vec![branch(&state.branch, &state.branch, state.head.address)]),
    }
}

/// What one refspec means.
fn target(call: &Call, place: &Place, text: &str, is_forced: bool) -> Result<Target> {
    let invalid = || SqlError::general(format!("invalid ref spec: '{text}'"));
    let plain = |name: &str| -> Box<str> {
        let name = name.strip_prefix("refs/heads/").unwrap_or(name);
        name.strip_prefix("refs/tags/").unwrap_or(name).into()
    };
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let made = |change: PushChange| Target { change, from: plain(from), to: plain(to), outcome: None };
    if text.is_empty() || to.contains(':') {
        return Err(invalid());
    }
    // A name that only a tag has is the tag's.
    if from == to
        && place.refs.branch(from)?.is_none()
        && let Some(tag) = place.refs.dataset(&format!("refs/tags/{}", plain(from)))?
    {
        return Ok(made(PushChange::Tag { name: plain(to), tag }));
    }
    match RefSpec::parse(text) {
        Some(RefSpec::Branch { from: here, to: branch }) if here.is_empty() => {
            Ok(made(PushChange::DeleteBranch { branch, is_forced }))
        }
        Some(RefSpec::Branch { from: here, to: branch }) => {
            let found = match place.refs.branch(&here)? {
                Some(head) => Some(head),
                None => place.refs.commit(&here, &place.head).ok().map(|commit| commit.address),
            };
            let head = found.ok_or_else(|| {
                let absent = format!("refspec not found: '{text}'; branch not found: {here}");
                let absent = absent.replacen(&format!("'{text}'"), &format!("'{from}'"), 1);
                SqlError::general(format!("invalid ref spec; {absent}"))
            })?;
            if !vcs::is_valid_branch_name(&branch) && &*branch != "HEAD" {
                let text = format!("unknown push error; invalid ref format: refs/heads/{branch}");
                return Err(SqlError::general(text));
            }
            Ok(made(PushChange::Branch { branch, head, is_forced }))
        }
        Some(RefSpec::Tag { from: here, to: name }) => {
            let tag = place.refs.dataset(&format!("refs/tags/{here}"))?;
            let tag = tag.ok_or_else(|| {
                SqlError::general(format!("invalid ref spec; refspec not found: '{from}'; branch not found: {here}"))
            })?;
            call.context.catalog.transaction.check_writable()?;
            Ok(made(PushChange::Tag { name, tag }))
        }
        Some(RefSpec::Tracking { .. }) | None if text.contains(':') => {
            Err(SqlError::general(format!("unsupported mapping: '{text}'")))
        }
        _ => Err(invalid()),
    }
}

impl Exchange for Pushing {
    fn step(&mut self, call: &Call) -> Result<Option<Answer>> {
        let Remote { name, url, .. } = &self.remote;
        let there = self.peer.open(call, |words| {
            format!("failed to get remote db; the remote: {name} '{url}' could not be accessed; {words}")
        })?;
        let Some(target) = self.targets.get_mut(self.at) else { return Ok(Some(self.answer())) };
        let local = &self.attached.database;
        if target.outcome.is_none() {
            let push = match &mut self.push {
                Some(push) => push,
                none => {
                    there.refresh()?;
                    none.insert(Push::begin(target.change.clone()))
                }
            };
            let pushing = push.step(local, there, STEP_CHUNKS)?;
            call.context.catalog.engine.note_copied(pushing.copied);
            target.outcome = pushing.outcome;
            return Ok(None);
        }
        if let Some(error) = target.failure(name) {
            return Err(error);
        }
        if let Some((branch, head)) = target.tracked() {
            let tracking = tracking_ref(name, branch);
            call.context.catalog.transaction.change_refs_now(&self.attached, &|draft| {
                draft.set(tracking.clone(), head);
                Ok(())
            })?;
        }
        self.push = None;
        self.at += 1;
        Ok(None)
    }
}

impl Target {
    /// Why nothing more is pushed.
    fn failure(&self, remote: &str) -> Option<SqlError> {
        let text = match (self.outcome?, &self.change) {
            (Pushed::Done { before: None }, PushChange::DeleteBranch { branch, .. }) => {
                format!("failed to delete remote; 'refs/heads/{branch}' from remote '{remote}'; branch not found")
            }
            (Pushed::Unrelated, _) => "unknown push error; no common ancestor".to_owned(),
            (Pushed::DirtyWorkingSet, _) => {
                "unknown push error; target has uncommitted changes. --force required to overwrite".to_owned()
            }
            _ => return None,
        };
        Some(SqlError::general(text))
    }

    /// The branch whose remote-tracking one changes, and what it becomes.
    fn tracked(&self) -> Option<(&str, Option<Address>)> {
        match (&self.change, self.outcome?) {
            (_, Pushed::NonFastForward) | (PushChange::Tag { .. }, _) => None,
            (PushChange::Branch { branch, head, .. }, _) => Some((branch, Some(*head))),
            (PushChange::DeleteBranch { branch, .. }, _) => Some((branch, None)),
        }
    }

    fn is_rejected(&self) -> bool {
        self.outcome == Some(Pushed::NonFastForward)
    }
}

impl Pushing {
    fn answer(&self) -> Answer {
        let Pushing { targets, remote, .. } = self;
        let mut lines = Vec::new();
        for target in targets {
            let done = match (&target.change, target.outcome) {
                (_, None | Some(Pushed::UpToDate)) => continue,
                _ if target.is_rejected() => continue,
                (PushChange::DeleteBranch { .. }, _) => format!(" - [deleted]             {}", target.to),
                _ => format!(" * [new branch]          {} -> {}", target.from, target.to),
            };
            lines.push(done);
        }
        for target in targets.iter().filter(|target| target.is_rejected()) {
            lines.push(format!(" ! [rejected]            {} -> {} (non-fast-forward)", target.from, target.to));
        }
        let is_rejected = targets.iter().any(Target::is_rejected);
        let is_up_to_date = lines.is_empty();
        let mut upstreams = Vec::new();
        if self.sets_upstream {
            for target in targets.iter().filter(|target| !target.is_rejected()) {
                let PushChange::Branch { branch, .. } = &target.change else { continue };
                upstreams.push((target.from.clone(), Upstream { remote: remote.name.clone(), branch: branch.clone() }));
                lines.push(format!("branch '{}' set up to track '{}/{branch}'.", target.from, remote.name));
            }
        }
        let message = match (is_up_to_date, self.sets_upstream) {
            (true, true) => String::new(),
            (true, false) => "Everything up-to-date".to_owned(),
            _ => format!("To {}\n{}", remote.url, lines.join("\n")),
        };
        let mut answer = if is_rejected {
            let text = format!(
                "{message}\nerror: failed to push some refs to '{}'\nhint: Updates were rejected because the tip of your current branch \
                 is behind\nhint: its remote counterpart. Integrate the remote changes (e.g.\nhint: 'dolt pull ...') before pushing \
                 again.\n",
                remote.url
            );
            Answer { error: Some(SqlError::general(text)), ..Answer::status(1) }
        } else {
            let row = vec![Value::Int(0), Value::text(message)];
            Answer::new(vec![number_column("status"), text_column("message")], row)
        };
        if !upstreams.is_empty() {
            answer = answer.changing_state(&self.attached, move |state| {
                for (branch, upstream) in &upstreams {
                    state.upstreams.insert(branch.clone(), upstream.clone());
                }
            });
        }
        answer
    }
}
