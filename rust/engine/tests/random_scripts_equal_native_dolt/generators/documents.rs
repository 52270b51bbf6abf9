//! Documents and texts of many sizes, edited deep within: JSON over several chunks, TEXT and BLOB on both sides of the bound up
//! to which a value is inline; their histories, diffs and merges.

use crate::common::generate::Random;
use crate::generators::versions::Versions;
use crate::script::{self, Step};

const TABLES: &[&str] = &["d"];
/// Members of a large document: over ten chunks.
const MEMBERS: usize = 900;

/// A base with a branch beside it, and edits of both.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut statements: Vec<String> = vec![
        "create table n (i int primary key)".into(),
        format!(
            "insert into n with recursive r (i) as (select 0 union all select i + 1 from r where i < {MEMBERS}) select i from r"
        ),
        "create table d (id int primary key, a int, j json, l json, x longtext, b longblob)".into(),
    ];
    let mut documents = Documents(Versions::of(TABLES, random));
    for id in 1..=4 {
        let (object, list) = (documents.object(), documents.list());
        let (text, blob) = (documents.text(), documents.blob());
        statements.push(format!("insert into d select {id}, {id}, ({object}), ({list}), {text}, {blob}"));
    }
    statements.push("call dolt_commit('-Am', 'base')".into());
    statements.push("call dolt_branch('b1')".into());
    for _ in 0..28 {
        statements.extend(documents.statements());
    }
    script::of_one(statements)
}

struct Documents<'r>(Versions<'r>);

