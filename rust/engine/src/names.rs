//! Statement names: the binder's view of the catalog of a session.

use std::cell::Cell;
use std::rc::Rc;

use parse::ast;
use value::{Collation, SqlType, Value};

use crate::bind::{Binder, Names};
use crate::catalog::{Catalog, Column, Found, Relation, StoredExpr};
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr, ExprKind, ExprType};
use crate::one_value::value_over;
use crate::plan::Plan;
use crate::state::variables;

pub struct SessionNames {
    catalog: Rc<Catalog>,
    context: Rc<Context>,
    /// Something was looked up that may be different the next time.
    volatile: Cell<bool>,
    /// A relation was found that is no table of the working root.
    stays: Cell<bool>,
}

impl SessionNames {
    pub fn new(catalog: Rc<Catalog>, context: Rc<Context>) -> SessionNames {
        SessionNames { catalog, context, volatile: Cell::new(false), stays: Cell::new(false) }
    }

    /// The collation of the database in use, or that of databases which name none.
    fn database_collation(&self) -> Result<Collation> {
        match self.catalog.state.database() {
            Some(_) => Ok(self.catalog.place(None)?.root()?.collation()),
            None => Ok(Collation::UTF8MB4_0900_BIN),
        }
    }

    pub fn is_volatile(&self) -> bool {
        self.volatile.get()
    }

    /// Whether what was found is right only for the present state of the databases, and not for any in which tables of the
    /// same names have the same schemas.
    pub fn is_of_state(&self) -> bool {
        self.stays.get()
    }
}

/// The value of AS OF.
pub fn revision(as_of: Option<&ast::Expr>, context: &Rc<Context>) -> Result<Option<Value<'static>>> {
    let names = SessionNames::new(context.catalog.clone(), context.clone());
    as_of.map(|expr| Binder::new(&names, "", &[]).revision(expr)).transpose()
}

/// The value of a standalone expression, as in SET and CALL; it may ask the database.
pub fn value_alone(sql: &str, expr: &ast::Expr, context: &Rc<Context>) -> Result<Value<'static>> {
    let names = SessionNames::new(context.catalog.clone(), context.clone());
    let parameters = context.parameter_types();
    let mut binder = Binder::new(&names, sql, &parameters);
    let bound = binder.constant(expr)?;
    if bound.has_subquery() {
        return value_over(Plan::Unit, bound, &mut binder.into_types(), context);
    }
    bound.eval_constant(context)
}

/// Binds the text of an expression that a schema has, over the columns of its table.
pub fn bind_stored(columns: &[Column], text: &str, context: &Rc<Context>) -> Result<StoredExpr> {
    let names = SessionNames::new(context.catalog.clone(), context.clone());
    let expr = Binder::new(&names, "", &[]).of_schema(columns, text)?;
    Ok(StoredExpr { expr, is_volatile: names.is_volatile() })
}

/// Whether an expression by itself asks what names mean, as a subquery and `HASHOF` do.
pub fn is_about_names(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Subquery(_) => true,
        ExprKind::Call(call) => call.function.is(crate::functions::Traits::READS_CATALOG),
        _ => false,
    }
}

impl Names for SessionNames {
    fn relation(
        &self,
        name: &ast::ObjectName,
        as_of: Option<&Value<'static>>,
        database: Option<&str>,
    ) -> Result<Found> {
        let database = name.database.as_ref().map(|database| &*database.text).or(database);
        let found = self.catalog.relation_in(database, &name.name.text, as_of)?;
        let is_plain = matches!(&found, Found::Relation(relation) if relation.base().is_some());
        if as_of.is_some() || !is_plain || vcs::is_system_table(&name.name.text) {
            self.stays.set(true);
        }
        Ok(found)
    }

    fn late_arguments(&self, function: &str) -> Option<&'static [Value<'static>]> {
        self.catalog.late_arguments(function)
    }

    fn table_function(&self, name: &ast::ObjectName, arguments: &[Value<'static>]) -> Result<Rc<dyn Relation>> {
        self.volatile.set(true);
        self.catalog.table_function(name, arguments)
    }

    fn system_variable(&self, variable: &ast::SystemVariable) -> Result<(Value<'static>, ExprType)> {
        self.volatile.set(true);
        let name = variable.name.to_lowercase();
        let of_database = match (variable.scope, &*name) {
            (Some(ast::VariableScope::Global), _) => None,
            (_, "collation_database") => Some(self.database_collation()?.name()),
            (_, "character_set_database") => Some(self.database_collation()?.charset().name()),
            _ => None,
        };
        let known = {
            let variables = self.catalog.state.variables.borrow();
            match variable.scope {
                Some(ast::VariableScope::Global) => variables.get_global(&name),
                _ => variables.get(&name),
            }
        };
        let value = match of_database.map(Value::text).or(known) {
            Some(value) => Some(value),
            None => self.catalog.database_variable(&name)?,
        };
        let scope = match variable.scope {
            None => "",
            Some(ast::VariableScope::Global) => "global.",
            Some(_) => "session.",
        };
        let value = value.ok_or_else(|| SqlError::general(format!("Unknown system variable '@@{scope}{name}'")))?;
        let ty = match variables::definition(&name).map(|known| known.default) {
            Some(variables::Default::Bool(_)) => ExprType::boolean(),
            Some(variables::Default::Int(_)) => ExprType::bigint(),
            Some(variables::Default::UInt(_)) => ExprType::new(SqlType::BIGINT_UNSIGNED, true),
            _ => ExprType::of(&value),
        };
        Ok((value, ty))
    }

    fn user_variable(&self, name: &str) -> Value<'static> {
        self.volatile.set(true);
        self.catalog.state.user_variable(name)
    }

    fn local(&self, name: &ast::ColumnName) -> Option<(u32, ExprType)> {
        let local = self.context.locals.as_ref()?.find(name)?;
        Some((local.slot, local.ty.clone()))
    }

    fn context(&self) -> &Rc<Context> {
        &self.context
    }
}
