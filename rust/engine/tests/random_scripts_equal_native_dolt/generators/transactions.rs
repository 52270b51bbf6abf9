//! Two or three sessions with transactions, which change, commit and merge the same few rows.

use crate::common::generate::Random;
use crate::generators::versions::Versions;
use crate::script::{DATABASE, Step};

const CREATE: &[&str] = &[
    "create table t (id int primary key, a int, b varchar(20), key ia (a))",
    "create table u (id int primary key, a int, b varchar(20) default 'd', check (a < 1000))",
    "create table k (id int, a int, b varchar(20))",
    "insert into t values (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three'), (4, 4, 'four')",
    "insert into u values (1, 10, 'x'), (2, 20, 'y')",
    "insert into k values (1, 1, 'k'), (2, 2, 'l')",
    "call dolt_commit('-Am', 'base')",
    "call dolt_branch('b1')",
];
const SESSIONS: &[char] = &['a', 'b', 'c'];

/// A base, and sessions that meet there.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut script: Vec<Step> = CREATE.iter().map(|sql| Step::of('a', *sql)).collect();
    let sessions = &SESSIONS[..2 + random.below(2)];
    for &session in sessions {
        if random.chance(50) {
            script.push(Step::of(session, "set autocommit = 0"));
        }
    }
    let mut versions = Versions::new(random);
    for _ in 0..35 {
        let session = *versions.random.pick(sessions);
        script.push(Step::of(session, statement(&mut versions)));
    }
    script.extend(sessions.iter().map(|session| Step::of(*session, "commit")));
    script.extend(
        sessions.iter().flat_map(|session| ["t", "u", "k"].map(|t| Step::of(*session, format!("select * from {t}")))),
    );
    script
}

fn statement(versions: &mut Versions) -> String {
    match versions.random.below(100) {
        0..=34 => versions.change(),
        35..=49 => {
            let table = *versions.random.pick(&["t", "u", "k"]);
            let point = versions.random.below(8);
            match versions.random.below(4) {
                0 => format!("select * from {table} where id = {point}"),
                1 => format!("select count(*), sum(a) from {table}"),
                2 => "select @@autocommit, active_branch()".into(),
                _ => format!("select * from {table}"),
            }
        }
        50..=57 => "start transaction".into(),
        58..=68 => "commit".into(),
        69..=73 => "rollback".into(),
        74..=77 => format!("savepoint s{}", versions.random.below(2)),
        78..=80 => format!("rollback to s{}", versions.random.below(2)),
        81 => "set autocommit = 1".into(),
        82 => "set autocommit = 0".into(),
        83..=86 => versions.commit(),
        87 | 88 => versions.checkout(),
        89 | 90 => versions.merge(),
        91 => format!("use `{DATABASE}/b1`"),
        92 => format!("use {DATABASE}"),
        93 => "alter table t add column z int".into(),
        94 => "truncate table u".into(),
        95 => "release savepoint s0".into(),
        _ => versions.read(),
    }
}
