//! Splits the engine into the module that every visitor downloads and a deferred module, which is loaded when a function of it is
//! first called.
//!
//! Both modules share one memory, one function table and the globals. A call into the deferred module goes through a stub of the core
//! and a slot of the table: while the slot is null, the stub asks the host for the module (`deferred_load` of `host_imports.js`),
//! whose element segment fills the slots. No frame of JavaScript is between the caller and the deferred function, so that a fault may
//! suspend both.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use walrus::ir::{Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalId, GlobalKind,
    ImportedFunction, MemoryId, Module, TableId, ValType,
};

/// Modules and functions that move, by the start of their path: what only few statements need. What only they call moves with them.
const DEFERRED: &[&str] = &[
    "engine::functions::spatial",
    "engine::procedures",
    "engine::routine",
    "engine::statements::analyze",
    "engine::statements::ddl",
    "engine::statements::explain",
    "engine::statements::maintenance",
    "engine::system_tables::merge::artifact_rows",
    "engine::system_tables::history::blame",
    "engine::system_tables::diff::column_diff",
    "engine::system_tables::help",
    "engine::system_tables::diff::json_diff",
    "engine::system_tables::relation::overridden_schema",
    "engine::system_tables::diff::patch",
    "engine::system_tables::merge::preview",
    "engine::system_tables::diff::query_diff",
    "engine::system_tables::test_run",
    "engine::system_tables::diff::workspace",
    "parse::grammar::alter",
    "parse::grammar::ddl",
    "parse::grammar::routine",
    "store::archive::write",
    "store::chunk_store::ChunkStore as store::chunks::Chunks>::collect",
    "store::chunk_store::ChunkStore as store::chunks::Chunks>::lean_on",
    "store::chunk_store::ChunkStore as store::chunks::Chunks>::take",
    "store::chunk_store::ChunkStore::open_lazy",
    "store::collect",
    "store::copy",
    "store::lazy",
    "store::remote",
    "store::scan",
    "store::writer::take",
    "value::geometry",
    "vcs::error::merge",
    "vcs::merge",
    "vcs::remote",
];

/// What stays of them, for every statement may need it: a query reads CREATE VIEW, a change looks for triggers.
const KEPT: &[&str] = &[
    "engine::routine::trigger",
    "engine::statements::ddl::user_space",
    "engine::system_tables::diff::column_diff::owned",
    "parse::grammar::routine::<impl parse::parser::Parser>::create",
    "parse::grammar::routine::<impl parse::parser::Parser>::create_view",
    "parse::grammar::routine::<impl parse::parser::Parser>::definer",
    "parse::grammar::routine::<impl parse::parser::Parser>::sql_security",
    "parse::grammar::routine::<impl parse::parser::Parser>::view_header",
    "vcs::merge::changed_tables",
];

/// The host's import that instantiates the deferred module, and the module that it is imported from.
const HOST: &str = "./host_imports.js";
const LOAD: &str = "deferred_load";

/// The name under which the deferred module imports from the core.
const CORE: &str = "core";

/// Splits `core_bg.wasm` of `directory` into itself and `deferred.wasm`.
pub(crate) fn split(directory: &Path) -> Result<()> {
    let path = directory.join("core_bg.wasm");
    let bytes = std::fs::read(&path)?;
    let (mut core, mut deferred) = (Module::from_buffer(&bytes)?, Module::from_buffer(&bytes)?);
    // A module has ids of its own; the order of the functions is the same in both.
    let core_ids: Vec<FunctionId> = core.funcs.iter().map(walrus::Function::id).collect();
    let deferred_ids: Vec<FunctionId> = deferred.funcs.iter().map(walrus::Function::id).collect();
    let plan = Plan::new(&core, &core_ids)?;
    let table = core.tables.main_function_table()?.context("the engine has no function table")?;
    let first_slot = core.tables.get(table).initial;
    make_core(&mut core, &core_ids, &plan, table)?;
    make_deferred(&mut deferred, &deferred_ids, &plan, first_slot)?;
    core.emit_wasm_file(&path)?;
    deferred.emit_wasm_file(directory.join("deferred.wasm"))
}

