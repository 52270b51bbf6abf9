/** A result as a file: what the page holds of it, which another run of its query may not give again. */
import { type FileFormat, fileText } from '../../../grid/copy.ts';
import type { GridRows } from '../../../grid/rows.ts';
import { download } from '../../../transfer/download.ts';
import { counted } from '../../../ui/figures.ts';
import { toast } from '../../../ui/toast.tsx';
import type { StatementRun } from '../statement_run.ts';

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/jsonl',
};

/** Rows between two looks at what else the page has to do. */
const PIECE_ROWS = 2000;

export async function saveResult(run: StatementRun, format: FileFormat): Promise<void> {
  const pages = run.pages.peek();
  if (pages === undefined) return;
  const name = `${fileName(run.title)}.${format}`;
  const rows = pages.rowCount;
  await download(name, TYPES[format], unhurried(fileText(pages.columns, piecesOf(pages, rows), format)), () => {});
  toast(`Saved ${counted(rows, 'row')} as ${name}`);
}

function* piecesOf(pages: GridRows, rows: number): Generator<(string | null)[][]> {
  for (let first = 0; first < rows; first += PIECE_ROWS) {
    const count = Math.min(PIECE_ROWS, rows - first);
    yield Array.from({ length: count }, (_, row) =>
      pages.columns.map((_column, column) => pages.text(first + row, column) ?? null),
    );
  }
}

const STEP_MS = 12;

/** Lets the page do what else it has to after every few milliseconds. */
async function* unhurried(pieces: Iterable<string>): AsyncGenerator<string> {
  let untilMs = performance.now() + STEP_MS;
  for (const piece of pieces) {
    yield piece;
    if (performance.now() < untilMs) continue;
    await new Promise(resolve => setTimeout(resolve));
    untilMs = performance.now() + STEP_MS;
  }
}

/** What is a name to every system. */
export function fileName(title: string): string {
  const name = title.replace(/[^\p{L}\p{N}_-]+/gu, '_').replace(/^_+|_+$/g, '');
  return name === '' ? 'result' : name;
}
