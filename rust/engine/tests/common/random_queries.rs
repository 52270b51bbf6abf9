//! Random tables and queries from a seed, for tests that ask the same in several ways.
//!
//! Values come from small sets, so that joins find partners and conditions are true, false and unknown about equally often.
//! Nothing depends on the order of the rows where the order is not given: no sums of doubles, no LIMIT without a whole order.

use std::fmt::Write;

use super::generate::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Int,
    Decimal,
    Text,
    /// Text that is compared without case.
    Folded,
    Date,
}

const KINDS: &[Kind] = &[Kind::Int, Kind::Int, Kind::Decimal, Kind::Text, Kind::Folded, Kind::Date];

impl Kind {
    fn sql(self) -> &'static str {
        match self {
            Kind::Int => "int",
            Kind::Decimal => "decimal(8,2)",
            Kind::Text => "varchar(10)",
            Kind::Folded => "varchar(10) collate utf8mb4_0900_ai_ci",
            Kind::Date => "date",
        }
    }

    fn literals(self) -> &'static [&'static str] {
        match self {
            Kind::Int => &["0", "1", "2", "3", "-1", "7", "100"],
            Kind::Decimal => &["0.00", "1.00", "1.50", "2.25", "-3.10", "7.00"],
            Kind::Text => &["''", "'a'", "'A'", "'b'", "'ab'", "'B'", "'1'"],
            Kind::Folded => &["''", "'a'", "'A'", "'b'", "'ab'", "'AB'", "'z'"],
            Kind::Date => &["'2020-01-01'", "'2020-02-29'", "'2021-12-31'", "'1999-05-05'"],
        }
    }
}

#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    /// Statements that make and fill it.
    pub setup: Vec<String>,
}

/// Three tables with an `id` each, with random columns, indexes and rows.
pub fn tables(random: &mut Random) -> Vec<Table> {
    (0..3).map(|number| table(random, number)).collect()
}

fn table(random: &mut Random, number: usize) -> Table {
    let name = format!("t{number}");
    let mut columns = vec![Column { name: "id".into(), kind: Kind::Int }];
    for at in 0..2 + random.below(4) {
        columns.push(Column { name: format!("c{at}"), kind: *random.pick(KINDS) });
    }
    let required: Vec<bool> = columns.iter().map(|_| random.chance(20)).collect();
    let mut create = format!("create table {name} (");
    for (column, required) in columns.iter().zip(&required) {
        let null = if *required || column.name == "id" { " not null" } else { "" };
        let _ = write!(create, "{} {}{null}, ", column.name, column.kind.sql());
    }
    create.push_str("primary key (id)");
    for at in 0..random.below(4) {
        let mut parts: Vec<&str> = Vec::new();
        for _ in 0..1 + random.below(2) {
            let part = random.pick(&columns).name.as_str();
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        let _ = write!(create, ", key k{at} ({})", parts.join(", "));
    }
    create.push(')');
    let mut setup = vec![create];
    let rows = *random.pick(&[0, 1, 5, 12, 20]);
    if rows > 0 {
        let mut insert = format!("insert into {name} values ");
        for row in 0..rows {
            let _ = write!(insert, "{}({}", if row > 0 { ", " } else { "" }, row);
            for (column, required) in columns.iter().zip(&required).skip(1) {
                let value = match !required && random.chance(20) {
                    true => "null",
                    false => *random.pick(column.kind.literals()),
                };
                let _ = write!(insert, ", {value}");
            }
            insert.push(')');
        }
        setup.push(insert);
    }
    Table { name, columns, setup }
}

/// A FROM clause and what can be seen behind it.
#[derive(Clone)]
pub struct From {
    pub text: String,
    /// Alias of a table and one of its columns.
    pub columns: Vec<(String, Column)>,
    pub aliases: Vec<String>,
}

impl From {
    pub fn keys(&self) -> Vec<String> {
        self.aliases.iter().map(|alias| format!("{alias}.id")).collect()
    }
}

pub struct Queries<'a> {
    pub random: &'a mut Random,
    pub tables: &'a [Table],
    aliases: usize,
}

