/** What the command line says of itself: all commands, or one. */

interface CommandUsage {
  readonly name: string;
  /** Behind the name; one line for each way to call it. */
  readonly args: readonly string[];
  readonly what: string;
}

interface Chapter {
  readonly title: string;
  readonly commands: readonly CommandUsage[];
}

const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Ask and change',
    commands: [
      {
        name: 'sql',
        args: [
          'SOURCE [-q SQL | -f FILE] [-r FORM] [-c]',
          'SOURCE -q SQL -s NAME [-m DESCRIPTION]',
          'SOURCE -x NAME',
          'SOURCE -l',
        ],
        what:
          'run SQL: given, of a file, piped, or typed into a shell (-c goes on after errors); keep a query under a name (-s), ' +
          'run it (-x), list those that are kept (-l)',
      },
      { name: 'tables', args: ['SOURCE'], what: 'tables and their numbers of rows' },
      {
        name: 'init',
        args: ['DIRECTORY [--name NAME --email EMAIL] [--date DATE] [-b BRANCH]'],
        what: 'make a database; its first commit is by NAME, or by the user of the settings',
      },
    ],
  },
  {
    title: "Versions, with Dolt's arguments",
    commands: [
      { name: 'status', args: ['SOURCE'], what: 'what differs from the last commit' },
      { name: 'add', args: ['SOURCE TABLE…', 'SOURCE .'], what: 'stage tables' },
      { name: 'commit', args: ['SOURCE -m MESSAGE [-a|-A] [--amend] …'], what: 'commit what is staged' },
      { name: 'reset', args: ['SOURCE [--hard|--soft] [COMMIT]'], what: 'unstage, or go back' },
      {
        name: 'log',
        args: [
          'SOURCE [-n N] [--oneline] [--graph] [--stat] [--parents] [--decorate HOW] [--merges] [--all] [--not COMMIT] ' +
            '[COMMIT] [TABLE…]',
        ],
        what: 'commits, newest first',
      },
      {
        name: 'show',
        args: ['SOURCE [options of diff] [COMMIT…]'],
        what: 'a commit and what it changed',
      },
      {
        name: 'diff',
        args: [
          'SOURCE [--stat|--summary|--schema|--data|--name-only|--staged] [-R] [--merge-base] [-r sql|json] [--limit N] ' +
            '[--where SQL] [--filter added|modified|renamed|dropped] [--diff-mode row|line|in-place|context] [--skinny] ' +
            '[FROM [TO]] [TABLE…]',
        ],
        what: 'rows and definitions that differ',
      },
      { name: 'blame', args: ['SOURCE [COMMIT] TABLE'], what: 'the commit that last changed each row' },
      { name: 'branch', args: ['SOURCE [-v] [-a]', 'SOURCE NAME [COMMIT]', 'SOURCE -d NAME'], what: 'branches' },
      { name: 'checkout', args: ['SOURCE BRANCH', 'SOURCE -b NAME', 'SOURCE TABLE…'], what: 'switch, or restore' },
      { name: 'merge', args: ['SOURCE [--squash|--no-ff] [-m MESSAGE] BRANCH', 'SOURCE --abort'], what: 'merge' },
      {
        name: 'conflicts',
        args: ['SOURCE cat TABLE…', 'SOURCE resolve --ours|--theirs TABLE…'],
        what: 'rows that a merge could not decide',
      },
      { name: 'cherry-pick', args: ['SOURCE COMMIT', 'SOURCE --abort'], what: "repeat a commit's changes" },
      { name: 'revert', args: ['SOURCE COMMIT…'], what: "undo commits' changes, in a new commit" },
      {
        name: 'stash',
        args: ['SOURCE [-u|-a]', 'SOURCE list', 'SOURCE pop|drop [N]', 'SOURCE clear'],
        what: 'put changes aside, and take them back',
      },
      { name: 'clean', args: ['SOURCE [--dry-run] [TABLE…]'], what: 'remove tables that are not in any commit' },
      { name: 'merge-base', args: ['SOURCE COMMIT COMMIT'], what: 'the commit at which two histories part' },
      { name: 'gc', args: ['SOURCE [--shallow|--full]'], what: 'give back the space of what nothing leads to' },
      { name: 'tag', args: ['SOURCE [-v]', 'SOURCE NAME [COMMIT]', 'SOURCE -d NAME'], what: 'tags' },
    ],
  },
  {
    title: 'In and out',
    commands: [
      {
        name: 'import',
        args: [
          'SOURCE TABLE FILE [-c [--pk COLUMN,…]] [--format csv|json|jsonl] [--delim C] [--encoding NAME] [--dates dmy|mdy] [--decimal C] [--replace|--ignore]',
          'SOURCE FILE.sql [--encoding NAME]',
        ],
        what: 'rows into a table (-c makes it, with the first column as its key or --pk), or a script such as a dump',
      },
      { name: 'export', args: ['SOURCE TABLE [FILE] [--format csv|json|jsonl] [-f]'], what: 'the rows of a table' },
      { name: 'dump', args: ['SOURCE [FILE] [--schema-only] [--no-create-db] [-f]'], what: 'everything as SQL' },
      { name: 'serve-json', args: [''], what: 'answer requests on standard input, one JSON object a line' },
    ],
  },
];

const COMMANDS = CHAPTERS.flatMap(({ commands }) => commands);

const WORDS = `SOURCE is a Dolt database directory, a directory of several, a Dolt file remote, a zip or tar.gz of one of these, or
the http(s) address of one. FILE may be - for standard input or output.

  -q, --query SQL      statements to run, separated by ;
  -r, --result FORM    table (default), csv, json, vertical or null
  -d, --database NAME  which database of SOURCE, and optionally which branch: NAME/BRANCH
      --mode MODE      how files are read: mmap (default), pread or mmap-index
      --version        the version of Varve

Status: 0, 1 when a statement or a source failed, 2 for a wrong call.
`;

/** Every command on a line. */
export function usage(): string {
  const lines = CHAPTERS.flatMap(({ title, commands }) => [
    `\n ${title}:`,
    ...commands.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`),
  ]);
  return `usage: varve COMMAND SOURCE …\n${lines.join('\n')}\n\nvarve help COMMAND says how to call one.\n\n${WORDS}`;
}

/** How to call one command; undefined when there is none of that name. */
export function usageOf(name: string): string | undefined {
  const command = COMMANDS.find(known => known.name === name);
  if (command === undefined) return undefined;
  const ways = command.args.map((args, index) =>
    `${index === 0 ? 'usage:' : '      '} varve ${name} ${args}`.trimEnd(),
  );
  return `${ways.join('\n')}\n\n  ${command.what}\n`;
}

/** What is said after a mistake: enough to mend it, so that the mistake stays in sight. */
export function briefUsage(name: string): string {
  const own = name === '' ? usage() : usageOf(name);
  if (own !== undefined) return own;
  const near = nearest(name);
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  return `${meant}Commands are ${COMMANDS.map(known => known.name).join(', ')}.\nvarve help says what each does.\n`;
}

function nearest(name: string): string | undefined {
  const found = COMMANDS.map(known => ({ name: known.name, edits: editsBetween(name, known.name) }))
    .filter(({ edits }) => edits <= 2)
    .sort((one, other) => one.edits - other.edits)[0];
  return found?.name;
}

/** Letters to add, drop or change (Levenshtein's distance). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1];
    for (let index = 1; index < row.length; index++) {
      const changed = (row[index - 1] ?? 0) + (letter === other[index - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
