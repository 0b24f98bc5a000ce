import type { KeyValue } from './host.ts';

/** Named strings that outlive the page where the browser allows it. None of it throws. */
export interface Store {
  read(name: string): string | null;
  /** False when it could not be kept beyond this page. */
  write(name: string, value: string): boolean;
  erase(name: string): void;
  names(): string[];
}

function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

export function createStore(
  open: () => KeyValue | null | undefined,
  prefix: string,
  onUnavailable: () => void,
): Store {
  const area = attempt(open, null);
  return {
    read: (name) => attempt(() => area?.getItem(prefix + name) ?? null, null),
    write: (name, value) => {
      const kept = attempt(() => {
        area?.setItem(prefix + name, value);
        return Boolean(area);
      }, false);
      if (!kept) onUnavailable();
      return kept;
    },
    erase: (name) => attempt(() => area?.removeItem(prefix + name), undefined),
    names: () =>
      attempt(() => {
        const found: string[] = [];
        for (let index = 0; index < (area?.length ?? 0); index += 1) {
          const name = area?.key(index);
          if (name?.startsWith(prefix)) found.push(name.slice(prefix.length));
        }
        return found;
      }, []),
  };
}
