import { type Sql, singleRow, done } from './postgres.ts';

export type EncryptionSwitch = { encryptedAt: Date; boundAt: Date };

/** Hosts of an unbound release keep using them for a day. */
export const noteEncryption = (sql: Sql) =>
  singleRow(sql<EncryptionSwitch[]>`
    UPDATE installation SET
      payloads_bound_at = coalesce(payloads_bound_at,
        CASE WHEN payloads_encrypted_at IS NULL THEN now() ELSE now() + interval '1 day' END),
      payloads_encrypted_at = coalesce(payloads_encrypted_at, now())
    RETURNING payloads_encrypted_at AS "encryptedAt", payloads_bound_at AS "boundAt"`);

export const clearEncryption = (sql: Sql) =>
  done(sql`
    UPDATE installation SET payloads_encrypted_at = NULL, payloads_bound_at = NULL
    WHERE payloads_encrypted_at IS NOT NULL`);
