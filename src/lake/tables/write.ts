import { type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import { appendItems, writtenStats } from '../../event-store/read.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { DataFile, Field, TableDefinition } from '../format/types.ts';
import { dataName } from '../names.ts';

/** Rows with a text or null for each column, by its name. */
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

/** Writes rows as a Parquet file of an unpartitioned table; null when there are none. */
export async function writeRows(
  { connection, objects }: { connection: DuckDBConnection; objects: ObjectStore },
  table: TableDefinition,
  pages: AsyncIterable<readonly TextRow[]>,
): Promise<DataFile | null> {
  const { fields } = table;
  const texts = fields.map(({ name }) => `${name} VARCHAR`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${ROWS} (${texts.join(', ')})`);
  let rows = 0;
  const columns = fields.map(({ name }) => ({
    type: VARCHAR,
    of: (row: TextRow) => row[name] ?? null,
  }));
  for await (const page of pages) {
    rows += page.length;
    await appendItems(connection, ROWS, columns, page);
  }
  if (rows === 0) return null;
  const path = dataName(table.name);
  const scratch = objects.scratchPath(path.replaceAll('/', '-'));
  const typed = fields.map(({ name, type }) => `CAST(${name} AS ${DUCK_TYPES[type]}) AS ${name}`);
  const ids = fields.map(({ name, id }) => `${name}: ${id}`);
  const order = table.sortedBy.map((id) => fields.find((field) => field.id === id)?.name ?? id);
  const written = await connection.runAndReadAll(`
    COPY (SELECT ${typed.join(', ')} FROM ${ROWS}
      ${order.length > 0 ? `ORDER BY ${order.join(', ')}` : ''})
    TO ${textLiteral(scratch)}
    (FORMAT parquet, COMPRESSION zstd, FIELD_IDS {${ids.join(', ')}}, RETURN_STATS)`);
  const { bytes, stats } = writtenStats(written.getRowObjectsJson());
  await objects.adopt(scratch, path);
  await connection.run(`DROP TABLE ${ROWS}`);
  return { path, specId: 0, partition: [], rows, bytes, stats };
}
