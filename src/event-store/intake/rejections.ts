import type { Environment } from '../../shared/environment.ts';
import { isNoId } from '../../shared/identity.ts';
import { HOUR_MS } from '../../shared/time.ts';

/** Development batches are counted apart. */
export const DEVELOPMENT_REASON = 'development:';

export type Rejection = {
  orgId: string;
  appId: string;
  hourMs: number;
  reason: string;
  batches: number;
  lastAtMs: number;
  lastExample: string | null;
  people: string[];
  ofDevices: boolean;
};

const MAX_ENTRIES = 10_000;
const EXAMPLE_CHARACTERS = 300;
const MAX_IDS = 100;
/** The example is of the beginning. */
const SEARCHED_CHARACTERS = 8 * 1024;
const ID = '"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,800}"|-?\\d{1,40})';
const USERS = new RegExp(`"(?:user_?id|distinct_?id|\\$user_id)${ID}`, 'gi');
const DEVICES = new RegExp(`"(?:anonymous_?id|device_?id|\\$device_id)${ID}`, 'gi');

/** PostgreSQL's text holds neither NUL nor lone surrogates. */
const storable = (text: string) => text.replaceAll('\u0000', '').toWellFormed();

function idsIn(text: string, pattern: RegExp): string[] {
  const ids = new Set<string>();
  for (const [, id = ''] of text.matchAll(pattern)) {
    try {
      ids.add(id.startsWith('"') ? storable(String(JSON.parse(id))) : id);
    } catch {
      // No text that JSON knows.
    }
  }
  return [...ids].filter((id) => !isNoId(id)).slice(0, MAX_IDS);
}

function peopleIn(text: string): Pick<Rejection, 'people' | 'ofDevices'> {
  const searched = text.slice(0, SEARCHED_CHARACTERS);
  const users = idsIn(searched, USERS);
  const ofDevices = users.length === 0;
  return { people: ofDevices ? idsIn(searched, DEVICES) : users, ofDevices };
}

const toKey = ({ appId, hourMs, reason }: Pick<Rejection, 'appId' | 'hourMs' | 'reason'>) =>
  `${appId} ${hourMs} ${reason}`;

/** Past the limit, new combinations of app, hour and reason are dropped. */
export class Rejections {
  private entries = new Map<string, Rejection>();

  add(
    where: { orgId: string; appId: string; environment: Environment },
    why: string,
    said: string | null,
    atMs: number,
    times = 1,
  ) {
    const reason = where.environment === 'development' ? `${DEVELOPMENT_REASON}${why}` : why;
    const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    const { orgId, appId } = where;
    const lastExample = said && storable(said.slice(0, EXAMPLE_CHARACTERS));
    const once = {
      orgId,
      appId,
      hourMs,
      reason,
      lastAtMs: atMs,
      lastExample,
      ...peopleIn(said ?? ''),
    };
    const key = toKey(once);
    const known = this.entries.get(key);
    if (known || this.entries.size < MAX_ENTRIES) {
      this.entries.set(key, { ...once, batches: (known?.batches ?? 0) + times });
    }
  }

  take(): Rejection[] {
    const rejections = [...this.entries.values()];
    this.entries = new Map();
    return rejections;
  }

  giveBack(rejections: readonly Rejection[]): void {
    for (const entry of rejections) {
      const key = toKey(entry);
      const newer = this.entries.get(key);
      this.entries.set(key, newer ? { ...newer, batches: newer.batches + entry.batches } : entry);
    }
  }
}
