import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { AppScope } from '../../shared/app.ts';
import { outside } from '../../shared/assert.ts';
import { textOrNull } from '../../shared/text.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { EventRow } from '../event/columns.ts';
import { ProjectionBuilder } from './build.ts';
import { bigintAt, IS_DEVELOPMENT_SQL, integersOf, type Key, keyAt, wordsOf } from './chunks.ts';
import { PairNumbers } from './pairs.ts';

export const PROJECTED_COLUMNS: readonly string[] = [
  'person_key',
  'is_anonymous',
  'name',
  'occurred_at',
  'platform',
  'app_version',
  'environment',
  'props',
];

const literal = (text: string | null) => (text === null ? 'NULL' : textLiteral(text));
const listOf = (values: readonly (string | null)[]) => `[${values.map(literal).join(', ')}]`;

/** Computed once per dictionary entry of a file. */
class Places {
  readonly #places: Map<string | null, number>;

  constructor(readonly values: readonly (string | null)[]) {
    this.#places = new Map(values.map((value, place) => [value, place]));
  }

  static of(values: Iterable<string | null>): Places {
    return new Places([...new Set(values)]);
  }

  sql(column: string): string {
    return `list_position(${listOf(this.values)}, ${column}) - 1`;
  }

  of(value: string | null): number {
    return this.#places.get(value) ?? outside();
  }
}

/** Chunk columns: person key, no user, time, section, value. */
function addChunk(builder: ProjectionBuilder, chunk: DuckDBDataChunk, withProps: boolean): void {
  const keys = wordsOf(chunk, 0, 4);
  const times = wordsOf(chunk, 1, 2);
  const anonymous = integersOf(chunk, 2);
  const sections = integersOf(chunk, 3);
  const values = integersOf(chunk, 4);
  const props = withProps ? chunk.getColumnVector(5) : null;
  for (let row = 0; row < chunk.rowCount; row += 1) {
    builder.person(...keyAt(keys, row));
    builder.row(
      anonymous[row] !== 0,
      sections[row],
      bigintAt(times, row),
      values[row],
      textOrNull(props?.getItem(row) ?? null),
    );
  }
}

type ProjectOptions = {
  withProps: boolean;
  owner?: AppScope;
};

/** Null when too wide. */
export async function projectSql(
  connection: DuckDBConnection,
  from: string,
  { withProps, owner }: ProjectOptions,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const builder = new ProjectionBuilder(owner);
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT name, ${IS_DEVELOPMENT_SQL}, platform, app_version FROM ${from} ORDER BY ALL`,
  );
  const found = reader.getRows().map(([name, isDevelopment, platform, version]) => ({
    name: String(name),
    isDevelopment: isDevelopment === true,
    platform: textOrNull(platform),
    version: textOrNull(version),
  }));
  const names = Places.of(found.map(({ name }) => name));
  const platforms = Places.of(found.map(({ platform }) => platform));
  const versions = Places.of(found.map(({ version }) => version));
  for (const name of names.values) {
    for (const isDevelopment of [false, true]) builder.section(String(name), isDevelopment);
  }
  for (const platform of platforms.values) {
    for (const version of versions.values) builder.value(platform, version);
  }
  if (builder.isTooWide) return null;
  const result = await connection.stream(`
    SELECT person_key, epoch_us(occurred_at), is_anonymous::INTEGER,
      ((${names.sql('name')}) * 2 + (${IS_DEVELOPMENT_SQL})::INTEGER)::INTEGER,
      ((${platforms.sql('platform')}) * ${versions.values.length} + ${versions.sql('app_version')})::INTEGER
      ${withProps ? ', props' : ''}
    FROM ${from}`);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return builder.encode();
    addChunk(builder, chunk, withProps);
  }
}

const md5 = new Bun.CryptoHasher('md5');

/** The words of an id's `person_key`. */
export function keyWords(id: string): Key {
  const digest = md5.update(id).digest();
  return [
    digest.readUInt32BE(0),
    digest.readUInt32BE(4),
    digest.readUInt32BE(8),
    digest.readUInt32BE(12),
  ];
}

export const PROJECTED_FIELDS = [
  'personId',
  'userId',
  'name',
  'occurredAtUs',
  'platform',
  'appVersion',
  'environment',
  'props',
] as const satisfies readonly (keyof EventRow)[];
export type ProjectedRow = Pick<EventRow, (typeof PROJECTED_FIELDS)[number]>;

export function projectRows(
  rows: readonly ProjectedRow[],
  { withProps }: { withProps: boolean },
): Uint8Array<ArrayBuffer> | null {
  const builder = new ProjectionBuilder();
  const sections = new PairNumbers((name: string, isDevelopment: boolean) =>
    builder.section(name, isDevelopment),
  );
  const values = new PairNumbers((platform: string | null, version: string | null) =>
    builder.value(platform, version),
  );
  for (const [personId, ofPerson] of Map.groupBy(rows, (row) => row.personId)) {
    builder.person(...keyWords(personId));
    for (const row of ofPerson) {
      const section = sections.of(row.name, row.environment === 'development');
      const value = values.of(row.platform, row.appVersion);
      const props = withProps ? row.props : null;
      builder.row(row.userId === null, section, row.occurredAtUs, value, props);
    }
    if (builder.isTooWide) return null;
  }
  return builder.encode();
}
