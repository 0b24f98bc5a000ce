import { join } from 'node:path';
import type { Sql } from '../../src/storage/postgres.ts';
import { untilCompacted } from './event-crash.ts';
import { everyFile, everyRow, everyRun, type Kept } from './everywhere.ts';
import type { Instance } from './instance.ts';
import { pause } from './pause.ts';
import { isFullRun } from './random.ts';
import { until } from './until.ts';
import type { WholePerson } from './whole-person.ts';

/** `drawPerson` begins every id so, and the rest of one is shorter than this. */
const MARKED = /(?=(mk\d+q[\s\S]{0,40}))mk/g;

/** What begins as an id of a made-up person: so a text is read once, however many are looked for. */
const marksOf = (text: string): string =>
  [...new Set(Array.from(text.matchAll(MARKED), ([, found]) => found))].join(' ');

const read = new Map<string, Kept[]>();

/** All that is kept anywhere, but for free space of pages, and files that wait for their readers. */
export async function everything(
  instance: Instance,
  sql: Sql,
): Promise<Record<'files' | 'rows' | 'others', Kept[]>> {
  const not = ['postgres', 'temporal', 'tmp'];
  const found = await everyFile(instance.dataDir, { not, read, shorten: marksOf });
  const retired = await sql<{ paths: (string | null)[] }[]>`
    SELECT ARRAY[path, projection] AS paths FROM event_files WHERE state = 'retired'`;
  const waiting = retired.flatMap(({ paths }) => paths);
  const files = found.filter(({ place }) => !waiting.some((path) => path && place.endsWith(path)));
  const rows = (await everyRow(sql, 'mk'))
    .filter(({ table, data }) => table !== 'event_files' || data.state !== 'retired')
    .map(({ table, text }) => ({ place: table, text: marksOf(text) }));
  const runs = (await everyRun(join(instance.dataDir, 'temporal'))).map(({ place, text }) => ({
    ...{ place, text: marksOf(text) },
  }));
  const said = { place: 'service log', text: marksOf(instance.log() + instance.errors()) };
  return { files, rows, others: [...runs, said] };
}

export const findAll = (kept: readonly Kept[], words: readonly string[]): [string, string][] =>
  kept
    .filter(({ text }) => text !== '')
    .flatMap(({ place, text }) => {
      const found = words.find((word) => text.includes(word));
      return found === undefined ? [] : [[place, found]];
    });

export const idsOf = ({ userId, devices }: WholePerson) => [
  ...(userId ? [userId] : []),
  ...devices,
];

/** As these tables, which hold the marker in ids of the store, and in notes of members. */
const isOfTable = ({ place }: Kept) => /\/lake\/(purchases|audit)\//.test(place);

/** Store ids of purchases hold the marker too, so a purchase, its runs and texts do. */
export function findAnything(
  { files, rows, others }: Awaited<ReturnType<typeof everything>>,
  people: readonly WholePerson[],
): [string, string][] {
  const markers = people.map(({ marker }) => marker);
  // However what stands before it is spelt.
  const ids = people.flatMap(({ marker, devices }) => [
    `${marker}-user`,
    ...devices.map((_, n) => `${marker}-device-${n}`),
  ]);
  const ofEvents = files.filter((file) => !isOfTable(file));
  return [...findAll([...files, ...rows, ...others], ids), ...findAll(ofEvents, markers)];
}

/** Seldom: the service's own processor is counted too. */
const untilNone = (what: string, look: () => Promise<readonly unknown[]>) =>
  until(what, async (saw) => {
    const left = await look();
    saw(left);
    if (left.length > 0) await pause(500, 'before the next look');
    return left.length === 0;
  });

/** The time that the docs promise; in full runs replaced files are taken for older than readers. */
export async function untilClean(instance: Instance, sql: Sql): Promise<void> {
  await untilCompacted(instance);
  await untilNone(
    'no file holds an erased person',
    () => sql`SELECT 1 FROM event_erasures WHERE subject IS NOT NULL`,
  );
  await untilNone(
    'no file holds a deleted app',
    () => sql`
      SELECT 1 FROM event_files
      WHERE state = 'live' AND deleted_seq > greatest(people_seq, erased_seq) LIMIT 1`,
  );
  if (!isFullRun) return;
  await untilNone('replaced files are removed', async () => {
    await sql`
      UPDATE event_files SET retired_at = now() - interval '1 day'
      WHERE state = 'retired' AND retired_at > now() - interval '1 hour'`;
    return sql`SELECT 1 FROM event_files WHERE state = 'retired' LIMIT 1`;
  });
}
