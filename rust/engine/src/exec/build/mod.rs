//! Lowering of logical plans to physical plans.
//!
//! A plan is lowered once: column numbers become positions, settings are put behind shared pointers. What comes out is a
//! [`PhysicalPlan`] that makes fresh operators as often as it is asked to.

mod computed;
mod layout;
mod operators;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::measure::{Measure, Measured, Measures};
use super::physical_plan::{PhysicalPlan, Recipe};
use super::scan::values::{Empty, Unit};
use super::subquery::recursive_cte::RoundRows;
use crate::catalog::Relation;
use crate::engine::Engine;
use crate::error::Result;
use crate::expr::ExprType;
use crate::plan::Plan;

pub(super) use layout::Layout;
use operators::{json_table, stage_rows, table_function};

/// The types of all columns of a statement, by number.
pub type ColumnTypes = [ExprType];

/// Lowers a whole plan; its output has the columns of [`columns_of`](crate::plan::columns_of) in that order.
pub fn lower(plan: &Plan, types: &ColumnTypes) -> Result<PhysicalPlan> {
    Lowering::new(types, None).physical(plan)
}

/// The same with a meter at each operator.
pub fn lower_measured(plan: &Plan, types: &ColumnTypes, engine: &Rc<Engine>) -> Result<(PhysicalPlan, Measures)> {
    let meter = Meter { engine: engine.clone(), measures: RefCell::default() };
    let physical = Lowering::new(types, Some(&meter)).physical(plan)?;
    Ok((physical, meter.measures.into_inner()))
}

struct Meter {
    engine: Rc<Engine>,
    measures: RefCell<Measures>,
}

struct Lowering<'a> {
    types: &'a ColumnTypes,
    meter: Option<&'a Meter>,
    tables: RefCell<Vec<Rc<dyn Relation>>>,
    /// The plan is for the current data.
    stays: Cell<bool>,
}

impl<'a> Lowering<'a> {
    fn new(types: &'a ColumnTypes, meter: Option<&'a Meter>) -> Lowering<'a> {
        Lowering { types, meter, tables: RefCell::default(), stays: Cell::new(false) }
    }
}

impl Lowering<'_> {
    fn physical(self, plan: &Plan) -> Result<PhysicalPlan> {
        let recipe = self.plan(plan)?;
        Ok(PhysicalPlan::new(recipe, self.tables.into_inner(), !self.stays.get()))
    }

    fn plan(&self, plan: &Plan) -> Result<Recipe> {
        Ok(self.measured(plan, self.operator(plan)?))
    }

    /// With a meter, if they are wanted, that tells what this operator of the plan does.
    fn measured(&self, plan: &Plan, recipe: Recipe) -> Recipe {
        let (Some(meter), Some(measure)) = (self.meter, self.measure(plan)) else { return recipe };
        let engine = meter.engine.clone();
        Recipe::new(move |context, tables| {
            let (measure, engine) = (measure.clone(), engine.clone());
            measure.starts.set(measure.starts.get() + 1);
            Ok(Box::new(Measured { input: recipe.build(context, tables)?, measure, engine }))
        })
    }

    /// What is measured of this operator of the plan, if that is wanted.
    fn measure(&self, plan: &Plan) -> Option<Rc<Measure>> {
        self.meter.map(|meter| meter.measures.borrow_mut().add(plan))
    }

    fn operator(&self, plan: &Plan) -> Result<Recipe> {
        match plan {
            Plan::Unit => Ok(Recipe::new(|_, _| Ok(Box::new(Unit::default())))),
            Plan::Empty(_) => Ok(Recipe::new(|_, _| Ok(Box::new(Empty)))),
            Plan::Scan(scan) => self.scan(scan),
            Plan::LooseIndexScan(groups) => self.loose_index_scan(groups),
            Plan::HashIndexedScan(keyed) => self.hash_indexed_scan(keyed),
            Plan::Values(values) => Ok(self.values(values)),
            Plan::JsonTable(table) => Ok(json_table(table)),
            Plan::TableFunction(function) => Ok(table_function(function)),
            Plan::Filter(input, predicate) => self.filter(input, predicate),
            Plan::Project(input, columns) => self.project(input, columns),
            Plan::Join(join) => self.join(join),
            Plan::Aggregate(aggregate) => self.aggregate(aggregate),
            Plan::Window(window) => self.window(window),
            Plan::Sort(input, keys) => self.sort(input, keys),
            Plan::Limit(limit) => self.limit(limit),
            Plan::Distinct(input) => self.distinct(input),
            Plan::SetOperation(operation) => self.set_operation(operation),
            Plan::Apply(apply) => self.apply(apply),
            Plan::MaterializedCte(cte) => self.materialized_cte(cte),
            Plan::Recursive(recursive) => self.recursive(recursive),
            Plan::Staged(staged) => self.staged(staged),
            Plan::StageRows(name, _) => Ok(stage_rows(name.clone())),
            Plan::RecursiveRows(id, _) => {
                let id = *id;
                Ok(Recipe::new(move |_, _| Ok(Box::new(RoundRows { id, rows: None, next: 0 }))))
            }
        }
    }

    /// The number of a stored table.
    fn number(&self, relation: Rc<dyn Relation>) -> usize {
        let mut tables = self.tables.borrow_mut();
        tables.push(relation);
        tables.len() - 1
    }
}
