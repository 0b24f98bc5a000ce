import { afterAll, describe, expect, test } from 'bun:test';
import { FileUses } from '../../../src/event-store/sums/file-uses.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { type EngineOptions, QueryEngine } from '../../../src/query/engine.ts';
import { QueryFailure, toQueryFailure } from '../../../src/query/failure/failure.ts';
import type { QueryRun } from '../../../src/query/reading/run.ts';
import { openDuck } from '../../../src/storage/duckdb.ts';
import { BucketFailure } from '../../../src/storage/object-store/bucket-failure.ts';
import { CacheFull } from '../../../src/storage/object-store/cache.ts';
import { streamChunks } from '../../../src/storage/read-chunks.ts';
import { eventRow } from '../../support/event-source.ts';
import { pause } from '../../support/pause.ts';

const tempDir = mkdtempSync(join(tmpdir(), 'cp-engine-'));
const duck = await openDuck({ memoryMb: 64, threads: 2, tempDir, tempLimitMb: 1 });
afterAll(() => {
  duck.closeSync();
  rmSync(tempDir, { recursive: true, force: true });
});

const WINDOW = { orgId: 'org_test', appId: 'app_test', fromUs: 1_500, beforeUs: 2_500 };
const NEEDS = { columns: ['name'] };

const snapshot: HotEvents['snapshot'] = async () => ({
  files: [],
  hotRows: [eventRow({ name: 'a' })],
  lateAliases: [],
  sharesIds: false,
  erased: [],
  erasedAs: new Map(),
  uses: new FileUses({ localPath: async (key) => key }, new Map()),
  dataThrough: new Date(42),
});

const engine = (options: Partial<EngineOptions> = {}) =>
  new QueryEngine({
    duck,
    hot: { snapshot },
    timeoutMs: 10_000,
    onStuck: () => {
      throw new Error('stuck');
    },
    ...options,
  });

async function faultOf(asked: Promise<unknown>): Promise<string> {
  const thrown = await asked.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(QueryFailure);
  return (thrown as QueryFailure).kind;
}

/** Three small sides: 10^15 rows to go through, and next to no memory to do it in. */
const ENDLESS =
  'SELECT sum(a.range + b.range + c.range) FROM range(100000) a, range(100000) b, range(100000) c';
const HUGE = 'CREATE TEMP TABLE huge AS SELECT hash(range) AS h FROM range(20000000)';

