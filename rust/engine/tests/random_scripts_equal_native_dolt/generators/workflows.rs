//! What a team does with its branches, each from beginning to end: topics that are rebased by a plan, picked, reverted, squashed and
//! amended, with conflicts that are resolved or given up; stashes, ignored tables, what is staged and taken back; over tables with
//! foreign keys, checks, generated columns and views, and some without primary key.

use crate::common::generate::Random;
use crate::script::{self, Step};

const CREATE: &[&str] = &[
    "create table p (id int primary key, code varchar(10), n int, unique key uc (code), check (n is null or n < 1000))",
    "create table c (id int primary key, pid int, s varchar(20) default 'd', key kp (pid), \
     constraint fc foreign key (pid) references p (id) on delete cascade on update cascade)",
    "create table g (id int primary key, a int, b varchar(20), st int generated always as (a + 1) stored, \
     vi varchar(25) generated always as (concat(b, '!')) virtual, key ks (st))",
    "create table k (a int, b varchar(20))",
    "create view v as select p.id, p.code, c.s from p join c on c.pid = p.id",
    "insert into dolt_ignore values ('tmp%', true), ('tmp_kept', false)",
    "insert into p values (1, 'one', 1), (2, 'two', 2), (3, 'three', 3), (4, 'four', 4)",
    "insert into c values (1, 1, 'c'), (2, 1, 'cc'), (3, 3, 'ccc')",
    "insert into g (id, a, b) values (1, 1, 'x'), (2, 2, 'y'), (3, null, null)",
    "insert into k values (1, 'k'), (1, 'k'), (2, 'l')",
    "call dolt_commit('-Am', 'base', '--date', '2024-03-01T00:00:00')",
];
const TABLES: &[&str] = &["p", "c", "g", "k"];
const BRANCHES: &[&str] = &["main", "topic", "side"];

/// A base, and some workflows one after the other.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut statements: Vec<String> = CREATE.iter().map(|sql| (*sql).to_owned()).collect();
    let mut workflows = Workflows { random, minutes: 0, names: 0 };
    if workflows.random.chance(60) {
        statements.push("set @@dolt_allow_commit_conflicts = 1".into());
    }
    if workflows.random.chance(20) {
        statements.push("set @@dolt_force_transaction_commit = 1".into());
    }
    for _ in 0..3 {
        statements.extend(workflows.workflow());
        for _ in 0..2 {
            statements.push(workflows.look());
        }
    }
    script::of_one(statements)
}

struct Workflows<'r> {
    random: &'r mut Random,
    minutes: usize,
    names: usize,
}

