import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { CompareView } from '../../versions/CompareView.tsx';
import type { Connection } from '../connection.ts';
import { isNarrow } from '../layout_state.ts';
import { useHere } from '../use_here.ts';
import { comparedRange } from './change_actions.ts';
import { DiffPane } from './DiffPane.tsx';
import { workingSet } from './working_set_state.ts';

/** Two commits side by side. A part of the page that is loaded when it is first looked at. */
export function ComparePage({ connection }: { readonly connection: Connection }): JSX.Element | null {
  const database = useHere(connection);
  const tags = useSignal<readonly string[]>([]);
  const place = connection.catalog.place.value;
  const version = workingSet.value?.version.value ?? 0;
  useEffect(() => {
    connection.database.query('SELECT tag_name FROM dolt_tags').then(
      ({ rows }) => {
        tags.value = rows.map(row => String(row.tag_name));
      },
      () => undefined,
    );
  }, [connection, connection.catalog.version.value]);
  if (database === undefined) return null;
  const loaded = connection.catalog.branches(place.database).value;
  const branches = loaded?.kind === 'ready' ? loaded.value.map(({ name }) => name) : [];
  return (
    <CompareView
      key={`${place.database}/${place.branch}`}
      database={database}
      range={comparedRange}
      refs={[...branches, ...tags.value]}
      version={version}
      isNarrow={isNarrow.value}
      renderDiff={(from, to, changed) => (
        <DiffPane
          key={`${from} ${to} ${changed.table}`}
          database={database}
          from={from}
          to={to}
          change={changed}
          version={version}
        />
      )}
    />
  );
}
