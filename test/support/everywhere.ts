import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
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

/** Every row of every table of the service; with `naming`, a word, those that hold it, in bytes too. */
export async function everyRow(sql: Sql, naming = ''): Promise<Row[]> {
  const hex = Buffer.from(naming).toString('hex');
  const tables = await sql<{ name: string }[]>`
    SELECT c.oid::regclass::text AS name FROM pg_class c
    JOIN pg_namespace s ON s.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND s.nspname IN ('public', 'auth')`;
  const rows = tables.map(async ({ name }): Promise<Row[]> => {
    const found = await sql.unsafe<{ data: Record<string, unknown> }[]>(
      `SELECT data FROM (SELECT to_jsonb(t) AS data FROM ${name} t) AS every
       WHERE data::text ~ '${naming}|${hex}'`,
    );
    return found.map(({ data }) => {
      const text = JSON.stringify(data);
      const bytes = text.match(/(?<=\\x)[0-9a-f]+/g)?.map((one) => Buffer.from(one, 'hex')) ?? [];
      return { table: name, data, text: [text, ...bytes.map(String)].join(' ') };
    });
  });
  return (await Promise.all(rows)).flat();
}

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

async function unpacked(connection: DuckDBConnection, path: string, bytes: Buffer) {
  if (path.endsWith('.parquet')) {
    const query = `SELECT to_json(e)::VARCHAR FROM read_parquet('${path}') e`;
    return (await connection.runAndReadAll(query)).getRows().map(([row]) => String(row));
  }
  if (path.endsWith('.avro')) return [JSON.stringify((await decodeAvro(bytes)).records, ofBytes)];
  if (bytes.subarray(0, 2).equals(GZIP)) return [String(gunzipSync(bytes))];
  if (bytes.subarray(0, 4).equals(ZSTD)) return [String(zstdDecompressSync(bytes))];
  return [];
}

type Files = {
  not?: readonly string[];
  /** Of files that have not changed since they were read. */
  read?: Map<string, Kept[]>;
  /** What is to be kept of a text. */
  shorten?: (text: string) => string;
};

/** Every file below a folder: its bytes, and what is packed in them, a text for each row. */
export async function everyFile(dir: string, options: Files = {}): Promise<Kept[]> {
  const { not = [], read = new Map(), shorten = (text: string) => text } = options;
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
      const { size, mtimeNs, ino } = await stat(path, { bigint: true });
      const version = `${path} ${size} ${mtimeNs} ${ino}`;
      if (!read.has(version)) {
        const bytes = await readFile(path);
        const texts = [bytes.toString('latin1'), ...(await unpacked(connection, path, bytes))];
        read.set(
          version,
          texts.map((text) => ({ place, text: shorten(text) })),
        );
      }
      kept.push(...(read.get(version) ?? []));
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
