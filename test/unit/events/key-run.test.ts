import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { KeyIndex, type KeyRunInfo } from '../../../src/event-store/dedup/key-index.ts';
import { KeyRun, mergeKeyRuns, packKeys } from '../../../src/event-store/dedup/key-run.ts';
import { expiredRuns, runsToMerge } from '../../../src/event-store/dedup/plan.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { RECEIVED_AT, temporaryFolder } from '../../support/events.ts';

const dir = temporaryFolder('key-run');
const hexKey = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
/** Hashes are evenly spread; look-ups must be right for keys that are not. */
const clustered = fc
  .tuple(fc.constantFrom('00', 'ff', '7f'), hexKey)
  .map(([start, key]) => (start.repeat(15) + key).slice(0, 32));
const anyKey = fc.oneof(hexKey, clustered);
const keys = fc.uniqueArray(anyKey, { maxLength: 200 });
const has = (run: KeyRun, key: string) => [...KeyRun.of(packKeys([key])).in([run])].length === 1;

describe('a run of keys', () => {
  test('holds what was put in and nothing else', () => {
    fc.assert(
      fc.property(keys, keys, (inside, asked) => {
        const run = KeyRun.of(packKeys(inside));
        expect(inside.every((key) => has(run, key))).toBe(true);
        for (const key of asked) expect(has(run, key)).toBe(inside.includes(key));
      }),
    );
  });

  test('is read from its file as it was written', async () => {
    const path = join(dir, 'one.keys');
    const inside = Array.from({ length: 5_000 }, (_, i) =>
      Bun.hash(`${i}`).toString(16).padStart(32, 'a').slice(-32),
    );
    await Bun.write(path, packKeys(inside));
    const run = KeyRun.open(path);
    expect(run.count).toBe(5_000);
    expect(inside.every((key) => has(run, key))).toBe(true);
    expect(has(run, 'f'.repeat(32))).toBe(false);
  });

  test('that is cut short is refused', () => {
    expect(() => KeyRun.of(Buffer.alloc(17))).toThrow('whole number');
  });

  test('merged with others holds the keys of all, sorted, each once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(keys, { minLength: 1, maxLength: 5 }), async (groups) => {
        const path = join(dir, 'merged.keys');
        const count = await mergeKeyRuns(
          groups.map((group) => KeyRun.of(packKeys(group))),
          path,
        );
        const expected = packKeys(groups.flat());
        expect(Buffer.from(await Bun.file(path).bytes()).equals(expected)).toBe(true);
        expect(count).toBe(expected.length / 16);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the index of identities', () => {
  test('finds a key in any of the runs it is given, and in no other', async () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
    await Bun.write(join(dir, 'a.keys'), packKeys([a]));
    await Bun.write(join(dir, 'b.keys'), packKeys([b]));
    const index = new KeyIndex(async (path) => join(dir, path));
    const info = (name: string): KeyRunInfo => ({
      runId: name,
      path: `${name}.keys`,
      keys: 1,
      seq: 1,
      minReceivedAt: new Date(RECEIVED_AT),
      maxReceivedAt: new Date(RECEIVED_AT),
    });
    expect(await index.known([a, b], [info('a')])).toEqual(new Set([a]));
    expect(await index.known([a, b], [info('a'), info('b')])).toEqual(new Set([a, b]));
    index.retain([info('b')]);
    expect(await index.known([a, b], [info('b')])).toEqual(new Set([b]));
    expect(await index.known([], [info('a')])).toEqual(new Set());
  });
});

describe('runs are kept few', () => {
  const run = (n: number, keyCount: number, receivedMs: number): KeyRunInfo => ({
    runId: `run_${n}`,
    path: '',
    keys: keyCount,
    seq: n,
    minReceivedAt: new Date(receivedMs),
    maxReceivedAt: new Date(receivedMs),
  });

  test('under thirty for each day after a week of commits every two seconds', () => {
    let runs: KeyRunInfo[] = [];
    for (let n = 0; n < 5_000; n += 1) {
      runs.push(run(n, 1_000, RECEIVED_AT + n));
      for (let group = runsToMerge(runs); group.length > 0; group = runsToMerge(runs)) {
        const gone = new Set(group);
        const sum = group.reduce((total, one) => total + one.keys, 0);
        runs = [...runs.filter((one) => !gone.has(one)), run(n, sum, RECEIVED_AT + n)];
      }
    }
    expect(runs.length).toBeLessThan(30);
  });

  test('and merged in eights of one size, up to sixteen at once, none above four million keys', () => {
    const many = (count: number, keys: number) =>
      Array.from({ length: count }, (_, n) => run(n, keys, RECEIVED_AT));
    const merged = (...runs: KeyRunInfo[][]) => runsToMerge(runs.flat()).length;
    expect([merged(many(7, 1)), merged(many(8, 1)), merged(many(20, 1))]).toEqual([0, 8, 16]);
    expect([merged(many(8, 4_000_000)), merged(many(8, 4_000_001))]).toEqual([8, 0]);
    // All below 8^5 are of one size, then each power of eight.
    expect(merged(many(4, 0), many(4, 8 ** 5 - 1))).toBe(8);
    expect(merged(many(4, 8 ** 5 - 1), many(4, 8 ** 5))).toBe(0);
    expect(merged(many(4, 8 ** 5), many(4, 8 ** 6 - 1))).toBe(8);
    expect(merged(many(4, 8 ** 6 - 1), many(4, 8 ** 6))).toBe(0);
  });

  test('and merged within one day of receipt only', () => {
    const runs = Array.from({ length: 14 }, (_, n) => run(n, 100, RECEIVED_AT + (n % 2) * DAY_MS));
    expect(runsToMerge(runs)).toEqual([]);
  });

  test('and dropped a week after receipt, never sooner', () => {
    const old = run(1, 1, RECEIVED_AT);
    expect(expiredRuns([old], RECEIVED_AT + 7 * DAY_MS)).toEqual([]);
    expect(expiredRuns([old], RECEIVED_AT + 8 * DAY_MS)).toEqual([]);
    expect(expiredRuns([old], RECEIVED_AT + 8 * DAY_MS + 1)).toEqual([old]);
  });
});
