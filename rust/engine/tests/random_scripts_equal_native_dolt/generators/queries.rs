//! Queries over small tables with and without indexes: joins, subqueries, groups, windows, common table expressions, set operations.

use crate::common::generate::Random;
use crate::common::random_queries::{From, Kind, Queries, tables};
use crate::script::{self, Step};

/// Three tables and queries over them.
pub fn script(random: &mut Random) -> Vec<Step> {
    let tables = tables(random);
    let mut statements: Vec<String> = tables.iter().flat_map(|table| table.setup.clone()).collect();
    let mut queries = Queries::new(random, &tables);
    statements.extend((0..15).map(|_| query(&mut queries)));
    script::of_one(statements)
}

fn query(queries: &mut Queries) -> String {
    match queries.random.below(12) {
        0..=4 => queries.query(),
        5 | 6 => window(queries),
        7 => common_table(queries),
        8 => recursive(queries),
        9 => lateral_groups(queries),
        10 => set_operations(queries),
        _ => derived(queries),
    }
}

const INTS: &[Kind] = &[Kind::Int];
const KINDS: &[Kind] = &[Kind::Int, Kind::Decimal, Kind::Text, Kind::Date];

fn value(queries: &mut Queries, from: &From, kinds: &[Kind]) -> String {
    let kind = *queries.random.pick(kinds);
    queries.value(from, kind, 1)
}

/// Windows over rows that have one order.
fn window(queries: &mut Queries) -> String {
    let from = queries.from();
    let keys = from.keys().join(", ");
    let (partition, order, argument) =
        (value(queries, &from, KINDS), value(queries, &from, KINDS), value(queries, &from, INTS));
    let of_other = value(queries, &from, KINDS);
    let call = match queries.random.below(17) {
        0 => "row_number()".to_owned(),
        1 => "rank()".to_owned(),
        2 => "dense_rank()".to_owned(),
        3 => format!("ntile({})", 1 + queries.random.below(4)),
        4 => format!("lag({argument}, {})", queries.random.below(3)),
        5 => format!("lead({argument})"),
        6 => format!("first_value({argument})"),
        7 => format!("last_value({argument})"),
        8 => format!("sum({argument})"),
        9 => format!("min({of_other})"),
        10 => format!("max({of_other})"),
        11 => format!("avg({argument})"),
        12 => "percent_rank()".to_owned(),
        13 => "cume_dist()".to_owned(),
        14 => format!("nth_value({of_other}, {})", 1 + queries.random.below(3)),
        15 => format!("lag({of_other}, 1, {of_other})"),
        _ => format!("count({of_other})"),
    };
    let frame = *queries.random.pick(&[
        "",
        "",
        " rows between unbounded preceding and current row",
        " rows between 1 preceding and 1 following",
        " rows between current row and unbounded following",
        " rows 2 preceding",
        " rows between 2 preceding and 1 preceding",
        " rows between 1 following and unbounded following",
        " rows between unbounded preceding and unbounded following",
    ]);
    let framed = ["first", "last", "sum", "min", "max", "avg", "count", "nth"];
    let has_no_frame = !framed.iter().any(|name| call.starts_with(name));
    let frame = if has_no_frame { "" } else { frame };
    let partition = if queries.random.chance(60) { format!("partition by {partition} ") } else { String::new() };
    let way = if queries.random.chance(30) { " desc" } else { "" };
    let filter = filter(queries, &from);
    format!("select {keys}, {call} over ({partition}order by {order}{way}, {keys}{frame}) from {}{filter}", from.text)
}

fn filter(queries: &mut Queries, from: &From) -> String {
    match queries.random.chance(50) {
        true => format!(" where {}", queries.condition(from, 1)),
        false => String::new(),
    }
}

/// A common table expression that is read twice.
fn common_table(queries: &mut Queries) -> String {
    let from = queries.from();
    let (key, number) = (from.keys()[0].clone(), value(queries, &from, INTS));
    let filter = filter(queries, &from);
    let join = *queries.random.pick(&["join", "left join", "right join"]);
    format!(
        "with c as (select {key} as k, {number} as n from {}{filter}) select x.k, y.k, x.n from c x {join} c y on x.n = y.k",
        from.text
    )
}

fn recursive(queries: &mut Queries) -> String {
    let from = queries.from();
    let (key, condition) = (from.keys()[0].clone(), queries.condition(&from, 1));
    let distinct = if queries.random.chance(50) { "" } else { " all" };
    format!(
        "with recursive r as (select 1 as n union{distinct} select n + 1 from r where n < {}) \
         select n, count({key}) from r left join ({}) on {key} = n and {condition} group by n",
        2 + queries.random.below(8),
        from.text
    )
}

/// Groups with several calls, and conditions over them.
fn lateral_groups(queries: &mut Queries) -> String {
    let from = queries.from();
    let (group, number, other) =
        (value(queries, &from, KINDS), value(queries, &from, INTS), value(queries, &from, KINDS));
    let filter = filter(queries, &from);
    let having = *queries.random.pick(&[
        "",
        " having n > 1",
        " having max(1) is not null and n < 5",
        " having g is null or n <> 2",
    ]);
    format!(
        "select {group} as g, count(*) as n, sum({number}), max({other}), min({other}), count(distinct {other}) from {}{filter} \
         group by g{having} order by g, n",
        from.text
    )
}

fn set_operations(queries: &mut Queries) -> String {
    let kind = *queries.random.pick(KINDS);
    let mut arms = Vec::new();
    for _ in 0..2 + queries.random.below(2) {
        let from = queries.from();
        let value = queries.value(&from, kind, 1);
        let filter = filter(queries, &from);
        let arm = format!("select {value} as v from {}{filter}", from.text);
        arms.push(if queries.random.chance(20) { format!("({arm} order by v limit 3)") } else { arm });
    }
    let operator = *queries.random.pick(&["union", "union all", "intersect", "except", "union"]);
    let order = if queries.random.chance(50) { " order by v" } else { "" };
    format!("{}{order}", arms.join(&format!(" {operator} ")))
}

/// A query over a query.
fn derived(queries: &mut Queries) -> String {
    let from = queries.from();
    let (key, group, number) = (from.keys()[0].clone(), value(queries, &from, KINDS), value(queries, &from, INTS));
    let filter = filter(queries, &from);
    let outer = queries.from();
    let join = *queries.random.pick(&["join", "left join"]);
    let outer_key = outer.keys()[0].clone();
    let inner = match queries.random.chance(50) {
        true => format!(
            "select {group} as g, max({key}) as k, count({number}) as n from {}{filter} group by {group}",
            from.text
        ),
        false => format!("select distinct {key} as k, {number} as n from {}{filter}", from.text),
    };
    format!("select {outer_key}, d.k, d.n from {} {join} ({inner}) d on d.k = {outer_key}", outer.text)
}
