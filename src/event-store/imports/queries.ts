import type { AppScope } from '../../shared/app.ts';
import { type Db, hasRows, type Tx } from '../../storage/postgres.ts';
import {
  toChunkKeys,
  type ImportChunk,
  type ImportedRows,
  importedRows,
  type ReceivedRow,
} from './imported-rows.ts';

export type EventImport = AppScope & { importId: string };

/** Ahead of its records. Returns the instant, from `nowMs` on, that no other import has. */
export async function insertImportChunk(
  db: Db,
  { orgId, appId, importId }: EventImport,
  nowMs: number,
): Promise<number> {
  for (let receivedAtMs = nowMs; ; receivedAtMs += 1) {
    const inserted = await db`
      INSERT INTO event_import_chunks (app_id, received_at, import_id, org_id)
      VALUES (${appId}, ${new Date(receivedAtMs)}, ${importId}, ${orgId})
      ON CONFLICT DO NOTHING RETURNING 1`;
    if (inserted.length > 0) return receivedAtMs;
  }
}

export async function readImportedRows(
  db: Db,
  rows: readonly ReceivedRow[],
): Promise<ImportedRows> {
  const keys = toChunkKeys(rows);
  if (keys.length === 0) return importedRows([]);
  const found = await db<(Omit<ImportChunk, 'receivedAtMs'> & { receivedAt: Date })[]>`
    SELECT c.app_id AS "appId", c.received_at AS "receivedAt", c.import_id AS "importId",
      EXISTS (SELECT FROM event_undone_imports u WHERE u.import_id = c.import_id) AS "isUndone"
    FROM event_import_chunks c
    JOIN unnest(${keys.map(({ appId }) => appId)}::text[],
      ${keys.map(({ receivedAtMs }) => new Date(receivedAtMs).toISOString())}::timestamptz[])
      AS wanted(app_id, received_at) USING (app_id, received_at)`;
  return importedRows(
    found.map(({ receivedAt, ...chunk }) => ({ ...chunk, receivedAtMs: receivedAt.getTime() })),
  );
}

export async function readAdoptedRows(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db<{ row: string; importId: string }[]>`
    SELECT replace(event_key::text, '-', '') || ' ' || (extract(epoch FROM received_at) * 1000000)::bigint AS row,
      import_id AS "importId"
    FROM event_import_adopted WHERE event_key = ANY(${[...keys]}::uuid[])`;
  return new Map(rows.map(({ row, importId }) => [row, importId]));
}

export const isImportUndoneSince = (db: Db, appIds: readonly string[], seq: number) =>
  hasRows(db`
    SELECT 1 FROM event_undone_imports
    WHERE app_id = ANY(${[...appIds]}) AND seq > ${seq} LIMIT 1`);

export type ImportRepeat = EventImport & { key: string; by: string };

export async function insertImportRepeats(tx: Tx, repeats: readonly ImportRepeat[]): Promise<void> {
  if (repeats.length === 0) return;
  await tx`
    INSERT INTO event_import_repeats (org_id, app_id, import_id, event_key, by_import_id)
    SELECT * FROM unnest(
      ${repeats.map(({ orgId }) => orgId)}::text[], ${repeats.map(({ appId }) => appId)}::text[],
      ${repeats.map(({ importId }) => importId)}::text[],
      ${repeats.map(({ key }) => key)}::uuid[], ${repeats.map(({ by }) => by)}::text[])
    ON CONFLICT DO NOTHING`;
}
