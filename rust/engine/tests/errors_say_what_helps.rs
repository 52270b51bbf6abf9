//! The message of a syntax error is native Dolt's; beside it stands what to do.

mod common;

#[test]
fn a_syntax_error_says_what_helps() {
    let session = common::fresh::session();
    for (sql, hint) in [
        ("selct 1", Some("did you mean SELECT?")),
        ("select * form dual", Some("did you mean FROM?")),
        ("create table t (id int primary)", Some("expected KEY")),
        ("select 1 = any (select 1)", Some("varve_beyond_dolt")),
        ("select no_such_column", None),
    ] {
        let error = session.query(sql).err().expect(sql);
        match hint {
            Some(hint) => assert!(error.hint.as_deref().is_some_and(|given| given.contains(hint)), "{sql}: {error:?}"),
            None => assert_eq!(error.hint, None, "{sql}"),
        }
    }
}
