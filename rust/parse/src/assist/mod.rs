//! Assistance for editors: completion, hints beside syntax errors, similar names.

pub mod complete;
pub mod expected;
pub mod hint;
