/** Long enough for a first visit to have its first answer: what is fetched to be kept would make it wait. */
const FIRST_VISIT_MS = 5000;

/**
 * Lets the built page start without a network from then on. Where service workers are not allowed (private windows, pages
 * without TLS) it goes on needing one.
 */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register('./service_worker.js').catch(() => {});
  window.addEventListener('load', () => setTimeout(register, FIRST_VISIT_MS));
}
