//! The weights of rare collations are loaded when they are needed. Until then nothing is ordered by them: an error says
//! so, instead of an answer in the order of the bytes.

mod common;

#[test]
fn missing_weights_are_an_error() {
    let session = engine::Engine::new(std::rc::Rc::new(common::FixedHost)).session();
    let words = "(select 'b' as w union all select 'a' union all select 'B') x";
    let rare = "collate utf8mb4_da_0900_ai_ci";
    for sql in [
        format!("select w from {words} order by w {rare}"),
        format!("select count(*) from {words} group by w {rare}"),
        format!("select min(w {rare}) from {words}"),
        format!("select x.w from {words} join (select 'B' as v) y on x.w {rare} = y.v"),
        format!("select w from {words} where w {rare} like 'B%'"),
        format!("select w from {words} where w {rare} > 'a'"),
    ] {
        let answer = session.query(&sql).and_then(engine::Cursor::collect);
        let error = answer.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("utf8mb4_da_0900_ai_ci"), "{sql}: {error}");
    }
}
