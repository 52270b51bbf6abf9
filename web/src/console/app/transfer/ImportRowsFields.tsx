import type { JSX } from 'preact';
import { keyNames } from '../../transfer/csv_head.ts';
import { Field } from '../../ui/form.tsx';
import type { Import } from './importing.ts';
import type { Duplicates, NewTableKey } from './new_table_key.ts';

const DUPLICATES: readonly { readonly id: Duplicates; readonly name: string }[] = [
  { id: 'error', name: 'Stop and import nothing' },
  { id: 'replace', name: 'Replace the existing row' },
  { id: 'ignore', name: 'Keep the existing row' },
];

const FIRST = 'first';
const NONE = 'none';
const NUMBERED = 'numbered';

interface FieldsProps {
  readonly given: Import;
  readonly isDisabled: boolean;
}

/** The table that the rows go into, or that is made for them. */
export function TableField({ given: { table, tables, isNewTable }, isDisabled }: FieldsProps): JSX.Element {
  return (
    <Field label="Table" hint={isNewTable ? 'Creates a new table' : 'Adds the rows to this table'}>
      {id => (
        <>
          <input
            id={id}
            class="field"
            list={`${id}-tables`}
            value={table.value}
            disabled={isDisabled}
            spellcheck={false}
            onInput={event => {
              table.value = event.currentTarget.value;
            }}
          />
          <datalist id={`${id}-tables`}>
            {tables.map(name => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** What the key of a new table is, and what becomes of rows that are there. */
export function ImportRowsFields({ given, isDisabled }: FieldsProps): JSX.Element {
  const { isNewTable, key, rows, duplicates, plan } = given;
  const names = keyNames(rows);
  const chosen = key.name.value;
  const hasKey = chosen !== '' || key.isNumbered.value;
  return (
    <>
      {isNewTable && (
        <Field label="Primary key" {...told(key)}>
          {id => (
            <select
              id={id}
              class="field"
              value={!hasKey ? NONE : chosen === undefined ? FIRST : chosen === '' ? NUMBERED : `=${chosen}`}
              disabled={isDisabled}
              onChange={({ currentTarget: { value } }) => {
                if (value === NUMBERED) key.chooseNumbered();
                else key.choose(value === FIRST ? undefined : value === NONE ? '' : value.slice(1));
              }}
            >
              {names.length === 0 && <option value={FIRST}>First column</option>}
              {names.map(name => (
                <option key={name} value={`=${name}`}>
                  {name}
                </option>
              ))}
              <option value={NUMBERED}>New column {key.numbered} with row numbers</option>
              <option value={NONE}>None (duplicate rows allowed)</option>
            </select>
          )}
        </Field>
      )}
      {(!isNewTable || chosen !== '') && (
        <Field label="On duplicate key">
          {id => (
            <select
              id={id}
              class="field"
              value={duplicates.value}
              disabled={isDisabled}
              onChange={event => {
                duplicates.value = event.currentTarget.value as Duplicates;
              }}
            >
              {DUPLICATES.map(({ id: value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label="Treat as NULL" hint="In columns of numbers or dates; separate several with commas">
        {id => (
          <input
            id={id}
            class="field"
            value={plan.nulls.value}
            disabled={isDisabled}
            placeholder="n/a, -"
            spellcheck={false}
            onInput={event => {
              plan.nulls.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
    </>
  );
}

/** What was chosen, and does not fit, is a problem; that there is no key because none fits is only said. */
function told({ name, isNumbered, unfit }: NewTableKey): { readonly problem?: string; readonly hint?: string } {
  const problem = unfit.value;
  if (name.value !== '') return problem === undefined ? {} : { problem };
  if (isNumbered.value) return {};
  return { hint: `${problem === undefined ? '' : `${problem} `}Without a key, single rows cannot be edited.` };
}
