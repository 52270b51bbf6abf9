//! Merges of schemas: two branches change the columns, indexes, keys, checks, names and rows of the same tables; then they are
//! merged, picked, reverted or rebased, and what is in conflict is read and resolved.

use crate::common::generate::Random;
use crate::generators::two_branches;
use crate::script::{self, Step};

/// Types that turn into each other often enough to be in conflict.
const TYPES: &[(&str, &[&str])] = &[
    ("int", &["1", "2", "-7", "100"]),
    ("bigint", &["1", "2", "9007199254740993"]),
    ("smallint", &["1", "2", "300"]),
    ("varchar(20)", &["'1'", "'two'", "'Two'", "''"]),
    ("varchar(40)", &["'1'", "'two'", "'a longer text than before'"]),
    ("varchar(20) collate utf8mb4_0900_ai_ci", &["'1'", "'two'", "'Two'"]),
    ("text", &["'1'", "'two'", "repeat('long ', 40)"]),
    ("decimal(8,3)", &["1", "2.5", "-0.001"]),
    ("double", &["1", "2.5"]),
    ("datetime(6)", &["'2024-01-31 10:00:00'", "'1999-12-31 23:59:59.6'"]),
    ("enum('a','b')", &["'a'", "'b'"]),
    ("enum('a','b','c')", &["'a'", "'c'"]),
    ("json", &["'{\"a\": 1, \"b\": [1, 2]}'", "'[1, 2]'", "'{\"a\": 2}'"]),
    ("varbinary(8)", &["'1'", "'00ff'"]),
];

/// Few names, so that both branches use the same one.
const NAMES: &[&str] = &["a", "b", "c", "d", "e"];
const TABLES: &[&str] = &["t", "u", "k"];

#[derive(Clone)]
struct Table {
    name: String,
    columns: Vec<(&'static str, usize)>,
}

/// The tables of a branch, as far as the script knows.
#[derive(Clone)]
struct Branch(Vec<Table>);

/// A base, and rounds of changes on two branches that are brought together.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut merges = Merges { random, minutes: 0 };
    let (mut base, mut statements) = merges.base();
    for _ in 0..2 {
        statements.extend(merges.round(&mut base));
    }
    script::of_one(statements)
}

struct Merges<'r> {
    random: &'r mut Random,
    minutes: usize,
}

