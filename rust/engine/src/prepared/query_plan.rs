//! Cached query plan: bound, optimized and lowered, so that it can run again.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::bind::Bound;
use crate::catalog::{BaseTable, Catalog, CatalogVersion, IndexChoice, Relation, Tree};
use crate::error::Result;
use crate::exec::{self, PhysicalPlan, PointRead};
use crate::expr::{Context, ExprType};
use crate::optimizer;
use crate::page::ResultColumn;
use crate::plan::Plan;
use crate::state::Rules;
use crate::write::Writer;

/// A query that is ready to run.
pub struct QueryPlan {
    work: Work,
    pub columns: Rc<[ResultColumn]>,
    /// Types of the parameters it was made for.
    pub parameters: Vec<ExprType>,
    /// The rules that it went through.
    pub rules: Rules,
    /// What the catalog looked like when it was made, or moved to other versions of its tables.
    pub version: CatalogVersion,
    /// It is right only where the catalog looks as the version says.
    pub is_of_state: bool,
    /// The index of the only scan that it reads from.
    alone: Option<Rc<IndexChoice>>,
}

/// How a query comes to its rows.
enum Work {
    Operators(PhysicalPlan),
    Lookup(Box<Lookup>),
}

/// A plan that is a lookup of one row. It is lowered to operators only for values that a lookup does not take.
struct Lookup {
    point: PointRead,
    /// With the types of its columns.
    plan: Rc<(Plan, Vec<ExprType>)>,
    operators: OnceCell<PhysicalPlan>,
}

impl QueryPlan {
    /// The plan of a bound query for parameters of these types, over the catalog as `version` says.
    ///
    /// # Errors
    /// What cannot be planned.
    ///
    /// One that is planned `in_turns` serves once.
    pub fn new(
        bound: Bound,
        parameters: Vec<ExprType>,
        version: CatalogVersion,
        in_turns: bool,
        context: &Context,
    ) -> Result<QueryPlan> {
        let Bound { plan, columns, mut types } = bound;
        let rules = context.session.rules.get();
        if in_turns {
            let work = Work::Operators(PhysicalPlan::once(optimizer::in_turns(plan, types)));
            let columns = columns.into();
            return Ok(QueryPlan { work, columns, parameters, rules, version, is_of_state: true, alone: None });
        }
        let plan = optimizer::optimize(plan, &mut types, context)?;
        let alone = plan.scan_alone().map(|scan| Rc::new(scan.access.clone()));
        let (work, is_of_state) = match PointRead::of(&plan, &columns)? {
            Some(point) => (Work::Lookup(Box::new(Lookup::new(point, Rc::new((plan, types))))), false),
            None => {
                let physical = exec::lower(&plan, &types)?;
                let is_of_state = physical.movable_tables().is_none();
                (Work::Operators(physical), is_of_state)
            }
        };
        Ok(QueryPlan { work, columns: columns.into(), parameters, rules, version, is_of_state, alone })
    }

    /// Whether it reads parts of the rows of one table by their keys: then [`QueryPlan::misses`] may hold for a writer of that table.
    pub fn may_miss(&self) -> bool {
        let base = self.table().and_then(|table| table.base());
        self.alone.as_ref().zip(base).is_some_and(|(access, base)| is_of_rows(access, base))
    }

    /// The first table that it reads, where it can be had over other versions of it.
    fn table(&self) -> Option<&Rc<dyn Relation>> {
        match &self.work {
            Work::Operators(physical) => physical.movable_tables()?.first(),
            Work::Lookup(lookup) => Some(lookup.point.relation()),
        }
    }

