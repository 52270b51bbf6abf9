//! Values and expressions: every function of the engine, operators, casts and comparisons over all types, with NULLs and
//! the ends of each type; in the select list, in WHERE and ORDER BY, in aggregates, and assigned to columns.

use std::sync::LazyLock;

use engine::functions::{self, Entry, Form, Traits};

use crate::common::generate::Random;
use crate::script::{self, Step};

/// What an expression is about. Native Dolt and Varve turn anything into anything: it says what makes sense most of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Number,
    /// A whole number that makes sense as a count or a place.
    Small,
    Text,
    Moment,
    /// Not a moment: as one it is of today.
    Time,
    Json,
    Geometry,
    Condition,
    Any,
}

struct Column {
    kind: Kind,
    name: &'static str,
    ty: &'static str,
    /// Those at its ends, and plain ones.
    values: &'static [&'static str],
}

const fn column(kind: Kind, name: &'static str, ty: &'static str, values: &'static [&'static str]) -> Column {
    Column { kind, name, ty, values }
}

const COLUMNS: &[Column] = &[
    column(Kind::Number, "ti", "tinyint", &["-128", "127", "0", "5"]),
    column(Kind::Number, "tu", "tinyint unsigned", &["255", "0", "7"]),
    column(Kind::Number, "si", "smallint", &["-32768", "300", "1"]),
    column(Kind::Number, "i", "int", &["-2147483648", "2147483647", "10", "-1"]),
    column(Kind::Number, "iu", "int unsigned", &["4294967295", "0", "12"]),
    column(Kind::Number, "b", "bigint", &["-9223372036854775808", "9223372036854775807", "100"]),
    column(Kind::Number, "bu", "bigint unsigned", &["18446744073709551615", "0", "3"]),
    column(Kind::Number, "d", "decimal(10,2)", &["99999999.99", "-0.01", "1.50", "-12.35"]),
    column(Kind::Number, "dd", "decimal(40,20)", &["12345678901234567890.12345678901234567890", "-0.5", "2"]),
    column(Kind::Number, "f", "float", &["1.5", "-0.1", "16777216", "3.4e38"]),
    column(Kind::Number, "db", "double", &["0.1", "-1e300", "2.5", "1e-300"]),
    column(Kind::Number, "y", "year", &["1901", "2155", "2024", "0"]),
    column(Kind::Number, "bt", "bit(8)", &["b'0'", "b'11111111'", "65"]),
    column(Kind::Text, "c", "char(5)", &["''", "'abc'", "'A b'", "'12'"]),
    column(Kind::Text, "vc", "varchar(20)", &["'abc'", "'ABC'", "'naïve'", "'-3.7x'", "'2024-02-29'"]),
    column(Kind::Text, "vg", "varchar(20) collate utf8mb4_general_ci", &["'abc'", "'ÀBC'", "'ss'", "' x '"]),
    column(Kind::Text, "va", "varchar(20) collate utf8mb4_0900_ai_ci", &["'abc'", "'Straße'", "'日本'", "''"]),
    column(Kind::Text, "tx", "text", &["'a,b,c'", "'10:11:12'", "'{\"a\": 1}'", "'🌊'"]),
    column(Kind::Text, "vb", "varbinary(10)", &["x'00ff'", "'abc'", "''"]),
    column(Kind::Text, "en", "enum('one','two','three')", &["'one'", "'three'", "2"]),
    column(Kind::Text, "st", "set('a','b','c')", &["'a,c'", "''", "3"]),
    column(Kind::Moment, "da", "date", &["'2024-02-29'", "'1000-01-01'", "'9999-12-31'", "'1969-12-31'"]),
    column(Kind::Time, "t", "time", &["'-838:59:59'", "'10:11:12.345'", "'00:00:00'"]),
    column(Kind::Moment, "dt", "datetime", &["'2024-02-29 23:59:59'", "'1999-12-31 00:00:00'"]),
    column(Kind::Moment, "dm", "datetime(6)", &["'2024-12-31 23:59:59.999999'", "'2000-01-01 12:00:00.5'"]),
    column(Kind::Moment, "ts", "timestamp", &["'1970-01-01 00:00:01'", "'2024-06-15 12:30:45'"]),
    column(
        Kind::Json,
        "js",
        "json",
        &["'{\"a\": 1, \"b\": [1, 2.5, \"x\"]}'", "'[]'", "'\"text\"'", "'null'", "'17'", "'true'"],
    ),
];

