import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** A chunk that is loaded by use; undefined until it is there. Loaded again after it could not be. */
export function useModule<T>(load: () => Promise<T>, enabled = true): T | undefined {
  const loaded = useSignal<{ module: T } | undefined>(undefined);
  useEffect(() => {
    if (!enabled || loaded.value) return;
    let isOver = false;
    load()
      .then((module) => {
        if (!isOver) loaded.value = { module };
      })
      .catch(() => {});
    return () => {
      isOver = true;
    };
  }, [enabled]);
  return loaded.value?.module;
}
