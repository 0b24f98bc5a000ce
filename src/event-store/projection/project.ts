import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { AppScope } from '../../shared/app.ts';
import { outside } from '../../shared/assert.ts';
import { createTurns } from '../../shared/turns.ts';
import { textOrNull } from '../../shared/text.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { checkRows } from '../../storage/missing-rows.ts';
import { streamChunks } from '../../storage/read-chunks.ts';
import { type EventRow, WELL_FORMED_PROPS_SQL } from '../event/columns.ts';
import { type Built, ProjectionBuilder } from './build.ts';
import {
  bigintAt,
  IS_DEVELOPMENT_SQL,
  type Key,
  keyAt,
  readIntegers,
  readWords,
} from './chunks.ts';
import type { KeptSenders } from './entries.ts';
import type { Sender } from './format.ts';
import { PairNumbers, Senders } from './pairs.ts';

export const PROJECTED_COLUMNS: readonly string[] = [
  'person_key',
  'is_anonymous',
  'name',
  'occurred_at',
  'platform',
  'app_version',
  'country',
  'environment',
  'props',
];

/** Beyond it, only platforms and versions of people are stored. */
const MAX_SENDERS = 65_536;

const literal = (text: string | null) => (text === null ? 'NULL' : textLiteral(text));
const listSql = (values: readonly (string | null)[]) => `[${values.map(literal).join(', ')}]`;

class Places {
  readonly #places: Map<string | null, number>;

  constructor(readonly values: readonly (string | null)[]) {
    this.#places = new Map(values.map((value, place) => [value, place]));
  }

  static of(values: Iterable<string | null>): Places {
    return new Places([...new Set(values)]);
  }

  sql(column: string): string {
    return `list_position(${listSql(this.values)}, ${column}) - 1`;
  }

  of(value: string | null): number {
    return this.#places.get(value) ?? outside();
  }
}

class SenderNumbers {
  readonly #numbers = new Map<number, number>();
  #last = { place: -1, number: -1 };

