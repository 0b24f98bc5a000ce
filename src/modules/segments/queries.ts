import type { AppScope } from '../../shared/app.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { deleteInApp, existsInApp } from '../../storage/rows-of-app.ts';
import { Segment, type SegmentUse } from './model.ts';

const columns = (db: Db) => db`
  segment_id AS id, app_id, name, rule,
  jsonb_build_object('kind', author_kind, 'id', author_id) AS author,
  created_at, updated_at`;

const toSegment = rowParser(Segment, 'stored segment');

export const selectSegments = (db: Db, { orgId, appId }: AppScope) =>
  toSegment.all(db`
    SELECT ${columns(db)} FROM segments WHERE org_id = ${orgId} AND app_id = ${appId}
    ORDER BY name, segment_id`);

export const segmentExists = existsInApp('segments', 'segment_id');

/** Throws the unique violation `segments_name`. */
export const insertSegment = (
  tx: Tx,
  { orgId, appId }: AppScope,
  {
    id,
    name,
    rule,
    author,
    createdAt,
  }: Pick<Segment, 'id' | 'name' | 'rule' | 'author' | 'createdAt'>,
) =>
  toSegment.only(tx`
    INSERT INTO segments (segment_id, org_id, app_id, name, rule, author_kind, author_id,
      created_at, updated_at)
    VALUES (${id}, ${orgId}, ${appId}, ${name}, ${JSON.stringify(rule)}::text::jsonb,
      ${author.kind}, ${author.id}, ${createdAt}, ${createdAt})
    RETURNING ${columns(tx)}`);

export const updateSegmentRow = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, name, rule }: Segment,
  at: Date,
) =>
  toSegment.first(tx`
    UPDATE segments
    SET name = ${name}, rule = ${JSON.stringify(rule)}::text::jsonb, updated_at = ${at}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND segment_id = ${id}
    RETURNING ${columns(tx)}`);

export const deleteSegmentRow = deleteInApp('segments', 'segment_id');

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
