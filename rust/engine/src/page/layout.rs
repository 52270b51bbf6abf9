//! The numbers and structs of result pages. `rust/wasm` writes them down for TypeScript.

use codec::{numbered, wire};

/// The first four bytes of every page: "VPG1".
pub const MAGIC: u32 = u32::from_le_bytes(*b"VPG1");
pub const HEADER_BYTES: usize = PageHeader::BYTES;
pub const COLUMN_BYTES: usize = PageColumn::BYTES;

/// Flags of a column of a page.
pub const HAS_NULLS: u8 = 1;
pub const ALL_ASCII: u8 = 2;

/// Flags of a column in the header of a result.
pub const IS_NULLABLE: u8 = 1;
pub const IS_UNSIGNED: u8 = 2;
pub const IS_PRIMARY_KEY: u8 = 4;

numbered! {
    /// How the values of a column lie in a page.
    Layout {
        Null = "allNull",
        I32 = "i32",
        U32 = "u32",
        I64 = "i64",
        U64 = "u64",
        F32 = "f32",
        F64 = "f64",
        Text = "text",
        Binary = "binary",
    }
}

numbered! {
    /// What a column means; the client turns values into JavaScript's by it.
    Kind {
        Int = "int",
        Decimal = "decimal",
        Float = "float",
        Text = "text",
        Binary = "binary",
        Date = "date",
        DateTime = "datetime",
        Time = "time",
        Year = "year",
        Json = "json",
        Geometry = "geometry",
        Enum = "enum",
        Set = "set",
        Bit = "bit",
        Vector = "vector",
        Null = "null",
    }
}

wire! {
    /// The beginning of a page.
    PageHeader {
        magic: u32,
        rows: u32,
        columns: u32,
        length: u32,
    }
}

wire! {
    /// A column in the directory of a page, which follows the header. Buffers are offsets from the page's first byte; 0 where there is none.
    PageColumn {
        /// A [`Layout`].
        layout: u8,
        flags: u8,
        reserved: u16,
        validity: u32,
        offsets: u32,
        utf16: u32,
        data: u32,
        data_bytes: u32,
        reserved_data: u64,
    }
}
