//! Changes of rows in all their forms: defaults that are computed, aliases of new rows, joined UPDATE and DELETE, rows that are chosen
//! by order and LIMIT, and rows of queries.

use crate::common::generate::Random;
use crate::script::{self, Step};

const CREATE: &[&str] = &[
    "create table t (id int primary key, a int default 7, b varchar(20) not null default 'b', c decimal(8,2) default (a + 1), \
     d date, e enum('x','y','z') default 'y', unique key ub (b, a), key kc (c))",
    "create table u (id int primary key, tid int, n bigint, s varchar(30) collate utf8mb4_0900_ai_ci, key kt (tid), key ks (s, n))",
    "create table k (a int, s varchar(20), c decimal(6,1))",
    "create table p (id int primary key, x int, unique key ux (x))",
    "create table q (id int primary key, x int, y int default 3, constraint fq foreign key (x) references p (x) on delete cascade on update cascade)",
    "insert into t (id, a, b, d) values (1, 1, 'one', '2024-01-01'), (2, 2, 'two', null), (3, null, 'three', '2023-12-31'), (5, 5, 'five', '2024-02-29')",
    "insert into u values (1, 1, 10, 'a'), (2, 1, 20, 'B'), (3, 3, null, 'b'), (4, 9, 40, null), (6, null, 60, 'c')",
    "insert into k values (1, 'x', 1.5), (1, 'x', 1.5), (2, 'y', null), (null, null, 0)",
    "insert into p values (1, 10), (2, 20), (3, 30), (4, null)",
    "insert into q (id, x) values (1, 10), (2, 10), (3, 30), (4, null)",
];

/// Five tables, and changes of their rows.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut statements: Vec<String> = CREATE.iter().map(|sql| (*sql).to_owned()).collect();
    let has_trigger = random.chance(30);
    let mut changes = Changes { random, has_trigger };
    if has_trigger {
        statements.push(changes.trigger());
    }
    for _ in 0..24 {
        statements.push(changes.statement());
    }
    script::of_one(statements)
}

struct Changes<'r> {
    random: &'r mut Random,
    /// Native Dolt runs triggers for each row of a join, and for none where EXISTS says which rows are meant.
    has_trigger: bool,
}

