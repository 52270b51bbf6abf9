//! Cost of index access. Ranges are counted exactly by the tree; the selectivity of other conditions is guessed, or sampled where much
//! depends on it.

use super::cardinality::{LOOKUP_ROWS, rows_wanted};
use crate::catalog::{IndexChoice, KeyRange, Tree};
use crate::exec;
use crate::expr::{Context, Expr, ExprKind};
use crate::optimizer::access::covering::is_covering;
use crate::optimizer::access::index_order;
use crate::optimizer::access::index_order::{plain_columns, same_direction};
use crate::plan::repeatable::is_movable;
use crate::plan::{ColumnId, JoinKind, Plan, Scan, SetKind};

/// So many ranges are counted to know what they cost; a list of more is taken for one of rows.
const COUNTED_MAX: usize = 64;

/// Of the rows that a condition is tested for, about so many pass.
const PASSING: f64 = 0.3;

/// Rows that are looked at to see how many pass.
const SAMPLE_ROWS: u64 = 32;

/// Ranges of an index, how narrow they are, and the conditions that they cover.
pub struct Choice {
    pub index: usize,
    pub ranges: Vec<KeyRange>,
    pub score: f64,
    pub used: Vec<usize>,
}

/// What is read of the rows that a plan gives.
#[derive(Debug, Clone, Default)]
pub struct Demand {
    /// How many rows, where that is known; all others are left where they are, if nothing sorts them first.
    rows: Option<f64>,
    order: Order,
}

#[derive(Debug, Clone, Default)]
enum Order {
    #[default]
    Any,
    /// Ascending by these columns, or descending by all of them.
    By(Vec<ColumnId>, bool),
    /// One that no index has.
    Other,
}

impl Demand {
    /// What is read of the inputs of a plan of which this is.
    pub fn below(&self, plan: &Plan, context: &Context) -> Demand {
        match plan {
            Plan::Limit(limit) => Demand { rows: rows_wanted(limit, context), order: Order::Any },
            Plan::Sort(_, keys) => {
                let order = plain_columns(keys).zip(same_direction(keys));
                let order = order.map_or(Order::Other, |(columns, reverse)| Order::By(columns, reverse));
                Demand { rows: self.rows, order }
            }
            Plan::Project(_, projected) => {
                let below = |id: &ColumnId| projected.iter().find(|(output, _)| output == id)?.1.as_column();
                let order = match &self.order {
                    Order::By(columns, reverse) => match columns.iter().map(below).collect() {
                        Some(columns) => Order::By(columns, *reverse),
                        None => Order::Other,
                    },
                    other => other.clone(),
                };
                Demand { rows: self.rows, order }
            }
            Plan::Filter(_, terms) => {
                let rows = self.rows.map(|rows| rows / PASSING.powi(terms.len().min(4) as i32));
                Demand { rows, order: self.order.clone() }
            }
            Plan::Join(join) if join.kind != JoinKind::Full => self.clone(),
            Plan::Apply(_) | Plan::Scan(_) => self.clone(),
            Plan::SetOperation(operation) if operation.all && operation.kind == SetKind::Union => self.unordered(),
            _ => Demand::default(),
        }
    }

    /// The same for rows that are sorted afterwards if they need an order.
    pub fn unordered(&self) -> Demand {
        match self.order {
            Order::Any => self.clone(),
            _ => Demand::default(),
        }
    }

    /// Whether the scan's rows are wanted in an order that an index of it may have, and only some of them.
    pub fn is_ordered_by(&self, scan: &Scan) -> bool {
        self.positions(scan).is_some()
    }

    fn positions(&self, scan: &Scan) -> Option<(Vec<usize>, bool)> {
        match (&self.order, self.rows) {
            (Order::By(columns, reverse), Some(_)) => Some((index_order::positions(scan, columns)?, *reverse)),
            _ => None,
        }
    }
}

/// What to read.
pub enum Cheapest {
    /// All of the table, in its own order.
    Table,
    /// The ranges of one of the choices.
    Ranges(usize),
    /// All of an index, for its order.
    Whole(usize),
}

struct Costs<'a> {
    scan: &'a Scan,
    context: &'a Context,
    /// Rows of the table.
    all: f64,
    /// The order that is wanted.
    order: Option<(Vec<usize>, bool)>,
    /// Rows that are wanted.
    wanted: Option<f64>,
}

/// The choice by what it costs to read the rows: of a large table `best` may be a bad one, and none as well. Ranges whose values are
/// not known yet are taken for short ones.
pub fn cheapest(scan: &Scan, choices: &[Choice], best: Option<usize>, demand: &Demand, context: &Context) -> Cheapest {
    let known_best = best.map_or(Cheapest::Table, Cheapest::Ranges);
    let Some(table) = scan.relation.base() else { return known_best };
    let order = demand.positions(scan);
    if choices.is_empty() && order.is_none() || table.table.rows().root.level() == 0 {
        return known_best;
    }
    let Some(all) = scan.relation.row_count() else { return known_best };
    let is_limited = demand.rows.is_some() && matches!(demand.order, Order::Any);
    let wanted = demand.rows.filter(|_| is_limited || order.is_some());
    let costs = Costs { scan, context, all: all as f64, order, wanted };
    if let (Some(best), Some(choice)) = (best, best.map(|best| &choices[best])) {
        let is_one_row = choice.score >= 10.0;
        let is_settled = match &costs.order {
            Some(_) => costs.fits(&access(choice)),
            None => is_limited || !costs.is_secondary(choice.index),
        };
        if is_one_row || choices.len() == 1 && is_settled {
            return Cheapest::Ranges(best);
        }
    }
    costs.cheapest(choices, best, is_limited)
}

