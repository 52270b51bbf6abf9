//! Tables, schemas, counts, conflicts and diffs of every fixture.

mod common;

use std::collections::BTreeMap;

use common::{databases, flag, row, rows};
use serde_json::Value;
use vcs::{
    Comparable, DeltaKind, DiffHistory, Head, RootDelta, RootValue, StatWalk, Table, TableDelta, TableHistory,
    TableStat, is_system_table,
};

const DATABASES: &[&str] = &["a_", "b_", "c_", "d_", "e_", "f_", "g_", "h_", "i_"];

/// The tables that SHOW TABLES lists, views left out.
fn user_tables(root: &RootValue) -> BTreeMap<String, Table> {
    let tables = root.tables().map(|entry| entry.unwrap()).filter(|(name, _)| !is_system_table(name));
    tables.map(|(name, address)| (name.into(), root.objects().table(&address).unwrap())).collect()
}

/// Names, columns and counts of `root` are those that the oracle lists.
fn check_tables(root: &RootValue, oracle: &Value, at: &str) {
    let oracle = oracle.as_object().unwrap();
    let tables = user_tables(root);
    let mut names: Vec<&String> = oracle.keys().collect();
    names.sort();
    assert_eq!(tables.keys().collect::<Vec<_>>(), names, "{at}");
    for (name, table) in &tables {
        let at = format!("{at} {name}");
        let columns: Vec<&str> =
            table.schema().columns.iter().filter(|column| !column.is_hidden).map(|column| &*column.name).collect();
        assert_eq!(serde_json::json!(columns), oracle[name]["columns"], "{at}");
        assert_eq!(table.row_count().unwrap(), oracle[name]["count"].as_u64().unwrap(), "{at}");
        if let Some(key) = oracle[name].get("primary_key") {
            let own: Vec<&str> =
                table.schema().primary_key.iter().map(|at| &*table.schema().columns[*at].name).collect();
            assert_eq!(serde_json::json!(own), *key, "{at}");
        }
        let upper = root.table(&name.to_ascii_uppercase()).unwrap();
        assert_eq!(upper.map(|table| table.address()), Some(table.address()), "{at}");
    }
}

#[test]
fn tables_columns_and_counts_of_every_branch() {
    let mut checked = 0;
    for opened in databases("tables", DATABASES) {
        let refs = opened.database.refs().unwrap();
        for (branch, oracle) in opened.oracle["per_branch"].as_object().unwrap() {
            let at = format!("{} {} {branch}", opened.fixture, opened.name);
            let head = Head::Branch(branch.as_str().into());
            check_tables(&refs.named_root("WORKING", &head).unwrap().root, &oracle["tables"], &at);
            for older in oracle["as_of"].as_array().into_iter().flatten() {
                let commit = older["commit"].as_str().unwrap();
                let root = refs.named_root(commit, &head).unwrap().root;
                check_tables(&root, &older["tables"], &format!("{at} as of {commit}"));
                checked += 1;
            }
        }
    }
    println!("{checked} older commits checked");
}

#[test]
fn rows_and_index_entries_lie_in_the_order_of_their_keys() {
    let weights = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../value/weights/collations.bin")).unwrap();
    value::Collation::install(weights).unwrap();
    for opened in databases("indexes", DATABASES) {
        let refs = opened.database.refs().unwrap();
        let working = refs.named_root("WORKING", &Head::Branch("main".into())).unwrap().root;
        for (name, table) in user_tables(&working) {
            let at = format!("{} {name}", opened.fixture);
            check_order(&table.rows(), &at);
            for index in table.schema().indexes.iter().filter(|index| index.is_ordered() || index.is_spatial) {
                let entries = table.index(index).unwrap();
                assert_eq!(entries.count(), table.rows().count(), "{at} {}", index.name);
                check_order(&entries, &format!("{at} {}", index.name));
            }
        }
    }
}

