import { placeName } from '../../schema/load.ts';
import type { Place } from '../../schema/model.ts';
import { generatedColumnsOf } from '../../sql/generated_columns.ts';
import { quoteName } from '../../sql/names.ts';
import { TEMPLATES, type Template, templateOf } from '../../sql/templates.ts';
import type { MenuGroup } from '../../ui/menu.tsx';
import { insertName, nameAt, openTable, runInTab, writeInTab } from '../actions.ts';
import { currentConnection } from '../database/connection.ts';
import { dialog } from '../dialogs.ts';

/** What can be done with a table of the tree: most are statements that one can go on from. */
export function tableMenu(place: Place, table: string, isView: boolean): readonly MenuGroup[] {
  const what = isView ? 'VIEW' : 'TABLE';
  const define = () => runInTab(`${table}: definition`, `SHOW CREATE ${what} ${nameAt(place, table)};`);
  const ofHistory = (title: string, prefix: string, order: string) =>
    runInTab(`${table}: ${title}`, `SELECT * FROM ${nameAt(place, `${prefix}${table}`)}${order} LIMIT 1000;`);
  const rows: MenuGroup = {
    entries: [
      { label: 'Show the rows', icon: 'play', onSelect: () => openTable(place, table) },
      { label: 'Show the definition', icon: 'table', onSelect: define },
      { label: 'Insert the name', icon: 'terminal', onSelect: () => insertName(table) },
    ],
  };
  const written: MenuGroup = {
    heading: 'Write a statement',
    entries: TEMPLATES.filter(template => !isView || template === 'SELECT').map(template => ({
      label: template,
      icon: 'terminal' as const,
      onSelect: () => void write(template, place, table),
    })),
  };
  const history: MenuGroup = {
    heading: 'History',
    entries: [
      {
        label: 'Diff by commit',
        icon: 'compare',
        onSelect: () => ofHistory('changes', 'dolt_diff_', ' ORDER BY to_commit_date DESC'),
      },
      {
        label: 'Blame (last change of each row)',
        icon: 'commit',
        onSelect: () => ofHistory('blame', 'dolt_blame_', ''),
      },
    ],
  };
  const file: MenuGroup = {
    entries: [
      { label: 'Export the rows…', icon: 'download', onSelect: () => (dialog.value = { kind: 'export', table }) },
    ],
  };
  const isHere = currentConnection()?.catalog.place.peek().branch === place.branch;
  return [rows, written, ...(isView ? [] : [history]), ...(isHere ? [file] : [])];
}

/** Nothing runs yet: a person looks at it, and fills it in. */
async function write(template: Template, place: Place, table: string): Promise<void> {
  const connection = currentConnection();
  const tables = connection?.catalog.tables(place).peek();
  const node = tables?.kind === 'ready' ? tables.value.find(({ name }) => name === table) : undefined;
  if (connection === undefined || node === undefined) return;
  const full = `${placeName(place)}.${quoteName(table)}`;
  const [generated] = await Promise.all([
    generatedColumnsOf(connection.database, full),
    connection.catalog.readColumns(place, node),
  ]);
  const columns = node.columns.peek();
  if (columns?.kind === 'ready') writeInTab(templateOf(template, nameAt(place, table), columns.value, generated));
}
