import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { summarise } from '../../../src/query/summary/summarise.ts';
import { APP, eventRow, ORG, TestDuck } from '../../support/event-source.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const shape = fc.record({
  name: fc.oneof(
    fc.constantFrom('app_opened', '$exposure'),
    // More names than one mask has bits.
    fc.integer({ min: 0, max: 150 }).map((n) => `event_${n}`),
  ),
  device: fc.integer({ min: 0, max: 12 }),
  user: fc.option(fc.integer({ min: 0, max: 3 })),
  at: fc.integer({ min: 0, max: 9 }),
  platform: fc.constantFrom('ios', 'web', 'other', null),
  version: fc.constantFrom('1.0', '2.0', 'unknown', null),
  inFile: fc.boolean(),
});
const cases = fc.record({
  shapes: fc.array(shape, { maxLength: 200 }),
  late: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
  erased: fc.subarray(['device-1', 'user-2']),
});

test('a summary counts what a plain count would', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ shapes, late, erased }) => {
      const userOf = new Map(late.map((device) => [`device-${device}`, `user-${device % 4}`]));
      const rows = shapes.map(({ name, device, user, at, platform, version, inFile }) => {
        const anonymousId = `device-${device}`;
        const userId = user === null ? null : `user-${user}`;
        const row = eventRow({
          name,
          anonymousId,
          userId,
          occurredAtUs: 1_000 + at,
          platform,
          appVersion: version,
        });
        return { row, inFile, person: userId ?? userOf.get(anonymousId) ?? anonymousId };
      });
      const isErased = ({ row, person }: (typeof rows)[number]) =>
        erased.includes(person) || (row.userId === null && erased.includes(row.anonymousId));
      const counted = rows.filter(
        (one) =>
          !isErased(one) &&
          !one.row.name.startsWith('$') &&
          one.row.occurredAtUs >= 1_002 &&
          one.row.occurredAtUs < 1_008,
      );
      const inFiles = rows.filter((one) => one.inFile).map((one) => one.row);
      const source = {
        files: inFiles.length > 0 ? [await duck.writeFile(inFiles)] : [],
        hotRows: rows.filter((one) => !one.inFile).map((one) => one.row),
        lateLinks: [...userOf].map(([anonymousId, userId]) => ({ anonymousId, userId })),
        erased,
      };
      const question = { orgId: ORG, appId: APP, fromUs: 1_002, beforeUs: 1_008, limit: 500 };
      const answer = await duck.query(source, (connection, whole) =>
        summarise(connection, whole, question),
      );
      const people = (list: typeof counted) => new Set(list.map((one) => one.person)).size;
      const groups = (of: (one: (typeof counted)[number]) => string) =>
        [...Map.groupBy(counted, of)]
          .map(([value, list]) => ({ value, people: people(list), events: list.length }))
          .toSorted((a, b) => (a.value < b.value ? -1 : 1));
      const sorted = <T extends { value: string }>(list: T[]) =>
        list.toSorted((a, b) => (a.value < b.value ? -1 : 1));
      const withoutEvents = (list: { value: string; people: number }[]) =>
        list.map(({ value, people: count }) => ({ value, people: count }));
      const times = counted.map((one) => one.row.occurredAtUs);
      expect(answer.people).toBe(people(counted));
      expect(answer.events).toBe(counted.length);
      expect(answer.firstAtUs).toBe(times.length > 0 ? Math.min(...times) : null);
      expect(answer.lastAtUs).toBe(times.length > 0 ? Math.max(...times) : null);
      expect(sorted(answer.names)).toEqual(groups((one) => one.row.name));
      expect(sorted(answer.platforms)).toEqual(
        withoutEvents(groups((one) => one.row.platform ?? 'other')),
      );
      expect(sorted(answer.versions)).toEqual(
        withoutEvents(groups((one) => one.row.appVersion ?? 'unknown')),
      );
    }),
    { numRuns: 120 },
  );
}, 120_000);
