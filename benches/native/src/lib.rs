//! Helpers that the native benches share.
