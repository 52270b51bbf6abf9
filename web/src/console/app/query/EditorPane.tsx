import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SchemaNames } from '../../editor/completion.ts';
import type { EditorEvents, SqlEditor } from '../../editor/editor.ts';
import { ParameterBar } from '../../parameters/ParameterBar.tsx';
import { run } from '../actions.ts';
import { currentConnection } from '../database/connection.ts';
import { isWrapped, view } from '../layout_state.ts';
import { beginToType, cursor, editor } from './editor_host.ts';
import { askedParameter, giveValue, parameterNames, parameterValues } from './parameters.ts';
import { setText, shownTab } from './query_tabs.ts';
import { foreignKeys } from './results/links.ts';

const NO_SCHEMA: SchemaNames = { databases: [], tables: [], keys: [] };

async function schemaNames(): Promise<SchemaNames> {
  const connection = currentConnection();
  if (connection === undefined) return NO_SCHEMA;
  const { catalog } = connection;
  const loaded = catalog.tables(catalog.place.peek()).peek();
  const tables = loaded?.kind === 'ready' ? loaded.value : [];
  return {
    databases: catalog.databases.peek(),
    keys: await foreignKeys(connection).catch(() => []),
    tables: tables.map(({ name, isView, columns }) => {
      const known = columns.peek();
      return { name, isView, columns: known?.kind === 'ready' ? known.value : [] };
    }),
  };
}

const EVENTS: EditorEvents = {
  onText: text => {
    const tab = shownTab.peek();
    if (tab !== undefined) setText(tab, text);
  },
  onRun: run,
  onCursor: (line, column) => {
    cursor.value = { line, column };
  },
  schema: schemaNames,
  complete: (sql, at) => currentConnection()?.session.complete(sql, at) ?? Promise.resolve({ from: at, items: [] }),
};

/** The one editor; tabs are documents that it shows. Its script arrives beside the page's, which is there before. */
export function EditorPane(): JSX.Element {
  const host = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let isGone = false;
    let made: SqlEditor | undefined;
    void import('../../editor/editor.ts').then(({ SqlEditor }) => {
      if (isGone || host.current === null) return;
      const tab = shownTab.peek();
      made = new SqlEditor(host.current, EVENTS, tab && { id: tab.id, text: tab.text.peek() });
      editor.value = made;
      if (view.peek() === 'query') beginToType();
    });
    return () => {
      isGone = true;
      editor.value = undefined;
      made?.destroy();
    };
  }, []);

  useSignalEffect(() => {
    const tab = shownTab.value;
    // A text that was set from elsewhere (history, the sample) is shown; one that was typed is there already.
    if (tab !== undefined) editor.value?.show(tab.id, tab.text.value);
  });

  useSignalEffect(() => editor.value?.wrap(isWrapped.value));

  return (
    <div class="editor-pane">
      <div ref={host} class="editor-host" />
      {parameterNames.value.length > 0 && (
        <ParameterBar
          names={parameterNames.value}
          values={parameterValues.value}
          asked={askedParameter.value}
          onChange={giveValue}
          onRun={() => run('statement')}
          onLeave={() => editor.peek()?.focus()}
        />
      )}
    </div>
  );
}
