//! Why a merge cannot be made at all. The texts are Dolt's.

/// A merge that leaves nothing behind; what can be resolved afterwards is a conflict or a violation instead.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error("database collation conflict, please resolve manually. ours: {ours}, theirs: {theirs}")]
    DatabaseCollation { ours: &'static str, theirs: &'static str },
    #[error("table with same name '{0}' added in 2 commits can't be merged")]
    SameTableAdded(Box<str>),
    #[error("error: cannot merge because table {0} has different primary keys")]
    PrimaryKeys(Box<str>),
    #[error("error: cannot merge because table {0} has different primary keys in its common ancestor")]
    PrimaryKeysOfBase(Box<str>),
    #[error(
        "Unable to merge new column `{column}` in table `{table}` because it is not-nullable and has no default value, so \
         existing rows can't be updated automatically. To complete this merge, either manually add this new column to the \
         target branch of the merge and update any existing rows, or change the column's definition on the other branch of \
         the merge so that it is nullable or has a default value."
    )]
    NewColumn { table: Box<str>, column: Box<str> },
    #[error(
        "Unable to merge table '{0}', because its default collation setting has changed on both sides of the merge. Manually \
         change the table's default collation setting on one of the sides of the merge and retry this merge."
    )]
    TableCollation(Box<str>),
    #[error("foreign key conflicts")]
    ForeignKeys,
    #[error("duplicate foreign key constraint name `{0}`")]
    DuplicateForeignKey(Box<str>),
    #[error("cannot merge keyless tables with reordered columns")]
    KeylessColumns,
    #[error("the conflict schema's columns are not equal to the current schema's columns, please resolve manually")]
    ConflictSchemas,
    #[error("encountered a key collision when merging the artifacts for table {0}")]
    Artifacts(Box<str>),
    /// A merge that does not keep schema conflicts.
    #[error(
        "merge aborted: schema conflict found for table {table} \n please resolve schema conflicts before merging: {text}"
    )]
    Schema { table: Box<str>, text: Box<str> },
    /// An expression of a schema could not be evaluated.
    #[error("{0}")]
    Expression(Box<str>),
}