/// The order that a map's descriptor gives is the one in which its rows lie.
fn check_order(map: &tree::Map, at: &str) {
    let (mut cursor, mut previous) = (map.first().unwrap(), None::<Vec<u8>>);
    while cursor.is_at_row() {
        if let Some(previous) = &previous {
            assert!(map.key.compare(&map.nodes, previous, cursor.key()).unwrap().is_lt(), "{at}");
        }
        previous = Some(cursor.key().to_vec());
        if !cursor.advance().unwrap() {
            break;
        }
    }
}

#[test]
fn conflicts_and_violations() {
    for opened in databases("conflicts", DATABASES) {
        let refs = opened.database.refs().unwrap();
        for (branch, oracle) in opened.oracle["per_branch"].as_object().unwrap() {
            let set = refs.working_set(branch).unwrap();
            let root = refs.objects().root_value(&set.working).unwrap();
            let unmergable = set.merge.map(|merge| merge.unmergable_tables).unwrap_or_default();
            let (mut conflicts, mut violations) = (Vec::new(), Vec::new());
            for (name, table) in user_tables(&root) {
                let counts = table.artifact_counts().unwrap();
                if counts.conflicts > 0 || unmergable.iter().any(|table| **table == *name) {
                    conflicts.push(row([&name, &counts.conflicts.to_string()]));
                }
                if counts.violations > 0 {
                    violations.push(row([&name, &counts.violations.to_string()]));
                }
            }
            assert_eq!(conflicts, rows(&oracle["conflicts"]), "{} {branch}", opened.fixture);
            assert_eq!(violations, rows(&oracle["constraint_violations"]), "{} {branch}", opened.fixture);
            let mut schema_conflicts: Vec<_> =
                rows(&oracle["schema_conflicts"]).into_iter().map(|row| row[0].clone().unwrap()).collect();
            schema_conflicts.dedup();
            assert_eq!(serde_json::json!(schema_conflicts), serde_json::json!(unmergable));
        }
    }
}

#[test]
fn the_last_commits_changes() {
    for opened in databases("last", DATABASES) {
        let refs = opened.database.refs().unwrap();
        for (branch, oracle) in opened.oracle["per_branch"].as_object().unwrap() {
            if oracle["diff_head_parent"]["summary"].get("rows").is_none() {
                continue;
            }
            let head = refs.branch_head(branch).unwrap();
            let delta = RootDelta::of_commit(refs.objects(), &head).unwrap().unwrap();
            let mut summary: Vec<_> = delta
                .tables
                .iter()
                .filter(|delta| !delta.primary_key_changed())
                .map(|delta| {
                    let side = |side: &Option<vcs::NamedTable>| side.as_ref().map_or("", |side| &side.name).to_owned();
                    let kind = match delta.kind() {
                        DeltaKind::Added => "added",
                        DeltaKind::Dropped => "dropped",
                        DeltaKind::Renamed => "renamed",
                        DeltaKind::Modified => "modified",
                    };
                    let (data, schema) = (flag(delta.data_changed()), flag(delta.schema_changed()));
                    row([&side(&delta.from), &side(&delta.to), kind, data, schema])
                })
                .collect();
            summary.sort();
            let mut wanted = rows(&oracle["diff_head_parent"]["summary"]);
            wanted.sort();
            assert_eq!(summary, wanted, "{} {branch}", opened.fixture);
        }
    }
}

