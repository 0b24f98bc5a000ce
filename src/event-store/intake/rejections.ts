import type { Environment } from '../../shared/environment.ts';
import { HOUR_MS } from '../../shared/time.ts';

/** Before the reason of what was sent with a key for development: counted by itself. */
export const DEVELOPMENT_REASON = 'development:';

export type Rejection = {
  orgId: string;
  appId: string;
  hourMs: number;
  reason: string;
  batches: number;
  lastAtMs: number;
  lastExample: string | null;
};

const MAX_ENTRIES = 10_000;

/**
 * Batches that were turned away, counted until they are written to the database. Bounded: past the
 * limit new combinations of app, hour and reason are not counted.
 */
export class Rejections {
  private entries = new Map<string, Rejection>();

  add(
    where: { orgId: string; appId: string; environment: Environment },
    why: string,
    example: string | null,
    atMs: number,
  ) {
    const reason = where.environment === 'development' ? `${DEVELOPMENT_REASON}${why}` : why;
    const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    const key = `${where.appId} ${hourMs} ${reason}`;
    const found = this.entries.get(key);
    if (found) {
      found.batches += 1;
      found.lastAtMs = atMs;
      found.lastExample = example;
    } else if (this.entries.size < MAX_ENTRIES) {
      const { orgId, appId } = where;
      const once = { batches: 1, lastAtMs: atMs, lastExample: example };
      this.entries.set(key, { orgId, appId, hourMs, reason, ...once });
    }
  }

  /** Hands over what was counted; `giveBack` it when it could not be written. */
  take(): Rejection[] {
    const taken = [...this.entries.values()];
    this.entries = new Map();
    return taken;
  }

  giveBack(taken: readonly Rejection[]): void {
    for (const entry of taken) {
      const key = `${entry.appId} ${entry.hourMs} ${entry.reason}`;
      const newer = this.entries.get(key);
      if (newer) newer.batches += entry.batches;
      else this.entries.set(key, { ...entry });
    }
  }
}
