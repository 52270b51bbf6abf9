//! Runs SQL over a database directory, natively: `cargo run -p engine --example sql -- DIR "SELECT …; SELECT …"`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(script)) = (arguments.next(), arguments.next()) else {
        return Err("usage: sql DIRECTORY STATEMENTS".into());
    };
    let session = common::open(Path::new(&directory))?;
    for statement in script.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        match session.query(statement).and_then(engine::Cursor::collect) {
            Ok((columns, rows, summary)) => {
                println!("{}", columns.iter().map(|column| &*column.name).collect::<Vec<_>>().join("\t"));
                for row in &rows {
                    let texts =
                        row.iter().zip(columns.iter()).map(|(value, column)| match value::to_text(value, &column.ty) {
                            Some(text) => String::from_utf8_lossy(&text).into_owned(),
                            None => "NULL".to_owned(),
                        });
                    println!("{}", texts.collect::<Vec<_>>().join("\t"));
                }
                println!("-- {} rows", summary.rows);
            }
            Err(error) => println!("error: {error}"),
        }
    }
    Ok(())
}
