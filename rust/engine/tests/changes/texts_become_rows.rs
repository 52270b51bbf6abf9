//! A text of comma-separated values becomes rows, in pieces as it comes: what its lines are, what is wrong with one, and what each
//! column makes of its fields.

use std::rc::Rc;

use engine::{DateOrder, DecimalMark, RowsDone, RowsText, Session, SqlError, Step, WrittenForms};

use crate::common::fresh::{rows, session};

const COLUMNS: &str = "INSERT INTO t (id, v, n) VALUES (?, ?, ?)";

fn with_table() -> Session {
    let session = session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), n DECIMAL(10,2) DEFAULT 7, UNIQUE KEY (v))");
    session
}

fn piece(bytes: &[u8], is_last: bool) -> RowsText {
    let mut text = RowsText::new(bytes, is_last);
    text.has_titles = true;
    text
}

/// Adds the rows of a piece, a few at a time.
fn insert(session: &Session, sql: &str, text: RowsText) -> Result<RowsDone, SqlError> {
    let text = Rc::new(text);
    let mut cursor = session.insert_rows(&*session.prepare(sql)?, &text)?;
    while !matches!(cursor.next(3)?, Step::Done(_)) {}
    Ok(text.done())
}

/// The rows of a whole text in pieces of so many bytes, longer where a line is: how many lines it had, titles among them.
fn import(
    session: &Session,
    sql: &str,
    bytes: &[u8],
    piece_bytes: usize,
    forms: WrittenForms,
) -> Result<u64, SqlError> {
    let (mut at, mut rows, mut length) = (0, 0, piece_bytes);
    loop {
        let end = (at + length).min(bytes.len());
        let is_last = end == bytes.len();
        let mut text = piece(&bytes[at..end], is_last);
        (text.has_titles, text.rows_before, text.forms) = (rows == 0, rows, forms);
        let done = insert(session, sql, text)?;
        rows += done.rows;
        at += done.bytes;
        length = if done.bytes == 0 { 2 * length } else { piece_bytes };
        if is_last {
            return Ok(rows);
        }
    }
}

/// The error of a text, wherever it is cut.
fn wrong(sql: &str, bytes: &[u8]) -> SqlError {
    let mut found: Option<SqlError> = None;
    for piece_bytes in [1, 5, 1000] {
        let session = with_table();
        rows(&session, "START TRANSACTION");
        let error = import(&session, sql, bytes, piece_bytes, WrittenForms::default()).unwrap_err();
        rows(&session, "ROLLBACK");
        assert_eq!(rows(&session, "SELECT COUNT(*) FROM t"), [["0"]]);
        let told = |error: &SqlError| (error.errno, error.message.clone(), error.is_about_text(), error.span);
        assert!(found.as_ref().is_none_or(|found| told(found) == told(&error)), "{found:?} and {error:?}");
        found = Some(error);
    }
    found.unwrap()
}

#[test]
fn a_text_is_the_same_rows_however_it_is_cut() {
    let text = "id,v,n\r\n1,\"x \"\"y\"\", z\",1.5\r\n\r\n2,,\n3,\"\",\"2\"\r\"4\",\"two\r\nlines\",-3\n5,漢字😀,4";
    let expected = [
        ["1", "x \"y\", z", "1.50"],
        ["2", "NULL", "NULL"],
        ["3", "", "2.00"],
        ["4", "two\r\nlines", "-3.00"],
        ["5", "漢字😀", "4.00"],
    ];
    for piece_bytes in 1..=text.len() {
        let session = with_table();
        rows(&session, "START TRANSACTION");
        assert_eq!(import(&session, COLUMNS, text.as_bytes(), piece_bytes, WrittenForms::default()).unwrap(), 6);
        rows(&session, "COMMIT");
        assert_eq!(rows(&session, "SELECT * FROM t ORDER BY id"), expected, "in pieces of {piece_bytes}");
    }
}

