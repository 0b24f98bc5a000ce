import type { AppScope } from '../../../../shared/app.ts';
import type { Author } from '../../../../shared/author.ts';
import type { StoreEnvironment } from '../../../../shared/environment.ts';
import { type Db, hasRows, firstRow, done } from '../../../../storage/postgres.ts';
import type { RenewalExtension } from './model.ts';

export type StoredExtension = {
  requestId: string;
  environment: StoreEnvironment;
  chainId: string;
  days: number;
  reason: RenewalExtension['reason'];
  /** Epoch milliseconds, before the extension. */
  expiresMs: number;
  askedAt: Date;
  extendedAt: Date | null;
  renewsAt: Date | null;
};

/** False where the id is taken. */
export const insertExtension = (
  db: Db,
  { orgId, appId }: AppScope,
  extension: Omit<StoredExtension, 'extendedAt' | 'renewsAt'> & { askedBy: Author },
) =>
  hasRows(db`
    INSERT INTO purchase_extensions (org_id, app_id, request_id, environment,
      original_transaction_id, days, reason, expires_ms, asked_at, asked_by)
    VALUES (${orgId}, ${appId}, ${extension.requestId}, ${extension.environment},
      ${extension.chainId}, ${extension.days}, ${extension.reason}, ${extension.expiresMs},
      ${extension.askedAt}, ${JSON.stringify(extension.askedBy)}::text::jsonb)
    ON CONFLICT DO NOTHING RETURNING 1`);

export const selectExtension = (db: Db, { orgId, appId }: AppScope, requestId: string) =>
  firstRow(db<StoredExtension[]>`
    SELECT request_id AS "requestId", environment, original_transaction_id AS "chainId", days,
      reason, expires_ms AS "expiresMs", asked_at AS "askedAt", extended_at AS "extendedAt",
      renews_at AS "renewsAt"
    FROM purchase_extensions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND request_id = ${requestId}`);

/** False where another request did so meanwhile. */
export const askAgain = (
  db: Db,
  { orgId, appId }: AppScope,
  { requestId, askedAt }: Pick<StoredExtension, 'requestId' | 'askedAt'>,
  at: Date,
) =>
  hasRows(db`
    UPDATE purchase_extensions SET asked_at = ${at}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND request_id = ${requestId}
      AND extended_at IS NULL AND date_trunc('milliseconds', asked_at) = ${askedAt}
    RETURNING 1`);

export const finishExtension = (
  db: Db,
  { orgId, appId }: AppScope,
  { requestId, at, renewsAt }: { requestId: string; at: Date; renewsAt: Date | null },
) =>
  done(db`
    UPDATE purchase_extensions SET extended_at = ${at}, renews_at = ${renewsAt}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND request_id = ${requestId}
      AND extended_at IS NULL`);

export const dropExtension = (db: Db, { orgId, appId }: AppScope, requestId: string) =>
  done(db`
    DELETE FROM purchase_extensions WHERE org_id = ${orgId} AND app_id = ${appId}
      AND request_id = ${requestId} AND extended_at IS NULL`);
