import { Type } from '@sinclair/typebox';
import { type FileStats, parseFileStats } from '../event-store/read.ts';
import { must } from '../shared/assert.ts';
import { parser } from '../shared/schema.ts';
import { type Db, type Tx, done } from '../storage/postgres.ts';
import type { DataFile, PartitionValue } from './format/types.ts';
import type { UnpublishedFile } from './tables/events.ts';

const PartitionText = parser(
  Type.Array(Type.Union([Type.String(), Type.Integer()])),
  'partition of a file of exposures',
);

export type UnreadFile = UnpublishedFile & { format: number; stats: FileStats };

export async function unreadFiles(db: Db, limit: number): Promise<UnreadFile[]> {
  const rows = await db<(Omit<UnreadFile, 'stats'> & { stats: string })[]>`
    WITH unread AS MATERIALIZED (
      SELECT path FROM event_files f WHERE state = 'live' AND NOT EXISTS (
        SELECT 1 FROM lake_exposures e WHERE e.event_path = f.path))
    SELECT path, level, rows, bytes, format, stats FROM event_files JOIN unread USING (path)
    WHERE stats IS NOT NULL ORDER BY path LIMIT ${limit}`;
  return rows.map(({ stats, ...row }) => ({
    ...row,
    stats: must(parseFileStats(stats), 'the query selects files with statistics'),
  }));
}

export const noteExposures = (tx: Tx, eventPath: string, file: DataFile | null) =>
  done(tx`
    INSERT INTO lake_exposures ${tx({
      event_path: eventPath,
      path: file?.path ?? null,
      spec_id: file?.specId ?? null,
      partition: file && JSON.stringify(file.partition),
      rows: file?.rows ?? null,
      bytes: file?.bytes ?? null,
      stats: file && JSON.stringify(file.stats),
    })}`);

export const deleteRetiredExposures = (tx: Tx) =>
  done(tx`
    WITH retired AS MATERIALIZED (
      SELECT event_path FROM lake_exposures e WHERE NOT EXISTS (
        SELECT 1 FROM event_files f WHERE f.path = e.event_path AND f.state = 'live'))
    DELETE FROM lake_exposures e USING retired WHERE e.event_path = retired.event_path`);

type ExposureRow = {
  path: string;
  specId: number;
  partition: string;
  rows: number;
  bytes: number;
  stats: string;
};

export async function unpublishedExposures(db: Db, table: string): Promise<DataFile[]> {
  const rows = await db<ExposureRow[]>`
    WITH unpublished AS MATERIALIZED (
      SELECT path FROM lake_exposures e WHERE path IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM lake_files l WHERE l.table_name = ${table} AND l.path = e.path))
    SELECT path, spec_id AS "specId", partition, rows, bytes, stats
    FROM lake_exposures JOIN unpublished USING (path)`;
  return rows.map(({ partition, stats, ...row }) => ({
    ...row,
    partition: PartitionText.parse(JSON.parse(partition)) satisfies PartitionValue[],
    stats: must(parseFileStats(stats), 'files of the lake have statistics'),
  }));
}
