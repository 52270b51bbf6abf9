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

const DATABASE: Option = ['-d, --database NAME', 'database within SOURCE, optionally with a branch: NAME/BRANCH'];
const MODE: Option = ['--mode MODE', 'file access: mmap (default), pread or mmap-index'];
const FORCE: Option = ['-f', 'overwrite an existing file'];

const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Query and edit',
    commands: [
      {
        name: 'sql',
        args: [
          'SOURCE [-q SQL | -f FILE] [-r FORM] [-c]',
          'SOURCE -q SQL -s NAME [-m DESCRIPTION]',
          'SOURCE -x NAME',
          'SOURCE -l',
        ],
        what: 'run SQL from the command line, a file, a pipe or a shell',
        options: [
          ['-q, --query SQL', 'statements to run, separated by ;'],
          ['-f, --file FILE', 'script to run; "source FILE" lines include other files'],
          ['-r, --result FORM', 'table (default), csv, json, vertical or null'],
          ['-c, --continue', 'continue after errors'],
          ['--encoding NAME', 'encoding of the script, such as latin1 (default: UTF-8 or its SET NAMES)'],
          ['-s, --save NAME', 'save the query of -q in the database; -m adds a description'],
          ['-x, --execute NAME', 'run a saved query'],
          ['-l, --list-saved', 'list saved queries'],
          DATABASE,
          MODE,
        ],
      },
      { name: 'tables', args: ['SOURCE'], what: 'list tables and row counts', options: [DATABASE] },
      {
        name: 'ls',
        args: ['SOURCE [-v] [-s|-a] [COMMIT]'],
        what: "list tables in Dolt's format, also at a commit",
        options: [
          ['-v', 'with row counts'],
          ['-s, -a', 'only system tables; all tables'],
        ],
      },
      {
        name: 'schema',
        args: ['SOURCE show [COMMIT] [TABLE…]', 'SOURCE export [-f] [TABLE] [FILE]'],
        what: 'show or export table definitions',
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
        what: 'copy, rename, drop, import and export tables',
        options: [
          ['-f', 'replace an existing table TO'],
          ['-c, -u, -r, -a', 'create the table; update existing rows; replace all rows; append rows'],
        ],
      },
      {
        name: 'docs',
        args: ['SOURCE print NAME', 'SOURCE upload NAME FILE', 'SOURCE diff NAME'],
        what: 'documents stored in dolt_docs, such as README.md',
      },
      {
        name: 'init',
        args: ['[DIRECTORY] [--name NAME --email EMAIL] [--date DATE] [-b BRANCH]'],
        what: 'create a database with an initial commit',
        options: [
          ['--name NAME', 'author of the initial commit, with --email EMAIL'],
          ['--date DATE', 'date of the initial commit'],
          ['-b BRANCH', 'name of the first branch (default: main)'],
        ],
      },
    ],
  },
  {
    title: "Version control (Dolt's arguments)",
    commands: [
      {
        name: 'status',
        args: ['SOURCE [--ignored]'],
        what: 'show uncommitted changes',
        options: [['--ignored', 'include tables that match dolt_ignore']],
      },
      { name: 'add', args: ['SOURCE TABLE…', 'SOURCE .'], what: 'stage tables' },
      {
        name: 'commit',
        args: ['SOURCE [-m MESSAGE] [-a|-A] [--amend] [--author WHO] [--date DATE] [--allow-empty]'],
        what: 'commit staged changes',
        options: [
          ['-m MESSAGE', 'commit message; without it an editor opens (terminals only)'],
          ['-a, -A', 'stage changed tables first; -A includes new tables'],
          ['--amend', 'replace the last commit'],
          ['--author WHO', "author, such as 'Ada <ada@example.org>'"],
          ['--date DATE', 'commit date, such as 2026-11-23T12:00:00'],
          ['--allow-empty', 'commit without changes'],
        ],
      },
      {
        name: 'reset',
        args: ['SOURCE [--hard|--soft] [COMMIT]'],
        what: 'unstage tables, or move the branch to a commit',
      },
      {
        name: 'log',
        args: ['SOURCE [OPTION…] [COMMIT] [TABLE…]'],
        what: 'list commits, newest first; on a terminal through $DOLT_PAGER or less',
        options: [
          ['-n N', 'at most N commits'],
          ['--oneline', 'one line per commit'],
          ['--graph', 'draw the commit graph'],
          ['--stat', 'with changed row counts per table'],
          ['--parents', 'with parent hashes'],
          ['--decorate HOW', 'show branches and tags: auto, short, full, no'],
          ['--merges', 'only merge commits'],
          ['--all', 'commits of all branches'],
          ['--not COMMIT', 'exclude commits reachable from COMMIT'],
        ],
      },
      {
        name: 'show',
        args: ['SOURCE [OPTION OF diff…] [COMMIT…]'],
        what: 'show a commit and its diff',
        options: [
          ['--parents', 'with parent hashes'],
          ['--decorate HOW', 'show branches and tags: auto, short, full, no'],
        ],
      },
      {
        name: 'diff',
        args: ['SOURCE [OPTION…] [FROM [TO]] [TABLE…]'],
        what: 'show changed rows and schemas',
        options: [
          ['--stat, --summary', 'only row counts, or only changed tables'],
          ['--schema, --data', 'only schemas, or only rows'],
          ['--name-only', 'only table names'],
          ['--staged', 'staged changes against the last commit'],
          ['-R', 'swap FROM and TO'],
          ['--merge-base', 'compare with the merge base, as FROM...TO'],
          ['-r sql|json', 'output format: SQL statements or JSON'],
          ['--limit N', 'at most N rows per table'],
          ['--where SQL', "only rows that match, such as 'to_id > 100'"],
          ['--filter KIND', 'only added, modified, renamed or dropped'],
          ['--diff-mode MODE', 'changed rows as row, line, in-place or context (default)'],
          ['--skinny', 'only keys and changed columns'],
          ['--include-cols A B', 'with --skinny: include these columns'],
          ['--system', 'include system tables'],
        ],
      },
      { name: 'query-diff', args: ['SOURCE QUERY QUERY'], what: 'compare the results of two queries' },
      { name: 'blame', args: ['SOURCE [COMMIT] TABLE'], what: 'show the last commit that changed each row' },
      {
        name: 'branch',
        args: ['SOURCE [-v] [-a]', 'SOURCE NAME [COMMIT]', 'SOURCE -d NAME'],
        what: 'list, create or delete branches',
      },
      {
        name: 'checkout',
        args: ['SOURCE BRANCH', 'SOURCE -b NAME', 'SOURCE TABLE…'],
        what: 'switch branches, or restore tables',
      },
      { name: 'merge', args: ['SOURCE [--squash|--no-ff] [-m MESSAGE] BRANCH', 'SOURCE --abort'], what: 'merge' },
      {
        name: 'conflicts',
        args: ['SOURCE cat TABLE…', 'SOURCE resolve --ours|--theirs TABLE…'],
        what: 'show or resolve merge conflicts',
      },
      {
        name: 'constraints',
        args: ['SOURCE verify [--all] [TABLE…]'],
        what: 'find rows that violate foreign keys, unique keys and checks',
      },
      { name: 'cherry-pick', args: ['SOURCE COMMIT', 'SOURCE --abort'], what: 'apply the changes of a commit' },
      { name: 'revert', args: ['SOURCE COMMIT…'], what: 'undo commits in a new commit' },
      {
        name: 'rebase',
        args: ['SOURCE [-i] [--empty=drop|keep] BRANCH', 'SOURCE --continue', 'SOURCE --abort'],
        what: 'replay the commits of this branch onto another',
        options: [
          ['-i', 'edit the plan first; without a terminal edit table dolt_rebase by SQL, then --continue'],
          ['--empty=keep', 'keep commits that become empty'],
        ],
      },
      { name: 'rm', args: ['SOURCE [--cached] TABLE…'], what: 'drop tables; --cached only untracks them' },
      {
        name: 'stash',
        args: ['SOURCE [-u|-a]', 'SOURCE list', 'SOURCE pop|apply|drop [N]', 'SOURCE clear'],
        what: 'save uncommitted changes and restore them',
      },
      { name: 'clean', args: ['SOURCE [--dry-run] [TABLE…]'], what: 'remove tables that are not in any commit' },
      { name: 'merge-base', args: ['SOURCE COMMIT COMMIT'], what: 'print the common ancestor of two commits' },
      { name: 'gc', args: ['SOURCE [--shallow|--full]'], what: 'remove unreferenced data to free space' },
      {
        name: 'fsck',
        args: ['SOURCE [--quiet]'],
        what: 'verify all files: read every chunk and compare it with its hash',
        options: [['--quiet', 'no progress output'], DATABASE, MODE],
      },
      {
        name: 'reflog',
        args: ['SOURCE [--all] [REF]'],
        what: 'earlier positions of branches and tags, including deleted ones',
      },
      {
        name: 'remote',
        args: ['SOURCE [-v]', 'SOURCE add NAME URL', 'SOURCE remove NAME'],
        what: 'list, add or remove remotes',
      },
      {
        name: 'clone',
        args: ['URL [DIRECTORY] [-b BRANCH] [--single-branch] [--depth N | --lazy] [--remote NAME] [--user NAME]'],
        what: 'copy a remote database',
        options: [
          ['-b, --branch BRANCH', 'branch to check out (default: main)'],
          ['--single-branch', 'only this branch'],
          ['--depth N', 'only the last N commits of the branch'],
          ['--lazy', 'fetch rows on demand; "varve complete" fetches the rest'],
          ['--remote NAME', 'name of the remote (default: origin)'],
          ['--user NAME', 'user name; password in DOLT_REMOTE_PASSWORD'],
        ],
      },
      {
        name: 'complete',
        args: ['SOURCE'],
        what: 'fetch the missing rows of a lazy clone',
        options: [],
      },
      {
        name: 'fetch',
        args: ['SOURCE [--prune] [--user NAME] [REMOTE [BRANCH…]]'],
        what: 'download new commits from a remote',
        options: [['-p, --prune', 'delete remote-tracking branches that no longer exist on the remote']],
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
          ['-u, --set-upstream', 'track the remote branch'],
          ['-f, --force', 'overwrite the remote branch; its own commits are lost'],
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
        what: 'back up and restore whole databases, including working sets',
      },
      {
        name: 'tag',
        args: ['SOURCE [-v]', 'SOURCE NAME [COMMIT]', 'SOURCE -d NAME'],
        what: 'list, create or delete tags',
      },
    ],
  },
  {
    title: 'Import, export and serve',
    commands: [
      {
        name: 'import',
        args: ['SOURCE TABLE FILE [OPTION…]', 'SOURCE FILE.sql [--encoding NAME] [--continue]'],
        what: 'import rows or a SQL script; FILE may be compressed (.gz)',
        options: [
          ['-c, --create', 'create the table (primary key: first column, if unique)'],
          ['--pk COLUMN,…', 'primary key columns'],
          ['--format FORM', 'csv, tsv, psv, json or jsonl (default: by file name)'],
          ['--delim C', 'CSV delimiter (default: detected)'],
          ['--escape \\', 'escape character within quoted CSV fields; empty for none'],
          ['--skip-lines N', 'lines before the CSV header row (default: detected from sep=; or #)'],
          ['--encoding NAME', 'encoding, such as latin1 (default: UTF-8 or the SET NAMES of a script)'],
          ['--dates dmy|mdy', 'order of day and month in dates such as 10.02.2024'],
          ['--decimal C', 'decimal separator, for numbers such as 1.234,50'],
          ['--null TEXT', 'treat TEXT (such as n/a) as NULL in columns of numbers and dates; repeatable'],
          ['--update', 'on duplicate key: update the columns of the file'],
          ['--replace, --ignore', 'on duplicate key: replace, or keep the existing row'],
          ['--clear', 'delete existing rows first, in the same transaction'],
          ['-m, --map FILE.json', 'column mapping: {"Name": "full_name", "Notes": null}; null skips a column'],
          ['--continue', 'skip statements that fail and rows that are invalid'],
          DATABASE,
        ],
      },
      {
        name: 'export',
        args: ['SOURCE TABLE [FILE] [OPTION…]'],
        what: 'export the rows of a table',
        options: [
          ['--format FORM', 'csv, tsv, psv, json or jsonl (default: by file name)'],
          ['--delim C', 'CSV delimiter'],
          ['--guard-formulas', "put ' before CSV text that spreadsheets would run as a formula"],
          FORCE,
          DATABASE,
        ],
      },
      {
        name: 'dump',
        args: ['SOURCE [FILE] [--schema-only] [--no-create-db] [-f]'],
        what: 'export the database as SQL',
        options: [
          ['--schema-only', 'only definitions, no rows'],
          ['--no-create-db', 'omit CREATE DATABASE'],
          FORCE,
          DATABASE,
        ],
      },
      {
        name: 'serve',
        args: ['[DIR | REMOTE] [--port N] [--origin URL …]', '[DIR | REMOTE] --writable --user NAME'],
        what: 'serve databases to Dolt and web pages (clone, fetch, push), or proxy a remote through a local cache',
        options: [
          ['--port N', 'port (default: 50051); 0 picks a free one'],
          ['--host NAME', 'address to listen on (default: 127.0.0.1, this machine only)'],
          ['--user NAME', 'required user name; password in VARVE_SERVE_PASSWORD'],
          [
            '--writable',
            'accept pushes from that user; a new name creates a new remote; pushes to REMOTE are forwarded',
          ],
          ['--origin URL', 'web origin to allow (CORS), such as https://example.com; repeatable'],
          ['--tls-cert FILE', 'TLS certificate, with --tls-key FILE'],
          ['--upstream-user NAME', 'user name at REMOTE; password in DOLT_REMOTE_PASSWORD'],
        ],
      },
      { name: 'serve-json', args: [''], what: 'answer JSON requests on standard input, one per line' },
    ],
  },
];

const COMMANDS = CHAPTERS.flatMap(({ commands }) => commands);

const WORDS = `SOURCE is a Dolt database directory, a directory of several, a Dolt file remote, a zip or tar.gz of one of these, or
the http(s) URL of one; in a database directory it may be omitted. FILE may be - for standard input or output.

  -q, --query SQL      statements to run, separated by ;
  -r, --result FORM    table (default), csv, json, vertical or null
  -d, --database NAME  database within SOURCE, optionally with a branch: NAME/BRANCH
      --mode MODE      file access: mmap (default), pread or mmap-index
      --version        the version of Varve

Exit status: 0 success, 1 failure, 2 wrong usage.
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
    return `${callsOf(command)}${command.options === undefined ? '' : `  varve help ${name} lists its options\n`}`;
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
