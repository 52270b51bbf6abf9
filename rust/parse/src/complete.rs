//! What may come next at a byte offset, for the editor.

use std::collections::BTreeSet;

use crate::keyword::Keyword;
use crate::parser::NameKind;

/// Everything the parser looked for where the text ended.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    keywords: BTreeSet<&'static str>,
    names: BTreeSet<NameKind>,
}

impl Expected {
    pub(crate) fn keyword(&mut self, keyword: Keyword) {
        self.keywords.insert(keyword.text());
    }

    pub(crate) fn name(&mut self, kind: NameKind) {
        self.names.insert(kind);
    }
}
