//! Build steps that cargo and npm do not have.

fn main() {}