/// Literals without a stored form.
fn literals(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Number => &[
            "0",
            "1",
            "-1",
            "2",
            "3",
            "10",
            "0.5",
            "-2.5",
            "1.005",
            "99.995",
            "1e10",
            "1.5e0",
            "-0.0",
            "255",
            "65536",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "123456789012345678901234567890",
            "0x1F",
            "b'101'",
            "true",
        ],
        Kind::Small => &["0", "1", "2", "3", "-1", "5", "10", "64"],
        Kind::Text => &[
            "''",
            "'a'",
            "'abc'",
            "'ABC'",
            "'a b c'",
            "'  x '",
            "'12'",
            "'-1.5e2'",
            "'abc12'",
            "'1,2,3'",
            "'é'",
            "'ß'",
            "'日本語'",
            "x'414243'",
            "'%b_'",
            "'127.0.0.1'",
            "'a.b.c'",
            "'YWJj'",
            "'2024-01-31'",
            "'11:22:33'",
            "_utf8mb4'x'",
            "'0x1F'",
            "'true'",
            "'::1'",
        ],
        Kind::Moment => &[
            "'2024-02-29'",
            "'2023-12-31 23:59:59'",
            "'2024-01-31 10:20:30.123456'",
            "date '2000-02-29'",
            "timestamp '2001-02-03 04:05:06'",
            "20240229",
            "20240229101112",
            "'0000-00-00'",
            "'2024-13-01'",
            "'24-1-5'",
        ],
        Kind::Time => &["time '12:34:56'", "'10:11:12'", "'-01:02:03.5'", "101112"],
        Kind::Json => &[
            "'{\"a\": {\"b\": [1, 2, null]}, \"c\": \"d\"}'",
            "'[1, \"2\", 3.50, true]'",
            "'[]'",
            "'{}'",
            "'\"s\"'",
            "'1e5'",
            "json_array(1, 'a', null)",
            "json_object('k', 1.5, 'l', '[1]')",
            "cast('[3, {\"a\": 1}]' as json)",
        ],
        Kind::Geometry => &[
            "point(1, 2)",
            "st_geomfromtext('LINESTRING(0 0, 3 4, 5 5)')",
            "st_geomfromtext('POLYGON((0 0, 4 0, 4 4, 0 4, 0 0))')",
            "st_geomfromtext('POINT(3 1)', 4326)",
            "st_geomfromtext('MULTIPOINT(0 0, 1 1)')",
            "linestring(point(0, 0), point(1, 1))",
        ],
        Kind::Condition => &["true", "false", "null", "1 = 1"],
        Kind::Any => &["null"],
    }
}

