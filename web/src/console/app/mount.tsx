import { render } from 'preact';
import { App } from './App.tsx';
import { type OpenFunction, setOpenFunction } from './connection.ts';
import { openSample, openUrl } from './opening.ts';

/** Shows the console in `host` and opens what the page's address asks for (`?open=ADDRESS`), else the sample. */
export function mountConsole(host: HTMLElement, open: OpenFunction): void {
  setOpenFunction(open);
  render(<App />, host);
  const wanted = new URLSearchParams(location.search).get('open');
  if (wanted === 'nothing') return;
  void (wanted === null ? openSample() : openUrl(wanted));
}
