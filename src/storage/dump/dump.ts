import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Static, Type } from '@sinclair/typebox';
import { mayRest, type Sql, type Tx, singleValue } from '../postgres.ts';
import * as catalogue from './tables.ts';

export const DatabaseDump = Type.Object({
  postgresMajor: Type.Integer(),
  migrations: Type.Array(Type.String()),
  partitions: Type.Array(catalogue.PartitionInfo),
  sequences: Type.Array(catalogue.SequenceInfo),
  /** In load order. */
  tables: Type.Array(
    Type.Composite([
      catalogue.TableInfo,
      Type.Object({ file: Type.String(), rows: Type.Integer() }),
    ]),
  ),
});
export type DatabaseDump = Static<typeof DatabaseDump>;

async function dumpTable(tx: Tx, dir: string, table: catalogue.TableInfo, signal?: AbortSignal) {
  const file = `${table.schema}.${table.name}.copy.gz`;
  const counter = new catalogue.RowCounter();
  const rows = await tx.unsafe(`COPY ${catalogue.copyTarget(table)} TO STDOUT`).readable();
  const target = createWriteStream(join(dir, file), { mode: 0o600, flags: 'wx', flush: true });
  await pipeline(rows, counter, createGzip(), target, signal ? { signal } : {});
  return { ...table, file, rows: counter.rows };
}

const serverMajor = (tx: Tx) =>
  singleValue(tx<{ version: number }[]>`
    SELECT current_setting('server_version_num')::int / 10000 AS version`);

/** One REPEATABLE READ transaction, without pg_dump. `meanwhile` runs in it. */
export async function dumpDatabase<T>(
  sql: Sql,
  dir: string,
  meanwhile: (tx: Tx) => Promise<T>,
  { signal, onTable }: catalogue.TableOptions = {},
): Promise<{ dump: DatabaseDump; result: T }> {
  await mkdir(dir, { mode: 0o700 });
  return sql.begin(
    'ISOLATION LEVEL REPEATABLE READ READ ONLY',
    async (tx): Promise<{ dump: DatabaseDump; result: T }> => {
      await mayRest(tx);
      const migrations = await tx<{ name: string }[]>`
      SELECT name FROM schema_migrations ORDER BY name`;
      const tables: DatabaseDump['tables'] = [];
      const listed = await catalogue.listTables(tx);
      for (const table of listed) {
        signal?.throwIfAborted();
        onTable?.(table, tables.length + 1, listed.length);
        tables.push(await dumpTable(tx, dir, table, signal));
      }
      const dump = {
        postgresMajor: await serverMajor(tx),
        migrations: migrations.map(({ name }) => name),
        partitions: await catalogue.listPartitions(tx),
        sequences: await catalogue.listSequences(tx),
        tables,
      };
      return { dump, result: await meanwhile(tx) };
    },
  );
}
