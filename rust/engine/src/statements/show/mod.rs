//! SHOW (docs/format/sql-surface.md, section 6.1).

mod indexes;
mod objects;
mod privileges;
mod replica;
mod server;
mod status_variables;

use std::rc::Rc;

use codec::CompactSort;
use parse::ast::{self, ShowKind};
use parse::quote_name;
use value::{Collation, SqlType, Value};

use super::describe::{Extent, columns};
use super::listing::{CaseMatters, Listing};
use crate::catalog::create_table::{create_table, index_kind, shown_attributes};
use crate::catalog::{Found, Place, Relation, fragments};
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::names::revision;
use crate::session::Session;
use crate::system_tables::global_tables;

fn text(text: impl Into<String>) -> Value<'static> {
    Value::text(text.into())
}

pub fn run(session: &Session, sql: &str, show: &ast::Show, context: Rc<Context>) -> Result<Cursor> {
    let listing = match &show.kind {
        ShowKind::Databases => databases(session)?,
        ShowKind::Tables { full, database, as_of } => {
            tables(session, *full, database.as_ref(), as_of.as_ref(), &context)?.with_case(CaseMatters::InWhereAndLike)
        }
        ShowKind::Columns { full, extended, table, as_of } => {
            let extent = Extent { is_full: *full, is_extended: *extended };
            columns(session, table, as_of.as_ref(), extent, &context)?.with_case(CaseMatters::InWhereAndLike)
        }
        ShowKind::CreateTable { name, as_of } => show_create_table(session, name, as_of.as_ref(), &context)?,
        ShowKind::CreateView { name } => objects::create_view(session, name)?,
        ShowKind::CreateDatabase { name, if_not_exists } => {
            let mut listing = Listing::new(&["Database", "Create Database"]);
            let collation = if global_tables(&name.text).is_some() {
                Collation::UTF8MB4_0900_BIN
            } else {
                let place = session.catalog().place(Some(&name.text)).map_err(|error| error.at(name.span))?;
                place.root()?.collation()
            };
            let condition = if *if_not_exists { "/*!32312 IF NOT EXISTS*/ " } else { "" };
            let create = format!(
                "CREATE DATABASE {condition}{} /*!40100 DEFAULT CHARACTER SET {} COLLATE {} */",
                quote_name(&name.text),
                collation.charset().name(),
                collation.name()
            );
            listing.push(vec![text(&*name.text), text(create)]);
            listing
        }
        ShowKind::Indexes { table } => indexes::listing(session, table)?,
        ShowKind::Variables { scope } => server::variables(session, *scope)?.with_case(CaseMatters::Nowhere),
        ShowKind::Status { .. } => server::status(session).with_case(CaseMatters::Nowhere),
        ShowKind::Warnings { limit } => server::warnings(session, sql, false, limit.as_ref(), &context)?,
        ShowKind::Errors { limit } => server::warnings(session, sql, true, limit.as_ref(), &context)?,
        ShowKind::Count { errors } => server::message_count(session, *errors),
        // No table is kept open, and no statement measured.
        ShowKind::OpenTables { .. } => {
            Listing::new(&["Database", "Table", "In_use", "Name_locked"]).with(SqlType::BIGINT, &[2, 3])
        }
        ShowKind::Profiles => Listing::new(&["Query_ID", "Duration", "Query"]).with(SqlType::BIGINT, &[0]),
        ShowKind::Profile => Listing::new(&["Status", "Duration"]),
        ShowKind::Collation => server::collations().with_case(CaseMatters::Nowhere),
        ShowKind::CharacterSet => server::charsets(),
        ShowKind::Engines => server::engines(),
        ShowKind::ProcessList { .. } => server::process_list(session, sql),
        ShowKind::Grants { account } => server::grants(account.as_ref())?,
        ShowKind::Privileges => privileges::privileges(),
        ShowKind::Plugins => server::plugins(),
        ShowKind::BinaryLogs => {
            Listing::new(&["Log_name", "File_size", "Encrypted"]).with(SqlType::BIGINT_UNSIGNED, &[1])
        }
        ShowKind::BinaryLogStatus => {
            Listing::new(&["File", "Position", "Binlog_Do_DB", "Binlog_Ignore_DB", "Executed_Gtid_Set"])
                .with(SqlType::BIGINT, &[1])
        }
        ShowKind::ReplicaStatus { names } => replica::status(*names),
        ShowKind::Replicas => Listing::new(&["Replica_IO_State", "Source_Host"]),
        ShowKind::TableStatus { database } => {
            objects::table_status(session, database.as_ref())?.with_case(CaseMatters::InWhereAndLike)
        }
        ShowKind::Triggers { database } => {
            // LIKE means the table here, not the trigger.
            return objects::triggers(session, sql, database.as_ref(), show.filter.as_ref(), context);
        }
        ShowKind::Events { database } => {
            let events = objects::events(session, database.as_ref())?;
            return events.into_cursor_by(session, sql, show.filter.as_ref(), 1, context);
        }
        ShowKind::ProcedureStatus => {
            return objects::procedures(session, sql, show.filter.as_ref(), context);
        }
        // No function is stored. Two of the names are spelled otherwise here.
        ShowKind::FunctionStatus => objects::routines(["CHARACTER_SET_CLIENT", "COLLATION_CONNECTION"]),
        ShowKind::CreateTrigger { name } => objects::create_trigger(session, name)?,
        ShowKind::CreateProcedure { name } => objects::create_procedure(session, name)?,
        ShowKind::CreateEvent { name } => objects::create_event(session, name)?,
    };
    listing.into_cursor(session, sql, show.filter.as_ref(), context)
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
    names.extend(catalog.revision_in_use().map(|place| place.name.to_string()));
    names.compact_sort();
    names.dedup();
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
    let used = session.state().database();
    let named = database.map(|database| &*database.text).or(used.as_deref());
    if let Some(named) = named
        && let Some((tables, kind)) = global_tables(named)
    {
        let title = format!("Tables_in_{named}");
        let mut listing = if full { Listing::new(&[&title, "Table_type"]) } else { Listing::new(&[&title]) };
        for name in tables {
            listing.push(if full { vec![text(name), text(kind)] } else { vec![text(name)] });
        }
        return Ok(listing);
    }
    let place = place_of(session, database)?;
    let as_of = revision(as_of, context)?;
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
    if system && as_of.is_none() {
        let tables: Vec<String> = names.iter().map(|(name, _)| name.clone()).collect();
        names.extend(crate::system_tables::listed_names(&tables).into_iter().map(|name| (name, "BASE TABLE")));
    }
    for name in place.names().names_elsewhere(&root)? {
        if system || !vcs::is_system_table(&name) {
            names.push((name.into(), "BASE TABLE"));
        }
    }
    for fragment in fragments::read(session.catalog(), &place, &place.root()?)? {
        if fragment.kind == "view" {
            names.push((fragment.name, "VIEW"));
        }
    }
    names.compact_sort();
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
    let as_of = revision(as_of, context)?;
    let temporary = match as_of {
        None => session.catalog().temporary_place(name.database.as_ref().map(|d| &*d.text), &name.name.text)?,
        Some(_) => None,
    };
    let is_temporary = temporary.is_some();
    let used = session.state().database();
    let database = name.database.as_ref().map(|database| &*database.text).or(used.as_deref());
    if temporary.is_none() && database.is_some_and(|database| global_tables(database).is_some()) {
        return match session.catalog().relation(name, None).map_err(|error| error.at(name.span))? {
            Found::View(_) => objects::create_view(session, name),
            Found::Relation(relation) => {
                let is_mysql = relation.database().eq_ignore_ascii_case("mysql");
                let collation = if is_mysql { "utf8mb3_bin" } else { "utf8mb3_general_ci" };
                Ok(create_of_relation(&*relation, Collation::from_name(collation)?))
            }
        };
    }
    let place = temporary.map_or_else(|| place_of(session, name.database.as_ref()), Ok)?;
    let root = match &as_of {
        None => place.root()?,
        Some(as_of) => place.root_as_of(as_of)?.ok_or_else(|| SqlError::table_not_found(&name.name.text))?,
    };
    let there = match is_temporary {
        true => None,
        false => place.table_elsewhere(&root, &name.name.text)?,
    };
    let called = there.as_ref().map_or(&*name.name.text, |there| &there.name);
    // AS OF it is what the branch itself has by that name.
    let root = there.as_ref().filter(|_| as_of.is_none()).map_or(&root, |there| &there.root);
    let shows_another = session.state().variables.borrow().overriding_commit().is_some();
    let Some((stored, address)) = root.find_table(called)?.filter(|_| !shows_another) else {
        return match session.catalog().relation(name, as_of.as_ref()).map_err(|error| error.at(name.span))? {
            Found::View(_) => objects::create_view(session, name),
            Found::Relation(relation) => Ok(create_of_relation(&*relation, Collation::UTF8MB4_0900_BIN)),
        };
    };
    let mut listing = Listing::new(&["Table", "Create Table"]);
    let table = root.objects().table(&address)?;
    let mut definition = create_table(&stored, &table, root)?;
    if is_temporary {
        definition = definition.replacen("CREATE TABLE", "CREATE TEMPORARY TABLE", 1);
    }
    listing.push(vec![text(&*stored), text(definition)]);
    Ok(listing)
}

