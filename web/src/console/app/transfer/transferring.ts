import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** A file is being read or written: what closes the dialog or the page by mistake would break it off. */
export const isTransferring = signal(false);

export function useTransferring(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    isTransferring.value = true;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => {
      isTransferring.value = false;
      window.removeEventListener('beforeunload', ask);
    };
  }, [isRunning]);
}
