import type { Environment } from '../../shared/environment.ts';
import { HOUR_MS } from '../../shared/time.ts';

/** Prefix of the reasons of batches sent with a development key, which are counted apart. */
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
 * Counts of rejected batches until they are stored. Bounded: past the limit new combinations of app,
 * hour and reason are not counted.
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
    const entry = this.entries.get(key);
    if (entry) {
      entry.batches += 1;
      entry.lastAtMs = atMs;
      entry.lastExample = example;
    } else if (this.entries.size < MAX_ENTRIES) {
      const { orgId, appId } = where;
      const once = { batches: 1, lastAtMs: atMs, lastExample: example };
      this.entries.set(key, { orgId, appId, hourMs, reason, ...once });
    }
  }

  /** Empties the counts; `giveBack` them when they could not be stored. */
  take(): Rejection[] {
    const rejections = [...this.entries.values()];
    this.entries = new Map();
    return rejections;
  }

  giveBack(rejections: readonly Rejection[]): void {
    for (const entry of rejections) {
      const key = `${entry.appId} ${entry.hourMs} ${entry.reason}`;
      const newer = this.entries.get(key);
      if (newer) newer.batches += entry.batches;
      else this.entries.set(key, { ...entry });
    }
  }
}
