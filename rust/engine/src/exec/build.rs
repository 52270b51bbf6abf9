//! From plans to operators.
//!
//! A plan is lowered once: column numbers become positions, settings are put behind shared pointers. What comes out is a
//! [`Template`] that makes fresh operators as often as it is asked to: once for a query, once a row for a correlated
//! subquery.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use hashbrown::HashMap;

use super::Source;
use super::aggregate::Aggregate;
use super::apply::{self, Apply};
use super::distinct::Distinct;
use super::filter::Filter;
use super::join::{EquiKeys, Join};
use super::json_table::JsonTable;
use super::lateral::Lateral;
use super::limit::Limit;
use super::measure::{Measured, Measures};
use super::project::Project;
use super::recursive::{self, Recursive, RoundRows};
use super::relation_scan::RelationScan;
use super::set_operation::{Both, Matched, Matching};
use super::sort::{Key, Sort, TopRows};
use super::table_scan::TableScan;
use super::values::{Empty, Rows, Unit};
use super::window::{self, Window};
use crate::catalog::Relation;
use crate::engine::Engine;
use crate::error::{Result, SqlError};
use crate::expr::{Comparison, Context, Expr, ExprKind, ExprType};
use crate::plan::{self, ColumnId, JoinKind, JoinStrategy, OuterSlot, Plan, SetKind, columns_of};

/// The stored tables of a plan, by the numbers that its scans know them by.
type Tables = Rc<[Rc<dyn Relation>]>;

type Maker = dyn Fn(&Rc<Context>, &Tables) -> Result<Source>;

/// A recipe for operators, over the tables of one moment.
#[derive(Clone)]
pub struct Template {
    recipe: Recipe,
    tables: Tables,
    /// All that it knows of the data is which tables it reads.
    moves: bool,
}

impl Template {
    /// Fresh operators, nothing read yet.
    pub fn build(&self, context: &Rc<Context>) -> Result<Source> {
        self.recipe.build(context, &self.tables)
    }

    /// The stored tables that it reads, where it can be had over other versions of them.
    pub fn movable_tables(&self) -> Option<&[Rc<dyn Relation>]> {
        self.moves.then_some(&self.tables)
    }

    /// The same over other versions of its tables, whose schemas are the same.
    pub fn over(&self, tables: Vec<Rc<dyn Relation>>) -> Template {
        debug_assert!(self.moves && tables.len() == self.tables.len());
        Template { recipe: self.recipe.clone(), tables: tables.into(), moves: true }
    }
}

/// A recipe that is told its tables when it is used.
#[derive(Clone)]
struct Recipe(Rc<Maker>);

impl Recipe {
    fn new(maker: impl Fn(&Rc<Context>, &Tables) -> Result<Source> + 'static) -> Recipe {
        Recipe(Rc::new(maker))
    }

    fn build(&self, context: &Rc<Context>, tables: &Tables) -> Result<Source> {
        (self.0)(context, tables)
    }

    /// For operators that make others while they run.
    fn over(&self, tables: &Tables) -> Template {
        Template { recipe: self.clone(), tables: tables.clone(), moves: false }
    }
}

/// The types of all columns of a statement, by number.
pub type ColumnTypes = [ExprType];

/// Lowers a whole plan; its output has the columns of [`columns_of`] in that order.
pub fn lower(plan: &Plan, types: &ColumnTypes) -> Result<Template> {
    Lowering::new(types, None).template(plan)
}

/// The same with a meter at each operator.
pub fn lower_measured(plan: &Plan, types: &ColumnTypes, engine: &Rc<Engine>) -> Result<(Template, Measures)> {
    let meter = Meter { engine: engine.clone(), measures: RefCell::default() };
    let template = Lowering::new(types, Some(&meter)).template(plan)?;
    Ok((template, meter.measures.into_inner()))
}

struct Meter {
    engine: Rc<Engine>,
    measures: RefCell<Measures>,
}

struct Lowering<'a> {
    types: &'a ColumnTypes,
    meter: Option<&'a Meter>,
    tables: RefCell<Vec<Rc<dyn Relation>>>,
    /// The plan is for the data of now.
    stays: Cell<bool>,
}

