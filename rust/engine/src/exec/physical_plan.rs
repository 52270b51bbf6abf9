//! Physical plan: makes fresh operators as often as needed. `build` lowers a logical plan to one; operators that instantiate subplans hold
//! one, once a row for a correlated subquery, once a round for a recursive query.

use std::cell::Cell;
use std::rc::Rc;

use super::operator::Source;
use crate::catalog::Relation;
use crate::error::{Result, SqlError};
use crate::expr::Context;

/// The stored tables of a plan, by the numbers that its scans know them by.
pub(super) type Tables = Rc<[Rc<dyn Relation>]>;

type Maker = dyn Fn(&Rc<Context>, &Tables) -> Result<Source>;

/// A recipe for operators, over the tables of one moment.
#[derive(Clone)]
pub struct PhysicalPlan {
    recipe: Recipe,
    tables: Tables,
    /// All that it knows of the data is which tables it reads.
    moves: bool,
}

impl PhysicalPlan {
    /// `moves` says that the recipe is as good over other versions of the tables.
    pub(super) fn new(recipe: Recipe, tables: Vec<Rc<dyn Relation>>, moves: bool) -> PhysicalPlan {
        PhysicalPlan { recipe, tables: tables.into(), moves }
    }

    /// The recipe of operators that are there already, and are used once.
    pub fn once(source: Source) -> PhysicalPlan {
        let source = Cell::new(Some(source));
        let used = || SqlError::internal("operators that were used already");
        PhysicalPlan::new(Recipe::new(move |_, _| source.take().ok_or_else(used)), Vec::new(), false)
    }

    /// Fresh operators, nothing read yet.
    pub fn build(&self, context: &Rc<Context>) -> Result<Source> {
        self.recipe.build(context, &self.tables)
    }

    /// The stored tables that it reads, where it can be had over other versions of them.
    pub fn movable_tables(&self) -> Option<&[Rc<dyn Relation>]> {
        self.moves.then_some(&self.tables)
    }

    /// The same over other versions of its tables, whose schemas are the same.
    pub fn over(&self, tables: Vec<Rc<dyn Relation>>) -> PhysicalPlan {
        debug_assert!(self.moves && tables.len() == self.tables.len());
        PhysicalPlan::new(self.recipe.clone(), tables, true)
    }
}

/// A recipe that gets its tables when it is used.
#[derive(Clone)]
pub(super) struct Recipe(Rc<Maker>);

impl Recipe {
    pub(super) fn new(maker: impl Fn(&Rc<Context>, &Tables) -> Result<Source> + 'static) -> Recipe {
        Recipe(Rc::new(maker))
    }

    pub(super) fn build(&self, context: &Rc<Context>, tables: &Tables) -> Result<Source> {
        (self.0)(context, tables)
    }

    /// For operators that make others while they run.
    pub(super) fn over(&self, tables: &Tables) -> PhysicalPlan {
        PhysicalPlan { recipe: self.clone(), tables: tables.clone(), moves: false }
    }
}
