import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { ChartView } from '../../../chart/ChartView.tsx';
import { type ChartChoice, likelyChoice } from '../../../chart/choice.ts';
import { chartColumns } from '../../../chart/columns.ts';
import { type ChartPicture, chartFile, type PictureFormat } from '../../../chart/save.ts';
import type { EditedRows } from '../../../grid/edit/edited_rows.ts';
import { limitOf, wholeTable } from '../../../sql/table_of.ts';
import { download } from '../../../transfer/download.ts';
import { wholeNumber } from '../../../ui/figures.ts';
import { messageOf } from '../../../ui/message_of.ts';
import { toast } from '../../../ui/toast.tsx';
import type { QueryTab } from '../query_tabs.ts';
import type { StatementRun } from '../statement_run.ts';
import { fileName } from './result_file.ts';
import { takesFocus } from './result_focus.ts';

interface PaneProps {
  readonly tab: QueryTab;
  readonly run: StatementRun;
  readonly pages: EditedRows;
}

/** In the place of the grid. What was chosen stays for the next result of the same columns. */
export function ChartPane({ tab, run, pages }: PaneProps): JSX.Element | null {
  const version = pages.version.value;
  const columns = useMemo(() => chartColumns(pages), [pages, version]);
  const names = JSON.stringify(pages.columns.map(({ name }) => name));
  const wish = tab.chart.value;
  const likely = useMemo(() => likelyChoice(columns), [columns]);
  const choice = wish?.choice !== undefined && wish.names === names ? wish.choice : likely;
  if (choice === undefined) {
    return (
      <div class="empty">
        <strong>Nothing to chart</strong>
        <p>Charts need numbers, times or text.</p>
      </div>
    );
  }
  const onChoose = (next: ChartChoice) => {
    tab.chart.value = { choice: next, names };
  };
  return (
    <ChartView
      rows={pages}
      version={version}
      columns={columns}
      choice={choice}
      title={run.title}
      cut={cutOf(run.sql, pages)}
      takesFocus={takesFocus}
      onChoose={onChoose}
      onSave={(picture, format) => {
        save(picture, fileName(run.title), format).then(
          name => toast(`Saved the chart as ${name}`),
          (error: unknown) => toast(messageOf(error), 'failure'),
        );
      }}
    />
  );
}

/** The first rows of a table add up to less than all. */
function cutOf(sql: string, pages: EditedRows): string | undefined {
  const table = wholeTable(sql);
  const limit = limitOf(sql);
  if (table === undefined || limit !== pages.fetchedCount) return undefined;
  return `the first ${wholeNumber(limit)} rows of ${table}`;
}

const TYPES: Readonly<Record<PictureFormat, string>> = { svg: 'image/svg+xml', png: 'image/png' };

async function save(picture: ChartPicture, title: string, format: PictureFormat): Promise<string> {
  const name = `${title}.${format}`;
  const file = await chartFile(picture, format);
  const pieces = async function* () {
    yield file;
  };
  await download(name, TYPES[format], pieces(), () => {});
  return name;
}
