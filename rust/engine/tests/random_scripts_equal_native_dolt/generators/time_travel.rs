//! What was when: `AS OF` and `db/branch`, functions and tables of diffs, logs, history and blame with every form of their
//! arguments and conditions, over commits, branches, tags, and what is staged and changed.

use crate::common::generate::Random;
use crate::generators::versions::Versions;
use crate::script::{self, DATABASE, Step};

const TABLES: &[&str] = &["t", "u", "k"];
const CREATE: &[&str] = &[
    "create table t (id int primary key, a int, b varchar(20), key ia (a))",
    "create table u (p int, q varchar(10), id int, a int, b varchar(20) default 'd', primary key (p, q))",
    "create table k (id int, a int, b varchar(20))",
    "insert into t values (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three'), (4, 4, 'four')",
    "insert into u (p, q, id, a, b) values (1, 'x', 1, 10, 'x'), (1, 'y', 2, 20, 'y')",
    "insert into k values (1, 1, 'k'), (1, 1, 'k'), (2, 2, 'l')",
    "call dolt_commit('-Am', 'base', '--date', '2024-02-28T00:00:00')",
    "call dolt_tag('v0', 'HEAD')",
    "call dolt_branch('b1')",
];

/// A history with two branches, then questions about it; what is staged and what is changed go on changing.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut statements: Vec<String> = CREATE.iter().map(|sql| (*sql).to_owned()).collect();
    let mut travel = Travel(Versions::of(TABLES, random));
    for branch in ["main", "b1", "main"] {
        statements.push(format!("call dolt_checkout('{branch}')"));
        for _ in 0..2 {
            statements.extend((0..3).map(|_| travel.change()));
            if travel.0.random.chance(40) {
                statements.push(travel.definition());
            }
            statements.push(travel.commit());
        }
    }
    if travel.0.random.chance(70) {
        statements.push("call dolt_merge('b1')".into());
        statements.push("call dolt_merge('--abort')".into());
    }
    statements.push("call dolt_tag('v1', 'HEAD')".into());
    for _ in 0..24 {
        statements.push(match travel.0.random.below(100) {
            0..=9 => travel.change(),
            10 | 11 => travel.definition(),
            12..=14 => format!("call dolt_add('{}')", travel.0.random.pick(&["t", "u", "k", "."])),
            15 => "call dolt_reset('--hard')".into(),
            16 => format!("call dolt_checkout('{}')", travel.0.random.pick(&["main", "b1"])),
            17 => travel.commit(),
            18..=22 => travel.workspace(),
            _ => travel.question(),
        });
    }
    script::of_one(statements)
}

struct Travel<'r>(Versions<'r>);

