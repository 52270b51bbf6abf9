import { useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

interface LazyProps<P> {
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
}

/** A component whose code is loaded when it is first shown. */
export function Lazy<P extends object>({ load, props }: LazyProps<P>): JSX.Element | null {
  const loaded = useSignal<{ readonly Component: ComponentType<P> } | undefined>(undefined);
  useEffect(() => {
    void load().then(Component => {
      loaded.value = { Component };
    });
  }, []);
  const Component = loaded.value?.Component;
  return Component === undefined ? null : <Component {...props} />;
}
