//! Index choice: which index a scan reads, and which ranges of it.

use super::covering::{has_key, is_covering};
use super::key_conditions::{is_exact, is_of_collation};
use super::{exclusions, implied_bounds};
use crate::catalog::{BaseTable, Index, IndexChoice, KeyRange};
use crate::expr::{CompareOp, Context, Expr, ExprKind, ExprType, IsTest};
use crate::optimizer::cost::index_cost;
use crate::optimizer::cost::index_cost::{Cheapest, Choice, Demand};
use crate::plan::{ColumnId, Plan, Scan};

/// An IN list or OR chain may become this many ranges.
pub const RANGES_MAX: usize = 10_000;

/// Chooses for all scans of a plan.
pub fn choose(plan: &mut Plan, context: &Context) {
    choose_below(plan, &Demand::default(), context);
}

fn choose_below(plan: &mut Plan, demand: &Demand, context: &Context) {
    let below = demand.below(plan, context);
    plan.inputs_mut(&mut |input| choose_below(input, &below, context));
    let Plan::Scan(scan) = plan else { return };
    if scan.access.index.is_some() || scan.filter.is_empty() {
        return;
    }
    if scan.relation.base().is_some() {
        choose_for(scan, demand, context);
        if scan.access.index.is_none() && !demand.is_ordered_by(scan) {
            exclusions::choose_for(scan, context);
        }
    }
    if scan.access.index.is_none()
        && let Some(sides) = by_sides(scan, demand, context)
    {
        *plan = sides;
    }
}

/// Sides of an OR that are worth a scan each.
const SIDES_MAX: usize = 8;

/// `a = 1 OR b = 2`: where each side has an index of its own, the rows of the first, then those of the second for which the first is
/// not true.
fn by_sides(scan: &Scan, demand: &Demand, context: &Context) -> Option<Plan> {
    let is_small = |table: &BaseTable| table.table.rows().root.level() == 0;
    if scan.relation.base().is_some_and(is_small) {
        return None;
    }
    let unordered = demand.unordered();
    let side = |at: usize, terms: &[Expr], number: usize| {
        let mut side = scan.clone();
        side.filter.remove(at);
        for term in &terms[..number] {
            let is_not = ExprKind::Is(Box::new(term.clone()), IsTest::NotTrue);
            side.filter.push(Expr::new(is_not, ExprType::boolean()));
        }
        let own = side.filter.len();
        side.filter.extend(terms[number].clone().into_conjuncts());
        let reads_less = |term: &Expr| match condition(term, &side.columns) {
            Some((position, Condition::Equal([_]))) => side.relation.reads_less_by(position),
            _ => false,
        };
        if side.relation.base().is_none() {
            return side.filter[own..].iter().any(reads_less).then(|| Plan::Scan(Box::new(side)));
        }
        choose_for(&mut side, &unordered, context);
        side.access.index.is_some().then(|| Plan::Scan(Box::new(side)))
    };
    let columns: Vec<ColumnId> = scan.columns.iter().map(|(id, _)| *id).collect();
    scan.filter.iter().enumerate().find_map(|(at, term)| match &term.kind {
        ExprKind::Or(terms) if terms.len() <= SIDES_MAX => {
            let sides: Option<Vec<Plan>> = (0..terms.len()).map(|number| side(at, terms, number)).collect();
            Plan::union_all(sides?, &columns)
        }
        _ => None,
    })
}

/// A condition on one column.
enum Condition<'t> {
    Equal(&'t [Expr]),
    Null,
    Lower(Bound<'t>),
    Upper(Bound<'t>),
    /// One of several places, and whether that is all that is said.
    Ranges(Vec<Piece<'t>>, bool),
}

/// A value, and whether it is part of the range.
type Bound<'t> = (&'t Expr, bool);

/// A range of a column: one value, or an interval.
#[derive(Default)]
struct Piece<'t> {
    equal: Option<&'t Expr>,
    lower: Option<Bound<'t>>,
    upper: Option<Bound<'t>>,
}

/// A condition with its place in the scan's filter and the column that it is about.
struct Term<'t> {
    place: usize,
    column: usize,
    condition: Condition<'t>,
}

