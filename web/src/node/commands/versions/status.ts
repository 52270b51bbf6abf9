/** `varve status`: uncommitted changes, conflicts, an open merge. */
import type { Database, Row } from '../../../client/index.ts';
import { paint } from '../../render/color.ts';
import type { Output } from '../output.ts';

/** Prints the state of the working set, as `dolt status` does; with the tables that dolt_ignore names, if they are wanted. */
export async function printStatus(
  database: Database,
  output: Output,
  { withIgnored = false, useColor = false } = {},
): Promise<void> {
  const [branch] = (await database.query('SELECT active_branch() AS name')).rows;
  const { rows } = await database.query('SELECT table_name, staged, status FROM dolt_status');
  const ignored = withIgnored ? 'SELECT table_name, status FROM dolt_status_ignored WHERE ignored' : null;
  const ignoredRows = ignored === null ? [] : (await database.query(ignored)).rows;
  const [merge] = (await database.query('SELECT is_merging FROM dolt_merge_status')).rows;
  const isMerging = Boolean(Number(merge?.is_merging ?? 0));
  await output.out(statusText(String(branch?.name), rows, isMerging, ignoredRows, useColor));
}

const TO_BE_COMMITTED = 'Changes to be committed:';

interface Section {
  readonly heading: string;
  readonly hints: readonly string[];
  readonly rows: readonly Row[];
}

export function statusText(
  branch: string,
  rows: readonly Row[],
  isMerging: boolean,
  ignored: readonly Row[] = [],
  useColor = false,
): string {
  let text = `On branch ${branch}\n`;
  const isOf = (status: string) => (row: Row) => row.status === status;
  const isConflict = (row: Row): boolean => /conflict|violation/.test(String(row.status));
  const isStaged = (row: Row): boolean => Boolean(Number(row.staged));
  const ofSchemas = rows.filter(isOf('schema conflict'));
  // Dolt counts the rows of those, too.
  const ofRows = rows.filter(isConflict).filter(row => !isOf('constraint violation')(row));
  const conflicts: Row[] = [...ofSchemas, ...ofRows.map(row => ({ ...row, status: 'conflict' }))];
  const violations = rows.filter(isOf('constraint violation'));
  const hasConflict = (row: Row): boolean => conflicts.some(({ table_name }) => table_name === row.table_name);
  const unmerged = [...conflicts, ...violations.filter(row => !hasConflict(row))];
  if (isMerging && unmerged.length > 0) {
    const kinds = [conflicts.length > 0 && 'conflicts', violations.length > 0 && 'constraint violations'];
    text += `You have unmerged tables.\n  (fix ${kinds.filter(Boolean).join(' and ')} and run "dolt commit")\n`;
    text += '  (use "dolt merge --abort" to abort the merge)\n\n';
  } else if (isMerging) {
    text +=
      'All conflicts and constraint violations fixed but you are still merging.\n  (use "dolt commit" to conclude merge)\n';
  }
  const isUnmerged = (row: Row): boolean => unmerged.some(({ table_name }) => table_name === row.table_name);
  const unstaged = rows.filter(row => !isUnmerged(row) && !isStaged(row)).flatMap(asUntracked);
  const sections: Section[] = [
    {
      heading: TO_BE_COMMITTED,
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
    {
      heading: 'Ignored tables:',
      hints: ['(use "dolt add -f <table>" to include in what will be committed)'],
      rows: ignored,
    },
  ];
  const shown = sections.filter(section => section.rows.length > 0);
  if (shown.length === 0) return `${text}nothing to commit, working tree clean\n`;
  // Dolt sets changes that are not staged apart even when they come first, and what is unmerged never.
  const isApart = ({ heading }: Section, at: number): boolean =>
    heading.startsWith('Changes not') || (at > 0 && !heading.startsWith('Unmerged'));
  return (
    text + shown.map((section, at) => (isApart(section, at) ? '\n' : '') + sectionText(section, useColor)).join('')
  );
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

/** Where Dolt says something else than the status. */
const LABELS: Readonly<Record<string, string>> = {
  conflict: 'both modified:',
  'constraint violation': 'modified',
};

function sectionText({ heading, hints, rows }: Section, useColor: boolean): string {
  const color = heading === TO_BE_COMMITTED ? 'green' : 'red';
  const lines = rows.map(row => {
    const label = LABELS[String(row.status)] ?? `${row.status}:`;
    return `${paint(`\t${label.padEnd(18)}${row.table_name}`, color, useColor)}\n`;
  });
  return `${heading}\n${hints.map(hint => `  ${hint}\n`).join('')}${lines.join('')}`;
}
