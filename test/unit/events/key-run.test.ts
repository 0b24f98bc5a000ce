import { describe, expect, test } from 'bun:test';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { KeyRun, mergeKeyRuns, packKeys } from '../../../src/event-store/dedup/key-run.ts';
import { temporaryFolder } from '../../support/events.ts';

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
  test('is sorted, with each key once, however many begin alike', () => {
    const sorted = (hexKeys: readonly string[]) => [...new Set(hexKeys)].sort().join('');
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 200 }), fc.array(anyKey), (some, others) => {
        const all = [...some, ...others, ...some];
        expect(packKeys(all).toString('hex')).toBe(sorted(all));
      }),
    );
    // So many that their places leave few bits of a number to the key.
    const alike = Array.from({ length: 70_000 }, (_, i) =>
      (i % 7 === 0 ? 'aabbccddee' : '')
        .concat(Bun.hash(`${i}`).toString(16).repeat(3))
        .slice(0, 32),
    ).map((key) => key.padEnd(32, '0'));
    expect(packKeys(alike).toString('hex')).toBe(sorted(alike));
  });

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
        const file = await open(path, 'w');
        const count = await mergeKeyRuns(
          groups.map((group) => KeyRun.of(packKeys(group))),
          file,
        );
        await file.close();
        const expected = packKeys(groups.flat());
        expect(Buffer.from(await Bun.file(path).bytes()).equals(expected)).toBe(true);
        expect(count).toBe(expected.length / 16);
      }),
      { numRuns: process.env.TEST_FULL ? 200 : 20 },
    );
  });
});
