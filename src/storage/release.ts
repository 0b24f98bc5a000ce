import { onlyRow } from '../shared/assert.ts';
import { AppError } from '../shared/errors.ts';
import { type Db, singleValue } from './postgres.ts';

/** A migration that the previous release cannot read raises it. */
export const RELEASE = 3;

const FIRST = 1;

export const hasTable = (db: Db, name: string) =>
  singleValue(db<{ found: boolean }[]>`
    SELECT to_regclass(${`public.${name}`}) IS NOT NULL AS found`);

export async function findMinRelease(db: Db): Promise<number> {
  if (!(await hasTable(db, 'installation'))) return FIRST;
  const rows = await db<{ min_release: number }[]>`SELECT min_release FROM installation`;
  return onlyRow(rows).min_release;
}

/** Throws `conflict` when the data needs a newer release. */
export async function requireReadable(db: Db): Promise<void> {
  const needed = await findMinRelease(db);
  if (needed <= RELEASE) return;
  throw new AppError(
    'conflict',
    `The data of this installation was written by a newer release: it needs generation ${needed}, and this release reads up to ${RELEASE}. Start that release again, or restore a backup from before the upgrade into an empty database.`,
  );
}
