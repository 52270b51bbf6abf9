//! Definitions and changes of rows: ALTER TABLE of every kind, indexes, foreign keys, checks, generated columns, triggers; changes
//! of several tables, of rows that are there already, and of rows that another table needs.

use crate::common::generate::Random;
use crate::script::{self, Step};

/// A type and some of its values; keys of few different ones meet.
struct Type {
    sql: &'static str,
    values: &'static [&'static str],
}

const TYPES: &[Type] = &[
    Type { sql: "int", values: &["1", "2", "3", "-7", "100"] },
    Type { sql: "bigint", values: &["1", "2", "3", "9007199254740993"] },
    Type { sql: "smallint", values: &["1", "2", "3", "300"] },
    Type { sql: "tinyint unsigned", values: &["1", "2", "3", "200"] },
    Type { sql: "decimal(8,3)", values: &["1", "2.5", "3.125", "-0.001"] },
    Type { sql: "double", values: &["1", "2.5", "-1e10"] },
    Type { sql: "float", values: &["1", "2.5", "0.1"] },
    Type { sql: "varchar(20)", values: &["'1'", "'two'", "'Two'", "''", "'x y'"] },
    Type { sql: "varchar(10) collate utf8mb4_0900_ai_ci", values: &["'1'", "'a'", "'A'", "'é'"] },
    Type { sql: "char(4)", values: &["'1'", "'ab'", "'abcd'"] },
    Type { sql: "text", values: &["'1'", "'some text'", "repeat('long ', 40)"] },
    Type { sql: "varbinary(8)", values: &["'1'", "x'00ff'"] },
    Type { sql: "date", values: &["'2024-01-31'", "'2024-02-29'", "'1999-12-31'"] },
    Type { sql: "datetime", values: &["'2024-01-31 10:00:00'", "'2024-02-29 23:59:59.6'"] },
    Type { sql: "time", values: &["'10:00:00'", "'-01:02:03'"] },
    Type { sql: "year", values: &["2024", "1999"] },
    Type { sql: "bit(4)", values: &["1", "2", "b'1111'"] },
    Type { sql: "enum('a','b','c')", values: &["'a'", "'c'", "2"] },
    Type { sql: "set('x','y')", values: &["'x'", "'x,y'", "''"] },
    Type { sql: "json", values: &["'{\"a\": 1}'", "'[1, 2]'"] },
];

#[derive(Clone)]
struct Column {
    name: String,
    ty: &'static Type,
    is_generated: bool,
}

impl Column {
    fn is_indexable(&self) -> bool {
        !["text", "json"].contains(&self.ty.sql)
    }

    /// Whether it has numbers beside its texts: native Dolt assigns the number to a column of text.
    fn is_numbered(&self) -> bool {
        self.ty.sql.starts_with("enum") || self.ty.sql.starts_with("set")
    }
}

#[derive(Clone)]
struct Table {
    name: String,
    /// Without the column `id`, which all have.
    columns: Vec<Column>,
    indexes: Vec<String>,
    foreign_keys: Vec<String>,
    checks: Vec<String>,
    has_key: bool,
}

/// Two or three tables and what becomes of them.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut definitions = Definitions { random, tables: Vec::new(), names: 0 };
    let mut statements: Vec<String> = Vec::new();
    for _ in 0..2 + definitions.random.below(2) {
        statements.push(definitions.create());
        let at = definitions.tables.len() - 1;
        statements.push(definitions.insert(at));
    }
    for _ in 0..25 {
        statements.push(definitions.statement());
    }
    script::of_one(statements)
}

struct Definitions<'r> {
    random: &'r mut Random,
    tables: Vec<Table>,
    names: usize,
}

