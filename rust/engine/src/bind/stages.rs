//! Stages: splits long chains of common tables, views and set operations of different kinds. A stage runs before the query, so that neither
//! the binder nor the plan is as deep as the chain is long.

use std::cell::Cell;
use std::rc::Rc;

use hashbrown::HashMap;
use parse::ast;

use super::from::Source;
use super::query::tables_in;
use super::{Binder, CommonBody, Found, Scope, View};
use crate::error::{Result, SqlError};
use crate::expr::Expr;
use crate::plan::{ColumnId, Plan, Stage, Staged, columns_of};

/// Common tables that read each other within one stage.
const CHAIN_MAX: u32 = 8;

/// Views that read each other, likewise.
pub(super) const VIEWS_MAX: u32 = 24;

/// Views that read each other in one query.
const VIEW_LEVELS_MAX: usize = 1000;

/// A view whose rows are those of a stage.
pub(super) struct StagedView {
    database: Rc<str>,
    name: Rc<str>,
    stage: Rc<CommonStage>,
}

/// A view of a chain, and those that it reads.
struct Link {
    view: View,
    reads: std::vec::IntoIter<View>,
    /// The views below it in its stage.
    length: u32,
}

/// A common table, or a view or an arm in its place, that runs before the query.
pub(crate) struct CommonStage {
    stage: Stage,
    /// Its columns as those see it that read it; the expressions are columns of the plan.
    scope: Scope,
    is_read: Cell<bool>,
}