/// Functions by their position in the module.
struct Plan {
    /// Those that move and are named by what stays, each with a slot of the table, in this order.
    entries: BTreeSet<usize>,
    /// Those that stay and are called by what moves.
    called: BTreeSet<usize>,
}

impl Plan {
    fn new(module: &Module, ids: &[FunctionId]) -> Result<Plan> {
        let position: BTreeMap<FunctionId, usize> = ids.iter().enumerate().map(|(n, id)| (*id, n)).collect();
        let callees: Vec<HashSet<usize>> = ids.iter().map(|id| callees(module, *id, &position)).collect();
        let is_root: Vec<bool> = ids.iter().map(|id| is_deferred(module.funcs.get(*id).name.as_deref())).collect();
        if !is_root.contains(&true) {
            bail!("xtask/bindgen/src/split.rs names no function of the engine");
        }
        let mut named: HashSet<usize> = HashSet::new();
        for element in module.elements.iter() {
            match &element.items {
                ElementItems::Functions(functions) => named.extend(functions.iter().map(|id| position[id])),
                ElementItems::Expressions(..) => bail!("an element segment has expressions"),
            }
        }
        named.extend(module.exports.iter().filter_map(|export| match export.item {
            ExportItem::Function(id) => Some(position[&id]),
            _ => None,
        }));
        named.extend(module.start.map(|id| position[&id]));
        // What is reached without a deferred function stays.
        let mut stays: HashSet<usize> = HashSet::new();
        let mut pending: Vec<usize> = named.iter().copied().filter(|n| !is_root[*n]).collect();
        while let Some(n) = pending.pop() {
            if stays.insert(n) {
                pending.extend(callees[n].iter().copied().filter(|callee| !is_root[*callee]));
            }
        }
        let is_local = |n: &usize| matches!(module.funcs.get(ids[*n]).kind, FunctionKind::Local(_));
        let moved: HashSet<usize> = (0..ids.len()).filter(|n| !stays.contains(n)).filter(is_local).collect();
        named.extend(stays.iter().flat_map(|n| callees[*n].iter().copied()));
        let entries = named.intersection(&moved).copied().collect();
        let called = moved.iter().flat_map(|n| &callees[*n]).filter(|n| !moved.contains(n)).copied().collect();
        Ok(Plan { entries, called })
    }
}

fn callees(module: &Module, id: FunctionId, position: &BTreeMap<FunctionId, usize>) -> HashSet<usize> {
    struct Callees<'p>(&'p BTreeMap<FunctionId, usize>, HashSet<usize>);
    impl Visitor<'_> for Callees<'_> {
        fn visit_function_id(&mut self, id: &FunctionId) {
            self.1.insert(self.0[id]);
        }
    }
    let mut found = Callees(position, HashSet::new());
    if let FunctionKind::Local(function) = &module.funcs.get(id).kind {
        dfs_in_order(&mut found, function, function.entry_block());
    }
    found.1
}

/// Whether a function is one of those that move.
fn is_deferred(symbol: Option<&str>) -> bool {
    symbol.and_then(own_path).is_some_and(|name| {
        DEFERRED.iter().any(|path| is_of(&name, path)) && !KEPT.iter().any(|path| is_of(&name, path))
    })
}

