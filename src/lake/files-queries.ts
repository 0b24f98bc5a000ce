import { rowsOf } from '../storage/row-parser.ts';
import { Type } from '@sinclair/typebox';
import { type FileStats, parseFileStats } from '../event-store/read.ts';
import { must, onlyRow } from '../shared/assert.ts';
import { parser } from '../shared/schema.ts';
import { type Db, type Tx, column, done } from '../storage/postgres.ts';
import type { Manifest, PublishedFile } from './format/types.ts';
import type { UnpublishedFile } from './tables/events.ts';

const PartitionText = parser(
  Type.Array(Type.Union([Type.String(), Type.Integer()])),
  'partition of a published file',
);
const Value = Type.Union([Type.String(), Type.Integer()]);
const BoundsText = parser(
  Type.Array(Type.Object({ lower: Value, upper: Value })),
  'partitions of a manifest',
);

type ManifestRow = Omit<Manifest, 'partitions'> & { partitions: string };

export async function selectManifests(db: Db, table: string): Promise<Manifest[]> {
  const rows = await db<ManifestRow[]>`
    SELECT path, spec_id AS "specId", bytes, snapshot_id AS "snapshotId",
      sequence_number AS "sequenceNumber", min_sequence_number AS "minSequenceNumber",
      json_build_object('files', added_files, 'rows', added_rows) AS added,
      json_build_object('files', existing_files, 'rows', existing_rows) AS existing,
      json_build_object('files', deleted_files, 'rows', deleted_rows) AS deleted, partitions
    FROM lake_manifests WHERE table_name = ${table} ORDER BY sequence_number, path`;
  return rows.map(({ partitions, ...row }) => ({
    ...row,
    partitions: BoundsText.parse(JSON.parse(partitions)),
  }));
}

type FileRow = Omit<PublishedFile, 'partition' | 'stats'> & { partition: string; stats: string };

const toPublished = ({ partition, stats, ...row }: FileRow): PublishedFile => ({
  ...row,
  partition: PartitionText.parse(JSON.parse(partition)),
  stats: must(parseFileStats(stats), 'published files have statistics'),
});
const publishedRows = rowsOf(toPublished);

const publishedColumns = (db: Db) => db`
  path, spec_id AS "specId", partition, rows, bytes, stats, manifest,
  snapshot_id AS "snapshotId", sequence_number AS "sequenceNumber"`;

/** Except removed ones. */
export async function publishedIn(
  db: Db,
  table: string,
  manifests: readonly string[],
): Promise<PublishedFile[]> {
  if (manifests.length === 0) return [];
  const rows = await db<FileRow[]>`
    SELECT ${publishedColumns(db)} FROM lake_files
    WHERE table_name = ${table} AND manifest = ANY(${[...manifests]})`;
  return rows.map(toPublished);
}

export const publishedFiles = (db: Db, table: string) =>
  publishedRows.all(db<FileRow[]>`
    SELECT ${publishedColumns(db)} FROM lake_files WHERE table_name = ${table}`);

export async function selectTableBytes(db: Db, table: string): Promise<number> {
  const { bytes } = onlyRow(
    await db<{ bytes: number }[]>`
      SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM lake_files WHERE table_name = ${table}`,
  );
  return bytes;
}

// By indexed name only: rows with statistics are much larger.

export const replacedEventFiles = (db: Db, table: string) =>
  publishedRows.all(db<FileRow[]>`
    WITH replaced AS MATERIALIZED (
      SELECT table_name, path FROM lake_files l WHERE table_name = ${table} AND NOT EXISTS (
        SELECT 1 FROM event_files f WHERE f.path = l.path AND f.state = 'live'))
    SELECT ${publishedColumns(db)} FROM lake_files JOIN replaced USING (table_name, path)`);

