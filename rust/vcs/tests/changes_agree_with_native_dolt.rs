//! Databases made by native Dolt on the spot: renamed, dropped and re-created tables, changed primary keys, stashes,
//! ignored tables. Skipped where there is no `dolt`.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{flag, open};
use vcs::{ColumnMap, Comparable, Database, DiffHistory, Head, Refs, RootDelta, RowChange, Schema, Source};

struct Native {
    directory: PathBuf,
    binary: PathBuf,
}

impl Native {
    /// A fresh database in which `scripts` were run, each in a process of its own.
    fn make(name: &str, scripts: &[&str]) -> Option<Native> {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native").join(name).join("database");
        let _ = std::fs::remove_dir_all(directory.parent().unwrap());
        std::fs::create_dir_all(&directory).unwrap();
        let binary = native_dolt::binary()?;
        let native = Native { directory, binary };
        native.run(&["init", "--name", "tester", "--email", "t@example.org"]);
        for script in scripts {
            native.run(&["sql", "-q", script]);
        }
        Some(native)
    }

    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(&self.binary);
        // The user's own configuration and databases are no part of the test.
        command.env("DOLT_ROOT_PATH", self.directory.with_file_name("home")).current_dir(&self.directory);
        let output = command.args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The rows of a query, values joined by commas.
    fn query(&self, sql: &str) -> Vec<String> {
        self.run(&["sql", "-r", "csv", "-q", sql]).lines().skip(1).map(str::to_owned).collect()
    }

