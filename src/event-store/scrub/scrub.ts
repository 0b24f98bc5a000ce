import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { Reporter } from '../store.ts';
import { insertSums, noteDamage } from '../sums/queries.ts';
import { deleteUnused, isLive, noteWhole, selectDue, type StoredFile } from './queries.ts';
import { readAgain, type StoredPlace } from './read-again.ts';

/** Days in seven. */
const REST_DAYS = 6;
const MB_PER_SECOND = 16;

export type Scrub = { sql: Sql; log: Reporter; place: StoredPlace; signal?: AbortSignal };

async function scrubFile({ sql, log, place, signal }: Scrub, file: StoredFile): Promise<void> {
  const { path, stored } = file;
  const { sums, fault } = await readAgain(place, file, { mbPerSecond: MB_PER_SECOND, signal });
  if (fault === null) return noteWhole(sql, file, sums);
  if (!(await isLive(sql, path))) return;
  if (stored === null) await insertSums(sql, path, sums ?? { bytes: 0, sums: Buffer.alloc(0) });
  if (await noteDamage(sql, path, fault)) log.error({ path, fault }, 'a file is damaged');
}

export type Skipped = LRUCache<string, true>;

export const skipNone = (): Skipped => new LRUCache({ max: 1_000, ttl: DAY_MS });

export async function scrubRound(
  scrub: Scrub,
  part = MINUTE_MS / (REST_DAYS * DAY_MS),
  skipped = skipNone(),
): Promise<number> {
  const { sql, log, signal } = scrub;
  const restDays = part < 1 ? REST_DAYS : 0;
  const due = await selectDue(sql, { part, restDays, except: [...skipped.keys()] });
  for (const file of due) {
    if (signal?.aborted) return 0;
    await scrubFile(scrub, file).catch((err: unknown) => {
      if (signal?.aborted) return;
      skipped.set(file.path, true);
      log.warn({ err, path: file.path }, 'a file could not be checked; retrying in a day');
    });
  }
  await deleteUnused(sql);
  return due.length;
}