fn access(choice: &Choice) -> IndexChoice {
    IndexChoice { index: Some(choice.index), ranges: Some(choice.ranges.clone()), nearest: None }
}

impl Costs<'_> {
    fn is_secondary(&self, index: usize) -> bool {
        self.scan.relation.base().is_some_and(|table| table.tree(Some(index)) != Tree::Primary)
    }

    /// What a row costs that an index leads to.
    fn of_row(&self, index: Option<usize>) -> f64 {
        match index {
            Some(index) if self.is_secondary(index) && !is_covering(self.scan, index) => LOOKUP_ROWS,
            _ => 1.0,
        }
    }

    fn fits(&self, access: &IndexChoice) -> bool {
        self.order.as_ref().is_some_and(|(order, _)| index_order::gives(self.scan, access, order))
    }

    /// Rows of the ranges of a choice.
    fn rows_of(&self, choice: &Choice) -> f64 {
        if choice.ranges.len() > COUNTED_MAX {
            return choice.ranges.len() as f64;
        }
        let scan = Scan { access: access(choice), ..self.scan.clone() };
        let counted = exec::count_ranges(&scan, &scan.relation, self.context);
        counted.map_or(self.all.sqrt(), |(rows, _)| rows as f64)
    }

    fn cheapest(&self, choices: &[Choice], best: Option<usize>, is_limited: bool) -> Cheapest {
        let rows: Vec<f64> = choices.iter().map(|choice| self.rows_of(choice)).collect();
        let left_of = |(choice, rows): (&Choice, &f64)| {
            rows * PASSING.powi(self.scan.filter.len().saturating_sub(choice.used.len()).min(4) as i32)
        };
        let unsaid = self.all * PASSING.powi(self.scan.filter.len().min(4) as i32);
        let given = choices.iter().zip(&rows).map(left_of).fold(unsaid, f64::min).max(1.0);
        let cost = |(choice, rows): (&Choice, &f64)| {
            let share = match self.wanted {
                Some(wanted) if self.fits(&access(choice)) => (wanted / given).min(1.0),
                _ => 1.0,
            };
            rows * share * self.of_row(Some(choice.index))
        };
        let costs: Vec<f64> = choices.iter().zip(&rows).map(cost).collect();
        let cheapest = (0..costs.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b]));
        // What has been known to be best stays so unless much is to be gained.
        let chosen =
            cheapest.map(|cheapest| best.filter(|&best| costs[best] <= 2.0 * costs[cheapest]).unwrap_or(cheapest));
        let of_chosen = chosen.map_or(f64::INFINITY, |chosen| costs[chosen]);
        let least = if is_limited { of_chosen } else { of_chosen.min(self.all) };
        match (self.walked(given, least), chosen) {
            (Some(walked), _) => walked,
            (None, Some(chosen)) if is_limited || of_chosen <= self.all => Cheapest::Ranges(chosen),
            _ => Cheapest::Table,
        }
    }

    /// An index, or the table, that is read in the wanted order until enough rows have passed, where this costs less than `otherwise`:
    /// the rows at its beginning are looked at, for they may be of another kind than most.
    fn walked(&self, given: f64, otherwise: f64) -> Option<Cheapest> {
        let wanted = self.wanted?;
        let whole = |index: Option<usize>| IndexChoice { index, ..IndexChoice::default() };
        let numbers = std::iter::once(None).chain((0..self.scan.relation.indexes().len()).map(Some));
        let index = numbers
            .filter(|&index| index.is_none_or(|index| self.is_secondary(index)) && self.fits(&whole(index)))
            .min_by(|&a, &b| self.of_row(a).total_cmp(&self.of_row(b)))?;
        let has_params = |term: &Expr| term.any(&|part| matches!(part.kind, ExprKind::Param(_)));
        if self.scan.filter.iter().any(has_params) {
            self.context.plans_for_values.set(true);
        }
        let guess = self.all * (wanted / given).min(1.0) * self.of_row(index);
        if guess > otherwise || !self.scan.filter.iter().all(is_movable) {
            return None;
        }
        let passing = self.passing_at_start(index)?;
        let read = (wanted / passing).min(self.all) * self.of_row(index);
        (read < otherwise).then(|| index.map_or(Cheapest::Table, Cheapest::Whole))
    }

    /// Of the first quarter of an index, in the direction of the order, the share of the rows that pass; `None` where none is seen.
    fn passing_at_start(&self, index: Option<usize>) -> Option<f64> {
        let (_, reverse) = self.order.as_ref()?;
        let all = self.all as u64;
        let place = |number: u64| {
            let from_start = number * (all / 4) / SAMPLE_ROWS;
            if *reverse { all - 1 - from_start } else { from_start }
        };
        let places: Vec<u64> = (0..SAMPLE_ROWS.min(all)).map(place).collect();
        let passed = exec::count_passing(self.scan, index, &places, self.context)?;
        // A share that is seen in few rows may be much smaller.
        (passed > 1).then(|| (passed - 1) as f64 / places.len() as f64)
    }
}
