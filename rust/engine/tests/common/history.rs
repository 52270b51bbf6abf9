//! Histories of a database from a seed: statements that define, fill, change, branch and commit, the same on every machine.

use std::fmt::Write;

use super::generate::Random;

#[derive(Debug, Clone)]
struct Column {
    name: String,
    ty: Type,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Type {
    TinyInt,
    SmallInt,
    MediumInt,
    Int,
    BigInt,
    IntUnsigned,
    BigIntUnsigned,
    Bool,
    Float,
    Double,
    Decimal(u8, u8),
    Char(u16),
    Varchar(u16),
    VarcharNoCase(u16),
    VarcharBin(u16),
    Text,
    LongText,
    Binary(u16),
    Varbinary(u16),
    Blob,
    Date,
    DateTime(u8),
    Timestamp,
    Time,
    Year,
    Enum,
    Set,
    Bit(u8),
    Json,
    Point,
    /// Short ones lie in the keys of an index, long ones beside.
    Vector(u16),
}

const TYPES: [Type; 37] = [
    Type::TinyInt,
    Type::SmallInt,
    Type::MediumInt,
    Type::Int,
    Type::Int,
    Type::BigInt,
    Type::IntUnsigned,
    Type::BigIntUnsigned,
    Type::Bool,
    Type::Float,
    Type::Double,
    Type::Decimal(10, 2),
    Type::Decimal(65, 30),
    Type::Char(8),
    Type::Varchar(20),
    Type::Varchar(200),
    Type::VarcharNoCase(40),
    Type::VarcharBin(40),
    Type::Text,
    Type::LongText,
    Type::Binary(6),
    Type::Varbinary(30),
    Type::Blob,
    Type::Date,
    Type::DateTime(0),
    Type::DateTime(6),
    Type::Timestamp,
    Type::Time,
    Type::Year,
    Type::Enum,
    Type::Set,
    Type::Bit(12),
    Type::Json,
    Type::Point,
    Type::Vector(2),
    Type::Vector(3),
    Type::Vector(600),
];

impl Type {
    fn sql(self) -> String {
        match self {
            Type::TinyInt => "TINYINT".into(),
            Type::SmallInt => "SMALLINT".into(),
            Type::MediumInt => "MEDIUMINT".into(),
            Type::Int => "INT".into(),
            Type::BigInt => "BIGINT".into(),
            Type::IntUnsigned => "INT UNSIGNED".into(),
            Type::BigIntUnsigned => "BIGINT UNSIGNED".into(),
            Type::Bool => "BOOLEAN".into(),
            Type::Float => "FLOAT".into(),
            Type::Double => "DOUBLE".into(),
            Type::Decimal(precision, scale) => format!("DECIMAL({precision},{scale})"),
            Type::Char(length) => format!("CHAR({length})"),
            Type::Varchar(length) => format!("VARCHAR({length})"),
            Type::VarcharNoCase(length) => format!("VARCHAR({length}) COLLATE utf8mb4_0900_ai_ci"),
            Type::VarcharBin(length) => format!("VARCHAR({length}) COLLATE utf8mb4_bin"),
            Type::Text => "TEXT".into(),
            Type::LongText => "LONGTEXT".into(),
            Type::Binary(length) => format!("BINARY({length})"),
            Type::Varbinary(length) => format!("VARBINARY({length})"),
            Type::Blob => "BLOB".into(),
            Type::Date => "DATE".into(),
            Type::DateTime(0) => "DATETIME".into(),
            Type::DateTime(digits) => format!("DATETIME({digits})"),
            Type::Timestamp => "TIMESTAMP".into(),
            Type::Time => "TIME(6)".into(),
            Type::Year => "YEAR".into(),
            Type::Enum => "ENUM('red','green','blue')".into(),
            Type::Set => "SET('a','b','c','d')".into(),
            Type::Bit(bits) => format!("BIT({bits})"),
            Type::Json => "JSON".into(),
            Type::Point => "POINT".into(),
            Type::Vector(dimensions) => format!("VECTOR({dimensions}) NOT NULL"),
        }
    }

    /// Whether an index may hold all of it.
    fn is_indexable(self) -> bool {
        self.may_have_default() && !self.is_vector()
    }

    fn is_vector(self) -> bool {
        matches!(self, Type::Vector(_))
    }

    fn may_have_default(self) -> bool {
        !matches!(self, Type::Text | Type::LongText | Type::Blob | Type::Json | Type::Point)
    }

