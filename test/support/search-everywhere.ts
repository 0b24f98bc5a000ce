import { join } from 'node:path';
import type { Sql } from '../../src/storage/postgres.ts';
import { untilCompacted } from './event-crash.ts';
import { everyFile, everyRow, everyRun, type Kept, type Row } from './everywhere.ts';
import type { Instance } from './instance.ts';
import { isFullRun } from './random.ts';
import { until } from './until.ts';
import type { WholePerson } from './whole-person.ts';

/** All that is kept anywhere, but for free space of pages, and files that wait for their readers. */
export async function everything(
  instance: Instance,
  sql: Sql,
): Promise<Record<'files' | 'rows' | 'others', Kept[]>> {
  const found = await everyFile(instance.dataDir, { not: ['postgres', 'temporal', 'tmp'] });
  const all = await everyRow(sql);
  const isRetired = ({ table, data }: Row) => table === 'event_files' && data.state === 'retired';
  const waiting = all.filter(isRetired).flatMap(({ data }) => [data.path, data.projection]);
  const files = found.filter(
    ({ place }) => !waiting.some((path) => path && place.endsWith(`${path}`)),
  );
  const rows = all
    .filter((row) => !isRetired(row))
    .map(({ table, text }) => ({ place: table, text }));
  const runs = await everyRun(join(instance.dataDir, 'temporal'));
  const said = { place: 'service log', text: instance.log() + instance.errors() };
  return { files, rows, others: [...runs, said] };
}

export const findAll = (kept: readonly Kept[], words: readonly string[]): [string, string][] =>
  kept.flatMap(({ place, text }) => {
    const found = words.find((word) => text.includes(word));
    return found === undefined ? [] : [[place, found]];
  });

export const idsOf = ({ userId, devices }: WholePerson) => [
  ...(userId ? [userId] : []),
  ...devices,
];

/** Store ids of purchases hold the marker too, so a purchase, its runs and texts do. */
export function findAnything(
  { files, rows, others }: Awaited<ReturnType<typeof everything>>,
  people: readonly WholePerson[],
): [string, string][] {
  const markers = people.map(({ marker }) => marker);
  return [
    ...findAll([...files, ...rows, ...others], people.flatMap(idsOf)),
    ...findAll(files, markers),
  ];
}

/** The time that the docs promise; in full runs replaced files are taken for older than readers. */
export async function untilClean(instance: Instance, sql: Sql): Promise<void> {
  await untilCompacted(instance);
  await until('no file holds an erased person', async (saw) => {
    const rows = await sql<{ left: number }[]>`
      SELECT count(*)::int AS left FROM event_erasures WHERE subject IS NOT NULL`;
    saw(rows);
    return rows[0]?.left === 0;
  });
  await until('no file holds a deleted app', async () => {
    const left = await sql`
      SELECT FROM event_files
      WHERE state = 'live' AND deleted_seq > greatest(people_seq, erased_seq) LIMIT 1`;
    return left.length === 0;
  });
  if (!isFullRun) return;
  await until('replaced files are removed', async () => {
    await sql`
      UPDATE event_files SET retired_at = now() - interval '1 day'
      WHERE state = 'retired' AND retired_at > now() - interval '1 hour'`;
    const rows = await sql`SELECT 1 FROM event_files WHERE state = 'retired' LIMIT 1`;
    return rows.length === 0;
  });
}
