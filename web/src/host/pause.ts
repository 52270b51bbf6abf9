/** A turn of the event loop by posting a message to oneself: timers of nested depth would wait 4 ms. */
export function pauseByMessage(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  let resume: () => void = () => {};
  port1.onmessage = () => resume();
  return () =>
    new Promise(resolve => {
      resume = resolve;
      port2.postMessage(null);
    });
}
