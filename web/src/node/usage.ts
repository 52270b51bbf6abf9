/** What the command line says of itself: all commands, or one. */

interface CommandUsage {
  readonly name: string;
  /** Behind the name; one line for each way to call it. */
  readonly args: readonly string[];
  readonly what: string;
  /** Of which the calls above say too little. */
  readonly options?: readonly Option[];
}

type Option = readonly [name: string, meaning: string];

interface Chapter {
  readonly title: string;
  readonly commands: readonly CommandUsage[];
}

const DATABASE: Option = ['-d, --database NAME', 'which database of SOURCE, and its branch: NAME/BRANCH'];
const MODE: Option = ['--mode MODE', 'how files are read: mmap (default), pread or mmap-index'];
const FORCE: Option = ['-f', 'write over a file that is there'];

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
        what: 'run SQL: given, of a file, piped, or typed into a shell',
        options: [
          ['-q, --query SQL', 'statements to run, separated by ;'],
          ['-f, --file FILE', 'a script to run, with the files that its lines source FILE name'],
          ['-r, --result FORM', 'table (default), csv, json, vertical or null'],
          ['-c, --continue', 'go on after a statement that fails'],
          ['--encoding NAME', 'of the script, where it is neither UTF-8 nor what its SET NAMES says, as latin1'],
          ['-s, --save NAME', 'keep the query of -q in the database, with -m DESCRIPTION'],
          ['-x, --execute NAME', 'run a query that is kept'],
          ['-l, --list-saved', 'list the queries that are kept'],
          DATABASE,
          MODE,
        ],
      },
      { name: 'tables', args: ['SOURCE'], what: 'tables and their numbers of rows', options: [DATABASE] },
      {
        name: 'ls',
        args: ['SOURCE [-v] [-s|-a] [COMMIT]'],
        what: "the same in native Dolt's form, also of a commit",
        options: [
          ['-v', 'with their numbers of rows'],
          ['-s, -a', "Dolt's own tables, or those as well"],
        ],
      },
      {
        name: 'schema',
        args: ['SOURCE show [COMMIT] [TABLE…]', 'SOURCE export [-f] [TABLE] [FILE]'],
        what: 'definitions of tables, to be read or as a script',
        options: [FORCE],
      },
      {
        name: 'table',
        args: [
          'SOURCE cp|mv [-f] FROM TO',
          'SOURCE rm TABLE…',
          'SOURCE import -c|-u|-r|-a TABLE FILE',
          'SOURCE export TABLE [FILE]',
        ],
        what: 'copy, rename and drop tables; rows in and out as by import and export',
        options: [
          ['-f', 'drop what TO is, first'],
          ['-c, -u, -r, -a', 'make the table, change rows whose key is there, replace all rows, or only add some'],
        ],
      },
      {
        name: 'docs',
        args: ['SOURCE print NAME', 'SOURCE upload NAME FILE', 'SOURCE diff NAME'],
        what: 'README.md and the like, kept in dolt_docs',
      },
      {
        name: 'init',
        args: ['[DIRECTORY] [--name NAME --email EMAIL] [--date DATE] [-b BRANCH]'],
        what: 'make a database; its first commit is by NAME, or by the user of the settings',
        options: [
          ['--name NAME', 'who makes the first commit, with --email EMAIL'],
          ['--date DATE', 'of the first commit'],
          ['-b BRANCH', 'what the first branch is called; main otherwise'],
        ],
      },
    ],
  },
  {
    title: "Versions, with Dolt's arguments",
    commands: [
      {
        name: 'status',
        args: ['SOURCE [--ignored]'],
        what: 'what differs from the last commit',
        options: [['--ignored', 'also tables that dolt_ignore names']],
      },
      { name: 'add', args: ['SOURCE TABLE…', 'SOURCE .'], what: 'stage tables' },
      {
        name: 'commit',
        args: ['SOURCE [-m MESSAGE] [-a|-A] [--amend] [--author WHO] [--date DATE] [--allow-empty]'],
        what: 'commit what is staged',
        options: [
          ['-m MESSAGE', 'what the commit says; at a terminal without it your editor opens'],
          ['-a, -A', 'stage changed tables first; with -A new ones, too'],
          ['--amend', 'put it in the place of the last commit'],
          ['--author WHO', "as 'Ada <ada@example.org>'"],
          ['--date DATE', 'as 2026-11-23T12:00:00'],
          ['--allow-empty', 'also where nothing is staged'],
        ],
      },
      { name: 'reset', args: ['SOURCE [--hard|--soft] [COMMIT]'], what: 'unstage, or go back' },
      {
        name: 'log',
        args: ['SOURCE [OPTION…] [COMMIT] [TABLE…]'],
        what: 'commits, newest first; at a terminal page by page, by $DOLT_PAGER or less',
        options: [
          ['-n N', 'so many of them'],
          ['--oneline', 'each on a line'],
          ['--graph', 'with lines that show where branches part and meet'],
          ['--stat', 'with how many rows of which tables changed'],
          ['--parents', 'with the hashes of their parents'],
          ['--decorate HOW', 'branches and tags beside them: auto, short, full, no'],
          ['--merges', 'only commits with several parents'],
          ['--all', 'of all branches'],
          ['--not COMMIT', 'without what leads to that one'],
        ],
      },
      {
        name: 'show',
        args: ['SOURCE [OPTION OF diff…] [COMMIT…]'],
        what: 'a commit and what it changed',
        options: [
          ['--parents', 'with the hashes of its parents'],
          ['--decorate HOW', 'branches and tags beside it: auto, short, full, no'],
        ],
      },
      {
        name: 'diff',
        args: ['SOURCE [OPTION…] [FROM [TO]] [TABLE…]'],
        what: 'rows and definitions that differ',
        options: [
          ['--stat, --summary', 'only how many rows, or which tables'],
          ['--schema, --data', 'only definitions, or only rows'],
          ['--name-only', 'only the names of the tables'],
          ['--staged', 'what is staged, against the last commit'],
          ['-R', 'the other way round'],
          ['--merge-base', 'from where the two parted, as FROM...TO'],
          ['-r sql|json', 'as statements that make the change, or as JSON'],
          ['--limit N', 'so many rows of each table'],
          ['--where SQL', "only rows for which it holds, as 'to_id > 100'"],
          ['--filter KIND', 'only what was added, modified, renamed or dropped'],
          ['--diff-mode MODE', 'changed rows as row, line, in-place or context (default)'],
          ['--skinny', 'only the key and the columns that changed'],
          ['--include-cols A B', 'with --skinny: these columns, too'],
          ['--system', "also Dolt's own tables"],
        ],
      },
      { name: 'query-diff', args: ['SOURCE QUERY QUERY'], what: 'rows that are in one answer alone' },
      { name: 'blame', args: ['SOURCE [COMMIT] TABLE'], what: 'the commit that last changed each row' },
      { name: 'branch', args: ['SOURCE [-v] [-a]', 'SOURCE NAME [COMMIT]', 'SOURCE -d NAME'], what: 'branches' },
      { name: 'checkout', args: ['SOURCE BRANCH', 'SOURCE -b NAME', 'SOURCE TABLE…'], what: 'switch, or restore' },
      { name: 'merge', args: ['SOURCE [--squash|--no-ff] [-m MESSAGE] BRANCH', 'SOURCE --abort'], what: 'merge' },
      {
        name: 'conflicts',
        args: ['SOURCE cat TABLE…', 'SOURCE resolve --ours|--theirs TABLE…'],
        what: 'rows that a merge could not decide',
      },
      {
        name: 'constraints',
        args: ['SOURCE verify [--all] [TABLE…]'],
        what: 'rows that violate foreign keys, unique keys and checks',
      },
      { name: 'cherry-pick', args: ['SOURCE COMMIT', 'SOURCE --abort'], what: "repeat a commit's changes" },
      { name: 'revert', args: ['SOURCE COMMIT…'], what: "undo commits' changes, in a new commit" },
      {
        name: 'rebase',
        args: ['SOURCE [-i] [--empty=drop|keep] BRANCH', 'SOURCE --continue', 'SOURCE --abort'],
        what: "repeat this branch's commits on top of another one",
        options: [
          [
            '-i',
            'edit the plan first; where there is no terminal it waits in the table dolt_rebase for SQL and --continue',
          ],
          ['--empty=keep', 'keep commits that change nothing any more'],
        ],
      },
      { name: 'rm', args: ['SOURCE [--cached] TABLE…'], what: 'drop tables, or only stop to track them' },
      {
        name: 'stash',
        args: ['SOURCE [-u|-a]', 'SOURCE list', 'SOURCE pop|apply|drop [N]', 'SOURCE clear'],
        what: 'put changes aside, and take them back',
      },
      { name: 'clean', args: ['SOURCE [--dry-run] [TABLE…]'], what: 'remove tables that are not in any commit' },
      { name: 'merge-base', args: ['SOURCE COMMIT COMMIT'], what: 'the commit at which two histories part' },
      { name: 'gc', args: ['SOURCE [--shallow|--full]'], what: 'give back the space of what nothing leads to' },
      {
        name: 'fsck',
        args: ['SOURCE [--quiet]'],
        what: 'look whether the files are whole: every chunk is read and compared with its address',
        options: [['--quiet', 'without the progress that a terminal shows'], DATABASE, MODE],
      },
      { name: 'reflog', args: ['SOURCE [--all] [REF]'], what: 'what branches and tags were, also those that are gone' },
      {
        name: 'remote',
        args: ['SOURCE [-v]', 'SOURCE add NAME URL', 'SOURCE remove NAME'],
        what: 'places that branches are pushed to and fetched from',
      },
      {
        name: 'clone',
        args: ['URL [DIRECTORY] [-b BRANCH] [--single-branch] [--depth N | --lazy] [--remote NAME] [--user NAME]'],
        what: 'make a database with what a remote has',
        options: [
          ['-b, --branch BRANCH', 'check this one out; main otherwise'],
          ['--single-branch', 'without the other branches'],
          ['--depth N', 'only so many commits of the branch'],
          ['--lazy', 'leave rows in the remote until they are needed; varve complete fetches the rest'],
          ['--remote NAME', 'what the remote is called; origin otherwise'],
          ['--user NAME', 'who asks; the password is in DOLT_REMOTE_PASSWORD'],
        ],
      },
      {
        name: 'complete',
        args: ['SOURCE'],
        what: 'fetch what a lazy clone still lacks',
        options: [],
      },
      {
        name: 'fetch',
        args: ['SOURCE [--prune] [--user NAME] [REMOTE [BRANCH…]]'],
        what: 'bring what is new in a remote here',
        options: [['-p, --prune', 'remove remote-tracking branches whose branches are gone']],
      },
      {
        name: 'pull',
        args: ['SOURCE [--squash|--no-ff|--ff-only] [--user NAME] [REMOTE [BRANCH]]'],
        what: 'fetch, and merge into this branch',
      },
      {
        name: 'push',
        args: ['SOURCE [-u] [-f] [--user NAME] [REMOTE [REFSPEC…]]', 'SOURCE --all [REMOTE]'],
        what: 'send branches and tags to a remote',
        options: [
          ['-u, --set-upstream', 'the branch follows that of the remote from then on'],
          ['-f, --force', 'replace what is there: commits that are only there are lost'],
          ['--all', 'all branches'],
        ],
      },
      {
        name: 'backup',
        args: [
          'SOURCE [-v]',
          'SOURCE add NAME URL',
          'SOURCE remove NAME',
          'SOURCE sync NAME',
          'SOURCE sync-url URL',
          'SOURCE restore [--force] URL NAME',
        ],
        what: 'copies of the whole database, working sets included',
      },
      { name: 'tag', args: ['SOURCE [-v]', 'SOURCE NAME [COMMIT]', 'SOURCE -d NAME'], what: 'tags' },
    ],
  },
  {
    title: 'In and out',
    commands: [
      {
        name: 'import',
        args: ['SOURCE TABLE FILE [OPTION…]', 'SOURCE FILE.sql [--encoding NAME] [--continue]'],
        what: 'rows into a table, or a script such as a dump; FILE may be compressed (.gz)',
        options: [
          ['-c, --create', 'make the table, with the first column as its key where it can be'],
          ['--pk COLUMN,…', 'its key, where that is another'],
          ['--format FORM', 'csv, tsv, psv, json or jsonl, where the name of the file does not tell'],
          ['--delim C', 'between fields of CSV, where the first rows do not tell'],
          ['--escape \\', 'before a quote within a field of CSV; empty where it is data'],
          ['--skip-lines N', 'before the titles of CSV, where sep=; or # does not tell'],
          ['--encoding NAME', 'of the text, where it is neither UTF-8 nor what its SET NAMES says, as latin1'],
          ['--dates dmy|mdy', 'how dates such as 10.02.2024 are meant'],
          ['--decimal C', 'of numbers such as 1.234,50'],
          ['--null TEXT', 'is NULL in columns of numbers and dates, as n/a; once for each'],
          ['--update', 'rows whose key is there get the values of the file, and keep those of other columns'],
          ['--replace, --ignore', 'they are replaced, or left as they are'],
          ['--clear', 'takes the rows away that are there, unless the import fails'],
          [
            '-m, --map FILE.json',
            'columns for titles or members: {"Name": "full_name", "Notes": null}; null leaves out',
          ],
          ['--continue', 'go on behind a statement that failed, or a row that does not fit'],
          DATABASE,
        ],
      },
      {
        name: 'export',
        args: ['SOURCE TABLE [FILE] [OPTION…]'],
        what: 'the rows of a table',
        options: [
          ['--format FORM', 'csv, tsv, psv, json or jsonl, where the name of the file does not tell'],
          ['--delim C', 'between fields of CSV'],
          ['--guard-formulas', "put ' before texts of CSV that a spreadsheet would run as formulas"],
          FORCE,
          DATABASE,
        ],
      },
      {
        name: 'dump',
        args: ['SOURCE [FILE] [--schema-only] [--no-create-db] [-f]'],
        what: 'everything as SQL',
        options: [
          ['--schema-only', 'definitions without rows'],
          ['--no-create-db', 'without CREATE DATABASE, for another name'],
          FORCE,
          DATABASE,
        ],
      },
      {
        name: 'serve',
        args: ['[DIR | REMOTE] [--port N] [--origin URL …]', '[DIR | REMOTE] --writable --user NAME'],
        what: 'serve databases to native Dolt and to pages: clone, fetch, push; or a remote elsewhere, through a cache on this disk',
        options: [
          ['--port N', 'where to listen (50051); 0 takes a free one'],
          ['--host NAME', 'on which address (127.0.0.1): other machines reach it only with one of their network'],
          ['--user NAME', 'who may call; the password is in VARVE_SERVE_PASSWORD'],
          ['--writable', 'takes pushes of that user; a new name makes a new remote. Those for REMOTE are handed on'],
          ['--origin URL', 'pages that may call, as https://example.com; more than once'],
          ['--tls-cert FILE', 'with --tls-key FILE: serve by TLS'],
          ['--upstream-user NAME', 'of REMOTE; the password is in DOLT_REMOTE_PASSWORD'],
        ],
      },
      { name: 'serve-json', args: [''], what: 'answer requests on standard input, one JSON object a line' },
    ],
  },
];

