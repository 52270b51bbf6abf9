//! Spellings of dates that MySQL takes and native Dolt refuses: what dumps and files have. (Those of text alone are tested in `value`.)

use engine::Session;

use crate::common::fresh::{error, rows, session};

fn open() -> Session {
    let session = session();
    rows(&session, "CREATE TABLE d (id INT PRIMARY KEY AUTO_INCREMENT, d DATE, dt DATETIME(3), ts TIMESTAMP)");
    session
}

#[test]
fn where_rows_are_added() {
    for (written, expected) in [
        ("'1962/2/18'", "1962-02-18 00:00:00.000000"),
        ("'17-02-20 09:00:00'", "2017-02-20 09:00:00.000000"),
        ("'\\n2009-02-03\\n'", "2009-02-03 00:00:00.000000"),
        ("20090203010203", "2009-02-03 01:02:03.000000"),
        ("'2009.02.03'", "2009-02-03 00:00:00.000000"),
        ("'20090203T010203.25'", "2009-02-03 01:02:03.250000"),
        ("'090203'", "2009-02-03 00:00:00.000000"),
        ("' 2009-02-03  04:05 '", "2009-02-03 04:05:00.000000"),
    ] {
        let session = open();
        rows(&session, &format!("INSERT INTO d (dt) VALUES ({written})"));
        rows(&session, &format!("INSERT INTO d (dt) SELECT {written}"));
        let found = rows(&session, "SELECT DATE_FORMAT(dt, '%Y-%m-%d %T.%f') FROM d");
        assert_eq!(found, [[expected], [expected]], "{written}");
        rows(&session, &format!("UPDATE d SET d = {written}"));
        assert_eq!(
            rows(&session, "SELECT DATE_FORMAT(d, '%Y-%m-%d') FROM d LIMIT 1"),
            [[&expected[..10]]],
            "{written}"
        );
    }
}

#[test]
fn in_casts_and_comparisons() {
    let session = open();
    rows(&session, "INSERT INTO d (d, dt) VALUES ('2009-02-03', '2009-02-03 01:02:03')");
    assert_eq!(
        rows(&session, "SELECT DATEDIFF(CAST('09/2/3' AS DATE), '2009-02-01'), CAST('2009@2@3 1^2' AS DATETIME)"),
        [["2", "2009-02-03 01:02:00"]]
    );
    assert_eq!(rows(&session, "SELECT COUNT(*) FROM d WHERE d = '2009/2/3' AND dt > '09-02-03 1:2:2'"), [["1"]]);
    assert_eq!(rows(&session, "SELECT COUNT(*) FROM d WHERE dt BETWEEN '2009/2/3' AND '2009.2.4'"), [["1"]]);
}

#[test]
fn what_is_no_date_stays_an_error() {
    let session = open();
    for written in [
        "'2009/02/30'",
        "'2009/13/01'",
        "'17-02-20 24:00:00'",
        "'1/2'",
        "'x'",
        "'2009/02/03x'",
        "20091303010203",
        "'1-2-3'",
    ] {
        for column in ["d", "dt", "ts"] {
            error(&session, &format!("INSERT INTO d ({column}) VALUES ({written})"));
        }
    }
    assert_eq!(rows(&session, "SELECT COUNT(*) FROM d"), [["0"]]);
}

#[test]
fn functions_that_take_times_read_times() {
    assert_eq!(
        rows(&session(), "SELECT HOUR(TIME('10:11:12')), TIME_TO_SEC(TIMEDIFF('10:11:12', '10:11:10'))"),
        [["10", "2"]]
    );
}
