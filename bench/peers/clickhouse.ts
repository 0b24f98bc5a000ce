import { join } from 'node:path';
import { must } from '../../src/shared/assert.ts';
import type { Chdb } from '../support/chdb.ts';

/** The orders of rows in tables of ClickHouse, by the name of the table. */
const ORDERS = {
  by_person: 'app_id, person_key, occurred_at',
  by_name: 'app_id, name, person_key, occurred_at',
} as const;
export const TABLES = ['by_person', 'by_name'] as const;
export type Table = (typeof TABLES)[number];

/** A file of a folder of statements, with `{place}` filled in. */
export async function statementOf(
  dir: string,
  name: string,
  places: Record<string, string | number>,
): Promise<string> {
  const text = await Bun.file(join(dir, `${name}.sql`)).text();
  return fillPlaces(text.trim(), places);
}

export const fillPlaces = (text: string, places: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_, place: string) => String(must(places[place], place)));

const statement = (name: string, places: Record<string, string | number>) =>
  statementOf(join(import.meta.dir, 'clickhouse'), name, places);

/** The same events in tables of both orders, each of one part, as ClickHouse reads best. */
export async function loadTables(chdb: Chdb, pattern: string): Promise<string> {
  const parquet = await statement('parquet', { pattern });
  await chdb.ask('CREATE DATABASE bench ENGINE = Atomic');
  for (const name of TABLES) {
    const table = `bench.${name}`;
    await chdb.ask(await statement('create', { table, order: ORDERS[name] }));
    await chdb.ask(await statement('load', { table, parquet }));
    await chdb.ask(`OPTIMIZE TABLE ${table} FINAL`);
  }
  return parquet;
}

export async function megabytesOf(chdb: Chdb, name: Table): Promise<number> {
  const { rows } = await chdb.ask(await statement('size', { name }));
  return Number(rows[0]?.[0]) / 1e6;
}

export type Places = {
  app: string;
  from: number;
  before: number;
  window: number;
  person: string;
};

/** Milliseconds and rows of a question about `events`: a table, or files. */
export async function askPeer(chdb: Chdb, question: string, places: Places, events: string) {
  const { person } = places;
  // The key of a person in our files.
  const key = new Bun.CryptoHasher('md5').update(person).digest('hex');
  const uuid = key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return chdb.ask(await statement(question, { ...places, person: uuid, events, table: events }));
}
