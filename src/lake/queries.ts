import { Type } from '@sinclair/typebox';
import { newId } from '../shared/ids.ts';
import { parser } from '../shared/schema.ts';
import { noticeLoss } from '../storage/locks.ts';
import { type Db, type Tx, column, done, firstValue } from '../storage/postgres.ts';
import { CATALOG, NAMESPACE } from './names.ts';

/** Later notes wait for the next publication. */
export const takeChangedMonths = (tx: Tx, table: string) =>
  column(tx<{ month: string }[]>`
    WITH taken AS (DELETE FROM lake_changes WHERE table_name = ${table} RETURNING month)
    SELECT DISTINCT month::text FROM taken ORDER BY 1`);

/** A first publication writes everything. */
export async function deleteNotes(tx: Tx): Promise<void> {
  await tx`DELETE FROM lake_changes`;
  await tx`DELETE FROM lake_exposures`;
}

const LogText = parser(
  Type.Array(Type.Object({ file: Type.String(), timestampMs: Type.Integer() })),
  'metadata log of a lake table',
);
export type MetadataLog = { file: string; timestampMs: number }[];

export type LakeTable = {
  name: string;
  uuid: string;
  definition: string;
  baseUri: string;
  metadata: string;
  version: number;
  sequenceNumber: number;
  snapshotId: number;
  updatedMs: number;
  /** Change marker of the rows' origin. */
  source: string;
  metadataLog: MetadataLog;
  location: string | null;
};

/** The database's time; null while another transaction holds the publisher lock. */
export async function takePublisher(tx: Tx): Promise<{ nowMs: number } | null> {
  await noticeLoss(tx);
  const [row] = await tx<{ now: Date }[]>`
    SELECT now() AS now FROM lake_publisher WHERE id = 1 FOR UPDATE SKIP LOCKED`;
  return row ? { nowMs: row.now.getTime() } : null;
}

/** Without hosts there is no log to wait for. */
export const noteDataThrough = (tx: Tx) =>
  done(tx`
    UPDATE lake_publisher SET data_through = coalesce(
      (SELECT min(through) FROM event_hosts), now()) WHERE id = 1`);

export const notePublished = (tx: Tx) =>
  done(tx`UPDATE lake_publisher SET published_at = now() WHERE id = 1`);

export const publishedAt = (db: Db) =>
  firstValue(db<{ at: Date | null }[]>`
    SELECT published_at AS at FROM lake_publisher WHERE id = 1`);

/** For readers of older snapshots. */
const LEASE_HOURS = 25;
const LEASE_OWNER = 'lake';

export async function renewLakeLease(tx: Tx): Promise<void> {
  const renewed = await tx`
    UPDATE event_leases SET expires_at = now() + ${LEASE_HOURS} * interval '1 hour'
    WHERE org_id = ${LEASE_OWNER} AND taken_at > now() - interval '1 hour' RETURNING 1`;
  if (renewed.length > 0) return;
  await tx`
    INSERT INTO event_leases (lease_id, org_id, expires_at)
    VALUES (${newId('lea')}, ${LEASE_OWNER}, now() + ${LEASE_HOURS} * interval '1 hour')`;
}

export async function selectTables(db: Db): Promise<LakeTable[]> {
  const rows = await db<(Omit<LakeTable, 'metadataLog'> & { metadataLog: string })[]>`
    SELECT t.table_name AS name, t.uuid, t.definition, t.base_uri AS "baseUri", t.metadata,
      t.version, t.sequence_number AS "sequenceNumber", t.snapshot_id AS "snapshotId",
      t.updated_ms AS "updatedMs", t.source, t.metadata_log AS "metadataLog",
      c.metadata_location AS location
    FROM lake_tables t LEFT JOIN iceberg_tables c ON c.catalog_name = ${CATALOG}
      AND c.table_namespace = ${NAMESPACE} AND c.table_name = t.table_name
    ORDER BY t.table_name`;
  return rows.map((row) => ({ ...row, metadataLog: LogText.parse(JSON.parse(row.metadataLog)) }));
}

export const foreignTables = (db: Db) =>
  column(db<{ name: string }[]>`
    SELECT table_name AS name FROM iceberg_tables c
    WHERE catalog_name = ${CATALOG} AND table_namespace = ${NAMESPACE} AND NOT EXISTS (
      SELECT 1 FROM lake_tables t WHERE t.table_name = c.table_name) ORDER BY 1`);

export async function deleteTable(tx: Tx, table: string): Promise<void> {
  await tx`DELETE FROM lake_files WHERE table_name = ${table}`;
  await tx`DELETE FROM lake_manifests WHERE table_name = ${table}`;
  await tx`DELETE FROM lake_snapshots WHERE table_name = ${table}`;
  await tx`DELETE FROM lake_tables WHERE table_name = ${table}`;
  // The files may have gone with their store.
  await tx`DELETE FROM lake_exposures WHERE ${table} = 'exposures'`;
  await tx`
    DELETE FROM iceberg_tables WHERE catalog_name = ${CATALOG}
      AND table_namespace = ${NAMESPACE} AND table_name = ${table}`;
}

export async function swapMetadata(
  tx: Tx,
  table: Omit<LakeTable, 'location'>,
  location: string,
  previous: string | null,
): Promise<void> {
  const row = {
    table_name: table.name,
    uuid: table.uuid,
    definition: table.definition,
    base_uri: table.baseUri,
    metadata: table.metadata,
    version: table.version,
    sequence_number: table.sequenceNumber,
    snapshot_id: table.snapshotId,
    updated_ms: table.updatedMs,
    source: table.source,
    metadata_log: JSON.stringify(table.metadataLog),
  };
  const { table_name: _, ...changes } = row;
  await tx`
    INSERT INTO lake_tables ${tx(row)} ON CONFLICT (table_name) DO UPDATE SET ${tx(changes)}`;
  await tx`
    INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, metadata_location,
      previous_metadata_location, iceberg_type)
    VALUES (${CATALOG}, ${NAMESPACE}, ${table.name}, ${location}, ${previous}, 'TABLE')
    ON CONFLICT (catalog_name, table_namespace, table_name) DO UPDATE
      SET metadata_location = excluded.metadata_location,
        previous_metadata_location = excluded.previous_metadata_location`;
}

export async function reachableObjects(db: Db): Promise<Set<string>> {
  const rows = await db<{ name: string }[]>`
    SELECT metadata AS name FROM lake_tables
    UNION SELECT entry->>'file' FROM lake_tables, jsonb_array_elements(metadata_log::jsonb) entry
    UNION SELECT path FROM lake_manifests
    UNION SELECT path FROM lake_files
    UNION SELECT path FROM lake_exposures WHERE path IS NOT NULL
    UNION SELECT manifest_list FROM lake_snapshots
    UNION SELECT unnest(manifests) FROM lake_snapshots
    UNION SELECT unnest(files) FROM lake_snapshots`;
  return new Set(rows.map(({ name }) => name));
}
