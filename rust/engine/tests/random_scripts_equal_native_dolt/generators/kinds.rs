//! Tables of every kind on two branches: generated columns, checks, foreign keys that do something, AUTO_INCREMENT, collations,
//! full-text, spatial and vector indexes; and other objects: views, documents, ignored and nonlocal tables, tags. (Triggers
//! and procedures have the moment in which they were made: no commit with them is the same.) Both branches change rows and definitions, then one comes to the other, and what is left is read and settled.

use crate::common::generate::Random;
use crate::generators::two_branches;
use crate::script::{self, Step};

struct Kind {
    name: &'static str,
    create: &'static [&'static str],
    /// Changes of rows; `#` is a small number, `?` one of few texts.
    changes: &'static [&'static str],
    definitions: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    Kind {
        name: "g",
        create: &[
            "create table g (id int primary key, a int, b varchar(20), st int generated always as (a * 2) stored, \
             key ks (st), check (a < 50))",
            "insert into g (id, a, b) values (1, 1, 'x'), (2, 2, 'y'), (3, 3, null)",
        ],
        changes: &[
            "insert into g (id, a, b) values (#, #, ?)",
            "update g set a = # where id = #",
            "update g set b = ? where id = #",
            "update g set a = # + 45 where id = #",
            "delete from g where id = #",
            "replace into g (id, a, b) values (#, #, ?)",
        ],
        definitions: &[
            "alter table g add column c int generated always as (a + #) stored",
            "alter table g add column c int generated always as (a - #) stored",
            "alter table g drop column st",
            "alter table g add constraint ck check (st < #0)",
            "alter table g add constraint ck check (b <> ?)",
            "alter table g drop constraint ck",
            "alter table g modify a bigint",
            "alter table g add column d int default # after id",
            "alter table g add column e varchar(10) not null default ?",
            "alter table g rename column b to bb",
            "alter table g modify st bigint generated always as (a * 2) stored",
            "alter table g drop key ks",
        ],
    },
    // Native Dolt finds no checks of a table with virtual columns.
    Kind {
        name: "h",
        create: &[
            "create table h (id int primary key, a int, b varchar(20), \
             vi varchar(30) generated always as (concat(b, '!')) virtual, key ka (a))",
            "insert into h (id, a, b) values (1, 1, 'x'), (2, 2, 'y'), (3, 3, null)",
        ],
        changes: &[
            "insert into h (id, a, b) values (#, #, ?)",
            "update h set a = # where id = #",
            "update h set b = ? where id = #",
            "delete from h where id = #",
            "replace into h (id, a, b) values (#, #, ?)",
        ],
        definitions: &[
            "alter table h add column c int generated always as (a - #) virtual",
            "alter table h add column c int generated always as (a + #) stored",
            "alter table h add key kv (vi)",
            "alter table h drop column vi",
            "alter table h add column d int default # after id",
            "alter table h rename column a to aa",
            "alter table h drop key ka",
        ],
    },
    Kind {
        name: "p",
        create: &[
            "create table p (id int primary key, code int, n int, unique key uc (code))",
            "insert into p values (1, 10, 1), (2, 20, 2), (3, 30, 3), (4, 40, null)",
        ],
        changes: &[
            "insert into p values (#, #0, #)",
            "update p set id = # where id = #",
            "update p set code = #0 where id = #",
            "update p set n = # where id = #",
            "delete from p where id = #",
            "delete from p where n > #",
        ],
        definitions: &[
            "alter table p add column x int default #",
            "alter table p modify code bigint",
            "alter table p drop key uc",
            "alter table p add check (n < 6)",
            "alter table p rename column n to m",
            "rename table p to pp",
            "alter table p add constraint fself foreign key (n) references p (id)",
            "alter table p drop primary key",
        ],
    },
    Kind {
        name: "c",
        create: &[
            "create table if not exists p (id int primary key, code int, n int, unique key uc (code))",
            "create table c (id int primary key, pid int, pc int, s varchar(20) default 'd', \
             constraint fp foreign key (pid) references p (id) on delete cascade on update cascade, \
             constraint fc foreign key (pc) references p (code) on delete set null on update set null)",
            "create table cc (id int primary key, cid int, constraint fcc foreign key (cid) references c (id) on delete cascade)",
            "insert ignore into p values (1, 10, 1), (2, 20, 2), (3, 30, 3)",
            "insert into c values (1, 1, 10, 'c'), (2, 2, 20, 'cc'), (3, 3, null, 'ccc')",
            "insert into cc values (1, 1), (2, 2), (3, null)",
        ],
        changes: &[
            "insert into c values (#, #, #0, ?)",
            "update c set pid = # where id = #",
            "update c set pc = #0 where id = #",
            "update c set s = ? where id = #",
            "delete from c where id = #",
            "insert into cc values (#, #)",
            "update cc set cid = # where id = #",
            "delete from p where id = #",
            "update p set id = id + # where id = #",
            "update p set code = #0 where id = #",
            "set foreign_key_checks = 0",
            "set foreign_key_checks = 1",
        ],
        definitions: &[
            "alter table c drop foreign key fp",
            "alter table c drop foreign key fc",
            "alter table cc drop foreign key fcc",
            "alter table c rename column pid to parent",
            "alter table c modify s varchar(50)",
            "alter table c drop column s",
            "drop table cc",
            "rename table c to c2",
        ],
    },
    Kind {
        name: "f",
        create: &[
            "create table f (id int primary key, title varchar(40), body text, fulltext key ft (title, body))",
            "insert into f values (1, 'one two', 'three'), (2, 'two', 'two three'), (3, 'four', 'five')",
        ],
        changes: &[
            "insert into f values (#, concat('two ', ?), 'three')",
            "update f set body = ? where id = #",
            "update f set title = concat(title, ' five') where id < #",
            "delete from f where id = #",
        ],
        definitions: &[
            "alter table f drop key ft",
            "alter table f add fulltext key fb (body)",
            "alter table f add column c int default #",
            "create fulltext index f3 on f (title)",
            "alter table f drop column c",
        ],
    },
    Kind {
        name: "s",
        create: &[
            "create table s (id int primary key, pt point not null srid 0, n int, spatial key sp (pt), key kn (n))",
            "insert into s values (1, point(1, 1), 1), (2, point(2, 2), 2), (3, point(-1, 3), 3)",
        ],
        changes: &[
            "insert into s values (#, point(#, #), #)",
            "update s set pt = point(#, -#) where id = #",
            "update s set n = # where id = #",
            "delete from s where id = #",
            "replace into s values (#, point(0, #), #)",
        ],
        definitions: &[
            "alter table s drop key sp",
            "alter table s add column c varchar(10)",
            "alter table s add column q geometry",
            "alter table s drop column n",
            "alter table s modify n bigint not null",
            "alter table s add unique key un (n)",
        ],
    },
    Kind {
        name: "v",
        create: &[
            "create table v (id int primary key, e vector(2), n int, vector key ve (e))",
            "insert into v values (1, '[1, 1]', 1), (2, '[2, 0]', 2), (3, '[0, 3]', 3)",
        ],
        changes: &[
            "insert into v values (#, concat('[', #, ',', #, ']'), #)",
            "update v set e = '[#, #]' where id = #",
            "update v set n = # where id = #",
            "delete from v where id = #",
        ],
        definitions: &[
            "alter table v drop key ve",
            "alter table v add column c int default #",
            "create vector index v2 on v (e)",
            "alter table v drop column n",
            "alter table v modify n bigint",
        ],
    },
    Kind {
        name: "n",
        create: &[
            "create table n (id int primary key auto_increment, x varchar(20) collate utf8mb4_0900_ai_ci, d decimal(6,2), unique key ux (x))",
            "insert into n (x, d) values ('a', 1), ('b', 2.5), ('é', null)",
        ],
        changes: &[
            "insert into n (x, d) values (concat(?, #), #)",
            "insert into n (x) values (?)",
            "insert into n values (#0, concat(?, '#'), #.5)",
            "insert into n (x, d) values (?, #) on duplicate key update d = d + 1",
            "update n set x = ? where id = #",
            "update n set d = # where id < #",
            "delete from n where id = #",
            "delete from n where id > #",
        ],
        definitions: &[
            "alter table n auto_increment = #0",
            "alter table n modify x varchar(20) collate utf8mb4_0900_bin",
            "alter table n modify x varchar(20) collate utf8mb4_general_ci",
            "alter table n modify x text",
            "alter table n modify d decimal(8,3)",
            "alter table n drop key ux",
            "alter table n add key kd (d desc, x)",
            "alter table n collate utf8mb4_general_ci",
            "alter table n add column y varchar(5)",
            "truncate table n",
        ],
    },
    Kind {
        name: "k",
        create: &[
            "create table k (a int, b varchar(20), c int, key ka (a))",
            "insert into k values (1, 'k', 1), (1, 'k', 1), (2, 'l', null), (null, null, null)",
        ],
        changes: &[
            "insert into k values (#, ?, #)",
            "insert into k values (1, 'k', 1), (1, 'k', 1)",
            "update k set b = ? where a = #",
            "update k set a = # where a = # limit 1",
            "delete from k where a = 1 limit 1",
            "delete from k where a = #",
            "insert into k (a) values (#), (#)",
        ],
        definitions: &[
            "alter table k add column d int",
            "alter table k add column d int default #",
            "alter table k drop column c",
            "alter table k rename column c to cc",
            "alter table k modify c bigint",
            "alter table k add key kb (b, a)",
            "alter table k drop key ka",
            "alter table k add check (a < 4)",
            "rename table k to k2",
        ],
    },
    Kind {
        name: "w",
        create: &[
            "create table w (x varchar(20) collate utf8mb4_0900_ai_ci, y int, e enum('a', 'b', 'c'), j json, t time(2), \
             primary key (x, y), key ke (e, y))",
            "insert into w values ('a', 1, 'a', '{\"a\": 1, \"b\": {\"c\": 2}}', '10:00:00'), ('b', 2, 'b', null, '-01:00:00.5')",
        ],
        changes: &[
            "insert into w values (?, #, 'b', '[1, #]', '00:00:0#')",
            "update w set e = 'c' where y = #",
            "update w set j = json_set(j, '$.a', #) where y < #",
            "update w set j = json_set(j, '$.b.d', ?) where y < #",
            "update w set j = '{\"a\": 1}' where y = #",
            "update w set x = upper(x) where y = #",
            "update w set y = y + # where x = ?",
            "delete from w where y = #",
            "update w set t = '00:0#:00' where y = #",
        ],
        definitions: &[
            "alter table w modify e enum('a', 'b', 'c', 'd')",
            "alter table w modify e enum('c', 'b', 'a')",
            "alter table w modify t time(3)",
            "alter table w modify x varchar(30) collate utf8mb4_0900_ai_ci",
            "alter table w modify x varchar(20) collate utf8mb4_0900_bin",
            "alter table w drop column j",
            "alter table w add column z year default 2024",
            "alter table w drop primary key, add primary key (y, x)",
            "alter table w rename column e to ee",
            "alter table w add unique key ut (t)",
        ],
    },
];

