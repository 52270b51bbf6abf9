//! Syntax of a statement: one variant for each kind.

use super::*;

/// Not to be copied: what keeps one shares it.
#[derive(Debug, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub enum StatementKind {
    // Queries and data
    Query(Box<Query>),
    Insert(Box<Insert>),
    Update(Box<Update>),
    Delete(Box<Delete>),
    Truncate(ObjectName),
    LoadData(Box<LoadData>),
    Call(Box<Call>),

    // Definitions
    CreateDatabase(Box<CreateDatabase>),
    AlterDatabase(Box<AlterDatabase>),
    DropDatabase {
        if_exists: bool,
        name: Ident,
    },
    CreateTable(Box<CreateTable>),
    AlterTable(Box<AlterTable>),
    DropTable(Box<DropObjects>),
    RenameTable(Vec<RenameTable>),
    CreateIndex(Box<CreateIndex>),
    DropIndex {
        if_exists: bool,
        name: Ident,
        table: ObjectName,
    },
    CreateView(Box<CreateView>),
    AlterView(Box<CreateView>),
    DropView(Box<DropObjects>),
    CreateTrigger(Box<CreateTrigger>),
    DropTrigger(Box<DropObjects>),
    CreateProcedure(Box<CreateProcedure>),
    DropProcedure(Box<DropObjects>),
    CreateEvent(Box<CreateEvent>),
    AlterEvent(Box<AlterEvent>),
    DropEvent(Box<DropObjects>),
    DropFunction(Box<DropObjects>),
    /// `CREATE SPATIAL REFERENCE SYSTEM`: accepted, without effect.
    CreateSpatialReferenceSystem,

    // Transactions and session
    Start(StartTransaction),
    Commit(Completion),
    Rollback(Completion),
    Savepoint(Ident),
    RollbackTo(Ident),
    ReleaseSavepoint(Ident),
    Set(Vec<SetItem>),
    Use(Ident),
    Prepare(Box<Prepare>),
    Execute(Box<Execute>),
    Deallocate(Ident),

    // Inspection and administration
    Show(Box<Show>),
    Describe(Box<Describe>),
    Explain(Box<Explain>),
    Analyze(Box<Analyze>),
    Maintain {
        maintenance: Maintenance,
        tables: Vec<ObjectName>,
    },
    /// `DO a, b`: evaluates expressions for what they do.
    Do(Vec<Expr>),
    LockTables(Vec<LockTable>),
    UnlockTables,
    /// FLUSH of anything: accepted, without effect.
    Flush,
    Kill(Box<Kill>),
    Account(AccountStatement),
    Replication(ReplicationStatement),

    // Only inside routines, triggers and events (SIGNAL anywhere)
    Block(Box<Block>),
    Declare(Box<Declare>),
    If(Box<If>),
    Case(Box<CaseStatement>),
    Loop(Box<Loop>),
    Leave(Ident),
    Iterate(Ident),
    Open(Ident),
    Fetch(Box<Fetch>),
    Close(Ident),
    Return(Box<Expr>),
    Signal(Box<Signal>),
    Resignal(Box<Signal>),
}
