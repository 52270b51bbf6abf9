import type { JSX } from 'preact';
import { ESCAPES, SEPARATORS, type Separator } from '../../transfer/csv_head.ts';
import { AS_SCRIPT_SAYS, canBeText, ENCODINGS, previewOf } from '../../transfer/file_head.ts';
import { FORMAT_NAMES, type ImportFormat } from '../../transfer/formats.ts';
import { TransferEnd } from '../../transfer/TransferEnd.tsx';
import { byteCount } from '../../ui/figures.ts';
import { Check, Field, Form } from '../../ui/form.tsx';
import { Segments } from '../../ui/segments.tsx';
import { currentConnection, isUnkept } from '../database/connection.ts';
import { NewDatabaseFields } from '../open/NewDatabaseFields.tsx';
import { MatchNotes } from './ColumnMatch.tsx';
import { ImportFailures } from './ImportFailures.tsx';
import { ImportRowsFields, TableField } from './ImportRowsFields.tsx';
import { type Import, useImport } from './importing.ts';
import { LookAtRows } from './LookAtRows.tsx';
import { RowsPreview } from './RowsPreview.tsx';
import { StatementBeginning } from './StatementBeginning.tsx';
import { StrayValues } from './StrayValues.tsx';
import { WrittenFormsFields } from './WrittenFormsFields.tsx';

/** A file into a database, the open one or one that is made for it: statements, or rows of a table. */
export function ImportDialog({ files }: { readonly files: readonly File[] }): JSX.Element {
  const given = useImport(files);
  const { file, format, table, state, failure, advice, stoppedAt, failed, warned } = given;
  if (failed.value.length > 0 || warned.value.count > 0) return <ImportFailures given={given} />;
  const isUnaimed = format.value !== 'sql' && (table.value.trim() === '' || isUnmatched(given));
  return (
    <Form onSubmit={given.run}>
      <FileField given={given} />
      {file.value !== undefined && <WhatAndWhere given={given} />}
      <TransferEnd
        verb="Import"
        failure={failure.value}
        state={state.value}
        // How it is encoded is known when its beginning was looked at.
        isDisabled={given.head.value === undefined || isUnaimed || given.isWaiting.value}
        onCancel={given.cancel}
      >
        {advice.value !== undefined && <Advice given={given} />}
        {stoppedAt.value !== undefined && <StatementBeginning sql={stoppedAt.value} />}
      </TransferEnd>
    </Form>
  );
}

/** An existing table takes no rows until their columns are matched. */
function isUnmatched({ isNewTable, matching, plan }: Import): boolean {
  return !isNewTable && (plan.columns.value.length === 0 || matching.problem !== undefined);
}

/** A type that takes whatever comes. */
const TEXT = 'text';

interface PartProps {
  readonly given: Import;
}

/** What to do about a row that is not taken. */
function Advice({ given: { advice, goesOn, run } }: PartProps): JSX.Element {
  return (
    <div class="stray-value">
      <span class="muted">{advice.value}</span>
      {!goesOn.value && (
        <button
          type="button"
          class="button small"
          onClick={() => {
            goesOn.value = true;
            void run();
          }}
        >
          Skip invalid rows and import
        </button>
      )}
    </div>
  );
}

function FileField({ given }: PartProps): JSX.Element {
  const { file, choose, state } = given;
  return (
    <Field label="File" {...(file.value !== undefined && { hint: byteCount(file.value.size) })}>
      {id => (
        <label class="file-field" for={id}>
          <span class={file.value === undefined ? 'truncate muted' : 'truncate'}>
            {file.value?.name ?? 'A .sql, .csv, .tsv, .json or .jsonl file, also as .gz'}
          </span>
          <span class="button small">{file.value === undefined ? 'Choose a file' : 'Choose another file'}</span>
          <input
            id={id}
            class="visually-hidden"
            type="file"
            aria-label="File to import"
            accept=".sql,.csv,.tsv,.psv,.txt,.json,.jsonl,.ndjson,.gz,text/csv,application/json,application/sql"
            disabled={state.value !== undefined}
            // A file that was fixed can be chosen again under the same name.
            onClick={event => {
              event.currentTarget.value = '';
            }}
            onChange={event => {
              const [chosen] = event.currentTarget.files ?? [];
              if (chosen !== undefined) choose(chosen);
            }}
          />
        </label>
      )}
    </Field>
  );
}