/// Objects other than tables; `~` is one of the script's tables.
const BESIDE: &[&str] = &[
    "create or replace view s1 as select count(*) from ~",
    "create view s# as select * from ~ where 1 = #",
    "drop view s1",
    "replace into dolt_ignore values ('ig%', true)",
    "replace into dolt_ignore values ('ig#', false)",
    "create table ig# (id int primary key)",
    "create table m# (id int primary key, v varchar(10) default ?)",
    "drop table if exists m#",
    "replace into dolt_docs values ('README.md', ?)",
    "delete from dolt_docs where doc_name = 'README.md'",
    "insert into dolt_nonlocal_tables (table_name, target_ref, ref_table, options) values ('far#', 'main', '', 'immediate')",
    "replace into dolt_query_catalog values ('q#', #, 'q', 'select #', '')",
    "drop table ~",
    "alter database collate utf8mb4_general_ci",
];

/// A base, and rounds of changes on two branches that are brought together.
pub fn script(random: &mut Random) -> Vec<Step> {
    let first = random.below(KINDS.len());
    let second = (first + 1 + random.below(KINDS.len() - 1)) % KINDS.len();
    let mut kinds = Kinds { random, of: [&KINDS[first], &KINDS[second]], minutes: 0 };
    let mut statements = Vec::new();
    if kinds.random.chance(70) {
        statements.push("set @@dolt_allow_commit_conflicts = 1".to_owned());
    }
    if kinds.random.chance(60) {
        statements.push("set @@dolt_force_transaction_commit = 1".to_owned());
    }
    for kind in kinds.of {
        statements.extend(kind.create.iter().map(|sql| (*sql).to_owned()));
    }
    statements.push(kinds.commit("base"));
    for _ in 0..2 {
        statements.extend(kinds.round());
    }
    script::of_one(statements)
}

