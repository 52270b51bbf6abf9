//! Cost of join orders.

use std::cell::RefCell;

use super::cardinality::LOOKUP_ROWS;
use super::cardinality::{different_keys, equated, partners_of_few, rows_of, sampled};
use crate::expr::{Comparison, Context, Expr, ExprKind};
use crate::optimizer::join::lookup_join::{cost_of_partners, index_for, partners_cost};
use crate::plan::{ColumnId, ColumnSet, Plan, Scan, column_set};

/// Of the pairs that a condition is tested for, about so many pass.
const PASSING: f64 = 0.3;

/// Where one table gives so few rows the others are looked up, and how many of theirs pass makes little difference.
const FEW_ROWS: f64 = 50.0;

/// A table of the join with the columns that it gives.
pub struct Leaf {
    pub plan: Plan,
    pub columns: ColumnSet,
    /// Rows that it gives.
    rows: f64,
    /// Rows that are read for them.
    read: f64,
}

impl Leaf {
    pub fn new(plan: Plan, context: &Context) -> Leaf {
        let columns = column_set(&plan);
        let rows = rows_of(&plan, context);
        let read = match plan.scan_below() {
            Some(scan) if scan.access.ranges.is_none() => scan.relation.row_count().map_or(rows, |rows| rows as f64),
            _ => rows,
        };
        Leaf { plan, columns, rows, read }
    }

    /// The scan that it is, if its rows may be looked up.
    fn looked_up(&self) -> Option<&Scan> {
        match &self.plan {
            Plan::Scan(scan) if scan.access.ranges.is_none() => Some(scan),
            _ => None,
        }
    }
}

/// Looks at some rows of tables whose conditions leave it open how many they give.
pub fn look(leaves: &mut [Leaf], context: &Context) {
    let is_found =
        |leaf: &Leaf| matches!(&leaf.plan, Plan::Scan(scan) if scan.access.ranges.is_some()) && leaf.rows < FEW_ROWS;
    if leaves.iter().any(is_found) {
        return;
    }
    for leaf in leaves {
        if let Some(rows) = look_at(&mut leaf.plan, context) {
            leaf.rows = rows;
        }
    }
}

/// The same of one table; how many rows it gives.
pub fn look_at(plan: &mut Plan, context: &Context) -> Option<f64> {
    let Plan::Scan(scan) = plan else { return None };
    scan.estimate = Some(sampled(scan, context)?);
    scan.estimate
}

/// A condition over several tables.
struct Link {
    leaves: Vec<usize>,
    /// The columns that it finds equal, which a hash table or an index may be asked for.
    equal: Option<(ColumnId, ColumnId, Comparison)>,
}

pub struct Costs<'a> {
    leaves: &'a [Leaf],
    links: Vec<Link>,
    /// Pairs of tables with equal columns, and how many different values these have.
    pairs: Vec<(usize, usize, f64)>,
    context: &'a Context,
    partners: RefCell<Vec<Partners>>,
    few: Vec<Few>,
}

/// Few rows of a small table, and how many partners these have in another one.
struct Few {
    leaf: usize,
    other: usize,
    key: ColumnId,
    partners: f64,
}

/// What it costs to read the partners that a lookup leads to.
struct Partners {
    leaf: usize,
    index: usize,
    fields: usize,
    cost: f64,
}

/// Tables that have been joined.
pub struct Joined {
    pub order: Vec<usize>,
    pub cost: f64,
    rows: f64,
    /// Rows after each join.
    pub steps: Vec<f64>,
}

