//! SHOW (format: sql-surface.md, section 6.1).

use std::rc::Rc;

use parse::ast::{self, ShowKind};
use value::{Collation, Value};

use super::Listing;
use super::describe::columns;
use crate::bind::{Binder, Found};
use crate::catalog::create_table::{create_table, quoted};
use crate::catalog::{Place, Relation, fragments};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::variables::DEFAULTS;
use crate::session::{Cursor, Session, SessionNames};

fn text(text: impl Into<String>) -> Value<'static> {
    Value::text(text.into())
}

pub fn run(session: &Session, sql: &str, show: &ast::Show, context: Rc<Context>) -> Result<Cursor> {
    let listing = match &show.kind {
        ShowKind::Databases => databases(session)?,
        ShowKind::Tables { full, database, as_of } => {
            tables(session, *full, database.as_ref(), as_of.as_ref(), &context)?
        }
        ShowKind::Columns { full, table, as_of } => columns(session, table, as_of.as_ref(), *full, &context)?,
        ShowKind::CreateTable { name, as_of } => show_create_table(session, name, as_of.as_ref(), &context)?,
        ShowKind::CreateView { name } => show_create_view(session, name)?,
        ShowKind::CreateDatabase { name, .. } => {
            let mut listing = Listing::new(&["Database", "Create Database"]);
            let place = session.catalog().place(Some(&name.text)).map_err(|error| error.at(name.span))?;
            let collation = place.root()?.collation();
            let create = format!(
                "CREATE DATABASE {} /*!40100 DEFAULT CHARACTER SET {} COLLATE {} */",
                quoted(&name.text),
                collation.charset().name(),
                collation.name()
            );
            listing.push(vec![text(&*name.text), text(create)]);
            listing
        }
        ShowKind::Indexes { table } => indexes(session, table)?,
        ShowKind::Variables { .. } => variables(session),
        ShowKind::Status { .. } => status(session),
        ShowKind::Warnings { .. } => {
            let mut listing = Listing::new(&["Level", "Code", "Message"]);
            for warning in session.state().warnings() {
                listing.push(vec![text(warning.level), text(warning.code.to_string()), text(warning.message)]);
            }
            listing
        }
        ShowKind::Collation => collations(),
        ShowKind::CharacterSet => charsets(),
        ShowKind::Engines => {
            let mut listing = Listing::new(&["Engine", "Support", "Comment", "Transactions", "XA", "Savepoints"]);
            let comment = "Supports transactions, row-level locking, and foreign keys";
            listing.push(["InnoDB", "DEFAULT", comment, "YES", "YES", "YES"].map(text).to_vec());
            listing
        }
        ShowKind::ProcessList { .. } => {
            let mut listing = Listing::new(&["Id", "User", "Host", "db", "Command", "Time", "State", "Info"]);
            let state = session.state();
            let database = state.database().map_or(Value::Null, |database| text(&*database));
            let id = text(state.connection_id.to_string());
            let info = text(sql);
            listing.push(vec![
                id,
                text("root"),
                text("localhost"),
                database,
                text("Query"),
                text("0"),
                text("running"),
                info,
            ]);
            listing
        }
        ShowKind::Grants { .. } => {
            let mut listing = Listing::new(&["Grants for root@localhost"]);
            listing.push(vec![text("GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION")]);
            listing
        }
        _ => return Err(SqlError::unsupported("this SHOW statement")),
    };
    listing.into_cursor(session, sql, show.filter.as_ref(), context)
}

/// The value of AS OF.
pub(super) fn revision(
    session: &Session,
    as_of: Option<&ast::Expr>,
    context: &Rc<Context>,
) -> Result<Option<Value<'static>>> {
    let names = SessionNames::new(session.catalog().clone(), context.clone());
    as_of.map(|expr| Binder::new(&names, "", &[]).revision(expr)).transpose()
}

fn databases(session: &Session) -> Result<Listing> {
    let mut listing = Listing::new(&["Database"]);
    let catalog = session.catalog();
    let mut names: Vec<String> = vec!["information_schema".to_owned(), "mysql".to_owned()];
    for attached in catalog.engine.databases() {
        names.push(attached.name.to_string());
        if session.state().variables.borrow().integer("dolt_show_branch_databases") != 0 {
            for branch in attached.database.refs()?.branches() {
                names.push(format!("{}/{}", attached.name, branch?.0));
            }
        }
    }
    names.sort();
    names.into_iter().for_each(|name| listing.push(vec![text(name)]));
    Ok(listing)
}

