import type { KeyValue } from './host.ts';
import type { AsyncStorageLike } from './native-types.ts';

function trackedAt(event: string): number {
  try {
    return Date.parse(JSON.parse(event).ts) || 0;
  } catch {
    return 0;
  }
}

/** What is kept: events of earlier launches as those of one, in the order in which they were tracked. */
async function readDisk(
  storage: AsyncStorageLike,
  prefix: string,
  isStamp: (name: string) => boolean,
) {
  const items = new Map<string, string>();
  /** The key on the disk of an item that an earlier launch wrote: renaming it would write it anew. */
  const places = new Map<string, string>();
  /** Events of earlier launches by their text, which has an id that no other has. */
  const earlier = new Map<string, string>();
  const doubled: string[] = [];
  const names = (await storage.getAllKeys()).filter((name) => name.startsWith(prefix));
  const values = await Promise.all(names.map((name) => storage.getItem(name)));
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (typeof value !== 'string' || isStamp(name)) continue;
    if (!name.startsWith(`${prefix}e.`)) items.set(name, value);
    else if (earlier.has(value)) doubled.push(name);
    else earlier.set(value, name);
  }
  const events = [...earlier].sort(([one], [other]) => trackedAt(one) - trackedAt(other));
  for (const [index, [value, place]] of events.entries()) {
    const name = `${prefix}e.earlier.${index + 1}`;
    items.set(name, value);
    places.set(name, place);
  }
  return { items, places, earlier, doubled };
}

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
  const changes = new Map<string, string | null>();
  // Says for other tabs that a page lives; an app has no other, and a launch that is over none at all.
  const isStamp = (name: string) => name.startsWith(`${prefix}l.`);
  let writing = false;

  const { items, places, earlier, doubled } = await readDisk(storage, prefix, isStamp);

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
  for (const name of doubled) change(name, null);
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => {
      items.set(name, value);
      const place = earlier.get(value);
      if (place === undefined) return change(name, value);
      earlier.delete(value);
      places.set(name, place);
    },
    removeItem: (name) => {
      const [value, place = name] = [items.get(name), places.get(name)];
      places.delete(name);
      if (!items.delete(name)) return;
      // It has another name already, under which it goes later.
      const isRenamed = place !== name && [...places.values()].includes(place);
      if (isRenamed) return;
      if (value !== undefined) earlier.delete(value);
      change(place, null);
    },
  };
}
