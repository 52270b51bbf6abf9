//! The only crate that knows JavaScript.
