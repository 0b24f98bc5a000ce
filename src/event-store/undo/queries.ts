import { type Db, type Tx, done } from '../../storage/postgres.ts';
import type { AppAlias } from '../event/person.ts';
import type { EventImport } from '../imports/queries.ts';

/** Milliseconds. */
export async function selectChunks(db: Db, { importId }: EventImport): Promise<number[]> {
  const rows = await db<{ receivedAt: Date }[]>`
    SELECT received_at AS "receivedAt" FROM event_import_chunks
    WHERE import_id = ${importId} ORDER BY received_at`;
  return rows.map(({ receivedAt }) => receivedAt.getTime());
}

export type AdoptedEvent = { key: string; receivedAtMs: number };

export async function selectAdopted(db: Db, { importId }: EventImport): Promise<AdoptedEvent[]> {
  const rows = await db<{ key: string; receivedAt: Date }[]>`
    SELECT replace(event_key::text, '-', '') AS key, received_at AS "receivedAt"
    FROM event_import_adopted WHERE import_id = ${importId}`;
  return rows.map(({ key, receivedAt }) => ({ key, receivedAtMs: receivedAt.getTime() }));
}

export type RepeatedEvent = { key: string; owner: string };

export const selectRepeats = async (db: Db, { importId }: EventImport) => db<RepeatedEvent[]>`
    SELECT replace(event_key::text, '-', '') AS key, min(by_import_id) AS owner
    FROM event_import_repeats WHERE import_id = ${importId} GROUP BY event_key`;

const isOfImport = (db: Db, { importId, orgId, appId }: EventImport) => db`
  org_id = ${orgId} AND app_id = ${appId} AND mapped_at IN (
    SELECT received_at FROM event_import_chunks WHERE import_id = ${importId}
    UNION SELECT received_at FROM event_import_adopted WHERE import_id = ${importId})`;

/** Some may be by events that the app sent. */
export const selectAliasesOfImport = async (db: Db, of: EventImport) => db<AppAlias[]>`
    SELECT anonymous_id AS "anonymousId", user_id AS "userId" FROM event_people
    WHERE ${isOfImport(db, of)}`;

export async function deleteImport(tx: Tx, of: EventImport, seq: number): Promise<void> {
  const { orgId, appId, importId } = of;
  await tx`
    INSERT INTO event_undone_imports (import_id, org_id, app_id, seq)
    VALUES (${importId}, ${orgId}, ${appId}, ${seq})`;
  await tx`DELETE FROM event_people WHERE ${isOfImport(tx, of)}`;
  await tx`DELETE FROM event_import_adopted WHERE import_id = ${importId}`;
  await tx`DELETE FROM event_import_repeats WHERE ${importId} IN (import_id, by_import_id)`;
  await tx`
    UPDATE event_key_runs SET state = 'retired', retired_at = now()
    WHERE import_id = ${importId} AND state <> 'retired'`;
}

/** Repeats of the events that another import owns next. Ahead of `deleteImport`. */
export const moveRepeats = (tx: Tx, { importId }: EventImport) =>
  done(tx`
    INSERT INTO event_import_repeats (org_id, app_id, import_id, event_key, by_import_id)
    SELECT org_id, app_id, owner, event_key, by_import_id FROM (
      SELECT *, min(by_import_id) OVER (PARTITION BY event_key) AS owner
      FROM event_import_repeats WHERE import_id = ${importId}) repeated
    WHERE owner <> '' AND by_import_id <> owner
    ON CONFLICT DO NOTHING`);

export const insertAdopted = (
  tx: Tx,
  { orgId, appId }: EventImport,
  importId: string,
  adopted: readonly AdoptedEvent[],
) =>
  done(tx`
    INSERT INTO event_import_adopted (org_id, app_id, import_id, event_key, received_at)
    SELECT ${orgId}, ${appId}, ${importId}, * FROM unnest(
      ${adopted.map(({ key }) => key)}::uuid[],
      ${adopted.map(({ receivedAtMs }) => new Date(receivedAtMs).toISOString())}::timestamptz[])
    ON CONFLICT DO NOTHING`);
