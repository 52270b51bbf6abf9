//! Row work of definitions: rewrites tables under another schema, builds indexes, tests conditions.

use std::rc::Rc;

use value::Value;
use vcs::{Schema, SchemaBuilder, Table, TableDraft};

use super::full_text;
use super::pause::pause;
use super::work::Work;
use crate::catalog::BaseTable;
use crate::error::{Result, SqlError};
use crate::system_tables::relation::row_reader::ScannedRows;
use crate::write::branch_lists::{self, is_branch_list};
use crate::write::{
    DISTANCES_LIKE_A_ROW, EDIT_BYTES_MAX, Entry, IndexEditor, MergePoint, Row, RowCodec, RowRules, TableEditor,
};

impl Work<'_> {
    /// The rules of a version of a table: its generated columns, defaults and checks.
    fn rules(&self, name: &str, table: &Table) -> Result<RowRules> {
        let base = BaseTable::new(self.place.name.clone(), name.into(), table.clone());
        RowRules::new(&base, &self.context, false)
    }

    /// Calls `each` with every row of a table in the order of its key, its virtual columns computed, as often as it is there. `each` tells
    /// for how many simple rows its work would do.
    pub async fn each_row(
        &self,
        name: &str,
        table: &Table,
        mut each: impl FnMut(Row, &Entry) -> Result<usize>,
    ) -> Result<()> {
        let rules = self.rules(name, table)?;
        let computes = table.schema().columns.iter().any(vcs::Column::is_virtual);
        self.each_stored(table, |mut row, entry| {
            if computes {
                rules.generate(&mut row, &self.context)?;
            }
            each(row, entry)
        })
        .await
    }

    /// As [`Work::each_row`], with virtual columns NULL.
    pub async fn each_stored(&self, table: &Table, mut each: impl FnMut(Row, &Entry) -> Result<usize>) -> Result<()> {
        let schema = table.schema();
        let codec = RowCodec::new(schema, table.objects().nodes());
        for item in ScannedRows::new(table, None, None)? {
            let item = item?;
            let entry = Entry { key: item.key().to_vec(), value: item.value().to_vec() };
            let copies = if schema.is_keyless() { vcs::cardinality(&entry.value)? } else { 1 };
            let row = codec.decode(&entry)?;
            for _ in 1..copies {
                pause(&self.context, each(row.clone(), &entry)?).await;
            }
            pause(&self.context, each(row, &entry)?).await;
        }
        Ok(())
    }

    /// The table under another schema. `convert` makes its rows of those that there are; generated columns follow.
    ///
    /// # Errors
    /// Values that do not fit, NULL where it may not be, duplicates in keys.
    pub async fn rewrite(
        &self,
        name: &str,
        table: &Table,
        schema: &SchemaBuilder,
        mut convert: impl FnMut(&Row, &RowRules) -> Result<Row>,
    ) -> Result<Table> {
        let written = Schema::create(self.root.objects(), &schema.message())?;
        let empty = TableDraft::new(self.root.objects(), written)?.write()?;
        let rules = self.rules(name, &empty)?;
        let mut editor = TableEditor::new(empty.clone())?;
        self.each_row(name, table, |row, _| {
            let mut row = convert(&row, &rules)?;
            rules.generate(&mut row, &self.context)?;
            rules.check_nulls(&mut row, &self.context)?;
            let entry = editor.encode(&row)?;
            if let Some(duplicate) = editor.duplicate(&row, &entry, None)? {
                return Err(editor.duplicate_error(&duplicate, &row));
            }
            editor.insert(&row, &entry)?;
            Ok(1 + editor.merge_step(MergePoint::Between)?)
        })
        .await?;
        while !editor.finish_step(&self.context)? {
            pause(&self.context, 0).await;
        }
        let rewritten = editor.finish()?.unwrap_or(empty);
        // The number of AUTO_INCREMENT stays, too. Trees of indexes that are gone stay in the table, as native Dolt leaves them.
        let mut draft = table.draft();
        draft.rows = rewritten.draft().rows;
        draft.schema = rewritten.schema().clone();
        for index in &rewritten.schema().indexes {
            draft.set_index(&index.name, rewritten.index_root(index)?.address());
        }
        Ok(draft.write()?)
    }

    /// The next AUTO_INCREMENT value of a table that was written anew: what failed statements took is given again, what is on
    /// other branches is not.
    pub fn number_after_rewrite(&self, name: &str, table: &Table) -> Result<Option<u64>> {
        let counters = &self.place.attached.counters;
        counters.forget(name);
        Ok(Some(counters.next(&self.place.refs, name, table.auto_increment())?).filter(|next| *next > 1))
    }

    /// The table under another schema that keeps its rows as they lie. Indexes that are new, by name, are empty, and
    /// [`Work::build_indexes`] is next; others keep their trees.
    pub fn with_schema(&self, table: &Table, schema: &SchemaBuilder) -> Result<Table> {
        let written = Schema::create(self.root.objects(), &schema.message())?;
        let before = table.schema();
        let mut draft = table.draft();
        let empty = TableDraft::new(self.root.objects(), written.clone())?.write()?;
        for index in &before.indexes {
            if written.index(&index.name).is_none() {
                draft.index_roots.insert(index.name.clone(), None);
            }
        }
        draft.schema = written.clone();
        for index in written.indexes.iter().filter(|index| before.index(&index.name).is_none()) {
            draft.set_index(&index.name, empty.index_root(index)?.address());
        }
        Ok(draft.write()?)
    }

    /// The table with entries in those of its indexes that `before` does not have.
    ///
    /// # Errors
    /// Duplicates in a unique index.
    pub async fn build_indexes(&mut self, name: &str, table: &Table, before: &Schema) -> Result<Table> {
        let mut draft = table.draft();
        for (at, index) in table.schema().indexes.iter().enumerate() {
            if before.index(&index.name).is_some() {
                continue;
            }
            if index.is_unique && table.schema().columns.iter().any(|column| column.is_auto_increment) {
                // Native Dolt writes the whole table for it.
                draft.auto_increment = self.number_after_rewrite(name, table)?;
            }
            if table.rows_root().tree_count() == 0 {
                continue;
            }
            let root = match &index.fulltext {
                Some(_) => {
                    full_text::fill(self, table, at).await?;
                    self.full_text_entries(name, table, index).await?
                }
                None => self.build_index(name, table, index).await?,
            };
            draft.set_index(&index.name, root);
        }
        Ok(draft.write()?)
    }

    async fn build_index(&self, name: &str, table: &Table, index: &vcs::Index) -> Result<codec::Address> {
        let mut editor = IndexEditor::new(table, index, EDIT_BYTES_MAX)?;
        let mut vectors = Vec::new();
        self.each_row(name, table, |row, entry| {
            let key = editor.key_of(&row, entry)?;
            if index.vector.is_some() {
                vectors.push(key.into());
                return Ok(1);
            }
            if index.is_unique && !editor.has_null(&key) && editor.duplicate(&key, None)?.is_some() {
                let text = |at: &usize| match &row[*at] {
                    Value::Null => "NULL".to_owned(),
                    value => value::convert::to_string(value).unwrap_or_default().into_owned(),
                };
                let values: Vec<String> = index.columns.iter().map(text).collect();
                return Err(SqlError::new(1062, format!("duplicate unique key given: [{}]", values.join(","))));
            }
            editor.put(&key)?;
            Ok(1 + editor.entries.merge_step(MergePoint::Between)?)
        })
        .await?;
        loop {
            let merged = editor.entries.merge_step(MergePoint::End)?;
            if merged == 0 {
                break;
            }
            pause(&self.context, merged).await;
        }
        let map = editor.entries.finish()?;
        if index.vector.is_none() {
            return Ok(map.put_root()?);
        }
        let mut build = map.build_vector_index(vectors)?;
        loop {
            if let Some(root) = build.step(DISTANCES_LIKE_A_ROW, &mut &*map.nodes)? {
                return Ok(tree::Map { root, ..map.clone() }.put_root()?);
            }
            pause(&self.context, 1).await;
        }
    }

    /// Whether all rows meet a condition that is named.
    pub async fn test_rows(&self, name: &str, table: &Table, check: &str, condition: &crate::expr::Expr) -> Result<()> {
        self.each_row(name, table, |row, _| {
            let value = crate::write::eval_over(condition, &row, &self.context)?;
            match value::truth(&value) {
                Some(false) => Err(SqlError::general(format!("Check constraint \"{check}\" violated"))),
                _ => Ok(1),
            }
        })
        .await
    }

    /// Whether all rows of a table have what a foreign key of it refers to.
    pub async fn test_references(&self, name: &str, table: &Table, key: &vcs::ForeignKey) -> Result<()> {
        let parent = match key.parent_table.eq_ignore_ascii_case(name) {
            true => table.clone(),
            false if is_branch_list(&key.parent_table) => {
                branch_lists::table(self.session.catalog(), &self.place, &self.root, &key.parent_table)?
            }
            false => {
                let found = self.place.names().find_table(&self.root, &key.parent_table)?;
                let (_, address) = found.ok_or_else(|| SqlError::table_not_found(&key.parent_table))?;
                self.root.objects().table(&address)?
            }
        };
        let schema: &Rc<Schema> = table.schema();
        let Some(reference) = crate::write::Reference::new(key, schema, parent.schema()) else { return Ok(()) };
        if table.rows_root().tree_count() == 0 {
            return Ok(());
        }
        let parents = TableEditor::new(parent)?;
        self.each_row(name, table, |row, _| match reference.child_values(&row) {
            Some(values) if !reference.parent_lookup.finds(&parents, &values)? => Err(reference.no_parent(&values)),
            _ => Ok(1),
        })
        .await
    }
}
