//! Conditions of handlers and of SIGNAL.

use parse::ast::ConditionValue;

use crate::error::SqlError;

/// What a handler catches.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    SqlState([u8; 5]),
    ErrorCode(u16),
    NotFound,
    Warning,
    Exception,
}

/// No row for FETCH or SELECT INTO.
pub const NO_DATA: u16 = 1329;

pub fn no_data() -> SqlError {
    let text = "No data - zero rows fetched, selected, or processed";
    SqlError::new(NO_DATA, text).in_state(*b"02000")
}

/// The five characters of a SQLSTATE.
///
/// # Errors
/// 1105 for another length, and for class `00`, which is success.
pub fn state(text: &str) -> Result<[u8; 5], SqlError> {
    let state: [u8; 5] = text
        .as_bytes()
        .try_into()
        .map_err(|_| SqlError::general("SQLSTATE VALUE must be a string with length 5 consisting of only integers"))?;
    if state.starts_with(b"00") {
        return Err(SqlError::general(format!("invalid SQLSTATE VALUE: '{text}'")));
    }
    Ok(state)
}

impl Condition {
    /// A condition as it is written, except for one that is named.
    ///
    /// # Errors
    /// As [`state`].
    pub fn of(value: &ConditionValue) -> Result<Option<Condition>, SqlError> {
        Ok(Some(match value {
            ConditionValue::SqlState(text) => Condition::SqlState(state(text)?),
            ConditionValue::ErrorCode(code) => Condition::ErrorCode(u16::try_from(*code).unwrap_or(0)),
            ConditionValue::NotFound => Condition::NotFound,
            ConditionValue::SqlWarning => Condition::Warning,
            ConditionValue::SqlException => Condition::Exception,
            ConditionValue::Name(_) => return Ok(None),
        }))
    }

    pub fn catches(&self, error: &SqlError) -> bool {
        let class = &error.sqlstate[..2];
        match self {
            Condition::SqlState(state) => *state == error.sqlstate,
            Condition::ErrorCode(code) => *code == error.errno,
            Condition::NotFound => class == b"02",
            Condition::Warning => class == b"01",
            Condition::Exception => !matches!(class, b"00" | b"01" | b"02"),
        }
    }
}

/// The error that SIGNAL raises. Items are names in upper case and their texts.
///
/// # Errors
/// 1105 for a text that is too long, for a number that is none, and for warnings, which the reference does not raise.
pub fn signalled(state: [u8; 5], items: &[(Box<str>, String)]) -> Result<SqlError, SqlError> {
    if state.starts_with(b"01") {
        return Err(SqlError::general("warnings not yet implemented"));
    }
    let not_found = state.starts_with(b"02");
    let mut errno = if not_found { 1643 } else { 1644 };
    let mut message = "";
    for (name, text) in items {
        let characters_max = if &**name == "MESSAGE_TEXT" { 128 } else { 64 };
        match &**name {
            "MYSQL_ERRNO" => {
                let number = text.parse().ok().filter(|number| *number != 0);
                let invalid = || SqlError::general(format!("invalid value '{text}' for MySQL error code"));
                errno = number.ok_or_else(invalid)?;
            }
            _ if text.chars().count() > characters_max => {
                let text = format!("signal condition information item {name} has max length of {characters_max}");
                return Err(SqlError::general(text));
            }
            "MESSAGE_TEXT" => message = text,
            _ => {}
        }
    }
    let otherwise = match not_found {
        true => "Unhandled user-defined not found condition",
        false => "Unhandled user-defined exception condition",
    };
    let message = if message.is_empty() { otherwise } else { message };
    Ok(SqlError::new(errno, message).in_state(state))
}