/// The plan behind the stages that it reads.
pub(super) fn after(stages: Vec<Rc<CommonStage>>, plan: Plan) -> Plan {
    let stages: Vec<Stage> =
        stages.iter().filter(|stage| stage.is_read.get()).map(|stage| stage.stage.clone()).collect();
    if stages.is_empty() { plan } else { Plan::Staged(Box::new(Staged { stages, plan })) }
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

impl Binder<'_> {
    /// Whether this is a part of a recursion, which is run in each round.
    pub(super) fn is_in_round(&self) -> bool {
        let is_round = |table: &super::CommonTable| matches!(table.body, CommonBody::Round { .. });
        self.frames.iter().any(|frame| frame.common.iter().any(is_round))
    }

    /// Which tables of a WITH end a stage: those that end a chain of [`CHAIN_MAX`], by the names in the texts of the tables.
    pub(super) fn ends_of_stages(&self, with: &ast::With) -> Vec<bool> {
        if with.tables.len() <= CHAIN_MAX as usize || self.is_in_round() {
            return Vec::new();
        }
        let mut lengths: HashMap<String, u32> = HashMap::new();
        let mut of_signs: Vec<(String, u32)> = Vec::new();
        let mut ends = Vec::with_capacity(with.tables.len());
        for table in &with.tables {
            let text = table.query.span.text(&self.sql).to_lowercase();
            let words = text.split(|letter| !is_of_word(letter));
            let named = words.filter_map(|word| lengths.get(word).copied());
            let others = of_signs.iter().filter(|(name, _)| text.contains(name)).map(|(_, length)| *length);
            let length = named.chain(others).max().unwrap_or(0) + 1;
            let is_end = length == CHAIN_MAX;
            ends.push(is_end);
            let (name, length) = (table.name.text.to_lowercase(), if is_end { 0 } else { length });
            if name.chars().all(is_of_word) {
                lengths.insert(name, length);
            } else {
                of_signs.push((name, length));
            }
        }
        ends
    }

    /// Binds the common table that was defined last, to be run before the query.
    pub(super) fn stage(&mut self, name: &ast::Ident) -> Result<()> {
        let Some(mut source) = self.common_table(name, name)? else { return Ok(()) };
        if let Plan::MaterializedCte(cte) = &mut source.plan {
            source.plan = cte.plan.take();
        }
        let stage = self.source_stage((*name.text).into(), source);
        if let Some(table) = self.frame().common.last_mut() {
            table.body = CommonBody::Staged(stage);
        }
        Ok(())
    }

    /// Has what is bound run before the query.
    fn source_stage(&mut self, name: Rc<str>, source: Source) -> Rc<CommonStage> {
        let stage = Stage { name, plan: source.plan };
        let stage = Rc::new(CommonStage { stage, scope: source.scope, is_read: Cell::new(false) });
        self.frame().stages.push(stage.clone());
        stage
    }

    /// Has a part of the query run before it; the plan of its rows.
    pub(super) fn plan_stage(&mut self, plan: Plan) -> Plan {
        let columns = columns_of(&plan);
        let stage = self.source_stage(self.stage_name("arms"), Source::new(plan, Scope::default()));
        stage.is_read.set(true);
        Plan::StageRows(stage.stage.name.clone(), columns)
    }

    /// A name that no other stage of the statement has.
    fn stage_name(&self, what: &str) -> Rc<str> {
        format!("{what} before column {}", self.types.len()).into()
    }

    /// The rows of a view that was run before.
    pub(super) fn staged_view(&mut self, view: &View, alias: &str) -> Option<Source> {
        let is_this = |staged: &&StagedView| staged.database == view.database && staged.name == view.name;
        let stage = self.staged_views.iter().find(is_this)?.stage.clone();
        Some(self.stage_rows(&stage, alias))
    }

    /// Binds views that `view` reads through [`VIEWS_MAX`] others, those that read no such ones first.
    pub(super) fn stage_views(&mut self, view: &View) -> Result<()> {
        let mut known: HashMap<String, u32> = HashMap::new();
        let mut path = vec![self.link(view.clone())];
        while let Some(link) = path.last_mut() {
            if let Some(read) = link.reads.next() {
                let id = format!("{}.{}", read.database, read.name);
                match known.get(&id) {
                    Some(length) => link.length = link.length.max(*length),
                    None if path.len() > VIEW_LEVELS_MAX => return Err(SqlError::too_deep()),
                    None => {
                        // What comes back to itself is an error of the binder, or too deep for it.
                        known.insert(id, 0);
                        path.push(self.link(read));
                    }
                }
                continue;
            }
            let Some(Link { view, length, .. }) = path.pop() else { break };
            let Some(reader) = path.last_mut() else { break };
            let mut length = length + 1;
            if length == VIEWS_MAX {
                let source = self.view(&view, &view.name, None)?;
                let stage = self.source_stage(self.stage_name(&view.name), source);
                let (database, name) = (view.database.clone(), view.name.clone());
                self.staged_views.push(StagedView { database, name, stage });
                length = 0;
            }
            reader.length = reader.length.max(length);
            known.insert(format!("{}.{}", view.database, view.name), length);
        }
        Ok(())
    }

    fn link(&self, view: View) -> Link {
        let mut reads = Vec::new();
        tables_in(&view.query.body, &mut |name| {
            if let Ok(Found::View(read)) = self.names.relation(name, None, Some(&view.database)) {
                reads.push(read);
            }
        });
        Link { view, reads: reads.into_iter(), length: 0 }
    }

    /// The rows of a common table that was run before, as `alias`. Each use has columns of its own.
    pub(super) fn stage_rows(&mut self, common: &CommonStage, alias: &str) -> Source {
        common.is_read.set(true);
        let own = columns_of(&common.stage.plan);
        let fresh: Vec<ColumnId> = own.iter().map(|id| self.column(self.types[*id as usize].clone())).collect();
        let mut scope = common.scope.clone();
        scope.relations.iter_mut().for_each(|relation| relation.name = alias.into());
        for column in &mut scope.columns {
            column.expr.substitute(&|id| {
                let at = own.iter().position(|known| *known == id)?;
                Some(Expr::column(fresh[at], self.types[id as usize].clone()))
            });
        }
        Source::new(Plan::StageRows(common.stage.name.clone(), fresh), scope)
    }
}