    /// A type that holds every value of this one.
    fn wider(self) -> Option<Type> {
        Some(match self {
            Type::TinyInt => Type::SmallInt,
            Type::SmallInt | Type::MediumInt => Type::Int,
            Type::Int | Type::IntUnsigned => Type::BigInt,
            Type::Char(length) | Type::Varchar(length) => Type::Varchar(length * 2),
            Type::Text => Type::LongText,
            Type::Float => Type::Double,
            Type::Decimal(10, 2) => Type::Decimal(20, 4),
            Type::Date => Type::DateTime(0),
            Type::Varbinary(length) => Type::Varbinary(length * 2),
            _ => return None,
        })
    }

    fn literal(self, random: &mut Random) -> String {
        let mut integer = |bits: u32, signed: bool| {
            let magnitude = random.next() >> (64 - bits + u32::from(signed)).min(63);
            // Small numbers, and the ends of the range.
            match random.below(6) {
                0 => "0".into(),
                1 | 2 => (magnitude % 100).to_string(),
                3 if signed => format!("-{}", magnitude / 3),
                _ => magnitude.to_string(),
            }
        };
        match self {
            Type::TinyInt => integer(8, true),
            Type::SmallInt => integer(16, true),
            Type::MediumInt => integer(24, true),
            Type::Int => integer(32, true),
            Type::BigInt => integer(64, true),
            Type::IntUnsigned => integer(32, false),
            Type::BigIntUnsigned => integer(63, false),
            Type::Bool => (*random.pick(&["TRUE", "FALSE"])).into(),
            Type::Float => format!("{}.{}", random.below(1000), random.pick(&["5", "25", "125"])),
            Type::Double => {
                format!(
                    "{}{}.{:03}e{}",
                    random.pick(&["", "-"]),
                    random.below(10),
                    random.below(1000),
                    random.below(30)
                )
            }
            Type::Decimal(_, scale) => {
                let fraction = random.below(10usize.pow(u32::from(scale.min(6))));
                format!(
                    "{}{}.{fraction:0digits$}",
                    random.pick(&["", "-"]),
                    random.below(1_000_000),
                    digits = scale.min(6).into()
                )
            }
            Type::Char(length) | Type::Varchar(length) | Type::VarcharNoCase(length) | Type::VarcharBin(length) => {
                format!("'{}'", words(random, length.into()))
            }
            Type::Text | Type::LongText => match random.below(12) {
                0 => format!("REPEAT('{} ', {})", words(random, 12), 10 + random.below(4000)),
                1 => "''".into(),
                _ => format!("'{}'", words(random, 300)),
            },
            Type::Binary(length) | Type::Varbinary(length) => {
                let bytes = random.below(usize::from(length) + 1);
                format!("X'{}'", (0..bytes).fold(String::new(), |text, _| text + &format!("{:02x}", random.below(256))))
            }
            Type::Blob => match random.below(10) {
                0 => format!("REPEAT(X'00ff{:02x}', {})", random.below(256), 10 + random.below(20_000)),
                _ => format!(
                    "X'{}'",
                    (0..random.below(100)).fold(String::new(), |text, _| text + &format!("{:02x}", random.below(256)))
                ),
            },
            Type::Date => format!("'{}'", date(random)),
            Type::DateTime(0) => format!("'{} {}'", date(random), time(random)),
            Type::DateTime(_) => format!("'{} {}.{:06}'", date(random), time(random), random.below(1_000_000)),
            Type::Timestamp => format!(
                "'20{:02}-{:02}-{:02} {}'",
                random.below(37),
                1 + random.below(12),
                1 + random.below(28),
                time(random)
            ),
            Type::Time => format!(
                "'{}{}:{:02}:{:02}.{:06}'",
                random.pick(&["", "-"]),
                random.below(800),
                random.below(60),
                random.below(60),
                random.below(1_000_000)
            ),
            Type::Year => (1901 + random.below(250)).to_string(),
            Type::Enum => format!("'{}'", random.pick(&["red", "green", "blue"])),
            Type::Set => format!("'{}'", random.pick(&["", "a", "a,b", "c", "a,b,c,d"])),
            Type::Bit(bits) => random.below(1 << bits).to_string(),
            Type::Json => json(random),
            Type::Vector(dimensions) => format!(
                "STRING_TO_VECTOR(CONCAT('[', REPEAT('{}.5,', {}), '{}]'))",
                random.below(20),
                dimensions - 1,
                random.below(50)
            ),
            Type::Point => format!("POINT({}.5, {}.25)", random.below(90), random.below(90)),
        }
    }
}

fn words(random: &mut Random, limit: usize) -> String {
    const WORDS: [&str; 12] =
        ["clay", "silt", "Varve", "été", "straße", "日本", "ice", "lake", "x", "SAND", "kettle", "🌊"];
    let mut text = String::new();
    let wanted = random.below(limit + 1);
    loop {
        let word = random.pick(&WORDS);
        if text.chars().count() + word.chars().count() + 1 > wanted {
            return text;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
}

fn date(random: &mut Random) -> String {
    format!("{:04}-{:02}-{:02}", 1000 + random.below(1200), 1 + random.below(12), 1 + random.below(28))
}

fn time(random: &mut Random) -> String {
    format!("{:02}:{:02}:{:02}", random.below(24), random.below(60), random.below(60))
}

fn json(random: &mut Random) -> String {
    match random.below(8) {
        0 => "'null'".into(),
        1 => format!("'[1, 2.5, \"{}\", {{\"a\": null}}]'", words(random, 20)),
        2 => {
            let members: Vec<_> =
                (0..40 + random.below(400)).map(|i| format!("\"key{i}\": {}", random.below(1000))).collect();
            format!("'{{{}}}'", members.join(", "))
        }
        _ => format!("'{{\"b\": {}, \"aa\": \"{}\", \"c\": [true, false]}}'", random.below(1000), words(random, 30)),
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Key {
    Int,
    IntAndText,
    Text,
    Auto,
    None,
}

#[derive(Debug, Clone)]
struct Table {
    name: String,
    key: Key,
    columns: Vec<Column>,
    indexes: Vec<(String, Vec<String>)>,
    next_id: usize,
}

/// Makes statements one after the other; most of them are valid in their context.
pub struct History {
    random: Random,
    tables: Vec<Table>,
    names: usize,
    commits: usize,
}

impl History {
    pub fn new(seed: u64) -> History {
        History { random: Random::new(seed), tables: Vec::new(), names: 0, commits: 0 }
    }

    /// The next statement.
    pub fn statement(&mut self) -> String {
        if self.tables.is_empty() || (self.tables.len() < 4 && self.random.chance(8)) {
            return self.create_table();
        }
        match self.random.below(100) {
            0..34 => self.insert(),
            34..46 => self.update(),
            46..56 => self.delete(),
            56..61 => self.upsert(),
            61..66 => self.insert_select(),
            66..84 => self.alter(),
            84..86 => self.other_ddl(),
            _ => self.commit(),
        }
    }

    /// A commit of everything, with a date of its own.
    pub fn commit(&mut self) -> String {
        self.commits += 1;
        let (hour, minute) = (self.commits / 60, self.commits % 60);
        format!(
            "CALL dolt_commit('-A', '--allow-empty', '-m', 'commit {}', '--author', 'A <a@b.c>', '--date', '2024-02-01T{hour:02}:{minute:02}:00')",
            self.commits
        )
    }

    /// Names of the tables that are there.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(|table| table.name.as_str())
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn create_table(&mut self) -> String {
        let name = self.name("t");
        let key = *self.random.pick(&[Key::Int, Key::Int, Key::IntAndText, Key::Text, Key::Auto, Key::None]);
        let columns: Vec<Column> = (0..1 + self.random.below(7))
            .map(|_| Column { name: self.name("c"), ty: *self.random.pick(&TYPES) })
            .collect();
        let mut parts = vec![
            match key {
                Key::Int | Key::IntAndText => "id INT NOT NULL",
                Key::Auto => "id BIGINT NOT NULL AUTO_INCREMENT",
                Key::Text => "id VARCHAR(60) NOT NULL",
                Key::None => "id INT",
            }
            .to_owned(),
        ];
        if key == Key::IntAndText {
            parts.push("part VARCHAR(16) COLLATE utf8mb4_0900_ai_ci NOT NULL".into());
        }
        for column in &columns {
            let null = if column.ty.is_vector() { "" } else { self.random.pick(&["", "", " NULL"]) };
            parts.push(format!("{} {}{null}", column.name, column.ty.sql()));
        }
        match key {
            Key::Int | Key::Text | Key::Auto => parts.push("PRIMARY KEY (id)".into()),
            Key::IntAndText => parts.push("PRIMARY KEY (part, id)".into()),
            Key::None => {}
        }
        let mut indexes = Vec::new();
        // Native Dolt cannot write to a table without key that has a vector index.
        for column in
            columns.iter().filter(|column| column.ty.is_indexable() || (column.ty.is_vector() && key != Key::None))
        {
            if self.random.chance(if column.ty.is_vector() { 70 } else { 25 }) {
                let index = self.name("i");
                let kind = if column.ty.is_vector() { "VECTOR " } else { "" };
                parts.push(format!("{kind}INDEX {index} ({})", column.name));
                indexes.push((index, vec![column.name.clone()]));
            }
        }
        self.tables.push(Table { name: name.clone(), key, columns, indexes, next_id: 1 });
        format!("CREATE TABLE {name} ({})", parts.join(", "))
    }

    fn pick(&mut self) -> usize {
        self.random.below(self.tables.len())
    }

    /// Rows as `(…), (…)`, with ids from `first` on.
    fn rows(&mut self, at: usize, first: usize, rows: usize) -> String {
        let table = self.tables[at].clone();
        let mut text = String::new();
        for row in 0..rows {
            let id = first + row;
            let key = match table.key {
                Key::Int | Key::Auto => id.to_string(),
                Key::IntAndText => format!("{id}, '{}'", ["a", "B", "ç", "zz"][id % 4]),
                Key::Text => format!("'{:05}-{}'", id * 7919 % 100_000, id),
                Key::None => (id % 50).to_string(),
            };
            let _ = write!(text, "{}({key}", if row == 0 { "" } else { ", " });
            for column in &table.columns {
                let value = if self.random.chance(12) && !column.ty.is_vector() {
                    "NULL".into()
                } else {
                    column.ty.literal(&mut self.random)
                };
                let _ = write!(text, ", {value}");
            }
            text.push(')');
        }
        text
    }

    fn insert(&mut self) -> String {
        let at = self.pick();
        let rows = match self.random.below(10) {
            0 => 150 + self.random.below(250),
            1..4 => 10 + self.random.below(40),
            _ => 1 + self.random.below(4),
        };
        let first = self.tables[at].next_id;
        self.tables[at].next_id += rows;
        let values = self.rows(at, first, rows);
        format!("INSERT INTO {} VALUES {values}", self.tables[at].name)
    }

    fn upsert(&mut self) -> String {
        let at = self.pick();
        let first = 1 + self.random.below(self.tables[at].next_id);
        let rows = 1 + self.random.below(6);
        self.tables[at].next_id = self.tables[at].next_id.max(first + rows);
        let values = self.rows(at, first, rows);
        let table = &self.tables[at];
        match self.random.below(3) {
            0 => format!("REPLACE INTO {} VALUES {values}", table.name),
            1 => format!("INSERT IGNORE INTO {} VALUES {values}", table.name),
            _ => match table.columns.first() {
                Some(column) => {
                    let set = format!("{0} = VALUES({0})", column.name);
                    format!("INSERT INTO {} VALUES {values} ON DUPLICATE KEY UPDATE {set}", table.name)
                }
                None => format!("REPLACE INTO {} VALUES {values}", table.name),
            },
        }
    }

    /// Doubles a table with integer keys.
    fn insert_select(&mut self) -> String {
        let at = self.pick();
        let table = &mut self.tables[at];
        if !matches!(table.key, Key::Int | Key::Auto | Key::None) || table.next_id > 3000 {
            return self.insert();
        }
        let shift = table.next_id;
        table.next_id *= 2;
        let columns: String = table.columns.iter().map(|column| format!(", {}", column.name)).collect();
        format!("INSERT INTO {0} SELECT id + {shift}{columns} FROM {0} WHERE id < {shift} ORDER BY id", table.name)
    }

    /// Some of the rows, by what every table has.
    fn some_rows(&mut self, at: usize) -> String {
        let table = &self.tables[at];
        let (next, key) = (table.next_id, table.key);
        let from = self.random.below(next + 1);
        match key {
            Key::Text => format!("id LIKE '{}%'", self.random.below(100)),
            _ => match self.random.below(4) {
                0 => format!("id = {from}"),
                1 => format!("id % {} = 1", 2 + self.random.below(40)),
                _ => format!("id BETWEEN {from} AND {}", from + self.random.below(30)),
            },
        }
    }

    fn update(&mut self) -> String {
        let at = self.pick();
        let which = self.some_rows(at);
        let columns = self.tables[at].columns.clone();
        if columns.is_empty() {
            return self.insert();
        }
        let column = self.random.pick(&columns).clone();
        let value = match self.random.below(6) {
            0 => "NULL".to_owned(),
            1 => "DEFAULT".to_owned(),
            _ => column.ty.literal(&mut self.random),
        };
        format!("UPDATE {} SET {} = {value} WHERE {which}", self.tables[at].name, column.name)
    }

    fn delete(&mut self) -> String {
        let at = self.pick();
        let which = self.some_rows(at);
        format!("DELETE FROM {} WHERE {which}", self.tables[at].name)
    }

    fn alter(&mut self) -> String {
        let at = self.pick();
        let table = self.tables[at].clone();
        let change = match self.random.below(7) {
            0 | 1 => {
                // Rows that are there have no vector.
                let ty = *self.random.pick(&TYPES[..TYPES.len() - 3]);
                let column = Column { name: self.name("c"), ty };
                let place = match self.random.below(4) {
                    0 => " FIRST".to_owned(),
                    1 => format!(" AFTER {}", table.columns.first().map_or("id", |column| &column.name)),
                    _ => String::new(),
                };
                let has_default = column.ty.may_have_default();
                let default = match self.random.below(3) {
                    0 if has_default => format!(" DEFAULT {}", column.ty.literal(&mut self.random)),
                    1 if has_default => format!(" NOT NULL DEFAULT {}", column.ty.literal(&mut self.random)),
                    _ => String::new(),
                };
                // The places of columns in INSERT without a list follow the table.
                if !place.is_empty() {
                    return self.insert();
                }
                let change = format!("ADD COLUMN {} {}{default}", column.name, column.ty.sql());
                self.tables[at].columns.push(column);
                change
            }
            2 => {
                let is_free =
                    |column: &&Column| !table.indexes.iter().any(|(_, columns)| columns.contains(&column.name));
                let Some(name) = table.columns.iter().filter(is_free).map(|column| column.name.clone()).next_back()
                else {
                    return self.insert();
                };
                self.tables[at].columns.retain(|column| column.name != name);
                format!("DROP COLUMN {name}")
            }
            3 => {
                let new = self.name("c");
                let Some(column) = self.tables[at].columns.first_mut() else { return self.insert() };
                let old = std::mem::replace(&mut column.name, new.clone());
                for (_, columns) in &mut self.tables[at].indexes {
                    columns.iter_mut().filter(|name| **name == old).for_each(|name| new.clone_into(name));
                }
                format!("RENAME COLUMN {old} TO {new}")
            }
            4 => {
                let index = self.name("i");
                let vector = table.columns.iter().find(|column| column.ty.is_vector() && table.key != Key::None);
                if let Some(vector) = vector.filter(|_| self.random.chance(50)) {
                    self.tables[at].indexes.push((index.clone(), vec![vector.name.clone()]));
                    return format!("ALTER TABLE {} ADD VECTOR INDEX {index} ({})", table.name, vector.name);
                }
                let indexable: Vec<_> = table.columns.iter().filter(|column| column.ty.is_indexable()).collect();
                if indexable.is_empty() {
                    return self.insert();
                }
                let columns: Vec<String> =
                    indexable.iter().take(1 + self.random.below(2)).map(|column| column.name.clone()).collect();
                let change = format!("ADD INDEX {index} ({})", columns.join(", "));
                self.tables[at].indexes.push((index, columns));
                change
            }
            5 => match self.tables[at].indexes.pop() {
                Some((index, _)) => format!("DROP INDEX {index}"),
                None => return self.update(),
            },
            _ => {
                let Some(column) = self.tables[at].columns.iter_mut().find(|column| column.ty.wider().is_some()) else {
                    return self.delete();
                };
                if let Some(wider) = column.ty.wider() {
                    column.ty = wider;
                }
                format!("MODIFY COLUMN {} {}", column.name, column.ty.sql())
            }
        };
        format!("ALTER TABLE {} {change}", table.name)
    }

    fn other_ddl(&mut self) -> String {
        let at = self.pick();
        match self.random.below(4) {
            0 => format!("TRUNCATE TABLE {}", self.tables[at].name),
            1 => format!("DROP TABLE {}", self.tables.remove(at).name),
            2 => {
                let new = self.name("t");
                let old = std::mem::replace(&mut self.tables[at].name, new.clone());
                format!("RENAME TABLE {old} TO {new}")
            }
            _ => {
                let (view, table) = (self.name("v"), &self.tables[at].name);
                format!("CREATE VIEW {view} AS SELECT id FROM {table} WHERE id > 5")
            }
        }
    }
}