/// What the documented functions do not say by their names: operators and calls with words in them. Capitals are holes.
const TEMPLATES: &[(Kind, &[&str])] = &[
    (
        Kind::Number,
        &[
            "(NUM + NUM)",
            "(NUM - NUM)",
            "(NUM * NUM)",
            "(NUM / NUM)",
            "(NUM div NUM)",
            "(NUM % NUM)",
            "(- NUM)",
            "(ANY + 0)",
            "(NUM & NUM)",
            "(NUM | NUM)",
            "(NUM ^ NUM)",
            "(NUM << SML)",
            "(NUM >> SML)",
            "cast(ANY as signed)",
            "cast(ANY as unsigned)",
            "cast(ANY as decimal(10,2))",
            "cast(ANY as decimal(65,30))",
            "cast(ANY as double)",
            "cast(ANY as float)",
            "cast(ANY as year)",
            "extract(UNIT from MOM)",
            "timestampdiff(SIMPLE, MOM, MOM)",
            "time_to_sec(TIME)",
            "hour(TIME)",
            "microsecond(TIME)",
            "position(TXT in TXT)",
            "convert(TXT, decimal(6,1))",
            "json_value(JSN, PATH)",
        ],
    ),
    (
        Kind::Text,
        &[
            "cast(ANY as char)",
            "cast(TXT as char(2))",
            "cast(ANY as binary)",
            "cast(TXT as binary(4))",
            "concat(ANY, TXT)",
            "concat_ws(TXT, ANY, ANY)",
            "trim(both TXT from TXT)",
            "trim(leading 'a' from TXT)",
            "convert(TXT using utf8mb4)",
            "(TXT collate utf8mb4_bin)",
            "(TXT collate utf8mb4_0900_ai_ci)",
            "date_format(MOM, FORMAT)",
            "time_format(TIME, FORMAT)",
            "hex(ANY)",
            "quote(ANY)",
            "substring(TXT from SML for SML)",
            "json_unquote(json_extract(JSN, PATH))",
            "char(NUM using utf8mb4)",
            "upper(ANY)",
            "get_format(date, 'EUR')",
            "format(NUM, SML)",
            "conv(NUM, 10, SML)",
        ],
    ),
    (
        Kind::Moment,
        &[
            "cast(ANY as date)",
            "cast(ANY as datetime)",
            "cast(ANY as datetime(3))",
            "(MOM + interval SML SIMPLE)",
            "(MOM - interval NUM SIMPLE)",
            "date_add(MOM, interval TXT UNIT)",
            "date_sub(MOM, interval SML UNIT)",
            "timestampadd(SIMPLE, SML, MOM)",
            "str_to_date(TXT, FORMAT)",
            "str_to_date(MOM, '%Y-%m-%d')",
            "from_unixtime(NUM)",
            "makedate(SML, SML)",
            "date(ANY)",
            "timestamp(ANY)",
        ],
    ),
    (
        Kind::Json,
        &[
            "cast(ANY as json)",
            "json_extract(JSN, PATH)",
            "json_set(JSN, PATH, ANY)",
            "json_array(ANY, ANY)",
            "json_object('k', ANY, TXT, ANY)",
            "json_remove(JSN, PATH)",
            "json_keys(JSN, PATH)",
            "json_search(JSN, 'one', TXT)",
            "json_contains_path(JSN, 'all', PATH, PATH)",
            "json_insert(JSN, PATH, ANY)",
            "json_replace(JSN, PATH, ANY)",
            "json_array_append(JSN, PATH, ANY)",
            "json_array_insert(JSN, PATH, ANY)",
            "json_contains(JSN, JSN, PATH)",
        ],
    ),
    (Kind::Time, &["timediff(TIME, TIME)", "timediff(MOM, MOM)", "cast(MOM as time(6))", "time(MOM)"]),
    (Kind::Geometry, &["point(NUM, NUM)", "st_geomfromtext(st_astext(GEO))", "st_swapxy(GEO)"]),
    (
        Kind::Condition,
        &[
            "(NUM = NUM)",
            "(ANY = ANY)",
            "(ANY < ANY)",
            "(ANY >= ANY)",
            "(ANY <=> ANY)",
            "(ANY <> ANY)",
            "(TXT = TXT)",
            "(MOM < MOM)",
            "(JSN = ANY)",
            "(ANY is null)",
            "(ANY is not null)",
            "(COND is true)",
            "(ANY between ANY and ANY)",
            "(ANY not in (ANY, ANY))",
            "(ANY in (ANY, ANY, null))",
            "(TXT like TXT)",
            "(ANY like '%1%')",
            "(TXT not like 'a%' escape '|')",
            "(TXT regexp 'a|b+')",
            "(COND and COND)",
            "(COND or COND)",
            "(COND xor ANY)",
            "(not COND)",
            "(! ANY)",
            "((ANY, ANY) = (ANY, ANY))",
            "(TXT = cast(TXT as binary))",
            "(MOM = TXT)",
            "(NUM = TXT)",
        ],
    ),
    (
        Kind::Any,
        &[
            "if(COND, ANY, ANY)",
            "ifnull(ANY, ANY)",
            "coalesce(ANY, ANY, ANY)",
            "nullif(ANY, ANY)",
            "case when COND then ANY else ANY end",
            "case ANY when ANY then ANY when ANY then ANY end",
            "greatest(ANY, ANY)",
            "least(NUM, ANY)",
            "elt(SML, ANY, ANY)",
            "field(ANY, ANY, ANY)",
            "interval(NUM, 1, 5)",
            "(COND)",
        ],
    ),
];

const UNITS: &[&str] = &[
    "microsecond",
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "year",
    "second_microsecond",
    "minute_second",
    "hour_minute",
    "day_hour",
    "day_second",
    "year_month",
];
const SIMPLE_UNITS: &[&str] = &["microsecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"];
const FORMATS: &[&str] =
    &["'%Y-%m-%d'", "'%H:%i:%s.%f'", "'%a %D %b %y %j'", "'%U %u %V %v %X %x %w'", "'%r %T %p %l %k'", "'%d,%m,%Y'"];
const PATHS: &[&str] =
    &["'$'", "'$.a'", "'$.b[1]'", "'$[0]'", "'$.a.b[last]'", "'$.c'", "'$[*]'", "'$**.a'", "'$[1 to 2]'", "'$.\"k\"'"];

/// A function: its name, how many arguments it takes, and what they are.
struct Function {
    name: &'static str,
    least: usize,
    most: usize,
    arguments: Kind,
}

