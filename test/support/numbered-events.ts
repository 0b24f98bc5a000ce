import { randomFrom } from './random.ts';
import { pause } from './pause.ts';

export const STEPS = ['crash_one', 'crash_two', 'crash_three', 'crash_four'] as const;
export type Step = (typeof STEPS)[number];
export type StepCounts = Record<Step, number>;

export const BATCH_EVENTS = 20;
/** Of a server that hangs; one that was killed hangs up at once. */
const ANSWER_LIMIT_MS = 60_000;
const RETRY_MS = 100;
/** Of the acknowledged batches: sent again at once, and sent again some seconds later. */
const AGAIN_SHARE = 0.05;
const LATER_SHARE = 0.05;
const WAITING_FOR_LATER = 10;

export type NumberedEventsOptions = {
  /** Of the service; a function gives that of the host which takes the next request. */
  url: string | (() => string);
  /** Publishable key. */
  secret: string;
  seed: number;
  clients: number;
  /** Pause of a client between two batches. */
  everyMs: number;
  /** The pause is counted from one batch's time to the next; who is late catches up. */
  keepsPace?: boolean;
  batchEvents?: number;
};

type Batch = { step: Step; body: string };

/** When the events from `first` on were sent for the first time, and acknowledged. */
export type SentBatch = { first: number; sentAtMs: number; acknowledgedAtMs: number | null };

const zero = (): StepCounts => ({ crash_one: 0, crash_two: 0, crash_three: 0, crash_four: 0 });

/**
 * `props.n` counts all events; a block of four batches takes its people through the four steps, by
 * different clients and at different moments.
 */
function numbered(n: number, startMs: number, batchEvents: number) {
  const batch = Math.floor(n / batchEvents);
  const step = batch % STEPS.length;
  const person = Math.floor(batch / STEPS.length) * batchEvents + (n % batchEvents);
  return {
    name: STEPS[step] ?? STEPS[0],
    ts: new Date(startMs + n).toISOString(),
    anonymousId: `anonymous-${person}`,
    props: { n },
    // A quarter is known again by its fields alone, as the contract has it.
    ...(n % 4 === 0 ? {} : { id: `number-${String(n).padStart(8, '0')}` }),
    ...(step === 2 && person % 3 === 0 ? { userId: `user-${person}` } : {}),
  };
}

/**
 * Clients that send events numbered from 0: each batch again and again, unchanged, until it is
 * acknowledged, and a share of the acknowledged ones once more.
 */
export class NumberedEvents {
  /** By step: what may have reached the service, and what it has acknowledged. */
  readonly sent = zero();
  readonly acknowledged = zero();
  /** Requests by status; 0 where there was no answer. */
  readonly answers = new Map<number, number>();
  /** Every batch, in the order of its numbers. */
  readonly batches: SentBatch[] = [];
  /** Events of acknowledged batches that were sent once more. */
  sentAgain = 0;
  slowestMs = 0;
  private next = 0;
  private stopped = false;
  private readonly later: Batch[] = [];
  private readonly random: () => number;
  private readonly startMs = Date.now() - 3_600_000;
  private readonly batchEvents: number;

  constructor(private readonly options: NumberedEventsOptions) {
    this.batchEvents = options.batchEvents ?? BATCH_EVENTS;
    this.random = randomFrom(options.seed);
  }

  /** Sends until `stop`; returns how many events there are, every one of them acknowledged. */
  async run(): Promise<number> {
    await Promise.all(Array.from({ length: this.options.clients }, () => this.send()));
    for (const batch of this.later) await this.repeat(batch);
    return this.next;
  }

  get secret(): string {
    return this.options.secret;
  }

  stop(): void {
    this.stopped = true;
  }

  get acknowledgedEvents(): number {
    return Object.values(this.acknowledged).reduce((sum, count) => sum + count, 0);
  }

  /** Requests that were answered otherwise than by 202. */
  get refusals(): number {
    const all = [...this.answers.values()].reduce((sum, count) => sum + count, 0);
    return all - (this.answers.get(202) ?? 0);
  }

  private async send(): Promise<void> {
    let dueMs = performance.now();
    // The last block is finished, so that everybody has gone through every step.
    while (!this.stopped || this.next % (this.batchEvents * STEPS.length) !== 0) {
      const noted: SentBatch = { first: this.next, sentAtMs: Date.now(), acknowledgedAtMs: null };
      this.batches.push(noted);
      const batch = this.take();
      this.sent[batch.step] += this.batchEvents;
      await this.deliver(batch);
      noted.acknowledgedAtMs = Date.now();
      this.acknowledged[batch.step] += this.batchEvents;
      const chance = this.random();
      if (chance < AGAIN_SHARE) await this.repeat(batch);
      else if (chance < AGAIN_SHARE + LATER_SHARE) this.later.push(batch);
      const due = this.later.length > WAITING_FOR_LATER ? this.later.shift() : undefined;
      if (due) await this.repeat(due);
      const { everyMs, keepsPace } = this.options;
      dueMs = (keepsPace ? dueMs : performance.now()) + everyMs;
      await pause(Math.max(0, dueMs - performance.now()), 'events at a steady rate');
    }
  }

  private take(): Batch {
    const first = this.next;
    this.next += this.batchEvents;
    const events = Array.from({ length: this.batchEvents }, (_, i) =>
      numbered(first + i, this.startMs, this.batchEvents),
    );
    const step = events[0]?.name ?? STEPS[0];
    return { step, body: JSON.stringify({ events, context: { platform: 'ios' } }) };
  }

  private async repeat(batch: Batch): Promise<void> {
    await this.deliver(batch);
    this.sentAgain += this.batchEvents;
  }

  private async deliver({ body }: Batch): Promise<void> {
    while ((await this.post(body)) !== 202) await pause(RETRY_MS, 'before the next attempt');
  }

  private async post(body: string): Promise<number> {
    const { url } = this.options;
    const started = performance.now();
    let status = 0;
    let text = '';
    try {
      const answer = await fetch(`${typeof url === 'string' ? url : url()}/v1/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-key': this.options.secret },
        body,
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      // The status says it; the body may be cut off by a kill.
      status = answer.status;
      text = await answer.text();
    } catch {
      // Cut off: whether it was stored is not known, so it is sent again.
    }
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    if (status === 202) this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
    // A client drops a batch on such an answer: it must not come, whatever is down.
    if (status >= 400 && status < 500) throw new Error(`${status} ${text}`);
    return status;
  }
}
