//! `dolt_verify_constraints` and a foreign key that refers to a list of branches, which native Dolt drops then. What it answers otherwise
//! is in `sessions/branches_as_parents.sql`.

use crate::common::fresh::{affected, error, rows, session};

#[test]
fn a_key_to_branches_outlives_it() {
    let session = session();
    affected(
        &session,
        "CREATE TABLE owners (branch VARCHAR(30) PRIMARY KEY, FOREIGN KEY (branch) REFERENCES dolt_branches (name))",
    );
    affected(&session, "INSERT INTO owners VALUES ('main')");
    assert_eq!(rows(&session, "CALL dolt_verify_constraints('--all')"), [["0"]]);
    assert_eq!(error(&session, "INSERT INTO owners VALUES ('none')").0, 1452);
}
