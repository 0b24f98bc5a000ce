import { onlyRow } from '../../shared/assert.ts';
import { type Db, hasRows, firstValue, done } from '../../storage/postgres.ts';

/** Database time, shared by all hosts, whose own clocks differ. */
export async function databaseTime(db: Db): Promise<Date> {
  return onlyRow(await db<{ now: Date }[]>`SELECT clock_timestamp() AS now`).now;
}

export const noteOwners = (db: Db, ownerIds: readonly string[], through: Date) =>
  firstValue(db<{ now: Date }[]>`
    INSERT INTO event_hosts (owner_id, through)
    SELECT id, ${through} FROM unnest(${[...ownerIds]}::text[]) AS t(id)
    ON CONFLICT (owner_id) DO UPDATE SET through = excluded.through, seen_at = now()
    RETURNING clock_timestamp() AS now`);

/** Leaves adopted owners to their adopter. */
export async function deleteOwners(db: Db, ownerIds: readonly string[]): Promise<void> {
  if (ownerIds.length === 0) return;
  await db`DELETE FROM event_hosts WHERE owner_id = ANY(${[...ownerIds]}) AND adopter IS NULL`;
}

export type OwnersHere = { alive: readonly string[]; dead: readonly string[] };

/** Dead owners included. */
export const noteCompactor = (db: Db, adopter: string, { alive, dead }: OwnersHere) =>
  done(db`
    UPDATE event_hosts SET compactor_seen_at = now(),
      seen_at = CASE WHEN owner_id = ANY(${[...dead]}) THEN now() ELSE seen_at END
    WHERE owner_id = ANY(${[...alive, ...dead]}) AND adopter IS DISTINCT FROM ${adopter}`);

/** Signs are opaque: unchanged text means no heartbeat. */
export type HostRow = {
  ownerId: string;
  seenAt: string;
  compactorSeenAt: string | null;
  isUnknown: boolean;
};

export const listHosts = async (db: Db, adopter: string) => db<HostRow[]>`
    SELECT owner_id AS "ownerId", seen_at::text AS "seenAt",
      compactor_seen_at::text AS "compactorSeenAt", through IS NULL AS "isUnknown"
    FROM event_hosts
    WHERE adopter IS NULL OR adopter = ${adopter} OR adopted_at < now() - interval '1 minute'
    ORDER BY seen_at`;

export const claimOwner = (db: Db, ownerId: string, adopter: string) =>
  hasRows(db`
    INSERT INTO event_hosts AS h (owner_id, adopter, adopted_at) VALUES (${ownerId}, ${adopter}, now())
    ON CONFLICT (owner_id) DO UPDATE SET adopter = excluded.adopter, adopted_at = now()
    WHERE h.adopter IS NULL OR h.adopter = excluded.adopter
      OR h.adopted_at < now() - interval '1 minute'
    RETURNING 1`);

export async function finishAdoption(
  db: Db,
  { ownerId, silentSince }: { ownerId: string; silentSince: string | null },
  adopter: string,
): Promise<void> {
  await db`
    DELETE FROM event_hosts WHERE owner_id = ${ownerId} AND adopter = ${adopter}
      AND (through IS NULL OR seen_at::text = ${silentSince})`;
  await db`
    UPDATE event_hosts SET adopter = NULL, adopted_at = NULL
    WHERE owner_id = ${ownerId} AND adopter = ${adopter}`;
}
