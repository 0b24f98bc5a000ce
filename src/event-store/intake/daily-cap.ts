import { DAY_MS, SECOND_MS } from '../../shared/time.ts';

/** Events accepted on a UTC day by all processes, by app, as far as they are compacted. */
export type CountedToday = (
  appIds: readonly string[],
  dayMs: number,
) => Promise<Map<string, number>>;

const REFRESH_MS = 10 * SECOND_MS;

type AppDay = { counted: number; since: number };

/**
 * Counts the events of each app on the UTC day of `nowMs`: those of this process since its last
 * refresh, and those of all processes until then. Without a database the own count goes on, so
 * ingest never waits for it.
 */
export class DailyCap {
  private dayMs = 0;
  private apps = new Map<string, AppDay>();
  private refreshedAtMs = 0;
  private refreshing = false;

  constructor(
    private readonly countedToday: CountedToday,
    private readonly onFailure: (thrown: unknown) => void,
  ) {}

  /** Counts `events` more; false, without counting, when they would exceed the cap. */
  take(appId: string, events: number, cap: number, nowMs: number): boolean {
    this.turnDay(nowMs);
    const app = this.apps.get(appId) ?? { counted: 0, since: 0 };
    this.apps.set(appId, app);
    if (nowMs - this.refreshedAtMs >= REFRESH_MS) void this.refresh(nowMs);
    if (app.counted + app.since + events > cap) return false;
    app.since += events;
    return true;
  }

  /** Takes back events that were counted but could not be stored. */
  giveBack(appId: string, events: number): void {
    const app = this.apps.get(appId);
    if (app) app.since = Math.max(0, app.since - events);
  }

  /** Whole seconds until the next UTC day. */
  static secondsLeft(nowMs: number): number {
    return Math.ceil((DAY_MS - (nowMs % DAY_MS)) / SECOND_MS);
  }

  private turnDay(nowMs: number): void {
    const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
    if (dayMs === this.dayMs) return;
    this.dayMs = dayMs;
    this.apps = new Map();
  }

  async refresh(nowMs: number): Promise<void> {
    if (this.refreshing) return;
    this.refreshing = true;
    this.refreshedAtMs = nowMs;
    const { dayMs } = this;
    try {
      const totals = await this.countedToday([...this.apps.keys()], dayMs);
      if (dayMs !== this.dayMs) return;
      for (const [appId, app] of this.apps) this.merge(app, totals.get(appId) ?? 0);
    } catch (thrown) {
      this.onFailure(thrown);
    } finally {
      this.refreshing = false;
    }
  }

  /** Own events move into the total as they are compacted. */
  private merge(app: AppDay, total: number): void {
    const grown = Math.max(0, total - app.counted);
    app.counted += grown;
    app.since = Math.max(0, app.since - grown);
  }
}
