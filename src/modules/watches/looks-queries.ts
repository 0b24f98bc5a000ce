import { type Static, Type } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';
import { type Db, type Tx, done } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { Question } from '../questions/index.ts';
import { Watch, WatchFigure, WatchLook, WatchRule } from './model.ts';

export const DueWatch = Type.Object({
  id: Type.String(),
  orgId: Type.String(),
  appId: Type.String(),
  figure: WatchFigure,
  rule: WatchRule,
  state: Watch.properties.state,
  name: Type.String(),
  question: Question,
  /** As text: microseconds count. */
  updatedAt: Type.String(),
});
export type DueWatch = Static<typeof DueWatch>;

const toDue = rowParser(DueWatch, 'watch that is due');
const looks = parser(WatchLook, 'stored look');

export const selectDueWatches = (
  db: Db,
  { orgId, at, limit }: { orgId: string; at: Date; limit: number },
) =>
  toDue.all(db`
    SELECT w.watch_id AS id, w.org_id, w.app_id, w.figure, w.rule, w.state, q.name, q.question,
      w.updated_at::text AS updated_at
    FROM watches w JOIN saved_questions q ON q.org_id = w.org_id AND q.question_id = w.question_id
    WHERE w.org_id = ${orgId} AND w.due_at <= ${at} ORDER BY w.due_at, w.watch_id LIMIT ${limit}`);

export type Settled = {
  state: Watch['state'];
  look: WatchLook;
  dueAt: Date;
};

export async function settleLook(
  tx: Tx,
  { id, orgId, updatedAt }: DueWatch,
  { state, look, dueAt }: Settled,
): Promise<boolean> {
  const rows = await tx`
    UPDATE watches SET state = ${state}, looked_through = ${look.to}, due_at = ${dueAt},
      error = NULL, since = CASE WHEN state = ${state} THEN since ELSE ${look.to} END
    WHERE org_id = ${orgId} AND watch_id = ${id} AND updated_at::text = ${updatedAt}
      AND (looked_through IS NULL OR looked_through < ${look.to})
    RETURNING 1`;
  if (rows.length === 0) return false;
  await tx`
    INSERT INTO watch_looks (org_id, watch_id, to_at, look)
    VALUES (${orgId}, ${id}, ${look.to}, ${JSON.stringify(look)}::text::jsonb)
    ON CONFLICT (org_id, watch_id, to_at) DO UPDATE SET look = EXCLUDED.look`;
  return true;
}

/** Due behind the others. */
export const failLook = (
  db: Db,
  { id, orgId }: DueWatch,
  { error, dueAt }: { error: string; dueAt: Date },
) =>
  done(db`
    UPDATE watches SET error = ${error}, due_at = ${dueAt}
    WHERE org_id = ${orgId} AND watch_id = ${id}`);

export async function selectLooks(
  db: Db,
  { orgId, watchId }: { orgId: string; watchId: string },
  limit: number,
): Promise<WatchLook[]> {
  const rows = await db`
    SELECT look FROM watch_looks WHERE org_id = ${orgId} AND watch_id = ${watchId}
    ORDER BY to_at DESC LIMIT ${limit}`;
  return rows.map(({ look }) => looks.parse(look));
}