/// The path of a function of this project, `engine::x::Y as core::Z>::f` for `<engine::x::Y as core::Z>::f`.
///
/// None for an instance of a library's function with a type of this project (drop glue, `RawVec::grow_one`): the linker merges those
/// of equal bodies under one of their names, so that the type in it does not tell who calls it.
fn own_path(symbol: &str) -> Option<String> {
    let name = format!("{:#}", rustc_demangle::demangle(symbol));
    let path = name.trim_start_matches(['<', '&']);
    let path = path.strip_prefix("mut ").or_else(|| path.strip_prefix("dyn ")).unwrap_or(path);
    let own = ["engine::", "parse::", "vcs::", "value::", "store::", "tree::"];
    own.iter().any(|own| path.starts_with(own)).then(|| path.to_owned())
}

fn is_of(name: &str, path: &str) -> bool {
    name.strip_prefix(path).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// What the deferred module imports from the core for a function, a global.
fn function_name(position: usize) -> String {
    format!("f{position}")
}

fn global_name(position: usize) -> String {
    format!("g{position}")
}

fn make_core(module: &mut Module, ids: &[FunctionId], plan: &Plan, table: TableId) -> Result<()> {
    let nothing = module.types.add(&[], &[]);
    let (load, _) = module.add_import_func(HOST, LOAD, nothing);
    let slots = module.tables.get_mut(table);
    let first_slot = slots.initial;
    slots.initial += plan.entries.len() as u64;
    slots.maximum = slots.maximum.map(|most| most + plan.entries.len() as u64);
    for (n, entry) in plan.entries.iter().enumerate() {
        let slot = i32::try_from(first_slot)? + i32::try_from(n)?;
        let stub = |builder: &mut walrus::InstrSeqBuilder<'_>, ty, arguments: &[walrus::LocalId]| {
            builder.i32_const(slot).table_get(table).ref_is_null().if_else(
                None,
                |absent| {
                    absent.call(load);
                },
                |_| {},
            );
            for argument in arguments {
                builder.local_get(*argument);
            }
            builder.i32_const(slot).call_indirect(ty, table);
        };
        replace_body(module, ids[*entry], stub);
    }
    for position in &plan.called {
        // An import may suspend its caller; only the core has it as it was given.
        let id = match module.funcs.get(ids[*position]).kind {
            FunctionKind::Import(_) => forwarder(module, ids[*position]),
            _ => ids[*position],
        };
        module.exports.add(&function_name(*position), id);
    }
    module.exports.add("functions", table);
    if !module.exports.iter().any(|export| matches!(export.item, ExportItem::Memory(_)) && export.name == "memory") {
        bail!("the memory is not exported");
    }
    let globals: Vec<GlobalId> = module.globals.iter().map(walrus::Global::id).collect();
    for (position, global) in globals.into_iter().enumerate() {
        module.exports.add(&global_name(position), global);
    }
    walrus::passes::gc::run(module);
    Ok(())
}