impl Definitions<'_> {
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn some_column(&mut self, at: usize) -> Option<Column> {
        let columns = &self.tables[at].columns;
        if columns.is_empty() { None } else { Some(self.random.pick(columns).clone()) }
    }

    fn column(&mut self) -> (Column, String) {
        let column = Column { name: self.name("c"), ty: self.random.pick(TYPES), is_generated: false };
        let mut sql = format!("{} {}", column.name, column.ty.sql);
        let may_have_default = column.is_indexable();
        match self.random.below(8) {
            0 if may_have_default => sql += &format!(" default {}", self.random.pick(column.ty.values)),
            1 if may_have_default => sql += &format!(" not null default {}", self.random.pick(column.ty.values)),
            2 => sql += " comment 'it''s'",
            _ => {}
        }
        (column, sql)
    }

    fn generated(&mut self, columns: &[Column]) -> Option<(Column, String)> {
        let of = columns.iter().find(|column| !column.is_generated && column.ty.sql == "int")?;
        let column = Column { name: self.name("g"), ty: &TYPES[1], is_generated: true };
        let kind = *self.random.pick(&["stored", "virtual"]);
        let sql = format!("{} bigint generated always as ({} + 1) {kind}", column.name, of.name);
        Some((column, sql))
    }

    fn create(&mut self) -> String {
        let mut table = Table {
            name: self.name("t"),
            columns: Vec::new(),
            indexes: Vec::new(),
            foreign_keys: Vec::new(),
            checks: Vec::new(),
            has_key: self.random.chance(85),
        };
        let id = match (table.has_key, self.random.chance(25)) {
            (true, true) => "id int primary key auto_increment",
            (true, false) => "id int primary key",
            _ => "id int",
        };
        let mut parts = vec![id.to_owned()];
        for _ in 0..2 + self.random.below(4) {
            let (column, sql) = self.column();
            parts.push(sql);
            table.columns.push(column);
        }
        if let Some((column, sql)) = self.generated(&table.columns.clone()).filter(|_| self.random.chance(40)) {
            parts.push(sql);
            table.columns.push(column);
        }
        self.tables.push(table);
        let at = self.tables.len() - 1;
        for _ in 0..self.random.below(3) {
            parts.extend(self.index(at));
        }
        format!("create table {} ({})", self.tables[at].name, parts.join(", "))
    }

    /// `index i (c)`, for a table that is there or becomes.
    fn index(&mut self, at: usize) -> Option<String> {
        let indexable: Vec<Column> =
            self.tables[at].columns.iter().filter(|column| column.is_indexable()).cloned().collect();
        if indexable.is_empty() {
            return None;
        }
        let first = self.random.pick(&indexable).name.clone();
        let second = self.random.pick(&indexable).name.clone();
        let columns = if first != second && self.random.chance(40) { format!("{first}, {second}") } else { first };
        let name = self.name("i");
        let unique = if self.random.chance(20) { "unique " } else { "" };
        self.tables[at].indexes.push(name.clone());
        Some(format!("{unique}index {name} ({columns})"))
    }

    fn statement(&mut self) -> String {
        let at = self.random.below(self.tables.len());
        match self.random.below(100) {
            0..=14 => self.insert(at),
            15..=21 => self.insert_over(at),
            22..=25 => self.insert_select(at),
            26..=35 => self.update(at),
            36..=39 => self.update_joined(at),
            40..=46 => self.delete(at),
            47..=76 => self.alter(at),
            77..=81 => self.foreign_key(at),
            82..=84 => self.check(at),
            85..=88 => self.trigger(at),
            89 => self.view(at),
            90 => format!("truncate table {}", self.tables[at].name),
            91 if self.tables.len() > 2 => {
                let table = self.tables.remove(at);
                format!("drop table {}", table.name)
            }
            92..=94 => format!("show create table {}", self.tables[at].name),
            _ => format!("select * from {}", self.tables[at].name),
        }
    }

    fn value(&mut self, column: &Column) -> String {
        match self.random.below(12) {
            0 => "null".into(),
            1 => "default".into(),
            _ => (*self.random.pick(column.ty.values)).to_owned(),
        }
    }

    /// `(id, …) values (…), (…)`.
    fn rows(&mut self, at: usize) -> String {
        let columns: Vec<Column> =
            self.tables[at].columns.iter().filter(|column| !column.is_generated).cloned().collect();
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let mut rows = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let values: Vec<String> = columns.iter().map(|column| self.value(column)).collect();
            rows.push(format!("({}, {})", 1 + self.random.below(12), values.join(", ")));
        }
        format!("(id, {}) values {}", names.join(", "), rows.join(", "))
    }

    fn insert(&mut self, at: usize) -> String {
        let verb = *self.random.pick(&["insert", "insert", "insert ignore", "replace"]);
        let rows = self.rows(at);
        format!("{verb} into {} {rows}", self.tables[at].name)
    }

    fn insert_over(&mut self, at: usize) -> String {
        let rows = self.rows(at);
        let name = self.tables[at].name.clone();
        let Some(column) = self.some_column(at).filter(|column| !column.is_generated) else { return self.insert(at) };
        let value = self.value(&column);
        let c = &column.name;
        match self.random.below(4) {
            0 => format!("insert into {name} {rows} on duplicate key update {c} = values({c})"),
            1 => format!("insert into {name} {rows} as new on duplicate key update {c} = new.{c}, id = new.id"),
            2 => format!("insert into {name} {rows} on duplicate key update id = id + 20"),
            _ => format!("insert into {name} {rows} on duplicate key update {c} = {value}"),
        }
    }

    fn insert_select(&mut self, at: usize) -> String {
        let from = self.random.below(self.tables.len());
        let (Some(target), Some(source)) = (self.some_column(at), self.some_column(from)) else {
            return self.insert(at);
        };
        let source = if source.is_numbered() { "null" } else { &source.name };
        let (into, from) = (&self.tables[at].name, &self.tables[from].name);
        let verb = *self.random.pick(&["insert", "insert ignore", "replace"]);
        format!(
            "{verb} into {into} (id, {}) select id + {}, {} from {from} order by id",
            target.name,
            self.random.below(10),
            source
        )
    }

    fn condition(&mut self, at: usize) -> String {
        let id = 1 + self.random.below(12);
        match (self.random.below(4), self.some_column(at)) {
            (0, _) => format!("id = {id}"),
            (1, Some(column)) => format!("{} = {}", column.name, self.random.pick(column.ty.values)),
            (2, Some(column)) => format!("{} is null or id < {id}", column.name),
            _ => format!("id between {id} and {}", id + 3),
        }
    }

    fn update(&mut self, at: usize) -> String {
        let condition = self.condition(at);
        let name = self.tables[at].name.clone();
        let Some(column) = self.some_column(at) else { return self.delete(at) };
        let ignore = if self.random.chance(15) { "ignore " } else { "" };
        let value = match self.random.below(4) {
            0 => self.some_column(at).filter(|other| !other.is_numbered()).map_or("null".into(), |other| other.name),
            _ => self.value(&column),
        };
        match self.random.below(5) {
            0 => format!("update {ignore}{name} set id = id + {} where {condition}", 1 + self.random.below(5)),
            1 => format!(
                "update {ignore}{name} set {} = {value} order by id limit {}",
                column.name,
                1 + self.random.below(3)
            ),
            _ => format!("update {ignore}{name} set {} = {value} where {condition}", column.name),
        }
    }

    fn update_joined(&mut self, at: usize) -> String {
        let other = self.random.below(self.tables.len());
        let (Some(column), Some(source)) = (self.some_column(at), self.some_column(other)) else {
            return self.update(at);
        };
        let (name, other) = (self.tables[at].name.clone(), self.tables[other].name.clone());
        match self.random.below(3) {
            0 if self.tables.iter().all(|table| table.has_key) => {
                format!(
                    "delete x, y from {name} x join {other} y on x.id = y.id where x.id < {}",
                    1 + self.random.below(5)
                )
            }
            1 => format!("delete x from {name} x left join {other} y on x.id = y.id where y.id is null"),
            _ if source.is_numbered() => {
                format!("update {name} x join {other} y on x.id = y.id set x.{} = null", column.name)
            }
            _ => format!("update {name} x join {other} y on x.id = y.id set x.{} = y.{}", column.name, source.name),
        }
    }

    fn delete(&mut self, at: usize) -> String {
        let condition = self.condition(at);
        let name = &self.tables[at].name;
        match self.random.below(5) {
            0 => format!("delete from {name} order by id desc limit 1"),
            _ => format!("delete from {name} where {condition}"),
        }
    }

    fn alter(&mut self, at: usize) -> String {
        let begin = format!("alter table {}", self.tables[at].name);
        let column = self.some_column(at);
        match (self.random.below(16), column) {
            (0..=2, _) => {
                let (column, sql) = self.column();
                self.tables[at].columns.push(column);
                format!("{begin} add column {sql}{}", self.place(at))
            }
            (3, _) => match self.generated(&self.tables[at].columns.clone()) {
                Some((column, sql)) => {
                    self.tables[at].columns.push(column);
                    format!("{begin} add column {sql}")
                }
                None => format!("{begin} auto_increment = {}", 5 + self.random.below(20)),
            },
            (4, Some(column)) if self.tables[at].columns.len() > 2 => {
                self.tables[at].columns.retain(|other| other.name != column.name);
                format!("{begin} drop column {}", column.name)
            }
            (5, Some(column)) => {
                let new = self.renamed(at, &column);
                format!("{begin} rename column {} to {new}", column.name)
            }
            (6 | 7, Some(column)) if !column.is_generated => {
                let ty = self.retyped(at, &column);
                let null = *self.random.pick(&["", "", " not null", " null"]);
                format!("{begin} modify column {} {ty}{null}{}", column.name, self.place(at))
            }
            (8, Some(column)) if !column.is_generated => {
                let ty = self.retyped(at, &column);
                let new = self.renamed(at, &column);
                format!("{begin} change column {} {new} {ty}", column.name)
            }
            (9 | 10, _) => self
                .index(at)
                .map_or_else(|| format!("{begin} drop primary key"), |index| format!("{begin} add {index}")),
            (11, _) if !self.tables[at].indexes.is_empty() => {
                let number = self.random.below(self.tables[at].indexes.len());
                format!("{begin} drop index {}", self.tables[at].indexes.remove(number))
            }
            (12, _) => {
                let new = self.name("t");
                self.tables[at].name.clone_from(&new);
                format!("{begin} rename to {new}")
            }
            (13, Some(column)) if column.is_indexable() => match self.random.chance(60) {
                true => {
                    format!("{begin} alter column {} set default {}", column.name, self.random.pick(column.ty.values))
                }
                false => format!("{begin} alter column {} drop default", column.name),
            },
            (14, _) => {
                let drops = self.tables[at].has_key;
                self.tables[at].has_key = !drops;
                if drops { format!("{begin} drop primary key") } else { format!("{begin} add primary key (id)") }
            }
            _ => format!("{begin} auto_increment = {}", 5 + self.random.below(20)),
        }
    }

    fn place(&mut self, at: usize) -> String {
        match (self.random.below(5), self.some_column(at)) {
            // Native Dolt mixes up the columns of tables without primary key.
            _ if !self.tables[at].has_key => String::new(),
            (0, _) => " first".into(),
            (1, Some(column)) => format!(" after {}", column.name),
            _ => String::new(),
        }
    }

    fn renamed(&mut self, at: usize, column: &Column) -> String {
        let new = self.name("r");
        self.tables[at]
            .columns
            .iter_mut()
            .filter(|other| other.name == column.name)
            .for_each(|c| c.name.clone_from(&new));
        new
    }

    fn retyped(&mut self, at: usize, column: &Column) -> &'static str {
        let ty = if self.random.chance(70) { self.random.pick(TYPES) } else { column.ty };
        self.tables[at].columns.iter_mut().filter(|other| other.name == column.name).for_each(|other| other.ty = ty);
        ty.sql
    }

    fn foreign_key(&mut self, at: usize) -> String {
        let name = self.tables[at].name.clone();
        if !self.tables[at].foreign_keys.is_empty() && self.random.chance(30) {
            let key = self.tables[at].foreign_keys.remove(0);
            return format!("alter table {name} drop foreign key {key}");
        }
        let parent = self.random.below(self.tables.len());
        let Some(column) = self.tables[at].columns.iter().find(|column| column.ty.sql == "int" && !column.is_generated)
        else {
            let new = Column { name: self.name("c"), ty: &TYPES[0], is_generated: false };
            let sql = format!("alter table {name} add column {} int", new.name);
            self.tables[at].columns.push(new);
            return sql;
        };
        let column = column.name.clone();
        let key = self.name("f");
        self.tables[at].foreign_keys.push(key.clone());
        let action = *self.random.pick(&[
            "",
            " on delete cascade",
            " on delete set null",
            " on update cascade",
            " on delete cascade on update cascade",
        ]);
        format!(
            "alter table {name} add constraint {key} foreign key ({column}) references {} (id){action}",
            self.tables[parent].name
        )
    }

    fn check(&mut self, at: usize) -> String {
        let name = self.tables[at].name.clone();
        if !self.tables[at].checks.is_empty() && self.random.chance(40) {
            let check = self.tables[at].checks.remove(0);
            return format!("alter table {name} drop constraint {check}");
        }
        let check = self.name("k");
        let column = self.some_column(at).map_or("id".into(), |column| column.name);
        self.tables[at].checks.push(check.clone());
        let enforced = if self.random.chance(20) { " not enforced" } else { "" };
        format!(
            "alter table {name} add constraint {check} check ({column} is null or id <> {}){enforced}",
            self.random.below(12)
        )
    }

    fn trigger(&mut self, at: usize) -> String {
        let (trigger, name) = (self.name("w"), self.tables[at].name.clone());
        let Some(column) = self.tables[at].columns.iter().find(|column| !column.is_generated).cloned() else {
            return self.check(at);
        };
        let other = self.tables[self.random.below(self.tables.len())].name.clone();
        let value = *self.random.pick(column.ty.values);
        match self.random.below(4) {
            0 => format!(
                "create trigger {trigger} before insert on {name} for each row set new.{} = coalesce(new.{0}, {value})",
                column.name
            ),
            1 => format!(
                "create trigger {trigger} before update on {name} for each row set new.{} = {value}",
                column.name
            ),
            2 if other != name => format!(
                "create trigger {trigger} after delete on {name} for each row delete from {other} where id = old.id"
            ),
            _ if other != name => format!(
                "create trigger {trigger} after insert on {name} for each row update {other} set id = id + 50 where id = new.id"
            ),
            _ => format!("drop trigger if exists {trigger}"),
        }
    }

    fn view(&mut self, at: usize) -> String {
        let (view, name) = (self.name("v"), self.tables[at].name.clone());
        format!("create view {view} as select id from {name} where id > 3")
    }
}
