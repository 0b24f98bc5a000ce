import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { DailyCap } from '../../../src/event-store/intake/daily-cap.ts';
import { diskFloor } from '../../../src/event-store/intake/disk-floor.ts';
import { registerLogMetrics } from '../../../src/event-store/intake/log-metrics.ts';
import { Rejections } from '../../../src/event-store/intake/rejections.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { RECEIVED_AT, temporaryFolder } from '../../support/events.ts';
import { nextTurn } from '../../support/pause.ts';

const none = async () => new Map<string, number>();

describe('the cap of a day', () => {
  test('lets an app send so many events and no more, until the next UTC day', () => {
    const cap = new DailyCap(none, () => undefined);
    expect(cap.take('app', 60, 100, RECEIVED_AT)).toBe(true);
    expect(cap.take('app', 41, 100, RECEIVED_AT)).toBe(false);
    expect(cap.take('app', 40, 100, RECEIVED_AT)).toBe(true);
    expect(cap.take('other', 100, 100, RECEIVED_AT)).toBe(true);
    expect(cap.take('app', 100, 100, RECEIVED_AT + DAY_MS)).toBe(true);
  });

  test('gives back what could not be stored', () => {
    const cap = new DailyCap(none, () => undefined);
    cap.take('app', 100, 100, RECEIVED_AT);
    cap.giveBack('app', 30);
    expect(cap.take('app', 31, 100, RECEIVED_AT)).toBe(false);
    expect(cap.take('app', 30, 100, RECEIVED_AT)).toBe(true);
  });

  test('counts what other processes took, and nothing twice', async () => {
    let total = 0;
    const cap = new DailyCap(
      async () => new Map([['app', total]]),
      () => undefined,
    );
    cap.take('app', 30, 100, RECEIVED_AT);
    // The first take has asked already; its answer comes first.
    await nextTurn();
    total = 30 + 40;
    await cap.refresh(RECEIVED_AT);
    expect(cap.take('app', 31, 100, RECEIVED_AT)).toBe(false);
    expect(cap.take('app', 30, 100, RECEIVED_AT)).toBe(true);
  });

  test('goes on with its own count while the database is away, and tells why', async () => {
    const told: unknown[] = [];
    const cap = new DailyCap(
      () => Promise.reject(new Error('away')),
      (thrown) => told.push(thrown),
    );
    cap.take('app', 30, 100, RECEIVED_AT);
    await cap.refresh(RECEIVED_AT);
    expect(cap.take('app', 71, 100, RECEIVED_AT)).toBe(false);
    expect(told).toEqual([new Error('away')]);
  });

  test('says how long the day still is', () => {
    expect(DailyCap.secondsLeft(Date.parse('2026-03-10T23:59:00Z'))).toBe(60);
    expect(DailyCap.secondsLeft(Date.parse('2026-03-10T00:00:00Z'))).toBe(86_400);
  });
});

describe('the floor of the disk', () => {
  test('is met while more than that is free', async () => {
    let free = 600 * 1024 * 1024;
    const look = async () => free;
    expect(await diskFloor('/', 512, look)()).toBe(true);
    free = 500 * 1024 * 1024;
    expect(await diskFloor('/', 512, look)()).toBe(false);
  });

  test('is looked at once a second at most', async () => {
    let looks = 0;
    const hasRoom = diskFloor('/', 1, async () => {
      looks += 1;
      return 1e12;
    });
    await Promise.all(Array.from({ length: 50 }, hasRoom));
    expect(looks).toBe(1);
  });

  test('is not met by a folder that cannot be looked at', async () => {
    expect(await diskFloor('/no/such/folder', 1)()).toBe(false);
  });
});

describe('batches that were turned away', () => {
  const app = { orgId: 'org', appId: 'app' };
  const where = { ...app, environment: 'production' as const };

  test('are counted by hour and reason with the last example', () => {
    const rejections = new Rejections();
    rejections.add(where, 'invalid_batch', 'first', RECEIVED_AT);
    rejections.add(where, 'invalid_batch', 'second', RECEIVED_AT + 1);
    rejections.add(where, 'daily_cap', null, RECEIVED_AT + HOUR_MS);
    expect(rejections.take()).toEqual([
      {
        ...app,
        hourMs: RECEIVED_AT,
        reason: 'invalid_batch',
        batches: 2,
        lastAtMs: RECEIVED_AT + 1,
        lastExample: 'second',
        people: [],
        ofDevices: true,
      },
      {
        ...app,
        hourMs: RECEIVED_AT + HOUR_MS,
        reason: 'daily_cap',
        batches: 1,
        lastAtMs: RECEIVED_AT + HOUR_MS,
        lastExample: null,
        people: [],
        ofDevices: true,
      },
    ]);
    expect(rejections.take()).toEqual([]);
  });

  test('of development are counted by themselves', () => {
    const rejections = new Rejections();
    rejections.add({ ...app, environment: 'development' }, 'daily_cap', null, RECEIVED_AT);
    rejections.add(where, 'daily_cap', null, RECEIVED_AT);
    const reasons = rejections.take().map((one) => one.reason);
    expect(reasons).toEqual(['development:daily_cap', 'daily_cap']);
  });

  test('are not lost when they cannot be written yet', () => {
    const rejections = new Rejections();
    rejections.add(where, 'daily_cap', null, RECEIVED_AT);
    const taken = rejections.take();
    rejections.add(where, 'daily_cap', null, RECEIVED_AT);
    rejections.giveBack(taken);
    expect(rejections.take().map((one) => one.batches)).toEqual([2]);
  });

  test('never take more than a bounded part of memory', () => {
    const rejections = new Rejections();
    for (let i = 0; i < 12_000; i += 1) {
      rejections.add(
        { orgId: 'org', appId: `app-${i}`, environment: 'production' as const },
        'invalid_batch',
        null,
        RECEIVED_AT,
      );
    }
    expect(rejections.take()).toHaveLength(10_000);
  });
});

describe('the metrics of the log', () => {
  test('say what is not in files yet and what could not be read', async () => {
    const dir = temporaryFolder('log-metrics');
    const registry = new Registry();
    registerLogMetrics(registry, dir, null);
    const figures = async () =>
      (await registry.getMetricsAsJSON())
        .filter(({ name }) => name.startsWith('event_log_'))
        .map(({ name, values }) => [name, values[0]?.value]);
    const [free] = (await registry.getSingleMetric('disk_free_bytes')?.get())?.values ?? [];
    expect(free?.value).toBeGreaterThan(0);
    expect(await figures()).toEqual([
      ['event_log_bytes', 0],
      ['event_log_set_aside_files', 0],
    ]);
    await Bun.write(join(dir, 'abc-1-def.00000001.log'), 'x'.repeat(10));
    await Bun.write(join(dir, 'abc-1-def.00000002.log'), 'x'.repeat(5));
    await Bun.write(join(dir, 'abc-1-def.00000001.log.7.corrupt'), 'x');
    expect(await figures()).toEqual([
      ['event_log_bytes', 15],
      ['event_log_set_aside_files', 1],
    ]);
  });
});
