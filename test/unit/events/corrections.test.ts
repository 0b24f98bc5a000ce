import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import {
  correctedSql,
  countAffectedSql,
  loadCorrections,
  ofErased,
} from '../../../src/event-store/maintenance/corrections.ts';
import type { Corrections } from '../../../src/event-store/maintenance/queries.ts';
import { eventRow, TestDuck } from '../../support/event-source.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const APPS = ['app_1', 'app_2'];
const DEVICES = ['device-1', 'device-2', 'device-3'];
const USERS = ['ann', 'bob'];
const app = fc.constantFrom(...APPS);
const device = fc.constantFrom(...DEVICES);
const user = fc.constantFrom(...USERS);

const event = fc.record({ app, device, user: fc.option(user), at: fc.integer({ min: 0, max: 9 }) });
/** Often empty, for then nothing is joined or asked for it. */
const orNone = <T>(some: fc.Arbitrary<T[]>) => fc.oneof(fc.constant<T[]>([]), some);
const corrections = fc.record({
  aliases: orNone(
    fc.uniqueArray(fc.record({ appId: app, anonymousId: device, userId: user }), {
      selector: ({ appId, anonymousId }) => `${appId} ${anonymousId}`,
    }),
  ),
  erased: orNone(fc.array(fc.record({ appId: app, id: fc.constantFrom(...DEVICES, ...USERS) }))),
  deletedApps: orNone(fc.subarray(APPS)),
  keptSince: orNone(
    fc.uniqueArray(
      fc.record({ appId: app, since: fc.integer({ min: 0, max: 9 }).map((ms) => new Date(ms)) }),
      { selector: ({ appId }) => appId },
    ),
  ),
});

/** The person of a row as it should be now; null when the row should be gone. */
function personNow(row: EventRow, { aliases, ...forgotten }: Corrections): string | null {
  const { appId, anonymousId, userId } = row;
  const alias = aliases.find((one) => one.appId === appId && one.anonymousId === anonymousId);
  const person = userId ?? alias?.userId ?? row.personId;
  const isErased = (id: string) =>
    forgotten.erased.some((one) => one.appId === appId && one.id === id);
  const since = forgotten.keptSince.find((one) => one.appId === appId)?.since.getTime() ?? 0;
  const isGone =
    forgotten.deletedApps.includes(appId) ||
    isErased(person) ||
    (userId === null && isErased(anonymousId)) ||
    row.occurredAtUs / 1_000 < since;
  return isGone ? null : person;
}

test('rows are corrected as one would by hand, whichever corrections there are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 30 }),
      corrections,
      async (events, changes) => {
        const rows = events.map(({ app: appId, device: anonymousId, user: userId, at }, n) =>
          eventRow({ name: `e${n}`, appId, anonymousId, userId, occurredAtUs: at * 1_000 }),
        );
        const given: Corrections = { seq: 1, ...changes };
        const expected = rows.map((row) => ({ row, person: personNow(row, given) }));
        const file = await duck.writeFile(rows);
        const connection = await duck.duck.connect();
        await loadCorrections(connection, given);
        const kept = await connection.runAndReadAll(
          `SELECT name, person_id FROM ${correctedSql([file], given)} ORDER BY name`,
        );
        const affected = await connection.runAndReadAll(countAffectedSql([file], given, 'any'));
        const few = ofErased(given);
        await loadCorrections(connection, few);
        const removed = await connection.runAndReadAll(countAffectedSql([file], few, 'removed'));
        connection.closeSync();
        expect(kept.getRows()).toEqual(
          expected
            .flatMap(({ row, person }) => (person === null ? [] : [[row.name, person]]))
            .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
        );
        const changed = expected.filter(({ row, person }) => person !== row.personId);
        expect(affected.getRows()).toEqual([[changed.length]]);
        const gone = expected.filter(({ person }) => person === null);
        expect(removed.getRows()).toEqual([[gone.length]]);
      },
    ),
    { numRuns: process.env.TEST_FULL ? 1_000 : 40 },
  );
});
