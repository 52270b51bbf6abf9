//! Objects other than tables on two branches: views, triggers, procedures and events are made, changed and dropped on both sides, with
//! changes of the tables that they are about; then one side comes to the other, and what is in conflict is read and settled.
//!
//! Each definition that is made has a text of its own: where both sides wrote the same one, it would depend on the second in which they did
//! so whether the rows differ. For the same reason no moment and no hash is asked for.

use crate::common::generate::Random;
use crate::script::{self, Step};

const CREATE: &[&str] = &[
    "create table t (id int primary key, a int, b varchar(20))",
    "create table log (n int, what varchar(60))",
    "insert into t values (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three')",
    "set @@dolt_allow_commit_conflicts = 1",
    "set @@dolt_force_transaction_commit = 1",
];
const VIEWS: &[&str] = &["v", "w"];
const TRIGGERS: &[&str] = &["tr", "ts"];
const PROCEDURES: &[&str] = &["p", "q"];
const EVENTS: &[&str] = &["e", "f"];
/// The tables that keep them.
const STORED: &[&str] = &["dolt_schemas", "dolt_procedures"];

/// A base, and rounds of changes on two branches that are brought together.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut statements: Vec<String> = CREATE.iter().map(|sql| (*sql).to_owned()).collect();
    let mut objects = Objects { random, minutes: 0, texts: 0 };
    for _ in 0..4 {
        statements.push(objects.definition());
    }
    statements.push(objects.commit("base").replace("'-am'", "'-Am'"));
    for _ in 0..2 {
        statements.extend(objects.round());
    }
    script::of_one(statements)
}

struct Objects<'r> {
    random: &'r mut Random,
    minutes: usize,
    texts: usize,
}