fn place_of(session: &Session, database: Option<&ast::Ident>) -> Result<Place> {
    let place = session.catalog().place(database.map(|database| &*database.text));
    place.map_err(|error| database.map_or(error.clone(), |database| error.at(database.span)))
}

fn tables(
    session: &Session,
    full: bool,
    database: Option<&ast::Ident>,
    as_of: Option<&ast::Expr>,
    context: &Rc<Context>,
) -> Result<Listing> {
    let place = place_of(session, database)?;
    let as_of = revision(session, as_of, context)?;
    let root = match &as_of {
        None => Some(place.root()?),
        Some(as_of) => place.root_as_of(as_of)?,
    };
    let title = format!("Tables_in_{}", place.name);
    let mut listing = if full { Listing::new(&[&title, "Table_type"]) } else { Listing::new(&[&title]) };
    let Some(root) = root else { return Ok(listing) };
    let system = session.state().variables.borrow().integer("dolt_show_system_tables") != 0;
    let mut names: Vec<(String, &str)> = Vec::new();
    for table in root.tables() {
        let (name, _) = table?;
        if system || !vcs::is_system_table(&name) {
            names.push((name.into(), "BASE TABLE"));
        }
    }
    for fragment in fragments::read(session.catalog(), &place, &place.root()?)? {
        if fragment.kind == "view" {
            names.push((fragment.name, "VIEW"));
        }
    }
    names.sort();
    for (name, kind) in names {
        listing.push(if full { vec![text(name), text(kind)] } else { vec![text(name)] });
    }
    Ok(listing)
}

fn show_create_table(
    session: &Session,
    name: &ast::ObjectName,
    as_of: Option<&ast::Expr>,
    context: &Rc<Context>,
) -> Result<Listing> {
    let as_of = revision(session, as_of, context)?;
    let place = place_of(session, name.database.as_ref())?;
    let root = match &as_of {
        None => place.root()?,
        Some(as_of) => place.root_as_of(as_of)?.ok_or_else(|| SqlError::table_not_found(&name.name.text))?,
    };
    let Some((stored, address)) = root.find_table(&name.name.text)? else {
        return match session.catalog().relation(name, as_of.as_ref()).map_err(|error| error.at(name.span))? {
            Found::View(_) => show_create_view(session, name),
            Found::Relation(relation) => Ok(create_of_relation(&*relation)),
        };
    };
    let mut listing = Listing::new(&["Table", "Create Table"]);
    let table = root.objects().table(&address)?;
    listing.push(vec![text(&*stored), text(create_table(&stored, &table, &root)?)]);
    Ok(listing)
}

/// System tables have no definition; one is made of their columns.
fn create_of_relation(relation: &dyn Relation) -> Listing {
    let mut listing = Listing::new(&["Table", "Create Table"]);
    let mut lines: Vec<String> = Vec::new();
    for column in relation.columns().iter().filter(|column| !column.hidden) {
        let ty = crate::catalog::create_table::shown_type(&column.ty.sql, Collation::UTF8MB4_0900_BIN);
        let null = if column.ty.nullable { "" } else { " NOT NULL" };
        lines.push(format!("{} {ty}{null}", quoted(&column.name)));
    }
    let keys: Vec<String> = relation.columns().iter().filter(|c| c.primary).map(|c| quoted(&c.name)).collect();
    if !keys.is_empty() {
        lines.push(format!("PRIMARY KEY ({})", keys.join(",")));
    }
    let create = format!(
        "CREATE TABLE {} (\n  {}\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin",
        quoted(relation.name()),
        lines.join(",\n  ")
    );
    listing.push(vec![text(relation.name()), text(create)]);
    listing
}

fn show_create_view(session: &Session, name: &ast::ObjectName) -> Result<Listing> {
    let place = place_of(session, name.database.as_ref())?;
    let fragments = fragments::read(session.catalog(), &place, &place.root()?)?;
    let view = fragments.into_iter().find(|f| f.kind == "view" && name.name.is(&f.name));
    let view = view.ok_or_else(|| SqlError::table_not_found(&name.name.text).at(name.span))?;
    let mut listing = Listing::new(&["View", "Create View", "character_set_client", "collation_connection"]);
    listing.push(vec![text(view.name), text(view.text), text("utf8mb4"), text("utf8mb4_0900_bin")]);
    Ok(listing)
}

