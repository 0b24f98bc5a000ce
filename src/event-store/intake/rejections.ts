import type { Environment } from '../../shared/environment.ts';
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
};

const MAX_ENTRIES = 10_000;

const toKey = ({ appId, hourMs, reason }: Pick<Rejection, 'appId' | 'hourMs' | 'reason'>) =>
  `${appId} ${hourMs} ${reason}`;

/** Past the limit, new combinations of app, hour and reason are dropped. */
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
    const { orgId, appId } = where;
    const once = { orgId, appId, hourMs, reason, lastAtMs: atMs, lastExample: example };
    const key = toKey(once);
    const known = this.entries.get(key);
    if (known || this.entries.size < MAX_ENTRIES) {
      this.entries.set(key, { ...once, batches: (known?.batches ?? 0) + 1 });
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
