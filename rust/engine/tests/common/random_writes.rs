//! INSERT, UPDATE, DELETE and REPLACE for tables whose CREATE statements are given, from a seed.

use parse::ast::{ColumnOption, CreateTable, DataType, IndexKind, StatementKind, TableElement, TypeKind};

use super::generate::Random;

struct Column {
    name: String,
    ty: DataType,
    is_generated: bool,
    is_nullable: bool,
}

struct Table {
    name: String,
    columns: Vec<Column>,
    has_key: bool,
}

impl Table {
    fn new(create: &CreateTable) -> Table {
        let column = |element: &TableElement| match element {
            TableElement::Column(column) => Some(Column {
                name: column.name.text.to_string(),
                ty: column.data_type.clone(),
                is_generated: column.options.iter().any(|option| matches!(option, ColumnOption::Generated { .. })),
                is_nullable: !column
                    .options
                    .iter()
                    .any(|o| matches!(o, ColumnOption::NotNull | ColumnOption::PrimaryKey)),
            }),
            _ => None,
        };
        let has_key = create.elements.iter().any(|element| match element {
            TableElement::Column(column) => column.options.contains(&ColumnOption::PrimaryKey),
            TableElement::Index(index) => index.kind == IndexKind::Primary,
            _ => false,
        });
        let columns = create.elements.iter().filter_map(column).collect();
        Table { name: create.name.name.text.to_string(), columns, has_key }
    }
}

/// `count` statements over the tables that a script creates.
pub fn script(creates: &str, seed: u64, count: usize) -> Vec<String> {
    let options = parse::Options::default();
    let mut tables = Vec::new();
    for piece in parse::split(creates, &options) {
        let parsed = parse::statement(piece.span.text(creates), &options);
        if let Some(StatementKind::CreateTable(create)) = parsed.statement.map(|statement| statement.kind) {
            tables.push(Table::new(&create));
        }
    }
    let mut random = Random::new(seed);
    (0..count).map(|_| statement(random.pick(&tables), &mut random)).collect()
}

fn statement(table: &Table, random: &mut Random) -> String {
    let given: Vec<&Column> = table.columns.iter().filter(|column| !column.is_generated).collect();
    let names = given.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
    match random.below(10) {
        0..=4 => {
            let rows = 1 + random.below(4);
            let row = |random: &mut Random| {
                let values: Vec<String> = given.iter().map(|column| value(column, random)).collect();
                format!("({})", values.join(", "))
            };
            let rows: Vec<String> = (0..rows).map(|_| row(random)).collect();
            let (verb, tail) = match random.below(6) {
                0 => ("REPLACE INTO", String::new()),
                1 => ("INSERT IGNORE INTO", String::new()),
                // Native Dolt leaves one of two indexes behind in tables without a key, now and then.
                2 if table.has_key => {
                    ("INSERT INTO", format!(" ON DUPLICATE KEY UPDATE {}", assignment(&given, random)))
                }
                _ => ("INSERT INTO", String::new()),
            };
            format!("{verb} {} ({names}) VALUES {}{tail}", table.name, rows.join(", "))
        }
        5..=7 => {
            format!("UPDATE {} SET {} WHERE {}", table.name, assignment(&given, random), condition(&given, random))
        }
        _ => format!("DELETE FROM {} WHERE {}", table.name, condition(&given, random)),
    }
}

fn assignment(columns: &[&Column], random: &mut Random) -> String {
    let column = random.pick(columns);
    format!("{} = {}", column.name, value(column, random))
}

fn condition(columns: &[&Column], random: &mut Random) -> String {
    let column = random.pick(columns);
    match random.below(4) {
        0 => format!("{} IS NULL", column.name),
        1 => format!("{} >= {}", column.name, value(column, random)),
        _ => format!("{} = {}", column.name, value(column, random)),
    }
}

/// A literal for a column; few different ones, so that keys meet.
fn value(column: &Column, random: &mut Random) -> String {
    use TypeKind::*;
    if random.chance(if column.is_nullable { 15 } else { 2 }) {
        return "NULL".to_owned();
    }
    let ty = &column.ty;
    let n = random.below(40);
    match ty.kind {
        TinyInt | SmallInt | MediumInt | Int | BigInt | Serial | Boolean => n.to_string(),
        Decimal => format!("{n}.{}", random.below(100)),
        Float | Double => format!("{n}.5"),
        Bit => random.below(2).to_string(),
        Date => format!("'2024-0{}-1{}'", 1 + n % 9, n % 10),
        DateTime | Timestamp => format!("'2024-0{}-1{} 0{}:00:00'", 1 + n % 9, n % 10, n % 7),
        Time => format!("'0{}:00:0{}'", n % 10, n % 7),
        Year => (1990 + n).to_string(),
        Char | VarChar => format!("'{}{n}'", if n.is_multiple_of(3) { "Ä" } else { "a" }),
        TinyText | Text | MediumText | LongText => format!("'{}'", "xyz".repeat([1, 10, 300, 900, 3000][n % 5])),
        Binary | VarBinary => format!("x'{:02x}{:02x}'", n, n % 7),
        TinyBlob | Blob | MediumBlob | LongBlob => format!("x'{}'", "00ff".repeat([1, 20, 500, 2100][n % 4])),
        Enum | Set => format!("'{}'", ty.members[n % ty.members.len()]),
        Json => format!("'{{\"b\": {n}, \"a\": [1, \"{}\"]}}'", "j".repeat([0, 5, 700, 2500][n % 4])),
        Vector => format!("STRING_TO_VECTOR('[{n},{}.5,{}]')", n % 7, n % 3),
        Point | Geometry => format!("POINT({n}, {})", n % 7),
        _ => n.to_string(),
    }
}
