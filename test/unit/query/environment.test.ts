import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  EVENT_COLUMNS,
  EVENT_FIELD_IDS_SQL,
  EVENT_FILE_FORMAT,
} from '../../../src/event-store/event/columns.ts';
import { eventFilesSql } from '../../../src/event-store/parquet/read-files.ts';
import { eventRelation } from '../../../src/query/reading/duckdb/relation.ts';
import { type EventFile, selectEvents } from '../../../src/query/reading/source/events.ts';
import { ENVIRONMENT_SCOPES, isInScope } from '../../../src/shared/environment.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const shape = fc.record({
  name: fc.constantFrom('a', 'b', '$exposure'),
  device: fc.integer({ min: 0, max: 6 }),
  at: fc.integer({ min: 0, max: 9 }),
  country: fc.constantFrom('DE', 'de', 'De', 'Ü1', null),
  environment: fc.constantFrom('production', 'production', 'development'),
  kept: fc.constantFrom('log', 'shared', 'own', 'format 1', 'format 2'),
});

const folded = (country: string | null) =>
  country === 'Ü1' ? country : (country?.toUpperCase() ?? null);

test('every question counts the events of its environment, whatever file they are in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(shape, { maxLength: 80 }), async (shapes) => {
      const rows = shapes.map(({ name, device, at, country, environment, kept }, index) => {
        const isOld = kept.startsWith('format');
        return {
          kept,
          row: eventRow({
            name,
            anonymousId: `device-${device}`,
            occurredAtUs: 1_000 + at,
            arrival: index,
            // Earlier releases knew neither: what they wrote is of production, as it was sent.
            environment: isOld ? 'production' : environment,
            country: isOld ? country : folded(country),
          }),
        };
      });
      const files: EventFile[] = [];
      for (const [kept, options] of [
        ['shared', {}],
        ['own', { level: 1 }],
        ['format 1', { level: 1, format: 1 }],
        ['format 2', { level: 1, format: 2 }],
      ] as const) {
        const part = rows.filter((one) => one.kept === kept).map((one) => one.row);
        if (part.length > 0) files.push(await duck.writeFile(part, options));
      }
      const hot = rows.filter((one) => one.kept === 'log').map((one) => one.row);
      for (const environment of ENVIRONMENT_SCOPES) {
        const asked = rows
          .map((one) => one.row)
          .filter((row) => isInScope(row.environment, environment));
        const hotRows = hot.filter((row) => isInScope(row.environment, environment));
        const source = { files, hotRows, environment };

        await duck.query(source, async (connection, whole) => {
          const summary = await countOver(connection, whole, 'summary', {
            orgId: ORG,
            appId: APP,
            fromUs: 0,
            beforeUs: 1_000_000,
            limit: 100,
          });
          const ofClients = asked.filter((row) => !row.name.startsWith('$'));
          expect(summary.events).toBe(ofClients.length);
          expect(summary.people).toBe(new Set(ofClients.map((row) => row.personId)).size);

          const { breakdown, total } = await countOver(connection, whole, 'funnel', {
            orgId: ORG,
            appId: APP,
            steps: [{ event: 'a' }, { event: 'b' }],
            fromUs: 0,
            startBeforeUs: 1_000_000,
            windowUs: 1_000,
            filters: {},
            breakdown: { kind: 'country' },
            trendFromUs: null,
          });
          const entered = asked.filter((row) => row.name === 'a').map((row) => row.personId);
          expect(total.people[0]).toBe(new Set(entered).size);
          for (const { value } of breakdown ?? []) {
            expect(['DE', 'Ü1', 'unknown']).toContain(value ?? '');
          }

          const from = eventRelation(selectEvents(whole, {}), [
            'environment',
            'arrival',
            'country',
          ]);
          const sql = `SELECT arrival::DOUBLE, environment, country FROM ${from} ORDER BY arrival`;
          const stored = (await connection.runAndReadAll(sql)).getRows();
          expect(stored).toEqual(
            asked
              .toSorted((a, b) => a.arrival - b.arrival)
              .map((row) => [row.arrival, row.environment, folded(row.country)]),
          );
        });
      }
    }),
    { numRuns: Number(process.env.TEST_FULL ? 500 : 12) },
  );
});

test('files of all formats are read together as this release writes them', async () => {
  const files = [];
  for (const format of [1, 2, EVENT_FILE_FORMAT]) {
    const country = format < EVENT_FILE_FORMAT ? 'de' : 'DE';
    const environment = format < EVENT_FILE_FORMAT ? 'production' : 'development';
    const row = eventRow({ name: `format_${format}`, country, environment });
    files.push(await duck.writeFile([row], { format }));
  }
  for (const order of [files, files.toReversed()]) {
    const rows = await duck.query({}, async (connection) => {
      const sql = `SELECT name, country, environment FROM ${eventFilesSql(order)} ORDER BY name`;
      return (await connection.runAndReadAll(sql)).getRows();
    });
    expect(rows).toEqual([
      ['format_1', 'DE', 'production'],
      ['format_2', 'DE', 'production'],
      ['format_3', 'DE', 'development'],
    ]);
  }
});

test('field ids of event files never change', () => {
  const ids = EVENT_FIELD_IDS_SQL.slice(1, -1).split(', ');
  expect(ids.slice(0, 21)).toEqual(
    EVENT_COLUMNS.slice(0, 21).map(({ name }, i) => `${name}: ${i + 1}`),
  );
  expect(ids.slice(20)).toEqual([
    'event_id: 21',
    'person_key: 22',
    'is_anonymous: 23',
    'environment: 24',
  ]);
});
