import type { JSX } from 'preact';
import { CompareView } from '../../../versions/CompareView.tsx';
import type { Connection } from '../../database/connection.ts';
import { useBoundDatabase } from '../../database/use_bound_database.ts';
import { useRefs } from '../../database/use_refs.ts';
import { areStacked } from '../../layout_state.ts';
import { copyLinkTo } from '../../navigation/page_link.ts';
import { workingSet } from '../changes/working_set_state.ts';
import { comparedRange, comparedTable } from './compare_state.ts';
import { DiffPane } from './DiffPane.tsx';
import { saveAsRows, saveAsScript } from './save_difference.ts';

/** Two commits side by side. A part of the page that is loaded when it is first looked at. */
export function ComparePage({ connection }: { readonly connection: Connection }): JSX.Element | null {
  const database = useBoundDatabase(connection);
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