    /// Whether it reads no row that a writer has changed: one table, which is not changed, or parts of its rows where no change is.
    pub fn misses(&self, writer: &Writer, context: &Context) -> Result<bool> {
        let (Some(access), Some(table)) = (&self.alone, self.table()) else { return Ok(false) };
        let Some(base) = table.base() else { return Ok(false) };
        if *writer.place().name != **base.database() {
            return Ok(false);
        }
        let Some(editor) = writer.changed(base.name()) else { return Ok(true) };
        let bounds = if is_of_rows(access, base) { exec::bounds_of(access, table, context) } else { None };
        let Some(bounds) = bounds else { return Ok(false) };
        for bounds in &bounds {
            if editor.touches(bounds.sides())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The plan over a table that has nothing but the rows that it reads, as a writer has changed them. `None` where these are many, where more
    /// than parts of the rows of one table is read, and where the parts are unknown.
    pub fn over_edits(&self, writer: &Writer, context: &Context) -> Result<Option<QueryPlan>> {
        let (Some(access), Some(table)) = (&self.alone, self.table()) else { return Ok(None) };
        let Some(base) = table.base().filter(|base| is_of_rows(access, base)) else { return Ok(None) };
        let editor = writer.changed(base.name()).filter(|editor| editor.base() == base.table.address());
        let (Some(editor), Some(bounds)) = (editor, exec::bounds_of(access, table, context)) else { return Ok(None) };
        let Some(ranges) = exec::ascending(&base.table.rows(), &bounds)? else { return Ok(None) };
        let Some(overlay) = editor.excerpt(ranges)? else { return Ok(None) };
        let relation: Rc<dyn Relation> = Rc::new(base.over(overlay));
        let work = match &self.work {
            Work::Operators(physical) => Work::Operators(physical.over(vec![relation])),
            Work::Lookup(lookup) => match lookup.point.over(relation) {
                Some(point) => Work::Lookup(Box::new(Lookup::new(point, lookup.plan.clone()))),
                None => return Ok(None),
            },
        };
        Ok(Some(self.with_work(work, self.version.clone())))
    }

    fn with_work(&self, work: Work, version: CatalogVersion) -> QueryPlan {
        let (columns, parameters, alone) = (self.columns.clone(), self.parameters.clone(), self.alone.clone());
        QueryPlan { work, columns, parameters, rules: self.rules, version, is_of_state: false, alone }
    }

    /// The lookup of one row that it is.
    pub fn point(&self) -> Option<&PointRead> {
        match &self.work {
            Work::Operators(_) => None,
            Work::Lookup(lookup) => Some(&lookup.point),
        }
    }

    /// What makes the operators that run it.
    pub fn operators(&self) -> Result<PhysicalPlan> {
        match &self.work {
            Work::Operators(physical) => Ok(physical.clone()),
            Work::Lookup(lookup) => match lookup.operators.get() {
                Some(known) => Ok(known.clone()),
                None => {
                    let (plan, types) = &*lookup.plan;
                    let lowered = exec::lower(plan, types)?.over(vec![lookup.point.relation().clone()]);
                    Ok(lookup.operators.get_or_init(|| lowered).clone())
                }
            },
        }
    }

    /// Whether it was made for values of these types.
    pub fn serves(&self, context: &Context) -> bool {
        context.has_parameters(&self.parameters)
    }

    /// The plan over the current tables, where they have the schemas for which it was made and about as many rows.
    pub fn moved(&self, catalog: &Catalog) -> Result<Option<QueryPlan>> {
        if self.is_of_state || !catalog.is_placed_as(&self.version) {
            return Ok(None);
        }
        let work = match &self.work {
            Work::Operators(physical) => {
                let Some(tables) = physical.movable_tables() else { return Ok(None) };
                catalog.moved(tables)?.map(|tables| Work::Operators(physical.over(tables)))
            }
            Work::Lookup(lookup) => {
                let table = catalog.moved(std::slice::from_ref(lookup.point.relation()))?;
                let point = table.and_then(|mut table| lookup.point.over(table.pop()?));
                point.map(|point| Work::Lookup(Box::new(Lookup::new(point, lookup.plan.clone()))))
            }
        };
        Ok(work.map(|work| self.with_work(work, catalog.version())))
    }
}

/// Whether a scan reads parts of the rows, in the order of their keys.
fn is_of_rows(access: &IndexChoice, base: &BaseTable) -> bool {
    access.ranges.is_some() && access.nearest.is_none() && base.tree(access.index) == Tree::Primary
}

impl Lookup {
    fn new(point: PointRead, plan: Rc<(Plan, Vec<ExprType>)>) -> Lookup {
        Lookup { point, plan, operators: OnceCell::new() }
    }
}