impl<'a> Lowering<'a> {
    fn new(types: &'a ColumnTypes, meter: Option<&'a Meter>) -> Lowering<'a> {
        Lowering { types, meter, tables: RefCell::default(), stays: Cell::new(false) }
    }
}

/// Where each column stands in the rows of an operator.
struct Layout(HashMap<ColumnId, u32>);

impl Layout {
    fn of(plan: &Plan) -> Layout {
        Layout::new(columns_of(plan))
    }

    fn new(columns: impl IntoIterator<Item = ColumnId>) -> Layout {
        Layout(columns.into_iter().zip(0..).collect())
    }

    fn position(&self, id: ColumnId) -> Result<u32> {
        self.0.get(&id).copied().ok_or_else(|| SqlError::internal(format!("column {id} is not in the input")))
    }

    /// The expression over positions instead of column numbers; what it compares by must be at hand.
    fn place(&self, expr: &Expr) -> Result<Expr> {
        let mut placed = expr.clone();
        let mut missing = Ok(());
        placed.rewrite(&mut |expr| {
            let found = match &mut expr.kind {
                ExprKind::Column(id) => self.position(*id).map(|position| *id = position),
                ExprKind::Compare(_, comparison, _) => comparison.ready(),
                ExprKind::In(list) => list.comparison.ready(),
                _ => Ok(()),
            };
            if missing.is_ok() {
                missing = found;
            }
        });
        missing.map(|()| placed)
    }

    fn place_all<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Result<Rc<[Expr]>> {
        exprs.into_iter().map(|expr| self.place(expr)).collect()
    }

    fn keys(&self, keys: &[plan::SortKey]) -> Result<Rc<[Key]>> {
        let placed = |key: &plan::SortKey| {
            let key = Key::of(&plan::SortKey { expr: self.place(&key.expr)?, descending: key.descending });
            key.comparison.ready()?;
            Ok(key)
        };
        keys.iter().map(placed).collect()
    }

    fn outer(&self, outer: &[(OuterSlot, ColumnId)]) -> Result<Rc<[(OuterSlot, usize)]>> {
        outer.iter().map(|&(slot, id)| Ok((slot, self.position(id)? as usize))).collect()
    }
}

fn is_sorted(plan: &Plan) -> bool {
    match plan {
        Plan::Sort(..) => true,
        Plan::Project(input, _) => is_sorted(input),
        _ => false,
    }
}

/// How values of a type are told apart, if its collation is at hand.
fn of_groups(ty: &ExprType) -> Result<Comparison> {
    let comparison = Comparison::of_groups(ty);
    comparison.ready()?;
    Ok(comparison)
}

