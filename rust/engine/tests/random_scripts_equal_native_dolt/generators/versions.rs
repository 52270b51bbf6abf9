//! Version control in one session: commits, branches, merges, picks, reverts, rebases, stashes, resets, conflicts and their
//! resolution, tags; with the system tables and functions read between.

use crate::common::generate::Random;
use crate::script::{self, Step};

const TABLES: &[&str] = &["t", "u", "k"];
const CREATE: &[&str] = &[
    "create table t (id int primary key, a int, b varchar(20), key ia (a))",
    "create table u (id int primary key, a int, b varchar(20) default 'd', check (a < 1000))",
    "create table k (id int, a int, b varchar(20))",
    "insert into t values (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three'), (4, 4, 'four')",
    "insert into u values (1, 10, 'x'), (2, 20, 'y')",
    "insert into k values (1, 1, 'k'), (1, 1, 'k'), (2, 2, 'l')",
    "call dolt_commit('-Am', 'base')",
    "call dolt_branch('b1')",
];
const BRANCHES: &[&str] = &["main", "b1", "b2"];

/// A base with a branch beside it, and what becomes of both.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut statements: Vec<String> = CREATE.iter().map(|sql| (*sql).to_owned()).collect();
    let mut versions = Versions::new(random);
    for _ in 0..30 {
        statements.extend(versions.statements());
    }
    script::of_one(statements)
}

pub struct Versions<'r> {
    pub random: &'r mut Random,
    /// Those that are spoken of.
    tables: &'static [&'static str],
    minutes: usize,
    names: usize,
}

impl<'r> Versions<'r> {
    pub fn new(random: &'r mut Random) -> Versions<'r> {
        Versions::of(TABLES, random)
    }

    /// About other tables than those of this generator.
    pub fn of(tables: &'static [&'static str], random: &'r mut Random) -> Versions<'r> {
        Versions { random, tables, minutes: 0, names: 0 }
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn statements(&mut self) -> Vec<String> {
        match self.random.below(100) {
            0..=27 => vec![self.change()],
            28..=31 => vec![self.definition()],
            32..=44 => vec![self.commit()],
            45..=54 => vec![self.checkout()],
            55..=63 => vec!["set @@dolt_allow_commit_conflicts = 1".into(), self.merge(), self.resolve()],
            64..=74 => vec![self.history()],
            75..=79 => vec![self.index()],
            _ => vec![self.read()],
        }
    }

    pub fn table(&mut self) -> &'static str {
        self.random.pick::<&str>(self.tables)
    }

    /// A change of rows.
    pub fn change(&mut self) -> String {
        let (table, id, a) = (self.table(), 1 + self.random.below(8), self.random.below(100));
        let b = *self.random.pick(&["'x'", "'y'", "'zz'", "null"]);
        match self.random.below(10) {
            0..=3 => format!("insert into {table} (id, a, b) values ({id}, {a}, {b})"),
            4 => format!("replace into {table} (id, a, b) values ({id}, {a}, {b}), ({}, {a}, {b})", id + 1),
            5 | 6 => format!("update {table} set a = {a} where id = {id}"),
            7 => format!("update {table} set b = {b} where a < {a}"),
            8 => format!("delete from {table} where id = {id}"),
            _ => format!("update {table} set id = id + 5 where id = {id}"),
        }
    }

    fn definition(&mut self) -> String {
        let table = self.table();
        let (column, value) = (self.name("c"), self.random.below(50));
        match self.random.below(10) {
            0 | 1 => format!("alter table {table} add column {column} int default {value}"),
            2 => format!("alter table {table} add column n varchar(10)"),
            3 => format!("alter table {table} modify column b varchar({})", 30 + value),
            4 => format!("alter table {table} add index i{column} (b)"),
            5 => format!("alter table {table} drop column b"),
            6 => format!("create table n{} (id int primary key, v int)", self.random.below(2)),
            7 => format!("drop table {table}"),
            8 => format!("rename table {table} to {table}2"),
            _ => "alter table u add constraint fk foreign key (a) references t (a)".into(),
        }
    }

    /// A date of its own: commits have an order.
    fn date(&mut self) -> String {
        self.minutes += 1;
        format!("2024-03-01T{:02}:{:02}:00", self.minutes / 60, self.minutes % 60)
    }

    pub fn commit(&mut self) -> String {
        let (date, message) = (self.date(), self.name("m"));
        let options = *self.random.pick(&[
            "'-A', ",
            "'-A', ",
            "'-A', ",
            "'-a', ",
            "",
            "'-A', '--amend', ",
            "'-A', '--allow-empty', ",
        ]);
        format!("call dolt_commit({options}'-m', '{message}', '--date', '{date}')")
    }

    fn branch(&mut self) -> &'static str {
        self.random.pick::<&str>(BRANCHES)
    }

    /// What names a commit.
    pub fn revision(&mut self) -> String {
        let branch = self.branch();
        match self.random.below(6) {
            0 => "HEAD".into(),
            1 => "HEAD~1".into(),
            2 => format!("{branch}~1"),
            3 => "HEAD^".into(),
            _ => branch.into(),
        }
    }

