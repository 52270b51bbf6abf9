import type { JSX } from 'preact';
import { Icon } from '../../../ui/icons.tsx';
import { isChanging } from '../../database/changing.ts';
import { dialog } from '../../dialogs.ts';
import { keyText } from '../../shortcuts.ts';
import { grid } from '../editor_host.ts';
import type { QueryTab } from '../query_tabs.ts';
import type { StatementRun } from '../statement_run.ts';
import { editsOf, saveEdits, showWrongCell, summaryOf } from './row_edits.ts';

/** Under rows with edits that are not saved: what they are, what is wrong with them, and the ways on. */
export function EditBar({ run, tab }: { readonly run: StatementRun; readonly tab: QueryTab }): JSX.Element | null {
  const rows = run.pages.value;
  void rows?.version.value;
  if (rows === undefined || !rows.isDirty) return null;
  const failure = rows.failure.value;
  const wrong = rows.wrongCell;
  const said =
    failure?.message ?? (wrong === undefined ? undefined : `${rows.columns[wrong.column]?.name}: ${wrong.problem}`);
  return (
    <section class={said === undefined ? 'edit-bar' : 'edit-bar is-wrong'} aria-label="Edits">
      <Icon name={said === undefined ? 'pencil' : 'error'} />
      <strong class="figures edit-count">{summaryOf(editsOf(run))}</strong>
      {said === undefined ? (
        <span class="muted truncate edit-said">not saved</span>
      ) : (
        <button
          type="button"
          class="edit-said truncate"
          title={said}
          onClick={() => {
            if (failure !== undefined) grid.peek()?.goTo({ row: failure.row, column: failure.column ?? 0 });
            else showWrongCell(run);
          }}
        >
          <span role="alert">{said}</span>
        </button>
      )}
      <span class="spread" />
      <button
        type="button"
        class="button small quiet"
        disabled={isChanging.value}
        onClick={() => {
          const count = editsOf(run).length;
          if (count < 2) return rows.discard();
          dialog.value = {
            kind: 'confirm',
            title: 'Discard edits?',
            text: `${summaryOf(editsOf(run))}: none of this is saved.`,
            verb: 'Discard',
            onConfirm: () => rows.discard(),
          };
        }}
      >
        Discard
      </button>
      <button
        type="button"
        class="button small"
        disabled={wrong !== undefined}
        onClick={() => (dialog.value = { kind: 'review-edits', run, tab })}
      >
        Review SQL
      </button>
      <button
        type="button"
        class="button small primary"
        title={`Run the edits in one transaction (${keyText('Mod+S')})`}
        disabled={isChanging.value || wrong !== undefined}
        onClick={() => void saveEdits(tab, run)}
      >
        {isChanging.value && <span class="spinner" />}
        Save
      </button>
    </section>
  );
}
