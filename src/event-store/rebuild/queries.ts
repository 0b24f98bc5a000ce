import type { AppScope } from '../../shared/app.ts';
import { type Db, type Tx, done, column } from '../../storage/postgres.ts';
import type { IdInApp } from '../event/person.ts';
import { subjectHash } from '../event/person.ts';
import type { EventFile } from '../file/event-file.ts';

type ReceivedFile = Pick<EventFile, 'path' | 'format' | 'minReceivedAt' | 'maxReceivedAt'>;

export type CataloguedFile = ReceivedFile &
  Pick<EventFile, 'fileId' | 'rows'> & { level: number; state: 'live' | 'retired' };

export const cataloguedFiles = async (db: Db) => db<CataloguedFile[]>`
    SELECT file_id AS "fileId", path, state, format, level, rows,
      min_received_at AS "minReceivedAt", max_received_at AS "maxReceivedAt"
    FROM event_files`;

export type CataloguedRange = Pick<EventFile, 'fileId' | 'minOccurredAt' | 'maxOccurredAt'> & {
  appId: string;
};

export const cataloguedRanges = async (db: Db) => db<CataloguedRange[]>`
    SELECT a.file_id AS "fileId", a.app_id AS "appId", a.min_occurred_at AS "minOccurredAt",
      a.max_occurred_at AS "maxOccurredAt"
    FROM event_file_apps a JOIN event_files f USING (file_id) WHERE f.state = 'live'`;

export type Received = ReceivedFile & { bytes: number };

export const liveFilesToRead = async (db: Db, retired: readonly string[]) => db<Received[]>`
    SELECT path, format, bytes, min_received_at AS "minReceivedAt",
      max_received_at AS "maxReceivedAt"
    FROM event_files
    WHERE state = 'live' AND NOT file_id = ANY(${[...retired]})`;

export async function isCatalogueEmpty(db: Db): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM event_files UNION ALL SELECT 1 FROM event_key_runs
    UNION ALL SELECT 1 FROM event_people UNION ALL SELECT 1 FROM event_segments LIMIT 1`;
  return rows.length === 0;
}

/** The aliases these files were resolved with are unknown. */
export const countNoAliases = (tx: Tx, fileIds: readonly string[]) =>
  done(tx`UPDATE event_file_apps SET aliases = 0 WHERE file_id = ANY(${[...fileIds]})`);

export const appsWithErased = (db: Db) =>
  column(db<{ app_id: string }[]>`SELECT DISTINCT app_id FROM event_erasures`);

/** By tombstone, for people with rows again. */
export async function eraseAgain(tx: Tx, ids: readonly IdInApp[], seq: number): Promise<number> {
  const rows = await tx`
    UPDATE event_erasures e SET subject = found.id, seq = ${seq}
    FROM unnest(${ids.map(({ appId }) => appId)}::text[],
      ${ids.map(({ appId, id }) => subjectHash(appId, id))}::text[],
      ${ids.map(({ id }) => id)}::text[]) AS found(app_id, hash, id)
    WHERE e.app_id = found.app_id AND e.subject_hash = found.hash RETURNING 1`;
  return rows.length;
}

export const unknownApps = async (db: Db, apps: readonly AppScope[]) => db<AppScope[]>`
    SELECT DISTINCT org_id AS "orgId", app_id AS "appId" FROM (
      SELECT org_id, app_id FROM event_file_apps
      UNION SELECT * FROM unnest(${apps.map(({ orgId }) => orgId)}::text[],
        ${apps.map(({ appId }) => appId)}::text[])) AS of_files (org_id, app_id)
    WHERE NOT EXISTS (SELECT FROM apps WHERE apps.app_id = of_files.app_id)
    ORDER BY 1, 2`;

export const unknownOrganizations = (db: Db, apps: readonly AppScope[]) =>
  column(db<{ id: string }[]>`
    SELECT DISTINCT id FROM unnest(${apps.map(({ orgId }) => orgId)}::text[]) AS t(id)
    WHERE id NOT IN (SELECT id FROM auth.organization) ORDER BY id`);