impl Lowering<'_> {
    fn comparisons(&self, columns: &[ColumnId]) -> Result<Rc<[Comparison]>> {
        columns.iter().map(|&id| of_groups(&self.types[id as usize])).collect()
    }

    fn template(self, plan: &Plan) -> Result<Template> {
        let recipe = self.plan(plan)?;
        Ok(Template { recipe, tables: self.tables.into_inner().into(), moves: !self.stays.get() })
    }

    fn plan(&self, plan: &Plan) -> Result<Recipe> {
        let recipe = self.operator(plan)?;
        let Some(meter) = self.meter else { return Ok(recipe) };
        let (measure, engine) = (meter.measures.borrow_mut().add(plan), meter.engine.clone());
        Ok(Recipe::new(move |context, tables| {
            let (measure, engine) = (measure.clone(), engine.clone());
            measure.starts.set(measure.starts.get() + 1);
            Ok(Box::new(Measured { input: recipe.build(context, tables)?, measure, engine }))
        }))
    }

    fn operator(&self, plan: &Plan) -> Result<Recipe> {
        Ok(match plan {
            Plan::Unit => Recipe::new(|_, _| Ok(Box::new(Unit::default()))),
            Plan::Empty(_) => Recipe::new(|_, _| Ok(Box::new(Empty))),
            Plan::Scan(scan) => self.scan(scan)?,
            Plan::Values(values) => {
                self.stays.set(self.stays.get() || values.is_counted);
                let rows: Rc<[Vec<Expr>]> = values.rows.clone().into();
                let columns = values.columns.len();
                Recipe::new(move |_, _| Ok(Box::new(Rows { rows: rows.clone(), columns, next: 0 })))
            }
            Plan::JsonTable(table) => {
                let (document, rows) = (table.document.clone(), Rc::new(table.rows.clone()));
                Recipe::new(move |_, _| {
                    Ok(Box::new(JsonTable { document: document.clone(), rows: rows.clone(), state: None }))
                })
            }
            Plan::Filter(input, predicate) => {
                let predicate = Layout::of(input).place_all(predicate)?;
                let input = self.plan(input)?;
                Recipe::new(move |context, tables| {
                    Ok(Box::new(Filter { input: input.build(context, tables)?, predicate: predicate.clone() }))
                })
            }
            Plan::Project(input, columns) => {
                let columns = Layout::of(input).place_all(columns.iter().map(|(_, expr)| expr))?;
                let input = self.plan(input)?;
                Recipe::new(move |context, tables| {
                    Ok(Box::new(Project { input: input.build(context, tables)?, columns: columns.clone() }))
                })
            }
            Plan::Join(join) => self.join(join)?,
            Plan::Aggregate(aggregate) => {
                let layout = Layout::of(&aggregate.input);
                let groups = layout.place_all(aggregate.groups.iter().map(|(_, expr)| expr))?;
                let compares =
                    |call: &plan::AggregateCall| call.distinct || matches!(call.function.name, "min" | "max");
                let calls = aggregate.calls.iter().filter(|(_, call)| compares(call));
                let args = calls.flat_map(|(_, call)| &call.args);
                for expr in groups.iter().chain(args) {
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
                let input = self.plan(&aggregate.input)?;
                // Numbers of rows in ranges are in the tree; which ranges is known when the parameters are.
                let counted = plan::rules::counted_scan(aggregate, self.types).cloned();
                let counted = counted.map(|scan| (self.number(scan.relation.clone()), scan));
                Recipe::new(move |context, tables| {
                    let counted =
                        counted.as_ref().and_then(|(table, scan)| super::count_ranges(scan, &tables[*table], context));
                    if let Some(rows) = counted.and_then(|(rows, _)| i64::try_from(rows).ok()) {
                        let row = vec![Expr::integer(rows); calls.len()];
                        return Ok(Box::new(Rows { columns: row.len(), rows: Rc::from([row]), next: 0 }));
                    }
                    Ok(Box::new(Aggregate::new(input.build(context, tables)?, columns, groups.clone(), calls.clone())))
                })
            }
            Plan::Window(window) => self.window(window)?,
            Plan::Sort(input, keys) => {
                let columns = columns_of(input).len();
                let keys = Layout::of(input).keys(keys)?;
                let input = self.plan(input)?;
                Recipe::new(move |context, tables| {
                    Ok(Box::new(Sort::new(input.build(context, tables)?, columns, keys.clone())))
                })
            }
            Plan::Limit(limit) => self.limit(limit)?,
            Plan::Distinct(input) => {
                let comparisons = self.comparisons(&columns_of(input))?;
                let input = self.plan(input)?;
                Recipe::new(move |context, tables| {
                    Ok(Box::new(Distinct::new(input.build(context, tables)?, comparisons.clone())))
                })
            }
            Plan::SetOperation(operation) => {
                let (left, right) = (self.plan(&operation.left)?, self.plan(&operation.right)?);
                let comparisons = self.comparisons(&operation.columns)?;
                let (kind, all) = (operation.kind, operation.all);
                Recipe::new(move |context, tables| {
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
                })
            }
            Plan::Apply(apply) => self.apply(apply)?,
            Plan::Recursive(recursive) => {
                let comparisons = self.comparisons(&recursive.columns)?;
                let (first, step) = (self.plan(&recursive.first)?, self.plan(&recursive.step)?);
                let (id, all) = (recursive.id, recursive.all);
                Recipe::new(move |context, tables| {
                    Ok(Box::new(Recursive {
                        id,
                        first: first.build(context, tables)?,
                        step: step.over(tables),
                        all,
                        comparisons: comparisons.clone(),
                        state: recursive::State::default(),
                    }))
                })
            }
            Plan::RecursiveRows(id, _) => {
                let id = *id;
                Recipe::new(move |_, _| Ok(Box::new(RoundRows { id, rows: None, next: 0 })))
            }
        })
    }

    /// The number of a stored table.
    fn number(&self, relation: Rc<dyn Relation>) -> usize {
        let mut tables = self.tables.borrow_mut();
        tables.push(relation);
        tables.len() - 1
    }

    fn window(&self, plan: &plan::Window) -> Result<Recipe> {
        let layout = Layout::of(&plan.input);
        let mut settings =
            window::Settings { calls: Vec::new(), orders: Vec::new(), columns: columns_of(&plan.input).len() };
        let mut known: Vec<(&[Expr], &[plan::SortKey])> = Vec::new();
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
                    let partition = partition.map(|expr| plan::SortKey { expr: expr.clone(), descending: false });
                    let keys: Vec<plan::SortKey> = partition.chain(call.order.iter().cloned()).collect();
                    settings
                        .orders
                        .push(window::Order { keys: layout.keys(&keys)?, partition_keys: call.partition.len() });
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
            let plan::WindowCall { function, frame, .. } = placed;
            settings.calls.push(window::Call { function, order, unit: frame.unit, start: frame.start, end: frame.end });
        }
        let (input, settings) = (self.plan(&plan.input)?, Rc::new(settings));
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(Window::new(input.build(context, tables)?, settings.clone())))
        }))
    }

    fn scan(&self, scan: &plan::Scan) -> Result<Recipe> {
        let filter = Layout::new(scan.columns.iter().map(|(id, _)| *id)).place_all(&scan.filter)?;
        let columns: Rc<[usize]> = scan.columns.iter().map(|(_, position)| *position).collect();
        let relation = scan.relation.clone();
        if relation.base().is_none() {
            self.stays.set(true);
            return Ok(Recipe::new(move |context, _| {
                Ok(Box::new(RelationScan::new(&relation, columns.clone(), filter.clone(), context)?))
            }));
        }
        let settings = super::table_scan::Settings::new(&relation, scan.access.clone(), columns, filter, scan.reverse)?;
        let settings = Rc::new(settings);
        let table = self.number(relation);
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(TableScan::open(settings.clone(), &tables[table], context)?))
        }))
    }

    fn join(&self, join: &plan::Join) -> Result<Recipe> {
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
                    Ok(Box::new(Lateral {
                        kind,
                        left: left.build(context, tables)?,
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
            Ok(Box::new(Join::new(kind, (left, left_count), (right, right_count), keys.clone(), on.clone())))
        }))
    }

    /// A limit over a sort keeps only the rows that will be given.
    fn limit(&self, limit: &plan::Limit) -> Result<Recipe> {
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
        if let Plan::Sort(input, keys) = &limit.input
            && rows.is_some()
        {
            let columns = columns_of(input).len();
            let keys = Layout::of(input).keys(keys)?;
            let input = self.plan(input)?;
            return Ok(Recipe::new(move |context, tables| {
                let limit = (rows.clone(), offset.clone());
                let sort = TopRows::new(input.build(context, tables)?, columns, keys.clone(), limit);
                Ok(Box::new(Limit::new(Box::new(sort), rows.clone(), offset.clone())))
            }));
        }
        let input = self.plan(&limit.input)?;
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(Limit::new(input.build(context, tables)?, rows.clone(), offset.clone())))
        }))
    }

    fn apply(&self, apply: &plan::Apply) -> Result<Recipe> {
        let layout = Layout::of(&apply.input);
        let outer = layout.outer(&apply.subquery.outer)?;
        let tested = layout.place_all(&apply.subquery.tested)?;
        let comparisons: Rc<[Comparison]> = apply.subquery.comparisons.clone().into();
        let (input, inner) = (self.plan(&apply.input)?, self.plan(&apply.subquery.plan)?);
        let test = apply.subquery.test;
        Ok(Recipe::new(move |context, tables| {
            Ok(Box::new(Apply {
                input: input.build(context, tables)?,
                inner: inner.over(tables),
                test,
                outer: outer.clone(),
                tested: tested.clone(),
                comparisons: comparisons.clone(),
                state: apply::State::default(),
            }))
        }))
    }
}
