import type { Host } from './host.ts';
import { isGone, leftovers, STAMP_REFRESH_MS } from './pages.ts';
import type { Store } from './store.ts';
import type { Report } from './types.ts';

export const QUEUE_CAP = 500;
/** An origin has some 5 MB, and they are the host's: what goes beyond this lives in memory only. */
const STORED_MAX_BYTES = 1_000_000;

export interface Entry {
  /** Where it is kept; null for one that only this page holds. */
  name: string | null;
  json: string;
  bytes: number;
}

export interface Queue {
  readonly length: number;
  add(json: string): void;
  /** The oldest events, up to `count` of them and `bytes` of UTF-8; at least one. */
  head(count: number, bytes: number): Entry[];
  remove(entries: Entry[]): void;
  /** Lets go of what another tab has taken over meanwhile. */
  refresh(): void;
  /** Takes over what pages that are gone have left; true when some must be left for later. */
  adopt(): boolean;
  /** Says that this page goes away and that others may have its events. */
  leave(): void;
  clear(): void;
}

export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

function fitting(entries: Entry[], count: number, bytes: number): Entry[] {
  let size = 0;
  let end = 0;
  for (const entry of entries.slice(0, count)) {
    size += entry.bytes + 1;
    if (end && size > bytes) break;
    end += 1;
  }
  return entries.slice(0, end);
}

/** The unsent events of one page, kept as `pages.ts` says. */
export function createQueue(store: Store, host: Host, report: Report): Queue {
  const page = host.id().replace(/\W/g, '');
  const stamp = `l.${page}`;
  let entries: Entry[] = [];
  let counter = 0;
  let stampedAt = Number.NEGATIVE_INFINITY;
  // Browsers say `hide` after `leave`: that must not bring the stamp back.
  let left = false;

  const erase = (entry: Entry) => entry.name && store.erase(entry.name);
  const stayAlive = () => {
    const now = host.now();
    if (left || Math.abs(now - stampedAt) < STAMP_REFRESH_MS) return;
    if (store.write(stamp, String(now))) stampedAt = now;
  };
  const trim = () => {
    while (entries.length > QUEUE_CAP) {
      entries.splice(0, 1).forEach(erase);
      report('queue_full', 'The queue is full; the oldest event was dropped.');
    }
  };
  /** Written under the new name before the old one goes, so that a crash in between loses nothing. */
  const keep = (json: string, old: string | null): Entry => {
    stayAlive();
    counter += 1;
    const name = `e.${page}.${counter}`;
    const bytes = utf8Length(json);
    const stored = entries.reduce((sum, entry) => sum + (entry.name ? entry.bytes : 0), bytes);
    const kept = stored <= STORED_MAX_BYTES && store.write(name, json);
    if (kept && old) store.erase(old);
    return { name: kept ? name : old, json, bytes };
  };

  return {
    get length() {
      return entries.length;
    },
    add: (json) => {
      entries.push(keep(json, null));
      trim();
    },
    head: (count, bytes) => fitting(entries, count, bytes),
    remove: (sent) => {
      sent.forEach(erase);
      entries = entries.filter((entry) => !sent.includes(entry));
    },
    refresh: () => {
      entries = entries.filter((entry) => !entry.name || store.read(entry.name) !== null);
      if (entries.length) stayAlive();
    },
    adopt: () => {
      left = false;
      let othersLive = false;
      for (const { owner, events } of leftovers(store, page)) {
        if (!isGone(store, owner, host.now())) {
          othersLive = true;
          continue;
        }
        // Older than anything of this page: they go first, and are the first to fall off.
        entries = [...events.map(({ name, json }) => keep(json, name)), ...entries];
        trim();
        store.erase(`l.${owner}`);
      }
      return othersLive;
    },
    leave: () => {
      left = true;
      store.erase(stamp);
      stampedAt = Number.NEGATIVE_INFINITY;
    },
    clear: () => {
      entries = [];
      for (const name of store.names()) if (/^[el]\./.test(name)) store.erase(name);
    },
  };
}