impl<'a> Queries<'a> {
    pub fn new(random: &'a mut Random, tables: &'a [Table]) -> Queries<'a> {
        Queries { random, tables, aliases: 0 }
    }

    fn alias(&mut self) -> String {
        self.aliases += 1;
        format!("a{}", self.aliases)
    }

    /// One to three tables, joined in some way.
    pub fn from(&mut self) -> From {
        let mut from = self.one_table();
        for _ in 0..*self.random.pick(&[0, 0, 1, 1, 1, 2]) {
            let right = self.one_table();
            let kind = *self.random.pick(&["join", "left join", "right join", "join", "left join", ", "]);
            let mut columns = from.columns.clone();
            columns.extend(right.columns.clone());
            let both = From { columns: columns.clone(), ..from.clone() };
            let on = match self.random.chance(75) {
                true => self.link(&from, &right).unwrap_or_else(|| self.condition(&both, 1)),
                false => self.condition(&both, 1),
            };
            let on = match self.random.chance(30) {
                true => format!("{on} and {}", self.condition(&both, 1)),
                false => on,
            };
            from.text = match kind {
                // A comma binds weaker than a join.
                ", " => format!("{} join {}", from.text, right.text),
                kind => format!("{} {kind} {} on {on}", from.text, right.text),
            };
            from.columns = columns;
            from.aliases.extend(right.aliases);
        }
        from
    }

    fn one_table(&mut self) -> From {
        let table = &self.tables[self.random.below(self.tables.len())];
        let alias = self.alias();
        let columns = table.columns.iter().map(|column| (alias.clone(), column.clone())).collect();
        From { text: format!("{} {alias}", table.name), columns, aliases: vec![alias] }
    }

    /// An equality of two columns of one kind.
    fn link(&mut self, left: &From, right: &From) -> Option<String> {
        let mut pairs = Vec::new();
        for (l_alias, l) in &left.columns {
            let same = right.columns.iter().filter(|(_, r)| r.kind == l.kind);
            pairs.extend(same.map(|(r_alias, r)| format!("{l_alias}.{} = {r_alias}.{}", l.name, r.name)));
        }
        if pairs.is_empty() { None } else { Some(self.random.pick(&pairs).clone()) }
    }

    fn column(&mut self, from: &From, kind: Option<Kind>) -> Option<(String, Kind)> {
        let fits: Vec<_> = from.columns.iter().filter(|(_, c)| kind.is_none_or(|kind| c.kind == kind)).collect();
        if fits.is_empty() {
            return None;
        }
        let (alias, column) = self.random.pick(&fits);
        Some((format!("{alias}.{}", column.name), column.kind))
    }

    /// A value of a kind.
    pub fn value(&mut self, from: &From, kind: Kind, depth: usize) -> String {
        if depth > 0 && self.random.chance(35) {
            let (one, two) = (self.value(from, kind, depth - 1), self.value(from, kind, depth - 1));
            return match (self.random.below(5), kind) {
                (0, _) => format!("coalesce({one}, {two})"),
                (1, _) => format!("case when {} then {one} else {two} end", self.condition(from, depth - 1)),
                (2, _) => format!("nullif({one}, {two})"),
                (3, Kind::Int | Kind::Decimal) => {
                    format!("({one} {} {two})", *self.random.pick(&["+", "-", "*"]))
                }
                (3, Kind::Text | Kind::Folded) => format!("concat({one}, {two})"),
                (4, _) => format!("({})", self.scalar(from, kind, depth - 1)),
                _ => one,
            };
        }
        match self.random.chance(70) {
            true => match self.column(from, Some(kind)) {
                Some((column, _)) => column,
                None => (*self.random.pick(kind.literals())).to_owned(),
            },
            false if self.random.chance(15) => "null".to_owned(),
            false => (*self.random.pick(kind.literals())).to_owned(),
        }
    }

    /// A subquery of one value that may read outer rows.
    fn scalar(&mut self, around: &From, kind: Kind, depth: usize) -> String {
        let inner = self.one_table();
        let both = From { columns: inner.columns.iter().chain(&around.columns).cloned().collect(), ..inner.clone() };
        let value = self.value(&inner, kind, 0);
        let condition = self.link(around, &inner).unwrap_or_else(|| self.condition(&both, 0));
        let condition = if self.random.chance(30) { self.condition(&inner, depth.min(1)) } else { condition };
        // Folded text has several spellings of one value.
        let function = if self.random.chance(50) { "max" } else { "min" };
        match kind {
            Kind::Folded => format!("select lower({function}({value})) from {} where {condition}", inner.text),
            _ => format!("select {function}({value}) from {} where {condition}", inner.text),
        }
    }

    pub fn condition(&mut self, from: &From, depth: usize) -> String {
        if depth > 0 && self.random.chance(60) {
            let one = self.condition(from, depth - 1);
            return match self.random.below(8) {
                0 => format!("not ({one})"),
                1 | 2 => format!("({one} and {})", self.condition(from, depth - 1)),
                3 | 4 => format!("({one} or {})", self.condition(from, depth - 1)),
                5 => format!("({one}) is {}", *self.random.pick(&["true", "false", "null", "not null", "not true"])),
                6 => {
                    let (other, third) = (self.condition(from, depth - 1), self.condition(from, 0));
                    format!("(({one} and {other}) or ({third} and {one}))")
                }
                _ => self.subquery_test(from, depth - 1),
            };
        }
        let kind = match self.column(from, None) {
            Some((_, kind)) => kind,
            None => Kind::Int,
        };
        let left = self.value(from, kind, depth);
        match self.random.below(9) {
            0 => format!("{left} is {}null", if self.random.chance(50) { "not " } else { "" }),
            1 => {
                let (low, high) = (self.value(from, kind, 0), self.value(from, kind, 0));
                format!("{left} {}between {low} and {high}", if self.random.chance(30) { "not " } else { "" })
            }
            2 => {
                let items: Vec<String> = (0..1 + self.random.below(4)).map(|_| self.value(from, kind, 0)).collect();
                let not = if self.random.chance(40) { "not " } else { "" };
                format!("{left} {not}in ({})", items.join(", "))
            }
            3 if matches!(kind, Kind::Text | Kind::Folded) => {
                format!("{left} like {}", *self.random.pick(&["'a%'", "'%b'", "'_'", "'%'", "'A_'"]))
            }
            _ => {
                let op = *self.random.pick(&["=", "=", "=", "<", "<=", ">", ">=", "<>", "<=>"]);
                format!("{left} {op} {}", self.value(from, kind, depth))
            }
        }
    }

    fn subquery_test(&mut self, around: &From, depth: usize) -> String {
        let inner = self.one_table();
        let both = From { columns: inner.columns.iter().chain(&around.columns).cloned().collect(), ..inner.clone() };
        let condition = match self.random.chance(50) {
            true => self.link(around, &inner).unwrap_or_else(|| "true".to_owned()),
            false => self.condition(&both, depth.min(1)),
        };
        let not = if self.random.chance(50) { "not " } else { "" };
        if self.random.chance(50) {
            return format!("{not}exists (select 1 from {} where {condition})", inner.text);
        }
        let kind = match self.column(&inner, None) {
            Some((_, kind)) => kind,
            None => Kind::Int,
        };
        let (tested, value) = (self.value(around, kind, 0), self.value(&inner, kind, 0));
        let condition = if self.random.chance(40) { "true".to_owned() } else { condition };
        format!("{tested} {not}in (select {value} from {} where {condition})", inner.text)
    }

    /// A whole query whose rows are the same in every plan.
    pub fn query(&mut self) -> String {
        let from = self.from();
        let filter = match self.random.chance(80) {
            true => format!(" where {}", self.condition(&from, 2)),
            false => String::new(),
        };
        let kind = *self.random.pick(KINDS);
        match self.random.below(10) {
            0 | 1 => {
                let keys = from.keys().join(", ");
                let value = self.exact(&from, kind);
                let order = match self.random.chance(50) {
                    true => String::new(),
                    false => {
                        let first = self.column(&from, None).map_or_else(|| "1".to_owned(), |(column, _)| column);
                        let way = if self.random.chance(40) { " desc" } else { "" };
                        let limit = 1 + self.random.below(12);
                        let offset = self.random.below(4);
                        format!(" order by {first}{way}, {keys} limit {limit} offset {offset}")
                    }
                };
                format!("select {keys}, {value} from {}{filter}{order}", from.text)
            }
            2 | 3 => {
                let (group, number) = (self.exact(&from, kind), self.value(&from, Kind::Int, 1));
                let decimal = self.value(&from, Kind::Decimal, 0);
                let having = match self.random.chance(40) {
                    true => {
                        format!(" having count(*) {} {}", *self.random.pick(&[">", "<", "<>"]), self.random.below(4))
                    }
                    false => String::new(),
                };
                format!(
                    "select {group}, count(*), count({number}), sum({number}), min({decimal}), count(distinct {number}) \
                     from {}{filter} group by 1{having}",
                    from.text
                )
            }
            4 => {
                let number = self.value(&from, Kind::Int, 1);
                format!("select count(*), sum({number}), max({number}) from {}{filter}", from.text)
            }
            5 => format!("select distinct {} from {}{filter}", self.exact(&from, kind), from.text),
            6 => {
                let other = self.from();
                let (left, right) = (self.exact(&from, kind), self.exact(&other, kind));
                let op = *self.random.pick(&["union", "union all", "intersect", "except"]);
                let condition = self.condition(&other, 1);
                format!(
                    "select {left} from {}{filter} {op} select {right} from {} where {condition}",
                    from.text, other.text
                )
            }
            7 => self.common_table(&from, &filter, kind),
            8 => {
                let other = self.one_table();
                let (column, kind) = self.column(&other, None).unwrap_or_else(|| ("1".to_owned(), Kind::Int));
                let (keys, found) = (from.keys().join(", "), self.scalar(&from, kind, 1));
                format!(
                    "select {keys}, {column} is null from {} join {} on {column} = ({found}){filter}",
                    from.text, other.text
                )
            }
            _ => {
                let keys = from.keys().join(", ");
                let outer = self.value(&From { columns: Vec::new(), ..from.clone() }, kind, 0);
                let value = self.exact(&from, kind);
                format!(
                    "select d.v, count(*), min(d.k) from (select {} as k, {value} as v from {}{filter}) d \
                     where d.v <> {outer} or d.v is null or d.k in (select id from {}) group by d.v order by {keys_of} ",
                    from.keys()[0],
                    from.text,
                    self.tables[self.random.below(self.tables.len())].name,
                    keys_of = {
                        let _ = keys;
                        "1"
                    },
                )
            }
        }
    }

    /// A common table with several references, of which one may need less of it.
    fn common_table(&mut self, from: &From, filter: &str, kind: Kind) -> String {
        let (key, value) = (from.keys()[0].clone(), self.exact(from, kind));
        let constant = self.value(&From { columns: Vec::new(), ..from.clone() }, kind, 0);
        let condition = match self.random.below(5) {
            0 => "a.k = 2".to_owned(),
            1 => format!("b.v = {constant}"),
            2 => "a.n >= (select max(n) from c)".to_owned(),
            3 => "exists (select 1 from c where c.k = a.n and c.v <=> b.v)".to_owned(),
            _ => "a.k not in (select n from c where v is not null)".to_owned(),
        };
        let join = *self.random.pick(&["join", "left join"]);
        format!(
            "with c as (select {key} as k, {value} as v, count(*) as n from {}{filter} group by 1, 2) \
             select a.k, a.v, b.n from c a {join} c b on a.v = b.v where {condition}",
            from.text
        )
    }

    /// A value that has one spelling: what compares equal is equal.
    fn exact(&mut self, from: &From, kind: Kind) -> String {
        let value = self.value(from, kind, 1);
        if kind == Kind::Folded { format!("lower({value})") } else { value }
    }
}