struct Kinds<'r> {
    random: &'r mut Random,
    of: [&'static Kind; 2],
    minutes: usize,
}

impl Kinds<'_> {
    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        self.random.pick::<&str>(of)
    }

    fn kind(&mut self) -> &'static Kind {
        self.of[usize::from(self.random.chance(35))]
    }

    fn table(&mut self) -> &'static str {
        match self.kind().name {
            "c" => self.pick(&["c", "c", "cc", "p"]),
            name => name,
        }
    }

    /// A statement with its blanks filled in.
    fn filled(&mut self, template: &str) -> String {
        let mut sql = String::new();
        for letter in template.chars() {
            match letter {
                '#' => sql += &(1 + self.random.below(6)).to_string(),
                '?' => sql += self.pick(&["'x'", "'X'", "'two'", "'zz'"]),
                '~' => sql += self.table(),
                letter => sql.push(letter),
            }
        }
        sql
    }

    fn change(&mut self) -> String {
        let kind = self.kind();
        let template = self.pick(kind.changes);
        self.filled(template)
    }

    fn definition(&mut self) -> String {
        let of = if self.random.chance(22) { BESIDE } else { self.kind().definitions };
        let template = self.pick(of);
        self.filled(template)
    }

    fn commit(&mut self, message: &str) -> String {
        self.minutes += 1;
        let (hours, minutes) = (self.minutes / 60, self.minutes % 60);
        format!("call dolt_commit('-Am', '{message}', '--date', '2024-03-01T{hours:02}:{minutes:02}:00')")
    }

    fn side(&mut self, name: &str) -> Vec<String> {
        let mut statements = Vec::new();
        for commit in 0..1 + self.random.below(2) {
            for _ in 0..1 + self.random.below(3) {
                statements.push(self.change());
            }
            if self.random.chance(65) {
                statements.push(self.definition());
            }
            if self.random.chance(50) {
                statements.push(self.change());
            }
            statements.push(self.commit(&format!("{name} {commit}")));
        }
        if self.random.chance(15) {
            statements.push(format!("call dolt_tag('v{}')", self.random.below(3)));
        }
        statements
    }

    fn round(&mut self) -> Vec<String> {
        let mut statements = vec!["call dolt_branch('-f', 'b1', 'main')".to_owned()];
        statements.extend(self.side("main"));
        statements.push("call dolt_checkout('b1')".into());
        statements.extend(self.side("b1"));
        if self.random.chance(75) {
            statements.push("call dolt_checkout('main')".into());
        }
        if self.random.chance(20) {
            statements.extend([self.change(), self.definition(), self.look_back()]);
            let option = self.pick(&["", ", '-u'", ", '-a'"]);
            statements.push(format!("call dolt_stash('push', 's'{option})"));
        }
        let (together, go_on) = self.together();
        statements.extend(together);
        for _ in 0..2 + self.random.below(3) {
            statements.push(self.look());
        }
        for _ in 0..1 + self.random.below(3) {
            statements.push(self.resolve());
        }
        statements.push("call dolt_add('-A')".into());
        statements.push(go_on);
        statements.push(self.commit("settled"));
        if self.random.chance(30) {
            statements.push("call dolt_stash('pop', 's')".into());
        }
        for _ in 0..4 {
            statements.push(self.look_back());
        }
        statements
            .push(self.pick(&["call dolt_reset('--hard')", "call dolt_clean()", "select * from dolt_status"]).into());
        statements.push("call dolt_checkout('main')".into());
        statements
    }

    /// One of the ways in which what is on one branch comes to the other, and how it goes on behind a stop.
    fn together(&mut self) -> (Vec<String>, String) {
        let other = self.pick(&["b1", "b1", "b1", "main"]);
        let ways = [
            ("call dolt_merge('OTHER')", "select * from dolt_status"),
            ("call dolt_merge('OTHER')", "call dolt_merge('--abort')"),
            ("call dolt_merge('--no-ff', 'OTHER')", "select * from dolt_status"),
            ("call dolt_merge('--squash', 'OTHER')", "select * from dolt_status"),
            ("call dolt_merge('--no-commit', 'OTHER')", "select * from dolt_status"),
            ("call dolt_cherry_pick('OTHER')", "call dolt_cherry_pick('--continue')"),
            ("call dolt_cherry_pick('OTHER~1')", "call dolt_cherry_pick('--continue')"),
            ("call dolt_cherry_pick('OTHER')", "call dolt_cherry_pick('--abort')"),
            ("call dolt_revert('HEAD')", "call dolt_revert('--continue')"),
            ("call dolt_revert('HEAD~1')", "call dolt_revert('--continue')"),
            ("call dolt_revert('HEAD~1')", "call dolt_revert('--abort')"),
            ("call dolt_rebase('OTHER')", "call dolt_rebase('--continue')"),
            ("call dolt_rebase('OTHER')", "call dolt_rebase('--abort')"),
        ];
        let at = if self.random.chance(45) { 0 } else { self.random.below(ways.len()) };
        (vec![ways[at].0.replace("OTHER", other)], ways[at].1.to_owned())
    }

    fn look(&mut self) -> String {
        let table = self.table();
        match self.random.below(13) {
            0 | 1 => "select * from dolt_conflicts".into(),
            2 => "select * from dolt_schema_conflicts".into(),
            3 => "select * from dolt_constraint_violations".into(),
            4 | 5 => format!("select * from dolt_constraint_violations_{table}"),
            6 => "select * from dolt_status".into(),
            7 => "select is_merging, source, target from dolt_merge_status".into(),
            8 => format!("show create table {table}"),
            9 => format!("select * from {table}"),
            10 => format!("select * from dolt_workspace_{table}"),
            _ => format!("select * from dolt_conflicts_{table}"),
        }
    }

    fn resolve(&mut self) -> String {
        let (table, side) = (self.table(), self.pick(&["--ours", "--theirs"]));
        match self.random.below(12) {
            0..=2 => format!("call dolt_conflicts_resolve('{side}', '.')"),
            3 | 4 => format!("call dolt_conflicts_resolve('{side}', '{table}')"),
            5 => format!("delete from dolt_conflicts_{table}"),
            6 | 7 => format!("delete from dolt_constraint_violations_{table}"),
            8 => format!("call dolt_verify_constraints('--all', '{table}')"),
            9 => "call dolt_verify_constraints()".into(),
            10 => "delete from dolt_conflicts_schema_conflicts".into(),
            _ => self.change(),
        }
    }

    fn look_back(&mut self) -> String {
        let table = self.table();
        let pair = two_branches::pair(self.random);
        match self.random.below(20) {
            14 => format!("select count(*), diff_type from dolt_diff_{table} group by diff_type"),
            15 => "select type, name, fragment from dolt_schemas".into(),
            16 => format!("select message from dolt_log('--tables', '{table}')"),
            17 => "show tables".into(),
            18 => format!(
                "select diff_type, from_commit from dolt_commit_diff_{table} where from_commit = hashof('main') and to_commit = hashof('b1')"
            ),
            number => two_branches::question(number, table, pair),
        }
    }
}
