import { Type } from '@sinclair/typebox';
import { parser } from '../shared/schema.ts';
import { type Db, type Tx, done } from '../storage/postgres.ts';
import type { Snapshot } from './format/types.ts';
import type { LakeTable } from './queries.ts';

const Summary = Type.Record(Type.String(), Type.String());
const SummaryText = parser(Summary, 'summary of a snapshot');

export type KeptSnapshot = Snapshot & { manifests: string[] };

export const keptSnapshots = (db: Db, table: string) => db<
  Pick<Snapshot, 'snapshotId' | 'timestampMs'>[]
>`
    SELECT snapshot_id AS "snapshotId", timestamp_ms AS "timestampMs" FROM lake_snapshots
    WHERE table_name = ${table} ORDER BY sequence_number`;

export async function selectSnapshots(
  db: Db,
  table: string,
  ids: readonly number[],
): Promise<Snapshot[]> {
  const rows = await db<(Omit<Snapshot, 'summary'> & { summary: string })[]>`
    SELECT snapshot_id AS "snapshotId", parent_id AS "parentId",
      sequence_number AS "sequenceNumber", timestamp_ms AS "timestampMs",
      manifest_list AS "manifestList", summary
    FROM lake_snapshots WHERE table_name = ${table} AND snapshot_id = ANY(${[...ids]})
    ORDER BY sequence_number`;
  return rows.map((row) => ({ ...row, summary: SummaryText.parse(JSON.parse(row.summary)) }));
}

export const insertSnapshot = (tx: Tx, table: string, snapshot: KeptSnapshot) =>
  done(tx`
    INSERT INTO lake_snapshots (table_name, snapshot_id, parent_id, sequence_number, timestamp_ms,
      manifest_list, summary, manifests, files)
    VALUES (${table}, ${snapshot.snapshotId}, ${snapshot.parentId}, ${snapshot.sequenceNumber},
      ${snapshot.timestampMs}, ${snapshot.manifestList}, ${JSON.stringify(snapshot.summary)},
      ${snapshot.manifests}, '{}')`);

/** While this snapshot is readable; older ones expire earlier. */
export async function keepEnded(
  tx: Tx,
  table: string,
  snapshotId: number,
  files: readonly string[],
): Promise<void> {
  if (files.length === 0) return;
  await tx`
    UPDATE lake_snapshots SET files = files || ${[...files]}
    WHERE table_name = ${table} AND snapshot_id = ${snapshotId}`;
}

/** Never the current one. True when any expired. */
export async function expireSnapshots(
  tx: Tx,
  { name, snapshotId }: Pick<LakeTable, 'name' | 'snapshotId'>,
  { ifBeforeMs, beforeMs }: { ifBeforeMs: number; beforeMs: number },
): Promise<boolean> {
  // A snapshot's life ends with its successor.
  const expired = await tx`
    WITH ended AS (
      SELECT snapshot_id, lead(timestamp_ms) OVER (ORDER BY sequence_number) AS ended_ms
      FROM lake_snapshots WHERE table_name = ${name})
    DELETE FROM lake_snapshots s USING ended
    WHERE s.table_name = ${name} AND s.snapshot_id = ended.snapshot_id
      AND ended.ended_ms < ${beforeMs} AND s.snapshot_id <> ${snapshotId}
      AND EXISTS (SELECT 1 FROM ended WHERE ended_ms < ${ifBeforeMs})
    RETURNING 1`;
  return expired.length > 0;
}
