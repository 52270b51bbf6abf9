//! Statements that are changed word by word, with words of other statements: literals, names, calls, operators, clauses, types,
//! options. Most of what comes out is still a statement.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use parse::lexer::Lexer;
use parse::token::TokenKind;

use crate::common::generate::Random;
use crate::script::Step;

/// A word of a statement with the space before it.
#[derive(Debug, Clone)]
struct Word {
    space: String,
    text: String,
    kind: TokenKind,
}

impl Word {
    fn is(&self, text: &str) -> bool {
        self.text.eq_ignore_ascii_case(text)
    }

    fn is_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }

    fn is_name(&self) -> bool {
        matches!(self.kind, TokenKind::Word(_))
    }
}

fn words(sql: &str) -> Vec<Word> {
    let (mut lexer, mut words, mut end) = (Lexer::new(sql, parse::Options::default()), Vec::new(), 0);
    loop {
        let token = lexer.next_token();
        if token.kind == TokenKind::End {
            return words;
        }
        let (start, next) = (token.span.start as usize, token.span.end as usize);
        words.push(Word { space: sql[end..start].into(), text: sql[start..next].into(), kind: token.kind });
        end = next;
    }
}

fn text(words: &[Word]) -> String {
    words.iter().map(|word| format!("{}{}", word.space, word.text)).collect::<String>().trim().to_owned()
}

pub fn is_query(sql: &str) -> bool {
    let first = sql.split_whitespace().next().unwrap_or_default().trim_start_matches('(').to_lowercase();
    ["select", "with", "show", "table", "values", "explain"].contains(&&*first)
}

/// What statements are made of.
#[derive(Default)]
pub struct Pool {
    tables: BTreeSet<String>,
    columns: BTreeSet<String>,
    /// By what they look like.
    literals: BTreeMap<Look, BTreeSet<String>>,
    /// Names of functions, by how they are called.
    calls: BTreeMap<String, BTreeSet<String>>,
    expressions: BTreeSet<String>,
    clauses: BTreeMap<usize, BTreeSet<String>>,
    types: BTreeSet<String>,
    /// Arguments of procedures.
    options: BTreeMap<String, BTreeSet<String>>,
}

/// What a statement may take its words from.
pub struct Pools<'p> {
    pub area: &'p Pool,
    /// That of the scripts over the same tables.
    pub home: &'p Pool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    Whole,
    Fraction,
    Bytes,
    Number,
    Moment,
    Document,
    Path,
    Pattern,
    Text,
}

fn look(word: &Word) -> Option<Look> {
    Some(match word.kind {
        TokenKind::Integer => Look::Whole,
        TokenKind::Decimal | TokenKind::Float => Look::Fraction,
        TokenKind::HexNumber | TokenKind::HexText | TokenKind::BitNumber | TokenKind::BitText => Look::Bytes,
        TokenKind::Text => {
            let inner = word.text.trim_matches(['\'', '"']);
            let digits = inner.bytes().filter(u8::is_ascii_digit).count();
            match inner.bytes().next() {
                Some(b'{' | b'[') => Look::Document,
                Some(b'$') => Look::Path,
                _ if inner.contains(['%', '^', '*', '|']) => Look::Pattern,
                _ if digits > 3 && inner.contains([':', '-']) => Look::Moment,
                _ if digits > 0 && inner.parse::<f64>().is_ok() => Look::Number,
                _ => Look::Text,
            }
        }
        _ => return None,
    })
}

