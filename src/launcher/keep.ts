import type { Logger } from '../observability/log.ts';

/** One run of a kept program, from the moment it serves. */
export type Run = {
  pid: number;
  /** Settles when the program has ended, for whatever reason. */
  exited: Promise<unknown>;
  /** Asks for the end, kills after `graceMs`, and settles when the program has ended. */
  stop: (graceMs: number) => Promise<void>;
};

export type Kept = {
  name: string;
  /** Ends the present run; the next one follows at once. */
  restart: (graceMs: number) => Promise<void>;
  stop: (graceMs: number) => Promise<void>;
};

/** Back within 5 s however often it dies: the longest wait leaves room for the start itself. */
const BACK_OFF_MS = [50, 100, 250, 500, 1_000];
/** A run this long was healthy: the next wait is the shortest again. */
const HEALTHY_AFTER_MS = 30_000;
/** What a run that began during the stop is given. */
const LATE_GRACE_MS = 500;

class Keeper implements Kept {
  private run: Run | undefined;
  private failures = 0;
  private stopping = false;
  private readonly wake = Promise.withResolvers<void>();
  private loop: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    private readonly start: () => Promise<Run>,
    private readonly log: Logger,
    stopping: AbortSignal,
  ) {
    stopping.addEventListener('abort', () => this.startNoMore(), { once: true });
    if (stopping.aborted) this.startNoMore();
  }

  async begin(): Promise<void> {
    const run = await this.start();
    if (this.stopping) {
      await run.stop(LATE_GRACE_MS);
      throw new Error(`The start of ${this.name} was interrupted.`);
    }
    this.run = run;
    this.loop = this.keepRunning(run);
  }

  async restart(graceMs: number): Promise<void> {
    this.failures = 0;
    await this.run?.stop(graceMs);
  }

  async stop(graceMs: number): Promise<void> {
    this.startNoMore();
    await this.run?.stop(graceMs);
    await this.loop;
  }

  private startNoMore(): void {
    this.stopping = true;
    this.wake.resolve();
  }

  private async keepRunning(first: Run): Promise<void> {
    for (let run: Run | undefined = first; run !== undefined; run = await this.next()) {
      const since = performance.now();
      await run.exited;
      this.run = undefined;
      if (performance.now() - since > HEALTHY_AFTER_MS) this.failures = 0;
      if (!this.stopping) this.log.warn({ process: this.name, pid: run.pid }, 'A process ended.');
    }
  }

  /** The next run, tried until it works; undefined once the stop has been asked for. */
  private async next(): Promise<Run | undefined> {
    while (!this.stopping) {
      const delay = BACK_OFF_MS[Math.min(this.failures, BACK_OFF_MS.length - 1)] ?? 0;
      this.failures += 1;
      await Promise.race([Bun.sleep(delay), this.wake.promise]);
      if (this.stopping) return undefined;
      try {
        this.run = await this.start();
        if (this.stopping) return void (await this.run.stop(LATE_GRACE_MS));
        this.log.info({ process: this.name, pid: this.run.pid }, 'A process is back.');
        return this.run;
      } catch (error) {
        this.log.error({ process: this.name, err: error }, 'A process could not be started again.');
      }
    }
    return undefined;
  }
}

/**
 * Starts a program and starts it again whenever it ends, with back-off, until it is stopped; from
 * the moment that `stopping` is aborted nothing is started any more.
 * Throws when the first start fails: what never worked is for the operator to mend.
 */
export async function keep(
  name: string,
  start: () => Promise<Run>,
  { log, stopping }: { log: Logger; stopping: AbortSignal },
): Promise<Kept> {
  const keeper = new Keeper(name, start, log, stopping);
  await keeper.begin();
  return keeper;
}
