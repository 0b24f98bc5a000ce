import { describe, expect, test } from 'bun:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { OF_CATALOGUE, refusalOf } from '../../../src/sql/sandbox/allowed.ts';
import { answerCsv } from '../../../src/modules/sql/csv.ts';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const names = { views: ['events', 'people'], hidden: ['shared_events'] };

async function refusal(sql: string): Promise<string | null> {
  const asked = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  return refusalOf(JSON.parse(String(asked.getRows()[0]?.[0])).statements, names);
}

describe('a question', () => {
  test.each([
    'SELECT 1',
    'FROM events',
    'SELECT * FROM "EVENTS" e JOIN people p USING (person_id)',
    'WITH a AS (FROM events), b AS (FROM a) SELECT * FROM b',
    'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) FROM r',
    'SELECT * FROM range(3) t(i), unnest([1, 2]), generate_series(1, 2)',
    "SELECT props->>'plan' FROM events WHERE EXISTS (FROM people)",
    'SELECT * FROM (PIVOT events ON name IN (1) USING count(*))',
    'DESCRIBE events',
    'SUMMARIZE events',
    'VALUES (1), (2)',
    "SELECT 'FROM shared_events'",
  ])('may be %s', async (sql) => {
    expect(await refusal(sql)).toBeNull();
  });

  test.each([
    ['FROM shared_events', 'no view "shared_events"'],
    ['FROM main.events', 'no view "main.events"'],
    ['FROM memory.main.events', 'no view "memory.main.events"'],
    ["FROM 'x.parquet'", 'no view "x.parquet"'],
    ["SELECT (SELECT count(*) FROM read_csv('x'))", '"read_csv" cannot be read from'],
    ["FROM query('SELECT 1')", '"query" cannot be read from'],
    ['FROM duckdb_settings()', '"duckdb_settings" cannot be read from'],
    ["SELECT upper(current_setting('x'))", '"current_setting" cannot be asked'],
    ['SHOW TABLES', 'only views can be described'],
    ['WITH shared_events AS (SELECT 1) FROM shared_events', '"shared_events" cannot be the name'],
    ['WITH "a.parquet" AS (SELECT 1) SELECT 1', '"a.parquet" cannot be the name'],
    ['SELECT 1 UNION ALL (SELECT 1 FROM (FROM (FROM nobody)))', 'no view "nobody"'],
  ])('may not be %s', async (sql, said) => {
    expect(await refusal(sql)).toContain(said);
  });
});

test('an answer as CSV has texts quoted and nested values as JSON', () => {
  const columns = [
    { name: 'a', type: 'VARCHAR' },
    { name: 'b', type: 'INTEGER[]' },
  ];
  const rows = [
    ['x "y"', [1, 2]],
    [null, 3],
  ];
  expect(answerCsv({ columns, rows })).toBe('"a","b"\r\n"x ""y""","[1,2]"\r\n,3\r\n');
});

test('no name of the catalogue can be given to a part, in whatever scope', async () => {
  const internal = await connection.runAndReadAll(
    "SELECT DISTINCT view_name FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema'",
  );
  const names = internal.getRows().map(([name]) => String(name));
  expect(names).toContain('duckdb_views');
  expect(names.filter((name) => !OF_CATALOGUE.test(name))).toEqual([]);
  const crossed =
    'SELECT sql FROM duckdb_views CROSS JOIN (WITH duckdb_views AS (SELECT 1) SELECT 1)';
  expect(await refusal(crossed)).toBe('"duckdb_views" cannot be the name of a part');
});