#[test]
fn a_line_that_is_no_row_is_told_with_its_number() {
    for (text, message) in [
        ("id,v,n\n1,a,1\n2,b\n", "Row 3 of the file has 2 fields, where there are 3 columns: 2, b"),
        ("id,v,n\n\n1,a,1,\n", "Row 2 of the file has 4 fields, where there are 3 columns: 1, a, 1, "),
        ("id,v,n\n1\n", "Row 2 of the file has 1 field, where there are 3 columns: 1"),
        ("id,v,n\n1,\"a,1\n2,b,1\n", "Row 2 of the file: a quoted field is not closed: 1,\"a,1"),
        ("id,v,n\n1,\"a\"b,1\n", "Row 2 of the file: a quoted field goes on behind its quote: 1,\"a\"b,1"),
    ] {
        let error = wrong(COLUMNS, text.as_bytes());
        assert!(error.is_about_text() && error.message == message, "{error}");
    }
    for (text, message) in [(&b"id,v,n\n1,caf\xe9,1\n"[..], "0xE9"), (b"id,v,n\n1,a,1\n2,\xe6\xbc", "0xE6")] {
        assert!(wrong(COLUMNS, text).message.contains(message));
    }
}

#[test]
fn blanks_after_a_closing_quote_are_no_part_of_the_field() {
    let text = "id,v,n\n1,\"a \" ,1\n2,\"b\"  ,2\r\n3,\"\" ,3\n4,\"c\",\"4\" ";
    for piece_bytes in 1..=text.len() {
        let session = with_table();
        import(&session, COLUMNS, text.as_bytes(), piece_bytes, WrittenForms::default()).unwrap();
        let expected = [["1", "a ", "1.00"], ["2", "b", "2.00"], ["3", "", "3.00"], ["4", "c", "4.00"]];
        assert_eq!(rows(&session, "SELECT * FROM t ORDER BY id"), expected, "in pieces of {piece_bytes}");
    }
}

#[test]
fn what_short_lines_lack_is_null_where_the_host_says_so() {
    let session = with_table();
    let mut text = piece(b"id,v,n\n1,a\n2\n3,c,3\n4,\n", true);
    text.fills_short_lines = true;
    assert_eq!(insert(&session, COLUMNS, text).unwrap().rows, 5);
    let expected = [["1", "a", "NULL"], ["2", "NULL", "NULL"], ["3", "c", "3.00"], ["4", "NULL", "NULL"]];
    assert_eq!(rows(&session, "SELECT * FROM t ORDER BY id"), expected);
    let mut text = piece(b"id,v,n\n5,e,5,more\n", true);
    text.fills_short_lines = true;
    let error = insert(&session, COLUMNS, text).unwrap_err();
    assert_eq!(error.message, "Row 2 of the file has 4 fields, where there are 3 columns: 5, e, 5, more");
}

#[test]
fn the_row_that_is_refused_is_told_with_its_place() {
    let refused = |text: &str| {
        let session = with_table();
        let text = Rc::new(piece(text.as_bytes(), true));
        let mut cursor = session.insert_rows(&session.prepare(COLUMNS).unwrap(), &text).unwrap();
        while cursor.next(3).is_ok_and(|step| !matches!(step, Step::Done(_))) {}
        let row = text.text[text.refused()].to_owned();
        (row, text.done().rows)
    };
    for (text, row, rows) in [
        ("id,v,n\n1,a,1\n1,c,3\n", "1,c,3\n", 3),
        ("id,v,n\r\n1,\"two\r\nlines\",1\r\n\r\n1,\"and\n\"\"more\",2\r\n3,c,1\r\n", "1,\"and\n\"\"more\",2\r\n", 3),
        ("id,v,n\n1,a,1\n2,b\n3,c,1\n", "2,b\n", 3),
        ("id,v,n\n1,caf\u{e9},1\n2,b,what\n", "2,b,what\n", 3),
        ("id,v,n\n1,a,1\n1,b,1", "1,b,1", 3),
        // What is not closed takes all that follows with it.
        ("id,v,n\n1,a,1\n2,\"b,1\n", "", 2),
        ("id,v,n\n1,a,1\n2,b,1\n", "", 3),
    ] {
        assert_eq!(refused(text), (row.to_owned(), rows), "{text}");
    }
    let session = with_table();
    rows(&session, "START TRANSACTION READ ONLY");
    let text = Rc::new(piece(b"1,a,1\n", true));
    let cursor = session.insert_rows(&session.prepare(COLUMNS).unwrap(), &text);
    assert!(cursor.and_then(|mut cursor| cursor.next(3).map(drop)).is_err());
    assert!(text.refused().is_empty(), "no row is to blame");
}

