import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { askEvents } from '../../../src/admin/analyst/ask.ts';
import { readAnswer } from '../../../src/sql/sandbox/read-answer.ts';
import { KeyIndex } from '../../../src/event-store/dedup/key-index.ts';
import { EVENT_FILE_FORMAT } from '../../../src/event-store/event/columns.ts';
import { eraseDevices } from '../../../src/event-store/people/erasure-queries.ts';
import { KEY_WORDS } from '../../../src/event-store/projection/format.ts';
import { buildSql, PROJECTED_COLUMNS } from '../../../src/event-store/projection/project.ts';
import { readFileRows, readKeys } from '../../../src/event-store/projection/read-rows.ts';
import { readBuilt } from '../../../src/event-store/read.ts';
import { writeIdentities } from '../../../src/event-store/rebuild/identities.ts';
import { findPeople } from '../../../src/event-store/rebuild/people.ts';
import { walkPeople } from '../../../src/query/funnel/walk.ts';
import { systemClock } from '../../../src/shared/time.ts';
import { keepInterrupting } from '../../../src/storage/duckdb.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import { APP, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { quietLog } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';

const ROWS = 16_000;
const TIMES = isFullRun ? 200 : 6;
const ERASED = 100;

const { sql } = await testDatabase();
const duck = await TestDuck.open();
afterAll(() => duck.close());
const objects = localObjectStore(join(duck.dir, 'objects'));
const startMs = Date.now() - ROWS;
const file = await duck.writeFile(
  Array.from({ length: ROWS }, (_, n) =>
    eventRow({
      name: n % 2 === 0 ? 'opened' : 'bought',
      key: n.toString(16).padStart(32, '0'),
      anonymousId: `device-${n}`,
      personId: `user-${n}`,
      arrival: n,
      occurredAtUs: (startMs + n) * 1_000,
      platform: 'ios',
      props: JSON.stringify({ page: `${n} `.repeat(20) }),
    }),
  ),
);
await objects.putBytes('events/file.parquet', await Bun.file(file.path).bytes());
const stored = {
  ...{ path: 'events/file.parquet', format: EVENT_FILE_FORMAT },
  ...{ bytes: Bun.file(file.path).size, maxReceivedAt: new Date() },
};
const from = `(SELECT ${PROJECTED_COLUMNS.join(', ')} FROM read_parquet('${file.path}'))`;

const compactor = (connection: DuckDBConnection) => ({
  ...{ sql, connection, objects, clock: systemClock, log: quietLog(), logDir: duck.dir },
  keys: new KeyIndex((path) => objects.localPath(path)),
});

const question = {
  ...{ setup: [], paths: [], views: ['events'], hidden: [], parameters: {} },
  ...{ timeMs: 600_000, maxRows: 2 * ROWS, maxBytes: 2 ** 30, memoryMb: 256, threads: 2 },
};

/** The number of rows that each reader finds. */
const READERS: Record<string, (connection: DuckDBConnection) => Promise<number>> = {
  'rows of a file': async (connection) => {
    const files = await readFileRows(connection, [{ from, rows: ROWS }], 2 ** 30);
    return files?.[0]?.rows.length ?? -1;
  },
  'a projection': async (connection) => {
    const built = await buildSql(connection, from, { withProps: true });
    return built ? readBuilt(built).sections.reduce((sum, { rows }) => sum + rows, 0) : -1;
  },
  keys: async (connection) => {
    const keys = await readKeys(connection, `SELECT person_key FROM ${from}`);
    return keys.length / KEY_WORDS;
  },
  'paths of people': async (connection) => {
    let people = 0;
    await walkPeople(
      { connection, checkTime: () => undefined },
      {
        sql: `SELECT list(0::BIGINT) FROM ${from} GROUP BY person_key`,
        fold: { stepCount: 1, windowUs: 1, startBeforeUs: 1 },
        ...{ isFiltered: false, isDetailed: false },
        onEntrant: () => {},
        onChunk: (chunk) => {
          people += chunk.rowCount;
        },
      },
    );
    return people;
  },
  people: async (connection) => {
    const scope = { orgId: ORG, appId: APP };
    const { aliases, erased } = await findPeople(compactor(connection), [stored], [scope]);
    return erased.length === ERASED ? aliases.length : erased.length;
  },
  identities: async (connection) => {
    const runs = await writeIdentities(compactor(connection), [stored]);
    return runs.reduce((sum, { keys }) => sum + keys, 0);
  },
  'an answer to SQL': async (connection) => {
    await connection.run(`CREATE OR REPLACE TEMP VIEW events AS FROM read_parquet('${file.path}')`);
    const asked = { ...question, sql: 'SELECT name, props, person_id FROM events' };
    const { rows, cutBy } = await readAnswer(connection, asked);
    return cutBy === null ? rows.length : -1;
  },
  'an answer to an analyst': async (connection) => {
    const asked = `SELECT name, props, person_id FROM read_parquet('${file.path}')`;
    return (await askEvents(connection, asked)).rows.length;
  },
};

async function readInterrupted(
  read: (connection: DuckDBConnection) => Promise<number>,
  afterMs: number,
): Promise<number | Error> {
  const connection = await duck.duck.connect();
  let timer: Timer = setTimeout(() => {
    timer = keepInterrupting(connection);
  }, afterMs);
  try {
    return await read(connection);
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  } finally {
    clearTimeout(timer);
    connection.closeSync();
  }
}

await sql.begin((tx) =>
  eraseDevices(
    tx,
    Array.from({ length: ERASED }, (_, n) => ({ orgId: ORG, appId: APP, id: `user-${n}` })),
    1,
  ),
);

const LATE_FAULT =
  "SELECT CASE WHEN range = 90000 THEN error('a late fault') ELSE repeat('x', 50) END FROM range(99999)";

test('a row that fails late fails the whole answer, with its cause', async () => {
  const connection = await duck.duck.connect();
  await expect(askEvents(connection, LATE_FAULT)).rejects.toThrow('a late fault');
  const asked = { ...question, sql: LATE_FAULT, maxRows: 99_999 };
  await expect(readAnswer(connection, asked)).rejects.toThrow('a late fault');
});

describe('an interrupted read is whole or an error', () => {
  test.each(Object.entries(READERS))('%s', async (_, read) => {
    const connection = await duck.duck.connect();
    const undisturbed = isFullRun ? TIMES : 1;
    const startedMs = performance.now();
    for (let time = 0; time < undisturbed; time += 1) expect(await read(connection)).toBe(ROWS);
    const eachMs = (performance.now() - startedMs) / undisturbed;
    const found: (number | Error)[] = [];
    for (let time = 1; time <= TIMES; time += 1) {
      found.push(await readInterrupted(read, isFullRun ? 2 * time : (eachMs * time) / TIMES));
      if (isFullRun || time === TIMES) expect(await read(connection)).toBe(ROWS);
    }
    connection.closeSync();
    expect(found.filter((rows) => !(rows instanceof Error) && rows !== ROWS)).toEqual([]);
  });
});