/// Arguments of those that take any number.
const MANY: usize = 4;

/// What the functions of a section are about; the others answer something else each time, or have templates.
fn kind_of_section(section: &str) -> Option<Kind> {
    Some(match section {
        "Control and NULL" | "Digests and compression" => Kind::Any,
        "Dates and times" => Kind::Moment,
        "JSON" => Kind::Json,
        "Numbers" => Kind::Number,
        "Regular expressions" | "Text" | "UUIDs and addresses" => Kind::Text,
        "Spatial" => Kind::Geometry,
        _ => return None,
    })
}

/// Functions that are written with words between their arguments, or whose answer depends on the server.
const NOT_CALLED: &[&str] = &[
    "cast_decimal",
    "compress",
    "char_using",
    "convert_using",
    "date_add",
    "date_sub",
    "extract",
    "get_format",
    "load_file",
    "minus_interval",
    "name_const",
    "plus_interval",
    "position",
    "time",
    "timediff",
    "timestampadd",
    "timestampdiff",
];

/// In the order of docs/functions.md, so that a seed keeps its script.
static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let is_called = |entry: &&Entry<functions::Function>| {
        let function = entry.function;
        let is_rewritten =
            matches!(function.form, Form::AddDays | Form::Grouping | Form::If | Form::Modulo | Form::SubtractDays);
        function.is_deterministic() && !function.is(Traits::INTERNAL) && !is_rewritten
    };
    let entries = functions::SCALAR_FAMILIES.iter().flat_map(|family| {
        family
            .entries
            .iter()
            .filter(is_called)
            .filter_map(move |entry| Some((kind_of_section(family.heading)?, family, entry)))
    });
    let mut all: Vec<(&str, Function)> = entries
        .flat_map(|(arguments, family, entry)| {
            let (least, most) = entry.function.arity;
            let most = if most == usize::MAX { MANY.max(least) } else { most };
            let names = std::iter::once(entry.function.name).chain(entry.aliases.iter().copied());
            names.map(move |name| (family.heading, Function { name, least, most, arguments }))
        })
        .filter(|(_, function)| !NOT_CALLED.contains(&function.name))
        .collect();
    all.sort_by_key(|(heading, function)| (*heading, function.name));
    all.into_iter().map(|(_, function)| function).collect()
});

/// Columns of a script: few enough to be read.
const COLUMNS_OF_A_SCRIPT: usize = 9;

/// A table with columns of several types, and statements about it.
pub fn script(random: &mut Random) -> Vec<Step> {
    let first = random.below(COLUMNS.len());
    let columns: Vec<&Column> = COLUMNS.iter().cycle().skip(first).step_by(5).take(COLUMNS_OF_A_SCRIPT).collect();
    let definitions: Vec<String> = columns.iter().map(|column| format!("{} {}", column.name, column.ty)).collect();
    let mut statements = vec![
        format!("create table v (id int primary key, {})", definitions.join(", ")),
        "insert into v (id) values (1), (2), (3)".to_owned(),
    ];
    for column in &columns {
        let [one, two] = [(); 2].map(|()| *random.pick(column.values));
        statements.push(format!("update v set {} = if(id = 1, {one}, {two}) where id < 3", column.name));
    }
    let mut expressions = Expressions { random, columns };
    statements.extend((0..12).map(|_| expressions.statement()));
    script::of_one(statements)
}

struct Expressions<'r> {
    random: &'r mut Random,
    columns: Vec<&'static Column>,
}

