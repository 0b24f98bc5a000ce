import type { Logger } from '../observability/log.ts';
import { at } from '../shared/assert.ts';

export type Run = {
  pid: number;
  exited: Promise<unknown>;
  stop: (graceMs: number) => Promise<void>;
};

export type Supervised = {
  restart: (graceMs: number) => Promise<void>;
  stop: (graceMs: number) => Promise<void>;
};

/** In all within 5 s. */
const BACK_OFF_MS = [50, 100, 250, 500, 1_000];
const HEALTHY_AFTER_MS = 30_000;
const LATE_GRACE_MS = 500;

class SupervisedProgram implements Supervised {
  private run: Run | undefined;
  private failures = 0;
  private stopping = false;
  private readonly stopped = Promise.withResolvers<void>();
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly start: () => Promise<Run>,
    private readonly log: Logger,
    stopping: AbortSignal,
  ) {
    stopping.addEventListener('abort', () => this.preventStarts(), { once: true });
    if (stopping.aborted) this.preventStarts();
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
    this.preventStarts();
    await this.run?.stop(graceMs);
    await this.loop;
  }

  private preventStarts(): void {
    this.stopping = true;
    this.stopped.resolve();
  }

  private async keepRunning(first: Run): Promise<void> {
    for (let run: Run | undefined = first; run !== undefined; run = await this.next()) {
      const since = performance.now();
      await run.exited;
      this.run = undefined;
      if (performance.now() - since > HEALTHY_AFTER_MS) this.failures = 0;
      if (!this.stopping)
        this.log.warn({ process: this.name, pid: run.pid }, 'process ended; restarting');
    }
  }

  private async next(): Promise<Run | undefined> {
    while (!this.stopping) {
      const delay = at(BACK_OFF_MS, Math.min(this.failures, BACK_OFF_MS.length - 1));
      this.failures += 1;
      await Promise.race([Bun.sleep(delay), this.stopped.promise]);
      if (this.stopping) return undefined;
      try {
        this.run = await this.start();
        if (this.stopping) return void (await this.run.stop(LATE_GRACE_MS));
        this.log.info({ process: this.name, pid: this.run.pid }, 'process restarted');
        return this.run;
      } catch (error) {
        this.log.error(
          { process: this.name, err: error },
          'process could not be restarted; retrying',
        );
      }
    }
    return undefined;
  }
}

export async function supervise(
  name: string,
  start: () => Promise<Run>,
  { log, stopping }: { log: Logger; stopping: AbortSignal },
): Promise<Supervised> {
  const program = new SupervisedProgram(name, start, log, stopping);
  await program.begin();
  return program;
}
