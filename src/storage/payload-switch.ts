import type { Sql } from './postgres.ts';

/** When payload encryption was switched on, which the first encrypting start records. */
export async function noteEncryptedSince(sql: Sql): Promise<Date> {
  const [row] = await sql<{ since: Date }[]>`
    UPDATE installation SET payloads_encrypted_at = coalesce(payloads_encrypted_at, now())
    RETURNING payloads_encrypted_at AS since`;
  if (!row) throw new Error('The row of the installation is missing.');
  return row.since;
}

/** Records that payload encryption is off. */
export async function forgetEncryptedSince(sql: Sql): Promise<void> {
  await sql`
    UPDATE installation SET payloads_encrypted_at = NULL WHERE payloads_encrypted_at IS NOT NULL`;
}
