import type { KeyValue } from './host.ts';
import type { AsyncStorageLike } from './native-types.ts';

/**
 * An asynchronous storage as the synchronous one that the client works with: read once, then a copy in
 * memory whose changes are written behind. A change is handed to the storage within the call that
 * makes it, unless an earlier one is still being written.
 */
export async function openDisk(
  storage: AsyncStorageLike,
  prefix: string,
  onFault: () => void,
): Promise<KeyValue> {
  const items = new Map<string, string>();
  const changes = new Map<string, string | null>();
  // Says for other tabs that a page lives; an app has no other, and a launch that is over none at all.
  const isStamp = (name: string) => name.startsWith(`${prefix}l.`);
  let writing = false;

  const names = (await storage.getAllKeys()).filter((name) => name.startsWith(prefix));
  const values = await Promise.all(names.map((name) => storage.getItem(name)));
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (typeof value === 'string' && !isStamp(name)) items.set(name, value);
  }

  async function settle(writes: (() => Promise<unknown>)[]): Promise<void> {
    await Promise.all(writes.map(async (write) => write().catch(onFault)));
  }
  /** What is new before what goes, so that an app that is killed in between loses nothing. */
  async function writeBehind(): Promise<void> {
    if (writing) return;
    writing = true;
    while (changes.size) {
      const round = [...changes];
      changes.clear();
      await settle(
        round.flatMap(([name, value]) =>
          value === null ? [] : [async () => storage.setItem(name, value)],
        ),
      );
      await settle(
        round.flatMap(([name, value]) =>
          value === null ? [async () => storage.removeItem(name)] : [],
        ),
      );
    }
    writing = false;
  }
  function change(name: string, value: string | null): void {
    if (isStamp(name)) return;
    changes.set(name, value);
    void writeBehind();
  }
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => {
      items.set(name, value);
      change(name, value);
    },
    removeItem: (name) => {
      if (items.delete(name)) change(name, null);
    },
  };
}
