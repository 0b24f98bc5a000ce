import type { Store } from './store.ts';

// Each unsent event is a storage item of its own, `e.<page>.<n>`, which only its page touches, so
// that tabs append without a lock; `l.<page>` says when the page last lived.
export const STAMP_REFRESH_MS = 30_000;
const GONE_AFTER_MS = 5 * 60_000;

export interface Leftover {
  owner: string;
  events: { name: string; json: string }[];
}

function isEvent(json: string): boolean {
  try {
    const event = JSON.parse(json);
    return [event.id, event.name, event.anonymousId].every((field) => typeof field === 'string');
  } catch {
    return false;
  }
}

/** A clock set back or ahead makes a page look gone: it notices when its items have moved. */
export function isGone(store: Store, owner: string, now: number): boolean {
  const seen = Number(store.read(`l.${owner}`) ?? Number.NaN);
  return !(Math.abs(now - seen) < GONE_AFTER_MS);
}

/** What other pages keep, in the order in which they tracked it. Items that are no events go. */
export function leftovers(store: Store, page: string): Leftover[] {
  const owners = new Map<string, [number, string][]>();
  for (const name of store.names()) {
    const [kind, owner = '', n] = name.split('.');
    if (owner === page || (kind !== 'e' && kind !== 'l')) continue;
    const items = owners.get(owner) ?? [];
    if (kind === 'e') items.push([Number(n), name]);
    owners.set(owner, items);
  }
  return [...owners].map(([owner, items]) => ({
    owner,
    events: items
      .sort((a, b) => a[0] - b[0])
      .flatMap(([, name]) => {
        const json = store.read(name);
        if (json && isEvent(json)) return [{ name, json }];
        store.erase(name);
        return [];
      }),
  }));
}
