import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { Life, readThreads, type Threads, watchLife } from '../../../src/launcher/life.ts';
import { until } from '../../support/until.ts';

const child = (script: string) => Bun.spawn([process.execPath, '-e', script]);

/** A process whose event loop stands in three ways. */
const STUCK = {
  stopped: 'setInterval(() => {}, 1000); process.kill(process.pid, "SIGSTOP");',
  asleep: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
  busy: 'for (;;);',
};

describe('a process without beats', () => {
  test('that is starved is left alone, however long', () => {
    const look = fc.record({
      mainTicks: fc.integer({ min: 0, max: 1 }),
      isRunnable: fc.constant(true),
    });
    fc.assert(
      fc.property(fc.array(look, { minLength: 100, maxLength: 600 }), (looks) => {
        const life = new Life();
        let mainTicks = 0;
        for (const { mainTicks: more, isRunnable } of looks) {
          mainTicks += more;
          expect(life.look({ mainTicks, isRunnable })).toBeNull();
        }
      }),
      { numRuns: 50 },
    );
  });

  test('that sleeps is stuck after ten looks, also with an odd thread that runs', () => {
    const life = new Life();
    const looks = Array.from({ length: 13 }, (_, n) => life.look(sleeping(n % 5 === 1)));
    expect(looks.filter((why) => why === null)).toHaveLength(12);
    expect(looks.at(-1)).toBe('it does nothing');
  });

  test('that uses twenty seconds for one thing is stuck, and a beat begins anew', () => {
    const life = new Life();
    const look = (seconds: number) => life.look({ mainTicks: seconds * 100, isRunnable: true });
    expect([look(7), look(26)]).toEqual([null, null]);
    life.beat();
    expect([look(27), look(46), look(47)]).toEqual([null, null, 'it is busy with one thing']);
  });
});

function sleeping(isRunnable: boolean): Threads {
  return { mainTicks: 3, isRunnable, isStopped: false };
}

describe.skipIf(!existsSync('/proc/self/task'))('threads of a process', () => {
  test.each(['stopped', 'asleep'] as const)('one that is %s has none that runs', async (how) => {
    const stuck = child(STUCK[how]);
    await until('it stands still', async (saw) => {
      const threads = await readThreads(stuck.pid);
      saw(threads);
      return threads?.isRunnable === false;
    });
    stuck.kill('SIGKILL');
    await stuck.exited;
    expect(await readThreads(stuck.pid)).toBeNull();
  });

  test('one that is busy has one that runs, and uses time', async () => {
    const busy = child(STUCK.busy);
    await until('it used a tenth of a second', async (saw) => {
      const threads = await readThreads(busy.pid);
      saw(threads);
      return threads?.isRunnable === true && threads.mainTicks > 10;
    });
    busy.kill('SIGKILL');
    await busy.exited;
  });

  test('one without beats is ended, one with beats is not', async () => {
    const [silent, beating] = [child(STUCK.stopped), child(STUCK.stopped)];
    const ended: string[] = [];
    const watches = [silent, beating].map(({ pid }, index) =>
      watchLife(pid, (why) => ended.push(`${index}: ${why}`)),
    );
    await until('it is ended', (saw) => {
      watches[1]?.beat();
      saw(Math.floor(performance.now() / 5_000));
      return ended.length > 0;
    });
    expect(ended[0]).toBe('0: it does nothing');
    for (const { stop } of watches) stop();
    silent.kill('SIGKILL');
    beating.kill('SIGKILL');
    expect(new Set(ended).size).toBe(1);
  });
});
