import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { EventFile } from '../../../src/query/reading/source/events.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { asLarge } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

/** Holds all of the file with the events of 2 and 3 ms, and parts of those before and after. */
const FROM_US = 1_500;
const BEFORE_US = 4_500;

const shape = fc.record({
  name: fc.oneof(
    fc.constantFrom('app_opened', '$exposure'),
    // More names than one mask has bits.
    fc.integer({ min: 0, max: 150 }).map((n) => `event_${n}`),
  ),
  device: fc.integer({ min: 0, max: 12 }),
  // Now and then spelled like a device.
  user: fc.option(fc.constantFrom('user-0', 'user-1', 'user-2', 'user-3', 'device-1', 'device-2')),
  at: fc.integer({ min: 0, max: 9 }),
  platform: fc.constantFrom('ios', 'web', 'other', null),
  version: fc.constantFrom('1.0', '2.0', 'unknown', null),
  // In the log, in files of many apps, of an earlier release or of the app alone.
  kept: fc.constantFrom('log', 'shared', 'old', 'own'),
});
const cases = fc.record({
  shapes: fc.array(shape, { maxLength: 200 }),
  /** Known when the files were written, and since then. */
  known: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
  late: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
  erased: fc.subarray(['device-1', 'user-2']),
  large: fc.boolean(),
});

test('a summary counts what a plain count would', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ shapes, known, late, erased, large }) => {
      const usersOf = (devices: number[]) =>
        new Map(devices.map((device) => [`device-${device}`, `user-${device % 4}`]));
      const [knownUsers, lateUsers] = [usersOf(known), usersOf(late)];
      const rows = shapes.map(({ name, device, user, at, platform, version, kept }) => {
        const anonymousId = `device-${device}`;
        const userId = user;
        const row = eventRow({
          name,
          anonymousId,
          userId,
          personId: userId ?? knownUsers.get(anonymousId) ?? anonymousId,
          occurredAtUs: 1_000 + at * 500,
          platform,
          appVersion: version,
        });
        return { row, kept, person: userId ?? lateUsers.get(anonymousId) ?? row.personId };
      });
      const isErased = ({ row, person }: (typeof rows)[number]) =>
        erased.includes(person) || (row.userId === null && erased.includes(row.anonymousId));
      const counted = rows.filter(
        (one) =>
          !isErased(one) &&
          !one.row.name.startsWith('$') &&
          one.row.occurredAtUs >= FROM_US &&
          one.row.occurredAtUs < BEFORE_US,
      );
      const rowsOf = (wanted: string) =>
        rows.filter((one) => one.kept === wanted).map((one) => one.row);
      const own = Map.groupBy(rowsOf('own'), (row) => Math.floor(row.occurredAtUs / 2_000));
      const files: EventFile[] = [];
      for (const part of own.values()) files.push(await duck.writeFile(part, { level: 1 }));
      if (rowsOf('shared').length > 0) files.push(await duck.writeFile(rowsOf('shared')));
      if (rowsOf('old').length > 0) files.push(await duck.writeFile(rowsOf('old'), { format: 1 }));
      const source = {
        files: large ? files.map(asLarge) : files,
        hotRows: rowsOf('log'),
        lateAliases: [...lateUsers].map(([anonymousId, userId]) => ({ anonymousId, userId })),
        erased,
      };
      const question = { orgId: ORG, appId: APP, fromUs: FROM_US, beforeUs: BEFORE_US, limit: 500 };
      const answer = await duck.query(source, (connection, whole) =>
        countOver(connection, whole, 'summary', question),
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
    { numRuns: Number(process.env.TEST_FULL ? 500 : 20) },
  );
});

test('a value that is missing and not among those shown is left out', async () => {
  const row = (device: number, appVersion: string | null) =>
    eventRow({ name: 'opened', anonymousId: `device-${device}`, occurredAtUs: 2_000, appVersion });
  const rows = [row(1, '1.0'), row(2, '1.0'), row(3, null)];
  const question = { orgId: ORG, appId: APP, fromUs: FROM_US, beforeUs: BEFORE_US, limit: 1 };
  const source = { files: [], hotRows: rows, lateAliases: [], erased: [] };
  const answer = await duck.query(source, (connection, whole) =>
    countOver(connection, whole, 'summary', question),
  );
  expect(answer.people).toBe(3);
  expect(answer.versions).toEqual([{ value: '1.0', people: 2 }]);
});