/// The row that `dolt_diff_stat` answers, in the oracle's columns; `None` for a table without changed rows.
fn stat_row(delta: &TableDelta) -> Option<Vec<Option<String>>> {
    if delta.primary_key_changed() {
        let zeros = row(["0"; 9]);
        return Some([row([delta.name()]), zeros].concat());
    }
    let [from, to] = [&delta.from, &delta.to].map(|side| side.as_ref().map(|side| &side.table));
    let stat: TableStat = StatWalk::new(from, to).unwrap().step(usize::MAX).unwrap().unwrap();
    let number = |number: u64| Some(number.to_string());
    let keyed = |number: Option<u64>| number.map(|number| number.to_string());
    let cells = stat.cells_added_and_removed();
    let of_keyed = |value: u64| keyed(stat.keyed.map(|_| value));
    (!stat.is_empty()).then(|| {
        vec![
            Some(delta.name().to_owned()),
            keyed(stat.rows_unmodified()),
            number(stat.rows_added),
            number(stat.rows_removed),
            of_keyed(stat.rows_modified),
            keyed(cells.map(|(added, _)| added)),
            keyed(cells.map(|(_, removed)| removed)),
            of_keyed(stat.cells_modified),
            keyed(stat.keyed.map(|keyed| keyed.old_rows)),
            keyed(stat.keyed.map(|keyed| keyed.new_rows)),
        ]
    })
}

#[test]
fn rows_and_cells_that_the_last_commit_changed() {
    for opened in databases("stat", DATABASES) {
        let refs = opened.database.refs().unwrap();
        for (branch, oracle) in opened.oracle["per_branch"].as_object().unwrap() {
            let stat = &oracle["diff_head_parent"]["stat"];
            if stat.get("rows").is_none() {
                continue;
            }
            let head = refs.branch_head(branch).unwrap();
            let delta = RootDelta::of_commit(refs.objects(), &head).unwrap().unwrap();
            let mut stats: Vec<_> = delta.tables.iter().filter_map(stat_row).collect();
            stats.sort();
            let mut wanted = rows(stat);
            wanted.sort();
            assert_eq!(stats, wanted, "{} {branch}", opened.fixture);
        }
    }
}

/// Changed rows by kind over all of a table's history, as `select diff_type, count(*) from dolt_diff_<table>` counts them.
fn diff_counts(history: DiffHistory) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for pair in history {
        let pair = pair.unwrap();
        let comparable = pair.comparable().unwrap();
        if comparable == Comparable::Not {
            break;
        }
        for change in pair.rows().unwrap() {
            let change = change.unwrap();
            *counts.entry(change.kind.text()).or_insert(0) += change.times;
        }
        if comparable == Comparable::Roughly {
            break;
        }
    }
    counts
}

#[test]
fn changes_of_every_table_through_history() {
    for opened in databases("diffs", DATABASES) {
        let refs = opened.database.refs().unwrap();
        for (branch, oracle) in opened.oracle["per_branch"].as_object().unwrap() {
            let head = refs.branch_head(branch).unwrap();
            let working = refs.named_root("WORKING", &Head::Branch(branch.as_str().into())).unwrap().root;
            for (table, oracle) in oracle["diff_history"].as_object().into_iter().flatten() {
                let address = working.find_table(table).unwrap().map(|(_, address)| address);
                let counts = diff_counts(DiffHistory::new(refs.objects(), table, &head, address));
                let mut wanted: BTreeMap<&str, u64> = BTreeMap::new();
                for entry in oracle.as_array().unwrap() {
                    wanted.insert(entry[0].as_str().unwrap(), entry[1].as_str().unwrap().parse().unwrap());
                }
                assert_eq!(counts, wanted, "{} {branch} {table}", opened.fixture);
            }
        }
    }
}

#[test]
fn a_tables_history_has_its_versions() {
    for opened in databases("history", &["d_"]) {
        let refs = opened.database.refs().unwrap();
        let commits = refs.objects().walk(&[refs.branch("main").unwrap().unwrap()]);
        let versions: Vec<_> =
            TableHistory::new(refs.objects(), "reviews", commits).map(|entry| entry.unwrap()).collect();
        assert!(versions.len() > 10 && versions.len() < 199);
        for oracle in opened.oracle["per_branch"]["main"]["as_of"].as_array().unwrap() {
            let version = versions.iter().find(|(commit, _)| commit.address.to_string() == oracle["commit"]);
            let count = version.map(|(_, table)| table.row_count().unwrap());
            assert_eq!(count, oracle["tables"].get("reviews").map(|table| table["count"].as_u64().unwrap()));
        }
    }
}
