//! Lowering of each kind of plan node.

use std::rc::Rc;

use super::Lowering;
use super::computed::{Around, Computed};
use super::layout::Layout;
use crate::error::{Result, SqlError};
use crate::exec::aggregate::distinct::Distinct;
use crate::exec::aggregate::hash_aggregate::Aggregate;
use crate::exec::aggregate::loose_index_scan;
use crate::exec::aggregate::loose_index_scan::LooseIndexScan;
use crate::exec::aggregate::sorted_aggregate::AggregateInOrder;
use crate::exec::batches::byte_limit::ByteLimit;
use crate::exec::count_ranges;
use crate::exec::filter::Filter;
use crate::exec::join::hash_indexed_scan;
use crate::exec::join::hash_indexed_scan::HashIndexedScan;
use crate::exec::join::hash_join::{EquiKeys, Join};
use crate::exec::join::lateral_join::Lateral;
use crate::exec::join::lookup_join;
use crate::exec::join::lookup_join::LookupJoin;
use crate::exec::join::shared_hash_table;
use crate::exec::physical_plan::Recipe;
use crate::exec::project::Project;
use crate::exec::scan::json_table::JsonTable;
use crate::exec::scan::relation_scan::RelationScan;
use crate::exec::scan::table_function::TableFunction;
use crate::exec::scan::table_scan;
use crate::exec::scan::table_scan::TableScan;
use crate::exec::scan::values::Rows;
use crate::exec::set_operation::{Both, Matched, Matching};
use crate::exec::sort::limit::Limit;
use crate::exec::sort::order_by::{Sort, TopRows};
use crate::exec::subquery::apply;
use crate::exec::subquery::apply::Apply;
use crate::exec::subquery::materialized_cte::MaterializedCte;
use crate::exec::subquery::recursive_cte;
use crate::exec::subquery::recursive_cte::Recursive;
use crate::exec::subquery::stages::{Stage, StageRows, Staged};
use crate::exec::window::{self, Window};
use crate::expr::{AggregateCall, Comparison, Expr, ExprKind, ExprType, SortKey};
use crate::plan::{self, ColumnId, JoinKind, JoinStrategy, OuterSlot, Plan, SetKind, columns_of};

