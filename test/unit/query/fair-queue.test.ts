import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FairQueue, QueueFull } from '../../../src/query/fair-queue.ts';
import { pause } from '../../support/pause.ts';

const OPTIONS = { places: 2, placesPerKey: 1, waitingPerKey: 3, waitMs: 60_000 };

/** A task that runs until it is told to end. */
function task() {
  const gate = Promise.withResolvers<void>();
  const state = { started: false, end: () => gate.resolve(), run: async () => {} };
  state.run = async () => {
    state.started = true;
    await gate.promise;
  };
  return state;
}

const settle = () => pause(0, 'a turn of the timers');

describe('a fair queue', () => {
  test('lets one key have its places and leaves the others to others', async () => {
    const queue = new FairQueue(OPTIONS);
    const [a1, a2, b1] = [task(), task(), task()];
    const done = [queue.run('a', a1.run), queue.run('a', a2.run), queue.run('b', b1.run)];
    await settle();
    expect([a1.started, a2.started, b1.started]).toEqual([true, false, true]);
    a1.end();
    await settle();
    expect(a2.started).toBe(true);
    a2.end();
    b1.end();
    await Promise.all(done);
  });

  test('takes the keys in turn, however many one of them has waiting', async () => {
    const queue = new FairQueue({ ...OPTIONS, places: 1 });
    const order: string[] = [];
    const note = (name: string) => () => Promise.resolve(order.push(name));
    const first = task();
    const done: Promise<unknown>[] = [queue.run('a', first.run)];
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) {
      done.push(queue.run(name[0]!, note(name)));
    }
    first.end();
    await Promise.all(done);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('refuses what would wait behind too many, and what has waited too long', async () => {
    const queue = new FairQueue({ ...OPTIONS, waitMs: 5 });
    const first = task();
    const running = queue.run('a', first.run);
    const waiting = [1, 2, 3].map(() => queue.run('a', async () => {}));
    expect(queue.run('a', async () => {})).rejects.toThrow(QueueFull);
    const results = await Promise.allSettled(waiting);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
    const again = queue.run('b', async () => 'served');
    expect(await again).toBe('served');
    first.end();
    await running;
    expect(await queue.run('a', async () => 'served')).toBe('served');
  });

  test('gives a place back when a task fails', async () => {
    const queue = new FairQueue({ ...OPTIONS, places: 1 });
    const fail = () => Promise.reject(new Error('no'));
    for (let i = 0; i < 5; i += 1) expect(queue.run('a', fail)).rejects.toThrow('no');
    expect(await queue.run('b', async () => 1)).toBe(1);
  });

  test('never runs more than it may, and runs everything', async () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(keys, async (asked) => {
        const options = { places: 3, placesPerKey: 2, waitingPerKey: 100, waitMs: 60_000 };
        const queue = new FairQueue(options);
        const running = new Map<string, number>();
        let served = 0;
        const add = (key: string, by: number) => running.set(key, (running.get(key) ?? 0) + by);
        await Promise.all(
          asked.map((key) =>
            queue.run(key, async () => {
              add(key, 1);
              expect(running.get(key)).toBeLessThanOrEqual(options.placesPerKey);
              const total = [...running.values()].reduce((sum, count) => sum + count, 0);
              expect(total).toBeLessThanOrEqual(options.places);
              await Promise.resolve();
              add(key, -1);
              served += 1;
            }),
          ),
        );
        expect(served).toBe(asked.length);
      }),
    );
  });
});
