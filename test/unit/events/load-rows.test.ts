import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EVENT_COLUMNS, type EventRow } from '../../../src/event-store/event/columns.ts';
import { openEngine } from '../../../src/event-store/parquet/engine.ts';
import { loadRows } from '../../../src/event-store/parquet/load-rows.ts';
import { RECEIVED_AT, row, temporaryFolder } from '../../support/events.ts';

const connection = await openEngine({
  memoryMb: 128,
  threads: 1,
  tempDir: temporaryFolder('load-rows'),
});

const SELECT = EVENT_COLUMNS.map(({ name, type, field }) => {
  if (type === 'TIMESTAMPTZ') return `epoch_us(${name})::DOUBLE AS "${field}"`;
  if (type === 'BIGINT') return `${name}::DOUBLE AS "${field}"`;
  if (type === 'UUID') return `replace(${name}::VARCHAR, '-', '') AS "${field}"`;
  return `${name} AS "${field}"`;
}).join(', ');

async function loaded(rows: EventRow[]): Promise<unknown[]> {
  await loadRows(connection, 'loaded', rows);
  const reader = await connection.runAndReadAll(
    `SELECT ${SELECT} FROM loaded ORDER BY arrival, batch_index`,
  );
  return reader.getRowObjects();
}

const optional = fc.option(fc.constantFrom('', 'x', "it's", 'ü😀', 'line\nbreak', '"quoted"'), {
  nil: null,
});
const fields = fc.record({
  key: fc.option(fc.constantFrom('f'.repeat(32), '0'.repeat(32), '8'.repeat(32)), { nil: null }),
  name: fc.constantFrom('a', 'b', '$exposure'),
  occurredAtUs: fc.integer({ min: 0, max: 4_000_000_000_000_000 }),
  personId: fc.constantFrom('p1', 'p2'),
  anonymousId: fc.constantFrom('anon-0001', 'anon-0002'),
  userId: optional,
  sessionId: optional,
  clientTs: optional,
  props: optional,
  eventId: optional,
});
const batchFields = fc.record({
  appId: fc.constantFrom('app_1', 'app_2'),
  platform: optional,
  locale: optional,
  events: fc.array(fields, { minLength: 1, maxLength: 5 }),
});

describe('rows', () => {
  test('arrive in DuckDB as they were, whatever their events share', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batchFields, { minLength: 1, maxLength: 6 }), async (batches) => {
        const rows = batches.flatMap(({ events, ...shared }, batch) =>
          events.map((event, batchIndex) =>
            row({
              ...shared,
              ...event,
              arrival: RECEIVED_AT * 1_000,
              batchIndex: batch * 10 + batchIndex,
            }),
          ),
        );
        expect(await loaded(rows)).toEqual(rows);
      }),
      { numRuns: 60 },
    );
  });

  test('in thousands keep their number and order', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) =>
      row({ arrival: RECEIVED_AT * 1_000 + n, eventId: `event-${n}` }),
    );
    expect(await loaded(rows)).toEqual(rows);
  });
});
