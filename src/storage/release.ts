import { AppError } from '../shared/errors.ts';
import type { Db } from './postgres.ts';

/**
 * The generation of data that this release reads and writes. A migration that comes with a format
 * which the release before cannot read raises `installation.min_release`, and this with it.
 */
export const RELEASE = 2;

/** Where there is no such row yet, the data is of the first generation. */
const FIRST = 1;

async function findMinRelease(db: Db): Promise<number> {
  const [table] = await db<{ found: boolean }[]>`
    SELECT to_regclass('public.installation') IS NOT NULL AS found`;
  if (!table?.found) return FIRST;
  const [row] = await db<{ min_release: number }[]>`SELECT min_release FROM installation`;
  return row?.min_release ?? FIRST;
}

/** Throws `conflict` where the data needs a newer release than this one. */
export async function requireReadable(db: Db): Promise<void> {
  const needed = await findMinRelease(db);
  if (needed <= RELEASE) return;
  throw new AppError(
    'conflict',
    `The data of this installation was written by a newer release: it needs generation ${needed}, and this release reads up to ${RELEASE}. Start that release again, or restore a backup from before the upgrade into an empty database.`,
  );
}