describe('the query engine', () => {
  test('asks for whole milliseconds around the window and hands over the snapshot', async () => {
    const asked: unknown[] = [];
    const hot: EngineOptions['hot'] = {
      snapshot: (window, options) => {
        asked.push(window);
        return snapshot(window, options);
      },
    };
    const seen = await engine({ hot }).run(WINDOW, NEEDS, async ({ connection, source }) => {
      const rows = await (await connection.run('SELECT name FROM hot_events')).getRows();
      return { rows, through: source.dataThroughMs };
    });
    expect(asked).toEqual([
      { orgId: 'org_test', appId: 'app_test', fromMs: 1, toMs: 3, withCounts: false },
    ]);
    expect(seen).toEqual({ rows: [['a']], through: 42 });
  });

  test('counts nothing of a stream that is interrupted or fails', async () => {
    const drain =
      (sql: string) =>
      async ({ connection }: QueryRun) => {
        let rows = 0;
        for await (const { rowCount } of streamChunks(connection, sql)) rows += rowCount;
        return rows;
      };
    const endless = drain('FROM range(1000000000000)');
    expect(await faultOf(engine({ timeoutMs: 100 }).run(WINDOW, NEEDS, endless))).toBe('timeout');
    const leaving = AbortSignal.timeout(100);
    expect(await faultOf(engine().run(WINDOW, NEEDS, endless, { signal: leaving }))).toBe(
      'stopped',
    );
    const failing = drain(
      "SELECT CASE WHEN range = 900000 THEN error('late') ELSE 'row' END FROM range(999999)",
    );
    expect(await faultOf(engine().run(WINDOW, NEEDS, failing))).toBe('stopped');
  });

  test('interrupts a query whose time is over, and serves the next', async () => {
    const one = engine({ timeoutMs: 100 });
    expect(await faultOf(one.run(WINDOW, NEEDS, ({ connection }) => connection.run(ENDLESS)))).toBe(
      'timeout',
    );
    expect(await engine().run(WINDOW, NEEDS, async () => 'served')).toBe('served');
  });

  test('interrupts what begins after its time was over, or after its asker has left', async () => {
    const slow = engine({ timeoutMs: 20 }).run(WINDOW, NEEDS, async ({ connection }) => {
      // The first interrupt comes now, while no statement runs.
      await pause(60, 'longer than the limit');
      return connection.run(ENDLESS);
    });
    expect(await faultOf(slow)).toBe('timeout');
    const leaving = new AbortController();
    const left = engine({ timeoutMs: 600_000 })
      .until(leaving.signal)
      .run(WINDOW, NEEDS, async ({ connection }) => {
        leaving.abort();
        await pause(20, 'the interrupt comes while nothing runs');
        return connection.run(ENDLESS);
      });
    expect(await faultOf(left)).toBe('stopped');
  });

  test('interrupts a query whose asker has left, and serves the next', async () => {
    const leaving = new AbortController();
    const one = engine();
    const asked = one.until(leaving.signal).run(WINDOW, NEEDS, ({ connection }) => {
      setTimeout(() => leaving.abort(), 20);
      return connection.run(ENDLESS);
    });
    expect(await faultOf(asked)).toBe('stopped');
    const late = one.until(leaving.signal).run(WINDOW, NEEDS, async () => 'never');
    expect(await faultOf(late)).toBe('stopped');
    expect(await one.run(WINDOW, NEEDS, async () => 'served')).toBe('served');
  });

  test('runs a query again by itself that had too little memory beside another', async () => {
    const one = engine();
    let inside = 0;
    let runs = 0;
    const both = Promise.withResolvers<void>();
    const greedy = async () => {
      runs += 1;
      inside += 1;
      if (inside === 2) both.resolve();
      if (runs <= 2) await both.promise;
      await pause(1, 'a statement of one turn');
      const isAlone = inside === 1 && runs > 2;
      await pause(1, 'a statement of one turn');
      inside -= 1;
      if (!isAlone) throw new Error('Out of Memory Error: failed to allocate');
      return runs;
    };
    const asked = Array.from({ length: 2 }, () => one.run(WINDOW, NEEDS, greedy));
    expect((await Promise.all(asked)).toSorted()).toEqual([3, 4]);
  });

  test('does not try again what was alone and had too little memory', async () => {
    let runs = 0;
    const alone = engine().run(WINDOW, NEEDS, async () => {
      runs += 1;
      throw new Error('Out of Memory Error: failed to allocate');
    });
    expect(await faultOf(alone)).toBe('memory');
    expect(runs).toBe(1);
  });

  test('ends a loop of our own whose time is over', async () => {
    const one = engine({ timeoutMs: 20 });
    const asked = one.run(WINDOW, NEEDS, async ({ checkTime }) => {
      for (;;) {
        await pause(5, 'before the next look at the time');
        checkTime();
      }
    });
    expect(await faultOf(asked)).toBe('timeout');
  });

  test('fails the query that needs too much memory, and only that one', async () => {
    const one = engine({ timeoutMs: 60_000 });
    const greedy = faultOf(one.run(WINDOW, NEEDS, ({ connection }) => connection.run(HUGE)));
    const modest = one.run(WINDOW, NEEDS, async () => 'served');
    expect(await greedy).toBe('memory');
    expect(await modest).toBe('served');
  });

  test('runs two queries at a time', async () => {
    const one = engine();
    let running = 0;
    let most = 0;
    const two = Promise.withResolvers<void>();
    const ask = () =>
      one.run(WINDOW, NEEDS, async () => {
        running += 1;
        most = Math.max(most, running);
        if (running === 2) two.resolve();
        await two.promise;
        await pause(5, 'a question that takes its time');
        running -= 1;
      });
    await Promise.all(Array.from({ length: 6 }, ask));
    expect(most).toBe(2);
  });

  test('tells what is away from what is our own fault', async () => {
    const away = Object.assign(new Error('no database'), { code: 'ECONNREFUSED' });
    const hot = { snapshot: () => Promise.reject(away) };
    expect(await faultOf(engine({ hot }).run(WINDOW, NEEDS, async () => 1))).toBe('away');
    const gone = new BucketFailure('no bucket', 'ConnectionRefused', null);
    const cold = { snapshot: () => Promise.reject(gone) };
    expect(await faultOf(engine({ hot: cold }).run(WINDOW, NEEDS, async () => 1))).toBe('away');
    expect(toQueryFailure(new BucketFailure('no such file', 'NoSuchKey', null)).kind).toBe(
      'failed',
    );
    const wrong = engine().run(WINDOW, NEEDS, ({ connection }) => connection.run('SELECT nothing'));
    expect(await faultOf(wrong)).toBe('failed');
    expect(toQueryFailure('text').kind).toBe('failed');
  });
});

describe('a snapshot that is not there in time', () => {
  /** Cold for the first question; the process must not end with everybody else's questions. */
  const slow = (isFetched: boolean) => {
    let asked = 0;
    const hot: EngineOptions['hot'] = {
      snapshot: async (window, options) => {
        asked += 1;
        if (asked > 1) return snapshot(window, options);
        if (isFetched) options?.onFetch?.();
        return new Promise(() => undefined);
      },
    };
    return engine({ hot, timeoutMs: 2_000 });
  };
  const ask = (one: QueryEngine) => one.run(WINDOW, NEEDS, async () => 'answered');

  test('is told as files being fetched, and the next question is answered', async () => {
    const cold = slow(true);
    // Two connect at once, and either may be the first to ask for the snapshot.
    const settled = await Promise.allSettled([ask(cold), ask(cold), ask(cold)]);
    const refused = settled.filter((one) => one.status === 'rejected');
    expect(await Promise.all(refused.map(({ reason }) => faultOf(Promise.reject(reason))))).toEqual(
      ['fetching'],
    );
    expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(2);
    expect(await ask(cold)).toBe('answered');
  });

  test('is told as a query that took too long while nothing is fetched', async () => {
    expect(await faultOf(ask(slow(false)))).toBe('timeout');
  });

  test('is told as a disk without room where the files have none', async () => {
    const hot = { snapshot: () => Promise.reject(new CacheFull(1)) };
    expect(await faultOf(ask(engine({ hot })))).toBe('disk');
  });
});
