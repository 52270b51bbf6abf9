/** A turn of the event loop by posting a message to oneself: timers of nested depth would wait 4 ms. Several callers may wait at once. */
export function pauseByMessage(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  // Each message resumes one caller, in the order in which they asked.
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise(resolve => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}
