import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { forgetRecent, listRecent, type Recent } from '../../files/recent.ts';
import { canPickDirectory } from '../../files/sources.ts';
import { byteCount } from '../../ui/figures.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Segments } from '../../ui/segments.tsx';
import { dialog } from '../dialogs.ts';
import { overlay } from '../layout_state.ts';
import { BUDGETS_BYTES, MODES, openBudgetBytes, openMode } from './open_settings.ts';
import { openFiles, openPicked, openRecent, openSample, openUrl } from './opening.ts';
import { StoredList } from './StoredList.tsx';

/** All ways to open a database, as they stand in the dialog and on the first page. */
export function OpenPanel(): JSX.Element {
  const directory = useRef<HTMLInputElement>(null);
  const archive = useRef<HTMLInputElement>(null);
  const pick = () => (canPickDirectory() ? void openPicked() : directory.current?.click());
  return (
    <div class="open-panel">
      {/* Who comes back means to go on with what is there. */}
      <StoredList />
      <RecentList />
      <div class="open-choices">
        <Choice
          icon="folder"
          title="Directory"
          text="A Dolt database on this machine: the directory that contains .dolt"
          onChoose={pick}
        />
        <Choice
          icon="archive"
          title="Archive"
          text="A .zip or .tar.gz of a database directory"
          onChoose={() => archive.current?.click()}
        />
        <Choice
          icon="sample"
          title="Sample"
          text="A seed bank with history, in memory"
          onChoose={() => void openSample()}
        />
        <Choice
          icon="plus"
          title="New database"
          text="Empty, in this browser or in memory"
          onChoose={() => {
            overlay.value = undefined;
            dialog.value = { kind: 'new-database' };
          }}
        />
        <Choice
          icon="globe"
          title="Clone a remote"
          text="An editable copy in this browser, to pull and push"
          onChoose={() => {
            overlay.value = undefined;
            dialog.value = { kind: 'clone' };
          }}
        />
        <Choice
          icon="upload"
          title="Import a file"
          text="A MySQL dump (.sql), CSV or JSON"
          onChoose={() => {
            overlay.value = undefined;
            dialog.value = { kind: 'import', files: [] };
          }}
        />
      </div>
      <UrlForm />
      <p class="drop-hint">Or drop a directory or file anywhere on this page. Files stay in this browser.</p>
      <ReadingOptions />
      <input
        ref={directory}
        class="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-label="Database directory"
        {...{ webkitdirectory: true }}
        onChange={event => void openFiles(event.currentTarget.files)}
      />
      <input
        ref={archive}
        class="visually-hidden"
        type="file"
        tabIndex={-1}
        accept=".zip,.tar.gz,.tgz,.gz,.sql,.csv,.json,.jsonl,.ndjson,application/zip,application/gzip"
        aria-label="Archive of a database"
        onChange={event => void openFiles(event.currentTarget.files)}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly onChoose: () => void;
}

function Choice({ icon, title, text, onChoose }: ChoiceProps): JSX.Element {
  return (
    <button type="button" class="open-choice" onClick={onChoose}>
      <Icon name={icon} />
      <strong>{title}</strong>
      <span class="muted">{text}</span>
    </button>
  );
}

/** What was typed stays when it could not be opened, to be mended. */
const url = signal('');

function UrlForm(): JSX.Element {
  return (
    <form
      class="open-url"
      onSubmit={event => {
        event.preventDefault();
        if (url.value.trim() !== '') void openUrl(url.value);
      }}
    >
      <input
        class="field"
        type="url"
        inputMode="url"
        placeholder="https://example.org/data/my_database"
        aria-label="URL of a database directory or file remote"
        value={url.value}
        onInput={event => {
          url.value = event.currentTarget.value;
        }}
      />
      <button type="submit" class="button" disabled={url.value.trim() === ''}>
        Open URL
      </button>
    </form>
  );
}

function ReadingOptions(): JSX.Element {
  const mode = MODES.find(({ id }) => id === openMode.value);
  return (
    <details class="reading">
      <summary>
        Memory use: {openMode.value}, {byteCount(openBudgetBytes.value)}
      </summary>
      <div class="reading-options">
        <Segments
          label="Memory use"
          options={MODES}
          chosen={openMode.value}
          onChoose={id => {
            openMode.value = id;
          }}
        />
        <label>
          Memory
          <select
            class="field"
            value={openBudgetBytes.value}
            onChange={event => {
              openBudgetBytes.value = Number(event.currentTarget.value);
            }}
          >
            {BUDGETS_BYTES.map(bytes => (
              <option key={bytes} value={bytes}>
                {byteCount(bytes)}
              </option>
            ))}
          </select>
        </label>
        <p class="muted">{mode?.meaning}. Applies when a database is opened.</p>
      </div>
    </details>
  );
}

function RecentList(): JSX.Element | null {
  const recent = useSignal<readonly Recent[]>([]);
  const read = () =>
    void listRecent().then(list => {
      recent.value = list;
    });
  useEffect(read, []);
  if (recent.value.length === 0) return null;
  return (
    <section class="recent" aria-label="Recent">
      <h3>Recent</h3>
      <ul>
        {recent.value.map(entry => (
          <li key={entry.key} class="recent-entry">
            <button type="button" class="recent-open" onClick={() => void openRecent(entry)}>
              <Icon name={entry.url === undefined ? 'folder' : 'globe'} />
              <span class="truncate">{entry.label}</span>
              <span class="muted truncate">{entry.url ?? 'directory'}</span>
            </button>
            <button
              type="button"
              class="button quiet small icon-only"
              aria-label={`Forget ${entry.label}`}
              onClick={() => void forgetRecent(entry.key).then(read)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