impl Workflows<'_> {
    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        self.random.pick::<&str>(of)
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn date(&mut self) -> String {
        self.minutes += 1;
        format!("2024-03-01T{:02}:{:02}:00", self.minutes / 60, self.minutes % 60)
    }

    fn workflow(&mut self) -> Vec<String> {
        match self.random.below(20) {
            0..=4 => self.rebase(),
            5..=7 => self.cherry_picks(),
            8 | 9 => self.reverts(),
            10..=13 => self.merge(),
            14 | 15 => self.stash(),
            16 | 17 => self.index(),
            18 => self.branches(),
            _ => self.patch(),
        }
    }

    /// A change of few rows, so that branches meet.
    fn change(&mut self) -> String {
        let (id, n, text) = (1 + self.random.below(5), self.random.below(9), self.pick(&["'x'", "'yy'", "'zzz'"]));
        match self.random.below(22) {
            0 => format!("insert into p values ({}, concat('n', {n}), {n})", id + 4),
            1 => format!("replace into p values ({id}, {text}, {n})"),
            2 | 3 => format!("update p set n = {n} where id = {id}"),
            4 => format!("update p set code = concat({text}, {n}) where id = {id}"),
            5 => format!("update p set id = id + 10 where id = {id}"),
            6 => format!("delete from p where id = {id}"),
            7 => format!("insert into c values ({}, {id}, {text})", 3 + n),
            8 | 9 => format!("update c set s = {text} where id = {id}"),
            10 => format!("update c set pid = {id} where id = {}", 1 + n % 4),
            11 => format!("delete from c where pid = {id}"),
            12 => format!("insert into g (id, a, b) values ({}, {n}, {text})", 3 + n),
            13 | 14 => format!("update g set a = {n} where id = {id}"),
            15 => format!("update g set b = {text}, a = a + 1 where id < {id}"),
            16 => format!("delete from g where id = {id}"),
            17 => format!("insert into k values ({n}, {text}), (1, 'k')"),
            18 => format!("update k set b = {text} where a = {}", 1 + n % 2),
            19 => "delete from k where a = 1 limit 1".into(),
            20 => format!("create or replace view v as select id, code from p where n < {n}"),
            _ => self.definition(),
        }
    }

    fn definition(&mut self) -> String {
        let n = self.random.below(9);
        match self.random.below(14) {
            0 => format!("alter table p add column x{n} int default {n}"),
            1 => "alter table c modify s varchar(40)".into(),
            2 => "alter table g add column z varchar(10)".into(),
            3 => "alter table g drop column vi".into(),
            4 => "alter table k add column c int".into(),
            5 => "alter table c rename column s to s2".into(),
            6 => format!("alter table p add constraint ck{n} check (n <> {})", 100 + n),
            7 => "alter table c drop foreign key fc".into(),
            8 => "alter table g add index kb (b)".into(),
            9 => format!(
                "create table {} (id int primary key, v varchar(10))",
                self.pick(&["m", "m", "o", "tmp1", "tmp_kept"])
            ),
            10 => "rename table g to g2".into(),
            11 => "drop table k".into(),
            12 => "alter table p modify n bigint".into(),
            _ => "alter table p drop index uc".into(),
        }
    }

    fn changes(&mut self) -> Vec<String> {
        (0..1 + self.random.below(3)).map(|_| self.change()).collect()
    }

    fn commit(&mut self) -> String {
        let (date, message) = (self.date(), self.name("m"));
        let options = self.pick(&[
            "'-A', ",
            "'-A', ",
            "'-A', ",
            "'-A', ",
            "'-a', ",
            "'--skip-empty', ",
            "'--allow-empty', '-A', ",
            "'-A', '--author', 'Bea <b@c.d>', ",
            "'-A', '-f', ",
            "'--all', ",
            "'--skip-empty', '-a', ",
        ]);
        format!("call dolt_commit({options}'-m', '{message}', '--date', '{date}')")
    }

    fn commits(&mut self, count: usize) -> Vec<String> {
        let mut statements = Vec::new();
        for _ in 0..count {
            statements.extend(self.changes());
            statements.push(self.commit());
        }
        statements
    }

    /// A branch with commits, beside some on the other one; the session is on the topic then.
    fn topic(&mut self, commits: usize) -> Vec<String> {
        let start = self.pick(&["main", "main", "main", "side", "HEAD"]);
        let mut statements = vec![format!("call dolt_checkout('-B', 'topic', '{start}')")];
        statements.extend(self.commits(commits));
        statements.push("call dolt_checkout('main')".into());
        let beside = self.random.below(3);
        statements.extend(self.commits(beside));
        statements.push("call dolt_checkout('topic')".into());
        statements
    }

    fn rebase(&mut self) -> Vec<String> {
        let count = 2 + self.random.below(4);
        let mut statements = self.topic(count);
        let onto = self.pick(&["main", "main", "main", "HEAD~2", "main~1", "side"]);
        let empty = self.pick(&["", "", "", "'--empty', 'keep', ", "'--empty=drop', "]);
        if self.random.chance(25) {
            statements.push(format!("call dolt_rebase({empty}'{onto}')"));
            statements.extend(self.settle("dolt_rebase"));
            return statements;
        }
        statements.push(format!("call dolt_rebase('-i', {empty}'{onto}')"));
        statements.push("select rebase_order, action, commit_message from dolt_rebase order by rebase_order".into());
        for _ in 0..self.random.below(5) {
            statements.push(self.plan());
        }
        statements.push("select rebase_order, action, commit_hash, commit_message from dolt_rebase order by 1".into());
        if self.random.chance(10) {
            statements.push(self.change());
        }
        statements.push("call dolt_rebase('--continue')".into());
        statements.extend(self.settle("dolt_rebase"));
        statements
    }

    /// An edit of the plan of a rebase.
    fn plan(&mut self) -> String {
        let (order, action) =
            (1 + self.random.below(4), self.pick(&["squash", "fixup", "drop", "reword", "edit", "pick"]));
        match self.random.below(14) {
            0..=5 => format!("update dolt_rebase set action = '{action}' where rebase_order = {order}"),
            6 => format!(
                "update dolt_rebase set action = 'reword', commit_message = '{}' where rebase_order = {order}",
                self.name("re")
            ),
            7 => {
                format!("update dolt_rebase set rebase_order = {}.5 where rebase_order = {order}", self.random.below(5))
            }
            8 => format!("delete from dolt_rebase where rebase_order = {order}"),
            9 => "update dolt_rebase set action = 'squash' where rebase_order > 1".into(),
            10 => format!("insert into dolt_rebase values (7.25, '{action}', hashof('main'), 'again')"),
            11 => "update dolt_rebase set rebase_order = 9.25 - rebase_order".into(),
            12 => format!("update dolt_rebase set commit_hash = hashof('main~1') where rebase_order = {order}"),
            _ => format!("update dolt_rebase set action = '{action}'"),
        }
    }

    /// Goes on behind a stop, or gives up: conflicts are looked at and resolved.
    fn settle(&mut self, procedure: &str) -> Vec<String> {
        let mut statements = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            for _ in 0..1 + self.random.below(2) {
                statements.push(self.conflicts());
            }
            statements.extend(self.resolve());
            if self.random.chance(25) {
                statements.push(self.change());
            }
            if self.random.chance(85) {
                statements.push(
                    self.pick(&["call dolt_add('-A')", "call dolt_add('.')", "call dolt_add('p', 'c', 'g', 'k')"])
                        .into(),
                );
            }
            statements.push(match self.random.below(10) {
                0 => format!("call {procedure}('--abort')"),
                1 => self.commit(),
                _ => format!("call {procedure}('--continue')"),
            });
        }
        if self.random.chance(60) {
            statements.push(format!("call {procedure}('--abort')"));
        }
        statements.push("call dolt_checkout('topic')".into());
        statements
    }

    fn conflicts(&mut self) -> String {
        let table = self.pick(TABLES);
        match self.random.below(8) {
            0 => "select * from dolt_status".into(),
            1 => "select * from dolt_conflicts".into(),
            2 => "select * from dolt_constraint_violations".into(),
            3 => format!("select * from dolt_constraint_violations_{table}"),
            4 => "select table_name, description from dolt_schema_conflicts".into(),
            5 => "select is_merging, source, target, unmerged_tables from dolt_merge_status".into(),
            _ => format!("select * from dolt_conflicts_{table}"),
        }
    }

    fn resolve(&mut self) -> Vec<String> {
        let (table, side) = (self.pick(TABLES), self.pick(&["--ours", "--theirs"]));
        vec![match self.random.below(8) {
            0..=2 => format!("call dolt_conflicts_resolve('{side}', '.')"),
            3 => format!("call dolt_conflicts_resolve('{side}', '{table}')"),
            4 => format!("delete from dolt_conflicts_{table}"),
            5 => "update dolt_conflicts_p set our_n = their_n".into(),
            6 => format!("delete from dolt_constraint_violations_{table}"),
            _ => {
                return TABLES
                    .iter()
                    .map(|table| format!("call dolt_conflicts_resolve('{side}', '{table}')"))
                    .chain(TABLES.iter().map(|table| format!("delete from dolt_constraint_violations_{table}")))
                    .collect();
            }
        }]
    }

    fn cherry_picks(&mut self) -> Vec<String> {
        let mut statements = self.topic(3);
        statements.push("call dolt_checkout('main')".into());
        for _ in 0..1 + self.random.below(2) {
            let option = self.pick(&["", "", "", "", "'--allow-empty', ", "'--skip-verification', "]);
            let commit = self.pick(&["topic", "topic~1", "topic~2", "topic~1", "main~1"]);
            statements.push(format!("call dolt_cherry_pick({option}'{commit}')"));
            if self.random.chance(70) {
                statements.extend(self.settle("dolt_cherry_pick"));
                statements.push("call dolt_checkout('main')".into());
            }
        }
        statements
    }

    fn reverts(&mut self) -> Vec<String> {
        let mut statements = self.commits(3);
        if self.random.chance(20) {
            statements.extend(self.changes());
        }
        let commits = self.pick(&[
            "'HEAD'",
            "'HEAD~1'",
            "'HEAD~2'",
            "'HEAD', 'HEAD~1'",
            "'HEAD~1', 'HEAD~2'",
            "'HEAD~1', '--author', 'Bea <b@c.d>'",
        ]);
        statements.push(format!("call dolt_revert({commits})"));
        if self.random.chance(70) {
            statements.extend(self.settle("dolt_revert"));
        }
        statements
    }

    fn merge(&mut self) -> Vec<String> {
        let count = 1 + self.random.below(3);
        let mut statements = self.topic(count);
        statements.push("call dolt_checkout('main')".into());
        let date = self.date();
        let option =
            self.pick(&["", "", "'--no-ff', ", "'--squash', ", "'--no-commit', ", "'--ff-only', ", "'--commit', "]);
        let message =
            self.pick(&["", "", ", '-m', 'merged'", ", '-m', 'merged', '--author', 'Bea <b@c.d>'", ", '--no-edit'"]);
        statements.push(format!("call dolt_merge({option}'topic'{message})"));
        for _ in 0..self.random.below(3) {
            statements.push(self.conflicts());
            statements.extend(self.resolve());
        }
        if self.random.chance(30) {
            statements.push(self.change());
        }
        statements.push(match self.random.below(5) {
            0 => "call dolt_merge('--abort')".into(),
            1 => {
                "call dolt_commit('-Am', 'by hand', '--author', 'Bea <b@c.d>', '--date', '2024-03-02T00:00:00')".into()
            }
            _ => self.commit(),
        });
        if self.random.chance(60) {
            let rest = self.pick(&[
                "'--amend'",
                "'--amend', '-m', 'amended'",
                "'--amend', '-A', '-m', 'amended'",
                "'--amend', '--author', 'Bea <b@c.d>'",
                "'--amend', '--allow-empty'",
            ]);
            statements.push(format!("call dolt_commit({rest}, '--date', '{date}')"));
        }
        statements
    }

    fn stash(&mut self) -> Vec<String> {
        let mut statements = vec![self.change(), self.change()];
        for table in ["tmp1", "fresh"] {
            if self.random.chance(50) {
                statements.push(format!("create table {table} (id int primary key, v int)"));
                statements.push(format!("insert into {table} values (1, 1)"));
            }
        }
        if self.random.chance(40) {
            statements.push(self.staging());
        }
        for _ in 0..1 + self.random.below(2) {
            let option = self.pick(&["", "", ", '-u'", ", '--include-untracked'", ", '-a'", ", '--all'"]);
            statements.push(format!("call dolt_stash('push', 'work'{option})"));
            statements.push("select * from dolt_status".into());
            statements.extend(self.changes());
        }
        if self.random.chance(50) {
            let branch = self.pick(BRANCHES);
            statements.push(self.commit());
            statements.push(format!("call dolt_checkout('{branch}')"));
        }
        statements.push("select * from dolt_stashes".into());
        let stash = self.pick(&["", "", ", 'stash@{0}'", ", 'stash@{1}'", ", '1'"]);
        let verb = self.pick(&["pop", "pop", "pop", "drop", "clear", "apply"]);
        statements.push(format!("call dolt_stash('{verb}', 'work'{stash})"));
        statements.push("select * from dolt_status".into());
        statements.push("call dolt_stash('pop', 'work')".into());
        statements
    }

    fn staging(&mut self) -> String {
        let table = self.pick(&["p", "c", "g", "k", "m", "tmp1", "tmp_kept", "fresh"]);
        match self.random.below(18) {
            0 => "call dolt_add('-A')".into(),
            1 => "call dolt_add('.')".into(),
            2 => format!("call dolt_add('{table}', 'p')"),
            3 => format!("call dolt_add('-f', '{table}')"),
            4 => format!("call dolt_add('{table}')"),
            5 => format!("call dolt_rm('{table}')"),
            6 => format!("call dolt_rm('--cached', '{table}')"),
            7 => format!("call dolt_reset('{table}')"),
            8 => "call dolt_reset()".into(),
            9 => "call dolt_reset('.')".into(),
            10 => format!("call dolt_reset('--soft', '{}')", self.pick(&["HEAD~1", "HEAD", "topic"])),
            11 => format!("call dolt_reset('--hard'{})", self.pick(&["", ", 'HEAD~1'", ", 'topic'"])),
            12 => format!("call dolt_reset('{}')", self.pick(&["HEAD~1", "HEAD", "topic"])),
            13 => format!(
                "call dolt_clean({})",
                self.pick(&["", "'--dry-run'", "'-x'", "'fresh'", "'tmp1'", "'-x', 'tmp1'"])
            ),
            14 => format!("call dolt_checkout('{table}')"),
            15 => format!("call dolt_checkout('{}', '--', '{table}')", self.pick(&["HEAD~1", "topic", "HEAD"])),
            16 => format!(
                "replace into dolt_ignore values ('{}', {})",
                self.pick(&["fr%", "tmp%", "m"]),
                self.pick(&["true", "false"])
            ),
            _ => "call dolt_add('-A', '-f')".into(),
        }
    }

    /// What is staged, ignored, taken back and cleaned.
    fn index(&mut self) -> Vec<String> {
        let mut statements = Vec::new();
        for table in ["tmp1", "tmp_kept", "fresh", "m"] {
            if self.random.chance(50) {
                statements.push(format!("create table {table} (id int primary key, v int)"));
            }
        }
        for _ in 0..6 {
            if self.random.chance(40) {
                statements.push(self.change());
            }
            statements.push(self.staging());
            statements.push(
                self.pick(&[
                    "select * from dolt_status",
                    "select * from dolt_diff",
                    "select * from dolt_status_ignored",
                    "show tables",
                ])
                .into(),
            );
        }
        statements.push(self.commit());
        statements
    }

    fn branches(&mut self) -> Vec<String> {
        let mut statements = vec![self.change()];
        for _ in 0..5 {
            let (one, two) = (self.pick(BRANCHES), self.pick(&["side", "topic", "old"]));
            statements.push(match self.random.below(16) {
                0 => format!("call dolt_branch('{two}', '{one}')"),
                1 => format!("call dolt_branch('-c', '{one}', '{two}')"),
                2 => format!("call dolt_branch('-c', '-f', '{one}', '{two}')"),
                3 => format!("call dolt_branch('-m', '{two}', 'old')"),
                4 => format!("call dolt_branch('-m', '-f', '{two}', 'side')"),
                5 => format!("call dolt_branch('-d', '{two}')"),
                6 => format!("call dolt_branch('-D', '{two}')"),
                7 => format!("call dolt_branch('-f', '{two}', '{one}~1')"),
                8 => format!("call dolt_tag('v{}', '{one}', '-m', 'tagged')", self.random.below(2)),
                9 => "call dolt_tag('-d', 'v0')".into(),
                10 => "call dolt_checkout('v1')".into(),
                11 => format!("call dolt_checkout('-b', '{two}', 'v0')"),
                12 => format!("call dolt_checkout('-f', '{one}')"),
                13 => format!("call dolt_checkout('{one}')"),
                14 => self.commit(),
                _ => "call dolt_checkout('-')".into(),
            });
        }
        statements.push("select name, hash, dirty from dolt_branches".into());
        statements.push("select tag_name, tag_hash, message, tagger from dolt_tags".into());
        statements
    }

    /// The statements of a patch, which native Dolt and we have told alike, make the other branch.
    fn patch(&mut self) -> Vec<String> {
        let mut statements = self.topic(2);
        let pair = self.pick(&["'main', 'topic'", "'HEAD~1', 'HEAD'", "'HEAD~2', 'WORKING'", "'topic~1', 'main'"]);
        statements.push(format!("select statement_order, table_name, diff_type, statement from dolt_patch({pair})"));
        statements.push(format!("select * from dolt_diff_stat({pair})"));
        statements.push(format!("select * from dolt_diff_summary({pair})"));
        statements.push(format!("select * from dolt_schema_diff({pair})"));
        statements
    }

    fn look(&mut self) -> String {
        let (table, one, two) = (self.pick(&["p", "c", "g", "k", "v"]), self.revision(), self.revision());
        match self.random.below(26) {
            0..=2 => "select commit_hash, committer, email, date, message, parents from dolt_log('--parents')".into(),
            3 => format!("select * from dolt_diff_{table}"),
            4 => format!("select * from dolt_history_{table}"),
            5 => format!("select * from dolt_blame_{table}"),
            // Uncommitted changes are current.
            6 if ![one, two].iter().any(|it| ["WORKING", "STAGED"].contains(it)) => {
                format!("select * from dolt_diff('{one}', '{two}', '{table}')")
            }
            // Rows of a view have no order.
            7 if table != "v" => format!(
                "select * from dolt_query_diff('select * from {table} as of ''{one}''', 'select * from {table} as of ''{two}''')"
            ),
            8 => format!("select * from dolt_patch('{one}', '{two}')"),
            9 => "select * from dolt_column_diff".into(),
            10 => "select * from dolt_status".into(),
            11 => format!("select * from {table} as of '{one}'"),
            12 => format!("select * from dolt_diff_summary('{one}', '{two}')"),
            13 => "select * from dolt_commit_ancestors".into(),
            14 => format!("select * from dolt_workspace_{table}"),
            15 => "call dolt_verify_constraints('--all')".into(),
            16 => format!("select * from dolt_preview_merge_conflicts_summary('{one}', '{two}')"),
            17 => "select type, name, fragment from dolt_schemas".into(),
            18 => format!("select dolt_merge_base('{one}', '{two}'), dolt_hashof_db('{one}')"),
            19 if table != "v" => format!("show create table {table} as of '{one}'"),
            20 => "select * from dolt_diff".into(),
            21 => format!("select message, commit_order from dolt_log('{one}..{two}')"),
            22 => format!("select * from dolt_diff_stat('{one}', '{two}')"),
            23 => "select tag_name, tag_hash, message from dolt_tags".into(),
            24 => "select * from dolt_stashes".into(),
            _ => format!("select * from {table}"),
        }
    }

    fn revision(&mut self) -> &'static str {
        self.pick(&["HEAD", "HEAD~1", "HEAD~2", "main", "topic", "topic~1", "side", "HEAD^", "WORKING", "STAGED"])
    }
}
