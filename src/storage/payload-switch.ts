import { onlyRow } from '../shared/assert.ts';
import type { Sql } from './postgres.ts';

/** From when on runs hold nothing plain, and nothing that was not encrypted for them. */
export type EncryptionSwitch = { encryptedAt: Date; boundAt: Date };

/**
 * What the first encrypting start records. Where payloads were encrypted before they were bound to
 * their runs, hosts of the release before go on for a day with those that are not.
 */
export async function noteEncryption(sql: Sql): Promise<EncryptionSwitch> {
  const rows = await sql<EncryptionSwitch[]>`
    UPDATE installation SET
      payloads_bound_at = coalesce(payloads_bound_at,
        CASE WHEN payloads_encrypted_at IS NULL THEN now() ELSE now() + interval '1 day' END),
      payloads_encrypted_at = coalesce(payloads_encrypted_at, now())
    RETURNING payloads_encrypted_at AS "encryptedAt", payloads_bound_at AS "boundAt"`;
  return onlyRow(rows);
}

/** Records that payload encryption is off. */
export async function forgetEncryption(sql: Sql): Promise<void> {
  await sql`
    UPDATE installation SET payloads_encrypted_at = NULL, payloads_bound_at = NULL
    WHERE payloads_encrypted_at IS NOT NULL`;
}
