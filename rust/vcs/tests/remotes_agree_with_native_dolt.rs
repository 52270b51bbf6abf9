//! Generated histories go through one `file://` remote, from native Dolt to us and back: both sides have the same names with the same hashes
//! afterwards, and `dolt fsck` finds nothing. `VARVE_REMOTE_HISTORIES` says how many.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use codec::Address;
use region::{NativeDirectory, NativeLock, Region};
use store::{ChunkStore, Committed, OpenOptions, RemoteOptions, WriteOptions};
use tree::NodeStore;
use vcs::remote::{CloneOptions, Cloning, Fetch, FetchOptions, Push, PushChange, Pushed, RefSpec, Sync, tracking_ref};
use vcs::{Database, Remote, RepoState};

/// Noon of a day in 2026.
fn noon() -> u64 {
    1_795_262_400_000
}

/// Numbers that look random.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

struct Scratch(PathBuf);

impl Scratch {
    /// Answers `None` where there is no native Dolt.
    fn new(name: &str) -> Option<Scratch> {
        native_dolt::binary()?;
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("remote")).unwrap();
        std::fs::create_dir_all(path.join("home/.dolt")).unwrap();
        let user = r#"{"user.name": "a", "user.email": "a@b"}"#;
        std::fs::write(path.join("home/.dolt/config_global.json"), user).unwrap();
        Some(Scratch(path))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn url(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    /// What native Dolt did, run in a directory, for a user of its own.
    fn output(&self, name: &str, arguments: &[&str]) -> (bool, String) {
        let mut command = Command::new(native_dolt::binary().unwrap());
        command.env("DOLT_ROOT_PATH", self.path("home")).current_dir(self.path(name)).args(arguments);
        let output = command.output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    }

    fn dolt(&self, name: &str, arguments: &[&str]) -> String {
        let (is_done, said) = self.output(name, arguments);
        assert!(is_done, "dolt {arguments:?}: {said}");
        said
    }

    fn refused(&self, name: &str, arguments: &[&str]) -> String {
        let (is_done, said) = self.output(name, arguments);
        assert!(!is_done, "dolt {arguments:?}: {said}");
        said
    }

    fn sql(&self, name: &str, statements: &[String]) {
        self.dolt(name, &["sql", "-q", &statements.join(";\n")]);
    }

    /// A new database of native Dolt.
    fn init(&self, name: &str) {
        std::fs::create_dir_all(self.path(name)).unwrap();
        self.dolt(name, &["init"]);
        self.dolt(name, &["remote", "add", "origin", &self.url("remote")]);
    }

    fn is_whole(&self, name: &str) {
        let said = self.dolt(name, &["fsck"]);
        assert!(said.contains("No problems found"), "{said}");
    }

    fn remote(&self, name: &str) -> Database {
        self.remote_as(name, false)
    }

    fn remote_as(&self, name: &str, asserts_working_set: bool) -> Database {
        std::fs::create_dir_all(self.path(name)).unwrap();
        let lock = Rc::new(NativeLock::new(self.path(name).join("LOCK")));
        let options = RemoteOptions { asserts_working_set, ..RemoteOptions::new(lock, noon) };
        let directory = Rc::new(NativeDirectory::writable(self.path(name)));
        let remote = store::Remote::open(&Region::new(Default::default()), directory, options).unwrap();
        Database::new(NodeStore::new(Rc::new(remote), Default::default()), RepoState::default())
    }

    fn open(&self, name: &str) -> Database {
        let (path, region) = (self.path(name), Region::new(Default::default()));
        let directory = Rc::new(NativeDirectory::writable(&path));
        let write = WriteOptions::new(Rc::new(NativeLock::new(path.join(".dolt/noms/LOCK"))), noon);
        let store = match path.join(".dolt/noms/manifest").exists() {
            true => ChunkStore::open_writable(&region, directory, OpenOptions::default(), write),
            false => ChunkStore::create(&region, directory, OpenOptions::default(), write),
        };
        let state = std::fs::read(path.join(vcs::REPO_STATE_PATH))
            .map_or_else(|_| RepoState::default(), |text| RepoState::parse(&text).unwrap());
        Database::new(NodeStore::new(Rc::new(store.unwrap()), Default::default()), state)
    }

    /// A clone of ours.
    fn clone(&self, name: &str, options: &CloneOptions) {
        let remote = self.remote("remote");
        let mut cloning = Cloning::begin(&remote, options).unwrap();
        let state = cloning.state(Remote::new("origin", &self.url("remote")));
        std::fs::create_dir_all(self.path(name).join(".dolt/noms")).unwrap();
        std::fs::write(self.path(name).join(vcs::REPO_STATE_PATH), state.text()).unwrap();
        let local = self.open(name);
        while !cloning.step(&local, &remote, 7).unwrap().is_done {}
        commit(&local, |draft| cloning.write(&local, draft).unwrap());
    }

    fn fetch(&self, name: &str) {
        let (local, remote) = (self.open(name), self.remote("remote"));
        let specs = [RefSpec::parse("refs/heads/*:refs/remotes/origin/*").unwrap()];
        let options = FetchOptions { remote: "origin", specs: &specs, is_default: true, prunes: true };
        let mut fetch = Fetch::begin(&remote, &options).unwrap();
        while !fetch.step(&local, &remote, 5).unwrap().is_done {}
        commit(&local, |draft| drop(fetch.write(&local, draft).unwrap()));
    }

    /// Pushes one name, and lets the remote-tracking branch follow.
    fn push(&self, name: &str, change: PushChange) -> Pushed {
        let (local, remote) = (self.open(name), self.remote("remote"));
        push(&local, &remote, change)
    }
}

fn push(local: &Database, remote: &Database, change: PushChange) -> Pushed {
    let mut push = Push::begin(change.clone());
    let outcome = loop {
        if let Some(outcome) = push.step(local, remote, 5).unwrap().outcome {
            break outcome;
        }
    };
    if matches!(outcome, Pushed::Done { .. }) {
        commit(local, |draft| match &change {
            PushChange::Branch { branch, head, .. } => draft.set(tracking_ref("origin", branch), Some(*head)),
            PushChange::DeleteBranch { branch, .. } => draft.set(tracking_ref("origin", branch), None),
            PushChange::Tag { .. } => {}
        });
    }
    outcome
}

fn commit(database: &Database, change: impl Fn(&mut vcs::RefsDraft)) {
    let refs = database.refs().unwrap();
    let mut draft = refs.draft();
    change(&mut draft);
    let after = draft.write().unwrap();
    assert_eq!(database.commit(&refs, &after).unwrap(), Committed::Done);
}

/// Names and what they refer to; of working sets their roots, for they say who wrote them.
fn names(database: &Database) -> BTreeMap<String, String> {
    let refs = database.refs().unwrap();
    let mut names = BTreeMap::new();
    for entry in refs.datasets("") {
        let (name, address) = entry.unwrap();
        let of = match name.strip_prefix("workingSets/heads/") {
            Some(branch) => {
                let set = refs.working_set(branch).unwrap();
                format!("{} {}", set.working, set.staged)
            }
            None => address.to_string(),
        };
        names.insert(name.into(), of);
    }
    names
}

fn without_working_sets(mut names: BTreeMap<String, String>) -> BTreeMap<String, String> {
    names.retain(|name, _| !name.starts_with("workingSets/"));
    names
}

/// Statements that go on with a history. The session is on some branch of `branches` afterwards.
fn history(chance: &mut Chance, branches: &mut Vec<String>, round: u64) -> Vec<String> {
    let mut statements = Vec::new();
    let mut add = |statement: String| statements.push(statement);
    if round == 0 {
        add("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(200))".into());
        add("CALL dolt_commit('-Am', 'table')".into());
    }
    for step in 0..4 + chance.below(6) {
        let id = round * 1_000 + step * 10;
        let branch = branches[chance.below(branches.len() as u64) as usize].clone();
        add(format!("CALL dolt_checkout('{branch}')"));
        match chance.below(6) {
            0 => {
                let new = format!("b/{id}");
                add(format!("CALL dolt_checkout('-b', '{new}')"));
                branches.push(new);
            }
            1 => {
                add("SET @@dolt_allow_commit_conflicts = 1".into());
                let other = &branches[chance.below(branches.len() as u64) as usize];
                add(format!("CALL dolt_merge('{other}', '--no-ff', '-m', 'merge {id}')"));
            }
            2 => add(format!("CALL dolt_tag('v{id}')")),
            _ => {}
        }
        // No two branches write the same row, so that no merge has conflicts.
        let rows = 1 + chance.below(300);
        let values: Vec<String> =
            (0..rows).map(|row| format!("({}, repeat('{row} ', 20))", (id + 1) * 1_000 + row)).collect();
        add(format!("INSERT IGNORE INTO t VALUES {}", values.join(", ")));
        add(format!("CALL dolt_commit('-Am', 'commit {id}')"));
    }
    add(format!("CALL dolt_checkout('{}')", branches[0]));
    statements
}

fn go_on(scratch: &Scratch, name: &str, chance: &mut Chance, branches: &mut Vec<String>, round: u64) {
    scratch.sql(name, &history(chance, branches, round));
}

/// Pushes every branch and tag with native Dolt.
fn push_natively(scratch: &Scratch, name: &str) {
    let names = names(&scratch.open(name));
    let ours = |prefix| names.keys().filter_map(move |name: &String| name.strip_prefix(prefix));
    let all: Vec<&str> = ["push", "-f", "origin"].into_iter().chain(ours("refs/heads/")).collect();
    scratch.dolt(name, &all);
    let tags: Vec<&str> = ["push", "origin"].into_iter().chain(ours("refs/tags/")).collect();
    if tags.len() > 2 {
        scratch.dolt(name, &tags);
    }
}

fn round_trip(seed: u64) {
    let Some(scratch) = Scratch::new(&format!("remotes_{seed}")) else { return };
    let mut chance = Chance(seed * 977 + 5);
    let mut branches = vec!["main".to_owned()];
    scratch.init("source");
    go_on(&scratch, "source", &mut chance, &mut branches, 0);
    push_natively(&scratch, "source");

    // Native Dolt pushed; both clone.
    scratch.clone("ours", &CloneOptions::default());
    scratch.dolt("", &["clone", &scratch.url("remote"), "theirs"]);
    assert_eq!(names(&scratch.open("ours")), names(&scratch.open("theirs")), "seed {seed}");
    let states = ["ours", "theirs"]
        .map(|name| RepoState::parse(&std::fs::read(scratch.path(name).join(vcs::REPO_STATE_PATH)).unwrap()).unwrap());
    assert_eq!(states[0], states[1]);
    scratch.is_whole("ours");

    // Native Dolt pushes more, by force and with a branch less; both fetch.
    let pushed = branches.len();
    go_on(&scratch, "source", &mut chance, &mut branches, 1);
    if pushed > 1 {
        let gone = branches.remove(1);
        scratch.dolt("source", &["branch", "-D", &gone]);
        scratch.dolt("source", &["push", "origin", &format!(":{gone}")]);
    }
    let amended = branches[branches.len() - 1].clone();
    scratch.sql(
        "source",
        &[
            format!("CALL dolt_checkout('{amended}')"),
            format!("CALL dolt_commit('--amend', '-m', 'amended {seed}')"),
            format!("CALL dolt_checkout('{}')", branches[0]),
        ],
    );
    push_natively(&scratch, "source");
    scratch.fetch("ours");
    scratch.dolt("theirs", &["fetch", "-p", "origin"]);
    assert_eq!(names(&scratch.open("ours")), names(&scratch.open("theirs")), "seed {seed}");
    scratch.is_whole("ours");

    // We push what native Dolt committed in our clone; it fetches and clones that.
    let mut ours = vec!["main".to_owned()];
    scratch.dolt("ours", &["pull", "origin", "main"]);
    go_on(&scratch, "ours", &mut chance, &mut ours, 2);
    let local = names(&scratch.open("ours"));
    let address = |name: String| local[&name].parse::<Address>().unwrap();
    for branch in &ours {
        let (branch, head) = (branch.as_str().into(), address(format!("refs/heads/{branch}")));
        let pushed = scratch.push("ours", PushChange::Branch { branch, head, is_forced: false });
        assert!(matches!(pushed, Pushed::Done { .. } | Pushed::UpToDate), "{pushed:?}");
    }
    for name in local.keys().filter_map(|name| name.strip_prefix("refs/tags/")) {
        let pushed =
            scratch.push("ours", PushChange::Tag { name: name.into(), tag: address(format!("refs/tags/{name}")) });
        assert!(matches!(pushed, Pushed::Done { .. }), "{pushed:?}");
    }
    scratch.dolt("theirs", &["fetch", "-p", "origin"]);
    scratch.is_whole("theirs");
    let (mut there, mut fetched) = (names(&scratch.remote("remote")), names(&scratch.open("theirs")));
    there.retain(|name, _| name.starts_with("refs/heads/"));
    fetched.retain(|name, _| name.starts_with("refs/remotes/"));
    let tracked = |(name, head): (String, String)| (name.replacen("refs/heads/", "refs/remotes/origin/", 1), head);
    assert_eq!(there.into_iter().map(tracked).collect::<BTreeMap<_, _>>(), fetched, "seed {seed}");

    // Two that went different ways: the second one is rejected, and may push by force.
    scratch.sql("theirs", &["INSERT INTO t VALUES (-1, 'theirs')".into(), "CALL dolt_commit('-am', 'theirs')".into()]);
    scratch.dolt("theirs", &["pull", "origin", "main"]);
    scratch.dolt("theirs", &["push", "origin", "main"]);
    scratch.sql("ours", &["INSERT INTO t VALUES (-2, 'ours')".into(), "CALL dolt_commit('-am', 'ours')".into()]);
    let head = names(&scratch.open("ours"))["refs/heads/main"].parse::<Address>().unwrap();
    let main = |is_forced| PushChange::Branch { branch: "main".into(), head, is_forced };
    let before = names(&scratch.remote("remote"));
    assert_eq!(scratch.push("ours", main(false)), Pushed::NonFastForward);
    assert_eq!(names(&scratch.remote("remote")), before);
    assert!(matches!(scratch.push("ours", main(true)), Pushed::Done { before: Some(_) }));
    assert_eq!(scratch.push("ours", main(false)), Pushed::UpToDate);
    let said = scratch.refused("theirs", &["push", "origin", "main"]);
    assert!(said.contains("non-fast-forward"), "{said}");
    if let Some(branch) = ours.get(1) {
        let deleted = PushChange::DeleteBranch { branch: branch.as_str().into(), is_forced: false };
        assert!(matches!(scratch.push("ours", deleted), Pushed::Done { before: Some(_) }));
    }
    scratch.dolt("", &["clone", &scratch.url("remote"), "again"]);
    scratch.is_whole("again");
    assert_eq!(names(&scratch.open("again"))["refs/heads/main"], head.to_string());
    let tracking = |name: &str| {
        let mut names = names(&scratch.open(name));
        names.retain(|name, _| name.starts_with("refs/remotes/"));
        names
    };
    assert_eq!(tracking("ours"), tracking("again"), "seed {seed}");
}

#[test]
fn histories_go_through_a_remote() {
    let count = std::env::var("VARVE_REMOTE_HISTORIES").ok().and_then(|count| count.parse().ok()).unwrap_or(1);
    (1..=count).for_each(round_trip);
}

#[test]
fn shallow_clones_have_the_ghosts_of_native_dolt() {
    let Some(scratch) = Scratch::new("remotes_shallow") else { return };
    let (mut chance, mut branches) = (Chance(4), vec!["main".to_owned()]);
    scratch.init("source");
    go_on(&scratch, "source", &mut chance, &mut branches, 0);
    go_on(&scratch, "source", &mut chance, &mut branches, 1);
    push_natively(&scratch, "source");
    let ghosts = |name: &str| {
        let text = std::fs::read_to_string(scratch.path(name).join(".dolt/noms/ghostObjects.txt")).unwrap_or_default();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    for depth in [1, 2, 100] {
        let [ours, theirs] = ["ours", "theirs"].map(|name| format!("{name}_{depth}"));
        scratch.clone(&ours, &CloneOptions { depth: Some(depth), ..CloneOptions::default() });
        scratch.dolt("", &["clone", "--depth", &depth.to_string(), &scratch.url("remote"), &theirs]);
        assert_eq!(ghosts(&ours), ghosts(&theirs), "depth {depth}");
        assert_eq!(ghosts(&ours).is_empty(), depth == 100);
        assert_eq!(names(&scratch.open(&ours)), names(&scratch.open(&theirs)), "depth {depth}");
        let logs = [&ours, &theirs].map(|name| scratch.dolt(name, &["log", "--oneline"]));
        assert_eq!(logs[0], logs[1]);
    }
    // More is fetched on top, and pushed.
    go_on(&scratch, "source", &mut chance, &mut branches, 2);
    push_natively(&scratch, "source");
    scratch.fetch("ours_2");
    scratch.dolt("theirs_2", &["fetch", "origin"]);
    assert_eq!(names(&scratch.open("ours_2")), names(&scratch.open("theirs_2")));
    scratch.dolt("ours_2", &["merge", "origin/main"]);
    scratch.sql("ours_2", &["INSERT INTO t VALUES (-2, 'ours')".into(), "CALL dolt_commit('-am', 'ours')".into()]);
    let head = names(&scratch.open("ours_2"))["refs/heads/main"].parse::<Address>().unwrap();
    let pushed = scratch.push("ours_2", PushChange::Branch { branch: "main".into(), head, is_forced: false });
    assert!(matches!(pushed, Pushed::Done { .. }));
    // A remote that has nothing needs what is not here.
    let (local, empty) = (scratch.open("ours_2"), scratch.remote("empty"));
    let mut push = Push::begin(PushChange::Branch { branch: "main".into(), head, is_forced: false });
    let refused = loop {
        match push.step(&local, &empty, 100) {
            Ok(pushing) => assert_eq!(pushing.outcome, None),
            Err(error) => break error,
        }
    };
    assert_eq!(refused.to_string(), "shallow repository missing chunks to complete push");
    assert_eq!(std::fs::read_dir(scratch.path("empty")).unwrap().count(), 1, "the lock alone");
    scratch.dolt("", &["clone", &scratch.url("remote"), "again"]);
    scratch.is_whole("again");
}

#[test]
fn backups_are_those_of_native_dolt() {
    let Some(scratch) = Scratch::new("remotes_backup") else { return };
    let (mut chance, mut branches) = (Chance(9), vec!["main".to_owned()]);
    scratch.init("source");
    go_on(&scratch, "source", &mut chance, &mut branches, 0);
    scratch.sql("source", &["INSERT INTO t VALUES (-5, 'in the working set')".into()]);
    let sync = |from: &Database, to: &Database| {
        let mut sync = Sync::begin(from, to).unwrap();
        while !sync.step(from, to, 6).unwrap().is_done {}
        sync.is_up_to_date()
    };
    // From here, restored by native Dolt, and by us.
    assert!(!sync(&scratch.open("source"), &scratch.remote("backup")));
    assert!(sync(&scratch.open("source"), &scratch.remote("backup")));
    go_on(&scratch, "source", &mut chance, &mut branches, 1);
    scratch.sql("source", &["INSERT INTO t VALUES (-6, 'in the working set, too')".into()]);
    assert!(!sync(&scratch.open("source"), &scratch.remote("backup")));
    scratch.dolt("", &["backup", "restore", &scratch.url("backup"), "restored"]);
    scratch.is_whole("restored");
    assert_eq!(names(&scratch.open("restored")), names(&scratch.open("source")));
    std::fs::create_dir_all(scratch.path("ours/.dolt")).unwrap();
    std::fs::write(scratch.path("ours").join(vcs::REPO_STATE_PATH), RepoState::default().text()).unwrap();
    assert!(!sync(&scratch.remote("backup"), &scratch.open("ours")));
    scratch.is_whole("ours");
    assert_eq!(names(&scratch.open("ours")), names(&scratch.open("source")));
    // Where working sets are asserted, one with changes is in the way of a push.
    let (local, backup) = (scratch.open("ours"), scratch.remote_as("backup", true));
    let main = local.refs().unwrap().branch_head("main").unwrap();
    let on_top =
        vcs::Commit::write(local.objects(), core::slice::from_ref(&main), main.root, main.meta.clone()).unwrap();
    commit(&local, |draft| draft.set_branch("main", Some(on_top.address)));
    let change = |is_forced| PushChange::Branch { branch: "main".into(), head: on_top.address, is_forced };
    assert_eq!(push(&local, &backup, change(false)), Pushed::DirtyWorkingSet);
    assert!(matches!(push(&local, &backup, change(true)), Pushed::Done { .. }));
    assert_eq!(names(&backup)["workingSets/heads/main"], format!("{0} {0}", main.root));
    // What native Dolt has collected is copied file by file.
    scratch.dolt("source", &["gc"]);
    assert!(!sync(&scratch.open("source"), &scratch.remote("collected")));
    scratch.dolt("", &["backup", "restore", &scratch.url("collected"), "restored_too"]);
    scratch.is_whole("restored_too");
    assert_eq!(
        without_working_sets(names(&scratch.open("restored_too"))),
        without_working_sets(names(&scratch.open("source")))
    );
}

/// Repeats `call` while it wants to wait.
fn patiently<T>(mut call: impl FnMut() -> vcs::Result<T>) -> T {
    loop {
        match call() {
            Err(error) if error.is_wait() => std::thread::yield_now(),
            outcome => return outcome.unwrap(),
        }
    }
}

/// Native Dolt and we push to the same branch at the same time: the later one is rejected, and nothing that was acknowledged is lost.
/// `VARVE_REMOTE_RACES` says how often each of them pushes.
#[test]
fn native_dolt_pushes_beside_us() {
    let Some(scratch) = Scratch::new("remotes_race") else { return };
    let pushes = std::env::var("VARVE_REMOTE_RACES").ok().and_then(|count| count.parse().ok()).unwrap_or(3);
    scratch.init("theirs");
    scratch.sql("theirs", &history(&mut Chance(3), &mut vec!["main".to_owned()], 0));
    scratch.dolt("theirs", &["push", "origin", "main"]);
    scratch.clone("ours", &CloneOptions::default());
    let (local, remote) = (scratch.open("ours"), scratch.remote("remote"));
    let (mut acknowledged, mut lost, mut number) = (Vec::new(), 0, 0);
    std::thread::scope(|threads| {
        let native = threads.spawn(|| {
            for number in 0..pushes {
                scratch.dolt("theirs", &["commit", "--allow-empty", "-m", &format!("theirs {number}")]);
                while !scratch.output("theirs", &["push", "origin", "main"]).0 {
                    // The lock may be taken for longer than native Dolt waits.
                    scratch.output("theirs", &["pull", "origin", "main"]);
                }
            }
        });
        while acknowledged.len() < pushes {
            number += 1;
            remote.refresh().unwrap();
            let specs = [RefSpec::parse("refs/heads/*:refs/remotes/origin/*").unwrap()];
            let options = FetchOptions { remote: "origin", specs: &specs, is_default: true, prunes: true };
            let mut fetch = Fetch::begin(&remote, &options).unwrap();
            while !fetch.step(&local, &remote, 100).unwrap().is_done {}
            commit(&local, |draft| drop(fetch.write(&local, draft).unwrap()));
            let objects = local.objects();
            let base = local.refs().unwrap().dataset("refs/remotes/origin/main").unwrap().unwrap();
            let base = objects.commit(&base).unwrap();
            let meta = vcs::CommitMeta { description: format!("ours {number}").into(), ..base.meta.clone() };
            let ours = vcs::Commit::write(objects, core::slice::from_ref(&base), base.root, meta).unwrap();
            commit(&local, |draft| draft.set_branch("main", Some(ours.address)));
            // Every second time native Dolt is first.
            let root = remote.refs().unwrap().root();
            while number % 2 == 0 && !native.is_finished() && remote.refs().unwrap().root() == root {
                std::thread::yield_now();
                remote.refresh().unwrap();
            }
            let head = ours.address;
            let mut push = Push::begin(PushChange::Branch { branch: "main".into(), head, is_forced: false });
            let outcome = loop {
                if let Some(outcome) = patiently(|| push.step(&local, &remote, 100)).outcome {
                    break outcome;
                }
            };
            match outcome {
                Pushed::Done { .. } => acknowledged.push(head),
                Pushed::NonFastForward => lost += 1,
                outcome => panic!("{outcome:?}"),
            }
        }
        native.join().unwrap();
    });
    println!("{number} pushes of ours, {lost} of them late");
    assert!(lost > 0);
    let remote = scratch.remote("remote");
    let main = remote.refs().unwrap().branch_head("main").unwrap();
    let history: Vec<_> = remote.objects().log_of(main).map(|commit| commit.unwrap()).collect();
    for head in acknowledged {
        assert!(history.iter().any(|commit| commit.address == head), "{head} is lost");
    }
    for number in 0..pushes {
        let theirs = format!("theirs {number}");
        assert!(history.iter().any(|commit| *commit.meta.description == *theirs), "{theirs} is lost");
    }
    scratch.dolt("", &["clone", &scratch.url("remote"), "again"]);
    scratch.is_whole("again");
}
