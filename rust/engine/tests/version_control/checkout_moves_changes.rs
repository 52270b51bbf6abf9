//! `dolt_checkout('--move', …)`, which is `dolt checkout`: what is not committed goes along, and overwrites nothing.

use engine::Session;

use crate::common::fresh::{error, rows, session};

fn run(session: &Session, statements: &[&str]) {
    for sql in statements {
        rows(session, sql);
    }
}

/// Branch and changed tables.
fn state(session: &Session) -> String {
    let branch = &rows(session, "SELECT active_branch()")[0][0];
    let status = rows(session, "SELECT table_name, staged, status FROM dolt_status ORDER BY 1, 2");
    let tables: Vec<String> = status.iter().map(|row| row.join(" ")).collect();
    format!("{branch}: {}", tables.join(", "))
}

/// `main` is one commit ahead of `side`, in `w`; `k` is changed and not committed.
fn setup() -> Session {
    let session = session();
    run(
        &session,
        &[
            "CREATE TABLE w (id INT PRIMARY KEY, n INT)",
            "CREATE TABLE k (id INT PRIMARY KEY)",
            "INSERT INTO w VALUES (1, 1)",
            "CALL dolt_commit('-Am', 'one')",
            "CALL dolt_branch('side')",
            "INSERT INTO w VALUES (2, 2)",
            "CALL dolt_commit('-am', 'two')",
            "INSERT INTO k VALUES (5)",
        ],
    );
    session
}

#[test]
fn changes_go_along_and_come_back() {
    let session = setup();
    run(
        &session,
        &["CREATE TABLE fresh (a INT PRIMARY KEY)", "CALL dolt_add('fresh')", "CALL dolt_checkout('--move', 'side')"],
    );
    assert_eq!(state(&session), "side: fresh 1 new table, k 0 modified");
    assert_eq!(rows(&session, "SELECT COUNT(*) FROM w")[0][0], "1");
    assert_eq!(rows(&session, "SELECT id FROM k")[0][0], "5");
    run(&session, &["CALL dolt_checkout('--move', '-b', 'third')"]);
    assert_eq!(state(&session), "third: fresh 1 new table, k 0 modified");
    run(&session, &["CALL dolt_checkout('side')"]);
    assert_eq!(state(&session), "side: ");
    run(&session, &["CALL dolt_checkout('third')", "CALL dolt_checkout('--move', 'main')"]);
    assert_eq!(state(&session), "main: fresh 1 new table, k 0 modified");
}

#[test]
fn foreign_keys_go_along() {
    let session = session();
    run(
        &session,
        &[
            "CREATE TABLE p (id INT PRIMARY KEY)",
            "CREATE TABLE c (id INT PRIMARY KEY, pid INT, KEY (pid))",
            "CREATE TABLE e (id INT PRIMARY KEY, pid INT, KEY (pid))",
            "CALL dolt_commit('-Am', 'one')",
            "CALL dolt_branch('side')",
            "ALTER TABLE c ADD CONSTRAINT fc FOREIGN KEY (pid) REFERENCES p (id)",
            "CALL dolt_checkout('--move', 'side')",
        ],
    );
    let declares = |table: &str, key: &str| rows(&session, &format!("SHOW CREATE TABLE {table}"))[0][1].contains(key);
    assert_eq!(state(&session), "side: c 0 modified");
    assert!(declares("c", "`fc`"));
    run(
        &session,
        &[
            "CALL dolt_commit('-am', 'two')",
            "CALL dolt_checkout('main')",
            "ALTER TABLE e ADD CONSTRAINT fe FOREIGN KEY (pid) REFERENCES p (id)",
            "ALTER TABLE c ADD CONSTRAINT other FOREIGN KEY (pid) REFERENCES p (id)",
        ],
    );
    let (_, message) = error(&session, "CALL dolt_checkout('--move', 'side')");
    assert!(message.contains("would be overwritten by checkout:\n\tc\nPlease"), "{message}");
    run(&session, &["CALL dolt_checkout('--move', '-f', 'side')"]);
    assert_eq!(state(&session), "side: e 0 modified");
    assert!(declares("c", "`fc`") && !declares("c", "`other`") && declares("e", "`fe`"));
}

#[test]
fn nothing_is_overwritten() {
    let session = setup();
    run(&session, &["INSERT INTO w VALUES (77, 7)"]);
    let (_, message) = error(&session, "CALL dolt_checkout('--move', 'side')");
    assert!(
        message.contains(
            "Your local changes to the following tables would be overwritten by checkout:\n\tw\nPlease commit your changes or \
             stash them before you switch branches.\nAborting"
        ),
        "{message}"
    );
    assert_eq!(state(&session), "main: k 0 modified, w 0 modified");
    run(
        &session,
        &[
            "CALL dolt_checkout('w')",
            "CALL dolt_checkout('side')",
            "INSERT INTO k VALUES (6)",
            "CALL dolt_checkout('main')",
        ],
    );
    let (_, message) = error(&session, "CALL dolt_checkout('--move', 'side')");
    assert!(message.contains("checkout would overwrite uncommitted changes on target branch"), "{message}");
    run(&session, &["CALL dolt_checkout('--move', '-f', 'side')"]);
    assert_eq!(rows(&session, "SELECT id FROM k")[0][0], "5");
}