const AGGREGATES: &[&str] = &[
    "sum",
    "count",
    "avg",
    "min",
    "max",
    "group_concat",
    "bit_and",
    "bit_or",
    "bit_xor",
    "std",
    "stddev",
    "variance",
    "stddev_pop",
    "stddev_samp",
    "var_pop",
    "var_samp",
    "json_arrayagg",
    "json_objectagg",
    "any_value",
    "first",
    "last",
];
const NO_CALLS: &[&str] = &[
    "in",
    "values",
    "and",
    "or",
    "not",
    "as",
    "exists",
    "from",
    "join",
    "on",
    "using",
    "over",
    "key",
    "index",
    "by",
    "select",
    "where",
    "then",
    "else",
    "when",
    "any",
    "all",
    "some",
    "primary",
    "unique",
    "check",
    "references",
    "into",
    "set",
    "enum",
    "union",
    "row_number",
    "rand",
    "now",
    "curdate",
    "curtime",
    "sysdate",
    "current_timestamp",
    "utc_timestamp",
    "utc_date",
    "utc_time",
    "unix_timestamp",
    "localtime",
    "localtimestamp",
    "current_date",
    "xor",
    "div",
    "current_time",
    "case",
    "having",
    "limit",
    "like",
    "between",
    "is",
    "interval",
    "partition",
    "version",
    "repeat",
    "lateral",
    "row_count",
];
const WORDS_IN_CALLS: &[&str] =
    &["as", "from", "using", "separator", "order", "distinct", "for", "in", "interval", "leading", "trailing", "both"];

/// A call: its name's place, and where its parentheses are.
struct Call {
    at: usize,
    arguments: Vec<Range<usize>>,
    end: usize,
    /// Calls with the same key can replace each other.
    key: String,
}

fn calls(words: &[Word]) -> Vec<Call> {
    let starts = |at: usize| {
        words[at].is_name()
            && !words[at].is_any(NO_CALLS)
            && (at == 0 || words[at - 1].text != ".")
            && words.get(at + 1).is_some_and(|next| next.text == "(" && next.space.is_empty())
    };
    (0..words.len()).filter(|at| starts(*at)).filter_map(|at| call(words, at)).collect()
}

fn call(words: &[Word], at: usize) -> Option<Call> {
    let end = closing(words, at + 1)?;
    let (mut depth, mut start, mut arguments, mut special) = (0, at + 2, Vec::new(), BTreeSet::new());
    for (place, word) in words.iter().enumerate().take(end).skip(at + 2) {
        match word.text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 0 => {
                arguments.push(start..place);
                start = place + 1;
            }
            _ if depth == 0 && word.is_any(WORDS_IN_CALLS) => {
                special.insert(word.text.to_lowercase());
            }
            _ => {}
        }
    }
    if start < end {
        arguments.push(start..end);
    }
    let is_window = words.get(end + 1).is_some_and(|next| next.is("over"));
    let class = match () {
        () if is_window => "window",
        () if words[at].is_any(AGGREGATES) => "aggregate",
        () if words[at].text.to_lowercase().starts_with("dolt_") => "dolt",
        () => "plain",
    };
    let special: Vec<String> = special.into_iter().collect();
    let key = format!("{class} {} {}", special.join(" "), arguments.len());
    Some(Call { at, arguments, end, key })
}

