//! Expected tokens and kinds of names at the end of a text: for completion, and for hints in errors.

use std::collections::BTreeSet;

use crate::lex::keyword::Keyword;

/// What a name would be, for completion and for hints in errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameKind {
    Database,
    Table,
    View,
    Column,
    Index,
    Function,
    Procedure,
    Trigger,
    Event,
    Constraint,
    /// A new name: nothing to complete.
    New,
    Variable,
    Savepoint,
    Statement,
    Collation,
    Charset,
    Type,
    Value,
}

/// Everything the parser looked for where the text ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    pub(crate) keywords: BTreeSet<&'static str>,
    pub(crate) names: BTreeSet<NameKind>,
}

impl Expected {
    pub(crate) fn keyword(&mut self, keyword: Keyword) {
        self.keywords.insert(keyword.text());
    }

    pub(crate) fn name(&mut self, kind: NameKind) {
        self.names.insert(kind);
    }
}
