//! Which index a scan reads, and what part of it.

use super::exclusions;
use super::key_conditions::{is_exact, is_of_collation};
use crate::catalog::{Index, IndexChoice, KeyRange};
use crate::expr::{CompareOp, Context, Expr, ExprKind, IsTest};
use crate::plan::{ColumnId, Plan, Scan};

/// An IN list or OR chain may become this many ranges.
const RANGES_MAX: usize = 10_000;

pub fn choose(plan: &mut Plan, context: &Context) {
    plan.inputs_mut(&mut |input| choose(input, context));
    if let Plan::Scan(scan) = plan
        && scan.relation.base().is_some()
        && scan.access.index.is_none()
        && !scan.filter.is_empty()
    {
        choose_for(scan);
        if scan.access.index.is_none() {
            exclusions::choose_for(scan, context);
        }
    }
}

/// A condition on one column.
enum Condition<'t> {
    Equal(&'t [Expr]),
    Null,
    Lower(Bound<'t>),
    Upper(Bound<'t>),
    /// One of several places.
    Ranges(Vec<Piece<'t>>),
}

/// A value, and whether it is part of the range.
type Bound<'t> = (&'t Expr, bool);

/// A place of a column: a value, or what lies between two bounds.
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

/// Ranges of an index, how narrow they are, and the conditions that they stand for.
struct Choice {
    ranges: Vec<KeyRange>,
    score: f64,
    used: Vec<usize>,
}

fn choose_for(scan: &mut Scan) {
    let terms: Vec<Term> = scan
        .filter
        .iter()
        .enumerate()
        .filter_map(|(place, term)| {
            let (column, condition) = condition(term, &scan.columns)?;
            let ty = &scan.relation.columns()[column].ty;
            is_of_collation(term, ty).then_some(Term { place, column, condition })
        })
        .collect();
    let mut best: Option<(f64, usize, Choice)> = None;
    for (number, index) in scan.relation.indexes().iter().enumerate().filter(|(_, index)| index.ordered) {
        let Some(choice) = ranges_of(index, &terms) else { continue };
        let score = choice.score + bonus(scan, number, index);
        if best.as_ref().is_none_or(|(known, _, _)| score > *known) {
            best = Some((score, number, choice));
        }
    }
    let Some((_, number, choice)) = best else { return };
    // What the ranges say exactly need not be tested again; where one bound may turn out to be unusable, none are used.
    if choice.used.iter().all(|&place| is_exact(&scan.filter[place], scan)) {
        let mut place = 0;
        scan.filter.retain(|_| {
            place += 1;
            !choice.used.contains(&(place - 1))
        });
    }
    scan.access = IndexChoice { index: Some(number), ranges: Some(choice.ranges), nearest: None };
}

/// The primary index needs no lookup of rows, nor does one that has all columns.
fn bonus(scan: &Scan, number: usize, index: &Index) -> f64 {
    let has =
        |position: usize| index.columns.contains(&position) || scan.relation.indexes()[0].columns.contains(&position);
    let primary = scan.relation.columns().iter().any(|column| column.primary);
    match number {
        0 if primary => 0.5,
        _ if primary && scan.columns.iter().all(|(_, position)| has(*position)) => 0.4,
        _ => 0.0,
    }
}

/// The ranges of an index that the conditions leave; the score counts 2 for each equal column, 1 for bounds.
fn ranges_of(index: &Index, terms: &[Term]) -> Option<Choice> {
    let on = |column: usize| terms.iter().filter(move |term| term.column == column);
    on(*index.columns.first()?).next()?;
    let mut ranges = vec![KeyRange { equal: Vec::with_capacity(index.columns.len()), ..KeyRange::default() }];
    let mut score = 0.0;
    let mut used = Vec::new();
    for &column in &index.columns {
        let on = || on(column);
        let equal = on().find_map(|term| match &term.condition {
            Condition::Equal(values) if ranges.len() * values.len() <= RANGES_MAX => Some((term.place, *values)),
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
                _ => ranges = ranges.iter().flat_map(|range| values.iter().map(|value| with(range, value))).collect(),
            }
            used.push(place);
            score += 2.0;
            continue;
        }
        if let Some(term) = on().find(|term| matches!(term.condition, Condition::Null)) {
            for range in &mut ranges {
                range.null_safe.push(range.equal.len());
                range.equal.push(Expr::null());
            }
            used.push(term.place);
            score += 1.8;
            continue;
        }
        let pieces = on().find_map(|term| match &term.condition {
            Condition::Ranges(pieces) if ranges.len() * pieces.len() <= RANGES_MAX => Some((term.place, pieces)),
            _ => None,
        });
        if let Some((place, pieces)) = pieces {
            let with = |range: &KeyRange, piece: &Piece| {
                let (lower, upper) = (piece.lower.map(owned), piece.upper.map(owned));
                let mut range = KeyRange { lower, upper, ..range.clone() };
                range.equal.extend(piece.equal.cloned());
                range
            };
            ranges = ranges.iter().flat_map(|range| pieces.iter().map(|piece| with(range, piece))).collect();
            used.push(place);
            score += 1.2;
            break;
        }
        let lower = on().find_map(|term| match &term.condition {
            Condition::Lower(bound) => Some((term.place, *bound)),
            _ => None,
        });
        let upper = on().find_map(|term| match &term.condition {
            Condition::Upper(bound) => Some((term.place, *bound)),
            _ => None,
        });
        used.extend(lower.iter().chain(&upper).map(|(place, _)| *place));
        score += match (&lower, &upper) {
            (None, None) => 0.0,
            (Some(_), Some(_)) => 1.3,
            _ => 0.8,
        };
        for range in &mut ranges {
            (range.lower, range.upper) = (lower.map(|(_, bound)| owned(bound)), upper.map(|(_, bound)| owned(bound)));
        }
        break;
    }
    // All columns of a unique index: one row at most.
    if index.unique && score >= 2.0 * index.columns.len() as f64 {
        score += 10.0;
    }
    (score > 0.0).then_some(Choice { ranges, score, used })
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
            let mut pieces = Vec::new();
            let mut column = None;
            for term in terms {
                let (position, more) = places(term, columns)?;
                if *column.get_or_insert(position) != position {
                    return None;
                }
                pieces.extend(more);
            }
            Some((column?, Condition::Ranges(pieces)))
        }
        _ => None,
    }
}