fn choose_for(scan: &mut Scan, demand: &Demand, context: &Context) {
    let implied = implied_bounds::bounds(scan);
    let terms: Vec<Term> = scan
        .filter
        .iter()
        .chain(&implied)
        .enumerate()
        .filter_map(|(place, term)| {
            let (column, condition) = condition(term, &scan.columns)?;
            let ty = &scan.relation.columns()[column].ty;
            is_of_collation(term, ty).then_some(Term { place, column, condition })
        })
        .collect();
    let indexes = scan.relation.indexes().iter().enumerate().filter(|(_, index)| index.ordered);
    let mut choices: Vec<Choice> = indexes
        .filter_map(|(number, index)| {
            let choice = ranges_of(number, index, &terms)?;
            Some(Choice { score: choice.score + bonus(scan, number), ..choice })
        })
        .collect();
    // The first of equal ones.
    choices.reverse();
    let best = choices.iter().enumerate().max_by(|(_, a), (_, b)| a.score.total_cmp(&b.score)).map(|(at, _)| at);
    let choice = match index_cost::cheapest(scan, &choices, best, demand, context) {
        Cheapest::Table => return,
        Cheapest::Whole(index) => {
            scan.access = IndexChoice { index: Some(index), ..IndexChoice::default() };
            return;
        }
        Cheapest::Ranges(at) => choices.swap_remove(at),
    };
    // What the ranges say exactly need not be tested again; where one bound may turn out to be unusable, none are used.
    let is_whole =
        |place| terms.iter().any(|term| term.place == place && !matches!(term.condition, Condition::Ranges(_, false)));
    let is_said = |&place: &usize| scan.filter.get(place).is_some_and(|term| is_whole(place) && is_exact(term, scan));
    if choice.used.iter().all(is_said) {
        let mut place = 0;
        scan.filter.retain(|_| {
            place += 1;
            !choice.used.contains(&(place - 1))
        });
    }
    scan.access = IndexChoice { index: Some(choice.index), ranges: Some(choice.ranges), nearest: None };
}

/// The primary index needs no lookup of rows, nor does one that has all columns.
fn bonus(scan: &Scan, number: usize) -> f64 {
    match number {
        0 if has_key(scan) => 0.5,
        _ if is_covering(scan, number) => 0.4,
        _ => 0.0,
    }
}

/// The ranges of an index that the conditions leave; the score counts 2 for each equal column, 1 for bounds.
fn ranges_of(number: usize, index: &Index, terms: &[Term]) -> Option<Choice> {
    let on = |column: usize| terms.iter().filter(move |term| term.column == column);
    on(*index.columns.first()?).next()?;
    let range = KeyRange { equal: Vec::with_capacity(index.columns.len()), ..KeyRange::default() };
    let mut choice = Choice { index: number, ranges: vec![range], score: 0.0, used: Vec::new() };
    for &column in &index.columns {
        if !narrow(&mut choice, on(column)) {
            break;
        }
    }
    // All columns of a unique index: one row at most.
    if index.unique && choice.score >= 2.0 * index.columns.len() as f64 {
        choice.score += 10.0;
    }
    (choice.score > 0.0).then_some(choice)
}

/// Narrows ranges by what is said `on` their next column; tells whether it is equal in each of them, so that the one behind it counts, too.
fn narrow<'a, 't: 'a>(choice: &mut Choice, on: impl Iterator<Item = &'a Term<'t>> + Clone) -> bool {
    let Choice { ranges, score, used, .. } = choice;
    let before = ranges.len();
    let equal = on.clone().find_map(|term| match &term.condition {
        Condition::Equal(values) if before * values.len() <= RANGES_MAX => Some((term.place, *values)),
        _ => None,
    });
    if let Some((place, values)) = equal {
        let with = |range: &KeyRange, value: &Expr| {
            let mut range = range.clone();
            range.equal.push(value.clone());
            range
        };
        match values {
            [value] => ranges.iter_mut().for_each(|range| range.equal.push(value.clone())),
            _ => *ranges = ranges.iter().flat_map(|range| values.iter().map(|value| with(range, value))).collect(),
        }
        used.push(place);
        *score += 2.0;
        return true;
    }
    if let Some(term) = on.clone().find(|term| matches!(term.condition, Condition::Null)) {
        for range in ranges {
            range.null_safe.push(range.equal.len());
            range.equal.push(Expr::null());
        }
        used.push(term.place);
        *score += 1.8;
        return true;
    }
    let pieces = on.clone().find_map(|term| match &term.condition {
        Condition::Ranges(pieces, _) if before * pieces.len() <= RANGES_MAX => Some((term.place, pieces)),
        _ => None,
    });
    if let Some((place, pieces)) = pieces {
        let with = |range: &KeyRange, piece: &Piece| {
            let (lower, upper) = (piece.lower.map(owned), piece.upper.map(owned));
            let mut range = KeyRange { lower, upper, ..range.clone() };
            range.equal.extend(piece.equal.cloned());
            range
        };
        *ranges = ranges.iter().flat_map(|range| pieces.iter().map(|piece| with(range, piece))).collect();
        used.push(place);
        *score += 1.2;
        return false;
    }
    let lower = on.clone().find_map(|term| match &term.condition {
        Condition::Lower(bound) => Some((term.place, *bound)),
        _ => None,
    });
    let upper = on.clone().find_map(|term| match &term.condition {
        Condition::Upper(bound) => Some((term.place, *bound)),
        _ => None,
    });
    used.extend(lower.iter().chain(&upper).map(|(place, _)| *place));
    *score += match (&lower, &upper) {
        (None, None) => 0.0,
        (Some(_), Some(_)) => 1.3,
        _ => 0.8,
    };
    for range in ranges {
        (range.lower, range.upper) = (lower.map(|(_, bound)| owned(bound)), upper.map(|(_, bound)| owned(bound)));
    }
    false
}