impl Expressions<'_> {
    fn statement(&mut self) -> String {
        match self.random.below(20) {
            0 | 1 => format!("select id from v where {}", self.of(Kind::Condition, 2)),
            2 => format!("select id from v order by {}, id", self.of(Kind::Any, 1)),
            3 => {
                let call = *self.random.pick(&[
                    "count(ANY)",
                    "sum(ANY)",
                    "avg(NUM)",
                    "min(ANY)",
                    "max(ANY)",
                    "count(distinct ANY)",
                    "group_concat(ANY order by id)",
                    "bit_or(NUM)",
                    "bit_and(ANY)",
                    "std(NUM)",
                    "var_samp(NUM)",
                    "json_arrayagg(ANY)",
                ]);
                format!("select {} from v", self.filled(call, 1))
            }
            4 => format!("select {}, count(*) from v group by 1", self.of(Kind::Any, 1)),
            5 => {
                // Native Dolt assigns the number of an ENUM or SET to a column of text.
                self.columns.retain(|column| !["en", "st"].contains(&column.name));
                let column = *self.random.pick(&self.columns);
                let kind = if self.random.chance(60) { column.kind } else { Kind::Any };
                format!("update v set {} = {} where id = 1", column.name, self.of(kind, 1))
            }
            6 => {
                let column = self.random.pick(&self.columns).name;
                format!("select id, {column} from v where {column} in (select {column} from v where id < 3)")
            }
            7..=12 => format!("select id, {} from v", self.of(Kind::Any, 2)),
            _ => {
                let kind = *self.random.pick(&[
                    Kind::Number,
                    Kind::Text,
                    Kind::Moment,
                    Kind::Json,
                    Kind::Condition,
                    Kind::Geometry,
                ]);
                format!("select id, {} from v", self.of(kind, 2))
            }
        }
    }

    /// An expression of a kind, or now and then of another.
    fn of(&mut self, kind: Kind, depth: usize) -> String {
        let kind = match kind {
            Kind::Any => *self.random.pick(&[
                Kind::Number,
                Kind::Text,
                Kind::Moment,
                Kind::Json,
                Kind::Condition,
                Kind::Any,
                Kind::Text,
                Kind::Number,
            ]),
            kind if self.random.chance(4) => {
                *self.random.pick(&[Kind::Number, Kind::Text, Kind::Moment, Kind::Json, kind])
            }
            kind => kind,
        };
        if depth == 0 || self.random.chance(15) {
            return self.leaf(kind);
        }
        let templates = TEMPLATES.iter().find(|(of, _)| *of == kind).map_or(&[][..], |(_, templates)| templates);
        if templates.is_empty() || (kind != Kind::Condition && self.random.chance(50)) {
            return self.call(kind, depth);
        }
        let template = *self.random.pick(templates);
        self.filled(template, depth)
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let columns: Vec<&str> =
            self.columns.iter().filter(|column| column.kind == kind).map(|column| column.name).collect();
        match self.random.below(20) {
            0 => "null".to_owned(),
            1..=10 if !columns.is_empty() => (*self.random.pick(&columns)).to_owned(),
            _ => (*self.random.pick(literals(kind))).to_owned(),
        }
    }

    /// A function of the page about this kind.
    fn call(&mut self, kind: Kind, depth: usize) -> String {
        let of_kind: Vec<&Function> = FUNCTIONS.iter().filter(|function| function.arguments == kind).collect();
        let Some(function) = (!of_kind.is_empty()).then(|| *self.random.pick(&of_kind)) else { return self.leaf(kind) };
        let count = function.least + self.random.below(function.most - function.least + 1);
        let argument = |at: usize, expressions: &mut Self| {
            // What comes behind the first is often a count.
            let kind = match kind {
                Kind::Text | Kind::Number | Kind::Geometry | Kind::Moment
                    if at > 0 && expressions.random.chance(50) =>
                {
                    Kind::Small
                }
                kind => kind,
            };
            expressions.of(kind, depth - 1)
        };
        let arguments: Vec<String> = (0..count).map(|at| argument(at, self)).collect();
        format!("{}({})", function.name, arguments.join(", "))
    }

    /// A template with expressions in its holes.
    fn filled(&mut self, template: &str, depth: usize) -> String {
        let mut sql = String::new();
        for word in template.split_inclusive(|c: char| !c.is_ascii_uppercase()) {
            let (hole, rest) =
                word.split_at(word.len() - usize::from(!word.ends_with(|c: char| c.is_ascii_uppercase())));
            sql += &match hole {
                "NUM" => self.of(Kind::Number, depth - 1),
                "SML" => self.of(Kind::Small, 0),
                "TXT" => self.of(Kind::Text, depth - 1),
                "MOM" => self.of(Kind::Moment, depth - 1),
                "TIME" => self.of(Kind::Time, depth - 1),
                "JSN" => self.of(Kind::Json, depth - 1),
                "GEO" => self.of(Kind::Geometry, depth - 1),
                "COND" => self.of(Kind::Condition, depth - 1),
                "ANY" => self.of(Kind::Any, depth - 1),
                "UNIT" => (*self.random.pick(UNITS)).to_owned(),
                "SIMPLE" => (*self.random.pick(SIMPLE_UNITS)).to_owned(),
                "FORMAT" => (*self.random.pick(FORMATS)).to_owned(),
                "PATH" => (*self.random.pick(PATHS)).to_owned(),
                other => other.to_owned(),
            };
            sql += rest;
        }
        sql
    }
}
