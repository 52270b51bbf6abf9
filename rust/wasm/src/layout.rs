//! The layout of everything that crosses the boundary in the two buffers ([`crate::buffers`]), and its numbers. Written here once:
//! `web/src/protocol/engine_layout.ts` is made from it (`cargo xtask lists`), and a test below says when that is stale.

use codec::{numbered, wire};

/// An answer of an export: the output holds a failure.
pub(crate) const FAILED: i32 = -1;
/// An answer of an export: nothing was done; the host prepares a file or waits for the lease, and makes the same call again.
pub(crate) const WAIT: i32 = -2;

numbered! {
    /// An answer of `cursor_next`.
    StepCode {
        /// The summary was written.
        Done = "done",
        /// A page was written.
        Batch = "batch",
        /// The fuel is used up.
        Yield = "yield",
        /// A procedure begins another result: its header was written.
        Result = "result",
        /// u32 milliseconds were written: call again when they have passed.
        Sleep = "sleep",
    }
}

numbered! {
    /// How files are read.
    RegionMode {
        Mmap = "mmap",
        Pread = "pread",
        MmapIndex = "mmap-index",
    }
}

numbered! {
    /// What is flushed.
    FlushCode {
        Due = "due",
        Wanted = "wanted",
        All = "all",
    }
}

numbered! {
    /// What the statement that runs is to do, when the engine asks.
    WishCode {
        GoOn = "goOn",
        Yield = "yield",
        End = "end",
    }
}

numbered! {
    /// The tag of a parameter.
    ParamTag {
        Null = "null",
        /// 8 bytes.
        Int = "int",
        /// 8 bytes.
        UInt = "uint",
        /// 8 bytes.
        Double = "double",
        /// A u32 length; the bytes follow after all parameters.
        Text = "text",
        /// A u32 length and the bytes.
        Bytes = "bytes",
    }
}

numbered! {
    /// Whose failure it is.
    FailureKind {
        Sql = "sql",
        Varve = "varve",
    }
}

numbered! {
    /// Codes of failures that are not SQL's.
    Code {
        NotADatabase = "not_a_database",
        Unreadable = "unreadable",
        Unsupported = "unsupported",
        Usage = "usage",
        ReadOnly = "read_only",
        NoSpace = "no_space",
        Gone = "gone",
    }
}

wire! {
    /// A failure; the hint and the message follow.
    FailureHead {
        /// A [`FailureKind`].
        kind: u8,
        /// A [`Code`], of a failure that is not SQL's.
        code: u8,
        errno: u16,
        sqlstate: [u8; 5],
        reserved: u8,
        hint_bytes: u16,
        /// In UTF-16 units, or -1.
        position: i32,
    }
}

numbered! {
    /// The level of a warning.
    Level {
        Note = "Note",
        Warning = "Warning",
        Error = "Error",
    }
}

wire! {
    /// A warning; its text follows.
    WarningHead {
        /// A [`Level`].
        level: u8,
        errno: u16,
        text_bytes: u32,
    }
}

wire! {
    /// What a statement ends with. The warnings follow, then what MySQL's clients print below the count of rows.
    SummaryHead {
        affected_rows: u64,
        last_insert_id: u64,
        /// The session's stamp: another number when its image may be another one.
        stamp: u32,
        warnings: u32,
    }
}

wire! {
    /// How far a piece is, in bytes of the piece. Of a script a u32 number of warnings follows, and of the first ones each a u32 start of its
    /// statement and the warning.
    Progress {
        /// Of a script's statement that ran last, or of a row that was refused.
        start: u32,
        end: u32,
        /// Bytes that are done with.
        done_bytes: u32,
        /// Rows that a script has changed, or that were read of a text, its titles among them.
        rows: u64,
    }
}

wire! {
    /// What `rows_open` takes. Texts that mean NULL follow, a NUL after each; a byte for each field of a line, 1 for those that are left
    /// out, or none at all; and a piece of a text of rows.
    RowsHead {
        nulls_bytes: u32,
        fields: u32,
        text_bytes: u32,
        /// The character between fields.
        separator: u32,
        /// Bits of [`RowsTrait`].
        traits: u32,
        /// Rows of earlier pieces.
        rows_before: f64,
    }
}

numbered! {
    /// Bits of `RowsHead::traits`, by their position.
    RowsTrait {
        IsLast = "isLast",
        /// The first line has titles.
        HasTitles = "hasTitles",
        DayFirst = "dayFirst",
        MonthFirst = "monthFirst",
        DecimalComma = "decimalComma",
        DecimalPoint = "decimalPoint",
        FillsShortLines = "fillsShortLines",
        HasEscapes = "hasEscapes",
    }
}

wire! {
    /// The two counters that every statement is measured by.
    ReadCounters {
        pages_faulted: f64,
        bytes_read: f64,
    }
}

numbered! {
    /// What may stand at a place of a text; the digit before a proposal.
    ProposalKind {
        Keyword = "keyword",
        Database = "database",
        Table = "table",
        Column = "column",
        Function = "function",
    }
}

numbered! {
    /// Why the host has no number to answer: its answer is -1 less this one.
    Refusal {
        Gone = "gone",
        Cancelled = "cancelled",
        /// With words, to be had from `host::text`.
        Host = "host",
        /// There is no such file; or the host cannot list.
        Absent = "absent",
        ReadOnly = "read_only",
        /// Nothing was done; the call has to be made again once the host has prepared something.
        Wait = "wait",
        NoSpace = "no_space",
        /// Another writer was first.
        Moved = "moved",
        /// Permission is missing; with words, as `Host`.
        Denied = "denied",
    }
}

numbered! {
    /// Bits of the traits of a directory, by their position.
    DirectoryTrait {
        /// Files are read through the suspending imports.
        Suspends = "suspends",
        /// Files come from the network.
        IsRemote = "isRemote",
        /// Its files can be written.
        IsWritable = "isWritable",
        /// Of a remote whose branches are pushed with their working sets.
        AssertsWorkingSet = "assertsWorkingSet",
    }
}