#[test]
fn fields_are_left_out_that_the_statement_has_no_column_for() {
    let session = with_table();
    let mut text = piece(b"n,x,id,\"y\n\"\n3,\"left, out\",1,-\n4,,2,\n5,z\n", true);
    text.left_out = [false, true, false, true].into();
    let error = insert(&session, "INSERT INTO t (n, id) VALUES (?, ?)", text).unwrap_err();
    assert_eq!(error.message, "Row 4 of the file has 2 fields, where there are 4 columns: 5, z");
    let mut text = piece(b"n,x,id,y\n3,\"left, out\",1,-\n4,,2,\n", true);
    text.left_out = [false, true, false, true].into();
    assert_eq!(insert(&session, "INSERT INTO t (n, id) VALUES (?, ?)", text).unwrap().rows, 3);
    assert_eq!(rows(&session, "SELECT id, v, n FROM t ORDER BY id"), [["1", "NULL", "3.00"], ["2", "NULL", "4.00"]]);
}

#[test]
fn a_row_that_the_table_refuses_is_told_with_its_number() {
    for (text, errno, message) in [
        ("id,v,n\n1,a,1\n2,b,2\n1,c,3\n", 1062, "Row 4 of the file: duplicate primary key given: [1]: 1, c, 3"),
        ("id,v,n\n1,a,1\n2,\"a\",2\n", 1062, "Row 3 of the file: duplicate unique key given: [a]: 2, a, 2"),
        (
            "id,v,n\n,a,1\n",
            1048,
            "Row 2 of the file: column name 'id' is non-nullable but attempted to set a value of null: , a, 1",
        ),
    ] {
        let error = wrong(COLUMNS, text.as_bytes());
        assert!(!error.is_about_text() && error.errno == errno && error.message == message, "{error}");
    }
    let long = format!("id,v,n\n1,{},1\n", "long ".repeat(20));
    let error = wrong(COLUMNS, long.as_bytes());
    assert!(error.message.starts_with("Row 2 of the file: string '") && error.message.ends_with("lo…"), "{error}");
}

#[test]
fn the_statement_says_what_becomes_of_rows_in_the_way() {
    let session = with_table();
    let text = b"id,v,n\n1,a,1\n1,b,2\n2,c,\n";
    for (sql, expected) in [
        ("INSERT IGNORE INTO t (id, v, n) VALUES (?, ?, ?)", [["1", "a", "1.00"], ["2", "c", "NULL"]]),
        ("REPLACE INTO t (id, v, n) VALUES (?, ?, ?)", [["1", "b", "2.00"], ["2", "c", "NULL"]]),
    ] {
        assert_eq!(import(&session, sql, text, 8, WrittenForms::default()).unwrap(), 4);
        assert_eq!(rows(&session, "SELECT * FROM t ORDER BY id"), expected);
    }
    rows(&session, "DELETE FROM t");
    import(&session, "INSERT INTO t (v, id) VALUES (?, ?)", b"v,id\nx,1\n", 100, WrittenForms::default()).unwrap();
    assert_eq!(rows(&session, "SELECT * FROM t"), [["1", "x", "7.00"]]);
    for sql in
        ["INSERT INTO t VALUES (1, 2, ?)", "INSERT INTO t VALUES (?, ?, ?), (?, ?, ?)", "SELECT ?", "DELETE FROM t"]
    {
        assert!(insert(&session, sql, piece(b"a\n1\n", true)).is_err(), "{sql}");
    }
}

