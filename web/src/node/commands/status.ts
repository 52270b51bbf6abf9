import type { Database, Row } from '../../client/index.ts';
import type { Output } from './output.ts';

/** Prints the state of the working set, as `dolt status` does. */
export async function printStatus(database: Database, output: Output): Promise<void> {
  const [branch] = (await database.query('SELECT active_branch() AS name')).rows;
  const { rows } = await database.query('SELECT table_name, staged, status FROM dolt_status');
  const [merge] = (await database.query('SELECT is_merging FROM dolt_merge_status')).rows;
  await output.out(statusText(String(branch?.name), rows, Boolean(Number(merge?.is_merging ?? 0))));
}

interface Section {
  readonly heading: string;
  readonly hints: readonly string[];
  readonly rows: readonly Row[];
}

export function statusText(branch: string, rows: readonly Row[], isMerging: boolean): string {
  let text = `On branch ${branch}\n`;
  const isConflict = (row: Row): boolean => /conflict|violation/.test(String(row.status));
  const isStaged = (row: Row): boolean => Boolean(Number(row.staged));
  const unmerged = rows.filter(isConflict);
  if (unmerged.length > 0) {
    text += 'You have unmerged tables.\n  (fix conflicts and run "dolt commit")\n';
    text += '  (use "dolt merge --abort" to abort the merge)\n\n';
  } else if (isMerging) {
    text +=
      'All conflicts and constraint violations fixed but you are still merging.\n  (use "dolt commit" to conclude merge)\n';
  }
  const isUnmerged = (row: Row): boolean => unmerged.some(({ table_name }) => table_name === row.table_name);
  const unstaged = rows.filter(row => !isUnmerged(row) && !isStaged(row)).flatMap(asUntracked);
  const sections: Section[] = [
    {
      heading: 'Changes to be committed:',
      hints: ['(use "dolt reset <table>..." to unstage)'],
      rows: rows.filter(row => !isConflict(row) && isStaged(row)),
    },
    { heading: 'Unmerged paths:', hints: ['(use "dolt add <table>..." to mark resolution)'], rows: unmerged },
    {
      heading: 'Changes not staged for commit:',
      hints: [
        '(use "dolt add <table>" to update what will be committed)',
        '(use "dolt checkout <table>" to discard changes in working directory)',
      ],
      rows: unstaged.filter(row => row.status !== 'new table'),
    },
    {
      heading: 'Untracked tables:',
      hints: ['(use "dolt add <table>" to include in what will be committed)'],
      rows: unstaged.filter(row => row.status === 'new table').sort(byName),
    },
  ];
  const shown = sections.filter(section => section.rows.length > 0);
  if (shown.length === 0) return `${text}nothing to commit, working tree clean\n`;
  // Dolt sets changes that are not staged apart even when they come first.
  const [start] = shown;
  return `${text}${start?.heading.startsWith('Changes not') ? '\n' : ''}${shown.map(sectionText).join('\n')}`;
}

/** A table with another name is a new one until it is staged. */
function asUntracked(row: Row): Row[] {
  if (row.status !== 'renamed') return [row];
  const [from = '', to = ''] = String(row.table_name).split(' -> ');
  return [
    { ...row, table_name: from, status: 'deleted' },
    { ...row, table_name: to, status: 'new table' },
  ];
}

function byName(one: Row, other: Row): number {
  return String(one.table_name) < String(other.table_name) ? -1 : 1;
}

function sectionText({ heading, hints, rows }: Section): string {
  const lines = rows.map(row => {
    const label = row.status === 'conflict' ? 'both modified' : String(row.status);
    return `\t${`${label}:`.padEnd(18)}${row.table_name}\n`;
  });
  return `${heading}\n${hints.map(hint => `  ${hint}\n`).join('')}${lines.join('')}`;
}