/// The places that a side of an OR leaves of one column.
fn places<'t>(term: &'t Expr, columns: &[(ColumnId, usize)]) -> Option<(usize, Vec<Piece<'t>>)> {
    let ExprKind::And(terms) = &term.kind else {
        let (column, condition) = condition(term, columns)?;
        let pieces = match condition {
            Condition::Equal(values) => {
                values.iter().map(|value| Piece { equal: Some(value), ..Piece::default() }).collect()
            }
            Condition::Lower(bound) => vec![Piece { lower: Some(bound), ..Piece::default() }],
            Condition::Upper(bound) => vec![Piece { upper: Some(bound), ..Piece::default() }],
            Condition::Ranges(pieces) => pieces,
            Condition::Null => return None,
        };
        return Some((column, pieces));
    };
    // Two bounds of the same column, as BETWEEN has them.
    let [first, second] = &terms[..] else { return None };
    let ((column, first), (other, second)) = (condition(first, columns)?, condition(second, columns)?);
    let piece = match (first, second) {
        (Condition::Lower(lower), Condition::Upper(upper)) | (Condition::Upper(upper), Condition::Lower(lower)) => {
            Piece { equal: None, lower: Some(lower), upper: Some(upper) }
        }
        _ => return None,
    };
    (column == other).then(|| (column, vec![piece]))
}
