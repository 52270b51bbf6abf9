//! Type changes that a merge accepts (docs/format/database.md, section 10.4).

use value::{Collation, SqlType};

/// What a change of type means for the rows of the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TypeChange {
    pub is_compatible: bool,
    /// Fields lie in another way in the tuples.
    pub rewrites_rows: bool,
    /// Indexes are ordered in another way.
    pub rebuilds_indexes: bool,
}

impl TypeChange {
    pub(crate) fn between(from: &SqlType, to: &SqlType) -> TypeChange {
        if from == to {
            return TypeChange { is_compatible: true, ..TypeChange::default() };
        }
        match (from, to) {
            (SqlType::Enum(from), SqlType::Enum(to)) => {
                TypeChange::of_lists((from.collation, &from.members), (to.collation, &to.members))
            }
            (SqlType::Set(from), SqlType::Set(to)) => {
                TypeChange::of_lists((from.collation, &from.members), (to.collation, &to.members))
            }
            _ => match (Text::of(from), Text::of(to)) {
                (Some(from), Some(to)) => from.change_to(&to),
                _ => TypeChange::default(),
            },
        }
    }

    /// Rows and indexes have the numbers of the members, whatever the collation.
    fn of_lists(from: (Collation, &[String]), to: (Collation, &[String])) -> TypeChange {
        let is_compatible = from.0.charset() == to.0.charset() && to.1.starts_with(from.1);
        TypeChange { is_compatible, ..TypeChange::default() }
    }
}

/// What counts of a text or binary type.
struct Text {
    is_binary: bool,
    charset: u16,
    collation: u16,
    bytes_max: u64,
    is_lob: bool,
    is_padded: bool,
}

impl Text {
    fn of(kind: &SqlType) -> Option<Text> {
        let binary = |bytes_max: u64, is_lob, is_padded| Text {
            is_binary: true,
            charset: 0,
            collation: 0,
            bytes_max,
            is_lob,
            is_padded,
        };
        let text = |collation: &value::Collation, bytes_max: u64, is_lob| Text {
            is_binary: false,
            charset: collation.charset().default_collation().id(),
            collation: collation.id(),
            bytes_max,
            is_lob,
            is_padded: false,
        };
        let bytes = |length: u32, collation: &value::Collation| {
            u64::from(length) * u64::from(collation.charset().character_bytes_max())
        };
        Some(match kind {
            SqlType::Char { length, collation } | SqlType::VarChar { length, collation } => {
                text(collation, bytes(*length, collation), false)
            }
            SqlType::Text { size, collation } => text(collation, size.bytes_max(), true),
            SqlType::Binary { length } => binary((*length).into(), false, true),
            SqlType::VarBinary { length } => binary((*length).into(), false, false),
            SqlType::Blob { size } => binary(size.bytes_max(), true, false),
            _ => return None,
        })
    }

    fn change_to(&self, to: &Text) -> TypeChange {
        if self.is_binary != to.is_binary {
            return TypeChange::default();
        }
        let is_compatible = self.charset == to.charset && to.bytes_max >= self.bytes_max;
        let rewrites_rows = is_compatible && (self.is_lob != to.is_lob || to.is_padded);
        let rebuilds_indexes = is_compatible && (self.collation != to.collation || rewrites_rows);
        TypeChange { is_compatible, rewrites_rows, rebuilds_indexes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_may_widen_and_lists_may_grow() {
        let change = |from: &str, to: &str| TypeChange::between(&from.parse().unwrap(), &to.parse().unwrap());
        assert!(change("varchar(10)", "varchar(20)").is_compatible);
        assert!(!change("varchar(20)", "varchar(10)").is_compatible);
        assert!(!change("int", "bigint").is_compatible);
        assert!(!change("varchar(10)", "varbinary(100)").is_compatible);
        assert!(change("varchar(10)", "text").rewrites_rows);
        assert!(change("varbinary(4)", "binary(8)").rebuilds_indexes);
        assert!(change("enum('a','b')", "enum('a','b','c')").is_compatible);
        assert!(!change("set('a','b')", "set('b','a')").is_compatible);
        let collated = change("enum('a','b')", "enum('a','b') COLLATE utf8mb4_0900_ai_ci");
        assert!(collated.is_compatible && !collated.rebuilds_indexes);
        let collation = change("varchar(10)", "varchar(10) COLLATE utf8mb4_0900_ai_ci");
        assert!(collation.is_compatible && collation.rebuilds_indexes && !collation.rewrites_rows);
    }
}