    pub fn checkout(&mut self) -> String {
        let branch = self.branch();
        match self.random.below(8) {
            0 => format!("call dolt_checkout('-b', '{branch}')"),
            1 => format!("call dolt_checkout('{}')", self.table()),
            2 => format!("call dolt_checkout('--move', '{branch}')"),
            3 => format!("call dolt_branch('-f', 'b2', '{}')", self.revision()),
            4 => format!("call dolt_checkout('-B', 'b2', '{}')", self.revision()),
            _ => format!("call dolt_checkout('{branch}')"),
        }
    }

    pub fn merge(&mut self) -> String {
        let branch = self.branch();
        let option =
            *self.random.pick(&["", "", "", "", "'--no-ff', ", "'--squash', ", "'--no-commit', ", "'--ff-only', "]);
        let message = if self.random.chance(30) { ", '-m', 'merged'" } else { "" };
        format!("call dolt_merge({option}'{branch}'{message})")
    }

    pub fn resolve(&mut self) -> String {
        let (table, side) = (self.table(), *self.random.pick(&["--ours", "--theirs"]));
        match self.random.below(9) {
            0 => "call dolt_merge('--abort')".into(),
            1 => format!("call dolt_conflicts_resolve('{side}', '.')"),
            2 | 3 => format!("call dolt_conflicts_resolve('{side}', '{table}')"),
            4 => format!("delete from dolt_conflicts_{table}"),
            5 => format!("update dolt_conflicts_{table} set our_a = their_a"),
            6 => format!("select * from dolt_conflicts_{table}"),
            7 => "select * from dolt_conflicts".into(),
            _ => self.commit(),
        }
    }

    pub fn history(&mut self) -> String {
        let revision = self.revision();
        match self.random.below(14) {
            0 | 1 => format!("call dolt_cherry_pick('{revision}')"),
            2 => "call dolt_cherry_pick('--abort')".into(),
            3 | 4 => format!("call dolt_revert('{revision}')"),
            5 => format!("call dolt_rebase('{}')", self.branch()),
            6 => format!("call dolt_rebase('-i', '{}')", self.branch()),
            7 => "call dolt_rebase('--abort')".into(),
            8 => "call dolt_rebase('--continue')".into(),
            9 => format!("call dolt_stash('push', 's'{})", self.random.pick(&["", ", '-u'", ", '-a'"])),
            10 => format!("call dolt_stash('{}', 's')", self.random.pick(&["pop", "pop", "drop", "clear"])),
            11 => format!("call dolt_tag('v{}', '{revision}')", self.random.below(3)),
            12 => format!("call dolt_branch('-d', '{}')", self.branch()),
            _ => format!("call dolt_branch('-m', 'b2', 'b{}')", 1 + self.random.below(3)),
        }
    }

    pub fn index(&mut self) -> String {
        let (table, revision) = (self.table(), self.revision());
        match self.random.below(8) {
            0 => "call dolt_add('-A')".into(),
            1 | 2 => format!("call dolt_add('{table}')"),
            3 => format!("call dolt_reset('{table}')"),
            4 => "call dolt_reset('--hard')".into(),
            5 => format!("call dolt_reset('--hard', '{revision}')"),
            6 => format!("call dolt_reset('--soft', '{revision}')"),
            _ => format!("call dolt_clean({})", self.random.pick(&["", "'--dry-run'"])),
        }
    }

    pub fn read(&mut self) -> String {
        let (table, one, two) = (self.table(), self.revision(), self.revision());
        let pair = format!("'{one}', '{two}'");
        match self.random.below(26) {
            0 => "select commit_hash, message from dolt_log".into(),
            1 => "select * from dolt_status".into(),
            2 => format!("select * from dolt_diff_{table}"),
            3 => format!("select * from dolt_history_{table}"),
            4 => format!("select * from dolt_diff({pair}, '{table}')"),
            5 => format!("select * from dolt_diff_stat({pair})"),
            6 => format!("select * from dolt_diff_summary({pair})"),
            7 => format!("select * from dolt_patch({pair})"),
            8 => format!("select * from dolt_schema_diff({pair})"),
            9 => format!("select * from dolt_blame_{table}"),
            10 => "select name, hash, latest_commit_message, dirty from dolt_branches".into(),
            11 => "select tag_name, tag_hash, message from dolt_tags".into(),
            12 => "select * from dolt_merge_status".into(),
            13 => "select * from dolt_stashes".into(),
            14 => format!("select * from {table} as of '{one}'"),
            15 => format!("select commit_hash, message, parents from dolt_log('{one}', '--parents')"),
            16 => format!("select message from dolt_log('{one}..{two}')"),
            17 => "select * from dolt_commit_ancestors".into(),
            18 => "select * from dolt_diff".into(),
            19 => "select * from dolt_column_diff".into(),
            20 => format!(
                "select * from dolt_commit_diff_{table} where from_commit = hashof('{one}') and to_commit = hashof('{two}')"
            ),
            21 => format!("select dolt_merge_base({pair}), hashof('{one}'), active_branch()"),
            22 => format!("select * from dolt_workspace_{table}"),
            23 => "select * from dolt_conflicts".into(),
            24 => format!("select * from dolt_preview_merge_conflicts_summary({pair})"),
            _ => format!("select * from {table}"),
        }
    }
}