impl Travel<'_> {
    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        self.0.random.pick::<&str>(of)
    }

    fn change(&mut self) -> String {
        let (id, a, b) = (1 + self.0.random.below(6), self.0.random.below(30), self.pick(&["'x'", "'y'", "null"]));
        match self.0.random.below(9) {
            0 => format!("insert into u (p, q, a, b) values ({id}, {}, {a}, {b})", self.pick(&["'x'", "'y'"])),
            1 => format!("update u set a = {a} where p = {id}"),
            2 => format!("delete from u where q = 'x' and p < {id}"),
            _ => self.0.change(),
        }
    }

    fn definition(&mut self) -> String {
        let table = self.0.table();
        match self.0.random.below(8) {
            0 => format!("alter table {table} add column c int default 3"),
            1 => format!("alter table {table} drop column b"),
            2 => format!("alter table {table} rename column a to a2"),
            3 => format!("alter table {table} modify column a bigint"),
            4 => format!("rename table {table} to {table}9"),
            5 => format!("drop table {table}"),
            6 => "create table m (id int primary key, a int)".into(),
            _ => format!("alter table {table} add index ib (b)"),
        }
    }

    fn commit(&mut self) -> String {
        self.0.commit().replace("'--amend', ", "").replace("dolt_commit('-m'", "dolt_commit('-A', '-m'")
    }

    /// What names a commit or what is not committed yet.
    fn revision(&mut self) -> &'static str {
        self.pick(&[
            "HEAD", "HEAD~1", "HEAD~2", "HEAD^", "main", "b1", "b1~1", "main~3", "v0", "v1", "v1~1", "WORKING",
            "STAGED", "main", "HEAD^1",
        ])
    }

    fn committed(&mut self) -> &'static str {
        self.pick(&["HEAD", "HEAD~1", "HEAD~2", "main", "b1", "b1~1", "v0", "v1"])
    }

    /// Two revisions as arguments, in one of the forms.
    fn pair(&mut self) -> String {
        let (one, two) = (self.revision(), self.revision());
        match self.0.random.below(8) {
            0 => format!("'{}..{}'", self.committed(), self.committed()),
            1 => format!("'{}...{}'", self.committed(), self.committed()),
            _ => format!("'{one}', '{two}'"),
        }
    }

    fn table(&mut self) -> &'static str {
        self.pick(&["t", "t", "u", "k", "m", "t9"])
    }

    fn columns(&mut self) -> &'static str {
        self.pick(&["*", "*", "*", "count(*)"])
    }

    fn question(&mut self) -> String {
        let (table, columns) = (self.table(), self.columns());
        match self.0.random.below(38) {
            0 => format!("select {columns} from {table} as of '{}'", self.revision()),
            1 => {
                format!("select {columns} from {table} as of timestamp('2024-03-01 00:0{}:30')", self.0.random.below(8))
            }
            2 => format!("select {columns} from {table} as of hashof('{}') where a > 2", self.committed()),
            3 => format!("select {columns} from `{DATABASE}/{}`.{table}", self.committed()),
            4 => format!(
                "select x.id, y.id from {table} as of '{}' x left join {table} y on x.id = y.id",
                self.revision()
            ),
            5 | 6 => {
                let (pair, condition) = (self.pair(), self.condition_of_diff());
                // What is not committed changed now.
                let is_dated = !pair.contains("WORKING") && !pair.contains("STAGED");
                let columns = if is_dated { columns } else { "to_id, from_id, to_a, from_a, diff_type" };
                format!("select {columns} from dolt_diff({pair}, '{table}'){condition}")
            }
            7 => format!("select {columns} from dolt_diff_stat({}{})", self.pair(), self.optional_table()),
            8 => format!("select {columns} from dolt_diff_summary({}{})", self.pair(), self.optional_table()),
            9 => format!("select {columns} from dolt_patch({}{})", self.pair(), self.optional_table()),
            10 => format!("select {columns} from dolt_schema_diff({}{})", self.pair(), self.optional_table()),
            11..=14 => self.log(),
            15..=17 => format!("select {columns} from dolt_history_{table}{}", self.condition_of_history()),
            18 => format!("select {columns} from dolt_blame_{table}{}", self.condition_of_rows()),
            19..=21 => format!("select {columns} from dolt_diff_{table}{}", self.condition_of_diff()),
            22 | 23 => format!(
                "select {columns} from dolt_commit_diff_{table} where from_commit = {} and to_commit = {}",
                self.end(),
                self.end()
            ),
            24 => format!("select {columns} from dolt_column_diff{}", self.condition_of_commits()),
            25 => format!("select {columns} from dolt_diff{}", self.condition_of_commits()),
            26 => format!("select {columns} from dolt_log{}", self.condition_of_log()),
            27 => format!("select {columns} from dolt_commits{}", self.condition_of_log()),
            28 => format!(
                "select {columns} from dolt_commit_ancestors where commit_hash = hashof('{}')",
                self.committed()
            ),
            29 => format!("show create table {table} as of '{}'", self.revision()),
            30 => format!("show tables from `{DATABASE}/{}`", self.committed()),
            31 => format!(
                "select {columns} from dolt_status{}",
                self.pick(&["", " where staged", " where table_name = 't'"])
            ),
            32 => format!("select dolt_hashof_table('{table}'), dolt_hashof_db('{}')", self.revision()),
            33 => format!("select dolt_merge_base('{}', '{}')", self.committed(), self.committed()),
            34 => format!("select {columns} from dolt_diff_{table} as of '{}'", self.committed()),
            35 => format!("show tables as of '{}'", self.revision()),
            36 => format!(
                "select {columns} from `{DATABASE}/{}`.dolt_{}",
                self.committed(),
                self.pick(&["log", "status", "branches", "diff_t", "history_u", "schemas"])
            ),
            _ => format!("select {columns} from dolt_history_{table} as of '{}'", self.committed()),
        }
    }

    fn optional_table(&mut self) -> String {
        if self.0.random.chance(50) { format!(", '{}'", self.table()) } else { String::new() }
    }

    fn log(&mut self) -> String {
        let (one, two) = (self.committed(), self.committed());
        let revisions = match self.0.random.below(8) {
            0 => String::new(),
            1 => format!("'{one}..{two}'"),
            2 => format!("'{one}...{two}'"),
            3 => format!("'{one}', '--not', '{two}'"),
            4 => format!("'^{one}', '{two}'"),
            5 => format!("'{one}', '{two}'"),
            _ => format!("'{one}'"),
        };
        let option = match self.0.random.below(7) {
            0 => "'--parents'".to_owned(),
            1 => "'--merges'".into(),
            2 => format!("'--min-parents', '{}'", self.0.random.below(3)),
            3 => "'--decorate', 'short'".into(),
            4 => format!("'--tables', '{}'", self.pick(&["t", "u", "t,k", "m"])),
            _ => String::new(),
        };
        let arguments: Vec<String> = [revisions, option].into_iter().filter(|text| !text.is_empty()).collect();
        let columns = self.pick(&["*", "commit_hash, message", "count(*)"]);
        format!("select {columns} from dolt_log({}){}", arguments.join(", "), self.condition_of_log())
    }

    /// A hash, as a function or a name.
    fn end(&mut self) -> String {
        match self.0.random.below(5) {
            0 => "'WORKING'".into(),
            1 => "'STAGED'".into(),
            _ => format!("hashof('{}')", self.committed()),
        }
    }

    fn condition_of_rows(&mut self) -> String {
        match self.0.random.below(5) {
            0 => format!(" where id = {}", 1 + self.0.random.below(4)),
            1 => " where id > 1 order by id desc limit 2".into(),
            2 => " where message like 'm%'".into(),
            3 => format!(" where commit = hashof('{}')", self.committed()),
            _ => String::new(),
        }
    }

    fn condition_of_diff(&mut self) -> String {
        let id = 1 + self.0.random.below(5);
        match self.0.random.below(14) {
            0 => format!(" where to_id = {id}"),
            1 => format!(" where from_id = {id}"),
            2 => format!(" where to_id = {id} or from_id = {id}"),
            3 => format!(" where to_commit = {}", self.end()),
            4 => format!(" where from_commit = {}", self.end()),
            5 => format!(" where diff_type = '{}'", self.pick(&["added", "modified", "removed"])),
            6 => format!(" where to_commit in ({}, {})", self.end(), self.end()),
            7 => format!(" where to_id > {id} and diff_type <> 'removed'"),
            8 => format!(" where to_commit = {} and from_commit = {}", self.end(), self.end()),
            9 => " where to_a <> from_a or from_a is null".into(),
            10 => " where coalesce(to_id, from_id) between 2 and 3".into(),
            11 => " where to_commit_date > '2024-03-01 00:02:30'".into(),
            _ => String::new(),
        }
    }

    /// A commit that leads to HEAD: asked for another one, native Dolt finds its rows, too.
    fn ancestor(&mut self) -> &'static str {
        self.pick(&["HEAD", "HEAD~1", "HEAD~2", "v0"])
    }

    fn condition_of_history(&mut self) -> String {
        let id = 1 + self.0.random.below(5);
        match self.0.random.below(12) {
            0 => format!(" where id = {id}"),
            1 => format!(" where commit_hash = hashof('{}')", self.ancestor()),
            2 => format!(" where commit_hash in (hashof('{}'), hashof('{}'))", self.ancestor(), self.ancestor()),
            3 => format!(" where id = {id} and commit_hash = hashof('{}')", self.ancestor()),
            4 => " where a > 2 and id < 4".into(),
            5 => " where committer = 'A'".into(),
            6 => " where commit_date < '2024-03-01 00:03:00'".into(),
            7 => format!(" where commit_hash <> hashof('{}') and id > {id}", self.ancestor()),
            8 => " where p = 1 and q = 'x'".into(),
            9 => format!(" where id = {id} order by commit_date desc limit 2"),
            _ => String::new(),
        }
    }

    fn condition_of_commits(&mut self) -> String {
        match self.0.random.below(8) {
            0 => format!(" where table_name = '{}'", self.table()),
            1 => format!(" where commit_hash = {}", self.end()),
            2 => " where schema_change".into(),
            3 => " where data_change and table_name <> 'k'".into(),
            4 => " where column_name = 'a'".into(),
            5 => " where date > '2024-03-01 00:02:30'".into(),
            _ => String::new(),
        }
    }

    fn condition_of_log(&mut self) -> String {
        match self.0.random.below(9) {
            0 => format!(" where commit_hash = hashof('{}')", self.committed()),
            1 => " where message like 'm%' and committer = 'A'".into(),
            2 => " where date between '2024-03-01' and '2024-03-01 00:03:00'".into(),
            3 => format!(" where commit_hash in (hashof('{}'), 'abc')", self.committed()),
            4 => " limit 2".into(),
            5 => " where commit_order > 2".into(),
            _ => String::new(),
        }
    }

    fn workspace(&mut self) -> String {
        let table = self.table();
        match self.0.random.below(8) {
            0 => format!("update dolt_workspace_{table} set staged = 1"),
            1 => format!("update dolt_workspace_{table} set staged = 0 where id = {}", self.0.random.below(3)),
            2 => format!("update dolt_workspace_{table} set staged = 1 where to_id = {}", self.0.random.below(5)),
            3 => format!("delete from dolt_workspace_{table} where not staged"),
            4 => format!("select * from dolt_workspace_{table} where staged"),
            5 => format!("select * from dolt_workspace_{table} where diff_type = 'modified' or to_id > 2"),
            _ => format!("select * from dolt_workspace_{table}"),
        }
    }
}
