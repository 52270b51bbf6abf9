/** The console: bars, side panel, views, dialogs and toasts. */
import { useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';
import { focusedElement, giveFocusBack, useFocusPassedOn } from '../ui/focus.ts';
import { Lazy } from '../ui/lazy.tsx';
import { Split } from '../ui/split.tsx';
import { Toasts } from '../ui/toast.tsx';
import { type Connection, currentConnection, isUnkept, openState } from './database/connection.ts';
import { credentialsQuestion } from './database/credentials.ts';
import { watchOtherTabs } from './database/other_tabs.ts';
import { StorageBanner } from './database/StorageBanner.tsx';
import { dialog } from './dialogs.ts';
import { isDrawerOpen, isNarrow, isSideOpen, overlay, type View, view } from './layout_state.ts';
import { Opening } from './open/Opening.tsx';
import { OpenPanel } from './open/OpenPanel.tsx';
import { openDrop } from './open/opening.ts';
import { Start } from './open/Start.tsx';
import { Palette } from './Palette.tsx';
import { beginToType } from './query/editor_host.ts';
import { QueryView } from './query/QueryView.tsx';
import { hasEdits, tabs } from './query/query_tabs.ts';
import { Sidebar } from './Sidebar.tsx';
import { StatusBar } from './StatusBar.tsx';
import { onShortcut } from './shortcuts.ts';
import { TopBar } from './TopBar.tsx';
import { watchBrokenImports } from './transfer/broken_off.ts';
import { watchWorkingSet } from './versions/changes/working_set_state.ts';

const closeOverlay = () => {
  overlay.value = undefined;
};

export function App(): JSX.Element {
  useEffect(() => {
    window.addEventListener('keydown', onShortcut);
    return () => window.removeEventListener('keydown', onShortcut);
  }, []);
  useEffect(watchWorkingSet, []);
  useEffect(watchOtherTabs, []);
  useEffect(watchBrokenImports, []);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => (isUnkept.peek() || tabs.peek().some(hasEdits)) && event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  const state = openState.value;
  return (
    <div class="app">
      <TopBar />
      <div class="banners">
        <StorageBanner />
      </div>
      {state.kind === 'closed' ? <Start failure={state.failure} /> : <Workspace />}
      <StatusBar />
      <DropZone />
      {overlay.value === 'palette' && <Palette scope="all" />}
      {overlay.value === 'branches' && <Palette scope="branches" />}
      {overlay.value === 'shortcuts' && <Lazy load={loadShortcuts} props={{ onClose: closeOverlay }} />}
      {overlay.value === 'open' && (
        <Dialog title="Open a database" onClose={closeOverlay}>
          <OpenPanel />
        </Dialog>
      )}
      {dialog.value !== undefined && <Lazy load={loadDialogs} props={{ request: dialog.value }} />}
      {credentialsQuestion.value !== undefined && (
        <Lazy load={loadCredentials} props={{ question: credentialsQuestion.value }} />
      )}
      <Toasts />
    </div>
  );
}

/** It is there while a database is being opened too: the editor is ready, and nothing jumps when the rest comes. */
function Workspace(): JSX.Element {
  const connection = currentConnection();
  const page = useRef<HTMLElement>(null);
  useFocusPassedOn(page);
  const shown = useRef(view.value);
  // A view that closes takes the focus with it: a keyboard user continues in the next one.
  useEffect(() => {
    if (shown.current !== view.value) giveFocusBack(page.current);
    if (shown.current !== view.value && view.value === 'query') beginToType();
    shown.current = view.value;
  }, [view.value]);
  const main = (
    <main ref={page} class="main" tabIndex={-1}>
      <div class="view" hidden={view.value !== 'query'}>
        <QueryView />
      </div>
      {view.value !== 'query' && (
        <div class="view">
          {connection === undefined ? (
            <Opening />
          ) : (
            <Lazy key={view.value} load={PAGES[view.value]} props={{ connection }} />
          )}
        </div>
      )}
    </main>
  );
  return (
    <div class="workspace">
      <Split
        name="side"
        direction="columns"
        sized="first"
        initialPx={264}
        leastPx={160}
        leavePx={360}
        label="Width of the side panel"
        landmark="Side panel"
        isCollapsed={isNarrow.value || !isSideOpen.value}
      >
        <Sidebar connection={connection} />
        {main}
      </Split>
      {isNarrow.value && isDrawerOpen.value && <Drawer connection={connection} />}
    </div>
  );
}

function Drawer({ connection }: { readonly connection: Connection | undefined }): JSX.Element {
  const close = () => {
    isDrawerOpen.value = false;
  };
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = focusedElement();
    element.current?.focus();
    return () => queueMicrotask(() => giveFocusBack(before));
  }, []);
  return (
    <aside
      ref={element}
      class="drawer"
      tabIndex={-1}
      aria-label="Side panel"
      onKeyDown={event => event.key === 'Escape' && close()}
    >
      <Sidebar connection={connection} />
      <button type="button" class="drawer-rest" aria-label="Close the side panel" onClick={close} />
    </aside>
  );
}

/** Parts of the page that are loaded when they are first looked at. */
const PAGES: Readonly<Record<Exclude<View, 'query'>, () => Promise<ComponentType<PageProps>>>> = {
  changes: () => import('./versions/changes/ChangesPage.tsx').then(({ ChangesPage }) => ChangesPage),
  log: () => import('./versions/log/LogView.tsx').then(({ LogView }) => LogView),
  compare: () => import('./versions/compare/ComparePage.tsx').then(({ ComparePage }) => ComparePage),
  diagram: () => import('./DiagramPage.tsx').then(({ DiagramPage }) => DiagramPage),
};
const loadShortcuts = () => import('./ShortcutsHelp.tsx').then(({ ShortcutsHelp }) => ShortcutsHelp);
const loadCredentials = () =>
  import('./database/CredentialsDialog.tsx').then(({ CredentialsDialog }) => CredentialsDialog);
const loadDialogs = () => import('./Dialogs.tsx').then(({ Dialogs }) => Dialogs);

interface PageProps {
  readonly connection: Connection;
}

/** The whole page takes drops; while something hangs over it, it says so. */
function DropZone(): JSX.Element | null {
  const isOver = useSignal(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const drop = (event: DragEvent) => {
      isOver.value = false;
      if (event.dataTransfer === null || !hasFiles(event)) return;
      event.preventDefault();
      void openDrop(event.dataTransfer);
    };
    const events = { dragenter: over, dragover: over, dragleave: leave, drop } as const;
    for (const [name, handler] of Object.entries(events)) {
      window.addEventListener(name, handler as EventListener, { capture: true });
    }
    return () => {
      for (const [name, handler] of Object.entries(events)) {
        window.removeEventListener(name, handler as EventListener, { capture: true });
      }
    };
  }, []);
  if (!isOver.value) return null;
  return (
    <div class="drop-zone" aria-hidden="true">
      <strong>Drop to open</strong>
      <span>A database directory, a .zip or a .tar.gz; or a .sql, .csv or .json to import</span>
    </div>
  );
}
