import { SECOND_MS } from '../../src/shared/time.ts';
import type { Alert, Prometheus } from './prometheus.ts';
import { until } from './until.ts';
import { pause } from './pause.ts';

const LOOK_EVERY_MS = SECOND_MS;

/** One time that an alert fired, of one host. */
export type Fired = {
  alert: string;
  labels: Record<string, string>;
  atMs: number;
  /** Null while it fires. */
  wentMs: number | null;
};

const keyOf = ({ labels }: Alert) => JSON.stringify(Object.entries(labels).toSorted());

/** Keeps which alerts fired and went, and when. */
export class AlertWatch {
  readonly fired: Fired[] = [];
  private readonly now = new Map<string, Fired>();
  private isStopped = false;
  private readonly watching: Promise<void>;

  constructor(private readonly prometheus: Prometheus) {
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.watching;
  }

  /** Waits until as many of them have fired since `sinceMs`; says of a failure what Prometheus saw. */
  async untilFired(alert: string, count: number, sinceMs: number): Promise<Fired[]> {
    const seen = () => this.fired.filter((one) => one.alert === alert && one.atMs >= sinceMs);
    try {
      await until(`${alert} fires ${count} times`, (saw) => {
        saw(seen().length);
        return seen().length >= count;
      });
    } catch (thrown) {
      throw new Error(await this.prometheus.explain(), { cause: thrown });
    }
    return seen();
  }

  /** Waits until each of these has gone. */
  async untilGone(fired: readonly Fired[]): Promise<void> {
    try {
      await until('the alerts go', (saw) => {
        saw(fired.filter(({ wentMs }) => wentMs === null).length);
        return fired.every(({ wentMs }) => wentMs !== null);
      });
    } catch (thrown) {
      throw new Error(await this.prometheus.explain(), { cause: thrown });
    }
  }

  private async watch(): Promise<void> {
    while (!this.isStopped) {
      const alerts = await this.prometheus.firing();
      const keys = new Set(alerts.map(keyOf));
      for (const one of alerts) this.note(one);
      for (const [key, fired] of this.now) {
        if (keys.has(key)) continue;
        fired.wentMs = Date.now();
        this.now.delete(key);
      }
      await pause(LOOK_EVERY_MS, 'before the next look');
    }
  }

  private note(one: Alert): void {
    const key = keyOf(one);
    if (this.now.has(key)) return;
    const { alertname: alert = '', ...labels } = one.labels;
    const fired: Fired = { alert, labels, atMs: Date.now(), wentMs: null };
    this.now.set(key, fired);
    this.fired.push(fired);
  }
}
