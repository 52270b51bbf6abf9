//! Failures for JavaScript: the only place where errors are encoded, as a struct in the output buffer that `web/src/host/wasm/wire_failure.ts`
//! reads.

use engine::SqlError;
use parse::ast::Span;
use region::{FileError, RegionError};
use store::StoreError;
use vcs::{VcsError, VcsReason};

use crate::buffers;
pub(crate) use crate::layout::Code;
use crate::layout::{FailureHead, FailureKind};

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

    /// Writes the failure to the output.
    pub(crate) fn write(&self) {
        buffers::write_output(|out| self.write_to(out));
    }

    fn write_to(&self, out: &mut Vec<u8>) {
        match self {
            Failure::Sql(error, _) if error.is_about_text() => write_other(out, Code::Unreadable, &error.message),
            Failure::Sql(error, sql) => {
                let hint = error.hint.as_deref().unwrap_or_default();
                let hint = hint.get(..hint.floor_char_boundary(usize::from(u16::MAX))).unwrap_or_default();
                let head = FailureHead {
                    kind: FailureKind::Sql as u8,
                    errno: error.errno,
                    sqlstate: error.sqlstate,
                    hint_bytes: hint.len() as u16,
                    position: error.span.map_or(-1, |span| utf16_offset(sql, span)),
                    ..FailureHead::default()
                };
                out.extend_from_slice(&head.to_bytes());
                out.extend_from_slice(hint.as_bytes());
                out.extend_from_slice(error.message.as_bytes());
            }
            Failure::Other(code, message) => write_other(out, *code, message),
            Failure::Wait => {}
        }
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
    let kind = FailureKind::Varve as u8;
    let head = FailureHead { kind, code: code as u8, position: -1, ..FailureHead::default() };
    out.extend_from_slice(&head.to_bytes());
    out.extend_from_slice(message.as_bytes());
}

/// Where a span starts, in the units of JavaScript's strings.
fn utf16_offset(sql: &str, span: Span) -> i32 {
    let before = sql.get(..span.start as usize).unwrap_or(sql);
    i32::try_from(before.encode_utf16().count()).unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(failure: &Failure) -> (FailureHead, String) {
        let mut out = Vec::new();
        failure.write_to(&mut out);
        let head = FailureHead::from_bytes(&out).expect("a head");
        (head, String::from_utf8_lossy(&out[FailureHead::BYTES..]).into_owned())
    }

    #[test]
    fn a_failure_of_sql_has_its_position_in_utf16_units() {
        let sql = "select '\u{1f600}', nope";
        let at = sql.find("nope").expect("a name") as u32;
        let error = SqlError::general("column not found: nope").at(Span { start: at, end: at + 4 });
        let (head, text) = written(&Failure::Sql(error, sql.into()));
        assert_eq!((head.kind, head.errno), (FailureKind::Sql as u8, 1105));
        assert_eq!((&head.sqlstate, head.position), (b"HY000", 13));
        assert_eq!((usize::from(head.hint_bytes), &*text), (0, "column not found: nope"));
    }

    #[test]
    fn other_failures_have_a_code() {
        let (head, text) = written(&Failure::unknown("session"));
        assert_eq!((head.kind, head.code, head.position), (FailureKind::Varve as u8, Code::Usage as u8, -1));
        assert_eq!(text, "this session is closed");
    }

    #[test]
    fn a_wait_is_no_failure() {
        let mut out = Vec::new();
        Failure::Wait.write_to(&mut out);
        assert!(out.is_empty() && Failure::Wait.is_wait());
    }
}
