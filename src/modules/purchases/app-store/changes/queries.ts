import type { AppScope } from '../../../../shared/app.ts';
import type { Author } from '../../../../shared/author.ts';
import type { StoreEnvironment } from '../../../../shared/environment.ts';
import type { Db } from '../../../../storage/postgres.ts';
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
export async function insertExtension(
  db: Db,
  { orgId, appId }: AppScope,
  extension: Omit<StoredExtension, 'extendedAt' | 'renewsAt'> & { askedBy: Author },
): Promise<boolean> {
  const rows = await db`
    INSERT INTO purchase_extensions (org_id, app_id, request_id, environment,
      original_transaction_id, days, reason, expires_ms, asked_at, asked_by)
    VALUES (${orgId}, ${appId}, ${extension.requestId}, ${extension.environment},
      ${extension.chainId}, ${extension.days}, ${extension.reason}, ${extension.expiresMs},
      ${extension.askedAt}, ${JSON.stringify(extension.askedBy)}::text::jsonb)
    ON CONFLICT DO NOTHING RETURNING 1`;
  return rows.length > 0;
}

export async function selectExtension(
  db: Db,
  { orgId, appId }: AppScope,
  requestId: string,
): Promise<StoredExtension | null> {
  const [row] = await db<StoredExtension[]>`
    SELECT request_id AS "requestId", environment, original_transaction_id AS "chainId", days,
      reason, expires_ms AS "expiresMs", asked_at AS "askedAt", extended_at AS "extendedAt",
      renews_at AS "renewsAt"
    FROM purchase_extensions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND request_id = ${requestId}`;
  return row ?? null;
}

/** False where another request did so meanwhile. */
export async function askAgain(
  db: Db,
  { orgId, appId }: AppScope,
  { requestId, askedAt }: Pick<StoredExtension, 'requestId' | 'askedAt'>,
  at: Date,
): Promise<boolean> {
  const rows = await db`
    UPDATE purchase_extensions SET asked_at = ${at}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND request_id = ${requestId}
      AND extended_at IS NULL AND date_trunc('milliseconds', asked_at) = ${askedAt}
    RETURNING 1`;
  return rows.length > 0;
}

export async function finishExtension(
  db: Db,
  { orgId, appId }: AppScope,
  done: { requestId: string; at: Date; renewsAt: Date | null },
): Promise<void> {
  await db`
    UPDATE purchase_extensions SET extended_at = ${done.at}, renews_at = ${done.renewsAt}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND request_id = ${done.requestId}
      AND extended_at IS NULL`;
}

export async function dropExtension(
  db: Db,
  { orgId, appId }: AppScope,
  requestId: string,
): Promise<void> {
  await db`
    DELETE FROM purchase_extensions WHERE org_id = ${orgId} AND app_id = ${appId}
      AND request_id = ${requestId} AND extended_at IS NULL`;
}
