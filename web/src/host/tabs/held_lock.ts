/** A Web Lock that is held until it is given back; the browser gives it back when the tab dies. */
export interface HeldLock {
  release(): void;
}

/** Null while another tab holds it. */
export function tryLock(name: string): Promise<HeldLock | null> {
  return new Promise((resolve, reject) => {
    const take = (lock: Lock | null) => (lock === null ? resolve(null) : hold(resolve));
    navigator.locks.request(name, { ifAvailable: true }, take).catch(reject);
  });
}

/** In the queue until everybody before has given it back. */
export function waitForLock(name: string, signal: AbortSignal): Promise<HeldLock> {
  return new Promise((resolve, reject) => {
    navigator.locks.request(name, { signal }, () => hold(resolve)).catch(reject);
  });
}

function hold(resolve: (lock: HeldLock) => void): Promise<void> {
  return new Promise(release => resolve({ release }));
}