/// Replaces what a function does, given its type and its arguments.
fn replace_body(
    module: &mut Module,
    id: FunctionId,
    body: impl FnOnce(&mut walrus::InstrSeqBuilder<'_>, walrus::TypeId, &[walrus::LocalId]),
) {
    let local = function_of(module, module.funcs.get(id).ty(), body);
    module.funcs.get_mut(id).kind = FunctionKind::Local(local);
}

/// A function that calls an import.
fn forwarder(module: &mut Module, import: FunctionId) -> FunctionId {
    let ty = module.funcs.get(import).ty();
    let local = function_of(module, ty, |builder, _, arguments| {
        for argument in arguments {
            builder.local_get(*argument);
        }
        builder.call(import);
    });
    module.funcs.add_local(local)
}

fn function_of(
    module: &mut Module,
    ty: walrus::TypeId,
    body: impl FnOnce(&mut walrus::InstrSeqBuilder<'_>, walrus::TypeId, &[walrus::LocalId]),
) -> walrus::LocalFunction {
    let (parameters, results): (Vec<ValType>, Vec<ValType>) =
        (module.types.params(ty).to_vec(), module.types.results(ty).to_vec());
    let arguments: Vec<walrus::LocalId> = parameters.iter().map(|ty| module.locals.add(*ty)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &parameters, &results);
    body(&mut builder.func_body(), ty, &arguments);
    builder.local_func(arguments)
}

fn make_deferred(module: &mut Module, ids: &[FunctionId], plan: &Plan, first_slot: u64) -> Result<()> {
    let exports: Vec<_> = module.exports.iter().map(walrus::Export::id).collect();
    for export in exports {
        module.exports.delete(export);
    }
    module.start = None;
    let data: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
    for data in data {
        module.data.delete(data);
    }
    let elements: Vec<_> = module.elements.iter().map(walrus::Element::id).collect();
    for element in elements {
        module.elements.delete(element);
    }
    let imports: Vec<_> = module.imports.iter().map(walrus::Import::id).collect();
    for import in imports {
        module.imports.delete(import);
    }

    let memories: Vec<MemoryId> = module.memories.iter().map(walrus::Memory::id).collect();
    let [memory] = memories[..] else { bail!("the engine has {} memories", memories.len()) };
    let import = module.imports.add(CORE, "memory", memory);
    let memory = module.memories.get_mut(memory);
    memory.import = Some(import);
    memory.data_segments.clear();

    let table = module.tables.main_function_table()?.context("the engine has no function table")?;
    let tables: Vec<TableId> = module.tables.iter().map(walrus::Table::id).collect();
    for other in tables {
        module.tables.get_mut(other).elem_segments.clear();
    }
    let import = module.imports.add(CORE, "functions", table);
    let slots = module.tables.get_mut(table);
    (slots.import, slots.maximum) = (Some(import), None);
    let offset = ConstExpr::Value(Value::I32(i32::try_from(first_slot)?));
    let entries = plan.entries.iter().map(|n| ids[*n]).collect();
    let element = module.elements.add(ElementKind::Active { table, offset }, ElementItems::Functions(entries));
    module.tables.get_mut(table).elem_segments.insert(element);

    let globals: Vec<GlobalId> = module.globals.iter().map(walrus::Global::id).collect();
    for (position, global) in globals.into_iter().enumerate() {
        let import = module.imports.add(CORE, &global_name(position), global);
        module.globals.get_mut(global).kind = GlobalKind::Import(import);
    }
    for position in &plan.called {
        let id = ids[*position];
        let ty = module.funcs.get(id).ty();
        let import = module.imports.add(CORE, &function_name(*position), id);
        module.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
    }
    walrus::passes::gc::run(module);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{is_deferred, own_path};

    #[test]
    fn a_function_is_of_the_path_that_its_name_begins_with() {
        let path = |symbol| own_path(symbol).unwrap();
        assert_eq!(
            path("<engine::exec::window::Window as engine::exec::operator::Operator>::next"),
            "engine::exec::window::Window as engine::exec::operator::Operator>::next"
        );
        assert_eq!(
            path("<&mut vcs::merge::Merged as core::fmt::Debug>::fmt"),
            "vcs::merge::Merged as core::fmt::Debug>::fmt"
        );
        assert_eq!(own_path("regex_engine::x"), None);
    }

    #[test]
    fn an_instance_of_a_function_of_a_library_is_not_of_this_project() {
        assert_eq!(own_path("core::ptr::drop_in_place<vcs::merge::Merged>"), None);
        assert_eq!(own_path("<alloc::vec::Vec<vcs::merge::Merged> as core::ops::drop::Drop>::drop"), None);
    }

    #[test]
    fn what_every_statement_needs_is_kept() {
        assert!(is_deferred(Some("engine::statements::ddl::run")));
        assert!(is_deferred(Some("engine::routine::machine::Machine::next")));
        assert!(!is_deferred(Some("engine::routine::trigger::Triggers::of_table")));
        assert!(!is_deferred(Some("engine::statements::ddl_x::run")));
        assert!(!is_deferred(Some("vcs::merge::changed_tables")));
        assert!(!is_deferred(None));
    }
}