    fn open(&self) -> Database {
        open(&self.directory)
    }
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

fn working_head() -> Head {
    Head::Branch("main".into())
}

/// An INT column of a row seen through `target`, empty for NULL.
fn int(item: Option<&tree::Item>, source: &Schema, target: &Schema, column: &str) -> String {
    let Some(item) = item else { return String::new() };
    let map = ColumnMap::for_diff(source, target).unwrap();
    let (Source::Same(at) | Source::Converted(at)) = map.sources[target.column(column).unwrap()] else {
        return String::new();
    };
    let field = match source.columns[at].place {
        vcs::Place::Key(field) => item.key_tuple().field(field),
        vcs::Place::Value(field) => item.value_tuple().field(field),
        vcs::Place::Virtual => None,
    };
    match field {
        Some(&[a, b, c, d, ..]) => i32::from_le_bytes([a, b, c, d]).to_string(),
        _ => String::new(),
    }
}

/// What `dolt_diff_<table>` answers for columns a and b.
fn diff_rows(refs: &Refs, table: &str) -> Vec<String> {
    let head = refs.branch_head("main").unwrap();
    let working = refs.named_root("WORKING", &working_head()).unwrap().root;
    let target = working.table(table).unwrap().unwrap();
    let mut lines = Vec::new();
    for pair in DiffHistory::new(refs.objects(), table, &head, Some(target.address())) {
        let pair = pair.unwrap();
        let comparable = pair.comparable().unwrap();
        if comparable == Comparable::Not {
            break;
        }
        let sides = [pair.to.table().unwrap(), pair.from.table().unwrap()];
        for change in pair.rows().unwrap() {
            let RowChange { kind, from, to, times } = change.unwrap();
            let mut cells = Vec::new();
            for (side, item) in sides.iter().zip([&to, &from]) {
                let schema = side.as_ref().map_or(target.schema(), |side| side.schema());
                for column in ["a", "b"] {
                    cells.push(int(item.as_ref(), schema, target.schema(), column));
                }
            }
            let line = format!("{},{}", cells.join(","), kind.text());
            lines.extend(std::iter::repeat_n(line, times as usize));
        }
        if comparable == Comparable::Roughly {
            break;
        }
    }
    sorted(lines)
}

#[test]
fn renamed_dropped_ignored_and_stashed_tables() {
    let scripts = [
        "create table m (a int primary key, b int); create table d (a int primary key, b int);
         create table z (a int primary key, b int); create table k (a int primary key, b int);
         create table p (a int primary key, b int, unique key ub (b));
         create table c (a int primary key, b int, constraint fk1 foreign key (b) references p (b) on delete cascade);
         insert into m values (1,1); insert into d values (1,1); insert into z values (1,1); insert into k values (1,1);
         insert into p values (1,1); insert into c values (1,1); call dolt_commit('-Am','one')",
        "drop table d; alter table m add column x int; insert into k values (2,2); rename table z to aa;
         create table cc (a int primary key); alter table c drop foreign key fk1; call dolt_commit('-Am','two')",
        "insert into dolt_ignore values ('tmp_%',1), ('tmp_kept',0); create table tmp_1 (a int); create table tmp_kept (a int);
         call dolt_commit('-Am','three'); drop table m; call dolt_commit('-Am','four');
         create table m (a int primary key, b int); insert into m values (5,5); call dolt_commit('-Am','five')",
        "insert into k values (7,7); call dolt_stash('push','one'); insert into k values (8,8); call dolt_stash('push','one');
         insert into k values (9,9); call dolt_stash('push','other')",
        "update p set b = 2 where a = 1; call dolt_add('p'); insert into aa values (4,4); rename table k to kk",
    ];
    let Some(native) = Native::make("tables", &scripts) else { return };
    let database = native.open();
    let refs = database.refs().unwrap();

    let status = refs.status("main").unwrap();
    let line = |line: &vcs::StatusRow| format!("{},{},{}", line.table, flag(line.is_staged), line.kind.text());
    let shown: Vec<_> = status.iter().filter(|line| !line.is_ignored).map(line).collect();
    assert_eq!(shown, native.query("select * from dolt_status"));
    let all = status.iter().map(|row| format!("{},{}", line(row), row.is_ignored)).collect();
    assert_eq!(sorted(all), sorted(native.query("select * from dolt_status_ignored")));

    let stashes: Vec<_> = refs
        .stashes()
        .unwrap()
        .iter()
        .map(|entry| {
            let branch = entry.stash.branch.trim_start_matches("refs/heads/");
            let (list, index, stash) = (&entry.list, entry.index, &entry.stash);
            format!("{list},stash@{{{index}}},{branch},{},{}", stash.head_commit, stash.description)
        })
        .collect();
    assert_eq!(stashes, native.query("select * from dolt_stashes"));

    let mut changes = Vec::new();
    for commit in refs.objects().walk(&[refs.branch("main").unwrap().unwrap()]) {
        let commit = commit.unwrap();
        for delta in RootDelta::of_commit(refs.objects(), &commit).unwrap().unwrap().tables {
            changes.push(format!(
                "{},{},{},{}",
                commit.address,
                delta.name(),
                delta.data_changed(),
                delta.schema_changed()
            ));
        }
    }
    let sql = "select commit_hash, table_name, data_change, schema_change from dolt_diff where commit_hash not in ('WORKING', 'STAGED')";
    assert_eq!(changes, native.query(sql));

    let sql = "select to_a, to_b, from_a, from_b, diff_type from dolt_diff_m";
    assert_eq!(diff_rows(&refs, "m"), sorted(native.query(sql)));
}

#[test]
fn changed_primary_keys_end_a_tables_diff() {
    let scripts = [
        "create table widened (a int primary key, b int); insert into widened values (1,1),(2,2),(300,3);
         create table moved (a int primary key, b int not null); insert into moved values (1,10),(2,20);
         create table gained (a int, b int); insert into gained values (1,1),(1,1),(2,2); call dolt_commit('-Am','one')",
        "delete from gained where a = 1 limit 1; alter table gained add primary key (a); alter table widened modify a bigint;
         insert into widened values (5,5); alter table moved drop primary key, add primary key (b); call dolt_commit('-Am','two')",
        "insert into widened values (6,6); insert into gained values (7,7); insert into moved values (3,30); call dolt_commit('-Am','three')",
    ];
    let Some(native) = Native::make("keys", &scripts) else { return };
    let database = native.open();
    let refs = database.refs().unwrap();
    for table in ["widened", "gained", "moved"] {
        let sql = format!("select to_a, to_b, from_a, from_b, diff_type from dolt_diff_{table}");
        assert_eq!(diff_rows(&refs, table), sorted(native.query(&sql)), "{table}");
    }
}

#[test]
fn a_rebase_in_progress_is_read() {
    let scripts = [
        "create table t (a int primary key, b int); call dolt_commit('-Am','base'); call dolt_branch('side');
         insert into t values (1,1); call dolt_commit('-am','ours')",
        "call dolt_checkout('side'); insert into t values (2,2); call dolt_commit('-am','theirs'); call dolt_rebase('-i','main')",
    ];
    let Some(native) = Native::make("rebase", &scripts) else { return };
    let database = native.open();
    let refs = database.refs().unwrap();
    let set = refs.working_set("dolt_rebase_side").unwrap();
    let rebase = set.rebase.unwrap();
    assert_eq!(&*rebase.branch, "side");
    assert_eq!(rebase.onto_commit, refs.branch("main").unwrap().unwrap());
    assert_eq!((rebase.empty_commit_handling, rebase.commit_becomes_empty_handling), (2, 1));
    assert!(refs.objects().root_value(&set.working).unwrap().table("dolt_rebase").unwrap().is_some());
    let ignored: Vec<bool> = refs.status("dolt_rebase_side").unwrap().iter().map(|line| line.is_ignored).collect();
    assert_eq!(ignored, [true]);
}

#[test]
fn a_shallow_clones_history_ends_where_it_was_cut() {
    let scripts = [
        "create table t (a int primary key, b int); insert into t values (1,1); call dolt_commit('-Am','one');
         insert into t values (2,2); call dolt_commit('-am','two'); insert into t values (3,3); call dolt_commit('-am','three')",
        "call dolt_remote('add','origin','file://../remote'); call dolt_push('origin','main')",
    ];
    let Some(mut native) = Native::make("shallow", &scripts) else { return };
    native.directory.pop();
    native.run(&["clone", "--depth", "2", "file://./remote", "clone"]);
    native.directory.push("clone");
    let database = native.open();
    let refs = database.refs().unwrap();
    let head = refs.branch_head("main").unwrap();
    let log: Vec<_> =
        refs.objects().log(&[head.address], &[]).unwrap().map(|commit| commit.unwrap().address.to_string()).collect();
    assert_eq!(log, native.query("select commit_hash from dolt_log"));
    assert!(log.len() < 4 && !log.is_empty());
    assert_eq!(refs.objects().walk(&[head.address]).count(), log.len());
    let oldest = refs.commit(log.last().unwrap(), &working_head()).unwrap();
    assert!(RootDelta::of_commit(refs.objects(), &oldest).unwrap().is_none());
    assert!(refs.commit(&format!("HEAD~{}", log.len()), &working_head()).is_err());
    assert_eq!(refs.status("main").unwrap(), []);
}
