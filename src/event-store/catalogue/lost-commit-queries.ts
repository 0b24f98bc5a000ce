import { type Db, hasRows, type Tx } from '../../storage/postgres.ts';

export type Commit = { segmentId: string; at: string };

/** True the first time. Rows of segments are kept for 31 days. */
export function noteIfLost(db: Db, { segmentId, at }: Commit): Promise<boolean> {
  return hasRows(db`
    UPDATE installation SET commits_lost_at = now()
    WHERE commits_lost_at IS NULL
      AND ${at}::timestamptz > greatest(catalogue_whole_at, now() - interval '30 days')
      AND NOT EXISTS (SELECT FROM event_segments WHERE segment_id = ${segmentId})
    RETURNING 1`);
}

export async function commitsLostAt(db: Db): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`SELECT commits_lost_at AS at FROM installation`;
  return row?.at ?? null;
}

export async function noteWhole(tx: Tx): Promise<void> {
  await tx`UPDATE installation SET commits_lost_at = NULL, catalogue_whole_at = now()`;
}