impl Changes<'_> {
    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        self.random.pick::<&str>(of)
    }

    fn trigger(&mut self) -> String {
        let (time, event) = (self.pick(&["before", "after"]), self.pick(&["insert", "update", "delete"]));
        let row = if event == "delete" { "old" } else { "new" };
        match time {
            "before" if event != "delete" && self.random.chance(60) => {
                format!("create trigger tr before {event} on t for each row set new.a = coalesce(new.a, 0) + 1")
            }
            _ => format!(
                "create trigger tr {time} {event} on t for each row insert into k values ({row}.a, {row}.b, {row}.c)"
            ),
        }
    }

    fn statement(&mut self) -> String {
        match self.random.below(if self.has_trigger { 7 } else { 12 }) {
            0..=2 => self.insert(),
            3 | 4 => self.insert_select(),
            5 => self.update(),
            6 => self.delete(),
            7 => self.upsert(),
            8 => self.joined_update(),
            9 => self.joined_delete(),
            10 => self.update(),
            _ => self.keyed(),
        }
    }

    fn number(&mut self) -> &'static str {
        self.pick(&["0", "1", "2", "3", "5", "9", "-1", "null", "'4'", "2.5", "100"])
    }

    fn text(&mut self) -> &'static str {
        self.pick(&["'one'", "'two'", "'ONE'", "''", "'six'", "concat('t', 'wo')", "upper('three')"])
    }

    fn verb(&mut self) -> &'static str {
        self.pick(&["insert into", "insert into", "insert ignore into", "replace into"])
    }

    /// A value for a column of t, which may read those before it.
    fn value(&mut self, column: &str) -> String {
        if column != "id" && self.random.chance(12) {
            return "default".into();
        }
        match column {
            "id" => self.pick(&["1", "2", "3", "4", "5", "6", "12", "0", "null"]).into(),
            "a" => self.number().into(),
            "b" => self.text().into(),
            "c" => self.pick(&["1.5", "a + 1", "a * 1.25", "null", "99.999", "default(c)", "12345678.9"]).into(),
            "d" => self
                .pick(&[
                    "'2024-01-01'",
                    "null",
                    "'2024-02-30'",
                    "'2024-05-06 07:08:09'",
                    "'2024-02-28' + interval 2 day",
                ])
                .into(),
            _ => self.pick(&["'x'", "'Z'", "2", "'none'", "null"]).into(),
        }
    }

    fn columns(&mut self) -> Vec<&'static str> {
        let columns: Vec<&str> =
            ["id", "a", "b", "c", "d", "e"].into_iter().filter(|_| self.random.chance(60)).collect();
        if columns.is_empty() { vec!["b"] } else { columns }
    }

    fn insert(&mut self) -> String {
        let (verb, columns) = (self.verb(), self.columns());
        if self.random.chance(20) {
            let set: Vec<String> = columns.iter().map(|name| format!("{name} = {}", self.value(name))).collect();
            return format!("{verb} t set {}", set.join(", "));
        }
        let rows = 1 + self.random.below(3);
        let row = |changes: &mut Self| {
            let values: Vec<String> = columns.iter().map(|name| changes.value(name)).collect();
            format!("({})", values.join(", "))
        };
        let rows: Vec<String> = (0..rows).map(|_| row(self)).collect();
        format!("{verb} t ({}) values {}", columns.join(", "), rows.join(", "))
    }

    fn insert_select(&mut self) -> String {
        let verb = self.verb();
        let source = self.pick(&[
            "t (a, b) select n, s from u where s is not null order by id limit 2",
            "t (a, b) select tid, concat(s, id) from u where tid is not null",
            "t (b) select s from k where s is not null",
            "t (id, b, c) select id + 20, concat('q', id), n / 3 from u where n > 15",
            "t (a, b, e) select a, concat(b, id), e from t where id < 4",
            "u (id, tid, n) select max(id) + 10, min(a), count(*) from t",
            "u select id + 30, a, c, b from t order by id desc limit 2",
            "u (id, s) with c as (select id + 40 as i, b from t) select i, b from c where i < 44",
            "u (id, n) select id + 50, sum(a) over (order by id) from t where id < 4",
            "k select a, b, c from t union all select n, s, id from u",
            "k (s) values row('r'), row(null)",
            "k (a, c) select x, x / 7 from p left join q using (x) where p.x is not null",
            "t (a, b) select distinct a, s from k where s <> ''",
        ]);
        format!("{verb} {source}")
    }

    fn upsert(&mut self) -> String {
        let (id, a, b) = (self.pick(&["1", "2", "3", "5", "8", "null"]), self.number(), self.text());
        let (head, new) = match self.random.below(4) {
            0 => {
                (format!("insert into t (id, a, b) values ({id}, {a}, {b}), (2, 2, 'two')"), ["values(a)", "values(b)"])
            }
            1 => (format!("insert into t (id, a, b) values ({id}, {a}, {b}) as new"), ["new.a", "new.b"]),
            2 => (format!("insert into t (id, a, b) values ({id}, {a}, {b}) as new (i, x, y)"), ["x", "new.y"]),
            // Native Dolt knows no VALUES(column) of a query's rows.
            _ => (
                "insert into t (id, a, b) select id, n, coalesce(s, 'none') from u".to_owned(),
                ["u.n", "coalesce(u.s, '')"],
            ),
        };
        let [new_a, new_b] = new;
        let update = match self.random.below(6) {
            0 => format!("a = {new_a} + 1"),
            1 => format!("b = concat({new_b}, t.id), a = {new_a}"),
            2 => format!("c = t.c + coalesce({new_a}, 0), d = '2024-03-03'"),
            3 => format!("a = if({new_a} > t.a, {new_a}, t.a)"),
            4 => "a = default, e = 'z'".to_owned(),
            _ => format!("b = {new_b}"),
        };
        format!("{head} on duplicate key update {update}")
    }

    /// What says which rows of t are meant, with the order that makes a LIMIT one of certain rows.
    fn chosen(&mut self) -> String {
        let filters = [
            "",
            " where id > 2",
            " where a is null or a > 1",
            " where b like 't%'",
            " where d between '2024-01-01' and '2024-12-31'",
            " where e = 'y' and not (a <=> 5)",
            " where id in (select tid from u)",
            " where exists (select 1 from u where u.tid = t.id and u.n > 10)",
            " where c > (select avg(n) / 10 from u)",
        ];
        let filter = self.pick(if self.has_trigger { &filters[..6] } else { &filters });
        let order =
            self.pick(&["", "", " order by id limit 1", " order by a desc, id limit 2", " order by b, id limit 2"]);
        format!("{filter}{order}")
    }

    fn update(&mut self) -> String {
        let ignore = self.pick(&["", "", "ignore "]);
        let set = self.pick(&[
            "a = a + 1",
            "a = id, b = concat(b, a)",
            "b = concat('n', id)",
            "a = a + 1, c = a * 2",
            "c = c / 3, e = 'x'",
            "a = (select max(n) from u where u.tid = t.id)",
            "a = default, c = default",
            "d = d + interval 1 month",
            "a = case when id = 1 then 11 when id = 2 then null else a end",
            "id = id + 100",
            "b = null",
            "e = 1 + id % 3",
        ]);
        format!("update {ignore}t set {set}{}", self.chosen())
    }

    fn joined_update(&mut self) -> String {
        self.pick(&[
            "update t join u on u.tid = t.id set t.a = u.n, u.s = t.b where u.id in (1, 3)",
            "update t left join u on u.tid = t.id set t.c = u.n where u.id is null or u.n > 10",
            "update t, u set t.a = t.a + 1, u.n = u.n + 1 where t.id = u.tid",
            "update u join (select tid, max(n) m from u group by tid) x on x.tid = u.tid set u.n = x.m + 1",
            "update t x join t y on y.id = x.id + 1 set x.c = y.a",
            "update u right join t on t.id = u.tid set u.n = 0, t.d = '2024-07-07'",
            "update k join t on k.a = t.id set k.s = t.b",
            "update p join q using (x) set q.y = p.id",
            "update t join u on u.tid = t.id and u.n = (select max(n) from u v where v.tid = t.id) set t.b = concat(u.s, t.id)",
            "with c as (select tid, count(*) n from u group by tid) update t join c on c.tid = t.id set t.a = c.n",
        ])
        .into()
    }

    fn delete(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("delete from t{}", self.chosen()),
            1 => "delete from k order by a, s, c limit 1".into(),
            2 => format!("delete from u where n {} order by id desc limit 1", self.pick(&["> 5", "is null", "< 30"])),
            _ => "delete from k where s = 'x'".into(),
        }
    }

    fn joined_delete(&mut self) -> String {
        self.pick(&[
            "delete u from u join t on t.id = u.tid where t.a > 1",
            "delete t, u from t join u on t.id = u.tid where u.n = 20",
            "delete from u using u left join t on t.id = u.tid where t.id is null",
            "delete x from t x join t y on y.id = x.id + 1 where y.a is null",
            "delete k from k join t on k.a = t.a",
            "delete q from q join p on p.x = q.x where p.id = 1",
            "delete u from u where id not in (select tid from (select tid from u where tid is not null) z)",
        ])
        .into()
    }

    /// Over a foreign key.
    fn keyed(&mut self) -> String {
        self.pick(&[
            "update p set x = x + 1 where id = 1",
            "update p set x = null where id = 2",
            "update p set x = x + 5 order by id desc",
            "delete from p where id = 3",
            "replace into p values (1, 10)",
            "replace into p values (1, 20)",
            "insert into q (id, x) values (7, 99)",
            "insert ignore into q (id, x) values (8, 99), (9, 20)",
            "insert into p values (1, 11) on duplicate key update x = values(x)",
            "update q set x = 20 where id = 2",
            "update ignore q set x = 77",
            "insert into q (id, x, y) select id + 20, x, default(y) from p where x is not null limit 1",
        ])
        .into()
    }
}
