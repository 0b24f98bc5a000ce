import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
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
    const place = relative(dir, path);
    try {
      const texts = [
        (await readFile(path)).toString('latin1'),
        ...(await unpacked(connection, path)),
      ];
      kept.push(...texts.map((text) => ({ place, text })));
    } catch (error) {
      // Removed meanwhile: not kept.
      if (existsSync(path)) throw error;
    }
  }
  connection.closeSync();
  return kept;
}

/** A copy of its files would be torn: it is written to meanwhile. */
function ofDatabase(path: string): Kept[] {
  const database = new Database(path, { readonly: true });
  database.run('PRAGMA busy_timeout = 60000');
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table'";
  const read = database.transaction(() =>
    database
      .query<{ name: string }, []>(tables)
      .all()
      .flatMap(({ name }) =>
        database
          .query(`SELECT * FROM "${name}"`)
          .values()
          .map((row) => ({
            place: `temporal ${name}`,
            text: row
              .map((value) =>
                value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
              )
              .join(' '),
          })),
      ),
  );
  const kept = read();
  database.close();
  return kept;
}

/** Every row of every table of the embedded Temporal, as of one moment. */
export async function everyRun(dir: string): Promise<Kept[]> {
  const names = await readdir(dir, { recursive: true });
  return names
    .filter((one) => /\.(db|sqlite)$/.test(one))
    .flatMap((name) => ofDatabase(join(dir, name)));
}
