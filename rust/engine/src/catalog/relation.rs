//! Relation: the interface of everything that rows can be read from.

use std::fmt::Debug;
use std::rc::Rc;

use parse::ast;
use value::Value;

use super::BaseTable;
use crate::error::Result;
use crate::expr::{CompareOp, Context, Expr, ExprType};

/// What a name in FROM refers to.
pub enum Found {
    Relation(Rc<dyn Relation>),
    View(View),
}

/// A view: its query is bound in place.
#[derive(Clone)]
pub struct View {
    pub database: Rc<str>,
    pub name: Rc<str>,
    /// The text that `query` was parsed from.
    pub sql: Rc<str>,
    pub query: Rc<ast::Query>,
    /// Column names from `CREATE VIEW v (a, b)`.
    pub columns: Vec<Rc<str>>,
    /// WITH CHECK OPTION.
    pub check_option: Option<ast::CheckOption>,
}

/// A column of a relation.
#[derive(Debug, Clone)]
pub struct Column {
    pub name: Rc<str>,
    pub ty: ExprType,
    /// Part of the primary key.
    pub primary: bool,
    /// Not shown by `*`.
    pub hidden: bool,
    /// The stored column whose versions a column of a system table shows: its default and its comment are listed.
    pub shows: Option<Rc<vcs::Column>>,
}

/// An index that a scan may use.
#[derive(Debug, Clone)]
pub struct Index {
    pub name: Rc<str>,
    /// Positions of its columns in the relation, in key order; the primary key's columns that it appends are not among them.
    pub columns: Vec<usize>,
    /// Equal values of all columns (none NULL) belong to one row at most.
    pub unique: bool,
    /// Usable for ranges and order: not full-text, spatial or vector, no prefix lengths.
    pub ordered: bool,
}

/// An index of a relation that is not stored: what it is called where indexes are listed.
#[derive(Debug, Clone)]
pub struct ToldIndex {
    pub name: Rc<str>,
    /// Positions of its columns in the relation, in key order.
    pub columns: Vec<usize>,
    pub is_unique: bool,
    /// The stored index that represents it in SHOW CREATE TABLE, with its kind and the lengths of its prefixes.
    pub shows: Option<Rc<vcs::Index>>,
}

impl ToldIndex {
    pub fn unique(name: impl Into<Rc<str>>, columns: impl Into<Vec<usize>>) -> ToldIndex {
        ToldIndex { name: name.into(), columns: columns.into(), is_unique: true, shows: None }
    }

    /// One that may hold equal values many times.
    pub fn repeating(name: impl Into<Rc<str>>, columns: impl Into<Vec<usize>>) -> ToldIndex {
        ToldIndex { name: name.into(), columns: columns.into(), is_unique: false, shows: None }
    }
}

/// Rows of a system table or table function, as they are asked for. One without values is none: the next takes so long that others
/// may have their turn.
pub type RowIterator = Box<dyn Iterator<Item = Result<Vec<Value<'static>>>>>;

/// A comparison of a column with a constant that a virtual relation may use to read less.
/// The engine tests it again, so a relation may ignore it.
#[derive(Debug, Clone)]
pub struct Pushed {
    pub column: usize,
    pub op: CompareOp,
    pub value: Value<'static>,
    /// Where a lower bound is that of a list (`id IN (1, 5)`): its values in order.
    pub among: Option<Rc<[Value<'static>]>>,
}

/// An item of FROM: a table, a system table, the result of a table function.
pub trait Relation: Debug {
    fn database(&self) -> &Rc<str>;
    fn name(&self) -> &Rc<str>;
    fn columns(&self) -> &[Column];

    /// Index 0 is the primary key where there is one.
    fn indexes(&self) -> &[Index] {
        &[]
    }

    /// A stored table, which scans read in place.
    fn base(&self) -> Option<&BaseTable> {
        None
    }

    /// The expression of a column that is computed from the others when it is read, and that [`Relation::rows`] leaves NULL.
    fn virtual_expression(&self, position: usize) -> Option<&str> {
        self.base()?.schema().columns[position].virtual_expression()
    }

    /// Whether one that is not stored reads less where this column has to equal something.
    fn reads_less_by(&self, _position: usize) -> bool {
        false
    }

    /// The indexes of one that is not stored, as SHOW INDEX lists them.
    fn told_indexes(&self) -> &[ToldIndex] {
        &[]
    }

    /// What DESCRIBE calls the key that a column of one that is not stored is in: `PRI`, `UNI`, `MUL` or nothing.
    fn key_kind(&self, position: usize) -> &'static str {
        if self.columns()[position].primary {
            return "PRI";
        }
        let first = self.told_indexes().iter().find(|index| index.columns.first() == Some(&position));
        first.map_or("", |index| if index.is_unique && index.columns.len() == 1 { "UNI" } else { "MUL" })
    }

    /// How many rows there are, where that costs nothing to know.
    fn row_count(&self) -> Option<u64> {
        None
    }

    /// All rows, for relations that are not stored tables. `columns` has the positions of the values that are read; the
    /// others may be NULL.
    fn rows(&self, context: &Rc<Context>, columns: &[usize], pushed: &[Pushed]) -> Result<RowIterator>;
}

/// Which index of a relation is read, and what part of it.
#[derive(Debug, Clone, Default)]
pub struct IndexChoice {
    /// Position in [`Relation::indexes`]; none reads the table in its own order.
    pub index: Option<usize>,
    /// Disjoint and ascending when their bounds are constants; none is the whole index.
    pub ranges: Option<Vec<KeyRange>>,
    /// Of a vector index only what is nearest is read, the nearest first.
    pub nearest: Option<Rc<Nearest>>,
}

/// What is asked of a vector index. Expressions are constant during the scan.
#[derive(Debug)]
pub struct Nearest {
    pub to: Expr,
    /// LIMIT and OFFSET.
    pub rows: Option<Expr>,
    pub offset: Option<Expr>,
}

/// A part of an index: equal values for the first columns, then bounds for the next one.
/// Expressions are constant during the scan: literals, parameters, outer columns.
#[derive(Debug, Clone, Default)]
pub struct KeyRange {
    pub equal: Vec<Expr>,
    /// Bound and whether it is part of the range.
    pub lower: Option<(Expr, bool)>,
    pub upper: Option<(Expr, bool)>,
    /// Equal positions where NULL matches NULL (`<=>`, `IS NULL`); elsewhere a NULL bound gives an empty range.
    pub null_safe: Vec<usize>,
    /// Leaves NULLs out although there are no bounds. They match no bound: beside one this says nothing.
    pub is_not_null: bool,
}

impl KeyRange {
    /// Whether it is another one for each enclosing row.
    pub fn reads_outer(&self) -> bool {
        let mut ends = self.lower.iter().chain(&self.upper);
        self.equal.iter().any(Expr::reads_outer) || ends.any(|(end, _)| end.reads_outer())
    }
}
