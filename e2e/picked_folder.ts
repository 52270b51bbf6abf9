// A folder of the disk in a page, as if a person had picked it: a test cannot press a button of the browser's own dialog.
import type { BrowserContext, Page } from 'playwright/test';

/** In place of the dialog: the folder that was offered last. */
export async function pickOffered(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.showDirectoryPicker = () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('offered', 1);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const asking = opening.result.transaction('folders').objectStore('folders').get('last');
          asking.onsuccess = () => resolve(asking.result);
          opening.result.close();
        };
      });
  });
}

/** Drops a folder on an empty page of the same origin, which keeps its handle. */
export async function offerFolder(page: Page, blank: string, path: string): Promise<void> {
  await page.goto(blank);
  await page.evaluate(() => {
    document.body.style.height = '100vh';
    addEventListener('dragover', event => event.preventDefault());
    const dropped = new Promise<void>((resolve, reject) => {
      addEventListener('drop', async event => {
        event.preventDefault();
        const handle = await event.dataTransfer?.items[0]?.getAsFileSystemHandle();
        const opening = indexedDB.open('offered', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('folders');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const writing = opening.result.transaction('folders', 'readwrite');
          writing.objectStore('folders').put(handle, 'last');
          writing.oncomplete = () => resolve();
          opening.result.close();
        };
      });
    });
    Object.assign(window, { dropped });
  });
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 50, y: 50, data });
  await page.evaluate(() => (window as unknown as { dropped: Promise<void> }).dropped);
}
