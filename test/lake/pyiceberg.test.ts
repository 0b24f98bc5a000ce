import { describe, expect, test } from 'bun:test';
import { newId } from '../../src/shared/ids.ts';
import { textList } from '../../src/storage/duckdb-literal.ts';
import { openEventStore } from '../support/event-store.ts';
import { event } from '../support/events.ts';
import { livePaths, maintain, take } from '../support/lake/events.ts';
import { lakeOf } from '../support/lake/lake.ts';
import { findPyIceberg } from '../support/lake/pyiceberg.ts';
import { LAKE_TOKEN, serveLake } from '../support/lake/serve.ts';
import { LAKE_TABLES } from '../support/lake/tables.ts';
import { runPython } from '../support/lake/tools.ts';
import { testDatabase } from '../support/postgres.ts';
import { randomFrom } from '../support/random.ts';

const python = await findPyIceberg();
if (python === null) console.log('not run: readers of the lake need python3 with venv, and PyPI.');

const database = await testDatabase();
const { sql } = database;
const store = await openEventStore(sql);
const lake = lakeOf(sql, store);

const OPEN = `
import json, os, time
from pyiceberg.catalog import load_catalog
lake = load_catalog('lake', type='rest', uri=os.environ['LAKE_URI'], token=os.environ['LAKE_TOKEN'])
`;
const env = {
  LAKE_URI: await serveLake(database, store),
  LAKE_TOKEN,
  DATABASE_URL: database.url.replace(/^postgres(ql)?:/, 'postgresql+psycopg2:'),
};
const ask = (script: string) => runPython(python ?? '', OPEN + script, env);

const APPS = [newId('app'), newId('app')].toSorted();
const random = randomFrom(5);
const int = (below: number) => Math.floor(random() * below);
let made = 0;

/** Events with an id each, over some days, so that one that is missing or double is seen. */
function numbered(count: number) {
  return Array.from({ length: count }, () => {
    made += 1;
    const person = int(60);
    const ts = new Date(Date.now() - int(6 * 86_400_000)).toISOString();
    const user = int(5) === 0 ? { userId: `user-${person}` } : {};
    return event({
      id: `event-${made}`,
      anonymousId: `device-${person}`,
      name: `s${int(4)}`,
      ts,
      ...user,
    });
  });
}

async function liveRows(where = 'true'): Promise<string[]> {
  const paths = (await livePaths(sql)).map((path) => `${store.dir}/objects/${path}`);
  const reader = await store.connection.runAndReadAll(
    `SELECT event_id FROM read_parquet([${textList(paths)}], union_by_name = true) WHERE ${where}`,
  );
  return reader
    .getRows()
    .map(([id]) => String(id))
    .toSorted();
}

describe.skipIf(python === null)('PyIceberg', () => {
  test('reads the rows that DuckDB reads, over HTTP and from PostgreSQL, and prunes files', async () => {
    for (let round = 0; round < 6; round += 1) {
      await take(store, [APPS[round % 2]!, numbered(60)]);
      if (round === 2) await maintain(store.compaction);
    }
    await lake.publish();
    const since = new Date(Date.now() - 3 * 86_400_000).toISOString().replace('Z', '+00:00');
    const answer = (await ask(`
from pyiceberg.catalog.sql import SqlCatalog
table = lake.load_table('main.events')
ids = lambda scan: sorted(scan.to_arrow()['event_id'].to_pylist())
scan = table.scan(row_filter="app_id == '${APPS[1]}' and occurred_at >= '${since}'")
jdbc = SqlCatalog('lake', uri=os.environ['DATABASE_URL'], init_catalog_tables='false').load_table('main.events')
print(json.dumps({
  'all': ids(table.scan()), 'some': ids(scan), 'jdbc': ids(jdbc.scan()),
  'files': len(list(table.scan().plan_files())), 'planned': len(list(scan.plan_files())),
  'tables': sorted(name for _, name in lake.list_tables('main')),
  'there': [lake.table_exists('main.events'), lake.table_exists('main.nothing')],
  'people': lake.load_table('main.people').scan().count(),
  'specs': sorted(table.specs().keys()), 'sorted': [f.source_id for f in table.sort_order().fields],
}))`)) as Record<string, unknown>;
    expect(answer.all).toEqual(await liveRows());
    expect(answer.jdbc).toEqual(answer.all);
    expect(answer.some).toEqual(
      await liveRows(`app_id = '${APPS[1]}' AND occurred_at >= '${since}'::TIMESTAMPTZ`),
    );
    expect(Number(answer.planned)).toBeLessThan(Number(answer.files));
    expect(answer).toMatchObject({
      there: [true, false],
      specs: [0, 1, 2],
      sorted: [2, 9, 5, 7, 8],
    });
    expect(answer.tables).toEqual(LAKE_TABLES);
    const [aliases] = await sql<{ n: number }[]>`SELECT count(*) AS n FROM event_people`;
    expect(answer.people).toBe(aliases!.n);
  }, 120_000);
});
