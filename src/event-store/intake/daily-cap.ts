import { DAY_MS, SECOND_MS } from '../../shared/time.ts';

/** Compacted events only. */
export type CountedToday = (
  appIds: readonly string[],
  dayMs: number,
) => Promise<Map<string, number>>;

const REFRESH_MS = 10 * SECOND_MS;

type AppDay = { counted: number; since: number };

/** Without a database own events only, so intake never waits. */
export class DailyCap {
  private dayMs = 0;
  private apps = new Map<string, AppDay>();
  private refreshedAtMs = 0;
  private refreshing = false;

  constructor(
    private readonly countedToday: CountedToday,
    private readonly onFailure: (thrown: unknown) => void,
  ) {}

  take(appId: string, events: number, cap: number, nowMs: number): boolean {
    this.turnDay(nowMs);
    const app = this.apps.get(appId) ?? { counted: 0, since: 0 };
    this.apps.set(appId, app);
    if (nowMs - this.refreshedAtMs >= REFRESH_MS) void this.refresh(nowMs);
    if (app.counted + app.since + events > cap) return false;
    app.since += events;
    return true;
  }

  giveBack(appId: string, events: number): void {
    const app = this.apps.get(appId);
    if (app) app.since = Math.max(0, app.since - events);
  }

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

  private merge(app: AppDay, total: number): void {
    const grown = Math.max(0, total - app.counted);
    app.counted += grown;
    app.since = Math.max(0, app.since - grown);
  }
}
