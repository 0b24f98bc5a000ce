import { expect } from 'bun:test';
import type { Sql } from '../../../src/storage/postgres.ts';
import type { TestEventStore } from '../event-store.ts';

/** Under `lake/` is what a reader of some snapshot may open, and nothing else. */
export async function checkNoOrphan(sql: Sql, { objects }: TestEventStore): Promise<void> {
  const [kept] = await sql<{ names: string[] }[]>`
    SELECT array_agg(DISTINCT name) AS names FROM (
      SELECT metadata AS name FROM lake_tables
      UNION ALL SELECT e->>'file' FROM lake_tables, jsonb_array_elements(metadata_log::jsonb) e
      UNION ALL SELECT path FROM lake_files WHERE starts_with(path, 'lake/')
      UNION ALL SELECT manifest_list FROM lake_snapshots
      UNION ALL SELECT unnest(manifests || files) FROM lake_snapshots) t`;
  const there = (await objects.list('lake/')).map(({ key }) => key);
  expect(there.toSorted()).toEqual(kept!.names.toSorted());
}
