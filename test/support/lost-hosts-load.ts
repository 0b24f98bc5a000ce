import { afterAll } from 'bun:test';
import { join } from 'node:path';
import { isFullRun } from './random.ts';

export const BATCH_EVENTS = isFullRun ? 100 : 20;
/** The last report of the sender is this old at most, as long as it gets any processor at all. */
export const REPORT_MS = 500;

export type SenderOptions = {
  /** The headers of a device. */
  device: Record<string, string>;
  eventsPerSecond: number;
  clients: number;
};

/** A batch: the time of its events, and by whom it was acknowledged and when. */
export type Acknowledged = {
  first: number;
  url: string;
  sentAtMs: number;
  acknowledgedAtMs: number;
  bytes: number;
};

type Report = {
  batches: Acknowledged[];
  refusals: number;
  strange: string[];
  done: boolean;
};

/** What clients in a process of their own have had acknowledged so far. */
export class LostHostsLoad {
  readonly startedMs = Date.now();
  refusals = 0;
  /** Answers that are neither 202 nor 503 with Retry-After, and requests without one. */
  readonly strange: string[] = [];
  private readonly batches: Acknowledged[] = [];
  private readonly done = Promise.withResolvers<void>();
  private readonly child: Bun.Subprocess;

  constructor(options: SenderOptions) {
    this.child = Bun.spawn(
      [process.execPath, join(import.meta.dir, 'lost-hosts-sender-child.ts')],
      {
        env: { ...process.env, SENDER: JSON.stringify(options) },
        stdout: 'inherit',
        stderr: 'inherit',
        serialization: 'json',
        ipc: (report: Report) => {
          this.batches.push(...report.batches);
          this.refusals = report.refusals;
          this.strange.push(...report.strange);
          if (report.done) this.done.resolve();
        },
      },
    );
    afterAll(() => this.child.kill('SIGKILL'));
  }

  /** The addresses of the hosts that live now; the first time starts the clients. */
  sendTo(hosts: readonly string[]): void {
    this.child.send({ hosts });
  }

  /** Every batch that was begun is acknowledged, and known here. */
  async stop(): Promise<void> {
    this.child.send({ stop: true });
    await this.done.promise;
    this.child.kill();
  }

  acknowledged(): number[] {
    return this.batches.flatMap(({ first }) => numbersFrom(first));
  }

  /** Of the batches whose events are of then or later, those acknowledged before. */
  acknowledgedBetween(sentFromMs: number, beforeMs: number): number[] {
    return this.batches
      .filter(
        ({ sentAtMs, acknowledgedAtMs }) => sentAtMs >= sentFromMs && acknowledgedAtMs < beforeMs,
      )
      .flatMap(({ first }) => numbersFrom(first));
  }

  batchesOf(url: string): Acknowledged[] {
    return this.batches.filter((batch) => batch.url === url);
  }

  firstsOf(numbers: readonly number[]): number[] {
    return [...new Set(numbers.map((number) => number - (number % BATCH_EVENTS)))];
  }
}

function numbersFrom(first: number): number[] {
  return Array.from({ length: BATCH_EVENTS }, (_, i) => first + i);
}
