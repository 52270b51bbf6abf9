/**
 * Starts the console where there is no network. It keeps the files of one build and nothing else: no database passes through it.
 * The page comes from its host whenever that answers, so that a new build is seen at the next start. What the page loads has
 * the hash of its content in its name, so that it never gets a file of another build.
 */
declare const self: ServiceWorkerGlobalScope;

/** What scripts/service_worker.mjs writes before this script. */
declare const BUILD: {
  /** Another one where any file is. */
  readonly version: string;
  /** Relative to the page, with the hashes of their contents. */
  readonly files: Readonly<Record<string, string>>;
};

/** The page, at the address that it has on every host. */
const PAGE = './';
/** Files below have the hash of their content in their name. */
const HASHED = 'assets/';
/** So long a host that does not answer is waited for where the answer was kept. */
const PATIENCE_MS = 3000;

/** Several consoles may lie on one host: each has its own. */
const CACHES = `varve ${self.registration.scope} `;
const cacheName = CACHES + BUILD.version;

self.addEventListener('install', event => event.waitUntil(keepFiles()));
self.addEventListener('activate', event => event.waitUntil(forgetOthers()));

self.addEventListener('fetch', event => {
  const { request } = event;
  const name = nameOf(request.url);
  if (request.method !== 'GET' || request.headers.has('range') || !Object.hasOwn(BUILD.files, name)) return;
  event.respondWith(name.startsWith(HASHED) ? keptFirst(request, name) : hostFirst(request, name));
});

/** All of them or none: where one does not have its hash, because the host is being changed just now, nothing is kept. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  const requests = Object.entries(BUILD.files).map(
    ([name, integrity]) => new Request(name, { integrity, cache: 'no-cache' }),
  );
  try {
    await cache.addAll(requests);
  } catch (error) {
    await caches.delete(cacheName);
    throw error;
  }
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter(name => name.startsWith(CACHES) && name !== cacheName);
  await Promise.all(others.map(name => caches.delete(name)));
}

/** Which file of the build an address means. What the page's has behind `?` is for the page to read. */
function nameOf(url: string): string {
  const { origin, pathname } = new URL(url);
  const scope = new URL(self.registration.scope);
  if (origin !== scope.origin || !pathname.startsWith(scope.pathname)) return '';
  const name = pathname.slice(scope.pathname.length);
  return name === '' || name === 'index.html' ? PAGE : name;
}

async function kept(name: string): Promise<Response | undefined> {
  const cache = await caches.open(cacheName);
  return cache.match(name);
}

async function keptFirst(request: Request, name: string): Promise<Response> {
  return (await kept(name)) ?? fetch(request);
}

async function hostFirst(request: Request, name: string): Promise<Response> {
  const answer = fetch(request);
  const inTime = Promise.race([answer, new Promise<undefined>(resolve => setTimeout(resolve, PATIENCE_MS))]);
  return (await inTime.catch(() => undefined)) ?? (await kept(name)) ?? answer;
}

export {};