impl Lowering<'_> {
    /// Rows that are listed.
    pub(super) fn values(&self, values: &plan::Values) -> Recipe {
        self.stays.set(self.stays.get() || values.is_counted);
        let rows: Rc<[Vec<Expr>]> = values.rows.clone().into();
        let columns = values.columns.len();
        Recipe::new(move |_, _| Ok(Box::new(Rows { rows: rows.clone(), columns, next: 0 })))
    }

    pub(super) fn filter(&self, input: &Plan, predicate: &[Expr]) -> Result<Recipe> {
        let predicate = Layout::of(input).place_all(predicate)?;
        let input = self.plan(input)?;
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(Filter::new(input.build(context, tables)?, predicate.clone())))
        }))
    }

    pub(super) fn project(&self, input: &Plan, columns: &[(ColumnId, Expr)]) -> Result<Recipe> {
        let below = columns_of(input);
        if columns.len() == below.len()
            && columns.iter().zip(&below).all(|((_, expr), id)| expr.as_column() == Some(*id))
        {
            return self.plan(input);
        }
        let columns = Layout::of(input).place_all(columns.iter().map(|(_, expr)| expr))?;
        let input = self.plan(input)?;
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(Project::new(input.build(context, tables)?, columns.clone())))
        }))
    }

    pub(super) fn aggregate(&self, aggregate: &plan::Aggregate) -> Result<Recipe> {
        let layout = Layout::of(&aggregate.input);
        let groups = layout.place_all(aggregate.groups.iter().map(|(_, expr)| expr))?;
        let compares = |call: &AggregateCall| call.distinct || call.function.is_extreme();
        let compared = aggregate.calls.iter().filter(|(_, call)| compares(call));
        for expr in groups.iter().chain(compared.flat_map(|(_, call)| &call.args)) {
            of_groups(&expr.ty)?;
        }
        let mut calls = Vec::new();
        for (_, call) in &aggregate.calls {
            let mut call = call.clone();
            call.args = layout.place_all(&call.args)?.to_vec();
            for key in &mut call.order {
                key.expr = layout.place(&key.expr)?;
            }
            calls.push(call);
        }
        let calls: Rc<[_]> = calls.into();
        let columns = columns_of(&aggregate.input).len();
        let (input, in_order) = (self.plan(&aggregate.input)?, aggregate.in_order);
        // Numbers of rows in ranges are in the tree; which ranges is known when the parameters are.
        let counted = aggregate.counted_scan(self.types).cloned();
        let counted = counted.map(|scan| (self.number(scan.relation.clone()), scan));
        Ok(Recipe::new(move |context, tables| {
            let counted = counted.as_ref().and_then(|(table, scan)| count_ranges(scan, &tables[*table], context));
            if let Some(rows) = counted.and_then(|(rows, _)| i64::try_from(rows).ok()) {
                let row = vec![Expr::integer(rows); calls.len()];
                return Ok(Box::new(Rows { columns: row.len(), rows: Rc::from([row]), next: 0 }));
            }
            let input = input.build(context, tables)?;
            if in_order {
                return Ok(Box::new(AggregateInOrder::new(input, columns, groups.clone(), calls.clone())));
            }
            Ok(Box::new(Aggregate::new(input, columns, groups.clone(), calls.clone())))
        }))
    }

    pub(super) fn sort(&self, input: &Plan, keys: &[SortKey]) -> Result<Recipe> {
        let columns = columns_of(input).len();
        let mut computed = Computed::over(columns);
        let keys = computed.take_keys(Layout::of(input).keys(keys)?);
        let (columns, around) = (computed.columns(), computed.around(0));
        let input = self.plan(input)?;
        Ok(Recipe::new(move |context, tables| {
            let input = Around::below(&around, input.build(context, tables)?);
            Ok(Around::above(&around, Box::new(Sort::new(input, columns, keys.clone()))))
        }))
    }

    pub(super) fn distinct(&self, input: &Plan) -> Result<Recipe> {
        let comparisons = self.comparisons(&columns_of(input))?;
        let input = self.plan(input)?;
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(Distinct::new(input.build(context, tables)?, comparisons.clone())))
        }))
    }

    pub(super) fn set_operation(&self, operation: &plan::SetOperation) -> Result<Recipe> {
        let (left, right) = (self.plan(&operation.left)?, self.plan(&operation.right)?);
        let comparisons = self.comparisons(&operation.columns)?;
        let (kind, all) = (operation.kind, operation.all);
        Ok(Recipe::new(move |context, tables| {
            let (left, right) = (left.build(context, tables)?, right.build(context, tables)?);
            let comparisons = comparisons.clone();
            let on_right = match (kind, all) {
                (SetKind::Union, true) => return Ok(Box::new(Both::new(left, right))),
                (SetKind::Union, false) => {
                    return Ok(Box::new(Distinct::new(Box::new(Both::new(left, right)), comparisons)));
                }
                (SetKind::Intersect, _) => true,
                (SetKind::Except, _) => false,
            };
            Ok(Box::new(Matching::new(Matched { on_right, all }, left, right, comparisons)))
        }))
    }

    pub(super) fn recursive(&self, recursive: &plan::Recursive) -> Result<Recipe> {
        let comparisons = self.comparisons(&recursive.columns)?;
        let (first, step) = (self.plan(&recursive.first)?, self.plan(&recursive.step)?);
        let (id, all) = (recursive.id, recursive.all);
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(Recursive {
                id,
                first: first.build(context, tables)?,
                step: step.over(tables),
                all,
                comparisons: comparisons.clone(),
                state: recursive_cte::State::default(),
            }))
        }))
    }

    pub(super) fn materialized_cte(&self, cte: &plan::MaterializedCte) -> Result<Recipe> {
        let (rows, name, columns) = (self.plan(&cte.plan)?, cte.name.clone(), columns_of(&cte.plan).len());
        Ok(Recipe::new(move |_, tables| {
            Ok(Box::new(MaterializedCte { name: name.clone(), rows: rows.over(tables), columns, kept: None, next: 0 }))
        }))
    }

    pub(super) fn staged(&self, staged: &plan::Staged) -> Result<Recipe> {
        let mut stages = Vec::with_capacity(staged.stages.len());
        for stage in &staged.stages {
            stages.push((stage.name.clone(), self.plan(&stage.plan)?, columns_of(&stage.plan).len()));
        }
        let plan = self.plan(&staged.plan)?;
        Ok(Recipe::new(move |context, tables| {
            let stages = stages.iter().map(|(name, rows, columns)| Stage {
                name: name.clone(),
                rows: rows.over(tables),
                columns: *columns,
            });
            Ok(Box::new(Staged::new(stages.collect(), plan.build(context, tables)?)))
        }))
    }

    fn comparisons(&self, columns: &[ColumnId]) -> Result<Rc<[Comparison]>> {
        columns.iter().map(|&id| Ok(Comparison::of_rows(&self.types[id as usize]))).collect()
    }

    pub(super) fn window(&self, plan: &plan::Window) -> Result<Recipe> {
        let layout = Layout::of(&plan.input);
        let mut settings =
            window::Settings { calls: Vec::new(), orders: Vec::new(), columns: columns_of(&plan.input).len() };
        let mut computed = Computed::over(settings.columns);
        let mut known: Vec<(&[Expr], &[SortKey])> = Vec::new();
        let same = |left: &Expr, right: &Expr| left.is_same(right);
        for (_, call) in &plan.calls {
            let found = known.iter().position(|(partition, order)| {
                partition.len() == call.partition.len()
                    && partition.iter().zip(&call.partition).all(|(l, r)| same(l, r))
                    && order.len() == call.order.len()
                    && order
                        .iter()
                        .zip(&call.order)
                        .all(|(l, r)| l.descending == r.descending && same(&l.expr, &r.expr))
            });
            let order = match found {
                Some(order) => order,
                None => {
                    let partition = call.partition.iter();
                    let partition = partition.map(|expr| SortKey { expr: expr.clone(), descending: false });
                    let keys: Vec<SortKey> = partition.chain(call.order.iter().cloned()).collect();
                    let keys = computed.take_keys(layout.keys(&keys)?);
                    settings.orders.push(window::Order { keys, partition_keys: call.partition.len() });
                    known.push((&call.partition, &call.order));
                    known.len() - 1
                }
            };
            let mut placed = call.clone();
            let mut missing = None;
            placed.exprs_mut(&mut |expr| match layout.place(expr) {
                Ok(position) => *expr = position,
                Err(error) => missing = Some(error),
            });
            if let Some(error) = missing {
                return Err(error);
            }
            placed.function.exprs_mut(&mut |expr| computed.take(expr));
            let plan::WindowCall { function, frame, .. } = placed;
            settings.calls.push(window::Call { function, order, unit: frame.unit, start: frame.start, end: frame.end });
        }
        settings.columns = computed.columns();
        let around = computed.around(settings.calls.len());
        let (input, settings) = (self.plan(&plan.input)?, Rc::new(settings));
        Ok(Recipe::new(move |context, tables| {
            let input = Around::below(&around, input.build(context, tables)?);
            Ok(Around::above(&around, Box::new(Window::new(input, settings.clone()))))
        }))
    }

    pub(super) fn scan(&self, scan: &plan::Scan) -> Result<Recipe> {
        let filter = Layout::new(scan.columns.iter().map(|(id, _)| *id)).place_all(&scan.filter)?;
        let columns: Rc<[usize]> = scan.columns.iter().map(|(_, position)| *position).collect();
        let relation = scan.relation.clone();
        if relation.base().is_none() {
            self.stays.set(true);
            return Ok(Recipe::new(move |context, _| {
                Ok(Box::new(RelationScan::new(&relation, columns.clone(), filter.clone(), context)?))
            }));
        }
        let settings = table_scan::Settings::new(&relation, scan.access.clone(), columns, filter, scan.reverse)?;
        let settings = Rc::new(settings.read_parts(scan));
        let table = self.number(relation);
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(TableScan::open(settings.clone(), &tables[table], context)?))
        }))
    }

    /// A join that looks up rows of a table, without operators for each of them.
    fn lookup_join(&self, join: &plan::Join, scan: &plan::Scan, outer: &[(OuterSlot, ColumnId)]) -> Result<Recipe> {
        let left_columns = columns_of(&join.left);
        let right_columns = || scan.columns.iter().map(|(id, _)| *id);
        let on = Layout::new(left_columns.iter().copied().chain(right_columns())).place_all(&join.on)?;
        let filter = Layout::new(right_columns()).place_all(&scan.filter)?;
        let positions = scan.columns.iter().map(|(_, position)| *position).collect();
        let access = scan.access.clone();
        let settings = table_scan::Settings::new(&scan.relation, access, positions, filter, scan.reverse)?;
        let settings = Rc::new(settings.read_parts(scan));
        let left = self.plan(&join.left)?;
        let (kind, left_count, right_count) = (join.kind, left_columns.len(), scan.columns.len());
        let outer = Layout::new(left_columns).outer(outer)?;
        let measure = self.measure(&join.right);
        let table = self.number(scan.relation.clone());
        Ok(Recipe::new(move |context, tables| {
            Ok(ByteLimit::of(LookupJoin {
                kind,
                left: left.build(context, tables)?,
                left_columns: left_count,
                right_columns: right_count,
                scan: TableScan::new(settings.clone(), &tables[table])?,
                relation: tables[table].clone(),
                outer: outer.clone(),
                on: on.clone(),
                measure: measure.clone(),
                state: lookup_join::State::default(),
            }))
        }))
    }

    pub(super) fn loose_index_scan(&self, groups: &plan::LooseIndexScan) -> Result<Recipe> {
        let settings = Rc::new(loose_index_scan::Settings::new(groups)?);
        let table = self.number(groups.scan.relation.clone());
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(LooseIndexScan::open(settings.clone(), &tables[table], context)?))
        }))
    }

    pub(super) fn hash_indexed_scan(&self, keyed: &plan::HashIndexedScan) -> Result<Recipe> {
        let mut asked = keyed.scan.clone();
        asked.filter.extend(keyed.keys.iter().map(|key| key.condition.clone()));
        let (all, asked) = (self.scan(&keyed.scan)?, self.scan(&asked)?);
        let layout = Layout::new(keyed.scan.columns.iter().map(|(id, _)| *id));
        let columns = keyed.keys.iter().map(|key| layout.place(&key.column)).collect::<Result<_>>()?;
        let comparisons: Vec<Comparison> = keyed.keys.iter().map(|key| key.comparison).collect();
        comparisons.iter().try_for_each(Comparison::ready)?;
        let settings = Rc::new(shared_hash_table::Settings {
            name: keyed.name.clone(),
            columns: keyed.scan.columns.len(),
            keys: columns,
            values: keyed.keys.iter().map(|key| key.value.clone()).collect(),
            comparisons,
        });
        Ok(Recipe::new(move |_, tables| {
            let (asked, all) = (asked.over(tables), all.over(tables));
            Ok(Box::new(HashIndexedScan {
                settings: settings.clone(),
                asked,
                all,
                state: hash_indexed_scan::State::New,
            }))
        }))
    }

    pub(super) fn join(&self, join: &plan::Join) -> Result<Recipe> {
        if let (Plan::Scan(scan), JoinStrategy::Lookup { outer }) = (&join.right, &join.strategy)
            && matches!(join.kind, JoinKind::Inner | JoinKind::Left | JoinKind::Semi | JoinKind::Anti)
            && is_looked_up(scan, outer)
            // What a pair sets the next one reads.
            && !join.on.iter().any(Expr::sets_variables)
        {
            return self.lookup_join(join, scan, outer);
        }
        let (left_columns, right_columns) = (columns_of(&join.left), columns_of(&join.right));
        let both = Layout::new(left_columns.iter().chain(&right_columns).copied());
        let on = both.place_all(&join.on)?;
        let (kind, left_count, right_count) = (join.kind, left_columns.len(), right_columns.len());
        let (left, right) = (self.plan(&join.left)?, self.plan(&join.right)?);
        if kind == JoinKind::Right {
            return Err(SqlError::internal("a right join was not turned round"));
        }
        if let JoinStrategy::Hash { comparisons, .. } = &join.strategy {
            comparisons.iter().try_for_each(Comparison::ready)?;
        }
        let keys = match &join.strategy {
            JoinStrategy::Nested => None,
            JoinStrategy::Hash { left, right, comparisons } => Some(Rc::new(EquiKeys {
                left: Layout::new(left_columns).place_all(left)?.to_vec(),
                right: Layout::new(right_columns).place_all(right)?.to_vec(),
                comparisons: comparisons.clone(),
            })),
            JoinStrategy::Lookup { outer } => {
                let outer = Layout::new(left_columns).outer(outer)?;
                return Ok(Recipe::new(move |context, tables| {
                    Ok(ByteLimit::of(Lateral {
                        kind,
                        left: left.build(context, tables)?,
                        left_columns: left_count,
                        right: right.over(tables),
                        right_columns: right_count,
                        outer: outer.clone(),
                        on: on.clone(),
                        state: None,
                    }))
                }));
            }
        };
        Ok(Recipe::new(move |context, tables| {
            let (left, right) = (left.build(context, tables)?, right.build(context, tables)?);
            Ok(ByteLimit::of(Join::new(kind, (left, left_count), (right, right_count), keys.clone(), on.clone())))
        }))
    }

    /// A limit over a sort keeps only the rows that will be given.
    pub(super) fn limit(&self, limit: &plan::Limit) -> Result<Recipe> {
        let (rows, offset) = (limit.rows.clone(), limit.offset.clone());
        if limit.counts_all {
            // As in the reference rows that are skipped count where they were sorted.
            let counts_skipped = is_sorted(&limit.input);
            let input = self.plan(&limit.input)?;
            return Ok(Recipe::new(move |context, tables| {
                let limit = Limit::new(input.build(context, tables)?, rows.clone(), offset.clone());
                Ok(Box::new(limit.counting_all(counts_skipped)))
            }));
        }
        let input = match &limit.input {
            Plan::Sort(input, keys) if rows.is_some() => {
                let columns = columns_of(input).len();
                let mut computed = Computed::over(columns);
                let keys = computed.take_keys(Layout::of(input).keys(keys)?);
                let (columns, around) = (computed.columns(), computed.around(0));
                let (input, wanted) = (self.plan(input)?, (rows.clone(), offset.clone()));
                let sort = Recipe::new(move |context, tables| {
                    let input = Around::below(&around, input.build(context, tables)?);
                    let sort = TopRows::new(input, columns, keys.clone(), wanted.clone());
                    Ok(Around::above(&around, Box::new(sort)))
                });
                self.measured(&limit.input, sort)
            }
            input => self.plan(input)?,
        };
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(Limit::new(input.build(context, tables)?, rows.clone(), offset.clone())))
        }))
    }

    pub(super) fn apply(&self, apply: &plan::Apply) -> Result<Recipe> {
        let layout = Layout::of(&apply.input);
        let outer = layout.outer(&apply.subquery.outer)?;
        let tested = layout.place_all(&apply.subquery.tested)?;
        let comparisons: Rc<[Comparison]> = apply.subquery.comparisons.clone().into();
        let (input, inner) = (self.plan(&apply.input)?, self.plan(&apply.subquery.plan)?);
        let input_columns = columns_of(&apply.input).len();
        let (test, repeats) = (apply.subquery.test, apply.repeats);
        let decorrelated =
            apply.decorrelated.as_deref().map(|decorrelated| self.decorrelated(decorrelated, &layout)).transpose()?;
        Ok(Recipe::new(move |context, tables| {
            let decorrelated = decorrelated.as_ref().map(|(rows, after, settings)| apply::Decorrelated {
                rows: rows.over(tables),
                after: *after,
                settings: settings.clone(),
            });
            Ok(Box::new(Apply {
                input: input.build(context, tables)?,
                input_columns,
                inner: inner.over(tables),
                test,
                outer: outer.clone(),
                tested: tested.clone(),
                comparisons: comparisons.clone(),
                repeats,
                decorrelated,
                state: apply::State::default(),
            }))
        }))
    }

    fn decorrelated(
        &self,
        decorrelated: &plan::Decorrelated,
        around: &Layout,
    ) -> Result<(Recipe, u64, Rc<shared_hash_table::Settings>)> {
        decorrelated.comparisons.iter().try_for_each(Comparison::ready)?;
        let settings = shared_hash_table::Settings {
            name: decorrelated.name.clone(),
            columns: columns_of(&decorrelated.plan).len(),
            keys: Layout::of(&decorrelated.plan).place_all(&decorrelated.keys)?.to_vec(),
            values: around.place_all(&decorrelated.values)?.to_vec(),
            comparisons: decorrelated.comparisons.clone(),
        };
        Ok((self.plan(&decorrelated.plan)?, decorrelated.after, Rc::new(settings)))
    }
}

