/**
 * Lets the built page start without a network from then on. Where service workers are not allowed (private windows, pages
 * without TLS) it goes on needing one.
 */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // What it keeps is fetched behind what the first visit needs.
  window.addEventListener('load', () => {
    navigator.serviceWorker.register('./service_worker.js').catch(() => {});
  });
}
