import { Database } from 'bun:sqlite';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Sql } from '../../src/storage/postgres.ts';
import { decodeAvro } from './lake/read-table.ts';

/** Something that is kept, and all that stands in it. */
export type Kept = { place: string; text: string };

const ofBytes = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  const isBuffer =
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
  return isBuffer ? Buffer.from(value as never).toString('latin1') : value;
};

export type Row = { table: string; data: Record<string, unknown>; text: string };

/** Every row of every table of the service. */
export async function everyRow(sql: Sql): Promise<Row[]> {
  const tables = await sql<{ name: string }[]>`
    SELECT c.oid::regclass::text AS name FROM pg_class c
    JOIN pg_namespace s ON s.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND s.nspname IN ('public', 'auth')`;
  const rows = tables.map(async ({ name }): Promise<Row[]> => {
    const found = await sql.unsafe<{ data: Record<string, unknown> }[]>(
      `SELECT to_jsonb(t) AS data FROM ${name} t`,
    );
    return found.map(({ data }) => ({ table: name, data, text: JSON.stringify(data) }));
  });
  return (await Promise.all(rows)).flat();
}

async function unpacked(connection: DuckDBConnection, path: string): Promise<string[]> {
  if (path.endsWith('.parquet')) {
    const query = `SELECT to_json(e)::VARCHAR FROM read_parquet('${path}') e`;
    return (await connection.runAndReadAll(query)).getRows().map(([row]) => String(row));
  }
  if (!path.endsWith('.avro')) return [];
  return [JSON.stringify((await decodeAvro(await readFile(path))).records, ofBytes)];
}

/** Every file below a folder: its bytes, and what is packed in them, a text for each row. */
export async function everyFile(
  dir: string,
  { not = [] }: { not?: readonly string[] } = {},
): Promise<Kept[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !not.some((name) => relative(dir, path).startsWith(`${name}/`)));
  const duck = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await duck.connect();
  const kept: Kept[] = [];
  for (const path of paths) {
    const bytes = await readFile(path);
    const place = relative(dir, path);
    kept.push({ place, text: bytes.toString('latin1') });
    for (const text of await unpacked(connection, path)) kept.push({ place, text });
  }
  connection.closeSync();
  return kept;
}

/** Every row of every table of the embedded Temporal, by a copy of its database. */
export async function everyRun(dir: string): Promise<Kept[]> {
  const copy = await mkdtemp(join(tmpdir(), 'runs-'));
  await cp(dir, copy, { recursive: true });
  const kept: Kept[] = [];
  const names = await readdir(copy, { recursive: true });
  for (const name of names.filter((one) => /\.(db|sqlite)$/.test(one))) {
    const database = new Database(join(copy, name));
    const tables = database
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all();
    for (const table of tables) {
      for (const row of database.query(`SELECT * FROM "${table.name}"`).values()) {
        const values = row.map((value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
        );
        kept.push({ place: `temporal ${table.name}`, text: values.join(' ') });
      }
    }
    database.close();
  }
  await rm(copy, { recursive: true, force: true });
  return kept;
}