const COMMANDS = CHAPTERS.flatMap(({ commands }) => commands);

const WORDS = `SOURCE is a Dolt database directory, a directory of several, a Dolt file remote, a zip or tar.gz of one of these, or
the http(s) address of one; in a database's directory it may be left out. FILE may be - for standard input or output.

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
  return `usage: varve COMMAND [SOURCE] …\n${lines.join('\n')}\n\nvarve help COMMAND says how to call one.\n\n${WORDS}`;
}

/** How to call one command, and what its options do; undefined when there is none of that name. */
export function usageOf(name: string): string | undefined {
  const command = commandOf(name);
  return command && `${callsOf(command)}${optionLines(command.options ?? [])}`;
}

function commandOf(name: string): CommandUsage | undefined {
  return COMMANDS.find(known => known.name === name);
}

function callsOf({ name, args, what }: CommandUsage): string {
  const ways = args.map((words, index) =>
    `${index === 0 ? 'usage:' : '      '} varve ${name} ${words.replace(/^SOURCE/, '[SOURCE]')}`.trimEnd(),
  );
  return `${ways.join('\n')}\n\n  ${what}\n`;
}

function optionLines(options: readonly Option[]): string {
  const width = Math.max(0, ...options.map(([name]) => name.length));
  const lines = options.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}\n`);
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

/** What is said after a mistake: enough to mend it, so that the mistake stays in sight. */
export function briefUsage(name: string): string {
  if (name === '') return usage();
  const command = commandOf(name);
  if (command !== undefined)
    return `${callsOf(command)}${command.options === undefined ? '' : `  varve help ${name} says what its options do\n`}`;
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