impl Objects<'_> {
    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        self.random.pick::<&str>(of)
    }

    /// A number that no other definition has.
    fn text(&mut self) -> usize {
        self.texts += 1;
        self.texts
    }

    fn round(&mut self) -> Vec<String> {
        let mut statements = vec!["call dolt_branch('-f', 'b1', 'main')".to_owned()];
        statements.extend(self.side("main"));
        statements.push("call dolt_checkout('b1')".into());
        statements.extend(self.side("b1"));
        if self.random.chance(80) {
            statements.push("call dolt_checkout('main')".into());
        }
        statements.push(self.together());
        statements.extend((0..2 + self.random.below(4)).map(|_| self.look()));
        statements.extend((0..1 + self.random.below(3)).map(|_| self.resolve()));
        statements.extend((0..2).map(|_| self.look()));
        statements.push(self.commit("settled"));
        statements.extend((0..4).map(|_| self.look_back()));
        statements.push("call dolt_checkout('main')".into());
        statements
    }

    /// What happens on one branch, with its commits.
    fn side(&mut self, name: &str) -> Vec<String> {
        let mut statements = Vec::new();
        for commit in 0..1 + self.random.below(2) {
            statements.extend((0..1 + self.random.below(3)).map(|_| self.definition()));
            if self.random.chance(60) {
                statements.push(self.change());
            }
            if self.random.chance(30) {
                statements.push(self.index());
            }
            statements.push(self.commit(&format!("{name} {commit}")));
        }
        statements
    }

    fn commit(&mut self, message: &str) -> String {
        self.minutes += 1;
        let (hours, minutes) = (self.minutes / 60, self.minutes % 60);
        let staged = self.pick(&["-Am", "-Am", "-Am", "-am"]);
        format!("call dolt_commit('{staged}', '{message}', '--date', '2024-03-01T{hours:02}:{minutes:02}:00')")
    }

    fn definition(&mut self) -> String {
        let n = self.text();
        match self.random.below(20) {
            0..=2 => format!("create or replace view {} as select id, a + {n} as x from t", self.pick(VIEWS)),
            3 => format!("create view {} as select {n} as x", self.pick(VIEWS)),
            4 => format!("drop view {}", self.pick(VIEWS)),
            5..=8 => {
                let (name, when) = (self.pick(TRIGGERS), self.pick(&["insert", "update", "delete"]));
                format!("create trigger {name} after {when} on t for each row insert into log values ({n}, '{when}')")
            }
            9 | 10 => format!("drop trigger {}", self.pick(TRIGGERS)),
            11..=13 => format!("create procedure {}(x int) select x + {n}", self.pick(PROCEDURES)),
            14 | 15 => format!("drop procedure {}", self.pick(PROCEDURES)),
            16 | 17 => format!(
                "create event {} on schedule every {n} day starts '2099-01-01 00:00:00' disable do insert into log values ({n}, 'event')",
                self.pick(EVENTS)
            ),
            18 => format!("alter event {} do insert into log values ({n}, 'altered')", self.pick(EVENTS)),
            _ => format!("drop event {}", self.pick(EVENTS)),
        }
    }

    fn change(&mut self) -> String {
        let (id, a) = (1 + self.random.below(6), self.random.below(50));
        match self.random.below(8) {
            0 | 1 => format!("insert into t values ({}, {a}, 'new')", 3 + id),
            2 | 3 => format!("update t set a = {a} where id = {id}"),
            4 => format!("delete from t where id = {id}"),
            5 => "alter table t add column c int".into(),
            6 => "alter table t rename column b to bb".into(),
            _ => format!("insert into log values ({a}, 'by hand')"),
        }
    }

    fn index(&mut self) -> String {
        let stored = self.pick(STORED);
        match self.random.below(7) {
            0 => format!("call dolt_add('{stored}')"),
            1 => format!("call dolt_reset('{stored}')"),
            2 => format!("call dolt_checkout('{stored}')"),
            3 => "call dolt_stash('push', 's')".into(),
            4 => "call dolt_stash('pop', 's')".into(),
            5 => "call dolt_reset('--hard')".into(),
            _ => "call dolt_clean()".into(),
        }
    }

    /// One of the ways in which what is on one branch comes to the other.
    fn together(&mut self) -> String {
        let other = self.pick(&["b1", "b1", "b1", "main"]);
        match self.random.below(16) {
            0..=7 => format!("call dolt_merge('{other}')"),
            8 => format!("call dolt_merge('--no-ff', '{other}', '-m', 'merged')"),
            9 => format!("call dolt_merge('--squash', '{other}')"),
            10 => format!("call dolt_merge('--no-commit', '{other}')"),
            11 => format!("call dolt_cherry_pick('{other}')"),
            12 => format!("call dolt_cherry_pick('{other}~1')"),
            13 => format!("call dolt_revert('HEAD{}')", self.pick(&["", "~1"])),
            _ => format!("call dolt_rebase('{other}')"),
        }
    }

    /// What is there, and what is in conflict.
    fn look(&mut self) -> String {
        let (view, trigger) = (self.pick(VIEWS), self.pick(TRIGGERS));
        match self.random.below(18) {
            0 | 1 => "select * from dolt_conflicts".into(),
            2 | 3 => {
                let of = |side: &str| format!("{side}_type, {side}_name, {side}_fragment, {side}_sql_mode");
                format!(
                    "select {}, {}, our_diff_type, {}, their_diff_type from dolt_conflicts_dolt_schemas",
                    of("base"),
                    of("our"),
                    of("their")
                )
            }
            // Native Dolt does not tell those of procedures.
            4 => "select * from dolt_constraint_violations".into(),
            5 => "select * from dolt_status".into(),
            6 => "select is_merging, target, unmerged_tables from dolt_merge_status".into(),
            7 => "select type, name, fragment, sql_mode from dolt_schemas".into(),
            8 => "select name, create_stmt, sql_mode from dolt_procedures".into(),
            9 => format!("show create view {view}"),
            10 => format!("drop trigger if exists {trigger}"),
            11 => format!("show create procedure {}", self.pick(PROCEDURES)),
            12 => format!("show create event {}", self.pick(EVENTS)),
            13 => "select trigger_name, event_manipulation, event_object_table, action_order, action_statement \
                   from information_schema.triggers"
                .into(),
            14 => format!("call {}({})", self.pick(PROCEDURES), self.random.below(9)),
            15 => "select * from log".into(),
            16 => "select * from t".into(),
            _ => format!("select * from {view}"),
        }
    }

    fn resolve(&mut self) -> String {
        let (stored, side) = (self.pick(STORED), self.pick(&["--ours", "--theirs"]));
        match self.random.below(14) {
            0..=2 => format!("call dolt_conflicts_resolve('{side}', '.')"),
            3..=5 => format!("call dolt_conflicts_resolve('{side}', '{stored}')"),
            6 => "delete from dolt_conflicts_dolt_schemas".into(),
            7 => "delete from dolt_conflicts_dolt_schemas where our_name = 'v'".into(),
            8 => self.definition(),
            9 => self.change(),
            10 => "call dolt_merge('--abort')".into(),
            11 => "call dolt_cherry_pick('--abort')".into(),
            12 => "call dolt_rebase('--continue')".into(),
            _ => "call dolt_revert('--continue')".into(),
        }
    }

    /// What became of them between two commits.
    fn look_back(&mut self) -> String {
        let pair = self.pick(&["'HEAD~1', 'HEAD'", "'main', 'b1'", "'b1', 'main'", "'HEAD', 'WORKING'"]);
        match self.random.below(15) {
            0 | 1 => format!(
                "select from_type, from_name, from_fragment, to_type, to_name, to_fragment, diff_type \
                 from dolt_diff({pair}, 'dolt_schemas')"
            ),
            2 => format!("select to_name, from_name, diff_type from dolt_diff({pair}, 'dolt_procedures')"),
            3 => format!("select * from dolt_diff_summary({pair})"),
            4 => format!("select table_name, rows_added, rows_modified, rows_deleted from dolt_diff_stat({pair})"),
            5 => format!("select table_name, diff_type from dolt_patch({pair})"),
            6 => format!("select * from dolt_schema_diff({pair})"),
            7 => "select type, name, fragment from dolt_history_dolt_schemas".into(),
            8 => "select name, create_stmt from dolt_history_dolt_procedures".into(),
            9 => "select type, name, message from dolt_blame_dolt_schemas".into(),
            10 => "select message, table_name, data_change, schema_change from dolt_diff".into(),
            11 => "select * from dolt_preview_merge_conflicts_summary('main', 'b1')".into(),
            12 => {
                "select to_type, to_name, to_fragment, from_name, from_fragment, diff_type from dolt_diff_dolt_schemas"
                    .into()
            }
            13 => "select to_name, from_name, diff_type from dolt_diff_dolt_procedures".into(),
            _ => "select type, name, fragment from dolt_schemas as of 'HEAD~1'".into(),
        }
    }
}