fn closing(words: &[Word], start: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(start) {
        match word.text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The clauses that follow FROM, in their order.
const CLAUSES: &[&str] = &["where", "group", "having", "order", "limit"];

/// Which clauses a statement has outside of parentheses, and where; nothing for what has several parts.
fn clauses(words: &[Word]) -> Vec<(usize, Range<usize>)> {
    let (mut depth, mut found): (usize, Vec<(usize, Range<usize>)>) = (0, Vec::new());
    for (at, word) in words.iter().enumerate() {
        match word.text.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if word.is_any(&["union", "intersect", "except"]) => return Vec::new(),
            _ => {
                let is_two = |next: &Word| next.is("by") || !word.is_any(&["group", "order"]);
                if let Some(kind) = CLAUSES.iter().position(|clause| word.is(clause))
                    && words.get(at + 1).is_some_and(is_two)
                {
                    if let Some(last) = found.last_mut() {
                        last.1.end = at;
                    }
                    found.push((kind, at..words.len()));
                }
            }
        }
    }
    found
}

const TYPES: &[&str] = &[
    "tinyint",
    "smallint",
    "mediumint",
    "int",
    "bigint",
    "decimal",
    "float",
    "double",
    "varchar",
    "char",
    "text",
    "tinytext",
    "longtext",
    "blob",
    "varbinary",
    "binary",
    "date",
    "datetime",
    "timestamp",
    "time",
    "year",
    "json",
    "bit",
    "boolean",
    "enum",
    "set",
    "point",
    "geometry",
];

/// Types in definitions of columns: with their length, and UNSIGNED.
fn types(words: &[Word]) -> Vec<Range<usize>> {
    if !words.first().is_some_and(|word| word.is_any(&["create", "alter"])) || words.iter().any(|word| word.is("begin"))
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    for at in 1..words.len() {
        let is_after_name = words[at - 1].is_name() || words[at - 1].kind == TokenKind::QuotedName;
        if !words[at].is_any(TYPES) || !is_after_name || words[at - 1].is_any(&["on", "default", "update"]) {
            continue;
        }
        let mut end = at + 1;
        if words.get(end).is_some_and(|next| next.text == "(") {
            end = closing(words, end).map_or(end, |close| close + 1);
        }
        if words.get(end).is_some_and(|next| next.is("unsigned")) {
            end += 1;
        }
        found.push(at..end);
    }
    found
}

impl Pool {
    /// All that is in a statement over tables.
    pub fn learn(&mut self, sql: &str) {
        let words = words(sql);
        self.learn_names(&words);
        for (kind, range) in clauses(&words).into_iter().filter(|_| is_query(sql)) {
            self.clauses.entry(kind).or_default().insert(text(&words[range]));
        }
        if is_query(sql) {
            self.learn_expressions(&words, |_| true);
        }
    }

    fn learn_names(&mut self, words: &[Word]) {
        let Some(at) = words.iter().take(4).position(|word| word.is("table")) else { return };
        let mut names = words[at + 1..].iter().filter(|word| !word.is_any(&["if", "not", "exists"]));
        if let Some(table) = names.next().filter(|word| word.is_name()) {
            self.tables.insert(table.text.clone());
        }
        for range in types(words) {
            self.columns.insert(words[range.start - 1].text.clone());
        }
    }

    /// What is in a statement and means the same over other tables.
    pub fn learn_constants(&mut self, sql: &str, home: &Pool) {
        let words = words(sql);
        for word in &words {
            if let Some(look) = look(word) {
                self.literals.entry(look).or_default().insert(word.text.clone());
            }
        }
        for range in types(&words) {
            self.types.insert(text(&words[range]));
        }
        if words.len() > 3 && words[0].is("call") {
            let options = self.options.entry(words[1].text.to_lowercase()).or_default();
            options.extend(words.iter().filter(|word| word.kind == TokenKind::Text).map(|word| word.text.clone()));
        }
        if !is_query(sql) {
            return;
        }
        for call in calls(&words) {
            self.calls.entry(call.key).or_default().insert(words[call.at].text.to_lowercase());
        }
        let is_of_home = |word: &Word| home.tables.contains(&word.text) || home.columns.contains(&word.text);
        self.learn_expressions(&words, |words| {
            !words.iter().any(|word| is_of_home(word) || word.text == "." || word.is("select"))
        });
    }

    fn learn_expressions(&mut self, words: &[Word], is_wanted: impl Fn(&[Word]) -> bool) {
        let whole =
            calls(words).into_iter().filter(|call| call.key.starts_with("plain")).map(|call| call.at..call.end + 1);
        let nested = (0..words.len()).filter(|at| words[*at].text == "(").filter_map(|at| {
            let is_alone = at == 0 || !words[at - 1].is_name();
            closing(words, at).filter(|_| is_alone).map(|end| at..end + 1)
        });
        for range in whole.chain(nested).filter(|range| range.len() < 25) {
            if is_wanted(&words[range.clone()]) {
                self.expressions.insert(text(&words[range]));
            }
        }
    }
}

fn any<'t, T>(random: &mut Random, of: &'t BTreeSet<T>) -> Option<&'t T> {
    (!of.is_empty()).then(|| of.iter().nth(random.below(of.len())).expect("within the set"))
}