fn owned((value, is_part): Bound<'_>) -> (Expr, bool) {
    (value.clone(), is_part)
}

/// What a conjunct says about a column of the relation.
fn condition<'t>(term: &'t Expr, columns: &[(ColumnId, usize)]) -> Option<(usize, Condition<'t>)> {
    let position = |expr: &Expr| {
        let id = expr.as_column()?;
        columns.iter().find(|(column, _)| *column == id).map(|(_, position)| *position)
    };
    match &term.kind {
        ExprKind::Compare(op, _, sides) => {
            let [left, right] = &**sides;
            let (position, op, constant) = match (position(left), position(right)) {
                (Some(position), None) if right.is_row_independent() => (position, *op, right),
                (None, Some(position)) if left.is_row_independent() => (position, op.mirrored(), left),
                _ => return None,
            };
            let condition = match op {
                CompareOp::Equal => Condition::Equal(std::slice::from_ref(constant)),
                CompareOp::Less => Condition::Upper((constant, false)),
                CompareOp::LessOrEqual => Condition::Upper((constant, true)),
                CompareOp::Greater => Condition::Lower((constant, false)),
                CompareOp::GreaterOrEqual => Condition::Lower((constant, true)),
                CompareOp::NotEqual | CompareOp::NullSafeEqual => return None,
            };
            Some((position, condition))
        }
        ExprKind::In(list) if !list.negated && list.list.iter().all(Expr::is_row_independent) => {
            Some((position(&list.value)?, Condition::Equal(&list.list)))
        }
        ExprKind::Is(inner, IsTest::Null) => Some((position(inner)?, Condition::Null)),
        ExprKind::Or(terms) => {
            let (mut pieces, mut is_whole) = (Vec::new(), true);
            let mut column = None;
            for term in terms {
                let place = places(term, columns, column)?;
                if *column.get_or_insert(place.column) != place.column {
                    return None;
                }
                pieces.extend(place.pieces);
                is_whole &= place.is_whole;
            }
            Some((column?, Condition::Ranges(pieces, is_whole)))
        }
        _ => None,
    }
}

/// The places that a side of an OR leaves of one column, and whether that is all that it says.
struct Places<'t> {
    column: usize,
    pieces: Vec<Piece<'t>>,
    is_whole: bool,
}

/// Of `wanted`, if there is one.
fn places<'t>(term: &'t Expr, columns: &[(ColumnId, usize)], wanted: Option<usize>) -> Option<Places<'t>> {
    let ExprKind::And(terms) = &term.kind else {
        let (column, condition) = condition(term, columns)?;
        let mut is_whole = true;
        let pieces = match condition {
            Condition::Equal(values) => {
                values.iter().map(|value| Piece { equal: Some(value), ..Piece::default() }).collect()
            }
            Condition::Lower(bound) => vec![Piece { lower: Some(bound), ..Piece::default() }],
            Condition::Upper(bound) => vec![Piece { upper: Some(bound), ..Piece::default() }],
            Condition::Ranges(pieces, whole) => {
                is_whole = whole;
                pieces
            }
            Condition::Null => return None,
        };
        return Some(Places { column, pieces, is_whole });
    };
    // Two bounds of the same column, as BETWEEN has them.
    if let [first, second] = &terms[..]
        && let (Some((column, first)), Some((other, second))) = (condition(first, columns), condition(second, columns))
        && column == other
        && let (Condition::Lower(lower), Condition::Upper(upper)) | (Condition::Upper(upper), Condition::Lower(lower)) =
            (first, second)
    {
        let piece = Piece { equal: None, lower: Some(lower), upper: Some(upper) };
        return Some(Places { column, pieces: vec![piece], is_whole: true });
    }
    // `a < 5 OR a = 5 AND b < 7`, which is what a comparison of rows means: the rest is tested.
    let mut places = terms.iter().filter_map(|term| places(term, columns, wanted));
    let place = places.find(|place| wanted.is_none_or(|wanted| wanted == place.column))?;
    Some(Places { is_whole: false, ..place })
}
