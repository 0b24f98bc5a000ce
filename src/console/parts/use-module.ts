import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

type Loaded<T> = {
  module: T | undefined;
  isMissing: boolean;
};

export function useModule<T>(load: () => Promise<T>, enabled = true): Loaded<T> {
  const loaded = useSignal<Loaded<T>>({ module: undefined, isMissing: false });
  useEffect(() => {
    if (!enabled || loaded.value.module) return;
    let isOver = false;
    const settle = (next: Loaded<T>) => {
      if (!isOver) loaded.value = next;
    };
    load().then(
      (module) => settle({ module, isMissing: false }),
      () => settle({ module: undefined, isMissing: true }),
    );
    return () => {
      isOver = true;
    };
  }, [enabled]);
  return loaded.value;
}
