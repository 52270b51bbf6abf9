//! Failures for JavaScript: the only place where errors are encoded, as a struct in the output buffer that `web/src/host/wasm/wire_failure.ts`
//! reads.

use engine::SqlError;
use parse::ast::Span;
use region::{FileError, RegionError};
use store::StoreError;
use vcs::{VcsError, VcsReason};

use crate::buffers;

/// Codes of failures that are not SQL's; their numbers are part of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    NotADatabase = 0,
    Unreadable = 1,
    Unsupported = 2,
    Usage = 3,
    ReadOnly = 4,
    NoSpace = 5,
    Gone = 6,
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// With the text of the error's span.
    Sql(SqlError, std::rc::Rc<str>),
    Other(Code, String),
    /// Nothing was done: the host has to prepare something and make the call again.
    Wait,
}

impl Failure {
    /// An invalid handle: it was closed, or never given out.
    pub(crate) fn unknown(what: &str) -> Failure {
        Failure::Other(Code::Usage, format!("this {what} is closed"))
    }

    pub(crate) fn is_wait(&self) -> bool {
        match self {
            Failure::Sql(error, _) => error.is_wait(),
            Failure::Other(..) => false,
            Failure::Wait => true,
        }
    }

    pub(crate) fn of_store(database: &str, error: &StoreError) -> Failure {
        if error.is_wait() {
            return Failure::Wait;
        }
        let code = match error {
            StoreError::NoManifest { .. } => Code::NotADatabase,
            StoreError::Unsupported { .. } => Code::Unsupported,
            StoreError::ReadOnly(_) => Code::ReadOnly,
            StoreError::Region(RegionError::File { error: FileError::NoSpace, .. }) => Code::NoSpace,
            _ if error.is_gone() => Code::Gone,
            _ => Code::Unreadable,
        };
        Failure::Other(code, format!("{database}: {error}"))
    }

    pub(crate) fn of_vcs(database: &str, error: &VcsError) -> Failure {
        if error.is_wait() {
            return Failure::Wait;
        }
        let code = match error.reason() {
            VcsReason::FeatureVersion { .. } => Code::Unsupported,
            _ => Code::Unreadable,
        };
        Failure::Other(code, format!("{database}: {error}"))
    }

    /// Writes the failure to the output: u8 0 for SQL or 1, u8 code, u16 errno, SQLSTATE, a byte nothing, u16 length of the hint,
    /// i32 position in UTF-16 units or -1, hint, message.
    pub(crate) fn write(&self) {
        buffers::write_output(|out| match self {
            Failure::Sql(error, _) if error.is_about_text() => write_other(out, Code::Unreadable, &error.message),
            Failure::Sql(error, sql) => {
                out.extend_from_slice(&[0, 0]);
                out.extend_from_slice(&error.errno.to_le_bytes());
                out.extend_from_slice(&error.sqlstate);
                let hint = error.hint.as_deref().unwrap_or_default();
                let hint = hint.get(..hint.floor_char_boundary(usize::from(u16::MAX))).unwrap_or_default();
                out.push(0);
                out.extend_from_slice(&(hint.len() as u16).to_le_bytes());
                let position = error.span.map_or(-1, |span| utf16_offset(sql, span));
                out.extend_from_slice(&position.to_le_bytes());
                out.extend_from_slice(hint.as_bytes());
                out.extend_from_slice(error.message.as_bytes());
            }
            Failure::Other(code, message) => write_other(out, *code, message),
            Failure::Wait => {}
        });
    }
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Failure::Sql(error, _) => f.write_str(&error.message),
            Failure::Other(_, message) => f.write_str(message),
            Failure::Wait => f.write_str("the host has to prepare a file first"),
        }
    }
}

fn write_other(out: &mut Vec<u8>, code: Code, message: &str) {
    out.extend_from_slice(&[1, code as u8]);
    out.resize(12, 0);
    out.extend_from_slice(&(-1i32).to_le_bytes());
    out.extend_from_slice(message.as_bytes());
}

/// Where a span starts, in the units of JavaScript's strings.
fn utf16_offset(sql: &str, span: Span) -> i32 {
    let before = sql.get(..span.start as usize).unwrap_or(sql);
    i32::try_from(before.encode_utf16().count()).unwrap_or(-1)
}