impl Merges<'_> {
    fn base(&mut self) -> (Branch, Vec<String>) {
        let mut statements = vec![
            "set @@dolt_allow_commit_conflicts = 1".to_owned(),
            "set @@dolt_force_transaction_commit = 1".to_owned(),
        ];
        let mut branch = Branch(Vec::new());
        for (at, name) in TABLES.iter().enumerate() {
            let columns: Vec<(&str, usize)> =
                NAMES[..2 + self.random.below(3)].iter().map(|name| (*name, self.random.below(TYPES.len()))).collect();
            let mut parts = vec![if at == 2 { "id int".to_owned() } else { "id int primary key".to_owned() }];
            parts.extend(columns.iter().map(|(name, ty)| format!("{name} {}", TYPES[*ty].0)));
            branch.0.push(Table { name: (*name).to_owned(), columns });
            if self.random.chance(50) {
                parts.extend(self.index(branch.0.last().expect("a table was made")));
            }
            statements.push(format!("create table {name} ({})", parts.join(", ")));
            statements.push(self.insert(&branch, at, &[1, 2, 3]));
        }
        statements.push(self.commit("base"));
        (branch, statements)
    }

    fn round(&mut self, base: &mut Branch) -> Vec<String> {
        let mut statements = vec!["call dolt_branch('-f', 'b1', 'main')".to_owned()];
        let mut other = base.clone();
        statements.extend(self.side(base, "main"));
        statements.push("call dolt_checkout('b1')".into());
        statements.extend(self.side(&mut other, "b1"));
        if self.random.chance(80) {
            statements.push("call dolt_checkout('main')".into());
        }
        statements.push(self.together());
        for _ in 0..2 + self.random.below(4) {
            statements.push(self.look());
        }
        for _ in 0..1 + self.random.below(3) {
            statements.push(self.resolve());
        }
        statements.push(self.commit("settled"));
        for _ in 0..4 {
            statements.push(self.look_back());
        }
        statements.push("call dolt_checkout('main')".into());
        // Columns that came from the other branch are there if the merge was made.
        for table in other.0 {
            match base.0.iter_mut().find(|mine| mine.name == table.name) {
                Some(mine) => mine.columns.extend(
                    table
                        .columns
                        .iter()
                        .filter(|(name, _)| !mine.columns.iter().any(|(it, _)| it == name))
                        .collect::<Vec<_>>(),
                ),
                None => base.0.push(table),
            }
        }
        statements
    }

    /// What happens on one branch, with its commits.
    fn side(&mut self, branch: &mut Branch, name: &str) -> Vec<String> {
        let mut statements = Vec::new();
        for commit in 0..1 + self.random.below(2) {
            for _ in 0..1 + self.random.below(3) {
                statements.push(self.change(branch));
            }
            if self.random.chance(85) {
                statements.push(self.definition(branch));
            }
            if self.random.chance(40) {
                statements.push(self.change(branch));
            }
            statements.push(self.commit(&format!("{name} {commit}")));
        }
        statements
    }

    fn commit(&mut self, message: &str) -> String {
        self.minutes += 1;
        let (hours, minutes) = (self.minutes / 60, self.minutes % 60);
        format!("call dolt_commit('-Am', '{message}', '--date', '2024-03-01T{hours:02}:{minutes:02}:00')")
    }

    fn value(&mut self, ty: usize) -> &'static str {
        if self.random.chance(10) { "null" } else { self.random.pick::<&str>(TYPES[ty].1) }
    }

    fn insert(&mut self, branch: &Branch, at: usize, ids: &[usize]) -> String {
        let table = &branch.0[at];
        let columns: String = table.columns.iter().map(|(name, _)| format!(", {name}")).collect();
        let rows: Vec<String> = ids
            .iter()
            .map(|id| {
                format!(
                    "({id}{})",
                    table.columns.iter().map(|(_, ty)| format!(", {}", self.value(*ty))).collect::<String>()
                )
            })
            .collect();
        format!("insert into {} (id{columns}) values {}", table.name, rows.join(", "))
    }

    fn change(&mut self, branch: &Branch) -> String {
        let at = self.random.below(branch.0.len());
        let (table, id) = (branch.0[at].clone(), 1 + self.random.below(7));
        match self.random.below(10) {
            0..=2 => self.insert(branch, at, &[id + 3]),
            3 => self.insert(branch, at, &[id, id + 1]).replacen("insert", "replace", 1),
            4..=7 if !table.columns.is_empty() => {
                let (column, ty) = *self.random.pick(&table.columns);
                let condition =
                    if self.random.chance(70) { format!("id = {}", 1 + id % 3) } else { format!("id < {id}") };
                format!("update {} set {column} = {} where {condition}", table.name, self.value(ty))
            }
            8 => format!("update {} set id = id + 4 where id = {id}", table.name),
            _ => format!("delete from {} where id = {}", table.name, 1 + id % 4),
        }
    }

    fn index(&mut self, table: &Table) -> Option<String> {
        let columns: Vec<&str> = table
            .columns
            .iter()
            .filter(|(_, ty)| !["text", "json"].contains(&TYPES[*ty].0))
            .map(|(name, _)| *name)
            .collect();
        if columns.is_empty() {
            return None;
        }
        let (one, two) = (*self.random.pick(&columns), *self.random.pick(&columns));
        let unique = if self.random.chance(25) { "unique " } else { "" };
        let name = *self.random.pick(&["i1", "i2"]);
        let columns = if one != two && self.random.chance(40) { format!("{one}, {two}") } else { one.to_owned() };
        Some(format!("{unique}index {name} ({columns})"))
    }

    fn column(&mut self) -> (&'static str, usize, String) {
        let (name, ty) = (*self.random.pick(NAMES), self.random.below(TYPES.len()));
        let (sql, values) = TYPES[ty];
        let rest = match self.random.below(6) {
            _ if ["text", "json"].contains(&sql) => String::new(),
            0 => format!(" default {}", self.random.pick(values)),
            1 => format!(" not null default {}", self.random.pick(values)),
            2 => " comment 'c'".into(),
            _ => String::new(),
        };
        (name, ty, format!("{name} {sql}{rest}"))
    }

    fn place(&mut self, table: &Table) -> String {
        match self.random.below(6) {
            0 if table.name != "k" => " first".into(),
            1 if table.name != "k" && !table.columns.is_empty() => {
                format!(" after {}", self.random.pick(&table.columns).0)
            }
            _ => String::new(),
        }
    }

    fn definition(&mut self, branch: &mut Branch) -> String {
        let at = self.random.below(branch.0.len());
        match self.random.below(30) {
            0..=19 => self.alter(&mut branch.0[at]),
            20 | 21 => {
                let new = *self.random.pick(&["t", "v", "w"]);
                let old = std::mem::replace(&mut branch.0[at].name, new.to_owned());
                format!("rename table {old} to {new}")
            }
            22 => format!("drop table {}", branch.0.remove(at).name).replace("table k", "table if exists k2"),
            23 => {
                let (name, ty, sql) = self.column();
                branch.0.push(Table { name: "n".into(), columns: vec![(name, ty)] });
                format!("create table n (id int primary key, {sql})")
            }
            24 => format!("create view s as select id from {} where id > {}", branch.0[at].name, self.random.below(3)),
            26 => format!("alter table {} add constraint f foreign key (id) references t (id)", branch.0[at].name),
            27 => format!("truncate table {}", branch.0[at].name),
            _ => format!(
                "alter table {} collate {}",
                branch.0[at].name,
                self.random.pick(&["utf8mb4_0900_ai_ci", "utf8mb4_general_ci"])
            ),
        }
    }

    fn alter(&mut self, table: &mut Table) -> String {
        let begin = format!("alter table {}", table.name);
        let column = if table.columns.is_empty() { None } else { Some(*self.random.pick(&table.columns)) };
        match (self.random.below(22), column) {
            (0..=4, _) => {
                let (name, ty, sql) = self.column();
                let place = self.place(table);
                if !table.columns.iter().any(|(column, _)| *column == name) {
                    table.columns.push((name, ty));
                }
                format!("{begin} add column {sql}{place}")
            }
            (5 | 6, Some((name, _))) => {
                table.columns.retain(|(column, _)| *column != name);
                format!("{begin} drop column {name}")
            }
            (7 | 8, Some((name, _))) => {
                let new = *self.random.pick(NAMES);
                if !table.columns.iter().any(|(column, _)| *column == new) {
                    table.columns.iter_mut().filter(|(column, _)| *column == name).for_each(|(it, _)| *it = new);
                }
                format!("{begin} rename column {name} to {new}")
            }
            (9..=11, Some((name, _))) => {
                let ty = self.random.below(TYPES.len());
                table.columns.iter_mut().filter(|(column, _)| *column == name).for_each(|(_, it)| *it = ty);
                let null = *self.random.pick(&["", "", " not null"]);
                format!("{begin} modify column {name} {}{null}{}", TYPES[ty].0, self.place(table))
            }
            (12, Some((name, ty))) => {
                format!("{begin} alter column {name} set default {}", self.random.pick(TYPES[ty].1))
            }
            (13, Some((name, _))) => format!("{begin} alter column {name} drop default"),
            (14, _) => format!("{begin} drop index {}", self.random.pick(&["i1", "i2"])),
            (15, _) => format!("{begin} add constraint ck check (id <> {})", 20 + self.random.below(3)),
            (16, Some((name, _))) => format!("{begin} add constraint ck check ({name} is null or id < 30)"),
            (17, _) => format!("{begin} drop constraint ck"),
            (18, Some((name, _))) if table.name == "k" => format!("{begin} add primary key (id, {name})"),
            (18, _) => format!("{begin} drop primary key"),
            (19, _) => format!("{begin} comment = 'c{}'", self.random.below(2)),
            _ => self
                .index(table)
                .map_or_else(|| format!("{begin} auto_increment = 7"), |index| format!("{begin} add {index}")),
        }
    }

    /// One of the ways in which what is on one branch comes to the other.
    fn together(&mut self) -> String {
        let other = *self.random.pick(&["b1", "b1", "b1", "main"]);
        match self.random.below(16) {
            0..=8 => format!("call dolt_merge('{other}')"),
            9 => format!("call dolt_merge('--no-ff', '{other}', '-m', 'merged')"),
            10 => format!("call dolt_merge('--squash', '{other}')"),
            11 => format!("call dolt_merge('--no-commit', '{other}')"),
            12 => format!("call dolt_cherry_pick('{other}')"),
            13 => format!("call dolt_cherry_pick('{other}~1')"),
            14 => format!("call dolt_revert('HEAD{}')", self.random.pick(&["", "~1"])),
            _ => format!("call dolt_rebase('{other}')"),
        }
    }

    fn table(&mut self) -> &'static str {
        self.random.pick::<&str>(&["t", "t", "u", "u", "k", "n", "v"])
    }

    fn look(&mut self) -> String {
        let table = self.table();
        match self.random.below(12) {
            0 | 1 => "select * from dolt_conflicts".into(),
            2 => "select table_name, description from dolt_schema_conflicts".into(),
            3 => "select * from dolt_schema_conflicts".into(),
            4 => "select * from dolt_constraint_violations".into(),
            5 => format!("select * from dolt_constraint_violations_{table}"),
            6 => "select * from dolt_status".into(),
            7 => "select is_merging, source, target from dolt_merge_status".into(),
            8 => format!("show create table {table}"),
            9 => format!("select * from {table}"),
            _ => format!("select * from dolt_conflicts_{table}"),
        }
    }

    fn resolve(&mut self) -> String {
        let (table, side) = (self.table(), *self.random.pick(&["--ours", "--theirs"]));
        match self.random.below(15) {
            0 | 1 => format!("call dolt_conflicts_resolve('{side}', '.')"),
            2 | 3 => format!("call dolt_conflicts_resolve('{side}', '{table}')"),
            4 => format!("delete from dolt_conflicts_{table} where our_id < {}", 1 + self.random.below(6)),
            5 => format!("delete from dolt_conflicts_{table}"),
            6 => {
                format!("update dolt_conflicts_{table} set our_{} = {}", self.random.pick(NAMES), self.random.below(9))
            }
            7 => format!("delete from dolt_constraint_violations_{table}"),
            8 => format!("delete from {table} where id < {}", 1 + self.random.below(4)),
            9 => "call dolt_merge('--abort')".into(),
            10 => "call dolt_cherry_pick('--abort')".into(),
            11 => "call dolt_rebase('--continue')".into(),
            12 => "call dolt_rebase('--abort')".into(),
            13 => format!("call dolt_verify_constraints('--all', '{table}')"),
            _ => "call dolt_revert('--continue')".into(),
        }
    }

    fn look_back(&mut self) -> String {
        let table = self.table();
        let pair = two_branches::pair(self.random);
        two_branches::question(self.random.below(two_branches::QUESTIONS), table, pair)
    }
}