impl Documents<'_> {
    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        self.0.random.pick::<&str>(of)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.random.below(limit)
    }

    fn statements(&mut self) -> Vec<String> {
        match self.below(100) {
            0..=49 => vec![self.change()],
            50..=59 => vec![self.0.commit()],
            60..=66 => vec![self.0.checkout()],
            67..=74 => vec!["set @@dolt_allow_commit_conflicts = 1".into(), self.0.merge(), self.resolve()],
            75..=78 => vec![self.0.history()],
            _ => vec![self.read()],
        }
    }

    /// An object as a query.
    fn object(&mut self) -> String {
        let count = *self.0.random.pick(&[3, 40, 300, MEMBERS]);
        let width = *self.0.random.pick(&[3, 20, 90]);
        match self.below(4) {
            0 => format!("select json_objectagg(concat('k', i), repeat('x', i % {width})) from n where i < {count}"),
            1 => format!(
                "select json_object('head', 1, 'deep', json_object('list', json_arrayagg(i), 'text', repeat('z', {count} * {width})), 'tail', true) from n where i < {count}"
            ),
            2 => format!(
                "select json_objectagg(concat('k', i), json_array(i, i * 4, null, i % 2 = 0, concat('é', i))) from n where i < {count}"
            ),
            _ => "select json_object('a', 1, 'b', json_array(1, 2, 'x'), 'c', json_object('d', null))".into(),
        }
    }

    /// A list as a query.
    fn list(&mut self) -> String {
        let count = *self.0.random.pick(&[3, 40, 300, MEMBERS]);
        let width = *self.0.random.pick(&[3, 20, 90]);
        match self.below(3) {
            0 => format!(
                "select json_arrayagg(json_object('i', i, 's', repeat('y', i % {width}))) from n where i < {count}"
            ),
            1 => format!(
                "select json_arrayagg(json_array(i, repeat('y', {width}), json_array(i))) from n where i < {count}"
            ),
            _ => format!("select json_arrayagg(concat('word', i)) from n where i < {count}"),
        }
    }

    fn text(&mut self) -> String {
        let times = *self.0.random.pick(&[0, 1, 20, 60, 70, 200, 900, 4000, 30_000]);
        format!("repeat({}, {times})", self.pick(&["'abc'", "'é'", "'some words, '", "concat('x', id, '-')", "'日本'"]))
            .replace("id, ", "7, ")
    }

    fn blob(&mut self) -> String {
        let times = *self.0.random.pick(&[0, 1, 30, 700, 9000]);
        format!("repeat({}, {times})", self.pick(&["x'00ff'", "'bytes'", "x'0102030405060708090a'"]))
    }

    /// A document and a path within it: native Dolt takes an object for a list or not, as its chunks lie.
    fn place(&mut self) -> (&'static str, String) {
        if self.0.random.chance(60) { ("j", self.path_of_object()) } else { ("l", self.path_of_list()) }
    }

    fn at(&mut self) -> usize {
        *self.0.random.pick(&[0, 1, 7, 39, 150, 299, 500, 899, 2000])
    }

    fn path_of_object(&mut self) -> String {
        let at = self.at();
        match self.below(9) {
            0..=2 => format!("$.k{at}"),
            3 => format!("$.k{at}.m"),
            4 => format!("$.deep.list[{at}]"),
            5 => "$.deep.text".into(),
            6 => "$.tail".into(),
            7 => format!("$.new{}", at % 3),
            _ => "$.c.d".into(),
        }
    }

    /// Past the end of a list nothing is nested: large documents of native Dolt keep to that, small ones do not.
    fn path_of_list(&mut self) -> String {
        match self.below(4) {
            0 | 1 => format!("$[{}]", self.at()),
            2 => format!("$[{}].s", self.below(3)),
            _ => format!("$[{}].new", self.below(3)),
        }
    }

    fn value(&mut self) -> String {
        match self.below(9) {
            0 => "null".into(),
            1 => "cast('{\"m\": [1, {\"n\": 2}]}' as json)".into(),
            2 => format!("repeat('v', {})", self.0.random.pick(&[5, 500, 9000])),
            3 => "json_array(1, 'two', json_object('three', 3))".into(),
            4 => "1.25e0".into(),
            5 => "true".into(),
            6 => "'é\"\\\\n'".into(),
            _ => format!("{}", self.below(1000)),
        }
    }

    fn change(&mut self) -> String {
        let id = 1 + self.below(5);
        let (c, path) = self.place();
        let other = if c == "j" { self.path_of_object() } else { self.path_of_list() };
        let (value, second) = (self.value(), self.value());
        let set = match self.below(24) {
            0..=3 => format!("{c} = json_set({c}, '{path}', {value})"),
            4 => format!("{c} = json_set({c}, '{path}', {value}, '{other}', {second})"),
            5 | 6 => format!("{c} = json_insert({c}, '{path}', {value})"),
            7 | 8 => format!("{c} = json_replace({c}, '{path}', {value})"),
            9 | 10 => format!("{c} = json_remove({c}, '{path}')"),
            11 => format!("{c} = json_remove({c}, '{path}', '{other}')"),
            12 => format!("l = json_array_insert(l, '$[{}]', {value})", self.below(300)),
            13 => format!("l = json_array_append(l, '$', {value})"),
            14 => format!("j = json_merge_patch(j, '{{\"k7\": null, \"new1\": {{\"p\": {id}}}}}')"),
            15 => format!("j = ({})", self.object()),
            16 => format!("l = ({})", self.list()),
            17 => format!("x = insert(x, {}, {}, 'INSERTED')", 1 + self.below(9000), self.below(50)),
            18 => format!("x = concat(x, {})", self.text()),
            19 => format!("x = left(x, {})", self.below(40_000)),
            20 => format!("b = concat({}, b)", self.blob()),
            21 => format!("b = {}", self.blob()),
            22 => "x = reverse(x)".into(),
            _ => format!("a = {}, x = {}", self.below(9), self.text()),
        };
        match self.below(12) {
            0 => format!("insert into d select {}, {id}, j, l, x, b from d where id = {id}", id + 5),
            1 => {
                let (object, list) = (self.object(), self.list());
                format!("replace into d select {id}, 0, ({object}), ({list}), {}, {}", self.text(), self.blob())
            }
            2 => format!("delete from d where id = {}", id + 4),
            3 => format!("update d set {set}"),
            _ => format!("update d set {set} where id = {id}"),
        }
    }

    fn resolve(&mut self) -> String {
        match self.below(3) {
            0 => "select base_id, our_id, md5(our_j), md5(their_j), length(our_x), md5(their_x) from dolt_conflicts_d"
                .into(),
            _ => self
                .0
                .resolve()
                .replace("select * from dolt_conflicts_d", "select our_id, their_id from dolt_conflicts_d"),
        }
    }

    fn read(&mut self) -> String {
        let ((c, path), (d, other)) = (self.place(), self.place());
        let revision = self.0.revision();
        match self.below(14) {
            0 => format!("select id, md5(json_extract({c}, '{path}')), length(json_extract({d}, '{other}')) from d"),
            1 => "select id, json_length(j), json_type(l), length(j), json_depth(l) from d".into(),
            2 => "select id, length(x), md5(x), length(b), md5(b) from d".into(),
            3 => format!("select id, json_contains_path({c}, 'one', '{path}', '{other}') from d"),
            4 => format!("select id, json_keys({c}, '{path}'), json_type(json_extract({d}, '{other}')) from d"),
            5 => format!("select id from d where json_extract({c}, '{path}') = {}", self.below(1000)),
            6 => format!("select id, md5({c}->>'{path}'), md5({d}->>'{other}') from d"),
            7 => format!("select id, md5(j), md5(l), md5(x), md5(b) from d as of '{revision}'"),
            8 => "select to_id, from_id, diff_type, md5(to_j), md5(from_j), md5(to_l), md5(to_x), md5(from_x), md5(to_b) from dolt_diff_d".into(),
            9 => "select id, md5(j), md5(x), message from dolt_history_d join dolt_log using (commit_hash)".into(),
            10 => format!("select * from dolt_diff_stat('{revision}', 'WORKING')"),
            // A scan of native Dolt's shows large documents as ''.
            11 => "select id, md5(j), md5(l) from d".into(),
            12 => "select a.id, b.id, a.j = b.j, a.j < b.j, a.x = b.x from d a join d b on a.id < b.id".into(),
            _ => "select id, json_search(l, 'one', '%v%'), json_contains(j, '1') from d".into(),
        }
    }
}
