/** Start of the console in a page. */
import { render } from 'preact';
import { App } from './App.tsx';
import { type OpenFunction, setOpenFunction } from './database/connection.ts';
import { followHistory } from './navigation/navigation.ts';
import { entryOf } from './navigation/page_state.ts';
import { openWanted } from './open/opening.ts';

/** Shows the console in `host` and opens what the page's address asks for. */
export function mountConsole(host: HTMLElement, open: OpenFunction): void {
  setOpenFunction(open);
  // The database is on its way while the page is drawn.
  const opened = openWanted(entryOf(history.state));
  render(<App />, host);
  followHistory(opened);
}