/// Rows of a document.
pub(super) fn json_table(table: &plan::JsonTable) -> Recipe {
    let (document, rows) = (table.document.clone(), table.rows.clone());
    Recipe::new(move |_, _| Ok(Box::new(JsonTable { document: document.clone(), rows: rows.clone(), state: None })))
}

/// Rows of a table function.
pub(super) fn table_function(function: &plan::TableFunction) -> Recipe {
    let function = Rc::new(function.clone());
    Recipe::new(move |_, _| Ok(Box::new(TableFunction { function: function.clone(), scan: None })))
}

/// Whether only the bounds of a scan depend on the outer row.
fn is_looked_up(scan: &plan::Scan, outer: &[(OuterSlot, ColumnId)]) -> bool {
    let reads_row =
        |part: &Expr| matches!(part.kind, ExprKind::Outer(slot) if outer.iter().any(|(own, _)| *own == slot));
    let is_keyed = scan.relation.base().is_some_and(|table| !table.schema().is_keyless());
    is_keyed && scan.access.ranges.is_some() && !scan.filter.iter().any(|term| term.any(&reads_row))
}

/// How values of a type are compared for equality, if its collation is loaded.
fn of_groups(ty: &ExprType) -> Result<Comparison> {
    let comparison = Comparison::of_groups(ty);
    comparison.ready()?;
    Ok(comparison)
}

fn is_sorted(plan: &Plan) -> bool {
    match plan {
        Plan::Sort(..) => true,
        Plan::Project(input, _) => is_sorted(input),
        _ => false,
    }
}

pub(super) fn stage_rows(name: Rc<str>) -> Recipe {
    Recipe::new(move |_, _| Ok(Box::new(StageRows { name: name.clone(), rows: None, next: 0 })))
}
