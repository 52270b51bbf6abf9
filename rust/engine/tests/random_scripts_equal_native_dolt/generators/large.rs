//! Tables of tens of thousands of rows, whose trees have several levels: imports, ALTERs, deletes of ranges and inserts in their
//! place, indexes over all of it, and merges.

use crate::common::generate::Random;
use crate::generators::versions::Versions;
use crate::script::{self, Step};

const TABLES: &[&str] = &["t"];

/// An import, and what becomes of its rows.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut statements: Vec<String> = vec![
        "create table n (i int primary key)".into(),
        "insert into n with recursive r (i) as (select 0 union all select i + 1 from r where i < 999) select i from r"
            .into(),
    ];
    let thousands = *random.pick(&[5, 20, 20, 40]);
    let key = *random.pick(&[
        "id int primary key, a int, b varchar(30), c datetime",
        "id int primary key, a int, b varchar(30), c datetime, key ia (a), key ib (b, a)",
        "id bigint, a int, b varchar(30), c datetime, primary key (b, id)",
        "id int, a int, b varchar(30), c datetime",
        "id int, a int, b varchar(30), c datetime, key ia (a)",
        "id int auto_increment primary key, a int, b varchar(30) collate utf8mb4_0900_ai_ci, c datetime, unique key ub (b, id)",
    ]);
    statements.push(format!("create table t ({key})"));
    let mut large = Large(Versions::of(TABLES, random));
    statements.push(large.rows(0, thousands));
    statements.push("call dolt_commit('-Am', 'base')".into());
    statements.push("call dolt_branch('b1')".into());
    for _ in 0..14 {
        statements.push(large.statement(thousands * 1000));
    }
    script::of_one(statements)
}

struct Large<'r>(Versions<'r>);

impl Large<'_> {
    /// Some thousands of rows from a number on.
    fn rows(&mut self, first: usize, thousands: usize) -> String {
        let factor = *self.0.random.pick(&[1, 1, 3, 7919]);
        format!(
            "insert into t (id, a, b, c) select {first} + x.i * 1000 + y.i, (x.i * 31 + y.i * {factor}) % 5000, concat('b', y.i * x.i % 997, '-', y.i), \
             '2024-01-01' + interval (x.i * 1000 + y.i) minute from n x join n y where x.i < {thousands}"
        )
    }

    fn statement(&mut self, count: usize) -> String {
        let random = &mut self.0.random;
        let first = random.below(count);
        let end = first + *random.pick(&[1, 50, 500, 5000, count]);
        match random.below(40) {
            0..=3 => format!("delete from t where id between {first} and {end}"),
            4 | 5 => format!("delete from t where id % {} = 0", random.pick(&[2, 7, 100, 1000])),
            6 => format!("delete from t where a < {}", random.below(2000)),
            7..=10 => {
                let thousands = *random.pick(&[1, 2, 10]);
                let first = first * 2;
                self.rows(first, thousands).replacen("insert", "replace", 1)
            }
            11 | 12 => format!(
                "insert ignore into t (id, a, b, c) select i * {}, i, 'in between', null from n",
                random.pick(&[1, 7, 31])
            ),
            13..=15 => format!("update t set a = a + 1 where id between {first} and {end}"),
            16 => format!("update t set b = concat(b, '!') where id between {first} and {end}"),
            17 => format!("update t set c = null where a = {}", random.below(5000)),
            18 => format!("update t set id = id + {} where id > {first}", 1_000_000),
            19 => format!("update t set a = {first} where id = {first}"),
            20 => "alter table t add column z int default 3".into(),
            21 => "alter table t drop column c".into(),
            22 => "alter table t modify column a bigint".into(),
            23 => "alter table t modify column a varchar(20) first".into(),
            24 => "alter table t add index ix (a, b)".into(),
            25 => "alter table t add unique index uy (b, id)".into(),
            26 => "alter table t drop index ix".into(),
            27 => "alter table t drop primary key".into(),
            28 => "alter table t add primary key (id, b)".into(),
            29 => "alter table t add column g bigint generated always as (id * 2) stored".into(),
            30 => format!("select count(*), sum(a), min(id), max(b) from t where id > {first}"),
            31 => "select * from dolt_diff_stat('HEAD', 'WORKING')".into(),
            32 | 33 => self.0.commit(),
            34 | 35 => self.0.checkout(),
            36 | 37 => self.0.merge(),
            38 => "call dolt_conflicts_resolve('--ours', '.')".into(),
            _ => "truncate table t".into(),
        }
    }
}