/// System tables have no definition; one is made of their columns.
fn create_of_relation(relation: &dyn Relation, collation: Collation) -> Listing {
    let mut listing = Listing::new(&["Table", "Create Table"]);
    let mut lines: Vec<String> = Vec::new();
    for column in relation.columns().iter().filter(|column| !column.hidden) {
        let ty = crate::catalog::create_table::shown_type(&column.ty.sql, collation);
        let null = if column.ty.nullable { "" } else { " NOT NULL" };
        let rest = column.shows.as_deref().map(shown_attributes).unwrap_or_default();
        lines.push(format!("{} {ty}{null}{rest}", quote_name(&column.name)));
    }
    let keys: Vec<String> = relation.columns().iter().filter(|c| c.primary).map(|c| quote_name(&c.name)).collect();
    if !keys.is_empty() {
        lines.push(format!("PRIMARY KEY ({})", keys.join(",")));
    }
    for index in relation.told_indexes().iter().filter(|index| &*index.name != "PRIMARY") {
        let mut names: Vec<String> = index.columns.iter().map(|&at| quote_name(&relation.columns()[at].name)).collect();
        let mut kind = if index.is_unique { "UNIQUE KEY" } else { "KEY" };
        if let Some(stored) = &index.shows {
            let lengths = names.iter_mut().zip(stored.prefix_lengths()).filter(|(_, length)| *length > 0);
            lengths.for_each(|(name, length)| name.push_str(&format!("({length})")));
            // Over all commits none is unique.
            kind = if stored.is_unique { kind } else { index_kind(stored) };
        }
        lines.push(format!("{kind} {} ({})", quote_name(&index.name), names.join(",")));
    }
    let create = format!(
        "CREATE TABLE {} (\n  {}\n) ENGINE=InnoDB DEFAULT CHARSET={} COLLATE={}",
        quote_name(relation.name()),
        lines.join(",\n  "),
        collation.charset().name(),
        collation.name()
    );
    listing.push(vec![text(&**relation.name()), text(create)]);
    listing
}
