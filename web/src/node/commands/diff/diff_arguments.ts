/** What the words behind `varve diff` and `varve show` ask for. */
import type { Database } from '../../../client/index.ts';
import { mergeBaseOf } from '../call.ts';
import { UsageError } from '../output.ts';
import { CHANGE_KINDS, type ChangeKind, type DiffRequest } from './diff.ts';
import { DIFF_MODES, type DiffMode } from './diff_table.ts';

const FORMS: Readonly<Record<string, DiffRequest['form']>> = {
  '--schema': 'schema',
  '-s': 'schema',
  '--data': 'data',
  '-d': 'data',
  '--stat': 'stat',
  '--summary': 'summary',
  '--name-only': 'names',
};

/** The output format, and the words that are no options. */
interface DiffOptions extends Omit<DiffRequest, 'from' | 'to' | 'tables' | 'useColor'> {
  readonly words: readonly string[];
  readonly isStaged: boolean;
  readonly isReverse: boolean;
  /** From where the two parted. */
  readonly isOfMergeBase: boolean;
}

/** @throws UsageError for an option that there is not, or a value that it does not take. */
export function diffOptions(args: readonly string[], command: string): DiffOptions {
  const options = {
    words: [] as string[],
    form: 'rows' as DiffRequest['form'],
    result: 'tabular' as DiffRequest['result'],
    limit: null as number | null,
    where: null as string | null,
    mode: 'context' as DiffMode,
    only: null as ChangeKind | null,
    isStaged: false,
    isSkinny: false,
    included: [] as string[],
    withSystem: false,
    isReverse: false,
    isOfMergeBase: false,
  };
  const rest = args.flatMap(withValueApart);
  for (let index = 0; index < rest.length; index++) {
    const argument = rest[index] as string;
    const known = FORMS[argument];
    if (known !== undefined) options.form = togetherOf(options.form, known, command);
    else if (/^(--staged|--cached|-c)$/.test(argument)) options.isStaged = true;
    else if (argument === '--skinny' || argument === '-sk') options.isSkinny = true;
    else if (argument === '--include-cols' || argument === '-ic') {
      // As many words as there are before the next option.
      while (rest[index + 1] !== undefined && !rest[index + 1]?.startsWith('-'))
        options.included.push(rest[++index] as string);
    } else if (argument.startsWith('--include-cols=')) options.included.push(argument.slice('--include-cols='.length));
    else if (argument === '--system') options.withSystem = true;
    else if (argument === '--') options.words.push(...rest.splice(index + 1));
    else if (argument === '--reverse' || argument === '-R') options.isReverse = true;
    else if (argument === '--merge-base') options.isOfMergeBase = true;
    else if (argument === '--limit') options.limit = countOf(rest[++index]);
    else if (argument === '--where') options.where = rest[++index] ?? null;
    else if (argument === '--filter') options.only = kindOf(rest[++index]);
    else if (argument === '--diff-mode') options.mode = modeOf(rest[++index]);
    else if (argument === '-r' || argument === '--result-format') options.result = resultForm(rest[++index]);
    else if (argument.startsWith('-')) throw new UsageError(`${command} knows no ${argument}`);
    else options.words.push(argument);
  }
  if (options.result === 'sql' && options.form === 'stat')
    throw new UsageError(`${command} -r sql tells of definitions and rows, not --stat`);
  return options;
}

/** What two of them ask for: definitions and rows are everything, and counts more than a summary. */
function togetherOf(one: DiffRequest['form'], other: DiffRequest['form'], command: string): DiffRequest['form'] {
  const [first, second] = [one, other].sort();
  if (first === 'data' && second === 'schema') return 'rows';
  if (first === 'stat' && second === 'summary') return 'stat';
  if (/stat|summary/.test(`${one} ${other}`) && /schema|data/.test(`${one} ${other}`))
    throw new UsageError(`${command} takes --stat and --summary or --schema and --data, not both`);
  return other;
}

/** `--filter=added` is `--filter added`; what takes several words stays together with its one. */
function withValueApart(argument: string): string[] {
  const [, option, value] = /^(--(?!include-cols)[a-z-]+)=(.*)$/s.exec(argument) ?? [];
  return option === undefined || value === undefined ? [argument] : [option, value];
}

/**
 * No commit: what is not staged. One: from there to the working set. Two, or `a..b`: between them; `a...b`: from where they
 * parted. Then tables.
 */
export async function diffRequest(
  database: Database,
  args: readonly string[],
  useColor: boolean,
): Promise<DiffRequest> {
  const { words, isStaged, isReverse, isOfMergeBase, ...told } = diffOptions(args, 'diff');
  const tables = [...words];
  const refs: string[] = [];
  for (let word = tables[0]; word !== undefined && refs.length < 2 && (await isRef(database, word)); word = tables[0]) {
    refs.push(...(await refsOf(database, word)));
    tables.shift();
  }
  const [first, to] = refs;
  if (isOfMergeBase && first === undefined) throw new UsageError('diff --merge-base takes at least one COMMIT');
  const from = isOfMergeBase && first !== undefined ? await mergeBaseOf(database, first, to ?? 'HEAD') : first;
  const sides = isStaged ? [from ?? 'HEAD', 'STAGED'] : [from ?? 'STAGED', to ?? 'WORKING'];
  if (isReverse) sides.reverse();
  return { ...told, from: sides[0] as string, to: sides[1] as string, tables, useColor };
}

function countOf(word: string | undefined): number {
  const count = Number(word);
  if (!Number.isInteger(count) || count < 0) throw new UsageError('--limit takes a number');
  return count;
}

function kindOf(word: string | undefined): ChangeKind {
  const kind = CHANGE_KINDS.find(known => known === (word === 'removed' ? 'dropped' : word));
  if (kind === undefined) throw new UsageError(`--filter takes ${CHANGE_KINDS.join(', ')}`);
  return kind;
}

function modeOf(word: string | undefined): DiffMode {
  const mode = DIFF_MODES.find(known => known === word?.toLowerCase());
  if (mode === undefined) throw new UsageError(`--diff-mode takes ${DIFF_MODES.join(', ')}`);
  return mode;
}

function resultForm(word: string | undefined): DiffRequest['result'] {
  if (word === 'tabular' || word === 'sql' || word === 'json') return word;
  throw new UsageError(`there is no form ${word}: tabular, sql or json`);
}

/** Before two dots what is staged may be left out, before three HEAD, and behind them what is not committed. */
async function refsOf(database: Database, word: string): Promise<string[]> {
  const [one = '', other] = word.split('...');
  if (other !== undefined) return [await mergeBaseOf(database, one || 'HEAD', other || 'HEAD'), other || 'WORKING'];
  const [from = '', to] = word.split('..');
  return to === undefined ? [word] : [from || 'STAGED', to || 'WORKING'];
}

async function isRef(database: Database, word: string): Promise<boolean> {
  if (word === 'WORKING' || word === 'STAGED') return true;
  const [first = ''] = word.split('..');
  return database.query('SELECT dolt_hashof(?) AS hash', [first || 'HEAD']).then(
    ({ rows }) => Boolean(rows[0]?.hash),
    () => false,
  );
}
