/** The tables of version control and their columns, as far as they are typed by hand. Pure. */
import type { ColumnName, TableNames } from './scope.ts';

const COMMIT = 'commit_hash text, committer text, email text, date datetime(3), message text';
const AUTHOR = 'author text, author_email text, author_date datetime(3)';

const DEFINITIONS: Readonly<Record<string, string>> = {
  dolt_log: `${COMMIT}, commit_order bigint unsigned, parents text, refs text, signature text, ${AUTHOR}`,
  dolt_branches: `name text, hash text, latest_committer text, latest_committer_email text, latest_commit_date datetime(3),
    latest_commit_message text, remote text, branch text, dirty tinyint(1), latest_author text, latest_author_email text,
    latest_author_date datetime(3)`,
  dolt_tags: 'tag_name text, tag_hash text, tagger text, email text, date datetime(3), message text',
  dolt_status: 'table_name text, staged tinyint(1), status text',
  dolt_diff: `commit_hash text, table_name text, committer text, email text, date datetime(6), message text,
    data_change tinyint(1), schema_change tinyint(1), author text, author_email text, author_date datetime(6)`,
  dolt_commits: `${COMMIT}, ${AUTHOR}`,
  dolt_commit_ancestors: 'commit_hash text, parent_hash text, parent_index int',
  dolt_remotes: 'name text, url text, fetch_specs json, params json',
};

function columnsOf(definition: string): readonly ColumnName[] {
  return definition.split(/,\s+/).map(column => {
    const [name = '', ...type] = column.split(' ');
    return { name, type: type.join(' ') };
  });
}

const FIXED: readonly TableNames[] = Object.entries(DEFINITIONS).map(([name, definition]) => ({
  name,
  isView: false,
  columns: columnsOf(definition),
}));

const COMMIT_OF_HISTORY = columnsOf('commit_hash text, committer text, commit_date datetime(3)');
const DIFF_TYPE = columnsOf('diff_type text');

/** Those that every database has, and for each table its changes and its history. */
export function systemTables(tables: readonly TableNames[]): readonly TableNames[] {
  const changes = tables.filter(({ isView }) => !isView);
  return [
    ...FIXED,
    ...changes.map(({ name, columns }) => ({
      name: `dolt_diff_${name}`,
      isView: false,
      columns: [...sideOf('to', columns), ...sideOf('from', columns), ...DIFF_TYPE],
    })),
    ...changes.map(({ name, columns }) => ({
      name: `dolt_history_${name}`,
      isView: false,
      columns: [...columns, ...COMMIT_OF_HISTORY],
    })),
  ];
}

function sideOf(side: 'to' | 'from', columns: readonly ColumnName[]): readonly ColumnName[] {
  const commit = columnsOf(`${side}_commit text, ${side}_commit_date datetime(6)`);
  return [...columns.map(({ name, type }) => ({ name: `${side}_${name}`, type })), ...commit];
}
