import type { AppScope } from '../../shared/app.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { deleteInApp, existsInApp } from '../../storage/rows-of-app.ts';
import { Watch } from './model.ts';

const columns = (db: Db) => db`
  w.watch_id AS id, w.app_id, w.question_id, w.figure, w.rule,
  jsonb_build_object('kind', w.owner_kind, 'id', w.owner_id) AS owner, w.state, w.since, w.error,
  w.created_at, w.updated_at,
  (SELECT l.look FROM watch_looks l WHERE l.org_id = w.org_id AND l.watch_id = w.watch_id
    ORDER BY l.to_at DESC LIMIT 1) AS last`;

const toWatch = rowParser(Watch, 'stored watch');

export const selectWatches = (db: Db, { orgId, appId }: AppScope) =>
  toWatch.all(db`
    SELECT ${columns(db)} FROM watches w WHERE w.org_id = ${orgId} AND w.app_id = ${appId}
    ORDER BY w.created_at, w.watch_id`);

export const selectWatch = (db: Db, { orgId, appId }: AppScope, id: string) =>
  toWatch.first(db`
    SELECT ${columns(db)} FROM watches w
    WHERE w.org_id = ${orgId} AND w.app_id = ${appId} AND w.watch_id = ${id}`);

export const watchExists = existsInApp('watches', 'watch_id');

type NewRow = Pick<Watch, 'id' | 'questionId' | 'figure' | 'rule' | 'owner' | 'createdAt'>;

/** Due at once. */
export const insertWatch = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, questionId, figure, rule, owner, createdAt }: NewRow,
) =>
  toWatch.only(tx`
    INSERT INTO watches AS w (watch_id, org_id, app_id, question_id, figure, rule, owner_kind,
      owner_id, created_at, updated_at, state, due_at)
    VALUES (${id}, ${orgId}, ${appId}, ${questionId}, ${JSON.stringify(figure)}::text::jsonb,
      ${JSON.stringify(rule)}::text::jsonb, ${owner.kind}, ${owner.id}, ${createdAt},
      ${createdAt}, 'waiting', ${createdAt})
    RETURNING ${columns(tx)}`);

export const updateWatchRow = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, figure, rule }: Pick<Watch, 'id' | 'figure' | 'rule'>,
  at: Date,
) =>
  toWatch.first(tx`
    UPDATE watches w SET figure = ${JSON.stringify(figure)}::text::jsonb,
      rule = ${JSON.stringify(rule)}::text::jsonb, updated_at = ${at}, state = 'waiting',
      since = NULL, looked_through = NULL, due_at = ${at}, error = NULL
    WHERE w.org_id = ${orgId} AND w.app_id = ${appId} AND w.watch_id = ${id}
    RETURNING ${columns(tx)}`);

export const deleteWatchRow = deleteInApp('watches', 'watch_id');
