//! Syntax of definitions: databases, tables, columns, indexes, views.

use std::rc::Rc;

use super::{Account, Expr, Ident, ObjectName, OrderItem, Query, Span};

/// A type as written. Which parameters make sense is the binder's business.
#[derive(Clone, Debug, PartialEq)]
pub struct DataType {
    pub kind: TypeKind,
    /// `(10)` of `DECIMAL(10,2)`, `VARCHAR(10)`, `DATETIME(6)`, `INT(11)`.
    pub length: Option<u64>,
    /// `(…,2)` of `DECIMAL(10,2)`.
    pub scale: Option<u64>,
    pub unsigned: bool,
    pub zerofill: bool,
    /// Members of ENUM and SET.
    pub members: Vec<Box<str>>,
    pub charset: Option<Ident>,
    pub collation: Option<Ident>,
    /// `CHAR(3) BINARY`: the binary collation of the character set.
    pub binary: bool,
    /// `NCHAR`, `NVARCHAR`, `NATIONAL …`.
    pub national: bool,
    pub srid: Option<u32>,
    /// `CAST(x AS UNSIGNED ARRAY)`.
    pub array: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    TinyInt,
    SmallInt,
    MediumInt,
    Int,
    BigInt,
    /// `SERIAL`: BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE.
    Serial,
    /// `BOOL`, `BOOLEAN`: TINYINT(1).
    Boolean,
    Decimal,
    Float,
    /// `DOUBLE`, `REAL`, `DOUBLE PRECISION`, FLOAT8.
    Double,
    Bit,
    Date,
    Time,
    DateTime,
    Timestamp,
    Year,
    Char,
    VarChar,
    TinyText,
    Text,
    MediumText,
    LongText,
    Binary,
    VarBinary,
    TinyBlob,
    Blob,
    MediumBlob,
    LongBlob,
    Enum,
    Set,
    Json,
    Vector,
    Geometry,
    Point,
    LineString,
    Polygon,
    MultiPoint,
    MultiLineString,
    MultiPolygon,
    GeometryCollection,
    /// `CAST(x AS SIGNED)`; with `unsigned` set it is `UNSIGNED`. Only in casts.
    Signed,
}

#[derive(Debug, PartialEq)]
pub struct CreateDatabase {
    pub if_not_exists: bool,
    pub name: Ident,
    pub charset: Option<Ident>,
    pub collation: Option<Ident>,
}

#[derive(Debug, PartialEq)]
pub struct AlterDatabase {
    /// `None`: the current database.
    pub name: Option<Ident>,
    pub charset: Option<Ident>,
    pub collation: Option<Ident>,
}

