//! Every function with every kind of value, extreme ones among them: an answer or an error, never a panic.

use engine::functions;

use crate::common;

/// Literals and calls that give one value of each kind.
const VALUES: &[&str] = &[
    "null",
    "0",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "1e308",
    "-0.0",
    "99999999999999999999999999999999999999999999999999999999999999999",
    "''",
    "'a'",
    "'é日本😀'",
    "'2024-02-29 23:59:59.999999'",
    "'[1, {\"a\": null}]'",
    "'$.a[last]'",
    "'%Y %j %U'",
    "x''",
    "x'ff00ff'",
    "true",
    "date '0000-00-00'",
    "date '9999-12-31'",
    "time '-838:59:59'",
    "timestamp '1000-01-01 00:00:00'",
    "json_array(1, null, 'x')",
    "point(1, -2)",
    "st_geomfromtext('GEOMETRYCOLLECTION(LINESTRING(0 0,1 1),POLYGON((0 0,0 1,1 1,0 0)))')",
    "'microsecond'",
];

#[test]
fn functions_never_panic() {
    let session = common::empty_engine().session();
    let mut asked = 0u32;
    let mut ask = |name: &str, arguments: &[&str]| {
        // Texts as long as a number says are made and dropped; ask for few of those.
        let sql = format!("select {name}({})", arguments.join(", "));
        let _ = session.query(&sql).and_then(engine::Cursor::collect);
        asked += 1;
    };
    for function in functions::scalars() {
        let (least, most) = function.arity;
        if least == 0 {
            ask(function.name, &[]);
        }
        for arity in least.max(1)..=most.min(least + 1).min(6) {
            // Each value in each place, the others running through the list beside it.
            for place in 0..arity {
                for (at, value) in VALUES.iter().enumerate() {
                    for step in [1, 11] {
                        let arguments: Vec<&str> = (0..arity)
                            .map(|n| if n == place { *value } else { VALUES[(at + (n + 1) * step) % VALUES.len()] })
                            .collect();
                        ask(function.name, &arguments);
                    }
                }
            }
        }
    }
    assert!(asked > 10_000, "only {asked} calls");
}