impl<'a> Costs<'a> {
    pub fn new(leaves: &'a [Leaf], conditions: &[Expr], context: &'a Context) -> Costs<'a> {
        let link = |condition: &Expr| {
            let read = condition.columns();
            let is_read = |leaf: &usize| read.iter().any(|id| leaves[*leaf].columns.contains(&id));
            let comparison = match &condition.kind {
                ExprKind::Compare(_, comparison, _) if !matches!(comparison, Comparison::Mixed(_)) => Some(*comparison),
                _ => None,
            };
            let equal = equated(condition).zip(comparison).map(|((one, other), comparison)| (one, other, comparison));
            Link { leaves: (0..leaves.len()).filter(is_read).collect(), equal }
        };
        let links = conditions.iter().map(link).filter(|link| link.leaves.len() > 1).collect();
        let mut costs =
            Costs { leaves, links, pairs: Vec::new(), context, partners: RefCell::default(), few: Vec::new() };
        costs.few = costs.few();
        costs.pairs = costs.pairs();
        costs
    }

    fn few(&self) -> Vec<Few> {
        let mut few = Vec::new();
        for (leaf, one) in self.leaves.iter().enumerate() {
            for (other, scan) in self.leaves.iter().enumerate().filter_map(|(at, leaf)| Some((at, leaf.looked_up()?))) {
                // One key is one table's value; several would be counted together.
                let keys = self.keys(&[leaf], other);
                if let (Plan::Scan(small), [(key, ..)]) = (&one.plan, &keys[..])
                    && leaf != other
                    && let Some((index, _)) = index_for(scan, &keys)
                    && let Some(partners) = partners_of_few(small, *key, scan, index, self.context)
                {
                    few.push(Few { leaf, other, key: *key, partners });
                }
            }
        }
        few
    }

    fn pairs(&self) -> Vec<(usize, usize, f64)> {
        let mut pairs = Vec::new();
        for one in 0..self.leaves.len() {
            for other in one + 1..self.leaves.len() {
                let (ones, others): (Vec<ColumnId>, Vec<ColumnId>) =
                    self.keys(&[one], other).into_iter().map(|(one, other, _)| (one, other)).unzip();
                if !ones.is_empty() {
                    let (left, right) = (&self.leaves[one], &self.leaves[other]);
                    let of_few = self
                        .few
                        .iter()
                        .find(|few| (few.leaf, few.other) == (one, other) || (few.leaf, few.other) == (other, one));
                    let different = match of_few {
                        Some(few) => {
                            Some(self.leaves[few.leaf].rows * self.leaves[few.other].read / few.partners.max(1.0))
                        }
                        None => different_keys((&left.plan, &ones), (&right.plan, &others), self.context),
                    };
                    pairs.push((one, other, different.unwrap_or(left.rows.min(right.rows)).max(1.0)));
                }
            }
        }
        pairs
    }

    /// Equal columns of tables that have been joined and of the next one.
    fn keys(&self, joined: &[usize], next: usize) -> Vec<(ColumnId, ColumnId, Comparison)> {
        let of_next = &self.leaves[next].columns;
        let equal = self.links.iter().filter_map(|link| {
            let (one, other, comparison) = link.equal?;
            let is_between = link.leaves.contains(&next) && link.leaves.iter().any(|leaf| joined.contains(leaf));
            is_between.then_some(match of_next.contains(&one) {
                true => (other, one, comparison),
                false => (one, other, comparison),
            })
        });
        equal.collect()
    }

    /// Whether a condition connects a table with some that have been joined.
    fn is_connected(&self, joined: &[usize], next: usize) -> bool {
        self.links.iter().any(|link| {
            link.leaves.contains(&next) && link.leaves.iter().all(|leaf| *leaf == next || joined.contains(leaf))
        })
    }

    fn first(&self, leaf: usize) -> Joined {
        Joined { order: vec![leaf], cost: self.leaves[leaf].read, rows: self.leaves[leaf].rows, steps: Vec::new() }
    }

    /// What is added to the cost, and the rows that come out.
    fn step(&self, joined: &Joined, next: usize) -> (f64, f64) {
        let leaf = &self.leaves[next];
        let mut rows = joined.rows * leaf.rows;
        for (one, other, different) in &self.pairs {
            let is_between = |one: &usize, other: &usize| *one == next && joined.order.contains(other);
            if is_between(one, other) || is_between(other, one) {
                rows /= different;
            }
        }
        let is_tested = |link: &&Link| link.equal.is_none() && link.leaves.contains(&next);
        for link in self.links.iter().filter(is_tested) {
            if link.leaves.iter().all(|leaf| *leaf == next || joined.order.contains(leaf)) {
                rows *= PASSING;
            }
        }
        let keys = self.keys(&joined.order, next);
        let hash = match keys.is_empty() {
            true => leaf.read + joined.rows * leaf.rows,
            false => leaf.read + joined.rows + leaf.rows,
        };
        let cost = match self.lookups(&keys, next) {
            Some(each) => hash.min(joined.rows * each),
            None => hash,
        };
        (cost + rows, rows)
    }

    /// What it costs to look up the rows of a table for one row that has been joined.
    fn lookups(&self, keys: &[(ColumnId, ColumnId, Comparison)], next: usize) -> Option<f64> {
        let scan = self.leaves[next].looked_up()?;
        let (index, parts) = index_for(scan, keys)?;
        if let [(key, _)] = &parts[..]
            && let Some(few) = self.few.iter().find(|few| few.other == next && few.key == *key)
        {
            let each = few.partners / self.leaves[few.leaf].rows.max(1.0);
            return Some(LOOKUP_ROWS + cost_of_partners(scan, index, each));
        }
        let mut known = self.partners.borrow_mut();
        let is_same = |other: &&Partners| (other.leaf, other.index, other.fields) == (next, index, parts.len());
        let partners = known.iter().find(is_same).map(|known| known.cost);
        let partners = partners.unwrap_or_else(|| {
            let cost = partners_cost(scan, index, parts.len(), self.context);
            known.push(Partners { leaf: next, index, fields: parts.len(), cost });
            cost
        });
        Some(LOOKUP_ROWS + partners)
    }

    fn add(&self, joined: &mut Joined, next: usize) {
        let (cost, rows) = self.step(joined, next);
        joined.order.push(next);
        (joined.cost, joined.rows) = (joined.cost + cost, rows.max(1.0));
        joined.steps.push(joined.rows);
    }

    /// The tables in the order of the text; `None` where a join of all pairs would be among its joins.
    pub fn of_text(&self) -> Option<Joined> {
        let mut joined = self.first(0);
        for next in 1..self.leaves.len() {
            if !self.is_connected(&joined.order, next) {
                return None;
            }
            self.add(&mut joined, next);
        }
        Some(joined)
    }

    /// The cheapest of the orders that begin with one of the tables and go on with what costs least next.
    pub fn cheapest(&self) -> Option<Joined> {
        (0..self.leaves.len()).map(|first| self.from(first)).min_by(|a, b| a.cost.total_cmp(&b.cost))
    }

    fn from(&self, first: usize) -> Joined {
        let mut joined = self.first(first);
        while joined.order.len() < self.leaves.len() {
            let rest = (0..self.leaves.len()).filter(|leaf| !joined.order.contains(leaf));
            let cost = |next: usize| (!self.is_connected(&joined.order, next), self.step(&joined, next).0);
            let next =
                rest.map(|next| (cost(next), next)).min_by(|((a, x), _), ((b, y), _)| a.cmp(b).then(x.total_cmp(y)));
            let Some((_, next)) = next else { break };
            self.add(&mut joined, next);
        }
        joined
    }
}