fn indexes(session: &Session, table: &ast::ObjectName) -> Result<Listing> {
    let mut listing = Listing::new(&[
        "Table",
        "Non_unique",
        "Key_name",
        "Seq_in_index",
        "Column_name",
        "Collation",
        "Cardinality",
        "Sub_part",
        "Packed",
        "Null",
        "Index_type",
        "Comment",
        "Index_comment",
        "Visible",
        "Expression",
    ]);
    let Found::Relation(relation) = session.catalog().relation(table, None).map_err(|error| error.at(table.span))?
    else {
        return Ok(listing);
    };
    let Some(base) = relation.base() else { return Ok(listing) };
    let schema = base.schema();
    let mut push = |unique: bool, name: &str, columns: &[usize], prefixes: &[u16], kind: &str, comment: &str| {
        for (n, &at) in columns.iter().enumerate() {
            let column = &schema.columns[at];
            let prefix = prefixes.get(n).copied().filter(|prefix| *prefix > 0);
            let expression = column.generated.as_ref().filter(|_| column.is_hidden);
            listing.push(vec![
                text(relation.name()),
                text(if unique { "0" } else { "1" }),
                text(name),
                text((n + 1).to_string()),
                if expression.is_some() { Value::Null } else { text(&*column.name) },
                Value::Null,
                text("0"),
                prefix.map_or(Value::Null, |prefix| text(prefix.to_string())),
                Value::Null,
                text(if column.is_nullable && !column.is_primary_key { "YES" } else { "" }),
                text(kind),
                text(""),
                text(comment),
                text("YES"),
                expression.map_or(Value::Null, |generated| text(&*generated.expression)),
            ]);
        }
    };
    if !schema.primary_key.is_empty() {
        push(true, "PRIMARY", &schema.primary_key, &[], "BTREE", "");
    }
    for index in &schema.indexes {
        let kind = match index {
            _ if index.fulltext.is_some() => "FULLTEXT",
            _ if index.is_spatial => "SPATIAL",
            _ if index.vector.is_some() => "VECTOR",
            _ => "BTREE",
        };
        let prefixes: Vec<u16> = index.prefix_lengths().collect();
        push(index.is_unique, &index.name, &index.columns, &prefixes, kind, &index.comment);
    }
    Ok(listing)
}

fn variables(session: &Session) -> Listing {
    let mut listing = Listing::new(&["Variable_name", "Value"]);
    let variables = session.state().variables.borrow();
    for known in DEFAULTS {
        listing.push(vec![text(known.name), text(variables.text(known.name))]);
    }
    listing
}

/// Counters of the layers below, such as `region_faults`.
fn status(session: &Session) -> Listing {
    let mut listing = Listing::new(&["Variable_name", "Value"]);
    let mut counters = session.catalog().engine.counters();
    counters.sort();
    for (name, value) in counters {
        listing.push(vec![text(name), text(value.to_string())]);
    }
    listing
}

fn collations() -> Listing {
    let mut listing = Listing::new(&["Collation", "Charset", "Id", "Default", "Compiled", "Sortlen", "Pad_attribute"]);
    for collation in Collation::all().filter(|collation| collation.is_implemented()) {
        listing.push(vec![
            text(collation.name()),
            text(collation.charset().name()),
            text(collation.id().to_string()),
            text(if collation.is_default() { "Yes" } else { "" }),
            text("Yes"),
            text(collation.sort_length().to_string()),
            text(collation.pad_attribute()),
        ]);
    }
    listing
}

fn charsets() -> Listing {
    let mut listing = Listing::new(&["Charset", "Description", "Default collation", "Maxlen"]);
    for collation in Collation::all().filter(|collation| collation.is_implemented() && collation.is_default()) {
        let charset = collation.charset();
        let description = charset.description();
        listing.push(vec![
            text(charset.name()),
            text(description),
            text(collation.name()),
            text(charset.character_bytes_max().to_string()),
        ]);
    }
    listing
}