/// A step that is changed in so many of a hundred cases, once or twice; seldom it is no statement of our grammar.
pub fn step(step: &Step, pools: &Pools<'_>, random: &mut Random, percent: usize) -> Step {
    let lower = step.sql.to_lowercase();
    // A loop must keep its end, and what is another thing each time must not be shown.
    let is_fixed =
        [" loop", "while ", "until ", "now(", "current_", "cur", "sysdate", "utc_", "unix_timestamp()", "recursive"];
    if !random.chance(percent) || is_fixed.iter().any(|words| lower.contains(words)) {
        return step.clone();
    }
    for _ in 0..6 {
        let mut words = words(&step.sql);
        for _ in 0..1 + random.below(2) {
            for _ in 0..8 {
                if mutate(&mut words, pools, random).is_some() {
                    break;
                }
            }
        }
        let sql = text(&words);
        let parsed = parse::statement(&sql, &parse::Options::default());
        let is_statement = parsed.statement.is_some() && parsed.errors.is_empty() && parsed.rest.is_none();
        if (is_statement || random.chance(4)) && !is_endless(&sql) {
            return Step { session: step.session, sql };
        }
    }
    step.clone()
}

/// Whether a statement may make very long texts.
fn is_endless(sql: &str) -> bool {
    let lower = sql.to_lowercase();
    ["repeat(", "space(", "pad(", "recursive"].iter().any(|name| lower.contains(name))
        && words(sql).iter().any(|word| word.text.len() > 4 && word.text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// One change; `None` where there is nothing to change in this way.
fn mutate(words: &mut Vec<Word>, pools: &Pools<'_>, random: &mut Random) -> Option<()> {
    if words.len() > 2 && words[0].is("call") && random.chance(70) {
        return option(words, pools, random);
    }
    if random.chance(50) && !types(words).is_empty() {
        return column_type(words, pools, random);
    }
    match random.below(20) {
        0..=4 => literal(words, pools, random),
        5..=6 => name(words, pools, random),
        7..=9 => function(words, pools, random),
        10..=12 => operator(words, random),
        13..=14 => clause(words, pools, random),
        15..=17 => nested(words, pools, random),
        _ => wrapped(words, pools, random),
    }
}

/// Puts a text in the place of some words.
fn put(words: &mut Vec<Word>, range: Range<usize>, sql: &str) {
    let space = words.get(range.start).map_or(" ".into(), |word| word.space.clone());
    let mut new = self::words(sql);
    if let Some(first) = new.first_mut() {
        first.space = if space.is_empty() && range.is_empty() { " ".into() } else { space };
    }
    words.splice(range, new);
}

fn place(words: &[Word], random: &mut Random, is_wanted: impl Fn(&Word) -> bool) -> Option<usize> {
    let places: Vec<usize> = (0..words.len()).filter(|at| is_wanted(&words[*at])).collect();
    (!places.is_empty()).then(|| *random.pick(&places))
}

const ENDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "null",
    "127",
    "128",
    "255",
    "256",
    "-32769",
    "2147483647",
    "2147483648",
    "-9223372036854775808",
    "9223372036854775807",
    "18446744073709551615",
    "''",
    "0.5",
    "-0.5",
    "1e10",
    "'a'",
    "'1'",
    "'0'",
    "'12abc'",
    "true",
    "1.005",
    "'2024-02-29'",
    "'2024-02-29 10:11:12.5'",
    "x'41'",
    "' a '",
    "'é'",
    "'[1, \"a\", null]'",
    "'{\"a\": {\"b\": 1}}'",
];

fn literal(words: &mut Vec<Word>, pools: &Pools<'_>, random: &mut Random) -> Option<()> {
    let end = ordered_from(words);
    let at = place(words, random, |word| look(word).is_some()).filter(|at| *at < end)?;
    let like = look(&words[at])?;
    let new = match random.below(10) {
        0..=6 => any(random, pools.area.literals.get(&like)?)?.clone(),
        7 | 8 => (*random.pick(ENDS)).to_owned(),
        _ => {
            let looks: Vec<Look> = pools.area.literals.keys().copied().collect();
            let look = random.pick(&looks);
            any(random, &pools.area.literals[look])?.clone()
        }
    };
    put(words, at..at + 1, &new);
    Some(())
}

fn name(words: &mut Vec<Word>, pools: &Pools<'_>, random: &mut Random) -> Option<()> {
    let (tables, columns) = (&pools.home.tables, &pools.home.columns);
    let is_table = random.chance(15);
    let names = if is_table { tables } else { columns };
    let at = place(words, random, |word| names.contains(&word.text))?;
    let new = any(random, names)?.clone();
    put(words, at..at + 1, &new);
    Some(())
}

fn function(words: &mut Vec<Word>, pools: &Pools<'_>, random: &mut Random) -> Option<()> {
    let calls = calls(words);
    let call = (!calls.is_empty()).then(|| random.pick(&calls))?;
    let new = any(random, pools.area.calls.get(&call.key)?)?.clone();
    let at = call.at;
    put(words, at..at + 1, &new);
    Some(())
}

const OPERATORS: &[&[&str]] = &[
    &["=", "<>", "<", "<=", ">", ">=", "<=>", "!="],
    &["+", "-", "*", "/", "%", "div"],
    &["&", "|", "^", "<<", ">>"],
    &["and", "or", "xor"],
    &["like", "not like", "regexp", "="],
    &["in", "not in"],
    &["exists", "not exists"],
    &["is", "is not"],
    &["asc", "desc"],
    &["desc", ""],
    &["union", "union all", "except", "intersect"],
    &["left", "right"],
    &["join", "left join", "right join", "cross join", "straight_join"],
    &["between", "not between"],
    &["distinct", ""],
    &["rows", "range"],
    &["preceding", "following"],
    &["cascade", "set null", "restrict", "no action"],
    &["stored", "virtual"],
    &["unique", ""],
    &["insert", "replace", "insert ignore"],
    &["first", ""],
    &["before", "after"],
];

fn operator(words: &mut Vec<Word>, random: &mut Random) -> Option<()> {
    let group = |word: &Word| OPERATORS.iter().find(|group| group.iter().any(|text| word.is(text)));
    // What is assigned is not compared, and `count(*)` is no product.
    let first = match words.first()?.text.to_lowercase().as_str() {
        "update" | "set" | "insert" => words.iter().position(|word| word.is("where")).unwrap_or(words.len()),
        _ => 0,
    };
    let is_star =
        |at: usize| words[at].text == "*" && (at == 0 || words[at - 1].text == "(" || words[at - 1].is("select"));
    let is_operator =
        |at: usize| group(&words[at]).is_some_and(|group| (at >= first || group[0] != "=") && !is_star(at));
    let places: Vec<usize> = (0..words.len()).filter(|at| is_operator(*at)).collect();
    let at = (!places.is_empty()).then(|| *random.pick(&places))?;
    let new = *random.pick(group(&words[at])?);
    put(words, at..at + 1, new);
    if let Some(word) = words.get_mut(at).filter(|word| word.space.is_empty()) {
        word.space = " ".into();
    }
    Some(())
}

fn clause(words: &mut Vec<Word>, pools: &Pools<'_>, random: &mut Random) -> Option<()> {
    let found = clauses(words);
    let first = words.first()?;
    if !first.is_any(&["select", "update", "delete"]) || !words.iter().any(|word| word.is_any(&["from", "update"])) {
        return None;
    }
    let kind = if first.is("select") { random.below(CLAUSES.len() - 1) } else { *random.pick(&[0, 3]) };
    let there = found.iter().find(|(other, _)| *other == kind).map(|(_, range)| range.clone());
    let after = found.iter().find(|(other, _)| *other > kind).map_or(words.len(), |(_, range)| range.start);
    let range = there.clone().unwrap_or(after..after);
    if there.is_some() && random.chance(25) {
        words.drain(range);
        return Some(());
    }
    let new = any(random, pools.home.clauses.get(&kind)?)?.clone();
    put(words, range.clone(), &new);
    if let Some(word) = words.get_mut(range.start) {
        word.space = " ".into();
    }
    Some(())
}

/// Where ORDER BY and LIMIT begin: rows that tie may come in any order, so what is there stays.
fn ordered_from(words: &[Word]) -> usize {
    words.iter().rposition(|word| word.is_any(&["order", "limit"])).map_or(words.len(), |last| {
        let order = words[..last].iter().rposition(|word| word.is("order"));
        order.filter(|_| words[last].is("limit")).unwrap_or(last)
    })
}

/// Positions of expressions: arguments, literals, columns.
fn expression_places(words: &[Word], pools: &Pools<'_>) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    for call in calls(words) {
        if call.key.starts_with("plain  ") || call.key.starts_with("aggregate  ") {
            places.extend(call.arguments);
        }
    }
    let is_value = |word: &Word| look(word).is_some() || pools.home.columns.contains(&word.text);
    let is_qualified = |at: usize| at > 1 && words[at - 1].text == ".";
    let values = (0..words.len()).filter(|at| is_value(&words[*at]));
    places.extend(values.map(|at| if is_qualified(at) { at - 2..at + 1 } else { at..at + 1 }));
    places.retain(|place| place.end <= ordered_from(words));
    places
}

