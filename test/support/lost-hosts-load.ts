const BATCH_EVENTS = 20;
const ANSWER_LIMIT_MS = 10_000;
const RETRY_MS = 100;

export type LostHostsLoadOptions = {
  /** The headers of a device. */
  device: Record<string, string>;
  /** The addresses of the hosts that live at the moment. */
  hosts: () => readonly string[];
  eventsPerSecond: number;
  clients: number;
};

/** A batch, by whom it was acknowledged and when. */
export type Acknowledged = { first: number; url: string; acknowledgedAtMs: number; bytes: number };

/** Events numbered from 0 in `sessionId`; half of them have an `id`, the others a `ts` alone. */
function body(first: number, nowMs: number): string {
  const events = Array.from({ length: BATCH_EVENTS }, (_, i) => {
    const n = first + i;
    return {
      name: 'step',
      anonymousId: `anonymous-${n % 5_000}`,
      sessionId: String(n),
      ts: new Date(nowMs).toISOString(),
      ...(n % 2 && { id: `number-${String(n).padStart(9, '0')}` }),
    };
  });
  return JSON.stringify({ events });
}

/** Clients that send each batch again, unchanged and to any host, until one acknowledges it. */
export class LostHostsLoad {
  readonly startedMs = Date.now();
  refusals = 0;
  private next = 0;
  private turn = 0;
  private stopped = false;
  private readonly batches: Acknowledged[] = [];

  constructor(private readonly options: LostHostsLoadOptions) {}

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.options.clients }, () => this.send()));
  }

  stop(): void {
    this.stopped = true;
  }

  acknowledged(): number[] {
    return this.batches.flatMap(({ first }) => numbersFrom(first));
  }

  acknowledgedBetween(fromMs: number, beforeMs: number): number[] {
    return this.batches
      .filter(({ acknowledgedAtMs: ms }) => ms >= fromMs && ms < beforeMs)
      .flatMap(({ first }) => numbersFrom(first));
  }

  batchesOf(url: string): Acknowledged[] {
    return this.batches.filter((batch) => batch.url === url);
  }

  firstsOf(numbers: readonly number[]): number[] {
    return [...new Set(numbers.map((number) => number - (number % BATCH_EVENTS)))];
  }

  private async send(): Promise<void> {
    const { clients, eventsPerSecond } = this.options;
    const everyMs = (clients * BATCH_EVENTS * 1_000) / eventsPerSecond;
    let dueMs = performance.now() + Math.random() * everyMs;
    while (!this.stopped) {
      await Bun.sleep(Math.max(0, dueMs - performance.now()));
      dueMs = Math.max(dueMs + everyMs, performance.now() - everyMs);
      const first = this.next;
      this.next += BATCH_EVENTS;
      await this.deliver(first);
    }
  }

  private async deliver(first: number): Promise<void> {
    const text = body(first, Date.now());
    for (;;) {
      const hosts = this.options.hosts();
      this.turn += 1;
      const url = hosts[this.turn % hosts.length] ?? '';
      const answer = await fetch(`${url}/v1/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.options.device },
        body: text,
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      }).catch(() => null);
      const acknowledgedAtMs = Date.now();
      await answer?.text().catch(() => '');
      if (answer?.status === 202) {
        this.batches.push({ first, url, acknowledgedAtMs, bytes: text.length });
        return;
      }
      this.refusals += 1;
      await Bun.sleep(RETRY_MS);
    }
  }
}

function numbersFrom(first: number): number[] {
  return Array.from({ length: BATCH_EVENTS }, (_, i) => first + i);
}