function WhatAndWhere({ given }: PartProps): JSX.Element {
  const { format, place, target, made, goesOn, aimAt } = given;
  const isRunning = given.state.value !== undefined;
  return (
    <>
      <div class="form-row">
        <Field label="Format">
          {id => (
            <select
              id={id}
              class="field"
              value={format.value}
              disabled={isRunning}
              onChange={event => {
                format.value = event.currentTarget.value as ImportFormat;
              }}
            >
              {Object.entries(FORMAT_NAMES).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <EncodingField given={given} />
        {format.value === 'csv' && <CsvFields given={given} />}
      </div>
      {place !== undefined && !isRunning && (
        <div class="form-field">
          <span class="form-label">Into</span>
          <Segments
            label="Into"
            options={[
              { id: 'open', name: place },
              { id: 'new', name: 'A new database' },
            ]}
            chosen={target}
            onChoose={aimAt}
          />
        </div>
      )}
      {target === 'new' && <NewDatabaseFields made={made} isDisabled={isRunning} />}
      {target === 'new' && isUnkept.value && (
        <p class="form-problem">
          {currentConnection()?.label} is in memory only. Its changes will be lost when the new database is opened.
        </p>
      )}
      {format.value !== 'sql' && <TableField given={given} isDisabled={isRunning} />}
      <Preview given={given} />
      <WrittenFormsFields forms={given.forms} isDisabled={isRunning} />
      {format.value !== 'sql' && <ImportRowsFields given={given} isDisabled={isRunning} />}
      <Check
        label={format.value === 'sql' ? 'Continue after errors' : 'Skip invalid rows'}
        hint={format.value === 'sql' ? 'and list failed statements' : 'and list them'}
        isChecked={goesOn.value}
        isDisabled={isRunning}
        onChange={next => {
          goesOn.value = next;
        }}
      />
    </>
  );
}

function CsvFields({ given: { csv, state } }: PartProps): JSX.Element {
  const { separator, escape: quoteEscape, skipLines, hasTitles } = csv;
  const isDisabled = state.value !== undefined;
  return (
    <>
      <Field label="Delimiter">
        {id => (
          <select
            id={id}
            class="field"
            value={separator.value}
            disabled={isDisabled}
            onChange={event => {
              separator.value = event.currentTarget.value as Separator;
            }}
          >
            {SEPARATORS.map(({ id: value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Escape quotes by">
        {id => (
          <select
            id={id}
            class="field"
            value={quoteEscape.value}
            disabled={isDisabled}
            onChange={event => {
              quoteEscape.value = event.currentTarget.value === '' ? '' : '\\';
            }}
          >
            {ESCAPES.map(({ id: value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Lines to skip">
        {id => (
          <input
            id={id}
            class="field"
            type="number"
            min={0}
            value={skipLines.value}
            disabled={isDisabled}
            onInput={event => {
              skipLines.value = Math.max(0, Math.trunc(event.currentTarget.valueAsNumber || 0));
            }}
          />
        )}
      </Field>
      <Field label="Header row">
        {id => (
          <select
            id={id}
            class="field"
            value={hasTitles.value ? 'titles' : 'values'}
            disabled={isDisabled}
            onChange={event => {
              hasTitles.value = event.currentTarget.value === 'titles';
            }}
          >
            <option value="titles">Column names</option>
            <option value="values">None</option>
          </select>
        )}
      </Field>
    </>
  );
}

function EncodingField({ given }: PartProps): JSX.Element {
  const { format, encoding, state } = given;
  return (
    <Field label="Encoding">
      {id => (
        <select
          id={id}
          class="field"
          value={encoding.value}
          disabled={state.value !== undefined}
          onChange={event => {
            encoding.value = event.currentTarget.value;
          }}
        >
          {format.value === 'sql' && <option value={AS_SCRIPT_SAYS}>As the statements say</option>}
          {ENCODINGS.map(({ id: value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** How the file begins, so that one sees whether its text is read right. */
function Preview({ given }: PartProps): JSX.Element | null {
  const { format, encoding, state, plan } = given;
  const head = given.head.value;
  if (head === undefined || state.value !== undefined) return null;
  const isGuessed = head.encoding === undefined && format.value !== 'sql' && canBeText(head, encoding.value);
  return (
    <div class="form-field">
      <span class="form-label">Preview</span>
      {given.rows.length > 0 ? (
        <RowsPreview rows={given.rows} plan={plan} matching={given.isNewTable ? undefined : given.matching} />
      ) : (
        <pre class="import-preview">{previewOf(head, encoding.value)}</pre>
      )}
      {format.value !== 'sql' && !given.isNewTable && <MatchNotes matching={given.matching} table={given.tableName} />}
      {format.value !== 'sql' && <LookAtRows plan={plan} />}
      {format.value !== 'sql' && <Strays given={given} />}
      {!canBeText(head, encoding.value) && (
        <p class="form-warning" role="status">
          This does not look like text: it has bytes that no text has. Is it the right file?
        </p>
      )}
      {isGuessed && (
        <p class="form-warning" role="status">
          The text is not UTF-8: choose the encoding in which it reads well.
        </p>
      )}
    </div>
  );
}

function Strays({ given: { plan, key, isNewTable, intoColumns, matching } }: PartProps): JSX.Element {
  if (isNewTable) {
    const keyName = key.name.value ?? plan.columns.value[0]?.name;
    return <StrayValues plan={plan} typeOf={name => plan.types.value[name]} canBeNull={name => name !== keyName} />;
  }
  const inTable = (name: string) => intoColumns.find(column => column.name === matching.match[name]);
  // Columns that are left out say nothing.
  return (
    <StrayValues
      plan={plan}
      typeOf={name => inTable(name)?.type ?? TEXT}
      canBeNull={name => inTable(name)?.isNullable === true}
    />
  );
}
