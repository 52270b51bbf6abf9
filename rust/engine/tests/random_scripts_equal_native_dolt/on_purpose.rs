//! Where Varve does not follow native Dolt, so that what is known hides nothing new. Each line names where it is written down.

use crate::beside::Difference;
use crate::script::Step;

/// Whether a difference between the answers to the statement of a script is known.
type Known = fn(sql: &str, difference: &Difference) -> bool;

const ON_PURPOSE: &[(&str, Known)] = &[];

/// Why this difference is on purpose.
pub fn reason(script: &[Step], difference: &Difference) -> Option<&'static str> {
    let sql = script[difference.at].sql.to_lowercase();
    ON_PURPOSE.iter().find(|(_, is_known)| is_known(&sql, difference)).map(|(why, _)| *why)
}
