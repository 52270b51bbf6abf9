//! Field encodings (docs/format/tree.md, section 6).

use crate::{TreeError, TreeReason};

macro_rules! encodings {
    ($($(#[$doc:meta])* $name:ident = $id:literal),* $(,)?) => {
        /// The encoding that a schema records for a column. The numbers are part of the format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Encoding { $($(#[$doc])* $name = $id),* }

        impl Encoding {
            /// # Errors
            /// [`TreeReason::UnsupportedEncoding`] for a number that the format does not have.
            pub fn from_id(id: u8) -> Result<Encoding, TreeError> {
                match id {
                    $($id => Ok(Encoding::$name),)*
                    encoding => Err(TreeReason::UnsupportedEncoding { encoding }.into()),
                }
            }
        }
    };
}

encodings! {
    Null = 0,
    Int8 = 1,
    Uint8 = 2,
    Int16 = 3,
    Uint16 = 4,
    Int32 = 7,
    Uint32 = 8,
    Int64 = 9,
    Uint64 = 10,
    Float32 = 11,
    Float64 = 12,
    Bit64 = 13,
    /// XXH3-128 of a keyless row.
    Hash128 = 14,
    Year = 15,
    Date = 16,
    Time = 17,
    Datetime = 18,
    Enum = 19,
    Set = 20,
    /// Address of a blob tree, for columns made before adaptive encodings; so are the other `…Addr`.
    BytesAddr = 21,
    CommitAddr = 22,
    StringAddr = 23,
    JsonAddr = 24,
    /// A cell of a spatial index.
    Cell = 25,
    GeomAddr = 26,
    /// Doltgres.
    ExtendedAddr = 27,
    String = 128,
    Bytes = 129,
    Decimal = 130,
    Json = 131,
    /// EWKB in the tuple, from before addresses.
    Geometry = 133,
    /// Doltgres.
    Extended = 134,
    StringAdaptive = 135,
    BytesAdaptive = 136,
    /// Doltgres.
    ExtendedAdaptive = 137,
    GeomAdaptive = 138,
    JsonAdaptive = 139,
}

impl Encoding {
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// Bytes of a field that is not NULL, when it is the same for all values.
    pub const fn width(self) -> Option<usize> {
        Some(match self {
            Encoding::Int8 | Encoding::Uint8 | Encoding::Year => 1,
            Encoding::Int16 | Encoding::Uint16 | Encoding::Enum => 2,
            Encoding::Int32 | Encoding::Uint32 | Encoding::Float32 | Encoding::Date => 4,
            Encoding::Int64
            | Encoding::Uint64
            | Encoding::Float64
            | Encoding::Bit64
            | Encoding::Time
            | Encoding::Datetime
            | Encoding::Set => 8,
            Encoding::Hash128 => 16,
            Encoding::Cell => 17,
            Encoding::BytesAddr
            | Encoding::CommitAddr
            | Encoding::StringAddr
            | Encoding::JsonAddr
            | Encoding::GeomAddr
            | Encoding::ExtendedAddr => 20,
            _ => return None,
        })
    }

    /// Whether fields start with a byte that tells inline payloads from out-of-band ones (section 5.5).
    pub const fn is_adaptive(self) -> bool {
        matches!(
            self,
            Encoding::StringAdaptive
                | Encoding::BytesAdaptive
                | Encoding::ExtendedAdaptive
                | Encoding::GeomAdaptive
                | Encoding::JsonAdaptive
        )
    }

    /// Whether a field is the address of a blob or JSON tree, zeros for an empty one.
    pub const fn is_address(self) -> bool {
        matches!(self, Encoding::BytesAddr | Encoding::StringAddr | Encoding::JsonAddr | Encoding::GeomAddr)
    }
}
