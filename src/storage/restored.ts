import { SECOND_MS, sleep, toIso } from '../shared/time.ts';
import { type Db, done } from './postgres.ts';

export const HOLD_SEEN_MS = 2 * SECOND_MS;

export type ErasedSince = 'waiting' | 'again' | 'accepted';

export type Restored = { from: Date | null; id: string | null; erasedSince: ErasedSince | null };

export async function readRestored(db: Db): Promise<Restored> {
  const rows = await db<Restored[]>`
    SELECT restored_from AS "from", restored_id AS id, erased_since AS "erasedSince"
    FROM installation`;
  return rows[0] ?? { from: null, id: null, erasedSince: null };
}

/** Nothing is served meanwhile. */
export async function isHeld(db: Db): Promise<boolean> {
  return (await readRestored(db)).erasedSince === 'waiting';
}

export async function untilServed(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await isHeld(db).catch(() => false))) await sleep(SECOND_MS, signal);
}

export const setErasedSince = (db: Db, state: ErasedSince | null) =>
  done(db`UPDATE installation SET erased_since = ${state}`);

export const noteRestored = (db: Db, from: string, state: ErasedSince) =>
  done(db`
    UPDATE installation SET restored_from = ${from}, restored_id = id, erased_since = ${state}`);

const BEGUN =
  'A backup is being restored, and nothing is served. If that was ended, restore it again, or give it up: "bun run admin restore settle --without-gone".';

const DETAILS: Record<ErasedSince, string> = {
  waiting:
    'and nothing is served: whoever was erased since is back. Run "bun run admin restore settle --gone FILE" with the list of who was erased (gone.json), or "--without-gone".',
  again: 'and whoever was erased since, by the list, was erased again.',
  accepted: 'and whoever was erased since is back: the operator has no list of them.',
};

export async function restoredStand({
  sql,
}: {
  sql: Db;
}): Promise<{ good: boolean; detail: string } | null> {
  const { from, erasedSince } = await readRestored(sql);
  if (erasedSince === null) return null;
  const detail = from === null ? BEGUN : `Restored from ${toIso(from)}, ${DETAILS[erasedSince]}`;
  return { good: erasedSince !== 'waiting', detail };
}
