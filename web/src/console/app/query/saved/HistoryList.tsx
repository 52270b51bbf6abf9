import type { JSX } from 'preact';
import { counted, duration } from '../../../ui/figures.ts';
import { currentConnection } from '../../database/connection.ts';
import { isDrawerOpen, view } from '../../layout_state.ts';
import { addTab, setText, shownTab } from '../query_tabs.ts';
import { type HistoryEntry, history } from './history.ts';

function use(entry: HistoryEntry): void {
  view.value = 'query';
  isDrawerOpen.value = false;
  const tab = shownTab.peek();
  if (tab !== undefined && tab.text.peek().trim() === '') setText(tab, entry.sql);
  else addTab(entry.sql);
}

function when(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString([], { month: 'short', day: 'numeric' });
}

const LINES_MAX = 200;

/** Statements that ran, newest first. Choosing one puts it into a tab; it does not run by itself. */
export function HistoryList({ filter }: { readonly filter: string }): JSX.Element {
  const here = currentConnection()?.catalog.place.value.database;
  const entries = history.value.filter(({ sql }) => filter === '' || sql.toLowerCase().includes(filter));
  if (entries.length === 0) {
    return (
      <div class="empty">
        <p>{filter === '' ? 'Statements that you run appear here.' : 'No matching statements.'}</p>
      </div>
    );
  }
  return (
    <ul class="history">
      {entries.slice(0, LINES_MAX).map(entry => (
        <li key={`${entry.at}:${entry.sql}`}>
          <button type="button" class="history-entry" title={entry.sql.slice(0, 1000)} onClick={() => use(entry)}>
            <code class="truncate">{entry.sql.replace(/\s+/g, ' ').slice(0, 200)}</code>
            <span class={`history-facts figures ${entry.outcome}`}>
              <span>{when(entry.at)}</span>
              <span>{entry.outcome === 'done' ? counted(entry.rowCount, 'row') : entry.outcome}</span>
              {entry.database !== here && <span class="truncate">{entry.database}</span>}
              <span>{duration(entry.totalMs)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
