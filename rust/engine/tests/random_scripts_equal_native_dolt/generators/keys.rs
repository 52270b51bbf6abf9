//! Tables without primary key, with rows that are there several times, and tables whose keys have many columns of several
//! types, through every operation of version control.

use crate::common::generate::Random;
use crate::generators::versions::Versions;
use crate::script::{self, Step};

const TABLES: &[&str] = &["k", "l", "w", "x"];
const CREATE: &[&str] = &[
    "create table k (a int, b varchar(20), c decimal(6,2))",
    "create table l (a int, b varchar(20) collate utf8mb4_0900_ai_ci, c text, key ia (a), key ib (b, a))",
    "create table w (b varchar(20), a int, d datetime(3), e decimal(8,3), f varbinary(4), v int, \
     primary key (b, d, a, e, f), key iv (v, b))",
    "create table x (a int, b varchar(10) collate utf8mb4_0900_ai_ci, v text, n bigint unsigned, \
     primary key (b, a), unique key un (n, a))",
    "insert into k values (1, 'x', 1.5), (1, 'x', 1.5), (1, 'x', 1.5), (2, null, null), (null, null, null)",
    "insert into l values (1, 'x', 'one'), (1, 'X', 'one'), (1, 'x', 'one'), (2, 'y', null)",
    "insert into w values ('p', 1, '2024-01-01', 1.5, 'f', 1), ('p', 1, '2024-01-01', -1.5, 'f', 2), ('', -1, '1999-12-31', 0, '', null)",
    "insert into x values (1, 'p', 'text', 1), (2, 'p', 'text', 2), (1, 'é', null, null)",
    "call dolt_commit('-Am', 'base')",
    "call dolt_branch('b1')",
];

/// A base with a branch beside it, and what becomes of both.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut statements: Vec<String> = CREATE.iter().map(|sql| (*sql).to_owned()).collect();
    let mut keys = Keys(Versions::of(TABLES, random));
    for _ in 0..32 {
        statements.extend(keys.statements());
    }
    script::of_one(statements)
}

struct Keys<'r>(Versions<'r>);

