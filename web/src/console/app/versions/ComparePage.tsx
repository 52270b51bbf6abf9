import type { JSX } from 'preact';
import { CompareView } from '../../versions/CompareView.tsx';
import type { Connection } from '../connection.ts';
import { areStacked } from '../layout_state.ts';
import { copyLinkTo } from '../page_link.ts';
import { useHere } from '../use_here.ts';
import { useRefs } from '../use_refs.ts';
import { comparedRange, comparedTable } from './compare_state.ts';
import { DiffPane } from './DiffPane.tsx';
import { saveAsRows, saveAsScript } from './save_difference.ts';
import { workingSet } from './working_set_state.ts';

/** Two commits side by side. A part of the page that is loaded when it is first looked at. */
export function ComparePage({ connection }: { readonly connection: Connection }): JSX.Element | null {
  const database = useHere(connection);
  const place = connection.catalog.place.value;
  const version = workingSet.value?.version.value ?? 0;
  const refs = useRefs(connection);
  if (database === undefined) return null;
  return (
    <CompareView
      key={`${place.database}/${place.branch}`}
      database={database}
      range={comparedRange}
      chosen={comparedTable}
      refs={refs}
      onCopyLink={range => void copyLinkTo({ ...range })}
      onSaveScript={range => void saveAsScript(database, range)}
      onSaveRows={(range, table) => void saveAsRows(database, range, table)}
      version={version}
      isNarrow={areStacked.value}
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
