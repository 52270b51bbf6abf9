//! Tables that Dolt computes: history, branches, status, diffs.

pub mod computed;

use std::rc::Rc;

use parse::ast;
use value::Value;
use vcs::RootValue;

use crate::catalog::{Catalog, Place, Relation};
use crate::error::{Result, SqlError};

/// Tables that belong to no database of ours: `information_schema`, `mysql`.
pub fn global(_catalog: &Catalog, _database: Option<&str>, _name: &str) -> Result<Option<Rc<dyn Relation>>> {
    Ok(None)
}

/// A system table of a database.
pub fn find(
    _catalog: &Catalog,
    _place: &Place,
    _root: &RootValue,
    _name: &str,
    _as_of: Option<&Value<'static>>,
) -> Result<Option<Rc<dyn Relation>>> {
    Ok(None)
}

pub fn table_function(
    _catalog: &Catalog,
    name: &ast::ObjectName,
    _arguments: &[Value<'static>],
) -> Result<Rc<dyn Relation>> {
    Err(SqlError::new(1105, format!("table function: '{}' not found", name.name.text)))
}