fn expression(pools: &Pools<'_>, random: &mut Random) -> Option<String> {
    let home = random.chance(60).then(|| any(random, &pools.home.expressions)).flatten();
    home.or_else(|| any(random, &pools.area.expressions)).cloned()
}

fn nested(words: &mut Vec<Word>, pools: &Pools<'_>, random: &mut Random) -> Option<()> {
    let places = expression_places(words, pools);
    let range = (!places.is_empty()).then(|| random.pick(&places).clone())?;
    let new = expression(pools, random)?;
    put(words, range, &new);
    Some(())
}

/// An expression becomes an argument of a call of another statement.
fn wrapped(words: &mut Vec<Word>, pools: &Pools<'_>, random: &mut Random) -> Option<()> {
    let places = expression_places(words, pools);
    let range = (!places.is_empty()).then(|| random.pick(&places).clone())?;
    let mut outer = self::words(&expression(pools, random)?);
    let call = calls(&outer).into_iter().next().filter(|call| !call.arguments.is_empty())?;
    let argument = random.pick(&call.arguments).clone();
    put(&mut outer, argument, &text(&words[range.clone()]));
    put(words, range, &text(&outer));
    Some(())
}

fn column_type(words: &mut Vec<Word>, pools: &Pools<'_>, random: &mut Random) -> Option<()> {
    let range = random.pick(&types(words)).clone();
    let new = any(random, &pools.area.types)?.clone();
    put(words, range, &new);
    Some(())
}

/// Another argument of a procedure, one more, or one less.
fn option(words: &mut Vec<Word>, pools: &Pools<'_>, random: &mut Random) -> Option<()> {
    let options = pools.area.options.get(&words[1].text.to_lowercase())?;
    let new = any(random, options)?.clone();
    let at = place(words, random, |word| word.kind == TokenKind::Text)?;
    match random.below(6) {
        0 if words[at + 1].text == "," => {
            words.drain(at..at + 2);
        }
        1 | 2 => put(words, at..at, &format!("{new},")),
        _ => put(words, at..at + 1, &new),
    }
    Some(())
}
