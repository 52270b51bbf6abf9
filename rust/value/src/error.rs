//! Errors of values: one enum, with the reference's texts and MySQL's numbers.

/// A value that cannot be made, converted or compared.
///
/// The text is the message the reference implementation sends; [`ValueError::errno`] is its MySQL error number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// A number outside the range of an integer, float or year type.
    #[error("{value} out of range for {kind}")]
    OutOfRange { value: String, kind: String },
    /// A moment outside the range of a TIMESTAMP, DATETIME or DATE.
    #[error("value \"{value}\" is outside of {kind} range")]
    OutsideRange { value: String, kind: String },
    /// A decimal whose integer digits do not fit the column.
    #[error("Out of range value for column of Decimal type")]
    DecimalOutOfRange,
    /// Text that is not a value of the type it is stored in.
    #[error("error: '{value}' is not a valid value for '{kind}'")]
    Invalid { value: String, kind: String },
    /// A value of which no other of its type either could be stored there.
    #[error("error: '{from}' is not a valid value type for '{kind}'")]
    InvalidType { from: &'static str, kind: String },
    #[error("Incorrect datetime value: '{0}'")]
    IncorrectDateTime(String),
    #[error("value {0} is not a valid Time")]
    IncorrectTime(String),
    #[error("value {0} is not a valid Year")]
    IncorrectYear(String),
    /// Text or bytes longer than the column; the engine knows the column's name.
    #[error("string '{value}' is too large for column")]
    TooLong { value: String },
    #[error("{value} is beyond the maximum value that can be held by {bits} bits")]
    TooManyBits { value: u64, bits: u8 },
    /// Text or a number that is no member of an ENUM or SET.
    #[error("Data truncated for column: {value}")]
    NotAMember { value: String },
    #[error("Invalid JSON text: {0}")]
    InvalidJson(String),
    #[error("Invalid JSON path expression: {0}")]
    InvalidJsonPath(String),
    /// A path that can be read, where another kind is wanted.
    #[error("{0}")]
    MisplacedJsonPath(&'static str),
    #[error("the JSON value is nested deeper than {0} levels")]
    JsonTooDeep(usize),
    #[error("{0}")]
    InvalidGeometry(String),
    #[error("data cannot be converted to a valid vector")]
    InvalidVector,
    #[error("VECTOR dimension mismatch: expected {expected}, got {found}")]
    WrongDimensions { expected: usize, found: usize },
    #[error("attempting to find distance between vectors of different lengths: {left} vs {right}")]
    DifferentDimensions { left: usize, right: usize },
    #[error("unknown column type: {0}")]
    UnknownType(String),
    #[error("Unknown character set: {0}")]
    UnknownCharset(String),
    #[error("character set {0} cannot be converted")]
    CharsetNotEncoded(&'static str),
    #[error("Unknown collation: {0}")]
    UnknownCollation(String),
    #[error("The collation `{0}` has not yet been implemented, please create an issue regarding this error")]
    CollationNotImplemented(&'static str),
    #[error("the weights of collation `{0}` are not loaded")]
    CollationNotLoaded(&'static str),
    #[error("the collation weights are damaged: {0}")]
    DamagedWeights(&'static str),
    #[error("Incorrect string value: '{0}'")]
    IncorrectString(String),
    /// A pair of types between which no conversion exists.
    #[error("value of type {from} cannot be converted to {to}")]
    NoConversion { from: &'static str, to: String },
}

impl ValueError {
    /// MySQL's error number as the reference sends it: most are 1105, its general error.
    pub fn errno(&self) -> u16 {
        match self {
            ValueError::Invalid { .. } => 1366,
            _ => 1105,
        }
    }
}

/// Something a conversion did to a value and that the statement only warns about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// Text of which only a numeric prefix, or nothing, was used: 1292.
    TruncatedNumber { value: String, kind: &'static str },
    /// CAST AS UNSIGNED made a large number of a negative one.
    WrappedNegative,
    /// An error that INSERT IGNORE turned into a note.
    Ignored { errno: u16, message: String },
    /// Text or a number that is no date: 1292.
    IncorrectDateTime { value: String },
}

impl Warning {
    /// MySQL's number of the warning.
    pub fn errno(&self) -> u16 {
        match self {
            Warning::TruncatedNumber { .. } | Warning::IncorrectDateTime { .. } => 1292,
            Warning::WrappedNegative => 1105,
            Warning::Ignored { errno, .. } => *errno,
        }
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::TruncatedNumber { value, kind } => write!(f, "Truncated incorrect {kind} value: '{value}'"),
            Warning::IncorrectDateTime { value } => write!(f, "Incorrect datetime value: '{value}'"),
            Warning::WrappedNegative => {
                f.write_str("Cast to unsigned converted negative integer to its positive complement")
            }
            Warning::Ignored { message, .. } => f.write_str(message),
        }
    }
}
