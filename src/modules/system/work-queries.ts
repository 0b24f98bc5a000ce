import { type Db, done } from '../../storage/postgres.ts';

export type WorkKind = {
  kind: string;
  succeededAt: Date | null;
  failingSince: Date | null;
  waitsFor: string | null;
};

export const saveSuccess = (db: Db, kind: string) =>
  done(db`
    INSERT INTO work_kinds (kind, succeeded_at) VALUES (${kind}, now())
    ON CONFLICT (kind) DO UPDATE SET succeeded_at = now(),
      failing_since = NULL, failed_at = NULL, waits_for = NULL`);

export const saveFailure = (db: Db, kind: string, waitsFor: string) =>
  done(db`
    INSERT INTO work_kinds (kind, failing_since, failed_at, waits_for)
    VALUES (${kind}, now(), now(), ${waitsFor})
    ON CONFLICT (kind) DO UPDATE SET waits_for = excluded.waits_for, failed_at = now(),
      failing_since = coalesce(work_kinds.failing_since, now())`);

/** Above the pauses between attempts. */
const STALE_MINUTES = 20;

export async function selectWork(db: Db): Promise<WorkKind[]> {
  const isFresh = db`failed_at > now() - make_interval(mins => ${STALE_MINUTES})`;
  return db<WorkKind[]>`
    SELECT kind, succeeded_at AS "succeededAt",
      CASE WHEN ${isFresh} THEN failing_since END AS "failingSince",
      CASE WHEN ${isFresh} THEN waits_for END AS "waitsFor"
    FROM work_kinds ORDER BY kind`;
}

export const forgetWork = (db: Db, kinds: readonly string[]) =>
  done(db`
    DELETE FROM work_kinds WHERE kind = ANY(${[...kinds]})
      OR (kind LIKE '% on %' AND failed_at < now() - interval '1 day')`);
