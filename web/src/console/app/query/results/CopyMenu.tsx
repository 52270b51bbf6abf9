import type { JSX } from 'preact';
import type { CopyFormat, FileFormat } from '../../../grid/copy.ts';
import { Icon } from '../../../ui/icons.tsx';
import { MenuButton, type MenuGroup } from '../../../ui/menu.tsx';
import { copyResult } from '../../actions.ts';
import { keyText } from '../../shortcuts.ts';
import type { StatementRun } from '../statement_run.ts';
import { saveResult } from './result_file.ts';

interface FormatChoice {
  readonly format: CopyFormat;
  readonly label: string;
  readonly withHeader: boolean;
  readonly keys?: string;
}

const FORMATS: readonly FormatChoice[] = [
  { format: 'tsv', label: 'Values', withHeader: false, keys: 'Mod+C' },
  { format: 'tsv', label: 'TSV with names', withHeader: true, keys: 'Mod+Shift+C' },
  { format: 'csv', label: 'CSV with names', withHeader: true },
  { format: 'json', label: 'JSON', withHeader: true },
  { format: 'markdown', label: 'Markdown table', withHeader: true },
  { format: 'insert', label: 'INSERT statements', withHeader: true },
];

/** Ways to copy the selected cells, or everything when none are. */
function copyMenu(run: StatementRun, hasSelection: boolean): MenuGroup {
  return {
    heading: hasSelection ? 'Copy the selected cells as' : 'Copy the whole result as',
    entries: FORMATS.map(({ format, label, withHeader, keys }) => ({
      label,
      icon: 'copy',
      ...(keys === undefined ? {} : { hint: keyText(keys) }),
      onSelect: () => copyResult(run, format, withHeader),
    })),
  };
}

const FILES: readonly { readonly format: FileFormat; readonly label: string }[] = [
  { format: 'csv', label: 'CSV' },
  { format: 'json', label: 'JSON' },
  { format: 'jsonl', label: 'JSON lines' },
];

function fileMenu(run: StatementRun): MenuGroup {
  return {
    heading: 'Save the whole result as a file of',
    entries: FILES.map(({ format, label }) => ({
      label,
      icon: 'download',
      isDisabled: !run.isFinished.value,
      onSelect: () => void saveResult(run, format),
    })),
  };
}

const COPY_LABELS = ['Copy', 'Copy with column names'];

/** The forms that are asked for most; the others are below the result. */
export function shortCopyMenu(run: StatementRun): MenuGroup {
  const entries = copyMenu(run, true).entries.slice(0, 2);
  return { entries: entries.map((entry, index) => ({ ...entry, label: COPY_LABELS[index] ?? entry.label })) };
}

export function CopyMenu({
  run,
  hasSelection,
}: {
  readonly run: StatementRun;
  readonly hasSelection: boolean;
}): JSX.Element {
  return (
    <MenuButton
      class="button small quiet"
      label={hasSelection ? 'Copy the selected cells' : 'Copy the result'}
      align="end"
      groups={[copyMenu(run, hasSelection), fileMenu(run)]}
    >
      <Icon name="copy" />
      <span class="roomy-only">Copy</span>
    </MenuButton>
  );
}
