import type { AppScope } from '../../shared/app.ts';
import { type Db, firstRow, done } from '../../storage/postgres.ts';
import type { StoreAppScope } from './queries.ts';

export type ReviewCheck = {
  checkedAt: Date | null;
  walkedAt: Date | null;
  knownThrough: Date | null;
  lastError: string | null;
  triedAt: Date;
};

export const selectCheck = (db: Db, { orgId, storeAppId }: StoreAppScope) =>
  firstRow(db<ReviewCheck[]>`
    SELECT checked_at AS "checkedAt", walked_at AS "walkedAt", known_through AS "knownThrough",
      last_error AS "lastError", tried_at AS "triedAt"
    FROM store_review_checks WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`);

export const noteTry = (db: Db, { orgId, storeAppId }: StoreAppScope, triedAt: Date) =>
  done(db`
    INSERT INTO store_review_checks (org_id, store_app_id, tried_at)
    VALUES (${orgId}, ${storeAppId}, ${triedAt})
    ON CONFLICT (org_id, store_app_id) DO UPDATE SET tried_at = excluded.tried_at`);

export const noteError = (db: Db, { orgId, storeAppId }: StoreAppScope, message: string) =>
  done(db`
    UPDATE store_review_checks SET last_error = ${message}
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`);

export const noteEnd = (
  db: Db,
  { orgId, storeAppId }: StoreAppScope,
  { checkedAt, isWhole }: { checkedAt: Date; isWhole: boolean },
) =>
  done(db`
    UPDATE store_review_checks c SET checked_at = ${checkedAt}, last_error = NULL,
      walked_at = CASE WHEN ${isWhole} THEN ${checkedAt} ELSE walked_at END,
      known_through = (SELECT max(created_at) FROM store_reviews r
        WHERE r.org_id = c.org_id AND r.store_app_id = c.store_app_id)
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`);

export const deleteChecksOfApp = (db: Db, { orgId, appId }: AppScope) =>
  done(db`
    DELETE FROM store_review_checks c USING store_apps s
    WHERE c.org_id = ${orgId} AND s.org_id = ${orgId} AND s.app_id = ${appId}
      AND c.store_app_id = s.store_app_id`);

export const deleteOldChecks = (db: Db, before: Date) =>
  done(db`DELETE FROM store_review_checks WHERE coalesce(walked_at, tried_at) < ${before}`);
