import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type LogRecord, toRecord } from '../../../src/modules/logs/record.ts';
import { LogRings } from '../../../src/modules/logs/ring.ts';

const AT = new Date('2026-11-21T08:00:00Z');
const say = (orgId: string, message: string): LogRecord => toRecord(orgId, AT, { message });
const roomy = { entriesPerOrg: 1_000_000, bytesPerOrg: 1e9, bytesInAll: 1e9 };
const messages = (rings: LogRings, orgId: string) =>
  rings.of(orgId).map((record) => JSON.parse(record.entry).message);

describe('LogRings', () => {
  test('gives an organization its own entries, newest first', () => {
    const rings = new LogRings(roomy);
    rings.add(say('a', '1'));
    rings.add(say('b', 'other'));
    rings.add(say('a', '2'));
    expect(messages(rings, 'a')).toEqual(['2', '1']);
    expect(messages(rings, 'none')).toEqual([]);
  });

  test('the oldest make room; only what was not written counts as dropped', () => {
    const rings = new LogRings({ ...roomy, entriesPerOrg: 2 });
    const first = rings.add(say('a', '1'));
    first.state = 'written';
    rings.add(say('a', '2'));
    rings.add(say('a', '3'));
    expect(rings.dropped('a')).toBe(0);
    rings.add(say('a', '4'));
    expect(messages(rings, 'a')).toEqual(['4', '3']);
    expect(rings.dropped('a')).toBe(1);
    expect(rings.dropped('b')).toBe(0);
  });

  test('one organization’s flood does not push out another’s entries', () => {
    const rings = new LogRings({ ...roomy, bytesInAll: 20_000 });
    rings.add(say('quiet', 'kept'));
    for (let index = 0; index < 200; index += 1) rings.add(say('loud', `entry ${index}`));
    expect(messages(rings, 'quiet')).toEqual(['kept']);
    expect(rings.dropped('quiet')).toBe(0);
    expect(rings.dropped('loud')).toBeGreaterThan(0);
    expect(messages(rings, 'loud')[0]).toBe('entry 199');
  });

  test('what fits exactly stays; beyond it a tenth is freed, of the largest', () => {
    const bytes = new LogRings(roomy).add(say('a', '0')).bytes;
    const counts = (limits: Partial<typeof roomy>, orgs: string) => {
      const rings = new LogRings({ ...roomy, ...limits });
      for (const org of orgs) rings.add(say(org, '0'));
      return [...new Set(orgs)].map((org) => rings.of(org).length);
    };
    expect(counts({ bytesPerOrg: 3 * bytes }, 'aaa')).toEqual([3]);
    expect(counts({ bytesPerOrg: 3 * bytes }, 'aaaab')).toEqual([3, 1]);
    expect(counts({ bytesInAll: 10 * bytes }, 'aaaaaaabbb')).toEqual([7, 3]);
    expect(counts({ bytesInAll: 10 * bytes }, 'bbbaaaaaaaa')).toEqual([3, 6]);
    expect(counts({ bytesInAll: 10 * bytes }, 'abcdeaaaaaa')).toEqual([5, 1, 1, 1, 1]);
  });

  test('an entry is lost once, and counts twice its letters and 300 bytes', () => {
    const rings = new LogRings(roomy);
    const held = rings.add(say('a', '0'));
    const letters = held.record.entry.length + held.record.haystack.length;
    expect(held.bytes).toBe(2 * letters + 300);
    rings.drop(held);
    rings.drop(held);
    expect([rings.dropped('a'), held.state]).toEqual([1, 'dropped']);
  });

  test('entries that left are gone, however many there were', () => {
    const rings = new LogRings({ ...roomy, entriesPerOrg: 10 });
    for (let index = 0; index < 5_000; index += 1) rings.add(say('a', String(index)));
    expect(messages(rings, 'a')).toEqual(Array.from({ length: 10 }, (_, i) => String(4_999 - i)));
    expect(rings.dropped('a')).toBe(4_990);
  });

  test('all together stay within the room, whoever logs', () => {
    const rings = new LogRings({ ...roomy, bytesInAll: 50_000 });
    const orgs = Array.from({ length: 20 }, (_, index) => `org_${index}`);
    for (let index = 0; index < 2_000; index += 1) {
      rings.add(say(orgs[(index * 7) % orgs.length] ?? '', `entry ${index}`));
    }
    const held = orgs.flatMap((orgId) => rings.of(orgId));
    const bytes = held.reduce(
      (sum, each) => sum + (each.entry.length + each.haystack.length) * 2,
      0,
    );
    expect(bytes).toBeLessThan(50_000);
    expect(bytes).toBeGreaterThan(10_000);
    const dropped = orgs.reduce((sum, orgId) => sum + rings.dropped(orgId), 0);
    expect(dropped + held.length).toBe(2_000);
  });

  test('an entry larger than all the room is dropped and counted', () => {
    const rings = new LogRings({ ...roomy, bytesPerOrg: 100 });
    rings.add(say('a', 'x'.repeat(200)));
    expect(messages(rings, 'a')).toEqual([]);
    expect(rings.dropped('a')).toBe(1);
  });

  test('holds the newest in order and loses none uncounted, whatever comes', () => {
    const calls = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.boolean()), { maxLength: 300 });
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 20 }), (entries, entriesPerOrg) => {
        const rings = new LogRings({ ...roomy, entriesPerOrg });
        const said = new Map<string, string[]>([
          ['a', []],
          ['b', []],
        ]);
        const unwritten = new Map<string, number>();
        for (const [index, [orgId, written]] of entries.entries()) {
          const held = rings.add(say(orgId, String(index)));
          if (written) held.state = 'written';
          else unwritten.set(orgId, (unwritten.get(orgId) ?? 0) + 1);
          said.get(orgId)?.unshift(String(index));
        }
        for (const [orgId, all] of said) {
          expect(messages(rings, orgId)).toEqual(all.slice(0, entriesPerOrg));
          expect(rings.dropped(orgId)).toBeLessThanOrEqual(unwritten.get(orgId) ?? 0);
        }
      }),
    );
  });
});