  add(place: number, make: () => number): void {
    if (!this.#numbers.has(place)) this.#numbers.set(place, make());
  }

  of(place: number): number {
    if (place === this.#last.place) return this.#last.number;
    const number = this.#numbers.get(place) ?? outside();
    this.#last = { place, number };
    return number;
  }
}

/** Chunk columns: person key, no user, time, section, sender, perhaps props. */
function addChunk(
  builder: ProjectionBuilder,
  chunk: DuckDBDataChunk,
  senders: SenderNumbers,
  withProps: boolean,
): void {
  const keys = readWords(chunk, 0, 4);
  const times = readWords(chunk, 1, 2);
  const anonymous = readIntegers(chunk, 2);
  const sections = readIntegers(chunk, 3);
  const places = readWords(chunk, 4, 2);
  const props = withProps ? chunk.getColumnVector(5) : null;
  for (let row = 0; row < chunk.rowCount; row += 1) {
    builder.person(...keyAt(keys, row));
    builder.row(
      anonymous[row] !== 0,
      sections[row],
      bigintAt(times, row),
      senders.of(bigintAt(places, row)),
      textOrNull(props?.getItem(row) ?? null),
    );
  }
}

async function readValues(connection: DuckDBConnection, from: string) {
  const reader = await connection.runAndReadAll(
    `SELECT grouping(name) = 0, name, platform, app_version, country FROM ${from}
      GROUP BY GROUPING SETS ((name), (platform, app_version, country)) ORDER BY ALL`,
  );
  const rows = reader.getRows();
  return {
    names: rows.flatMap(([isName, name]) => (isName === true ? [String(name)] : [])),
    senders: rows.flatMap(([isName, , platform, version, country]): Sender[] => {
      if (isName === true) return [];
      const texts = { platform: textOrNull(platform), version: textOrNull(version) };
      return [{ ...texts, country: textOrNull(country) }];
    }),
  };
}

function addSenders(builder: ProjectionBuilder, senders: readonly Sender[]) {
  const isWide = senders.length > MAX_SENDERS;
  if (isWide) builder.dropSenders();
  const platforms = Places.of(senders.map(({ platform }) => platform));
  const versions = Places.of(senders.map(({ version }) => version));
  const countries = Places.of(isWide ? [] : senders.map(({ country }) => country));
  const width = Math.max(1, countries.values.length);
  const numbers = new SenderNumbers();
  for (const sender of senders) {
    const { platform, version, country } = sender;
    const pair = platforms.of(platform) * versions.values.length + versions.of(version);
    const place = pair * width + (isWide ? 0 : countries.of(country));
    numbers.add(place, () => builder.sender(sender));
  }
  const pair = `(${platforms.sql('platform')})::BIGINT * ${versions.values.length} + ${versions.sql('app_version')}`;
  return { numbers, sql: `(${pair}) * ${width} + ${isWide ? '0' : countries.sql('country')}` };
}

type ProjectOptions = {
  withProps: boolean;
  asked?: readonly string[];
  owner?: AppScope;
  senders?: KeptSenders;
  rows?: number;
};

async function readBuilder(
  connection: DuckDBConnection,
  from: string,
  { withProps, asked = [], owner, senders: kept = 'all', rows }: ProjectOptions,
): Promise<ProjectionBuilder | null> {
  const builder = new ProjectionBuilder({ owner, asked, senders: kept });
  const found = await readValues(connection, from);
  const names = Places.of(found.names);
  for (const name of names.values) {
    for (const isDevelopment of [false, true]) builder.section(String(name), isDevelopment);
  }
  if (builder.isTooWide) return null;
  const senders = addSenders(builder, found.senders);
  const sql = `
    SELECT person_key, epoch_us(occurred_at), is_anonymous::INTEGER,
      ((${names.sql('name')}) * 2 + (${IS_DEVELOPMENT_SQL})::INTEGER)::INTEGER,
      (${senders.sql})::BIGINT
      ${withProps ? `, ${WELL_FORMED_PROPS_SQL}` : ''}
    FROM ${from}`;
  for await (const chunk of streamChunks(connection, sql)) {
    addChunk(builder, chunk, senders.numbers, withProps);
  }
  checkRows(builder.rows, rows ?? builder.rows, 'a file to project');
  return builder;
}

type From = Parameters<typeof readBuilder>;

export const projectSql = async (...from: From): Promise<Uint8Array<ArrayBuffer> | null> =>
  (await readBuilder(...from))?.encode() ?? null;

export const buildSql = async (...from: From): Promise<Built | null> =>
  (await readBuilder(...from))?.build() ?? null;

const md5 = new Bun.CryptoHasher('md5');

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
  'country',
  'environment',
  'props',
] as const satisfies readonly (keyof EventRow)[];
export type ProjectedRow = Pick<EventRow, (typeof PROJECTED_FIELDS)[number]>;

type RowOptions = Pick<ProjectOptions, 'asked' | 'withProps'>;

async function startBuild(
  rows: readonly ProjectedRow[],
  { withProps, asked = [] }: RowOptions,
): Promise<ProjectionBuilder | null> {
  const builder = new ProjectionBuilder({ asked });
  const turns = createTurns();
  const sections = new PairNumbers((name: string, isDevelopment: boolean) =>
    builder.section(name, isDevelopment),
  );
  const senders = new Senders((sender) => builder.sender(sender));
  for (const [personId, ofPerson] of Map.groupBy(rows, (row) => row.personId)) {
    builder.person(...keyWords(personId));
    for (const row of ofPerson) {
      const section = sections.of(row.name, row.environment === 'development');
      const sender = senders.of(row.platform, row.appVersion, row.country);
      const props = withProps ? row.props : null;
      builder.row(row.userId === null, section, row.occurredAtUs, sender, props);
      if (turns.isOver()) await turns.next();
    }
    if (builder.isTooWide) return null;
  }
  return builder;
}

export const buildRows = async (
  rows: readonly ProjectedRow[],
  options: RowOptions,
): Promise<Built | null> => (await startBuild(rows, options))?.build() ?? null;
