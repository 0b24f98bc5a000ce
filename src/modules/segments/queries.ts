import type { AppScope } from '../../shared/app.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { savedRows } from '../../storage/saved-rows.ts';
import { Segment, type SegmentUse } from './model.ts';

export const segmentRows = savedRows(Segment, {
  table: 'segments',
  key: 'segment_id',
  plain: ['name'],
  json: ['rule'],
  by: 'author',
});
export const { all: selectSegments, exists: segmentExists } = segmentRows;

export const selectUses = async (db: Db, { orgId, appId }: AppScope, segmentId: string) => db<
  SegmentUse[]
>`
    SELECT kind, used_by AS id, name FROM segment_uses
    WHERE org_id = ${orgId} AND app_id = ${appId} AND segment_id = ${segmentId}
    ORDER BY kind, name, used_by LIMIT 100`;

export async function replaceUses(
  tx: Tx,
  { orgId, appId }: AppScope,
  { kind, id, name }: SegmentUse,
  segmentIds: readonly string[],
): Promise<void> {
  await tx`
    DELETE FROM segment_uses WHERE org_id = ${orgId} AND app_id = ${appId} AND kind = ${kind}
      AND used_by = ${id}`;
  await tx`
    INSERT INTO segment_uses (segment_id, org_id, app_id, kind, used_by, name)
    SELECT segment_id, org_id, app_id, ${kind}, ${id}, ${name} FROM segments
    WHERE org_id = ${orgId} AND app_id = ${appId} AND segment_id = ANY(${[...segmentIds]}::text[])`;
}