export const replacedExposures = (db: Db, table: string) =>
  publishedRows.all(db<FileRow[]>`
    WITH replaced AS MATERIALIZED (
      SELECT table_name, path FROM lake_files l WHERE table_name = ${table} AND NOT EXISTS (
        SELECT 1 FROM lake_exposures e WHERE e.path = l.path))
    SELECT ${publishedColumns(db)} FROM lake_files JOIN replaced USING (table_name, path)`);

export async function unpublishedEventFiles(db: Db, table: string): Promise<UnpublishedFile[]> {
  const rows = await db<(Omit<UnpublishedFile, 'stats'> & { stats: string | null })[]>`
    WITH unpublished AS MATERIALIZED (
      SELECT path FROM event_files f WHERE state = 'live' AND NOT EXISTS (
        SELECT 1 FROM lake_files l WHERE l.table_name = ${table} AND l.path = f.path))
    SELECT path, level, rows, bytes, stats FROM event_files JOIN unpublished USING (path)`;
  return rows.map(({ stats, ...row }) => ({ ...row, stats: parseFileStats(stats) }));
}

/** Files of earlier releases. */
export const filesWithoutStats = (db: Db, limit: number) =>
  column(db<{ path: string }[]>`
    SELECT path FROM event_files WHERE state = 'live' AND stats IS NULL LIMIT ${limit}`);

export const noteStats = (db: Db, path: string, stats: FileStats) =>
  done(db`UPDATE event_files SET stats = ${JSON.stringify(stats)} WHERE path = ${path}`);

export async function replaceManifests(
  tx: Tx,
  table: string,
  change: { dropped: readonly string[]; written: readonly Manifest[] },
): Promise<void> {
  await tx`
    DELETE FROM lake_manifests
    WHERE table_name = ${table} AND path = ANY(${[...change.dropped]})`;
  for (const manifest of change.written) {
    await tx`
      INSERT INTO lake_manifests ${tx({
        path: manifest.path,
        table_name: table,
        spec_id: manifest.specId,
        bytes: manifest.bytes,
        snapshot_id: manifest.snapshotId,
        sequence_number: manifest.sequenceNumber,
        min_sequence_number: manifest.minSequenceNumber,
        added_files: manifest.added.files,
        added_rows: manifest.added.rows,
        existing_files: manifest.existing.files,
        existing_rows: manifest.existing.rows,
        deleted_files: manifest.deleted.files,
        deleted_rows: manifest.deleted.rows,
        partitions: JSON.stringify(manifest.partitions),
      })}`;
  }
}

export const deleteFiles = (tx: Tx, table: string, paths: readonly string[]) =>
  done(tx`DELETE FROM lake_files WHERE table_name = ${table} AND path = ANY(${[...paths]})`);

export async function noteFiles(
  tx: Tx,
  table: string,
  { added, moved }: { added: readonly PublishedFile[]; moved: readonly PublishedFile[] },
): Promise<void> {
  await tx`
    INSERT INTO lake_files (table_name, path, spec_id, partition, rows, bytes, stats, manifest,
      snapshot_id, sequence_number)
    SELECT ${table}, * FROM unnest(
      ${added.map((file) => file.path)}::text[], ${added.map((file) => file.specId)}::integer[],
      ${added.map((file) => JSON.stringify(file.partition))}::text[],
      ${added.map((file) => file.rows)}::bigint[], ${added.map((file) => file.bytes)}::bigint[],
      ${added.map((file) => JSON.stringify(file.stats))}::text[],
      ${added.map((file) => file.manifest)}::text[],
      ${added.map((file) => file.snapshotId)}::bigint[],
      ${added.map((file) => file.sequenceNumber)}::bigint[])`;
  await tx`
    UPDATE lake_files l SET manifest = moved.manifest
    FROM unnest(${moved.map((file) => file.path)}::text[],
      ${moved.map((file) => file.manifest)}::text[]) AS moved (path, manifest)
    WHERE l.table_name = ${table} AND l.path = moved.path`;
}