#[test]
fn columns_take_dates_numbers_and_bytes_as_they_are_written() {
    let session = session();
    rows(&session, "CREATE TABLE w (d DATE, t DATETIME, n DOUBLE, b VARBINARY(10), v VARCHAR(20), j JSON)");
    let forms = WrittenForms { dates: Some(DateOrder::DayFirst), decimal: Some(DecimalMark::Comma) };
    let sql = "INSERT INTO w (d, t, n, b, v, j) VALUES (?, ?, ?, ?, ?, ?)";
    let text = "d,t,n,b,v,j\n10.02.2024,1.2.2024 7:05,\"1.234,5\",0x00fF,10.02.2024,\"{\"\"k\"\": [1]}\"\n,,,abc,0x,\n";
    import(&session, sql, text.as_bytes(), 7, forms).unwrap();
    assert_eq!(
        rows(&session, "SELECT DATEDIFF(d, '2024-02-01'), t, n, HEX(b), v, j FROM w ORDER BY v DESC"),
        [
            ["9", "2024-02-01 07:05:00", "1234.5", "00FF", "10.02.2024", "{\"k\": [1]}"],
            ["NULL", "NULL", "NULL", "616263", "0x", "NULL"]
        ]
    );
    let error = import(&session, sql, b"d,t,n,b,v,j\n,,1,,,\n,,1.5,,,\n", 100, forms).unwrap_err();
    assert!(error.is_about_text());
    assert_eq!(error.message, "Row 3 of the file has \"1.5\" for n, which is written in another way than was said");
}

#[test]
fn fields_are_what_native_dolt_imports_and_computed_ones_are_passed_over() {
    let session = session();
    rows(
        &session,
        "CREATE TABLE w (b BIT(64), t TINYINT(1), y YEAR, e ENUM('', 'x'), s VARCHAR(5), j JSON, g INT AS (t + 1) STORED, d INT)",
    );
    let sql = "INSERT INTO w (b, t, y, e, s, j, g, d) VALUES (?, ?, ?, ?, ?, ?, DEFAULT, ?)";
    let text = "b,t,y,e,s,j,g,d\n12,true,0000,x,\"\",\"\",77,\"\"\n0xff,FALSE,\"\",\"\",\"\",null,,3\nTrue,\"\",1999,x,,1,zz,4\n";
    import(&session, sql, text.as_bytes(), 9, WrittenForms::default()).unwrap();
    assert_eq!(
        rows(&session, "SELECT b + 0, t, y, e, s, j, g, d FROM w ORDER BY b DESC"),
        [
            ["255", "0", "NULL", "", "", "null", "1", "3"],
            ["12", "1", "0", "x", "", "NULL", "2", "NULL"],
            ["1", "NULL", "1999", "x", "NULL", "1", "NULL", "4"],
        ]
    );
    let error = import(&session, "INSERT INTO w (b) VALUES (?)", b"b\nt\n", 9, WrittenForms::default()).unwrap_err();
    let told = "Row 2 of the file has \"t\" for b, where bits are a number, 0x… or true and false";
    assert!(error.is_about_text() && error.message == told, "{error}");
}

#[test]
fn texts_that_mean_null_are_null_where_a_column_holds_no_text() {
    let session = with_table();
    let mut text = piece(b"id,v,n\n1,n/a,n/a\n2,-,\"-\"\n3,N/A,3\n", true);
    text.nulls = ["n/a", "-"].map(Into::into).into();
    assert_eq!(insert(&session, COLUMNS, text).unwrap().rows, 4);
    let expected = [["1", "n/a", "NULL"], ["2", "-", "NULL"], ["3", "N/A", "3.00"]];
    assert_eq!(rows(&session, "SELECT * FROM t ORDER BY id"), expected);
}
