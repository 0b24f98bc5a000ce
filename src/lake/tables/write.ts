import { rm } from 'node:fs/promises';
import { type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import { appendItems, writtenStats } from '../../event-store/read.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { DataFile, Field, PartitionValue, TableDefinition } from '../format/types.ts';
import { dataName } from '../names.ts';

export type TextRow = Readonly<Record<string, string | null>>;

const ROWS = 'lake_rows';
const DUCK_TYPES: Record<Field['type'], string> = {
  string: 'VARCHAR',
  uuid: 'UUID',
  timestamptz: 'TIMESTAMPTZ',
  date: 'DATE',
  long: 'BIGINT',
  int: 'INTEGER',
  boolean: 'BOOLEAN',
  'decimal(38, 6)': 'DECIMAL(38, 6)',
};

type Writer = { connection: DuckDBConnection; objects: ObjectStore };
type Place = { specId: number; partition: readonly PartitionValue[] };

export async function writeSelected(
  { connection, objects }: Writer,
  table: TableDefinition,
  relation: string,
  place: Place,
): Promise<DataFile | null> {
  const { fields } = table;
  const path = dataName(table.name);
  const scratch = objects.scratchPath(path.replaceAll('/', '-'));
  const typed = fields.map(({ name, type }) => `CAST(${name} AS ${DUCK_TYPES[type]}) AS ${name}`);
  const ids = fields.map(({ name, id }) => `${name}: ${id}`);
  const order = table.sortedBy.map((id) => fields.find((field) => field.id === id)?.name ?? id);
  const written = await connection.runAndReadAll(`
    COPY (SELECT ${typed.join(', ')} FROM ${relation}
      ${order.length > 0 ? `ORDER BY ${order.join(', ')}` : ''})
    TO ${textLiteral(scratch)}
    (FORMAT parquet, COMPRESSION zstd, FIELD_IDS {${ids.join(', ')}}, RETURN_STATS)`);
  const { rows, bytes, stats } = writtenStats(written.getRowObjectsJson());
  if (rows === 0) {
    await rm(scratch, { force: true });
    return null;
  }
  await objects.adopt(scratch, path);
  return { path, ...place, rows, bytes, stats };
}

export async function writeRows(
  writer: Writer,
  table: TableDefinition,
  pages: AsyncIterable<readonly TextRow[]>,
  place: Place = { specId: 0, partition: [] },
): Promise<DataFile | null> {
  const { connection } = writer;
  const { fields } = table;
  const texts = fields.map(({ name }) => `${name} VARCHAR`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${ROWS} (${texts.join(', ')})`);
  const columns = fields.map(({ name }) => ({
    type: VARCHAR,
    of: (row: TextRow) => row[name] ?? null,
  }));
  for await (const page of pages) {
    await appendItems(connection, ROWS, columns, page);
  }
  const file = await writeSelected(writer, table, ROWS, place);
  await connection.run(`DROP TABLE ${ROWS}`);
  return file;
}