impl Keys<'_> {
    fn statements(&mut self) -> Vec<String> {
        match self.0.random.below(100) {
            0..=37 => vec![self.change()],
            38..=42 => vec![self.definition()],
            43..=54 => vec![self.0.commit()],
            55..=63 => vec![self.0.checkout()],
            64..=72 => vec!["set @@dolt_allow_commit_conflicts = 1".into(), self.0.merge(), self.resolve()],
            73..=79 => vec![self.0.history()],
            80..=83 => vec![self.0.index()],
            _ => vec![self.read()],
        }
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        self.0.random.pick::<&str>(of)
    }

    fn a(&mut self) -> &'static str {
        self.pick(&["1", "2", "3", "-1", "2147483647"])
    }

    fn b(&mut self) -> &'static str {
        self.pick(&["'x'", "'X'", "'p'", "'P'", "''", "'é'", "'e'", "'long enough'"])
    }

    fn moment(&mut self) -> &'static str {
        self.pick(&["'2024-01-01'", "'2024-01-01 00:00:00.001'", "'1999-12-31'"])
    }

    fn row(&mut self, table: &str) -> String {
        let (a, b, may_be_null) = (self.a(), self.b(), if self.0.random.chance(15) { "null" } else { self.b() });
        match table {
            "k" => format!("({a}, {may_be_null}, {})", self.pick(&["1.5", "-2", "null"])),
            "l" => format!("({a}, {may_be_null}, {})", self.pick(&["'one'", "repeat('two', 30)", "null"])),
            "w" => format!(
                "({b}, {a}, {}, {}, {}, {})",
                self.moment(),
                self.pick(&["1.5", "-1.5", "0", "1.505"]),
                self.pick(&["'f'", "''", "x'00ff'"]),
                self.pick(&["1", "2", "null"])
            ),
            _ => format!(
                "({a}, {b}, {}, {})",
                self.pick(&["'text'", "null"]),
                self.pick(&["1", "2", "3", "null", "18446744073709551615"])
            ),
        }
    }

    fn condition(&mut self, table: &str) -> String {
        let (a, b) = (self.a(), self.b());
        match self.0.random.below(7) {
            0 => format!("a = {a}"),
            1 => format!("b = {b}"),
            2 => format!("a = {a} and b = {b}"),
            3 => format!("b > {b}"),
            4 => format!("a < {a} or b is null"),
            5 if table == "w" => format!("b = {b} and d >= {}", self.moment()),
            _ => format!("(a, b) in (({a}, {b}), (1, 'x'))"),
        }
    }

    fn change(&mut self) -> String {
        let table = self.0.table();
        let condition = self.condition(table);
        let limit = if self.0.random.chance(25) && table.len() == 1 { " order by a, b limit 1" } else { "" };
        match self.0.random.below(16) {
            0..=4 => {
                let rows: Vec<String> = (0..1 + self.0.random.below(3)).map(|_| self.row(table)).collect();
                let verb = self.pick(&["insert", "insert", "insert ignore", "replace"]);
                format!("{verb} into {table} values {}", rows.join(", "))
            }
            5 => format!("insert into {table} values {} on duplicate key update a = {}", self.row(table), self.a()),
            6 | 7 => format!("update {table} set a = {} where {condition}{limit}", self.a()),
            8 | 9 => format!("update {table} set b = {} where {condition}{limit}", self.b()),
            10 => {
                let (column, value) = match table {
                    "k" => ("c", "3.25"),
                    "l" => ("c", "repeat('c', 50)"),
                    "w" => ("v", "v + 1"),
                    _ => ("v", "'new'"),
                };
                format!("update {table} set {column} = {value} where {condition}{limit}")
            }
            11 => format!("insert into {table} select * from {table}"),
            12 => format!("update {table} set a = a + 1"),
            _ => format!("delete from {table} where {condition}{limit}"),
        }
    }

    fn definition(&mut self) -> String {
        let table = self.0.table();
        match self.0.random.below(12) {
            0 => format!("alter table {table} add column z int default 7"),
            1 => format!("alter table {table} drop column z"),
            2 => format!("alter table {table} drop primary key"),
            3 => format!("alter table {table} add primary key (a, b)"),
            4 => format!("alter table {table} add primary key (b, a)"),
            5 => format!("alter table {table} add index iz (b)"),
            6 => format!("alter table {table} add unique index uz (a, b)"),
            7 => format!("alter table {table} drop index {}", self.pick(&["iz", "uz", "ia", "iv", "un"])),
            8 => format!("alter table {table} modify column a {}", self.pick(&["bigint", "varchar(12)", "int"])),
            9 => format!("alter table {table} rename column b to {}", self.pick(&["b2", "c2"])),
            10 => format!("truncate table {table}"),
            _ => format!("alter table {table} modify column b varchar(30)"),
        }
    }

    fn resolve(&mut self) -> String {
        let table = self.0.table();
        match self.0.random.below(5) {
            0 => format!("update dolt_conflicts_{table} set our_a = their_a"),
            1 => format!("delete from dolt_conflicts_{table} where our_b = {}", self.b()),
            2 => format!("select * from dolt_conflicts_{table}"),
            _ => self.0.resolve(),
        }
    }

    fn read(&mut self) -> String {
        let table = self.0.table();
        let (condition, revision) = (self.condition(table), self.0.revision());
        match self.0.random.below(10) {
            0 => format!("select * from {table} where {condition}"),
            1 => format!("select * from {table} as of '{revision}' where {condition}"),
            2 => format!("select * from dolt_history_{table} where {condition}"),
            3 => format!("select * from dolt_diff_{table} where to_a = {} or from_b = {}", self.a(), self.b()),
            4 => format!("select a, b, count(*) from {table} group by a, b"),
            5 => format!("select * from dolt_workspace_{table}"),
            _ => self.0.read(),
        }
    }
}
