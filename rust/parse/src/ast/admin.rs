//! Syntax of SET, SHOW, USE, PREPARE, transactions and administration.

use super::{Account, ColumnName, Expr, Ident, ObjectName, Span, Statement, VariableScope};

/// One assignment of SET.
#[derive(Clone, Debug, PartialEq)]
pub enum SetItem {
    /// `SET @a = 1`.
    User {
        name: Ident,
        value: Expr,
    },
    /// `SET x = 1`, `SET SESSION x = 1`, `SET @@global.x = 1`. Without scope and `@@` it may be a local variable or a
    /// parameter of a routine. A bare word as value is a column named so; ON, OFF and DEFAULT too.
    Variable {
        scope: Option<VariableScope>,
        system: bool,
        name: Box<str>,
        value: Expr,
        span: Span,
    },
    /// `SET NEW.column = 1` in a trigger.
    Column {
        column: ColumnName,
        value: Expr,
    },
    /// `SET NAMES x COLLATE y`; `None` is DEFAULT.
    Names {
        charset: Option<Ident>,
        collation: Option<Ident>,
    },
    /// `SET CHARACTER SET x`; `None` is DEFAULT.
    CharacterSet(Option<Ident>),
    Transaction {
        scope: Option<VariableScope>,
        isolation: Option<Isolation>,
        read_only: Option<bool>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    ReadUncommitted,
    ReadCommitted,
    RepeatableRead,
    Serializable,
}

#[derive(Debug, PartialEq)]
pub struct Show {
    pub kind: ShowKind,
    /// LIKE or WHERE, where the kind allows one.
    pub filter: Option<ShowFilter>,
}

#[derive(Debug, PartialEq)]
pub enum ShowFilter {
    Like(Box<str>),
    Where(Expr),
}

/// Whether columns of a replica's status are named as since MySQL 8.0.22, or as before: SHOW SLAVE STATUS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplicaNames {
    Current,
    Former,
}

#[derive(Debug, PartialEq)]
pub enum ShowKind {
    Databases,
    Tables {
        full: bool,
        database: Option<Ident>,
        as_of: Option<Expr>,
    },
    TableStatus {
        database: Option<Ident>,
    },
    Columns {
        full: bool,
        extended: bool,
        table: ObjectName,
        as_of: Option<Expr>,
    },
    Indexes {
        table: ObjectName,
    },
    CreateTable {
        name: ObjectName,
        as_of: Option<Expr>,
    },
    CreateView {
        name: ObjectName,
    },
    CreateDatabase {
        if_not_exists: bool,
        name: Ident,
    },
    CreateTrigger {
        name: ObjectName,
    },
    CreateProcedure {
        name: ObjectName,
    },
    CreateEvent {
        name: ObjectName,
    },
    Triggers {
        database: Option<Ident>,
    },
    Events {
        database: Option<Ident>,
    },
    ProcedureStatus,
    FunctionStatus,
    Variables {
        scope: Option<VariableScope>,
    },
    Status {
        scope: Option<VariableScope>,
    },
    Warnings {
        limit: Option<super::Limit>,
    },
    Errors {
        limit: Option<super::Limit>,
    },
    /// `COUNT(*) WARNINGS` and `COUNT(*) ERRORS`.
    Count {
        errors: bool,
    },
    OpenTables {
        database: Option<Ident>,
    },
    Profiles,
    Profile,
    Collation,
    CharacterSet,
    Engines,
    ProcessList {
        full: bool,
    },
    Grants {
        account: Option<Account>,
    },
    Privileges,
    Plugins,
    BinaryLogs,
    BinaryLogStatus,
    ReplicaStatus {
        names: ReplicaNames,
    },
    Replicas,
}

#[derive(Debug, PartialEq)]
pub struct Describe {
    pub table: ObjectName,
    pub as_of: Option<Expr>,
    /// `DESCRIBE t column`: a name or a pattern.
    pub column: Option<Box<str>>,
}

#[derive(Debug, PartialEq)]
pub struct Explain {
    pub analyze: bool,
    /// `EXPLAIN PLAN`.
    pub plan: bool,
    /// FORMAT=…, as written.
    pub format: Option<Ident>,
    pub statement: Box<Statement>,
}

#[derive(Debug, PartialEq)]
pub struct Call {
    pub name: ObjectName,
    pub arguments: Vec<Expr>,
    pub as_of: Option<Expr>,
}

#[derive(Debug, PartialEq)]
pub struct Prepare {
    pub name: Ident,
    pub source: PrepareSource,
}

#[derive(Debug, PartialEq)]
pub enum PrepareSource {
    /// The span is that of the literal in the outer text.
    Text(Box<str>, Span),
    Variable(Ident),
}

#[derive(Debug, PartialEq)]
pub struct Execute {
    pub name: Ident,
    /// User variables.
    pub using: Vec<Ident>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartTransaction {
    pub read_only: Option<bool>,
    pub consistent_snapshot: bool,
}

/// COMMIT and ROLLBACK.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    pub chain: bool,
    pub release: bool,
}

#[derive(Debug, PartialEq)]
pub struct LockTable {
    pub table: ObjectName,
    pub alias: Option<Ident>,
    pub write: bool,
}

/// `CHECK TABLE` and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maintenance {
    Check,
    Checksum,
    Optimize,
    Repair,
}

/// `ANALYZE TABLE`.
#[derive(Debug, PartialEq)]
pub struct Analyze {
    pub tables: Vec<ObjectName>,
    /// `UPDATE HISTOGRAM ON …` or `DROP HISTOGRAM ON …`.
    pub histogram: Option<Histogram>,
}

#[derive(Debug, PartialEq)]
pub struct Histogram {
    pub drop: bool,
    pub columns: Vec<Ident>,
    /// `USING DATA '…'`.
    pub data: Option<Box<str>>,
    /// `WITH n BUCKETS`.
    pub buckets: Option<u64>,
}

#[derive(Debug, PartialEq)]
pub struct Kill {
    /// `KILL QUERY 1`, else the connection.
    pub query: bool,
    pub id: Expr,
}

/// Statements about users, roles and rights. Varve has one user, so that only their shape is checked and the whole
/// text kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountStatement {
    CreateUser,
    AlterUser,
    DropUser,
    RenameUser,
    CreateRole,
    DropRole,
    Grant,
    Revoke,
}

/// Statements about replication and the binary log: refused later, with a message that names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplicationStatement {
    ChangeSource,
    ChangeFilter,
    StartReplica,
    StopReplica,
    ResetReplica,
    Binlog,
}
