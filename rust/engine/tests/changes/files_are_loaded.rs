//! LOAD DATA LOCAL takes the lines of a file that the host gives.
#![allow(clippy::disallowed_methods)] // native: it writes a file

use crate::common::fresh::{affected, error, rows, session};

/// A file with this text, for as long as the value lives.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let path = std::env::temp_dir().join(format!("varve-load-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        File(path)
    }

    fn path(&self) -> std::path::Display<'_> {
        self.0.display()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn lines_become_rows() {
    let session = session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20), b INT DEFAULT 7)");
    let file = File::new("tabs", "1\tone\t10\n2\t\\N\t\n3\ttab\\there\t30\n1\tagain\t0\n4\n");
    assert_eq!(affected(&session, &format!("LOAD DATA LOCAL INFILE '{}' INTO TABLE t", file.path())), 4);
    let expected = [["1", "one", "10"], ["2", "NULL", "NULL"], ["3", "tab\there", "30"], ["4", "NULL", "7"]];
    assert_eq!(rows(&session, "SELECT * FROM t"), expected);
    assert_eq!(rows(&session, "SELECT COUNT(*) FROM t WHERE a = ''"), [["0"]]);
}

#[test]
fn fields_may_be_enclosed_skipped_and_computed() {
    let session = session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(40), b INT)");
    let file = File::new("csv", "id,a,b\r\n1,\"x, \"\"y\"\"\",2\r\n2,\"two\r\nlines\",3\r\n");
    let load = format!(
        "LOAD DATA LOCAL INFILE '{}' REPLACE INTO TABLE t FIELDS TERMINATED BY ',' ENCLOSED BY '\"' LINES TERMINATED BY \
         '\\r\\n' IGNORE 1 LINES (id, a, @b) SET b = @b * 100",
        file.path()
    );
    assert_eq!(affected(&session, &load), 2);
    assert_eq!(rows(&session, "SELECT * FROM t"), [["1", "x, \"y\"", "200"], ["2", "two\r\nlines", "300"]]);
    assert_eq!(affected(&session, &load), 4, "rows that are replaced count twice");
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let session = session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY)");
    assert_eq!(error(&session, "LOAD DATA LOCAL INFILE '/nowhere' INTO TABLE t").0, 29);
    assert_eq!(error(&session, "LOAD DATA INFILE '/nowhere' INTO TABLE t").0, 1290);
}
