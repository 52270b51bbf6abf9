//! Computed tables (system tables), which the catalog looks up by name.

use std::fmt::Debug;
use std::rc::Rc;

use parse::ast;
use value::Value;
use vcs::{RootValue, Schema, Table};

use super::{Catalog, Place, Relation};
use crate::error::Result;

/// Makes computed tables. The implementation reads the catalog and runs queries, so it is in a layer above.
pub trait ComputedTables: Debug {
    /// A table that belongs to no database of ours: of `information_schema`, `mysql`.
    fn global(&self, catalog: &Catalog, database: Option<&str>, table: &str) -> Result<Option<Rc<dyn Relation>>>;

    /// A system table of a database.
    fn of_database(
        &self,
        place: &Place,
        root: &RootValue,
        name: &str,
        as_of: Option<&Value<'static>>,
    ) -> Result<Option<Rc<dyn Relation>>>;

    /// A table whose rows, if it is there, are shown under a schema that is not its own.
    fn under_schema(&self, place: &Place, name: &str, rows: Option<Table>, schema: Rc<Schema>) -> Rc<dyn Relation>;

    /// Runs the tests of `dolt_tests` that a name means: those that fail, and why.
    ///
    /// # Errors
    /// 1105 for a name that no test and no group has.
    fn failed_tests(&self, catalog: &Catalog, name: &str) -> Result<Vec<(String, String)>>;

    /// A table function, of the session's database unless another one is named.
    ///
    /// # Errors
    /// 1105 for a name that no function has.
    fn function(
        &self,
        catalog: &Catalog,
        name: &ast::ObjectName,
        arguments: &[Value<'static>],
    ) -> Result<Rc<dyn Relation>>;

    /// Arguments that give a table function the columns that it has with any others; `None` where it takes only literals.
    fn late_arguments(&self, function: &str) -> Option<&'static [Value<'static>]>;
}