#[derive(Debug, PartialEq)]
pub struct CreateTable {
    pub temporary: bool,
    pub if_not_exists: bool,
    pub name: ObjectName,
    /// Columns, indexes and constraints in text order; empty for LIKE and for a bare AS SELECT.
    pub elements: Vec<TableElement>,
    pub options: Vec<TableOption>,
    /// PARTITION BY and what follows: accepted, without effect.
    pub partitioning: Option<Span>,
    pub like: Option<ObjectName>,
    /// `IGNORE` or `REPLACE` before AS SELECT.
    pub on_conflict: Option<InsertConflict>,
    pub query: Option<Box<Query>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertConflict {
    Ignore,
    Replace,
}

#[derive(Debug, PartialEq)]
pub enum TableElement {
    Column(ColumnDefinition),
    Index(IndexDefinition),
    ForeignKey(ForeignKey),
    Check(CheckConstraint),
}

#[derive(Debug, PartialEq)]
pub struct ColumnDefinition {
    pub name: Ident,
    pub data_type: DataType,
    /// In text order; the last of a kind wins.
    pub options: Vec<ColumnOption>,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub enum ColumnOption {
    NotNull,
    Null,
    /// `DEFAULT 1`, `DEFAULT NULL`, `DEFAULT CURRENT_TIMESTAMP`, and `DEFAULT (expr)` with `parenthesized`.
    Default {
        expr: Expr,
        parenthesized: bool,
    },
    OnUpdate(Expr),
    AutoIncrement,
    PrimaryKey,
    Unique,
    /// A bare `KEY` after the type, which is a primary key in MySQL.
    Key,
    Comment(Box<str>),
    Collate(Ident),
    CharacterSet(Ident),
    Srid(u32),
    Generated {
        expr: Expr,
        stored: bool,
    },
    /// `CONSTRAINT name CHECK (…) [NOT] ENFORCED` on a column.
    Check(CheckConstraint),
    References(Box<References>),
    Visible,
    Invisible,
    /// COLUMN_FORMAT, STORAGE, ENGINE_ATTRIBUTE…: accepted, without effect.
    Ignored,
}

impl ColumnOption {
    /// Whether Dolt reads it twice; of other options MySQL takes the last. A second comment the engine refuses.
    pub(crate) fn may_be_repeated(&self) -> bool {
        use ColumnOption::{Comment, Ignored, Invisible, NotNull, Null, PrimaryKey, Unique, Visible};
        matches!(self, NotNull | Null | PrimaryKey | Unique | Visible | Invisible | Comment(_) | Ignored)
    }
}

#[derive(Debug, PartialEq)]
pub struct IndexDefinition {
    pub kind: IndexKind,
    pub if_not_exists: bool,
    /// `CONSTRAINT name` before UNIQUE or PRIMARY KEY.
    pub constraint: Option<Ident>,
    pub name: Option<Ident>,
    /// `USING BTREE` or HASH: accepted, without effect.
    pub using: Option<Ident>,
    pub parts: Vec<KeyPart>,
    pub options: Vec<IndexOption>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexKind {
    Primary,
    Unique,
    Plain,
    FullText,
    Spatial,
    Vector,
}

#[derive(Debug, PartialEq)]
pub struct KeyPart {
    pub target: KeyTarget,
    pub descending: bool,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub enum KeyTarget {
    /// `name` or `name(length)`.
    Column { name: Ident, prefix_length: Option<u64> },
    /// `((expr))`.
    Expr(Expr),
}

#[derive(Debug, PartialEq)]
pub enum IndexOption {
    Comment(Box<str>),
    Using(Ident),
    Visible,
    Invisible,
    KeyBlockSize(u64),
    Parser(Ident),
    /// ENGINE_ATTRIBUTE and the like: accepted, without effect.
    Ignored,
}

#[derive(Debug, PartialEq)]
pub struct ForeignKey {
    pub constraint: Option<Ident>,
    /// `FOREIGN KEY name (…)`.
    pub index_name: Option<Ident>,
    pub columns: Vec<Ident>,
    pub references: References,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub struct References {
    pub table: ObjectName,
    pub columns: Vec<Ident>,
    pub on_delete: Option<ReferenceAction>,
    pub on_update: Option<ReferenceAction>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceAction {
    Restrict,
    Cascade,
    SetNull,
    SetDefault,
    NoAction,
}

#[derive(Debug, PartialEq)]
pub struct CheckConstraint {
    pub name: Option<Ident>,
    pub expr: Expr,
    pub enforced: bool,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub struct TableOption {
    /// Upper case, words joined by one space, as in `DEFAULT` dropped: `CHARACTER SET` (also for CHARSET), `COLLATE`,
    /// `COMMENT`, `AUTO_INCREMENT`, `ENGINE`, …
    pub name: Box<str>,
    pub value: OptionValue,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub enum OptionValue {
    Word(Ident),
    Text(Box<str>),
    Integer(u64),
    /// A list such as UNION=(a,b): accepted, without effect.
    Other,
}

#[derive(Debug, PartialEq)]
pub struct AlterTable {
    pub name: ObjectName,
    pub actions: Vec<AlterAction>,
}

#[derive(Debug, PartialEq)]
pub struct AlterAction {
    pub kind: AlterActionKind,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub enum AlterActionKind {
    AddColumn {
        column: ColumnDefinition,
        position: Option<ColumnPosition>,
        if_not_exists: bool,
    },
    DropColumn {
        name: Ident,
        if_exists: bool,
    },
    ModifyColumn {
        column: ColumnDefinition,
        position: Option<ColumnPosition>,
    },
    ChangeColumn {
        name: Ident,
        column: ColumnDefinition,
        position: Option<ColumnPosition>,
    },
    RenameColumn {
        from: Ident,
        to: Ident,
    },
    SetDefault {
        column: Ident,
        expr: Expr,
        parenthesized: bool,
    },
    DropDefault {
        column: Ident,
    },
    SetColumnVisible {
        column: Ident,
        visible: bool,
    },
    AddIndex(IndexDefinition),
    DropIndex {
        if_exists: bool,
        name: Ident,
    },
    /// `RENAME CONSTRAINT [CHECK | FOREIGN KEY] a TO b`, which is Dolt's own.
    RenameConstraint {
        from: Ident,
        to: Ident,
    },
    RenameIndex {
        from: Ident,
        to: Ident,
    },
    SetIndexVisible {
        name: Ident,
        visible: bool,
    },
    DropPrimaryKey,
    AddForeignKey(ForeignKey),
    DropForeignKey {
        name: Ident,
    },
    AddCheck(CheckConstraint),
    DropCheck {
        name: Ident,
    },
    DropConstraint {
        name: Ident,
    },
    /// `ALTER CHECK c [NOT] ENFORCED`, `ALTER CONSTRAINT c …`.
    SetEnforced {
        name: Ident,
        enforced: bool,
    },
    Rename {
        to: ObjectName,
    },
    Option(TableOption),
    /// `CONVERT TO CHARACTER SET x COLLATE y`.
    ConvertTo {
        charset: Option<Ident>,
        collation: Option<Ident>,
    },
    DisableKeys,
    EnableKeys,
    /// `ORDER BY`: MySQL has it, Dolt does not.
    OrderBy(Vec<OrderItem>),
    /// Partition clauses that would change rows: TRUNCATE, DROP, EXCHANGE, DISCARD and IMPORT PARTITION.
    ChangePartition,
    /// ALGORITHM, LOCK, VALIDATION, FORCE, other partition clauses, DISCARD/IMPORT TABLESPACE: accepted, without effect.
    Ignored,
}

#[derive(Debug, PartialEq)]
pub enum ColumnPosition {
    First,
    After(Ident),
}

#[derive(Debug, PartialEq)]
pub struct CreateIndex {
    pub table: ObjectName,
    pub index: IndexDefinition,
}

#[derive(Debug, PartialEq)]
pub struct DropObjects {
    pub temporary: bool,
    pub if_exists: bool,
    pub names: Vec<ObjectName>,
}

#[derive(Debug, PartialEq)]
pub struct RenameTable {
    pub from: ObjectName,
    pub to: ObjectName,
}

#[derive(Debug, PartialEq)]
pub struct CreateView {
    pub or_replace: bool,
    pub if_not_exists: bool,
    pub algorithm: Option<Ident>,
    pub definer: Option<Account>,
    /// `SQL SECURITY INVOKER`; the default is DEFINER.
    pub invoker: bool,
    pub name: ObjectName,
    pub columns: Vec<Ident>,
    pub query: Rc<Query>,
    /// What SHOW CREATE VIEW prints: from the query to the end of the statement, comments included.
    pub definition: Span,
    pub check_option: Option<CheckOption>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckOption {
    Cascaded,
    Local,
}
