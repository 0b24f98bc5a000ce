import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { Reporter } from '../store.ts';
import { insertSums, noteDamage } from '../sums/queries.ts';
import { deleteUnused, isLive, markWhole, selectDue, type StoredFile } from './queries.ts';
import { readAgain, type StoredPlace } from './read-again.ts';

const WEEK_MS = 7 * DAY_MS;
const REST_DAYS = 6;
const MB_PER_SECOND = 16;

export type Scrub = { sql: Sql; log: Reporter; place: StoredPlace };

async function scrubFile({ sql, log, place }: Scrub, file: StoredFile): Promise<void> {
  const { path, stored } = file;
  const { sums, fault } = await readAgain(place, file, MB_PER_SECOND);
  if (fault === null) {
    if (stored === null && sums !== null) await insertSums(sql, path, sums);
    else await markWhole(sql, path);
    return;
  }
  if (!(await isLive(sql, path))) return;
  if (stored === null) await insertSums(sql, path, sums ?? { bytes: 0, sums: Buffer.alloc(0) });
  if (await noteDamage(sql, path, fault)) log.error({ path, fault }, 'a file is damaged');
}

export async function scrubRound(scrub: Scrub, part = MINUTE_MS / WEEK_MS): Promise<number> {
  const due = await selectDue(scrub.sql, part, part < 1 ? REST_DAYS : 0);
  for (const file of due) await scrubFile(scrub, file);
  await deleteUnused(scrub.sql);
  return due.length;
}
