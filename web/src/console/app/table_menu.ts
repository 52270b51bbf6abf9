import type { Place } from '../schema/model.ts';
import type { MenuGroup } from '../ui/menu.tsx';
import { insertName, nameAt, openTable, runInTab } from './actions.ts';

/** What can be done with a table of the tree: each is a query that one can go on from. */
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
  if (isView) return [rows];
  const history: MenuGroup = {
    heading: 'History',
    entries: [
      {
        label: 'What changed, by commit',
        icon: 'compare',
        onSelect: () => ofHistory('changes', 'dolt_diff_', ' ORDER BY to_commit_date DESC'),
      },
      { label: 'Who last changed each row', icon: 'commit', onSelect: () => ofHistory('blame', 'dolt_blame_', '') },
    ],
  };
  return [rows, history];
}
