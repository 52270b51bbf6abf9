//! Base table: a stored table at one moment, as the engine sees it.

use std::rc::Rc;

use value::SqlType;
use vcs::Schema;

use super::{Column, Index, Pushed, Relation, RowIterator};
use crate::error::{Result, SqlError};
use crate::expr::{Context, ExprType};

/// Which tree an index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    Primary,
    /// Position in the schema's indexes.
    Secondary(usize),
}

/// A table of a root value. Cheap to make: the rows are read by scans.
pub struct BaseTable {
    database: Rc<str>,
    name: Rc<str>,
    pub table: vcs::Table,
    columns: Rc<[Column]>,
    indexes: Rc<[Index]>,
    /// For each entry of `indexes` its tree.
    trees: Rc<[Tree]>,
    /// The database and the name by which a statement finds it, where they are others (`dolt_nonlocal_tables`).
    called: Option<Rc<(Rc<str>, Rc<str>)>>,
}

impl std::fmt::Debug for BaseTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}@{}", self.database, self.name, self.table.address())
    }
}

impl BaseTable {
    pub fn new(database: Rc<str>, name: Rc<str>, table: vcs::Table) -> BaseTable {
        let schema = table.schema().clone();
        let columns = schema.columns.iter().map(column_of).collect();
        let mut indexes = Vec::new();
        let mut trees = Vec::new();
        if !schema.is_keyless() {
            indexes.push(Index {
                name: "PRIMARY".into(),
                columns: schema.primary_key.clone(),
                unique: true,
                ordered: true,
            });
            trees.push(Tree::Primary);
        }
        for (position, index) in schema.indexes.iter().enumerate() {
            indexes.push(Index {
                name: index.name.clone(),
                columns: index.columns.clone(),
                unique: index.is_unique,
                ordered: index.is_ordered() && !index.has_prefixes(),
            });
            trees.push(Tree::Secondary(position));
        }
        BaseTable { database, name, table, columns, indexes: indexes.into(), trees: trees.into(), called: None }
    }

    /// Another version of the table, which has the same schema.
    pub fn over(&self, table: vcs::Table) -> BaseTable {
        debug_assert!(Rc::ptr_eq(table.schema(), self.schema()) || table.schema().address == self.schema().address);
        let BaseTable { database, name, columns, indexes, trees, called, .. } = self;
        let (database, name, columns) = (database.clone(), name.clone(), columns.clone());
        BaseTable {
            database,
            name,
            table,
            columns,
            indexes: indexes.clone(),
            trees: trees.clone(),
            called: called.clone(),
        }
    }

    /// The same as another place has it, by another name.
    pub(super) fn called(&self, database: Rc<str>, name: Rc<str>) -> BaseTable {
        BaseTable { called: Some(Rc::new((database, name))), ..self.over(self.table.clone()) }
    }

    /// Whether it is a table of another branch, or another name of one: [`BaseTable::known_as`] is not its own name then.
    pub fn is_nonlocal(&self) -> bool {
        self.called.is_some()
    }

    /// The database and the name by which statements know it: those of its triggers.
    pub fn known_as(&self) -> (&Rc<str>, &Rc<str>) {
        self.called.as_ref().map_or((&self.database, &self.name), |called| (&called.0, &called.1))
    }

    pub fn schema(&self) -> &Rc<Schema> {
        self.table.schema()
    }

    pub fn tree(&self, index: Option<usize>) -> Tree {
        index.map_or(Tree::Primary, |index| self.trees[index])
    }
}

pub(crate) fn column_of(column: &vcs::Column) -> Column {
    let sql: SqlType = column.sql_type.clone();
    let ty = ExprType::new(sql, column.is_nullable && !column.is_primary_key).of_column();
    Column { name: column.name.clone(), ty, primary: column.is_primary_key, hidden: column.is_hidden, shows: None }
}

impl Relation for BaseTable {
    fn database(&self) -> &Rc<str> {
        &self.database
    }

    fn name(&self) -> &Rc<str> {
        &self.name
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn indexes(&self) -> &[Index] {
        &self.indexes
    }

    fn base(&self) -> Option<&BaseTable> {
        Some(self)
    }

    fn row_count(&self) -> Option<u64> {
        // Keyless tables would have to be read: rows are kept once with a count.
        if self.schema().is_keyless() { None } else { self.table.row_count().ok() }
    }

    fn rows(&self, _: &Rc<Context>, _: &[usize], _: &[Pushed]) -> Result<RowIterator> {
        Err(SqlError::internal("a stored table was read as a virtual one"))
    }
}
