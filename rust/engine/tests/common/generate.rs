//! Queries over the fixtures' schemas from a seed: the same seed gives the same statements everywhere.

use std::fmt::Write;

/// SplitMix64: small, even, and the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    /// A number of type INT: set operations of native Dolt bring other numbers to it.
    Int,
    Text,
    Moment,
}

struct Column {
    name: &'static str,
    kind: Kind,
    /// Literals that hit, miss and border on what is there.
    literals: &'static [&'static str],
}

struct Table {
    name: &'static str,
    key: &'static [&'static str],
    columns: &'static [Column],
    /// Column of this table, other table, its column.
    links: &'static [(&'static str, &'static str, &'static str)],
}

const fn number(name: &'static str, literals: &'static [&'static str]) -> Column {
    Column { name, kind: Kind::Number, literals }
}

const fn int(name: &'static str, literals: &'static [&'static str]) -> Column {
    Column { name, kind: Kind::Int, literals }
}

const fn text(name: &'static str, literals: &'static [&'static str]) -> Column {
    Column { name, kind: Kind::Text, literals }
}

const fn moment(name: &'static str, literals: &'static [&'static str]) -> Column {
    Column { name, kind: Kind::Moment, literals }
}

const LIBRARY: &[Table] = &[
    Table {
        name: "authors",
        key: &["id"],
        columns: &[
            int("id", &["1", "5", "11", "1003", "-4", "'7'"]),
            text("name", &["'River Stone'", "'M'", "'amber'", "'Zephyr Zephyr'", "''"]),
            number("born", &["1900", "1950", "1977", "'1960'"]),
            text("country", &["'GB'", "'fr'", "'JP'", "'ZZ'"]),
        ],
        links: &[("id", "books", "author_id")],
    },
    Table {
        name: "books",
        key: &["id"],
        columns: &[
            int("id", &["1", "17", "40", "0", "1000"]),
            int("author_id", &["1", "3", "8", "12"]),
            text("title", &["'The M'", "'Volume 5'", "'the q'", "''"]),
            number("price", &["9.99", "50", "0", "33.333", "'20'"]),
            moment("published", &["'1984-05-05'", "'2000-01-01'", "date '1970-06-15'", "'1999-12-31 12:00:00'"]),
        ],
        links: &[("author_id", "authors", "id"), ("id", "loans", "book_id")],
    },
    Table {
        name: "members",
        key: &["id"],
        columns: &[
            number("id", &["1000", "1005", "1015"]),
            text("email", &["'amber0@example.org'", "'m'", "'z'"]),
            moment("joined", &["'2015-01-01'", "'2022-02-02 02:02:10'", "'2019-06-10 05:30:00'"]),
            number("active", &["0", "1", "true"]),
        ],
        links: &[("id", "loans", "member_id")],
    },
    Table {
        name: "loans",
        key: &["member_id", "book_id", "taken"],
        columns: &[
            number("member_id", &["1000", "1010", "1020"]),
            int("book_id", &["5", "20", "55"]),
            moment("taken", &["'2023-05-05'", "'2023-08-08 12:00:00'", "'2023-10-10 10:10:10.004'"]),
            moment("returned", &["'2023-12-01'", "'2023-12-01 00:00:00'"]),
        ],
        links: &[("member_id", "members", "id"), ("book_id", "books", "id")],
    },
];

const TYPES: &[Table] = &[
    Table {
        name: "ints",
        key: &["id"],
        columns: &[
            int("id", &["1", "3", "4"]),
            number("t", &["-128", "0", "5", "127", "200"]),
            number("tu", &["0", "255", "-1"]),
            number("su", &["1", "65535"]),
            number("i", &["-1", "2147483647", "2147483648"]),
            number("iu", &["0", "4294967295"]),
            number("b", &["-1", "9223372036854775807", "-9223372036854775808"]),
            number("bu", &["1", "18446744073709551615", "-1"]),
        ],
        links: &[("id", "decs", "id"), ("t", "keyless", "a")],
    },
    Table {
        name: "decs",
        key: &["id"],
        columns: &[
            int("id", &["2", "6", "9"]),
            number("d0", &["1", "-9", "2.5"]),
            number("d1", &["0.01", "-0.01", "1", "99999999.99"]),
            number("d4", &["0.5", "0.1", "0"]),
            number("db", &["1e-1", "9007199254740992e0", "0"]),
        ],
        links: &[("id", "times", "id"), ("d0", "ints", "id")],
    },
    Table {
        name: "times",
        key: &["id"],
        columns: &[
            int("id", &["2", "5"]),
            moment("d", &["'2024-02-29'", "'1000-01-01'", "'9999-12-31'", "'2024-02-29 01:00:00'"]),
            moment("dt", &["'2024-02-29 12:34:56'", "'1969-12-31 23:59:59'", "'2024-02-29'"]),
            moment("dt6", &["'2024-02-29 12:34:56.789012'", "'1900-01-01'"]),
            moment("ts", &["'2024-02-29 12:34:56'", "'2001-09-09 01:46:40'"]),
        ],
        links: &[("id", "strs", "id")],
    },
    Table {
        name: "strs",
        key: &["id"],
        columns: &[
            int("id", &["2", "4"]),
            text("c", &["'abc'", "'日本語'", "''", "'ABC'"]),
            text("v", &["'%_'", "'naïve café'", "'trailing'", "'a\\nb'"]),
            text("tt", &["'NULL'", "''", "'ñ'", "'n'"]),
        ],
        links: &[("id", "coll", "id"), ("id", "ints", "id")],
    },
    Table {
        name: "coll",
        key: &["id"],
        columns: &[int("id", &["2", "6"]), text("ubin", &["'ABC'", "'abc'", "'ab'"])],
        links: &[("id", "strs", "id")],
    },
    Table {
        name: "keyless",
        key: &["a", "b"],
        columns: &[int("a", &["1", "2", "0"]), text("b", &["'x'", "''", "'X'"])],
        links: &[("a", "keyless_idx", "a"), ("a", "ints", "id")],
    },
    Table {
        name: "keyless_idx",
        key: &["a", "b", "c"],
        columns: &[int("a", &["1", "2"]), text("b", &["'x'", "'z'"]), number("c", &["1.5", "-0.25", "0"])],
        links: &[("a", "composite", "b"), ("b", "keyless", "b")],
    },
    Table {
        name: "composite",
        key: &["b", "a", "d"],
        columns: &[
            text("a", &["'x'", "'X'", "''", "'m'"]),
            int("b", &["1", "2", "0", "-5"]),
            number("d", &["1.5", "-1.5", "0"]),
            text("v", &["'prefix one'", "'pre'", "''"]),
        ],
        links: &[("b", "ints", "id")],
    },
    Table {
        name: "idx",
        key: &["id"],
        columns: &[
            int("id", &["100", "102"]),
            int("a", &["5", "3", "4.0"]),
            text("b", &["'five'", "'f'", "'none'"]),
            text("c", &["'five text body'", "''", "'g'"]),
        ],
        links: &[("a", "ints", "id")],
    },
];

/// All statements, with the USE that they need.
pub fn script(seed: u64, each: usize) -> String {
    let mut script = String::new();
    for (number, (database, tables)) in
        [("archive", LIBRARY), ("mixed", LIBRARY), ("journal", LIBRARY), ("types", TYPES)].into_iter().enumerate()
    {
        let mut random = Random::new(seed + number as u64);
        let _ = writeln!(script, "use {database};");
        for _ in 0..each {
            let sql = Generator { random: &mut random, tables, from: Vec::new() }.statement();
            let _ = writeln!(script, "{sql};");
        }
    }
    script
}

struct Generator<'g> {
    random: &'g mut Random,
    tables: &'static [Table],
    /// Alias and table.
    from: Vec<(String, &'static Table)>,
}

impl Generator<'_> {
    fn statement(mut self) -> String {
        match self.random.below(10) {
            0..=3 => self.rows(),
            4..=6 => self.groups(),
            7 => self.set_operation(),
            8 => self.with_subquery(),
            _ => self.distinct(),
        }
    }

    fn table(&self, name: &str) -> &'static Table {
        self.tables.iter().find(|table| table.name == name).expect("a link leads to a table")
    }

    /// FROM with up to three joined tables.
    fn from(&mut self, most: usize) -> String {
        let first = self.random.pick(self.tables);
        self.from.push(("t0".to_owned(), first));
        let mut text = format!("{} t0", first.name);
        let joins = self.random.below(most);
        for number in 1..=joins {
            let (alias, table) = self.random.pick(&self.from).clone();
            let Some((column, other, other_column)) = (!table.links.is_empty()).then(|| *self.random.pick(table.links))
            else {
                break;
            };
            let kind = *self.random.pick(&["join", "left join", "right join", "inner join", "left join"]);
            let new = format!("t{number}");
            let _ = write!(text, " {kind} {other} {new} on {alias}.{column} = {new}.{other_column}");
            self.from.push((new.clone(), self.table(other)));
            // A further condition of an outer join: native Dolt's merge joins lose rows by it.
            if kind.ends_with("join") && !kind.starts_with(['l', 'r']) && self.random.chance(40) {
                let extra = self.condition_on(self.from.len() - 1);
                let _ = write!(text, " and {extra}");
            }
        }
        text
    }

    fn column(&mut self) -> (String, &'static Column) {
        let at = self.random.below(self.from.len());
        let (alias, table) = self.from[at].clone();
        let column = self.random.pick(table.columns);
        (format!("{alias}.{}", column.name), column)
    }

    fn column_of(&mut self, kind: Kind) -> Option<String> {
        for _ in 0..6 {
            let (name, column) = self.column();
            if column.kind == kind || (kind == Kind::Number && column.kind == Kind::Int) {
                return Some(name);
            }
        }
        None
    }

    fn condition_on(&mut self, at: usize) -> String {
        let (alias, table) = self.from[at].clone();
        let column = self.random.pick(table.columns);
        self.condition_of(&format!("{alias}.{}", column.name), column)
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.chance(45) {
            let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
            let operator = *self.random.pick(&["and", "or", "and", "or", "xor"]);
            let not = if self.random.chance(15) { "not " } else { "" };
            return format!("{not}({left} {operator} {right})");
        }
        let (name, column) = self.column();
        self.condition_of(&name, column)
    }

    fn condition_of(&mut self, name: &str, column: &Column) -> String {
        let literal = *self.random.pick(column.literals);
        let other = *self.random.pick(column.literals);
        match self.random.below(12) {
            0 => format!("{name} is null"),
            1 => format!("{name} is not null"),
            2 => format!("{name} between {literal} and {other}"),
            3 => format!("{name} not between {literal} and {other}"),
            4 => format!("{name} in ({literal}, {other})"),
            5 => format!("{name} not in ({literal}, {other})"),
            6 => format!("{name} <=> {literal}"),
            7 if column.kind == Kind::Text => {
                format!("{name} like '{}'", self.random.pick(&["%e%", "_a%", "A%", "%", "%r", "t%e"]))
            }
            _ => {
                let operator = *self.random.pick(&["=", "<", ">", "<=", ">=", "<>", "!="]);
                if self.random.chance(20) {
                    format!("{literal} {operator} {name}")
                } else {
                    format!("{name} {operator} {literal}")
                }
            }
        }
    }

    fn scalar(&mut self) -> String {
        let (name, column) = self.column();
        match (column.kind, self.random.below(8)) {
            (Kind::Number | Kind::Int, 0) => format!("{name} + 1"),
            (Kind::Number | Kind::Int, 1) => format!("{name} * 2"),
            (Kind::Number | Kind::Int, 2) => format!("{name} % 7"),
            (Kind::Number | Kind::Int, 3) => format!("coalesce({name}, -1)"),
            (Kind::Number | Kind::Int, 4) => {
                format!("case when {name} > 5 then 'high' when {name} <= 5 then 'low' else 'none' end")
            }
            (Kind::Text, 0) => format!("upper({name})"),
            (Kind::Text, 1) => format!("char_length({name})"),
            (Kind::Text, 2) => format!("concat({name}, '!')"),
            (Kind::Text, 3) => format!("ifnull({name}, 'nothing')"),
            (Kind::Text, 4) => format!("left({name}, 2)"),
            (Kind::Moment, 0) => format!("year({name})"),
            (Kind::Moment, 1) => format!("{name} is null"),
            (Kind::Moment, 2) => format!("month({name})"),
            _ => name,
        }
    }

    fn filter(&mut self, percent: usize) -> String {
        if self.random.chance(percent) { format!(" where {}", self.condition(2)) } else { String::new() }
    }

    /// Every row has its place in this order, up to rows that are equal.
    fn full_order(&mut self, width: usize) -> String {
        let mut items: Vec<String> = (1..=width).map(|n| n.to_string()).collect();
        let turns = self.random.below(width);
        items.rotate_left(turns);
        for item in &mut items {
            if self.random.chance(30) {
                item.push_str(" desc");
            }
        }
        format!(" order by {}", items.join(", "))
    }

    fn limit(&mut self) -> String {
        match self.random.below(3) {
            0 => String::new(),
            1 => format!(" limit {}", self.random.below(12)),
            _ => format!(" limit {} offset {}", 1 + self.random.below(12), self.random.below(8)),
        }
    }

    fn rows(&mut self) -> String {
        let from = self.from(4);
        let width = 1 + self.random.below(4);
        let items: Vec<String> = (0..width).map(|_| self.scalar()).collect();
        let filter = self.filter(80);
        let mut sql = format!("select {} from {from}{filter}", items.join(", "));
        if self.random.chance(60) {
            sql += &self.full_order(width);
            sql += &self.limit();
        }
        sql
    }

    fn distinct(&mut self) -> String {
        let from = self.from(3);
        let width = 1 + self.random.below(2);
        let ordered = self.random.chance(50);
        // Native Dolt cannot sort distinct rows by an expression.
        let items: Vec<String> = (0..width).map(|_| if ordered { self.column().0 } else { self.scalar() }).collect();
        let filter = self.filter(50);
        let order = if ordered { self.full_order(width) } else { String::new() };
        format!("select distinct {} from {from}{filter}{order}", items.join(", "))
    }

    fn aggregate(&mut self) -> String {
        let number = self.column_of(Kind::Number);
        let (any, _) = self.column();
        match (self.random.below(10), number) {
            (0, _) => "count(*)".to_owned(),
            (1, _) => format!("count({any})"),
            (2, _) => format!("count(distinct {any})"),
            (3, Some(number)) => format!("sum({number})"),
            (4, Some(number)) => format!("avg({number})"),
            (5, _) => format!("min({any})"),
            (6, _) => format!("max({any})"),
            (7, Some(number)) => format!("sum(distinct {number})"),
            (8, _) => format!("group_concat({any} order by {any} separator '|')"),
            (_, Some(number)) => format!("max({number}) - min({number})"),
            _ => "count(*)".to_owned(),
        }
    }

    fn groups(&mut self) -> String {
        let from = self.from(3);
        let filter = self.filter(60);
        let groups: Vec<String> = (0..self.random.below(3)).map(|_| self.column().0).collect();
        let calls: Vec<String> = (0..1 + self.random.below(3)).map(|_| self.aggregate()).collect();
        let items: Vec<String> = groups.iter().chain(&calls).cloned().collect();
        let mut sql = format!("select {} from {from}{filter}", items.join(", "));
        if !groups.is_empty() {
            let _ = write!(sql, " group by {}", groups.join(", "));
            if self.random.chance(40) {
                let _ =
                    write!(sql, " having count(*) {} {}", self.random.pick(&[">", "<=", "="]), self.random.below(4));
            }
            if self.random.chance(60) {
                sql += &self.full_order(items.len());
                sql += &self.limit();
            }
        }
        sql
    }

    fn set_operation(&mut self) -> String {
        let width = 1 + self.random.below(2);
        let mut arms = Vec::new();
        for _ in 0..2 + self.random.below(2) {
            self.from.clear();
            let from = self.from(2);
            // The names of one list differ: native Dolt takes ORDER BY 1 as the name of the first.
            let mut items: Vec<String> = Vec::new();
            for number in 1..=width {
                let column = self.column_of(Kind::Int).unwrap_or_else(|| format!("{}.id", self.from[0].0));
                items.push(format!("{column} as c{number}"));
            }
            let filter = self.filter(50);
            arms.push(format!("select {} from {from}{filter}", items.join(", ")));
        }
        let operator = *self.random.pick(&["union", "union all", "intersect", "except", "union"]);
        let order = if self.random.chance(50) { self.full_order(width) } else { String::new() };
        format!("{}{order}", arms.join(&format!(" {operator} ")))
    }

    fn with_subquery(&mut self) -> String {
        let outer = self.random.pick(self.tables);
        let Some((column, other, other_column)) = (!outer.links.is_empty()).then(|| *self.random.pick(outer.links))
        else {
            return self.rows();
        };
        let inner = self.table(other);
        self.from = vec![("i".to_owned(), inner)];
        // Native Dolt loses rows where a condition fixes the column by which the subquery is tied to the outer row.
        let tied = format!("i.{other_column}");
        let condition = (0..8).map(|_| self.condition(1)).find(|condition| !condition.contains(&tied));
        let condition = condition.unwrap_or_else(|| "true".to_owned());
        let aggregate = self.aggregate();
        let kind = self.random.below(6);
        self.from = vec![("o".to_owned(), outer)];
        let plain = self.condition(1);
        let keys: Vec<String> = outer.key.iter().map(|key| format!("o.{key}")).collect();
        let shown = keys.join(", ");
        let name = outer.name;
        match kind {
            0 => format!(
                "select {shown} from {name} o where o.{column} in (select i.{other_column} from {other} i where {condition})"
            ),
            1 => format!(
                "select {shown} from {name} o where o.{column} not in (select i.{other_column} from {other} i where {condition})"
            ),
            2 => format!(
                "select {shown} from {name} o where exists (select 1 from {other} i where i.{other_column} = o.{column} and {condition})"
            ),
            3 => format!(
                "select {shown} from {name} o where not exists (select 1 from {other} i where i.{other_column} = o.{column} and {condition}) and {plain}"
            ),
            4 => format!(
                "select {shown}, (select {aggregate} from {other} i where i.{other_column} = o.{column} and {condition}) from {name} o where {plain}"
            ),
            _ => format!(
                "with i as (select * from {other} i where {condition}) select {shown}, i.{other_column} from {name} o join i on i.{other_column} = o.{column} where {plain}"
            ),
        }
    }
}
