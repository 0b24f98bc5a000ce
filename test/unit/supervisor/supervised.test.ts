import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import { type Run, supervise } from '../../../src/launcher/supervised.ts';
import { until } from '../../support/until.ts';
import { nextTurn } from '../../support/pause.ts';

const log = pino({ enabled: false });
const never = new AbortController().signal;
const options = { log, stopping: never };

/** A program whose runs the test ends by hand. */
class Program {
  readonly runs: { end: () => void; stops: number[] }[] = [];
  failures = 0;
  private waiting: (() => void)[] = [];

  readonly start = async (): Promise<Run> => {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('it does not start');
    }
    const exit = Promise.withResolvers<void>();
    const run = { end: () => exit.resolve(), stops: [] as number[] };
    this.runs.push(run);
    for (const wake of this.waiting.splice(0)) wake();
    return {
      pid: this.runs.length,
      exited: exit.promise,
      stop: async (graceMs) => {
        run.stops.push(graceMs);
        exit.resolve();
      },
    };
  };

  async untilRuns(count: number): Promise<void> {
    while (this.runs.length < count) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }
}

describe('keeping a program running', () => {
  test('starts it again whenever it ends', async () => {
    const program = new Program();
    const kept = await supervise('it', program.start, options);
    for (let count = 1; count < 4; count += 1) {
      program.runs.at(-1)?.end();
      await program.untilRuns(count + 1);
    }
    await kept.stop(10);
    expect(program.runs).toHaveLength(4);
    expect(program.runs.map((run) => run.stops)).toEqual([[], [], [], [10]]);
  });

  test('tries again when a later start fails', async () => {
    const program = new Program();
    const kept = await supervise('it', program.start, options);
    program.failures = 2;
    program.runs[0]?.end();
    await program.untilRuns(2);
    expect(program.failures).toBe(0);
    await kept.stop(10);
  });

  test('throws when it has never worked', async () => {
    const program = new Program();
    program.failures = 1;
    expect(supervise('it', program.start, options)).rejects.toThrow('it does not start');
    expect(program.runs).toHaveLength(0);
  });

  test('stays stopped, also when the stop comes between two runs', async () => {
    const program = new Program();
    const kept = await supervise('it', program.start, options);
    program.failures = 1_000;
    program.runs[0]?.end();
    await nextTurn();
    await kept.stop(10);
    expect(program.runs).toHaveLength(1);
    expect(program.failures).toBeGreaterThan(0);
  });

  test('ends a run that began while the stop was asked for', async () => {
    const program = new Program();
    const gate = Promise.withResolvers<void>();
    let starts = 0;
    const slow = async () => {
      starts += 1;
      if (starts > 1) await gate.promise;
      return program.start();
    };
    const kept = await supervise('it', slow, options);
    program.runs[0]?.end();
    await until('it starts again', () => starts >= 2);
    const stopped = kept.stop(10);
    gate.resolve();
    await stopped;
    expect(program.runs[1]?.stops).toHaveLength(1);
  });

  test('nothing is started once everything stops, whichever comes first', async () => {
    const stopping = new AbortController();
    const program = new Program();
    const kept = await supervise('it', program.start, { log, stopping: stopping.signal });
    const gate = Promise.withResolvers<void>();
    const late = new Program();
    const slow = () => gate.promise.then(late.start);
    const interrupted = supervise('late', slow, { log, stopping: stopping.signal });
    stopping.abort();
    program.runs[0]?.end();
    gate.resolve();
    await expect(interrupted).rejects.toThrow('The start of late was interrupted.');
    expect(late.runs[0]?.stops).toHaveLength(1);
    await kept.stop(10);
    expect(program.runs).toHaveLength(1);
  });

  test('a restart ends the present run, and the next one follows', async () => {
    const program = new Program();
    const kept = await supervise('it', program.start, options);
    await kept.restart(20);
    await program.untilRuns(2);
    expect(program.runs[0]?.stops).toEqual([20]);
    await kept.stop(10);
  });
});
