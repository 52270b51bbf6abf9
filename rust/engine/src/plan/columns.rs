//! Column sets, and the output columns of a plan node.

use super::{ColumnId, JoinKind, Plan};

/// A set of columns. Their numbers count from 0 in each statement, so that it is bits; of most statements it takes no memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnSet {
    first: u64,
    /// Columns from 64 on.
    rest: Vec<u64>,
}

impl ColumnSet {
    fn place(id: ColumnId) -> (usize, u64) {
        (id as usize / 64, 1 << (id % 64))
    }

    pub fn contains(&self, id: &ColumnId) -> bool {
        let (word, bit) = ColumnSet::place(*id);
        let bits = match word {
            0 => self.first,
            _ => self.rest.get(word - 1).copied().unwrap_or(0),
        };
        bits & bit != 0
    }

    fn word(&mut self, word: usize) -> &mut u64 {
        if word == 0 {
            return &mut self.first;
        }
        if self.rest.len() < word {
            self.rest.resize(word, 0);
        }
        &mut self.rest[word - 1]
    }

    pub fn insert(&mut self, id: ColumnId) {
        let (word, bit) = ColumnSet::place(id);
        *self.word(word) |= bit;
    }

    pub fn remove(&mut self, id: &ColumnId) {
        let (word, bit) = ColumnSet::place(*id);
        *self.word(word) &= !bit;
    }

    pub fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.iter().all(|word| *word == 0)
    }

    /// In the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = ColumnId> {
        let words = std::iter::once(self.first).chain(self.rest.iter().copied());
        words.zip((0..).step_by(64)).flat_map(|(mut bits, start)| {
            std::iter::from_fn(move || {
                let next = (bits != 0).then(|| start + bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
                next
            })
        })
    }
}

impl Extend<ColumnId> for ColumnSet {
    fn extend<I: IntoIterator<Item = ColumnId>>(&mut self, ids: I) {
        ids.into_iter().for_each(|id| self.insert(id));
    }
}

impl FromIterator<ColumnId> for ColumnSet {
    fn from_iter<I: IntoIterator<Item = ColumnId>>(ids: I) -> ColumnSet {
        let mut set = ColumnSet::default();
        set.extend(ids);
        set
    }
}

/// The columns of a plan's output, in order.
pub fn columns_of(plan: &Plan) -> Vec<ColumnId> {
    let mut columns = Vec::new();
    extend_by(plan, &mut columns);
    columns
}

/// The same as a set.
pub fn column_set(plan: &Plan) -> ColumnSet {
    let mut columns = ColumnSet::default();
    extend_by(plan, &mut columns);
    columns
}

fn extend_by(plan: &Plan, columns: &mut impl Extend<ColumnId>) {
    match plan {
        Plan::Unit => {}
        Plan::Empty(own) | Plan::RecursiveRows(_, own) | Plan::StageRows(_, own) => columns.extend(own.iter().copied()),
        Plan::Scan(scan) => columns.extend(scan.columns.iter().map(|(id, _)| *id)),
        Plan::HashIndexedScan(keyed) => columns.extend(keyed.scan.columns.iter().map(|(id, _)| *id)),
        Plan::LooseIndexScan(groups) => {
            columns.extend(groups.scan.columns.iter().map(|(id, _)| *id));
            columns.extend(groups.ends.iter().map(|(id, _)| *id));
        }
        Plan::Values(values) => columns.extend(values.columns.iter().copied()),
        Plan::JsonTable(table) => columns.extend(table.columns.iter().copied()),
        Plan::TableFunction(function) => columns.extend(function.columns.iter().copied()),
        Plan::Filter(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => extend_by(input, columns),
        Plan::Project(_, own) => columns.extend(own.iter().map(|(id, _)| *id)),
        Plan::Join(join) => {
            extend_by(&join.left, columns);
            if !matches!(join.kind, JoinKind::Semi | JoinKind::Anti) {
                extend_by(&join.right, columns);
            }
        }
        Plan::Aggregate(aggregate) => {
            columns.extend(aggregate.groups.iter().map(|(id, _)| *id));
            columns.extend(aggregate.calls.iter().map(|(id, _)| *id));
        }
        Plan::Window(window) => {
            extend_by(&window.input, columns);
            columns.extend(window.calls.iter().map(|(id, _)| *id));
        }
        Plan::Limit(limit) => extend_by(&limit.input, columns),
        Plan::SetOperation(operation) => columns.extend(operation.columns.iter().copied()),
        Plan::Apply(apply) => {
            extend_by(&apply.input, columns);
            columns.extend([apply.output]);
        }
        Plan::MaterializedCte(cte) => extend_by(&cte.plan, columns),
        Plan::Staged(staged) => extend_by(&staged.plan, columns),
        Plan::Recursive(recursive) => columns.extend(recursive.columns.iter().copied()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_columns_of_any_number() {
        let ids = [0, 5, 63, 64, 130, 1_000];
        let mut set: ColumnSet = ids.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), ids);
        assert!(ids.iter().all(|id| set.contains(id)) && !set.contains(&65) && !set.contains(&5_000));
        ids.iter().for_each(|id| set.remove(id));
        assert!(set.is_empty());
    }
}
