import type { AppScope } from '../../../../shared/app.ts';
import { type Db, type Tx, done, firstRow } from '../../../../storage/postgres.ts';
import { isOfLiveApp } from '../../../../storage/rows-of-app.ts';
import type { NotificationKey } from './queries.ts';

export type ForwardKey = AppScope & NotificationKey;

export const insertForward = (tx: Tx, forward: ForwardKey & { at: Date }) =>
  done(tx`
    INSERT INTO purchase_forwards (environment, notification_id, app_id, org_id, state, created_at)
    VALUES (${forward.environment}, ${forward.notificationId}, ${forward.appId}, ${forward.orgId},
      'pending', ${forward.at})
    ON CONFLICT DO NOTHING`);

const isPending = (db: Db, key: ForwardKey) => db`
  f.org_id = ${key.orgId} AND f.app_id = ${key.appId} AND f.environment = ${key.environment}
  AND f.notification_id = ${key.notificationId} AND f.state = 'pending'`;

type Forward = { payload: string; url: string | null; sealedSecret: string | null };

export const selectForward = (db: Db, key: ForwardKey) =>
  firstRow(db<Forward[]>`
    SELECT n.payload, s.forward_url AS url, s.sealed_forward_secret AS "sealedSecret"
    FROM purchase_forwards f
    JOIN purchase_notifications n USING (environment, notification_id)
    LEFT JOIN purchase_settings s ON s.app_id = f.app_id
    WHERE ${isPending(db, key)} AND ${isOfLiveApp(db, 'f')}`);

export type Attempt = {
  state: 'pending' | 'delivered' | 'failed';
  status: number | null;
  error: string | null;
  at: Date;
};

export async function recordAttempt(db: Db, key: ForwardKey, attempt: Attempt): Promise<void> {
  const finishedAt = attempt.state === 'pending' ? null : attempt.at;
  await db`
    UPDATE purchase_forwards f SET state = ${attempt.state}, attempts = attempts + 1,
      last_status = ${attempt.status}, last_error = ${attempt.error}, finished_at = ${finishedAt}
    WHERE ${isPending(db, key)}`;
}

export const failForward = (
  db: Db,
  key: ForwardKey,
  { at, madeBefore }: { at: Date; madeBefore: Date },
) =>
  done(db`
    UPDATE purchase_forwards f SET state = 'failed', finished_at = ${at}
    WHERE ${isPending(db, key)} AND f.created_at < ${madeBefore}`);

export type PendingForward = ForwardKey & { createdAt: string };

/** Oldest first. `createdAt` as text: a `Date` loses microseconds. */
export const selectPendingForwards = async (
  db: Db,
  { before, after, limit }: { before: Date; after: PendingForward | null; limit: number },
) => db<PendingForward[]>`
    SELECT org_id AS "orgId", app_id AS "appId", environment, notification_id AS "notificationId",
      created_at::text AS "createdAt"
    FROM purchase_forwards
    WHERE state = 'pending' AND created_at < ${before} AND ${isOfLiveApp(db, 'purchase_forwards')}
      AND (created_at, environment, notification_id, app_id) >
        (${after?.createdAt ?? '-infinity'}::text::timestamptz, ${after?.environment ?? ''},
          ${after?.notificationId ?? ''}, ${after?.appId ?? ''})
    ORDER BY created_at, environment, notification_id, app_id LIMIT ${limit}`;
